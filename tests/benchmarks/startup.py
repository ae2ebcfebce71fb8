"""How long a command takes to start: ``python tests/benchmarks/startup.py [RUNS]``."""

from __future__ import annotations

import sys
from pathlib import Path

from paired import command, tell

SAMPLE = str(Path(__file__).parents[2] / "samples" / "seven-point.mat")

if __name__ == "__main__":
    tell(
        "import typer",
        {"bgtools --version": (command("--version"), 1.3), "bgtools check FILE": (command("check", SAMPLE), 3.0)},
        int(sys.argv[1]) if len(sys.argv) > 1 else 15,
    )
