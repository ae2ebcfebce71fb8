"""GNU Backgammon as a judge of what is written: it imports a file and exports the match that it found there."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from bgtools.formats.reading import read_all
from bgtools.replayer.match import replay
from gnubg_export import PROGRAM

if TYPE_CHECKING:
    from pathlib import Path

    from bgtools.record.record import Match

needs_gnubg = pytest.mark.needs(PROGRAM, "GNU Backgammon")


def run_gnubg(folder: Path, *commands: str) -> str:
    """Let GNU Backgammon do something; what it says."""
    assert PROGRAM is not None
    done = subprocess.run(
        [PROGRAM, "-t", "-q"],
        input="\n".join(["set confirm new off", "set confirm save off", *commands, ""]).encode(),
        capture_output=True,
        check=False,
        timeout=120,
        cwd=folder,
        # Its own settings come from the user's folder otherwise, and are saved there.
        env={**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"},
    )
    return done.stdout.decode("utf-8", "replace") + done.stderr.decode("utf-8", "replace")


def imported(folder: Path, importer: str, data: bytes) -> Match:
    """What GNU Backgammon makes of a file."""
    (folder / "given").write_bytes(data)
    (folder / "found.mat").unlink(missing_ok=True)
    said = run_gnubg(folder, f"import {importer} given", "export match mat found.mat")
    assert (folder / "found.mat").is_file(), said[-500:]
    assert "WARNING" not in said, said[-500:]
    return read_all(folder / "found.mat")[0]


def course(match: Match) -> list[tuple[object, ...]]:
    """How a match went: every board, cube and score, whoever is on the left."""
    players = [" ".join(name.split()) for name in match.players]
    names = sorted(range(2), key=lambda player: players[player])
    flip = names == [1, 0]
    found: list[tuple[object, ...]] = []
    for game in replay(match):
        score = game.score[::-1] if flip else game.score
        winner = None if game.winner is None else players[game.winner]
        boards = [(turn.before, turn.state.cube) for turn in game.turns if turn.play is not None]
        found.append((score, winner, game.ending, tuple(boards)))
    return found
