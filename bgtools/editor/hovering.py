"""What is shown where a pointer rests on a record: the position, and what the record says of the decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.editor.outline import outcome
from bgtools.reports.entry_text import entry_text, position_before
from bgtools.reports.recorded_analysis import recorded_lines
from bgtools.source import Span

if TYPE_CHECKING:
    from bgtools.editor.document import Here, Judged


def hover(judged: Judged, offset: int) -> tuple[list[str], Span] | None:
    """What there is to say about a place, and the stretch of text that it is about; None where there is nothing.

    For an entry: the board before it with names, pips, cube and score, and the analysis that the record holds. For the
    heading or score line of a game: how the game ended.

    Returns:
        Lines of plain text, whose first one says what they are about, and the stretch.
    """
    if (here := judged.at(offset)) is not None:
        return _entry(here), here.turn.entry.span
    for match, games in zip(judged.matches, judged.replays, strict=True):
        for game in games if judged.is_text else ():
            for span in (game.game.heading, game.game.score_span):
                if span.start <= offset <= span.end != 0:
                    number = game.index + 1 if game.game.number is None else game.game.number
                    title = f"Game {number} at {game.score[0]}-{game.score[1]}{', Crawford game' * game.crawford}"
                    return [title, outcome(match, game)], Span(*span)
    return None


def _entry(here: Here) -> list[str]:
    match, _, game, turn = here
    number = "" if game.game.number is None else f"game {game.game.number}, "
    lines = [f"{entry_text(match, turn)} ({number}turn {turn.number})", ""]
    lines += str(position_before(match, game, turn.index)).splitlines()
    if turn.entry.annotation is not None and (recorded := recorded_lines(turn.entry.annotation)):
        lines += ["", *recorded]
    return lines
