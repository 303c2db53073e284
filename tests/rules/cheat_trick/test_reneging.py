"""[CHT 6] Reneges, accusations, the last question, and the tricks that move."""

import pytest
from msgspec.structs import replace

from engine_service.rules.game import IllegalMove, TimeOut
from engine_service.rules.games.cheat_trick import CHEAT_TRICK
from engine_service.rules.games.cheat_trick.actions import Accuse, Done, MayAccuse, MayPlay, PlayCard
from engine_service.rules.games.cheat_trick.events import (
    AccusationMade,
    AccusingDone,
    LastQuestionAsked,
    RoundPlayed,
    TricksSettled,
)
from engine_service.rules.games.cheat_trick.facts import AccusationFact
from engine_service.rules.games.cheat_trick.options import Options
from engine_service.rules.games.cheat_trick.projection import public
from engine_service.rules.games.cheat_trick.state import Phase, State

from .tabletop import (
    CATCHABLE,
    asked,
    beside,
    by,
    card,
    cards,
    decided,
    events_of,
    laid_out,
    may_play,
    offered,
    only,
    played,
    plays,
    skipped,
    why,
)

CATCH = Options(reneging=CATCHABLE)


def at_the_end(won: tuple[int, ...] = (3, 3, 3, 3)) -> State:
    """Return the last two tricks of a round: seat 2 can renege on hearts in the 13th and must show it in the 14th."""
    table = laid_out(["H1 D1", "H2 D2", "H3 C3", "H4 H5"], options=CATCH)
    return skipped(table, won)


def reneged_at_the_end(won: tuple[int, ...] = (3, 3, 3, 3)) -> State:
    """Return the table after seat 2 trumped the 13th trick though it held a heart, led the 14th, and all was played."""
    return played(at_the_end(won), "H4 C3 H2 H1 H3 D2 D1 H5")


def accusable(state: State, seat: int) -> set[tuple[int, int]]:
    return {
        (play.trick, play.seat)
        for choice in offered(state, seat)
        if isinstance(choice, MayAccuse)
        for play in choice.plays
    }


def verdict(state: State, seat: int, accusation: Accuse) -> bool:
    return only(decided(state, seat, accusation, window=0), AccusationMade).right


def test_forbidden_reneges_are_refused() -> None:
    """[CHT 6.1] And there is nothing to accuse."""
    table = played(laid_out(["H1", "H2", "H3 C3", "H4"]), "H4")
    assert why(table, 2, PlayCard(card("C3"))) == ("MUST_FOLLOW_SUIT", {"suit": "hearts"})
    assert why(table, 2, Accuse(1, 1, 3), window=0) == ("NOT_ASKED_FOR", {"reneging": "forbidden"})
    assert accusable(table, 2) == set()


def test_catchable_reneges_are_offered_and_marked_for_their_own_seat() -> None:
    """[CHT 6.2] Any card may be played; the fool and the suit led are none, and who leads cannot renege."""
    table = played(laid_out(["H1", "H2", "H3 C3 S3 F", "H4"], options=CATCH), "H4")
    assert may_play(table) == set(cards("H3 C3 S3 F"))
    marked = {choice.card for choice in offered(table, 2) if isinstance(choice, MayPlay) and choice.reneges}
    assert marked == set(cards("C3 S3"))
    lead = laid_out(["H1", "H2", "H3", "H4 C4"], options=CATCH)
    assert not any(choice.reneges for choice in offered(lead, 3) if isinstance(choice, MayPlay))


@pytest.mark.parametrize(
    ("hand", "plays_", "right"),
    [("H3 C3", "C3", True), ("H3 C3", "H3", False), ("D3 C3", "C3", False), ("H3 F", "F", False)],
)
def test_what_a_renege_is(hand: str, plays_: str, right: bool) -> None:
    """[CHT 6.2] Not the suit led, nor the fool, with the suit led still in hand."""
    table = played(laid_out(["H1 D1", "H2 D2", hand, "H4 D4"], options=CATCH), f"H4 {plays_}")
    assert verdict(table, 1, Accuse(1, 1, 2)) == right


def test_after_a_fool_is_led_the_next_card_is_no_renege() -> None:
    """[CHT 6.2, 5.6] It sets the suit; who does not follow that reneges."""
    table = played(laid_out(["H1 D1", "H2 D2", "H3 D3", "F H4"], options=CATCH), "F D3 H2")
    assert not verdict(table, 0, Accuse(1, 1, 2))
    assert verdict(table, 0, Accuse(1, 1, 1))


