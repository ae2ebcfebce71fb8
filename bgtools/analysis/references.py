"""How good the choices of engines are, by a file of decisions that were rolled out.

A reference is a JSON file::

    {"about": "…", "decisions": [
      {"id": "XGID=…:31:…", "plays": [{"play": "8/5 6/5", "values": [[0.157, 0.004], [0.160, 0.005]]}, …]},
      {"id": "XGID=…:00:…", "cube": {"no_double": [[0.42, 0.01]], "double_take": [[0.45, 0.01]]}}]}

Values are EMG and standard error, a pair for each program that rolled the decision out; their mean counts. Two other
lists are read as well: of ``before`` and ``after`` as 26 numbers with cubeless equities, which are asked with a dead
cube; and of GNU IDs with the equities of a cube for money.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools._disk import read_regular
from bgtools.analysis.benchmarks import Missing
from bgtools.analysis.statistics import interval_of_mean
from bgtools.analysis.stopwatch import close, processor_time
from bgtools.board.board import BAR
from bgtools.engines.protocol import CheckerQuestion, CubeQuestion, EngineUnavailable, Refused
from bgtools.positions.gnubg import decode_position_id
from bgtools.positions.position import Position, from_signed
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from bgtools.board.board import Board
    from bgtools.engines.protocol import CubeAnswer, Engine, Progress


@dataclass(frozen=True, slots=True)
class RolledPlay:
    """One play of a reference.

    Attributes:
        result: the board after it, seen by the player who moved.
        equity: EMG.
        error: its standard error; 0 where it is exact.
    """

    result: Board
    equity: float
    error: float


@dataclass(frozen=True, slots=True)
class RolledCube:
    """A cube decision of a reference: EMG for the player on roll, and standard errors."""

    no_double: float
    double_take: float
    no_double_error: float
    double_take_error: float

    @property
    def double(self) -> float:
        """Equity of doubling when the other replies best."""
        return min(self.double_take, 1.0)


@dataclass(frozen=True, slots=True)
class RolledDecision:
    """A decision of a reference: a roll with two plays or more, or a cube."""

    position: Position
    plays: tuple[RolledPlay, ...] = ()
    cube: RolledCube | None = None


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over decisions.

    Attributes:
        value: the mean.
        low, high: its 95% interval by resampling the decisions; None for fewer than 8.
    """

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class ReferenceScore:
    """How one engine did. What it had nothing to answer of is None.

    Attributes:
        contender: its name, as on the command line.
        version: program and version.
        plays, cubes: how many decisions it answered.
        play_loss: what the play that it takes for the best loses by the reference, EMG.
        play_apart: how far the loss that it states of a play which is not the best is from the reference's, EMG.
        unlisted: how often it chose a play that the reference does not list. It counts as the worst that is listed.
        cube_right: share (0 to 1) of the cube decisions in which both its actions lose nothing by the reference.
        cube_loss: what its cube actions lose by the reference, EMG.
        cube_apart: how far the difference between doubling and not doubling that it states is from the reference's.
        seconds: processor time a decision, that of a program which is run included.
        play_behind, cube_behind: by how much it loses more than the first contender on the same decisions.
    """

    contender: str
    version: str
    plays: int
    cubes: int
    play_loss: Mean | None
    play_apart: Mean | None
    unlisted: int
    cube_right: float | None
    cube_loss: Mean | None
    cube_apart: Mean | None
    seconds: float
    play_behind: Mean | None = None
    cube_behind: Mean | None = None


# --- reading --------------------------------------------------------------------------------


def read_reference(path: Path | str) -> tuple[RolledDecision, ...]:
    """Read a reference.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not a reference; the message says where.
    """
    path = Path(path)
    try:
        content: Any = json.loads(read_regular(path, _LARGEST))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: this is not JSON: {error}") from None
    rows = content.get("decisions") if isinstance(content, dict) else content
    if not isinstance(rows, list) or not rows:
        raise ValueError(f"{path}: a reference is a list of decisions, or an object with a list under 'decisions'")
    found = []
    for number, row in enumerate(rows, 1):
        try:
            found.append(_decision(row))
        except (ValueError, TypeError, KeyError, IndexError, ArithmeticError) as error:
            why = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
            raise ValueError(f"{path}: decision {number}: {why}") from None
    return tuple(found)


