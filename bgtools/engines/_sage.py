"""The calls into bgsage's native module, with its board frame and its match arguments.

Only `sage.py` uses this. A board there is 26 integers seen by the mover: index 0 counts the
opponent's checkers on the bar, 1 to 24 the mover's checkers as positive and the opponent's as
negative numbers, index 25 the mover's checkers on the bar. A "ply" is as bgsage and XG count it: one
look of the network at the position after the play is 1-ply.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from bgtools.engines.protocol import EngineUnavailable, Probabilities
from bgtools.met import default
from bgtools.position import BAR

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from bgtools.position import Position
    from bgtools.rules import MatchState, Owner

Board = tuple[int, ...]
T = TypeVar("T")
R = TypeVar("R")


ROLLS: Final = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 rolls; a double comes once in 36, any other twice."""

_PART = 64
"""Boards searched in one call of some seconds at most, so that a bar moves and Ctrl-C is heard."""


class Context(NamedTuple):
    """All that a value depends on besides the board, seen by the player whose value it is."""

    owner: Owner
    cube: int
    away: tuple[int, int]
    crawford: bool
    jacoby: bool
    beaver: bool

    def flipped(self) -> Context:
        owner: Owner = {"centre": "centre", "mine": "theirs", "theirs": "mine"}[self.owner]  # type: ignore[assignment]
        return self._replace(owner=owner, away=self.away[::-1])

    def doubled(self) -> Context:
        """After a double and a take: twice the cube, the other player's."""
        return self._replace(owner="theirs", cube=2 * self.cube)

    @property
    def is_money(self) -> bool:
        return self.away == (0, 0)


Place = tuple[Board, Context]
"""A board with all else that its value depends on."""


class Value(NamedTuple):
    """Cubeful equity (EMG) and cubeless probabilities of one player."""

    equity: float
    probabilities: Probabilities


class CubeValues(NamedTuple):
    """No double, double and take, double and pass, for the player on roll, to the cube as it lies."""

    no_double: float
    double_take: float
    double_pass: float
    probabilities: Probabilities
    is_beaver: bool = False


def context(state: MatchState) -> Context:
    """The context of the player on roll."""
    money = state.is_money
    return Context(
        state.cube.owner,
        state.cube.value,
        state.away,
        state.crawford,
        money and bool(state.rules.jacoby),
        money and bool(state.rules.beavers),
    )


def board_of(position: Position) -> Board:
    """A position in bgsage's frame."""
    mine, theirs = position.mine, position.theirs
    return (theirs[BAR], *(mine[point] - theirs[BAR - point] for point in range(1, BAR)), mine[BAR])


def flipped_board(board: Board) -> Board:
    return (board[BAR], *(-board[BAR - point] for point in range(1, BAR)), board[0])


def grouped(items: Iterable[T], at: Callable[[T], Context]) -> list[list[T]]:
    """Split into batches that may share one native call."""
    groups: dict[Hashable, list[T]] = {}
    for item in items:
        where = at(item)
        groups.setdefault((where.is_money, where.jacoby, where.beaver), []).append(item)
    return list(groups.values())


