"""The connection to a cluster: each command finds its server, wherever that is by now, and has its one effect."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable

import pytest

from service_runtime.redis_connection import RedisConnection
from service_runtime.redis_script import Script
from service_runtime.redis_slots import slot_of
from service_runtime.store_errors import StoreUnavailable
from tests.support.cluster import Node, ValkeyCluster

KEYS = [f"{{p{n}}}:test" for n in range(64)]
SET_BOTH = Script.of("set both", "redis.call('SET', KEYS[1], ARGV[1]) return redis.call('SET', KEYS[2], ARGV[1])")
TELL = Script.of("tell", "redis.call('SET', KEYS[1], 1) return redis.call('PUBLISH', ARGV[1], ARGV[2])")


@pytest.fixture(autouse=True)
async def no_keys(cluster: ValkeyCluster, connection: RedisConnection) -> AsyncIterator[None]:
    """Nothing is left of a test."""
    yield
    await asyncio.to_thread(cluster.mend)
    await connection.pipeline([("DEL", key) for key in KEYS], repeatable=True)


async def test_a_pipeline_over_all_servers_is_answered_in_its_order(connection: RedisConnection) -> None:
    """Commands without a key in between go anywhere."""
    commands = [command for n, key in enumerate(KEYS) for command in (("SET", key, n), ("PING",), ("GET", key))]
    replies = await connection.pipeline(commands)
    assert replies == [reply for n in range(64) for reply in (b"OK", b"PONG", b"%d" % n)]


async def test_each_server_gets_its_own_keys_and_no_others(cluster: ValkeyCluster, connection: RedisConnection) -> None:
    """Nothing had to be sent on: the servers counted no command that was not theirs."""
    before = [node.redirections() for node in cluster.primaries()]
    await connection.pipeline([("SET", key, 1) for key in KEYS])
    assert [node.redirections() for node in cluster.primaries()] == before


@pytest.mark.parametrize(
    ("command", "key"),
    [
        (("GET", "{p1}:x"), "{p1}:x"),
        (("EVALSHA", "…", 2, "{p1}:x", b"{p1}:y", "{p2}:argument"), "{p1}:x"),
        (("XREADGROUP", "GROUP", "g", "c", "COUNT", 16, "STREAMS", "{p1}:x", ">"), "{p1}:x"),
        (("XGROUP", "CREATE", "{p1}:x", "g", "0"), "{p1}:x"),
        (("XINFO", "CONSUMERS", "{p1}:x", "g"), "{p1}:x"),
        (("EVAL", "return 1", 0, "{p2}:argument"), None),
        (("TIME",), None),
        (("PUBLISH", "channel", "x"), None),
    ],
)
async def test_the_key_of_a_command_is_found(
    connection: RedisConnection, command: tuple[str, ...], key: str | None
) -> None:
    """The slot is the server's own."""
    assert slot_of(command) == (None if key is None else await connection.command("CLUSTER", "KEYSLOT", key))


async def test_a_script_over_several_slots_is_our_mistake(connection: RedisConnection) -> None:
    """It never reaches a server."""
    with pytest.raises(AssertionError, match="several slots"):
        await connection.script(SET_BOTH, KEYS[:2], ["x"])


async def test_while_a_server_is_away_the_others_answer(cluster: ValkeyCluster, connection: RedisConnection) -> None:
    """In the same pipeline; the impatient are told at once, the patient wait for the replica."""
    await connection.pipeline([("SET", key, "kept") for key in KEYS])
    dead = cluster.primaries()[0]
    homes = {key: cluster.primary_of(key) for key in KEYS}
    heir = cluster.replica_of(dead)
    waiting = asyncio.create_task(_killed_and_read(cluster, connection, dead))
    await _until(lambda: dead not in cluster.alive)
    replies = await connection.pipeline([("GET", key) for key in KEYS], patient=False)
    for key, reply in zip(KEYS, replies, strict=True):
        assert isinstance(reply, StoreUnavailable) if homes[key] is dead else reply == b"kept"
    assert connection.available
    assert await waiting == [b"kept"] * len(KEYS)
    await asyncio.to_thread(cluster.until_heir, heir)


async def test_what_died_with_a_server_is_sent_again_only_if_it_may_be(
    cluster: ValkeyCluster, connection: RedisConnection
) -> None:
    """Both were on their way to a server that then was killed: the script goes to its replica, the command does not."""
    dead, key = cluster.primary_of(KEYS[7]), KEYS[7]
    os.kill(dead.pid, signal.SIGSTOP)
    script = asyncio.create_task(connection.script(SET_BOTH, [key, f"{key}:too"], ["done"]))
    command = asyncio.create_task(connection.command("INCR", f"{key}:count"))
    await asyncio.sleep(0.1)
    assert not script.done() and not command.done()
    await asyncio.to_thread(cluster.kill, dead)
    with pytest.raises(StoreUnavailable):
        await command
    assert await script == b"OK"
    reads = [("GET", key), ("GET", f"{key}:too"), ("GET", f"{key}:count")]
    assert await connection.pipeline(reads, repeatable=True) == [b"done", b"done", None]
    await connection.command("DEL", f"{key}:too")


