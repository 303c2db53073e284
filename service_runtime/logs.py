"""JSON log lines on stdout, one an event.

Nothing is redacted because nothing secret is handed in: no line takes a request, a response, a state or a token, and
of an exception only its types and places are written, because its text may quote a card or a seed.
"""

import logging
import sys
import traceback
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from typing import Any, cast

import msgspec
import structlog

TIME = "timestamp"
"""The field that says when."""

_service = ""
_about: ContextVar[Mapping[str, Any]] = ContextVar("about")


def configure(service: str, level: str = "info") -> None:
    """Send the lines of structlog and of `logging` to stdout as JSON, marked with the name of the service."""
    global _service
    _service = service
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        _add_what_it_is_about,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _mark,
        structlog.processors.ExceptionRenderer(_frames),
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer(serializer=_bytes)],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.BytesLoggerFactory(),
        cache_logger_on_first_use=True,
    )
    _adopt_standard_logging(shared, level)


def write_many(topic: str, event: str, lines: Iterable[Mapping[str, Any]]) -> None:
    """Write lines at level info that bring their own time, all at once: for what every call leaves behind."""
    if not logger(topic).is_enabled_for(logging.INFO):
        return
    like = {"topic": topic, "event": event, "level": "info", "service": _service}
    sys.stdout.buffer.write(b"".join([_bytes({**like, **line}) + b"\n" for line in lines]))
    sys.stdout.buffer.flush()


def about(known: Mapping[str, Any]) -> None:
    """Have this on every later line of the running task; one variable a call, where structlog sets one a field."""
    _about.set(known)


def logger(topic: str) -> structlog.typing.FilteringBoundLogger:
    """Return a logger whose lines carry `topic`."""
    return cast("structlog.typing.FilteringBoundLogger", structlog.get_logger(topic=topic))


def _add_what_it_is_about(_: Any, __: str, fields: structlog.typing.EventDict) -> structlog.typing.EventDict:
    return {**_about.get({}), **fields}


def _mark(_: Any, __: str, fields: structlog.typing.EventDict) -> structlog.typing.EventDict:
    fields["service"] = _service
    return fields


def _bytes(fields: Any, **_: Any) -> bytes:
    return msgspec.json.encode(fields, enc_hook=str)


def _text(fields: Any, **_: Any) -> str:
    return _bytes(fields).decode()


def _frames(exc_info: Any) -> str:
    lines: list[str] = []
    error = exc_info[1]
    while error is not None:
        lines += [*traceback.format_tb(error.__traceback__), f"{type(error).__module__}.{type(error).__qualname__}"]
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        lines += ["\n\ncaused by\n"] if error is not None else []
    return "".join(lines)


def _adopt_standard_logging(shared: list[structlog.typing.Processor], level: str) -> None:
    lines = logging.StreamHandler(sys.stdout)
    lines.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(serializer=_text),
            ],
        )
    )
    # Libraries speak only of trouble; their chatter is not ours to publish.
    logging.basicConfig(handlers=[lines], level=max(logging.WARNING, logging.getLevelName(level.upper())), force=True)
