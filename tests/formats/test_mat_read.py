"""Reading match text: every dialect and pitfall, each as a small record made up for it."""

from __future__ import annotations

import pytest

from bgtools.board.board import START
from bgtools.decoder.entries import says
from bgtools.findings import codes
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read_source
from bgtools.record.record import CheckerPlay, Double, Drop, Game, Match, Resign, Take
from bgtools.replayer.match import replay
from support import board, check_and_offer, found, ids, mat, read_text, row, rows


def told(game: Game) -> list[tuple[str, int, str]]:
    """What a game's entries are, whose, and their dice with the play."""
    said = []
    for entry in game.entries:
        text = ""
        if isinstance(entry, CheckerPlay):
            dice = f"{entry.dice[0]}{entry.dice[1]}" if entry.dice else "--"
            text = f"{dice}: {entry.text}".strip()
        elif isinstance(entry, Double):
            text = str(entry.value)
        said.append((type(entry).__name__, int(entry.player), text))
    return said


def sides(match: Match) -> list[int]:
    """Who made each entry of the first game."""
    return [entry.player for entry in match.games[0].entries]


OPENING = rows(("31: 8/5 6/5", "43: 13/10 13/9"), ("52: 13/8 13/11", "63: 10/4 9/6"))


# --- the head -------------------------------------------------------------------------------


def test_tags_may_stand_in_any_order_and_case() -> None:
    match = read_text('; [Player 2 "Bob"]\n; [EVENT "Club"]\n; [Crawford "Off"]\n;[cubelimit "64"]\n' + mat(*OPENING))
    assert match.tag("event") == "Club"
    assert match.tag("Player 2") == "Bob"
    assert match.tag("Round") is None
    assert not match.rules.crawford
    assert match.rules.cube_limit == 64


def test_the_names_of_the_score_line_count_not_those_of_the_tags() -> None:
    match = read_text('; [Player 1 "Robert Stone"]\n; [Player 2 "Anna"]\n' + mat(*OPENING))
    assert match.players == ("Ann", "Bob")


def test_a_tag_without_quotes_and_free_text_are_comments() -> None:
    text = ";[title Spring Final]\n; 3-point match\n; +------+\n; |  Box |\n" + mat(*OPENING)
    match = read_text(text)
    assert [comment.text for comment in match.comments] == [
        "[title Spring Final]",
        "3-point match",
        "+------+",
        "|  Box |",
    ]
    assert match.length == 7
    assert ids(found(text)) == ["BG405"]


@pytest.mark.parametrize(
    ("head", "length"), [("7 point match", 7), ("   7 point match", 7), ("0 point match", 0), ("Money session", 0)]
)
def test_a_length_line(head: str, length: int) -> None:
    match = read_text(mat(*OPENING).replace(" 7 point match", head))
    assert match.length == length
    assert match.is_money is (length == 0)


@pytest.mark.parametrize(
    ("value", "variant"),
    [
        ("Backgammon", "backgammon"),
        ("NackGammon", "nackgammon"),
        ("HyperGammon", "hypergammon"),
        ("HyperGammon (1)", "hypergammon1"),
        ("HyperGammon (2)", "hypergammon2"),
        ("HyperGammon (3)", "hypergammon"),
        ("Plakoto", "backgammon"),
        ("(2)", "backgammon"),
    ],
)
def test_a_variation(value: str, variant: str) -> None:
    match = read_text(f'; [Variation "{value}"]\n' + mat(*OPENING))
    assert match.rules.variant == variant


def test_no_length_line_means_money_and_is_said() -> None:
    text = mat(*OPENING).replace(" 7 point match\n", "")
    match = read_text(text)
    assert match.length is None
    assert match.is_money
    assert "BG105" in ids(found(text))


def test_a_single_16_point_game_of_backgammon_galaxy_is_money() -> None:
    galaxy = '; [Site "BackgammonGalaxy"]\n; [Crawford "On"]\n'
    match = read_text(galaxy + mat(*OPENING, length=16))
    assert match.length == 0
    assert not match.rules.crawford
    assert [finding.code for finding in match.findings] == [codes.MONEY_SENTINEL]
    # Elsewhere, and with more than one game, sixteen is sixteen.
    assert read_text(mat(*OPENING, length=16)).length == 16
    two = galaxy + mat(*OPENING, row(3, "", "Wins 1 point"), length=16) + "\n Game 2\n Ann : 0      Bob : 1\n"
    assert read_text(two).length == 16


