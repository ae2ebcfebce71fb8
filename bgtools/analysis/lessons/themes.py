"""What a decision is about: themes, a predicate each.

To add one, write a function of a `Scene` that gives a truth, and put ``@theme("name", group)`` above it, or one of the
two sides of a position and ``@side_theme("name")``; its docstring is the definition that docs/themes.md prints
(`python docs/make_themes.py`). Name it as players do, without a comma. Test it in tests/analysis/test_themes.py on
positions that everybody would call so, and on some that nobody would.

A *contender* is the play that was made, the best one or the second best, as far as an engine has named them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product
from typing import TYPE_CHECKING, Final, Literal

from bgtools.analysis.lessons.boards import (
    ADVANCED,
    ANCHORS,
    BLOCK,
    HOME,
    behind,
    finishes,
    prime,
    side_of,
    spare_pips,
)
from bgtools.analysis.phases import is_back_game
from bgtools.bearoff import is_home
from bgtools.board import BAR, OFF, START, rearmost

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.analysis.lessons.boards import Change, Side
    from bgtools.analysis.lessons.scene import Scene
    from bgtools.board import Board, Checkers

Group = Literal["the game", "checker play", "the cube", "the score"]
GROUPS: Final[tuple[Group, ...]] = ("the game", "checker play", "the cube", "the score")


@dataclass(frozen=True, slots=True)
class Theme:
    """One theme.

    Attributes:
        name: what players call it.
        group: what it is about.
        holds: whether a decision has it.
        of_sides: whether the position alone tells it: it is one of `side_themes`.
    """

    name: str
    group: Group
    holds: Callable[[Scene], bool]
    of_sides: bool = False

    @property
    def definition(self) -> str:
        """When a decision has it, in words."""
        return " ".join((self.holds.__doc__ or "").split())


_THEMES: list[Theme] = []


def theme(name: str, group: Group) -> Callable[[Callable[[Scene], bool]], Callable[[Scene], bool]]:
    """List a predicate under a name."""

    def listed(holds: Callable[[Scene], bool]) -> Callable[[Scene], bool]:
        _THEMES.append(Theme(name, group, holds))
        return holds

    return listed


_SIDE_THEMES: list[tuple[str, Callable[[Side, Side], object]]] = []


def side_theme(name: str) -> Callable[[Callable[[Side, Side], object]], Callable[[Side, Side], object]]:
    """List a predicate of a side and the one against it: with contact before the decision it holds of some side.

    Such a theme belongs to the position, so that all decisions about it have it.
    """

    def listed(holds: Callable[[Side, Side], object]) -> Callable[[Side, Side], object]:
        def holds_of_some(scene: Scene) -> bool:
            return name in side_themes(scene.board)

        holds_of_some.__doc__ = holds.__doc__
        _SIDE_THEMES.append((name, holds))
        _THEMES.append(Theme(name, "the game", holds_of_some, of_sides=True))
        return holds

    return listed


def themes_of(scene: Scene) -> tuple[str, ...]:
    """The names of the themes of a decision, in the order of `THEMES`."""
    known = side_themes(scene.board)
    asked = _OF_PLAYS if scene.is_play else _OF_CUBES
    return tuple([each.name for each in asked if (each.name in known if each.of_sides else each.holds(scene))])


# --- helpers --------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def side_themes(board: Board | None) -> frozenset[str]:
    """The themes of `side_theme` that a position has; a roll and the double before it ask for the same one."""
    if board is None or not board.is_contact:
        return frozenset()
    own, other = side_of(board.mine), side_of(board.theirs)
    return frozenset([name for name, holds in _SIDE_THEMES if holds(own, other) or holds(other, own)])


def _some_play(scene: Scene, holds: Callable[[Change], object]) -> bool:
    """Whether something holds of what a contender changes."""
    return any(map(holds, scene.changes))


def _is_contact_play(scene: Scene) -> bool:
    return scene.is_play and scene.is_contact


# --- the game -------------------------------------------------------------------------------


@theme("opening roll", "the game")
def _opening_roll(scene: Scene) -> bool:
    """The first roll of a game that begins from the usual position."""
    row = scene.row
    return scene.is_play and row.turn == 1 and scene.board == START and len(set(row.dice)) == 2


@theme("reply", "the game")
def _reply(scene: Scene) -> bool:
    """The second roll of such a game: the first play of the player who did not begin."""
    row = scene.row
    return scene.is_play and row.turn == 2 and row.phase == "opening"


@theme("blitz", "the game")
def _blitz(scene: Scene) -> bool:
    """Before the decision or after a contender: a side has a checker on the bar, another behind and no anchor, and
    the other side has ten checkers or more on its twelve lowest points, not all of them home, and two to five home
    points."""
    boards = () if scene.board is None else (scene.board, *scene.contenders)
    return any(_is_blitz(own, other) for board in boards for own, other in permutations((board.mine, board.theirs)))


def _is_blitz(own: Checkers, other: Checkers) -> bool:
    if not other[BAR] or behind(other) < 2 or side_of(other).anchors:
        return False
    return sum(own[1:13]) >= 10 and any(own[7:]) and 2 <= side_of(own).home <= 5


@side_theme("prime")
def _prime(own: Side, other: Side) -> bool:
    """A side has made five points or more in a row, with a checker of the other side behind them."""
    return prime(own.checkers, other.checkers).length >= 5


@side_theme("full prime")
def _full_prime(own: Side, other: Side) -> bool:
    """A side has made six points or more in a row, with a checker of the other side behind them."""
    return prime(own.checkers, other.checkers).length >= 6


@side_theme("prime against prime")
def _prime_against_prime(own: Side, other: Side) -> bool:
    """Both sides have made four points or more in a row, each with a checker of the other side behind them."""
    return prime(own.checkers, other.checkers).length >= 4 and prime(other.checkers, own.checkers).length >= 4


@side_theme("closed board")
def _closed_board(own: Side, other: Side) -> bool:
    """There is contact, and a side has made all six points of its home board."""
    return own.home == 6


@theme("anchor", "the game")
def _anchor(scene: Scene) -> bool:
    """The player who decides holds a point of the other's home board above its ace-point, or a contender makes one."""
    if scene.board is None or not scene.is_contact:
        return False
    return any(not side_of(board.mine).made.isdisjoint(ADVANCED) for board in (scene.board, *scene.contenders))


