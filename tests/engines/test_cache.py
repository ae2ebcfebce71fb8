"""Answers are kept between runs, and a cache that fails costs time at most."""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from dataclasses import fields, is_dataclass, replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bgtools.board.board import START
from bgtools.board.generation import legal_plays
from bgtools.engines.cache import CachedEngine, Store, Usage
from bgtools.engines.protocol import (
    Candidate,
    CheckerAnswer,
    CheckerQuestion,
    CubeAnswer,
    CubeQuestion,
    LuckAnswer,
    LuckQuestion,
    Probabilities,
    Refused,
    Stamp,
)
from bgtools.met.finding import default
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.board.board import Dice
    from bgtools.engines.protocol import LuckConvention, Progress

ODDS = Probabilities(1 / 3, 0.1, 0.01, 0.1, 0.005)
SEVEN = MatchState(7)
ROLLS = [(high, low) for high in range(2, 7) for low in range(1, high)]


class Counting:
    """Answers made up from the question, and how many were asked for."""

    stamp = Stamp("counting", "1", "quick", "none")
    met = default()

    def __init__(self, fingerprint: str = "one", *, ends_after: int = 10**9) -> None:
        self.fingerprint = fingerprint
        self.asked = 0
        self.ends_after = ends_after

    def _ask(self, questions: Sequence[object]) -> None:
        if self.asked >= self.ends_after:
            raise KeyboardInterrupt
        self.asked += len(questions)

    def checker(
        self, questions: Sequence[CheckerQuestion], progress: Progress | None = None
    ) -> tuple[CheckerAnswer | Refused, ...]:
        self._ask(questions)
        if progress is not None:
            progress(1, 1)
        return tuple(self._play(question) for question in questions)

    def _play(self, question: CheckerQuestion) -> CheckerAnswer | Refused:
        if question.state.length == 1:
            return Refused("not this")
        plays = legal_plays(question.position, question.dice)[::-1]
        candidates = tuple(Candidate(play, 0.1 / (at + 3), ODDS, "1-ply", 1) for at, play in enumerate(plays))
        results = [play.result for play in plays]
        return CheckerAnswer(
            candidates, results.index(question.played) if question.played in results else None, self.stamp
        )

    def cube(
        self, questions: Sequence[CubeQuestion], progress: Progress | None = None
    ) -> tuple[CubeAnswer | Refused, ...]:
        self._ask(questions)
        return tuple(CubeAnswer(0.1 + 0.2, 0.7, 1.0, ODDS, "3-ply", self.stamp, is_beaver=True) for _ in questions)

    def luck(
        self, questions: Sequence[LuckQuestion], progress: Progress | None = None
    ) -> tuple[LuckAnswer | Refused, ...]:
        self._ask(questions)
        rolls = tuple(1 / (number + 3) for number in range(21))
        return tuple(
            LuckAnswer(1 / 7, 0.3, None, "1-ply", self.stamp, rolls if question.rolls else ()) for question in questions
        )


def plays(state: MatchState = SEVEN, rolls: Sequence[Dice] = ROLLS) -> list[CheckerQuestion]:
    return [
        CheckerQuestion(START, roll, state, legal_plays(START, roll)[-1].result if sum(roll) % 2 else None)
        for roll in rolls
    ]


def cubes() -> list[CubeQuestion]:
    return [CubeQuestion(START, MatchState(7)), CubeQuestion(START, MatchState())]


def lucks() -> list[LuckQuestion]:
    return [LuckQuestion(START, (3, 1), MatchState(7), opening) for opening in (True, False)]


def test_answers_come_back_to_the_bit_without_asking(tmp_path: Path) -> None:
    questions = plays()
    fresh = Counting()
    wanted = fresh.checker(questions), fresh.cube(cubes()), fresh.luck(lucks())
    for _ in range(2):
        inner = Counting()
        engine = CachedEngine(inner, Store(tmp_path / "a.sqlite"), batch=4)
        assert (engine.checker(questions), engine.cube(cubes()), engine.luck(lucks())) == wanted
    assert inner.asked == 0
    assert engine.store.usage().answers == len(questions) + 4


