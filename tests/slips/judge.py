"""The judge: how well the findings of `bgtools.check` tell the slip that was planted."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from bgtools.checks.checking import check
from bgtools.checks.settings import parse_settings, resolve_settings
from bgtools.decoder.entries import says
from bgtools.findings import codes
from bgtools.findings.finding import Severity
from bgtools.formats.content import Content
from bgtools.formats.reading import find_format, read_source
from bgtools.record.record import CheckerPlay
from bgtools.repair.planning import plan_fixes
from bgtools.repair.states import edited
from bgtools.replayer.match import replay
from bgtools.rules.options import parse_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match
    from bgtools.repair.planning import FilePlan
    from bgtools.replayer.turn import Turn
    from slips.core import Slip

JSON: Final = find_format("json")

Outcome = Literal["located", "off by one", "elsewhere", "multiple", "missed", "crashed"]
OUTCOMES: Final[tuple[Outcome, ...]] = ("located", "off by one", "elsewhere", "multiple", "missed", "crashed")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a slip.

    Attributes:
        outcome: one finding on the place of the slip is located; on the next cell or line, off by one.
        findings: the findings that count.
        code: whether the first of them has a right code.
        reading: whether it tells an illegal play that stood from one misread, where the rest of the
            game tells; None where it does not.
        error: the exception that left the library.
    """

    outcome: Outcome
    findings: tuple[Finding, ...]
    code: bool
    reading: bool | None
    error: str = ""

    @property
    def is_right(self) -> bool:
        return self.outcome == "located" and self.code


def read(text: str, rules: str = "") -> tuple[Match, ...]:
    """The matches of a text, with rules that ``--rules`` gives."""
    return tuple(
        replace(match, rules=parse_rules(rules, match.rules)) if rules else match
        for match in read_source(text.encode(), "slip.mat")
    )


def untagged(slip: Slip) -> Slip:
    """The slip in a record that does not say which variation it is of: the tag has become a remark, as long."""
    plain = re.sub(r'\[(Variation) "(.*?)"\]', r"(\1: \2) ", slip.text)
    assert len(plain) == len(slip.text)
    return replace(slip, text=plain, sound=re.sub(r'\[(Variation) "(.*?)"\]', r"(\1: \2) ", slip.sound))


def judge(slip: Slip, rules: str = "") -> Verdict:
    """Compare what is found in a slip's text, read with some rules, with what was planted."""
    policy = resolve_settings(parse_settings(rules=rules or None))
    return verdict_on_plan(slip, lambda: plan_fixes(slip.text.encode(), "slip.mat", policy))


def verdict_on_plan(slip: Slip, make: Callable[[], FilePlan]) -> Verdict:
    """Compare what a plan of fixes finds with what was planted.

    Errors count; where there is none, warnings of a right code do.
    """
    try:
        everything = [found for some in make().state.found for found in some]
    except Exception as error:  # whatever leaves the library on content is the worst of outcomes
        return Verdict("crashed", (), False, None, repr(error))
    findings = [one for one in everything if one.severity is Severity.ERROR]
    if not findings:
        findings = [one for one in everything if one.code.id in slip.codes and one.severity is Severity.WARNING]
    if not findings:
        return Verdict("missed", (), False, None)
    first = min(findings, key=lambda one: _distance(slip, one))
    told = None
    if slip.reading:
        told = reading_told(first) == slip.reading
    outcome: Outcome = "located"
    if len(findings) > 1:
        outcome = "multiple"
    elif (distance := _distance(slip, first)) > 0:
        outcome = "off by one" if distance == 1 else "elsewhere"
    return Verdict(outcome, tuple(findings), first.code.id in slip.codes, told)


