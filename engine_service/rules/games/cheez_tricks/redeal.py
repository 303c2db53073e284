"""Another state that a seat cannot tell from the given one: what the leak law compares. For tests only.

It never asks what a seat sees: it knows by itself what is hidden. Hidden are the hands of others, the cards set aside,
the key and the seed, so future cats too, and at Wild Cat the won cards of tricks that no longer lie open.
"""

from msgspec.structs import replace

from engine_service.rules.game import Seat
from engine_service.rules.redealing import mix
from engine_service.rules.shuffle import derived, words

from .cards import SUIT_OF, Card, Suit
from .options import WILD_CAT
from .state import OVER, State, Trick

Slots = list[list[Card]]


def redeal(state: State, seat: Seat | None, seed: bytes) -> State:
    """Return a state with the same outside for this seat (None: a spectator) and other secrets."""
    hands, aside, turned = [list(hand) for hand in state.hands], list(state.set_aside), _turned_tricks(state)
    hidden = [*(hand for owner, hand in enumerate(hands) if owner != seat), aside, *turned]
    barred = [*(shown for owner, shown in enumerate(_voids(state)) if owner != seat), *([set()] * (1 + len(turned)))]
    cards = {(pile, i): card for pile, slots in enumerate(hidden) for i, card in enumerate(slots)}
    mix(cards, lambda card, place: SUIT_OF[card] not in barred[place[0]], words(seed, "redeal"))
    for (pile, i), card in cards.items():
        hidden[pile][i] = card
    return replace(
        state,
        key=derived(seed, "key"),
        seed=derived(seed, "seed"),
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        set_aside=tuple(sorted(aside)),
        tricks=_with_cards(state.tricks, turned),
    )


def _turned_tricks(state: State) -> Slots:
    """Return the cards of the tricks that lie face down and may be taken for others.

    Not at House Cat, where history shows them; not when one card is left to play, whose capture they could decide.
    """
    left = sum(map(len, state.hands))
    if state.options.level != WILD_CAT or left == 1 or state.phase is OVER:
        return []
    last_lies_open = not state.plays
    turned = state.tricks[:-1] if last_lies_open else state.tricks
    return [list(trick.cards) for trick in turned]


def _voids(state: State) -> list[set[Suit]]:
    """Return the suits that each seat has shown this round to have none of."""
    shown: list[set[Suit]] = [set() for _ in range(state.seats)]
    tricks = [(trick.leader, trick.cards) for trick in state.tricks] + [(state.leader, state.plays)]
    for leader, cards in tricks:
        for i, card in enumerate(cards):
            if SUIT_OF[card] != SUIT_OF[cards[0]]:
                shown[(leader + i) % state.seats].add(SUIT_OF[cards[0]])
    return shown


def _with_cards(tricks: tuple[Trick, ...], turned: Slots) -> tuple[Trick, ...]:
    changed = [Trick(trick.leader, tuple(cards), trick.winner) for trick, cards in zip(tricks, turned, strict=False)]
    return (*changed, *tricks[len(changed) :])
