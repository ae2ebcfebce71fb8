"""A record before and after a repair, what was changed, and the edits that change it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from bgtools.checks.checking import check
from bgtools.findings.finding import Severity
from bgtools.formats.reading import read_source
from bgtools.replayer.match import replay
from bgtools.source import decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.checks.settings import Policy
    from bgtools.decoder.memory import Memory
    from bgtools.findings.finding import Finding, Fix
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay
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
        changes: the fixes, in the order of the file.
        undecided: findings with several readings, each as likely as the others.
        cut_short: from which match and game on, counted from 1, not everything was tried; None where all was.
    """

    before: bytes
    after: bytes
    matches: tuple[Match, ...]
    findings: tuple[tuple[Finding, ...], ...]
    changes: tuple[Change, ...] = ()
    undecided: tuple[Finding, ...] = ()
    cut_short: tuple[int, int] | None = None

    def __repr__(self) -> str:
        made, left = len(self.changes), sum(map(len, self.findings))
        return f"<Repair: {made} fix{'es' * (made != 1)} made, {left} finding{'s' * (left != 1)} left>"

    @property
    def left(self) -> int:
        """How many of the findings that are left still offer a fix."""
        return sum(finding.fix is not None for some in self.findings for finding in some)


Cost = tuple[int, ...]
"""How bad a record is: the numbers are compared in their order, and the lower is the better."""


@dataclass(frozen=True, slots=True)
class FileState:
    """A file, what it holds and how good that is.

    Attributes:
        data: its bytes.
        matches: what is read from them.
        found: what is found in each match.
        costs: how bad each match is, where that is known.
    """

    data: bytes
    matches: tuple[Match, ...]
    found: tuple[tuple[Finding, ...], ...]
    costs: tuple[Cost, ...] = ()

    @property
    def cost(self) -> Cost:
        """How many turns against the rules, errors, warnings and hints there are; the lower is better."""
        return total_cost(self.costs or (check_with_cost(match).cost for match in self.matches))

    @property
    def text(self) -> str:
        """The text that findings point into."""
        source = self.matches[0].source
        return "" if source is None else source.text

    @property
    def is_text(self) -> bool:
        """Whether that text is the file, so that an edit of it is an edit of the file."""
        return self.text == decode(self.data, "").text


def check_file(
    data: bytes, name: str, policy: Policy | None = None, format_name: str | None = None, memory: Memory | None = None
) -> FileState:
    """Read and check a file; games that were replayed before are remembered.

    Raises:
        FormatError: it is not a record.
    """
    matches = read_completed(data, name, policy, format_name)
    checked = [check_with_cost(match, memory) for match in matches]
    return FileState(data, matches, tuple(each.found for each in checked), tuple(each.cost for each in checked))


def read_completed(data: bytes, name: str, policy: Policy | None, format_name: str | None) -> tuple[Match, ...]:
    """The records of a file, each with the rules of a policy.

    Raises:
        FormatError: it is not a record.
    """
    matches = read_source(data, name, format_name)
    return matches if policy is None else tuple(map(policy.complete, matches))


def total_cost(costs: Iterable[Cost]) -> Cost:
    """How bad some records are together."""
    return tuple(map(sum, zip(*costs, strict=True)))


class CheckedRecord(NamedTuple):
    """A record that was checked.

    Attributes:
        cost: how many turns against the rules, errors, warnings and hints there are.
        found: its findings.
        games: its replay.
    """

    cost: Cost
    found: tuple[Finding, ...]
    games: tuple[GameReplay, ...]


def check_with_cost(match: Match, memory: Memory | None = None) -> CheckedRecord:
    """Check a record, and say how bad it is; games that were replayed before are remembered."""
    games = replay(match, memory)
    found = check(match, games)
    broken = sum(bool(turn.violations) for game in games if not game.is_sound for turn in game.turns)
    levels = [each.code.severity for each in found]
    cost = (broken, *(levels.count(level) for level in sorted(Severity, reverse=True)))
    return CheckedRecord(cost, found, games)


def select_findings(state: FileState, policy: Policy | None) -> tuple[tuple[Finding, ...], ...]:
    """The findings of each match that a policy leaves; all of them without a policy."""
    return state.found if policy is None else tuple(map(policy.apply, state.found))