def test_a_record_may_begin_with_a_byte_order_mark() -> None:
    match = read_text(b"\xef\xbb\xbf" + '; [Site "Café"]\n'.encode() + mat(*OPENING).encode())
    assert match.tag("Site") == "Café"
    assert len(match.games[0].entries) == 4


def test_names_in_windows_1252() -> None:
    match = read_text(mat(*OPENING, names=("Zoé", "Bjørg")).encode("cp1252"))
    assert match.players == ("Zoé", "Bjørg")


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_any_line_end(end: str) -> None:
    text = mat(*OPENING)
    match = read_text(text.replace("\n", end))
    assert told(match.games[0]) == told(read_text(text).games[0])
    assert len(match.games[0].entries) == 4


def test_a_file_may_end_without_a_line_end_and_pad_its_lines() -> None:
    padded = "\n".join(f"{line:<80}" for line in mat(*OPENING).splitlines())
    assert told(read_text(padded).games[0]) == told(read_text(mat(*OPENING)).games[0])


# --- the score line -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "players", "score"),
    [
        (" Ann : 2                     Bob : 3", ("Ann", "Bob"), (2, 3)),
        ("Ann: 2              Bob: 3", ("Ann", "Bob"), (2, 3)),
        (" Mary Ann : 2                Bob van Oak : 3", ("Mary Ann", "Bob van Oak"), (2, 3)),
        (" Ann & Joe : 2               Bob@Club : 3", ("Ann & Joe", "Bob@Club"), (2, 3)),
        ("  : 2                        Bob : 3", ("", "Bob"), (2, 3)),
        (" Ann : 2                      : 3", ("Ann", ""), (2, 3)),
        (" Ann  : 2                    Bob   : 3  ", ("Ann", "Bob"), (2, 3)),
        (" Ann_(ESP) : 12              Bob : 10", ("Ann_(ESP)", "Bob"), (12, 10)),
    ],
)
def test_names_and_points(line: str, players: tuple[str, str], score: tuple[int, int]) -> None:
    match = read_text(f" 15 point match\n\n Game 1\n{line}\n" + "\n".join(OPENING) + "\n")
    assert match.players == players
    assert match.games[0].score == score
    assert match.findings == ()


def test_a_rating_behind_the_name_is_kept_apart() -> None:
    match = read_text(mat(*OPENING, names=("Ann,1635", "Bob,1749.2")))
    assert match.players == ("Ann", "Bob")
    assert match.ratings == ("1635", "1749.2")


def test_players_who_change_columns_between_games_stay_themselves() -> None:
    text = (
        mat(*OPENING, row(3, "", "Wins 2 points"))
        + "\n Game 2\n Bob : 2                      Ann : 0\n"
        + "\n".join(rows(("31: 8/5 6/5", "43: 13/10 13/9")))
        + "\n"
    )
    match = read_text(text)
    assert match.players == ("Ann", "Bob")
    first, second = match.games
    assert (first.left, second.left) == (0, 1)
    assert second.score == (0, 2)
    assert [entry.player for entry in second.entries] == [1, 0]
    assert ids(found(text)) == ["BG405"]


def test_a_game_without_a_score_line_is_said() -> None:
    text = mat(*OPENING).replace(f" {'Ann : 0':<30} Bob : 0\n", "")
    match = read_text(text)
    assert match.games[0].score is None
    assert "BG104" in ids(match.findings)
    assert [entry.player for entry in match.games[0].entries] == [0, 1, 0, 1]


# --- columns --------------------------------------------------------------------------------


def test_an_empty_left_cell_in_row_1_means_that_the_right_player_begins() -> None:
    match = read_text(mat(row(1, "", "31: 8/5 6/5"), row(2, "43: 13/10 13/9", "52: 13/8 13/11")))
    assert sides(match) == [1, 0, 1]


