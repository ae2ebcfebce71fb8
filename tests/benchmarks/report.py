"""How long a report without an engine takes: ``python tests/benchmarks/report.py [RUNS]``."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from paired import command, tell

SAMPLE = str(Path(__file__).parents[2] / "samples" / "seven-point.mat")

if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        report = command("report", SAMPLE, "--engine", "none", "--output", str(Path(folder) / "report"))
        tell(
            "import pandas, matplotlib.figure",
            {"bgtools report FILE --engine none": (report, 1.5)},
            int(sys.argv[1]) if len(sys.argv) > 1 else 7,
        )
