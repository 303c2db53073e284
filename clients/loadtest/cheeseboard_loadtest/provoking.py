"""What must be refused, done on purpose, and the reason that the refusal must give."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client import Cheeseboard, PlaySession, Refused
from cheeseboard_loadtest.choosing.choose import Chosen
from cheeseboard_loadtest.profile import Provoking
from cheeseboard_loadtest.tally import Tally


@dataclass(frozen=True)
class Moment:
    """Somebody is about to move."""

    client: Cheeseboard
    session: PlaySession
    chosen: Chosen
    closed_window: int | None
    """Of a question that this player answered before."""

    @property
    def has_stale_window(self) -> bool:
        """Whether the move answers a question, and another one was answered before."""
        return bool(self.chosen.window and self.closed_window and self.closed_window != self.chosen.window)


async def _stale_window(moment: Moment) -> None:
    await moment.session.move(moment.chosen.move, window=moment.closed_window)


async def _empty_move(moment: Moment) -> None:
    await moment.session.move(tables_pb2.Move(), window=moment.chosen.window)


async def _unknown_table(moment: Moment) -> None:
    await moment.client.view("p00-no-such-table")


PROVOCATIONS: dict[str, tuple[Callable[[Moment], Awaitable[None]], str]] = {
    "stale_window": (_stale_window, "WINDOW_CLOSED"),
    "empty_move": (_empty_move, "BAD_REQUEST"),
    "unknown_table": (_unknown_table, "TABLE_NOT_FOUND"),
}
"""By the fields of the profile."""


async def provoke(wanted: Provoking, moment: Moment, dice: Random, tally: Tally) -> bool:
    """Do what the profile asks for, and return whether that was anything."""
    drawn = [name for name in PROVOCATIONS if dice.random() < getattr(wanted, name)]
    if "stale_window" in drawn and not moment.has_stale_window:
        drawn.remove("stale_window")
    for name in drawn:
        await _refused(name, moment, tally)
    return bool(drawn)


async def _refused(name: str, moment: Moment, tally: Tally) -> None:
    act, reason = PROVOCATIONS[name]
    try:
        await act(moment)
    except Refused as refusal:
        tally.error("provoked" if refusal.reason == reason else "unexpected", refusal.reason)
    else:
        tally.error("unexpected", f"{name} was not refused")
