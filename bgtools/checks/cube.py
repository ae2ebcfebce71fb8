"""The doubling cube (codes BG3xx)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.board import other
from bgtools.checks import _fixes as fixes
from bgtools.checks import _words as words
from bgtools.checks.rule import Rule
from bgtools.findings import Finding, Fix, codes
from bgtools.record import Beaver, Drop
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
    """Whether what follows counts the action."""
    if violation.reason is CubeReason.WRONG_VALUE:
        stood = "it stood: the rest counts the value that is written here"
        misread = f"read as {violation.expected}, which the rest fits"
    elif violation.reason is CubeReason.NO_BEAVERS:
        stood, misread = "it stood: the rest counts it", "read as a take, which the rest fits"
    else:
        stood, misread = "it stood: the rest counts it", "it is annulled: the rest does not count it"
    return {"as written": stood, "left out": misread}.get(turn.reading, "")


def _finding(match: Match, game: GameReplay, turn: Turn, violation: CubeViolation) -> Finding:
    me, you = words.name(match, turn.player), words.name(match, other(turn.player))
    cube = turn.state.cube
    facts: tuple[str, ...] = ()
    hint = ""
    code: Code
    match violation.reason:
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
            code, message = (
                codes.UNANSWERED,
                f"the double before this entry was neither taken nor dropped; {me} goes on",
            )
            hint = "it is taken to have been accepted"
        case CubeReason.NO_OFFER:
            word = "drop" if isinstance(turn.entry, Drop) else "beaver" if isinstance(turn.entry, Beaver) else "take"
            code, message = codes.NO_OFFER, f"{me} cannot {word}: no double was offered"
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
    hint = "; ".join(filter(None, (hint, _reading(turn, violation))))
    return Finding(
        code, turn.entry.span, message, facts, hint,
        game=game.game.number, turn=turn.number, entry=turn.index + 1, player=turn.player,
        fix=_fix(match, game, turn, violation),
    )  # fmt: skip


def _fix(match: Match, game: GameReplay, turn: Turn, violation: CubeViolation) -> Fix | None:
    """The value that the cube had, or a take for a beaver, where the rest of the game counts that."""
    if turn.reading != "left out":
        return None
    if violation.reason is CubeReason.WRONG_VALUE and violation.claimed and violation.expected:
        return fixes.number(match, turn.entry.span, violation.claimed, violation.expected)
    if violation.reason is CubeReason.NO_BEAVERS and match.source is not None:
        following = game.turns[turn.index + 1 : turn.index + 2]
        if not any(isinstance(each.entry, Beaver) for each in following):
            return fixes.edit(match.source, turn.entry.span, "Takes")
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
        codes.NO_AUTOMATIC, codes.DEAD_CUBE, codes.CUBE_LIMIT,
    ),
    in_game=check_cube,
)  # fmt: skip
