"""Reading match equity tables: GNU Backgammon's XML, eXtreme Gammon's ``.met``, and those made by a formula.

Reading match equity tables: GNU Backgammon's XML files and eXtreme Gammon's ``.met`` files.

Both are described in ``docs/met.md``. A file is taken literally or refused; a table that lacks a number is refused.

Match equity tables that are computed from a few rates.

The formula is N. Zadeh's (On Doubling in Tournament Backgammon, Management Science 23, 1977). A player wins the game
when their chance passes the point at which the other drops a double, and loses it likewise. The two points follow from
the equities of the scores that a doubled game leads to; the chance of winning a one-point game follows from the points.

E(a, b) is the equity of a player a away against b away; it is 1 or 0 once either has won. With a cube of value v the
other player drops at the chance

    D0(a, b, v) = (E(a - v, b) - L) / (W - L)
    W = g1 E(a - 4w, b) + (1 - g1) E(a - 2w, b)        g1, g2: gammon rates of the leader, of the trailer
    L = g2 E(a, b - 4w) + (1 - g2) E(a, b - 2w)

if the cube is dead after that. There w = 2v where the player who takes would lose the match anyway and redoubles at
once, and w = v elsewhere. While a redouble is still worth something to both, it is

    D(a, b, v) = 1 - (D(b, a, 2v) + delta) (1 - D0(a, b, v))

and with p = D(b, a, 1) + deltabar - 1/2, q = D(a, b, 1) + deltabar - 1/2

    E(a, b) = (p E(a - 1, b) + q E(a, b - 1)) / (p + q).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeVar
from xml.etree.ElementTree import TreeBuilder
from xml.parsers.expat import ExpatError, ParserCreate

from bgtools.met.table import MatchEquityTable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from xml.etree.ElementTree import Element


Row = tuple[float, ...]
Square = tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    """How a kind of table is computed.

    Attributes:
        row: from its parameters and a size, the chances after the Crawford game of a player 1, 2, … away.
        square: from its parameters, that row and a size, the chances before and in the Crawford game.
    """

    row: Callable[[Mapping[str, float], int], Row]
    square: Callable[[Mapping[str, float], Sequence[float], int], Square]


def after_crawford(parameters: Mapping[str, float], size: int) -> Row:
    """Chances after the Crawford game: the trailer doubles at once, and the leader has a free drop at even scores.

    Args:
        parameters: ``gammon-rate-trailer``, and what the free drop is worth to the leader when the trailer is 2 and
            4 away: ``free-drop-2-away``, ``free-drop-4-away``.
        size: how far away to go.
    """
    rate = parameters.get("gammon-rate-trailer", 0.25)
    drops = {2: parameters.get("free-drop-2-away", 0.015), 4: parameters.get("free-drop-4-away", 0.004)}
    chances: list[float] = []
    for away in range(1, size + 1):
        single, gammon = (1.0 if away <= points else chances[away - points - 1] for points in (2, 4))
        chances.append((rate * gammon + (1 - rate) * single) / 2 - drops.get(away, 0.0))
    return tuple(chances)


def zadeh(parameters: Mapping[str, float], post: Sequence[float], size: int) -> Square:
    """Zadeh's table; see the module's text.

    Args:
        parameters: ``gammon-rate-leader`` (g1), ``gammon-rate-trailer`` (g2), ``delta``, ``delta-bar``.
        post: the chances after the Crawford game.
        size: how far away to go.
    """
    won = parameters.get("gammon-rate-leader", 0.25)
    lost = parameters.get("gammon-rate-trailer", 0.15)
    delta = parameters.get("delta", 0.08)
    bar = parameters.get("delta-bar", 0.06)
    known: dict[tuple[int, int], float] = {}
    for away in range(1, size + 1):
        single, gammon = (1.0 if away <= points else post[away - points - 1] for points in (1, 2))
        chance = (won * gammon + (1 - won) * single) / 2
        known[away, 1], known[1, away] = chance, 1 - chance

    def equity(own: int, other: int) -> float:
        if own <= 0 or other <= 0:
            return 1.0 if own <= 0 else 0.0
        return known[own, other]

    def drop(own: int, other: int, cube: int) -> float:
        """The chance of the first player at which the other drops."""
        doubled = 2 * cube
        at_once = doubled if own <= doubled < other else cube
        win = won * equity(own - 4 * at_once, other) + (1 - won) * equity(own - 2 * at_once, other)
        lose = lost * equity(own, other - 4 * at_once) + (1 - lost) * equity(own, other - 2 * at_once)
        dead = (equity(own - cube, other) - lose) / (win - lose)
        if own <= doubled or other <= doubled:
            return dead
        return 1 - (drop(other, own, doubled) + delta) * (1 - dead)

    for more in range(2, size + 1):
        for less in range(2, more + 1):
            mine, theirs = drop(less, more, 1) + bar - 0.5, drop(more, less, 1) + bar - 0.5
            chance = (theirs * equity(less - 1, more) + mine * equity(less, more - 1)) / (mine + theirs)
            known[less, more], known[more, less] = chance, 1 - chance
    return tuple(tuple(known[own, other] for other in range(1, size + 1)) for own in range(1, size + 1))


FORMULAS: Final[Mapping[str, Formula]] = MappingProxyType({"zadeh": Formula(after_crawford, zadeh)})
"""The formulas by the name that GNU Backgammon's files give them."""


