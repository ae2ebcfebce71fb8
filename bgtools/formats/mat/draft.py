"""Matches and games of match text while their lines are read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bgtools.record.builder import GameBuilder, MatchBuilder

if TYPE_CHECKING:
    from bgtools.formats.mat.cells import ScoreText
    from bgtools.formats.mat.headings import FreeHeading
    from bgtools.formats.mat.layout import Pair, Row
    from bgtools.source import Span


@dataclass(slots=True)
class MatGame(GameBuilder):
    """A game while its lines are collected.

    Attributes:
        names: the names and points above its rows.
        set_position: the board of a ``Set Pos`` line, its cube as a power of two, and the span of the line.
        rows: its rows that were not turned into entries yet.
    """

    names: tuple[ScoreText, ScoreText] | None = None
    set_position: tuple[str, int, Span] | None = None
    rows: list[Row | Pair] = field(default_factory=list)


@dataclass(slots=True)
class MatMatch(MatchBuilder):
    """A match while its games are collected.

    Attributes:
        headed: a heading in other words above the games, which names the players.
    """

    games: list[MatGame] = field(default_factory=list)  # type: ignore[assignment]
    headed: tuple[FreeHeading, Span] | None = None
