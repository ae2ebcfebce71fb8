"""A record while it is typed, without an editor: what is found, shown, offered and laid out."""

from __future__ import annotations

import random
import re
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

import bgtools
from bgtools.board.movement import find_play
from bgtools.board.notation import read_play
from bgtools.checks.checking import check
from bgtools.conversion.conversion import convert, parse_target
from bgtools.editor.answers import causes, edits_to, fix_all, folds, hover, offers, suggestions, symbols
from bgtools.editor.document import CheckedText, Document, NotFormatted, Superseded, formatted
from bgtools.formats.reading import read_source
from bgtools.repair.repairing import repair
from bgtools.repair.states import edited
from bgtools.replayer.match import replay

SAMPLES = Path(__file__).parents[2] / "samples"
SLIPS, SEVEN = ((SAMPLES / f"{name}.mat").read_text(encoding="utf-8") for name in ("five-slips", "seven-point"))
BAD = str(SAMPLES / "five-slips.mat")
NAMES = "Greta Holm : 0                 Ivan Petrov : 0"


@cache
def in_full(text: str) -> CheckedText:
    return typed(text).judged_in_full()


def typed(text: str, name: str = "typed.mat") -> Document:
    return Document(name, text, is_file=False)


def at(text: str, what: str, after: str = "") -> int:
    return text.index(what, text.index(after))


# --- findings -------------------------------------------------------------------------------


def test_what_is_found_in_the_end_is_what_a_check_finds() -> None:
    document = typed(SEVEN)
    rng = random.Random(5)
    for _ in range(2):
        cell = rng.choice([*re.finditer(r"\d\d: [\d/* ]+\d", SEVEN)])
        text = SEVEN[: cell.start() + 4] + "9" + SEVEN[cell.start() + 5 :]
        document.change(text)
        document.checked()
        assert document.judged_in_full().findings == (check(read_source(text.encode(), "typed.mat")[0]),)


def test_what_is_found_at_once_stands_where_the_slip_is() -> None:
    document = typed(SEVEN)
    assert document.checked().findings == ((),)
    text = SEVEN.replace("63: 24/18 24/21", "63: 24/18 24/20", 1)
    document.change(text)
    found = document.checked()
    assert not found.is_final
    assert [finding.code.id for finding in found.findings[0]] == ["BG205"]
    assert found.findings[0][0].span.start == at(text, "24/20")


def test_a_change_costs_little_more_than_reading_the_text() -> None:
    """The first answer replays one game with a few readings, the full one all games with all of them.

    Both are measured in the same process in turn, so that a busy machine counts for both.
    """
    document, rng = typed(SLIPS), random.Random(11)
    document.judged_in_full()
    at_once = in_full = 0.0
    for turn in range(4):
        cell = rng.choice([*re.finditer(r"\d\d: [\d/* ]+\d", SLIPS)])
        place = rng.randrange(cell.start() + 4, cell.end())
        document.change(SLIPS[:place] + rng.choice("123/") + SLIPS[place + 1 :])
        if not turn:
            document.checked()  # what the first answer imports is not part of the others
            continue
        begin = time.process_time()
        document.checked()
        at_once += time.process_time() - begin
        begin = time.process_time()
        match = read_source(document.text.encode(), "x.mat")[0]
        replay(match)
        in_full += time.process_time() - begin
    assert at_once < 0.5 * in_full


def test_a_search_that_nobody_waits_for_is_left() -> None:
    document = typed(SLIPS)
    asked = iter([*[False] * 20, *[True] * 9_999])
    with pytest.raises(Superseded):
        document.judged_in_full(lambda: next(asked))
    assert not document.checked().is_final


