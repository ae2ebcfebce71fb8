"""Texts that people wrote around the rows of a match."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from time import process_time

import pytest

import bgtools
from bgtools.board.play import moves
from bgtools.conversion.conversion import convert, parse_target
from bgtools.findings.finding import Severity
from bgtools.formats.content import Content, FormatError
from bgtools.formats.mat.prose import is_prose, is_rule
from bgtools.formats.mat.writer import write
from bgtools.formats.reading import read_source, recognise
from bgtools.formats.rendering import render
from bgtools.formats.shared.grammar import make_parser
from bgtools.formats.text.columns import arrange
from bgtools.formats.text.damaged import read_damaged_row
from bgtools.formats.text.patchwork import Layers
from bgtools.formats.text.rows import read_label, read_row
from bgtools.formats.text.undressing import undressed
from bgtools.record.record import CheckerPlay, Game, Match, places_of_comments
from dressed import FORMS, LAYOUTS, PROSE, THREE, Dressed, in_a_mail, in_form, on_a_page, same_entries
from selfplay import random_match
from support import CORPUS, mat, read_text, row, some_or_all

MAGAZINE = """Ann leads 1\u20130 in the 3-point match.
Ann (Black)                Bob (White)
1. 3-1: 8/5, 6/5           4-2: 8/4, 6/4
                Black to play 6-2.
2. 6-2: 24/18, 13/11
13/5 is safer, but gives up too much.
2. . . .                   5-5: 8/3(2), 6/1*(2)
3. 2-1: bar/23, 6/5
             Should White double?
