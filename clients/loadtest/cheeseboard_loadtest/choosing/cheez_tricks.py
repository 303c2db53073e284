"""Cheez-Tricks: every offer is a suit or a card."""

from cheeseboard_loadtest.choosing.habits import Habits

HABITS = Habits()
