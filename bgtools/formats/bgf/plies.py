"""Drafts of matches that are lists of plies, as those of BGBlitz and OGXM, and the making of a `Match` from them.

Each reader makes drafts, and `finish` makes the match. As these files are not text, a listing with a line for each ply
is made; findings give places in that listing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR, OFF
from bgtools.board.generation import legal_plays
from bgtools.board.movement import resolve
from bgtools.board.play import HopText, PlayText
from bgtools.board.violation import Violation
from bgtools.findings import codes
from bgtools.formats.shared.json_values import unread_extras
from bgtools.formats.shared.listing import dump, shown
from bgtools.formats.shared.signed import position
from bgtools.record.builder import MatchBuilder
from bgtools.record.record import CheckerPlay, Comment, Double, Match, Take
from bgtools.rules.options import VARIANTS, Ruleset
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.findings.finding import Finding
    from bgtools.record.annotation import Annotation
    from bgtools.record.state import GameState
    from bgtools.rules.worth import Level


class ActionCode(IntEnum):
    """The numbers of actions; those below `DOUBLE` are rolls."""

    DOUBLE = 21
    TAKE = 22
    DROP = 23
    GAME_OVER = 24
    MATCH_OVER = 25
    FINAL = 26
    RESIGN_GAME = 27
    RESIGN_MATCH = 28
    FORFEIT = 29
    NOTHING = 30
    SET_POSITION = 31
    BEAVER = 32
    RACCOON = 33
    SETTLE = 34
    CUBE_SET = 36
    PASS = 37
    ESCAPE = 63
    """The extras behind the ply hold the number of the action."""


ROLLS: Final = tuple(combinations_with_replacement(range(1, 7), 2))
"""The roll of every action below `Action.DOUBLE`, the lower number first."""

Counts = tuple[int, ...]
"""26 counts, player 1's above 0: their bar, the points from their 24-point down to their 1-point, player 2's bar."""
Steps = tuple[tuple[int, int], ...]
"""For each hop, the index in `Counts` where a checker starts, and how many pips it goes."""

_MOST_AUTOMATIC: Final = 16
_MOST_CUBE: Final = 1 << 30
_MOST_PIPS: Final = 24
_MARKERS: Final = (ActionCode.GAME_OVER, ActionCode.MATCH_OVER, ActionCode.FINAL, ActionCode.NOTHING)
RESIGNATIONS: Final = (ActionCode.RESIGN_GAME, ActionCode.RESIGN_MATCH, ActionCode.FORFEIT)


@dataclass(slots=True, kw_only=True)
class PlyDraft:
    """One action.

    Attributes:
        action: what is done, an `Action` or the number of a roll.
        player: who does it; for a set position who is on roll in it, or with ``dice`` who made the play.
        where: its place in the file.
        steps: the hops of the play.
        dice: the roll whose play is given by a set position.
        board: the board that is set.
        cube, owner: the cube that is set; an owner of None or 2 is nobody.
        level: what a resignation gives up, 1 to 3.
        written: the play as an earlier record wrote it, if the file keeps that.
        note: its analysis.
        remarks: texts about it.
    """

    action: int
    player: Player
    where: str
    steps: Steps = ()
    dice: Dice | None = None
    board: Counts | None = None
    cube: int | None = None
    owner: int | None = None
    level: int | None = None
    written: PlayText | None = None
    note: Annotation | None = None
    remarks: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class OgxmGameDraft:
    """One game: how it begins, its plies, and the stated winner and points."""

    where: str
    winner: int | None = None
    points: int | None = None
    board: Counts | None = None
    cube: int = 1
    owner: int | None = None
    automatic: int = 0
    score: tuple[int, int] | None = None
    plies: list[PlyDraft] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class OgxmMatchDraft:
    """A match.

    Attributes:
        where: the place of its head in the file.
        players, length, rules, tags, games: as in the record; the length of a money session is 0.
        remarks: texts about it.
        faults: messages about what could not be read.
        unread: how often something was left out that only its own program reads, by its name.
        extras: what only its own format understands, each with its key.
        reports: what was found out about the file as a whole.
    """

    where: str
    players: tuple[str, str]
    length: int
    rules: Ruleset
    tags: list[tuple[str, str]] = field(default_factory=list)
    games: list[OgxmGameDraft] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    unread: Mapping[str, int] = field(default_factory=dict)
    extras: list[tuple[str, str]] = field(default_factory=list)
    reports: list[Finding] = field(default_factory=list)


def hops_of(steps: Steps, player: Player) -> tuple[HopText, ...] | None:
    """The hops, in the mover's numbering, of some steps; None where a step starts from no point or has no such pips."""
    hops = []
    for start, pips in steps:
        own = BAR - start if player == 0 else start
        if not OFF < own <= BAR or not 0 < pips <= _MOST_PIPS:
            return None
        hops.append(HopText((own, max(own - pips, OFF)), (False,)))
    return tuple(hops)


def steps_of(hops: Sequence[tuple[int, int]], player: Player) -> Steps:
    """The steps of some hops in the mover's numbering."""
    return tuple((BAR - start if player == 0 else start, start - end) for start, end in hops)


