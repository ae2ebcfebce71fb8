"""The figures of a player in words, and pictures of the ratings: for the terminal and for the page."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Final

from bgtools.analysis.statistics import FEW_DECISIONS
from bgtools.drawing.shapes import Box, Disc, Picture, Stroke, TextLine
from bgtools.findings.quantities import AMOUNT, LUCK, POINTS, PR, PROBABILITY
from bgtools.reports.document import DataTable
from bgtools.reports.findings import few

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bgtools.analysis.careers import (
        Career,
        CareerDimension,
        CareerResult,
        CareerShare,
        FieldComparison,
        Trend,
        TrendPoint,
        Versus,
    )
    from bgtools.analysis.pooling import PooledRating
    from bgtools.drawing.shapes import Shape

    Rated = tuple[str, PooledRating]


_TITLES: Final[dict[CareerDimension, str]] = {
    "month": "month", "event": "event", "opponent": "opponent", "length": "length", "engine": "judged by",
    "phase": "phase", "decision": "kind of decision", "theme": "theme",
}  # fmt: skip
_METHOD: Final = " (permutation test over matches)"
_UNKNOWN: Final = "not told"


def name_of_value(share: CareerShare | FieldComparison) -> str:
    """What stands for a value of a dimension in a table."""
    if share.dimension == "length":
        return "money" if share.value == "0" else few(int(share.value), "point")
    return share.value or _UNKNOWN


def career_lines(career: Career) -> Iterator[str]:
    """Who somebody is, how much they played, and how well."""
    summary = career.summary
    span = f", {summary.first} to {summary.last}" if summary.first else ""
    played = few(summary.matches, "match", "matches")
    counts = [f"{summary.won:,} won", f"{summary.lost:,} lost"]
    counts += [f"{summary.unfinished:,} unfinished"] if summary.unfinished else []
    counts += [few(summary.money, "money session")] if summary.money else []
    yield f"{summary.name}: {played} ({', '.join(counts)}){span}"
    others = [name for name in summary.names if name != summary.name]
    if others:
        yield f"in records also {', '.join(others)}"
    if not career.is_somebody:
        yield "Nobody in particular has this name: what follows may be of many players."
    if not summary.pr.counted:
        yield "No analysed decision of theirs counts for a rating."
        return
    analysed = few(summary.analysed, "analysed match", "analysed matches")
    yield f"PR {summary.pr.text()} over {few(summary.pr.counted, 'decision')} of {analysed}"
    if summary.luck.rolls:
        yield f"luck of a roll {summary.luck.text()} EMG over {few(summary.luck.rolls, 'roll')}"
    for result in career.results:
        yield result_sentence(result)


def result_sentence(result: CareerResult) -> str:
    """A result, and what it would have been with even dice."""
    interval = "" if result.low is None or result.high is None else f" ({_span(result)})"
    if result.unit == "points":
        sessions = few(result.matches, "money session")
        points = POINTS.text(result.actual, 0)
        return f"{sessions}: {points} points; with even dice {POINTS.text(result.adjusted, 1)}{interval}"
    matches = few(result.matches, "match", "matches")
    won = AMOUNT.text(result.actual).removesuffix(".0")
    return f"{matches} with known luck: {won} won; with even dice {AMOUNT.text(result.adjusted)}{interval}"


def _span(result: CareerResult) -> str:
    quantity = POINTS if result.unit == "points" else AMOUNT
    return f"{quantity.text(result.low, 1)} to {quantity.text(result.high, 1)}"


def standing_lines(standings: Sequence[FieldComparison]) -> Iterator[str]:
    """What sets a player apart from the field, or that the figures do not tell."""
    if not standings:
        yield (
            "There is too little to compare with other players: a sort of decisions needs "
            f"{FEW_DECISIONS} by the player and {FEW_DECISIONS} by the others, each from 8 matches."
        )
        return
    told = [each for each in standings if each.verdict]
    for each in sorted(told, key=lambda each: (each.verdict, -abs(each.cost))):
        yield (
            f"{each.verdict}: {_TITLES[each.dimension]} {each.value}, PR {PR.text(each.pr)}, the field "
            f"{PR.text(each.field_pr)}, over {few(each.decisions, 'decision')}; {_cost(each.cost)} "
            f"(corrected chance {_chance(each.corrected)})"
        )
    if not told:
        yield (
            f"Nothing sets them apart from the field in {few(len(standings), 'sort')} of decisions, as far as these "
            "figures can tell."
        )


def _cost(cost: float) -> str:
    if abs(cost) < 0.5 * 10**-PR.digits:
        return "next to nothing of their whole PR"
    return f"{PR.text(abs(cost))} of their whole PR {'lost' if cost > 0 else 'gained'}"


def _chance(chance: float) -> str:
    return PROBABILITY.text(chance) if chance >= 0.001 else "below 0.001"


def method_lines(career: Career) -> Iterator[str]:
    """How the figures came about."""
    yield from engine_lines(career.engines)
    if not career.summary.pr.counted:
        return
    yield (
        "PR: XG's performance rating, all losses over all decisions that XG counts; 95% intervals by resampling "
        "decisions and rolls, of which fewer than 30 are too few."
    )
    if career.standings:
        yield (
            "The field is everybody else in the library but programs. Each sort of decisions is compared by a "
            f"permutation test over matches; the chances are corrected for {few(len(career.standings), 'sort')} "
            "(Holm). Below 5% a strength or a weakness is told; above, the figures do not tell."
        )


def engine_lines(engines: Sequence[tuple[str, int]]) -> Iterator[str]:
    """Which engines judged the decisions; of several, that they find different losses."""
    if engines:
        told = "; ".join(f"{name} ({few(count, 'match', 'matches')})" for name, count in engines)
        yield f"Judged by {told}."
    if len(engines) > 1:
        yield "Different engines and levels find different losses, so part of a difference may be theirs."


def tables_of(career: Career) -> list[DataTable]:
    """The shares of a career, a table a dimension."""
    found: dict[CareerDimension, list[CareerShare]] = {}
    for share in career.shares:
        found.setdefault(share.dimension, []).append(share)
    # Where no record tells the event or the month, there is nothing to divide by it.
    return [
        _table(dimension, shares, career.left_out.get(dimension, 0))
        for dimension, shares in found.items()
        if [each.value for each in shares] != [""]
    ]


def _table(dimension: CareerDimension, shares: Sequence[CareerShare], left_out: int) -> DataTable:
    title = _TITLES[dimension]
    which = "earlier" if dimension == "month" else "more"
    note = f"and {left_out:,} {which}" if left_out else ""
    of_matches = shares[0].won is not None
    rated = any(each.pr.counted for each in shares)
    lucky = any(each.luck is not None and each.luck.rolls for each in shares)
    columns: list[tuple[str, Callable[[CareerShare], str]]] = [(title, name_of_value)]
    if rated:
        columns += [("XG PR", lambda each: each.pr.text()), ("counted", lambda each: f"{each.pr.counted:,}")]
    columns.append(("matches", lambda each: f"{each.matches:,}"))
    if of_matches:
        columns += [("won", lambda each: f"{each.won:,}"), ("lost", lambda each: f"{each.lost:,}")]
    if lucky:
        columns.append(("luck of a roll", _luck))
    rows = tuple(tuple(told(each) for _, told in columns) for each in shares)
    return DataTable(title, tuple(head for head, _ in columns), rows, note)


def _luck(share: CareerShare) -> str:
    return LUCK.text(share.luck.luck if share.luck else None)


def versus_lines(versus: Versus) -> Iterator[str]:
    """Two players against each other."""
    first, second = versus.names
    yield (
        f"{first} and {second}: {few(versus.matches, 'match', 'matches')}, "
        f"{versus.won[0]:,} won by {first}, {versus.won[1]:,} by {second}"
    )
    for name, pr, luck in zip(versus.names, versus.pr, versus.luck, strict=True):
        if pr.counted:
            told = f"; luck of a roll {luck.text()} EMG" if luck.rolls else ""
            yield f"{name}: PR {pr.text()} over {few(pr.counted, 'decision')}{told}"
    for result in versus.results:
        yield f"for {first}, {result_sentence(result)}"
    yield _comparison(versus)
    yield from engine_lines(versus.engines)


def _comparison(versus: Versus) -> str:
    """Whether one has played better than the other."""
    if versus.chance is None:
        return "Too little is analysed to say who played better: 8 matches and 30 decisions of each are needed."
    better = versus.names[0] if _value(versus.pr[0]) < _value(versus.pr[1]) else versus.names[1]
    chance = _chance(versus.chance)
    if versus.chance < 0.05:
        return f"{better} played better: equal players are as far apart with a chance of {chance}{_METHOD}."
    return f"These matches do not tell who plays better: a chance of {chance} is that of equal players{_METHOD}."


def _value(rating: PooledRating) -> float:
    return rating.value if rating.value is not None else 0.0


def meetings_table(versus: Versus) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The matches of two players, the last ones first: the heads of the columns, and a row per match."""
    heads = ("match", "length", "score", "won by", *(f"PR of {name}" for name in versus.names))
    rows = [
        (
            " ".join(part for part in (each.date, each.event) if part) or each.path,
            f"{each.length}" if each.length else "money",
            f"{each.points[0]}-{each.points[1]}",
            "" if each.won is None else versus.names[each.won],
            *map(PR.text, each.pr),
        )
        for each in versus.meetings
    ]
    return heads, rows


