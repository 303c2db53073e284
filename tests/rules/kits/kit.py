"""What the laws must know of a game and cannot learn from it: written beside the game, from its rulebook."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine_service.rules.game import RecordScores, RoundEnded, Seat

Card = int
Log = Sequence[Any]
"""Events of one game from its first."""


@dataclass(frozen=True)
class Position:
    """Where a perft count begins: step `step` of a random game with these options; `depth` moves are counted."""

    name: str
    options: Any
    step: int
    depth: int


@dataclass(frozen=True)
class Kit:
    """One game's kit. States, events, options and actions are the game's own."""

    option_sets: Callable[[int], Sequence[Any]]
    """(seats) → options that can be played, the table's own decks among them."""
    cards: Callable[[Any, int], Iterable[Card]]
    """(options, seats) → every card of the game, each as often as it exists."""
    places: Callable[[Any], Mapping[str, Sequence[Card]]]
    """(state) → where each card lies."""
    actions: Callable[[Any], Sequence[Any]]
    """(state) → all conceivable actions, many of them illegal or nonsense."""
    chosen: Callable[[Any], Sequence[Any]]
    """(choice of an offer) → the actions that it stands for: itself, but for a family of actions."""
    score: Callable[[Any, RoundEnded], RecordScores]
    """(state, its round that ended) → the scores."""
    opens_chance: Callable[[Any], bool]
    """(event) → whether it tells what was drawn from a seed, so that two seeds may tell it differently."""
    disguised: Callable[[Any, Seat | None, bytes], Any]
    """(event, seat, seed) → the event with all replaced that this seat must not learn from it."""
    seeds: Callable[[Log], Sequence[bytes]]
    """(log) → keys and seeds that nobody may know after it."""
    told_cards: Callable[[Log, Seat | None], set[Card]]
    """(log, seat) → cards that the last event of the log may name to this seat."""
    known_cards: Callable[[Log, Seat | None], set[Card]]
    """(log, seat) → cards that a view and offers after the log may name to this seat."""
    named_cards: Callable[[Any], list[Card]]
    """(message of the wire) → every card that it names, at any depth."""
    positions: Callable[[int, bool], Sequence[Position]]
    """(seats, whether for a long run) → where perft counts begin."""
    tally: Callable[[Any], str]
    """(event) → under which words a perft counts it."""
    playthroughs: Callable[[int], Mapping[str, Any]]
    """(seats) → the options of the golden playthroughs, by the name of the file."""
    rendered: Callable[[Any, Any, Sequence[Any]], Sequence[str]]
    """(message View, previous message View or None, messages Offer) → lines for a playthrough."""
    told: Callable[[Any], str]
    """(message Event) → a line for a playthrough."""
    verdict: Callable[[Any], bool] = lambda event: False
    """(event) → whether it makes a hidden truth public, on which the rest of its step turns: a verdict."""