def seen_by(board: Counts, player: Player) -> tuple[int, ...]:
    """A board with a player's checkers above 0, in their numbering."""
    return tuple(reversed(board)) if player == 0 else tuple(-count for count in board)


def turned_back(board: Sequence[int], player: Player) -> Counts:
    """A board from a player's numbering, with their checkers above 0."""
    return tuple(reversed(board)) if player == 0 else tuple(-count for count in board)


def action_of(dice: Dice) -> int:
    """The number of a roll.

    Raises:
        ValueError: a die shows no number from 1 to 6.
    """
    return ROLLS.index((min(dice), max(dice)))


def finish(draft: OgxmMatchDraft, name: str) -> Match:
    """The match of a draft.

    Args:
        draft: the content of the file.
        name: the file's name in messages.
    """
    to = MatchBuilder(source=name, players=draft.players, length=draft.length, rules=draft.rules)
    length = f"{draft.length} points" if draft.length else "unlimited"
    to.length_span = to.line(f"{draft.where}: match, {length}, {shown(draft.players[0])} - {shown(draft.players[1])}")
    for key, value in draft.tags:
        to.tag(key, value, to.line(f"{draft.where}: {shown(key)}: {shown(value)}"))
    for fault in draft.faults:
        to.report(codes.UNREADABLE_LINE, to.line(f"{draft.where}: {fault}"), fault)
    for game in draft.games:
        _Plies(to, game).read()
    if not draft.games:
        to.report(codes.NO_GAME, to.length_span, "no game was found")
    for text in draft.remarks:
        to.comments.append(Comment(text=text, span=_remark(to, draft.where, text), at=0))
    for key, value in draft.extras:
        to.extra(key, value, to.line(f"{draft.where}: {shown(key)}"))
    for found in draft.reports:
        to.report(found.code, to.line(f"{draft.where}: {found.message}"), found.message)
    for key, value in unread_extras(draft.unread):
        to.extra(key, value, to.line(f"{draft.where}: {value}, not read"))
    return to.build()


def _remark(to: MatchBuilder, where: str, text: str) -> Span:
    return to.line(f"{where}: “{shown(text)}”")


def _player(number: int | None) -> Player | None:
    return 0 if number == 0 else 1 if number == 1 else None


