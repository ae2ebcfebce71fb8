"""The grammar of match text: what each cell and line may say, and what it then means."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, strategies as st
from hypothesis.extra.lark import from_lark
from lark import Token, UnexpectedInput

from bgtools.board.board import BAR, OFF
from bgtools.board.play import PlayText
from bgtools.formats import fibs
from bgtools.formats.mat import cells as mat_cells, layout
from bgtools.formats.mat.cells import (
    STARTS,
    Cell,
    CubeCell,
    ResignCell,
    ResultCell,
    RollCell,
    ScoreText,
    Unreadable,
    parse_cell,
    parse_line,
)
from bgtools.formats.rare import bgammon, bgroom, oldmoves, party, sgg, snowie, tmg
from bgtools.formats.shared.grammar import make_parser
from bgtools.formats.shared.lines import PlayBuilder, make_transformer
from selfplay import random_match
from support import CORPUS, needs_corpus

SAMPLES = Path(__file__).resolve().parents[2] / "samples"

LINE_PARSERS = (
    bgammon.PARSER,
    bgroom.PARSER,
    party.PARSER,
    fibs.PARSER,
    snowie.PARSER,
    oldmoves.PARSER,
    sgg.PARSER,
    tmg.PARSER,
)
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.formats.shared.lines import LineParser

Groups = list[tuple[tuple[int, ...], tuple[bool, ...], int]]


def groups(text: str) -> Groups:
    """Points, stars and count of every group of a roll."""
    cell = parse_cell(text)
    assert isinstance(cell, RollCell), cell
    assert cell.text.kind == "moves"
    return [(hop.points, hop.stars, hop.count) for hop in cell.text.hops]


def test_the_grammar_has_no_conflict() -> None:
    pytest.importorskip("interegular", reason="a strict build needs interegular")
    parser = make_parser("mat", STARTS, strict=True)
    tree = parser.parse("31: 8/5 6/5", start="cell")
    assert tree.data == "roll"


@pytest.mark.parametrize("parser", LINE_PARSERS, ids=lambda parser: parser.name)
def test_the_grammars_of_lines_have_no_conflict(parser: LineParser) -> None:
    pytest.importorskip("interegular", reason="a strict build needs interegular")
    make_parser(parser.name, parser.starts, strict=True)


# --- plays ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("42: 8/4 6/4", [((8, 4), (False,), 1), ((6, 4), (False,), 1)]),
        ("42: 8/4  6/4  ", [((8, 4), (False,), 1), ((6, 4), (False,), 1)]),
        ("53: 25/20 8/5", [((BAR, 20), (False,), 1), ((8, 5), (False,), 1)]),
        ("53: bar/20 8/5", [((BAR, 20), (False,), 1), ((8, 5), (False,), 1)]),
        ("53: Bar/20 8/5", [((BAR, 20), (False,), 1), ((8, 5), (False,), 1)]),
        ("65: 6/0 5/0", [((6, OFF), (False,), 1), ((5, OFF), (False,), 1)]),
        ("65: 6/off 5/Off", [((6, OFF), (False,), 1), ((5, OFF), (False,), 1)]),
        ("55: 13/8(2) 6/1(2)", [((13, 8), (False,), 2), ((6, 1), (False,), 2)]),
        ("55: 8/3(2) 6/1*(2)", [((8, 3), (False,), 2), ((6, 1), (True,), 2)]),
        ("55: 8/3(2) 6/1(2)*", [((8, 3), (False,), 2), ((6, 1), (True,), 2)]),
        ("26: 24/18*/16", [((24, 18, 16), (True, False), 1)]),
        ("26: 24/18*/16*", [((24, 18, 16), (True, True), 1)]),
        ("62: 24/16", [((24, 16), (False,), 1)]),
        ("66: bar/13(2)", [((BAR, 13), (False,), 2)]),
        ("41: bar/24*/20", [((BAR, 24, 20), (True, False), 1)]),
        ("11: 8/7 8/7 6/5 6/5", [((8, 7), (False,), 1)] * 2 + [((6, 5), (False,), 1)] * 2),
    ],
)
def test_a_play_is_points_stars_and_counts(text: str, expected: Groups) -> None:
    assert groups(text) == expected


def test_dice_keep_their_order_and_need_no_colon() -> None:
    for text, dice in (
        ("15: 13/8", (1, 5)),
        ("51: 13/8", (5, 1)),
        ("51 13/8", (5, 1)),
        ("00:", (0, 0)),
        ("07:", (0, 7)),
    ):
        cell = parse_cell(text)
        assert isinstance(cell, RollCell)
        assert cell.dice == dice


def test_a_group_knows_its_place_in_the_cell() -> None:
    text = "55: 8/3(2)  6/1*(2)"
    cell = parse_cell(text)
    assert isinstance(cell, RollCell)
    assert [text[hop.start : hop.end] for hop in cell.text.hops] == ["8/3(2)", "6/1*(2)"]


def test_a_filler_for_a_number_that_could_not_be_played_is_no_move() -> None:
    assert groups("62: 2/0 0/0") == [((2, OFF), (False,), 1)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("64:", "nothing"),
        ("64: ", "nothing"),
        ("64: Cannot Move", "dance"),
        ("64: cannot  move", "dance"),
        ("64: No move", "dance"),
        ("64: Dances", "dance"),
        ("64: Pass", "dance"),
        ("66: ????", "unknown"),
        ("66: ???", "unknown"),
        ("66: Illegal play (5;0;1;0;ann;bob;-2;)", "illegal"),
    ],
)
def test_what_stands_behind_the_dice_when_nothing_was_moved(text: str, kind: str) -> None:
    cell = parse_cell(text)
    assert isinstance(cell, RollCell)
    assert cell.text.kind == kind
    assert not cell.conceded


def test_the_mark_of_an_illegal_play_keeps_what_is_in_its_brackets() -> None:
    cell = parse_cell("66: Illegal play (5;0;ann;-2;)")
    assert isinstance(cell, RollCell)
    assert cell.text == PlayText("illegal", dump="5;0;ann;-2;")


@pytest.mark.parametrize("word", ["Concedes", "concede", "Resigns", "Resigned", "Resign"])
def test_a_roll_may_be_given_up(word: str) -> None:
    assert parse_cell(f"32: {word}") == RollCell((3, 2), PlayText("nothing"), conceded=True)


# --- cube, resignation, result --------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("Doubles => 2", CubeCell("double", 2)),
        ("Doubles ==> 64", CubeCell("double", 64)),
        ("doubles to 4", CubeCell("double", 4)),
        ("Doubles", CubeCell("double")),
        ("Redoubles => 8", CubeCell("double", 8)),
        ("Beavers => 4", CubeCell("beaver", 4)),
        ("Raccoons => 8", CubeCell("raccoon", 8)),
        ("Racoons => 8", CubeCell("raccoon", 8)),
        ("Takes", CubeCell("take")),
        ("Accepts", CubeCell("take")),
        ("Drops", CubeCell("drop")),
        ("Rejects", CubeCell("drop")),
        ("Passes", CubeCell("drop")),
        ("Folds", CubeCell("drop")),
        ("Concedes", ResignCell()),
        ("Resigns", ResignCell()),
        ("Resigned Match", ResignCell(match=True)),
        ("Resigned Game", ResignCell()),
        ("Forfeits", ResignCell()),
        ("Loses on time", ResignCell()),
        ("????", ResignCell(vanished=True)),
        ("???", ResignCell(vanished=True)),
        ("Wins 1 point", ResultCell(True, 1, match=False)),
        ("Wins 2 points", ResultCell(True, 2, match=False)),
        ("Wins 1004 point", ResultCell(True, 1004, match=False)),
        ("wins", ResultCell(True, None, match=False)),
        ("Wins 3 points and the match", ResultCell(True, 3, match=True)),
        ("Wins the match", ResultCell(True, None, match=True)),
        ("Wins 2 points with a gammon", ResultCell(True, 2, match=False)),
        ("Losses 5 point", ResultCell(False, 5, match=False)),
        ("Loses 2 points", ResultCell(False, 2, match=False)),
    ],
)
def test_a_cube_action_a_resignation_or_a_result(text: str, cell: Cell) -> None:
    assert parse_cell(text) == cell


# --- what is none of it ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "at", "found"),
    [
        ("31: 8-5 6/5", 4, "8-5"),
        ("31: 8/5 6//5", 8, "6//5"),
        ("31: 8/5 Takes", 8, "Takes"),
        ("53: 26/21 8/5", 4, "26/21"),
        ("53: 8/5 99/94", 8, "99/94"),
        ("53: 24/26/3", 4, "24/26/3"),
        ("31: moves a checker", 4, "moves"),
        ("Doubles => much", 11, "much"),
        ("Wins lots", 5, "lots"),
        ("31: Illegal play", 16, ""),
    ],
)
def test_an_unreadable_cell_says_where_it_stops_making_sense(text: str, at: int, found: str) -> None:
    cell = parse_cell(text)
    assert isinstance(cell, Unreadable)
    assert (cell.at, cell.found) == (at, found)
    assert cell.expected
    assert all(name for name in cell.expected)


def test_the_names_of_what_was_expected_are_a_readers_words() -> None:
    cell = parse_cell("Doubles => much")
    assert isinstance(cell, Unreadable)
    assert cell.expected == ("a number",)


# --- lines ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("7 point match", 7),
        (" 7 point match", 7),
        ("25 points match", 25),
        ("0 point match", 0),
        ("5-point match", 5),
        ("Match of 9 points", 9),
        ("Money session", 0),
        ("Money game", 0),
        ("unlimited match", 0),
        ("7 pints", None),
    ],
)
def test_a_length_line(text: str, points: int | None) -> None:
    assert parse_line(text, "length_line") == points


@pytest.mark.parametrize(
    ("text", "number"), [(" Game 1", 1), ("Game 12 ", 12), ("GAME 3", 3), ("Game", None), ("Game on", None)]
)
def test_a_heading(text: str, number: int | None) -> None:
    assert parse_line(text, "game_line") == number


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (" Ann : 0                   Bob : 3", [("Ann", "", 0), ("Bob", "", 3)]),
        ("Ann: 0            Bob: 13", [("Ann", "", 0), ("Bob", "", 13)]),
        (" Mary Ann & Joe : 2        Bob von B. : 0", [("Mary Ann & Joe", "", 2), ("Bob von B.", "", 0)]),
        (" Ann,1734 : 0              Bob,1801.52 : 1", [("Ann", "1734", 0), ("Bob", "1801.52", 1)]),
        ("  : 0                      Bob : 0", [("", "", 0), ("Bob", "", 0)]),
        (" Ann : 0                    : 0", [("Ann", "", 0), ("", "", 0)]),
        (" Ann_(NED) : 1             c:b : 2", [("Ann_(NED)", "", 1), ("c:b", "", 2)]),
        (" Ann  : 0                  Bob   : 0", [("Ann", "", 0), ("Bob", "", 0)]),
    ],
)
def test_a_score_line(text: str, names: list[tuple[str, str, int]]) -> None:
    told = parse_line(text, "score_line")
    assert isinstance(told, tuple)
    assert all(isinstance(each, ScoreText) for each in told)
    assert [(each.name, each.rating, each.points) for each in told] == names


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ('; [Event "Club night"]', ("Event", "Club night")),
        (';[Player 1 "Ann"]', ("Player 1", "Ann")),
        ('; [Player 2 ""]', ("Player 2", "")),
        ('; [Note "so \\"it\\" goes"]', ("Note", 'so \\"it\\" goes')),
        ('# [Site "here"]', ("Site", "here")),
        ("; [title Final]", None),
        ("; 3-point match", None),
    ],
)
def test_a_tag(text: str, tag: tuple[str, str] | None) -> None:
    assert parse_line(text, "tag_line") == tag


def test_a_set_position() -> None:
    board = "-a-a--E-C---dE---d-e----B-"
    assert parse_line(f"; Set Pos={board}/0", "set_position_line") == (board, 0)
    assert parse_line(f"; Set Pos={board}/-2", "set_position_line") == (board, -2)
    assert parse_line("; Set Pos=-a-a/0", "set_position_line") is None


# --- short ways, which must not say anything but the grammar ---------------------------------


class Meanings(PlayBuilder):
    """What the rules of the grammar mean, for Lark's parser. It gives None for an optional symbol that is missing."""

    def roll(self, dice: Token, played: PlayText | str | None = None) -> RollCell:
        numbers = int(dice[0]), int(dice[1])
        if isinstance(played, PlayText):
            return RollCell(numbers, played)
        return RollCell(numbers, PlayText("nothing"), conceded=played is not None)

    def conceded(self, _word: Token) -> str:
        return "conceded"

    def double(self, *words: Token | None) -> CubeCell:
        return CubeCell("double", number(words))

    def beaver(self, *words: Token | None) -> CubeCell:
        return CubeCell("beaver", number(words))

    def raccoon(self, *words: Token | None) -> CubeCell:
        return CubeCell("raccoon", number(words))

    def automatic(self, *words: Token | None) -> CubeCell:
        return CubeCell("automatic", number(words))

    def take(self, _word: Token) -> CubeCell:
        return CubeCell("take")

    def drop(self, _word: Token) -> CubeCell:
        return CubeCell("drop")

    def resignation(self, *words: Token | None) -> ResignCell:
        return ResignCell(match=is_of_match(words))

    def vanished(self, _marks: Token) -> ResignCell:
        return ResignCell(vanished=True)

    def wins(self, *words: Token | None) -> ResultCell:
        return ResultCell(True, number(words), is_of_match(words))

    def loses(self, *words: Token | None) -> ResultCell:
        return ResultCell(False, number(words), is_of_match(words))

    def points(self, *words: Token) -> int | None:
        return number(words)

    def money(self, _words: Token) -> int:
        return 0

    def game_line(self, _heading: Token, points: Token) -> int:
        return int(points)

    def score_line(self, *scores: Token) -> tuple[ScoreText, ...]:
        return tuple(map(score_text, scores))

    def tag_line(self, _mark: Token, key: Token, quoted: Token) -> tuple[str, str]:
        return key.strip(), quoted[1:-1]

    def set_position_line(self, _mark: Token, board: Token, cube: Token) -> tuple[str, int]:
        return str(board), int(cube)


