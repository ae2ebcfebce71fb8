"""The phase of a game, its pip counts and its opening, and what the score makes of gammons.

Which part of a game a decision belongs to, where the cube lies, and what the score makes of gammons.

The field has no exact definitions; the docstrings give ours.

Openings and replies have the names that players give them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from bgtools.bearoff.one_sided import is_home
from bgtools.board.board import BAR, OFF, START
from bgtools.board.perspective import mirrored
from bgtools.record.record import CheckerPlay

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.analysis.rows import Phase
    from bgtools.board.board import Board, Checkers
    from bgtools.replayer.turn import GameReplay, Turn


PHASES: Final[tuple[Phase, ...]] = ("opening", "contact", "back game", "race", "bear-off")
"""In the order in which a report lists them."""

OPENING_ROLLS: Final = 6
"""Rolls of a game that are its opening, three a side."""

BACK_GAME_ANCHORS: Final = 2
BACK_GAME_PIPS: Final = 40
"""Points held in the other player's home board, and pips behind, from which a side plays a back game."""

_DEEP: Final = slice(19, 25)


def phase_of(board: Board, *, roll: int | None = None) -> Phase:
    """The part of a game that a position belongs to, the first of these that fits.

    * ``over``: a side has borne off everything.
    * ``bear-off``: no contact, and all checkers of the player who decides in their home board or off.
    * ``race``: no contact.
    * ``back game``: a side, whichever it is, holds two or more points of the other's home board with two checkers or
      more, and is 40 pips or more behind.
    * ``opening``: one of the first six rolls of a game that began from the usual position.
    * ``contact``: everything else, contact bear-offs and holding games among it.

    Args:
        board: seen by the player who decides.
        roll: number of the roll in the game, from 0; a cube action has the number of the roll after it. None in a
            game that did not begin from the usual position.
    """
    if board.is_over:
        return "over"
    if not board.is_contact:
        return "bear-off" if is_home(board.mine) else "race"
    mine, theirs = board.pips
    if is_back_game(board.mine, mine - theirs) or is_back_game(board.theirs, theirs - mine):
        return "back game"
    return "opening" if roll is not None and roll < OPENING_ROLLS else "contact"


def is_back_game(side: Checkers, behind: int) -> bool:
    """Whether a side that is so many pips behind plays a back game."""
    return behind >= BACK_GAME_PIPS and sum(count >= 2 for count in side[_DEEP]) >= BACK_GAME_ANCHORS


def phase_of_turn(game: GameReplay, turn: Turn, player: int) -> Phase:
    """The part of a game that an entry belongs to, by the board before it and for the player who decides."""
    usual = turn.roll < OPENING_ROLLS and not game.is_set_before(turn)
    position = turn.before if player == turn.player else turn.before.flipped()
    return phase_of(position, roll=turn.roll if usual else None)


# --- cube and score -------------------------------------------------------------------------

CubeSituation = Literal["centred", "own", "opponent's"]
Stage = Literal["money", "1-point match", "pre-Crawford", "Crawford", "post-Crawford", "no Crawford rule"]
Need = Literal["money", "double match point", "gammon-go", "gammon-save", "other"]
"""What the score makes of gammons; see `gammon_value_of`."""

CUBE_SITUATIONS: Final[dict[str, CubeSituation]] = {"centre": "centred", "mine": "own", "theirs": "opponent's"}
"""By the ``cube_owner`` of a row."""


def stage_of(score: tuple[int, int], length: int, *, crawford: bool, crawford_rule: bool) -> Stage:
    """Where a match stands by the Crawford rule.

    Args:
        score: points before the game.
        length: points to win; 0 for money.
        crawford: whether this is the Crawford game.
        crawford_rule: whether the rule is in force.
    """
    if not length:
        return "money"
    if length == 1:
        return "1-point match"
    if not crawford_rule:
        return "no Crawford rule"
    if crawford:
        return "Crawford"
    return "post-Crawford" if max(score) >= length - 1 else "pre-Crawford"


