"""The engine gnubg: it says what GNU Backgammon itself says, and fails in words when the program does."""

from __future__ import annotations

import os
import random
import signal
import time
from dataclasses import replace
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

import pytest
from printed_statistics import counted, printed

from bgtools.analysis.match_analysis import analyse
from bgtools.board.board import START, Board, checkers
from bgtools.board.generation import legal_plays
from bgtools.checks.checking import check
from bgtools.engines.gnubg import engine as module, session as sgf
from bgtools.engines.gnubg.engine import GnubgEngine
from bgtools.engines.gnubg.session import find_program
from bgtools.engines.protocol import (
    CheckerAnswer,
    CheckerQuestion,
    CubeAnswer,
    CubeQuestion,
    EngineUnavailable,
    LuckAnswer,
    LuckQuestion,
    Refused,
)
from bgtools.findings.finding import Severity
from bgtools.formats.reading import read
from bgtools.met.finding import default
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset
from gnubg_export import PROGRAM
from support import CORPUS, needs_corpus, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLES = Path(__file__).parents[2] / "samples"
CONTACT = Board(checkers({24: 1, 20: 2, 13: 3, 8: 3, 6: 4, 5: 2}), checkers({24: 2, 13: 4, 8: 4, 6: 5}))
SHUT_OUT = Board(checkers({25: 1, 13: 4, 8: 4, 6: 6}), checkers({1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 3}))
STRONG = Board(checkers({13: 2, 8: 3, 6: 3, 5: 3, 4: 2, 3: 2}), checkers({25: 1, 24: 1, 13: 4, 8: 4, 6: 5}))
SEVEN = MatchState(7)
MONEY = MatchState()
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]

needs_gnubg = pytest.mark.needs(PROGRAM, "GNU Backgammon")


@pytest.fixture(scope="module")
def engine() -> Iterator[GnubgEngine]:
    """0-ply, with two threads."""
    started = GnubgEngine("quick", threads=2)
    yield started
    started.close()


def _play(engine: GnubgEngine, question: CheckerQuestion) -> CheckerAnswer:
    (answer,) = engine.checker([question])
    assert isinstance(answer, CheckerAnswer)
    return answer


def _cube(engine: GnubgEngine, position: Board, state: MatchState) -> CubeAnswer:
    (answer,) = engine.cube([CubeQuestion(position, state)])
    assert isinstance(answer, CubeAnswer)
    return answer


def _luck(engine: GnubgEngine, *questions: LuckQuestion) -> list[LuckAnswer]:
    answers = [answer for answer in engine.luck(questions) if isinstance(answer, LuckAnswer)]
    assert len(answers) == len(questions)
    return answers


def _questions(seed: int, count: int) -> list[CheckerQuestion]:
    """Decisions of random games at many scores, with cubes on either side."""
    rng = random.Random(seed)
    states = [
        SEVEN,
        MONEY,
        MatchState(5, (3, 4), crawford=True),
        MatchState(5, (4, 2)),
        MatchState(9, (1, 3), Cube(2, "mine")),
        MatchState(0, (0, 0), Cube(4, "theirs"), rules=Ruleset(jacoby=True)),
        MatchState(0, rules=Ruleset(jacoby=True, beavers=3)),
    ]
    found: list[CheckerQuestion] = []
    while len(found) < count:
        for position in walk(rng):
            if position.is_over or rng.random() < 0.7:
                continue
            dice = rng.choice(ROLLS)
            found.append(
                CheckerQuestion(position, dice, rng.choice(states), rng.choice(legal_plays(position, dice)).result)
            )
    return found[:count]


# --- GNU Backgammon's own figures -------------------------------------------------------------


@needs_gnubg
@pytest.mark.parametrize(
    ("name", "plies"),
    [("seven-point.mat", 0), ("money.mat", 0), ("one-point.mat", 0), ("one-point.mat", 1), ("seven-point.mat", 2)],
)
def test_totals_are_those_of_its_own_statistics_to_the_last_digit(name: str, plies: int, tmp_path: Path) -> None:
    match = read(SAMPLES / name)
    if plies == 2:
        # That takes long, so no more than how a game begins.
        game = match.games[0]
        match = replace(match, games=(replace(game, entries=game.entries[:8], results=()),))
    own = printed(match, plies, tmp_path)
    ours = counted(analyse(match, GnubgEngine(plies=plies, threads=2)), own)
    assert ours == {key: own[key] for key in ours}
    assert len(ours) == 14


