"""The show command: boards of turns and of IDs."""

from __future__ import annotations

import json
import re
import shlex
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from bgtools.analysis.evaluation import evaluate
from bgtools.board.board import Board, checkers
from bgtools.board.play import HopText, PlayText
from bgtools.formats.json.match import write
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis
from bgtools.record.record import CheckerPlay, Game, Match, SetBoard
from program import SOUND, WRONG_DIE, bgtools

BOARD = Board(checkers({6: 3}), checkers({1: 2}))

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"


def before_ids(printed: str) -> list[str]:
    """The lines that are printed before the two IDs at the end."""
    *lines, xgid, gnu_id = printed.splitlines()
    assert xgid.startswith("XGID=")
    assert gnu_id.startswith("Position ID: ")
    return lines


def test_an_xgid_is_drawn_with_its_other_ids() -> None:
    done = bgtools("show", START)
    assert done.returncode == 0
    assert START in done.stdout
    assert "Position ID: 4HPwATDgc/ABMA   Match ID: cInlAAAAAAAE" in done.stdout
    assert "rolled 31" in done.stdout
    assert "0-0 in a 7-point match" in done.stdout


def test_what_is_printed_is_read_line_by_line() -> None:
    lines = [line for line in bgtools("show", START, "--ids").stdout.splitlines() if not line.startswith((" |", " +"))]
    assert len(lines) > 7
    for line in lines:
        done = bgtools("show", line)
        assert (done.returncode, done.stderr) == (0, ""), line
        assert "XGID=-b----E-C---eE---c-e----B-:" in done.stdout


def test_what_is_no_position_is_told_by_what_it_was_to_be() -> None:
    for text, said in (
        ("junk", "nor is it a position in a notation that bgtools reads: xgid, ogid, fibs, "),
        ("mach.mat", "nor is it a position in a notation"),
        ("4HPwATDgc/ABMAX", "there is no such file, and as an ID: a GNU Position ID has 14 characters, this has 15"),
        ("4HPwATDgc/ABMA:cAkAAAAAAAA", "a GNU Match ID has 12 characters, this has 11"),
        ("XGID=-b", "XGID=-b: an XGID has 26 letters"),
        ("board:You:x:3", "and as an ID: a FIBS board"),
    ):
        done = bgtools("show", text)
        assert done.returncode == 2
        assert said in done.stderr


def test_a_gnu_position_id_is_drawn() -> None:
    done = bgtools("show", "4HPwATDgc/ABMA:cAkAAAAAAAAA")
    assert done.returncode == 0
    assert "XGID=-b----E-C---eE---c-e----B-:0:0:1:00" in done.stdout
    board = done.stdout.splitlines()
    assert board[1].startswith(" | X           O    |   | O              X |")
    assert board[11].startswith(" | O           X    |   | X              O |")


def test_a_turn_shows_the_board_before_it_and_what_was_done(tmp_path: Path) -> None:
    file = tmp_path / "match.mat"
    file.write_text(SOUND)
    first = bgtools("show", str(file), "--game", "1", "--row", "1")
    assert "Ann: 31: 8/5 6/5" in first.stdout
    assert START.replace(":7:10", ":3:10") in first.stdout
    third = bgtools("show", str(file), "--entry", "3")
    assert "Ann: doubles to 2" in third.stdout
    fourth = bgtools("show", str(file), "--entry", "4")
    assert "Bob: drops" in fourth.stdout


