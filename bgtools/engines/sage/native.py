"""The calls into bgsage's native module, with its match arguments.

Only the engine uses this. A "ply" is as bgsage and XG count it: one look of the network at the position after the play
is 1-ply.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple
from functools import cache
from itertools import repeat
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from bgtools.engines.protocol import ROLLS, EngineUnavailable
from bgtools.engines.sage.cube_limit import LimitedCube
from bgtools.engines.sage.frame import (
    ENDLESS,
    Context,
    CubeValues,
    Points,
    Roll,
    Situation,
    Value,
    cube_values_of,
    flipped_board,
    grouped,
    is_over,
    mean_value,
    probabilities_of,
)
from bgtools.met.finding import default

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bgtools.engines.protocol import Probabilities, Progress

T = TypeVar("T")
R = TypeVar("R")
K = TypeVar("K")

_SIX: Final[tuple[Roll, ...]] = ((4, 1), (4, 2), (6, 2), (6, 3), (5, 3), (5, 1))

SAMPLES: Final[Mapping[int, tuple[Roll, ...]]] = MappingProxyType(
    {3: ((4, 1), (6, 2), (5, 3)), 6: _SIX, 9: (*_SIX, (2, 1), (4, 3), (6, 5))}
)
"""Rolls that stand for all 21: every number comes equally often, and doubles, being rare, are left out."""

_PART: Final = 4
"""Positions that a thread takes at a time: few, so that threads end together, bars move and Ctrl-C is heard."""


WASM_FOLDER: Final = "BGTOOLS_SAGE_WASM"
"""The variable that names a folder with the engine as a WebAssembly module, which then is used instead of bgsage."""


class _Loaded(NamedTuple):
    """bgsage's native module and what it reads from files, the same for every engine of the process.

    Attributes:
        cpp: the module.
        model: the files of the networks, as bgsage's calls take them.
        network: what values a position at 1-ply; it looks bear-offs up where there is a table.
        averaging: the same, 2-ply deep without a cube.
        bearoff: the table of bear-offs; None where bgsage's package has none.
    """

    cpp: Any
    model: tuple[Any, ...]
    network: Any
    averaging: Any
    bearoff: Any


@cache  # loading takes some 45 ms, ten times as long as a question at quick
def _load() -> _Loaded:
    """Load bgsage's networks and its table of bear-offs.

    Raises:
        EngineUnavailable: bgsage is not installed, or does not load.
    """
    try:
        if folder := os.environ.get(WASM_FOLDER):
            from bgtools.engines.sage.wasmtime_machine import install_folder

            install_folder(Path(folder))
        import bgbot_cpp
        from bgsage import weights as models
    except (OSError, ValueError, RuntimeError) as error:
        raise EngineUnavailable(f"the engine of {WASM_FOLDER} cannot be read: {error}") from None
    except ImportError as error:
        raise EngineUnavailable(
            f"the engine sage needs the package bgsage, which does not load here ({error}); "
            "it has wheels for CPython 3.10 to 3.14 on Linux x86-64, macOS and Windows x86-64. "
            "Everything that needs no engine works with --engine none"
        ) from None
    cpp: Any = bgbot_cpp
    weights: Any = models.default_weights()
    model = weights.strategy_type, weights.weight_paths_list, weights.hidden_sizes_list
    network = cpp.create_strategy(*model)
    averaging = cpp.create_multipy(*model, n_plies=2, parallel_evaluate=False, parallel_threads=0)
    path = models.bearoff_db_path()
    table = None if path is None else cpp.BearoffDB()
    if table is None or not table.load(path):
        return _Loaded(cpp, model, network, averaging, None)
    cpp.multipy_set_bearoff_db(averaging, table)
    return _Loaded(cpp, model, cpp.BearoffStrategy(network, table), averaging, table)


class Native:
    """One loaded model, its bear-off table and a number of threads.

    Every value is a function of its arguments alone: work is spread over positions, each of which is
    searched by a single thread, so nothing depends on how many there are. The native calls let other threads
    run, so that what Python does for one position passes while another is searched.

    Raises:
        EngineUnavailable: bgsage is not installed, or does not load.
    """

    def __init__(self, threads: int | None) -> None:
        loaded = _load()
        self._cpp, self._model = loaded.cpp, loaded.model
        self._network, self._averaging, self._bearoff = loaded.network, loaded.averaging, loaded.bearoff
        self._averaging.clear_cache()  # what another engine has left there would make this one look quicker than it is
        # bgsage has this table in its native module and plays by no other.
        self.met = default()
        self._under_limit = LimitedCube(self.met)
        self._contact_life: float = self._cpp.cube_efficiency([0.5, 0.0, 0.0, 0.0, 0.0], False, 0, 0)
        most = getattr(self._cpp, "MOST_THREADS", None)  # a WebAssembly module has one
        self.threads = most or threads or os.cpu_count() or 1
        self._known_plays: ValueMemory[tuple[Points, Context, Roll], tuple[Points, ...]] = ValueMemory()
        self._searched: ValueMemory[tuple[Points, Context, int], Value] = ValueMemory()
        self._owners = {
            "centre": self._cpp.CubeOwner.CENTERED,
            "mine": self._cpp.CubeOwner.PLAYER,
            "theirs": self._cpp.CubeOwner.OPPONENT,
        }

    def owner_of(self, at: Context) -> Any:
        """Who owns the cube, as a value of bgsage's own type."""
        return self._owners[at.owner]

    def rollout(self, games: int) -> Any:
        """A rollout for one thread: what bgsage calls 2T, with another number of games."""
        shallow = self._cpp.TrialEvalConfig(ply=2)
        strategy = self._cpp.create_rollout(
            *self._model,
            n_trials=games,
            truncation_depth=7,
            decision_ply=2,
            truncation_ply=2,
            n_threads=1,
            late_ply=1,
            late_threshold=1,
            parallelize_trials=False,
            cube=shallow,
            cube_late=shallow,
            ultra_late_threshold=9999,
            cubeful_trial_moves=True,
        )
        if self._bearoff is not None:
            self._cpp.rollout_set_bearoff_db(strategy, self._bearoff)
        return strategy

    # --- tables -----------------------------------------------------------------------------

    @property
    def has_bearoff_table(self) -> bool:
        """Whether bear-offs are looked up; without the table in bgsage's package the network values them."""
        return self._bearoff is not None

    def anchors(self, at: Context) -> tuple[float, float]:
        """Match winning chance after losing and after winning the cube; the ends of EMG."""
        post = at.crawford or 1 in at.away
        lose = self.met.equity((at.away[0], at.away[1] - at.cube), post_crawford=post)
        return lose, self.met.equity((at.away[0] - at.cube, at.away[1]), post_crawford=post)

    def rescaled(self, equity: float, given: Context, target: Context) -> float:
        """EMG by one cube as EMG by another of the same player."""
        if given.is_money:
            return equity * given.cube / target.cube
        lose, win = self.anchors(given)
        mwc = lose + (equity + 1) / 2 * (win - lose)
        lose, win = self.anchors(target)
        return 2 * (mwc - lose) / (win - lose) - 1

    def scale_of(self, at: Context, other: Context) -> tuple[float, float]:
        """What EMG of 0 by another cube of the same player is by this one, and what one EMG more adds to it."""
        zero = self.rescaled(0.0, other, at)
        return zero, self.rescaled(1.0, other, at) - zero

    def outcomes_of(self, at: Context, cube: int) -> tuple[float, ...]:
        """What the six ways are worth in which a game can end with a cube, the worst first, in points or MWC."""
        return self._under_limit.outcomes(at, cube)

    def chances_of(self, boards: Sequence[Points]) -> list[list[float]]:
        """The five outputs of boards after a play, for the player who has just moved."""
        items = [(board, self._cpp.CubeOwner.CENTERED) for board in boards]
        answers = self._cpp.batch_evaluate_post_move(items, self._network, 1, jacoby=False)
        return [answer["probs"] for answer in answers]

    def life(self, chances: Sequence[float], board: Sequence[int]) -> float:
        """How live the cube is, 0 to 1; where there is contact bgsage takes one number for all."""
        if not self._cpp.is_race(board):
            return self._contact_life
        life: float = self._cpp.cube_efficiency(chances, True, *self._cpp.pip_counts(board))
        return life

    def _by_chances(self, chances: Sequence[float], board: Sequence[int], at: Context) -> float:
        """Equity by the five outputs of a player who does not double now, under a limit of the cube.

        bgsage knows no limit; only the chances that its search gives are used.
        """
        life = 0.0
        if not at.is_stuck:
            life = self.life(chances, board)
        return self._under_limit.equity(chances, at, life)

    def _taken(self, chances: Sequence[float], board: Sequence[int], at: Context) -> float:
        """The same of a double that is taken, by the cube before it."""
        raised = at.doubled()
        return self.rescaled(self._by_chances(chances, board, raised), raised, at)

    def _best_by_chances(self, chances: Sequence[float], board: Sequence[int], at: Context) -> float:
        """The same of the better of doubling and not doubling."""
        rolling = self._by_chances(chances, board, at)
        return max(rolling, min(self._taken(chances, board, at), 1.0)) if at.may_double else rolling

    def bounded(self, equity: float, at: Context) -> float:
        """An estimate of an equity, no worse than a lost backgammon and no better than one that is won."""
        dead = at._replace(jacoby=False, limit=at.cube)
        lost, won = ((0.0, 0.0, 0.0, 1.0, 1.0), (1.0, 1.0, 1.0, 0.0, 0.0))
        least, most = (self._under_limit.equity(chances, dead, 0.0) for chances in (lost, won))
        return min(max(equity, least), most)

    def _equity(self, answer: Any, board: Sequence[int], at: Context) -> float:
        """The equity of one of bgsage's answers about a board after a play, for the player that it is about."""
        return self._by_chances(answer["probs"], board, at) if at.limit else float(answer["cubeful_equity"])

    # --- moves ------------------------------------------------------------------------------

    def results(self, board: Points, high: int, low: int) -> Sequence[Sequence[int]]:
        """Every distinct board after a roll; the board itself after a dance."""
        return self._cpp.possible_moves(list(board), high, low) or [board]

    # --- values -----------------------------------------------------------------------------

    def shallow(self, boards: Sequence[tuple[Sequence[int], Context]]) -> list[Value]:
        """1-ply values of boards after a play, for the player who has just moved.

        Money and match may not be mixed in one call, nor different Jacoby rules: bgsage would switch the rule off for
        all of them.
        """
        if not boards:
            return []
        answers = self._cpp.batch_evaluate_post_move(self._items(boards), self._network, 1, jacoby=boards[0][1].jacoby)
        return [
            Value(self._equity(answer, board, at), probabilities_of(answer["probs"]))
            for answer, (board, at) in zip(answers, boards, strict=True)
        ]

    def equities(self, groups: Sequence[tuple[Sequence[Sequence[int]], Context]]) -> list[list[float]]:
        """1-ply equities of many boards after a play, for the player who has just moved, group by group.

        They are the equities that `shallow` gives, without the probabilities; the same restriction holds.
        """
        items: list[tuple[Any, ...]] = []
        for boards, at in groups:
            items.extend(zip(boards, *map(repeat, self._terms(at)), strict=False))  # the terms repeat without end
        if not items:
            return [[] for _ in groups]
        answers = self._cpp.batch_evaluate_post_move(items, self._network, 1, jacoby=groups[0][1].jacoby)
        found: list[list[float]] = []
        start = 0
        for boards, at in groups:
            part = answers[start : start + len(boards)]
            found.append(
                [self._equity(answer, board, at) for answer, board in zip(part, boards, strict=True)]
                if at.limit
                else _equities(part)
            )
            start += len(boards)
        return found

    def averaged(self, boards: Sequence[tuple[Sequence[int], Context]]) -> list[float]:
        """Equities of boards after a play, for the player who has just moved, from chances searched 2-ply deep.

        The search averages chances and knows no cube; one formula turns their mean into an equity. It takes half the
        time of `after_play`, but rates the cube too much alike from play to play: only differences between two depths
        are of use. The same restriction as for `shallow`.
        """
        if not boards:
            return []
        answers = self._cpp.batch_evaluate_post_move(
            self._items(boards), self._averaging, 1, jacoby=boards[0][1].jacoby
        )
        return [self._equity(answer, board, at) for answer, (board, at) in zip(answers, boards, strict=True)]

    def gains(self, situations: Sequence[Situation], plies: int, sample: Sequence[Roll]) -> list[float]:
        """What the last ply of a look ``plies`` deep (at least 2) adds to the equity of boards after a play.

        At 2-ply this is the change that all 21 rolls make to the chances without a cube, which is cheap. Deeper it is
        the mean of what one ply less adds after the other player's best play of each roll of the sample.
        """
        # Looking deeper changes nothing once the game is over.
        found = {place: 0.0 for place in situations if is_over(place[0])}
        for group in grouped(
            (place for place in dict.fromkeys(situations) if place not in found), lambda each: each[1]
        ):
            if plies == 2:
                less = (values[0] for values in self.equities([((board,), at) for board, at in group]))
                more = self.averaged(group)
                found.update((place, two - one) for place, one, two in zip(group, less, more, strict=True))
                continue
            turned = [(flipped_board(board), at.flipped()) for board, at in group]
            answers = self.best_plays([(*place, roll) for place in turned for roll in sample])
            gained = self.gains(answers, plies - 1, sample)
            for place, first in zip(group, range(0, len(answers), len(sample)), strict=True):
                found[place] = -sum(gained[first : first + len(sample)]) / len(sample)
        return [found[place] for place in situations]

    def best_plays(self, rolls: Sequence[tuple[Points, Context, Roll]]) -> list[Situation]:
        """The boards after the best plays at 1-ply of rolls. The same restriction as for `shallow`."""
        return [(plays[0], at) for (_, at, _), plays in zip(rolls, self._good_plays(rolls), strict=True)]

    def _good_plays(self, rolls: Sequence[tuple[Points, Context, Roll]]) -> list[tuple[Points, ...]]:
        """The boards after the plays of rolls that are near the best at 1-ply, the best first."""
        found = {each: self._known_plays.get(each, ()) for each in rolls}
        due = [each for each, known in found.items() if not known]
        results = [(self.results(board, *roll), at) for board, at, roll in due]
        new = {
            each: _near_best(boards, values)
            for each, (boards, _), values in zip(due, results, self.equities(results), strict=True)
        }
        self._known_plays.add(new)
        found.update(new)
        return [found[each] for each in rolls]

    def remember_plays(
        self, board: Points, at: Context, roll: Roll, boards: Sequence[Points], values: Sequence[Value]
    ) -> None:
        """Remember the best plays of a roll by the 1-ply values of all, which luck and samples then need not find."""
        self._known_plays.add({(board, at, roll): _near_best(boards, [value.equity for value in values])})

    def _best_raised(self, rolls: Sequence[tuple[Points, Context, Roll]]) -> list[Situation]:
        """The boards after the best plays at 1-ply once the cube is doubled, among the plays near the best before."""
        choices = [(boards, at.doubled()) for (_, at, _), boards in zip(rolls, self._good_plays(rolls), strict=True)]
        open_ = iter(self.equities([choice for choice in choices if len(choice[0]) > 1]))
        return [
            (boards[0] if len(boards) == 1 else boards[(values := next(open_)).index(max(values))], at)
            for boards, at in choices
        ]

    def _items(self, boards: Sequence[tuple[Sequence[int], Context]]) -> list[tuple[Any, ...]]:
        return [(board, *self._terms(at)) for board, at in boards]

    def _terms(self, at: Context) -> tuple[Any, ...]:
        """What a board after a play is given with."""
        owner = self._owners[at.owner]
        return (owner,) if at.is_money else (owner, at.cube, *at.away, at.crawford)

    def shallow_cube(self, boards: Sequence[Situation]) -> list[CubeValues]:
        """1-ply cube equities of boards before a roll. The same restriction as for `shallow`."""
        if not boards:
            return []
        first = boards[0][1]
        items: list[tuple[Any, ...]] = [
            (board, at.cube, self._owners[at.owner], *(() if first.is_money else (*at.away, at.crawford)))
            for board, at in boards
        ]
        answers = self._cpp.batch_evaluate_positions(items, self._network, 1, jacoby=first.jacoby, beaver=first.beaver)
        values = map(cube_values_of, answers)
        return [
            self._limited(value, *place) if place[1].limit else value
            for value, place in zip(values, boards, strict=True)
        ]

    def _limited(self, value: CubeValues, board: Points, at: Context) -> CubeValues:
        """Cube values by the chances, under a limit of the cube."""
        chances = astuple(value.probabilities)
        return self._with_take(
            self._by_chances(chances, board, at), self._taken(chances, board, at), value.probabilities, at
        )

    def _with_take(self, no_double: float, take: float, chances: Probabilities, at: Context) -> CubeValues:
        """Cube values by what a take is worth, where the other player beavers if that is better and they may."""
        beaver = at.beaver and take < 0 and not at.doubled().is_stuck
        return CubeValues(no_double, 2 * take if beaver else take, 1.0, chances, beaver)

    def before_roll(self, board: Points, at: Context, plies: int) -> Value:
        """Value for the player on roll, searched ``plies`` deep: after their best cube action, at 1-ply of rolling on.

        The search is cubeful all the way: it averages cubeful equities over the rolls. To turn averaged probabilities
        into an equity would rate errors too small. A value is remembered, since the value after a play is asked for
        again as the mean over the next roll.
        """
        known = self._searched.get((board, at, plies))
        if known is None:
            known = self._before_roll(board, at, plies)
            self._searched.add({(board, at, plies): known})
        return known

    def _before_roll(self, board: Points, at: Context, plies: int) -> Value:
        answer = self._cpp.cubeful_probs_and_equity_nply(
            list(board),
            self._owners[at.owner],
            self._network,
            plies,
            n_threads=1,
            cube_value=at.cube,
            away1=at.away[0],
            away2=at.away[1],
            is_crawford=at.crawford,
            jacoby=at.jacoby,
            beaver=at.beaver,
            bearoff_db=self._bearoff,
        )
        chances = answer["probs"]
        equity = float(answer["equity"])
        if at.limit and (plies == 1 or at.is_stuck):
            equity = self._by_chances(chances, board, at)
        elif at.limit:
            # The search has an endless cube at its ends. What the limit changes there is nearly what it changes here.
            endless = at._replace(limit=ENDLESS)
            equity += self._best_by_chances(chances, board, at) - self._best_by_chances(chances, board, endless)
        return Value(equity, probabilities_of(chances))

    def after_play(self, board: Points, at: Context, plies: int) -> Value:
        """Value for the player who has just moved, searched ``plies`` deep."""
        value = self.before_roll(flipped_board(board), at.flipped(), plies)
        return Value(-value.equity, value.probabilities.flipped())

    def after_play_by_sample(self, board: Points, at: Context, plies: int, sample: Sequence[Roll]) -> Value:
        """The same, searched on after the rolls of a sample alone; ``plies`` is at least 3.

        What the last ply changes after these rolls stands for all. Where the other player may wish to double, what
        rolling on gains is not what the position gains, and all rolls are searched.
        """
        other = flipped_board(board), at.flipped()
        if self.near_doubles([other]):
            return self.after_play(board, at, plies)
        answers = self.best_plays([(*other, roll) for roll in sample])
        less, more = self.after_plays(answers, plies - 2), self.after_plays(answers, plies - 1)
        value = self.after_play(board, at, plies - 1)
        gain = sum(less[answer].equity - more[answer].equity for answer in answers) / len(answers)
        return value._replace(equity=self.bounded(value.equity + gain, at))

    def near_doubles(self, situations: Sequence[Situation]) -> set[Situation]:
        """Those positions in which the player on roll may wish to double. The same restriction as for `shallow`."""
        may_double = [place for place in situations if place[1].may_double]
        cubes = zip(may_double, self.shallow_cube(may_double), strict=True)
        return {
            place for place, cube in cubes if cube.no_double < min(cube.double_take, cube.double_pass) + _NEAR_DOUBLE
        }

    def searched_cubes(self, situations: Sequence[Situation]) -> list[CubeValues]:
        """Cube equities searched 2-ply deep.

        Far from a double, what the position is worth is what rolling on is worth, and two searches tell all. The same
        restriction as for `shallow`.
        """
        near = self.near_doubles(situations)
        slow = [place for place in situations if place in near or place[1].limit]
        found = dict(zip(slow, self.cubes(slow, 2), strict=True))
        for board, at in situations:
            if (board, at) not in found:
                rolling, raised = self.before_roll(board, at, 2), at.doubled()
                take = self.rescaled(self.before_roll(board, raised, 2).equity, raised, at)
                found[board, at] = self._with_take(rolling.equity, take, rolling.probabilities, at)
        return [found[place] for place in situations]

    def cubes(
        self, situations: Sequence[Situation], plies: int, sample: Sequence[Roll] | None = None
    ) -> list[CubeValues]:
        """Cube equities searched ``plies`` deep, at least 2.

        Rolling on, and rolling after a double and a take, are each the mean over the 21 rolls of the best play
        looked at one ply less deep. A look at the position itself would give the value of the best cube action alone;
        bgsage's own call for both loads the model again each time.

        Args:
            situations: the positions.
            plies: how deep.
            sample: rolls whose plays are looked at in full; all plays are looked at one ply less deep, and the mean
                change by that ply over the sample is added to the mean. None looks at all 21 in full.
        """
        played: dict[Situation, list[Situation]] = {}
        for group in grouped(dict.fromkeys(situations), lambda each: each[1]):
            rolls = [(*place, roll) for place in group for roll in ROLLS]
            best = iter(self.best_plays(rolls))
            played.update((place, [next(best) for _ in ROLLS]) for place in group)
            raised = iter(self._best_raised(rolls))
            played.update(((board, at.doubled()), [next(raised) for _ in ROLLS]) for board, at in group)
        means = self._means(played, plies - 1) if sample is None else self._sampled(played, plies - 1, sample)
        return [self._cube_values(place, means) for place in situations]

    def _means(self, played: Mapping[Situation, Sequence[Situation]], plies: int) -> dict[Situation, Value]:
        """The mean value of what the 21 rolls lead to."""
        found = self.after_plays([play for plays in played.values() for play in plays], plies)
        return {place: mean_value([found[play] for play in plays]) for place, plays in played.items()}

    def _sampled(
        self, played: Mapping[Situation, Sequence[Situation]], plies: int, sample: Sequence[Roll]
    ) -> dict[Situation, Value]:
        """The mean values one ply less deep, corrected by what the last ply changes for a sample of the rolls."""
        deep = [ROLLS.index(roll) for roll in sample]
        found = self.after_plays([plays[at] for plays in played.values() for at in deep], plies)
        base = self.after_plays([play for plays in played.values() for play in plays], plies - 1)
        means = {}
        for place, plays in played.items():
            less = mean_value([base[play] for play in plays])
            change = sum(found[plays[at]].equity - base[plays[at]].equity for at in deep) / len(deep)
            means[place] = less._replace(equity=less.equity + change)
        return means

    def after_plays(self, situations: Iterable[Situation], plies: int) -> dict[Situation, Value]:
        """Values of boards after a play, for the player who has just moved, with the other's best cube action."""
        found = {place: self.after_play(*place, plies) for place in situations}
        doubled = self._where_doubled(found) if plies == 1 else {}
        return {place: value._replace(equity=doubled.get(place, value.equity)) for place, value in found.items()}

    def equities_after_plays(self, situations: Iterable[Situation]) -> dict[Situation, float]:
        """The 1-ply equities of `after_plays` alone; no search is needed where the other player may double."""
        situations = dict.fromkeys(situations)
        doubled = self._where_doubled(situations)
        return {
            place: doubled[place] if place in doubled else self.after_play(*place, 1).equity for place in situations
        }

    def _where_doubled(self, situations: Iterable[Situation]) -> dict[Situation, float]:
        """1-ply equities of those boards after which the other player may double, with their best cube action.

        From 2-ply on a search weighs their double by itself; at 1-ply `after_play` always lets them roll on.
        """
        open_ = [(board, at) for board, at in situations if at.flipped().may_double and not is_over(board)]
        found: dict[Situation, float] = {}
        for group in grouped(open_, lambda each: each[1]):
            cubes = self.shallow_cube([(flipped_board(board), at.flipped()) for board, at in group])
            for place, cube in zip(group, cubes, strict=True):
                found[place] = -max(cube.no_double, min(cube.double_take, cube.double_pass))
        return found

    def _cube_values(self, situation: Situation, means: Mapping[Situation, Value]) -> CubeValues:
        board, at = situation
        rolling, raised = means[situation], at.doubled()
        take = self.rescaled(means[board, raised].equity, raised, at)
        return self._with_take(rolling.equity, take, rolling.probabilities, at)

    def spread(
        self, work: Callable[[Sequence[T]], Iterable[R]], items: Sequence[T], progress: Progress | None
    ) -> list[R]:
        """Do ``work`` on all items, a few at a time on each thread; answers in the order of the items.

        ``progress`` is told the number of items done and of all. An interrupt drops the items that are not begun.
        """
        parts = [items[start : start + _PART] for start in range(0, len(items), _PART)]
        if self.threads == 1 or len(parts) < 2:
            return _gather(map(work, parts), len(items), progress)
        pool = ThreadPoolExecutor(self.threads)
        try:
            return _gather(pool.map(work, parts), len(items), progress)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _gather(answers: Iterable[Iterable[R]], count: int, progress: Progress | None) -> list[R]:
    """All answers in one list; ``progress`` is told how many of ``count`` there are."""
    found: list[R] = []
    for some in answers:
        found.extend(some)
        if progress is not None:
            progress(len(found), count)
    return found


_NEAR_DOUBLE: Final = 0.1
"""Where doubling is worse than rolling on by more than this at 1-ply, it is worse at 2-ply too: so it was in all of 643
such positions of recorded matches."""
_NEAR: Final = 0.3
"""A play that is further behind the best one than this is not the best once the cube is turned."""


def _near_best(boards: Sequence[Sequence[int]], values: Sequence[float]) -> tuple[Points, ...]:
    """The boards near the best one, the best first; in the same order in whichever order they come."""
    least = max(values) - _NEAR
    near = [(value, tuple(board)) for value, board in zip(values, boards, strict=True) if value > least]
    near.sort(reverse=True)
    return tuple([board for _, board in near])


class ValueMemory(dict[K, R]):
    """Remembered values. They are forgotten when they are too many; threads may share them."""

    def add(self, new: Mapping[K, R]) -> None:
        """Remember something more."""
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        self.update(new)


_MOST_REMEMBERED: Final = 50_000
"""Positions: a long match has some thousand."""


def _equities(answers: Sequence[Any]) -> list[float]:
    """The equities of bgsage's answers, without a call for each: these batches are large."""
    return [answer["cubeful_equity"] for answer in answers]
