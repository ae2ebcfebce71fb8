"""Gathering something from the analysis of every match in many files."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Generic, TypeVar

import typer

from bgtools.cli import _common
from bgtools.cli.table import Options, analysed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bgtools.analysis.totals import Analysis
    from bgtools.formats.searching import Candidate
    from bgtools.record.record import Match

FilesArgument = Annotated[
    list[str],
    typer.Argument(help="Records, or folders that are searched for them; - is standard input.", metavar="PATH"),
]
JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, help="Processes to read records with; by default one a core.", metavar="N"),
]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FromFile(Generic[T]):
    """What the matches of a file give, or why it could not be read; ``without``: how many matches give nothing."""

    path: str
    found: tuple[T, ...] = ()
    problem: str = ""
    without: int = 0


@dataclass(frozen=True, slots=True)
class AnalysisOfFile(Generic[T]):
    """Gathering from a file, in a form that other processes can do.

    Attributes:
        options: how matches are analysed.
        take: takes what is wanted from an analysis, given the file and the number of the match in it, from 1.
        jobs: how many processes share the matches of a file.
    """

    options: Options
    take: Callable[[Analysis, str, int], Sequence[T]]
    jobs: int = 1

    def __call__(self, candidate: Candidate) -> FromFile[T]:
        """What one file gives. Never raises on what is in it."""
        from bgtools.cli._files import split_matches
        from bgtools.engines.protocol import EngineUnavailable
        from bgtools.formats.reading import read_all
        from bgtools.formats.searching import is_no_record, trouble

        try:
            matches = read_all(candidate.path)
            shares = split_matches(matches, partial(self._of_matches, candidate.path, matches), self.jobs)
            found = [each for share in shares for each in share]
        except EngineUnavailable as error:  # a program can end, or hang, at any time
            return FromFile(candidate.path, problem=f"left out: {error}")
        except Exception as error:  # a fault of ours must not cost all other files
            problem = "" if is_no_record(candidate, error) else trouble(error)
            return FromFile(candidate.path, problem=problem)
        return FromFile(
            candidate.path, tuple(one for each in found for one in each), without=sum(not each for each in found)
        )

    def _of_matches(self, path: str, matches: Sequence[Match], share: range) -> list[Sequence[T]]:
        """What some matches of a file give."""
        return [self.take(analysed(matches[at], self.options), path, at + 1) for at in share]

    def lost(self, candidate: Candidate, problem: str) -> FromFile[T]:
        """The result for a file whose process was killed."""
        return FromFile(candidate.path, problem=problem)


def collect(files: list[str], work: AnalysisOfFile[T], jobs: int | None, undone: str) -> tuple[list[T], int, int]:
    """What all files give, how many could not be read, and how many matches give nothing.

    Files that cannot be read are told. After Ctrl-C the command ends and says what is ``undone``.
    """
    from bgtools.cli._files import cores, results_in_order
    from bgtools.cli._progress import file_bar
    from bgtools.formats.searching import candidates

    found: list[T] = []
    problems = without = 0
    jobs = jobs or cores()
    here = replace(work, jobs=jobs)
    try:
        with file_bar(files) as bar, closing(results_in_order(candidates(files), work, jobs, here=here)) as done:
            for each in done:
                found += each.found
                without += each.without
                if each.problem:
                    problems += 1
                    with bar.paused():
                        _common.print_error(f"{each.path}: {each.problem}")
                bar.advance()
    except KeyboardInterrupt:
        _common.print_error(f"interrupted; {undone}")
        raise typer.Exit(_common.INTERRUPTED) from None
    return found, problems, without