def test_a_row_has_a_cell_for_each_player(tmp_path: Path) -> None:
    file = tmp_path / "match.mat"
    file.write_text(
        " 3 point match\n\n Game 1\n Ann : 0                          Bob : 0\n"
        "  1) 31: 8/5 6/5                    52: 13/8 24/22\n"
        "  2)  Doubles => 2                   Takes\n"
        "  3) 64: 24/14                      \n"
    )
    assert "Ann: 64: 24/14" in bgtools("show", str(file), "--row", "3").stdout
    shown = bgtools("show", str(file), "--row", "2")
    assert "Ann: doubles to 2\n  in the same row, entry 4: Bob: takes\n" in shown.stdout
    shown = bgtools("show", str(file), "-t", "2:2")
    assert "Bob: takes\n  in the same row, entry 3: Ann: doubles to 2\n" in shown.stdout
    told = json.loads(bgtools("show", str(file), "--entry", "4", "--format", "json").stdout)
    assert (told["turn"], told["row"], told["entry_number"], told["entry"]) == (3, 2, 4, "Bob: takes")
    dropped = tmp_path / "dropped.mat"
    dropped.write_text(SOUND)
    assert "Bob: drops" in bgtools("show", str(dropped), "--row", "2:2").stdout


def test_a_row_and_an_entry_are_not_asked_for_together(tmp_path: Path) -> None:
    file = tmp_path / "match.mat"
    file.write_text(SOUND)
    done = bgtools("show", str(file), "--row", "1", "--entry", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "give one of them" in done.stderr


def test_a_position_that_has_been_set_is_shown_itself(tmp_path: Path) -> None:
    board = SetBoard(player=1, position=BOARD, cube=4, owner=1)
    file = tmp_path / "position.json"
    file.write_bytes(
        write((Match(players=("Ann", "Bob"), length=7, games=(Game(number=1, score=(0, 0), entries=(board,)),)),))
    )
    shown = bgtools("show", str(file), "--row", "1").stdout
    assert "Bob: on roll in a position that has been set" in shown
    assert "cube 4, Bob's" in shown
    assert "Bob, 2 pips" in shown


def test_the_analysis_that_a_record_holds_of_a_turn_is_shown(tmp_path: Path) -> None:
    chances = (0.52, 0.13, 0.01, 0.125, 0.005)
    plays = PlayAnalysis(
        candidates=(
            Candidate(
                hops=(HopText((8, 5), (False,)), HopText((6, 5), (False,))),
                evaluation=Evaluation(probabilities=chances, equity=0.1589),
                level=Level(name="2-ply"),
            ),
            Candidate(hops=(HopText((24, 20), (False,)),), evaluation=Evaluation(cubeless=0.4812, unit="mwc")),
        ),
        chosen=1,
    )
    cube = CubeAnalysis(no_double=Evaluation(equity=0.1), double_take=Evaluation(equity=-0.25), double_drop=1.0)
    said = Annotation(program="Some Bot", plays=plays, cube=cube, luck=0.0712)
    play = CheckerPlay(player=0, dice=(3, 1), text=PlayText("moves", (HopText((24, 20), (False,)),)), annotation=said)
    file = tmp_path / "match.json"
    file.write_bytes(
        write((Match(players=("Ann", "Bob"), length=7, games=(Game(number=2, score=(0, 0), entries=(play,)),)),))
    )
    shown = bgtools("show", str(file))  # the first game, whatever its number
    assert shown.returncode == 0
    assert before_ids(shown.stdout)[-8:] == [
        "Ann: 31: 24/20",
        "the record's analysis, by Some Bot",
        "  No double     +0.100",
        "  Double, take  -0.250",
        "  Double, pass  +1.000",
        "  8/5 6/5  +0.159   2-ply   wins 52.0% (gammon 13.0, backgammon 1.0), loses (gammon 12.5, backgammon 0.5)",
        "* 24/20    48.12%",
        "luck +0.071",
    ]
    data = json.loads(bgtools("show", str(file), "--format", "json").stdout)
    assert data["analysis"]["plays"]["candidates"][0]["evaluation"]["equity"] == 0.1589
    assert data["game"] == 2


def test_the_analysis_of_a_set_position_is_that_of_what_is_decided_there(tmp_path: Path) -> None:
    roll = CheckerPlay(player=0, dice=(6, 5), text=PlayText("unknown"), annotation=Annotation(luck=-0.5))
    entries = (SetBoard(player=0, position=BOARD), roll)
    file = tmp_path / "position.json"
    file.write_bytes(
        write((Match(players=("Ann", "Bob"), length=0, games=(Game(number=1, score=(0, 0), entries=entries),)),))
    )
    shown = bgtools("show", str(file))
    assert before_ids(shown.stdout)[-2:] == ["the record's analysis, by a program it does not name", "luck -0.500"]


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    file = tmp_path / "match.mat"
    file.write_text(SOUND)
    game = bgtools("show", str(file), "--game", "9")
    assert (game.returncode, game.stderr) == (2, "bgtools: the record has no game 9; it has game 1\n")
    turn = bgtools("show", str(file), "--row", "99")
    assert turn.returncode == 2
    assert "game 1 has no row 99; it has rows 1 to 2" in turn.stderr
    empty = bgtools("show", str(file), "--row", "2:3")
    assert (empty.returncode, empty.stderr) == (2, "bgtools: row 2 of game 1 has nothing in column 3\n")
    entry = bgtools("show", str(file), "--entry", "99")
    assert entry.returncode == 2
    assert "game 1 has 4 entries" in entry.stderr


def test_nonsense_is_no_id() -> None:
    for text in ("nonsense", "XGID=nonsense", "4HPwATDgc/ABM!", START.replace("E", "O")):
        done = bgtools("show", text)
        assert done.returncode == 2, text
        assert "Traceback" not in done.stderr
        assert done.stderr.startswith("bgtools: ")


def test_what_is_no_record_and_no_id_is_said_to_be_neither(tmp_path: Path) -> None:
    for what in ("", "nothing.mat", "x" * 5000):
        done = bgtools("show", what)
        assert done.returncode == 2
        assert "there is no such file" in done.stderr
        assert "Traceback" not in done.stderr
    folder = bgtools("show", str(tmp_path))
    assert (folder.returncode, folder.stderr) == (2, f"bgtools: {tmp_path}: this is a folder; give files\n")


def test_a_record_without_games_has_no_board(tmp_path: Path) -> None:
    file = tmp_path / "match.mat"
    file.write_text("7 point match\n")
    done = bgtools("show", str(file))
    told = "bgtools: no game was found: no row of a game, and no line with names and points\n"
    assert (done.returncode, done.stderr) == (2, told)
    file.write_text("XGID=-aa---FBB---dDa--c-e----B-:0:0:1:16:0:0:3:0:8\n")
    done = bgtools("show", str(file))
    assert (done.returncode, done.stderr) == (
        2,
        "bgtools: the XGID is wrong: a side has 16 checkers, 15 is all there are\n",
    )


@pytest.mark.parametrize(
    ("play", "told"),
    [
        ("8/2", "8/2 is not complete: the player on roll leaves a 1 unplayed"),
        ("24/18 24/20", "24/18 24/20 is not legal: the player on roll cannot play 24/20 with 61"),
        ("zz", "zz is not legal: 'zz' is not a play"),
    ],
)
def test_whether_a_play_is_legal_and_if_not_why(play: str, told: str) -> None:
    rolled = START.replace(":31:", ":61:")
    done = bgtools("show", rolled, "--play", play)
    assert done.returncode == 1
    assert told in " ".join(done.stdout.split())
    assert "13/7 8/7" in done.stdout
    told_again = json.loads(bgtools("show", rolled, "--play", play, "--format", "json").stdout)["play"]
    assert not told_again["legal"]
    assert told_again["reason"].startswith(told)
    assert len(told_again["plays"]) == 10
    right = bgtools("show", rolled, "--play", "13/7 8/7")
    assert (right.returncode, "13/7 8/7 is legal" in right.stdout) == (0, True)


def test_every_notation_is_read_and_told() -> None:
    told = json.loads(bgtools("show", START, "--format", "json").stdout)
    assert told["xgid"] == START
    assert (told["pips"], told["dice"], told["match_length"]) == ([167, 167], [3, 1], 7)
    for key in ("xgid", "ogid", "fibs", "snowie"):
        again = json.loads(bgtools("show", told[key], "--format", "json").stdout)["xgid"]
        assert again == (START.replace(":31:", ":13:") if key == "ogid" else START)  # an OGID sorts the dice
    both = f"{told['gnubg_position_id']}:{told['gnubg_match_id']}"
    assert json.loads(bgtools("show", both, "--format", "json").stdout)["xgid"] == START
    numbers = " ".join(map(str, told["board"]))
    assert json.loads(bgtools("show", numbers, "--format", "json").stdout)["pips"] == [167, 167]
    for key in ("ogid", "fibs", "snowie", "set_pos", "simple"):
        assert told[key] in bgtools("show", START, "--ids").stdout


def test_an_answer_shows_the_double_on_the_table(tmp_path: Path) -> None:
    file = tmp_path / "match.mat"
    file.write_text(SOUND)
    told = json.loads(bgtools("show", str(file), "--entry", "4", "--format", "json").stdout)
    assert told["offer"] == "double"
    assert told["names"] == ["Ann", "Bob"]
    assert ":0:0:1:D:0:0:0:3:10" in told["xgid"]
    assert (told["game"], told["turn"], told["entry_number"], told["entry"]) == (1, 3, 4, "Bob: drops")
    assert "has doubled" in bgtools("show", str(file), "--entry", "4").stdout


def test_a_drawn_board_in_a_file_or_a_pipe_is_read_and_drawn_in_another_way(tmp_path: Path) -> None:
    for style in ("gnubg", "xg", "fibs"):
        drawn = bgtools("show", START, "--board", style).stdout
        picture = drawn.partition("XGID=")[0]
        file = tmp_path / f"{style}.txt"
        file.write_text(picture)
        again = bgtools("show", str(file), "--board", style)
        assert (again.returncode, again.stderr) == (0, "")
        assert START in again.stdout
        piped = bgtools("show", "-", "--format", "json", stdin=picture.encode())
        assert json.loads(piped.stdout)["xgid"] == START


def test_a_file_may_hold_an_id(tmp_path: Path) -> None:
    file = tmp_path / "id.txt"
    file.write_text("4HPwATDgc/ABMA:cInlAAAAAAAE\n")
    assert START in bgtools("show", str(file)).stdout
    file.write_text("neither\n")
    done = bgtools("show", str(file))
    assert done.returncode == 2
    assert "this is not match text" in done.stderr


def test_no_more_is_read_of_a_file_or_a_pipe_than_anywhere_else(tmp_path: Path) -> None:
    file = tmp_path / "long.mat"
    with file.open("wb") as stream:
        stream.truncate(17 << 20)
    for what, stdin in ((str(file), b""), ("-", bytes(17 << 20))):
        done = bgtools("show", what, stdin=stdin)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"bgtools: {what}: the file is larger than 16 MB; cut it")


