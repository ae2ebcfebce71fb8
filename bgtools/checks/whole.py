"""What is wrong with a record as a whole: another variation, another length, a rule that was not played.

One wrong line of the header makes errors all over a record. Where there are errors, the record is checked with likely
other headers. If the errors go away, the header is what is wrong.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.checks import _words as words
from bgtools.findings import codes
from bgtools.findings.finding import Finding, Related, Severity
from bgtools.replayer.headers import likely_variation, of_length

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bgtools.findings.finding import Code
    from bgtools.record.record import Match

_BY_LENGTH: Final = frozenset(
    {
        codes.AFTER_MATCH, codes.FALSE_MATCH_END, codes.CRAWFORD_DOUBLE, codes.WRONG_POINTS, codes.DEAD_CUBE,
        codes.SCORE_LINE, codes.GAME_MISSING,
    }
)  # fmt: skip
"""Codes of which a right length leaves none. Where games are missing, nothing is known of the length."""

_LONGEST: Final = 25
"""The longest length that is guessed where no result ends the match: matches are hardly ever longer."""


class Reading(NamedTuple):
    """Another header: the match with it, what is wrong with the one that stands, and what it has to clear.

    Attributes:
        match: the match with the other header.
        finding: what is wrong with the header that stands.
        clears: the kinds of finding of which none may be left.
        fewer: how many errors fewer there must be than with the header that stands.
        is_named: whether the finding names the right header, so that it has to name others that would do.
        folds: a kind of finding that this header adds game by game. They become related places of ``finding``.
    """

    match: Match
    finding: Finding
    clears: frozenset[Code] = frozenset()
    fewer: int = 1
    is_named: bool = True
    folds: Code | None = None


def explained(
    match: Match, found: Sequence[Finding], judge: Callable[[Match], Sequence[Finding]]
) -> tuple[Finding, ...] | None:
    """The findings with another header, the one about the header first; None where no other header clears them up.

    Args:
        match: the record.
        found: what is found with the header that stands.
        judge: gives what is found with another header.
    """
    wrong = _count(found)
    if not wrong:
        return None
    readings = _readings(match, found)
    for reading in readings:
        if (others := _cleared(reading, wrong, judge)) is not None:
            like = (other for other in readings if other.finding.code is reading.finding.code)
            if reading.folds:
                return _folded(reading, found, others)
            rivals = [other for other in like if _cleared(other, wrong, judge) is not None]
            return (_with_rivals(reading, rivals), *others)
    return None


def _folded(reading: Reading, found: Sequence[Finding], others: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings with another header; those that it adds game by game are related places of the one about it."""
    hung = [each for each in others if each.code is reading.folds and each not in found]
    related = tuple(Related(each.span, each.message) for each in hung)
    points = f"the points of {words.times(len(hung), 'game')} on the score lines"
    fact = f"{points} are those that a cube turned by itself gives"
    finding = replace(reading.finding, facts=(fact,), related=related)
    return (finding, *(each for each in others if each not in hung))


def _cleared(reading: Reading, wrong: int, judge: Callable[[Match], Sequence[Finding]]) -> Sequence[Finding] | None:
    """The findings with another header; None where it does not clear up what it should."""
    found = judge(reading.match)
    is_clear = _count(found) + reading.fewer <= wrong and not any(each.code in reading.clears for each in found)
    return found if is_clear else None


def _with_rivals(reading: Reading, rivals: Sequence[Reading]) -> Finding:
    """The finding about a header, with the other lengths that would do as well."""
    finding = reading.finding
    if finding.code is not codes.WRONG_LENGTH or not rivals or not reading.is_named:
        return finding
    lengths = [each.match.length or 0 for each in (reading, *rivals)]
    *first, last = map(str, lengths)
    message = f"{finding.message.partition(':')[0]}: it was played to {', '.join(first)} or {last} points"
    # If the first length is the only odd one, it is taken.
    is_told = [each % 2 for each in lengths].count(1) == 1 and lengths[0] % 2 == 1
    hint = "matches are played to an odd number of points as a rule" if is_told else finding.hint
    return replace(finding, message=message, hint=hint)


def _count(found: Sequence[Finding]) -> int:
    """How many errors there are; a match that is said to be won and is not counts as one."""
    return sum(each.severity is Severity.ERROR or each.code is codes.FALSE_MATCH_END for each in found)


def _readings(match: Match, found: Sequence[Finding]) -> Iterator[Reading]:
    seen = {each.code for each in found}
    yield from _variations(match)
    yield from _automatic_doubles(match, found)
    ends = [each.span for each in found if each.code is codes.FALSE_MATCH_END]
    # A result with points that cannot be may also be wrong about ending the match.
    misstated = any(each.span in ends for each in found if each.code in (codes.ODD_POINTS, codes.WRONG_POINTS))
    lengths = _lengths(match) if match.length is not None else iter(())
    if codes.AFTER_MATCH in seen:  # by a wrong length the Crawford game is another one too
        yield from lengths
    doubles = [each for each in found if each.code is codes.CRAWFORD_DOUBLE]
    if match.rules.crawford and len(doubles) + sum(len(each.related) for each in doubles) > 1:
        yield _no_crawford(match, doubles[0])
    if ends and not misstated:
        yield from lengths


