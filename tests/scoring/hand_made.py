"""Records of Cheez-Tricks written by hand: every card, winner, capture, point and place below was worked out on paper.

The functions only turn the notation into events; they know no rules beyond "clockwise".
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cheeseboard.engine.v1 import tables_pb2 as tables
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as cheez

SUITS = " SRPB"


def suit(letter: str) -> cheez.Suit.ValueType:
    """The cheese of a letter."""
    return cheez.Suit.values()[SUITS.index(letter)]


@dataclass(frozen=True)
class Round:
    """One round as it was played."""

    starter: int
    cats: tuple[str, ...]
    """"black 3", "white 2", "siamese R7", "grey 4", "grey B", "orange tricks", "tuxedo 3"."""
    hands: tuple[str, ...]
    """By seat; "S1-7 R2" is seven Swiss and a Roquefort."""
    aside: str
    trump: str
    chooser: int | None
    plays: str
    """All tricks, each in the order it was played: the leader first, then clockwise."""
    winners: tuple[int, ...]
    at_once: dict[int, list[tuple[int, list[int]]]]
    """After trick N: cat and whom it caught."""
    at_end: list[tuple[int, list[int]]]
    scores: list[tuple[int, int, int, int]]
    """By seat: tricks, cats, worth of a trick, points."""
    totals: list[int]


def cards(text: str) -> list[cheez.Card]:
    """Cards in the notation of `Round.hands`."""
    found = []
    for group in text.split():
        low, _, high = group[1:].partition("-")
        found += [cheez.Card(suit=suit(group[0]), value=v) for v in range(int(low), int(high or low) + 1)]
    return found


def cat(text: str) -> cheez.Cat:
    """A cat in the notation of `Round.cats`."""
    kind, what = text.split()
    if kind == "black":
        return cheez.Cat(black=cheez.BlackCat(trick=int(what)))
    if kind == "white":
        return cheez.Cat(white=cheez.WhiteCat(tricks=int(what)))
    if kind == "tuxedo":
        return cheez.Cat(tuxedo=cheez.TuxedoCat(tricks=int(what)))
    if kind == "siamese":
        return cheez.Cat(siamese=cheez.SiameseCat(card=cards(what)[0]))
    if what == "tricks":
        counted = cheez.Counted(tricks=cheez.CountedTricks())
    elif what in SUITS:
        counted = cheez.Counted(suit=suit(what))
    else:
        counted = cheez.Counted(value=int(what))
    return (
        cheez.Cat(grey=cheez.GreyCat(most=counted))
        if kind == "grey"
        else cheez.Cat(orange=cheez.OrangeCat(least=counted))
    )


def record(rounds: tuple[Round, ...], places: list[int]) -> list[tables.TableEvent]:
    """The record of a game, as a spectator sees it when it is over."""
    events = [cheez.Event(game_started=cheez.GameStarted(rounds=len(rounds)))]
    for number, played in enumerate(rounds, 1):
        events += _round(number, played)
    events.append(cheez.Event(game_ended=cheez.GameEnded(places=places)))
    numbered = [tables.TableEvent(sequence=5, game_opened=tables.GameOpened(game_number=1))]
    numbered += [tables.TableEvent(sequence=6 + index, cheez_tricks=event) for index, event in enumerate(events)]
    return numbered


def _round(number: int, played: Round) -> Iterator[cheez.Event]:
    hands = [cheez.Hand(cards=cards(hand)) for hand in played.hands]
    aside = cards(played.aside)
    on_table = [cat(text) for text in played.cats]
    yield cheez.Event(round_started=cheez.RoundStarted(round=number, starter=played.starter, cats=on_table))
    yield cheez.Event(cards_dealt=cheez.CardsDealt(hand_count=len(hands[0].cards), set_aside_count=len(aside)))
    yield cheez.Event(trump_set=cheez.TrumpSet(suit=suit(played.trump), seat=played.chooser))
    yield from _tricks(played, len(hands))
    yield from (_decided(index, seats) for index, seats in played.at_end)
    yield cheez.Event(round_played=cheez.RoundPlayed(round=number))
    yield cheez.Event(round_scored=cheez.RoundScored(score=_score(number, played, on_table), totals=played.totals))
    yield cheez.Event(deal_revealed=cheez.DealRevealed(round=number, hands=hands, set_aside=aside))


def _tricks(played: Round, seats: int) -> Iterator[cheez.Event]:
    lying = iter(cards(played.plays))
    leader = played.starter
    for trick, winner in enumerate(played.winners, 1):
        for turn in range(seats):
            yield cheez.Event(card_played=cheez.CardPlayed(seat=(leader + turn) % seats, card=next(lying)))
        yield cheez.Event(trick_won=cheez.TrickWon(trick=trick, seat=winner))
        yield from (_decided(index, caught) for index, caught in played.at_once.get(trick, []))
        leader = winner


def _decided(index: int, seats: list[int]) -> cheez.Event:
    return cheez.Event(cat_decided=cheez.CatDecided(cat_index=index, seats=seats))


def _score(number: int, played: Round, on_table: list[cheez.Cat]) -> cheez.RoundScore:
    decisions = dict(played.at_end) | {index: seats for some in played.at_once.values() for index, seats in some}
    return cheez.RoundScore(
        round=number,
        seats=[cheez.SeatScore(tricks=t, cats=c, points_per_trick=w, points=p) for t, c, w, p in played.scores],
        cats=[cheez.CatOnTable(cat=c, caught_seats=decisions[i], decided=True) for i, c in enumerate(on_table)],
    )


def options(seats: int, level: cheez.Level.ValueType, **more: object) -> tables.TableOptions:
    """The options of a table."""
    mine = cheez.Options(level=level, **more)  # type: ignore[arg-type]
    return tables.TableOptions(seats=seats, game=tables.GameOptions(cheez_tricks=mine))


TWO = options(2, cheez.LEVEL_WILD_CAT)
_LOW, _HIGH, _REST = "S1-7 R1-3", "P1-7 R4-6", "R7 B1-7"
TWO_ROUNDS = (
    Round(
        starter=0,
        cats=("black 3", "white 2", "tuxedo 3"),
        hands=(_LOW, _HIGH),
        aside=_REST,
        trump="B",
        chooser=None,
        plays="S1 P1 S2 P2 S3 P3 S4 P4 S5 P5 S6 P6 S7 P7 R3 R4 R5 R1 R6 R2",
        winners=(0, 0, 0, 0, 0, 0, 0, 1, 1, 1),
        at_once={2: [(1, [0])], 3: [(0, [0])]},
        at_end=[(2, [1])],
        scores=[(7, 2, 0, 0), (3, 1, 1, 3)],
        totals=[0, 3],
    ),
    # Roquefort 7 lies aside, so the Siamese catches nobody; nobody owns any Brie, so all own the least.
    Round(
        starter=1,
        cats=("siamese R7", "grey tricks", "orange B"),
        hands=(_LOW, _HIGH),
        aside=_REST,
        trump="P",
        chooser=0,
        plays="P7 S1 P6 S2 P5 S3 R4 R1 R5 R2 R6 R3 P4 S4 P3 S5 P2 S6 P1 S7",
        winners=(1,) * 10,
        at_once={},
        at_end=[(0, []), (1, [1]), (2, [1, 0])],
        scores=[(0, 1, 1, 0), (10, 2, 0, 0)],
        totals=[0, 3],
    ),
    # Seat 0 cannot follow in tricks 2 and 7 and trumps. Of the fours, seat 1 took one and seat 0 two.
    Round(
        starter=0,
        cats=("grey 4", "orange tricks", "black 10"),
        hands=(_LOW, _HIGH),
        aside=_REST,
        trump="S",
        chooser=0,
        plays="R1 R4 P1 S1 S2 P2 S3 P3 S4 P4 R2 R5 P5 S5 S6 P6 S7 P7 R3 R6",
        winners=(1, 0, 0, 0, 0, 1, 0, 0, 0, 1),
        at_once={10: [(2, [1])]},
        at_end=[(0, [0]), (1, [1])],
        scores=[(7, 1, 1, 7), (3, 2, 0, 0)],
        totals=[7, 3],
    ),
    # 11 : 11, and the best single round is seat 1's 8 against 7.
    Round(
        starter=1,
        cats=("black 8", "tuxedo 4", "siamese B7"),
        hands=("S1-7 R1 R4-5", "P1-7 R2-3 R6"),
        aside=_REST,
        trump="B",
        chooser=1,
        plays="P7 S1 P6 S2 P5 S3 P4 S4 P3 S5 P2 S6 R6 R1 P1 S7 R2 R4 R5 R3",
        winners=(1, 1, 1, 1, 1, 1, 1, 1, 0, 0),
        at_once={8: [(0, [1])]},
        at_end=[(1, []), (2, [])],
        scores=[(2, 0, 2, 4), (8, 1, 1, 8)],
        totals=[11, 11],
    ),
)
TWO_PLACES = [2, 1]

THREE = options(3, cheez.LEVEL_HOUSE_CAT, starting_seat=2)
THREE_ROUNDS = (
    # Of the ones, seat 2 took Roquefort and seat 0 the other three.
    Round(
        starter=2,
        cats=("white 3", "grey 1", "tuxedo 3"),
        hands=("S1-9 R1-3", "P1-9 R4-6", "B1-9 R7-9"),
        aside="",
        trump="S",
        chooser=None,
        plays="R7 R1 R4 R8 R2 R5 R9 R3 R6 B1 S1 P1 S2 P2 B2 S3 P3 B3 S4"
        " P4 B4 S5 P5 B5 S6 P6 B6 S7 P7 B7 S8 P8 B8 S9 P9 B9",
        winners=(2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        at_once={3: [(0, [2])]},
        at_end=[(1, [0]), (2, [2])],
        scores=[(9, 1, 1, 9), (0, 0, 2, 0), (3, 2, 0, 0)],
        totals=[9, 0, 0],
    ),
    # Seats 1 and 2 tie for the fewest points; seat 2 is farther from the starter, seat 0. Seat 1 confronts all cats.
    Round(
        starter=0,
        cats=("black 5", "siamese P7", "grey tricks"),
        hands=("S1-9 R1-3", "P1-9 R4-6", "B1-9 R7-9"),
        aside="",
        trump="P",
        chooser=2,
        plays="S1 P1 B1 R4 R7 R1 R8 R2 R5 R9 R3 R6 B2 S2 P2 P3 B3 S3 P4"
        " B4 S4 P5 B5 S5 P6 B6 S6 P7 B7 S7 P8 B8 S8 P9 B9 S9",
        winners=(1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1),
        at_once={5: [(0, [1])], 10: [(1, [1])]},
        at_end=[(2, [1])],
        scores=[(0, 0, 2, 0), (9, 3, 3, 27), (3, 0, 2, 6)],
        totals=[9, 27, 6],
    ),
    # Seats 0 and 2 end with 15 points and a best round of 9 each: they share the second place.
    Round(
        starter=1,
        cats=("tuxedo 4", "black 4", "tuxedo 2"),
        hands=("S1-9 R7-9", "P1-9 R4-6", "B1-9 R1-3"),
        aside="",
        trump="B",
        chooser=2,
        plays="R4 R1 R7 R8 R5 R2 R9 R6 R3 S1 P1 B1 B2 S2 P2 B3 S3 P3 B4"
        " S4 P4 B5 S5 P5 B6 S6 P6 B7 S7 P7 B8 S8 P8 B9 S9 P9",
        winners=(0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2),
        at_once={4: [(1, [2])]},
        at_end=[(0, []), (2, [])],
        scores=[(3, 0, 2, 6), (0, 0, 2, 0), (9, 1, 1, 9)],
        totals=[15, 27, 15],
    ),
)
THREE_PLACES = [2, 1, 2]
