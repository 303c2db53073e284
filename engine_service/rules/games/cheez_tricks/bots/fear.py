"""What a round is worth to a seat, seen from the middle of it: expected tricks times expected points per trick.

Points per trick follow from how many of the three cats will have caught the seat. Each cat gets a chance to catch it;
where the seat can still steer, a low and a high one, and it is assumed to steer to the better side. So two captures and
a third within reach make a bot hunt the third, with no rule that says so.
"""

from itertools import product

from engine_service.rules.game import Seat

from ..captures import counted_cards
from ..cards import Card
from ..cats import (
    BlackCat,
    Counted,
    CountedTricks,
    GreyCat,
    Kind,
    OrangeCat,
    SiameseCat,
    TuxedoCat,
    WhiteCat,
)
from ..state import CatOnTable
from ..views import View

WORTH = (2, 1, 0, 3)
"""What a bot expects of a trick by the number of cats that caught it. The scoring service alone says what it is."""

Chances = tuple[float, ...]
"""The chances of a capture among which a seat can steer."""

_CAUGHT: Chances = (1.0,)
_SAFE: Chances = (0.0,)


def round_worth(seat: Seat, view: View, card: Card, takes: bool) -> float:
    """Return what the round is worth when this seat plays a card now and takes the trick, or does not."""
    tricks = view.seats[seat].tricks + takes
    left = view.seats[seat].hand_count - 1
    expected = tricks + left / len(view.seats)
    chances = [_chances(on_table, seat, view, card, takes) for on_table in view.cats]
    return expected * max(_points_per_trick(steered) for steered in product(*chances))


def _points_per_trick(chances: tuple[float, ...]) -> float:
    """Return the expected points per trick for independent chances of capture."""
    by_count = [1.0, 0.0, 0.0, 0.0]
    for chance in chances:
        by_count = [by_count[n] * (1 - chance) + (by_count[n - 1] * chance if n else 0.0) for n in range(4)]
    return sum(share * worth for share, worth in zip(by_count, WORTH, strict=True))


def _chances(on_table: CatOnTable, seat: Seat, view: View, card: Card, takes: bool) -> Chances:
    if on_table.decided:
        return _CAUGHT if seat in on_table.caught else _SAFE
    kind: Kind = on_table.cat.kind
    match kind:
        case BlackCat(trick=number):
            return _black(number, view, takes)
        case WhiteCat(tricks=number):
            return _white(number, seat, view, takes)
        case SiameseCat(card=wanted):
            return _siamese(wanted, view, card, takes)
        case TuxedoCat(tricks=number):
            return _tuxedo(number, seat, view, takes)
        case GreyCat(most=counted):
            return _compared(counted, seat, view, card, takes, most=True)
        case OrangeCat(least=counted):
            return _compared(counted, seat, view, card, takes, most=False)


def _black(number: int, view: View, takes: bool) -> Chances:
    assert view.trick is not None
    if view.trick.number == number:
        return _CAUGHT if takes else _SAFE
    return (0.1, 0.5)


def _white(number: int, seat: Seat, view: View, takes: bool) -> Chances:
    mine = view.seats[seat].tricks + takes
    if takes and mine == number:
        return _CAUGHT
    ahead = max(other.tricks for i, other in enumerate(view.seats) if i != seat) - mine
    if number - mine > view.seats[seat].hand_count - 1:
        return _SAFE
    return (0.1, 0.6) if ahead <= 0 else (0.05, 0.3)


def _siamese(wanted: Card, view: View, card: Card, takes: bool) -> Chances:
    assert view.trick is not None
    if wanted == card or any(play.card == wanted for play in view.trick.plays):
        return _CAUGHT if takes else _SAFE
    if wanted in view.hand:
        return (0.2, 0.7)
    yet_to_play = len(view.seats) - len(view.trick.plays) - 1
    return (0.15 + 0.05 * yet_to_play * takes, 0.4)


def _tuxedo(number: int, seat: Seat, view: View, takes: bool) -> Chances:
    mine, left = view.seats[seat].tricks + takes, view.seats[seat].hand_count - 1
    if mine > number or mine + left < number:
        return _SAFE
    if left == 0:
        return _CAUGHT
    missing = number - mine
    return (0.1, 0.6) if missing <= 1 + left / 2 else (0.05, 0.3)


def _compared(counted: Counted, seat: Seat, view: View, card: Card, takes: bool, most: bool) -> Chances:
    """Return the chances of owning the most (or least): from the lead over the nearest rival, the surer the later."""
    owned = [_owned(counted, i, view) for i in range(len(view.seats))]
    mine = owned[seat] + takes * _in_trick(counted, view, card)
    others = [count for i, count in enumerate(owned) if i != seat]
    lead = mine - max(others) if most else min(others) - mine
    done = 1 - (view.seats[seat].hand_count - 1) / view.tricks_in_round
    even = 1 / len(view.seats)
    chance = even + (0.5 - even) * done + lead * (0.15 + 0.3 * done)
    steer = 0.25 * (1 - done)
    return (min(1.0, max(0.0, chance - steer)), min(1.0, max(0.0, chance + steer)))


def _owned(counted: Counted, seat: Seat, view: View) -> float:
    """Return how much a seat owns: exactly where it shows, else as its share of tricks suggests."""
    if isinstance(counted, CountedTricks):
        return view.seats[seat].tricks
    open_cards = sum(card in counted_cards(counted) for card in view.seats[seat].open_cards)
    return open_cards or 0.25 * view.seats[seat].tricks


def _in_trick(counted: Counted, view: View, card: Card) -> float:
    assert view.trick is not None
    if isinstance(counted, CountedTricks):
        return 1
    return sum(other in counted_cards(counted) for other in [card, *(play.card for play in view.trick.plays)])
