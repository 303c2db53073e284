"""Tables laid out by hand for tests of single rules. S7 is the Swiss 7; cats are "black 3", "grey 6s", "grey Brie"."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from engine_service.rules.game import IllegalMove, Move, TimeOut
from engine_service.rules.games.cheez_tricks import CHEEZ_TRICKS
from engine_service.rules.games.cheez_tricks.actions import ChooseTrump, PlayCard
from engine_service.rules.games.cheez_tricks.cats import (
    BlackCat,
    Cat,
    Counted,
    CountedSuit,
    CountedTricks,
    CountedValue,
    GreyCat,
    Kind,
    OrangeCat,
    SiameseCat,
    TuxedoCat,
    WhiteCat,
)
from engine_service.rules.games.cheez_tricks.events import (
    CardsDealt,
    CatDecided,
    GameStarted,
    RoundPlayed,
    RoundStarted,
    TrumpSet,
)
from engine_service.rules.games.cheez_tricks.facts import RoundFacts
from engine_service.rules.games.cheez_tricks.options import Options
from engine_service.rules.games.cheez_tricks.state import State, Trick
from tests.rules.walks import evolved

JERRY, PINKY, REMY, MINNIE = range(4)
HOUSE_CAT, WILD_CAT = 1, 2
SWISS, ROQUEFORT, PARMESAN, BRIE = range(4)
SUITS = ("Swiss", "Roquefort", "Parmesan", "Brie")
HAND = {2: 10, 3: 12, 4: 10, 5: 8}
ROUNDS = {2: 4, 3: 3, 4: 4, 5: 5}

E = TypeVar("E")


def card(name: str) -> int:
    return "SRPB".index(name[0]) * 10 + int(name[1:]) - 1


def cards(names: str) -> tuple[int, ...]:
    return tuple(map(card, names.split()))


def cat(name: str, *player_counts: int) -> Cat:
    colour, wants = name.split()
    return Cat(_kind(colour, wants), player_counts)


def _kind(colour: str, wants: str) -> Kind:
    match colour:
        case "black":
            return BlackCat(int(wants))
        case "white":
            return WhiteCat(int(wants))
        case "tuxedo":
            return TuxedoCat(int(wants))
        case "siamese":
            return SiameseCat(card(wants))
        case "grey":
            return GreyCat(_counted(wants))
        case _:
            return OrangeCat(_counted(wants))


def _counted(wants: str) -> Counted:
    if wants == "tricks":
        return CountedTricks()
    return CountedSuit(SUITS.index(wants)) if wants in SUITS else CountedValue(int(wants.rstrip("s")))


FAR_CATS = ("black 8", "white 8", "siamese B7")
"""Cats that do not come into the way of a test."""


def laid_out(
    hands: Sequence[str],
    trump: int | None = SWISS,
    cats: Sequence[str] = FAR_CATS,
    level: int = WILD_CAT,
    starter: int = 0,
    set_aside: str = "",
) -> State:
    """Return a first round with these hands, by seat, before the first lead; before the choice of trump without one."""
    seats = len(hands)
    events: list[Any] = [
        GameStarted(Options(level=level), seats, ROUNDS[seats], bytes(32)),
        RoundStarted(1, starter, None if trump is not None else starter, tuple(map(cat, cats)), (0, 1, 2), (), b"c"),
        CardsDealt(tuple(tuple(sorted(cards(hand))) for hand in hands), cards(set_aside), b"s" * 32),
    ]
    state: State = evolved(CHEEZ_TRICKS, None, [*events, TrumpSet(trump)] if trump is not None else events)
    return state


def events_of(state: State, plays: str) -> list[Any]:
    """Return what happens when cards "S7 R2" are played, each by the seat whose turn it is."""
    happened: list[Any] = []
    for name in plays.split():
        events = decided(state, PlayCard(card(name)))
        state = evolved(CHEEZ_TRICKS, state, events)
        happened += events
    return happened


def played(state: State, plays: str) -> State:
    """Return the state after these cards."""
    after: State = evolved(CHEEZ_TRICKS, state, events_of(state, plays))
    return after


def decided(state: State, action: PlayCard | ChooseTrump) -> tuple[Any, ...]:
    """Return what an action of the seat that is asked brings."""
    (question,) = CHEEZ_TRICKS.actors(state)
    assert question.seat is not None
    return CHEEZ_TRICKS.decide(state, Move(question.seat, question.window, action))


def timed_out(state: State) -> tuple[Any, ...]:
    """Return what happens when the seat that is asked does not answer."""
    (question,) = CHEEZ_TRICKS.actors(state)
    return CHEEZ_TRICKS.decide(state, TimeOut(question.seat, question.window))


def asked(state: State) -> int | None:
    """Return the seat that is asked."""
    questions = CHEEZ_TRICKS.actors(state)
    return questions[0].seat if questions else None


def may_play(state: State) -> set[int]:
    """Return the cards that are offered to the seat that is asked."""
    (question,) = CHEEZ_TRICKS.actors(state)
    assert question.seat is not None
    return {offer.choice.card for offer in CHEEZ_TRICKS.offers(state, question.seat)}


def refusal(state: State, seat: int, action: PlayCard | ChooseTrump, window: int | None = None) -> IllegalMove:
    """Return how a move is refused, in the open window if none is named."""
    try:
        CHEEZ_TRICKS.decide(state, Move(seat, state.answered + 1 if window is None else window, action))
    except IllegalMove as refused:
        return refused
    raise AssertionError(f"{action} was accepted")


def skipped(state: State, won: Mapping[int, Sequence[str]]) -> State:
    """Return the state after tricks that nobody played: by seat the cards of each it won, "" if they don't matter."""
    tricks = tuple(Trick(seat, cards(trick), seat) for seat, theirs in won.items() for trick in theirs)
    counts = tuple(count + len(won.get(seat, ())) for seat, count in enumerate(state.won))
    return replace(state, tricks=(*state.tricks, *tricks), won=counts)


def tricks(count: int) -> list[str]:
    """Return tricks whose cards don't matter."""
    return [""] * count


def ended(state: State, plays: str) -> RoundFacts:
    """Return the facts of the round that these cards end."""
    return only(events_of(state, plays), RoundPlayed).facts


def caught(facts: RoundFacts) -> list[tuple[int, ...]]:
    """Return whom each cat caught, in the order they lie."""
    return [capture.seats for capture in facts.captures]


def captures(events: Sequence[Any]) -> list[tuple[int, tuple[int, ...]]]:
    """Return (which cat, whom it caught) in the order it happened."""
    return [(event.cat_index, event.seats) for event in events if isinstance(event, CatDecided)]


def only(events: Sequence[Any], kind: type[E]) -> E:
    """Return the one event of a kind."""
    (event,) = [event for event in events if isinstance(event, kind)]
    return event
