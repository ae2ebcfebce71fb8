"""Drafts of OGXM matches, and the making of a `Match` from them.

The two binary versions and the JSON hold the same plies. Each reader makes drafts of them, and `finish` makes the
match. As these files are not text, a listing with a line for each ply is made; findings give places in that listing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from bgtools.board.board import BAR, OFF
from bgtools.board.generation import legal_plays
from bgtools.board.movement import resolve
from bgtools.board.perspective import Player, other
from bgtools.board.play import HopText, PlayText
from bgtools.board.violation import Violation
from bgtools.findings import codes
from bgtools.formats.ogxm.layout import ROLLS, VARIANTS, ActionCode
from bgtools.formats.shared.listing import Listing, dump, shown
from bgtools.formats.shared.signed import position
from bgtools.record.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Comment,
    Double,
    Drop,
    Entry,
    Game,
    Match,
    Resign,
    ResultClaim,
    SetBoard,
    Tag,
    Take,
)
from bgtools.rules.options import VARIANTS as STARTS, Ruleset
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Dice
    from bgtools.record.annotation import Annotation
    from bgtools.rules.worth import Level

Counts = tuple[int, ...]
"""26 counts, player 1's above 0: their bar, the points from their 24-point down to their 1-point, player 2's bar."""
Steps = tuple[tuple[int, int], ...]
"""For each hop, the index in `Counts` where a checker starts, and how many pips it goes."""

_MOST_AUTOMATIC: Final = 16
_MOST_CUBE: Final = 1 << 30
_MOST_PIPS: Final = 24
_CENTRE: Final = 2
_MARKERS: Final = (ActionCode.GAME_OVER, ActionCode.MATCH_OVER, ActionCode.FINAL, ActionCode.NOTHING)
_RESIGNATIONS: Final = (ActionCode.RESIGN_GAME, ActionCode.RESIGN_MATCH, ActionCode.FORFEIT)


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
    """

    where: str
    players: tuple[str, str]
    length: int
    rules: Ruleset
    tags: list[tuple[str, str]] = field(default_factory=list)
    games: list[OgxmGameDraft] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


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
    return _MatchBuilder(draft, name).match()


class _MatchBuilder(Listing):
    """Makes the match of a draft, and its listing."""

    def __init__(self, draft: OgxmMatchDraft, name: str) -> None:
        super().__init__(name)
        self.draft = draft

    def match(self) -> Match:
        draft = self.draft
        said = f"{draft.length} points" if draft.length else "unlimited"
        span = self.line(f"{draft.where}: match, {said}, {shown(draft.players[0])} - {shown(draft.players[1])}")
        tags = tuple(
            Tag(key=key, value=value, span=self.line(f"{draft.where}: {shown(key)}: {shown(value)}"))
            for key, value in draft.tags
        )
        for fault in draft.faults:
            self.report(codes.UNREADABLE_LINE, self.line(f"{draft.where}: {fault}"), fault)
        games = tuple(_GameBuilder(self, game, index).game() for index, game in enumerate(draft.games))
        if not games:
            self.report(codes.NO_GAME, span, "no game was found")
        return Match(
            players=draft.players,
            length=draft.length,
            games=games,
            tags=tags,
            rules=draft.rules,
            comments=tuple(self._remark(draft.where, text, 0) for text in draft.remarks),
            findings=tuple(self.findings),
            source=self.source,
            length_span=span,
        )

    def _remark(self, where: str, text: str, at: int) -> Comment:
        return Comment(text=text, span=self.line(f"{where}: “{shown(text)}”"), at=at)


