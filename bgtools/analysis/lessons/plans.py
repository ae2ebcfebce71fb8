"""What the better play is for: one plan of at most eight words, with which the sentence of an error begins.

A plan is a difference between the best choice and the one that was made, which can be counted on their boards or stands
in what the engine says of both. The first plan of the list that holds is told; docs/themes.md has them all. Nothing is
told of a play where no chance that counts at the score is better by half a point in a hundred.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bgtools.analysis.errors import NOTHING
from bgtools.analysis.lessons.boards import (
    ADVANCED,
    ANCHORS,
    BLOCK,
    ROLLS,
    PlayChange,
    behind,
    borne_off,
    held,
    outside,
    prime,
    shots,
)
from bgtools.analysis.lessons.sentence import LEAST, LEAST_PRIME, LEAST_ROLLS, LEAST_STACK, ZONE, gammons_that_count
from bgtools.bearoff.one_sided import is_home, mean_rolls
from bgtools.board import words
from bgtools.board.board import BAR
from bgtools.board.generation import legal_plays

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bgtools.analysis.lessons.scene import DecisionBoards
    from bgtools.board.board import Board

PLAN: Final = "the plan: "
"""What a plan begins with in a sentence."""
MOST_WORDS: Final = 8
MUCH_TRADED: Final = 3.0
TRADED: Final = 1.5
"""Percentage points of games, and of gammons, from which one is said to be given up for the other: before all that can
be seen on the board, and after it."""
MANY_SHOTS: Final = 6
"""So many shots fewer, of 36, make a play the safe one."""
MANY_ROLLS: Final = 8
"""A point is about to be made where so many of 36 rolls make it."""
LEAD: Final = 8
"""Pips from which a player is said to be ahead or behind in the race."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One plan.

    Attributes:
        name: the words of it, an N for each number.
        tell: the words where a decision has it; else empty.
    """

    name: str
    tell: Callable[[PlayComparison], str]

    @property
    def definition(self) -> str:
        """When a decision has it, in words."""
        return " ".join((self.tell.__doc__ or "").split())


@dataclass(frozen=True, slots=True)
class PlayComparison:
    """A play that was made beside the best one.

    Attributes:
        before: the board before it, seen by the player who decides, as the others.
        made, best: what each of the two plays changes.
        gains: by how many percentage points the best play wins more games, and more gammons and backgammons or loses
            fewer, of those that count at the score. Empty where the chances are not known.
    """

    before: Board
    made: PlayChange
    best: PlayChange
    gains: Mapping[str, float]

    @property
    def is_contact(self) -> bool:
        """Whether the sides can still hit each other after one of the plays."""
        return self.made.after.is_contact or self.best.after.is_contact

    @property
    def lead(self) -> int:
        """Pips by which the player is ahead in the race before the play."""
        own, other = self.before.pips
        return other - own


PLANS: Final[list[Plan]] = []
"""The plans of plays, the first to be told first."""


def _plan(name: str) -> Callable[[Callable[[PlayComparison], str]], Callable[[PlayComparison], str]]:
    def listed(tell: Callable[[PlayComparison], str]) -> Callable[[PlayComparison], str]:
        PLANS.append(Plan(name, tell))
        return tell

    return listed


def plan_of(scene: DecisionBoards) -> str:
    """What the best choice is for, in at most eight words; empty where the figures tell no plan."""
    row = scene.row
    if row.loss is None or row.loss <= NOTHING:
        return ""
    if not scene.is_play:
        return _of_cube(scene)
    found = comparison_of(scene)
    return "" if found is None else next(filter(None, (plan.tell(found) for plan in PLANS)), "")


def comparison_of(scene: DecisionBoards) -> PlayComparison | None:
    """The play that was made beside the best one; None where one is not known, or no chance speaks for the best."""
    if scene.board is None or scene.made is None or scene.best is None or scene.made == scene.best:
        return None
    gains = _gains(scene)
    if gains and max(gains.values()) < LEAST:
        return None
    return PlayComparison(scene.board, PlayChange(scene.board, scene.made), PlayChange(scene.board, scene.best), gains)


def _gains(scene: DecisionBoards) -> dict[str, float]:
    made = next((choice for choice in scene.row.choices if choice.made), None)
    best = next((choice for choice in scene.row.choices if choice.rank == 1), None)
    if made is None or best is None:
        return {}
    counts = gammons_that_count(scene.row)
    found = {}
    for name in ("win", *(each for each, does in counts.items() if does)):
        own, other = getattr(made, name), getattr(best, name)
        if own is None or other is None:
            return {}
        found[name] = 100 * (own - other if name.startswith("lose") else other - own)
    return found


# --- one thing for another ------------------------------------------------------------------

_TRADES: Final = (
    ("win_gammon", "win", "risk games to win the gammon"),
    ("win", "win_gammon", "give up gammons to win more games"),
    ("lose_gammon", "win", "save the gammon at the cost of games"),
    ("win", "lose_gammon", "win more games at the risk of gammons"),
)
"""What is gained, what is given up for it, and the words."""


def _traded(found: PlayComparison, least: float) -> str:
    gains = found.gains
    told = (text for more, less, text in _TRADES if gains.get(more, 0) >= least and gains.get(less, 0) <= -least)
    return next(told, "")


@_plan("; ".join(text for *_, text in _TRADES))
def _much_traded(found: PlayComparison) -> str:
    """The best play has more of the one and less of the other, 3 in a hundred or more of each."""
    return _traded(found, MUCH_TRADED)


# --- the race -------------------------------------------------------------------------------


@_plan("bear off more checkers")
def _off(found: PlayComparison) -> str:
    """The best play bears off more checkers."""
    own, other = (borne_off(found.before.mine, each.after.mine) for each in (found.best, found.made))
    return "bear off more checkers" if own > other else ""


@_plan("be off in fewer rolls")
def _fewer_rolls(found: PlayComparison) -> str:
    """In a race with all checkers home, the best play needs fewer rolls on average to bear off."""
    own, other = found.best.after.mine, found.made.after.mine
    if found.is_contact or not (is_home(own) and is_home(other)):
        return ""
    rolls, more = mean_rolls(own), mean_rolls(other)
    return "be off in fewer rolls" if rolls is not None and more is not None and more - rolls >= LEAST_ROLLS else ""


@_plan("bring more checkers home")
def _home(found: PlayComparison) -> str:
    """In a race, the best play leaves fewer checkers outside the home board."""
    own, other = (outside(each.after.mine) for each in (found.best, found.made))
    return "bring more checkers home" if not found.is_contact and own < other else ""


@_plan("break contact, N pips ahead")
def _racing(found: PlayComparison) -> str:
    """The best play ends all contact, the one that was made does not, and the player is 8 pips or more ahead."""
    ends = found.made.after.is_contact and not found.best.after.is_contact
    return f"break contact, {words.times(found.lead, 'pip')} ahead" if ends and found.lead >= LEAD else ""


@_plan("keep contact, N pips behind")
def _contact(found: PlayComparison) -> str:
    """The play that was made ends all contact, the best one does not, and the player is 8 pips or more behind."""
    keeps = found.best.after.is_contact and not found.made.after.is_contact
    return f"keep contact, {words.times(-found.lead, 'pip')} behind" if keeps and -found.lead >= LEAD else ""


# --- hits -----------------------------------------------------------------------------------


@_plan("hit N checkers")
def _double_hit(found: PlayComparison) -> str:
    """The best play hits two checkers or more, the one that was made fewer."""
    count = len(found.best.hits)
    return f"hit {words.checkers(count)}" if count >= 2 and len(found.made.hits) < count else ""


@_plan("hit on the N-point")
def _elsewhere(found: PlayComparison) -> str:
    """Both plays hit as many checkers, the best one on another point."""
    points = sorted(found.best.hits - found.made.hits)
    as_many = len(found.best.hits) == len(found.made.hits)
    return f"hit on {words.point(points[0])}" if points and as_many else ""


@_plan("point on the blot")
def _on_the_head(found: PlayComparison) -> str:
    """The best play makes a point where it hits, which the one that was made does not make."""
    return "point on the blot" if (found.best.hits & found.best.made) - found.made.made else ""


@_plan("hit, before the N-point is made")
def _before_it_is_made(found: PlayComparison) -> str:
    """The best play alone hits, on a point of the own home board or the bar-point, which 8 or more of the 36 rolls of
    the other player would make after the play that was made."""
    if found.made.hits:
        return ""
    for point in sorted(found.best.hits & {*BLOCK}, reverse=True):
        if rolls_that_make(found.made.after.flipped(), BAR - point) >= MANY_ROLLS:
            return f"hit, before {words.point(point)} is made"
    return ""


@_plan("hit, and gain N pips in the race")
def _gaining(found: PlayComparison) -> str:
    """The best play alone hits, and what it hits loses 8 pips or more."""
    taken = found.best.after.pips[1] - found.before.pips[1]
    return (
        f"hit, and gain {taken} pips in the race" if found.best.hits and not found.made.hits and taken >= LEAD else ""
    )


@_plan("hit")
def _hit(found: PlayComparison) -> str:
    """The best play alone hits."""
    return "hit" if found.best.hits and not found.made.hits else ""


def rolls_that_make(board: Board, point: int) -> int:
    """With how many of the 36 rolls the player on roll can make a point that they have not made."""
    return sum(
        weight for dice, weight in ROLLS if any(play.result.mine[point] >= 2 for play in legal_plays(board, dice))
    )


# --- points ---------------------------------------------------------------------------------


def _only(best: frozenset[int], made: frozenset[int], points: range) -> list[int]:
    return sorted((best - made) & {*points}, reverse=True)


@_plan("leave no shot")
def _no_shot(found: PlayComparison) -> str:
    """The best play leaves no shot, the one that was made 6 or more of 36."""
    own, other = _shots(found)
    return "leave no shot" if not own and other >= MANY_SHOTS else ""


@_plan("make the N-point anchor")
def _anchor(found: PlayComparison) -> str:
    """The best play makes a point of the other's home board above its ace-point, the one that was made does not."""
    points = _only(found.best.made, held(found.made.after.mine), ADVANCED)
    return f"make {words.point(min(points))} anchor" if points and found.is_contact else ""


