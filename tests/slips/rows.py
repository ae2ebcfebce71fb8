"""Slips in the order of a game: turns and rows that are gone, exchanged, moved or in the other column."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from bgtools.formats.reading import read_source
from bgtools.record.record import CheckerPlay
from selfplay import other
from slips.sheet import Cell, Page, Sheet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slips.core import Bench, Slip
    from slips.sheet import Place

_NUMBER = re.compile(r" *\d+\)")


def _games(bench: Bench, *, least: int = 8) -> list[int]:
    """Games that begin with two rolls, long enough to tell what is wrong, in random order."""
    found = [
        number
        for number, game in enumerate(bench.source.match.games)
        if game.start is None
        and len(game.entries) > least
        and all(isinstance(entry, CheckerPlay) for entry in game.entries[:2])
    ]
    bench.rng.shuffle(found)
    return found


def _tells(bench: Bench, game: int, sheet: Sheet) -> bool:
    """Whether the rolls of a game, as its sheet shows them now, cannot be replayed."""
    only = Sheet(sheet.head, sheet.players, [sheet.games[game]])
    entries = read_source(only.page(bench.dialect).text.encode(), "m.mat")[0].games[0].entries
    rolls = [entry for entry in entries if isinstance(entry, CheckerPlay)]
    alternate = all(one.player != two.player for one, two in pairwise(rolls))
    board = bench.source.games[game].rules.start
    return not alternate or not bench.replays(board, entries)


# --- what is gone ---------------------------------------------------------------------------


def first_turn_gone(bench: Bench) -> Iterator[Slip]:
    """The first roll of a game is missing, its cell empty."""
    for game in _games(bench):
        if bench.entries(game)[0].player != bench.side:
            continue
        sheet = bench.sheet.copy()
        gone = sheet.games[game].cells.pop(0)
        if _tells(bench, game, sheet):
            yield bench.slip(sheet, (game, "cell", 0), note=f"{gone.text} left out")


def first_turn_gone_and_moved_up(bench: Bench) -> Iterator[Slip]:
    """The first roll of a game is missing, and all that follows stands one cell before its place."""
    for game in _games(bench):
        if bench.entries(game)[0].player != bench.side:
            continue
        sheet = bench.sheet.copy()
        gone = sheet.games[game].cells.pop(0)
        for cell in sheet.games[game].cells:
            cell.player = other(cell.player)
        if _tells(bench, game, sheet):
            yield bench.slip(sheet, (game, "cell", 0), note=f"{gone.text} left out, the rest moved up")


def _rows(page: Page, game: int, cells: int) -> list[list[int]]:
    """The numbers of the cells of each row of a game."""
    rows: dict[int, list[int]] = {}
    for cell in range(cells):
        rows.setdefault(page.line((game, "cell", cell)), []).append(cell)
    return [rows[line] for line in sorted(rows)]


def _inner_rows(bench: Bench) -> Iterator[tuple[int, Page, list[list[int]], int]]:
    """Rows of two rolls with more such before and behind them: game, page, rows, number of the row."""
    page = bench.sheet.page(bench.dialect)
    for game in _games(bench, least=14):
        entries = bench.entries(game)
        rows = _rows(page, game, len(entries))
        full = [len(row) == 2 and all(isinstance(entries[at], CheckerPlay) for at in row) for row in rows]
        inner = [at for at in range(1, len(rows) - 3) if all(full[at - 1 : at + 2])]
        bench.rng.shuffle(inner)
        for at in inner[:6]:
            yield game, page, rows, at


def row_gone(bench: Bench, *, renumbered: bool = True) -> Iterator[Slip]:
    """A row of two turns is missing."""
    for game, page, rows, at in _inner_rows(bench):
        sheet = bench.sheet.copy()
        gone = [sheet.games[game].cells[cell].text for cell in rows[at]]
        del sheet.games[game].cells[rows[at][0] : rows[at][-1] + 1]
        if not _tells(bench, game, sheet):
            continue
        note = f"the row {gone} left out"
        if renumbered:
            yield bench.slip(sheet, *((game, "cell", cell) for cell in rows[at]), note=note)
        else:
            first = (game, "cell", rows[at][0])
            cut = _without_line(page, page.line(first))
            yield bench.printed(cut, *((game, "cell", cell) for cell in rows[at + 1]), note=note)


def row_gone_with_its_number(bench: Bench) -> Iterator[Slip]:
    """A row is missing, and the others keep their numbers."""
    yield from row_gone(bench, renumbered=False)


def _without_line(page: Page, line: int) -> Page:
    lines = page.text.splitlines(keepends=True)
    start = sum(map(len, lines[: line - 1]))
    length = len(lines[line - 1])
    places = {
        place: (begin - length, end - length) if begin > start else (begin, end)
        for place, (begin, end) in page.places.items()
    }
    return Page("".join(lines[: line - 1] + lines[line:]), places)


# --- what stands elsewhere ------------------------------------------------------------------


def first_cell_in_the_other_column(bench: Bench) -> Iterator[Slip]:
    """A game that begins in the right column begins in the left one."""
    for game in _games(bench):
        if bench.entries(game)[0].player == 1:
            sheet = bench.sheet.copy()
            cell = sheet.games[game].cells[0]
            cell.player = 0
            # The cells of the next row stay where they are, so that this row has one cell.
            yield bench.slip(sheet, (game, "cell", 0), note=f"{cell.text} in the left column")


def _exchanged(page: Page, first: int, second: int, *, with_numbers: bool) -> Page:
    """Two lines in each other's place, with or without the numbers that begin them."""
    lines = page.text.splitlines(keepends=True)
    one, two = lines[first - 1], lines[second - 1]
    if not with_numbers:
        label, other_label = _NUMBER.match(one), _NUMBER.match(two)
        assert label
        assert other_label
        one, two = other_label[0] + one[label.end() :], label[0] + two[other_label.end() :]
    lines[first - 1], lines[second - 1] = two, one
    text = "".join(lines)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    places: dict[Place, tuple[int, int]] = {}
    for place in page.places:
        stood, (begin, end) = page.line(place), page.places[place]
        to = second if stood == first else first if stood == second else stood
        old = page.text.rfind("\n", 0, begin) + 1
        places[place] = (starts[to - 1] + begin - old, starts[to - 1] + end - old)
    return Page(text, places)