@dataclass(frozen=True, slots=True)
class Mended:
    """What a fix makes of a slip.

    Attributes:
        clean: whether nothing is found any more.
        exact: whether the text is what it was. Marks of hits are not compared, which who plants a slip leaves out, nor
            remarks that something was reconstructed.
        same: whether it says what it said, in whatever spelling and rows.
        safe: whether the fix may be applied unseen.
        text: the text then.
    """

    clean: bool
    exact: bool
    same: bool
    safe: bool
    text: str


def otherwise_in_json(slip: Slip, rules: str = "") -> list[str]:
    """What is found in the text of a slip and not in what `bgtools convert` makes JSON of it, or there alone.

    What the reader finds is left out: it is about the text.
    """
    matches = read(slip.text, rules)
    if any(one.code is not codes.ROW_NUMBERS for match in matches for one in match.findings):
        return []  # what cannot be read is not in the JSON
    again = JSON.read(Content(JSON.write(matches), "slip.json"))
    told, found = (
        Counter(_said_of(one) for match in each for one in check(match) if one.code is not codes.ROW_NUMBERS)
        for each in (matches, again)
    )
    return [f"text: {each}" for each in told - found] + [f"JSON: {each}" for each in found - told]


def _said_of(finding: Finding) -> str:
    """A finding without its place in a file, and without what is about rows."""
    return f"{finding.code.id} {finding.severity} game {finding.game} entry {finding.entry}: {finding.message}"


def mend(slip: Slip, verdict: Verdict, rules: str = "") -> Mended | None:
    """Make the fixes of the findings that tell a slip; None where they offer none."""
    fixes = [one.fix for one in verdict.findings if one.fix is not None]
    if not fixes:
        return None
    text = edited(slip.text, fixes)
    left = [found for match in read(text, rules) for found in check(match)]
    return Mended(
        all(one.severity is Severity.HINT for one in left),
        re.sub(r"; reconstructed: [^\n]*\n", "", text).replace("*", "") == slip.sound.replace("*", ""),
        bool(slip.sound) and said(text) == said(slip.sound),
        all(fix.applicability == "safe" for fix in fixes),
        text,
    )


def said(text: str) -> list[object]:
    """What a text says, whatever its spelling and the numbers of its rows: players, rules, scores, turns, results."""
    return [
        (
            match.players, match.length, match.rules,
            [
                (
                    game.game.number, game.game.score, game.game.left, game.game.start,
                    [_entry(turn) for turn in game.turns],
                    [(claim.player, claim.points, claim.won, claim.match) for claim in game.game.results],
                )
                for game in replay(match)
            ],
        )
        for match in read_source(text.encode(), "said.mat")
    ]  # fmt: skip


def _entry(turn: Turn) -> object:
    """An entry: a legal play by its roll and its board, anything else by its words."""
    entry = turn.entry
    if turn.play is not None and isinstance(entry, CheckerPlay) and entry.dice is not None:
        return turn.player, sorted(entry.dice), turn.after
    return says(entry)


def reading_told(finding: Finding) -> str:
    """Which reading the words of a finding name: ``stood``, ``misread`` or neither."""
    words = " ".join((finding.message, *finding.facts, finding.hint)).casefold()
    if "stood" in words:
        return "stood"
    if any(word in words for word in ("read as", "misread", "mis-transcribed", "left out", "annulled")):
        return "misread"
    return ""


def _distance(slip: Slip, finding: Finding) -> int:
    """How many cells or lines a finding stands from the slip: 0 on it, 1 for the next one, 2 for more."""
    start, end = finding.span
    if any((start < stop and end > begin) or begin <= start < stop for begin, stop in slip.spans):
        return 0
    here = slip.text.count("\n", 0, start)
    lines = [slip.text.count("\n", 0, begin) for begin, _ in slip.spans]
    return 1 if min(abs(here - line) for line in lines) <= 1 else 2


def places(slip: Slip, findings: Sequence[Finding]) -> str:
    """The findings in short: line and code of each."""
    return ", ".join(f"{slip.text.count(chr(10), 0, one.span.start) + 1}:{one.code.id}" for one in findings)
