"""What happens, told in one line each."""

from collections.abc import Sequence

from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as proto
from cheeseboard_terminal.games.cheez_tricks import cats
from cheeseboard_terminal.games.cheez_tricks.cards import card_text, suit_text
from cheeseboard_terminal.people import People, listing


class CheezTricksTeller:
    """Knows the cats on the table and the cards of the trick, for events name neither."""

    def __init__(self, game: proto.View) -> None:
        self._cats: list[proto.Cat] = [on_table.cat for on_table in game.cats]
        self._plays: list[proto.CardPlayed] = [
            proto.CardPlayed(seat=play.seat, card=play.card) for play in game.trick.plays
        ]
        self._trick = game.last_trick.number

    def tell(self, event: tables_pb2.TableEvent, people: People) -> Sequence[Text]:
        """Return the lines for an event."""
        it = event.cheez_tricks
        match it.WhichOneof("event"):
            case "round_started":
                return self._round_started(it.round_started, people)
            case "trump_set":
                return [_trump_set(it.trump_set, people)]
            case "card_played":
                return [self._card_played(it.card_played, people)]
            case "trick_won":
                return [self._trick_won(it.trick_won, people)]
            case "cat_decided":
                return [self._cat_decided(it.cat_decided, people)]
            case "round_played":
                return [Text(f"Round {it.round_played.round} is played; its points are being counted.")]
            case "round_scored":
                return [_round_scored(it.round_scored, people)]
            case "game_ended":
                return [Text("The game is over.", style="bold")]
        return []

    def _round_started(self, event: proto.RoundStarted, people: People) -> list[Text]:
        self._cats, self._plays, self._trick = list(event.cats), [], 0
        names = Text(", ").join(cats.name_text(cat) for cat in event.cats)
        leads = people.does(event.starter, "lead")
        return [Text.assemble((f"Round {event.round}", "bold"), f": {leads} first. Cats: ", names, ".")]

    def _card_played(self, event: proto.CardPlayed, people: People) -> Text:
        verb = "play" if self._plays else "lead"
        self._plays.append(event)
        text = Text.assemble(people.does(event.seat, verb), " ", card_text(event.card))
        return text.append(" (by the engine)" if event.by_engine else "")

    def _trick_won(self, event: proto.TrickWon, people: People) -> Text:
        card = next((play.card for play in self._plays if play.seat == event.seat), None)
        self._plays, self._trick = [], event.trick
        text = Text.assemble((people.does(event.seat, "win"), "bold"), f" trick {event.trick}")
        return Text.assemble(text, " with ", card_text(card)) if card else text

    def _cat_decided(self, event: proto.CatDecided, people: People) -> Text:
        cat = self._cats[event.cat_index] if event.cat_index < len(self._cats) else proto.Cat()
        if not event.seats:
            return Text.assemble(cats.name_text(cat), " catches nobody")
        caught = listing([people.mention(seat) for seat in event.seats])
        return Text.assemble("☠ ", cats.name_text(cat), (f" catches {caught}!", "bold red"))


def _trump_set(event: proto.TrumpSet, people: People) -> Text:
    if not event.HasField("seat"):
        return Text.assemble("Trump is drawn: ", suit_text(event.suit))
    text = Text.assemble(people.does(event.seat, "choose"), " trump: ", suit_text(event.suit))
    return text.append(" (by the engine)" if event.by_engine else "")


def _round_scored(event: proto.RoundScored, people: People) -> Text:
    points = ", ".join(f"{people.mention(seat)} {at.points}" for seat, at in enumerate(event.score.seats))
    return Text.assemble((f"Points of round {event.score.round}: ", "bold"), points)
