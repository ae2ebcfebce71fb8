"""How long checking takes, beside GNU Backgammon's import of the same files in the same run.

    python tests/bench_check.py [FOLDER] [--files N]

Prints milliseconds a match for both and their ratio. GNU Backgammon only reads; it judges nothing.
"""

from __future__ import annotations

import argparse
import gc
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from bgtools.checks import check
from bgtools.cli._common import relax_collector
from bgtools.formats import read_all
from bgtools.record import CheckerPlay

CORPUS = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus" / "mat"


def check_all(files: list[Path]) -> tuple[float, float, int, int]:
    """Check every file on one core: wall seconds, processor seconds, rolls, findings."""
    rolls = findings = 0
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    for file in files:
        for match in read_all(file):
            findings += len(check(match))
            rolls += sum(isinstance(entry, CheckerPlay) for game in match.games for entry in game.entries)
    return time.perf_counter() - wall, time.process_time() - cpu, rolls, findings


def import_all(files: list[Path], program: str) -> tuple[float, list[Path]]:
    """Let GNU Backgammon import every file: wall seconds without its start-up, and the files that end it.

    It is one process as long as it lives; after a file that ends it another one goes on behind it.
    """
    quiet = "set automatic game off\nset confirm new off\nset confirm save off\nset display off\n"

    def run(commands: str) -> tuple[float, int, int]:
        start = time.perf_counter()
        done = subprocess.run(
            [program, "-t", "-q", "-r"], input=commands.encode(), capture_output=True, check=False, timeout=600
        )
        return time.perf_counter() - start, done.returncode, done.stdout.count(b"The score")

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
    options = parser.parse_args()
    files = sorted(path for path in options.folder.iterdir() if path.is_file())[: options.files]
    if not files:
        sys.exit(f"no files in {options.folder}")
    relax_collector()
    wall, cpu, rolls, findings = check_all(files)
    print(f"{len(files)} files, {rolls} rolls, {findings} findings")
    print(f"bgtools check     {1000 * wall / len(files):7.2f} ms a file (processor {1000 * cpu / len(files):.2f} ms)")
    program = shutil.which("gnubg", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
    if program is None:
        print("gnubg is not installed, so there is nothing to compare with")
        return
    gnubg, fatal = import_all(files, program)
    print(f"gnubg import mat  {1000 * gnubg / len(files):7.2f} ms a file; bgtools / gnubg = {wall / gnubg:.1f}")
    if fatal:
        print(f"gnubg ended in the middle of {len(fatal)} of the files, such as {fatal[0].name}")


if __name__ == "__main__":
    main()
