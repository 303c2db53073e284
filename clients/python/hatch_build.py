"""Puts the generated contracts into the wheel: from the repository, or from the sdist that already holds them."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Contracts(BuildHookInterface):  # type: ignore[type-arg]
    """Includes the package `cheeseboard`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the folder to include."""
        root = Path(self.root)
        in_repository = root.parent.parent / "protos" / "cheeseboard"
        found = in_repository if in_repository.is_dir() else root / "cheeseboard"
        build_data["force_include"][str(found)] = "cheeseboard"
