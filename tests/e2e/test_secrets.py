"""What leaves the engine over gRPC: every message of whole games, for every seat and a spectator."""

import asyncio
import base64
from collections.abc import Iterator
from contextlib import aclosing

import pytest
from google.protobuf.message import Message

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from cheeseboard_client import Cheeseboard, Refused, Snapshot, Step
from engine_service.rules.shuffle import derived
from engine_service.tables.codec import decode_table
from service_runtime.redis_connection import RedisConnection
from tests.support.players import guests, play_out, seated
from tests.support.stack import Stack

SEATS = 4
Told = list[tuple[int, Message]]
"""Messages that came to one viewer, each with the number of the last event before or in it."""


class Known:
    """What everyone at the table could have written down by an event, from the record of the finished game."""

    def __init__(self, events: list[tables_pb2.TableEvent]) -> None:
        self._events = events

    def cards(self, viewer: int | None, sequence: int, wild: bool) -> set[tuple[int, int]]:
        """Return the cards that a view at this point may name."""
        hands: list[set[tuple[int, int]]] = []
        trick, last, won, cats = set(), set(), set(), set()
        for event in self._until(sequence):
            match event.WhichOneof("event"):
                case "round_started":
                    hands = self._hands(event.round_started.round)
                    trick, last, won = set(), set(), set()
                    cats |= set(_cards(event))
                case "card_played":
                    card = _pair(event.card_played.card)
                    hands[event.card_played.seat].discard(card)
                    trick, last = trick | {card}, set()
                case "trick_won":
                    won, last, trick = won | trick, trick, set()
                case "deal_revealed":
                    return set().union(*self._hands(event.deal_revealed.round))
        own = hands[viewer] if viewer is not None and hands else set()
        return own | trick | last | cats | (set() if wild else won)

    def secrets(self, sequence: int) -> Iterator[bytes]:
        """Yield the seeds that were not opened by then."""
        for event in self._events:
            if event.sequence > sequence and event.cheez_tricks.HasField("deal_revealed"):
                yield event.cheez_tricks.deal_revealed.seed

    def _until(self, sequence: int) -> Iterator[ct.Event]:
        return (event.cheez_tricks for event in self._events if event.sequence <= sequence)

    def _hands(self, number: int) -> list[set[tuple[int, int]]]:
        revealed = (event.cheez_tricks.deal_revealed for event in self._events)
        deal = next(deal for deal in revealed if deal.round == number)
        return [{_pair(card) for card in hand.cards} for hand in deal.hands]


@pytest.mark.parametrize("level", [ct.LEVEL_HOUSE_CAT, ct.LEVEL_WILD_CAT], ids=["house", "wild"])
async def test_nothing_hidden_ever_leaves(stack: Stack, level: ct.Level):
    """Views, frames, records of the running game and refusals name no card that their reader may not know; no seed."""
    async with guests(stack, SEATS + 1) as (*people, spectator):
        table_id = await seated(people, options=ct.Options(level=level))
        viewers: list[tuple[int | None, Cheeseboard]] = [*enumerate(people), (None, spectator)]
        told: dict[int | None, Told] = {viewer: [] for viewer, _ in viewers}
        listening = [asyncio.create_task(_listen(person, table_id, told[viewer])) for viewer, person in viewers]
        prying = [asyncio.create_task(_pry(person, table_id, told[viewer])) for viewer, person in viewers]
        secrets = await _keys(stack, table_id)
        await asyncio.gather(*(play_out(person, table_id, seat) for seat, person in enumerate(people)))
        for task in prying:
            task.cancel()
        await asyncio.gather(*listening)
        known = Known(list((await people[0].record(table_id)).events))
        for viewer, messages in told.items():
            assert len(messages) > 150
            for sequence, message in messages:
                _assert_nothing_hidden(known, viewer, sequence, message, level == ct.LEVEL_WILD_CAT, secrets)
        _assert_not_logged(stack, [*secrets, *known.secrets(0)])


