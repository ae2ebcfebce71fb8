"""One match in several files replays to the same board at every turn.

The strongest of these tests are GNU Backgammon's analysis texts: they give a Position ID and a Match
ID for every decision of matches whose raw texts are in the corpus as well, one file per game.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgtools.formats.reading import read
from bgtools.positions.gnubg import decode_match_id, encode_match_id, encode_position_id
from bgtools.positions.xgid import decode_xgid
from bgtools.record.record import CheckerPlay, Double, Drop, Resign, Take
from bgtools.replayer.match import replay
from support import CORPUS, needs_corpus

if TYPE_CHECKING:
    from bgtools.replayer.turn import GameReplay

pytestmark = needs_corpus

_MAT = CORPUS / "mat"
_ANALYSES = CORPUS / "gnubg-analysis-txt"

# --- GNU Backgammon's analysis texts --------------------------------------------------------

_MOVE = re.compile(
    r"^Move number (?P<number>\d+): +(?P<player>.*?) "
    r"(?:to play (?P<dice>\d\d)|(?P<cube>on roll, cube decision\?)|doubles to (?P<answer>\d+))\s*$"
)
_POSITION = re.compile(r"GNU Backgammon +Position ID: (\S+)")
_MATCH = re.compile(r"Match ID +: (\S+)")
_GAME = re.compile(r"_(\d{3})\.txt$")


@dataclass(frozen=True)
class Decision:
    """A decision as an analysis text gives it: ``kind`` is roll, double or answer."""

    kind: str
    player: str
    dice: tuple[int, int] | None
    position_id: str
    match_id: str


def decisions(path: Path) -> list[Decision]:
    """Every decision of an analysis text, in order."""
    found: list[Decision] = []
    heading: re.Match[str] | None = None
    position = ""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if move := _MOVE.match(line):
            assert heading is None, f"{path.name}: two headings without an ID between them"
            heading = move
        elif board := _POSITION.search(line):
            position = board[1]
        elif (state := _MATCH.search(line)) and heading:
            kind = "roll" if heading["dice"] else "double" if heading["cube"] else "answer"
            dice = (int(heading["dice"][0]), int(heading["dice"][1])) if heading["dice"] else None
            found.append(Decision(kind, heading["player"], dice, position, state[1]))
            heading = None
    return found


def analyses() -> list[tuple[str, int, str]]:
    """Every analysis text with the number of its game and the raw text of the same match."""
    pairs = []
    with (CORPUS / "MANIFEST.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            path = Path(row["path"])
            if path.parts[0] != "gnubg-analysis-txt":
                continue
            game = int(number[1]) if (number := _GAME.search(path.name)) else 1
            if twin := re.search(r"twin-of:([^\t]*?\.txt)", row["flags"]):
                pairs.append((path.name, game, twin[1]))
            elif "test-match01" in path.name:
                pairs.append((path.name, game, "lassehjorthmadsen__gnubg-scripts__test-match01.txt"))
    return pairs


_PAIRS = analyses() if (CORPUS / "MANIFEST.tsv").is_file() else []


@cache
def replayed(name: str) -> tuple[GameReplay, ...]:
    return replay(read(_MAT / name))


# Backgammon Galaxy writes a money game as a 16-point match. GNU Backgammon takes it by its word.
_GALAXY_MONEY = frozenset({"lassehjorthmadsen__bglab__2-ply_match8410409.txt"})


@pytest.mark.parametrize(("name", "game", "twin"), _PAIRS, ids=[name for name, _, _ in _PAIRS])
def test_gnu_backgammon_saw_the_same_board_score_cube_and_dice_at_every_decision(
    name: str, game: int, twin: str
) -> None:
    games = replayed(twin)
    told = decisions(_ANALYSES / name)
    turns = [turn for turn in games[game - 1].turns if not isinstance(turn.entry, Resign)]
    assert len(told) == len(turns)
    assert told
    for decision, turn in zip(told, turns, strict=True):
        entry = turn.entry
        board, state = turn.before, turn.state
        match entry:
            case CheckerPlay():
                kind = "roll"
            case Double():
                kind = "double"
            case Take() | Drop():
                # An answer is told from the side of the player who doubled.
                kind, board, state = "answer", board.flipped(), state.flipped()
            case _:
                pytest.fail(f"GNU Backgammon has no decision such as {entry}")
        assert decision.kind == kind
        assert encode_position_id(board) == decision.position_id
        length, dice, offered = decode_match_id(decision.match_id)
        assert (length.score, length.cube, length.crawford) == (state.score, state.cube, state.crawford)
        assert length.length == (16 if name in _GALAXY_MONEY else state.length)
        assert sorted(dice or ()) == sorted(entry.dice or () if isinstance(entry, CheckerPlay) else ())
        assert offered is (kind == "answer")
        if name not in _GALAXY_MONEY:
            # Our own Match ID of the decision says the same.
            ours = encode_match_id(state, dice, offered=offered)
            assert decode_match_id(ours)[0].cube == length.cube
            assert decode_match_id(ours)[1:] == (dice, offered)


def test_the_analysis_texts_hold_thousands_of_decisions() -> None:
    """The proof above is worth its number of decisions; a broken reader of theirs would find none."""
    assert len(_PAIRS) == 77
    assert sum(len(decisions(_ANALYSES / name)) for name, _, _ in _PAIRS) == 3_443


# --- the same match twice -------------------------------------------------------------------


def story(path: Path) -> list[tuple[object, ...]]:
    """Everything that happens in a file, turn by turn."""
    match = read(path)
    told: list[tuple[object, ...]] = [(*match.players, match.length)]
    for game in replay(match):
        told.append(("game", game.game.number, game.game.score))
        for turn in game.turns:
            dice = tuple(sorted(turn.entry.dice or ())) if isinstance(turn.entry, CheckerPlay) else ()
            told.append((type(turn.entry).__name__, turn.player, dice, turn.before, turn.after, turn.state.cube))
        told.append(("won by", game.winner, game.points))
    return told


_DUELLER = sorted(path.name for path in _MAT.glob("hinacoppy__*gnubg-BGBlitz*")) if _MAT.is_dir() else []


@pytest.mark.parametrize("name", _DUELLER)
def test_line_ends_do_not_change_a_match(name: str) -> None:
    other = _MAT / f"andrewbaine__td-gammon__{name.rpartition('__')[2]}"
    assert b"\r\n" in other.read_bytes()
    assert b"\r\n" not in (_MAT / name).read_bytes()
    assert story(_MAT / name) == story(other)


def test_there_are_27_pairs_with_either_line_end() -> None:
    assert len(_DUELLER) == 27


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # eXtreme Gammon's two exports: hops merged or not, stars or none, bar or 25.
        ("kevung__gbf__test.mat", "kevung__gbf__test.txt"),
        ("lassehjorthmadsen__gnubg-scripts__test-match01.mat", "lassehjorthmadsen__gnubg-scripts__test-match01.txt"),
    ],
)
def test_two_spellings_of_one_match_replay_alike(first: str, second: str) -> None:
    assert story(_MAT / first) == story(_MAT / second)


# --- a file that comments on itself ---------------------------------------------------------

_XGID = re.compile(r"^XGID=\S+$")


@pytest.mark.parametrize(
    ("name", "turns"),
    [
        ("Poem-hinacoppy 3 point match 2025-05-12_edited", 62),
        ("izmiiinu-hinacoppy 5 point match 2025-05-11_edited (2)", 58),
        ("izmiiinu-hinacoppy 5 point match 2025-05-11_edited", 56),
    ],
)
def test_the_xgid_that_a_comment_gives_for_each_action_is_the_board_there(name: str, turns: int) -> None:
    match = read(_MAT / f"hinacoppy__bgKifuViewerEditor__{name}.txt")
    comments = [*match.comments, *(comment for game in match.games for comment in game.comments)]
    told = iter(decode_xgid(comment.text) for comment in comments if _XGID.match(comment.text))
    seen = 0
    for game in replay(match):
        for turn in game.turns:
            dice = turn.entry.dice if isinstance(turn.entry, CheckerPlay) else None
            # The board at the end of a game is told as well, without dice.
            assert any(each.board == turn.before and (dice is None or each.dice == dice) for each in told)
            seen += 1
    assert seen == turns
    assert len(list(told)) <= 1
