"""What players see, drawn from the frames of whole games that were really played."""

import re
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Cheeseboard, Frame, Record, Snapshot, Step
from cheeseboard_terminal.commands import Choose, understood
from cheeseboard_terminal.games.cheez_tricks.board import winning
from cheeseboard_terminal.games.cheez_tricks.cards import SUIT_NAMES, short
from cheeseboard_terminal.games.cheez_tricks.rules import FULL_RULES
from cheeseboard_terminal.games.contract import NotPossible
from cheeseboard_terminal.games.registry import GAMES
from cheeseboard_terminal.people import People
from cheeseboard_terminal.prompts import asks, prompt
from cheeseboard_terminal.seen import Seen
from cheeseboard_terminal.table_page import board_page, head_line, table_sections, waiting_room
from tests.clients.screens import console, rows, table_rows
from tests.support.players import seated
from tests.support.stack import Stack

GAME = GAMES["cheez_tricks"]
KINDS = [(2, ct.LEVEL_HOUSE_CAT), (3, ct.LEVEL_WILD_CAT), (4, ct.LEVEL_HOUSE_CAT), (5, ct.LEVEL_HOUSE_CAT)]


@dataclass(frozen=True)
class Played:
    """A game as its first seat saw it."""

    frames: list[Frame]
    record: Record
    moments: list[Seen]
    """What was seen after each frame."""

    @property
    def some(self) -> list[Seen]:
        """A part of all moments, of every kind: drawing takes its time."""
        return self.moments[::5]

    @property
    def last(self) -> tables_pb2.TableView:
        """The table at the end."""
        return _view(self.frames[-1])


@pytest.fixture(scope="module", params=KINDS, ids=["two", "three wild", "four", "five"])
async def played(stack: Stack, request: pytest.FixtureRequest) -> AsyncIterator[Played]:
    """All frames of a game that the first seat played by its last offers, and the record."""
    seats, level = request.param
    async with Cheeseboard.connect(stack.engine_addresses) as guest:
        await guest.sign_in_guest("Remy")
        table_id = await seated([guest], bots=seats - 1, options=ct.Options(level=level))
        frames: list[Frame] = []
        async with aclosing(guest.watch(table_id, include_view=True)) as watched:
            async for frame in watched:
                if not isinstance(frame, Snapshot | Step):
                    continue
                frames.append(frame)
                view = _view(frame)
                if view.status == tables_pb2.TABLE_STATUS_FINISHED:
                    break
                if view.prompt.offers:
                    await guest.move(table_id, view.prompt.offers[-1])
        yield Played(frames, await guest.record(table_id), _moments(frames))


@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 40), (120, 30), (200, 60)])
async def test_every_screen_fits(played: Played, width: int, height: int):
    """One row is left for the prompt; nothing is wider than the screen."""
    for seen in played.some:
        screen = table_rows(GAME, seen, width, height, notice="It is not your turn.")
        assert len(screen) <= height - 1
        assert max(map(len, screen)) <= width


async def test_a_board_that_fills_the_screen_leaves_no_room_for_what_happened(played: Played):
    """On a low screen the board comes first, and the last row but the prompt's is the notice's."""
    for seen in played.some:
        sections = table_sections(GAME, seen)
        board = rows(board_page(console(80, 200), sections, head_line(GAME, seen.view, ""), (), Text("")), 80, 200)
        height = next(at for at, row in enumerate(board) if "What happened" in row) + 2
        screen = table_rows(GAME, seen, 80, height, notice="It is not your turn.")
        assert len(screen) == height - 1
        assert screen[-1].rstrip() == "It is not your turn."


async def test_what_happened_is_told_in_full_on_a_wide_screen(played: Played):
    """Folded, not cut: the last lines end as they were told."""
    for seen in played.some:
        if seen.view.status != tables_pb2.TABLE_STATUS_RUNNING or not seen.log:
            continue
        screen = table_rows(GAME, seen, 120, 40)
        beside = " ".join(" ".join(row[83:].split()) for row in screen)
        assert seen.log[-1].plain in " ".join(beside.split())


async def test_the_hand_shows_exactly_what_may_be_played(played: Played):
    """Brackets and keys without colour; the key chooses the card that stands under it."""
    for seen in played.some:
        game, offers = seen.view.cheez_tricks, seen.view.prompt.offers
        if seen.view.status != tables_pb2.TABLE_STATUS_RUNNING:
            continue
        hand = "\n".join(table_rows(GAME, seen)).partition("Your hand")[2].split("\n")[1:3]
        playable = [short(o.cheez_tricks.play_card.card) for o in offers if o.cheez_tricks.HasField("play_card")]
        assert sorted(re.findall(r"\[(\w+) *\]", hand[1])) == sorted(playable)
        assert sorted(re.findall(r"[SRPB]\d+", hand[1])) == sorted(short(card) for card in game.hand)
        for key in re.finditer(r"\d+", hand[0]):
            command = understood(GAME, seen.view, key[0])
            assert isinstance(command, Choose)
            under = hand[1][key.start() - 2 : key.end() + 3]
            assert short(command.offer.cheez_tricks.play_card.card) in under


