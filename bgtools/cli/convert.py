"""``bgtools convert``: from one format to another, with proof that nothing was lost."""

from __future__ import annotations

import io
import sys
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from bgtools.cli import _common

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.conversion import Target
    from bgtools.findings import Finding
    from bgtools.record import Match

_TOLD_OF_A_KIND = 3


def convert_command(
    paths: Annotated[
        list[str] | None,
        typer.Argument(help="Records, and last the file or folder to write; - for a pipe.", metavar="IN... OUT"),
    ] = None,
    source_format: Annotated[
        str | None,
        typer.Option("--from", help="The format of the records, where it is not to be found out.", metavar="FORMAT"),
    ] = None,
    target_format: Annotated[
        str | None, typer.Option("--to", help="The format to write, and its dialect.", metavar="FORMAT[:DIALECT]")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Write nothing where something would be lost.")] = False,
    allow: Annotated[
        list[str] | None, typer.Option("--allow", help="Accept this loss, by code or name.", metavar="CODE")
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify/--no-verify", help="Read again what was written, and compare.")
    ] = True,
    force: Annotated[bool, typer.Option("--force", "-f", help="Write over what is there.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing of what is lost.")] = False,
    positions: Annotated[
        bool,
        typer.Option("--positions", help="Convert a list of positions, one a line, to the notation given with --to."),
    ] = False,
) -> None:
    """Convert records to another format.

    "bgtools convert match.xg match.mat" takes the formats from the content of the one and the name of the other;
    "bgtools convert *.sgf out/ --to mat:xg-text" writes a folder. Before it writes, it says what the new format has no
    place for (BG5xx; "bgtools rule BG501" explains); afterwards it reads its own output and compares it turn by turn.
    "bgtools formats" lists what can be read and written.

    "bgtools convert --positions --to gnubg [IN]" maps a list of XGIDs, GNU IDs, OGIDs, FIBS boards and so on, one a
    line and mixed as they come, to one notation: xgid, gnubg, ogid, fibs, snowie, set-pos, simple or list. What
    cannot be converted gives a line that begins with "#error".
    """
    from bgtools.conversion import parse_target, target_of_name
    from bgtools.formats import FormatError

    paths = paths or []
    if positions:
        if source_format or strict or allow or quiet or not verify:
            _common.complain("of the options only --to and --force are for lists of positions")
            raise typer.Exit(2)
        raise typer.Exit(_convert_positions(paths, target_format, force=force))
    if len(paths) < 2 or "" in paths:
        _common.complain("give the records, and last the file or folder to write")
        raise typer.Exit(2)
    *inputs, output = paths
    try:
        target = parse_target(target_format) if target_format else None
        into_folder = output != "-" and (len(inputs) > 1 or output.endswith(("/", "\\")) or Path(output).is_dir())
        if len(inputs) > 1 and _names_a_file(output):
            _common.complain(f"{output} is the name of a file, and several records need a folder")
            raise typer.Exit(2)
        if target is None:
            if into_folder or output == "-":
                _common.complain("say with --to which format to write")
                raise typer.Exit(2)
            target = target_of_name(output)
        _check_codes(allow or [])
    except FormatError as error:
        _common.complain(str(error))
        raise typer.Exit(2) from None
    if output == "-" and len(inputs) > 1:
        _common.complain("several records go into a folder, not into a pipe")
        raise typer.Exit(2)
    job = _Job(target, strict, frozenset(allow or ()), verify, force, quiet)
    status = 0
    for path in inputs:
        matches = _common.read_or_complain(path, source_format)
        if matches is None:
            status = 2
            continue
        for some, where in _outputs(path, matches, output, target, into_folder=into_folder, taken=job.taken):
            status = max(status, job.run(path, some, where))
    raise typer.Exit(status)


def _names_a_file(output: str) -> bool:
    """Whether a target is a file, or would be one by its ending."""
    from bgtools.formats import formats

    path = Path(output)
    ending = any(path.suffix.casefold() in each.extensions for each in formats())
    return path.is_file() or (ending and not output.endswith(("/", "\\")) and not path.is_dir())


def _convert_positions(paths: list[str], notation: str | None, *, force: bool) -> int:
    """Convert a list of positions; the exit status."""
    from bgtools.conversion import is_taken
    from bgtools.positions import IdError, convert_positions

    if notation is None or len(paths) > 2:
        _common.complain(
            "say with --to which notation to write" if notation is None else "give one list of positions, and where to"
        )
        return 2
    source, where = (*paths, "-", "-")[:2]
    if where != "-" and is_taken(Path(where)) and not force:
        _common.complain(f"{where} exists; --force writes over it")
        return 2
    status = 0
    try:
        with _lines(source) as lines:
            done = convert_positions(lines, notation)
            with _writing(where, force=force) as out:
                for line in done:
                    out.write(f"{line.text}\n")
                    if line.error:
                        status = 1
                        name = "<stdin>" if source == "-" else source
                        _common.complain(f"{name}:{line.number}: {line.error}")
    except IdError as error:
        _common.complain(str(error))
        return 2
    except OSError as error:
        _common.complain(f"{error.filename or where}: cannot be opened: {error.strerror or error}")
        return 2
    return status


@contextmanager
def _lines(path: str) -> Iterator[TextIO]:
    """A text file to read, or standard input for ``-``."""
    if path == "-":
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
        yield sys.stdin
        return
    with Path(path).open(encoding="utf-8", errors="replace") as file:
        yield file


@contextmanager
def _writing(path: str, *, force: bool) -> Iterator[TextIO]:
    """A text file to write, or standard output for ``-``. It is named when it is whole: it may replace the input."""
    from bgtools.conversion import saving

    if path == "-":
        yield sys.stdout
        return
    with saving(Path(path), force=force) as stream:
        file = io.TextIOWrapper(stream, encoding="utf-8", errors="replace")
        try:
            yield file
        finally:
            file.detach()


def _check_codes(allowed: list[str]) -> None:
    from bgtools.findings import ALL, CHANGED
    from bgtools.formats import FormatError

    for each in allowed:
        losses = (code for code in ALL if code.id.startswith("BG5") and code is not CHANGED)
        if not any(each in (code.id, code.name) for code in losses):
            raise FormatError(
                f"--allow {each}: there is no such loss; losses are BG501 to BG513, see bgtools rule --all"
            )


def _outputs(
    path: str, matches: tuple[Match, ...], output: str, target: Target, *, into_folder: bool, taken: set[str]
) -> Iterator[tuple[tuple[Match, ...], Path | None]]:
    """The matches of each file to write, and its path; None for standard output."""
    from bgtools.conversion import safe_name
    from bgtools.formats import Feature

    if not into_folder:
        yield matches, None if output == "-" else Path(output)
        return
    stem = "match" if path == "-" else Path(path).name
    for ending in (".gz", ".zip", Path(stem.removesuffix(".gz").removesuffix(".zip")).suffix):
        stem = stem.removesuffix(ending)
    single = len(matches) > 1 and Feature.SEVERAL_MATCHES not in target.format.carries
    for number, some in enumerate([(match,) for match in matches] if single else [matches], 1):
        wanted = safe_name(f"{stem}-{number}" if single else stem)
        name, again = wanted, 1
        while name.casefold() in taken:
            again += 1
            name = f"{wanted}-{again}"
        taken.add(name.casefold())
        yield some, Path(output) / f"{name}{target.format.extensions[0]}"


@dataclass(frozen=True, slots=True)
class _Job:
    """How every record is converted."""

    target: Target
    strict: bool
    allow: frozenset[str]
    verify: bool
    force: bool
    quiet: bool
    taken: set[str] = field(default_factory=set)

    def run(self, path: str, matches: tuple[Match, ...], where: Path | None) -> int:
        """Convert one record; the exit status."""
        from bgtools.conversion import changed_finding, convert, is_taken, save
        from bgtools.formats import FormatError

        if where is not None and is_taken(where) and not self.force:
            _common.complain(f"{where} exists; --force writes over it")
            return 2
        try:
            done = convert(matches, self.target, strict=self.strict, allow=self.allow, verify=self.verify)
        except FormatError as error:
            _common.complain(f"{path}: {error}")
            return 2
        if not self.quiet or done.refused:
            _tell(path, matches, done.losses)
        if done.changed:
            _tell(path, matches, (changed_finding(done.changed),))
            return 1
        if done.refused:
            _common.complain(f"{path}: not converted to {self.target}; --allow accepts a loss")
            return 1
        if where is None:
            try:
                sys.stdout.buffer.write(done.data)
                sys.stdout.buffer.flush()
            except OSError as error:
                _common.end_of_output(error)
            return 0
        try:
            where.parent.mkdir(parents=True, exist_ok=True)
            save(done.data, where, force=self.force)
        except OSError as error:
            _common.complain(f"{where}: cannot be written: {error.strerror or error}")
            return 2
        return 0


def _tell(path: str, matches: tuple[Match, ...], found: tuple[Finding, ...]) -> None:
    """Say what is lost: the first few of a kind, and how many more there are."""
    from bgtools.reports import printable

    told: Counter[tuple[str, str]] = Counter()
    for loss in found:
        kind = (loss.code.id, loss.message)
        told[kind] += 1
        if told[kind] <= _TOLD_OF_A_KIND:
            typer.echo(_line(path, matches, loss), err=True)
    for (code, message), count in told.items():
        if count > _TOLD_OF_A_KIND:
            typer.echo(f"{printable(path)}: {code} {message}: {count - _TOLD_OF_A_KIND:,} more", err=True)


def _line(path: str, matches: tuple[Match, ...], loss: Finding) -> str:
    from bgtools.reports import concise, printable

    source = matches[0].source if len(matches) == 1 else None
    if source is not None:
        return concise(loss, source)
    return f"{printable(path)}: {loss.severity} {loss.code.id} {printable(loss.message)}"
