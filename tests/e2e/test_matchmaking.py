"""Finding a game, as players and platforms do it, over two replicas.

Every test has a season of its own: tickets of different tests never meet.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager

import pytest

from cheeseboard.engine.v1 import matchmaking_pb2 as pb
from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Cheeseboard, Match, NotMatched, accepted_game
from cheeseboard_client.errors import (
    AlreadyWaiting,
    Malformed,
    NoServiceScope,
    RequestIdReused,
    TicketNotFound,
    TooMany,
)
from tests.support.players import QUICK_GAME, guests, play_out, seated
from tests.support.stack import Stack
from tests.support.tokens import token

PATIENCE_SECONDS = 15.0


@pytest.fixture
def season() -> dict[str, str]:
    """A key that no other test has."""
    return {"season": secrets.token_hex(4)}


def game(seats: int = 2, min_seats: int = 0) -> pb.AcceptedGame:
    """What is looked for, if nothing else is said."""
    return accepted_game(QUICK_GAME, seats, min_seats=min_seats, move_seconds=0, allow_spectators=True)


@asynccontextmanager
async def players(stack: Stack, *names: str) -> AsyncIterator[list[Cheeseboard]]:
    """Yield an operator's players."""
    async with AsyncExitStack() as exits:
        made = [Cheeseboard.connect(stack.engine_addresses, stack.scoring_addresses, token=token(n)) for n in names]
        yield [await exits.enter_async_context(client) for client in made]


async def until(person: Cheeseboard, ticket_id: str, state: "pb.TicketState.ValueType") -> pb.Ticket:
    """Watch a ticket until it is in a state."""
    async with asyncio.timeout(PATIENCE_SECONDS), aclosing(person.watch_ticket(ticket_id)) as tickets:
        async for ticket in tickets:
            if ticket.state == state:
                return ticket
    raise AssertionError(f"the ticket came to {ticket.state}")


async def together(matches: Sequence[Match]) -> tables_pb2.TableView:
    """Hold that all sit at one table, each on a seat of its own, with the game begun; return its view."""
    (table_id,) = {match.table_id for match in matches}
    for match in matches:
        assert match.snapshot.view.status == tables_pb2.TABLE_STATUS_RUNNING
        assert match.snapshot.view.table_id == table_id
        assert match.snapshot.view.seats[match.seat].player.player_id in [p.player_id for p in match.ticket.players]
        await match.frames.aclose()
    assert len({match.seat for match in matches}) == len(matches)
    return matches[0].snapshot.view


async def test_four_find_each_other_and_play(stack: Stack, season: dict[str, str]):
    """Each in one call, on whichever replica: one table, four seats, the game begun; it is among everyone's tables."""
    async with guests(stack, 4) as people, asyncio.timeout(PATIENCE_SECONDS):
        matches = await asyncio.gather(*(person.find_match(game(4), keys=season) for person in people))
        view = await together(matches)
        assert view.code == matches[0].code and not view.options.listed
        for person in people:
            assert [table.table_id for table in await person.my_tables()] == [view.table_id]
        plays = (play_out(person, view.table_id, seed) for seed, person in enumerate(people))
        assert (await asyncio.gather(*plays))[0].status == tables_pb2.TABLE_STATUS_FINISHED


async def test_who_waits_sees_its_place_and_learns_of_the_match_later(stack: Stack, season: dict[str, str]):
    """Also without having watched, and without knowing the ticket any more."""
    async with guests(stack, 4) as (first, second, third, fourth):
        one = await first.create_ticket(game(3), keys=season)
        two = await second.create_ticket(game(3), keys=season)
        assert (one.state, one.position, two.position) == (pb.TICKET_STATE_WAITING, 1, 2)
        assert one.expires_at.seconds and not one.HasField("estimate_seconds")
        async with await third.find_match(game(3), keys=season) as match:
            found = await until(first, "", pb.TICKET_STATE_MATCHED)
            assert (found.ticket_id, found.table_id) == (one.ticket_id, match.table_id)
            assert [player.HasField("seat") for player in found.players] == [True]
            later = await fourth.create_ticket(game(3), keys=season)
            assert later.HasField("estimate_seconds")
        with pytest.raises(TicketNotFound):
            await fourth.cancel_ticket(one.ticket_id)


