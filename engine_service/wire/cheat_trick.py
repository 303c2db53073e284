"""Cheat Trick on the wire: options, moves, offers, views, facts. Cards and events have modules of their own."""

from functools import cache

from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as pb
from engine_service.rules.games.cheat_trick import CHEAT_TRICK
from engine_service.rules.games.cheat_trick.actions import (
    Accuse,
    Action,
    Choice,
    Declare,
    Done,
    Knock,
    LeaveSplit,
    MayAccuse,
    MayDeclare,
    MayPlay,
    MayRaise,
    MaySplit,
    Pass,
    PlayCard,
    Raise,
    Split,
    Vote,
)
from engine_service.rules.games.cheat_trick.facts import RoundFacts, ScoreDetail, SeatDetail
from engine_service.rules.games.cheat_trick.options import (
    EXTRAS,
    FORBIDDEN,
    LAST_QUESTION_SECONDS,
    SPLIT_SECONDS,
    VETO_LIMIT,
    Options,
)
from engine_service.rules.games.cheat_trick.views import SeatView, TrickView, View

from .cheat_trick_cards import card_in, card_out, cards_out, suit_in, suit_out
from .cheat_trick_events import accusation_out, declared_out, event_out, knocked_out, round_score_out
from .game_wire import GameWire, Malformed

# Reneging, split rules, phrases and phases have the same numbers on both sides.


def options_in(message: pb.Options) -> Options:
    return Options(
        dealer=message.dealer if message.HasField("dealer") else None,
        simplified=message.simplified,
        veto_limit=_veto_limit_in(message),
        maternal_suits=message.maternal_suits,
        reneging=message.reneging or FORBIDDEN,
        teams=message.teams,
        split=message.split or EXTRAS,
        last_question_seconds=message.last_question_seconds or LAST_QUESTION_SECONDS,
        split_seconds=message.split_seconds or SPLIT_SECONDS,
    )


def _veto_limit_in(message: pb.Options) -> int | None:
    if message.no_veto_limit:
        return None
    return message.veto_limit if message.WhichOneof("vetoes") == "veto_limit" else VETO_LIMIT


def options_out(options: Options) -> pb.Options:
    message = pb.Options(
        dealer=options.dealer,
        simplified=options.simplified,
        maternal_suits=options.maternal_suits,
        reneging=pb.Reneging.ValueType(options.reneging),
        teams=options.teams,
        split=pb.SplitRule.ValueType(options.split),
        last_question_seconds=options.last_question_seconds,
        split_seconds=options.split_seconds,
    )
    if options.veto_limit is None:
        message.no_veto_limit = True
    else:
        message.veto_limit = options.veto_limit
    return message


def action_in(message: pb.Move) -> Action:
    match message.WhichOneof("action"):
        case "declare":
            if message.declare.phrase not in pb.Phrase.values()[1:]:
                raise Malformed("declare.phrase", "is missing or no phrase of this game")
            suit = suit_in(message.declare.suit, "declare.suit", "BAD_REQUEST")
            return Declare(message.declare.phrase, suit)
        case "vote":
            return Vote(message.vote.veto)
        case "raise_bid":
            return Raise(message.raise_bid.tricks)
        case "pass_bid":
            return Pass()
        case "play_card":
            if not message.play_card.HasField("card"):
                raise Malformed("play_card.card", "is missing")
            return PlayCard(card_in(message.play_card.card, "play_card.card", "UNKNOWN_CARD"))
        case "knock":
            return Knock(message.knock.round, message.knock.trick)
        case "accuse":
            return Accuse(message.accuse.round, message.accuse.trick, message.accuse.seat)
        case "done":
            return Done()
        case "split":
            return Split(message.split.own, message.split.partners)
        case "leave_split":
            return LeaveSplit()
        case _:
            raise Malformed("action", "is missing")


