"""The baseline: what a plain grpc.aio service with redis-py does for one call.

An echo without authentication, checks, log or metrics that runs one script: compare a head, SET 1 KB, XADD 200 B.
It runs on the same event loop as the engine. `python -m tests.bench.stock PORT REDIS_URL`.
"""

import asyncio
import sys

import grpc
import redis.asyncio

from cheeseboard.engine.v1 import tables_pb2

METHOD = "/stock.Stock/Move"

_SCRIPT = """
if redis.call('GETRANGE', KEYS[1], 0, 15) == ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 100, '*', 'e', ARGV[3])
return 1
"""
_TABLE, _ENTRY = b"t" * 1024, b"e" * 200


async def serve(port: int, url: str) -> None:
    """Serve until killed."""
    store = redis.asyncio.Redis.from_url(url)
    sha = await store.script_load(_SCRIPT)

    async def move(request: tables_pb2.SubmitMoveRequest, context: object) -> tables_pb2.SubmitMoveResponse:
        names = f"stock:{request.table_id}", f"stock:log:{request.table_id}"
        await store.evalsha(sha, 2, *names, b"h" * 16, _TABLE, _ENTRY)
        return tables_pb2.SubmitMoveResponse(sequence=request.window, resume_point="AAAAAAAAAAoplCu-06lgrQ")

    handler = grpc.unary_unary_rpc_method_handler(
        move,
        request_deserializer=tables_pb2.SubmitMoveRequest.FromString,
        response_serializer=tables_pb2.SubmitMoveResponse.SerializeToString,
    )
    server = grpc.aio.server()
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("stock.Stock", {"Move": handler})])
    server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    print("ready", flush=True)
    await server.wait_for_termination()


def main() -> None:
    """Run on uvloop where the engine would."""
    work = serve(int(sys.argv[1]), sys.argv[2])
    try:
        import uvloop
    except ImportError:
        asyncio.run(work)
    else:
        uvloop.run(work)


if __name__ == "__main__":
    main()
