"""Reading a gRPC stream: every way it can end becomes one of this package's errors."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import grpc

from cheeseboard_client import status
from cheeseboard_client.errors import Unreachable

Message = TypeVar("Message")


async def next_message(read: Callable[[], Awaitable[object]], kind: type[Message], silence: float) -> Message:
    """Return the next message of a stream.

    Raises the refusal that ended it, or `Unreachable` when it was cut, just ended or was silent for `silence` seconds.
    """
    try:
        async with asyncio.timeout(silence):
            message = await read()
    except TimeoutError:
        raise Unreachable(grpc.StatusCode.DEADLINE_EXCEEDED, "the stream fell silent") from None
    except grpc.aio.AioRpcError as error:
        raise status.from_call(error) from error
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        # gRPC ends a read like this when it was not the reader but the call that was cancelled.
        raise Unreachable(grpc.StatusCode.CANCELLED, "the call was cancelled") from None
    if not isinstance(message, kind):
        raise Unreachable(grpc.StatusCode.UNAVAILABLE, "the stream ended")
    return message
