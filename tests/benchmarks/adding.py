"""How fast `bgtools library add` is, how much memory it takes, and how large the library becomes.

``python tests/benchmarks/adding.py [--matches 10000] [--jobs 2] [--folder FOLDER]`` plays matches at random (they
are kept in FOLDER for the next run), adds them to a new library, and prints matches a second, the largest memory of
any process when a tenth and when all of them were added, and the size of the library by that of the files.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import bgtools
from selfplay import random_match

LENGTHS = (1, 3, 5, 7, 7, 9, 11, 5)
NAMES = ("Ann", "Bob", "Cara", "Dan", "Eve", "Finn", "Gus", "Hana", "Ida")


def play(folder: Path, seed: int) -> None:
    """Write a match; the same seed gives the same."""
    path = folder / f"{seed // 1000:03}" / f"{seed:06}.mat"
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    match = random_match(seed, LENGTHS[seed % 8], doubling=0.04, resigning=0.01)
    one, two = seed % 9, (seed // 9) % 8
    players = (NAMES[one], NAMES[two if two < one else two + 1])
    path.write_bytes(bgtools.convert(replace(match, players=players), to="mat", verify=False).data)


ADD = """
import resource, sys
from bgtools.library.library import Library
found = Library(sys.argv[1]).add(sys.argv[3:], jobs=int(sys.argv[2]))
own, children = (resource.getrusage(who).ru_maxrss // 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(found.matches, own, children)
"""


def add(library: Path, jobs: int, paths: list[Path]) -> tuple[int, int, float]:
    """Add files; how many matches, the largest memory of a process in MB, and the seconds."""
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", ADD, str(library), str(jobs), *map(str, paths)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    seconds = time.perf_counter() - begun
    matches, own, children = map(int, done.stdout.split())
    return matches, max(own, children), seconds


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch) / "records"
        with ProcessPoolExecutor(options.jobs) as pool:
            list(pool.map(partial(play, folder), range(options.matches), chunksize=50))
        folders = sorted(each for each in folder.iterdir() if int(each.name) * 1000 < options.matches)
        tenth = max(1, len(folders) // 10)
        for name, chosen in (("a tenth", folders[:tenth]), ("all", folders)):
            matches, memory, seconds = add(Path(scratch) / name, options.jobs, chosen)
            ratio = size(Path(scratch) / name) / sum(map(size, chosen))
            print(
                f"{name}: {matches:,} matches, {matches / seconds:.0f} a second with {options.jobs} processes, "
                f"at most {memory:,} MB a process, {ratio:.2f} of the size of the files"
            )


if __name__ == "__main__":
    main()
