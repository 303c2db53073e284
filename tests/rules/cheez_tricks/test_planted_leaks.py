"""A leak that is planted is caught: each of these copies of the game tells a secret, and the checker must say so."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from engine_service.rules.game import IllegalMove, Offer
from engine_service.rules.games.cheez_tricks import CHEEZ_TRICKS
from engine_service.rules.games.cheez_tricks.actions import PlayCard
from engine_service.rules.games.cheez_tricks.events import CardsDealt, DealRevealed
from engine_service.rules.games.cheez_tricks.options import Options
from engine_service.rules.games.cheez_tricks.projection import own, public, seen, veils
from engine_service.rules.games.cheez_tricks.state import State
from engine_service.rules.games.cheez_tricks.views import CardsDealtSeen, Play, TrickView
from engine_service.rules.shuffle import derived
from engine_service.wire.registry import WIRES
from tests.rules.kits import KITS
from tests.rules.leaks import Watcher, event_leaks, scan_leaks, state_leaks
from tests.rules.walks import AnyGame, walk

HOUSE_CAT, WILD_CAT = 1, 2


def own_with_a_foreign_card(told: Any, state: State, seat: int) -> Any:
    """One card of the next seat stands among the viewer's own."""
    other = state.hands[seat + 1 - state.seats]
    return changed(told, hand=(*state.hands[seat], *other[:1]))


def public_with_a_hint(state: State) -> Any:
    """A public number is one higher when seat 1 holds a 7."""
    return changed(public(state), rounds=state.rounds + any(card % 10 == 6 for card in state.hands[1]))


def own_with_a_hint(told: Any, state: State, seat: int) -> Any:
    """A public number is one higher for the seat before the one that holds a 7."""
    other = state.hands[seat + 1 - state.seats]
    return changed(own(told, state, seat), rounds=state.rounds + any(card % 10 == 6 for card in other))


def public_with_the_seed(state: State) -> Any:
    """The seed stands where its commitment should."""
    return changed(public(state), commitment=state.seed)


def public_with_the_key(state: State) -> Any:
    """From the key every deal to come could be computed."""
    return changed(public(state), commitment=state.key)


def public_with_what_lies_aside(state: State) -> Any:
    return changed(public(state), places=state.set_aside)


def public_of_turned_tricks(state: State) -> Any:
    """The first trick of the round stays open."""
    if not state.tricks:
        return public(state)
    plays = tuple(Play(0, card) for card in state.tricks[0].cards)
    return changed(public(state), last_trick=TrickView(1, plays))


def offers_that_know_other_hands(state: State, seat: int) -> Any:
    """The first card is offered only while nobody holds a higher one of its suit."""
    offers = CHEEZ_TRICKS.offers(state, seat)
    held = {card for hand in state.hands for card in hand}
    first = offers[0].choice if offers else None
    beaten = isinstance(first, PlayCard) and first.card % 10 < 9 and first.card + 1 in held - set(state.hands[seat])
    return offers[1:] or (Offer(0, first),) if beaten else offers


def refusals_that_tell_the_holder(state: State, command: Any) -> Any:
    """Who holds the card that one doesn't?"""
    try:
        return CHEEZ_TRICKS.decide(state, command)
    except IllegalMove as refusal:
        card = getattr(getattr(command, "action", None), "card", None)
        holders = [seat for seat, hand in enumerate(state.hands) if card in hand]
        raise IllegalMove(refusal.reason, **refusal.facts, holder=holders) from None


def veils_that_know_a_hand(state: State, event: Any) -> bool:
    """Whether history is shut depends on what lies in a hand: existence tells."""
    return veils(state, event) or sum(map(sum, state.hands[-1:])) % 2 == 1


