"""Cheez-Tricks in a few lines of text, from what goes over the wire. Cards: S7 is the Swiss 7."""

from collections.abc import Iterable, Sequence

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as pb

SUITS = "-SRPB"
PHASES = {pb.PHASE_TRUMP: "trump", pb.PHASE_TRICKS: "tricks", pb.PHASE_SCORING: "scoring", pb.PHASE_OVER: "over"}


def card(message: pb.Card) -> str:
    return f"{SUITS[message.suit]}{message.value}"


def cards(messages: Iterable[pb.Card]) -> str:
    return " ".join(map(card, messages)) or "-"


def counted(message: pb.Counted) -> str:
    match message.WhichOneof("of"):
        case "value":
            return f"{message.value}s"
        case "suit":
            return SUITS[message.suit]
        case _:
            return "tricks"


def cat(message: pb.Cat) -> str:
    kind = message.WhichOneof("kind")
    wants = {
        "black": lambda: str(message.black.trick),
        "white": lambda: str(message.white.tricks),
        "siamese": lambda: card(message.siamese.card),
        "grey": lambda: counted(message.grey.most),
        "orange": lambda: counted(message.orange.least),
        "tuxedo": lambda: str(message.tuxedo.tricks),
    }
    return f"{kind} {wants[str(kind)]()}"


def on_table(message: pb.CatOnTable) -> str:
    caught = ",".join(map(str, message.caught_seats)) or "nobody"
    return cat(message.cat) + (f" [{caught}]" if message.decided else "")


def trick(message: pb.Trick) -> str:
    plays = " ".join(f"{play.seat}:{card(play.card)}" for play in message.plays) or "-"
    return f"#{message.number} {plays}" + (f" to {message.winner}" if message.HasField("winner") else "")


def seat_score(message: pb.SeatScore) -> str:
    return f"{message.tricks}x{message.points_per_trick}={message.points} ({message.cats} cats)"


def rendered(view: pb.View, before: pb.View | None, offers: Sequence[pb.Offer]) -> Sequence[str]:
    """Lines of a view; what seldom changes (cats, scores, commitment) only where it did."""
    lines = [_status(view), _seats(view)]
    if before is None or view.cats != before.cats:
        lines.append("cats: " + ", ".join(map(on_table, view.cats)))
    if before is None or view.commitment != before.commitment:
        lines.append(f"commitment {view.commitment.hex()}")
    if before is None or view.scored != before.scored:
        lines += [f"scored {score.round}: " + ", ".join(map(seat_score, score.seats)) for score in view.scored]
    if view.HasField("trick"):
        lines.append("trick " + trick(view.trick))
    if view.HasField("last_trick"):
        lines.append("last trick " + trick(view.last_trick))
    if view.hand:
        lines.append("hand " + cards(view.hand))
    if view.places:
        lines.append("places " + " ".join(map(str, view.places)))
    return lines + (["may " + " ".join(map(offer, offers))] if offers else [])


def offer(message: pb.Offer) -> str:
    if message.HasField("choose_trump"):
        return f"trump:{SUITS[message.choose_trump.suit]}"
    return card(message.play_card.card)


def _status(view: pb.View) -> str:
    chooser = f", chosen by {view.trump_chooser}" if view.HasField("trump_chooser") else ""
    return (
        f"round {view.round}/{view.rounds} {PHASES[view.phase]}, starter {view.starter}, "
        f"trump {SUITS[view.trump]}{chooser}, {view.tricks_in_round} tricks"
    )


def _seats(view: pb.View) -> str:
    return "seats " + " | ".join(
        f"{seat.hand_count} in hand, {seat.tricks} won, total {seat.total}"
        + (f", open {cards(seat.open_cards)}" if seat.open_cards else "")
        for seat in view.seats
    )


def told(event: pb.Event) -> str:
    name = str(event.WhichOneof("event"))
    return f"{name}: {_TOLD[name](getattr(event, name))}"


def _numbers(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers)) or "nobody"


def _by_engine(message: pb.TrumpSet | pb.CardPlayed) -> str:
    return " (by the engine)" if message.by_engine else ""


_TOLD = {
    "game_started": lambda m: f"{m.rounds} rounds",
    "round_started": lambda m: f"{m.round}, starter {m.starter}, {', '.join(map(cat, m.cats))}, {m.commitment.hex()}",
    "cards_dealt": lambda m: f"{cards(m.hand)}, {m.hand_count} each, {m.set_aside_count} aside",
    "trump_set": lambda m: f"{SUITS[m.suit]} by {m.seat if m.HasField('seat') else 'chance'}{_by_engine(m)}",
    "card_played": lambda m: f"{m.seat}:{card(m.card)}{_by_engine(m)}",
    "trick_won": lambda m: f"#{m.trick} to {m.seat}",
    "cat_decided": lambda m: f"{m.cat_index} caught {_numbers(m.seats)}",
    "round_played": lambda m: f"{m.round}",
    "round_scored": lambda m: (
        f"{m.score.round}: {', '.join(map(seat_score, m.score.seats))}; "
        f"{', '.join(map(on_table, m.score.cats))}; totals {_numbers(m.totals)}"
    ),
    "deal_revealed": lambda m: (
        f"{m.round}, {m.seed.hex()}: {' | '.join(cards(hand.cards) for hand in m.hands)}; aside {cards(m.set_aside)}"
    ),
    "game_ended": lambda m: f"places {_numbers(m.places)}",
}
