"""The entry point of `cheeseboard-load`."""

import importlib.util
import sys

import typer


def main() -> None:
    """Run the command, if what it needs beyond the services is there."""
    if importlib.util.find_spec("hdrh") is None:
        sys.exit(
            "The load tester needs the package hdrhistogram, which has no wheel for this machine; install it first."
        )
    from cheeseboard_loadtest.command import command

    typer.run(command)


if __name__ == "__main__":
    main()
