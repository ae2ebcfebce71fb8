"""GNU Backgammon judges what is written: it loads it and tells the same match, with the same statistics."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from test_sgf_write import OPENING, REPLY, match_of, play

from bgtools.board.movement import resolve
from bgtools.board.violation import Violation
from bgtools.formats.content import Content
from bgtools.formats.reading import find_format, read_all, read_source
from bgtools.formats.sgf.writer import write
from bgtools.record.record import Beaver, CheckerPlay, Double, Match, ResultClaim, Take
from bgtools.replayer.match import replay
from bgtools.rules.options import Ruleset
from gnubg_judge import needs_gnubg
from gnubg_sgf import load, play as let_play
from support import CORPUS, course_apart, needs_corpus, written

if TYPE_CHECKING:
    from bgtools.board.board import Board

pytestmark = needs_gnubg


SETTINGS = {
    "match": ("set analysis chequerplay evaluation plies 0", "new match 3", ("analyse match",)),
    "money": (
        "set analysis cubedecision evaluation plies 0\nset analysis chequerplay evaluation plies 0",
        "new session",
        ("analyse match",),
    ),
    "beavers": ("set beavers 3\nset jacoby on\nset automatic doubles 3", "new session", ()),
    "nackgammon": ("set variation nackgammon\nset automatic crawford off", "new match 3", ()),
}


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Matches of GNU Backgammon against itself."""
    folder = tmp_path_factory.mktemp("gnubg")
    found = {}
    for name, (settings, start, then) in SETTINGS.items():
        automatic = "set automatic game on" if "match" in start else "set automatic game off"
        found[name] = let_play(folder, name, automatic, "set seed 5", settings, start=start, then=then)
    return found


def told(path: Path) -> tuple[Match, bytes]:
    (match,) = read_all(path)
    return match, write((match,))


@pytest.mark.parametrize("name", SETTINGS)
def test_its_own_match_is_the_same_after_reading_and_writing(games: dict[str, Path], name: str) -> None:
    match, data = told(games[name])
    assert match.findings == ()
    ours, its_own = load(data), load(games[name].read_bytes())
    assert ours.complaints == ()
    assert ours.mat == its_own.mat
    assert ours.statistics == its_own.statistics
    # What it saves again is the same to the last digit of the analysis.
    assert ours.sgf == its_own.sgf


@pytest.mark.parametrize("name", ["match", "money", "nackgammon"])
def test_its_match_text_tells_the_same_match(games: dict[str, Path], name: str) -> None:
    (match,) = read_all(games[name])
    assert course_apart(read_all(games[name].with_suffix(".mat")), (match,)) == []


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[2] / "samples").glob("[!f]*.mat")), ids=lambda path: path.stem
)
def test_a_sample_is_loaded_and_told_the_same(path: Path) -> None:
    match, data = told(path)
    verdict = load(data)
    assert verdict.complaints == ()
    assert course_apart((match,), read_source(verdict.mat, "x.mat")) == []


def test_what_only_bgtools_says_does_not_disturb_it() -> None:
    match = match_of(
        OPENING, Double(player=1), Beaver(player=0), REPLY, play(0, (6, 6), "24/12 bar/off 3/1(4)"), length=0,
        rules=Ruleset(crawford=False, jacoby=True, beavers=1), results=(ResultClaim(player=0, points=4),),
    )  # fmt: skip
    verdict = load(write((match,)))
    assert verdict.complaints == ()
    (found,) = read_source(verdict.sgf, "x.sgf")
    kinds = [type(entry) for entry in found.games[0].entries]
    assert kinds[:5] == [CheckerPlay, Double, Beaver, Take, CheckerPlay]


# --- the figures of its text export -----------------------------------------------------------

_ROLLED = re.compile(r"^Rolled (\d)(\d)(?: \(([-+]\d+\.\d+)\))?:$")
_PLAY = re.compile(r"^(\*?) +(\d+)\. (?:Cubeful|Cubeless) (\d)-ply +(\S.*?) +Eq\.: +([-+]\d+\.\d+)")
_CHANCES = re.compile(r"^ +(\d\.\d+) (\d\.\d+) (\d\.\d+) - \d\.\d+ (\d\.\d+) (\d\.\d+)$")
_CUBE = re.compile(r"^\d\. (No (?:re)?double|(?:Red|D)ouble, take) +([-+]\d+\.\d+)")


