"""Tables that are played without being watched: the load knows the hands, and follows the tricks by itself.

So a run sends moves and nothing else. Four players sit at every table; each has one token.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import grpc

from cheeseboard.engine.v1 import lobby_pb2, lobby_pb2_grpc, tables_pb2, tables_pb2_grpc
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct
from tests.bench.stock import METHOD

SEATS = 4
TRICKS = 10
Metadata = tuple[tuple[str, str], ...]


@dataclass
class Player:
    """A guest and what it calls by."""

    metadata: Metadata


@dataclass
class Round:
    """A round at a table as it is being played: hands by seat, who leads, and what decides tricks."""

    table_id: str
    leader: int
    trump: int
    window: int
    hands: list[list[ct.Card]]

    def moves(self, tricks: int) -> Iterator[tuple[int, tables_pb2.SubmitMoveRequest]]:
        """Yield the legal moves of the next so many tricks, each with its seat."""
        for _ in range(tricks):
            plays: list[tuple[int, ct.Card]] = []
            for turn in range(SEATS):
                seat = (self.leader + turn) % SEATS
                card = self._card(seat, plays[0][1].suit if plays else None)
                plays.append((seat, card))
                yield seat, self._request(self.window, card)
                self.window += 1
            self.leader = max(plays, key=lambda play: self._strength(play[1], plays[0][1].suit))[0]

    def _card(self, seat: int, led: int | None) -> ct.Card:
        hand = self.hands[seat]
        card = next((held for held in hand if held.suit == led), hand[0])
        hand.remove(card)
        return card

    def _strength(self, card: ct.Card, led: int) -> tuple[bool, bool, int]:
        return card.suit == self.trump, card.suit == led, card.value

    def _request(self, window: int, card: ct.Card) -> tables_pb2.SubmitMoveRequest:
        move = tables_pb2.Move(cheez_tricks=ct.Move(play_card=ct.PlayCard(card=card)))
        request_id = f"{self.table_id}/{window}"
        return tables_pb2.SubmitMoveRequest(table_id=self.table_id, request_id=request_id, window=window, move=move)


class Load:
    """Connections to one engine, and the players."""

    def __init__(self, address: str, channels: int = 4) -> None:
        options = [("grpc.use_local_subchannel_pool", 1)]
        self._channels = [grpc.aio.insecure_channel(address, options=options) for _ in range(channels)]
        self.tables = [tables_pb2_grpc.TableServiceStub(channel) for channel in self._channels]
        self.lobby = lobby_pb2_grpc.LobbyServiceStub(self._channels[0])
        self.players: list[Player] = []
        self._names = itertools.count()

    async def sign_in(self) -> None:
        """Bring the players."""
        for number in range(SEATS):
            answer = await self.lobby.SignInGuest(lobby_pb2.SignInGuestRequest(display_name=f"Player {number}"))
            self.players.append(Player((("authorization", f"Bearer {answer.token}"),)))

    async def table(self) -> str:
        """Return a table at which all four sit, with its game begun."""
        name = f"bench-{next(self._names)}"
        options = tables_pb2.TableOptions(
            game=tables_pb2.GameOptions(cheez_tricks=ct.Options(level=ct.LEVEL_HOUSE_CAT)),
            seats=SEATS,
            clock=tables_pb2.Clock(move_seconds=600),
        )
        host = self.players[0].metadata
        create = lobby_pb2.CreateTableRequest(request_id=name, options=options)
        table_id = (await self.lobby.CreateTable(create, metadata=host)).table_id
        for player in self.players[1:]:
            join = lobby_pb2.JoinTableRequest(request_id=name, table_id=table_id)
            await self.lobby.JoinTable(join, metadata=player.metadata)
        await self.lobby.StartGame(lobby_pb2.StartGameRequest(request_id=name + "s", table_id=table_id), metadata=host)
        return table_id

    async def round(self, table_id: str) -> Round:
        """Return the round that is about to be played at a table."""
        request = tables_pb2.GetViewRequest(table_id=table_id)
        views = [(await self.tables[0].GetView(request, metadata=player.metadata)).view for player in self.players]
        game, window = views[0].cheez_tricks, views[0].prompt.questions[0].window
        return Round(table_id, game.starter, game.trump, window, [list(view.cheez_tricks.hand) for view in views])

    async def next_round(self, table_id: str) -> Round:
        """Wait for the scores of the round before, choose a trump, and return the round that begins."""
        while True:
            for seat, player in enumerate(self.players):
                request = tables_pb2.GetViewRequest(table_id=table_id)
                view = (await self.tables[0].GetView(request, metadata=player.metadata)).view
                if view.cheez_tricks.phase == ct.PHASE_TRICKS:
                    return await self.round(table_id)
                if view.prompt.offers:
                    await self.submit(seat, _as_move(table_id, view.prompt.offers[0]))
            await asyncio.sleep(0.02)

    async def rounds(self, count: int) -> list[Round]:
        """Return so many tables' first rounds."""
        room = asyncio.Semaphore(8)

        async def one() -> Round:
            async with room:
                return await self.round(await self.table())

        return list(await asyncio.gather(*(one() for _ in range(count))))

    async def submit(self, seat: int, request: tables_pb2.SubmitMoveRequest, channel: int = 0) -> None:
        """Do one move by a call of its own."""
        await self.tables[channel % len(self.tables)].SubmitMove(request, metadata=self.players[seat].metadata)

    async def close(self) -> None:
        """Close all connections."""
        for channel in self._channels:
            await channel.close()


def _as_move(table_id: str, offer: tables_pb2.Offer) -> tables_pb2.SubmitMoveRequest:
    move = tables_pb2.Move(cheez_tricks=ct.Move(choose_trump=offer.cheez_tricks.choose_trump))
    request_id = f"{table_id}/{offer.window}"
    return tables_pb2.SubmitMoveRequest(table_id=table_id, request_id=request_id, window=offer.window, move=move)


@asynccontextmanager
async def load_on(address: str) -> AsyncIterator[Load]:
    """Yield a load whose players are signed in."""
    load = Load(address)
    try:
        await load.sign_in()
        yield load
    finally:
        await load.close()


async def submit_all(load: Load, rounds: list[Round], tricks: int, at_once: int = 64) -> int:
    """Play tricks at all tables by single calls, a number of tables at once; return how many moves that was."""
    moves = 0
    waiting = iter(enumerate(rounds))

    async def worker() -> None:
        nonlocal moves
        for number, table in waiting:
            for seat, request in table.moves(tricks):
                await load.submit(seat, request, number)
                moves += 1

    await asyncio.gather(*(worker() for _ in range(at_once)))
    return moves


async def echo_all(address: str, calls: int, at_once: int = 64) -> None:
    """Do so many calls of the baseline."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    channels = [grpc.aio.insecure_channel(address, options=options) for _ in range(4)]
    methods = [
        channel.unary_unary(
            METHOD,
            request_serializer=tables_pb2.SubmitMoveRequest.SerializeToString,
            response_deserializer=tables_pb2.SubmitMoveResponse.FromString,
        )
        for channel in channels
    ]
    numbers = iter(range(calls))

    async def worker(worker_number: int) -> None:
        move = tables_pb2.Move(cheez_tricks=ct.Move(play_card=ct.PlayCard(card=ct.Card(suit=1, value=7))))
        for number in numbers:
            request = tables_pb2.SubmitMoveRequest(
                table_id=f"table-{worker_number}", request_id=f"{number}", window=number + 1, move=move
            )
            await methods[number % 4](request)

    await asyncio.gather(*(worker(number) for number in range(at_once)))
    for channel in channels:
        await channel.close()
