"""The engine ``file``: what the record itself says of its decisions, in an engine's answers.

eXtreme Gammon, GNU Backgammon, BGBlitz and GammonView save their analysis beside the plays. This engine passes it
on as it stands. It searches nothing and needs no program; a decision that the file does not value is refused. Match
winning chances (`Evaluation.unit`) are turned into EMG by a match equity table of the caller's, since no file says
which table its program used.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.generation import legal_plays, only_play
from bgtools.board.hopping import are_dice
from bgtools.board.movement import resolve
from bgtools.board.violation import Violation
from bgtools.engines.protocol import (
    Candidate,
    CheckerAnswer,
    CubeAnswer,
    EngineUnavailable,
    LuckAnswer,
    LuckSpread,
    Probabilities,
    Refused,
    Stamp,
    Traits,
)
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, Resign, SetBoard, Take
from bgtools.replayer.match import replay

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.board.board import Board, Dice
    from bgtools.board.play import Play
    from bgtools.engines.protocol import CheckerQuestion, CubeQuestion, LuckConvention, LuckQuestion, Progress
    from bgtools.met.table import MatchEquityTable
    from bgtools.record.annotation import Annotation, CubeAnalysis, Evaluation, PlayAnalysis, Probabilities as Chances
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay, Turn
    from bgtools.rules.cube import MatchState

SILENT: Final = "the file says nothing of this"
_FORCED: Final = "forced, and the file says nothing of it"
_NOT_VALUED: Final = "the file does not value the play that was made"
_UNEVEN: Final = "the file has looked at the play that was made and at the best one unequally deep"
_ALONE: Final = "the file values one of several plays"

_CONVENTIONS: Final[tuple[tuple[str, LuckConvention], ...]] = (
    ("extreme gammon", "match-equity"),
    ("xg", "match-equity"),
    ("gnu backgammon", "gnubg30"),
    ("gnubg", "gnubg30"),
    ("gammonview", "match-equity"),
    ("bgsage", "match-equity"),
)
"""What the programs compare the first roll of a game with, by how their names begin."""

_XG_SPREAD: Final = LuckSpread(rolls=0.015, errors=0.006)
"""Of eXtreme Gammon's accounts of luck: in the three matches of docs/engines.md they are .012 apart."""

_VERSION: Final = re.compile(r"(.*?[^ :/])[ :/]+v?(\d+\..*)")
_PLIES: Final = re.compile(r"(\d{1,2})-ply(.*)")
_DEPTHS: Final = {
    "quick": 10, "standard": 25, "deep": 30,
    "xg roller": 45, "xg roller+": 60, "xg roller++": 70, "opening book": 90, "rollout": 100,
}  # fmt: skip


def level_depth(name: str) -> int:
    """How deep a level is, of bgtools or of another program, to order levels by; 0 where that cannot be told."""
    if found := _PLIES.match(name):
        return 10 * int(found[1]) - bool(found[2])
    return _DEPTHS.get(name.casefold(), 0)


def _depth_of(plays: PlayAnalysis) -> int:
    return level_depth(plays.candidates[0].level.name)


class _Key(NamedTuple):
    """The decision that a figure belongs to. Where it comes twice in a match, the deeper analysis counts."""

    position: Board
    state: MatchState
    dice: Dice | None = None
    opening: bool = False


class _RecordedLuck(NamedTuple):
    """The luck of a roll, and the equity of its best play where the file has that too; both EMG."""

    luck: float
    best: float | None


def holds_analysis(match: Match) -> bool:
    """Whether the engine ``file`` has anything to say of a record."""
    # A board that the record sets is not a decision, even with an analysis beside it.
    entries = (entry for game in match.games for entry in game.entries if not isinstance(entry, SetBoard))
    notes = (entry.annotation for entry in entries if entry.annotation is not None)
    return any(note.plays is not None or note.cube is not None for note in notes)


