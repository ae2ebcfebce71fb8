"""The engine ubgi: what a program that speaks UBGI would do is told, and nothing that it does not say."""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgtools.analysis.match_analysis import analyse
from bgtools.board.board import START, Board, checkers
from bgtools.board.generation import legal_plays
from bgtools.engines.protocol import CheckerQuestion, CubeQuestion, EngineUnavailable, LuckQuestion, Refused
from bgtools.engines.ubgi.engine import UbgiEngine
from bgtools.formats.reading import read_source
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = str(Path(__file__).with_name("ubgi_program.py"))
NO_EQUITIES = "UBGI tells what the program would do, and no equities"
SEVEN = MatchState(7)
MONEY = MatchState()
BAR = Board(checkers({25: 1, 8: 3, 6: 5}), checkers({24: 2, 13: 5, 8: 3, 6: 5}))
LAST = Board(checkers({6: 1, 2: 2}), checkers({1: 2}))
MATCH = b"""\
 3 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                52: 13/8 24/22
  2) 21: 13/11 6/5               Doubles => 2
  3)  Takes                     43: 13/10 13/9
"""


def _engine(manner: str, timeout: float = 10) -> UbgiEngine:
    return UbgiEngine([sys.executable, PROGRAM, manner], timeout=timeout)


def _play(engine: UbgiEngine, question: CheckerQuestion) -> Refused:
    (answer,) = engine.checker([question])
    return answer


def _last_play(position: Board, dice: tuple[int, int]) -> str:
    """What the program of these tests plays."""
    return max(map(str, legal_plays(position, dice)))


@pytest.mark.parametrize(("manner", "draft"), [("0.01", "0.01"), ("0.1", "0.1"), ("0.2", "0.2"), ("ids", "0.1")])
def test_the_play_of_a_program_is_told_in_every_draft(manner: str, draft: str) -> None:
    engine = _engine(manner)
    assert engine.draft == draft
    for position in (START, BAR, LAST):
        answer = _play(engine, CheckerQuestion(position, (3, 1), SEVEN))
        assert answer == Refused(NO_EQUITIES, _last_play(position, (3, 1)))
    engine.close()


@pytest.mark.parametrize("manner", ["0.01", "0.2"])
def test_the_program_is_told_score_and_cube_and_says_whether_it_would_double(manner: str) -> None:
    # It doubles in matches only.
    engine = _engine(manner)
    match, money = engine.cube([CubeQuestion(START, SEVEN), CubeQuestion(START, MONEY)])
    assert match == Refused(NO_EQUITIES, "Double")
    assert money == Refused(NO_EQUITIES, "No double")
    engine.close()


def test_luck_takes_equities_so_there_is_none() -> None:
    engine = _engine("0.1")
    answers = engine.luck([LuckQuestion(START, (3, 1), SEVEN)] * 2)
    assert answers == (Refused(NO_EQUITIES),) * 2
    engine.close()


def test_who_it_is_stands_in_the_stamp() -> None:
    engine = _engine("0.2")
    assert (engine.stamp.engine, engine.stamp.version, engine.stamp.met) == ("ubgi:Last Play", "7", "")
    engine.close()


def test_the_rows_of_an_analysis_hold_what_the_program_would_do() -> None:
    engine = _engine("0.2")
    (match,) = read_source(MATCH, "test.mat")
    analysis = analyse(match, engine)
    rows = analysis.decisions
    assert [row.kind for row in rows].count("double") == 1
    for row in rows:
        assert row.loss is None
        assert not row.counted_by["gnubg"].counted
        assert row.note == NO_EQUITIES
        assert (row.best != "") == (row.kind != "take")
    assert rows[0].best == _last_play(START, (3, 1))
    assert all(player.ratings is not None and player.ratings["xg_pr"].value is None for player in analysis.players)
    engine.close()


# --- what the protocol leaves open --------------------------------------------------------------


def test_a_program_that_cannot_be_told_the_score_is_asked_about_money_only() -> None:
    engine = _engine("no-xgid")
    states = [SEVEN, MONEY, replace(MONEY, cube=Cube(2, "mine"))]
    answers = engine.checker([CheckerQuestion(START, (3, 1), state) for state in states])
    assert [answer.best != "" for answer in answers] == [False, True, False]
    assert answers[0].reason == "Last Play can be told neither score nor cube"
    engine.close()


def test_what_the_program_does_not_take_or_cannot_do_is_told_in_its_words() -> None:
    engine = _engine("no-context")
    answer = _play(engine, CheckerQuestion(START, (3, 1), SEVEN))
    assert answer == Refused("Last Play does not take the question: error unsupported_feature setcube")
    engine.close()
    engine = _engine("cubeless")
    (cube,) = engine.cube([CubeQuestion(START, SEVEN)])
    assert cube == Refused("Last Play cannot tell: error unsupported_feature role_cube")
    engine.close()


@pytest.mark.parametrize(
    ("manner", "words"),
    [("garbage", "?[31mperhaps"), ("illegal", "24/1 13/2"), ("empty", "bestmove")],
)
def test_a_play_that_is_not_legal_is_not_believed(manner: str, words: str) -> None:
    engine = _engine(manner)
    answer = _play(engine, CheckerQuestion(START, (3, 1), SEVEN))
    assert answer == Refused(f"Last Play answers {words}, which is not a legal play")
    engine.close()


