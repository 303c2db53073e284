"""A simulated player at a table: looks, thinks, moves, goes, comes back, until the game is over.

It knows what its client shows it and nothing else.
"""

import asyncio
from random import Random

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client import Cheeseboard, CheeseboardError, Frame, Interrupted, Match, PlaySession, Snapshot, Step
from cheeseboard_client.errors import (
    GameNotRunning,
    NotAllowedNow,
    NotAskedFor,
    NotYourTurn,
    TableClosed,
    WindowClosed,
)
from cheeseboard_loadtest.choosing.choose import Chosen, choose
from cheeseboard_loadtest.profile import Profile
from cheeseboard_loadtest.provoking import Moment, provoke
from cheeseboard_loadtest.tally import Table, Tally, reason_of
from cheeseboard_loadtest.timing import now, until

OVER = (tables_pb2.TABLE_STATUS_FINISHED, tables_pb2.TABLE_STATUS_CLOSED)
OVERTAKING = (WindowClosed, NotYourTurn, NotAskedFor, GameNotRunning, TableClosed)
OVERTAKEN_SECONDS = 5.0
"""A refusal of an offered move is explained by a frame that comes within this time, or by nothing."""


class Sitting:
    """One player's game; `play_out` is all of it."""

    def __init__(
        self, client: Cheeseboard, match: Match, table: Table, profile: Profile, tally: Tally, dice: Random
    ) -> None:
        self._client = client
        self._table_id = match.table_id
        self._table = table
        self._profile = profile
        self._tally = tally
        self._dice = dice
        self._view = match.snapshot.view
        self._resume_point = match.snapshot.resume_point
        self._back_due: float | None = None
        self._moved_to = 0
        self._closed_window: int | None = None
        self._thought_of: list[tables_pb2.Offer] | None = None
        self._chosen: Chosen | None = None
        self._due = 0.0

    async def play_out(self) -> None:
        """Return when the game is over. Raises CheeseboardError when it cannot be played on."""
        while not self._over():
            with self._tally.being("playing"):
                session = self._client.play(self._table_id, resume_point=self._resume_point, include_view=True)
                async with session:
                    await self._stay(session)
            if not self._over():
                await self._be_away()
        if self._view.status == tables_pb2.TABLE_STATUS_FINISHED:
            self._tally.finish(self._table, now())

    def _over(self) -> bool:
        return self._view.status in OVER

    async def _stay(self, session: PlaySession) -> None:
        """Play until the game is over, or the player goes."""
        while not self._over():
            self._think()
            if frame := await self._frame(session):
                self._take(frame)
            elif self._dice.random() < self._profile.leaving.chance:
                return
            else:
                await self._move(session)

    def _think(self) -> None:
        """Choose among what is offered, and when to do it; what was thought of already goes on being thought of."""
        offers = list(self._view.prompt.offers)
        if self._back_due is not None or self._view.sequence < self._moved_to:
            self._chosen = None  # There is something to be seen first.
        elif offers != self._thought_of:
            self._thought_of = offers
            self._chosen = choose(offers, self._dice)
            self._due = now() + self._profile.thinking.draw(self._dice)

    async def _frame(self, session: PlaySession) -> Frame | None:
        """Return the next frame, or None when it is time to move."""
        try:
            async with asyncio.timeout_at(self._due if self._chosen else None):
                return await anext(session)
        except TimeoutError:
            return None

    def _take(self, frame: Frame) -> None:
        if isinstance(frame, Interrupted):
            self._tally.error("interrupted", frame.cause.partition(":")[0])
        if not isinstance(frame, Snapshot | Step) or frame.view is None:
            return
        if self._back_due is not None:
            self._tally.counts["came_back"] += 1
            self._tally.latencies["return"].add(now() - self._back_due)
            self._back_due = None
        self._view, self._resume_point = frame.view, frame.resume_point
        if isinstance(frame, Snapshot):
            self._moved_to = 0  # Whatever was moved is in it, or was lost.
        elif any(event.HasField("game_voided") for event in frame.events):
            self._table.voided = True

    async def _move(self, session: PlaySession) -> None:
        assert self._chosen
        chosen, due = self._chosen, self._due
        await until(due, self._tally)
        moment = Moment(self._client, session, chosen, self._closed_window)
        if await provoke(self._profile.provoking, moment, self._dice, self._tally):
            due = now()
        self._thought_of = None
        try:
            answer = await session.move(chosen.move, window=chosen.window)
        except NotAllowedNow as refusal:
            await self._explain(refusal, session)
        else:
            self._tally.counts["moves"] += 1
            self._tally.latencies["move"].add(now() - due)
            self._moved_to = answer.sequence
            self._closed_window = chosen.window or self._closed_window

    async def _explain(self, refusal: NotAllowedNow, session: PlaySession) -> None:
        """Count a refused move: overtaken if the table has moved on, else unexpected."""
        before, moved_on = self._view.sequence, isinstance(refusal, OVERTAKING)
        try:
            async with asyncio.timeout(OVERTAKEN_SECONDS):
                while self._view.sequence == before and not self._over():
                    self._take(await anext(session))
        except TimeoutError:
            moved_on = False
        self._tally.error("overtaken" if moved_on else "unexpected", reason_of(refusal))

    async def _be_away(self) -> None:
        """Go, saying so or not, and be back when it is due, as from a device that remembers nothing."""
        self._tally.counts["left"] += 1
        back_due = now() + self._profile.leaving.away.draw(self._dice)
        if self._dice.random() < self._profile.leaving.says_so:
            try:
                await self._client.leave(self._table_id)
            except CheeseboardError as error:
                self._tally.error("overtaken" if isinstance(error, OVERTAKING) else "unexpected", reason_of(error))
        with self._tally.being("away"):
            await until(back_due, self._tally)
        self._back_due, self._resume_point, self._thought_of = back_due, "", None
