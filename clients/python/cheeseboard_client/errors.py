"""What goes wrong, typed: a refusal is an answer, `Unreachable` is the lack of one.

`BY_REASON` is the one table from the reasons on the wire to exceptions; a reason that this release does not know yet
comes as plain `Refused` with its name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import grpc

from cheeseboard.errors.v1.reasons_pb2 import Reason


class CheeseboardError(Exception):
    """Whatever this package raises on purpose."""


class Unreachable(CheeseboardError):
    """No answer came within the time allowed.

    A write may have happened or not. Every write method takes a `request_id`: the same one again has no second effect.
    """

    def __init__(self, code: grpc.StatusCode, message: str) -> None:
        super().__init__(f"{code.name}: {message}")
        self.code = code
        """The last status seen."""


@dataclass(frozen=True)
class FieldViolation:
    """A field of the request that was refused."""

    field: str
    """Its path in the request."""
    description: str


@dataclass(frozen=True)
class Refusal:
    """What the answer to a refused request says."""

    reason: str
    """A name of cheeseboard.errors.v1.Reason without its prefix; empty when a server gave none."""
    code: grpc.StatusCode
    message: str
    """For a developer's eyes."""
    facts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    field_violations: tuple[FieldViolation, ...] = ()
    retry_after: float | None = None
    """Seconds after which the same request may be sent again."""


class Refused(CheeseboardError):
    """The request was answered with a refusal and changed nothing."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.reason or refusal.code.name}: {refusal.message}")
        self.refusal = refusal

    @property
    def reason(self) -> str:
        """A name of cheeseboard.errors.v1.Reason without its prefix."""
        return self.refusal.reason

    @property
    def code(self) -> grpc.StatusCode:
        """The canonical status code."""
        return self.refusal.code

    @property
    def facts(self) -> Mapping[str, str]:
        """The facts of the refusal by name; which there are depends on the reason."""
        return self.refusal.facts

    @property
    def field_violations(self) -> tuple[FieldViolation, ...]:
        """The fields that were refused, when the request was malformed."""
        return self.refusal.field_violations

    @property
    def retry_after(self) -> float | None:
        """Seconds after which the same request may be sent again, if the refusal says so."""
        return self.refusal.retry_after


class Malformed(Refused):
    """The request could not be right whatever the state of the table."""


class NotAllowedNow(Refused):
    """The request does not fit the state of the table."""


class NotThere(Refused):
    """What the request names does not exist."""


class NotSignedIn(Refused):
    """The token says not, or not credibly, who is calling."""


class NotPermitted(Refused):
    """The caller may not do this."""


class TooMuch(Refused):
    """Too fast or too many."""


class TryLater(Refused):
    """The service cannot answer at the moment; this package tried again before it raised this."""


class BadRequest(Malformed):
    """A field is missing or malformed; see `field_violations`."""


class BadOption(Malformed):
    """An option of a table is out of range or does not go with another; see `field_violations`."""


class UnknownCard(Malformed):
    """There is no such card in this game."""


class UnknownGame(Malformed):
    """The game is not offered here."""


class UnknownBot(Malformed):
    """The game has no such bot."""


class RequestIdReused(Malformed):
    """The request_id was used before for something else."""


class NotYourTurn(NotAllowedNow):
    """Somebody else is asked now."""


class WindowClosed(NotAllowedNow):
    """The question was answered or its time is over."""


class NotAskedFor(NotAllowedNow):
    """Something else is asked now."""


class CardNotInHand(NotAllowedNow):
    """The card is not in the hand."""


class MustFollowSuit(NotAllowedNow):
    """The suit led is in the hand and must be followed."""


class GameNotRunning(NotAllowedNow):
    """No game is being played."""


class GameAlreadyStarted(NotAllowedNow):
    """A game is being played or was played."""


class GameNotOver(NotAllowedNow):
    """The game is not over."""


class TableClosed(NotAllowedNow):
    """The table is closed for good."""


class TableFull(NotAllowedNow):
    """No seat is free."""


class SeatTaken(NotAllowedNow):
    """Somebody else has the seat."""


class SeatsFree(NotAllowedNow):
    """Seats are still free."""


class NoRecord(NotAllowedNow):
    """No game has been played at the table yet."""


class AlreadyWaiting(NotAllowedNow):
    """The player has a live ticket: `facts["ticket_id"]`."""


class PartyClosed(NotAllowedNow):
    """The party is complete, or gave up."""


class WouldBeWasted(NotAllowedNow):
    """The card would come too late to have an effect, and the move does not accept that."""


class BadTarget(NotAllowedNow):
    """The seat cannot be chosen: it is one's own, or its hand is empty."""


class VaultUsed(NotAllowedNow):
    """A second Cheese Vault on the same Cat."""


class PlaceEmpty(NotAllowedNow):
    """No card lies in that place."""


class Conflict(Refused):
    """Other commands came first, again and again; nothing was done."""


