"""What the commands of a library share."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from bgtools.cli import _common

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.library import Library

LibraryOption = Annotated[
    str | None,
    typer.Option(
        "--library",
        help="The folder of the library, or an address that fsspec knows; by default BGTOOLS_LIBRARY says it.",
        metavar="DIR",
        show_default=False,
    ),
]


@contextmanager
def opened(location: str | None) -> Iterator[Library]:
    """The library to work on. What is wrong with it is told, and the command ends with 2."""
    from bgtools.library import Library, LibraryError

    try:
        yield Library(location)
    except LibraryError as error:
        _common.complain(str(error))
        raise typer.Exit(2) from None
    except ImportError as error:
        _common.complain(
            f"{error.name} is not installed, which a library needs; "
            "python -m pip install 'bgtools-backgammon[library]' installs it"
        )
        raise typer.Exit(2) from None
    except OSError as error:
        place = error.filename or location or "the library"
        _common.complain(f"{place}: {error.strerror or error}; what was committed before is kept")
        raise typer.Exit(2) from None