def test_a_score_line_wider_than_the_rows_does_not_move_the_columns() -> None:
    text = (
        " 7 point match\n\n Game 1\n"
        f" {'Annabel of the Long Name : 0':<58} Bob : 0\n"
        "  1)                             31: 8/5 6/5\n"
        "  2) 43: 13/10 13/9                   52: 13/8 13/11\n"
        "  3) 63: 10/4 9/6                   41: 24/23 13/9\n"
    )
    match = read_text(text)
    assert sides(match) == [1, 0, 1, 0, 1]


def test_a_score_line_narrower_than_the_rows_does_not_move_the_columns() -> None:
    text = (
        " 7 point match\n\n Game 1\n A : 0  B : 0\n"
        "  1)                             31: 8/5 6/5\n"
        "  2) 43: 13/10 13/9                   52: 13/8 13/11\n"
    )
    assert sides(read_text(text)) == [1, 0, 1]


def test_one_blank_parts_a_long_left_cell_from_the_right_one() -> None:
    long = "  2) 11: 24/23 24/23 8/7 8/7 64: 24/18 13/9\n"
    match = read_text(
        mat(row(1, "", "31: 8/5 6/5"), long.rstrip("\n"), row(3, "52: 13/8 13/11", "33: 8/5 8/5 6/3 6/3"))
    )
    assert told(match.games[0])[1:3] == [
        ("CheckerPlay", 0, "11: 24/23 24/23 8/7 8/7"),
        ("CheckerPlay", 1, "64: 24/18 13/9"),
    ]


def test_columns_that_shift_by_one_from_row_10_on() -> None:
    lines = ["  1)" + " " * 34 + "31: 8/5 6/5"]
    lines += [f"  {number}) {'21: 13/11 6/5':<33} 21: 13/11 6/5" for number in range(2, 10)]
    lines += [f"  {number}) {'21: 13/11 6/5':<33} 21: 13/11 6/5" for number in (10, 11)]
    lines += ["  12)" + " " * 34 + " Wins 1 point"]
    match = read_text(mat(*lines))
    assert sides(match) == [1] + [0, 1] * 10
    assert [result.player for result in match.games[0].results] == [1]


def test_a_stray_row_number_inside_a_row_begins_another_row() -> None:
    line = row(2, "43: 24/20 13/10", "  3)  Losses 1 point                    Wins 1 point")
    match = read_text(mat(row(1, "", "31: 8/5 6/5"), line, length=1))
    assert sides(match) == [1, 0]
    assert [(result.player, result.won) for result in match.games[0].results] == [(0, False), (1, True)]


def test_a_star_may_stand_for_the_number_of_a_row() -> None:
    match = read_text(mat(OPENING[0], "  *) 52: 13/8 13/11               63: 10/4 9/6"))
    assert sides(match) == [0, 1, 0, 1]
    assert match.findings == ()


def test_row_numbers_that_jump_are_said_and_the_order_is_kept() -> None:
    match = read_text(mat(OPENING[0], OPENING[1].replace("  2)", "  5)")))
    assert sides(match) == [0, 1, 0, 1]
    assert ids(match.findings) == ["BG106"]


def test_a_result_row_may_have_any_number_and_rows_may_be_empty() -> None:
    match = read_text(mat(*OPENING, "  9)                              Wins 2 points", " 10)   ", " 11)"))
    assert match.findings == ()
    assert [(result.player, result.points) for result in match.games[0].results] == [(1, 2)]


def test_a_name_pasted_into_a_row_is_left_out_and_said() -> None:
    text = mat("  1) Ann : 3                       31: 8/5 6/5", row(2, "43: 13/10 13/9", "52: 13/8 13/11"))
    match = read_text(text)
    assert sides(match) == [1, 0, 1]
    (finding,) = match.findings
    assert finding.code is codes.STRAY_TEXT
    assert text[slice(*finding.span)] == "Ann : 3"


