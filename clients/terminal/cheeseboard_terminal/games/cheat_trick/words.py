"""What people say at Cheat Trick, in words."""

from cheeseboard.games.cheat_trick.v1 import cheat_trick_pb2 as proto
from cheeseboard_terminal.games.cheat_trick.cards import suit_name

PHRASES = {
    proto.PHRASE_FULL_COURT: "full court",
    proto.PHRASE_FAMILY_OF_THREE: "family of three",
    proto.PHRASE_MARRIAGE: "marriage",
    proto.PHRASE_SIBLINGS: "siblings",
    proto.PHRASE_MOTHER_DAUGHTER: "mother and daughter",
    proto.PHRASE_FATHER_SON: "father and son",
}


def declaration(said: proto.Declare | proto.Declared) -> str:
    """Return "marriage of hearts"."""
    return f"{PHRASES[said.phrase]} of {suit_name(said.suit)}"


def phrase_named(words: str) -> "proto.Phrase.ValueType | None":
    """Return the phrase whose words begin like all of these: "court", "fam", "mother daughter", also with an "of" after
    them; None for anything else."""
    said = words.casefold().removesuffix(" of").split()
    found = [
        phrase
        for phrase, name in PHRASES.items()
        if said and all(any(part.startswith(word) for part in name.split()) for word in said)
    ]
    return found[0] if len(found) == 1 else None


def tricks(number: int) -> str:
    """Return "1 trick" or "3 tricks"."""
    return f"{number} trick{'' if number == 1 else 's'}"
