"""What the entries of a record mean on the board; and that no text at all makes reading it fail."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st

from bgtools.board.board import START
from bgtools.board.play import PlayText
from bgtools.checks.checking import check
from bgtools.formats.content import FormatError
from bgtools.formats.mat.writer import write
from bgtools.formats.reading import read_source
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Game, Match, Resign, SetBoard, Take
from bgtools.record.state import GameState, Offer
from bgtools.replayer.match import replay
from bgtools.rules.cube import Cube, MatchState
from selfplay import random_match
from support import after, board, mat, read_text, row, rows, written

if TYPE_CHECKING:
    from bgtools.replayer.turn import GameReplay

LEFT_WINS = "      Wins 1 point"
OPENING = rows(("31: 8/5 6/5", "43: 13/10 13/9"), ("52: 13/8 13/11", "63: 10/4 9/6"))


def first(*lines: str, length: int = 7, score: str = "0 0") -> GameReplay:
    """The replay of a record's only game."""
    return replay(read_text(mat(*lines, length=length, score=score)))[0]


def match(*games: tuple[str, tuple[str, ...]], length: int = 7, head: str = "") -> tuple[GameReplay, ...]:
    """The replay of several games, each given by its score and its rows."""
    text = f"{head} {length} point match\n"
    for number, (score, lines) in enumerate(games, 1):
        left, right = score.split()
        text += f"\n Game {number}\n {f'Ann : {left}':<30} Bob : {right}\n" + "".join(f"{line}\n" for line in lines)
    return replay(read_text(text))


# --- turns ----------------------------------------------------------------------------------


def test_a_turn_is_seen_by_the_player_who_acts() -> None:
    turns = first(*OPENING, LEFT_WINS).turns
    assert turns[0].before == START
    assert turns[1].before == after(START, (3, 1), "8/5 6/5").flipped()
    for turn, following in pairwise(turns):
        assert following.before == turn.after.flipped()
    assert [turn.player for turn in turns] == [0, 1, 0, 1]
    assert all(turn.play is not None and not turn.violations for turn in turns)


def test_the_right_player_may_begin_R03() -> None:
    turns = first(row(1, "", "31: 8/5 6/5"), row(2, "43: 13/10 13/9"), LEFT_WINS).turns
    assert [turn.player for turn in turns] == [1, 0]
    assert turns[1].before.theirs == after(START, (3, 1), "8/5 6/5").mine


def test_cube_actions_share_the_number_of_the_roll_that_follows() -> None:
    turns = first(OPENING[0], row(2, " Doubles => 2", " Takes"), row(3, "52: 13/8 13/11"), LEFT_WINS).turns
    assert [turn.roll for turn in turns] == [0, 1, 2, 2, 2]
    assert [turn.index for turn in turns] == [0, 1, 2, 3, 4]


def test_a_roll_that_ends_the_record_may_lack_its_play() -> None:
    game = first(*OPENING, row(3, "61:"), "                                  Wins 1 point")
    assert game.turns[-1].violations == ()
    assert game.turns[-1].after == game.turns[-1].before


# --- the cube -------------------------------------------------------------------------------


def test_a_take_doubles_the_cube_and_gives_it_to_the_taker_R31() -> None:
    turns = first(
        OPENING[0], row(2, " Doubles => 2", " Takes"), row(3, "52: 13/8 13/11", "63: 10/4 9/6"), LEFT_WINS
    ).turns
    assert [turn.state.cube for turn in turns] == [
        Cube(1, "centre"), Cube(1, "centre"), Cube(1, "centre"), Cube(1, "centre"), Cube(2, "theirs"), Cube(2, "mine"),
    ]  # fmt: skip


def test_a_drop_loses_the_cube_before_the_offer_R22() -> None:
    game = first(
        OPENING[0],
        row(2, " Doubles => 2", " Takes"),
        row(3, "52: 13/8 13/11", " Doubles => 4"),
        row(4, " Drops", "Wins 2 points"),
    )
    assert (game.ending, game.winner, game.earned, game.cube) == ("drop", 1, 2, 2)


def test_an_offer_that_is_not_answered_counts_as_taken_R31() -> None:
    game = first(OPENING[0], row(2, " Doubles => 2"), row(3, "52: 13/8 13/11"), "      Wins 2 points")
    assert game.cube == 2
    assert game.turns[-1].state.cube == Cube(2, "theirs")


