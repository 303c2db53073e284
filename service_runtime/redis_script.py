"""Lua scripts: the only way to change several keys in one step."""

import hashlib
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True)
class Script:
    """A script and its name in Redis. It must be idempotent and touch the keys of one hash slot only."""

    name: str
    source: str
    sha: str

    @staticmethod
    def of(name: str, source: str) -> "Script":
        """Make a script of its source."""
        return Script(name, source, hashlib.sha1(source.encode()).hexdigest())


def load_script(package: str, filename: str) -> Script:
    """Return the script in `filename` beside (or below, with slashes) the modules of `package`."""
    return Script.of(filename, resources.files(package).joinpath(filename).read_text())
