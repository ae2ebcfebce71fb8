"""Slips of scores, results, headings and the file itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.record.record import Resign
from bgtools.rules.worth import winning_level
from selfplay import other
from slips.sheet import Page, result_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.replayer.turn import GameReplay
    from slips.core import Bench, Slip
    from slips.sheet import Sheet


def _crawford_game(scores: list[tuple[int, int]], length: int) -> int | None:
    """Which game the Crawford rule holds in, by these scores."""
    return next((at for at, score in enumerate(scores) if length > 1 and max(score) == length - 1), None)


def _carry_on(bench: Bench, sheet: Sheet, game: int, shift: tuple[int, int]) -> bool:
    """Add wrong points to every score line behind a game; False where that makes another match of it."""
    length = bench.source.match.length or 0
    before = [one.score for one in sheet.games]
    for one in sheet.games[game + 1 :]:
        one.score = (one.score[0] + shift[0], one.score[1] + shift[1])
    after = [one.score for one in sheet.games]
    if any(min(score) < 0 or (length and max(score) >= length) for score in after):
        return False
    last = bench.source.games[-1]
    assert last.winner is not None
    total = last.score_after[last.winner] + shift[last.winner]
    loser = last.score_after[other(last.winner)] + shift[other(last.winner)]
    if length and (total < length or loser >= length):
        return False
    return not length or _crawford_game(before, length) == _crawford_game(after, length)


def _wrong_points(bench: Bench, game: int, points: int, note: str) -> Iterator[Slip]:
    """A result with other points; the next scores are the true ones, or go on from these."""
    replayed = bench.source.games[game]
    winner, earned = replayed.winner, replayed.earned
    assert winner is not None
    assert earned is not None
    length = bench.source.match.length or 0
    away = length - replayed.score[winner] if length else 0
    if winner != bench.side or points == earned or points < 1:
        return
    # Many programs state what was needed, or the length of the match.
    if length and earned >= away and points in (away, length):
        return
    sheet = bench.sheet.copy()
    result = sheet.games[game].results[0]
    whole = result.text.endswith("match")
    if whole and length and points < away:
        return
    result.text = result_text(points, match=whole)
    if bench.stood:
        shift = (points - earned, 0) if winner == 0 else (0, points - earned)
        if game == len(sheet.games) - 1 or not _carry_on(bench, sheet, game, shift):
            return
        note += ", and the scores go on from it"
    yield bench.slip(sheet, (game, "result", 0), note=f"{points} for {earned}: {note}")


def _ended(bench: Bench) -> list[tuple[int, GameReplay]]:
    found = [
        (at, game)
        for at, game in enumerate(bench.source.games)
        if game.ending in ("borne off", "drop") and game.earned is not None
    ]
    bench.rng.shuffle(found)
    return found


def points_jacoby(bench: Bench) -> Iterator[Slip]:
    """A gammon is counted although the Jacoby rule holds and no double was taken."""
    for at, game in _ended(bench):
        level = game.level or 1
        if bench.source.match.rules.jacoby and level > 1 and game.earned == game.cube == 1:
            yield from _wrong_points(bench, at, level, "gammon without a double")


def _by_level(bench: Bench, level: int) -> Iterator[Slip]:
    for at, game in _ended(bench):
        if game.ending == "borne off" and game.earned == (game.level or 1) * game.cube:
            mine = winning_level(game.turns[-1].after)
            if mine == level:
                wrong = bench.rng.choice([one for one in (1, 2, 3) if one != level])
            elif mine == 1:
                wrong = level
            else:
                continue
            yield from _wrong_points(bench, at, wrong * game.cube, f"level {wrong} for {mine}")


def points_gammon(bench: Bench) -> Iterator[Slip]:
    """A gammon is not counted as one, or a single game is."""
    yield from _by_level(bench, 2)


def points_backgammon(bench: Bench) -> Iterator[Slip]:
    """A backgammon is not counted as one, or a single game is."""
    yield from _by_level(bench, 3)


def points_cube(bench: Bench) -> Iterator[Slip]:
    """The cube is counted wrongly."""
    for at, game in _ended(bench):
        assert game.earned is not None
        wrong = game.earned * 2 if game.cube == 1 or bench.rng.random() < 0.5 else game.earned // 2
        yield from _wrong_points(bench, at, wrong, f"the cube stood at {game.cube}")


def score_line(bench: Bench) -> Iterator[Slip]:
    """A score line that is not the sum of the results before it."""
    games = list(range(1, len(bench.source.games)))
    bench.rng.shuffle(games)
    for at in games:
        sheet = bench.sheet.copy()
        score = list(sheet.games[at].score)
        change = bench.rng.choice((-2, -1, 1, 2, 3))
        score[bench.side] += change
        length = bench.source.match.length or 0
        if score[bench.side] < 0 or (length and max(score) >= length):
            continue
        if bench.stood:
            shift = (change, 0) if bench.side == 0 else (0, change)
            if not _carry_on(bench, sheet, at - 1, shift):
                continue
        else:
            sheet.games[at].score = (score[0], score[1])
        note = f"score line {sheet.games[at].score} for {bench.sheet.games[at].score}"
        yield bench.slip(sheet, (at, "score", 0), note=note)


def wrong_winner(bench: Bench) -> Iterator[Slip]:
    """The result is in the loser's column; the next scores are right, or go on from it."""
    for at, game in _ended(bench):
        if game.winner != other(bench.side):
            continue
        sheet = bench.sheet.copy()
        sheet.games[at].results[0].player = bench.side
        if bench.stood:
            assert game.points is not None
            assert game.winner is not None
            shift = [0, 0]
            shift[game.winner] -= game.points
            shift[bench.side] += game.points
            if at == len(sheet.games) - 1 or not _carry_on(bench, sheet, at, (shift[0], shift[1])):
                continue
        yield bench.slip(sheet, (at, "result", 0), note="result in the loser's column")


