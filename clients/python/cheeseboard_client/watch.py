"""Watching a table until the caller stops, over as many streams as it takes.

Every stream begins where the one before stopped. Only an answered refusal that time does not heal ends the watch.
"""

from collections.abc import AsyncGenerator

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard_client.calls import Service
from cheeseboard_client.errors import CheeseboardError
from cheeseboard_client.frames import Frame, Gap, Position, StreamEnded
from cheeseboard_client.mending import Mending
from cheeseboard_client.streams import next_message
from cheeseboard_client.stubs import EngineStubs


async def watch(
    engine: Service[EngineStubs], table_id: str, resume_point: str, include_view: bool
) -> AsyncGenerator[Frame, None]:
    """Yield frames for ever; see `Cheeseboard.watch`."""
    position, mending = Position(resume_point), Mending(engine)
    while True:
        try:
            async for frame in _stream(engine, mending, position, table_id, include_view):
                yield frame
        except (CheeseboardError, StreamEnded, Gap) as ended:
            interrupted = await mending.after(ended)
        if interrupted:
            yield interrupted
        await mending.rest()


async def _stream(
    engine: Service[EngineStubs], mending: Mending, position: Position, table_id: str, include_view: bool
) -> AsyncGenerator[Frame, None]:
    """Yield the frames of one stream; raises what ended it."""
    await engine.credentials.ensure()
    request = tables_pb2.WatchTableRequest(
        table_id=table_id, resume_point=position.resume_point, include_view=include_view
    )
    with engine.replicas.stream() as (replica, stubs):
        mending.begins(replica)
        call = stubs.tables.WatchTable(request, metadata=engine.metadata())
        try:
            while True:
                response = await next_message(call.read, tables_pb2.WatchTableResponse, engine.patience.silence)
                mending.works()
                if frame := position.take(response):
                    yield frame
        finally:
            call.cancel()
