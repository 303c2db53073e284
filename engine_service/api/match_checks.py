"""Checks of requests for a game: each names the field that is wrong."""

import hashlib
import secrets
from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from cheeseboard.engine.v1 import matchmaking_pb2 as pb
from cheeseboard.engine.v1 import tables_pb2
from engine_service.api import checks
from engine_service.api.checks import bad
from engine_service.matchmaking.tickets import MOST_LINES, Accepted, Player, Ticket, encode_options, lines_of
from engine_service.rules.registry import GAMES
from engine_service.store.directory import LETTERS
from service_runtime.errors import Refused
from service_runtime.identity import Caller, player_id

MOST_ACCEPTED, MOST_KEYS, MOST_VALUES, LONGEST_VALUE = 8, 8, 16, 64
DEFAULT_UNWATCHED_SECONDS, SHORTEST_UNWATCHED, LONGEST_UNWATCHED = 60, 1, 3600
LONGEST_WAIT_MS = 5000
LONGEST_BOTS_AFTER = 3600
LONGEST_SUB = 255


def ticket(request: pb.CreateTicketRequest, caller: Caller, names: Collection[str]) -> Ticket:
    """Return the ticket that is asked for, its players not yet rated."""
    request_id = checks.request_id(request.request_id)
    players = (_caller(request, caller), *_members(request, caller))
    size = request.party_size or len(players)
    if size < 1 or len(players) not in (1, size):
        raise bad("party_size", "must count the caller and all members")
    unwatched = request.unwatched_seconds or DEFAULT_UNWATCHED_SECONDS
    bots_after = request.bots_after_seconds if request.HasField("bots_after_seconds") else None
    _within("unwatched_seconds", unwatched, SHORTEST_UNWATCHED, LONGEST_UNWATCHED)
    _within("bots_after_seconds", bots_after or 0, 0, LONGEST_BOTS_AFTER)
    _within("wait_milliseconds", request.wait_milliseconds, 0, LONGEST_WAIT_MS)
    found = Ticket(
        ticket_id=hashlib.sha256(f"ticket/{caller.player_id}/{request_id}".encode()).hexdigest()[:24],
        request=_asked_for(request),
        accepts=_accepts(request.accepts, size),
        keys=_keys(request.keys, names),
        players=players,
        party_size=size,
        ttl_ms=unwatched * 1000,
        bots_after_ms=None if bots_after is None else bots_after * 1000,
        party_code=new_code() if len(players) < size else "",
    )
    if lines_of(found) > MOST_LINES:
        raise bad("accepts", f"games, seats and values of keys must not make more than {MOST_LINES} combinations")
    return found


def _asked_for(request: pb.CreateTicketRequest) -> bytes:
    """Return a digest of what is asked for: how long to wait for the answer is no part of it."""
    asked_for = pb.CreateTicketRequest()
    asked_for.CopyFrom(request)
    asked_for.ClearField("wait_milliseconds")
    return hashlib.sha256(asked_for.SerializeToString(deterministic=True)).digest()[:8]


def new_code() -> str:
    """Return a code for a party that gathers."""
    return "".join(secrets.choice(LETTERS) for _ in range(6))


def rated(player: Player, strengths: Sequence[float]) -> Player:
    """Return a player with its rating in each of the games accepted."""
    return msgspec.structs.replace(player, strengths=tuple(strengths))


def _accepts(given: Sequence[pb.AcceptedGame], size: int) -> tuple[Accepted, ...]:
    if not 1 <= len(given) <= MOST_ACCEPTED:
        raise bad("accepts", f"must be 1 to {MOST_ACCEPTED} games")
    found = tuple(_accepted(f"accepts[{number}]", each, size) for number, each in enumerate(given))
    if len({(each.options, each.game) for each in found}) < len(found):
        raise bad("accepts", "must differ in more than their seats")
    return found


def _accepted(field: str, given: pb.AcceptedGame, size: int) -> Accepted:
    most = given.options.seats
    fewest = given.min_seats or most
    name, options = _table_options(field, given.options)
    game = GAMES[name]
    if not game.min_seats <= fewest <= most:
        raise bad(f"{field}.min_seats", f"must be {game.min_seats} to {most}")
    if size > most:
        raise bad(f"{field}.options.seats", f"must be at least {size}, the size of the party")
    for seats in range(fewest, most):
        smaller = tables_pb2.TableOptions()
        smaller.CopyFrom(given.options)
        smaller.seats = seats
        _table_options(field, smaller)
    bot = given.bot or next(iter(game.bots))
    if bot not in game.bots:
        raise bad(f"{field}.bot", f"must be one of {', '.join(game.bots)}", "UNKNOWN_BOT")
    return Accepted(name, encode_options(options), most, fewest, bot)


def _table_options(field: str, given: tables_pb2.TableOptions) -> tuple[str, Any]:
    try:
        return checks.table_options(given)
    except Refused as refused:
        violations = [(f"{field}.{path}", why) for path, why in refused.violations]
        raise Refused(refused.reason, violations=violations) from None


def _keys(given: Sequence[pb.MatchKey], names: Collection[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if len(given) > MOST_KEYS:
        raise bad("keys", f"must be at most {MOST_KEYS}")
    found = {}
    for number, key in enumerate(given):
        field = f"keys[{number}]"
        if key.name not in names:
            known = ", ".join(names)
            raise bad(f"{field}.name", f"must be one of {known}" if known else "no keys are defined here")
        if key.name in found:
            raise bad(f"{field}.name", "must not come twice")
        if not 1 <= len(key.values) <= MOST_VALUES:
            raise bad(f"{field}.values", f"must be 1 to {MOST_VALUES}")
        if not all(1 <= len(value) <= LONGEST_VALUE for value in key.values):
            raise bad(f"{field}.values", f"each must have 1 to {LONGEST_VALUE} characters")
        found[key.name] = tuple(dict.fromkeys(key.values))
    return tuple(sorted(found.items()))


def _caller(request: pb.CreateTicketRequest, caller: Caller) -> Player:
    return Player(caller.player_id, checks.display_name(request.display_name) or caller.name)


def _members(request: pb.CreateTicketRequest, caller: Caller) -> tuple[Player, ...]:
    if request.members and not caller.service:
        raise Refused("NO_SERVICE_SCOPE", "only a platform's backend names the members of a party; players join it")
    issuer = caller.subject.partition("|")[0]
    found = {caller.player_id: Player(caller.player_id, "")}
    for number, member in enumerate(request.members):
        field = f"members[{number}]"
        if not 1 <= len(member.player) <= LONGEST_SUB:
            raise bad(f"{field}.player", f"must have 1 to {LONGEST_SUB} characters")
        who = player_id(f"{issuer}|{member.player}")
        if who in found:
            raise bad(f"{field}.player", "is in the party already")
        name = checks.display_name(member.display_name, f"{field}.display_name")
        found[who] = Player(who, name or "Player")
    return tuple(found.values())[1:]


def _within(field: str, given: int, least: int, most: int) -> None:
    if not least <= given <= most:
        raise bad(field, f"must be {least} to {most}")
