"""Checking a replayed match: what is against the rules, and what the record contradicts itself in."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.checks import _fixes as fixes
from bgtools.checks import plays
from bgtools.checks.registry import RULES, added_findings
from bgtools.findings import Finding, Fix, Related, Severity, codes
from bgtools.record import CheckerPlay
from bgtools.replayer import replay
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.record import Match
    from bgtools.replayer import GameReplay

_IN_MATCH: Final = tuple(rule.in_match for rule in RULES if rule.in_match is not None)
_IN_GAME: Final = tuple(rule.in_game for rule in RULES if rule.in_game is not None)

_TOO_FEW_FITS = 3
"""If fewer plays fit after a corrected entry, the correction explains nothing: later errors follow from this one."""


def check(match: Match, replays: tuple[GameReplay, ...] | None = None) -> tuple[Finding, ...]:
    """Every finding of a match, the reader's own included, in the order of the file.

    Args:
        match: the record.
        replays: its replay, where that has been made already.
    """
    found: list[Finding] = [finding for look in _IN_MATCH for finding in look(match)]
    reader = _Reader(
        # The fix for a line that cannot be read makes it a remark.
        replace(finding, fix=Fix(Span(finding.span.start, finding.span.start), "; "))
        if finding.code is codes.UNREADABLE_LINE
        else finding
        for finding in match.diagnostics
    )
    replays = replay(match) if replays is None else replays
    for game in replays:
        # A cell that could not be read is a slip like others: later errors may follow from it.
        own = [
            replace(finding, fix=fixes.play(match, turn)) if finding.code is codes.UNREADABLE_CELL else finding
            for turn in filter(plays.is_unreadable, game.turns if reader.findings and not game.is_sound else ())
            for finding in reader.take(turn.entry.span)
        ]
        found += _hang_together(game, own + [finding for look in _IN_GAME for finding in look(match, game)])
    found += added_findings(match, replays)
    return tuple(sorted([*reader.left, *found], key=lambda finding: finding.span))


class _Reader:
    """The reader's findings, to be taken by the place they stand in."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = sorted(findings, key=lambda finding: finding.span.start)
        self.starts = [finding.span.start for finding in self.findings]
        self.taken = bytearray(len(self.findings))

    @property
    def left(self) -> list[Finding]:
        return [finding for finding, taken in zip(self.findings, self.taken, strict=True) if not taken]

    def take(self, span: Span) -> list[Finding]:
        """Those that begin in a span; each is given once."""
        given: list[Finding] = []
        for at in range(bisect_left(self.starts, span.start), bisect_right(self.starts, span.end)):
            if not self.taken[at]:
                self.taken[at] = 1
                given.append(self.findings[at])
        return given


def _hang_together(game: GameReplay, findings: list[Finding]) -> list[Finding]:
    """One slip, one finding: errors that follow from an earlier one become its related places.

    That are further errors of the same turn, of cube actions before one roll, and, where no reading
    of a turn makes the rest fit, all errors after it.
    """
    if sum(finding.severity is Severity.ERROR for finding in findings) <= 1:
        return findings
    rolls = {turn.index + 1: turn.roll for turn in game.turns}
    cube = {turn.index + 1 for turn in game.turns if not isinstance(turn.entry, CheckerPlay)}
    lost_at = next(
        (turn.entry.span.start for turn in game.turns if turn.violations and 0 <= turn.fits < _TOO_FEW_FITS), None
    )
    kept: list[Finding] = []
    related: dict[int, list[Related]] = {}
    causes: dict[object, int] = {}  # what errors belong together by, and the first of them in `kept`
    for finding in sorted(findings, key=lambda finding: finding.span):
        if finding.severity is not Severity.ERROR:
            kept.append(finding)
            continue
        keys: list[object] = [finding.entry]
        if finding.entry in cube:
            keys.append(("cube", rolls[finding.entry]))
        if lost_at is not None and finding.span.end >= lost_at:
            keys.append("lost")
        cause = next((causes[key] for key in keys if key is not None and key in causes), None)
        if cause is None:
            for key in keys:
                causes.setdefault(key, len(kept))
            kept.append(finding)
        else:
            related.setdefault(cause, []).append(Related(finding.span, finding.message))
    for cause, places in related.items():
        kept[cause] = replace(kept[cause], related=(*kept[cause].related, *places))
    return kept


def worst(findings: Iterable[Finding]) -> Severity | None:
    """The highest severity among findings; None when there are none."""
    return max((finding.severity for finding in findings), default=None)