def number(words: Sequence[Token | None]) -> int | None:
    return next((int(word) for word in words if word is not None and word.type == "NUMBER"), None)


def is_of_match(words: Sequence[Token | None]) -> bool:
    return any(word is not None and word.type == "WHOLE_MATCH" and word.casefold().endswith("match") for word in words)


def score_text(score: Token) -> ScoreText:
    before, points = re.fullmatch(r"(.*):\s*(\d+)", score, re.DOTALL).groups()  # type: ignore[union-attr]
    rated = re.fullmatch(r"(.*),\s*(\d{2,4}(?:[.,]\d+)?)", before.strip())
    name, rating = rated.groups() if rated else (before, "")
    return ScoreText(name.strip(), rating, int(points), score.start_pos or 0, (score.start_pos or 0) + len(score))


BY_GRAMMAR = make_parser("mat", STARTS)
MEANINGS = make_parser("mat", STARTS, transformer=make_transformer(Meanings))


def parse_by_grammar(text: str, start: str = "cell") -> object:
    """What Lark finds in a text; None if it breaks the grammar."""
    try:
        return MEANINGS.parse(text, start=start)
    except UnexpectedInput:
        return None


def same_cell(text: str) -> bool:
    """Whether a cell is plain. The grammar must find the same in it, plain or not."""
    cell = mat_cells._readable_cell(text)
    assert cell == parse_by_grammar(text), text
    plain = mat_cells.plain_cell(text)
    assert plain in (None, cell)
    return plain is not None


