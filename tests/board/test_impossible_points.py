"""Plays between numbers that are no points: no text of a record holds them, a program may."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, strategies as st

from bgtools.board.board import BAR, OFF
from bgtools.board.movement import forced, resolve
from bgtools.board.play import HopText, PlayText
from bgtools.board.violation import Violation
from bgtools.checks.checking import check
from bgtools.record.record import CheckerPlay, Game, Match
from support import scatter


@given(
    seed=st.integers(0, 1 << 16),
    dice=st.tuples(st.integers(1, 6), st.integers(1, 6)),
    groups=st.lists(
        st.tuples(
            st.lists(st.sampled_from((*range(-3, 30), 99)), min_size=2, max_size=4).map(tuple),
            st.sampled_from((-1, 0, 1, 2, 4, 99)),
        ),
        max_size=3,
    ),
)
def test_a_hop_from_or_to_what_is_no_point_is_a_violation_and_nothing_else(
    seed: int, dice: tuple[int, int], groups: list[tuple[tuple[int, ...], int]]
) -> None:
    position = scatter(random.Random(seed))
    hops = [HopText(points, (False,) * (len(points) - 1), count) for points, count in groups]
    outcome = resolve(position, dice, hops)
    impossible = any(not OFF <= point <= BAR for points, count in groups if count > 0 for point in points)
    if impossible:
        assert isinstance(outcome, Violation)
        assert forced(position, hops) is None


@pytest.mark.parametrize("points", [(26, 20), (3, -3), (99, 0)])
def test_a_record_made_by_a_program_may_name_what_is_no_point(points: tuple[int, int]) -> None:
    play = CheckerPlay(player=0, dice=(6, 2), text=PlayText("moves", (HopText(points, (False,)),)))
    findings = check(Match(players=("Ann", "Bob"), length=7, games=(Game(number=1, score=(0, 0), entries=(play,)),)))
    assert any(finding.code.id in ("BG202", "BG205") for finding in findings)
