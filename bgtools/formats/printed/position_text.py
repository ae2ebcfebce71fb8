"""What the readers of position texts share: the making of a match of one position, with its analysis."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, cast

from bgtools.board.notation import read_play
from bgtools.board.play import PlayText
from bgtools.findings import codes
from bgtools.findings.finding import quoted
from bgtools.positions.pictures import decode_picture, find_picture
from bgtools.positions.position import IdError
from bgtools.positions.xgid import decode_xgid
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis
from bgtools.record.builder import MatchBuilder
from bgtools.record.record import NOWHERE, Comment
from bgtools.source import Span

if TYPE_CHECKING:
    from bgtools.board.perspective import Player
    from bgtools.formats.shared.lines import Line
    from bgtools.positions.pictures import Letter
    from bgtools.positions.position import Position
    from bgtools.record.annotation import Probabilities, Unit
    from bgtools.rules.cube import MatchState
    from bgtools.rules.options import Ruleset
    from bgtools.source import Source


_TURN: Final = 3  # the index of a field of an XGID


@dataclass(slots=True)
class PlayDraft:
    """A play while its lines are read.

    Attributes:
        line: the line of the play.
        text: the play as it is written.
        level: the name of its level.
        chance: the chance to win the match, in digits; "" where the text does not state it.
    """

    line: Line
    text: str
    level: str
    equity: float
    cubeless: float | None = None
    chances: list[tuple[float, float, float]] = field(default_factory=list)
    chance: str = ""

    @property
    def play(self) -> PlayText | None:
        """The play; None where it cannot be read."""
        play = read_play(self.text)
        return play if play.kind in ("moves", "dance") else None


@dataclass(slots=True)
class PositionBuilder(MatchBuilder):
    """A match of one position while its lines are read. Player 0 is X.

    Attributes:
        xgid, xgid_span: its XGID, and the place of that.
        roller: the letter of the player on roll in the picture.
        plays: the plays of the roll, best first.
        chances: the chances to win, to win a gammon and to win a backgammon, 0 to 1: first those of the player who
            may double, then those of the other.
        cubeless, cubeless_taken: the equity without the cube, before the roll and after double and take.
        cube: the equities of no double, of a take and of a drop ("pass").
        note_extras: parts of the analysis that only its own format has a place for.
        remarks: what a person has written below the analysis, by paragraphs.
    """

    rows: list[Line] = field(default_factory=list)
    xgid: str = ""
    xgid_span: Span = NOWHERE
    roller: Letter = "X"
    program: str = ""
    level: str = ""
    plays: list[PlayDraft] = field(default_factory=list)
    chances: list[tuple[float, float, float]] = field(default_factory=list)
    cubeless: float | None = None
    cubeless_taken: float | None = None
    cube: dict[str, float] = field(default_factory=dict)
    note_extras: list[tuple[str, str]] = field(default_factory=list)
    unit: Unit = "emg"
    remarks: list[list[Line]] = field(default_factory=list)

    def unreadable_row(self, line: Line, program: str) -> None:
        """Report a line that the program does not write."""
        self.report(codes.UNREADABLE_LINE, line.span, f"{program} writes no such line: {quoted(line.text)}")

    def add_position(self, *, rest: bool) -> None:
        """Add the game: the board is set, and the play of the roll is not known. Both keep their analysis.

        The board is that of the XGID, and a finding reports a drawn board that differs. Without a good XGID, the
        drawn board is taken; without either there is no game.

        Args:
            rest: whether a number in the picture counts only the checkers that are not drawn, as for `find_picture`.
        """
        found = self._position(rest=rest)
        if found is None:
            return
        roller: Player = 0 if self.roller == "X" else 1
        mine, theirs = found.state.score
        self.length, self.length_span = found.state.length, self.xgid_span
        self.rules = _rules(found.state)
        game = self.game(1, (mine, theirs) if roller == 0 else (theirs, mine), self.xgid_span)
        for lines in self.remarks:
            span = Span(lines[0].span.start, lines[-1].span.end)
            game.comments.append(Comment(text="\n".join(each.text for each in lines), span=span))
        board, cube = found.board, found.state.cube
        if roller == 1:
            board, cube = board.flipped(), cube.flipped()
        analysis = _cube(self)
        note = Annotation(program=self.program, cube=analysis, extras=tuple(self.note_extras)) if analysis else None
        offered = found.offered
        at = self.xgid_span
        game.set(roller, board, at, cube=cube.value, owner=cube.player(0), note=None if offered or found.dice else note)
        plays = _plays(self)
        if offered:
            game.double(roller, at, 2 * cube.value, note=note)
        elif found.dice is not None:
            game.play(roller, PlayText("unknown"), at, dice=found.dice)
            if plays:
                note = Annotation(program=self.program, plays=plays, cube=analysis, extras=tuple(self.note_extras))
            game.annotate(note)

    def _position(self, *, rest: bool) -> Position | None:
        """The position of the XGID, or else that of the picture."""
        source = cast("Source", self.source)
        rows = [source.line_text(line.number + 1) for line in self.rows]  # with the blanks before them
        found: Position | None = None
        try:
            found = decode_xgid(self.xgid)
        except IdError as error:
            self.report(codes.BAD_SET_POSITION, self.xgid_span, f"the XGID is wrong: {error}")
        try:
            picture = find_picture(rows, rest=rest)
            drawn = None if picture is None else picture.seen_by(self.roller)
            if found is None and drawn is not None:
                found = replace(decode_picture("\n".join(rows)), board=drawn)
        except IdError as error:
            self.report(codes.BAD_SET_POSITION, self.xgid_span, f"the board cannot be read: {error}")
            return found
        if found is not None and drawn is not None and found.board != drawn:
            words = "the board is drawn otherwise than its XGID says, which is taken"
            self.report(codes.BAD_SET_POSITION, self.xgid_span, words)
        return found


def probabilities(chances: list[tuple[float, float, float]]) -> Probabilities | None:
    """The five chances from those of both sides; None where those of a side are missing."""
    if len(chances) < 2:
        return None
    (win, gammon, backgammon), (_, lost_gammon, lost_backgammon) = chances[:2]
    return win, gammon, backgammon, lost_gammon, lost_backgammon


def roller_of(xgid: str) -> Letter:
    """The player on roll in an XGID: 1 is X, whose score stands first, and -1 is O."""
    fields = xgid.split(":")
    return "O" if len(fields) > _TURN and fields[_TURN] == "-1" else "X"


def _rules(state: MatchState) -> Ruleset:
    """The options. If a player is one point from winning outside the Crawford game, the Crawford rule is taken as off.

    The game may also be one after the Crawford game; a single position does not show which.
    """
    past = state.length > 1 and max(state.score) == state.length - 1 and not state.crawford
    return replace(state.rules, crawford=False) if past else state.rules


def _plays(builder: PositionBuilder) -> PlayAnalysis | None:
    candidates = []
    for each in builder.plays:
        play = each.play
        if play is None:
            builder.unreadable_row(each.line, builder.program)
            continue
        hops = tuple(replace(hop, start=0, end=0) for hop in play.hops)
        evaluation = Evaluation(
            probabilities=probabilities(each.chances), equity=each.equity, cubeless=each.cubeless, unit=builder.unit
        )
        candidates.append(Candidate(hops=hops, evaluation=evaluation, level=Level(name=each.level, code=each.level)))
    return PlayAnalysis(candidates=tuple(candidates)) if candidates else None


def _cube(builder: PositionBuilder) -> CubeAnalysis | None:
    if not {"no double", "take"} <= builder.cube.keys():
        return None
    return CubeAnalysis(
        no_double=Evaluation(
            probabilities=probabilities(builder.chances), equity=builder.cube["no double"], cubeless=builder.cubeless,
            unit=builder.unit,
        ),
        double_take=Evaluation(equity=builder.cube["take"], cubeless=builder.cubeless_taken, unit=builder.unit),
        double_drop=builder.cube.get("pass"),
        level=Level(name=builder.level, code=builder.level),
    )  # fmt: skip
