"""``bgtools benchmark``: engines against the analysis that records hold."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from bgtools._disk import is_folder, why
from bgtools.cli import _common, _completion, _terminal
from bgtools.findings.quantities import AMOUNT, BIAS, CHANCE, ERROR_RATE, MEAN, POINTS, PR, PROBABILITY, Quantity

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.analysis.benchmarks import BenchmarkResult, Missing
    from bgtools.analysis.references import Mean, ReferenceScore
    from bgtools.record.record import Match


R = TypeVar("R", "BenchmarkResult", "ReferenceScore")

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
    reference: Annotated[
        bool,
        typer.Option(
            "--reference",
            help="The files are not records but references: JSON files of decisions that were rolled out.",
        ),
    ] = False,
    threads: Annotated[int | None, typer.Option(min=1, help="How many each may use; by default all.")] = None,
    layout: Annotated[Layout, typer.Option("--format", help="text or json.")] = "text",
) -> None:
    """Compare engines with the analysis in records, or with decisions that were rolled out: distance, bias and time.

    For each contender: processor time a match; the distance of its figures from those of the file; and the share of
    cube decisions with the same best action. The distances are those of the loss of a checker play (with its bias) and
    of a cube decision, of the PR of each player and match (mean, largest, bias), of a player's luck, and of the
    luck-adjusted result; losses and PR have 95% intervals over games.

    With --reference: what the plays and cube actions lose that each contender takes for the best, how far the losses
    are off that it states, and processor time a decision; and, against the first contender on the same decisions, how
    much more it loses. Exit status: 0 done, 2 could not run.
    """
    from bgtools.analysis.benchmarks import CONTENDERS, benchmark
    from bgtools.engines.registry import split_specs

    if reference:
        _score(files, engines, threads, layout)
        return
    matches = _matches(files)
    contenders = CONTENDERS if engines is None else tuple(map(str.strip, split_specs(engines, ("gammonview",))))
    try:
        results, missing = benchmark(matches, contenders, threads=threads, progress=_progress())
    except ValueError as error:
        _common.fail(str(error))
    _show(results, missing, layout, _print)


def _score(files: list[str], engines: str | None, threads: int | None, layout: Layout) -> None:
    """Score engines by references."""
    from bgtools.analysis.benchmarks import CONTENDERS, starter
    from bgtools.analysis.references import read_reference, score
    from bgtools.engines.registry import split_specs

    names = ",".join(name for name in CONTENDERS if not name.startswith("gammonview")) if engines is None else engines
    try:
        decisions = [decision for file in files for decision in read_reference(file)]
        contenders = {name: starter(name, threads) for name in map(str.strip, split_specs(names))}
        scores, missing = score(decisions, contenders, progress=_progress("decisions"))
    except (OSError, ValueError) as error:
        _common.fail(why(error) if isinstance(error, OSError) else str(error))
    _show(scores, missing, layout, _print_scores)


def _show(
    results: tuple[R, ...], missing: tuple[Missing, ...], layout: Layout, as_text: Callable[[tuple[R, ...]], None]
) -> None:
    """Print the results and who did not take part.

    Raises:
        typer.Exit: nobody took part.
    """
    if layout == "json":
        content = {"results": [asdict(each) for each in results], "missing": [asdict(each) for each in missing]}
        _terminal.say(_terminal.as_json(content))
    else:
        as_text(results)
        _print_missing(missing)
    if not results:
        raise typer.Exit(2)


def _print_scores(scores: tuple[ReferenceScore, ...]) -> None:
    from bgtools.reports.document import DataTable

    heads = (
        "contender", "ms", "loss a play", "more than first", "Δ loss", "loss a cube", "more than first", "right", "Δ",
    )  # fmt: skip
    rows = [
        (
            each.contender, AMOUNT.text(1000 * each.seconds), _mean(each.play_loss), _mean(each.play_behind, POINTS),
            _mean(each.play_apart), _mean(each.cube_loss), _mean(each.cube_behind, POINTS),
            CHANCE.text(each.cube_right), _mean(each.cube_apart),
        )
        for each in scores
    ]  # fmt: skip
    console = _terminal.console()
    console.print(DataTable("Reference", heads, rows))
    if scores:
        one = scores[0]
        console.print(
            f"{one.plays} checker plays and {one.cubes} cube decisions. ms: processor time a decision; loss: what the "
            "play or the cube actions that it takes for the best lose by the reference; more than first: the same less "
            f"that of {one.contender} on the same decisions; Δ: how far the losses are off that it states, of the cube "
            "the difference between doubling and not. In mEMG, with 95% intervals over decisions",
            style="dim",
            markup=False,
        )


def _mean(mean: Mean | None, quantity: Quantity = MEAN) -> str:
    """A mean over decisions in thousandths, with its interval."""
    if mean is None:
        return "-"
    return _within(quantity, mean.value, mean.low, mean.high, 0.001)


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


def _progress(what: str = "matches") -> Callable[[str, int, int], None] | None:
    console = _terminal.terminal()
    if console is None:
        return None

    def show(contender: str, done: int, total: int) -> None:
        console.file.write(f"\r\x1b[K{_terminal.cleaned(contender)}: {done} of {total} {what}\r")
        console.file.flush()

    return show


def _within(quantity: Quantity, value: float | None, low: float | None, high: float | None, unit: float = 1.0) -> str:
    """A mean with its interval, in units."""
    if value is None:
        return "-"
    text = quantity.text(value / unit)
    between = None if low is None or high is None else f"({quantity.text(low / unit)} to {quantity.text(high / unit)})"
    return text if between is None else f"{text} {between}"


def _print(results: tuple[BenchmarkResult, ...]) -> None:
    from bgtools.reports.document import DataTable

    heads = (
        "contender", "s/match", "Δ loss a play", "bias", "Δ loss a cube", "same", "Δ PR", "most", "bias", "Δ luck",
        "Δ result",
    )  # fmt: skip
    rows = [
        (
            each.contender, MEAN.text(each.seconds),
            _within(ERROR_RATE, each.loss, each.loss_low, each.loss_high, 0.001),
            _within(BIAS, each.loss_bias, each.loss_bias_low, each.loss_bias_high, 0.001),
            _within(ERROR_RATE, each.cube_loss, each.cube_loss_low, each.cube_loss_high, 0.001), CHANCE.text(each.cube),
            _within(PR, each.pr, each.pr_low, each.pr_high), PR.text(each.pr_most),
            POINTS.text(each.pr_bias), MEAN.text(each.luck), PROBABILITY.text(each.adjusted),
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


def _print_missing(missing: tuple[Missing, ...]) -> None:
    console = _terminal.console()
    for absent in missing:
        console.print(f"{absent.contender} left out: {absent.reason}", style="dim", markup=False)
