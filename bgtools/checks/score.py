"""Score lines and results (codes BG4xx)."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, Final

from bgtools.board import OFF, other
from bgtools.checks import _fixes as fixes
from bgtools.checks import _words as words
from bgtools.checks.rule import Rule
from bgtools.findings import Finding, Fix, Related, codes, with_article
from bgtools.record import AutomaticDouble, Beaver, Double, Take, is_position
from bgtools.replayer import is_sentinel, names_gnubg

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board import Checkers, Player
    from bgtools.record import Match, ResultClaim
    from bgtools.replayer import GameReplay
    from bgtools.source import Span

_BOTH: Final[tuple[Player, ...]] = (0, 1)
_LEVELS = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


def check_numbering(match: Match, game: GameReplay) -> Iterator[Finding]:
    """The games follow each other, and none follows the end of the match."""
    record = game.game
    if game.exchanged in ("games", "numbers"):
        yield _changed_places(match, game)
    if game.index == 0:
        return
    before = match.games[game.index - 1]
    number = record.number
    if game.is_copy:
        name = "this game" if number is None else f"game {number}"
        yield Finding(
            codes.GAME_REPEATED, record.heading, f"{name} is the game before it, written a second time",
            ("score and entries are the same",), "it is not counted", game=number,
            fix=fixes.proven(fixes.without_game(match, game.index)),
        )  # fmt: skip
    elif before.number is not None and number is not None and number != before.number + 1:
        if not game.is_moved:
            yield _missing(match, game, before.number)
    elif game.games_too_many == 1 and game.added_up:
        won: Player = 0 if game.added_up[0] > game.added_up[1] else 1
        yield Finding(
            codes.AFTER_MATCH, record.heading, f"{words.name(match, won)} has won the match before this game",
            (f"the score was {game.added_up[0]}-{game.added_up[1]} in {with_article(match.length or 0)}-point match",),
            game=number,
            fix=fixes.without_game(match, game.index) if game.index + 1 == len(match.games) else None,
        )  # fmt: skip


def _changed_places(match: Match, game: GameReplay) -> Finding:
    """A game and the next one in each other's place; an error where their scores contradict the order."""
    number, later = game.game.number, match.games[game.index + 1].number
    names = "this game and the next one"
    if number is not None and later is not None:
        names = f"games {min(number, later)} and {max(number, later)}"
    message, hint = f"{names} stand in each other's place", "the score is taken from each game's own score line"
    fix = fixes.exchanged_games(match, game.index + 1)
    if game.exchanged == "numbers":
        return Finding(codes.GAME_MISSING, game.game.heading, message, (), hint, game=number, fix=fix)
    fact = "the other way round their score lines are the sums of the results before them"
    return Finding(
        codes.SCORE_LINE, game.game.heading, message, (fact,), hint, game=number, fix=fixes.proven(fix)
    )  # fmt: skip


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
    if game.is_moved:
        return  # that it is, is said already
    if game.exchanged:
        yield _exchanged(match, game)
        return
    if record.score is None or game.added_up is None or record.score == game.added_up:
        return
    if game.carried or game.is_copy:
        return  # the wrong result before it is said already
    if game.games_too_many:
        return  # the match was over: that is said already
    if match.is_money and not game.keeps_score:
        return  # a session whose record keeps no score
    should, stands = game.added_up, record.score
    hint = "the game is judged at the score that stands here"
    if game.misprint:
        hint = "a misprint: the next score line goes on from the right score"
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
    fix = fixes.score(match, game, should)
    after = match.games[game.index + 1].score if game.index + 1 < len(match.games) else None
    if _ends_match(match, game, should):
        return fixes.proven(fix)
    if game.misprint:
        # A score that is level goes on from points in each other's place as well.
        is_told = after is not None and (after[0] != after[1] or game.game.score != should[::-1])
        return fixes.proven(fix) if is_told else fix
    stated, claim = max(game.score_after), game.claim
    is_won = claim is not None and claim.match and stated >= (match.length or stated + 1)
    return None if is_won or (after is not None and after == game.score_after) else fix


