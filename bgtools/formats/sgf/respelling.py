"""Correcting a property of SGF in its place, and leaving the rest of the file as it is."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from bgtools.board.perspective import other
from bgtools.board.play import changes
from bgtools.formats.sgf import words
from bgtools.formats.sgf.tree import escape
from bgtools.record.record import Beaver, CheckerPlay, Comment, Double, Drop, Game, Resign, ResultClaim, Take
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bgtools.board.perspective import Player
    from bgtools.board.play import PlayText
    from bgtools.record.record import Entry
    from bgtools.source import Source

    Action = Double | Beaver | Take | Drop

_VALUE: Final = re.compile(r"\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]", re.DOTALL)
_MOVE: Final = re.compile(r"[a-z]*([BW])[a-z]*\s*\[")
_PROPERTY: Final = re.compile(r"\s*([A-Za-z]+)(?:\s*+\[[^\]\\]*+(?:\\.[^\]\\]*+)*+\])++", re.DOTALL)
_RESULT_OF_GAME: Final = re.compile(r"[a-z]*R[a-z]*E[a-z]*\s*\[")
_RESULT: Final = re.compile(r"\[\s*([BWbw]\+\d*)")
_WORDS: Final[Mapping[type, str]] = MappingProxyType({Double: "double", Beaver: "double", Take: "take", Drop: "drop"})
_OF_MOVES: Final = frozenset(
    {"A", "DA", "MR", "LU", words.OWN, words.NOTES, *words.MARKS, *words.CUBE_MARKS, "GW", "GB"}
)
"""Properties that belong to a move, and may be taken out with it."""
_SCORE: Final = re.compile(r"(\[\s*([wb]s)\s*:\s*)(-?\d+)(\s*\])")
_STEPS: Final = re.compile(r"\s*((?:[a-z]{2})+)")
_IMPLIED: Final = re.compile(rf"\s*;\s*[a-z]*[BW][a-z]*\s*\[\s*take\s*\]\s*{words.OWN}\[implied\]")
_BETWEEN: Final = re.compile(r"\](\s*);")
_NEXT: Final = re.compile(r"\s*(?=;)")


def respelled(source: Source, stands: Any, entry: Any) -> tuple[Span, str] | None:
    """The edit that writes an entry, a result or the score before a game in its place (see `Source.respelled`).

    Behind an entry remarks on it may follow.
    """
    match entry:
        case ():
            return _without(source, stands)
        case (first, *others):
            return _with_others(source, stands, first, others)
        case CheckerPlay(dice=(first, second), text=text, player=player) if text.kind in ("moves", "dance", "nothing"):
            steps = tuple(leg for hop in text.hops for leg in hop.legs)
            return _play(source, stands.span, entry, f"{first}{second}{words.letters(steps, player)}")
        case Double() | Beaver() | Take() | Drop() if isinstance(stands, Double | Beaver | Take | Drop):
            return _cube_action(source, stands, entry)
        case Resign() if isinstance(stands, Resign) and _RESULT_OF_GAME.match(source.text, *stands.span):
            # The result states the resignation, and is corrected as a result.
            return (Span(stands.span.end, stands.span.end), "") if entry.player == stands.player else None
        case ResultClaim(player=player, points=int(points)):
            found = _RESULT.search(source.text, *stands.span)
            return None if found is None else (Span(*found.span(1)), f"{words.COLOURS[player]}+{points}")
        case Game(score=(white, black)):
            right = {"ws": white, "bs": black}
            info = source.text[slice(*stands.score_span)]
            return stands.score_span, _SCORE.sub(lambda found: f"{found[1]}{right[found[2]]}{found[4]}", info)
    return None


def _valued(source: Source, span: Span, value: str, player: Player) -> tuple[Span, str] | None:
    """The edit that gives a move another value, and if need be the other player; None where it has several values."""
    found = [*_VALUE.finditer(source.text, span.start, span.end)]
    move = _MOVE.match(source.text, *span)
    if len(found) != 1 or move is None:
        return None
    start, end = found[0].span(1)
    colour = words.COLOURS[player]
    if move[1] == colour:
        return Span(start, end), value
    return Span(move.start(1), end), f"{colour}{source.text[move.end(1) : start]}{value}"


def _cube_action(source: Source, stands: Action, action: Action) -> tuple[Span, str] | None:
    """The edit that writes another cube action. It drops a stated value, and adds the take that a beaver implies."""
    edit = _valued(source, stands.span, _WORDS[type(action)], action.player)
    if edit is None or (isinstance(action, Beaver) and (action.raccoon or isinstance(stands, Beaver))):
        return None
    (start, end), text = edit
    for each in _behind(source, stands.span):
        is_claim = each[1] == words.OWN and (isinstance(stands, Beaver) or "=>" in each[0])
        text += source.text[end : each.start() if is_claim else each.end()]
        end = each.end()
    text, end = text + source.text[end : max(end, stands.span.end)], max(end, stands.span.end)
    if isinstance(stands, Beaver) and (implied := _IMPLIED.match(source.text, end)) is not None:
        end = implied.end()
    elif isinstance(action, Beaver):
        text += f"{_gap(source)};{words.COLOURS[other(action.player)]}[take]{words.OWN}[implied]"
    return Span(start, end), text


def _without(source: Source, entry: Entry) -> tuple[Span, str] | None:
    """The edit that takes out the node of an entry; None where the node holds anything else."""
    start, behind = source.text.rfind(";", 0, entry.span.start), [*_behind(source, entry.span)]
    is_first = not source.text[start + 1 : entry.span.start].strip() and _MOVE.match(source.text, *entry.span)
    if not is_first or any(each[1] not in _OF_MOVES for each in behind):
        return None
    end = behind[-1].end() if behind else entry.span.end
    if isinstance(entry, Beaver) and (implied := _IMPLIED.match(source.text, end)) is not None:
        end = implied.end()
    following = _NEXT.match(source.text, end)
    return Span(start, following.end() if following else end), ""


def _with_others(
    source: Source, stands: Entry, first: Entry, others: Sequence[Entry | Comment]
) -> tuple[Span, str] | None:
    """The edit that writes an entry, and after it cube actions in nodes of their own, each with the remarks on it."""
    edit = (Span(stands.span.end, stands.span.end), "") if first == stands else respelled(source, stands, first)
    if edit is None:
        return None
    (start, at), text = edit
    behind = [*_behind(source, stands.span)]
    end = max([at, *(each.end() for each in behind)])
    has_remark, nodes = any(each[1] == "C" for each in behind), ""
    for each in others:
        if isinstance(each, Double | Take | Drop):
            nodes, has_remark = f"{nodes}{_gap(source)};{words.COLOURS[each.player]}[{_WORDS[type(each)]}]", False
        elif isinstance(each, Comment) and not has_remark:  # a node has one
            nodes, has_remark = f"{nodes}C[{escape(each.text)}]", True
        else:
            return None
    return Span(start, end), f"{text}{source.text[at:end]}{nodes}"


def _gap(source: Source) -> str:
    """The blanks and line ends that the file has between two nodes."""
    found = _BETWEEN.search(source.text)
    return found[1] if found else ""


def _behind(source: Source, span: Span) -> Iterator[re.Match[str]]:
    """The properties that follow a property in its node."""
    at = span.end
    while (found := _PROPERTY.match(source.text, at)) is not None:
        yield found
        at = found.end()


def _play(source: Source, span: Span, entry: CheckerPlay, value: str) -> tuple[Span, str] | None:
    """The edit that writes another play, and its number in the analysis beside it, by which GNU Backgammon knows it.

    An analysis that does not hold the new play is taken out.
    """
    if (edit := _valued(source, span, value, entry.player)) is None:
        return None
    (start, end), text = edit
    for found in _behind(source, span):
        if found[1] == words.OWN:
            return None  # our own property says that the play has no hops
        if found[1] == "A":
            values = [*_VALUE.finditer(source.text, found.start(), found.end())]
            right = _number_of(entry.text, [value[1] for value in values[1:]], entry.player)
            if right is None:
                return Span(start, found.end()), text + source.text[end : found.start()]
            if values[0][1].strip() == str(right):
                break
            return Span(start, values[0].end(1)), text + source.text[end : values[0].start(1)] + str(right)
    return Span(start, end), text


def _number_of(text: PlayText, candidates: list[str], player: Player) -> int | None:
    """The index of a play among the candidates of an analysis; None where it is not one of them."""
    right = changes(text.hops)
    for number, candidate in enumerate(candidates):
        steps = _STEPS.match(candidate)
        if steps is not None and changes(words.hops(steps[1], player)) == right:
            return number
    return None
