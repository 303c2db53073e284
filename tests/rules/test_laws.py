"""The laws of engine_service/rules/README.md over every registered game. Law 5 is in `test_leaks`, releases of law 8 in
`test_golden`."""

import hashlib
import inspect
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_service.rules import shuffle
from engine_service.rules.game import Bot, IllegalMove, Move, RecordScores, TimeOut
from engine_service.rules.registry import GAMES

from .kits import KITS
from .walks import AnyGame, Step, ended, evolved, taken, walk

every_game = pytest.mark.parametrize("name", GAMES)
EXAMPLES = int(os.environ.get("CHEESEBOARD_LAW_EXAMPLES", "40"))
"""Of each law for each game; the long form has more."""
few = settings(max_examples=max(10, EXAMPLES // 4), deadline=None, derandomize=True)
some = settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
tables = st.tuples(st.integers(0, 3), st.integers(0, 99), st.binary(min_size=32, max_size=32))
"""What a random game is made of: seats above the fewest, which of the option sets, seed."""


def steps(name: str, table: tuple[int, int, bytes]) -> Iterator[Step]:
    """Yield a whole random game."""
    game = GAMES[name]
    seats = game.min_seats + table[0] % (game.max_seats - game.min_seats + 1)
    choices = KITS[name].option_sets(seats)
    return walk(game, choices[table[1] % len(choices)], seats, table[2])


def moves(game: AnyGame, step: Step, seats: int) -> Iterator[Move[Any]]:
    """Yield what all seats could send, sense or nonsense."""
    asked = [question.window for question in game.actors(step.state)] or [1]
    windows = sorted({0, -1, 1, 10**9} | {window + near for window in asked for near in (-1, 0, 1)})
    actions = KITS[game.name].actions(step.state)
    for seat in range(-1, seats + 1):
        for window in windows:
            # Window 0 is always open, for what stands beside the turn.
            yield from (Move(seat, window, action) for action in actions[:: 1 if window in {0, *asked} else 7])


def accepted(game: AnyGame, state: Any, command: Any) -> tuple[Any, ...] | None:
    """Return the events, or None for a refusal."""
    try:
        return game.decide(state, command)
    except IllegalMove:
        return None


@every_game
@few
@given(table=tables)
def test_law_1_a_move_is_accepted_exactly_when_an_offer_permits_it(name: str, table: tuple[int, int, bytes]) -> None:
    """And nothing changes by asking, refused or not; asked again, the answer is the same."""
    game = GAMES[name]
    played = list(steps(name, table))
    for step in played[:: 1 + len(played) // 80 + table[2][0] % 29]:
        before = msgspec.msgpack.encode(step.state)
        offers = {seat: game.offers(step.state, seat) for seat in range(-1, game.max_seats + 1)}
        for move in moves(game, step, game.max_seats):
            permitted = any(game.permits(offer, move) for offer in offers[move.seat])
            events = accepted(game, step.state, move)
            assert (events is not None) == permitted, move
            assert accepted(game, step.state, move) == events
        assert msgspec.msgpack.encode(step.state) == before


@every_game
@some
@given(table=tables)
def test_law_1_refused_scores_and_time_outs_change_nothing(name: str, table: tuple[int, int, bytes]) -> None:
    """Scores are taken once, in their round and no other; only open questions time out."""
    game, kit = GAMES[name], KITS[name]
    scores: list[RecordScores] = []
    for step in steps(name, table):
        round_over = ended(game, step.log)
        if round_over is not None:
            scores.append(kit.score(step.state, round_over))
            assert accepted(game, step.state, scores[-1])
        for old in scores[:-1] if round_over else scores:
            assert accepted(game, step.state, old) is None
        asked = {(question.seat, question.window) for question in game.actors(step.state)}
        for seat in (None, *range(game.max_seats)):
            for window in {window + near for _, window in asked for near in (-1, 0, 1)} or {1}:
                taken_up = accepted(game, step.state, TimeOut(seat, window)) is not None
                assert taken_up == ((seat, window) in asked)


@every_game
@some
@given(table=tables)
def test_laws_2_and_3_replaying_a_log_needs_no_generator(name: str, table: tuple[int, int, bytes]) -> None:
    """With the shuffle out of order, the log alone gives the same state."""
    game, last = GAMES[name], list(steps(name, table))[-1]
    with pytest.MonkeyPatch.context() as patch:
        for chance in ("words", "below", "derived", "commitment", "hashlib"):
            patch.setattr(shuffle, chance, None)
        assert evolved(game, None, last.log) == last.state


@every_game
def test_law_2_another_process_plays_the_same_game(name: str) -> None:
    """Neither hashes of names nor addresses reach the game."""
    outcomes = {
        subprocess.run(
            [sys.executable, "-c", f"from tests.rules.test_laws import print_digest; print_digest({name!r})"],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert outcomes == {digest(name)}


def print_digest(name: str) -> None:
    """Print what `digest` returns; for another process."""
    sys.stdout.write(digest(name))


def digest(name: str) -> str:
    """Return a digest of the logs of a few games."""
    logs = [list(steps(name, (seats, seats, bytes(32))))[-1].log for seats in range(4)]
    return hashlib.sha256(msgspec.msgpack.encode(logs)).hexdigest()


@every_game
def test_law_3_evolve_is_given_no_rules(name: str) -> None:
    """The module of `evolve` takes structs from the game, and no function that could decide anything."""
    here = inspect.getmodule(GAMES[name].evolve)
    functions = [
        part for _, part in inspect.getmembers(here, inspect.isfunction) if inspect.getmodule(part) is not here
    ]
    assert not [part for part in functions if part.__module__.startswith("engine_service")]
    assert not inspect.getmembers(here, inspect.ismodule)


@every_game
@some
@given(table=tables)
def test_law_4_every_card_is_in_exactly_one_place(name: str, table: tuple[int, int, bytes]) -> None:
    """After every event, those in the middle of a step included."""
    game, kit = GAMES[name], KITS[name]
    for step in steps(name, table):
        state = step.before
        for event in step.events:
            state = game.evolve(state, event)
            lying = Counter(card for cards in kit.places(state).values() for card in cards)
            assert lying == Counter(kit.cards(state.options, state.seats)), event


def last_asked(game: AnyGame, state: Any) -> TimeOut:
    """Return the time-out of an open question."""
    question = game.actors(state)[-1]
    return TimeOut(question.seat, question.window)


@every_game
@some
@given(table=tables, leaves=st.integers(0, 200))
def test_law_6_defaults_alone_end_the_game(name: str, table: tuple[int, int, bytes], leaves: int) -> None:
    """Everybody leaves somewhere in a game; every time-out is a step towards its end."""
    game, kit = GAMES[name], KITS[name]
    played = list(steps(name, table))
    step = played[leaves % len(played)]
    for _ in range(10_000):
        if game.is_over(step.state):
            break
        round_over = ended(game, step.log)
        step = taken(game, step, kit.score(step.state, round_over) if round_over else last_asked(game, step.state))
    assert game.is_over(step.state)
    assert game.actors(step.state) == ()


@every_game
@some
@given(table=tables)
def test_law_6_a_default_is_an_offer(name: str, table: tuple[int, int, bytes]) -> None:
    """What is done for an absent player is what it might have done itself."""
    game = GAMES[name]
    for step in steps(name, table):
        for question in game.actors(step.state):
            if question.seat is not None:
                move = Move(question.seat, question.window, game.default(step.state, question.seat))
                assert any(game.permits(offer, move) for offer in game.offers(step.state, question.seat))


@every_game
@some
@given(table=tables)
def test_law_7_a_window_closes_for_ever(name: str, table: tuple[int, int, bytes]) -> None:
    """Windows count up and are never used again: in one that stays open nobody new is asked. An answer to one that is
    closed is refused as such, for moves and time-outs."""
    game = GAMES[name]
    closed: dict[int, int | None] = {}
    open_to: dict[int, set[int | None]] = {}
    for step in steps(name, table):
        asked: dict[int, set[int | None]] = {}
        for question in game.actors(step.state):
            asked.setdefault(question.window, set()).add(question.seat)
        for window, seats in asked.items():
            if window in open_to:
                assert seats <= open_to[window]
            else:
                assert window > max(open_to, default=0)
        open_to |= asked
        command = step.command
        if isinstance(command, Move | TimeOut) and command.window and command.window not in asked:
            closed[command.window] = command.seat
        assert not closed.keys() & asked.keys()
        for window, seat in list(closed.items())[-3:]:
            late_move = Move(seat or 0, window, KITS[name].actions(step.state)[0])
            for late in (TimeOut(seat, window), late_move):
                with pytest.raises(IllegalMove, match="WINDOW_CLOSED"):
                    game.decide(step.state, late)
    assert closed


@every_game
@some
@given(table=tables)
def test_law_7_two_answers_in_one_window_both_count(name: str, table: tuple[int, int, bytes]) -> None:
    """Wherever two seats are asked in one window, the answer of one leaves the other's as good as it was."""
    game = GAMES[name]
    for step in steps(name, table):
        questions = game.actors(step.state)
        for first in questions:
            after = taken(game, step, TimeOut(first.seat, first.window)).state
            still = [other for other in questions if other != first and other.window == first.window]
            assert all(accepted(game, after, TimeOut(other.seat, other.window)) for other in still)


@every_game
@some
@given(table=tables)
def test_law_8_states_and_events_survive_storage(name: str, table: tuple[int, int, bytes]) -> None:
    """As bytes and back they are equal, and what they decide is equal."""
    game = GAMES[name]
    for step in steps(name, table):
        stored = msgspec.msgpack.decode(msgspec.msgpack.encode(step.state), type=game.state_type)
        assert stored == step.state
        for event in step.events:
            assert msgspec.msgpack.decode(msgspec.msgpack.encode(event), type=game.event_type) == event


@every_game
@few
@given(table=tables, chance=st.binary(min_size=32, max_size=32))
def test_bots_make_offered_moves_from_their_view(name: str, table: tuple[int, int, bytes], chance: bytes) -> None:
    """Every kind, wherever its seat is asked, and the same move for the same view, offers and chance."""
    game = GAMES[name]
    assert {"random", "careful"} <= set(game.bots)
    for step in steps(name, table):
        for question in game.actors(step.state):
            if question.seat is not None:
                for bot in game.bots.values():
                    assert_move_is_offered(game, step.state, question.seat, bot, chance)


def assert_move_is_offered(game: AnyGame, state: Any, seat: int, bot: Bot, chance: bytes) -> None:
    offers, view = game.offers(state, seat), game.view(state, seat)
    move = bot(seat, view, offers, chance)
    assert move.seat == seat
    assert any(game.permits(offer, move) for offer in offers)
    assert bot(seat, view, offers, chance) == move
