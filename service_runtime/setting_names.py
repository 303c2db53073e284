"""The names of all settings of all our processes, to tell a misspelt one from one that another process reads."""

import difflib
from collections.abc import Iterable

from .settings import PREFIX

_ALL = """
ABANDONED_SECONDS AWAY_AFTER BOT_MAX_MS BOT_MIN_MS CALLS_PER_SECOND DELAYED_SECONDS DRAIN_SECONDS ENGINE_LISTEN
FINISHED_SECONDS GUESTS GUEST_TOKEN_SECONDS HOME IDENTITY_FILE INSTANCE LINGER_SECONDS LOG_LEVEL MATCH_KEYS
MAX_MESSAGE_BYTES METRICS_HOST METRICS_PORT MOVES_PER_SECOND OPEN_SECONDS PARTITIONS RECORD_DAYS REDIS_URL
REDIS_WAIT_SECONDS RUN_REDIS_PORT SCORING_LISTEN STREAMS_PER_SUBJECT TABLES_PER_PLAYER TLS_CERTIFICATE TLS_CLIENT_CA
TLS_KEY VOID_SECONDS
"""
NAMES = frozenset(_ALL.split())
LIKENESS = 0.8
"""From 0 to 1. What is less like any of ours may be somebody else's, as those that an orchestrator sets."""


def misspelt(variables: Iterable[str]) -> list[str]:
    """Return a sentence for each variable that looks like a setting and is none, with the one that was meant."""
    found = []
    for variable in sorted(variables):
        name = variable.upper().removeprefix(PREFIX)
        if variable.upper().startswith(PREFIX) and name not in NAMES:
            near = difflib.get_close_matches(name, NAMES, n=1, cutoff=LIKENESS)
            found += [f"{variable} is no setting; is {PREFIX}{near[0]} meant?"] if near else []
    return found
