"""Who is asked what, what it may do, and what is done for it when it is absent."""

from engine_service.rules.game import Move, Offer, Question, Seat
from engine_service.rules.tricks import playable

from .actions import Action, ChooseTrump, PlayCard
from .cards import SUIT_OF, SUITS, VALUE_OF, Card, Suit
from .state import TRICKS, TRUMP, State

_CHOICES = tuple(ChooseTrump(suit) for suit in SUITS)
_PLAYS = tuple(PlayCard(card) for card in range(len(SUIT_OF)))


def asked_seat(state: State) -> Seat | None:
    """Return the one seat that is asked, or None."""
    if state.phase is TRICKS:
        return (state.leader + len(state.plays)) % state.seats
    return state.trump_chooser if state.phase is TRUMP else None


def actors(state: State) -> tuple[Question, ...]:
    """Return the open question, if there is one."""
    seat = asked_seat(state)
    return () if seat is None else (Question(window=state.answered + 1, seat=seat),)


def led_suit(state: State) -> Suit | None:
    """Return the suit to follow in the trick being played; None before the lead."""
    return SUIT_OF[state.plays[0]] if state.plays else None


def legal_cards(state: State, seat: Seat) -> tuple[Card, ...]:
    """Return the cards that a seat may play to the trick when it is its turn. [CT 4.1-4.3]"""
    return playable(state.hands[seat], led_suit(state), SUIT_OF)


def offers(state: State, seat: Seat) -> tuple[Offer[Action], ...]:
    """Return all that a seat may do now: concrete actions, by suit and value."""
    if seat != asked_seat(state):
        return ()
    window = state.answered + 1
    if state.phase is TRUMP:
        return tuple([Offer(window, choice) for choice in _CHOICES])
    return tuple([Offer(window, _PLAYS[card]) for card in legal_cards(state, seat)])


def is_legal(state: State, move: Move[Action]) -> bool:
    """Return whether one of the offers made to the seat of a move permits it."""
    if move.seat != asked_seat(state) or move.window != state.answered + 1:
        return False
    if isinstance(move.action, PlayCard):
        return state.phase is TRICKS and move.action.card in legal_cards(state, move.seat)
    return state.phase is TRUMP and move.action.suit in SUITS


def permits(offer: Offer[Action], move: Move[Action]) -> bool:
    """Return whether an offer made to the seat of a move allows it."""
    return offer.window == move.window and offer.choice == move.action


def default(state: State, seat: Seat) -> Action:
    """Return what is done for an absent seat that is asked. [CT 9.1, 9.2]"""
    assert seat == asked_seat(state), "only a seat that is asked has a default"
    if state.phase is TRUMP:
        return ChooseTrump(_longest_suit(state.hands[seat]))
    return PlayCard(min(legal_cards(state, seat), key=lambda card: _cheapness(card, state.trump)))


def _longest_suit(hand: tuple[Card, ...]) -> Suit:
    held = [SUIT_OF[card] for card in hand]
    return max(SUITS, key=lambda suit: (held.count(suit), -suit))


def _cheapness(card: Card, trump: Suit | None) -> tuple[bool, int, Suit]:
    return SUIT_OF[card] == trump, VALUE_OF[card], SUIT_OF[card]
