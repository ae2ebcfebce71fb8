"""The order of the games and their score lines (codes BG4xx)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.board.perspective import other
from bgtools.checks import _words as words, fixes
from bgtools.checks.rule import Rule
from bgtools.findings import codes
from bgtools.findings.finding import Finding, Fix, Related, with_article

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
            fix=fixes.text.proven(fixes.games.without_game(match, game.index)),
        )  # fmt: skip
    elif before.number is not None and number is not None and number != before.number + 1:
        told = any(_right_number(match, index) is not None for index in (game.index - 1, game.index))
        if not game.is_moved and not (told and _lacks_nothing(game)):
            yield _missing(match, game, before.number)
    elif game.games_too_many == 1 and game.added_up:
        won: Player = 0 if game.added_up[0] > game.added_up[1] else 1
        yield Finding(
            codes.AFTER_MATCH, record.heading, f"{words.name(match, won)} has won the match before this game",
            (f"the score was {game.added_up[0]}-{game.added_up[1]} in {with_article(match.length or 0)}-point match",),
            game=number,
            fix=fixes.games.without_game(match, game.index) if game.index + 1 == len(match.games) else None,
        )  # fmt: skip


def _changed_places(match: Match, game: GameReplay) -> Finding:
    """A game and the next one in each other's place; an error where their scores contradict the order."""
    number = game.game.number
    names = words.games(game.game, match.games[game.index + 1])
    message, hint = f"{names} stand in each other's place", "the score is taken from each game's own score line"
    fix = fixes.games.exchanged_games(match, game.index + 1)
    if game.exchanged == "numbers":
        return Finding(codes.GAME_MISSING, game.game.heading, message, (), hint, game=number, fix=fix)
    fact = "the other way round their score lines are the sums of the results before them"
    return Finding(
        codes.SCORE_LINE, game.game.heading, message, (fact,), hint, game=number, fix=fixes.text.proven(fix)
    )  # fmt: skip


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
    fix = fixes.text.proven(fixes.text.number(match, game.heading, game.number or 0, right))
    return Finding(
        codes.GAME_MISSING, game.heading, message, ("the next game is numbered so",), game=game.number, fix=fix
    )


def _missing(match: Match, game: GameReplay, before: int) -> Finding:
    """A gap in the numbers of the games; an error where the score counts points that no game gives."""
    number, won = game.game.number or 0, game.missing
    hint = "the score is taken from this game's own score line"
    if won is None or number <= before + 1 or not any(won):
        facts = ("no points are missing on its score line",) if won == (0, 0) else ()
        return Finding(
            codes.GAME_MISSING, game.game.heading, f"game {number} follows game {before}", facts, hint, game=number
        )
    gone = f"game {before + 1} is" if number == before + 2 else f"games {before + 1} to {number - 1} are"
    counted = " and ".join(
        f"{words.times(won[player], 'point')} for {words.name(match, player)}" for player in _BOTH if won[player] > 0
    )
    if min(won) < 0:
        message = f"the score goes back: after game {before} it was {game.score[0] - won[0]}-{game.score[1] - won[1]}"
        return Finding(codes.SCORE_LINE, game.game.score_span, message, (f"{gone} missing",), hint, game=number)
    fact = f"the score line counts {counted} that no game here gives"
    return Finding(codes.SCORE_LINE, game.game.heading, f"{gone} missing", (fact,), hint, game=number)


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
        fix=_right_score(match, game, should),
    )


def _points_too_many(match: Match, game: GameReplay) -> str:
    """What may be wrong where the score counts points that no result gives."""
    hint = "the game is judged at the score that stands here; a game may be missing before it"
    if match.is_money and match.rules.automatic_doubles is None:
        hint += ', or the cube was turned by itself: then write [AutomaticDoubles "On"] among the tags'
    return hint


