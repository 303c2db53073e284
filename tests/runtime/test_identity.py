"""Who is let in as whom: every way to forge, stretch or mistake a token."""

import base64
import json
import time
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from service_runtime.errors import Refused
from service_runtime.identity import Identity, player_id
from service_runtime.identity_file import IdentityFileError, read_identity_file
from service_runtime.redis_connection import RedisConnection
from service_runtime.settings import RuntimeSettings

SECRET = b"0123456789abcdef0123456789abcdef"
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
ED25519 = ed25519.Ed25519PrivateKey.generate()


def pem(key: Any) -> str:
    return str(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode())


@pytest.fixture
def identity_file(tmp_path: Path) -> Path:
    (tmp_path / "backend.secret").write_bytes(SECRET + b"\n")
    file = {
        "audience": "games",
        "issuers": {
            "shop": {
                "hs": {"algorithm": "HS256", "key_file": "backend.secret"},
                "rs": {"algorithm": "RS256", "key": pem(RSA)},
            },
            "club": {"ed": {"algorithm": "EdDSA", "key": pem(ED25519)}},
        },
    }
    path = tmp_path / "identity.json"
    path.write_text(json.dumps(file))
    return path


@pytest.fixture
def identity(identity_file: Path) -> Identity:
    return Identity(read_identity_file(identity_file), guest_key=b"g" * 32)


def token(key: Any = SECRET, algorithm: str = "HS256", kid: str | None = "hs", **changed: Any) -> str:
    claims = {"iss": "shop", "sub": "ada", "aud": "games", "exp": time.time() + 60, "name": "Ada", **changed}
    claims = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(claims, key, algorithm, headers={"kid": kid} if kid is not None else None)


def bearer(token: str, **more: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}", **{name.replace("_", "-"): value for name, value in more.items()}}


def refusal(identity: Identity, metadata: dict[str, str]) -> str:
    with pytest.raises(Refused) as refused:
        identity.caller(metadata)
    return refused.value.reason


@pytest.mark.parametrize(
    ("key", "algorithm", "kid", "issuer"),
    [(SECRET, "HS256", "hs", "shop"), (RSA, "RS256", "rs", "shop"), (ED25519, "EdDSA", "ed", "club")],
)
def test_each_algorithm_lets_its_player_in(identity: Identity, key: Any, algorithm: str, kid: str, issuer: str) -> None:
    caller = identity.caller(bearer(token(key, algorithm, kid, iss=issuer)))
    assert (caller.subject, caller.name, caller.service) == (f"{issuer}|ada", "Ada", False)
    assert caller.player_id == player_id(f"{issuer}|ada")


def test_the_same_sub_of_two_issuers_is_two_players(identity: Identity) -> None:
    of_shop = identity.caller(bearer(token()))
    of_club = identity.caller(bearer(token(ED25519, "EdDSA", "ed", iss="club")))
    assert of_shop.player_id != of_club.player_id


@pytest.mark.parametrize("authorization", [None, ""])
def test_no_token(identity: Identity, authorization: str | None) -> None:
    metadata = {} if authorization is None else {"authorization": authorization}
    assert refusal(identity, metadata) == "TOKEN_MISSING"


def forged() -> dict[str, str]:
    head, body, signature = token().split(".")
    unsigned = base64.urlsafe_b64encode(b'{"alg":"none","kid":"hs"}').rstrip(b"=").decode()
    other_body = token(sub="eve").split(".")[1]
    return {
        "not a token": "nonsense",
        "alg none": f"{unsigned}.{body}.",
        "signature cut": f"{head}.{body}.",
        "signature of another": f"{head}.{other_body}.{signature}",
        "other secret": token(b"x" * 32),
        "no kid": token(kid=None),
        "unknown kid": token(kid="2"),
        "kid of another issuer": token(ED25519, "EdDSA", "ed"),
        "unknown issuer": token(iss="mall"),
        "no issuer": token(iss=None),
        "no audience": token(aud=None),
        "wrong audience": token(aud="other"),
        "no expiry": token(exp=None),
        "endless": token(exp=1e15),
        "no sub": token(sub=None),
        "empty sub": token(sub=""),
        "sub without end": token(sub="a" * 256),
        "not yet": token(nbf=time.time() + 3600),
        # The public key is public: taken for a secret it would let anybody sign.
        "public key as secret": _confused(),
        "key of the right kid, algorithm of another": token(RSA, "RS512", "rs"),
    }


