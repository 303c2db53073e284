"""A leak that is planted is caught: each of these copies of the game tells a secret, and the checker must say so."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from engine_service.rules.game import IllegalMove
from engine_service.rules.games.cheesy_heist import CHEESY_HEIST
from engine_service.rules.games.cheesy_heist.actions import TakeCard
from engine_service.rules.games.cheesy_heist.events import CardDrawn, CardsDropped, CardTaken, GraterPlayed, ThiefPlayed
from engine_service.rules.games.cheesy_heist.options import Options
from engine_service.rules.games.cheesy_heist.projection import own, public, seen
from engine_service.rules.games.cheesy_heist.state import State
from engine_service.rules.games.cheesy_heist.views import Lying
from engine_service.rules.shuffle import derived
from engine_service.wire.registry import WIRES
from tests.rules.kits import KITS
from tests.rules.leaks import Watcher, event_leaks, scan_leaks, state_leaks
from tests.rules.walks import AnyGame, walk

CHEESE, DECOY, VAULT, CAT = 0, 1, 2, 9


def own_with_a_foreign_card(told: Any, state: State, seat: int) -> Any:
    other = state.hands[seat + 1 - state.seats]
    return changed(own(told, state, seat), hand=(*state.hands[seat], *other[:1]))


def public_with_a_hint_at_defences(state: State) -> Any:
    """A public number is higher by the Defence cards in all hands."""
    defences = sum(card in (DECOY, VAULT) for hand in state.hands for card in hand)
    return changed(public(state), draw_count=len(state.draw_pile) + defences)


def public_with_the_seed(state: State) -> Any:
    return changed(public(state), commitment=state.seed)


def public_with_the_top_of_the_pile(state: State) -> Any:
    return changed(public(state), places=state.draw_pile[:1])


def public_with_open_drops(state: State) -> Any:
    """Dropped cards lie face up."""
    told = public(state)
    lying = [tuple(Lying(i, card) for i, card in enumerate(row) if card is not None) for row in state.dropped]
    seats = tuple(changed(one, lying=cards) for one, cards in zip(told.seats, lying, strict=True))
    return changed(told, seats=seats)


def questions_to_those_who_can_defend(state: State) -> Any:
    """Only who holds a Defence card is asked in a window that nobody else needs."""
    asked = CHEESY_HEIST.actors(state)
    able = {seat for seat, hand in enumerate(state.hands) if DECOY in hand or VAULT in hand}
    return tuple(one for one in asked if one.seat in able or not one.earliest_seconds) if len(asked) > 1 else asked


def offers_that_know_what_lies_there(state: State, seat: int) -> Any:
    """A Cat is not offered to be taken, where anything else is."""
    offers = CHEESY_HEIST.offers(state, seat)
    taken = [one for one in offers if isinstance(one.choice, TakeCard)]
    good = [one for one in taken if state.dropped[one.choice.owner][one.choice.place] != CAT]
    return tuple(good) or offers


def refusals_that_tell_the_holder(state: State, command: Any) -> Any:
    try:
        return CHEESY_HEIST.decide(state, command)
    except IllegalMove as refusal:
        rich = [seat for seat, hand in enumerate(state.hands) if CHEESE in hand]
        raise IllegalMove(refusal.reason, **refusal.facts, rich=rich) from None


PLANTED_IN_STATES: dict[str, AnyGame] = {
    "foreign card": replace(CHEESY_HEIST, own=own_with_a_foreign_card),
    "hint": replace(CHEESY_HEIST, public=public_with_a_hint_at_defences),
    "seed": replace(CHEESY_HEIST, public=public_with_the_seed),
    "top of the pile": replace(CHEESY_HEIST, public=public_with_the_top_of_the_pile),
    "open drops": replace(CHEESY_HEIST, public=public_with_open_drops),
    "questions": replace(CHEESY_HEIST, actors=questions_to_those_who_can_defend),
    "offers": replace(CHEESY_HEIST, offers=offers_that_know_what_lies_there),
    "refusals": replace(CHEESY_HEIST, decide=refusals_that_tell_the_holder),
}


def watcher(game: AnyGame, seat: int | None) -> Watcher:
    return Watcher(game, WIRES["cheesy_heist"], KITS["cheesy_heist"], seat)


@pytest.mark.parametrize("leak", PLANTED_IN_STATES)
def test_a_leak_in_a_state_is_caught(leak: str) -> None:
    """Within one game of three, for the seat that is asked; the honest game has none up to there."""
    for number, step in enumerate(walk(CHEESY_HEIST, Options(goal=16), 3, bytes(32), time_outs=1000)):
        seed = derived(bytes(32), f"redeal/{number}")
        seat = next((question.seat for question in CHEESY_HEIST.actors(step.state) if question.seat is not None), 0)
        assert state_leaks(watcher(CHEESY_HEIST, seat), step, seed) == []
        if state_leaks(watcher(PLANTED_IN_STATES[leak], seat), step, seed):
            return
    raise AssertionError("no step gave it away")


def told_to(kind: type[Any], viewer_of: Callable[[Any], int]) -> Callable[[Any, int | None], Any]:
    """Return a `seen` that tells everyone what one seat is told of events of a kind."""
    return lambda event, seat: seen(event, viewer_of(event) if isinstance(event, kind) else seat)


PLANTED_IN_EVENTS: dict[str, Callable[[Any, int | None], Any]] = {
    "drawn card": told_to(CardDrawn, lambda event: event.seat),
    "stolen card": told_to(ThiefPlayed, lambda event: event.target),
    "grated cards": told_to(GraterPlayed, lambda event: event.seat),
    "dropped cards": told_to(CardsDropped, lambda event: event.seat),
    "collected card": told_to(CardTaken, lambda event: event.owner),
}


@pytest.mark.parametrize("leak", PLANTED_IN_EVENTS)
def test_a_leak_in_an_event_is_caught(leak: str) -> None:
    """By the disguised event and by the scan, for a spectator; the honest game has none there."""
    leaky = watcher(replace(CHEESY_HEIST, seen=PLANTED_IN_EVENTS[leak]), None)
    steps = list(walk(CHEESY_HEIST, Options(), 4, bytes(32)))
    events = steps[-1].log
    assert any(event_leaks(leaky, event, b"other".ljust(32)) for event in events)
    assert not any(event_leaks(watcher(CHEESY_HEIST, None), event, b"other".ljust(32)) for event in events)
    assert any(list(scan_leaks(leaky, step)) for step in steps)


@pytest.mark.parametrize("leak", ["foreign card", "seed", "open drops"])
def test_the_scan_catches_a_leak_in_a_view(leak: str) -> None:
    steps = list(walk(CHEESY_HEIST, Options(), 4, bytes(32)))
    assert any(list(scan_leaks(watcher(PLANTED_IN_STATES[leak], 0), step)) for step in steps)
