"""Every kind of finding: a small bad record that gives it and nothing else, and a good neighbour that gives none."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from bgtools.board.board import BAR, START, Board
from bgtools.checks.checking import check, worst
from bgtools.findings import codes
from bgtools.findings.finding import Severity
from bgtools.formats.reading import read_source
from bgtools.positions.xgid import encode_xgid
from bgtools.replayer.match import replay
from bgtools.rules.cube import MatchState
from support import board, excerpt, found, mat, read_text, row, rows

if TYPE_CHECKING:
    from bgtools.findings.finding import Code

LEFT_WINS = "      Wins 1 point"
LEFT_WINS_2, LEFT_WINS_4 = "      Wins 2 points", "      Wins 4 points"
DUMP = "7;0;1;0;1;a;b;0;0;0;1;0;0;-2;0;0;0;0;4;0;3;1;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;3;1;"
FIRST = row(1, "31: 8/5 6/5", "43: 13/10 13/9")
SECOND = row(2, "52: 13/8 13/11", "63: 10/4 9/6")
HOME = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}


@dataclass(frozen=True)
class Case:
    """A bad record, the place and words of its one finding, and the record put right."""

    code: Code
    bad: str
    line: int
    words: str
    message: str
    good: str
    facts: str = ""
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.code.id} {self.code.name}"


def at(position: Board, *lines: str, length: int = 7) -> str:
    """A record whose game begins from a position, seen by the left player, and that they win by resignation."""
    place = encode_xgid(position, MatchState()).removeprefix("XGID=").partition(":")[0]
    return mat(f"; Set Pos={place}/0", *lines, LEFT_WINS, length=length)


def game(number: int, score: str, *lines: str) -> str:
    """One more game of the same players."""
    left, right = score.split()
    return "".join(f"{line}\n" for line in ("", f" Game {number}", f" {f'Ann : {left}':<30} Bob : {right}", *lines))


PLAIN = mat(FIRST, SECOND, LEFT_WINS)
HEMMED_IN = board({13: 1, 1: 1}, {20: 2, 19: 2, 18: 2, 6: 3})
BEFORE_CRAWFORD = mat(FIRST, LEFT_WINS, score="5 0")
DOUBLED = (row(2, " Doubles => 2", " Takes"), row(3, "52: 13/8 13/11", "63: 10/4 9/6"))
REDOUBLED = mat(FIRST, *DOUBLED, row(4, "21: 6/4 6/5", " Doubles => 4"), row(5, " Drops", "Wins 2 points"))
START_DRAWN = (
    " +13-14-15-16-17-18------19-20-21-22-23-24-+",
    " | X           O    |   | O              X |",
    " | X           O    |   | O              X |",
    " | X           O    |   | O                |",
    " | X                |   | O                |",
    " | X                |   | O                |",
    " |                  |BAR|                  |",
    " | O                |   | X                |",
    " | O                |   | X                |",
    " | O           X    |   | X                |",
    " | O           X    |   | X              O |",
    " | O           X    |   | X              O |",
    " +12-11-10--9--8--7-------6--5--4--3--2--1-+",
)
HITS = (
    row(1, "23: 24/21 6/4", "35: 24/21* 8/3"),
    row(2, "14: bar/24 8/4*", "11: bar/23 6/4*"),
    row(3, "34: bar/22* 8/4", "44:"),
    row(4, " Doubles => 2", " Drops"),
    LEFT_WINS,
)

CASES = [
    # --- the file and its text
    Case(codes.NO_GAME, " 7 point match\n", 1, " ", "no game was found", PLAIN),
    Case(
        codes.SEVERAL_MATCHES, PLAIN + "\n" + PLAIN, 9, "7 point match", "the file holds 2 matches", PLAIN
    ),
    Case(
        codes.MONEY_SENTINEL,
        '; [Site "BackgammonGalaxy"]\n' + PLAIN.replace("7 point", "16 point"), 2, "16 point match", "money game",
        PLAIN,
    ),
    Case(
        codes.UNREADABLE_CELL, mat(FIRST, row(2, "52: 13-8 13/11"), LEFT_WINS), 6, "13-8", '"13-8" is not',
        mat(FIRST, row(2, "52: 13/8 13/11"), LEFT_WINS),
    ),
    Case(
        codes.STRAY_TEXT, mat(FIRST, "  2) Ann 52: 13/8 13/11", LEFT_WINS), 6, "Ann", "not a roll, cube action",
        mat(FIRST, "  2)     52: 13/8 13/11", LEFT_WINS),
    ),
    Case(
        codes.UNREADABLE_LINE, mat(FIRST, "clock 12:31", SECOND, LEFT_WINS), 6, "clock 12:31",
        "neither a row, a heading", mat(FIRST, "; time out", SECOND, LEFT_WINS), hint="semicolon",
    ),
    Case(
        codes.NO_SCORE_LINE, re.sub(r" Ann : 0.*\n", "", PLAIN), 3, "Game 1", "no line with both names and scores",
        PLAIN,
    ),
    Case(
        codes.NO_LENGTH, PLAIN.replace(" 7 point match\n", ""), 2, "Game 1", "judged as a money session", PLAIN,
        hint="7 point match",
    ),
    Case(
        codes.ROW_NUMBERS, PLAIN.replace("  2)", "  4)"), 6, "4)", "row 4 stands where row 2 would follow", PLAIN
    ),
    Case(
        codes.EXTRA_CELL, mat(FIRST + "   Wins 1 point"), 5, "Wins 1 point", "this is one more", PLAIN,
    ),
    Case(
        codes.BAD_SET_POSITION, mat("; Set Pos=-b----E-C---eE---c-e----BB/0", LEFT_WINS), 5,
        "; Set Pos=-b----E-C---eE---c-e----BB/0", "more than 15 checkers",
        mat("; Set Pos=-b----E-C---eE---c-e----AA/0", row(1, "21: bar/23 24/23"), LEFT_WINS),
    ),
    # --- dice and plays
    Case(
        codes.BAD_DICE, mat(row(1, "71: 8/1 6/5"), LEFT_WINS), 5, "71: 8/1 6/5", "cannot have rolled 71",
        mat(row(1, "61: 13/7 8/7"), LEFT_WINS),
    ),
    Case(
        codes.NO_CHECKER, mat(row(1, "31: 7/4 6/5"), LEFT_WINS), 5, "7/4", "no checker on the 7-point",
        mat(row(1, "31: 8/5 6/5"), LEFT_WINS), facts="Ann's checkers stand on 24(2), 13(5), 8(3), 6(5)",
    ),
    Case(
        codes.BLOCKED, mat(row(1, "51: 24/19 6/5"), LEFT_WINS), 5, "24/19", "the 19-point is blocked",
        mat(row(1, "51: 13/8 6/5"), LEFT_WINS), facts="Bob holds it with 5 checkers, as the 6-point of Bob",
    ),
    Case(
        codes.BAR_FIRST, at(board({BAR: 1, 13: 2}), row(1, "62: 13/7 13/11")), 6, "13/7", "on the bar must enter first",
        at(board({BAR: 1, 13: 2}), row(1, "62: bar/19 13/11")), facts="Ann has 1 checker on the bar",
    ),
    Case(
        codes.WRONG_DIE, mat(row(1, "63: 13/9 13/7"), LEFT_WINS), 5, "13/9", "13/9 is 4 pips",
        mat(row(1, "63: 13/10 13/7"), LEFT_WINS), facts="the dice show 6 and 3",
    ),
    Case(
        codes.BACKWARDS, mat(row(1, "52: 8/13 8/6"), LEFT_WINS), 5, "8/13", "checkers move to lower points",
        mat(row(1, "52: 13/8 8/6"), LEFT_WINS),
    ),
    Case(
        codes.TOO_MANY_HOPS, mat(row(1, "31: 8/5 6/5 24/23"), LEFT_WINS), 5, "24/23", "24/23 is one move too many",
        mat(row(1, "31: 8/5 6/5"), LEFT_WINS), facts="31 is played with 2 numbers",
    ),
    Case(
        codes.NOT_HOME, at(board({7: 1, 6: 2}), row(1, "62: 6/off 6/4")), 6, "6/off", "cannot bear off yet",
        at(board({7: 1, 6: 2}), row(1, "62: 7/1 6/4")), facts="still has a checker on the 7-point",
    ),
    Case(
        codes.HIGHER_CHECKER, at(board({6: 2, 4: 2}), row(1, "51: 4/off 6/5")), 6, "4/off",
        "cannot bear off from the 4-point with a 5", at(board({6: 2, 4: 2}), row(1, "51: 6/1 6/5")),
        facts="the 6-point is higher and still holds a checker",
    ),
    Case(
        codes.DIE_UNPLAYED, mat(row(1, "61: 13/7"), LEFT_WINS), 5, "61: 13/7", "leaves a 1 unplayed",
        mat(row(1, "61: 13/7 8/7"), LEFT_WINS), facts="1 was playable: ",
    ),
    Case(
        codes.LARGER_DIE, at(board({16: 1, 1: 1}, {20: 2}), row(1, "65: 16/11")), 6, "65: 16/11", "smaller number only",
        at(board({16: 1, 1: 1}, {20: 2}), row(1, "65: 16/10")), facts="6 was playable instead: 16/10",
    ),
    Case(
        codes.FALSE_DANCE, mat(row(1, "31: Cannot Move", "43: 13/10 13/9"), row(2, "52: 13/8 13/11"), LEFT_WINS), 5,
        "31: Cannot Move", "Ann could have played 31", mat(FIRST, LEFT_WINS), facts="31 was playable: ",
    ),
    Case(
        codes.NO_PLAY, at(board({BAR: 1, 13: 2}, HOME), row(1, "62: bar/19 13/11")), 6, "bar/19",
        "nothing can be played with 62", at(board({BAR: 1, 13: 2}, HOME), row(1, "62: Cannot Move")),
    ),
    Case(
        codes.OPENING_DOUBLE, mat(row(1, "11: 8/7(2) 6/5(2)"), LEFT_WINS), 5, "11: 8/7(2) 6/5(2)",
        "first roll of a game cannot be 11", mat(row(1, "21: 13/11 6/5"), LEFT_WINS),
        facts="equal dice are rolled again",
    ),
    Case(
        codes.TURN_MISSING,
        mat(row(1, "31: 8/5 6/5", "52: 13/8 24/22"), row(2, "64: 24/18 13/9"), row(3, "61: 9/3 5/4", "43: 13/10 13/9"),
            row(4, " Doubles => 2", " Drops"), LEFT_WINS),
        7, "61: 9/3 5/4", "Ann has two turns running; Bob was on roll", PLAIN, hint="turn before this one is missing",
    ),
    Case(
        codes.AFTER_END,
        at(board({1: 1}, {6: 2}), row(1, "61: 1/off", "65: 6/off 6/1"), row(2, "61:", "21: 1/off")), 6,
        "65: 6/off 6/1", "the game was over before this entry", at(board({1: 1}, {6: 2}), row(1, "61: 1/off")),
        facts="Ann has borne off all checkers",
    ),
    Case(
        codes.UNKNOWN_PLAY, mat(row(1, "31: ????", "43: 13/10 13/9"), LEFT_WINS), 5, "31: ????",
        "what Ann played with 31 is not recorded", mat(row(1, "31: ????"), LEFT_WINS),
    ),
    Case(
        codes.FORCED_PLAY, at(HEMMED_IN, row(1, "41:", "21: 6/4 6/5")), 6, "41:", "13/8 was forced",
        at(HEMMED_IN, row(1, "41: 13/8", "21: 6/4 6/5")),
    ),
    Case(
        codes.DECLARED_ILLEGAL,
        mat(f"  1) 31: Illegal play ({DUMP})", LEFT_WINS), 5, f"31: Illegal play ({DUMP})",
        "marks Ann's play as illegal", mat(row(1, "31: 8/5 6/5"), LEFT_WINS),
    ),
    Case(
        codes.FALSE_STAR, mat(row(1, "31: 8/5* 6/5"), LEFT_WINS), 5, "8/5*", "Bob had no blot on the 5-point",
        mat(row(1, "62: 24/18 13/11", "51: 13/8 8/7*"), LEFT_WINS),
    ),
    Case(
        codes.UNMARKED_HIT, mat(*HITS[:1], row(2, "14: bar/24 8/4", "11: bar/23 6/4*"), *HITS[2:]), 6, "8/4",
        "Ann's 8/4 hits Bob's blot on the 4-point, and has no star", mat(*HITS),
    ),
    Case(
        codes.DRAWN_OTHERWISE, mat(row(1, "31: 8/5 6/5"), *START_DRAWN, LEFT_WINS), 6,
        "\n".join(START_DRAWN).strip(),
        "the board drawn here is not that of the record", mat(*START_DRAWN, row(1, "31: 8/5 6/5"), LEFT_WINS),
    ),
    Case(
        codes.CAPTIONED_OTHERWISE,
        mat(row(1, "31: 8/5 6/5"), "; Bob to play 6-2.", row(2, "", "61: 13/7 8/7"), LEFT_WINS), 6,
        "Bob to play 6-2", "the record has 61",
        mat(row(1, "31: 8/5 6/5"), "; Bob to play 6-1.", row(2, "", "61: 13/7 8/7"), LEFT_WINS),
    ),
    # --- the cube
    Case(
        codes.NOT_YOUR_CUBE,
        mat(FIRST, *DOUBLED, row(4, " Doubles => 4", " Takes"), row(5, "21: 6/4 6/5"), LEFT_WINS_4), 8,
        "Doubles => 4", "Ann cannot double: Bob owns the cube",
        REDOUBLED,
        facts="the cube is at 2",
    ),
    Case(
        codes.OPENING_CUBE,
        mat(row(1, " Doubles => 2", " Takes"), row(2, "31: 8/5 6/5"), LEFT_WINS_2), 5, "Doubles => 2",
        "cannot double before the opening roll", PLAIN,
    ),
    Case(
        codes.CRAWFORD_DOUBLE, BEFORE_CRAWFORD + game(2, "6 0", FIRST, *DOUBLED, LEFT_WINS_2), 11, "Doubles => 2",
        "Ann cannot double: this is the Crawford game",
        BEFORE_CRAWFORD + game(2, "6 0", FIRST, LEFT_WINS),
        facts="at 6-0 in a 7-point match", hint="Crawford",
    ),
    Case(
        codes.OUT_OF_TURN,
        mat(row(1, "31: 8/5 6/5"), row(2, " Doubles => 2", " Takes"), row(3, "", "43: 13/10 13/9"), LEFT_WINS_2),
        6, "Doubles => 2", "Ann cannot double: Bob is on roll", mat(FIRST, *DOUBLED, LEFT_WINS_2),
    ),
    Case(
        codes.UNANSWERED, mat(FIRST, row(2, " Doubles => 2"), row(3, "52: 13/8 13/11"), LEFT_WINS_2), 7,
        "52: 13/8 13/11", "neither taken nor dropped; Ann goes on", mat(FIRST, *DOUBLED, LEFT_WINS_2),
    ),
    Case(
        codes.NO_OFFER, mat(FIRST, row(2, "52: 13/8 13/11", " Takes"), LEFT_WINS), 6, "Takes",
        "Bob cannot take: no double was offered", PLAIN,
    ),
    Case(
        codes.WRONG_CUBE, mat(FIRST, row(2, " Doubles => 4", " Takes"), DOUBLED[1], LEFT_WINS_2), 6,
        "Doubles => 4", "the cube goes from 1 to 2, not to 4", mat(FIRST, *DOUBLED, LEFT_WINS_2),
    ),
    Case(
        codes.BEAVER_NOT_ALLOWED,
        mat(FIRST, row(2, " Doubles => 2", " Beavers => 4"), DOUBLED[1], LEFT_WINS_4), 6, "Beavers => 4",
        "Bob cannot beaver here",
        '; [Beaver "On"]\n'
        + mat(FIRST, row(2, " Doubles => 2", " Beavers => 4"), DOUBLED[1], LEFT_WINS_4, length=0),
    ),
    Case(
        codes.CUBE_LIMIT,
        '; [CubeLimit "2"]\n' + REDOUBLED,
        9, "Doubles => 4", "Bob cannot double to 4",
        '; [CubeLimit "4"]\n' + REDOUBLED,
        facts="limits the cube to 2",
    ),
    # --- score and result
    Case(
        codes.SCORE_LINE, PLAIN + game(2, "0 1", FIRST, LEFT_WINS), 10, "Ann : 0                        Bob : 1",
        "the points of Ann and Bob stand in each other's place", PLAIN + game(2, "1 0", FIRST, LEFT_WINS),
    ),
    Case(
        codes.WRONG_POINTS,
        mat(row(1, "31: 8/5 6/5", " Doubles => 2"), row(2, " Drops", "Wins 2 points")), 6, "Wins 2 points",
        "Bob wins 1 point here, not 2", mat(row(1, "31: 8/5 6/5", " Doubles => 2"), row(2, " Drops", "Wins 1 point")),
        facts="worth the cube before it: 1",
    ),
    Case(
        codes.WRONG_WINNER,
        mat(row(1, "31: 8/5 6/5", " Doubles => 2"), row(2, " Drops"), LEFT_WINS), 7, "Wins 1 point",
        "Bob won this game, not Ann", mat(row(1, "31: 8/5 6/5", " Doubles => 2"), row(2, " Drops", "Wins 1 point")),
        facts="Bob's double was dropped",
    ),
    Case(
        codes.AFTER_MATCH, mat(FIRST, LEFT_WINS, length=1) + game(2, "1 0", FIRST, LEFT_WINS), 8, "Game 2",
        "Ann has won the match before this game", mat(FIRST, LEFT_WINS, length=1), facts="1-0 in a 1-point match",
    ),
    Case(
        codes.AFTER_MATCH,
        mat(FIRST, LEFT_WINS, length=1) + game(2, "1 0", LEFT_WINS) + game(3, "2 0", f"{LEFT_WINS} and the match"),
        8, "Game 2", "Ann has won the match before this game", mat(FIRST, LEFT_WINS, length=1),
        facts="no roll is in these 2 games; the result of the game before it is written again",
    ),
    Case(codes.UNFINISHED_GAME, mat(FIRST, SECOND), 6, "63: 10/4 9/6", "stops here without a result", PLAIN),
    Case(
        codes.GAME_MISSING, PLAIN + game(3, "1 0", FIRST, LEFT_WINS), 9, "Game 3", "game 3 follows game 1",
        PLAIN + game(2, "1 0", FIRST, LEFT_WINS),
    ),
    Case(codes.NOT_A_SCORE, mat(FIRST, "      Wins 1004 point"), 6, "Wins 1004 point", "not a score", PLAIN),
    Case(
        codes.ODD_POINTS, mat(FIRST, "      Wins 5 points"), 6, "Wins 5 points",
        "5 points cannot be won with the cube at 1", mat(FIRST, "      Wins 7 points and the match"),
        facts="worth 1, 2 or 3 points",
    ),
    Case(
        codes.FALSE_MATCH_END, mat(FIRST, "      Wins 1 point and the match"), 6, "Wins 1 point and the match",
        "the score is 1-0 now", mat(FIRST, "      Wins 1 point and the match", score="6 0"),
        facts="played to 7 points",
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_bad_record_gives_this_finding_and_no_other(case: Case) -> None:
    findings = found(case.bad)
    assert [finding.code.id for finding in findings] == [case.code.id], [str(each.message) for each in findings]
    (finding,) = findings
    assert excerpt(case.bad, finding) == (case.line, case.words)
    assert case.message in finding.message
    assert case.facts in "; ".join(finding.facts)
    assert case.hint in finding.hint
    assert finding.severity is case.code.severity


@pytest.mark.parametrize("case", CASES, ids=str)
def test_its_good_neighbour_gives_none(case: Case) -> None:
    assert [(finding.code.id, finding.message) for finding in found(case.good)] == []


# --- what holds for all ---------------------------------------------------------------------


def test_codes_are_unique_and_their_names_read_well() -> None:
    assert len({code.id for code in codes.ALL}) == len(codes.ALL) == len({code.name for code in codes.ALL})
    for code in codes.ALL:
        assert re.fullmatch(r"BG[0-9]\d\d", code.id)
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code.name)
        assert code.page.endswith(".")
        assert all(re.fullmatch(r"R\d\d", rule) for rule in code.rule)


def test_a_sentence_begins_small_and_has_no_full_stop() -> None:
    for case in CASES:
        (finding,) = found(case.bad)
        for sentence in (finding.message, *finding.facts, finding.hint):
            assert not sentence.endswith(".")
            # Only what stands in a record may have blanks.
            assert "  " not in re.sub(r'"[^"]*"', "", sentence)


def test_the_worst_finding_decides() -> None:
    assert worst([]) is None
    assert worst(found(mat(FIRST, SECOND))) is Severity.WARNING
    assert worst(found(mat(row(1, "31: 7/4 6/5")))) is Severity.ERROR


def test_findings_stand_in_the_order_of_the_file() -> None:
    text = mat(row(1, "31: 8/5* 6/5", "43: 13/10* 13/9"), row(2, "52: 13/8 13/11"))
    (match,) = read_source(text.encode(), "x")
    spans = [finding.span for finding in check(match)]
    assert len(spans) == 3
    assert spans == sorted(spans)


# --- one slip, one finding ------------------------------------------------------------------


def test_an_illegal_play_that_stood_is_one_finding() -> None:
    lines = rows(("63: 13/9 13/7", "43: 13/10 13/9"), ("52: 9/4 7/5", "63: 10/4 9/6"))
    (finding,) = found(mat(*lines, LEFT_WINS))
    assert finding.code is codes.WRONG_DIE
    assert "the next 3 plays fit, so it may have stood; or the roll was 64" in finding.hint


def test_a_play_that_was_written_down_wrongly_is_one_finding_with_the_likely_play() -> None:
    # 8/5 6/5 was played; the record has 7/4. What follows fits the former only.
    lines = rows(("31: 7/4 6/5", "43: 13/10 13/9"), ("11: 5/4(2) 24/23(2)", "63: 10/4 9/6"))
    (finding,) = found(mat(*lines, LEFT_WINS))
    assert finding.code is codes.NO_CHECKER
    assert "read as 8/5, 6/5" in finding.hint


def test_the_entries_after_the_end_of_a_game_are_one_finding() -> None:
    lines = (row(1, "61: 1/off", "65: 6/off 6/1"), row(2, "61:", "21: 1/off"), row(3, "33:", "21:"))
    findings = found(at(board({1: 1}, {6: 2}), *lines))
    assert [finding.code for finding in findings] == [codes.AFTER_END]


def test_a_resigned_match_may_be_worth_its_whole_length() -> None:
    assert found(mat(FIRST, "      Wins 7 points and the match", score="3 2")) == []
    assert found(mat(FIRST, "      Wins 4 points and the match", score="3 2")) == []
    assert [finding.code for finding in found(mat(FIRST, "      Wins 5 points", score="0 0"))] == [codes.ODD_POINTS]


# --- what GNU Backgammon leaves to the score of a money session ------------------------------

DROPPED = (FIRST, row(2, " Doubles => 2", " Drops"), LEFT_WINS)


AUTOMATIC = '; [AutomaticDoubles "9"]\n'


def session(first: tuple[str, ...], *scores: str, tags: str = "") -> str:
    """A money session: a game, then others that begin with these scores and are dropped at once."""
    later = "".join(game(number, score, *DROPPED) for number, score in enumerate(scores, 2))
    return tags + mat(*first, length=0) + later


@pytest.mark.parametrize("score", ["2 0", "4 0", "16 0"])
def test_an_automatic_double_that_only_the_score_counts_is_said_once(score: str) -> None:
    after = f"{int(score.split()[0]) + 1} 0"
    text = session(DROPPED, score, after, tags=AUTOMATIC)
    assert [finding.code for finding in found(text)] == [codes.LEFT_TO_SCORE]


def test_one_score_alone_tells_nothing_of_automatic_doubles() -> None:
    # A game may be missing, whoever wrote the record; only the rules that it states explain points too many.
    one, two = session(DROPPED, "2 0", "3 0"), session(DROPPED, "2 0", "4 0", "5 0")
    assert [finding.code for finding in found(one)] == [codes.SCORE_LINE]
    assert [finding.code for finding in found(f'; [AutomaticDoubles "1"]\n{two}')] == [codes.LEFT_TO_SCORE] * 2
    exported = re.sub(r"(/\d+)$", r"\1 ", one, flags=re.MULTILINE)
    (finding,) = found(exported)
    assert finding.code is codes.SCORE_LINE
    assert "or a game is missing before it, or the cube was turned by itself" in finding.hint


@pytest.mark.parametrize(
    ("scores", "tag", "games"),
    [
        (("2 0", "3 0", "5 0", "6 0"), "On", 2),
        (("2 0", "4 0", "5 0", "7 0"), "On", 3),
        (("2 0", "6 0", "7 0"), "2", 2),
        # One of the lines is wrong besides, and found.
        (("2 0", "4 0", "8 3", "9 3"), "2", 2),
    ],
)
def test_several_scores_tell_of_automatic_doubles_in_one_finding(scores: tuple[str, ...], tag: str, games: int) -> None:
    findings = found(session(DROPPED, *scores))
    (finding,) = (each for each in findings if "automatic doubles" in each.message)
    assert finding.code is codes.SCORE_LINE
    assert f'[AutomaticDoubles "{tag}"]' in finding.hint
    assert len(finding.related) == games
    others = [each.code for each in findings if each is not finding]
    assert others == ([codes.SCORE_LINE] if "8 3" in scores else [])
    # What the hint says makes them clean.
    assert [each.code for each in found(f'; [AutomaticDoubles "{tag}"]\n{session(DROPPED, *scores)}')] == (
        [codes.LEFT_TO_SCORE] * games + others
    )


def test_score_lines_that_no_automatic_doubles_explain_are_wrong_each() -> None:
    findings = found(session(DROPPED, "3 0", "6 0", "9 0"))
    assert [finding.code for finding in findings] == [codes.SCORE_LINE] * 3


@pytest.mark.parametrize("length", [0, 7])
@pytest.mark.parametrize(
    ("number", "score", "code", "message", "fact"),
    [
        (3, "1 2", codes.SCORE_LINE, "game 2 is missing", "counts 2 points for Bob that no game here gives"),
        (5, "2 1", codes.SCORE_LINE, "games 2 to 4 are missing", "1 point for Ann and 1 point for Bob"),
        (3, "0 2", codes.SCORE_LINE, "the score goes back: after game 1 it was 1-0", "game 2 is missing"),
        (3, "1 0", codes.GAME_MISSING, "game 3 follows game 1", "no points are missing"),
    ],
)
def test_a_gap_in_the_numbers_is_an_error_where_the_score_counts_what_is_missing(
    length: int, number: int, score: str, code: Code, message: str, fact: str
) -> None:
    (finding,) = found(mat(FIRST, SECOND, LEFT_WINS, length=length) + game(number, score, FIRST, LEFT_WINS))
    assert (finding.code, finding.message) == (code, message)
    assert fact in " ".join(finding.facts)


@pytest.mark.parametrize("numbers", [(2, 1), (1, 2)])
@pytest.mark.parametrize("last", [True, False])
def test_exchanged_games_are_one_error_that_the_score_lines_prove(numbers: tuple[int, int], last: bool) -> None:
    bob_wins = " " * 35 + LEFT_WINS.strip()
    games = (game(numbers[0], "1 0", FIRST, bob_wins), game(numbers[1], "0 0", *DROPPED))
    text = " 7 point match\n" + "".join(games)
    if not last:
        text += game(3, "1 1", *DROPPED)
    elif numbers == (1, 2):
        return  # then nothing tells
    (finding,) = found(text)
    assert (finding.code, finding.message) == (codes.SCORE_LINE, "games 1 and 2 stand in each other's place")
    assert finding.fix is not None
    assert finding.fix.applicability == ("unsafe" if last else "safe")  # the third score line proves it
    mended = text[: finding.fix.span.start] + finding.fix.text + text[finding.fix.span.end :]
    assert found(mended) == []
    assert mended.index("Game 1") < mended.index("Game 2") < mended.index("Bob : 0", mended.index("Game 2"))


def test_exchanged_games_are_told_where_the_first_game_has_no_score_line() -> None:
    bob_wins = " " * 35 + LEFT_WINS.strip()
    second, third = game(2, "1 1", *DROPPED), game(3, "1 0", FIRST, bob_wins)
    match = read_text(mat(*DROPPED, length=7) + second + third + game(4, "2 1", *DROPPED))
    first, *rest = match.games
    found_here = check(replace(match, games=(replace(first, score=None), *rest)))
    assert [each.message for each in found_here] == ["games 2 and 3 stand in each other's place"]


def test_exchanged_columns_are_told_where_the_result_says_that_the_match_was_over() -> None:
    dropped = (FIRST, row(2, "52: 13/8 13/11", " Doubles => 2"), row(3, " Drops", "Wins 1 point"))
    turned = (row(3, "52: 13/8 13/11", " Doubles => 4"), row(4, " Drops", "Wins 2 points and the match"))
    text = mat(*dropped, length=5) + game(2, "0 1", *dropped) + game(3, "0 2", *dropped)
    text += game(4, "0 3", FIRST, DOUBLED[0], *turned) + game(5, "2 3", *DROPPED) + game(6, "3 3", *DROPPED)
    (finding,) = found(text + game(7, "4 3", FIRST, f"{LEFT_WINS} and the match"))
    assert finding.message == "all entries of this game stand in each other's column"


@pytest.mark.parametrize(
    ("later", "message", "hint", "safe"),
    [
        ("0 1", "by its entries Ann won this game, by its result Bob, and the score goes on", "all entries of", False),
        ("1 0", "Ann won this game, not Bob", "the result is in the wrong column", True),
        ("", "Ann won this game, not Bob", "in the wrong column, or all entries of the game do", False),
    ],
)
def test_who_won_is_told_by_entries_result_and_score(later: str, message: str, hint: str, safe: bool) -> None:
    text = mat(*DROPPED[:-1], " " * 35 + LEFT_WINS.strip())
    (finding,) = found(text + (game(2, later, *DROPPED) if later else ""))
    assert finding.code is codes.WRONG_WINNER
    assert finding.message.startswith(message)
    assert hint in finding.hint
    assert finding.fix is not None
    assert (finding.fix.applicability == "safe") == safe


def test_where_only_the_result_ends_the_match_the_entries_may_be_in_the_wrong_columns() -> None:
    start = f"; Set Pos={encode_xgid(board({1: 1}, {6: 14}), MatchState())[5:31]}/0"
    (finding,) = found(mat(start, row(1, "61: 1/off"), f"{'':35}{LEFT_WINS.strip()} and the match", score="0 6"))
    assert finding.message == "by its entries Ann won this game, by its result Bob, and only its result ends the match"


def test_points_in_each_others_place_are_one_finding_across_a_level_score() -> None:
    right = " " * 35 + LEFT_WINS.strip()
    text = mat(FIRST, SECOND, LEFT_WINS) + game(2, "0 1", FIRST, right) + game(3, "1 1", *DROPPED)
    (misprint,) = found(text)
    assert misprint.hint == ""
    (finding,) = found(text + game(4, "1 2", *DROPPED))
    assert finding.message == "the points of Ann and Bob stand in each other's place"
    assert finding.hint == "so do those on the score lines that follow"


def test_games_whose_numbers_alone_are_exchanged_are_a_warning() -> None:
    text = " 7 point match\n" + game(2, "0 0", *DROPPED) + game(1, "1 0", *DROPPED) + game(3, "2 0", *DROPPED)
    (finding,) = found(text)
    assert finding.code is codes.GAME_MISSING


@pytest.mark.parametrize(
    ("tags", "scores"),
    [
        ('; [AutomaticDoubles "Off"]\n', ("2 0", "3 0")),
        ('; [AutomaticDoubles "1"]\n', ("4 0", "5 0")),
        ("", ("3 0", "4 0")),
        ("", ("0 2", "1 2")),
        ("", ("2 1", "3 1")),
        # The line after it goes on from the sum of the results: a misprint.
        ("", ("2 0", "2 0", "3 0")),
    ],
)
def test_a_score_that_no_automatic_double_explains_is_wrong(tags: str, scores: tuple[str, ...]) -> None:
    assert [finding.code for finding in found(session(DROPPED, *scores, tags=tags))] == [codes.SCORE_LINE]


def test_a_score_that_may_be_a_misprint_is_none_where_another_result_leaves_something_to_the_score() -> None:
    # The second line may be a misprint for 1, for a gammon leads from there to the third. Or the
    # first result lacks an automatic double, and the gammon does not count by the Jacoby rule.
    text = AUTOMATIC + mat(*DROPPED, length=0) + game(2, "2 0", *GAMMON) + game(3, "3 0", *DROPPED)
    assert [finding.code for finding in found(text)] == [codes.SCORE_LINE]
    text += game(4, "5 0", *DROPPED)
    assert [finding.code for finding in found(text)] == [codes.LEFT_TO_SCORE] * 3


def test_a_match_has_no_automatic_doubles_that_the_score_could_count() -> None:
    text = mat(*DROPPED) + game(2, "2 0", *DROPPED)
    assert [finding.code for finding in found(text)] == [codes.SCORE_LINE]


def test_points_left_to_the_score_are_taken_from_it() -> None:
    (match,) = read_source(session((FIRST, *DOUBLED, LEFT_WINS_2), "8 0", tags=AUTOMATIC).encode(), "x")
    first, second = replay(match)
    assert (first.points, first.scored, first.score_after) == (8, 8, (8, 0))
    assert (second.added_up, second.scored) == ((8, 0), None)


GAMMON = (f"; Set Pos={encode_xgid(board({1: 1}, {6: 15}), MatchState())[5:31]}/0", row(1, "61: 1/off"), LEFT_WINS_2)


@pytest.mark.parametrize("score", ["1 0", "4 0"])
def test_a_gammon_that_does_not_count_by_the_jacoby_rule_is_left_to_the_score(score: str) -> None:
    tags = AUTOMATIC if score == "4 0" else ""
    assert [finding.code for finding in found(session(GAMMON, score, tags=tags))] == [codes.LEFT_TO_SCORE]


@pytest.mark.parametrize("score", ["1 0", "2 0"])
def test_a_gammon_that_does_not_count_by_a_stated_jacoby_rule_has_wrong_points(score: str) -> None:
    findings = found(session(GAMMON, score, tags='; [Jacoby "On"]\n'))
    assert [finding.code for finding in findings] == [codes.WRONG_POINTS]


@pytest.mark.parametrize(("points", "level"), [(4, 1), (8, 2), (12, 3)])
def test_a_resignation_right_after_a_beaver_is_at_the_cube_that_it_offers(points: int, level: int) -> None:
    beaver = row(2, " Doubles => 2", " Beavers => 4")
    text = '; [Beaver "On"]\n' + mat(FIRST, beaver, f"{'':35}Wins {points} points", length=0)
    assert found(text) == []
    (match,) = read_source(text.encode(), "x")
    (played,) = replay(match)
    assert (played.winner, played.cube, played.level, played.points) == (1, 4, level, points)


@pytest.mark.parametrize(("points", "codes_found"), [(512, []), (1024, []), (1536, []), (1004, [codes.NOT_A_SCORE])])
def test_a_high_cube_is_worth_large_numbers_in_earnest(points: int, codes_found: list[Code]) -> None:
    start = encode_xgid(START, MatchState())[5:31]
    text = mat(f"; Set Pos={start}/9", FIRST, f"      Wins {points} points", length=0)
    assert [finding.code for finding in found(text)] == codes_found


@pytest.mark.parametrize(
    ("play", "marked"),
    [
        ("52: 13/6 24/22", "24/22"),
        ("52: 24/22 13/6", "24/22"),
        ("52: 6/1 13/6", "6/1"),
        ("61: 24/18 13/6", "24/18"),
        ("61: 13/6 24/18", "24/18"),
        ("52: 13/11 24/22 6/4", "6/4"),
    ],
)
def test_the_hop_that_is_too_much_is_marked_and_not_the_one_that_uses_both_numbers(play: str, marked: str) -> None:
    text = mat(f"  1) {play}\n")
    (finding,) = (each for each in found(text) if each.code is codes.TOO_MANY_HOPS)
    assert text[slice(*finding.span)] == marked
    assert f"{marked} is one move too many" in finding.message


@pytest.mark.parametrize(("play", "code"), [("66: 13/7(2)", codes.NO_PLAY), ("42: 13/9 13/11", codes.BAR_FIRST)])
def test_the_hit_that_brought_a_checker_to_the_bar_is_named(play: str, code: Code) -> None:
    text = mat(f"  1) 64: 24/14                    55: 8/3(2) 6/1*(2)\n  2) {play}\n")
    (finding,) = (each for each in found(text) if each.code is code)
    assert "Bob hit with 8/3(2) 6/1*(2) in row 1" in finding.facts
    assert "55: 8/3(2) 6/1*(2)" in [text[slice(*related.span)] for related in finding.related]
