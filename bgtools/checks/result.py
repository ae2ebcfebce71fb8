"""Results: who has won a game, and how many points (codes BG4xx)."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from itertools import accumulate, pairwise
from math import ceil
from typing import TYPE_CHECKING, Final

from bgtools.board.board import OFF
from bgtools.board.perspective import other, view
from bgtools.checks import _words as words
from bgtools.checks.rule import Rule
from bgtools.findings import codes
from bgtools.findings.finding import Amendment, Finding, Related
from bgtools.record.points import is_sentinel
from bgtools.record.producers import names_gnubg
from bgtools.record.record import AutomaticDouble, Double, ResultClaim, Take, is_position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.board import Checkers
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay
    from bgtools.source import Span

_LEVELS: Final = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


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
            remedy=_missing_result(match, game),
        )
        return
    if claim is None or game.misplaced == "previous":
        return
    if game.misplaced == "next":
        yield _exchanged_results(match, game, claim)
        return
    carried = _carried_on(match, game)
    if claim.player != game.winner and claim.column_speaks:
        yield _wrong_winner(match, game, claim, carried)
    else:
        yield from _match_end(match, game, claim)
    yield from _points(match, game, claim, carried)
    yield from _resignation(match, game)
    yield from _other_results(match, game, claim)


def _exchanged_results(match: Match, game: GameReplay, claim: ResultClaim) -> Finding:
    """A result that is that of the next game, whose result is that of this one."""
    following = match.games[game.index + 1]
    other_claim = next(each for each in following.results if each.won)
    message = f"the results of {words.games(game.game, following)} stand in each other's place"
    here, there = (
        f"{words.name(match, each.player)} wins {words.times(each.points or 0, 'point')}"
        for each in (other_claim, claim)
    )
    facts = (f"by board, cube and score {here} in this game, and {there} in the next one",)
    return Finding(
        codes.WRONG_POINTS, claim.span, message, facts, "they are counted so",
        (Related(other_claim.span, "the result of the next game"),), game.game.number,
    )  # fmt: skip


def _other_results(match: Match, game: GameReplay, claim: ResultClaim) -> Iterator[Finding]:
    """Results beside the one that counts, which give the game to the other player."""
    results = game.game.results
    # Where the columns of a game are exchanged, the claim is turned round. So results are compared as they are written.
    stated = next((each for each in results if each.won), claim)
    counts = (stated if stated.column_speaks else claim).winner
    others = [each for each in results if each is not stated and each.column_speaks and each.winner != counts]
    # How far the findings reach that begin before a place tells whether one of them covers the place.
    told = sorted((one.span.start, one.span.end) for one in match.findings) if others else []
    following = match.games[game.index + 1].score if game.index + 1 < len(match.games) else None
    # Board and cube, or the next score line, tell which result counts.
    is_told = game.earned is not None if following is None else following == game.score_after
    is_told = is_told and claim.player == game.winner
    reach = list(accumulate((end for _, end in told), max))
    for each in others:
        before = bisect_left(told, (each.span.end, 0))
        if not before or reach[before - 1] <= each.span.start:
            yield Finding(
                codes.WRONG_WINNER, each.span, f"a second result gives the game to {words.name(match, each.winner)}",
                related=(Related(claim.span, "the result that counts"),), game=game.game.number,
                remedy=Amendment(each, None, safe=is_told),
            )  # fmt: skip


def _points(match: Match, game: GameReplay, claim: ResultClaim, carried: tuple[Related, ...]) -> Iterator[Finding]:
    """The points of a result are those that board, cube and rules give, or that the next score line counts."""
    points = claim.points
    if game.scored is not None:
        yield _left_to_score(match, game)
    elif game.by_score:
        if claim.player == game.winner:
            yield _counted(match, game, claim)
    elif points is None:
        return
    elif is_sentinel(points, game.cube):
        yield Finding(
            codes.NOT_A_SCORE, claim.span, f"{points} points are a mark that the game was broken off, not a score",
            game=game.game.number,
        )  # fmt: skip
    elif game.earned is None:
        if game.is_odd:
            yield _odd_points(match, game, claim)
    elif points != game.earned:
        exported = _without_jacoby(match, game, claim)
        if exported is not None:
            yield exported
        elif not _is_capped(match, game, claim, game.earned):
            yield _wrong_points(match, game, claim, game.earned, _worth(match, game), carried)


def _wrong_points(
    match: Match,
    game: GameReplay,
    claim: ResultClaim,
    points: int,
    fact: str,
    related: tuple[Related, ...] = (),
) -> Finding:
    """A result that states other points than the winner has won.

    Args:
        match: the record.
        game: the game.
        claim: its result.
        points: what the winner has won.
        fact: what proves that.
        related: the score line that counts these points, or the wrong ones.
    """
    message = f"{words.name(match, game.winner or 0)} wins {words.times(points, 'point')} here, not {claim.points}"
    return Finding(codes.WRONG_POINTS, claim.span, message, (fact,), related=related, game=game.game.number)


def _counted(match: Match, game: GameReplay, claim: ResultClaim) -> Finding:
    """A game that was given up, for which the next score line counts other points than the result states."""
    points = game.points or 0
    following = tuple(
        Related(each.score_span, "the next score line") for each in match.games[game.index + 1 : game.index + 2]
    )
    if points < (claim.points or 0):
        return _wrong_points(match, game, claim, points, "the next score line counts no more", following)
    winner = words.name(match, game.winner or 0)
    message = f"the next score line counts {words.times(points, 'point')} for {winner} here, not {claim.points}"
    hint = "the result is wrong, or a game is missing after this one"
    return Finding(codes.WRONG_POINTS, claim.span, message, (), hint, related=following, game=game.game.number)


def _is_capped(match: Match, game: GameReplay, claim: ResultClaim, earned: int) -> bool:
    """Whether a result states the points that the match needed, or its whole length, as many programs do."""
    assert game.winner is not None
    if not match.length:
        return claim.match
    away = match.length - game.score[game.winner]
    if claim.points == away < earned:
        return True
    return claim.match and earned >= away and claim.points in (away, match.length)


def _wrong_winner(match: Match, game: GameReplay, claim: ResultClaim, carried: tuple[Related, ...]) -> Finding:
    """A result in the loser's column. Where the score counts it, all entries may be in the wrong column instead."""
    assert game.winner is not None
    winner, loser = words.name(match, game.winner), words.name(match, claim.player)
    message, hint = f"{winner} won this game, not {loser}", "the result is in the wrong column"
    fact = "the next score line counts it so" if game.by_score else _how(match, game)
    stated, ends = _ends_by(match, game, claim)
    following = match.games[game.index + 1].score if game.index + 1 < len(match.games) else None
    if carried or (stated and not ends):
        told = "the score goes on from its result" if carried else "only its result ends the match"
        message = f"by its entries {winner} won this game, by its result {loser}, and {told}"
        hint = "all entries of the game stand in each other's column, or its result does"
        hint += " and the score is wrong from here on" if carried else ""
    elif _may_be_names(match, game):
        # Exchanged names on all later score lines would explain the result as well.
        hint += ", or the names on the score lines below it do in each other's"
    elif following != game.score_after and not (ends and not stated):
        hint += ", or all entries of the game do"
    return Finding(
        codes.WRONG_WINNER, claim.span, message, (fact,), hint, carried, game.game.number, player=claim.player
    )


