"""The load tester itself, small, against the product as it is deployed."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_loadtest.outcome import Outcome
from cheeseboard_loadtest.profile import Profile, find, read
from cheeseboard_loadtest.run import run
from cheeseboard_loadtest.target import running
from tests.support.stack import QUICK, Stack, running_stack
from tests.support.tokens import identity_file, token

PROFILE = """
[arrivals]
players = 20
over_seconds = 2

[[games]]
game = "cheez_tricks"
options = { level = "LEVEL_HOUSE_CAT" }
seats = 3
move_seconds = 60

[finding]
bots_after_seconds = 2
parties = { 2 = 0.3 }

[thinking]
distribution = "fixed"
seconds = 0.01

[leaving]
chance = 0.02
away = { distribution = "fixed", seconds = 0.1 }

[provoking]
stale_window = 0.03
empty_move = 0.03
unknown_table = 0.03
"""


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Two engines and a scoring service."""
    folder = tmp_path_factory.mktemp("load")
    settings = {**QUICK, "CHEESEBOARD_IDENTITY_FILE": str(identity_file(folder))}
    with running_stack(folder, engines=2, settings=settings) as running:
        yield running


def _profile(folder: Path, text: str = PROFILE) -> Profile:
    path = folder / "some.toml"
    path.write_text(text)
    return read(path)


async def _run(stack: Stack, profile: Profile, seconds: float = 60.0) -> Outcome:
    engines, scoring = ",".join(stack.engine_addresses), stack.scoring_addresses[0]
    platform = token("platform", scope="service")
    async with asyncio.timeout(seconds), running(engines, scoring, platform, {}) as target:
        return await run("some", profile, target, lambda tally, timeline: None, asyncio.Event())


def _load(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "cheeseboard_loadtest", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_a_run_on_a_stack_of_its_own_tells_all(tmp_path: Path):
    """Everybody is seated and sees the end; what was provoked is counted by its reason; the report is there, thrice."""
    done = _load("--profile", "quick", "--out", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "All objectives were met." in done.stdout
    report = json.loads((tmp_path / "report.json").read_text())
    figures = report["figures"]
    assert figures["arrived_players"] == read(find("quick")).arrivals.count
    assert figures["seated_share"] == figures["finished_share"] == 1.0
    assert figures["finished_tables"] == figures["tables"] > 0
    assert figures["moves"] > figures["tables"] * 50
    provoked = {error["reason"]: error["count"] for error in report["errors"] if error["kind"] == "provoked"}
    assert set(provoked) == {"WINDOW_CLOSED", "BAD_REQUEST", "TABLE_NOT_FOUND"}
    assert figures["unexpected_errors"] == 0
    assert report["latencies"]["match wait"]["count"] == figures["arrived_players"]
    assert report["latencies"]["move"]["count"] == figures["moves"]
    loads = report["timeline"][-1]["loads"]
    assert {"engine", "scoring", "redis", "tester"} <= set(loads)
    assert all(load["memory_bytes"] > 1e6 for load in loads.values())
    page = (tmp_path / "report.html").read_text()
    assert page.count("<svg") == 10 and "<script" not in page and "http" not in page.replace("http://www.w3.org", "")
    assert (tmp_path / "report.txt").read_text().strip() in done.stdout


def test_what_cannot_be_met_is_missed(stack: Stack, tmp_path: Path):
    """It is an exit status, 1, whatever else was met; and players may be guests of a stack that runs already."""
    path = tmp_path / "some.toml"
    wanted = "[objectives.at_least]\nfinished_share = 1.0\n[objectives.at_most]\nmatch_wait_p99_seconds = 0.0\n"
    path.write_text(PROFILE.replace("players = 20", "players = 4") + wanted)
    engine, scoring = stack.engine_addresses[0], stack.scoring_addresses[0]
    done = _load("--profile", str(path), "--engine", engine, "--scoring", scoring, "--out", str(tmp_path))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "MISSED match_wait_p99_seconds at most 0: " in done.stdout
    assert "met    finished_share at least 1: 1" in done.stdout


def test_what_cannot_be_run_is_said():
    """With 2, and a sentence."""
    done = _load("--profile", "no-such-profile")
    assert done.returncode == 2 and "no profile of this name" in done.stderr and "Traceback" not in done.stderr


EVERY_GAME = """
[[games]]
game = "cheesy_heist"
options = { goal = 1, reaction_seconds = 1 }
seats = 3

[[games]]
game = "cheat_trick"
options = { reneging = "RENEGING_CATCHABLE", teams = true, last_question_seconds = 1, split_seconds = 5 }
seats = 4

[finding]"""


async def test_every_game_is_played_to_its_end(stack: Stack, tmp_path: Path):
    """By what it offers alone, with reactions, bids, accusations and splits."""
    outcome = await _run(stack, _profile(tmp_path, PROFILE.replace("[finding]", EVERY_GAME)), 120)
    games = {field.name for field in tables_pb2.GameOptions.DESCRIPTOR.fields}
    assert {name for name, game in outcome.games.items() if game.finished == game.tables > 0} == games
    assert outcome.figures["finished_share"] == outcome.figures["seated_share"] == 1.0
    assert outcome.figures["unexpected_errors"] == 0, outcome.errors


async def test_a_killed_engine_is_survived_and_told(stack: Stack, tmp_path: Path):
    """Every game is played to its end on the other one; the lost connections are counted, nothing else is."""

    async def kill_both_in_turn() -> None:
        for engine in stack.engines:
            await asyncio.sleep(1.0)
            await asyncio.to_thread(engine.kill)
            await asyncio.to_thread(engine.start)

    unhurried = _profile(tmp_path, PROFILE.replace("seconds = 0.01", "seconds = 0.05"))
    outcome, _ = await asyncio.gather(_run(stack, unhurried, 120), kill_both_in_turn())
    assert outcome.figures["finished_share"] == outcome.figures["seated_share"] == 1.0
    assert (outcome.figures["interruptions"] or 0) > 0
    assert outcome.figures["unexpected_errors"] == 0, outcome.errors


async def test_a_run_ends_when_its_time_is_over(stack: Stack, tmp_path: Path):
    """And says so: who has not seen the end has not."""
    slow = PROFILE.replace("seconds = 0.01", "seconds = 30.0")
    text = "limit_seconds = 3\n" + slow + "[objectives.at_least]\nfinished_share = 1.0\n"
    outcome = await _run(stack, _profile(tmp_path, text), 30)
    assert outcome.stopped == "the limit of 3 seconds was reached" and not outcome.met
    assert outcome.figures["finished_share"] == 0.0
