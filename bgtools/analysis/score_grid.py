"""What would be right at every score, or with the cube at every place: one position, asked again in one batch.

Each cell of a grid is what `evaluate` says of the position at that score, to the bit.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Final, Literal

from bgtools._notebooks import shown_html
from bgtools.analysis.errors import RESIGNATIONS
from bgtools.analysis.evaluation import evaluation_of, question_of, ready
from bgtools.analysis.rows import ScoreVerdict
from bgtools.engines.protocol import CheckerQuestion, CubeQuestion, LuckQuestion, quicker_of
from bgtools.positions.playing import play_of
from bgtools.rules.cube import Cube, MatchState, explain_double

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from os import PathLike

    from bgtools.analysis.evaluation import Evaluation
    from bgtools.analysis.rows import DecisionRow
    from bgtools.board.board import Board
    from bgtools.engines.protocol import Engine, LevelName, Stamp
    from bgtools.met.table import MatchEquityTable
    from bgtools.positions.position import Position
    from bgtools.rules.cube import Owner

FARTHEST: Final = 7
"""Points away up to which a grid goes by default."""
CLOSE: Final = 0.02
"""A verdict is close where the second choice, or the other answer to a double, loses less than this (EMG)."""
MOST_PLAYS: Final = 5
"""How many plays have a letter of their own; all others share one."""
OTHER: Final = "*"

VERDICTS: Final[Mapping[str, str]] = {
    "No double, take": "ND",
    "No double": "ND",
    "Double, take": "DT",
    "Double, pass": "DP",
    "Too good to double, pass": "TG",
    "No double, beaver": "NB",
    "Double, beaver": "DB",
    "Take": "T",
    "Pass": "P",
    "Beaver": "B",
    "Raccoon": "R",
}
"""What stands for each verdict on the cube, so that no colour is needed to tell them."""


CRAWFORD: Final = "1C"
"""What the Crawford game is called among the points that a player needs; 1 is the games after it."""


@dataclass(frozen=True)
class GridCell:
    """The position at one score, or with the cube at one place.

    Attributes:
        row, column: where it stands in the grid: of scores the points that the player on roll and the other one need
            (``1C`` in the Crawford game, ``1`` after it), of places of the cube its value and who owns it.
        position: the position there.
        evaluation: what `evaluate` says of it; None where nothing is to be decided, or the engine cannot.
        note: why there is no evaluation.
        loss: EMG that the choice which was made loses there; None where none was.
    """

    row: str
    column: str
    position: Position
    evaluation: Evaluation | None
    note: str = ""
    loss: float | None = None

    @property
    def best(self) -> str:
        """The verdict: the best play, or what is right with the cube; empty where there is none."""
        return "" if self.evaluation is None else self.evaluation.best_action

    @property
    def is_close(self) -> bool:
        """Whether the second choice, or with the cube also the other answer, loses less than `CLOSE`."""
        if self.evaluation is None or (self.position.state.is_cube_dead and self.evaluation.cube is not None):
            return False
        cube = self.evaluation.cube
        losses = [choice.loss for choice in self.evaluation.choices[1:2]]
        if cube is not None and not self.position.offer:
            losses.append(abs(cube.double_take - cube.double_pass))
        return any(loss < CLOSE for loss in losses)

    @property
    def as_row(self) -> ScoreVerdict:
        """The cell as plain values."""
        state, cube = self.position.state, None if self.evaluation is None else self.evaluation.cube
        place = (*state.away, state.crawford, state.cube.value, state.cube.owner)
        none, take = (None, None) if cube is None else (cube.no_double, cube.double_take)
        return ScoreVerdict(*place, self.best, self.loss, self.is_close, none, take, self.note)


@dataclass(frozen=True)
class ScoreGrid:
    """A position at many scores, or with the cube at many places.

    >>> race = bgtools.Position.from_id("XGID=-----CCCCC---c---cccc-----:0:0:1:00:0:0:0:7:10")
    >>> grid = race.at_scores(3, level="quick")
    >>> grid.money.best, grid.at("3", "3").best, grid.at("2", "1C").note
    ('Double, take', 'Double, pass', 'Crawford game')

    Attributes:
        position: as it was given.
        stamp: the engine, its level and its match equity table.
        about: ``scores`` or ``cubes``.
        rows, columns: their names, in order.
        cells: all that can be, row by row.
        money: the position for money; None in a grid of places of the cube.
        made: the choice that the losses are those of; empty for none.
        notes: by which rules the cells are valued, a sentence each.
    """

    position: Position
    stamp: Stamp
    about: Literal["scores", "cubes"]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[GridCell, ...]
    money: GridCell | None = None
    made: str = ""
    notes: tuple[str, ...] = ()

    _repr_html_ = shown_html

    def __repr__(self) -> str:
        return f"<ScoreGrid of {len(self.cells)} {self.about}: {', '.join(self.verdicts)}>"

    @property
    def is_of_plays(self) -> bool:
        """Whether a roll is to be played, and not a cube decided on."""
        return self.position.dice is not None and not self.position.offer

    @cached_property
    def every(self) -> tuple[GridCell, ...]:
        """All cells, that of money first."""
        return self.cells if self.money is None else (self.money, *self.cells)

    def at(self, row: str, column: str) -> GridCell | None:
        """The cell of a row and a column; None where that score cannot be."""
        return next((each for each in self.cells if (each.row, each.column) == (row, column)), None)

    @cached_property
    def verdicts(self) -> tuple[str, ...]:
        """All that is best somewhere: plays by how often, cube actions in the order of `VERDICTS`."""
        counted = Counter(cell.best for cell in self.every if cell.best)
        if not self.is_of_plays:
            return tuple(sorted(counted, key=lambda verdict: [*VERDICTS, verdict].index(verdict)))
        return tuple(sorted(counted, key=lambda play: (-counted[play], play)))

    @cached_property
    def marks(self) -> Mapping[str, str]:
        """What stands for each verdict: two letters for the cube, A to E for plays, `OTHER` for all further ones."""
        if not self.is_of_plays:
            return {verdict: VERDICTS.get(verdict, OTHER) for verdict in self.verdicts}
        return {play: chr(ord("A") + at) if at < MOST_PLAYS else OTHER for at, play in enumerate(self.verdicts)}


def at_scores(
    position: Position | str,
    to: int = FARTHEST,
    *,
    engine: Engine | str = "sage",
    level: LevelName = "standard",
    met: MatchEquityTable | str | PathLike[str] | None = None,
    made: str = "",
) -> ScoreGrid:
    """What is right in a position at every score, and for money.

    Board, roll and cube stay; only in the Crawford game the cube is in the middle, at 1, and cannot be turned. For
    money there are beavers and no Jacoby rule, unless the position is of a money session, whose rules hold then.

    Args:
        position: the position, or a text of it.
        to: points away of the farthest scores, 2 or more.
        engine, level, met: as for `evaluate`.
        made: the choice whose losses are wanted: a play, ``No double``, ``Double``, ``Take`` or ``Pass``.

    Raises:
        IdError, EngineUnavailable, MetError, TableRefused: as `evaluate`.
        ValueError: as `evaluate`; there is nothing to decide on, or a score lies beyond the table.
    """
    position, started = ready(position, engine, level, met)
    most = started.met.size
    if not 1 < to <= most:
        raise ValueError(f"scores go from 2 to {most} points away, as far as {started.met.name} does; not {to}")
    rules, session = position.state.rules, position.state.is_money
    if session:
        rules = replace(rules, crawford=True)  # a session has no such rule; matches have
    names = ("1", *((CRAWFORD,) if rules.crawford else ()), *map(str, range(2, to + 1)))
    states: dict[tuple[str, str], MatchState] = {}
    for own, other in product(names, repeat=2):
        if CRAWFORD in (own, other) and {own, other} <= {"1", CRAWFORD}:
            continue
        crawford = CRAWFORD in (own, other)
        points = to - int(own.removesuffix("C")), to - int(other.removesuffix("C"))
        states[own, other] = MatchState(to, points, Cube() if crawford else position.state.cube, crawford, rules)
    money = position.state.rules if session else replace(rules, jacoby=False, beavers=1)
    states["money", "money"] = MatchState(cube=position.state.cube, rules=money)
    jacoby = "with" if money.jacoby else "without"
    beavers = "with" if money.beavers else "without"
    notes = [f"For money {jacoby} the Jacoby rule and {beavers} beavers."]
    if position.state.cube.value > 1:
        notes.append(f"The cube is at {position.state.cube.value}, but in the Crawford game at 1.")
    return _grid(position, started, "scores", (names, names), states, made, tuple(notes))


def at_cubes(
    position: Position | str,
    *,
    engine: Engine | str = "sage",
    level: LevelName = "standard",
    met: MatchEquityTable | str | PathLike[str] | None = None,
    made: str = "",
) -> ScoreGrid:
    """What is right in a position at its score with the cube at every place: in the middle, or owned at 2 and more.

    For money all values are alike, so only a cube at 2 is asked; in a match all that a player could still need.

    Args:
        position, engine, level, met, made: as for `at_scores`.

    Raises:
        ValueError: as `at_scores`; in the Crawford game the cube has no other place.
    """
    position, started = ready(position, engine, level, met)
    state = position.state
    if state.crawford:
        raise ValueError("in the Crawford game the cube stays in the middle, at 1")
    most = 2 if state.is_money else max(2, *state.away)
    values = [2**power for power in range(1, 10) if 2**power < 2 * most]
    places: dict[str, Owner] = {"in the middle": "centre", "mine": "mine", "theirs": "theirs"}
    states = {("1", "in the middle"): replace(state, cube=Cube())}
    for value in values:
        for name in ("mine", "theirs"):
            states[str(value), name] = replace(state, cube=Cube(value, places[name]))
    rows = ("1", *map(str, values))
    return _grid(position, started, "cubes", (rows, tuple(places)), states, made, ())


def _grid(
    position: Position,
    engine: Engine,
    about: Literal["scores", "cubes"],
    names: tuple[tuple[str, ...], tuple[str, ...]],
    states: Mapping[tuple[str, str], MatchState],
    made: str,
    notes: tuple[str, ...],
) -> ScoreGrid:
    if position.resigned:
        raise ValueError("a resignation is to be answered, which no grid is about")
    board = _board_after(position, made)
    asked = {place: replace(position, state=state) for place, state in states.items()}
    found = _valued(asked.values(), engine, board)
    cells = [
        GridCell(*place, where, evaluation, note, _loss(evaluation, board, made))
        for (place, where), (evaluation, note) in zip(asked.items(), found, strict=True)
    ]
    if not any(cell.evaluation for cell in cells):
        raise ValueError(f"there is nothing to decide on: {cells[-1].note}")
    inside = tuple(cell for cell in cells if cell.row != "money")
    money = next((cell for cell in cells if cell.row == "money"), None)
    return ScoreGrid(position, engine.stamp, about, *names, inside, money, made, notes)


def _valued(
    positions: Iterable[Position], engine: Engine, made: Board | None
) -> Iterator[tuple[Evaluation | None, str]]:
    """What each position is worth, or why that is not known; all are asked in one batch."""
    positions = list(positions)
    questions = [None if _why_not(each) else question_of(each, made) for each in positions]
    plays = [each for each in questions if isinstance(each, CheckerQuestion)]
    cubes = [each for each in questions if isinstance(each, CubeQuestion)]
    answers = dict(zip((*plays, *cubes), (*engine.checker(plays), *engine.cube(cubes)), strict=True))
    for position, question in zip(positions, questions, strict=True):
        if question is None or isinstance(question, LuckQuestion):
            yield None, _why_not(position)
            continue
        try:
            yield evaluation_of(position, answers[question], engine), ""
        except ValueError as error:
            yield None, str(error)


def _why_not(position: Position) -> str:
    """Why nothing is to be decided on; empty where something is."""
    if position.dice is not None and not position.offer:
        return ""
    if position.offer not in ("", "double") and not position.state.is_money:
        return "no beavers in a match"
    violation = explain_double(position.state)
    return "" if violation is None else violation.reason.value


def _board_after(position: Position, made: str) -> Board | None:
    """The board after a play that was made; None for what is done with the cube.

    Raises:
        ValueError: the play is not legal.
    """
    if not made or position.dice is None or position.offer:
        return None
    return play_of(position.board, made, position.dice, position.names).result


def _loss(evaluation: Evaluation | None, board: Board | None, made: str) -> float | None:
    if evaluation is None or not made:
        return None
    for choice in evaluation.choices:
        if (choice.play is not None and choice.play.result == board) or choice.action.casefold() == made.casefold():
            return choice.loss
    return None


# --- errors ---------------------------------------------------------------------------------


def error_grids(
    rows: Iterable[DecisionRow], engine: Engine, to: int = FARTHEST
) -> tuple[tuple[DecisionRow, ScoreGrid], ...]:
    """Errors at every score, asked at the engine's level ``quick``; those that no engine can value are left out.

    Args:
        rows: decisions; what is no error of a class is passed over, and so are resignations.
        engine: what judged them. One that only reads a record has no grids.
        to: points away of the farthest scores.
    """
    from bgtools.positions.notations import decode_id

    if engine.stamp.is_recorded:
        return ()
    quick, found = quicker_of(engine), []
    for row in rows:
        if row.error and row.kind not in RESIGNATIONS:
            with suppress(ValueError):
                found.append((row, at_scores(decode_id(row.xgid), to, engine=quick, made=row.played)))
    return tuple(found)
