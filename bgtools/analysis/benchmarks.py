"""How near engines come to the analysis that records hold, and how long they take.

The records are judged by what their files say (the engine ``file``; most were analysed by eXtreme Gammon) and by each
contender, on the same decisions. The figures that people read are compared: the PR of each player and match, what
single decisions cost, cube actions and luck. One contender runs after the other, so that the ratios of their times
hold on a busy machine too.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import dataclass, replace
from functools import partial
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools._shell import find_on_path
from bgtools.analysis.errors import RESIGNATIONS
from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.ratings.xg import XG_PR, pr_factor
from bgtools.analysis.statistics import interval_of_distances, interval_of_mean
from bgtools.analysis.stopwatch import close, processor_time
from bgtools.engines.protocol import EngineUnavailable
from bgtools.engines.recorded import RecordedEngine, holds_analysis
from bgtools.engines.registry import create, parse_specs
from bgtools.replayer.match import replay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bgtools.analysis.ratings.rule import RatingResult
    from bgtools.analysis.rows import DecisionRow
    from bgtools.analysis.totals import Analysis
    from bgtools.engines.protocol import Engine
    from bgtools.engines.registry import Spec
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay

CONTENDERS: Final = (
    "sage:quick",
    "sage:standard",
    "sage:deep",
    "gnubg:0",
    "gnubg:1",
    "gnubg:2",
    "gammonview:very_quick",
    "gammonview:fast",
    "gammonview:deep",
)
"""The contenders by default. A program that is not installed is named as missing."""

_GAMMONVIEW: Final = "gvan-match"
_PATIENCE: Final = 1800.0
"""Seconds that a program may take for one match."""


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """How one contender did.

    Attributes:
        contender: its name, as in `CONTENDERS`.
        version: program and version; empty where it says nothing.
        matches: how many matches were compared.
        seconds: processor time a match, that of a program which is run included; see `processor_time`.
        pr: mean distance of PR from the file's, over players and matches.
        pr_low, pr_high: its 95% interval by resampling the games of each match; see `interval_of_distances`.
        pr_most: the largest of these distances.
        pr_bias: mean of contender minus file: below 0 it rates errors too small.
        loss: mean distance in EMG of what a checker play cost.
        loss_low, loss_high: its 95% interval by resampling games.
        loss_bias: mean of what plays cost by the contender less by the file; below 0 it rates errors too small.
        loss_bias_low, loss_bias_high: its interval.
        cube_loss: mean distance in EMG of what a cube decision cost, of those that XG's rating counts by the file.
        cube_loss_low, cube_loss_high: its interval.
        cube: share (0 to 1) of the cube decisions on which both name the same best action.
        luck: mean distance in EMG of a player's luck in a match.
        adjusted: mean distance of the luck-adjusted results of matches, in match winning chance.
        held: in how many of these matches the contender's interval holds the file's value.
        checker_plays, cube_decisions, games: how many were compared.

    A figure is None where there was nothing to compare, an interval where the games are fewer than 8.
    """

    contender: str
    version: str
    matches: int
    seconds: float
    pr: float | None
    pr_most: float | None
    pr_bias: float | None
    loss: float | None
    cube: float | None
    luck: float | None
    checker_plays: int
    cube_decisions: int
    games: int
    loss_low: float | None = None
    loss_high: float | None = None
    cube_loss: float | None = None
    cube_loss_low: float | None = None
    cube_loss_high: float | None = None
    pr_low: float | None = None
    pr_high: float | None = None
    adjusted: float | None = None
    held: int | None = None
    loss_bias: float | None = None
    loss_bias_low: float | None = None
    loss_bias_high: float | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """A contender that did not take part, and why."""

    contender: str
    reason: str


def benchmark(
    matches: Sequence[Match],
    contenders: Iterable[str] = CONTENDERS,
    *,
    threads: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> tuple[tuple[BenchmarkResult, ...], tuple[Missing, ...]]:
    """Compare contenders with what the records say.

    Args:
        matches: records; those without analysis of their own are skipped.
        contenders: names as in `CONTENDERS`.
        threads: how many each contender may use; None for one a processor.
        progress: called with a contender, matches done and matches in all.

    Raises:
        ValueError: no such contender, or no record holds analysis.
    """
    judged = [match for match in matches if holds_analysis(match)]
    if not judged:
        raise ValueError("no record among them holds analysis to compare with")
    # A wrong name must be refused before hours of work.
    specs = {contender: _spec(contender) for contender in contenders}
    results: list[BenchmarkResult] = []
    missing: list[Missing] = []
    for contender, spec in specs.items():
        try:
            results.append(_compete(judged, contender, _contender(contender, spec, threads), progress))
        except EngineUnavailable as error:
            missing.append(Missing(contender, str(error)))
    return tuple(results), tuple(missing)


def _compete(
    matches: Sequence[Match],
    contender: str,
    answer: Callable[[Match], Engine],
    progress: Callable[[str, int, int], None] | None,
) -> BenchmarkResult:
    pairs: list[tuple[Analysis, Analysis]] = []
    seconds = 0.0
    version = ""
    for number, match in enumerate(matches):
        if progress is not None:
            progress(contender, number, len(matches))
        games = replay(match)
        recorded = RecordedEngine(match, games)
        (engine, found), spent = processor_time(partial(_ask, answer, match, games, recorded))
        seconds += spent
        version = f"{engine.stamp.engine} {engine.stamp.version}"
        pairs.append((analyse(match, recorded, games=games), found))
    result = _summed(contender, version.strip(), seconds / len(matches), pairs)
    if not result.checker_plays and not result.cube_decisions:
        raise EngineUnavailable("it values none of the decisions that the records value")
    return result


def _ask(
    answer: Callable[[Match], Engine], match: Match, games: Sequence[GameReplay], recorded: RecordedEngine
) -> tuple[Engine, Analysis]:
    """The engine and its analysis. Opening rolls have their luck by the record's convention, if the engine knows it."""
    engine = answer(match)
    found = analyse(match, engine, games=games, luck=recorded.luck_convention)
    close(engine)
    return engine, found


