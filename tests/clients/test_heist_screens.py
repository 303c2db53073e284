"""What players of Cheesy Heist see and may type, drawn from whole random games."""

import random
from collections.abc import Iterator
from itertools import product

import pytest
from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2 as tables
from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as heist
from cheeseboard_client import Record, move_of
from cheeseboard_terminal.commands import Choose, understood
from cheeseboard_terminal.games.cheesy_heist.rules import FULL_RULES
from cheeseboard_terminal.games.contract import Answer, NotPossible
from cheeseboard_terminal.games.registry import GAMES
from cheeseboard_terminal.people import People
from cheeseboard_terminal.prompts import countdown, prompt
from cheeseboard_terminal.seen import Seen
from cheeseboard_terminal.table_page import in_lines
from engine_service.rules.games.cheesy_heist import CHEESY_HEIST
from engine_service.rules.games.cheesy_heist.options import Options
from engine_service.rules.shuffle import derived
from engine_service.wire.registry import WIRES
from tests.clients.screens import rows, table_rows
from tests.rules.walks import Step, walk

GAME, WIRE = GAMES["cheesy_heist"], WIRES["cheesy_heist"]
NAMES = ("Ada", "Remy", "Linguini Longname", "Émile", "Colette")
LONG_GAME = Options(goal=16)
WORDS = {"draw_card": "draw", "play_cat": "Cat", "drop_all": "drop", "play_vault": "V", "play_decoy": "decoy"}


def view_of(step: Step, viewer: int | None) -> tables.TableView:
    """Return the table after a step, as a viewer sees it."""
    over = CHEESY_HEIST.is_over(step.state)
    view = tables.TableView(table_id="t", code="MOUSE", game_number=1)
    view.status = tables.TABLE_STATUS_FINISHED if over else tables.TABLE_STATUS_RUNNING
    view.options.game.cheesy_heist.CopyFrom(WIRE.options_out(step.state.options))
    for seat in range(step.state.seats):
        player = tables.Player(player_id=f"p{seat}", display_name=NAMES[seat], bot="careful" if seat > 2 else "")
        view.seats.add(seat=seat, player=player, connected=True)
    view.cheesy_heist.CopyFrom(WIRE.view_out(CHEESY_HEIST.view(step.state, viewer)))
    for question in CHEESY_HEIST.actors(step.state):
        view.prompt.questions.add(seat=question.seat, window=question.window)
    if viewer is not None:
        view.viewer = viewer
        for offer in CHEESY_HEIST.offers(step.state, viewer):
            view.prompt.offers.add(window=offer.window).cheesy_heist.CopyFrom(WIRE.offer_out(offer.choice))
    return view


def watched(seats: int, viewer: int | None, options: Options = LONG_GAME, number: int = 0) -> Iterator[Seen]:
    """Yield what was seen of a game after each step."""
    seen, teller = Seen(GAME), GAME.teller(tables.TableView())
    for step in walk(CHEESY_HEIST, options, seats, derived(bytes(32), f"screens/{number}")):
        seen.view = view_of(step, viewer)
        for event in step.events:
            told = tables.TableEvent(cheesy_heist=WIRE.event_out(CHEESY_HEIST.seen(event, viewer)))
            seen.log.extend(teller.tell(told, seen.people))
        yield seen


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 30)])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_screen_fits(seats: int, width: int, height: int) -> None:
    """One row is left for the prompt, which with its countdown is one line."""
    for number, seen in enumerate(watched(seats, 0, number=seats)):
        if number % 5 == 0:
            screen = table_rows(GAME, seen, width, height, notice="Too late for that card: it would be wasted.")
            assert len(screen) <= height - 1
            assert max(map(len, screen)) <= width
        assert len(countdown(59) + prompt(GAME, seen.view, seen.people)) <= 80


def test_spectators_see_the_board_and_no_hand() -> None:
    for seen in list(watched(3, None))[:40]:
        screen = "\n".join(table_rows(GAME, seen))
        assert "Your hand" not in screen and "You may" not in screen


def test_every_offer_can_be_typed() -> None:
    """By its number on the screen; what has no target also by a word."""
    typed = set()
    for seen in (seen for number in range(4) for seen in watched(4, 0, number=number)):
        offers = [offer for offer in seen.view.prompt.offers if not offer.cheesy_heist.HasField("keep_up_to")]
        for number, offer in enumerate(offers, 1):
            if len(offers) == len(seen.view.prompt.offers):
                assert understood(GAME, seen.view, f" {number} ") == Choose(offer)
            case = str(offer.cheesy_heist.WhichOneof("choice"))
            typed.add(case)
            if case in WORDS:
                assert understood(GAME, seen.view, WORDS[case]) == Choose(offer)
    assert typed >= {"draw_card", "play_cat", "play_thief", "play_grater", "drop_all", "play_vault", "take_card"}


def test_what_is_kept_is_named_by_its_numbers() -> None:
    """In any order; 0 for nothing; a Decoy still by its letter."""
    choosing = [seen.view for seen in _choosing()]
    for view in choosing:
        hand, most = list(view.cheesy_heist.hand), min(3, len(view.cheesy_heist.hand))
        numbers = random.Random(1).sample(range(1, len(hand) + 1), most)
        command = understood(GAME, view, " ".join(map(str, numbers)))
        assert isinstance(command, Choose) and isinstance(command.offer, Answer)
        assert sorted(command.offer.move.keep_in_vault.cards) == sorted(hand[number - 1] for number in numbers)  # type: ignore[attr-defined]
        assert move_of(command.offer.move).HasField("cheesy_heist")
        nothing = understood(GAME, view, "0")
        assert isinstance(nothing, Choose) and isinstance(nothing.offer, Answer)
        assert nothing.offer.move == heist.Move(keep_in_vault=heist.KeepInVault())
        for wrong in ("", "x", "1 2 3 4", "99", "1;2"):
            with pytest.raises(NotPossible):
                GAME.choose(view, wrong)