def _exchanged(match: Match, game: GameReplay) -> Finding:
    """What of a game stands in the wrong player's place."""
    one, two, number = words.name(match, 0), words.name(match, 1), game.game.number
    if game.exchanged == "cells":
        return Finding(
            codes.SWAPPED, game.game.heading, "all entries of this game stand in each other's column",
            (f"the next score line counts it for {words.name(match, other(game.winner or 0))}",), game=number,
            fix=fixes.mirrored_game(match, game),
        )  # fmt: skip
    goes_on = game.exchanged in ("names on", "points on")
    lines = [each for each in match.games[game.index :] if goes_on and each.left == game.game.left] or [game.game]
    hint = "so do those on the score lines that follow" if goes_on else ""
    if game.exchanged in ("points", "points on"):
        return Finding(
            codes.SCORE_LINE, game.game.score_span, f"the points of {one} and {two} stand in each other's place",
            ("with them exchanged the score line is the sum of the results before it",), hint, game=number,
            fix=fixes.score_lines(match, lines, names=False, points=True),
        )  # fmt: skip
    facts = ("with them exchanged the score line fits the results",)
    return Finding(
        codes.WRONG_NAME, game.game.score_span, f"the names of {one} and {two} stand in each other's place", facts,
        hint, game=number, fix=fixes.score_lines(match, lines, names=True, points=game.game.score == game.added_up),
    )  # fmt: skip


def _ends_match(match: Match, game: GameReplay, before: tuple[int, int]) -> bool:
    """Whether a game that is said to end the match does so from this score, and the stated one is a misprint of it.

    Points too many in one number could be those of a game that is missing.
    """
    claim, stated = game.claim, game.game.score
    if claim is None or not claim.match or not match.length or stated is None or game.points is None:
        return False
    ends = before[claim.player] + game.points >= match.length > stated[claim.player] + game.points
    return (
        ends
        and stated[0] <= before[0]
        and stated[1] <= before[1]
        and before
        in (
            (stated[0], before[1]),
            (before[0], stated[1]),
        )
    )


def check_result(match: Match, game: GameReplay) -> Iterator[Finding]:
    """R20, R22, R44: the stated winner and points follow from board, cube and rules."""
    claim = game.claim
    if game.winner is None:
        if is_position(game.game):
            return  # nobody has played it yet
        message = "the game stops here without a result"
        yield Finding(
            codes.UNFINISHED_GAME,
            _last_span(game),
            message,
            game=game.game.number,
            fix=fixes.proven(_missing_result(match, game)),
        )
        return
    if claim is None:
        return
    carried = _carried_on(match, game)
    if claim.player != game.winner and claim.column_speaks:
        yield _wrong_winner(match, game, claim, carried)
    else:
        yield from _match_end(match, game, claim)
    yield from _points(match, game, claim, carried)
    yield from _resignation(match, game)
    yield from _other_results(match, game, claim)


def _other_results(match: Match, game: GameReplay, claim: ResultClaim) -> Iterator[Finding]:
    """Results beside the one that counts, which give the game to the other player."""
    counts = claim.player if claim.won else other(claim.player)
    for each in game.game.results:
        winner = each.player if each.won else other(each.player)
        is_told = any(one.span.start < each.span.end and each.span.start < one.span.end for one in match.findings)
        if each is not claim and each.column_speaks and winner != counts and not is_told:
            yield Finding(
                codes.WRONG_WINNER, each.span, f"a second result gives the game to {words.name(match, winner)}",
                related=(Related(claim.span, "the result that counts"),), game=game.game.number,
            )  # fmt: skip


def _points(match: Match, game: GameReplay, claim: ResultClaim, carried: tuple[Related, ...]) -> Iterator[Finding]:
    """The points of a result are those that board, cube and rules give, or that the next score line counts."""
    assert game.winner is not None
    winner, points = words.name(match, game.winner), claim.points
    away = (match.length - game.score[game.winner]) if match.length else 0
    if game.scored is not None:
        yield _left_to_score(match, game)
    elif game.by_score:
        if claim.player == game.winner:
            yield _counted(match, game, claim)
    elif points is not None and is_sentinel(points, game.cube):
        yield Finding(
            codes.NOT_A_SCORE, claim.span, f"{points} points are a mark that the game was broken off, not a score",
            game=game.game.number,
        )  # fmt: skip
    elif points is not None and game.earned is not None:
        # Many programs state no more than what was needed, or the whole length of the match.
        capped = claim.match and (match.is_money or (game.earned >= away and points in (away, match.length)))
        capped = capped or (bool(match.length) and points == away < game.earned)
        if points != game.earned and (exported := _without_jacoby(match, game, claim)) is not None:
            yield exported
        elif points != game.earned and not capped:
            yield Finding(
                codes.WRONG_POINTS, claim.span, f"{winner} wins {words.times(game.earned, 'point')} here, not {points}",
                (_worth(match, game),), related=carried, game=game.game.number,
                fix=None if carried else _right_points(match, game, claim, game.earned),
            )  # fmt: skip
    elif points is not None and game.is_odd:
        yield _odd_points(match, game, claim)


