"""The command `cheeseboard-load`."""

import asyncio
import signal
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Annotated, NoReturn

from rich.console import Console
from typer import Option

from cheeseboard_loadtest import report
from cheeseboard_loadtest.outcome import Outcome
from cheeseboard_loadtest.profile import Profile, ProfileError, find, read
from cheeseboard_loadtest.progress import Progress
from cheeseboard_loadtest.run import run
from cheeseboard_loadtest.target import Target, own, running
from cheeseboard_local.own_stack import StackFailed

MISSED, FAULT = 1, 2


def command(
    profile: Annotated[str, Option(help="One of ours by its name, or a file.")] = "default",
    engine: Annotated[str, Option(help="A running engine, or several with commas between; else one is started.")] = "",
    scoring: Annotated[str, Option(help="With --engine: its scoring service.")] = "127.0.0.1:50052",
    token: Annotated[
        str,
        Option(envvar="CHEESEBOARD_TOKEN", help="With --engine: a token of scope service; else players are guests."),
    ] = "",
    metrics: Annotated[list[str] | None, Option(help="With --engine: engine=http://127.0.0.1:9100/metrics")] = None,
    out: Annotated[Path, Option(help="Where the report's files go.")] = Path("build/load"),
) -> None:
    """Have simulated players find games and play them, and report what it was like for them.

    Exits with 0 if all objectives of the profile were met, with 1 if not, with 2 if it could not be run.
    """
    console = Console(highlight=False)
    try:
        path = find(profile)
        wanted, sources = read(path), dict(_named(each) for each in metrics or [])
    except ProfileError as fault:
        _fail(str(fault))
    target = running(engine, scoring, token, sources) if engine else own(console.print)
    try:
        outcome = asyncio.run(_run(path.stem, wanted, target, console))
    except StackFailed as fault:
        _fail(str(fault))
    console.print(report.text(outcome), soft_wrap=True, markup=False)
    for written in report.write(outcome, out):
        console.print(f"Written: {written}", soft_wrap=True, markup=False)
    sys.exit(0 if outcome.met else MISSED)


async def _run(name: str, profile: Profile, target: AbstractAsyncContextManager[Target], console: Console) -> Outcome:
    stop = asyncio.Event()
    async with target as there:
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stop.set)
        with Progress(profile, console) as progress:
            return await run(name, profile, there, progress, stop)


def _named(text: str) -> tuple[str, str]:
    name, _, url = text.partition("=")
    if not name or not url.startswith(("http://", "https://")):
        _fail(f"--metrics {text}: write it as engine=http://127.0.0.1:9100/metrics")
    return name, url


def _fail(why: str) -> NoReturn:
    print(why, file=sys.stderr)
    raise SystemExit(FAULT)
