"""What a log makes of a game for one viewer, counted by hand: enough to tell whether a view is of that log.

It shares nothing with the engine's projection.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct

Card = tuple[int, int]


@dataclass(frozen=True)
class Counted:
    """A game after some event."""

    round: int = 0
    trump: int = 0
    hand: frozenset[Card] = frozenset()
    held: dict[int, int] = field(default_factory=dict)
    """Cards in hand by seat."""
    won: dict[int, int] = field(default_factory=dict)
    """Tricks of the round by seat."""
    totals: tuple[int, ...] = ()
    over: bool = False


class Fold:
    """A log told to one viewer, and the game after each of its events, counted forward as it is asked for."""

    def __init__(self, viewer: int | None, log: Iterable[tables_pb2.TableEvent]) -> None:
        self._viewer = viewer
        self._left = list(log)[::-1]
        self._counted = Counted()

    def at(self, sequence: int) -> Counted:
        """Return the game after this event; ask in ascending order."""
        while self._left and self._left[-1].sequence <= sequence:
            self._counted = self._after(self._left.pop().cheez_tricks)
        return self._counted

    def _after(self, event: ct.Event) -> Counted:
        was = self._counted
        match event.WhichOneof("event"):
            case "round_started":
                return Counted(round=event.round_started.round, totals=was.totals)
            case "cards_dealt":
                dealt = event.cards_dealt
                hand = frozenset((card.suit, card.value) for card in dealt.hand)
                return replace(was, hand=hand, held=dict.fromkeys(range(5), dealt.hand_count))
            case "trump_set":
                return replace(was, trump=event.trump_set.suit)
            case "card_played":
                played = event.card_played
                card = (played.card.suit, played.card.value)
                hand = was.hand - {card} if played.seat == self._viewer else was.hand
                return replace(was, hand=hand, held={**was.held, played.seat: was.held[played.seat] - 1})
            case "trick_won":
                seat = event.trick_won.seat
                return replace(was, won={**was.won, seat: was.won.get(seat, 0) + 1})
            case "round_scored":
                return replace(was, totals=tuple(event.round_scored.totals))
            case "game_ended":
                return replace(was, over=True)
        return was


def differences(counted: Counted, view: tables_pb2.TableView) -> Iterator[str]:
    """Yield what a view says otherwise than the log up to its number."""
    game = view.cheez_tricks
    if counted.round == 0:
        return
    seats = range(len(game.seats))
    said: dict[str, tuple[object, object]] = {
        "round": (game.round, counted.round),
        "trump": (game.trump, counted.trump),
        "hand": (frozenset((card.suit, card.value) for card in game.hand), counted.hand),
        "cards in hand": ([game.seats[s].hand_count for s in seats], [counted.held.get(s, 0) for s in seats]),
        "tricks": ([game.seats[s].tricks for s in seats], [counted.won.get(s, 0) for s in seats]),
        "totals": (tuple(seat.total for seat in game.seats), counted.totals or (0,) * len(seats)),
        "over": (view.status == tables_pb2.TABLE_STATUS_FINISHED, counted.over),
    }
    for name, (shown, logged) in said.items():
        if shown != logged:
            yield f"{name} is {shown}, the log makes it {logged}"