class RecordedEngine:
    """The analysis that a record holds, as an `Engine`.

    Args:
        match: the record.
        games: the replay of ``match``, where the caller has it.
        met: the match equity table that turns match winning chances of the file into EMG, and losses and luck
            into match winning chances; None for the usual one.

    Raises:
        EngineUnavailable: the record holds no analysis.
    """

    def __init__(
        self, match: Match, games: Sequence[GameReplay] | None = None, *, met: MatchEquityTable | None = None
    ) -> None:
        if met is None:
            from bgtools.met.finding import default

            met = default()
        self.met = met
        self._plays: dict[_Key, dict[Board | None, PlayAnalysis]] = {}
        self._cubes: dict[_Key, CubeAnalysis] = {}
        self._luck: dict[_Key, _RecordedLuck] = {}
        programs: dict[str, None] = {}
        levels: dict[str, None] = {}
        for game in replay(match) if games is None else games:
            for turn in game.turns:
                note = turn.entry.annotation
                if note is None:
                    continue
                for each in (note, *note.others):
                    self._keep(game, turn, each)
                    programs |= dict.fromkeys(filter(None, (each.program,)))
                    levels |= dict.fromkeys(_levels(each))
        if not (self._plays or self._cubes or self._luck):
            raise EngineUnavailable("the record holds no analysis of its own")
        self.stamp = _stamp(programs, levels, met.name)
        self.luck_convention: LuckConvention = _convention(programs)
        self.traits = Traits(luck_spread=_XG_SPREAD) if _is_xg(programs) else Traits()

    # --- reading ----------------------------------------------------------------------------

    def _keep(self, game: GameReplay, turn: Turn, note: Annotation) -> None:
        entry, cube = turn.entry, note.cube
        if isinstance(entry, CheckerPlay):
            if entry.dice is not None and are_dice(entry.dice):
                self._keep_roll(game, turn, note, _sorted(entry.dice))
            key = _Key(turn.before, turn.state)
        elif isinstance(entry, Double | Resign):
            key = _Key(turn.before, turn.state)
        elif isinstance(entry, Take | Drop) or (isinstance(entry, Beaver) and not entry.raccoon):
            key = _Key(turn.before.flipped(), turn.state.flipped())
        else:
            return
        if cube is not None:
            kept = self._cubes.get(key)
            if kept is None or level_depth(cube.level.name) > level_depth(kept.level.name):
                self._cubes[key] = cube

    def _keep_roll(self, game: GameReplay, turn: Turn, note: Annotation, dice: Dice) -> None:
        key = _Key(turn.before, turn.state, dice)
        plays = note.plays
        if plays is not None and plays.candidates:
            # The file states the error of the play that was made, so each play made keeps its own analysis.
            made = self._plays.setdefault(key, {})
            played = None if turn.play is None else turn.play.result
            if played not in made or _depth_of(plays) > _depth_of(made[played]):
                made[played] = plays
        if note.luck is not None:
            opening = game.is_opening_roll(turn)
            first = None if plays is None else next(iter(plays.candidates), None)
            best = None if first is None else self._emg(turn.state, first.evaluation)
            self._luck.setdefault(key._replace(opening=opening), _RecordedLuck(note.luck, best))

    def _error(self, state: MatchState, plays: PlayAnalysis) -> float | None:
        """The error of the play that was made as the file states it: EMG, at most 0; None where it states none."""
        if plays.error is None or plays.candidates[0].evaluation.unit == "emg":
            return plays.error
        even, lost = self._in_emg(state, 0.5, is_mwc=True), self._in_emg(state, 0.5 + plays.error, is_mwc=True)
        return None if even is None or lost is None else lost - even

    def _emg(self, state: MatchState, value: Evaluation) -> float | None:
        return self._in_emg(state, value.equity, is_mwc=value.unit == "mwc")

    def _in_emg(self, state: MatchState, equity: float | None, *, is_mwc: bool) -> float | None:
        """An equity of the file in EMG; None where it gives none, and beyond the match equity table."""
        if equity is None or not is_mwc:
            return equity
        try:
            # Programs assume the Crawford rule, whatever the record says.
            return self.met.emg(replace(state, rules=replace(state.rules, crawford=True)), equity)
        except ValueError:
            return None

    # --- answers ----------------------------------------------------------------------------

    def checker(
        self, questions: Sequence[CheckerQuestion], progress: Progress | None = None
    ) -> tuple[CheckerAnswer | Refused, ...]:
        """What the file says of the plays of each roll: those it lists, not every legal one."""
        return tuple(map(self._checker, questions))

    def _checker(self, question: CheckerQuestion) -> CheckerAnswer | Refused:
        position, state, dice = question.position, question.state, _sorted(question.dice)
        made = self._plays.get(_Key(position, state, dice))
        if made is None:
            return Refused(SILENT if only_play(position, dice) is None else _FORCED)
        kept = made.get(question.played) or max(made.values(), key=_depth_of)
        listed = list(self._candidates(position, state, dice, kept))
        if not listed:
            return Refused(SILENT)
        # Files list the deepest plays first. Only plays as deep as the first can be compared with it.
        best = max((each for each in listed if each.depth == listed[0].depth), key=lambda each: each.equity)
        played: Candidate | Refused | None = None
        if question.played is not None:
            played = _made(question, listed, best, self._error(state, kept) if question.played in made else None)
        if isinstance(played, Refused):
            return played
        if len(listed) == 1 and best is played and only_play(position, dice) is None:
            return Refused(_ALONE)
        ranked = _ranked(listed, best, played)
        return CheckerAnswer(ranked, None if played is None else ranked.index(played), self.stamp, kept.counted)

    def _candidates(self, board: Board, state: MatchState, dice: Dice, plays: PlayAnalysis) -> Iterator[Candidate]:
        """The legal plays that the file lists with a value, each board once."""
        # Spelled as `legal_plays` does, so that the answers of two engines can be compared.
        legal = {play.result: play for play in legal_plays(board, dice)}
        for each in plays.candidates:
            equity = self._emg(state, each.evaluation)
            found = resolve(board, dice, each.hops)
            play = None if isinstance(found, Violation) else legal.pop(found.result, None)
            if equity is None or play is None:
                continue
            name = each.level.name
            yield Candidate(play, equity, _chances(each.evaluation.probabilities), name, level_depth(name))

    def cube(
        self, questions: Sequence[CubeQuestion], progress: Progress | None = None
    ) -> tuple[CubeAnswer | Refused, ...]:
        """What the file says of the cube decisions."""
        return tuple(map(self._cube, questions))

    def _cube(self, question: CubeQuestion) -> CubeAnswer | Refused:
        state = question.state
        cube = self._cubes.get(_Key(question.position, state))
        if cube is None:
            return Refused(SILENT)
        unit = cube.no_double.unit
        no_double, double_take = self._emg(state, cube.no_double), self._emg(state, cube.double_take)
        if no_double is None or double_take is None:
            return Refused(self._beyond(state) if unit == "mwc" else SILENT)
        double_pass = self._in_emg(state, cube.double_drop, is_mwc=unit == "mwc")
        return CubeAnswer(
            no_double,
            double_take,
            1.0 if double_pass is None else double_pass,
            _chances(cube.no_double.probabilities),
            cube.level.name,
            self.stamp,
        )

    def luck(
        self, questions: Sequence[LuckQuestion], progress: Progress | None = None
    ) -> tuple[LuckAnswer | Refused, ...]:
        """What the file says of the luck of each roll.

        Where the file gives the luck and nothing else, the answer's equity is the luck and its mean is 0.
        """
        return tuple(map(self._rolled, questions))

    def _rolled(self, question: LuckQuestion) -> LuckAnswer | Refused:
        state = question.state
        found = self._luck.get(_Key(question.position, state, _sorted(question.dice), question.opening))
        if found is None:
            return Refused("the file does not give it")
        if question.opening and question.convention != self.luck_convention:
            return Refused(f"the file compares opening rolls by the convention {self.luck_convention}")
        mwc: float | None = None
        if not state.is_money:
            try:
                mwc = self.met.mwc(state, found.luck) - self.met.mwc(state, 0.0)
            except ValueError:
                return Refused(self._beyond(state))
        best = found.luck if found.best is None else found.best
        return LuckAnswer(best, best - found.luck, mwc, "", self.stamp)

    def _beyond(self, state: MatchState) -> str:
        try:
            self.met.anchors(state)
        except ValueError as error:
            return str(error)
        return SILENT


