"""What a game of Cheat Trick showed, against the commitments of its deals; vetoed ones are opened when it is over.

A shuffled pack is dealt from its top: first packets by seat, second packets by seat, and what is left face up.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as proto
from cheeseboard_client.deals.shuffle import commitment, picked, shuffled
from cheeseboard_client.deals.verified import DealMismatch, VerifiedDeal

_PACKET_SIZE = {3: 9, 4: 7}
_SUITS: tuple[int, ...] = (proto.SUIT_CLUBS, proto.SUIT_DIAMONDS, proto.SUIT_HEARTS, proto.SUIT_SPADES)
_PACK = [*((suit, value) for suit in _SUITS for value in range(1, 15)), (int(proto.SUIT_FOOL), 0)]

Cards = tuple[tuple[int, int], ...]
"""(suit, value) by suit and value."""


@dataclass(frozen=True)
class Dealt:
    """What a seed gives: by seat the first packets and the whole hands, and what lies face up."""

    packets: list[Cards]
    hands: list[Cards]
    face_up: list[tuple[int, int]]


@dataclass
class _Deal:
    """What the events told of one deal."""

    started: proto.RoundStarted
    packet: proto.PacketDealt
    completed: proto.DealCompleted | None = None
    revealed: proto.DealRevealed | None = None
    plays: dict[int, list[tuple[int, int]]] = field(default_factory=dict)


def verify_cheat_trick(options: tables_pb2.TableOptions, events: Iterable[Any]) -> tuple[VerifiedDeal, ...]:
    """Check every opened deal among the events of one game (of the table, or its own); vetoed ones come last."""
    deals: dict[tuple[int, int], _Deal] = {}
    opened: dict[tuple[int, int], bytes] = {}
    started, current = proto.RoundStarted(), None
    for envelope in events:
        event = envelope.cheat_trick if isinstance(envelope, tables_pb2.TableEvent) else envelope
        match event.WhichOneof("event"):
            case "round_started":
                started, current = event.round_started, None
            case "packet_dealt" if started.round:
                current = _Deal(started, event.packet_dealt)
                deals[started.round, event.packet_dealt.deal] = current
            case "deal_revealed":
                opened[event.deal_revealed.round, event.deal_revealed.deal] = event.deal_revealed.seed
            case "vetoed_deals_revealed":
                opened |= {(deal.round, deal.deal): deal.seed for deal in event.vetoed_deals_revealed.deals}
        if current:
            _note(current, event)
    return tuple(
        VerifiedDeal(number, tuple(_checks(deals[number, deal], options, seed)), deal)
        for (number, deal), seed in opened.items()
        if (number, deal) in deals
    )


def _note(into: _Deal, event: proto.Event) -> None:
    match event.WhichOneof("event"):
        case "deal_completed":
            into.completed = event.deal_completed
        case "card_played":
            into.plays.setdefault(event.card_played.seat, []).append(_card(event.card_played.card))
        case "deal_revealed":
            into.revealed = event.deal_revealed


def _checks(deal: _Deal, options: tables_pb2.TableOptions, seed: bytes) -> Iterator[str]:
    """Yield the name of everything that agrees; raise `DealMismatch` for what does not."""
    given, seats = dealt(seed, options.seats), options.seats

    def agree(what: str, agrees: bool) -> str:
        if not agrees:
            raise DealMismatch(deal.started.round, what)
        return what

    yield agree("commitment", commitment(seed) == deal.packet.commitment)
    if deal.packet.hand:
        yield agree("packet", _cards(deal.packet.hand) in given.packets)
    if deal.completed:
        own = _cards(deal.completed.hand)
        yield agree("hands", not own or own in given.hands)
        yield agree("face_up", _face_up(deal.completed) == given.face_up)
        trump = given.face_up[deal.started.dealer if seats == 3 else 0][0]
        yield agree("trump", deal.completed.trump == (trump if trump in _SUITS else proto.SUIT_UNSPECIFIED))
    if deal.revealed:
        yield agree("hands", [_cards(hand.cards) for hand in deal.revealed.hands] == given.hands)
        yield agree("plays", all(set(plays) <= set(given.hands[seat]) for seat, plays in deal.plays.items()))
    if deal.started.round == deal.packet.deal == 1:
        yield agree("dealer", deal.started.dealer == first_dealer(seed, options))


def dealt(seed: bytes, seats: int) -> Dealt:
    """Return what the seed of a deal gives."""
    order, size = shuffled(_PACK, seed, "cards"), _PACKET_SIZE[seats]
    first, second, left = order[: seats * size], order[seats * size : 2 * seats * size], order[2 * seats * size :]
    packets = [first[seat * size : (seat + 1) * size] for seat in range(seats)]
    hands = [packets[seat] + second[seat * size : (seat + 1) * size] for seat in range(seats)]
    if seats == 3:
        hands = [[*hand, card] for hand, card in zip(hands, left, strict=True)]
    return Dealt([tuple(sorted(packet)) for packet in packets], [tuple(sorted(hand)) for hand in hands], left)


def first_dealer(seed: bytes, options: tables_pb2.TableOptions) -> int:
    """Return who deals first: the seat that the table named, or the one that the very first deal's seed draws."""
    game = options.game.cheat_trick
    return game.dealer if game.HasField("dealer") else picked(options.seats, seed, "dealer")


def _face_up(completed: proto.DealCompleted) -> list[tuple[int, int]]:
    return [_card(card) for card in completed.open_cards or [completed.turned_up]]


def _cards(cards: Sequence[proto.Card]) -> Cards:
    return tuple(sorted(_card(card) for card in cards))


def _card(card: proto.Card) -> tuple[int, int]:
    return card.suit, card.value