T = TypeVar("T")

LARGEST: Final = 1 << 20
"""The most bytes of a file that is read. The tables in use have 25,000."""
MOST_AWAY: Final = 64
"""The most points away of a table. A table made by a formula has this size, as in GNU Backgammon."""
_DEEPEST: Final = 8
_SLIP: Final = 0.005
"""How far the sum of both players' chances at a score may be from 1: .002 in the table of Ortega and Kleinman."""


class MetError(Exception):
    """A text is not a match equity table that can be read. The message says why."""


def read_table(data: bytes, name: str) -> MatchEquityTable:
    """The table in a file's bytes.

    Args:
        data: an XML file as GNU Backgammon has them, or a ``.met`` file as eXtreme Gammon has them.
        name: what to call it.

    Raises:
        MetError: it is neither, or is not complete.
    """
    if len(data) > LARGEST:
        raise MetError(f"larger than {LARGEST >> 20} MB: no match equity table")
    if data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        return _from_xml(data, name)
    return _from_ini(data, name)


# --- GNU Backgammon's XML --------------------------------------------------------------------


def _from_xml(data: bytes, name: str) -> MatchEquityTable:
    root, comments = _tree(data)
    if root.tag != "met":
        raise MetError(f"an XML file of <{root.tag}>, not of <met>")
    pre = root.find("pre-crawford-table")
    posts = root.findall("post-crawford-table")
    if pre is None or not posts:
        raise MetError("the table before or after the Crawford game is missing")
    length = _length(_text(root, "info/length"))
    post = _one_for_both(posts, length)
    square = _square_of(pre, length, post)
    # gnubg's files may leave out the last score after the Crawford game: a match of that length never comes to it.
    return _table(name, square, post, _text(root, "info/name"), _text(root, "info/description"), "\n\n".join(comments))


def _one_for_both(posts: Sequence[Element], length: int | None) -> tuple[float, ...]:
    """The row after the Crawford game, if it is the same for both players."""
    rows = [_row_of(post, length) for post in posts]
    if any(row != rows[0] for row in rows):
        raise MetError(
            "a table for players of unequal strength, which is read by who is player 0; "
            "bgtools takes tables that hold for either player"
        )
    return rows[0]


def _row_of(post: Element, length: int | None) -> tuple[float, ...]:
    kind = post.get("type", "explicit")
    if kind == "explicit":
        rows = post.findall("row")
        if len(rows) != 1:
            raise MetError(f"{len(rows)} rows after the Crawford game, where there is to be one")
        return _numbers([me.text or "" for me in rows[0].findall("me")], "after the Crawford game")
    return _worked_out(partial(_formula(kind).row, _parameters(post), length or MOST_AWAY))


