"""Every notation of a position, by name: reading and writing positions, and converting lists of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bgtools.positions import boards, fibs, gnubg, ogid, pasted, pictures, playstrategy, snowie, xgid
from bgtools.positions.position import IdError, Position, require_fifteen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_SEMICOLONS = 30


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
        looks: whether a text has the form of this notation.
        decode: reads a text; raises `IdError`.
        encode: writes a position; raises `IdError` where the notation cannot hold it.
        keeps: what a position that is written and read again keeps besides its board, by the names in `Position`,
            `MatchState` and `Ruleset`. The order of the dice may change.
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
        name="playstrategy",
        title="FEN of PlayStrategy",
        looks=playstrategy.is_fen,
        decode=playstrategy.decode_fen,
        encode=playstrategy.encode_fen,
        keeps=frozenset({"cube", "dice", "upper"}),
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
"""Every notation, in the order in which a text is tried. The last one accepts the form of any text."""


def find_notation(name: str) -> Notation:
    """The notation with a name.

    Raises:
        IdError: there is no such notation; the message lists the notations.
    """
    found = next((each for each in NOTATIONS if each.name == name.casefold()), None)
    if found is None:
        raise IdError(f"there is no notation {name!r}; there are {', '.join(each.name for each in NOTATIONS)}")
    return found


def notation_of(text: str) -> Notation:
    """The notation whose form a text has; GNU Backgammon's for any other text."""
    text = text.strip()
    return next(each for each in NOTATIONS if each.looks(text))


def decode_id(text: str) -> Position:
    """Read a position in any notation, or a drawn board.

    Around an ID may be whatever people paste with it: a sentence, quote marks, a link, entities, line breaks.

    Raises:
        IdError: the text is not a position in any notation, or holds several; the message says which kind it looks
            like.
    """
    if "\n" in text.strip() and not text.lstrip().upper().startswith("XGID=") and pictures.is_picture(text):
        return pictures.decode_picture(text)
    text = text.strip()
    try:
        return notation_of(text).decode(text)
    except IdError as error:
        found = [*pasted.find_ids(text)]
        if len(found) == 1:
            return notation_of(found[0]).decode(found[0])
        if len(found) > 1:
            kind = "XGIDs" if found[0].startswith("XGID") else "IDs"
            raise IdError(f"these are several {kind}; give one at a time, or a list of them, one per line") from None
        if (kind := pasted.looks_like(text)) and (kind not in str(error) or kind == "a GNU Position ID"):
            raise IdError(f"this looks like {kind}, but {_what_is_wrong(kind, text)}") from None
        raise


def _what_is_wrong(kind: str, text: str) -> str:
    """Why an ID of a kind in a text cannot be read."""
    plain = pasted.cleaned(text)
    if kind == "an XGID":
        try:
            xgid.decode_xgid(plain[plain.upper().rindex("ID") + 2 :].lstrip("=: ").split(maxsplit=1)[0])
        except IdError as error:
            return str(error)
        except (ValueError, IndexError):
            pass
        return "no board of 26 letters or dashes follows"
    if kind == "a GNU Position ID":
        return 'no 14 letters, digits, + or / follow "ID"'
    return "it is not whole"


def encode_id(situation: Position, notation: str) -> str:
    """Write a position in the notation with a name.

    Raises:
        IdError: there is no such notation, or it cannot hold this position.
    """
    return find_notation(notation).encode(situation)


@dataclass(frozen=True, slots=True)
class ConvertedLine:
    """A line of a list of positions, converted.

    Attributes:
        number: the number of the line, from 1.
        text: the position in the new notation; a blank line or a remark unchanged; or ``#error`` and the reason
            where the line cannot be converted, so that both lists have the same lines.
        error: the reason; "" where nothing is wrong.
    """

    number: int
    text: str
    error: str = ""


def convert_positions(lines: Iterable[str], notation: str) -> Iterator[ConvertedLine]:
    """Convert a list of positions to one notation. Each line holds a position in any notation, and gives one line.

    Blank lines and lines that begin with ``#`` are kept.

    Raises:
        IdError: there is no notation with that name.
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
