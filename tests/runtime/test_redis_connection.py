"""The connection to Redis: replies never shift, repeats have one effect, a dead server is noticed and waited for."""

import asyncio
import contextlib
import shutil

import pytest
import structlog

from service_runtime import metrics
from service_runtime.embedded_redis import EmbeddedRedis
from service_runtime.redis_connection import RedisConnection
from service_runtime.redis_refusals import ASK_SECONDS
from service_runtime.redis_script import Script
from service_runtime.store_errors import ReplyError, StoreUnavailable


async def test_commands_of_many_tasks_get_their_own_replies(connection: RedisConnection) -> None:
    echoes = await asyncio.gather(*(connection.command("ECHO", f"{n}") for n in range(500)))
    assert echoes == [b"%d" % n for n in range(500)]


async def test_a_cancelled_call_never_shifts_the_replies_of_others(own_valkey: EmbeddedRedis) -> None:
    connection = await RedisConnection.open(own_valkey.url)

    async def call(n: int) -> None:
        assert await connection.command("ECHO", f"{n}") == b"%d" % n

    # No reply comes before all of these are on their way and some of them are given up.
    await connection.command("CLIENT", "PAUSE", "300", "ALL")
    in_flight = [asyncio.create_task(call(n)) for n in range(200)]
    await asyncio.sleep(0.05)
    unsent = [asyncio.create_task(call(n)) for n in range(200, 300)]
    cancelled = {*in_flight[::3], *unsent[::2]}
    for task in cancelled:
        task.cancel()
    results = await asyncio.gather(*in_flight, *unsent, return_exceptions=True)
    for task, result in zip([*in_flight, *unsent], results, strict=True):
        assert isinstance(result, asyncio.CancelledError) if task in cancelled else result is None
    assert await connection.command("ECHO", "after") == b"after"
    await connection.close()


async def test_a_pipeline_answers_each_command_and_carries_errors_as_values(connection: RedisConnection) -> None:
    replies = await connection.pipeline([("SET", "word", "x"), ("INCR", "word"), ("GET", "word")])
    assert replies[0] == b"OK"
    assert isinstance(replies[1], ReplyError)
    assert replies[2] == b"x"


async def test_a_script_is_sent_in_full_only_when_the_server_does_not_know_it(connection: RedisConnection) -> None:
    script = Script.of("double", "return ARGV[1] * 2")
    await connection.command("SCRIPT", "FLUSH")
    assert [await connection.script(script, [], [n]) for n in (1, 2)] == [2, 4]
    assert await connection.command("SCRIPT", "EXISTS", script.sha) == [1]


async def test_an_error_of_a_script_keeps_its_own_code(connection: RedisConnection) -> None:
    script = Script.of("refuse", "return redis.error_reply('CONFLICT head has moved')")
    with pytest.raises(ReplyError) as refusal:
        await connection.script(script)
    assert refusal.value.code == "CONFLICT"


async def test_a_server_out_of_memory_is_unavailable(own_valkey: EmbeddedRedis) -> None:
    connection = await RedisConnection.open(own_valkey.url)
    await connection.command("CONFIG", "SET", "maxmemory", "1")
    with pytest.raises(StoreUnavailable, match="OOM"):
        await connection.command("SET", "key", "value")
    with pytest.raises(StoreUnavailable, match="OOM"):
        await connection.script(Script.of("write", "return redis.call('SET', KEYS[1], 'value')"), ["key"])
    await connection.close()


async def test_a_replica_that_only_reads_is_unavailable_for_writes(own_valkey: EmbeddedRedis) -> None:
    connection = await RedisConnection.open(own_valkey.url)
    await connection.command("REPLICAOF", "127.0.0.1", "1")
    with pytest.raises(StoreUnavailable, match="READONLY"):
        await connection.command("SET", "key", "value")
    await connection.close()


async def test_a_server_that_cannot_save_is_read_over_new_connections_too(own_valkey: EmbeddedRedis) -> None:
    """As with a full disk: a replica that starts, or connects again, serves what can be read."""
    before = await RedisConnection.open(own_valkey.url)
    await before.command("SET", "kept", "1")
    shutil.rmtree(own_valkey.folder)
    await before.command("CONFIG", "SET", "save", "3600 1")
    await before.command("BGSAVE")
    with pytest.raises(StoreUnavailable, match="MISCONF"):
        while True:
            await before.command("SET", "lost", "1")
            await asyncio.sleep(0.02)
    after = await RedisConnection.open(own_valkey.url)
    assert await after.command("GET", "kept") == b"1"
    await before.close()
    await after.close()


