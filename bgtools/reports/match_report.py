"""The report of a match: a compact table for the terminal, and a folder of tables and pictures."""

from __future__ import annotations

import json
from collections import defaultdict
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from bgtools._version import __version__
from bgtools.findings.finding import isolate_names, printable
from bgtools.reports.decision_text import board_of, errors_data, worst
from bgtools.reports.findings import region_data
from bgtools.reports.folder import REPORT, report_folder
from bgtools.reports.values import plain, values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from concurrent.futures import Future

    from bgtools.analysis.comparison import EngineComparison
    from bgtools.analysis.phases import PipPoint
    from bgtools.analysis.totals import Analysis
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay
    from bgtools.reports.table_kinds import TableName
    from bgtools.source import Source

SCHEMA_VERSION: Final = 3
"""Version of the layout of ``report.json``; it grows when a field changes its meaning or goes away."""

PageFormat = Literal["html", "md"]
"""The kind of page that a person reads."""

_DIGITS: Final = 6
_OF_ENGINES: Final = ("conventions", "players", "games", "notes")


def write_report(
    analysis: Analysis,
    findings: Sequence[Finding],
    source: Source | None,
    target: Path,
    *,
    force: bool = False,
    comparison: EngineComparison | None = None,
    pips: Future[bytes] | None = None,
    match: Match | None = None,
    page: PageFormat | None = "html",
    player: int | None = None,
) -> tuple[str, ...]:
    """Write the folder of a report, whole or not at all.

    Args:
        analysis: the figures.
        findings: what `bgtools.check` found.
        source: the text that the findings' places belong to.
        target: the folder; an earlier report there is replaced.
        force: write there even if it holds other files.
        comparison: what several engines say, of which ``analysis`` is the first's.
        pips: the picture of the pip counts, where `begin_pips` has begun it.
        match: the record, whose header and remarks the page shows.
        page: what a person reads: ``html``, a page for a browser; ``md``, Markdown for a forum with the boards of
            the worst decisions beside it; None for neither.
        player: whose errors the page shows first, 0 or 1; None for both.

    Returns:
        The names of the files written, `REPORT` first.

    Raises:
        FolderRefused: ``target`` holds what no report has put there.
        OSError: the disk refuses.
    """
    from bgtools.reports.table_files import write_table

    def tables(*names: TableName) -> dict[str, Callable[[Path], object]]:
        return {f"{name}.csv": partial(write_table, name, analysis) for name in names}

    valued = tables("choices") if analysis.conventions.engine else {}
    writers = tables("decisions", "turns") | valued
    if comparison is not None:
        from bgtools.reports import breakdown_tables as disagreements

        writers["disagreements.csv"] = partial(disagreements.write_csv, comparison)
    writers |= tables("breakdown", "races", "dice")
    if pips is not None:
        writers["pips.png"] = lambda path: path.write_bytes(pips.result())
    # The pips stay first: a report lists its files in this order.
    writers = writers | {name: draw for name, draw in pictures_of(analysis).items() if name not in writers}
    if page == "md":
        writers |= _markdown(analysis, match, findings, comparison, tuple(writers), player)
    if page == "html":
        from bgtools.reports.page.writing import PAGE, page_of

        file = source.name if source else ""
        writers[PAGE] = lambda path: path.write_bytes(
            page_of(analysis, match, findings, comparison, file=Path(file).name, player=player)
        )
    files = (REPORT, *writers)
    with report_folder(target, force=force) as folder:
        for name, write in writers.items():
            write(folder / name)
        content = report_data(analysis, findings, source, files, comparison)
        # A file's name can hold bytes that are not text and that no encoding can write: they become question marks.
        with (folder / REPORT).open("w", encoding="utf-8", errors="replace", newline="\n") as stream:
            json.dump(content, stream, ensure_ascii=False, indent=2, allow_nan=False)
            stream.write("\n")
    return files


def pictures_of(analysis: Analysis) -> dict[str, Callable[[Any], object]]:
    """The functions that draw what an analysis has figures for, by file name: each into a path or a binary stream."""
    from bgtools.reports import figures, summary
    from bgtools.reports.curves import chance_curve, errors_course, luck_course

    names = analysis.match.players
    line = isolate_names(summary.heading(analysis), map(printable, names))
    heads = [(row.number or row.game, row.score, row.crawford) for row in analysis.games]
    draw: dict[str, Callable[[Any], object]] = {
        "pips.png": lambda to: figures.draw_pips(_panels(heads, analysis.pips), names, to, line)
    }
    if any(row.luck is not None for row in analysis.turns):
        luck, luck_unit = luck_course(analysis)
        draw["luck.png"] = lambda to: figures.draw_luck(luck, names, to, unit=luck_unit, heading=line)
    chances = chance_curve(analysis)
    if chances is not None:
        draw["chance.png"] = lambda to: figures.draw_chances(chances, names, to, heading=line)
    if any(row.loss is not None for row in analysis.decisions):
        errors = errors_course(analysis)
        draw["errors.png"] = lambda to: figures.draw_errors(errors, names, to, unit="EMG given away", heading=line)
    return draw


