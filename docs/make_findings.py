"""Write docs/findings.md from the manual pages: `python docs/make_findings.py`.

A test sees that the file is up to date.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from bgtools.findings import codes
from bgtools.findings.manual import as_markdown

if TYPE_CHECKING:
    from bgtools.findings.finding import Code

FAMILIES = {"0": "The file", "1": "Its text", "2": "Dice and plays", "3": "The cube", "4": "Scores and results"}
PLACE = Path(__file__).with_name("findings.md")

INTRODUCTION = """# Findings

Made from the code by `docs/make_findings.py`; `bgtools rule BG204` prints one page, `bgtools rule --all` every one.

`bgtools check` numbers what it finds. A code never changes its meaning and is never used again. How much each matters
can be chosen: with `--profile`, `--select`, `--ignore` and `--severity` on the command line, or in `bgtools.toml` and
the table `[tool.bgtools]` of `pyproject.toml`.

| code | name | severity | what it finds |
|---|---|---|---|
"""


def family(code: Code) -> str:
    """The family's digit of a code."""
    return code.id[2]


def text() -> str:
    """The whole document."""
    ordered = sorted(codes.ALL, key=lambda code: code.id)
    rows = [f"| [{c.id}](#{c.id.lower()}-{c.name}) | `{c.name}` | {c.severity} | {c.page} |" for c in ordered]
    parts = [INTRODUCTION + "\n".join(rows)]
    for digit, members in groupby(ordered, key=family):
        parts.append(f"## {FAMILIES.get(digit, 'More')}")
        parts += [as_markdown(code, level=3) for code in members]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    PLACE.write_text(text(), encoding="utf-8")
