"""Replies of a pipeline, of which each may be an error."""

from collections.abc import Iterable
from typing import Any


def checked(replies: Iterable[Any]) -> list[Any]:
    """Return the replies, or raise the first error among them."""
    found = list(replies)
    for reply in found:
        if isinstance(reply, Exception):
            raise reply
    return found