def test_cells_beyond_the_second_of_a_row_go_on_left_and_right_in_turn() -> None:
    line = f"{row(1, '31: 8/5 6/5', '64: 24/14')}   52: 13/8 24/22   33: 8/5(2) 6/3(2)"
    match = read_text(mat(line))
    assert [entry.player for entry in match.games[0].entries] == [0, 1, 0, 1]
    assert ids(list(match.findings)) == [codes.EXTRA_CELL.id] * 2
    assert not any(turn.violations for turn in replay(match)[0].turns)


def test_two_rows_joined_into_one_are_all_read() -> None:
    match = read_text(mat("  1) 31: 8/5 6/5                  43: 13/10 13/9    52: 13/8 13/11"))
    assert len(match.games[0].entries) == 3
    assert ids(match.findings) == ["BG107"]


# --- plays ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cell",
    [
        "65: 24/18 18/13",
        "65: 24/13",
        "56: 24/13",
        "65: 24/18/13",
        "65: 18/13 24/18",
        "65:  24/18   18/13 ",
        "65 24/18 18/13",
    ],
)
def test_one_play_in_every_spelling_leaves_one_board(cell: str) -> None:
    text = mat(*rows((cell, "31: 8/5 6/5")))
    game = replay(read_text(text))[0]
    assert game.turns[0].after == board({24: 1, 13: 6, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})
    assert ids(found(text)) == ["BG405"]


@pytest.mark.parametrize("bar", ["25/21", "bar/21", "Bar/21"])
@pytest.mark.parametrize("star", ["", "*"])
def test_the_bar_is_25_or_a_word_and_stars_may_be_missing(bar: str, star: str) -> None:
    text = mat(
        row(1, "62: 24/18 13/11", f"51: 13/8 8/7{star}"),
        row(2, f"42: {bar} 24/22", ""),
    )
    game = replay(read_text(text))[0]
    assert game.turns[1].after.theirs[25] == 1
    assert game.turns[2].after.mine[25] == 0
    assert ids(found(text)) == ["BG405"]


def test_a_hit_that_is_repeated_has_its_star_before_or_behind_the_count() -> None:
    boards = set()
    for text in ("6/4*(2)", "6/4(2)*", "6/4* 6/4", "6/4(2)"):
        lines = (row(1, "", "41: 24/23 24/20"), row(2, f"22: 13/11(2) {text}", ""))
        boards.add(replay(read_text(mat(*lines)))[0].turns[1].after)
    assert len(boards) == 1


@pytest.mark.parametrize("off", ["6/0 5/0", "6/off 5/off", "6/Off 5/Off"])
def test_off_is_0_or_a_word(off: str) -> None:
    text = mat(row(1, f"65: {off}"))
    match = read_text(text)
    assert told(match.games[0]) == [("CheckerPlay", 0, "65: 6/off 5/off")]


def test_a_dance_is_in_words_or_nothing_at_all() -> None:
    match = read_text(mat(row(1, "64:", "64: Cannot Move"), row(2, "64: ", "31: 8/5 6/5")))
    kinds = [entry.text.kind for entry in match.games[0].entries if isinstance(entry, CheckerPlay)]
    assert kinds == ["nothing", "dance", "nothing", "moves"]


def test_question_marks_behind_dice_are_a_play_that_nobody_saw() -> None:
    match = read_text(mat(*OPENING, row(3, "55: 13/3(2)", "66: ????"), row(4, "Wins 1 point")))
    last = match.games[0].entries[-1]
    assert isinstance(last, CheckerPlay)
    assert (last.dice, last.text.kind) == ((6, 6), "unknown")


def test_question_marks_alone_are_somebody_who_left() -> None:
    match = read_text(mat(*OPENING, row(3, "????", "Wins 1 point and the match")))
    last = match.games[0].entries[-1]
    assert isinstance(last, Resign)
    assert last.player == 0


def test_dice_00_are_nothing_rolled() -> None:
    match = read_text(mat(*OPENING, row(3, "32: 24/21 13/11", "00: ????"), row(4, "Wins 1 point")))
    assert told(match.games[0])[-1] == ("Resign", 1, "")


# --- the cube -------------------------------------------------------------------------------


