"""Whole games played by people who note what they are told, one table after the other, and what became of them."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Cheeseboard, Snapshot, Step, table_options
from cheeseboard_client.errors import CheeseboardError
from service_runtime.redis_connection import RedisConnection
from tests.faults.checker import Fault, check
from tests.faults.journal import Final, Journal
from tests.faults.players import Account, Manners, Player, look_around, spectate
from tests.faults.stored import heads_of

PLAYED_WITHIN_SECONDS = 120.0
LEVELS = (ct.LEVEL_HOUSE_CAT, ct.LEVEL_WILD_CAT)


@dataclass
class Tally:
    """What came of all games."""

    games: int = 0
    resets: int = 0
    """How often a viewer was told to drop what it had been shown."""
    by_engine: int = 0
    """Moves that the engine did, or seats that it took over, for somebody who plays."""
    faults: list[Fault] = field(default_factory=list)
    account: Account = field(default_factory=Account)

    def count(self, kind: str) -> int:
        """Return how many promises of a kind were broken."""
        return Counter(fault.kind for fault in self.faults)[kind]


@asynccontextmanager
async def clients(engines: Sequence[str], scorings: Sequence[str], count: int) -> AsyncIterator[list[Cheeseboard]]:
    """Yield guests that reach the product by these addresses, with the patience that every user of the SDK has."""
    async with AsyncExitStack() as exits:
        people = []
        for number in range(count):
            client = await exits.enter_async_context(Cheeseboard.connect(engines, scorings))
            await client.sign_in_guest(f"Guest {number}")
            people.append(client)
        yield people


class Load:
    """People who play at some tables at once until they are told to stop; each sits at several tables."""

    def __init__(
        self,
        people: Sequence[Cheeseboard],
        dice: random.Random,
        manners: Manners,
        move_seconds: int = 0,
        levels: Sequence["ct.Level.ValueType"] = LEVELS,
        connection: RedisConnection | None = None,
        check_at_once: bool = True,
    ) -> None:
        self.tally = Tally()
        self.setting_up = asyncio.Lock()
        """Where something may be lost, it is held from the making of a table until its game has begun: whoever else
        holds it keeps any from being made."""
        self.tables: list[str] = []
        """All that were set up, the newest last."""
        self._ended: list[tuple[Journal, Final]] = []
        self._check_at_once = check_at_once
        """Checking a game holds up whoever is measured in this process."""
        self._connection = connection
        """The way to a store that may lose something in a failover; None: nothing may be lost."""
        self._people = people
        self._dice = dice
        self._manners = manners
        self._move_seconds = move_seconds
        self._levels = levels
        self._stopping = asyncio.Event()

    async def run(self, tables: int) -> Tally:
        """Play at so many tables at once; return when the last game that was begun has been checked."""
        await asyncio.gather(*(self._one_after_the_other() for _ in range(tables)))
        self._check()
        return self.tally

    def stop(self) -> None:
        """Begin no game any more."""
        self._stopping.set()

    async def _one_after_the_other(self) -> None:
        while not self._stopping.is_set():
            self._ended.append(await self.game())
            if self._check_at_once:
                self._check()

    async def game(self) -> tuple[Journal, Final]:
        """Play a game by some of the people; return what they were told, and what the table says in the end."""
        people = self._dice.sample(self._people, self._dice.randint(2, 4))
        watcher = self._dice.choice([person for person in self._people if person not in people])
        bots = self._dice.choice((0, 0, 1, 5 - len(people)))
        async with AsyncExitStack() as setting_up:
            if self._connection is not None:
                await setting_up.enter_async_context(self.setting_up)
            journal, since = await self._table(people, bots)
            self.tables.append(journal.table_id)
            viewers = dict(enumerate(people)) | {None: watcher}
            with suppress(TimeoutError):  # The checker says so, or finds the game ended all the same.
                async with asyncio.timeout(PLAYED_WITHIN_SECONDS):
                    async with self._playing(journal, people, watcher) as play:
                        await play(setting_up.aclose)
                        while (final := await self._final(journal.table_id, viewers, since)) is None:
                            await play(None)
                    return journal, final
        return journal, await final_of(journal.table_id, viewers, since)

    async def _final(self, table_id: str, viewers: dict[int | None, Cheeseboard], since: str) -> Final | None:
        """Return what the table says in the end, None if a failover took the end back."""
        if self._connection is None:
            return await final_of(table_id, viewers, since)
        before = await heads_of(self._connection, table_id)
        final = await final_of(table_id, viewers, since)
        heads = await heads_of(self._connection, table_id)
        return replace(final, heads=heads) if final.over and heads == before else None

    def _check(self) -> None:
        while self._ended:
            self._count(*self._ended.pop())

    def _count(self, journal: Journal, final: Final) -> None:
        self.tally.games += 1
        self.tally.resets += sum(isinstance(f, Snapshot) and f.reset for told in journal.told for f in told.frames)
        self.tally.faults += check(journal, final)
        self.tally.by_engine += _by_engine(final)

    async def _table(self, people: Sequence[Cheeseboard], bots: int) -> tuple[Journal, str]:
        """Return a table with these people and bots, and the resume point after it was made."""
        options = table_options(
            ct.Options(level=self._dice.choice(self._levels)),
            len(people) + bots,
            move_seconds=self._move_seconds,
            allow_spectators=True,
        )
        table_id = (await people[0].create_table(options)).table_id
        since = (await people[0].snapshot(table_id)).resume_point
        for person in people[1:]:
            await person.join(table_id)
        for number in range(bots):
            await people[0].seat_bot(table_id, ("random", "careful")[number % 2])
        return Journal(table_id), since

    @asynccontextmanager
    async def _playing(
        self, journal: Journal, people: Sequence[Cheeseboard], watcher: Cheeseboard
    ) -> AsyncIterator[Callable[[Callable[[], Awaitable[None]] | None], Awaitable[None]]]:
        """Yield what has all watch and play until they have seen the end; at first it begins the game, and says so."""
        account, manners = self.tally.account, self._manners
        players = [
            Player(person, seat, journal, journal.watch(seat), account, manners, random.Random(self._dice.random()))
            for seat, person in enumerate(people)
        ]
        told = journal.watch(None)
        curious = [
            asyncio.create_task(look_around(watcher, None, journal, players[0])),
            asyncio.create_task(look_around(people[-1], len(people) - 1, journal, players[-1])),
        ]

        async def play(begun: Callable[[], Awaitable[None]] | None) -> None:
            async with asyncio.TaskGroup() as playing:
                playing.create_task(spectate(watcher, journal.table_id, told))
                for player in players:
                    playing.create_task(player.play())
                if begun is not None:
                    await people[0].start(journal.table_id)
                    await begun()

        try:
            yield play
        finally:
            for task in curious:
                task.cancel()
            await asyncio.gather(*curious, return_exceptions=True)


async def final_of(table_id: str, viewers: dict[int | None, Cheeseboard], since: str) -> Final:
    """Return what the table says now to each viewer; `since` is the resume point from which its log is told."""
    some = next(iter(viewers.values()))
    view = await some.view(table_id)
    if view.status != tables_pb2.TABLE_STATUS_FINISHED:
        return Final(view, {}, {}, None)
    records = {viewer: await client.record(table_id) for viewer, client in viewers.items()}
    logs = {viewer: await _log(client, table_id, since) for viewer, client in viewers.items()}
    try:
        board = await some.scoreboard(table_id)
    except CheeseboardError:
        board = None
    return Final(view, records, logs, board)


async def _log(client: Cheeseboard, table_id: str, since: str) -> tuple[tables_pb2.TableEvent, ...]:
    async with aclosing(client.watch(table_id, resume_point=since)) as frames:
        async for frame in frames:
            if isinstance(frame, Step):
                return frame.events
            if isinstance(frame, Snapshot):  # A failover took the end back, and what lies hidden is not told.
                return ()
    raise AssertionError("a watch does not end by itself")


def _by_engine(final: Final) -> int:
    """Return how often the engine acted for somebody who plays: bots are never acted for, nor away."""
    record = final.records.get(None)
    games = [(event, event.cheez_tricks) for event in record.events] if record else []
    return sum(g.card_played.by_engine or g.trump_set.by_engine or e.HasField("seat_went_away") for e, g in games)