@side_theme("advanced anchor")
def _advanced_anchor(own: Side, other: Side) -> bool:
    """A side holds the 5- or the 4-point of the other's home board, the 20- or 21-point in its own numbering."""
    return 20 in own.made or 21 in own.made


@side_theme("back game")
def _back_game(own: Side, other: Side) -> bool:
    """There is contact, and a side holds two points or more of the other's home board and is 40 pips or more behind."""
    return own.behind >= 4 and is_back_game(own.checkers, own.pips - other.pips)


@side_theme("ace-point game")
def _ace_point_game(own: Side, other: Side) -> bool:
    """A side holds the other's ace-point and no other checker of it is behind; the other side has come round, with no
    checker above its 12-point, and leads by 20 pips or more."""
    only = own.checkers[24] >= 2 and own.checkers[24] == own.behind
    return only and other.rearmost <= 12 and own.pips - other.pips >= 20


_HOLDING: Final = (18, 20, 21)
"""The other's bar-point, 5- and 4-point."""


def _holds(own: Side) -> bool:
    """Whether a side holds an advanced point on the other's side with all checkers that it has there or behind it."""
    return own.rearmost in _HOLDING and own.rearmost in own.made


@side_theme("holding game")
def _holding_game(own: Side, other: Side) -> bool:
    """A side that is behind in the race holds the other's bar-, 5- or 4-point and has nothing behind it; the other's
    last checkers have left its home board."""
    return _holds(own) and other.rearmost <= 18 and not _holds(other) and own.pips > other.pips


@side_theme("mutual holding game")
def _mutual_holding_game(own: Side, other: Side) -> bool:
    """Each side holds the other's bar-, 5- or 4-point and has nothing behind it."""
    return _holds(own) and _holds(other)


