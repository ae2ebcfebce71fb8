"""The order of the games and their score lines (codes BG4xx)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.board.perspective import other
from bgtools.checks import _words as words
from bgtools.checks.rule import Rule
from bgtools.findings import codes
from bgtools.findings.finding import Amendment, Finding, Related, with_article

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.perspective import Player
    from bgtools.record.record import Game, Match
    from bgtools.replayer.turn import GameReplay

_BOTH: Final[tuple[Player, ...]] = (0, 1)


def check_numbering(match: Match, game: GameReplay) -> Iterator[Finding]:
    """The games follow each other, and none follows the end of the match."""
    record = game.game
    if game.exchanged in ("games", "numbers"):
        yield _changed_places(match, game)
    if (right := _right_number(match, game.index)) is not None and _lacks_nothing(game):
        yield _misnumbered(match, record, right)
    if game.index == 0:
        return
    before = match.games[game.index - 1]
    number = record.number
    if game.is_copy:
        name = "this game" if number is None else f"game {number}"
        yield Finding(
            codes.GAME_REPEATED, record.heading, f"{name} is the game before it, written a second time",
            ("score and entries are the same",), "it is not counted", game=number,
        )  # fmt: skip
    elif before.number is not None and number is not None and number != before.number + 1:
        told = any(_right_number(match, index) is not None for index in (game.index - 1, game.index))
        if not game.is_moved and not (told and _lacks_nothing(game)):
            yield _missing(match, game, before.number)
    elif game.games_too_many == 1 and game.added_up:
        won: Player = 0 if game.added_up[0] > game.added_up[1] else 1
        kind = f"{with_article(match.length or 0)}-point match"
        facts = [f"the score was {game.added_up[0]}-{game.added_up[1]} in {kind}"]
        rest = match.games[game.index :]
        if not any(each.entries for each in rest):
            facts.append(f"no roll is in {'this game' if len(rest) == 1 else f'these {len(rest)} games'}")
            results = {tuple((claim.winner, claim.points) for claim in each.results) for each in (before, *rest)}
            if len(results) == 1:
                facts.append("the result of the game before it is written again")
        yield Finding(
            codes.AFTER_MATCH, record.heading, f"{words.name(match, won)} has won the match before this game",
            tuple(facts), game=number,
        )  # fmt: skip


def _changed_places(match: Match, game: GameReplay) -> Finding:
    """A game and the next one in each other's place; an error where their scores contradict the order."""
    number = game.game.number
    names = words.games(game.game, match.games[game.index + 1])
    message, hint = f"{names} stand in each other's place", "the score is taken from each game's own score line"
    if game.exchanged == "numbers":
        return Finding(codes.GAME_MISSING, game.game.heading, message, (), hint, game=number)
    fact = "the other way round their score lines are the sums of the results before them"
    return Finding(codes.SCORE_LINE, game.game.heading, message, (fact,), hint, game=number)


def _lacks_nothing(game: GameReplay) -> bool:
    """Whether no points are known to be missing before a game, and it is in its place."""
    return game.missing in (None, (0, 0)) and not game.is_moved


def _right_number(match: Match, index: int) -> int | None:
    """The number of a game that the games before and after it leave for it, where it states another one; else None."""
    numbers = [each.number for each in match.games[max(index - 1, 0) : index + 2]]
    if index == 0:
        numbers = [0, *numbers]
    if len(numbers) < _THREE or None in numbers:
        return None
    before, stated, after = (number or 0 for number in numbers)
    return before + 1 if after == before + 2 and stated != before + 1 else None


_THREE: Final = 3


def _misnumbered(match: Match, game: Game, right: int) -> Finding:
    """A game with a number that is not the one between its neighbours."""
    message = f"game {game.number} stands where game {right} would follow"
    remedy = Amendment(game, replace(game, number=right), safe=True)
    fact = "the next game is numbered so"
    return Finding(codes.GAME_MISSING, game.heading, message, (fact,), game=game.number, remedy=remedy)


