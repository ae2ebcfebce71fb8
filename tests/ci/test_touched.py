"""The table of `.ci/touched.py`: which thorough tests a change calls for."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from wasm_engine import module_of

ROOT = Path(__file__).parents[2]


@cache
def touched() -> Any:
    return module_of(ROOT / ".ci" / "touched.py")


@cache
def files() -> list[str]:
    found = [path for folder in ("bgtools", "grammars", "docs") for path in (ROOT / folder).rglob("*")]
    return [path.relative_to(ROOT).as_posix() for path in found if path.is_file() and "__pycache__" not in path.parts]


def test_every_file_of_the_program_and_its_grammars_is_in_a_row() -> None:
    assert len(files()) > 600
    assert [path for path in files() if not touched().rows_of(path)] == []


def test_every_row_names_files_and_tests_that_are_there() -> None:
    rows = touched().TABLE
    assert rows
    for beginnings, tests in rows:
        for beginning in beginnings.split():
            assert (ROOT / beginning).exists() or any(path.startswith(beginning) for path in files()), beginning
        for test in tests.split():
            assert (ROOT / test).exists(), test


@pytest.mark.parametrize(
    ("paths", "tests"),
    [
        (["bgtools/editor/document.py"], ["tests/editor"]),
        (["bgtools/cli/library/find.py"], ["tests/cli", "tests/library", "tests/test_outputs.py"]),
        (["tests/reports/test_page.py", "CHANGELOG.md"], ["tests/reports"]),
        (["tests/test_shell.py"], ["tests/test_shell.py"]),
        (["bgtools/_disk.py"], ["tests"]),
        (["tests/conftest.py"], ["tests"]),
        (["something/new.py"], ["tests"]),
        ([f"bgtools/{room}/x.py" for room in ("editor", "board", "reports", "library")], ["tests"]),
        (["CHANGELOG.md"], []),
        ([""], ["tests"]),
    ],
)
def test_a_change_calls_for_the_tests_of_its_rooms_and_a_wide_one_for_all(paths: list[str], tests: list[str]) -> None:
    assert touched().tests_for(paths) == tests
