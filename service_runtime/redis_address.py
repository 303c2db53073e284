"""Where Redis is, as CHEESEBOARD_REDIS_URL says it:

    redis://:password@host:6379/0           one server, here its database 0
    rediss://user:password@host:6379        the same with TLS; ?ssl_ca_certs=<file> for an authority of one's own
    unix:///run/valkey.sock                 the same without a network
    redis+cluster://:password@a:7000,b      a cluster: any of its servers, commas between them; the others are found
    rediss+cluster://a:7000,b:7000          a cluster with TLS

A cluster's servers are all spoken to as its URL says: user, password, TLS. It has no numbered databases.
"""

import ssl
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from redis.asyncio.connection import SSLConnection, parse_url

_CLUSTER = "+cluster"
_SCHEMES = ("redis", "rediss", "unix")


@dataclass(frozen=True)
class RedisAddress:
    """Where a server is and how to present oneself."""

    host: str
    port: int
    path: str | None
    database: int
    username: str | None
    password: str | None
    tls: ssl.SSLContext | None

    @staticmethod
    def of(url: str) -> "RedisAddress":
        """Read a redis://, rediss:// or unix:// URL. Raises ValueError."""
        if urlsplit(url).scheme not in _SCHEMES:
            raise ValueError(f"the URL of Redis must begin with redis://, rediss://, unix:// or redis{_CLUSTER}://")
        parts: dict[str, Any] = dict(parse_url(url))
        secure = parts.get("connection_class") is SSLConnection
        return RedisAddress(
            host=parts.get("host", "localhost"),
            port=parts.get("port", 6379),
            path=parts.get("path"),
            database=parts.get("db", 0),
            username=parts.get("username"),
            password=parts.get("password"),
            tls=_tls(parts.get("ssl_ca_certs")) if secure else None,
        )

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"


def is_cluster(url: str) -> bool:
    """Tell whether a URL is that of a cluster."""
    return urlsplit(url).scheme.endswith(_CLUSTER)


def addresses_in(url: str) -> list[RedisAddress]:
    """Return the servers that a URL names: one, or some of a cluster. Raises ValueError."""
    if not is_cluster(url):
        return [RedisAddress.of(url)]
    parts = urlsplit(url)
    user, at, hosts = parts.netloc.rpartition("@")
    rest = parts._replace(scheme=parts.scheme.removesuffix(_CLUSTER))
    found = [RedisAddress.of(rest._replace(netloc=f"{user}{at}{host}").geturl()) for host in hosts.split(",")]
    if any(address.database for address in found):
        raise ValueError("a cluster has no numbered databases")
    return found


def _tls(authority: str | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=authority)
    except OSError as fault:
        raise ValueError(f"ssl_ca_certs cannot be used: {fault}") from None
