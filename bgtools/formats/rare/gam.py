"""Games of Jellyfish and GammonEmpire, ``.gam``: the rows of match text below a line with the names.

The rows are those of ``grammars/mat.lark``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.formats.content import FormatError
from bgtools.formats.format import EVERYTHING, Format
from bgtools.formats.mat import reader as mat_read, writer as mat_write
from bgtools.formats.mat.cells import ScoreText
from bgtools.formats.mat.draft import MatGame
from bgtools.formats.mat.layout import begins_with_cell, label_of
from bgtools.formats.shared.spelling import name_of, name_without_blanks
from bgtools.replayer.match import replay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.formats.content import Content
    from bgtools.record.record import Match

# Two names with two blanks or a tab between them. One blank is enough between two single words.
_NAMES = re.compile(r"[ \t]*(\S.*?)(?:[ \t]{2,}|\t)(\S.*?)[ \t]*$|[ \t]*(\S+) (\S+)[ \t]*$")
_MATCH_TEXT = re.compile(r"\s*(game\s+\d+|\d+\s+point|match\s+of|money|unlimited)|.*:\s*\d+\s*$", re.IGNORECASE)


def read(content: Content) -> tuple[Match, ...]:
    """Read the games of a file as one session without a match length.

    Raises:
        FormatError: no line with two names is above a row.
    """
    reader = _GamReader(content.source)
    matches = reader.matches()
    if not reader.named:
        raise FormatError("this is not a game of Jellyfish: no line with two names is above the rows")
    return matches


def _names(line: str) -> re.Match[str] | None:
    """The two names on a line; None where the line holds something else."""
    is_row = line.lstrip()[0] in ";#" or label_of(line) is not None or begins_with_cell(line)
    return None if is_row or _MATCH_TEXT.match(line) else _NAMES.match(line)


class _GamReader(mat_read.MatReader):
    states_length = False
    named = False

    def _line(self, line: str, offset: int) -> None:
        names = _names(line)
        if names is None:
            super()._line(line, offset)
            return
        self.named = True
        span = self.written(line, offset)
        self._attach_remarks(same_game=True)
        one, two = (1, 2) if names[1] else (3, 4)
        texts = [
            ScoreText(name_of(names[group]), "", None, names.start(group), names.end(group)) for group in (one, two)
        ]
        game = MatGame(match=self.draft, number=len(self.draft.games) + 1, heading=span)
        game.names, game.score_span = (texts[0], texts[1]), span
        self.draft.games.append(game)


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a file that holds the games of one match."""
    (match,) = matches
    return "\n".join([*_lines(match), ""]).encode()


def _lines(match: Match) -> Iterator[str]:
    one, two = map(name_without_blanks, match.players)
    head = f" {one:<29}  {two}"
    found = _names(head)
    if found is None or (found[1], found[2]) != (one, two):
        raise FormatError(
            f"a game of Jellyfish cannot hold players called {one} and {two}: "
            "the line with their names looks like something else"
        )
    if not any(game.entries for game in match.games):
        raise FormatError("a game of Jellyfish has a row at least; without one it is like any other text")
    for game in replay(match):
        if game.game.start is not None:
            raise FormatError("a game of Jellyfish begins from the usual start")
        yield head
        # Readers know no remarks between the rows.
        yield from mat_write.rows(match, replace(game, game=replace(game.game, comments=())))
        yield ""


# --- the format -----------------------------------------------------------------------------

_GAM = re.compile(
    # Two names: two words, or with two blanks before the last word. The pattern finds that from the end of the line, so
    # that it reads a long line only once.
    r"\s*(?!game\s)(?![;#])(?:\S+[ \t](?!\d+[ \t]*\n)|\S[^\n]*(?:[ \t]{2}|\t)(?:[^ \t\r\n:]+ )*)[^ \t\r\n:]+[ \t]*\n"
    r"\s*1\)[ \t]+\d\d:",
    re.IGNORECASE,
)


def _sniff_gam(content: Content) -> float:
    """A game of Jellyfish: two names without points, and below them the first row."""
    return 1.0 if _GAM.match(content.head_lines) else 0.0


GAM: Final = Format(
    name="gam",
    title="Jellyfish game",
    extensions=(".gam",),
    sniff=_sniff_gam,
    reader=read,
    writer=write,
    leaves_out=EVERYTHING,
)


def _sniff_empire(content: Content) -> float:
    """A game of GammonEmpire. It looks like one of Jellyfish, which comes first."""
    return GAM.sniff(content) / 2


EMPIRE: Final = Format(
    name="empire",
    title="GammonEmpire game",
    extensions=(".gam",),
    sniff=_sniff_empire,
    reader=GAM.reader,
    leaves_out=GAM.leaves_out,
)

FORMATS: Final = (
    GAM,
    EMPIRE,
)
