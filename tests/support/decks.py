"""Decks of cats that tables bring themselves."""

from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as ct

TRICKS = ct.CountedTricks()

LITTLE_DECK = (
    ct.Cat(black=ct.BlackCat(trick=1)),
    ct.Cat(white=ct.WhiteCat(tricks=2)),
    ct.Cat(grey=ct.GreyCat(most=ct.Counted(tricks=TRICKS))),
    ct.Cat(tuxedo=ct.TuxedoCat(tricks=0)),
)
"""Four cats for every table: fewer than a game needs, so that used ones come back."""

MIXED_DECK = (
    ct.Cat(orange=ct.OrangeCat(least=ct.Counted(suit=ct.SUIT_BRIE))),
    ct.Cat(siamese=ct.SiameseCat(card=ct.Card(suit=ct.SUIT_SWISS, value=1))),
    ct.Cat(siamese=ct.SiameseCat(card=ct.Card(suit=ct.SUIT_PARMESAN, value=10)), player_counts=[4, 5]),
    ct.Cat(grey=ct.GreyCat(most=ct.Counted(value=1))),
    ct.Cat(grey=ct.GreyCat(most=ct.Counted(suit=ct.SUIT_ROQUEFORT))),
    ct.Cat(orange=ct.OrangeCat(least=ct.Counted(tricks=TRICKS)), player_counts=[2, 3]),
    ct.Cat(white=ct.WhiteCat(tricks=8)),
    ct.Cat(tuxedo=ct.TuxedoCat(tricks=8)),
    ct.Cat(black=ct.BlackCat(trick=12), player_counts=[3]),
)
"""Rare cats, some for certain player counts only."""