def _missing(match: Match, game: GameReplay, before: int) -> Finding:
    """A gap in the numbers of the games; an error where the score counts points that no game gives."""
    number, won = game.game.number or 0, game.missing
    hint = "the score is taken from this game's own score line"
    if won is None or number <= before + 1 or not any(won):
        facts = ("no points are missing on its score line",) if won == (0, 0) else ()
        return Finding(
            codes.GAME_MISSING, game.game.heading, f"game {number} follows game {before}", facts, hint, game=number
        )
    gone = words.missing(before + 1, number - 1)
    counted = " and ".join(
        f"{words.times(won[player], 'point')} for {words.name(match, player)}" for player in _BOTH if won[player] > 0
    )
    if min(won) < 0:
        message = f"the score goes back: after game {before} it was {game.score[0] - won[0]}-{game.score[1] - won[1]}"
        return Finding(codes.SCORE_LINE, game.game.score_span, message, (gone,), hint, game=number)
    fact = f"the score line counts {counted} that no game here gives"
    return Finding(codes.SCORE_LINE, game.game.heading, gone, (fact,), hint, game=number)


def check_score_line(match: Match, game: GameReplay) -> Iterator[Finding]:
    """R44: the score line is the sum of the results before it."""
    record = game.game
    if game.is_moved or game.misplaced == "previous":
        return  # check_numbering has said so, or the result of the game before
    if game.exchanged:
        yield _exchanged(match, game)
        return
    if record.score is None or game.added_up is None or record.score == game.added_up:
        return
    if game.carried or game.is_copy:
        return  # the wrong result before it has its own finding
    if game.games_too_many:
        return  # check_numbering has said that the match was over
    if match.is_money and not game.keeps_score:
        return  # a session whose record keeps no score
    should, stands = game.added_up, record.score
    hint = "the game is judged at the score that stands here"
    if game.misprint:
        hint = "a misprint: the next score line goes on from the right score"
        if game.misplaced:
            two = words.games(match.games[game.index - 1], record)
            hint = f"a misprint, or the results of {two} stand in each other's place: either fits the next score line"
    elif min(stands[0] - should[0], stands[1] - should[1]) >= 0:
        hint = _points_too_many(match, game)
    yield Finding(
        codes.SCORE_LINE,
        record.score_span,
        f"the score before this game should be {words.name(match, 0)} {should[0]}, {words.name(match, 1)} {should[1]}, "
        f"not {stands[0]} and {stands[1]}",
        ("that is the sum of the results before it",),
        hint,
        related=(Related(match.games[game.index - 1].score_span, "the score before the game before"),),
        game=record.number,
    )


def _points_too_many(match: Match, game: GameReplay) -> str:
    """What may be wrong where the score counts points that no result gives."""
    hint = "the game is judged at the score that stands here: a misprint, or a game is missing before it"
    if match.is_money and match.rules.automatic_doubles is None:
        hint += ', or the cube was turned by itself: then write [AutomaticDoubles "On"] among the tags'
    return hint


def _exchanged(match: Match, game: GameReplay) -> Finding:
    """Names, points or entries of a game that stand in the wrong player's place."""
    one, two, number = words.name(match, 0), words.name(match, 1), game.game.number
    if game.exchanged == "cells":
        return Finding(
            codes.SWAPPED, game.game.heading, "all entries of this game stand in each other's column",
            (f"the next score line counts it for {words.name(match, other(game.winner or 0))}",), game=number,
        )  # fmt: skip
    goes_on = game.exchanged in ("names on", "points on")
    hint = "so do those on the score lines that follow" if goes_on else ""
    if game.exchanged in ("points", "points on"):
        return Finding(
            codes.SCORE_LINE, game.game.score_span, f"the points of {one} and {two} stand in each other's place",
            ("with them exchanged the score line is the sum of the results before it",), hint, game=number,
        )  # fmt: skip
    facts = ("with them exchanged the score line fits the results",)
    return Finding(
        codes.WRONG_NAME, game.game.score_span, f"the names of {one} and {two} stand in each other's place", facts,
        hint, game=number,
    )  # fmt: skip


RULES: Final = (
    Rule(codes=(codes.GAME_MISSING, codes.AFTER_MATCH, codes.GAME_REPEATED), in_game=check_numbering),
    Rule(codes=(codes.SCORE_LINE, codes.WRONG_NAME), in_game=check_score_line),
)