# --- valued by an engine ----------------------------------------------------------------------

UBGI = f"ubgi:{sys.executable} {Path(__file__).parents[1] / 'engines' / 'ubgi_program.py'} 0.1"


def test_an_engine_values_what_is_shown_after_the_board() -> None:
    pytest.importorskip("bgsage", reason="the engine bgsage is not installed here")
    bare = before_ids(bgtools("show", START).stdout)
    done = bgtools("show", START, "--engine", "sage", "--level", "quick")
    assert done.returncode == 0, done.stderr
    lines = before_ids(done.stdout)
    assert lines[: len(bare)] == bare
    told = lines[len(bare) :]
    assert told[0].startswith("sage ")
    assert told[1].startswith("  8/5 6/5 ")
    data = json.loads(bgtools("show", START, "--engine", "sage", "--level", "quick", "--format", "json").stdout)
    found = evaluate(START, level="quick")
    assert data["evaluation"]["best_action"] == found.best_action == "8/5 6/5"
    assert [each["action"] for each in data["evaluation"]["choices"]] == [each.action for each in found.plays]
    assert "evaluation" not in json.loads(bgtools("show", START, "--format", "json").stdout)


def test_a_turn_of_a_record_is_valued_after_what_the_record_says(tmp_path: Path) -> None:
    record = tmp_path / "sound.mat"
    record.write_text(SOUND)
    done = bgtools("show", str(record), "--row", "1:2", "--engine", UBGI)
    assert done.returncode == 0, done.stderr
    assert before_ids(done.stdout)[-5:-2] == [
        "  in the same row, entry 1: Ann: 31: 8/5 6/5",
        "ubgi:Last Play 7, as it is set up",
        "  UBGI tells what the program would do, and no equities",
    ]
    assert before_ids(done.stdout)[-2].startswith("best: ")
    assert before_ids(done.stdout)[-1] == "  themes: reply, slot, split"
    done = bgtools("show", str(record), "--entry", "4", "--engine", UBGI)
    assert done.returncode == 2
    assert "does not value this position" in done.stderr


