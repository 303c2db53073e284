"""The clock of a table: when each open question was asked, when the engine acts on it, what it costs the bank.

Pure: every time comes in as an argument.
"""

import hashlib
from typing import Any

import msgspec

from engine_service.rules.game import Question
from engine_service.tables.policy import Policy
from engine_service.tables.table import Asked, Sitter, Table

AnyTable = Table[Any, Any]


def retimed(table: AnyTable, questions: tuple[Question, ...], now_ms: int, policy: Policy) -> AnyTable:
    """Return the table with these questions open: known ones keep their time, answered ones are charged to the bank."""
    open_now = [(question.window, question.seat) for question in questions]
    known = {}
    for asked in table.asked:
        if (asked.window, asked.seat) in open_now:
            known[asked.window, asked.seat] = asked
        else:
            table = _charged(table, asked, now_ms)
    asked_now = [known.get((q.window, q.seat)) or _asked(table, q, now_ms, policy) for q in questions]
    return msgspec.structs.replace(table, asked=tuple(asked_now))


def reasked(table: AnyTable, seat: int, questions: tuple[Question, ...], now_ms: int, policy: Policy) -> AnyTable:
    """Return the table with the question of a seat timed anew, because its player went or came back.

    Who comes back has what was left: going away and returning gains no time.
    """
    return msgspec.structs.replace(
        table,
        asked=tuple(
            _reasked(table, asked, _question_of(asked, questions), now_ms, policy) if asked.seat == seat else asked
            for asked in table.asked
        ),
    )


def next_due_ms(table: AnyTable, policy: Policy) -> int | None:
    """Return when the engine next has something to do at this table, or None for never."""
    dues = [_life_due(table, policy)]
    if table.status == "running":
        dues += [asked.due_ms for asked in table.asked]
    return min([due for due in dues if due is not None], default=None)


def _life_due(table: AnyTable, policy: Policy) -> int | None:
    """Return when the next thing of the table's own life is due: void, archive, abandonment, closing, removal."""
    if table.unarchived:
        return 0
    if table.status == "running" and table.scoring_since_ms is not None:
        return table.scoring_since_ms + policy.void_seconds * 1000
    if table.status == "closed":
        return (table.ended_ms or 0) + policy.linger_seconds * 1000
    if table.status == "finished":
        return max(table.ended_ms or 0, table.touched_ms) + policy.finished_seconds * 1000
    if table.status == "open":
        return table.touched_ms + policy.open_seconds * 1000
    return None if table.options.move_seconds else table.touched_ms + policy.abandoned_seconds * 1000


def _asked(table: AnyTable, question: Question, now_ms: int, policy: Policy) -> Asked:
    due_ms = _due_ms(table, question, now_ms, policy)
    fixed, earliest_ms = question.seconds is not None, question.earliest_seconds * 1000
    return Asked(question.window, question.seat, now_ms, due_ms, fixed, earliest_ms)


def _reasked(table: AnyTable, asked: Asked, question: Question, now_ms: int, policy: Policy) -> Asked:
    sitter = table.seats[asked.seat] if asked.seat is not None else None
    assert sitter is not None
    if sitter.away:
        due_ms, used_ms = _due_ms(table, question, now_ms, policy), now_ms - asked.since_ms
        return msgspec.structs.replace(asked, since_ms=now_ms, due_ms=due_ms, used_ms=used_ms)
    since_ms = now_ms - asked.used_ms
    due_ms = _due_ms(table, question, since_ms, policy)
    return msgspec.structs.replace(asked, since_ms=since_ms, due_ms=due_ms, used_ms=0)


def _question_of(asked: Asked, questions: tuple[Question, ...]) -> Question:
    return next(question for question in questions if (question.window, question.seat) == (asked.window, asked.seat))


def _due_ms(table: AnyTable, question: Question, since_ms: int, policy: Policy) -> int | None:
    """Return when the engine acts on a question that was put at `since_ms`."""
    sitter = table.seats[question.seat] if question.seat is not None else None
    if sitter is not None and (sitter.bot or sitter.away):
        thinking = _thinking_ms(table, question, policy) if sitter.bot else 0
        return since_ms + max(thinking, question.earliest_seconds * 1000)
    if sitter is not None and not table.options.move_seconds:
        return None
    if question.seconds is not None:
        return since_ms + question.seconds * 1000
    if sitter is None:
        return None
    return since_ms + max(table.options.move_seconds, question.earliest_seconds) * 1000 + sitter.bank_ms


def _thinking_ms(table: AnyTable, question: Question, policy: Policy) -> int:
    """Return a bot's thinking time, drawn from public facts alone: it tells nothing of its hand."""
    digest = hashlib.sha256(f"{table.table_id}/{table.game_number}/{question.window}/{question.seat}".encode()).digest()
    spread = policy.bot_max_ms - policy.bot_min_ms
    return policy.bot_min_ms + int.from_bytes(digest[:4], "big") % (spread + 1)


def _charged(table: AnyTable, asked: Asked, now_ms: int) -> AnyTable:
    sitter = table.seats[asked.seat] if asked.seat is not None else None
    if asked.seat is None or sitter is None or sitter.bot or sitter.away:
        return table
    if asked.fixed or not table.options.move_seconds:
        return table
    over_ms = now_ms - asked.since_ms - max(table.options.move_seconds * 1000, asked.earliest_ms)
    if over_ms <= 0:
        return table
    return table.with_sitter(asked.seat, _with_bank(sitter, sitter.bank_ms - over_ms))


def _with_bank(sitter: Sitter, bank_ms: int) -> Sitter:
    return msgspec.structs.replace(sitter, bank_ms=max(0, bank_ms))
