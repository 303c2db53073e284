"""A recorded game laid out again, round by round, every event judged by the rules."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cheeseboard.engine.v1 import tables_pb2 as tables
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as cheez

from .cards import HAND, HIGHEST, SUITS, Card, Table, Trick, as_card, best, default_card, default_trump
from .cats import Cat, as_cat, caught_at_end, caught_at_once, usable_cats
from .counts import WORTH, RoundCount, chooser, totals_of
from .log import Log


class CatOnTable(NamedTuple):
    """A cat of the round; `caught` is None until it is decided."""

    cat: Cat
    caught: tuple[int, ...] | None


class Replay:
    """What is known of the game so far, from the events taken so far."""

    def __init__(self, options: tables.TableOptions, log: Log) -> None:
        self.log = log
        self.seats = options.seats
        self.rounds: list[RoundCount] = []
        mine = options.game.cheez_tricks
        self._starter = mine.starting_seat if mine.HasField("starting_seat") else None
        self._usable = usable_cats(options)
        self._cats_left = set(self._usable)
        self._deals = {deal.round: deal for deal in log.deals()}
        self._viewers = set(range(options.seats))
        """Seats whose eyes the record may have been read with; it shows one hand or none."""

    def play_round(self, number: int) -> None:
        """Take all events of a round and count it."""
        starter = self._begin(number)
        self._cats = [CatOnTable(cat, None) for cat in self._draw_cats()]
        self._table = self._deal(number, starter)
        self._trump = self._set_trump(number)
        for trick in range(1, HAND[self.seats] + 1):
            self._play_trick(trick)
        self._decide_the_rest()
        played = self.log.take("round_played")
        self.log.check(played.round == number, f"round {number} was played, not {played.round}")
        self._score(number)

    def _begin(self, number: int) -> int:
        started = self._started = self.log.take("round_started")
        self.log.check(started.round == number, f"round {number} is due, not {started.round}")
        self.log.check(0 <= started.starter < self.seats, f"there is no seat {started.starter} to start")
        if self._starter is not None:
            self.log.check(started.starter == self._starter, f"seat {self._starter} starts, not {started.starter}")
        # The token passes to the left every round, whoever won.
        self._starter = (started.starter + 1) % self.seats
        return int(started.starter)

    def _draw_cats(self) -> list[Cat]:
        cats = [as_cat(cat) for cat in self._started.cats]
        self.log.check(len(cats) == 3, f"three cats lie open, not {len(cats)}")
        self.log.check(len(set(cats)) == 3, f"a cat lies there twice: {cats}")
        if len(self._cats_left) < 3:
            self._cats_left = set(self._usable)
        strays = set(cats) - self._cats_left
        self.log.check(not strays, f"not in the deck of cats any more, or never: {sorted(map(str, strays))}")
        self._cats_left -= set(cats)
        return cats

    def _deal(self, number: int, starter: int) -> Table:
        dealt = self.log.take("cards_dealt")
        self.log.check(number in self._deals, f"the deal of round {number} is nowhere revealed")
        deal = self._deals[number]
        hands = [[as_card(card) for card in hand.cards] for hand in deal.hands]
        aside = [as_card(card) for card in deal.set_aside]
        deck = [Card(suit, value) for suit in SUITS for value in range(1, HIGHEST[self.seats] + 1)]
        self.log.check(len(hands) == self.seats, f"{len(hands)} hands were dealt to {self.seats} seats")
        size = HAND[self.seats]
        for seat, hand in enumerate(hands):
            self.log.check(len(hand) == size, f"seat {seat} was dealt {len(hand)} cards, not {size}")
        everything = [card for hand in hands for card in hand] + aside
        self.log.check(sorted(everything) == sorted(deck), f"the deal of round {number} is not the whole deck")
        self.log.check(dealt.hand_count == size, f"{size} cards a hand, not {dealt.hand_count}")
        self.log.check(dealt.set_aside_count == len(aside), f"{len(aside)} set aside, not {dealt.set_aside_count}")
        self._match_viewer([as_card(card) for card in dealt.hand], hands)
        table = Table([set(hand) for hand in hands], frozenset(aside), frozenset(deck), starter)
        table.account(self.log)
        return table

    def _match_viewer(self, shown: Sequence[Card], hands: Sequence[Sequence[Card]]) -> None:
        if shown:
            self._viewers &= {seat for seat, hand in enumerate(hands) if sorted(hand) == sorted(shown)}
            self.log.check(bool(self._viewers), "the hand shown at the deal is not what was revealed later")

    def _set_trump(self, number: int) -> int:
        trump = self.log.take("trump_set")
        self.log.check(trump.suit in SUITS, f"{trump.suit} is no suit")
        if number == 1:
            self.log.check(not trump.HasField("seat") and not trump.by_engine, "trump of round 1 is drawn, not chosen")
            return int(trump.suit)
        seat = chooser(totals_of(self.rounds), self._table.starter)
        self.log.check(trump.HasField("seat") and trump.seat == seat, f"seat {seat} chooses trump")
        if trump.by_engine:
            due = default_trump(self._table.hands[seat])
            self.log.check(trump.suit == due, f"for an absent player {due} is named, not {trump.suit}")
        return int(trump.suit)

    def _play_trick(self, number: int) -> None:
        table = self._table
        for _ in range(self.seats):
            self._play_card()
        won = self.log.take("trick_won")
        winner = best(table.trick, self._trump)
        self.log.check(won.trick == number, f"trick {number} is complete, not {won.trick}")
        self.log.check(won.seat == winner, f"seat {winner} wins trick {number}, not {won.seat}")
        table.tricks.append(Trick(winner, tuple(card for _, card in table.trick)))
        table.trick = []
        table.account(self.log)
        for index, (cat, caught) in enumerate(self._cats):
            if caught is None and caught_at_once(cat, table.tricks):
                self._decide(index, [winner])

    def _play_card(self) -> None:
        played = self.log.take("card_played")
        table, card, seat = self._table, as_card(played.card), self._table.turn()
        self.log.check(played.seat == seat, f"it is the turn of seat {seat}, not {played.seat}")
        self.log.check(card in table.hands[seat], f"seat {seat} does not hold {card}")
        playable = table.playable(seat)
        self.log.check(card in playable, f"seat {seat} must follow suit and played {card}")
        if played.by_engine:
            due = default_card(playable, self._trump)
            self.log.check(card == due, f"for an absent player {due} is played, not {card}")
        table.hands[seat].remove(card)
        table.trick.append((seat, card))
        table.account(self.log)

    def _decide_the_rest(self) -> None:
        """After the last trick every cat that is still open is decided; each kind in the order they lie."""
        while self.log.peek() == "cat_decided":
            index = self._take_decision()
            cat = self._cats[index]
            self.log.check(cat.caught is None, f"cat {index} was decided before")
            earlier = [other for other in self._cats[:index] if other.caught is None]
            skipped = [other.cat for other in earlier if _same_time(other.cat, cat.cat)]
            self.log.check(not skipped, f"{skipped} lie before cat {index} and are not decided yet")
            self._judge(index, self._clockwise(caught_at_end(cat.cat, self._table.tricks, self.seats)))
        open_still = [cat.cat for cat in self._cats if cat.caught is None]
        self.log.check(not open_still, f"the round ends without a word about {open_still}")

    def _decide(self, index: int, seats: Sequence[int]) -> None:
        decided = self._take_decision()
        self.log.check(decided == index, f"cat {index} is to be decided now, not {decided}")
        self._judge(index, seats)

    def _take_decision(self) -> int:
        self._decision = self.log.take("cat_decided")
        index = int(self._decision.cat_index)
        self.log.check(0 <= index < len(self._cats), f"there is no cat {index}")
        return index

    def _judge(self, index: int, seats: Sequence[int]) -> None:
        cat, found = self._cats[index].cat, list(self._decision.seats)
        self.log.check(found == list(seats), f"{cat} catches {list(seats)}, not {found}")
        self._cats[index] = CatOnTable(cat, tuple(seats))

    def _clockwise(self, seats: Iterable[int]) -> list[int]:
        return sorted(seats, key=lambda seat: (seat - self._table.starter) % self.seats)

    def _score(self, number: int) -> None:
        """The round's scores and its revealed deal come in either order."""
        caught = tuple(frozenset(cat.caught or ()) for cat in self._cats)
        tricks = tuple(self._table.won(seat) for seat in range(self.seats))
        worth = [WORTH[sum(seat in seats for seats in caught)] for seat in range(self.seats)]
        points = tuple(won * each for won, each in zip(tricks, worth, strict=True))
        self.log.check(not any(self._table.hands), "cards are left in hands")
        self.rounds.append(RoundCount(tricks, caught, points))
        if self.log.peek() == "deal_revealed":
            self._take_reveal(number)
            self._check_scores(number, self.log.take("round_scored"))
        else:
            self._check_scores(number, self.log.take("round_scored"))
            self._take_reveal(number)

    def _take_reveal(self, number: int) -> None:
        deal = self.log.take("deal_revealed")
        self.log.check(deal.round == number, f"the deal of round {number} is revealed, not {deal.round}")

    def _check_scores(self, number: int, scored: cheez.RoundScored) -> None:
        mine, check = self.rounds[-1], self.log.check
        check(scored.score.round == number, f"round {number} is scored, not {scored.score.round}")
        check(len(scored.score.seats) == self.seats, f"scores for {len(scored.score.seats)} seats")
        for seat, shown in enumerate(scored.score.seats):
            cats = mine.cats(seat)
            expected = (mine.tricks[seat], cats, WORTH[cats], mine.points[seat])
            found = (shown.tricks, shown.cats, shown.points_per_trick, shown.points)
            check(found == expected, f"seat {seat} has (tricks, cats, worth, points) {expected}, not {found}")
        expected_cats = [(cat.cat, frozenset(cat.caught or ()), True) for cat in self._cats]
        found_cats = [(as_cat(cat.cat), frozenset(cat.caught_seats), cat.decided) for cat in scored.score.cats]
        check(found_cats == expected_cats, f"the scored cats are {expected_cats}, not {found_cats}")
        totals = totals_of(self.rounds)
        check(tuple(scored.totals) == totals, f"totals are {totals}, not {tuple(scored.totals)}")


def _same_time(one: Cat, other: Cat) -> bool:
    at_once = ("black", "white", "siamese")
    return (one[0] in at_once) == (other[0] in at_once)
