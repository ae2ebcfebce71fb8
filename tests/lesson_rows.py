"""Decisions made up for tests of themes and sentences: a position, what was done, what would have been best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bgtools.analysis.lessons.plans import PLAN
from bgtools.analysis.rows import ChoiceRow, DecisionRow
from bgtools.positions.position import Position

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bgtools.analysis.rows import DecisionKind
    from bgtools.engines.protocol import Probabilities


def without_plan(sentence: str) -> str:
    """A sentence after what the best choice is for."""
    return sentence.partition("; ")[2] if sentence.startswith(PLAN) else sentence


CUBE_EQUITIES = ("No double", "Double, take", "Double, pass")
CHANCES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")


def decision(
    xgid: str,
    played: str = "",
    best: str = "",
    *,
    kind: DecisionKind = "checker play",
    chances: Mapping[str, Probabilities] | None = None,
    equities: Mapping[str, float] | None = None,
    loss: float | None = None,
    **more: Any,
) -> DecisionRow:
    """A decision at the position of an XGID, in the fifth turn of a game unless told otherwise.

    Args:
        xgid: as a row has it.
        played, best: what was done, and what would have been best; the same unless told.
        kind: what was decided.
        chances: of the choices, by name.
        equities: of the choices, by name; equal unless told.
        loss: what it cost.
        more: other columns.
    """
    position = Position.from_id(xgid)
    state = position.state
    if kind in ("take", "pass", "beaver", "take raccoon", "pass raccoon"):
        state = state.flipped()
    best = best or played
    names = dict.fromkeys((best, played, *(equities or {})))
    rows = [
        ChoiceRow(
            rank,
            name == played,
            name,
            (equities or {}).get(name, 0.0),
            0.0,
            "3-ply",
            **{each: getattr(chances[name], each) for each in CHANCES} if chances and name in chances else {},
        )
        for rank, name in enumerate(names, 1)
    ]
    return DecisionRow(
        **{
            "game": 1,
            "turn": 5,
            "row": 3,
            "entry": 5,
            "player": 0,
            "name": "Ada",
            "kind": kind,
            "score": state.score,
            "length": state.length,
            "crawford": state.crawford,
            "cube": state.cube.value,
            "cube_owner": state.cube.owner,
            "dice": "".join(map(str, position.dice or ())),
            "xgid": xgid,
            "pips": position.pips[0],
            "opponent_pips": position.pips[1],
            "pips_after": 0,
            "opponent_pips_after": 0,
            "played": played,
            "legal": True,
            "best": best,
            "loss": loss,
            "choices": tuple(rows),
            **more,
        }
    )
