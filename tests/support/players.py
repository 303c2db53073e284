"""People for the tests: guests at tables, who play by picking among their offers."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as cheat
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Cheeseboard, Patience, Snapshot, Step, table_options
from cheeseboard_client.errors import NotAllowedNow
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
    options: ct.Options | cheat.Options = QUICK_GAME,
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
            if any(offer.window for offer in view.prompt.offers):
                await _move(person, table_id, choices.choice(list(view.prompt.offers)), choices)
    raise AssertionError("a watch does not end by itself")


async def play_all(people: Sequence[Cheeseboard], table_id: str, seed: int = 0) -> tables_pb2.TableView:
    """Have everyone play a table to its end; return the first one's last view."""
    plays = (play_out(person, table_id, seed + number) for number, person in enumerate(people))
    return (await asyncio.gather(*plays))[0]


async def _move(person: Cheeseboard, table_id: str, offer: tables_pb2.Offer, choices: random.Random) -> None:
    with suppress(NotAllowedNow):  # The clock, or another device of this player, may have been quicker.
        await person.move(table_id, any_of(offer, choices), window=offer.window)


def any_of(offer: tables_pb2.Offer, choices: random.Random) -> tables_pb2.Offer | cheat.Move:
    """Return an offer that is one move, or any move of the family that it describes."""
    choice = offer.cheat_trick
    match choice.WhichOneof("choice"):
        case "declare":
            return cheat.Move(declare=choices.choice(choice.declare.declarations))
        case "raise_bid":
            return cheat.Move(
                raise_bid=cheat.Raise(tricks=choices.randint(choice.raise_bid.least, choice.raise_bid.most))
            )
        case "accuse":
            return cheat.Move(accuse=choices.choice(choice.accuse.plays))
        case "split":
            own = choices.randint(choice.split.least, choice.split.most)
            return cheat.Move(split=cheat.Split(own=own, partners=choice.split.total - own))
        case _:
            return offer