def _counted(match: Match, game: GameReplay, claim: ResultClaim) -> Finding:
    """Other points of a game that was given up than its result states; more of them may be those of another game."""
    assert game.winner is not None
    winner, points = words.name(match, game.winner), game.points or 0
    following = tuple(
        Related(each.score_span, "the next score line") for each in match.games[game.index + 1 : game.index + 2]
    )
    fix = fixes.points(match, claim, points)
    if points < (claim.points or 0):
        message, fact = f"{winner} wins {words.times(points, 'point')} here", "the next score line counts no more"
        return Finding(
            codes.WRONG_POINTS, claim.span, f"{message}, not {claim.points}", (fact,), related=following,
            game=game.game.number, fix=fix,
        )  # fmt: skip
    message = f"the next score line counts {words.times(points, 'point')} for {winner} here, not {claim.points}"
    hint = "the result is wrong, or a game is missing after this one"
    return Finding(codes.WRONG_POINTS, claim.span, message, (), hint, related=following, game=game.game.number, fix=fix)


def _wrong_winner(match: Match, game: GameReplay, claim: ResultClaim, carried: tuple[Related, ...]) -> Finding:
    """A result in the column of the player who did not win; or it alone stands in the right one."""
    assert game.winner is not None
    winner, loser = words.name(match, game.winner), words.name(match, claim.player)
    message, hint = f"{winner} won this game, not {loser}", "the result stands in the wrong column"
    fact = "the next score line counts it so" if game.by_score else _how(match, game)
    fix, mirrored = fixes.other_column(match, game, claim, game.winner), fixes.mirrored_game(match, game)
    stated, ends = _ends_by(match, game, claim)
    following = match.games[game.index + 1].score if game.index + 1 < len(match.games) else None
    if carried or (stated and not ends):
        told = "the score goes on from its result" if carried else "only its result ends the match"
        message = f"by its entries {winner} won this game, by its result {loser}, and {told}"
        hint = "all entries of the game stand in each other's column, or its result does"
        hint += " and the score is wrong from here on" if carried else ""
        fix = mirrored
    elif following == game.score_after or (ends and not stated):
        fix = fixes.proven(fix)
    elif mirrored is not None and fix is not None:
        hint += ", or all entries of the game do"
        fix = replace(fix, alternatives=(mirrored,))
    return Finding(
        codes.WRONG_WINNER, claim.span, message, (fact,), hint, carried, game.game.number, player=claim.player, fix=fix
    )


def _ends_by(match: Match, game: GameReplay, claim: ResultClaim) -> tuple[bool, bool]:
    """Whether a result that says so ends the match: for the player in whose column it stands, and for the winner."""
    if not claim.match or not match.length or game.winner is None:
        return False, False
    stated = game.score[claim.player] + (claim.points or 0) >= match.length
    return stated, game.score[game.winner] + (game.points or 0) >= match.length


def _right_points(match: Match, game: GameReplay, claim: ResultClaim, earned: int) -> Fix | None:
    """The points that the board and the cube give; proved unless a beaver of the last game may have been a take."""
    fix = fixes.points(match, claim, earned)
    answers = any(isinstance(turn.entry, Take | Beaver) for turn in game.turns)
    is_open = match.is_money and answers and game.rules.beavers != 0
    is_told = game.index + 1 < len(match.games) and match.games[game.index + 1].score == game.score_after
    return fix if is_open and not is_told else fixes.proven(fix)


