"""Which score sheets the player has had, so that each round's is shown once and none is missed."""

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_terminal.games.contract import Game


class Sheets:
    """Counts the rounds of the game at the table whose scores were shown."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._game_number: int | None = None
        self._rounds = 0
        self._ranked = False

    def due(self, view: tables_pb2.TableView) -> tuple[list[int], bool]:
        """Return the rounds whose sheets are to be shown now, and whether the final ranking is; each only once."""
        if view.WhichOneof("game") is None:
            return [], False
        scored = self._game.rounds_scored(view)
        if view.game_number != self._game_number:
            first_look = self._game_number is None and not self._just_begun(view)
            self._game_number, self._ranked = view.game_number, False
            self._rounds = scored if first_look else 0
        rounds = list(range(self._rounds + 1, scored + 1))
        self._rounds = scored
        over = view.status == tables_pb2.TABLE_STATUS_FINISHED and not self._ranked
        self._ranked = self._ranked or over
        return rounds, over

    def _just_begun(self, view: tables_pb2.TableView) -> bool:
        return self._game.rounds_scored(view) == 0