def _decision(row: Any) -> RolledDecision:
    """Raises: ValueError, TypeError, KeyError, IndexError, ArithmeticError: it is not a decision."""
    if not isinstance(row, dict):
        raise ValueError("it is not an object")
    if "columns" in row:
        return _cube_for_money(row)
    if "before" in row:
        return _cubeless_plays(row)
    position = Position.from_id(_text(row["id"]))
    if "cube" in row:
        no_double, double_take = (_mean(row["cube"][name]) for name in ("no_double", "double_take"))
        return RolledDecision(position, cube=RolledCube(no_double[0], double_take[0], no_double[1], double_take[1]))
    if position.dice is None:
        raise ValueError("there is no roll to play")
    plays = [
        RolledPlay(position.play(_text(each["play"])).board.flipped(), *_mean(each["values"])) for each in row["plays"]
    ]
    return _with_plays(position, plays)


def _with_plays(position: Position, plays: Sequence[RolledPlay]) -> RolledDecision:
    if len({play.result for play in plays}) < 2:
        raise ValueError("there are fewer than two plays to choose from")
    return RolledDecision(position, tuple(sorted(plays, key=lambda play: -play.equity)))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def _mean(values: Any) -> tuple[float, float]:
    """The mean of equities with their standard errors, and the standard error of the mean."""
    pairs = [(float(equity), float(error)) for equity, error in values]
    if not pairs:
        raise ValueError("there are no values")
    if not all(abs(equity) < _MOST and 0 <= error < _MOST for equity, error in pairs):
        raise ValueError("an equity or a standard error is out of range")
    count = len(pairs)
    return fsum(equity for equity, _ in pairs) / count, fsum(error * error for _, error in pairs) ** 0.5 / count


_MOST: Final = 100.0
_LARGEST: Final = 64 << 20
_NOTHING: Final = 5e-4
"""What loses less counts as right: the actions are worth the same."""
_DEAD: Final = MatchState(cube=Cube(8, "mine"), rules=Ruleset(cube_limit=8))
"""A cube that changes nothing: equities with it are cubeless."""


def _cubeless_plays(row: Any) -> RolledDecision:
    high, low = row["dice"]
    position = Position(_board(row["before"]), _DEAD, (int(high), int(low)))
    legal = {play.result for play in position.legal_plays()}
    plays = [RolledPlay(_board(board), *_mean([(equity, error)])) for board, equity, error in row["plays"]]
    for play in plays:
        if play.result not in legal:
            raise ValueError("one of the boards follows from no legal play")
    return _with_plays(position, plays)


def _board(points: Sequence[int]) -> Board:
    """A board of 26 numbers, in which checkers on the other player's bar count above or below 0."""
    their_bar, *others = map(int, points)
    if len(others) != BAR:
        raise ValueError(f"a board has 26 numbers, not {len(others) + 1}")
    return from_signed([-abs(their_bar), *others])


_OWNERS: Final = {"CENTRED": Cube(), "OWNED": Cube(2, "mine")}


def _cube_for_money(row: Any) -> RolledDecision:
    no_double, error, take, take_error = next(iter(row["columns"].values()))[:4]
    state = MatchState(cube=_OWNERS[row["owner"]], rules=Ruleset(jacoby=True))
    return RolledDecision(
        Position(decode_position_id(_text(row["id"])), state),
        cube=RolledCube(float(no_double), float(take), float(error), float(take_error)),
    )


# --- scoring --------------------------------------------------------------------------------


class _Found(NamedTuple):
    """What was found of some decisions, by number.

    Attributes:
        lost: what the choice loses by the reference.
        errors: how far what the engine states is from the reference.
    """

    lost: dict[int, float]
    errors: dict[int, float]


