"""The edits that are offered: each leaves a record without its finding, and the right column where it was."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgtools.findings import codes
from bgtools.findings.finding import Severity
from bgtools.formats.content import Content, FormatError
from bgtools.formats.json.match import write as write_json
from bgtools.formats.mat.writer import write
from bgtools.formats.reading import find_format, read_source
from bgtools.formats.registry import our_formats
from bgtools.record.record import CheckerPlay
from bgtools.repair.repairing import repair
from selfplay import random_match
from support import check_and_offer, found, mat, read_text, row, some_or_all

if TYPE_CHECKING:
    from bgtools.findings.finding import Code, Finding

DATA = Path(__file__).with_name("data")
FIRST = row(1, "31: 8/5 6/5", "43: 13/10 13/9")
SECOND = row(2, "52: 13/8 13/11", "63: 10/4 9/6")
LEFT_WINS = "      Wins 1 point"


def offered(text: str, code: Code) -> list[Finding]:
    """The findings of a code that offer a fix."""
    return [one for one in check_and_offer(read_text(text)) if one.code is code and one.fix is not None]


def applied(text: str, finding: Finding) -> str:
    assert finding.fix is not None
    start, end = finding.fix.span
    return text[:start] + finding.fix.text + text[end:]


def mended(text: str, code: Code) -> str:
    """The text with the fix of its one finding of a code; nothing of that code is left."""
    (finding,) = offered(text, code)
    done = applied(text, finding)
    assert code not in [one.code for one in check_and_offer(read_text(done))]
    return done


def test_a_fix_takes_its_finding_away() -> None:
    taken = 0
    for code in codes.CHECKED:
        text = (DATA / f"{code.id}.bad.mat").read_bytes().decode()
        some = [one for one in found(text) if one.code is code]
        for finding in some:
            if finding.fix is not None:
                taken += 1
                left = check_and_offer(read_text(applied(text, finding)))
                assert sum(one.code is code for one in left) == len(some) - 1, code.id
    assert taken > 20


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_missing_result_is_told_by_the_next_score_line(line_end: str) -> None:
    following = f"\n Game 2\n {'Ann : 0':<30} Bob : 2\n{FIRST}\n{LEFT_WINS}\n"
    text = (mat(FIRST, SECOND) + following).replace("\n", line_end)
    right = (mat(FIRST, SECOND, f"{'':36}Wins 2 points") + following).replace("\n", line_end)
    assert mended(text, codes.UNFINISHED_GAME).split() == right.split()
    assert check_and_offer(read_text(mended(text, codes.UNFINISHED_GAME))) == ()


def test_a_missing_result_is_not_made_up() -> None:
    for score in ("Ann : 0                          Bob : 0", "Ann : 5                          Bob : 0"):
        text = mat(FIRST, SECOND) + f"\n Game 2\n {score}\n{FIRST}\n{LEFT_WINS}\n"
        assert offered(text, codes.UNFINISHED_GAME) == []


SOUND = write(random_match(3, 3))


def _cell() -> str:
    """A play of the left player in the middle of the first game, whose text is in the record once."""
    entries = [entry for entry in read_text(SOUND).games[0].entries[9:30] if entry.player == 0]
    texts = [SOUND[slice(*entry.span)] for entry in entries]
    return next(text for text in texts if len(text) > 12 and SOUND.count(text) == 1)


@pytest.mark.parametrize(("wrong", "code"), [("x7/qq", codes.UNREADABLE_CELL), ("????", codes.UNKNOWN_PLAY)])
def test_a_play_that_cannot_be_read_is_told_by_the_rest_of_the_game(wrong: str, code: Code) -> None:
    cell = _cell()
    spoilt = f"{cell[:4]}{wrong}".ljust(len(cell))
    lines = mended(SOUND.replace(cell, spoilt), code).replace("*", "").splitlines()
    assert [line for line in lines if not line.startswith("; reconstructed: ")] == SOUND.replace("*", "").splitlines()


def test_a_longer_play_takes_its_blanks_from_before_the_right_column() -> None:
    text = mat(row(1, "31: 8/5* 6/5", "43: 13/10 13/9"), SECOND, LEFT_WINS)
    lines = mended(text, codes.FALSE_STAR).splitlines()
    assert lines[4] == FIRST


def test_the_points_of_a_score_line_are_put_right_in_place() -> None:
    games = [
        f"\n Game {number}\n {f'Ann : {left}':<30} Bob : {right}\n{FIRST}\n{LEFT_WINS}\n"
        for number, left, right in ((2, 10, 0), (3, 2, 0))
    ]
    text = mat(FIRST, LEFT_WINS, length=21) + "".join(games)
    right = text.replace(f"{'Ann : 10':<30} Bob : 0", f"{'Ann : 1':<30} Bob : 0")
    assert mended(text, codes.SCORE_LINE) == right
    (finding,) = check_and_offer(read_text(text.replace(f"{'Ann : 10':<30} Bob : 0", f"{'Ann : 10':<30} Bob : 3")))
    assert finding.code is codes.SCORE_LINE
    assert finding.fix is None  # nobody mistypes both numbers: the game may be of another match


def test_a_score_that_the_record_goes_on_from_is_not_put_right_unseen() -> None:
    games = [
        f"\n Game {number}\n {f'Ann : {left}':<30} Bob : 0\n{FIRST}\n{LEFT_WINS}\n" for number, left in ((2, 3), (3, 4))
    ]
    text = mat(FIRST, row(2, " Doubles => 2", " Drops"), LEFT_WINS) + "".join(games)
    (finding,) = check_and_offer(read_text(text))
    assert finding.code is codes.SCORE_LINE
    assert "a game is missing before it" in finding.hint
    assert finding.fix is None


def test_a_result_that_the_next_score_line_goes_on_from_is_not_put_right_unseen() -> None:
    dropped = (FIRST, row(2, " Doubles => 2", " Drops"), "      Wins 2 points")
    text = mat(*dropped) + f"\n Game 2\n {'Ann : 2':<30} Bob : 0\n{FIRST}\n{LEFT_WINS}\n"
    (finding,) = check_and_offer(read_text(text))
    assert finding.code is codes.WRONG_POINTS
    assert finding.fix is not None
    assert finding.fix.applicability == "unsafe"


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("code", ["BG203", "BG218", "BG220", "BG223", "BG225", "BG226"])
def test_the_same_record_as_json_has_the_same_findings_and_fixes_in_words(code: str) -> None:
    match = read_source((DATA / f"{code}.bad.mat").read_bytes(), "slip.mat")[0]
    as_json = read_source(write_json((match,)), "slip.json")[0]
    told = [
        [(one.code.id, one.message, one.hint, one.entry) for one in check_and_offer(each)] for each in (match, as_json)
    ]
    assert told[0] == told[1]
    of_text, of_json = (
        [one.code.id for one in check_and_offer(each) if one.fix is not None and not one.fix.alternatives]
        for each in (match, as_json)
    )
    assert of_text == of_json
    assert all(one.fix.words for one in check_and_offer(as_json) if one.fix is not None)


def test_a_match_made_by_a_program_has_no_text_to_edit() -> None:
    assert all(one.fix is None for one in check_and_offer(random_match(5, 3)))


def test_a_match_without_a_text_has_the_same_findings_of_results_and_nothing_to_edit() -> None:
    for path in sorted(DATA.glob("BG4*.bad.mat")):
        for match in find_format("mat").read(Content(path.read_bytes(), path.name)):
            told = check_and_offer(replace(match, source=None))
            assert [one.code for one in told] == [one.code for one in check_and_offer(match)], path.name
            assert all(one.fix is None for one in told), path.name


@pytest.mark.quick(one_in=11)
@pytest.mark.parametrize("name", [each.name for each in our_formats() if each.writer and each.holds_matches])
def test_an_edit_is_offered_in_another_format_only_where_it_takes_its_finding_away(name: str) -> None:
    for path in sorted(DATA.glob("*.bad.mat")):
        for match in find_format("mat").read(Content(path.read_bytes(), path.name)):
            try:
                (made,) = read_source(find_format(name).write((match,)), f"x.{name}", name)
            except FormatError:
                continue
            offered = check_and_offer(made)
            before = [one.code for one in offered]
            for finding in [one for one in offered if one.fix is not None and not one.fix.words]:
                assert made.source is not None
                (mended,) = read_source(applied(made.source.text, finding).encode(), f"x.{name}", name)
                assert [one.code for one in check_and_offer(mended)].count(finding.code) < before.count(finding.code), (
                    path
                )


SAMPLES = Path(__file__).parents[2] / "samples"


@cache
def whole() -> str:
    return repair((SAMPLES / "five-slips.mat").read_bytes(), "m.mat").after.decode().replace(" and the match", "")


"""A record without a slip, whose last game has no score line after it."""


def spoilt(*slips: tuple[str, str]) -> str:
    """That record with other texts in place of some that stand in it once, as one of a longer match."""
    text = whole().replace(" 3 point match", " 9 point match")
    for stands, wrong in slips:
        assert text.count(stands) == 1
        text = text.replace(stands, wrong)
    return text


def safety(text: str) -> list[tuple[str, str]]:
    """Of every finding its fix, and whether that is safe."""
    fixes = [one.fix for one in check_and_offer(read_text(text)) if one.fix is not None]
    return [(fix.text, fix.applicability) for fix in fixes]


def test_two_slips_of_one_game_prove_neither_of_their_fixes() -> None:
    first, second = ("13/10 16/15", "13/10 17/15"), ("15/9 13/11", "15/8 13/11")
    assert safety(spoilt(first)) == [("16/15", "safe")]
    assert safety(spoilt(first, second)) == [("16/15", "unsafe"), ("15/9", "unsafe")]
    in_other_game = ("62: 24/18 18/16", "62: 24/18 19/16")
    assert safety(spoilt(first, in_other_game)) == [("16/15", "safe"), ("18/16", "safe")]


def test_a_play_of_which_a_sign_cannot_be_read_is_not_proved() -> None:
    assert safety(spoilt(("64: 11/5 14/10", "64: 11/x 14/10"))) == [("11/5", "unsafe")]


def test_points_that_no_score_line_counts_are_not_proved() -> None:
    assert safety(spoilt(("54: 2/0 1/0\n      Wins 1", "54: 2/0 1/0\n      Wins 3"))) == [("1", "unsafe")]


def test_points_are_not_proved_where_a_double_and_its_take_may_be_missing() -> None:
    doubled = ("54: 2/0 1/0\n      Wins 1", "54: 2/0 1/0\n      Wins 2")
    assert safety(spoilt(doubled)) == [("1", "unsafe")]


def test_an_action_after_the_end_is_not_safe_to_delete_where_the_result_contradicts_the_end() -> None:
    dropped = mat(row(1, "31: 8/5 6/5", "52: 13/8 24/22"), row(2, " Doubles => 2", " Drops"), row(3, " Beavers => 4"))
    (agreed,) = [each for each in found(dropped + "      Wins 1 point\n") if each.code is codes.AFTER_END]
    (contradicted,) = [each for each in found(dropped + "      Wins 2 points\n") if each.code is codes.AFTER_END]
    assert agreed.fix is not None
    assert contradicted.fix is not None
    assert (agreed.fix.applicability, contradicted.fix.applicability) == ("safe", "unsafe")


def test_a_cell_that_stands_a_second_time_does_not_prove_its_roll() -> None:
    slip = spoilt(("62: 24/18 18/16", "62: 24/18 19/16"))
    again = f"\n Game 4\n {'Greta Holm : 3':<30} Ivan Petrov : 1\n  1) 62: 24/18 19/16\n{LEFT_WINS}\n"
    assert safety(slip) == [("18/16", "safe")]
    assert safety(slip + again)[0] == ("18/16", "unsafe")


@pytest.mark.thorough
def test_a_copy_in_place_of_another_turn_is_not_safe_to_delete() -> None:
    again = spoilt(("  3) 63: 24/18 18/15", "  3) 64: 16/10 10/6\n  3) 63: 24/18 18/15"))
    assert safety(again) == [("", "safe")]
    in_place = spoilt(("52: 25/20 20/18* ", "63: 24/18 18/15  "))
    (finding,) = found(in_place)
    assert finding.fix is not None
    # What stood there is lost. Several rolls leave the board on which the game goes on, and one of them was rolled.
    assert {each.applicability for each in (finding.fix, *finding.fix.alternatives)} == {"unsafe"}
    assert len(finding.fix.alternatives) >= 1
    assert len({each.words for each in (finding.fix, *finding.fix.alternatives)}) == 1 + len(finding.fix.alternatives)
    assert "read as 43: bar/18*, or 61: bar/18*, or 52: bar/18*; the next 40 plays fit then" in finding.hint


@some_or_all(5)
def test_a_turn_that_a_cell_beside_it_is_copied_over_is_one_finding(step: int) -> None:
    text = whole().replace(" 3 point match", " 9 point match")
    rolls = [
        each.span for each in read_text(text).games[1].entries if isinstance(each, CheckerPlay) and each.player == 1
    ]
    told = []
    for here, below in list(pairwise(rolls[2:-6]))[::step]:
        copied = text[: here.start] + text[slice(*below)] + text[here.end :]
        errors = [one for one in found(copied) if one.severity is Severity.ERROR]
        assert len(errors) <= 1
        told += [one.fix for one in errors if one.fix is not None]
    assert len(told) > 4 // step
    assert {fix.applicability for fix in told} == {"unsafe"}


# --- results of two games in each other's place ---------------------------------------------

RIGHT_WINS = " " * 34 + "Wins {}"


def three_games(first: str, second: str, *, doubled: bool, last: bool = False) -> str:
    """Ann wins 2 points in game 1, Bob 1 in game 2; with their results as told, and with a third game or not."""
    cube = [row(2, " Doubles => 2", " Takes")] if doubled else [row(2, "52: 13/8 13/11", "63: 10/4 9/6")]
    text = mat(row(1, "31: 8/5 6/5", "43: 13/10 13/9"), *cube, first)
    text += (
        f"\n Game 2\n Ann : 2                          Bob : 0\n{row(1, '31: 8/5 6/5', '43: 13/10 13/9')}\n{second}\n"
    )
    third = f"\n Game 3\n Ann : 2                          Bob : 1\n{row(1, '31: 8/5 6/5', '43: 13/10 13/9')}\n"
    return text if last else text + third + "      Wins 1 point\n"


ANN_WINS_2, BOB_WINS_1 = "      Wins 2 points", RIGHT_WINS.format("1 point")


def test_results_in_each_others_place_are_one_finding_where_a_game_cannot_have_its_own() -> None:
    sound = three_games(ANN_WINS_2, BOB_WINS_1, doubled=True)
    text = three_games(BOB_WINS_1, ANN_WINS_2, doubled=True)
    assert not found(sound)
    (finding,) = found(text)
    assert finding.code is codes.WRONG_POINTS
    assert finding.message == "the results of games 1 and 2 stand in each other's place"
    assert finding.fix is not None
    assert finding.fix.applicability == "unsafe"
    lines = [line for line in applied(text, finding).splitlines() if line != "; reconstructed: the result"]
    assert " ".join(lines).split() == sound.split()
    match = replace(read_text(text), source=None)
    assert [each.message for each in check_and_offer(match)] == [finding.message]


def test_a_score_line_is_not_safe_to_put_right_where_two_results_may_stand_in_each_others_place() -> None:
    text = three_games(BOB_WINS_1, ANN_WINS_2, doubled=False)
    (finding,) = found(text)
    assert finding.code is codes.SCORE_LINE
    assert "or the results of games 1 and 2 stand in each other's place" in finding.hint
    assert finding.fix is not None
    assert finding.fix.applicability == "unsafe"


def test_behind_the_last_game_one_wrong_result_is_likelier_than_two_in_each_others_place() -> None:
    text = three_games("      Wins 1 point", ANN_WINS_2, doubled=True, last=True)
    assert not [each for each in found(text) if "each other's place" in each.message]


# --- cube actions that the result tells apart -----------------------------------------------


def session(*lines: str, tags: str = "", result: str) -> str:
    return tags + mat(FIRST, *lines, result, length=0)


def test_a_gammon_that_cannot_be_lost_tells_that_a_take_answered_a_double() -> None:
    home = f"; Set Pos=-CCCCC-{'-' * 12}ccccc--/0"
    text = mat(home, row(1, "61: 5/off 2/1", "21: 2/off 3/2"), row(2, "", " Takes"), row(3, "65: 5/off 5/off"),
               "                                     Wins 2 points")  # fmt: skip
    errors = [one for one in found(text) if one.severity is Severity.ERROR]
    assert [(one.code, one.hint) for one in errors] == [
        (codes.NO_OFFER, "the rest of the game counts one: it is missing before this entry")
    ]
    assert not [one for one in found(text) if one.code is codes.IMPOSSIBLE_RESIGNATION]


def test_a_beaver_without_a_double_tells_that_the_double_is_missing() -> None:
    sound = session(row(2, " Doubles => 2", " Beavers => 4"), row(3, "52: 13/8 13/11"), tags='; [Beaver "On"]\n',
                    result="      Wins 8 points")  # fmt: skip
    assert not [one for one in found(sound) if one.severity is Severity.ERROR]
    text = sound.replace(" Doubles => 2", " " * 13)
    (error,) = [one for one in found(text) if one.severity is Severity.ERROR]
    assert error.code is codes.NO_OFFER
    assert error.hint == "the rest of the game counts one: it is missing before this entry"


def test_a_beaver_beyond_those_that_the_record_allows_is_told_their_number() -> None:
    text = session(row(2, " Doubles => 2", " Beavers => 4"), row(3, " Beavers => 8", " Beavers => 16"),
                   row(4, "52: 13/8 13/11"), tags='; [Beaver "2"]\n', result="      Wins 48 points")  # fmt: skip
    (error,) = [one for one in found(text) if one.severity is Severity.ERROR]
    assert error.facts == ("the rules of the record let a double be doubled back 2 times running",)
    assert error.hint.startswith('write [Beaver "3"] among the tags where more are played; it stood')
    assert error.fix is None  # the players played it, and the header is for somebody who knows the match


def test_a_double_with_a_wrong_value_is_not_taken_for_a_cube_that_turned_by_itself_where_a_beaver_tells() -> None:
    text = session(row(2, " Doubles => 4", " Beavers => 4"), row(3, "52: 13/8 13/11"),
                   tags='; [Beaver "On"]\n; [AutomaticDoubles "2"]\n', result="      Wins 12 points")  # fmt: skip
    (error,) = [one for one in found(text) if one.severity is Severity.ERROR]
    assert error.message == "the cube goes from 1 to 2, not to 4"
    assert error.fix is not None
    assert error.fix.text == "2"


def test_a_length_of_which_a_digit_was_lost_is_told_where_no_result_says_that_it_ends_the_match() -> None:
    scores = ((0, 0), (4, 0), (4, 4), (8, 4), (8, 8), (12, 8), (12, 12))
    games = [f" Game {number}\n Ann : {one:<25} Bob : {two}\n{FIRST}\n" for number, (one, two) in enumerate(scores, 1)]
    wins = ("      Wins 2 points", RIGHT_WINS.format("2 points"))
    cube = f"{row(2, ' Doubles => 2', ' Takes')}\n{row(3, '52: 13/8 13/11', ' Doubles => 4')}\n{row(4, ' Takes')}\n"
    results = [wins[at % 2].replace("2", "4") for at in range(len(games))]
    text = " {} point match\n\n" + "\n".join(f"{one}{cube}{two}\n" for one, two in zip(games, results, strict=True))
    assert not [one for one in found(text.format(15)) if one.severity is Severity.ERROR]
    (error,) = [one for one in found(text.format(5)) if one.severity is Severity.ERROR]
    assert error.message == "this is not a 5-point match: it was played to more points, perhaps 15"
    assert applied(text.format(5), error) == text.format(15)
    # Of 1 and another digit there are several, of which one is played most.
    (error,) = [one for one in found(text.format(1)) if one.severity is Severity.ERROR]
    assert error.code is codes.WRONG_LENGTH
    assert error.fix is not None
    assert (error.fix.text, error.fix.applicability) == ("15", "unsafe")


def test_a_second_result_for_the_other_player_is_taken_out_where_the_score_tells_which_counts() -> None:
    sound = three_games(ANN_WINS_2, BOB_WINS_1, doubled=True)
    text = sound.replace(ANN_WINS_2, f"{ANN_WINS_2}\n{RIGHT_WINS.format('2 points')}")
    (finding,) = found(text)
    assert finding.code is codes.WRONG_WINNER
    assert finding.fix is not None
    assert finding.fix.applicability == "safe"
    assert applied(text, finding) == sound


@pytest.mark.parametrize(("number", "wrong"), [(1, 2), (1, 7), (2, 12), (2, 1), (2, 4)])
def test_a_wrong_number_between_right_ones_is_one_warning_that_they_prove(number: int, wrong: int) -> None:
    sound = three_games(ANN_WINS_2, BOB_WINS_1, doubled=True)
    text = sound.replace(f"Game {number}", f"Game {wrong}")
    (finding,) = found(text)
    assert finding.message == f"game {wrong} stands where game {number} would follow"
    assert finding.fix is not None
    assert finding.fix.applicability == "safe"
    assert applied(text, finding) == sound


def test_the_value_of_a_dropped_double_is_not_proved_where_the_result_counts_a_double_before_it() -> None:
    text = mat(FIRST, SECOND, row(3, " Doubles => 4", " Drops"), "      Wins {}")
    (offer,) = offered(text.format("1 point"), codes.WRONG_CUBE)
    assert offer.fix is not None
    assert offer.fix.applicability == "safe"
    (offer,) = offered(text.format("2 points"), codes.WRONG_CUBE)
    assert offer.fix is not None
    assert offer.fix.applicability == "unsafe"
