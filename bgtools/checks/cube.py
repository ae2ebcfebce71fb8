"""The doubling cube (codes BG3xx)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.board import other
from bgtools.checks import _fixes as fixes
from bgtools.checks import _words as words
from bgtools.checks.rule import Rule
from bgtools.findings import Finding, Fix, codes
from bgtools.record import Beaver, Double, Drop, Take
from bgtools.rules import CubeReason, CubeViolation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.findings import Code
    from bgtools.record import Match
    from bgtools.replayer import GameReplay, Turn


def check_cube(match: Match, game: GameReplay) -> Iterator[Finding]:
    """Every cube action is one its player may take, with the right value."""
    if game.is_sound:
        return
    for turn in game.turns:
        for violation in turn.violations:
            if isinstance(violation, CubeViolation):
                yield _finding(match, game, turn, violation)


def _reading(turn: Turn, violation: CubeViolation) -> str:
    """How the action is read, and whether what follows tells that it was so."""
    if violation.reason is CubeReason.WRONG_VALUE:
        stood = "it stood: the rest counts the value that is written here"
        misread = f"read as {violation.expected}"
    elif violation.reason is CubeReason.NO_BEAVERS:
        stood, misread = "it stood: the rest counts it", "read as a take"
    else:
        stood, misread = "it stood: the rest counts it", "it is annulled"
    if turn.reading not in ("as written", "left out"):
        return ""
    if not turn.sure:
        if violation.reason is CubeReason.WRONG_VALUE and turn.reading == "left out":
            return f"{misread}; what follows does not tell whether it was so"
        return "what follows fits whether it counted or not"
    if turn.reading == "as written":
        return stood
    return (
        f"{misread}: the rest does not count it" if misread == "it is annulled" else f"{misread}, which the rest fits"
    )


_MISREAD: Final = frozenset(
    {
        CubeReason.WRONG_ANSWER,
        CubeReason.SECOND_ANSWER,
        CubeReason.LATE_ANSWER,
        CubeReason.ANSWER_COLUMN,
        CubeReason.DOUBLE_COLUMN,
    }
)
"""What is found only because another reading of the action makes the rest of the game fit."""


def _misread(match: Match, turn: Turn, reason: CubeReason) -> tuple[Code, str, str]:
    """Code, message and hint of a cube action that has to be read otherwise than it is written."""
    # Where the column is wrong the turn is that of the player whose action it is.
    me, you = words.name(match, turn.player), words.name(match, other(turn.player))
    does = _does(turn)
    match reason:
        case CubeReason.WRONG_ANSWER:
            answer = "a beaver" if isinstance(turn.entry, Take) else "a take"
            message = f"{me} {does}, but the rest of the game fits {answer}"
            return codes.WRONG_ANSWER, message, f"it is read as {answer}"
        case CubeReason.SECOND_ANSWER:
            message = f"{me} {does}, but answers the same double otherwise as well"
            return codes.NO_OFFER, message, "the rest of the game fits the other answer; this one is left out"
        case CubeReason.LATE_ANSWER:
            return codes.UNANSWERED, f"{me} {does} only after {you}'s roll", "it is read as standing before the roll"
        case CubeReason.ANSWER_COLUMN:
            message = f"{you} cannot {_word(turn)}: the double is {you}'s own"
            return codes.NO_OFFER, message, f"it is read as {me}'s, which the rest of the game fits"
        case _:
            message = f"{you} cannot double here: the double stands in the other player's column"
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


def _does(turn: Turn) -> str:
    return f"{_word(turn)}s"


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
            facts = (f"the cube stands at {cube.value}",)
        case CubeReason.OPENING:
            code, message = codes.OPENING_CUBE, f"{me} cannot double before the opening roll"
        case CubeReason.CRAWFORD:
            code, message = codes.CRAWFORD_DOUBLE, f"{me} cannot double: this is the Crawford game"
            score = f"{game.score[0]}-{game.score[1]}"
            facts = (f"at {score} in a {match.length}-point match a player first stands one point from winning",)
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
            facts = (
                ("a match has no beavers",) if match.length else ("the record does not say that beavers are played",)
            )
            hint = "" if match.length else 'write [Beaver "On"] among the tags where they are'
        case CubeReason.OWN_BEAVER:
            code, message = codes.OWN_BEAVER, f"{me} cannot beaver: the double is {me}'s own"
        case CubeReason.NO_AUTOMATIC:
            code, message = codes.NO_AUTOMATIC, "the cube is not turned by itself here"
            facts = (_automatic(match),)
        case CubeReason.DEAD:
            code, message = codes.DEAD_CUBE, f"{me}'s double can gain nothing"
            facts = (f"the cube at {cube.value} is enough to win the match",)
        case CubeReason.LIMIT:
            code, message = codes.CUBE_LIMIT, f"{me} cannot double to {violation.claimed}"
            facts = (f"the record limits the cube to {violation.expected}",)
    if violation.reason not in _MISREAD | {CubeReason.UNANSWERED, CubeReason.NO_OFFER}:
        hint = "; ".join(filter(None, (hint, _reading(turn, violation))))
    return Finding(
        code, turn.entry.span, message, facts, hint,
        game=game.game.number, turn=turn.number, entry=turn.index + 1, player=turn.player,
        fix=fixes.proven(_fix(match, game, turn, violation)),
    )  # fmt: skip


def _fix(match: Match, game: GameReplay, turn: Turn, violation: CubeViolation) -> Fix | None:
    """The value that the cube had, or another answer, where the rest of the game counts that."""
    if violation.reason is CubeReason.WRONG_ANSWER and isinstance(turn.entry, Beaver):
        return fixes.instead(match, turn.entry, "Takes")
    if violation.reason is CubeReason.WRONG_ANSWER and isinstance(turn.entry, Take):
        return fixes.instead(match, turn.entry, f"Beavers => {4 * turn.state.cube.value}")
    if violation.reason is CubeReason.WRONG_ANSWER:
        return fixes.word(match, turn.entry, "Takes")
    if violation.reason is CubeReason.SECOND_ANSWER:
        return fixes.blank(match, turn.entry)
    if turn.reading != "left out":
        return None
    if violation.reason is CubeReason.WRONG_VALUE and violation.claimed and violation.expected:
        return fixes.number(match, turn.entry.span, violation.claimed, violation.expected)
    if violation.reason is CubeReason.NO_BEAVERS:
        following = game.turns[turn.index + 1 : turn.index + 2]
        if not any(isinstance(each.entry, Beaver) for each in following):
            return fixes.instead(match, turn.entry, "Takes")
    return None


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
