"""What a player is told of a table beside its game: the clock, another game, time that ran out."""

from datetime import UTC, datetime, timedelta

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from cheeseboard.engine.v1 import tables_pb2 as pb
from cheeseboard_client import Interrupted, Snapshot, Step
from cheeseboard_terminal.games.registry import GAMES
from cheeseboard_terminal.prompts import asks, prompt, warning
from cheeseboard_terminal.seen import Seen

GAME = GAMES["cheesy_heist"]
CLOCK = pb.Clock(move_seconds=60, bank_seconds=120)
WINDOW, PAUSE, VAULT = 4, 5, 6


def view(number: int = 1, clock: pb.Clock | None = None, **more: object) -> pb.TableView:
    table = pb.TableView(table_id="t", code="MOUSE", game_number=number, viewer=0, status=pb.TABLE_STATUS_RUNNING)
    table.options.clock.CopyFrom(clock or pb.Clock())
    table.cheesy_heist.SetInParent()
    for seat, name in enumerate(("Ada", "Remy", "Emile")):
        table.seats.add(seat=seat, player=pb.Player(player_id=name, display_name=name), connected=True)
    return table


def now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


def shown(table: pb.TableView, missed: bool = False) -> Snapshot:
    return Snapshot(table, table.sequence, "", now(), False, missed)


def step(table: pb.TableView, *events: pb.TableEvent) -> Step:
    return Step(events, table.prompt, table, table.sequence, "", now())


def log(seen: Seen) -> str:
    return "\n".join(line.plain for line in seen.log)


def test_the_clock_is_told_when_one_comes_to_a_game_and_when_one_begins():
    """Whoever was matched, or came back, has not been asked about it."""
    seen = Seen(GAME)
    seen.take(shown(view(clock=CLOCK)))
    assert log(seen) == "The clock gives 60 s a move and 120 s in reserve."
    seen.take(shown(view(clock=CLOCK)))
    assert log(seen).count("clock") == 1
    seen.take(step(view(2, CLOCK), pb.TableEvent(game_opened=pb.GameOpened(game_number=2))))
    assert log(seen) == "Game 2 begins.\nThe clock gives 60 s a move and 120 s in reserve."
    without = Seen(GAME)
    without.take(shown(view()))
    assert not without.log


def test_another_game_begins_with_nothing_told():
    """What happened in the game before is gone, told one by one or missed; all of a step is told to who reads lines."""
    seen = Seen(GAME)
    seen.take(shown(view()))
    seen.take(step(view(), pb.TableEvent(rematch_wanted=pb.RematchWanted(seat=1))))
    wanted = pb.TableEvent(rematch_wanted=pb.RematchWanted(seat=0))
    lines = seen.take(step(view(2), wanted, pb.TableEvent(game_opened=pb.GameOpened(game_number=2))))
    assert [line.plain for line in lines] == ["You want another game.", "Game 2 begins."]
    assert log(seen) == "Game 2 begins."
    seen.take(shown(view(2), missed=True))
    assert log(seen).startswith("Game 2 begins.\n(what happened meanwhile")
    seen.take(shown(view(3), missed=True))
    assert log(seen).startswith("(what happened meanwhile")


def asked(*questions: tuple[int | None, int, float | None]) -> pb.TableView:
    """Return a table that asks: seat (None: a pause), window, seconds from now."""
    table = view(clock=CLOCK)
    for seat, window, seconds in questions:
        at = Timestamp()
        at.FromDatetime(now() + timedelta(seconds=seconds or 0))
        table.prompt.questions.add(seat=seat, window=window, deadline=None if seconds is None else at)
    return table


@pytest.mark.parametrize("clock", [170.0, None])
def test_a_reaction_counts_down_once(clock: float | None):
    """From its own seconds to nothing, and not on to the table's clock; also for who only waits, and after a break."""
    for everyone in ([0, 1], [1, 2]):
        seen = Seen(GAME)
        window = [(seat, WINDOW, clock) for seat in everyone]
        seen.take(shown(asked(*window, (None, PAUSE, 3.0))))
        assert seen.seconds_left() == pytest.approx(3, abs=0.5)
        seen.take(step(asked(*window, (None, PAUSE, -1.0))))
        seen.take(Interrupted("", 1))
        seen.take(shown(asked(*window)))
        assert seen.seconds_left() == 0
        seen.take(step(asked((1, VAULT + 1, 100.0))))
        assert seen.seconds_left() == pytest.approx(100, abs=0.5)


def test_ones_own_question_counts_not_the_others():
    """Whoever chooses what to keep has all its seconds, though a reaction is over sooner."""
    seen = Seen(GAME)
    seen.take(shown(asked((0, VAULT, 20.0), (1, WINDOW, 170.0), (None, PAUSE, 3.0))))
    assert seen.seconds_left() == pytest.approx(20, abs=0.5)


def test_whoever_let_the_time_run_out_is_warned_until_it_moves():
    """And whoever is away is told how to come back."""
    table = view()
    assert not warning(table)
    table.seats[0].missed = 1
    assert "Your time ran out" in warning(table)
    table.seats[0].missed, table.seats[0].away = 0, True
    assert not warning(table) and asks(table)
    assert "Enter to go on yourself" in prompt(GAME, table, Seen(GAME).people)
    table.status = pb.TABLE_STATUS_FINISHED
    table.seats[0].missed = 1
    assert not warning(table)