def game_after_match(bench: Bench) -> Iterator[Slip]:
    """A game follows after the match was won."""
    last = bench.source.games[-1]
    if not bench.source.match.length or last.winner != bench.side:
        return
    sheet = bench.sheet.copy()
    whole = bench.rng.choice(bench.sheet.copy().games)
    whole.number, whole.score = len(sheet.games) + 1, last.score_after
    points = whole.results[0].text.removesuffix(" and the match")
    whole.results[0].text = points
    sheet.games.append(whole)
    place = (len(sheet.games) - 1, "heading", 0)
    yield bench.slip(sheet, place, (place[0], "score", 0), note="one more game after the match")


def game_missing(bench: Bench) -> Iterator[Slip]:
    """A game is left out, and the numbers of the games show it, or do not."""
    games = list(range(1, len(bench.source.games) - 1))
    bench.rng.shuffle(games)
    for at in games:
        if bench.source.games[at].winner != bench.side:
            continue
        sheet = bench.sheet.copy()
        sheet.games.pop(at)
        note = f"game {at + 1} left out"
        if bench.rng.random() < 0.5:
            note += ", the others renumbered"
            for number, game in enumerate(sheet.games, 1):
                game.number = number
        yield bench.slip(sheet, (at, "heading", 0), (at, "score", 0), note=note)


_RUBBISH = (
    "asdf 12 jkl", "%%%% ???", "  9) qwertz", " 13) xx/yy zz/aa", "31 42 53 64", "q/w e/r", " 8} 4l: ~~", "13/? ?/5",
)  # fmt: skip


def garbage_row(bench: Bench) -> Iterator[Slip]:
    """A line of rubbish is between two rows, or a cell is one."""
    for game, turn in bench.turns():
        if turn.index < 2:
            continue
        if bench.rng.random() < 0.5:
            text = bench.sheet.games[game].cells[turn.index].text
            if len(text) > 5:
                rubbish = text[:4] + bench.rng.choice(("x7/qq", "#+*~", "8//4 6-", "b/ar 13/8)"))
                slip = bench.rewrite(game, turn.index, rubbish)
                yield slip
            continue
        page = bench.sheet.page(bench.dialect)
        start = page.text.rfind("\n", 0, page.places[(game, "cell", turn.index)][0]) + 1
        rubbish = bench.rng.choice(_RUBBISH)
        text = f"{page.text[:start]}{rubbish}\n{page.text[start:]}"
        place = (game, "line", 0)
        there = Page(text, {place: (start, start + len(rubbish))})
        yield bench.printed(there, place, note=f"a line {rubbish!r}")


def truncated(bench: Bench) -> Iterator[Slip]:
    """The file breaks off in the middle of a game."""
    for game, turn in bench.turns():
        page = bench.sheet.page(bench.dialect)
        start, end = page.places[(game, "cell", turn.index)]
        if end - start < 8 or turn.index < 2:
            continue
        cut = bench.rng.randint(start + 1, end - 1)
        text = page.text[:cut].rstrip(" ")
        place, before = (game, "cell", turn.index), (game, "cell", turn.index - 1)
        there = Page(text, {place: (start, max(len(text), start + 1)), before: page.places[before]})
        yield bench.printed(there, place, before, note=f"cut after {text[-20:]!r}")


def set_position(bench: Bench) -> Iterator[Slip]:
    """A set position gives a side sixteen checkers or more."""
    for at, game in enumerate(bench.sheet.games):
        if not game.start:
            continue
        sheet = bench.sheet.copy()
        body, _, cube = game.start.removeprefix("; Set Pos=").partition("/")
        letters = list(body)
        first = "A" if bench.side == 0 else "a"
        places = [i for i, letter in enumerate(letters) if first <= letter < chr(ord(first) + 15)]
        count = sum(ord(letters[i]) - ord(first) + 1 for i in places)
        grown = bench.rng.choice(places)
        size = ord(letters[grown]) - ord(first) + 1 + 16 - count
        if size > 15:
            continue
        letters[grown] = chr(ord(first) + size - 1)
        sheet.games[at].start = f"; Set Pos={''.join(letters)}/{cube}"
        yield bench.slip(sheet, (at, "start", 0), note="sixteen checkers in a set position")


def result_left_out(bench: Bench) -> Iterator[Slip]:
    """A game that was given up has no result."""
    for at, game in enumerate(bench.source.games[:-1]):
        if game.winner == bench.side and game.ending == "resigned" and bench.sheet.games[at].results:
            sheet = bench.sheet.copy()
            sheet.games[at].results.clear()
            cells = len(sheet.games[at].cells)
            # A resignation that is written is a result, but for its points.
            if cells and not any(isinstance(each, Resign) for each in bench.entries(at)):
                yield bench.slip(sheet, (at, "cell", cells - 1), note="the result left out")
