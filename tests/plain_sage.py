"""bgsage as it comes, at one depth for all plays that its own filter leaves: what the levels of `sage` have to beat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bgtools.board.generation import legal_plays
from bgtools.engines.protocol import Candidate, CheckerAnswer, CubeAnswer, Refused, Stamp
from bgtools.engines.sage.frame import board_of, probabilities_of
from bgtools.met.finding import default

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.engines.protocol import CheckerQuestion, CubeQuestion, LuckAnswer, LuckQuestion, Progress
    from bgtools.rules.cube import MatchState

OWNERS = {"centre": "centered", "mine": "player", "theirs": "opponent"}


class PlainSage:
    """bgsage's analyser as an `Engine`, on one thread."""

    def __init__(self, plies: int) -> None:
        from bgsage import BgBotAnalyzer

        self.stamp = Stamp("plain bgsage", "", f"{plies}-ply", default().name)
        self.met = default()
        self._by_cube = {
            cubeful: BgBotAnalyzer(eval_level=f"{plies}ply", cubeful=cubeful, parallel_threads=1)
            for cubeful in (True, False)
        }

    def checker(
        self, questions: Sequence[CheckerQuestion], progress: Progress | None = None
    ) -> tuple[CheckerAnswer | Refused, ...]:
        return tuple(map(self._play, questions))

    def _play(self, question: CheckerQuestion) -> CheckerAnswer:
        state = question.state
        dead = state.rules.cube_limit is not None and state.cube.value >= state.rules.cube_limit
        found = self._by_cube[not dead].checker_play(list(board_of(question.position)), *question.dice, **terms(state))
        plays = {board_of(play.result): play for play in legal_plays(question.position, question.dice)}
        candidates = tuple(
            Candidate(plays[tuple(move.board)], move.equity, None, move.eval_level, 1) for move in found.moves
        )
        at = next((at for at, each in enumerate(candidates) if each.play.result == question.played), None)
        return CheckerAnswer(candidates, at, self.stamp)

    def cube(
        self, questions: Sequence[CubeQuestion], progress: Progress | None = None
    ) -> tuple[CubeAnswer | Refused, ...]:
        return tuple(map(self._cube, questions))

    def _cube(self, question: CubeQuestion) -> CubeAnswer:
        found: Any = self._by_cube[True].cube_action(list(board_of(question.position)), **terms(question.state))
        chances = [getattr(found.probs, name) for name in ("win", "gammon_win", "backgammon_win", "gammon_loss")]
        return CubeAnswer(
            found.equity_nd,
            found.equity_dt,
            1.0,
            probabilities_of([*chances, found.probs.backgammon_loss]),
            "",
            self.stamp,
        )

    def luck(
        self, questions: Sequence[LuckQuestion], progress: Progress | None = None
    ) -> tuple[LuckAnswer | Refused, ...]:
        return tuple(Refused("not asked") for _ in questions)


def terms(state: MatchState) -> dict[str, Any]:
    away = (0, 0) if state.is_money else state.away
    return {
        "cube_value": state.cube.value,
        "cube_owner": OWNERS[state.cube.owner],
        "away1": away[0],
        "away2": away[1],
        "is_crawford": state.crawford,
        "jacoby": bool(state.rules.jacoby),
        "beaver": bool(state.rules.beavers),
    }
