"""People for the tests: guests at tables, who play by picking among their offers."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress

from google.protobuf.message import Message

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Cheeseboard, Patience, Snapshot, Step, table_options
from cheeseboard_client.errors import NotAllowedNow
from tests.support.filling import filled
from tests.support.stack import Stack

QUICK_GAME = ct.Options(level=ct.LEVEL_HOUSE_CAT)


@asynccontextmanager
async def guests(stack: Stack, count: int, patience: Patience | None = None) -> AsyncIterator[list[Cheeseboard]]:
    """Yield clients that are signed in, each a player of its own."""
    async with AsyncExitStack() as exits:
        people = []
        for number in range(count):
            client = Cheeseboard.connect(stack.engine_addresses, stack.scoring_addresses, patience=patience)
            people.append(await exits.enter_async_context(client))
            await client.sign_in_guest(f"Guest {number}")
        yield people


async def seated(
    people: Sequence[Cheeseboard],
    bots: int = 0,
    options: Message = QUICK_GAME,
    move_seconds: int = 0,
    bank_seconds: int = 0,
    allow_spectators: bool = True,
    start: bool = True,
) -> str:
    """Return a table where these people sit in this order, bots after them, with its game begun."""
    setup = table_options(
        options,
        len(people) + bots,
        move_seconds=move_seconds,
        bank_seconds=bank_seconds,
        allow_spectators=allow_spectators,
    )
    table_id = (await people[0].create_table(setup)).table_id
    for person in people[1:]:
        await person.join(table_id)
    for number in range(bots):
        await people[0].seat_bot(table_id, ("random", "careful")[number % 2])
    if start:
        await people[0].start(table_id)
    return table_id


async def play_out(person: Cheeseboard, table_id: str, seed: int = 0) -> tables_pb2.TableView:
    """Watch a table and play one's seat by random offers until the game is over; return the last view."""
    choices = random.Random(seed)
    async with aclosing(person.watch(table_id, include_view=True)) as frames:
        async for frame in frames:
            if not isinstance(frame, Snapshot | Step):
                continue
            view = frame.view
            assert view is not None
            if view.status == tables_pb2.TABLE_STATUS_FINISHED:
                return view
            if view.prompt.offers:
                offer = choices.choice(list(view.prompt.offers))
                await _move(person, table_id, offer.window, filled(offer, choices))
    raise AssertionError("a watch does not end by itself")


async def play_all(people: Sequence[Cheeseboard], table_id: str, seed: int = 0) -> tables_pb2.TableView:
    """Have everyone play a table to its end; return the first one's last view."""
    plays = (play_out(person, table_id, seed + number) for number, person in enumerate(people))
    return (await asyncio.gather(*plays))[0]


async def _move(person: Cheeseboard, table_id: str, window: int, move: tables_pb2.Move) -> None:
    with suppress(NotAllowedNow):  # The clock, another player or another device of this one may have been quicker.
        await person.move(table_id, move, window=window)
