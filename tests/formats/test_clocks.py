"""What the clocks of both players show: read, written, compared, merged and looked at."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from annotated import candidate, noted, plays
from bgtools.analysis.match_analysis import analyse
from bgtools.comparison.comparing import compare
from bgtools.comparison.merging import merge
from bgtools.conversion.conversion import Target, convert
from bgtools.findings import codes
from bgtools.formats.reading import find_format, read_source
from bgtools.formats.registry import our_formats
from bgtools.record.annotation import Annotation, time_left
from bgtools.replayer.match import replay
from bgtools.reports.decision_text import recorded_lines
from bgtools.reports.page.writing import page_of

if TYPE_CHECKING:
    from bgtools.record.record import Match

CLOCKS = {
    0: Annotation(clock=(595.25, 600.0)),
    1: Annotation(clock=(588.0, None), plays=plays(candidate("13/11 13/8", 0.1)).plays),
    4: Annotation(clock=(-3.5, 4000.0)),
}
GAME = "(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[Ann]PB[Bob]\n"


def clocks(match: Match) -> list[Any]:
    return [entry.annotation and entry.annotation.clock for entry in match.games[0].entries]


def test_sgf_says_what_is_left_to_each_player() -> None:
    (match,) = read_source(f"{GAME};W[31hefe]WL[595.2]BL[600];B[42tx]BL[-4];W[double]WL[x]BL[1])".encode(), "x.sgf")
    assert clocks(match) == [(595.2, 600.0), (-4.0, None), None]
    assert [key for key, _ in match.games[0].entries[2].annotation.extras] == ["sgf:WL", "sgf:BL"]  # type: ignore[union-attr]


@pytest.mark.parametrize("name", [each.name for each in our_formats() if each.writer and each.holds_matches])
def test_clocks_come_back_or_are_told_to_be_lost(name: str) -> None:
    target = find_format(name)
    done = convert((noted(CLOCKS),), Target(target))
    lost = [finding for finding in done.losses if "the clocks" in finding.message]
    kept = name in ("sgf", "ogxm", "json")
    assert (len(lost), {finding.code for finding in lost}) == ((0, set()) if kept else (3, {codes.EXTRA_LOST}))
    (back,) = read_source(done.data, f"x{target.extensions[0]}")
    stated = clocks(noted(CLOCKS))
    if name == "xg":  # it holds whole seconds, and the clocks of both players
        assert [finding.message for finding in lost if "parts of seconds" in finding.message]
        stated[0], stated[1], stated[4] = (595.0, 600.0), None, (-4.0, 4000.0)
    assert clocks(back) == (stated if kept or name == "xg" else [None] * len(clocks(back)))


def test_clocks_that_are_a_second_apart_are_a_difference() -> None:
    later = noted({**CLOCKS, 1: Annotation(clock=(587.4, None)), 4: Annotation(clock=(-4.5, 4000.0))})
    (apart,) = compare(noted(CLOCKS), later).differences
    assert (apart.kind, apart.a.says, apart.b.says, apart.a.turn) == (
        "clock",
        "-0:04 and 1:06:40",
        "-0:05 and 1:06:40",
        5,
    )


def test_merging_takes_clocks_from_whoever_has_them() -> None:
    match = read_source(convert((noted({}),), Target(find_format("mat"))).data, "x.mat")[0]
    timed = replace(match, games=noted(CLOCKS).games)
    assert clocks(merge([match, timed]).match)[:5] == clocks(timed)[:5]


def test_clocks_are_taken_though_the_board_is_another_one() -> None:
    match = noted({})
    sound = convert((match,), Target(find_format("mat"))).data
    data = sound.replace(b"64: 24/18 13/9", b"64: 24/14")
    assert data != sound
    (slip,) = read_source(data, "x.mat")
    game = slip.games[0]
    noted_ones = [replace(game.entries[3], annotation=Annotation(clock=(500.0, 400.0)))]
    timed = replace(slip, games=(replace(game, entries=(*game.entries[:3], *noted_ones, *game.entries[4:])),))
    done = merge([match, timed, match])
    assert (clocks(done.match)[3], done.left_out) == ((500.0, 400.0), 0)


def test_the_page_shows_what_both_clocks_say_behind_each_entry() -> None:
    match = noted(CLOCKS)
    text = page_of(analyse(match, None, games=replay(match)), match).decode()
    found = re.search(r'id="bgtools-data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    steps = json.loads(found[1])["games"][0]["steps"]
    assert [step["clock"] for step in steps][:5] == [[595.25, 600.0], [595.25, 588.0], None, None, [-3.5, 4000.0]]


def test_a_clock_in_words() -> None:
    assert [time_left(each) for each in (595.2, 0, -0.2, -61, 3600)] == ["9:55", "0:00", "-0:01", "-1:01", "1:00:00"]
    assert recorded_lines(CLOCKS[1])[-1] == "clocks: who acted has 9:48 left"
    assert recorded_lines(Annotation()) == []
