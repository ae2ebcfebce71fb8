"""Edits of results and score lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.checks.fixes.text import edit, match_text
from bgtools.findings.finding import Fix
from bgtools.record.record import CheckerPlay
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.perspective import Player
    from bgtools.record.record import Game, Match, ResultClaim
    from bgtools.replayer.turn import GameReplay
    from bgtools.source import Source

_NAMES: Final = re.compile(r"(\S.*?)(\s*:\s*\d+)(\s\s+)(\S.*?)(\s*:\s*\d+)")
"""A score line: name and points, twice."""


def points(match: Match, claim: ResultClaim, right: int) -> Fix | None:
    """The points of a result put right, and "point" behind their number, unless the record writes "Wins 2 point"."""
    source = match_text(match)
    found = re.search(r"(\d+)( +points?\b)?", source.text[slice(*claim.span)], re.I) if source else None
    if source is None or found is None or int(found[1]) != claim.points:
        return None
    word = found[2] or ""
    if not re.search(r"(?:Wins|Loses|Losses) +(?!1 )\d+ +point\b", source.text, re.I):
        word = re.sub(r"(?i)s$", "", word) + ("s" if word and right != 1 else "")
    return Fix(Span(claim.span.start + found.start(), claim.span.start + found.end()), f"{right}{word}")


def score(match: Match, game: GameReplay, right: tuple[int, int]) -> Fix | None:
    """The points of a score line put right."""
    source, span, stands = match_text(match), game.game.score_span, game.game.score
    if source is None or stands is None:
        return None
    found = [each.span(1) for each in re.finditer(r":[^\S\r\n]*(\d+)(?=\s|$)", source.text[slice(*span)])]
    if len(found) != 2:
        return None
    order: tuple[Player, Player] = (0, 1) if game.game.left == 0 else (1, 0)
    (first, after_first), (second, after_second) = ((span.start + at, span.start + end) for at, end in found)
    read = (source.text[first:after_first], source.text[second:after_second])
    if tuple(map(int, read)) != (stands[order[0]], stands[order[1]]):
        return None
    left, other = str(right[order[0]]), str(right[order[1]])
    if read[0] == left:
        return Fix(Span(second, after_second), other)
    both = edit(source, Span(first, after_first), left)
    if read[1] == other:
        return both
    return Fix(Span(first, after_second), both.text + source.text[both.span.end : second] + other)


def score_lines(match: Match, games: Sequence[Game], *, names: bool, points: bool) -> Fix | None:
    """The score lines of games with the names exchanged, or the points, or both."""
    source = match_text(match)
    if source is None:
        return None
    text, start = "", games[0].score_span.start
    end = start
    for game in games:
        span = game.score_span
        found = _NAMES.fullmatch(source.text[slice(*span)])
        if found is None or span.start < end:
            return None
        one, first, gap, two, second = found.groups()
        width = len(one) + len(first) + len(gap)
        if names:
            one, two = two, one
        if points:
            first, second = second, first
        left, right = f"{one}{first}", f"{two}{second}"
        width = max(width, len(left) + 2)
        text += source.text[end : span.start] + left.ljust(width) + right
        end = span.end
    return Fix(Span(start, end), text)


def other_column(match: Match, game: GameReplay, claim: ResultClaim, winner: Player) -> Fix | None:
    """A result that is on a line of its own, in the winner's column."""
    source = match_text(match)
    margin = None if source is None else _margin(source, game, winner)
    if source is None or margin is None:
        return None
    line = source.lines[source.location(claim.span.start).line - 1]
    if source.text[slice(*line)].strip() != source.text[slice(*claim.span)]:
        return None
    return Fix(Span(line.start, claim.span.end), margin + source.text[slice(*claim.span)])


def without_result(match: Match, claim: ResultClaim) -> Fix | None:
    """A record without a result that has a line of its own."""
    source = match_text(match)
    at = 0 if source is None else source.location(claim.span.start).line - 1
    if source is None or not at or source.text[slice(*source.lines[at])].strip() != source.text[slice(*claim.span)]:
        return None
    return Fix(Span(source.lines[at - 1].end, source.lines[at].end), "")


def exchanged_results(match: Match, first: ResultClaim, second: ResultClaim) -> Fix | None:
    """Two results in each other's place: with the blanks before them where each has a line of its own."""
    source = match_text(match)
    if source is None or not first.span.start < first.span.end <= second.span.start < second.span.end:
        return None
    spans = [claim.span for claim in (first, second)]
    if first.player != second.player:
        lines = [source.lines[source.location(span.start).line - 1] for span in spans]
        if any(source.text[line.start : span.start].strip() for line, span in zip(lines, spans, strict=True)):
            return None
        spans = [Span(line.start, span.end) for line, span in zip(lines, spans, strict=True)]
    one, two = (source.text[slice(*span)] for span in spans)
    return Fix(Span(spans[0].start, spans[1].end), two + source.text[spans[0].end : spans[1].start] + one)


def missing_result(match: Match, game: GameReplay, winner: Player, points: int) -> Fix | None:
    """A result below the last row of a game that has none."""
    source = match_text(match)
    margin = None if source is None else _margin(source, game, winner)
    if source is None or margin is None or not game.game.entries:
        return None
    line = source.lines[source.location(game.game.entries[-1].span.start).line - 1]
    line_end = "\r\n" if "\r\n" in source.text else "\n"
    plural = "s" if points != 1 else ""
    return Fix(Span(line.end, line.end), f"{line_end}{margin}Wins {points} point{plural}")


def _margin(source: Source, game: GameReplay, player: Player) -> str | None:
    """The blanks before a result in a player's column: one further in than their rolls; None where they have none."""
    columns = [
        source.location(entry.span.start).column
        for entry in game.game.entries
        if entry.player == player and isinstance(entry, CheckerPlay)
    ]
    return " " * max(columns) if columns else None
