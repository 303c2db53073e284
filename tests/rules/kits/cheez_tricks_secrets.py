"""What a seat may know in Cheez-Tricks, worked out from the log alone: a second opinion on the projection."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from google.protobuf.message import Message
from msgspec.structs import replace

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as pb
from engine_service.rules.games.cheez_tricks.cats import Cat, CountedSuit, CountedValue, GreyCat, OrangeCat, SiameseCat
from engine_service.rules.games.cheez_tricks.events import (
    CardPlayed,
    CardsDealt,
    DealRevealed,
    GameStarted,
    RoundScored,
    RoundStarted,
    TrickWon,
    TrumpSet,
)

HOUSE_CAT = 1


def opens_chance(event: Any) -> bool:
    drawn = isinstance(event, TrumpSet) and event.seat is None
    return drawn or isinstance(event, RoundStarted | CardsDealt | DealRevealed)


def disguised(event: Any, seat: int | None, seed: bytes) -> Any:
    """Other keys and seeds; the cards of all others and those set aside handed around."""
    if isinstance(event, GameStarted):
        return replace(event, key=sha256(b"key" + seed).digest())
    if isinstance(event, RoundStarted):
        return replace(event, cat_places=tuple(place + 1 for place in event.cat_places), discards=(*event.discards, 99))
    return _dealt_anew(event, seat, seed) if isinstance(event, CardsDealt) else event


def _dealt_anew(event: CardsDealt, seat: int | None, seed: bytes) -> CardsDealt:
    hidden = [card for owner, hand in enumerate(event.hands) if owner != seat for card in hand] + list(event.set_aside)
    hidden.sort(key=lambda card: sha256(seed + bytes([card])).digest())
    hands = tuple(
        hand if owner == seat else tuple(sorted(hidden.pop() for _ in hand)) for owner, hand in enumerate(event.hands)
    )
    return CardsDealt(hands=hands, set_aside=tuple(sorted(hidden)), seed=sha256(b"seed" + seed).digest())


def seeds(log: Sequence[Any]) -> Sequence[bytes]:
    """The game's key for ever, and the seed of a deal until that deal is opened."""
    secret = [event.key for event in log if isinstance(event, GameStarted)]
    dealt = [event.seed for event in log if isinstance(event, CardsDealt)]
    opened = {event.seed for event in log if isinstance(event, DealRevealed)}
    return secret + [seed for seed in dealt if seed not in opened]


@dataclass
class _Table:
    """What lies where in the round that is being played, as everyone at the table could write it down."""

    level: int
    seats: int
    cats: Sequence[Cat] = ()
    past_cats: set[int] = field(default_factory=set)
    hands: list[set[int]] = field(default_factory=list)
    trick: list[int] = field(default_factory=list)
    last: list[int] = field(default_factory=list)
    won: set[int] = field(default_factory=set)

    def follow(self, event: Any) -> None:
        match event:
            case RoundStarted(cats=cats):
                self.cats, self.trick, self.last, self.won = cats, [], [], set()
            case CardsDealt(hands=hands):
                self.hands = [set(hand) for hand in hands]
            case CardPlayed(seat=seat, card=card):
                self.hands[seat].remove(card)
                self.trick.append(card)
                self.last = []
            case TrickWon():
                self.last, self.trick = self.trick, []
                self.won |= set(self.last)
            case RoundScored(score=score):
                self.past_cats |= _on_cats([on_table.cat for on_table in score.cats])
            case _:
                pass


def _table(log: Sequence[Any]) -> _Table:
    table = _Table(log[0].options.level, log[0].seats)
    for event in log:
        table.follow(event)
    return table


def _on_cats(cats: Sequence[Cat]) -> set[int]:
    """Cards that are pictured on cats."""
    return {cat.kind.card for cat in cats if isinstance(cat.kind, SiameseCat)}


def known_cards(log: Sequence[Any], seat: int | None) -> set[int]:
    """Own hand, cats, the trick being played, the trick before while it lies open, and open won cards at House Cat."""
    table = _table(log)
    known = _on_cats(table.cats) | table.past_cats | set(table.trick) | set(table.last)
    if seat is not None:
        known |= table.hands[seat]
    if table.level == HOUSE_CAT:
        known |= {card for card in table.won if any(_counts(cat, card) for cat in table.cats)}
    return known


def _counts(cat: Cat, card: int) -> bool:
    kind = cat.kind
    counted = kind.most if isinstance(kind, GreyCat) else kind.least if isinstance(kind, OrangeCat) else None
    if isinstance(counted, CountedValue):
        return card % 10 + 1 == counted.value
    return isinstance(counted, CountedSuit) and card // 10 == counted.suit


def told_cards(log: Sequence[Any], seat: int | None) -> set[int]:
    match log[-1]:
        case RoundStarted(cats=cats):
            return _on_cats(cats)
        case CardsDealt(hands=hands):
            return set() if seat is None else set(hands[seat])
        case CardPlayed(card=card):
            return {card}
        case RoundScored(score=score):
            return _on_cats([on_table.cat for on_table in score.cats])
        case DealRevealed():
            return set(range(40))
        case _:
            return set()


def named_cards(message: Message) -> list[int]:
    """Every Card at any depth."""
    if isinstance(message, pb.Card):
        return [(message.suit - 1) * 10 + message.value - 1]
    found: list[int] = []
    for descriptor, value in message.ListFields():
        if descriptor.message_type is not None:
            for part in value if descriptor.is_repeated else [value]:
                found += named_cards(part)
    return found
