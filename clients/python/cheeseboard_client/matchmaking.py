"""Finding a game: tickets, parties, and `find_match`, which does all of it in one call."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from google.protobuf.message import Message

from cheeseboard.engine.v1 import matchmaking_pb2 as pb
from cheeseboard_client.calls import Service
from cheeseboard_client.errors import CheeseboardError
from cheeseboard_client.frames import Frame, Snapshot
from cheeseboard_client.lobby import HasEngine, table_options
from cheeseboard_client.mending import Mending
from cheeseboard_client.moves import new_request_id
from cheeseboard_client.streams import next_message
from cheeseboard_client.stubs import EngineStubs
from cheeseboard_client.watch import watch

FINAL = (pb.TICKET_STATE_MATCHED, pb.TICKET_STATE_CANCELLED, pb.TICKET_STATE_EXPIRED)
FIRST_WAIT_SECONDS = 1.0
"""A match found in this time costs one call; after it the ticket is watched."""

Told = Callable[[pb.Ticket], None]


class NotMatched(CheeseboardError):
    """A ticket was given up by one of its players, or expired."""

    def __init__(self, ticket: pb.Ticket) -> None:
        super().__init__(pb.TicketState.Name(ticket.state))
        self.ticket = ticket


@dataclass(frozen=True)
class Match:
    """A seat in a game that has begun, watched from its first moment. Use it by `async with`."""

    ticket: pb.Ticket
    table_id: str
    code: str
    seat: int
    snapshot: Snapshot
    """The table as it was seen first."""
    frames: AsyncGenerator[Frame, None]
    """What happens after it; see `Cheeseboard.watch`."""

    async def __aenter__(self) -> "Match":
        """Return the match itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the watch."""
        await self.frames.aclose()


def accepted_game(
    game: Message,
    seats: int,
    *,
    min_seats: int = 0,
    bot: str = "",
    move_seconds: int | None = None,
    bank_seconds: int = 0,
    allow_spectators: bool = False,
) -> pb.AcceptedGame:
    """Return a game that would be welcome, with up to so many seats; see `table_options`."""
    options = table_options(
        game, seats, move_seconds=move_seconds, bank_seconds=bank_seconds, allow_spectators=allow_spectators
    )
    return pb.AcceptedGame(options=options, min_seats=min_seats, bot=bot)


class MatchmakingCalls(HasEngine):
    """Matchmaking's part of `Cheeseboard`. A call with your own `request_id` can be repeated after `Unreachable`."""

    async def find_match(
        self,
        accepts: pb.AcceptedGame | Sequence[pb.AcceptedGame],
        *,
        keys: Mapping[str, str | Sequence[str]] | None = None,
        bots_after_seconds: int | None = None,
        party_size: int = 0,
        display_name: str = "",
        told: Told | None = None,
    ) -> Match:
        """Look for a game and return the seat when the game has begun.

        `told` is called with the ticket whenever it changes: place, estimate, the party's code. Giving up is cancelling
        the task that waits here, or a timeout around it: the ticket is cancelled then. Raises `NotMatched` when another
        player of the party gave up, `errors.AlreadyWaiting` when the player has a live ticket.
        """
        wait_seconds = 0.0 if party_size > 1 else FIRST_WAIT_SECONDS
        return await self._seat_of(
            self.create_ticket(
                accepts,
                keys=keys,
                bots_after_seconds=bots_after_seconds,
                party_size=party_size,
                display_name=display_name,
                wait_seconds=wait_seconds,
            ),
            told,
        )

    async def find_match_in_party(self, party_code: str, *, display_name: str = "", told: Told | None = None) -> Match:
        """Join a party by its code and return the seat when the party's game has begun; see `find_match`."""
        return await self._seat_of(self.join_ticket(party_code, display_name=display_name), told)

    async def create_ticket(
        self,
        accepts: pb.AcceptedGame | Sequence[pb.AcceptedGame],
        *,
        keys: Mapping[str, str | Sequence[str]] | None = None,
        bots_after_seconds: int | None = None,
        party_size: int = 0,
        members: Sequence[pb.PartyMember] = (),
        unwatched_seconds: int = 0,
        wait_seconds: float = 0.0,
        display_name: str = "",
        request_id: str | None = None,
    ) -> pb.Ticket:
        """Begin to look for a game; see `accepted_game`. The answer waits up to `wait_seconds` (5 at most) for a match,
        but never longer than half of what the patience has for one try.

        `members` are the rest of a party, named by a platform's backend.
        """
        request = pb.CreateTicketRequest(
            request_id=request_id or new_request_id(),
            accepts=[accepts] if isinstance(accepts, pb.AcceptedGame) else accepts,
            keys=[_key(name, values) for name, values in (keys or {}).items()],
            bots_after_seconds=bots_after_seconds,
            party_size=party_size,
            members=members,
            unwatched_seconds=unwatched_seconds,
            wait_milliseconds=round(min(wait_seconds, self._engine.patience.attempt / 2) * 1000),
            display_name=display_name,
        )
        return (await self._engine.call(lambda engine: engine.matchmaking.CreateTicket, request)).ticket

    async def join_ticket(self, party_code: str, *, display_name: str = "", request_id: str | None = None) -> pb.Ticket:
        """Join a party by its code."""
        request = pb.JoinTicketRequest(
            request_id=request_id or new_request_id(), party_code=party_code, display_name=display_name
        )
        return (await self._engine.call(lambda engine: engine.matchmaking.JoinTicket, request)).ticket

    async def cancel_ticket(self, ticket_id: str = "", *, request_id: str | None = None) -> pb.Ticket:
        """Give up a ticket, the caller's latest if none is named; it may have been matched before."""
        request = pb.CancelTicketRequest(request_id=request_id or new_request_id(), ticket_id=ticket_id)
        return (await self._engine.call(lambda engine: engine.matchmaking.CancelTicket, request)).ticket

    async def watch_ticket(self, ticket_id: str = "") -> AsyncGenerator[pb.Ticket, None]:
        """Yield a ticket as it is, now and at every change, until its state is final; the caller's latest if none is
        named. Mends every loss of the connection by itself, and keeps the ticket alive.
        """
        mending = Mending(self._engine)
        while True:
            try:
                async for ticket in _stream(self._engine, mending, ticket_id):
                    yield ticket
                    ticket_id = ticket.ticket_id
                    if ticket.state in FINAL:
                        return
            except CheeseboardError as ended:
                await mending.after(ended)
            await mending.rest()

    async def _seat_of(self, making: Coroutine[Any, Any, pb.Ticket], told: Told | None) -> Match:
        """Return the seat of a ticket that is being made; who is cancelled meanwhile gives it up."""
        made = asyncio.create_task(making)
        try:
            return await self._seat(await asyncio.shield(made), told)
        except asyncio.CancelledError:
            await asyncio.shield(self._give_up(made))
            raise

    async def _seat(self, ticket: pb.Ticket, told: Told | None) -> Match:
        """Return the seat of a ticket when it has one."""
        tell = told or (lambda _: None)
        tell(ticket)
        if ticket.state not in FINAL:
            async with aclosing(self.watch_ticket(ticket.ticket_id)) as tickets:
                async for ticket in tickets:
                    tell(ticket)
        if ticket.state != pb.TICKET_STATE_MATCHED:
            raise NotMatched(ticket)
        frames = watch(self._engine, ticket.table_id, "", include_view=True)
        async for frame in frames:
            if isinstance(frame, Snapshot):
                return Match(ticket, ticket.table_id, ticket.code, frame.view.viewer, frame, frames)
        raise AssertionError("a watch does not end by itself")

    async def _give_up(self, made: "asyncio.Task[pb.Ticket]") -> None:
        """Cancel a ticket whose caller is gone; should that fail, it expires."""
        with suppress(CheeseboardError):
            await self.cancel_ticket((await made).ticket_id)


async def _stream(engine: Service[EngineStubs], mending: Mending, ticket_id: str) -> AsyncGenerator[pb.Ticket, None]:
    """Yield the tickets of one stream; raises what ended it."""
    await engine.credentials.ensure()
    with engine.replicas.stream() as (replica, stubs):
        mending.begins(replica)
        call = stubs.matchmaking.WatchTicket(pb.WatchTicketRequest(ticket_id=ticket_id), metadata=engine.metadata())
        try:
            while True:
                response = await next_message(call.read, pb.WatchTicketResponse, engine.patience.silence)
                mending.works()
                yield response.ticket
        finally:
            call.cancel()


def _key(name: str, values: str | Sequence[str]) -> pb.MatchKey:
    return pb.MatchKey(name=name, values=[values] if isinstance(values, str) else values)
