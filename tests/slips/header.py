"""Slips of the header, of the names, and of whole games."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools.record.record import Double
from bgtools.rules.options import VARIANTS
from selfplay import other
from slips.sheet import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slips.core import Bench, Slip
    from slips.sheet import Sheet

_HEAD = (-1, "head", 0)


def _headed(bench: Bench, sheet: Sheet, line: int, note: str, *others: tuple[int, str, int]) -> Iterator[Slip]:
    """The slip of a sheet whose line of the header is wrong, or missing before that line."""
    page = sheet.page(bench.dialect)
    ends = [0]
    for text in sheet.head:
        ends.append(ends[-1] + len(text) + len(bench.dialect.line_end))
    places = dict(page.places)
    places[_HEAD] = (ends[line], ends[line + 1])
    if others:
        # What is missing is missed at any line of the header, and in the first game.
        places[_HEAD] = (0, page.places[(0, "score", 0)][1])
    yield bench.printed(Page(page.text, places), _HEAD, note=note)


def _variation(bench: Bench) -> int | None:
    return next((at for at, line in enumerate(bench.sheet.head) if "[Variation" in line), None)


def variation_missing(bench: Bench) -> Iterator[Slip]:
    """A match of another variation does not say so."""
    at = _variation(bench)
    if at is not None and not any(game.start for game in bench.sheet.games):
        sheet = bench.sheet.copy()
        gone = sheet.head.pop(at)
        yield from _headed(bench, sheet, at, f"{gone!r} left out", _HEAD)


def variation_false(bench: Bench) -> Iterator[Slip]:
    """A match says that it is of another variation than it is."""
    at = _variation(bench)
    variant = bench.source.match.rules.variant
    sheet = bench.sheet.copy()
    wrong = bench.rng.choice([name for name in VARIANTS if name != variant]).capitalize()
    wrong = re.sub(r"(\d)$", r" (\1)", wrong)
    if any(game.start for game in sheet.games):
        return
    if at is None:
        at = next((number for number, line in enumerate(sheet.head) if not line.startswith(";")), 0)
        sheet.head.insert(at, f'; [Variation "{wrong}"]')
    else:
        sheet.head[at] = f'; [Variation "{wrong}"]'
    yield from _headed(bench, sheet, at, f"{wrong} for {variant}")


def length_wrong(bench: Bench) -> Iterator[Slip]:
    """The length of the match is another one."""
    length = bench.source.match.length
    if not length or len(bench.source.games) < 2:
        return
    sheet = bench.sheet.copy()
    at = len(sheet.head) - 1
    most = max(max(game.score) for game in bench.source.games)
    shorter = [one for one in (length - 2, length - 1) if 1 <= one <= most]
    # The points that end a match may be enough for a longer one.
    longer = [max(bench.source.games[-1].score_after) + each for each in (1, 2, 4, length)]
    wrong = bench.rng.choice(shorter if shorter and bench.side else longer)
    sheet.head[at] = sheet.head[at].replace(str(length), str(wrong))
    yield from _headed(bench, sheet, at, f"{wrong} points for {length}")


def length_of_money(bench: Bench) -> Iterator[Slip]:
    """A match says that it is a money session."""
    length = bench.source.match.length
    if not length or len(bench.source.games) < 2:
        return
    sheet = bench.sheet.copy()
    at = len(sheet.head) - 1
    sheet.head[at] = sheet.head[at].replace(str(length), "0")
    yield from _headed(bench, sheet, at, f"money for {length} points")


def crawford_flag(bench: Bench) -> Iterator[Slip]:
    """A match without the Crawford rule does not say so, or says the opposite, and there is doubling in that game."""
    rules, length = bench.source.match.rules, bench.source.match.length
    if rules.crawford or not length:
        return
    at = next((at for at, line in enumerate(bench.sheet.head) if "[Crawford" in line), None)
    first = next((at for at, game in enumerate(bench.source.games) if max(game.score) == length - 1), None)
    if at is None or first is None:
        return
    doubles = [each for each, entry in enumerate(bench.entries(first)) if isinstance(entry, Double)]
    if not doubles:
        return
    sheet = bench.sheet.copy()
    sheet.head[at] = '; [Crawford "On"]'
    slips = list(_headed(bench, sheet, at, "Crawford on, though there is doubling in its game"))
    page = sheet.page(bench.dialect)
    spans = tuple(page.places[(first, "cell", each)] for each in doubles)
    yield from (replace(slip, spans=(*slip.spans, *spans)) for slip in slips)


# --- names ----------------------------------------------------------------------------------


def _renamed(bench: Bench, game: int, *, points: bool, onwards: bool = False) -> tuple[str, tuple[int, int]]:
    """The text with the names of a game's score line exchanged, and where it stands; with their points, or without."""
    page = bench.sheet.page(bench.dialect)
    text = page.text
    first = page.places[(game, "score", 0)]
    one, two = bench.sheet.players
    for at in range(len(bench.sheet.games) - 1, game - 1, -1):
        if at != game and not onwards:
            continue
        start, end = page.places[(at, "score", 0)]
        line = text[start:end]
        left, right = bench.sheet.games[at].score
        if points:
            left, right = right, left
        new = f"{f'{two} : {left}':<{line.index(two)}}{one} : {right}"
        text = text[:start] + new + text[end:]
    return text, (first[0], first[0] + 10)


