"""What is refused, with which reason, naming what; and that nothing changed."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from cheeseboard.engine.v1 import lobby_pb2, matchmaking_pb2, tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard.scoring.v1 import scoring_pb2
from cheeseboard_client import Cheeseboard, Refused, move_of, table_options
from cheeseboard_client.errors import (
    BadOption,
    BadRequest,
    CardNotInHand,
    GameAlreadyStarted,
    GameNotOver,
    GameNotRunning,
    Malformed,
    MustFollowSuit,
    NoRecord,
    NoSpectators,
    NotAskedFor,
    NotHost,
    NotSeated,
    NotYourTurn,
    SeatsFree,
    SeatTaken,
    TableFull,
    TableNotFound,
    TokenExpired,
    TokenInvalid,
    TokenMissing,
    UnknownBot,
    UnknownCard,
    WindowClosed,
)
from cheeseboard_client.status import from_call
from tests.support.players import QUICK_GAME, guests, play_all, seated
from tests.support.stack import Stack
from tests.support.tokens import token

SUITS = (ct.SUIT_SWISS, ct.SUIT_ROQUEFORT, ct.SUIT_PARMESAN, ct.SUIT_BRIE)
METHODS = [
    method
    for service in (
        lobby_pb2.DESCRIPTOR.services_by_name["LobbyService"],
        matchmaking_pb2.DESCRIPTOR.services_by_name["MatchmakingService"],
        tables_pb2.DESCRIPTOR.services_by_name["TableService"],
        scoring_pb2.DESCRIPTOR.services_by_name["ScoringService"],
    )
    for method in service.methods
]
TOKENS: dict[type[Refused], Callable[[], tuple[tuple[str, str], ...]]] = {
    TokenMissing: lambda: (),
    TokenInvalid: lambda: (("authorization", f"Bearer {token('Ann', secret='x' * 40)}"),),
    TokenExpired: lambda: (("authorization", f"Bearer {token('Ann', seconds=-60)}"),),
}


@contextlib.asynccontextmanager
async def nothing_changes(person: Cheeseboard, table_id: str) -> AsyncIterator[None]:
    """Hold that the table is the same afterwards, to the last byte of its view."""
    before = await person.snapshot(table_id)
    yield
    after = await person.snapshot(table_id)
    assert (after.view, after.resume_point) == (before.view, before.resume_point)


async def _call(channel: grpc.aio.Channel, method: MethodDescriptor, metadata: tuple[tuple[str, str], ...]) -> Message:
    """Call any method with an empty request and return the first answer."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    codec = {
        "request_serializer": GetMessageClass(method.input_type).SerializeToString,
        "response_deserializer": GetMessageClass(method.output_type).FromString,
    }
    request = GetMessageClass(method.input_type)()
    if method.client_streaming:  # Nothing is sent: gRPC forgets the answer when a message crosses it.
        return await channel.stream_stream(path, **codec)(iter(()), metadata=metadata).read()
    if method.server_streaming:
        return await channel.unary_stream(path, **codec)(request, metadata=metadata).read()
    return await channel.unary_unary(path, **codec)(request, metadata=metadata)


@pytest.mark.parametrize("refusal", TOKENS, ids=lambda refusal: refusal.__name__)
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
async def test_every_method_asks_who_is_calling(stack: Stack, method: MethodDescriptor, refusal: type[Refused]):
    """No token, a forged one and an expired one are refused by every method; only signing in needs none."""
    scoring = method.containing_service.name == "ScoringService"
    address = (stack.scoring_addresses if scoring else stack.engine_addresses)[0]
    async with grpc.aio.insecure_channel(address) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await _call(channel, method, TOKENS[refusal]())
    expected = BadRequest if method.name == "SignInGuest" and refusal is TokenMissing else refusal
    assert type(from_call(caught.value)) is expected


