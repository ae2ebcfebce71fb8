"""Other headers that a record may have had: another variation, another length."""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from bgtools.decoder.lane import Terms, run
from bgtools.rules.options import VARIANTS

if TYPE_CHECKING:
    from bgtools.record.record import Game, Match


def count_sound(match: Match) -> int:
    """How many games of a match can be played as they are written, from the start of its variation."""
    return sum(game.start is None and bool(game.entries) and is_playable(match, game) for game in match.games)


def count_playable(match: Match, game: Game) -> int:
    """How many entries of a game, from the first on, can be as they are written, at the score that is stated."""
    opens = game.start is None and not match.rules.winner_starts
    terms = Terms(match.rules, match.length or 0, game.score or (0, 0), False, None, opens, False)
    return run(terms.start(game), game.entries, 0, terms)[0]


def is_playable(match: Match, game: Game) -> bool:
    """Whether every entry of a game can be as it is written, at the score that is stated."""
    return count_playable(match, game) == len(game.entries)


class LikelyVariation(NamedTuple):
    """A match as one of another variation.

    Attributes:
        match: the match with that variation in its header.
        sound: how many of its games can be played as written then.
        stated: how many can with the stated variation.
        games: how many have entries and the usual start.
    """

    match: Match
    sound: int
    stated: int
    games: int


def likely_variation(match: Match) -> LikelyVariation | None:
    """The variation that most games are of; None where at least half of them are of the stated one."""
    games = sum(game.start is None and bool(game.entries) for game in match.games)
    stated = count_sound(match)
    if not games or 2 * stated > games:
        return None
    rules = [replace(match.rules, variant=name) for name in VARIANTS if name != match.rules.variant]
    counted = ((count_sound(other), other) for other in (replace(match, rules=each) for each in rules))
    sound, likely = max(counted, key=itemgetter(0))
    return LikelyVariation(likely, sound, stated, games) if sound > stated else None


def of_length(match: Match, length: int) -> Match:
    """A match with another length in its header; the rules of a session do not hold for one to points."""
    rules = match.rules
    if match.is_money:
        crawford = rules.crawford if match.find_tag("Crawford") else True
        rules = replace(rules, crawford=crawford, jacoby=False, beavers=0, automatic_doubles=0)
    return replace(match, length=length, rules=rules)