def offer_out(choice: Choice) -> pb.Offer:
    match choice:
        case MayPlay():
            return _may_play_out(choice)
        case MayDeclare(declarations=left):
            return pb.Offer(declare=pb.MayDeclare(declarations=[_declare_out(declare) for declare in left]))
        case Vote(veto=veto):
            return pb.Offer(vote=pb.Vote(veto=veto))
        case MayRaise(least=least, most=most):
            return pb.Offer(raise_bid=pb.MayRaise(least=least, most=most))
        case Pass():
            return pb.Offer(pass_bid=pb.Pass())
        case Knock(round=number, trick=trick):
            return pb.Offer(knock=pb.Knock(round=number, trick=trick))
        case MayAccuse(plays=plays):
            named = [pb.Accuse(round=play.round, trick=play.trick, seat=play.seat) for play in plays]
            return pb.Offer(accuse=pb.MayAccuse(plays=named))
        case Done():
            return pb.Offer(done=pb.Done())
        case MaySplit(least=least, most=most, total=total):
            return pb.Offer(split=pb.MaySplit(least=least, most=most, total=total))
        case LeaveSplit():
            return pb.Offer(leave_split=pb.LeaveSplit())


@cache
def _may_play_out(choice: MayPlay) -> pb.Offer:
    """Return the message of one card's offer, shared like the card's own."""
    return pb.Offer(play_card=pb.PlayCard(card=card_out(choice.card)), reneges=choice.reneges)


def _declare_out(declare: Declare) -> pb.Declare:
    return pb.Declare(phrase=pb.Phrase.ValueType(declare.phrase), suit=suit_out(declare.suit))


def public_out(view: View) -> pb.View:
    return pb.View(
        phase=pb.Phase.ValueType(view.phase),
        round=view.round,
        rounds=view.rounds,
        deal=view.deal,
        dealer=view.dealer,
        trump=suit_out(view.trump),
        turned_up=card_out(view.turned_up),
        declarations=[declared_out(declaration) for declaration in view.declarations],
        voted_to_play=view.voted,
        calls=[pb.Call(seat=call.seat, tricks=call.tricks) for call in view.calls],
        seats=[_seat(seat) for seat in view.seats],
        trick=_trick(view.trick),
        last_trick=_trick(view.last_trick),
        tricks_in_round=view.tricks_in_round,
        knocks=[knocked_out(knock) for knock in view.knocks],
        accusations=[accusation_out(accusation) for accusation in view.accusations],
        splits=[pb.TricksSplit(team=split.team, tricks=split.tricks) for split in view.splits],
        scored=[round_score_out(score) for score in view.scored],
        commitment=view.commitment,
        places=view.places,
    )


def own_out(view: View, message: pb.View) -> None:
    message.hand.extend(cards_out(view.hand))


def _seat(seat: SeatView) -> pb.SeatView:
    return pb.SeatView(
        hand_count=seat.hand_count,
        bid=seat.bid,
        passed_as=seat.passed_as,
        tricks=seat.tricks,
        vetoes=seat.vetoes,
        open_card=card_out(seat.open_card),
        total=seat.total,
    )


def _trick(trick: TrickView | None) -> pb.Trick | None:
    if trick is None:
        return None
    plays = [pb.Play(seat=play.seat, card=card_out(play.card)) for play in trick.plays]
    return pb.Trick(number=trick.number, plays=plays, winner=trick.winner)


def facts_out(facts: RoundFacts) -> pb.RoundFacts:
    accusations = [
        pb.Accusation(accuser=made.accuser, seat=made.seat, trick=made.trick, right=made.right, gave=made.gave)
        for made in facts.accusations
    ]
    return pb.RoundFacts(
        bids=facts.bids,
        pass_order=facts.pass_order,
        tricks=facts.tricks,
        accusations=accusations,
        split_rule=pb.SplitRule.ValueType(facts.split_rule),
        splits=[pb.TeamSplit(tricks=split) for split in facts.splits],
    )


def detail_in(message: pb.ScoreDetail) -> ScoreDetail:
    return ScoreDetail(tuple(SeatDetail(seat.trick_value, seat.tricks, seat.points) for seat in message.seats))


WIRE = GameWire(
    game=CHEAT_TRICK,
    options_in=options_in,
    options_out=options_out,
    action_in=action_in,
    offer_out=offer_out,
    public_out=public_out,
    own_out=own_out,
    event_out=event_out,
    facts_out=facts_out,
    detail_in=detail_in,
)
