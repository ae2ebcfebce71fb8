"""What the levels of `sage` and whole reports cost by GNU Backgammon: ``python tests/benchmarks/levels.py FILE…``.

Everything runs one after the other, and processor time is counted, of whole runs time by the clock as well. GNU
Backgammon imports the match, analyses it on one thread, as it does by default, and prints its statistics; its analysis
alone is that less a run that only imports. A report uses all processors.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from paired import command, python, spent

from bgtools import read, write
from bgtools.engines.gnubg.session import find_program

ANALYSE = """
import gc, sys, time
gc.set_threshold(500_000, 20, 20)  # as the command line does
from bgtools import read
from bgtools.analysis.match_analysis import analyse
from bgtools.engines.registry import create, parse_specs
from bgtools.replayer.match import replay
match, (spec,) = read(sys.argv[1]), parse_specs(sys.argv[2])
games, engine = replay(match), create(spec, threads=1)
begun = time.process_time()
analyse(match, engine, games=games)
print(time.process_time() - begun)
"""
SCRIPT = """
set automatic game off
set confirm new off
set confirm save off
set threads 1
set analysis chequerplay evaluation plies {plies}
set analysis chequerplay evaluation cubeful on
set analysis cubedecision evaluation plies {plies}
set analysis cubedecision evaluation cubeful on
import mat "{path}"
"""
WHOLE = "analyse match\nshow statistics match\n"


def gnubg(record: Path, plies: int, then: str) -> tuple[float, float]:
    """Processor time and time by the clock of GNU Backgammon that runs a script."""
    script = record.with_suffix(".gnubg")
    script.write_text(SCRIPT.format(plies=plies, path=record) + then)
    return spent([find_program(), "-t", "-q", "-c", str(script)])


def alone(record: Path, spec: str) -> float:
    """Processor time of the analysis alone, by an engine that is loaded."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    arguments = [sys.executable, "-c", ANALYSE, str(record), spec]
    done = subprocess.run(arguments, capture_output=True, check=True, text=True, env=environment)
    return float(done.stdout)


def measure(files: list[str], levels: dict[str, tuple[int, float]]) -> None:
    """Print for every level the ratio over all files."""
    whole: list[tuple[float, float]] = []
    report: list[tuple[float, float]] = []
    own = dict.fromkeys(levels, 0.0)
    theirs: dict[int, float] = dict.fromkeys((plies for plies, _ in levels.values()), 0.0)
    with TemporaryDirectory() as folder:
        for number, file in enumerate(files):
            record = Path(folder) / f"{number}.mat"
            write(read(file), record, verify=False)
            only, _ = gnubg(record, 1, "")
            for plies in theirs:
                theirs[plies] += gnubg(record, plies, WHOLE)[0] - only
            for level in own:
                own[level] += alone(record, f"sage:{level}")
            whole.append(gnubg(record, 1, WHOLE))
            output = str(Path(folder) / "report")
            arguments = ("report", str(record), "--level", "quick", "--no-cache", "--force", "--output", output)
            report.append(python(*command(*arguments)))
    for level, (plies, wanted) in levels.items():
        ratio = own[level] / theirs[plies]
        print(f"sage:{level}: {own[level]:.1f} s, {ratio:.2f} × GNU Backgammon's {plies}-ply, wanted ≤ {wanted}")
    for at, kind in enumerate(("of processor", "by the clock")):
        took = sum(run[at] for run in report)
        ratio = took / sum(run[at] for run in whole)
        print(f"bgtools report --level quick: {took:.1f} s {kind}, {ratio:.2f} × its whole run at 1-ply, wanted ≤ 2")


if __name__ == "__main__":
    known = {"quick": (1, 1.2), "standard": (2, 0.45), "deep": (2, 0.9)}
    asked = [name for name in sys.argv[1:] if name in known]
    measure([name for name in sys.argv[1:] if name not in known], {name: known[name] for name in asked or known})
