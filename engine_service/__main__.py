"""`python -m engine_service`: one replica of the engine."""

from engine_service.app import serve
from engine_service.settings import EngineSettings
from service_runtime import service


def main() -> None:
    """Run until told to stop."""
    service.main("engine", EngineSettings, serve)


if __name__ == "__main__":
    main()
