"""The engine `sage`: the bgsage package, searched where it matters.

First a shallow batch values every play of every decision. Then the plays near the best, and the one that was made, are
valued deeper, round by round. Each round values all that it compares at one depth. A decision is left alone once the
play that was made is clearly the best: looking deeper would not change its loss.

The best play is always looked at 2-ply deep, and so is the cube before every roll. What a play leaves is then what the
other player's cube decision begins with, and the luck of a roll is the best play less the cube decision before it: the
figures of a game add up.

There are three ways to look a ply deeper (`Method`). A *search* averages cubeful values over all rolls, down to the
last ply. A *short search* follows a few rolls instead of all 21, chosen so that every number comes equally often, and
adds the mean change that one more ply makes. A *sample* does so too, by chances without a cube at the last ply, which
is cheaper still. Lucky rolls help all plays of a decision alike, so the differences between plays, which errors are
made of, come out nearly as well in a fraction of the time. How much the best play itself is worth stays as the 2-ply
search has it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, groupby
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from bgtools.board.generation import legal_plays
from bgtools.engines.protocol import (
    Candidate,
    CheckerAnswer,
    CheckerQuestion,
    CubeAnswer,
    CubeQuestion,
    LuckAnswer,
    LuckQuestion,
    LuckSpread,
    Refused,
    Stamp,
    TableRefused,
    Traits,
)
from bgtools.engines.sage import cube_limit
from bgtools.engines.sage.frame import (
    Context,
    CubeValues,
    Points,
    Situation,
    Value,
    board_of,
    context,
    cube_refusal,
    grouped,
    luck_refusal,
    mean_of_rolls,
    refusal,
)
from bgtools.engines.sage.luck import EndingAnswers, RollEquities
from bgtools.engines.sage.native import SAMPLES, Native, ValueMemory
from bgtools.met.finding import DEFAULT, default

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence

    from bgtools.board.play import Play
    from bgtools.engines.protocol import LevelName, Progress, RollsTold
    from bgtools.engines.sage.cube_search import CubeSearch
    from bgtools.engines.sage.frame import Roll
    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState

Asked = TypeVar("Asked", bound="Hashable")

Method = Literal["search", "short search", "sample"]

_DEPTHS: Final[Mapping[Method, str]] = MappingProxyType(
    {"search": "{}-ply", "short search": "{}-ply sampled", "sample": "{}-ply sampled"}
)


@dataclass(frozen=True, slots=True)
class Round:
    """One deeper look at plays or cube decisions.

    Attributes:
        plies: depth.
        method: how to get there; a sample adds to the values of the last round, which is one ply less deep.
        width: how far, in equity, a play may be behind the best to be valued; how far the two choices of a cube
            decision may be apart. The play that was made is always valued.
        most: how many plays at most, besides the one that was made.
        clear: a decision is left out when the play that was made is the best by more than this.
        least: a decision is left out when the play that was made has lost less than this in every round so far. Where
            none was made, none is left out.
        steady: a decision is left out when the loss of the play that was made has moved by less than this over the last
            three rounds.
        losses: only decisions in which a play was made, to say what it loses. A sampled fourth ply says that better,
            and says worse which of two plays is the best.
        rolls: how many rolls a sample or a short search follows (`SAMPLES`).
        always: whether the best play is valued in every decision, whatever it is compared with.
        together: whether plays are supposed to rise and fall together from one depth to the next. Then plays that were
            left out need not be valued where all others fall.
    """

    plies: int
    width: float
    most: int = 0
    method: Method = "search"
    clear: float = 9.0
    least: float = 0.0
    steady: float = 0.0
    losses: bool = False
    rolls: int = 6
    always: bool = False
    together: bool = False


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a level does after the 1-ply batch of plays, and after the 2-ply search of the cube.

    Attributes:
        checker: the rounds of plays.
        cube: the round of cube decisions.
        spread: how far its accounts of luck are off, by measurement (docs/engines.md).
        rolls: of which turns it tells what each of the 21 rolls was worth.
    """

    checker: tuple[Round, ...]
    cube: Round
    spread: LuckSpread
    rolls: RollsTold = "all"


