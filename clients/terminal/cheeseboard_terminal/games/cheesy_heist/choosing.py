"""What the viewer may do, numbered, and from a line of input to one of these.

Everything has a number; what is pressing (dropping, a Vault, a Decoy) has a word too.
"""

from collections.abc import Sequence

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheesy_heist.v1 import cheesy_heist_pb2 as proto
from cheeseboard_terminal.games.cheesy_heist.cards import set_name
from cheeseboard_terminal.games.contract import Answer, NotPossible, numbered

VERBS = {
    "draw_card": "draw a card",
    "play_cat": "play a Cat",
    "play_thief": "Thief: steal from",
    "play_grater": "Grater: grate cards of",
    "play_gift": "Gift: a Cat for",
    "drop_all": "drop all",
    "play_vault": "Cheese Vault",
    "play_decoy": "Decoy",
    "take_card": "take",
}
WORDS = {
    "draw": "draw_card",
    "cat": "play_cat",
    **dict.fromkeys(("drop", "all"), "drop_all"),
    **dict.fromkeys(("v", "vault"), "play_vault"),
    **dict.fromkeys(("y", "decoy"), "play_decoy"),
}
_SEVERAL = {"d": "draw, drop or decoy"}
"""Letters that stand for nothing, because what happens meanwhile could make them mean another thing."""


def concrete(view: tables_pb2.TableView) -> list[tables_pb2.Offer]:
    """Return the offers in the order of their numbers 1, 2, 3 …; not the one of a Vault, whose cards are numbered."""
    return [offer for offer in view.prompt.offers if not offer.cheesy_heist.HasField("keep_up_to")]


def keeping(view: tables_pb2.TableView) -> tables_pb2.Offer | None:
    """Return the offer to keep cards in a Vault, if there is one."""
    return next((offer for offer in view.prompt.offers if offer.cheesy_heist.HasField("keep_up_to")), None)


def verb(offer: tables_pb2.Offer) -> str:
    """Return what an offer is, without its target."""
    case = str(offer.cheesy_heist.WhichOneof("choice"))
    if case == "play_mirages":
        return f"{set_name(offer.cheesy_heist.play_mirages.cards).capitalize()}: look at the hand of"
    wasted = getattr(getattr(offer.cheesy_heist, case), "wasted", False)
    return VERBS[case] + (" (wasted now)" if wasted else "")


def target(offer: tables_pb2.Offer) -> int | None:
    """Return whom an offer is aimed at."""
    of = getattr(offer.cheesy_heist, str(offer.cheesy_heist.WhichOneof("choice")))
    return getattr(of, "target", None)


def prompt(view: tables_pb2.TableView) -> str:
    """Return the question to the viewer."""
    game, offers, keep = view.cheesy_heist, concrete(view), keeping(view)
    if keep:
        return f"Keep up to {keep.cheesy_heist.keep_up_to.count}: numbers as in 1 3, 0 for none{_by_word(offers)}"
    if game.phase == proto.PHASE_TURN:
        return f"Your turn: 1 to {len(offers)}" if len(offers) > 1 else "Your turn: Enter draws a card"
    if game.phase == proto.PHASE_COLLECTION:
        return f"Take a card: 1 to {len(offers)}"
    if not any(offer.cheesy_heist.HasField("drop_all") for offer in offers):
        return "You are safe; a kept Decoy may be played: 1"
    called = "The last drop!" if game.last_drop else "The Cat!"
    if len(offers) == 1:
        return f"{called} Enter drops all"
    return f"{called} 1 drops all" + "".join(f", {number} {verb(offer)}" for number, offer in enumerate(offers[1:], 2))


def _by_word(offers: Sequence[tables_pb2.Offer]) -> str:
    """Return what may be done where the numbers are those of cards."""
    letters = {case: word for word, case in reversed(WORDS.items())}
    return "".join(f", {letters[str(offer.cheesy_heist.WhichOneof('choice'))]} {verb(offer)}" for offer in offers)


def choose(view: tables_pb2.TableView, line: str) -> tables_pb2.Offer | Answer:
    """Return the offer that a line names by number or word, or the cards to keep."""
    offers, keep, word = concrete(view), keeping(view), line.strip().casefold()
    if not offers and not keep:
        raise NotPossible("It is not your turn.")
    named = [offer for offer in offers if offer.cheesy_heist.WhichOneof("choice") == WORDS.get(word)]
    if named:
        return named[0]
    if keep:
        return _kept(view, keep, word)
    if not word:
        return offers[0]
    if word in _SEVERAL:
        raise NotPossible(f"{word} could be {_SEVERAL[word]}: type the word, or a number shown.")
    if not (word.isascii() and word.isdigit()):
        raise NotPossible("Type one of the numbers shown; ? shows the rules.")
    return numbered(offers, word)


def _kept(view: tables_pb2.TableView, keep: tables_pb2.Offer, word: str) -> Answer:
    hand, most = view.cheesy_heist.hand, keep.cheesy_heist.keep_up_to.count
    numbers = word.replace(",", " ").split()
    if not numbers or not all(number.isascii() and number.isdigit() and len(number) < 4 for number in numbers):
        raise NotPossible(f"Type the numbers of up to {most} cards of your hand, as in 1 3; 0 keeps none.")
    chosen = {int(number) for number in numbers} - {0}
    if not chosen <= set(range(1, len(hand) + 1)):
        raise NotPossible(f"Your cards have the numbers 1 to {len(hand)}.")
    if len(chosen) > most:
        raise NotPossible(f"A Cheese Vault holds {most} cards at most.")
    cards = [hand[number - 1] for number in sorted(chosen)]
    return Answer(keep.window, proto.Move(keep_in_vault=proto.KeepInVault(cards=cards)))