def _confused() -> str:
    import hashlib
    import hmac

    def part(value: Any) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    claims = {"iss": "shop", "sub": "ada", "aud": "games", "exp": time.time() + 60}
    signed = f"{part({'alg': 'HS256', 'kid': 'rs'})}.{part(claims)}"
    signature = hmac.new(pem(RSA).encode(), signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


@pytest.mark.parametrize("how", sorted(forged()))
def test_a_forged_token_lets_nobody_in(identity: Identity, how: str) -> None:
    assert refusal(identity, bearer(forged()[how])) == "TOKEN_INVALID"


def test_a_scheme_other_than_bearer_is_refused(identity: Identity) -> None:
    assert refusal(identity, {"authorization": f"Basic {token()}"}) == "TOKEN_INVALID"
    assert refusal(identity, {"authorization": "Bearer " + "a" * 10_000}) == "TOKEN_INVALID"


def test_an_expired_token_is_told_apart_and_a_remembered_one_expires_too(identity: Identity) -> None:
    assert refusal(identity, bearer(token(exp=time.time() - 1))) == "TOKEN_EXPIRED"
    short = bearer(token(exp=time.time() + 0.3))
    identity.caller(short)
    time.sleep(0.4)
    assert refusal(identity, short) == "TOKEN_EXPIRED"


def test_an_issuer_whose_clock_is_a_little_ahead_is_trusted(identity: Identity) -> None:
    ahead = time.time() + 10
    assert identity.caller(bearer(token(iat=ahead, nbf=ahead))).name == "Ada"


def test_a_backend_with_the_scope_acts_for_the_player_it_names(identity: Identity) -> None:
    metadata = bearer(token(sub="backend", scope="other service"))
    metadata |= {"cheeseboard-player": "bob", "cheeseboard-player-name": "B%C3%B6b"}
    caller = identity.caller(metadata)
    assert (caller.subject, caller.name, caller.service) == ("shop|bob", "Böb", True)
    assert caller.player_id == identity.caller(bearer(token(sub="bob"))).player_id


def test_without_the_scope_nobody_acts_for_another(identity: Identity) -> None:
    for scope in (None, "", "services", "Service", ["service"]):
        metadata = bearer(token(scope=scope)) | {"cheeseboard-player": "bob"}
        assert refusal(identity, metadata) == "NO_SERVICE_SCOPE"


def test_names_are_made_printable_and_short(identity: Identity) -> None:
    assert identity.caller(bearer(token(name="A\x1b[31m\n  da" + "x" * 99))).name == ("A [31m da" + "x" * 99)[:32]
    assert identity.caller(bearer(token(name=None))).name == "Player"


async def test_guests_are_known_to_every_replica_and_renew_themselves(connection: RedisConnection) -> None:
    one, other = [await Identity.load(RuntimeSettings(guests=True), connection) for _ in range(2)]
    issued, expires_at = one.issue_guest("Gil")
    guest = other.caller(bearer(issued))
    assert (guest.guest, guest.name, guest.expires_at) == (True, "Gil", expires_at)
    renewed = one.caller(bearer(other.renew_guest(guest)[0]))
    assert (renewed.subject, renewed.name) == (guest.subject, "Gil")
    assert one.caller(bearer(one.issue_guest("Gil")[0])).subject != guest.subject


async def test_where_guests_are_not_allowed_none_is_issued_or_let_in(connection: RedisConnection) -> None:
    open_house = await Identity.load(RuntimeSettings(guests=True), connection)
    closed = await Identity.load(RuntimeSettings(guests=False), connection)
    with pytest.raises(Refused) as refused:
        closed.issue_guest("Gil")
    assert refused.value.reason == "NO_GUESTS"
    assert refusal(closed, bearer(open_house.issue_guest("Gil")[0])) == "TOKEN_INVALID"


def test_a_guest_cannot_act_for_another_and_a_player_cannot_become_a_guest(identity: Identity) -> None:
    issued, _ = identity.issue_guest("Gil")
    assert refusal(identity, bearer(issued) | {"cheeseboard-player": "x"}) == "NO_SERVICE_SCOPE"
    with pytest.raises(Refused):
        identity.renew_guest(identity.caller(bearer(token())))


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"guest": {}}, "our own"),
        ({"shop": {"1": {"algorithm": "HS256", "key": "short"}}}, "32 bytes"),
        ({"shop": {"1": {"algorithm": "HS256", "key": pem(RSA)}}}, "no PEM"),
        ({"shop": {"1": {"algorithm": "RS256", "key": pem(ED25519)}}}, "RSA key"),
        ({"shop": {"1": {"algorithm": "EdDSA", "key": pem(RSA)}}}, "Ed25519"),
        ({"shop": {"1": {"algorithm": "RS256", "key": "nonsense"}}}, "PEM"),
        ({"shop": {"1": {"algorithm": "none", "key": "x"}}}, "none"),
        ({"shop": {"1": {"algorithm": "RS256"}}}, "either"),
        ({"shop": {"1": {"algorithm": "RS256", "key_file": "gone.pem"}}}, "gone.pem"),
    ],
)
def test_a_file_that_cannot_be_meant_is_refused(tmp_path: Path, keys: object, says: str) -> None:
    path = tmp_path / "identity.json"
    path.write_text(json.dumps({"issuers": keys}))
    with pytest.raises(IdentityFileError, match=says):
        read_identity_file(path)
