"""Properties that ratings must have whatever library computes them: ties are ties, and winning never costs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_service.rating_model import Rating, rate

ratings = st.builds(Rating, mu=st.floats(-20, 80), sigma=st.floats(0.5, 12))


@st.composite
def games(draw: st.DrawFn) -> tuple[list[Rating], list[int]]:
    """Players, some with equal ratings, and places with ties."""
    few = draw(st.lists(ratings, min_size=1, max_size=3))
    priors = draw(st.lists(st.sampled_from(few), min_size=2, max_size=5))
    merits = draw(st.lists(st.integers(0, 3), min_size=len(priors), max_size=len(priors)))
    return priors, [1 + sum(other > merit for other in merits) for merit in merits]


@given(games())
def test_equal_ratings_and_equal_places_stay_equal(game: tuple[list[Rating], list[int]]) -> None:
    priors, places = game
    after = rate(priors, places)
    for i, prior in enumerate(priors):
        for j, other in enumerate(priors):
            if prior == other and places[i] == places[j]:
                assert after[i] == after[j]


@given(games())
def test_of_equal_ratings_the_better_place_is_never_rated_below_the_worse(
    game: tuple[list[Rating], list[int]],
) -> None:
    priors, places = game
    after = rate(priors, places)
    for i, prior in enumerate(priors):
        for j, other in enumerate(priors):
            if prior == other and places[i] < places[j]:
                assert after[i].mu > after[j].mu
                assert after[i].shown >= after[j].shown


@given(games(), st.randoms(use_true_random=False))
def test_who_sits_where_makes_no_difference(game: tuple[list[Rating], list[int]], order: object) -> None:
    priors, places = game
    seats = list(range(len(priors)))
    order.shuffle(seats)  # type: ignore[attr-defined]
    moved = rate([priors[seat] for seat in seats], [places[seat] for seat in seats])
    assert list(moved) == [rate(priors, places)[seat] for seat in seats]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_new_players_who_all_tie_keep_their_strength_and_are_better_known(players: int) -> None:
    for after in rate([Rating()] * players, [1] * players):
        assert after.mu == Rating().mu
        assert after.sigma < Rating().sigma


def test_ties_in_the_middle_and_at_the_top() -> None:
    """openskill.py#155: shared winners above the third, not below; (1, 2, 2, 4) falls in three steps."""
    first, second, third = rate([Rating()] * 3, [1, 1, 3])
    assert first == second
    assert first.mu > Rating().mu > third.mu
    a, b, c, d = rate([Rating()] * 4, [1, 2, 2, 4])
    assert a.mu > b.mu == c.mu > d.mu


def test_a_new_player_has_the_prior_of_the_model() -> None:
    assert (Rating().mu, round(Rating().sigma, 9), round(Rating().shown, 9)) == (25.0, 8.333333333, 0.0)
