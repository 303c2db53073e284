"""The score sheet of a round, which explains every point, and the final ranking."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as proto
from cheeseboard_client import CheeseboardError, Record, verify_deal
from cheeseboard_terminal.games.cheez_tricks import cats
from cheeseboard_terminal.games.cheez_tricks.cards import card_text
from cheeseboard_terminal.games.cheez_tricks.cats import tricks
from cheeseboard_terminal.people import People, listing

QUARREL = Text("Three cats quarrel, and the mouse gets away with the most.", style="dim")
NUMBERS = ("no cat", "one cat", "two cats", "all three cats")


def score_sheet(game: proto.View, people: People, round_number: int, record: Record | None) -> RenderableType:
    """Return how the points of a scored round came to be."""
    score = next(each for each in game.scored if each.round == round_number)
    airy = [Text("")] if len(score.seats) < 4 else []  # Four and five fill the smallest screen.
    return Group(
        Text(f"Round {round_number} of {game.rounds}: how the points came", style="bold"),
        *airy,
        _table(game, score, people),
        *airy,
        _captures(score, people, Piles.of(record, round_number)),
        *airy,
        *(_sentence(score, seat, people) for seat in range(len(score.seats))),
        *([QUARREL] if any(at.cats == 3 for at in score.seats) else []),
        *_last_trick(record, round_number, people),
        *_checked(record, round_number),
    )


def _table(game: proto.View, score: proto.RoundScore, people: People) -> Table:
    table = Table.grid(padding=(0, 3))
    for at in range(6):
        table.add_column(justify="right" if 0 < at < 5 else "left")
    heads = ("", "tricks", "each worth", "points", "game", "cats")
    table.add_row(*(Text(head, style="dim") for head in heads))
    for seat, got in enumerate(score.seats):
        total = sum(each.seats[seat].points for each in game.scored if each.round <= score.round)
        table.add_row(
            Text(people.name(seat), style="bold" if seat == people.viewer else ""),
            str(got.tricks),
            f"× {got.points_per_trick}",
            Text(f"= {got.points}", style="bold"),
            str(total),
            Text(str(got.cats or "–"), style="red" if got.cats else "dim"),
        )
    return table


def _cats_of(score: proto.RoundScore, seat: int) -> list[str]:
    return [cats.name(on_table.cat) for on_table in score.cats if seat in on_table.caught_seats]


def _sentence(score: proto.RoundScore, seat: int, people: People) -> Text:
    """Return "You: 4 tricks × 1 = 4, because one cat caught you: Grey 8s." """
    at, name = score.seats[seat], people.name(seat)
    caught = "you" if seat == people.viewer else "them"
    reason = f"{NUMBERS[min(at.cats, 3)]} caught {caught}"
    if 0 < at.cats < 3:
        reason += f": {listing(_cats_of(score, seat))}"
    sum_up = f"{tricks(at.tricks)} × {at.points_per_trick} = {at.points}"
    return Text.assemble((name, "bold" if seat == people.viewer else ""), f": {sum_up}, because {reason}.")


def _last_trick(record: Record | None, round_number: int, people: People) -> Iterator[Text]:
    """Yield the cards of the round's last trick: the sheet takes the place of the table where they lie."""
    plays: list[proto.CardPlayed] = []
    for event in _events_of(record, round_number) if record else ():
        if event.HasField("card_played"):
            plays.append(event.card_played)
        elif event.HasField("trick_won") and len(plays) > 0:
            last, winner, plays = plays, event.trick_won.seat, []
        elif event.HasField("round_played"):
            cards = [Text.assemble(f"{people.name(p.seat)} ", card_text(p.card)) for p in last]
            wins = people.does(winner, "win", within=True)
            yield Text.assemble("The last trick: ", Text(", ").join(cards), f"; {wins} it.")
            return


class Piles:
    """Who won what in a round, from the record: it is open when the round is scored."""

    def __init__(self, seats: int) -> None:
        self.cards: list[list[proto.Card]] = [[] for _ in range(seats)]
        self.tricks: list[list[int]] = [[] for _ in range(seats)]

    @classmethod
    def of(cls, record: Record | None, round_number: int) -> "Piles | None":
        """Return the piles at the end of a round, None without a record of it."""
        if record is None:
            return None
        piles, trick = cls(record.options.seats), list[proto.Card]()
        events = list(_events_of(record, round_number))
        for event in events:
            if event.HasField("card_played"):
                trick.append(event.card_played.card)
            elif event.HasField("trick_won"):
                piles.cards[event.trick_won.seat] += trick
                piles.tricks[event.trick_won.seat].append(event.trick_won.trick)
                trick = []
        return piles if events else None