def gammon_value_of(score: tuple[int, int], length: int, cube: int, owner: str, *, crawford: bool) -> Need:
    """What gammons are worth at the score and with the cube, to the player whose decision it is.

    ``double match point``: a single game wins the match for either player. ``gammon-go``: a gammon wins it for them and
    a single game does not, a single game wins it for the other, and they cannot turn the cube. ``gammon-save``:
    the same the other way round. Source: the glossary of Backgammon Galore, with its examples.

    Args:
        score: points before the game, their own first.
        length: points to win; 0 for money.
        cube: its value.
        owner: ``centre``, ``mine`` or ``theirs``, seen by them.
        crawford: whether this is the Crawford game.
    """
    if not length:
        return "money"
    own, other = (max(length - points, 0) for points in score)
    if own <= cube and other <= cube:
        return "double match point"
    if cube < own <= 2 * cube and other <= cube and (crawford or owner == "theirs"):
        return "gammon-go"
    if cube < other <= 2 * cube and own <= cube and (crawford or owner == "mine"):
        return "gammon-save"
    return "other"


@dataclass(frozen=True, slots=True)
class Pips:
    """Pip counts around one entry, of the player who acts and of the other, before and after it."""

    own: int
    other: int
    own_after: int
    other_after: int


def pips_of(turn: Turn) -> Pips:
    """The pip counts around an entry."""
    return Pips(*turn.before.pips, *turn.after.pips)


@dataclass(frozen=True, slots=True)
class PipPoint:
    """Both pip counts at one moment of a game.

    Attributes:
        game: number of the game in the record, from 1.
        roll: how many rolls have been played, from 0 for the start of the game.
        player: who rolled last; None at the start.
        pips: pip counts by player.
    """

    game: int
    roll: int
    player: int | None
    pips: tuple[int, int]


def pip_course(games: Iterable[GameReplay]) -> tuple[PipPoint, ...]:
    """Both pip counts at the start of each game and after every roll of it."""
    course: list[PipPoint] = []
    for game in games:
        number = game.index + 1
        if game.turns:
            first = game.turns[0]
            course.append(PipPoint(number, 0, None, _by_player(first.player, first.before.pips)))
        rolls = [turn for turn in game.turns if isinstance(turn.entry, CheckerPlay) and not turn.is_surplus]
        course.extend(
            PipPoint(number, roll, turn.player, _by_player(turn.player, turn.after.pips))
            for roll, turn in enumerate(rolls, start=1)
        )
    return tuple(course)


def _by_player(player: int, pips: tuple[int, int]) -> tuple[int, int]:
    return pips if player == 0 else pips[::-1]


_HOME: Final = range(1, 7)
_BLOCK: Final = range(1, 8)
"""Points that are made and slotted: the home board and the bar-point."""
_OUTFIELD: Final = range(8, 13)
_ANCHORS: Final = range(18, 25)
"""Where a back checker still sits behind: the other's home board and bar-point."""
_ORDER: Final = (
    "blitz", "point on the blot", "hit", "point", "points", "anchor", "run", "slot", "split", "build", "enter", "other",
)  # fmt: skip
"""The order in which names are joined."""


def name_play(before: Board, after: Board) -> str:
    """What a play of the first few rolls is called, by what it changes on the board.

    * ``blitz``: a hit in the own home board, and another hit or a new point there.
    * ``point on the blot``: a new point in the home board where a blot was hit; ``hit``: any other hit.
    * ``point``, ``points``: a new point, or several, among the home board and the bar-point.
    * ``anchor``: a new point on the other's side, from their bar-point on.
    * ``run``: a back checker past the other's bar-point.
    * ``slot``: a new blot on the home board or the bar-point that hits nothing.
    * ``split``: a back checker moved, stays behind and hits nothing, and no anchor was made.
    * ``build``: a checker came down to the outfield (8- to 12-point), and none of the above.
    * ``enter``: a checker came in from the bar, and none of the above; ``dance``: none could.
    * ``other``: none of the above, such as a checker played safe onto a point already held.

    Several names are joined: ``hit and split``. ``build`` and ``enter`` stand alone: 43 played 24/20 13/10 is a split.

    Args:
        before, after: the board before and after the play, both seen by the player who made it.
    """
    mine, now = before.mine, after.mine
    if mine == now:
        return "dance" if mine[BAR] else "other"
    come, made, hit, slots = _changed_points(before, after)
    names = [*_blows_and_points(made, hit), *_backs(mine, now, come - hit, made)]
    if slots:
        names.append("slot")
    if not names:
        names = ["enter"] if mine[BAR] else ["build"] if come & set(_OUTFIELD) else ["other"]
    return " and ".join(sorted(names, key=_ORDER.index))