class TableNotFound(NotThere):
    """There is no such table."""


class ScoreboardNotFound(NotThere):
    """There is no such scoreboard."""


class TicketNotFound(NotThere):
    """There is no such ticket, or it is not the caller's."""


class TokenMissing(NotSignedIn):
    """No token was sent."""


class TokenInvalid(NotSignedIn):
    """The token is not valid here."""


class TokenExpired(NotSignedIn):
    """The token has expired."""


class NotSeated(NotPermitted):
    """The caller has no seat at the table."""


class NotHost(NotPermitted):
    """Only the host may do this."""


class NoSpectators(NotPermitted):
    """The table allows no spectators."""


class NoGuests(NotPermitted):
    """The operator allows no guests."""


class NoServiceScope(NotPermitted):
    """The token may not act for another player."""


class RateLimited(TooMuch):
    """Too many requests; `retry_after` says when to come back."""


class TooMany(TooMuch):
    """Too many tables or streams at once."""


class StoreUnavailable(TryLater):
    """The store does not answer or refuses writes."""


class NewerRelease(TryLater):
    """The table was written by a newer release than this replica runs."""


class Draining(TryLater):
    """This replica stops."""


class Quarantined(Refused):
    """The table is held back for inspection by its operator."""


class Internal(Refused):
    """A fault of the service, logged there."""


BY_REASON: Mapping[int, type[Refused]] = MappingProxyType(
    {
        Reason.REASON_BAD_REQUEST: BadRequest,
        Reason.REASON_BAD_OPTION: BadOption,
        Reason.REASON_UNKNOWN_CARD: UnknownCard,
        Reason.REASON_UNKNOWN_GAME: UnknownGame,
        Reason.REASON_UNKNOWN_BOT: UnknownBot,
        Reason.REASON_REQUEST_ID_REUSED: RequestIdReused,
        Reason.REASON_NOT_YOUR_TURN: NotYourTurn,
        Reason.REASON_WINDOW_CLOSED: WindowClosed,
        Reason.REASON_NOT_ASKED_FOR: NotAskedFor,
        Reason.REASON_CARD_NOT_IN_HAND: CardNotInHand,
        Reason.REASON_MUST_FOLLOW_SUIT: MustFollowSuit,
        Reason.REASON_GAME_NOT_RUNNING: GameNotRunning,
        Reason.REASON_GAME_ALREADY_STARTED: GameAlreadyStarted,
        Reason.REASON_GAME_NOT_OVER: GameNotOver,
        Reason.REASON_TABLE_CLOSED: TableClosed,
        Reason.REASON_TABLE_FULL: TableFull,
        Reason.REASON_SEAT_TAKEN: SeatTaken,
        Reason.REASON_SEATS_FREE: SeatsFree,
        Reason.REASON_NO_RECORD: NoRecord,
        Reason.REASON_ALREADY_WAITING: AlreadyWaiting,
        Reason.REASON_PARTY_CLOSED: PartyClosed,
        Reason.REASON_WOULD_BE_WASTED: WouldBeWasted,
        Reason.REASON_BAD_TARGET: BadTarget,
        Reason.REASON_VAULT_USED: VaultUsed,
        Reason.REASON_PLACE_EMPTY: PlaceEmpty,
        Reason.REASON_CONFLICT: Conflict,
        Reason.REASON_TABLE_NOT_FOUND: TableNotFound,
        Reason.REASON_SCOREBOARD_NOT_FOUND: ScoreboardNotFound,
        Reason.REASON_TICKET_NOT_FOUND: TicketNotFound,
        Reason.REASON_TOKEN_MISSING: TokenMissing,
        Reason.REASON_TOKEN_INVALID: TokenInvalid,
        Reason.REASON_TOKEN_EXPIRED: TokenExpired,
        Reason.REASON_NOT_SEATED: NotSeated,
        Reason.REASON_NOT_HOST: NotHost,
        Reason.REASON_NO_SPECTATORS: NoSpectators,
        Reason.REASON_NO_GUESTS: NoGuests,
        Reason.REASON_NO_SERVICE_SCOPE: NoServiceScope,
        Reason.REASON_RATE_LIMITED: RateLimited,
        Reason.REASON_TOO_MANY: TooMany,
        Reason.REASON_STORE_UNAVAILABLE: StoreUnavailable,
        Reason.REASON_NEWER_RELEASE: NewerRelease,
        Reason.REASON_DRAINING: Draining,
        Reason.REASON_QUARANTINED: Quarantined,
        Reason.REASON_INTERNAL: Internal,
    }
)


def refused(refusal: Refusal) -> Refused:
    """Return the exception for a refusal; plain `Refused` when its reason is not in the table."""
    number = Reason.DESCRIPTOR.values_by_name.get(f"REASON_{refusal.reason}")
    kind = BY_REASON.get(number.number, Refused) if number else Refused
    return kind(refusal)
