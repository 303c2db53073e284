"""The figures of matchmaking: how fast players are seated, how long the last one waits, what a full queue costs.

Every ticket is one call that waits for its match, as the SDK's first one does. Players are an operator's, each with a
token of its own.
"""

import asyncio
import itertools
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc

from cheeseboard.engine.v1 import matchmaking_pb2 as pb
from cheeseboard.engine.v1 import matchmaking_pb2_grpc, tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from tests.bench import measure
from tests.support.stack import QUICK, Stack, running_stack
from tests.support.tokens import identity_file, token

SEATS = 4
PEOPLE = 512
SEATED = 4096
"""Players of a run at full speed."""
STEADY_SECONDS, STEADY_PER_SECOND = 10, 200
PAIRS = 500
FEW, MANY = 100, 10_000

Metadata = tuple[tuple[str, str], ...]


@dataclass
class Seekers:
    """People who look for games at one engine, and how they call."""

    stack: Stack
    stubs: list[matchmaking_pb2_grpc.MatchmakingServiceStub]
    people: list[Metadata]
    platform: str
    """The token of the platform's backend."""
    numbers: "itertools.count[int]"

    async def find(self, who: Metadata, wait_ms: int = 5000, members: Sequence[str] = ()) -> pb.Ticket:
        """Look for a game, and return the ticket when it is matched or after so long."""
        number = next(self.numbers)
        request = pb.CreateTicketRequest(
            request_id=f"bench-{number}",
            accepts=[pb.AcceptedGame(options=OPTIONS)],
            members=[pb.PartyMember(player=member) for member in members],
            unwatched_seconds=3600,
            wait_milliseconds=wait_ms,
        )
        return (await self.stubs[number % len(self.stubs)].CreateTicket(request, metadata=who)).ticket

    async def party_of_three(self) -> None:
        """Put a party of three in line."""
        name = f"party-{next(self.numbers)}"
        await self.find(acting_for(self.platform, name), 0, (f"{name}-b", f"{name}-c"))


OPTIONS = tables_pb2.TableOptions(
    game=tables_pb2.GameOptions(cheez_tricks=ct.Options(level=ct.LEVEL_HOUSE_CAT)),
    seats=SEATS,
    clock=tables_pb2.Clock(move_seconds=600),
)


def acting_for(platform: str, player: str) -> Metadata:
    """Return what a platform's backend sends when it acts for a player."""
    return (("authorization", f"Bearer {platform}"), ("cheeseboard-player", player))


async def figures(settings: dict[str, str]) -> dict[str, float]:
    """Measure an engine on a core of its own."""
    async with _seekers(settings) as seekers:
        seated = [await _seated(seekers, callers) for callers in (16, 64)]
        latency = await _last_ticket_to_table(seekers)
        flat = await _ticket_cpu_flat(seekers)
    return {**seated[0], **seated[1], **latency, **flat}


async def _seated(seekers: Seekers, callers: int) -> dict[str, float]:
    """Seat players as fast as so many callers can, each one anew when it has its seat."""
    cpu: list[float] = []

    async def run() -> float:
        pid, tickets = seekers.stack.engines[0].pid, iter(range(SEATED))

        async def caller(number: int) -> None:
            people = itertools.cycle(seekers.people[number::callers])
            for _ in tickets:
                ticket = await seekers.find(next(people))
                if ticket.state != pb.TICKET_STATE_MATCHED:  # The last ones, with nobody left to play with.
                    return

        before, began = measure.cpu_seconds(pid), time.perf_counter()
        tasks = [asyncio.create_task(caller(number)) for number in range(callers)]
        await asyncio.wait(tasks)
        cpu.append((measure.cpu_seconds(pid) - before) / SEATED)
        return SEATED / (time.perf_counter() - began)

    (rate,) = await measure.in_turn(run, rounds=3)
    micros = measure.percentile(cpu, 0.5) * 1e6
    return {
        f"seated_players_per_s_{callers}": rate,
        f"seated_cpu_us_{callers}": micros,
        f"seated_players_per_engine_core_{callers}": 1e6 / micros,
    }


async def _last_ticket_to_table(seekers: Seekers) -> dict[str, float]:
    """Measure, at a steady rate, from the ticket that completes a match to the answer that names the table."""
    tables: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)

    async def one(who: Metadata) -> None:
        began = time.perf_counter()
        ticket = await seekers.find(who)
        tables[ticket.table_id].append((began, time.perf_counter()))

    tasks, began = [], time.perf_counter()
    for number in range(STEADY_SECONDS * STEADY_PER_SECOND):
        tasks.append(asyncio.create_task(one(seekers.people[number % PEOPLE])))
        await asyncio.sleep(max(0.0, began + number / STEADY_PER_SECOND - time.perf_counter()))
    await asyncio.gather(*tasks)
    waits = [seated - began for calls in tables.values() for began, seated in [max(calls)]]
    return {
        "match_p50_ms": measure.percentile(waits, 0.5) * 1000,
        "match_p99_ms": measure.percentile(waits, 0.99) * 1000,
    }


async def _ticket_cpu_flat(seekers: Seekers) -> dict[str, float]:
    """Compare the CPU of a ticket, in engine and Redis server, with 10,000 tickets in line and with 100.

    In line are parties of three, who all wait for a fourth. Another party gets in line, then a single player, who is
    seated with the party that waited longest: so the line stays as long as it is.
    """

    pids = seekers.stack.engines[0].pid, seekers.stack.valkey.pid

    async def micros() -> float:
        room = asyncio.Semaphore(16)

        async def pair(number: int) -> None:
            async with room:
                await seekers.party_of_three()
                ticket = await seekers.find(seekers.people[number % PEOPLE])
                assert ticket.state == pb.TICKET_STATE_MATCHED

        before = sum(map(measure.cpu_seconds, pids))
        await asyncio.gather(*(pair(number) for number in range(PAIRS)))
        return (sum(map(measure.cpu_seconds, pids)) - before) / (2 * PAIRS) * 1e6

    async def wait_in_line(count: int) -> None:
        room = asyncio.Semaphore(32)

        async def party() -> None:
            async with room:
                await seekers.party_of_three()

        await asyncio.gather(*(party() for _ in range(count)))

    await wait_in_line(FEW)
    (few,) = await measure.in_turn(micros)
    await wait_in_line(MANY - FEW)
    (many,) = await measure.in_turn(micros)
    return {"ticket_cpu_us_100": few, "ticket_cpu_us_10000": many, "ticket_cpu_flat": many / few}


@asynccontextmanager
async def _seekers(settings: dict[str, str]) -> AsyncIterator[Seekers]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        identity = {"CHEESEBOARD_IDENTITY_FILE": str(identity_file(folder))}
        with running_stack(folder, settings={**QUICK, **settings, **identity}) as stack:
            measure.pin(stack.engines[0].pid, measure.SERVER_CORE)
            for pid in (stack.valkey.pid, stack.scorings[0].pid, os.getpid()):
                measure.pin(pid, measure.LOAD_CORE)
            options = [("grpc.use_local_subchannel_pool", 1)]
            channels = [grpc.aio.insecure_channel(stack.engines[0].address, options=options) for _ in range(4)]
            people = [(("authorization", f"Bearer {token(f'player-{number}')}"),) for number in range(PEOPLE)]
            stubs = [matchmaking_pb2_grpc.MatchmakingServiceStub(channel) for channel in channels]
            yield Seekers(stack, stubs, list(people), token("platform", scope="service"), itertools.count())
            for channel in channels:
                await channel.close()
