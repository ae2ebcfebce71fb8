"""The options by which commands pick the worst decisions of many records, and how those are collected."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeVar, get_args

import typer

from bgtools.analysis.blunders import DecisionFilter, Order
from bgtools.analysis.lessons.themes import THEMES
from bgtools.analysis.rows import Phase
from bgtools.cli import _common
from bgtools.cli._files import FileWork, FromFile, collect, split_matches
from bgtools.cli.table import Options, analysed, check_engine
from bgtools.findings.finding import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from bgtools.analysis.blunders import Blunder
    from bgtools.analysis.breakdowns import AnalysisPart
    from bgtools.analysis.totals import Analysis
    from bgtools.record.record import Match


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AnalysisOfFile(FileWork[FromFile[T]]):
    """Gathering from a file, in a form that other processes can do.

    Attributes:
        options: how matches are analysed.
        take: takes what is wanted from an analysis and its record, given the file and the match's number in it.
        parts: what the analysis holds besides rows and totals; None for the usual.
    """

    options: Options
    take: Callable[[Analysis, Match, str, int], Sequence[T]]
    parts: Collection[AnalysisPart] | None = None
    outcome = FromFile

    def of_file(self, path: str) -> FromFile[T]:
        """What the matches of one file give."""
        from bgtools.formats.reading import read_all

        matches = read_all(path)
        shares = split_matches(matches, partial(self._of_matches, path, matches), self.jobs)
        found = [each for share in shares for each in share]
        return FromFile(path, tuple(one for each in found for one in each), without=sum(not each for each in found))

    def _of_matches(self, path: str, matches: Sequence[Match], share: range) -> list[Sequence[T]]:
        """What some matches of a file give."""
        return [self.take(analysed(matches[at], self.options, self.parts), matches[at], path, at + 1) for at in share]


PlayersOption = Annotated[
    list[str] | None,
    typer.Option(
        "--player",
        "-p",
        metavar="NAME",
        help="Only this player's, by the name or a part that one player has; may be given more than once. "
        'By default those of "me" in bgtools.toml, else of both; "both" asks for them.',
    ),
]
TopOption = Annotated[int, typer.Option("--top", min=1, help="How many, the worst first.")]
LeastOption = Annotated[float, typer.Option("--min-loss", min=0, help="The least loss, in EMG.")]
ThemesOption = Annotated[
    list[str] | None,
    typer.Option("--theme", help="Only decisions about this; may be given more than once.", metavar="THEME"),
]
ReasonOption = Annotated[
    Literal["score"] | None,
    typer.Option("--reason", help="Only errors for this reason: score, those that are right for money (a theme too)."),
]
PhasesOption = Annotated[
    list[str] | None, typer.Option("--phase", help="Only of this phase; may be given more than once.", metavar="PHASE")
]
CubeOption = Annotated[
    bool | None, typer.Option("--cube/--checker", help="Only cube actions, or only checker plays.", show_default=False)
]
ConfirmedOption = Annotated[
    bool, typer.Option("--confirmed", help="Only those that a rollout confirms; asks for rollouts.")
]
OrderOption = Annotated[
    Literal["loss", "avoidable"],
    typer.Option("--by", help="The worst by all that they lost, or by what was avoidable of it."),
]

_PHASES: Final[tuple[Phase, ...]] = tuple(each for each in get_args(Phase) if each)


def themes_for(reason: str | None, themes: list[str] | None) -> list[str] | None:
    """The themes that are asked for; ends where a reason is asked for beside them."""
    if reason is not None and themes:
        _common.fail(f"--reason {reason} is the theme {reason}; give it or --theme")
    return themes if reason is None else [reason]


def wanted_of(
    players: list[str] | None,
    min_loss: float,
    themes: list[str] | None,
    phases: list[str] | None,
    cube: bool | None,
    confirmed: bool,
) -> DecisionFilter:
    """Which decisions the options ask for.

    Raises:
        typer.BadParameter: there is no such theme or phase.
    """
    return DecisionFilter(
        tuple(players or ()),
        min_loss,
        tuple(_known(themes, [each.name for each in THEMES], "--theme")),
        tuple(each for each in _PHASES if each in _known(phases, _PHASES, "--phase")),
        cube,
        confirmed,
    )


def _known(names: list[str] | None, known: Sequence[str], option: str) -> list[str]:
    for each in names or ():
        if each not in known:
            raise typer.BadParameter(
                f"{printable(each)!r} is unknown; choose from: {', '.join(known)}", param_hint=option
            )
    return names or []


@dataclass(frozen=True, slots=True)
class SelectedDecisions:
    """The decisions that were asked for.

    Attributes:
        worst: the worst of them.
        count: how many there are in all.
        problems: how many files could not be read.
    """

    worst: list[Blunder]
    count: int
    problems: int


def select_decisions(
    files: list[str],
    selection: DecisionFilter,
    options: Options,
    jobs: int | None,
    top: int,
    order: Order,
    undone: str,
    dask: str | None = None,
    parts: Collection[AnalysisPart] | None = None,
) -> SelectedDecisions:
    """The worst decisions of all files. Ends the command where there is none, or where an option names nobody."""
    from bgtools.analysis.blunders import of_players, worst_of
    from bgtools.analysis.names import UnknownName

    given = () if selection.players == (_common.BOTH,) else selection.players
    if options.spec.name == "none":
        _common.fail("blunders need an engine; say with --engine which")
    if dask is None:
        check_engine(options)
    else:
        options = replace(options, threads=1)
    taking = _Taking(replace(selection, players=given))
    work = AnalysisOfFile(options, taking, parts, is_slow=options.spec.searches)
    found, problems, _ = collect(files, work, 1 if options.spec.searches else jobs, undone, dask)
    if not found:
        _common.fail("no match was found")
    seen = Counter(name for names, _ in found for name in names)
    every = [blunder for _, some in found for blunder in some]
    names = [name for name, _ in seen.most_common()]
    try:
        every = of_players(every, given or _common.me_among(names, files, selection.players), names)
    except UnknownName as error:
        _common.fail(printable(str(error)))
    if not every:
        _common.fail(f"no such decision was found in {len(found)} {'match' if len(found) == 1 else 'matches'}")
    return SelectedDecisions(worst_of(every, top, order), len(every), problems)


_OfMatch = tuple[tuple[str, str], "Sequence[Blunder]"]
"""The players of a match, and which of its decisions are asked for."""


@dataclass(frozen=True, slots=True)
class _Taking:
    """Taking the players and the decisions asked for from an analysis, in a form that other processes can do."""

    selection: DecisionFilter

    def __call__(self, analysis: Analysis, match: Match, path: str, number: int) -> Sequence[_OfMatch]:
        """The players of a match and its decisions."""
        from bgtools.analysis.blunders import blunders_of
        from bgtools.reports.table_kinds import header

        file = "<stdin>" if path == "-" else path
        return [(analysis.match.players, blunders_of(analysis, file, number, self.selection, header(match)[1]))]
