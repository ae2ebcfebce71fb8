"""How texts print each quantity: one form, one number of digits.

The terminal, Markdown, notebooks, cards and sentences print by this table.
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


EQUITY: Final = Quantity("signed", 3)
LOSS: Final = Quantity("lost", 3)
LOST: Final = Quantity("plain", 3)
LUCK: Final = Quantity("signed", 3)
LUCK_SUM: Final = Quantity("signed", 2)
CHANCE: Final = Quantity("share", 1)
CHANCE_LUCK: Final = Quantity("signed points", 1)
CHANCE_APART: Final = Quantity("points", 1, "points")
POINTS: Final = Quantity("signed", 2)
PR: Final = Quantity("plain", 2)
ERROR_RATE: Final = Quantity("plain", 1)
BIAS: Final = Quantity("signed", 1)
RATING: Final = Quantity("plain", 0)
RATING_APART: Final = Quantity("signed", 0)
GAMMON: Final = Quantity("plain", 2)
MEAN: Final = Quantity("plain", 2)
PROBABILITY: Final = Quantity("plain", 3)
AMOUNT: Final = Quantity("plain", 1)
