"""What is shown in several forms: lines and tables, made once and rendered for a terminal, as Markdown and as HTML.

A block says what it is, never how it looks; a renderer knows nothing of backgammon.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Final, Literal

from bgtools.findings.finding import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.reports.grid import StackingTable

Style = Literal["plain", "lead", "quiet", "good", "bad"]


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence.

    Attributes:
        text: the sentence.
        style: how it stands out; ``lead`` is what matters most, ``quiet`` what few need.
        level: of a heading, 1 to 3; 0 for a sentence.
    """

    text: str
    style: Style = "plain"
    level: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """Rows below heads. A row whose first cell begins with a blank belongs to the row above it.

    Attributes:
        title: what it shows, for who cannot see it.
        heads: the titles of the columns.
        rows: the cells of each row.
        note: a line below it.
        stack: how a narrow terminal takes it apart: a part a row, or a part a column.
        gap: blanks between columns on a terminal.
        text_at: the columns that hold text; all others hold figures, right-aligned.
        alone: titles of the columns where a narrow terminal takes it apart, if they differ from the heads.
        group: how many of the first columns make the title of a part.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    stack: Literal["rows", "columns"] = "rows"
    gap: int = 2
    text_at: Sequence[int] = (0,)
    alone: Sequence[str] = ()
    group: int = 1
    note_alone: str | None = field(default=None)


Block = Line | Table

# --- for a terminal -------------------------------------------------------------------------


def terminal_table(table: Table) -> StackingTable:
    """A table for a terminal, which takes it apart where it is too narrow."""
    from rich.text import Text

    from bgtools.reports.grid import StackingTable

    grid = StackingTable(stack=table.stack, heads=table.group, gap=table.gap)
    for at, head in enumerate(table.heads):
        is_text = at in table.text_at or table.stack == "columns"
        grid.add_column(Text(head), justify="left" if is_text else "right", no_wrap=not is_text or not head)
    for row in table.rows:
        grid.add_row(*map(Text, row))
    if table.note:
        grid.caption, grid.caption_justify, grid.caption_style = table.note, "left", "dim"
    grid.alone, grid.caption_alone = list(table.alone), table.note_alone
    return grid


# --- as Markdown ----------------------------------------------------------------------------

_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>#|~$&!])")
"""Characters that mean something in Markdown or in the dialects of forums."""


def markdown_text(text: str) -> str:
    """A text of a record as Markdown that shows it as it is."""
    return _SPECIAL.sub(r"\\\1", printable(text))


def markdown_code(text: str, *, in_table: bool = False) -> str:
    """A text as code, whatever it holds."""
    shown = printable(text)
    marks = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    space = " " if "`" in shown else ""
    code = f"{marks}{space}{shown or ' '}{space}{marks}"
    # A bar would end the cell, even in code.
    return code.replace("|", r"\|") if in_table else code


def markdown_table(table: Table, *, written: bool = False) -> str:
    """A table; ``written`` says that its cells are Markdown already."""
    rows = [[_one_line(cell, indent="↳ ") for cell in row] for row in table.rows]
    body = [row if written else list(map(markdown_text, row)) for row in rows]
    heads = [markdown_text(" ".join(head.split())) for head in table.heads]
    lines = [heads, ["---", *(["---:"] * (len(heads) - 1))], *body]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{text}\n\n{markdown_text(table.note)}" if table.note else text


def _one_line(cell: str, *, indent: str) -> str:
    return (indent if cell.startswith("  ") and cell.strip() else "") + " ".join(cell.split())


# --- as HTML --------------------------------------------------------------------------------


def html_of(blocks: Iterable[Block]) -> str:
    """Blocks as HTML; whatever they hold is shown as text."""
    return "".join(html_table(each) if isinstance(each, Table) else _html_line(each) for each in blocks)


def _html_line(line: Line) -> str:
    tag = f"h{line.level}" if line.level else "p"
    kind = f' class="{line.style}"' if line.style != "plain" else ""
    return f"<{tag}{kind}>{escape(line.text)}</{tag}>"


def html_table(table: Table) -> str:
    """A table that scrolls by itself where it is too wide."""
    heads = "".join(_head_cell(table, at) for at in range(len(table.heads)))
    rows = "".join(_html_row(table, row) for row in table.rows)
    note = f'<p class="quiet small">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}"><table class="n">'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>{note}"
    )


def _head_cell(table: Table, at: int) -> str:
    text = escape(table.heads[at])
    return f'<th scope="col"{_right(table, at)}>{text}</th>' if text else "<td></td>"


def _html_row(table: Table, row: Sequence[str]) -> str:
    under = ' class="under"' if row and row[0].startswith(" ") else ""
    cells = "".join(f"<td{_right(table, at)}>{escape(_typeset(cell))}</td>" for at, cell in enumerate(row[1:], 1))
    return f'<tr{under}><th scope="row">{escape(row[0].strip())}</th>{cells}</tr>' if row else ""


def _right(table: Table, at: int) -> str:
    return "" if at in table.text_at or table.stack == "columns" else ' class="figure"'


_MINUS: Final = re.compile(r"(?:(?<=^)|(?<=[\s(]))-(?=\.?\d)")
_PERCENT: Final = re.compile(r"(?<=\d)\s?%")


def _typeset(cell: str) -> str:
    """A figure with a real minus, and a blank before the sign for percent."""
    return _PERCENT.sub("\N{NO-BREAK SPACE}%", _MINUS.sub("\N{MINUS SIGN}", cell.strip()))
