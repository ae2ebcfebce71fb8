"""Races: how many rolls a side takes, what an ending is worth to both sides, and how likely a gammon is lost."""
