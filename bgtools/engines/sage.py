"""The engine `sage`: the bgsage package, searched where it matters.

A shallow batch judges every play of every decision. The plays that are close to the best, and the
one that was made, are then judged deeper, round by round, each round at one depth for all that it
compares. A decision whose play made stands clear of all others is not searched further: nothing
that could still be found would change what it cost.

There are three ways to look a ply deeper than before (`Method`). To *search* averages cubeful values
over the rolls all the way down. A *step* adds to what is known the difference that one more ply makes
to the chances without a cube, in half the time. A *sample* lets the other player answer with six rolls
instead of all 21, a balanced choice in which every number comes twice, and adds what a step is worth
after each answer: a sixth of the time of a search, and as near to eXtreme Gammon on its errors.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from bgtools.engines._sage import (
    Board,
    Context,
    CubeValues,
    Native,
    Place,
    Value,
    board_of,
    context,
    flipped_board,
    grouped,
    value_of,
)
from bgtools.engines._sage_luck import Rolls
from bgtools.engines.guard import cube_refusal, luck_refusal, refusal
from bgtools.engines.protocol import (
    Candidate,
    CheckerAnswer,
    CheckerQuestion,
    CubeAnswer,
    CubeQuestion,
    LuckAnswer,
    LuckQuestion,
    Refused,
    Stamp,
    TableRefused,
)
from bgtools.met import DEFAULT, default
from bgtools.rules import legal_plays

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from bgtools.engines.protocol import LevelName, Progress
    from bgtools.met import MatchEquityTable
    from bgtools.play import Play
    from bgtools.rules import MatchState

T = TypeVar("T")

_SAMPLED: Final = ((4, 1), (4, 2), (6, 2), (6, 3), (5, 3), (5, 1))
"""Rolls that a sample answers with: every number twice, so that none is favoured; no double, for they are rare."""

Method = Literal["search", "step", "sample"]

_DEPTHS: Final[Mapping[Method, str]] = MappingProxyType(
    {"search": "{}-ply", "step": "{}-ply by steps", "sample": "{}-ply sampled"}
)


@dataclass(frozen=True, slots=True)
class Round:
    """One deeper look at plays or cube decisions.

    Attributes:
        plies: depth.
        method: how to get there; a step and a sample start from the values of one ply less.
        width: plays within this much equity of the best are looked at, with the play made;
            cube decisions whose two choices are at most this far apart.
        most: at most so many plays (the play made comes on top).
        clear: a decision is left out when the play made is the best by more than this.
        least: a decision is left out when the play made loses less than this so far.
        race: only positions without contact, where a formula for the cube is furthest from the truth and a
            search costs least.
    """

    plies: int
    width: float
    most: int = 0
    method: Method = "search"
    clear: float = 9.0
    least: float = 0.0
    race: bool = False


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a level does after the 1-ply batch. Rolls are valued at 1-ply whatever the level."""

    checker: tuple[Round, ...]
    cube: tuple[Round, ...]


_RACES: Final = Round(2, 9.0, race=True)

RECIPES: Final[Mapping[LevelName, Recipe]] = MappingProxyType(
    {
        "quick": Recipe((Round(2, 0.12, 3, clear=0.10),), (_RACES, Round(3, 0.05))),
        "standard": Recipe(
            (
                Round(2, 0.12, 4, clear=0.12),
                Round(3, 0.06, 3, "step", clear=0.04),
                Round(3, 0.0, 1, least=0.06),
                Round(4, 0.0, 1, "sample", least=0.08),
            ),
            (_RACES, Round(3, 0.2)),
        ),
        "deep": Recipe(
            (
                Round(2, 0.16, 5, clear=0.16),
                Round(3, 0.08, 3, "step", clear=0.05),
                Round(3, 0.02, 2, least=0.02),
                Round(4, 0.03, 3, "sample", least=0.015),
            ),
            (_RACES, Round(3, 0.3)),
        ),
    }
)
"""Chosen by measurement against analysed matches; `tests/engines/test_sage.py` pins what they give."""


