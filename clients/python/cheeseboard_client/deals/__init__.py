"""Checking that deals were fixed before they were played. Shares no code with the engine: only its specification."""

from cheeseboard_client.deals.cat_deck import built_in_cat_deck, read_cat_deck
from cheeseboard_client.deals.verified import DealMismatch, VerifiedDeal
from cheeseboard_client.deals.verify import verify_deal

__all__ = ["DealMismatch", "VerifiedDeal", "built_in_cat_deck", "read_cat_deck", "verify_deal"]
