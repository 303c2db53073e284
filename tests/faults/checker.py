"""Compares what clients were told with what the table says in the end; pure, and strict in both directions.

`lost`: an acknowledged move is not in the log. `gone`: what was shown is not what the log says. `twice`: a move that
nobody asked for, or a request with two answers. `gap`: numbers that a watcher missed. `scores`: they differ from the
recount. `stray`: an answer that belongs to something else. `open`: a game that did not end.

Where a failover may lose the last steps (`Final.heads`), a resume point tells what was lost: whoever was shown it must
be reset before anything else, and nobody else may be; whoever was answered it must be told what the table became.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Snapshot, Step
from tests.faults.fold import Fold, differences
from tests.faults.journal import Deed, Final, Journal, Told
from tests.support.recount import assert_scoreboard, recount

KINDS = ("lost", "gone", "twice", "gap", "scores", "stray", "open")


class Fault(NamedTuple):
    """One broken promise."""

    kind: str
    what: str


def check(journal: Journal, final: Final) -> list[Fault]:
    """Return every promise that was broken at a table; none is as it should be."""
    if not final.over:
        return [Fault("open", f"{journal.table_id} did not end by itself")]
    checks = (_lost, _answered_twice, _done_twice, _gaps, _events_gone, _views_gone, _branches, _strays, _scores)
    return [fault for one in checks for fault in one(journal, final)]


def _public(final: Final) -> dict[int, tables_pb2.TableEvent]:
    """Return the log as a spectator is told it: who did what is the same for everyone."""
    return {event.sequence: event for event in next(iter(final.logs.values()))}


def _lost(journal: Journal, final: Final) -> Iterator[Fault]:
    """Whatever was acknowledged is in the log where the answer says: its deed, and nothing but what follows from it."""
    log = _public(final)
    for asked in journal.asked:
        for answer in asked.answers:
            if final.stands(*answer):
                kept = _deed_before(log, answer.sequence) == asked.deed
            else:
                kept = _taken_back(journal.told_to(asked.deed.seat), asked.heard, answer.sequence, final)
            if not kept:
                yield Fault("lost", f"{asked.request_id}: {asked.deed} was answered with {answer.sequence}")


def _taken_back(told: Told, heard: int, sequence: int, final: Final) -> bool:
    """Tell whether a viewer was told, after so many frames, of what is now instead of an event that was lost."""
    for frame in told.frames[heard:]:
        shows = isinstance(frame, Snapshot) or frame.events[0].sequence <= sequence
        if shows and final.stands(frame.sequence, frame.resume_point):
            return True
    return False


def _deed_before(log: dict[int, tables_pb2.TableEvent], sequence: int) -> Deed | None:
    """Return what was done by the step that ends with this event."""
    while sequence in log:
        game = log[sequence].cheez_tricks
        if game.HasField("card_played") or game.HasField("trump_set"):
            return Deed.of_event(log[sequence])
        sequence -= 1
    return None


def _answered_twice(journal: Journal, final: Final) -> Iterator[Fault]:
    for asked in journal.asked:
        if len({answer for answer in asked.answers if final.stands(*answer)}) > 1:
            yield Fault("twice", f"{asked.request_id} has several answers: {asked.answers}")
        if asked.refused and any(final.stands(*answer) for answer in asked.answers):
            yield Fault("twice", f"{asked.request_id} was answered, and refused when it was sent again")
    answered = Counter(answer for asked in journal.asked for answer in set(asked.answers))
    for answer, times in answered.items():
        if times > 1:
            yield Fault("stray", f"{times} requests were answered with event {answer.sequence}")


def _done_twice(journal: Journal, final: Final) -> Iterator[Fault]:
    """Every move of a watched seat was asked for, and no acknowledged request stands for two of them."""
    seats = {asked.deed.seat for asked in journal.asked}
    round_, done = 0, Counter[tuple[int, Deed]]()
    for event in _public(final).values():
        round_ += event.cheez_tricks.HasField("round_started")
        if (deed := Deed.of_event(event)) and deed.seat in seats:
            done[round_, deed] += 1
    wanted = Counter(asked.deed for asked in journal.asked)
    for (round_, deed), times in done.items():
        if times > 1:
            yield Fault("twice", f"{deed} was done {times} times in round {round_}")
    for deed, times in Counter(deed for _, deed in done.elements()).items():
        if times > wanted[deed]:
            yield Fault("twice", f"{deed} was done {times} times and asked for {wanted[deed]} times")


def _gaps(journal: Journal, final: Final) -> Iterator[Fault]:
    hides = final.view.options.game.cheez_tricks.level == ct.LEVEL_WILD_CAT
    for told in journal.told:
        yield from _gaps_of(told, hides)
        yield from _resets_of(told, final)


def _gaps_of(told: Told, hides: bool) -> Iterator[Fault]:
    """Numbers go on by one; only where history lies hidden may a snapshot leap over some."""
    at: int | None = None
    for frame in told.frames:
        if isinstance(frame, Step):
            numbers = [event.sequence for event in frame.events]
            if any(b != a + 1 for a, b in pairwise([n for n in (at, *numbers) if n is not None])):
                yield Fault("gap", f"viewer {told.viewer} was told {numbers} after {at}")
        elif not frame.reset and at is not None and frame.sequence != at and not (hides and frame.sequence > at):
            yield Fault("gap", f"viewer {told.viewer} was taken from {at} to {frame.sequence}")
        at = frame.sequence


def _resets_of(told: Told, final: Final) -> Iterator[Fault]:
    """A viewer is reset when what it was shown last is lost, at once and only then."""
    lost = False
    for frame in told.frames:
        reset, stands = isinstance(frame, Snapshot) and frame.reset, final.stands(frame.sequence, frame.resume_point)
        if reset and not lost:
            yield Fault("gone", f"viewer {told.viewer} was told at {frame.sequence} to drop what is still there")
        if lost and stands and not reset:
            yield Fault(
                "gone", f"viewer {told.viewer} was shown what was lost, and then {frame.sequence} as if it were not"
            )
        lost = not stands
    if lost:
        yield Fault("gone", f"viewer {told.viewer} was shown what was lost, and nothing after it")


def _events_gone(journal: Journal, final: Final) -> Iterator[Fault]:
    """What was shown is what the log tells the same viewer, and what the record tells it."""
    for viewer, record in final.records.items():
        log = {event.sequence: event for event in final.logs[viewer]}
        if [log.get(event.sequence) for event in record.events] != list(record.events):
            yield Fault("gone", f"the record for viewer {viewer} is not what the log says")
    for told in journal.told:
        log = {event.sequence: event for event in final.logs[told.viewer]}
        steps = [f for f in told.frames if isinstance(f, Step) and final.stands(f.sequence, f.resume_point)]
        for event in (event for step in steps for event in step.events):
            if log.get(event.sequence) != event:
                yield Fault("gone", f"event {event.sequence} as viewer {told.viewer} was shown it is not in the log")


def _views_gone(journal: Journal, final: Final) -> Iterator[Fault]:
    """Every view is what the log up to its number makes of the game."""
    folds = {viewer: Fold(viewer, log) for viewer, log in final.logs.items()}
    for look in sorted(journal.all_looks(), key=lambda look: look.view.sequence):
        if not final.stands(look.view.sequence, look.resume_point):
            if not _taken_back(journal.told_to(look.viewer), look.heard, look.view.sequence, final):
                yield Fault("gone", f"{look.viewer} saw {look.view.sequence}, which was lost, and was told nothing")
            continue
        for difference in differences(folds[look.viewer].at(look.view.sequence), look.view):
            yield Fault("gone", f"the view of {look.viewer} at {look.view.sequence}: {difference}")


def _branches(journal: Journal, final: Final) -> Iterator[Fault]:
    """A number has one resume point, whoever is told it: two would be two branches."""
    told = {(look.view.sequence, look.resume_point) for look in journal.all_looks()}
    told |= {(frame.sequence, frame.resume_point) for told in journal.told for frame in told.frames}
    told |= {tuple(answer) for asked in journal.asked for answer in asked.answers}
    points = Counter(sequence for sequence, point in told if final.stands(sequence, point))
    for sequence, found in points.items():
        if found > 1:
            yield Fault("gone", f"event {sequence} has {found} resume points")


def _strays(journal: Journal, final: Final) -> Iterator[Fault]:
    for look in journal.all_looks():
        viewer = look.view.viewer if look.view.HasField("viewer") else None
        if (look.view.table_id, viewer) != (journal.table_id, look.viewer):
            yield Fault("stray", f"a view of {look.view.table_id} for {viewer} came to {look.viewer}")
    for record in final.records.values():
        if record.table_id != journal.table_id or record.options != final.view.options:
            yield Fault("stray", f"a record of {record.table_id} came")


def _scores(journal: Journal, final: Final) -> Iterator[Fault]:
    """The game is what the rules make of it, and its scoreboard what they count."""
    try:
        for record in final.records.values():
            counted = recount(record.options, record.events)
        assert final.board is not None, "there is no scoreboard"
        assert_scoreboard(counted, final.board)
    except AssertionError as difference:
        yield Fault("scores", str(difference))
