"""Programs of others as judges of what is written: the match that they find in a file, and what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bgtools.formats.content import Content
from bgtools.formats.reading import find_format, read_source
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, Take
from bgtools.replayer.match import replay
from gnubg_judge import run_gnubg

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bgtools.record.record import Match


def said(match: Match, length: int | None) -> Iterator[tuple[str, Any]]:
    """What a match says, one thing after the other with its sort, whichever player stands first.

    Args:
        match: the match.
        length: its length. It is over with the points that were needed, so no game counts more.
    """
    names = [" ".join(name.split()) for name in match.players]
    yield "names", sorted(names)
    for game in replay(match):
        yield "scores", sorted(zip(names, game.score, strict=True))
        for turn in game.turns:
            entry, name = turn.entry, names[turn.entry.player]
            if isinstance(entry, CheckerPlay) and turn.play is not None and turn.play.hops:
                yield "plays", (name, sorted(entry.dice or ()), turn.play.result)
            before = game.turns[turn.index - 1].entry if turn.index else None
            if isinstance(entry, Double | Beaver | Drop) or (
                isinstance(entry, Take) and not isinstance(before, Beaver)
            ):
                yield "cube actions", (name, type(entry).__name__)
        points, winner = game.points, game.winner
        if winner is not None and points is not None and length:
            points = min(points, length - game.score[winner])
        yield "results", (None if winner is None else names[winner], points)


def in_gnubg(folder: Path, command: str, files: Sequence[bytes]) -> list[Match]:
    """The matches that GNU Backgammon has after a command on each file, such as ``import mat``."""
    commands = ["set delay 0", "set display off", "set export show board 0"]
    for number, data in enumerate(files):
        (folder / f"{number}.in").write_bytes(data)
        commands += [f"{command} {number}.in", f"save match {number}.sgf"]
    told = run_gnubg(folder, *commands)
    missing = [number for number in range(len(files)) if not (folder / f"{number}.sgf").is_file()]
    assert not missing, (missing, told[-500:])
    return [read_source((folder / f"{number}.sgf").read_bytes(), "x.sgf")[0] for number in range(len(files))]


def in_gammonview(format_name: str, data: bytes) -> Match:
    """The match that gammonview has of a file."""
    gammonview = pytest.importorskip("gvformat", reason="gammonview is not installed")
    match format_name:
        case "xg":
            document = gammonview.convert_xg(data)
        case "mat":
            document = gammonview.mat_to_ogxm(data.decode("utf-8"))
        case _:
            document = gammonview.read_gvab(data)
    return find_format("ogxm").read(Content(gammonview.write_gvab(document), "x.ogxm"))[0]
