"""Limits on what is read, so that no input fills the memory.

A file that is too large is refused. Rows, entries and games beyond a limit are left out, and a finding says so.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO, Final

from bgtools.findings import codes
from bgtools.findings.finding import Finding
from bgtools.formats.content import FormatError, TooMuch
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.record.record import Game, Match

VARIABLE: Final = "BGTOOLS_LARGEST_FILE"
"""The environment variable that changes `largest_file`, in megabytes."""

LONGEST_LINE: Final = 1 << 16
"""The most characters of a line that is parsed. Remarks may be longer."""
LONGEST_NAME: Final = 1000
"""The most characters of a player's name, which is in every row of a table and in many a finding."""
MOST_ENTRIES: Final = 4000
"""The most entries of a game. The longest games ever played have some hundreds."""
MOST_GAMES: Final = 10_000
"""The most games of a match or a session."""

_MEGABYTES: Final = 16
_AT_ONCE: Final = 1 << 16
"""How many bytes are read at a time."""
_PIECES_A_MEGABYTE: Final = 12_500
"""How many pieces a file may hold for each megabyte of `largest_file`. At 16 MB these are the pieces of some four
megabytes of usual match text. A piece takes a kilobyte or two of memory when it is read and written again, so no file
takes more than half a gigabyte."""
_TOGETHER_A_MEGABYTE: Final = 1_400
"""How many entries a match may hold for each megabyte of `largest_file`. At 16 MB this makes some four hundred games,
whose report takes near half a gigabyte. A file of several matches may hold several times as many: its matches are
worked on one after the other, while all rows of one match are kept until its last one is known."""
_MATCHES_A_MEGABYTE: Final = 625
"""How many matches a file may hold for each megabyte of `largest_file`, at 16 MB ten thousand. There is room for more
only where a match is shorter than any that was played."""
_VALUES_A_PIECE: Final = 10
"""How many plain values, such as numbers, texts and lists, take as much memory as one piece."""


def largest_file() -> int:
    """The most bytes of a file, or of all files in an archive: 16 MB, unless the user sets `VARIABLE`.

    Raises:
        FormatError: `VARIABLE` is set to something that is not a number of megabytes.
    """
    said = os.environ.get(VARIABLE, "")
    if said and not (said.isascii() and said.isdecimal() and len(said) < 9 and int(said)):
        raise FormatError(f"{VARIABLE} is to be a number of megabytes, not {said!r}")
    return (int(said) if said else _MEGABYTES) << 20


def most_pieces() -> int:
    """The most pieces of one file: cells and lines of a text, entries and candidates of a binary record."""
    return (largest_file() >> 20) * _PIECES_A_MEGABYTE


def most_together() -> int:
    """The most entries of all games of a match together."""
    return (largest_file() >> 20) * _TOGETHER_A_MEGABYTE


def most_matches() -> int:
    """The most matches of one file."""
    return (largest_file() >> 20) * _MATCHES_A_MEGABYTE


def most_values() -> int:
    """The most plain values, lists and objects of one file in a format made of such values: JSON, Smile, SGF."""
    return most_pieces() * _VALUES_A_PIECE


def refuse_more(count: int, most: int, what: str) -> None:
    """Refuse a file that holds too much.

    Raises:
        TooMuch: ``count`` is more than ``most``.
    """
    if count > most:
        raise TooMuch(
            f"the file holds more than {most:,} {what}; cut it into several, "
            f"or set {VARIABLE} to more than {largest_file() >> 20}"
        )


class PieceBudget:
    """How many more pieces may be read from a file. Readers of binary files take from it as they decode."""

    def __init__(self, what: str, most: int | None = None) -> None:
        self.what = what
        self.most = self.left = most_pieces() if most is None else most

    def take(self, count: int = 1) -> None:
        """Take the room of ``count`` pieces.

        Raises:
            TooMuch: there is no room for them.
        """
        self.left -= count
        if self.left < 0:
            refuse_more(self.most + 1, self.most, self.what)


