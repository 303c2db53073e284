"""Everybody who comes: when, alone or in parties, and for which game. Nobody's coming waits for anybody's answer."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from random import Random

from cheeseboard.engine.v1 import matchmaking_pb2 as pb
from cheeseboard_client import Cheeseboard, CheeseboardError, Match, NotMatched
from cheeseboard_loadtest.profile import Profile
from cheeseboard_loadtest.sitting import Sitting
from cheeseboard_loadtest.tally import Tally, reason_of
from cheeseboard_loadtest.timing import now, until

Clients = Callable[[str], AbstractAsyncContextManager[Cheeseboard]]
"""From a name to the client of a player who has it."""
Finding = Callable[[Cheeseboard], Awaitable[Match]]


@dataclass(frozen=True)
class Party:
    """Players who come together; mostly one."""

    at: float
    """Seconds from the beginning of the run."""
    names: tuple[str, ...]
    game: pb.AcceptedGame


def parties(profile: Profile, run: str, dice: Random) -> list[Party]:
    """Return who comes, in order; `run` begins all names."""
    count = profile.arrivals.count
    sizes: list[int] = []
    while (left := count - sum(sizes)) > 0:
        sizes.append(min(_size(profile.finding.party_sizes(), dice), left))
    over = profile.arrivals.over_seconds
    times = [over * number / len(sizes) for number in range(len(sizes))]
    if not profile.arrivals.even:
        times = sorted(dice.uniform(0, over) for _ in sizes)
    names = iter([f"{run}-{number}" for number in range(count)])
    games = [game.accepted() for game in profile.games]
    wanted = dice.choices(games, [game.share for game in profile.games], k=len(sizes))
    return [
        Party(at, tuple(next(names) for _ in range(size)), game)
        for at, size, game in zip(times, sizes, wanted, strict=True)
    ]


def _size(shares: dict[int, float], dice: Random) -> int:
    """Draw the size of a party, so that the shares come true among players."""
    alone = max(0.0, 1 - sum(shares.values()))
    weights = {1: alone} | {size: share / size for size, share in shares.items()}
    return dice.choices(list(weights), list(weights.values()))[0]


async def come(profile: Profile, clients: Clients, tally: Tally, run: str) -> None:
    """Have everybody come and play; return when the last one is done."""
    dice, began = Random(profile.seed), now()
    async with asyncio.TaskGroup() as players:
        for party in parties(profile, run, dice):
            due = began + party.at
            await until(due, tally)
            for name, finding in _findings(party, profile):
                player = _Player(name, finding, party.game, due, profile, tally)
                players.create_task(player.live(clients))


def _findings(party: Party, profile: Profile) -> list[tuple[str, Finding]]:
    """Return how each of a party finds its game: the first one asks, the others join by the code."""
    size, code = len(party.names), asyncio.get_running_loop().create_future()

    def told(ticket: pb.Ticket) -> None:
        if ticket.party_code and not code.done():
            code.set_result(ticket.party_code)

    def ask(client: Cheeseboard) -> Awaitable[Match]:
        return client.find_match(
            party.game,
            party_size=size if size > 1 else 0,
            bots_after_seconds=profile.finding.bots_after_seconds,
            told=told,
        )

    async def join(client: Cheeseboard) -> Match:
        return await client.find_match_in_party(await asyncio.shield(code))

    return [(name, join if number else ask) for number, name in enumerate(party.names)]


@dataclass(frozen=True)
class _Player:
    name: str
    finding: Finding
    game: pb.AcceptedGame
    due: float
    profile: Profile
    tally: Tally

    async def live(self, clients: Clients) -> None:
        """Come, find a game, play it, and go."""
        self.tally.counts["arrived"] += 1
        try:
            async with clients(self.name) as client:
                if match := await self._find(client):
                    await self._play(client, match)
        except NotMatched as failed:
            gave_up = failed.ticket.state == pb.TICKET_STATE_CANCELLED
            self.tally.counts["gave_up"] += gave_up
            if not gave_up:
                self.tally.error("unexpected", "TICKET_EXPIRED")
        except CheeseboardError as error:
            self.tally.error("unexpected", reason_of(error))

    async def _find(self, client: Cheeseboard) -> Match | None:
        with self.tally.being("waiting"):
            try:
                async with asyncio.timeout_at(self.due + self.profile.finding.patience_seconds):
                    return await self.finding(client)
            except TimeoutError:
                self.tally.counts["gave_up"] += 1
                return None

    async def _play(self, client: Cheeseboard, match: Match) -> None:
        async with match:
            table = self.tally.seat(match, self.game.options.seats, self.due, now())
        dice = Random(f"{self.profile.seed}/{self.name.rpartition('-')[2]}")
        await Sitting(client, match, table, self.profile, self.tally, dice).play_out()
