"""Builders of matches and games of match text, filled while the lines are read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bgtools.record.record import NOWHERE

if TYPE_CHECKING:
    from bgtools.formats.mat.cells import ScoreText
    from bgtools.formats.mat.headings import FreeHeading
    from bgtools.formats.mat.layout import Pair, Row
    from bgtools.record.record import Comment, Tag
    from bgtools.source import Span


@dataclass(slots=True)
class MatGameDraft:
    """A game while its lines are collected."""

    number: int | None
    heading: Span
    names: tuple[ScoreText, ScoreText] | None = None
    score_span: Span = NOWHERE
    set_position: tuple[str, int, Span] | None = None
    rows: list[Row | Pair] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)


@dataclass(slots=True)
class MatMatchDraft:
    """A match while its games are collected."""

    length: int | None = None
    length_span: Span = NOWHERE
    tags: list[Tag] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    headed: tuple[FreeHeading, Span] | None = None
    """A heading in other words above the games, which names the players."""
    games: list[MatGameDraft] = field(default_factory=list)
