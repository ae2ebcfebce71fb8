"""The folders that an assistant may look into, and nothing beside them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from bgtools._disk import exists, is_folder, is_taken, save
from bgtools.formats.searching import candidates

if TYPE_CHECKING:
    from collections.abc import Sequence


class NotAllowed(ValueError):
    """A path that is not below the folders that were given, or a file that may not be written."""


class Folders:
    """The only files that tools touch.

    Paths are judged by where they lead: a link out of a folder leads out of it, and so does ``..``.

    Args:
        folders: where records may be read; relative paths count from the first.
        write: whether new files may be written there. Nothing that is there is ever replaced or deleted.
    """

    def __init__(self, folders: Sequence[str | os.PathLike[str]], *, write: bool = False) -> None:
        self.roots = [Path(os.path.realpath(each)) for each in folders]
        self.write = write

    def path(self, asked: str) -> str:
        """A path that may be read, as the file system knows it.

        Raises:
            NotAllowed: it leads elsewhere.
        """
        if not asked or "\0" in asked or asked == "-":
            raise NotAllowed("give the path of a record or of a folder")
        real = Path(os.path.realpath(self.roots[0] / asked))
        if not self._has(real):
            named = ", ".join(map(str, self.roots))
            raise NotAllowed(f"{asked} is not below the folders that this server was given: {named}")
        return str(real)

    def records(self, asked: str) -> list[str]:
        """The records at a path: the file itself, or those in the folder. Links that lead elsewhere are passed over.

        Raises:
            NotAllowed: the path leads elsewhere.
            FileNotFoundError: there is nothing.
        """
        path = self.path(asked)
        if not is_folder(path):
            return [path]
        return [each.path for each in candidates([path]) if self._has(Path(os.path.realpath(each.path)))]

    def shown(self, path: str) -> str:
        """A path as tools take it and give it: below the first folder without that folder's name."""
        return os.path.relpath(path, self.roots[0]) if Path(path).is_relative_to(self.roots[0]) else path

    def new(self, asked: str, data: bytes) -> str:
        """Write a new file; where it was written.

        Raises:
            NotAllowed: nothing may be written, the path leads elsewhere, or something has that name.
            OSError: the disk refuses.
        """
        if not self.write:
            raise NotAllowed("this server only reads; whoever started it can let it write new files with --write")
        path = Path(self.path(asked))
        if is_taken(path) or is_taken(self.roots[0] / asked):
            raise NotAllowed(f"{asked} exists, and nothing that exists is replaced; give another name")
        if not exists(path.parent):
            raise NotAllowed(f"there is no folder {self.shown(str(path.parent))}")
        try:
            save(data, path)
        except FileExistsError:
            raise NotAllowed(f"{asked} exists, and nothing that exists is replaced; give another name") from None
        return self.shown(str(path))

    def _has(self, real: Path) -> bool:
        return any(real.is_relative_to(root) for root in self.roots)
