"""Cube decisions searched for many scores at once: the network is asked once a board, whatever the number of scores.

The chances of a board do not depend on the score; which play of a roll is best does, and so does what the chances are
worth. Both follow from the chances by the formula of `bgtools.engines.sage.cube_limit`, here with arrays over all
scores. A search is bgsage's own, 2-ply deep: of each roll the play with the best equity, valued with the other player's
best cube action. It gives bgsage's equities to some millionths; only where two plays are worth the same to that, it may
choose the other one (`tests/engines/test_cube_search.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from bgtools.engines.protocol import ROLLS
from bgtools.engines.sage.frame import CubeValues, flipped_board, is_over, probabilities_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.engines.sage.frame import Context, Points, Roll
    from bgtools.engines.sage.native import Native

    Array = Any
    """A numpy array."""

_WAYS: Final = [(1 if high == low else 2) / 36 for high, low in ROLLS]


class _Scores:
    """What chances are worth in many contexts; all arrays have a row for each.

    Args:
        contexts: seen by the player whose chances are given; none has a limit of the cube.
        native: for the match equity table.
    """

    def __init__(self, contexts: Sequence[Context], native: Native) -> None:
        column = np.array([[at.owner == name for at in contexts] for name in ("centre", "mine", "theirs")])
        self._centre, self._mine, self._theirs = column[:, :, None]
        self._money = np.array([[at.is_money] for at in contexts])
        self._jacoby = np.array([[at.is_money and at.jacoby for at in contexts]]).T & self._centre
        most = max([max(at.away) / at.cube for at in contexts if not at.is_money], default=1)
        self._levels = []
        for level in range(max(1, int(np.ceil(np.log2(most)))) + 1):
            ends = [native.outcomes_of(at, at.cube << level) for at in contexts]
            open_ = [not at.crawford and (at.is_money or at.cube << level < max(at.away)) for at in contexts]
            self._levels.append((np.array(ends).T[:, :, None], np.array(open_)[:, None]))

    def equities(self, chances: Array, life: Array) -> Array:
        """EMG of boards in each context, the next to roll being the other player or the same one, who does not double.

        Args:
            chances: the five outputs, last; before them the boards, and perhaps a row of boards for each context.
            life: how live the cube is on each board.
        """
        win, gammon, backgammon, lost_gammon, lost_backgammon = np.moveaxis(chances, -1, 0)
        # Who never wins wins no gammon, so that any divisor will do.
        wins, losses = np.where(win > 0, win, 1.0), np.where(win < 1, 1 - win, 1.0)
        won_rates, lost_rates = (gammon / wins, backgammon / wins), (lost_gammon / losses, lost_backgammon / losses)
        taken: tuple[Array, ...] | None = None
        for (lb, lg, one_lost, one_won, wg, wb), live in reversed(self._levels):
            won = one_won + won_rates[0] * (wg - one_won) + won_rates[1] * (wb - wg)
            lost = one_lost + lost_rates[0] * (lg - one_lost) + lost_rates[1] * (lb - lg)
            if taken is None:
                by_other, by_player, turned = np.zeros_like(won), np.ones_like(won), np.zeros_like(live)
            else:
                lost2, one_lost2, one_won2, won2, by_other2, by_player2, turned2 = taken
                most_x, most_y = np.where(turned2, by_player2, 1.0), np.where(turned2, one_won2, won2)
                least_x, least_y = np.where(turned2, by_other2, 0.0), np.where(turned2, one_lost2, lost2)
                by_other = most_x * (one_lost - lost2) / (most_y - lost2)
                by_player = least_x + (1 - least_x) * (one_won - least_y) / (won2 - least_y)
                turned = live
            # For money the heights of the cube are all alike, and the turning points have a closed form (Janowski).
            unit = np.where(self._money, one_won, 1.0)
            worth, cost = won / unit, -lost / unit
            by_other = np.where(self._money, (cost - 0.5) / (worth + cost + 0.5), by_other)
            by_player = np.where(self._money, (cost + 1) / (worth + cost + 0.5), by_player)
            turned = turned | self._money
            taken = (lost, one_lost, one_won, won, by_other, by_player, turned)
        assert taken is not None
        lost, one_lost, one_won, won, by_other, by_player, turned = taken
        lost, won = np.where(self._jacoby, one_lost, lost), np.where(self._jacoby, one_won, won)
        dead = lost + (won - lost) * win
        low_x, low_y = np.where(self._mine, 0.0, by_other), np.where(self._mine, lost, one_lost)
        high_x, high_y = np.where(self._theirs, 1.0, by_player), np.where(self._theirs, won, one_won)
        with np.errstate(divide="ignore", invalid="ignore"):
            low = lost + (low_y - lost) * win / low_x
            high = high_y + (won - high_y) * (win - high_x) / (1 - high_x)
            middle = low_y + (high_y - low_y) * (win - low_x) / (high_x - low_x)
        alive = np.where((win <= low_x) & (low_x > 0), low, np.where((win <= high_x) | (high_x >= 1), middle, high))
        value = np.where(turned, (1 - life) * dead + life * alive, dead)
        return 2 * (value - one_lost) / (one_won - one_lost) - 1


class _RolledBoards(NamedTuple):
    """The boards that the rolls lead to, seen by the player who has moved.

    Attributes:
        boards: of all rolls, each once.
        after: for each roll the numbers of its boards.
        chances: five outputs of each.
        life: how live the cube is on each.
    """

    boards: list[Points]
    after: list[Array]
    chances: Array
    life: Array


class _Rolled(NamedTuple):
    """What becomes of a board after each roll, in many contexts.

    Attributes:
        leaves: the boards.
        picks: in each context and after each roll, the number of the board that is chosen.
        values: the equity of that board, with the other player's best cube action.
    """

    leaves: _RolledBoards
    picks: Array
    values: Array


class CubeSearch:
    """Cube decisions of one board after the other, each in all contexts that are asked for.

    Args:
        native: what values boards.

    Attributes:
        VERSION: goes up when values change, so that no older answer that was kept is used.
    """

    VERSION: Final = 1

    def __init__(self, native: Native) -> None:
        self._native = native

    def values(
        self, board: Points, contexts: Sequence[Context], width: float, sample: Sequence[Roll]
    ) -> list[tuple[CubeValues, bool]]:
        """The cube values of a board in contexts in which the player on roll may double, and which of them are sampled.

        They are searched 2-ply deep, and a ply deeper by a sample of the rolls where the verdict is close.

        Args:
            board: before the roll.
            contexts: seen by the player on roll, without a limit of the cube.
            width: how far choices may be apart to be called close.
            sample: rolls that are searched deeper.
        """
        count = len(contexts)
        both = [*contexts, *(at.doubled() for at in contexts)]
        rolled = self._rolled(board, both, both)
        means = _mean(rolled.values)
        takes = self._takes(means, both)
        apart = np.minimum(abs(means[:count] - np.minimum(takes, 1.0)), abs(takes - 1.0))
        close = [at for at in range(count) if apart[at] <= width]
        if close:
            rows = np.array([*close, *(at + count for at in close)])
            means[rows] += self._gains(rolled, rows, both, sample)
            takes = self._takes(means, both)
        chances = _mean(rolled.leaves.chances[rolled.picks[:count]])
        found = []
        for at, context in enumerate(contexts):
            take = float(takes[at])
            beaver = context.beaver and take < 0
            told = probabilities_of(chances[at].tolist())
            value = CubeValues(float(means[at]), 2 * take if beaver else take, 1.0, told, beaver)
            found.append((value, at in close))
        return found

    def _gains(self, rolled: _Rolled, rows: Array, contexts: Sequence[Context], sample: Sequence[Roll]) -> Array:
        """What one more ply adds after the rolls of a sample, on average, in some of the contexts."""
        gains = np.zeros(len(rows))
        for roll in map(ROLLS.index, sample):
            picks = rolled.picks[rows, roll]
            for pick in np.unique(picks):
                alike = np.flatnonzero(picks == pick)
                after = flipped_board(rolled.leaves.boards[pick])
                deeper = self._before_roll(after, [contexts[rows[row]].flipped() for row in alike])
                gains[alike] -= deeper + rolled.values[rows[alike], roll]
        return gains / len(sample)

    def _before_roll(self, board: Points, contexts: Sequence[Context]) -> Array:
        """Equities of the player on roll, with their best cube action, searched 2-ply deep.

        Where the cube is turned the plays are those of the cube before it, as in bgsage's search.
        """
        if is_over(board) or is_over(flipped_board(board)):
            return np.array([self._native.before_roll(board, at, 2).equity for at in contexts])
        count = len(contexts)
        both = [*contexts, *(at.doubled() for at in contexts)]
        means = _mean(self._rolled(board, contexts, both).values)
        may_double = np.array([at.may_double for at in contexts])
        double = np.minimum(self._takes(means, both), 1.0)
        return np.where(may_double, np.maximum(means[:count], double), means[:count])

    def _takes(self, means: Array, contexts: Sequence[Context]) -> Array:
        """What a double that is taken is worth by the cube before it; the second half are the contexts after it."""
        count = len(means) // 2
        pairs = zip(means[count:].tolist(), contexts[count:], contexts[:count], strict=True)
        return np.array([self._native.rescaled(mean, raised, at) for mean, raised, at in pairs])

    def _rolled(self, board: Points, choosing: Sequence[Context], contexts: Sequence[Context]) -> _Rolled:
        """What becomes of a board after each roll.

        Args:
            board: before the roll.
            choosing: by which contexts plays are chosen: all, or the first half of them for the second half too.
            contexts: in which the plays are valued.
        """
        leaves = self._leaves(board)
        equities = _Scores(choosing, self._native).equities(leaves.chances, leaves.life)
        picks = np.array([after[equities[:, after].argmax(axis=1)] for after in leaves.after]).T
        picks = np.concatenate([picks] * (len(contexts) // len(choosing)))
        chances, life = leaves.chances[picks], leaves.life[picks]
        win, gammon, backgammon, lost_gammon, lost_backgammon = np.moveaxis(chances, -1, 0)
        turned = np.stack((1 - win, lost_gammon, lost_backgammon, gammon, backgammon), axis=-1)
        others = [at.flipped() for at in contexts]
        raised = [at.doubled() for at in others]
        rolling, taken = (_Scores(some, self._native).equities(turned, life) for some in (others, raised))
        scale = np.array([self._native.scale_of(*pair) for pair in zip(others, raised, strict=True)])
        taken = scale[:, :1] + scale[:, 1:] * taken
        may_double, beaver = (np.array([[getattr(at, name)] for at in others]) for name in ("may_double", "beaver"))
        taken = np.where(beaver & (taken < 0), 2 * taken, taken)
        best = np.where(may_double, np.maximum(rolling, np.minimum(taken, 1.0)), rolling)
        return _Rolled(leaves, picks, -best)

    def _leaves(self, board: Points) -> _RolledBoards:
        places: dict[Points, int] = {}
        after = [
            np.array([places.setdefault(tuple(each), len(places)) for each in self._native.results(board, *roll)])
            for roll in ROLLS
        ]
        boards = [*places]
        chances = self._native.chances_of(boards)
        life = [*map(self._native.life, chances, boards)]
        return _RolledBoards(boards, after, np.array(chances), np.array(life))


def _mean(values: Array) -> Array:
    """The mean over the 21 rolls, which are the second axis; added up roll by roll, so that it repeats to the bit."""
    total = np.zeros_like(values[:, 0])
    for roll, weight in enumerate(_WAYS):
        total = total + weight * values[:, roll]
    return total
