"""Whose a cell is: few rows, other spellings, lost blanks. The right player is read, or a finding tells the doubt."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest

from bgtools.findings import codes
from bgtools.formats.mat import dialects, writer
from bgtools.formats.mat.layout import width
from bgtools.formats.reading import read_source
from bgtools.record.record import Resign
from selfplay import random_match
from support import ids, mat, read_text, row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bgtools.board.perspective import Player
    from bgtools.record.record import Match

Act = tuple[str, "Player"]
"""An entry in a few characters, and who acts."""


def acts(match: Match) -> list[list[Act]]:
    """Who acts, entry by entry. Who resigns is told by the result as well."""
    return [
        [
            (f"{type(each).__name__} {getattr(each, 'dice', None)}", each.player)
            for each in game.entries
            if not isinstance(each, Resign)
        ]
        for game in match.games
    ]


# --- what a sound record is made into --------------------------------------------------------


def _rows(change: Callable[[re.Match[str]], str]) -> Callable[[str], str]:
    """A change of every row, given its number, its left cell with the blanks around it, and its right cell."""
    cells = re.compile(r"(?m)^( *\d+\))( .{27}) ?(.*)$")
    return lambda text: cells.sub(change, text)


def _narrow(found: re.Match[str]) -> str:
    left = found[2].strip()
    return f"{found[1]} {left:<15} {found[3].strip()}" if len(left) < 15 else found[0]


SPELLINGS: dict[str, Callable[[str], str]] = {
    "as written": lambda text: text,
    "blanks lost": lambda text: re.sub(r"(?m) +", " ", text),
    "blanks lost in rows": lambda text: re.sub(r"(?m)^ *\d+\).*", lambda line: re.sub(" +", " ", line[0]), text),
    "blanks before lines lost": lambda text: re.sub(r"(?m)^ +", "", text),
    "three blanks between cells": _rows(lambda found: f"{found[1]} {found[2].strip()}   {found[3].strip()}"),
    "tabs between cells": _rows(lambda found: f"{found[1]}\t{found[2].strip()}\t{found[3].strip()}"),
    "tabs for blanks": lambda text: re.sub(r" {8}", "\t", text),
    "narrow": _rows(_narrow),
    "wide blanks": _rows(lambda found: found[0].replace("  ", "\N{IDEOGRAPHIC SPACE}")),
    "no names": lambda text: re.sub(r"(?m)^.* : \d+ .*\n", "", text),
    "long names": lambda text: re.sub(
        r"(?m)^.* : (\d+) .* : (\d+)", r" Ann of the Long Name and a Longer One : \1" + " " * 20 + r"Bob : \2", text
    ),
    "Galaxy's last row": lambda text: re.sub(
        r"(?m)^( *)Wins (\d+) points?$",
        lambda found: (" 99)  Wins {0} point" + " " * 40 + "Losses {0} point" if len(found[1]) < 20 else
                       " 99)  Losses {0} point" + " " * 40 + "Wins {0} point").format(found[2]),
        text,
    ),
}  # fmt: skip


def cuts(text: str, rng: random.Random) -> Iterator[str]:
    """A record of which few rows stay: the first, the last, one in the middle, two that follow each other, none."""
    head, *games = re.split(r"(?m)^(?= Game )", text)
    for game in games[:2]:
        title, score, *rows = game.splitlines(keepends=True)
        numbered = [line for line in rows if re.match(r" *\d+\)", line)]
        ends = [line for line in rows if line not in numbered]
        at = rng.randrange(len(numbered))
        for kept in (numbered, numbered[:1], numbered[:2], numbered[-1:], numbered[at : at + 2], numbered[at:][:1]):
            for end in ([], ends):
                yield "".join((head, title, score, *kept, *end))


def doubtful(told: Match) -> bool:
    return codes.UNSURE_COLUMN in [each.code for each in told.findings]


@pytest.mark.quick(one_in=12)
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_act_is_the_right_players_or_told(spelling: str) -> None:
    rng = random.Random(7)
    judged = lone = doubts = 0
    for seed in range(24):
        dialect = dialects.DIALECTS[seed % len(dialects.DIALECTS)]
        whole = writer.write(random_match(seed, (0, 1, 3, 7)[seed % 4]), dialect).replace("\r\n", "\n")
        for cut in cuts(whole, rng):
            (sound,) = read_source(cut.encode(), "cut.mat")
            (spelt,) = read_source(SPELLINGS[spelling](cut).encode(), "spelt.mat")
            judged += 1
            lone += sum(len(game) % 2 for game in acts(sound))
            assert acts(spelt) == acts(sound) or doubtful(spelt), SPELLINGS[spelling](cut)
            doubts += doubtful(spelt)
            if spelling == "as written" and (line := re.search(r"(?m)^ *\d+\)(.*)", cut)) and acts(sound)[0]:
                assert acts(sound)[0][0][1] == (not line[1][:4].strip()), cut
    assert judged > 300
    if spelling in ("as written", "long names", "Galaxy's last row"):
        assert doubts < judged / 50  # one row of two digits alone has no blanks to tell by
    assert lone > 50


# --- what does not make columns ---------------------------------------------------------------

LONE = "  1)                             31: 8/5 6/5\n"


@pytest.mark.parametrize(
    "last",
    [
        "  2)  Losses 3 point        Wins 3 point and the match",
        "  2)  Losses 3 point                                               Wins 3 point and the match",
        "  2) 63:                                   Wins 100 points",
        "  2)  Drops                       Wins 1 point",
        "  2) 52: 13/8 24/22          Concedes",
        "  2)  Passes Takes",
        "; 31: 8/5 6/5 64: 24/14",
        "  2) Ann : 3      Bob : 0",
        "  2) 52: 13/8",
        "      Wins 3 point and the match",
    ],
)
def test_results_names_and_remarks_make_no_columns(last: str) -> None:
    (first, *_) = read_text(mat(LONE.rstrip("\n"), last)).games[0].entries
    assert first.player == 1


def test_a_game_without_columns_takes_those_of_the_others() -> None:
    text = mat(row(1, "31: 8/5 6/5", "64: 24/14"), row(2, " Doubles", " Drops"), "      Wins 1 point")
    text += f" Game 2\n Ann : 1     Bob : 0\n{LONE}  2)  Losses 1 point   Wins 1 point\n"
    match = read_text(text)
    assert [each.player for each in match.games[1].entries] == [1]
    assert ids(match.findings) == []


def test_a_right_cell_with_a_result_behind_it_stays_the_right_players() -> None:
    rolls = LONE + "  2) 52: 13/8 24/22              64: 24/14"
    match = read_text(mat(rolls, "  3)                             41: 13/9 6/5     Wins 1 point"))
    assert [each.player for each in match.games[0].entries] == [1, 0, 1, 1]


def test_where_the_layout_says_nothing_the_turn_does_and_it_is_told() -> None:
    match = read_text(" 3 point match\n Game 1\n Ann : 0 Bob : 0\n 1) 31: 8/5 6/5\n 2) 52: 13/8 24/22 63: 24/15\n")
    assert [each.player for each in match.games[0].entries] == [1, 0, 1]
    (finding,) = match.findings
    assert finding.code is codes.UNSURE_COLUMN
    assert "the right player's, whose turn it is" in finding.message
    alone = read_text(" 3 point match\n Game 1\n Ann : 0 Bob : 0\n 1) 31: 8/5 6/5\n")
    assert "the left player's, as it stands" in alone.findings[0].message


def test_a_column_is_what_one_sees() -> None:
    assert width("  1)\t") == 8
    assert width("東京 e\N{COMBINING ACUTE ACCENT}") == 6
