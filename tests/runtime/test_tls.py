"""TLS and mutual TLS over real connections."""

import datetime
import ipaddress
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from cheeseboard.engine.v1 import lobby_pb2, lobby_pb2_grpc
from service_runtime.redis_connection import RedisConnection

from .serving import ServingSettings, start


@dataclass(frozen=True)
class Certificate:
    """A certificate with its key, signed by itself, in PEM."""

    certificate: bytes
    key: bytes

    def write(self, folder: Path, name: str) -> tuple[Path, Path]:
        """Return the paths of both in files."""
        paths = folder / f"{name}.pem", folder / f"{name}.key"
        for path, pem in zip(paths, (self.certificate, self.key), strict=True):
            path.write_bytes(pem)
        return paths


def certificate(name: str) -> Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    today = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return Certificate(made.public_bytes(Encoding.PEM), pem)


OURS, PARTNER, STRANGER = certificate("ours"), certificate("partner"), certificate("stranger")

Serve = Callable[..., AbstractAsyncContextManager[str]]


@pytest.fixture
def served(connection: RedisConnection, tmp_path: Path) -> Serve:
    """Serve with TLS; with `partners_only`, to holders of the partner's certificate."""

    @asynccontextmanager
    async def serve(partners_only: bool = False) -> AsyncIterator[str]:
        chain, key = OURS.write(tmp_path, "ours")
        partner, _ = PARTNER.write(tmp_path, "partner")
        settings = ServingSettings(
            guests=True, tls_certificate=chain, tls_key=key, tls_client_ca=partner if partners_only else None
        )
        server, small, _, port = await start(settings, connection)
        yield f"127.0.0.1:{port}"
        await server.drain(small.say_goodbye)

    return serve


async def signs_in(channel: grpc.aio.Channel) -> bool:
    async with channel:
        try:
            await lobby_pb2_grpc.LobbyServiceStub(channel).SignInGuest(lobby_pb2.SignInGuestRequest(), timeout=5)
        except grpc.aio.AioRpcError as failed:
            assert failed.code() is grpc.StatusCode.UNAVAILABLE
            return False
        return True


def secure(address: str, trusted: Certificate, own: Certificate | None = None) -> grpc.aio.Channel:
    credentials = grpc.ssl_channel_credentials(
        trusted.certificate, own.key if own else None, own.certificate if own else None
    )
    return grpc.aio.secure_channel(address, credentials)


async def test_with_a_certificate_only_tls_is_spoken(served: Serve) -> None:
    async with served() as address:
        assert await signs_in(secure(address, OURS))
        assert not await signs_in(secure(address, STRANGER))
        assert not await signs_in(grpc.aio.insecure_channel(address))


async def test_with_a_client_ca_only_its_clients_are_served(served: Serve) -> None:
    async with served(partners_only=True) as address:
        assert await signs_in(secure(address, OURS, PARTNER))
        assert not await signs_in(secure(address, OURS, STRANGER))
        assert not await signs_in(secure(address, OURS))
