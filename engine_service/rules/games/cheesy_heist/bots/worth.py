"""What cards are worth to have, known ones and unknown ones."""

from engine_service.rules.game import Seat

from ..cards import CARD_NAMES, CAT, COPIES, KINDS, Card, Cards
from ..views import View

_WORTH = (4.0, 1.5, 1.5, 1.0, 0.8, 0.6, 0.3, 0.3, 0.3, -3.0)
"""By kind."""
assert len(_WORTH) == len(CARD_NAMES)


def worth(card: Card | None) -> float:
    """Return what a card is worth to have."""
    return 0.0 if card is None else _WORTH[card]


def hand_worth(cards: Cards) -> float:
    """Return what cards are worth together; Cats are worth nothing, for one is as bad as many."""
    return sum(worth(card) for card in cards if card != CAT)


def shown_hand(view: View, owner: Seat) -> Cards | None:
    """Return the hand of a seat as a Mirage set of this turn showed it last; None if none did."""
    return next((shown.cards for shown in reversed(view.shown) if shown.seat == owner), None)


def unknown_worth(view: View, owner: Seat) -> float:
    """Return what a card of another seat is worth on average: of its hand if that is shown, else of all cards that are
    neither the viewer's own nor discarded."""
    cards = shown_hand(view, owner)
    if cards is not None:
        return sum(map(worth, cards)) / len(cards) if cards else 0.0
    gone = (*view.hand, *view.discards)
    left = [COPIES[kind] - gone.count(kind) for kind in KINDS]
    return sum(count * worth(kind) for kind, count in zip(KINDS, left, strict=True)) / max(1, sum(left))
