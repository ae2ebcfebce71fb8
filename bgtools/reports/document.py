"""What is shown in several forms: texts, tables and pictures, rendered for a terminal, as Markdown and as HTML.

A block says what it is, never how it looks; a renderer knows nothing of backgammon.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final, Literal

from bgtools.drawing.svg import svg
from bgtools.findings.finding import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bgtools.drawing.shapes import ColourTheme, Picture
    from bgtools.reports.grid import StackingTable

Style = Literal["plain", "lead", "quiet", "code"]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text.

    Attributes:
        text: the text.
        style: how it stands out; ``lead`` is what matters most, ``quiet`` what few need, ``code`` what can be copied.
        level: of a heading, 1 to 3; 0 for a sentence.
    """

    text: str
    style: Style = "plain"
    level: int = 0


@dataclass(frozen=True, slots=True)
class Bullets:
    """Texts that stand below each other."""

    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture."""

    picture: Picture


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks that belong together.

    Attributes:
        title: their heading; empty for none.
        blocks: what it holds.
        kind: ``plain``, or ``cards``, of which each block stands by itself.
        name: what a link calls it.
    """

    title: str
    blocks: Sequence[Block]
    kind: Literal["plain", "cards"] = "plain"
    name: str = ""


@dataclass(frozen=True, slots=True)
class DataTable:
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
    note_alone: str | None = None

    def __rich__(self) -> StackingTable:
        """The table for a terminal, which takes it apart where it is too narrow."""
        from rich.text import Text

        from bgtools.reports.grid import StackingTable

        grid = StackingTable(stack=self.stack, heads=self.group, gap=self.gap)
        for at, head in enumerate(self.heads):
            is_text = at in self.text_at
            grid.add_column(Text(head), justify="left" if is_text else "right", no_wrap=not is_text)
        for row in self.rows:
            grid.add_row(*map(Text, row))
        if self.note:
            grid.caption, grid.caption_justify, grid.caption_style = self.note, "left", "dim"
        grid.alone, grid.caption_alone = list(self.alone), self.note_alone
        return grid


Block = Paragraph | Bullets | DataTable | Drawing | Section

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


def markdown_table(table: DataTable, *, written: bool = False) -> str:
    """A table; ``written`` says that its cells are Markdown already."""
    rows = [[_title_in_markdown(row[0]), *(" ".join(cell.split()) for cell in row[1:])] for row in table.rows]
    body = [row if written else list(map(markdown_text, row)) for row in rows]
    heads = [markdown_text(" ".join(head.split())) for head in table.heads]
    lines = [heads, ["---" if at in (0, *table.text_at) else "---:" for at in range(len(heads))], *body]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{text}\n\n{markdown_text(table.note)}" if table.note else text


def _title_in_markdown(title: str) -> str:
    """The title of a row, with a sign where it belongs to the row above."""
    return ("↳ " if title.startswith("  ") else "") + " ".join(title.split())


# --- as HTML --------------------------------------------------------------------------------


def html_of(blocks: Iterable[Block], theme: ColourTheme) -> str:
    """Blocks as HTML; whatever they hold is shown as text. ``theme`` has the colours of pictures."""
    return "".join(_html(each, theme) for each in blocks)


def _html(block: Block, theme: ColourTheme) -> str:
    match block:
        case Paragraph(text, style, level):
            tag = f"h{level}" if level else "p"
            inner = f"<code>{escape(text)}</code>" if style == "code" else escape(text)
            return f"<{tag}{_STYLES[style]}>{inner}</{tag}>"
        case Bullets(texts):
            return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>"
        case Drawing(picture):
            return f'<figure class="card">{svg(picture, theme)}</figure>'
        case DataTable():
            return html_table(block)
        case _:
            head = f"<h2>{escape(block.title)}</h2>" if block.title else ""
            name = f' id="{escape(block.name)}"' if block.name else ""
            inner = html_of(block.blocks, theme)
            if block.kind == "cards":
                inner = f"<ol>{''.join(f'<li>{_html(each, theme)}</li>' for each in block.blocks)}</ol>"
            return f"<section{name}>{head}{inner}</section>"


_STYLES: Final[Mapping[Style, str]] = {
    "plain": "", "code": "", "lead": ' class="big"', "quiet": ' class="q"',
}  # fmt: skip


def html_table(table: DataTable) -> str:
    """A table that scrolls by itself where it is too wide."""
    heads = "".join(_head_cell(table, at) for at in range(len(table.heads)))
    rows = "".join(_html_row(table, row) for row in table.rows)
    note = f'<p class="q small">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}"><table class="n">'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>{note}"
    )


def _head_cell(table: DataTable, at: int) -> str:
    text = escape(table.heads[at])
    return f'<th scope="col"{_right(table, at)}>{text}</th>' if text else "<td></td>"


def _html_row(table: DataTable, row: Sequence[str]) -> str:
    under = ' class="under"' if row and row[0].startswith(" ") else ""
    cells = "".join(f"<td{_right(table, at)}>{escape(_typeset(cell))}</td>" for at, cell in enumerate(row[1:], 1))
    return f'<tr{under}><th scope="row">{escape(row[0].strip())}</th>{cells}</tr>' if row else ""


def _right(table: DataTable, at: int) -> str:
    return "" if at in table.text_at else ' class="figure"'


_MINUS: Final = re.compile(r"(?:(?<=^)|(?<=[\s(]))-(?=\.?\d)")


def _typeset(cell: str) -> str:
    """A figure with a real minus."""
    return _MINUS.sub("\N{MINUS SIGN}", cell.strip())
