"""Whether two records tell the same match, whatever their spelling and layout."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools.record.record import Beaver, CheckerPlay, Double, Resign
from bgtools.replayer.match import replay

if TYPE_CHECKING:
    from bgtools.board.play import PlayText
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay, Turn


def differences(one: Match, two: Match) -> list[str]:
    """What tells two matches apart, in words; empty when they are the same.

    Left out of account: spans and rows, which column is whose, how a legal play is spelled, the
    words for a dance, and the level of a resignation, for which most formats have no place.
    """
    found = [
        f"{name}: {getattr(one, name)!r}, {getattr(two, name)!r}"
        for name in ("players", "length", "rules", "ratings")
        if getattr(one, name) != getattr(two, name)
    ]
    if [(tag.key, tag.value) for tag in one.tags] != [(tag.key, tag.value) for tag in two.tags]:
        found.append(f"tags: {one.tags}, {two.tags}")
    if [comment.text for comment in one.comments] != [comment.text for comment in two.comments]:
        found.append(f"comments: {one.comments}, {two.comments}")
    if len(one.games) != len(two.games):
        return [*found, f"{len(one.games)} games, {len(two.games)}"]
    for left, right in zip(replay(one), replay(two), strict=True):
        found += [f"game {left.game.number}: {text}" for text in _game(left, right)]
    return found


def _game(one: GameReplay, two: GameReplay) -> list[str]:
    found = [
        f"{name}: {getattr(one, name)!r}, {getattr(two, name)!r}"
        for name in ("score", "added_up", "crawford", "ending", "winner", "level", "cube", "earned", "points")
        if getattr(one, name) != getattr(two, name)
    ]
    found += [
        f"record's {name}: {getattr(one.game, name)!r}, {getattr(two.game, name)!r}"
        for name in ("number", "score", "start", "start_owner")
        if getattr(one.game, name) != getattr(two.game, name)
    ]
    claims = [[(claim.won, claim.points, claim.match) for claim in game.game.results] for game in (one, two)]
    if claims[0] != claims[1]:
        found.append(f"results: {claims[0]}, {claims[1]}")
    remarks = [[comment.text for comment in game.game.comments] for game in (one, two)]
    if remarks[0] != remarks[1]:
        found.append(f"comments: {remarks[0]}, {remarks[1]}")
    if len(one.turns) != len(two.turns):
        return [*found, f"{len(one.turns)} entries, {len(two.turns)}"]
    for left, right in zip(one.turns, two.turns, strict=True):
        if _told(left) != _told(right):
            # What follows is on another board: the first difference says it all.
            return [*found, f"entry {left.index}: {left.entry}, {right.entry}"]
    return found


def _told(turn: Turn) -> tuple[object, ...]:
    """All that an entry tells, its board included."""
    entry = turn.entry
    said: tuple[object, ...] = ()
    match entry:
        case CheckerPlay(dice=dice, text=text):
            said = (dice, turn.play.result if turn.play else _bare(text))
        case Double(value=value) | Beaver(value=value):
            said = (value, getattr(entry, "raccoon", False))
        case Resign(match=whole):
            said = (whole,)
    faults = tuple(getattr(violation, "reason", getattr(violation, "fault", None)) for violation in turn.violations)
    return type(entry), turn.player, turn.before, turn.state, said, turn.after, faults, turn.reading


def _bare(text: PlayText) -> PlayText:
    return replace(text, hops=tuple(replace(hop, start=0, end=0) for hop in text.hops))
