"""A record before and after a repair, what was changed, and the edits that change it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bgtools.checks.checking import check
from bgtools.findings.finding import Severity
from bgtools.formats.reading import read_source
from bgtools.replayer.match import replay
from bgtools.source import decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.checks.settings import Policy
    from bgtools.findings.finding import Finding, Fix
    from bgtools.record.record import Match
    from bgtools.source import Location


def edited(text: str, edits: Iterable[Fix]) -> str:
    """A text after edits, none of which may overlap another."""
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if edit.span.start < at:
            raise ValueError("edits overlap")
        pieces += [text[at : edit.span.start], edit.text]
        at = edit.span.end
    return "".join([*pieces, text[at:]])


def rewritten(data: bytes, text: str, edits: Iterable[Fix]) -> bytes:
    """The bytes of a file after edits of its text, in its own encoding.

    Raises:
        ValueError: edits overlap, or the encoding cannot hold a letter.
    """
    return encode(edited(text, edits), like=data)


def without_overlaps(edits: Sequence[Fix]) -> list[Fix]:
    """The edits that can be made together: of two that touch each other the first one is kept."""
    kept: list[Fix] = []
    for edit in edits:
        if all(edit.span.end < other.span.start or other.span.end < edit.span.start for other in kept):
            kept.append(edit)
    return kept


class RepairRefused(ValueError):
    """A record that cannot be repaired where it stands; the message says why. Nothing was touched."""


@dataclass(frozen=True, slots=True)
class Change:
    """A fix that was made.

    Attributes:
        finding: what it put right, with the text that it was found in.
        match: the record that it was found in.
        fix: the edit of that text.
        location: its place in the file before the repair; None where the file is not a text.
    """

    finding: Finding
    match: Match
    fix: Fix
    location: Location | None


@dataclass(frozen=True, slots=True)
class Repair:
    """A record before and after it was fixed.

    >>> done = bgtools.fix("samples/five-slips.mat")
    >>> done.changes[0].finding.code.id, done.before == done.after, len(done.matches)
    ('BG202', False, 1)

    Attributes:
        before: the bytes of the file.
        after: its bytes with every fix made; the same where there was none to make.
        matches: what is read from ``after``.
        findings: of each match, what is left.
        changes: the fixes, in the order in which they were made.
        undecided: findings with several readings of which none explains more than the others.
        cut_short: whether the effort was spent before everything was tried.
    """

    before: bytes
    after: bytes
    matches: tuple[Match, ...]
    findings: tuple[tuple[Finding, ...], ...]
    changes: tuple[Change, ...] = ()
    undecided: tuple[Finding, ...] = ()
    cut_short: bool = False

    def __repr__(self) -> str:
        made, left = len(self.changes), sum(map(len, self.findings))
        return f"<Repair: {made} fix{'es' * (made != 1)} made, {left} finding{'s' * (left != 1)} left>"

    @property
    def left(self) -> int:
        """How many of the findings that are left still offer a fix."""
        return sum(finding.fix is not None for some in self.findings for finding in some)


@dataclass(frozen=True, slots=True)
class FileState:
    """A file, what it holds and how good that is.

    Attributes:
        cost: how many turns against the rules, errors, warnings and hints there are. Costs are compared in this order;
            the lower is better.
    """

    data: bytes
    matches: tuple[Match, ...]
    found: tuple[tuple[Finding, ...], ...]
    cost: tuple[int, int, int, int]

    @property
    def text(self) -> str:
        """The text that findings point into."""
        source = self.matches[0].source
        return "" if source is None else source.text

    @property
    def is_text(self) -> bool:
        """Whether that text is the file, so that an edit of it is an edit of the file."""
        return self.text == decode(self.data, "").text


def check_file(data: bytes, name: str, policy: Policy | None = None, format_name: str | None = None) -> FileState:
    """Read and check a file.

    Raises:
        FormatError: it is not a record.
    """
    matches = read_source(data, name, format_name)
    if policy is not None:
        matches = tuple(map(policy.complete, matches))
    found, broken = [], 0
    for match in matches:
        replays = replay(match)
        broken += sum(bool(turn.violations) for game in replays if not game.is_sound for turn in game.turns)
        found.append(check(match, replays))
    counts = [sum(each.code.severity is level for some in found for each in some) for level in Severity]
    return FileState(data, matches, tuple(found), (broken, *reversed(counts)))  # type: ignore[arg-type]


def has_work(state: FileState, policy: Policy | None, *, unsafe: bool) -> bool:
    """Whether a finding that a policy leaves offers a fix that would be tried."""
    return any(
        finding.fix is not None and (unsafe or finding.fix.applicability == "safe")
        for some in select_findings(state, policy)
        for finding in some
    )


def select_findings(state: FileState, policy: Policy | None) -> tuple[tuple[Finding, ...], ...]:
    """The findings of each match that a policy leaves; all of them without a policy."""
    return state.found if policy is None else tuple(map(policy.apply, state.found))
