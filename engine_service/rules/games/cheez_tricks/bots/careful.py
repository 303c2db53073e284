"""A bot that wants tricks and minds the cats: it plays the card that promises most points for the round.

What a card promises is: chance to take the trick, times what the round is worth with it, plus the same without it. A
round is worth tricks times points per trick, and that depends on how many cats will have caught the seat.
"""

from engine_service.rules.game import Move, Offer, Seat

from ..actions import Action, ChooseTrump, PlayCard
from ..cards import SUIT_OF, VALUE_OF, Card, Suit
from ..state import TRICKS
from ..views import View
from .fear import round_worth
from .odds import chance_to_take

_KEEP = 0.04
"""What a high card in the hand is worth, in points a value: breaks ties towards the cheaper card."""
_TRUMP_VALUE = 6


def careful(seat: Seat, view: View, offers: tuple[Offer[Action], ...], chance: bytes) -> Move[Action]:
    """Return the offer that promises most; the first of those that tie. Needs no chance."""
    best = max(offers, key=lambda offer: _promise(seat, view, offer.choice))
    return Move(seat, best.window, best.choice)


def _promise(seat: Seat, view: View, choice: Action) -> float:
    if isinstance(choice, ChooseTrump):
        return _as_trump(view.hand, choice.suit)
    assert isinstance(choice, PlayCard) and view.phase is TRICKS
    takes = chance_to_take(seat, view, choice.card)
    with_it = round_worth(seat, view, choice.card, takes=True)
    without = round_worth(seat, view, choice.card, takes=False)
    return takes * with_it + (1 - takes) * without - _KEEP * _strength(choice.card, view.trump)


def _as_trump(hand: tuple[Card, ...], suit: Suit) -> float:
    """Return how much a suit promises as trump: its length counts most, then its high cards."""
    return sum(1 + VALUE_OF[card] / 10 for card in hand if SUIT_OF[card] == suit)


def _strength(card: Card, trump: Suit | None) -> int:
    return VALUE_OF[card] + _TRUMP_VALUE * (SUIT_OF[card] == trump)
