"""The board: the seats, what lies on the table, one's own hand and what may be done."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as proto
from cheeseboard_terminal.games.cheesy_heist.cards import card_text, counted
from cheeseboard_terminal.games.cheesy_heist.choosing import concrete, keeping, target, verb
from cheeseboard_terminal.games.contract import Section
from cheeseboard_terminal.people import People


def sections(view: tables_pb2.TableView, people: People) -> Sequence[Section]:
    """Return the parts of the board, what may be done last."""
    game = view.cheesy_heist
    parts = [Section(_standing(game, people), _seats(view, people))]
    if any(seat.lying for seat in game.seats):
        parts.append(Section(_lying_title(game, people), Group(*_lying(view, people))))
    if view.HasField("viewer"):
        parts.append(Section(Text("Your hand"), _hand(view)))
    choices = list(_choices(view, people))
    return [*parts, Section(Text("You may"), Group(*choices))] if choices else parts


def briefly(view: tables_pb2.TableView, people: People) -> Sequence[Text]:
    """Return the same in few lines, for terminals that only print."""
    game = view.cheesy_heist
    lines = [_standing(game, people)]
    lines.append(Text(f"  hands: {', '.join(f'{people.name(i)}: {at.hand_count}' for i, at in enumerate(game.seats))}"))
    lines += [Text(f"  {people.name(shown.seat)} showed: {counted(shown.cards)}") for shown in game.shown]
    lines += [Text.assemble("  ", line) for line in _lying(view, people)]
    lines.append(Text.assemble("  your hand: ", _hand(view)))
    return [*lines, *(Text.assemble("  ", line) for line in _choices(view, people))]


def _standing(game: proto.View, people: People) -> Text:
    text = Text(f"Turn {game.turn}, {people.whose(game.turn_seat)} turn · {game.goal} Cheese and no Cat win · ")
    return text.append(f"{game.draw_count} to draw")


def _seats(view: tables_pb2.TableView, people: People) -> RenderableType:
    game = view.cheesy_heist
    asked = {question.seat for question in view.prompt.questions if question.HasField("seat")}
    table = Table.grid(padding=(0, 2))
    table.add_column(min_width=18)
    for seat, at in enumerate(game.seats):
        table.add_row(
            _who(seat, people, seat in asked), Text(f"{at.hand_count} in hand"), _state(game, seat, seat in asked)
        )
    return table


def _who(seat: int, people: People, asked: bool) -> Text:
    text = Text.assemble(
        ("▶ " if asked else "  ", "bold yellow"), (people.name(seat), "bold" if seat == people.viewer else "")
    )
    standing = "" if people.seats[seat].player.bot else people.standing(seat)
    return text.append(f" ({standing})" if standing else "", style="dim")


def _state(game: proto.View, seat: int, asked: bool) -> Text:
    """Return what is to be said of a seat now: its part in a reaction window, or the hands it had to show."""
    at = game.seats[seat]
    if game.phase == proto.PHASE_REACTION:
        vault = " · Vault" if at.vaulted else ""
        if at.choosing and asked:
            return Text(f"chooses what to keep{vault}", style="green")
        return Text(f"{'has dropped' if at.down else 'not yet' if asked else 'no cards'}{vault}", style="dim")
    shown = [counted(each.cards) for each in game.shown if each.seat == seat]
    if shown:
        return Text(f"showed {', then '.join(shown)}", style="cyan", overflow="ellipsis", no_wrap=True)
    return Text(counted(at.hand), overflow="ellipsis", no_wrap=True) if at.hand else Text("")


def _lying_title(game: proto.View, people: People) -> Text:
    title = Text("On the table")
    if game.phase == proto.PHASE_COLLECTION:
        title.append(f": {people.does(game.collector, 'take', within=True)} a card")
    return title


def _lying(view: tables_pb2.TableView, people: People) -> Iterator[Text]:
    """Yield a line for each seat before which cards lie, with the numbers by which the viewer may take them."""
    game = view.cheesy_heist
    numbers = {
        (offer.cheesy_heist.take_card.owner, offer.cheesy_heist.take_card.place): number
        for number, offer in enumerate(concrete(view), 1)
        if offer.cheesy_heist.HasField("take_card")
    }
    for seat, at in enumerate(game.seats):
        if at.lying:
            line = Text(f"{people.name(seat)}: ")
            for lying in at.lying:
                line.append(f" {numbers.get((seat, lying.place), '')}".rstrip(), style="bold")
                line.append_text(Text.assemble(" ", card_text(lying.card)) if lying.card else Text(" ▒"))
            yield line


def _hand(view: tables_pb2.TableView) -> Text:
    """Return the hand, its cards numbered while some of them are chosen."""
    if not view.cheesy_heist.hand:
        return Text("empty", style="dim")
    if not keeping(view):
        kinds = [(card, len(list(alike))) for card, alike in groupby(view.cheesy_heist.hand)]
        return Text("   ").join(Text.assemble(card_text(card), f" ×{n}" if n > 1 else "") for card, n in kinds)
    cards = enumerate(view.cheesy_heist.hand, 1)
    return Text("  ").join(Text.assemble((f"{number} ", "bold"), card_text(card)) for number, card in cards)


def _choices(view: tables_pb2.TableView, people: People) -> Iterator[Text]:
    """Yield what may be done, numbered: one line for all that has no target, one for each card that has."""
    offers = [(number, offer) for number, offer in enumerate(concrete(view), 1)]
    offers = [(number, offer) for number, offer in offers if not offer.cheesy_heist.HasField("take_card")]
    plain = [(number, offer) for number, offer in offers if target(offer) is None]
    if plain and not keeping(view):
        yield Text("   ").join(Text.assemble((f"{number} ", "bold"), verb(offer)) for number, offer in plain)
    aimed = [(number, offer) for number, offer in offers if target(offer) is not None]
    for what, alike in groupby(aimed, key=lambda each: verb(each[1])):
        line = Text(what)
        for number, offer in alike:
            line.append(f"  {number} ", style="bold").append(people.name(target(offer) or 0))
        yield line
