"""A bot that counts on its cards: it vetoes weak packets and now and then bluffs about them, bids as far as its hand
should reach, wants every trick that it can take cheaply, and accuses whoever can hardly have been without a suit.

It never reneges. What it leaves to chance is whether to bluff and to knock, so that neither can be read from it.
"""

from collections.abc import Callable

from engine_service.rules.game import Move, Offer, Seat
from engine_service.rules.shuffle import picked

from ..actions import (
    FULL_COURT,
    Accuse,
    Action,
    Choice,
    Declare,
    Done,
    Knock,
    LeaveSplit,
    MayAccuse,
    MayDeclare,
    MayPlay,
    MayRaise,
    Pass,
    PlayCard,
    Raise,
    Vote,
)
from ..cards import FOOL, SUIT_OF, SUITS, VALUE_OF, Card, ranks
from ..state import Phase
from ..views import View
from .odds import chance_of_void, chance_to_take, did_not_follow, holds_highest_trump
from .strength import expected_tricks, promise

Offers = tuple[Offer[Choice], ...]

_WEAK = 0.8
"""A packet that promises less of its share of the tricks is vetoed."""
_SURE = 0.03
"""Whoever did not follow with less than this chance of a void is accused."""
_MARGIN = 0.5
"""Tricks that a bid stays below what the hand should take."""
_KEEP = 0.03
"""What a higher card in the hand is worth, in tricks a rank: breaks ties towards the cheaper card."""


def careful(seat: Seat, view: View, offers: Offers, chance: bytes) -> Move[Action]:
    """Return what it thinks best."""
    action = _CHOOSE[view.phase](seat, view, offers, chance)
    return Move(seat, 0 if isinstance(action, Knock | Accuse) else _window(offers), action)


def _window(offers: Offers) -> int:
    return max(offer.window for offer in offers)


def _vote(seat: Seat, view: View, offers: Offers, chance: bytes) -> Action:
    average = len(view.hand) / len(view.seats)
    weak = promise(view.hand, view.maternal_suits) < _WEAK * average
    if weak and _may(offers, Vote(veto=True)):
        return Vote(veto=True)
    said = any(declared.seat == seat for declared in view.declarations)
    if not said and (declaration := _declaration(view, offers, chance, bluff=weak)) is not None:
        return declaration
    return Vote(veto=False)


def _declaration(view: View, offers: Offers, chance: bytes, bluff: bool) -> Declare | None:
    """Return what to say, now and then: a whole court where there is none, to have others veto; else the truth."""
    if picked(3, chance, "declare") != 0:
        return None
    left = next((offer.choice.declarations for offer in offers if isinstance(offer.choice, MayDeclare)), ())
    if bluff:
        wanted = [Declare(FULL_COURT, suit) for suit in SUITS]
    else:
        wanted = [declared for declared in left if _is_true(declared, view.hand)]
    return wanted[picked(len(wanted), chance, "which")] if wanted and wanted[0] in left else None


_HELD = {1: {11, 12, 13, 14}, 3: {13, 14}, 4: {11, 12}, 5: {11, 13}, 6: {12, 14}}
"""The court cards of each phrase; a family of three is any three."""


def _is_true(declared: Declare, hand: tuple[Card, ...]) -> bool:
    court = {VALUE_OF[card] for card in hand if SUIT_OF[card] == declared.suit and VALUE_OF[card] > 10}
    wanted = _HELD.get(declared.phrase)
    return len(court) == 3 if wanted is None else wanted <= court


def _bid(seat: Seat, view: View, offers: Offers, chance: bytes) -> Action:
    """Raise by one while that promises more than passing now: later passes are worth more, higher bids cost tricks."""
    expected = expected_tricks(view.hand, view.trump, view.maternal_suits) - _MARGIN
    place = 1 + sum(other.passed_as > 0 for other in view.seats)
    raises = next((offer.choice for offer in offers if isinstance(offer.choice, MayRaise)), None)
    if raises is None or place == len(view.seats):  # Alone: a raise of its own would only cost tricks.
        return Pass()
    by_passing = (expected - view.seats[seat].bid) * place
    by_raising = (expected - raises.least) * (place + 1)
    return Raise(raises.least) if raises.least < expected and by_raising > by_passing else Pass()


def _play(seat: Seat, view: View, offers: Offers, chance: bytes) -> Action:
    if (accusation := _suspicion(seat, view, offers)) is not None:
        return accusation
    knock = next((offer.choice for offer in offers if isinstance(offer.choice, Knock)), None)
    if knock is not None and picked(4 if holds_highest_trump(view) else 40, chance, "knock") == 0:
        return knock
    honest = [offer.choice.card for offer in offers if isinstance(offer.choice, MayPlay) and not offer.choice.reneges]
    return PlayCard(max(honest, key=lambda card: _worth(seat, view, card)))


def _worth(seat: Seat, view: View, card: Card) -> float:
    """Return what a card promises: the trick, less what it would still be good for."""
    rank = ranks(view.maternal_suits)[card] + (6 if SUIT_OF[card] == view.trump else 0)
    kept = 2 if card == FOOL else rank
    return chance_to_take(seat, view, card) - _KEEP * kept


def _suspicion(seat: Seat, view: View, offers: Offers) -> Accuse | None:
    """Return whom to accuse of what lies open, if anyone."""
    plays = next((offer.choice.plays for offer in offers if isinstance(offer.choice, MayAccuse)), ())
    for trick in (view.trick, view.last_trick):
        for other in did_not_follow(trick) if trick is not None else ():
            assert trick is not None
            accusation = Accuse(view.round, trick.number, other)
            if accusation in plays and chance_of_void(other, view, trick) < _SURE:
                return accusation
    return None


def _last(seat: Seat, view: View, offers: Offers, chance: bytes) -> Action:
    return _suspicion(seat, view, offers) or Done()


def _split(seat: Seat, view: View, offers: Offers, chance: bytes) -> Action:
    return LeaveSplit()


def _may(offers: Offers, choice: Choice) -> bool:
    return any(offer.choice == choice for offer in offers)


_CHOOSE: dict[Phase, Callable[[Seat, View, Offers, bytes], Action]] = {
    Phase.VOTE: _vote,
    Phase.BID: _bid,
    Phase.TRICKS: _play,
    Phase.LAST_QUESTION: _last,
    Phase.SPLIT: _split,
}
