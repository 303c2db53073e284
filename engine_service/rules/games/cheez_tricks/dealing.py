"""How a game and each of its rounds begin. All chance of the game is here. [CT 1, 2, 3, 5]

Each round's seed derives from the game's secret key; what is drawn from a seed has a label of its own, so that any part
of a deal can be checked alone: "cards", "cats", "trump", "starter".
"""

from engine_service.rules.game import Seat
from engine_service.rules.shuffle import commitment, derived, picked, shuffled

from .cards import CARDS_IN_PLAY, HAND_SIZE, ROUNDS, SUITS
from .check import CATS_ON_TABLE
from .deck import deck_of, fitting
from .events import CardsDealt, Event, GameStarted, RoundStarted, TrumpSet
from .options import Options
from .state import State


def setup(options: Options, seats: int, seed: bytes) -> tuple[Event, ...]:
    """Return the first events of a game: options that `check_options` allows, seed of 32 bytes."""
    first = derived(seed, "deal/1")
    starter = picked(seats, first, "starter") if options.starting_seat is None else options.starting_seat
    return (
        GameStarted(options=options, seats=seats, rounds=ROUNDS[seats], key=seed),
        _round_started(options, seats, first, number=1, starter=starter, chooser=None, discards=()),
        _cards_dealt(seats, first),
        TrumpSet(suit=SUITS[picked(len(SUITS), first, "trump")]),
    )


def next_round(state: State) -> tuple[Event, ...]:
    """Return the events that begin the next round, after a scored one."""
    number = state.round + 1
    seed = derived(state.key, f"deal/{number}")
    starter = (state.starter + 1) % state.seats
    chooser = trump_chooser(state.totals, starter)
    discards = (*state.discards, *state.cat_places)
    return (
        _round_started(state.options, state.seats, seed, number, starter, chooser, discards),
        _cards_dealt(state.seats, seed),
    )


def trump_chooser(totals: tuple[int, ...], starter: Seat) -> Seat:
    """Return who has the fewest points; of those that tie, the farthest clockwise from the starter. [CT 3.2, 3.3]"""
    fewest, seats = min(totals), len(totals)
    tied = [seat for seat in range(seats) if totals[seat] == fewest]
    return max(tied, key=lambda seat: (seat - starter) % seats)


def _round_started(
    options: Options,
    seats: int,
    seed: bytes,
    number: int,
    starter: Seat,
    chooser: Seat | None,
    discards: tuple[int, ...],
) -> RoundStarted:
    deck = deck_of(options)
    pile = tuple(i for i in fitting(deck, seats, options.level) if i not in discards)
    if len(pile) < CATS_ON_TABLE:  # [CT 5.6]
        pile, discards = fitting(deck, seats, options.level), ()
    drawn = shuffled(pile, seed, "cats")[:CATS_ON_TABLE]
    return RoundStarted(
        round=number,
        starter=starter,
        trump_chooser=chooser,
        cats=tuple(deck[i] for i in drawn),
        cat_places=drawn,
        discards=discards,
        commitment=commitment(seed),
    )


def _cards_dealt(seats: int, seed: bytes) -> CardsDealt:
    cards, size = shuffled(CARDS_IN_PLAY[seats], seed, "cards"), HAND_SIZE[seats]
    hands = tuple(tuple(sorted(cards[seat * size : (seat + 1) * size])) for seat in range(seats))
    return CardsDealt(hands=hands, set_aside=tuple(sorted(cards[seats * size :])), seed=seed)