def names_swapped(bench: Bench) -> Iterator[Slip]:
    """The names of one score line stand in each other's place, the points where they belong."""
    yield from _swapped(bench, points=False)


def names_and_points_swapped(bench: Bench) -> Iterator[Slip]:
    """The names of one score line and their points stand in each other's place."""
    yield from _swapped(bench, points=True)


def names_swapped_on(bench: Bench) -> Iterator[Slip]:
    """From one game on the names stand in each other's place, the points where they belong."""
    yield from _swapped(bench, points=False, onwards=True)


def _swapped(bench: Bench, *, points: bool, onwards: bool = False) -> Iterator[Slip]:
    games = [
        at
        for at in range(1, len(bench.sheet.games))
        if bench.sheet.games[at].score[0] != bench.sheet.games[at].score[1]
    ]
    games = [at for at in games if bench.source.games[at].ending in ("borne off", "drop")]
    if onwards:
        # On half of the lines or fewer: else those before are the swapped ones.
        games = [at for at in games if 2 * at >= len(bench.sheet.games)]
    elif len(bench.sheet.games) < 3:
        return
    if not bench.source.match.length:
        games = [at for at in games if at + 1 < len(bench.sheet.games)]  # nothing tells who won the last one
    bench.rng.shuffle(games)
    for at in games:
        text, span = _renamed(bench, at, points=points, onwards=onwards)
        place = (at, "score", 0)
        yield bench.printed(Page(text, {place: span}), place, note="names swapped")


def name_misspelt(bench: Bench) -> Iterator[Slip]:
    """A letter of a name is wrong in one score line."""
    games = list(range(len(bench.sheet.games)))
    bench.rng.shuffle(games)
    if len(games) < 3:
        return
    for at in games:
        page = bench.sheet.page(bench.dialect)
        start, end = page.places[(at, "score", 0)]
        name = bench.sheet.players[bench.side]
        where = bench.rng.randrange(1, len(name))
        wrong = name[:where] + bench.rng.choice("xqzj") + name[where + 1 :]
        line = page.text[start:end].replace(name, wrong)
        place = (at, "score", 0)
        text = page.text[:start] + line + page.text[end:]
        yield bench.printed(Page(text, {place: (start, end)}), place, note=f"{wrong} for {name}")


# --- games ----------------------------------------------------------------------------------


def game_twice(bench: Bench) -> Iterator[Slip]:
    """A game is written twice."""
    games = list(range(len(bench.sheet.games)))
    bench.rng.shuffle(games)
    for at in games:
        if bench.source.games[at].winner != bench.side:
            continue
        sheet = bench.sheet.copy()
        sheet.games.insert(at + 1, bench.sheet.copy().games[at])
        note = f"game {at + 1} twice"
        if bench.rng.random() < 0.5:
            note += ", the others renumbered"
            for number, game in enumerate(sheet.games, 1):
                game.number = number
        places = [(at + 1, "heading", 0), (at + 1, "score", 0)]
        yield bench.slip(sheet, *places, note=note)


def game_missing_between(bench: Bench) -> Iterator[Slip]:
    """A game is left out, the others are renumbered; those before and after it were won by the same player."""
    games = list(range(1, len(bench.source.games) - 1))
    bench.rng.shuffle(games)
    for at in games:
        one, two = bench.source.games[at - 1 : at + 1]
        if one.winner != bench.side or two.winner != bench.side:
            continue
        sheet = bench.sheet.copy()
        sheet.games.pop(at)
        for number, game in enumerate(sheet.games, 1):
            game.number = number
        yield bench.slip(sheet, (at, "heading", 0), (at, "score", 0), note=f"game {at + 1} left out")


def games_exchanged(bench: Bench) -> Iterator[Slip]:
    """Two games stand in each other's place, numbered as they were or in order."""
    games = list(range(len(bench.sheet.games) - 1))
    bench.rng.shuffle(games)
    for at in games:
        sheet = bench.sheet.copy()
        one, two = sheet.games[at : at + 2]
        if one.score == two.score:
            continue
        sheet.games[at : at + 2] = [two, one]
        note = "two games exchanged"
        if at + 2 < len(sheet.games) and bench.rng.random() < 0.5:
            one.number, two.number = two.number, one.number
            note += ", their numbers not"
        places = [(at + each, what, 0) for each in (0, 1, 2) for what in ("heading", "score")]
        yield bench.slip(sheet, *[place for place in places if place[0] < len(sheet.games)], note=note)


def game_mirrored(bench: Bench) -> Iterator[Slip]:
    """All cells of a game stand in the other column, its result as well or not."""
    games = [at for at, game in enumerate(bench.source.games) if game.ending in ("borne off", "drop")]
    bench.rng.shuffle(games)
    for at in games:
        if bench.sheet.games[at].start or bench.source.games[at].winner != bench.side:
            continue
        sheet = bench.sheet.copy()
        for cell in sheet.games[at].cells:
            cell.player = other(cell.player)
        note = "all cells in the other column"
        if bench.stood:
            sheet.games[at].results[0].player = other(bench.side)
            if at + 1 == len(sheet.games):
                continue
            note += ", the result too"
        places = [(at, "heading", 0), (at, "score", 0), (at, "result", 0)]
        places += [(at, "cell", number) for number in range(len(sheet.games[at].cells))]
        yield bench.slip(sheet, *places, note=note)
