"""What an operator sees: tickets by what became of them, lines, waiting times, spreads."""

import asyncio

from cheeseboard.engine.v1 import matchmaking_pb2 as pb
from engine_service.matchmaking import metrics
from service_runtime.metrics import REGISTRY
from tests.matchmaking.replicas import caller, replica


def _value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(f"cheeseboard_match_{name}", labels) or 0.0


async def test_the_figures_follow_what_happens(redis_url: str):
    """Each ticket is counted once for what became of it; a line is shown while somebody stands in it."""
    outcomes = ("made", "matched", "cancelled", "expired")
    before = [_value("tickets_total", outcome=outcome) for outcome in outcomes]
    games = _value("seconds_count", game="cheez_tricks"), _value("spread_count", game="cheez_tricks")
    async with replica(redis_url) as it:
        waiting = [await it.find(caller(name), 3) for name in ("ann", "ben")]
        metrics.show(await it.store.survey(10))
        (line,) = {sample.labels["line"] for family in metrics.WAITING.collect() for sample in family.samples}
        assert line.startswith("cheez_tricks.3.") and _value("waiting", line=line) == len(waiting)
        assert 0 <= _value("oldest_seconds", line=line) < 5
        await it.find(caller("cem"), 3, wait_ms=5000)
        await it.find(caller("dan"), 3, unwatched_seconds=1)
        await it.find(caller("eve"), 2)
        await it.api.cancel_ticket(pb.CancelTicketRequest(request_id="c"), caller("eve"))
        await asyncio.sleep(2.2)
        metrics.show(await it.store.survey(10))
        assert not [sample for family in metrics.WAITING.collect() for sample in family.samples]
    after = [_value("tickets_total", outcome=outcome) for outcome in outcomes]
    assert [now - then for now, then in zip(after, before, strict=True)] == [5, 3, 1, 1]
    assert _value("seconds_count", game="cheez_tricks") - games[0] == 3
    assert _value("spread_count", game="cheez_tricks") - games[1] == 1