@_plan("keep the N-point anchor")
def _keep_anchor(found: PlayComparison) -> str:
    """The play that was made gives up a point of the other's home board that the best one keeps."""
    points = _only(found.made.given_up, found.best.given_up, ANCHORS)
    return f"keep {words.point(min(points))} anchor" if points and found.is_contact else ""


@_plan("make the N-point")
def _point(found: PlayComparison) -> str:
    """There is contact, and the best play makes a point of the own home board or the bar-point that the one that was
    made does not make."""
    points = _only(found.best.made, held(found.made.after.mine), BLOCK)
    if not points or not found.is_contact or not behind(found.before.theirs):
        return ""
    return f"make {words.point(min(points, key=_PREFERRED.index))}"


_PREFERRED: Final = (5, 4, 7, 3, 6, 2, 1)
"""The points of `BLOCK`, those that players like best first."""


@_plan("block with N points in a row")
def _prime(found: PlayComparison) -> str:
    """The best play has more points in a row, four or more, with a checker of the other side behind them."""
    own, other = (prime(each.after.mine, each.after.theirs).length for each in (found.best, found.made))
    return f"block with {own} points in a row" if own > other and own >= LEAST_PRIME else ""


@_plan("play safe")
def _safe(found: PlayComparison) -> str:
    """The best play leaves 6 shots or more fewer, of 36."""
    own, other = _shots(found)
    return "play safe" if other - own >= MANY_SHOTS else ""


