"""Matches that GNU Backgammon plays against itself, as it exports them.

    python tests/gnubg_export.py FOLDER [--seed N] [--rounds N] [--analysed N]

Plays every setting ``rounds`` times, by evaluation at 0-ply or with random players
(`gnubg_random`), writes the exports to the folder, checks them and counts the findings by code.
Another program has dealt, moved, judged and scored here, so an error in such a record is ours, or
its exporter's.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bgtools.checks.checking import check
from bgtools.formats.reading import read_all
from bgtools.record.record import CheckerPlay
from bgtools.rules.options import parse_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match

PROGRAM: Final = shutil.which("gnubg", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
"""GNU Backgammon, or None where it is not installed."""
PLAYERS: Final = Path(__file__).with_name("gnubg_random.py")


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to play.

    Attributes:
        name: what to call it and its files.
        length: points of the match; 0 for a money session.
        games: how many games a session has.
        options: commands that hold for it.
        rules: what `bgtools.rules.options.parse_rules` has to be told of them; not the Jacoby rule, which results leave
            out.
        at_random: whether the players move and double at random.
    """

    name: str
    length: int
    games: int
    options: tuple[str, ...] = ()
    rules: str = ""
    at_random: bool = False

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Export:
    """The result of one setting once.

    Attributes:
        setting: how it was played.
        mat: the match text.
        sgf: the same as a game tree.
        log: what GNU Backgammon's board, dice and cube were at every play of random players.
    """

    setting: Setting
    mat: Path
    sgf: Path
    log: Path

    def matches(self, *, told: bool = False) -> Iterator[Match]:
        """The match text, read; ``told`` with the rules that it was played under and that it does not state."""
        for match in read_all(self.mat):
            yield replace(match, rules=parse_rules(self.setting.rules, match.rules)) if told else match

    @property
    def is_bent(self) -> bool:
        """Whether a rule that no export states decides about its scores."""
        return any(rule in self.setting.rules for rule in ("no-crawford", "automatic-doubles"))

    def boards(self) -> list[list[dict[str, Any]]]:
        """The log: for every game its plays."""
        logged: list[list[dict[str, Any]]] = json.loads(self.log.read_text(encoding="utf-8"))
        return logged


_PLAIN: Final = (
    "set variation standard",
    "set jacoby off",
    "set beavers 0",
    "set automatic doubles 0",
    "set automatic crawford on",
    "set cube use on",
    "set display off",
    *(f"set player {player} cube evaluation {what}" for player in (0, 1) for what in ("deterministic on", "noise 0")),
)

_NO_CRAWFORD: Final = ("set automatic crawford off",)
_NOISE: Final = (
    "set player 0 cube evaluation noise 0.4",
    "set player 1 cube evaluation noise 0.4",
    "set player 1 cube evaluation deterministic off",
)
"""Noise makes evaluating players double much too early and the others beaver, if they do not all hear the same."""


def _session(name: str, *options: str, rules: str = "", games: int = 6) -> Setting:
    return Setting(name, 0, games, options, rules)


EVALUATED: Final = (
    Setting("match-1", 1, 1),
    Setting("match-3", 3, 0),
    Setting("match-5", 5, 0),
    Setting("match-7", 7, 0),
    Setting("match-13", 13, 0),
    Setting("match-17", 17, 0),
    Setting("match-5-no-crawford", 5, 0, _NO_CRAWFORD, "no-crawford"),
    Setting("match-5-no-cube", 5, 0, ("set cube use off",), "cube-limit=1"),
    Setting("match-5-nackgammon", 5, 0, ("set variation nackgammon",)),
    Setting("match-11-noise", 11, 0, _NOISE),
    _session("money", rules="no-jacoby"),
    _session("money-jacoby", "set jacoby on"),
    _session("money-beavers", "set beavers 3", rules="beavers=3"),
    _session("money-raccoons-noise", "set beavers 6", *_NOISE, rules="beavers=6"),
    _session("money-beaver-noise", "set beavers 1", "set jacoby on", *_NOISE, rules="beavers=1"),
    # With the display off GNU Backgammon turns the cube by itself and forgets that at once.
    _session("money-automatic-forgotten", "set automatic doubles 2"),
    _session("money-automatic", "set automatic doubles 2", "set display on", rules="automatic-doubles=2"),
    _session(
        "money-everything", "set jacoby on", "set beavers 3", "set automatic doubles 3", "set display on", *_NOISE,
        rules="beavers=3,automatic-doubles=3",
    ),
    _session(
        "money-nackgammon", "set jacoby on", "set beavers 1", "set variation nackgammon", rules="beavers=1"
    ),
)  # fmt: skip
"""What GNU Backgammon plays by evaluation. Not Hypergammon: that takes a database where only root may put it."""

