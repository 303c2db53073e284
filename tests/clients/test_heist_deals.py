"""`verify_deal` of Cheesy Heist: whole games as every viewer was told them, and every kind of cheating."""

from collections.abc import Callable

import pytest

from cheeseboard.engine.v1 import tables_pb2 as tables
from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as heist
from cheeseboard_client import DealMismatch, verify_deal
from engine_service.rules.games.cheesy_heist import CHEESY_HEIST
from engine_service.rules.games.cheesy_heist.options import Options
from engine_service.rules.shuffle import derived
from engine_service.wire.registry import WIRES
from tests.rules.walks import walk

WIRE = WIRES["cheesy_heist"]
CHECKED = ("commitment", "dealer", "hands", "draw_pile", "plays")


def game(seats: int, options: Options, viewer: int | None, number: int = 0) -> list[heist.Event]:
    """Return a whole random game as a viewer was told it."""
    log = list(walk(CHEESY_HEIST, options, seats, derived(bytes(32), f"deals/{number}")))[-1].log
    return [WIRE.event_out(CHEESY_HEIST.seen(event, viewer)) for event in log]


def table_options(seats: int, options: Options) -> tables.TableOptions:
    return tables.TableOptions(game=tables.GameOptions(cheesy_heist=WIRE.options_out(options)), seats=seats)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_draw_of_a_game_is_checked(seats: int) -> None:
    """To the goal and to the last drop; for each seat and a spectator, in envelopes or without."""
    for number, options in enumerate([Options(), Options(dealer=1, goal=16), Options(goal=2)]):
        for viewer in (None, *range(seats)):
            events = game(seats, options, viewer, number)
            (deal,) = verify_deal(table_options(seats, options), events)
            assert deal.checked == CHECKED
            envelopes = [tables.TableEvent(cheesy_heist=event) for event in events]
            assert verify_deal(table_options(seats, options), envelopes) == (deal,)


def test_a_part_of_a_game_is_not_claimed() -> None:
    """While it runs, or without its beginning."""
    events = game(3, Options(), 0)
    assert verify_deal(table_options(3, Options()), events[:-3]) == ()
    assert verify_deal(table_options(3, Options()), events[1:]) == ()


def _seed(event: heist.Event) -> None:
    event.game_revealed.seed = bytes(32)


def _hand(event: heist.Event) -> None:
    event.game_revealed.hands[0].cards[0] = event.game_revealed.hands[0].cards[0] % 10 + 1  # type: ignore[call-overload]


def _pile(event: heist.Event) -> None:
    del event.game_revealed.draw_pile[0]


def _dealer(event: heist.Event) -> None:
    event.game_started.dealer = (event.game_started.dealer + 1) % 5


def _drawn(event: heist.Event) -> None:
    event.card_drawn.card = event.card_drawn.card % 10 + 1  # type: ignore[assignment]


def _stolen(event: heist.Event) -> None:
    event.thief_played.target += 5


def _grated(event: heist.Event) -> None:
    event.grater_played.count += 1


def _dropped(event: heist.Event) -> None:
    event.cards_dropped.cards.reverse()


def _taken(event: heist.Event) -> None:
    event.card_taken.place += 40


def _counted(event: heist.Event) -> None:
    del event.hands_counted.hands[0].cards[:]


@pytest.mark.parametrize(
    ("kind", "cheat", "what"),
    [
        ("game_revealed", _seed, "commitment"),
        ("game_started", _dealer, "dealer"),
        ("game_revealed", _hand, "hands"),
        ("game_revealed", _pile, "draw_pile"),
        ("card_drawn", _drawn, "card_drawn"),
        ("thief_played", _stolen, "thief_played"),
        ("grater_played", _grated, "grater_played"),
        ("cards_dropped", _dropped, "cards_dropped"),
        ("card_taken", _taken, "card_taken"),
        ("hands_counted", _counted, "hands_counted"),
    ],
)
def test_cheating_is_named(kind: str, cheat: Callable[[heist.Event], None], what: str) -> None:
    """One event of a true game is changed: the check says what does not agree."""
    events = game(5, Options(), 0)
    cheat(next(event for event in events if _tells(event, kind)))
    with pytest.raises(DealMismatch) as mismatch:
        verify_deal(table_options(5, Options()), events)
    assert (mismatch.value.round, mismatch.value.what) == (1, what)


def _tells(event: heist.Event, kind: str) -> bool:
    """Return whether an event is of this kind, and tells its cards where that makes a difference."""
    if event.WhichOneof("event") != kind:
        return False
    if kind == "card_drawn":
        return event.card_drawn.card != heist.CARD_UNSPECIFIED
    return kind != "cards_dropped" or len(set(event.cards_dropped.cards)) > 2
