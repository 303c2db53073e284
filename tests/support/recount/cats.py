"""The cats of Cheez-Tricks: which may come, and whom each one catches when."""

from collections.abc import Sequence
from typing import Any

from cheeseboard.engine.v1 import tables_pb2 as tables
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as cheez

from .cards import SUITS, Card, Trick, as_card

Cat = tuple[str, Any]
"""A kind and its parameter: ("black", 3), ("siamese", Card), ("grey", ("value", 8)), ("orange", ("tricks", None))."""

AT_ONCE = ("black", "white", "siamese")
ALL, TO_FOUR, FROM_THREE, FROM_FOUR = (2, 3, 4, 5), (2, 3, 4), (3, 4, 5), (4, 5)
DECK: dict[Cat, Sequence[int]] = {
    **{("black", trick): ALL for trick in (2, 3, 4, 5, 6, 7, 8)},
    ("black", 10): TO_FOUR,
    **{("white", number): ALL for number in (1, 2, 3)},
    ("white", 4): TO_FOUR,
    **{("siamese", card): ALL for card in (Card(1, 7), Card(3, 7), Card(2, 7), Card(4, 7), Card(1, 4), Card(4, 1))},
    **{("siamese", card): FROM_THREE for card in (Card(2, 8), Card(3, 9))},
    **{("grey", ("value", value)): ALL for value in (1, 2, 3, 4, 5, 6, 7)},
    **{("grey", ("value", value)): FROM_THREE for value in (8, 9)},
    ("grey", ("value", 10)): FROM_FOUR,
    **{("grey", ("suit", suit)): ALL for suit in SUITS},
    ("grey", ("tricks", None)): ALL,
    **{("orange", ("value", value)): ALL for value in (2, 3, 4, 5, 6, 7)},
    **{("orange", ("suit", suit)): ALL for suit in SUITS},
    ("orange", ("tricks", None)): TO_FOUR,
    **{("tuxedo", number): ALL for number in (1, 2, 3, 4)},
}
"""The built-in cats, with the player counts they are used at."""


def caught_at_once(cat: Cat, tricks: Sequence[Trick]) -> bool:
    """Whether the trick completed last makes this cat catch its winner."""
    kind, wanted = cat
    last = tricks[-1]
    if kind == "black":
        return len(tricks) == int(wanted)
    if kind == "siamese":
        return wanted in last.cards
    if kind == "white":
        won = [trick.winner for trick in tricks]
        # The first one there: the winner has as many only now, and nobody else has.
        others = {*won} - {last.winner}
        return won.count(last.winner) == int(wanted) and all(won.count(other) < wanted for other in others)
    return False


def caught_at_end(cat: Cat, tricks: Sequence[Trick], seats: int) -> frozenset[int]:
    """Whom a cat catches when all cards are played; an at-once cat that is still waiting catches nobody."""
    kind, wanted = cat
    if kind in AT_ONCE:
        return frozenset()
    if kind == "tuxedo":
        won = [sum(trick.winner == seat for trick in tricks) for seat in range(seats)]
        return frozenset(seat for seat in range(seats) if won[seat] == wanted)
    owned = [_owned(wanted, [trick for trick in tricks if trick.winner == seat]) for seat in range(seats)]
    extreme = max(owned) if kind == "grey" else min(owned)
    if kind == "grey" and extreme == 0:
        return frozenset()
    return frozenset(seat for seat in range(seats) if owned[seat] == extreme)


def _owned(counted: tuple[str, int | None], tricks: Sequence[Trick]) -> int:
    what, which = counted
    if what == "tricks":
        return len(tricks)
    return sum(getattr(card, what) == which for trick in tricks for card in trick.cards)


def as_cat(cat: cheez.Cat) -> Cat:
    """A cat of the record in the words used here."""
    kind = cat.WhichOneof("kind")
    if kind in ("grey", "orange"):
        counted = cat.grey.most if kind == "grey" else cat.orange.least
        what = counted.WhichOneof("of")
        assert what is not None, f"a {kind} cat that counts nothing"
        return kind, (what, None if what == "tricks" else getattr(counted, what))
    parameter = {
        "black": cat.black.trick,
        "white": cat.white.tricks,
        "siamese": as_card(cat.siamese.card),
        "tuxedo": cat.tuxedo.tricks,
    }
    assert kind is not None, "a cat without a kind"
    return kind, parameter[kind]


def usable_cats(options: tables.TableOptions) -> frozenset[Cat]:
    """The cats that may come at this table: its own deck or the built-in one, by player count and level."""
    mine = options.game.cheez_tricks
    own = [(as_cat(cat), tuple(cat.player_counts) or ALL) for cat in mine.cat_deck]
    fitting = {cat for cat, counts in own or DECK.items() if options.seats in counts}
    if mine.level == cheez.LEVEL_WILD_CAT:
        return frozenset(fitting)
    hard = {("grey", ("value", 9)), ("grey", ("value", 10))}
    return frozenset(cat for cat in fitting if cat[0] != "orange" and cat not in hard)
