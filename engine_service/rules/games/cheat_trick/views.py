"""What a viewer gets of a game: only these, never a part of the state that holds more than they name."""

from msgspec import Struct

from engine_service.rules.game import Seat

from .cards import Card, Suit
from .events import (
    AccusationMade,
    AccusingDone,
    BiddingEnded,
    BidRaised,
    CardPlayed,
    DealRevealed,
    Declared,
    GameEnded,
    Knocked,
    LastQuestionAsked,
    Passed,
    RoundScored,
    RoundStarted,
    SplitLeft,
    SplitsAsked,
    TricksSettled,
    TricksSplit,
    TrickWon,
    VetoedDealsRevealed,
    Voted,
)
from .state import Accusation, Call, Declaration, KnockMade, Phase, RoundScore, TeamSplit


class Play(Struct, frozen=True, gc=False):
    """A card as it was played."""

    seat: Seat
    card: Card


class TrickView(Struct, frozen=True, gc=False):
    """A trick, complete (with its winner) or not. `number` counts from 1."""

    number: int
    plays: tuple[Play, ...]
    winner: Seat | None = None


class SeatView(Struct, frozen=True, gc=False):
    """What everyone sees of one seat."""

    hand_count: int
    bid: int
    passed_as: int
    """Its place in the order of passing, from 1, which is what its tricks are worth; 0 while it is in."""
    tricks: int
    vetoes: int
    open_card: Card | None
    """The card of its hand that was dealt face up, until it is played."""
    total: int


class View(Struct, frozen=True, gc=False):
    """The game as one viewer sees it."""

    phase: Phase
    round: int
    rounds: int
    deal: int
    dealer: Seat
    trump: Suit | None
    turned_up: Card | None
    declarations: tuple[Declaration, ...]
    voted: tuple[Seat, ...]
    calls: tuple[Call, ...]
    hand: tuple[Card, ...]
    """The viewer's own; empty for spectators."""
    seats: tuple[SeatView, ...]
    trick: TrickView | None
    """The trick being played."""
    last_trick: TrickView | None
    """The trick before, while it lies open."""
    tricks_in_round: int
    knocks: tuple[KnockMade, ...]
    accusations: tuple[Accusation, ...]
    splits: tuple[TeamSplit, ...]
    scored: tuple[RoundScore, ...]
    commitment: bytes
    places: tuple[int, ...]
    maternal_suits: bool
    teams: bool


class GameStartedSeen(Struct, frozen=True, gc=False):
    """The game began."""

    rounds: int


class PacketDealtSeen(Struct, frozen=True, gc=False):
    """The first packets were dealt; `hand` is the viewer's own, empty for spectators."""

    deal: int
    commitment: bytes
    hand: tuple[Card, ...]
    hand_count: int


class DealCompletedSeen(Struct, frozen=True, gc=False):
    """The deal is complete; `hand` is the viewer's own, empty for spectators."""

    hand: tuple[Card, ...]
    hand_count: int
    turned_up: Card | None
    open_cards: tuple[Card, ...]
    trump: Suit | None


class RoundPlayedSeen(Struct, frozen=True, gc=False):
    """A round is over."""

    round: int


Seen = (
    GameStartedSeen
    | RoundStarted
    | PacketDealtSeen
    | Declared
    | Voted
    | DealCompletedSeen
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
    | RoundPlayedSeen
    | RoundScored
    | DealRevealed
    | VetoedDealsRevealed
    | GameEnded
)
"""An event as a viewer sees it. Events without secrets keep their type, built anew."""
