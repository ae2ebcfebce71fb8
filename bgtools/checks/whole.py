"""What is wrong with a record as a whole: another variation, another length, a rule that was not played.

One wrong line of the header makes errors all over a record. Where the decoder reads a record with another header, that
is told, and all else is judged by the header that is read.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.checks import _words as words
from bgtools.decoder.headers import likely_variation
from bgtools.findings import codes
from bgtools.findings.finding import Finding, Related

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.decoder.interpretation import Interpretation
    from bgtools.record.record import Match

_AS_GOOD: Final = 4.0
"""A length that costs so few bits more would do as well."""


def header_finding(match: Match, interpretation: Interpretation, found: Sequence[Finding]) -> Finding | None:
    """What is wrong with the header of a record; None where it is read as it is stated.

    Args:
        match: the record.
        interpretation: how it is read.
        found: what is found with the header that is stated.
    """
    tell = _TOLD.get(interpretation.slip)
    return None if tell is None else tell(match, interpretation, found)


def folded(finding: Finding, found: Sequence[Finding], others: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings with another header, the one about the header first.

    Points that automatic doubles explain game by game become related places of that one.
    """
    hung = [each for each in others if each.code is codes.LEFT_TO_SCORE and each not in found]
    if finding.code is not codes.SCORE_LINE or not hung:
        return (finding, *others)
    related = tuple(Related(each.span, each.message) for each in hung)
    points = f"the points of {words.times(len(hung), 'game')} on the score lines"
    fact = f"{points} are those that a cube turned by itself gives"
    return (replace(finding, facts=(fact,), related=related), *(each for each in others if each not in hung))


def _variation(match: Match, interpretation: Interpretation, found: Sequence[Finding]) -> Finding | None:
    likely = likely_variation(match)
    if likely is None:
        return None
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
    return Finding(codes.WRONG_VARIATION, span, message, facts, "all else is judged as in that variation")


def _title(name: str) -> str:
    found = re.fullmatch(r"([a-z]+)(\d?)", name)
    assert found is not None
    return found[1].capitalize() + (f" ({found[2]})" if found[2] else "")


def _length(match: Match, interpretation: Interpretation, found: Sequence[Finding]) -> Finding | None:
    over = next((each.span for each in found if each.code is codes.AFTER_MATCH), None)
    if over is not None and not any(game.entries for game in match.games if game.heading >= over):
        return None  # games without a roll show no longer match
    last = match.games[-1]
    claim = next((each for each in last.results if each.won), None)
    stated = f"{match.length}-point match" if match.length else "money session"
    lengths = [interpretation.read.length or 0]
    as_good = (
        each for each in interpretation.others if each.slip == "length" and each.bits < interpretation.bits + _AS_GOOD
    )
    lengths += [each.read.length or 0 for each in as_good]
    message, hint = f"this is not a {stated}: it was played to {words.times(lengths[0], 'point')}", ""
    facts = ("then the last game ends the match, as its result says",)
    if claim is None or not claim.match:
        before = max(max(game.score or (0, 0)) for game in match.games)
        perhaps = f", perhaps {lengths[0]}" if str(match.length) in str(lengths[0]) else ""
        message = f"this is not a {stated}: it was played to more points{perhaps}"
        facts = (f"before its last game a player has {words.times(before, 'point')} already",)
        hint = "or it ended then, and the games that follow are not of it" if match.length else ""
    elif len(lengths) > 1:
        *first, final = map(str, lengths)
        message = f"this is not a {stated}: it was played to {', '.join(first)} or {final} points"
        # If the first length is the only odd one, it is taken.
        is_odd = [each % 2 for each in lengths].count(1) == 1 and lengths[0] % 2 == 1
        hint = "matches are played to an odd number of points as a rule" if is_odd else ""
    return Finding(codes.WRONG_LENGTH, match.length_span, message, facts, hint)


def _automatic_doubles(match: Match, interpretation: Interpretation, found: Sequence[Finding]) -> Finding | None:
    first = next((each for each in found if each.code is codes.SCORE_LINE), None)
    if first is None:
        return None
    count = interpretation.read.rules.automatic_doubles
    value = "On" if count == 1 else str(count)
    message = "the session seems to have been played with automatic doubles, and the record does not say so"
    hint = f'write [AutomaticDoubles "{value}"] among the tags; else games are missing, or these score lines wrong'
    return Finding(codes.SCORE_LINE, first.span, message, (), hint, game=first.game)


_TOLD: Final = {
    "variation": _variation,
    "length": _length,
    "automatic doubles": _automatic_doubles,
}
