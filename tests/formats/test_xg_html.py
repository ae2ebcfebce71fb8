"""Pages with XGIDs: every position is read, and that nothing else is, is told where it would be lost."""

from __future__ import annotations

import pytest

from bgtools.conversion.conversion import convert, parse_target
from bgtools.formats.content import Content, FormatError
from bgtools.formats.reading import read_all, read_source, recognise
from bgtools.positions.xgid import decode_xgid
from bgtools.record.record import CheckerPlay, SetBoard
from ruin import read_ruins
from support import CORPUS, needs_corpus

FIRST = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10"
SECOND = "XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:0:0:0:3:8"
PAGE = f"""<html><head><title>{FIRST}</title></head><body>
<p>X to play 31 &amp; win<br>{FIRST}</p>
<table><tr><td>{SECOND}</td></tr></table><pre>
{SECOND}
X:Ann   O:Bob
</pre></body></html>
"""


def test_every_position_of_a_page_is_read_once() -> None:
    first, second = read_source(PAGE.encode(), "x.html")
    board, roll = first.games[0].entries
    assert isinstance(board, SetBoard)
    assert isinstance(roll, CheckerPlay)
    assert (first.length, first.games[0].score, roll.player, roll.dice) == (7, (2, 1), 0, (3, 1))
    assert board.position == decode_xgid(FIRST).board
    board, roll = second.games[0].entries
    assert isinstance(board, SetBoard)
    # O is on roll, and it is their cube.
    assert (board.player, board.cube, board.owner) == (
        1,
        2,
        0 if decode_xgid(SECOND).state.cube.owner == "theirs" else 1,
    )
    assert board.position.flipped() == decode_xgid(SECOND).board


def test_what_is_around_a_position_is_told_as_lost() -> None:
    (loss,) = convert(read_source(PAGE.encode(), "x.html")[:1], parse_target("json")).losses
    assert loss.message == "bgtools JSON cannot hold the words and the analysis of the page, not read"


def test_a_page_without_a_position_is_a_page() -> None:
    with pytest.raises(FormatError, match="this is an HTML or XML page"):
        read_source(b"<html>hello</html>", "x.html")
    with pytest.raises(FormatError, match="no XGID is in it"):
        read_source(b"<html>hello</html>", "x.html", "xg-html")
    assert recognise(Content(PAGE.encode(), "x.txt")).name == "xg-html"


def test_a_list_of_xgids_says_who_is_on_roll() -> None:
    for text, player in ((FIRST, 0), (SECOND, 1)):
        assert read_source(text.encode(), "x.txt")[0].games[0].entries[0].player == player


def test_ruined_pages_never_raise() -> None:
    assert read_ruins(PAGE.encode(), "xg-html") > 60


@needs_corpus
def test_real_pages_are_read() -> None:
    paths = [path for path in sorted((CORPUS / "xg-html").glob("*.html")) if b"XGID=" in path.read_bytes()]
    assert len(paths) > 20
    assert all(len(read_all(path)[0].games) == 1 for path in paths)