def _shots(found: PlayComparison) -> tuple[int, int]:
    own, other = (shots(each.after.flipped()).rolls for each in (found.best, found.made))
    return own, other


@_plan("keep the N-point")
def _keep(found: PlayComparison) -> str:
    """There is contact, and the play that was made gives up a point of the own home board or the bar-point that the
    best one keeps."""
    points = _only(found.made.given_up, found.best.given_up, BLOCK)
    return f"keep {words.point(min(points, key=_PREFERRED.index))}" if points and found.is_contact else ""


@_plan("get a checker out from behind")
def _out(found: PlayComparison) -> str:
    """There is contact, and the best play leaves fewer checkers on the bar and in the other's home board."""
    own, other = (behind(each.after.mine) for each in (found.best, found.made))
    return "get a checker out from behind" if own < other and found.is_contact else ""


@_plan("hit no checker, and leave fewer shots")
def _quiet(found: PlayComparison) -> str:
    """The play that was made hits, the best one does not and leaves fewer shots."""
    own, other = _shots(found)
    return "hit no checker, and leave fewer shots" if found.made.hits and not found.best.hits and own < other else ""


# --- smaller things -------------------------------------------------------------------------


@_plan("slot the N-point")
def _slot(found: PlayComparison) -> str:
    """The best play brings one checker to an empty point, the own 3-point to bar-point, with a checker of the other
    side behind it; the play that was made leaves that point empty."""
    before, best, made = found.before.mine, found.best.after, found.made.after.mine
    points = [p for p in range(3, 8) if best.mine[p] == 1 and not before[p] and not made[p]]
    slots = [p for p in points if p not in found.best.hits and any(best.theirs[BAR - p + 1 :])]
    return f"slot {words.point(min(slots, key=_PREFERRED.index))}" if slots else ""


