"""From a line of input to one of the offers, or to the reason why it is none."""

from cheeseboard.engine.v1 import tables_pb2
from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as proto
from cheeseboard_terminal.games.cheat_trick.cards import (
    card_named,
    hand_order,
    key_of,
    long,
    short,
    suit_name,
    suit_named,
)
from cheeseboard_terminal.games.cheat_trick.words import PHRASES, phrase_named
from cheeseboard_terminal.games.contract import Answer, NotPossible, numbered

Offer = tables_pb2.Offer
Chosen = Offer | Answer


def the(view: tables_pb2.TableView, kind: str) -> Offer | None:
    """Return the viewer's first offer of a kind, None if there is none."""
    return next((offer for offer in view.prompt.offers if offer.cheat_trick.WhichOneof("choice") == kind), None)


def keyed(view: tables_pb2.TableView) -> list[Offer]:
    """Return the cards that may be played in the order of their keys 1, 2, 3 …: as the hand lies."""
    offers = {key_of(offer.cheat_trick.play_card.card): offer for offer in view.prompt.offers if _is_card(offer)}
    game, maternal = view.cheat_trick, view.options.game.cheat_trick.maternal_suits
    order = hand_order(game.hand, game.trump, maternal)
    return [offers[key_of(card)] for card in order if key_of(card) in offers]


def _is_card(offer: Offer) -> bool:
    return offer.cheat_trick.WhichOneof("choice") == "play_card"


def prompt(view: tables_pb2.TableView) -> str:
    """Return the question to the viewer."""
    if the(view, "done"):
        return "Accuse anybody else? a TRICK SEAT, as in a 3 2; Enter: done"
    if offer := the(view, "split"):
        return _split_prompt(view, offer.cheat_trick.split)
    if the(view, "pass_bid"):
        return f"Your bid: {_range(view)}, or p to pass"
    if the(view, "vote"):
        veto = "v veto" if _veto(view) else "you have no veto left"
        return f"This deal: p play, {veto}" + ("; declare first: d marriage hearts" if the(view, "declare") else "")
    offers = keyed(view)
    more = f"; {may}" if (may := beside(view)) else ""
    if len(offers) == 1:
        return f"Your card: 1 ({short(offers[0].cheat_trick.play_card.card)}, the only one you may play): Enter{more}"
    return f"Your card: 1 to {len(offers)}, or its name ({short(offers[0].cheat_trick.play_card.card)}){more}"


def beside(view: tables_pb2.TableView) -> str:
    """Return what may be typed beside the turn."""
    knock = "k knock" if the(view, "knock") else ""
    accuse = "a TRICK SEAT accuse" if the(view, "accuse") else ""
    return ", ".join(word for word in (knock, accuse) if word)


def usual(view: tables_pb2.TableView) -> Chosen | None:
    """Return what Enter stands for: being done, the best split, the only card."""
    if done := the(view, "done"):
        return done
    if offer := the(view, "split"):
        return _split(offer, best_split(view, offer.cheat_trick.split))
    offers = keyed(view)
    return offers[0] if len(offers) == 1 else None


def choose(view: tables_pb2.TableView, line: str) -> Chosen:
    """Return what a line names; raises NotPossible with the reason."""
    said = " ".join(line.casefold().split())
    word, _, rest = said.partition(" ")
    if said in ("k", "knock"):
        return the(view, "knock") or _not("You may knock once a trick, while tricks are played and there is trump.")
    if word in ("a", "accuse"):
        return _accusation(view, rest)
    if not any(offer.window for offer in view.prompt.offers):
        raise NotPossible("It is not your turn.")
    if the(view, "done"):
        return (said in ("d", "done") and the(view, "done")) or _not("Type a TRICK SEAT to accuse, or Enter: done.")
    if offer := the(view, "split"):
        return _split_choice(view, offer, said)
    if the(view, "pass_bid"):
        return _bid(view, said)
    if the(view, "vote"):
        return _declaration(view, rest) if word in ("d", "declare") else _vote(view, said)
    return _card(view, line.strip())


def _not(reason: str) -> Offer:
    raise NotPossible(reason)


def _vote(view: tables_pb2.TableView, word: str) -> Chosen:
    if word in ("p", "play", "1"):
        return next(o for o in view.prompt.offers if o.cheat_trick.HasField("vote") and not o.cheat_trick.vote.veto)
    if word in ("v", "veto", "2"):
        return _veto(view) or _not("You have no veto left in this game.")
    raise NotPossible("Type p to play this deal, v to veto it, or d to declare cards first.")


def _veto(view: tables_pb2.TableView) -> Offer | None:
    return next((offer for offer in view.prompt.offers if offer.cheat_trick.vote.veto), None)