def _made(
    question: CheckerQuestion, listed: Sequence[Candidate], best: Candidate, stated: float | None
) -> Candidate | Refused:
    """The play that was made, with a value that can be compared with the best.

    Args:
        question: says which play was made.
        listed: the plays that the file values.
        best: the best of them.
        stated: the error of that play as the file states it, EMG, at most 0; None where it states none.
    """
    found = next((each for each in listed if each.play.result == question.played), None)
    if found is not None and found.depth == best.depth:
        return found
    if stated is None:
        return Refused(_NOT_VALUED if found is None else _UNEVEN)
    play = found.play if found is not None else _legal(question.played, question.position, question.dice)
    if play is None:
        return Refused(_NOT_VALUED)
    chances = found.probabilities if found is not None else None
    return Candidate(play, best.equity + stated, chances, best.depth, best.rank)


def _ranked(listed: Sequence[Candidate], best: Candidate, played: Candidate | None) -> tuple[Candidate, ...]:
    """The plays in the order of an answer: no rank is above that of the best."""
    others = [each for each in listed if each is not best and (played is None or each.play != played.play)]
    if played is not None and played is not best:
        others.append(played)
    others.sort(key=lambda each: (-min(each.rank, best.rank), -each.equity))
    return (best, *(each if each.rank <= best.rank else replace(each, rank=best.rank) for each in others))


