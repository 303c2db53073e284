"""A crowd, in a process of its own so that its work is nobody else's: `python -m tests.faults.crowd KIND ADDRESS SIZE`.

It says "there" when it has done what it came for, stays until its standard input ends, and says what it was answered.
"""

import asyncio
import itertools
import json
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

import grpc

from cheeseboard.engine.v1 import lobby_pb2, lobby_pb2_grpc, tables_pb2, tables_pb2_grpc
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import status, table_options
from cheeseboard_client.errors import RateLimited

Metadata = tuple[tuple[str, str], ...]

NICE = 19
"""It shares the machine with what is measured; a real one would not."""
STREAMS_EACH, TABLES_EACH, AT_ONCE = 25, 50, 4
OWN_CONNECTION: tuple[tuple[str, int], ...] = (("grpc.use_local_subchannel_pool", 1),)


class Guest:
    """Somebody with a connection of their own."""

    def __init__(self, address: str) -> None:
        self.channel = grpc.aio.insecure_channel(address, options=OWN_CONNECTION)
        self.lobby = lobby_pb2_grpc.LobbyServiceStub(self.channel)
        self.tables = tables_pb2_grpc.TableServiceStub(self.channel)
        self.metadata: Metadata = ()
        self._requests = itertools.count()

    async def sign_in(self) -> "Guest":
        """Get a token."""
        answer = await patiently(lambda: self.lobby.SignInGuest(lobby_pb2.SignInGuestRequest(display_name="Crowd")))
        self.metadata = (("authorization", f"Bearer {answer.token}"),)
        return self

    async def table(self) -> str:
        """Set up a table without a clock, where this guest is asked first."""
        game = ct.Options(level=ct.LEVEL_HOUSE_CAT, starting_seat=0)
        options = table_options(game, 2, move_seconds=0, allow_spectators=True)
        request = lobby_pb2.CreateTableRequest(request_id=self.request_id(), options=options)
        answer = await patiently(lambda: self.lobby.CreateTable(request, metadata=self.metadata))
        return str(answer.table_id)

    async def game(self) -> str:
        """Begin a game against a bot at such a table."""
        table_id = await self.table()
        bot = lobby_pb2.SeatBotRequest(request_id=self.request_id(), table_id=table_id)
        await patiently(lambda: self.lobby.SeatBot(bot, metadata=self.metadata))
        start = lobby_pb2.StartGameRequest(request_id=self.request_id(), table_id=table_id)
        await patiently(lambda: self.lobby.StartGame(start, metadata=self.metadata))
        return table_id

    def request_id(self) -> str:
        """Return another one each time."""
        return f"crowd-{next(self._requests)}"


async def patiently(call: Callable[[], Awaitable[Any]]) -> Any:
    """Return the answer of a call, waiting as long as a limit says."""
    while True:
        try:
            return await call()
        except grpc.aio.AioRpcError as error:
            refusal = status.from_call(error)
            if not isinstance(refusal, RateLimited):
                raise refusal from None
            await asyncio.sleep(refusal.retry_after or 0.1)


async def guests(address: str, count: int) -> list[Guest]:
    """Return so many guests that are signed in."""
    return [await Guest(address).sign_in() for _ in range(count)]


async def nobody(address: str, size: int, told: Counter[str], tables: list[str]) -> Any:
    """Do nothing: how much the machine itself makes the others wait."""