_WIDE: Final = 720
_HIGH: Final = 360
_LEFT, _RIGHT, _TOP, _BELOW = 58, 20, 58, 48
_ROW: Final = 24
_NAMES: Final = 190
"""Room for the name of a row."""
_NAME: Final = 27
"""The most letters of the name of a row."""
_LABELS: Final = 8
_SIZE: Final = 13
_NOTHING: Final = "No analysed decision counts for a rating."
_MANY: Final = 60
"""If there are more points than this, they are drawn small."""


def trend_picture(trend: Trend) -> Picture:
    """The course of a rating: a disc per point, hollow where it rests on too few decisions, with its interval."""
    over = "month by month" if trend.window is None else f"over {few(trend.window, 'match', 'matches')} at a time"
    title = f"{_short(trend.name)}: PR {over}"
    shapes = _frame(title, _LEFT, _HIGH)
    points = [each for each in trend.points if each.pr.value is not None]
    if not points:
        shapes.append(TextLine(_WIDE / 2, _HIGH / 2, trend.sentence, _SIZE, "on_frame"))
        return Picture(_WIDE, _HIGH, title, f"{title}. {trend.sentence}", tuple(shapes))
    whole = trend.whole.text()
    said = f"dashed: {whole} over all {few(trend.matches, 'match', 'matches')}; lines: 95% intervals"
    shapes.append(TextLine(_LEFT, 45, said, 12, "on_frame", "start"))
    top = _top(max(each.pr.high or each.pr.value or 0.0 for each in points))
    days = [date.fromisoformat(each.last).toordinal() for each in points]
    first, last = min(days), max(days)

    def across(day: int) -> float:
        span = _WIDE - _LEFT - _RIGHT - 20
        return _LEFT + 10 + (span * (day - first) / (last - first) if last > first else span / 2)

    def down(value: float) -> float:
        return _TOP + (_HIGH - _TOP - _BELOW) * (1 - value / top)

    for value in _marks(top):
        level = down(value)
        shapes.append(Stroke(((_LEFT, level), (_WIDE - _RIGHT, level)), "dark_point", 0.8))
        shapes.append(TextLine(_LEFT - 8, level + 4, f"{value:g}", _SIZE, "on_frame", "end"))
    if trend.whole.value is not None:
        level = down(trend.whole.value)
        shapes.append(Stroke(((_LEFT, level), (_WIDE - _RIGHT, level)), "on_frame", 1.5, (7, 5)))
    places = [(across(day), down(each.pr.value or 0.0)) for day, each in zip(days, points, strict=True)]
    if len(places) > 1:
        shapes.append(Stroke(tuple(places), "light_point", 1.2))
    radius, thick = (5, 2.0) if len(points) <= _MANY else (2.5, 0.8)
    for (x, y), point in zip(places, points, strict=True):
        if point.pr.low is not None and point.pr.high is not None:
            shapes.append(Stroke(((x, down(point.pr.low)), (x, down(point.pr.high))), "on_frame", thick))
            shapes.append(Disc(x, y, radius, "on_frame"))
        else:
            shapes.append(Disc(x, y, radius, "frame", "on_frame", 1.5))
    shapes += _dates(points, [x for x, _ in places])
    ends = f"from {points[0].pr.text()} in {points[0].label} to {points[-1].pr.text()} in {points[-1].label}"
    return Picture(_WIDE, _HIGH, title, f"{title}, {ends}; {whole} over all. {trend.sentence}", tuple(shapes))


