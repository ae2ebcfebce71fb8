"""How long this version takes to check each of many records, as a ratio to another one.

    python tests/benchmarks/against.py OTHER [FOLDER ...] [--files N] [--rounds N] [--most N]

``OTHER`` is a folder with the sources of another version, such as a worktree of an earlier commit. Both run
`bgtools check -j 1` over the same files in two processes that take turns, file by file, so that a busy machine counts
for both. Start-up, and the first file, which loads what reading needs, are not counted. Of several rounds the least
time of a file counts. Prints the sum over all files, the median ratio of a file, and the files that take most.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parents[2]
CORPUS = HERE.parent / "shared" / "corpus" / "mat"

_PROGRAM = """
import os, sys, time
from bgtools.cli import main
try:
    from bgtools.cli import _checking as checking
except ImportError:  # a version before it had that name
    from bgtools.cli import _batch as checking

turns, told = sys.stdin.buffer, os.fdopen(int(sys.argv.pop(1)), "w", buffering=1)
check_file = checking.check_file

def timed(candidate, task):
    turns.readline()
    before = time.process_time()
    try:
        return check_file(candidate, task)
    finally:
        print(time.process_time() - before, file=told)

checking.check_file = timed
sys.argv[0] = "bgtools"
main()
"""
"""The command ``bgtools`` of whatever version is imported, which waits for its turn before each file."""


@dataclass
class Version:
    """A running check of all files by one version."""

    process: subprocess.Popen[bytes]
    told: int

    def next(self) -> float:
        """Let it check its next file: seconds of processor time."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        return float(os.read(self.told, 100))


def start(stack: ExitStack, sources: Path, files: list[Path]) -> Version:
    """Start a version, which is ended with the stack."""
    read, write = os.pipe()
    process = stack.enter_context(
        subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, str(write), "check", "-j", "1", *map(str, files)],
            cwd=sources, env={**os.environ, "PYTHONPATH": str(sources)}, pass_fds=(write,),
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
    )  # fmt: skip
    os.close(write)
    stack.callback(os.close, read)
    stack.callback(process.kill)
    return Version(process, read)


def measure(sources: tuple[Path, Path], files: list[Path]) -> list[tuple[float, float]]:
    """Seconds that both versions take for each file but the first."""
    times = []
    with ExitStack() as stack:
        first, second = (start(stack, each, files) for each in sources)
        for at in range(len(files)):
            if at % 2:
                other = second.next()
                times.append((first.next(), other))
            else:
                times.append((first.next(), second.next()))
    return times[1:]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("other", type=Path)
    parser.add_argument("folders", nargs="*", type=Path, default=[CORPUS])
    parser.add_argument("--files", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--most", type=int, default=12, help="how many files are told that take most")
    options = parser.parse_args()
    files = sorted(path.resolve() for folder in options.folders for path in folder.iterdir() if path.is_file())
    # A file from every part of the folder, if not all are wanted.
    files = files[:: max(1, len(files) // options.files)][: options.files]
    if len(files) < 2:
        sys.exit(f"no files in {', '.join(map(str, options.folders))}")
    rounds = [measure((HERE, options.other.resolve()), files) for _ in range(options.rounds)]
    best = [tuple(min(times) for times in zip(*each, strict=True)) for each in zip(*rounds, strict=True)]
    here, other = (sum(column) for column in zip(*best, strict=True))
    ratio = median(one / two for one, two in best)
    print(f"{len(best)} files: {here:.2f} s against {other:.2f} s, ratio of the sums {here / other:.3f}")
    print(f"median of the files' ratios {ratio:.3f}")
    print(f"the {options.most} that take most: seconds here, there")
    slowest = sorted(zip(best, files[1:], strict=True), reverse=True)[: options.most]
    for (one, two), path in slowest:
        print(f"{one:8.3f} {two:8.3f}  {path.name}")


if __name__ == "__main__":
    main()
