"""Why a decision was an error, in one line: what it gains and gives up against the best one."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from bgtools.analysis.errors import NOTHING, RESIGNATIONS
from bgtools.analysis.lessons.clauses import (
    Clause,
    board_clauses,
    chance_clauses,
    gammons_that_count,
    is_given_up,
    verb_of,
)
from bgtools.met.take_points import MONEY_TAKE_POINT, take_points

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bgtools.analysis.lessons.scene import DecisionBoards
    from bgtools.analysis.rows import ChoiceRow, DecisionRow
    from bgtools.met.table import MatchEquityTable

MOST: Final = 3
"""How many clauses about the board a sentence has."""
MUCH: Final = 0.2
"""Shots that differ by less, as a share of the larger number, are told last."""


def sentence_of(scene: DecisionBoards, met: MatchEquityTable | None = None) -> str:
    """What a decision gains and gives up against the best one, in one line; empty where nothing was lost.

    Args:
        scene: the decision.
        met: the match equity table for take points; None to leave them out in a match.
    """
    row = scene.row
    if row.loss is None or row.loss <= NOTHING:
        return ""
    if scene.is_play:
        parts = [_chances(chance_clauses(scene)), *(clause.text for clause in _most_telling(board_clauses(scene)))]
        return "; ".join(filter(None, parts)) or f"gives up {row.loss:.3f} against {row.best}"
    if row.kind in RESIGNATIONS:
        done = "resigning" if row.kind == "resign" else "accepting"
        return f"{done} is worth {_equity(row.equity)}, playing on {_equity(row.best_equity)}"
    return "; ".join(filter(None, _cube(scene, met)))


def _most_telling(clauses: Iterable[Clause]) -> list[Clause]:
    """The first few clauses about the board; a little more or fewer shots come after the others."""
    return sorted(clauses, key=_is_minor)[:MOST]


def _is_minor(clause: Clause) -> bool:
    return clause.name == "shots" and abs(clause.made - clause.best) < MUCH * max(clause.made, clause.best)


def _chances(clauses: tuple[Clause, ...]) -> str:
    """Gains first, then what they cost: ``wins 4.1 % more games but loses 6.0 % more gammons``."""
    lost = [clause for clause in clauses if is_given_up(clause)]
    won = [clause for clause in clauses if not is_given_up(clause)]
    return " but ".join(filter(None, map(_joined, (won, lost))))


def _joined(clauses: list[Clause]) -> str:
    """Clauses with one verb for those that stand together: ``wins 3.6 % fewer games and 1.8 % fewer gammons``."""
    groups = [
        f"{verb} " + " and ".join(clause.text.removeprefix(f"{verb} ") for clause in same)
        for verb, same in groupby(clauses, key=lambda clause: verb_of(clause.name))
    ]
    return ", ".join(groups)


# --- the cube -------------------------------------------------------------------------------


def _cube(scene: DecisionBoards, met: MatchEquityTable | None) -> list[str]:
    row, named = scene.row, scene.choices
    if row.kind in ("no double", "double"):
        return [_doubling(scene), _position(scene, named.get("No double"))]
    take, drop = named.get("Take"), named.get("Pass")
    usual = row.kind in ("take", "pass") and {row.played, row.best} == {"Take", "Pass"}
    if usual and take is not None and drop is not None:
        return [_answering(take.equity, drop.equity), _position(scene, take), _needed(scene, met)]
    return [_compared(row), _position(scene, take)]


_DOING: Final = {"Take": "taking", "Pass": "passing", "Beaver": "a beaver", "Raccoon": "a raccoon"}


def _compared(row: DecisionRow) -> str:
    """What was done and what is best, with what each is worth."""
    made, best = (_DOING.get(choice, choice.lower()) for choice in (row.played, row.best))
    return f"{made} is worth {_equity(row.equity)}, {best} {_equity(row.best_equity)}"


def _doubling(scene: DecisionBoards) -> str:
    """Where the position lies in the doubling window, and by how much."""
    named, row = scene.choices, scene.row
    wait, drop = named.get("No double"), named.get("Double, pass")
    take = named.get("Double, take", named.get("Double, beaver"))
    if wait is None or take is None or drop is None:
        return _compared(row)
    word = "redoubling" if row.cube_owner == "mine" else "doubling"
    answer = "beaver" if take.choice == "Double, beaver" else "take"
    by = abs(take.equity - drop.equity)
    if row.kind == "no double" and take.equity < drop.equity:
        gain = take.equity - wait.equity
        return f"in the doubling window: {word} gains {gain:.3f} over waiting; the {answer} is right by {by:.3f}"
    if row.kind == "no double":
        return f"the other player should pass: that is worth {_equity(drop.equity)}, waiting {_equity(wait.equity)}"
    if take.equity < drop.equity:
        gain = wait.equity - take.equity
        where = "behind" if take.equity < 0 and wait.win is not None and wait.win < 0.5 else "too early"
        return f"{where}: waiting gains {gain:.3f} over {word}; the {answer} is right by {by:.3f}"
    return f"too good: playing on is worth {_equity(wait.equity)}, the pass {_equity(drop.equity)}"


def _answering(take: float, drop: float) -> str:
    """What the two answers to a double are worth to the player who gives them."""
    which = "more" if drop > take else "less"
    return f"taking is worth {_equity(take)}, passing {_equity(drop)}: {abs(take - drop):.3f} {which} for the pass"


def _position(scene: DecisionBoards, choice: ChoiceRow | None) -> str:
    """Chances of winning, and of the gammons that count, of the player who decides."""
    if choice is None or choice.win is None:
        return ""
    text = f"wins {100 * choice.win:.1f} % of games"
    count = gammons_that_count(scene.row)
    if count["win_gammon"] and choice.win_gammon is not None and 100 * choice.win_gammon >= 1:
        text += f", {100 * choice.win_gammon:.1f} % with a gammon"
    if count["lose_gammon"] and choice.lose_gammon is not None and 100 * choice.lose_gammon >= 1:
        text += f", and loses {100 * choice.lose_gammon:.1f} % with a gammon"
    return text


def _needed(scene: DecisionBoards, met: MatchEquityTable | None) -> str:
    """The take point without gammons. A player who loses the match with the doubled cube anyway redoubles at once."""
    state = scene.state
    if state.is_money:
        return f"a take without gammons or a redouble needs {100 * MONEY_TAKE_POINT:.1f} %"
    if met is None or not met.covers(state.away):
        return ""
    points = take_points(met, state)
    if points is None:
        return ""
    redouble = "and with a redouble at once" if state.away[1] <= 2 * state.cube.value else "or a redouble"
    return f"a take without gammons {redouble} needs {100 * points.dead:.1f} %"


def _equity(value: float | None) -> str:
    return "-" if value is None else f"{value:+.3f}"