def _events_of(record: Record, round_number: int) -> Iterator[proto.Event]:
    current = 0
    for envelope in record.events:
        event = envelope.cheez_tricks
        if event.HasField("round_started"):
            current = event.round_started.round
        if current == round_number:
            yield event


def _captures(score: proto.RoundScore, people: People, piles: Piles | None) -> Table:
    table = Table.grid(padding=(0, 2))
    for on_table in score.cats:
        table.add_row(cats.name_text(on_table.cat), Text(_how(on_table, people, piles)))
    return table


def _how(on_table: proto.CatOnTable, people: People, piles: Piles | None) -> str:
    """Return how a cat came to its captures."""
    told = f"{cats.wish(on_table.cat)}: {people.names(on_table.caught_seats)}"
    if len(on_table.caught_seats) > 1:
        told += " (all who tie are caught)"
    numbers = _numbers(on_table.cat, piles)
    if numbers is None:
        return told
    # Owning none is what an orange cat looks for.
    count = cats.tally(numbers, people, nothing=on_table.cat.HasField("orange"))
    return f"{told[:-1]}; {count})" if told.endswith(")") else f"{told} ({count})"


def _numbers(cat: proto.Cat, piles: Piles | None) -> Sequence[int] | None:
    if piles is None:
        return None
    won = [len(tricks_won) for tricks_won in piles.tricks]
    of = cats.counted(cat)
    if of is not None:
        return cats.counts(of, piles.cards, won)
    return won if cat.HasField("tuxedo") else None


def _checked(record: Record | None, round_number: int) -> list[Text]:
    """Return the outcome of checking the deal against what was committed to before the first card."""
    if record is None:
        return []
    try:
        checked = verify_deal(record.options, record.events)
    except CheeseboardError as error:
        return [Text(f"✗ {error}", style="bold red")]
    if round_number not in [deal.round for deal in checked]:
        return []
    return [Text("✓ The deal was checked: it is the one committed to before the first card.", style="dim green")]


def ranking(game: proto.View, people: People) -> RenderableType:
    """Return the final ranking with its tie-breaks."""
    rows = sorted(range(len(game.places)), key=lambda seat: (game.places[seat], seat))
    table = Table.grid(padding=(0, 3))
    table.add_row(*(Text(head, style="dim") for head in ("", "", "points", "best round", "by round")))
    for seat in rows:
        points = _points(game, seat)
        table.add_row(
            Text(cats.ordinal(game.places[seat]), style="bold"),
            Text(people.name(seat), style="bold" if seat == people.viewer else ""),
            Text(str(sum(points)), style="bold"),
            str(max(points, default=0)),
            " + ".join(map(str, points)),
        )
    return Group(Text(_headline(game, people), style="bold yellow"), Text(""), table, Text(""), *_ties(game, people))


def _points(game: proto.View, seat: int) -> list[int]:
    return [score.seats[seat].points for score in game.scored]


def _headline(game: proto.View, people: People) -> str:
    winners = [seat for seat, place in enumerate(game.places) if place == 1]
    if len(winners) == 1:
        return f"{people.does(winners[0], 'win')} the game!"
    return f"{people.names(winners)} share the victory!"


def _ties(game: proto.View, people: People) -> list[Text]:
    """Return a line for every group of seats with equal points."""
    by_total: dict[int, list[int]] = {}
    for seat in range(len(game.places)):
        by_total.setdefault(sum(_points(game, seat)), []).append(seat)
    return [
        _tie(game, total, seats, people) for total, seats in sorted(by_total.items(), reverse=True) if len(seats) > 1
    ]


def _tie(game: proto.View, total: int, seats: Sequence[int], people: People) -> Text:
    bests = [f"{people.name(seat)}: {max(_points(game, seat), default=0)}" for seat in seats]
    told = f"{people.names(seats)} tie at {total}: the best single round decides ({', '.join(bests)})"
    if len({game.places[seat] for seat in seats}) < len(seats):
        told += "; equal there too means the same place"
    return Text(f"{told}.", style="dim")
