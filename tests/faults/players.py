"""People who play by the SDK while things break, and note all they are told. They cancel calls, and ask again.

Whoever cancelled a move does not know whether it was done, so it is asked for again: under the same request_id, which
must get the one answer, or under another, which must be refused if the first was done.
"""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client import Cheeseboard, Frame, PlaySession, Snapshot, Step, new_request_id
from cheeseboard_client.errors import CheeseboardError, NotAllowedNow
from tests.faults.journal import Answer, Asked, Journal, Told

T = TypeVar("T")


@dataclass(frozen=True)
class Manners:
    """How people behave."""

    cancels: float = 0.0
    """The share of calls that they give up at a random moment."""
    repeats: float = 0.1
    """The share of answered moves that they send once more."""
    thinks_seconds: float = 0.05
    """How long they think at most."""


@dataclass
class Account:
    """How callers fared."""

    moves: int = 0
    """Moves that were acknowledged."""
    failed: int = 0
    """Moves that the SDK gave up on."""
    cancelled: int = 0
    waits: list[float] = field(default_factory=list)
    """Seconds from sending a move to its answer, of those that were not given up."""
    troubles: list[str] = field(default_factory=list)
    """What the SDK raised."""


@dataclass(frozen=True)
class Player:
    """A person at a seat."""

    client: Cheeseboard
    seat: int
    journal: Journal
    told: Told
    account: Account
    manners: Manners
    dice: random.Random

    async def play(self) -> None:
        """Play until the game is over, by calls of their own or over one stream."""
        async with self._watching(streams=self.dice.random() < 0.5) as (frames, session):
            async for frame in noting(frames, self.told):
                if frame.view is None:
                    continue
                if frame.view.status == tables_pb2.TABLE_STATUS_FINISHED:
                    return
                if frame.view.prompt.offers:
                    await self._think()
                    await self._move(self.dice.choice(list(frame.view.prompt.offers)), session)

    @asynccontextmanager
    async def _watching(self, streams: bool) -> AsyncIterator[tuple[AsyncIterator[Frame], PlaySession | None]]:
        table_id, since = self.journal.table_id, self.told.resume_point
        if streams:
            async with self.client.play(table_id, resume_point=since, include_view=True) as session:
                yield session, session
        else:
            async with aclosing(self.client.watch(table_id, resume_point=since, include_view=True)) as frames:
                yield frames, None

    async def _think(self) -> None:
        await asyncio.sleep(self.dice.uniform(0, self.manners.thinks_seconds))

    async def _move(self, offer: tables_pb2.Offer, session: PlaySession | None) -> None:
        """Ask until it is known that the window is answered."""
        asked = self.journal.ask(self.seat, offer, new_request_id())
        while True:
            try:
                answer = await self._patiently(self._send(asked, offer, session))
            except NotAllowedNow:
                return
            except CheeseboardError as trouble:
                self.account.failed += 1
                self.account.troubles.append(repr(trouble))
                continue
            if answer is not None:
                self._note(asked, answer)
                await self._perhaps_repeat(asked, offer)
                return
            if self.dice.random() < 0.5:
                asked = self.journal.ask(self.seat, offer, new_request_id())

    async def _patiently(self, call: Awaitable[T]) -> T | None:
        """Return what a call returns, None when it was cancelled on the way."""
        if self.dice.random() >= self.manners.cancels:
            began = time.monotonic()
            answer = await call
            self.account.waits.append(time.monotonic() - began)
            return answer
        return await given_up(call, self.dice.expovariate(200), self.account)

    async def _send(
        self, asked: Asked, offer: tables_pb2.Offer, session: PlaySession | None
    ) -> tables_pb2.SubmitMoveResponse:
        if session is not None:
            return await session.move(offer, request_id=asked.request_id)
        return await self.client.move(self.journal.table_id, offer, request_id=asked.request_id)

    def _note(self, asked: Asked, answer: tables_pb2.SubmitMoveResponse) -> None:
        self.account.moves += not asked.answers
        asked.answers.append(Answer(answer.sequence, answer.resume_point))
        asked.heard = len(self.told.frames)

    async def _perhaps_repeat(self, asked: Asked, offer: tables_pb2.Offer) -> None:
        """Send an answered move once more, by a call of its own, whatever way it went before."""
        if self.dice.random() < self.manners.repeats:
            try:
                self._note(asked, await self._send(asked, offer, None))
            except NotAllowedNow:
                asked.refused = True


async def look_around(client: Cheeseboard, viewer: int | None, journal: Journal, player: Player) -> None:
    """Ask for the view again and again, giving up half of the calls, until cancelled."""
    while True:
        await asyncio.sleep(player.dice.uniform(0, 0.4))
        answer: Any = await given_up(client.snapshot(journal.table_id), player.dice.expovariate(100), player.account)
        if answer is not None:
            journal.look(viewer, answer)


async def spectate(client: Cheeseboard, table_id: str, told: Told) -> None:
    """Watch as somebody without a seat until the game is over."""
    async with aclosing(client.watch(table_id, resume_point=told.resume_point, include_view=True)) as frames:
        async for frame in noting(frames, told):
            if frame.view is not None and frame.view.status == tables_pb2.TABLE_STATUS_FINISHED:
                return


async def noting(frames: AsyncIterator[Frame], told: Told) -> AsyncIterator[Snapshot | Step]:
    """Yield what says something of the table, written down."""
    async for frame in frames:
        if isinstance(frame, Snapshot | Step):
            told.frames.append(frame)
            yield frame


async def given_up(call: Awaitable[T], seconds: float, account: Account) -> T | None:
    """Return what a call returns within some time; else cancel it wherever it is, and return None."""
    try:
        async with asyncio.timeout(seconds):
            return await call
    except TimeoutError:
        account.cancelled += 1
        return None
