"""gRPC's side of the pipeline: handlers for grpc.aio, made from tables of functions; no servicer is written by hand."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, NoReturn

import grpc
from google.protobuf.message import DecodeError

from .errors import Refused, code_of, to_status
from .methods import Method
from .pipeline import Incoming, Pipeline

DETAILS_KEY = "grpc-status-details-bin"

Context = grpc.aio.ServicerContext[Any, Any]


def handlers(methods: Sequence[Method], pipeline: Pipeline) -> list[grpc.GenericRpcHandler]:
    """Return a handler for each service that the methods belong to."""
    by_service: dict[str, dict[str, grpc.RpcMethodHandler[Any, Any]]] = {}
    for method in methods:
        by_service.setdefault(method.service, {})[method.name] = _handler(method, pipeline)
    return [grpc.method_handlers_generic_handler(service, named) for service, named in by_service.items()]


def _handler(method: Method, pipeline: Pipeline) -> "grpc.RpcMethodHandler[Any, Any]":
    make: Any
    if method.responses_stream:
        make = grpc.stream_stream_rpc_method_handler if method.requests_stream else grpc.unary_stream_rpc_method_handler
        behaviour: Any = _streaming(method, pipeline)
    else:
        assert not method.requests_stream, "no client streaming: browsers cannot"
        make, behaviour = grpc.unary_unary_rpc_method_handler, _unary(method, pipeline)
    handler: grpc.RpcMethodHandler[Any, Any] = make(
        behaviour,
        request_deserializer=_reader(method),
        response_serializer=method.response_type.SerializeToString,
    )
    return handler


def _reader(method: Method) -> Callable[[bytes], Any]:
    """Return what reads a request. None stands for what is no such message, on a stream an empty one, to be refused."""

    def read(value: bytes) -> Any:
        try:
            return method.request_type.FromString(value)
        except DecodeError:
            return method.request_type() if method.requests_stream else None

    return read


def _unary(method: Method, pipeline: Pipeline) -> Any:
    async def answer(request: Any, context: Context) -> Any:
        try:
            return await pipeline.unary(method, request, incoming(context))
        except Refused as refused:
            refusal = refused
        # Outside the except clause: abort raises, and its AbortError must reach grpc untouched.
        return await abort(context, refusal)

    return answer


def _streaming(method: Method, pipeline: Pipeline) -> Any:
    async def answer(request: Any, context: Context) -> AsyncIterator[Any]:
        try:
            async with pipeline.stream(method, request, incoming(context)) as responses:
                async for response in responses:
                    yield response
            return
        except Refused as refused:
            refusal = refused
        await abort(context, refusal)

    return answer


def incoming(context: Context) -> Incoming:
    """Return what gRPC knows of a call."""
    return Incoming(dict(context.invocation_metadata() or ()), lambda: _host(context.peer()))


async def abort(context: Context, refused: Refused) -> NoReturn:
    """End the call with the refusal as google.rpc.Status."""
    details = ((DETAILS_KEY, to_status(refused).SerializeToString()),)
    await context.abort(code_of(refused), refused.message, trailing_metadata=details)
    raise AssertionError("abort raises")


def _host(peer: str) -> str:
    # "ipv4:127.0.0.1:5000", "ipv6:%5B::1%5D:5000", "unix:"
    kind, _, address = peer.partition(":")
    return address.rpartition(":")[0] if kind.startswith("ip") else peer