async def test_keys_must_agree(stack: Stack, season: dict[str, str]):
    """Equal, or one of several; who gives no key meets nobody who gives one."""
    async with guests(stack, 4) as (west, either, east, anyone), asyncio.timeout(PATIENCE_SECONDS):
        tickets = [
            await west.create_ticket(game(), keys={**season, "region": "west", "platform": "web"}),
            await anyone.create_ticket(game(), keys=season),
            await east.create_ticket(game(), keys={**season, "region": "east"}),
        ]
        match = await either.find_match(game(), keys={**season, "region": ["north", "east"]})
        view = await together([match])
        assert (await until(east, tickets[2].ticket_id, pb.TICKET_STATE_MATCHED)).table_id == view.table_id
        for person, ticket in ((west, tickets[0]), (anyone, tickets[1])):
            assert (await person.cancel_ticket(ticket.ticket_id)).state == pb.TICKET_STATE_CANCELLED


async def test_several_games_will_do(stack: Stack, season: dict[str, str]):
    """Each finds who wants the other; options tell them apart, and the table is set up as both want it."""
    wild = accepted_game(ct.Options(level=ct.LEVEL_WILD_CAT), 2)
    async with guests(stack, 2) as (both, one), asyncio.timeout(PATIENCE_SECONDS):
        ticket = await both.create_ticket([game(), wild], keys=season)
        async with await one.find_match(wild, keys=season) as match:
            assert match.snapshot.view.options.game.cheez_tricks.level == ct.LEVEL_WILD_CAT
            assert (await until(both, ticket.ticket_id, pb.TICKET_STATE_MATCHED)).table_id == match.table_id


async def test_a_party_stays_together(stack: Stack, season: dict[str, str]):
    """It gathers by its code, waits when it is complete, and every member learns of its own seat."""
    async with guests(stack, 4) as (leader, member, late, fourth), asyncio.timeout(PATIENCE_SECONDS):
        party = await leader.create_ticket(game(3), keys=season, party_size=2)
        assert (party.state, party.party_size) == (pb.TICKET_STATE_GATHERING, 2)
        alone = await fourth.create_ticket(game(3), keys=season)
        assert alone.state == pb.TICKET_STATE_WAITING
        match = await member.find_match_in_party(f" {party.party_code.lower()} ")
        view = await together([match])
        seats = {player.player_id: player.seat for player in match.ticket.players}
        assert len(seats) == 2 and seats.items() <= {s.player.player_id: s.seat for s in view.seats}.items()
        assert (await until(leader, "", pb.TICKET_STATE_MATCHED)).table_id == view.table_id
        with pytest.raises(TicketNotFound):
            await late.join_ticket(party.party_code)


async def test_any_member_gives_up_for_the_whole_party(stack: Stack, season: dict[str, str]):
    """The others are told, and may look anew."""
    async with guests(stack, 2) as (leader, member), asyncio.timeout(PATIENCE_SECONDS):
        codes: asyncio.Queue[str] = asyncio.Queue()
        waiting = asyncio.create_task(
            leader.find_match(
                game(4), keys=season, party_size=2, told=lambda ticket: codes.put_nowait(ticket.party_code)
            )
        )
        joined = await member.join_ticket(await codes.get())
        assert joined.state == pb.TICKET_STATE_WAITING and len(joined.players) == 2
        with pytest.raises(AlreadyWaiting) as refused:
            await member.create_ticket(game(), keys=season)
        assert refused.value.facts["ticket_id"] == joined.ticket_id
        await member.cancel_ticket(joined.ticket_id)
        with pytest.raises(NotMatched):
            await waiting
        assert (await leader.create_ticket(game(), keys=season)).state == pb.TICKET_STATE_WAITING
        await leader.cancel_ticket()