@needs_gnubg
@needs_corpus
@pytest.mark.parametrize(
    "name",
    [
        "sgf/kevung__gbf__charlot1-charlot2_7p_2025-11-08-2305.sgf",
        "sgf/jugglingcats__gnubg__full_match.sgf",
        "sgf/lassehjorthmadsen__gnubg-scripts__match1486073_analyzed.sgf",
        "sgf/zmetcalf__backgammon_sgf__gnubg_file.sgf",
    ],
)
def test_totals_of_other_peoples_matches_are_its_own_too(name: str, tmp_path: Path, engine: GnubgEngine) -> None:
    match = read(CORPUS / name)
    assert not [one for one in check(match) if one.severity is Severity.ERROR]
    own = printed(match, 0, tmp_path)
    ours = counted(analyse(match, engine), own)
    assert ours == {key: own[key] for key in ours}


# --- checker plays ----------------------------------------------------------------------------


@needs_gnubg
def test_every_legal_play_is_valued_best_first_and_the_one_made_as_deep_as_the_best(engine: GnubgEngine) -> None:
    questions = _questions(1, 60)
    deeper = GnubgEngine(plies=1, threads=2)
    for answers in (engine.checker(questions), deeper.checker(questions)):
        for question, answer in zip(questions, answers, strict=True):
            assert isinstance(answer, CheckerAnswer)
            plays = legal_plays(question.position, question.dice)
            assert {one.play.result for one in answer.candidates} == {play.result for play in plays}
            assert len(answer.candidates) == len(plays)
            order = [(-one.rank, -one.equity) for one in answer.candidates]
            assert order == sorted(order)
            assert answer.played is not None
            assert answer.played.play.result == question.played
            assert answer.played.rank == answer.best.rank
            assert all(one.depth == f"{one.rank}-ply" for one in answer.candidates)
            assert all(one.probabilities is not None and 0 <= one.probabilities.win <= 1 for one in answer.candidates)
    deeper.close()


@needs_gnubg
def test_the_move_filter_says_how_many_plays_are_looked_at_deeper() -> None:
    question = CheckerQuestion(CONTACT, (2, 1), MONEY, legal_plays(CONTACT, (2, 1))[0].result)
    deep: dict[str, int] = {}
    for level, plies in (("standard", None), ("deep", None), ("standard", 2)):
        engine = GnubgEngine(level, plies=plies, threads=2)  # type: ignore[arg-type]
        answer = _play(engine, question)
        deep[f"{level} {plies or ''}"] = sum(one.rank == 2 for one in answer.candidates)
        engine.close()
    # The best, as many more as the filter lets through, and the one that was made.
    assert 1 < deep["standard "] <= 10
    assert deep["standard "] < deep["deep "] <= 18
    assert deep["standard 2"] == deep["deep "], "with plies of its own it filters as its own analysis does"


@needs_gnubg
def test_a_play_that_is_unknown_or_illegal_leaves_the_others_valued(engine: GnubgEngine) -> None:
    unknown = _play(engine, CheckerQuestion(START, (3, 1), SEVEN))
    illegal = _play(engine, CheckerQuestion(START, (3, 1), SEVEN, CONTACT))
    assert unknown.played is None
    assert illegal.played is None
    assert str(unknown.best.play) == "8/5 6/5"
    assert unknown.candidates == illegal.candidates


@needs_gnubg
def test_answers_depend_neither_on_threads_nor_on_batches_nor_on_what_is_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    questions = _questions(2, 40)
    cubes = [CubeQuestion(one.position, one.state) for one in questions]
    rolls = [LuckQuestion(one.position, one.dice, one.state) for one in questions]
    one = GnubgEngine(plies=1, threads=1, cache=1000)
    wanted = one.checker(questions), one.cube(cubes), one.luck(rolls)
    monkeypatch.setattr(module, "_BATCH", (7,) * 5)
    two = GnubgEngine(plies=1, threads=3)
    shuffled = random.Random(3).sample(range(40), 40)
    found = two.checker([questions[at] for at in shuffled])
    assert dict(zip(shuffled, found, strict=True)) == dict(enumerate(wanted[0]))
    assert (two.cube(cubes), two.luck(rolls)) == wanted[1:]
    one.close()
    two.close()


