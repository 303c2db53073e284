"""Cheat Trick in the terminal: screens drawn from whole games that were really played, and a game over pipes."""

import re
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as ct
from cheeseboard_client import Cheeseboard, Record, Snapshot, Step
from cheeseboard_client.errors import NotAllowedNow
from cheeseboard_terminal.commands import Choose, understood
from cheeseboard_terminal.games.cheat_trick.cards import long, short
from cheeseboard_terminal.games.contract import Answer, NotPossible
from cheeseboard_terminal.games.registry import GAMES
from cheeseboard_terminal.prompts import asks, prompt
from cheeseboard_terminal.seen import Seen
from tests.clients.screens import rows, table_rows
from tests.clients.typist import typist
from tests.support.players import seated
from tests.support.stack import Stack

GAME = GAMES["cheat_trick"]
CATCH = ct.RENEGING_CATCHABLE
KINDS = {
    "three maternal": (3, ct.Options(maternal_suits=True)),
    "four, teams, catchable": (4, ct.Options(teams=True, reneging=CATCH, split=ct.SPLIT_RULE_ANY)),
}
ANSWERS = {"This deal": "p", "Your bid": "p", "Your card": "1", "Accuse anybody": "", "Of your team": ""}
"""What somebody types who has no ideas of their own, by how the question begins."""


@dataclass(frozen=True)
class Played:
    """A game as its first seat saw it: what was seen after each frame, and the record."""

    moments: list[Seen]
    record: Record


@pytest.fixture(scope="module", params=KINDS, ids=lambda name: name)
async def played(stack: Stack, request: pytest.FixtureRequest) -> AsyncIterator[Played]:
    """A game that the first seat played by what Enter or the plainest answer stands for."""
    seats, options = KINDS[request.param]
    async with Cheeseboard.connect(stack.engine_addresses) as guest:
        await guest.sign_in_guest("Remy")
        table_id = await seated([guest], bots=seats - 1, options=options)
        moments, seen = list[Seen](), Seen(GAME)
        async with aclosing(guest.watch(table_id, include_view=True)) as watched:
            async for frame in watched:
                if not isinstance(frame, Snapshot | Step):
                    continue
                seen.take(frame)
                moments.append(kept(seen))
                if seen.view.status == tables_pb2.TABLE_STATUS_FINISHED:
                    break
                if asks(seen.view):
                    with suppress(NotAllowedNow):
                        await done(guest, table_id, answer(seen))
        yield Played(moments, await guest.record(table_id))


def kept(seen: Seen) -> Seen:
    """Return what is seen now, which stays as it is."""
    copy = Seen(GAME)
    copy.view.CopyFrom(seen.view)
    copy.log.extend(seen.log)
    return copy


def typed(seen: Seen, line: str) -> tables_pb2.Offer | Answer:
    command = understood(GAME, seen.view, line)
    assert isinstance(command, Choose)
    return command.offer


def answer(seen: Seen) -> tables_pb2.Offer | Answer:
    question = prompt(GAME, seen.view, seen.people)
    return typed(seen, next(line for begins, line in ANSWERS.items() if question.startswith(begins)))


async def done(guest: Cheeseboard, table_id: str, chosen: tables_pb2.Offer | Answer) -> None:
    if isinstance(chosen, tables_pb2.Offer):
        await guest.move(table_id, chosen)
    else:
        await guest.move(table_id, chosen.move, window=chosen.window)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 30)])
async def test_every_screen_fits(played: Played, width: int, height: int):
    """One row is left for the prompt; nothing is wider than the screen, the prompt neither."""
    for seen in played.moments[::15]:
        screen = table_rows(GAME, seen, width, height, notice="It is not your turn.")
        assert len(screen) <= height - 1
        assert max(map(len, screen)) <= width
        assert len(prompt(GAME, seen.view, seen.people)) < 110


