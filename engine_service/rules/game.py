"""The contract between a game and everything that hosts it.

A game is a decider: commands become events, events become state, and nothing else changes state. It is pure: no clock,
no I/O, no `random`. Chance enters only as the seed given to `setup` (which the state keeps, secret) and leaves only
as events that carry the outcome. What anyone may know is decided in three functions, `public`, `own` and `seen`,
and nowhere else.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

Seat = int
"""A place at the table, 0…n-1, clockwise."""

Options = TypeVar("Options")
State = TypeVar("State")
Event = TypeVar("Event")
Action = TypeVar("Action")


class Question(msgspec.Struct, frozen=True, gc=False):
    """Something the game waits for; `Move(seat, window, …)` or `TimeOut(seat, window)` answers it.

    Window numbers count up over the whole game and are never used again. Several seats may be asked in one window, a
    seat in one window at a time. A question to nobody (`seat` is None) is a pause: only time answers it.
    """

    window: int
    seat: Seat | None
    seconds: int | None = None
    """How long it lasts in place of the table's own seconds per move and bank. A pause lasts so long at every table, a
    seat's question only where there is a clock."""
    earliest_seconds: int = 0
    """Bots and absent players answer no earlier than this after it was asked."""


class Offer(msgspec.Struct, Generic[Action], frozen=True, gc=False):
    """What a seat may do: `choice` is an action itself, or the game's own description of a family of actions."""

    window: int
    """The window to name in the move; 0 when it answers no question (a knock, an accusation)."""
    choice: Action


class Move(msgspec.Struct, Generic[Action], frozen=True, gc=False):
    """A seat does something of its own will."""

    seat: Seat
    window: int
    action: Action


class TimeOut(msgspec.Struct, frozen=True, gc=False):
    """The time of one question is over: the default is done for its seat, or the pause ends."""

    seat: Seat | None
    window: int


class RecordScores(msgspec.Struct, frozen=True, gc=False):
    """The scoring service's answer to the facts of a round. `places` is empty before the last round."""

    round: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    places: tuple[int, ...]
    detail: Any
    """How the points came to be: the game's own `ScoreDetail`."""


class IllegalMove(Exception):
    """A command is refused and nothing changes. Facts hold nothing that the mover may not know."""

    def __init__(self, reason: str, **facts: object) -> None:
        super().__init__(reason)
        self.reason = reason
        """A name of cheeseboard.errors.v1.Reason without its prefix."""
        self.facts = facts


class BadOption(Exception):
    """Options are refused: `field` is the path inside the game's Options message, `why` a sentence."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field}: {why}")
        self.field = field
        self.why = why


class RoundEnded(msgspec.Struct, frozen=True, gc=False):
    """A round is over and must be scored before the game goes on."""

    round: int
    last: bool
    facts: Any
    """The game's own `RoundFacts`: what happened, no points."""


def everyone_alone(options: object, seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Return the sides of a game in which nobody has a partner."""
    return tuple((seat,) for seat in range(seats))


Bot = Callable[[Seat, Any, tuple[Offer[Any], ...], bytes], Move[Any]]
"""(seat, its own view, its offers, 32 random bytes) → a move that one of the offers permits."""


@dataclass(frozen=True)
class Game(Generic[Options, State, Event, Action]):
    """A game as the registry lists it: types, pure functions, facts. Laws: engine_service/rules/README.md."""

    name: str
    """As in the oneof cases of the protos."""
    title: str
    rules_version: int
    """Raised when the same log would be decided differently; running games keep the rules they began with."""
    min_seats: int
    max_seats: int

    options_type: Any
    state_type: Any
    event_type: Any
    """The union of the game's event structs, for the codec."""

    check_options: Callable[[Options, int], None]
    """(options, seats) → None, or raises BadOption."""
    setup: Callable[[Options, int, bytes], tuple[Event, ...]]
    """(options, seats, seed of 32 bytes) → the game's first events."""
    decide: Callable[[State, Move[Action] | TimeOut | RecordScores], tuple[Event, ...]]
    """(state, command) → events, or raises IllegalMove. Deterministic."""
    evolve: Callable[[State | None, Event], State]
    """(state, event) → state. Holds no rules; cannot fail on events of its own log."""
    actors: Callable[[State], tuple[Question, ...]]
    """All open questions; empty while scores are awaited and when the game is over."""
    offers: Callable[[State, Seat], tuple[Offer[Any], ...]]
    """All that this seat may do now; a move is accepted exactly when one of these permits it."""
    permits: Callable[[Offer[Any], Move[Action]], bool]
    default: Callable[[State, Seat], Action]
    """What is done for an absent player who is asked."""
    round_ended: Callable[[Event], RoundEnded | None]
    """The facts of a round if this event ends one. No further event comes before RecordScores."""
    is_over: Callable[[State], bool]
    veils: Callable[[State, Event], bool]
    """Whether this event, coming in this state, closes the look back: the game's earlier events are hidden from
    everyone (history, resumption, records) until a round is scored."""
    public: Callable[[State], Any]
    """What everyone sees of the state, built from nothing: a spectator's view. It is told no seat, so that it can be
    made once for all who look."""
    own: Callable[[Any, State, Seat], Any]
    """(what everyone sees, state, seat) → the seat's view: the same with what this seat alone sees put in."""
    seen: Callable[[Event, Seat | None], Any]
    """An event as a seat (None: a spectator) sees it, built from nothing. Every event is seen by all in some form."""
    redeal: Callable[[State, Seat | None, bytes], State]
    """A state that this seat cannot tell apart from the given one. For tests only; never calls `public` or `own`."""
    bots: Mapping[str, Bot]
    """By kind, "random" and "careful" at least; the first is the default."""
    sides: Callable[[Options, int], tuple[tuple[Seat, ...], ...]] = everyone_alone
    """(options, seats) → all seats, by who plays together: what matchmaking needs to seat a party."""

    def view(self, state: State, seat: Seat | None) -> Any:
        """Return what a seat (None: a spectator) sees of the state."""
        everyones = self.public(state)
        return everyones if seat is None else self.own(everyones, state, seat)
