"""Profiles: what they say is what is run; what cannot be meant is refused with its place in the file."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from cheeseboard_loadtest.crowd import parties
from cheeseboard_loadtest.profile import PROFILES, Profile, ProfileError, find, read

GOOD = """
[arrivals]
players = 1000
over_seconds = 100

[[games]]
game = "cheez_tricks"
seats = 4
min_seats = 2
share = 3
options = { level = "LEVEL_WILD_CAT" }

[[games]]
game = "cheez_tricks"
seats = 3
"""


def profile(folder: Path, text: str) -> Profile:
    """Read a profile from this text."""
    path = folder / "some.toml"
    path.write_text(text)
    return read(path)


@pytest.mark.parametrize("path", sorted(PROFILES.glob("*.toml")), ids=lambda path: path.stem)
def test_our_own_profiles_can_be_read(path: Path):
    """By their names."""
    assert read(find(path.stem)).arrivals.count > 0


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (GOOD.replace("players", "player"), r"unknown field `player`.*\$\.arrivals"),
        (GOOD.replace("players = 1000", "players = 0"), r">= 1.*\$\.arrivals\.players"),
        (GOOD.replace("players = 1000", 'players = "many"'), r"\$\.arrivals\.players"),
        (GOOD.replace("players = 1000", "per_second = 2\nplayers = 3"), "arrivals: give either players or per_second"),
        (GOOD.replace("players = 1000", ""), "arrivals: give either players or per_second"),
        (GOOD.split("[[games]]")[0], r"games"),
        (GOOD.replace("cheez_tricks", "chess"), r"games\[0\]: game: no game 'chess'; there are cheez_tricks"),
        (GOOD.replace("LEVEL_WILD_CAT", "LEVEL_TIGER"), r"games\[0\]: options: .*LEVEL_TIGER"),
        (GOOD.replace("level =", "levels ="), r"games\[0\]: options: .*levels"),
        (GOOD.replace("min_seats = 2", "min_seats = 5"), r"games\[0\]\.min_seats: more than the 4 seats"),
        (GOOD.replace("share = 3", "share = 0") + "share = 0", "games: all shares are 0"),
        (GOOD + "[finding]\nparties = { 4 = 0.1 }", r"finding\.parties\.4: a party has 2 to 3 players"),
        (GOOD + "[finding]\nparties = { two = 0.1 }", r"finding\.parties\.two: a party has 2 to 3 players"),
        (GOOD + "[finding]\nparties = { 2 = 0.6, 3 = 0.6 }", r"finding\.parties: the shares are more than 1"),
        (GOOD + '[thinking]\ndistribution = "normal"', r"'normal'.*\$\.thinking"),
        (GOOD + '[thinking]\ndistribution = "fixed"\nmean_seconds = 1.0', r"\$\.thinking"),
        (GOOD + "[leaving]\nchance = 1.5", r"<= 1.*\$\.leaving\.chance"),
        (
            GOOD + "[objectives.at_most]\nmove_p98_ms = 1",
            r"objectives\.at_most\.move_p98_ms: no such figure; there are",
        ),
        ("arrivals = [", "some.toml"),
    ],
)
def test_a_wrong_profile_is_refused_with_the_place(tmp_path: Path, wrong: str, said: str):
    """Whatever is wrong with it."""
    with pytest.raises(ProfileError, match=said):
        profile(tmp_path, wrong)


def test_a_profile_that_is_not_there_is_refused_with_those_that_are():
    """No name, no file."""
    with pytest.raises(ProfileError, match="default, quick"):
        find("no-such-profile")


def test_everybody_comes_as_the_profile_says(tmp_path: Path):
    """So many players, in that time, in parties and for games by their shares; the same again with the same seed."""
    wanted = profile(tmp_path, GOOD + "[finding]\nparties = { 2 = 0.2, 3 = 0.3 }")
    crowd = parties(wanted, "run", Random(7))
    names = [name for party in crowd for name in party.names]
    assert len(names) == len(set(names)) == 1000
    assert [party.at for party in crowd] == sorted(party.at for party in crowd)
    assert 0 <= crowd[0].at < 10 and 90 < crowd[-1].at <= 100
    players = Counter[int]()
    for party in crowd:
        players[len(party.names)] += len(party.names)
    assert players[2] == pytest.approx(200, abs=60) and players[3] == pytest.approx(300, abs=75)
    four_seats = sum(party.game.options.seats == 4 for party in crowd) / len(crowd)
    assert four_seats == pytest.approx(0.75, abs=0.06)
    assert [(p.at, p.names) for p in parties(wanted, "run", Random(7))] == [(p.at, p.names) for p in crowd]


def test_even_arrivals_are_as_regular_as_a_clock(tmp_path: Path):
    """At a rate."""
    wanted = profile(tmp_path, GOOD.replace("players = 1000", "per_second = 2\neven = true"))
    assert [party.at for party in parties(wanted, "run", Random(1))] == [number / 2 for number in range(200)]
