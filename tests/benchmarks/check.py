"""How long checking takes: the command as a whole, its parts, and GNU Backgammon's import of the same files.

    python tests/benchmarks/check.py [FOLDER] [--files N] [--rounds N]

Prints first the milliseconds of processor time that `bgtools check -j 1` takes for a record, its start-up taken
off, and their ratio to the time in which Python imports typer; then how the time is shared among reading, replay
and checks; then GNU Backgammon, which only reads and judges nothing. Of several rounds the fastest counts. The first
round reads every roll for the first time, and is told too.
"""

from __future__ import annotations

import argparse
import gc
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from math import inf
from pathlib import Path

from bgtools.checks.checking import check
from bgtools.cli._common import tune_garbage_collector
from bgtools.formats.reading import read_all
from bgtools.record.record import CheckerPlay
from bgtools.replayer.match import replay

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus" / "mat"


@dataclass(frozen=True, slots=True)
class Round:
    """Processor seconds of checking every file once, on one core, and what there was."""

    reading: float
    replay: float
    checks: float
    matches: int
    rolls: int
    findings: int

    @property
    def seconds(self) -> float:
        return self.reading + self.replay + self.checks

    def __str__(self) -> str:
        shares = ", ".join(
            f"{name} {100 * part / self.seconds:.0f}%"
            for name, part in (("reading", self.reading), ("replay", self.replay), ("checks", self.checks))
        )
        return f"{speed(self.seconds, self.matches)}: {shares}"


def speed(seconds: float, matches: int) -> str:
    return f"{matches / seconds:7.0f} matches/s, {1000 * seconds / matches:6.2f} ms a match"


def check_all(files: list[Path]) -> Round:
    """Check every file."""
    rolls = findings = matches = 0
    reading = replaying = checking = 0.0
    now = time.process_time
    for file in files:
        start = now()
        found = read_all(file)
        read_at = now()
        games = [replay(match) for match in found]
        replayed_at = now()
        findings += sum(len(check(match, replays)) for match, replays in zip(found, games, strict=True))
        reading, replaying, checking = (
            reading + read_at - start,
            replaying + replayed_at - read_at,
            checking + now() - replayed_at,
        )
        matches += len(found)
        rolls += sum(
            isinstance(entry, CheckerPlay) for match in found for game in match.games for entry in game.entries
        )
    return Round(reading, replaying, checking, matches, rolls, findings)


def run_command(files: list[Path], rounds: int) -> str:
    """Let the command check the files: milliseconds a record and times the import of typer."""

    def seconds(*arguments: str) -> float:
        start = _children()
        subprocess.run([sys.executable, *arguments], capture_output=True, check=False, timeout=600)
        return _children() - start

    command = ("-m", "bgtools", "check", "-j", "1")
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, arguments in {
            "typer": ("-c", "import typer"),
            "start-up": (*command, str(files[0])),
            "all": (*command, *map(str, files)),
        }.items():
            best[name] = min(best.get(name, inf), seconds(*arguments))
    a_record = (best["all"] - best["start-up"]) / max(len(files) - 1, 1)
    return (
        f"{1000 * a_record:.2f} ms a record, {a_record / best['typer']:.4f} of importing typer; "
        f"one record with start-up {best['start-up'] / best['typer']:.2f} of importing typer"
    )


def _children() -> float:
    """Processor seconds of the programs that were run so far."""
    times = os.times()
    return times.children_user + times.children_system


def import_all(files: list[Path], program: str) -> tuple[float, list[Path]]:
    """Let GNU Backgammon import every file: processor seconds without its start-up, and the files that end it.

    It is one process as long as it lives; after a file that ends it another one goes on after it.
    """
    quiet = "set automatic game off\nset confirm new off\nset confirm save off\nset display off\n"

    def run(commands: str) -> tuple[float, int, int]:
        start = _children()
        done = subprocess.run(
            [program, "-t", "-q", "-r"], input=commands.encode(), capture_output=True, check=False, timeout=600
        )
        return _children() - start, done.returncode, done.stdout.count(b"The score")

    startup = min(run(quiet + "exit\n")[0] for _ in range(3))
    total, fatal, at = 0.0, [], 0
    while at < len(files):
        commands = "".join(f'import mat "{file}"\nshow score\n' for file in files[at:])
        seconds, status, imported = run(quiet + commands + "exit\n")
        total += seconds - startup
        if status == 0:
            break
        fatal.append(files[min(at + imported, len(files) - 1)])
        at += imported + 1
    return total, fatal


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=CORPUS)
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    files = sorted(path for path in options.folder.iterdir() if path.is_file())[: options.files]
    if not files:
        sys.exit(f"no files in {options.folder}")
    print(f"bgtools check -j 1        {run_command(files, options.rounds)}")
    tune_garbage_collector()
    gc.collect()
    rounds = [check_all(files) for _ in range(options.rounds)]
    first, best = rounds[0], min(rounds, key=lambda each: each.seconds)
    print(f"{len(files)} files, {best.matches} matches, {best.rolls} rolls, {best.findings} findings")
    print(f"bgtools check, first time {first}")
    print(f"bgtools check             {best}")
    program = shutil.which("gnubg", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
    if program is None:
        print("gnubg is not installed, so there is nothing to compare with")
        return
    gnubg, fatal = import_all(files, program)
    print(f"gnubg import mat          {speed(gnubg, best.matches)}")
    print(f"bgtools / gnubg = {first.seconds / gnubg:.1f} the first time, {best.seconds / gnubg:.1f} at best")
    if fatal:
        print(f"gnubg ended in the middle of {len(fatal)} of the files, such as {fatal[0].name}")


if __name__ == "__main__":
    main()
