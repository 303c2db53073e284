"""The terminal client as a whole, driven as a person or a script drives it, against a running product."""

import asyncio
import json
import os
import pty
import re
import signal
import stat
import struct
import termios
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path

from cheeseboard_terminal.identity import FILE, Identity
from cheeseboard_terminal.sitting import UNSEEN_SECONDS
from tests.clients.typist import COMMAND, Typist, typist
from tests.support.faulty_line import faulty_line
from tests.support.stack import Stack

ASKED = r"> .*(Your card|You choose trump).*\n|> r another game.*\n"
NONSENSE = ("", "0", "999", "fish", "\x1b[A", "S11", "[bold]", "日本", "-1", "leave it")


def _at(stack: Stack, *more: str) -> tuple[str, ...]:
    return ("--engine", stack.engine_addresses[0], "--scoring", stack.scoring_addresses[0], *more)


async def test_a_whole_game_over_pipes(stack: Stack, tmp_path: Path):
    """To the final ranking, with nonsense on the way, every round explained; then another game, and away from it."""
    async with typist(tmp_path, *_at(stack, "--name", "Remy", "--players", "3", "--set", "level=wild")) as remy:
        await remy.sees(ASKED)
        for line in NONSENSE:
            remy.types(line)
            await remy.sees(r"\n> ")
        remy.types("?")
        await remy.sees("Cheez-Tricks in short")
        await _plays_on(remy)
        for number in (1, 2, 3):
            assert f"Round {number} of 3: how the points came" in remy.said
        assert remy.said.count("because") >= 9
        assert remy.said.count("The deal was checked") == 3
        assert (
            re.search(r"1st .*\n2nd .*\n3rd ", remy.said) or "share the victory" in remy.said or "tie at" in remy.said
        )
        remy.types("r")
        await remy.sees("Game 2 begins")
        await remy.sees(ASKED)
        remy.types("q")
        await remy.sees("Your seat is kept")
        assert await remy.exit_code() == 0
    assert "Traceback" not in remy.said


async def test_whoever_goes_away_comes_back_to_the_same_hand(stack: Stack, tmp_path: Path):
    """By --resume, with the token that is kept where only its owner can read it."""
    async with typist(tmp_path, *_at(stack, "--name", "Remy", "--players", "2")) as remy:
        await remy.sees(ASKED)
        hand = _hand(remy.said)
        remy.leaves()
        assert await remy.exit_code() == 0
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    async with typist(tmp_path, *_at(stack, "--resume")) as remy:
        await remy.sees("You came back to the table")
        await remy.sees(ASKED)
        assert _hand(remy.said) == hand
        remy.types("leave")
        await remy.sees("Leave\\?")
        remy.types("n")
        await remy.sees("You stay")
        await remy.sees(ASKED)
        remy.types("leave")
        await remy.sees("Leave\\?")
        remy.types("y")
        await remy.sees("The engine plays for you until you come back: go on with .*cheeseboard-play --resume")
        assert await remy.exit_code() == 0


async def test_friends_meet_by_code(stack: Stack, tmp_path: Path):
    """One opens a table by the menu, the other joins by its code; the rest are bots; both play."""
    async with typist(tmp_path / "a", *_at(stack)) as host:
        await host.sees("What should the others call you")
        host.types("Minnie", "2", "", "3", "", "", "")
        code = (await host.sees(r"friends this code: (\w+)"))[1]
        async with typist(tmp_path / "b", *_at(stack, "--name", "Jerry", "--join", code.lower())) as friend:
            await host.sees("Jerry takes seat 2")
            host.types("s")
            await host.sees("There are still free seats")
            host.types("b careful")
            await host.sees(r"> s start")
            host.types("s")
            for player in (host, friend):
                await player.sees("Round 1")
            await asyncio.gather(*(_plays_on(player, cards=5) for player in (host, friend)))
            assert re.search(r"Minnie (leads|plays) [SRPB]\d", friend.said)
            assert re.search(r"Jerry (leads|plays) [SRPB]\d", host.said)


