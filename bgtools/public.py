"""The functions of `bgtools` that take a record or the path of one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools import checks, comparison, replayer
from bgtools.conversion import made, parse_target
from bgtools.formats import match_of, matches_of

if TYPE_CHECKING:
    from collections.abc import Collection
    from os import PathLike

    from bgtools.comparison import Merged
    from bgtools.conversion import Converted
    from bgtools.findings import Finding
    from bgtools.record import Match
    from bgtools.replayer import GameReplay


def check(match: Match | str | PathLike[str]) -> tuple[Finding, ...]:
    """Everything that is wrong with a record, in the order of the file.

    >>> for finding in bgtools.check("samples/five-slips.mat")[3:5]:
    ...     print(finding)
    samples/five-slips.mat:55:7: error BG402 Greta Holm wins 2 points here, not 1 (game 2) [wrong-points]
    samples/five-slips.mat:66:6: error BG210 Greta Holm leaves a 2 unplayed (game 3, turn 15) [die-left-unplayed]

    Args:
        match: the record, or the path of a file that holds one; of several, the first.

    Raises:
        OSError: the file cannot be read.
        FormatError: its content is in no known format.
    """
    match = match_of(match)
    return tuple(replace(finding, source=match.source) for finding in checks.check(match))


def replay(match: Match | str | PathLike[str]) -> tuple[GameReplay, ...]:
    """The games of a record turn by turn, each turn with its board; never raises on what a record holds.

    >>> games = bgtools.replay("samples/seven-point.mat")
    >>> games[0].ending, games[0].winner, games[0].points
    ('drop', 1, 2)
    >>> games[0].turns[1].position
    Position.from_id('XGID=----a-EaC---eE---c-e----B-:0:0:1:52:0:0:0:7:10')

    Args:
        match: the record, or the path of a file that holds one; of several, the first.

    Raises:
        OSError: the file cannot be read.
        FormatError: its content is in no known format.
    """
    return replayer.replay(match_of(match))


def convert(
    match: Match | tuple[Match, ...] | str | PathLike[str],
    to: str,
    *,
    strict: bool = False,
    allow: Collection[str] = (),
    verify: bool = True,
) -> Converted:
    """Convert a match, several matches, or those in a file, to another format.

    >>> done = bgtools.convert("samples/seven-point.mat", to="sgf")
    >>> done.data[:10], done.losses
    (b'(;FF[4]GM[', ())

    Args:
        match: what to convert: a match, some of them, or the path of a file.
        to: the format and perhaps its dialect, such as ``xg`` or ``mat:xg-text``; ``bgtools formats`` lists them.
        strict: whether a loss is reason enough to refuse.
        allow: codes or names of losses that are accepted: they are not reported, and never refused.
        verify: whether what was made is read again and compared, turn by turn.

    Raises:
        FormatError: there is no such format, it has no way to write this, a loss is not accepted, or what was made
            reads differently.
        OSError: the file cannot be read.
    """
    return made(matches_of(match), parse_target(to), strict=strict, allow=allow, verify=verify)


def merge(*records: Match | str | PathLike[str], prefer: int | None = None) -> Merged:
    """Merge several records of one match into one, with the source of every fact.

    >>> done = bgtools.merge("samples/seven-point.mat", "samples/seven-point.mat")
    >>> done, done.match.players
    (<Merged 2 records: 295 facts, 0 undecided>, ('Nora Lindholm', 'Peter Marsh'))

    At each place the rules decide: what the rest of the record can go on with is taken. Where they do not, most records
    decide.

    Args:
        records: two or more, in any formats: matches, or the paths of files; of several in a file, the first.
        prefer: the number, from 0, of the record that decides where neither the rules nor most records do; None leaves
            such facts undecided.

    Raises:
        OSError: a file cannot be read.
        FormatError: its content is in no known format.
        ValueError: fewer than two records, records of different matches (`bgtools.comparison.NotOneMatch`), or no such
            record to prefer.
    """
    return comparison.merge(tuple(map(match_of, records)), prefer=prefer)
