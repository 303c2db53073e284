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


def unknown_worth(view: View, owner: Seat) -> float:
    """Return what a card of another seat is worth on average: of its hand if that is shown, else of all cards that are
    neither the viewer's own nor discarded."""
    if view.shown is not None and view.shown.seat == owner:
        cards = view.shown.cards
        return sum(map(worth, cards)) / len(cards) if cards else 0.0
    gone = (*view.hand, *view.discards)
    left = [COPIES[kind] - gone.count(kind) for kind in KINDS]
    return sum(count * worth(kind) for kind, count in zip(KINDS, left, strict=True)) / max(1, sum(left))
