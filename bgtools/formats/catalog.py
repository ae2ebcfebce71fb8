"""The formats: one entry each, in one tuple."""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bgtools.formats import sgf_analysis, sniffing
from bgtools.formats.features import ANY, EVERYTHING, Carries, Feature

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.formats.content import Content
    from bgtools.record import Match


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format that records come in.

    Attributes:
        name: what the command line calls it.
        title: what people call it.
        extensions: usual endings of file names, with the dot; the first is the one that is written.
        sniff: how much content looks like this format, from 0 (not at all) to 1 (certain).
        reader: ``module:function`` that gives the matches in a `Content` and never raises on it,
            `FormatError` aside; imported when first used, for a parser takes longer to import than a
            small match to check. "" where the format is only written.
        writer: ``module:function`` that gives the bytes of some matches in a dialect; "" where the
            format is only read.
        dialects: names of the spellings it can be written in, the usual one first.
        carries: what it has a place for.
        is_text: whether people can read it.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    sniff: Callable[[Content], float]
    carries: Carries
    reader: str = ""
    writer: str = ""
    dialects: tuple[str, ...] = ()
    is_text: bool = True

    def read(self, content: Content) -> tuple[Match, ...]:
        """The matches in a file of this format."""
        found: tuple[Match, ...] = _load(self.reader)(content)
        return found

    def write(self, matches: tuple[Match, ...], dialect: str = "") -> bytes:
        """The bytes of a file that holds some matches.

        Raises:
            FormatError: they hold what this format cannot say in any way.
        """
        data: bytes = _load(self.writer)(matches, dialect or (self.dialects[0] if self.dialects else ""))
        return data


def _load(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    loaded: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return loaded


_MAT_CARRIES = Carries(
    features=EVERYTHING
    - {
        Feature.PLAY_ANALYSIS,
        Feature.CUBE_ANALYSIS,
        Feature.LEVELS,
        Feature.LUCK,
        Feature.MARKS,
        Feature.RESIGNATION_LEVELS,
        Feature.SET_BOARD,
        Feature.EXTRAS,
    },
    tags=ANY,
    rules=re.compile("crawford|jacoby|beavers|automatic_doubles|holland|quadruple|winner_starts|cube_limit|variant"),
)

_SGF_CARRIES = Carries(
    features=EVERYTHING - {Feature.SEVERAL_MATCHES},
    plays=sgf_analysis.says_play,
    cubes=sgf_analysis.says_cube,
    extras="sgf:",
)

FORMATS: Final = (
    Format(
        name="mat",
        title="match text",
        extensions=(".mat", ".txt"),
        sniff=sniffing.mat,
        reader="bgtools.formats.mat_read:read_content",
        writer="bgtools.formats.mat_write:write_content",
        dialects=("gnubg", "xg-text"),
        carries=_MAT_CARRIES,
    ),
    Format(
        name="sgf",
        title="GNU Backgammon SGF",
        extensions=(".sgf",),
        sniff=sniffing.sgf,
        reader="bgtools.formats.sgf_read:read",
        writer="bgtools.formats.sgf_write:write",
        carries=_SGF_CARRIES,
    ),
    Format(
        name="json",
        title="bgtools JSON",
        extensions=(".json",),
        sniff=sniffing.own_json,
        reader="bgtools.formats.match_json:read",
        writer="bgtools.formats.match_json:write",
        carries=Carries(features=EVERYTHING),
    ),
)
"""Every format, in the order in which they are listed."""
