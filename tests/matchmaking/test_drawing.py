"""Who sits where: by lot, and a party as partners where the game has any."""

from collections import Counter

import pytest

from cheeseboard.engine.v1 import matchmaking_pb2 as pb
from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as cheat
from cheeseboard_client import accepted_game
from engine_service.matchmaking.drawing import drawn_seats
from engine_service.rules.game import everyone_alone
from tests.matchmaking.replicas import caller, replica

TEAMS = ((0, 2), (1, 3))
LOTS = [f"match {number}" for number in range(60)]


@pytest.mark.parametrize("sizes", [(2,), (2, 1), (1, 2, 1), (2, 2)])
def test_two_of_a_party_are_partners(sizes: tuple[int, ...]):
    """Whoever else is there, and in whatever order; each pair is on either side."""
    for party in (at for at, size in enumerate(sizes) if size == 2):
        drawn = [drawn_seats(lot, sizes, TEAMS)[party] for lot in LOTS]
        assert {tuple(sorted(seats)) for seats in drawn} == set(TEAMS)


@pytest.mark.parametrize("sizes", [(3,), (1, 3), (4,)])
def test_of_a_larger_party_as_many_as_seats_allow(sizes: tuple[int, ...]):
    """Two of three, all of four."""
    for lot in LOTS:
        seats = max(drawn_seats(lot, sizes, TEAMS), key=len)
        assert any(set(team) <= set(seats) for team in TEAMS)


@pytest.mark.parametrize(("seats", "sides"), [(4, TEAMS), (5, everyone_alone(None, 5))])
@pytest.mark.parametrize("sizes", [(1, 1), (1, 1, 1, 1), (2, 1, 1)])
def test_no_seat_is_drawn_twice_and_none_is_promised(sizes: tuple[int, ...], seats: int, sides: tuple[tuple[int, ...]]):
    """Everyone comes to sit everywhere, and the same lot gives the same seats."""
    drawn = [drawn_seats(lot, sizes, sides) for lot in LOTS]
    assert drawn == [drawn_seats(lot, sizes, sides) for lot in LOTS]
    assert all([len(party) for party in each] == list(sizes) for each in drawn)
    assert all(max(Counter(seat for party in each for seat in party).values()) == 1 for each in drawn)
    for number in range(len(sizes)):
        assert {each[number][0] for each in drawn} == set(range(seats))


def test_who_comes_alone_is_partner_of_anyone():
    """Who waited longer is on no side against the others."""
    pairs = Counter(next(len({a % 2, b % 2}) for (a,), (b,), *_ in [drawn_seats(lot, [1] * 4, TEAMS)]) for lot in LOTS)
    assert pairs[1] > 5 and pairs[2] > 5


async def test_a_party_of_two_plays_together_at_a_table_with_teams(redis_url: str):
    """From its tickets to its seats; the game says which seats those are."""
    game = accepted_game(cheat.Options(teams=True), 4, move_seconds=0)
    async with replica(redis_url) as it:
        for number in range(6):
            ann, ben = caller(f"ann{number}"), caller(f"ben{number}")
            made = await it.api.create_ticket(
                pb.CreateTicketRequest(request_id="find", accepts=[game], party_size=2, bots_after_seconds=0), ann
            )
            joining = pb.JoinTicketRequest(request_id="join", party_code=made.ticket.party_code)
            await it.api.join_ticket(joining, ben)
            watching = it.api.watch_ticket(pb.WatchTicketRequest(ticket_id=made.ticket.ticket_id), ben)
            *_, last = [response.ticket async for response in watching]
            assert (last.bots, (last.players[0].seat - last.players[1].seat) % 4) == (2, 2)
