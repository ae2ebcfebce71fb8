"""A file system of fsspec by which queries see the folder of the library and nothing else."""

from __future__ import annotations

from typing import Any

from fsspec import AbstractFileSystem


class ReadOnlyFileSystem(AbstractFileSystem):  # type: ignore[misc,unused-ignore]
    """The files below a folder of another file system, which can only be read; all other files are refused."""

    cachable = False

    def __init__(self, files: Any, root: str) -> None:
        super().__init__()
        self._files, self._root = files, f"{root.rstrip('/')}/"
        self.protocol = files.protocol

    def _own(self, path: str) -> str:
        """A path below the folder.

        Raises:
            PermissionError: the path leads elsewhere.
        """
        bare = str(self._files._strip_protocol(path))
        if not f"{bare}/".startswith(self._root) or ".." in bare.split("/"):
            raise PermissionError(13, "disabled by configuration: a query reads nothing but the library", path)
        return bare

    def open(self, path: str, mode: str = "rb", **options: Any) -> Any:
        """Open a file to read it.

        Raises:
            PermissionError: it is not a file of the library, or it is to be written.
        """
        if mode != "rb":
            raise PermissionError(13, "disabled by configuration: a query only reads", path)
        return self._files.open(self._own(path), mode, **options)

    def glob(self, path: str, maxdepth: int | None = None, **options: Any) -> Any:
        """The files that fit a pattern; see `open`."""
        return self._files.glob(self._own(path), maxdepth=maxdepth, **options)

    def exists(self, path: str, **options: Any) -> bool:
        """Whether a file is there; see `open`."""
        return bool(self._files.exists(self._own(path), **options))

    def info(self, path: str, **options: Any) -> Any:
        """What is known of a file; see `open`."""
        return self._files.info(self._own(path), **options)

    def modified(self, path: str) -> Any:
        """When a file was written; see `open`."""
        return self._files.modified(self._own(path))
