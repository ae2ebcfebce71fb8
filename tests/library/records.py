"""Records for a library: matches that are made up, in files."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import bgtools
from bgtools.library.library import Library
from selfplay import random_match

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.record.record import Match

NAMES = ("Ann", "Bob", "Cara", "Dan")


@cache
def made(seed: int, length: int = 3) -> Match:
    """A match of two of four players, the same for the same seed."""
    match = random_match(seed, length, doubling=0.05, resigning=0.01)
    return replace(match, players=(NAMES[seed % 4], NAMES[(seed + 1) % 4]))


def put(folder: Path, *seeds: int, length: int = 3, to: str = "mat") -> list[Path]:
    """Write a made-up match for each seed into a folder, in a format."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for seed in seeds:
        path = folder / f"{seed:04}.{to.partition(':')[0]}"
        path.write_bytes(bgtools.convert(made(seed, length), to=to, verify=False).data)
        paths.append(path)
    return paths


@cache
def _made_once(make: Callable[[Path], object]) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="bgtools-library-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    make(folder)
    return folder


def ready(folder: Path, make: Callable[[Path], object]) -> Library:
    """The library ``library`` of a folder that ``make`` fills once for all tests: a copy for this one."""
    shutil.copytree(_made_once(make), folder, dirs_exist_ok=True)
    return Library(folder / "library")


def files_of(library: Path) -> dict[str, bytes]:
    """The tables of a library, file by file."""
    return {str(path.relative_to(library)): path.read_bytes() for path in sorted(library.rglob("*.parquet"))}
