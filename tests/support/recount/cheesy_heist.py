"""A second opinion on finished games of Cheesy Heist, from their records alone.

Written from the rulebook and its rulings, it shares no code with the product: it lays the 75 cards out again from the
seed that was opened, follows every event, judges each by the rules, and raises an AssertionError that names the first
that is not what they make of those before it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from cheeseboard.engine.v1 import tables_pb2 as tables
from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as heist
from cheeseboard.scoring.v1 import scoring_pb2

from .heist_cards import (
    CAT,
    CHEESE,
    DECOY,
    GIFT,
    GRATER,
    MOON,
    SOAP,
    THIEF,
    VAULT,
    Chance,
    Table,
    committed,
    default_kept,
    default_take,
    same,
)
from .log import Log


@dataclass
class HeistCount:
    """What became of a game."""

    cheese: tuple[int, ...]
    cats: tuple[int, ...]
    winners: tuple[int, ...]
    places: tuple[int, ...]
    last_drop: bool
    happened: dict[str, int] = field(default_factory=dict)
    """How many events there were of each kind; wasted Defence cards count for themselves."""


def recount_heist(options: tables.TableOptions, events: Iterable[tables.TableEvent]) -> HeistCount:
    """Count a finished game again: its events from `GetRecord`, all pages, in order."""
    listed = list(events)
    replay = _Replay(options, Log(listed, "cheesy_heist"), _revealed(listed))
    return replay.play()


def assert_heist_scoreboard(counted: HeistCount, board: scoring_pb2.GetScoreboardResponse) -> None:
    """Compare the scoring service's board of a finished game with the recount."""
    (scored,) = board.rounds
    facts, points = scored.facts.cheesy_heist, [int(seat in counted.winners) for seat in range(len(counted.places))]
    assert (tuple(facts.cheese), tuple(facts.cats)) == (counted.cheese, counted.cats)
    assert facts.last_drop == counted.last_drop
    assert tuple(scored.detail.cheesy_heist.winners) == counted.winners
    assert list(scored.points) == list(scored.totals) == list(board.totals) == points
    assert tuple(board.places) == counted.places


def _revealed(events: Iterable[tables.TableEvent]) -> heist.GameRevealed:
    for event in events:
        if event.cheesy_heist.HasField("game_revealed"):
            return event.cheesy_heist.game_revealed
    raise AssertionError("the seed was never opened")


