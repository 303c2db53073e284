"""From a line of input to one of the offers, or to the reason why it is none."""

from collections.abc import Sequence

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as proto
from cheeseboard_terminal.games.cheez_tricks.cards import (
    card_named,
    hand_order,
    long,
    same,
    short,
    suit_name,
    suit_named,
)
from cheeseboard_terminal.games.contract import NotPossible, numbered


def keyed(view: tables_pb2.TableView) -> list[tables_pb2.Offer]:
    """Return the viewer's offers in the order of their keys 1, 2, 3 …: as the hand lies, or by suit."""
    offers = list(view.prompt.offers)
    order = hand_order(view.cheez_tricks.hand, view.cheez_tricks.trump)
    if choosing_trump(view):
        return sorted(offers, key=lambda offer: offer.cheez_tricks.choose_trump.suit)
    return [offer for card in order for offer in offers if same(offer.cheez_tricks.play_card.card, card)]


def choosing_trump(view: tables_pb2.TableView) -> bool:
    """Return whether the viewer is asked for trump."""
    return any(offer.cheez_tricks.HasField("choose_trump") for offer in view.prompt.offers)


def prompt(view: tables_pb2.TableView) -> str:
    """Return the question to the viewer."""
    offers = keyed(view)
    if choosing_trump(view):
        return "You choose trump: " + "  ".join(
            f"{key} {suit_name(offer.cheez_tricks.choose_trump.suit)}" for key, offer in enumerate(offers, 1)
        )
    if len(offers) == 1:
        return f"Your card: 1 ({short(offers[0].cheez_tricks.play_card.card)}, the only one you may play): Enter"
    return f"Your card: 1 to {len(offers)}, or its name ({short(offers[0].cheez_tricks.play_card.card)})"


def choose(view: tables_pb2.TableView, line: str) -> tables_pb2.Offer:
    """Return the offer that a line names by key or by name."""
    offers = keyed(view)
    if not offers:
        raise NotPossible("It is not your turn.")
    word = line.strip()
    if not word and len(offers) == 1:
        return offers[0]  # There is nothing to choose.
    if word.isascii() and word.isdigit():
        return numbered(offers, word)
    return _trump(offers, word) if choosing_trump(view) else _card(view, offers, word)


def _trump(offers: Sequence[tables_pb2.Offer], word: str) -> tables_pb2.Offer:
    suit = suit_named(word)
    for offer in offers:
        if offer.cheez_tricks.choose_trump.suit == suit:
            return offer
    raise NotPossible("Name a cheese: S, R, P or B, or its number.")


def _card(view: tables_pb2.TableView, offers: Sequence[tables_pb2.Offer], word: str) -> tables_pb2.Offer:
    named = card_named(word)
    if named is None:
        raise NotPossible("Name a card by the number above it or like S7; ? shows the rules.")
    card = proto.Card(suit=proto.Suit.ValueType(named[0]), value=named[1])
    for offer in offers:
        if same(offer.cheez_tricks.play_card.card, card):
            return offer
    if any(same(card, held) for held in view.cheez_tricks.hand):
        raise NotPossible(f"Not the {long(card)}: {why_not_all(view)}")
    raise NotPossible(f"You don't hold the {long(card)}.")


def why_not_all(view: tables_pb2.TableView) -> str:
    """Return why some cards of the hand may not be played; empty when all may, or none is asked for."""
    game, offers = view.cheez_tricks, view.prompt.offers
    if not offers or len(offers) == len(game.hand) or not game.trick.plays:
        return ""
    return f"{suit_name(game.trick.plays[0].card.suit)} was led and you have some: you must follow it."
