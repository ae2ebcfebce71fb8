"""``bgtools new``: a record to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bgtools.cli import _common, _terminal


def new_command(
    one: Annotated[str, typer.Argument(help="The player whose rolls stand on the left.", metavar="NAME")],
    two: Annotated[str, typer.Argument(help="The player whose rolls stand on the right.", metavar="NAME")],
    length: Annotated[int, typer.Option("--length", "-n", min=0, help="Points to win the match; 0 for money.")] = 7,
    event: Annotated[str, typer.Option(help="The tournament.", metavar="TEXT")] = "",
    round_name: Annotated[str, typer.Option("--round", help="The round.", metavar="TEXT")] = "",
    date: Annotated[str, typer.Option(help="The day, such as 2026-08-31.", metavar="DAY")] = "",
    site: Annotated[str, typer.Option("--place", help="Where it is played.", metavar="TEXT")] = "",
    shorthand: Annotated[
        bool, typer.Option("--shorthand", help="Show how to write no more than where the checkers end: 31: 5 5.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write, such as match.mat; by default it is printed.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Write over what is there.")] = False,
) -> None:
    """Begin a record: print its head, in match text, to go on with in an editor.

    "bgtools new Ann Bob --length 7 -o ann-bob.mat" writes the head of a 7-point match. Type the rolls and plays below
    it, and let "bgtools check" or, while you type, "bgtools lsp" look at them. With --shorthand it shows how to write
    at the table: the dice, and where the checkers end. Exit status: 0 done, 2 it cannot be written.
    """
    from bgtools.formats.mat.beginning import BeginError, record_to_begin

    tags = {"Event": event, "Round": round_name, "EventDate": date, "Place": site}
    try:
        text = record_to_begin((one, two), length, tags, by_hand=shorthand)
    except BeginError as error:
        _common.fail(str(error))
    if output is None:
        _terminal.put_data(text.rstrip("\n"))
        return
    from bgtools._disk import atomic_writer

    _common.exit_if_exists(output, force=force)
    with _common.exit_if_unwritable(output), atomic_writer(output, force=force) as stream:
        stream.write(text.encode())
    _terminal.say(f"written to {output}; go on with it in an editor, then: bgtools check {output}", err=True)
