"""``bgtools same``: which records are of one match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from bgtools.cli import _common, _terminal
from bgtools.cli._files import FileWork, FromFile, JobsOption, collect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.comparison.copies import CopyReport
    from bgtools.comparison.grouping import Recorded


def same_command(
    paths: Annotated[list[str], typer.Argument(help="Records, or folders that are searched for them.", metavar="PATH")],
    layout: Annotated[Literal["text", "json"], typer.Option("--format", help="How to print groups.")] = "text",
    jobs: JobsOption = None,
) -> None:
    """Group the records that are of one match.

    Records of one match are known by their dice and plays, whatever a file is called, in whatever format it is and
    whichever player is in which column; also where a record has slips, or breaks off early. Each match that
    several records hold is printed with them, and each but the first with what it says differently from the first.

    Exit status: 0, or 2 where a file could not be read, or 130 interrupted.
    """
    from bgtools.comparison.grouping import group

    records, problems, _ = collect(paths, _Grouping(), jobs, "nothing was grouped")
    with _common.exit_if_interrupted("nothing was grouped"):
        groups = group(records)
    several = [each for each in groups if len(each) > 1]
    _print(several, layout)
    count = sum(map(len, groups))
    told = f"{count:,} record{'s' * (count != 1)} of {len(groups):,} match{'es' * (len(groups) != 1)}"
    _terminal.say(f"{told}; {len(several):,} in several records", err=True)
    raise typer.Exit(2 if problems else 0)


@dataclass(frozen=True, slots=True)
class _Grouping(FileWork[FromFile["Recorded"]]):
    """Reading what the matches of a file are grouped by."""

    outcome = FromFile

    def of_file(self, path: str) -> FromFile[Recorded]:
        from bgtools.comparison.grouping import Recorded
        from bgtools.formats.reading import read_all

        matches = read_all(path)
        several = len(matches) > 1
        return FromFile(path, tuple(Recorded.of(each, path, several * at) for at, each in enumerate(matches, 1)))


def _print(groups: Sequence[Sequence[Recorded]], layout: str) -> None:
    from bgtools.findings.finding import printable

    if layout == "json":
        data = [
            [_record(each) | _differences(report) for each, report in zip(records, _reports(records), strict=True)]
            for records in groups
        ]
        _terminal.say(_terminal.as_json(data))
        return
    for records in groups:
        first = records[0]
        length = f"{first.length} points" if first.length else "money"
        _terminal.say(f"{printable(' - '.join(first.players))}, {length}: {len(records)} records")
        for each, report in zip(records, _reports(records), strict=True):
            which = f", match {each.number}" if each.number else ""
            agrees = "" if report is None else f": {report.sentence}"
            _terminal.say(f"  {printable(each.file)}{which} ({each.format}, {len(each.fingerprint)} rolls){agrees}")
            for text in report.differences[:_MOST_TOLD] if report else ():
                _terminal.say(f"    {printable(text)}")
            if report and len(report.differences) > _MOST_TOLD:
                _terminal.say(f"    and {len(report.differences) - _MOST_TOLD:,} more; bgtools diff shows all")


_MOST_TOLD: Final = 5


def _reports(records: Sequence[Recorded]) -> list[CopyReport | None]:
    """What each record says differently from the first, which has nothing to be compared with."""
    from bgtools.comparison.copies import compare_copies
    from bgtools.formats.reading import read_all

    return [None, *compare_copies([read_all(each.file)[max(each.number - 1, 0)] for each in records])]


def _differences(report: CopyReport | None) -> dict[str, Any]:
    return {"differences": None if report is None else list(report.differences)}


def _record(each: Recorded) -> dict[str, Any]:
    return {
        "file": each.file, "match": each.number or 1, "format": each.format or None, "players": list(each.players),
        "length": each.length, "games": each.fingerprint.games, "rolls": len(each.fingerprint),
    }  # fmt: skip
