"""The compact table that a report prints."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from bgtools.analysis.ratings.registry import all_ratings
from bgtools.analysis.result import distinct_names, favoured_words, is_worth_a_figure
from bgtools.analysis.statistics import FEW_DECISIONS
from bgtools.findings.finding import printable
from bgtools.findings.quantities import (
    CHANCE,
    CHANCE_APART,
    CHANCE_LUCK,
    LOST,
    LUCK,
    LUCK_SUM,
    POINTS,
    PR,
    RATING,
    RATING_APART,
    UNKNOWN,
)
from bgtools.reports.document import DataTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bgtools.analysis.comparison import EngineComparison
    from bgtools.analysis.ratings.rule import Rating
    from bgtools.analysis.totals import Analysis, GameTotals, MatchTotals, PlayerTotals


def heading(analysis: Analysis) -> str:
    """The match in one line: names, score, length."""
    return heading_of(analysis.match)


def heading_of(match: MatchTotals) -> str:
    """The match in one line, made of its totals alone, which need no engine."""
    names = " - ".join(printable(name) for name in match.players)
    kind = f"{match.length}-point match" if match.length else "money session"
    games = "1 game" if match.games == 1 else f"{match.games} games"
    return f"{names}  {match.score[0]}-{match.score[1]}  {kind}, {games}"


def by_engine(analysis: Analysis, comparison: EngineComparison | None) -> list[tuple[str, Analysis]]:
    """The analyses with the names of their engines; where there is only one, its name is empty."""
    return [("", analysis)] if comparison is None else list(zip(comparison.engines, comparison.analyses, strict=True))


def totals_table(analysis: Analysis) -> DataTable:
    """Ratings, errors and luck, a column per player."""
    return _totals(map(printable, analysis.match.players), totals_rows(analysis))


def totals_rows(analysis: Analysis) -> list[tuple[str, list[str]]]:
    """The rows of `totals_table`: a title, and a cell for each player."""
    return _kept(_rows(analysis, analysis.players), analysis.players)


def compared_totals(comparison: EngineComparison, players: Sequence[int] = (0, 1)) -> DataTable:
    """Ratings, errors and luck by several engines, a column per engine and player; without the labels of ratings."""
    first = comparison.analyses[0]
    by = [(player, each) for player in players for each in zip(comparison.engines, comparison.analyses, strict=True)]
    heads = (f"{printable(first.match.players[player])}\n{printable(engine)}" for player, (engine, _) in by)
    totals = [analysis.players[player] for player, (_, analysis) in by]
    rows = _kept(_rows(first, totals), totals)
    return _totals(heads, [(title, [cell.partition("  ")[0] for cell in cells]) for title, cells in rows])


def _totals(heads: Iterable[str], rows: Sequence[tuple[str, list[str]]]) -> DataTable:
    cells = _aligned([cells for _, cells in rows])
    lines = [(title, *each) for (title, _), each in zip(rows, cells, strict=True)]
    titles = ("", *heads)
    return DataTable("Strength and luck", titles, lines, stack="columns", text_at=range(len(titles)))


def _kept(rows: Iterable[_Row], totals: Sequence[PlayerTotals]) -> list[tuple[str, list[str]]]:
    """Rows with their cells; an indented row without any figure is left out."""
    filled = [(title, [cell(total) for total in totals]) for title, cell in rows]
    return [(title, cells) for title, cells in filled if title[:1] != " " or any(cell != UNKNOWN for cell in cells)]


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Rows of cells, each a figure, two blanks and a label, with the figures right-aligned.

    A cell of several figures is left as it is.
    """
    for row in rows:
        yield [
            cell if len(cell.partition("  ")[0]) > _FIGURE else " " * (_FIGURE - len(cell.partition("  ")[0])) + cell
            for cell in row
        ]


_FIGURE: Final = 6
"""The width of a figure: -1.234, -50.0%."""

INTERVAL_ROW: Final = "  95% interval"
"""The title of a row with the interval of the figure above it."""

_Row = tuple[str, "Callable[[PlayerTotals], str]"]