_VARIATIONS: Final = {
    "backgammon": "standard",
    "nackgammon": "nackgammon",
    **{f"hypergammon-{count}": f"{count}-chequer-hypergammon" for count in (1, 2, 3)},
}
_OPTIONS: Final[tuple[tuple[str, int, tuple[str, ...], str], ...]] = (
    ("1", 1, (), ""),
    ("3", 3, (), ""),
    ("7", 7, (), ""),
    ("25", 25, (), ""),
    ("5-no-crawford", 5, _NO_CRAWFORD, "no-crawford"),
    ("money", 0, (), "no-jacoby"),
    ("money-jacoby", 0, ("set jacoby on",), ""),
    ("money-beavers", 0, ("set beavers 4",), "beavers=4"),
    ("money-automatic", 0, ("set automatic doubles 3", "set display on"), "no-jacoby,automatic-doubles=3"),
    (
        "money-everything",
        0,
        ("set jacoby on", "set beavers 2", "set automatic doubles 2", "set display on"),
        "beavers=2,automatic-doubles=2",
    ),
)
RANDOM: Final = tuple(
    Setting(f"random-{variation}-{name}", length, 4, (f"set variation {word}", *options), rules, at_random=True)
    for (variation, word), (name, length, options, rules) in product(_VARIATIONS.items(), _OPTIONS)
)
"""What random players play: every variant with every option."""
SETTINGS: Final = EVALUATED + RANDOM

_AT_ONCE: Final = 8
"""Programs that run at the same time."""

_PREPARE: Final = (
    "set threads 1",
    "set delay 0",
    "set confirm new off",
    "set confirm save off",
    "set rng mersenne",
    *(f"set analysis {what} evaluation plies 0" for what in ("chequerplay", "cubedecision")),
)
_EVALUATING: Final = (
    "set automatic roll on",
    "set automatic bearoff on",
    "set automatic move on",
    *(
        f"set player {player} {what}"
        for player in (0, 1)
        for what in ("gnubg", "chequer evaluation plies 0", "cube evaluation plies 0")
    ),
)
_AT_RANDOM: Final = (
    "set automatic roll off",
    "set automatic bearoff off",
    "set automatic move off",
    "set automatic game off",
    "set player 0 human",
    "set player 1 human",
)


