"""Moves and frames over Play: one stream a seat of a table, frames counted without being read."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import grpc

from cheeseboard.engine.v1 import tables_pb2
from tests.bench.playing import SEATS, Load, Player, Round

PLAY = "/cheeseboard.engine.v1.TableService/Play"
STREAMS_A_CHANNEL = 64


class Stream:
    """A Play stream; many tasks may write to it."""

    def __init__(self, call: "grpc.aio.StreamStreamCall[bytes, bytes]") -> None:
        self._call = call
        self._writing = asyncio.Lock()

    async def write(self, request: tables_pb2.PlayRequest) -> None:
        """Send a message; gRPC takes one at a time."""
        async with self._writing:
            await self._call.write(request.SerializeToString())

    async def read(self) -> tables_pb2.PlayResponse:
        """Return the next message."""
        message = await self._call.read()
        assert isinstance(message, bytes)
        return tables_pb2.PlayResponse.FromString(message)

    def cancel(self) -> None:
        """End it."""
        self._call.cancel()


class Streams:
    """Play streams to one engine, over as many channels as they need."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._channels: list[grpc.aio.Channel] = []
        self._open = 0

    def open(self, player: Player) -> Stream:
        """Return a new stream."""
        if self._open % STREAMS_A_CHANNEL == 0:
            options = [("grpc.use_local_subchannel_pool", 1)]
            self._channels.append(grpc.aio.insecure_channel(self._address, options=options))
        self._open += 1
        return Stream(self._channels[-1].stream_stream(PLAY)(metadata=player.metadata))

    async def close(self) -> None:
        """Close all channels."""
        for channel in self._channels:
            await channel.close()


async def play_moves(streams: Streams, load: Load, rounds: list[Round], tricks: int, at_once: int = 64) -> int:
    """Play tricks at all tables over four streams, one a player, a number of tables at once; return the moves."""
    calls = [streams.open(player) for player in load.players]
    answers: dict[str, asyncio.Future[None]] = {}
    readers = [asyncio.create_task(_answers(call, answers)) for call in calls]
    waiting, moves = iter(rounds), 0

    async def worker() -> None:
        nonlocal moves
        for table in waiting:
            for seat, request in table.moves(tricks):
                answers[request.request_id] = answered = asyncio.get_running_loop().create_future()
                await calls[seat].write(tables_pb2.PlayRequest(move=request))
                await answered
                moves += 1

    await asyncio.gather(*(worker() for _ in range(at_once)))
    for reader, call in zip(readers, calls, strict=True):
        reader.cancel()
        call.cancel()
    return moves


async def _answers(call: Stream, answers: dict[str, "asyncio.Future[None]"]) -> None:
    while True:
        for answer in (await call.read()).answers:
            assert answer.move.WhichOneof("answer") == "accepted", answer
            answers.pop(answer.move.request_id).set_result(None)


class WatchedTable:
    """A table with a stream at each of its four seats; knows when all have received what a move brought."""

    def __init__(self, table: Round, calls: list[Stream], tricks: int) -> None:
        self.moves = list(table.moves(tricks))
        self._calls = calls
        self._table_id = table.table_id
        self._missing = SEATS
        self._all_there = asyncio.Event()
        self._readers = [asyncio.create_task(self._count(call)) for call in calls]

    async def begin(self, views: bool) -> None:
        """Watch from every seat, with the view in each frame or without, and return when all have their first frame."""
        request = tables_pb2.WatchTableRequest(table_id=self._table_id, include_view=views)
        for call in self._calls:
            await call.write(tables_pb2.PlayRequest(watch=request))
        await self._all_there.wait()

    async def move(self, seat: int, request: tables_pb2.SubmitMoveRequest) -> float:
        """Do one move; return the seconds from sending it until all four seats have received it."""
        self._missing, began = SEATS, time.perf_counter()
        self._all_there.clear()
        await self._calls[seat].write(tables_pb2.PlayRequest(move=request))
        await self._all_there.wait()
        return time.perf_counter() - began

    def end(self) -> None:
        """Close the streams."""
        for reader, call in zip(self._readers, self._calls, strict=True):
            reader.cancel()
            call.cancel()

    async def _count(self, call: Stream) -> None:
        while True:
            for answer in (await call.read()).answers:
                assert answer.move.WhichOneof("answer") != "refused", answer
                if answer.watch.frame.WhichOneof("frame") in ("step", "snapshot"):
                    self._missing -= 1
                    if self._missing == 0:
                        self._all_there.set()


async def watched(streams: Streams, load: Load, count: int, tricks: int, views: bool) -> list[WatchedTable]:
    """Return so many tables, watched by all their players."""
    rounds = await load.rounds(count)
    tables = [WatchedTable(r, [streams.open(player) for player in load.players], tricks) for r in rounds]
    await asyncio.gather(*(table.begin(views) for table in tables))
    return tables


async def closed_loop(tables: list[WatchedTable]) -> int:
    """Play at all tables as fast as moves are delivered; return how many that were."""

    async def one(table: WatchedTable) -> int:
        for seat, request in table.moves:
            await table.move(seat, request)
        return len(table.moves)

    return sum(await asyncio.gather(*(one(table) for table in tables)))


async def open_loop(tables: list[WatchedTable], per_second: float) -> list[float]:
    """Play at a fixed rate, moves spread over the tables; return the seconds each took from its intended time."""
    seconds: list[float] = []
    began, rate = asyncio.get_running_loop().time() + 0.1, per_second / len(tables)

    async def one(number: int, table: WatchedTable) -> None:
        for turn, (seat, request) in enumerate(table.moves):
            due = began + (number / len(tables) + turn) / rate
            await _until(due)
            late = asyncio.get_running_loop().time() - due
            seconds.append(late + await table.move(seat, request))

    await asyncio.gather(*(one(number, table) for number, table in enumerate(tables)))
    return seconds


async def _until(due: float, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
    await sleep(max(0.0, due - asyncio.get_running_loop().time()))
