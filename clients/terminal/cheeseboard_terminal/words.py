"""Refusals in plain words."""

from collections.abc import Mapping

from cheeseboard_client import CheeseboardError, Refused, Unreachable
from cheeseboard_terminal.invocation import command
from cheeseboard_terminal.people import clean

SENTENCES: Mapping[str, str] = {
    "BAD_REQUEST": "The engine did not understand that",
    "BAD_OPTION": "The table cannot be set up like that",
    "UNKNOWN_CARD": "There is no such card in this game.",
    "UNKNOWN_GAME": "This game is not offered here.",
    "UNKNOWN_BOT": "There is no such bot.",
    "REQUEST_ID_REUSED": "That was sent before as something else; please try again.",
    "NOT_YOUR_TURN": "It is not your turn.",
    "WINDOW_CLOSED": "Too late: that question is answered already.",
    "NOT_ASKED_FOR": "Something else is asked now.",
    "CARD_NOT_IN_HAND": "You don't hold that card.",
    "MUST_FOLLOW_SUIT": "You hold the suit that was led: you must follow it.",
    "GAME_NOT_RUNNING": "No game is being played here.",
    "GAME_ALREADY_STARTED": "The game has begun already.",
    "GAME_NOT_OVER": "The game is not over yet.",
    "TABLE_CLOSED": "The table is closed.",
    "TABLE_FULL": "The table is full.",
    "SEAT_TAKEN": "That seat is taken.",
    "SEATS_FREE": "There are still free seats: add bots or wait for friends.",
    "NO_RECORD": "No game has been played at this table yet.",
    "ALREADY_WAITING": "You look for a game already, in another window perhaps.",
    "PARTY_CLOSED": "That party is complete, or gave up.",
    "WOULD_BE_WASTED": "Too late for that card: it would be wasted.",
    "BAD_TARGET": "You cannot choose that seat: it is your own, or its hand is empty.",
    "VAULT_USED": "You have played a Cheese Vault on this Cat already.",
    "PLACE_EMPTY": "No card lies there any more.",
    "VETO_LIMIT_REACHED": "You have no veto left.",
    "ALREADY_DECLARED": "You declared that already.",
    "BID_OUT_OF_RANGE": "A bid must be above the standing one, up to the number of tricks.",
    "NO_TRUMP": "There is no trump in this round.",
    "ALREADY_KNOCKED": "You knocked in this trick already.",
    "NO_SUCH_PLAY": "That card was not played in this round.",
    "OWN_PLAY": "You cannot accuse your own side.",
    "ALREADY_CAUGHT": "That renege was caught already.",
    "ACCUSED_WRONGLY": "You accused wrongly in this round and may not accuse again.",
    "ACCUSING_OVER": "It is too late to accuse anybody in this round.",
    "SPLIT_DOES_NOT_ADD_UP": "The split must add up to your team's tricks.",
    "SPLIT_NOT_ALLOWED": "Partners may not give away so many tricks here.",
    "CONFLICT": "Others were quicker just now; please try again.",
    "TABLE_NOT_FOUND": "There is no such table.",
    "SCOREBOARD_NOT_FOUND": "There are no scores for that.",
    "TICKET_NOT_FOUND": "You look for no game at the moment.",
    "TOKEN_MISSING": "You are not signed in.",
    "TOKEN_INVALID": "The engine does not accept your sign-in.",
    "TOKEN_EXPIRED": "Your sign-in has expired.",
    "NOT_SEATED": "You have no seat at this table.",
    "NOT_HOST": "Only the host of the table may do that.",
    "NO_SPECTATORS": "This table allows no onlookers.",
    "NO_GUESTS": f"This engine lets no guests in; start {command('--token', 'TOKEN')}",
    "NO_SERVICE_SCOPE": "Your sign-in may not act for others.",
    "RATE_LIMITED": "Too fast; please wait a moment.",
    "TOO_MANY": "You have too many tables or screens open.",
    "STORE_UNAVAILABLE": "The engine cannot reach its store at the moment; please try again.",
    "NEWER_RELEASE": "The engine is being renewed; please try again in a moment.",
    "DRAINING": "The engine is being renewed; please try again in a moment.",
    "QUARANTINED": "This table met a fault and is held back by its operator.",
    "INTERNAL": "The engine met a fault of its own; nothing was changed.",
}


def in_words(error: CheeseboardError) -> str:
    """Return what an error means to a player."""
    if isinstance(error, Unreachable):
        return "The engine does not answer. If your last move arrived, the table will show it."
    if not isinstance(error, Refused):
        return clean(str(error), 200)
    message = clean(error.refusal.message, 120)
    fields = "; ".join(clean(f"{at.field} {at.description}", 100) for at in error.field_violations)
    said = SENTENCES.get(error.reason)
    if said is None:
        return fields or message or "The engine refused that."
    # Sentences without a full stop are finished by what exactly is wrong.
    return f"{said.rstrip('.')}: {fields or message}" if fields or not said.endswith(".") else said