def read_bytes(stream: BinaryIO) -> bytes:
    """All of a stream.

    Raises:
        FormatError: it is larger than `largest_file`. At most one byte more than that is read.
        OSError: it cannot be read.
    """
    largest = largest_file()
    data = read_up_to(stream, largest + 1)
    if len(data) > largest:
        raise FormatError(
            f"the file is larger than {largest >> 20} MB; cut it into files of fewer matches, "
            f"or set {VARIABLE} to as many megabytes as may be read"
        )
    return data


def read_up_to(stream: BinaryIO, most: int) -> bytes:
    """The bytes of a stream, ``most`` at most.

    Asking for all of them at once would take the memory of so many, however few there are.
    """
    data = bytearray()
    while len(data) < most and (more := stream.read(min(_AT_ONCE, most - len(data)))):
        data += more
    return bytes(data)


def first_matches(matches: tuple[Match, ...]) -> tuple[Match, ...]:
    """The matches of a file up to `most_matches`, with a finding for those beyond; all of a list of positions."""
    from bgtools.record.record import is_position

    most = most_matches()
    if len(matches) <= most or all(is_position(game) for match in matches for game in match.games):
        return matches
    beyond, last = matches[most:], matches[most - 1]
    ends = [_end(game) for match in beyond for game in match.games]
    span = Span(beyond[0].length_span.start, max([each.length_span.end for each in beyond] + ends))
    finding = _cut_off(span, f"a file of more than {most:,} matches: those that follow are left out")
    return (*matches[: most - 1], replace(last, findings=(*last.findings, finding)))


def within(match: Match) -> Match:
    """The match cut to the limits, with a finding for everything that was cut off."""
    if max(map(len, match.players)) > LONGEST_NAME:
        match = _with_short_names(match)
    over = [index for index, game in enumerate(match.games) if len(game.entries) > MOST_ENTRIES]
    if not over and _kept_games(match.games) == len(match.games):
        return match
    games, findings = list(match.games), list(match.findings)
    for index in over:
        games[index], finding = _shortened(games[index])
        findings.append(finding)
    kept = _kept_games(games)
    if kept < len(games):
        findings.append(_left_out(games, kept))
        del games[kept:]
    return replace(match, games=tuple(games), findings=tuple(findings))


def _kept_games(games: Sequence[Game]) -> int:
    """How many games from the first on are within the limits of a match."""
    room = most_together()
    for index, game in enumerate(games[:MOST_GAMES]):
        room -= len(game.entries)
        if room < 0:
            return index
    return min(len(games), MOST_GAMES)


def _left_out(games: Sequence[Game], kept: int) -> Finding:
    """The finding that only the first games of a match are kept."""
    return games_left_out(Span(_begin(games[kept]), _end(games[-1])), kept)


def games_left_out(span: Span, kept: int) -> Finding:
    """The finding that only so many games of a match are kept, and those of a stretch of the file are left out."""
    most = f"{MOST_GAMES:,} games" if kept == MOST_GAMES else f"{most_together():,} plays and cube actions"
    return _cut_off(span, f"a match of more than {most}: all but its first {kept:,} games are left out")


def _cut_off(span: Span, message: str) -> Finding:
    """The finding that the end of a file, or of a match, is left out."""
    hint = f"cut the file into several, or set {VARIABLE} to more than {largest_file() >> 20}"
    return Finding(codes.UNREADABLE_LINE, span, message, hint=hint)


def _with_short_names(match: Match) -> Match:
    findings = tuple(
        Finding(
            codes.UNREADABLE_LINE,
            match.length_span,
            f"a name of {len(name):,} characters: all but the first {LONGEST_NAME:,} are left out",
        )
        for name in match.players
        if len(name) > LONGEST_NAME
    )
    one, two = (name[:LONGEST_NAME] for name in match.players)
    return replace(match, players=(one, two), findings=match.findings + findings)


def _begin(game: Game) -> int:
    starts = [span.start for span in (game.heading, game.score_span) if span.end]
    return min(starts or [entry.span.start for entry in game.entries[:1]] or [0])


def _end(game: Game) -> int:
    parts = (*game.entries, *game.results, *game.comments)
    return max([game.heading.end, game.score_span.end] + [each.span.end for each in parts])


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
