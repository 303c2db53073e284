"""A leak that is planted is caught: each of these copies of the game tells a secret, and the checker must say so."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from engine_service.rules.game import IllegalMove, Offer, Question
from engine_service.rules.games.cheat_trick import CHEAT_TRICK
from engine_service.rules.games.cheat_trick.actions import MayAccuse
from engine_service.rules.games.cheat_trick.events import CardPlayed, DealRevealed, PacketDealt
from engine_service.rules.games.cheat_trick.following import reneged, tricks_so_far
from engine_service.rules.games.cheat_trick.options import Options
from engine_service.rules.games.cheat_trick.projection import public, seen, veils
from engine_service.rules.games.cheat_trick.seating import after
from engine_service.rules.games.cheat_trick.state import Phase, State
from engine_service.rules.games.cheat_trick.views import Play, TrickView
from engine_service.rules.shuffle import derived
from engine_service.wire.registry import WIRES
from tests.rules.kits import KITS
from tests.rules.leaks import Watcher, event_leaks, scan_leaks, state_leaks
from tests.rules.walks import AnyGame, Step, walk

from .tabletop import CATCHABLE

CATCH = Options(reneging=CATCHABLE, veto_limit=None)


def reneges(state: State) -> list[tuple[int, int]]:
    """Return (trick, seat) of every renege of the round."""
    return [
        (number, seat)
        for number, (leader, cards) in enumerate(tricks_so_far(state), 1)
        for seat in (after(leader, state.seats, i) for i in range(len(cards)))
        if reneged(state, number, seat)
    ]


def own_with_a_foreign_card(told: Any, state: State, seat: int) -> Any:
    """One card of the next seat stands among the viewer's own."""
    other = state.hands[seat + 1 - state.seats]
    return changed(told, hand=(*state.hands[seat], *other[:1]))


def public_with_the_seed(state: State) -> Any:
    return changed(public(state), commitment=state.seed)


def public_with_the_seed_of_a_vetoed_deal(state: State) -> Any:
    """Whose cards would tell who bluffed."""
    return changed(public(state), commitment=state.vetoed[-1].seed if state.vetoed else b"")


def public_of_the_pack(state: State) -> Any:
    return changed(public(state), turned_up=state.pack[-1]) if state.pack else public(state)


def public_of_turned_tricks(state: State) -> Any:
    """The first trick of the round stays open."""
    if not state.tricks:
        return public(state)
    plays = tuple(Play(0, card) for card in state.tricks[0].cards)
    return changed(public(state), last_trick=TrickView(1, plays))


def public_that_counts_reneges(state: State) -> Any:
    """A public number is higher by the reneges of the round."""
    return changed(public(state), rounds=state.rounds + len(reneges(state)))


def accusations_only_of_reneges(state: State, seat: int) -> Any:
    """What is offered says what is true."""
    offers = CHEAT_TRICK.offers(state, seat)
    true = set(reneges(state))
    return tuple(
        Offer(offer.window, MayAccuse(tuple(play for play in offer.choice.plays if (play.trick, play.seat) in true)))
        if isinstance(offer.choice, MayAccuse)
        else offer
        for offer in offers
    )


def a_last_question_that_takes_longer(state: State) -> tuple[Question, ...]:
    """The more there is to accuse, the more time is given."""
    return tuple(changed(question, seconds=1 + len(reneges(state))) for question in CHEAT_TRICK.actors(state))


def a_second_event_for_a_renege(state: State, command: Any) -> Any:
    """The number of events tells."""
    events = CHEAT_TRICK.decide(state, command)
    card = next((event for event in events if isinstance(event, CardPlayed)), None)
    if card is None or state.phase is not Phase.TRICKS:
        return events
    played = CHEAT_TRICK.evolve(state, card)
    told = reneged(played, len(state.tricks) + 1, card.seat)
    return (*events[:1], *([changed(card)] if told else []), *events[1:])


def refusals_that_tell_the_holder(state: State, command: Any) -> Any:
    try:
        return CHEAT_TRICK.decide(state, command)
    except IllegalMove as refusal:
        card = getattr(getattr(command, "action", None), "card", None)
        holders = [seat for seat, hand in enumerate(state.hands) if card in hand]
        raise IllegalMove(refusal.reason, **refusal.facts, holder=holders) from None