@side_theme("containment")
def _containment(own: Side, other: Side) -> bool:
    """A side has borne off a checker and has one or two checkers on the bar or in the other's home board."""
    return own.checkers[OFF] > 0 and 1 <= own.behind <= 2


@side_theme("timing")
def _timing(own: Side, other: Side) -> bool:
    """A side that waits has 16 pips or fewer (two rolls) to play before its board breaks. It waits if it holds a point
    of the other's home board or has a checker behind four points in a row. The pips are those of its checkers outside
    both home boards to the 6-point, and of those above two on a home point to the 1-point."""
    return _waits(own, other) and spare_pips(own.checkers) <= 16


@side_theme("crunch")
def _crunch(own: Side, other: Side) -> bool:
    """The same with 8 pips or fewer (one roll) and four points or more of its own home board to lose."""
    return own.home >= 4 and _waits(own, other) and spare_pips(own.checkers) <= 8


def _waits(own: Side, other: Side) -> bool:
    return own.anchors > 0 or prime(other.checkers, own.checkers).length >= 4


@theme("race", "the game")
def _race(scene: Scene) -> bool:
    """No checker of either side has to pass one of the other."""
    return scene.board is not None and not scene.is_contact


@theme("bear-in", "the game")
def _bear_in(scene: Scene) -> bool:
    """The player who decides has nine checkers or more at home or off, and the rest in his own outfield."""
    board = scene.board
    if board is None:
        return False
    return 7 <= rearmost(board.mine) <= 12 and sum(board.mine[:7]) >= 9


@theme("bear-in against contact", "the game")
def _bear_in_against_contact(scene: Scene) -> bool:
    """A bear-in, while the other side still has a checker to be passed."""
    return scene.is_contact and _bear_in(scene)


@theme("bear-off", "the game")
def _bear_off(scene: Scene) -> bool:
    """No contact, and all checkers of the player who decides are home or off."""
    return scene.board is not None and not scene.is_contact and is_home(scene.board.mine)


@theme("bear-off against contact", "the game")
def _bear_off_against_contact(scene: Scene) -> bool:
    """All checkers of the player who decides are home or off, and the other side has a checker on the bar or behind."""
    return scene.board is not None and scene.is_contact and is_home(scene.board.mine)


@theme("last roll", "the game")
def _last_roll(scene: Scene) -> bool:
    """No contact, some roll of the player on roll bears off all his checkers, and if it does not come, every roll of
    the other bears off all of his."""
    board = scene.position.board
    return not board.is_contact and finishes(board.mine) > 0 and finishes(board.theirs) == 36


# --- checker play ---------------------------------------------------------------------------


@theme("from the bar", "checker play")
def _from_the_bar(scene: Scene) -> bool:
    """The player has a checker on the bar, and a contender enters one."""
    return _some_play(scene, lambda change: change.before.mine[BAR] > change.after.mine[BAR])


@theme("hit", "checker play")
def _hit(scene: Scene) -> bool:
    """A contender hits."""
    return _some_play(scene, lambda change: change.hits)


@theme("hit or not", "checker play")
def _hit_or_not(scene: Scene) -> bool:
    """Of the contenders some hit and some do not."""
    return len({bool(change.hits) for change in scene.changes}) == 2


@theme("double hit", "checker play")
def _double_hit(scene: Scene) -> bool:
    """A contender hits two checkers or more."""
    return _some_play(scene, lambda change: len(change.hits) >= 2)


@theme("point on the head", "checker play")
def _point_on_the_head(scene: Scene) -> bool:
    """A contender makes a point of the own home board where it hits a blot."""
    return _some_play(scene, lambda change: not (change.hits & change.made).isdisjoint(HOME))


@theme("loose hit", "checker play")
def _loose_hit(scene: Scene) -> bool:
    """A contender hits in the own home board and leaves a blot on that point."""
    return _some_play(
        scene, lambda change: any(change.after.mine[point] == 1 for point in change.hits if point in HOME)
    )


