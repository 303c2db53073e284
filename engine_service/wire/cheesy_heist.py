"""Cheesy Heist on the wire: moves, offers, views, events, facts."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as pb
from engine_service.rules.games.cheesy_heist import CHEESY_HEIST
from engine_service.rules.games.cheesy_heist.actions import (
    Action,
    Choice,
    DrawCard,
    DropAll,
    KeepInVault,
    KeepUpTo,
    PlayCat,
    PlayDecoy,
    PlayGift,
    PlayGrater,
    PlayMirages,
    PlayThief,
    PlayVault,
    TakeCard,
)
from engine_service.rules.games.cheesy_heist.cards import KINDS, Card, Cards
from engine_service.rules.games.cheesy_heist.events import (
    CatPlayed,
    CollectionStarted,
    DecoyPlayed,
    GameEnded,
    GameRevealed,
    GiftPlayed,
    LastDropCalled,
    MiragesPlayed,
    ReactionTimeEnded,
    ResultRecorded,
    TurnStarted,
    VaultPlayed,
)
from engine_service.rules.games.cheesy_heist.facts import RoundFacts, ScoreDetail
from engine_service.rules.games.cheesy_heist.options import COLLECT_SECONDS, REACTION_SECONDS, VAULT_SECONDS, Options
from engine_service.rules.games.cheesy_heist.state import Phase, SeatScore, Shown
from engine_service.rules.games.cheesy_heist.views import (
    CardDrawnSeen,
    CardsDealtSeen,
    CardsDroppedSeen,
    CardTakenSeen,
    GameStartedSeen,
    GraterPlayedSeen,
    HandsCountedSeen,
    SeatView,
    Seen,
    ThiefPlayedSeen,
    View,
)

from .game_wire import GameWire, Malformed

_CARDS = (
    pb.CARD_CHEESE,
    pb.CARD_DECOY,
    pb.CARD_VAULT,
    pb.CARD_THIEF,
    pb.CARD_GIFT,
    pb.CARD_GRATER,
    pb.CARD_MOON,
    pb.CARD_SPONGE,
    pb.CARD_SOAP,
    pb.CARD_CAT,
)
_PHASES = {
    Phase.TURN: pb.PHASE_TURN,
    Phase.REACTION: pb.PHASE_REACTION,
    Phase.COLLECTION: pb.PHASE_COLLECTION,
    Phase.SCORING: pb.PHASE_SCORING,
    Phase.OVER: pb.PHASE_OVER,
}


def _card_out(card: Card | None) -> pb.Card.ValueType:
    return pb.CARD_UNSPECIFIED if card is None else _CARDS[card]


def _cards_out(cards: Iterable[Card]) -> list[pb.Card.ValueType]:
    return [_CARDS[card] for card in cards]


def _cards_in(cards: Iterable[int], field: str) -> Cards:
    return tuple(sorted(_card_in(card, f"{field}[{i}]") for i, card in enumerate(cards)))


def _card_in(card: int, field: str) -> Card:
    if card - 1 not in KINDS:
        raise Malformed(field, "is no card of this game", "UNKNOWN_CARD")
    return card - 1


def options_in(message: pb.Options) -> Options:
    return Options(
        dealer=message.dealer if message.HasField("dealer") else None,
        goal=message.goal if message.HasField("goal") else None,
        reaction_seconds=message.reaction_seconds or REACTION_SECONDS,
        vault_seconds=message.vault_seconds or VAULT_SECONDS,
        collect_seconds=message.collect_seconds or COLLECT_SECONDS,
    )


def options_out(options: Options) -> pb.Options:
    return pb.Options(
        dealer=options.dealer,
        goal=options.goal,
        reaction_seconds=options.reaction_seconds,
        vault_seconds=options.vault_seconds,
        collect_seconds=options.collect_seconds,
    )


def action_in(message: pb.Move) -> Action:
    match message.WhichOneof("action"):
        case "draw_card":
            return DrawCard()
        case "play_cat":
            return PlayCat()
        case "play_thief":
            return PlayThief(message.play_thief.target)
        case "play_grater":
            return PlayGrater(message.play_grater.target)
        case "play_gift":
            return PlayGift(message.play_gift.target)
        case "play_mirages":
            cards = _cards_in(message.play_mirages.cards, "play_mirages.cards")
            return PlayMirages(cards, message.play_mirages.target)
        case "drop_all":
            return DropAll()
        case "play_vault":
            return PlayVault(message.play_vault.wasted)
        case "play_decoy":
            return PlayDecoy(message.play_decoy.wasted)
        case "keep_in_vault":
            return KeepInVault(_cards_in(message.keep_in_vault.cards, "keep_in_vault.cards"))
        case "take_card":
            return TakeCard(message.take_card.owner, message.take_card.place)
        case _:
            raise Malformed("action", "is missing: name what to do")


def offer_out(choice: Choice) -> pb.Offer:
    if isinstance(choice, KeepUpTo):
        return pb.Offer(keep_up_to=pb.KeepUpTo(count=choice.count, of=_cards_out(choice.of)))
    return _action_out(choice)


@lru_cache(maxsize=1024)
def _action_out(choice: Action) -> pb.Offer:
    """Return the message of a concrete offer, shared: there are few, the same at every table."""
    match choice:
        case DrawCard():
            return pb.Offer(draw_card=pb.DrawCard())
        case PlayCat():
            return pb.Offer(play_cat=pb.PlayCat())
        case PlayThief(target):
            return pb.Offer(play_thief=pb.PlayThief(target=target))
        case PlayGrater(target):
            return pb.Offer(play_grater=pb.PlayGrater(target=target))
        case PlayGift(target):
            return pb.Offer(play_gift=pb.PlayGift(target=target))
        case PlayMirages(cards, target):
            return pb.Offer(play_mirages=pb.PlayMirages(cards=_cards_out(cards), target=target))
        case DropAll():
            return pb.Offer(drop_all=pb.DropAll())
        case PlayVault(wasted):
            return pb.Offer(play_vault=pb.PlayVault(wasted=wasted))
        case PlayDecoy(wasted):
            return pb.Offer(play_decoy=pb.PlayDecoy(wasted=wasted))
        case TakeCard(owner, place):
            return pb.Offer(take_card=pb.TakeCard(owner=owner, place=place))
        case KeepInVault():
            raise AssertionError("what to keep is offered as a family")


def public_out(view: View) -> pb.View:
    return pb.View(
        phase=_PHASES[view.phase],
        turn=view.turn,
        turn_seat=view.turn_seat,
        goal=view.goal,
        seats=[_seat(seat) for seat in view.seats],
        draw_count=view.draw_count,
        discards=_cards_out(view.discards),
        shown=[_shown(shown) for shown in view.shown],
        last_drop=view.last_drop,
        time_over=view.time_over,
        collector=view.collector,
        reaction_seconds=view.reaction_seconds,
        score=[_score(score) for score in view.score],
        commitment=view.commitment,
        places=view.places,
    )


def own_out(view: View, message: pb.View) -> None:
    message.hand.extend(_cards_out(view.hand))
    for seat, told in zip(view.seats, message.seats, strict=True):
        for lying, there in zip(seat.lying, told.lying, strict=True):
            there.card = _card_out(lying.card)


def _seat(seat: SeatView) -> pb.SeatView:
    return pb.SeatView(
        hand_count=seat.hand_count,
        down=seat.down,
        vaulted=seat.vaulted,
        choosing=seat.choosing,
        lying=[pb.LyingCard(place=lying.place) for lying in seat.lying],
        hand=_cards_out(seat.hand),
    )


def _shown(shown: Shown) -> pb.ShownHand:
    return pb.ShownHand(seat=shown.seat, cards=_cards_out(shown.cards))


def _score(score: SeatScore) -> pb.SeatScore:
    return pb.SeatScore(cheese=score.cheese, cats=score.cats, won=score.won, points=score.points)


def event_out(event: Seen) -> pb.Event:
    return _EVENTS[type(event)](event)


def _game_started(event: GameStartedSeen) -> pb.Event:
    return pb.Event(game_started=pb.GameStarted(goal=event.goal, dealer=event.dealer, commitment=event.commitment))


def _cards_dealt(event: CardsDealtSeen) -> pb.Event:
    return pb.Event(
        cards_dealt=pb.CardsDealt(hand=_cards_out(event.hand), hand_count=event.hand_count, draw_count=event.draw_count)
    )


def _turn_started(event: TurnStarted) -> pb.Event:
    return pb.Event(turn_started=pb.TurnStarted(turn=event.turn, seat=event.seat))


def _card_drawn(event: CardDrawnSeen) -> pb.Event:
    return pb.Event(card_drawn=pb.CardDrawn(seat=event.seat, card=_card_out(event.card), by_engine=event.by_engine))


def _mirages_played(event: MiragesPlayed) -> pb.Event:
    return pb.Event(
        mirages_played=pb.MiragesPlayed(
            seat=event.seat, cards=_cards_out(event.cards), target=event.target, shown=_cards_out(event.shown)
        )
    )


def _thief_played(event: ThiefPlayedSeen) -> pb.Event:
    return pb.Event(thief_played=pb.ThiefPlayed(seat=event.seat, target=event.target, card=_card_out(event.card)))


def _grater_played(event: GraterPlayedSeen) -> pb.Event:
    return pb.Event(
        grater_played=pb.GraterPlayed(
            seat=event.seat, target=event.target, count=event.count, cards=_cards_out(event.cards)
        )
    )


def _gift_played(event: GiftPlayed) -> pb.Event:
    return pb.Event(gift_played=pb.GiftPlayed(seat=event.seat, target=event.target))


def _cat_played(event: CatPlayed) -> pb.Event:
    return pb.Event(cat_played=pb.CatPlayed(seat=event.seat))


def _last_drop_called(event: LastDropCalled) -> pb.Event:
    return pb.Event(last_drop_called=pb.LastDropCalled(seat=event.seat, by_engine=event.by_engine))


def _reaction_time_ended(event: ReactionTimeEnded) -> pb.Event:
    return pb.Event(reaction_time_ended=pb.ReactionTimeEnded())


def _vault_played(event: VaultPlayed) -> pb.Event:
    return pb.Event(vault_played=pb.VaultPlayed(seat=event.seat, wasted=event.wasted))


def _decoy_played(event: DecoyPlayed) -> pb.Event:
    return pb.Event(decoy_played=pb.DecoyPlayed(seat=event.seat, wasted=event.wasted))


def _cards_dropped(event: CardsDroppedSeen) -> pb.Event:
    return pb.Event(
        cards_dropped=pb.CardsDropped(
            seat=event.seat,
            count=event.count,
            cards=_cards_out(event.cards),
            kept_count=event.kept_count,
            kept=_cards_out(event.kept),
            by_engine=event.by_engine,
        )
    )


def _collection_started(event: CollectionStarted) -> pb.Event:
    return pb.Event(collection_started=pb.CollectionStarted(seat=event.seat))


def _card_taken(event: CardTakenSeen) -> pb.Event:
    return pb.Event(
        card_taken=pb.CardTaken(
            seat=event.seat,
            owner=event.owner,
            place=event.place,
            card=_card_out(event.card),
            by_engine=event.by_engine,
        )
    )


def _hands_counted(event: HandsCountedSeen) -> pb.Event:
    return pb.Event(hands_counted=pb.HandsCounted(hands=_hands(event.hands), last_drop=event.last_drop))


def _result_recorded(event: ResultRecorded) -> pb.Event:
    return pb.Event(result_recorded=pb.ResultRecorded(score=[_score(score) for score in event.score]))


def _game_revealed(event: GameRevealed) -> pb.Event:
    kept = [pb.Kept(seat=each.seat, cards=_cards_out(each.cards)) for each in event.kept]
    return pb.Event(
        game_revealed=pb.GameRevealed(
            seed=event.seed, hands=_hands(event.hands), draw_pile=_cards_out(event.draw_pile), kept=kept
        )
    )


def _game_ended(event: GameEnded) -> pb.Event:
    return pb.Event(game_ended=pb.GameEnded(places=event.places))


def _hands(hands: Iterable[Cards]) -> list[pb.Hand]:
    return [pb.Hand(cards=_cards_out(hand)) for hand in hands]


_EVENTS: dict[type, Callable[[Any], pb.Event]] = {
    GameStartedSeen: _game_started,
    CardsDealtSeen: _cards_dealt,
    TurnStarted: _turn_started,
    CardDrawnSeen: _card_drawn,
    MiragesPlayed: _mirages_played,
    ThiefPlayedSeen: _thief_played,
    GraterPlayedSeen: _grater_played,
    GiftPlayed: _gift_played,
    CatPlayed: _cat_played,
    LastDropCalled: _last_drop_called,
    ReactionTimeEnded: _reaction_time_ended,
    VaultPlayed: _vault_played,
    DecoyPlayed: _decoy_played,
    CardsDroppedSeen: _cards_dropped,
    CollectionStarted: _collection_started,
    CardTakenSeen: _card_taken,
    HandsCountedSeen: _hands_counted,
    ResultRecorded: _result_recorded,
    GameRevealed: _game_revealed,
    GameEnded: _game_ended,
}


def facts_out(facts: RoundFacts) -> pb.RoundFacts:
    return pb.RoundFacts(cheese=facts.cheese, cats=facts.cats, goal=facts.goal, last_drop=facts.last_drop)


def detail_in(message: pb.ScoreDetail) -> ScoreDetail:
    return ScoreDetail(winners=tuple(message.winners))


WIRE = GameWire(
    game=CHEESY_HEIST,
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
