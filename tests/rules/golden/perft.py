"""Perft: how many sequences of moves there are to a depth from a fixed position, one number that catches any slip.

Beside it stands what happened on all of them together, in the kit's words. The deep file of a game goes further and is
compared only where CHEESEBOARD_DEEP_PERFT is set.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine_service.rules.game import Move, TimeOut
from engine_service.rules.shuffle import derived
from tests.rules.kits import KITS
from tests.rules.kits.kit import Position
from tests.rules.walks import AnyGame, ended, evolved, walk

FOLDER = Path(__file__).parent / "perft"
SEED = b"perft".ljust(32, b".")


class Perft:
    """The tree below one position, counted."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.kit = KITS[game.name]
        self.happened: Counter[str] = Counter()

    def count(self, state: Any, depth: int) -> int:
        """Return the number of sequences of `depth` moves and ends of pauses; shorter where the game ends. Scores come
        by themselves."""
        moves = [*self._moves(state), *(TimeOut(None, q.window) for q in self.game.actors(state) if q.seat is None)]
        if depth == 0 or not moves:
            return 1
        return sum(self.count(self._after(state, self.game.decide(state, move)), depth - 1) for move in moves)

    def _moves(self, state: Any) -> Iterator[Move[Any]]:
        for seat in range(state.seats):
            for offer in self.game.offers(state, seat):
                yield from (Move(seat, offer.window, action) for action in self.kit.chosen(offer.choice))

    def _after(self, state: Any, events: tuple[Any, ...]) -> Any:
        self.happened.update(map(self.kit.tally, events))
        after = evolved(self.game, state, events)
        round_over = ended(self.game, events)
        if round_over is None:
            return after
        return self._after(after, self.game.decide(after, self.kit.score(after, round_over)))


def perft_lines(game: AnyGame, seats: int, position: Position) -> list[str]:
    """Return the lines of one position."""
    seed = derived(SEED, f"{game.name}/{seats}/{position.name}")
    steps = walk(game, position.options, seats, seed, time_outs=10**6)
    state = next(step.state for number, step in enumerate(steps) if number == position.step)
    tree = Perft(game)
    lines = [f"{seats} seats, {position.name}, depth {position.depth}: {tree.count(state, position.depth)}"]
    return lines + [f"  {what}: {count}" for what, count in sorted(tree.happened.items())]


def perfts(game: AnyGame, deep: bool = False) -> dict[Path, str]:
    """Return the game's one file, or that of the long run."""
    lines = [
        line
        for seats in range(game.min_seats, game.max_seats + 1)
        for position in KITS[game.name].positions(seats, deep)
        for line in perft_lines(game, seats, position)
    ]
    return {FOLDER / f"{game.name}{'_deep' if deep else ''}.txt": "\n".join(lines) + "\n"}