class _Replay:
    def __init__(self, options: tables.TableOptions, log: Log, revealed: heist.GameRevealed) -> None:
        self.log = log
        self.seats = options.seats
        self._game = options.game.cheesy_heist
        self._revealed = revealed
        self._kept = iter(revealed.kept)
        self._table = Table(Chance(revealed.seed), options.seats)
        self._happened: dict[str, int] = {}
        self._goal = 0

    def play(self) -> HeistCount:
        seat, turn = self._begin(), 1
        while True:
            started = self._take("turn_started")
            self.log.check((started.turn, started.seat) == (turn, seat), f"turn {turn} of seat {seat} is due")
            following = self._turn(seat)
            if following is None:
                return self._end(last_drop=False)
            if following < 0:
                return self._end(last_drop=True)
            seat, turn = following, turn + 1

    def _take(self, kind: str) -> Any:
        self.log.check(self._table.is_whole(), "the 75 cards are not all there, each once")
        event = self.log.take(kind)
        name = f"{kind}, wasted" if getattr(event, "wasted", False) else kind
        self._happened[name] = self._happened.get(name, 0) + 1
        return event

    def _begin(self) -> int:
        started, seed, default = self._take("game_started"), self._revealed.seed, 4 if self.seats == 5 else 5
        self._goal = self._game.goal if self._game.HasField("goal") else default
        self.log.check(started.goal == self._goal, f"the goal is {self._goal}")
        self.log.check(started.commitment == committed(seed), "another seed was committed to")
        drawn = Chance(seed).one(self.seats, "dealer")
        dealer = self._game.dealer if self._game.HasField("dealer") else drawn
        self.log.check(started.dealer == dealer, f"seat {dealer} deals")
        dealt = self._take("cards_dealt")
        self.log.check(not dealt.hand or list(dealt.hand) in self._table.hands, "nobody was dealt this hand")
        self.log.check((dealt.hand_count, dealt.draw_count) == (5, len(self._table.pile)), "five cards each")
        opened = [list(hand.cards) for hand in self._revealed.hands]
        self.log.check(opened == self._table.hands, "the hands are not those of the seed")
        self.log.check(list(self._revealed.draw_pile) == self._table.pile, "the draw pile is not that of the seed")
        return (dealer + 1) % self.seats

    def _turn(self, seat: int) -> int | None:
        """Follow a turn; return whose is next, None when somebody has won, -1 after the last drop."""
        table = self._table
        while True:
            kind = self.log.peek()
            if kind == "card_drawn":
                drawn, card = self._take(kind), table.pile.pop(0)
                table.gain(seat, card)
                self.log.check(drawn.seat == seat and same(drawn.card, card), f"seat {seat} draws {card}")
                return self._turn_over(seat + 1)
            if kind == "cat_played":
                self._playing(self._take(kind), seat, CAT)
                return self._window(seat, last=False)
            if kind == "last_drop_called":
                called = self._take(kind)
                self.log.check(called.seat == seat and not table.pile, "the draw pile is not empty")
                return self._window(seat, last=True)
            self._attack(kind, seat)

    def _playing(self, event: Any, seat: int, *cards: int) -> None:
        self.log.check(event.seat == seat, f"it is the turn of seat {seat}")
        self.log.check(self._table.holds(seat, *cards), f"seat {seat} does not hold {cards}")
        self._table.play(seat, *cards)

    def _attack(self, kind: str, seat: int) -> None:
        table, event = self._table, self._take(kind)
        target = event.target
        self.log.check(target != seat and 0 <= target < self.seats, f"seat {target} cannot be chosen")
        self.log.check(kind == "gift_played" or bool(table.hands[target]), "an empty hand was chosen")
        match kind:
            case "thief_played":
                self._playing(event, seat, THIEF)
                self.log.check(same(event.card, table.steal(seat, target)), "another card is stolen")
            case "grater_played":
                self._playing(event, seat, GRATER)
                cards = table.grate(target)
                self.log.check(event.count == len(cards) and list(event.cards) in ([], cards), "others are grated")
            case "gift_played":
                self._playing(event, seat, GIFT)
                self.log.check(table.holds(seat, CAT), "there is no Cat to give")
                table.lose(seat, CAT)
                table.gain(target, CAT)
            case "mirages_played":
                kinds = set(event.cards)
                is_set = len(event.cards) == 3 and len(kinds) in (1, 3) and all(MOON <= card <= SOAP for card in kinds)
                self.log.check(is_set, "these are no Mirages alike or different")
                self._playing(event, seat, *event.cards)
                self.log.check(list(event.shown) == table.hands[target], "another hand was shown")
            case _:
                self.log.check(False, "that is not played on a turn")

    def _turn_over(self, following: int) -> int | None:
        if any(self._table.wins(seat, self._goal) for seat in range(self.seats)):
            return None
        return following % self.seats

    def _window(self, seat: int, last: bool) -> int | None:
        window = _Window(self._table)
        while not window.is_closed():
            if self._reaction(window):
                return -1 if last else self._turn_over(seat + 1)
        first = seat if last else (seat + 1) % self.seats
        following = self._collection(first)
        return -1 if last else self._turn_over(following)

    def _reaction(self, window: "_Window") -> bool:
        """Follow one event of a reaction window; return whether it was a Decoy that counts."""
        kind, table = self.log.peek(), self._table
        event = self._take(kind)
        if kind == "reaction_time_ended":
            self.log.check(not window.time_over, "the least reaction time was over already")
            window.time_over = True
            return False
        if kind == "cards_dropped":
            self._dropped(event, window)
            return False
        self.log.check(kind in ("vault_played", "decoy_played"), "that does not happen in a reaction window")
        self.log.check(event.wasted == window.too_late(event.seat), f"wasted must be {not event.wasted}")
        card = VAULT if kind == "vault_played" else DECOY
        self.log.check(table.holds(event.seat, card), f"seat {event.seat} does not hold it")
        table.play(event.seat, card)
        if kind == "vault_played":
            self.log.check(event.seat not in window.vaulted, "that is the seat's second Vault")
            window.vaulted.add(event.seat)
            window.choosing |= set() if event.wasted else {event.seat}
            return False
        if not event.wasted:
            table.pick_up()
        return not event.wasted

    def _dropped(self, event: heist.CardsDropped, window: "_Window") -> None:
        seat, table = event.seat, self._table
        self.log.check(seat not in window.down and bool(table.hands[seat]), f"seat {seat} has nothing to drop")
        kept = self._what_was_kept(event)
        self.log.check(not kept or seat in window.choosing, "there is no Vault to keep cards in")
        if event.by_engine:
            due = default_kept(table.hands[seat]) if seat in window.choosing else []
            self.log.check(kept == due, f"for an absent player {due} is kept")
        self.log.check(table.holds(seat, *kept) and len(kept) <= 3, "that cannot be kept")
        cards = table.drop(seat, kept)
        self.log.check((event.count, event.kept_count) == (len(cards), len(kept)), "so many are not dropped and kept")
        self.log.check(list(event.cards) in ([], cards) and list(event.kept) in ([], kept), "other cards were dropped")
        window.down.add(seat)

    def _what_was_kept(self, event: heist.CardsDropped) -> list[int]:
        if not event.kept_count:
            return []
        opened = next(self._kept)
        self.log.check(opened.seat == event.seat, f"seat {opened.seat} kept cards next")
        return list(opened.cards)

    def _collection(self, first: int) -> int:
        """Follow a collection; return who would take the next card."""
        table, seat = self._table, first
        if any(table.lying):
            started = self._take("collection_started")
            self.log.check(started.seat == first, f"seat {first} takes first")
        while any(table.lying):
            taken = self._take("card_taken")
            self.log.check(taken.seat == seat, f"seat {seat} takes next")
            self.log.check(taken.place in table.lying[taken.owner], "no card lies there")
            if taken.by_engine:
                due = default_take(table, seat)
                self.log.check((taken.owner, taken.place) == due, f"for an absent player {due} is taken")
            card = table.lying[taken.owner].pop(taken.place)
            table.gain(seat, card)
            self.log.check(same(taken.card, card), f"it is {card}")
            seat = (seat + 1) % self.seats
        return seat

    def _end(self, last_drop: bool) -> HeistCount:
        table = self._table
        counted = self._take("hands_counted")
        self.log.check(counted.last_drop == last_drop, f"the last drop: {last_drop}")
        self.log.check([list(hand.cards) for hand in counted.hands] == table.hands, "the hands are others")
        result = self._result(last_drop)
        recorded = self._take("result_recorded")
        for seat, score in enumerate(recorded.score):
            due = (result.cheese[seat], result.cats[seat], seat in result.winners, int(seat in result.winners))
            self.log.check((score.cheese, score.cats, score.won, score.points) == due, f"seat {seat} ended otherwise")
        self._take("game_revealed")
        ended = self._take("game_ended")
        self.log.check(tuple(ended.places) == result.places, f"places are {result.places}")
        self.log.check(next(self._kept, None) is None, "more was kept than was told")
        self.log.finish()
        return result

    def _result(self, last_drop: bool) -> HeistCount:
        cheese = tuple(hand.count(CHEESE) for hand in self._table.hands)
        cats = tuple(hand.count(CAT) for hand in self._table.hands)
        free = [seat for seat in range(self.seats) if not cats[seat]]
        in_the_run = free if last_drop else [seat for seat in free if cheese[seat] >= self._goal]
        most = max((cheese[seat] for seat in in_the_run), default=0)
        winners = tuple(seat for seat in in_the_run if cheese[seat] == most)
        rank = [(seat not in winners, cats[seat] > 0, -cheese[seat]) for seat in range(self.seats)]
        places = tuple(1 + sum(other < own for other in rank) for own in rank)
        if not winners:
            places = (self.seats,) * self.seats
        return HeistCount(cheese, cats, winners, places, last_drop, self._happened)


class _Window:
    """Who has dropped in a reaction window, and whose Vault is open."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.time_over = False
        self.down: set[int] = set()
        self.vaulted: set[int] = set()
        self.choosing: set[int] = set()

    def finished(self, seat: int) -> bool:
        return self.time_over and (seat in self.down or not self._table.hands[seat])

    def too_late(self, seat: int) -> bool:
        return all(self.finished(other) for other in range(self._table.seats) if other != seat)

    def is_closed(self) -> bool:
        return all(map(self.finished, range(self._table.seats)))
