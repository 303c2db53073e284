"""The checker finds nothing in a game as it was, and each kind of broken promise in one that was tampered with."""

import copy
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Snapshot, Step
from tests.faults.checker import check
from tests.faults.games import Load, clients
from tests.faults.journal import Answer, Asked, Final, Journal, Told
from tests.faults.players import Manners
from tests.support.stack import QUICK, running_stack


class Witnessed(NamedTuple):
    """A game with all that was told of it."""

    journal: Journal
    final: Final


@pytest.fixture(scope="module")
async def game(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Witnessed]:
    """A game at House Cat that nobody disturbed, and that nobody may change."""
    folder: Path = tmp_path_factory.mktemp("checker")
    with running_stack(folder, settings=QUICK) as stack:
        async with clients(stack.engine_addresses, stack.scoring_addresses, 5) as people:
            load = Load(people, random.Random(7), Manners(repeats=0.5, thinks_seconds=0), levels=(ct.LEVEL_HOUSE_CAT,))
            yield Witnessed(*await load.game())


def test_a_game_as_it_was_breaks_no_promise(game: Witnessed):
    """And there was something to check: answers, some of them given twice, frames, views."""
    assert check(*game) == []
    assert any(len(asked.answers) > 1 for asked in game.journal.asked)
    assert all(told.frames for told in game.journal.told)
    assert game.journal.looks and len(game.journal.told) > len({asked.deed.seat for asked in game.journal.asked})


def _of_cards(journal: Journal) -> list[Asked]:
    return [asked for asked in journal.asked if asked.answers and asked.deed.value]


def _forget_events(final: Final, forget: Callable[[tables_pb2.TableEvent], bool]) -> None:
    """Make the table know nothing of some events: later ones have their numbers."""
    for viewer, log in final.logs.items():
        final.logs[viewer] = _renumbered(event for event in log if not forget(event))
        record = final.records[viewer]
        final.records[viewer] = replace(record, events=_renumbered(e for e in record.events if not forget(e)))


def _renumbered(events) -> tuple[tables_pb2.TableEvent, ...]:  # type: ignore[no-untyped-def]
    kept = [copy.deepcopy(event) for event in events]
    for number, event in enumerate(kept, kept[0].sequence):
        event.sequence = number
    return tuple(kept)


def lost_at_the_end(journal: Journal, final: Final) -> None:
    """The last card that was acknowledged never made it into the log."""
    last = _of_cards(journal)[-1].answers[0].sequence
    for viewer, log in final.logs.items():
        final.logs[viewer] = tuple(event for event in log if event.sequence < last)


def lost_in_the_middle(journal: Journal, final: Final) -> None:
    """A card that was acknowledged was taken out of the log."""
    gone = _of_cards(journal)[5].deed
    _forget_events(final, lambda event: (event.cheez_tricks.card_played.seat, *_card(event)) == gone)


def answered_for_another(journal: Journal, final: Final) -> None:
    """A move was answered with where another one led."""
    one, other = _of_cards(journal)[3:5]
    one.answers[:], other.answers[:] = list(other.answers), list(one.answers)


def shown_otherwise(journal: Journal, final: Final) -> None:
    """A watcher was shown another card than the log says was played."""
    event = next(e for e in _events(journal.told[0]) if e.cheez_tricks.HasField("card_played"))
    event.cheez_tricks.card_played.card.value += 1


def shown_and_gone(journal: Journal, final: Final) -> None:
    """A watcher was shown more than there is."""
    frame = next(frame for frame in reversed(journal.told[0].frames) if isinstance(frame, Step))
    more = copy.deepcopy(frame.events[-1])
    more.sequence += 1
    journal.told[0].frames.append(replace(frame, events=(more,), view=None, sequence=more.sequence, resume_point="new"))


def told_to_drop_it(journal: Journal, final: Final) -> None:
    """A watcher was told that what it was shown is lost."""
    first = journal.told[0].frames[0]
    assert isinstance(first, Snapshot)
    journal.told[0].frames[0] = replace(first, reset=True)


def a_view_of_nothing(journal: Journal, final: Final) -> None:
    """A view said that somebody won a trick more than the log says."""
    journal.looks[-1].view.cheez_tricks.seats[0].tricks += 1


def a_hand_that_lacks_a_card(journal: Journal, final: Final) -> None:
    """A view did not show a card that had not been played."""
    look = next(look for look in journal.all_looks() if look.viewer is not None and look.view.cheez_tricks.hand)
    look.view.cheez_tricks.hand.pop()


