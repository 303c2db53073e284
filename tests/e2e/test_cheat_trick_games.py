"""Whole games of Cheat Trick over gRPC on two replicas, some killed meanwhile, counted again from their records; and
what is refused."""

import asyncio
import itertools
import os
import random
from collections.abc import Iterator

import pytest

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as cheat
from cheeseboard_client import Cheeseboard, Patience, Refused, table_options, verify_deal
from cheeseboard_client.errors import BadOption, WindowClosed
from tests.faults.chaos import kill_replicas
from tests.support.players import guests, play_all, seated
from tests.support.recount.cheat_trick import assert_cheat_scoreboard, recount_cheat_trick
from tests.support.recount.log import Log
from tests.support.stack import QUICK, Stack, running_stack

GAMES = int(os.environ.get("CHEESEBOARD_CHEAT_TRICK_GAMES", "8"))
AT_ONCE = 10
CATCH, FORBID = cheat.RENEGING_CATCHABLE, cheat.RENEGING_FORBIDDEN
EXTRAS, ANY = cheat.SPLIT_RULE_EXTRAS, cheat.SPLIT_RULE_ANY


def kinds() -> Iterator[tuple[int, cheat.Options]]:
    """Yield tables of every combination of options, in an order in which few already show much."""
    every = list(
        itertools.product((3, 4), (False, True), (CATCH, FORBID), (False, True), (0, 2, None), (None, EXTRAS, ANY))
    )
    random.Random(0).shuffle(every)
    for seats, simplified, reneging, maternal, vetoes, split in itertools.cycle(every):
        if split and seats == 3:
            continue
        options = cheat.Options(simplified=simplified, reneging=reneging, maternal_suits=maternal, teams=bool(split))
        options.split = split or EXTRAS
        if vetoes is None:
            options.no_veto_limit = True
        else:
            options.veto_limit = vetoes
        yield seats, options


@pytest.fixture
def fragile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A product of the test's own, to take apart: two replicas of each service."""
    with running_stack(tmp_path_factory.mktemp("cheat"), engines=2, scorings=2, settings=QUICK) as running:
        yield running


@pytest.mark.timeout(3600)
async def test_games_under_random_kills_are_scored_as_a_recount_of_their_records_says(fragile: Stack):
    """Every card is accounted for, every verdict and trick is judged anew, and every scoreboard equals the recount."""
    room, dice = asyncio.Semaphore(AT_ONCE), random.Random(1)
    async with guests(fragile, 2, Patience(total=120)) as people:
        games = [_one_game(people, room, seed, *kind) for seed, kind in enumerate(itertools.islice(kinds(), GAMES))]
        kills: list[str] = []
        killing = asyncio.create_task(_kill_now_and_then(fragile, dice, kills))
        try:
            await asyncio.gather(*games)
        finally:
            killing.cancel()
        assert kills


async def _kill_now_and_then(fragile: Stack, dice: random.Random, kills: list[str]) -> None:
    """Kill one replica after the other, and start it again."""
    while True:
        await asyncio.sleep(dice.uniform(0.5, 3.0))
        replica = dice.choice((*fragile.engines, *fragile.scorings))
        kills.append(replica.service)
        await kill_replicas([replica], 1, dice)


async def _one_game(
    people: list[Cheeseboard], room: asyncio.Semaphore, seed: int, seats: int, options: cheat.Options
) -> None:
    async with room:
        sitting = people[: 1 + seed % 2]
        table_id = await seated(sitting, bots=seats - len(sitting), options=options)
        view = await play_all(sitting, table_id, seed)
        record = await sitting[0].record(table_id)
        assert record.complete
        counted = recount_cheat_trick(record.options, Log(record.events, "cheat_trick"))
        assert_cheat_scoreboard(counted, await sitting[0].scoreboard(table_id))
        assert tuple(view.cheat_trick.places) == counted.places
        verified = verify_deal(record.options, record.events)
        assert len(verified) >= view.cheat_trick.rounds


class Players:
    """Four people at one table, each asked by its own view."""

    def __init__(self, people: list[Cheeseboard], table_id: str) -> None:
        self.people = people
        self.table_id = table_id

    async def view(self, seat: int = 0) -> tables_pb2.TableView:
        return await self.people[seat].view(self.table_id)

    async def asked(self) -> int:
        return (await self.view()).prompt.questions[0].seat

    async def window(self) -> int:
        return (await self.view()).prompt.questions[0].window

    async def does(self, seat: int, move: cheat.Move, window: int | None = None) -> None:
        number = await self.window() if window is None else window
        await self.people[seat].move(self.table_id, move, window=number)

    async def refusal(self, seat: int, move: cheat.Move, window: int | None = None) -> str:
        """Return the reason; the table is the same afterwards, to the last byte of the view."""
        before = await self.people[seat].snapshot(self.table_id)
        with pytest.raises(Refused) as refused:
            await self.does(seat, move, window)
        after = await self.people[seat].snapshot(self.table_id)
        assert (after.view, after.resume_point) == (before.view, before.resume_point)
        return refused.value.reason

    async def play_until(self, phase: "cheat.Phase.ValueType") -> tables_pb2.TableView:
        """Have everyone pass and play its first card until the game stands there."""
        while (view := await self.view()).cheat_trick.phase != phase:
            seat = view.prompt.questions[0].seat
            mine = await self.view(seat)
            offer = next(offer for offer in mine.prompt.offers if offer.window)
            await self.people[seat].move(self.table_id, offer)
        return view


