"""What trick-taking games share: who may play which card, and which card takes the trick.

A game hands in its own tables: `suit_of[card]` and `rank_of[card]`, so nothing here knows a pack.
"""

from collections.abc import Sequence


def playable(hand: tuple[int, ...], led: int | None, suit_of: Sequence[int]) -> tuple[int, ...]:
    """Return the cards of a hand that may be played: of the suit led if there are any, else all of them."""
    if led is None:
        return hand
    same = tuple([card for card in hand if suit_of[card] == led])
    return same or hand


def taking(cards: Sequence[int], trump: int | None, suit_of: Sequence[int], rank_of: Sequence[int]) -> int:
    """Return the index of the card that takes a trick, given in the order of play: the highest trump, else the highest
    card of the suit led."""
    best = 0
    for i in range(1, len(cards)):
        suit, best_suit = suit_of[cards[i]], suit_of[cards[best]]
        if suit == best_suit:
            if rank_of[cards[i]] > rank_of[cards[best]]:
                best = i
        elif suit == trump:
            best = i
    return best
