"""Which tests a run makes: the quick ones, the thorough ones, or a share of those that the commit decides.

`@pytest.mark.thorough` takes a test out of the quick suite; `@pytest.mark.quick(one_in=5)` takes all but one in five of
its cases out of it, and `@pytest.mark.needs(is_there, "what")` a test that needs more than the README's command
installs. ``--within SECONDS`` goes through the chosen tests in an order that the commit decides and begins
none after that time, so that a few commits make all; `BGTOOLS_SHARE=5` takes the order of another commit.
"""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zlib import crc32

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

VARIABLE: Final = "BGTOOLS_SHARE"


@cache
def number() -> int:
    """The number of the commit, by which tests take turns; 0 without Git, as in a source distribution."""
    if named := os.environ.get(VARIABLE, ""):
        return int(named)
    tree = subprocess.run(
        ["git", "rev-parse", "HEAD^{tree}"], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    ).stdout
    return int(tree[:6] or "0", 16)


def mark_thorough(items: Sequence[pytest.Item]) -> None:
    """Mark what the quick suite leaves out besides: what needs more than is installed, all but each n-th of many."""
    cases: dict[str, int] = {}
    for item in items:
        for mark in item.iter_markers("needs"):
            is_there, what = mark.args
            item.add_marker("thorough")
            if not is_there:
                item.add_marker(pytest.mark.skip(reason=f"{what} is not here"))
        if (few := item.get_closest_marker("quick")) is not None:
            test = item.nodeid.partition("[")[0]
            cases[test] = cases.get(test, -1) + 1
            if cases[test] % few.kwargs["one_in"]:
                item.add_marker("thorough")


def in_turn(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The tests in the order of this commit, module by module: those of one share what is costly.

    Those that have a limit of their own come first, for they take long.
    """

    def turn(item: pytest.Item) -> tuple[bool, int]:
        module = item.nodeid.partition("::")[0]
        return item.get_closest_marker("timeout") is None, crc32(f"{number()} {module}".encode())

    return sorted(items, key=turn)
