"""What becomes of tables that nobody touches, and of games that are over. Pure: says what is due, does nothing."""

from typing import Literal

from engine_service.tables import playing, seating
from engine_service.tables.events import Change
from engine_service.tables.policy import Policy
from engine_service.tables.stored import Stored

Work = Literal["archive", "change", "remove", "wait", "none"]

WAIT_MS = 60_000
"""A table with somebody there is looked at again after this, instead of being closed."""


def work_due(stored: Stored, policy: Policy) -> Work:
    """Return what is to be done about the table's own life now."""
    table, now_ms = stored.table, stored.now_ms
    if table.unarchived:
        return "archive"
    if table.status == "closed":
        return "remove" if _over(table.ended_ms, policy.linger_seconds, now_ms) else "none"
    if not expired(stored, policy):
        return "none"
    waiting_for_scores = table.status == "running" and table.scoring_since_ms is not None
    return "wait" if stored.connected and not waiting_for_scores else "change"


def looks_again_ms(stored: Stored) -> int:
    """Return when to look again at a table that is kept for those who watch: what it asks does not wait with it."""
    to_come = [asked.due_ms for asked in stored.table.asked if asked.due_ms and asked.due_ms > stored.now_ms]
    return min([stored.now_ms + WAIT_MS, *to_come])


def expired(stored: Stored, policy: Policy) -> str | None:
    """Return why the table's game or the table itself is to end now, as a name of EndReason, or None."""
    table, now_ms = stored.table, stored.now_ms
    if table.status == "running":
        if table.scoring_since_ms is not None:
            return "NO_SCORES" if _over(table.scoring_since_ms, policy.void_seconds, now_ms) else None
        # With a clock the game comes to its end by itself.
        untouched = not table.options.move_seconds and _over(table.touched_ms, policy.abandoned_seconds, now_ms)
        return "ABANDONED" if untouched else None
    if table.status == "open":
        return "ABANDONED" if _over(table.touched_ms, policy.open_seconds, now_ms) else None
    last_ms = max(table.ended_ms or 0, table.touched_ms)
    return "DONE" if table.status == "finished" and _over(last_ms, policy.finished_seconds, now_ms) else None


def end(stored: Stored, policy: Policy) -> Change:
    """End what is to end: a running game as void, an idle table for good."""
    reason = expired(stored, policy)
    if reason is None:
        return Change(stored.table)
    if stored.table.status == "running":
        return playing.void(stored.table, reason, stored.now_ms)
    return seating.close(stored.table, reason, stored.now_ms)


def _over(since_ms: int | None, seconds: int, now_ms: int) -> bool:
    return since_ms is not None and now_ms - since_ms >= seconds * 1000
