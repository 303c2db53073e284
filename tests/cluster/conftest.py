"""A cluster for the tests of this folder, and the product on it: two engine and two scoring replicas."""

from collections.abc import AsyncIterator, Iterator

import pytest

from service_runtime.redis_connection import RedisConnection
from tests.support.cluster import ValkeyCluster, running_cluster
from tests.support.stack import QUICK, Stack, running_replicas


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyCluster]:
    """One cluster for all tests."""
    with running_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def cluster(started: ValkeyCluster) -> Iterator[ValkeyCluster]:
    """The cluster, whole at the beginning and mended at the end."""
    yield started
    started.mend()


@pytest.fixture(scope="session")
def stack(started: ValkeyCluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The product on the cluster."""
    folder = tmp_path_factory.mktemp("on-cluster")
    with running_replicas(started.url, folder, engines=2, scorings=2, settings=QUICK) as running:
        yield running


@pytest.fixture
async def connection(cluster: ValkeyCluster) -> AsyncIterator[RedisConnection]:
    """A connection to the cluster."""
    connection = await RedisConnection.open(cluster.url, wait_seconds=10, budget_seconds=10)
    yield connection
    await connection.close()
