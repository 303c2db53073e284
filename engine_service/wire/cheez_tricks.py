"""Cheez-Tricks on the wire: moves, offers, views, events, facts. Cards and cats are in `cheez_tricks_cards`."""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as pb
from engine_service.rules.games.cheez_tricks import CHEEZ_TRICKS
from engine_service.rules.games.cheez_tricks.actions import Action, ChooseTrump, PlayCard
from engine_service.rules.games.cheez_tricks.events import (
    CardPlayed,
    CatDecided,
    DealRevealed,
    GameEnded,
    RoundScored,
    TrickWon,
    TrumpSet,
)
from engine_service.rules.games.cheez_tricks.facts import RoundFacts, ScoreDetail
from engine_service.rules.games.cheez_tricks.options import HOUSE_CAT, WILD_CAT, Options
from engine_service.rules.games.cheez_tricks.state import CatOnTable, Phase, RoundScore
from engine_service.rules.games.cheez_tricks.views import (
    CardsDealtSeen,
    GameStartedSeen,
    RoundPlayedSeen,
    RoundStartedSeen,
    SeatView,
    Seen,
    TrickView,
    View,
)

from .cheez_tricks_cards import card_in, card_out, cards_out, cat_in, cat_out, suit_in, suit_out
from .game_wire import GameWire, Malformed

_LEVELS = {HOUSE_CAT: pb.LEVEL_HOUSE_CAT, WILD_CAT: pb.LEVEL_WILD_CAT}
_PHASES = {
    Phase.TRUMP: pb.PHASE_TRUMP,
    Phase.TRICKS: pb.PHASE_TRICKS,
    Phase.SCORING: pb.PHASE_SCORING,
    Phase.OVER: pb.PHASE_OVER,
}


def options_in(message: pb.Options) -> Options:
    return Options(
        # Levels have the same numbers on both sides; one that is none is kept, for check_options to refuse.
        level=message.level or HOUSE_CAT,
        starting_seat=message.starting_seat if message.HasField("starting_seat") else None,
        cat_deck=tuple(cat_in(cat, f"cat_deck[{i}]") for i, cat in enumerate(message.cat_deck)),
    )


def options_out(options: Options) -> pb.Options:
    return pb.Options(
        level=_LEVELS[options.level],
        starting_seat=options.starting_seat,
        cat_deck=[cat_out(cat) for cat in options.cat_deck],
    )


def action_in(message: pb.Move) -> Action:
    match message.WhichOneof("action"):
        case "choose_trump":
            return ChooseTrump(suit_in(message.choose_trump.suit, "choose_trump.suit", "BAD_REQUEST"))
        case "play_card":
            if not message.play_card.HasField("card"):
                raise Malformed("play_card.card", "is missing")
            return PlayCard(card_in(message.play_card.card, "play_card.card", "UNKNOWN_CARD"))
        case _:
            raise Malformed("action", "is missing: choose_trump or play_card")


@cache
def offer_out(choice: Action) -> pb.Offer:
    """Return an offer's message, shared like a card's."""
    if isinstance(choice, ChooseTrump):
        return pb.Offer(choose_trump=pb.ChooseTrump(suit=suit_out(choice.suit)))
    return pb.Offer(play_card=pb.PlayCard(card=card_out(choice.card)))


def public_out(view: View) -> pb.View:
    return pb.View(
        phase=_PHASES[view.phase],
        round=view.round,
        rounds=view.rounds,
        starter=view.starter,
        trump=suit_out(view.trump),
        trump_chooser=view.trump_chooser,
        cats=[_cat_on_table(on_table) for on_table in view.cats],
        seats=[_seat(seat) for seat in view.seats],
        trick=_trick(view.trick),
        last_trick=_trick(view.last_trick),
        tricks_in_round=view.tricks_in_round,
        scored=[_round_score(score) for score in view.scored],
        commitment=view.commitment,
        places=view.places,
    )


def own_out(view: View, message: pb.View) -> None:
    message.hand.extend(cards_out(view.hand))


@lru_cache(maxsize=1024)
def _cat_on_table(on_table: CatOnTable) -> pb.CatOnTable:
    return pb.CatOnTable(cat=cat_out(on_table.cat), caught_seats=on_table.caught, decided=on_table.decided)