@dataclass(slots=True)
class _Plays:
    """What is known so far about the plays of one decision. Values are by index of the play."""

    board: Board
    at: Context
    plays: tuple[Play, ...]
    boards: list[Board]
    played: int | None
    values: list[Value] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    """The round that a play got so far as, from 1 for the first look at all of them."""
    depths: list[tuple[int, Method]] = field(default_factory=list)
    """Plies and method of its last look."""

    def order(self) -> list[int]:
        """Indexes, best first; ties by the board so that the order is always the same."""
        return sorted(
            range(len(self.plays)), key=lambda at: (-self.ranks[at], -self.values[at].equity, self.boards[at])
        )

    def to_search(self, step: Round) -> list[int]:
        """Which plays the next round compares; none when it could not change the loss."""
        order = self.order()
        top = [at for at in order if self.ranks[at] == self.ranks[order[0]]]
        best = self.values[top[0]].equity
        if len(self.plays) < 2:
            return []
        runner_up = self.values[top[1]].equity if len(top) > 1 else best - 9
        if self.played == top[0] and best - runner_up > step.clear:
            return []
        if step.least and (self.played is None or best - self.values[self.played].equity < step.least):
            return []
        chosen = [at for at in top if best - self.values[at].equity <= step.width][: step.most]
        if self.played is not None and self.played not in chosen:
            chosen.append(self.played)
        return chosen if len(chosen) > 1 else []

    def overlooked(self, step: Round) -> list[int]:
        """Plays left behind in the round before, which valued them above the best of this one: all it saw fell."""
        ranks = sorted(set(self.ranks))
        if len(ranks) < 2:
            return []
        last, before = ranks[-1], ranks[-2]
        best = max(value.equity for value, rank in zip(self.values, self.ranks, strict=True) if rank == last)
        return [
            at
            for at, rank in enumerate(self.ranks)
            if rank == before
            and self.values[at].equity > best
            and (step.method == "search" or self.depths[at][0] == step.plies - 1)
        ]


