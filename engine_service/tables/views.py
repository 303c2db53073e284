"""The only door from a table to a viewer: whatever anyone sees is built here, field by field, from nothing.

A viewer is a seat, or None: a spectator. What is told of the game goes through the game's own `view` and `seen`.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec
from google.protobuf.timestamp_pb2 import Timestamp

from cheeseboard.engine.v1 import tables_pb2 as pb
from engine_service.rules.game import Game, Offer
from engine_service.rules.registry import GAMES
from engine_service.tables import events as ev
from engine_service.tables import windows
from engine_service.tables.codec import Entry
from engine_service.tables.games import game_of
from engine_service.tables.policy import Policy
from engine_service.tables.stored import Stored
from engine_service.tables.table import Asked, Sitter, Table, TableOptions
from engine_service.wire.registry import WIRES

AnyTable = Table[Any, Any]

STATUSES = {
    "open": pb.TABLE_STATUS_OPEN,
    "running": pb.TABLE_STATUS_RUNNING,
    "finished": pb.TABLE_STATUS_FINISHED,
    "closed": pb.TABLE_STATUS_CLOSED,
}


class Views:
    """A table as each viewer may see it: what is public is made once, and each seat's own is put into a copy of it."""

    def __init__(self, stored: Stored) -> None:
        self._table = table = stored.table
        self._public = _public_view(stored)
        self._seen: Any = None
        if table.state is not None:
            self._seen = game_of(table).public(table.state)
            getattr(self._public, table.game).CopyFrom(WIRES[table.game].public_out(self._seen))

    def show(self, viewer: int | None, prompted: pb.Prompt, to: pb.TableView) -> None:
        """Fill an empty message with what a viewer may see; its prompt is the one given."""
        table = self._table
        to.CopyFrom(self._public)
        to.prompt.CopyFrom(prompted)
        if viewer is None:
            return
        to.viewer = viewer
        if table.state is not None:
            own = game_of(table).own(self._seen, table.state, viewer)
            WIRES[table.game].own_out(own, getattr(to, table.game))


def table_view(stored: Stored, viewer: int | None, policy: Policy) -> pb.TableView:
    """Return the table as the viewer may see it."""
    view = pb.TableView()
    Views(stored).show(viewer, prompt(stored, viewer, policy), to=view)
    return view


def _public_view(stored: Stored) -> pb.TableView:
    """Return what everyone sees of the table, but for its game and prompt."""
    table = stored.table
    return pb.TableView(
        table_id=table.table_id,
        code=table.code,
        status=STATUSES[table.status],
        options=options_out(table.game, table.options),
        seats=seats_out(table, stored.connected),
        host=table.host,
        game_number=table.game_number,
        sequence=stored.head.sequence,
    )


class Told(msgspec.Struct, frozen=True):
    """What a step tells a viewer. Viewers who are told the same can be sent the same message."""

    events: tuple[tuple[int, int, ev.AnyEvent], ...]
    """Number, time, and the event as the viewer sees it."""
    offers: tuple[Offer[Any], ...]


def told(stored: Stored, entries: Iterable[Entry], viewer: int | None, after: int) -> Told:
    """Return what commits tell a viewer who knows of all events up to number `after`."""
    game = game_of(stored.table)
    events = [
        (number, entry.at_ms, _seen(game, event, viewer))
        for entry in entries
        for number, event in enumerate(entry.events, start=entry.first)
        if number > after
    ]
    return Told(tuple(events), _offers(stored.table, viewer))


def step_out(stored: Stored, step: Told, policy: Policy) -> pb.Step:
    """Return a step, without the view after it."""
    game = stored.table.game
    events = [_event_out(game, number, at_ms, event) for number, at_ms, event in step.events]
    return pb.Step(events=events, prompt=_prompt(stored, step.offers, policy))


def prompt(stored: Stored, viewer: int | None, policy: Policy) -> pb.Prompt:
    """Return who is asked what, and what the viewer may do."""
    return _prompt(stored, _offers(stored.table, viewer), policy)


def _offers(table: AnyTable, viewer: int | None) -> tuple[Offer[Any], ...]:
    if viewer is None or table.status != "running":
        return ()
    return game_of(table).offers(table.state, viewer)


def _prompt(stored: Stored, offers: tuple[Offer[Any], ...], policy: Policy) -> pb.Prompt:
    table = stored.table
    if table.status != "running":
        return pb.Prompt()
    late = table.scoring_since_ms
    out = pb.Prompt(
        questions=[_question(table, asked, stored.credit_ms) for asked in table.asked],
        scoring_delayed=late is not None and stored.now_ms - late > policy.delayed_seconds * 1000,
    )
    for offer in offers:
        message = out.offers.add(window=windows.told(table, offer.window))
        getattr(message, table.game).CopyFrom(WIRES[table.game].offer_out(offer.choice))
    return out


