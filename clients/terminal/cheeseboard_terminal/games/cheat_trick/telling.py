"""What happens, told in one line each."""

from collections.abc import Sequence

from rich.text import Text

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as proto
from cheeseboard_terminal.games.cheat_trick.cards import card_text, suit_text
from cheeseboard_terminal.games.cheat_trick.words import declaration, tricks
from cheeseboard_terminal.people import People


class CheatTrickTeller:
    """Knows the cards of the trick, for who takes it does not say with which."""

    def __init__(self, game: proto.View) -> None:
        self._plays: list[tuple[int, proto.Card]] = [(play.seat, play.card) for play in game.trick.plays]

    def tell(self, event: tables_pb2.TableEvent, people: People) -> Sequence[Text]:
        """Return the lines for an event."""
        it = event.cheat_trick
        match it.WhichOneof("event"):
            case "round_started":
                return [_round_started(it.round_started, people)]
            case "packet_dealt" if it.packet_dealt.deal > 1:
                return [Text(f"Deal {it.packet_dealt.deal}: everybody has new cards.")]
            case "declared":
                return [Text(f"{people.does(it.declared.seat, 'declare')}: {declaration(it.declared)}")]
            case "voted":
                return [_voted(it.voted, people)]
            case "deal_completed":
                return [_trump(it.deal_completed)]
            case "bid_raised":
                return [Text(f"{people.does(it.bid_raised.seat, 'bid')} {tricks(it.bid_raised.tricks)}")]
            case "passed":
                return [Text(people.does(it.passed.seat, "pass") + _engine(it.passed.by_engine))]
            case "card_played":
                return [self._card_played(it.card_played, people)]
            case "trick_won":
                return [self._trick_won(it.trick_won, people)]
            case "knocked":
                return [Text(f"{people.does(it.knocked.seat, 'knock')}, claiming the highest trump", style="bold")]
            case "accusation_made":
                return [_accusation(it.accusation_made, people)]
            case "last_question_asked":
                return [Text("All tricks are played: the last chance to accuse.")]
            case "tricks_settled":
                given = sum(it.tricks_settled.gave)
                return [Text(f"{tricks(given)} {'is' if given == 1 else 'are'} given to accusers.")] if given else []
            case "tricks_split":
                return _split(it.tricks_split, people)
            case "round_played":
                return [Text(f"Round {it.round_played.round} is played; its points are being counted.")]
            case "round_scored":
                return [_round_scored(it.round_scored, people)]
            case "game_ended":
                return [Text("The game is over.", style="bold")]
        return []

    def _card_played(self, event: proto.CardPlayed, people: People) -> Text:
        verb = "play" if self._plays else "lead"
        self._plays.append((event.seat, event.card))
        return Text.assemble(people.does(event.seat, verb), " ", card_text(event.card), _engine(event.by_engine))

    def _trick_won(self, event: proto.TrickWon, people: People) -> Text:
        card = next((card for seat, card in self._plays if seat == event.seat), None)
        self._plays = []
        text = Text.assemble((people.does(event.seat, "take"), "bold"), f" trick {event.trick}")
        return Text.assemble(text, " with ", card_text(card)) if card else text


def _engine(by_engine: bool) -> str:
    return " (by the engine)" if by_engine else ""


def _round_started(event: proto.RoundStarted, people: People) -> Text:
    deals, begins = people.does(event.dealer, "deal"), people.does(event.first, "begin", within=True)
    return Text.assemble((f"Round {event.round}", "bold"), f": {deals}, {begins}.")


def _voted(event: proto.Voted, people: People) -> Text:
    if event.veto:
        return Text.assemble((people.does(event.seat, "veto"), "bold"), " this deal", _engine(event.by_engine))
    return Text(f"{people.does(event.seat, 'vote')} to play{_engine(event.by_engine)}")


def _trump(event: proto.DealCompleted) -> Text:
    if not event.trump:
        return Text.assemble("There is no trump: the fool lies open.")
    return Text.assemble("Trump is ", suit_text(event.trump))


def _accusation(event: proto.AccusationMade, people: People) -> Text:
    accuses = (
        f"{people.does(event.accuser, 'accuse')} {people.mention(event.seat)} of a renege in trick {event.trick}: "
    )
    return Text.assemble(accuses, ("rightly!", "bold red") if event.right else ("wrongly", "bold"))


def _split(event: proto.TricksSplit, people: People) -> list[Text]:
    seats = (event.team, event.team + 2)
    if not event.tricks:
        return [Text(f"{people.names(seats)} say nothing: the best split counts.")]
    parts = ", ".join(f"{count} for {people.mention(seat)}" for seat, count in zip(seats, event.tricks, strict=True))
    return [Text(f"Tricks count: {parts}")]


def _round_scored(event: proto.RoundScored, people: People) -> Text:
    points = ", ".join(f"{people.mention(seat)} {at.points}" for seat, at in enumerate(event.score.seats))
    return Text.assemble((f"Points of round {event.score.round}: ", "bold"), points)