def test_a_play_may_be_accused_from_the_moment_it_is_made() -> None:
    """[CHT 6.3] By every other seat, whoever's turn it is, and as long as the round lasts."""
    table = played(at_the_end(), "H4 C3")
    assert accusable(table, 0) == accusable(table, 1) == {(13, 3), (13, 2)}
    assert accusable(table, 2) == {(13, 3)}
    assert {verdict(table, seat, Accuse(1, 13, 2)) for seat in (0, 1, 3)} == {True}
    later = played(table, "H2 H1 H3")
    assert verdict(later, 0, Accuse(1, 13, 2))
    assert asked(beside(later, 0, Accuse(1, 13, 2))) == asked(later)


def test_one_may_accuse_whatever_the_truth() -> None:
    """[CHT 6.4] The same is offered after a renege and after an honest card."""
    honest, not_so = played(at_the_end(), "H4 H3"), played(at_the_end(), "H4 C3")
    for seat in (0, 1, 3):
        assert accusable(honest, seat) == accusable(not_so, seat)


def test_a_right_accusation_is_public_and_spends_the_play() -> None:
    """[CHT 6.5] Everyone sees the verdict; the accuser may go on."""
    table = beside(played(at_the_end(), "H4 C3"), 0, Accuse(1, 13, 2))
    assert [(made.accuser, made.seat, made.trick, made.right) for made in public(table).accusations] == [
        (0, 2, 13, True)
    ]
    assert why(table, 1, Accuse(1, 13, 2), window=0) == ("ALREADY_CAUGHT", {"trick": 13, "seat": 2})
    assert why(table, 0, Accuse(1, 13, 2), window=0)[0] == "ALREADY_CAUGHT"
    assert accusable(table, 0) == accusable(table, 1) == {(13, 3)}


def test_who_accuses_wrongly_may_not_accuse_again() -> None:
    """[CHT 6.6] This round; others still may, the same play too."""
    table = beside(played(at_the_end(), "H4 C3"), 0, Accuse(1, 13, 3))
    assert accusable(table, 0) == set()
    assert why(table, 0, Accuse(1, 13, 2), window=0) == ("ACCUSED_WRONGLY", {})
    assert accusable(table, 1) == {(13, 3), (13, 2)}


def test_the_last_question() -> None:
    """[CHT 6.7] One window for everyone who may still accuse, with seconds of its own; over when all are done."""
    table = reneged_at_the_end()
    assert table.phase is Phase.LAST_QUESTION
    assert {(question.window, question.seconds) for question in CHEAT_TRICK.actors(table)} == {(table.closed + 1, 20)}
    assert asked(table) == [0, 1, 2, 3]
    table = by(table, 2, Done())
    assert asked(table) == [0, 1, 3]
    assert why(table, 2, Done())[0] == "WINDOW_CLOSED"
    assert why(table, 2, Accuse(1, 13, 1), window=0) == ("ACCUSING_OVER", {})
    table = beside(table, 0, Accuse(1, 13, 2))
    assert asked(table) == [0, 1, 3]
    events = decided(by(by(table, 0, Done()), 1, Done()), 3, Done())
    assert [type(event) for event in events] == [AccusingDone, TricksSettled, RoundPlayed]


def test_a_renege_that_the_very_last_trick_shows_can_be_accused() -> None:
    """[CHT 6.7, 6.10] Seat 2 trumps the 13th trick and leads its heart to the 14th; the last question comes after."""
    table = reneged_at_the_end()
    assert verdict(table, 3, Accuse(1, 13, 2))
    # Plays of the last trick can be accused like all others. Nobody can have reneged with one card in hand.
    assert {(14, seat) for seat in (0, 1, 2)} <= accusable(table, 3)
    assert not verdict(table, 3, Accuse(1, 14, 1))


def test_a_wrong_accusation_ends_its_own_last_question() -> None:
    """[CHT 6.7, 6.6] Who may not accuse any more is not asked; the last such answer settles the round."""
    table = by(by(by(reneged_at_the_end(), 0, Done()), 1, Done()), 2, Done())
    events = decided(table, 3, Accuse(1, 14, 1), window=0)
    assert [type(event) for event in events] == [AccusationMade, TricksSettled, RoundPlayed]


def test_nobody_is_asked_when_nobody_may_accuse() -> None:
    """[CHT 6.7] All four accused wrongly before."""
    table = played(at_the_end(), "H4")
    for seat in (0, 1, 2):
        table = beside(table, seat, Accuse(1, 13, 3))
    table = played(table, "C3 H2 H1")
    table = beside(table, 3, Accuse(1, 13, 1))
    events = events_of(played(table, "H3 D2 D1"), *plays("H5"))
    assert [type(event) for event in events[2:]] == [LastQuestionAsked, TricksSettled, RoundPlayed]


def test_seconds_of_the_last_question_are_an_option() -> None:
    """[CHT 6.7] And its time-out is being done."""
    table = replace(reneged_at_the_end(), options=Options(reneging=CATCHABLE, last_question_seconds=7))
    assert {question.seconds for question in CHEAT_TRICK.actors(table)} == {7}
    assert CHEAT_TRICK.decide(table, TimeOut(1, table.closed + 1)) == (AccusingDone(1, by_engine=True),)


