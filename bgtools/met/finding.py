"""Where tables are found, and what they say of take points and gammons at a score.

A table is the one that bgtools contains, one in GNU Backgammon's folders, or a file.

Take points, and what gammons are worth, at a score.

Only the table decides them. Take points leave gammons out, as people learn and compare them; the gammons of a position
move its take point.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bgtools._disk import opened, why
from bgtools._shell import find_on_path
from bgtools.met.reading import LARGEST, MetError, read_table
from bgtools.rules.cube import Cube

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState


DEFAULT: Final = "Kazaross-XG2"
"""The name of the table that is used where none is asked for."""

_ENDINGS: Final = (".xml", ".met")


@cache
def default() -> MatchEquityTable:
    """Kazaross-XG2, with its notice of copyright and permission."""
    return read_table(files("bgtools.met").joinpath("tables", f"{DEFAULT}.xml").read_bytes(), DEFAULT)


def find(table: str) -> MatchEquityTable:
    """The table of a name or in a file.

    A name is `DEFAULT` or that of a table in one of GNU Backgammon's folders, in any case; a file has an ending or a
    folder. A table with the numbers of the default table is the default table, wherever it comes from. Any other table
    from a file has the name of the file with its ending, so that it cannot be taken for a table known by name.

    Raises:
        MetError: there is none, or it cannot be read.
    """
    if table.casefold() == DEFAULT.casefold():
        return default()
    path = Path(table).expanduser()
    if path.suffix.casefold() in _ENDINGS or path.name != table:
        return _known(read_file(path))
    known = installed()
    for name, place in known.items():
        if name.casefold() == table.casefold():
            return _known(read_file(place, name))
    raise MetError(
        f"there is no match equity table {table!r}; there are: {', '.join([DEFAULT, *known])}, and files (.xml, .met)"
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
    program = find_on_path("gnubg", "/usr/games")
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


MONEY_TAKE_POINTS: Final = (0.25, 0.2)
"""The chance of winning that a player needs to take for money, without gammons: with a dead cube and a live one."""


@dataclass(frozen=True, slots=True)
class TakePoints:
    """The chance of winning the game (0 to 1) that a player needs to take, without gammons.

    Attributes:
        dead: if nobody doubles again. A player who loses the match with the doubled cube anyway redoubles at once.
        live: if every redouble comes at the exact point where it can be passed. Owning the cube is worth at most that
            much, so the true take point lies between the two.
    """

    dead: float
    live: float


def take_points(met: MatchEquityTable, state: MatchState) -> TakePoints | None:
    """The take points of the player on roll, if the other doubled the cube as it lies.

    With L, W the match winning chances after losing and winning at the doubled cube and P that after passing, the
    point is (P - L) / (W - L) with a dead cube. With a live cube the player wins as soon as the other would pass a
    redouble, at 1 minus the other's live take point: the scale ends there instead of at 1.

    None where they cannot be doubled: in the Crawford game, and by a player who wins the match with the cube as it is.

    Raises:
        ValueError: a money session, a match that is over, or a score beyond the table.
    """
    passed = met.after(state, -state.cube.value)
    if state.crawford or state.away[1] <= state.cube.value:
        return None
    taken = replace(state, cube=Cube(2 * state.cube.value, "mine"))
    lose, win = met.anchors(taken)
    dead = (passed - lose) / (win - lose)
    redoubled = take_points(met, taken.flipped())
    if redoubled is None:
        return TakePoints(dead, dead)
    live = dead * (1 - redoubled.live)
    return TakePoints(live if taken.away[1] <= taken.cube.value else dead, live)


def gammon_values(met: MatchEquityTable, state: MatchState) -> tuple[float, float]:
    """What winning a gammon is worth to each player (on roll, other) in a match; 0.5 is its worth for money.

    It is (G - W) / (W - L): how much more a gammon wins than a single game, divided by the difference between winning
    and losing a single game.

    Raises:
        ValueError: a money session, a match that is over, or a score beyond the table.
    """
    ends = met.outcomes(state)
    between = ends.win - ends.lose
    return (ends.win_gammon - ends.win) / between, (ends.lose - ends.lose_gammon) / between