@_plan("split the back checkers")
def _split(found: PlayComparison) -> str:
    """The two last checkers stand on the other's ace-point, and the best play alone moves one of them."""
    on_it = [board.mine[24] for board in (found.before, found.best.after, found.made.after)]
    return "split the back checkers" if on_it == [2, 1, 2] and not found.before.mine[BAR] else ""


@_plan("leave fewer shots")
def _fewer_shots(found: PlayComparison) -> str:
    """The best play leaves fewer shots, of 36."""
    own, other = _shots(found)
    return "leave fewer shots" if own < other else ""


@_plan("make the N-point")
def _outer_point(found: PlayComparison) -> str:
    """There is contact, and the best play alone makes a point outside both home boards."""
    points = _only(found.best.made, held(found.made.after.mine), range(8, 19))
    return f"make {words.point(min(points))}" if points and found.is_contact else ""


@_plan("bring a checker into the zone")
def _zone(found: PlayComparison) -> str:
    """There is contact, the other player has a checker behind, and the best play has more checkers on the own twelve
    lowest points."""
    own, other = (sum(each.after.mine[1 : ZONE + 1]) for each in (found.best, found.made))
    wanted = found.is_contact and bool(behind(found.before.theirs))
    return "bring a checker into the zone" if own > other and wanted else ""


@_plan("unstack the N-point")
def _unstack(found: PlayComparison) -> str:
    """There is contact, a point holds five checkers or more, and the best play leaves fewer there."""
    before = found.before.mine
    point = max(range(1, BAR), key=lambda each: before[each])
    fewer = found.best.after.mine[point] < min(before[point], found.made.after.mine[point])
    return f"unstack {words.point(point)}" if before[point] >= LEAST_STACK and fewer and found.is_contact else ""


@_plan("keep the N-point")
def _keep_other(found: PlayComparison) -> str:
    """There is contact, and the play that was made gives up a point that the best one keeps."""
    points = _only(found.made.given_up, found.best.given_up, range(1, BAR))
    return f"keep {words.point(min(points))}" if points and found.is_contact else ""


@_plan("the trades of the first row")
def _little_traded(found: PlayComparison) -> str:
    """The best play has more of the one and less of the other, 1.5 in a hundred or more of each."""
    return _traded(found, TRADED)


@_plan("win the gammon more often; lose the gammon less often")
def _gammons(found: PlayComparison) -> str:
    """The best play wins more gammons, or loses fewer, 1.5 in a hundred or more."""
    if found.gains.get("win_gammon", 0.0) >= TRADED:
        return "win the gammon more often"
    return "lose the gammon less often" if found.gains.get("lose_gammon", 0.0) >= TRADED else ""


# --- the cube -------------------------------------------------------------------------------

CUBE_PLANS: Final = (
    ("double while the other player still takes", "A double was missed, and the other player takes it rightly."),
    ("double, and the other player should pass", "A double was missed, and the other player passes it rightly."),
    ("keep the cube in the middle", "A double is wrong, the cube is in the middle, and a take would be right."),
    ("keep the cube", "A redouble is wrong, and a take would be right."),
    ("play on for the gammon", "A double is wrong, a pass would be right, and gammons count."),
    ("pass, because a take loses more", "A take is wrong."),
    ("take, because a pass loses more", "A pass is wrong."),
)
"""The plans of errors with the cube, with their definitions."""


def _of_cube(scene: DecisionBoards) -> str:
    row, named = scene.row, scene.choices
    still, cash, middle, own, gammon, drop, take = (text for text, _ in CUBE_PLANS)
    if row.kind in ("take", "pass"):
        return {"Pass": drop, "Take": take}.get(row.best, "")
    taken, passed = named.get("Double, take", named.get("Double, beaver")), named.get("Double, pass")
    if row.kind not in ("no double", "double") or taken is None or passed is None:
        return ""
    takes = taken.equity < passed.equity
    if row.kind == "no double":
        return still if takes else cash
    if takes:
        return own if row.cube_owner == "mine" else middle
    return gammon if gammons_that_count(row)["win_gammon"] else ""
