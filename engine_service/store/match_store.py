"""Matchmaking in Redis: tickets and their lines, one step a script. Bodies, outcomes and matches are opaque bytes.

Every script may be sent twice. Times are ms of matchmaking's own clock, which stands still while nobody takes from the
agenda: an outage costs nobody its place, and no ticket expires in it.
"""

from collections.abc import Sequence
from importlib import resources
from typing import Any, Literal

import msgspec

from engine_service.store import match_keys as keys
from engine_service.store.keys import tables_of
from engine_service.store.replies import checked
from service_runtime.rating_keys import asking_ratings, strengths_in
from service_runtime.redis_connection import RedisConnection
from service_runtime.redis_script import Script

LEASE_MS = 1_500
"""How long whoever takes something from the agenda, or claims a match, has to see to it."""
KEPT_MS = 600_000
"""How long a ticket that is over can be asked about."""
BACKSTOP_MS = 14 * 86_400_000
"""When Redis drops a ticket that nobody ended; its expiry comes long before."""
NEAR, OLD = 8, 8
"""How many tickets are looked at, of each size: nearest ratings on each side, and those that waited longest."""
MOST_PACES = 10_000
_FOLDER = "scripts/matchmaking"

Members = Sequence[bytes]
"""What stands in line, as common.lua says."""


class WrittenTicket(msgspec.Struct, frozen=True):
    """A ticket as it is written."""

    id: str
    body: bytes
    players: tuple[str, ...]
    places: str
    """Where it stands in line: line/seats/size/rating/most, a row each; empty while its party gathers."""
    line: str
    """The first of them."""
    ttl_ms: int
    bots_after_ms: int | None
    party_code: str = ""


class TicketRow(msgspec.Struct, frozen=True):
    """A ticket as it is now."""

    now_ms: int
    credit_ms: int
    """What the clock of matchmaking is behind Redis time."""
    state: str
    """gathering, waiting, seating, matched, cancelled, expired."""
    body: bytes
    entered_ms: int
    expires_ms: int
    outcome: bytes | None
    before: int
    """How many tickets stand before it in its first line."""
    pace_ms: int | None
    """What was waited in its first line of late."""


class Entered(msgspec.Struct, frozen=True):
    """What came of entering or joining a ticket."""

    how: Literal["entered", "known", "joined", "changed", "closed", "waiting", "taken"]
    now_ms: int = 0
    candidates: Members = ()
    elsewhere: str = ""
    """The other live ticket of one of its players…"""
    player_id: str = ""
    """…and whose it is."""


class Looked(msgspec.Struct, frozen=True):
    """A ticket that was looked at."""

    expired: bool
    body: bytes
    entered_ms: int
    candidates: Members