async def test_a_broken_line_is_told_and_mended(stack: Stack, tmp_path: Path):
    """The player sees that it reconnects, and the game goes on."""
    async with faulty_line(stack.engine_addresses[0]) as line:
        addresses = ("--engine", line.address, "--scoring", stack.scoring_addresses[0])
        async with typist(tmp_path, *addresses, "--name", "Remy", "--players", "2") as remy:
            await remy.sees(ASKED)
            line.cut()
            await remy.sees("reconnecting…")
            await remy.sees("connected again")
            remy.types("1")
            await _plays_on(remy, cards=25)
    assert "Traceback" not in remy.said


async def test_a_code_that_leads_nowhere(stack: Stack, tmp_path: Path):
    """Said in plain words."""
    async with typist(tmp_path, *_at(stack, "--name", "Remy", "--join", "ZZZZZZ")) as remy:
        await remy.sees("There is no table with the code ZZZZZZ here")
        assert await remy.exit_code() == 0


async def test_the_questions_of_the_menu_can_be_left(stack: Stack, tmp_path: Path):
    """By q, which is nobody's name; ? shows the rules of one game; the name is changed later, and kept."""
    async with typist(tmp_path, *_at(stack)) as remy:
        await remy.sees("What should the others call you")
        remy.types("q")
        assert await remy.exit_code() == 0
    assert not (tmp_path / FILE).exists()
    async with typist(tmp_path, *_at(stack)) as remy:
        await remy.sees("What should the others call you")
        remy.types("?", "2", "", "", "?", "q", "Remy", "1", "1")
        await remy.sees("The rules of which game")
        await remy.sees("Cheesy Heist in short")
        await remy.sees("What should the others call you")
        await remy.sees("The rules of which game")
        await remy.sees("How many players")
        assert "Cheez-Tricks in short" not in remy.said
        remy.types("?")
        await remy.sees("Cheez-Tricks in short")
        remy.types("", "", "q")
        await remy.sees("Hello, Remy")
        remy.types("name", "Emile")
        await remy.sees("Hello, Emile")
        remy.types("q")
        assert await remy.exit_code() == 0
    assert Identity.load(tmp_path).name == "Emile"


async def test_a_second_player_on_the_same_computer(stack: Stack, tmp_path: Path):
    """Whoever joins the table it sits at already is told how to be somebody else."""
    async with typist(tmp_path, *_at(stack, "--name", "Remy")) as remy:
        await remy.sees("Hello, Remy")
        remy.types("friends", "", "2", "", "", "")
        code = (await remy.sees(r"friends this code: (\w+)"))[1]
        async with typist(tmp_path, *_at(stack, "--join", code)) as again:
            await again.sees("You already sit at this table, as Remy")
            await again.sees("cheeseboard-play --home OTHER_FOLDER --name NAME")
        remy.types("leave")
        await remy.sees(f"You left table {code} and gave up your seat")


async def test_an_engine_for_one_player_invites_nobody(tmp_path: Path):
    """It says how to play with friends instead."""
    async with typist(tmp_path, "--own", "--name", "Remy") as remy:
        await remy.sees("Hello, Remy")
        remy.types("friends")
        await remy.sees(r"nobody else can\s+join")
        await remy.sees("make run")
        remy.types("", "q")
        assert await remy.exit_code() == 0
    assert "this code" not in remy.said


async def test_a_game_that_is_none_or_leads_nowhere(stack: Stack, tmp_path: Path):
    """Is refused, not forgotten."""
    for wrong in (("--game", "chess", "--players", "3"), ("--game", "cheesy_heist")):
        async with typist(tmp_path, *_at(stack, "--name", "Remy", *wrong)) as remy:
            await remy.sees("--game (is one of|goes with)")
            assert await remy.exit_code() == 2


