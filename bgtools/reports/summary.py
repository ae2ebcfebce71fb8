"""The compact table that a report prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from rich.table import Table
from rich.text import Text

from bgtools.reports.findings import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.analysis.report import Analysis, Conventions, PlayerTotals


def heading(analysis: Analysis) -> str:
    """The match in one line: names, score, length."""
    match = analysis.match
    names = " - ".join(printable(name) for name in match.players)
    kind = f"{match.length}-point match" if match.length else "money session"
    games = "1 game" if match.games == 1 else f"{match.games} games"
    return f"{names}  {match.score[0]}-{match.score[1]}  {kind}, {games}"


def totals_table(analysis: Analysis) -> Table:
    """Ratings, errors and luck, a column a player."""
    table = Table(show_header=True, header_style="bold", box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("")
    for name in analysis.match.players:
        table.add_column(Text(printable(name)), justify="right")
    money = not analysis.match.length
    rows: list[tuple[str, Callable[[PlayerTotals], str]]] = [
        ("XG PR", lambda total: _rating(total, "xg_pr", 2)),
        ("  decisions counted", lambda total: _counted(total, "xg_pr")),
        ("gnubg error rate, mEMG", lambda total: _rating(total, "gnubg_er", 1)),
        ("  decisions counted", lambda total: _counted(total, "gnubg_er")),
        (
            "checker play, EMG lost",
            lambda total: _number(total.errors.checker if total.errors and total.errors.checker_decisions else None),
        ),
        (
            "cube, EMG lost",
            lambda total: _number(total.errors.cube if total.errors and total.errors.cube_decisions else None),
        ),
        ("errors, blunders", _classes),
        ("luck, EMG", lambda total: _number(_luck(total, "emg"), signed=True)),
    ]
    if money:
        rows.append(("luck, points", lambda total: _number(_luck(total, "points"), signed=True)))
    else:
        rows.append(("luck, MWC", lambda total: _percent(_luck(total, "mwc"))))
    for label, cell in rows:
        table.add_row(label, *(cell(total) for total in analysis.players))
    return table


def games_table(analysis: Analysis) -> Table:
    """One line a game: score, result and, with an engine, ratings and luck."""
    table = Table(show_header=True, header_style="bold", box=None, pad_edge=False, padding=(0, 3, 0, 0))
    names = [printable(name) for name in analysis.match.players]
    engine = bool(analysis.conventions.engine)
    for title in ("game", "score", "rolls", "cube", *(("XG PR", "luck, EMG") if engine else ())):
        table.add_column(title, justify="right", no_wrap=True)
    # Where it is narrow this column gives way, and the figures stay whole.
    table.add_column("result")
    if any(game.crawford for game in analysis.games):
        table.caption, table.caption_justify, table.caption_style = "* Crawford game", "left", "dim"
    for game in analysis.games:
        winner = names[game.winner] if game.winner is not None else ""
        points = f" {game.points}" if game.points is not None else ""
        result = f"{winner}{points}, {game.ending}" if winner else game.ending
        cells = [
            str(game.number or game.game),
            f"{game.score[0]}-{game.score[1]}{'*' if game.crawford else ''}",
            str(game.rolls),
            str(game.cube),
        ]
        if engine:
            cells.append(" / ".join(f"{_rating(total, 'xg_pr', 1, label=False):>4}" for total in game.players))
            lucks = (_number(_luck(total, "emg"), signed=True, digits=2) for total in game.players)
            cells.append(" / ".join(f"{luck:>5}" for luck in lucks))
        table.add_row(*(Text(cell) for cell in (*cells, result)))
    return table


def conventions_line(analysis: Analysis) -> str:
    """By which engine, level and table the figures were made."""
    used = analysis.conventions
    if not used.engine:
        return "no engine: luck, errors and ratings are left out"
    values = f"match equity table {used.met}" if analysis.match.length else _money_rules(used)
    luck = f", luck at {used.luck_depth} (opening rolls: {used.luck})" if used.luck_depth else ""
    return f"{used.engine} {used.engine_version}, level {used.level}, {values}{luck}"


def _money_rules(used: Conventions) -> str:
    return f"money play {'with' if used.jacoby else 'without'} Jacoby rule, {'with' if used.beavers else 'no'} beavers"


def sentence(analysis: Analysis) -> str:
    """Who was luckier, and what the result would have been with even dice; empty where it cannot be told."""
    result = analysis.players[0].luck_adjusted_result
    return result.sentence if result else ""


def _rating(total: PlayerTotals, name: str, digits: int, *, label: bool = True) -> str:
    rating = total.ratings and total.ratings[name]
    if not rating or rating.value is None:
        return "-"
    return f"{rating.value:.{digits}f}" + (f"  {rating.label}" if label else "")


def _counted(total: PlayerTotals, name: str) -> str:
    return str(total.ratings[name].counted) if total.ratings else "-"


def _classes(total: PlayerTotals) -> str:
    if not total.errors or not (total.errors.checker_decisions or total.errors.cube_decisions):
        return "-"
    return f"{total.errors.classes.get('error', 0)}, {total.errors.classes.get('blunder', 0)}"


def _luck(total: PlayerTotals, unit: Literal["emg", "mwc", "points"]) -> float | None:
    """A player's luck; None, not nothing, where no roll of his was valued."""
    if not total.luck or not total.luck.rolls:
        return None
    return {"emg": total.luck.emg, "mwc": total.luck.mwc, "points": total.luck.points}[unit]


def _number(value: float | None, *, signed: bool = False, digits: int = 3) -> str:
    if value is None:
        return "-"
    return f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:+.1f}%"
