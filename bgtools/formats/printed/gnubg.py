"""The analysis text of GNU Backgammon ("export match text"). The grammar is ``grammars/gnubg_text.lark``.

Every decision has its IDs, so the text itself gives the board of each turn.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from bgtools.board.notation import read_play
from bgtools.board.perspective import Player, other
from bgtools.board.play import PlayText
from bgtools.findings import codes
from bgtools.findings.finding import quoted
from bgtools.formats.content import FormatError
from bgtools.formats.printed.gnubg_lines import (
    FIELDS,
    INFORMATION,
    LAYOUTS,
    STATISTICS,
    VERSION,
    CandidateLine,
    CubeChoice,
    DecisionHeading,
    PlayerAction,
    ScoreLine,
    parse_field,
)
from bgtools.formats.shared.lines import Line, Stop, lines_of
from bgtools.positions.gnubg import decode_gnu_id
from bgtools.positions.pictures import decode_picture
from bgtools.positions.position import IdError, Position
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis
from bgtools.record.builder import GameBuilder, MatchBuilder
from bgtools.record.record import NOWHERE, CheckerPlay, Comment, Double, Match, Take
from bgtools.rules.options import Ruleset
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.formats.content import Content
    from bgtools.record.annotation import Mark, Probabilities, Unit

PROGRAM: Final = "GNU Backgammon"

# --- a decision -----------------------------------------------------------------------------

_KEPT_TAG = re.compile(r'\[([^"\s][^"]*?) "(.*)"\]')


@dataclass(slots=True)
class _DecisionDraft:
    """A decision while its lines are read."""

    heading: DecisionHeading
    at: Line
    position_id: str = ""
    match_id: str = ""
    picture: list[str] = field(default_factory=list)
    action: PlayerAction | None = None
    action_at: Span = NOWHERE
    candidates: list[CandidateLine] = field(default_factory=list)
    figures: dict[int, Probabilities] = field(default_factory=dict)
    cubeless: tuple[str, float, Unit] | None = None
    cube_figures: Probabilities | None = None
    choices: dict[str, CubeChoice] = field(default_factory=dict)
    alerts: list[tuple[str, float | None]] = field(default_factory=list)
    luck: float | None = None
    marked: str = ""


_MARKS: Final[dict[str, Mark]] = {
    "very bad": "very bad", "bad": "bad", "doubtful": "doubtful", "interesting": "interesting",
    "good": "good", "very good": "very good",
    "very lucky": "very good", "lucky": "good", "unlucky": "bad", "very unlucky": "very bad",
}  # fmt: skip


def _annotation(draft: _DecisionDraft, program: str, *, answer: bool) -> Annotation | None:
    """The analysis of a decision; None where the text has none."""
    mark: Mark | None = None
    cube_mark: Mark | None = None
    luck_mark: Mark | None = None
    cube_error = answer_error = play_error = None
    for words, value in draft.alerts:
        head, _, what = words.rpartition(" ")
        if what == "move":
            mark, play_error = _MARKS.get(head), value
        elif what == "roll":
            luck_mark = _MARKS.get(head)
        elif what in ("take", "pass"):
            answer_error = value
        else:
            cube_error = value
    if draft.marked and (cube_error is not None or answer_error is not None):
        if draft.candidates:
            cube_mark = _MARKS.get(draft.marked)
        else:
            mark = _MARKS.get(draft.marked)
    plays = _plays(draft, play_error)
    cube = _cube(draft, cube_error, answer_error, answer=answer)
    if plays is None and cube is None and draft.luck is None and not draft.alerts:
        return None
    return Annotation(
        program=program, plays=plays, cube=cube, luck=draft.luck, mark=mark, cube_mark=cube_mark, luck_mark=luck_mark
    )


def _plays(draft: _DecisionDraft, error: float | None) -> PlayAnalysis | None:
    candidates: list[Candidate] = []
    chosen = None
    for number, each in enumerate(draft.candidates):
        play = read_play(each.play)
        if play.kind != "moves":
            continue
        if each.chosen:
            chosen = len(candidates)
            if error is None and each.difference:
                error = each.difference
        evaluation = Evaluation(probabilities=draft.figures.get(number), equity=each.value, unit=each.unit)
        # Only the play that was made has columns in a line; candidates have none.
        hops = tuple(replace(hop, start=0, end=0) for hop in play.hops)
        candidates.append(
            Candidate(hops=hops, evaluation=evaluation, level=Level(name=_level(each.level), code=each.level))
        )
    return PlayAnalysis(candidates=tuple(candidates), chosen=chosen, error=error) if candidates else None


def _level(text: str) -> str:
    return text.removeprefix("Cubeful ").removeprefix("Cubeless ")


def _cube(
    draft: _DecisionDraft, error: float | None, answer_error: float | None, *, answer: bool
) -> CubeAnalysis | None:
    choices = draft.choices
    if "no double" not in choices or "take" not in choices:
        return None
    unit = choices["no double"].unit
    dropped = choices.get("pass")
    # The figures of an answer are those of the player who answers; older versions give those of the doubler.
    turned = answer and not (dropped is not None and unit == "emg" and dropped.value > 0)
    engine, cubeless, _ = draft.cubeless or ("", None, unit)

    def seen(value: float | None) -> float | None:
        if value is None or not turned:
            return value
        return 1 - value if unit == "mwc" else -value

    figures = draft.cube_figures
    if figures is not None and turned:
        win, gammon, backgammon, lost_gammon, lost_backgammon = figures
        figures = (round(1 - win, 6), lost_gammon, lost_backgammon, gammon, backgammon)
    return CubeAnalysis(
        no_double=Evaluation(
            probabilities=figures, equity=seen(choices["no double"].value), cubeless=seen(cubeless), unit=unit
        ),
        double_take=Evaluation(equity=seen(choices["take"].value), unit=unit),
        double_drop=seen(dropped.value) if dropped else None,
        level=Level(name=_level(engine), code=engine),
        error=error,
        answer_error=answer_error,
    )


# --- the file -------------------------------------------------------------------------------


def read(content: Content) -> tuple[Match, ...]:
    """Read an analysis text, which holds one game, as a match.

    Raises:
        FormatError: no line of it has the score, so it is not an analysis text.
    """
    return (_GnubgTextReader(content).match(),)


class _GnubgTextReader:
    def __init__(self, content: Content) -> None:
        self.source = content.source
        version = VERSION.search(self.source.text)
        self.program = f"{PROGRAM} {version[1]}" if version else PROGRAM
        self.score: ScoreLine | None = None
        self.score_span = NOWHERE
        self.to = MatchBuilder(source=content.source)
        self.drafts: list[_DecisionDraft] = []
        self.results: list[tuple[str, int, Span]] = []
        self.remark: list[Line] | None = None  # the lines of a remark that is being read

    def match(self) -> Match:
        lines = tuple(lines_of(self.source))
        ended = generated = False
        for line in lines:
            if generated:
                self.to.comments.append(Comment(text=line.text, span=line.span))
            elif ended or STATISTICS.match(line.text):
                self._end_remark()
                ended, generated = True, VERSION.search(f" {line.text}") is not None
                self.to.mark(line.span)
            else:
                self._line(line)
        self._end_remark()
        if self.score is None:
            raise FormatError('this is not an analysis text of GNU Backgammon: no line "The score (after …) is:"')
        to, score = self.to, self.score
        money = not score.length
        to.players, to.length, to.length_span = score.names, score.length, self.score_span
        to.rules = Ruleset(crawford=not money, jacoby=score.jacoby if money else False, beavers=None if money else 0)
        game = to.game(score.games + 1, score.score, self.score_span)
        game.comments, to.comments = to.comments, []  # a text holds one game
        self._start(game, to.rules)
        self._entries(game)
        for winner, points, span in self.results:
            game.result(self._player(winner), points, span)
        return to.build()

    def _line(self, line: Line) -> None:
        draft = self.drafts[-1] if self.drafts else None
        kind, found = LAYOUTS.of(line.text)
        if kind == "annotation":
            self.to.mark(line.span)
            self.remark = []  # it goes on to the next decision
            return
        if self.remark is not None and kind not in ("decision", "result"):
            self.remark.append(line)
            return
        self._end_remark()
        if found is None:
            found = INFORMATION.fullmatch(line.text) if draft is None else None
            if found is None:
                self._unreadable(line)
            else:
                self._information(found["key"], found["field"], line.span)
            return
        if kind == "":
            self.to.mark(line.span)
            if draft is not None and draft.action is None:
                draft.picture.append(self.source.line_text(line.number + 1))
            return
        told: Any = found.groupdict().get("field")
        if kind in FIELDS:
            begin = found.start("field")
            told = parse_field(line.text[begin:] if kind != "length" else told, kind)
            if isinstance(told, Stop):
                if kind != "rolled":
                    self._unreadable(line)
                    return
                told = None
        if kind == "length":
            assert found["one"] is not None
            self.score_span = line.span
            self.score = ScoreLine(
                (found["one"], found["two"]), (int(found["mine"]), int(found["theirs"])), int(found["games"]), *told
            )
        elif kind == "decision":
            self.drafts.append(_DecisionDraft(told, line))
            self.to.mark(line.span)
        elif kind == "result":
            self.results.append((found["name"], int(told), line.span))
        elif draft is None:
            self._unreadable(line)
        else:
            self._detail(draft, kind, found, told, line)

    def _end_remark(self) -> None:
        """Keep the lines of the remark that was read, if one was."""
        if self.remark:
            span = Span(self.remark[0].span.start, self.remark[-1].span.end)
            self.to.comments.append(Comment(text="\n".join(each.text for each in self.remark), span=span))
        self.remark = None

    def _detail(self, draft: _DecisionDraft, kind: str, found: re.Match[str], written: Any, line: Line) -> None:
        if kind == "action":
            draft.action = replace(written, actor=found["name"], play_at=found.start("field") + written.play_at)
            draft.action_at = line.span
            return
        self.to.mark(line.span)
        match kind:
            case "id":
                draft.position_id = found["position"] or draft.position_id
                draft.match_id = found["match"] or draft.match_id
            case "equity":
                value, unit, difference = written
                draft.candidates.append(
                    CandidateLine(bool(found["chosen"]), found["level"], found["play"], value, unit, difference)
                )
            case "figures" if draft.candidates:
                draft.figures[len(draft.candidates) - 1] = written
            case "figures":
                draft.cube_figures = written
            case "cubeless":
                draft.cubeless = (found["level"], *written)
            case "choice":
                draft.choices[written.name] = written
            case "alert":
                draft.alerts.append(written)
            case "marked":
                draft.marked = written
            case "rolled":
                draft.luck = written

    def _unreadable(self, line: Line) -> None:
        message = f"{PROGRAM} writes no such line: {quoted(line.text)}"
        self.to.report(codes.UNREADABLE_LINE, line.span, message)

    def _information(self, key: str, value: str, span: Span) -> None:
        if key in ("Comments", "Comment"):
            # GNU Backgammon keeps tags of match text that it does not know as remarks.
            if kept := _KEPT_TAG.fullmatch(value):
                self.to.tag(kept[1], kept[2], span)
                return
            self.to.comments.append(Comment(text=value, span=span, at=0))
            return
        name = {"Place": "Site", "Date": "EventDate"}.get(key, key)
        if key == "Date":
            plain = _date(value)
            name, value = ("EventDate", plain) if plain else ("Date", value)
        self.to.tag(name, value, span)

    def _player(self, name: str) -> Player:
        """The player with a name. In the oldest versions X and O stand for the names."""
        assert self.score is not None
        return 1 if name == self.score.names[1] or (name == "X" and name != self.score.names[0]) else 0

    # --- entries ----------------------------------------------------------------------------

    def _situation(self, draft: _DecisionDraft, game: GameBuilder) -> Position | None:
        """The position of a decision by its IDs. A finding reports a drawn board that differs."""

        def report(message: str) -> None:
            game.report(codes.BAD_SET_POSITION, draft.at.span, message)

        try:
            stated = decode_gnu_id(f"{draft.position_id}:{draft.match_id}")
        except IdError as error:
            report(f"the IDs of the decision are wrong: {error}")
            return None
        try:
            drawn = decode_picture("\n".join(draft.picture))
        except IdError as error:
            report(f"the board of the decision cannot be read: {error}")
            return stated
        if (drawn.board, drawn.upper) != (stated.board, stated.upper):
            report("the board is drawn otherwise than its Position ID says, which is taken")
        return stated

    def _entries(self, game: GameBuilder) -> None:
        for draft in self.drafts:
            if draft.heading.kind == "doubled" and game.offered() is None and draft.action is not None:
                # Older versions write a double only in the heading of its answer.
                doubler = other(self._player(draft.action.actor))
                game.add(Double(player=doubler, value=draft.heading.value, span=draft.at.span))
            self._entry(draft, game)

    def _entry(self, draft: _DecisionDraft, game: GameBuilder) -> None:
        situation = self._situation(draft, game)
        action = draft.action
        if action is None:
            if draft.heading.kind != "to_play":
                return
            action = PlayerAction("nothing", "")
        if situation is not None:
            roller: Player = 0 if situation.upper else 1
        else:
            roller = self._player(action.actor)
        span = draft.action_at if draft.action is not None else draft.at.span
        note = _annotation(draft, self.program, answer=draft.heading.kind == "doubled")
        rolled = action.kind in ("moves", "dances", "nothing")
        if note is not None and not rolled and (note.plays or note.luck is not None):
            message = "plays or a roll are valued where the cube was turned or the game given up; that is left out"
            game.report(codes.UNREADABLE_LINE, draft.at.span, message)
            note = replace(note, plays=None, luck=None, luck_mark=None)
        match action.kind:
            case "moves" | "dances" | "nothing":
                game.add(
                    CheckerPlay(
                        player=roller, dice=draft.heading.dice, span=span, annotation=note,
                        text=self._text(action), text_at=span.start + action.play_at,
                    )
                )  # fmt: skip
            case "doubles":
                value = None if situation is None else 2 * situation.state.cube.value
                game.add(Double(player=roller, value=value, span=span, annotation=note))
            case "accepts":
                game.add(Take(player=other(roller), span=span, annotation=note))
            case "rejects":
                game.drop(other(roller), span, note=note)
            case "beavers" | "raccoons":
                game.beaver(self._player(action.actor), span, raccoon=action.kind == "raccoons", note=note)
            case _:
                game.resign(self._player(action.actor), span, note=note)

    def _text(self, action: PlayerAction) -> PlayText:
        if action.kind == "dances":
            return PlayText("dance")
        return read_play(action.play) if action.play else PlayText("nothing")

    def _start(self, game: GameBuilder, rules: Ruleset) -> None:
        """Begin the game from the position of its first decision, unless that is the usual start."""
        first = next(iter(self._situations()), None)
        if first is None:
            return
        position, cube = first.board, first.state.cube
        if not first.upper:
            position, cube = position.flipped(), cube.flipped()
        if position != rules.start or cube.value != 1:
            game.begin(position, cube.value, cube.player(0))

    def _situations(self) -> Iterator[Position]:
        for draft in self.drafts:
            try:
                yield decode_gnu_id(f"{draft.position_id}:{draft.match_id}")
            except IdError:
                continue


def _date(text: str) -> str:
    """``28/09/2023`` as 2023.09.28; "" where the day could be the month."""
    found = re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{2}|\d{4})", text)
    if not found:
        return ""
    one, two, year = map(int, found.groups())
    year += 2000 if year < 100 else 0
    if one > 12 >= two or one == two:
        return f"{year:04}.{two:02}.{one:02}"
    return f"{year:04}.{one:02}.{two:02}" if two > 12 >= one else ""
