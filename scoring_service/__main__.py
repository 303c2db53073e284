"""The scoring service as a process: `cheeseboard-scoring`."""

from service_runtime import service

from .app import serve
from .settings import ScoringSettings


def main() -> None:
    """Run the service until it is told to stop; the exit codes are those of service_runtime/service.py."""
    service.main("scoring", ScoringSettings, serve)


if __name__ == "__main__":
    main()
