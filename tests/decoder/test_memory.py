"""Games that are remembered: a record is replayed after a change just as if nothing had been."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bgtools.decoder import interpretation
from bgtools.decoder.game import GameSearch
from bgtools.decoder.interpretation import interpret
from bgtools.decoder.memory import Memory
from bgtools.formats.reading import read_source
from bgtools.replayer.match import replay

if TYPE_CHECKING:
    import pytest

    from bgtools.record.record import Match

TEXT = (Path(__file__).parents[2] / "samples" / "five-slips.mat").read_text(encoding="utf-8")


def read(text: str) -> Match:
    return read_source(text.encode(), "typed.mat")[0]


def typed(rng: random.Random, text: str) -> str:
    """A text after a letter was typed, or lost, in one of its rolls; half of the time with lines before it."""
    cell = rng.choice([*re.finditer(r"\d\d: [\d/* ]+\d", text)])
    at = rng.randrange(cell.start(), cell.end())
    changed = text[:at] + rng.choice(["", "1", "/", "22"]) + text[at + rng.choice([0, 1]) :]
    return "; a remark\n" * rng.randrange(3) + changed


def test_a_record_is_read_with_a_memory_as_without_one() -> None:
    rng, known, compared = random.Random(7), Memory(), 0
    for _ in range(10):
        text = typed(rng, TEXT)
        one, two = read(text), read(text)
        remembered, alone = interpret(one, known), interpret(two)
        assert [each.slip for each in remembered.corrections] == [each.slip for each in alone.corrections]
        assert remembered.right().games == alone.right().games
        games = replay(one)
        assert games == replay(two)
        spans = {entry.span for game in one.games for entry in game.entries}
        assert all(turn.entry.span in spans for game in games for turn in game.turns)
        compared += len(remembered.corrections)
    assert compared > 10


def test_only_the_game_that_was_changed_is_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: set[int | None] = set()
    usual = GameSearch._search

    def counting(search: GameSearch, *, doubted: bool) -> None:
        searched.add(search.game.number)
        usual(search, doubted=doubted)

    monkeypatch.setattr(GameSearch, "_search", counting)
    known = Memory()
    interpret(read(TEXT), known)
    assert searched == {1, 2, 3}
    searched.clear()
    interpret(read("; a remark\n" + TEXT.replace("62: 24/18 18/16 ", "62: 24/18 13/11 ")), known)
    assert 3 in searched
    assert 1 not in searched


def test_what_was_found_with_less_to_try_is_not_taken_for_all_that_can_be_found() -> None:
    known, match = Memory(), read(TEXT)
    interpret(match, known, most=1)
    again, alone = (interpret(read(TEXT), memory) for memory in (known, None))
    assert again.corrections == alone.corrections
    assert interpretation.effort_of(match).left > 1


def test_a_record_whose_bytes_were_let_go_is_searched_no_longer_than_a_file() -> None:
    match = read("".join(["7 point match\n", *("\nGame 1\n 1) 31: 24/1   42: 24/2\n" for _ in range(2000))]))
    assert match.source is not None
    let_go = replace(match, source=replace(match.source, data=b""))
    assert 1 < interpretation.effort_of(match).left <= interpretation.effort_of(let_go).left < 2000
