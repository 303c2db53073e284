"""Who sits where: joining, leaving, bots, starting, rematches, coming back. Pure decisions, one function a command."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from engine_service.rules.shuffle import derived
from engine_service.tables.events import (
    AnyEvent,
    Change,
    GameOpened,
    HostChanged,
    PlayerJoined,
    PlayerLeft,
    RematchWanted,
    SeatReturned,
    SeatWentAway,
    TableClosed,
    TableCreated,
)
from engine_service.tables.games import game_of
from engine_service.tables.playing import deal_in
from engine_service.tables.policy import Policy
from engine_service.tables.table import GameSpan, Sitter, Table
from engine_service.tables.timing import reasked
from service_runtime.errors import Refused

AnyTable = Table[Any, Any]


def create(table: AnyTable, host: Sitter) -> Change:
    """Set up a table that was built by the caller, with its host on seat 0."""
    table = replace(table.with_sitter(0, host), host=0)
    return Change(table, (TableCreated(table.options), PlayerJoined(0, host)), value=0)


def seat_match(table: AnyTable, sitters: Sequence[Sitter], now_ms: int, policy: Policy) -> Change:
    """Set up a table with everyone of a match on their seats, and begin its game. The first person is the host."""
    table = replace(table, seats=tuple(sitters))
    host = table.people()[0]
    joined = tuple(PlayerJoined(seat, sitter) for seat, sitter in enumerate(sitters))
    events: tuple[AnyEvent, ...] = (TableCreated(table.options), *joined, *([HostChanged(host)] if host else []))
    return Change(replace(table, host=host), events).then(lambda after: open_game(after, now_ms, policy))


def join(table: AnyTable, player: Sitter, wanted: int | None) -> Change:
    """Take the wanted seat, or the first free one. Who already sits there keeps its seat."""
    seat = table.seat_of(player.player_id)
    if seat is not None:
        return Change(table, value=seat)
    refuse_in_game(table)
    seat = _free(table, wanted)
    table = table.with_sitter(seat, player)
    events: tuple[AnyEvent, ...] = (PlayerJoined(seat, player),)
    if table.host is None:
        table, events = replace(table, host=seat), (*events, HostChanged(seat))
    return Change(table, events, value=seat)


def seat_bot(table: AnyTable, by: int, bot: str, wanted: int | None, now_ms: int, policy: Policy) -> Change:
    """Put a bot of this kind (empty: the game's first) on a seat. Only the host may."""
    refuse_other_than_host(table, by)
    refuse_in_game(table)
    bots = game_of(table).bots
    kind = bot or next(iter(bots))
    if kind not in bots:
        raise Refused("UNKNOWN_BOT", f"{kind!r} is none of {', '.join(bots)}", violations=(("bot", "no such bot"),))
    seat = _free(table, wanted)
    sitter = bot_on(seat, kind)
    seated = Change(table.with_sitter(seat, sitter), (PlayerJoined(seat, sitter),))
    return replace(seated.then(lambda after: _rematch(after, now_ms, policy)), value=seat)


def bot_on(seat: int, kind: str) -> Sitter:
    """Return a bot as it sits on a seat."""
    return Sitter(player_id="", name=f"{kind.capitalize()} bot {seat + 1}", bot=kind)


def leave(table: AnyTable, seat: int, now_ms: int, policy: Policy) -> Change:
    """Give up a seat; during a game the engine plays on for it."""
    if table.status == "running":
        return go_away(table, seat, left=True, now_ms=now_ms, policy=policy)
    if table.status == "closed":
        raise closed()
    change = _give_up(table, seat)
    if not change.table.people():
        return change.then(lambda after: close(after, "ALL_LEFT", now_ms))
    return change.then(lambda after: _rematch(after, now_ms, policy))


def _give_up(table: AnyTable, seat: int) -> Change:
    """Free a seat; another one is the host's then."""
    host = table.host
    table, events = table.with_sitter(seat, None), (PlayerLeft(seat),)
    if host != seat:
        return Change(table, events)
    heir = next(iter(table.people()), None)
    return Change(replace(table, host=heir), events if heir is None else (*events, HostChanged(heir)))


def close(table: AnyTable, reason: str, now_ms: int, before: tuple[AnyEvent, ...] = ()) -> Change:
    """Close the table for good."""
    table = replace(table, status="closed", ended_ms=now_ms, asked=(), scoring_since_ms=None)
    return Change(table, (*before, TableClosed(reason)))


def go_away(table: AnyTable, seat: int, left: bool, now_ms: int, policy: Policy) -> Change:
    """Let the engine play for a seat from now on."""
    sitter = table.seats[seat]
    assert sitter is not None
    if sitter.away:
        return Change(table, (SeatWentAway(seat, left),))
    table = table.with_sitter(seat, replace(sitter, away=True, missed=0))
    table = reasked(table, seat, game_of(table).actors(table.state), now_ms, policy)
    return Change(table, (SeatWentAway(seat, left),))


def come_back(table: AnyTable, seat: int, now_ms: int, policy: Policy) -> Change:
    """Give an away seat back to its player. Nothing happens to a seat that is not away."""
    sitter = table.seats[seat]
    if sitter is None or not sitter.away or table.status == "closed":
        return Change(table)
    table = table.with_sitter(seat, replace(sitter, away=False, missed=0))
    if table.status == "running":
        table = reasked(table, seat, game_of(table).actors(table.state), now_ms, policy)
    return Change(table, (SeatReturned(seat),))


def start(table: AnyTable, by: int, now_ms: int, policy: Policy) -> Change:
    """Begin the first game. Only the host may, and only when every seat is taken."""
    refuse_other_than_host(table, by)
    refuse_started(table)
    free = [str(seat) for seat, sitter in enumerate(table.seats) if sitter is None]
    if free:
        raise Refused("SEATS_FREE", "every seat must be taken first", facts={"free_seats": ",".join(free)})
    return open_game(table, now_ms, policy)


def ask_rematch(table: AnyTable, seat: int, now_ms: int, policy: Policy) -> Change:
    """Ask for another game; it begins when everyone who is there has asked and every seat is taken."""
    if table.status != "finished":
        raise closed() if table.status == "closed" else Refused("GAME_NOT_OVER", "the game is not over")
    sitter = table.seats[seat]
    assert sitter is not None
    back = come_back(table, seat, now_ms, policy)
    wished = Change(
        back.table.with_sitter(seat, replace(sitter, wants_rematch=True, away=False)), (RematchWanted(seat),)
    )
    return back.then(lambda _: wished).then(lambda after: _rematch(after, now_ms, policy))


def _rematch(table: AnyTable, now_ms: int, policy: Policy) -> Change:
    """Begin the next game if everyone who is there has asked. Seats of absent players are given up for it."""
    people = [sitter for sitter in table.seats if sitter is not None and not sitter.bot and not sitter.away]
    if table.status != "finished" or not people or not all(sitter.wants_rematch for sitter in people):
        return Change(table)
    change = Change(table)
    for seat, sitter in enumerate(table.seats):
        if sitter is not None and sitter.away:
            change = change.then(lambda after, seat=seat: _give_up(after, seat))  # type: ignore[misc]
    if change.table.free_seat() is not None:
        return change
    return change.then(lambda after: open_game(after, now_ms, policy))


def open_game(table: AnyTable, now_ms: int, policy: Policy) -> Change:
    """Begin the table's next game with everyone who sits there."""
    number, bank_ms = table.game_number + 1, table.options.bank_seconds * 1000
    seats = tuple(replace(s, bank_ms=bank_ms, missed=0, wants_rematch=False) for s in table.seats if s is not None)
    span = GameSpan(number, first=table.sequence + 1, last=0, players=seats)
    table = replace(table, seats=seats, status="running", game_number=number, span=span, state=None, ended_ms=None)
    table = replace(table, veiled_to=0, open_from=table.sequence + 1)
    seed = derived(table.key, f"game/{number}")
    dealt = deal_in(table, game_of(table).setup(table.options.game, len(seats), seed), now_ms, policy, before=1)
    return Change(dealt.table, (GameOpened(number), *dealt.events), value=number)


def refuse_in_game(table: AnyTable) -> None:
    """Refuse to change who plays while a game is played."""
    if table.status == "closed":
        raise closed()
    if table.status == "running":
        raise Refused("GAME_ALREADY_STARTED", "the game has begun")


def refuse_started(table: AnyTable) -> None:
    """Refuse what only a table before its first game takes."""
    refuse_in_game(table)
    if table.status != "open":
        raise Refused("GAME_ALREADY_STARTED", "the first game is over; ask for a rematch")


def refuse_other_than_host(table: AnyTable, by: int) -> None:
    """Refuse what only the host may do."""
    if by != table.host:
        raise Refused("NOT_HOST", "only the host may do this", facts={"host": str(table.host)})


def closed() -> Refused:
    """Return the refusal of a closed table."""
    return Refused("TABLE_CLOSED", "the table is closed")


def _free(table: AnyTable, wanted: int | None) -> int:
    if wanted is None:
        seat = table.free_seat()
        if seat is None:
            raise Refused("TABLE_FULL", "no seat is free")
        return seat
    if not 0 <= wanted < len(table.seats):
        why = f"must be 0 to {len(table.seats) - 1}"
        raise Refused("BAD_REQUEST", f"seat {why}", violations=(("seat", why),))
    if table.seats[wanted] is not None:
        raise Refused("SEAT_TAKEN", "the seat is taken", facts={"seat": str(wanted)})
    return wanted