async def test_a_slot_that_moves_is_followed(cluster: ValkeyCluster, connection: RedisConnection) -> None:
    """While its keys are on their way single keys are found on either side, scripts over several wait for the end."""
    one, other, missing = (f"{KEYS[5]}:{name}" for name in ("one", "other", "missing"))
    await connection.pipeline([("SET", key, "here") for key in (one, other)])
    target = next(node for node in cluster.primaries() if node is not cluster.primary_of(one))
    with cluster.moving(one, target) as source:
        source.ask("MIGRATE", *target.place, "", 0, 5000, "KEYS", one)
        assert await connection.pipeline([("GET", key) for key in (one, other, missing)]) == [b"here", b"here", None]
        script = asyncio.create_task(connection.script(SET_BOTH, [one, other], ["there"]))
        await asyncio.sleep(0.3)
        assert not script.done()
        source.ask("MIGRATE", *target.place, "", 0, 5000, "KEYS", other)
    assert await script == b"OK"
    assert await connection.pipeline([("GET", key) for key in (one, other)]) == [b"there", b"there"]
    assert target.ask("GET", one) == b"there"
    await connection.pipeline([("DEL", key) for key in (one, other)])


async def test_what_a_script_says_on_any_server_is_heard(cluster: ValkeyCluster, connection: RedisConnection) -> None:
    """One listener, on one server, hears them all."""
    heard: list[bytes] = []
    listener = connection.listener()
    await listener.subscribe("table", heard.append)
    for key in KEYS:
        await connection.script(TELL, [key], ["table", key])
    await _until(lambda: len(heard) == len(KEYS))
    assert sorted(heard) == sorted(key.encode() for key in KEYS)
    await listener.close()


async def test_after_a_failover_every_listener_is_told_to_look_again(
    cluster: ValkeyCluster, connection: RedisConnection
) -> None:
    """Whichever server it listened on; and it hears what is said then."""
    told: list[int] = []
    heard: list[bytes] = []
    listeners = [connection.listener() for _ in range(6)]
    for number, listener in enumerate(listeners):
        listener.on_reconnect(lambda number=number: told.append(number))
        await listener.subscribe("table", heard.append)
    await asyncio.to_thread(cluster.fail_over, cluster.primaries()[1])
    await _until(lambda: set(told) == set(range(6)))
    for key in KEYS:
        await connection.script(TELL, [key], ["table", key])
    await _until(lambda: len(heard) == len(listeners) * len(KEYS))
    for listener in listeners:
        await listener.close()


async def test_one_server_of_the_cluster_is_enough_to_find_the_others(cluster: ValkeyCluster) -> None:
    """A replica will do; a name that leads nowhere does not matter beside it."""
    replica = cluster.replica_of(cluster.primaries()[0])
    found = await RedisConnection.open(f"redis+cluster://127.0.0.1:1,127.0.0.1:{replica.port}", wait_seconds=5)
    await found.pipeline([("SET", key, 1) for key in KEYS])
    await found.close()


async def test_risky_settings_are_named_with_the_server_that_has_them(
    cluster: ValkeyCluster, connection: RedisConnection
) -> None:
    """Replicas too: they take over."""
    replica = cluster.replica_of(cluster.primaries()[0])
    replica.ask("CONFIG SET", "appendfsync", "everysec")
    (warning,) = await connection.durability_warnings()
    assert f"Redis at 127.0.0.1:{replica.port} has appendfsync everysec" in warning
    replica.ask("CONFIG SET", "appendfsync", "always")


async def test_a_server_of_a_cluster_taken_for_a_single_one_is_told(cluster: ValkeyCluster) -> None:
    """The error says how a cluster is written."""
    alone = await RedisConnection.open(f"redis://127.0.0.1:{cluster.primaries()[0].port}")
    away = next(key for key in KEYS if cluster.primary_of(key) is not cluster.primaries()[0])
    with pytest.raises(StoreUnavailable, match=r"redis\+cluster://"):
        await alone.command("GET", away)
    await alone.close()


async def _killed_and_read(cluster: ValkeyCluster, connection: RedisConnection, dead: Node) -> list[object]:
    await asyncio.to_thread(cluster.kill, dead)
    return await connection.pipeline([("GET", key) for key in KEYS], repeatable=True)


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(15):
        while not holds():
            await asyncio.sleep(0.01)
