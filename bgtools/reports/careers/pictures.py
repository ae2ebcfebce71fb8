"""Pictures of a player's ratings: how they went, and what they are in each sort of decisions."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Final

from bgtools.drawing.shapes import Box, Disc, Picture, Stroke, Words
from bgtools.reports.careers.text import DIGITS, name_of_value
from bgtools.reports.findings import few

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bgtools.analysis.careers import Career, Trend, TrendPoint, Versus
    from bgtools.analysis.pooling import PooledRating
    from bgtools.drawing.shapes import Shape

    Rated = tuple[str, PooledRating]

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
    """The course of a rating: a disc a point, hollow where it rests on too few decisions, with its interval."""
    shapes: list[Shape] = [Box(0, 0, _WIDE, _HIGH, "frame", corner=8)]
    over = "month by month" if trend.window is None else f"over {few(trend.window, 'match', 'matches')} at a time"
    title = f"{_short(trend.name)}: PR {over}"
    shapes.append(Words(_LEFT, 26, title, 17, "on_frame", "start", bold=True))
    points = [each for each in trend.points if each.pr.value is not None]
    if not points:
        shapes.append(Words(_WIDE / 2, _HIGH / 2, trend.sentence, _SIZE, "on_frame"))
        return Picture(_WIDE, _HIGH, title, f"{title}. {trend.sentence}", tuple(shapes))
    whole = trend.whole.told(DIGITS)
    said = f"dashed: {whole} over all {few(trend.matches, 'match', 'matches')}; lines: 95% intervals"
    shapes.append(Words(_LEFT, 45, said, 12, "on_frame", "start"))
    top = _top(max(each.pr.high or each.pr.value or 0.0 for each in points))
    days = [date.fromisoformat(each.last).toordinal() for each in points]
    first, last = min(days), max(days)

    def across(day: int) -> float:
        span = _WIDE - _LEFT - _RIGHT - 20
        return _LEFT + 10 + (span * (day - first) / (last - first) if last > first else span / 2)

    def down(value: float) -> float:
        return _TOP + (_HIGH - _TOP - _BELOW) * (1 - value / top)

    shapes += _scale(top, down)
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
    ends = (
        f"from {points[0].pr.told(DIGITS)} in {points[0].label} to {points[-1].pr.told(DIGITS)} in {points[-1].label}"
    )
    return Picture(_WIDE, _HIGH, title, f"{title}, {ends}; {whole} over all. {trend.sentence}", tuple(shapes))


def _top(most: float) -> float:
    """The end of a scale: a round number not below any value."""
    step = _step(max(most, 1.0))
    return step * -(-max(most, 1.0) // step)


def _step(top: float) -> float:
    return next(each for each in (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, top) if top / each <= 6)


def _scale(top: float, down: Callable[[float], float]) -> Iterator[Shape]:
    step = _step(top)
    value = 0.0
    while value <= top + step / 100:
        level = down(value)
        yield Stroke(((_LEFT, level), (_WIDE - _RIGHT, level)), "dark_point", 0.8)
        yield Words(_LEFT - 8, level + 4, f"{value:g}", _SIZE, "on_frame", "end")
        value += step


def _dates(points: Sequence[TrendPoint], places: Sequence[float]) -> Iterator[Shape]:
    """The labels of points, below as many of them as there is room for."""
    last = -_WIDE
    room = (_WIDE - _LEFT - _RIGHT) / _LABELS
    for place, point in zip(places, points, strict=True):
        if place - last >= room:
            last = int(place)
            yield Words(place, _HIGH - _BELOW + 22, point.label, 12, "on_frame")


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
    shapes: list[Shape] = [
        Box(0, 0, _WIDE, high, "frame", corner=8),
        Words(20, 26, title, 17, "on_frame", "start", bold=True),
    ]
    if not rows:
        shapes.append(Words(20, 60, _NOTHING, _SIZE, "on_frame", "start"))
        return Picture(_WIDE, high, title, f"{title}. {_NOTHING}", tuple(shapes))
    dashed = "" if whole is None else f"dashed: {whole.told(DIGITS)} over all decisions; "
    said = f"{dashed}lines: 95% intervals; hollow: too few for one"
    shapes.append(Words(20, 45, said, 12, "on_frame", "start"))
    top = _top(max(rating.high or rating.value or 0.0 for _, rating in rows))

    def across(value: float) -> float:
        return _NAMES + (_WIDE - _NAMES - _RIGHT - 20) * value / top

    shapes += _columns(top, high, across)
    if whole is not None and whole.value is not None:
        at = across(whole.value)
        shapes.append(Stroke(((at, _TOP), (at, high - _BELOW)), "on_frame", 1.5, (7, 5)))
    y = float(_TOP)
    for name, group in groups:
        if name:
            shapes.append(Words(20, y + 16, name, 12, "on_frame", "start", bold=True))
            y += _ROW
        for row in group:
            shapes += _row(row, y, across)
            y += _ROW
    told = "; ".join(f"{name} {rating.told(DIGITS)}" for name, rating in rows)
    return Picture(_WIDE, high, title, f"{title}. {told}.", tuple(shapes))


def _columns(top: float, high: float, across: Callable[[float], float]) -> Iterator[Shape]:
    step = _step(top)
    value = 0.0
    while value <= top + step / 100:
        at = across(value)
        yield Stroke(((at, _TOP), (at, high - _BELOW)), "dark_point", 0.8)
        yield Words(at, high - _BELOW + 20, f"{value:g}", _SIZE, "on_frame")
        value += step


def _row(row: Rated, y: float, across: Callable[[float], float]) -> Iterator[Shape]:
    name, rating = row
    middle = y + _ROW / 2
    yield Words(_NAMES - 12, middle + 4, _short(name, _NAME), _SIZE, "on_frame", "end")
    if rating.low is not None and rating.high is not None:
        yield Stroke(((across(rating.low), middle), (across(rating.high), middle)), "on_frame", 2)
        yield Disc(across(rating.value or 0.0), middle, 5, "on_frame")
    else:
        yield Disc(across(rating.value or 0.0), middle, 5, "frame", "on_frame", 1.5)


def _short(name: str, most: int = 40) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
