"""Print the folders of tests whose thorough tests a change calls for, one a line: `.ci/run` makes them.

A change is what differs from the commit that `BGTOOLS_SINCE` names, else from where this branch left ``origin/main``,
else from the commit before. What no row covers calls for all of them, as does a change of more than three rows.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TABLE = (
    ("bgtools/analysis/", "tests/analysis"),
    ("bgtools/assistant/", "tests/assistant"),
    ("bgtools/bearoff/ bgtools/met/", "tests/bearoff tests/met"),
    ("bgtools/board/", "tests/board"),
    ("bgtools/checks/ bgtools/findings/", "tests/checks tests/findings tests/test_slips.py"),
    ("bgtools/cli/", "tests/cli tests/test_outputs.py"),
    ("bgtools/comparison/", "tests/comparison"),
    ("bgtools/conversion/ bgtools/record/", "tests/formats tests/rare"),
    ("bgtools/decoder/ bgtools/repair/", "tests/decoder tests/repair tests/test_slips.py"),
    ("bgtools/drawing/", "tests/drawing tests/reports"),
    ("bgtools/editor/", "tests/editor"),
    ("bgtools/engines/", "tests/engines tests/test_killed.py"),
    ("bgtools/formats/ grammars/", "tests/formats tests/rare tests/fuzz tests/corpus tests/test_gnubg_exports.py"),
    ("bgtools/library/ bgtools/cli/library/", "tests/library"),
    ("bgtools/site/ bgtools/cli/_site.py bgtools/analysis/events.py", "tests/published"),
    ("bgtools/positions/", "tests/positions"),
    ("bgtools/replayer/ bgtools/rules/", "tests/replayer tests/rules tests/corpus tests/test_slips.py"),
    ("bgtools/reports/", "tests/reports"),
    ("docs/", "tests/site"),
    (".ci/ .github/ action.yml .pre-commit-hooks.yaml", "tests/ci"),
    ("CHANGELOG.md CONTRIBUTING.md README.md SECURITY.md LICENSE .gitignore", ""),
    ("bgtools/_ bgtools/py.typed bgtools/extend.py bgtools/plugins.py bgtools/public.py bgtools/source.py", "tests"),
)
"""Beginnings of paths, and the tests whose subject lies there; the last row is of the whole program."""
MOST_ROWS = 3


def rows_of(path: str) -> list[str]:
    """The tests that a changed file calls for, a text for each row; a file of tests calls for its folder."""
    if path.startswith("tests/"):
        folder = "/".join(path.split("/")[:2])
        return [folder if (ROOT / folder).is_dir() or "/test_" in folder else "tests"]
    return [tests for beginnings, tests in TABLE if path.startswith(tuple(beginnings.split()))]


def tests_for(paths: list[str]) -> list[str]:
    """The folders and files of tests that a change of some files calls for; ``tests`` alone for all."""
    rows = {row for path in paths for row in rows_of(path) or ["tests"]} - {""}
    found = sorted({test for row in rows for test in row.split()})
    if "tests" in found or len(rows) > MOST_ROWS:
        return ["tests"]
    return [each for each in found if (ROOT / each).exists()]


def changed() -> list[str]:
    """The files that a change touches, those that Git does not know yet among them."""

    def git(*arguments: str) -> list[str]:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout.split() if done.returncode == 0 else []

    head = git("rev-parse", "HEAD")
    left = git("merge-base", "HEAD", "origin/main")
    since = os.environ.get("BGTOOLS_SINCE") or (left[0] if left and left != head else "HEAD^")
    if not git("rev-parse", "--verify", f"{since}^{{commit}}"):
        return [""]  # the first commit, or a clone that has no other: nobody knows
    return [*git("diff", "--name-only", since), *git("ls-files", "--others", "--exclude-standard")]


if __name__ == "__main__":
    print("\n".join(tests_for(sys.argv[1:] or changed())))