@theme("slot", "checker play")
def _slot(scene: Scene) -> bool:
    """A contender brings one checker to an empty point, the own 3-point to bar-point, hits nothing there, and the other
    side has a checker behind it."""

    def holds(change: Change) -> bool:
        before, after = change.before, change.after
        come = [point for point in range(3, 8) if after.mine[point] == 1 and not before.mine[point]]
        return any(any(after.theirs[BAR - point + 1 :]) for point in come if point not in change.hits)

    return _some_play(scene, holds)


@theme("making a point", "checker play")
def _making_a_point(scene: Scene) -> bool:
    """There is contact, and a contender makes a point of the own home board or the bar-point."""
    return _is_contact_play(scene) and _some_play(scene, lambda change: not change.made.isdisjoint(BLOCK))


@theme("making an anchor", "checker play")
def _making_an_anchor(scene: Scene) -> bool:
    """A contender makes a point of the other's home board."""
    return _is_contact_play(scene) and _some_play(scene, lambda change: not change.made.isdisjoint(ANCHORS))


@theme("breaking anchor", "checker play")
def _breaking_anchor(scene: Scene) -> bool:
    """There is contact, and a contender gives up a point of the other's home board; the ace-point counts where no other
    checker is behind and the other side has none above its midpoint."""

    def holds(change: Change) -> bool:
        if not change.given_up.isdisjoint(ADVANCED):
            return True
        before = change.before
        return 24 in change.given_up and before.mine[24] == behind(before.mine) and rearmost(before.theirs) <= 13

    return _is_contact_play(scene) and _some_play(scene, holds)


@theme("split", "checker play")
def _split(scene: Scene) -> bool:
    """A contender brings one of the two checkers on the other's ace-point, with no other behind, alone to a
    point up to his bar-point, and hits nothing there."""

    def holds(change: Change) -> bool:
        before, after = change.before, change.after
        if not before.mine[24] == behind(before.mine) == 2 or after.mine[24] != 1:
            return False
        come = [point for point in range(18, 24) if after.mine[point] > before.mine[point]]
        return len(come) == 1 and after.mine[come[0]] == 1 and come[0] not in change.hits

    return _is_contact_play(scene) and _some_play(scene, holds)


@theme("breaking the board", "checker play")
def _breaking_the_board(scene: Scene) -> bool:
    """There is contact, and a contender gives up a point of the own home board."""
    return _is_contact_play(scene) and _some_play(scene, lambda change: not change.given_up.isdisjoint(HOME))


@theme("breaking the midpoint", "checker play")
def _breaking_the_midpoint(scene: Scene) -> bool:
    """There is contact, and a contender gives up the 13-point."""
    return _is_contact_play(scene) and _some_play(scene, lambda change: 13 in change.given_up)


@theme("running", "checker play")
def _running(scene: Scene) -> bool:
    """There is contact, and a contender brings a checker from the bar or the other's home board past his bar-point."""

    def holds(change: Change) -> bool:
        before, after = change.before.mine, change.after.mine
        return behind(after) < behind(before) and sum(after[18:]) < sum(before[18:])

    return _is_contact_play(scene) and _some_play(scene, holds)


@theme("breaking contact", "checker play")
def _breaking_contact(scene: Scene) -> bool:
    """There is contact, and a contender leaves none."""
    return scene.is_contact and _some_play(scene, lambda change: not change.after.is_contact)


@theme("clearing a point", "checker play")
def _clearing_a_point(scene: Scene) -> bool:
    """There is contact, the player has no checker behind, and a contender clears his rearmost point, which he held."""

    def holds(change: Change) -> bool:
        mine = change.before.mine
        last = rearmost(mine)
        return last <= 18 and mine[last] >= 2 and not change.after.mine[last]

    return _is_contact_play(scene) and _some_play(scene, holds)


# --- the cube -------------------------------------------------------------------------------


def _equities(scene: Scene) -> tuple[float, float, float] | None:
    """No double, double and take, double and pass; None where they are not known."""
    named = scene.choices
    take = named.get("Double, take", named.get("Double, beaver"))
    if "No double" not in named or take is None or "Double, pass" not in named:
        return None
    return named["No double"].equity, take.equity, named["Double, pass"].equity