def score(
    decisions: Sequence[RolledDecision],
    contenders: Mapping[str, Callable[[], Engine]],
    *,
    progress: Callable[[str, int, int], None] | None = None,
) -> tuple[tuple[ReferenceScore, ...], tuple[Missing, ...]]:
    """Score engines by a reference.

    Args:
        decisions: of the reference.
        contenders: names, and what starts each engine. The others are held against the first.
        progress: called with a contender, decisions done and decisions in all.

    Returns:
        The scores, and the engines that did not take part.
    """
    scores: list[ReferenceScore] = []
    missing: list[Missing] = []
    first: tuple[_Found, _Found] | None = None
    for contender, start in contenders.items():
        report = None if progress is None else partial(progress, contender)
        try:
            engine = start()
            (plays, cubes, unlisted), seconds = processor_time(partial(_choose, decisions, engine, report))
            stated = _state_losses(decisions, engine)
            close(engine)
        except EngineUnavailable as error:
            missing.append(Missing(contender, str(error)))
            continue
        first = first or (plays, cubes)
        answered = len(plays.lost) + len(cubes.lost)
        behind = [_behind(own, other) for own, other in zip((plays, cubes), first, strict=True)]
        scores.append(
            ReferenceScore(
                contender=contender,
                version=f"{engine.stamp.engine} {engine.stamp.version}".strip(),
                plays=len(plays.lost),
                cubes=len(cubes.lost),
                play_loss=_mean_of(plays.lost.values()),
                play_apart=_mean_of(stated.values()),
                unlisted=unlisted,
                cube_right=_share([lost < _NOTHING for lost in cubes.lost.values()]),
                cube_loss=_mean_of(cubes.lost.values()),
                cube_apart=_mean_of(cubes.errors.values()),
                seconds=seconds / max(answered, 1),
                play_behind=behind[0],
                cube_behind=behind[1],
            )
        )
    return tuple(scores), tuple(missing)


def _choose(
    decisions: Sequence[RolledDecision], engine: Engine, progress: Progress | None
) -> tuple[_Found, _Found, int]:
    """What the choices of an engine lose: plays, cubes, and how many plays the reference does not list."""
    plays, cubes, unlisted = _Found({}, {}), _Found({}, {}), 0
    questions = {number: _question(each, None) for number, each in enumerate(decisions) if each.plays}
    answers = engine.checker(list(questions.values()), progress)
    for number, answer in zip(questions, answers, strict=True):
        if not isinstance(answer, Refused):
            listed = {play.result: play.equity for play in decisions[number].plays}
            unlisted += answer.best.play.result not in listed
            plays.lost[number] = max(listed.values()) - listed.get(answer.best.play.result, min(listed.values()))
    asked = {
        number: CubeQuestion(each.position.board, each.position.state)
        for number, each in enumerate(decisions)
        if each.cube is not None
    }
    for number, reply in zip(asked, engine.cube(list(asked.values())), strict=True):
        known = decisions[number].cube
        if known is not None and not isinstance(reply, Refused):
            cubes.lost[number] = _cube_loss(known, reply)
            cubes.errors[number] = abs(reply.no_double - reply.double - (known.no_double - known.double))
    close(engine)
    return plays, cubes, unlisted


def _question(decision: RolledDecision, played: Board | None) -> CheckerQuestion:
    position = decision.position
    assert position.dice is not None
    return CheckerQuestion(position.board, position.dice, position.state, played)


def _cube_loss(known: RolledCube, answer: CubeAnswer) -> float:
    """What doubling or not loses, and taking or passing where somebody doubles."""
    doubling = known.no_double - known.double
    lost = max(doubling if answer.should_double else -doubling, 0.0)
    if answer.should_double or doubling < 0:
        taking = known.double_take - 1.0
        lost += max(taking if answer.should_take else -taking, 0.0)
    return lost


def _state_losses(decisions: Sequence[RolledDecision], engine: Engine) -> dict[int, float]:
    """How far the loss that an engine states is off, of one play of each decision that is not the best."""
    asked = {
        number: (each, each.plays[1 + number % (len(each.plays) - 1)])
        for number, each in enumerate(decisions)
        if each.plays
    }
    answers = engine.checker([_question(each, play.result) for each, play in asked.values()])
    found: dict[int, float] = {}
    for (number, (each, play)), answer in zip(asked.items(), answers, strict=True):
        if not isinstance(answer, Refused) and answer.loss is not None:
            found[number] = abs(answer.loss - (each.plays[0].equity - play.equity))
    return found


def _behind(own: _Found, first: _Found) -> Mean | None:
    """By how much the choices lose more than those of the first contender, where both chose."""
    if own is first:
        return None
    return _mean_of([lost - first.lost[number] for number, lost in own.lost.items() if number in first.lost])


def _share(kept: Sequence[bool]) -> float | None:
    return sum(kept) / len(kept) if kept else None


def _mean_of(values: Collection[float]) -> Mean | None:
    if not values:
        return None
    low, high = interval_of_mean([(value, 1) for value in values]) or (None, None)
    return Mean(fsum(values) / len(values), low, high)
