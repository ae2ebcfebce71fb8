"""The games of a record as an editor lists and folds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bgtools.record.record import NOWHERE
from bgtools.reports.entry_text import name_of
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.editor.document import Judged
    from bgtools.record.record import Game, Match
    from bgtools.replayer.turn import GameReplay


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something in the outline.

    Attributes:
        name: what it is called.
        detail: a few words about it.
        span: the whole of it in the text.
        heading: the place that an editor goes to.
        parts: the symbols in it.
    """

    name: str
    detail: str
    span: Span
    heading: Span
    parts: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines that can be folded away.

    Attributes:
        first, last: numbers of the lines, from 1; the first line stays in sight.
        is_comment: whether they are headers and remarks.
    """

    first: int
    last: int
    is_comment: bool = False


def symbols(judged: Judged) -> tuple[Symbol, ...]:
    """The games, each with its score and how it ended; where the text holds several records, the records with them."""
    if not judged.is_text:
        return ()
    found = []
    for match, games in zip(judged.matches, judged.replays, strict=True):
        parts = tuple(_game(match, game) for game in games if _span(game.game) is not None)
        if len(judged.matches) == 1:
            return parts
        spans = [part.span for part in parts] or [match.length_span]
        whole = Span(min(spans[0].start, match.length_span.start or spans[0].start), spans[-1].end)
        names = " - ".join(name_of(match, player) for player in (0, 1))
        found.append(Symbol(names, _length(match), whole, Span(whole.start, whole.start), parts))
    return tuple(found)


def folds(judged: Judged) -> tuple[Fold, ...]:
    """The lines of each game, and of the headers and remarks that stand together."""
    if not judged.is_text:
        return ()
    found: list[Fold] = []
    for match in judged.matches:
        found += _lines(judged, (span for game in match.games if (span := _span(game)) is not None))
        inside = [comment for game in match.games for comment in game.comments]
        spans = [*(tag.span for tag in match.tags), *(comment.span for comment in (*match.comments, *inside))]
        remarks = sorted(span for span in spans if span != NOWHERE)
        found += _lines(judged, _together(judged, remarks), is_comment=True)
    return tuple(found)


def _lines(judged: Judged, spans: Iterable[Span], *, is_comment: bool = False) -> Iterator[Fold]:
    place = judged.source.place
    for span in spans:
        first, last = place(span.start).line, place(max(span.start, span.end - 1)).line
        if last > first:
            yield Fold(first, last, is_comment)


def _together(judged: Judged, spans: list[Span]) -> Iterator[Span]:
    """The spans, with those joined between which only blanks and line ends stand."""
    held: Span | None = None
    for span in spans:
        if held is not None and not judged.source.text[held.end : span.start].strip():
            held = Span(held.start, span.end)
            continue
        if held is not None:
            yield held
        held = span
    if held is not None:
        yield held


def _span(game: Game) -> Span | None:
    """The stretch from the first place of a game to its last; None where it has no places."""
    spans = [
        game.heading, game.score_span, *(each.span for each in game.entries), *(each.span for each in game.results),
        *game.marks,
    ]  # fmt: skip
    known = [span for span in spans if span != NOWHERE]
    return Span(min(known).start, max(span.end for span in known)) if known else None


def _game(match: Match, game: GameReplay) -> Symbol:
    span = _span(game.game)
    assert span is not None
    heading = game.game.heading if game.game.heading != NOWHERE else Span(span.start, span.start)
    number = game.index + 1 if game.game.number is None else game.game.number
    return Symbol(f"Game {number} at {game.score[0]}-{game.score[1]}", outcome(match, game), span, heading)


def outcome(match: Match, game: GameReplay) -> str:
    """How a game ended: ``Greta Holm wins 2 points, borne off``."""
    if game.winner is None:
        return game.ending
    points = "" if not game.points else f" {game.points} point{'s' * (game.points != 1)}"
    return f"{name_of(match, game.winner)} wins{points}, {game.ending}"


def _length(match: Match) -> str:
    return f"{match.length} point{'s' * (match.length != 1)}" if match.length else "money session"