@pytest.mark.parametrize("text", ["31: 8/5  6/5", "31:  8/5 6/5", "31: 8/5 6/5 ", "31 8/5   6/5"])
def test_blanks_between_groups_take_no_parser(text: str) -> None:
    assert same_cell(text)


@pytest.mark.parametrize("text", ["31: ", "31:  "])
def test_dice_and_blanks_are_dice_alone(text: str) -> None:
    assert same_cell(text)


def same_row(line: str) -> bool:
    """Whether a line is a plain row, which it may only be when cutting it up gives the same."""
    rows, end = layout.plain_rows("\n" * 7 + line, 7, most=1)
    if rows:
        assert rows == layout.rows_of_line(line, 7), line
        assert end == 7 + len(line)
    return bool(rows)


def same_line(text: str, start: str) -> None:
    assert parse_line(text, start) == parse_by_grammar(text, start), text


LINES = [start for start in STARTS if start != "cell"]


@needs_corpus
def test_the_short_ways_read_the_corpus_as_the_grammar_does() -> None:
    lines = set()
    for path in (CORPUS / "mat").iterdir():
        lines.update(re.split(r"[\r\n]+", path.read_bytes().decode("latin-1")))
    cells = {cell.text for line in lines for row in layout.rows_of_line(line, 0) for cell in row.cells}
    assert sum(map(same_cell, cells)) > 0.9 * len(cells)
    numbered = [line for line in lines if layout.label_of(line)]
    assert sum(map(same_row, lines)) > 0.9 * len(numbered)
    for line in sorted(lines.difference(numbered))[::3]:
        for start in LINES:
            same_line(line, start)


