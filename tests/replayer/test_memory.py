"""Games that are remembered: a record is replayed after a change just as if nothing had been."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

from bgtools.formats.reading import read_source
from bgtools.replayer import game as games
from bgtools.replayer.budget import Budget
from bgtools.replayer.match import replay_within
from bgtools.replayer.memory import Memory

if TYPE_CHECKING:
    import pytest

    from bgtools.record.record import Match

TEXT = (Path(__file__).parents[2] / "samples" / "five-slips.mat").read_text(encoding="utf-8")


def read(text: str) -> Match:
    return read_source(text.encode(), "typed.mat")[0]


def small() -> Budget:
    """A budget that is soon spent."""
    return Budget(4, 1500)


def typed(rng: random.Random, text: str) -> str:
    """A text after a letter was typed, or lost, in one of its rolls; half of the time with lines before it."""
    cell = rng.choice([*re.finditer(r"\d\d: [\d/* ]+\d", text)])
    at = rng.randrange(cell.start(), cell.end())
    changed = text[:at] + rng.choice(["", "1", "/", "22"]) + text[at + rng.choice([0, 1]) :]
    return "; a remark\n" * rng.randrange(3) + changed


def test_a_record_is_replayed_with_a_memory_as_without_one() -> None:
    rng, known = random.Random(7), Memory()
    for _ in range(10):
        match = read(typed(rng, TEXT))
        remembered = replay_within(match, small(), known)
        assert remembered == replay_within(match, small())
        assert all(
            turn.entry.span in {entry.span for entry in game.game.entries} for game in remembered for turn in game.turns
        )


def test_only_the_game_that_was_changed_is_replayed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []
    usual = games.replay_game

    def counting(game, index, *rest):  # type: ignore[no-untyped-def]
        made = usual(game, index, *rest)
        if not made.is_sound:
            played.append(index)
        return made

    monkeypatch.setattr(games, "replay_game", counting)
    known = Memory()
    replay_within(read(TEXT), small(), known, exact=False)
    assert played == [0, 1, 2]
    played.clear()
    replay_within(
        read("; a remark\n" + TEXT.replace("62: 24/18 18/16 ", "62: 24/18 13/11 ")), Budget(), known, exact=False
    )
    assert played == [2]


def test_what_was_found_with_less_to_try_is_not_taken_for_all_that_can_be_found() -> None:
    known, match = Memory(), read(TEXT)
    replay_within(match, Budget(0, 0), known)
    assert replay_within(match, small(), known) == replay_within(match, small())
    assert replay_within(match, Budget(0, 0), known, exact=False) == replay_within(match, small())
