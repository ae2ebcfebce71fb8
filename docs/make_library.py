"""Write the page about the tables of a library: `python docs/make_library.py`."""

from __future__ import annotations

from pathlib import Path

from bgtools.library.connecting import macros, views
from bgtools.library.tables import GROUPS, stored_columns
from bgtools.reports.table_kinds import TABLES

TARGET = Path(__file__).with_name("library-tables.md")

INTRODUCTION = """\
# The tables of a library

Made by `python docs/make_library.py` from the code. What a library is and how it is asked: [library.md](library.md).

"""


def page() -> str:
    """The page, made from the views and from the columns that are stored."""
    lines = [INTRODUCTION, "## What queries see\n", "| table | a row |", "|---|---|"]
    lines += [f"| `{name}` | {meaning} |" for name, meaning in views()]
    lines += ["", "Words that queries know:\n", "| word | what it means |", "|---|---|"]
    lines += [f"| `{call}` | {meaning} |" for call, meaning in macros()]
    lines += ["", "## What is stored\n", "A folder of Parquet files for each of these, in the schema `stored`."]
    for name, columns in (*stored_columns().items(), ("groups", GROUPS)):
        lines += ["", f"### {name}\n"]
        shared = (
            {each.name for each in TABLES["players" if name == "totals" else name].columns}
            if name in _SHARED
            else set()
        )
        lines += ["| column | type | what it means |", "|---|---|---|"]
        lines += [
            f"| `{each.name}` | {each.type} | {each.meaning} |"
            for each in columns
            if each.name not in shared or not shared
        ]
        if shared:
            lines.append(
                f"\nAnd the columns of the table `{'players' if name == 'totals' else name}` in [tables.md](tables.md)."
            )
    return "\n".join(lines) + "\n"


_SHARED = ("decisions", "choices", "totals")
"""The tables whose other columns are those of `bgtools table`."""

if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
