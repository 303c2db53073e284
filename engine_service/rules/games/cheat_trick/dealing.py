"""How a game, each of its rounds and each of their deals begin. All chance of the game is here. [CHT 2]

Each deal's seed derives from the game's secret key; what is drawn from a seed has a label of its own, so that any part
of a deal can be checked alone: "cards", "dealer". A shuffled pack is dealt from its top: first packets by seat, second
packets by seat, and what is left face up.
"""

from functools import reduce

from engine_service.rules.shuffle import commitment, derived, picked, shuffled

from .cards import FOOL, PACK, PACKET_SIZE, PLAYER_COUNTS, ROUNDS, SUIT_OF, Card
from .events import DealCompleted, Event, GameStarted, PacketDealt, RoundStarted
from .evolve import evolve
from .options import Options
from .seating import after
from .state import State

MOST_DEALS = 6
"""The last of so many deals of a round is played without a vote. [CHT 3.5]"""

Hands = tuple[tuple[Card, ...], ...]


def setup(options: Options, seats: int, seed: bytes) -> tuple[Event, ...]:
    """Return the first events of a game: options that `check_options` allows, seed of 32 bytes."""
    dealer = picked(seats, _seed(seed, 1, 1), "dealer") if options.dealer is None else options.dealer
    started: tuple[Event, ...] = (
        GameStarted(options, seats, ROUNDS[seats], key=seed),
        RoundStarted(round=1, dealer=dealer, first=after(dealer, seats)),
    )
    state: State = reduce(evolve, started[1:], evolve(None, started[0]))
    return (*started, *next_deal(state))


def next_round(state: State) -> tuple[Event, ...]:
    """Return the events that begin the next round, after a scored one; the deal passes to the right."""
    dealer = after(state.dealer, state.seats)
    started = RoundStarted(round=state.round + 1, dealer=dealer, first=after(dealer, state.seats))
    return (started, *next_deal(evolve(state, started)))


def next_deal(state: State) -> tuple[Event, ...]:
    """Return the events of a new deal: up to the vote, or the whole of it where nobody votes. [CHT 3.5, 3.7]"""
    number, size = state.deal + 1, PACKET_SIZE[state.seats]
    seed = _seed(state.key, state.round, number)
    cards = shuffled(PACK, seed, "cards")
    hands = _packets(cards, state.seats, size)
    dealt = PacketDealt(number, commitment(seed), seed, hands, pack=cards[state.seats * size :])
    if state.options.simplified or number == MOST_DEALS:
        return (dealt, rest_of_deal(evolve(state, dealt)))
    return (dealt,)


def rest_of_deal(state: State) -> DealCompleted:
    """Return how the pack is dealt to its end. [CHT 2.2-2.4]"""
    size, seats = PACKET_SIZE[state.seats], state.seats
    second, left = _packets(state.pack, seats, size), state.pack[seats * size :]
    if seats == min(PLAYER_COUNTS):
        trump_card = left[state.dealer]
        hands, turned_up, open_cards = _joined(second, tuple((card,) for card in left)), None, left
    else:
        (trump_card,) = left
        hands, turned_up, open_cards = second, trump_card, ()
    trump = None if trump_card == FOOL else SUIT_OF[trump_card]
    return DealCompleted(_joined(state.hands, hands), turned_up, open_cards, trump)


def _seed(key: bytes, round_number: int, deal: int) -> bytes:
    return derived(key, f"deal/{round_number}/{deal}")


def _packets(cards: tuple[Card, ...], seats: int, size: int) -> Hands:
    return tuple(tuple(sorted(cards[seat * size : (seat + 1) * size])) for seat in range(seats))


def _joined(hands: Hands, more: Hands) -> Hands:
    return tuple(tuple(sorted((*hand, *others))) for hand, others in zip(hands, more, strict=True))
