"""Every rule and every kind of finding: ours, and those of other packages.

To add a rule here, write a `Rule` beside its function and put it into `RULES`. To add one from another package, name
it under the entry point group ``bgtools.rules``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from bgtools.checks import cube, header, marks, plays, result, score, witnesses
from bgtools.checks.rule import Rule
from bgtools.findings import codes
from bgtools.findings.finding import Code, Finding, Fix, Severity
from bgtools.plugins import FAULTS, leave_out, plugins_of_makers
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay

RULES: Final = (*header.RULES, plays.RULE, marks.RULE, cube.RULE, *score.RULES, result.RULE, witnesses.RULE)
"""The rules of bgtools itself, in the order in which a check follows them."""

_ID: Final = re.compile(r"(?!BG)[A-Z]{2,8}[0-9]{3}")
_NAME: Final = re.compile(r"[a-z]+(-[a-z]+)*")


@cache
def added_rules() -> tuple[Rule, ...]:
    """The rules that other packages add, in the order of their names."""
    known = [(code.id, code.name) for code in codes.ALL]

    def accept(thing: object, maker: str) -> Rule:
        if not isinstance(thing, Rule):
            raise TypeError(f"it is {thing!r}, not a Rule")
        if not thing.codes or not all(isinstance(code, Code) for code in thing.codes):
            raise TypeError("its codes are not a tuple of Code")
        if not all(each is None or callable(each) for each in (thing.in_match, thing.in_game)):
            raise TypeError("what it looks with cannot be called")
        for code in thing.codes:
            _see_that_it_can_be_one(code)
            if any(code.id == id_ or code.name == name for id_, name in known):
                raise ValueError(f"there is a code {code.id} or {code.name} already")
            known.append((code.id, code.name))
        return replace(thing, maker=maker)

    return tuple(plugins_of_makers("rules", accept))


def _see_that_it_can_be_one(code: Code) -> None:
    if not _ID.fullmatch(code.id):
        raise ValueError(
            f"{code.id} is not a code of a plug-in: those are two to eight capitals, not BG, and three digits"
        )
    if not _NAME.fullmatch(code.name):
        raise ValueError(f"{code.name!r} is not a name: small letters make one, with hyphens between words")
    if not isinstance(code.severity, Severity):
        raise TypeError(f"the severity of {code.id} is not a Severity")


@cache
def known_codes() -> Mapping[str, Code]:
    """Every kind of finding by its code: ours, then those of other packages."""
    return codes.BY_ID | {code.id: code for rule in added_rules() for code in rule.codes}


def added_findings(match: Match, games: tuple[GameReplay, ...]) -> Iterator[Finding]:
    """What the rules of other packages find. One that fails is left out for this record, after a warning."""
    for rule in added_rules():
        try:
            found = tuple(rule.findings(match, games))
            for finding in found:
                _see_that_it_is_of(rule, finding, match)
        except FAULTS as error:
            leave_out(rule.maker, error, f" for {match.source.name if match.source is not None else 'a match'}")
        else:
            yield from found


def _see_that_it_is_of(rule: Rule, finding: Finding, match: Match) -> None:
    if not isinstance(finding, Finding) or finding.code not in rule.codes:
        raise TypeError(f"{finding!r:.80} is not a finding of one of its codes")
    places = [
        finding.span,
        *(each.span for each in (*finding.related, *((finding.remedy,) if isinstance(finding.remedy, Fix) else ()))),
    ]
    length = len(match.source.text) if match.source is not None else 0
    for span in places:
        if not isinstance(span, Span) or not 0 <= span.start <= span.end <= length:
            raise ValueError(f"{span!r:.80} is not a place in the record")
