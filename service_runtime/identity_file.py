"""The operator's keys: which issuers' tokens are accepted. A JSON file, named by CHEESEBOARD_IDENTITY_FILE:

    {
      "audience": "cheeseboard",
      "issuers": {
        "https://id.example.com": {
          "2026-11": {"algorithm": "RS256", "key": "-----BEGIN PUBLIC KEY-----\\n…"},
          "2026-12": {"algorithm": "EdDSA", "key_file": "id-example-com.pem"}
        },
        "our-backend": {
          "1": {"algorithm": "HS256", "key_file": "backend.secret"}
        }
      }
    }

Issuers are values of `iss`, below them stand keys by `kid`. RS256 and EdDSA take a public key in PEM, HS256 a secret of
at least 32 bytes (a trailing newline does not count). Paths are relative to the file. A token's `aud` must contain
`audience`.
"""

from pathlib import Path
from typing import Literal

import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from .token_keys import GUEST_ISSUER, KeyRing, TokenKey

DEFAULT_AUDIENCE = "cheeseboard"
LEAST_SECRET_BYTES = 32
LEAST_RSA_BITS = 2048


class IdentityFileError(ValueError):
    """The file cannot be used; the text says where and why."""


class _Key(msgspec.Struct, forbid_unknown_fields=True):
    algorithm: Literal["HS256", "RS256", "EdDSA"]
    key: str | None = None
    key_file: str | None = None


class _File(msgspec.Struct, forbid_unknown_fields=True):
    issuers: dict[str, dict[str, _Key]]
    audience: str = DEFAULT_AUDIENCE


def read_identity_file(path: Path | None) -> KeyRing:
    """Return the keys in the file; without a file there are none. Raises IdentityFileError."""
    if path is None:
        return KeyRing(DEFAULT_AUDIENCE, {})
    try:
        file = msgspec.json.decode(path.read_bytes(), type=_File)
    except (OSError, msgspec.DecodeError) as fault:
        raise IdentityFileError(f"{path}: {fault}") from None
    if GUEST_ISSUER in file.issuers:
        raise IdentityFileError(f"{path}: the issuer {GUEST_ISSUER!r} is our own")
    keys = {
        (issuer, kid): _read(path, f"{path}: issuer {issuer!r}, key {kid!r}", key)
        for issuer, by_kid in file.issuers.items()
        for kid, key in by_kid.items()
    }
    return KeyRing(file.audience, keys)


def _read(path: Path, where: str, key: _Key) -> TokenKey:
    if (key.key is None) == (key.key_file is None):
        raise IdentityFileError(f"{where}: give either key or key_file")
    try:
        text = key.key.encode() if key.key is not None else (path.parent / str(key.key_file)).read_bytes()
    except OSError as fault:
        raise IdentityFileError(f"{where}: {fault}") from None
    if key.algorithm == "HS256":
        return _secret(where, text.rstrip(b"\r\n"))
    return _public_key(where, key.algorithm, text)


def _secret(where: str, secret: bytes) -> TokenKey:
    # A public key taken for a secret is the old way to forge tokens.
    if len(secret) < LEAST_SECRET_BYTES or secret.startswith(b"-----BEGIN"):
        raise IdentityFileError(f"{where}: HS256 needs a secret of at least {LEAST_SECRET_BYTES} bytes, and no PEM")
    return TokenKey("HS256", secret)


def _public_key(where: str, algorithm: str, pem: bytes) -> TokenKey:
    try:
        key = load_pem_public_key(pem)
    except (ValueError, UnsupportedAlgorithm):
        raise IdentityFileError(f"{where}: not a public key in PEM") from None
    if algorithm == "RS256" and isinstance(key, RSAPublicKey) and key.key_size >= LEAST_RSA_BITS:
        return TokenKey(algorithm, key)
    if algorithm == "EdDSA" and isinstance(key, Ed25519PublicKey):
        return TokenKey(algorithm, key)
    raise IdentityFileError(f"{where}: {algorithm} needs an RSA key of {LEAST_RSA_BITS} bits or more, or Ed25519")
