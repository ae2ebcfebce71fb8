"""A search for positions of a library: its conditions in SQL, and the boards that are nearest to one."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from bgtools.board import words
from bgtools.library.connecting import some_positions
from bgtools.library.recording import key_of
from bgtools.library.storage import LibraryError
from bgtools.library.tables import DECIDED, POINTS
from bgtools.positions.notations import decode_id, notation_of
from bgtools.positions.position import IdError, Position, to_signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.board.board import Board
    from bgtools.rules.cube import MatchState


T = TypeVar("T", bound=str)
How = Literal["exact", "board", "similar"]
Side = Literal["own", "opponent"]
Owner = Literal["centred", "own", "opponent's"]
Per = Literal["position", "game", "match"]
Order = Literal["record", "loss"]
Range = tuple[float | None, float | None]
"""From and to, both included; None for no bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Which positions are asked for, as the player on roll sees them. An attribute that is not given asks for nothing.

    Attributes:
        position: an ID in any notation, a drawn board, or a `bgtools.Position`; None to ask by structure alone.
        how: ``exact`` for its board, with its score, cube and dice where they are given; ``board`` for its board, with
            its dice where they are given, at any score and cube; ``similar`` for positions like it, with its dice
            where they are given.
        mirrored: whether the position with the players exchanged (board, score and cube) is asked for as well.
        within: how far similar positions may be from it, as `bgtools.library.likeness.distances` measures it; None for
            as far as it takes to find enough.
        player, opponent: name of the player on roll, or of the other; capitals do not count.
        on_bar: who has a checker on the bar.
        prime, opponent_prime: how many points in a row a side holds.
        lead: pips ahead, below 0 behind.
        pips, opponent_pips: pip counts.
        off, opponent_off: checkers borne off.
        back: the player's checkers on the bar and in the other's home board.
        points, opponent_points: points that a side holds with two checkers or more, from 1 to 24, counted from the
            player's side for both.
        blots, opponent_blots: points where a side has a single checker.
        phases: parts of a game, of which one has to fit.
        themes: themes, of which one has to fit; only analysed decisions have any.
        cube: where the cube lies.
        cube_value: what it shows.
        away: points that the player and the other lack to win the match; ``(0, 0)`` for money.
        crawford: whether it is the Crawford game.
        dice: the roll, such as ``64``.
        action: ``roll``, or ``double`` where the player doubled.
        played: the play that was made, in any spelling: the same checkers have to come to the same points. A star asks
            for a hit there.
        loss: what the decision lost, in EMG; only analysed decisions are found.
        where: a condition of SQL on ``p``, a row of the table of positions, and ``m``, one of the table of matches.
        per: how many hits are listed: each position, one per game, or one per match. Of similar boards it is one per
            match.
        by: in which order hits are listed: as records stand in the library, or those that lost most first.
    """

    position: Position | str | None = None
    how: How = "exact"
    mirrored: bool = False
    within: float | None = None
    player: str = ""
    opponent: str = ""
    on_bar: tuple[Side, ...] = ()
    prime: Range | None = None
    opponent_prime: Range | None = None
    lead: Range | None = None
    pips: Range | None = None
    opponent_pips: Range | None = None
    off: Range | None = None
    opponent_off: Range | None = None
    back: Range | None = None
    points: tuple[int, ...] = ()
    opponent_points: tuple[int, ...] = ()
    blots: tuple[int, ...] = ()
    opponent_blots: tuple[int, ...] = ()
    phases: tuple[str, ...] = ()
    themes: tuple[str, ...] = ()
    cube: Owner | None = None
    cube_value: int | None = None
    away: tuple[int, int] | None = None
    crawford: bool | None = None
    dice: str = ""
    action: Literal["", "roll", "double"] = ""
    played: str = ""
    loss: Range | None = None
    where: str = ""
    per: Per = "game"
    by: Order = "record"


@dataclass(frozen=True, slots=True)
class SearchedPosition:
    """A position to find, and which of its parts are asked for beside the board.

    Attributes:
        position: the position.
        score, cube, dice: whether the position gives these and they are asked for.
        answer: whether it is a double that waits for its answer: then positions in which somebody doubled are found.
    """

    position: Position
    score: bool
    cube: bool
    dice: bool
    answer: bool

    @property
    def dice_text(self) -> str:
        """The roll that is asked for, the larger number first; empty for any."""
        dice = self.position.dice
        return f"{max(dice)}{min(dice)}" if self.dice and dice is not None else ""


_TELLS_NOTHING: Final = frozenset[str]()


def sought_of(search: Search) -> SearchedPosition | None:
    """The position that a search is about; None where it asks by structure alone.

    Raises:
        LibraryError: the position cannot be read, or what is asked takes one and none is given.
    """
    given = search.position
    if search.within is not None and search.how != "similar":
        raise LibraryError("a largest distance (within) goes with a search for similar boards")
    if given is None:
        if search.how != "exact" or search.mirrored:
            what = {"exact": "a mirrored position", "board": "the same board", "similar": "similar boards"}[search.how]
            raise LibraryError(f"a search for {what} needs a position")
        return None
    if isinstance(given, Position):
        position, told = given, frozenset({"score", "cube"})
    else:
        try:
            position = decode_id(given)
        except IdError as error:
            raise LibraryError(f"{words.shortened(given)!r} is not a position: {error}") from None
        told = _told_by(given, position)
    exact = search.how == "exact"
    return SearchedPosition(
        position,
        exact and "score" in told,
        exact and "cube" in told,
        position.dice is not None,
        search.how != "board" and position.offer == "double",
    )


def _told_by(text: str, position: Position) -> frozenset[str]:
    """What a text gives besides the board, by the names of `Notation.keeps`."""
    bare = position == Position(position.board, dice=position.dice)
    if "\n" in text.strip():
        # A drawn board may have score and cube beside it, or not.
        return _TELLS_NOTHING if bare else frozenset({"score", "cube"})
    notation = notation_of(text)
    if notation.name == "gnubg" and bare and ":" not in text and "match" not in text.casefold():
        return _TELLS_NOTHING  # a Position ID without a Match ID
    return notation.keeps


@dataclass(slots=True)
class Query:
    """A query of SQL that grows, with the values of its parameters in their order.

    Attributes:
        tables: what stands after FROM.
        conditions: the conditions, which all have to hold.
        joined: values of the parameters in ``tables``.
        values: values of the parameters in ``conditions``.
        before: what is before SELECT.
        lost: the expression for what each position lost.
    """

    tables: list[str]
    conditions: list[str] = field(default_factory=list)
    joined: list[Any] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    before: str = ""
    lost: str = "NULL::DOUBLE"

    def ask(self, condition: str, *values: Any) -> None:
        """Add a condition with the values of its parameters."""
        self.conditions.append(f"({condition})")
        self.values += values

    def select(self, columns: str) -> str:
        """The query for some columns."""
        where = f" WHERE {' AND '.join(self.conditions)}" if self.conditions else ""
        return f"{self.before}SELECT {columns} FROM {' '.join(self.tables)}{where}"

    @property
    def parameters(self) -> list[Any]:
        """Values of all parameters."""
        return [*self.joined, *self.values]


def query_of(connection: Any, search: Search, sought: SearchedPosition | None) -> Query:
    """The query for the positions that a search asks for, as ``p``; it does not look at `Search.played`."""
    query = Query(["positions p"])
    if sought is not None and search.how == "similar":
        _ask_decision(query, sought)
    elif sought is not None:
        _ask_position(connection, query, search, sought)
    _ask_structure(query, search)
    _ask_match(query, search)
    if is_judged(search):
        _join_decisions(query, search, sought)
    return query


def find_named(what: str, names: Iterable[str], known: Iterable[T]) -> tuple[T, ...]:
    """Names as they are known, whether they are written with blanks and hyphens or without.

    Raises:
        LibraryError: one is not known; it names the nearest.
    """
    bare = {_bare(each): each for each in known}
    for each in names:
        if _bare(each) not in bare:
            near = get_close_matches(_bare(each), bare, 1)
            hint = f"did you mean {bare[near[0]]}?" if near else f"choose from: {', '.join(bare.values())}"
            raise LibraryError(f"there is no {what} {each!r}; {hint}")
    return tuple(bare[_bare(each)] for each in names)


def _bare(name: str) -> str:
    return re.sub(r"[\s-]+", "", name).casefold()


def is_judged(search: Search) -> bool:
    """Whether only analysed decisions are asked for."""
    return search.loss is not None or bool(search.themes) or search.by == "loss"


def _ask_position(connection: Any, query: Query, search: Search, sought: SearchedPosition) -> None:
    position = sought.position
    faces = [(position.board, position.state)]
    if search.mirrored:
        faces.append((position.board.flipped(), position.state.flipped()))
    # Positions are found by their keys first. A query for every column of a board takes several times as long.
    numbered = some_positions(connection, [key_of(board) for board, _ in faces])
    query.tables[0] = "numbered p"
    query.before = f"WITH numbered AS MATERIALIZED (FROM {numbered}) "
    texts, values = [], []
    for board, state in faces:
        conditions = [*board_columns(board), *_of_state(state, sought)]
        texts.append(" AND ".join(f"p.{name} = ?" for name, _ in conditions))
        values += [value for _, value in conditions]
    query.ask(" OR ".join(f"({text})" for text in texts), *values)
    _ask_decision(query, sought)


def _ask_decision(query: Query, sought: SearchedPosition) -> None:
    if dice := sought.dice_text:
        query.ask("p.dice = ?", dice)
    if sought.answer:
        query.ask("p.action = 'double'")


def board_columns(board: Board) -> list[tuple[str, int]]:
    """Columns by which a board is told from every other one, with their values. Each column takes time to read.

    Where all checkers of a board stand and the pips are its own, no further checker stands anywhere.
    """
    stands = [(name, count) for name, count in zip(POINTS, to_signed(board), strict=True) if count]
    pips, opponent_pips = board.pips
    off, opponent_off = board.mine[0], board.theirs[0]
    return [
        *stands, ("pips", pips), ("opponent_pips", opponent_pips), ("off", off), ("opponent_off", opponent_off),
    ]  # fmt: skip


def turned_round(search: Search, sought: SearchedPosition) -> str:
    """The condition that a position has the board that is sought with the players exchanged, and not the board itself.

    ``false`` where such are not asked for.
    """
    board = sought.position.board
    if not search.mirrored or board == board.flipped():
        return "false"
    return " AND ".join(f"p.{name} = {value}" for name, value in board_columns(board.flipped()))


def _of_state(state: MatchState, sought: SearchedPosition) -> Iterator[tuple[str, Any]]:
    if sought.score:
        yield from (("away", state.away[0]), ("opponent_away", state.away[1]), ("crawford", state.crawford))
    if sought.cube:
        yield from (("cube", state.cube.value), ("cube_owner", state.cube.owner))


_OWNERS: Final = {"centred": "centre", "own": "mine", "opponent's": "theirs"}
_HOME: Final = range(19, 25)
_BACK: Final = f"(p.p25 + {' + '.join(f'greatest(p.p{point}, 0)' for point in _HOME)})"
_RANGES: Final = {
    "prime": "p.prime",
    "opponent_prime": "p.opponent_prime",
    "lead": "(p.opponent_pips - p.pips)",
    "pips": "p.pips",
    "opponent_pips": "p.opponent_pips",
    "off": "p.off",
    "opponent_off": "p.opponent_off",
    "back": _BACK,
}


def _ask_structure(query: Query, search: Search) -> None:
    for name, column in _RANGES.items():
        _ask_range(query, column, getattr(search, name))
    for side in search.on_bar:
        query.ask("p.p25 > 0" if side == "own" else "p.p0 < 0")
    for points, test in (
        (search.points, ">= 2"),
        (search.opponent_points, "<= -2"),
        (search.blots, "= 1"),
        (search.opponent_blots, "= -1"),
    ):
        for point in points:
            if not 1 <= point <= 24:
                raise LibraryError(f"points run from 1 to 24, not {point}")
            query.ask(f"p.p{point} {test}")
    if search.phases:
        query.ask(f"p.phase IN ({_placeholders(search.phases)})", *search.phases)
    for column, value in (
        ("cube_owner", _OWNERS[search.cube] if search.cube else None),
        ("cube", search.cube_value),
        ("crawford", search.crawford),
        ("dice", search.dice or None),
        ("action", search.action or None),
    ):
        if value is not None:
            query.ask(f"p.{column} = ?", value)
    if search.away is not None:
        query.ask("p.away = ? AND p.opponent_away = ?", *search.away)
    if search.played:
        query.ask("p.action = 'roll'")


SAME_NAME: Final = "(lower(person) = ? OR lower(name) = ?)"
"""The condition that a row of the table of players has a name, in a record or as an alias; capitals do not count."""


def _ask_match(query: Query, search: Search) -> None:
    for name, seat in ((search.player, "p.player"), (search.opponent, "1 - p.player")):
        if name:
            query.ask(
                f"(p.record, {seat}) IN (SELECT (record, player) FROM players WHERE {SAME_NAME})",
                name.lower(),
                name.lower(),
            )
    if search.where:
        query.tables.append("JOIN matches m ON m.record = p.record")
        query.ask(f"{search.where}\n")


def _ask_range(query: Query, column: str, asked: Range | None) -> None:
    low, high = asked or (None, None)
    if low is not None:
        query.ask(f"{column} >= ?", low)
    if high is not None:
        query.ask(f"{column} <= ?", high)


ANSWERS: Final = ("take", "pass", "beaver")


def kinds_of(search: Search, sought: SearchedPosition | None) -> tuple[str, ...]:
    """The kinds of decision that a search is about."""
    if sought is not None and sought.answer:
        return ANSWERS
    if search.dice or search.played or (sought is not None and sought.dice_text):
        return ("checker play",)
    return DECIDED


def at_of(kind: str, entry: int) -> int:
    """The entry with the position of a decision: an answer to a double is one entry later."""
    return entry - (kind in ANSWERS)


def _join_decisions(query: Query, search: Search, sought: SearchedPosition | None) -> None:
    """Join what each position lost: the loss of the costliest of its decisions that fit the search."""
    kinds = kinds_of(search, sought)
    inner = Query(["decisions"])
    loss, grouped = "loss", ""
    if kinds == DECIDED and not search.themes and (search.loss or (None, None))[1] is None:
        inner.ask("costliest")
    else:
        inner.ask(f"kind IN ({_placeholders(kinds)})", *kinds)
        inner.ask("loss IS NOT NULL")
        if kinds == DECIDED:
            loss, grouped = "max(loss) AS loss", " GROUP BY ALL"
    _ask_range(inner, "loss", search.loss)
    if search.themes:
        named = (f", {each}," for each in search.themes)
        inner.ask(" OR ".join("contains(', ' || themes || ',', ?)" for _ in search.themes), *named)
    entry = "entry - 1" if kinds == ANSWERS else "entry"
    lost = f"({inner.select(f'record, game, {entry} AS entry, {loss}')}{grouped})"
    query.joined += inner.parameters
    if query.conditions:
        query.tables.append(f"JOIN {lost} d ON d.record = p.record AND d.game = p.game AND d.entry = p.entry")
        query.lost = "d.loss"
    else:
        # Every decision has a position, unless the record that stands for the match lacks its entry.
        query.tables = [f"{lost} p"]
        query.ask("p.entry IS NOT NULL")
        query.lost = "p.loss"


def _placeholders(values: Sequence[object]) -> str:
    return ", ".join("?" for _ in values)
