"""Verifying a JWT: the key is found by issuer and kid, and the key says which algorithm it is for, never the token."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from .errors import Refused

GUEST_ISSUER = "guest"
CLOCK_SKEW_SECONDS = 30
"""How far an issuer's clock may be ahead of ours; expiry is taken at its word."""


@dataclass(frozen=True)
class TokenKey:
    """A key and the only algorithm it is used with."""

    algorithm: str
    key: bytes | RSAPublicKey | Ed25519PublicKey


@dataclass(frozen=True)
class Claims:
    """What a valid token says."""

    issuer: str
    sub: str
    name: str
    scopes: frozenset[str]
    expires_at: float


@dataclass(frozen=True)
class KeyRing:
    """Keys by (issuer, kid)."""

    audience: str
    keys: Mapping[tuple[str, str], TokenKey]

    def verify(self, token: str, now: float) -> Claims:
        """Return the claims. Raises Refused (TOKEN_INVALID, TOKEN_EXPIRED); never says which check failed."""
        try:
            claims = self._verified(token)
        except jwt.PyJWTError:
            raise Refused("TOKEN_INVALID", "the token is not valid here") from None
        if claims.expires_at <= now:
            raise Refused("TOKEN_EXPIRED", "the token has expired")
        return claims

    def _verified(self, token: str) -> Claims:
        stated = jwt.decode_complete(token, options={"verify_signature": False})
        issuer, kid = stated["payload"].get("iss"), stated["header"].get("kid")
        key = self.keys.get((issuer, kid)) if isinstance(issuer, str) and isinstance(kid, str) else None
        if key is None:
            raise jwt.InvalidTokenError("unknown key")
        payload = jwt.decode(
            token,
            key.key,
            algorithms=[key.algorithm],
            audience=self.audience,
            issuer=issuer,
            leeway=CLOCK_SKEW_SECONDS,
            options={"require": ["exp", "sub", "aud", "iss"], "verify_exp": False},
        )
        return _claims(payload)


def _claims(payload: Mapping[str, Any]) -> Claims:
    sub, expires_at, name, scope = payload["sub"], payload["exp"], payload.get("name"), payload.get("scope")
    # bool is a number to Python, and NaN is never over.
    if not isinstance(expires_at, int | float) or isinstance(expires_at, bool) or not 0 < expires_at < 1e12:
        raise jwt.InvalidTokenError("exp")
    if not isinstance(sub, str) or not 0 < len(sub) <= 255:
        raise jwt.InvalidTokenError("sub")
    return Claims(
        issuer=payload["iss"],
        sub=sub,
        name=name if isinstance(name, str) else "",
        scopes=frozenset(scope.split()) if isinstance(scope, str) else frozenset(),
        expires_at=float(expires_at),
    )