def two_branches(journal: Journal, final: Final) -> None:
    """The same number was told with two resume points: there were two histories."""
    asked = _of_cards(journal)[2]
    asked.answers[:] = [Answer(asked.answers[0].sequence, "another branch")]


def a_record_of_its_own(journal: Journal, final: Final) -> None:
    """The record says something else than the log."""
    event = next(e for e in final.records[0].events if e.cheez_tricks.HasField("card_played"))
    event.at.seconds += 1


def done_twice(journal: Journal, final: Final) -> None:
    """A card was played that was never asked for."""
    journal.asked.remove(_of_cards(journal)[4])


def two_answers(journal: Journal, final: Final) -> None:
    """A request that was repeated had another effect."""
    asked = next(asked for asked in _of_cards(journal) if len(asked.answers) > 1)
    later = next(other for other in _of_cards(journal) if other.deed.seat == asked.deed.seat and other is not asked)
    asked.answers[-1] = later.answers[0]


def one_answer_for_two(journal: Journal, final: Final) -> None:
    """A request that had no effect was answered as if it were another."""
    done = _of_cards(journal)[0]
    journal.asked.append(Asked("another", done.window, done.deed, list(done.answers)))


def missed(journal: Journal, final: Final) -> None:
    """A watcher was not told of a step."""
    journal.told[0].frames.remove([frame for frame in journal.told[0].frames if isinstance(frame, Step)][3])


def told_again(journal: Journal, final: Final) -> None:
    """A watcher was told a step twice."""
    steps = [frame for frame in journal.told[0].frames if isinstance(frame, Step)]
    journal.told[0].frames.insert(journal.told[0].frames.index(steps[3]), steps[3])


def leapt_over(journal: Journal, final: Final) -> None:
    """A watcher got a snapshot where nothing is hidden, and missed what was before it."""
    told = max(journal.told, key=lambda told: len(told.frames))
    at, step = next((n, f) for n, f in enumerate(told.frames) if n > 5 and isinstance(f, Step) and f.view)
    assert step.view is not None
    told.frames[at - 2 : at + 1] = [
        Snapshot(step.view, step.sequence, step.resume_point, step.server_time, reset=False, missed=True)
    ]


def a_wrong_score(journal: Journal, final: Final) -> None:
    """The scoreboard has a point too much."""
    assert final.board is not None
    final.board.totals[0] += 1


def no_scoreboard(journal: Journal, final: Final) -> None:
    """There is none."""
    final.board = None


def a_view_of_another_table(journal: Journal, final: Final) -> None:
    """Whoever asked for one table was shown another."""
    journal.looks[0].view.table_id = "00" + "a" * 18


def a_view_of_another_seat(journal: Journal, final: Final) -> None:
    """A player was shown what another may see."""
    journal.looks[0] = journal.looks[0]._replace(viewer=1 if journal.looks[0].viewer == 0 else 0)


def never_over(journal: Journal, final: Final) -> None:
    """The game goes on and on."""
    final.view.status = tables_pb2.TABLE_STATUS_RUNNING


