"""Cheat Trick in a few lines of text, from what goes over the wire. Cards: DK is the king of diamonds, F the fool."""

from collections.abc import Iterable, Sequence

from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as pb

SUITS = "-CDHS"
VALUES = {11: "Ps", 12: "Pc", 13: "Q", 14: "K"}
PHRASES = ("", "court", "family", "marriage", "siblings", "mother-daughter", "father-son")
PHASES = ("", "vote", "bid", "tricks", "last question", "split", "scoring", "over")


def card(message: pb.Card) -> str:
    if message.suit == pb.SUIT_FOOL:
        return "F"
    return f"{SUITS[message.suit]}{VALUES.get(message.value, message.value)}"


def cards(messages: Iterable[pb.Card]) -> str:
    return " ".join(map(card, messages)) or "-"


def trick(message: pb.Trick) -> str:
    plays = " ".join(f"{play.seat}:{card(play.card)}" for play in message.plays) or "-"
    return f"#{message.number} {plays}" + (f" to {message.winner}" if message.HasField("winner") else "")


def declared(message: pb.Declare | pb.Declared) -> str:
    return f"{PHRASES[message.phrase]} of {SUITS[message.suit]}"


def accusation(message: pb.AccusationMade) -> str:
    return f"{message.accuser} of {message.seat} in #{message.trick} {'right' if message.right else 'wrong'}"


def seat_score(message: pb.SeatScore) -> str:
    return (
        f"({message.counted}-{message.bid})x{message.trick_value}={message.own_points} of {message.won} won: "
        f"{message.points}"
    )


def rendered(view: pb.View, before: pb.View | None, offers: Sequence[pb.Offer]) -> Sequence[str]:
    """Lines of a view; what seldom changes only where it did."""
    lines = [_status(view), _seats(view)]
    if before is None or view.commitment != before.commitment:
        lines.append(f"commitment {view.commitment.hex()}")
    if before is None or view.scored != before.scored:
        lines += [f"scored {score.round}: " + ", ".join(map(seat_score, score.seats)) for score in view.scored]
    lines += [f"{name} {text}" for name, text in _lists(view) if text]
    if view.HasField("trick"):
        lines.append("trick " + trick(view.trick))
    if view.HasField("last_trick"):
        lines.append("last trick " + trick(view.last_trick))
    if view.hand:
        lines.append("hand " + cards(view.hand))
    return lines + (["may " + "; ".join(map(offer, offers))] if offers else [])


def _lists(view: pb.View) -> list[tuple[str, str]]:
    calls = " ".join(f"{call.seat}:{call.tricks if call.HasField('tricks') else 'pass'}" for call in view.calls)
    return [
        ("declared", ", ".join(f"{said.seat} {declared(said)}" for said in view.declarations)),
        ("votes to play", _numbers(view.voted_to_play)),
        ("calls", calls),
        ("knocks", " ".join(f"#{knock.trick}:{knock.seat}" for knock in view.knocks)),
        ("accusations", ", ".join(map(accusation, view.accusations))),
        ("splits", ", ".join(f"{split.team}: {_numbers(split.tricks) or 'nothing'}" for split in view.splits)),
        ("places", _numbers(view.places)),
    ]


def offer(message: pb.Offer) -> str:
    kind = str(message.WhichOneof("choice"))
    match kind:
        case "declare":
            return f"declare any of {len(message.declare.declarations)}"
        case "vote":
            return "veto" if message.vote.veto else "play on"
        case "raise_bid":
            return f"bid {message.raise_bid.least} to {message.raise_bid.most}"
        case "play_card":
            return card(message.play_card.card) + ("!" if message.reneges else "")
        case "accuse":
            return "accuse " + " ".join(f"#{play.trick}:{play.seat}" for play in message.accuse.plays)
        case "split":
            return f"split {message.split.least} to {message.split.most} of {message.split.total}"
        case _:
            return kind


def _status(view: pb.View) -> str:
    turned_up = f", turned up {card(view.turned_up)}" if view.HasField("turned_up") else ""
    return (
        f"round {view.round}/{view.rounds}, deal {view.deal} by {view.dealer}, {PHASES[view.phase]}, "
        f"trump {SUITS[view.trump]}{turned_up}, {view.tricks_in_round} tricks"
    )


def _seats(view: pb.View) -> str:
    return "seats " + " | ".join(
        f"{seat.hand_count} in hand, bid {seat.bid}, passed {seat.passed_as}, {seat.tricks} won, {seat.vetoes} vetoes, "
        f"total {seat.total}" + (f", open {card(seat.open_card)}" if seat.HasField("open_card") else "")
        for seat in view.seats
    )


def told(event: pb.Event) -> str:
    name = str(event.WhichOneof("event"))
    return f"{name}: {_TOLD[name](getattr(event, name))}"


def _numbers(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


def _engine(by_engine: bool) -> str:
    return " (by the engine)" if by_engine else ""


_TOLD = {
    "game_started": lambda m: f"{m.rounds} rounds",
    "round_started": lambda m: f"{m.round}, dealer {m.dealer}, first {m.first}",
    "packet_dealt": lambda m: f"{m.deal}, {cards(m.hand)}, {m.hand_count} each, {m.commitment.hex()}",
    "declared": lambda m: f"{m.seat} {declared(m)}",
    "voted": lambda m: f"{m.seat} {'veto' if m.veto else 'play'}{_engine(m.by_engine)}",
    "deal_completed": lambda m: (
        f"{cards(m.hand)}, {m.hand_count} each, up {card(m.turned_up) if m.HasField('turned_up') else '-'}, "
        f"open {cards(m.open_cards)}, trump {SUITS[m.trump]}"
    ),
    "bid_raised": lambda m: f"{m.seat} to {m.tricks}",
    "passed": lambda m: f"{m.seat}{_engine(m.by_engine)}",
    "bidding_ended": lambda m: f"bids {_numbers(m.bids)}, passed {_numbers(m.pass_order)}",
    "card_played": lambda m: f"{m.seat}:{card(m.card)}{_engine(m.by_engine)}",
    "trick_won": lambda m: f"#{m.trick} to {m.seat}",
    "knocked": lambda m: f"{m.seat} in #{m.trick}",
    "accusation_made": accusation,
    "last_question_asked": lambda m: "any more?",
    "accusing_done": lambda m: f"{m.seat}{_engine(m.by_engine)}",
    "tricks_settled": lambda m: f"{_numbers(m.tricks)}, gave {_numbers(map(int, m.gave))}",
    "splits_asked": lambda m: "for whom?",
    "split_left": lambda m: f"{m.seat}{_engine(m.by_engine)}",
    "tricks_split": lambda m: f"{m.team}: {_numbers(m.tricks)} by {m.seat if m.HasField('seat') else 'nobody'}",
    "round_played": lambda m: f"{m.round}",
    "round_scored": lambda m: (
        f"{m.score.round}: {', '.join(map(seat_score, m.score.seats))}; totals {_numbers(m.totals)}"
    ),
    "deal_revealed": lambda m: (
        f"{m.round}.{m.deal}, {m.seed.hex()}: {' | '.join(cards(hand.cards) for hand in m.hands)}; "
        f"up {card(m.turned_up) if m.HasField('turned_up') else '-'}"
    ),
    "vetoed_deals_revealed": lambda m: ", ".join(f"{deal.round}.{deal.deal} {deal.seed.hex()}" for deal in m.deals),
    "game_ended": lambda m: f"places {_numbers(m.places)}",
}
