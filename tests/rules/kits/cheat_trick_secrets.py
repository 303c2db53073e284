"""What a seat may know in Cheat Trick, worked out from the log alone: a second opinion on the projection."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from google.protobuf.message import Message
from msgspec.structs import replace

from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as pb
from engine_service.rules.games.cheat_trick.events import (
    AccusationMade,
    CardPlayed,
    DealCompleted,
    DealRevealed,
    GameEnded,
    GameStarted,
    PacketDealt,
    RoundStarted,
    TrickWon,
    VetoedDealsRevealed,
)

FOOL = 56


def verdict(event: Any) -> bool:
    return isinstance(event, AccusationMade)


def opens_chance(event: Any) -> bool:
    """A verdict opens what lay in a hand, as a deal opens what lay in the pack."""
    return verdict(event) or isinstance(event, PacketDealt | DealCompleted | DealRevealed | VetoedDealsRevealed)


def disguised(event: Any, seat: int | None, seed: bytes) -> Any:
    """Other keys and seeds; the cards of all others and of the pack handed around."""
    if isinstance(event, GameStarted):
        return replace(event, key=sha256(b"key" + seed).digest())
    if isinstance(event, PacketDealt):
        hands, pack = _handed_around(event.hands, event.pack, seat, seed, shown=set())
        return replace(event, hands=hands, pack=pack, seed=sha256(b"seed" + seed).digest())
    if isinstance(event, DealCompleted):
        hands, _ = _handed_around(event.hands, (), seat, seed, shown=set(event.open_cards))
        return replace(event, hands=hands)
    return event


Hands = tuple[tuple[int, ...], ...]


def _handed_around(
    hands: Hands, pack: tuple[int, ...], seat: int | None, seed: bytes, shown: set[int]
) -> tuple[Hands, tuple[int, ...]]:
    hidden = [card for owner, hand in enumerate(hands) if owner != seat for card in hand] + list(pack)
    hidden = [card for card in hidden if card not in shown]
    hidden.sort(key=lambda card: sha256(seed + bytes([card])).digest())
    mixed = tuple(
        hand if owner == seat else tuple(sorted(card if card in shown else hidden.pop() for card in hand))
        for owner, hand in enumerate(hands)
    )
    return mixed, tuple(hidden)


def seeds(log: Sequence[Any]) -> Sequence[bytes]:
    """The game's key for ever; the seed of a deal until it is opened, which for a vetoed one is the end of the game."""
    secret = [event.key for event in log if isinstance(event, GameStarted)]
    opened = {event.seed for event in log if isinstance(event, DealRevealed)}
    opened |= {deal.seed for event in log if isinstance(event, VetoedDealsRevealed) for deal in event.deals}
    return secret + [event.seed for event in log if isinstance(event, PacketDealt) and event.seed not in opened]


def known_cards(log: Sequence[Any], seat: int | None) -> set[int]:
    """Own hand, what was dealt face up and is not played, the trick being played, the last one while it lies open."""
    own: set[int] = set()
    face_up: set[int] = set()
    trick: list[int] = []
    last: list[int] = []
    begun = next(i for i in reversed(range(len(log))) if isinstance(log[i], RoundStarted))
    for event in log[begun:]:
        match event:
            case PacketDealt(hands=hands) | DealCompleted(hands=hands):
                own = set() if seat is None else set(hands[seat])
                if isinstance(event, DealCompleted):
                    face_up = {*event.open_cards, *({event.turned_up} - {None})}
            case CardPlayed(card=card):
                trick.append(card)
                own.discard(card)
                face_up.discard(card)
                last = []
            case TrickWon():
                last, trick = trick, []
            case GameEnded():
                last = []
            case _:
                pass
    return own | face_up | set(trick) | set(last)


def told_cards(log: Sequence[Any], seat: int | None) -> set[int]:
    event = log[-1]
    match event:
        case PacketDealt(hands=hands):
            return set() if seat is None else set(hands[seat])
        case DealCompleted(hands=hands):
            own = set() if seat is None else set(hands[seat])
            return own | {*event.open_cards, *({event.turned_up} - {None})}
        case CardPlayed(card=card):
            return {card}
        case DealRevealed():
            return set(range(57))
        case _:
            return set()


def named_cards(message: Message) -> list[int]:
    """Every Card at any depth."""
    if isinstance(message, pb.Card):
        return [FOOL if message.suit == pb.SUIT_FOOL else (message.suit - 1) * 14 + message.value - 1]
    found: list[int] = []
    for descriptor, value in message.ListFields():
        if descriptor.message_type is not None:
            for part in value if descriptor.is_repeated else [value]:
                found += named_cards(part)
    return found
