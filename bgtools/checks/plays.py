"""Dice and checker plays (codes BG2xx)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.board import Reason, Violation, are_dice, legal_plays, other
from bgtools.checks import _fixes as fixes
from bgtools.checks import _words as words
from bgtools.checks.rule import Rule
from bgtools.findings import Code, Finding, Fix, codes
from bgtools.record import CheckerPlay, Resign
from bgtools.replayer import OrderViolation, TurnFault, says
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.record import Match
    from bgtools.replayer import GameReplay, Turn

_CODES: Final[dict[Reason, Code]] = {
    Reason.BAD_DICE: codes.BAD_DICE,
    Reason.NO_CHECKER: codes.NO_CHECKER,
    Reason.BLOCKED: codes.BLOCKED,
    Reason.BAR_FIRST: codes.BAR_FIRST,
    Reason.BACKWARDS: codes.BACKWARDS,
    Reason.WRONG_DIE: codes.WRONG_DIE,
    Reason.TOO_MANY_HOPS: codes.TOO_MANY_HOPS,
    Reason.NOT_HOME: codes.NOT_HOME,
    Reason.HIGHER_CHECKER: codes.HIGHER_CHECKER,
    Reason.DIE_UNPLAYED: codes.DIE_UNPLAYED,
    Reason.LARGER_DIE: codes.LARGER_DIE,
}


def check_plays(match: Match, game: GameReplay) -> Iterator[Finding]:
    """Every play is legal on the board that the entries before it left."""
    if game.is_sound:
        return
    ended = False
    for turn in game.turns:
        for violation in turn.violations:
            if isinstance(violation, Violation):
                yield _play(match, game, turn, violation)
            elif isinstance(violation, OrderViolation):
                # The first entry after the end says it; the rest of them add nothing.
                if violation.fault is TurnFault.AFTER_END:
                    if ended:
                        continue
                    ended = True
                # The reader has said already what it could not read.
                if violation.fault is TurnFault.UNKNOWN_PLAY and is_unreadable(turn):
                    continue
                yield _order(match, game, turn, violation)
        if turn.play is not None:
            yield from _stars(match, game, turn)


def is_unreadable(turn: Turn) -> bool:
    """Whether the reader could not make out the play behind the dice."""
    return isinstance(turn.entry, CheckerPlay) and turn.entry.text.kind == "unreadable"


def _finding(
    code: Code,
    game: GameReplay,
    turn: Turn,
    message: str,
    facts: tuple[str, ...] = (),
    hint: str = "",
    hop: int | None = None,
    fix: Fix | None = None,
) -> Finding:
    entry = turn.entry
    span = entry.span
    if hop is not None and isinstance(entry, CheckerPlay):
        group = entry.text.hops[hop]
        span = Span(entry.text_at + group.start, entry.text_at + group.end)
    return Finding(
        code,
        span,
        message,
        facts,
        hint,
        game=game.game.number,
        turn=turn.number,
        entry=turn.index + 1,
        player=entry.player,
        fix=fix,
    )


def _play(match: Match, game: GameReplay, turn: Turn, violation: Violation) -> Finding:
    entry = turn.entry
    assert isinstance(entry, CheckerPlay)
    dice = entry.dice
    assert dice is not None
    me, you = words.name(match, turn.player), words.name(match, other(turn.player))
    reason = violation.reason
    code = _CODES[reason]
    message, fact = words.explanation(violation, turn.before, dice, entry.text.hops, me, you)
    plays = legal_plays(turn.before, dice) if reason is not Reason.BAD_DICE else ()
    if plays and not plays[0].hops:
        code = codes.NO_PLAY
        message = f"{me} plays {words.shortened(str(entry.text))}, but nothing can be played with {words.roll(dice)}"
    facts = (fact,) if fact else ()
    return _finding(code, game, turn, message, facts, _hint(turn), violation.hop, fixes.play(match, turn))


def _missing(turn: Turn, violation: OrderViolation, you: str) -> str:
    if turn.reading == "left out":
        return "this entry is left out; without it the rest fits best"
    return _supposed(violation, f"{you}'s turn before this one is missing; the rest fits")


def _supposed(violation: OrderViolation, what: str) -> str:
    """With which play in the missing turn the rest fits."""
    if violation.possible is None or violation.dice is None:
        return f"{what} if nothing was played in it"
    return f"{what} if it was {words.roll(violation.dice)}: {words.play(violation.possible)}"


def _hint(turn: Turn) -> str:
    """How the replay went on, and what that tells about the slip."""
    if turn.reading == "as written":
        roll = fixes.other_roll(turn)
        if roll is not None and not (
            isinstance(turn.entry, CheckerPlay) and turn.entry.dice and are_dice(turn.entry.dice)
        ):
            return f"mis-transcribed: read as {words.roll(roll)}, with which the play is legal"
        if turn.fits > 0:
            or_roll = f"; or the roll was {words.roll(roll)}" if roll is not None else ""
            fits = words.fit(turn.fits)
            return f"the game goes on from the board that this play leaves: {fits}, so it stood{or_roll}"
        return "the game goes on from the board that this play leaves"
    if turn.reading == "left out":
        if turn.complete and isinstance(turn.entry, CheckerPlay) and turn.entry.text.kind in ("nothing", "dance"):
            return "the game goes on from the board before it and fits, so nothing was played and it stood"
        return "the play is left out, and the game goes on from the board before it"
    if turn.reading == "corrected" and turn.guess is not None:
        fits = f"; {words.fit(turn.fits)} then" if turn.fits > 0 else ""
        guess = words.play(turn.guess)
        return f"mis-transcribed: read as {guess}, the play of this roll that fits what follows best{fits}"
    return ""


def _order(match: Match, game: GameReplay, turn: Turn, violation: OrderViolation) -> Finding:
    me, you = words.name(match, turn.player), words.name(match, other(turn.player))
    entry = turn.entry
    dice = words.roll(entry.dice) if isinstance(entry, CheckerPlay) and entry.dice else "this roll"
    match violation.fault:
        case TurnFault.OPENING_DOUBLE:
            return _finding(
                codes.OPENING_DOUBLE, game, turn, f"the first roll of a game cannot be {dice}",
                ("each player rolls one die, and equal dice are rolled again",),
            )  # fmt: skip
        case TurnFault.TURN_MISSING:
            return _finding(
                codes.TURN_MISSING, game, turn, f"{me} has two turns running; {you} was on roll",
                hint=_missing(turn, violation, you),
            )  # fmt: skip
        case TurnFault.AFTER_END:
            after = (
                "the match was resigned"
                if any(isinstance(t.entry, Resign) for t in game.turns)
                else "the game was over"
            )
            return _finding(codes.AFTER_END, game, turn, f"{after} before this entry", _end_facts(match, game),
                fix=fixes.blank(match, entry) if turn is game.turns[-1] else None,
            )  # fmt: skip
        case TurnFault.WRONG_STARTER:
            return _finding(
                codes.WRONG_STARTER, game, turn, f"{you} won the game before and starts this one, not {me}",
                ("the record is judged by the rule that the winner starts",),
            )  # fmt: skip
        case TurnFault.REPEATED:
            return _finding(
                codes.REPEATED_TURN, game, turn, f"{me}'s turn before is written a second time",
                hint="the copy is left out", fix=_without_copies(match, game, turn),
            )  # fmt: skip
        case TurnFault.WRONG_COLUMN:
            return _finding(
                codes.WRONG_COLUMN, game, turn, f"this turn stands in {you}'s column, but it is {me}'s",
                (f"{you} has just rolled",), "it is read as if it stood in the other column",
            )  # fmt: skip
        case TurnFault.SWAPPED_ON:
            return _finding(
                codes.SWAPPED, game, turn, "from here on all turns stand in each other's column",
                hint="they are read the other way round",
            )  # fmt: skip
        case TurnFault.MOVED_UP:
            message = f"{you}'s turn before this one is missing, and all that follows has moved up"
            return _finding(
                codes.TURN_MISSING, game, turn, message,
                hint=_supposed(violation, "the rest fits in the other columns"),
            )  # fmt: skip
        case TurnFault.SWAPPED:
            return _finding(
                codes.SWAPPED, game, turn, f"the turns of {me} and {you} stand in each other's column",
                hint="they are read the other way round",
                fix=fixes.exchanged(match, entry, game.turns[turn.index + 1].entry),
            )  # fmt: skip
        case TurnFault.PLAY_EXISTED:
            assert violation.possible is not None
            return _finding(
                codes.FALSE_DANCE, game, turn, f"{me} could have played {dice}",
                (f"{dice} was playable: {words.play(violation.possible)}",), _hint(turn),
                fix=fixes.play(match, turn),
            )  # fmt: skip
        case TurnFault.UNKNOWN_PLAY:
            message = f"what {me} played with {dice} is not recorded"
            if isinstance(entry, CheckerPlay) and entry.dice is None and entry.text.hops:
                message = f"with which roll {me} played {entry.text} is not recorded"
            return _finding(codes.UNKNOWN_PLAY, game, turn, message, hint=_hint(turn), fix=fixes.play(match, turn))
        case TurnFault.FORCED_PLAY:
            assert violation.possible is not None
            assert isinstance(entry, CheckerPlay)
            forced = words.play(violation.possible)
            message = f"nothing is written for {dice}, but {forced} was forced"
            fix = fixes.forced(match, entry, violation.possible.hops)
            return _finding(codes.FORCED_PLAY, game, turn, message, fix=fix)
        case TurnFault.DECLARED_ILLEGAL:
            return _finding(
                codes.DECLARED_ILLEGAL,
                game,
                turn,
                f"the record marks {me}'s play as illegal and gives the board after it",
            )


def _without_copies(match: Match, game: GameReplay, turn: Turn) -> Fix | None:
    """A repeated turn deleted, and the one behind it where that repeats the turn before."""
    entries, at = game.game.entries, turn.index
    if at > 2 and says(entries[at - 1]) == says(entries[at - 3]):
        return None  # the row may be repeated as a whole, or this turn alone
    twice = at + 1 < len(entries) and says(entries[at + 1]) == says(entries[at - 1])
    return fixes.blank(match, *entries[at : at + 1 + twice])


def _end_facts(match: Match, game: GameReplay) -> tuple[str, ...]:
    if game.winner is None:
        return ()
    how = {"borne off": "has borne off all checkers", "drop": "won by a drop"}.get(game.ending, "won by resignation")
    return (f"{words.name(match, game.winner)} {how}",)


def _stars(match: Match, game: GameReplay, turn: Turn) -> Iterator[Finding]:
    """A star is a claim: where it stands, a blot must have been hit."""
    entry, play = turn.entry, turn.play
    assert isinstance(entry, CheckerPlay)
    assert play is not None
    for index, group in enumerate(entry.text.hops):
        if not any(group.stars):
            continue
        hits = {hop.end for hop in play.hops if hop.hit}
        missed = [at for at, star in zip(group.points[1:], group.stars, strict=True) if star and at not in hits]
        # With a hop merged over two numbers the star may mean the point in between.
        if missed and not any(group.points[0] > at > group.points[-1] for at in hits):
            me, you = words.name(match, turn.player), words.name(match, other(turn.player))
            message = f"{me}'s {group} marks a hit, but {you} had no blot on {words.point(missed[0])}"
            fix = fixes.without_star(match, entry, index) if sum(group.stars) == 1 else None
            yield _finding(codes.FALSE_STAR, game, turn, message, hop=index, fix=fix)


RULE: Final = Rule(
    codes=(
        *_CODES.values(), codes.NO_PLAY, codes.OPENING_DOUBLE, codes.TURN_MISSING, codes.AFTER_END, codes.WRONG_STARTER,
        codes.REPEATED_TURN, codes.WRONG_COLUMN, codes.SWAPPED, codes.FALSE_DANCE, codes.UNKNOWN_PLAY,
        codes.FORCED_PLAY, codes.DECLARED_ILLEGAL, codes.FALSE_STAR,
    ),
    in_game=check_plays,
)  # fmt: skip