async def test_no_engine_where_one_was_named(tmp_path: Path):
    """Said in plain words, with a code that tells a script."""
    async with typist(tmp_path, "--engine", "127.0.0.1:1", "--name", "Remy", "--players", "2") as remy:
        await remy.sees("Nobody answers at")
        assert await remy.exit_code() == 1


async def test_a_stack_of_ones_own_ends_with_the_game(tmp_path: Path):
    """Its data stay, so that the game can go on later; nothing goes on running."""
    async with typist(tmp_path, "--own", "--name", "Remy", "--players", "2") as remy:
        await remy.sees("is started for this game")
        await remy.sees(ASKED)
        remy.types("q")
        assert await remy.exit_code() == 0
    assert not _exists(int((tmp_path / "stack" / "run.lock").read_text()))


async def test_a_deck_of_ones_own(stack: Stack, tmp_path: Path):
    """Read from a file; one that cannot be played is refused with the reason."""
    deck = tmp_path / "cats.json"
    deck.write_text(json.dumps([{"black": {"trick": 1}}, {"white": {"tricks": 1}}, {"tuxedo": {"tricks": 0}}]))
    arguments = _at(stack, "--name", "Remy", "--players", "2", "--cats", str(deck))
    async with typist(tmp_path, *arguments) as remy:
        await remy.sees(ASKED)
        assert all(f"  cat {cat}:" in remy.said for cat in ("Black 1", "White 1", "Tuxedo 0"))
    deck.write_text(json.dumps([{"black": {"trick": 11}}]))
    async with typist(tmp_path, *arguments) as remy:
        await remy.sees(r"The table cannot be set up like that: options.game.cheez_tricks.cat_deck\[0\]")
    deck.write_text("{")
    async with typist(tmp_path, *arguments) as remy:
        await remy.sees("The deck cannot be read")


async def test_control_c_keeps_the_seat(stack: Stack, tmp_path: Path):
    """As q does, and says so; make has nothing to complain about."""
    screen = PseudoTerminal(80, 24)
    process = await screen.start(*_at(stack, "--name", "Remy", "--players", "2", "--home", str(tmp_path)))
    try:
        await screen.shows("Your hand")
        process.send_signal(signal.SIGINT)
        await screen.shows("Your seat is kept: go on with")
        assert await asyncio.wait_for(process.wait(), 10) == 0
        assert screen.echoes()
    finally:
        screen.close(process)


async def test_a_screen_that_redraws(stack: Stack, tmp_path: Path):
    """On a terminal: keys are edited, the board is drawn, and the terminal is given back as it was."""
    screen = PseudoTerminal(80, 24)
    arguments = _at(stack, "--name", "Remy", "--players", "5", "--home", str(tmp_path))
    process = await screen.start(*arguments)
    try:
        await screen.shows("Your hand")
        await screen.shows(r"Your card|Waiting for")
        screen.press("nonsense\x7f\x7f\x1b[A\x1b[D")
        await screen.shows("› nonsen$")
        screen.press("\r")
        await screen.shows(r"Name a card|not your turn")
        screen.press("?\r")
        for page in ("1 of 2", "2 of 2"):
            await screen.shows(page)
            await asyncio.sleep(UNSEEN_SECONDS * 1.2)  # Sooner, the key would count as meant for the page before.
            screen.press("\r")
        await screen.shows("What happened")
        screen.resize(120, 40)
        await screen.shows(r"Cheez-Tricks · House Cat.*What happened")
        screen.press("q\r")
        await screen.shows("Your seat is kept")
        assert await asyncio.wait_for(process.wait(), 10) == 0
        assert screen.echoes()
    finally:
        screen.close(process)