@theme("redouble", "the cube")
def _redouble(scene: Scene) -> bool:
    """The cube was turned before: the player may redouble, or answers a redouble."""
    return scene.row.cube_owner != "centre" and scene.row.kind in ("no double", "double", "take", "pass")


@theme("beaver", "the cube")
def _beaver(scene: Scene) -> bool:
    """A beaver or a raccoon is made, answered or best."""
    names = (scene.row.kind, scene.row.best.lower())
    return scene.is_cube and any(word in name for word, name in product(("beaver", "raccoon"), names))


@theme("too good", "the cube")
def _too_good(scene: Scene) -> bool:
    """The player could double and be passed, and rolling on is worth more than the pass."""
    worth = _equities(scene)
    return worth is not None and worth[1] >= worth[2] and worth[0] > worth[2]


@theme("cash", "the cube")
def _cash(scene: Scene) -> bool:
    """Doubling is best, and the other player should pass."""
    worth = _equities(scene)
    return worth is not None and worth[1] >= worth[2] > worth[0]


@theme("cash or play on", "the cube")
def _cash_or_play_on(scene: Scene) -> bool:
    """The other player should pass a double, and rolling on is worth within .2 EMG of that."""
    worth = _equities(scene)
    return worth is not None and worth[1] >= worth[2] and abs(worth[0] - worth[2]) <= _WIDE


_WIDE: Final = 0.2
_CLOSE: Final = 0.04


@theme("close double", "the cube")
def _close_double(scene: Scene) -> bool:
    """Doubling and not doubling are worth the same within .04 EMG."""
    worth = _equities(scene)
    return worth is not None and abs(worth[0] - min(worth[1:])) <= _CLOSE


@theme("close take", "the cube")
def _close_take(scene: Scene) -> bool:
    """Taking and passing a double are worth the same within .04 EMG."""
    worth = _equities(scene)
    if worth is not None:
        return abs(worth[1] - worth[2]) <= _CLOSE
    named = scene.choices
    return "Take" in named and "Pass" in named and abs(named["Take"].equity - named["Pass"].equity) <= _CLOSE


@theme("resignation", "the cube")
def _resignation(scene: Scene) -> bool:
    """The game is given up, or that is accepted."""
    return not scene.is_play and not scene.is_cube


# --- the score ------------------------------------------------------------------------------


@theme("double match point", "the score")
def _double_match_point(scene: Scene) -> bool:
    """A single game wins the match for either player."""
    return scene.need == "double match point"


@theme("gammon-go", "the score")
def _gammon_go(scene: Scene) -> bool:
    """A gammon wins the match for the player who decides and a single game does not, a single game wins it for the
    other, and he cannot turn the cube."""
    return scene.need == "gammon-go"


@theme("gammon-save", "the score")
def _gammon_save(scene: Scene) -> bool:
    """The same the other way round: the other player needs a gammon, the one who decides a single game."""
    return scene.need == "gammon-save"


@theme("Crawford", "the score")
def _crawford(scene: Scene) -> bool:
    """The Crawford game."""
    return scene.stage == "Crawford"


@theme("post-Crawford", "the score")
def _post_crawford(scene: Scene) -> bool:
    """A game after the Crawford game."""
    return scene.stage == "post-Crawford"


@theme("free drop", "the score")
def _free_drop(scene: Scene) -> bool:
    """After the Crawford game the leader, who needs one point, answers the first double of the game, and the other
    needs an even number of points."""
    row = scene.row
    own, other = (row.length - points for points in row.score)
    first = row.kind in ("take", "pass") and row.cube == 1
    return _post_crawford(scene) and first and own == 1 and other % 2 == 0


THEMES: Final = tuple(sorted(_THEMES, key=lambda each: GROUPS.index(each.group)))
"""Every theme, in the order in which docs/themes.md lists them."""

_OF_PLAYS, _OF_CUBES = (tuple(each for each in THEMES if each.group != left) for left in ("the cube", "checker play"))
"""Those that a checker play may have, and those that any other decision may."""