async def test_the_table_shows_bids_values_and_declarations(played: Played):
    """Of every seat, beside its number, which one types to accuse it."""
    for seen in played.moments[::20]:
        game = seen.view.cheat_trick
        if seen.view.status != tables_pb2.TABLE_STATUS_RUNNING:
            continue
        screen = "\n".join(table_rows(GAME, seen, 80, 60))
        for seat, at in enumerate(game.seats):
            line = re.search(rf"^[▶ ]{seat + 1} {seen.people.name(seat)} .*$", screen, re.MULTILINE)
            assert line
            if game.phase != ct.PHASE_VOTE:
                assert (f"{at.bid} × {at.passed_as}" if at.passed_as else str(at.bid)) in line[0]
        for said in game.declarations if game.phase == ct.PHASE_VOTE else ():
            assert f"{seen.people.name(said.seat)}: " in screen


async def test_the_hand_shows_exactly_what_may_be_played(played: Played):
    """Brackets, or ! for a renege; the key and the name both choose the card."""
    asked = [
        seen for seen in played.moments if any(o.cheat_trick.HasField("play_card") for o in seen.view.prompt.offers)
    ]
    for seen in asked[::4]:
        offers = [offer for offer in seen.view.prompt.offers if offer.cheat_trick.HasField("play_card")]
        hand = "\n".join(table_rows(GAME, seen, 80, 60)).partition("Your hand")[2]
        shown = re.findall(r"([\[!]) *(\w+) *[\]!]", hand)
        expected = [("!" if o.cheat_trick.reneges else "[", short(o.cheat_trick.play_card.card)) for o in offers]
        assert sorted(shown) == sorted(expected)
        for offer in offers:
            card = offer.cheat_trick.play_card.card
            for name in (short(card), short(card).lower(), short(card)[1:] + short(card)[:1], long(card)):
                assert typed(seen, name) == offer
        assert {str(typed(seen, str(key))) for key in range(1, len(offers) + 1)} == set(map(str, offers))


def first(played: Played, question: str) -> Seen:
    return next(
        seen for seen in played.moments if asks(seen.view) and prompt(GAME, seen.view, seen.people).startswith(question)
    )


def not_possible(seen: Seen, line: str) -> str:
    with pytest.raises(NotPossible) as reason:
        understood(GAME, seen.view, line)
    return str(reason.value)


async def test_voting_and_declaring(played: Played):
    """p, v, and d with the words of a phrase and a suit."""
    seen = first(played, "This deal")
    assert isinstance(typed(seen, "v"), tables_pb2.Offer)
    chosen = typed(seen, "d marriage hearts")
    assert isinstance(chosen, Answer)
    assert chosen.move.declare == ct.Declare(phrase=ct.PHRASE_MARRIAGE, suit=ct.SUIT_HEARTS)
    assert chosen.window == asks(seen.view)[2]  # type: ignore[index]
    for line in ("declare  MARRIAGE of hearts", "d marriage h"):
        assert typed(seen, line) == chosen
    chosen = typed(seen, "d mother and daughter of clubs")
    assert isinstance(chosen, Answer) and chosen.move.declare.phrase == ct.PHRASE_MOTHER_DAUGHTER
    for words in (
        "",
        "marriage",
        "hearts marriage",
        "marriage hearts spades",
        "marriage siblings hearts",
        "marriage of",
    ):
        assert "one of each" in not_possible(seen, f"d {words}")
    for line in ("x", "p v", "v hearts", "1 2"):
        assert "Type p" in not_possible(seen, line)


async def test_bidding(played: Played):
    """A number in the range, or p."""
    seen = first(played, "Your bid")
    most = seen.view.cheat_trick.tricks_in_round
    chosen = typed(seen, str(most))
    assert isinstance(chosen, Answer)
    assert chosen.move.raise_bid.tricks == most
    for line in (str(most + 1), "1", "0"):
        assert "A bid is" in not_possible(seen, line)
    for line in ("hearts", "3 4", "p 3", "9" * 50):
        assert "Type a number" in not_possible(seen, line)