@pytest.mark.parametrize("arrow", ["=>", "==>"])
def test_double_and_take_stand_in_one_row_or_two(arrow: str) -> None:
    one = mat(OPENING[0], row(2, f" Doubles {arrow} 2", " Takes"), row(3, "52: 13/8 13/11", "63: 10/4 9/6"))
    two = mat(OPENING[0], row(2, "52: 13/8 13/11", f" Doubles {arrow} 2"), row(3, " Takes", "63: 10/4 9/6"))
    assert told(read_text(one).games[0])[2:5] == [
        ("Double", 0, "2"),
        ("Take", 1, ""),
        ("CheckerPlay", 0, "52: 13/8 13/11"),
    ]
    assert told(read_text(two).games[0])[3:6] == [
        ("Double", 1, "2"),
        ("Take", 0, ""),
        ("CheckerPlay", 1, "63: 10/4 9/6"),
    ]


def test_a_drop_and_its_result_share_a_row() -> None:
    text = mat(OPENING[0], row(2, "52: 13/8 13/11", " Doubles => 2"), row(3, " Drops", "Wins 1 point"))
    match = read_text(text)
    assert isinstance(match.games[0].entries[-1], Drop)
    (result,) = match.games[0].results
    assert (result.player, result.points, result.column_speaks) == (1, 1, True)
    assert found(text) == []


def test_a_redouble_is_a_double_with_its_own_value() -> None:
    match = read_text(
        mat(
            OPENING[0],
            row(2, " Doubles => 2", " Takes"),
            row(3, "52: 13/8 13/11", " Doubles => 4"),
            row(4, " Takes", "63: 10/4 9/6"),
        )
    )
    values = [entry.value for entry in match.games[0].entries if isinstance(entry, Double)]
    assert values == [2, 4]
    assert sum(isinstance(entry, Take) for entry in match.games[0].entries) == 2


# --- the end of a game ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "player"),
    [
        ("      Wins 2 points", 0),
        ("                                  Wins 2 points", 1),
        ("  3)                              Wins 2 points", 1),
        ("  3)  Wins 2 points", 0),
    ],
)
def test_a_result_belongs_to_the_column_it_stands_in(line: str, player: int) -> None:
    text = mat(*OPENING, line)
    match = read_text(text)
    (result,) = match.games[0].results
    assert (result.player, result.points, result.match) == (player, 2, False)
    assert replay(match)[0].winner == player
    # A resignation without any mark is the usual thing.
    assert found(text) == []


def test_a_result_beside_the_last_play_says_nothing_about_the_winner() -> None:
    match = read_text(mat(*OPENING, row(3, "41: 24/23 13/9", "Wins 1 point")))
    (result,) = match.games[0].results
    assert not result.column_speaks


def test_losses_and_wins_together() -> None:
    text = mat(*OPENING, row(3, " Losses 5 point", "Wins 5 point and the match"), length=5)
    match = read_text(text)
    assert [(result.player, result.won, result.points, result.match) for result in match.games[0].results] == [
        (0, False, 5, False),
        (1, True, 5, True),
    ]
    assert replay(match)[0].winner == 1
    assert found(text) == []


@pytest.mark.parametrize(
    ("last", "player", "whole"),
    [
        (row(3, "32: Concedes", "Wins 2 point"), 0, False),
        (row(3, "32: 24/21 13/11", "Concedes"), 1, False),
        (row(3, "32: 24/21 13/11", "Resigns"), 1, False),
        (row(3, "32: 24/21 13/11", "Resigned Match"), 1, True),
    ],
)
def test_a_marked_resignation(last: str, player: int, whole: bool) -> None:
    game = read_text(mat(*OPENING, last)).games[0]
    resign = game.entries[-1]
    assert isinstance(resign, Resign)
    assert (resign.player, resign.match) == (player, whole)
    assert sum(isinstance(entry, CheckerPlay) for entry in game.entries) == 5


@pytest.mark.parametrize("points", [100, 1001, 1004, 2008, 4016])
def test_large_numbers_in_place_of_points_are_no_score(points: int) -> None:
    text = mat(*OPENING, row(3, f"Wins {points} points"))
    assert ids(found(text)) == ["BG407"]
    game = replay(read_text(text))[0]
    assert game.winner == 0
    assert game.points is not None
    assert game.points < 100