# --- the end of a game ----------------------------------------------------------------------


def ending(
    mine: dict[int, int], theirs: dict[int, int], *lines: str, length: int = 7, score: str = "0 0"
) -> GameReplay:
    """A game from a position, seen by the left player."""
    from bgtools.positions.xgid import encode_xgid
    from bgtools.rules.cube import MatchState

    place = encode_xgid(board(mine, theirs), MatchState()).removeprefix("XGID=").partition(":")[0]
    return first(f"; Set Pos={place}/0", *lines, length=length, score=score)


@pytest.mark.parametrize(
    ("theirs", "level"),
    [({6: 14}, 1), ({6: 15}, 2), ({18: 1, 6: 14}, 2), ({19: 1, 6: 14}, 3), ({25: 1, 6: 14}, 3)],
)
def test_the_board_tells_what_a_game_is_worth_R20(theirs: dict[int, int], level: int) -> None:
    game = ending({1: 1}, theirs, row(1, "21: 1/off"), f"      Wins {level} points")
    assert (game.ending, game.winner, game.level, game.earned) == ("borne off", 0, level, level)


def test_the_game_ends_with_the_fifteenth_checker_and_the_rest_of_the_roll_is_void_R14() -> None:
    game = ending({2: 2}, {6: 2}, row(1, "66: 2/off(2)"), LEFT_WINS)
    assert game.turns[0].violations == ()
    assert game.ending == "borne off"


def test_a_resignation_is_worth_what_the_record_says_R44() -> None:
    game = first(*OPENING, "      Wins 2 points")
    assert (game.ending, game.winner, game.level, game.points, game.earned) == ("resigned", 0, 2, 2, None)


def test_a_resignation_of_a_stated_level_needs_no_result_R23() -> None:
    match = read_text(mat(row(1, "", "31: 8/5 6/5"), length=7))
    game = replace(match.games[0], entries=(*match.games[0].entries, Resign(player=0, level=3)))
    (found,) = replay(replace(match, games=(game,)))
    assert (found.winner, found.level, found.points) == (1, 3, 3)


def test_entries_are_not_put_from_column_to_column_for_ever() -> None:
    unreadable = CheckerPlay(player=0, dice=(3, 1), text=PlayText("unreadable", dump="x"))
    bear_off = CheckerPlay(player=0, dice=(2, 1), text=PlayText("moves", written("1/off 2/off")))
    late = CheckerPlay(player=1, dice=(6, 6), text=PlayText("dance"))
    played = CheckerPlay(player=1, dice=(6, 1), text=PlayText("moves", written("bar/18 17/11")))
    placed = SetBoard(player=0, position=board({1: 1, 2: 1}, {1: 1}))
    entries = (
        AutomaticDouble(player=0), unreadable, Double(player=1), Beaver(player=0), Take(player=1), played, placed,
        bear_off, late, Resign(player=0),
    )  # fmt: skip
    match = Match(players=("Ann", "Bob"), length=0, games=(Game(number=1, score=(0, 0), entries=entries),))
    (found,) = replay(match)
    assert len(found.turns) == len(entries)


def test_a_record_that_breaks_off_has_no_winner() -> None:
    game = first(*OPENING)
    assert (game.ending, game.winner, game.points) == ("unfinished", None, None)
    assert game.score_after == game.score


# --- the match ------------------------------------------------------------------------------


def test_the_score_is_the_sum_of_the_results_before_it_R44() -> None:
    one, two, three = match(
        ("0 0", (*OPENING, LEFT_WINS)), ("1 0", (*OPENING, "      Wins 2 points")), ("3 0", (*OPENING, LEFT_WINS))
    )
    assert (one.added_up, two.added_up, three.added_up) == (None, (1, 0), (3, 0))
    assert three.score_after == (4, 0)


def test_the_crawford_game_is_the_one_right_after_a_player_first_stands_one_point_from_winning_R41_R42() -> None:
    games = match(
        ("0 0", (*OPENING, "      Wins 2 points")),
        ("2 0", (*OPENING, "                                  Wins 1 point")),
        ("2 1", (*OPENING, "                                  Wins 1 point")),
        ("2 2", (*OPENING, LEFT_WINS)),
        length=3,
    )
    assert [game.crawford for game in games] == [False, True, False, False]