class _Plies:
    """Reads the plies of a game into a builder. A ply may set only the board or only the cube."""

    def __init__(self, match: MatchBuilder, draft: OgxmGameDraft) -> None:
        self.match, self.draft = match, draft
        self.to = match.game(len(match.games) + 1, draft.score)
        self.set_at = -1
        """The index of the entry that the ply before made, if that ply set a board; else -1."""

    def read(self) -> None:
        draft, to, match = self.draft, self.to, self.match
        span = to.heading = to.score_span = match.line(f"{draft.where}: game {to.number}")
        assert match.rules is not None
        start = None if draft.board is None else position(seen_by(draft.board, 0), match.rules)
        is_known = draft.board is None or start is not None
        if not is_known:
            self.to.report(codes.BAD_SET_POSITION, span, "the position has more checkers than the game")
        cube, owner = self._sound_cube(draft.cube, span), _player(draft.owner)
        if start is None and is_known and (cube != 1 or owner is not None):
            start = VARIANTS[match.rules.variant]
        to.begin(start, cube, owner, known=is_known)
        if draft.automatic > _MOST_AUTOMATIC:
            self.to.report(codes.UNREADABLE_LINE, span, f"the cube cannot have turned {draft.automatic} times")
        for turn in range(min(draft.automatic, _MOST_AUTOMATIC)):
            to.automatic(0, span, 2 * cube << turn)
        for text in draft.remarks:
            to.comments.append(Comment(text=text, span=_remark(match, draft.where, text), at=0))
        for number, ply in enumerate(draft.plies):
            self._ply(number, ply, draft.plies[number + 1] if number + 1 < len(draft.plies) else None)
        if (winner := _player(draft.winner)) is not None:
            points = "" if draft.points is None else f" {draft.points}"
            line = match.line(f"{draft.where}: player {winner + 1} wins{points}")
            to.result(winner, draft.points or None, line)

    def _sound_cube(self, value: int, span: Span) -> int:
        if 0 < value <= _MOST_CUBE and value.bit_count() == 1:
            return value
        self.to.report(codes.UNREADABLE_LINE, span, f"a cube cannot show {value}; 1 is taken")
        return 1

    # --- plies ------------------------------------------------------------------------------

    def _ply(self, number: int, ply: PlyDraft, following: PlyDraft | None) -> None:
        start = f"{ply.where}: ply {number + 1}, player {ply.player + 1}"
        known = len(self.to.entries)
        if 0 <= ply.action < len(ROLLS):
            self._roll(start, ply, ROLLS[ply.action][::-1], following)
        elif ply.action == ActionCode.SET_POSITION and ply.dice is not None:
            self._roll(start, ply, ply.dice, following)
        elif ply.action == ActionCode.PASS:
            self._roll(start, ply, None, following)
        else:
            self._action(start, ply)
        if len(self.to.entries) > known:
            self.to.annotate(ply.note)
        for text in ply.remarks:
            self.to.comment(text, _remark(self.match, ply.where, text))

    def _roll(self, start: str, ply: PlyDraft, dice: Dice | None, following: PlyDraft | None) -> None:
        hops, fault = hops_of(ply.steps, ply.player), ""
        if ply.written is not None:
            text = ply.written
        elif ply.board is not None:
            text = PlayText("illegal", dump=dump(seen_by(ply.board, ply.player)))
        elif hops is None:
            fault = " ".join(f"{at}-{pips}" for at, pips in ply.steps)
            text = PlayText("unreadable", dump=fault)
        elif hops:
            text = PlayText("moves", hops if dice is None else self._as_rolled(hops, dice, ply.player))
        else:
            left = following is None or following.action in (*RESIGNATIONS, *_MARKERS)
            text = PlayText("nothing" if left else "dance")
        rolled = "" if dice is None else f"{dice[0]}{dice[1]}: "
        shown_play, text = _in_columns(text)
        head = f"{start}, {rolled}"
        span = self.match.line(f"{head}{shown_play}")
        if fault:
            self.to.report(codes.UNREADABLE_CELL, span, f"these steps start from no point: {fault}")
        at = span.start + len(head)
        self.to.add(CheckerPlay(player=ply.player, dice=dice, text=text, text_at=at, span=span))
        if ply.board is not None:
            self._put_checkers(self.to.state, ply.board)

    def _as_rolled(self, hops: tuple[HopText, ...], dice: Dice, player: Player) -> tuple[HopText, ...]:
        """The hops; if they are illegal, legal ones that lead to the same board, which is all that programs look at."""
        state = self.to.state
        before = state.board(player)
        if not state.is_possible or not isinstance(resolve(before, dice, hops), Violation):
            return hops
        after = state.copy()
        after.move(player, hops)
        play = next((play for play in legal_plays(before, dice) if play.result == after.board(player)), None)
        return hops if play is None else tuple(HopText((hop.start, hop.end), (False,)) for hop in play.hops)

    def _put_checkers(self, state: GameState, board: Counts) -> bool:
        """Put the checkers of a state on a board; False where they cannot stand so."""
        assert self.match.rules is not None
        seen = position(seen_by(board, 0), self.match.rules)
        if seen is not None:
            state.put(0, seen)
        return seen is not None

    def _action(self, start: str, ply: PlyDraft) -> None:
        player, action, to = ply.player, ply.action, self.to
        word = ActionCode(action).name.lower().replace("_", " ") if action in _KNOWN else f"action {action}"
        span = self.match.line(f"{start}, {word}")
        match action:
            case ActionCode.DOUBLE:
                to.add(Double(player=player, span=span))
            case ActionCode.TAKE:
                to.add(Take(player=player, span=span))
            case ActionCode.DROP:
                to.drop(player, span)
            case ActionCode.BEAVER | ActionCode.RACCOON:
                to.beaver(player, span, raccoon=action == ActionCode.RACCOON)
            case ActionCode.RESIGN_GAME | ActionCode.RESIGN_MATCH | ActionCode.FORFEIT:
                level: Level | None = ply.level if ply.level in (1, 2, 3) else None  # type: ignore[assignment]
                to.resign(player, span, level, match=action == ActionCode.RESIGN_MATCH)
            case ActionCode.SET_POSITION | ActionCode.CUBE_SET:
                self._set(ply, span)
            case _ if action in _MARKERS:
                to.mark(span)
            case _:
                self.to.report(codes.UNREADABLE_LINE, span, f"{word} has no place in a record; it is left out")

    def _set(self, ply: PlyDraft, span: Span) -> None:
        to, state = self.to, self.to.state.copy()
        if state.offer is not None and state.offer.counters:
            state.take()  # going on accepts a beaver
        if ply.action == ActionCode.CUBE_SET:
            state.cube, state.owner = self._sound_cube(ply.cube or 0, span), _player(ply.owner)
        elif ply.board is not None and not self._put_checkers(state, ply.board):
            self.to.report(codes.BAD_SET_POSITION, span, "the position has more checkers than the game")
            return
        note = None
        # A cube that is set right behind a board makes one entry with it.
        if ply.action == ActionCode.CUBE_SET and self.set_at == len(to.entries) - 1 and to.entries:
            before = to.entries.pop()
            span, note = Span(before.span.start, span.end), before.annotation
        to.set(ply.player, state.board(0), span, cube=min(state.cube, _MOST_CUBE), owner=state.owner, note=note)
        self.set_at = len(to.entries) - 1 if ply.action == ActionCode.SET_POSITION else -1


_KNOWN: Final = frozenset(int(action) for action in ActionCode)


def _in_columns(text: PlayText) -> tuple[str, PlayText]:
    """A play as the listing shows it, and the play with the columns of its hops there."""
    if text.kind != "moves":
        return shown(str(text)), text
    line, hops = "", []
    for hop in text.hops:
        line += " " if line else ""
        word = str(hop)
        hops.append(replace(hop, start=len(line), end=len(line) + len(word)))
        line += word
    return line, PlayText("moves", tuple(hops))
