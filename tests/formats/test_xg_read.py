"""Reading eXtreme Gammon's records: what they say becomes entries, and what cannot be said becomes findings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bgtools.board.board import START
from bgtools.findings import codes
from bgtools.formats.content import Content, FormatError
from bgtools.formats.reading import read_source, recognise
from bgtools.formats.xg import layout
from bgtools.formats.xg.comments import read_comments, write_comments
from bgtools.formats.xg.encode import ILLEGAL
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Match, Resign, SetBoard, Take
from bgtools.replayer.match import replay
from support import mat, row
from xg_files import ANALYSED, CUBE_NOTE, game, match_of, play, read_back, tampered

if TYPE_CHECKING:
    from bgtools.findings.finding import Code
    from bgtools.formats.shared.binary import RecordType

_PLAYS = play(0, (3, 1), "8/5 6/5"), play(1, (6, 4), "24/14"), play(0, (5, 2), "13/8 24/22")
PLAYED = match_of(game(*_PLAYS, winner=None))
WON = match_of(game(*_PLAYS))
MOVES = (3, 5, 7)
"""Where the moves of `PLAYED` stand: behind match, game and a cube record each."""


def entries(match: Match) -> tuple[Any, ...]:
    return match.games[0].entries


# --- the layout -----------------------------------------------------------------------------


def test_the_fields_stand_where_the_published_description_says() -> None:
    def at(kind: RecordType, name: str) -> int:
        return kind.fields[name].offset

    told = {"ansi_player1": 9, "ansi_player2": 50, "length": 92, "variation": 96, "crawford": 100, "elo1": 104,
            "experience1": 120, "date": 128, "ansi_event": 136, "game_id": 268}  # fmt: skip
    assert {name: at(layout.MATCH, name) for name in told} == told
    for kind in (layout.MATCH, layout.GAME, layout.CUBE, layout.MOVE, layout.GAME_END, layout.MATCH_END):
        assert kind.size == layout.RECORD_SIZE
        assert at(kind, "kind") == layout.KIND_AT
    sizes = {layout.RICH_HEADER: 8232, layout.CUBE_ANALYSIS: 132, layout.MOVE_ANALYSIS: 2184, layout.ROLLOUT: 2184}
    assert all(kind.size == size for kind, size in sizes.items())
    # The last field of the longest record ends where the record does.
    assert at(layout.MOVE, "filler") + 16 == layout.RECORD_SIZE


# --- decisions ------------------------------------------------------------------------------


def test_plays_cube_actions_and_all_that_is_said_of_them_come_back() -> None:
    found = read_back(ANALYSED)
    for ours, theirs in zip(ANALYSED.games[0].entries, entries(found), strict=True):
        assert type(ours) is type(theirs)
        assert ours.player == theirs.player
        assert ours.annotation == theirs.annotation
        if isinstance(ours, CheckerPlay) and isinstance(theirs, CheckerPlay):
            assert ours.dice == theirs.dice
            assert [str(hop) for hop in ours.text.hops] == [str(hop) for hop in theirs.text.hops]
    assert [(comment.text, comment.at) for comment in found.games[0].comments] == [
        ("A sound start — “quiet”.", 1),
        ("Too soon?\nYes.", 4),  # behind the answer, which is in the same record
    ]
    assert [each.value for each in entries(found) if isinstance(each, Double)] == [2, 4]


def test_the_listing_has_a_line_for_every_record_and_every_entry_points_at_its_own() -> None:
    found = read_back(ANALYSED)
    assert found.source is not None
    lines = found.source.text.split("\n")
    assert lines[0] == "record 0, byte 0: match, 7 points, Ann - Bjørn"
    assert lines[3] == "record 3, byte 7680: player 1, 31: 8/5 6/5"
    first = entries(found)[0]
    start, end = first.span
    assert found.source.text[start:end] == lines[3]
    hop = first.text.hops[1]
    assert found.source.text[first.text_at + hop.start : first.text_at + hop.end] == "6/5"


def test_a_dance_may_be_written_as_moves_that_stay_where_they_are() -> None:
    def stay(records: list[Any]) -> None:
        record = records[MOVES[1]]
        record["moves"] = 0
        record["board_after"] = np.where(record["player"] == 1, record["board"], -record["board"][::-1])
        del records[MOVES[1] + 1 :]

    assert entries(tampered(PLAYED, stay))[1].text.kind == "dance"


def test_a_checker_that_leaves_with_pips_to_spare_is_off() -> None:
    late = replace(START, mine=(13, 0, 1, 1, *(0,) * 22), theirs=(14, 1, *(0,) * 24))
    match = match_of(game(play(0, (6, 5), "3/off 2/off"), start=late))

    def spare(records: list[Any]) -> None:
        records[3]["moves"] = [2, -4, 1, -4, -1, -1, -1, -1]

    found = tampered(match, spare)
    assert [hop.points for hop in entries(found)[0].text.hops] == [(3, 0), (2, 0)]
    assert replay(found)[0].winner == 0


@pytest.mark.parametrize(
    ("ending", "level", "whole"),
    [(101, 1, False), (102, 2, False), (103, 3, False), (104, None, True), (100, None, False)],
)
def test_a_resignation_is_told_with_its_level(ending: int, level: int | None, whole: bool) -> None:
    def resign(records: list[Any]) -> None:
        records[-2]["ending"] = ending

    last = entries(tampered(WON, resign))[-1]
    assert isinstance(last, Resign)
    assert (last.player, last.level, last.match) == (1, level, whole)


def test_a_roll_without_a_play_is_kept() -> None:
    def unplayed(records: list[Any]) -> None:
        records[MOVES[2]]["played"] = 0

    last = entries(tampered(PLAYED, unplayed))[-1]
    assert (last.dice, last.text.kind) == ((5, 2), "unknown")


@pytest.mark.parametrize(
    ("answers", "kinds"),
    [
        ((1, -1, -1), [Take]),
        ((0, -1, -1), [Drop]),
        ((2, 1, -1), [Beaver, Take]),
        ((2, 0, -1), [Beaver, Drop]),
        ((2, 2, 1), [Beaver, Beaver, Take]),
        ((2, 2, 0), [Beaver, Beaver, Drop]),
        ((-1, -1, -1), []),
    ],
)
def test_the_answers_to_a_double_stand_in_its_record(answers: tuple[int, int, int], kinds: list[type]) -> None:
    match = match_of(game(play(0, (3, 1), "8/5 6/5"), Double(player=1), winner=None), length=0)

    def answer(records: list[Any]) -> None:
        records[4]["take"], records[4]["beaver"], records[4]["raccoon"] = answers

    said = entries(tampered(match, answer))[2:]
    assert [type(each) for each in said] == kinds
    assert [each.player for each in said] == [0, 1, 0][: len(kinds)]
    assert [each.raccoon for each in said if isinstance(each, Beaver)] == [False, True][: kinds.count(Beaver)]


def test_automatic_doubles_stand_before_the_first_roll_and_raise_the_cube() -> None:
    match = match_of(
        game(
            AutomaticDouble(player=0), play(0, (3, 1), "8/5 6/5"), Double(player=1), Drop(player=0), winner=1, points=2
        ),
        length=0,
    )
    found = read_back(replace(match, rules=replace(match.rules, automatic_doubles=1)))
    assert [type(each) for each in entries(found)] == [AutomaticDouble, CheckerPlay, Double, Drop]
    assert entries(found)[2].value == 4
    assert found.rules.automatic_doubles == 1


# --- boards ---------------------------------------------------------------------------------


def test_a_board_that_nothing_leads_to_has_been_set() -> None:
    def set_board(records: list[Any]) -> None:
        for record in records[6:8]:
            record["board"] = 0
            record["board"][[6, 19]] = 2, -3
            record["cube"] = 1
        records[7]["moves"], records[7]["board_after"] = -1, records[7]["board"]

    found = entries(tampered(PLAYED, set_board))
    assert [type(each) for each in found] == [CheckerPlay, CheckerPlay, SetBoard, CheckerPlay]
    board = found[2]
    assert (board.player, board.cube, board.owner) == (0, 2, 0)
    assert (board.position.mine[6], board.position.theirs[6]) == (2, 3)


def test_an_illegal_play_keeps_its_hops_or_else_its_board() -> None:
    wrong = match_of(game(play(0, (3, 1), "8/4 6/5"), play(1, (6, 4), "24/14"), winner=None))
    found = read_back(wrong)
    assert str(entries(found)[0].text) == "8/4 6/5"
    assert replay(found)[0].turns[0].play is None

    def unlike(records: list[Any]) -> None:
        records[3]["board_after"][:7] = [0, -2, 0, 0, 1, 0, 4]

    other = tampered(match_of(game(play(0, (3, 1), "8/5 6/5"), winner=None)), unlike)
    assert entries(other)[0].text.kind == "illegal"
    assert replay(other)[0].final.mine[4] == 1


def test_a_play_against_the_rules_is_marked_in_its_record() -> None:
    def look(records: list[Any]) -> None:
        assert [int(record["invalid"]) for record in records if record["kind"] == layout.RecordKind.MOVE] == [
            ILLEGAL,
            0,
        ]

    tampered(match_of(game(play(0, (3, 1), "8/4 6/5"), play(1, (6, 4), "24/14"), winner=None)), look)


# --- what cannot be read --------------------------------------------------------------------


def change_all(name: str, value: Any, kind: int) -> Any:
    def change(records: list[Any]) -> None:
        for record in records:
            if record["kind"] == kind:
                record[name] = value

    return change


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (change_all("player", 7, 3), codes.UNREADABLE_LINE),
        (change_all("dice", (70, 1), 3), codes.UNREADABLE_CELL),
        (change_all("moves", (99, 3) * 4, 3), codes.UNREADABLE_CELL),
        (change_all("winner", 0, 4), codes.UNREADABLE_LINE),
        (change_all("kind", 9, 2), codes.UNREADABLE_LINE),
        (change_all("kind", 0, 4), codes.UNREADABLE_LINE),
        (change_all("start", 9, 1), codes.BAD_SET_POSITION),
        (change_all("board", 9, 2), codes.BAD_SET_POSITION),
        (change_all("length", -5, 0), codes.NO_LENGTH),
    ],
)
def test_a_damaged_field_becomes_a_finding(change: Any, code: Code) -> None:
    found = tampered(WON, change)
    assert code in [each.code for each in found.findings]
    replay(found)


def test_figures_that_are_no_numbers_are_not_stated() -> None:
    def spoil(records: list[Any]) -> None:
        records[3]["analysis"]["results"][1] = np.nan
        records[3]["luck"] = np.inf
        records[3]["error"] = np.nan

    note = entries(tampered(ANALYSED, spoil))[0].annotation
    assert note.luck is None
    assert note.plays.error is None
    assert note.plays.candidates[1].evaluation.equity is None
    assert note.plays.candidates[1].evaluation.probabilities is None
    assert note.plays.candidates[0] == ANALYSED.games[0].entries[0].annotation.plays.candidates[0]  # type: ignore[union-attr]


def test_a_comment_that_belongs_to_no_record_is_told() -> None:
    found = tampered(PLAYED, lambda records: None, comments=write_comments(["left over"]))
    assert [each.code for each in found.findings] == [codes.STRAY_TEXT]
    assert found.source is not None
    start, end = found.findings[0].span
    assert found.source.text[start:end] == "comment 0: left over"


def test_a_file_of_a_later_version_is_refused_and_one_of_an_early_version_has_old_names() -> None:
    with pytest.raises(FormatError, match="later eXtreme Gammon"):
        tampered(PLAYED, change_all("version", 41, 0))

    def early(records: list[Any]) -> None:
        records[0]["version"], records[0]["player1"] = 7, 0xD800
        records[0]["ansi_player1"][:5] = [4, *"Änne".encode("cp1252")]

    found = tampered(PLAYED, early)
    assert found.players[0] == "Änne"
    assert found.rules.cube_limit is None


def test_what_stands_behind_the_end_of_a_name_is_left_over_from_something_else() -> None:
    def leftover(records: list[Any]) -> None:
        records[0]["player1"][4:9] = 0xDC00

    assert tampered(PLAYED, leftover).players[0] == "Ann"


def test_records_without_a_game_are_no_reason_to_stop() -> None:
    def headless(records: list[Any]) -> None:
        del records[1]

    found = tampered(PLAYED, headless)
    assert len(found.games) == 1
    assert len(entries(found)) == 3

    def only_match(records: list[Any]) -> None:
        del records[1:]

    assert [each.code for each in tampered(PLAYED, only_match).findings] == [codes.NO_GAME]


# --- around the records ---------------------------------------------------------------------


def test_match_text_in_a_file_of_that_name_is_still_match_text() -> None:
    text = mat(row(1, "31: 8/5 6/5", "64: 24/14"), "      Wins 1 point")
    assert recognise(Content(text.encode(), "mobile.xg")).name == "mat"
    assert len(read_source(text.encode(), "mobile.xg")[0].games[0].entries) == 2


@pytest.mark.parametrize(
    ("rich", "plain"),
    [
        (rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\pard\fs20 one\par two\tab x\par }", "one\ntwo\tx"),
        (rb"{\rtf1{\*\generator Riched20;}{\colortbl;\red1;}caf\'e9 \{\\\}}", "café {\\}"),
        (rb"{\rtf1\uc1 \u26085?\u-10179?\u-8704?!}", "日😀!"),
        (rb"{\rtf1 a{\b bold} c\emdash d", "abold c—d"),
        (b"no rich text at all \xe9", "no rich text at all é"),
        (rb"{\rtf1 }}}\u99999999999 ?x", "x"),
    ],
)
def test_rich_text_becomes_plain(rich: bytes, plain: str) -> None:
    (found,) = read_comments(rich)
    assert plain in found


@pytest.mark.parametrize("text", ["plain", "a\\b{c}\n\nd", "Zürich – 日本 😀", "tab\there", ""])
def test_comments_come_back(text: str) -> None:
    assert read_comments(write_comments([text, "other"])) == (text, "other")


def test_the_note_on_a_double_holds_the_answer_too() -> None:
    double = entries(read_back(ANALYSED))[2]
    assert double.annotation == CUBE_NOTE
