"""`verify_deal` for Cheesy Heist: a whole game played again from its one seed.

All that chance gave is computed anew: the deal, what Thieves and Graters took, where dropped cards fell. What the
viewer was told of it must be that; what others chose in secret (cards kept in a Cheese Vault) is opened with the seed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as proto
from cheeseboard_client.deals.shuffle import commitment, picked, shuffled
from cheeseboard_client.deals.verified import DealMismatch, VerifiedDeal

_COPIES: Mapping[int, int] = {
    proto.CARD_CHEESE: 16,
    proto.CARD_DECOY: 5,
    proto.CARD_VAULT: 5,
    proto.CARD_THIEF: 6,
    proto.CARD_GIFT: 5,
    proto.CARD_GRATER: 5,
    proto.CARD_MOON: 7,
    proto.CARD_SPONGE: 7,
    proto.CARD_SOAP: 7,
    proto.CARD_CAT: 12,
}
_HAND_SIZE = 5
_GRATED = 2

Cards = list[int]


def verify_heist(options: tables_pb2.TableOptions, events: Iterable[object]) -> tuple[VerifiedDeal, ...]:
    """Check a game among the events if it is there from its beginning to its end; return what was checked.

    Raises `DealMismatch` for the first that does not agree: "commitment", "dealer", "hands", "draw_pile", or the kind
    of the event that tells something else than chance gave.
    """
    log = list(_of_game(events))
    if not log or not log[0].HasField("game_started"):
        return ()
    revealed = next((event.game_revealed for event in log if event.HasField("game_revealed")), None)
    return () if revealed is None else (VerifiedDeal(1, tuple(_checks(options, log, revealed))),)


def _of_game(events: Iterable[object]) -> Iterator[proto.Event]:
    for event in events:
        if isinstance(event, proto.Event):
            yield event
        elif isinstance(event, tables_pb2.TableEvent) and event.HasField("cheesy_heist"):
            yield event.cheesy_heist


def _checks(
    options: tables_pb2.TableOptions, log: Sequence[proto.Event], revealed: proto.GameRevealed
) -> Iterator[str]:
    """Yield the name of everything that agrees; raise `DealMismatch` for what does not."""
    seed, seats, started = revealed.seed, options.seats, log[0].game_started
    hands, pile = dealt(seed, seats)
    yield _agree("commitment", commitment(seed) == started.commitment)
    yield _agree("dealer", started.dealer == dealer(seed, options))
    yield _agree("hands", [list(hand.cards) for hand in revealed.hands] == hands)
    yield _agree("draw_pile", list(revealed.draw_pile) == pile)
    table = _Table(seed, hands, pile, revealed.kept)
    for event in log:
        kind = str(event.WhichOneof("event"))
        try:
            agrees = table.follow(kind, event)
        except (ValueError, IndexError, KeyError):
            agrees = False  # A card is not where the event takes it from.
        _agree(kind, agrees)
    yield "plays"


def _agree(what: str, agrees: bool) -> str:
    if not agrees:
        raise DealMismatch(1, what)
    return what


def dealt(seed: bytes, seats: int) -> tuple[list[Cards], Cards]:
    """Return each seat's hand, sorted, and the draw pile from the top, as the seed gives them."""
    order = shuffled([card for card, copies in _COPIES.items() for _ in range(copies)], seed, "cards")
    hands = [sorted(order[seat * _HAND_SIZE : (seat + 1) * _HAND_SIZE]) for seat in range(seats)]
    return hands, order[seats * _HAND_SIZE :]


def dealer(seed: bytes, options: tables_pb2.TableOptions) -> int:
    """Return the seat that deals: the one the table named, or the drawn one."""
    game = options.game.cheesy_heist
    return game.dealer if game.HasField("dealer") else picked(options.seats, seed, "dealer")


