"""The leak law's checker: compares what goes over the wire between a state and its redeal. Returns what it found.

Equal are: view, questions, offers, refusals, and every event that a move brings, as bytes. An event that opens chance
is left out: two seeds may tell it differently, and rightly so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine_service.rules.game import IllegalMove, Move, Question, RecordScores, Seat, TimeOut
from engine_service.wire.game_wire import GameWire

from .kits.kit import Kit
from .walks import AnyGame, Command, Step, ended, evolved

Outside = tuple[tuple[str, object], ...]
"""What a viewer gets, named."""


@dataclass(frozen=True)
class Watcher:
    """One viewer of one game; `game` may be a copy with a planted leak."""

    game: AnyGame
    wire: GameWire
    kit: Kit
    seat: Seat | None

    def view_bytes(self, state: Any) -> bytes:
        return _bytes(self.wire.view_out(self.game.view(state, self.seat)))

    def seen_bytes(self, event: Any) -> bytes:
        return _bytes(self.wire.event_out(self.game.seen(event, self.seat)))

    def outside(self, state: Any) -> Outside:
        """Return view, questions and offers."""
        offers = () if self.seat is None else self.game.offers(state, self.seat)
        return (
            ("view", self.view_bytes(state)),
            ("questions", self.game.actors(state)),
            ("offers", tuple((offer.window, _bytes(self.wire.offer_out(offer.choice))) for offer in offers)),
            ("end", self.game.is_over(state)),
        )

    def answer(self, state: Any, command: Command) -> Outside:
        """Return what the viewer learns from a command: the refusal, or the events and the table after them."""
        try:
            events = self.game.decide(state, command)
        except IllegalMove as refusal:
            return (("refusal", (refusal.reason, tuple(sorted(refusal.facts.items())))),)
        told = [
            (self.kit.opens_chance(event) or self.seen_bytes(event), self.game.veils(state, event))
            for event in self._up_to_verdict(events)
        ]
        return (("events", tuple(told)), *(self._after(state, events)))

    def _up_to_verdict(self, events: Sequence[Any]) -> Iterator[Any]:
        for event in events:
            yield event
            if self.kit.verdict(event):
                return

    def _after(self, state: Any, events: Sequence[Any]) -> Outside:
        if any(map(self.kit.opens_chance, events)):
            return ()
        return self.outside(evolved(self.game, state, events))


def state_leaks(watcher: Watcher, step: Step, seed: bytes) -> list[str]:
    """Return what the viewer could tell a state and its redeal apart by; empty when there is no leak."""
    game, state = watcher.game, step.state
    other = game.redeal(state, watcher.seat, seed)
    found = _different("", watcher.outside(state), watcher.outside(other))
    for command in [*_own(watcher, step), *_of_others(watcher, state, other)]:
        found += _different(f"{command}: ", watcher.answer(state, command), watcher.answer(other, command))
    return found


def event_leaks(watcher: Watcher, event: Any, seed: bytes) -> list[str]:
    """Return whether the viewer could tell an event from one with other secrets."""
    other = watcher.kit.disguised(event, watcher.seat, seed)
    same = watcher.seen_bytes(event) == watcher.seen_bytes(other)
    return [] if same else [f"{type(event).__name__} as {watcher.seat} sees it"]


def scan_leaks(watcher: Watcher, step: Step) -> Iterator[str]:
    """Yield the secrets that a step's events and the view after them name, by the kit's own bookkeeping."""
    start = len(step.log) - len(step.events)
    for end, event in enumerate(step.events, start + 1):
        message = watcher.wire.event_out(watcher.game.seen(event, watcher.seat))
        allowed = watcher.kit.told_cards(step.log[:end], watcher.seat)
        yield from _secrets(watcher, message, allowed, watcher.kit.seeds(step.log[:end]), type(event).__name__)
    allowed, seeds = watcher.kit.known_cards(step.log, watcher.seat), watcher.kit.seeds(step.log)
    view = watcher.wire.view_out(watcher.game.view(step.state, watcher.seat))
    yield from _secrets(watcher, view, allowed, seeds, "view")
    if watcher.seat is not None:
        for offer in watcher.game.offers(step.state, watcher.seat):
            yield from _secrets(watcher, watcher.wire.offer_out(offer.choice), allowed, seeds, "offer")


def _secrets(watcher: Watcher, message: Any, allowed: set[int], seeds: Sequence[bytes], what: str) -> Iterator[str]:
    if hidden := set(watcher.kit.named_cards(message)) - allowed:
        yield f"{what} tells {watcher.seat} of cards {sorted(hidden)}"
    encoded = _bytes(message)
    if any(seed in encoded for seed in seeds):
        yield f"{what} tells {watcher.seat} a seed"


def _own(watcher: Watcher, step: Step) -> Iterator[Command]:
    """Yield all that the viewer itself could send, sense or nonsense."""
    if watcher.seat is None:
        return
    actions = watcher.kit.actions(step.state)
    for window, asked in _windows(watcher.game.actors(step.state)):
        yield TimeOut(watcher.seat, window)
        # The window of a question meets every action, others a few.
        yield from (Move(watcher.seat, window, action) for action in (actions if asked else actions[::9]))


def _windows(questions: Sequence[Question]) -> list[tuple[int, bool]]:
    """Return windows that were, are and may be asked, and whether they are."""
    asked = {question.window for question in questions} or {1}
    near = {0} | {window + 1 for window in asked} | {window - 1 for window in asked}
    return [(window, True) for window in sorted(asked)] + [(window, False) for window in sorted(near - asked)]


def _of_others(watcher: Watcher, state: Any, other: Any) -> Iterator[Command]:
    """Yield what others could do in both states, and the scores."""
    game = watcher.game
    for question in game.actors(state):
        if question.seat is None:
            yield TimeOut(None, question.window)
    for seat in range(game.max_seats):
        if seat != watcher.seat:
            possible = set(_moves(watcher, other, seat))
            yield from (move for move in _moves(watcher, state, seat) if move in possible)


def _moves(watcher: Watcher, state: Any, seat: Seat) -> Iterator[Move[Any]]:
    """Yield what offers permit, of large families a part. Offers themselves may differ: they are for their own seat."""
    for offer in watcher.game.offers(state, seat):
        actions = watcher.kit.chosen(offer.choice)
        yield from (Move(seat, offer.window, action) for action in actions[:: 1 + len(actions) // 9])


def score_leaks(watcher: Watcher, step: Step, seed: bytes) -> list[str]:
    """Return what the viewer could tell a state and its redeal apart by while the scores of a round come."""
    round_over = ended(watcher.game, step.log)
    if round_over is None:
        return []
    scores: RecordScores = watcher.kit.score(step.state, round_over)
    other = watcher.game.redeal(step.state, watcher.seat, seed)
    return _different("scores: ", watcher.answer(step.state, scores), watcher.answer(other, scores))


def _different(what: str, left: Outside, right: Outside) -> list[str]:
    if len(left) != len(right):
        return [f"{what}{[name for name, _ in left]} or {[name for name, _ in right]}"]
    return [f"{what}{name}" for (name, value), (_, other) in zip(left, right, strict=True) if value != other]


def _bytes(message: Any) -> bytes:
    encoded: bytes = message.SerializeToString(deterministic=True)
    return encoded
