"""Options: all combine, and what cannot be played is refused with its field and a reason."""

import itertools

import pytest

from engine_service.rules.game import BadOption
from engine_service.rules.games.cheat_trick import CHEAT_TRICK
from engine_service.rules.games.cheat_trick.options import Options
from engine_service.rules.shuffle import derived
from tests.rules.walks import walk


@pytest.mark.parametrize("seats", [3, 4])
def test_every_option_goes_with_every_other(seats: int) -> None:
    """A whole game of each combination is played to its end; teams only with four."""
    everything = itertools.product(
        (False, True), (0, 2, None), (False, True), (1, 2), (False, True)[: seats - 2], (1, 2)
    )
    for number, (simplified, vetoes, maternal, reneging, teams, split) in enumerate(everything):
        options = Options(None, simplified, vetoes, maternal, reneging, teams, split)
        CHEAT_TRICK.check_options(options, seats)
        last = list(walk(CHEAT_TRICK, options, seats, derived(bytes(32), str(number))))[-1]
        assert CHEAT_TRICK.is_over(last.state)


@pytest.mark.parametrize(
    ("options", "field", "why"),
    [
        (Options(dealer=4), "dealer", "4 is no seat of this table: 0 to 3"),
        (Options(dealer=-1), "dealer", "-1 is no seat of this table: 0 to 3"),
        (Options(veto_limit=-1), "veto_limit", "nobody can have fewer than 0 vetoes"),
        (Options(reneging=3), "reneging", "is neither forbidden nor catchable"),
        (Options(split=3), "split", "is neither extras nor any"),
        (Options(last_question_seconds=0), "last_question_seconds", "must be 1 to 86400"),
        (Options(split_seconds=86_401), "split_seconds", "must be 1 to 86400"),
    ],
)
def test_what_cannot_be_played(options: Options, field: str, why: str) -> None:
    with pytest.raises(BadOption) as caught:
        CHEAT_TRICK.check_options(options, 4)
    assert (caught.value.field, caught.value.why) == (field, why)
