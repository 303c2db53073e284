"""What is made of a tally: verdicts, remarks, a page."""

from cheeseboard_loadtest.figures import figures
from cheeseboard_loadtest.outcome import judged, outcome
from cheeseboard_loadtest.page import page
from cheeseboard_loadtest.profile import Arrivals, Game, Objectives, Profile
from cheeseboard_loadtest.report import text
from cheeseboard_loadtest.tally import Table, Tally
from cheeseboard_loadtest.timeline import Timeline
from cheeseboard_loadtest.usage import Load, Meter, Used

PROFILE = Profile(arrivals=Arrivals(players=1, over_seconds=1.0), games=(Game(game="cheez_tricks", seats=2),))


def _told(tally: Tally, **loads: Load) -> list[str]:
    timeline = Timeline(tally)
    timeline.add(1.0, {name.replace("_", " "): load for name, load in loads.items()})
    return outcome("some", "a stack", PROFILE, tally, timeline.rows, "now", "here", "").remarks


def test_a_figure_that_there_is_not_misses_its_objective():
    """Nobody came back, so nothing is known of how long it took: not even that it was quick."""
    wanted = Objectives(at_least={"seated_share": 0.0}, at_most={"return_p99_ms": 1e9, "unexpected_errors": 0})
    assert [each.met for each in judged(wanted, figures(Tally()))] == [False, False, True]


def test_seating_counts_from_the_last_one_of_a_full_table():
    """A table that waited for more players on purpose says nothing about how quick seating is."""
    tally = Tally()
    tally.tables["a"] = Table("cheez_tricks", True, 5.2, arrived=[1.0, 5.0], seated=[5.2, 5.3])
    tally.tables["b"] = Table("cheez_tricks", False, 40.0, arrived=[1.0], seated=[40.0])
    seating = outcome("some", "a stack", PROFILE, tally, [], "now", "here", "").latencies["seating"]
    assert seating.count == 2 and 0.29 < seating.by_percentile[100] < 0.31


def test_a_tester_that_is_late_says_so():
    """One that is not does not."""
    tally = Tally()
    tally.latencies["lag"].add(0.001)
    assert _told(tally) == []
    tally.latencies["lag"].add(0.2)
    assert "late by 200 ms" in _told(tally)[0]


def test_a_tester_that_is_out_of_cpu_or_not_alone_says_so():
    """What is under load, and the tester itself, are no others."""
    engine, tester = Load(0.6, 1e8), Load(0.3, 1e8)
    assert _told(Tally(), engine=engine, tester=tester, whole_machine=Load(1.0, 1e9)) == []
    assert "used 1.1 of" in _told(Tally(), engine=engine, tester=tester, whole_machine=Load(2.0, 1e9))[0]
    assert "up to 0.95 of a core" in _told(Tally(), engine=engine, tester=Load(0.95, 1e8))[0]


def test_a_run_in_which_nothing_happened_has_a_report_too():
    """Stopped at once, say."""
    nothing = outcome("<some>", "a stack", PROFILE, Tally(), [], "now", "here", "it was stopped")
    assert "It ended early: it was stopped." in text(nothing)
    assert "&lt;some&gt;" in page(nothing) and "<some>" not in page(nothing)


async def test_a_process_that_was_started_anew_has_no_load_until_it_is_known():
    """Its CPU seconds begin anew, its load is never negative."""
    answers = iter([Used(10.0, 1e6), Used(0.5, 1e6), None, Used(0.6, 1e6), Used(0.7, 1e6)])

    async def engine() -> Used | None:
        return next(answers)

    meter = Meter({"engine": engine})
    assert ["engine" in await meter.read() for _ in range(5)] == [False, False, False, False, True]