async def test_who_has_no_seat_gets_nothing(stack: Stack):
    """Another player's token opens neither view, stream, record nor scoreboard, and plays nothing."""
    async with guests(stack, 3) as (*people, stranger):
        table_id = await seated(people, allow_spectators=False)
        offer = await _an_offer(people, table_id)
        async with nothing_changes(people[0], table_id):
            for call in (stranger.view(table_id), stranger.record(table_id), anext(stranger.watch(table_id))):
                with pytest.raises(NoSpectators):
                    await call
            for call in (stranger.move(table_id, offer), stranger.leave(table_id), stranger.rematch(table_id)):
                with pytest.raises(NotSeated):
                    await call
            for call in (stranger.start(table_id), stranger.seat_bot(table_id)):
                with pytest.raises(NotSeated):
                    await call
            with pytest.raises(GameAlreadyStarted):
                await stranger.join(table_id)


async def test_a_spectator_sees_and_does_nothing(stack: Stack):
    """Where spectators are allowed they watch, without hands and offers, and cannot play."""
    async with guests(stack, 3) as (*people, spectator):
        table_id = await seated(people)
        offer = await _an_offer(people, table_id)
        view = await spectator.view(table_id)
        assert not view.HasField("viewer") and not view.prompt.offers and not view.cheez_tricks.hand
        with pytest.raises(NotSeated):
            await spectator.move(table_id, offer)


@pytest.mark.parametrize("table_id", ["", "nonsense", "ff" + "a" * 18, "00" + "a" * 18, "'; DROP", "x" * 5000])
async def test_an_unknown_table_is_not_found(stack: Stack, table_id: str):
    """Whatever stands where a table's id should stand."""
    async with guests(stack, 1) as (person,):
        calls = (
            person.view(table_id),
            person.record(table_id),
            person.leave(table_id),
            person.start(table_id),
            person.rematch(table_id),
            person.seat_bot(table_id),
            person.move(table_id, ct.Move(), window=1),
            anext(person.watch(table_id)),
        )
        for call in calls:
            with pytest.raises(TableNotFound):
                await call
        with pytest.raises(TableNotFound):
            await person.join("ZZZZZZ")


async def test_moves_that_the_rules_refuse(stack: Stack):
    """A card not held, not following suit, an unknown card, another question, another's turn, a closed window."""
    async with guests(stack, 2) as people:
        table_id = await seated(people)
        leader, other = await _in_turn(people, table_id)
        view = await leader.view(table_id)
        window, hand = view.prompt.questions[0].window, list(view.cheez_tricks.hand)
        missing = next(c for c in _cards(7) if c not in hand)
        async with nothing_changes(other, table_id):
            await _refused(leader, table_id, window, CardNotInHand, ct.PlayCard(card=missing))
            await _refused(leader, table_id, window, UnknownCard, ct.PlayCard(card=ct.Card(suit=1, value=11)))
            await _refused(leader, table_id, window, UnknownCard, ct.PlayCard(card=ct.Card(suit=9, value=1)))
            await _refused(leader, table_id, window, BadRequest, ct.PlayCard())
            await _refused(leader, table_id, window, NotAskedFor, ct.ChooseTrump(suit=ct.SUIT_BRIE))
            await _refused(leader, table_id, window + 1, NotAskedFor, ct.PlayCard(card=hand[0]))
            await _refused(other, table_id, window, NotYourTurn, ct.PlayCard(card=hand[0]))
            with pytest.raises(BadRequest):
                await leader.move(table_id, tables_pb2.Move(), window=window)
            with pytest.raises(BadRequest):
                await leader.move(table_id, ct.Move(), window=window)
        led = await _lead_what_the_other_holds(leader, other, table_id)
        answer = await other.view(table_id)
        assert {offer.cheez_tricks.play_card.card.suit for offer in answer.prompt.offers} == {led}
        stray = next(card for card in answer.cheez_tricks.hand if card.suit != led)
        async with nothing_changes(other, table_id):
            await _refused(other, table_id, window + 1, MustFollowSuit, ct.PlayCard(card=stray))
            await _refused(leader, table_id, window, WindowClosed, ct.PlayCard(card=hand[1]))


