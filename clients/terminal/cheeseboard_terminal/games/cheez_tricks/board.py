"""The board: cats, seats, the trick and one's own hand."""

from collections.abc import Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as proto
from cheeseboard_terminal.games.cheez_tricks import cats
from cheeseboard_terminal.games.cheez_tricks.cards import (
    card_face,
    card_text,
    grouped,
    hand_order,
    suit_text,
)
from cheeseboard_terminal.games.cheez_tricks.choosing import keyed, why_not_all
from cheeseboard_terminal.games.contract import Section
from cheeseboard_terminal.people import People


def sections(view: tables_pb2.TableView, people: People) -> Sequence[Section]:
    """Return the parts of the board, the hand last."""
    game = view.cheez_tricks
    parts = [
        Section(_standing(view, people), _cats(game, people)),
        Section(Text("Table"), _seats(view, people)),
        Section(*_trick(view, people)),
    ]
    if view.HasField("viewer"):
        parts.append(Section(_hand_title(view), Group(*_hand_lines(view))))
    return parts


def briefly(view: tables_pb2.TableView, people: People) -> Sequence[Text]:
    """Return the same in few lines, for terminals that only print."""
    game = view.cheez_tricks
    lines = [_standing(view, people)]
    lines += [
        Text.assemble("  cat ", cats.name(each.cat), ": ", cats.wish(each.cat), "  ", cats.caught(each, people))
        for each in game.cats
    ]
    won = ", ".join(f"{people.name(seat)}: {at.tricks}" for seat, at in enumerate(game.seats))
    totals = ", ".join(f"{people.name(seat)}: {at.total}" for seat, at in enumerate(game.seats))
    lines.append(Text(f"  tricks won: {won}; points: {totals}"))
    opened = [f"{people.name(seat)}: {grouped(at.open_cards)}" for seat, at in enumerate(game.seats) if at.open_cards]
    if opened:
        lines.append(Text(f"  open cards: {'; '.join(opened)}"))
    if game.trick.plays:
        lines.append(Text(f"  on the table: {_plays_in_words(game, people)}"))
    reason = why_not_all(view)
    return [*lines, *_hand_lines(view), *([Text(f"  {reason}")] if reason else [])]


def _standing(view: tables_pb2.TableView, people: People) -> Text:
    game = view.cheez_tricks
    text = Text(f"Round {game.round} of {game.rounds}")
    if game.trick.number:
        text.append(f" · trick {game.trick.number} of {game.tricks_in_round}")
    text.append(" · trump ")
    if game.trump:
        text.append_text(suit_text(game.trump))
        text.append(f" ({people.mention(game.trump_chooser)} chose)" if game.HasField("trump_chooser") else " (drawn)")
    else:
        text.append(f"not known: {people.does(game.trump_chooser, 'choose', within=True)}")
    return text


def _cats(game: proto.View, people: People) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for on_table in game.cats:
        note = cats.caught(on_table, people)
        if not note.plain:
            note = Text(_so_far(game, on_table, people), style="dim")
        table.add_row(cats.name_text(on_table.cat), Text(cats.wish(on_table.cat)), note)
    return table


def _so_far(game: proto.View, on_table: proto.CatOnTable, people: People) -> str:
    """Return who has how much of what a cat counts, as far as it lies open."""
    of = cats.counted(on_table.cat)
    if of is None or game.phase != proto.PHASE_TRICKS:
        return ""
    won = [seat.tricks for seat in game.seats]
    piles = [seat.open_cards for seat in game.seats]
    if of.WhichOneof("of") != "tricks" and not any(piles):
        return ""  # Nothing won yet that counts, or Wild Cat, where one has to remember.
    return f"so far {cats.tally(cats.counts(of, piles, won), people)}"


def _seats(view: tables_pb2.TableView, people: People) -> RenderableType:
    game = view.cheez_tricks
    asked = {question.seat for question in view.prompt.questions if question.HasField("seat")}
    open_cards = any(seat.open_cards for seat in game.seats)
    table = Table.grid(padding=(0, 2))
    table.add_column(min_width=18)
    head = ["", "hand", "tricks", "points", "caught by", *(["open cards"] if open_cards else [])]
    table.add_row(*(Text(title, style="dim") for title in head))
    for seat, at in enumerate(game.seats):
        row = [
            _who(seat, people, seat in asked, seat == game.starter),
            Text(str(at.hand_count)),
            Text(f"{at.tricks}", style="bold"),
            Text(str(at.total)),
            _short(", ".join(cats.name(each.cat) for each in game.cats if seat in each.caught_seats), "red"),
        ]
        if open_cards:
            row.append(_short(grouped(at.open_cards), ""))
        table.add_row(*row)
    return table