PLANTED_IN_STATES: dict[str, tuple[int, AnyGame]] = {
    "foreign card": (HOUSE_CAT, replace(CHEEZ_TRICKS, own=own_with_a_foreign_card)),
    "public hint": (HOUSE_CAT, replace(CHEEZ_TRICKS, public=public_with_a_hint)),
    "hint": (HOUSE_CAT, replace(CHEEZ_TRICKS, own=own_with_a_hint)),
    "seed": (HOUSE_CAT, replace(CHEEZ_TRICKS, public=public_with_the_seed)),
    "key": (HOUSE_CAT, replace(CHEEZ_TRICKS, public=public_with_the_key)),
    "aside": (HOUSE_CAT, replace(CHEEZ_TRICKS, public=public_with_what_lies_aside)),
    "turned tricks": (WILD_CAT, replace(CHEEZ_TRICKS, public=public_of_turned_tricks)),
    "offers": (WILD_CAT, replace(CHEEZ_TRICKS, offers=offers_that_know_other_hands)),
    "refusals": (HOUSE_CAT, replace(CHEEZ_TRICKS, decide=refusals_that_tell_the_holder)),
    "veils": (WILD_CAT, replace(CHEEZ_TRICKS, veils=veils_that_know_a_hand)),
}


def watcher(game: AnyGame, seat: int | None) -> Watcher:
    return Watcher(game, WIRES["cheez_tricks"], KITS["cheez_tricks"], seat)


@pytest.mark.parametrize("leak", PLANTED_IN_STATES)
def test_a_leak_in_a_state_is_caught(leak: str) -> None:
    """Within one round at a table of two, where every secret exists; the honest game has none there."""
    level, leaky = PLANTED_IN_STATES[leak]
    found: list[str] = []
    for number, step in enumerate(walk(CHEEZ_TRICKS, Options(level=level), 2, bytes(32), time_outs=1000)):
        if number == 20:
            break
        seed = derived(bytes(32), f"redeal/{number}")
        found += state_leaks(watcher(leaky, 0), step, seed)
        assert state_leaks(watcher(CHEEZ_TRICKS, 0), step, seed) == []
    assert found


def seen_with_the_seed(event: Any, seat: int | None) -> Any:
    """The deal comes with its seed and everyone's hands."""
    if isinstance(event, CardsDealt):
        return DealRevealed(1, event.seed, event.hands, event.set_aside)
    return seen(event, seat)


def seen_with_a_byte_of_the_seed(event: Any, seat: int | None) -> Any:
    """A public number carries a byte of the seed."""
    told = seen(event, seat)
    return changed(told, hand_count=event.seed[0]) if isinstance(told, CardsDealtSeen) else told


def seen_with_a_foreign_hand(event: Any, seat: int | None) -> Any:
    """Everyone is told the hand of seat 1."""
    return seen(event, 1)


PLANTED_IN_EVENTS: dict[str, Callable[[Any, int | None], Any]] = {
    "seed": seen_with_the_seed,
    "byte of the seed": seen_with_a_byte_of_the_seed,
    "foreign hand": seen_with_a_foreign_hand,
}


@pytest.mark.parametrize("leak", PLANTED_IN_EVENTS)
def test_a_leak_in_an_event_is_caught(leak: str) -> None:
    leaky = watcher(replace(CHEEZ_TRICKS, seen=PLANTED_IN_EVENTS[leak]), 0)
    events = CHEEZ_TRICKS.setup(Options(), 3, bytes(32))
    assert any(event_leaks(leaky, event, b"other".ljust(32)) for event in events)
    assert not any(event_leaks(watcher(CHEEZ_TRICKS, 0), event, b"other".ljust(32)) for event in events)


@pytest.mark.parametrize("leak", ["foreign card", "seed", "key", "turned tricks"])
def test_the_scan_catches_a_leak_in_a_view(leak: str) -> None:
    level, leaky = PLANTED_IN_STATES[leak]
    game = list(walk(CHEEZ_TRICKS, Options(level=level), 3, bytes(32)))
    assert any(list(scan_leaks(watcher(leaky, 0), step)) for step in game[:40])


@pytest.mark.parametrize("leak", ["seed", "foreign hand"])
def test_the_scan_catches_a_leak_in_an_event(leak: str) -> None:
    leaky = watcher(replace(CHEEZ_TRICKS, seen=PLANTED_IN_EVENTS[leak]), 0)
    first = next(walk(CHEEZ_TRICKS, Options(), 3, bytes(32)))
    assert list(scan_leaks(leaky, first))