async def test_lobby_requests_at_the_wrong_time(stack: Stack):
    """Starting with free seats, bots by guests of the table, joining what is full, moves before and after."""
    async with guests(stack, 3) as (host, other, late):
        table_id = (await host.create_table(table_options(QUICK_GAME, 2))).table_id
        async with nothing_changes(host, table_id):
            with pytest.raises(SeatsFree) as free:
                await host.start(table_id)
            assert free.value.facts["free_seats"] == "1"
            for seat in (-1, 2, 99):
                with pytest.raises(BadRequest):
                    await other.join(table_id, seat=seat)
            with pytest.raises(SeatTaken):
                await other.join(table_id, seat=0)
            with pytest.raises(UnknownBot):
                await host.seat_bot(table_id, "omniscient")
            with pytest.raises(GameNotRunning):
                await host.move(table_id, ct.Move(play_card=ct.PlayCard(card=ct.Card(suit=1, value=1))), window=1)
            with pytest.raises(GameNotOver):
                await host.rematch(table_id)
            with pytest.raises(NoRecord):
                await host.record(table_id)
        await other.join(table_id)
        async with nothing_changes(host, table_id):
            with pytest.raises(TableFull):
                await late.join(table_id)
            for call in (other.start(table_id), other.seat_bot(table_id)):
                with pytest.raises(NotHost):
                    await call
        await host.start(table_id)
        with pytest.raises(GameAlreadyStarted):
            await host.start(table_id)
        await play_all([host, other], table_id)
        with pytest.raises(GameNotRunning):
            await host.move(table_id, ct.Move(play_card=ct.PlayCard(card=ct.Card(suit=1, value=1))), window=1)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (tables_pb2.TableOptions(seats=3), "options.game"),
        (table_options(ct.Options(), 1), "options.seats"),
        (table_options(ct.Options(), 6), "options.seats"),
        (table_options(ct.Options(), -3), "options.seats"),
        (table_options(ct.Options(), 3, move_seconds=-1), "options.clock.move_seconds"),
        (table_options(ct.Options(), 3, move_seconds=86_401), "options.clock.move_seconds"),
        (table_options(ct.Options(), 3, move_seconds=1, bank_seconds=-1), "options.clock.bank_seconds"),
        (table_options(ct.Options(), 3, move_seconds=1, bank_seconds=86_401), "options.clock.bank_seconds"),
        (table_options(ct.Options(level=7), 3), "options.game.cheez_tricks.level"),  # type: ignore[arg-type]
        (table_options(ct.Options(starting_seat=3), 3), "options.game.cheez_tricks.starting_seat"),
        (table_options(ct.Options(starting_seat=-1), 3), "options.game.cheez_tricks.starting_seat"),
    ],
)
async def test_options_out_of_range_name_their_field(stack: Stack, options: tables_pb2.TableOptions, field: str):
    """No table is made of them."""
    async with guests(stack, 1) as (person,):
        await _bad_options(person, options, field)


ANY = ct.Cat(black=ct.BlackCat(trick=2))
BAD_DECKS: dict[str, tuple[list[ct.Cat], str]] = {
    "no kind": ([ct.Cat(), ANY], "cat_deck[0]"),
    "black below": ([ct.Cat(black=ct.BlackCat(trick=0))], "cat_deck[0].black.trick"),
    "black above": ([ANY, ct.Cat(black=ct.BlackCat(trick=9))], "cat_deck[1].black.trick"),
    "white below": ([ct.Cat(white=ct.WhiteCat(tricks=0))], "cat_deck[0].white.tricks"),
    "white above": ([ct.Cat(white=ct.WhiteCat(tricks=13), player_counts=[3])], "cat_deck[0].white.tricks"),
    "no such card": ([ct.Cat(siamese=ct.SiameseCat(card=ct.Card(suit=1, value=11)))], "cat_deck[0].siamese.card.value"),
    "no card": ([ct.Cat(siamese=ct.SiameseCat())], "cat_deck[0].siamese.card.suit"),
    "card not in play": ([ct.Cat(siamese=ct.SiameseCat(card=ct.Card(suit=1, value=8)))], "cat_deck[0].siamese.card"),
    "grey counts nothing": ([ct.Cat(grey=ct.GreyCat(most=ct.Counted()))], "cat_deck[0].grey.most"),
    "grey value": ([ct.Cat(grey=ct.GreyCat(most=ct.Counted(value=8)))], "cat_deck[0].grey.most.value"),
    "grey suit": ([ct.Cat(grey=ct.GreyCat(most=ct.Counted(suit=5)))], "cat_deck[0].grey.most.suit"),  # type: ignore[arg-type]
    "orange value": ([ct.Cat(orange=ct.OrangeCat(least=ct.Counted(value=0)))], "cat_deck[0].orange.least.value"),
    "tuxedo below": ([ct.Cat(tuxedo=ct.TuxedoCat(tricks=-1))], "cat_deck[0].tuxedo.tricks"),
    "tuxedo above": ([ct.Cat(tuxedo=ct.TuxedoCat(tricks=11), player_counts=[4])], "cat_deck[0].tuxedo.tricks"),
    "player counts": ([ct.Cat(black=ct.BlackCat(trick=1), player_counts=[6])], "cat_deck[0].player_counts[0]"),
    "two that agree": ([ANY, ct.Cat(black=ct.BlackCat(trick=2), player_counts=[3])], "cat_deck[1]"),
    "too few": ([ANY, ct.Cat(black=ct.BlackCat(trick=3))], "cat_deck"),
    "too few at the level": (
        [ANY, ct.Cat(black=ct.BlackCat(trick=3)), ct.Cat(orange=ct.OrangeCat(least=ct.Counted(value=3)))],
        "cat_deck",
    ),
}


