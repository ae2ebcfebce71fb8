"""The folder of a report: written whole or not at all, and never over what is not ours."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import unicodedata
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

REPORT: Final = "report.json"
"""The file that marks a folder as a report; its ``files`` name everything that belongs to it."""

_UNSAFE = re.compile(r"[^\w.()+-]+")
_HYPHENS = re.compile(r"-{2,}")
_RESERVED: Final = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}
_LONGEST: Final = 100


class FolderRefused(Exception):
    """The folder holds something that no report of ours has put there. The message names it."""


def folder_name(record_name: str) -> str:
    """A folder name for the report of a record: its file name without ending, made safe on every system."""
    stem = Path(record_name).stem if record_name not in ("-", "<stdin>") else "stdin"
    name = _HYPHENS.sub("-", _UNSAFE.sub("-", unicodedata.normalize("NFC", stem))).strip(".-")[:_LONGEST] or "match"
    return f"{name}-report" if name.casefold() not in _RESERVED else f"match-{name}-report"


@contextmanager
def report_folder(target: Path, *, force: bool = False) -> Iterator[Path]:
    """Give a fresh folder to write into; when the block ends well, its files become those of ``target``.

    When the block fails or is interrupted, ``target`` is left as it was.

    Args:
        target: where the report shall be. An earlier report there is replaced.
        force: write there even if the folder holds other files; those are left alone.

    Raises:
        FolderRefused: ``target`` is a file, or holds what no report has put there.
        OSError: the disk refuses.
    """
    earlier = _earlier_files(target, force=force)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as scratch:
        fresh = Path(scratch) / "report"
        fresh.mkdir()
        yield fresh
        written = {path.name for path in fresh.iterdir()}
        if not target.exists():
            fresh.rename(target)
            return
        # The index goes first: a folder without it is nobody's finished report.
        (target / REPORT).unlink(missing_ok=True)
        for name in sorted(earlier - written):
            (target / name).unlink(missing_ok=True)
        for name in sorted(written, key=lambda name: (name == REPORT, name)):
            shutil.move(fresh / name, target / name)


def ensure_ours(target: Path, *, force: bool = False) -> None:
    """Check that a report may be written into ``target``.

    Raises:
        FolderRefused: it is a file, or holds what no report has put there.
    """
    _earlier_files(target, force=force)


def _earlier_files(target: Path, *, force: bool) -> set[str]:
    """The files of an earlier report in ``target``."""
    if not target.exists():
        return set()
    if not target.is_dir():
        raise FolderRefused(f"{target} is a file, not a folder")
    ours = _listed(target / REPORT)
    strangers = sorted(path.name for path in target.iterdir() if path.name not in ours)
    if strangers and not force:
        shown = ", ".join(strangers[:3]) + (f" and {len(strangers) - 3} more" if len(strangers) > 3 else "")
        raise FolderRefused(
            f"{target} holds what no report has put there: {shown}; choose another folder or use --force"
        )
    return ours


def _listed(index: Path) -> set[str]:
    try:
        content = json.loads(index.read_text(encoding="utf-8"))
        files = content["files"]
        return {name for name in files if isinstance(name, str) and Path(name).name == name}
    except (OSError, ValueError, KeyError, TypeError):
        return set()