def _frame(title: str, left: float, high: float) -> list[Shape]:
    """The frame of a picture with its title."""
    heading = TextLine(left, 26, title, 17, "on_frame", "start", bold=True)
    return [Box(0, 0, _WIDE, high, "frame", corner=8), heading]


def _top(most: float) -> float:
    """The end of a scale: a round number not below any value."""
    step = _step(max(most, 1.0))
    return step * -(-max(most, 1.0) // step)


def _step(top: float) -> float:
    return next(each for each in (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, top) if top / each <= 6)


def _marks(top: float) -> list[float]:
    """The round numbers of a scale from 0."""
    step = _step(top)
    return [step * number for number in range(round(top / step) + 1)]


def _dates(points: Sequence[TrendPoint], positions: Sequence[float]) -> Iterator[Shape]:
    """The labels of points, below as many of them as there is room for."""
    last = -_WIDE
    room = (_WIDE - _LEFT - _RIGHT) / _LABELS
    for place, point in zip(positions, points, strict=True):
        if place - last >= room:
            last = int(place)
            yield TextLine(place, _HIGH - _BELOW + 22, point.label, 12, "on_frame")


def career_picture(career: Career) -> Picture:
    """PR in each phase, kind of decision and theme, with the intervals, and that of all decisions as a dashed line."""
    groups: list[tuple[str, list[Rated]]] = []
    for name in ("phase", "decision", "theme"):
        rows = [(name_of_value(each), each.pr) for each in career.shares if each.dimension == name and each.pr.counted]
        if rows:
            groups.append((name, rows))
    title = f"{_short(career.summary.name)}: PR by phase, kind of decision and theme"
    return _ratings(title, groups, career.summary.pr)


def versus_picture(versus: Versus) -> Picture:
    """PR of two players in the matches against each other, with the intervals."""
    rows = [(name, pr) for name, pr in zip(versus.names, versus.pr, strict=True) if pr.counted]
    title = f"PR of {_short(versus.names[0], 24)} and {_short(versus.names[1], 24)} against each other"
    return _ratings(title, [("", rows)] if rows else [], None)


def _ratings(title: str, groups: Sequence[tuple[str, Sequence[Rated]]], whole: PooledRating | None) -> Picture:
    """Ratings one below the other, in groups with or without a name; ``whole`` is the dashed line."""
    rows = [row for _, group in groups for row in group]
    high = _TOP + _ROW * (len(rows) + sum(1 for name, _ in groups if name)) + _BELOW
    shapes = _frame(title, 20, high)
    if not rows:
        shapes.append(TextLine(20, 60, _NOTHING, _SIZE, "on_frame", "start"))
        return Picture(_WIDE, high, title, f"{title}. {_NOTHING}", tuple(shapes))
    dashed = "" if whole is None else f"dashed: {whole.text()} over all decisions; "
    said = f"{dashed}lines: 95% intervals; hollow: too few for one"
    shapes.append(TextLine(20, 45, said, 12, "on_frame", "start"))
    top = _top(max(rating.high or rating.value or 0.0 for _, rating in rows))

    def across(value: float) -> float:
        return _NAMES + (_WIDE - _NAMES - _RIGHT - 20) * value / top

    for value in _marks(top):
        at = across(value)
        shapes.append(Stroke(((at, _TOP), (at, high - _BELOW)), "dark_point", 0.8))
        shapes.append(TextLine(at, high - _BELOW + 20, f"{value:g}", _SIZE, "on_frame"))
    if whole is not None and whole.value is not None:
        at = across(whole.value)
        shapes.append(Stroke(((at, _TOP), (at, high - _BELOW)), "on_frame", 1.5, (7, 5)))
    y = float(_TOP)
    for name, group in groups:
        if name:
            shapes.append(TextLine(20, y + 16, name, 12, "on_frame", "start", bold=True))
            y += _ROW
        for row in group:
            shapes += _row(row, y, across)
            y += _ROW
    told = "; ".join(f"{name} {rating.text()}" for name, rating in rows)
    return Picture(_WIDE, high, title, f"{title}. {told}.", tuple(shapes))


def _row(row: Rated, y: float, across: Callable[[float], float]) -> Iterator[Shape]:
    name, rating = row
    middle = y + _ROW / 2
    yield TextLine(_NAMES - 12, middle + 4, _short(name, _NAME), _SIZE, "on_frame", "end")
    if rating.low is not None and rating.high is not None:
        yield Stroke(((across(rating.low), middle), (across(rating.high), middle)), "on_frame", 2)
        yield Disc(across(rating.value or 0.0), middle, 5, "on_frame")
    else:
        yield Disc(across(rating.value or 0.0), middle, 5, "frame", "on_frame", 1.5)


def _short(name: str, most: int = 40) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