@needs_gnubg
def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    # GNU Backgammon keeps a score of 1 away each and a money session under one key.
    last, money = MatchState(5, (4, 4)), CheckerQuestion(CONTACT, (2, 1), MONEY)
    fresh = GnubgEngine("quick", threads=1)
    wanted = _play(fresh, money)
    fresh.close()
    other = GnubgEngine("quick", threads=1)
    (decided,) = other.checker([replace(money, state=last)])
    assert _play(other, money) == wanted != decided
    assert other.checker([replace(money, state=last), money]) == (decided, wanted)
    other.close()


@needs_gnubg
def test_a_dance_is_worth_what_the_position_is_worth(engine: GnubgEngine) -> None:
    # Whoever holds the cube: the other player's next decision says it, or GNU Backgammon is asked for the position.
    for state in (SEVEN, MONEY, replace(SEVEN, cube=Cube(2, "theirs")), MatchState(5, (3, 4), crawford=True)):
        answer = _play(engine, CheckerQuestion(SHUT_OUT, (6, 5), state, SHUT_OUT))
        ((equity, chances),) = engine._session().values(
            [sgf.numbers(SHUT_OUT.flipped(), state.flipped())], money=state.is_money
        )
        assert answer.best.equity == pytest.approx(-equity, abs=1e-5)
        assert answer.best.probabilities is not None
        assert answer.best.probabilities.win == pytest.approx(1 - chances[0], abs=1e-5)
        assert answer.loss == 0
        assert len(answer.candidates) == 1
    # And to the other player, on roll without the cube, it is about the mean of their best plays.
    held = replace(MONEY, cube=Cube(2, "mine"))
    answer = _play(engine, CheckerQuestion(SHUT_OUT, (6, 5), held, SHUT_OUT))
    (next_roll,) = _luck(engine, LuckQuestion(SHUT_OUT.flipped(), (6, 5), held.flipped()))
    assert answer.best.equity == pytest.approx(-next_roll.mean, abs=0.1)


# --- cube -------------------------------------------------------------------------------------


@needs_gnubg
def test_cube_equities_are_for_the_cube_before_the_double(engine: GnubgEngine) -> None:
    for state in (SEVEN, MONEY, replace(SEVEN, cube=Cube(2, "mine")), replace(MONEY, cube=Cube(8, "mine"))):
        answer = _cube(engine, STRONG, state)
        assert answer.double_pass == 1.0
        assert answer.probabilities is not None
        assert answer.probabilities.win > 0.6
        assert answer.should_double == (answer.no_double < answer.double)
        assert answer.double_take > answer.double_pass
        assert answer.depth == "0-ply"
    assert _cube(engine, START, SEVEN).action == "No double, take"


@needs_gnubg
def test_a_last_roll_is_worth_what_can_be_counted(engine: GnubgEngine) -> None:
    last = Board(checkers({5: 1, 2: 1}), checkers({1: 1}))
    off = sum(
        any(not any(play.result.mine[1:]) for play in legal_plays(last, (high, low)))
        for high in range(1, 7)
        for low in range(1, 7)
    )
    chance = off / 36
    answer = _cube(engine, last, MONEY)
    assert answer.probabilities is not None
    assert answer.probabilities.win == pytest.approx(chance, abs=1e-4)
    assert answer.no_double == pytest.approx(2 * chance - 1, abs=2e-4)
    assert answer.double_take == pytest.approx(2 * (2 * chance - 1), abs=4e-4)


@needs_gnubg
def test_a_take_that_is_better_beavered_is_a_beaver_where_that_is_allowed(engine: GnubgEngine) -> None:
    plain = _cube(engine, STRONG.flipped(), MONEY)
    allowed = _cube(engine, STRONG.flipped(), replace(MONEY, rules=Ruleset(beavers=1)))
    assert plain.double_take < 0
    assert not plain.is_beaver
    assert allowed.is_beaver
    assert allowed.double_take < 1.5 * plain.double_take


@needs_gnubg
def test_what_may_not_be_asked_is_refused_with_the_reason(engine: GnubgEngine) -> None:
    crowded = Board(checkers({6: 15}), checkers({19: 15}))
    plays = engine.checker(
        [
            CheckerQuestion(crowded, (3, 1), SEVEN),
            CheckerQuestion(START, (7, 1), SEVEN),
            CheckerQuestion(START, (3, 1), MatchState(31)),
        ]
    )
    cubes = engine.cube(
        [
            CubeQuestion(START, MatchState(5, (4, 2), crawford=True)),
            CubeQuestion(START, replace(SEVEN, cube=Cube(2, "theirs"))),
        ]
    )
    (double,) = engine.luck([LuckQuestion(START, (3, 3), SEVEN, opening=True)])
    refused = [answer.reason for answer in (*plays, *cubes, double) if isinstance(answer, Refused)]
    assert refused == [
        "both players have checkers on one point",
        "dice 7 and 1: a die shows 1 to 6",
        "31 points away is beyond the match equity table, which ends at 25",
        "the player on roll may not double",
        "the player on roll may not double",
        "an opening roll is never a double, here 33",
    ]