def _spec(name: str) -> Spec | None:
    """The engine that a contender names; None for GammonView, which is not an engine here but a program of its own.

    Raises:
        ValueError: no such contender.
    """
    if name.partition(":")[0] == "gammonview":
        return None
    (spec,) = parse_specs(name)
    if not spec.searches:
        raise ValueError(f"{name} is not a contender")
    return spec


def starter(name: str, threads: int | None = None) -> Callable[[], Engine]:
    """What starts the engine that a contender names.

    Raises:
        ValueError: no such engine, or one that does not search.
    """
    spec = _spec(name)
    if spec is None:
        raise ValueError(f"{name} is a program that only analyses whole matches")
    return partial(_start, spec, threads)


def _start(spec: Spec, threads: int | None) -> Engine:
    engine = create(spec, threads=threads)
    assert engine is not None
    return engine


def _contender(name: str, spec: Spec | None, threads: int | None) -> Callable[[Match], Engine]:
    """A function that gives the engine for a match. Our own engine is started once, before time is measured."""
    if spec is None:
        return lambda match: _gammonview(match, name.partition(":")[2] or "fast", threads)
    engine = _start(spec, threads)
    return lambda match: engine


def _gammonview(match: Match, preset: str, threads: int | None) -> Engine:
    """The analysis that GammonView's program makes of a match without any."""
    from bgtools.conversion.conversion import write
    from bgtools.formats.content import FormatError
    from bgtools.formats.reading import read

    program = find_on_path(_GAMMONVIEW)
    if program is None:
        raise EngineUnavailable(f"the program {_GAMMONVIEW} (package gammonview) is not installed here")
    jobs = str(threads or os.cpu_count() or 1)
    with tempfile.TemporaryDirectory(prefix="bgtools-") as folder:
        record, output = Path(folder) / "match.mat", Path(folder) / "match.gvab"
        write(_bare(match), record, verify=False)
        command = [program, str(record), "--preset", preset, "--gvab", "-o", str(output), "--silent", "--jobs", jobs]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EngineUnavailable(f"{_GAMMONVIEW}: {error}") from None
        if done.returncode or not output.exists():
            last = (done.stderr.strip() or done.stdout.strip() or "it wrote nothing").splitlines()[-1]
            raise EngineUnavailable(f"{_GAMMONVIEW}: {last}")
        try:
            # GammonView's file cannot hold all rules of the record.
            return RecordedEngine(replace(read(output), rules=match.rules))
        except FormatError as error:
            raise EngineUnavailable(f"{_GAMMONVIEW}: {error}") from None


def _bare(match: Match) -> Match:
    """A match without its annotations and comments."""
    games = tuple(
        replace(game, entries=tuple(replace(entry, annotation=None) for entry in game.entries), comments=())
        for game in match.games
    )
    return replace(match, games=games, comments=())


