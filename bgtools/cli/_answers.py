"""The file of answers that quiz keeps and that the page to train with saves: where it lies, how it is read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import typer

from bgtools._disk import make_folders, read_regular, save, why
from bgtools.analysis.repetition import Progress
from bgtools.cli import _common

_LARGEST: Final = 1 << 26
"""The most bytes of a file of answers."""


def usual_answers() -> Path:
    """The file of answers where none is named."""
    named = os.environ.get("BGTOOLS_DATA")
    if named:
        return Path(named) / "quiz.json"
    from platformdirs import user_data_path

    return user_data_path("bgtools", appauthor=False) / "quiz.json"


def read_progress(path: Path, *, may_be_missing: bool = False) -> Progress:
    """The answers in a file. A file that holds something else ends the command, and is not written over."""
    try:
        return Progress.read(read_regular(path, _LARGEST))
    except FileNotFoundError as error:
        if may_be_missing:
            return Progress()
        _common.print_error(f"{path}: cannot be read: {why(error)}")
    except OSError as error:
        _common.print_error(f"{path}: cannot be read: {why(error)}")
    except ValueError:
        _common.print_error(f"{path} keeps no answers of a quiz; name another file with --progress")
    raise typer.Exit(2)


def write_progress(progress: Progress, path: Path) -> None:
    """Keep the answers; where that cannot be, say so and go on."""
    try:
        make_folders(path.parent)
        save(progress.text().encode(), path, force=True)
    except OSError as error:
        _common.print_error(f"{path}: cannot be written: {why(error)}; the answers are not kept")