async def test_a_card_is_chosen_by_its_name_however_it_is_typed(played: Played):
    """Letter and number in any order, or the whole word."""
    for seen in played.moments:
        for offer in seen.view.prompt.offers:
            if not offer.cheez_tricks.HasField("play_card"):
                continue
            card = offer.cheez_tricks.play_card.card
            name = short(card)
            for typed in (name, name.lower(), f"{SUIT_NAMES[card.suit]} {card.value}", f" {name[1:]}{name[0]} "):
                assert understood(GAME, seen.view, typed) == Choose(offer)


async def test_enter_plays_the_only_card_that_may_be_played(played: Played):
    """And no other."""
    forced = [seen.view for seen in played.moments if len(seen.view.prompt.offers) == 1]
    assert forced
    for view in forced:
        assert understood(GAME, view, " ") == Choose(view.prompt.offers[0])


NONSENSE = ("0", "99", "9" * 50, "-1", "x7", "s0", "S77", "[/bold]", "\x07", "¹", "七", "s 7 7", "play", "٣", "7", "")


async def test_nonsense_is_answered_in_words(played: Played):
    """In every state of a game; nothing is taken for a move that was not offered under that name."""
    for seen in played.moments:
        offers = len(seen.view.prompt.offers)
        for line in NONSENSE:
            if line.isascii() and line.isdigit() and 1 <= int(line) <= offers:
                continue
            if not line and offers == 1:
                continue
            with pytest.raises(NotPossible, match=r"\.$"):
                understood(GAME, seen.view, line)


async def test_why_a_card_may_not_be_played_is_said(played: Played):
    """For every card of the hand that is not offered."""
    told = 0
    for seen in played.moments:
        offered = {short(offer.cheez_tricks.play_card.card) for offer in seen.view.prompt.offers}
        for card in seen.view.cheez_tricks.hand:
            if seen.view.cheez_tricks.trick.plays and seen.view.prompt.offers and short(card) not in offered:
                with pytest.raises(NotPossible, match="was led and you have some"):
                    understood(GAME, seen.view, short(card))
                told += 1
    assert told


async def test_the_card_marked_as_winning_wins(played: Played):
    """Of every trick that lies complete, the one that took it; of every other, the one that would."""
    complete = [seen.view.cheez_tricks for seen in played.moments if seen.view.cheez_tricks.last_trick.plays]
    assert len(complete) > 10
    for game in complete:
        assert winning(ct.View(trump=game.trump, trick=game.last_trick)) == game.last_trick.winner
    for seen in played.some:
        game = seen.view.cheez_tricks
        screen = "\n".join(table_rows(GAME, seen)).replace(" led", "")
        for play in game.trick.plays:
            marked = f"{short(play.card)} ★" in screen
            assert marked == (play.seat == winning(game))


async def test_events_are_told(played: Played):
    """Every trick, every capture, every trump; with the winner's card."""
    lines = [line.plain for frame, lines in _told(played.frames) for line in lines]
    told = [event for event in played.record.events if event.sequence > _view(played.frames[0]).sequence]
    kinds = [event.cheez_tricks.WhichOneof("event") for event in told]
    assert sum("trick" in line and " win" in line for line in lines) == kinds.count("trick_won")
    assert sum("catches" in line for line in lines) == kinds.count("cat_decided")
    assert sum("rump" in line for line in lines) == kinds.count("trump_set")
    assert all(re.search(r"with [SRPB]\d+$", line) for line in lines if " trick " in line and " win" in line)
    assert played.last.status == tables_pb2.TABLE_STATUS_FINISHED


async def test_a_score_sheet_explains_every_point(played: Played):
    """By seat: tricks, worth, points, the cats that caught it; and it fits the smallest screen."""
    view = played.last
    people = People.of(view)
    for score in view.cheez_tricks.scored:
        sheet = rows(GAME.score_sheet(view, people, score.round, played.record))
        text = " ".join(" ".join(sheet).split())
        assert len(sheet) <= 23 and max(map(len, sheet)) <= 80
        assert "The deal was checked" in text
        for seat, got in enumerate(score.seats):
            tricks = "1 trick" if got.tricks == 1 else f"{got.tricks} tricks"
            number = ("no cat", "one cat", "two cats", "all three cats")[got.cats]
            sentence = f"{people.name(seat)}: {tricks} × {got.points_per_trick} = {got.points}, because {number}"
            assert sentence in text
            assert got.points == got.tricks * got.points_per_trick


async def test_a_score_sheet_does_without_a_record(played: Played):
    """The engine may be away just then."""
    view = played.last
    text = " ".join(rows(GAME.score_sheet(view, People.of(view), 1, None)))
    assert "because" in text and "checked" not in text


