"""Rows of a match in a table: cells of the table between bars, as Markdown, forums and copied pages have them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from bgtools.formats.mat.cells import parse_line
from bgtools.formats.text.damaged import damaged_cell, is_damage, is_damaged_cell
from bgtools.formats.text.rows import TextCell, TextRow, read_label, read_row

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

_RULER: Final = re.compile(r"[ \t|:+=-]*")
_DICE: Final = re.compile(r"[(\[]?([1-6])[-, ]?([1-6])[)\]]?:?")
_NUMBER: Final = re.compile(r"#?(\d{1,3})[.):]?")
Role = Literal["number", "player", "dice", "play", "time", "notes"]
"""What a column of a table holds."""
_ROLES: Final[dict[Role, str]] = {
    "number": "# no no. nr nr. turn zug tour turno",
    "player": "player name who side spieler joueur jugador giocatore jogador",
    "dice": "dice roll rolls w\u00fcrfel wurf d\u00e9s dados dadi lancio",
    "play": "play plays move moves action coup spielzug jugada mossa jogada",
    "time": "time clock date when zeit uhrzeit heure hora ora",
    "notes": "note notes comment comments remark remarks text bemerkung bemerkungen kommentar remarques commentaire "
    "commentaires notas comentario comentarios osservazioni commento equity error loss",
}
"""The words of the head of a table, in six languages."""
_ROLE_OF: Final[dict[str, Role]] = {word: role for role, words in _ROLES.items() for word in words.split()}
_DRAWN: Final = re.compile(r"[ v^]*\|[ XOA-F\d|]*(?:BAR[ XO\d|]*)?\|.*")
"""A line of a drawn board."""
_TWO: Final = 2
_BEFORE_PLAY: Final = len("31: ")


class TableRow(NamedTuple):
    """A row of a table with cells of a game.

    Attributes:
        row: the cells.
        side: the name or colour before them, in small letters; "" where there is none.
        remarks: what is in other cells, with its place in the line.
    """

    row: TextRow
    side: str
    remarks: tuple[tuple[str, int], ...]


def is_ruler(line: str) -> bool:
    """Whether a line only parts the head of a table from its rows."""
    return "|" in line and "-" in line and _RULER.fullmatch(line) is not None


def _parts(line: str) -> Iterator[tuple[str, int]]:
    """The cells of a table in a line, each with its place."""
    at = len(line) - len(line.lstrip(" \t"))
    at += line[at:].startswith("|")
    for part in line.strip(" \t").removeprefix("|").removesuffix("|").split("|"):
        yield part, at
        at += len(part) + 1


def read_roles(line: str) -> dict[int, Role]:
    """What the columns of a table hold, by the words of its head; nothing for another row."""
    parts = [part.strip().casefold() for part, _ in _parts(line)]
    found = {at: _ROLE_OF[part] for at, part in enumerate(parts) if part in _ROLE_OF}
    return found if found.keys() - {0} or parts[0] == "#" else {}


def read_table_row(line: str, sides: Collection[str], roles: Mapping[int, Role] | None = None) -> TableRow | None:
    """The cells of a game in a row of a table; None where it holds none.

    A roll may have a cell of its own before that of its play. What stands behind two cells is a remark.

    Args:
        line: a line with bars.
        sides: names and colours of players, in small letters.
        roles: what its columns hold, as far as a head says so.
    """
    roles = roles or {}
    parts = [(part, at, roles.get(index)) for index, (part, at) in enumerate(_parts(line))]
    number: int | None = None
    first = parts[0][0].strip()
    if len(parts) > 1 and (found := _NUMBER.fullmatch(first)) and not (len(parts) == _TWO and _DICE.fullmatch(first)):
        number = int(found[1])
        parts.pop(0)
    side = ""
    cells: list[TextCell | None] = []
    remarks: list[tuple[str, int]] = []
    while parts:
        part, at, role = parts.pop(0)
        text = part.strip()
        is_told = role in ("notes", "time") or len(cells) >= _TWO or (bool(cells) and "player" in roles.values())
        if is_told:
            remarks += [(text, at + part.index(text))] * bool(text)
        elif not cells and text and (role == "player" or text.casefold() in sides):
            side = text.casefold()
        elif parts and (roll := _roll(part, at, *parts[0][:2])) is not None:
            cells.append(roll.cells[0])
            behind, at, _ = parts.pop(0)
            at += len(behind) - len(behind.lstrip()) - _BEFORE_PLAY
            remarks += [(line[at + start : at + end], at + start) for start, end in roll.asides]
        elif role == "dice" and not text:
            continue
        else:
            label, begin = (None, 0) if number is not None or cells else read_label(part)
            row = read_row(part, begin, label)
            number = label if row.cells and label is not None else number
            if row.empty or (not text and parts and len(cells) < _TWO and not side):
                cells.append(None)
            rest = row.rest if row.cells else len(part) if row.empty else 0
            if (number is not None or side or cells) and _is_damaged(row, part, text):
                cells.append(damaged_cell(text, at + part.index(text)))
                continue
            cells += [each._replace(start=each.start + at, end=each.end + at) for each in row.cells]
            remarks += [(part[start:end], at + start) for start, end in row.asides]
            if words := part[rest:].strip(" ,;:\t\u00a0"):
                remarks.append((words, at + part.index(words, rest)))
    found_cells = tuple([each for each in cells if each is not None][:_TWO])
    if not found_cells:
        return None
    row = TextRow(number, cells[0] is None and len(cells) > 1, found_cells, len(line))
    return TableRow(row, side, tuple(remarks))


def _is_damaged(row: TextRow, part: str, text: str) -> bool:
    """Whether a cell of the table is a cell of the game that cannot be read."""
    if row.cells:
        return len(row.cells) == 1 and is_damage(part[row.rest :])
    return len(text) > _TWO and not row.empty and is_damaged_cell(text)


def _roll(part: str, at: int, behind: str, behind_at: int) -> TextRow | None:
    """The row of the cell that a cell with dice alone and the next one make together."""
    dice = _DICE.fullmatch(part.strip())
    if dice is None:
        return None
    words = f"{dice[1]}{dice[2]}: {behind.strip()}".rstrip()
    row = read_row(words)
    if len(row.cells) != 1 or row.rest < len(words):
        return None
    end = behind_at + len(behind.rstrip()) if behind.strip() else at + len(part.rstrip())
    cell = TextCell(at + len(part) - len(part.lstrip()), end, row.cells[0].text)
    return row._replace(cells=(cell,))


class TableHead(NamedTuple):
    """The head of a table: names, and the points of both players where it gives them."""

    names: tuple[str, str]
    points: tuple[int, int] | None


def read_filled(line: str) -> list[tuple[str, int]]:
    """The cells of a row of a table that hold anything, each with its place."""
    return [(part.strip(), at + len(part) - len(part.lstrip())) for part, at in _parts(line) if part.strip()]


def read_table_scores(line: str) -> TableHead | None:
    """The names and points in a row of a table that holds nothing else; None for another row."""
    words = [text for text, _ in read_filled(line)]
    if len(words) != _TWO:
        return None
    scores = parse_line("        ".join(words), "score_line")
    if scores is None or None in (scores[0].points, scores[1].points):
        return None
    return TableHead((scores[0].name, scores[1].name), (scores[0].points, scores[1].points))


def read_table_head(line: str) -> TableHead | None:
    """The names in the last two cells of the head of a table, remarks aside; None where it has no names."""
    words = [text for text, _ in read_filled(line) if text.casefold() not in _ROLE_OF]
    if len(words) < _TWO or _DRAWN.fullmatch(line):
        return None
    one, two = words[-_TWO:]
    return TableHead((one, two), None)