def seats_out(table: AnyTable, connected: frozenset[int]) -> list[pb.Seat]:
    """Return the seats with who sits there."""
    return [_seat(seat, sitter, seat in connected) for seat, sitter in enumerate(table.seats)]


def player_out(sitter: Sitter) -> pb.Player:
    """Return somebody as others see them."""
    return pb.Player(player_id=sitter.player_id, display_name=sitter.name, bot=sitter.bot)


@lru_cache(maxsize=256)
def options_out(game: str, options: TableOptions[Any]) -> pb.TableOptions:
    """Return what a table was set up with."""
    game_options = pb.GameOptions()
    getattr(game_options, game).CopyFrom(WIRES[game].options_out(options.game))
    return pb.TableOptions(
        game=game_options,
        seats=options.seats,
        clock=pb.Clock(move_seconds=options.move_seconds, bank_seconds=options.bank_seconds),
        allow_spectators=options.allow_spectators,
        listed=options.listed,
    )


def event_out(game: str, sequence: int, at_ms: int, event: ev.AnyEvent, viewer: int | None) -> pb.TableEvent:
    """Return one event as the viewer sees it."""
    return _event_out(game, sequence, at_ms, _seen(GAMES[game], event, viewer))


def _seen(game: Game[Any, Any, Any, Any], event: ev.AnyEvent, viewer: int | None) -> ev.AnyEvent:
    return ev.GameEvent(game.seen(event.event, viewer)) if isinstance(event, ev.GameEvent) else event


def _event_out(game: str, sequence: int, at_ms: int, event: ev.AnyEvent) -> pb.TableEvent:
    """Return an event that was seen as the viewer sees it."""
    out = pb.TableEvent(sequence=sequence, at=timestamp(at_ms))
    if isinstance(event, ev.GameEvent):
        getattr(out, game).CopyFrom(WIRES[game].event_out(event.event))
        return out
    match event:
        case ev.TableCreated(options):
            out.table_created.options.CopyFrom(options_out(game, options))
        case ev.PlayerJoined(seat, sitter):
            out.player_joined.CopyFrom(pb.PlayerJoined(seat=seat, player=player_out(sitter)))
        case ev.PlayerLeft(seat):
            out.player_left.CopyFrom(pb.PlayerLeft(seat=seat))
        case ev.HostChanged(seat):
            out.host_changed.CopyFrom(pb.HostChanged(seat=seat))
        case ev.GameOpened(number):
            out.game_opened.CopyFrom(pb.GameOpened(game_number=number))
        case ev.SeatWentAway(seat, left):
            out.seat_went_away.CopyFrom(pb.SeatWentAway(seat=seat, left=left))
        case ev.SeatReturned(seat):
            out.seat_returned.CopyFrom(pb.SeatReturned(seat=seat))
        case ev.RematchWanted(seat):
            out.rematch_wanted.CopyFrom(pb.RematchWanted(seat=seat))
        case ev.GameVoided(reason):
            out.game_voided.CopyFrom(pb.GameVoided(reason=_end_reason(reason)))
        case ev.TableClosed(reason):
            out.table_closed.CopyFrom(pb.TableClosed(reason=_end_reason(reason)))
    return out


def timestamp(ms: int) -> Timestamp:
    """Return a time on the wire."""
    return Timestamp(seconds=ms // 1000, nanos=ms % 1000 * 1_000_000)


def _question(table: AnyTable, asked: Asked, credit_ms: int) -> pb.Question:
    sitter = table.seats[asked.seat] if asked.seat is not None else None
    engine_plays = sitter is not None and (sitter.bot or sitter.away)
    due_ms = None if engine_plays else asked.due_ms
    deadline = timestamp(due_ms + credit_ms) if due_ms is not None else None
    return pb.Question(seat=asked.seat, window=windows.told(table, asked.window), deadline=deadline)


def _seat(seat: int, sitter: Sitter | None, connected: bool) -> pb.Seat:
    if sitter is None:
        return pb.Seat(seat=seat)
    return pb.Seat(
        seat=seat,
        player=player_out(sitter),
        away=sitter.away,
        bank_seconds=sitter.bank_ms / 1000,
        connected=connected,
        wants_rematch=sitter.wants_rematch,
        missed=sitter.missed,
    )


def _end_reason(name: str) -> pb.EndReason.ValueType:
    return pb.EndReason.Value(f"END_REASON_{name}")
