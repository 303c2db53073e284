"""An operator for the tests: an issuer with a secret, and the tokens it hands out."""

import json
import time
from pathlib import Path
from typing import Any

import jwt

ISSUER = "test-platform"
SECRET = "a secret of the tests, more than thirty-two bytes long"


def identity_file(folder: Path) -> Path:
    """Write the file that CHEESEBOARD_IDENTITY_FILE names."""
    path = folder / "identity.json"
    path.write_text(json.dumps({"issuers": {ISSUER: {"1": {"algorithm": "HS256", "key": SECRET}}}}))
    return path


def token(sub: str, *, seconds: float = 3600, secret: str = SECRET, **claims: Any) -> str:
    """Return a token for a player; it expires after so many seconds."""
    now = int(time.time())
    body = {"iss": ISSUER, "aud": "cheeseboard", "sub": sub, "name": sub, "iat": now, "exp": now + seconds, **claims}
    return jwt.encode(body, secret, "HS256", headers={"kid": "1"})
