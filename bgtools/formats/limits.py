"""Limits on what is read, so that no input fills the memory.

A file that is too large is refused. What is too much inside a file is left out, and a finding says so.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO, Final

from bgtools.findings import Finding, codes
from bgtools.formats.content import FormatError
from bgtools.source import Span

if TYPE_CHECKING:
    from bgtools.record import Game, Match

VARIABLE: Final = "BGTOOLS_LARGEST_FILE"
"""The environment variable that changes `largest_file`, in megabytes."""

LONGEST_LINE: Final = 1 << 16
"""The most characters of a line that is parsed. Remarks may be longer."""
MOST_ENTRIES: Final = 4000
"""The most entries of a game. The longest games ever played have some hundreds."""
MOST_GAMES: Final = 10_000
"""The most games of a match or a session."""

_MEGABYTES: Final = 16
_BYTES_A_PIECE: Final = 24


def largest_file() -> int:
    """The most bytes of a file, or of all files in an archive: 16 MB, unless the user sets `VARIABLE`.

    Raises:
        FormatError: `VARIABLE` is set to something that is no number of megabytes.
    """
    said = os.environ.get(VARIABLE, "")
    if said and not (said.isascii() and said.isdecimal() and len(said) < 9 and int(said)):
        raise FormatError(f"{VARIABLE} is to be a number of megabytes, not {said!r}")
    return (int(said) if said else _MEGABYTES) << 20


def most_pieces() -> int:
    """The most cells, and lines without cells, of one text: as many as a usual file of the largest size holds."""
    return largest_file() // _BYTES_A_PIECE


def read_bytes(stream: BinaryIO) -> bytes:
    """All of a stream.

    Raises:
        FormatError: it is larger than `largest_file`. No more than that is read.
        OSError: it cannot be read.
    """
    largest = largest_file()
    data = stream.read(largest + 1)
    if len(data) > largest:
        raise FormatError(
            f"the file is larger than {largest >> 20} MB; cut it into files of fewer matches, "
            f"or set {VARIABLE} to as many megabytes as may be read"
        )
    return data


def within(match: Match) -> Match:
    """The match cut to the limits, with a finding for everything that was cut off."""
    over = [index for index, game in enumerate(match.games) if len(game.entries) > MOST_ENTRIES]
    if not over and len(match.games) <= MOST_GAMES:
        return match
    games, diagnostics = list(match.games), list(match.diagnostics)
    for index in over:
        games[index], finding = _shortened(games[index])
        diagnostics.append(finding)
    if len(games) > MOST_GAMES:
        first, last = games[MOST_GAMES], games[-1]
        end = max(
            [last.heading.end, last.score_span.end]
            + [each.span.end for each in (*last.entries, *last.results, *last.comments)]
        )
        diagnostics.append(
            Finding(
                codes.UNREADABLE_LINE,
                Span(_begin(first), end),
                f"a match of more than {MOST_GAMES:,} games: those that follow are left out",
                hint="cut the file into several",
            )
        )
        del games[MOST_GAMES:]
    return replace(match, games=tuple(games), diagnostics=tuple(diagnostics))


def _begin(game: Game) -> int:
    starts = [span.start for span in (game.heading, game.score_span) if span.end]
    return min(starts or [entry.span.start for entry in game.entries[:1]] or [0])


def _shortened(game: Game) -> tuple[Game, Finding]:
    beyond = game.entries[MOST_ENTRIES:]
    span = Span(min(entry.span.start for entry in beyond), max(entry.span.end for entry in beyond))
    finding = Finding(
        codes.UNREADABLE_LINE,
        span,
        f"a game of more than {MOST_ENTRIES:,} plays and cube actions: those that follow are left out",
        hint="give every game a heading",
        game=game.number,
    )
    return replace(game, entries=game.entries[:MOST_ENTRIES]), finding