def _assert_nothing_hidden(
    known: Known, viewer: int | None, sequence: int, message: Message, wild: bool, keys: list[bytes]
) -> None:
    data = message.SerializeToString()
    for secret in (*keys, *known.secrets(sequence)):
        assert secret not in data
    if isinstance(message, tables_pb2.TableView):
        stray = set(_cards(message.cheez_tricks)) | {_pair(c) for o in message.prompt.offers for c in _offered(o)}
        assert stray <= known.cards(viewer, sequence, wild), (viewer, sequence)
    if isinstance(message, tables_pb2.TableEvent) and not message.cheez_tricks.HasField("deal_revealed"):
        # An event names what was public at its own moment, also when it is looked back at.
        assert set(_cards(message.cheez_tricks)) <= known.cards(viewer, message.sequence, wild), (viewer, sequence)
    if wild and isinstance(message, tables_pb2.GetRecordResponse):
        hidden = _played_this_round(message) - known.cards(viewer, sequence, wild)
        assert not hidden, (viewer, sequence, hidden)


async def _listen(person: Cheeseboard, table_id: str, told: Told) -> None:
    """Keep what a watch brings, until the game is over."""
    async with aclosing(person.watch(table_id, include_view=True)) as frames:
        async for frame in frames:
            if isinstance(frame, Snapshot | Step):
                assert frame.view is not None
                told.append((frame.sequence, frame.view))
                told += [(frame.sequence, event) for event in frame.events] if isinstance(frame, Step) else []
                if frame.view.status == tables_pb2.TABLE_STATUS_FINISHED:
                    return


async def _pry(person: Cheeseboard, table_id: str, told: Told) -> None:
    """Ask for records and try moves that are refused, again and again."""
    while True:
        view = await person.view(table_id)
        told.append((view.sequence, view))
        record = await person.record(table_id)
        told += [(event.sequence, event) for event in record.events]
        told.append((record.events[-1].sequence, tables_pb2.GetRecordResponse(events=record.events)))
        for suit in (1, 2, 3, 4):
            card = ct.Card(suit=suit, value=1 + view.sequence % 10)  # type: ignore[arg-type]
            if card not in view.cheez_tricks.hand:
                try:
                    move = ct.Move(play_card=ct.PlayCard(card=card))
                    await person.move(table_id, move, window=max([1, *(q.window for q in view.prompt.questions)]))
                except Refused as refused:
                    assert not set(refused.facts) - {"card", "suit", "suit_led", "window"}, refused.facts
        await asyncio.sleep(0.01)


async def _keys(stack: Stack, table_id: str) -> list[bytes]:
    """Return the secret keys of the table, from the store itself."""
    connection = await RedisConnection.open(stack.valkey.url)
    (name,) = await connection.command("KEYS", f"*:table:{table_id}")
    table = decode_table((await connection.command("GET", name))[16:])
    await connection.close()
    return [table.key, derived(table.key, "game/1")]


def _assert_not_logged(stack: Stack, secrets: list[bytes]) -> None:
    for replica in (*stack.engines, *stack.scorings):
        log = replica.log.read_bytes()
        assert log
        for secret in secrets:
            for spelling in (secret, secret.hex().encode(), base64.b64encode(secret), repr(secret)[2:-1].encode()):
                assert spelling not in log


def _played_this_round(record: tables_pb2.GetRecordResponse) -> set[tuple[int, int]]:
    """Return the plays that a record of a running game shows of its last round."""
    played: set[tuple[int, int]] = set()
    for event in record.events:
        if event.cheez_tricks.HasField("round_started") or event.cheez_tricks.HasField("round_scored"):
            played.clear()
        elif event.cheez_tricks.HasField("card_played"):
            played.add(_pair(event.cheez_tricks.card_played.card))
    return played


def _offered(offer: tables_pb2.Offer) -> list[ct.Card]:
    return [offer.cheez_tricks.play_card.card] if offer.cheez_tricks.HasField("play_card") else []


def _pair(card: ct.Card) -> tuple[int, int]:
    return card.suit, card.value


def _cards(message: Message) -> list[tuple[int, int]]:
    """Return every card that a message names, at any depth."""
    if isinstance(message, ct.Card):
        return [_pair(message)]
    found: list[tuple[int, int]] = []
    for field, value in message.ListFields():
        if field.message_type is not None:
            for part in value if field.is_repeated else [value]:
                found += _cards(part)
    return found