def _right_score(match: Match, game: GameReplay, should: tuple[int, int]) -> Fix | None:
    """The sum of the results on a score line; proved where what follows tells so."""
    fix = fixes.results.score(match, game, should)
    after = match.games[game.index + 1].score if game.index + 1 < len(match.games) else None
    if _ends_match(match, game, should):
        return fixes.text.proven(fix)
    if game.misplaced and fix is not None:
        claims = [
            next(each for each in one.results if each.won) for one in match.games[game.index - 1 : game.index + 1]
        ]
        others = fixes.results.exchanged_results(match, *claims)
        return fix if others is None else replace(fix, alternatives=(others,))
    if game.misprint:
        # Where the next score is level, exchanged points explain this one as well.
        is_told = after is not None and (after[0] != after[1] or game.game.score != should[::-1])
        return fixes.text.proven(fix) if is_told else fix
    stated, claim = max(game.score_after), game.claim
    is_won = claim is not None and claim.match and stated >= (match.length or stated + 1)
    if is_won and game.game.score is not None and any(map(int.__gt__, game.game.score, should)):
        return None  # a game may be missing before it
    if fix is None or (after is not None and after == game.score_after):
        return None
    # Nothing tells whether the last score line is wrong, or the result before it.
    other_result = _other_points(match, game)
    return fix if other_result is None else replace(fix, alternatives=(other_result,))


def _other_points(match: Match, game: GameReplay) -> Fix | None:
    """The points that a score line counts in the result before it."""
    before, stands = match.games[game.index - 1], game.game.score
    claim = next((each for each in before.results if each.won), None)
    if (
        claim is None
        or stands is None
        or before.score is None
        or before.score[1 - claim.player] != stands[1 - claim.player]
    ):
        return None
    points = stands[claim.player] - before.score[claim.player]
    return fixes.results.points(match, claim, points) if points > 0 else None


def _exchanged(match: Match, game: GameReplay) -> Finding:
    """Names, points or entries of a game that stand in the wrong player's place."""
    one, two, number = words.name(match, 0), words.name(match, 1), game.game.number
    if game.exchanged == "cells":
        return Finding(
            codes.SWAPPED, game.game.heading, "all entries of this game stand in each other's column",
            (f"the next score line counts it for {words.name(match, other(game.winner or 0))}",), game=number,
            fix=fixes.rows.mirrored_game(match, game),
        )  # fmt: skip
    goes_on = game.exchanged in ("names on", "points on")
    lines = [each for each in match.games[game.index :] if goes_on and each.left == game.game.left] or [game.game]
    hint = "so do those on the score lines that follow" if goes_on else ""
    if game.exchanged in ("points", "points on"):
        return Finding(
            codes.SCORE_LINE, game.game.score_span, f"the points of {one} and {two} stand in each other's place",
            ("with them exchanged the score line is the sum of the results before it",), hint, game=number,
            fix=fixes.results.score_lines(match, lines, names=False, points=True),
        )  # fmt: skip
    facts = ("with them exchanged the score line fits the results",)
    return Finding(
        codes.WRONG_NAME, game.game.score_span, f"the names of {one} and {two} stand in each other's place", facts,
        hint, game=number,
        fix=fixes.results.score_lines(match, lines, names=True, points=game.game.score == game.added_up),
    )  # fmt: skip


def _ends_match(match: Match, game: GameReplay, before: tuple[int, int]) -> bool:
    """Whether a game ends the match as its result says, but only from the sum, one stated number being too small.

    A number that is too large is not a misprint: the points may be those of a missing game.
    """
    claim, stated = game.claim, game.game.score
    if claim is None or not claim.match or not match.length or stated is None or game.points is None:
        return False
    ends = before[claim.player] + game.points >= match.length > stated[claim.player] + game.points
    is_one_off = before in ((stated[0], before[1]), (before[0], stated[1]))
    return ends and is_one_off and stated[0] <= before[0] and stated[1] <= before[1]


RULES: Final = (
    Rule(codes=(codes.GAME_MISSING, codes.AFTER_MATCH, codes.GAME_REPEATED), in_game=check_numbering),
    Rule(codes=(codes.SCORE_LINE, codes.WRONG_NAME), in_game=check_score_line),
)
