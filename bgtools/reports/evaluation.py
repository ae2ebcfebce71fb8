"""What a position is worth, as lines for the terminal and as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bgtools.analysis.errors import LEAST_SHOWN
from bgtools.findings.finding import printable
from bgtools.reports.recorded_analysis import chances_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.analysis.evaluation import Choice, Evaluation

_SHOWN: Final = 10
"""How many of the best plays are printed."""
_DIGITS: Final = 6
_CHANCES: Final = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")


def evaluation_lines(evaluation: Evaluation) -> Iterator[str]:
    """The engine; then the plays, the best first, or the equities of the cube and the best cube action."""
    stamp = evaluation.stamp
    told = (f"{stamp.engine} {stamp.version}".strip(), stamp.level, stamp.met)
    yield printable(", ".join(filter(None, told)))
    rows = _cube_rows(evaluation) or [(each.action, each.equity, each.loss) for each in evaluation.choices]
    width = max((len(action) for action, *_ in rows), default=0)
    searched = next((at for at, (action, *_) in enumerate(rows) if action != "Pass"), 0)
    for at, (action, equity, loss) in enumerate(rows[:_SHOWN]):
        short = f"(-{loss:.3f})" if loss >= LEAST_SHOWN else ""
        # All cube actions share the chances of the position, and what a pass is worth needs no search; each play has
        # its own.
        found = _found(evaluation.choices[at]) if at == searched or evaluation.plays else ""
        yield f"  {action:{width}}  {equity:+.3f} {short:8}{found}".rstrip()
    if len(rows) > _SHOWN:
        yield f"  and {len(rows) - _SHOWN} more"
    if evaluation.note:
        yield f"  {printable(evaluation.note)}"
    if not evaluation.plays:
        yield f"best: {printable(evaluation.best_action)}"


def _cube_rows(evaluation: Evaluation) -> list[tuple[str, float, float]]:
    """The three equities of the cube, each with the loss of that action; empty where a double is to be answered."""
    cube = evaluation.cube
    if cube is None or evaluation.position.offer:
        return []
    double = cube.best - cube.double
    return [
        ("No double", cube.no_double, cube.best - cube.no_double),
        ("Double, beaver" if cube.is_beaver else "Double, take", cube.double_take, double if cube.should_take else 0.0),
        ("Double, pass", cube.double_pass, 0.0 if cube.should_take else double),
    ]


def _found(choice: Choice) -> str:
    chances = choice.probabilities
    return f"   {printable(choice.depth)}" + (
        chances_in_words([getattr(chances, name) for name in _CHANCES]) if chances is not None else ""
    )


def evaluation_data(evaluation: Evaluation) -> dict[str, Any]:
    """An evaluation as plain values, equities to six digits."""
    stamp, cube = evaluation.stamp, evaluation.cube
    return {
        "engine": stamp.engine,
        "version": stamp.version,
        "level": stamp.level,
        "met": stamp.met,
        "best_action": evaluation.best_action,
        "no_double": _rounded(cube.no_double if cube else None),
        "double_take": _rounded(cube.double_take if cube else None),
        "double_pass": _rounded(cube.double_pass if cube else None),
        "choices": [
            {
                "action": each.action,
                "equity": _rounded(each.equity),
                "loss": _rounded(each.loss),
                **{name: _rounded(getattr(each, name)) for name in _CHANCES},
                "depth": each.depth,
            }
            for each in evaluation.choices
        ],
        "note": evaluation.note or None,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS) + 0.0
