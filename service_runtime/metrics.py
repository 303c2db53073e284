"""Prometheus metrics of a service, on a registry of our own."""

from functools import lru_cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client import ProcessCollector as ProcessFigures

REGISTRY = CollectorRegistry()
ProcessFigures(registry=REGISTRY)

CALLS = Counter("cheeseboard_calls", "Calls answered.", ["method", "reason"], registry=REGISTRY)
CALL_SECONDS = Histogram(
    "cheeseboard_call_seconds",
    "Seconds until a unary call was answered.",
    ["method"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0),
    registry=REGISTRY,
)
OPEN_STREAMS = Gauge("cheeseboard_open_streams", "Streams open now.", ["method"], registry=REGISTRY)
REDIS_ERRORS = Counter("cheeseboard_redis_errors", "Answers Redis did not give.", ["kind"], registry=REGISTRY)
REDIS_CONNECTED = Gauge(
    "cheeseboard_redis_connected", "Redis servers that this process is connected to.", registry=REGISTRY
)
REDIS_REFUSING = Gauge(
    "cheeseboard_redis_refusing", "1 while Redis answers but refuses writes: memory full, read only.", registry=REGISTRY
)
ENTRIES = Counter(
    "cheeseboard_stream_entries", "Entries of streams dealt with.", ["stream", "outcome"], registry=REGISTRY
)
ENTRY_SECONDS = Gauge(
    "cheeseboard_stream_lag_seconds", "Age of the stream entry taken up last.", ["stream"], registry=REGISTRY
)


@lru_cache(maxsize=4096)
def answered(method: str, reason: str) -> Counter:
    """Return the counter of one method's answers with one reason; looking it up each time costs more than counting."""
    return CALLS.labels(method, reason)


@lru_cache(maxsize=512)
def seconds(method: str) -> Histogram:
    """Return the histogram of one method."""
    return CALL_SECONDS.labels(method)


def serve(host: str, port: int) -> None:
    """Serve /metrics from a thread; port 0 serves nothing. Raises OSError when the port is taken."""
    if port:
        start_http_server(port, addr=host, registry=REGISTRY)
