"""Checking a replayed match: what is against the rules, and where the record contradicts itself."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.checks import plays, score
from bgtools.checks.registry import RULES, added_findings
from bgtools.findings import codes
from bgtools.findings.finding import Finding, Fix, Related, Severity
from bgtools.record.record import CheckerPlay
from bgtools.replayer.match import replay, replay_as_read
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay, Turn

_IN_MATCH: Final = tuple(rule.in_match for rule in RULES if rule.in_match is not None)
_IN_GAME: Final = tuple(rule.in_game for rule in RULES if rule.in_game is not None)

_OF_HEADINGS: Final = frozenset(code for rule in score.RULES for code in rule.codes)
"""Codes of findings that stand in the lines above a game, unless they are about an entry."""

MOST: Final = 10_000
"""The most findings of a match. A record that has more is in another format than it was read as."""
_TOO_FEW_FITS = 3
"""If fewer plays fit after a corrected entry, the correction explains nothing: later errors follow from this one."""


def check(match: Match, replays: tuple[GameReplay, ...] | None = None) -> tuple[Finding, ...]:
    """Every finding of a match, the reader's own included, in the order of the file.

    Args:
        match: the record.
        replays: its replay, where that has been made already.
    """
    replays = replay(match) if replays is None else replays
    found = _findings_of_rules(match, replays)
    other_rules = bool(replays) and replays[0].rules != match.rules
    if other_rules or any(each.severity is Severity.ERROR or each.code is codes.FALSE_MATCH_END for each in found):
        found = _with_header(match, found)
    return _first(sorted([*found, *added_findings(match, replays)], key=_location))


def _with_header(match: Match, found: list[Finding]) -> list[Finding]:
    """The findings; where the record is read with another header, what is wrong with that and what is left then."""
    from bgtools.checks.whole import folded, header_finding
    from bgtools.decoder.interpretation import interpret

    meant = interpret(match)
    told = header_finding(match, meant, found)
    if told is None:
        return found
    other = replace(match, length=meant.read.length, rules=meant.read.rules)
    return [*folded(told, found, _findings_of_rules(other, replay_as_read(other, lambda: meant)))]


def _location(finding: Finding) -> tuple[Span, int, int]:
    """Where a finding stands; in a format without places, by game and entry."""
    return finding.span, finding.game or 0, finding.entry or _LAST


_LAST: Final = sys.maxsize


def _findings_of_rules(match: Match, replays: tuple[GameReplay, ...]) -> list[Finding]:
    """The findings of the rules of bgtools itself, and of the reader."""
    found: list[Finding] = [finding for look in _IN_MATCH for finding in look(match)]
    reader = _ReaderFindings(
        # A line that cannot be read is made a remark.
        replace(finding, remedy=Fix(Span(finding.span.start, finding.span.start), "; "))
        if finding.code is codes.UNREADABLE_LINE
        else finding
        for finding in match.findings
    )
    for game in replays:
        if len(found) > MOST:
            break  # no more would be reported
        # A cell that could not be read is a slip like others: later errors may follow from it.
        own = [
            _of_turn(turn, finding)
            for turn in (game.turns if reader.findings and not game.is_sound else ())
            if turn.violations or plays.is_unreadable(turn)
            for finding in reader.take(turn.entry.span)
        ]
        own += [finding for look in _IN_GAME for finding in look(match, game)]
        found += _hang_together(game, own)
    return [*reader.left, *found]


def _of_turn(turn: Turn, finding: Finding) -> Finding:
    """The reader's finding about an entry that cannot be, with what the replay knows of it."""
    if finding.code is not codes.UNREADABLE_CELL:
        return finding
    if plays.is_unreadable(turn):
        return finding
    # The reader took a letter for a digit, and another digit may have been meant.
    remedy = finding.remedy
    if isinstance(remedy, Fix):
        remedy = replace(remedy, applicability="unsafe")
    return replace(finding, entry=turn.index + 1, remedy=remedy)


def _first(findings: list[Finding]) -> tuple[Finding, ...]:
    """The first findings, as many as are reported."""
    if len(findings) <= MOST:
        return tuple(findings)
    message = f"more than {MOST:,} findings: what follows from here on is not told"
    return (*findings[:MOST], Finding(codes.UNREADABLE_LINE, findings[MOST].span, message))


class _ReaderFindings:
    """The reader's findings, to be taken by the place they stand in."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = sorted(findings, key=lambda finding: finding.span.start)
        self.starts = [finding.span.start for finding in self.findings]
        self.taken = bytearray(len(self.findings))

    @property
    def left(self) -> list[Finding]:
        return [finding for finding, taken in zip(self.findings, self.taken, strict=True) if not taken]

    def take(self, span: Span) -> list[Finding]:
        """The findings that begin in a span; each is given once."""
        given: list[Finding] = []
        for at in range(bisect_left(self.starts, span.start), bisect_right(self.starts, span.end)):
            if not self.taken[at]:
                self.taken[at] = 1
                given.append(self.findings[at])
        return given


def _hang_together(game: GameReplay, findings: list[Finding]) -> list[Finding]:
    """Attach errors to the finding that caused them, as its related places.

    Such are further errors of the same entry, further errors of cube actions before the same roll, and, where no
    reading of a turn makes the rest fit, all errors after it.
    """
    if sum(finding.severity is Severity.ERROR for finding in findings) <= 1:
        return findings
    rolls = {turn.index + 1: turn.roll for turn in game.turns}
    cube = {turn.index + 1 for turn in game.turns if not isinstance(turn.entry, CheckerPlay)}
    lost_at = next((turn for turn in game.turns if turn.violations and 0 <= turn.legal_after < _TOO_FEW_FITS), None)
    kept: list[Finding] = []
    related: dict[int, list[Related]] = {}
    causes: dict[object, int] = {}  # by what errors have in common: where the first of them is in `kept`
    for finding in sorted(findings, key=_location):
        if finding.severity is not Severity.ERROR:
            kept.append(finding)
            continue
        keys: list[object] = [finding.entry]
        if finding.entry in cube:
            keys.append(("cube", rolls[finding.entry]))
        if lost_at is not None and _is_behind(finding, lost_at):
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


def _is_behind(finding: Finding, turn: Turn) -> bool:
    """Whether a finding is about a turn or what follows it, by its entry, or by its place where it has no entry."""
    if finding.entry is not None:
        return finding.entry > turn.index
    return finding.code not in _OF_HEADINGS and finding.span.end >= turn.entry.span.start


def worst(findings: Iterable[Finding]) -> Severity | None:
    """The highest severity among findings; None when there are none."""
    return max((finding.severity for finding in findings), default=None)