def rows_exchanged(bench: Bench, *, apart: int = 1, with_numbers: bool = False) -> Iterator[Slip]:
    """Two rows stand in each other's place."""
    for game, page, rows, at in _inner_rows(bench):
        if at + apart >= len(rows) - 2 or any(len(row) != 2 for row in rows[at : at + apart + 1]):
            continue
        cells = [cell for row in (rows[at], rows[at + apart]) for cell in row]
        if any(not isinstance(bench.entries(game)[cell], CheckerPlay) for cell in range(cells[0], cells[-1] + 1)):
            continue
        lines = [page.line((game, "cell", row[0])) for row in (rows[at], rows[at + apart])]
        changed = _exchanged(page, lines[0], lines[1], with_numbers=with_numbers)
        sheet = bench.sheet.copy()
        order = [*sheet.games[game].cells]
        first, second = (slice(row[0], row[-1] + 1) for row in (rows[at], rows[at + apart]))
        order[first], order[second] = order[second], order[first]
        sheet.games[game].cells = order
        if not _tells(bench, game, sheet):
            continue
        places = [(game, "cell", cell) for row in rows[at : at + apart + 1] for cell in row]
        note = f"lines {lines[0]} and {lines[1]} exchanged"
        yield bench.printed(changed, *places, note=note)


def rows_exchanged_with_their_numbers(bench: Bench) -> Iterator[Slip]:
    """Two rows stand in each other's place, their numbers with them."""
    yield from rows_exchanged(bench, with_numbers=True)


def rows_exchanged_over_one(bench: Bench) -> Iterator[Slip]:
    """Two rows with one between them stand in each other's place."""
    yield from rows_exchanged(bench, apart=2)


def game_in_the_other_columns(bench: Bench, *, results: bool = True, first: bool = True) -> Iterator[Slip]:
    """The cells of every row of a game stand in each other's column, with or without its result."""
    for game in _games(bench, least=14):
        entries = bench.entries(game)
        page = bench.sheet.page(bench.dialect)
        rows = _rows(page, game, len(entries))
        if any(len(row) != 2 for row in rows[:-1]) or entries[0].player != 0:
            continue
        if not all(isinstance(entry, CheckerPlay) for entry in entries[: len(entries) - 1]):
            continue
        sheet = bench.sheet.copy()
        cells = sheet.games[game].cells
        begin = 0 if first else bench.rng.randrange(1, max(2, len(rows) // 2))
        turned: list[Cell] = [cell for row in rows[:begin] for cell in (cells[at] for at in row)]
        for row in rows[begin:]:
            turned += [Cell(other(cells[at].player), cells[at].text) for at in reversed(row)]
        sheet.games[game].cells = turned
        if results:
            for claim in sheet.games[game].results:
                claim.player = other(claim.player)
        if _tells(bench, game, sheet):
            note = f"columns exchanged from row {begin + 1}" + (", the result's too" if results else "")
            yield bench.slip(sheet, (game, "cell", 2 * begin), (game, "cell", 2 * begin + 1), note=note)


def rest_in_the_other_columns(bench: Bench) -> Iterator[Slip]:
    """From a row on all cells of a game stand in each other's column, its result too."""
    yield from game_in_the_other_columns(bench, first=False)


def rest_but_the_result_in_the_other_columns(bench: Bench) -> Iterator[Slip]:
    """From a row on all cells of a game stand in each other's column, but not its result."""
    yield from game_in_the_other_columns(bench, first=False, results=False)


def cells_of_a_column_exchanged(bench: Bench) -> Iterator[Slip]:
    """Two cells that follow each other in one column stand in each other's place."""
    for game, _, rows, at in _inner_rows(bench):
        side = bench.side
        first, second = rows[at][side], rows[at + 1][side]
        sheet = bench.sheet.copy()
        cells = sheet.games[game].cells
        cells[first].text, cells[second].text = cells[second].text, cells[first].text
        if cells[first].text != cells[second].text and _tells(bench, game, sheet):
            places = ((game, "cell", first), (game, "cell", second))
            yield bench.slip(sheet, *places, note=f"{cells[second].text} and {cells[first].text} exchanged")


def rolls_exchanged(bench: Bench) -> Iterator[Slip]:
    """The rolls of the two cells of a row stand in each other's place, the plays where they belong."""
    for game, _, rows, at in _inner_rows(bench):
        sheet = bench.sheet.copy()
        one, two = (sheet.games[game].cells[cell] for cell in rows[at])
        if sorted(one.text[:2]) == sorted(two.text[:2]) or not (one.text[3:].strip() and two.text[3:].strip()):
            continue
        one.text, two.text = two.text[:2] + one.text[2:], one.text[:2] + two.text[2:]
        if _tells(bench, game, sheet):
            places = [(game, "cell", cell) for cell in rows[at]]
            yield bench.slip(sheet, *places, note=f"rolls exchanged: {one.text} and {two.text}")
