"""What happens in Cheat Trick, on the wire."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as pb
from engine_service.rules.games.cheat_trick.events import (
    AccusationMade,
    AccusingDone,
    BiddingEnded,
    BidRaised,
    CardPlayed,
    DealRevealed,
    Declared,
    GameEnded,
    Knocked,
    LastQuestionAsked,
    Passed,
    RoundScored,
    RoundStarted,
    SplitLeft,
    SplitsAsked,
    TricksSettled,
    TricksSplit,
    TrickWon,
    VetoedDealsRevealed,
    Voted,
)
from engine_service.rules.games.cheat_trick.state import Accusation, Declaration, KnockMade, RoundScore
from engine_service.rules.games.cheat_trick.views import (
    DealCompletedSeen,
    GameStartedSeen,
    PacketDealtSeen,
    RoundPlayedSeen,
    Seen,
)

from .cheat_trick_cards import card_out, cards_out, suit_out


def event_out(event: Seen) -> pb.Event:
    return _EVENTS[type(event)](event)


def declared_out(declared: Declared | Declaration) -> pb.Declared:
    phrase = pb.Phrase.ValueType(declared.phrase)  # Phrases have the same numbers on both sides.
    return pb.Declared(seat=declared.seat, phrase=phrase, suit=suit_out(declared.suit))


def knocked_out(knock: Knocked | KnockMade) -> pb.Knocked:
    return pb.Knocked(trick=knock.trick, seat=knock.seat)


def accusation_out(made: AccusationMade | Accusation) -> pb.AccusationMade:
    return pb.AccusationMade(accuser=made.accuser, seat=made.seat, trick=made.trick, right=made.right)


@lru_cache(maxsize=1024)
def round_score_out(score: RoundScore) -> pb.RoundScore:
    """Return a scored round's message, shared: every later view of the game holds it."""
    seats = [
        pb.SeatScore(
            bid=seat.bid,
            trick_value=seat.trick_value,
            won=seat.won,
            counted=seat.counted,
            own_points=seat.own_points,
            points=seat.points,
        )
        for seat in score.seats
    ]
    return pb.RoundScore(round=score.round, seats=seats)


def _game_started(event: GameStartedSeen) -> pb.Event:
    return pb.Event(game_started=pb.GameStarted(rounds=event.rounds))


def _round_started(event: RoundStarted) -> pb.Event:
    return pb.Event(round_started=pb.RoundStarted(round=event.round, dealer=event.dealer, first=event.first))


def _packet_dealt(event: PacketDealtSeen) -> pb.Event:
    return pb.Event(
        packet_dealt=pb.PacketDealt(
            deal=event.deal, commitment=event.commitment, hand=cards_out(event.hand), hand_count=event.hand_count
        )
    )


def _declared(event: Declared) -> pb.Event:
    return pb.Event(declared=declared_out(event))


def _voted(event: Voted) -> pb.Event:
    return pb.Event(voted=pb.Voted(seat=event.seat, veto=event.veto, by_engine=event.by_engine))


def _deal_completed(event: DealCompletedSeen) -> pb.Event:
    return pb.Event(
        deal_completed=pb.DealCompleted(
            hand=cards_out(event.hand),
            hand_count=event.hand_count,
            turned_up=card_out(event.turned_up),
            open_cards=cards_out(event.open_cards),
            trump=suit_out(event.trump),
        )
    )


def _bid_raised(event: BidRaised) -> pb.Event:
    return pb.Event(bid_raised=pb.BidRaised(seat=event.seat, tricks=event.tricks))


def _passed(event: Passed) -> pb.Event:
    return pb.Event(passed=pb.Passed(seat=event.seat, by_engine=event.by_engine))


def _bidding_ended(event: BiddingEnded) -> pb.Event:
    return pb.Event(bidding_ended=pb.BiddingEnded(bids=event.bids, pass_order=event.pass_order))


def _card_played(event: CardPlayed) -> pb.Event:
    return pb.Event(card_played=pb.CardPlayed(seat=event.seat, card=card_out(event.card), by_engine=event.by_engine))


def _trick_won(event: TrickWon) -> pb.Event:
    return pb.Event(trick_won=pb.TrickWon(trick=event.trick, seat=event.seat))


def _knocked(event: Knocked) -> pb.Event:
    return pb.Event(knocked=knocked_out(event))


def _accusation_made(event: AccusationMade) -> pb.Event:
    return pb.Event(accusation_made=accusation_out(event))


def _last_question_asked(event: LastQuestionAsked) -> pb.Event:
    return pb.Event(last_question_asked=pb.LastQuestionAsked())


def _accusing_done(event: AccusingDone) -> pb.Event:
    return pb.Event(accusing_done=pb.AccusingDone(seat=event.seat, by_engine=event.by_engine))


def _tricks_settled(event: TricksSettled) -> pb.Event:
    return pb.Event(tricks_settled=pb.TricksSettled(tricks=event.tricks, gave=event.gave))


def _splits_asked(event: SplitsAsked) -> pb.Event:
    return pb.Event(splits_asked=pb.SplitsAsked())


def _split_left(event: SplitLeft) -> pb.Event:
    return pb.Event(split_left=pb.SplitLeft(seat=event.seat, by_engine=event.by_engine))


def _tricks_split(event: TricksSplit) -> pb.Event:
    return pb.Event(tricks_split=pb.TricksSplit(team=event.team, tricks=event.tricks, seat=event.seat))


def _round_played(event: RoundPlayedSeen) -> pb.Event:
    return pb.Event(round_played=pb.RoundPlayed(round=event.round))


def _round_scored(event: RoundScored) -> pb.Event:
    return pb.Event(round_scored=pb.RoundScored(score=round_score_out(event.score), totals=event.totals))


def _deal_revealed(event: DealRevealed) -> pb.Event:
    return pb.Event(
        deal_revealed=pb.DealRevealed(
            round=event.round,
            deal=event.deal,
            seed=event.seed,
            hands=[pb.Hand(cards=cards_out(hand)) for hand in event.hands],
            turned_up=card_out(event.turned_up),
        )
    )


def _vetoed_deals_revealed(event: VetoedDealsRevealed) -> pb.Event:
    deals = [pb.VetoedDeal(round=deal.round, deal=deal.deal, seed=deal.seed) for deal in event.deals]
    return pb.Event(vetoed_deals_revealed=pb.VetoedDealsRevealed(deals=deals))


def _game_ended(event: GameEnded) -> pb.Event:
    return pb.Event(game_ended=pb.GameEnded(places=event.places))


_EVENTS: dict[type, Callable[[Any], pb.Event]] = {
    GameStartedSeen: _game_started,
    RoundStarted: _round_started,
    PacketDealtSeen: _packet_dealt,
    Declared: _declared,
    Voted: _voted,
    DealCompletedSeen: _deal_completed,
    BidRaised: _bid_raised,
    Passed: _passed,
    BiddingEnded: _bidding_ended,
    CardPlayed: _card_played,
    TrickWon: _trick_won,
    Knocked: _knocked,
    AccusationMade: _accusation_made,
    LastQuestionAsked: _last_question_asked,
    AccusingDone: _accusing_done,
    TricksSettled: _tricks_settled,
    SplitsAsked: _splits_asked,
    SplitLeft: _split_left,
    TricksSplit: _tricks_split,
    RoundPlayedSeen: _round_played,
    RoundScored: _round_scored,
    DealRevealed: _deal_revealed,
    VetoedDealsRevealed: _vetoed_deals_revealed,
    GameEnded: _game_ended,
}
