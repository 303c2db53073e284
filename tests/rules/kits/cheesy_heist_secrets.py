"""What a seat may know in Cheesy Heist, worked out from the log alone: a second opinion on the projection."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from google.protobuf.message import Message
from msgspec.structs import replace

from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as pb
from engine_service.rules.games.cheesy_heist.events import (
    CardDrawn,
    CardsDealt,
    CardsDropped,
    CardTaken,
    CatPlayed,
    DecoyPlayed,
    GameRevealed,
    GameStarted,
    GiftPlayed,
    GraterPlayed,
    HandsCounted,
    LastDropCalled,
    MiragesPlayed,
    ThiefPlayed,
    TurnStarted,
    VaultPlayed,
)

DECOY, VAULT, THIEF, GIFT, GRATER, CAT = 1, 2, 3, 4, 5, 9
ALL = set(range(10))

Cards = list[int]


def opens_chance(event: Any) -> bool:
    """What a seed gave, and hidden cards that come to light."""
    chance = GameStarted | CardsDealt | CardDrawn | ThiefPlayed | GraterPlayed | CardsDropped | GameRevealed
    return isinstance(event, chance | MiragesPlayed | CardTaken | HandsCounted)


def disguised(event: Any, seat: int | None, seed: bytes) -> Any:
    """Other cards of the same number, wherever the seat is not one of those who know."""
    match event:
        case GameStarted():
            return replace(event, seed=sha256(b"seed" + seed).digest())
        case CardsDealt(hands=hands, draw_pile=pile):
            dealt = tuple(hand if owner == seat else _other(hand, seed) for owner, hand in enumerate(hands))
            return replace(event, hands=dealt, draw_pile=_other(pile, seed))
        case CardDrawn(seat=owner) if seat != owner:
            return replace(event, card=_other((event.card,), seed)[0])
        case ThiefPlayed(seat=thief, target=victim) if seat not in (thief, victim):
            return replace(event, card=_other((event.card,), seed)[0])
        case GraterPlayed(seat=grater, target=owner, cards=cards, draw_pile=pile):
            told = cards if seat in (grater, owner) else _other(cards, seed)
            return replace(event, cards=told, draw_pile=_other(pile, seed))
        case CardsDropped(seat=owner, cards=cards, kept=kept) if seat != owner:
            return replace(event, cards=_other(cards, seed), kept=None if kept is None else _other(kept, seed))
        case CardTaken(seat=taker, owner=owner) if seat not in (taker, owner):
            return replace(event, card=_other((event.card,), seed)[0])
        case _:
            return event


def _other(cards: Sequence[int], seed: bytes) -> tuple[int, ...]:
    return tuple((card + 1 + seed[0] % 9) % 10 for card in cards)


def seeds(log: Sequence[Any]) -> Sequence[bytes]:
    """The game's seed, until it is opened."""
    opened = any(isinstance(event, GameRevealed) for event in log)
    return [] if opened else [event.seed for event in log if isinstance(event, GameStarted)]


class _Table:
    """What lies where, as everyone at the table together could write it down."""

    def __init__(self) -> None:
        self.hands: list[Cards] = []
        self.dropped: list[dict[int, int]] = []
        self.discards: Cards = []
        self.shown: Cards = []
        self.counted = False

    def follow(self, event: Any) -> None:
        match event:
            case CardsDealt(hands=hands):
                self.hands = [list(hand) for hand in hands]
                self.dropped = [{} for _ in hands]
            case TurnStarted():
                self.shown = []
            case CardDrawn(seat=seat, card=card):
                self.hands[seat].append(card)
            case MiragesPlayed(seat=seat, cards=cards, shown=shown):
                self.play(seat, *cards)
                self.shown += shown
            case ThiefPlayed(seat=seat, target=target, card=card):
                self.play(seat, THIEF)
                self.hands[target].remove(card)
                self.hands[seat].append(card)
            case GraterPlayed(seat=seat, target=target, cards=cards):
                self.play(seat, GRATER)
                for card in cards:
                    self.hands[target].remove(card)
            case GiftPlayed(seat=seat, target=target):
                self.play(seat, GIFT)
                self.hands[seat].remove(CAT)
                self.hands[target].append(CAT)
            case CatPlayed(seat=seat):
                self.play(seat, CAT)
                self.shown = []
            case LastDropCalled():
                self.shown = []
            case VaultPlayed(seat=seat):
                self.play(seat, VAULT)
            case DecoyPlayed(seat=seat, wasted=wasted):
                self.play(seat, DECOY)
                for owner, lying in enumerate([] if wasted else self.dropped):
                    self.hands[owner] += lying.values()
                    lying.clear()
            case CardsDropped(seat=seat, cards=cards):
                self.dropped[seat] = dict(enumerate(cards))
                for card in cards:
                    self.hands[seat].remove(card)
            case CardTaken(seat=seat, owner=owner, place=place):
                self.hands[seat].append(self.dropped[owner].pop(place))
            case HandsCounted():
                self.counted = True
            case _:
                pass

    def play(self, seat: int, *cards: int) -> None:
        for card in cards:
            self.hands[seat].remove(card)
            self.discards.append(card)


def known_cards(log: Sequence[Any], seat: int | None) -> set[int]:
    """Own hand, own dropped cards, the discard pile, hands that are shown; at the end all hands."""
    table = _Table()
    for event in log:
        table.follow(event)
    known = {*table.discards, *table.shown}
    if seat is not None:
        known |= {*table.hands[seat], *table.dropped[seat].values()}
    return known.union(*table.hands) if table.counted else known


def told_cards(log: Sequence[Any], seat: int | None) -> set[int]:
    match log[-1]:
        case CardsDealt(hands=hands):
            return set() if seat is None else set(hands[seat])
        case CardDrawn(seat=owner, card=card) if seat == owner:
            return {card}
        case MiragesPlayed(cards=cards, shown=shown):
            return {*cards, *shown}
        case ThiefPlayed(seat=thief, target=victim, card=card) if seat in (thief, victim):
            return {card}
        case GraterPlayed(seat=grater, target=owner, cards=cards) if seat in (grater, owner):
            return set(cards)
        case CardsDropped(seat=owner, cards=cards, kept=kept) if seat == owner:
            return {*cards, *(kept or ())}
        case CardTaken(seat=taker, owner=owner, card=card) if seat in (taker, owner):
            return {card}
        case HandsCounted(hands=hands):
            return {card for hand in hands for card in hand}
        case GameRevealed():
            return ALL
        case _:
            return set()


def named_cards(message: Message) -> list[int]:
    """Every Card at any depth."""
    found: list[int] = []
    for descriptor, value in message.ListFields():
        parts = value if descriptor.is_repeated else [value]
        if descriptor.enum_type is pb.Card.DESCRIPTOR:
            found += [card - 1 for card in parts]
        elif descriptor.message_type is not None:
            for part in parts:
                found += named_cards(part)
    return found
