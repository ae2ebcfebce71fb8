"""What `bgtools` itself offers to do with a record, whether somebody has it or has only its path."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools import checks, replayer
from bgtools.formats import match_of

if TYPE_CHECKING:
    from os import PathLike

    from bgtools.findings import Finding
    from bgtools.record import Match
    from bgtools.replayer import GameReplay


def check(match: Match | str | PathLike[str]) -> tuple[Finding, ...]:
    """Everything that is wrong with a record, in the order of the file.

    >>> for finding in check("samples/five-slips.mat")[2:4]:
    ...     print(finding)

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

    >>> games = replay("samples/seven-point.mat")
    >>> turn = games[0].turns[1]
    >>> turn
    >>> turn.position
    >>> games[0].ending, games[0].winner, games[0].points

    Args:
        match: the record, or the path of a file that holds one; of several, the first.

    Raises:
        OSError: the file cannot be read.
        FormatError: its content is in no known format.
    """
    return replayer.replay(match_of(match))
