"""What happens in a game, as the log keeps it. Fields may be secret; `projection.seen` says what anyone is told."""

from msgspec import Struct

from engine_service.rules.game import RoundEnded, Seat

from .cards import Card, Cards
from .facts import RoundFacts
from .options import Options
from .state import Kept, SeatScore


class GameStarted(Struct, frozen=True, tag=True, gc=False):
    """The game began. `seed` is secret until it is over."""

    options: Options
    seats: int
    goal: int
    dealer: Seat
    seed: bytes
    commitment: bytes


class CardsDealt(Struct, frozen=True, tag=True, gc=False):
    """Cards were dealt: a hand is its seat's secret, the draw pile (from the top) everyone's."""

    hands: tuple[Cards, ...]
    draw_pile: Cards


class TurnStarted(Struct, frozen=True, tag=True, gc=False):
    """A seat is to play. `turn` counts from 1."""

    turn: int
    seat: Seat


class CardDrawn(Struct, frozen=True, tag=True, gc=False):
    """A seat drew the top card."""

    seat: Seat
    card: Card
    by_engine: bool = False


class MiragesPlayed(Struct, frozen=True, tag=True, gc=False):
    """A seat made another show its hand."""

    seat: Seat
    cards: Cards
    target: Seat
    shown: Cards


class ThiefPlayed(Struct, frozen=True, tag=True, gc=False):
    """A seat stole a card."""

    seat: Seat
    target: Seat
    card: Card


class GraterPlayed(Struct, frozen=True, tag=True, gc=False):
    """A seat looked at cards of another; they are in the draw pile, which is now this, from the top."""

    seat: Seat
    target: Seat
    cards: Cards
    draw_pile: Cards


class GiftPlayed(Struct, frozen=True, tag=True, gc=False):
    """A seat gave a Cat away."""

    seat: Seat
    target: Seat


class CatPlayed(Struct, frozen=True, tag=True, gc=False):
    """A seat played a Cat: the reaction window is open."""

    seat: Seat


class LastDropCalled(Struct, frozen=True, tag=True, gc=False):
    """A seat wanted to draw and there was nothing: the reaction window is open, for the last time."""

    seat: Seat
    by_engine: bool = False


class ReactionTimeEnded(Struct, frozen=True, tag=True, gc=False):
    """The least reaction time is over: who has dropped has finished."""


class VaultPlayed(Struct, frozen=True, tag=True, gc=False):
    """A seat played a Cheese Vault and chooses what to keep, or wasted it."""

    seat: Seat
    wasted: bool


class DecoyPlayed(Struct, frozen=True, tag=True, gc=False):
    """A seat played a Decoy: all cards are back in the hands they came from. Or it was wasted."""

    seat: Seat
    wasted: bool


class CardsDropped(Struct, frozen=True, tag=True, gc=False):
    """A seat dropped cards: these, by place. What it kept in a Cheese Vault is `kept`, None without one."""

    seat: Seat
    cards: Cards
    kept: Cards | None = None
    by_engine: bool = False


class CollectionStarted(Struct, frozen=True, tag=True, gc=False):
    """The reaction window is closed; cards lie on the table, and a seat takes first."""

    seat: Seat


class CardTaken(Struct, frozen=True, tag=True, gc=False):
    """A seat took a dropped card, of its own or another's."""

    seat: Seat
    owner: Seat
    place: int
    card: Card
    by_engine: bool = False


class HandsCounted(Struct, frozen=True, tag=True, gc=False):
    """The game is decided: all hands lie open; scores are awaited."""

    hands: tuple[Cards, ...]
    facts: RoundFacts


class ResultRecorded(Struct, frozen=True, tag=True, gc=False):
    """The scores came, by seat."""

    score: tuple[SeatScore, ...]


class GameRevealed(Struct, frozen=True, tag=True, gc=False):
    """Everything secret is opened: the seed, what it dealt, and what was kept in Cheese Vaults, in that order.

    With the events that everyone was told, all else follows.
    """

    seed: bytes
    hands: tuple[Cards, ...]
    draw_pile: Cards
    kept: tuple[Kept, ...]


class GameEnded(Struct, frozen=True, tag=True, gc=False):
    """The game is over. Places by seat, from 1; equal places are shared."""

    places: tuple[int, ...]


Event = (
    GameStarted
    | CardsDealt
    | TurnStarted
    | CardDrawn
    | MiragesPlayed
    | ThiefPlayed
    | GraterPlayed
    | GiftPlayed
    | CatPlayed
    | LastDropCalled
    | ReactionTimeEnded
    | VaultPlayed
    | DecoyPlayed
    | CardsDropped
    | CollectionStarted
    | CardTaken
    | HandsCounted
    | ResultRecorded
    | GameRevealed
    | GameEnded
)


def round_ended(event: Event) -> RoundEnded | None:
    """Return the facts of the game's one round if this event ends it."""
    return RoundEnded(round=1, last=True, facts=event.facts) if isinstance(event, HandsCounted) else None