class Native:
    """One loaded model, its bear-off table and a number of threads.

    Every value is a function of its arguments alone: work is spread over positions, each of which is
    searched by a single thread, so nothing depends on how many there are.

    Raises:
        EngineUnavailable: bgsage is not installed, or does not load.
    """

    def __init__(self, threads: int | None) -> None:
        try:
            import bgbot_cpp
            from bgsage import weights as models
        except ImportError as error:
            raise EngineUnavailable(
                f"the engine sage needs the package bgsage, which does not load here ({error}); "
                "it has wheels for CPython 3.10 to 3.14 on Linux x86-64, macOS and Windows x86-64. "
                "Everything that needs no engine works with --engine none"
            ) from None
        self._cpp: Any = bgbot_cpp
        # bgsage has this table in its native module and plays by no other.
        self.met = default()
        self.threads = threads or os.cpu_count() or 1
        self._weights: Any = models.default_weights()
        self._model = (
            self._weights.strategy_type,
            self._weights.weight_paths_list,
            self._weights.hidden_sizes_list,
        )
        network = bgbot_cpp.create_strategy(*self._model)
        self._bearoff: Any = None
        path = models.bearoff_db_path()
        if path is not None:
            table = bgbot_cpp.BearoffDB()
            if table.load(path):
                self._bearoff = table
                network = bgbot_cpp.BearoffStrategy(network, table)
        self._network: Any = network
        self._averaging: dict[int, Any] = {}
        self._owners = {
            "centre": bgbot_cpp.CubeOwner.CENTERED,
            "mine": bgbot_cpp.CubeOwner.PLAYER,
            "theirs": bgbot_cpp.CubeOwner.OPPONENT,
        }

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

    def rescaled(self, equity: float, given: Context, wanted: Context) -> float:
        """EMG by one cube as EMG by another of the same player."""
        if given.is_money:
            return equity * given.cube / wanted.cube
        lose, win = self.anchors(given)
        mwc = lose + (equity + 1) / 2 * (win - lose)
        lose, win = self.anchors(wanted)
        return 2 * (mwc - lose) / (win - lose) - 1

    # --- moves ------------------------------------------------------------------------------

    def results(self, board: Board, high: int, low: int) -> Sequence[Sequence[int]]:
        """Every distinct board after a roll; the board itself after a dance."""
        return self._cpp.possible_moves(list(board), high, low) or [board]

    # --- values -----------------------------------------------------------------------------

    def shallow(self, boards: Sequence[tuple[Sequence[int], Context]]) -> list[Any]:
        """1-ply values of boards after a play, for the player who has just moved.

        The items are bgsage's own dictionaries: these batches are large, so nothing is converted
        that is not wanted. Money and match may not be mixed in one call, nor different Jacoby rules:
        bgsage would switch the rule off for all of them.
        """
        if not boards:
            return []
        answers: list[Any] = self._cpp.batch_evaluate_post_move(
            self._items(boards), self._network, self.threads, jacoby=boards[0][1].jacoby
        )
        return answers

    def equities(self, groups: Sequence[tuple[Sequence[Sequence[int]], Context]]) -> list[list[float]]:
        """1-ply equities of many boards after a play, for the player who has just moved, group by group.

        The same restriction as for `shallow`, which this is but for the probabilities.
        """
        items: list[tuple[Any, ...]] = []
        for boards, at in groups:
            items.extend(zip(boards, *map(repeat, self._terms(at)), strict=False))  # the others have no end
        if not items:
            return [[] for _ in groups]
        answers = self._cpp.batch_evaluate_post_move(items, self._network, self.threads, jacoby=groups[0][1].jacoby)
        values = [answer["cubeful_equity"] for answer in answers]
        found: list[list[float]] = []
        start = 0
        for boards, _ in groups:
            found.append(values[start : start + len(boards)])
            start += len(boards)
        return found

    def averaged(
        self, boards: Sequence[tuple[Sequence[int], Context]], plies: int, tick: Callable[[int, int], None]
    ) -> list[float]:
        """Equities of boards after a play, for the player who has just moved, from chances searched ``plies`` deep.

        The search averages chances and knows no cube; one formula turns their mean into an equity. That takes half
        the time of `after_play` and errs by rating a cube too alike from play to play, which is why only differences
        between two depths of it are of use. The same restriction as for `shallow`.
        """
        if not boards:
            return []
        if plies not in self._averaging:
            search = self._cpp.create_multipy(*self._model, n_plies=plies, parallel_evaluate=False, parallel_threads=0)
            if self._bearoff is not None:
                self._cpp.multipy_set_bearoff_db(search, self._bearoff)
            self._averaging[plies] = search
        search = self._averaging[plies]
        found: list[float] = []
        for start in range(0, len(boards), _PART):
            items = self._items(boards[start : start + _PART])
            answers = self._cpp.batch_evaluate_post_move(items, search, self.threads, jacoby=boards[0][1].jacoby)
            found.extend(float(answer["cubeful_equity"]) for answer in answers)
            tick(len(found), len(boards))
        return found

    def _items(self, boards: Sequence[tuple[Sequence[int], Context]]) -> list[tuple[Any, ...]]:
        return [(board, *self._terms(at)) for board, at in boards]

    def _terms(self, at: Context) -> tuple[Any, ...]:
        """What a board after a play is given with."""
        owner = self._owners[at.owner]
        return (owner,) if at.is_money else (owner, at.cube, *at.away, at.crawford)

    def shallow_cube(self, boards: Sequence[Place]) -> list[CubeValues]:
        """1-ply cube equities of boards before a roll. The same restriction as for `shallow`."""
        if not boards:
            return []
        first = boards[0][1]
        items: list[tuple[Any, ...]] = [
            (board, at.cube, self._owners[at.owner], *(() if first.is_money else (*at.away, at.crawford)))
            for board, at in boards
        ]
        answers = self._cpp.batch_evaluate_positions(
            items, self._network, self.threads, jacoby=first.jacoby, beaver=first.beaver
        )
        return [_cube_values(answer) for answer in answers]

    def before_roll(self, board: Board, at: Context, plies: int) -> Value:
        """Value for the player on roll, searched ``plies`` deep: of his best cube action, at 1-ply of rolling on.

        The search is cubeful all the way: it averages cubeful equities over the rolls instead of
        turning averaged probabilities into an equity, which rates errors too small.
        """
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
        return Value(float(answer["equity"]), _probabilities(answer["probs"]))

    def after_play(self, board: Board, at: Context, plies: int) -> Value:
        """Value for the player who has just moved, searched ``plies`` deep."""
        value = self.before_roll(flipped_board(board), at.flipped(), plies)
        return Value(-value.equity, value.probabilities.flipped())

    def cubes(self, places: Sequence[Place], plies: int, tick: Callable[[int, int], None]) -> list[CubeValues]:
        """Cube equities searched ``plies`` deep, at least 2.

        Rolling on, and rolling after a double and a take, are each the mean over the 21 rolls of the best play
        looked at one ply less deep. A look at the position itself would be worth what its best action is, so that
        it could not tell the two apart; bgsage's own call for both loads the model anew each time.
        """
        both = [place for board, at in places for place in ((board, at), (board, at.doubled()))]
        played: dict[Place, list[Place]] = {place: [] for place in both}
        for group in grouped(played, lambda place: place[1]):
            results = [(self.results(board, *roll), at) for board, at in group for roll in ROLLS]
            best = iter(zip(results, self.equities(results), strict=True))
            for place in group:
                for _ in ROLLS:
                    (boards, at), values = next(best)
                    played[place].append((tuple(boards[max(range(len(boards)), key=values.__getitem__)]), at))
        after = list(dict.fromkeys(place for plays in played.values() for place in plays))
        found = dict(zip(after, self.spread(partial(_after_play, self, plies - 1), after, tick), strict=True))
        if plies == 2:
            found |= self._doubled_where_best(found)
        means = {place: _mean([found[play] for play in plays]) for place, plays in played.items()}
        return [self._cube_values(place, means) for place in places]

    def _doubled_where_best(self, found: Mapping[Place, Value]) -> dict[Place, Value]:
        """1-ply values of boards after which the other player may double, with his best cube action.

        From 2-ply on a search weighs that by itself; at 1-ply `after_play` lets him roll on, at whatever score.
        """
        open_ = [
            (board, at)
            for board, at in found
            if at.owner != "mine" and not at.crawford and any(count > 0 for count in board[1:])
        ]
        values: dict[Place, Value] = {}
        for group in grouped(open_, lambda place: place[1]):
            cubes = self.shallow_cube([(flipped_board(board), at.flipped()) for board, at in group])
            for place, cube in zip(group, cubes, strict=True):
                best = max(cube.no_double, min(cube.double_take, cube.double_pass))
                values[place] = found[place]._replace(equity=-best)
        return values

    def _cube_values(self, place: Place, means: Mapping[Place, Value]) -> CubeValues:
        board, at = place
        rolling, raised = means[place], at.doubled()
        take = self.rescaled(means[board, raised].equity, raised, at)
        beaver = at.beaver and take < 0
        return CubeValues(rolling.equity, 2 * take if beaver else take, 1.0, rolling.probabilities, beaver)

    def spread(self, work: Callable[[T], R], items: Sequence[T], tick: Callable[[int, int], None]) -> list[R]:
        """Do ``work`` on every item with all threads; answers in the order of the items.

        ``tick`` is called with the number of items done and of all. Interrupted, it drops what is not begun.
        """
        pool = ThreadPoolExecutor(self.threads)
        try:
            found: list[R] = []
            for answer in pool.map(work, items):
                found.append(answer)
                tick(len(found), len(items))
            return found
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _after_play(native: Native, plies: int, place: Place) -> Value:
    return native.after_play(*place, plies)


