"""The board: how the deal stands, seats with bids and values, the trick and one's own hand."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as proto
from cheeseboard_terminal.games.cheat_trick.cards import card_face, card_text, hand_order, key_of, rank, suit_text
from cheeseboard_terminal.games.cheat_trick.choosing import keyed, why_not_all
from cheeseboard_terminal.games.cheat_trick.words import declaration
from cheeseboard_terminal.games.contract import Section
from cheeseboard_terminal.people import People

CARDS_A_ROW = 12
PHASES = {
    proto.PHASE_VOTE: "vote",
    proto.PHASE_BID: "bidding",
    proto.PHASE_LAST_QUESTION: "last accusations",
    proto.PHASE_SPLIT: "splits",
    proto.PHASE_SCORING: "scores",
}


def sections(view: tables_pb2.TableView, people: People) -> Sequence[Section]:
    """Return the parts of the board, the hand last."""
    parts = [
        Section(standing(view, people), _said(view, people)),
        Section(Text("Table"), _seats(view, people)),
        Section(*_trick(view, people)),
    ]
    if view.HasField("viewer"):
        reason = why_not_all(view)
        title = Text.assemble("Your hand", (f": {reason}" if reason else "", "yellow"))
        parts.append(Section(title, Group(*_hand_lines(view))))
    return parts


def briefly(view: tables_pb2.TableView, people: People) -> Sequence[Text]:
    """Return the same in few lines, for terminals that only print."""
    game = view.cheat_trick
    lines = [standing(view, people), _said(view, people)]
    for seat, at in enumerate(game.seats):
        lines.append(
            Text(
                f"  seat {seat + 1} {people.name(seat)}: bid {_bid(game, seat)}, {at.tricks} tricks, {at.total} points"
            )
        )
    if game.trick.plays:
        best = winning(view)
        cards = [
            Text.assemble(f"{people.name(play.seat)} ", card_text(play.card), " (winning)" if play.seat == best else "")
            for play in game.trick.plays
        ]
        lines.append(Text.assemble("  on the table: ", Text(", ").join(cards)))
    reason = why_not_all(view)
    return [*lines, *_hand_lines(view), *([Text(f"  {reason}")] if reason else [])]


def standing(view: tables_pb2.TableView, people: People) -> Text:
    """Return round, phase and trump."""
    game = view.cheat_trick
    text = Text(f"Round {game.round} of {game.rounds} · {people.does(game.dealer, 'deal', within=True)}")
    if game.trick.number:
        text.append(f" · trick {game.trick.number} of {game.tricks_in_round}")
    elif game.phase in PHASES:
        text.append(f" · {PHASES[game.phase]}")
    if game.phase == proto.PHASE_VOTE:
        return text.append(f" on deal {game.deal}")
    text.append(" · trump ").append_text(suit_text(game.trump) if game.trump else Text("none", style="bold"))
    if game.HasField("turned_up"):
        text.append(" (").append_text(card_text(game.turned_up)).append(" turned up)")
    return text


def _said(view: tables_pb2.TableView, people: People) -> Text:
    """Return in one line what was said of late: declarations, then bids, then knocks and accusations."""
    game = view.cheat_trick
    if game.phase == proto.PHASE_VOTE:
        parts = [f"{people.name(said.seat)}: {declaration(said)}" for said in game.declarations]
        return (
            Text(f"Declared (true or not): {', '.join(parts)}") if parts else _line("", [], "nothing is declared yet")
        )
    if game.phase == proto.PHASE_BID:
        parts = [
            f"{people.name(call.seat)}: {call.tricks if call.HasField('tricks') else 'pass'}" for call in game.calls
        ]
        return _line("Bids: ", parts, "nobody has bid yet")
    knocks = [people.name(knock.seat) for knock in game.knocks if knock.trick == game.trick.number]
    parts = [
        f"{people.name(made.accuser)} caught {people.mention(made.seat)}" for made in game.accusations if made.right
    ]
    parts += [f"{people.name(made.accuser)} accused wrongly" for made in game.accusations if not made.right]
    return _line("", [*([f"Knocked now: {', '.join(knocks)}"] if knocks else []), *parts], "")


def _line(title: str, parts: Sequence[str], nothing: str) -> Text:
    return Text(
        title + ", ".join(parts) if parts else nothing, style="" if parts else "dim", overflow="ellipsis", no_wrap=True
    )


def _bid(game: proto.View, seat: int) -> str:
    """Return "3 × 2" for a bid of three whose tricks are worth two; "3" while the seat has not passed."""
    at = game.seats[seat]
    return f"{at.bid} × {at.passed_as}" if at.passed_as else str(at.bid)


def _seats(view: tables_pb2.TableView, people: People) -> RenderableType:
    game = view.cheat_trick
    asked = {question.seat for question in view.prompt.questions if question.HasField("seat")}
    voting = game.phase == proto.PHASE_VOTE
    table = Table.grid(padding=(0, 2))
    table.add_column(min_width=24)
    heads = ("", "hand", "votes" if voting else "bid × worth", "tricks", "points", "vetoes", "open")
    table.add_row(*(Text(title, style="dim") for title in heads))
    for seat, at in enumerate(game.seats):
        vote = Text("play" if seat in game.voted_to_play else "") if voting else Text(_bid(game, seat), style="bold")
        opened = card_text(at.open_card) if at.HasField("open_card") else Text("")
        row = (
            str(at.hand_count),
            vote,
            Text(str(at.tricks), style="bold"),
            str(at.total),
            str(at.vetoes or ""),
            opened,
        )
        table.add_row(_who(view, seat, people, seat in asked), *row)
    return table


def _who(view: tables_pb2.TableView, seat: int, people: People, asked: bool) -> Text:
    text = Text.assemble(
        ("▶" if asked else " ", "bold yellow"),
        (f"{seat + 1} ", "dim"),
        (people.name(seat), "bold" if seat == people.viewer else ""),
    )
    team = f"team {'AB'[seat % 2]}" if view.options.game.cheat_trick.teams else ""
    notes = ["" if people.seats[seat].player.bot else people.standing(seat), team]
    told = ", ".join(note for note in notes if note)
    return text.append(f" ({told})" if told else "", style="dim")


def _trick(view: tables_pb2.TableView, people: People) -> tuple[Text, RenderableType]:
    game = view.cheat_trick
    if game.HasField("last_trick") and not game.trick.plays:
        done = game.last_trick
        title = Text(f"Trick {done.number}, taken by {people.mention(done.winner)}")
        return title, _row_of_plays(done.plays, people, done.winner)
    if not game.trick.plays:
        return Text("Trick"), Group(Text("no trick yet", style="dim"), Text(""))
    return Text(f"Trick {game.trick.number}"), _row_of_plays(game.trick.plays, people, winning(view))


def winning(view: tables_pb2.TableView) -> int | None:
    """Return the seat whose card would take the trick as it lies; None before there is one that can."""
    game, maternal = view.cheat_trick, view.options.game.cheat_trick.maternal_suits
    plays = [play for play in game.trick.plays if play.card.suit != proto.SUIT_FOOL]
    if not plays:
        return None
    trumps = [play for play in plays if play.card.suit == game.trump]
    led = [play for play in plays if play.card.suit == plays[0].card.suit]
    return max(trumps or led, key=lambda play: rank(play.card, maternal)).seat


def _row_of_plays(plays: Sequence[proto.Play], people: People, winner: int | None) -> RenderableType:
    table = Table.grid(padding=(0, 3))
    table.add_row(*(Text(people.name(play.seat), style="bold" if play.seat == winner else "") for play in plays))
    table.add_row(*(_played(play, at == 0, play.seat == winner) for at, play in enumerate(plays)))
    return table


def _played(play: proto.Play, led: bool, wins: bool) -> Text:
    text = card_text(play.card)
    text.append(" led" if led else "", style="dim")
    return text.append(" ★" if wins else "", style="bold yellow")


def _hand_lines(view: tables_pb2.TableView) -> list[Text]:
    """Return the hand, in rows, with a key over each card that may be played."""
    game, maternal = view.cheat_trick, view.options.game.cheat_trick.maternal_suits
    offers = {key_of(offer.cheat_trick.play_card.card): (at, offer) for at, offer in enumerate(keyed(view), 1)}
    cards, lines = hand_order(game.hand, game.trump, maternal), list[Text]()
    for start in range(0, len(cards), CARDS_A_ROW):
        above, row = Text("  "), Text("  ")
        for card in cards[start : start + CARDS_A_ROW]:
            key, offer = offers.get(key_of(card), (None, None))
            above.append(f"{key or '':^6}", style="bold")
            row.append_text(card_face(card, key is not None, bool(offer and offer.cheat_trick.reneges))).append(" ")
        lines += [above, row] if offers else [row]
    return lines
