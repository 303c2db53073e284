"""Tricks with a fool among the cards: what must be followed, who takes them, and what is a renege. [CHT 5, 6]"""

from collections.abc import Sequence

from engine_service.rules.game import Seat
from engine_service.rules.tricks import playable, taking

from .cards import FOOL, SUIT_OF, Card, Suit
from .seating import after
from .state import State, Trick


def led_suit(cards: Sequence[Card]) -> Suit | None:
    """Return the suit to follow: that of the first card that is not the fool; None before there is one. [CHT 5.6]"""
    for card in cards:
        if card != FOOL:
            return SUIT_OF[card]
    return None


def following(hand: tuple[Card, ...], trick: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards of a hand that follow the rules: the suit led, or any without it, and the fool always."""
    if FOOL not in hand:
        return playable(hand, led_suit(trick), SUIT_OF)
    others = tuple([card for card in hand if card != FOOL])
    return (*playable(others, led_suit(trick), SUIT_OF), FOOL)


def winner(leader: Seat, cards: Sequence[Card], trump: Suit | None, rank_of: Sequence[int], seats: int) -> Seat:
    """Return who takes a trick; the fool never does. [CHT 5.4-5.6]"""
    contenders = [i for i, card in enumerate(cards) if card != FOOL]
    best = taking([cards[i] for i in contenders], trump, SUIT_OF, rank_of)
    return after(leader, seats, contenders[best])


def card_of_seat(trick: Trick, seat: Seat) -> Card:
    """Return what a seat played to a complete trick."""
    return trick.cards[(trick.leader - seat) % len(trick.cards)]


def tricks_so_far(state: State) -> tuple[tuple[Seat, tuple[Card, ...]], ...]:
    """Return (leader, cards) of every trick of the round, the one being played included, by number."""
    complete = tuple([(trick.leader, trick.cards) for trick in state.tricks])
    return (*complete, (state.leader, state.plays)) if state.plays else complete


def held_after(state: State, number: int, seat: Seat) -> tuple[Card, ...]:
    """Return what a seat still held after it played to a trick."""
    later = [card_of_seat(trick, seat) for trick in state.tricks[number:]]
    if len(state.tricks) >= number and (position := (state.leader - seat) % state.seats) < len(state.plays):
        later.append(state.plays[position])
    return (*state.hands[seat], *later)


def reneged(state: State, number: int, seat: Seat) -> bool:
    """Return whether a seat's play to a trick was a renege: neither the suit led nor the fool, with the suit led still
    in its hand. [CHT 6.2]"""
    leader, cards = tricks_so_far(state)[number - 1]
    position = (leader - seat) % state.seats
    card, led = cards[position], led_suit(cards[: position + 1])
    if card == FOOL or SUIT_OF[card] == led:
        return False
    return any(SUIT_OF[held] == led for held in held_after(state, number, seat))
