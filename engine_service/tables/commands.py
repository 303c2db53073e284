"""The only writer of tables: load, decide, commit, and again if another step came first.

Commands of one table queue inside the replica; between replicas the order is the order of commits.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec

from engine_service.store.head import Head
from engine_service.store.table_store import Step, TableStore
from engine_service.tables.codec import Entry, encode_entry, encode_table
from engine_service.tables.desks import Desk, Desks, Hint
from engine_service.tables.events import Change
from engine_service.tables.policy import Policy
from engine_service.tables.requests import Answer, Request, earlier_answer, remembering
from engine_service.tables.rounds import round_message
from engine_service.tables.stored import Stored, stored_of
from engine_service.tables.table import Table
from engine_service.tables.timing import next_due_ms
from service_runtime.errors import Refused

Decide = Callable[[Stored], Change]

QUARANTINE_AFTER = 5
"""A table whose rules raised this often is held back until an operator lets it go."""
PATIENCE_SECONDS = 20.0
"""How long a step tries to come first."""


class Committed(Protocol):
    """Who wants to know of every step of this replica."""

    def __call__(self, before: Head | None, stored: Stored, entry: Entry, due_ms: int | None) -> None: ...


class RulesRaised(Exception):
    """The rules of a table raised: our bug. The table is as it was."""


class Tables:
    """Commands on tables."""

    def __init__(self, store: TableStore, policy: Policy) -> None:
        self.store = store
        self.policy = policy
        self.committed: list[Committed] = []
        self.stepped: list[Callable[[str], None]] = []
        """Who wants to know when a step of this replica is over, committed or not."""
        self._desks = Desks()

    def is_writing(self, table_id: str) -> bool:
        """Tell whether a step of this replica is under way at a table."""
        return self._desks.in_use(table_id)

    async def load(self, table_id: str) -> Stored:
        """Return the table as it is now. Refuses TABLE_NOT_FOUND, NEWER_RELEASE, QUARANTINED."""
        try:
            return self.admitted(table_id, stored_of(await self.store.read(table_id)))
        except ValueError:
            return self.admitted(table_id, None)

    def admitted(self, table_id: str, stored: Stored | None) -> Stored:
        """Return a table that may be used, or refuse it."""
        if stored is None:
            raise Refused("TABLE_NOT_FOUND", "there is no such table", facts={"table_id": table_id[:64]})
        if stored.faults >= QUARANTINE_AFTER:
            raise Refused("QUARANTINED", "the table is held back for inspection")
        return stored

    async def create(
        self, table: Table[Any, Any], decide: Decide, request: Request | None = None
    ) -> tuple[Stored, Answer]:
        """Set up a table, or find the one of this id that was set up before. Refuses TABLE_NOT_FOUND: it is gone."""
        async with self._turn(table.table_id):
            row = await self.store.read(table.table_id)
            existing = stored_of(row)
            if existing is None:
                now_ms = row.server_ms - row.credit_ms
                blank = msgspec.structs.replace(table, created_ms=now_ms, touched_ms=now_ms)
                stored = Stored(blank, row.head, row.server_ms, row.credit_ms)
                done = await self._commit(None, stored, await self._decided(stored, decide), request)
                if done is not None:
                    return done
                existing = await self.load(table.table_id)
        earlier = earlier_answer(existing.table, request) if request is not None else None
        return existing, earlier or Answer(existing.head, 0)

    async def execute(self, table_id: str, decide: Decide, request: Request | None = None) -> Answer:
        """Do one step. A repeated request gets its answer again; refusals and steps without events change nothing.

        Refuses CONFLICT when others come first for PATIENCE_SECONDS. Raises EntryGone.
        """
        async with self._turn(table_id) as desk:
            done = await self._by_hint(desk, decide, request)
            return done or await self._insisting(desk, table_id, decide, request)

    def _turn(self, table_id: str) -> "_Turn":
        return _Turn(self._desks.at(table_id), table_id, self.stepped)

    async def _insisting(self, desk: Desk, table_id: str, decide: Decide, request: Request | None) -> Answer:
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            done = await self._by_reading(desk, table_id, decide, request)
            if done is not None:
                return done
        raise Refused("CONFLICT", "other commands came first, again and again")

    async def _by_reading(self, desk: Desk, table_id: str, decide: Decide, request: Request | None) -> Answer | None:
        """Do a step on the table as it is now; None when another came first."""
        at = time.monotonic()
        stored = await self.load(table_id)
        if request is not None and (answer := earlier_answer(stored.table, request)) is not None:
            return answer
        change = await self._decided(stored, decide)
        if not change.events:
            answer = Answer(stored.head, change.value)
            return answer if request is None or await self._noted(stored, request, answer) else None
        return await self._commit_and_keep(desk, Hint(stored, at, at), change, request)

    async def _noted(self, stored: Stored, request: Request, answer: Answer) -> bool:
        """Remember the answer of a request that changed nothing; False when another step came first."""
        table = remembering(stored.table, request, answer)
        return await self.store.note(table.table_id, stored.head, encode_table(table))

    async def _by_hint(self, desk: Desk, decide: Decide, request: Request | None) -> Answer | None:
        """Do a step on the table as it was known last; None when that does not lead to an accepted commit."""
        hint = desk.take()
        if hint is None:
            return None
        try:
            if request is not None and earlier_answer(hint.stored.table, request) is not None:
                return None
            change = await self._decided(hint.stored, decide)
        except Refused:
            return None
        return await self._commit_and_keep(desk, hint, change, request) if change.events else None

    async def _commit_and_keep(self, desk: Desk, hint: Hint, change: Change, request: Request | None) -> Answer | None:
        done = await self._commit(hint.stored.head, hint.stored, change, request)
        if done is None:
            return None
        after, answer = done
        desk.keep(Hint(after, hint.at, hint.read_at))
        return answer

    async def _commit(
        self, old: Head | None, stored: Stored, change: Change, request: Request | None
    ) -> tuple[Stored, Answer] | None:
        """Write a change; None when another step came first."""
        head = Head.after(stored.head.sequence + len(change.events))
        answer = Answer(head, change.value)
        if request is None:
            table = msgspec.structs.replace(change.table, sequence=head.sequence)
        else:
            table = msgspec.structs.replace(change.table, sequence=head.sequence, touched_ms=stored.now_ms)
            table = remembering(table, request, answer)
        entry = Entry(stored.server_ms, change.events, head.sequence)
        due_ms = next_due_ms(table, self.policy)
        if not await self.store.commit(self._written(old, head, table, entry, change, due_ms)):
            return None
        after = msgspec.structs.replace(stored, table=table, head=head)
        for tell in self.committed:
            tell(old, after, entry, due_ms)
        return after, answer

    def _written(
        self, old: Head | None, new: Head, table: Table[Any, Any], entry: Entry, change: Change, due_ms: int | None
    ) -> Step:
        listed = table.options.listed and table.status == "open"
        return Step(
            table_id=table.table_id,
            old=old,
            new=new,
            value=encode_table(table),
            entry=encode_entry(entry),
            due_ms=due_ms,
            listed_ms=table.created_ms if listed else None,
            round_ended=round_message(table, change.round_ended, entry.at_ms) if change.round_ended else None,
            scores_entry=change.scores_entry,
        )

    async def _decided(self, stored: Stored, decide: Decide) -> Change:
        try:
            return decide(stored)
        except Refused:
            raise
        except Exception as bug:
            await self.store.count_fault(stored.table.table_id)
            raise RulesRaised(f"{stored.table.game}: {type(bug).__name__}") from bug


class _Turn:
    """A table's desk for one step; that the step is over is told, for what was heard meanwhile waits for it."""

    __slots__ = ("_desk", "_stepped", "_table_id")

    def __init__(self, desk: Desk, table_id: str, stepped: Sequence[Callable[[str], None]]) -> None:
        self._desk = desk
        self._table_id = table_id
        self._stepped = stepped

    async def __aenter__(self) -> Desk:
        await self._desk.turn.acquire()
        return self._desk

    async def __aexit__(self, *_: object) -> None:
        self._desk.turn.release()
        for tell in self._stepped:
            tell(self._table_id)