async def deaf(address: str, size: int, told: Counter[str], tables: list[str]) -> Any:
    """Open streams of tables where people play, with their whole views, and never read one of them."""
    people = await guests(address, -(-size // STREAMS_EACH))
    return [
        people[number // STREAMS_EACH].tables.WatchTable(
            tables_pb2.WatchTableRequest(table_id=tables[number % len(tables)], include_view=True),
            metadata=people[number // STREAMS_EACH].metadata,
        )
        for number in range(size)
    ]


async def idle(address: str, size: int, told: Counter[str], tables: list[str]) -> Any:
    """Watch tables where nothing happens."""
    people = await guests(address, -(-size // STREAMS_EACH))
    own = [await person.table() for person in people[:10]]
    watching = []
    for number in range(size):
        person = people[number // STREAMS_EACH]
        request = tables_pb2.WatchTableRequest(table_id=own[number % len(own)])
        call = person.tables.WatchTable(request, metadata=person.metadata)
        await call.read()
        told["snapshots"] += 1
        watching.append(asyncio.create_task(_read_on(call, told)))
    return watching


async def _read_on(call: Any, told: Counter[str]) -> None:
    while True:
        await call.read()
        told["frames"] += 1


async def abandon(address: str, size: int, told: Counter[str], tables: list[str]) -> Any:
    """Set up tables and leave them alone; every fourth with a game that has begun."""
    people = await guests(address, max(2, -(-size // TABLES_EACH)))
    room = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> None:
        async with room:
            person = people[number % len(people)]
            await (person.game() if number % 4 == 0 else person.table())
            told["games" if number % 4 == 0 else "tables"] += 1

    await asyncio.gather(*(one(number) for number in range(size)))


async def moves(address: str, size: int, told: Counter[str], tables: list[str]) -> Any:
    """Send bad moves, one after the other."""
    (person,) = await guests(address, 1)
    for request in itertools.islice(_bad_moves(await person.game()), size):
        await _refused(person.tables.SubmitMove(request, metadata=person.metadata), told)


async def moves_at_once(address: str, size: int, told: Counter[str], tables: list[str]) -> Any:
    """Send as many, all at once."""
    (person,) = await guests(address, 1)
    requests = itertools.islice(_bad_moves(await person.game()), size)
    calls = [person.tables.SubmitMove(request, metadata=person.metadata) for request in requests]
    await asyncio.gather(*(_refused(call, told) for call in calls))


async def play(address: str, size: int, told: Counter[str], tables: list[str]) -> Any:
    """Send bad messages over Play, on a new stream whenever one is ended: bad moves, watches of nothing, no request."""
    (person,) = await guests(address, 1)
    left = iter(itertools.islice(_bad_messages(await person.game()), size))
    while told["messages"] < size:
        await _refused(_one_stream(person, left, told), told)


async def garbage(address: str, size: int, told: Counter[str], tables: list[str]) -> Any:
    """Send what is no message at all."""
    (person,) = await guests(address, 1)
    method = "/cheeseboard.engine.v1.TableService/SubmitMove"
    send = person.channel.unary_unary(method, request_serializer=bytes)
    for _ in range(size):
        await _refused(send(b"\xff" * 64, metadata=person.metadata), told)


async def everything(address: str, size: int, told: Counter[str], tables: list[str]) -> Any:
    """All of it at once, but for those who watch idle tables, which are not abandoned then."""
    return await asyncio.gather(
        *(kind(address, size, told, tables) for kind in (deaf, abandon, moves_at_once, play, garbage))
    )


async def _one_stream(person: Guest, left: Iterator[tables_pb2.PlayRequest], told: Counter[str]) -> None:
    async def messages() -> AsyncIterator[tables_pb2.PlayRequest]:
        for message in left:
            told["messages"] += 1
            yield message

    async for response in person.tables.Play(messages(), metadata=person.metadata):
        told.update(answer.move.refused.reason or answer.watch.refused.reason for answer in response.answers)


def _bad_moves(table_id: str) -> Iterator[tables_pb2.SubmitMoveRequest]:
    """Yield moves that are malformed, for another table, not asked for, or impossible."""
    nothing = tables_pb2.Move()
    card = tables_pb2.Move(cheez_tricks=ct.Move(play_card=ct.PlayCard(card=ct.Card(suit=ct.SUIT_BRIE, value=99))))
    for number in itertools.count():
        where = table_id if number % 5 else "00" + "z" * 18
        yield tables_pb2.SubmitMoveRequest(
            table_id=where, request_id=f"bad-{number}", window=number % 3, move=(nothing, card)[number % 2]
        )


def _bad_messages(table_id: str) -> Iterator[tables_pb2.PlayRequest]:
    watch = tables_pb2.PlayRequest(watch=tables_pb2.WatchTableRequest(table_id="nothing"))
    for number, move in enumerate(_bad_moves(table_id)):
        if number % 1000 == 999:
            yield tables_pb2.PlayRequest()
        yield watch if number % 10 == 0 else tables_pb2.PlayRequest(move=move)


async def _refused(call: Awaitable[Any], told: Counter[str]) -> None:
    try:
        await call
        told["OK"] += 1
    except grpc.aio.AioRpcError as error:
        refusal = status.from_call(error)
        told[refusal.reason if hasattr(refusal, "reason") else error.code().name] += 1


KINDS = {kind.__name__: kind for kind in (nobody, deaf, idle, abandon, moves, moves_at_once, play, garbage, everything)}


async def main(kind: str, address: str, size: int, tables: Iterable[str]) -> None:
    """Be a crowd."""
    os.nice(NICE - os.nice(0))
    told: Counter[str] = Counter()
    kept = await KINDS[kind](address, size, told, list(tables))
    print("there", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    print(json.dumps(told), flush=True)
    del kept
    with suppress(BrokenPipeError):
        sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]))
