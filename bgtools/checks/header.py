"""The header and the rules that it states (codes BG0xx)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.checks.rule import Rule
from bgtools.decoder.entries import is_fixed
from bgtools.findings import codes
from bgtools.findings.finding import Finding, with_article
from bgtools.rules.options import VARIANTS, variant_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.record.record import Match

_OFF = {"", "0", "off", "no", "false"}
_MONEY_ONLY = {"jacoby": "the Jacoby rule", "beaver": "beavers", "automaticdoubles": "automatic doubles"}


def check_rules(match: Match) -> Iterator[Finding]:
    """The stated rules go together, and the variation is one that is known."""
    for tag in match.tags:
        key, value = tag.key.casefold(), tag.value.strip().casefold()
        if match.length and key in _MONEY_ONLY and value not in _OFF:
            yield Finding(
                codes.CONTRADICTED_RULES,
                tag.span,
                f"a match is not played with {_MONEY_ONLY[key]}",
                (f"this is {with_article(match.length)}-point match",),
                "it is judged without",
            )
        if key == "variation" and value and variant_of(value) is None:
            yield Finding(
                codes.UNKNOWN_VARIATION,
                tag.span,
                "this variation is not known; the record is judged by the rules of backgammon",
                (f"known are {', '.join(VARIANTS)}",),
            )


def check_numbering(match: Match) -> Iterator[Finding]:
    """R02: each player numbers the points from their own side, unless the record says otherwise."""
    if match.rules.fixed is None and is_fixed(match):
        yield Finding(
            codes.FIXED_NUMBERING,
            match.games[0].heading,
            f"both players' plays are in the numbering of {match.players[0] or 'player 1'}; they are read so",
        )


RULES: Final = (
    Rule(codes=(codes.CONTRADICTED_RULES, codes.UNKNOWN_VARIATION), in_match=check_rules),
    Rule(codes=(codes.FIXED_NUMBERING,), in_match=check_numbering),
    # These are what `bgtools.checks.whole` finds where there are errors.
    Rule(codes=(codes.WRONG_VARIATION, codes.WRONG_LENGTH)),
)
