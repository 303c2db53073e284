"""Tables laid out by hand for tests of single rules. DK is the king of diamonds: pips are C1 to C10, court
cards Ps (princess), Pc (prince), Q and K, and F is the fool."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from engine_service.rules.game import IllegalMove, Move, Offer, RecordScores, TimeOut
from engine_service.rules.games.cheat_trick import CHEAT_TRICK
from engine_service.rules.games.cheat_trick.actions import Action, Pass, PlayCard, Raise, Vote
from engine_service.rules.games.cheat_trick.events import (
    BiddingEnded,
    BidRaised,
    DealCompleted,
    GameStarted,
    PacketDealt,
    Passed,
    RoundStarted,
)
from engine_service.rules.games.cheat_trick.options import Options
from engine_service.rules.games.cheat_trick.state import State, Trick
from tests.rules.kits import KITS
from tests.rules.walks import evolved

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
FOOL = 56
PLAIN, DEALT_BY_0 = Options(), Options(dealer=0)
FORBIDDEN, CATCHABLE = 1, 2
EXTRAS, ANY = 1, 2
COURT = {"Ps": 11, "Pc": 12, "Q": 13, "K": 14}
ROUNDS = {3: 3, 4: 4}

E = TypeVar("E")


def card(name: str) -> int:
    if name == "F":
        return FOOL
    return "CDHS".index(name[0]) * 14 + (COURT.get(name[1:]) or int(name[1:])) - 1


def cards(names: str) -> tuple[int, ...]:
    return tuple(map(card, names.split()))


def started(options: Options = DEALT_BY_0, seats: int = 4, seed: bytes = bytes(32)) -> State:
    """Return a game as it begins, dealt by its seed."""
    state: State = evolved(CHEAT_TRICK, None, CHEAT_TRICK.setup(options, seats, seed))
    return state


def laid_out(
    hands: Sequence[str],
    trump: int | None = CLUBS,
    options: Options = PLAIN,
    dealer: int = 0,
    bids: Mapping[int, int] | None = None,
    open_cards: str = "",
) -> State:
    """Return a first round with these hands, by seat, before the first lead, by the dealer's right. Bids are 1 if not
    given, and seats passed counter-clockwise from there."""
    seats = len(hands)
    first = (dealer - 1) % seats
    order = tuple((first - i) % seats for i in range(seats))
    dealt = tuple(tuple(sorted(cards(hand))) for hand in hands)
    raises = [BidRaised(seat, bid) for seat, bid in sorted((bids or {}).items(), key=lambda item: item[1])]
    events: list[Any] = [
        GameStarted(options, seats, ROUNDS[seats], bytes(32)),
        RoundStarted(1, dealer, first),
        PacketDealt(1, b"c", b"s" * 32, ((),) * seats, ()),
        DealCompleted(dealt, card("S10") if seats == 4 else None, cards(open_cards), trump),
        *raises,
        *(Passed(seat) for seat in order),
        BiddingEnded(tuple((bids or {}).get(seat, 1) for seat in range(seats)), order),
    ]
    state: State = evolved(CHEAT_TRICK, None, events)
    return state


def bidding(seats: int = 4, dealer: int = 0, options: Options = PLAIN) -> State:
    """Return a dealt round before the first bid."""
    simple = replace(options, simplified=True, dealer=dealer)
    return started(simple, seats)


def called(state: State, calls: str) -> State:
    """Return the state after calls like "pass 3 pass", each by the seat that is asked."""
    return done(state, *(Pass() if call == "pass" else Raise(int(call)) for call in calls.split()))


def voted(state: State, votes: str) -> State:
    """Return the state after votes like "play veto"."""
    return done(state, *(Vote(vote == "veto") for vote in votes.split()))


def events_of(state: State, *actions: Action) -> list[Any]:
    """Return what happens when the seats that are asked, one after the other, do this."""
    happened: list[Any] = []
    for action in actions:
        events = decided(state, asked(state)[0], action)
        state = evolved(CHEAT_TRICK, state, events)
        happened += events
    return happened


def done(state: State, *actions: Action) -> State:
    after: State = evolved(CHEAT_TRICK, state, events_of(state, *actions))
    return after


def plays(names: str) -> list[PlayCard]:
    return [PlayCard(number) for number in cards(names)]


def played(state: State, names: str) -> State:
    """Return the state after these cards, each by the seat whose turn it is."""
    return done(state, *plays(names))


def decided(state: State, seat: int, action: Action, window: int | None = None) -> tuple[Any, ...]:
    """Return what a seat's action brings, in the open window if none is named."""
    return CHEAT_TRICK.decide(state, Move(seat, state.closed + 1 if window is None else window, action))


