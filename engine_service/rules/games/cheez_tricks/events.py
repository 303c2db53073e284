"""What happens in a game, as the log keeps it. Fields may be secret; `projection.seen` says what anyone is told."""

from msgspec import Struct

from engine_service.rules.game import RoundEnded, Seat

from .cards import Card, Suit
from .cats import Cat
from .facts import RoundFacts
from .options import Options
from .state import RoundScore


class GameStarted(Struct, frozen=True, tag=True, gc=False):
    """The game began. `key` is secret for ever."""

    options: Options
    seats: int
    rounds: int
    key: bytes


class RoundStarted(Struct, frozen=True, tag=True, gc=False):
    """A round began: cats lie open. `cat_places` and `discards` are places in the deck of cats."""

    round: int
    starter: Seat
    trump_chooser: Seat | None
    cats: tuple[Cat, ...]
    cat_places: tuple[int, ...]
    discards: tuple[int, ...]
    commitment: bytes


class CardsDealt(Struct, frozen=True, tag=True, gc=False):
    """Cards were dealt. Until the round is scored a hand is its seat's secret, the rest nobody's to see."""

    hands: tuple[tuple[Card, ...], ...]
    set_aside: tuple[Card, ...]
    seed: bytes


class TrumpSet(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """Trump is known: drawn when `seat` is None, else chosen by it, or by the engine in its place."""

    suit: Suit
    seat: Seat | None = None
    by_engine: bool = False


class CardPlayed(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """A card was played, by its seat or by the engine in its place."""

    seat: Seat
    card: Card
    by_engine: bool = False


class TrickWon(Struct, frozen=True, tag=True, gc=False):
    """A trick is complete. `trick` counts from 1."""

    trick: int
    seat: Seat


class CatDecided(Struct, frozen=True, tag=True, gc=False):
    """A cat caught its seats (clockwise from the round's starter), or nobody."""

    cat_index: int
    seats: tuple[Seat, ...]


class RoundPlayed(Struct, frozen=True, tag=True, gc=False):
    """The last trick of a round was played; scores are awaited."""

    round: int
    last: bool
    facts: RoundFacts


class RoundScored(Struct, frozen=True, tag=True, gc=False):
    """The scores of a round came."""

    score: RoundScore
    totals: tuple[int, ...]


class DealRevealed(Struct, frozen=True, tag=True, gc=False):
    """The deal of a scored round is opened: what was dealt, and the seed that its commitment bound."""

    round: int
    seed: bytes
    hands: tuple[tuple[Card, ...], ...]
    set_aside: tuple[Card, ...]


class GameEnded(Struct, frozen=True, tag=True, gc=False):
    """The game is over. Places by seat, from 1; equal places are shared."""

    places: tuple[int, ...]


Event = (
    GameStarted
    | RoundStarted
    | CardsDealt
    | TrumpSet
    | CardPlayed
    | TrickWon
    | CatDecided
    | RoundPlayed
    | RoundScored
    | DealRevealed
    | GameEnded
)


def round_ended(event: Event) -> RoundEnded | None:
    """Return the facts of a round if this event ends one."""
    return RoundEnded(event.round, event.last, event.facts) if isinstance(event, RoundPlayed) else None
