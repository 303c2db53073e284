"""Partitions: fixed at the first start, named by a table's id."""

import asyncio

import pytest

from service_runtime import partitions
from service_runtime.redis_connection import RedisConnection


async def test_the_first_start_fixes_the_number(connection: RedisConnection) -> None:
    agreed = await asyncio.gather(*(partitions.agree(connection, wanted) for wanted in (64, 16, 32)))
    assert agreed == [64, 64, 64]
    assert await partitions.agree(connection, 8) == 64


def test_an_id_names_its_partition() -> None:
    assert partitions.partition_of("1f" + "a2" * 9) == 31
    assert partitions.tag(31) == "{p31}"


@pytest.mark.parametrize(
    "nonsense",
    [
        *("", "1f", "zz" + "a" * 18, "1F" + "a" * 18, "1f" + "A" * 18, "1f{p3}" + "a" * 14),
        *("1f" + "a" * 17, "1f" + "a" * 19, "1f" + "a" * 17 + "\n"),
    ],
)
def test_what_is_not_an_id_is_refused(nonsense: str) -> None:
    with pytest.raises(ValueError, match="not the id"):
        partitions.partition_of(nonsense)
