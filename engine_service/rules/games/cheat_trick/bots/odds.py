"""What a seat can tell of cards it does not see. No memory of turned tricks."""

from engine_service.rules.game import Seat

from ..cards import FOOL, PACK, SUIT_OF, Card, ranks
from ..following import led_suit, winner
from ..views import TrickView, View


def unseen(view: View) -> set[Card]:
    """Return the cards that may be in other hands, or lie turned, for all this seat sees."""
    gone = {*view.hand, *(seat.open_card for seat in view.seats), view.turned_up}
    for trick in (view.trick, view.last_trick):
        gone |= {play.card for play in trick.plays} if trick is not None else set()
    return set(PACK) - gone


def chance_to_take(seat: Seat, view: View, card: Card) -> float:
    """Return the chance from 0 to 1 that this seat takes the trick with a card."""
    assert view.trick is not None
    seats, rank_of = len(view.seats), ranks(view.maternal_suits)
    cards = (*[play.card for play in view.trick.plays], card)
    leader = view.trick.plays[0].seat if view.trick.plays else seat
    if card == FOOL or winner(leader, cards, view.trump, rank_of, seats) != seat:
        return 0.0
    to_come = seats - len(cards)
    hidden, led = unseen(view), led_suit(cards)
    share = sum(view.seats[i].hand_count for i in range(seats) if i != seat) / max(1, len(hidden))
    better = sum(SUIT_OF[other] == SUIT_OF[card] and rank_of[other] > rank_of[card] for other in hidden)
    trumps = sum(SUIT_OF[other] == view.trump for other in hidden) if led != view.trump else 0
    threats = better + 0.25 * trumps * (SUIT_OF[card] != view.trump)
    return float((1 - share * to_come / (seats - 1) * 0.9) ** threats) if to_come else 1.0


def chance_of_void(seat: Seat, view: View, trick: TrickView) -> float:
    """Return the chance from 0 to 1 that a seat that did not follow to a trick had none of the suit led."""
    led = led_suit([play.card for play in trick.plays])
    hidden = unseen(view)
    of_led = sum(SUIT_OF[card] == led for card in hidden)
    return float((1 - view.seats[seat].hand_count / max(1, len(hidden))) ** of_led)


def did_not_follow(trick: TrickView) -> tuple[Seat, ...]:
    """Return who played neither the suit led nor the fool."""
    led = led_suit([play.card for play in trick.plays])
    return tuple(play.seat for play in trick.plays if play.card != FOOL and SUIT_OF[play.card] != led)


def holds_highest_trump(view: View) -> bool:
    """Return whether the highest trump that can still be played, for all this seat sees, is in its own hand."""
    rank_of = ranks(view.maternal_suits)
    trumps = [card for card in {*unseen(view), *view.hand} if SUIT_OF[card] == view.trump]
    return bool(trumps) and max(trumps, key=lambda card: rank_of[card]) in view.hand
