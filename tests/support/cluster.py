"""A real Valkey cluster on loopback: three primaries and a replica of each, made, broken and mended by hand."""

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import redis
from redis.crc import key_slot

from service_runtime.embedded_redis import EmbeddedRedis, free_port

SHARDS = 3
NODE_TIMEOUT_MS = 1000
"""A server that is silent for so long is taken for dead; its replica stands for election."""
PATIENCE_SECONDS = 20.0
SLOTS = 16384


class Node(EmbeddedRedis):
    """One server of the cluster; `id` is its name in the cluster."""

    def __init__(self, folder: Path, port: int, bus_port: int) -> None:
        self.bus_port = bus_port
        settings = {
            "cluster-enabled": "yes",
            "cluster-port": str(bus_port),
            "cluster-node-timeout": str(NODE_TIMEOUT_MS),
            # A dead shard takes its own slots with it and no others.
            "cluster-require-full-coverage": "no",
            # However long it has heard nothing: here a replica is what there is.
            "cluster-replica-validity-factor": "0",
            "cluster-allow-replica-migration": "no",
            "repl-diskless-sync-delay": "0",
        }
        super().__init__(folder, port, settings)
        self.place = ("127.0.0.1", port)

    @property
    def id(self) -> str:
        """Its name in the cluster."""
        return self.ask("CLUSTER MYID").decode()

    def ask(self, command: str, *arguments: str | int | bytes) -> Any:
        """Return the reply of this very server, undecoded."""
        with redis.Redis(port=self.port, socket_timeout=10, protocol=2) as client:
            client.response_callbacks.clear()
            return client.execute_command(*command.split(), *arguments)

    def info(self) -> dict[str, str]:
        """Return its state of the cluster and of its replication."""
        return _fields(self.ask("CLUSTER INFO")) | _fields(self.ask("INFO", "replication"))

    def redirections(self) -> Counter[str]:
        """Return how many commands it sent on to another server, by the way it did."""
        errors = _fields(self.ask("INFO", "errorstats"))
        return Counter({code: int(errors.get(f"errorstat_{code}", "=0").split("=")[1]) for code in ("MOVED", "ASK")})