def _summed(
    contender: str, version: str, seconds: float, pairs: Sequence[tuple[Analysis, Analysis]]
) -> BenchmarkResult:
    rated: list[_Rated] = []
    plays: _ByGame = {}
    signed: _ByGame = {}
    counted_cubes: _ByGame = {}
    adjusted: list[tuple[float, bool]] = []
    cubes: list[bool] = []
    luck: list[float] = []
    for number, (wanted, found) in enumerate(pairs):
        both = [
            (one, two)
            for one, two in zip(wanted.decisions, found.decisions, strict=True)
            if one.loss is not None and two.loss is not None
        ]
        rated.append(_ratings_apart(both, wanted.match.length))
        luck += _luck_apart(wanted, found)
        for one, two in both:
            _add(plays if one.kind == "checker play" else counted_cubes, number, one, two, abs)
            if one.kind == "checker play":
                _add(signed, number, one, two, float)
        adjusted += _adjusted_apart(wanted, found)
        cubes += [one.best == two.best for one, two in both if one.kind not in ("checker play", "resign", "accept")]
    loss, cube_loss, bias = _distance(plays), _distance(counted_cubes), _distance(signed)
    apart = [each for match in rated for each in match.differences]
    pr_low, pr_high = interval_of_distances([match.games for match in rated if match.differences]) or (None, None)
    return BenchmarkResult(
        contender,
        version,
        len(pairs),
        seconds,
        _mean([abs(each) for each in apart]),
        max(map(abs, apart), default=None),
        _mean(apart),
        loss.mean,
        _mean([float(same) for same in cubes]),
        _mean(luck),
        sum(count for _, count in plays.values()),
        len(cubes),
        len(plays.keys() | counted_cubes.keys()),
        loss.low,
        loss.high,
        cube_loss.mean,
        cube_loss.low,
        cube_loss.high,
        pr_low,
        pr_high,
        _mean([distance for distance, _ in adjusted]),
        sum(held for _, held in adjusted) if adjusted else None,
        bias.mean,
        bias.low,
        bias.high,
    )


_ByGame = dict[tuple[int, int], tuple[float, int]]
"""Sum of distances and number of decisions, by match and game."""


class _Distance(NamedTuple):
    """A mean distance with its interval."""

    mean: float | None
    low: float | None
    high: float | None


def _add(groups: _ByGame, match: int, one: DecisionRow, two: DecisionRow, measure: Callable[[float], float]) -> None:
    """Count by how much the losses of a decision differ. Of cube decisions those count that XG's rating counts."""
    if one.kind in RESIGNATIONS or (one.kind != "checker play" and not one.counted_by[XG_PR.counting.name].counted):
        return
    total, count = groups.get((match, one.game), (0.0, 0))
    groups[match, one.game] = total + measure((two.loss or 0.0) - (one.loss or 0.0)), count + 1


def _distance(groups: _ByGame) -> _Distance:
    count = sum(each for _, each in groups.values())
    if not count:
        return _Distance(None, None, None)
    low, high = interval_of_mean([*groups.values()]) or (None, None)
    return _Distance(fsum(total for total, _ in groups.values()) / count, low, high)


def _adjusted_apart(truth: Analysis, found: Analysis) -> Iterator[tuple[float, bool]]:
    """How far two luck-adjusted results of a match lie apart, and whether the second's interval holds the first."""
    one, two = truth.players[0].luck_adjusted_result, found.players[0].luck_adjusted_result
    if one is None or two is None or two.unit != "mwc":
        return
    distance = abs(two.adjusted - one.adjusted)
    yield distance, two.low is not None and two.high is not None and two.low <= one.adjusted <= two.high


class _Rated(NamedTuple):
    """The players of a match who have an XG PR both by the file and by the contender.

    Attributes:
        differences: by how much the PR of each is higher by the contender.
        games: of each game, for each of these players: what their losses add to PR before the mean is taken, and how
            many decisions count, by the file and by the contender.
    """

    differences: list[float]
    games: list[list[tuple[float, int, float, int]]]


def _ratings_apart(both: Sequence[tuple[DecisionRow, DecisionRow]], length: int) -> _Rated:
    """How far the ratings of a match lie apart in two analyses, by the decisions that both judge."""

    def ratings(pairs: Sequence[tuple[DecisionRow, DecisionRow]], player: int) -> list[RatingResult]:
        return [XG_PR.rate(player, [pair[side] for pair in pairs], length=length) for side in (0, 1)]

    apart: dict[int, float] = {}
    for player in (0, 1):
        first, second = (rating.value for rating in ratings(both, player))
        if first is not None and second is not None:
            apart[player] = second - first
    by_game: dict[int, list[tuple[DecisionRow, DecisionRow]]] = {}
    for pair in both:
        by_game.setdefault(pair[0].game, []).append(pair)
    factor = pr_factor(length)
    games: list[list[tuple[float, int, float, int]]] = []
    for pairs in by_game.values():
        told = (ratings(pairs, player) for player in apart)
        games.append([(factor * one.loss, one.counted, factor * two.loss, two.counted) for one, two in told])
    return _Rated([*apart.values()], games)


def _luck_apart(truth: Analysis, found: Analysis) -> Iterator[float]:
    """How far the luck of each player lies apart in two analyses; nothing where no roll has luck in both."""
    apart = [
        (one.player, two.luck - one.luck)
        for one, two in zip(truth.turns, found.turns, strict=True)
        if one.luck is not None and two.luck is not None
    ]
    for player in (0, 1) if apart else ():
        yield abs(fsum(distance for whose, distance in apart if whose == player))


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None