class _GameBuilder:
    """Makes one game of a draft. It follows board and cube because a ply may set only one of the two."""

    def __init__(self, builder: _MatchBuilder, draft: OgxmGameDraft, index: int) -> None:
        self.builder = builder
        self.draft = draft
        self.index = index
        self.entries: list[Entry] = []
        self.comments: list[Comment] = []
        self.marks: list[Span] = []
        self.rules = builder.draft.rules
        start = STARTS.get(self.rules.variant, STARTS[VARIANTS[0]])
        self.board = list(draft.board or _absolute(start.mine, start.theirs))
        self.cube, self.owner = 1, None if draft.owner in (None, _CENTRE) else draft.owner
        self.set_at = -1
        """The index of the entry that the ply before made, if that ply set a board; else -1."""

    def game(self) -> Game:
        draft, builder = self.draft, self.builder
        span = builder.line(f"{draft.where}: game {self.index + 1}")
        start, start_known = None, True
        if draft.board is not None:
            start = position(seen_by(draft.board, 0), self.rules)
            if start is None:
                start_known = False
                builder.report(codes.BAD_SET_POSITION, span, "the position has more checkers than the game")
        cube = self._sound_cube(draft.cube, span)
        self.cube = cube << min(draft.automatic, _MOST_AUTOMATIC)
        owner = self._player(self.owner)
        if start is None and start_known and (cube != 1 or owner is not None):
            start = STARTS[self.rules.variant]
        if draft.automatic > _MOST_AUTOMATIC:
            builder.report(codes.UNREADABLE_LINE, span, f"the cube cannot have turned {draft.automatic} times")
        self.entries += [
            AutomaticDouble(player=0, value=2 * cube << turn, span=span)
            for turn in range(min(draft.automatic, _MOST_AUTOMATIC))
        ]
        self.comments += [builder._remark(draft.where, text, 0) for text in draft.remarks]
        for number, ply in enumerate(draft.plies):
            following = draft.plies[number + 1] if number + 1 < len(draft.plies) else None
            self._ply(number, ply, following)
        return Game(
            number=self.index + 1,
            score=draft.score,
            entries=tuple(self.entries),
            results=self._results(),
            start=start,
            start_known=start_known,
            start_cube=cube,
            start_owner=owner,
            comments=tuple(self.comments),
            heading=span,
            score_span=span,
            marks=tuple(self.marks),
        )

    def _results(self) -> tuple[ResultClaim, ...]:
        winner = self._player(self.draft.winner)
        if winner is None:
            return ()
        points = self.draft.points
        said = "" if points is None else f" {points}"
        span = self.builder.line(f"{self.draft.where}: player {winner + 1} wins{said}")
        return (ResultClaim(player=winner, points=points or None, span=span),)

    @staticmethod
    def _player(number: int | None) -> Player | None:
        return 0 if number == 0 else 1 if number == 1 else None

    def _sound_cube(self, value: int, span: Span) -> int:
        if 0 < value <= _MOST_CUBE and value.bit_count() == 1:
            return value
        self.builder.report(codes.UNREADABLE_LINE, span, f"a cube cannot show {value}; 1 is taken")
        return 1

    # --- plies ------------------------------------------------------------------------------

    def _ply(self, number: int, ply: PlyDraft, following: PlyDraft | None) -> None:
        start = f"{ply.where}: ply {number + 1}, player {ply.player + 1}"
        known = len(self.entries)
        if 0 <= ply.action < len(ROLLS):
            self._roll(start, ply, ROLLS[ply.action][::-1], following)
        elif ply.action == ActionCode.SET_POSITION and ply.dice is not None:
            self._roll(start, ply, ply.dice, following)
        elif ply.action == ActionCode.PASS:
            self._roll(start, ply, None, following)
        else:
            self._action(start, ply)
        if len(self.entries) > known and ply.note is not None:
            self.entries[-1] = replace(self.entries[-1], annotation=ply.note)
        self.comments += [self.builder._remark(ply.where, text, len(self.entries)) for text in ply.remarks]

    def _roll(self, start: str, ply: PlyDraft, dice: Dice | None, following: PlyDraft | None) -> None:
        hops = hops_of(ply.steps, ply.player)
        fault = ""
        if ply.written is not None:
            text = ply.written
        elif ply.board is not None:
            text = PlayText("illegal", dump=dump(seen_by(ply.board, ply.player)))
        elif hops is None:
            fault = " ".join(f"{at}-{pips}" for at, pips in ply.steps)
            text = PlayText("unreadable", dump=fault)
        elif hops:
            text = PlayText("moves", hops if dice is None else self._as_rolled(hops, dice, ply))
        else:
            left = following is None or following.action in (*_RESIGNATIONS, *_MARKERS)
            text = PlayText("nothing" if left else "dance")
        rolled = "" if dice is None else f"{dice[0]}{dice[1]}: "
        shown_play, hops_shown = _placed(text)
        head = f"{start}, {rolled}"
        span = self.builder.line(f"{head}{shown_play}")
        if fault:
            self.builder.report(codes.UNREADABLE_CELL, span, f"these steps start from no point: {fault}")
        self.entries.append(
            CheckerPlay(player=ply.player, dice=dice, text=hops_shown, text_at=span.start + len(head), span=span)
        )
        if ply.board is not None:
            self.board = list(ply.board)
        else:
            self._move(ply.steps, ply.player)

    def _as_rolled(self, hops: tuple[HopText, ...], dice: Dice, ply: PlyDraft) -> tuple[HopText, ...]:
        """The hops; if they are illegal, legal ones that lead to the same board, which is all that programs look at."""
        before = position(seen_by(tuple(self.board), ply.player), self.rules)
        if before is None or not isinstance(resolve(before, dice, hops), Violation):
            return hops
        board = self.board[:]
        self._move(ply.steps, ply.player)
        after, self.board = position(seen_by(tuple(self.board), ply.player), self.rules), board
        play = next((play for play in legal_plays(before, dice) if play.result == after), None)
        return hops if play is None else tuple(HopText((hop.start, hop.end), (False,)) for hop in play.hops)

    def _move(self, steps: Steps, player: Player) -> None:
        sign = 1 if player == 0 else -1
        for start, pips in steps:
            if not 0 <= start <= BAR:
                continue
            end = start + sign * pips
            self.board[start] -= sign
            if 0 < end < BAR:
                if self.board[end] == -sign:
                    self.board[end] = 0
                    self.board[BAR if player == 0 else 0] -= sign
                self.board[end] += sign

    def _action(self, start: str, ply: PlyDraft) -> None:
        player, action, builder = ply.player, ply.action, self.builder
        word = ActionCode(action).name.lower().replace("_", " ") if action in _KNOWN else f"action {action}"
        span = builder.line(f"{start}, {word}")
        entry: Entry | None = None
        match action:
            case ActionCode.DOUBLE:
                entry = Double(player=player, span=span)
            case ActionCode.TAKE:
                entry = Take(player=player, span=span)
                self._turn_cube(2, player)
            case ActionCode.DROP:
                entry = Drop(player=player, span=span)
            case ActionCode.BEAVER:
                entry = Beaver(player=player, span=span)
                self._turn_cube(4, player)
            case ActionCode.RACCOON:
                entry = Beaver(player=player, raccoon=True, span=span)
                self._turn_cube(2, other(player))
            case ActionCode.RESIGN_GAME | ActionCode.RESIGN_MATCH | ActionCode.FORFEIT:
                level: Level | None = ply.level if ply.level in (1, 2, 3) else None  # type: ignore[assignment]
                entry = Resign(player=player, level=level, match=action == ActionCode.RESIGN_MATCH, span=span)
            case ActionCode.SET_POSITION | ActionCode.CUBE_SET:
                self._set(ply, span)
                return
            case _ if action in _MARKERS:
                self.marks.append(span)
            case _:
                builder.report(codes.UNREADABLE_LINE, span, f"{word} has no place in a record; it is left out")
        if entry is not None:
            self.entries.append(entry)

    def _turn_cube(self, times: int, owner: Player) -> None:
        self.cube, self.owner = min(self.cube * times, _MOST_CUBE), owner

    def _set(self, ply: PlyDraft, span: Span) -> None:
        if ply.action == ActionCode.CUBE_SET:
            self.cube = self._sound_cube(ply.cube or 0, span)
            self.owner = self._player(ply.owner)
        elif ply.board is not None:
            self.board = list(ply.board)
        seen = position(seen_by(tuple(self.board), 0), self.rules)
        if seen is None:
            self.builder.report(codes.BAD_SET_POSITION, span, "the position has more checkers than the game")
            return
        note = None
        # A cube that is set right behind a board makes one entry with it.
        if ply.action == ActionCode.CUBE_SET and self.set_at == len(self.entries) - 1 and self.entries:
            before = self.entries.pop()
            span, note = Span(before.span.start, span.end), before.annotation
        owner = self._player(self.owner)
        self.entries.append(
            SetBoard(player=ply.player, position=seen, cube=self.cube, owner=owner, span=span, annotation=note)
        )
        self.set_at = len(self.entries) - 1 if ply.action == ActionCode.SET_POSITION else -1


_KNOWN: Final = frozenset(int(action) for action in ActionCode)


def _absolute(mine: tuple[int, ...], theirs: tuple[int, ...]) -> Counts:
    board = [0] * (BAR + 1)
    for point in range(1, BAR + 1):
        board[BAR - point] += mine[point]
        board[point] -= theirs[point]
    return tuple(board)


def _placed(text: PlayText) -> tuple[str, PlayText]:
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