def describe_play(before: Board, after: Board) -> str:
    """What a play does, in words, so that plays of positions that are alike can be compared: ``make the 5-point``.

    Hits come first (``hit two``; ``point on a blot`` where the point is made, ``hit loose`` where a blot is left in the
    home board), then new points and anchors, checkers borne off, a back checker that runs, a slot, a split. Where there
    is none of these: ``dance``, ``enter``, ``bring a checker down``, or ``play on``.

    Args:
        before, after: the board before and after the play, both seen by the player who made it.
    """
    mine, now = before.mine, after.mine
    if mine == now:
        return "dance" if mine[BAR] else "no play"
    come, made, hit, slots = _changed_points(before, after)
    found = []
    if len(hit) > 1:
        found.append("hit two" if len(hit) == 2 else f"hit {len(hit)}")
    elif hit & made:
        found.append("point on a blot")
    elif hit:
        loose = {point for point in hit & set(_HOME) if now[point] == 1}
        found.append("hit loose" if loose else "hit")
    if points := sorted(made - hit - set(_ANCHORS)):
        found.append(f"make the {_listed_points(points)}")
    if anchors := sorted(made & set(_ANCHORS)):
        found.append(f"make an anchor on the {_listed_points(anchors)}")
    if gone := now[OFF] - mine[OFF]:
        found.append(f"bear off {gone}")
    names = [*_backs(mine, now, come - hit, made)]
    found += [name for name in ("run", "split") if name in names]
    if slots:
        found.append(f"slot the {_listed_points(sorted(slots))}")
    if not found:
        found = ["enter"] if mine[BAR] else ["bring a checker down"] if come & set(_OUTFIELD) else ["play on"]
    return ", ".join(found)


def _listed_points(points: Sequence[int]) -> str:
    return "-, ".join(map(str, points[:-1])) + ("- and " if points[1:] else "") + f"{points[-1]}-point"


def _changed_points(before: Board, after: Board) -> tuple[set[int], set[int], set[int], set[int]]:
    """Where a player's checkers came to, which points that made, where it hit, and which blots slot a block point."""
    mine, now = before.mine, after.mine
    come = {point for point in range(1, BAR) if now[point] > mine[point]}
    made = {point for point in come if now[point] >= 2 > mine[point]}
    hit = _hits(before, after)
    return come, made, hit, {point for point in (come - hit) & set(_BLOCK) if now[point] == 1}


def _hits(before: Board, after: Board) -> set[int]:
    """Where blots were hit, in the numbering of the player who moved."""
    return {
        mirrored(point)
        for point in range(1, BAR)
        if before.theirs[point] == 1 and not after.theirs[point] and after.theirs[BAR]
    }


def _blows_and_points(made: set[int], hit: set[int]) -> Iterator[str]:
    """Names for the hits of a play and for the points that it makes, unless the name of the hit says them."""
    home = set(_HOME)
    if hit & home and len((hit | made) & home) > 1:
        yield "blitz"
    elif hit & made & home:
        yield "point on the blot"
    else:
        if hit:
            yield "hit"
        if points := len(made & set(_BLOCK)):
            yield "point" if points == 1 else "points"


def _backs(mine: Checkers, now: Checkers, quiet: set[int], made: set[int]) -> Iterator[str]:
    """What the back checkers do; ``quiet`` are the points that a checker came to without a hit."""
    anchors = set(_ANCHORS)
    moved = any(now[point] < mine[point] for point in range(_ANCHORS.start, BAR + 1))
    if made & anchors:
        yield "anchor"
    if moved and _behind(now) < _behind(mine):
        yield "run"
    if moved and not made & anchors and quiet & anchors and not mine[BAR]:
        yield "split"


def _behind(side: Checkers) -> int:
    """Checkers behind: on the bar, or not past the other's bar-point."""
    return sum(side[_ANCHORS.start :])


def opening_name(game: GameReplay, turn: Turn) -> str:
    """The name of a play that opens a game or replies to the opening; empty for every other entry.

    Only legal plays of games that begin from the usual position have a name.
    """
    if turn.roll > 1 or turn.play is None or not isinstance(turn.entry, CheckerPlay):
        return ""
    if game.rules.start != START or game.is_set_before(turn):
        return ""
    return name_play(turn.before, turn.play.result)
