"""Finding the entry that is asked for by game, turn, number or line; a command ends where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from bgtools.cli import _common
from bgtools.reports.entry_text import entry_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay


def chosen_entry(
    replays: Sequence[GameReplay], number: int | None, turn: int | None, entry: int | None
) -> tuple[GameReplay, int]:
    """The game that is asked for and the number of the entry in it; ends with a message where there is none."""
    if not replays:
        _common.print_error("no game was found in the record")
        raise typer.Exit(2)
    game = replays[0] if number is None else next((each for each in replays if each.game.number == number), None)
    if game is None:
        numbers = [each.game.number for each in replays]
        _common.print_error(f"the record has no game {number}; it has {_ranges(numbers)}")
        raise typer.Exit(2)
    return game, _entry_of(game, turn, entry)


def _entry_of(game: GameReplay, turn: int | None, entry: int | None) -> int:
    """The number of the entry that is asked for, by itself or by its turn; by default the first."""
    which = "the game" if game.game.number is None else f"game {game.game.number}"
    if turn is not None:
        # The roll is what a turn is about; where the game ended before it, the last cube action is.
        entry = max((each.index + 1 for each in game.turns if each.number == turn), default=None)
        if entry is None:
            last = game.turns[-1].number if game.turns else 0
            _common.print_error(f"{which} has {last} turns")
            raise typer.Exit(2)
    entry = entry or 1
    if entry > len(game.turns):
        _common.print_error(f"{which} has {len(game.turns)} entries, rolls and cube actions counted one by one")
        raise typer.Exit(2)
    return entry


def entry_in_line(
    match: Match, replays: Sequence[GameReplay], line: int, column: int | None
) -> tuple[GameReplay, int, list[str]]:
    """The game and number of the entry in a line of the file, and a line of text for each other entry there."""
    from bgtools.record.record import NOWHERE

    source = match.source
    there = [] if source is None else [
        (source.place(turn.entry.span.start), game, turn)
        for game in replays
        for turn in game.turns
        if turn.entry.span != NOWHERE
    ]  # fmt: skip
    found = [each for each in there if each[0].line == line]
    if not found:
        lines = sorted({each[0].line for each in there}, key=lambda each: (abs(each - line), each))
        nearest = f"; the nearest that does is line {lines[0]}" if lines else ""
        _common.print_error(f"line {line} holds no roll and no cube action{nearest}")
        raise typer.Exit(2)
    # The entry at a column is the last one that begins at it or before it.
    before = [each for each in found if column is not None and each[0].column <= column]
    chosen = before[-1] if before else found[0]
    beside = [
        f"  in the same line, column {place.column}: {entry_text(match, turn)}"
        for place, _, turn in found
        if turn is not chosen[2]
    ]
    _, game, turn = chosen
    return game, turn.index + 1, beside


def _ranges(numbers: list[int | None]) -> str:
    known = [number for number in numbers if number is not None]
    if not known:
        return "games without numbers"
    return f"game {known[0]}" if len(known) == 1 else f"games {known[0]} to {known[-1]}"