@pytest.mark.skipif(find_spec("bgsage") is None, reason="bgsage is not installed")
def test_a_turn_of_a_record_says_what_it_cost_and_why() -> None:
    record = str(Path(__file__).parents[2] / "samples" / "seven-point.mat")
    asked = ("show", record, "--game", "4", "--row", "6", "--engine", "sage", "--level", "quick")
    lines = bgtools(*asked).stdout.splitlines()
    at = lines.index("best: Take")
    assert lines[at + 1].startswith("made: Pass, best Take (-0.1")
    assert lines[at + 2].startswith("  the plan: take, because a pass loses more; taking is worth -0.8")
    data = json.loads(bgtools(*asked, "--format", "json").stdout)
    (decision,) = data["decisions"]
    assert (decision["kind"], decision["error_kind"], decision["best"]) == ("pass", "wrong pass", "Take")
    assert decision["sentence"] == lines[at + 2].strip()
    # What was made is valued as deep as the best, so that the list and the loss agree.
    play = json.loads(bgtools("show", record, "--row", "3:2", *asked[6:], "--format", "json").stdout)
    made = next(each for each in play["decisions"] if each["kind"] == "checker play")
    best = play["evaluation"]["choices"][0]
    listed = next(each for each in play["evaluation"]["choices"] if each["action"] == made["played"])
    assert listed["loss"] == pytest.approx(made["loss"], abs=1e-6)
    assert best["depth"] == listed["depth"]
    assert "hit or not" in made["themes"]