def export(
    folder: Path, seed: int, rounds: int = 1, settings: Iterable[Setting] = SETTINGS, *, analysed: int = 0
) -> list[Export]:
    """Let GNU Backgammon play every setting ``rounds`` times and export what it played.

    Args:
        folder: where the files go, ``money-jacoby-3.mat`` and the like.
        seed: of the dice and of the random players. Noise has no seed.
        rounds: matches or sessions a setting.
        settings: which.
        analysed: how many rounds of each setting are analysed, at 0-ply, before they are saved.
    """
    folder.mkdir(parents=True, exist_ok=True)
    seeded = [(seed + 1000 * number, setting) for number, setting in enumerate(settings)]
    groups = [[one] for one in seeded if not one[1].at_random]
    # To start takes longer than to play at random.
    at_random = [one for one in seeded if one[1].at_random]
    groups += [group for first in range(_AT_ONCE // 2) if (group := at_random[first :: _AT_ONCE // 2])]

    def play(group: list[tuple[int, Setting]]) -> list[Export]:
        return (_at_random if group[0][1].at_random else _evaluating)(folder, group, rounds, analysed)

    # While it evaluates it mostly sleeps.
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        exports = [done for part in pool.map(play, groups) for done in part]
    missing = [done.mat.name for done in exports if not done.mat.is_file()]
    if missing:
        raise RuntimeError(f"GNU Backgammon did not write {', '.join(missing[:5])}")
    return exports


def _evaluating(folder: Path, group: list[tuple[int, Setting]], rounds: int, analysed: int) -> list[Export]:
    """Play a setting by evaluation, told by commands."""
    ((seed, setting),) = group
    commands = [*_PREPARE, *_EVALUATING, *_PLAIN, *setting.options, f"set seed {seed}"]
    commands.append(f"set automatic game {'on' if setting.length else 'off'}")
    exports = [_files(folder, setting, number) for number in range(rounds)]
    for number, done in enumerate(exports):
        commands += [_new(setting), *["new game"] * (0 if setting.length else setting.games - 1)]
        commands += _save(done, number < analysed)
    _run([], "\n".join([*commands, ""]))
    return exports


def _at_random(folder: Path, group: list[tuple[int, Setting]], rounds: int, analysed: int) -> list[Export]:
    """Play settings with random players, who live in GNU Backgammon's own Python."""
    exports = [_files(folder, setting, number) for _, setting in group for number in range(rounds)]
    seeds = [(seed + number, number < analysed) for seed, _ in group for number in range(rounds)]
    jobs = [
        {
            "commands": [
                *_PREPARE,
                *_AT_RANDOM,
                *_PLAIN,
                *done.setting.options,
                f"set seed {seed}",
                _new(done.setting),
            ],
            "seed": seed,
            "length": done.setting.length,
            "games": done.setting.games,
            "after": _save(done, analyse),
            "log": str(done.log),
        }
        for done, (seed, analyse) in zip(exports, seeds, strict=True)
    ]
    _run(["-p", str(PLAYERS)], "", jobs)
    return exports


def _files(folder: Path, setting: Setting, number: int) -> Export:
    return Export(setting, *(folder / f"{setting.name}-{number}{suffix}" for suffix in (".mat", ".sgf", ".json")))


def _new(setting: Setting) -> str:
    return f"new match {setting.length}" if setting.length else "new session"


def _save(done: Export, analyse: bool) -> list[str]:
    return [*["analyse match"] * analyse, f'export match mat "{done.mat}"', f'save match "{done.sgf}"']


def _run(options: list[str], commands: str, jobs: Sequence[object] = ()) -> None:
    assert PROGRAM is not None
    # Its own settings come from the user's folder otherwise, and are saved there.
    with tempfile.TemporaryDirectory() as home:
        todo = Path(home) / "jobs.json"
        todo.write_text(json.dumps(jobs), encoding="utf-8")
        done = subprocess.run(
            [PROGRAM, "-t", "-q", *options],
            input=commands.encode(),
            capture_output=True,
            check=False,
            env={**os.environ, "HOME": home, "LC_ALL": "C.UTF-8", "GNUBG_JOBS": str(todo)},
        )
    if done.returncode or b"Traceback" in done.stdout + done.stderr:
        said = (done.stdout[-500:] + done.stderr[-1500:]).decode("utf-8", "replace")
        raise RuntimeError(f"GNU Backgammon stopped: {said}")


def findings(exports: Iterable[Export], *, told: bool = False) -> list[tuple[Path, Finding]]:
    """Everything that is found in the match texts."""
    return [(done.mat, found) for done in exports for match in done.matches(told=told) for found in check(match)]


def counts(exports: Iterable[Export]) -> Counter[str]:
    """How many games, plays and cube actions of each kind the match texts hold."""
    counted: Counter[str] = Counter()
    for done in exports:
        for match in done.matches():
            counted["games"] += len(match.games)
            for game in match.games:
                for entry in game.entries:
                    counted["plays" if isinstance(entry, CheckerPlay) else type(entry).__name__.lower()] += 1
    return counted


def main(arguments: Sequence[str] | None = None) -> int:
    """Export, check, count; 1 when a record has an error."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=4, help="matches or sessions a setting (default: 4)")
    parser.add_argument("--analysed", type=int, default=0, help="how many of them are analysed (default: none)")
    options = parser.parse_args(arguments)
    if PROGRAM is None:
        print("GNU Backgammon is not installed", file=sys.stderr)
        return 2
    exports = export(options.folder, options.seed, options.rounds, analysed=options.analysed)
    held = ", ".join(f"{count} {what}" for what, count in counts(exports).items())
    print(f"{len(exports)} files: {held}")
    failed = False
    for told in (False, True):
        found = findings([each for each in exports if told or not each.is_bent], told=told)
        print(f"{'told the rules' if told else 'as they are'}: {len(found)} findings")
        by_code = Counter((one.severity, one.code.id, one.code.name) for _, one in found)
        for (severity, code, name), count in sorted(by_code.items(), reverse=True):
            file, example = next((path, one) for path, one in found if one.code.id == code)
            print(f"{count:>6} {severity} {code} {name}: {file.name}: {example.message}")
            failed = failed or str(severity) == "error"
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
