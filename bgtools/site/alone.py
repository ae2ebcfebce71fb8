"""Pages of a site that stand by themselves, in one file: of a player, two players, ratings, verdicts.

They are made of the pieces of which a site is made; what they say comes from a library or from a command.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bgtools._version import __version__
from bgtools.findings.quantities import PR
from bgtools.reports.careers.text import (
    career_lines,
    meetings_table,
    method_lines,
    name_of_value,
    standing_lines,
    tables_of,
    versus_lines,
)
from bgtools.reports.document import DataTable, html_table
from bgtools.reports.findings import count_files
from bgtools.reports.page.writing import whole_page
from bgtools.reports.sheets.writing import command_of
from bgtools.site.assets import lone_script, site_style
from bgtools.site.collection import Share
from bgtools.site.document import card_of
from bgtools.site.pages import SitePage, main_of
from bgtools.site.pieces import (
    ABOUT_VERDICTS,
    ALONE,
    CoursePoint,
    PlayerRow,
    card,
    cards,
    course_chart,
    error_card,
    figure,
    players_table,
    quiet,
    rating_cells,
    share_table,
    table,
    verdict_chip,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.analysis.blunders import Blunder
    from bgtools.analysis.careers import Career, Trend, Versus
    from bgtools.repair.verdicts import FileVerdict

_FOOT: Final = f"Made by bgtools {__version__}."
_UNMEASURED: Final = ("phase", "decision", "theme")


def lone_page(page: SitePage, foot: str = _FOOT) -> bytes:
    """A page of a site as one file that stands by itself, with its style and script in it."""
    return whole_page(page.title, main_of(page, foot), lone_script(), style=site_style()).encode("utf-8", "replace")


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def career_page(career: Career, trend: Trend) -> bytes:
    """The page of a player of a library.

    Args:
        career: their figures.
        trend: how their rating went.
    """
    summary = career.summary
    title, *lines = career_lines(career)
    lead = f'<p class="lede">{escape(title.removeprefix(f"{summary.name}: "))}</p>{_lines(lines)}'
    body = f"<div><h1>{escape(summary.name)}</h1>{lead}</div>"
    if not summary.pr.counted:
        command = "bgtools library analyse"
        body += card("What is missing", f"<p>No analysis is in the library: <code>{command}</code> makes one.</p>")
        body += _tables(career)
        return lone_page(SitePage(title, body))
    known = summary.pr.low is not None
    interval = f"95% interval {PR.text(summary.pr.low, 1)} to {PR.text(summary.pr.high, 1)}" if known else "too few"
    body += figure("PR", PR.text(summary.pr.value, 1), f"{interval}, {summary.pr.counted:,} decisions")
    body += figure("Matches", f"{summary.won:,} – {summary.lost:,}", f"{summary.matches:,} in all")
    points = [CoursePoint(each.label, each.pr) for each in trend.points]
    note = "A dot is a month or a stretch of matches, with its interval; better is above."
    course = f"{course_chart(points, ALONE)}<p>{escape(trend.sentence)}</p>{quiet(note)}"
    body += card("Course", course, wide=7, classes="wide")
    body += card("Beside the field", _lines(standing_lines(career.standings)), wide=5, classes="wide")
    if career.worst:
        count = f"{len(career.worst)} decisions" if len(career.worst) > 1 else "decision"
        body += card(f"Their worst {count}", cards(map(_shot, career.worst)))
    whole = (summary.pr.value or 0.0) * summary.pr.counted
    shares: defaultdict[str, list[Share]] = defaultdict(list)
    for each in career.shares:
        if each.dimension in _UNMEASURED and each.pr.counted:
            part = (each.pr.value or 0.0) * each.pr.counted / whole if whole else None
            shares[each.dimension].append(Share(name_of_value(each), each.pr, part))
    for name, title_of in (("phase", "By phase"), ("decision", "By kind of decision"), ("theme", "By theme")):
        body += share_table(title_of, shares[name], wide=6, most=len(shares[name]))
    body += _tables(career) + _compared(career)
    return lone_page(SitePage(title, body), " ".join(map(escape, (*method_lines(career), _FOOT))))


def _shot(blunder: Blunder) -> str:
    shown = card_of(blunder)
    names = blunder.names
    about = [f"against {names[1 - shown['player']]}", blunder.date, Path(blunder.file).name]
    text = error_card(shown, names, "", ", ".join(filter(None, about)), ALONE, is_named=False)
    return f"{text}<p><code>{escape(command_of(blunder))}</code></p>"


def _tables(career: Career) -> str:
    """The matches by month, event, opponent, length and engine."""
    some = [each for each in tables_of(career) if each.title not in ("phase", "kind of decision", "theme")]
    return "".join(card(f"By {each.title}", html_table(each), wide=6, classes="wide") for each in some)


def _compared(career: Career) -> str:
    """All that was compared with the field."""
    if not career.standings:
        return ""
    rows = tuple(
        (
            name_of_value(each), PR.text(each.pr), PR.text(each.field_pr), f"{each.decisions:,}",
            f"{each.corrected:.2g}", each.verdict,
        )
        for each in career.standings
    )  # fmt: skip
    heads = ("sort", "their PR", "the field's", "decisions", "corrected chance", "verdict")
    shown = html_table(DataTable("All that was compared with the field", heads, rows, text_at=(0, 5)))
    return f"<details><summary>All that was compared with the field</summary>{shown}</details>"


def versus_page(versus: Versus) -> bytes:
    """The page of two players of a library against each other."""
    title, *lines = versus_lines(versus)
    heading = " and ".join(versus.names)
    lead = f'<p class="lede">{escape(title.removeprefix(f"{heading}: "))}</p>{_lines(lines)}'
    body = f"<div><h1>{escape(heading)}</h1>{lead}</div>"
    if any(each.counted for each in versus.pr):
        rows = [
            f'<tr><th scope="row">{escape(name)}</th>{rating_cells(pr, has_interval=True)}</tr>'
            for name, pr in zip(versus.names, versus.pr, strict=True)
        ]
        body += card("Ratings", table("Ratings", (), rows), wide=7, classes="wide")
    heads, meetings = meetings_table(versus)
    note = f"and {versus.left_out:,} earlier" if versus.left_out else ""
    body += card("Matches", html_table(DataTable("Matches", heads, meetings, note)))
    return lone_page(SitePage(title, body))


def ratings_page(rows: Sequence[PlayerRow], note: str) -> bytes:
    """Ratings of players over many matches; ``note`` says how they came about."""
    body = card("Players", players_table(rows, ALONE, "matches", "luck of a roll") + quiet(escape(note)))
    return lone_page(SitePage("Ratings", f"<h1>Ratings</h1>{body}"))


def verdicts_page(found: Sequence[FileVerdict]) -> bytes:
    """Verdicts on records: what needs a look first, by verdict, then what is sound."""
    by: defaultdict[str, list[FileVerdict]] = defaultdict(list)
    for each in found:
        by[each.verdict].append(each)
    counts = Counter(each.verdict for each in found)
    lead = f"{count_files(len(found))}: " + ", ".join(f"{count:,} {verdict}" for verdict, count in counts.most_common())
    body = f'<div><h1>What needs a look</h1><p class="lede">{escape(lead)}</p></div>'
    heads = ("players", "event", "score", "what is wrong", "what was repaired", "file")
    for verdict in (*ABOUT_VERDICTS, "accept"):
        some = by[verdict]
        if some:
            rows = [
                (each.players, each.event, each.score, each.wrong or each.reason, each.repaired, each.file)
                for each in some
            ]
            title = f"{verdict[:1].upper()}{verdict[1:]}: {len(some):,}"
            about = f'{verdict_chip(verdict)} <small class="q">{ABOUT_VERDICTS.get(verdict, "whole and sound")}</small>'
            kept = [at for at in range(len(heads)) if any(row[at] for row in rows)]
            shown = [tuple(row[at] for at in kept) for row in rows]
            listed = html_table(DataTable(title, [heads[at] for at in kept], shown, text_at=range(len(heads))))
            body += card(title, listed, aside=about, name=verdict.replace(" ", "-"))
    return lone_page(SitePage("Verdicts", body))
