"""Who calls: a bearer token in the metadata, an operator's JWT or a guest's.

A player is a subject, `issuer|sub`; nothing else about a token decides what it may touch. A token with the scope
`service` may act for another player of its own issuer, named in the metadata `cheeseboard-player` (the player's `sub`)
and `cheeseboard-player-name` (percent-encoded).
"""

import base64
import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

import jwt

from .errors import Refused
from .identity_file import read_identity_file
from .redis_connection import RedisConnection
from .redis_script import Script
from .settings import RuntimeSettings
from .token_keys import GUEST_ISSUER, Claims, KeyRing, TokenKey

GUEST_KEY = "cheeseboard:guest-key"
GUEST_KID = "1"
SERVICE_SCOPE = "service"
LONGEST_NAME = 32
REMEMBERED_TOKENS = 20_000
LONGEST_TOKEN = 8192

_AGREE = Script.of("guest key", "redis.call('SET', KEYS[1], ARGV[1], 'NX') return redis.call('GET', KEYS[1])")


@dataclass(frozen=True, slots=True)
class Caller:
    """A player, or a platform's backend acting for one (`service`). `expires_at` is Unix time in seconds."""

    subject: str
    player_id: str
    name: str
    service: bool
    expires_at: float

    @property
    def guest(self) -> bool:
        """Whether the player came as a guest."""
        return self.subject.startswith(f"{GUEST_ISSUER}|")


@lru_cache(maxsize=REMEMBERED_TOKENS)
def player_id(subject: str) -> str:
    """Return the public id of a subject: `p` and 20 letters and digits; the subject cannot be read from it."""
    digest = hashlib.sha256(subject.encode()).digest()
    return "p" + base64.b32encode(digest).decode().lower()[:20]


class Identity:
    """Verifies tokens, and issues guests theirs."""

    def __init__(self, keys: KeyRing, guest_key: bytes | None = None, guest_token_seconds: int = 7 * 24 * 3600) -> None:
        self._guest_key = guest_key
        self._guest_token_seconds = guest_token_seconds
        ours = {(GUEST_ISSUER, GUEST_KID): TokenKey("HS256", guest_key)} if guest_key is not None else {}
        self._keys = KeyRing(keys.audience, {**keys.keys, **ours})
        self._remembered: OrderedDict[str, tuple[Claims, Caller]] = OrderedDict()

    @staticmethod
    async def load(settings: RuntimeSettings, connection: RedisConnection) -> "Identity":
        """Read the operator's keys and, if guests are allowed, agree with the other replicas on the guests' key.

        Raises IdentityFileError, StoreUnavailable.
        """
        keys = read_identity_file(settings.identity_file)
        guest_key = await connection.script(_AGREE, [GUEST_KEY], [secrets.token_bytes(32)]) if settings.guests else None
        return Identity(keys, guest_key, settings.guest_token_seconds)

    def caller(self, metadata: Mapping[str, Any]) -> Caller:
        """Return who calls. Raises Refused: TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED or NO_SERVICE_SCOPE."""
        claims, caller = self._known(str(metadata.get("authorization", "")), time.time())
        player = metadata.get("cheeseboard-player")
        if player is None:
            return caller
        if SERVICE_SCOPE not in claims.scopes:
            raise Refused("NO_SERVICE_SCOPE", "the token may not act for another player")
        if not 0 < len(player) <= 255:
            raise Refused("BAD_REQUEST", violations=[("cheeseboard-player", "must have 1 to 255 characters")])
        return _caller(claims, player, unquote(metadata.get("cheeseboard-player-name", "")), service=True)

    def issue_guest(self, name: str) -> tuple[str, int]:
        """Return a token for a new guest and when it expires (Unix time, seconds). Raises Refused (NO_GUESTS)."""
        return self._issue(secrets.token_hex(16), name)

    def renew_guest(self, caller: Caller, name: str = "") -> tuple[str, int]:
        """Return a new token for the same guest, by default with the same name. Raises Refused."""
        if not caller.guest:
            raise Refused("TOKEN_INVALID", "only a guest's token can be renewed here")
        return self._issue(caller.subject.partition("|")[2], name or caller.name)

    def _issue(self, sub: str, name: str) -> tuple[str, int]:
        if self._guest_key is None:
            raise Refused("NO_GUESTS", "guests are not allowed here")
        now = int(time.time())
        expires_at = now + self._guest_token_seconds
        claims = {"iss": GUEST_ISSUER, "sub": sub, "aud": self._keys.audience, "iat": now, "exp": expires_at}
        headers = {"kid": GUEST_KID}
        return jwt.encode({**claims, "name": _clean(name)}, self._guest_key, "HS256", headers=headers), expires_at

    def _known(self, authorization: str, now: float) -> tuple[Claims, Caller]:
        known = self._remembered.get(authorization)
        if known is not None and now < known[0].expires_at:
            return known
        claims = self._keys.verify(_bearer(authorization), now)
        known = self._remembered[authorization] = claims, _caller(claims, claims.sub, claims.name, service=False)
        if len(self._remembered) > REMEMBERED_TOKENS:
            self._remembered.popitem(last=False)
        return known


def _bearer(authorization: str) -> str:
    scheme, _, token = authorization.strip().partition(" ")
    token = token.strip()
    if not scheme:
        raise Refused("TOKEN_MISSING", "send the metadata authorization: Bearer <token>")
    if scheme.lower() != "bearer" or not token or len(token) > LONGEST_TOKEN:
        raise Refused("TOKEN_INVALID", "authorization must be: Bearer <token>")
    return token


def _caller(claims: Claims, sub: str, name: str, *, service: bool) -> Caller:
    subject = f"{claims.issuer}|{sub}"
    return Caller(subject, player_id(subject), _clean(name) or "Player", service, claims.expires_at)


def _clean(name: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())[:LONGEST_NAME].strip()
