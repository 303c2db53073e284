"""How this program is called again, so that what it advises can be typed as it stands."""

import shlex
import shutil
import sys
from pathlib import Path

NAME = "cheeseboard-play"


def command(*arguments: str) -> str:
    """Return the command line that starts this program with these arguments."""
    called = Path(sys.argv[0])
    found = shutil.which(NAME)
    on_path = found is not None and called.absolute() == Path(found).absolute()
    name = NAME if called.name != NAME or on_path else str(called)
    return " ".join([name, *map(shlex.quote, arguments)])
