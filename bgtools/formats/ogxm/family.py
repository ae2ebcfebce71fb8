"""OGXM and its relatives: how each is recognised by its content, and what it carries."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.formats.carries import ANY, EVERYTHING, Carries, Feature
from bgtools.formats.format import Format, later

if TYPE_CHECKING:
    from bgtools.formats.content import Content

_FIRST_LINE = 1000  # bytes
_BGF = re.compile(rb"\{[^{}]*\}")
_BGF_SIGN = re.compile(rb'"(?:compression|encoding)"\s*:')


def bgf(content: Content) -> float:
    """A file of BGBlitz: a line of JSON that says how the rest is packed and encoded."""
    line = content.data[:_FIRST_LINE].partition(b"\n")[0]
    return 1.0 if _BGF.fullmatch(line.strip()) and _BGF_SIGN.search(line) else 0.0


BGF: Final = Format(
    name="bgf",
    title="BGBlitz match",
    extensions=(".bgf",),
    sniff=bgf,
    reader="bgtools.formats.ogxm.bgf:read",
    carries=Carries(
        features=EVERYTHING
        - {
            Feature.TAKE_CHANCES,
            Feature.MARKS,
            Feature.CLOCKS,
            Feature.RESIGNATION_LEVELS,
            Feature.SET_BOARD,
            Feature.EXTRAS,
            Feature.BEAVERS,
            Feature.AUTOMATIC_DOUBLES,
            Feature.COMMENTS,
            Feature.MATCH_COMMENTS,
        },
        rules=re.compile("crawford|jacoby|beavers|cube_limit"),
    ),
    is_text=False,
)

_OGXM = b"OGXM"


def ogxm(content: Content) -> float:
    """A file of OGXM, which begins with the letters OGXM."""
    return 1.0 if content.data.startswith(_OGXM) else 0.0


OGXM: Final = Format(
    name="ogxm",
    title="OGXM match",
    extensions=(".ogxm", ".gvab", ".ogxms"),
    sniff=ogxm,
    reader="bgtools.formats.ogxm.reader:read",
    writer="bgtools.formats.ogxm.writer:write",
    carries=Carries(
        features=EVERYTHING
        - {
            Feature.RATINGS,
            Feature.CUBE_CLAIMS,
            Feature.GAME_NUMBERS,
            Feature.SEVERAL_MATCHES,
            Feature.EXTRAS,
        },
        tags=ANY,
        rules=re.compile("crawford|jacoby|beavers|automatic_doubles|cube_limit|variant"),
        variants=re.compile("backgammon|nackgammon|hypergammon|longgammon"),
        options=later("bgtools.formats.ogxm.writer:says_option"),
        forms=later("bgtools.formats.ogxm.writer:shows"),
    ),
    is_text=False,
)

_GVA = re.compile(r'\s*\{[^\[\]]*"match_length"\s*:')
_GVA_ELSE = re.compile(r'"(?:player_white|games)"\s*:')


def gva(content: Content) -> float:
    """JSON with the length of a match among its first members, and White's name or the games beside it."""
    return 1.0 if _GVA.match(content.head) and _GVA_ELSE.search(content.head) else 0.0


GVA: Final = Format(
    name="gva",
    title="GammonView JSON",
    extensions=(".gva",),
    sniff=gva,
    reader="bgtools.formats.ogxm.gva:read",
    carries=replace(OGXM.carries, features=OGXM.carries.features - {Feature.MARKS, Feature.CLOCKS}),
)

FORMATS: Final = (BGF, OGXM, GVA)