RECIPES: Final[Mapping[LevelName, Recipe]] = MappingProxyType(
    {
        "quick": Recipe(
            (Round(2, 0.08, 2, clear=0.06, always=True, together=True), Round(3, 0.0, 1, "sample", least=0.03)),
            Round(3, 0.08, method="sample"),
            LuckSpread(rolls=0.020, errors=0.012),
            rolls="telling",
        ),
        "standard": Recipe(
            (
                Round(2, 0.10, 3, clear=0.08, always=True),
                Round(3, 0.07, 3, "sample", clear=0.04, rolls=9),
                Round(3, 0.03, 2, "short search", least=0.03, rolls=9),
                Round(4, 0.03, 2, "sample", least=0.04, steady=0.015, losses=True),
            ),
            Round(3, 0.16, method="sample"),
            LuckSpread(rolls=0.020, errors=0.009),
        ),
        "deep": Recipe(
            (
                Round(2, 0.16, 6, clear=0.16, always=True),
                Round(3, 0.08, 4, "sample", clear=0.06, rolls=9),
                Round(3, 0.04, 3, least=0.02),
                Round(4, 0.04, 3, "sample", least=0.02, losses=True),
            ),
            Round(3, 0.25, method="sample"),
            LuckSpread(rolls=0.015, errors=0.0085),
        ),
    }
)
"""Chosen by measurement against analysed matches; `tests/engines/test_sage.py` pins what they give."""


@dataclass(slots=True)
class _PlayValues:
    """What is known so far about the plays of one decision. Values are by index of the play."""

    board: Points
    at: Context
    roll: Roll
    plays: tuple[Play, ...]
    boards: list[Points]
    played: int | None
    values: list[Value] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    """The last round that valued a play; 1 is the first, which values all."""
    depths: list[tuple[int, Method]] = field(default_factory=list)
    """Plies and method of that round."""
    drift: float = 0.0
    """What the last round, after the first, adds to the play that was the best before it."""
    rise: float = 0.0
    """The most that a play has risen in the last round; below 0 where all fell."""
    losses: list[float] = field(default_factory=list)
    """What the play that was made has lost after each round."""

    def deeper(self, at: int, found: Value | float) -> Value:
        """The value of a play after a look that gives it, or what it adds to the one before."""
        known = self.values[at]
        return found if isinstance(found, Value) else known._replace(equity=known.equity + found)

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
        least = top[:1] if step.always else []
        if step.losses and self.played is None:
            return least
        runner_up = self.values[top[1]].equity if len(top) > 1 else best - 9
        if self.played == top[0] and best - runner_up > step.clear:
            return least
        if self.played is not None:
            self.losses.append(best - self.values[self.played].equity)
            last = self.losses[-3:]
            if max(self.losses) < step.least or max(last) - min(last) < step.steady:
                return least
        chosen = [at for at in top if best - self.values[at].equity <= step.width][: step.most]
        if self.played is not None and self.played not in chosen:
            chosen.append(self.played)
        return chosen if len(chosen) > 1 else least

    def overlooked(self, step: Round) -> list[int]:
        """Plays that the round before valued, and no later one, above the best of this round.

        Where plays are supposed to rise and fall together, a play that was left out rises as the one that rose most.
        """
        ranks = sorted(set(self.ranks))
        if len(ranks) < 2:
            return []
        last, before = ranks[-1], ranks[-2]
        best = max(value.equity for value, rank in zip(self.values, self.ranks, strict=True) if rank == last)
        return [
            at
            for at, rank in enumerate(self.ranks)
            if rank == before
            and self.values[at].equity + (self.rise if step.together else 0.0) > best
            and (step.method != "sample" or self.depths[at][0] == step.plies - 1)
        ]


