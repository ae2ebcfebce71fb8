"""How Backgammon Galaxy writes a money game."""

from __future__ import annotations

_LENGTH = 16


def is_galaxy_money(length: int | None, site: str, games: int) -> bool:
    """Whether a match is a money game in truth: Backgammon Galaxy writes a money game as a match to 16 points."""
    return length == _LENGTH and "galaxy" in site.casefold() and games == 1
