"""A game at a table: what moves, time and scores do to it. Pure decisions, one function a command."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from engine_service.rules.game import IllegalMove, Move, RecordScores, TimeOut
from engine_service.tables.events import Change, GameEvent, GameVoided, SeatWentAway
from engine_service.tables.games import game_of
from engine_service.tables.policy import Policy
from engine_service.tables.table import Table
from engine_service.tables.timing import reasked, retimed
from engine_service.tables.windows import told
from service_runtime.errors import Refused

AnyTable = Table[Any, Any]


def move(table: AnyTable, command: Move[Any], now_ms: int, policy: Policy) -> Change:
    """Do a seat's move."""
    refuse_idle(table)
    sitter = table.seats[command.seat]
    assert sitter is not None
    if sitter.missed:
        table = table.with_sitter(command.seat, replace(sitter, missed=0))
    return deal_in(table, _decided(table, command), now_ms, policy)


def time_up(table: AnyTable, seat: int | None, window: int, now_ms: int, policy: Policy) -> Change:
    """Act on one question whose time is over. Nothing happens if it was answered or given time meanwhile."""
    asked = next((a for a in table.asked if (a.seat, a.window) == (seat, window)), None)
    if table.status != "running" or asked is None or asked.due_ms is None or asked.due_ms > now_ms:
        return Change(table)
    change = deal_in(table, _decided(table, TimeOut(seat, window)), now_ms, policy)
    sitter = table.seats[seat] if seat is not None else None
    if seat is None or sitter is None or sitter.bot or sitter.away:
        return change
    return _missed(change, seat, now_ms, policy)


def record_scores(table: AnyTable, game_number: int, scores: RecordScores, now_ms: int, policy: Policy) -> Change:
    """Let the game go on, or end, with the scores of its round. Scores that come late or twice have no effect."""
    if table.status != "running" or table.game_number != game_number or table.scoring_since_ms is None:
        return Change(table)
    try:
        return deal_in(table, game_of(table).decide(table.state, scores), now_ms, policy)
    except IllegalMove:
        return Change(table)


def void(table: AnyTable, reason: str, now_ms: int) -> Change:
    """End the running game without a result."""
    table = replace(_over(table, now_ms, table.sequence + 1), asked=(), scoring_since_ms=None)
    return Change(table, (GameVoided(reason),))


def deal_in(table: AnyTable, dealt: Sequence[Any], now_ms: int, policy: Policy, before: int = 0) -> Change:
    """Evolve the table by events of its game; `before` events of the same change stand in front of them."""
    game, state, veiled_to, ended = game_of(table), table.state, table.veiled_to, None
    for number, event in enumerate(dealt, start=table.sequence + before + 1):
        if state is not None and game.veils(state, event):
            veiled_to = number - 1
        state = game.evolve(state, event)
        ended = game.round_ended(event) or ended
    last = table.sequence + before + len(dealt)
    table = replace(table, state=state, veiled_to=veiled_to)
    if table.scoring_since_ms is not None:  # Scores came: what was hidden may be looked back at again.
        table = replace(table, scoring_since_ms=None, veiled_to=0, open_from=last + 1)
    if ended is not None:
        table = replace(table, scoring_since_ms=now_ms)
    table = retimed(table, game.actors(state), now_ms, policy)
    if game.is_over(state):
        table = _over(table, now_ms, last)
    return Change(table, tuple([GameEvent(event) for event in dealt]), round_ended=ended)


def refuse_idle(table: AnyTable) -> None:
    """Refuse a move while no game is played."""
    if table.status == "closed":
        raise Refused("TABLE_CLOSED", "the table is closed")
    if table.status != "running":
        raise Refused("GAME_NOT_RUNNING", "no game is being played")


def _decided(table: AnyTable, command: Move[Any] | TimeOut) -> tuple[Any, ...]:
    try:
        return game_of(table).decide(table.state, command)
    except IllegalMove as refusal:
        facts = dict(refusal.facts)
        if isinstance(window := facts.get("window"), int):
            facts["window"] = told(table, window)
        raise Refused(refusal.reason, facts=facts) from None


def _missed(change: Change, seat: int, now_ms: int, policy: Policy) -> Change:
    """Count a question that its player let run out; too many in a row and the seat is played at once."""
    table, sitter = change.table, change.table.seats[seat]
    if sitter.missed + 1 < policy.away_after or table.status != "running":
        return replace(change, table=table.with_sitter(seat, replace(sitter, missed=sitter.missed + 1)))
    table = table.with_sitter(seat, replace(sitter, missed=0, away=True))
    table = reasked(table, seat, game_of(table).actors(table.state), now_ms, policy)
    return replace(change, table=table, events=(*change.events, SeatWentAway(seat, left=False)))


def _over(table: AnyTable, now_ms: int, last: int) -> AnyTable:
    assert table.span is not None
    span = replace(table.span, last=last)
    table = replace(table, status="finished", span=span, unarchived=(*table.unarchived, span), ended_ms=now_ms)
    return replace(table, veiled_to=0, open_from=last + 1)