def _declaration(view: tables_pb2.TableView, words: str) -> Chosen:
    offer = the(view, "declare")
    said, _, last = words.rpartition(" ")
    phrase, suit = phrase_named(said), suit_named(last)
    if phrase is None or suit is None:
        raise NotPossible(f"Say d PHRASE SUIT, one of each; phrases: {', '.join(PHRASES.values())}.")
    wanted = proto.Declare(phrase=phrase, suit=proto.Suit.ValueType(suit))
    if offer is None or wanted not in offer.cheat_trick.declare.declarations:
        raise NotPossible("You said that already.")
    return _move(offer, proto.Move(declare=wanted))


def _range(view: tables_pb2.TableView) -> str:
    offer = the(view, "raise_bid")
    raises = offer.cheat_trick.raise_bid if offer else proto.MayRaise()
    return f"{raises.least} to {raises.most}" if raises.least < raises.most else str(raises.most)


def _bid(view: tables_pb2.TableView, word: str) -> Chosen:
    if word in ("p", "pass"):
        return the(view, "pass_bid") or _not("You may not pass now.")
    offer = the(view, "raise_bid")
    if offer is None or not _is_number(word):
        raise NotPossible(f"Type a number, {_range(view)}, or p to pass.")
    raises, bid = offer.cheat_trick.raise_bid, int(word)
    if not raises.least <= bid <= raises.most:
        raise NotPossible(f"A bid is {_range(view)} now: above the standing one, up to the number of tricks.")
    return _move(offer, proto.Move(raise_bid=proto.Raise(tricks=bid)))


def _accusation(view: tables_pb2.TableView, words: str) -> Chosen:
    offer, parts = the(view, "accuse"), words.split()
    if offer is None:
        raise NotPossible("You may not accuse anybody now.")
    if len(parts) != 2 or not all(map(_is_number, parts)):
        raise NotPossible("Say a TRICK SEAT: a 3 2 accuses seat 2 of not following in trick 3 though it could.")
    wanted = proto.Accuse(round=view.cheat_trick.round, trick=int(parts[0]), seat=int(parts[1]) - 1)
    if wanted not in offer.cheat_trick.accuse.plays:
        raise NotPossible(f"Seat {parts[1]} is on your side, or was caught, or made no play in trick {parts[0]}.")
    return _move(offer, proto.Move(accuse=wanted))


def best_split(view: tables_pb2.TableView, split: proto.MaySplit) -> int:
    """Return how many tricks should count for the viewer: as many as may, if they are worth more than its partner's."""
    seats, own = view.cheat_trick.seats, view.viewer
    return split.most if seats[own].passed_as > seats[(own + 2) % 4].passed_as else split.least


def _split_prompt(view: tables_pb2.TableView, split: proto.MaySplit) -> str:
    best = best_split(view, split)
    return (
        f"Of your team's {split.total} tricks, how many count for you: {split.least} to {split.most} "
        f"[{best}]; l leave it to your partner"
    )


def _split_choice(view: tables_pb2.TableView, offer: Offer, word: str) -> Chosen:
    if word == "l":
        return the(view, "leave_split") or _not("You may not leave it now.")
    split = offer.cheat_trick.split
    if not _is_number(word) or not split.least <= int(word) <= split.most:
        raise NotPossible(f"Type a number from {split.least} to {split.most}, Enter for the best, or l to leave it.")
    return _split(offer, int(word))


def _split(offer: Offer, own: int) -> Chosen:
    partners = offer.cheat_trick.split.total - own
    return _move(offer, proto.Move(split=proto.Split(own=own, partners=partners)))


def _card(view: tables_pb2.TableView, word: str) -> Chosen:
    offers = keyed(view)
    if word.isascii() and word.isdigit():
        return numbered(offers, word)
    named = card_named(word)
    if named is None:
        raise NotPossible("Name a card by the number above it or like HQ, H10, HPs (princess), HPc (prince), F (fool).")
    for offer in offers:
        if key_of(offer.cheat_trick.play_card.card) == named:
            return offer
    card = proto.Card(suit=proto.Suit.ValueType(named[0]), value=named[1])
    if card in view.cheat_trick.hand:
        raise NotPossible(f"Not the {long(card)}: {why_not_all(view)}")
    raise NotPossible(f"You don't hold the {long(card)}.")


def why_not_all(view: tables_pb2.TableView) -> str:
    """Return why some cards of the hand may not, or should not, be played; empty when there is no such reason."""
    offers, plays = keyed(view), view.cheat_trick.trick.plays
    led = next((play.card.suit for play in plays if play.card.suit != proto.SUIT_FOOL), None)
    if led is None or not offers:
        return ""
    if any(offer.cheat_trick.reneges for offer in offers):
        return f"{suit_name(led)} were led and you have some: cards in ! would be a renege."
    if len(offers) == len(view.cheat_trick.hand):
        return ""
    return f"{suit_name(led)} were led and you have some: you must follow."


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 4


def _move(offer: Offer, move: proto.Move) -> Answer:
    return Answer(offer.window, move)