class SageEngine:
    """bgsage as an `Engine`.

    Args:
        level: ``quick``, ``standard`` or ``deep``.
        threads: how many to use, None for one a processor. Answers do not depend on it.
        met: the match equity table that is asked for. bgsage has one built in and weighs gammons and cubes by it all
            through a search, so that its answers cannot be turned into those by another table.

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
        self._known_cubes: ValueMemory[Situation, tuple[CubeValues, str]] = ValueMemory()
        self._cube_search = _cube_search(self._native)
        self.stamp = Stamp("sage", release(), level, self._native.met.name)
        self.forget()

    def forget(self) -> None:
        """Forget the tables of endings, which would fill the memory."""
        self._endings = EndingAnswers(self._native.met, self.stamp)

    @property
    def fingerprint(self) -> str:
        """See `Reproducible.fingerprint`; it changes with bgsage, the table, and what a level does."""
        search = "" if self._cube_search is None else f" {self._cube_search.VERSION}"
        versions = f"{self._native.has_bearoff_table} {EndingAnswers.VERSION} {cube_limit.VERSION}{search}"
        return f"{self.stamp} {self.met.digest} {self._recipe} {SAMPLES} {versions}"

    @property
    def met(self) -> MatchEquityTable:
        """See `Engine.met`."""
        return self._native.met

    @cached_property
    def quicker(self) -> SageEngine:
        """See `quicker_of`; it shares what this one remembers of its searches."""
        if self.stamp.level == "quick":
            return self
        engine = object.__new__(SageEngine)
        engine._native, engine._cube_search, engine._recipe = self._native, self._cube_search, RECIPES["quick"]
        engine._known_cubes = ValueMemory()
        engine.stamp = replace(self.stamp, level="quick")
        engine.forget()
        return engine

    @property
    def traits(self) -> Traits:
        """What it can do that not every engine can."""
        return Traits(knows_cube_limit=True, luck_spread=self._recipe.spread, tells_rolls=self._recipe.rolls)

    # --- checker plays ----------------------------------------------------------------------

    def checker(
        self, questions: Sequence[CheckerQuestion], progress: Progress | None = None
    ) -> tuple[CheckerAnswer | Refused, ...]:
        """Value every legal play of every question."""
        answers: dict[CheckerQuestion, CheckerAnswer | Refused] = {}
        open_, refused = _sorted_out(questions, lambda each: refusal(each.position, each.state, each.dice))
        answers |= refused
        answers |= self._endings.answered(self._endings.checker, open_)
        open_ = [question for question in open_ if question not in answers]
        answers |= zip(open_, self._native.spread(self._answers_to, open_, progress), strict=True)
        return tuple(answers[question] for question in questions)

    def screen(self, questions: Sequence[CheckerQuestion]) -> tuple[CheckerAnswer | Refused, ...]:
        """Every legal play of every question one ply deep, and no deeper."""
        answers: dict[CheckerQuestion, CheckerAnswer | Refused] = {}
        open_, refused = _sorted_out(questions, lambda each: refusal(each.position, each.state, each.dice))
        cases = [_listed(question) for question in open_]
        self._screen(cases)
        answers |= refused
        answers |= zip(open_, map(self._checker_answer, cases), strict=True)
        return tuple(answers[question] for question in questions)

    def _answers_to(self, questions: Sequence[CheckerQuestion], *, losses: bool = True) -> list[CheckerAnswer]:
        """Answers to a few questions; without ``losses``, no look is taken only to tell what a play loses."""
        cases = [_listed(question) for question in questions]
        self._screen(cases)
        for number, step in enumerate(self._recipe.checker):
            if losses or not step.least:
                self._search(cases, step, number + 2)
        return [self._checker_answer(case) for case in cases]

    def _screen(self, cases: Iterable[_PlayValues]) -> None:
        """The 1-ply value of every play."""
        for group in grouped(cases, lambda case: case.at):
            found = self._native.shallow([(board, case.at) for case in group for board in case.boards])
            values = iter(found)
            for case in group:
                case.values = [next(values) for _ in case.boards]
                self._native.remember_plays(case.board, case.at, case.roll, case.boards, case.values)
                case.ranks = [1] * len(case.boards)
                case.depths = [(1, "search")] * len(case.boards)

    def _search(self, cases: Sequence[_PlayValues], step: Round, rank: int) -> None:
        """Value one round deeper; again if a play that was left out is now above all that were valued."""
        todo = [(case, case.to_search(step)) for case in cases]
        while any(chosen for _, chosen in todo):
            found = self._looked_at(step, {(case.boards[at], case.at) for case, chosen in todo for at in chosen})
            for case, chosen in todo:
                values = {at: case.deeper(at, found[case.boards[at], case.at]) for at in chosen}
                if chosen and rank not in case.ranks:
                    first = chosen[0]
                    case.drift = 0.0 if step.always else values[first].equity - case.values[first].equity
                for at, value in values.items():
                    # Only what does not come from a search alone can leave the bounds.
                    equity = value.equity if step.always else self._native.bounded(value.equity - case.drift, case.at)
                    rises = [equity - case.values[at].equity, *([case.rise] if rank in case.ranks else [])]
                    case.values[at], case.ranks[at] = value._replace(equity=equity), rank
                    case.rise, case.depths[at] = max(rises), (step.plies, step.method)
            todo = [(case, case.overlooked(step)) for case, chosen in todo if chosen]

    def _looked_at(self, step: Round, situations: Collection[Situation]) -> Mapping[Situation, Value | float]:
        """Values of boards after a play; a sample gives only what it adds to the equity one ply less deep."""
        if step.method == "search":
            return {place: self._native.after_play(*place, step.plies) for place in situations}
        sample = SAMPLES[step.rolls]
        if step.method == "short search":
            return {place: self._native.after_play_by_sample(*place, step.plies, sample) for place in situations}
        ordered = sorted(situations)  # sorted, since a set has no order that repeats
        return dict(zip(ordered, self._native.gains(ordered, step.plies, sample), strict=True))

    def _checker_answer(self, case: _PlayValues) -> CheckerAnswer:
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
            self.stamp,
        )

    # --- cube -------------------------------------------------------------------------------

    def cube(
        self, questions: Sequence[CubeQuestion], progress: Progress | None = None
    ) -> tuple[CubeAnswer | Refused, ...]:
        """Value the cube decisions."""
        asked, refused = _sorted_out(questions, cube_refusal)
        keys = {question: (board_of(question.position), context(question.state)) for question in asked}
        ended = self._endings.answered(self._endings.cube, keys)
        keys = {question: key for question, key in keys.items() if question not in ended}
        # All scores of a board are asked together, so that they share its search.
        places = sorted(dict.fromkeys(keys.values()), key=itemgetter(0))
        boards = [[*some] for _, some in groupby(places, itemgetter(0))]
        answered = self._native.spread(lambda some: map(self._cubes, some), boards, progress)
        found = dict(zip(places, chain.from_iterable(answered), strict=True))
        answers: dict[CubeQuestion, CubeAnswer | Refused] = {**refused, **ended}
        for question, key in keys.items():
            it, depth = found[key]
            values = (it.no_double, it.double_take, it.double_pass, it.probabilities)
            answers[question] = CubeAnswer(*values, depth, self.stamp, it.is_beaver)
        return tuple(answers[question] for question in questions)

    def _cubes(self, situations: Sequence[Situation]) -> list[tuple[CubeValues, str]]:
        """Values of a few positions, and how deep each was searched. Luck asks again for those of cube decisions."""
        found = {place: self._known_cubes[place] for place in situations if place in self._known_cubes}
        due = [place for place in dict.fromkeys(situations) if place not in found]
        shared = [place for place in due if self._cube_search is not None and not place[1].limit]
        new = self._native_cubes([place for place in due if place not in shared])
        step = self._recipe.cube
        depths = ("2-ply", _DEPTHS[step.method].format(step.plies))
        for board, some in groupby(sorted(shared, key=itemgetter(0)), itemgetter(0)):
            contexts = [at for _, at in some]
            assert self._cube_search is not None
            values = self._cube_search.values(board, contexts, step.width, SAMPLES[step.rolls])
            new.update(((board, at), (value, depths[deep])) for at, (value, deep) in zip(contexts, values, strict=True))
        self._known_cubes.add(new)
        found.update(new)
        return [found[place] for place in situations]

    def _native_cubes(self, situations: Sequence[Situation]) -> dict[Situation, tuple[CubeValues, str]]:
        """The same by bgsage's own search, score by score: under a limit of the cube, and where there is no NumPy."""
        new: dict[Situation, tuple[CubeValues, str]] = {}
        for group in grouped(situations, lambda each: each[1]):
            values = self._native.searched_cubes(group)
            new.update((place, (value, "2-ply")) for place, value in zip(group, values, strict=True))
        step = self._recipe.cube
        close = [place for place, (value, _) in new.items() if _gap(value) <= step.width]
        depth = _DEPTHS[step.method].format(step.plies)
        deeper = self._native.cubes(close, step.plies, SAMPLES[step.rolls])
        new.update((place, (value, depth)) for place, value in zip(close, deeper, strict=True))
        return new

    # --- luck -------------------------------------------------------------------------------

    def luck(
        self, questions: Sequence[LuckQuestion], progress: Progress | None = None
    ) -> tuple[LuckAnswer | Refused, ...]:
        """Value rolls as the cards of the turn do: the best play, less rolling on without a double before it.

        Where the player may not double, that is the mean over all rolls. Valued at 1-ply are opening rolls, rolls under
        a limit of the cube, of which bgsage's search knows nothing, and `LuckAnswer.rolls` where they are not exact.
        """
        asked, refused = _sorted_out(questions, luck_refusal)
        keys: dict[LuckQuestion, tuple[Situation, ...]] = {}
        for question in asked:
            position, state = question.position, question.state
            own = (board_of(position), context(state))
            both = question.opening and question.convention == "gnubg30"
            other = (board_of(position.flipped()), context(state.flipped()))
            keys[question] = (own, other) if both else (own,)
        ended = self._endings.answered(self._endings.luck, [question for question in keys if not question.opening])
        exactly = {question: all_ for question in ended if question.rolls and (all_ := self._endings.rolls(question))}
        whole = [own[0] for question, own in keys.items() if question.rolls and question not in exactly]
        open_ = {question: own for question, own in keys.items() if question not in ended}
        openings = [place for question, own in open_.items() if question.opening for place in own]
        limited = {place for place, *_ in open_.values() if place[1].limit and not place[1].is_stuck}
        rolls = RollEquities(self._native, [*openings, *whole, *limited])
        later = [question for question, own in open_.items() if not question.opening and own[0] not in limited]
        valued = dict(zip(later, self._native.spread(self._lucks, later, progress), strict=True))

        def answer(question: LuckQuestion) -> LuckAnswer | Refused:
            if question in refused:
                return refused[question]
            own = keys[question]
            if question in ended:
                equity, mean, depth = ended[question]
            elif question.opening:
                equity, mean, depth = self._opening_luck(question, rolls, own)
            elif own[0] in limited:
                equity, mean, depth = rolls.best(own[0], _roll(question)), mean_of_rolls(rolls.each(own[0])), "1-ply"
            else:
                equity, mean, depth = valued[question]
            each = (exactly.get(question) or rolls.each(own[0])) if question.rolls else ()
            return self._luck_answer(question, equity, mean, depth, each)

        return tuple(map(answer, questions))

    def _lucks(self, questions: Sequence[LuckQuestion]) -> list[tuple[float, float, str]]:
        """Of a few rolls that open no game: equity of the best play, what it is compared with, and both depths."""
        plays = self._answers_to(
            [CheckerQuestion(each.position, each.dice, each.state) for each in questions], losses=False
        )
        places = [(board_of(each.position), context(each.state)) for each in questions]
        free = [place for place in places if place[1].may_double]
        means = dict(zip(free, self._cubes(free), strict=True))
        found = []
        for place, play in zip(places, plays, strict=True):
            if place in means:
                cube, depth = means[place]
                mean = cube.no_double
            else:
                mean, depth = self._native.before_roll(*place, 2).equity, "2-ply"
            depths = dict.fromkeys(("2-ply", depth))
            found.append((play.best.equity, mean, " and ".join(depths)))
        return found

    def _opening_luck(
        self, question: LuckQuestion, rolls: RollEquities, keys: Sequence[Situation]
    ) -> tuple[float, float, str]:
        """Equity of an opening roll, what it is compared with, and the depth; 1-ply is enough for them."""
        if question.convention == "naive36":
            mean = mean_of_rolls(rolls.each(keys[0]))
        elif question.convention == "match-equity":
            mean = self._before_game(question.state)
        else:
            starts = [rolls.mean_of_mixed(keys[0]), *(-rolls.mean_of_mixed(other) for other in keys[1:])]
            mean = sum(starts) / len(starts)
        return rolls.best(keys[0], _roll(question)), mean, "1-ply"

    def _luck_answer(
        self, question: LuckQuestion, equity: float, mean: float, depth: str, rolls: tuple[float, ...]
    ) -> LuckAnswer:
        mwc: float | None = None
        if not question.state.is_money:
            lose, win = self.met.anchors(question.state)
            mwc = (equity - mean) * (win - lose) / 2
        return LuckAnswer(equity, mean, mwc, depth, self.stamp, rolls)

    def _before_game(self, state: MatchState) -> float:
        """EMG of the match winning chance before the game; 0 for money."""
        if state.is_money:
            return 0.0
        return self.met.emg(state, self.met.before(state))