def test_an_engine_that_cannot_value_is_told_and_nothing_is_printed() -> None:
    for arguments, said in (
        (("--engine", "klingon"), "no engine is called 'klingon'; there are"),
        (("--engine", "none"), "only an engine can value a position"),
        (("--engine", "ubgi:no-such-program"), "no-such-program"),
        (("--engine", "sage", "--met", "no such"), "there is no match equity table 'no such'"),
    ):
        done = bgtools("show", START, *arguments)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert said in done.stderr
        assert "Traceback" not in done.stderr


# --- lines of the file ------------------------------------------------------------------------

SLIPS = Path(__file__).parents[2] / "samples" / "five-slips.mat"


def test_a_finding_leads_to_its_board(tmp_path: Path) -> None:
    record = tmp_path / "Ann's, 2nd $HOME.mat"
    record.write_bytes(SLIPS.read_bytes())
    told = bgtools("check", str(record)).stdout
    commands = re.findall(r"= see: bgtools (show .*)", told)
    titles = re.findall(r":(\d+:\d+): error BG\d+ .* \(game (\d), row (\d+)\)$", told, re.MULTILINE)
    assert len(commands) == len(titles) == 4  # what is wrong with a result has no board
    for command, (place, game, row) in zip(commands, titles, strict=True):
        shown = bgtools(*shlex.split(command), "--format", "json")
        facts = json.loads(shown.stdout)
        assert (facts["game"], facts["row"]) == (int(game), int(row))
        by_line = json.loads(bgtools("show", str(record), "--line", place, "--format", "json").stdout)
        assert (by_line["game"], by_line["row"]) == (int(game), int(row))