def _rows(analysis: Analysis, totals: Sequence[PlayerTotals]) -> Iterator[_Row]:
    """The rows of a table of totals, one under the other."""
    money = not analysis.match.length
    for same in _same_ratings(totals):
        yield from _rating_rows(same, money=money)
    tallied = [rating for rating in all_ratings() if rating.tally]
    yield f"counted ({', '.join(rating.tally for rating in tallied)})", partial(_counted, ratings=tallied)
    yield "  decisions not judged", _not_judged
    yield "checker play, EMG lost", lambda total: _errors(total, "checker")
    yield "cube, EMG lost", lambda total: _errors(total, "cube")
    yield "  resignations, EMG lost", lambda total: _errors(total, "resignation")
    for kind in _kinds(totals):
        yield f"  {_short(kind)}", lambda total, kind=kind: _kind(total, kind)  # type: ignore[misc]
    classes = [step.name for step in analysis.conventions.thresholds.steps]
    # What is called an error includes the blunders; the classes of GNU Backgammon stand side by side.
    is_nested = classes == ["error", "blunder"]
    yield "errors, of these blunders" if is_nested else ", ".join(classes), partial(_class_counts, is_nested=is_nested)
    yield "luck, EMG", lambda total: LUCK_SUM.text(_luck(total, "emg"))
    yield INTERVAL_ROW, _luck_interval
    if money:
        yield "luck, points", lambda total: POINTS.text(_luck(total, "points"))
    else:
        yield "luck, points of MWC", lambda total: CHANCE_LUCK.text(_luck(total, "mwc"))
    yield "  of a roll, EMG", _luck_of_a_roll
    yield "  jokers, anti-jokers", _jokers
    yield "  luck-adjusted result", _adjusted
    yield "    told by", _accounts
    yield "    by the rolls alone", partial(_account, which="by_rolls")
    yield "    by the errors alone", partial(_account, which="by_errors")
    if not money:
        yield "  FIBS rating by errors", lambda total: RATING.text(total.fibs.rating if total.fibs else None)
        yield "  FIBS difference by luck", _fibs_by_luck


def games_table(analysis: Analysis, comparison: EngineComparison | None = None) -> DataTable:
    """One line per game: score, result and, with an engine, ratings and luck; with several engines, ratings by each."""
    heads, rows = games_rows(analysis, comparison)
    note = CRAWFORD if any(game.crawford for game in analysis.games) else ""
    return DataTable("Games", heads, rows, note, gap=3, text_at=(len(heads) - 1,))


CRAWFORD: Final = "* Crawford game"
"""What is below a table of games where it marks one."""


def games_rows(analysis: Analysis, comparison: EngineComparison | None = None) -> tuple[list[str], list[list[str]]]:
    """The heads and the rows of `games_table`."""
    names = [printable(name) for name in distinct_names(analysis.match.players)]
    engine = bool(analysis.conventions.engine) and comparison is None
    figures = ["XG PR", "luck, EMG"] if engine else []
    if comparison is not None:
        figures = [f"XG PR\n{printable(name)}" for name in comparison.engines]
    rows = []
    for game in analysis.games:
        rated = [game] if engine else []
        if comparison is not None:
            rated = [each.games[game.game - 1] for each in comparison.analyses]
        cells = [
            *_what_happened(game),
            *map(_ratings, rated),
            *([_lucks(game)] if engine else []),
            _result(game, names),
        ]
        rows.append(cells)
    return ["game", "score", "rolls", "cube", *figures, "result"], rows


def _what_happened(game: GameTotals) -> tuple[str, str, str, str]:
    """Number, score, rolls and cube of a game."""
    score = f"{game.score[0]}-{game.score[1]}{'*' if game.crawford else ''}"
    return str(game.number or game.game), score, str(game.rolls), str(game.cube)


def _ratings(game: GameTotals) -> str:
    return " / ".join(f"{_rating(total, 'xg_pr', 1, label=False):>4}" for total in game.players)


def _lucks(game: GameTotals) -> str:
    lucks = (LUCK_SUM.text(_luck(total, "emg")) for total in game.players)
    return " / ".join(f"{luck:>5}" for luck in lucks)


def _result(game: GameTotals, names: Sequence[str]) -> str:
    winner = names[game.winner] if game.winner is not None else ""
    points = f" {game.points}" if game.points is not None else ""
    return f"{winner}{points}, {game.ending}" if winner else game.ending


def conventions_line(analysis: Analysis) -> str:
    """By which engine, level and table the figures were made."""
    used = analysis.conventions
    if not used.engine:
        return "no engine: luck, errors and ratings are left out"
    # A program that gives no equities does not name its match equity table either.
    values = f"match equity table {used.met or 'not known'}"
    if not analysis.match.length:
        beavers = f"{'with' if used.beavers else 'no'} beavers"
        values = f"money play {'with' if used.jacoby else 'without'} Jacoby rule, {beavers}"
    luck = f", luck at {used.luck_depth} (opening rolls: {used.luck})" if used.luck_depth else ""
    if used.is_recorded:
        is_known = any(each.luck and each.luck.rolls for each in analysis.players)
        luck = f", luck as given there (opening rolls: {used.luck})" if is_known else ""
    steps = ", ".join(f"{step.name} {LOST.text(step.loss)}" for step in used.thresholds.steps)
    classes = f"classes of {used.thresholds.name}: {steps}"
    program = f"{used.engine} {used.engine_version}".strip()
    program = f"the record's own analysis by {program}" if used.is_recorded else program
    return f"{program}, level {used.level}, {values}{luck}; {classes}"


