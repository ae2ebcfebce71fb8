"""Small records with analyses made up for them."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bgtools.board.generation import legal_plays
from bgtools.board.hopping import are_dice
from bgtools.board.play import HopText
from bgtools.met.finding import default
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis
from bgtools.record.record import CheckerPlay, Double, Drop, Take
from bgtools.replayer.match import replay
from bgtools.replayer.valued import cube_state
from support import read_text, written

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bgtools.board.board import Dice
    from bgtools.board.play import Play
    from bgtools.record.annotation import Unit
    from bgtools.record.record import Match
    from bgtools.replayer.turn import Turn

RECORD = """ 3 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                52: 13/11 13/8
  2) 64: 24/18 13/9             33: 8/5(2) 6/3(2)
  3)  Doubles => 2               Takes
  4) 51: 13/8 9/8               21: 13/11 6/5
"""
"""Entries: 0 and 1, 2 and 3 rolls, 4 a double, 5 the take, 6 and 7 rolls."""

CHANCES = (0.55, 0.15, 0.01, 0.12, 0.005)


def noted(notes: Mapping[int, Annotation], text: str = RECORD) -> Match:
    """A record whose first game has these notes, by the number of the entry."""
    match = read_text(text)
    game = match.games[0]
    entries = tuple(replace(entry, annotation=notes.get(at)) for at, entry in enumerate(game.entries))
    return replace(match, games=(replace(game, entries=entries), *match.games[1:]))


def candidate(play: str, equity: float | None, level: str = "2-ply", unit: Unit = "emg", code: str = "") -> Candidate:
    """A play with its equity."""
    evaluation = Evaluation(probabilities=CHANCES, equity=equity, unit=unit)
    return Candidate(hops=written(play), evaluation=evaluation, level=Level(name=level, code=code))


def plays(
    *candidates: Candidate, error: float | None = None, program: str = "GNU Backgammon 1.07", luck: float | None = None
) -> Annotation:
    """What a program says of a roll."""
    return Annotation(program=program, plays=PlayAnalysis(candidates=candidates, error=error), luck=luck)


def cube(no_double: float | None, take: float, drop: float | None = None, unit: Unit = "emg") -> Annotation:
    """What a program says of a cube decision."""
    values = [Evaluation(probabilities=CHANCES, equity=equity, unit=unit) for equity in (no_double, take)]
    analysis = CubeAnalysis(no_double=values[0], double_take=values[1], double_drop=drop, level=Level(name="2-ply"))
    return Annotation(program="GNU Backgammon 1.07", cube=analysis)


# --- whole matches ----------------------------------------------------------------------------

_ROLLED = (
    "X ver 3 Score * * Trials 36 Output * * * * * 0.1 0.2 StdDev 0.01 0.01 0.01 0.01 0.01 0.02 0.02 SK 0 "
    'RC 1 1 1 1 0 0 11 1 1 5 "Mersenne" 42  cube0 ver 3 0C 1 0.000000 0  cheq0 ver 3 0C 1 0.000000 0 '
)


@dataclass(frozen=True, slots=True)
class Style:
    """How a program tells its analysis.

    Attributes:
        program: its name.
        levels: of the best plays, of others, and of a cube decision.
        plays, cubes: the unit of equities in a match.
        states: whether it states errors, and what it counts as a decision.
        is_bare: whether chances, and the equity of a drop, may be missing.
    """

    program: str
    levels: tuple[Level, Level, Level]
    plays: Unit = "emg"
    cubes: Unit = "emg"
    states: bool = False
    is_bare: bool = False


def _named(*names: str) -> tuple[Level, Level, Level]:
    one, two, three = (Level(name=name) for name in names)
    return one, two, three


STYLES = (
    Style(
        "eXtreme Gammon",
        (
            Level(name="XG Roller+", code="1001/1002"),
            Level(name="3-ply", code="2/1002"),
            Level(name="4-ply", code="3/3"),
        ),
        states=True,
    ),
    Style("eXtreme Gammon", _named("opening book", "3-ply red", "rollout"), states=True),
    Style(
        "GNU Backgammon 1.07.001",
        (Level(name="2-ply", code="E ver 3 * * * * * * 2C 0 1 0.000000 1"), Level(name="0-ply"), Level(name="2-ply")),
        cubes="mwc",
    ),
    Style("GNU Backgammon 1.07.001", (Level(name="rollout", code=_ROLLED), *_named("2-ply", "2-ply", "3-ply")[:2])),
    Style("BGBlitz", _named("4-ply world class", "2-ply", "4-ply"), cubes="mwc", is_bare=True),
    Style("bgsage 2.0", _named("3-ply", "2-ply", "truncated3"), "mwc", "mwc", is_bare=True),
    Style("", _named("", "", ""), states=True, is_bare=True),
)
"""Programs, and how they tell what they think."""


class _Annotator:
    """Makes up an analysis of a match, in the style of a program."""

    def __init__(self, seed: int, style: Style) -> None:
        self.rng = random.Random(seed)
        self.style = style

    def match(self, match: Match) -> Match:
        """The match with its analysis."""
        games = []
        for game in replay(match):
            entries = list(game.game.entries)
            for turn in game.turns:
                if turn.entry is entries[turn.index] and (note := self.note(turn)) is not None:
                    entries[turn.index] = replace(turn.entry, annotation=note)
            games.append(replace(game.game, entries=tuple(entries)))
        return replace(match, games=tuple(games))

    def note(self, turn: Turn) -> Annotation | None:
        """What is said of an entry; None of some, and of those that nobody values."""
        rng, entry = self.rng, turn.entry
        if rng.random() < 0.1:
            return None
        if isinstance(entry, CheckerPlay) and entry.dice is not None and are_dice(entry.dice):
            asked = not turn.violations and turn.state.may_double and rng.random() < 0.5
            return Annotation(
                program=self.style.program,
                plays=self.plays(turn, entry.dice),
                cube=self.cube(turn) if asked else None,
                luck=round(rng.uniform(-0.5, 0.5), 4),
            )
        if isinstance(entry, Double | Take | Drop):
            return Annotation(program=self.style.program, cube=self.cube(turn))
        return None

    def plays(self, turn: Turn, dice: Dice) -> PlayAnalysis:
        """Some of the plays of a roll, mostly best first, and mostly with the one that was made."""
        rng, style = self.rng, self.style
        legal = list(legal_plays(turn.before, dice))
        rng.shuffle(legal)
        made = next((play for play in legal if turn.play is not None and play.result == turn.play.result), None)
        kept = legal[: rng.choice((1, 2, 5, 12, 40))]
        if made is not None and made not in kept and rng.random() < 0.9:
            kept[rng.randrange(len(kept))] = made
        worth = sorted((rng.uniform(-0.8, 0.8) for _ in kept), reverse=True)
        if rng.random() < 0.1:
            worth = [worth[0]] * len(worth)
        deep = rng.choice((len(kept), len(kept), 2, 1))
        candidates = [
            Candidate(
                hops=self.hops(play),
                evaluation=self.evaluation(equity, style.plays, turn),
                level=style.levels[0 if rank < deep else 1],
            )
            for rank, (play, equity) in enumerate(zip(kept, worth, strict=True))
        ]
        if rng.random() < 0.1:
            rng.shuffle(candidates)
        chosen = kept.index(made) if made in kept and rng.random() < 0.9 else None
        error = None
        if style.states and made is not None:
            error = worth[kept.index(made)] - worth[0] if made in kept else -rng.uniform(0, 0.3)
        counted = rng.choice((True, False, len(kept) > 1)) if style.states else None
        return PlayAnalysis(candidates=tuple(candidates), chosen=chosen, error=error, counted=counted)

    def hops(self, play: Play) -> tuple[HopText, ...]:
        """A play hop by hop, or as it is printed."""
        if self.rng.random() < 0.5:
            return written(str(play))
        return tuple(HopText((hop.start, hop.end), (hop.hit,)) for hop in play.hops)

    def evaluation(self, equity: float, unit: Unit, turn: Turn, *, bare: float = 0.05) -> Evaluation:
        """An equity of points, told in a unit, with chances that have nothing to do with it."""
        rng, state = self.rng, turn.state
        chances = (rng.uniform(0.2, 0.8), 0.15, 0.01, 0.12, 0.005)
        told: Unit = "emg" if state.is_money or max(state.away) > default().size or min(state.away) < 1 else unit
        return Evaluation(
            probabilities=None if self.style.is_bare and rng.random() < bare else chances,
            equity=equity if told == "emg" else default().mwc(state, equity),
            cubeless=rng.choice((None, equity)) if told == "emg" else None,
            unit=told,
        )

    def cube(self, turn: Turn) -> CubeAnalysis:
        """A cube decision, seen by the player who could double."""
        rng, style = self.rng, self.style
        turn = turn._replace(state=cube_state(turn))
        stay, take = (self.evaluation(rng.uniform(-1, 1.2), style.cubes, turn, bare=0.3) for _ in range(2))
        drop: float | None = 1.0
        if stay.unit == "mwc":
            drop = default().mwc(turn.state, 1.0)
        states = style.states and not isinstance(turn.entry, Take | Drop)
        return CubeAnalysis(
            no_double=stay,
            double_take=take,
            double_drop=None if style.is_bare and rng.random() < 0.5 else drop,
            level=style.levels[2],
            error=-rng.uniform(0, 0.2) if states else None,
            answer_error=-rng.uniform(0, 0.2) if states and isinstance(turn.entry, Double) else None,
        )


def analysed(match: Match, seed: int, style: Style | None = None) -> Match:
    """A match with an analysis made up for it, in one of the styles."""
    return _Annotator(seed, style or STYLES[seed % len(STYLES)]).match(match)