async def test_a_forged_deal_is_shown(played: Played):
    """In the place where the check stands otherwise."""
    view = played.last
    events = [tables_pb2.TableEvent.FromString(event.SerializeToString()) for event in played.record.events]
    next(e for e in events if e.cheez_tricks.HasField("deal_revealed")).cheez_tricks.deal_revealed.seed = bytes(32)
    forged = Record("", 1, played.record.options, played.record.players, tuple(events), True)
    assert "✗ round 1" in " ".join(rows(GAME.score_sheet(view, People.of(view), 1, forged)))


async def test_the_ranking_has_everyone_in_place(played: Played):
    """By place, with total and best round."""
    view = played.last
    game, people = view.cheez_tricks, People.of(view)
    ranking = GAME.ranking(view, people)
    assert ranking is not None
    text = "\n".join(rows(ranking))
    for seat, place in enumerate(game.places):
        points = [score.seats[seat].points for score in game.scored]
        row = next(line for line in text.split("\n") if people.name(seat) in line and " + " in line)
        assert row.split()[0] == {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 5: "5th"}[place]
        assert f" {sum(points)} " in row and f" {max(points)} " in row


def test_ties_in_the_ranking_are_explained():
    """The best single round decides, and what is equal there too is shared."""
    rounds = [(6, 3, 3, 1), (0, 3, 3, 0)]
    scored = [
        ct.RoundScore(round=number, seats=[ct.SeatScore(points=points) for points in each])
        for number, each in enumerate(rounds, 1)
    ]
    seats = [
        tables_pb2.Seat(seat=seat, player=tables_pb2.Player(display_name=name)) for seat, name in enumerate("ABCD")
    ]
    view = tables_pb2.TableView(seats=seats, cheez_tricks=ct.View(scored=scored, places=[1, 2, 2, 4], rounds=2))
    ranking = GAME.ranking(view, People.of(view))
    assert ranking is not None
    text = " ".join(" ".join(rows(ranking)).split())
    assert "A wins the game!" in text
    assert (
        "A, B and C tie at 6: the best single round decides (A: 6, B: 3, C: 3); equal there too means the same place"
        in text
    )


async def test_whoever_is_asked_is_named(played: Played):
    """In the prompt and by the arrow; nobody is asked a question that is not its own."""
    for seen in played.some:
        asked = [question.seat for question in seen.view.prompt.questions if question.HasField("seat")]
        if seen.view.status != tables_pb2.TABLE_STATUS_RUNNING or not asked:
            continue
        question = prompt(GAME, seen.view, seen.people)
        assert (asks(seen.view) is not None) == (asked == [seen.view.viewer])
        assert question.startswith("Y" if asked == [seen.view.viewer] else f"Waiting for {seen.people.name(asked[0])}")
        assert f"▶ {seen.people.name(asked[0])}" in "\n".join(table_rows(GAME, seen))


async def test_names_of_others_cannot_disturb_the_screen(played: Played):
    """Neither markup nor control characters of a name have any effect."""
    seen = Seen(GAME)
    seen.view.CopyFrom(_view(played.frames[0]))
    seen.view.seats[1].player.CopyFrom(tables_pb2.Player(display_name="[bold]\x1b[2J\nR\u202eemy the Long"))
    screen = "\n".join(table_rows(GAME, seen))
    assert "[bold][2JRemy…" in screen
    assert not {"\x1b", "\u202e"} & set(screen)


def test_the_rules_fit_the_smallest_screen():
    """With every kind of cat."""
    pages = [rows(page) for page in GAME.rules()]
    assert all(len(page) <= 23 for page in pages)
    text = "\n".join("\n".join(page) for page in pages)
    assert all(f"{kind} cat" in text for kind in ("Black", "White", "Siamese", "Grey", "Orange", "Tuxedo"))


def test_the_rules_name_a_file_that_is_there():
    """Whoever wants all of them finds them."""
    assert (Path(__file__).parents[2] / FULL_RULES).is_file()


def test_a_free_seat_is_just_free():
    """Nobody is missing on it."""
    view = tables_pb2.TableView(seats=[tables_pb2.Seat(seat=0)], code="ABCDEF")
    text = "\n".join(rows(waiting_room(view, People.of(view))))
    assert "free" in text and "not here" not in text


def _view(frame: Frame) -> tables_pb2.TableView:
    assert isinstance(frame, Snapshot | Step) and frame.view is not None
    return frame.view


def _moments(frames: list[Frame]) -> list[Seen]:
    """Return what was seen after each frame, each with the log up to there."""
    after: list[Seen] = []
    running = Seen(GAME)
    for frame in frames:
        running.take(frame)
        moment = Seen(GAME)
        moment.view, moment.log = running.view, running.log.copy()
        after.append(moment)
    return after


def _told(frames: list[Frame]) -> list[tuple[Frame, list]]:  # type: ignore[type-arg]
    seen = Seen(GAME)
    return [(frame, seen.take(frame)) for frame in frames]
