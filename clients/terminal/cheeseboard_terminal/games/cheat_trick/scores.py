"""The score sheet of a round, which explains every point, and the final ranking."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as proto
from cheeseboard_client import CheeseboardError, Record, verify_deal
from cheeseboard_terminal.games.cheat_trick.words import tricks
from cheeseboard_terminal.people import People

PLACES = ("1st", "2nd", "3rd", "4th")


def score_sheet(view: tables_pb2.TableView, people: People, round_number: int, record: Record | None) -> RenderableType:
    """Return how the points of a scored round came to be."""
    game, teams = view.cheat_trick, view.options.game.cheat_trick.teams
    score = next(each for each in game.scored if each.round == round_number)
    return Group(
        Text(f"Round {round_number} of {game.rounds}: how the points came", style="bold"),
        Text(""),
        _table(game, score, people, teams),
        Text(""),
        *(_sentence(score, seat, people) for seat in range(len(score.seats))),
        *([Text("Partners have the points of their team: the sum of both.", style="dim")] if teams else []),
        *_accusations(record, round_number, people),
        *_checked(record, round_number),
    )


def _table(game: proto.View, score: proto.RoundScore, people: People, teams: bool) -> Table:
    table = Table.grid(padding=(0, 3))
    for at in range(7):
        table.add_column(justify="right" if at else "left")
    heads = ("", "took", "counted", "bid", "each worth", "team" if teams else "points", "game")
    table.add_row(*(Text(head, style="dim") for head in heads))
    for seat, got in enumerate(score.seats):
        total = sum(each.seats[seat].points for each in game.scored if each.round <= score.round)
        table.add_row(
            Text(people.name(seat), style="bold" if seat == people.viewer else ""),
            str(got.won),
            str(got.counted),
            str(got.bid),
            f"× {got.trick_value}",
            Text(f"= {got.points}", style="bold"),
            str(total),
        )
    return table


def _sentence(score: proto.RoundScore, seat: int, people: People) -> Text:
    """Return "You: 5 tricks, 2 above the bid of 3, × 4 = 8"; and why the tricks are not those that were taken."""
    at, name = score.seats[seat], people.name(seat)
    over = at.counted - at.bid
    against = (
        f"{abs(over)} {'above' if over > 0 else 'below'} the bid of {at.bid}" if over else f"just the bid of {at.bid}"
    )
    moved = f" ({at.won} taken)" if at.won != at.counted else ""
    told = f": {tricks(at.counted)}{moved}, {against}, × {at.trick_value} = {at.own_points}"
    return Text.assemble((name, "bold" if seat == people.viewer else ""), told)


def _accusations(record: Record | None, round_number: int, people: People) -> list[Text]:
    """Return the accusations of the round: the record is open when it is scored."""
    current, made = 0, list[proto.AccusationMade]()
    for envelope in record.events if record else ():
        event = envelope.cheat_trick
        if event.HasField("round_started"):
            current = event.round_started.round
        if current == round_number and event.HasField("accusation_made"):
            made.append(event.accusation_made)
    told = [
        f"{people.name(each.accuser)} of {people.mention(each.seat)} in trick {each.trick} "
        + ("(right)" if each.right else "(wrong)")
        for each in made
    ]
    return [Text(f"Accusations: {', '.join(told)}.", style="dim")] if told else []


def _checked(record: Record | None, round_number: int) -> list[Text]:
    """Return the outcome of checking the deal against what was committed to before the first card."""
    if record is None:
        return []
    try:
        checked = verify_deal(record.options, record.events)
    except CheeseboardError as error:
        return [Text(f"✗ {error}", style="bold red")]
    if round_number not in [deal.round for deal in checked if "plays" in deal.checked]:
        return []
    return [Text("✓ The deal was checked: it is the one committed to before the first card.", style="dim green")]


def ranking(game: proto.View, people: People) -> RenderableType:
    """Return the final ranking."""
    table = Table.grid(padding=(0, 3))
    table.add_row(*(Text(head, style="dim") for head in ("", "", "points", "by round")))
    for seat in sorted(range(len(game.places)), key=lambda seat: (game.places[seat], seat)):
        points = [score.seats[seat].points for score in game.scored]
        table.add_row(
            Text(PLACES[game.places[seat] - 1], style="bold"),
            Text(people.name(seat), style="bold" if seat == people.viewer else ""),
            Text(str(sum(points)), style="bold"),
            " + ".join(map(str, points)).replace("+ -", "- "),
        )
    winners = [seat for seat, place in enumerate(game.places) if place == 1]
    alone = len(winners) == 1
    headline = f"{people.does(winners[0], 'win')} the game!" if alone else f"{people.names(winners)} share the victory!"
    return Group(Text(headline, style="bold yellow"), Text(""), table)
