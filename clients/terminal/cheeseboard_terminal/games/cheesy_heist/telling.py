"""What happens, told in one line each."""

from collections.abc import Sequence

from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as proto
from cheeseboard_terminal.games.cheesy_heist.cards import a_card, card_text, counted, in_words, set_name
from cheeseboard_terminal.people import People

_ENGINE = " (by the engine)"
_TOO_LATE = ", too late: it is wasted"


class CheesyHeistTeller:
    """Every event tells all that is to be told of it."""

    def tell(self, event: tables_pb2.TableEvent, people: People) -> Sequence[Text]:
        """Return the lines for an event."""
        it = event.cheesy_heist
        match it.WhichOneof("event"):
            case "game_started":
                return [_game_started(it.game_started, people)]
            case "card_drawn":
                return [_card_drawn(it.card_drawn, people)]
            case "mirages_played":
                return [_mirages_played(it.mirages_played, people)]
            case "thief_played":
                return [_thief_played(it.thief_played, people)]
            case "grater_played":
                return [_grater_played(it.grater_played, people)]
            case "gift_played":
                gift = it.gift_played
                return [Text.assemble(f"{people.does(gift.seat, 'give')} {people.mention(gift.target)} a ", _CAT)]
            case "cat_played":
                return [Text(f"{people.does(it.cat_played.seat, 'let')} the Cat loose!", style="bold red")]
            case "last_drop_called":
                return [_last_drop(it.last_drop_called, people)]
            case "vault_played":
                vault = it.vault_played
                opened = f"{people.does(vault.seat, 'open')} a Cheese Vault{_TOO_LATE if vault.wasted else ''}"
                return [Text(opened, style="bold green")]
            case "decoy_played":
                return [_decoy_played(it.decoy_played, people)]
            case "cards_dropped":
                return [_cards_dropped(it.cards_dropped, people)]
            case "card_taken":
                return [_card_taken(it.card_taken, people)]
            case "hands_counted":
                return [Text("The game is decided: all hands lie open.", style="bold")]
            case "game_ended":
                return [Text("The game is over.", style="bold")]
        return []


_CAT = card_text(proto.CARD_CAT)


def _game_started(event: proto.GameStarted, people: People) -> Text:
    return Text(f"{people.does(event.dealer, 'deal')}. Whoever has {event.goal} Cheese and no Cat wins.")


def _card_drawn(event: proto.CardDrawn, people: People) -> Text:
    drawn = a_card(event.card)
    return Text.assemble(people.does(event.seat, "draw"), " ", drawn, _ENGINE if event.by_engine else "")


def _mirages_played(event: proto.MiragesPlayed, people: People) -> Text:
    who = people.does(event.seat, "play")
    shows = people.does(event.target, "show", within=True)
    return Text.assemble(f"{who} {set_name(event.cards)}: ", (f"{shows} {counted(event.shown)}", "cyan"))


def _thief_played(event: proto.ThiefPlayed, people: People) -> Text:
    stolen = a_card(event.card)
    return Text.assemble(people.does(event.seat, "steal"), " ", stolen, f" from {people.mention(event.target)}")


def _grater_played(event: proto.GraterPlayed, people: People) -> Text:
    count = "two" if event.count == 2 else "one"
    text = Text(f"{people.does(event.seat, 'grate')} {count} of {people.whose(event.target)} cards into the draw pile")
    return text.append(f": {in_words(event.cards)}" if event.cards else "")


def _last_drop(event: proto.LastDropCalled, people: People) -> Text:
    called = people.does(event.seat, "call", within=True)
    text = f"Nothing is left to draw: {called} the last drop!{_ENGINE if event.by_engine else ''}"
    return Text(text, style="bold red")


def _decoy_played(event: proto.DecoyPlayed, people: People) -> Text:
    what = _TOO_LATE if event.wasted else ": everyone takes back what was dropped"
    return Text(f"{people.does(event.seat, 'play')} a Decoy{what}", style="bold green")


def _cards_dropped(event: proto.CardsDropped, people: People) -> Text:
    text = Text(f"{people.does(event.seat, 'drop')} {event.count or 'no'} card{'' if event.count == 1 else 's'}")
    if event.kept_count:
        text.append(f" and {'keep' if event.seat == people.viewer else 'keeps'} {event.kept_count}")
    return text.append(_ENGINE if event.by_engine else "")


def _card_taken(event: proto.CardTaken, people: People) -> Text:
    own, taken = event.owner == event.seat, a_card(event.card)
    whence = "" if own else f" from {people.mention(event.owner)}"
    takes = people.does(event.seat, "take back" if own else "take")
    return Text.assemble(takes, " ", taken, whence, _ENGINE if event.by_engine else "")
