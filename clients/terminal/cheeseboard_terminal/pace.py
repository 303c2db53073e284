"""How much time a table gives, in words."""

from cheeseboard.engine.v1 import tables_pb2


def pace(clock: tables_pb2.Clock) -> str:
    """Return "60 s a move and 120 s in reserve", or "no clock"."""
    if not clock.move_seconds:
        return "no clock"
    reserve = f" and {clock.bank_seconds} s in reserve" if clock.bank_seconds else ""
    return f"{clock.move_seconds} s a move{reserve}"