def _match_end(match: Match, game: GameReplay, claim: ResultClaim) -> Iterator[Finding]:
    """A result that says that it ends the match does so."""
    after = game.after or game.score_after
    if not claim.match or max(after) >= (match.length or 0) > 0 or match.length is None:
        return
    if match.length:
        message = f"the match is not over: the score is {after[0]}-{after[1]} now"
        facts = (f"it is played to {match.length} points",)
    else:
        others = [each for one in match.games[:-1] for each in one.results if each.match]
        if others or game.index + 1 < len(match.games) or not game.index:
            return  # some programs write every game of a session as a match of its own
        message, facts = "no match is won here", ("the record says that this is a money session",)
    yield Finding(codes.FALSE_MATCH_END, claim.span, message, facts, game=game.game.number)


def _odd_points(match: Match, game: GameReplay, claim: ResultClaim) -> Finding:
    """Points that no resignation gives. A drop gives them where the last entry is a take."""
    hint, related, fix = "", _carried_on(match, game), None
    last = game.turns[-1] if len(game.turns) > 1 else None
    if last is not None and isinstance(last.entry, Take) and isinstance(game.turns[-2].entry, Double):
        doubled = game.turns[-2]
        if claim.points == doubled.state.cube.value and claim.player == doubled.player:
            hint = f"with a drop in place of {words.name(match, last.player)}'s take it fits"
            related, fix = (Related(last.entry.span, "the take"),), fixes.word(match, last.entry, "Drops")
    return Finding(
        codes.ODD_POINTS, claim.span,
        f"{words.times(claim.points or 0, 'point')} cannot be won with the cube at {game.cube}",
        (f"a resignation is worth {game.cube}, {2 * game.cube} or {3 * game.cube} points here",), hint, related,
        game.game.number, fix=fix,
    )  # fmt: skip


def _carried_on(match: Match, game: GameReplay) -> tuple[Related, ...]:
    """The next score line, where it goes on from a stated result that is wrong."""
    if game.index + 1 >= len(match.games):
        return ()
    following = match.games[game.index + 1]
    if following.score is None or following.score != game.stated_after or following.score == game.score_after:
        return ()
    return (Related(following.score_span, "the next score line goes on from this result"),)


def _missing_result(match: Match, game: GameReplay) -> Fix | None:
    """The result that the next score line tells, where it is one that the cube allows."""
    following = match.games[game.index + 1].score if game.index + 1 < len(match.games) else None
    if following is None:
        return None
    gained = (following[0] - game.score[0], following[1] - game.score[1])
    if min(gained) != 0 or max(gained) not in (game.cube, 2 * game.cube, 3 * game.cube):
        return None
    return fixes.missing_result(match, game, 0 if gained[0] else 1, max(gained))


def _resignation(match: Match, game: GameReplay) -> Iterator[Finding]:
    """R23: a resignation gives what the position allows, and not less than what is certain."""
    claim = game.claim
    if game.ending != "resigned" or game.level is None or game.winner is None or claim is None:
        return
    winner, loser = (game.final.mine, game.final.theirs) if game.winner == 0 else (game.final.theirs, game.final.mine)
    who = words.name(match, other(game.winner))
    if game.level > 1 and loser[OFF]:
        message = f"{who} gives up {_LEVELS[game.level]}, but can lose a single game only"
        yield Finding(
            codes.IMPOSSIBLE_RESIGNATION, claim.span, message,
            (f"{who} has borne off {words.checkers(loser[OFF])}",), game=game.game.number,
        )  # fmt: skip
    # With two checkers left on his 1-point the winner is off with his next roll, whatever it is. Who
    # needs all four sixes of a 66 to come home bears none off before.
    elif (
        game.level == 1 and not loser[OFF] and sum(winner[1:]) <= 2 and not any(winner[2:]) and _sixes_home(loser) >= 4
    ):
        if _counts_single(match, game):
            return
        yield Finding(
            codes.LOW_RESIGNATION, claim.span, f"{who} gives up a single game, but a gammon is certain",
            (f"{words.name(match, game.winner)} has {words.checkers(sum(winner[1:]))} left, {who} has borne off none",),
            game=game.game.number,
        )  # fmt: skip


