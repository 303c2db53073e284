"""How tables are found: by short code, by player, in the list of open ones. All of it hints, mended on reading."""

import base64
import hashlib
from collections.abc import Iterable

from engine_service.store import keys
from engine_service.store.replies import checked
from service_runtime.redis_connection import RedisConnection
from service_runtime.redis_wire import Command

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Of codes, without I, O, 0 and 1, which people mix up."""
_CODE_LIFE_MS = 14 * 86_400_000


class Directory:
    """Where tables are looked up."""

    def __init__(self, connection: RedisConnection, partitions: int) -> None:
        self._redis = connection
        self._partitions = partitions

    def table_id(self, player_id: str, request_id: str) -> str:
        """Return the id of the table that this request creates: the same when it is sent again."""
        return self._table_id(f"table/{player_id}/{request_id}")

    def table_of_match(self, match_id: str) -> str:
        """Return the id of the table of a match, whoever sets it up."""
        return self._table_id(f"match/{match_id}")

    async def claim_code(self, table_id: str) -> str:
        """Return a short code that leads to this table and to no other; the same when it is asked again."""
        attempt = 0
        while True:
            digest = hashlib.sha256(f"code/{table_id}/{attempt}".encode()).digest()
            code = "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:6])
            commands: list[Command] = [
                ("SET", keys.code(code), table_id, "NX", "PX", _CODE_LIFE_MS),
                ("GET", keys.code(code)),
            ]
            _, holder = checked(await self._redis.pipeline(commands, repeatable=True))
            if holder == table_id.encode():
                return code
            attempt += 1

    async def behind_code(self, code: str) -> str | None:
        """Return the table that a code leads to, or None."""
        value = await self._redis.command("GET", keys.code(code), repeatable=True)
        return value.decode() if value else None

    async def release_code(self, code: str) -> None:
        """Free the code of a table that is gone."""
        await self._redis.command("DEL", keys.code(code), repeatable=True)

    async def note(self, player_id: str, table_id: str) -> None:
        """Note that a player sits at a table."""
        await self.note_all([player_id], table_id)

    async def note_all(self, player_ids: Iterable[str], table_id: str) -> None:
        """Note that players sit at a table."""
        commands: list[Command] = []
        for name in map(keys.tables_of, player_ids):
            commands += [("SADD", name, table_id), ("PEXPIRE", name, _CODE_LIFE_MS)]
        checked(await self._redis.pipeline(commands, repeatable=True))

    async def forget(self, player_id: str, table_id: str) -> None:
        """Note that a player does not sit at a table."""
        await self._redis.command("SREM", keys.tables_of(player_id), table_id, repeatable=True)

    async def tables_of(self, player_id: str) -> list[str]:
        """Return the tables a player may sit at."""
        names = await self._redis.command("SMEMBERS", keys.tables_of(player_id), repeatable=True)
        return sorted(name.decode() for name in names)

    async def listed(self, before: tuple[int, str] | None, count: int) -> list[tuple[int, str]]:
        """Return up to `count` listed tables as (set up at, table id), newest first, after the given one."""
        upto = before[0] if before else "+inf"
        commands: list[Command] = [
            ("ZRANGE", keys.listed(p), upto, "-inf", "BYSCORE", "REV", "LIMIT", 0, count + 1, "WITHSCORES")
            for p in range(self._partitions)
        ]
        replies = checked(await self._redis.pipeline(commands, repeatable=True))
        rows = [row for reply in replies for row in _pairs(reply)]
        return sorted((row for row in rows if before is None or row < before), reverse=True)[:count]

    def _table_id(self, source: str) -> str:
        digest = hashlib.sha256(source.encode()).digest()
        name = base64.b32encode(digest[1:12]).decode().lower().rstrip("=")
        return f"{digest[0] % self._partitions:02x}{name}"


def _pairs(reply: list[bytes]) -> list[tuple[int, str]]:
    return [(int(float(score)), name.decode()) for name, score in zip(reply[::2], reply[1::2], strict=True)]
