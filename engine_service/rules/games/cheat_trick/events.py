"""What happens in a game, as the log keeps it. Fields may be secret; `projection.seen` says what anyone is told."""

from msgspec import Struct

from engine_service.rules.game import RoundEnded, Seat

from .cards import Card, Suit
from .facts import RoundFacts
from .options import Options
from .state import RoundScore, VetoedDeal


class GameStarted(Struct, frozen=True, tag=True, gc=False):
    """The game began. `key` is secret for ever."""

    options: Options
    seats: int
    rounds: int
    key: bytes


class RoundStarted(Struct, frozen=True, tag=True, gc=False):
    """A round began. `first` votes, bids and leads first."""

    round: int
    dealer: Seat
    first: Seat


class PacketDealt(Struct, frozen=True, tag=True, gc=False):
    """The first packets were dealt. Hands are their seats' secrets, the pack and the seed nobody's to see."""

    deal: int
    commitment: bytes
    seed: bytes
    hands: tuple[tuple[Card, ...], ...]
    pack: tuple[Card, ...]


class Declared(Struct, frozen=True, tag=True, gc=False):
    """A seat said what it holds, truly or not."""

    seat: Seat
    phrase: int
    suit: Suit


class Voted(Struct, frozen=True, tag=True, gc=False):
    """A seat voted, or the engine in its place. A veto ends the deal."""

    seat: Seat
    veto: bool
    by_engine: bool = False


class DealCompleted(Struct, frozen=True, tag=True, gc=False):
    """The rest of the pack was dealt. Whole hands; face up lies one card, or with three players one of each hand."""

    hands: tuple[tuple[Card, ...], ...]
    turned_up: Card | None
    open_cards: tuple[Card, ...]
    trump: Suit | None


class BidRaised(Struct, frozen=True, tag=True, gc=False):
    """A seat raised the bid."""

    seat: Seat
    tricks: int


class Passed(Struct, frozen=True, tag=True, gc=False):
    """A seat passed; by the engine if it is absent, or could do nothing else."""

    seat: Seat
    by_engine: bool = False


class BiddingEnded(Struct, frozen=True, tag=True, gc=False):
    """Everybody passed."""

    bids: tuple[int, ...]
    pass_order: tuple[Seat, ...]


class CardPlayed(Struct, frozen=True, tag=True, gc=False):
    """A card was played, by its seat or by the engine in its place. That it is a renege stands nowhere."""

    seat: Seat
    card: Card
    by_engine: bool = False


class TrickWon(Struct, frozen=True, tag=True, gc=False):
    """A trick is complete. `trick` counts from 1."""

    trick: int
    seat: Seat


class Knocked(Struct, frozen=True, tag=True, gc=False):
    """A seat said that it holds the highest trump that is not out, truly or not. `trick` is the one it belongs to."""

    trick: int
    seat: Seat


class AccusationMade(Struct, frozen=True, tag=True, gc=False):
    """A play was accused, and everyone sees whether rightly."""

    accuser: Seat
    seat: Seat
    trick: int
    right: bool


class LastQuestionAsked(Struct, frozen=True, tag=True, gc=False):
    """All tricks are played; whoever may accuse is asked a last time."""


class AccusingDone(Struct, frozen=True, tag=True, gc=False):
    """A seat accuses nobody any more this round."""

    seat: Seat
    by_engine: bool = False


class TricksSettled(Struct, frozen=True, tag=True, gc=False):
    """Accusations are over and moved their tricks. `gave` is by accusation, `tricks` what each seat has then."""

    tricks: tuple[int, ...]
    gave: tuple[bool, ...]


class SplitsAsked(Struct, frozen=True, tag=True, gc=False):
    """Teams are asked which tricks count for whom."""


class SplitLeft(Struct, frozen=True, tag=True, gc=False):
    """A seat leaves the split to its partner."""

    seat: Seat
    by_engine: bool = False


class TricksSplit(Struct, frozen=True, tag=True, gc=False):
    """A team's tricks are split. `seat` said so; it is None where only one split was possible, and where nothing was
    said: then `tricks` is empty."""

    team: int
    tricks: tuple[int, ...]
    seat: Seat | None = None


class RoundPlayed(Struct, frozen=True, tag=True, gc=False):
    """A round is over; scores are awaited."""

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
    deal: int
    seed: bytes
    hands: tuple[tuple[Card, ...], ...]
    turned_up: Card | None


class VetoedDealsRevealed(Struct, frozen=True, tag=True, gc=False):
    """The vetoed deals of the game are opened by their seeds."""

    deals: tuple[VetoedDeal, ...]


class GameEnded(Struct, frozen=True, tag=True, gc=False):
    """The game is over. Places by seat, from 1; equal places are shared."""

    places: tuple[int, ...]


Event = (
    GameStarted
    | RoundStarted
    | PacketDealt
    | Declared
    | Voted
    | DealCompleted
    | BidRaised
    | Passed
    | BiddingEnded
    | CardPlayed
    | TrickWon
    | Knocked
    | AccusationMade
    | LastQuestionAsked
    | AccusingDone
    | TricksSettled
    | SplitsAsked
    | SplitLeft
    | TricksSplit
    | RoundPlayed
    | RoundScored
    | DealRevealed
    | VetoedDealsRevealed
    | GameEnded
)


def round_ended(event: Event) -> RoundEnded | None:
    """Return the facts of a round if this event ends one."""
    return RoundEnded(event.round, event.last, event.facts) if isinstance(event, RoundPlayed) else None