def _may_be_names(match: Match, game: GameReplay) -> bool:
    """Whether the names may be what is wrong: they change sides after this game alone, which was given up."""
    sides = [each.left for each in match.games]
    own = sides[game.index]
    changes = [one != two for one, two in pairwise(sides)]
    return game.ending == "resigned" and sum(changes) == 1 and sides[game.index + 1 : game.index + 2] == [other(own)]


def _ends_by(match: Match, game: GameReplay, claim: ResultClaim) -> tuple[bool, bool]:
    """Whether a result that claims to end the match ends it: by the winner that it states, and by the winner found."""
    if not claim.match or not match.length or game.winner is None:
        return False, False
    stated = game.score[claim.player] + (claim.points or 0) >= match.length
    return stated, game.score[game.winner] + (game.points or 0) >= match.length


def _match_end(match: Match, game: GameReplay, claim: ResultClaim) -> Iterator[Finding]:
    """A result that says that it ends the match does so."""
    after = game.after or game.score_after
    if not claim.match or max(after) >= (match.length or 0) > 0 or match.length is None:
        return
    if match.length:
        if _ends_by(match, game, claim)[0]:
            return  # by its points it does; that those are wrong is told
        message = f"the match is not over: the score is {after[0]}-{after[1]} now"
        facts = (f"it is played to {match.length} points",)
    else:
        others = [each for one in match.games[:-1] for each in one.results if each.match]
        if others or game.index + 1 < len(match.games) or not game.index:
            return  # some programs write every game of a session as a match of its own
        message, facts = "no match is won here", ("the record says that this is a money session",)
    yield Finding(codes.FALSE_MATCH_END, claim.span, message, facts, game=game.game.number)


