"""Where tables are found: the one that bgtools brings along, GNU Backgammon's folders, and files."""

from __future__ import annotations

import os
import shutil
import sys
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bgtools._disk import opened, why
from bgtools.met.reading import LARGEST, MetError, read_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bgtools.met.table import MatchEquityTable

DEFAULT: Final = "Kazaross-XG2"
"""The name of the table that is used where none is asked for."""

_ENDINGS: Final = (".xml", ".met")


@cache
def default() -> MatchEquityTable:
    """Kazaross-XG2, with its notice of copyright and permission."""
    return read_table(files("bgtools.met").joinpath("tables", f"{DEFAULT}.xml").read_bytes(), DEFAULT)


def find(wanted: str) -> MatchEquityTable:
    """The table of a name or in a file.

    A name is `DEFAULT` or that of a table in one of GNU Backgammon's folders, in any case; a file has an ending or a
    folder. A table with the numbers of the default table is the default table, wherever it comes from. Any other table
    from a file has the name of the file with its ending, so that it cannot be taken for a table known by name.

    Raises:
        MetError: there is none, or it cannot be read.
    """
    if wanted.casefold() == DEFAULT.casefold():
        return default()
    path = Path(wanted).expanduser()
    if path.suffix.casefold() in _ENDINGS or path.name != wanted:
        return _known(read_file(path))
    known = installed()
    for name, place in known.items():
        if name.casefold() == wanted.casefold():
            return _known(read_file(place, name))
    raise MetError(
        f"there is no match equity table {wanted!r}; there are: {', '.join([DEFAULT, *known])}, and files (.xml, .met)"
    )


def read_file(path: Path, name: str | None = None) -> MatchEquityTable:
    """The table in a file, by the name of the file unless another is given.

    Raises:
        MetError: it cannot be read; the message names the file.
    """
    try:
        with opened(path) as stream:
            data = stream.read(LARGEST + 1)
        return read_table(data, name or path.name)
    except OSError as error:
        raise MetError(f"{path}: cannot be read: {why(error)}") from None
    except MetError as error:
        raise MetError(f"{path}: {error}") from None


def _known(met: MatchEquityTable) -> MatchEquityTable:
    return default() if met.agrees_with(default()) else met


def installed() -> Mapping[str, Path]:
    """The tables that GNU Backgammon has brought to this computer, by name, besides the default one."""
    found: dict[str, Path] = {}
    for folder in gnubg_folders():
        try:
            paths = sorted(folder.glob("*.xml"))
        except OSError:
            continue
        for path in paths:
            if path.stem not in (DEFAULT, "catalog"):
                found.setdefault(path.stem, path)
    return found


def gnubg_folders() -> Iterator[Path]:
    """The folders in which GNU Backgammon keeps its tables, the user's own first."""
    yield Path("~/.gnubg/met").expanduser()
    program = shutil.which("gnubg", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
    if program is not None:
        beside = Path(program).resolve().parent
        yield beside / "met"
        yield beside.parent / "share" / "gnubg" / "met"
    if sys.platform == "win32":
        for variable in ("ProgramFiles", "ProgramFiles(x86)", "LocalAppData"):
            if root := os.environ.get(variable):
                yield Path(root) / "gnubg" / "met"
        return
    for prefix in ("/usr", "/usr/local", "/opt/homebrew", "/opt/local"):
        yield Path(prefix) / "share" / "gnubg" / "met"