def test_what_rolls_are_worth_is_asked_for_once_and_serves_who_does_not_ask(tmp_path: Path) -> None:
    """What was kept before it could be asked for stays of use to who does not ask for it."""
    short = lucks()
    long = [replace(question, rolls=True) for question in short]
    for asked, count in ((short, 2), (short, 0), (long, 2), (long, 0), (short, 0)):
        inner = Counting()
        engine = CachedEngine(inner, Store(tmp_path / "a.sqlite"))
        assert engine.luck(asked) == Counting().luck(asked)
        assert inner.asked == count
    assert engine.store.usage().answers == 2


def test_one_question_asked_twice_is_one_question(tmp_path: Path) -> None:
    inner = Counting()
    engine = CachedEngine(inner, Store(tmp_path / "a.sqlite"))
    first, second = engine.checker([plays()[0]] * 2)
    assert first == second
    assert inner.asked == 1


def test_away_scores_count_and_not_the_length_of_the_match(tmp_path: Path) -> None:
    inner = Counting()
    engine = CachedEngine(inner, Store(tmp_path / "a.sqlite"))
    one = plays(MatchState(7, (2, 3)), [(3, 1)])
    engine.checker(one)
    engine.checker(plays(MatchState(9, (4, 5)), [(3, 1)]))
    assert inner.asked == 1
    for state in (MatchState(7, (3, 2)), MatchState(7, (2, 3), Cube(2, "mine")), MatchState()):
        engine.checker(plays(state, [(3, 1)]))
    engine.checker(plays(MatchState(7, (2, 3)), [(4, 1)]))
    assert inner.asked == 5


def test_a_changed_engine_is_asked_anew(tmp_path: Path) -> None:
    for number, fingerprint in enumerate(("one", "two")):
        inner = Counting(fingerprint)
        CachedEngine(inner, Store(tmp_path / "a.sqlite")).checker(plays())
        assert inner.asked == len(ROLLS), number


def test_another_bgtools_asks_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, version in enumerate(("0.1.0", "0.1.1")):
        monkeypatch.setattr("bgtools.engines.cache.__version__", version)
        inner = Counting()
        CachedEngine(inner, Store(tmp_path / "a.sqlite")).checker(plays())
        assert inner.asked == len(ROLLS), number


def test_rules_and_the_side_of_the_cube_make_other_questions(tmp_path: Path) -> None:
    inner = Counting()
    engine = CachedEngine(inner, Store(tmp_path / "a.sqlite"))
    states = [
        MatchState(cube=cube, rules=Ruleset(jacoby=jacoby, beavers=beavers))
        for cube in (Cube(), Cube(2, "mine"), Cube(2, "theirs"), Cube(2))
        for jacoby in (False, True)
        for beavers in (0, 1, 2)
    ]
    states += [MatchState(5, (4, 2), crawford=True), MatchState(5, (4, 2)), MatchState(5, (2, 4))]
    for state in states * 2:
        engine.cube([CubeQuestion(START, state)])
    assert inner.asked == len(states)


def test_the_convention_counts_for_opening_rolls_only(tmp_path: Path) -> None:
    inner = Counting()
    engine = CachedEngine(inner, Store(tmp_path / "a.sqlite"))
    conventions: tuple[LuckConvention, ...] = ("gnubg30", "roller15")
    engine.luck([LuckQuestion(START, (3, 1), SEVEN, convention=each) for each in conventions])
    one, two = (LuckQuestion(START, (3, 1), SEVEN, True, each) for each in conventions)
    for question in (one, two):
        engine.luck([question])
    assert engine.store.usage().answers == 3


def test_what_is_refused_is_not_kept(tmp_path: Path) -> None:
    engine = CachedEngine(Counting(), Store(tmp_path / "a.sqlite"))
    assert engine.checker(plays(MatchState(1), [(3, 1)])) == (Refused("not this"),)
    assert engine.store.usage().answers == 0


