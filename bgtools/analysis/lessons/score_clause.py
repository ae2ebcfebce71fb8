"""The clause that begins the sentence of an error that is none at another score: "right for money"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.analysis.errors import LEAST_SHOWN
from bgtools.analysis.lessons.sentence import LEAST
from bgtools.analysis.scores import RIGHT, ScoreClass
from bgtools.findings.quantities import CHANCE, GAMMON, LOST
from bgtools.met.finding import MONEY_TAKE_POINTS, gammon_values, take_points

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bgtools.analysis.lessons.scene import DecisionBoards
    from bgtools.analysis.scores import ScoreAnswer
    from bgtools.met.table import MatchEquityTable

_AT: Final[Mapping[ScoreClass, str]] = {
    "money": "for money",
    "double match point": "at double match point",
    "gammon-go": "at gammon-go",
    "gammon-save": "at gammon-save",
}
_MONEY_GAMMON: Final = 0.5
"""What a gammon is worth for money, as `gammon_values` counts."""
LEAST_APART: Final = 0.05
"""A gammon's worth, and a take point, that differ from those for money by less are not told."""


def score_clause(scene: DecisionBoards, others: Sequence[ScoreAnswer], met: MatchEquityTable | None) -> str:
    """Where the choice that was made is right, and what the score changes; empty where the answer is the same.

    Where it is right nowhere, it names the best play of the scores at which another one is best.
    """
    right = [f"{_AT[each.score]}{_cost(each)}" for each in others if each.loss < RIGHT]
    if right:
        text = f"right {_listed(right)}"
        why = _why(scene, met) if "money" in scene.row.right_at else ""
        return f"{text}; {why}" if why else text
    plays: dict[str, list[str]] = {}
    for each in others:
        if each.best:
            plays.setdefault(each.best, []).append(_AT[each.score])
    return ", ".join(f"{_listed(scores)} {play} is best" for play, scores in plays.items())


def _cost(answer: ScoreAnswer) -> str:
    """What the choice costs for money, after the score; the others are only named."""
    if answer.score != "money":
        return ""
    return f", where it costs {LOST.text(answer.loss) if answer.loss >= LEAST_SHOWN else 'nothing'}"


def _listed(parts: Sequence[str]) -> str:
    *first, last = parts
    joint = ", and " if any("," in part for part in first) else " and "
    return f"{', '.join(first)}{joint}{last}" if first else last


def _why(scene: DecisionBoards, met: MatchEquityTable | None) -> str:
    """What the score makes of gammons or of a take, where that speaks against the choice; else empty."""
    state = scene.state
    if met is None or state.is_money or not met.covers(state.away):
        return ""
    told = next(_of_take(scene, met) if scene.is_answer else _of_gammons(scene, met), "")
    own, other = state.away
    turned = f" with the cube at {state.cube.value}" if state.cube.value > 1 else ""
    return f"at {own}-away {other}-away{turned} {told}" if told else ""


def _of_gammons(scene: DecisionBoards, met: MatchEquityTable) -> Iterator[str]:
    """The gammons in which the choice differs from the best one, the most telling first, by what they count here."""
    made = next((choice for choice in scene.row.choices if choice.made), None)
    best = next((choice for choice in scene.row.choices if choice.rank == 1), None)
    if not scene.is_play or made is None or best is None:
        return
    worth = gammon_values(met, scene.state)
    found = []
    for name, value, sign in (("win_gammon", worth[0], 1), ("lose_gammon", worth[1], -1)):
        own, other = getattr(made, name), getattr(best, name)
        if own is None or other is None:
            continue
        more, apart = own - other, value - _MONEY_GAMMON
        # It speaks against the choice where what it has more of counts worse than for money, or what it has less of
        # better.
        if 100 * abs(more) >= LEAST and abs(apart) >= LEAST_APART and sign * more * apart < 0:
            which = "gammons" if sign > 0 else "lost gammons"
            how = "little" if apart < 0 else "much"
            found.append((more * apart * sign, f"{which} count too {how} ({GAMMON.text(value)} instead of 0.50)"))
    yield from (text for _, text in sorted(found))


def _of_take(scene: DecisionBoards, met: MatchEquityTable) -> Iterator[str]:
    """The take point without gammons, where it differs from that for money to the worse for the answer."""
    points = take_points(met, scene.state)
    if points is None or scene.row.played not in ("Take", "Pass"):
        return
    apart = points.dead - MONEY_TAKE_POINTS[0]
    if abs(apart) >= LEAST_APART and (apart > 0) == (scene.row.played == "Take"):
        yield (
            f"a take without gammons needs {CHANCE.text(points.dead, 0)} with a dead cube, "
            f"for money {CHANCE.text(MONEY_TAKE_POINTS[0], 0)}"
        )
