"""What can be wrong with a library."""

from __future__ import annotations


class LibraryError(Exception):
    """Something about a library that its owner has to know. The message says what, and what would help.

    >>> try:
    ...     bgtools.Library("no-such-folder").count
    ... except bgtools.LibraryError as error:
    ...     print(error)
    no-such-folder is no library yet; bgtools library add puts records into it
    """


class ManifestDamaged(LibraryError):
    """A commit of the manifest is missing or damaged. It can be made anew from the files."""
