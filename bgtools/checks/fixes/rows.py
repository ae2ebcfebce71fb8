"""Edits of rows: cells in another order, in other columns, or cells that nobody wrote."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools.board.hopping import are_dice
from bgtools.board.movement import resolve
from bgtools.board.perspective import other
from bgtools.board.violation import Violation
from bgtools.checks._layout import CellText, GameRows
from bgtools.checks.fixes.results import other_column
from bgtools.checks.fixes.spelling import RecordSpelling
from bgtools.checks.fixes.text import PROOF, match_text
from bgtools.findings.finding import Fix
from bgtools.record.record import CheckerPlay
from bgtools.replayer.turn import TurnFault
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import Play
    from bgtools.record.record import Entry, Match
    from bgtools.replayer.turn import GameReplay, Turn
    from bgtools.source import Source

    Supposed = tuple[Player, Play | None, Dice]
    """A turn that the record does not hold."""


def answered(match: Match, game: GameReplay, turn: Turn, text: str) -> Fix | None:
    """A word in the column of a player's opponent between a double and the entry after it.

    Args:
        match: the record.
        game: the game.
        turn: the double.
        text: the word.
    """
    missing = CellText(other(turn.player), text, 1)
    return arranged(match, game, [turn, missing, *game.turns[turn.index + 1 : turn.index + 2]])


def exchanged(match: Match, first: Entry, second: Entry) -> Fix | None:
    """The two cells of a row in each other's place."""
    source = match_text(match)
    if source is None or source.location(first.span.start).line != source.location(second.span.start).line:
        return None
    left, right = sorted((first.span, second.span))
    width = max(right.start - left.start, right.end - right.start + 1)
    text = source.text[slice(*right)].ljust(width) + source.text[slice(*left)]
    return Fix(Span(left.start, right.end), text)


def exchanged_rolls(match: Match, first: Entry, second: Entry) -> Fix | None:
    """The rolls of two cells in each other's place."""
    source, digits = match_text(match), 2
    if source is None or not first.span.start < first.span.end <= second.span.start:
        return None
    start, end = first.span.start, second.span.start + digits
    one, two = source.text[start : start + digits], source.text[second.span.start : end]
    if not (one + two).isdigit():
        return None
    return Fix(Span(start, end), two + source.text[start + digits : second.span.start] + one)


def in_order(match: Match, game: GameReplay, turn: Turn, last: int, missing: Sequence[Supposed] = ()) -> Fix | None:
    """The rows from a turn on as they are read: every entry in the column and the place that the replay gives it.

    Args:
        match: the record.
        game: the game, as it was replayed.
        turn: the first turn that is read otherwise.
        last: the number of the last entry, from 0, that is.
        missing: turns that are supposed before it.
    """
    if (source := match_text(match)) is None:
        return None
    turns = game.turns[turn.index : last + 1]
    supposed = [_supposed(match, source, *one) for one in missing]
    fix = arranged(match, game, [*supposed, *turns])
    if fix is None:
        return None
    # What a turn was that nobody wrote, and which of many orders was the right one, is never proved; nor which result
    # a game had that was given up, where its columns are wrong.
    faults = {getattr(each, "fault", None) for each in turn.violations}
    is_open = bool(missing) or TurnFault.MOVED in faults
    is_left = TurnFault.SWAPPED_ON in faults and (game.ending == "resigned" or _is_left(game))
    is_proved = turn.sure and turn.legal_after >= PROOF and not is_open and not is_left
    return replace(
        fix,
        applicability="safe" if is_proved else "unsafe",
        explains=turn.legal_after if turn.legal_after >= 0 else None,
    )


def arranged(match: Match, game: GameReplay, order: Sequence[Turn | CellText]) -> Fix | None:
    """The rows of some turns with these in another order, in other columns, or with cells that nobody wrote.

    Args:
        match: the record.
        game: the game, as it was replayed.
        order: the turns, one after the other in the record, each in the column of its player, and what is missing.
    """
    if (source := match_text(match)) is None:
        return None
    rows = GameRows(source, game, match)
    entries = game.game.entries
    numbers = [each.index for each in order if not isinstance(each, CellText)]
    first, last = min(numbers), max(numbers)
    # The other cells of the rows stay where they are, but they are written with them.
    start, end = rows.whole(first, last)
    cells = []
    for each in (*game.turns[start:first], *order, *game.turns[last + 1 : end + 1]):
        if isinstance(each, CellText):
            cells.append(each)
        else:
            stands = next(entry.player for entry in entries if entry.span == each.entry.span)
            cells.append(rows.cell(each.player, each.entry, stands))
    if end + 1 < len(entries):
        return rows.again(start, end, cells)
    if (result := rows.result(game.winner)) is not None:
        return rows.again(start, end, [*cells, result])
    fix = rows.again(start, end, cells)
    return fix if fix is None or not _is_left(game) else _with_result(match, game, fix)


def exchanged_rows(match: Match, game: GameReplay, first: int, last: int) -> Fix | None:
    """Two rows in each other's place, where they and those between are rolls in both cells, and the board after is so.

    Args:
        match: the record.
        game: the game, as it was replayed: with one cell of each of the two rows exchanged.
        first: the number of the one entry.
        last: that of the other one.
    """
    entries = game.game.entries
    is_right = bool(first) and entries[first - 1].row == entries[first].row
    start, end = first - is_right, last - is_right + 2
    stand = entries[start:end]
    turns = {turn.entry.span: turn for turn in game.turns[start:end]}
    is_whole = [entry.row for entry in stand[::2]] == [entry.row for entry in stand[1::2]]
    if len(stand) < end - start or not is_whole or any(entry.span not in turns for entry in stand):
        return None
    order = [*stand[-2:], *stand[2:-2], *stand[:2]]
    board = game.turns[start].before
    for entry in order:
        if not isinstance(entry, CheckerPlay) or entry.dice is None or not are_dice(entry.dice):
            return None
        play = resolve(board, entry.dice, entry.text.hops)
        if isinstance(play, Violation):
            return None
        board = play.result.flipped()
    if board.flipped() != game.turns[end - 1].after:
        return None
    return arranged(match, game, [turns[entry.span] for entry in order])


def mirrored_game(match: Match, game: GameReplay) -> Fix | None:
    """All entries of a game, and its result, in the other column."""
    turns = [turn._replace(player=other(turn.player)) for turn in game.turns]
    winner = None if game.winner is None else other(game.winner)
    return arranged(match, replace(game, winner=winner), turns) if turns else None


def _is_left(game: GameReplay) -> bool:
    """Whether the result is in the column of another player than the turns leave it to."""
    claim = next((claim for claim in game.game.results if claim.won), None)
    return claim is not None and claim.column_speaks and claim.player != game.winner


def _with_result(match: Match, game: GameReplay, fix: Fix) -> Fix:
    """The rows at the end of a game rewritten, and the result below them in the column of the winner."""
    claim = next(claim for claim in game.game.results if claim.won)
    moved = other_column(match, game, claim, game.winner or 0)
    source = match_text(match)
    if source is None or moved is None or moved.span.start < fix.span.end:
        return fix
    between = source.text[fix.span.end : moved.span.start]
    return Fix(Span(fix.span.start, moved.span.end), fix.text + between + moved.text)


def _supposed(match: Match, source: Source, player: Player, play: Play | None, dice: Dice) -> CellText:
    """The cell of a turn that the record does not hold."""
    hops = play.hops if play is not None else ()
    return CellText(player, f"{dice[0]}{dice[1]}: {RecordSpelling(match, source, player).play(hops)}".rstrip())
