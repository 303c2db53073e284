"""Writes all golden files of the rules anew: `python -m tests.rules.golden`; with `--deep` the long perft counts too.

Read what changes as a diff: every change of a line is a change of what somebody sees or may do.
"""

import sys
from pathlib import Path

from engine_service.rules.registry import GAMES

from .perft import perfts
from .playthroughs import playthroughs
from .releases import releases
from .vectors import DEALS, vectors


def main() -> None:
    """Write every file, and say which."""
    files: dict[Path, str | bytes] = {DEALS: vectors()}
    for game in GAMES.values():
        files |= {**playthroughs(game), **perfts(game), **releases(game)}
        if "--deep" in sys.argv:
            files |= perfts(game, deep=True)
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        print(path)


if __name__ == "__main__":
    main()
