"""Pub/sub: whoever subscribed hears everything from then on, and is told when something may have been missed."""

import asyncio

import pytest

from service_runtime.embedded_redis import EmbeddedRedis
from service_runtime.redis_connection import RedisConnection
from service_runtime.store_errors import StoreUnavailable


async def soon(condition: object, seconds: float = 5.0) -> None:
    """Wait until `condition()` holds."""
    assert callable(condition)
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


async def test_a_message_published_after_subscribing_arrives(connection: RedisConnection) -> None:
    heard: list[bytes] = []
    listener = connection.listener()
    await listener.subscribe("table", heard.append)
    assert await connection.command("PUBLISH", "table", "one") == 1
    await soon(lambda: heard == [b"one"])


async def test_channels_and_callbacks_are_kept_apart(connection: RedisConnection) -> None:
    first: list[bytes] = []
    second: list[bytes] = []
    both: list[bytes] = []
    listener = connection.listener()
    await listener.subscribe("one", first.append)
    await listener.subscribe("two", second.append)
    await listener.subscribe("one", both.append)
    await listener.subscribe("two", both.append)
    await connection.pipeline([("PUBLISH", "one", "1"), ("PUBLISH", "two", "2")])
    await soon(lambda: len(both) == 2)
    assert (first, second, both) == ([b"1"], [b"2"], [b"1", b"2"])


async def test_after_unsubscribing_nothing_is_heard_and_the_channel_is_given_up(connection: RedisConnection) -> None:
    heard: list[bytes] = []
    listener = connection.listener()
    await listener.subscribe("table", heard.append)
    await listener.unsubscribe("table", heard.append)
    while await connection.command("PUBLISH", "table", "late"):
        await asyncio.sleep(0.01)
    # Subscribing again right after giving up must hold.
    await listener.subscribe("table", heard.append)
    assert await connection.command("PUBLISH", "table", "again") == 1
    await soon(lambda: heard[-1:] == [b"again"])


async def test_a_callback_that_raises_does_not_silence_the_others(connection: RedisConnection) -> None:
    heard: list[bytes] = []

    def broken(_: bytes) -> None:
        raise RuntimeError

    listener = connection.listener()
    await listener.subscribe("table", broken)
    await listener.subscribe("table", heard.append)
    await connection.command("PUBLISH", "table", "1")
    await soon(lambda: heard == [b"1"])


async def test_a_server_that_was_killed_is_subscribed_to_again_and_the_gap_is_told(own_valkey: EmbeddedRedis) -> None:
    heard: list[bytes] = []
    gaps: list[str] = []
    connection = await RedisConnection.open(own_valkey.url, budget_seconds=10)
    listener = connection.listener()
    listener.on_reconnect(lambda: gaps.append("gap"))
    await listener.subscribe("table", heard.append)
    assert gaps == []
    own_valkey.kill()
    await own_valkey.start_soon()
    await soon(lambda: gaps == ["gap"])
    assert await connection.command("PUBLISH", "table", "on", repeatable=True) == 1
    await soon(lambda: heard == [b"on"])
    await connection.close()


async def test_a_connection_cut_by_the_server_is_made_again(connection: RedisConnection) -> None:
    heard: list[bytes] = []
    listener = connection.listener()
    gap = asyncio.Event()
    listener.on_reconnect(gap.set)
    await listener.subscribe("table", heard.append)
    await connection.command("CLIENT", "KILL", "TYPE", "PUBSUB")
    await asyncio.wait_for(gap.wait(), 5)
    await connection.command("PUBLISH", "table", "1")
    await soon(lambda: heard == [b"1"])


async def test_subscribing_while_the_server_is_away_fails_and_leaves_nothing(own_valkey: EmbeddedRedis) -> None:
    heard: list[bytes] = []
    connection = await RedisConnection.open(own_valkey.url, budget_seconds=0.3)
    listener = connection.listener()
    await listener.subscribe("other", heard.append)
    own_valkey.kill()
    await soon(lambda: not connection.available)
    with pytest.raises(StoreUnavailable):
        await listener.subscribe("table", heard.append)
    await own_valkey.start_soon()
    await soon(lambda: connection.available)
    await listener.subscribe("other", heard.append)
    assert await connection.command("PUBSUB", "CHANNELS") == [b"other"]
    await connection.close()