def _automatic_doubles(match: Match, found: Sequence[Finding]) -> Iterator[Reading]:
    """A session in which ties of the opening roll turned the cube (R34), where several score lines count that.

    One score line alone proves nothing: a game may be missing before it.
    """
    lines = [each for each in found if each.code is codes.SCORE_LINE]
    if not match.is_money or match.rules.automatic_doubles is not None or len(lines) < _SEVERAL:
        return
    for count, clears in (*((count, _SCORES) for count in _TURNS), (_TURNS[-1], _ANYTHING)):
        value = "On" if count == 1 else str(count)
        message = "the session seems to have been played with automatic doubles, and the record does not say so"
        hint = f'write [AutomaticDoubles "{value}"] among the tags; else games are missing, or these score lines wrong'
        finding = Finding(codes.SCORE_LINE, lines[0].span, message, (), hint, game=lines[0].game)
        rules = replace(match.rules, automatic_doubles=count)
        yield Reading(replace(match, rules=rules), finding, clears, _SEVERAL, folds=codes.LEFT_TO_SCORE)


_SEVERAL: Final = 2
_TURNS: Final = (1, 2, 3)
"""How often the cube may have turned by itself before a game; more ties running are hardly ever seen."""
_SCORES: Final = frozenset({codes.SCORE_LINE})
_ANYTHING: Final[frozenset[Code]] = frozenset()


# --- the variation --------------------------------------------------------------------------


def _variations(match: Match) -> Iterator[Reading]:
    """The variation that most games are of, where fewer than half of them are of the one that is stated."""
    if (likely := likely_variation(match)) is None:
        return
    stated, name = match.rules.variant, likely.match.rules.variant
    tag, title = match.find_tag("Variation"), _title(name)
    if tag is not None:
        message = f"this is {title}, not {_title(stated)}"
        span = tag.span
    else:
        message = f"this is {title}, and the record does not say so"
        span = match.length_span if match.length_span.end else match.games[0].heading
    whole = f"{likely.sound} of {words.times(likely.games, 'game')}"
    facts = (f"as {title} {whole} can be played as written, as {_title(stated)} {likely.stated or 'none'}",)
    yield Reading(
        likely.match, Finding(codes.WRONG_VARIATION, span, message, facts, "all else is judged as in that variation")
    )


def _title(name: str) -> str:
    found = re.fullmatch(r"([a-z]+)(\d?)", name)
    assert found is not None
    return found[1].capitalize() + (f" ({found[2]})" if found[2] else "")


# --- the length -----------------------------------------------------------------------------


def _lengths(match: Match) -> Iterator[Reading]:
    """The lengths with which the last game ends the match if its result says so, and does not end it otherwise."""
    last = match.games[-1]
    claim = next((each for each in last.results if each.won), None)
    if last.score is None or claim is None or claim.points is None or len(match.games) == 1:
        return
    scores = [max(game.score or (0, 0)) for game in match.games]
    before, total = max(scores), last.score[claim.player] + claim.points
    # Not every program writes which result ends the match.
    is_told = any(each.match for game in match.games for each in game.results)
    alike = [] if is_told else [each for each in range(before + 1, total + 1) if _has_digit_more(each, match.length)]
    # A single error fewer is proof only where a result says that it ends the match, or games follow its end.
    follow = sum(score >= (match.length or score + 1) for score in scores)
    for length in _lengths_between(before, total if is_told else 0, ended=claim.match, alike=alike):
        if length == match.length:
            continue
        fewer = 1 if claim.match or length in alike or follow >= _SEVERAL else 2
        stated = f"{match.length}-point match" if match.length else "money session"
        message = f"this is not a {stated}: it was played to {words.times(length, 'point')}"
        facts, hint = ("then the last game ends the match, as its result says",), ""
        if not claim.match:
            perhaps = f", perhaps {length}" if [length] == alike else ""
            message = f"this is not a {stated}: it was played to more points{perhaps}"
            facts = (f"before its last game a player has {words.times(before, 'point')} already",)
            hint = "or it ended then, and the games that follow are not of it" if match.length else ""
        finding = Finding(codes.WRONG_LENGTH, match.length_span, message, facts, hint)
        yield Reading(of_length(match, length), finding, _BY_LENGTH, fewer, claim.match)


def _lengths_between(before: int, total: int, *, ended: bool, alike: Sequence[int] = ()) -> list[int]:
    """The lengths that a match can have, the likeliest first.

    Args:
        before: the most points of a player before the last game.
        total: the points of its winner after it; 0 where it is not known whether that was the end.
        ended: whether the last game ended the match.
        alike: lengths that are written like the stated one.
    """
    if not ended:
        odd = (each for each in range(max(before, total) + 1, _LONGEST + 1) if each % 2)
        return sorted({*alike, *odd}, key=lambda each: (each not in alike, each))
    # Matches are played to an odd number of points, mostly to as many as the winner got.
    return sorted(range(before + 1, total + 1), key=lambda each: (each % 2 == 0, -each))


def _has_digit_more(length: int, stated: int | None) -> bool:
    """Whether an odd length of two digits is the stated one with another digit."""
    return length % 2 == 1 and bool(stated) and len(str(length)) == len(f"{stated}") + 1 and f"{stated}" in str(length)


# --- the Crawford rule ----------------------------------------------------------------------


def _no_crawford(match: Match, first: Finding) -> Reading:
    """The match without the Crawford rule."""
    tag = match.find_tag("Crawford")
    without = replace(match, rules=replace(match.rules, crawford=False))
    code: Code = codes.CRAWFORD_DOUBLE
    message = "the match was not played with the Crawford rule: there is doubling in the game in which it would hold"
    hint = "" if tag else 'write [Crawford "Off"] among the tags'
    finding = Finding(code, tag.span if tag else first.span, message, first.facts, hint, game=first.game)
    return Reading(without, finding)
