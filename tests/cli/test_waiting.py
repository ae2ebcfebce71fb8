"""What a terminal shows while it waits: a rate that is never 0, and an estimate that is made of more than a moment."""

from __future__ import annotations

import pytest

from bgtools.cli._progress import rate_text, time_left


@pytest.mark.parametrize(
    ("done", "seconds", "text"),
    [
        (0, 10, ""),
        (3, 0.1, ""),  # too short to tell
        (20, 2, "10 files/s"),
        (1, 10, "6 files/min"),
        (1, 50, "1 file/min"),
        (1, 300, "12 files/h"),
        (1, 7200, "0 files/h"),
        (3_600_000, 1, "3,600,000 files/s"),
    ],
)
def test_a_rate_has_the_unit_in_which_it_is_not_0(done: int, seconds: float, text: str) -> None:
    assert rate_text(done, seconds, "file") == text


def test_many_matches_are_many() -> None:
    assert rate_text(10, 2, "match") == "5 matches/s"


def test_an_estimate_needs_some_seconds() -> None:
    assert time_left(5, 100, 2.0) == "-:--:--"
    assert time_left(0, 100, 60.0) == "-:--:--"
    assert time_left(50, 100, 60.0) == "0:01:00"
    assert time_left(1, 121, 60.0) == "2:00:00"
    assert time_left(100, 100, 60.0) == "0:00:00"