class ValkeyCluster:
    """Six servers; who is whose replica changes with every failover."""

    def __init__(self, folder: Path) -> None:
        ports = list({free_port(): None for _ in range(100)})
        self.nodes = [Node(folder / f"node-{n}", *ports[2 * n : 2 * n + 2]) for n in range(2 * SHARDS)]
        self.url = "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        self._dead: set[Node] = set()

    def start(self) -> None:
        """Start all servers and make a cluster of them."""
        for epoch, node in enumerate(self.nodes, 1):
            node.start()
            node.ask("CLUSTER SET-CONFIG-EPOCH", epoch)
        for shard, node in enumerate(self.nodes[:SHARDS]):
            node.ask("CLUSTER ADDSLOTSRANGE", shard * SLOTS // SHARDS, (shard + 1) * SLOTS // SHARDS - 1)
        for node in self.nodes[1:]:
            node.ask("CLUSTER MEET", *self.nodes[0].place, self.nodes[0].bus_port)
        _until(lambda: all(node.info()["cluster_known_nodes"] == str(len(self.nodes)) for node in self.nodes))
        for primary, replica in zip(self.nodes[:SHARDS], self.nodes[SHARDS:], strict=True):
            _until(lambda replica=replica, primary=primary: _replicates(replica, primary))
        self.until_whole()

    def stop(self) -> None:
        """End all servers."""
        for node in self.nodes:
            node.kill()

    def until_whole(self) -> None:
        """Return when all slots are served and every primary has a replica that is up to date."""
        _until(lambda: all(node.info()["cluster_state"] == "ok" for node in self.alive))
        _until(lambda: all(_in_sync(node) for node in self.alive))

    @property
    def alive(self) -> list[Node]:
        """The servers that run."""
        return [node for node in self.nodes if node not in self._dead]

    def primary_of(self, key: str) -> Node:
        """Return the server that has this key's slot."""
        slot = key_slot(key.encode())
        for first, last, (_, port, *_), *_ in self.alive[0].ask("CLUSTER SLOTS"):
            if first <= slot <= last:
                return self._at(port)
        raise AssertionError(f"nobody has slot {slot}")

    def primaries(self) -> list[Node]:
        """Return the servers that have slots, in the order of their first ones."""
        return self._primaries_by(self.alive[0])

    def replica_of(self, primary: Node) -> Node:
        """Return the replica of a primary."""
        (replica,) = (n for n in self.alive if n.info().get("master_port") == str(primary.port))
        return replica

    def kill(self, node: Node) -> None:
        """End a server as a power cut would."""
        self._dead.add(node)
        node.kill()

    def fail_over(self, primary: Node) -> Node:
        """Kill a primary; return its replica when it has taken over."""
        heir = self.replica_of(primary)
        self.kill(primary)
        self.until_heir(heir)
        return heir

    def hand_over(self, primary: Node) -> Node:
        """Have a primary and its replica change places without a loss, as an operator does; return the new primary."""
        heir = self.replica_of(primary)
        heir.ask("CLUSTER FAILOVER")
        self.until_heir(heir)
        self.until_whole()
        return heir

    def until_heir(self, heir: Node) -> None:
        """Return when a replica has taken over, and everybody knows."""
        _until(lambda: heir.info()["role"] == "master")
        _until(lambda: all(heir in self._primaries_by(node) for node in self.alive))

    def mend(self) -> None:
        """Start what was killed; it comes back as a replica of who replaced it."""
        for node in tuple(self._dead):
            node.start()
            self._dead.discard(node)
        self.until_whole()

    def cut_off_replica(self, primary: Node) -> Node:
        """Return the primary's replica, which hears nothing more of what happens there."""
        replica = self.replica_of(primary)
        primary.ask("ACL SETUSER", "default", "-psync", "-sync")
        primary.ask("CLIENT KILL TYPE", "replica")
        _until(lambda: replica.info()["master_link_status"] == "down")
        return replica

    @contextlib.contextmanager
    def moving(self, key: str, target: Node) -> Iterator[Node]:
        """Move the slot of a key the old way, a key at a time; yields who has it at the beginning."""
        slot, source = key_slot(key.encode()), self.primary_of(key)
        target.ask("CLUSTER SETSLOT", slot, "IMPORTING", source.id)
        source.ask("CLUSTER SETSLOT", slot, "MIGRATING", target.id)
        yield source
        while keys := source.ask("CLUSTER GETKEYSINSLOT", slot, 100):
            source.ask("MIGRATE", *target.place, "", 0, 5000, "KEYS", *keys)
        for node in (target, source, *self.primaries()):
            node.ask("CLUSTER SETSLOT", slot, "NODE", target.id)

    def _primaries_by(self, node: Node) -> list[Node]:
        ports = [port for _, _, (_, port, *_), *_ in sorted(node.ask("CLUSTER SLOTS"))]
        return [self._at(port) for port in dict.fromkeys(ports)]

    def _at(self, port: int) -> Node:
        (node,) = (node for node in self.nodes if node.port == port)
        return node


@contextlib.contextmanager
def running_cluster(folder: Path) -> Iterator[ValkeyCluster]:
    """A cluster on free ports; its `url` is a setting like that of a single server."""
    cluster = ValkeyCluster(folder)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


def _fields(reply: bytes) -> dict[str, str]:
    return dict(line.split(":", 1) for line in reply.decode().splitlines() if ":" in line)


def _replicates(replica: Node, primary: Node) -> bool:
    try:
        replica.ask("CLUSTER REPLICATE", primary.id)
    except redis.ResponseError:  # It does not know the primary yet.
        return False
    return True


def _in_sync(node: Node) -> bool:
    state = node.info()
    if state["role"] == "slave":
        return state["master_link_status"] == "up"
    return "state=online" in state.get("slave0", "")


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "the cluster does not come to rest"
        time.sleep(0.02)