class SageEngine:
    """bgsage as an `Engine`.

    Args:
        level: ``quick``, ``standard`` or ``deep``.
        threads: how many to use, None for one a processor. Answers do not depend on it.
        met: the match equity table that is asked for. bgsage has one within itself and weighs gammons and cubes by
            it all the way through a search, so that there is no turning its answers into those by another.

    Raises:
        EngineUnavailable: bgsage is not installed, or does not load.
        TableRefused: another table than bgsage's own is asked for.
    """

    def __init__(
        self, level: LevelName = "standard", *, threads: int | None = None, met: MatchEquityTable | None = None
    ) -> None:
        if met is not None and not met.agrees_with(default()):
            raise TableRefused(
                f"the engine sage plays by {DEFAULT} and by no other match equity table, {met.name} among them; "
                "the engine gnubg plays by any (--engine gnubg)"
            )
        self._native = Native(threads)
        self._recipe = RECIPES[level]
        try:
            release = version("bgsage")
        except PackageNotFoundError:
            release = "unknown"
        self._stamp = Stamp("sage", release, level, self._native.met.name)

    @property
    def stamp(self) -> Stamp:
        """See `Engine.stamp`."""
        return self._stamp

    @property
    def fingerprint(self) -> str:
        """See `Reproducible.fingerprint`; it changes with bgsage, the table, and what a level does."""
        return f"{self._stamp} {self.met.digest} {self._recipe} {_SAMPLED} {self._native.has_bearoff_table}"

    @property
    def met(self) -> MatchEquityTable:
        """See `Engine.met`."""
        return self._native.met

    # --- checker plays ----------------------------------------------------------------------

    def checker(
        self, questions: Sequence[CheckerQuestion], progress: Progress | None = None
    ) -> tuple[CheckerAnswer | Refused, ...]:
        """Value every legal play of every question."""
        answers: dict[CheckerQuestion, CheckerAnswer | Refused] = {}
        open_: dict[CheckerQuestion, _Plays] = {}
        for question in questions:
            if question in answers or question in open_:
                continue
            reason = refusal(question.position, question.state, question.dice)
            if reason is not None:
                answers[question] = Refused(reason)
            else:
                open_[question] = _listed(question)
        cases = list(open_.values())
        self._screen(cases)
        for number, step in enumerate(self._recipe.checker):
            self._search(cases, step, number + 2, _part(progress, number, len(self._recipe.checker)))
        for question, case in open_.items():
            answers[question] = self._checker_answer(case)
        return tuple(answers[question] for question in questions)

    def _screen(self, cases: Iterable[_Plays]) -> None:
        """The 1-ply value of every play."""
        for group in grouped(cases, lambda case: case.at):
            found = self._native.shallow([(board, case.at) for case in group for board in case.boards])
            values = iter(found)
            for case in group:
                case.values = [value_of(next(values)) for _ in case.boards]
                case.ranks = [1] * len(case.boards)
                case.depths = [(1, "search")] * len(case.boards)

    def _search(self, cases: Sequence[_Plays], step: Round, rank: int, tick: Callable[[int, int], None]) -> None:
        """Judge one round deeper; again where all that was judged fell behind a play left out."""
        todo = [(case, case.to_search(step)) for case in cases]
        while any(chosen for _, chosen in todo):
            found = self._looked_at(step, {(case.boards[at], case.at) for case, chosen in todo for at in chosen}, tick)
            for case, chosen in todo:
                for at in chosen:
                    value = found[case.boards[at], case.at]
                    if not isinstance(value, Value):
                        value = case.values[at]._replace(equity=case.values[at].equity + value)
                    case.values[at], case.ranks[at] = value, rank
                    case.depths[at] = step.plies, step.method
            todo = [(case, case.overlooked(step)) for case, chosen in todo if chosen]

    def _looked_at(
        self, step: Round, places: Collection[Place], tick: Callable[[int, int], None]
    ) -> Mapping[Place, Value | float]:
        """Values of boards after a play; of a step or a sample what it adds to the equity of one ply less."""
        ordered = sorted(places)  # so that nothing depends on the order of a set
        if step.method == "search":
            return dict(
                zip(ordered, self._native.spread(partial(self._deeper, step.plies), ordered, tick), strict=True)
            )
        gains = self._gains if step.method == "step" else self._sampled
        return dict(zip(ordered, gains(ordered, step.plies, tick), strict=True))

    def _gains(self, pairs: Sequence[Place], plies: int, tick: Callable[[int, int], None]) -> list[float]:
        """What looking ``plies`` deep instead of one ply less adds to the equity of boards after a play."""
        gains: dict[Place, float] = {}
        for group in grouped(dict.fromkeys(pairs), lambda pair: pair[1]):
            less = self._native.averaged(group, plies - 1, lambda done, total: None)
            more = self._native.averaged(group, plies, tick)
            gains.update((pair, two - one) for pair, one, two in zip(group, less, more, strict=True))
        return [gains[pair] for pair in pairs]

    def _sampled(self, pairs: Sequence[Place], plies: int, tick: Callable[[int, int], None]) -> list[float]:
        """The same for boards after a play, as the mean over a few answers of the other player."""
        answers = self._answers(pairs)
        flat = [answer for group in answers for answer in group if answer is not None]
        gains = dict(zip(flat, self._gains(flat, plies - 1, tick), strict=True))
        return [-sum(gains[answer] for answer in group if answer is not None) / len(_SAMPLED) for group in answers]

    def _answers(self, pairs: Sequence[Place]) -> list[list[Place | None]]:
        """For each board after a play the boards after the other's best answers to the rolls of a sample.

        None for an answer that ends the game: there is nothing to look deeper at.
        """
        answers: list[Place | None] = [None] * (len(pairs) * len(_SAMPLED))
        turned = [(flipped_board(board), at.flipped(), roll) for board, at in pairs for roll in _SAMPLED]
        for group in grouped(range(len(turned)), lambda number: turned[number][1]):
            results = [
                (self._native.results(turned[number][0], *turned[number][2]), turned[number][1]) for number in group
            ]
            for number, (boards, at), values in zip(group, results, self._native.equities(results), strict=True):
                best = tuple(boards[max(range(len(boards)), key=values.__getitem__)])
                if any(count > 0 for count in best[1:]):
                    answers[number] = best, at
        return [answers[start : start + len(_SAMPLED)] for start in range(0, len(answers), len(_SAMPLED))]

    def _deeper(self, plies: int, pair: Place) -> Value:
        return self._native.after_play(*pair, plies)

    def _checker_answer(self, case: _Plays) -> CheckerAnswer:
        order = case.order()
        return CheckerAnswer(
            tuple(
                Candidate(
                    case.plays[at],
                    case.values[at].equity,
                    case.values[at].probabilities,
                    _DEPTHS[case.depths[at][1]].format(case.depths[at][0]),
                    case.ranks[at],
                )
                for at in order
            ),
            None if case.played is None else order.index(case.played),
            self._stamp,
        )

    # --- cube -------------------------------------------------------------------------------

    def cube(
        self, questions: Sequence[CubeQuestion], progress: Progress | None = None
    ) -> tuple[CubeAnswer | Refused, ...]:
        """Value the cube decisions."""
        refused: dict[CubeQuestion, Refused] = {}
        keys: dict[CubeQuestion, Place] = {}
        for question in questions:
            reason = cube_refusal(question)
            if reason is not None:
                refused[question] = Refused(reason)
            else:
                keys[question] = (board_of(question.position), context(question.state))
        races = {key for question, key in keys.items() if not question.position.is_contact}
        found: dict[Place, tuple[CubeValues, int]] = {}
        for group in grouped(dict.fromkeys(keys.values()), lambda key: key[1]):
            for key, value in zip(group, self._native.shallow_cube(group), strict=True):
                found[key] = (value, 1)
        for number, step in enumerate(self._recipe.cube):
            close = [key for key, (value, _) in found.items() if _gap(value) <= step.width]
            if step.race:
                close = [key for key in close if key in races]
            tick = _part(progress, number, len(self._recipe.cube))
            deeper = self._native.cubes(close, step.plies, tick)
            found.update((key, (value, step.plies)) for key, value in zip(close, deeper, strict=True))
        answers: dict[CubeQuestion, CubeAnswer | Refused] = dict(refused)
        for question, key in keys.items():
            value, plies = found[key]
            answers[question] = CubeAnswer(
                value.no_double,
                value.double_take,
                value.double_pass,
                value.probabilities,
                f"{plies}-ply",
                self._stamp,
                value.is_beaver,
            )
        return tuple(answers[question] for question in questions)

    # --- luck -------------------------------------------------------------------------------

    def luck(
        self, questions: Sequence[LuckQuestion], progress: Progress | None = None
    ) -> tuple[LuckAnswer | Refused, ...]:
        """Value rolls: of each of the 21 the best play, all at one depth."""
        refused: dict[LuckQuestion, Refused] = {}
        keys: dict[LuckQuestion, tuple[Place, ...]] = {}
        for question in questions:
            position, state = question.position, question.state
            reason = luck_refusal(question)
            if reason is not None:
                refused[question] = Refused(reason)
                continue
            own = (board_of(position), context(state))
            both = question.opening and question.convention == "gnubg30"
            other = (board_of(position.flipped()), context(state.flipped()))
            keys[question] = (own, other) if both else (own,)
        rolls = Rolls(self._native, (place for own in keys.values() for place in own), progress)
        return tuple(
            refused[question] if question in refused else self._luck(question, rolls, keys[question])
            for question in questions
        )

    def _luck(self, question: LuckQuestion, rolls: Rolls, keys: Sequence[Place]) -> LuckAnswer:
        if not question.opening or question.convention == "naive36":
            mean = rolls.mean(keys[0])
        elif question.convention == "match-equity":
            mean = self._before_game(question.state)
        else:
            starts = [rolls.mean_of_mixed(keys[0]), *(-rolls.mean_of_mixed(other) for other in keys[1:])]
            mean = sum(starts) / len(starts)
        equity = rolls.best(keys[0], question.dice)
        mwc: float | None = None
        if not question.state.is_money:
            lose, win = self.met.anchors(question.state)
            mwc = (equity - mean) * (win - lose) / 2
        return LuckAnswer(equity, mean, mwc, "1-ply", self._stamp)

    def _before_game(self, state: MatchState) -> float:
        """EMG of the match winning chance before the game; 0 for money."""
        if state.is_money:
            return 0.0
        return self.met.emg(state, self.met.before(state))


def _listed(question: CheckerQuestion) -> _Plays:
    plays = legal_plays(question.position, question.dice)
    played = next((at for at, play in enumerate(plays) if play.result == question.played), None)
    return _Plays(
        board_of(question.position),
        context(question.state),
        plays,
        [board_of(play.result) for play in plays],
        played,
    )


def _gap(value: CubeValues) -> float:
    """How far apart doubling and not doubling are, or taking and passing where that is closer."""
    double = min(value.double_take, value.double_pass)
    doubling = abs(value.no_double - double)
    return min(doubling, abs(value.double_take - value.double_pass))


def _part(progress: Progress | None, number: int, parts: int) -> Callable[[int, int], None]:
    """Report one of several rounds as its share of a hundred."""

    def tick(done: int, total: int) -> None:
        if progress is not None:
            progress(round(100 * (number + done / total) / parts), 100)

    return tick
