"""Settings that every service shares, read from the environment (`CHEESEBOARD_…`) and nowhere else."""

import os
import socket
import sys
from typing import Annotated, NoReturn, Self, TypeVar

from pydantic import AfterValidator, Field, FilePath, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from .redis_address import addresses_in

PREFIX = "CHEESEBOARD_"

Settings = TypeVar("Settings", bound="RuntimeSettings")


def _address(text: str) -> str:
    """Check a listening address: a name for another port than was meant would be worse than none."""
    host, colon, port = text.rpartition(":")
    if not host or not colon or not port.isdigit() or int(port) > 65535:
        raise ValueError("must be host:port, with a port up to 65535")
    return text


Address = Annotated[str, AfterValidator(_address)]
"""Where a service listens, "127.0.0.1:50051"; port 0 is one that is free."""


def _instance() -> str:
    return f"{socket.gethostname()}-{os.getpid()}"


class RuntimeSettings(BaseSettings):
    """A service subclasses it and adds its own `listen` and policies."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True)

    redis_url: str = "redis://127.0.0.1:6379/0"
    """One server or a cluster; service_runtime/redis_address.py says how it is written."""
    redis_wait_seconds: float = Field(default=30.0, ge=0)
    """How long a starting service waits for Redis before it gives up."""
    log_level: str = Field(default="info", pattern="^(debug|info|warning|error)$")
    metrics_host: str = "127.0.0.1"
    metrics_port: int = Field(default=0, ge=0, le=65535)
    """0: no metrics endpoint."""
    tls_certificate: FilePath | None = None
    """PEM chain; with `tls_key` the service speaks TLS only."""
    tls_key: FilePath | None = None
    tls_client_ca: FilePath | None = None
    """PEM; when given, clients must present a certificate of it (mutual TLS)."""
    drain_seconds: float = Field(default=10.0, ge=0)
    """From the signal to stop until the process is gone, at most."""
    identity_file: FilePath | None = None
    """Operators' keys; service_runtime/identity_file.py says what stands in it."""
    guests: bool = False
    """Whether guests may sign in, and guest tokens are accepted."""
    guest_token_seconds: int = Field(default=7 * 24 * 3600, ge=60)
    partitions: int = Field(default=64, ge=1, le=256)
    """Only read at the very first start; Redis remembers the number from then on."""
    max_message_bytes: int = Field(default=64 * 1024, ge=1024)
    instance: str = Field(default_factory=_instance, min_length=1)
    """The name of this replica, different for each one of a service."""
    calls_per_second: float = Field(default=20.0, gt=0)
    """Calls of one method by one subject, lasting; twice as many for a moment."""
    streams_per_subject: int = Field(default=32, ge=1)

    @field_validator("redis_url")
    @classmethod
    def _address(cls, url: str) -> str:
        addresses_in(url)
        return url

    @model_validator(mode="after")
    def _no_half_tls(self) -> Self:
        # Half of it must not mean none of it.
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError(f"{PREFIX}TLS_CERTIFICATE and {PREFIX}TLS_KEY go together")
        if self.tls_client_ca is not None and self.tls_key is None:
            raise ValueError(f"{PREFIX}TLS_CLIENT_CA needs {PREFIX}TLS_CERTIFICATE and {PREFIX}TLS_KEY")
        return self


def load(settings: type[Settings]) -> Settings:
    """Return the settings, or end the process (code 2) with a line for each variable that is wrong."""
    try:
        return settings()
    except ValidationError as error:
        refuse(error)


def refuse(error: ValidationError) -> NoReturn:
    """End the process (code 2) with a line for each setting that is wrong."""
    for problem in error.errors(include_input=False, include_url=False):
        variable = "".join(f" {PREFIX}{str(part).upper()}" for part in problem["loc"][:1])
        print(f"Setting{variable}: {problem['msg'].removeprefix('Value error, ')}", file=sys.stderr)
    raise SystemExit(2)