def _sorted_out(
    questions: Iterable[Asked], reason: Callable[[Asked], str | None]
) -> tuple[list[Asked], dict[Asked, Refused]]:
    """The questions that have an answer, each once, and those that are refused."""
    reasons = {question: reason(question) for question in questions}
    refused = {question: Refused(why) for question, why in reasons.items() if why is not None}
    return [question for question in reasons if question not in refused], refused


def _cube_search(native: Native) -> CubeSearch | None:
    """What searches the cube at many scores at once; None without NumPy, as in a browser."""
    try:
        from bgtools.engines.sage.cube_search import CubeSearch
    except ImportError:
        return None
    return CubeSearch(native)


@cache
def release() -> str:
    """The version of bgsage."""
    built = getattr(sys.modules.get("bgbot_cpp"), "VERSION", None)  # as a WebAssembly module
    if built is not None:
        return str(built)
    try:
        return version("bgsage")
    except PackageNotFoundError:
        return "unknown"


def _roll(question: CheckerQuestion | LuckQuestion) -> Roll:
    return max(question.dice), min(question.dice)


def _listed(question: CheckerQuestion) -> _PlayValues:
    plays = legal_plays(question.position, question.dice)
    played = next((at for at, play in enumerate(plays) if play.result == question.played), None)
    return _PlayValues(
        board_of(question.position),
        context(question.state),
        _roll(question),
        plays,
        [board_of(play.result) for play in plays],
        played,
    )


def _gap(value: CubeValues) -> float:
    """How far apart doubling and not doubling are, or taking and passing where that is closer."""
    double = min(value.double_take, value.double_pass)
    doubling = abs(value.no_double - double)
    return min(doubling, abs(value.double_take - value.double_pass))