def test_the_short_ways_read_generated_matches_as_the_grammar_does() -> None:
    from bgtools.formats.mat import writer as mat_write

    plain_rows = plain_cells = 0
    for seed in range(6):
        for line in mat_write.write(random_match(seed, 5)).splitlines():
            plain_rows += same_row(line)
            for row in layout.rows_of_line(line, 0):
                plain_cells += sum(same_cell(cell.text) for cell in row.cells)
            if not layout.label_of(line):
                for start in LINES:
                    same_line(line, start)
    assert plain_rows > 100
    assert plain_cells > 200


_POINTS = st.sampled_from(
    ["25", "24", "13", "9", "06", "6", "1", "0", "26", "bar", "Bar", "BAR", "off", "Off", "b", ""]
)
_STARS = st.sampled_from(["", "", "", "*", "**"])
_GROUPS = st.builds(
    lambda points, stars, count: "/".join(point + star for point, star in zip(points, stars, strict=False)) + count,
    st.lists(_POINTS, min_size=1, max_size=4),
    st.lists(_STARS, min_size=4, max_size=4),
    st.sampled_from(["", "", "", "(2)", "(4)", "(2)*", "(0)", "(12)", "*(3)", "()"]),
)
_WORDS = st.sampled_from(
    ["Cannot Move", "????", "Doubles => 2", "Takes", "drops", "Wins 2 points", "31:", "64", "7)", "(x)", "concedes"]
)
_BLANKS = st.sampled_from([" ", " ", " ", "  ", "", "\t", "\u00a0", "\u2003", "          "])
_DICE = st.sampled_from(["31:", "66:", "31", "00:", "310:", "3 1:", "\u0663\u0661:", "x1:"])


