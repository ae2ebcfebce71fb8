"""The value of one position: of every play where it has dice, of the cube where it has none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bgtools._notebooks import shown_html
from bgtools.analysis.errors import replies
from bgtools.engines.protocol import (
    CheckerAnswer,
    CheckerQuestion,
    CubeAnswer,
    CubeQuestion,
    LuckQuestion,
    Refused,
)
from bgtools.findings.quantities import EQUITY, LOSS
from bgtools.positions.position import Position
from bgtools.rules.cube import explain_double

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from bgtools.analysis.rows import DecisionKind
    from bgtools.board.board import Board, Dice
    from bgtools.board.play import Play
    from bgtools.engines.protocol import Engine, LevelName, LuckAnswer, Probabilities, Stamp
    from bgtools.met.table import MatchEquityTable
    from bgtools.positions.position import Offer

_ANY_ROLL: Final[Dice] = (2, 1)
"""A question about luck names a roll; the mean over all rolls is the same whichever it is."""
_NO_DOUBLE: Final = "No double"
_ANSWERS: Final[Mapping[Offer, DecisionKind]] = {"double": "take", "beaver": "take beaver", "raccoon": "take raccoon"}


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that the player who decides can do, with its value to them.

    >>> best, *others = bgtools.evaluate(bgtools.Position(dice=(3, 1)), level="quick").plays
    >>> best.action, best.loss, best.win > others[0].win, len(others)
    ('8/5 6/5', 0.0, True, 15)

    Attributes:
        action: what it is, as the field calls it: ``8/5 6/5``, ``Cannot Move``, ``Double``, ``Take``.
        equity: cubeful, normalised to the cube before the decision (EMG): +1 is winning that cube; for money points.
        loss: how much less than the best choice it is worth, 0 or more.
        play: the play; None for what is done with the cube.
        probabilities: cubeless chances of the player who decides, 0 to 1; None where the engine does not tell.
        depth: how the value was found, in the engine's own words.
    """

    action: str
    equity: float
    loss: float
    play: Play | None = None
    probabilities: Probabilities | None = None
    depth: str = ""

    def __repr__(self) -> str:
        return f"<{self.action} {EQUITY.text(self.equity)} ({LOSS.text(self.loss)})>"

    @property
    def win(self) -> float | None:
        """Chance of winning, 0 to 1; None where the engine does not tell."""
        return None if self.probabilities is None else self.probabilities.win

    @property
    def win_gammon(self) -> float | None:
        """Chance of winning a gammon or backgammon."""
        return None if self.probabilities is None else self.probabilities.win_gammon

    @property
    def win_backgammon(self) -> float | None:
        """Chance of winning a backgammon."""
        return None if self.probabilities is None else self.probabilities.win_backgammon

    @property
    def lose_gammon(self) -> float | None:
        """Chance of losing a gammon or backgammon."""
        return None if self.probabilities is None else self.probabilities.lose_gammon

    @property
    def lose_backgammon(self) -> float | None:
        """Chance of losing a backgammon."""
        return None if self.probabilities is None else self.probabilities.lose_backgammon


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a position is worth.

    >>> opening = bgtools.evaluate("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", level="quick")
    >>> str(opening.plays[0].play), opening.plays[0].loss, opening.plays[1].loss > 0.05
    ('8/5 6/5', 0.0, True)

    Attributes:
        position: what was valued.
        stamp: engine, version, level and match equity table that the values go by.
        best_action: what is best, in the field's words: ``8/5 6/5``; ``No double, take``, ``Double, take``,
            ``Double, pass``, ``Too good to double, pass``; ``No double`` where a double gains nothing; with
            a double on the table ``Take``, ``Pass``, ``Beaver``.
        choices: what the player who decides can do, the best first. With an offer on the table, the player to whom it
            was made decides, and the equities are theirs. Empty where the engine names the best choice without values.
        cube: the equities of the cube, for the player on roll; None where they have rolled, may not double, or the
            engine names the best choice without values.
        note: why values are missing, or why a double gains nothing; "" otherwise.
    """

    position: Position
    stamp: Stamp
    best_action: str
    choices: tuple[Choice, ...] = ()
    cube: CubeAnswer | None = None
    note: str = ""

    def __repr__(self) -> str:
        stamp, choices = self.stamp, len(self.choices)
        return f"<Evaluation {self.best_action}: {choices} choices, {stamp.engine} {stamp.version} {stamp.level}>"

    _repr_html_ = shown_html

    @property
    def plays(self) -> tuple[Choice, ...]:
        """Every legal play with its value, the best first; none where the position has no dice."""
        return tuple(choice for choice in self.choices if choice.play is not None)

    @property
    def no_double(self) -> float:
        """Equity of the player on roll when they roll without doubling.

        Raises:
            ValueError: there is a roll to be played, or the engine gives no values.
        """
        if self.cube is None and self.choices and self.choices[0].action == _NO_DOUBLE:
            return self.choices[0].equity
        return self._cube.no_double

    @property
    def double_take(self) -> float:
        """Equity of the player on roll when they double and the other takes, or beavers where that is better.

        Raises:
            ValueError: there is a roll to be played, they may not double, or the engine gives no values.
        """
        return self._cube.double_take

    @property
    def double_pass(self) -> float:
        """Equity of the player on roll when they double and the other passes: +1.

        Raises:
            ValueError: there is a roll to be played, they may not double, or the engine gives no values.
        """
        return self._cube.double_pass

    @property
    def _cube(self) -> CubeAnswer:
        if self.cube is None:
            raise ValueError(self.note or "a roll is to be played, so the cube is not valued; see plays")
        return self.cube


def evaluate(
    position: Position | str,
    engine: Engine | str = "sage",
    *,
    level: LevelName = "standard",
    met: MatchEquityTable | str | PathLike[str] | None = None,
    made: Board | None = None,
) -> Evaluation:
    """Value one position: with dice every play, without dice the cube, with a double on the table the answer to it.

    >>> race = bgtools.evaluate("XGID=-----CCCCC---c---cccc-----:0:0:1:00:0:0:0:7:10", level="quick")
    >>> race.best_action
    'Double, take'
    >>> race.no_double < race.double_take < race.double_pass
    True

    Args:
        position: the position, or a text of it in any notation.
        engine: what values it, or its name as the command line has it: ``sage``, ``gnubg:2``, ``ubgi:CMD``.
        level: how deep an engine looks that is given by its name.
        met: the match equity table of an engine that is given by its name; see `analyse`.
        made: what was done there, if that is known: the board after the play, seen by the player who made it, or
            ``no double``, ``double``, ``double, take`` or ``double, pass``. It is looked at as deep as the best.

    Raises:
        IdError: the text is not a position.
        ValueError: the game is over; no engine or level of that name; or the engine cannot value this position.
        EngineUnavailable: the engine cannot run here; the message says why.
        MetError: no such match equity table.
        TableRefused: the engine plays by no other table than its own.
    """
    position, started = ready(position, engine, level, met)
    question = question_of(position, made)
    answer: CheckerAnswer | CubeAnswer | LuckAnswer | Refused
    if isinstance(question, CheckerQuestion):
        (answer,) = started.checker([question])
    elif isinstance(question, CubeQuestion):
        (answer,) = started.cube([question])
    else:
        (answer,) = started.luck([question])
    return evaluation_of(position, answer, started)


def ready(
    position: Position | str, engine: Engine | str, level: LevelName, met: MatchEquityTable | str | PathLike[str] | None
) -> tuple[Position, Engine]:
    """A position in which something is to be decided, and the engine that values it; as `evaluate` takes and raises."""
    if isinstance(position, str):
        position = Position.from_id(position)
    if position.is_over:
        raise ValueError("the game is over, so there is nothing to decide")
    started = start(engine, level, met)
    if started is None:
        raise ValueError("only an engine can value a position: name one, such as sage or gnubg:2")
    return position, started


def question_of(position: Position, made: Board | None = None) -> CheckerQuestion | CubeQuestion | LuckQuestion:
    """What an engine is asked about a position: every play of its roll, the cube, or the mean over all rolls."""
    if position.dice is not None and not position.offer:
        return CheckerQuestion(position.board, position.dice, position.state, made)
    if not position.offer and explain_double(position.state) is not None:
        return LuckQuestion(position.board, _ANY_ROLL, position.state)
    return CubeQuestion(position.board, position.state)


def evaluation_of(
    position: Position, answer: CheckerAnswer | CubeAnswer | LuckAnswer | Refused, engine: Engine
) -> Evaluation:
    """What a position is worth by an engine's answer to `question_of`.

    Raises:
        ValueError: the engine cannot value the position.
    """
    if isinstance(answer, Refused):
        return _refused(position, answer, engine)
    if isinstance(answer, CheckerAnswer):
        return _plays(position, answer)
    return _cube(position, answer) if isinstance(answer, CubeAnswer) else _without_cube(position, answer)


def start(
    engine: Engine | str | None,
    level: LevelName,
    met: MatchEquityTable | str | PathLike[str] | None = None,
    **record: Any,
) -> Engine | None:
    """The engine that is given, or the engine of that name.

    Args:
        engine: an engine, a name, or None.
        level: how deep an engine looks that is given by its name.
        met: its match equity table: a table, a name, or the path of a file of GNU Backgammon (``.xml``) or eXtreme
            Gammon (``.met``); None for its own.
        record: ``match`` and ``games``, for the engine ``file``; ``store``, where answers are to be kept.

    Raises:
        ValueError: no engine or level of that name; a table beside an engine that has its own already.
        EngineUnavailable: it cannot run here.
        MetError: no such match equity table.
        TableRefused: it plays by no other table than its own.
    """
    from bgtools.engines.registry import create
    from bgtools.met.finding import find
    from bgtools.met.table import MatchEquityTable

    if not isinstance(engine, str):
        if met is not None:
            raise ValueError("met is for an engine that is given by its name; this one has a table already")
        return engine
    table = met if met is None or isinstance(met, MatchEquityTable) else find(str(met))
    return create(engine, level, met=table, **record)


def kept_answers(engine: Engine | str | None, *, keep: bool) -> dict[str, Any]:
    """The argument ``store`` of `start`: where the commands keep the answers of engines that are given by a name."""
    from bgtools.engines.cache import Store
    from bgtools.engines.registry import parse_specs

    if not keep or not isinstance(engine, str) or not parse_specs(engine)[0].searches:
        return {}
    return {"store": Store()}


# --- asking ---------------------------------------------------------------------------------


def _plays(position: Position, answer: CheckerAnswer) -> Evaluation:
    best = answer.best.equity
    choices = tuple(
        Choice(
            str(each.play) or "Cannot Move",
            each.equity,
            max(best - each.equity, 0.0),
            each.play,
            each.probabilities,
            each.depth,
        )
        for each in answer.by_worth
    )
    return Evaluation(position, answer.stamp, choices[0].action, choices)


def _without_cube(position: Position, answer: LuckAnswer) -> Evaluation:
    """The value where the player can only roll: the mean over all rolls."""
    violation = explain_double(position.state)
    why = "" if violation is None else violation.reason.value
    roll = Choice(_NO_DOUBLE, answer.mean, 0.0, depth=answer.depth)
    return Evaluation(position, answer.stamp, _NO_DOUBLE, (roll,), note=f"the player on roll may not double: {why}")


def _cube(position: Position, answer: CubeAnswer) -> Evaluation:
    if position.offer:
        kind = _ANSWERS[position.offer]
        counters = (position.state.rules.beavers or 0) if position.state.is_money else 0
        values = {name.capitalize(): value for name, value in replies(kind, answer, counters=counters).items()}
        chances = answer.probabilities
        if chances is not None and position.offer != "beaver":
            chances = chances.flipped()
    else:
        values = {_NO_DOUBLE: answer.no_double, "Double": answer.double}
        chances = answer.probabilities
    best = max(values.values())
    choices = tuple(
        Choice(action, equity, best - equity, None, chances, answer.depth)
        for action, equity in sorted(values.items(), key=lambda item: -item[1])
    )
    note = ""
    if position.offer:
        action = choices[0].action
    elif position.state.is_cube_dead:
        action, note = _NO_DOUBLE, "a double gains nothing: a single game that is won is the match as it is"
    else:
        action = answer.action.replace("take", "beaver") if answer.is_beaver else answer.action
    return Evaluation(position, answer.stamp, action, choices, answer, note)


def _refused(position: Position, answer: Refused, engine: Engine) -> Evaluation:
    """The evaluation by an engine that names the best choice without values.

    Raises:
        ValueError: it names none, or an offer is to be answered: it only names choices of the player on roll.
    """
    if not answer.best or position.offer:
        raise ValueError(f"{engine.stamp.engine} does not value this position: {answer.reason}")
    return Evaluation(position, engine.stamp, answer.best, note=answer.reason)