class _Table:
    """The cards of a game, moved as its events say and chance gives."""

    def __init__(self, seed: bytes, hands: list[Cards], pile: Cards, kept: Iterable[proto.Kept]) -> None:
        self._seed = seed
        self._hands = [list(hand) for hand in hands]
        self._pile = list(pile)
        self._kept = iter(kept)
        self._lying: list[dict[int, int]] = [{} for _ in hands]
        self._chances = 0

    def follow(self, kind: str, event: proto.Event) -> bool:
        """Move cards as an event says; return whether what it tells of them is so."""
        match kind:
            case "cards_dealt":
                own = list(event.cards_dealt.hand)
                return not own or own in self._hands
            case "card_drawn":
                drawn = event.card_drawn
                return _told(drawn.card, self._gain(drawn.seat, self._pile.pop(0)))
            case "mirages_played":
                mirages = event.mirages_played
                self._lose(mirages.seat, mirages.cards)
                return list(mirages.shown) == self._hands[mirages.target]
            case "thief_played":
                return self._stolen(event.thief_played)
            case "grater_played":
                return self._grated(event.grater_played)
            case "gift_played":
                gift = event.gift_played
                self._lose(gift.seat, (proto.CARD_GIFT, proto.CARD_CAT))
                self._gain(gift.target, proto.CARD_CAT)
            case "cat_played":
                self._lose(event.cat_played.seat, (proto.CARD_CAT,))
            case "vault_played":
                self._lose(event.vault_played.seat, (proto.CARD_VAULT,))
            case "decoy_played":
                self._decoyed(event.decoy_played)
            case "cards_dropped":
                return self._dropped(event.cards_dropped)
            case "card_taken":
                taken = event.card_taken
                return _told(taken.card, self._gain(taken.seat, self._lying[taken.owner].pop(taken.place)))
            case "hands_counted":
                return [list(hand.cards) for hand in event.hands_counted.hands] == self._hands
        return True

    def _chance(self, name: str) -> str:
        return f"{name}/{self._chances}"

    def _gain(self, seat: int, card: int) -> int:
        self._hands[seat] = sorted([*self._hands[seat], card])
        return card

    def _lose(self, seat: int, cards: Iterable[int]) -> None:
        for card in cards:
            self._hands[seat].remove(card)

    def _stolen(self, event: proto.ThiefPlayed) -> bool:
        self._lose(event.seat, (proto.CARD_THIEF,))
        self._chances += 1
        hand = self._hands[event.target]
        card = hand.pop(picked(len(hand), self._seed, self._chance("thief")))
        return _told(event.card, self._gain(event.seat, card))

    def _grated(self, event: proto.GraterPlayed) -> bool:
        self._lose(event.seat, (proto.CARD_GRATER,))
        self._chances += 1
        cards = sorted(shuffled(self._hands[event.target], self._seed, self._chance("grater"))[:_GRATED])
        self._lose(event.target, cards)
        self._pile = shuffled([*self._pile, *cards], self._seed, self._chance("pile"))
        return len(cards) == event.count and list(event.cards) in ([], cards)

    def _decoyed(self, event: proto.DecoyPlayed) -> None:
        self._lose(event.seat, (proto.CARD_DECOY,))
        for seat, lying in enumerate(self._lying if not event.wasted else []):
            self._hands[seat] = sorted([*self._hands[seat], *lying.values()])
            lying.clear()

    def _dropped(self, event: proto.CardsDropped) -> bool:
        hand, kept = self._hands[event.seat], self._what_is_kept(event)
        rest = list(hand)
        for card in kept:
            rest.remove(card)
        self._chances += 1
        cards = shuffled(rest, self._seed, self._chance("drop"))
        self._hands[event.seat], self._lying[event.seat] = kept, dict(enumerate(cards))
        counts = (len(cards), len(kept)) == (event.count, event.kept_count)
        return counts and list(event.cards) in ([], cards) and list(event.kept) in ([], kept)

    def _what_is_kept(self, event: proto.CardsDropped) -> Cards:
        if not event.kept_count:
            return []
        kept = next(self._kept, proto.Kept(seat=-1))
        _agree("cards_dropped", kept.seat == event.seat)
        return list(kept.cards)


def _told(told: int, card: int) -> bool:
    """Return whether a card is the one told, or none was told."""
    return told in (proto.CARD_UNSPECIFIED, card)
