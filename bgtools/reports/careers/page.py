"""The page of a player: one file to look at in a browser, without a network and without a script."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from bgtools._version import __version__
from bgtools.drawing.svg import svg
from bgtools.reports.careers.text import (
    DIGITS,
    career_lines,
    career_picture,
    command_of,
    meetings_table,
    method_lines,
    standing_lines,
    tables_of,
    trend_picture,
    versus_lines,
    versus_picture,
)
from bgtools.reports.findings import few
from bgtools.reports.page.writing import BY_STYLE, POLICY_TAG, page_style
from bgtools.reports.sheets.writing import card_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.analysis.blunders import Blunder
    from bgtools.analysis.careers import Career, FieldComparison, Trend, Versus
    from bgtools.drawing.shapes import Picture
    from bgtools.reports.careers.text import ShareTable

_STYLE: Final = (
    "h1, li, p, code { overflow-wrap: anywhere } td.figure { white-space: nowrap } th[scope=row] { min-width: 5rem } "
    ".card > svg { width: 100%; height: auto; display: block } figure.card { margin: .6rem 0 } "
    ".tables { display: grid; gap: .4rem 2rem; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)) }"
    " .tables > div { min-width: 0 } code { font-size: .8rem } .tables table { font-size: .9rem } "
    "@media print { .tables { display: block } .scroll { overflow: visible } h2, h3 { break-after: avoid } }"
)


def career_page(career: Career, trend: Trend) -> str:
    """The page of a player.

    The page shows what records say as text only, and may run, load and send nothing.

    Args:
        career: their figures.
        trend: how their rating went.
    """
    name = career.summary.name
    title, *lines = career_lines(career)
    body = (
        *(f"<p>{escape(line)}</p>" for line in lines),
        *_field(career.standings),
        *_worst(career.worst),
        *_course(career, trend),
        *_tables(tables_of(career)),
        "<section><h2>About these figures</h2>",
        *(f'<p class="quiet">{escape(line)}</p>' for line in method_lines(career)),
        "</section>",
    )
    return _document(title, name, title.removeprefix(f"{name}: "), body)


def versus_page(versus: Versus) -> str:
    """The page of two players against each other; like `career_page` it may run, load and send nothing."""
    title, *lines = versus_lines(versus)
    heads, rows = meetings_table(versus)
    note = f'<p class="quiet">and {versus.left_out:,} earlier</p>' if versus.left_out else ""
    body = (
        *(f"<p>{escape(line)}</p>" for line in lines),
        "<section><h2>Ratings</h2>" if any(each.counted for each in versus.pr) else "<section>",
        _figure(versus_picture(versus)) if any(each.counted for each in versus.pr) else "",
        "</section><section><h2>Matches</h2>",
        _table("Matches", heads, rows),
        f"{note}</section>",
    )
    heading = " and ".join(versus.names)
    return _document(title, heading, title.removeprefix(f"{heading}: "), body)


def _document(title: str, heading: str, lead: str, body: Iterable[str]) -> str:
    """A page; the title and what follows are texts, the body is HTML."""
    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        POLICY_TAG,
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta name="generator" content="bgtools {__version__}">',
        f"<title>{escape(title)}</title><style>{page_style()}{_STYLE}</style></head><body>",
        f'<main class="sheet"><h1>{escape(heading)}</h1><p class="lead">{escape(lead)}</p>',
        *body,
        f'<p class="quiet">made by bgtools {__version__}</p></main></body></html>\n',
    ]
    return "".join(parts).encode("utf-8", "replace").decode()


def _field(standings: Sequence[FieldComparison]) -> Iterator[str]:
    yield "<section><h2>Beside the field</h2>"
    told = [each for each in standings if each.verdict]
    if told:
        yield f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in standing_lines(standings))}</ul>"
    else:
        yield "".join(f"<p>{escape(line)}</p>" for line in standing_lines(standings))
    if standings:
        heads = ("sort", "their PR", "the field's", "decisions", "chance", "corrected")
        rows = tuple(
            (
                each.value, f"{each.pr:.{DIGITS}f}", f"{each.field_pr:.{DIGITS}f}", f"{each.decisions:,}",
                f"{each.chance:.3f}", f"{each.corrected:.3f}",
            )
            for each in standings
        )  # fmt: skip
        yield "<details><summary>All that was compared</summary>"
        yield _table("All that was compared with the field", heads, rows)
        yield "</details>"
    yield "</section>"


def _worst(worst: Sequence[Blunder]) -> Iterator[str]:
    if not worst:
        return
    heading = few(len(worst), "decision") if len(worst) > 1 else "decision"
    yield f'<section id="worst"><h2>Their worst {heading}</h2><ol>'
    for blunder in worst:
        card = card_of(blunder)
        reason = f"<p>{escape(card.reason)}</p>" if card.reason else ""
        command = f"<p><code>{escape(command_of(blunder))}</code></p>"
        yield (
            f"<li><h3>{escape(card.question)}</h3>{svg(card.solved, BY_STYLE)}<p>{escape(card.answer)}</p>{reason}"
            f'<p class="quiet">{escape(card.where)}</p>{command}</li>'
        )
    yield "</ol></section>"


def _course(career: Career, trend: Trend) -> Iterator[str]:
    if not career.summary.pr.counted:
        return
    yield "<section><h2>Pictures</h2>"
    if trend.points:
        yield f"{_figure(trend_picture(trend))}<p>{escape(trend.sentence)}</p>"
    yield f"{_figure(career_picture(career))}</section>"


def _figure(picture: Picture) -> str:
    return f'<figure class="card">{svg(picture, BY_STYLE)}</figure>'


def _tables(tables: Sequence[ShareTable]) -> Iterator[str]:
    yield '<section><h2>All sorts</h2><div class="tables">'
    for table in tables:
        note = f'<p class="quiet">{escape(table.note)}</p>' if table.note else ""
        title = f"By {table.title}"
        yield f"<div><h3>{escape(title)}</h3>{_table(title, table.heads, table.rows)}{note}</div>"
    yield "</div></section>"


def _table(name: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col"{_right(at)}>{escape(text)}</th>' for at, text in enumerate(heads))
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f'<td class="figure">{escape(cell)}</td>' for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(name)}"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _right(at: int) -> str:
    return ' class="figure"' if at else ""
