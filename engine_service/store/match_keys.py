"""The names of everything of matchmaking in Redis: one slot."""

AGENDA = "{mm}:agenda"
"""Sorted set: tickets, and matches as match/<id>, by when they are next looked at."""
RANKS = "{mm}:ranks"
"""Sorted set by text: who waits, by line, size and rating."""
AGES = "{mm}:ages"
"""Sorted set by text: who waits, by line and when it entered."""
MATCHES = "{mm}:matches"
"""Hash: matches that are being seated."""
PACES = "{mm}:paces"
"""Hash: what was waited of late, by line."""
SWEEP = "{mm}:sweep"
"""Hash: when the agenda was last taken from, and the credit of outages."""
NEWS = "mm"
"""The channel that names tickets that changed."""


def ticket(ticket_id: str) -> str:
    """Hash: a ticket."""
    return f"{{mm}}:ticket:{ticket_id}"


def player(player_id: str) -> str:
    """A player's latest ticket: live/<id> or done/<id>."""
    return f"{{mm}}:player:{player_id}"


def party(code: str) -> str:
    """The ticket of a party that gathers."""
    return f"{{mm}}:party:{code}"


def about(player_id: str, request_id: str) -> str:
    """The ticket that a request meant which named none."""
    return f"{{mm}}:about:{player_id}:{request_id}"
