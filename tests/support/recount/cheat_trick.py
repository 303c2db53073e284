"""A recorded game of Cheat Trick laid out again, every event judged by the article and its rulings.

Cards are (suit, value), suits 1 to 4 as on the wire, values 1 to 14; the fool is (5, 0).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from cheeseboard.engine.v1 import tables_pb2 as tables
from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as cheat
from cheeseboard.scoring.v1 import scoring_pb2

from .counts import totals_of
from .log import Log

Card = tuple[int, int]
FOOL: Card = (5, 0)
PACK = sorted([(suit, value) for suit in (1, 2, 3, 4) for value in range(1, 15)] + [FOOL])
PACKET, WHOLE, ROUNDS = {3: 9, 4: 7}, {3: 19, 4: 14}, {3: 3, 4: 4}
MOST_DEALS = 6
MATERNAL = ["10", "9", "8", "7", "6", "5", "4", "3", "2", "1", "12", "11", "14", "13"]
"""Values of a red suit from its lowest to its highest."""


@dataclass(frozen=True)
class CheatRound:
    """One round, counted, by seat."""

    bids: tuple[int, ...]
    passed: tuple[int, ...]
    taken: tuple[int, ...]
    counted: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True)
class CheatCount:
    """What the scoreboard of the game must say."""

    rounds: tuple[CheatRound, ...]
    totals: tuple[int, ...]
    places: tuple[int, ...]


@dataclass
class _Round:
    """What is known of the round that is played."""

    dealer: int
    hands: list[set[Card]]
    trump: int = 0
    calls: list[tuple[int, int | None]] = field(default_factory=list)
    tricks: list[list[tuple[int, Card]]] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    reneges: set[tuple[int, int]] = field(default_factory=set)
    knocked: set[tuple[int, int]] = field(default_factory=set)
    accusations: list[tuple[int, int, int, bool]] = field(default_factory=list)


def recount_cheat_trick(options: tables.TableOptions, log: Log) -> CheatCount:
    """Count a finished game again; raises AssertionError for the first event that the rules would not have made."""
    game = _Replay(options, log)
    started = log.take("game_started")
    log.check(started.rounds == ROUNDS[game.seats], f"the game has {ROUNDS[game.seats]} rounds")
    for number in range(1, started.rounds + 1):
        game.play_round(number)
    opened = log.take("vetoed_deals_revealed")
    log.check([(deal.round, deal.deal) for deal in opened.deals] == game.vetoed, "not the vetoed deals are opened")
    totals = totals_of(game.rounds)
    order = sorted(totals, reverse=True)
    places = tuple(order.index(total) + 1 for total in totals)
    log.check(tuple(log.take("game_ended").places) == places, f"places are {places}")
    log.finish()
    return CheatCount(tuple(game.rounds), totals, places)


def assert_cheat_scoreboard(counted: CheatCount, board: scoring_pb2.GetScoreboardResponse) -> None:
    """Compare the scoring service's board of a finished game with the recount."""
    assert len(board.rounds) == len(counted.rounds)
    for number, (scored, mine) in enumerate(zip(board.rounds, counted.rounds, strict=True), 1):
        facts, seats = scored.facts.cheat_trick, scored.detail.cheat_trick.seats
        assert scored.round == number
        assert tuple(scored.points) == mine.points, f"round {number}: points {mine.points}, not {scored.points}"
        assert tuple(scored.totals) == totals_of(counted.rounds[:number])
        assert (tuple(facts.bids), tuple(facts.pass_order), tuple(facts.tricks)) == (mine.bids, mine.passed, mine.taken)
        assert tuple(seat.tricks for seat in seats) == mine.counted
    assert (tuple(board.totals), tuple(board.places)) == (counted.totals, counted.places)