def beside(state: State, seat: int, action: Action) -> State:
    """Return the state after something that stands beside the turn."""
    after: State = evolved(CHEAT_TRICK, state, decided(state, seat, action, window=0))
    return after


def by(state: State, seat: int, action: Action) -> State:
    """Return the state after the answer of one seat."""
    after: State = evolved(CHEAT_TRICK, state, decided(state, seat, action))
    return after


def timed_out(state: State, seat: int | None = None) -> tuple[Any, ...]:
    """Return what happens when a seat that is asked does not answer."""
    who = asked(state)[0] if seat is None else seat
    return CHEAT_TRICK.decide(state, TimeOut(who, state.closed + 1))


def refusal(state: State, seat: int, action: Action, window: int | None = None) -> IllegalMove:
    """Return how a move is refused."""
    try:
        decided(state, seat, action, window)
    except IllegalMove as refused:
        return refused
    raise AssertionError(f"{action} was accepted")


def why(state: State, seat: int, action: Action, window: int | None = None) -> tuple[str, Mapping[str, object]]:
    """Return the reason and the facts of a refusal."""
    refused = refusal(state, seat, action, window)
    return refused.reason, refused.facts


def asked(state: State) -> list[int]:
    """Return the seats that are asked."""
    return [question.seat for question in CHEAT_TRICK.actors(state) if question.seat is not None]


def offered(state: State, seat: int) -> list[Any]:
    """Return what a seat may do, as offers describe it."""
    offers: tuple[Offer[Any], ...] = CHEAT_TRICK.offers(state, seat)
    return [offer.choice for offer in offers]


def may_play(state: State) -> set[int]:
    """Return the cards that are offered to the seat that is asked."""
    return {choice.card for choice in offered(state, asked(state)[0]) if hasattr(choice, "card")}


def skipped(state: State, won: Sequence[int]) -> State:
    """Return the state after so many tricks by seat that nobody played, whose cards don't matter."""
    tricks = tuple(Trick(seat, (), seat) for seat, count in enumerate(won) for _ in range(count))
    counts = tuple(before + more for before, more in zip(state.won, won, strict=True))
    return replace(state, tricks=(*state.tricks, *tricks), won=counts)


def scored(state: State, log: Sequence[Any]) -> tuple[Any, ...]:
    """Return what the points of the round bring that these events ended."""
    ended = CHEAT_TRICK.round_ended(log[-1])
    assert ended is not None
    scores: RecordScores = KITS["cheat_trick"].score(state, ended)
    return CHEAT_TRICK.decide(state, scores)


def next_round(state: State) -> State:
    """Return the state after the deal of the next round; nobody answers until then."""
    number, log = state.round, []
    while asked(state):
        log += timed_out(state)
        state = evolved(CHEAT_TRICK, state, timed_out(state))
    state = evolved(CHEAT_TRICK, state, scored(state, log))
    assert state.round == number + 1
    return state


def all_of(events: Sequence[Any], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def only(events: Sequence[Any], kind: type[E]) -> E:
    """Return the one event of a kind."""
    (event,) = all_of(events, kind)
    return event