def test_points_capped_at_what_the_match_needs_are_no_fault() -> None:
    text = mat(
        OPENING[0],
        row(2, " Doubles => 2", " Takes"),
        row(3, "52: 13/8 13/11", " Doubles => 4"),
        row(4, " Takes", "63: 10/4 9/6"),
        row(5, "", "Wins 3 points and the match"),
        score="0 4",
    )
    assert found(text) == []


def test_a_truncated_game_ends_with_bare_dice() -> None:
    text = mat(*OPENING, "  3) 62: ")
    match = read_text(text)
    assert told(match.games[0])[-1] == ("CheckerPlay", 0, "62:")
    assert ids(found(text)) == ["BG405"]


def test_trailing_comments_belong_to_the_game_they_follow() -> None:
    match = read_text(mat(*OPENING) + "\n; match aborted by the server\n")
    assert [comment.text for comment in match.games[0].comments] == ["match aborted by the server"]


# --- illegal plays and set positions --------------------------------------------------------

_DUMP = "7;0;1;0;1;ann;bob;0;0;0;1;0;0;-2;0;0;0;0;4;0;3;1;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;5;2;"


def test_the_mark_of_an_illegal_play_gives_the_board_to_go_on_from() -> None:
    text = mat(f"  1) 31: Illegal play ({_DUMP})  52: 13/8 13/11", row(2, "43: 13/10 13/9", "63: 11/5 8/5"))
    match = read_text(text)
    first = match.games[0].entries[0]
    assert isinstance(first, CheckerPlay)
    assert (first.text.kind, first.text.dump) == ("illegal", _DUMP)
    assert sides(match) == [0, 1, 0, 1]
    turn = replay(match)[0].turns[0]
    assert turn.after == board({24: 2, 13: 5, 9: 1, 8: 3, 6: 4}, {24: 2, 13: 5, 8: 3, 6: 5})
    assert ids(found(text)) == ["BG219", "BG405"]


def test_a_mark_of_an_illegal_play_may_be_followed_by_the_cube_in_the_same_row() -> None:
    text = mat(
        row(1, "31: 8/5 6/5", "43: 13/10 13/9"),
        f"  2) 31: Illegal play ({_DUMP}) Doubles => 2",
        row(3, " Takes", "63: 10/4 9/6"),
    )
    assert [entry[:2] for entry in told(read_text(text).games[0])] == [
        ("CheckerPlay", 0),
        ("CheckerPlay", 1),
        ("CheckerPlay", 0),
        ("Double", 1),
        ("Take", 0),
        ("CheckerPlay", 1),
    ]


def test_a_set_position_is_the_start_of_its_game() -> None:
    # Capitals are the left player's: two on their 6, one on their 20; three of the other on their own 3.
    set_pos = "; Set Pos=------B-------------A-c---/0"
    text = mat(set_pos, *rows(("21: 20/18 6/5", "21: 3/1 3/2")))
    game = read_text(text).games[0]
    assert game.start == board({20: 1, 6: 2}, {3: 3})
    assert (game.start_cube, game.start_owner) == (1, None)
    assert [turn.violations for turn in replay(read_text(text))[0].turns] == [(), ()]


@pytest.mark.parametrize(("exponent", "cube", "owner"), [("0", 1, None), ("1", 2, 0), ("-2", 4, 1)])
def test_a_set_position_places_the_cube(exponent: str, cube: int, owner: int | None) -> None:
    set_pos = f"; Set Pos=-b----E-C---eE---c-e----B-/{exponent}"
    game = read_text(mat(set_pos, *OPENING)).games[0]
    assert game.start == START
    assert (game.start_cube, game.start_owner) == (cube, owner)


# --- several games and matches --------------------------------------------------------------


def _game(number: int, score: tuple[int, int], *lines: str, names: tuple[str, str] = ("Ann", "Bob")) -> str:
    head = f"\n Game {number}\n {f'{names[0]} : {score[0]}':<30} {names[1]} : {score[1]}\n"
    return head + "".join(f"{line}\n" for line in lines)