@pytest.mark.parametrize(
    ("tamper", "kind"),
    [
        (lost_at_the_end, "lost"),
        (lost_in_the_middle, "lost"),
        (answered_for_another, "lost"),
        (shown_otherwise, "gone"),
        (shown_and_gone, "gone"),
        (told_to_drop_it, "gone"),
        (a_view_of_nothing, "gone"),
        (a_hand_that_lacks_a_card, "gone"),
        (two_branches, "gone"),
        (a_record_of_its_own, "gone"),
        (done_twice, "twice"),
        (two_answers, "twice"),
        (one_answer_for_two, "stray"),
        (missed, "gap"),
        (told_again, "gap"),
        (leapt_over, "gap"),
        (a_wrong_score, "scores"),
        (no_scoreboard, "scores"),
        (a_view_of_another_table, "stray"),
        (a_view_of_another_seat, "stray"),
        (never_over, "open"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_what_was_tampered_with_is_found(game: Witnessed, tamper: Callable[[Journal, Final], None], kind: str):
    """Each broken promise is reported under its kind."""
    journal, final = copy.deepcopy(game)
    tamper(journal, final)
    assert kind in {fault.kind for fault in check(journal, final)}


def lost_and_reset(journal: Journal, final: Final) -> None:
    """A watcher was shown a step that a failover lost, and then told to drop it."""
    at = _shown_and_lost(journal, final)
    kept = journal.told[0].frames[at - 1]
    assert kept.view is not None
    again = Snapshot(kept.view, kept.sequence, kept.resume_point, kept.server_time, reset=True, missed=False)
    journal.told[0].frames.insert(at + 1, again)


def lost_and_not_reset(journal: Journal, final: Final) -> None:
    """The same, but nobody told it."""
    _shown_and_lost(journal, final)


def lost_in_the_end(journal: Journal, final: Final) -> None:
    """The last that a watcher was shown is lost."""
    del journal.told[0].frames[_shown_and_lost(journal, final) + 1 :]


def reset_for_nothing(journal: Journal, final: Final) -> None:
    """A watcher was told to drop what is still there."""
    _knows_heads(journal, final)
    told_to_drop_it(journal, final)


def answer_lost_and_told(journal: Journal, final: Final) -> None:
    """A move was acknowledged and lost; its player was told what the table became instead, and asked again."""
    _answered_and_lost(journal, final).heard = 1


def answer_lost_and_not_told(journal: Journal, final: Final) -> None:
    """A move was acknowledged and lost, and its player told nothing."""
    asked = _answered_and_lost(journal, final)
    asked.heard = len(journal.told_to(asked.deed.seat).frames)


def view_lost_and_not_told(journal: Journal, final: Final) -> None:
    """A view was given that a failover lost, and its viewer told nothing."""
    _knows_heads(journal, final)
    look = journal.looks[0]
    heard = len(journal.told_to(look.viewer).frames)
    journal.looks[0] = look._replace(resume_point="another branch", heard=heard)


def refused_although_done(journal: Journal, final: Final) -> None:
    """A move was acknowledged, and refused when it was sent again, though nothing was lost."""
    _knows_heads(journal, final)
    next(asked for asked in journal.asked if asked.answers).refused = True


@pytest.mark.parametrize("tamper", [lost_and_reset, answer_lost_and_told], ids=lambda tamper: tamper.__name__)
def test_a_loss_that_was_told_breaks_no_promise(game: Witnessed, tamper: Callable[[Journal, Final], None]):
    """Where a failover may lose something, what everyone was told of is no fault."""
    journal, final = copy.deepcopy(game)
    tamper(journal, final)
    assert check(journal, final) == []
    final.heads = None
    assert check(journal, final) != []


@pytest.mark.parametrize(
    ("tamper", "kind"),
    [
        (lost_and_not_reset, "gone"),
        (lost_in_the_end, "gone"),
        (reset_for_nothing, "gone"),
        (answer_lost_and_not_told, "lost"),
        (view_lost_and_not_told, "gone"),
        (refused_although_done, "twice"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_loss_that_was_not_told_is_found(game: Witnessed, tamper: Callable[[Journal, Final], None], kind: str):
    """A failover excuses nothing else."""
    journal, final = copy.deepcopy(game)
    tamper(journal, final)
    assert kind in {fault.kind for fault in check(journal, final)}


def _knows_heads(journal: Journal, final: Final) -> None:
    """Have the table know its resume points: here all that anyone was told."""
    final.heads = {frame.sequence: frame.resume_point for told in journal.told for frame in told.frames}


def _shown_and_lost(journal: Journal, final: Final) -> int:
    """Put a step that is not in the log among a watcher's frames; return where."""
    _knows_heads(journal, final)
    frames = journal.told[0].frames
    at = next(at for at, frame in enumerate(frames) if at > 5 and isinstance(frame, Step) and frames[at - 1].view)
    step = frames[at]
    assert isinstance(step, Step)
    frames.insert(at, replace(step, view=None, resume_point="another branch"))
    return at


def _answered_and_lost(journal: Journal, final: Final) -> Asked:
    """Have a move be answered on a branch that is lost; it is done when it is asked for again."""
    _knows_heads(journal, final)
    asked = _of_cards(journal)[2]
    lost = Asked("lost", asked.window, asked.deed, [Answer(asked.answers[0].sequence, "another branch")])
    journal.asked.append(lost)
    return lost


def _events(told: Told) -> list[tables_pb2.TableEvent]:
    return [event for frame in told.frames if isinstance(frame, Step) for event in frame.events]


def _card(event: tables_pb2.TableEvent) -> tuple[int, int]:
    card = event.cheez_tricks.card_played.card
    return card.suit, card.value
