"""IDs of positions as people paste them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from bgtools.positions.notations import encode_id
from bgtools.positions.pasted import find_ids
from bgtools.positions.position import IdError, Position
from support import spread

if TYPE_CHECKING:
    from collections.abc import Callable

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"

XGIDS: dict[str, Callable[[str], str]] = {
    "quoted": lambda text: f"> {text}",
    "in a sentence": lambda text: f"Look at {text} again.",
    "a full stop": lambda text: f"{text}.",
    "a comma": lambda text: f"{text},",
    "brackets": lambda text: f"({text})",
    "backticks": lambda text: f"`{text}`",
    "stars": lambda text: f"**{text}**",
    "a tag": lambda text: f"<b>{text}</b><br>",
    "quotation marks": lambda text: f"\u201c{text}\u201d",
    "a colon": lambda text: text.replace("=", ": "),
    "blanks": lambda text: text.replace("=", " = "),
    "bare in a sentence": lambda text: f"what about {text[5:]}?",
    "a query": lambda text: f"https://example.org/?xgid={text[5:]}",
    "a fragment": lambda text: f"https://example.org/#{text}",
    "percent signs": lambda text: f"https://example.org/?p={quote(text, safe='')}",
    "entities": lambda text: text.replace(":", "&#58;"),
    "full width": lambda text: text.replace(":", "\uff1a"),
    "broken in the board": lambda text: f"{text[:14]}\n{text[14:]}",
    "broken behind a field": lambda text: f"{text[:36]}\r\n{text[36:]}",
    "broken and quoted": lambda text: f"> {text[:20]}\n> {text[20:]}",
    "a soft break": lambda text: f"{text[:20]}=\n{text[20:]}".replace("XGID=", "XGID=3D"),
    "an unseen blank": lambda text: f"{text[:20]}\u200b{text[20:]}",
    "minus signs": lambda text: text.replace("-", "\u2212"),
    "a remark below": lambda text: f"{text}\n\nWhite to play 31",
}


@pytest.mark.parametrize("form", XGIDS)
def test_an_xgid_is_read_however_it_is_pasted(form: str) -> None:
    compared = 0
    for board in spread(1979, 40):
        position = Position(board, dice=(3, 1), upper=bool(compared % 2))
        text = position.xgid
        assert Position.from_id(XGIDS[form](text)) == Position.from_id(text)
        compared += 1
    assert compared == 40


def test_one_dash_for_two_is_undone() -> None:
    text = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
    for dashed in (text.replace("----", "\u2013\u2013").replace("---", "\u2013-"), text.replace("--", "\u2014")):
        assert Position.from_id(dashed) == Position.from_id(text)


@pytest.mark.parametrize(
    "form",
    [
        "GNUID={0}:{1}", "GNUBGID {0}:{1}", "GNUbgID: {0}:{1}", "Position ID: {0} Match ID: {1}", "See {0}:{1}.",
        "> GNU Backgammon  Position ID: {0}\n>                  Match ID   : {1}",
        "https://example.org/image?gnubgid={0}%3A{1}",
    ],
)  # fmt: skip
def test_a_gnu_id_is_read_however_it_is_pasted(form: str) -> None:
    for board in spread(7, 20):
        text = encode_id(Position(board, dice=(4, 2)), "gnubg")
        one, two = text.split(":")
        pasted = form.format(quote(one, safe="") if "%" in form else one, quote(two, safe="") if "%" in form else two)
        assert Position.from_id(pasted) == Position.from_id(text)


@pytest.mark.parametrize("form", ["{0}", "OGID={0}", "see {0} here", "({0})."])
def test_an_ogid_is_read_however_it_is_pasted(form: str) -> None:
    for board in spread(8, 20):
        text = Position(board, dice=(4, 2)).ogid.removeprefix("OGID=")
        assert Position.from_id(form.format(text)) == Position.from_id(text)


def test_a_fen_of_playstrategy_is_read_and_written() -> None:
    start = "5S,3,3s,1,5s,4,2S/5s,3,3S,1,5S,4,2s[] - - w 0 0 - 1"
    assert Position.from_id(start).board == Position().board
    for board in spread(9, 50):
        for upper in (False, True):
            position = Position(board, dice=(5, 2), upper=upper)
            fen = encode_id(position, "playstrategy")
            assert (again := Position.from_id(fen)).board == board
            assert (again.dice, again.upper) == ((5, 2), upper)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("XGID=-b----E-C---eE---c-e----B:0:0:1:31", "26 letters or dashes, this has 25"),
        ("the XGID is gone", "looks like an XGID"),
        ("Position ID: 4HPw", "looks like a GNU Position ID"),
        ("5S,3,3s/5s[] - - w 0 0 - 1", "looks like a FEN of PlayStrategy"),
        (f"{START} {START.replace(':31:', ':42:')}", "several XGIDs"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    with pytest.raises(IdError, match=message):
        Position.from_id(text)


def test_any_damage_is_an_id_error_or_a_position() -> None:
    rng = random.Random(50)
    text = "see XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10, please"
    read = 0
    for _ in range(3000):
        chars = list(text)
        for _ in range(rng.randint(1, 4)):
            chars[rng.randrange(len(chars))] = rng.choice("=:-\u2013%&>\n AO0;")
        try:
            Position.from_id("".join(chars))
            read += 1
        except IdError:
            pass
    assert read
    assert [*find_ids("%" * 5000 + "&" * 5000)] == []


def test_a_board_in_two_lines_of_twelve_points() -> None:
    """Forums print these in place of a board drawn in pictures; what is missing is on the bar."""
    start = "2O ' ' ' '5X '3X ' ' '5O\n\n2X ' ' ' '5O '3O ' ' '5X"
    assert Position.from_id(start) == Position()
    found = Position.from_id("> 2O ' '2X '5X1X2X ' ' '2O\n> 1X2O ' '1O4O '2O ' '2O3X")
    assert found.board.theirs[25] == 1
    assert sum(found.board.mine) == sum(found.board.theirs) == 15
    for damaged in ("2O ' '2X '5X1X2X ' ' '2O", "2O ' '2X '5X1X2X ' ' '2O\n1X2O ' '1O4O '2O ' '9O3X"):
        with pytest.raises(IdError):
            Position.from_id(damaged)
