"""Cheesy Heist in a few lines of text, from what goes over the wire."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as pb

NAMES = ("?", "cheese", "decoy", "vault", "thief", "gift", "grater", "moon", "sponge", "soap", "cat")
PHASES = ("", "turn", "reaction", "collection", "scoring", "over")


def cards(messages: Iterable[int]) -> str:
    """In the order given; neighbours that are alike are counted."""
    names = [NAMES[card] for card in messages]
    if names == sorted(names, key=NAMES.index):
        return " ".join(f"{count}x{name}" if count > 1 else name for name, count in Counter(names).items()) or "-"
    return " ".join(names)


def rendered(view: pb.View, before: pb.View | None, offers: Sequence[pb.Offer]) -> Sequence[str]:
    """Lines of a view; seats, discards and commitment only where they changed."""
    lines = [_status(view), *_seats(view, before)]
    if before is None or view.commitment != before.commitment:
        lines.append(f"goal {view.goal}, {view.reaction_seconds} s, commitment {view.commitment.hex()}")
    if before is None or view.discards != before.discards:
        lines.append("discards " + cards(sorted(view.discards)))
    lines += [f"shown {shown.seat}: {cards(shown.cards)}" for shown in view.shown]
    if view.hand:
        lines.append("hand " + cards(view.hand))
    if view.score:
        lines.append("score " + " | ".join(map(_score, view.score)))
    if view.places:
        lines.append("places " + " ".join(map(str, view.places)))
    return lines + (["may " + ", ".join(_offers(offers))] if offers else [])


def _status(view: pb.View) -> str:
    collector = f", {view.collector} collects" if view.HasField("collector") else ""
    last = ", last drop" if view.last_drop else ""
    over = ", time over" if view.time_over else ""
    return (
        f"turn {view.turn} of {view.turn_seat}, {PHASES[view.phase]}{last}{over}{collector}, {view.draw_count} to draw"
    )


def _seats(view: pb.View, before: pb.View | None) -> list[str]:
    changed = [number for number, seat in enumerate(view.seats) if before is None or seat != before.seats[number]]
    return [f"seat {number}: {_seat(view.seats[number])}" for number in changed]


def _seat(seat: pb.SeatView) -> str:
    signs = [name for name in ("down", "vaulted", "choosing") if getattr(seat, name)]
    lying = [" ".join(f"{card.place}:{NAMES[card.card]}" for card in seat.lying)] if seat.lying else []
    opened = [cards(seat.hand)] if seat.hand else []
    return ", ".join([f"{seat.hand_count} in hand", *signs, *lying, *opened])


def _score(score: pb.SeatScore) -> str:
    return f"{score.cheese} cheese, {score.cats} cats, {score.points}{' won' if score.won else ''}"


def _offers(messages: Sequence[pb.Offer]) -> Iterator[str]:
    yield from (offer(message) for message in messages if not message.HasField("take_card"))
    places = [f"{m.take_card.owner}:{m.take_card.place}" for m in messages if m.HasField("take_card")]
    if places:
        yield "take " + " ".join(places)


def offer(message: pb.Offer) -> str:
    name = str(message.WhichOneof("choice"))
    return f"{name}{_OFFERED[name](getattr(message, name)) if name in _OFFERED else ''}"


def _target(message: pb.PlayThief | pb.PlayGrater | pb.PlayGift) -> str:
    return f" {message.target}"


def _wasted(message: pb.PlayVault | pb.PlayDecoy) -> str:
    return " (wasted)" if message.wasted else ""


_OFFERED = {
    "play_thief": _target,
    "play_grater": _target,
    "play_gift": _target,
    "play_mirages": lambda m: f" {cards(m.cards)} on {m.target}",
    "play_vault": _wasted,
    "play_decoy": _wasted,
    "keep_up_to": lambda m: f" {m.count} of {cards(m.of)}",
}


def told(event: pb.Event) -> str:
    name = str(event.WhichOneof("event"))
    return f"{name}: {_TOLD[name](getattr(event, name))}"


def _engine(by_engine: bool) -> str:
    return " (by the engine)" if by_engine else ""


_TOLD = {
    "game_started": lambda m: f"goal {m.goal}, dealer {m.dealer}, {m.commitment.hex()}",
    "cards_dealt": lambda m: f"{cards(m.hand)}, {m.hand_count} each, {m.draw_count} to draw",
    "turn_started": lambda m: f"{m.turn} of {m.seat}",
    "card_drawn": lambda m: f"{m.seat} {NAMES[m.card]}{_engine(m.by_engine)}",
    "mirages_played": lambda m: f"{m.seat} {cards(m.cards)} on {m.target}: {cards(m.shown)}",
    "thief_played": lambda m: f"{m.seat} from {m.target} {NAMES[m.card]}",
    "grater_played": lambda m: f"{m.seat} on {m.target}, {m.count}: {cards(m.cards)}",
    "gift_played": lambda m: f"{m.seat} to {m.target}",
    "cat_played": lambda m: f"{m.seat}",
    "last_drop_called": lambda m: f"{m.seat}{_engine(m.by_engine)}",
    "reaction_time_ended": lambda m: "",
    "vault_played": lambda m: f"{m.seat}{' wasted' if m.wasted else ''}",
    "decoy_played": lambda m: f"{m.seat}{' wasted' if m.wasted else ''}",
    "cards_dropped": lambda m: (
        f"{m.seat}, {m.count}: {cards(m.cards)}, {m.kept_count} kept: {cards(m.kept)}{_engine(m.by_engine)}"
    ),
    "collection_started": lambda m: f"{m.seat}",
    "card_taken": lambda m: f"{m.seat} from {m.owner}:{m.place} {NAMES[m.card]}{_engine(m.by_engine)}",
    "hands_counted": lambda m: (
        " | ".join(cards(hand.cards) for hand in m.hands) + (", last drop" if m.last_drop else "")
    ),
    "result_recorded": lambda m: " | ".join(map(_score, m.score)),
    "game_revealed": lambda m: (
        f"{m.seed.hex()}: {' | '.join(cards(hand.cards) for hand in m.hands)}; draw pile {cards(m.draw_pile)}; "
        f"kept {', '.join(f'{kept.seat}: {cards(kept.cards)}' for kept in m.kept) or 'nothing'}"
    ),
    "game_ended": lambda m: f"places {' '.join(map(str, m.places))}",
}
