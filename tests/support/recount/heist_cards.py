"""The cards of Cheesy Heist, where they lie, and what chance gives: the published shuffle, written down once more."""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as heist

CHEESE, DECOY, VAULT, THIEF, GIFT, GRATER, MOON, SPONGE, SOAP, CAT = range(1, 11)
"""As in the protos, and in the order in which an absent player keeps them."""
PACK = (16, 5, 5, 6, 5, 5, 7, 7, 7, 12)

Cards = list[int]


class Chance:
    """What a seed gives for a label."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self.draws = 0

    def order(self, cards: Cards, label: str) -> Cards:
        """The cards as they are shuffled."""
        numbers, order = self._numbers(label), list(cards)
        for last in range(len(order) - 1, 0, -1):
            other = self._below(numbers, last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def one(self, count: int, label: str) -> int:
        """A number below a count."""
        return self._below(self._numbers(label), count)

    def _numbers(self, label: str) -> Iterator[int]:
        block = 0
        while True:
            text = b"cheeseboard.shuffle.v1/" + label.encode() + b"\0" + self.seed + block.to_bytes(8, "big")
            digest = sha256(text).digest()
            yield from (int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4))
            block += 1

    @staticmethod
    def _below(numbers: Iterator[int], bound: int) -> int:
        fair = 2**32 - 2**32 % bound
        return next(number for number in numbers if number < fair) % bound


def committed(seed: bytes) -> bytes:
    return sha256(b"cheeseboard.commit.v1/" + seed).digest()


class Table:
    """Where the cards lie."""

    def __init__(self, chance: Chance, seats: int) -> None:
        pack = [card for card, copies in enumerate(PACK, 1) for _ in range(copies)]
        order = chance.order(pack, "cards")
        self.chance = chance
        self.seats = seats
        self.hands = [sorted(order[5 * seat : 5 * seat + 5]) for seat in range(seats)]
        self.pile = order[5 * seats :]
        self.discards: Cards = []
        self.lying: list[dict[int, int]] = [{} for _ in range(seats)]
        self._pack = Counter(pack)

    def is_whole(self) -> bool:
        """Whether each of the 75 cards is in exactly one place."""
        cards = Counter(self.pile) + Counter(self.discards)
        for seat in range(self.seats):
            cards += Counter(self.hands[seat]) + Counter(self.lying[seat].values())
        return cards == self._pack

    def holds(self, seat: int, *cards: int) -> bool:
        return not Counter(cards) - Counter(self.hands[seat])

    def play(self, seat: int, *cards: int) -> None:
        self.lose(seat, *cards)
        self.discards += cards

    def lose(self, seat: int, *cards: int) -> None:
        for card in cards:
            self.hands[seat].remove(card)

    def gain(self, seat: int, *cards: int) -> None:
        self.hands[seat] = sorted([*self.hands[seat], *cards])

    def steal(self, seat: int, target: int) -> int:
        self.chance.draws += 1
        card = self.hands[target].pop(self.chance.one(len(self.hands[target]), f"thief/{self.chance.draws}"))
        self.gain(seat, card)
        return card

    def grate(self, target: int) -> Cards:
        self.chance.draws += 1
        cards = sorted(self.chance.order(self.hands[target], f"grater/{self.chance.draws}")[:2])
        self.lose(target, *cards)
        self.pile = self.chance.order([*self.pile, *cards], f"pile/{self.chance.draws}")
        return cards

    def drop(self, seat: int, kept: Cards) -> Cards:
        """Drop all but what is kept; return it by place."""
        self.lose(seat, *kept)
        self.chance.draws += 1
        cards = self.chance.order(self.hands[seat], f"drop/{self.chance.draws}")
        self.hands[seat], self.lying[seat] = list(kept), dict(enumerate(cards))
        return cards

    def pick_up(self) -> None:
        """Everyone gets back what lies there."""
        for seat in range(self.seats):
            self.gain(seat, *self.lying[seat].values())
            self.lying[seat] = {}

    def wins(self, seat: int, goal: int) -> bool:
        return self.hands[seat].count(CHEESE) >= goal and CAT not in self.hands[seat]


def default_kept(hand: Cards) -> Cards:
    """What is kept for an absent player: the first three of the order, never a Cat."""
    return [card for card in sorted(hand) if card != CAT][:3]


def default_take(table: Table, seat: int) -> tuple[int, int]:
    """What is taken for an absent player: the first of its own in the order, else from the left, its own Cats last."""
    own = sorted((card, place) for place, card in table.lying[seat].items())
    if own and own[0][0] != CAT:
        return seat, own[0][1]
    for steps in range(1, table.seats):
        owner = (seat + steps) % table.seats
        if table.lying[owner]:
            return owner, min(table.lying[owner])
    return seat, own[0][1]


def same(told: heist.Card.ValueType | int, card: int) -> bool:
    """Whether a viewer was told this card, or none."""
    return told in (0, card)