@st.composite
def _written_cells(draw: st.DrawFn) -> str:
    """Dice and groups, now and then something else; most are cells."""
    parts = [draw(_DICE)]
    for group in draw(st.lists(st.one_of(_GROUPS, _GROUPS, _GROUPS, _WORDS), max_size=5)):
        parts += [draw(_BLANKS), group]
    return "".join(parts)


@given(_written_cells())
@example("31: 8/5 6/5")
@example("31: 8/5 (2)")
@example("31: 0/0")
@example("31:8/5")
def test_a_plain_cell_is_what_the_grammar_says(text: str) -> None:
    same_cell(text)


# Texts of the rule, as Hypothesis makes them of the grammar itself.
_CELLS = from_lark(BY_GRAMMAR, start="cell")


@given(_CELLS)
def test_a_plain_cell_of_the_grammars_own_making_is_what_the_grammar_says(text: str) -> None:
    same_cell(text)


@given(_CELLS, st.integers(0, 20), st.text("0123456789/*() :=>?bBdDsxgG\u00a0", max_size=2))
def test_a_plain_cell_with_a_slip_is_what_the_grammar_says(text: str, at: int, slip: str) -> None:
    same_cell(text[:at] + slip + text[at + 1 :])


@given(st.lists(st.tuples(_BLANKS, _CELLS), min_size=1, max_size=3))
def test_a_plain_row_of_cells_of_the_grammars_making_is_cut_as_any_other(cells: list[tuple[str, str]]) -> None:
    same_row(" 1)" + "".join(blanks + cell for blanks, cell in cells))


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("terminal", mat_cells.FIRST_WORDS)
@given(st.data())
def test_every_word_that_a_cell_can_begin_with_begins_one_in_both_columns(terminal: str, data: st.DataObject) -> None:
    # What looks ahead cannot be made up by itself.
    regex = "[0-9]{2} 8/5" if terminal == "BARE_DICE" else mat_cells.TERMINALS[terminal]
    text = data.draw(st.from_regex(regex, fullmatch=True))
    (row,) = layout.rows_of_line(f"  2)  {text}                64: 24/14", 0)
    assert [cell.text for cell in row.cells] == [text, "64: 24/14"]
    assert not isinstance(row.cells[0].says, Unreadable)
    (row,) = layout.rows_of_line(f"  2) 31: 8/5 6/5                {text}", 0)
    assert [cell.text for cell in row.cells] == ["31: 8/5 6/5", text]


