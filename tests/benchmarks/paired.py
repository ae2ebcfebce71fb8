"""Processor time of programs, as ratios to that of another which runs in turn with them."""

from __future__ import annotations

import os
import subprocess
import sys
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def spent(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> tuple[float, float]:
    """Processor time that a program takes, and time by the clock, both in seconds."""
    before = os.times()
    subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, check=True, env=environment)
    after = os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return processor, after.elapsed - before.elapsed


def python(code: str, *arguments: str) -> tuple[float, float]:
    """The same of a Python program, its start included."""
    # An installed program is compiled; without this a folder of sources would be compiled anew in every run.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return spent([sys.executable, "-c", code, *arguments], environment)


def seconds(code: str, *arguments: str) -> float:
    """Processor time that a Python program takes, its start included."""
    return python(code, *arguments)[0]


def command(*arguments: str) -> tuple[str, ...]:
    """What the installed command ``bgtools`` does with these arguments."""
    return ("import sys; from bgtools.cli import main; sys.argv[0] = 'bgtools'; main()", *arguments)


def tell(base: str, programs: dict[str, tuple[tuple[str, ...], float]], runs: int) -> None:
    """Print for every program the median ratio of its time to that of ``base``, and the ratio that it is to keep."""
    seconds(base)
    for program, _ in programs.values():
        seconds(*program)  # compiles what is not compiled yet
    ratios: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(runs):
        for name, (program, _) in programs.items():
            ratios[name].append(seconds(*program) / seconds(base))
    for name, (_, wanted) in programs.items():
        print(f"{name}: {median(ratios[name]):.2f} × the time of `{base}`, wanted ≤ {wanted}")