def _odd_points(match: Match, game: GameReplay, claim: ResultClaim) -> Finding:
    """Points that no resignation gives. Where the last entry is a take, a drop in its place may give them."""
    hint, related = "", _carried_on(match, game)
    last = game.turns[-1] if len(game.turns) > 1 else None
    if last is not None and isinstance(last.entry, Take) and isinstance(game.turns[-2].entry, Double):
        doubled = game.turns[-2]
        if claim.points == doubled.state.cube.value and claim.player == doubled.player:
            hint = f"with a drop in place of {words.name(match, last.player)}'s take it fits"
            related = (Related(last.entry.span, "the take"),)
    return Finding(
        codes.ODD_POINTS, claim.span,
        f"{words.times(claim.points or 0, 'point')} cannot be won with the cube at {game.cube}",
        (f"a resignation is worth {game.cube}, {2 * game.cube} or {3 * game.cube} points here",), hint, related,
        game.game.number,
    )  # fmt: skip


def _carried_on(match: Match, game: GameReplay) -> tuple[Related, ...]:
    """The next score line, where it counts a stated result that is wrong."""
    if game.index + 1 >= len(match.games):
        return ()
    following = match.games[game.index + 1]
    if following.score is None or following.score != game.stated_after or following.score == game.score_after:
        return ()
    return (Related(following.score_span, "the next score line goes on from this result"),)


def _missing_result(match: Match, game: GameReplay) -> Amendment | None:
    """A result for a game that has none: that of the next score line, where the cube allows it."""
    following = match.games[game.index + 1].score if game.index + 1 < len(match.games) else None
    if following is None:
        return None
    gained = (following[0] - game.score[0], following[1] - game.score[1])
    if min(gained) != 0 or max(gained) not in (game.cube, 2 * game.cube, 3 * game.cube):
        return None
    won = ResultClaim(player=0 if gained[0] else 1, points=max(gained))
    return Amendment(match.games[game.index], replace(match.games[game.index], results=(won,)), safe=True)


def _resignation(match: Match, game: GameReplay) -> Iterator[Finding]:
    """R23: a resignation gives up no more than can be lost, and no less than is certain to be lost."""
    claim = game.claim
    if game.ending != "resigned" or game.level is None or game.winner is None or claim is None:
        return
    final = view(game.final, game.winner)
    winner, loser = final.mine, final.theirs
    who = words.name(match, other(game.winner))
    if game.level > 1 and loser[OFF]:
        message = f"{who} gives up {_LEVELS[game.level]}, but can lose a single game only"
        yield Finding(
            codes.IMPOSSIBLE_RESIGNATION, claim.span, message,
            (f"{who} has borne off {words.checkers(loser[OFF])}",), game=game.game.number,
        )  # fmt: skip
    # With two checkers left on their 1-point the winner is off with their next roll, whatever it is. A
    # loser who needs all four sixes of a 66 to come home bears none off before that.
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

    The program states such a gammon. Its score counts the gammon if the game was resigned, and not otherwise.
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


RULE: Final = Rule(
    codes=(
        codes.UNFINISHED_GAME, codes.WRONG_WINNER, codes.NOT_A_SCORE, codes.WRONG_POINTS, codes.ODD_POINTS,
        codes.FALSE_MATCH_END, codes.IMPOSSIBLE_RESIGNATION, codes.LOW_RESIGNATION, codes.LEFT_TO_SCORE,
    ),
    in_game=check_result,
)  # fmt: skip
