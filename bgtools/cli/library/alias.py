"""``bgtools library alias``: names that are one person's."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bgtools._shell import shell_word
from bgtools.cli import _common, _terminal
from bgtools.cli.library._common import LibraryOption, opened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bgtools.library.aliases import AliasSuggestion
    from bgtools.library.library import Library


def alias_command(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Names that are one person's, who goes by the last one.", metavar="NAME", show_default=False
        ),
    ] = None,
    library: LibraryOption = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Let these names stand for themselves again, and those that went by them.")
    ] = False,
    me: Annotated[
        bool, typer.Option("--me", help='Say that these names are yours: then "me" means you in every command.')
    ] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the names that go by another one.")] = False,
    suggest: Annotated[
        bool,
        typer.Option("--suggest", help="List names that may be of one person, with the reason; nothing is changed."),
    ] = False,
    file: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help='Take the names from a file such as names.toml of a site: "Ann Lee" = ["A. Lee", "Lee, Ann"].',
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="Suggest at most this many; 0 for all.")] = 50,
) -> None:
    """Say which names are one person's.

    bgtools library alias "J. Smith" "Smith, John" "John Smith" lets all three be John Smith in every figure. Records
    are not changed. Names that many share, such as Player 1, and those of programs are nobody's and stay as they are.
    "bgtools library alias --me Ann" says once whose library it is; "bgtools library player me", "find --player me" and
    all other commands know it then, and the table "field" compares you with everybody else. BGTOOLS_ME goes before it.
    Exit status: 0 done, 2 nothing could be changed.
    """
    from bgtools.findings.finding import printable

    given = names or []
    if (
        sum((remove, listed, suggest, me, file is not None)) > 1
        or ((listed or suggest or file) and given)
        or (not (listed or suggest or file) and not given)
    ):
        _common.fail("give names, names with --remove or --me, --from, --list, or --suggest")
    with opened(library) as kept:
        if file is not None:
            _take(file, kept)
            return
        if suggest:
            _suggest(kept.alias_suggestions(), limit)
        elif listed:
            _say(kept.aliases, "goes by", "no name goes by another one")
        elif me:
            _terminal.say(f"you are {printable(kept.say_me(*given))}")
        elif remove:
            _say(kept.unalias(*given), "no longer goes by", "")
        else:
            _say(kept.alias(*given), "goes by", "")


def _take(file: Path, kept: Library) -> None:
    """Join the names of a file, as far as records of the library have them."""
    from bgtools.library.storage import LibraryError
    from bgtools.site.director import SiteFileError, read_names

    try:
        names = read_names(file)
    except SiteFileError as error:
        _common.fail(str(error))
    told: dict[str, str] = {}
    for spelling, person in names.items():
        # A file of names may hold people of whom this library has no record.
        with suppress(LibraryError):
            told |= kept.alias(spelling, person)
    _say(told, "goes by", "no record of this library has any of these names")


def _say(names: Mapping[str, str], how: str, nothing: str) -> None:
    from bgtools.findings.finding import printable

    for name, person in names.items():
        _terminal.say(printable(f"{name} {how} {person}"))
    if not names:
        _terminal.say(nothing)


def _suggest(found: list[AliasSuggestion], limit: int) -> None:
    from bgtools.findings.finding import printable

    shown = found[: limit or None]
    for each in shown:
        counts = " and ".join(f"{count:,}" for count in each.matches)
        dashes = "-- " if "-" in (each.name[:1], each.person[:1]) else ""
        command = f"bgtools library alias {dashes}{shell_word(each.name)} {shell_word(each.person)}"
        _terminal.say(printable(f"{command}  # {counts} matches: {each.reason}"))
    if len(found) > len(shown):
        _terminal.say(f"and {len(found) - len(shown):,} more; --limit 0 lists all", err=True)
    if not found:
        _terminal.say("no two names look like one person's")
