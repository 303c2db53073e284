"""Which hash slot of a cluster a command belongs to, and which server has which slots.

Knows the commands that we use and no others: `key_of` is the place to add one whose key is not its first argument.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from redis.crc import REDIS_CLUSTER_HASH_SLOTS as SLOTS
from redis.crc import key_slot

from .redis_wire import Argument, Command

__all__ = ["SLOTS", "Place", "SlotMap", "slot_of"]

Place = tuple[str, int]
"""Host and port of a server."""

_KEYLESS = frozenset({"CLIENT", "CLUSTER", "CONFIG", "ECHO", "INFO", "PING", "PUBLISH", "PUBSUB", "SCRIPT", "TIME"})
_SUBCOMMANDS = frozenset({"OBJECT", "XGROUP", "XINFO"})


def slot_of(command: Command) -> int | None:
    """Return the slot of the command's keys, which must all be in one; None when any server may answer it."""
    keys = _keys_of(command)
    slots = {_slot(key) for key in keys}
    assert len(slots) <= 1, f"keys of several slots: {keys}"
    return slots.pop() if slots else None


def _keys_of(command: Command) -> Sequence[Argument]:
    name = str(command[0]).upper()
    if name in ("EVAL", "EVALSHA"):
        return command[3 : 3 + int(command[2])]
    if name in _KEYLESS:
        return ()
    if name == "XREADGROUP":
        first = command.index("STREAMS") + 1
        return command[first : first + (len(command) - first) // 2]
    return command[2:3] if name in _SUBCOMMANDS else command[1:2]


def _slot(key: Argument) -> int:
    return key_slot(key if isinstance(key, bytes) else str(key).encode())


@dataclass(frozen=True)
class SlotMap:
    """Who has which slots, as a server of the cluster tells it."""

    ranges: tuple[tuple[int, int, Place], ...]
    """First and last slot, and their primary."""
    everyone: frozenset[Place]
    """Primaries and replicas."""

    @staticmethod
    def of(reply: Any, host: str) -> "SlotMap":
        """Read the reply to CLUSTER SLOTS of the server at `host`, which may not know its own name."""
        rows = [(first, last, [_place(server, host) for server in servers]) for first, last, *servers in reply]
        return SlotMap(
            ranges=tuple((first, last, places[0]) for first, last, places in rows),
            everyone=frozenset(place for _, _, places in rows for place in places),
        )


def _place(server: Sequence[Any], host: str) -> Place:
    return (server[0] or b"").decode() or host, server[1]
