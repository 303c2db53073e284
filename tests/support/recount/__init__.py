"""A second opinion on finished games of Cheez-Tricks, from their records alone.

Written from the rulebook and its rulings, it shares no code with the engine or the scoring service: it lays the cards
out again as the record says, judges every event itself, and raises an AssertionError that names what differs first.
"""

from collections.abc import Iterable

from cheeseboard.engine.v1 import tables_pb2 as tables
from cheeseboard.scoring.v1 import scoring_pb2

from .cards import ROUNDS
from .counts import WORTH, Recount, RoundCount, places_of, totals_of
from .log import Log
from .replay import Replay

__all__ = ["Recount", "RoundCount", "assert_scoreboard", "recount"]


def recount(options: tables.TableOptions, events: Iterable[tables.TableEvent]) -> Recount:
    """Count a finished game again: its events from `GetRecord`, all pages, in order.

    Raises:
        AssertionError: an event is not what the rules make of those before it, or one is missing.
    """
    log = Log(events)
    game = Replay(options, log)
    due = ROUNDS[game.seats]
    started = log.take("game_started")
    log.check(started.rounds == due, f"the game has {due} rounds, not {started.rounds}")
    for number in range(1, due + 1):
        game.play_round(number)
    ended = log.take("game_ended")
    counted = Recount(tuple(game.rounds), totals_of(game.rounds), places_of(game.rounds))
    log.check(tuple(ended.places) == counted.places, f"places are {counted.places}, not {tuple(ended.places)}")
    log.finish()
    return counted


def assert_scoreboard(counted: Recount, board: scoring_pb2.GetScoreboardResponse) -> None:
    """Compare the scoring service's board of a finished game with the recount, entry by entry."""
    _same("number of rounds", len(board.rounds), len(counted.rounds))
    for number, (scored, mine) in enumerate(zip(board.rounds, counted.rounds, strict=True), 1):
        facts = scored.facts.cheez_tricks
        worth = [WORTH[mine.cats(seat)] for seat in range(len(mine.tricks))]
        _same(f"round {number}: its number", scored.round, number)
        _same(f"round {number}: points", tuple(scored.points), mine.points)
        _same(f"round {number}: totals", tuple(scored.totals), totals_of(counted.rounds[:number]))
        _same(f"round {number}: tricks", tuple(facts.tricks), mine.tricks)
        _same(f"round {number}: captures", tuple(frozenset(capture.seats) for capture in facts.captures), mine.caught)
        _same(f"round {number}: worth of a trick", list(scored.detail.cheez_tricks.points_per_trick), worth)
    _same("totals", tuple(board.totals), counted.totals)
    _same("places", tuple(board.places), counted.places)


def _same(what: str, found: object, expected: object) -> None:
    assert found == expected, f"scoreboard, {what}: {expected} expected, {found} found"
