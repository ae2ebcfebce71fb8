"""Write the table of formats and what they carry: `python docs/make_formats.py`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bgtools.formats.carries import EVERYTHING, Feature
from bgtools.formats.registry import FORMATS

if TYPE_CHECKING:
    from bgtools.formats.format import Format

INTRODUCTION = """\
Made by `python docs/make_formats.py` from `bgtools/formats/*/family.py`; the tests hold every entry to it: what a
format carries comes back when what was written is read again."""
EVERYWHERE = """\
A format that is only read has a column too: what it may hold. Legal plays, dice, doubles, takes, drops, names and
points have a place everywhere."""
TARGET = Path(__file__).with_name("formats.md")


def page() -> str:
    """The page, made from the formats themselves."""
    parts = [
        "# Formats",
        INTRODUCTION,
        "| format | title | endings | read | write | dialects |\n|---|---|---|---|---|---|\n"
        + "\n".join(_row(each) for each in FORMATS),
        "## What each has a place for",
        EVERYWHERE,
        _features(),
    ]
    return "\n\n".join(parts) + "\n"


def _row(each: Format) -> str:
    page = TARGET.parent / "formats" / f"{each.name}.md"
    name = f"[`{each.name}`](formats/{each.name}.md)" if page.is_file() else f"`{each.name}`"
    does = ("yes" if each.reader else "", "yes" if each.writer else "")
    return f"| {name} | {each.title} | {' '.join(each.extensions)} | {' | '.join(does)} | {' '.join(each.dialects)} |"


def _features() -> str:
    head = "| feature | " + " | ".join(each.name for each in FORMATS) + " |\n|---" * 1
    lines = [head + "|---" * len(FORMATS) + "|"]
    for feature in Feature:
        if feature in EVERYTHING:
            marks = ["●" if feature in each.carries.features else "" for each in FORMATS]
            lines.append(f"| {feature.value} | {' | '.join(marks)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