@needs_gnubg
def test_no_questions_get_no_answers(engine: GnubgEngine) -> None:
    assert engine.checker([]) == engine.cube([]) == engine.luck([]) == ()


# --- luck -------------------------------------------------------------------------------------


@needs_gnubg
def test_its_own_luck_is_the_best_play_less_the_mean_of_all(
    engine: GnubgEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = [
        LuckQuestion(START, (3, 1), SEVEN, opening=True),
        LuckQuestion(START, (2, 1), MONEY, opening=True),
        LuckQuestion(CONTACT, (6, 6), SEVEN),
        LuckQuestion(CONTACT, (2, 1), replace(MONEY, cube=Cube(2, "mine"))),
        LuckQuestion(SHUT_OUT, (6, 5), SEVEN),
    ]
    own = _luck(engine, *questions)
    monkeypatch.setattr(module, "_is_its_own", lambda question: False)
    by_roll = _luck(engine, *questions)
    for one, other in zip(own, by_roll, strict=True):
        assert one.luck == pytest.approx(other.luck, abs=2e-6)
        assert one.equity == pytest.approx(other.equity, abs=2e-6)
        assert one.depth == "0-ply"
    assert own[1].mwc is None
    assert own[2].mwc == pytest.approx(own[2].luck * 0.5 * (default().after(SEVEN, 1) - default().after(SEVEN, -1)))


@needs_gnubg
def test_an_opening_roll_is_compared_as_asked(engine: GnubgEngine) -> None:
    asked = [
        LuckQuestion(START, (3, 1), SEVEN, True, convention)
        for convention in ("gnubg30", "match-equity", "roller15", "naive36")
    ]
    thirty, even, fifteen, naive = _luck(engine, *asked)
    assert thirty.mean == pytest.approx(0, abs=1e-5)
    assert even.mean == pytest.approx(0, abs=1e-9)
    assert naive.mean > fifteen.mean > 0.02
    assert thirty.equity == even.equity == fifteen.equity == naive.equity
    later = _luck(engine, LuckQuestion(START, (3, 1), SEVEN))[0]
    assert later.mean == naive.mean


# --- the match equity table -------------------------------------------------------------------


@needs_gnubg
def test_it_plays_by_the_table_that_it_is_given(engine: GnubgEngine) -> None:
    table = default()
    rows = [list(row[:7]) for row in table.pre_crawford[:7]]
    for at in range(7):
        # To be one away before the Crawford game is as good as having won.
        rows[0][at], rows[at][0] = (0.5, 0.5) if at == 0 else (0.99, 0.01)
    bent = replace(table, name="bent", pre_crawford=tuple(map(tuple, rows)), post_crawford=table.post_crawford[:7])
    other = GnubgEngine("quick", threads=1, met=bent)
    state = MatchState(7, (5, 4))
    assert other.stamp.met == "bent"
    assert engine.stamp.met == "Kazaross-XG2"
    assert abs(_cube(other, STRONG, state).no_double - _cube(engine, STRONG, state).no_double) > 0.02
    (beyond,) = other.cube([CubeQuestion(STRONG, MatchState(9))])
    assert isinstance(beyond, Refused)
    other.close()


# --- when the program fails -------------------------------------------------------------------


def _script(folder: Path, text: str, name: str = "gnubg") -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_a_program_that_is_not_there_is_missed_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EngineUnavailable, match="no such program can be run"):
        GnubgEngine(program=str(tmp_path / "nothing"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("bgtools.engines.gnubg.session._PLACES", (str(tmp_path / "games"),))
    monkeypatch.delenv("BGTOOLS_GNUBG", raising=False)
    with pytest.raises(EngineUnavailable, match=r"install it .* or let BGTOOLS_GNUBG name it"):
        GnubgEngine()


@pytest.mark.skipif(os.name != "posix", reason="the programs of this test are shell scripts")
def test_the_program_is_found_as_told_then_on_the_path_then_in_the_usual_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, path, usual = (tmp_path / name for name in ("told", "path", "usual"))
    for folder in (told, path, usual):
        folder.mkdir()
        _script(folder, "exit")
    monkeypatch.delenv("BGTOOLS_GNUBG", raising=False)
    monkeypatch.setattr("bgtools.engines.gnubg.session._PLACES", (str(usual),))
    monkeypatch.setenv("PATH", "")
    assert find_program() == str(usual / "gnubg")
    monkeypatch.setenv("PATH", str(path))
    assert find_program() == str(path / "gnubg")
    monkeypatch.setenv("BGTOOLS_GNUBG", str(told / "gnubg"))
    assert find_program() == str(told / "gnubg")
    assert find_program(str(usual / "gnubg")) == str(usual / "gnubg")


@pytest.mark.quick(one_in=9)
@pytest.mark.skipif(os.name != "posix", reason="the programs of this test are shell scripts")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("exit 3", "gnubg has ended with code 3"),
        ("echo cannot open display; exit 1", "cannot open display"),
        ("exec sleep 60", "has not answered within 1 seconds and was stopped"),
        ("trap '' TERM HUP; exec sleep 60", "has not answered within 1 seconds and was stopped"),
        ("exec cat", "does not say that it is GNU Backgammon"),
        ("exec yes", "gives no answer that can be understood|has not answered"),
        ("exec cat /dev/zero", "has not answered within 1 seconds"),
        ("echo GNU Backgammon 9.9; exec cat", "gives no answer that can be understood"),
        ("kill -9 $$", "gnubg was ended by signal 9"),
    ],
)
def test_a_program_that_fails_is_told_in_words_and_in_time(tmp_path: Path, text: str, message: str) -> None:
    start = time.monotonic()
    with pytest.raises(EngineUnavailable, match=message):
        GnubgEngine(program=_script(tmp_path, text), timeout=1)
    assert time.monotonic() - start < 8


