"""Libraries that several modules of tests ask."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from analysed import PLAYED, course, multiplied, put_judged

from bgtools.library import Library

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def judged_files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("records")
    return [put_judged(folder / f"{number}.sgf", match) for number, match in enumerate(PLAYED)]


@pytest.fixture(scope="session")
def small(judged_files: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Library:
    library = Library(tmp_path_factory.mktemp("small"))
    library.add(judged_files)
    return library


@pytest.fixture(scope="session")
def many(small: Library, tmp_path_factory: pytest.TempPathFactory) -> Library:
    matches = course(random.Random(2), 60, worse=4.0, phases=frozenset({"opening"}))
    return multiplied(small, tmp_path_factory.mktemp("many"), matches)
