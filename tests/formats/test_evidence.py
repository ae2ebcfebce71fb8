"""A text is a record by what was played in it; words and figures that records have as well make nothing of it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from bgtools.formats.content import Content, FormatError
from bgtools.formats.evidence import NEEDED, evidence
from bgtools.formats.mat.writer import write_content
from bgtools.formats.reading import read_source
from bgtools.formats.registry import formats
from program import bgtools
from selfplay import random_match

if TYPE_CHECKING:
    from pathlib import Path

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10"
NOTHING = {
    "names": "Ann vs. Bob\n",
    "a remark": "I had lunch vs. Bob\n\nOK\n",
    "cases at court": "Roe vs. Wade, 410 U.S. 113\nBrown vs. Board of Education\n",
    "verses": "1. 31: 8-5, 6-5\n2. 42: 8-4, 6-4\nPsalm 31: 8-10; Psalm 42: 1-5\n",
    "changes": "Version 1.2\n1) fix 31: crash\n2) fix 42: leak\n3) fix 55: typo\n",
    "a quiz": "Quiz\n1. 31: what do you play? a) 8/5 6/5 b) 24/23 13/10\n2. 61: a) 13/7 8/7\n",
    "openings": "Roll  Best play\n21: 13/11 6/5\n31: 8/5 6/5\n41: 24/23 13/9\n51: 13/8 6/5\n61: 13/7 8/7\n",
    "replies": "Replies to 62S\n21: 13/11 6/5\n31: 8/5 6/5\n41: 24/23 13/9\n55: 8/3(2) 6/1(2)*\n44: 24/20(2) 13/9(2)\n"
    "61: 13/7* 8/7\n11: 8/7(2)* 6/5(2)\n66: 24/18(2) 13/7(2)*\n",
    "a page": "<table><tr><td>31</td><td>8/5, 6/5</td></tr><tr><td>42</td><td>8/4, 6/4</td></tr></table>",
    "tennis": "Game 1\nThe score is 3-2, she serves.\nGame 2: 4-2\nSet 6-4, 6-3\n",
    "a log": "12:31: 8/5 errors\n12:42: 8/4 errors\n12:55: 0/0 errors\n",
    "a cook": "1) 31: 3/4 cup sugar\n2) 42: 1/2 cup milk\n3) 11: 1/2 tsp salt\n",
    "a league": "Player1: 10001 Ann\nGame 1: 0-0\nGame 2: 1-0\n",
    "a programme": "Game 1. 3-1/5\nGame 2. 4-1/5\n",
}


@pytest.mark.parametrize("name", NOTHING)
@pytest.mark.parametrize("ending", [".txt", ".html", ".eml"])
def test_signs_of_a_record_do_not_make_a_text_one(name: str, ending: str) -> None:
    with pytest.raises(FormatError):
        read_source(NOTHING[name].encode(), f"x{ending}")


@pytest.mark.parametrize("name", NOTHING)
def test_no_recogniser_is_sure_of_signs_alone(name: str) -> None:
    sure = {each.name: each.sniff(Content(NOTHING[name].encode(), "x.txt")) for each in formats() if each.reader}
    assert len(sure) > 20
    assert all(0 <= share < 1 for share in sure.values()), sure


def test_texts_of_nothing_but_signs_are_hardly_ever_taken() -> None:
    rng = random.Random(7)
    lines = [line for text in NOTHING.values() for line in text.splitlines() if line]
    lines += [
        "7 point match",
        "Wins 1 point",
        "Doubles the load",
        "X: foo",
        "score is 5-4",
        "a is X - b is O",
        "resigns",
    ]
    tried, taken = 0, []
    for _ in range(600):
        text = "\n".join(rng.sample(lines, rng.randint(1, 6)))
        tried += 1
        try:
            read_source(text.encode(), "x.txt")
        except FormatError:
            continue
        taken.append(text)
    assert tried == 600
    assert len(taken) <= 6, taken


def test_a_folder_of_documents_holds_no_record(tmp_path: Path) -> None:
    for name, text in NOTHING.items():
        (tmp_path / f"{name}.txt").write_text(text)
    essay = "\n\n".join(["Nobody agrees about it.\nMost would double here.\nOthers would not.\nAsk again."] * 3)
    (tmp_path / "essay.txt").write_text(f"{essay}\n{XGID}\n{essay}\n")
    done = bgtools("check", "--summary", str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "")
    assert f"{len(NOTHING) + 1} files skipped that are not records" in done.stderr
    assert bgtools("show", str(tmp_path / "essay.txt")).returncode == 0  # named, its position is shown


@pytest.mark.parametrize("seed", range(3))
def test_a_record_is_evident_by_its_headings_and_without_any(seed: int) -> None:
    match = random_match(seed, 3)
    text = write_content((match,)).decode()
    (read, *_) = read_source(text.encode(), "x.txt")
    assert evidence(read, text) >= NEEDED
    rows = "\n".join(line for line in text.splitlines() if ")" in line[:5])
    (bare, *_) = read_source(rows.encode(), "x.txt")
    assert evidence(bare, rows) >= NEEDED
    assert [len(game.entries) for game in bare.games][:1] > [10]