def _sixes_home(side: Checkers) -> int:
    """How many sixes it takes to bring every checker home."""
    return sum(ceil((point - 6) / 6) * side[point] for point in range(7, len(side)))


def _counts_single(match: Match, game: GameReplay) -> bool:
    """Whether a gammon would count no more: by the Jacoby rule, or because the match is won anyway."""
    if match.is_money:
        return game.rules.jacoby is not False and not any(isinstance(turn.entry, Take) for turn in game.turns)
    assert game.winner is not None
    return match.length is not None and game.score[game.winner] + game.cube >= match.length


def _without_jacoby(match: Match, game: GameReplay, claim: ResultClaim) -> Finding | None:
    """A gammon in SGF of GNU Backgammon that the Jacoby rule does not count; None where that is not what is wrong.

    The program states it all the same. Of a game that was given up it counts it, of others it does not.
    """
    if not (game.rules.jacoby and game.is_cube_untouched and names_gnubg(match)):
        return None
    if claim.points not in (2 * game.cube, 3 * game.cube):
        return None
    following = match.games[game.index + 1].score if game.index + 1 < len(match.games) else None
    if following == game.score_after:
        return _left_to_score(match, game)
    if game.ending != "resigned" or following not in (None, game.stated_after):
        return None
    who, level = words.name(match, other(claim.player)), _LEVELS[claim.points // game.cube]
    return Finding(
        codes.IMPOSSIBLE_RESIGNATION, claim.span, f"{who} gives up {level}, but can lose a single game only",
        ("by the Jacoby rule, with no double taken",), game=game.game.number,
    )  # fmt: skip


def _left_to_score(match: Match, game: GameReplay) -> Finding:
    assert game.winner is not None
    assert game.claim is not None
    stated, points = game.claim.points or 0, game.scored or game.earned or 0
    facts = []
    if points < stated and any(isinstance(each, AutomaticDouble) for each in game.game.entries):
        facts.append("the score after it does not count that the cube was turned by itself")
    elif points < stated:
        facts.append("with the Jacoby rule and no double taken a gammon counts as a single game")
        if points % game.cube == 0 and points != game.cube:
            facts.append("the score after it counts that the cube was turned by itself")
    else:
        facts.append("the score after it counts that the cube was turned by itself")
    following = match.games[game.index + 1 : game.index + 2]
    return Finding(
        codes.LEFT_TO_SCORE,
        game.claim.span,
        f"{words.name(match, game.winner)} gets {words.times(points, 'point')} for this game, not {stated}",
        tuple(facts),
        related=tuple(Related(each.score_span, "the score after this game") for each in following),
        game=game.game.number,
    )


def _how(match: Match, game: GameReplay) -> str:
    assert game.winner is not None
    winner = words.name(match, game.winner)
    return {
        "borne off": f"{winner} has borne off all checkers",
        "drop": f"{winner}'s double was dropped",
        "resigned": f"{words.name(match, other(game.winner))} resigned",
    }[game.ending]


def _worth(match: Match, game: GameReplay) -> str:
    if game.ending == "drop":
        return f"{_how(match, game)}, which is worth the cube before it: {game.cube}"
    if game.level is None or game.earned != game.level * game.cube:
        return f"{_how(match, game)}: with the Jacoby rule and no double taken it counts {game.cube}"
    return f"{_how(match, game)}: {_LEVELS[game.level]} with the cube at {game.cube}"


def _last_span(game: GameReplay) -> Span:
    record = game.game
    return record.entries[-1].span if record.entries else record.heading


RULES: Final = (
    Rule(codes=(codes.GAME_MISSING, codes.AFTER_MATCH, codes.GAME_REPEATED), in_game=check_numbering),
    Rule(codes=(codes.SCORE_LINE, codes.WRONG_NAME), in_game=check_score_line),
    Rule(
        codes=(
            codes.UNFINISHED_GAME, codes.WRONG_WINNER, codes.NOT_A_SCORE, codes.WRONG_POINTS, codes.ODD_POINTS,
            codes.FALSE_MATCH_END, codes.IMPOSSIBLE_RESIGNATION, codes.LOW_RESIGNATION, codes.LEFT_TO_SCORE,
        ),
        in_game=check_result,
    ),
)  # fmt: skip
