"""[CHT 3] Votes, vetoes and declarations."""

import pytest

from engine_service.rules.games.cheat_trick.actions import Declare, MayDeclare, Pass, Vote
from engine_service.rules.games.cheat_trick.events import DealCompleted, Declared, PacketDealt, Voted
from engine_service.rules.games.cheat_trick.options import Options
from engine_service.rules.games.cheat_trick.projection import public
from engine_service.rules.games.cheat_trick.state import Phase

from .tabletop import CLUBS, HEARTS, asked, by, done, events_of, next_round, offered, only, started, voted, why

FULL_COURT, FAMILY, MARRIAGE = 1, 2, 3
PLAY, VETO = Vote(veto=False), Vote(veto=True)


@pytest.mark.parametrize(("seats", "voters"), [(4, [3, 2, 1]), (3, [2, 1, 0])])
def test_who_votes(seats: int, voters: list[int]) -> None:
    """[CHT 3.1] With four players all but the dealer; with three the dealer too, last. Nobody out of turn."""
    table = started(seats=seats)
    order = []
    while table.phase is Phase.VOTE:
        order += asked(table)
        others = [seat for seat in range(seats) if seat not in asked(table)]
        assert {why(table, seat, PLAY)[0] for seat in others} == {"NOT_YOUR_TURN"}
        table = done(table, PLAY)
    assert order == voters


def test_the_first_veto_deals_anew() -> None:
    """[CHT 3.2] By the same dealer, with other cards; who voted before votes again."""
    table = voted(started(), "play")
    events = events_of(table, VETO)
    assert [type(event) for event in events] == [Voted, PacketDealt]
    again = voted(table, "veto")
    assert (again.round, again.deal, again.dealer) == (1, 2, table.dealer)
    assert again.hands != table.hands
    assert again.commitment != table.commitment
    assert asked(again) == [3]


def test_declarations() -> None:
    """[CHT 3.3] On one's own turn to vote and before the vote, each phrase and suit once; the turn stays one's own."""
    table = by(started(), 3, Declare(FULL_COURT, HEARTS))
    assert asked(table) == [3]
    assert why(table, 3, Declare(FULL_COURT, HEARTS)) == ("ALREADY_DECLARED", {"phrase": 1, "suit": "hearts"})
    table = by(by(table, 3, Declare(FULL_COURT, CLUBS)), 3, Declare(FAMILY, HEARTS))
    assert [(said.phrase, said.suit) for said in table.declarations] == [(1, 2), (1, 0), (2, 2)]
    (left,) = [choice for choice in offered(table, 3) if isinstance(choice, MayDeclare)]
    assert len(left.declarations) == 24 - 3
    # Another seat has its own turn for the same words, and this one's is over.
    assert why(table, 2, Declare(FULL_COURT, HEARTS))[0] == "NOT_YOUR_TURN"
    table = by(table, 3, PLAY)
    assert why(table, 3, Declare(MARRIAGE, CLUBS))[0] == "NOT_YOUR_TURN"
    assert by(table, 2, Declare(FULL_COURT, HEARTS)).declarations[-1].seat == 2


def test_declarations_are_free_again_in_the_next_deal() -> None:
    """[CHT 3.3] What was said of the vetoed one is gone, and may be said again."""
    again = by(by(started(), 3, Declare(FULL_COURT, HEARTS)), 3, VETO)
    assert (again.deal, asked(again), public(again).declarations) == (2, [3], ())
    assert len(by(again, 3, Declare(FULL_COURT, HEARTS)).declarations) == 1


def test_no_declarations_outside_of_a_vote() -> None:
    """[CHT 3.3] Not while bidding, and never of what is no phrase or suit."""
    table = voted(started(), "play play play")
    assert why(table, 3, Declare(MARRIAGE, CLUBS)) == ("NOT_ASKED_FOR", {"asked_for": "a bid"})
    assert why(started(), 3, Declare(7, CLUBS))[0] == why(started(), 3, Declare(1, 4))[0] == "BAD_REQUEST"
    assert why(started(), 3, Pass()) == ("NOT_ASKED_FOR", {"asked_for": "a vote"})


@pytest.mark.parametrize(("limit", "vetoes"), [(0, 0), (1, 1), (2, 2)])
def test_veto_limit(limit: int, vetoes: int) -> None:
    """[CHT 3.4] So many vetoes for each seat in the whole game; then it may only play, and still declare."""
    table = voted(started(Options(dealer=0, veto_limit=limit)), "veto " * vetoes)
    assert table.vetoes[3] == vetoes
    assert VETO not in offered(table, 3)
    assert why(table, 3, VETO) == ("VETO_LIMIT_REACHED", {"limit": limit})
    assert by(table, 3, Declare(FULL_COURT, HEARTS)).declarations


def test_two_vetoes_by_default_or_no_limit() -> None:
    """[CHT 3.4] An option."""
    assert Options().veto_limit == 2
    table = voted(started(Options(dealer=0, veto_limit=None)), "veto veto veto veto")
    assert VETO in offered(table, 3)


def test_the_sixth_deal_is_played() -> None:
    """[CHT 3.5] Without a vote, in the same step as the fifth veto."""
    table = voted(started(Options(dealer=0, veto_limit=None)), "veto veto veto veto")
    assert (table.deal, table.phase) == (5, Phase.VOTE)
    events = events_of(table, VETO)
    assert [type(event) for event in events] == [Voted, PacketDealt, DealCompleted]
    assert (events[1].deal, done(table, VETO).phase) == (6, Phase.BID)


def test_a_declaration_need_not_be_true() -> None:
    """[CHT 3.6] All of them are taken from one hand, and the event says nothing of the cards."""
    table = started()
    for phrase in range(1, 7):
        for suit in range(4):
            event = only(events_of(table, Declare(phrase, suit)), Declared)
            assert event == Declared(3, phrase, suit)


def test_simplified() -> None:
    """[CHT 3.7] The whole deal at once, then bidding; nothing to vote on or to declare."""
    table = started(Options(simplified=True, dealer=0))
    assert (table.phase, [len(hand) for hand in table.hands]) == (Phase.BID, [14] * 4)
    for action in (PLAY, VETO, Declare(FULL_COURT, HEARTS)):
        assert why(table, 3, action)[0] == "NOT_ASKED_FOR"


def test_vetoes_count_over_rounds() -> None:
    """[CHT 3.4] The second one in the game is the last, whatever the round; so others keep theirs. A vetoed deal is
    remembered with its seed until the game is over."""
    table = next_round(voted(started(), "veto play veto play play play"))
    assert (table.round, table.vetoes) == (2, (0, 0, 1, 1))
    table = voted(table, "veto")
    assert table.vetoes == (0, 0, 2, 1)
    assert why(table, 2, VETO) == ("VETO_LIMIT_REACHED", {"limit": 2})
    assert VETO in offered(by(table, 2, PLAY), 1)
    assert [(deal.round, deal.deal) for deal in table.vetoed] == [(1, 1), (1, 2), (2, 1)]