def settled(table: State, *accusations: tuple[int, Accuse]) -> tuple[TricksSettled, RoundPlayed]:
    """Return how accusations of the last question, by seat, move tricks."""
    for seat, accusation in accusations:
        table = beside(table, seat, accusation)
    for seat in asked(table)[:-1]:
        table = by(table, seat, Done())
    events = decided(table, asked(table)[0], Done())
    return only(events, TricksSettled), only(events, RoundPlayed)


def test_tricks_move_in_the_order_of_the_accusations() -> None:
    """[CHT 6.8] From offender to accuser. The 13th and 14th trick went to seat 2, who trumped, and to seat 3."""
    moved, ended = settled(reneged_at_the_end(), (0, Accuse(1, 13, 2)), (1, Accuse(1, 14, 3)))
    assert (moved.tricks, moved.gave) == ((4, 3, 3, 4), (True, False))
    assert ended.facts.tricks == (3, 3, 4, 4)
    assert ended.facts.accusations == (
        AccusationFact(accuser=0, seat=2, trick=13, right=True, gave=True),
        AccusationFact(accuser=1, seat=3, trick=14, right=False, gave=False),
    )


def test_who_has_no_trick_gives_none() -> None:
    """[CHT 6.8] With the numbers of that moment: seat 2 took one trick and was caught twice."""
    table = skipped(laid_out(["H1 D1 S1", "H2 D2 S2", "H3 C3 C5", "H4 H5 H6"], options=CATCH), (4, 4, 0, 3))
    table = played(table, "H4 C3 H2 H1 H3 D2 D1 H5 H6 C5 S2 S1")
    # In trick 12 and in trick 14 it played a trump; in the 14th that was no renege, for its heart was gone.
    moved, _ = settled(table, (0, Accuse(1, 12, 2)), (1, Accuse(1, 14, 2)))
    assert (moved.tricks, moved.gave) == ((5, 4, 1, 4), (True, False))
    poor = replace(table, won=(5, 5, 0, 4))
    moved, ended = settled(poor, (0, Accuse(1, 12, 2)))
    assert (moved.tricks, moved.gave) == ((5, 5, 0, 4), (False,))
    assert ended.facts.accusations[0].right


@pytest.mark.parametrize(
    ("accusation", "reason"),
    [
        (Accuse(1, 13, 0), "OWN_PLAY"),
        (Accuse(1, 14, 3), "NO_SUCH_PLAY"),
        (Accuse(1, 13, 4), "NO_SUCH_PLAY"),
        (Accuse(1, 0, 2), "NO_SUCH_PLAY"),
    ],
)
def test_what_cannot_be_accused_is_refused_and_not_wrong(accusation: Accuse, reason: str) -> None:
    """[CHT 6.9] Oneself, what was not played yet, whoever is not there; the right to accuse stays."""
    table = played(at_the_end(), "H4 C3 H2 H1")
    assert why(table, 0, accusation, window=0)[0] == reason
    assert accusable(table, 0) == {(13, 3), (13, 2), (13, 1)}


def test_a_late_accusation_lands_on_no_other_round() -> None:
    """[CHT 6.3] Of the round before or of one to come: refused, not wrong."""
    table = played(at_the_end(), "H4 C3 H2 H1")
    for number in (0, 2):
        assert why(table, 0, Accuse(number, 13, 2), window=0) == ("WINDOW_CLOSED", {"round": 1})
    assert accusable(table, 0) == {(13, 3), (13, 2), (13, 1)}


def test_after_the_question_closed_nobody_accuses() -> None:
    """[CHT 6.7, 6.9] Refused, not wrong; and before the first card there is nothing to accuse."""
    table = reneged_at_the_end()
    for seat in range(4):
        table = by(table, seat, Done())
    assert table.phase is Phase.SCORING
    assert why(table, 0, Accuse(1, 13, 2), window=0) == ("ACCUSING_OVER", {})
    before = laid_out(["H1", "H2", "H3", "H4"], options=CATCH)
    assert why(before, 0, Accuse(1, 1, 3), window=0)[0] == "NO_SUCH_PLAY"


def test_an_accusation_answers_no_question() -> None:
    """[CHT 6.3] It stands beside the turn: in the window of a question it is not what is asked for."""
    table = played(at_the_end(), "H4 C3")
    assert why(table, 1, Accuse(1, 13, 2))[0] == "NOT_ASKED_FOR"
    assert why(table, 0, Accuse(1, 13, 2))[0] == "NOT_YOUR_TURN"
    with pytest.raises(IllegalMove, match="WINDOW_CLOSED"):
        decided(table, 1, Accuse(1, 13, 2), window=1)
