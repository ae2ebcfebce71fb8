"""Sequences of rolls and letters, as forums write them."""

from __future__ import annotations

import pytest

import bgtools
from bgtools.board.board import START
from bgtools.board.movement import find_play
from bgtools.board.notation import read_play
from bgtools.formats.content import Content, FormatError
from bgtools.formats.reading import read_source, recognise
from bgtools.formats.text import shows_sequence
from bgtools.formats.text.shorthand import read_sequence, read_tokens
from bgtools.record.record import CheckerPlay, Double, Drop, Take
from bgtools.replayer.match import replay

OPENINGS = """31P 8/5 6/5|42P 8/4 6/4|61P 13/7 8/7|53P 8/3 6/3|64P 8/2 6/2|65R 24/13|63R 24/15|62R 24/16|64R 24/14
21$ 13/11 6/5|41$ 13/9 6/5|51$ 13/8 6/5|21S 24/23 13/11|41S 24/23 13/9|51S 24/23 13/8|43S 24/20 13/10
43Z 24/21 13/9|43D 13/10 13/9|43U 24/20 24/21|32S 24/21 13/11|32Z 24/22 13/10|32D 13/10 13/11|54S 24/20 13/8
54D 13/8 13/9|52S 24/22 13/8|52D 13/8 13/11|62S 24/18 13/11|63S 24/18 13/10|64S 24/18 13/9|41D 13/8""".replace(
    "\n", "|"
)


@pytest.mark.parametrize("opening", OPENINGS.split("|"))
def test_openings_mean_what_everybody_means_by_them(opening: str) -> None:
    token, _, play = opening.partition(" ")
    found = read_tokens(token)
    assert found is not None
    (step,) = read_sequence(found.tokens, 0)
    (cell,) = step.cells
    dice = int(token[0]), int(token[1])
    wanted, read = (find_play(START, dice, read_play(each).hops) for each in (play, cell[3:]))
    assert wanted is not None
    assert read is not None
    assert read.result == wanted.result


def test_a_sequence_is_a_game() -> None:
    text = "Ann vs Bob, 2012 X Open\n\nGame 1 (0-0)\n31P-42P-62S-55A-F-21E-\n64R-C-P\n\nGame 2 (0-1)\n->21$-64P-C-33A\n"
    assert recognise(Content(text.encode(), "x.txt")).name == "text"
    (match,) = read_source(text.encode(), "x.txt")
    assert match.players == ("Ann", "Bob")
    one, two = replay(match)
    assert [type(each) for each in one.game.entries] == [CheckerPlay] * 7 + [Double, Drop]
    assert [each.player for each in one.game.entries] == [0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert [type(each) for each in two.game.entries] == [CheckerPlay, CheckerPlay, Double, Take, CheckerPlay]
    assert [each.player for each in two.game.entries] == [1, 0, 1, 0, 1]
    assert two.score == (0, 1)
    assert all(turn.is_legal for game in (one, two) for turn in game.turns)


def test_what_stays_open_is_a_finding_at_its_token() -> None:
    text = "31P-42P-62S-55A-F-21E\n"
    (match,) = read_source(text.encode(), "x.txt")
    found = {text[slice(*each.span)]: each.message for each in bgtools.check(match) if each.code.id == "BG217"}
    assert "the roll is not written" in found["F"]
    assert not {"31P", "42P", "62S"} & found.keys()


@pytest.mark.parametrize(
    "line", ["see you at 31-12-2011", "1-2-3", "64-31-22 is my score", "call 555-31P", "31P", "a 21S-43D split", ""]
)
def test_other_lines_are_no_sequence(line: str) -> None:
    assert not shows_sequence(line)


def test_a_column_of_tokens() -> None:
    assert shows_sequence("31P\n42P\n21S\n64S\n65R\n41S\n")


@pytest.mark.parametrize(
    "text", ["12A-34B-56C\n", "66A-55B-44C-33D\n", "11a\n12b\n13c\n14d\n15e\n16f\n", "31Q-42X-53Y-64K\n"]
)
def test_numbers_of_parts_are_no_game(text: str) -> None:
    assert not shows_sequence(text)
    with pytest.raises(FormatError):
        read_source(text.encode(), "parts.txt")


def test_a_dance_where_something_could_be_moved_is_a_finding_at_its_token() -> None:
    (match,) = read_source(b"31P-55A-F-21S-42P\n", "x.txt")
    assert match.source is not None
    assert "F" in {match.source.text[slice(*each.span)] for each in bgtools.check(match)}


def test_thousands_of_steps_are_no_game() -> None:
    with pytest.raises(FormatError, match="steps are no game"):
        read_source(b"31P-42P-62S-55A-\n" * 500, "x.txt")
