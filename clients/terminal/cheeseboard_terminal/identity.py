"""Who the player is here: a name and guest tokens, in a file that only its user can read."""

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from cheeseboard_client import Cheeseboard
from cheeseboard_client.errors import NotSignedIn
from cheeseboard_local.own_stack import Addresses
from cheeseboard_terminal.people import clean

FILE = "guest.json"


def default_home() -> Path:
    """Return the folder of this client's files: the user's, never the project's."""
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "cheeseboard"


@dataclass
class Identity:
    """The file, as it is."""

    folder: Path
    name: str = ""
    tokens: dict[str, str] = field(default_factory=dict, repr=False)
    """By engine address: a guest is somebody else at every engine."""

    @classmethod
    def load(cls, folder: Path) -> "Identity":
        """Return what is on file; an unreadable file counts as none."""
        with suppress(OSError, ValueError, AttributeError, TypeError):
            held = json.loads((folder / FILE).read_text("utf-8"))
            tokens = {str(engine): str(token) for engine, token in dict(held.get("tokens", {})).items()}
            return cls(folder, clean(str(held.get("name", "")), 32), tokens)
        return cls(folder)

    def save(self) -> None:
        """Write the file anew, readable for its user only."""
        self.folder.mkdir(parents=True, exist_ok=True)
        draft = self.folder / f".{FILE}.{os.getpid()}"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({"name": self.name, "tokens": self.tokens}, file)
        draft.replace(self.folder / FILE)


async def guest(identity: Identity, addresses: Addresses, called: str) -> Cheeseboard:
    """Return a client signed in as the guest on file for the engine called so, or as a new one; its token is kept."""
    cheeseboard = Cheeseboard.connect(addresses.engine, addresses.scoring, token=identity.tokens.get(called))
    try:
        await cheeseboard.sign_in_guest(identity.name)
    except NotSignedIn:  # Expired, or of an engine that was set up anew.
        await cheeseboard.close()
        cheeseboard = Cheeseboard.connect(addresses.engine, addresses.scoring)
        await cheeseboard.sign_in_guest(identity.name)
    keep_token(identity, called, cheeseboard)
    return cheeseboard


def keep_token(identity: Identity, called: str, cheeseboard: Cheeseboard) -> None:
    """Write down the token in use, for it may have been renewed; an engine without a name is not kept."""
    if called and cheeseboard.token and identity.tokens.get(called) != cheeseboard.token:
        identity.tokens[called] = cheeseboard.token
        identity.save()
