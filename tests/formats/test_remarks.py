"""No remark vanishes: wherever a person or a program may write one, it comes back or is told as lost."""

from __future__ import annotations

import pytest
from test_every_character import TEXTS

import bgtools
import printed_texts
from bgtools.conversion.conversion import convert, parse_target
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read_source
from bgtools.record.record import Match, places_of_comments

REMARK = "Zebras think this was fine"
LINES = ("bgammon", "gam", "oldmoves", "party", "bgroom", "sgg", "snowie", "tmg", "mat", "bgblitz")
"""The formats in which a line of one's own may stand anywhere. The log of a FIBS session has lines of all kinds."""


def _remarks(matches: tuple[Match, ...]) -> str:
    remarks = [each.text for match in matches for each in match.comments]
    remarks += [each.text for match in matches for game in match.games for each in game.comments]
    return "\n".join([*remarks, *(tag.value for match in matches for tag in match.tags)])


def _is_told(text: str, name: str) -> bool:
    """Whether the remark in a text comes back, or a finding is about it."""
    try:
        matches = read_source(text.encode(), "x", name)
    except FormatError:
        return True
    if REMARK in _remarks(matches) or any(REMARK in player for match in matches for player in match.players):
        return True
    return any(REMARK in text[slice(*each.span)] + each.message for match in matches for each in match.findings)


@pytest.mark.parametrize("name", LINES)
def test_a_line_of_ones_own_is_kept_or_told(name: str) -> None:
    lines = TEXTS[name].split("\n")
    places = range(len(lines) + 1) if len(lines) < 80 else [*range(30), *range(30, len(lines), 17)]
    silent = [at for at in places if not _is_told("\n".join([*lines[:at], "", REMARK, "", *lines[at:]]), name)]
    assert not silent


@pytest.mark.parametrize(
    "remark",
    [REMARK, f"X: 3 and {REMARK}: -0.120 in a Rollout", f"{REMARK},\nand more\n\nA 4-ply end"],
)
@pytest.mark.parametrize("text", [printed_texts.XG_PLAYS, printed_texts.XG_CUBE])
def test_a_remark_below_the_analysis_of_extreme_gammon(text: str, remark: str) -> None:
    before = read_source(text.encode(), "x.txt")
    at = text.index("eXtreme Gammon Version")
    for put in (f"{text[:at]}{remark}\n\n{text[at:]}", f"{text.rstrip()}\n\n{remark}\n"):
        (match,) = read_source(put.encode(), "x.txt")
        assert match.findings == before[0].findings
        assert "\n\n".join(each.text for each in match.games[0].comments) == remark
        assert [each.annotation for each in match.games[0].entries] == [
            each.annotation for each in before[0].games[0].entries
        ]
        for target in ("json", "xgp"):
            assert remark.split("\n")[0] in _remarks(read_source(convert((match,), parse_target(target)).data, "y"))


def test_the_level_of_a_play_fills_its_column() -> None:
    text = printed_texts.XG_PLAYS.replace("XG Roller+ ", "XG Roller++")
    (match,) = read_source(text.encode(), "x.txt")
    note = match.games[0].entries[-1].annotation
    assert note is not None
    assert note.cube is None
    assert note.plays is not None
    assert next(each.level.name for each in note.plays.candidates) == "XG Roller++"


def test_annotations_of_gnu_backgammon() -> None:
    text = printed_texts.GNUBG_TEXT
    second = text.index("Move number", text.index("Move number") + 1)
    text = f"{text[:second]}Annotation:\n{REMARK}\nMWC: 12% or so\n{text[second:]}"
    (match,) = read_source(text.encode(), "x.txt")
    assert not match.findings
    (game,) = match.games
    at = [each.text for each in game.comments].index(f"{REMARK}\nMWC: 12% or so")
    assert places_of_comments(game)[at] == 1
    assert bgtools.replay(match)[0].turns[0].entry.annotation is not None