def _seat(seat: SeatView) -> pb.SeatView:
    return pb.SeatView(
        hand_count=seat.hand_count, tricks=seat.tricks, open_cards=cards_out(seat.open_cards), total=seat.total
    )


def _trick(trick: TrickView | None) -> pb.Trick | None:
    if trick is None:
        return None
    plays = [pb.Play(seat=play.seat, card=card_out(play.card)) for play in trick.plays]
    return pb.Trick(number=trick.number, plays=plays, winner=trick.winner)


@lru_cache(maxsize=1024)
def _round_score(score: RoundScore) -> pb.RoundScore:
    """Return a scored round's message, shared: every later view of the game holds it."""
    seats = [
        pb.SeatScore(tricks=seat.tricks, cats=seat.cats, points_per_trick=seat.points_per_trick, points=seat.points)
        for seat in score.seats
    ]
    return pb.RoundScore(round=score.round, seats=seats, cats=[_cat_on_table(cat) for cat in score.cats])


def event_out(event: Seen) -> pb.Event:
    return _EVENTS[type(event)](event)


def _game_started(event: GameStartedSeen) -> pb.Event:
    return pb.Event(game_started=pb.GameStarted(rounds=event.rounds))


def _round_started(event: RoundStartedSeen) -> pb.Event:
    cats = [cat_out(cat) for cat in event.cats]
    return pb.Event(
        round_started=pb.RoundStarted(round=event.round, starter=event.starter, cats=cats, commitment=event.commitment)
    )


def _cards_dealt(event: CardsDealtSeen) -> pb.Event:
    return pb.Event(
        cards_dealt=pb.CardsDealt(
            hand=cards_out(event.hand), hand_count=event.hand_count, set_aside_count=event.set_aside_count
        )
    )


def _trump_set(event: TrumpSet) -> pb.Event:
    return pb.Event(trump_set=pb.TrumpSet(suit=suit_out(event.suit), seat=event.seat, by_engine=event.by_engine))


def _card_played(event: CardPlayed) -> pb.Event:
    return pb.Event(card_played=pb.CardPlayed(seat=event.seat, card=card_out(event.card), by_engine=event.by_engine))


def _trick_won(event: TrickWon) -> pb.Event:
    return pb.Event(trick_won=pb.TrickWon(trick=event.trick, seat=event.seat))


def _cat_decided(event: CatDecided) -> pb.Event:
    return pb.Event(cat_decided=pb.CatDecided(cat_index=event.cat_index, seats=event.seats))


def _round_played(event: RoundPlayedSeen) -> pb.Event:
    return pb.Event(round_played=pb.RoundPlayed(round=event.round))


def _round_scored(event: RoundScored) -> pb.Event:
    return pb.Event(round_scored=pb.RoundScored(score=_round_score(event.score), totals=event.totals))


def _deal_revealed(event: DealRevealed) -> pb.Event:
    hands = [pb.Hand(cards=cards_out(hand)) for hand in event.hands]
    return pb.Event(
        deal_revealed=pb.DealRevealed(
            round=event.round, seed=event.seed, hands=hands, set_aside=cards_out(event.set_aside)
        )
    )


def _game_ended(event: GameEnded) -> pb.Event:
    return pb.Event(game_ended=pb.GameEnded(places=event.places))


_EVENTS: dict[type, Callable[[Any], pb.Event]] = {
    GameStartedSeen: _game_started,
    RoundStartedSeen: _round_started,
    CardsDealtSeen: _cards_dealt,
    TrumpSet: _trump_set,
    CardPlayed: _card_played,
    TrickWon: _trick_won,
    CatDecided: _cat_decided,
    RoundPlayedSeen: _round_played,
    RoundScored: _round_scored,
    DealRevealed: _deal_revealed,
    GameEnded: _game_ended,
}


def facts_out(facts: RoundFacts) -> pb.RoundFacts:
    captures = [pb.Capture(cat=cat_out(capture.cat), seats=capture.seats) for capture in facts.captures]
    return pb.RoundFacts(tricks=facts.tricks, captures=captures)


def detail_in(message: pb.ScoreDetail) -> ScoreDetail:
    return ScoreDetail(points_per_trick=tuple(message.points_per_trick))


WIRE = GameWire(
    game=CHEEZ_TRICKS,
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