class Claimed(msgspec.Struct, frozen=True):
    """The tickets of a match, as they stood in line; or those that do not wait any more."""

    now_ms: int = 0
    tickets: tuple[tuple[bytes, int], ...] = ()
    """Body, and when it entered."""
    missing: tuple[str, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """What becomes of a ticket of a match."""

    ticket_id: str
    players: tuple[str, ...]
    outcome: bytes = b""


class WaitingLine(msgspec.Struct, frozen=True):
    """A line in which somebody waits."""

    line: str
    tickets: int
    oldest_ms: int
    """For how long the first of it has waited."""


class MatchStore:
    """The matchmaking of one Redis."""

    def __init__(self, connection: RedisConnection) -> None:
        self._redis = connection
        names = ("enter", "join", "look", "take", "claim", "seated", "give_back", "finish", "status", "survey")
        self._scripts = {name: _script(name) for name in names}

    async def enter(self, ticket: WrittenTicket, look_ms: int) -> Entered:
        """Write a new ticket, which is looked at after `look_ms` whoever is gone by then."""
        names = [*_of(ticket.id), keys.party(ticket.party_code), *map(keys.player, ticket.players)]
        state, bots = "gathering" if ticket.party_code else "waiting", _or_empty(ticket.bots_after_ms)
        arguments = [ticket.id, ticket.body, state, ticket.ttl_ms, bots, ticket.places, ticket.line, look_ms]
        reply = await self._run("enter", names, *arguments, BACKSTOP_MS, NEAR, OLD, int(state == "gathering"))
        return _entered(reply, ticket.players)

    async def join(self, ticket: WrittenTicket, before: bytes, player_id: str, look_ms: int) -> Entered:
        """Write a party's ticket with one more player, if its body is still as before."""
        names = [*_of(ticket.id), keys.party(ticket.party_code), keys.player(player_id)]
        complete = int(bool(ticket.places))
        arguments = [ticket.id, before, ticket.body, complete, ticket.places, ticket.line, look_ms]
        return _entered(await self._run("join", names, *arguments, BACKSTOP_MS, NEAR, OLD, keys.NEWS), (player_id,))

    async def look(self, ticket_ids: Sequence[str], steps_ms: Sequence[int], net_ms: int) -> tuple[int, list[Looked]]:
        """Return the time, and those tickets that have expired or may have somebody to play with.

        Each is looked at next when it has waited for the next one of `steps_ms`, after the last every `net_ms`.
        """
        names = [keys.AGENDA, keys.RANKS, keys.AGES, keys.SWEEP, *map(keys.ticket, ticket_ids)]
        now_ms, *rows = await self._run("look", names, NEAR, OLD, net_ms, len(steps_ms), *steps_ms, *ticket_ids)
        return now_ms, [Looked(state == b"expired", body, at, found) for _, state, body, at, *found in rows]

    async def take(self, most: int) -> tuple[list[str], list[str]]:
        """Return up to `most` tickets and matches that are to be looked at now, taken for a lease."""
        names = [keys.AGENDA, keys.SWEEP]
        reply = await self._run("take", names, LEASE_MS, most, patient=False)
        taken = [name.decode() for name in reply[1:]]
        tickets = [name for name in taken if not name.startswith("match/")]
        return tickets, [name.removeprefix("match/") for name in taken if name.startswith("match/")]

    async def claim(self, match_id: str, match: bytes, ticket_ids: Sequence[str]) -> Claimed:
        """Take all tickets of a match out of line, or none."""
        names = [keys.AGENDA, keys.RANKS, keys.AGES, keys.MATCHES, keys.SWEEP, *map(keys.ticket, ticket_ids)]
        done, *found = await self._run("claim", names, match_id, match, LEASE_MS, *ticket_ids)
        if not done:
            return Claimed(missing=tuple(name.decode() for name in found))
        return Claimed(found[0], tuple(zip(found[1::2], found[2::2], strict=True)))

    async def match(self, match_id: str) -> bytes | None:
        """Return a match that is being seated, or None."""
        value: bytes | None = await self._redis.command("HGET", keys.MATCHES, match_id, repeatable=True)
        return value

    async def seated(self, match_id: str, line: str, waited_ms: int, outcomes: Sequence[Outcome]) -> bool:
        """Give the tickets of a match their outcomes; False if that was done before."""
        names = [keys.AGENDA, keys.MATCHES, keys.PACES, *_keys_of(outcomes)]
        rows = [part for each in outcomes for part in (each.ticket_id, each.outcome, len(each.players))]
        return bool(await self._run("seated", names, match_id, KEPT_MS, keys.NEWS, line, waited_ms, MOST_PACES, *rows))

    async def give_back(self, match_id: str, pause_ms: int, tickets: Sequence[Outcome]) -> bool:
        """Put the tickets of a match back in line; False if it is no more."""
        names = [keys.AGENDA, keys.MATCHES, keys.SWEEP, *_keys_of(tickets)]
        rows = [part for each in tickets for part in (each.ticket_id, len(each.players))]
        return bool(await self._run("give_back", names, match_id, pause_ms, KEPT_MS, keys.NEWS, *rows))

    async def finish(
        self, ticket: WrittenTicket, body: bytes, why: Literal["cancelled", "expired"]
    ) -> Literal["done", "over", "changed"]:
        """End a ticket that waits, if its body is still the one that was read.

        It is over if it does not wait any more; while it is being seated a player's wish is noted.
        """
        names = [*_of(ticket.id), keys.party(ticket.party_code), *map(keys.player, ticket.players)]
        reply = await self._run("finish", names, ticket.id, body, why, KEPT_MS, keys.NEWS)
        how: Literal["done", "over", "changed"] = reply.decode()
        return how

    async def status(self, ticket_id: str, watched: bool = False) -> TicketRow | None:
        """Return a ticket as it is now, None for no such ticket. Being watched keeps it alive."""
        names = [keys.ticket(ticket_id), keys.AGES, keys.PACES, keys.SWEEP]
        reply = await self._run("status", names, int(watched), BACKSTOP_MS)
        if not reply:
            return None
        now_ms, credit_ms, state, body, entered_ms, expires_ms, outcome, before, pace_ms = reply
        pace = None if pace_ms < 0 else pace_ms
        return TicketRow(now_ms, credit_ms, state.decode(), body, entered_ms, expires_ms, outcome, before, pace)

    async def latest_of(self, player_id: str) -> str | None:
        """Return the latest ticket of a player, live or not, or None."""
        held = await self._redis.command("GET", keys.player(player_id), repeatable=True)
        return held[5:].decode() if held else None

    async def meant(self, player_id: str, request_id: str) -> str | None:
        """Return the ticket that a request means which names none: the latest, and when it is repeated, the same."""
        latest, key = await self.latest_of(player_id), keys.about(player_id, request_id)
        if latest is None:
            return None
        first = ("SET", key, latest, "NX", "PX", KEPT_MS)
        _, meant = checked(await self._redis.pipeline([first, ("GET", key)], repeatable=True))
        return str(meant.decode())

    async def party(self, code: str) -> str | None:
        """Return the ticket of a party that gathers under this code, or None."""
        value = await self._redis.command("GET", keys.party(code), repeatable=True)
        return value.decode() if value else None

    async def known_of(self, games: Sequence[str], players: Sequence[str]) -> tuple[list[list[float]], list[int]]:
        """Return the rating (mu) of players, by game and player; and at how many tables each of them may sit."""
        commands = [asking_ratings(game, players) for game in games]
        commands += [("SCARD", tables_of(player)) for player in players]
        replies = checked(await self._redis.pipeline(commands, repeatable=True))
        return [strengths_in(reply) for reply in replies[: len(games)]], replies[len(games) :]

    async def survey(self, most: int) -> list[WaitingLine]:
        """Return up to so many lines in which somebody waits."""
        now_ms, *found = await self._run("survey", [keys.AGES, keys.SWEEP], most, patient=False)
        lines: dict[str, WaitingLine] = {}
        for name, tickets, entered in zip(found[::3], found[1::3], found[2::3], strict=True):
            line = lines.get(name.decode()) or WaitingLine(name.decode(), 0, 0)
            oldest_ms = max(line.oldest_ms, now_ms - entered)
            lines[line.line] = WaitingLine(line.line, line.tickets + tickets, oldest_ms)
        return list(lines.values())

    async def _run(self, name: str, names: Sequence[str], *arguments: Any, patient: bool = True) -> Any:
        return await self._redis.script(self._scripts[name], names, arguments, patient=patient)


def _script(name: str) -> Script:
    folder = resources.files("engine_service.store").joinpath(_FOLDER)
    source = folder.joinpath("common.lua").read_text() + folder.joinpath(f"{name}.lua").read_text()
    return Script.of(f"matchmaking/{name}.lua", source)


def _of(ticket_id: str) -> list[str]:
    return [keys.ticket(ticket_id), keys.AGENDA, keys.RANKS, keys.AGES, keys.SWEEP]


def _keys_of(tickets: Sequence[Outcome]) -> list[str]:
    return [name for each in tickets for name in (keys.ticket(each.ticket_id), *map(keys.player, each.players))]


def _entered(reply: list[Any], players: Sequence[str]) -> Entered:
    how = reply[0].decode()
    if how == "waiting":
        return Entered(how, elsewhere=reply[1].decode(), player_id=players[reply[2] - 1])
    return Entered(how, reply[1], reply[2:]) if len(reply) > 1 else Entered(how)


def _or_empty(number: int | None) -> int | str:
    return "" if number is None else number
