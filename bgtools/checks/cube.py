"""The doubling cube (codes BG3xx)."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from bgtools.board.perspective import other
from bgtools.checks import _words as words
from bgtools.checks.rule import Rule
from bgtools.decoder.entries import says
from bgtools.findings import codes
from bgtools.findings.finding import Finding, with_article
from bgtools.record.record import Beaver, Double, Drop
from bgtools.rules.cube import CubeReason, CubeViolation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.findings.finding import Code
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay, Turn


def check_cube(match: Match, game: GameReplay) -> Iterator[Finding]:
    """Every cube action is one its player may take, with the right value."""
    if game.is_sound:
        return
    for turn in game.turns:
        for violation in turn.violations:
            # In exchanged columns it was the other player's double, who may have had something to gain.
            if isinstance(violation, CubeViolation) and (
                violation.reason is not CubeReason.DEAD or game.exchanged != "cells"
            ):
                yield _finding(match, game, turn, violation)


def _reading(turn: Turn, violation: CubeViolation) -> str:
    """How a cube action is read, and whether the rest of the game proves that reading."""
    if violation.reason is CubeReason.WRONG_VALUE:
        stood = "it stood: the rest counts the value that is written here"
        misread = f"read as {violation.expected}"
    elif violation.reason is CubeReason.NO_BEAVERS:
        stood, misread = "it stood: the rest counts it", "read as a take"
    else:
        stood, misread = "it stood: the rest counts it", "it is annulled"
    if turn.reading not in ("as written", "left out"):
        return ""
    if turn.reading == "as written":
        return stood if turn.sure else "it stood; what follows fits as well if it did not count"
    if not turn.sure:
        rival = "it stood" if violation.reason is CubeReason.WRONG_VALUE else "it was so"
        return f"{misread}; what follows does not tell whether {rival}"
    if misread == "it is annulled":
        return "it is annulled: the rest does not count it"
    return f"{misread}, which the rest fits"


_PAIR: Final = 2

_MISREAD: Final = frozenset(
    {
        CubeReason.MEANT_TAKE,
        CubeReason.MEANT_DROP,
        CubeReason.MEANT_BEAVER,
        CubeReason.SURPLUS,
        CubeReason.SECOND_ANSWER,
        CubeReason.LATE_ANSWER,
        CubeReason.ANSWER_COLUMN,
        CubeReason.DOUBLE_COLUMN,
    }
)
"""What is found only because another reading of the action makes the rest of the game fit."""


_MEANT: Final = {CubeReason.MEANT_TAKE: "a take", CubeReason.MEANT_DROP: "a drop", CubeReason.MEANT_BEAVER: "a beaver"}


def _misread(match: Match, turn: Turn, reason: CubeReason) -> tuple[Code, str, str]:
    """Code, message and hint of a cube action that has to be read otherwise than it is written."""
    # The turn of an action in the wrong column is that of the player whose action it is.
    me, you = words.name(match, turn.player), words.name(match, other(turn.player))
    does = f"{_word(turn)}s"
    match reason:
        case CubeReason.MEANT_TAKE | CubeReason.MEANT_DROP | CubeReason.MEANT_BEAVER:
            message = f"{me} {does}, but the rest of the game fits {_MEANT[reason]}"
            return codes.WRONG_ANSWER, message, f"it is read as {_MEANT[reason]}"
        case CubeReason.SURPLUS:
            does = "doubles" if isinstance(turn.entry, Double) else does
            return codes.WRONG_CUBE, f"{me} {does}, but the rest of the game does not count it", "it is left out"
        case CubeReason.SECOND_ANSWER:
            message = f"{me} {does}, but answers the same double otherwise as well"
            return codes.NO_OFFER, message, "the rest of the game fits the other answer; this one is left out"
        case CubeReason.LATE_ANSWER:
            return codes.UNANSWERED, f"{me} {does} only after {you}'s roll", "it is read as standing before the roll"
        case CubeReason.ANSWER_COLUMN:
            message = f"{you} cannot {_word(turn)}: the double is {you}'s own"
            return codes.NO_OFFER, message, f"it is read as {me}'s, which the rest of the game fits"
        case _:
            message = f"{you} cannot double here: the double is in the other player's column"
            return codes.OUT_OF_TURN, message, f"it is read as {me}'s, which the rest of the game fits"


def _unanswered(game: GameReplay, turn: Turn, me: str) -> tuple[str, str]:
    """What is wrong with a double that nobody answers, told at the double or at the entry after it, and the hint."""
    if not isinstance(turn.entry, Double):
        return (
            f"the double before this entry was neither taken nor dropped; {me} goes on",
            "it is taken to have been accepted",
        )
    message = f"{me}'s double is neither taken nor dropped"
    if turn.reading == "left out":
        return message, "it is left out: the rest of the game does not count it"
    if turn is game.turns[-1]:
        return message, "the result is that of a drop"
    return message, ""


def _word(turn: Turn) -> str:
    return "drop" if isinstance(turn.entry, Drop) else "beaver" if isinstance(turn.entry, Beaver) else "take"


def _finding(match: Match, game: GameReplay, turn: Turn, violation: CubeViolation) -> Finding:
    me, you = words.name(match, turn.player), words.name(match, other(turn.player))
    cube = turn.state.cube
    facts: tuple[str, ...] = ()
    hint = ""
    code: Code
    match violation.reason:
        case reason if reason in _MISREAD:
            code, message, hint = _misread(match, turn, reason)
        case CubeReason.NOT_YOUR_CUBE:
            code, message = codes.NOT_YOUR_CUBE, f"{me} cannot double: {you} owns the cube"
            facts = (f"the cube is at {cube.value}",)
        case CubeReason.OPENING:
            code, message = codes.OPENING_CUBE, f"{me} cannot double before the opening roll"
        case CubeReason.CRAWFORD:
            code, message = codes.CRAWFORD_DOUBLE, f"{me} cannot double: this is the Crawford game"
            score = f"{game.score[0]}-{game.score[1]}"
            where = f"at {score} in {with_article(match.length or 0)}-point match"
            facts = (f"{where} a player first stands one point from winning",)
            hint = 'without the Crawford rule, write [Crawford "Off"] among the tags'
        case CubeReason.HOLLAND:
            code, message = codes.HOLLAND_DOUBLE, f"{me} cannot double yet, by the Holland rule"
            facts = ("after the Crawford game each side plays two rolls first",)
        case CubeReason.OUT_OF_TURN:
            code, message = codes.OUT_OF_TURN, f"{me} cannot double: {you} is on roll"
            facts = ("a double is offered before one's own roll",)
        case CubeReason.UNANSWERED:
            code, (message, hint) = codes.UNANSWERED, _unanswered(game, turn, me)
        case CubeReason.NO_OFFER:
            code, message = codes.NO_OFFER, f"{me} cannot {_word(turn)}: no double was offered"
            if turn.reading in ("inserted", "other column"):
                hint = "the rest of the game counts one: it is missing before this entry"
        case CubeReason.WRONG_VALUE:
            code, message = (
                codes.WRONG_CUBE,
                f"the cube goes from {cube.value} to {violation.expected}, not to {violation.claimed}",
            )
        case CubeReason.NO_BEAVERS:
            code, message = codes.BEAVER_NOT_ALLOWED, f"{me} cannot beaver here"
            facts, hint = _beavers(match, game, turn)
        case CubeReason.OWN_BEAVER:
            code, message, hint = codes.OWN_BEAVER, f"{me} cannot beaver: the double is {me}'s own", "it is left out"
        case CubeReason.NO_AUTOMATIC:
            code, message = codes.NO_AUTOMATIC, "the cube is not turned by itself here"
            facts = (_automatic(match),)
        case CubeReason.DEAD:
            code, message = codes.DEAD_CUBE, f"{me}'s double can gain nothing"
            facts = (f"the cube at {cube.value} is enough to win the match",)
        case CubeReason.LIMIT:
            code, message = codes.CUBE_LIMIT, f"{me} cannot double to {violation.claimed}"
            facts = (f"the record limits the cube to {violation.expected}",)
    if _is_copy(game, turn):
        hint = "the double and its answer before it are written a second time"
    elif violation.reason not in _MISREAD | {CubeReason.UNANSWERED, CubeReason.NO_OFFER, CubeReason.OWN_BEAVER}:
        hint = "; ".join(filter(None, (hint, _reading(turn, violation))))
    return Finding(
        code, turn.entry.span, message, facts, hint,
        game=game.game.number, turn=turn.number, row=game.row_of(turn), entry=turn.index + 1, player=turn.player,
    )  # fmt: skip


def _beavers(match: Match, game: GameReplay, turn: Turn) -> tuple[tuple[str, ...], str]:
    """How many beavers the rules of the record have, and how to state more."""
    if match.length:
        return ("a match has no beavers",), ""
    if not game.rules.beavers:
        return ("the record does not say that beavers are played",), 'write [Beaver "On"] among the tags where they are'
    fact = f"the rules of the record let a double be doubled back {words.times(game.rules.beavers, 'time')} running"
    return (fact,), f'write [Beaver "{_running(game, turn)}"] among the tags where more are played'


def _running(game: GameReplay, turn: Turn) -> int:
    """How many beavers and raccoons stand in a row up to this one."""
    before = takewhile(lambda each: isinstance(each.entry, Beaver), reversed(game.turns[: turn.index + 1]))
    return sum(1 for _ in before)


def _is_copy(game: GameReplay, turn: Turn) -> bool:
    """Whether a double and its answer say the same as those right before them."""
    entries, at = game.game.entries, turn.index
    if at < _PAIR or not isinstance(turn.entry, Double) or turn.entry is not entries[at]:
        return False
    return [*map(says, entries[at - _PAIR : at])] == [*map(says, entries[at : at + _PAIR])]


def _automatic(match: Match) -> str:
    if match.length:
        return "a match has no automatic doubles"
    allowed = match.rules.automatic_doubles or 0
    return f"the rules of the record allow {words.times(allowed, 'automatic double')} before the opening roll"


RULE: Final = Rule(
    codes=(
        codes.NOT_YOUR_CUBE, codes.OPENING_CUBE, codes.CRAWFORD_DOUBLE, codes.HOLLAND_DOUBLE, codes.OUT_OF_TURN,
        codes.UNANSWERED, codes.NO_OFFER, codes.WRONG_CUBE, codes.BEAVER_NOT_ALLOWED, codes.OWN_BEAVER,
        codes.NO_AUTOMATIC, codes.DEAD_CUBE, codes.CUBE_LIMIT, codes.WRONG_ANSWER,
    ),
    in_game=check_cube,
)  # fmt: skip
