"""Deals of Cheat Trick as test vectors: what a seed gives. Cards are [suit, value] with numbers as in the protos."""

from typing import Any

from engine_service.rules.games.cheat_trick import CHEAT_TRICK
from engine_service.rules.games.cheat_trick.events import DealCompleted, PacketDealt, RoundStarted
from engine_service.rules.games.cheat_trick.options import Options
from engine_service.rules.shuffle import derived
from engine_service.wire.cheat_trick_cards import card_out, suit_out


def cheat_trick_deals(seed: bytes) -> list[dict[str, Any]]:
    """Return the first deals of a few games."""
    return [_deal(seats, derived(seed, f"cheat_trick/{n}")) for seats in (3, 4) for n in range(5)]


def _deal(seats: int, key: bytes) -> dict[str, Any]:
    """A first deal whose dealer is drawn."""
    log = CHEAT_TRICK.setup(Options(simplified=True), seats, key)
    started = next(event for event in log if isinstance(event, RoundStarted))
    packet = next(event for event in log if isinstance(event, PacketDealt))
    completed = next(event for event in log if isinstance(event, DealCompleted))
    face_up = completed.open_cards if completed.turned_up is None else (completed.turned_up,)
    return {
        "seats": seats,
        "seed": packet.seed.hex(),
        "commitment": packet.commitment.hex(),
        "dealer": started.dealer,
        "packets": [_cards(hand) for hand in packet.hands],
        "hands": [_cards(hand) for hand in completed.hands],
        "face_up": _cards(face_up),
        "trump": suit_out(completed.trump),
    }


def _cards(cards: tuple[int, ...]) -> list[list[int]]:
    messages = [card_out(card) for card in cards]
    return [[message.suit, message.value] for message in messages if message is not None]
