"""What must hold whatever a file contains."""

from __future__ import annotations

import io
import json
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from rich.console import Console

from bgtools.analysis import analyse
from bgtools.checks import check
from bgtools.cli._layouts import Layout, render
from bgtools.drawing import draw
from bgtools.formats import FormatError
from bgtools.positions import NOTATIONS, IdError, Position
from bgtools.replayer import replay
from bgtools.reports import printable, summary
from bgtools.reports.findings import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bgtools.record import Match
    from bgtools.replayer import GameReplay
    from bgtools.source import Span

    Reader = Callable[[bytes, str], tuple[Match, ...]]

NAME: Final = "a\x1b[31mred\x07\u202e.mat"
"""A file name that tries to act on the terminal too."""


class Broken(AssertionError):
    """A property that does not hold."""


def seconds_allowed(size: int) -> float:
    """Seconds of processor time that a file of so many bytes may take: what a ruined one costs, and no more."""
    return 4 + size / 4000


def examine(read: Reader, data: bytes, *, judged: bool = True, covered: bool = True) -> str:
    """Read, check and show a file; what became of it, in a word.

    Args:
        read: the reader.
        data: the file.
        judged: whether to go on after reading.
        covered: whether every character has to belong to something.

    Raises:
        Broken: a property does not hold.
        Exception: whatever leaves the library but should not.
    """
    with _in_time(len(data)):
        try:
            matches = read(data, NAME)
        except FormatError as error:
            _is_plain(str(error), "a refusal")
            return "refused"
        if not matches:
            raise Broken("neither a match nor a refusal")
        if covered:
            _covers(matches)
        for match in matches if judged else ():
            _examine(match)
    return "read"


def _examine(match: Match) -> None:
    games = replay(match)
    for finding in check(match, games):
        for layout in Layout:
            shown = render(layout, finding, match, plain)
            lines = shown.split("\n") if layout is Layout.full else [shown]
            for line in lines:
                _is_plain(line, layout)
            if layout in (Layout.json, Layout.sarif):
                json.loads(shown)
    for game in games:
        for turn in game.turns[-1:]:
            names = (printable(match.players[turn.player]), printable(match.players[1 - turn.player]))
            _is_plain(draw(turn.before, turn.state, names=names).replace("\n", ""), "a board")
            for notation in NOTATIONS:
                with suppress(IdError):  # one has no place for a cube of a thousand digits
                    notation.encode(Position(turn.before, turn.state))
    _summarise(match, games)


def _summarise(match: Match, games: tuple[GameReplay, ...]) -> None:
    analysis = analyse(match, None, games=games)
    paper = io.StringIO()
    console = Console(file=paper, highlight=False, no_color=True, width=110)
    console.print(summary.heading(analysis), markup=False)
    console.print(summary.sentence(analysis), markup=False)
    console.print(summary.games_table(analysis))
    _is_plain(paper.getvalue().replace("\n", ""), "the summary")


def _is_plain(text: str, what: str) -> None:
    for char in text:
        if not char.isprintable():
            raise Broken(f"{what} prints {char!r} raw: {text[:200]!r}")


@contextmanager
def _in_time(size: int) -> Iterator[None]:
    began = time.process_time()
    yield
    taken = time.process_time() - began
    if taken > seconds_allowed(size):
        raise Broken(f"{size:,} bytes take {taken:.1f} s")


def _covers(matches: Sequence[Match]) -> None:
    """Every character that is not blank belongs to something."""
    source = matches[0].source
    if source is None:
        raise Broken("a match without its source")
    covered = bytearray(len(source.text))
    for start, end in _spans(matches):
        if not 0 <= start <= end <= len(source.text):
            raise Broken(f"a span from {start} to {end} in {len(source.text)} characters")
        covered[start:end] = b"\1" * (end - start)
    for at, char in enumerate(source.text):
        if not covered[at] and not char.isspace():
            raise Broken(
                f"{char!r} at {source.place(at)} belongs to nothing: {source.line_text(source.place(at).line)!r}"
            )


def _spans(matches: Sequence[Match]) -> Iterator[Span]:
    for match in matches:
        yield match.length_span
        yield from match.marks
        yield from (tag.span for tag in match.tags)
        yield from (comment.span for comment in match.comments)
        yield from (finding.span for finding in match.diagnostics)
        for game in match.games:
            yield game.heading
            yield game.score_span
            yield from game.marks
            yield from (entry.span for entry in game.entries)
            yield from (result.span for result in game.results)
            yield from (comment.span for comment in game.comments)
