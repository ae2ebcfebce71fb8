"""What must hold whatever a file contains."""

from __future__ import annotations

import io
import json
import time
import zlib
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, get_args

from rich.console import Console

from bgtools.analysis.match_analysis import analyse
from bgtools.checks.checking import check
from bgtools.checks.settings import Settings, SettingsError, parse_settings, resolve_settings
from bgtools.checks.settings_files import settings_for
from bgtools.cli._checking import Layout, render
from bgtools.conversion.conversion import Target, convert
from bgtools.drawing.svg import draw
from bgtools.engines.protocol import EngineUnavailable
from bgtools.engines.recorded import holds_analysis
from bgtools.engines.registry import create
from bgtools.findings.finding import printable
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read
from bgtools.formats.registry import our_formats
from bgtools.met.finding import gammon_values, take_points
from bgtools.met.reading import MetError, read_table
from bgtools.met.writing import as_met, as_xml
from bgtools.positions.notations import NOTATIONS, decode_id
from bgtools.positions.position import IdError, Position
from bgtools.replayer.match import replay
from bgtools.reports import summary
from bgtools.reports.decision_text import recorded_lines
from bgtools.reports.findings import plain
from bgtools.reports.table_files import encode
from bgtools.reports.table_kinds import TABLES, rows_of
from bgtools.rules.cube import MatchState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay
    from bgtools.source import Span

    Reader = Callable[[bytes, str], tuple[Match, ...]]

NAME: Final = "a\x1b[31mred\x07\u202e.mat"
"""A file name that tries to act on the terminal too."""


class Broken(AssertionError):
    """A property that does not hold."""


def seconds_allowed(size: int) -> float:
    """Seconds of processor time that a file of so many bytes may take.

    Looking for the slips of a ruined match is bounded, at some seconds; every look at the match takes them again.
    """
    return 4 + size / 4000


def examine(read: Reader, data: bytes, *, judged: bool = True, covered: bool = True, converted: bool = False) -> str:
    """Read, check and show a file; what became of it, in a word.

    Args:
        read: the reader.
        data: the file.
        judged: whether to go on after reading.
        covered: whether every character has to belong to something.
        converted: whether to write it in another format, and to read that again. What comes back otherwise is the
            last word, behind the format's name.

    Raises:
        Broken: a property does not hold.
        Exception: whatever leaves the library but should not.
    """
    # What is converted is replayed once more before it is written, and again when it is read.
    with _in_time(len(data), 4 if converted else 1):
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
        return _convert(matches[0], data) if converted else "read"


def _convert(match: Match, data: bytes) -> str:
    """Write a match in one of the formats; which, depends on the data alone."""
    written = [each for each in our_formats() if each.writer]
    target = written[zlib.crc32(data) % len(written)]
    try:
        done = convert((match,), Target(target))
    except FormatError as error:
        _is_plain(str(error), "a refusal")
        return "read"
    for loss in done.losses:
        _is_plain(str(loss), "a loss")
    if done.changed:
        _is_plain(done.changed.replace("\n", ""), "a change")
        return f"changed by {target.name}: {done.changed}"
    return "read"


def examine_table(data: bytes) -> str:
    """Read a match equity table, and write and read it again."""
    with _in_time(len(data)):
        try:
            table = read_table(data, NAME)
        except MetError as error:
            _is_plain(str(error).replace("\n", ""), "a refusal")
            return "refused"
        for text in (as_xml(table), as_met(table)):
            again = read_table(text.encode("utf-8", "replace"), NAME)
            if again.size != table.size or abs(again.equity((1, 1)) - table.equity((1, 1))) > 0.001:
                raise Broken("a table that comes back otherwise")
        for away in ((1, 1), (1, table.size), (table.size, min(table.size, 2))):
            state = MatchState(max(away), (max(away) - away[0], max(away) - away[1]))
            with suppress(ValueError):  # a table may make nothing of a score
                take_points(table, state)
                gammon_values(table, state)
    return "read"


