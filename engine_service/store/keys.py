"""The names of everything the engine keeps in Redis. All keys of a table carry its partition's hash tag: one slot."""

from functools import lru_cache

from service_runtime.partitions import partition_of, tag


def table(table_id: str) -> str:
    """The table's value: its head, then its envelope."""
    return _of(table_id, "table")


def log(table_id: str) -> str:
    """The stream of the table's newest commits; an entry's id is the number of its last event."""
    return _of(table_id, "log")


def past(table_id: str) -> str:
    """The stream of its older commits, in compressed chunks; an entry's id is the number of its last event."""
    return _of(table_id, "past")


def here(table_id: str) -> str:
    """Sorted set: seats with a stream open, and the replica it is open at, by the end of their lease."""
    return _of(table_id, "here")


def gone(table_id: str) -> str:
    """The code of a table that was removed."""
    return _of(table_id, "gone")


def record(table_id: str, game_number: int) -> str:
    """The compressed record of a finished game."""
    return f"{_of(table_id, 'record')}:{game_number}"


def due(partition: int) -> str:
    """Sorted set: tables by the time the engine next has something to do there."""
    return f"{tag(partition)}:due"


def listed(partition: int) -> str:
    """Sorted set: listed open tables by the time they were set up."""
    return f"{tag(partition)}:listed"


def sweep(partition: int) -> str:
    """Hash: when the partition was last swept, and the credit of its outages."""
    return f"{tag(partition)}:sweep"


def faults(partition: int) -> str:
    """Hash: how often the rules raised, by table."""
    return f"{tag(partition)}:faults"


def rounds(partition: int) -> str:
    """Stream: rounds to be scored."""
    return f"{tag(partition)}:rounds"


def scores(partition: int) -> str:
    """Stream: scores to be recorded."""
    return f"{tag(partition)}:scores"


def code(code: str) -> str:
    """The table behind a short code."""
    return f"code:{code}"


def tables_of(player_id: str) -> str:
    """Set: a player's tables, a hint that is mended when it is read."""
    return f"{{u:{player_id}}}:tables"


def wake(table_id: str) -> str:
    """The channel that says that a table moved on."""
    return f"wake:{table_id}"


@lru_cache(maxsize=16_384)
def of_commit(table_id: str) -> tuple[str, ...]:
    """What a commit looks at and writes: table, log, due, listed, rounds, scores, gone, past."""
    partition = partition_of(table_id)
    of_table = table(table_id), log(table_id), due(partition), listed(partition)
    return *of_table, rounds(partition), scores(partition), gone(table_id), past(table_id)


def _of(table_id: str, what: str) -> str:
    return f"{tag(partition_of(table_id))}:{what}:{table_id}"
