"""Tests the SDK as its users get it: its wheel, with the oldest and the newest libraries it declares.

Each end has an environment of its own, without anything of this folder, and plays a game on a stack started for it.
"""

import os
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service_runtime.embedded_redis import free_port

ROOT = Path(__file__).resolve().parent.parent
CHECK = ROOT / "tests" / "sdk_ends" / "check.py"
ENDS = ("oldest", "newest")


def main() -> None:
    """Fail unless the game is played at both ends."""
    with tempfile.TemporaryDirectory() as folder:
        wheel = _build_wheel(Path(folder))
        with _stack(Path(folder)) as (engine, scoring):
            for end in ENDS:
                python = _environment(end, wheel)
                # Isolated (-I): nothing of this folder may be found by accident.
                subprocess.run([python, "-I", CHECK, engine, scoring], check=True, cwd=folder)


def _build_wheel(folder: Path) -> Path:
    _pip(sys.executable, "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(ROOT / "clients/python"))
    (wheel,) = folder.glob("*.whl")
    return wheel


def _environment(end: str, wheel: Path) -> Path:
    """Return the Python of an environment that is made anew only when its requirements change."""
    venv, requirements = ROOT / f".venv-sdk-{end}", ROOT / "requirements" / f"sdk-{end}.txt"
    python, stamp = venv / "bin" / "python", venv / "stamp"
    wanted = f"{sys.version} {zlib.crc32(requirements.read_bytes())}"
    if not stamp.exists() or stamp.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", venv], check=True)
        _pip(str(python), "install", "-r", str(requirements))
        stamp.write_text(wanted)
    _pip(str(python), "install", "--no-deps", "--force-reinstall", str(wheel))
    return python


def _pip(python: str, *arguments: str) -> None:
    quiet = ("--disable-pip-version-check", "--no-input", "--quiet")
    subprocess.run([python, "-m", "pip", *quiet, *arguments], check=True)


@contextmanager
def _stack(folder: Path) -> Iterator[tuple[str, str]]:
    """Run a stack and yield where the engine and the scoring service listen."""
    engine, scoring = (f"127.0.0.1:{free_port()}" for _ in range(2))
    settings = {
        "CHEESEBOARD_HOME": str(folder / "home"),
        "CHEESEBOARD_RUN_REDIS_PORT": str(free_port()),
        "CHEESEBOARD_ENGINE_LISTEN": engine,
        "CHEESEBOARD_SCORING_LISTEN": scoring,
        "CHEESEBOARD_BOT_MIN_MS": "0",
        "CHEESEBOARD_BOT_MAX_MS": "10",
    }
    outside = {name: value for name, value in os.environ.items() if not name.startswith("CHEESEBOARD_")}
    command = [sys.executable, "-c", "from service_runtime.cli import app; app()", "run", "--with-parent"]
    with subprocess.Popen(
        command, env={**outside, **settings}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        try:
            while not (line := run.stdout.readline()).startswith("Ready"):
                if not line:
                    raise SystemExit("the stack did not start")
            yield engine, scoring
        finally:
            run.stdin.close()
            run.stdout.read()


if __name__ == "__main__":
    main()
