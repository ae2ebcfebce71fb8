"""Dice and checker plays (codes BG2xx)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR
from bgtools.board.generation import legal_plays
from bgtools.board.movement import forced
from bgtools.board.perspective import mirrored, other
from bgtools.board.play import HopText, PlayText
from bgtools.board.violation import Reason, Violation
from bgtools.checks import _words as words
from bgtools.checks.rule import Rule
from bgtools.checks.unwritten import unwritten_plays
from bgtools.findings import codes
from bgtools.findings.finding import Amendment, Code, Finding, Related
from bgtools.record.record import CheckerPlay, Resign
from bgtools.replayer.plays import Doubt, judge
from bgtools.replayer.turn import OrderViolation, TurnFault
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bgtools.board.board import Board
    from bgtools.board.play import Play
    from bgtools.record.record import Entry, Match
    from bgtools.replayer.turn import GameReplay, Turn

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
                # One finding at the first entry after the end is enough.
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
    remedy: Amendment | None = None,
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
        row=game.row_of(turn),
        entry=turn.index + 1,
        player=entry.player,
        remedy=remedy,
    )


def _play(match: Match, game: GameReplay, turn: Turn, violation: Violation, hint: str = "") -> Finding:
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
    found = _finding(code, game, turn, message, facts, hint or _hint(turn), violation.hop)
    if turn.before.mine[BAR] and (code is codes.NO_PLAY or reason is Reason.BAR_FIRST):
        return _with_hit(found, game, turn, you)
    return found


def _with_hit(found: Finding, game: GameReplay, turn: Turn, you: str) -> Finding:
    """A finding about a checker on the bar, with the last hit that brought one there."""
    for earlier in reversed(game.turns[: turn.index]):
        entry = earlier.entry
        is_hit = earlier.player != turn.player and earlier.after.theirs[BAR] > earlier.before.theirs[BAR]
        if is_hit and isinstance(entry, CheckerPlay):
            hit = f"{you} hit with {words.shortened(str(entry.text))} in row {game.row_of(earlier)}"
            return replace(found, facts=(*found.facts, hit), related=(*found.related, Related(entry.span, "the hit")))
    return found


def _supposed(violation: OrderViolation, what: str) -> str:
    """``what``, with the play in the missing turn that makes the rest of the game fit."""
    if violation.possible is None or violation.dice is None:
        return f"{what} if nothing was played in it"
    return f"{what} if it was {words.roll(violation.dice)}: {words.play(violation.possible)}"


# --- how the replay went on, and what that tells about the slip ------------------------------


def _hint(turn: Turn) -> str:
    if turn.reading == "as written":
        return _as_written(turn)
    if turn.reading == "left out":
        if turn.legal_after > 0 and _is_passed(turn):
            return "the game goes on from the board before it and fits, so nothing was played and it stood"
        goes_on = "the play is left out, and the game goes on from the board before it"
        return f"{goes_on}; it may have stood" if None in turn.rivals else goes_on
    if turn.reading == "corrected" and turn.guess is not None:
        return _corrected(turn, turn.guess)
    return ""


def _as_written(turn: Turn) -> str:
    goes_on = "the game goes on from the board that this play leaves"
    if turn.legal_after <= 0:
        return goes_on
    stood = "so it stood" if turn.sure else "so it may have stood"
    return f"{goes_on}: {words.plays_fit(turn.legal_after)}, {stood}"


def _corrected(turn: Turn, guess: Play) -> str:
    is_unwritten = isinstance(turn.entry, CheckerPlay) and turn.entry.text.kind == "unknown"
    read = f"{'inferred' if is_unwritten else 'mis-transcribed: read as'} {words.play(guess)}"
    if turn.legal_after <= 0:
        return f"{read}; nothing follows that tells what was played"
    fit = words.plays_fit(turn.legal_after)
    if None in turn.rivals:
        return f"{read}; {fit} then, but it may have stood"
    if others := [each for each in turn.rivals if each is not None]:
        return f"{read}; {fit} then, and as likely after {_list(others)}"
    if turn.sure:
        return f"{read}, the play of this roll that fits what follows best; {fit} then"
    return f"{read}; {fit} then"


def _list(plays: list[Play]) -> str:
    """One play in words, or words for several."""
    return words.play(plays[0]) if len(plays) == 1 else "other plays of this roll"


def _is_passed(turn: Turn) -> bool:
    """Whether nothing or a dance is written for a roll."""
    return isinstance(turn.entry, CheckerPlay) and turn.entry.text.kind in ("nothing", "dance")


# --- the order of turns ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _OrderFault:
    """One fault in the order of turns, with what its sentence needs."""

    match: Match
    game: GameReplay
    turn: Turn
    violation: OrderViolation

    @property
    def me(self) -> str:
        return words.name(self.match, self.turn.player)

    @property
    def you(self) -> str:
        return words.name(self.match, other(self.turn.player))

    @property
    def whose(self) -> str:
        """Whose turns stand in each other's place: both players', or two of one of them."""
        if not self.violation.misplaced:
            return f"{self.me} and {self.you}"
        first, *_, last = (self.game.rows[at] for at in self.violation.misplaced)
        return f"{self.me}'s turns in rows {first} and {last}"

    @property
    def dice(self) -> str:
        entry = self.turn.entry
        return words.roll(entry.dice) if isinstance(entry, CheckerPlay) and entry.dice else "this roll"

    def finding(
        self, code: Code, message: str, facts: tuple[str, ...] = (), hint: str = "", remedy: Amendment | None = None
    ) -> Finding:
        return _finding(code, self.game, self.turn, message, facts, hint, remedy=remedy)

    def entry(self, number: int) -> Entry:
        """An entry of the game as the record has it."""
        return self.game.game.entries[number]


def _order(match: Match, game: GameReplay, turn: Turn, violation: OrderViolation) -> Finding:
    return _ORDER[violation.fault](_OrderFault(match, game, turn, violation))


def _opening_double(case: _OrderFault) -> Finding:
    message = f"the first roll of a game cannot be {case.dice}"
    facts = ("each player rolls one die, and equal dice are rolled again",)
    return case.finding(codes.OPENING_DOUBLE, message, facts)


def _turn_missing(case: _OrderFault) -> Finding:
    hint = "this entry is left out; without it the rest fits best"
    if case.turn.reading != "left out":
        hint = _supposed(case.violation, f"{case.you}'s turn before this one is missing; the rest fits")
    message = f"{case.me} has two turns running; {case.you} was on roll"
    return case.finding(codes.TURN_MISSING, message, hint=hint)


def _first_missing(case: _OrderFault) -> Finding:
    message = f"the first turn of the game, {case.you}'s, is missing"
    columns = ""
    if case.turn.player != case.entry(case.turn.index).player:
        message += ", and all that follows has moved up"
        columns = " in the other columns"
    return case.finding(codes.TURN_MISSING, message, hint=_supposed(case.violation, f"the rest fits{columns}"))


def _row_missing(case: _OrderFault) -> Finding:
    message = f"two turns before this one are missing, one of {case.me} and one of {case.you}"
    hint = _supposed(case.violation, "the rest fits, as an example,")
    reply, dice = case.violation.reply
    if dice is None or reply is None:
        return case.finding(codes.TURN_MISSING, message, hint=f"{hint} and nothing was played in answer")
    hint = f"{hint} and then {words.roll(dice)}: {words.play(reply)}"
    return case.finding(codes.TURN_MISSING, message, hint=hint)


def _moved_up(case: _OrderFault) -> Finding:
    message = f"{case.you}'s turn before this one is missing, and all that follows has moved up"
    hint = _supposed(case.violation, "the rest fits in the other columns")
    return case.finding(codes.TURN_MISSING, message, hint=hint)


def _after_end(case: _OrderFault) -> Finding:
    resigned = any(isinstance(turn.entry, Resign) for turn in case.game.turns)
    message = f"{'the match was resigned' if resigned else 'the game was over'} before this entry"
    return case.finding(codes.AFTER_END, message, _end_facts(case.match, case.game))


def _wrong_starter(case: _OrderFault) -> Finding:
    message = f"{case.you} won the game before and starts this one, not {case.me}"
    return case.finding(codes.WRONG_STARTER, message, ("the record is judged by the rule that the winner starts",))


def _repeated(case: _OrderFault) -> Finding:
    message = f"{case.me}'s turn before is written a second time"
    return case.finding(codes.REPEATED_TURN, message, hint="the copy is left out")


def _wrong_column(case: _OrderFault) -> Finding:
    message = f"this turn is in {case.you}'s column, but it is {case.me}'s"
    facts = (f"{case.you} has just rolled",) if case.turn.roll else ()
    return case.finding(codes.WRONG_COLUMN, message, facts, "it is read as if it stood in the other column")


def _swapped_on(case: _OrderFault) -> Finding:
    message = "from here on all turns stand in each other's column"
    return case.finding(codes.SWAPPED, message, hint="they are read the other way round")


def _swapped(case: _OrderFault) -> Finding:
    message = f"the turns of {case.me} and {case.you} stand in each other's column"
    return case.finding(codes.SWAPPED, message, hint="they are read the other way round")


def _plays(case: _OrderFault) -> Finding:
    message = f"the plays of {case.whose} stand in each other's place"
    return case.finding(codes.SWAPPED, message, hint="they are read so")


def _surplus(case: _OrderFault) -> Finding:
    entry = case.turn.entry
    assert isinstance(entry, CheckerPlay)
    written = f"{case.dice}: {words.shortened(str(entry.text))}"
    message = f"{case.me} cannot have played {written} here: what follows does not fit"
    return case.finding(codes.MISREAD_PLAY, message, hint="this entry is left out; without it the rest fits")


def _rolls(case: _OrderFault) -> Finding:
    message = f"the rolls of {case.whose} stand in each other's place"
    last = max(case.violation.misplaced, default=case.turn.index + 1)
    are_legal = len(case.turn.violations) == 1 and not case.game.turns[last].violations
    hint = "with them exchanged both plays are legal" if are_legal else "they are read so"
    return case.finding(codes.SWAPPED, message, hint=hint)


def _moved(case: _OrderFault) -> Finding:
    places = case.violation.misplaced
    first, last = (case.game.rows[place] for place in (min(places), max(places)))
    rows = f"row {first}" if first == last else f"rows {first} and {last}"
    message = f"the turns in {rows} stand in each other's place"
    if len(places) > _PAIR:
        message = f"the turns from row {first} to row {last} stand in another order than they were played in"
    hint = "they are read in the order in which the rest fits"
    found = case.finding(codes.OUT_OF_ORDER, message, hint=hint)
    return replace(found, span=case.entry(case.turn.index).span)


def _misread(case: _OrderFault) -> Finding:
    entry, play, dice = case.turn.entry, case.violation.possible, case.violation.dice
    assert isinstance(entry, CheckerPlay)
    assert play is not None
    assert dice is not None
    written = f"{case.dice}: {words.shortened(str(entry.text))}" if entry.text.hops else f"nothing with {case.dice}"
    if dice == entry.dice:
        said = words.play(play)
    else:
        ways = ((play, dice), *case.violation.like)
        said = ", or ".join(f"{words.roll(roll)}: {words.play(each)}" for each, roll in ways)
    if not play.hops:
        said = f"a roll with which nothing can be played, such as {words.roll(dice)}"
    fits = f"; {words.plays_fit(case.turn.legal_after)} then" if case.turn.legal_after > 0 else ""
    hint = f"mis-transcribed: read as {said}{fits}"
    if case.turn.legal_after > 0 and _leaves(case.turn, entry) == play.result:
        # Whether another roll was played right or this one wrong, the board is the same.
        hint = f"{_as_written(case.turn)}; or the roll was {words.roll(dice)}"
    stands = judge(entry, case.turn.before, case.game.game.entries[case.turn.index + 1 :])
    if isinstance(stands, Doubt):
        # It cannot be by itself. That is told, and not what follows.
        if isinstance(stands.violation, Violation):
            return _play(case.match, case.game, case.turn, stands.violation, hint)
        if isinstance(stands.violation, OrderViolation) and stands.violation.fault is TurnFault.PLAY_EXISTED:
            return replace(_false_dance(replace(case, violation=stands.violation)), hint=hint)
    message = f"{case.me} cannot have played {written}: what follows does not fit"
    found = case.finding(codes.MISREAD_PLAY, message, hint=hint)
    shown = [case.entry(place) for place in case.violation.misplaced]
    return replace(found, related=tuple(Related(each.span, "this cannot follow it") for each in shown))


def _leaves(turn: Turn, entry: CheckerPlay) -> Board | None:
    """The board that an entry leaves when it is carried out as it is written; None where that is impossible."""
    return forced(turn.before, entry.text.hops) if entry.text.hops else turn.before


def _false_dance(case: _OrderFault) -> Finding:
    assert case.violation.possible is not None
    facts = (f"{case.dice} was playable: {words.play(case.violation.possible)}",)
    message = f"{case.me} could have played {case.dice}"
    return case.finding(codes.FALSE_DANCE, message, facts, _hint(case.turn))


def _unknown_play(case: _OrderFault) -> Finding:
    entry = case.turn.entry
    message = f"what {case.me} played with {case.dice} is not recorded"
    if isinstance(entry, CheckerPlay) and entry.dice is None and entry.text.hops:
        message = f"with which roll {case.me} played {entry.text} is not recorded"
    fitting = unwritten_plays(case.game).at(case.turn.index)
    if fitting is None:
        return case.finding(codes.UNKNOWN_PLAY, message, hint=_hint(case.turn))
    likely, *others = fitting.plays
    others = [play for play in others if words.play(play) != words.play(likely)]
    fits = f"; so do{'es' * (len(others) == 1)} {_list(others)}" if others else ""
    hint = f"inferred: {words.play(likely)}, which fits the remarks and what follows{fits}"
    assert isinstance(entry, CheckerPlay)
    remedy = Amendment(entry, replace(entry, text=_as_text(likely)), safe=False) if fitting.is_clear else None
    return case.finding(codes.UNKNOWN_PLAY, message, hint=hint, remedy=remedy)


def _forced_play(case: _OrderFault) -> Finding:
    possible, entry = case.violation.possible, case.turn.entry
    assert possible is not None
    assert isinstance(entry, CheckerPlay)
    message = f"nothing is written for {case.dice}, but {words.play(possible)} was forced"
    remedy = Amendment(entry, replace(entry, text=_as_text(possible)), safe=True)
    return case.finding(codes.FORCED_PLAY, message, remedy=remedy)


def _as_text(play: Play) -> PlayText:
    return PlayText("moves", tuple(HopText((hop.start, hop.end), (hop.hit,)) for hop in play.hops))


def _declared_illegal(case: _OrderFault) -> Finding:
    message = f"the record marks {case.me}'s play as illegal and gives the board after it"
    return case.finding(codes.DECLARED_ILLEGAL, message)


_PAIR: Final = 2

_ORDER: Final[Mapping[TurnFault, Callable[[_OrderFault], Finding]]] = MappingProxyType(
    {
        TurnFault.OPENING_DOUBLE: _opening_double,
        TurnFault.TURN_MISSING: _turn_missing,
        TurnFault.FIRST_MISSING: _first_missing,
        TurnFault.ROW_MISSING: _row_missing,
        TurnFault.MOVED_UP: _moved_up,
        TurnFault.AFTER_END: _after_end,
        TurnFault.WRONG_STARTER: _wrong_starter,
        TurnFault.REPEATED: _repeated,
        TurnFault.WRONG_COLUMN: _wrong_column,
        TurnFault.SWAPPED_ON: _swapped_on,
        TurnFault.SWAPPED: _swapped,
        TurnFault.MOVED: _moved,
        TurnFault.ROLLS: _rolls,
        TurnFault.PLAYS: _plays,
        TurnFault.SURPLUS: _surplus,
        TurnFault.MISREAD: _misread,
        TurnFault.PLAY_EXISTED: _false_dance,
        TurnFault.UNKNOWN_PLAY: _unknown_play,
        TurnFault.FORCED_PLAY: _forced_play,
        TurnFault.DECLARED_ILLEGAL: _declared_illegal,
    }
)


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
            # In the turn above or below it the play would hit: the two may stand in each other's place.
            is_near = any(each.before.theirs[mirrored(at)] == 1 for each in _beside(game, turn) for at in missed)
            hops = [*entry.text.hops]
            hops[index] = replace(
                group, stars=tuple(star and at in hits for at, star in zip(group.points[1:], group.stars, strict=True))
            )
            right = replace(entry, text=replace(entry.text, hops=tuple(hops)))
            remedy = Amendment(entry, right, safe=not is_near)
            yield _finding(codes.FALSE_STAR, game, turn, message, hop=index, remedy=remedy)


def _beside(game: GameReplay, turn: Turn) -> list[Turn]:
    """The turns of the same player right before and after a turn."""
    rolls = (turn.roll - 2, turn.roll + 2)
    return [each for each in game.turns if each.roll in rolls and each.player == turn.player]


RULE: Final = Rule(
    codes=(
        *_CODES.values(), codes.NO_PLAY, codes.OPENING_DOUBLE, codes.TURN_MISSING, codes.AFTER_END, codes.WRONG_STARTER,
        codes.REPEATED_TURN, codes.WRONG_COLUMN, codes.SWAPPED, codes.FALSE_DANCE, codes.UNKNOWN_PLAY,
        codes.FORCED_PLAY, codes.DECLARED_ILLEGAL, codes.FALSE_STAR, codes.OUT_OF_ORDER, codes.MISREAD_PLAY,
    ),
    in_game=check_plays,
)  # fmt: skip
