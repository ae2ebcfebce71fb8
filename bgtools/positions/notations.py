"""Every notation of a position, by name: reading any of them, writing each, and whole lists of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bgtools.positions import boards, fibs, gnubg, ogid, pictures, snowie, xgid
from bgtools.positions.position import IdError, Position, require_fifteen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_SEMICOLONS = 30
_XGID = re.compile(r"XGID=\S+", re.IGNORECASE)


def _xgid(situation: Position) -> str:
    require_fifteen(situation.board, "an XGID")
    return xgid.encode_xgid(
        situation.board, situation.state, situation.dice, offer=situation.offer, upper=situation.upper
    )


def _gnubg(situation: Position) -> str:
    require_fifteen(situation.board, "a GNU Position ID")
    return gnubg.encode_gnu_id(situation)


def _looks_like_xgid(text: str) -> bool:
    if text[:5].upper() == "XGID=":
        return True
    return text.count(":") in (8, 9) and text[26:27] == ":" and not ogid.is_ogid(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """A way to write a position in a line of text.

    Attributes:
        name: what the command line calls it.
        title: what people call it.
        looks: whether a text has its form.
        decode: reads it; raises `IdError`.
        encode: writes it; raises `IdError` where it has no place for a position.
        keeps: what comes back besides the board, by the names in `Position`, `MatchState` and `Ruleset`; the dice
            perhaps in another order.
    """

    name: str
    title: str
    looks: Callable[[str], bool]
    decode: Callable[[str], Position]
    encode: Callable[[Position], str]
    keeps: frozenset[str] = frozenset()


_MATCH: Final = frozenset({"length", "score", "cube", "crawford", "dice", "upper"})

NOTATIONS: Final = (
    Notation(
        name="xgid",
        title="XGID",
        looks=_looks_like_xgid,
        decode=xgid.decode_xgid,
        encode=_xgid,
        keeps=_MATCH | {"offer", "jacoby", "beavers", "cube_limit"},
    ),
    Notation(
        name="ogid",
        title="OGID",
        looks=lambda text: text[:5].upper() in ("OGID=", "OGID:") or ogid.is_ogid(text),
        decode=ogid.decode_ogid,
        encode=ogid.encode_ogid,
        keeps=_MATCH | {"offered"},
    ),
    Notation(
        name="fibs",
        title="FIBS board",
        looks=lambda text: text[:6].lower() == "board:",
        decode=fibs.decode_fibs,
        encode=fibs.encode_fibs,
        keeps=_MATCH | {"offered", "beavers", "names"},
    ),
    Notation(
        name="snowie",
        title="Snowie position",
        looks=lambda text: text.count(";") > _SEMICOLONS,
        decode=snowie.decode_snowie,
        encode=snowie.encode_snowie,
        keeps=_MATCH | {"jacoby", "beavers", "names"},
    ),
    Notation(
        name="set-pos",
        title="Set Pos line of match text",
        looks=boards.is_set_pos,
        decode=boards.decode_set_pos,
        encode=boards.encode_set_pos,
        keeps=frozenset({"cube"}),
    ),
    Notation(
        name="simple",
        title="GNU Backgammon's set board simple",
        looks=boards.is_simple,
        decode=boards.decode_simple,
        encode=boards.encode_simple,
    ),
    Notation(
        name="list",
        title="26 numbers",
        looks=boards.is_list,
        decode=boards.decode_list,
        encode=boards.encode_list,
    ),
    Notation(
        name="gnubg",
        title="GNU Position ID and Match ID",
        looks=lambda text: True,
        decode=gnubg.decode_gnu_id,
        encode=_gnubg,
        keeps=_MATCH | {"offered", "offer", "resigned", "resigner", "jacoby"},
    ),
)
"""Every notation; in this order a text is tried, so the one that anything may be stands last."""


def find_notation(name: str) -> Notation:
    """The notation of that name.

    Raises:
        IdError: there is none.
    """
    found = next((each for each in NOTATIONS if each.name == name.casefold()), None)
    if found is None:
        raise IdError(f"there is no notation {name!r}; there are {', '.join(each.name for each in NOTATIONS)}")
    return found


def notation_of(text: str) -> Notation:
    """The notation whose form a text has; GNU Backgammon's where it has no other."""
    text = text.strip()
    return next(each for each in NOTATIONS if each.looks(text))


def decode_id(text: str) -> Position:
    """Read a position in any notation, or a drawn board; of a line with an ``XGID=`` in it, that.

    Raises:
        IdError: it is none of them.
    """
    if "\n" in text.strip() and not text.lstrip().upper().startswith("XGID=") and pictures.is_picture(text):
        return pictures.decode_picture(text)
    text = text.strip()
    marked = _XGID.findall(text)
    if len(marked) == 1 and not text.startswith(marked[0]):
        text = marked[0]
    return notation_of(text).decode(text)


def encode_id(situation: Position, notation: str) -> str:
    """Write a position in the notation of that name.

    Raises:
        IdError: there is no such notation, or it has no place for this position.
    """
    return find_notation(notation).encode(situation)


@dataclass(frozen=True, slots=True)
class ConvertedLine:
    """A line of a list of positions, converted.

    Attributes:
        number: the line, counted from 1.
        text: the position in the new notation; a blank or remark as it was; ``#error`` and the reason where it
            could not be converted, so that lines stay side by side.
        error: the reason; "" where there was nothing wrong.
    """

    number: int
    text: str
    error: str = ""


def convert_positions(lines: Iterable[str], notation: str) -> Iterator[ConvertedLine]:
    """Convert a list of positions, one a line, in any notation, to one; a line for every line.

    Blank lines and lines that begin with ``#`` are kept.

    Raises:
        IdError: there is no notation of that name.
    """
    target = find_notation(notation)
    return (_convert_line(number, line, target) for number, line in enumerate(lines, 1))


def _convert_line(number: int, line: str, target: Notation) -> ConvertedLine:
    line = line.strip().removeprefix("\ufeff")
    if not line or line.startswith("#"):
        return ConvertedLine(number, line)
    try:
        return ConvertedLine(number, target.encode(decode_id(line)))
    except IdError as error:
        return ConvertedLine(number, f"#error {error}", str(error))
