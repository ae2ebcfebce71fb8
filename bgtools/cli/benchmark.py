"""``bgtools benchmark``: engines against the analysis that records hold."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bgtools._disk import is_folder
from bgtools.cli import _common, _completion, _terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.analysis.benchmarks import BenchmarkResult, Missing
    from bgtools.record.record import Match


Layout = Literal["text", "json"]
"""How the result is printed."""


def benchmark_command(
    files: Annotated[list[str], typer.Argument(help="Analysed records, or folders of them.", metavar="FILE…")],
    engines: Annotated[
        str | None,
        typer.Option(
            "--engine",
            help="Contenders with commas between them, such as sage:deep,gnubg:2,gammonview:fast; "
            "by default every level of the programs that are installed.",
            metavar="LIST",
            autocompletion=_completion.engines,
        ),
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="How many each may use; by default all.")] = None,
    layout: Annotated[Layout, typer.Option("--format", help="text or json.")] = "text",
) -> None:
    """Compare engines with the analysis in the records: distance, bias and time.

    For each contender: seconds a match; the distance of its figures from those of the file; and the share of cube
    decisions with the same best action. The distances are those of the loss of a checker play and of a cube decision,
    of the PR of each player and match (mean, largest, bias), of a player's luck, and of the luck-adjusted result;
    losses and PR have 95% intervals over games. Exit status: 0 done, 2 could not run.
    """
    from bgtools.analysis.benchmarks import CONTENDERS, benchmark
    from bgtools.engines.registry import split_specs

    matches = _matches(files)
    contenders = CONTENDERS if engines is None else tuple(map(str.strip, split_specs(engines, ("gammonview",))))
    try:
        results, missing = benchmark(matches, contenders, threads=threads, progress=_progress())
    except ValueError as error:
        _common.fail(str(error))
    if layout == "json":
        content = {"results": [asdict(each) for each in results], "missing": [asdict(each) for each in missing]}
        _terminal.say(_terminal.as_json(content))
    else:
        _print(results, missing)
    if not results:
        raise typer.Exit(2)


def _matches(files: list[str]) -> list[Match]:
    from bgtools.formats.searching import candidates, folder_trouble

    found: list[Match] = []
    for candidate in candidates(files):
        if is_folder(candidate.path):
            _common.print_error(f"{candidate.path}: {folder_trouble(candidate.path)}")
            continue
        matches = _common.matches_or_report(candidate.path)
        found.extend(matches or ())
    return found


def _progress() -> Callable[[str, int, int], None] | None:
    console = _terminal.terminal()
    if console is None:
        return None

    def show(contender: str, done: int, total: int) -> None:
        console.file.write(f"\r\x1b[K{_terminal.cleaned(contender)}: {done} of {total} matches\r")
        console.file.flush()

    return show


def _told_as(spec: str, value: float | None) -> str:
    return "-" if value is None else format(value, spec)


def _within(spec: str, value: float | None, low: float | None, high: float | None, unit: float = 1.0) -> str:
    """A mean with its interval, in units."""
    if value is None:
        return "-"
    text = format(value / unit, spec)
    return text if low is None or high is None else f"{text} ({low / unit:{spec}}-{high / unit:{spec}})"


def _print(results: tuple[BenchmarkResult, ...], missing: tuple[Missing, ...]) -> None:
    from bgtools.reports.document import DataTable

    heads = (
        "contender", "s/match", "Δ loss a play", "Δ loss a cube", "same", "Δ PR", "most", "bias", "Δ luck", "Δ result",
    )  # fmt: skip
    rows = [
        (
            each.contender, f"{each.seconds:.2f}", _within(".1f", each.loss, each.loss_low, each.loss_high, 0.001),
            _within(".1f", each.cube_loss, each.cube_loss_low, each.cube_loss_high, 0.001), _told_as(".1%", each.cube),
            _within(".2f", each.pr, each.pr_low, each.pr_high), _told_as(".2f", each.pr_most),
            _told_as("+.2f", each.pr_bias), _told_as(".2f", each.luck), _told_as(".3f", each.adjusted),
        )
        for each in results
    ]  # fmt: skip
    console = _terminal.console()
    console.print(DataTable("Benchmark", heads, rows))
    if results:
        one = results[0]
        plural = "match" if one.matches == 1 else "matches"
        console.print(
            f"{one.matches} {plural}, {one.games} games, {one.checker_plays} checker plays and {one.cube_decisions} "
            "cube decisions. Δ: the mean distance from the file, with 95% intervals over games; losses in mEMG (cube: "
            "those that XG counts), PR over players and matches, luck in EMG, luck-adjusted results in match winning "
            "chance; same: the best cube action",
            style="dim",
        )
    for absent in missing:
        console.print(f"{absent.contender} left out: {absent.reason}", style="dim", markup=False)