def test_games_keep_their_numbers_across_a_gap() -> None:
    text = (
        " 7 point match\n"
        + _game(1, (0, 0), *OPENING, row(3, "Wins 1 point"))
        + _game(4, (3, 2), *OPENING, row(3, "Wins 2 point"))
    )
    match = read_text(text)
    assert [game.number for game in match.games] == [1, 4]
    assert [game.score for game in match.games] == [(0, 0), (3, 2)]
    assert ids(found(text)) == ["BG401"]


def test_a_second_length_line_begins_a_second_match() -> None:
    text = mat(*OPENING, row(3, "Wins 7 points")) + "\n" + mat(*OPENING, length=5, names=("Cid", "Dan"))
    matches = read_source(text.encode(), "two.mat")
    assert [(match.players, match.length, len(match.games)) for match in matches] == [
        (("Ann", "Bob"), 7, 1),
        (("Cid", "Dan"), 5, 1),
    ]
    assert [ids(match.findings) for match in matches] == [[], ["BG002"]]


def test_other_players_begin_another_match_without_a_length_line() -> None:
    text = mat(*OPENING, row(3, "Wins 1 point")) + _game(29, (3, 4), *OPENING, names=("Cid", "Dan"))
    matches = read_source(text.encode(), "two.mat")
    assert [match.players for match in matches] == [("Ann", "Bob"), ("Cid", "Dan")]
    assert [game.number for match in matches for game in match.games] == [1, 29]


# --- what cannot be read --------------------------------------------------------------------


def test_an_unreadable_cell_is_one_finding_and_the_next_cell_is_read() -> None:
    text = mat(row(1, "31: 8-5 6-5", "43: 13/10 13/9"), row(2, "52: 13/8 13/11", "63: 10/4 9/6"))
    match = read_text(text)
    (finding,) = match.findings
    assert finding.code is codes.UNREADABLE_CELL
    assert text[slice(*finding.span)] == "8-5"
    assert '"8-5" is not' in finding.message
    assert sides(match) == [0, 1, 0, 1]