def test_no_board_is_promised_where_none_would_come(tmp_path: Path) -> None:
    assert "see:" not in bgtools("check", "-", stdin=SLIPS.read_bytes()).stdout
    # Two games of one number: the number tells nothing.
    twice = tmp_path / "twice.mat"
    twice.write_text(WRONG_DIE + WRONG_DIE.partition("match\n")[2])
    told = bgtools("check", str(twice)).stdout
    assert "BG205" in told
    assert "see:" not in told
    # By other rules than the record's own the board may be another one.
    assert "see:" not in bgtools("check", str(SLIPS), "--rules", "no-crawford").stdout


def test_of_several_matches_the_number_is_told(tmp_path: Path) -> None:
    both = tmp_path / "both.zip"
    with zipfile.ZipFile(both, "w") as archive:
        archive.writestr("a.mat", SOUND)
        archive.writestr("b.mat", WRONG_DIE.replace("Ann", "Eve"))
    (command,) = re.findall(r"= see: bgtools (show .*)", bgtools("check", str(both)).stdout)
    assert command == f"show {both} --match 2 -g 1 -e 2"
    assert "Eve" in bgtools(*shlex.split(command)).stdout


def test_a_name_that_looks_like_an_option_is_a_file_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-g.mat").write_text(WRONG_DIE)
    (command,) = re.findall(r"= see: bgtools (show .*)", bgtools("check", "--", "-g.mat").stdout)
    assert bgtools(*shlex.split(command)).returncode == 0


def test_a_line_shows_what_stands_in_it(tmp_path: Path) -> None:
    record = tmp_path / "a.mat"
    record.write_text(SOUND)  # its first line is empty
    done = bgtools("show", str(record), "--line", "6")
    assert "Ann: 31: 8/5 6/5\n  in the same line, column 33: Bob: 52: 13/8 24/22\n" in done.stdout
    for place in ("6:33", "6:40", "6:999"):
        done = bgtools("show", str(record), "--line", place)
        assert "Bob: 52: 13/8 24/22\n  in the same line, column 6: Ann: 31: 8/5 6/5\n" in done.stdout
    assert json.loads(bgtools("show", str(record), "-l", "7:35", "--format", "json").stdout)["entry"] == "Bob: drops"
    done = bgtools("show", str(record), "--line", "8")
    assert done.returncode == 2
    assert done.stderr == "bgtools: line 8 holds no roll and no cube action; the nearest that does is line 7\n"


@pytest.mark.parametrize("line", ["0", "x", "3:", "3:0", "-1", "3:4:5", "1e3", "٣", "99999999999999"])
def test_what_is_no_line_is_said(line: str) -> None:
    done = bgtools("show", str(SLIPS), f"--line={line}")
    assert done.returncode == 2
    assert "--line takes a line, or line and column, as in 38 or 38:2" in done.stderr


def test_a_line_says_by_itself_what_to_show() -> None:
    for other in ("--game", "--row", "--entry"):
        done = bgtools("show", str(SLIPS), "--line", "15", other, "1")
        assert done.returncode == 2
        assert done.stderr == ("bgtools: --line and --game, --row or --entry say what to show; give one of them\n")


def test_a_board_is_written_as_a_picture(tmp_path: Path) -> None:
    for ending, begins in ((".svg", b"<svg "), (".png", b"\x89PNG"), (".pdf", b"%PDF-")):
        file = tmp_path / f"board{ending}"
        done = bgtools("show", START, "-o", str(file), "--play", "8/5 6/5", "--best", "24/20", "--size", "300")
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        assert done.stdout == f"written to {file}\n"
        assert file.read_bytes().startswith(begins)
    again = bgtools("show", START, "-o", str(tmp_path / "board.svg"))
    assert again.returncode == 2
    assert "board.svg exists; --force writes over it" in again.stderr
    assert bgtools("show", START, "-o", str(tmp_path / "board.svg"), "--force").returncode == 0
    assert "stroke-dasharray" not in (tmp_path / "board.svg").read_text()


