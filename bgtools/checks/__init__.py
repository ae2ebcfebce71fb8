"""Checking a replayed match: what is against the rules, and what the record contradicts itself in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.checks import cube, header, plays, score
from bgtools.diagnostics import Diagnostic, Related, Severity
from bgtools.replay import replay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bgtools.record import Match
    from bgtools.replay import GameReplay

    Rule = Callable[[Match, GameReplay], Iterator[Diagnostic]]

RULES: Final[tuple[Rule, ...]] = (
    plays.check_plays,
    cube.check_cube,
    score.check_numbering,
    score.check_score_line,
    score.check_result,
)
"""Every rule that looks at one game; `check` runs them in this order."""

MATCH_RULES: Final = (header.check_rules, header.check_numbering)
"""Every rule that looks at the match as a whole."""

# A reading after which so few plays fit is no explanation: what follows it is its consequence.
_TOO_FEW_FITS = 3


def check(match: Match, replays: tuple[GameReplay, ...] | None = None) -> tuple[Diagnostic, ...]:
    """Every finding of a match, the reader's own included, in the order of the file.

    Args:
        match: the record.
        replays: its replay, where that has been made already.
    """
    found: list[Diagnostic] = [*match.diagnostics, *(finding for rule in MATCH_RULES for finding in rule(match))]
    for game in replays if replays is not None else replay(match):
        found += _hang_together(game, [finding for rule in RULES for finding in rule(match, game)])
    return tuple(sorted(found, key=lambda finding: finding.span))


def _hang_together(game: GameReplay, findings: list[Diagnostic]) -> list[Diagnostic]:
    """One slip, one finding: errors that follow from an earlier one become its related places."""
    lost_at = next(
        (turn.entry.span.start for turn in game.turns if turn.violations and 0 <= turn.fits < _TOO_FEW_FITS), None
    )
    if lost_at is None:
        return findings
    kept: list[Diagnostic] = []
    cause: int | None = None
    for finding in sorted(findings, key=lambda finding: finding.span):
        if cause is not None and finding.severity is Severity.ERROR and finding.span.start > lost_at:
            first = kept[cause]
            kept[cause] = replace(first, related=(*first.related, Related(finding.span, finding.message)))
            continue
        if cause is None and finding.severity is Severity.ERROR and finding.span.end >= lost_at:
            cause = len(kept)
        kept.append(finding)
    return kept


def worst(findings: Iterable[Diagnostic]) -> Severity | None:
    """The highest severity among findings; None when there are none."""
    return max((finding.severity for finding in findings), default=None)


__all__ = ["MATCH_RULES", "RULES", "check", "worst"]
