"""What a run is to be like: a TOML file; profiles/default.toml explains every field.

A profile is right as a whole or refused with the path of what is wrong.
"""

from pathlib import Path
from typing import Annotated, Any

import msgspec
from google.protobuf import json_format

from cheeseboard.engine.v1 import matchmaking_pb2, tables_pb2
from cheeseboard_client import accepted_game
from cheeseboard_loadtest.choosing.registry import HABITS
from cheeseboard_loadtest.durations import Duration, Fixed, Lognormal
from cheeseboard_loadtest.figures import FIGURES

PROFILES = Path(__file__).parent / "profiles"

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Positive = Annotated[float, msgspec.Meta(gt=0)]


class ProfileError(Exception):
    """The profile cannot be used; the text says where and why."""


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of the file: no field that is not known, none that is changed later."""


class Arrivals(_Table, frozen=True):
    """Who comes when: so many players, or so many a second, over a time."""

    over_seconds: Positive
    players: Count | None = None
    per_second: Positive | None = None
    even: bool = False

    @property
    def count(self) -> int:
        """How many players come."""
        return self.players or max(1, round((self.per_second or 0.0) * self.over_seconds))


class Game(_Table, frozen=True):
    """A game that is looked for."""

    game: str
    seats: Annotated[int, msgspec.Meta(ge=1, le=64)]
    min_seats: Annotated[int, msgspec.Meta(ge=0, le=64)] = 0
    share: Annotated[float, msgspec.Meta(ge=0)] = 1.0
    move_seconds: Annotated[int, msgspec.Meta(ge=0, le=86_400)] = 30
    bank_seconds: Annotated[int, msgspec.Meta(ge=0, le=86_400)] = 60
    options: dict[str, Any] = {}

    def accepted(self) -> matchmaking_pb2.AcceptedGame:
        """Return it as a ticket names it. Raises ProfileError."""
        games = tables_pb2.GameOptions()
        if self.game not in games.DESCRIPTOR.fields_by_name or self.game not in HABITS:
            known = ", ".join(field.name for field in games.DESCRIPTOR.fields if field.name in HABITS)
            raise ProfileError(f"game: no game {self.game!r}; there are {known}")
        try:
            options = json_format.ParseDict(self.options, getattr(games, self.game))
        except json_format.ParseError as fault:
            raise ProfileError(f"options: {fault}") from None
        return accepted_game(
            options,
            self.seats,
            min_seats=self.min_seats,
            move_seconds=self.move_seconds,
            bank_seconds=self.bank_seconds,
        )


class Finding(_Table, frozen=True):
    """How games are looked for."""

    bots_after_seconds: Annotated[int, msgspec.Meta(ge=0)] | None = None
    patience_seconds: Positive = 120.0
    parties: dict[str, Share] = {}

    def party_sizes(self) -> dict[int, float]:
        """Return the share of players who come in parties, by the party's size."""
        return {int(size): share for size, share in self.parties.items()}


class Leaving(_Table, frozen=True):
    """How often players go in the middle of a game, and when they come back."""

    chance: Share = 0.0
    says_so: Share = 0.5
    away: Duration = Fixed(5.0)


class Provoking(_Table, frozen=True):
    """How often players do, before a move, what must be refused; provoking.py does it."""

    stale_window: Share = 0.0
    empty_move: Share = 0.0
    unknown_table: Share = 0.0


class Objectives(_Table, frozen=True):
    """What must come of it, by the names of figures."""

    at_least: dict[str, float] = {}
    at_most: dict[str, float] = {}


class Profile(_Table, frozen=True):
    """A whole run."""

    arrivals: Arrivals
    games: Annotated[tuple[Game, ...], msgspec.Meta(min_length=1)]
    finding: Finding = Finding()
    thinking: Duration = Lognormal(1.5)
    leaving: Leaving = Leaving()
    provoking: Provoking = Provoking()
    objectives: Objectives = Objectives()
    limit_seconds: Positive = 1800.0
    seed: int = 1


def read(path: Path) -> Profile:
    """Return the profile in a file. Raises ProfileError."""
    try:
        profile = msgspec.toml.decode(path.read_bytes(), type=Profile)
    except (OSError, UnicodeDecodeError, msgspec.DecodeError) as fault:
        raise ProfileError(f"{path}: {fault}") from None
    for where, why in _faults(profile):
        raise ProfileError(f"{path}: {where}: {why}")
    return profile


def find(name: str) -> Path:
    """Return the path of a profile: a file, or one of ours by its name. Raises ProfileError."""
    ours = PROFILES / f"{name}.toml"
    if ours.exists():
        return ours
    if Path(name).exists():
        return Path(name)
    known = ", ".join(sorted(path.stem for path in PROFILES.glob("*.toml")))
    raise ProfileError(f"There is no file {name}, and no profile of this name; there are {known}.")


def _faults(profile: Profile) -> list[tuple[str, str]]:
    """Return what is wrong with a profile whose fields are each right, by path."""
    found = []
    if (profile.arrivals.players is None) == (profile.arrivals.per_second is None):
        found.append(("arrivals", "give either players or per_second"))
    if not any(game.share for game in profile.games):
        found.append(("games", "all shares are 0"))
    for number, game in enumerate(profile.games):
        try:
            game.accepted()
        except ProfileError as fault:
            found.append((f"games[{number}]", str(fault)))
        if game.min_seats > game.seats:
            found.append((f"games[{number}].min_seats", f"more than the {game.seats} seats"))
    return found + _party_faults(profile) + _objective_faults(profile.objectives)


def _party_faults(profile: Profile) -> list[tuple[str, str]]:
    most = min(game.seats for game in profile.games if game.share) if any(g.share for g in profile.games) else 0
    sizes = profile.finding.parties
    wrong = [size for size in sizes if not (size.isascii() and size.isdigit() and 2 <= int(size) <= most)]
    found = [
        (f"finding.parties.{size}", f"a party has 2 to {most} players, the fewest seats of a game") for size in wrong
    ]
    if sum(sizes.values()) > 1:
        found.append(("finding.parties", "the shares are more than 1"))
    return found


def _objective_faults(objectives: Objectives) -> list[tuple[str, str]]:
    named = [("at_least", name) for name in objectives.at_least] + [("at_most", name) for name in objectives.at_most]
    unknown = [(side, name) for side, name in named if name not in FIGURES]
    return [(f"objectives.{side}.{name}", f"no such figure; there are {', '.join(FIGURES)}") for side, name in unknown]