@pytest.mark.thorough
def test_several_boards_share_a_page_or_have_a_file_each(tmp_path: Path) -> None:
    record = tmp_path / "match.mat"
    record.write_text(SOUND)
    assert bgtools("show", START, str(record), "-o", str(tmp_path / "b.pdf")).returncode == 0
    assert (tmp_path / "b.pdf").read_bytes().count(b"/Type /Page ") == 1
    assert bgtools("show", *[START] * 7, "-o", str(tmp_path / "seven.pdf")).returncode == 0
    seven = (tmp_path / "seven.pdf").read_bytes()
    assert seven.count(b"/Type /Page ") == 2
    # The size of A4 in points.
    assert seven.count(b"/MediaBox [ 0 0 595.44 841.68 ]") == 2
    sized = bgtools("show", START, START, "--size", "300", "-o", str(tmp_path / "sized.pdf"))
    assert sized.returncode == 0
    assert (tmp_path / "sized.pdf").read_bytes().count(b"/Type /Page ") == 2
    done = bgtools("show", START, str(record), "-o", str(tmp_path / "b.svg"))
    assert done.stdout.count("written to") == 2
    assert "Ann" in (tmp_path / "b-2.svg").read_text()
    refused = bgtools("show", START, START)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "several boards at once need a file with -o" in refused.stderr


def test_a_turn_of_a_record_has_the_arrows_of_its_play(tmp_path: Path) -> None:
    record = tmp_path / "match.mat"
    record.write_text(SOUND)
    drawn = bgtools("show", str(record), "-t", "1", "--format", "svg").stdout
    given = bgtools("show", START, "--format", "svg", "--play", "8/5 6/5").stdout
    own = re.findall("<polyline[^>]*>", drawn)
    assert own
    assert own == re.findall("<polyline[^>]*>", given)
    assert not re.findall("<polyline[^>]*>", bgtools("show", START, "--format", "svg").stdout)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-o", "board.gif"), "the name of a picture ends with one of .svg, .png, .pdf"),
        (
            ("-o", "b.svg", "--theme", "night"),
            "'night' is neither a theme nor a file; the themes are light, dark, print",
        ),
        (("-o", "b.svg", "--play", "nonsense"), "'nonsense' moves no checker"),
        (("-o", "b.svg", "--best", "7/3"), "the player on roll has no checker on the 7-point"),
        (("-o", "b.svg", "--play", "bar/24"), "the player on roll has no checker on the bar"),
    ],
)
def test_a_picture_that_cannot_be_is_refused(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    done = bgtools(
        "show", START, *(str(tmp_path / each) if each.startswith("b") and "." in each else each for each in arguments)
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert said in " ".join(done.stderr.replace("│", " ").split())
    assert list(tmp_path.iterdir()) == []


def test_a_theme_of_ones_own_colours_a_picture(tmp_path: Path) -> None:
    theme = tmp_path / "mine.toml"
    theme.write_text('base = "print"\nfield = "#abcdef"\n')
    assert '"#abcdef"' in bgtools("show", START, "--format", "svg", "--theme", str(theme)).stdout
    theme.write_text('felt = "#abcdef"\n')
    assert "a theme has no colour 'felt'" in " ".join(
        bgtools("show", START, "--format", "svg", "--theme", str(theme)).stderr.replace("│", " ").split()
    )


def test_the_analysis_stands_before_the_ids(tmp_path: Path) -> None:
    record = tmp_path / "match.mat"
    record.write_text(SOUND)
    lines = bgtools("show", str(record)).stdout.splitlines()
    assert lines.index("Ann: 31: 8/5 6/5") < next(at for at, line in enumerate(lines) if line.startswith("XGID="))
    assert len(bgtools("show", str(record), "--ids").stdout.splitlines()) > len(lines) + 3