def examine_settings(data: bytes) -> str:
    """Read a settings file, and judge a record by it."""
    with _in_time(len(data)), TemporaryDirectory() as folder:
        Path(folder, "bgtools.toml").write_bytes(data)
        try:
            policy = resolve_settings(Settings(), settings_for(Path(folder, "x.mat")))
        except SettingsError as error:
            _is_plain(printable(str(error)), "a refusal")
            return "refused"
        _examine(policy.complete(_sample()))
        policy.fails(policy.apply(check(_sample())))
    return "read"


def examine_rules(data: bytes) -> str:
    """Complete the rules of a record, as a match and for money: two looks at it."""
    with _in_time(len(data), times=2):
        try:
            policy = resolve_settings(parse_settings(rules=data.decode("utf-8", "surrogateescape")))
        except SettingsError as error:
            _is_plain(printable(str(error)), "a refusal")
            return "refused"
        for match in (_sample(), replace(_sample(), length=0)):
            _examine(policy.complete(match))
            _is_plain(str(policy.complete(match).rules), "rules")
    return "read"


def examine_id(data: bytes) -> str:
    """Read a position in any notation, draw it, and write it in all."""
    with _in_time(len(data)):
        try:
            position = decode_id(data.decode("utf-8", "surrogateescape"))
        except IdError as error:
            _is_plain(printable(str(error)), "a refusal")
            return "refused"
        position.draw()
        str(position)
        for notation in NOTATIONS:
            with suppress(IdError):
                notation.encode(position)
    return "read"


@cache
def _sample() -> Match:
    return read(Path(__file__).resolve().parents[2] / "samples" / "five-slips.mat")


def _examine(match: Match) -> None:
    games = replay(match)
    for finding in check(match, games):
        for layout in get_args(Layout):
            shown = render(layout, finding, match, plain)
            lines = shown.split("\n") if layout == "full" else [shown]
            for line in lines:
                _is_plain(line, layout)
            if layout in ("json", "sarif"):
                json.loads(shown)
    for game in games:
        for turn in game.turns[-1:]:
            names = (printable(match.players[turn.player]), printable(match.players[1 - turn.player]))
            _is_plain(draw(turn.before, turn.state, names=names).replace("\n", ""), "a board")
            for notation in NOTATIONS:
                with suppress(IdError):  # one cannot hold a cube of a thousand digits
                    notation.encode(Position(turn.before, turn.state))
        for turn in game.turns:
            if turn.entry.annotation is not None:
                for line in recorded_lines(turn.entry.annotation):
                    _is_plain(line, "an analysis")
    _summarise(match, games)


def _summarise(match: Match, games: tuple[GameReplay, ...]) -> None:
    analysis = analyse(match, None, games=games)
    paper = io.StringIO()
    if holds_analysis(match):
        with suppress(EngineUnavailable):  # it may hold none that can be used
            analysis = analyse(match, create("file", match=match, games=games), games=games)
            for name, table in TABLES.items():
                encode("jsonl", table.columns, rows_of(name, analysis))
    console = Console(file=paper, highlight=False, no_color=True, width=110)
    console.print(summary.heading(analysis), markup=False)
    console.print(summary.sentence(analysis), markup=False)
    console.print(summary.games_table(analysis))
    if analysis.conventions.engine:
        console.print(summary.totals_table(analysis))
    _is_plain(paper.getvalue().replace("\n", ""), "the summary")


def _is_plain(text: str, what: str) -> None:
    for char in text:
        if not char.isprintable():
            raise Broken(f"{what} prints {char!r} raw: {text[:200]!r}")


@contextmanager
def _in_time(size: int, times: int = 1) -> Iterator[None]:
    began = time.process_time()
    yield
    taken = time.process_time() - began
    if taken > times * seconds_allowed(size):
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
                f"{char!r} at {source.location(at)} belongs to nothing: {source.line_text(source.location(at).line)!r}"
            )


def _spans(matches: Sequence[Match]) -> Iterator[Span]:
    for match in matches:
        yield match.length_span
        yield from match.marks
        yield from (tag.span for tag in match.tags)
        yield from (comment.span for comment in match.comments)
        yield from (finding.span for finding in match.findings)
        for game in match.games:
            yield game.heading
            yield game.score_span
            yield from game.marks
            yield from (entry.span for entry in game.entries)
            yield from (result.span for result in game.results)
            yield from (comment.span for comment in game.comments)
