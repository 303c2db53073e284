"""Plays a game of Cheez-Tricks with the installed SDK and checks its deals and its scoreboard.

    python check.py <engine> <scoring>

Run by tools/sdk_ends.py with the oldest and the newest libraries; it may import nothing but the SDK.
"""

import asyncio
import sys
from importlib.metadata import version

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as cheez_tricks
from cheeseboard_client import Cheeseboard, Snapshot, Step, table_options, verify_deal
from cheeseboard_client.errors import TableNotFound

SEATS = 3


async def main(engine: str, scoring: str) -> None:
    """Raise unless a whole game works."""
    async with Cheeseboard.connect(engine, scoring) as cheeseboard:
        await cheeseboard.sign_in_guest("Remy")
        try:
            await cheeseboard.view("00" + "a" * 18)
        except TableNotFound as refused:
            assert refused.reason == "TABLE_NOT_FOUND"
        else:
            raise AssertionError("a table that is not there was shown")
        table = await _seated(cheeseboard)
        places = await _played(cheeseboard, table)
        record = await cheeseboard.record(table)
        verify_deal(record.options, record.events)
        board = await cheeseboard.scoreboard(table)
        assert list(board.places) == places, (board.places, places)


async def _seated(cheeseboard: Cheeseboard) -> str:
    options = table_options(cheez_tricks.Options(level=cheez_tricks.LEVEL_HOUSE_CAT), seats=SEATS)
    table = (await cheeseboard.create_table(options)).table_id
    for _ in range(SEATS - 1):
        await cheeseboard.seat_bot(table, "random")
    await cheeseboard.start(table)
    return table


async def _played(cheeseboard: Cheeseboard, table: str) -> list[int]:
    async for frame in cheeseboard.watch(table, include_view=True):
        if not isinstance(frame, Snapshot | Step) or frame.view is None:
            continue
        if places := list(frame.view.cheez_tricks.places):
            return places
        if offers := frame.view.prompt.offers:
            await cheeseboard.move(table, offers[0])
    raise AssertionError("the stream ended before the game")


if __name__ == "__main__":
    asyncio.run(asyncio.wait_for(main(*sys.argv[1:]), 60))
    print(f"The SDK works with protobuf {version('protobuf')} and grpcio {version('grpcio')}.")
