"""Write the list of themes in themes.md from the predicates: `python docs/make_themes.py`.

It replaces what is between two comments; the rest is written by hand. A test sees that the page is up to date.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from bgtools.analysis.lessons.themes import THEMES

PAGE = Path(__file__).with_name("themes.md")
BEGIN = "<!-- from here on made by `python docs/make_themes.py` from `bgtools/analysis/lessons/themes/` -->"
END = "<!-- up to here -->"


def page(text: str) -> str:
    """The page with its list rebuilt from the code."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{themes()}\n\n{END}{rest.partition(END)[2]}"


def themes() -> str:
    """Every theme with its definition, a table a group."""
    tables = []
    for group, members in groupby(THEMES, key=lambda each: each.group):
        rows = "\n".join(f"| `{each.name}` | {each.definition} |" for each in members)
        tables.append(f"## {group[0].upper()}{group[1:]}\n\n| theme | when |\n|---|---|\n{rows}")
    return "\n\n".join(tables)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
