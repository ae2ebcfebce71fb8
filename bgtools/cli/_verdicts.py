"""What a director wants to know of a file: whether to take it."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Literal

from bgtools.findings.finding import Severity, printable
from bgtools.reports.findings import severities
from bgtools.reports.findings_data import dumps
from bgtools.reports.table_files import guarded

if TYPE_CHECKING:
    from collections import Counter

    from bgtools.checks.settings import Policy
    from bgtools.cli._layouts import Layout
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a file.

    Attributes:
        file: its path.
        verdict: ``accept`` where the check does not fail; ``fixable`` where it would not fail after the fixes that
            the record itself proves; else ``reject``. ``unreadable`` where the file cannot be read.
        matches: how many are in it.
        errors, warnings, hints: how many findings there are of each severity.
        fixes: how many fixes ``--fix`` would make.
        reason: why it could not be read, or why it could not be fixed; "" otherwise.
        settings: the settings file that held for it, and what that switches off; "" where there is none.
    """

    file: str
    verdict: Literal["accept", "fixable", "reject", "unreadable"]
    matches: int = 0
    errors: int = 0
    warnings: int = 0
    hints: int = 0
    fixes: int = 0
    reason: str = ""
    settings: str = ""


def verdict(
    path: str, policy: Policy, settings: str = ""
) -> tuple[Verdict, tuple[Match, ...], tuple[tuple[Finding, ...], ...]]:
    """The verdict on a file, with the matches that are in it and the findings in each.

    Raises:
        OSError: it cannot be read.
        FormatError: it is no record.
    """
    from bgtools.formats.reading import load
    from bgtools.repair.repairing import repair
    from bgtools.repair.states import Refused, judged

    data, name = load(path)
    first = judged(data, name, policy)
    found = tuple(map(policy.apply, first.found))
    errors, warnings, hints = (
        sum(each.severity is level for some in found for each in some)
        for level in (Severity.ERROR, Severity.WARNING, Severity.HINT)
    )
    fixes, reason, sound = 0, "", not any(map(policy.fails, found))
    fixed = False
    if not sound:
        try:
            done = repair(data, name, policy=policy)
        except Refused as error:
            reason = f"not to be fixed where it is: {error}"
        else:
            fixes, fixed = len(done.changes), not any(map(policy.fails, done.findings))
    which: Literal["accept", "fixable", "reject"] = "accept" if sound else "fixable" if fixed else "reject"
    return (
        Verdict(
            "<stdin>" if path == "-" else path,
            which,
            len(first.matches),
            errors,
            warnings,
            hints,
            fixes,
            reason,
            settings,
        ),
        first.matches,
        found,
    )


def opening() -> str:
    """The first line of verdicts as CSV."""
    return ",".join(each.name for each in fields(Verdict)) + "\n"


def rendered(found: Verdict, layout: Layout) -> str:
    """A verdict as it is printed."""
    if layout == "json":
        return dumps(asdict(found))
    if layout == "csv":
        out = io.StringIO()
        cells = [guarded(printable(each)) if isinstance(each, str) else each for each in asdict(found).values()]
        csv.writer(out, lineterminator="").writerow(cells)
        return out.getvalue()
    counts = {Severity.ERROR: found.errors, Severity.WARNING: found.warnings, Severity.HINT: found.hints}
    said = [severities(counts)] if any(counts.values()) else []
    if found.verdict == "fixable":
        said.append("1 safe fix leaves" if found.fixes == 1 else f"{found.fixes:,} safe fixes leave")
        said[-1] += " nothing that fails"
    if found.reason:
        said.append(found.reason)
    told = f": {'; '.join(said)}" if said else ""
    return f"{found.verdict:<10}  {printable(found.file)}{printable(told)}"


def summary(counts: Counter[str]) -> str:
    """How many files have each verdict, in words."""
    told = {"accept": "to accept", "fixable": "fixable", "reject": "to reject", "unreadable": "unreadable"}
    return ", ".join(f"{counts[name]:,} {words}" for name, words in told.items())
