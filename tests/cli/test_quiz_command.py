"""The quiz on the terminal: it asks, judges, keeps score and goes on where it ended."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from program import SOUND, bgtools

pytestmark = pytest.mark.skipif(find_spec("bgsage") is None, reason="bgsage is not installed")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "bad.mat"
    file.write_text(SOUND.replace("8/5 6/5", "24/23 6/3").replace("13/8 24/22", "24/22 6/1"))
    return file


def ask(record: Path, answers: str, *more: str) -> tuple[int, str, str]:
    progress = str(record.with_name("progress.json"))
    done = bgtools(
        "quiz", str(record), "--level", "quick", "--checker", "--progress", progress, *more, stdin=answers.encode()
    )
    return done.returncode, done.stdout, done.stderr


def test_answers_are_judged_and_the_score_stands_beside_that_of_the_match(record: Path) -> None:
    code, told, problems = ask(record, "\nnonsense\n31: 8/5 6/5\n24/22 6/1\n")
    assert (code, problems) == (0, "")
    assert "a play such as 13/7 8/5; q ends" in told
    assert "'nonsense' is not a play" in told
    assert "Right: 8/5 6/5." in told or told.count("Your ") == 2
    # The first prompt alone says how one gets help, and ends; what is best is said once after each answer.
    assert told.count("(Enter alone says what can be answered; q ends)") == 1
    assert "You are Ann; play 31" in told
    assert "on roll cannot" not in told
    assert told.count("best is ") + told.count("Right: ") == 2
    assert "your last 2 answers lose " in told
    assert " was lost in the matches: " in told
    assert " chose 24/23 6/3, which lost " in told


@pytest.mark.thorough
def test_the_next_run_goes_on_where_the_last_one_ended(record: Path) -> None:
    answers = "24/23 6/3\n24/22 6/1\n"
    assert ask(record, "q\n")[0] == 0
    assert not record.with_name("progress.json").exists()
    _, one, _ = ask(record, answers, "--top", "1")
    assert "1 of 1. " in one
    assert "your answer loses " in one
    _, two, _ = ask(record, answers)
    assert "1 of 1. " in two
    assert "your last 2 answers lose " in two
    assert len(json.loads(record.with_name("progress.json").read_text(encoding="utf-8"))["reviews"]) == 2
    _, told, _ = ask(record, "")
    assert re.search(r"nothing is due before \d{4}-\d\d-\d\d; --again asks all the same", told)
    assert "1 of 2. " in ask(record, "", "--again")[1]


def test_a_file_that_keeps_something_else_is_not_written_over(record: Path) -> None:
    other = record.with_name("progress.json")
    for content in ("my shopping list", "[]", '{"answered": 7}', '{"answered": {"a": "b"}}'):
        other.write_text(content)
        code, told, problem = ask(record, "8/5 6/5\n")
        assert (code, told) == (2, "")
        assert "keeps no answers of a quiz" in problem
        assert other.read_text() == content
