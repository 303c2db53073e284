"""The command `cheeseboard-play`."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from cheeseboard_local.own_stack import Addresses
from cheeseboard_terminal.finding import Seeking
from cheeseboard_terminal.games.contract import Game
from cheeseboard_terminal.games.registry import GAMES
from cheeseboard_terminal.identity import default_home
from cheeseboard_terminal.lobby import Wish
from cheeseboard_terminal.menu import BOTS, CLOCKS, Plan
from cheeseboard_terminal.session import USUAL, Settings, play

Option = typer.Option


def _command(
    players: Annotated[int | None, Option(min=2, max=5, help="Begin at once, against bots.")] = None,
    game: Annotated[str, Option(help=f"With --players: {', '.join(GAMES)}.")] = "",
    chosen: Annotated[list[str] | None, Option("--set", help="With --players: an option, as in level=wild.")] = None,
    bots: Annotated[str, Option(help=f"With --players: {' or '.join(BOTS)}.")] = "careful",
    clock: Annotated[str, Option(help=f"With --players: {', '.join(CLOCKS)}.")] = "none",
    cats: Annotated[Path | None, Option(exists=True, dir_okay=False, help="With --players: a deck of cats.")] = None,
    find: Annotated[bool, Option("--find", help="With --players: look for that many players, not for bots.")] = False,
    join: Annotated[str, Option(help="Join the table with this code.")] = "",
    resume: Annotated[bool, Option("--resume", help="Go on at the table you left.")] = False,
    engine: Annotated[str, Option(envvar="CHEESEBOARD_ENGINE", help=f"The engine [{USUAL.engine}].")] = "",
    scoring: Annotated[str, Option(envvar="CHEESEBOARD_SCORING", help=f"The scoring service [{USUAL.scoring}].")] = "",
    own: Annotated[bool, Option("--own", help="Start an engine for this game, even if one is running.")] = False,
    name: Annotated[str, Option(help="The name that others see; kept for the next time.")] = "",
    token: Annotated[str, Option(envvar="CHEESEBOARD_TOKEN", help="An operator's token, to be no guest.")] = "",
    home: Annotated[Path | None, Option(envvar="CHEESEBOARD_PLAY_HOME", help="Where this program keeps files.")] = None,
    plain: Annotated[bool, Option("--plain", help="Only print, never redraw the screen.")] = False,
) -> None:
    """Play Cheeseboard's games in the terminal. Without options there is a menu."""
    deck = cats.read_text("utf-8") if cats else None
    if game and not players:
        raise typer.BadParameter("--game goes with --players")
    played = GAMES.get(game or next(iter(GAMES)))
    plan = _plan(played, players, chosen or [], bots, clock, deck) if players else None
    addresses = Addresses(engine or USUAL.engine, scoring or USUAL.scoring) if engine or scoring else None
    wish = Wish(plan, None, join, resume)
    if plan and find:
        wish = Wish(find=Seeking(plan.game, plan.seats, plan.answers))
    settings = Settings(home or default_home(), wish, addresses, name, token, own, plain)
    try:
        sys.exit(asyncio.run(play(settings)))
    except KeyboardInterrupt:  # A second one, while it was going already.
        sys.exit(130)


def _plan(game: Game | None, players: int, chosen: list[str], bots: str, clock: str, deck: str | None) -> Plan:
    if game is None:
        raise typer.BadParameter(f"--game is one of {', '.join(GAMES)}")
    for name, word, known in (("--bots", bots, BOTS), ("--clock", clock, CLOCKS)):
        if word not in known:
            raise typer.BadParameter(f"{name} is one of {', '.join(known)}")
    return Plan(game, players, _answers(game, chosen), clock, bots, deck=deck)


def _answers(game: Game, chosen: list[str]) -> dict[str, str]:
    answers = {setting.name: next(iter(setting.choices)) for setting in game.settings}
    for each in chosen:
        name, _, answer = each.partition("=")
        setting = next((setting for setting in game.settings if setting.name == name), None)
        if setting is None or answer not in setting.choices:
            known = "; ".join(f"{setting.name}={'|'.join(setting.choices)}" for setting in game.settings)
            raise typer.BadParameter(f"--set knows {known}")
        answers[name] = answer
    return answers


def main() -> None:
    """Run the command."""
    typer.run(_command)


if __name__ == "__main__":
    main()
