"""Write the table of formats and what they carry: `python docs/make_formats.py`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bgtools.conversion.probes import WORDS, held
from bgtools.formats.registry import our_formats

if TYPE_CHECKING:
    from bgtools.formats.format import Format

INTRODUCTION = """\
Made by `python docs/make_formats.py`."""
EVERYWHERE = """\
Found by trying: small records with one thing in each are written, read again and compared
(`bgtools/conversion/probes.py`); `bgtools formats NAME` does the same. So a format that is only read has no column.
Legal plays, dice, doubles, takes, drops, names and points have a place everywhere. Several of a kind count as one: a
format has a place for tags if it holds some of them. A conversion tells what is lost of the record at hand."""
TARGET = Path(__file__).with_name("formats.md")


def page() -> str:
    """The page, made from the formats themselves."""
    parts = [
        "# Formats",
        INTRODUCTION,
        "| format | title | endings | read | write | dialects |\n|---|---|---|---|---|---|\n"
        + "\n".join(_row(each) for each in our_formats()),
        "## What each that is written has a place for",
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
    places = {each.name: held(each) for each in our_formats() if each.reader and each.writer}
    lines = [f"| what | {' | '.join(places)} |", "|---" * (len(places) + 1) + "|"]
    lines += (f"| {word} | {' | '.join('●' if word in found else '' for found in places.values())} |" for word in WORDS)
    return "\n".join(lines)


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
