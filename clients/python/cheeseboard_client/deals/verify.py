"""`verify_deal`: what a game showed, against the commitments it began its rounds with. Cheez-Tricks is checked here.

It proves that a deal was not changed after its round began. Everything is computed anew from the revealed seed.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as cheat
from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as heist
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as proto
from cheeseboard_client.deals.cat_deck import CatPile, built_in_cat_deck
from cheeseboard_client.deals.cheat_trick import verify_cheat_trick
from cheeseboard_client.deals.cheesy_heist import verify_heist
from cheeseboard_client.deals.shuffle import commitment, picked, shuffled
from cheeseboard_client.deals.verified import DealMismatch, VerifiedDeal

_HIGHEST_VALUE = {2: 7, 3: 9, 4: 10, 5: 10}
_HAND_SIZE = {2: 10, 3: 12, 4: 10, 5: 8}
_SUITS: tuple[int, ...] = (proto.SUIT_SWISS, proto.SUIT_ROQUEFORT, proto.SUIT_PARMESAN, proto.SUIT_BRIE)

Cards = tuple[tuple[int, int], ...]
"""(suit, value) by suit and value."""


@dataclass
class _Round:
    """What the events of one round told."""

    started: proto.RoundStarted
    own_hand: Cards = ()
    drawn_trump: int | None = None
    plays: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    revealed: proto.DealRevealed | None = None


def verify_deal(
    options: tables_pb2.TableOptions, events: Iterable[tables_pb2.TableEvent | proto.Event | heist.Event | cheat.Event]
) -> tuple[VerifiedDeal, ...]:
    """Check every revealed deal among the events of one game, as watched or from its record; return those checked.

    `options` are the table's. Raises `DealMismatch` for the first that does not agree.
    """
    if options.game.HasField("cheesy_heist"):
        return verify_heist(options, events)
    if options.game.HasField("cheat_trick"):
        return verify_cheat_trick(options, events)
    told = [event for event in events if not isinstance(event, heist.Event | cheat.Event)]
    game = options.game.cheez_tricks
    pile = CatPile(list(game.cat_deck) or built_in_cat_deck(), options.seats, game.level)
    verified: list[VerifiedDeal] = []
    before: _Round | None = None
    for each in _rounds(told):
        first = each.started.round == 1
        if not first and (before is None or before.started.round + 1 != each.started.round):
            before, pile.known = None, False
        if each.revealed:
            verified.append(VerifiedDeal(each.started.round, tuple(_checks(each, options, before, pile))))
        pile.take(each.started.cats)
        before = each
    return tuple(verified)


def _rounds(events: Iterable[tables_pb2.TableEvent | proto.Event]) -> Iterator[_Round]:
    """Yield the rounds that the events tell of, each as far as they tell it."""
    current: _Round | None = None
    for envelope in events:
        event = envelope.cheez_tricks if isinstance(envelope, tables_pb2.TableEvent) else envelope
        if event.HasField("round_started"):
            if current:
                yield current
            current = _Round(event.round_started)
        elif current:
            _note(current, event)
    if current:
        yield current


def _note(into: _Round, event: proto.Event) -> None:
    match event.WhichOneof("event"):
        case "cards_dealt":
            into.own_hand = _cards(event.cards_dealt.hand)
        case "trump_set" if not event.trump_set.HasField("seat"):
            into.drawn_trump = event.trump_set.suit
        case "card_played":
            into.plays.setdefault(event.card_played.seat, []).append(_card(event.card_played.card))
        case "deal_revealed":
            into.revealed = event.deal_revealed


def _checks(each: _Round, options: tables_pb2.TableOptions, before: _Round | None, pile: CatPile) -> Iterator[str]:
    """Yield the name of everything that agrees; raise `DealMismatch` for what does not."""
    started, revealed, seats = each.started, each.revealed, options.seats
    assert revealed
    seed = revealed.seed
    hands, set_aside = dealt(seed, seats)
    shown = [_cards(hand.cards) for hand in revealed.hands]

    def agree(what: str, agrees: bool) -> str:
        if not agrees:
            raise DealMismatch(started.round, what)
        return what

    yield agree("commitment", commitment(seed) == started.commitment)
    yield agree("hands", shown == hands and (not each.own_hand or each.own_hand in hands))
    yield agree("set_aside", _cards(revealed.set_aside) == set_aside)
    yield agree("plays", all(set(plays) <= set(hands[seat]) for seat, plays in each.plays.items()))
    if pile.known:
        yield agree("cats", list(started.cats) == pile.drawn(seed))
    starter = first_starter(seed, options) if started.round == 1 else before and (before.started.starter + 1) % seats
    if starter is not None:
        yield agree("starter", started.starter == starter)
    if started.round == 1 and each.drawn_trump is not None:
        yield agree("trump", each.drawn_trump == drawn_trump(seed))


def dealt(seed: bytes, seats: int) -> tuple[list[Cards], Cards]:
    """Return each seat's hand and the cards set aside, as the seed gives them."""
    in_play = [(suit, value) for suit in _SUITS for value in range(1, _HIGHEST_VALUE[seats] + 1)]
    order, size = shuffled(in_play, seed, "cards"), _HAND_SIZE[seats]
    hands = [tuple(sorted(order[seat * size : (seat + 1) * size])) for seat in range(seats)]
    return hands, tuple(sorted(order[seats * size :]))


def drawn_trump(seed: bytes) -> int:
    """Return the trump suit of a first round."""
    return _SUITS[picked(len(_SUITS), seed, "trump")]


def first_starter(seed: bytes, options: tables_pb2.TableOptions) -> int:
    """Return the seat that starts a first round: the one the table named, or the drawn one."""
    game = options.game.cheez_tricks
    return game.starting_seat if game.HasField("starting_seat") else picked(options.seats, seed, "starter")


def _cards(cards: Sequence[proto.Card]) -> Cards:
    return tuple(sorted(_card(card) for card in cards))


def _card(card: proto.Card) -> tuple[int, int]:
    return card.suit, card.value