3. . . .                   Double
4. Pass
"""


def _plain(text: str) -> str:
    return " ".join(text.split())


def _remarks(match: Match) -> str:
    return _plain(
        " ".join(each.text for each in (*match.comments, *(one for game in match.games for one in game.comments)))
    )


def _match(seed: int) -> Match:
    (match,) = read_source(write(random_match(seed, 5, games=3)).encode(), "made.mat")
    assert not [each for each in bgtools.check(match) if each.severity is Severity.ERROR]
    return match


def _problems(dressed: Dressed, match: Match, *, renamed: bool = False) -> list[str]:
    text, remarks = dressed
    (found,) = read_source(text.encode(), "made.html" if text.startswith("<") else "made.txt")
    problems = [str(each) for each in bgtools.check(found) if each.severity is Severity.ERROR]
    problems += [f"lost: {each}" for each in remarks if _plain(each) not in _remarks(found)]
    return problems + ([] if same_entries(match, found, renamed=renamed) else ["other entries"])


@pytest.mark.parametrize("form", THREE)
@pytest.mark.parametrize("seed", range(3))
def test_prose_between_rows_is_kept_and_the_rows_are_read(form: str, seed: int) -> None:
    match = _match(seed)
    dressed = THREE[form](match, random.Random(seed))
    assert dressed[1]
    assert not _problems(dressed, match)


@pytest.mark.quick(one_in=5)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("form", FORMS)
def test_rows_of_books_and_forums_are_read(form: str, layout: str) -> None:
    for seed, heading in enumerate((True, False)):
        match = _match(seed)
        dressed = in_form(match, random.Random(form + layout), form, layout, heading=heading)
        # A colour or the order of turns alone does not say which of the two names it stands for.
        assert not _problems(dressed, match, renamed=layout in ("sides", "letters", "lines"))


def test_magazine_rows() -> None:
    (match,) = read_source(MAGAZINE.encode(), "x.txt")
    assert (match.players, match.length, match.games[0].score) == (("Ann", "Bob"), 3, (1, 0))
    assert [each.player for each in match.games[0].entries] == [0, 1, 0, 1, 0, 1, 0]
    assert [_plain(each.text) for each in match.games[0].comments] == [
        "Black to play 6-2.", "13/5 is safer, but gives up too much.", "Should White double?",
    ]  # fmt: skip
    assert not bgtools.check(match)
    assert match.source is not None
    second = match.games[0].entries[2]
    assert match.source.text[slice(*second.span)] == "6-2: 24/18, 13/11"


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("between", ["sgf", "json", "mat"])
def test_prose_goes_through_other_formats_and_back(between: str, seed: int) -> None:
    match = _match(seed)
    text, remarks = THREE["prose"](match, random.Random(seed))
    matches = read_source(text.encode(), "x.txt")
    there = convert(matches, parse_target(between))
    assert not there.changed
    back = convert(read_source(there.data, "y"), parse_target("text:annotated"))
    assert not back.changed
    (again,) = read_source(back.data, "z.txt")
    assert same_entries(matches[0], again)
    assert [_places(game) for game in again.games] == [_places(game) for game in matches[0].games]
    assert all(_plain(each) in _remarks(again) for each in remarks)


def _places(game: Game) -> dict[int, str]:
    found: dict[int, str] = {}
    for place, comment in zip(places_of_comments(game), game.comments, strict=True):
        found[place] = _plain(f"{found.get(place, '')} {comment.text}")
    return found


@pytest.mark.parametrize("points", [1, 8, 999, 1004, 123_456_789])
def test_any_result_comes_back_from_annotated_text(points: int) -> None:
    match = read_text(mat(row(1, "31: 8/5 6/5", "42: 8/4 6/4"), row(2, "", f"Wins {points} points")))
    done = convert((match,), parse_target("text:annotated"))
    assert done.changed == ""
    (back,) = read_source(done.data, "y")
    assert [(each.player, each.points) for each in back.games[0].results] == [(1, points)]


@pytest.mark.parametrize(
    "remark", [*PROSE, "2. 31: 8/5 6/5", "Game 3", "Ann wins 2 points", "> x", "| 1 | 31: 8/5 6/5 |"]
)
def test_any_remark_comes_back_from_annotated_text(remark: str) -> None:
    match = _match(1)
    lines = [f"; {line}" for line in remark.splitlines()]
    text = write(match).splitlines()
    at = next(number for number, line in enumerate(text) if line.startswith("  2) "))
    (noted,) = read_source("\n".join([*text[:at], *lines, *text[at:]]).encode(), "x.mat")
    done = convert((noted,), parse_target("text:annotated"))
    assert not done.changed
    assert not done.losses


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("1. 3-1: 8/5, 6/5           4-2: 8/4, 6/4", ["31: 8/5 6/5", "42: 8/4 6/4"]),
        ("2. . . .   5-5: 8/3(2), 6/1*(2)", ["55: 8/3(2) 6/1*(2)"]),
        ("31: 8/5 6/5  64: 24/14", ["31: 8/5 6/5", "64: 24/14"]),
        ("3-1: 8-5 6-5", ["31: 8/5 6/5"]),
        ("63 - 24/18 13/10", ["63: 24/18 13/10"]),
        ("54 : 13/8@ 6/2", ["54: 13/8* 6/2"]),
        ("21: b/24* 6/4", ["21: bar/24* 6/4"]),
        ("66: bar/19x2, 13/7 x2", ["66: bar/19(2) 13/7(2)"]),
        ("62 5/off, 2/o", ["62: 5/off 2/off"]),
        ("Double to 4     Pass", ["Doubles => 4", "Drops"]),
        ("4-4: fan        6-1: no move", ["44: Cannot Move", "61: Cannot Move"]),
    ],
)
def test_cells_come_out_in_the_words_of_match_text(line: str, cells: list[str]) -> None:
    number, at = read_label(line)
    assert [each.text for each in read_row(line, at, number).cells] == cells
    make_parser("text", ["row"])  # the grammar is one for Lark, too


@pytest.mark.parametrize("line", PROSE)
def test_prose_is_prose(line: str) -> None:
    assert all(is_prose(each) for each in line.splitlines())


@pytest.mark.parametrize(
    "line", ["61-> 24/l8", "Tkaes", "7 point mach", "clock 12:31", "2- 31 8/5 6/5", "Gmae 2", " 13) xx/yy zz/aa"]
)
def test_a_damaged_line_is_no_prose(line: str) -> None:
    assert not is_prose(line)


@pytest.mark.parametrize(
    ("dressed", "plain"),
    [
        ("> > 1) a\n>2) b\n>\n", "1) a\n2) b\n\n"),
        ("```text\na\n```\n", "\na\n\n"),
        ("[code]a[/code] **b**", "a b"),
        ("<pre>Doubles =&gt; 2</pre>", "Doubles => 2"),
    ],
)
def test_what_mails_and_pages_add_is_taken_off(dressed: str, plain: str) -> None:
    assert undressed(dressed).text.strip() == plain.strip()


def test_a_text_that_is_no_match_is_refused_in_one_line() -> None:
    for text in (
        "Dear Ann,\nhow was the club?\n" * 100,
        "<html><body><p>24/18 is a play, 6-4 a score</p></body></html>",
    ):
        with pytest.raises(FormatError) as error:
            read_source(text.encode(), "x.txt")
        assert "\n" not in str(error.value)


def test_recognising_a_long_text_is_fast() -> None:
    text = ("This is a line of a very long book about 31 things and 8/5 others.\n" * 250_000)[: 16 << 20]
    begin = process_time()
    with pytest.raises(FormatError):
        recognise(Content(text.encode(), "x.txt"))
    assert process_time() - begin < 3  # one second here; machines differ


@pytest.mark.needs(CORPUS.is_dir(), "the corpus")
def test_sound_matches_of_the_corpus_in_all_forms() -> None:
    compared = 0
    for path in sorted((CORPUS / "mat").iterdir())[::40]:
        matches = bgtools.read_all(path)
        match = matches[0]
        if len(matches) > 1 or any(each.severity is not Severity.HINT for each in bgtools.check(match)):
            continue
        for form, dress in THREE.items():
            assert not _problems(dress(match, random.Random(path.name)), match), (path.name, form)
            compared += 1
    assert compared


def test_positions_between_prose_are_read_with_what_is_said_about_each() -> None:
    first, second = (f"-b----E-C---eE---c-e----B-:0:0:1:{dice}:0:0:0:7:10" for dice in ("31", "42"))
    text = f"Hi all,\n\n> XGID={first}\n\nI say 8/5 6/5.\n\nAnd this:\n  XGID: {second}.\nClear.\n"
    matches = read_source(text.encode(), "x.txt")
    assert [_remarks(each) for each in matches] == ["Hi all, I say 8/5 6/5. And this:", "Clear."]
    assert [getattr(each.games[0].entries[1], "dice", None) for each in matches] == [(3, 1), (4, 2)]
    mail = "Look\n> GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n>      Match ID   : cAllAAAAAAAA\nnice one\n"
    (match,) = read_source(mail.encode(), "x.txt")
    assert (match.length, _remarks(match)) == (3, "Look GNU Backgammon nice one")


def test_a_game_told_in_sentences() -> None:
    text = """White threw 31 and took her 5-point, 8/5, 6/5. Black, with 64, could have run 24/14; he chose 24/18, 13/9.
