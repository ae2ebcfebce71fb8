"""GNU Backgammon as a judge of SGF: what it makes of a file."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gnubg_judge import run_gnubg

if TYPE_CHECKING:
    from collections.abc import Sequence

_QUIET = ("set delay 0", "set display off", "set export show board 0")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What GNU Backgammon makes of a file.

    Attributes:
        mat: its export as match text; b"" where it has loaded nothing.
        sgf: the file as it saves it again.
        statistics: its statistics of the match.
        complaints: what it says is wrong.
    """

    mat: bytes
    sgf: bytes
    statistics: str
    complaints: tuple[str, ...]


def run(*commands: str, folder: Path) -> str:
    """Give GNU Backgammon commands; what it prints."""
    return run_gnubg(folder, *_QUIET, *commands)


def load(sgf: bytes) -> Verdict:
    """Let GNU Backgammon load a file of SGF, and tell what it has understood."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in.sgf").write_bytes(sgf)
        said = run(
            "load match in.sgf",
            "save match out.sgf",
            "export match mat out.mat",
            "show statistics match",
            folder=folder,
        )
        told = [folder / "out.mat", folder / "out.sgf"]
        mat, saved = (path.read_bytes() if path.exists() else b"" for path in told)
        complaints = tuple(
            line for line in said.splitlines() if re.search(r"syntax error|cannot open|unrecogni", line, re.I)
        )
        return Verdict(mat, saved, said[said.find("Player  ") :], complaints)


def saved(files: Sequence[bytes]) -> list[bytes]:
    """Let GNU Backgammon load files of SGF, one after the other, and save each again; b"" for what it does not load."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands = []
        for number, data in enumerate(files):
            (folder / f"in{number}.sgf").write_bytes(data)
            commands += [f"load match in{number}.sgf", f"save match out{number}.sgf"]
        run(*commands, folder=folder)
        told = [folder / f"out{number}.sgf" for number in range(len(files))]
        return [path.read_bytes() if path.exists() else b"" for path in told]


def play(folder: Path, name: str, *settings: str, start: str, then: tuple[str, ...] = ()) -> Path:
    """Let GNU Backgammon play itself at 0-ply and save the match as ``name.sgf``, ``.mat`` and ``.txt``."""
    players = [
        f"set player {player} {what}"
        for player in (0, 1)
        for what in ("gnubg", "chequerplay evaluation plies 0", "cubedecision evaluation plies 0")
    ]
    save = (f"save match {name}.sgf", f"export match mat {name}.mat", f"export match text {name}.txt")
    run(*players, *settings, start, *then, *save, folder=folder)
    return folder / f"{name}.sgf"