def veils_that_know_of_reneges(state: State, event: Any) -> bool:
    """Whether history is shut depends on what lies in a hand: existence tells."""
    return veils(state, event) or len(reneges(state)) % 2 == 1


PLANTED_IN_STATES: dict[str, AnyGame] = {
    "foreign card": replace(CHEAT_TRICK, own=own_with_a_foreign_card),
    "seed": replace(CHEAT_TRICK, public=public_with_the_seed),
    "seed of a vetoed deal": replace(CHEAT_TRICK, public=public_with_the_seed_of_a_vetoed_deal),
    "pack": replace(CHEAT_TRICK, public=public_of_the_pack),
    "turned tricks": replace(CHEAT_TRICK, public=public_of_turned_tricks),
    "number of reneges": replace(CHEAT_TRICK, public=public_that_counts_reneges),
    "accusations": replace(CHEAT_TRICK, offers=accusations_only_of_reneges),
    "time": replace(CHEAT_TRICK, actors=a_last_question_that_takes_longer),
    "number of events": replace(CHEAT_TRICK, decide=a_second_event_for_a_renege),
    "refusals": replace(CHEAT_TRICK, decide=refusals_that_tell_the_holder),
    "veils": replace(CHEAT_TRICK, veils=veils_that_know_of_reneges),
}


def watcher(game: AnyGame, seat: int | None) -> Watcher:
    return Watcher(game, WIRES["cheat_trick"], KITS["cheat_trick"], seat)


def a_round() -> Iterator[tuple[int, Step]]:
    """Yield every third step up to the end of a first round, with its number."""
    for number, step in enumerate(walk(CHEAT_TRICK, CATCH, 4, bytes(32), time_outs=1000)):
        if step.state.phase is Phase.SCORING:
            return
        if number % 3 == 0:
            yield number, step


@pytest.mark.parametrize("leak", PLANTED_IN_STATES)
def test_a_leak_in_a_state_is_caught(leak: str) -> None:
    """Within one round with vetoes and reneges, where every secret exists; the honest game has none there."""
    found: list[str] = []
    for number, step in a_round():
        seed = derived(bytes(32), f"redeal/{number}")
        assert state_leaks(watcher(CHEAT_TRICK, 0), step, seed) == []
        found += state_leaks(watcher(PLANTED_IN_STATES[leak], 0), step, seed)
        if found:
            break
    assert found


def seen_with_the_seed(event: Any, seat: int | None) -> Any:
    """The deal comes with its seed and everyone's hands."""
    return DealRevealed(1, 1, event.seed, event.hands, None) if isinstance(event, PacketDealt) else seen(event, seat)


def seen_with_a_foreign_hand(event: Any, seat: int | None) -> Any:
    """Everyone is told the hand of seat 1."""
    return seen(event, 1)


PLANTED_IN_EVENTS: dict[str, Callable[[Any, int | None], Any]] = {
    "seed": seen_with_the_seed,
    "foreign hand": seen_with_a_foreign_hand,
}


@pytest.mark.parametrize("leak", PLANTED_IN_EVENTS)
def test_a_leak_in_an_event_is_caught(leak: str) -> None:
    leaky = watcher(replace(CHEAT_TRICK, seen=PLANTED_IN_EVENTS[leak]), 0)
    events = CHEAT_TRICK.setup(Options(simplified=True), 3, bytes(32))
    assert any(event_leaks(leaky, event, b"other".ljust(32)) for event in events)
    assert not any(event_leaks(watcher(CHEAT_TRICK, 0), event, b"other".ljust(32)) for event in events)


@pytest.mark.parametrize("leak", ["foreign card", "seed", "seed of a vetoed deal", "pack", "turned tricks"])
def test_the_scan_catches_a_leak_in_a_view(leak: str) -> None:
    assert any(list(scan_leaks(watcher(PLANTED_IN_STATES[leak], 0), step)) for _, step in a_round())


@pytest.mark.parametrize("leak", ["seed", "foreign hand"])
def test_the_scan_catches_a_leak_in_an_event(leak: str) -> None:
    leaky = watcher(replace(CHEAT_TRICK, seen=PLANTED_IN_EVENTS[leak]), 0)
    assert list(scan_leaks(leaky, next(walk(CHEAT_TRICK, Options(), 3, bytes(32)))))