def test_a_spoiled_file_of_tokens_counts_as_none(tmp_path: Path):
    """Whatever stands in it."""
    for text in ("", "[]", "null", "{", '{"tokens": 3}', '{"name": 5, "tokens": {"a": "b"}}', "\x00"):
        (tmp_path / FILE).write_text(text)
        identity = Identity.load(tmp_path)
        identity.tokens["engine"] = "token"
        identity.save()
        assert Identity.load(tmp_path).tokens["engine"] == "token"


async def _plays_on(player: Typist, cards: int | None = None) -> None:
    """Answer whatever is asked with the first choice, until so many answers, or the end of the game."""
    answers = 0
    while cards is None or answers < cards:
        asked = await player.sees(ASKED)
        if "another game" in asked[0]:
            return
        player.types("1")
        answers += 1


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _hand(said: str) -> list[str]:
    row = [line for line in said.split("\n") if re.search(r"\[[SRPB]\d+ *\]", line)][-1]
    return sorted(re.findall(r"[SRPB]\d+", row))


class PseudoTerminal:
    """A screen and keys for a process."""

    def __init__(self, columns: int, rows: int) -> None:
        self._ours, self._theirs = pty.openpty()
        self.resize(columns, rows)
        self._said = ""

    async def start(self, *arguments: str) -> asyncio.subprocess.Process:
        """Start the client on it."""
        # A size in the environment would count for more than the window's own.
        environment = {k: v for k, v in os.environ.items() if k not in {"COLUMNS", "LINES"}}
        environment["TERM"] = "xterm-256color"
        os.set_blocking(self._ours, False)
        return await asyncio.create_subprocess_exec(
            *COMMAND, *arguments, stdin=self._theirs, stdout=self._theirs, stderr=self._theirs, env=environment
        )

    def resize(self, columns: int, rows: int) -> None:
        """Make the window another size."""
        ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self._ours, keys.encode())

    async def shows(self, pattern: str) -> None:
        """Wait until the screen as drawn last matches."""
        async with asyncio.timeout(15):
            while not re.search(pattern, self._screen(), re.MULTILINE):
                await asyncio.sleep(0.02)
                with suppress(BlockingIOError):
                    self._said += os.read(self._ours, 65536).decode("utf-8", "replace")

    def echoes(self) -> bool:
        """Return whether the terminal echoes keys again."""
        return bool(termios.tcgetattr(self._theirs)[3] & termios.ECHO)

    def close(self, process: asyncio.subprocess.Process) -> None:
        """Take it away."""
        if process.returncode is None:
            process.kill()
        os.close(self._ours)
        os.close(self._theirs)

    def _screen(self) -> str:
        """Return what was written from the last return to the top left corner on, without colours."""
        drawn = self._said.rpartition("\x1b[H")[2]
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", drawn).replace("\r", "")


async def test_two_strangers_find_each_other(stack: Stack, tmp_path: Path):
    """One by the menu, one by the command line; who gives up waits no more."""
    async with typist(tmp_path / "a", *_at(stack, "--name", "Minnie")) as minnie:
        minnie.types("find", "1", "3", "wild", "")
        await minnie.sees("Looking for players: Cheez-Tricks, up to 3")
        await minnie.sees("The clock gives 60 seconds a move")
        minnie.types("fish")
        await minnie.sees("Type q to give up")
        minnie.types("?", "", "", "q")
        await minnie.sees("Cheez-Tricks in short")
        await minnie.sees("Find a game with other players")
        minnie.types("find", "1", "2", "any", "")
        await minnie.sees("Looking for players: Cheez-Tricks, up to 2")
        seeker = ("--name", "Jerry", "--players", "2", "--find", "--set", "level=wild")
        async with typist(tmp_path / "b", *_at(stack, *seeker)) as jerry:
            for player in (minnie, jerry):
                await player.sees("Players were found: the game begins")
                await player.sees("The clock gives 60 s a move and 120 s in reserve")
            await asyncio.gather(*(_plays_on(player, cards=5) for player in (minnie, jerry)))
    assert "Traceback" not in minnie.said + jerry.said
