"""What the readers of position texts share: the making of a match of one position, with its analysis."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from bgtools.board.notation import read_play
from bgtools.board.play import PlayText
from bgtools.findings import codes
from bgtools.findings.finding import Finding, quoted
from bgtools.positions.pictures import decode_picture, find_picture
from bgtools.positions.position import IdError
from bgtools.positions.xgid import decode_xgid
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis
from bgtools.record.record import NOWHERE, CheckerPlay, Comment, Double, Entry, Game, Match, SetBoard, Tag

if TYPE_CHECKING:
    from bgtools.board.perspective import Player
    from bgtools.formats.shared.lines import Line
    from bgtools.positions.pictures import Letter
    from bgtools.positions.position import Position
    from bgtools.record.annotation import Probabilities, Unit
    from bgtools.rules.cube import MatchState
    from bgtools.rules.options import Ruleset
    from bgtools.source import Source, Span


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
class PositionDraft:
    """A position while its lines are read.

    Attributes:
        xgid, xgid_span: its XGID, and the place of that.
        roller: the letter of the player on roll in the picture.
        names: the names of the players, by their letters.
        plays: the plays of the roll, best first.
        chances: the chances to win, to win a gammon and to win a backgammon, 0 to 1: first those of the player who
            may double, then those of the other.
        cubeless, cubeless_taken: the equity without the cube, before the roll and after double and take.
        cube: the equities of no double, of a take and of a drop ("pass").
        extras: parts of the analysis that only its own format has a place for.
    """

    lines: list[Line] = field(default_factory=list)
    xgid: str = ""
    xgid_span: Span = NOWHERE
    roller: Letter = "X"
    names: dict[Letter, str] = field(default_factory=dict)
    program: str = ""
    level: str = ""
    plays: list[PlayDraft] = field(default_factory=list)
    chances: list[tuple[float, float, float]] = field(default_factory=list)
    cubeless: float | None = None
    cubeless_taken: float | None = None
    cube: dict[str, float] = field(default_factory=dict)
    extras: list[tuple[str, str]] = field(default_factory=list)
    marks: list[Span] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    unit: Unit = "emg"

    def unreadable(self, line: Line, program: str) -> None:
        """Add a finding for a line that the program does not write."""
        message = f"{program} writes no such line: {quoted(line.text)}"
        self.findings.append(Finding(codes.UNREADABLE_LINE, line.span, message))


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


def finish(draft: PositionDraft, source: Source, *, rest: bool) -> Match:
    """A match with one position: the board is set, and the play of the roll is not known. Both keep their analysis.

    Player 0 is X. The board is that of the XGID, and a finding reports a drawn board that differs. Without a good
    XGID, the drawn board is taken.

    Args:
        draft: the lines that were read.
        source: the text.
        rest: whether a number in the picture counts only the checkers that are not drawn, as for `find_picture`.
    """
    picture = _rows(draft, source)
    situation = _situation(draft, picture, rest=rest)
    if situation is None:
        return Match(
            players=(draft.names.get("X", ""), draft.names.get("O", "")), length=None, games=(),
            findings=tuple(draft.findings), source=source, marks=tuple(draft.marks), tags=tuple(draft.tags),
        )  # fmt: skip
    roller: Player = 0 if draft.roller == "X" else 1
    state = situation.state
    mine, theirs = state.score
    game = Game(
        number=1,
        score=(mine, theirs) if roller == 0 else (theirs, mine),
        entries=_entries(draft, situation, roller),
        heading=draft.xgid_span,
        score_span=draft.xgid_span,
        comments=tuple(draft.comments),
    )
    return Match(
        players=(draft.names.get("X", ""), draft.names.get("O", "")),
        length=state.length,
        games=(game,),
        tags=tuple(draft.tags),
        rules=_rules(state),
        findings=tuple(draft.findings),
        source=source,
        length_span=draft.xgid_span,
        marks=tuple(draft.marks),
    )


def _rules(state: MatchState) -> Ruleset:
    """The options. If a player is one point from winning outside the Crawford game, the Crawford rule is taken as off.

    The game may also be one after the Crawford game; a single position does not show which.
    """
    past = state.length > 1 and max(state.score) == state.length - 1 and not state.crawford
    return replace(state.rules, crawford=False) if past else state.rules


def _rows(draft: PositionDraft, source: Source) -> list[str]:
    """The lines as they are in the source, with the blanks before them."""
    return [source.line_text(line.number + 1) for line in draft.lines]


def _situation(draft: PositionDraft, rows: list[str], *, rest: bool) -> Position | None:
    told: Position | None = None
    try:
        told = decode_xgid(draft.xgid)
    except IdError as error:
        draft.findings.append(Finding(codes.BAD_SET_POSITION, draft.xgid_span, f"the XGID is wrong: {error}"))
    try:
        picture = find_picture(rows, rest=rest)
        drawn = None if picture is None else picture.seen_by(draft.roller)
        if told is None and drawn is not None:
            around = decode_picture("\n".join(rows))
            told = replace(around, board=drawn)
    except IdError as error:
        draft.findings.append(Finding(codes.BAD_SET_POSITION, draft.xgid_span, f"the board cannot be read: {error}"))
        return told
    if told is not None and drawn is not None and told.board != drawn:
        draft.findings.append(
            Finding(
                codes.BAD_SET_POSITION, draft.xgid_span,
                "the board is drawn otherwise than its XGID says, which is taken",
            )
        )  # fmt: skip
    return told


def _entries(draft: PositionDraft, situation: Position, roller: Player) -> tuple[Entry, ...]:
    position, cube = situation.board, situation.state.cube
    if roller == 1:
        position, cube = position.flipped(), cube.flipped()
    analysis = _cube(draft)
    plays = _plays(draft)
    extras = tuple(draft.extras)
    note = Annotation(program=draft.program, cube=analysis, extras=extras) if analysis else None
    offered = situation.offered
    board = SetBoard(
        player=roller, position=position, cube=cube.value, owner=cube.player(0), span=draft.xgid_span,
        annotation=None if offered or situation.dice else note,
    )  # fmt: skip
    if offered:
        return board, Double(player=roller, value=2 * cube.value, span=draft.xgid_span, annotation=note)
    if situation.dice is None:
        return (board,)
    if plays:
        note = Annotation(program=draft.program, plays=plays, cube=analysis, extras=extras)
    return board, CheckerPlay(
        player=roller, dice=situation.dice, text=PlayText("unknown"), span=draft.xgid_span, annotation=note
    )


def _plays(draft: PositionDraft) -> PlayAnalysis | None:
    candidates = []
    for each in draft.plays:
        play = each.play
        if play is None:
            draft.unreadable(each.line, draft.program)
            continue
        hops = tuple(replace(hop, start=0, end=0) for hop in play.hops)
        evaluation = Evaluation(
            probabilities=probabilities(each.chances), equity=each.equity, cubeless=each.cubeless, unit=draft.unit
        )
        candidates.append(Candidate(hops=hops, evaluation=evaluation, level=Level(name=each.level, code=each.level)))
    return PlayAnalysis(candidates=tuple(candidates)) if candidates else None


def _cube(draft: PositionDraft) -> CubeAnalysis | None:
    if not {"no double", "take"} <= draft.cube.keys():
        return None
    return CubeAnalysis(
        no_double=Evaluation(
            probabilities=probabilities(draft.chances), equity=draft.cube["no double"], cubeless=draft.cubeless,
            unit=draft.unit,
        ),
        double_take=Evaluation(equity=draft.cube["take"], cubeless=draft.cubeless_taken, unit=draft.unit),
        double_drop=draft.cube.get("pass"),
        level=Level(name=draft.level, code=draft.level),
    )  # fmt: skip
