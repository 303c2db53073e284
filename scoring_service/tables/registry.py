"""The games that can be scored, and the way from an envelope of facts to the table that knows them."""

from collections.abc import Iterable
from typing import Any

from cheeseboard.scoring.v1 import scoring_pb2

from . import cheat_trick, cheesy_heist, cheez_tricks
from .game_table import FactsMalformed, GameTable, PlayedRound, Scored, refuse

TABLES: dict[str, GameTable[Any]] = {
    table.name: table for table in (cheez_tricks.TABLE, cheesy_heist.TABLE, cheat_trick.TABLE)
}
"""By the name of the game, which is the case of the envelopes' oneofs."""


def game_of(facts: scoring_pb2.RoundFacts) -> str:
    """Return the game whose facts these are, or raise FactsMalformed when there are none."""
    return facts.WhichOneof("game") or refuse("game", "must be given")


def score(facts: scoring_pb2.RoundFacts) -> Scored:
    """Return the points of a round.

    Raises:
        FactsMalformed: no facts, or none that a round could have; `field` begins with the game's case.
    """
    game = game_of(facts)
    try:
        return TABLES[game].score(getattr(facts, game))
    except FactsMalformed as malformed:
        raise FactsMalformed(f"{game}.{malformed.field}", malformed.why) from malformed


def score_round(game: str, seats: int, facts: scoring_pb2.RoundFacts) -> Scored:
    """Return the points of a round of this game at a table with so many seats, or raise FactsMalformed."""
    if game_of(facts) != game:
        refuse("game", f"the facts are of {game_of(facts)}, not of {game}")
    found = TABLES[game].seats(getattr(facts, game))
    if found != seats:
        refuse(game, f"the facts speak of {found} seats, not of {seats}")
    return score(facts)


def rank(game: str, rounds: Iterable[scoring_pb2.RoundScore]) -> tuple[int, ...]:
    """Return the place of each seat after all rounds of a game, from 1; equal places are shared."""
    played = [PlayedRound(getattr(scored.facts, game), tuple(scored.points)) for scored in rounds]
    return TABLES[game].rank(played)