PLAY, VETO, PASS = (
    cheat.Move(vote=cheat.Vote()),
    cheat.Move(vote=cheat.Vote(veto=True)),
    cheat.Move(pass_bid=cheat.Pass()),
)
KNOCK, DONE = cheat.Move(knock=cheat.Knock(round=1, trick=1)), cheat.Move(done=cheat.Done())


def raised(tricks: int) -> cheat.Move:
    return cheat.Move(raise_bid=cheat.Raise(tricks=tricks))


def accused(trick: int, seat: int) -> cheat.Move:
    return cheat.Move(accuse=cheat.Accuse(round=1, trick=trick, seat=seat))


def declared(suit: "cheat.Suit.ValueType") -> cheat.Move:
    return cheat.Move(declare=cheat.Declare(phrase=cheat.PHRASE_MARRIAGE, suit=suit))


async def test_what_is_refused_while_voting_and_bidding(stack: Stack):
    """Out of turn, a declaration twice or outside one's vote, a veto too many, bids out of range, who is out."""
    async with guests(stack, 4) as people:
        table = Players(people, await seated(people, options=cheat.Options(dealer=0, veto_limit=0)))
        assert await table.refusal(2, PLAY) == "NOT_YOUR_TURN"
        assert await table.refusal(3, VETO) == "VETO_LIMIT_REACHED"
        assert await table.refusal(3, raised(2)) == "NOT_ASKED_FOR"
        await table.does(3, declared(cheat.SUIT_HEARTS))
        assert await table.refusal(3, declared(cheat.SUIT_HEARTS)) == "ALREADY_DECLARED"
        assert await table.refusal(2, declared(cheat.SUIT_HEARTS)) == "NOT_YOUR_TURN"
        assert await table.refusal(3, KNOCK, window=0) == "NOT_ASKED_FOR"
        for seat in (3, 2, 1):
            await table.does(seat, PLAY)
        assert await table.refusal(3, declared(cheat.SUIT_CLUBS)) == "NOT_ASKED_FOR"
        assert await table.refusal(2, raised(3)) == "NOT_YOUR_TURN"
        await table.does(3, raised(5))
        assert await table.refusal(2, raised(5)) == "BID_OUT_OF_RANGE"
        assert await table.refusal(2, raised(15)) == "BID_OUT_OF_RANGE"
        await table.does(2, PASS)
        await table.does(1, PASS)
        assert await table.refusal(2, raised(6)) == "NOT_YOUR_TURN"
        await table.does(0, PASS)
        old = await table.window()
        await table.does(3, raised(7))
        # The last one in had its one more turn.
        assert await table.refusal(3, raised(8), window=old) == "WINDOW_CLOSED"
        assert await table.refusal(3, raised(8)) == "NOT_ASKED_FOR"


