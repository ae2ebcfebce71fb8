"""The manual of findings: for every code why it matters, what it looks like, and what to do.

What a code finds is in its `Code`; the rest of its page is a Markdown file, ours in ``bgtools/findings/pages``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bgtools.findings.finding import Code


@dataclass(frozen=True, slots=True)
class Page:
    """The part of a manual page that explains.

    Attributes:
        why: why it matters.
        example: lines of a record that has the finding. Lines that begin with a row stand in the first game of a
            3-point match between Ann and Bob.
        do: what to do about it.
    """

    why: str
    example: str
    do: str


NO_PAGE: Final = Page("", "", "")
"""Stands for a page that is still to be written; a test finds the codes without one."""

_LAYOUT: Final = re.compile(
    r"## Why it matters\n\n(?P<why>.+?)\n\n## Example\n\n```text\n(?P<example>.*?)\n```\n\n"
    r"## What to do\n\n(?P<do>.+?)\s*",
    re.DOTALL,
)


def page(code: Code) -> Page:
    """The explanation of a code; empty texts where none is written yet."""
    # A user asks for one page, the documents for all of them; a check asks for none.
    from importlib.resources import files

    try:
        text = files(code.home).joinpath("pages", f"{code.id}.md").read_text(encoding="utf-8")
    except (ImportError, OSError):
        return NO_PAGE
    found = _LAYOUT.fullmatch(text)
    if found is None:
        return NO_PAGE
    return Page(found["why"].replace("\n", " "), found["example"], found["do"].replace("\n", " "))


def as_text(code: Code, width: int = 100) -> str:
    """A page for reading on a terminal, at most so many characters wide; an example stands as it is."""
    from textwrap import fill, indent

    from bgtools.findings.manual.rules import RULES

    explained = page(code)
    parts = [f"{code.id} {code.name} ({code.severity})", fill(code.page, width)]
    if explained.why:
        parts += [
            "Why it matters",
            indent(fill(explained.why, width - 4), "  "),
            "Example",
            indent(explained.example, "    "),
            "What to do",
            indent(fill(explained.do, width - 4), "  "),
        ]
    if code.rule:
        parts.append("Rules of the game")
        parts += [
            indent(fill(f"{rule} {RULES[rule]}", width - 4, subsequent_indent="    "), "  ") for rule in code.rule
        ]
    text = "\n\n".join(parts)
    # A heading stands right above what it heads, and the rules are a list.
    for heading in ("Why it matters", "Example", "What to do", "Rules of the game"):
        text = text.replace(f"\n\n{heading}\n\n", f"\n\n{heading}\n")
    return text.replace("\n\n  R", "\n  R")


def as_markdown(code: Code, level: int = 2) -> str:
    """A page in Markdown, its heading of this level."""
    from bgtools.findings.manual.rules import RULES

    explained = page(code)
    parts = [f"{'#' * level} {code.id} `{code.name}`", f"*{str(code.severity).capitalize()}.* {code.page}"]
    if explained.why:
        parts += [
            f"**Why it matters.** {explained.why}",
            f"```text\n{explained.example}\n```",
            f"**What to do.** {explained.do}",
        ]
    if code.rule:
        rules = "\n".join(f"- {rule}: {RULES[rule]}" for rule in code.rule)
        parts.append(f"**Rules of the game**\n\n{rules}")
    return "\n\n".join(parts)


def as_data(code: Code) -> dict[str, object]:
    """A page as plain values: code, name, severity, finds, why, example, do, rules."""
    from bgtools.findings.manual.rules import RULES

    explained = page(code)
    return {
        "code": code.id,
        "name": code.name,
        "severity": str(code.severity),
        "finds": code.page,
        "why": explained.why,
        "example": explained.example,
        "do": explained.do,
        "rules": [{"id": rule, "text": RULES[rule]} for rule in code.rule],
    }
