"""eXtreme Gammon's files: how they are recognised by their content, and what they carry."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.formats.carries import ANY, EVERYTHING, Carries, Feature
from bgtools.formats.format import Format, later

if TYPE_CHECKING:
    from bgtools.formats.content import Content

_XG = b"RGMH"


def xg(content: Content) -> float:
    """A match of eXtreme Gammon: the file begins with RGMH. So does a position, which only its name shows."""
    return 0.0 if not content.data.startswith(_XG) else 0.9 if content.ending == ".xgp" else 1.0


XG: Final = Format(
    name="xg",
    title="eXtreme Gammon match",
    extensions=(".xg",),
    sniff=xg,
    reader="bgtools.formats.xg.reader:read",
    writer="bgtools.formats.xg.writer:write",
    rewriter="bgtools.formats.xg.rewriter:rewrite",
    carries=Carries(
        features=EVERYTHING
        - {
            Feature.RATINGS,
            Feature.MARKS,
            Feature.CLOCKS,
            Feature.EQUITIES,
            Feature.CUBELESS,
            Feature.OTHER_ANALYSES,
            Feature.UNREADABLE,
            Feature.CUBE_CLAIMS,
            Feature.SEVERAL_MATCHES,
        },
        tags=ANY,
        variants=re.compile("backgammon|nackgammon|hypergammon|longgammon"),
        levels=re.compile(r"[0-7]-ply|3-ply red|rollout|XG Roller\+{0,2}|opening book|level -?\d+"),
        codes=re.compile(r"-?\d{1,5}d?/-?\d{1,5}"),
        programs=re.compile("eXtreme Gammon"),
        plays=later("bgtools.formats.xg.encode:says_plays"),
        cubes=later("bgtools.formats.xg.encode:says_cube"),
        lucks=later("bgtools.formats.xg.encode:says"),
        unit="emg",
        most_plays=32,
        extras="xg:",
    ),
    is_text=False,
)


def xgp(content: Content) -> float:
    """A position of eXtreme Gammon. Its content looks like the beginning of a match, so its name decides."""
    return 0.0 if not content.data.startswith(_XG) else 1.0 if content.ending == ".xgp" else 0.9


XGP: Final = Format(
    name="xgp",
    title="eXtreme Gammon position",
    extensions=(".xgp",),
    sniff=xgp,
    reader="bgtools.formats.xg.reader:read",
    writer="bgtools.formats.xg.writer:write_position",
    rewriter="bgtools.formats.xg.rewriter:rewrite_position",
    carries=replace(XG.carries, features=XG.carries.features - {Feature.SEVERAL_GAMES}),
    is_text=False,
    holds_matches=False,
)

FORMATS: Final = (XG, XGP)