def test_an_unreadable_line_is_one_finding_and_the_next_line_is_read() -> None:
    text = mat(OPENING[0], "61-> 24/l8, l3/l1", OPENING[1])
    match = read_text(text)
    (finding,) = match.findings
    assert finding.code is codes.UNREADABLE_LINE
    assert text[slice(*finding.span)] == "61-> 24/l8, l3/l1"
    assert sides(match) == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b" \r\n\t ", "empty"),
        (b"PK\x03\x04rest", "ZIP"),
        (b"<html>", "HTML"),
        (b"7 point match\0", "binary file"),
        (b"Dear Ann, how was the club?", "not match text"),
    ],
)
def test_what_is_no_match_text_says_what_it_looks_like(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_source(data, "x")


def test_a_head_without_a_game_is_one_error() -> None:
    assert ids(found(" 7 point match\n")) == ["BG001"]


def test_a_double_in_the_past_tense_is_a_double() -> None:
    text = b""" 5 point match\n
 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                64: 24/14
  2)  Doubled => 2               Takes
  3)  31: 8/5 6/5               Redoubled => 4
  4)  Dropped
"""
    (match,) = read_source(text, "doubled.mat")
    assert not match.findings
    kinds = [type(entry) for entry in match.games[0].entries]
    assert kinds == [CheckerPlay, CheckerPlay, Double, Take, CheckerPlay, Double, Drop]


WIDE = mat(
    "  1) 31: 8/5 6/5                42: 8/4 6/4",
    "  2) 63: 24/15                  52: 13/8 24/22",
    "      Wins 1 point",
)


@pytest.mark.parametrize(
    ("plain", "wide"),
    [
        ("63:", "６３:"), ("63: 24/15", "６３：　２４／１５"), ("2) 63", "２） 63"),
        ("52: 13/8 24/22", "٥٢: ١٣/٨ ٢٤/٢٢"),
        ("Wins 1 point", "Ｗｉｎｓ １ point"), ("7 point", "７ point"), ("Game 1", "Game １"), ("Bob : 0", "Bob ： ０"),
        ("13/8", "13∕8"),
    ],
)  # fmt: skip
def test_signs_of_full_width_or_another_script_are_read_and_told_with_a_safe_fix(plain: str, wide: str) -> None:
    text = WIDE.replace(plain, wide)
    assert text != WIDE
    match, sound = read_text(text), read_text(WIDE)
    assert match.length == sound.length
    for game, other in zip(match.games, sound.games, strict=True):
        assert (game.number, game.score) == (other.number, other.score)
        assert [says(entry) for entry in game.entries] == [says(entry) for entry in other.entries]
        assert [(each.player, each.points) for each in game.results] == [(e.player, e.points) for e in other.results]
    (finding,) = check_and_offer(match)
    assert finding.code is codes.UNREADABLE_CELL
    assert finding.fix is not None
    assert finding.fix.applicability == "safe"
    fixed = text[: finding.fix.span.start] + finding.fix.text + text[finding.fix.span.end :]
    assert fixed.replace("  ", " ") == WIDE.replace("  ", " ")


def test_names_and_remarks_keep_their_signs() -> None:
    match = read_text("; ５２： １３／８\n" + WIDE.replace("Ann", "Ａｎｎ１").replace("Bob", "田中"))
    assert match.players == ("Ａｎｎ１", "田中")
    assert [comment.text for comment in match.comments] == ["５２： １３／８"]
    assert match.findings == ()


# --- misspelt words and odd brackets --------------------------------------------------------

DOUBLED = mat(
    *OPENING[:1], row(2, " Doubles => 2", " Takes"), row(3, "52: 13/8 13/11", " Doubles => 4"), row(4, " Drops")
) + ("                                     Wins 2 points\n")


@pytest.mark.parametrize(
    ("word", "misspelt"),
    [
        ("Doubles => 2", "Dobules => 2"),
        ("Takes", "Taeks"),
        ("Takes", "Tkes"),
        ("Drops", "Dorps"),
        ("Wins", "Wims"),
        ("Wins", "Wns"),
        ("Doubles => 4", "Duobels => 4"),
    ],
)
def test_a_misspelt_word_is_read_as_the_one_it_is_like_and_is_one_finding(word: str, misspelt: str) -> None:
    sound, match = read_text(DOUBLED), read_text(DOUBLED.replace(word, misspelt))
    assert told(match.games[0]) == told(sound.games[0])
    assert [claim.points for claim in match.games[0].results] == [2]
    (finding,) = check_and_offer(match)
    assert finding.code is codes.UNREADABLE_CELL
    assert finding.fix is not None
    assert (finding.fix.text, finding.fix.applicability) == (word.split()[0], "safe")


@pytest.mark.parametrize("words", ["Moves", "Tales of Bob", "Wine", "Drape 12", "Taxes them"])
def test_a_name_or_a_remark_in_a_row_is_not_taken_for_a_misspelt_word(words: str) -> None:
    match = read_text(mat(*OPENING[:1], row(2, words, "63: 10/4 9/6")))
    assert [type(entry) for entry in match.games[0].entries[:2]] == [CheckerPlay, CheckerPlay]
    assert codes.UNREADABLE_CELL not in {finding.code for finding in match.findings}


@pytest.mark.parametrize("bracket", [".", "]", "}", ">"])
def test_another_sign_in_place_of_the_bracket_behind_a_rows_number_means_the_same(bracket: str) -> None:
    sound, match = read_text(DOUBLED), read_text(DOUBLED.replace("2)", f"2{bracket}"))
    assert told(match.games[0]) == told(sound.games[0])
    assert not match.findings


@pytest.mark.parametrize("arrow", ["> 2", "-> 2", "= 2", "2", "=>2"])
def test_the_value_of_a_double_stands_behind_any_arrow_or_none(arrow: str) -> None:
    match = read_text(DOUBLED.replace("=> 2", arrow))
    assert told(match.games[0]) == told(read_text(DOUBLED).games[0])


def test_a_loss_on_a_line_of_its_own_is_in_its_column_where_a_win_follows() -> None:
    text = mat(*OPENING, "      Losses 3 points", " " * 34 + "Wins 3 points")
    match = read_text(text)
    assert [(each.player, each.won, each.winner) for each in match.games[0].results] == [(0, False, 1), (1, True, 1)]
