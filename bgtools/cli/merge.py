"""``bgtools merge``: several records of one match made one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bgtools._disk import are_same
from bgtools.cli import _common, _terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.comparison.grouping import Recorded
    from bgtools.comparison.merged import Merged
    from bgtools.conversion.conversion import Target
    from bgtools.record.record import Match


def merge_command(
    paths: Annotated[
        list[str], typer.Argument(help="Records of one match, two or more; - is standard input.", metavar="A B [C...]")
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", help="The file to write, its format by its ending; - is standard output.", metavar="OUT"
        ),
    ] = None,
    target_format: Annotated[
        str | None, typer.Option("--to", help="The format to write, and its dialect.", metavar="FORMAT[:DIALECT]")
    ] = None,
    prefer: Annotated[
        str | None,
        typer.Option(
            "--prefer",
            help="The record that decides what nothing else does: A for the first, or its path.",
            metavar="RECORD",
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="List every fact of the result with the records that say so.")
    ] = False,
    layout: Annotated[Literal["text", "json"], typer.Option("--format", help="How to print what was done.")] = "text",
    force: Annotated[bool, typer.Option("--force", "-f", help="Write over what is there.")] = False,
) -> None:
    """Merge several records of one match, in any formats, into one.

    At each place bgtools takes what lets the record go on by the rules, or else what most records say. Header,
    comments and analysis come from whoever has them. A record may break off early, lack a game or some rows, or have
    the players in the other order. Records of other matches are refused by name.

    What neither the rules nor most records decide is printed with the board after each reading, and nothing is written
    while something is undecided; --prefer A takes what the first record says there. Without -o nothing is written, and
    the command only prints what it would take.

    Exit status: 0 merged, 1 something is undecided, 2 a file could not be read, the records are
    not of one match, or the output could not be written, 130 interrupted.
    """  # fmt: skip
    target = _target(paths, output, target_format, explain=explain or layout == "json", force=force)
    read = [_common.matches_or_report(path) for path in paths]
    if any(each is None for each in read):
        raise typer.Exit(2)
    merged = _merged(paths, [each or () for each in read], _preferred(paths, prefer))
    open_ = sum(len(each.conflicts) for each in merged)
    data = None if output is None or open_ else output
    if layout == "text":
        _print(merged, explain=explain, quietly=output == "-")
    status = 1 if open_ else 0
    if open_ and output is not None:
        _common.print_error(
            f"{output}: not written, for {_undecided(open_)}; --prefer A takes what the first record says"
        )
    elif target is not None and output is not None:
        status = _save(merged, output, target, force=force)
    if layout == "json":
        from bgtools.reports.comparison_text import merged_data

        written = data if status == 0 else None
        _terminal.say(_terminal.as_json([merged_data(each, written) for each in merged]))
    raise typer.Exit(status)


def _undecided(count: int) -> str:
    return "1 place is undecided" if count == 1 else f"{count:,} places are undecided"


def _target(
    paths: Sequence[str], output: str | None, named: str | None, *, explain: bool, force: bool
) -> Target | None:
    """What to write; None where nothing is to be written."""
    from bgtools.conversion.conversion import parse_target, target_of_name
    from bgtools.formats.content import FormatError

    if len(paths) < 2:
        _common.fail("give two records or more")
    if paths.count("-") > 1:
        _common.fail("only one of the records can be standard input")
    if output == "-" and explain:
        _common.fail("standard output takes the record or what is told of it; name a file with -o")
    if output == "-" and named is None:
        _common.fail("say with --to which format to write")
    try:
        target = None if output is None else parse_target(named) if named else target_of_name(output)
    except FormatError as error:
        _common.fail(str(error))
    if output is not None and output != "-":
        own = any(path != "-" and are_same(path, output) for path in paths)
        _common.exit_if_exists(output, force=force, also=" and is one of the records" * own)
    return target


def _preferred(paths: Sequence[str], prefer: str | None) -> int | None:
    """The number of the record that is preferred, from 0."""
    if prefer is None:
        return None
    from bgtools.reports.comparison_text import letter

    for number, path in enumerate(paths):
        if prefer == path or prefer.upper() == letter(number):
            return number
    _common.fail(f"--prefer {prefer}: there is no such record; they are A to {letter(len(paths) - 1)}, or their paths")


def _merged(paths: Sequence[str], read: Sequence[Sequence[Match]], prefer: int | None) -> list[Merged]:
    """The matches that all files hold, each merged from all its records.

    The command ends where no match is in all files. A match that only some files hold is left out, with a message.
    """
    from bgtools.comparison.grouping import Recorded, group
    from bgtools.comparison.merging import merge

    matches = [(which, match) for which, some in enumerate(read) for match in some]
    told = [Recorded.of(match, str(which), number) for number, (which, match) in enumerate(matches)]
    names = [f"{paths[which]} ({' - '.join(match.players)})" for which, match in matches]
    groups = [sorted(each.number for each in records) for records in group(told)]
    holders = [{matches[number][0] for number in some} for some in groups]
    home = max(range(len(groups)), key=lambda each: (len(holders[each]), -groups[each][0]))
    firsts = [next(number for number, (each, _) in enumerate(matches) if each == which) for which in range(len(read))]
    _tell_of_strangers(told, names, firsts, groups[home])
    if len(holders[home]) < len(read):
        raise typer.Exit(2)
    found = []
    for some, files in zip(groups, holders, strict=True):
        if len(files) < len(read):
            for number in some:
                _common.print_error(f"{names[number]} is left out, for not all files hold this match")
            continue
        preferred = next((at for at, number in enumerate(some) if matches[number][0] == prefer), None)
        found.append(merge([matches[number][1] for number in some], prefer=preferred))
    return found


def _tell_of_strangers(
    records: Sequence[Recorded], names: Sequence[str], firsts: Sequence[int], home: Sequence[int]
) -> None:
    """Say which files do not hold the match that most of them hold, or have too few rolls to tell.

    Args:
        records: all matches of all files.
        names: what to call them.
        firsts: the number of the first match of each file.
        home: the numbers of the records of the match that most files hold.
    """
    files = {records[number].file for number in home}
    for first in firsts:
        if not records[first].fingerprint.keys():
            _common.print_error(f"{names[first]} has too few rolls to tell of which match it is")
        elif records[first].file not in files and records[home[0]].fingerprint.keys():
            _common.print_error(f"{names[first]} is of another match than {names[home[0]]}")


def _print(merged: Sequence[Merged], *, explain: bool, quietly: bool) -> None:
    """Say what was taken; on standard error where standard output takes the record."""
    from bgtools.reports.comparison_text import merged_summary

    for each in merged:
        for line in _lines(each, explain=explain):
            _terminal.say(line, err=quietly)
        _terminal.say(merged_summary(each), err=True)
        if each.left_out:
            many = "1 analysis was" if each.left_out == 1 else f"{each.left_out:,} analyses were"
            _terminal.say(f"{many} left out, made of another board than the merged record has there", err=True)


def _lines(merged: Merged, *, explain: bool) -> Iterator[str]:
    from bgtools.reports.comparison_text import conflict_lines, fact_line, record_lines

    if explain or merged.decided or merged.conflicts:
        yield from record_lines(merged)
    for fact in merged.facts:
        if fact.why == "undecided":
            yield from conflict_lines(merged, fact, _terminal.width())
        elif explain or fact.others:
            yield fact_line(fact)


def _save(merged: Sequence[Merged], output: str, target: Target, *, force: bool) -> int:
    """Write the result; the exit status."""
    from bgtools.cli._converting import ConversionTask, save_matches
    from bgtools.conversion.conversion import dialect_of

    records = [match for done in merged for match in done.records]
    if not target.dialect:
        target = replace(target, dialect=dialect_of((records[0],), target.format))
    task = ConversionTask(
        target, "", strict=False, allow=frozenset(), verify=True, quiet=False, is_file_per_match=False
    )
    own = [match.source.name for match in records if match.source is not None and are_same(match.source.name, output)]
    status = save_matches(tuple(each.match for each in merged), output, task, force=force)
    if own and status == 0:
        _terminal.say(f"{output} was one of the records, and is written over", err=True)
    return status