def compare_with_text(match: Match, texts: list[str]) -> tuple[int, int]:
    """Compare every figure of a text export with the analysis that was read; how many plays and cubes it had."""
    plays = cubes = 0
    for game, text in zip(replay(match), texts, strict=True):
        lines = iter(text.splitlines())
        rolled = (turn for turn in game.turns if isinstance(turn.entry, CheckerPlay) and turn.entry.annotation)
        decided = (turn for turn in game.turns if turn.entry.annotation and turn.entry.annotation.cube)
        turn = note = None
        for line in lines:
            if line.startswith("Cube analysis"):
                note = next(decided).entry.annotation
                assert note is not None
                cubes += _compare_cube(note, lines, money=match.is_money)
            elif (found := _ROLLED.match(line)) and (found[3] or "Eq." in (line := next(lines))):
                turn = next(each for each in rolled if each.entry.dice == (int(found[1]), int(found[2])))  # type: ignore[union-attr]
                note = turn.entry.annotation
                assert note is not None
                if found[3] and note.luck is not None:
                    assert note.luck == pytest.approx(float(found[3]), abs=0.00051)
            if turn is not None and (found := _PLAY.match(line)):
                assert note is not None
                assert note.plays is not None
                candidate = note.plays.candidates[int(found[2]) - 1]
                assert candidate.level.name == f"{found[3]}-ply"
                assert candidate.evaluation.equity == pytest.approx(float(found[5]), abs=0.00051)
                assert (note.plays.chosen == int(found[2]) - 1) == bool(found[1])
                chances = _CHANCES.match(next(lines))
                assert chances is not None
                assert candidate.evaluation.probabilities == pytest.approx(
                    [float(x) for x in chances.groups()], abs=0.00051
                )
                assert after(turn.before, turn.entry.dice, written(found[4])) == after(  # type: ignore[union-attr]
                    turn.before, turn.entry.dice, candidate.hops  # type: ignore[union-attr]
                )  # fmt: skip
                plays += 1
    return plays, cubes


def after(before: Board, dice: object, hops: object) -> Board:
    found = resolve(before, dice, hops)  # type: ignore[arg-type]
    assert not isinstance(found, Violation)
    return found.result


def _compare_cube(note: object, lines: object, *, money: bool) -> int:
    cube = note.cube  # type: ignore[attr-defined]
    told = {}
    for line in lines:  # type: ignore[attr-defined]
        if chances := _CHANCES.match(line):
            values = [float(x) for x in chances.groups()]
            won = cube.no_double.probabilities[0]
            if abs(values[0] - won) > 0.001:  # seen by the player who answers
                values = [1 - values[0], values[3], values[4], values[1], values[2]]
                told["sign"] = -1.0
            assert cube.no_double.probabilities == pytest.approx(values, abs=0.00051)
        elif found := _CUBE.match(line):
            told["no double" if found[1].startswith("No") else "take"] = float(found[2])
        elif line.startswith("Proper"):
            break
    if money:
        sign = told.get("sign", 1.0)
        assert cube.no_double.equity == pytest.approx(sign * told["no double"], abs=0.00051)
        assert cube.double_take.equity == pytest.approx(sign * told["take"], abs=0.00051)
    return 1


@pytest.mark.parametrize("name", ["match", "money"])
def test_analysis_is_what_its_text_export_says(games: dict[str, Path], name: str) -> None:
    (match,) = read_all(games[name])
    folder, stem = games[name].parent, games[name].stem
    texts = [path.read_text() for path in sorted(folder.glob(f"{stem}.txt")) + sorted(folder.glob(f"{stem}_*.txt"))]
    plays, cubes = compare_with_text(match, texts)
    assert plays > 40
    assert cubes > 5


@needs_corpus
@pytest.mark.parametrize("stem", ["lassehjorthmadsen__gnubg-scripts__test-match01_analyzed"])
def test_analysis_of_the_corpus_is_what_its_text_says(stem: str) -> None:
    (match,) = read_all(CORPUS / "sgf" / f"{stem}.sgf")
    texts = [path.read_text(encoding="utf-8") for path in sorted((CORPUS / "gnubg-analysis-txt").glob(f"{stem}*.txt"))]
    plays, cubes = compare_with_text(match, texts)
    assert plays > 200
    assert cubes > 40


def test_the_format_is_found_by_name() -> None:
    assert find_format("sgf").read(Content(write((match_of(OPENING),)), "x.sgf"))