def test_what_need_not_or_may_not_be_asked_is_not_asked() -> None:
    engine = _engine("hang-at-go")
    shut_out = Board(checkers({25: 1, 6: 14}), checkers({1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 3}))
    dance = _play(engine, CheckerQuestion(shut_out, (3, 1), SEVEN))
    assert dance == Refused(NO_EQUITIES, "Cannot Move")
    (crawford, wrong) = engine.cube(
        [
            CubeQuestion(START, MatchState(3, (2, 0), crawford=True)),
            CubeQuestion(Board(checkers({6: 3}, total=3), START.theirs), MONEY),
        ]
    )
    assert crawford.reason == "the player on roll may not double"
    assert wrong.reason == "the engine plays with 15 checkers a side, here are 3 and 15"
    engine.close()


def test_draft_0_1_is_told_everything_that_the_decision_depends_on(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    script = tmp_path / "listener.py"
    script.write_text(
        f"""
import sys
with open({str(heard)!r}, "w") as file:
    for line in sys.stdin:
        print(line, end="", file=file, flush=True)
        if line.startswith("ubgi"):
            print("option name Threads type spin default 1 min 1 max 9")
            print("option name Deterministic type check default false")
        print({{"ubgi": "ubgiok", "isready": "readyok"}}.get(line.strip(), "bestcube nodouble"
            if line.startswith("go") else ""), flush=True)
"""
    )
    engine = UbgiEngine([sys.executable, str(script)], timeout=10, threads=3)
    jacoby = Ruleset(jacoby=True)
    engine.cube(
        [CubeQuestion(START, MatchState(9, (3, 5), Cube(2, "mine"))), CubeQuestion(START, MatchState(0, rules=jacoby))]
    )
    engine.close()
    assert heard.read_text().splitlines() == [
        "ubgi",
        "setoption name Deterministic value true",
        "setoption name Threads value 3",
        "isready",
        "newgame",
        "newsession type match length 9 crawford off",
        "setscore 3 5",
        "setcube value 2 owner p0",
        "setturn p0",
        "position gnubgid 4HPwATDgc/ABMA",
        "isready",
        "go role cube",
        "newgame",
        "newsession type money jacoby on",
        "setcube value 1 owner center",
        "setturn p0",
        "position gnubgid 4HPwATDgc/ABMA",
        "isready",
        "go role cube",
    ]


# --- when the program fails ---------------------------------------------------------------------


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "needs a command"),
        ("'", "cannot be read"),
        ("/no/such/program --ubgi", "cannot be started: No such file or directory"),
        ([sys.executable, "-c", "raise SystemExit(4)"], "has ended with code 4"),
        (
            [sys.executable, "-c", "input(); print('what is ubgi?')"],
            r'has ended with code 0; its last words: "what is ubgi\?"',
        ),
        ([sys.executable, "-c", "import time; time.sleep(60)"], "has not answered within 1 seconds and was stopped"),
        ([sys.executable, "-c", "while True: print('x')"], "no answer that can be understood|has not answered"),
        ([sys.executable, PROGRAM, "sorry"], "could not start properly"),
    ],
)
def test_a_program_that_does_not_speak_ubgi_is_told_in_words_and_in_time(
    command: str | Sequence[str], message: str
) -> None:
    start = time.monotonic()
    with pytest.raises(EngineUnavailable, match=message):
        UbgiEngine(command, timeout=1)
    assert time.monotonic() - start < 8


def test_a_program_that_ends_or_hangs_over_a_question_is_told_and_started_again() -> None:
    question = CheckerQuestion(START, (3, 1), SEVEN)
    engine = _engine("die-at-go")
    first = engine.pid
    with pytest.raises(EngineUnavailable, match=r'has ended with code 9; its last words: ".*no more"'):
        engine.checker([question])
    assert engine.pid is None
    with pytest.raises(EngineUnavailable, match="code 9"):
        engine.checker([question])
    assert first is not None
    assert not _exists(first)
    engine = UbgiEngine([sys.executable, PROGRAM, "hang-at-go"], timeout=5)
    engine._program().timeout = 0.5
    start = time.monotonic()
    with pytest.raises(EngineUnavailable, match=r"has not answered within 0\.5 seconds and was stopped"):
        engine.checker([question])
    assert time.monotonic() - start < 4


@pytest.mark.skipif(os.name != "posix", reason="processes are killed by signal")
def test_a_program_that_is_killed_leaves_nothing_behind() -> None:
    engine = _engine("0.1")
    pid = engine.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    # It is told, unless it has been found out before anything was asked.
    with suppress(EngineUnavailable):
        _play(engine, CheckerQuestion(START, (3, 1), SEVEN))
    assert not _exists(pid)
    assert _play(engine, CheckerQuestion(START, (3, 1), SEVEN)).best
    pid = engine.pid
    assert pid is not None
    del engine
    assert not _exists(pid)


def _exists(pid: int) -> bool:
    """Whether there is such a process, be it one that has ended and that nobody has fetched."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
