"""Frames are contiguous, or the watcher starts anew; nothing follows from the end of a stream."""

import pytest

from cheeseboard.engine.v1 import tables_pb2 as pb
from cheeseboard_client.frames import Alive, Gap, Position, Snapshot, Step, StreamEnded


def test_a_step_that_follows_is_told():
    """And the resume point moves on with it."""
    position = _at(5)
    step = position.take(_step(6, 7))
    assert isinstance(step, Step)
    assert [event.sequence for event in step.events] == [6, 7]
    assert (position.sequence, position.resume_point) == (7, "after 7")


def test_what_was_told_before_is_not_told_again():
    """A stream that overlaps the one before gives only what is new."""
    position = _at(6)
    step = position.take(_step(5, 6, 7))
    assert isinstance(step, Step)
    assert [event.sequence for event in step.events] == [7]
    assert position.take(_step(5, 6)) is None


@pytest.mark.parametrize("sequences", [(8,), (6, 8), (7, 6)])
def test_a_gap_asks_for_a_snapshot(sequences: tuple[int, ...]):
    """A lost or misplaced event would leave a table that never existed."""
    position = _at(5)
    with pytest.raises(Gap):
        position.take(_step(*sequences))
    assert position.resume_point == ""
    assert position.sequence == 5


@pytest.mark.parametrize("head", [4, 6])
def test_a_sign_of_life_with_another_head_resumes(head: int):
    """From where the watcher stands: what is missing comes then, or a reset."""
    position = _at(5)
    with pytest.raises(Gap):
        position.take(pb.WatchTableResponse(sequence=head, heartbeat=pb.Heartbeat()))
    assert position.resume_point == "after 5"


def test_a_sign_of_life_tells_who_is_there():
    """Presence is known only for the moment."""
    frame = _at(5).take(pb.WatchTableResponse(sequence=5, heartbeat=pb.Heartbeat(connected_seats=[0, 2])))
    assert isinstance(frame, Alive)
    assert frame.connected_seats == {0, 2}


def test_a_snapshot_after_a_loss_says_that_events_were_missed():
    """But the first snapshot of all, or one at the same place, misses nothing."""
    position = Position()
    first = position.take(_snapshot(5))
    again = position.take(_snapshot(5))
    later = position.take(_snapshot(9))
    assert [frame.missed for frame in (first, again, later) if isinstance(frame, Snapshot)] == [False, False, True]


def test_a_reset_may_go_back():
    """The store lost moves: the table stands earlier than what was shown."""
    position = _at(9)
    frame = position.take(_snapshot(7, reset=True))
    assert isinstance(frame, Snapshot)
    assert frame.reset
    assert position.sequence == 7


def test_a_goodbye_keeps_the_place():
    """The next stream begins where this one says."""
    position = _at(5)
    with pytest.raises(StreamEnded) as ended:
        position.take(pb.WatchTableResponse(resume_point="here", goodbye=pb.Goodbye(reason=pb.STREAM_END_MAX_AGE)))
    assert ended.value.reason == pb.STREAM_END_MAX_AGE
    assert (position.resume_point, position.sequence) == ("here", 5)


def test_a_frame_of_a_later_release_is_passed_over():
    """Unknown kinds of frames say nothing that this release could use."""
    assert _at(5).take(pb.WatchTableResponse(sequence=6)) is None


def _at(sequence: int) -> Position:
    position = Position()
    position.take(_snapshot(sequence))
    return position


def _snapshot(sequence: int, reset: bool = False) -> pb.WatchTableResponse:
    view = pb.TableView(sequence=sequence)
    snapshot = pb.Snapshot(view=view, reset=reset)
    return pb.WatchTableResponse(sequence=sequence, resume_point=f"after {sequence}", snapshot=snapshot)


def _step(*sequences: int) -> pb.WatchTableResponse:
    step = pb.Step(events=[pb.TableEvent(sequence=number) for number in sequences])
    return pb.WatchTableResponse(sequence=sequences[-1], resume_point=f"after {sequences[-1]}", step=step)