def test_a_record_without_the_crawford_rule_has_no_crawford_game_R41() -> None:
    games = match(
        ("0 0", (*OPENING, "      Wins 2 points")),
        ("2 0", (*OPENING, LEFT_WINS)),
        length=3,
        head='; [Crawford "Off"]\n',
    )
    assert [game.crawford for game in games] == [False, False]


RIGHT_WINS = "                                  Wins 1 point"
DROPPED = (OPENING[0], row(2, " Doubles => 2", " Drops"), LEFT_WINS)


@pytest.mark.parametrize(("number", "score"), [(3, "2 1"), (2, "2 1")], ids=["a gap", "a score that does not add up"])
def test_a_double_tells_that_the_crawford_game_is_among_those_missing_R41(number: int, score: str) -> None:
    text = mat(*OPENING, "      Wins 2 points", length=3)
    left, right = score.split()
    for lines, expected in ((DROPPED, False), ((*OPENING, RIGHT_WINS), True)):
        following = "\n".join(("", f" Game {number}", f" {f'Ann : {left}':<30} Bob : {right}", *lines, ""))
        assert replay(read_text(text + following))[1].crawford is expected


def test_a_double_in_the_crawford_game_counts_where_dropping_it_ended_the_game_R22_R41() -> None:
    _, game = match(("0 0", (*OPENING, "      Wins 2 points")), ("2 0", DROPPED), length=3)
    double = game.turns[2]
    assert game.crawford
    assert (double.is_legal, double.reading) == (False, "as written")
    assert (game.ending, game.winner, game.earned) == ("drop", 0, 1)


def test_a_double_in_the_crawford_game_is_annulled_where_the_game_went_on_R41() -> None:
    taken = (OPENING[0], row(2, " Doubles => 2", " Takes"), row(3, "52: 13/8 13/11", "63: 10/4 9/6"), LEFT_WINS)
    _, game = match(("0 0", (*OPENING, "      Wins 2 points")), ("2 0", taken), length=3)
    assert (game.turns[2].reading, game.cube) == ("left out", 1)


def test_a_one_point_match_has_no_crawford_game_R41() -> None:
    assert not first(*OPENING, LEFT_WINS, length=1).crawford


def test_money_has_no_crawford_game_and_no_length_R41() -> None:
    game = first(*OPENING, LEFT_WINS, length=0)
    assert not game.crawford
    assert game.turns[0].state.is_money


# --- matches made by play -------------------------------------------------------------------


def _played(seed: int) -> Match:
    return random_match(seed, (1, 3, 5, 7)[seed % 4])


@pytest.mark.parametrize("seed", range(6))
def test_a_match_that_was_played_by_the_rules_has_no_fault(seed: int) -> None:
    played = _played(seed)
    games = replay(played)
    assert [finding.message for finding in check(played, games)] == []
    for game in games:
        assert game.winner is not None
        for turn in game.turns:
            # Somebody may give up behind their roll.
            if isinstance(turn.entry, CheckerPlay) and turn.entry.text.kind != "nothing":
                assert turn.play is not None


@pytest.mark.parametrize("seed", range(6))
def test_a_match_replays_alike_from_its_written_text(seed: int) -> None:
    played = _played(seed)
    again = read_text(write(played))
    assert [[(turn.player, turn.before, turn.after, turn.state) for turn in game.turns] for game in replay(again)] == [
        [(turn.player, turn.before, turn.after, turn.state) for turn in game.turns] for game in replay(played)
    ]


# --- nothing makes it fail ------------------------------------------------------------------

_PIECES = (
    "7 point match", "Game 1", "Ann : 0     Bob : 0", "  1)", "31:", "66:", "00:", "99:", "8/5", "25/20", "bar/1*",
    "6/off(4)", "24/18*/13", "0/0", "1/24", "26/21", "99/0", "(9)", "Doubles => 2", "Doubles =>", "Takes", "Drops",
    "Beavers => 4", "Raccoons", "Wins 1 point", "Wins 1004 points", "Losses 2 point and the match", "????", "Concedes",
    "Resigned Match", "Illegal play (1;2;3)", "Cannot Move", '; [Crawford "Off"]', '; [CubeLimit "x"]', ":", "\t",
    "\n", "\r\n", "   ",
    "; Set Pos=-b----E-C---eE---c-e----B-/0", "; Set Pos=OOOOOOOOOOOOOOOOOOOOOOOOOO/-9", "Money session", "é", "\x0b",
)  # fmt: skip