async def test_a_platform_makes_tickets_for_its_players(stack: Stack, season: dict[str, str]):
    """For a party of two, whose players then watch by themselves; nobody else may name members."""
    ann, ben, cem = (f"{name}-{season['season']}" for name in ("ann", "ben", "cem"))
    members = [pb.PartyMember(player=ben, display_name="Ben")]
    async with players(stack, ann, ben, cem) as (a, b, c), asyncio.timeout(PATIENCE_SECONDS):
        with pytest.raises(NoServiceScope):
            await a.create_ticket(game(3), keys=season, members=members)
        backend = Cheeseboard.connect(stack.engine_addresses, token=token("platform", scope="service"))
        made = await backend.acting_for(ann, "Ann").create_ticket(game(3), keys=season, members=members)
        assert [player.display_name for player in made.players] == ["Ann", "Ben"]
        with pytest.raises(AlreadyWaiting) as refused:
            await backend.acting_for(cem, "Cem").create_ticket(game(3), keys=season, members=members)
        assert refused.value.facts == {"ticket_id": made.ticket_id, "player_id": made.players[1].player_id}
        async with await c.find_match(game(3), keys=season):
            for person in (a, b):
                assert (await until(person, "", pb.TICKET_STATE_MATCHED)).ticket_id == made.ticket_id
        await backend.close()


async def test_a_ticket_is_made_once(stack: Stack, season: dict[str, str]):
    """However often, and with whatever patience; another one is refused while it lives, the id for another wish too."""
    async with guests(stack, 2) as (person, other):
        tickets = [
            await person.create_ticket(game(), keys=season, request_id=f"once-{season['season']}") for _ in range(3)
        ]
        assert len({ticket.ticket_id for ticket in tickets}) == 1
        patient = await person.create_ticket(
            game(), keys=season, request_id=f"once-{season['season']}", wait_seconds=0.2
        )
        assert patient.ticket_id == tickets[0].ticket_id
        with pytest.raises(RequestIdReused):
            await person.create_ticket(game(3), keys=season, request_id=f"once-{season['season']}")
        with pytest.raises(AlreadyWaiting) as refused:
            await person.create_ticket(game(), keys=season)
        assert refused.value.facts == {"ticket_id": tickets[0].ticket_id, "player_id": tickets[0].players[0].player_id}
        with pytest.raises(TicketNotFound):
            await anext(other.watch_ticket(tickets[0].ticket_id))


async def test_bots_fill_up_after_a_while(stack: Stack, season: dict[str, str]):
    """For who allows them; such a game is not rated."""
    async with guests(stack, 1) as (person,), asyncio.timeout(PATIENCE_SECONDS):
        match = await person.find_match(game(3), keys=season, bots_after_seconds=1)
        view = await together([match])
        assert match.ticket.bots == 2
        assert sorted(seat.player.bot for seat in view.seats) == ["", "careful", "careful"]
        await play_out(person, view.table_id)
        assert not (await person.scoreboard(view.table_id)).rated


async def test_a_ticket_that_nobody_watches_expires(stack: Stack, season: dict[str, str]):
    """And its player may look anew; watching keeps another alive for as long as it lasts."""
    async with guests(stack, 2) as (gone, there):
        left = await gone.create_ticket(game(5), keys=season, unwatched_seconds=1)
        kept = await there.create_ticket(game(4), keys=season, unwatched_seconds=1, wait_seconds=1.5)
        async with asyncio.timeout(PATIENCE_SECONDS), aclosing(there.watch_ticket(kept.ticket_id)) as tickets:
            async for ticket in tickets:
                assert ticket.state == pb.TICKET_STATE_WAITING
                if ticket.waited_seconds >= 3:
                    break
        assert (await until(gone, left.ticket_id, pb.TICKET_STATE_EXPIRED)).ticket_id == left.ticket_id
        assert (await gone.create_ticket(game(5), keys=season)).state == pb.TICKET_STATE_WAITING
        await there.cancel_ticket()


