"""Limits: as fast as allowed, no faster, and a crowd cannot fill the memory."""

import pytest

from service_runtime.errors import Refused
from service_runtime.limits import Buckets, OpenStreams, Rate


class Clock:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_passes_then_the_rate_holds_and_the_refusal_says_when() -> None:
    clock = Clock()
    buckets = Buckets(clock)
    rate = Rate(per_second=2, burst=3)
    for _ in range(3):
        buckets.take("ada", "Move", rate)
    with pytest.raises(Refused) as refused:
        buckets.take("ada", "Move", rate)
    assert (refused.value.reason, refused.value.retry_seconds) == ("RATE_LIMITED", 0.5)
    clock.now += 0.5
    buckets.take("ada", "Move", rate)
    with pytest.raises(Refused):
        buckets.take("ada", "Move", rate)


def test_callers_and_methods_do_not_share() -> None:
    buckets, rate = Buckets(Clock()), Rate(1, 1)
    buckets.take("ada", "Move", rate)
    buckets.take("bob", "Move", rate)
    buckets.take("ada", "Watch", rate)
    with pytest.raises(Refused):
        buckets.take("ada", "Move", rate)


def test_a_rest_never_saves_up_more_than_the_burst() -> None:
    clock, rate = Clock(), Rate(10, 2)
    buckets = Buckets(clock)
    buckets.take("ada", "Move", rate)
    clock.now += 1000
    buckets.take("ada", "Move", rate)
    buckets.take("ada", "Move", rate)
    with pytest.raises(Refused):
        buckets.take("ada", "Move", rate)


def test_a_crowd_is_forgotten_oldest_first() -> None:
    buckets, rate = Buckets(Clock(), most=100), Rate(1, 1)
    for n in range(1000):
        buckets.take(f"subject {n}", "Move", rate)
    assert len(buckets) == 100
    with pytest.raises(Refused):
        buckets.take("subject 999", "Move", rate)


def test_streams_are_counted_while_open() -> None:
    streams = OpenStreams(most_each=2)
    with streams.one_more("ada"), streams.one_more("ada"), streams.one_more("bob"):
        with pytest.raises(Refused) as refused, streams.one_more("ada"):
            pass
        assert refused.value.reason == "TOO_MANY"
    with streams.one_more("ada"), streams.one_more("ada"):
        pass
