"""The names that `import bgtools` gives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import bgtools


def test_every_public_name_is_there_and_stays_what_it_is() -> None:
    first = {name: getattr(bgtools, name) for name in bgtools.__all__}
    match = bgtools.read(Path(__file__).parents[1] / "samples" / "one-point.mat")
    bgtools.check(match)
    bgtools.analyse(match, engine=None)
    assert {name: getattr(bgtools, name) for name in bgtools.__all__} == first


def test_importing_it_loads_neither_parser_nor_tables() -> None:
    heavy = {"lark", "pandas", "matplotlib", "typer"}
    code = f"import sys, bgtools; bgtools.analyse; print({heavy} & set(sys.modules) or '')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