White rolled 42 and made her 4-point with 8/4, 6/4. Black doubled and White dropped.
"""
    (match,) = read_source(text.encode(), "x.txt")
    entries = match.games[0].entries
    assert [str(getattr(each, "text", type(each).__name__)) for each in entries] == [
        "8/5 6/5", "24/18 13/9", "8/4 6/4", "Double", "Drop",
    ]  # fmt: skip
    assert [each.player for each in entries] == [0, 1, 0, 1, 0]
    assert match.players == ("White", "Black")
    assert _remarks(match) == _plain(text)


def test_a_list_of_positions_holds_rolls_whose_plays_are_not_known() -> None:
    text = """Game 2
Match to 3:   Ann - 1,  Bob - 0
Ann is playing Red.
Bob is playing White.
Position 1: Red to play 31.
Ann: Nothing else comes close.
    8/5, 6/5         +.180
    24/23, 13/10     -.020
Position 2: White to play 42.
"""
    (match,) = read_source(text.encode(), "x.txt")
    game = match.games[0]
    assert (match.players, match.length, game.number, game.score) == (("Ann", "Bob"), 3, 2, (1, 0))
    assert [(each.player, each.dice, each.text.kind) for each in game.entries if isinstance(each, CheckerPlay)] == [
        (0, (3, 1), "unknown"), (1, (4, 2), "unknown"),
    ]  # fmt: skip
    assert "8/5, 6/5" in _remarks(match)


DAMAGED = (
    ("3. 6-q: 24/18", ["6q: 24/18"]),
    ("3. 6-2: 24/z8, 13/11         5-5: 8/3(2)", ["62: 24/z8 13/11", "55: 8/3(2)"]),
    ("3. 6-2: 24/18, 13/11         5-5: 8%&3", ["62: 24/18 13/11", "55: 8%&3"]),
    ("3. 31: 8/5 6/5 6z: 24/14", ["31: 8/5 6/5", "6z: 24/14"]),
    ("3. 13: 8/5 1/off        %&   66: 6/off(4)", ["13: 8/5 1/off %&", "66: 6/off(4)"]),
    ("3. 3-22: 13-10 6-4", ["3/22: 13/10 6/4"]),
    ("3. 31: 8/5 6/5      TTake", ["31: 8/5 6/5", "TTake"]),
    ("3. Doubl", ["Doubl"]),
    ("3. 61 x 13/7 2/1", ["61: x 13/7 2/1"]),
)


@pytest.mark.parametrize(("line", "cells"), DAMAGED)
def test_a_cell_that_cannot_be_read_is_found_in_its_row(line: str, cells: list[str]) -> None:
    number, at = read_label(line)
    row = read_damaged_row(line, at, number)
    assert row is not None
    assert [each.text for each in row.cells] == cells


@pytest.mark.parametrize(
    "line",
    [
        "3. 24/18 13/11",
        "3. the prime is strong",
        "3. 31: 8/5 6/5",
        "3. +.180 is the equity",
        "3. White is 2 points ahead and well placed",
        "3. 21:5 is not a score",
        "3. Taking 40% of the games is enough",
    ],
)
def test_sentences_and_whole_rows_are_no_damaged_rows(line: str) -> None:
    number, at = read_label(line)
    assert read_damaged_row(line, at, number) is None


IN_ROWS = ("rows", "sides", "names", "lines", "letters", "markdown")


@some_or_all(6)
def test_a_damaged_roll_is_a_finding_in_its_line_and_the_game_goes_on(step: int, subtests: pytest.Subtests) -> None:
    forms = zip(FORMS, IN_ROWS, strict=True) if step > 1 else product(FORMS, IN_ROWS)
    for form, layout in forms:
        with subtests.test(form=form, layout=layout):
            damage_rolls(form, layout, step)


def damage_rolls(form: str, layout: str, step: int) -> None:
    match = _match(4)
    text, _ = in_form(match, random.Random(4), form, layout, heading=True)
    (sound,) = read_source(text.encode(), "x.txt")
    rolls = [each for game in sound.games for each in game.entries if isinstance(each, CheckerPlay) and each.text.hops]
    assert len(rolls) > 20
    for roll in rolls[3 : -3 : 7 * step]:
        at = roll.span.start
        damaged = f"{text[:at]}q{text[at + 1 :]}"
        (found,) = read_source(damaged.encode(), "x.txt")
        assert found.source is not None
        line = found.source.location(at).line
        assert line in {found.source.location(each.span.start).line for each in bgtools.check(found)}
        assert len(found.games[0].entries) >= len(sound.games[0].entries) - 1


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("layout", ["mail", "page", "names", "html", "rows"])
def test_a_wrong_play_is_corrected_where_it_stands(layout: str, seed: int) -> None:
    match, rng = _match(seed), random.Random(seed)
    if layout in ("mail", "page"):
        text, _ = (in_a_mail if layout == "mail" else on_a_page)(match, rng)
    else:
        text, _ = in_form(match, rng, "forum", layout, heading=True)
    (sound,) = read_source(text.encode(), "x.html" if text.startswith("<") else "x.txt")
    made = 0
    for roll in [each for each in sound.games[0].entries if isinstance(each, CheckerPlay) and each.text.hops][4:12]:
        hop = roll.text.hops[0]
        wrong = replace(roll, text=moves((replace(hop, points=(hop.points[0], max(hop.points[1] - 1, 1))),)))
        game = replace(
            sound.games[0], entries=tuple([wrong if each is roll else each for each in sound.games[0].entries])
        )
        edits = render(sound, replace(sound, games=(game, *sound.games[1:])))
        assert edits is not None
        (edit,) = edits
        assert edit.span.start >= roll.span.start
        assert edit.span.end <= roll.span.end
        after = text[: edit.span.start] + edit.text + text[edit.span.end :]
        (again,) = read_source(after.encode(), "x.html" if text.startswith("<") else "x.txt")
        read = again.games[0].entries[sound.games[0].entries.index(roll)]
        assert isinstance(read, CheckerPlay)
        assert [each.legs for each in read.text.hops] == [each.legs for each in wrong.text.hops]
        made += 1
    assert made


def test_a_quiz_gives_the_roll_then_the_caption_then_the_play() -> None:
    text = MAGAZINE.replace(
        "1. 3-1: 8/5, 6/5           4-2: 8/4, 6/4\n",
        "1. 3-1: ?\n\nBlack to play 3-1.\n\n* * * * *\n\n8/5, 6/5\n\n2 points.\n\n1. . . .      4-2:\n\n8/4, 6/4\n\n",
    )
    (match,) = read_source(text.encode(), "x.txt")
    assert not bgtools.check(match)
    assert [str(each.text) for each in match.games[0].entries[:2] if isinstance(each, CheckerPlay)] == [
        "8/5 6/5",
        "8/4 6/4",
    ]


@pytest.mark.parametrize("line", ["* * * * *", "-----", "=====", "!!", ":-)", "\u2014\u2014\u2014", "~~~", "...", ""])
def test_rules_and_marks_are_remarks(line: str) -> None:
    assert is_rule(line)


@pytest.mark.parametrize("line", ["%%%% ???", "???", "$$$", "&&& %", "1) ---", "@@@@"])
def test_signs_that_nobody_writes_are_damage(line: str) -> None:
    assert not is_rule(line)
    assert not is_prose(line)


@pytest.mark.thorough
@pytest.mark.parametrize("sign", "\t;")
def test_a_long_sheet_of_different_lines_takes_a_time_in_proportion(sign: str) -> None:
    rows = (sign.join((f"{at}", "31: 8/5 6/5", "42: 8/4 6/4", f"{at} s")) for at in range(80_000))
    left = Layers("\n".join(rows) + "\n")
    began = process_time()
    assert arrange(left, has_rows=False)
    assert process_time() - began < 20
    assert left.text.count("|") == 5 * 80_000
