"""Boards drawn with letters: drawn and read again, and those that the programs themselves have drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from test_notations import ask, situations

from bgtools.board.board import BAR, START
from bgtools.positions.draw import PICTURE_STYLES, PictureStyle, encode_picture
from bgtools.positions.gnubg import decode_gnu_id
from bgtools.positions.notations import decode_id, encode_id
from bgtools.positions.pictures import decode_picture, find_picture
from bgtools.positions.position import IdError, Position
from bgtools.positions.xgid import decode_xgid
from bgtools.rules.cube import Cube, MatchState
from gnubg_export import PROGRAM
from support import CORPUS, board

by_style = pytest.mark.parametrize("style", PICTURE_STYLES)


def known(situation: Position, style: PictureStyle) -> Position:
    """What a style tells of a situation."""
    state = replace(situation.state, rules=MatchState().rules)
    offer = situation.offer and "double"
    if style != "gnubg":
        offer = ""
    elif offer:
        # Then GNU Backgammon prints the new value in place of the match length.
        state = replace(state, length=0, crawford=False)
    if style == "fibs":
        state = replace(state, crawford=False)
    names = situation.names if any(situation.names) else ("O", "X") if situation.upper else ("X", "O")
    return replace(situation, state=state, offer=offer, resigned=None, resigner="mine", names=names)


@by_style
def test_a_drawn_board_reads_back(style: PictureStyle) -> None:
    for situation in situations(61, 400):
        text = encode_picture(situation, style, ("X", "O"))
        again = decode_picture(text)
        assert replace(again, state=replace(again.state, rules=MatchState().rules)) == known(situation, style), text


def test_crowds_and_the_bar() -> None:
    position = board({BAR: 7, 6: 8}, {BAR: 2, 1: 13})
    for style in PICTURE_STYLES:
        text = encode_picture(Position(position, MatchState(cube=Cube(4, "mine"))), style)
        assert decode_picture(text).board == position, text
        assert decode_picture(text).state.cube == Cube(4, "mine")
        assert "D" in text  # thirteen


def test_the_pictures_of_the_start() -> None:
    start = Position(START, MatchState(7), (3, 1), names=("Bob", "Ann"))
    gnubg = encode_picture(start, "gnubg").splitlines()
    assert gnubg[0] == " +13-14-15-16-17-18------19-20-21-22-23-24-+     O: Ann"
    assert gnubg[6] == "v|                  |BAR|                  |     7 points match (Cube: 1)"
    assert gnubg[-2] == " +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: Bob"
    other = encode_picture(replace(start, upper=True), "gnubg").splitlines()
    assert other[0].startswith(" +12-11-10--9--8--7-------6--5--4--3--2--1-+     O: Bob")
    assert other[6].startswith("^|")
    fibs = encode_picture(start, "fibs")
    assert "   +13-14-15-16-17-18-------19-20-21-22-23-24-+ O: Ann - score: 0" in fibs
    assert "Cube: 1  Bob rolled 3 1." in fibs
    assert "Pip count  X: 167  O: 167 X-O: 0-0/7" in encode_picture(start, "xg")


_FIBS = """\
   +-1--2--3--4--5--6--------7--8--9-10-11-12-+ O: Hanna - score: 2
   | X        X     O |   |  O  O  O        X |
   |                O |   |  O  O           X |
   |                O |   |  O              X |
   |                O |   |                 X |
   |                O |   |                   |
   |                  |BAR|                   |v    5-point match
   |                  |   |                   |
   |                X |   |                   |
   |                X |   |                 O |
   |       X     X  X |   |                 O |
   | O     X     X  X |   |     X           O |
   +24-23-22-21-20-19-------18-17-16-15-14-13-+ X: Jean - score: 1
   BAR: O-0 X-0   OFF: O-0 X-0   Cube: 2 (owned by Jean)  turn: Hanna