def test_the_settings_of_the_folder_hold_and_are_looked_at_again(tmp_path: Path) -> None:
    settings = tmp_path / "bgtools.toml"
    settings.write_text('ignore = ["BG2"]\n')
    document = Document(str(tmp_path / "m.mat"), SLIPS)
    assert {finding.code.id for finding in document.checked().findings[0]} == {"BG307"}
    settings.write_text("ignore = [3]\n")
    document.forget_settings()
    assert "bgtools.toml" in document.checked().problem
    settings.unlink()
    document.forget_settings()
    assert "BG202" in {finding.code.id for finding in document.checked().findings[0]}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n \r\n",
        "\ufeff",
        "\ufeff" + SEVEN,
        "nonsense",
        "\0\0",
        "PK\x03\x04",
        "{}",
        "\ud83d",
        "(;GM[6])",
        SLIPS[:700],
    ],
)
def test_any_text_is_answered(text: str) -> None:
    document = typed(text)
    for judged in (document.checked(), document.judged_in_full()):
        symbols(judged), folds(judged), offers(judged, 0, len(text)), fix_all(judged)
        for offset in (0, len(text) // 2, len(text)):
            hover(judged, offset), causes(judged, offset), suggestions(judged, offset)
        with suppress(NotFormatted):
            formatted(judged)


def test_a_mark_of_byte_order_moves_nothing() -> None:
    marked, plain = typed("\ufeff" + SLIPS).checked(), typed(SLIPS).checked()
    assert marked.lead == 1
    assert marked.is_text
    assert [finding.span for finding in marked.findings[0]] == [finding.span for finding in plain.findings[0]]


# --- what is shown --------------------------------------------------------------------------


def test_the_board_is_shown_with_names_and_pips() -> None:
    judged = typed(SLIPS).checked()
    found = hover(judged, at(SLIPS, "61: 13/7 8/7") + 3)
    assert found is not None
    lines, span = found
    assert lines[0] == "Ivan Petrov: 61: 13/7 8/7 (game 1, row 1)"
    assert SLIPS[slice(*span)] == "61: 13/7 8/7"
    assert any("X  Ivan Petrov, 167 pips" in line for line in lines)
    assert any("O  Greta Holm, 163 pips" in line for line in lines)


def test_a_heading_says_how_its_game_ended() -> None:
    judged = in_full(SLIPS)
    found = hover(judged, at(SLIPS, "Game 2"))
    assert found is not None
    assert found[0] == ["Game 2 at 0-1", "Greta Holm wins 2 points, borne off"]
    assert hover(judged, at(SLIPS, "\n Game 2")) is None


def test_the_analysis_of_the_record_is_shown() -> None:
    text = (
        "(;FF[4]GM[6]AP[GNU Backgammon:1.08]MI[length:1][game:0][ws:0][bs:0]PW[Ann]PB[Ben]"
        ";B[31hefe]A[0][hefe E ver 3 0.5 0.1 0 0.1 0 0.15 2C 1])"
    )
    judged = typed(text, "x.sgf").checked()
    found = hover(judged, text.index("31hefe"))
    assert found is not None
    assert any("the record's analysis" in line for line in found[0]), found[0]


def test_games_are_the_outline_and_fold() -> None:
    judged = in_full(SLIPS)
    assert [(each.name, each.detail) for each in symbols(judged)] == [
        ("Game 1 at 0-0", "Ivan Petrov wins 1 point, drop"),
        ("Game 2 at 0-1", "Greta Holm wins 2 points, borne off"),
        ("Game 3 at 2-1", "Greta Holm wins 1 point, borne off"),
    ]
    lines = SLIPS.splitlines()
    shown = {lines[fold.first - 1].strip(): lines[fold.last - 1].strip() for fold in folds(judged)}
    assert shown["Game 1"] == "11)  Drops                       Wins 1 point"
    assert shown['; [Site "bgtools samples"]'].startswith("; Five slips")
    several = typed(SLIPS + SEVEN).checked()
    assert [(each.detail, len(each.parts)) for each in symbols(several)] == [("3 points", 3), ("7 points", 8)]


def test_what_follows_leads_to_its_cause() -> None:
    judged = typed(SLIPS).checked()
    (double,) = causes(judged, at(SLIPS, "Takes"))
    assert SLIPS[slice(*double)] == "Doubles => 2"
    (result,) = causes(judged, at(SLIPS, "Greta Holm : 2"))
    assert SLIPS[slice(*result)] == "Wins 1 point"


# --- what is offered ------------------------------------------------------------------------


def test_plays_are_spelled_as_the_record_spells_them_and_are_all_legal() -> None:
    text = SLIPS.replace("31: 8/5 6/5  ", "31:          ", 1)
    judged = typed(text).checked()
    offset = at(text, "31:") + 3
    texts = [each.text for each in suggestions(judged, offset)]
    assert len(texts) == 16
    assert "8/5 6/5" in texts
    board = judged.entries[0].turn.before
    assert all(find_play(board, (3, 1), read_play(each).hops) is not None for each in texts)


def test_hops_may_be_begun_in_any_order() -> None:
    text = SLIPS.replace("31: 8/5 6/5  ", "31: 6/5 8    ", 1)
    judged = typed(text).checked()
    (found,) = [each for each in suggestions(judged, at(text, "6/5 8") + 5) if each.text == "6/5 8/5"]
    assert text[slice(*found.span)] == "6/5 8"


@pytest.mark.parametrize("bar", ["bar/", "25/", "Bar/"])
def test_the_bar_is_called_what_the_record_calls_it(bar: str) -> None:
    text = re.sub(r"\b25/", bar, SEVEN)
    judged = typed(text).checked()
    here = next(each for each in judged.entries if text[slice(*each.turn.entry.span)][4:].startswith(bar))
    found = suggestions(judged, here.turn.entry.span.start + 4)
    assert found
    assert all(each.text.startswith(bar) for each in found)


@pytest.mark.parametrize("begun", ["b", "Bar", "bar/2", "25", "25/"])
def test_the_bar_is_offered_as_it_is_typed(begun: str) -> None:
    # The first turn with a checker on the bar is typed, and the record says nothing of how it calls the bar.
    text = SEVEN[: at(SEVEN, " 25/") + 1] + begun
    found = suggestions(typed(text).checked(), len(text))
    assert found
    assert all(each.text.casefold().startswith(begun.casefold()) for each in found)
    assert all(read_play(each.text).hops for each in found)


def test_bearing_off_is_offered_as_it_is_typed() -> None:
    borne = re.search(r": (\d/)0", SEVEN)
    assert borne is not None
    for off in ("o", "0"):
        begun = borne[1] + off
        text = SEVEN[: borne.start(1)] + begun
        assert any(each.text.startswith(begun) for each in suggestions(typed(text).checked(), len(text))), begun


def test_nothing_is_suggested_where_no_roll_is_typed() -> None:
    judged = typed(SLIPS).checked()
    for what in ("3 point match", "Game 1", "Takes", NAMES, "61: 13/7 8/7"):
        assert suggestions(judged, at(SLIPS, what)) == ()


def test_safe_and_unsafe_fixes_are_told_apart() -> None:
    text = SLIPS.replace(" 5) 52: 9/4 6/4 ", " 5) 52: x/4 6/4 ")
    assert text != SLIPS
    judged = in_full(text)
    found = offers(judged, 0, len(text))
    assert {each.is_safe: each.title.startswith("unsafe fix: ") for each in found} == {True: False, False: True}
    lines = {judged.source.location(each.finding.span.start).line for each in found if not each.is_safe}
    assert text[: text.index("x/4")].count("\n") + 1 in lines


def test_all_safe_fixes_are_those_of_the_command_and_no_unsafe_one() -> None:
    after = edited(SLIPS, fix_all(in_full(SLIPS)))
    assert after == repair(SLIPS.encode(), "typed.mat").after.decode()
    assert typed(after).checked().findings == ((),)
    # With the last play of a game both of two points would do.
    text = SEVEN.replace("52: 5/0 2/0  ", "52: 5/3 2/0  ")
    (offer,) = {each.is_safe for each in offers(in_full(text), 0, len(text))}
    assert not offer
    assert fix_all(in_full(text)) == ()


def test_edits_make_one_text_of_another_and_touch_no_line_that_is_the_same() -> None:
    for before, after in [
        ("a\r\nb\nc", "a\r\nB\nc"),
        ("a\nb\n", "a\nb\nc\n"),
        ("", "x"),
        ("x\n", "x"),
        ("a\rb", "b\ra"),
    ]:
        assert edited(before, edits_to(before, after)) == after
    (fix,) = edits_to("one\ntwo\nthree\n", "one\ntoo\nthree\n")
    assert (fix.span, fix.text) == ((5, 6), "o")


# --- layout ---------------------------------------------------------------------------------


def test_a_record_is_laid_out_in_its_own_dialect() -> None:
    judged = typed(SEVEN).judged_in_full()
    assert formatted(judged) == ()
    untidy = SEVEN.replace("  2) 52: 13/8 24/22              52", "  2)  52:13/8  24/22        52")
    assert untidy != SEVEN
    after = edited(untidy, formatted(typed(untidy).judged_in_full()))
    assert bgtools.check(read_source(after.encode(), "x.mat")[0]) == ()
    assert len(after.splitlines()) == len(SEVEN.splitlines())


def test_line_ends_stay_what_they_are() -> None:
    judged = typed(SEVEN.replace("\n", "\r\n")).judged_in_full()
    after = edited(judged.source.text, formatted(judged, "xg-text"))
    assert "Cannot Move" in after or "Off" in after
    assert not re.search(r"(?<!\r)\n", after)


def test_what_would_be_lost_is_named_and_nothing_is_changed() -> None:
    with pytest.raises(NotFormatted, match="line 14: this line is neither a row"):
        formatted(typed(SLIPS.replace(NAMES, NAMES + "\nhell0 1 there", 1)).judged_in_full())
    with pytest.raises(NotFormatted, match="has no dialect 'none'"):
        formatted(in_full(SLIPS), "none")
    with pytest.raises(NotFormatted, match="not formatted: this is not match text"):
        formatted(typed("hello").judged_in_full())


def test_a_play_of_another_text_is_put_right_in_its_own_letters() -> None:
    allow = tuple(f"BG5{number:02}" for number in range(1, 12))
    text = convert(read_source(SLIPS.encode(), "x.mat"), parse_target("sgf"), allow=allow).data.decode()
    judged = typed(text, "typed.sgf").judged_in_full()
    plays = [each for some in judged.findings for each in some if each.code.id.startswith("BG2")]
    assert plays
    for finding in plays:
        fix = offers(judged, finding.span.start, finding.span.end)[0].fix
        again = typed(edited(text, [fix]), "typed.sgf").judged_in_full()
        assert sum(map(len, again.findings)) < sum(map(len, judged.findings))