def sentence(analysis: Analysis) -> str:
    """Whom the dice favoured, and how it would have gone with even dice; empty where that is unknown."""
    result = analysis.players[0].luck_adjusted_result
    return printable(result.sentence) if result else ""


def favoured(analysis: Analysis) -> str:
    """Whom the dice favoured, and by how much, in a few words; empty where that cannot be told."""
    result = analysis.players[0].luck_adjusted_result
    if result is None or (result.unit == "mwc" and not is_worth_a_figure(result.low or 0.0, result.high or 0.0)):
        return ""
    return printable(favoured_words(distinct_names(analysis.match.players), result.net_luck, result.unit))


def strength(total: PlayerTotals) -> str:
    """XG PR with its word and its interval in a few words; empty where there is none."""
    found = (total.ratings or {}).get("xg_pr")
    if found is None or found.value is None:
        return ""
    label = f", {found.label}" if found.label else ""
    between = "" if found.low is None else f" ({PR.text(found.low)} to {PR.text(found.high)})"
    return f"PR {PR.text(found.value)}{label}{between}"


def answer(analysis: Analysis) -> str:
    """The match, the ratings of both and the sentence about luck in a line or two."""
    rated = [
        f"{printable(name)} PR {_rating(total, 'xg_pr', 2, label=False)}"
        for name, total in zip(distinct_names(analysis.match.players), analysis.players, strict=True)
        if _rating(total, "xg_pr", 2) != UNKNOWN
    ]
    return " ".join(
        filter(None, (f"{heading(analysis)}.", f"{', '.join(rated)}." if rated else "", sentence(analysis)))
    )


def _same_ratings(totals: Sequence[PlayerTotals]) -> list[list[Rating]]:
    """The ratings that are printed; those that come out the same for all players stand together."""
    found: list[list[Rating]] = []
    for rating in all_ratings():
        if not rating.printed:
            continue
        first = found[-1][0] if found else None
        alike = first is not None and (first.digits, first.mwc_digits) == (rating.digits, rating.mwc_digits)
        if first is not None and alike and rating.tally and _figures(first, totals) == _figures(rating, totals):
            found[-1].append(rating)
        else:
            found.append([rating])
    return found


def _figures(rating: Rating, totals: Sequence[PlayerTotals]) -> list[object]:
    """What makes a row of figures: without a value, the rating itself, which no other is."""
    known = [(total.ratings or {}).get(rating.name) for total in totals]
    if all(each is None or each.value is None for each in known):
        return [rating.name]
    return [each and (each.value, each.low, each.high, each.counted) for each in known]


def _rating_rows(same: Sequence[Rating], *, money: bool) -> Iterator[_Row]:
    rating, *others = same
    yield ", ".join(each.title for each in same), lambda total: _rating(total, rating.name, rating.digits)
    for other in others:
        yield f"  {other.tally or other.title} title", partial(_label, name=other.name)
    if rating.tally:
        yield INTERVAL_ROW, lambda total: _rating_interval(total, rating.name, rating.digits)
    digits = rating.mwc_digits
    if digits is not None and not money:
        yield "  mMWC", lambda total: PR.text(_in_mwc(total, rating.name), digits)


def _label(total: PlayerTotals, name: str) -> str:
    found = (total.ratings or {}).get(name)
    return UNKNOWN if found is None or found.value is None else found.label or "(none)"


def _rating_interval(total: PlayerTotals, name: str, digits: int) -> str:
    found = (total.ratings or {}).get(name)
    if found is None or found.value is None:
        return UNKNOWN
    if found.low is None or found.high is None:
        return "too few decisions" if found.counted < FEW_DECISIONS else UNKNOWN
    return f"{PR.text(found.low, digits)} to {PR.text(found.high, digits)}"


def _luck_interval(total: PlayerTotals) -> str:
    luck = total.luck
    if luck is None or not luck.rolls:
        return UNKNOWN
    if luck.low is None or luck.high is None:
        return "too few rolls"
    return f"{LUCK_SUM.text(luck.low)} to {LUCK_SUM.text(luck.high)}"


def _in_mwc(total: PlayerTotals, name: str) -> float | None:
    found = (total.ratings or {}).get(name)
    return found.value_mwc if found else None


def _rating(total: PlayerTotals, name: str, digits: int, *, label: bool = True) -> str:
    found = (total.ratings or {}).get(name)
    if found is None or found.value is None:
        return UNKNOWN
    return PR.text(found.value, digits) + (f"  {found.label}" if label and found.label else "")