def _survives(data: bytes) -> None:
    try:
        matches = read_source(data, "any.mat")
    except FormatError as error:
        message = str(error)
    else:
        message = "read"
        for each in matches:
            for finding in check(each):
                assert 0 <= finding.span.start <= finding.span.end
                assert finding.message
    assert message


@given(st.lists(st.sampled_from(_PIECES), max_size=40).map(" ".join))
def test_words_of_a_record_in_any_order_never_fail(text: str) -> None:
    _survives(text.encode())
    _survives(f" 7 point match\n\n Game 1\n Ann : 0    Bob : 0\n{text}\n".encode())


@given(st.binary(max_size=200))
def test_bytes_never_fail(data: bytes) -> None:
    _survives(data)
    _survives(b"7 point match\n Game 1\n Ann : 0   Bob : 0\n  1) " + data)


@given(st.text(max_size=200))
def test_text_never_fails(text: str) -> None:
    _survives(text.encode("utf-8", "surrogatepass"))
    _survives(f"7 point match\n Game 1\n Ann : 0   Bob : 0\n  1) 31: {text}".encode("utf-8", "surrogatepass"))


_SAMPLE = write(_played(3)).encode()


@settings(max_examples=40)
@given(st.integers(0, len(_SAMPLE)), st.integers(0, 12), st.binary(max_size=6))
def test_a_record_with_a_hole_or_a_stain_never_fails(at: int, gone: int, put: bytes) -> None:
    _survives(_SAMPLE[:at] + put + _SAMPLE[at + gone :])


@pytest.mark.thorough
@settings(max_examples=12)
@given(st.randoms(use_true_random=False))
def test_a_record_with_its_lines_shuffled_never_fails(rng: random.Random) -> None:
    lines = _SAMPLE.splitlines(keepends=True)[:60]
    rng.shuffle(lines)
    _survives(b"".join(lines))


_HOP = st.tuples(st.integers(0, 40), st.integers(0, 40), st.sampled_from(["", "*", "(2)", "*(4)"])).map(
    lambda hop: f"{hop[0]}/{hop[1]}{hop[2]}"
)
_CELL = st.tuples(st.integers(10, 67), st.lists(_HOP, max_size=5)).map(lambda cell: f"{cell[0]}: {' '.join(cell[1])}")


@pytest.mark.thorough
@settings(max_examples=40)
@given(st.lists(st.tuples(_CELL, _CELL), max_size=5))
def test_plays_between_points_that_no_board_has_never_fail(cells: list[tuple[str, str]]) -> None:
    _survives(mat(*(f"{number:>3}) {left:<50} {right}" for number, (left, right) in enumerate(cells, 1))).encode())


def test_turns_are_never_read_in_another_order_without_a_word() -> None:
    # Had the first two rows after the hit stood the other way round, all plays would be legal.
    game = first(
        row(1, "51: 13/8 6/5", "51: 13/8 6/5"),
        row(2, "64: 24/20*/14", "43: bar/22 24/20*"),
        row(3, "66: 8/2 14/8 24/18 8/2", "52: 22/20 13/8"),
        row(4, " Doubles => 2", " Takes"),
        row(5, "31: bar/21", "44: 8/4*(2) 6/2(2)"),
        row(6, "52: bar/18", "44: 24/20 13/9(3)"),
        row(7, "54: 13/4", "42: 8/2"),
        row(8, "62: 8/2 6/4", "41: 9/5 6/5"),
    )
    stand = [turn.entry for turn in game.turns]
    assert stand == list(game.game.entries) or any(turn.violations for turn in game.turns)
    assert [turn.index for turn in game.turns if turn.violations] != []


def test_a_double_after_a_beaver_accepts_it_and_after_a_double_does_not() -> None:
    state = GameState(MatchState())
    state.double(0)
    assert state.double(0).value == 2
    state.beaver(1)
    assert state.double(0) == Offer(0, 4, 8, 1)
    assert (state.cube, state.owner) == (4, 1)