async def test_whoever_stops_waiting_has_no_ticket_left(stack: Stack, season: dict[str, str]):
    """Giving up the task is giving up the ticket; a cancelled ticket is never matched."""
    async with guests(stack, 2) as (person, other):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.5):
                await person.find_match(game(), keys=season)
        assert (await until(person, "", pb.TICKET_STATE_CANCELLED)).state == pb.TICKET_STATE_CANCELLED
        ticket = await other.create_ticket(game(), keys=season, wait_seconds=1.5)
        assert ticket.state == pb.TICKET_STATE_WAITING
        assert (await other.cancel_ticket()).state == pb.TICKET_STATE_CANCELLED
        assert (await other.cancel_ticket(ticket.ticket_id)).state == pb.TICKET_STATE_CANCELLED


async def test_giving_up_the_latest_again_means_the_same_ticket(stack: Stack, season: dict[str, str]):
    """Though there is a later one by now."""
    async with guests(stack, 1) as (person,):
        first = await person.create_ticket(game(), keys=season)
        assert (await person.cancel_ticket(request_id="give up")).ticket_id == first.ticket_id
        second = await person.create_ticket(game(), keys=season)
        assert (await person.cancel_ticket(request_id="give up")).ticket_id == first.ticket_id
        assert (await until(person, second.ticket_id, pb.TICKET_STATE_WAITING)).state == pb.TICKET_STATE_WAITING
        assert (await person.cancel_ticket()).ticket_id == second.ticket_id


async def test_no_party_has_no_code(stack: Stack, season: dict[str, str]):
    """Whoever names none is told so, and not answered with a ticket of its own."""
    async with guests(stack, 1) as (person,):
        ticket = await person.create_ticket(game(), keys=season)
        with pytest.raises(Malformed) as refused:
            await person.join_ticket("  ")
        assert "party_code" in str(refused.value)
        await person.cancel_ticket(ticket.ticket_id)


async def test_a_stranger_to_every_ticket(stack: Stack):
    """Who never looked has nothing to watch, to cancel or to join."""
    async with guests(stack, 1) as (person,):
        for call in (person.cancel_ticket(), anext(person.watch_ticket()), person.join_ticket("ZZZZZZ")):
            with pytest.raises(TicketNotFound):
                await call


BAD = {
    "accepts": lambda: {"accepts": []},
    "accepts[0].options.seats": lambda: {"accepts": game(9)},
    "accepts[0].options.game": lambda: {"accepts": pb.AcceptedGame(options=tables_pb2.TableOptions(seats=2))},
    "accepts[0].min_seats": lambda: {"accepts": game(3, min_seats=4)},
    "accepts[0].bot": lambda: {"accepts": accepted_game(QUICK_GAME, 2, bot="omniscient")},
    "keys[0].name": lambda: {"keys": {"moon": "full"}},
    "keys[0].values": lambda: {"keys": {"region": []}},
    "bots_after_seconds": lambda: {"bots_after_seconds": -1},
    "party_size": lambda: {"party_size": -2},
    "unwatched_seconds": lambda: {"unwatched_seconds": 3601},
    "wait_milliseconds": lambda: {"wait_seconds": -1},
    "request_id": lambda: {"request_id": "x" * 65},
}


@pytest.mark.parametrize("field", BAD)
async def test_a_malformed_wish_names_its_field(stack: Stack, field: str):
    """And leaves no ticket."""
    async with guests(stack, 1) as (person,):
        with pytest.raises(Malformed) as refused:
            await person.create_ticket(**{"accepts": game(), **BAD[field]()})  # type: ignore[arg-type]
        assert [violation.field for violation in refused.value.field_violations] == [field]
        with pytest.raises(TicketNotFound):
            await person.cancel_ticket()


async def test_a_party_larger_than_the_table_is_refused(stack: Stack):
    """It could never sit."""
    async with guests(stack, 1) as (person,):
        with pytest.raises(Malformed) as refused:
            await person.create_ticket(game(2), party_size=3)
        assert refused.value.field_violations[0].field == "accepts[0].options.seats"


async def test_who_sits_at_too_many_tables_finds_no_more(stack: Stack, season: dict[str, str]):
    """The limit is the lobby's."""
    async with guests(stack, 1) as (person,):
        await asyncio.gather(*(seated([person], bots=1) for _ in range(50)))
        with pytest.raises(TooMany) as refused:
            await person.create_ticket(game(), keys=season)
        assert refused.value.facts == {"most": "50", "player_id": (await person.player()).player_id}
