"""``bgtools same``: which records are of one match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bgtools.cli import _common, _terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.comparison import Recorded


def same_command(
    paths: Annotated[list[str], typer.Argument(help="Records, or folders that are searched for them.", metavar="PATH")],
    layout: Annotated[Literal["text", "json"], typer.Option("--format", help="How to print groups.")] = "text",
) -> None:
    """Group the records that are of one match.

    A record is told by its dice, whatever its file is called, in whatever format it is written and whichever player
    stands in which column; also where it has slips, or breaks off early. Of each match that several records hold, those
    are printed.

    Exit status: 0, or 2 where a file could not be read, or 130 interrupted.
    """
    from bgtools.comparison import group

    problems: list[str] = []
    groups = group(_records(paths, problems))
    several = [each for each in groups if len(each) > 1]
    _print(several, layout)
    count = sum(map(len, groups))
    told = f"{count:,} record{'s' * (count != 1)} of {len(groups):,} match{'es' * (len(groups) != 1)}"
    _terminal.say(f"{told}; {len(several):,} in several records", err=True)
    raise typer.Exit(2 if problems else 0)


def _records(paths: Sequence[str], problems: list[str]) -> Iterator[Recorded]:
    """Every match in the files; what cannot be read is told, and noted."""
    from bgtools.cli._files import candidates, is_no_record, trouble
    from bgtools.comparison import Recorded
    from bgtools.formats import FormatError, read_all

    for candidate in candidates(paths):
        try:
            matches = read_all(candidate.path)
        except (OSError, FormatError) as error:
            if not is_no_record(candidate, error):
                _common.complain(f"{candidate.path}: {trouble(error)}")
                problems.append(candidate.path)
            continue
        for number, match in enumerate(matches, 1):
            yield Recorded.of(match, candidate.path, number if len(matches) > 1 else 0)


def _print(groups: Sequence[Sequence[Recorded]], layout: str) -> None:
    from bgtools.reports import printable

    if layout == "json":
        data = [
            [
                {
                    "file": each.file,
                    "match": each.number or 1,
                    "format": each.format or None,
                    "players": list(each.players),
                    "length": each.length,
                    "games": len(each.rolls),
                    "rolls": len(each.in_a_row),
                }
                for each in records
            ]
            for records in groups
        ]
        _terminal.say(_terminal.as_json(data))
        return
    for records in groups:
        first = records[0]
        length = f"{first.length} points" if first.length else "money"
        _terminal.say(f"{printable(' - '.join(first.players))}, {length}: {len(records)} records")
        for each in records:
            which = f", match {each.number}" if each.number else ""
            _terminal.say(f"  {printable(each.file)}{which} ({each.format}, {len(each.in_a_row)} rolls)")
