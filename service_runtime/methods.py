"""The methods of a service as plain functions, joined to the protos by their descriptor.

    unary            async def f(request, caller) -> response
    server stream    def f(request, caller) -> AsyncIterator[response]      (an async generator)
    both stream      def f(requests, caller) -> AsyncIterator[response]

`caller` is a Caller, for public methods None when no token was sent. Functions raise Refused or StoreUnavailable.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from .limits import Rate

Function = Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Method:
    """A method with what the pipeline and the adapters need to know of it."""

    service: str
    """With its package."""
    name: str
    function: Function
    public: bool
    """No token is needed; limits go by peer."""
    rate: Rate | None
    """None: what the settings say."""
    requests_stream: bool
    responses_stream: bool
    request_type: type[Message]
    response_type: type[Message]

    @cached_property
    def label(self) -> str:
        """Return how logs and metrics call it: `TableService/GetView`."""
        return f"{self.service.rpartition('.')[2]}/{self.name}"


def methods_of(
    service: ServiceDescriptor,
    functions: Mapping[str, Function],
    *,
    public: Collection[str] = (),
    rates: Mapping[str, Rate] | None = None,
) -> tuple[Method, ...]:
    """Return the methods of a service. Raises ValueError unless there is exactly one function for each of them."""
    declared = {method.name for method in service.methods}
    stray = declared.symmetric_difference(functions) | (set(public) | set(rates or ())) - declared
    if stray:
        raise ValueError(f"{service.full_name}: declared and given methods differ in {', '.join(sorted(stray))}")
    return tuple(
        _method(service, method, functions[method.name], method.name in public, (rates or {}).get(method.name))
        for method in service.methods
    )


def _method(
    service: ServiceDescriptor, method: MethodDescriptor, function: Function, public: bool, rate: Rate | None
) -> Method:
    return Method(
        service=service.full_name,
        name=method.name,
        function=function,
        public=public,
        rate=rate,
        requests_stream=method.client_streaming,
        responses_stream=method.server_streaming,
        request_type=GetMessageClass(method.input_type),
        response_type=GetMessageClass(method.output_type),
    )
