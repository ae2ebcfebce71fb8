"""Write the lists of themes and plans in themes.md from the predicates: `python docs/make_themes.py`.

It replaces what is between two comments; the rest is written by hand. A test sees that the page is up to date.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from bgtools.analysis.lessons.plans import CUBE_PLANS, PLANS
from bgtools.analysis.lessons.themes import THEMES

PAGE = Path(__file__).with_name("themes.md")
BEGIN = "<!-- from here on made by `python docs/make_themes.py` from `bgtools/analysis/lessons/themes/` -->"
END = "<!-- up to here -->"


def page(text: str) -> str:
    """The page with its list rebuilt from the code."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{themes()}\n\n{plans()}\n\n{END}{rest.partition(END)[2]}"


def themes() -> str:
    """Every theme with its definition, a table a group."""
    tables = []
    for group, members in groupby(THEMES, key=lambda each: each.group):
        rows = "\n".join(f"| `{each.name}` | {each.definition} |" for each in members)
        tables.append(f"## {group[0].upper()}{group[1:]}\n\n| theme | when |\n|---|---|\n{rows}")
    return "\n\n".join(tables)


def plans() -> str:
    """Every plan with its definition, in the order in which they are tried."""
    rows = [(plan.name, plan.definition) for plan in PLANS] + [*CUBE_PLANS]
    told = "\n".join(f"| {name} | {definition} |" for name, definition in rows)
    return f"## Plans\n\n{ABOUT_PLANS}\n\n| the plan | when |\n|---|---|\n{told}"


ABOUT_PLANS = """\
The sentence of an error begins with what the best choice is for, in eight words at most: the first of these that holds.
The figures are those of the sentence, and chances are in points of a hundred games, those of gammons only where they
count at this score and cube. No plan is told of a play where no such chance is better by half a point. *N* is a
number."""


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
