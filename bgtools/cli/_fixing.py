"""Fixing a file: what ``bgtools check --fix`` does with one record, in whatever process it runs."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

from bgtools._disk import FileAttributes, save, why
from bgtools.findings.finding import printable
from bgtools.formats.content import FormatError
from bgtools.formats.reading import load
from bgtools.repair.planning import plan_fixes
from bgtools.repair.repairing import repaired
from bgtools.repair.states import RepairRefused
from bgtools.replayer.match import replay
from bgtools.reports.findings import in_words
from bgtools.reports.findings_data import change_data, dumps
from bgtools.source import decode

if TYPE_CHECKING:
    from bgtools.checks.settings import Policy
    from bgtools.cli._checking import Layout
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match
    from bgtools.repair.states import Change, Repair


@dataclass(frozen=True, slots=True)
class FixOptions:
    """How files are fixed.

    Attributes:
        unsafe: whether fixes are made that the record does not prove.
        diff: whether the difference is shown, and nothing is written.
        only: whether the findings that are left go unreported.
        backup: whether the old file is kept beside the new one.
        boards: whether the board is drawn before each play that was fixed.
        width: how many columns there are for a board; None for any number.
    """

    unsafe: bool = False
    diff: bool = False
    only: bool = False
    backup: bool = False
    boards: bool = False
    width: int | None = None


@dataclass(frozen=True, slots=True)
class FixResult:
    """What was done to a file.

    Attributes:
        made: how many fixes were made.
        messages: a line for each; in JSON an object.
        undecided: a line for each finding that has two equally good fixes.
        diff: the difference, where it was asked for.
        data: the bytes to print, where the record came from standard input.
        refused: why the file was not fixed; "" where nothing kept it from being fixed.
        cut_short: as in `Repair`.
        notes: what is otherwise with the file than it was, or than one might think.
    """

    made: int = 0
    messages: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    diff: str = ""
    data: bytes | None = None
    refused: str = ""
    cut_short: tuple[int, int] | None = None
    notes: tuple[str, ...] = ()


def fix(
    path: str, fixing: FixOptions, policy: Policy, layout: Layout | None
) -> tuple[tuple[Match, ...], tuple[tuple[Finding, ...], ...], FixResult]:
    """Fix a file. Gives the matches that are in it then, what is left to find in each, and what was done.

    Raises:
        OSError: it cannot be read.
        FormatError: it is not a record.
    """
    data, name = load(path)
    plan = plan_fixes(data, name, policy)
    first = plan.state
    kept: tuple[str, ...] = ()
    try:
        done = repaired(plan, unsafe=fixing.unsafe)
        if done.changes and not fixing.diff and path != "-":
            kept = _replace(Path(path), data, done.after, backup=fixing.backup)
    except RepairRefused as error:
        refused = FixResult(refused=str(error), data=data if path == "-" else None)
        return first.matches, tuple(map(policy.apply, first.found)), refused
    return (
        done.matches,
        done.findings,
        FixResult(
            made=len(done.changes),
            messages=tuple(_change_text(change, fixing, layout) for change in done.changes),
            undecided=tuple(line for finding in done.undecided for line in _two(finding)),
            diff=_difference(name, done) if fixing.diff else "",
            data=done.after if path == "-" and not fixing.diff else None,
            cut_short=done.cut_short,
            notes=kept,
        ),
    )


def _ensure_writable(path: Path) -> None:
    """Refuse a file that may not be written.

    Raises:
        Refused: it may not be written.
    """
    try:
        mode = FileAttributes.of(path).about.st_mode
    except OSError as error:
        raise RepairRefused(f"it cannot be written: {why(error)}") from None
    # A new file could take the place even of a protected one; but somebody has protected it on purpose.
    if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(path, os.W_OK):
        raise RepairRefused("it is read-only")
    if not stat.S_ISREG(mode):
        raise RepairRefused("it is not a file that can be rewritten")


def _replace(path: Path, old: bytes, new: bytes, *, backup: bool) -> tuple[str, ...]:
    """Put new bytes in place of a file's, whole or not at all; what there is to say of it.

    Raises:
        Refused: it may not be written, or its bytes are no longer the old ones.
    """
    _ensure_writable(path)
    try:
        if load(path)[0] != old:
            raise RepairRefused("it has changed since it was read")
        guise = FileAttributes.of(path)
        kept = _keep(path, old, guise) if backup else None
        guise.lost.clear()
        try:
            save(new, path, force=True, guise=guise)
        except BaseException:
            if kept is not None:  # nothing has changed, so there is nothing to keep
                with suppress(OSError):
                    kept.unlink()
            raise
    except (OSError, FormatError) as error:
        reason = why(error) if isinstance(error, OSError) else error
        raise RepairRefused(f"it cannot be written: {reason}") from None
    others = guise.about.st_nlink - 1
    told = f"{others} other names of it (hard links) keep" if others > 1 else "another name of it (a hard link) keeps"
    return (*[f"{told} the old bytes"] * bool(others), *guise.lost)


def _keep(path: Path, old: bytes, guise: FileAttributes) -> Path:
    """Keep a file under its name with ``.bak`` behind, and a number where that is taken; the path of what is kept."""
    number = 1
    while True:
        kept = path.with_name(f"{path.name}.bak{number if number > 1 else ''}")
        try:
            save(old, kept, guise=guise)
        except FileExistsError:
            number += 1
        else:
            return kept


# --- in words -------------------------------------------------------------------------------


def _change_text(change: Change, fixing: FixOptions, layout: Layout | None) -> str:
    """A fix that was made: a line, with the board where it is asked for, or an object in JSON."""
    if layout == "json":
        return dumps(change_data(change))
    finding = change.finding
    assert finding.source is not None
    if change.location is not None:
        place = f"{change.location.line}:{change.location.column}"
    else:
        place = f" {finding.game_and_row}"
    where = f"{printable(finding.source.name)}:{place}"
    said = printable(in_words(change.fix, finding.source))
    kind = "fixed" if change.fix.applicability == "safe" else "fixed (unsafe)"
    line = f"{where}: {kind} {finding.code.id} {said} [{finding.code.name}]"
    board = _board(change, fixing.width) if fixing.boards else ""
    return f"{line}\n{board}" if board else line


def _board(change: Change, width: int | None) -> str:
    """The board before the turn that was fixed; "" where the finding is about none."""
    finding = change.finding
    for game in replay(change.match):
        if game.game.number == finding.game and finding.entry:
            turn = game.turns[finding.entry - 1]
            return turn.position.text(width)
    return ""


def _two(finding: Finding) -> list[str]:
    """A finding with several fixes, none of which explains more than the others."""
    assert finding.fix is not None
    assert finding.source is not None
    options = [finding.fix, *finding.fix.alternatives]
    return [
        f"{finding}",
        *(f"  either {printable(in_words(each, finding.source))}" for each in options[:1]),
        *(f"  or     {printable(in_words(each, finding.source))}" for each in options[1:]),
    ]


def _difference(name: str, done: Repair) -> str:
    """The unified difference of a file; for one that is not a text, that it would change."""
    if done.before == done.after:
        return ""
    old, new = decode(done.before, name), decode(done.after, name)
    if done.matches[0].source is not None and done.matches[0].source.text != new.text:
        return f"{printable(name)}: {len(done.changes)} fixes would change this binary record\n"
    lines = unified_diff(
        old.text.splitlines(keepends=True), new.text.splitlines(keepends=True), printable(name), printable(name)
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in (line.replace("\r\n", "\n").replace("\r", "\n") for line in lines)
    )