async def test_knocking(played: Played):
    """At any time of a trick, once; said so beside the turn."""
    seen = first(played, "Your card")
    if any(offer.cheat_trick.HasField("knock") for offer in seen.view.prompt.offers):
        assert "k knock" in prompt(GAME, seen.view, seen.people)
        assert isinstance(typed(seen, "k"), tables_pb2.Offer)
    assert "once a trick" in not_possible(first(played, "This deal"), "k")
    waiting = [s for s in played.moments if not asks(s.view) and GAME.beside(s.view)]
    assert waiting
    assert all(prompt(GAME, s.view, s.people).startswith("Waiting for") for s in waiting)
    assert "not your turn" in not_possible(waiting[0], "3")


async def test_accusing_and_splitting(played: Played):
    """Plays by trick and seat; Enter takes the split that brings most."""
    if not played.moments[0].view.options.game.cheat_trick.teams:
        assert "may not accuse" in not_possible(first(played, "Your card"), "a 1 2")
        return
    seen = first(played, "Accuse anybody")
    chosen = typed(seen, "a 3 2")
    assert isinstance(chosen, Answer)
    assert (chosen.window, chosen.move.accuse) == (0, ct.Accuse(round=1, trick=3, seat=1))
    assert "no play in trick 3" in not_possible(seen, "a 3 1")
    assert "TRICK SEAT" in not_possible(seen, "a 3")
    split = first(played, "Of your team")
    offer = next(o.cheat_trick.split for o in split.view.prompt.offers if o.cheat_trick.HasField("split"))
    chosen = typed(split, "")
    assert isinstance(chosen, Answer)
    assert chosen.move.split.own in (offer.least, offer.most)
    assert isinstance(typed(split, "l"), tables_pb2.Offer)
    assert "from 0 to" in not_possible(split, str(offer.most + 1))


async def test_score_sheets_explain_every_point(played: Played):
    """On the smallest screen, with the deal checked; then the ranking."""
    last = played.moments[-1]
    game = last.view.cheat_trick
    for score in game.scored:
        sheet = rows(GAME.score_sheet(last.view, last.people, score.round, played.record))
        assert len(sheet) <= 23
        text = "\n".join(sheet)
        for seat, at in enumerate(score.seats):
            assert re.search(
                rf"{last.people.name(seat)}: {at.counted} trick.* × {at.trick_value} = {at.own_points}", text
            )
        assert "The deal was checked" in text
    ranking = "\n".join(table_rows(GAME, last))
    assert all(str(at.total) in ranking for at in game.seats)


async def test_the_rules_fit_the_smallest_screen():
    for page in GAME.rules():
        assert len(rows(page)) <= 23


async def test_a_whole_game_over_pipes(stack: Stack, tmp_path: Path):
    """A person against three bots, to the final ranking, who also declares, knocks and bids."""
    asked = r"> .*(This deal|Your bid|Your card|Accuse anybody|Of your team).*\n|> r another game.*\n"
    arguments = ("--engine", stack.engine_addresses[0], "--scoring", stack.scoring_addresses[0], "--name", "Remy")
    chosen = ("--set", "reneging=catchable", "--set", "teams=any")
    async with typist(tmp_path, *arguments, "--game", "cheat_trick", "--players", "4", *chosen) as remy:
        said: set[str] = set()
        while "another game" not in (question := (await remy.sees(asked))[0]):
            begins = next(begin for begin in ANSWERS if begin in question)
            more = {"This deal": "d court spades", "Your card": "k"}.get(begins) if begins not in said else None
            said.add(begins)
            remy.types(more or ANSWERS[begins])
        assert said >= {"Your bid", "Your card"}
        for number in range(1, 5):
            assert f"Round {number} of 4: how the points came" in remy.said
        assert remy.said.count("The deal was checked") == 4
        assert "win" in remy.said or "share the victory" in remy.said
        remy.types("q")
        assert await remy.exit_code() == 0
    assert "Traceback" not in remy.said