async def test_what_is_refused_while_tricks_are_played_and_split(stack: Stack):
    """Accusing one's own side, twice, what was not played, too late; a knock too many; splits; a second partner."""
    options = cheat.Options(dealer=0, simplified=True, teams=True, split=ANY, reneging=CATCH)
    async with guests(stack, 4) as people:
        table = Players(people, await seated(people, options=options))
        view = await table.play_until(cheat.PHASE_TRICKS)
        if view.cheat_trick.trump:
            await table.does(1, KNOCK, window=0)
            assert await table.refusal(1, KNOCK, window=0) == "ALREADY_KNOCKED"
        else:
            assert await table.refusal(1, KNOCK, window=0) == "NO_TRUMP"
        card = next(offer for offer in (await table.view(3)).prompt.offers if offer.window)
        await people[3].move(table.table_id, card)
        assert await table.refusal(3, accused(1, 3), window=0) == "OWN_PLAY"
        assert await table.refusal(1, accused(1, 3), window=0) == "OWN_PLAY"
        assert await table.refusal(0, accused(1, 1), window=0) == "NO_SUCH_PLAY"
        await table.does(0, accused(1, 3), window=0)  # A lead is no renege.
        assert await table.refusal(0, accused(1, 3), window=0) == "ACCUSED_WRONGLY"
        late = cheat.Move(knock=cheat.Knock(round=1, trick=2))
        assert await table.refusal(2, late, window=0) == "WINDOW_CLOSED"
        await table.play_until(cheat.PHASE_LAST_QUESTION)
        asking = await table.window()
        await table.does(1, DONE)
        assert await table.refusal(1, DONE, window=asking) == "WINDOW_CLOSED"
        assert await table.refusal(1, accused(1, 2), window=0) == "ACCUSING_OVER"
        for seat in (2, 3):
            await table.does(seat, DONE)
        assert await table.refusal(2, accused(14, 3), window=0) == "ACCUSING_OVER"
        # A team that took nothing has nothing to say.
        offers = {seat: (await table.view(seat)).prompt.offers for seat in (0, 1)}
        seat, split = next(
            (seat, offer.cheat_trick.split)
            for seat, mine in offers.items()
            for offer in mine
            if offer.cheat_trick.HasField("split")
        )
        wrong = cheat.Move(split=cheat.Split(own=split.total, partners=1))
        assert await table.refusal(seat, wrong) == "SPLIT_DOES_NOT_ADD_UP"
        beyond = cheat.Move(split=cheat.Split(own=split.total + 1, partners=-1))
        assert await table.refusal(seat, beyond) == "SPLIT_NOT_ALLOWED"
        asking = await table.window()
        right = cheat.Move(split=cheat.Split(own=split.total, partners=0))
        await table.does(seat, right)
        with pytest.raises(WindowClosed):  # The round may be over by now, and its scores on their way.
            await table.does(seat + 2, right, window=asking)


async def test_options_that_cannot_be_played(stack: Stack):
    """Each names its field."""
    async with guests(stack, 1) as (person,):
        for options, seats, field in (
            (cheat.Options(teams=True), 3, "teams"),
            (cheat.Options(dealer=3), 3, "dealer"),
            (cheat.Options(veto_limit=-1), 4, "veto_limit"),
            (cheat.Options(split_seconds=-1), 4, "split_seconds"),
        ):
            with pytest.raises(BadOption) as refused:
                await person.create_table(table_options(options, seats))
            assert [v.field for v in refused.value.field_violations] == [f"options.game.cheat_trick.{field}"]


async def test_a_renege_can_be_accused_after_the_very_last_trick(stack: Stack):
    """Three people watch one who reneges when it can; the record's own verdict is public at once."""
    options = cheat.Options(dealer=0, simplified=True, reneging=CATCH)
    async with guests(stack, 4) as people:
        table, reneged = Players(people, await seated(people, options=options)), None
        while (view := await table.view()).cheat_trick.phase != cheat.PHASE_LAST_QUESTION:
            seat = view.prompt.questions[0].seat
            mine = [offer for offer in (await table.view(seat)).prompt.offers if offer.window]
            dares = next((offer for offer in mine if offer.cheat_trick.reneges), None)
            if dares:
                reneged = (view.cheat_trick.trick.number, seat)
            await people[seat].move(table.table_id, dares or mine[0])
        assert reneged
        trick, seat = reneged
        accuser = (seat + 1) % 4
        await table.does(accuser, accused(trick, seat), window=0)
        made = (await table.view()).cheat_trick.accusations[-1]
        assert (made.accuser, made.seat, made.trick, made.right) == (accuser, seat, trick, True)


async def test_time_ends_the_last_question_and_the_splits(stack: Stack):
    """At a table with a clock, after the seconds agreed on: nobody accuses, nothing is said, the game goes on."""
    options = cheat.Options(
        dealer=0, simplified=True, teams=True, split=ANY, reneging=CATCH, last_question_seconds=1, split_seconds=1
    )
    async with guests(stack, 4) as people:
        table = Players(people, await seated(people, options=options, move_seconds=60))
        asked = await table.play_until(cheat.PHASE_LAST_QUESTION)
        assert all(question.HasField("deadline") for question in asked.prompt.questions)
        async with asyncio.timeout(20):
            while (view := await table.view()).cheat_trick.round == 1:
                await asyncio.sleep(0.1)
        assert [seat.bank_seconds for seat in view.seats] == [seat.bank_seconds for seat in asked.seats]
        events = [event.cheat_trick for event in (await people[0].record(table.table_id)).events]
        done = [event.accusing_done for event in events if event.HasField("accusing_done")]
        assert len(done) == 4 and all(each.by_engine for each in done)
        splits = [event.tricks_split for event in events if event.HasField("tricks_split")]
        assert len(splits) == 2 and not any(split.HasField("seat") for split in splits)
        assert not all(split.tricks for split in splits)  # A team that took nothing has one split only.
