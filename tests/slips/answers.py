"""Slips of answers to a double, of the values that doubles name, and of results that nothing but the cube proves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, Resign, Take
from selfplay import other
from slips.sheet import Cell, result_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.replayer.turn import Turn
    from slips.core import Bench, Slip


def _answers(bench: Bench, *kinds: type) -> Iterator[tuple[int, Turn]]:
    """The answers of this side, in random order, each behind the double that it answers."""
    found = [
        (at, turn)
        for at, game in enumerate(bench.source.games)
        for turn in game.turns
        if isinstance(turn.entry, kinds)
        and turn.player == bench.side
        and turn.index
        and isinstance(bench.entries(at)[turn.index - 1], Double)
    ]
    bench.rng.shuffle(found)
    yield from found


def _goes_on(bench: Bench, game: int, turn: Turn) -> bool:
    """Whether somebody rolls after an entry."""
    return any(isinstance(each, CheckerPlay) for each in bench.entries(game)[turn.index + 1 :])


def drop_for_take(bench: Bench) -> Iterator[Slip]:
    """A double is dropped, and the game goes on."""
    for game, turn in _answers(bench, Take):
        if _goes_on(bench, game, turn):
            yield bench.rewrite(game, turn.index, " Drops")


def take_for_drop(bench: Bench) -> Iterator[Slip]:
    """A double is taken, and the game ends with the points of a drop."""
    for game, turn in _answers(bench, Drop):
        sheet = bench.sheet.copy()
        sheet.games[game].cells[turn.index].text = " Takes"
        yield bench.slip(sheet, (game, "result", 0), (game, "cell", turn.index), note="Drops became Takes")


def both_answers(bench: Bench) -> Iterator[Slip]:
    """A double is taken and dropped."""
    for game, turn in _answers(bench, Take, Drop):
        sheet = bench.sheet.copy()
        cells = sheet.games[game].cells
        surplus = " Drops" if isinstance(turn.entry, Take) else " Takes"
        if surplus == " Drops" and not _goes_on(bench, game, turn):
            continue
        at = turn.index + bench.rng.randint(0, 1)
        cells.insert(at, Cell(bench.side, surplus))
        places = ((game, "cell", turn.index), (game, "cell", turn.index + 1))
        yield bench.slip(sheet, *places, note=f"{surplus} beside the answer, as entry {at}")


def answer_twice(bench: Bench) -> Iterator[Slip]:
    """A take or drop is written twice."""
    for game, turn in _answers(bench, Take, Drop):
        sheet = bench.sheet.copy()
        cells = sheet.games[game].cells
        cells.insert(turn.index, Cell(bench.side, cells[turn.index].text))
        places = ((game, "cell", turn.index), (game, "cell", turn.index + 1))
        yield bench.slip(sheet, *places, note="answer twice")


def answer_in_wrong_column(bench: Bench) -> Iterator[Slip]:
    """The answer is in the column of the one who doubled."""
    for game, turn in _answers(bench, Take, Drop):
        sheet = bench.sheet.copy()
        sheet.games[game].cells[turn.index].player = other(bench.side)
        yield bench.slip(sheet, (game, "cell", turn.index), note=f"{type(turn.entry).__name__} in the wrong column")


def answer_after_roll(bench: Bench) -> Iterator[Slip]:
    """The take stands behind the roll of the one who doubled."""
    for game, turn in _answers(bench, Take):
        if not _goes_on(bench, game, turn):
            continue
        sheet = bench.sheet.copy()
        cells, at = sheet.games[game].cells, turn.index
        cells[at], cells[at + 1] = cells[at + 1], cells[at]
        places = ((game, "cell", at + 1), (game, "cell", at), (game, "cell", at - 1))
        yield bench.slip(sheet, *places, note="take after the roll")


def drop_left_out(bench: Bench) -> Iterator[Slip]:
    """Nothing answers the last double of a game."""
    for game, turn in _answers(bench, Drop):
        sheet = bench.sheet.copy()
        sheet.games[game].cells.pop(turn.index)
        yield bench.slip(sheet, (game, "cell", turn.index - 1), (game, "result", 0), note="the drop left out")


def double_left_out(bench: Bench) -> Iterator[Slip]:
    """A take stands alone, and the cube that it turned counts."""
    for game, turn in _answers(bench, Take, Drop):
        sheet = bench.sheet.copy()
        sheet.games[game].cells.pop(turn.index - 1)
        places = ((game, "cell", turn.index - 1),)
        yield bench.slip(sheet, *places, note=f"the double before the {type(turn.entry).__name__} left out")


def double_in_wrong_column(bench: Bench) -> Iterator[Slip]:
    """The double is in the column of the one who answers it, alone or with the answer in the other one."""
    for game, turn in _answers(bench, Take, Drop):
        sheet = bench.sheet.copy()
        cells, at = sheet.games[game].cells, turn.index
        cells[at - 1].player = bench.side
        note = "double in the wrong column"
        if bench.rng.random() < 0.5:
            cells[at].player = other(bench.side)
            note = "double and answer in each other's column"
        yield bench.slip(sheet, (game, "cell", at - 1), (game, "cell", at), note=note)


def double_twice(bench: Bench) -> Iterator[Slip]:
    """A double and its answer are written twice."""
    for game, turn in _answers(bench, Take):
        sheet = bench.sheet.copy()
        cells, at = sheet.games[game].cells, turn.index
        cells[at + 1 : at + 1] = [Cell(each.player, each.text) for each in cells[at - 1 : at + 1]]
        places = tuple((game, "cell", at + each) for each in (-1, 0, 1, 2))
        yield bench.slip(sheet, *places, note="double and take twice")


def value_of_any_double(bench: Bench) -> Iterator[Slip]:
    """The value of a double is wrong, whatever answers it."""
    for at, game in enumerate(bench.source.games):
        for turn in game.turns:
            if isinstance(turn.entry, Double) and turn.player == bench.side and bench.rng.random() < 0.5:
                right = 2 * turn.state.cube.value
                value = bench.rng.choice([one for one in (1, 2, 4, 8, 16, 20, 22, 32, 64) if one != right])
                answered = turn.index + 1 < len(game.turns) and isinstance(bench.entries(at)[turn.index + 1], Take)
                told = answered and _counts(bench, at, turn)
                yield bench.rewrite(at, turn.index, f" Doubles => {value}", reading="misread" if told else "")


def value_of_beaver(bench: Bench) -> Iterator[Slip]:
    """A beaver names a value that is not four times the cube before the double."""
    for at, game in enumerate(bench.source.games):
        for turn in game.turns:
            if isinstance(turn.entry, Beaver) and turn.player == bench.side:
                right = turn.entry.value
                value = bench.rng.choice([one for one in (2, 4, 8, 16, 32, 64) if one != right])
                yield bench.rewrite(at, turn.index, f" Beavers => {value}", reading="misread")


def beaver_for_take(bench: Bench) -> Iterator[Slip]:
    """A beaver is written where the double was taken, or the other way round, and the rest counts what happened."""
    rules = bench.source.match.rules
    for game, turn in _answers(bench, Take, Beaver):
        if bench.source.match.length or not rules.beavers or not _counts(bench, game, turn):
            continue
        if isinstance(turn.entry, Take):
            yield bench.rewrite(game, turn.index, f" Beavers => {4 * turn.state.cube.value}")
        else:
            yield bench.rewrite(game, turn.index, " Takes")


def _counts(bench: Bench, game: int, turn: Turn) -> bool:
    """Whether what follows proves the cube: the next double, or a game that is played to its end."""
    rest = bench.entries(game)[turn.index + 1 :]
    return any(isinstance(each, Double) for each in rest) or bench.source.games[game].ending == "borne off"


# --- results --------------------------------------------------------------------------------


def _resigned(bench: Bench) -> Iterator[int]:
    """The games that this side won because the other one gave up."""
    found = [
        at for at, game in enumerate(bench.source.games) if game.ending == "resigned" and game.winner == bench.side
    ]
    bench.rng.shuffle(found)
    yield from found


def odd_points(bench: Bench) -> Iterator[Slip]:
    """A result that the cube cannot give."""
    length = bench.source.match.length or 0
    for at in _resigned(bench):
        game = bench.source.games[at]
        away = length - game.score[bench.side] if length else 0
        cube = game.cube
        wrong = [one for one in (1, 3, 4, 5, 7, 9) if one not in (cube, 2 * cube, 3 * cube, away, length)]
        points = bench.rng.choice(wrong)
        sheet = bench.sheet.copy()
        result = sheet.games[at].results[0]
        result.text = result_text(points, match=result.text.endswith("match"))
        yield bench.slip(sheet, (at, "result", 0), note=f"{points} points with the cube at {cube}")


def resigned_points(bench: Bench) -> Iterator[Slip]:
    """The points of a game that was given up are wrong, and the next score line has the right ones."""
    length = bench.source.match.length or 0
    for at in _resigned(bench):
        game = bench.source.games[at]
        if at == len(bench.source.games) - 1 or any(isinstance(each, Resign) for each in bench.entries(at)):
            continue
        away = length - game.score[bench.side] if length else 99
        cube = game.cube
        wrong = [one for one in (cube, 2 * cube, 3 * cube) if one != game.points and one < away]
        if not wrong:
            continue
        sheet = bench.sheet.copy()
        sheet.games[at].results[0].text = result_text(bench.rng.choice(wrong))
        yield bench.slip(sheet, (at, "result", 0), note=f"{sheet.games[at].results[0].text} for {game.points}")


def resigned_by_the_winner(bench: Bench) -> Iterator[Slip]:
    """The result of a game that was given up is in the loser's column, and the next score line counts it right."""
    for at in _resigned(bench):
        if at == len(bench.source.games) - 1 or any(isinstance(each, Resign) for each in bench.entries(at)):
            continue
        sheet = bench.sheet.copy()
        sheet.games[at].results[0].player = other(bench.side)
        yield bench.slip(sheet, (at, "result", 0), note="the result of a resigned game in the loser's column")