def _markdown(
    analysis: Analysis,
    match: Match | None,
    findings: Sequence[Finding],
    comparison: EngineComparison | None,
    files: Sequence[str],
    player: int | None,
) -> dict[str, Callable[[Path], object]]:
    """The functions that write the report as Markdown and the boards beside it, by file name."""
    from bgtools.reports.markdown import MARKDOWN, WORST, board_name, markdown_of
    from bgtools.reports.pictures import picture_bytes

    rows = worst(analysis.decisions, player)[:WORST]
    boards = {
        board_name(number): picture_bytes(board_of(row, analysis.match.players), ".png", width=_BOARD_WIDTH)
        for number, row in enumerate(rows, 1)
    }
    text = markdown_of(analysis, match, findings, comparison, files=(*files, *boards), player=player)
    writers: dict[str, Callable[[Path], object]] = {
        name: lambda path, content=content: path.write_bytes(content)  # type: ignore[misc]
        for name, content in boards.items()
    }
    return {**writers, MARKDOWN: lambda path: path.write_bytes(text.encode("utf-8", "replace"))}


_BOARD_WIDTH: Final = 800
"""In pixels, of a board beside the Markdown."""


def begin_pips(match: Match, games: Sequence[GameReplay]) -> Future[bytes]:
    """Begin to draw the pip counts, which need no engine, in a thread of its own while an engine works.

    Args:
        match: the record.
        games: its replay.

    Returns:
        What will be the content of ``pips.png``.
    """
    from concurrent.futures import ThreadPoolExecutor

    from bgtools.analysis.match_analysis import match_totals, player_names
    from bgtools.analysis.phases import pip_course

    names, course = player_names(match), pip_course(games)
    heads = [(game.game.number or game.index + 1, game.score, game.crawford) for game in games]

    def draw() -> bytes:
        from bgtools.reports import figures, summary

        picture = BytesIO()
        line = summary.heading_of(match_totals(games, names, match.length or 0))
        figures.draw_pips(_panels(heads, course), names, picture, line)
        return picture.getvalue()

    pool = ThreadPoolExecutor(1)
    begun = pool.submit(draw)
    pool.shutdown(wait=False)
    return begun


def report_data(
    analysis: Analysis,
    findings: Sequence[Finding],
    source: Source | None,
    files: Sequence[str] = (),
    comparison: EngineComparison | None = None,
) -> dict[str, Any]:
    """The content of ``report.json``; `docs/tables.md` describes it."""
    content = analysis.as_report()
    data = {
        "made_by": "bgtools",
        "version": __version__,
        "schema_version": SCHEMA_VERSION,
        "files": list(files),
        "match": {**content["match"], "file": source.name if source else None},
        "conventions": content["conventions"],
        "players": plain(content["players"], _DIGITS),
        "games": plain(content["games"], _DIGITS),
        "errors": plain(errors_data(analysis), _DIGITS),
        "breakdowns": plain(content["breakdowns"], _DIGITS),
        "dice": plain(content["dice"], _DIGITS),
        "findings": [_finding(finding, source) for finding in findings],
        "notes": content["notes"],
    }
    if comparison is not None:
        data["engines"] = [
            {"engine": name, **{part: plain(report[part], _DIGITS) for part in _OF_ENGINES}}
            for name, report in zip(comparison.engines, (each.as_report() for each in comparison.analyses), strict=True)
        ]
        data["disagreements"] = {
            "threshold": comparison.threshold,
            "compared": comparison.compared,
            "listed": len(comparison.disagreements),
        }
    return data


def _finding(finding: Finding, source: Source | None) -> dict[str, Any]:
    return {
        "code": finding.code.id,
        "name": finding.code.name,
        "severity": str(finding.severity),
        **region_data(source, finding.span),
        **values_of(finding, "message facts hint game turn entry player"),
    }


# --- what the figures show ------------------------------------------------------------------


def _panels(heads: Iterable[tuple[int, tuple[int, int], bool]], course: Sequence[PipPoint]) -> list[Any]:
    """A panel per game: of each game its number, the score before it and whether it is the Crawford game."""
    from bgtools.reports.figures import PipPanel

    pips: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for point in course:
        pips[point.game].append(point.pips)
    return [
        PipPanel(f"Game {number}, {score[0]}-{score[1]}{', Crawford' if crawford else ''}", tuple(pips[game]))
        for game, (number, score, crawford) in enumerate(heads, 1)
    ]