def _counted(total: PlayerTotals, ratings: Sequence[Rating]) -> str:
    found = total.ratings or {}
    return ", ".join(str(found[rating.name].counted) for rating in ratings if rating.name in found) or UNKNOWN


def _not_judged(total: PlayerTotals) -> str:
    """How many decisions a rating leaves out. If they are many, the rest may be the easy ones."""
    errors = total.errors
    if errors is None or not errors.not_analysed:
        return UNKNOWN
    judged = errors.checker_decisions + errors.cube_decisions + errors.resignations
    return f"{errors.not_analysed} of {judged + errors.not_analysed}"


def _errors(total: PlayerTotals, what: Literal["checker", "cube", "resignation"]) -> str:
    errors = total.errors
    if errors is None:
        return UNKNOWN
    decisions, lost = {
        "checker": (errors.checker_decisions, errors.checker),
        "cube": (errors.cube_decisions, errors.cube),
        "resignation": (errors.resignations, errors.resignation),
    }[what]
    return LOST.text(lost if decisions else None)


def _kinds(totals: Sequence[PlayerTotals]) -> list[str]:
    """The kinds of cube errors and resignations that there are."""
    found = {kind for total in totals if total.errors for kind in total.errors.kinds}
    return sorted(found - {"checker play"})


def _short(kind: str) -> str:
    """A kind of error in the words of a narrow table: CP is the cash point, DP the doubling point."""
    for words, letters in (("the cash point", "CP"), ("the doubling point", "DP"), ("too good to double", "too good")):
        kind = kind.replace(words, letters)
    return kind


def _kind(total: PlayerTotals, kind: str) -> str:
    errors = total.errors and total.errors.kinds.get(kind)
    return f"{errors.count} ({LOST.text(errors.emg)})" if errors else UNKNOWN


def _class_counts(total: PlayerTotals, *, is_nested: bool) -> str:
    if not total.errors or not (total.errors.checker_decisions or total.errors.cube_decisions):
        return UNKNOWN
    counts = [*total.errors.classes.values()]
    return ", ".join(map(str, [sum(counts), *counts[1:]] if is_nested else counts))


def _luck_of_a_roll(total: PlayerTotals) -> str:
    if not total.luck or total.luck.per_roll is None:
        return UNKNOWN
    return f"{LUCK.text(total.luck.per_roll)}  {total.luck.label}"


def _jokers(total: PlayerTotals) -> str:
    if not total.luck or not total.luck.rolls:
        return UNKNOWN
    return f"{total.luck.jokers}, {total.luck.anti_jokers}"


def _adjusted(total: PlayerTotals) -> str:
    result = total.luck_adjusted_result
    if result is None:
        return UNKNOWN
    low, high = result.low, result.high
    if result.unit == "mwc":
        assert low is not None
        assert high is not None
        if not is_worth_a_figure(low, high):
            return "cannot be told"
        return f"{CHANCE.text(result.adjusted)}  ({CHANCE_APART.text(low)} to {CHANCE_APART.text(high)})"
    between = "" if low is None or high is None else f"  ({POINTS.text(low)} to {POINTS.text(high)})"
    return f"{POINTS.text(result.adjusted)}{between}"


def _accounts(total: PlayerTotals) -> str:
    result = total.luck_adjusted_result
    return UNKNOWN if result is None else f"the {result.accounts}"


def _account(total: PlayerTotals, which: Literal["by_rolls", "by_errors"]) -> str:
    result = total.luck_adjusted_result
    value: float | None = None if result is None else getattr(result, which)
    if result is None or value is None:
        return UNKNOWN
    return CHANCE.text(value) if result.unit == "mwc" else POINTS.text(value)


def _fibs_by_luck(total: PlayerTotals) -> str:
    """By how many points of FIBS a player is better by their luck-adjusted result, with its interval."""
    fibs, result = total.fibs, total.luck_adjusted_result
    if fibs is None or result is None or result.low is None or result.high is None or fibs.luck_difference is None:
        return UNKNOWN
    if not is_worth_a_figure(result.low, result.high):
        return "cannot be told"
    low, high = map(RATING_APART.text, (fibs.luck_difference_low, fibs.luck_difference_high))
    bound = f"{low} to {high}"
    if UNKNOWN in (low, high):
        bound = f"{low} or more" if high == UNKNOWN != low else f"{high} or less" if low == UNKNOWN != high else "any"
    return f"{RATING_APART.text(fibs.luck_difference)}  ({bound})"


def _luck(total: PlayerTotals, unit: Literal["emg", "mwc", "points"]) -> float | None:
    """A player's luck; None, and not 0, where no roll of the player was valued."""
    if not total.luck:
        return None
    return {"emg": total.luck.emg, "mwc": total.luck.mwc, "points": total.luck.points}[unit]
