"""``bgtools convert``: from one format to another, with proof that nothing was lost."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bgtools._disk import is_file, is_folder
from bgtools.cli import _common, _completion
from bgtools.cli._files import JobsOption

if TYPE_CHECKING:
    from bgtools.conversion.conversion import Target


def convert_command(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            help="Records or folders, and last the file or folder to write; - for a pipe.", metavar="IN... OUT"
        ),
    ] = None,
    source_format: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="The format of the records, if it cannot be detected.",
            metavar="FORMAT",
            autocompletion=_completion.formats,
        ),
    ] = None,
    target_format: Annotated[
        str | None,
        typer.Option(
            "--to",
            help="The format to write, and its dialect.",
            metavar="FORMAT[:DIALECT]",
            autocompletion=_completion.targets,
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Write nothing where something would be lost.")] = False,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            "--allow", help="Accept this loss, by code or name.", metavar="CODE", autocompletion=_completion.losses
        ),
    ] = None,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify/--no-verify",
            help="Read again what was written, and compare; without it, no loss is known. --strict always does.",
        ),
    ] = True,
    force: Annotated[bool, typer.Option("--force", "-f", help="Write over what is there.")] = False,
    skip_existing: Annotated[
        bool, typer.Option("--skip-existing", help="Leave out a record whose output is there.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing of what is lost.")] = False,
    jobs: JobsOption = None,
    positions: Annotated[
        bool,
        typer.Option("--positions", help="Convert a list of positions, one per line, to the notation given with --to."),
    ] = False,
) -> None:
    """Convert records to another format.

    "bgtools convert match.xg match.mat" takes the formats from the content of the one and the name of the other;
    "bgtools convert *.sgf out/ --to mat:xg-text" writes a folder. It reads its own output and compares it turn by turn:
    what does not come back is lost, and it says so (BG5xx; "bgtools rule BG501" explains).
    "bgtools formats" lists what can be read and written.

    The same format in and out keeps the bytes as they are, unless --to names a dialect: then the record is
    rewritten.

    "bgtools convert matches/ out/ --to json" takes every record in a folder, and the folders in out/ are as those in
    matches/. Two records of one name in a folder become match.json and match-2.json, and a message says so. After
    Ctrl-C --skip-existing goes on where it ended. No file is ever left half written.

    "bgtools convert matches/ all.ogxms" writes all of them into one stream of OGXM, packed as all.ogxms.zst, and
    "bgtools convert all.ogxms.zst out/ --to mat" takes it apart. One record is in memory at a time.

    "bgtools convert --positions --to gnubg [IN]" maps a list of XGIDs, GNU IDs, OGIDs, FIBS boards and so on, one a
    line and mixed as they come, to one notation: xgid, gnubg, ogid, fibs, snowie, set-pos, simple or list. What
    cannot be converted gives a line that begins with "#error".

    Exit status: 0 all was converted, 1 a loss was refused or an output came out wrong, 2 a record could not be read,
    or has no form in the format (BG515), or an output could not be written, 130 interrupted.
    """
    paths = paths or []
    if positions:
        from bgtools.cli._position_lists import convert_list

        if source_format or strict or allow or quiet or skip_existing or jobs or not verify:
            _common.fail("of the options only --to and --force are for lists of positions")
        raise typer.Exit(convert_list(paths, target_format, force=force))
    *inputs, output = _paths(paths)
    if force and skip_existing:
        _common.fail("--force writes over what is there, and --skip-existing leaves it; give one of them")
    from bgtools.cli._converting import ConversionTask, convert_files
    from bgtools.cli._files import cores
    from bgtools.formats.archives import is_stream_name

    is_stream = is_stream_name(output)
    into_folder = is_stream or _is_folder(inputs, output)
    target = _target(target_format or ("ogxm" if is_stream else None), output, into_folder=into_folder)
    if is_stream and target.format.name != "ogxm":
        _common.fail(f"{output}: a stream holds OGXM, not {target}")
    if output == "-" and sys.stdout.isatty() and not target.format.is_text:
        _common.fail(f"{target.format.name} is not for a terminal; say where to write it")
    task = ConversionTask(target, source_format or "", strict, _codes(allow or []), verify, quiet, into_folder)
    raise typer.Exit(
        convert_files(inputs, output, task, jobs=jobs or cores(), force=force, skip_existing=skip_existing)
    )


def _paths(paths: list[str]) -> list[str]:
    if len(paths) < 2 or "" in paths:
        _common.fail("give the records, and last the file or folder to write")
    return paths


def _is_folder(inputs: list[str], output: str) -> bool:
    """Whether a folder is to be written."""
    many = len(inputs) > 1 or any(path != "-" and is_folder(path) for path in inputs)
    if output == "-":
        if many:
            _common.fail("several records go into a folder, not into a pipe")
        return False
    if many and _names_a_file(output):
        _common.fail(f"{output} is the name of a file, and several records need a folder")
    return many or output.endswith(("/", "\\")) or is_folder(output)


def _names_a_file(output: str) -> bool:
    """Whether a target is a file, or would be one by its ending."""
    from bgtools.formats.registry import formats

    ending = any(Path(output).suffix.casefold() in each.extensions for each in formats())
    return is_file(output) or (ending and not output.endswith(("/", "\\")) and not is_folder(output))


def _target(named: str | None, output: str, *, into_folder: bool) -> Target:
    from bgtools.conversion.conversion import parse_target, target_of_name
    from bgtools.formats.content import FormatError

    if named is None and (into_folder or output == "-"):
        _common.fail("say with --to which format to write")
    try:
        return parse_target(named) if named else target_of_name(output)
    except FormatError as error:
        _common.fail(str(error))


def _codes(allowed: list[str]) -> frozenset[str]:
    from bgtools.findings.codes import LOSSES

    losses = {name for code in LOSSES for name in (code.id, code.name)}
    for each in allowed:
        if each not in losses:
            _common.fail(
                f"--allow {each}: there is no such loss; losses are {', '.join(code.id for code in LOSSES)}, "
                "see bgtools rule --all"
            )
    return frozenset(allowed)