def test_a_sound_record_is_read_without_lark() -> None:
    program = "import sys; from bgtools import read; assert read(sys.argv[1]).games; print('lark' in sys.modules)"
    sample = str(SAMPLES / "seven-point.mat")
    done = subprocess.run([sys.executable, "-c", program, sample], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@given(
    st.sampled_from([" 1)", "12)", "1 )", "*)", "\u0661)", "1234567890)"]),
    st.lists(st.one_of(st.tuples(_BLANKS, _written_cells()), st.tuples(_BLANKS, _WORDS)), max_size=3),
)
@example(" 1)", [(" ", "31: 8/5 6/5"), (" ", "64: 24/14")])
@example(" 1)", [(" ", "31: "), ("   ", "????")])
@example(" 1)", [(" ", "31: 8/5 64 24/14")])
def test_a_plain_row_is_cut_as_any_other(label: str, cells: list[tuple[str, str]]) -> None:
    same_row(label + "".join(blanks + cell for blanks, cell in cells))


_PIECES = (
    *' \t\u00a0:;#[]="/',
    *("game", "Game", " 3", "12", "Ann", " : 0", "Bob: 7", "Site", '"x"', "set pos", "Set Pos =", "-" * 26),
    *("A" * 25, "-1", "point match", "7", "1234567890", ", 1650"),
)


@given(st.lists(st.sampled_from(_PIECES), max_size=12).map("".join), st.sampled_from(LINES))
@example("Ann : 1 2: 3 Bob : 4", "score_line")
@example(" : 0 Bob : 4 ", "score_line")
@example('; [Site "a "quoted" word"] ', "tag_line")
def test_a_line_is_what_the_grammar_says(text: str, start: str) -> None:
    same_line(text, start)


def test_random_bytes_in_a_plain_roll_are_never_read_otherwise() -> None:
    rng = random.Random(5)
    plain = 0
    for _ in range(3000):
        text = list("53: 13/8* bar/20(2) 6/off")
        for _ in range(rng.randrange(3)):
            text[rng.randrange(len(text))] = rng.choice("0123456789/*() :bBaArRoOfF\u00a0?")
        plain += same_cell("".join(text))
    assert plain > 500
