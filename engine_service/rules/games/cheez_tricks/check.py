"""Which options can be played, and why others cannot. [CT 5.8-5.10]

Fields are paths inside the proto message Options, so that a client can show the fault where it was made.
"""

from collections.abc import Iterator

from engine_service.rules.game import BadOption

from .cards import HAND_SIZE, HIGHEST_VALUE, PLAYER_COUNTS, SUIT_NAMES, VALUE_OF, card_name
from .cats import (
    BlackCat,
    Cat,
    Counted,
    CountedSuit,
    CountedValue,
    GreyCat,
    Kind,
    OrangeCat,
    SiameseCat,
    TuxedoCat,
    WhiteCat,
)
from .deck import fitting
from .options import HOUSE_CAT, LEVELS, Options

CATS_ON_TABLE = 3


def check_options(options: Options, seats: int) -> None:
    """Raise BadOption for the first option that a table of this many seats cannot be played with."""
    if options.level not in LEVELS:
        raise BadOption("level", "is neither House Cat nor Wild Cat")
    if options.starting_seat is not None and not 0 <= options.starting_seat < seats:
        raise BadOption("starting_seat", f"{options.starting_seat} is no seat of this table: 0 to {seats - 1}")
    if options.cat_deck:
        _check_deck(options.cat_deck, seats, options.level)


def _check_deck(deck: tuple[Cat, ...], seats: int, level: int) -> None:
    for i, cat in enumerate(deck):
        field = f"cat_deck[{i}]"
        _check_player_counts(cat, field)
        for count in _counts(cat):
            for path, why in _faults(cat.kind, count):
                raise BadOption(f"{field}.{path}", f"{why} with {count} players")
    _check_alike(deck)
    fits = len(fitting(deck, seats, level))
    if fits < CATS_ON_TABLE:
        name = "House Cat" if level == HOUSE_CAT else "Wild Cat"
        raise BadOption("cat_deck", f"{fits} cats fit {seats} players at {name}; a round needs {CATS_ON_TABLE}")


def _counts(cat: Cat) -> tuple[int, ...]:
    return cat.player_counts or PLAYER_COUNTS


def _check_player_counts(cat: Cat, field: str) -> None:
    for i, count in enumerate(cat.player_counts):
        if count not in PLAYER_COUNTS:
            raise BadOption(f"{field}.player_counts[{i}]", f"the game is not played with {count} players")
        if count in cat.player_counts[:i]:
            raise BadOption(f"{field}.player_counts[{i}]", f"{count} players are named twice")


def _check_alike(deck: tuple[Cat, ...]) -> None:
    first: dict[tuple[Kind, int], int] = {}
    for i, cat in enumerate(deck):
        for count in _counts(cat):
            same = first.setdefault((cat.kind, count), i)
            if same != i:
                raise BadOption(f"cat_deck[{i}]", f"wants the same as cat_deck[{same}] with {count} players")


def _faults(kind: Kind, count: int) -> Iterator[tuple[str, str]]:
    """Yield what cannot occur with this many players: (path inside the cat, why)."""
    tricks = HAND_SIZE[count]
    match kind:
        case BlackCat(trick=number):
            if not 1 <= number <= tricks:
                yield "black.trick", f"there is no trick {number}: 1 to {tricks}"
        case WhiteCat(tricks=number):
            if not 1 <= number <= tricks:
                yield "white.tricks", f"nobody is the first to win {number} tricks: 1 to {tricks}"
        case TuxedoCat(tricks=number):
            if not 0 <= number <= tricks:
                yield "tuxedo.tricks", f"nobody wins {number} tricks: 0 to {tricks}"
        case SiameseCat(card=card):
            if not (0 <= card < len(VALUE_OF) and VALUE_OF[card] <= HIGHEST_VALUE[count]):
                yield "siamese.card", f"{card_name(card)} is not in play"
        case GreyCat(most=counted):
            yield from _counted_faults("grey.most", counted, count)
        case OrangeCat(least=counted):
            yield from _counted_faults("orange.least", counted, count)


def _counted_faults(path: str, counted: Counted, count: int) -> Iterator[tuple[str, str]]:
    highest = HIGHEST_VALUE[count]
    if isinstance(counted, CountedValue) and not 1 <= counted.value <= highest:
        yield f"{path}.value", f"no card of value {counted.value} is in play: 1 to {highest}"
    if isinstance(counted, CountedSuit) and not 0 <= counted.suit < len(SUIT_NAMES):
        yield f"{path}.suit", "there is no such cheese"
