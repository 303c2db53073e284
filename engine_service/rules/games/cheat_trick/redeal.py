"""Another state that a seat cannot tell from the given one: what the leak law compares. For tests only.

It never asks what a seat sees: it knows by itself what is hidden. Hidden are the hands of others, what is not dealt
yet, the key and the seeds, and where reneges can be caught the tricks that no longer lie open. Cards that were dealt
face up stay where they are, and so does what made an accusation right or wrong.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from engine_service.rules.game import Seat
from engine_service.rules.redealing import mix
from engine_service.rules.shuffle import derived, words

from .cards import FOOL, SUIT_OF, Card, Suit
from .following import held_after, led_suit, tricks_so_far
from .options import CATCHABLE
from .seating import after
from .state import Phase, State, Trick

Place = tuple[str, int, int]
"""("hand", seat, index), ("trick", index of the trick, index) or ("pack", 0, index)."""


def redeal(state: State, seat: Seat | None, seed: bytes) -> State:
    """Return a state with the same outside for this seat (None: a spectator) and other secrets."""
    cards, voids = _hidden(state, seat), _voids(state)

    def fits(card: Card, place: Place) -> bool:
        owner, number = _owner(state, place)
        return number <= voids.get((owner, SUIT_OF[card]), number)

    mix(cards, fits, words(seed, "redeal"))
    return replace(
        state,
        key=derived(seed, "key"),
        seed=derived(seed, "seed"),
        vetoed=tuple(replace(vetoed, seed=derived(seed, f"vetoed/{i}")) for i, vetoed in enumerate(state.vetoed)),
        hands=tuple(
            tuple(sorted(cards.get(("hand", owner, i), card) for i, card in enumerate(hand)))
            for owner, hand in enumerate(state.hands)
        ),
        pack=tuple(cards.get(("pack", 0, i), card) for i, card in enumerate(state.pack)),
        tricks=tuple(
            replace(trick, cards=tuple(cards.get(("trick", at, i), card) for i, card in enumerate(trick.cards)))
            for at, trick in enumerate(state.tricks)
        ),
    )


def _hidden(state: State, seat: Seat | None) -> dict[Place, Card]:
    """Return the cards that may be taken for others, by where they lie."""
    lying: dict[Place, Card] = {("pack", 0, i): card for i, card in enumerate(state.pack)}
    for owner, hand in enumerate(state.hands):
        lying |= {("hand", owner, i): card for i, card in enumerate(hand) if owner != seat}
    for at, trick in enumerate(_turned(state)):
        lying |= {("trick", at, i): card for i, card in enumerate(trick.cards)}
    fixed = {*state.open_cards, *_evidence(state)}
    return {place: card for place, card in lying.items() if card not in fixed}


def _turned(state: State) -> tuple[Trick, ...]:
    """Return the tricks that lie face down and that nobody may look back at."""
    if state.options.reneging != CATCHABLE or state.phase is Phase.OVER:
        return ()
    last_lies_open = not state.plays
    return state.tricks[:-1] if last_lies_open else state.tricks


def _evidence(state: State) -> Iterator[Card]:
    """Yield the cards of accused tricks, and for each right accusation one that should have been played."""
    tricks = tricks_so_far(state)
    for made in state.accusations:
        cards = tricks[made.trick - 1][1]
        yield from cards
        if made.right:
            led = led_suit(cards)
            yield next(card for card in held_after(state, made.trick, made.seat) if SUIT_OF[card] == led)


def _owner(state: State, place: Place) -> tuple[Seat, int]:
    """Return who held the card of a place, and up to which trick; the pack is nobody's."""
    kind, at, i = place
    if kind == "trick":
        return after(state.tricks[at].leader, state.seats, i), at + 1
    return (at, len(state.tricks) + 2) if kind == "hand" else (-1, 0)


def _voids(state: State) -> dict[tuple[Seat, Suit], int]:
    """Return from which trick on a seat is known to have none of a suit: it did not follow, and that was no renege, or
    it cannot have been one."""
    known: dict[tuple[Seat, Suit], int] = {}
    catchable = state.options.reneging == CATCHABLE
    wrongly = {(made.trick, made.seat) for made in state.accusations if not made.right}
    for number, (leader, cards) in enumerate(tricks_so_far(state), 1):
        for i, card in enumerate(cards):
            seat, led = after(leader, state.seats, i), led_suit(cards[: i + 1])
            honest = not catchable or (number, seat) in wrongly
            if led is not None and card != FOOL and SUIT_OF[card] != led and honest:
                known.setdefault((seat, led), number)
    return known