@pytest.mark.parametrize("fault", BAD_DECKS)
async def test_a_custom_deck_that_cannot_be_played_is_refused(stack: Stack, fault: str):
    """Each kind of fault names the cat, or the deck when it is about no single one."""
    cats, field = BAD_DECKS[fault]
    async with guests(stack, 1) as (person,):
        options = table_options(ct.Options(level=ct.LEVEL_HOUSE_CAT, cat_deck=cats), 3)
        await _bad_options(person, options, f"options.game.cheez_tricks.{field}")


async def test_malformed_requests_name_their_field(stack: Stack):
    """Ids, names, pages, resume points."""
    async with guests(stack, 1) as (person,):
        table_id = await seated([person], bots=1)
        options = table_options(QUICK_GAME, 2)
        calls = {
            "request_id": person.create_table(options, request_id="x" * 65),
            "display_name": person.create_table(options, display_name="x" * 33),
            "resume_point": anext(person.watch(table_id, resume_point="yesterday")),
            "page_size": anext(person.list_tables(page_size=101)),
            "game": anext(person.list_tables(game="chess")),
            "game_number": person.record(table_id, -1),
        }
        for field, call in calls.items():
            with pytest.raises(Malformed) as refused:
                await call
            assert [violation.field for violation in refused.value.field_violations] == [field]


async def _bad_options(person: Cheeseboard, options: tables_pb2.TableOptions, field: str) -> None:
    with pytest.raises((BadOption, BadRequest, UnknownCard)) as refused:
        await person.create_table(options)
    assert [violation.field for violation in refused.value.field_violations] == [field]
    assert refused.value.field_violations[0].description
    assert await person.my_tables() == ()


async def _refused(
    person: Cheeseboard, table_id: str, window: int, reason: type[Refused], action: ct.PlayCard | ct.ChooseTrump
) -> None:
    move = ct.Move(play_card=action) if isinstance(action, ct.PlayCard) else ct.Move(choose_trump=action)
    with pytest.raises(reason):
        await person.move(table_id, move, window=window)


async def _in_turn(people: list[Cheeseboard], table_id: str) -> tuple[Cheeseboard, Cheeseboard]:
    """Return who is asked, and the other one."""
    seat = (await people[0].view(table_id)).prompt.questions[0].seat
    return people[seat], people[1 - seat]


async def _an_offer(people: list[Cheeseboard], table_id: str) -> tables_pb2.Offer:
    views = await asyncio.gather(*(person.view(table_id) for person in people))
    return next(view.prompt.offers[0] for view in views if view.prompt.offers)


async def _lead_what_the_other_holds(leader: Cheeseboard, other: Cheeseboard, table_id: str) -> int:
    """Lead a suit that the other holds beside others."""
    held = [card.suit for card in (await other.view(table_id)).cheez_tricks.hand]
    assert len(set(held)) > 1
    view = await leader.view(table_id)
    offer = next(o for o in view.prompt.offers if o.cheez_tricks.play_card.card.suit in held)
    await leader.move(table_id, move_of(offer), window=offer.window)
    return offer.cheez_tricks.play_card.card.suit


def _cards(highest: int) -> list[ct.Card]:
    return [ct.Card(suit=suit, value=value) for suit in SUITS for value in range(1, highest + 1)]
