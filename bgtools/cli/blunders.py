"""``bgtools blunders``: the worst decisions of many records, to look at and to learn from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, get_args

import typer

from bgtools.analysis import THEMES, Order, Phase, Wanted
from bgtools.cli import _common, _completion, _terminal
from bgtools.cli._gathering import Gathering, gathered
from bgtools.cli._valuing import (
    Confirming,
    ConfirmOption,
    ConfirmTimeOption,
    KeepOption,
    LevelOption,
    MetOption,
    find_met,
)
from bgtools.cli.table import Options, check_engine, one_engine
from bgtools.engines import ENGINES
from bgtools.reports import SHEET_ENDINGS, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.analysis import Analysis, Blunder


_PHASES: Final[tuple[Phase, ...]] = tuple(each for each in get_args(Phase) if each)


def blunders_command(
    files: Annotated[
        list[str],
        typer.Argument(help="Records, or folders that are searched for them; - is standard input.", metavar="PATH"),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Where to write them, by its ending: .html to look at, .pdf to print, .csv, .json, .txt (XGIDs), "
            ".zip (pictures). Without it they are printed.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Option("--player", "-p", help="Only this player's; may be given more than once.", metavar="NAME"),
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="How many, the worst first.")] = 20,
    min_loss: Annotated[float, typer.Option(min=0, help="The least loss, in EMG.")] = 0.02,
    themes: Annotated[
        list[str] | None,
        typer.Option("--theme", help="Only decisions about this; may be given more than once.", metavar="THEME"),
    ] = None,
    phases: Annotated[
        list[str] | None,
        typer.Option("--phase", help="Only of this phase; may be given more than once.", metavar="PHASE"),
    ] = None,
    cube: Annotated[
        bool | None,
        typer.Option("--cube/--checker", help="Only cube actions, or only checker plays.", show_default=False),
    ] = None,
    confirmed: Annotated[
        bool, typer.Option("--confirmed", help="Only those that a rollout confirms; asks for rollouts.")
    ] = False,
    order: Annotated[
        Literal["loss", "avoidable"],
        typer.Option("--by", help="The worst by all that they lost, or by what was avoidable of it."),
    ] = "loss",
    engine: Annotated[
        str,
        typer.Option(
            help=f"What values the positions: {', '.join(kind.usage or kind.name for kind in ENGINES)}.",
            metavar="ENGINE",
            autocompletion=_completion.engines,
        ),
    ] = "sage",
    level: LevelOption = "standard",
    met: MetOption = None,
    keep: KeepOption = True,
    confirm: ConfirmOption = False,
    confirm_time: ConfirmTimeOption = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, help="Processes to read records with; by default one a core.", metavar="N"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Write over what is there.")] = False,
) -> None:
    """Collect the worst decisions of many records.

    "bgtools blunders matches/ --player Ann -o lessons.html" makes a page of Ann's worst decisions over all matches in a
    folder: each a board with a question, the answer below it. The same board with the same roll is there once. What is
    avoidable of a loss is what it lost beyond what a player of some strength loses there on average. Exit status:
    0 done, 1 done but some file could not be read, 2 there is nothing to show.
    """
    spec = one_engine(engine)
    if spec.name == "none":
        _common.complain("blunders need an engine; say with --engine which")
        raise typer.Exit(2)
    _refuse(output, force=force)
    wanted = Wanted(
        tuple(players or ()),
        min_loss,
        tuple(_known(themes, [each.name for each in THEMES], "--theme")),
        tuple(each for each in _PHASES if each in _known(phases, _PHASES, "--phase")),
        cube,
        confirmed,
    )
    confirming = Confirming.asked(confirm or confirmed, confirm_time, (spec,))
    options = Options(spec, level, find_met(met, (spec,)), "xg", None, keep, confirming)
    check_engine(options)
    work = Gathering(options, _Taking(wanted))
    found, problems, _ = gathered(files, work, 1 if spec.searches else jobs, "nothing was written")
    _show(found, wanted, output, top, order, force=force)
    raise typer.Exit(1 if problems else 0)


_OfMatch = tuple[tuple[str, str], "Sequence[Blunder]"]
"""The players of a match, and which of its decisions are asked for."""


@dataclass(frozen=True, slots=True)
class _Taking:
    """Taking of an analysis what is asked for, in a form that other processes can do; the players are always told."""

    wanted: Wanted

    def __call__(self, analysis: Analysis, path: str, number: int) -> Sequence[_OfMatch]:
        """The players of a match and its decisions."""
        from bgtools.analysis import blunders_of

        file = "<stdin>" if path == "-" else path
        return [(analysis.match.players, blunders_of(analysis, file, number, self.wanted))]


def _refuse(output: Path | None, *, force: bool) -> None:
    """End where the file cannot be written, before any work is done."""
    if output is None:
        return
    if output.suffix.lower() not in SHEET_ENDINGS:
        _common.complain(f"{output}: the name of a sheet ends with one of {', '.join(SHEET_ENDINGS)}")
        raise typer.Exit(2)
    if output.exists() and not force:
        _common.complain(f"{output} exists; --force writes over it")
        raise typer.Exit(2)


def _known(said: list[str] | None, known: Sequence[str], option: str) -> list[str]:
    for each in said or ():
        if each not in known:
            raise typer.BadParameter(f"{printable(each)!r} is none; there are: {', '.join(known)}", param_hint=option)
    return said or []


def _show(
    found: Sequence[_OfMatch],
    wanted: Wanted,
    output: Path | None,
    top: int,
    order: Order,
    *,
    force: bool,
) -> None:
    """Write or print the worst of what was found."""
    from bgtools.analysis import worst_of
    from bgtools.conversion import save
    from bgtools.reports import said_of_blunder, sheet_bytes

    if not found:
        _common.complain("no match was found")
        raise typer.Exit(2)
    seen = Counter(name for names, _ in found for name in names)
    for player in wanted.players:
        if player.casefold() not in {name.casefold() for name in seen}:
            often = ", ".join(printable(name) for name, _ in seen.most_common(5))
            _common.complain(f"nobody is called {printable(player)}; most often there are: {often}")
            raise typer.Exit(2)
    all_ = [blunder for _, some in found for blunder in some]
    worst = worst_of(all_, top, order)
    if not worst:
        _common.complain(f"no such decision was found in {len(found)} {'match' if len(found) == 1 else 'matches'}")
        raise typer.Exit(2)
    if output is None:
        for number, blunder in enumerate(worst, 1):
            for line in said_of_blunder(blunder, number):
                _terminal.say(line)
        return
    try:
        save(sheet_bytes(worst, output.suffix.lower()), output, force=force)
    except FileExistsError as error:
        _common.complain(f"{error}; --force writes over it")
        raise typer.Exit(2) from None
    except OSError as error:
        _common.complain(f"{output}: cannot be written: {error.strerror or error}")
        raise typer.Exit(2) from None
    decisions = "1 decision" if len(worst) == 1 else f"{len(worst)} decisions"
    _terminal.say(f"written to {printable(str(output))}: {decisions} of {len(all_)}")
