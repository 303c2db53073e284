"""What any of our services stands on: settings, logs, metrics, Redis, streams, identity and the gRPC server.

Nothing here knows a table or a game; services import it, it imports no service.
"""