def _square_of(pre: Element, length: int | None, post: Sequence[float]) -> tuple[tuple[float, ...], ...]:
    kind = pre.get("type", "explicit")
    if kind == "explicit":
        rows = [[me.text or "" for me in row.findall("me")] for row in pre.findall("row")]
        if length is not None and len(rows) != length:
            raise MetError(f"{len(rows)} rows in a table for {length} points")
        return tuple(_numbers(row, f"at {at} away") for at, row in enumerate(rows, 1))
    return _worked_out(partial(_formula(kind).square, _parameters(pre), post, length or MOST_AWAY))


def _formula(kind: str) -> Formula:
    if kind == "mec":
        raise MetError("parameters for Claes Tornberg's calculator mec, not a table; mec26 is a table that it made")
    if kind not in FORMULAS:
        raise MetError(f"a table of the kind {kind!r}, which is not known; there are: explicit, {', '.join(FORMULAS)}")
    return FORMULAS[kind]


def _worked_out(work: Callable[[], T]) -> T:
    try:
        return work()
    except (ArithmeticError, IndexError):
        raise MetError("its parameters make no table") from None


def _parameters(table: Element) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for parameter in table.findall("parameters/parameter"):
        name = parameter.get("name", "")
        (found[name],) = _numbers([parameter.text or ""], f"for {name}")
    return found


def _length(text: str) -> int | None:
    """The size that the file states; None where a formula makes any (GNU Backgammon writes -1)."""
    try:
        length = int(text)
    except ValueError:
        raise MetError(f"its length is to be a number of points, not {text[:20]!r}") from None
    if length > MOST_AWAY:
        raise MetError(f"a table for {length} points; the largest that is read is for {MOST_AWAY}")
    return length if length > 0 else None


def _text(root: Element, path: str) -> str:
    return " ".join((root.findtext(path) or "").split())


def _tree(data: bytes) -> tuple[Element, list[str]]:
    """The elements of an XML file, and the comments before the first of them, which hold its notice.

    Nothing but the bytes themselves is ever looked at: declarations of entities are refused, and the DTD that GNU
    Backgammon's files name is not fetched.
    """
    builder = TreeBuilder()
    comments: list[str] = []
    depth = 0
    begun = False

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth, begun
        depth, begun = depth + 1, True
        if depth > _DEEPEST:
            raise MetError("elements within elements without end: no match equity table")
        builder.start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag)

    def comment(text: str) -> None:
        if not begun:
            lines = [line.strip() for line in text.strip().splitlines()]
            comments.append("\n".join(line for line in lines if not line.startswith("$Id")).strip())

    def refuse(*_: object) -> None:
        raise MetError("an XML file that declares entities of its own is not read")

    parser = ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.CommentHandler = comment
    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = refuse
    try:
        parser.Parse(data, True)
    except (ExpatError, LookupError, ValueError) as error:
        raise MetError(f"broken XML: {error}") from None
    return builder.close(), [text for text in comments if text]


# --- eXtreme Gammon's .met -------------------------------------------------------------------

_SECTION = re.compile(r"\[\s*(\w+)\s*\]")