async def test_calls_wait_for_a_server_that_comes_back_and_its_data_is_there(own_valkey: EmbeddedRedis) -> None:
    connection = await RedisConnection.open(own_valkey.url, budget_seconds=10)
    await connection.command("SET", "key", "value")
    own_valkey.kill()
    waiting = asyncio.create_task(connection.command("GET", "key", repeatable=True))
    await own_valkey.start_soon()
    assert await waiting == b"value"
    await connection.close()


async def test_calls_give_up_on_a_server_that_stays_away(own_valkey: EmbeddedRedis) -> None:
    connection = await RedisConnection.open(own_valkey.url, budget_seconds=0.2)
    own_valkey.kill()
    with pytest.raises(StoreUnavailable):
        await connection.command("GET", "key", repeatable=True)
    assert not connection.available
    await connection.close()


async def test_opening_a_connection_to_nowhere_says_where() -> None:
    with pytest.raises(StoreUnavailable, match=r"127\.0\.0\.1:1"):
        await RedisConnection.open("redis://127.0.0.1:1/0", wait_seconds=0.2)


async def test_a_server_that_freezes_is_dropped_after_its_patience(own_valkey: EmbeddedRedis) -> None:
    connection = await RedisConnection.open(own_valkey.url, reply_seconds=0.3, budget_seconds=0.5)
    with pytest.raises(StoreUnavailable):
        # The client is paused: the server is there and says nothing.
        await connection.command("CLIENT", "PAUSE", "1500", "ALL")
        await connection.command("GET", "key")
    await asyncio.sleep(1.5)
    assert await connection.command("PING", repeatable=True) == b"PONG"
    await connection.close()


async def test_the_url_chooses_the_database_and_a_wrong_password_is_told(own_valkey: EmbeddedRedis) -> None:
    second = await RedisConnection.open(own_valkey.url.replace("/0", "/2"))
    await second.command("SET", "key", "in two")
    first = await RedisConnection.open(own_valkey.url)
    assert await first.command("GET", "key") is None
    await first.command("CONFIG", "SET", "requirepass", "right")
    with pytest.raises(StoreUnavailable, match="WRONGPASS"):
        await RedisConnection.open(own_valkey.url.replace("//", "//:wrong@"), wait_seconds=0.3)
    third = await RedisConnection.open(own_valkey.url.replace("//", "//:right@"))
    for connection in (first, second, third):
        await connection.close()


async def test_risky_settings_of_the_server_are_named(own_valkey: EmbeddedRedis) -> None:
    connection = await RedisConnection.open(own_valkey.url)
    assert await connection.durability_warnings() == []
    await connection.command("CONFIG", "SET", "appendfsync", "everysec")
    await connection.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    warnings = await connection.durability_warnings()
    address = f"127.0.0.1:{own_valkey.port}"
    assert [line.split(";")[0] for line in warnings] == [
        f"Redis at {address} has appendfsync everysec",
        f"Redis at {address} has maxmemory-policy allkeys-lru",
    ]
    await connection.command("ACL", "SETUSER", "shy", "on", "nopass", "~*", "&*", "+@all", "-config")
    shy = await RedisConnection.open(own_valkey.url.replace("//", "//shy:any@"))
    with contextlib.suppress(ReplyError):
        assert len(await shy.durability_warnings()) == 3
    await connection.close()
    await shy.close()


async def test_time_is_the_servers(connection: RedisConnection) -> None:
    seconds, _ = await connection.command("TIME")
    assert abs(await connection.now_ms() - int(seconds) * 1000) < 5000


async def test_refused_writes_are_said_once_and_so_is_their_end(own_valkey: EmbeddedRedis) -> None:
    """It lasts as long as Redis refuses, whatever else it does, and is over without anyone writing anything."""
    connection = await RedisConnection.open(own_valkey.url)
    write = Script.of("write", "return redis.call('SET', KEYS[1], ARGV[1])")
    await connection.script(write, ["{p1}:x"], ["before"])
    with structlog.testing.capture_logs() as lines:
        await connection.command("CONFIG", "SET", "maxmemory", 1)
        for key in ("{p1}:x", "{p2}:x", "{p1}:y", "bare"):
            with pytest.raises(StoreUnavailable, match="OOM"):
                await connection.script(write, [key], ["after"])
        await asyncio.sleep(3 * ASK_SECONDS)
        assert _refusing() == 1
        assert await connection.command("GET", "{p1}:x") == b"before"
        await connection.command("CONFIG", "SET", "maxmemory", 0)
        async with asyncio.timeout(10):
            while _refusing():
                await asyncio.sleep(0.05)
    assert await connection.command("KEYS", "*") == [b"{p1}:x"]
    said = [line["event"] for line in lines if "writes" in line["event"]]
    assert said == ["redis refuses writes", "redis takes writes again"]
    await connection.close()


def _refusing() -> float | None:
    return metrics.REGISTRY.get_sample_value("cheeseboard_redis_refusing")
