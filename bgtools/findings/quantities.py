"""How every text prints each quantity: one form, one number of digits, one unit, one word.

The terminal, Markdown, pages, pictures, notebooks and sentences print by this table; ``bgtools explain`` and
docs/tables.md tell of it. A script of a page gets what is printed as text.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

UNKNOWN: Final = "-"
"""What stands in place of a figure that is not known."""

Form = Literal["plain", "signed", "lost", "share", "points", "signed points"]
"""How a value is written: ``signed`` as +0.123; ``lost`` as -0.123, what is given away; ``share`` as 12.3%, a chance
from 0 to 1; ``points`` as 12.3, a difference of chances."""


class Quantity(NamedTuple):
    """A quantity.

    Attributes:
        word: what texts call it.
        form: how it is written.
        digits: behind the point.
        unit: what it counts, as texts write it behind a figure; empty where the word or the sign says so.
        columns: the columns of tables that hold it.
    """

    word: str
    form: Form
    digits: int
    unit: str = ""
    columns: tuple[str, ...] = ()

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

    def example(self) -> str:
        """What it looks like."""
        return self.with_unit(0.1234 if self.form in ("share", "points", "signed points") else 1.2345)


EQUITY: Final = Quantity("equity", "signed", 3, "EMG", ("equity", "best_equity", "rollout"))
LOSS: Final = Quantity("loss", "lost", 3, "EMG", ("loss", "rollout_loss"))
LOST: Final = Quantity("EMG lost", "plain", 3, "EMG", ("errors_checker", "errors_cube", "errors_resignation"))
LUCK: Final = Quantity("luck of a roll", "signed", 3, "EMG", ("luck", "luck_per_roll"))
LUCK_SUM: Final = Quantity("luck", "signed", 2, "EMG", ("luck_emg", "luck_low", "luck_high"))
CHANCE: Final = Quantity(
    "chance", "share", 1, "", ("chance", "best_chance", "chance_before", "chance_after", "take_needed", "win")
)
CHANCE_LOST: Final = Quantity("MWC lost", "points", 1, "points of MWC", ("loss_mwc",))
CHANCE_LUCK: Final = Quantity("luck in MWC", "signed points", 1, "points of MWC", ("luck_mwc", "net_luck"))
CHANCE_APART: Final = Quantity("difference of chances", "points", 1, "points")
POINTS: Final = Quantity("points", "signed", 2, "points", ("luck_points",))
PR: Final = Quantity("PR", "plain", 2, "", ("xg_pr", "bmab_pr"))
ERROR_RATE: Final = Quantity("error rate", "plain", 1, "mEMG", ("error_rate", "gnubg_er", "snowie_er", "opengammon_er"))
GAMMON_VALUE: Final = Quantity("gammon value", "plain", 2)
RATING: Final = Quantity("rating", "plain", 0)
RATING_APART: Final = Quantity("difference of ratings", "signed", 0)
MEAN: Final = Quantity("mean", "plain", 2)
PROBABILITY: Final = Quantity("probability", "plain", 3)
AMOUNT: Final = Quantity("amount", "plain", 1)

QUANTITIES: Final = (
    EQUITY, LOSS, LOST, LUCK, LUCK_SUM, CHANCE, CHANCE_LOST, CHANCE_LUCK, CHANCE_APART, POINTS, PR, ERROR_RATE,
    GAMMON_VALUE, RATING, RATING_APART, MEAN, PROBABILITY, AMOUNT,
)  # fmt: skip
"""All of them."""