def _from_ini(data: bytes, name: str) -> MatchEquityTable:
    # eXtreme Gammon is a Windows program and writes © as one byte.
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    sections: dict[str, dict[str, str]] = {}
    remarks: list[str] = []
    current: dict[str, str] | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if line.startswith(";"):
            remarks.append(line[1:].strip())
        elif found := _SECTION.fullmatch(line):
            current = sections.setdefault(found[1].casefold(), {})
        elif line:
            key, given, value = line.partition("=")
            key = key.strip().casefold()
            if current is None or not given:
                raise MetError(
                    "no match equity table as GNU Backgammon (XML) or eXtreme Gammon (.met, with [PreCrawford] and "
                    f"[PostCrawford]) writes it: line {number} is {line[:40]!r}"
                )
            if key in current:
                raise MetError(f"{key} is given twice, the second time in line {number}")
            current[key] = value.strip()
    pre, post = sections.get("precrawford"), sections.get("postcrawford")
    if pre is None or post is None:
        raise MetError("the table before or after the Crawford game is missing: no [PreCrawford] or [PostCrawford]")
    size = _length(pre.get("size", ""))
    if size is None:
        raise MetError("it states no size")
    missing = [str(at) for at in range(1, size + 1) if str(at) not in pre]
    if missing:
        raise MetError(f"its row for {missing[0]} away is missing")
    square = tuple(_numbers(pre[str(at)].split(), f"at {at} away") for at in range(1, size + 1))
    head = sections.get("current", {})
    owner = head.get("copyright", "")
    told = [f"Copyright {owner}"] if owner else []
    notice = "\n".join([*told, *remarks]).strip()
    return _table(
        name,
        square,
        _numbers(post.get("data", "").split(), "after the Crawford game"),
        head.get("name", ""),
        head.get("description", ""),
        notice,
    )


# --- both -----------------------------------------------------------------------------------


def _numbers(texts: Sequence[str], where: str) -> tuple[float, ...]:
    numbers: list[float] = []
    for text in texts:
        try:
            value = float(text)
        except ValueError:
            raise MetError(f"{text.strip()[:20]!r} {where} is not a number") from None
        if not isfinite(value) or not 0 <= value <= 1:
            raise MetError(f"{text.strip()[:20]} {where} is not a chance from 0 to 1")
        numbers.append(value)
    return tuple(numbers)


def _table(
    name: str,
    square: tuple[tuple[float, ...], ...],
    post: tuple[float, ...],
    title: str,
    description: str,
    notice: str,
) -> MatchEquityTable:
    """The table, if it is complete and holds for either player."""
    size = len(square)
    if not size:
        raise MetError("a table without rows")
    if size > MOST_AWAY:
        raise MetError(f"a table for {size} points; the largest that is read is for {MOST_AWAY}")
    for at, row in enumerate(square, 1):
        if len(row) != size:
            raise MetError(f"{len(row)} numbers at {at} away in a table for {size} points")
    if not size - 1 <= len(post) <= MOST_AWAY:
        raise MetError(f"{len(post)} numbers after the Crawford game in a table for {size} points")
    rows = [list(row) for row in square]
    for own in range(size):
        for other in range(own, size):
            missed = rows[own][other] + rows[other][own] - 1
            if abs(missed) > _SLIP:
                raise MetError(
                    f"the chances of both players at {own + 1} away, {other + 1} away add up to {missed + 1:.3f}: "
                    "bgtools takes tables that hold for either player"
                )
            if abs(missed) > 1e-9:  # a slip of the printed table: the leader's number is taken
                rows[other][own] = 1 - rows[own][other]
    _ensure_order(rows, post)
    return MatchEquityTable(name, tuple(tuple(row) for row in rows), post[:size], title, description, notice)


def _ensure_order(rows: Sequence[Sequence[float]], post: Sequence[float]) -> None:
    """Refuse a table in which a player stands better further away, or a game is worth nothing: EMG divides by that."""
    if not all(0 <= chance <= 1 for row in (*rows, post) for chance in row):
        raise MetError("its parameters make chances below 0 or above 1")
    for own, row in enumerate(rows):
        if own and any(more > less for more, less in zip(row, rows[own - 1], strict=True)):
            raise MetError(f"who is {own + 1} away stands better there than who is {own} away")
        if own and any(row[other - 1] >= rows[own - 1][other] for other in range(1, len(row))):
            raise MetError(f"at {own + 1} away there is a game that is not worth winning")
    for away, (less, more) in enumerate(pairwise(post), 2):
        if more > less:
            raise MetError(f"who is {away} away stands better there than who is {away - 1} away")
    if post[-1] <= 0:
        raise MetError("a player who has no chance after the Crawford game")
