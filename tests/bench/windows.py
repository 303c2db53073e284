"""Reaction windows of Cheesy Heist: five seats of a table answer at once, and every seat is told of each answer."""

import asyncio
import itertools
import time
from collections.abc import Sequence
from contextlib import suppress

from cheeseboard.engine.v1 import lobby_pb2, tables_pb2
from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as heist
from tests.bench import measure
from tests.bench.figures import Bench
from tests.bench.playing import Load, Player
from tests.bench.streaming import Stream, Streams

SEATS, TABLES = 5, 50
SECONDS_APART = 0.02
"""Between the windows of two tables when latency is measured: 250 reactions a second."""
ROUNDS = 3
OPTIONS = tables_pb2.TableOptions(
    game=tables_pb2.GameOptions(cheesy_heist=heist.Options(goal=16, reaction_seconds=60)), seats=SEATS
)

_names = itertools.count()


class Window:
    """A table with an open reaction window, watched by its seats."""

    def __init__(self, table_id: str, number: int, streams: Sequence[Stream]) -> None:
        self.seconds: list[float] = []
        """From the sending of each reaction until all seats were told of it."""
        self._table_id = table_id
        self._number = number
        self._streams = streams
        self._sent = 0.0
        self._told = [0] * SEATS
        self._done = asyncio.Event()

    async def react(self) -> None:
        """Drop all five hands at once; return when all seats know of all five."""
        move = tables_pb2.Move(cheesy_heist=heist.Move(drop_all=heist.DropAll()))
        self._sent = time.perf_counter()
        for seat, stream in enumerate(self._streams):
            request = tables_pb2.SubmitMoveRequest(
                table_id=self._table_id, request_id=f"drop/{seat}", window=self._number, move=move
            )
            await stream.write(tables_pb2.PlayRequest(move=request))
        await self._done.wait()

    async def listen(self, stream: Stream, ready: asyncio.Semaphore) -> None:
        """Read one seat's stream for ever."""
        await stream.write(tables_pb2.PlayRequest(watch=tables_pb2.WatchTableRequest(table_id=self._table_id)))
        while True:
            for answer in (await stream.read()).answers:
                assert not answer.move.HasField("refused"), answer
                if answer.watch.frame.HasField("snapshot"):
                    ready.release()
                for event in answer.watch.frame.step.events:
                    if event.cheesy_heist.HasField("cards_dropped"):
                        self._note(event.cheesy_heist.cards_dropped.seat)

    def _note(self, seat: int) -> None:
        self._told[seat] += 1
        if self._told[seat] == SEATS:
            self.seconds.append(time.perf_counter() - self._sent)
            if len(self.seconds) == SEATS:
                self._done.set()


async def reactions(bench: Bench) -> dict[str, float]:
    """Measure reactions that all seats were told of: all tables at once, and their latency at a fixed rate."""
    players = [await _guest(bench.load, number) for number in range(SEATS)]
    rates, latencies = [], list[float]()
    for _ in range(ROUNDS):
        rates.append(SEATS * TABLES / await _run(bench, players, 0.0, []))
        await _run(bench, players, SECONDS_APART, latencies)
    return {
        "window_reactions_per_s": measure.percentile(rates, 0.5),
        "window_p50_ms": measure.percentile(latencies, 0.5) * 1000,
        "window_p99_ms": measure.percentile(latencies, 0.99) * 1000,
    }


async def _run(bench: Bench, players: list[Player], apart: float, latencies: list[float]) -> float:
    """Have all tables react, so many seconds apart; return how long it took."""
    opened = await asyncio.gather(*(_opened(bench.load, players) for _ in range(TABLES)))
    streams = Streams(bench.stack.engines[0].address)
    seats = [[streams.open(player) for player in players] for _ in opened]
    windows = [Window(*at, seats[number]) for number, at in enumerate(opened)]
    ready = asyncio.Semaphore(0)
    listening = [
        asyncio.create_task(window.listen(stream, ready))
        for window, own in zip(windows, seats, strict=True)
        for stream in own
    ]
    for _ in listening:
        await ready.acquire()
    began = time.perf_counter()
    async with asyncio.timeout(60):
        await asyncio.gather(*(_later(window, apart * number) for number, window in enumerate(windows)))
    took = time.perf_counter() - began
    latencies += [seconds for window in windows for seconds in window.seconds]
    for task in listening:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    await streams.close()
    return took


async def _later(window: Window, seconds: float) -> None:
    await asyncio.sleep(seconds)
    await window.react()


async def _guest(load: Load, number: int) -> Player:
    answer = await load.lobby.SignInGuest(lobby_pb2.SignInGuestRequest(display_name=f"Mouse {number}"))
    return Player((("authorization", f"Bearer {answer.token}"),))


async def _opened(load: Load, players: Sequence[Player]) -> tuple[str, int]:
    """Return a table at which a Cat was just played, and the window to answer in."""
    table_id = await _table(load, players)
    while True:
        view = await _view(load, players[0], table_id)
        window, asked = view.prompt.questions[0].window, view.prompt.questions[0].seat
        if view.cheesy_heist.phase == heist.PHASE_REACTION and len(view.prompt.questions) == SEATS + 1:
            return table_id, window
        if view.cheesy_heist.phase != heist.PHASE_TURN:  # Somebody has no card left to drop.
            table_id = await _table(load, players)
            continue
        offers = (await _view(load, players[asked], table_id)).prompt.offers
        cat = any(offer.cheesy_heist.HasField("play_cat") for offer in offers)
        move = heist.Move(play_cat=heist.PlayCat()) if cat else heist.Move(draw_card=heist.DrawCard())
        request = tables_pb2.SubmitMoveRequest(
            table_id=table_id,
            request_id=f"turn/{window}",
            window=window,
            move=tables_pb2.Move(cheesy_heist=move),
        )
        await load.tables[0].SubmitMove(request, metadata=players[asked].metadata)


async def _table(load: Load, players: Sequence[Player]) -> str:
    name = f"window-{next(_names)}"
    create = lobby_pb2.CreateTableRequest(request_id=name, options=OPTIONS)
    table_id = (await load.lobby.CreateTable(create, metadata=players[0].metadata)).table_id
    for player in players[1:]:
        join = lobby_pb2.JoinTableRequest(request_id=name, table_id=table_id)
        await load.lobby.JoinTable(join, metadata=player.metadata)
    start = lobby_pb2.StartGameRequest(request_id=f"{name}/start", table_id=table_id)
    await load.lobby.StartGame(start, metadata=players[0].metadata)
    return table_id


async def _view(load: Load, player: Player, table_id: str) -> tables_pb2.TableView:
    answer = await load.tables[0].GetView(tables_pb2.GetViewRequest(table_id=table_id), metadata=player.metadata)
    view: tables_pb2.TableView = answer.view
    return view