def _mean(values: Sequence[Value]) -> Value:
    """The mean over the 21 rolls, in the order of `ROLLS`."""
    weights = [1 if high == low else 2 for high, low in ROLLS]
    equity = sum(weight * value.equity for weight, value in zip(weights, values, strict=True)) / 36
    chances = zip(*(astuple(value.probabilities) for value in values), strict=True)
    means = (sum(weight * each for weight, each in zip(weights, rolled, strict=True)) / 36 for rolled in chances)
    return Value(equity, _probabilities(means))


def _probabilities(values: Iterable[float]) -> Probabilities:
    """The five outputs, held in order: estimates may nest badly by a rounding."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = (min(max(value, 0.0), 1.0) for value in values)
    win_gammon = min(win_gammon, win)
    lose_gammon = min(lose_gammon, 1 - win)
    return Probabilities(
        win, win_gammon, min(win_backgammon, win_gammon), lose_gammon, min(lose_backgammon, lose_gammon)
    )


def value_of(answer: Any) -> Value:
    """A `Native.shallow` answer as a value."""
    return Value(float(answer["cubeful_equity"]), _probabilities(answer["probs"]))


def _cube_values(answer: Any) -> CubeValues:
    return CubeValues(
        float(answer["equity_nd"]),
        float(answer["equity_dt"]),
        1.0,  # passing loses the cube, which is what +1 stands for
        _probabilities(answer["probs"]),
        bool(answer["is_beaver"]),
    )