class _Replay:
    def __init__(self, options: tables.TableOptions, log: Log) -> None:
        self.log, self.seats = log, int(options.seats)
        self.options = options.game.cheat_trick
        self.rounds: list[CheatRound] = []
        self.vetoed: list[tuple[int, int]] = []
        self._vetoes = [0] * self.seats
        self._dealer = self.options.dealer if self.options.HasField("dealer") else None
        self._deals = {deal.round: deal for deal in log.deals()}

    def play_round(self, number: int) -> None:
        """Take all events of a round and count it."""
        started = self.log.take("round_started")
        self.log.check(started.round == number, f"round {number} is due")
        if self._dealer is not None:
            self.log.check(started.dealer == self._dealer, f"seat {self._dealer} deals")
        first = self._right(started.dealer)
        self.log.check(started.first == first, f"seat {first} begins")
        self._dealer = first
        self.log.check(number in self._deals, f"the deal of round {number} is nowhere revealed")
        hands = [{_card(card) for card in hand.cards} for hand in self._deals[number].hands]
        self._round = _Round(int(started.dealer), hands)
        self._deal(number)
        self._bid()
        while len(self._round.winners) < WHOLE[self.seats]:
            self._play_trick()
        self.log.check(not any(self._round.hands), "cards are left in hands")
        self._score(number)

    def _right(self, seat: int) -> int:
        return (seat - 1) % self.seats

    def _voters(self) -> list[int]:
        order = [(self._round.dealer - step) % self.seats for step in range(1, self.seats + 1)]
        return order if self.seats == 3 else order[:-1]

    def _deal(self, number: int) -> None:
        deal = 1
        while not self._deal_once(number, deal):
            self.vetoed.append((number, deal))
            deal += 1
        self.log.check(self._deals[number].deal == deal, f"deal {deal} was played, another one is revealed")
        completed, opened = self.log.take("deal_completed"), self._deals[number]
        face_up = [_card(completed.turned_up)] if self.seats == 4 else [_card(card) for card in completed.open_cards]
        lying = [card for hand in self._round.hands for card in hand]
        self.log.check(sorted(lying + (face_up if self.seats == 4 else [])) == PACK, "the deal is not the whole pack")
        self.log.check({len(hand) for hand in self._round.hands} == {WHOLE[self.seats]}, "hands are of unequal size")
        if self.seats == 4:
            self.log.check(opened.turned_up == completed.turned_up, "another card was turned up")
        else:
            there = all(card in hand for card, hand in zip(face_up, self._round.hands, strict=True))
            self.log.check(there, "a card that was dealt face up is in no hand")
        sets = face_up[0 if self.seats == 4 else self._round.dealer]
        self._round.trump = 0 if sets == FOOL else sets[0]
        self.log.check(completed.trump == self._round.trump, f"{sets} sets trump")
        own = {_card(card) for card in completed.hand}
        self.log.check(not own or own in self._round.hands, "the viewer's hand is not what is revealed")

    def _deal_once(self, number: int, deal: int) -> bool:
        """Take one deal and its votes; return whether it is played."""
        packet = self.log.take("packet_dealt")
        self.log.check((packet.deal, packet.hand_count) == (deal, PACKET[self.seats]), f"deal {deal} is due")
        if self.options.simplified or deal == MOST_DEALS:
            return True
        for voter in self._voters():
            said: set[tuple[int, int]] = set()
            while self.log.peek() == "declared":
                declared = self.log.take("declared")
                words = (int(declared.phrase), int(declared.suit))
                self.log.check(declared.seat == voter and words not in said, f"seat {voter} says each thing once")
                said.add(words)
            vote = self.log.take("voted")
            self.log.check(vote.seat == voter, f"seat {voter} votes now")
            if vote.veto:
                self._vetoes[voter] += 1
                allowed = self.options.no_veto_limit or self._vetoes[voter] <= self.options.veto_limit
                self.log.check(allowed and not vote.by_engine, f"seat {voter} has no veto")
                return False
        return True

    def _bid(self) -> None:
        calls, seat = self._round.calls, self._right(self._round.dealer)
        most = WHOLE[self.seats]
        while len(passed := [caller for caller, bid in calls if bid is None]) < self.seats:
            while seat in passed:
                seat = self._right(seat)
            standing = max([bid for _, bid in calls if bid is not None], default=1)
            alone = len(passed) == self.seats - 1
            had_its_turn = alone and bool(calls) and calls[-1] == (seat, standing)
            if had_its_turn or standing == most or self.log.peek() == "passed":
                call = self.log.take("passed")
                self.log.check(call.by_engine or not (had_its_turn or standing == most), "that pass was the engine's")
                calls.append((seat, None))
            else:
                call = self.log.take("bid_raised")
                self.log.check(standing < call.tricks <= most, f"a bid is above {standing} and up to {most}")
                calls.append((seat, int(call.tricks)))
            self.log.check(call.seat == seat, f"seat {seat} bids now, not {call.seat}")
            seat = self._right(seat)
        ended = self.log.take("bidding_ended")
        self.log.check(tuple(ended.bids) == self._bids(), f"bids are {self._bids()}")
        self.log.check(tuple(ended.pass_order) == self._passed(), f"they passed as {self._passed()}")

    def _bids(self) -> tuple[int, ...]:
        calls = self._round.calls
        return tuple(
            max([bid for caller, bid in calls if caller == seat and bid], default=1) for seat in range(self.seats)
        )

    def _passed(self) -> tuple[int, ...]:
        return tuple(caller for caller, bid in self._round.calls if bid is None)

    def _play_trick(self) -> None:
        now = self._round
        leader = now.winners[-1] if now.winners else self._right(now.dealer)
        trick: list[tuple[int, Card]] = []
        now.tricks.append(trick)
        for step in range(self.seats):
            self._beside()
            self._play((leader - step) % self.seats, trick)
        won = self.log.take("trick_won")
        winner = self._taker(trick)
        self.log.check(
            (won.trick, won.seat) == (len(now.tricks), winner), f"seat {winner} takes trick {len(now.tricks)}"
        )
        now.winners.append(winner)

    def _play(self, seat: int, trick: list[tuple[int, Card]]) -> None:
        played, hand = self.log.take("card_played"), self._round.hands[seat]
        card = _card(played.card)
        self.log.check(played.seat == seat, f"it is the turn of seat {seat}")
        self.log.check(card in hand, f"seat {seat} does not hold {card}")
        led = next((suit for _, (suit, _) in trick if suit != FOOL[0]), None)
        follows = {held for held in hand if led in (None, held[0])} - {FOOL}
        honest = (follows or hand) | ({FOOL} & hand)
        if card not in honest:
            self.log.check(self.options.reneging == cheat.RENEGING_CATCHABLE, f"seat {seat} must follow suit")
            self._round.reneges.add((len(self._round.tricks), seat))
        if played.by_engine:
            due = min(honest, key=lambda held: (held == FOOL, held[0] == self._round.trump, self._rank(held), held[0]))
            self.log.check(card == due, f"for an absent player {due} is played, not {card}")
        hand.remove(card)
        trick.append((seat, card))

    def _rank(self, card: Card) -> int:
        red = card[0] in (2, 3)
        return 1 + MATERNAL.index(str(card[1])) if self.options.maternal_suits and red else card[1]

    def _taker(self, trick: Sequence[tuple[int, Card]]) -> int:
        able = [(seat, card) for seat, card in trick if card != FOOL]
        trumps = [play for play in able if play[1][0] == self._round.trump]
        led = [play for play in able if play[1][0] == able[0][1][0]]
        return max(trumps or led, key=lambda play: self._rank(play[1]))[0]

    def _beside(self) -> None:
        """Take what stands beside the turn."""
        while self.log.peek() in ("knocked", "accusation_made"):
            if self.log.peek() == "accusation_made":
                self._accuse()
                continue
            knock, number = self.log.take("knocked"), len(self._round.tricks)
            self.log.check(self._round.trump != 0 and knock.trick == number, f"a knock in trick {number}")
            self.log.check(
                (number, knock.seat) not in self._round.knocked, f"seat {knock.seat} knocks twice in a trick"
            )
            self._round.knocked.add((number, knock.seat))

    def _accuse(self) -> None:
        made, now = self.log.take("accusation_made"), self._round
        self.log.check(self.options.reneging == cheat.RENEGING_CATCHABLE, "nobody can renege here")
        self.log.check(self._may_accuse(made.accuser), f"seat {made.accuser} was wrong before")
        self.log.check(not self._friends(made.accuser, made.seat), "nobody accuses its own side")
        there = 1 <= made.trick <= len(now.tricks) and made.seat in [seat for seat, _ in now.tricks[made.trick - 1]]
        self.log.check(there, "that play was not made")
        spent = any(right and (trick, seat) == (made.trick, made.seat) for _, seat, trick, right in now.accusations)
        self.log.check(not spent, "that play is spent")
        right = (made.trick, made.seat) in now.reneges
        self.log.check(made.right == right, f"the verdict is {right}")
        now.accusations.append((made.accuser, made.seat, made.trick, right))

    def _may_accuse(self, seat: int) -> bool:
        return not any(accuser == seat and not right for accuser, _, _, right in self._round.accusations)

    def _friends(self, seat: int, other: int) -> bool:
        return seat == other or (self.options.teams and seat % 2 == other % 2)

    def _last_question(self, tricks: list[int]) -> None:
        self._last_accusations()
        settled, gave = self.log.take("tricks_settled"), []
        for accuser, seat, _, right in self._round.accusations:
            gave.append(right and tricks[seat] > 0)
            tricks[seat] -= gave[-1]
            tricks[accuser] += gave[-1]
        self.log.check(list(settled.gave) == gave and list(settled.tricks) == tricks, f"{gave} move, to {tricks}")

    def _last_accusations(self) -> None:
        self.log.take("last_question_asked")
        done: set[int] = set()
        while self.log.peek() in ("accusation_made", "accusing_done"):
            if self.log.peek() == "accusation_made":
                self._accuse()
                self.log.check(self._round.accusations[-1][0] not in done, "who is done accuses nobody")
            else:
                seat = self.log.take("accusing_done").seat
                self.log.check(seat not in done and self._may_accuse(seat), f"seat {seat} was not asked")
                done.add(seat)
        left = [seat for seat in range(self.seats) if self._may_accuse(seat) and seat not in done]
        self.log.check(not left, f"{left} may still accuse")

    def _splits(self, tricks: list[int]) -> None:
        """Have each team's word, or its best split, counted."""
        self.log.take("splits_asked")
        silent: set[int] = set()
        said: dict[int, tuple[int, ...]] = {}
        while len(said) < 2:
            if self.log.peek() == "split_left":
                silent.add(self.log.take("split_left").seat)
                continue
            split = self.log.take("tricks_split")
            pair = (split.team, split.team + 2)
            self.log.check(split.team in (0, 1) and split.team not in said, "a team speaks once")
            possible = self._possible(tricks, pair)
            found = tuple(split.tricks)
            if split.HasField("seat"):
                self.log.check(split.seat in pair and split.seat not in silent, "somebody else speaks")
                self.log.check(found in possible, f"one of {possible}")
            elif found:
                self.log.check(possible == [found], "nobody said so")
            else:
                self.log.check(set(pair) <= silent, "somebody may still speak")
                found = max(possible, key=lambda each: self._own(each[0], pair[0]) + self._own(each[1], pair[1]))
            said[split.team] = found
        for team, found in said.items():
            tricks[team], tricks[team + 2] = found

    def _possible(self, tricks: Sequence[int], pair: tuple[int, int]) -> list[tuple[int, ...]]:
        total, bids = tricks[pair[0]] + tricks[pair[1]], self._bids()
        kept = (
            [0, 0] if self.options.split == cheat.SPLIT_RULE_ANY else [min(tricks[seat], bids[seat]) for seat in pair]
        )
        return [(one, total - one) for one in range(total + 1) if one >= kept[0] and total - one >= kept[1]]

    def _own(self, tricks: int, seat: int) -> int:
        return (tricks - self._bids()[seat]) * (self._passed().index(seat) + 1)

    def _score(self, number: int) -> None:
        taken = [self._round.winners.count(seat) for seat in range(self.seats)]
        tricks = list(taken)
        if self.options.reneging == cheat.RENEGING_CATCHABLE:
            self._last_question(tricks)
        if self.options.teams:
            self._splits(tricks)
        self.log.check(self.log.take("round_played").round == number, f"round {number} was played")
        own = [self._own(tricks[seat], seat) for seat in range(self.seats)]
        points = [own[seat] + own[(seat + 2) % 4] for seat in range(4)] if self.options.teams else own
        self.rounds.append(CheatRound(self._bids(), self._passed(), tuple(taken), tuple(tricks), tuple(points)))
        scored = self.log.take("round_scored")
        found = [
            (seat.bid, seat.trick_value, seat.won, seat.counted, seat.own_points, seat.points)
            for seat in scored.score.seats
        ]
        passed, bids = self._passed(), self._bids()
        due = [(bids[s], passed.index(s) + 1, taken[s], tricks[s], own[s], points[s]) for s in range(self.seats)]
        self.log.check(found == due, f"scores are {due}, not {found}")
        self.log.check(tuple(scored.totals) == totals_of(self.rounds), f"totals are {totals_of(self.rounds)}")
        self.log.check(self.log.take("deal_revealed").round == number, f"the deal of round {number} is due")


def _card(card: cheat.Card) -> Card:
    return int(card.suit), int(card.value)