def _sorted(dice: Dice) -> Dice:
    return max(dice), min(dice)


def _legal(result: Board | None, board: Board, dice: Dice) -> Play | None:
    return next((play for play in legal_plays(board, dice) if play.result == result), None)


def _chances(given: Chances | None) -> Probabilities | None:
    return None if given is None else Probabilities(*given)


# --- what the file calls it -----------------------------------------------------------------


def _levels(note: Annotation) -> Iterator[str]:
    """The levels that a note names: that of the play ranked first, and that of the cube decision."""
    if note.plays is not None and note.plays.candidates:
        yield note.plays.candidates[0].level.name
    if note.cube is not None:
        yield note.cube.level.name


def _stamp(programs: Iterable[str], levels: Iterable[str], met: str) -> Stamp:
    named = [found.groups() if (found := _VERSION.fullmatch(each)) else (each, "") for each in programs]
    ranked = sorted(filter(None, levels), key=level_depth, reverse=True)
    return Stamp(
        " and ".join(dict.fromkeys(name for name, _ in named)) or "unnamed program",
        " and ".join(dict.fromkeys(version for _, version in named if version)),
        ", ".join(ranked) or "not stated",
        met,
        is_recorded=True,
    )


def _is_xg(programs: Iterable[str]) -> bool:
    """Whether eXtreme Gammon alone has analysed the record."""
    names = [program.casefold() for program in programs]
    return bool(names) and all(name.startswith(("extreme gammon", "xg")) for name in names)


def _convention(programs: Iterable[str]) -> LuckConvention:
    """What the programs compare an opening roll with, where all of them do it alike; else ``recorded``."""
    found = {
        next((rule for name, rule in _CONVENTIONS if program.casefold().startswith(name)), "recorded")
        for program in programs
    }
    return found.pop() if len(found) == 1 else "recorded"  # type: ignore[return-value]