"""


def test_fibs_may_number_from_the_other_side() -> None:
    read = decode_picture(_FIBS)
    # Hanna moves from 24 to 1.
    assert read.board == board({24: 1, 13: 3, 9: 1, 8: 2, 7: 3, 6: 5}, {24: 1, 21: 1, 13: 4, 8: 1, 6: 4, 5: 2, 3: 2})
    assert read.names == ("Hanna", "Jean")
    assert (read.state.score, read.state.cube, read.state.length) == ((2, 1), Cube(2, "theirs"), 5)
    # Its other style has the numbers beside the rims.
    lines = _FIBS.splitlines()
    numbered = [
        "     1  2  3  4  5  6        7  8  9 10 11 12", f"   +{'-' * 42}+{lines[0].split('+')[-1]}", *lines[1:12],
        f"   +{'-' * 42}+{lines[12].split('+')[-1]}", "    24 23 22 21 20 19       18 17 16 15 14 13", lines[13],
    ]  # fmt: skip
    assert decode_picture("\n".join(numbered)) == read


def test_you_are_the_player_at_the_bottom() -> None:
    text = _FIBS.replace("turn: Hanna", "You rolled 6 4.").replace("owned by Jean", "owned by You")
    read = decode_picture(text)
    assert (read.names, read.dice, read.state.cube) == (("Jean", "Hanna"), (6, 4), Cube(2, "mine"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("+24-23", "+xx-23", "no lower rim"),
        ("|BAR|", "|   |", "above the word BAR"),
        ("| X        X     O |", "| Y        X     O |", "no checker stands|should stand"),
        ("| O     X     X  X |   |     X", "| O     X     X  O |   |     X", "both players on a point"),
        (
            "   |                O |   |  O  O           X |",
            "   | XXXX           O |   |  O  O           X |",
            "17 checkers",
        ),
    ],
)
def test_what_is_no_board_says_why(old: str, new: str, message: str) -> None:
    text = _FIBS.replace(old, new, 1)
    with pytest.raises(IdError, match=message):
        decode_picture(text)
    with pytest.raises(IdError, match="rims bear the numbers"):
        decode_picture("nothing\nhere")


def test_a_drawn_board_is_one_more_notation_to_read() -> None:
    assert decode_id(_FIBS) == decode_picture(_FIBS)


# --- drawn by the programs ------------------------------------------------------------------


def gnubg_boards() -> Iterator[tuple[str, str]]:
    """The boards of GNU Backgammon's analysis texts with their IDs."""
    for path in sorted((CORPUS / "gnubg-analysis-txt").iterdir())[::3]:
        text = path.read_text("utf-8", errors="replace")
        for found in re.finditer(r"Position ID: (\S+)\s+Match ID +: (\S+)\s*\n((?:.*\n){13})", text):
            yield f"{found[1]}:{found[2]}", found[3]


@pytest.mark.needs((CORPUS / "gnubg-analysis-txt").is_dir(), "the corpus")
def test_boards_of_gnu_backgammon_are_the_positions_of_their_ids() -> None:
    seen = 0
    for gnu_id, picture in gnubg_boards():
        told, drawn = decode_gnu_id(gnu_id), decode_picture(picture)
        assert (drawn.board, drawn.upper, drawn.dice, drawn.offer) == (
            told.board, told.upper, told.dice, told.offer,
        )  # fmt: skip
        assert (drawn.state.score, drawn.state.cube) == (told.state.score, told.state.cube)
        if not told.offered:
            assert (drawn.state.length, drawn.state.crawford) == (told.state.length, told.state.crawford)
        # And ours is drawn the same, save for the checkers that are off.
        ours = [line[:44] for line in encode_picture(drawn, "gnubg").splitlines()[:13]]
        assert ours == [line[:44] for line in picture.splitlines()]
        seen += 1
    assert seen > 1_000


@pytest.mark.needs((CORPUS / "xg-position-txt").is_dir(), "the corpus")
def test_boards_of_extreme_gammon_and_bgblitz_are_the_positions_of_their_xgids() -> None:
    seen = 0
    for folder in ("xg-position-txt", "bgblitz-position-txt"):
        for path in sorted((CORPUS / folder).iterdir()):
            text = path.read_text("utf-8-sig")
            xgid = re.search(r"XGID=\S+", text)
            assert xgid
            told = decode_xgid(xgid[0])
            if folder.startswith("xg"):
                # One file holds another position, made up by hand.
                drawn = decode_picture(text.split("\n\n\nXGID=")[0])
                assert (drawn.board, drawn.dice) == (told.board, told.dice)
                assert (drawn.state.score, drawn.state.cube) == (told.state.score, told.state.cube)
                assert drawn.state.length == told.state.length
            else:
                picture = find_picture(text.splitlines(), rest=True)
                assert picture is not None
                assert picture.seen_by("X") == told.board
            seen += 1
    assert seen == 44


@pytest.mark.needs(PROGRAM, "GNU Backgammon")
def test_gnu_backgammon_draws_the_same() -> None:
    position = board({BAR: 2, 24: 6, 13: 5, 6: 2}, {BAR: 1, 8: 3, 6: 5})
    for situation in (Position(START, MatchState(7, (2, 4)), (6, 2)), Position(position, MatchState(5), (5, 1))):
        answer = ask(f"set xgid {encode_id(situation, 'xgid')}", "n", "show board").splitlines()
        starts = [number for number, line in enumerate(answer) if line.startswith(" +13-14-15")]
        theirs = [line[:44] for line in answer[starts[-1] : starts[-1] + 13]]
        assert [line[:44] for line in encode_picture(situation, "gnubg").splitlines()[:13]] == theirs
