"""How likely a card takes the trick it is played to, from what a seat sees now. No memory of turned tricks."""

from functools import reduce
from math import exp
from operator import mul

from engine_service.rules.game import Seat
from engine_service.rules.tricks import taking

from ..cards import CARDS_IN_PLAY, SUIT_OF, VALUE_OF, Card
from ..views import TrickView, View

_WILL_BEAT = 0.8
"""How often a seat that can beat a card does."""


def chance_to_take(seat: Seat, view: View, card: Card) -> float:
    """Return the chance from 0 to 1 that this seat takes the trick with a card."""
    assert view.trick is not None
    cards = [*(play.card for play in view.trick.plays), card]
    if taking(cards, view.trump, SUIT_OF, VALUE_OF) != len(cards) - 1:
        return 0.0
    seats = len(view.seats)
    after = [(seat + i) % seats for i in range(1, seats - len(cards) + 1)]
    unseen = _unseen(view, card)
    held = [_stays_under(cards[0], card, unseen, view.seats[other].hand_count, view.trump) for other in after]
    return reduce(mul, held, 1.0)


def _unseen(view: View, card: Card) -> set[Card]:
    """Return the cards that may still be in other hands, or lie turned, for all this seat sees."""
    gone = {card, *view.hand}
    for trick in (view.trick, view.last_trick):
        gone |= _cards(trick)
    for other in view.seats:
        gone |= set(other.open_cards)
    return set(CARDS_IN_PLAY[len(view.seats)]) - gone


def _cards(trick: TrickView | None) -> set[Card]:
    return set() if trick is None else {play.card for play in trick.plays}


def _stays_under(led: Card, card: Card, unseen: set[Card], hand: int, trump: int | None) -> float:
    """Return the chance that one later seat with this many cards does not beat a card. Holdings count as Poisson."""
    share = hand / max(1, len(unseen))
    higher = sum(SUIT_OF[other] == SUIT_OF[card] and VALUE_OF[other] > VALUE_OF[card] for other in unseen)
    of_led = sum(SUIT_OF[other] == SUIT_OF[led] for other in unseen)
    of_trump = sum(SUIT_OF[other] == trump for other in unseen)
    void = exp(-share * of_led)
    if SUIT_OF[card] == trump:
        free = 1.0 if SUIT_OF[led] == trump else void
        return 1 - _WILL_BEAT * free * (1 - exp(-share * higher))
    over = _WILL_BEAT * (1 - exp(-share * higher))
    ruff = _WILL_BEAT * void * (1 - exp(-share * of_trump))
    return (1 - over) * (1 - ruff)
