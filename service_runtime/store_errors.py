"""What can go wrong between us and Redis, as callers see it."""

from .redis_wire import ReplyError

__all__ = ["AWAY_CODES", "ELSEWHERE_CODES", "ReplyError", "StoreUnavailable"]

ELSEWHERE_CODES = frozenset({"MOVED", "ASK"})
"""Error codes by which a server of a cluster says that another one serves this; nothing was done."""
AWAY_CODES = ELSEWHERE_CODES | {
    *("LOADING", "READONLY", "OOM", "MISCONF", "BUSY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "NOREPLICAS", "NOAUTH")
}
"""Error codes by which a server says that it will not serve now; nothing was done."""


class StoreUnavailable(Exception):
    """Redis does not answer, or refuses to write. A command may or may not have been carried out."""