def _choosing() -> Iterator[Seen]:
    found = 0
    for number in range(30):
        for seen in watched(5, 0, number=number):
            if _is_choosing(seen):
                found += 1
                yield seen
        if found > 3:
            return
    raise AssertionError("nobody ever chose what to keep")


@pytest.mark.parametrize("line", ["0", "99", "fish", "S7", "-1", "1 2", "日本", "9" * 50, "0001"])
def test_nonsense_is_answered_in_words(line: str) -> None:
    for seen in watched(3, 0):
        if not _is_choosing(seen):
            with pytest.raises(NotPossible) as reason:
                GAME.choose(seen.view, line)
            assert len(str(reason.value)) < 90


def test_d_is_no_choice_because_it_could_be_several() -> None:
    """Typed to drop or for a Decoy when the turn has come, it would draw a card."""
    for seen in watched(3, 0):
        if seen.view.prompt.offers and not _is_choosing(seen):
            with pytest.raises(NotPossible, match="draw, drop or decoy"):
                GAME.choose(seen.view, "d")


def _is_choosing(seen: Seen) -> bool:
    return any(offer.cheesy_heist.HasField("keep_up_to") for offer in seen.view.prompt.offers)


def test_a_defence_that_would_be_wasted_says_so() -> None:
    """Beside the choice and in the question."""
    for number in range(40):
        for seen in watched(3, 0, number=number):
            wasted = [o for o in seen.view.prompt.offers if o.cheesy_heist.play_decoy.wasted]
            if wasted:
                assert "Decoy (wasted now)" in "\n".join(table_rows(GAME, seen))
                assert "Decoy (wasted now)" in prompt(GAME, seen.view, seen.people)
                return
    raise AssertionError("no Decoy was ever too late")


def test_every_hand_that_was_shown_stays_on_the_board() -> None:
    """Of both seats, and of one that was looked at twice."""
    seen = next(watched(3, None))
    looks = ((1, [heist.CARD_CHEESE]), (2, [heist.CARD_VAULT]), (1, [heist.CARD_CAT]))
    seen.view.cheesy_heist.shown.extend(heist.ShownHand(seat=seat, cards=cards) for seat, cards in looks)
    screen = "\n".join(table_rows(GAME, seen))
    assert "showed Cheese, then Cat" in screen and "showed Vault" in screen
    printed = "\n".join(line.plain for line in in_lines(GAME, seen) if isinstance(line, Text))
    for line in ("Remy showed: Cheese", "Linguini Long… showed: Vault", "Remy showed: Cat"):
        assert line in printed


def test_what_happens_is_told_to_who_may_know_it() -> None:
    """A drawn card by its name to who drew it; every public event is a line."""
    own = "\n".join(line.plain for seen in watched(4, 0) for line in list(seen.log)[-6:])
    for words in ("You draw a Cheese", "lets the Cat loose!", "steals a card from", "drops", "opens a Cheese Vault"):
        assert words in own
    for words in ("You take a ", "from you", "takes back a card", "the last drop!", "The game is over."):
        assert words in own
    spectator = "\n".join(line.plain for seen in watched(4, None) for line in seen.log)
    assert "draws a card" in spectator and "draws a Cheese" not in spectator


def test_the_end_explains_itself() -> None:
    """Hands, why who won, and that chance was checked; then the places."""
    steps = list(walk(CHEESY_HEIST, LONG_GAME, 3, derived(bytes(32), "screens/0")))
    view = view_of(steps[-1], 0)
    told = [WIRE.event_out(CHEESY_HEIST.seen(event, 0)) for event in steps[-1].log]
    events = tuple(tables.TableEvent(sequence=i, cheesy_heist=event) for i, event in enumerate(told, 1))
    options = tables.TableOptions(game=view.options.game, seats=3)
    record = Record("t", 1, options, (), events, complete=True)
    sheet = "\n".join(rows(GAME.score_sheet(view, People.of(view), 1, record)))
    assert "after the last drop" in sheet or "everyone loses" in sheet
    assert "✓" in sheet
    ranking = GAME.ranking(view, People.of(view))
    assert ranking is not None and "place" in "\n".join(rows(ranking))
    assert GAME.rounds_scored(view) == 1


def test_the_rules_fit_the_smallest_screen_and_lead_to_all_of_them() -> None:
    pages = ["\n".join(rows(page)) for page in GAME.rules()]
    assert all(page.count("\n") < 23 for page in pages)
    assert FULL_RULES in pages[-1]


def test_a_terminal_that_only_prints_has_all_that_is_needed() -> None:
    """The hand, and everything that may be chosen with its number."""
    for seen in watched(4, 0):
        if seen.view.prompt.offers:
            said = "\n".join(line.plain for line in in_lines(GAME, seen) if isinstance(line, Text))
            assert "your hand: " in said
            last = len([o for o in seen.view.prompt.offers if not o.cheesy_heist.HasField("keep_up_to")])
            keeping = last < len(seen.view.prompt.offers)
            assert keeping or f"{last} " in said or last == 1


def test_its_settings_are_options_that_can_be_played() -> None:
    names = [setting.name for setting in GAME.settings]
    for answers in product(*(setting.choices for setting in GAME.settings)):
        options = GAME.options(dict(zip(names, answers, strict=True)), None)
        CHEESY_HEIST.check_options(WIRE.options_in(options), 5)
    with pytest.raises(ValueError, match="no deck"):
        GAME.options({}, "[]")