@pytest.mark.skipif(os.name != "posix", reason="the program of this test is a shell script")
def test_a_program_that_may_not_be_run_is_missed(tmp_path: Path) -> None:
    path = tmp_path / "gnubg"
    path.write_text("no program")
    with pytest.raises(EngineUnavailable, match="no such program can be run"):
        GnubgEngine(program=str(path))
    path.chmod(0o755)
    path.write_bytes(b"\x7fELFbroken")
    with pytest.raises(EngineUnavailable, match="cannot be started"):
        GnubgEngine(program=str(path))


@needs_gnubg
@pytest.mark.skipif(os.name != "posix", reason="processes are killed by signal")
def test_a_program_killed_in_the_middle_is_told_and_started_again() -> None:
    engine = GnubgEngine(plies=3, threads=1)
    questions = _questions(4, 8)
    first = engine.pid
    assert first is not None
    killer = Timer(0.5, os.kill, (first, signal.SIGKILL))
    killer.start()
    with pytest.raises(EngineUnavailable, match="gnubg was ended by signal 9"):
        engine.checker(questions)
    assert not _exists(first)
    (answer,) = engine.cube([CubeQuestion(START, MONEY)])
    assert isinstance(answer, CubeAnswer)
    assert engine.pid not in (None, first)
    engine.close()


@needs_gnubg
def test_no_process_and_no_file_is_left_behind() -> None:
    engine = GnubgEngine("quick", threads=1)
    pid, folder = engine.pid, Path(engine._session()._folder.name)
    assert pid is not None
    assert folder.is_dir()
    engine.close()
    assert engine.pid is None
    assert not _exists(pid)
    assert not folder.exists()
    engine.close()
    forgotten = GnubgEngine("quick", threads=1)
    pid = forgotten.pid
    assert pid is not None
    del forgotten
    assert not _exists(pid)


@pytest.mark.thorough
@needs_gnubg
def test_what_it_takes_too_long_over_is_given_up() -> None:
    engine = GnubgEngine(plies=4, threads=1, timeout=2)
    pid = engine.pid
    assert pid is not None
    start = time.monotonic()
    with pytest.raises(EngineUnavailable, match="has not answered within 2 seconds and was stopped"):
        engine.checker([CheckerQuestion(CONTACT, (2, 1), MONEY)])
    assert time.monotonic() - start < 8
    assert not _exists(pid)


def test_impossible_settings_are_refused() -> None:
    for wrong in ({"plies": 9}, {"plies": -1}, {"threads": 0}, {"cache": -1}):
        with pytest.raises(ValueError, match=r"9|-1|0"):
            GnubgEngine(**wrong)  # type: ignore[arg-type]


def _exists(pid: int) -> bool:
    """Whether there is such a process, be it one that has ended and that nobody has fetched."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