def resigned_gammon(bench: Bench) -> Iterator[Slip]:
    """A gammon is given up with the cube in the middle, although the Jacoby rule holds; the score counts one game."""
    if bench.source.match.length or not bench.source.match.rules.jacoby:
        return
    for at in _resigned(bench):
        game = bench.source.games[at]
        if game.cube != 1 or game.points != 1 or any(isinstance(each, Resign) for each in bench.entries(at)):
            continue
        sheet = bench.sheet.copy()
        sheet.games[at].results[0].text = "Wins 2 points"
        if bench.stood:
            gained = (1, 0) if bench.side == 0 else (0, 1)
            for one in sheet.games[at + 1 :]:
                one.score = (one.score[0] + gained[0], one.score[1] + gained[1])
        yield bench.slip(sheet, (at, "result", 0), note="a gammon given up with the cube in the middle")


def score_against_the_players(bench: Bench) -> Iterator[Slip]:
    """From one game on each player has the other one's points."""
    length = bench.source.match.length or 0
    games = list(range(1, len(bench.source.games)))
    bench.rng.shuffle(games)
    for at in games:
        score = bench.sheet.games[at].score
        if score[0] == score[1] or score[bench.side] < score[other(bench.side)]:
            continue
        sheet = bench.sheet.copy()
        stays = not bench.stood
        for one in sheet.games[at : at + 1 if stays else None]:
            one.score = one.score[::-1]
        if length and not stays and max(bench.source.games[-1].score_after) >= length:
            # The match ends for the other player then, unless its last result says nothing of it.
            sheet.games[-1].results[0].text = sheet.games[-1].results[0].text.removesuffix(" and the match")
        yield bench.slip(sheet, (at, "score", 0), note="the points of the two players in each other's place")
