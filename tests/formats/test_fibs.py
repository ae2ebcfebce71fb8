"""Sessions on FIBS: plays among all else that the server says, and its boards."""

from __future__ import annotations

import pytest

from bgtools.board.board import START, Board
from bgtools.checks.checking import check
from bgtools.findings import codes
from bgtools.formats.content import Content, FormatError
from bgtools.formats.fibs import board_line
from bgtools.formats.reading import read_all, read_source, recognise
from bgtools.positions.fibs import FIBS_NUMBERS
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, Match, Resign, SetBoard, Take
from bgtools.replayer.match import replay
from printed_texts import SESSION, fibs_line
from ruin import read_ruins
from support import CORPUS, needs_corpus


def read(text: str) -> Match:
    return read_source(text.encode(), "x.txt")[0]


def kinds(match: Match, game: int = 0) -> list[str]:
    return [f"{type(entry).__name__} {entry.player}" for entry in match.games[game].entries]


def test_the_turns_of_a_match_are_found_in_a_session() -> None:
    match = read(SESSION)
    assert (match.players, match.length) == (("ann", "Bob"), 5)
    assert kinds(match) == [
        "CheckerPlay 0", "CheckerPlay 1", "Double 0", "Take 1", "CheckerPlay 0", "CheckerPlay 1", "CheckerPlay 0",
        "Resign 1",
    ]  # fmt: skip
    plays = [(entry.dice, str(entry.text)) for entry in match.games[0].entries if isinstance(entry, CheckerPlay)]
    assert plays == [
        ((3, 1), "8/5 6/5"), ((6, 4), "24/18 13/9"), ((6, 6), "Cannot Move"), ((2, 1), "13/11 9/8"), ((5, 2), ""),
    ]  # fmt: skip
    assert [(claim.player, claim.points) for claim in match.games[0].results] == [(0, 2)]
    assert match.findings == ()


def test_the_points_come_from_the_boards() -> None:
    match = read(SESSION)
    assert [game.score for game in match.games] == [(0, 0), (2, 0)]
    assert kinds(match, 1) == ["CheckerPlay 1", "Double 0", "Drop 1"]
    first = match.games[1].entries[0]
    assert isinstance(first, CheckerPlay)
    assert first.dice == (5, 1)
    assert [(claim.player, claim.points) for claim in match.games[1].results] == [(0, 1)]


def test_chat_of_the_players_is_kept_and_of_others_not() -> None:
    (comment,) = read(SESSION).games[0].comments
    assert (comment.text, comment.at) == ("Bob: hello", 1)


def test_nothing_but_the_play_is_complained_about() -> None:
    assert [finding.code for finding in check(read(SESSION))] == [codes.FALSE_DANCE]


def test_a_board_alone_is_a_position() -> None:
    match = read(fibs_line(turn=-1, dice="0:0:6:2", cube="2:0:1", score="1:3"))
    assert kinds(match) == ["SetBoard 1", "CheckerPlay 1"]
    setting = match.games[0].entries[0]
    assert isinstance(setting, SetBoard)
    assert (setting.position, setting.cube, setting.owner, match.games[0].score) == (START, 2, 1, (1, 3))
    assert match.players == ("You", "Bob")
    assert check(match) == ()


@pytest.mark.parametrize("colour", [1, -1])
def test_both_colours_see_the_same_board(colour: int) -> None:
    position = Board(
        (0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1),
        (1, 0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0),
    )
    setting = read(fibs_line(position, colour=colour, turn=colour)).games[0].entries[0]
    assert isinstance(setting, SetBoard)
    assert (setting.position, setting.player) == (position, 0)


def test_several_boards_without_play_are_positions() -> None:
    found = read_source(f"{fibs_line()}\n{fibs_line(names='A:B', length=9999)}\n".encode(), "x.txt")
    assert [(match.players, match.length) for match in found] == [(("You", "Bob"), 5), (("A", "B"), 0)]
    assert [finding.code for match in found for finding in match.findings] == [codes.SEVERAL_MATCHES]


def test_a_log_that_begins_in_a_game_sets_the_board() -> None:
    text = SESSION[SESSION.index("board:") :]
    assert kinds(read(text))[:2] == ["SetBoard 0", "CheckerPlay 0"]
    assert kinds(read(text))[2:] == kinds(read(SESSION))[1:]


def test_a_board_that_the_plays_do_not_lead_to_is_set() -> None:
    moved = fibs_line(Board((*START.mine[:24], 1, 1), START.theirs), turn=-1)
    match = read(SESSION.replace("Bob rolls 6 and 4.", f"{moved}\nBob rolls 6 and 4."))
    assert kinds(match)[:3] == ["CheckerPlay 0", "SetBoard 1", "CheckerPlay 1"]


@pytest.mark.parametrize(("flag", "crawford"), [(0, True), (1, False)])
def test_the_crawford_game_is_told_from_those_after_it(flag: int, crawford: bool) -> None:
    assert replay(read(fibs_line(score="4:2", crawford=flag)))[0].crawford is crawford


def test_beavers_and_drops() -> None:
    begin = SESSION.index("You double")
    cube = ("You double.", "Bob beavers. Type 'accept' or 'reject'.", "You raccoon.", "Bob accepts the double.")
    text = SESSION[:begin] + "\n".join(cube)
    entries = read(text).games[0].entries[2:]
    assert [type(entry) for entry in entries] == [Double, Beaver, Beaver, Take]
    assert isinstance(read(SESSION).games[1].entries[-1], Drop)
    assert isinstance(read(SESSION).games[0].entries[-1], Resign)


def test_the_same_two_may_begin_another_match() -> None:
    again = SESSION[SESSION.index("You and Bob start") :].replace("5 point", "3 point").replace(":Bob:5:", ":Bob:3:")
    found = read_source((SESSION + again).encode(), "x.txt")
    assert [(match.length, len(match.games)) for match in found] == [(5, 2), (3, 2)]


def test_boards_that_cannot_be_are_told() -> None:
    assert board_line(("A", "B"), [0] * (len(FIBS_NUMBERS) - 1)) is None
    short = read(fibs_line()[:-4] + "\n" + fibs_line())
    assert [finding.code for finding in short.findings] == [codes.UNREADABLE_LINE] or not short.findings
    crowded = read(fibs_line().replace(":5:0:3:", ":9:9:9:"))
    assert [finding.code for finding in crowded.findings] == [codes.BAD_SET_POSITION]


def test_other_text_is_refused() -> None:
    with pytest.raises(FormatError, match="not a log of FIBS"):
        read_source(b"hello", "x.txt", "fibs")


def test_a_session_is_recognised() -> None:
    assert recognise(Content(SESSION.encode(), "x")).name == "fibs"


@pytest.mark.thorough
def test_ruined_sessions_are_read_as_far_as_they_go() -> None:
    assert read_ruins(SESSION.encode(), "fibs") > 60


@needs_corpus
def test_a_session_of_the_server_replays_without_a_finding() -> None:
    for path in sorted((CORPUS / "fibs-session").iterdir()):
        for match in read_all(path):
            assert len(match.games) == 2
            assert check(match) == ()
    for path in sorted((CORPUS / "fibs-board").iterdir()):
        found = read_all(path)
        assert [finding.code for match in found for finding in check(match)] == [codes.SEVERAL_MATCHES]
        assert all(kinds(match) == ["SetBoard 0", "CheckerPlay 0"] for match in found)
