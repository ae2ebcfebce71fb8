"""Hits that have no star in a record that marks its hits."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from bgtools.board.perspective import other
from bgtools.checks import _words as words
from bgtools.checks.rule import Rule
from bgtools.findings import codes
from bgtools.findings.finding import Amendment, Finding
from bgtools.record.record import CheckerPlay
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay, Turn

_FEW: Final = 3
"""So many stars show that a record marks its hits."""
_SEARCHED: Final = 400
"""In how many plays they are looked for."""
_SHARE: Final = 3
"""A game of a record that marks its hits leaves one out, and one more for so many that it marks."""


def check_marks(match: Match, game: GameReplay) -> Iterator[Finding]:
    """A hit without a star. Only games in which all else is right are looked at: what follows then proves the hit."""
    if not (game.is_sound and game.unmarked and _marks_hits(match)):
        return
    marked = sum(1 for entry in game.game.entries if isinstance(entry, CheckerPlay) and entry.text.hits)
    if game.unmarked > 1 + marked // _SHARE:
        return
    rolls = [turn for turn in game.turns if isinstance(turn.entry, CheckerPlay)]
    for turn, following in zip(rolls, [*rolls[1:], None], strict=True):
        yield from _unmarked(match, game, turn, is_proved=following is not None and following.player != turn.player)


def _marks_hits(match: Match) -> bool:
    plays = (each for game in match.games for each in game.entries if isinstance(each, CheckerPlay))
    return sum(bool(each.text.hits) for each in islice(plays, _SEARCHED)) >= _FEW


def _unmarked(match: Match, game: GameReplay, turn: Turn, *, is_proved: bool) -> Iterator[Finding]:
    entry, play = turn.entry, turn.play
    if not isinstance(entry, CheckerPlay) or play is None or entry.text.kind != "moves":
        return
    hits = [hop.end for hop in play.hops if hop.hit and hop.end not in entry.text.hits]
    for index, group in enumerate(entry.text.hops):
        points = [point for point in group.points[1:] if point in hits]
        if not points:
            continue  # the way between two written points need not be written
        hits = [point for point in hits if point not in points]
        stars = tuple(star or at in points for at, star in zip(group.points[1:], group.stars, strict=True))
        right = replace(group, stars=stars)
        hops = (*entry.text.hops[:index], right, *entry.text.hops[index + 1 :])
        amended = replace(entry, text=replace(entry.text, hops=hops))
        me, you = words.name(match, turn.player), words.name(match, other(turn.player))
        yield Finding(
            codes.UNMARKED_HIT,
            Span(entry.text_at + group.start, entry.text_at + group.end),
            f"{me}'s {group} hits {you}'s blot on {words.point(points[0])}, and has no star",
            ("other plays of the record that hit have a star",),
            game=game.game.number,
            turn=turn.number,
            row=game.row_of(turn),
            entry=turn.index + 1,
            player=turn.player,
            remedy=Amendment(entry, amended, safe=True) if is_proved else None,
        )


RULE: Final = Rule(codes=(codes.UNMARKED_HIT,), in_game=check_marks)
