"""Whether what was read from a text is a record: by what was played in it, not by words that records have as well."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from bgtools.decoder.entries import in_own_numbering
from bgtools.findings import codes
from bgtools.record.record import NOWHERE, CheckerPlay, SetBoard

if TYPE_CHECKING:
    from bgtools.board.play import PlayText
    from bgtools.record.record import Game, Match
    from bgtools.source import Span

NEEDED: Final = 6.0
"""So much evidence makes a text a record."""
NAMED: Final = 4.0
"""What it is worth that the name of the file ends as that of a record."""
_HEADING, _RESULT, _PLAY, _CUBE, _LATER = 2.0, 3.0, 1.0, 2.0, 4.0
"""What a line of a heading is worth, a result, a legal play, a legal cube action, and a play that is legal only because
of those before it: a list of opening plays has none."""
_CHANCE: Final = 2.0
"""What it takes off that one such play may stand in a list by chance."""
_MOST_PLAYS: Final = 3.0
"""Plays that are legal from the start as well are worth no more than this together: lists of them are common."""
_ALL_HEADINGS: Final = 8.0
_UNPLAYED: Final = 4.0
"""The most that headings are worth without a legal play, a cube action or a result, unless all of them are there."""
_SHARE: Final = 0.05
"""Headings in a text of which less than this share of the lines is a record belong to an example in a document."""
_MOST_ROLLS: Final = 4.0
"""And rolls whose plays nobody wrote, as in a list of positions, no more than this."""
_TURNS, _FEW_TURNS = 2.0, 4
"""What it is worth that players with names have so many plays, each in turn."""
_MANY_GAMES: Final = 100
_LINE: Final = re.compile(r"\S[^\r\n]*")
_START: Final = frozenset({24, 13, 8, 6})


def evidence(match: Match, text: str) -> float:
    """How much shows that a text holds a match, from 0; a record has `NEEDED` or more.

    Args:
        match: what was read.
        text: all of the text that it was read from.
    """
    is_set = any(map(_is_set, match.games)) or any(each.code is codes.BAD_SET_POSITION for each in match.findings)
    if is_set or _is_structured(match):
        return NEEDED
    found = _headings(match, text) if _is_main_subject(match, text) else 0.0
    if found >= _ALL_HEADINGS:
        return found
    from bgtools.formats.text import shows_sequence  # most records need none of this

    if shows_sequence(text):
        return NEEDED
    own = in_own_numbering(match)
    played = max((_of_game(own, game) for game in own.games), default=0.0)
    return found + played if played else min(found, _UNPLAYED)


def _is_set(game: Game) -> bool:
    """Whether a position is set in a game, be it one that cannot be."""
    is_set = any(isinstance(entry, SetBoard) for entry in game.entries)
    return is_set or game.start is not None or not game.start_known


def _is_structured(match: Match) -> bool:
    """Whether the file is no prose: its entries have members, and no places in a text."""
    return any(each.span == NOWHERE for game in match.games for each in game.entries[:1])


def _headings(match: Match, text: str) -> float:
    """The worth of the lines that say who plays, to how many points, and which game at what score it is."""
    spans = [match.length_span] * (match.length is not None)
    spans += [game.heading for game in match.games if game.number is not None and _is_written(game.heading)][:1]
    spans += [game.score_span for game in match.games if game.score is not None and _is_written(game.score_span)][:1]
    return _HEADING * (
        len({text.count("\n", 0, span.start) for span in spans if _is_written(span)}) + all(match.players)
    )


def _is_written(span: Span) -> bool:
    """Whether a line stands in the text: what a reader has put before rows without a heading has no length."""
    return span.end > span.start + 1


def _is_main_subject(match: Match, text: str) -> bool:
    """Whether what was read takes a fair part of the lines of the text, or is more than an example can be."""
    if len(match.games) > _MANY_GAMES:
        return True  # of a text with too many games the rest is not read
    spans = [each.span for game in match.games for each in (*game.entries, *game.results)]
    spans += [match.length_span, *(span for game in match.games for span in (game.heading, game.score_span))]
    ends = [found.end() for found in _LINE.finditer(text)]
    return len({bisect_left(ends, span.end) for span in spans}) >= _SHARE * len(ends)


def _of_game(match: Match, game: Game) -> float:
    """How much the entries of a game and its result show."""
    from bgtools.decoder.headers import count_playable

    legal = game.entries[: count_playable(match, game)]
    plays = [each for each in legal if isinstance(each, CheckerPlay) and each.text.hops]
    later = sum(_is_later(each.text) for each in plays)
    cube = sum(not isinstance(each, CheckerPlay | SetBoard) for each in legal)
    unreadable = {each.span for each in match.findings if each.code is codes.UNREADABLE_CELL}
    rolls = sum(
        isinstance(each, CheckerPlay) and each.text.kind == "unknown" and each.span not in unreadable
        for each in game.entries
    )
    first = min(_PLAY * (len(plays) - later), _MOST_PLAYS) + min(2 * _PLAY * rolls, _MOST_ROLLS)
    turns = [each.player for each in game.entries if isinstance(each, CheckerPlay) and each.text.hops]
    takes_turns = all(one != two for one, two in pairwise(turns))
    first += _TURNS * (all(match.players) and len(turns) >= _FEW_TURNS and takes_turns)
    first += min(_CUBE * sum(each.annotation is not None for each in game.entries), NEEDED)  # an analysis
    return (
        first
        + max(_LATER * later - _CHANCE, 0)
        + _CUBE * cube
        + _RESULT * (any(each.points for each in game.results) and bool(legal))
    )


def _is_later(play: PlayText) -> bool:
    """Whether a play moves a checker from a point where none stands at the start, or hits."""
    arrived: set[int] = set()
    for hop in play.hops:
        if hop.points[0] not in _START and hop.points[0] not in arrived:
            return True
        arrived.update(hop.points)
    return any(hop.hits for hop in play.hops)