def test_work_cut_short_loses_one_batch_at_most(tmp_path: Path) -> None:
    inner = Counting(ends_after=8)
    with pytest.raises(KeyboardInterrupt):
        CachedEngine(inner, Store(tmp_path / "a.sqlite"), batch=4).checker(plays())
    again = Counting()
    CachedEngine(again, Store(tmp_path / "a.sqlite"), batch=4).checker(plays())
    assert again.asked == len(ROLLS) - 8


def test_progress_counts_what_is_known_already(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    CachedEngine(Counting(), Store(tmp_path / "a.sqlite")).checker(plays()[:5])
    engine = CachedEngine(Counting(), Store(tmp_path / "a.sqlite"), batch=5)
    engine.checker(plays(), lambda done, total: told.append((done, total)))
    assert told == [(10, 15), (15, 15)]


def test_the_file_keeps_to_its_size_and_to_what_was_used_last(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    store = Store(path, megabytes=0.2)
    blob = bytes(range(256)) * 4
    for number in range(600):
        store.put([(number.to_bytes(16, "big"), blob)])
        usage = store.usage()
        assert usage.size <= 0.2e6
        # No more goes than has to: what is cut down to three quarters fills up again.
        assert usage.answers >= min(number, 80)
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE answers SET used = 1 WHERE key = (SELECT MAX(key) FROM answers)")
        (oldest,) = connection.execute("SELECT key FROM answers WHERE used = 1").fetchone()
    store = Store(path, megabytes=0.2)
    for number in range(1000, 1200):
        store.put([(number.to_bytes(16, "big"), blob)])
    assert not store.get([oldest])


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    path.write_bytes(b"no database at all, but long enough to be looked at" * 100)
    store = Store(path)
    assert not store.fault
    store.put([(b"key", b"answer")])
    assert store.get([b"key"]) == {b"key": b"answer"}


def test_a_file_damaged_where_opening_it_does_not_look_is_made_anew_by_the_next_run(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    store = Store(path)
    store.put([(number.to_bytes(16, "big"), bytes(500)) for number in range(3000)])
    store.close()
    whole = path.read_bytes()
    path.write_bytes(whole[: 3 * 4096] + b"\xa5" * (len(whole) - 3 * 4096))
    damaged = Store(path)
    assert not damaged.fault
    assert damaged.usage() == Usage(path, 0, 0)
    assert "malformed" in damaged.fault
    assert len(CachedEngine(Counting(), damaged).checker(plays())) == len(ROLLS)
    again = Store(path)
    again.put([(b"key", b"answer")])
    assert again.usage().answers == 1
    assert not again.fault


def test_a_damaged_answer_is_asked_for_again(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    wanted = CachedEngine(Counting(), Store(path)).checker(plays())
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE answers SET answer = X'00'")
    inner = Counting()
    assert CachedEngine(inner, Store(path)).checker(plays()) == wanted
    assert inner.asked == len(ROLLS)


def test_a_folder_that_cannot_be_written_costs_no_answer(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "a.sqlite")
    assert "file" in store.fault
    assert len(CachedEngine(Counting(), store).checker(plays())) == len(ROLLS)
    assert store.usage().answers == 0


def test_two_processes_may_keep_answers_at_once(tmp_path: Path) -> None:
    one, two = Store(tmp_path / "a.sqlite"), Store(tmp_path / "a.sqlite")
    for number in range(20):
        one.put([(bytes([number]), b"one")])
        two.put([(bytes([100 + number]), b"two")])
    assert one.usage().answers == 40
    assert not one.fault
    assert not two.fault


def test_clearing_forgets(tmp_path: Path) -> None:
    store = Store(tmp_path / "a.sqlite")
    store.put([(b"key", b"answer")])
    store.clear()
    assert store.usage().answers == 0
    store.put([(b"key", b"answer")])
    assert store.usage().answers == 1


def test_clearing_leaves_the_file_to_a_process_that_uses_it(tmp_path: Path) -> None:
    working, clearing = Store(tmp_path / "a.sqlite"), Store(tmp_path / "a.sqlite")
    working.put([(number.to_bytes(16, "big"), bytes(500)) for number in range(3000)])
    clearing.clear()
    assert clearing.usage().answers == 0
    assert clearing.usage().size < 50_000
    assert clearing.path.stat().st_size < 50_000
    working.put([(b"key", b"answer")])
    assert clearing.get([b"key"]) == {b"key": b"answer"}
    assert not working.fault


BAD: tuple[Any, ...] = (1e400, -1e400, float("nan"), None, "0.5", [], {}, True, 10**400, 2**70)
"""What no figure is, and what no number of a play is."""


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("kind", ["checker", "cube", "luck", "rolls"])
def test_an_answer_with_anything_else_in_it_is_dropped_and_asked_for_again(tmp_path: Path, kind: str) -> None:
    """Every value of an answer in turn becomes every other kind of thing."""
    path = tmp_path / "a.sqlite"
    rolls = [replace(question, rolls=True) for question in lucks()[:1]]
    asked: Any = {"checker": plays()[:1], "cube": cubes()[:1], "luck": lucks()[:1], "rolls": rolls}[kind]

    def ask(inner: Counting, store: Store) -> Any:
        return getattr(CachedEngine(inner, store), "luck" if kind == "rolls" else kind)(asked)

    wanted = ask(Counting(), Store(path))
    with sqlite3.connect(path) as connection:
        ((key, blob),) = connection.execute("SELECT key, answer FROM answers").fetchall()
    whole = json.loads(zlib.decompress(blob))
    ruined = [with_one(whole, at, bad) for at, old in places(whole) for bad in BAD if not may_be(old, bad)]
    texts = [json.dumps(each).encode() for each in ruined if json.dumps(each) != json.dumps(whole)]
    values: list[object] = [zlib.compress(text) for text in (*texts, b"[" * 100_000, b"", b"\xff", bytes(50 << 20))]
    values += ["text", 5, 0.5, blob[:-3], b""]
    for value in values:
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE answers SET answer = ? WHERE key = ?", (value, key))
        store = Store(path)
        answer = ask(Counting(), store)
        assert not store.fault
        store.close()
        for figure in figures(answer):
            assert isfinite(figure), value
        assert answer == wanted, value


def places(value: Any, at: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    yield at, value
    if isinstance(value, list):
        for number, each in enumerate(value[:3]):
            yield from places(each, (*at, number))


def may_be(old: Any, new: Any) -> bool:
    """Whether another answer may have that there: other words, or no chances, or no match equity in a money session."""
    is_chances = isinstance(old, list) and {type(each) for each in old} == {float} and len(old) == 5
    return new is old or (isinstance(old, str) and isinstance(new, str)) or (new is None and is_chances)


def with_one(value: Any, at: tuple[int, ...], new: object) -> Any:
    if not at:
        return new
    return [with_one(each, at[1:], new) if number == at[0] else each for number, each in enumerate(value)]


def figures(value: Any) -> Iterator[float]:
    if isinstance(value, float):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from figures(each)
    elif is_dataclass(value):
        yield from figures(tuple(getattr(value, each.name) for each in fields(value)))


def test_a_table_of_another_kind_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE answers (something TEXT)")
    told: list[str] = []
    store = Store(path, on_fault=told.append)
    store.put([(b"key", b"answer")])
    assert store.get([b"key"]) == {b"key": b"answer"}
    assert told == []


@pytest.mark.parametrize("begun", [False, True])
def test_a_locked_file_is_told_once_and_done_without(tmp_path: Path, *, begun: bool) -> None:
    path = tmp_path / "a.sqlite"
    told: list[str] = []
    store = Store(path, on_fault=told.append) if begun else None
    with sqlite3.connect(path, isolation_level=None) as other:
        if not begun:
            other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        store = store or Store(path, on_fault=told.append)
        began = time.monotonic()
        assert len(CachedEngine(Counting(), store).checker(plays())) == len(ROLLS)
        assert time.monotonic() - began < 10
    (only,) = told
    assert "locked" in only
