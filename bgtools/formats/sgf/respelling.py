"""Putting something else in place of a property of SGF, with nothing else moved."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from bgtools.board import changes
from bgtools.formats.sgf import words
from bgtools.record import CheckerPlay, Drop, Game, ResultClaim, Take
from bgtools.source import Span

if TYPE_CHECKING:
    from bgtools.board import Player, PlayText
    from bgtools.source import Source

_VALUE: Final = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.DOTALL)
_MOVE: Final = re.compile(r"[a-z]*[BW][a-z]*\s*\[")
_PROPERTY: Final = re.compile(r"\s*([A-Za-z]+)(?:\s*\[(?:\\.|[^\]\\])*\])+", re.DOTALL)
_RESULT: Final = re.compile(r"\[\s*([BWbw]\+\d*)")
_SCORE: Final = re.compile(r"(\[\s*([wb]s)\s*:\s*)(-?\d+)(\s*\])")
_STEPS: Final = re.compile(r"\s*((?:[a-z]{2})+)")


def respelled(source: Source, stands: Any, said: Any) -> tuple[Span, str] | None:
    """How an entry, a result or the score before a game is written at its place (`Source.respelled`)."""
    match said:
        case CheckerPlay(dice=(first, second), text=text, player=player) if text.kind in ("moves", "dance", "nothing"):
            steps = tuple(leg for hop in text.hops for leg in hop.legs)
            return _play(source, stands.span, said, f"{first}{second}{words.letters(steps, player)}")
        case Take() | Drop():
            return _valued(source, stands.span, "take" if isinstance(said, Take) else "drop")
        case ResultClaim(player=player, points=int(points)):
            found = _RESULT.search(source.text, *stands.span)
            return None if found is None else (Span(*found.span(1)), f"{words.COLOURS[player]}+{points}")
        case Game(score=(white, black)):
            right = {"ws": white, "bs": black}
            info = source.text[slice(*stands.score_span)]
            return stands.score_span, _SCORE.sub(lambda found: f"{found[1]}{right[found[2]]}{found[4]}", info)
    return None


def _valued(source: Source, span: Span, value: str) -> tuple[Span, str] | None:
    """Another value in the brackets of a property that has one."""
    found = [*_VALUE.finditer(source.text, span.start, span.end)]
    if len(found) != 1:
        return None
    return Span(*found[0].span(1)), value


def _play(source: Source, span: Span, entry: CheckerPlay, value: str) -> tuple[Span, str] | None:
    """Another play, and with it the number of the play in the analysis beside it, which GNU Backgammon goes by.

    An analysis that does not hold the play is taken out: it is of what was not played.
    """
    if (edit := _valued(source, span, value)) is None or not _MOVE.match(source.text, *span):
        return None
    (start, end), text = edit
    at = span.end
    while (found := _PROPERTY.match(source.text, at)) is not None:
        if found[1] == words.OWN:
            return None  # it says that there are no hops, whatever stands in the brackets
        if found[1] == "A":
            values = [*_VALUE.finditer(source.text, found.start(), found.end())]
            right = _number_of(entry.text, [value[1] for value in values[1:]], entry.player)
            if right is None:
                return Span(start, found.end()), text + source.text[end : found.start()]
            if values[0][1].strip() == str(right):
                break
            return Span(start, values[0].end(1)), text + source.text[end : values[0].start(1)] + str(right)
        at = found.end()
    return Span(start, end), text


def _number_of(text: PlayText, candidates: list[str], player: Player) -> int | None:
    """Which of the candidates of an analysis a play is, from 0."""
    right = changes(text.hops)
    for number, candidate in enumerate(candidates):
        steps = _STEPS.match(candidate)
        if steps is not None and changes(words.hops(steps[1], player)) == right:
            return number
    return None
