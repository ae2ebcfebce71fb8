"""The search of the cube at many scores gives bgsage's own values, and each score those that it has alone."""

from __future__ import annotations

import random
import sys
from itertools import product
from pathlib import Path

import pytest

from bgtools.engines.protocol import CubeQuestion
from bgtools.engines.sage.cube_search import CubeSearch
from bgtools.engines.sage.engine import SageEngine
from bgtools.engines.sage.frame import Context, board_of, context
from bgtools.engines.sage.native import SAMPLES, Native
from bgtools.formats.reading import read
from bgtools.replayer.match import replay
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset
from support import some_or_all

SAMPLE = Path(__file__).parents[2] / "samples" / "seven-point.mat"


def _contexts() -> list[Context]:
    """Scores before, in and after the Crawford game, cubes at all places, and money under all rules."""
    found = []
    for own, other in product(range(1, 8), repeat=2):
        score = (7 - own, 7 - other)
        found.append(MatchState(7, score))
        found += [MatchState(7, score, Cube(2 ** (1 + (own + other) % 3), owner)) for owner in ("mine", "theirs")]
        if (own == 1) != (other == 1):
            found.append(MatchState(7, score, crawford=True))
    found += [MatchState(25, (2, 5)), MatchState(25, (0, 0), Cube(4, "mine"))]
    for jacoby, beavers, cube in product((False, True), (0, 1), (Cube(), Cube(2, "mine"), Cube(4, "theirs"))):
        found.append(MatchState(cube=cube, rules=Ruleset(jacoby=jacoby, beavers=beavers)))
    return [context(state) for state in found]


@some_or_all(12)
def test_a_search_at_many_scores_is_that_of_bgsage_at_each(step: int) -> None:
    native = Native(1)
    chosen = random.Random(5)
    turns = [turn for game in replay(read(SAMPLE)) for turn in game.turns if not turn.before.is_over]
    apart = []
    contexts = _contexts()
    for turn in chosen.sample(turns, 60)[::step]:
        board = board_of(turn.before)
        found = CubeSearch(native)._before_roll(board, contexts)
        each = [native.before_roll(board, at, 2).equity for at in contexts]
        apart.append(max(abs(one - two) for one, two in zip(found, each, strict=True)))
    assert len(apart) >= 5
    # Where two plays are worth the same to a millionth, the other one may be chosen.
    assert sum(most > 1e-5 for most in apart) <= len(apart) / 20
    assert max(apart) < 1e-3


def test_a_score_is_worth_the_same_alone_and_among_others() -> None:
    native = Native(1)
    chosen = random.Random(6)
    turns = [turn for game in replay(read(SAMPLE)) for turn in game.turns if not turn.before.is_over]
    contexts = [at for at in _contexts() if at.may_double]
    for turn in chosen.sample(turns, 3):
        board = board_of(turn.before)
        together = CubeSearch(native).values(board, contexts, 0.08, SAMPLES[6])
        alone = [CubeSearch(native).values(board, [at], 0.08, SAMPLES[6])[0] for at in contexts[::7]]
        assert together[::7] == alone
        assert any(deep for _, deep in together)


def test_without_numpy_values_are_those_of_bgsage(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = [turn for game in replay(read(SAMPLE)) for turn in game.turns if turn.state.may_double]
    asked = [CubeQuestion(turn.before, turn.state) for turn in random.Random(7).sample(turns, 12)]
    usual = SageEngine("quick", threads=1)
    monkeypatch.setitem(sys.modules, "bgtools.engines.sage.cube_search", None)
    bare = SageEngine("quick", threads=1)
    assert bare.fingerprint != usual.fingerprint
    for one, two in zip(usual.cube(asked), bare.cube(asked), strict=True):
        assert one.no_double == pytest.approx(two.no_double, abs=1e-3)  # type: ignore[union-attr]
        assert one.double_take == pytest.approx(two.double_take, abs=1e-3)  # type: ignore[union-attr]
        assert one.depth == two.depth  # type: ignore[union-attr]
