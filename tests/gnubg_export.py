"""Matches that GNU Backgammon plays against itself, as it exports them.

    python tests/gnubg_export.py FOLDER [--seed N] [--rounds N]

Plays every setting ``rounds`` times at 0-ply, writes the exports to the folder, checks them and
counts the findings by code. Another program has dealt, moved and scored here, so an error in such a
record is ours, or its exporter's.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bgtools.checks import check
from bgtools.formats import read_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.diagnostics import Diagnostic

PROGRAM: Final = shutil.which("gnubg", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
"""GNU Backgammon, or None where it is not installed."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to play.

    Attributes:
        name: what to call it and its files.
        length: points of the match; 0 for a money session.
        games: how many games a session has.
        options: commands that hold for it.
    """

    name: str
    length: int
    games: int
    options: tuple[str, ...] = ()


def _session(name: str, *options: str, games: int = 6) -> Setting:
    return Setting(name, 0, games, options)


_PLAIN: Final = ("set variation standard", "set jacoby off", "set beavers 0", "set automatic doubles 0")

SETTINGS: Final = (
    Setting("match-1", 1, 1),
    Setting("match-3", 3, 0),
    Setting("match-5", 5, 0),
    Setting("match-7", 7, 0),
    Setting("match-13", 13, 0),
    Setting("match-5-no-crawford", 5, 0, ("set automatic crawford off",)),
    Setting("match-5-nackgammon", 5, 0, ("set variation nackgammon",)),
    _session("money"),
    _session("money-jacoby", "set jacoby on"),
    _session("money-beavers", "set beavers 3"),
    _session("money-automatic", "set automatic doubles 2"),
    _session("money-everything", "set jacoby on", "set beavers 3", "set automatic doubles 3"),
    _session("money-nackgammon", "set jacoby on", "set beavers 1", "set variation nackgammon"),
)
"""The settings that GNU Backgammon offers: match lengths, money options, variants.

Not Hypergammon: it wants a database that takes an hour to make, and without it every game breaks off at the first roll.
"""

_PREPARE: Final = (
    "set threads 1",
    "set display off",
    "set confirm new off",
    "set confirm save off",
    "set automatic roll on",
    "set automatic bearoff on",
    "set automatic move on",
    *(
        f"set player {player} {what}"
        for player in (0, 1)
        for what in ("gnubg", "chequer evaluation plies 0", "cube evaluation plies 0")
    ),
    "set rng mersenne",
)


def export(folder: Path, seed: int, rounds: int = 1, settings: Iterable[Setting] = SETTINGS) -> list[Path]:
    """Let GNU Backgammon play every setting ``rounds`` times and export what it played.

    Args:
        folder: where the files go, ``money-jacoby-3.mat`` and the like.
        seed: of the dice.
        rounds: matches or sessions a setting.
        settings: which.
    """
    assert PROGRAM is not None
    folder.mkdir(parents=True, exist_ok=True)
    commands = [*_PREPARE, f"set seed {seed}"]
    files: list[Path] = []
    for setting in settings:
        commands += [*_PLAIN, "set automatic crawford on", *setting.options]
        for number in range(rounds):
            file = folder / f"{setting.name}-{number}.mat"
            files.append(file)
            if setting.length:
                commands += ["set automatic game on", f"new match {setting.length}"]
            else:
                commands += ["set automatic game off", "new session", *["new game"] * (setting.games - 1)]
            commands.append(f'export match mat "{file}"')
    # Its own settings come from the user's folder otherwise, and are saved there.
    done = subprocess.run(
        [PROGRAM, "-t", "-q"],
        input="\n".join([*commands, ""]).encode(),
        capture_output=True,
        check=False,
        env={**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"},
    )
    missing = [file.name for file in files if not file.is_file()]
    if missing:
        said = done.stdout[-1000:].decode("latin-1")
        raise RuntimeError(f"GNU Backgammon did not write {', '.join(missing[:5])}: {said}")
    return files


def findings(files: Iterable[Path]) -> list[tuple[Path, Diagnostic]]:
    """Everything that is found in the files."""
    return [(file, found) for file in files for match in read_all(file) for found in check(match)]


def games(files: Iterable[Path]) -> int:
    """How many games the files hold."""
    return sum(len(match.games) for file in files for match in read_all(file))


def main(arguments: Sequence[str] | None = None) -> int:
    """Export, check, count; 1 when a record has an error."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=4, help="matches or sessions a setting (default: 4)")
    options = parser.parse_args(arguments)
    if PROGRAM is None:
        print("GNU Backgammon is not installed", file=sys.stderr)
        return 2
    files = export(options.folder, options.seed, options.rounds)
    found = findings(files)
    print(f"{len(files)} files, {games(files)} games, {len(found)} findings")
    counts = Counter((one.severity, one.code.id, one.code.name) for _, one in found)
    for (severity, code, name), count in sorted(counts.items(), reverse=True):
        file, example = next((path, one) for path, one in found if one.code.id == code)
        print(f"{count:>6} {severity} {code} {name}: {file.name}: {example.message}")
    return 1 if any(str(severity) == "error" for severity, _, _ in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
