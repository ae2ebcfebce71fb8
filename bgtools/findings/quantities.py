"""How texts print each quantity: one form, one number of digits.

The terminal, Markdown, pages, notebooks, cards and sentences print by this table, and `bgtools explain` and the
dictionary of the tables tell by it how a column is printed.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

UNKNOWN: Final = "-"
"""What stands in place of a figure that is not known."""

Form = Literal["plain", "signed", "lost", "share", "points", "signed points"]
"""How a value is written: ``signed`` as +0.123; ``lost`` as -0.123, what is given away; ``share`` as 12.3%, a chance
from 0 to 1; ``points`` as 12.3, a difference of chances."""


class Quantity(NamedTuple):
    """A quantity.

    Attributes:
        form: how it is written.
        digits: behind the point.
        unit: what texts write behind a figure, where the sign or the words beside it do not say it.
    """

    form: Form
    digits: int
    unit: str = ""

    def text(self, value: float | None, digits: int | None = None) -> str:
        """A value as every text writes it; `UNKNOWN` where it is None.

        Args:
            value: the value, of a share or points 0 to 1.
            digits: how many digits, where a narrow table has no room for all.
        """
        if value is None:
            return UNKNOWN
        digits = self.digits if digits is None else digits
        shown = 100 * value if self.form in ("share", "points", "signed points") else value
        if self.form == "lost":
            return f"-{abs(shown):.{digits}f}"
        text = f"{shown:{'+' if self.form.startswith('signed') else ''}.{digits}f}"
        if text[0] == "-" and not text.strip("-0."):
            text = ("+" if self.form.startswith("signed") else "") + text[1:]
        return f"{text}%" if self.form == "share" else text

    def with_unit(self, value: float | None) -> str:
        """A value with its unit."""
        return f"{self.text(value)} {self.unit}".rstrip() if value is not None else UNKNOWN


EQUITY: Final = Quantity("signed", 3, "EMG")
LOSS: Final = Quantity("lost", 3, "EMG")
LOST: Final = Quantity("plain", 3, "EMG")
LUCK: Final = Quantity("signed", 3, "EMG")
LUCK_SUM: Final = Quantity("signed", 2, "EMG")
CHANCE: Final = Quantity("share", 1)
CHANCE_LUCK: Final = Quantity("signed points", 1, "points of MWC")
CHANCE_APART: Final = Quantity("points", 1, "points")
POINTS: Final = Quantity("signed", 2, "points")
PR: Final = Quantity("plain", 2)
ERROR_RATE: Final = Quantity("plain", 1, "mEMG")
BIAS: Final = Quantity("signed", 1)
RATING: Final = Quantity("plain", 0)
RATING_APART: Final = Quantity("signed", 0)
GAMMON: Final = Quantity("plain", 2)
MEAN: Final = Quantity("plain", 2)
PROBABILITY: Final = Quantity("plain", 3)
AMOUNT: Final = Quantity("plain", 1)

COLUMNS: Final[Mapping[str, Quantity]] = MappingProxyType(
    {
        **dict.fromkeys(("equity", "best_equity", "rollout"), EQUITY),
        **dict.fromkeys(("loss", "rollout_loss", "loss_at_money"), LOSS),
        **dict.fromkeys(("loss_mwc", "luck_mwc"), CHANCE_LUCK),
        **dict.fromkeys(("loss_points", "luck_points"), POINTS),
        "luck": LUCK,
        **dict.fromkeys(("chance", "best_chance", "take_needed", "chance_before", "chance_after"), CHANCE),
        **dict.fromkeys(("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"), CHANCE),
        **dict.fromkeys(("rollout_error", "breakdown.loss"), LOST),
        "dice.chance": PROBABILITY,
        **dict.fromkeys(("xg_pr", "bmab_pr"), PR),
        **dict.fromkeys(("gnubg_er", "snowie_er", "opengammon_er", "error_rate"), ERROR_RATE),
    }
)
"""The quantity of a column, by its name; with the name of the table before it where it is another one there."""


def printed_as(table: str, column: str) -> str:
    """How texts print a column, by an example: ``+0.123 EMG``; empty for a column that is not a quantity."""
    quantity = COLUMNS.get(f"{table}.{column}") or COLUMNS.get(column)
    return "" if quantity is None else quantity.with_unit(4.567 if quantity in (PR, ERROR_RATE) else 0.1234)
