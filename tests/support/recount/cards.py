"""The cards of Cheez-Tricks, where they lie during a round, and who wins a trick."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as cheez

from .log import Log


class Card(NamedTuple):
    """Suits are numbered Swiss 1, Roquefort 2, Parmesan 3, Brie 4: the order in which the rulings break ties."""

    suit: int
    value: int


SUITS = (1, 2, 3, 4)
HIGHEST = {2: 7, 3: 9, 4: 10, 5: 10}
HAND = {2: 10, 3: 12, 4: 10, 5: 8}
ROUNDS = {2: 4, 3: 3, 4: 4, 5: 5}


class Trick(NamedTuple):
    """A complete trick."""

    winner: int
    cards: tuple[Card, ...]


@dataclass
class Table:
    """The cards of a round and where they are."""

    hands: list[set[Card]]
    aside: frozenset[Card]
    deck: frozenset[Card]
    starter: int
    trick: list[tuple[int, Card]] = field(default_factory=list)
    tricks: list[Trick] = field(default_factory=list)

    def account(self, log: Log) -> None:
        """Every card of the deck is in exactly one place."""
        lying = [card for hand in self.hands for card in hand]
        lying += [card for _, card in self.trick]
        lying += [card for trick in self.tricks for card in trick.cards]
        lying += self.aside
        log.check(sorted(lying) == sorted(self.deck), "the cards in all places are not the whole deck")

    def won(self, seat: int) -> int:
        return sum(trick.winner == seat for trick in self.tricks)

    def turn(self) -> int:
        """Whose card is due: clockwise from the leader, who is the starter or won the trick before."""
        leader = self.tricks[-1].winner if self.tricks else self.starter
        return (leader + len(self.trick)) % len(self.hands)

    def playable(self, seat: int) -> set[Card]:
        """What the seat may play: the suit led if it holds any of it, else anything."""
        led = self.trick[0][1].suit if self.trick else None
        return {card for card in self.hands[seat] if card.suit == led} or self.hands[seat]


def best(plays: Sequence[tuple[int, Card]], trump: int) -> int:
    """The seat that wins the trick: the highest trump, else the highest of the suit led."""
    trumps = [(card.value, seat) for seat, card in plays if card.suit == trump]
    followed = [(card.value, seat) for seat, card in plays if card.suit == plays[0][1].suit]
    return max(trumps or followed)[1]


def default_trump(hand: Iterable[Card]) -> int:
    """What is named for an absent player: the suit it holds most of, the first of those that tie."""
    suits = [card.suit for card in hand]
    return max(SUITS, key=lambda suit: (suits.count(suit), -suit))


def default_card(playable: Iterable[Card], trump: int) -> Card:
    """What is played for an absent player: the lowest, trump last, the first suit of those that tie."""
    return min(playable, key=lambda card: (card.suit == trump, card.value, card.suit))


def as_card(card: cheez.Card) -> Card:
    return Card(card.suit, card.value)