def _short(text: str, style: str) -> Text:
    return Text(text, style=style, overflow="ellipsis", no_wrap=True)


def _who(seat: int, people: People, asked: bool, starter: bool) -> Text:
    text = Text.assemble(
        ("▶ " if asked else "  ", "bold yellow"), (people.name(seat), "bold" if seat == people.viewer else "")
    )
    notes = ["" if people.seats[seat].player.bot else people.standing(seat), "first lead" if starter else ""]
    told = ", ".join(note for note in notes if note)
    return text.append(f" ({told})" if told else "", style="dim")


def _trick(view: tables_pb2.TableView, people: People) -> tuple[Text, RenderableType]:
    game = view.cheez_tricks
    if game.trick.plays or not game.HasField("last_trick"):
        return Text(f"Trick {game.trick.number}" if game.trick.number else "Trick"), _open_trick(view, people)
    done = game.last_trick
    title = Text(f"Trick {done.number}, won by {people.mention(done.winner)}")
    if game.phase == proto.PHASE_TRICKS:
        title.append(f": {people.does(done.winner, 'lead', within=True)} to trick {game.trick.number}")
    return title, _row_of_plays(done.plays, people, done.winner, ())


def _open_trick(view: tables_pb2.TableView, people: People) -> RenderableType:
    game = view.cheez_tricks
    if not game.trick.number:
        return Group(Text("no trick yet", style="dim"), Text(""))
    played = [play.seat for play in game.trick.plays]
    asked = [question.seat for question in view.prompt.questions if question.HasField("seat")]
    first = played[0] if played else asked[0] if asked else 0
    count = len(game.seats)
    to_come = [seat for seat in ((first + at) % count for at in range(count)) if seat not in played]
    return _row_of_plays(game.trick.plays, people, winning(game), to_come)


def winning(game: proto.View) -> int | None:
    """Return the seat whose card would take the trick as it lies; None before the lead."""
    plays = game.trick.plays
    if not plays:
        return None
    trumps = [play for play in plays if play.card.suit == game.trump]
    led = [play for play in plays if play.card.suit == plays[0].card.suit]
    return max(trumps or led, key=lambda play: play.card.value).seat


def _row_of_plays(
    plays: Sequence[proto.Play], people: People, winner: int | None, to_come: Sequence[int]
) -> RenderableType:
    table = Table.grid(padding=(0, 3))
    names = [Text(people.name(play.seat), style="bold" if play.seat == winner else "") for play in plays]
    cards = [_played(play, at == 0, play.seat == winner) for at, play in enumerate(plays)]
    names += [Text(people.name(seat), style="dim") for seat in to_come]
    cards += [Text("to play" if at == 0 else "·", style="dim") for at, _ in enumerate(to_come)]
    table.add_row(*names)
    table.add_row(*cards)
    return table


def _played(play: proto.Play, led: bool, wins: bool) -> Text:
    text = card_text(play.card)
    text.append(" led" if led else "", style="dim")
    text.append(" ★" if wins else "", style="bold yellow")
    return text


def _plays_in_words(game: proto.View, people: People) -> str:
    best = winning(game)
    return ", ".join(
        f"{people.name(play.seat)} {card_text(play.card).plain}"
        + (" (led)" if at == 0 else "")
        + (" (winning)" if play.seat == best else "")
        for at, play in enumerate(game.trick.plays)
    )


def _hand_title(view: tables_pb2.TableView) -> Text:
    reason = why_not_all(view)
    return Text.assemble("Your hand", (f": {reason}" if reason else "", "yellow"))


def _hand_lines(view: tables_pb2.TableView) -> list[Text]:
    """Return the hand with a key over each card that may be played."""
    game = view.cheez_tricks
    keys = {
        (offer.cheez_tricks.play_card.card.suit, offer.cheez_tricks.play_card.card.value): key
        for key, offer in enumerate(keyed(view), 1)
    }
    above, row = Text("  "), Text("  ")
    for _, suit in groupby(hand_order(game.hand, game.trump), key=lambda card: card.suit):
        for card in suit:
            key = keys.get((card.suit, card.value))
            above.append(f"{key or '':^6}", style="bold")
            row.append_text(card_face(card, key is not None)).append(" ")
        above.append(" ")
        row.append(" ")
    return [above, row]
