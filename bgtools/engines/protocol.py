"""What every engine is asked and what it answers.

Batch first: a method takes a sequence of questions and returns a tuple of answers in the same order. An engine answers
what it cannot value with `Refused` and a reason; the other questions of the batch are answered all the same.

Equities are cubeful and normalised to the cube before the decision: losing that cube is -1, winning
it is +1 (EMG in a match, points per cube for money). They belong to the player who decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bgtools.board.board import Board, Dice
    from bgtools.board.play import Play
    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState

    Progress = Callable[[int, int], None]
    """Called with ``(done, total)`` questions, so that a bar can be drawn."""

LevelName = Literal["quick", "standard", "deep"]
LEVELS: Final[tuple[LevelName, ...]] = ("quick", "standard", "deep")
"""The levels that every engine knows, from the fastest to the most accurate."""

EXACT: Final = "exact"
"""The depth of a value that a two-sided table holds."""
NEAR: Final = "bear-off"
"""The depth of a value that follows from how many rolls both sides need to bear off."""
LOOKED_UP: Final = frozenset({EXACT, NEAR})
"""Depths of endings, whose values are known better than a rollout could tell them."""

ROLLS: Final[tuple[tuple[int, int], ...]] = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 rolls; a double comes once in 36, any other twice."""

LuckConvention = Literal["gnubg30", "roller15", "naive36", "match-equity", "recorded"]
"""What the first roll of a game is compared with; see `LuckQuestion`."""

RollsTold = Literal["none", "telling", "all"]
"""The turns of which an engine values each of the 21 rolls: none, those with an error or much luck, or all."""


class EngineUnavailable(Exception):
    """The engine cannot run here; the message says why and what to do.

    >>> try:
    ...     bgtools.evaluate(bgtools.Position(), engine="ubgi:no-such-program")
    ... except bgtools.EngineUnavailable as error:
    ...     print("cannot be started" in str(error))
    True
    """


class TableRefused(EngineUnavailable):
    """The engine does not play by the match equity table that is asked for."""


@dataclass(frozen=True, slots=True)
class Probabilities:
    """The five outputs, each 0 to 1, for the player who decides; gammons include backgammons."""

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float

    @property
    def equity(self) -> float:
        """Cubeless equity in points per cube, -3 to 3."""
        return 2 * self.win - 1 + self.win_gammon - self.lose_gammon + self.win_backgammon - self.lose_backgammon

    def flipped(self) -> Probabilities:
        """The same for the other player."""
        return Probabilities(1 - self.win, self.lose_gammon, self.lose_backgammon, self.win_gammon, self.win_backgammon)


@dataclass(frozen=True, slots=True)
class Refused:
    """The engine cannot answer; ``reason`` completes the sentence "not analysed: …".

    Attributes:
        reason: why it cannot.
        best: what it would do, where it names its choice without values; otherwise empty.
    """

    reason: str
    best: str = ""


@dataclass(frozen=True, slots=True)
class Stamp:
    """Where an answer comes from.

    Attributes:
        engine, version: program and its version.
        level: the level that was asked for.
        met: name of the match equity table.
        is_recorded: whether the answer was read from the record, and nothing was searched.
    """

    engine: str
    version: str
    level: str
    met: str
    is_recorded: bool = False


@dataclass(frozen=True, slots=True)
class CheckerQuestion:
    """Which play of a roll is best, and how good is the one that was made?

    Attributes:
        position: before the play, seen by the player on roll.
        dice: the roll.
        state: match state seen by the player on roll.
        played: the board after the play that was made, still seen by the player who moved;
            None when it is not known or not legal.
    """

    position: Board
    dice: Dice
    state: MatchState
    played: Board | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """One legal play with its value.

    Attributes:
        play: the play; its `result` identifies it.
        equity: EMG, see the module text.
        probabilities: cubeless, after the play; None where they are not known.
        depth: how the value was found, in the engine's own words (``"3-ply"``).
        rank: a number for the depth, higher for deeper; only values of one rank can be compared.
    """

    play: Play
    equity: float
    probabilities: Probabilities | None
    depth: str
    rank: int


@dataclass(frozen=True, slots=True)
class CheckerAnswer:
    """All legal plays, best first; from an analysis that is read from a file, the plays that it lists.

    The best play and the one that was made have the same rank, and no other has a higher one. So ``loss`` compares
    values of one depth.

    Attributes:
        candidates: best first among those that were looked at deepest, then the others: by rank, then by equity.
        played_index: index of the play made in ``candidates``; None when the question gave none or
            it is not among the legal plays.
        stamp: where the answer comes from.
        is_decision: whether eXtreme Gammon counts the play as a decision, as its file says; None
            where nothing says so.
    """

    candidates: tuple[Candidate, ...]
    played_index: int | None
    stamp: Stamp
    is_decision: bool | None = None

    @property
    def best(self) -> Candidate:
        """The best play."""
        return self.candidates[0]

    @property
    def by_worth(self) -> tuple[Candidate, ...]:
        """The plays by equity, the best first.

        A play that was left behind early may have a higher equity, from a lesser depth. It still follows the best play.
        """
        best = self.best
        return (best, *sorted(self.candidates[1:], key=lambda one: (-min(one.equity, best.equity), -one.rank)))

    @property
    def played(self) -> Candidate | None:
        """The play that was made."""
        return None if self.played_index is None else self.candidates[self.played_index]

    @property
    def loss(self) -> float | None:
        """Equity (EMG, at least 0) that the play made gives away; None where no candidate is the play made."""
        played = self.played
        return None if played is None else max(self.best.equity - played.equity, 0.0)


@dataclass(frozen=True, slots=True)
class CubeQuestion:
    """What should the player on roll do with the cube, and the other in reply?

    Attributes:
        position: before the decision, seen by the player on roll.
        state: match state seen by them, with the cube before a double.
    """

    position: Board
    state: MatchState


@dataclass(frozen=True, slots=True)
class CubeAnswer:
    """The three equities of a cube decision, all for the player on roll.

    Attributes:
        no_double: they roll without doubling.
        double_take: they double and the other takes (or beavers, where that is allowed and better).
        double_pass: they double and the other passes; +1 by the normalisation.
        probabilities: cubeless, before the roll; None where they are not known.
        depth: how the values were found.
        is_beaver: whether ``double_take`` is the value of a beaver.
        stamp: where the answer comes from.
    """

    no_double: float
    double_take: float
    double_pass: float
    probabilities: Probabilities | None
    depth: str
    stamp: Stamp
    is_beaver: bool = False

    @property
    def double(self) -> float:
        """Equity of doubling when the other replies best."""
        return min(self.double_take, self.double_pass)

    @property
    def best(self) -> float:
        """Equity of the best cube action."""
        return max(self.no_double, self.double)

    @property
    def action(self) -> str:
        """The best action in the field's words; too good is what is worth more than the pass."""
        if self.should_take:
            return "Double, take" if self.should_double else "No double, take"
        return "Too good to double, pass" if self.no_double > self.double_pass else "Double, pass"

    @property
    def should_double(self) -> bool:
        """Whether doubling is worth more than rolling on."""
        return self.double > self.no_double

    @property
    def should_take(self) -> bool:
        """Whether a double is better taken than passed."""
        return self.double_take < self.double_pass


@dataclass(frozen=True, slots=True)
class LuckQuestion:
    """How lucky was a roll?

    Attributes:
        position: before the roll, seen by the player on roll.
        dice: the roll that came.
        state: match state seen by the player on roll, after any double and take.
        opening: True for the first roll of a game (known by its index in the game): it is not a
            double, and either player could have won it.
        convention: what an opening roll is compared with: ``gnubg30`` the mean of 30 outcomes, 15
            non-doubles for each starter (as GNU Backgammon); ``roller15`` the roller's own 15;
            ``naive36`` all 36; ``match-equity`` the chances before the game, which is equity at
            even score 0 (as gammonview and eXtreme Gammon). Other rolls are compared with the mean of
            all 36. ``recorded`` stands for an unknown convention: the figures come from a file that does
            not tell it.
        rolls: whether to value each of the 21 rolls; an engine that cannot leaves `LuckAnswer.rolls` empty.
    """

    position: Board
    dice: Dice
    state: MatchState
    opening: bool = False
    convention: LuckConvention = "gnubg30"
    rolls: bool = False


@dataclass(frozen=True, slots=True)
class LuckAnswer:
    """Luck of one roll for the player who rolled.

    Attributes:
        equity: EMG of the best play of the roll that came.
        mean: EMG of what it is compared with.
        mwc: luck as a change of match winning chance, -1 to 1; None for money.
        depth: how the values were found.
        stamp: where the answer comes from.
        rolls: EMG of the best play of each roll, in the order of `ROLLS`; empty where that was not asked for or is not
            known. The value of the roll that came may differ from ``equity``, which may be searched deeper.
    """

    equity: float
    mean: float
    mwc: float | None
    depth: str
    stamp: Stamp
    rolls: tuple[float, ...] = ()

    @property
    def luck(self) -> float:
        """``equity - mean`` in EMG; for money, in points per cube."""
        return self.equity - self.mean


class Engine(Protocol):
    """A program that values positions."""

    @property
    def stamp(self) -> Stamp:
        """Engine, version, level and match equity table of every answer."""
        ...

    def checker(
        self, questions: Sequence[CheckerQuestion], progress: Progress | None = None
    ) -> tuple[CheckerAnswer | Refused, ...]:
        """Value every legal play of every question."""
        ...

    def cube(
        self, questions: Sequence[CubeQuestion], progress: Progress | None = None
    ) -> tuple[CubeAnswer | Refused, ...]:
        """Value the cube decisions."""
        ...

    def luck(
        self, questions: Sequence[LuckQuestion], progress: Progress | None = None
    ) -> tuple[LuckAnswer | Refused, ...]:
        """Value rolls."""
        ...

    @property
    def met(self) -> MatchEquityTable:
        """The match equity table that its match equities and EMG go by."""
        ...


class Reproducible(Engine, Protocol):
    """An engine whose answers follow from the question and its settings, so that they can be kept."""

    @property
    def fingerprint(self) -> str:
        """All that its answers depend on besides the question: two engines with one fingerprint answer alike."""
        ...


@dataclass(frozen=True, slots=True)
class LuckSpread:
    """How far an engine's two accounts of luck are off, by measurement; see `bgtools.analysis.luck`.

    Attributes:
        rolls, errors: standard deviation of the account for a single roll, EMG. That of a match grows with the root of
            its rolls, each by what is at stake.
    """

    rolls: float
    errors: float


@dataclass(frozen=True, slots=True)
class Traits:
    """What some engines can do and others cannot.

    Attributes:
        knows_cube_limit: whether equities reckon with a limit of the cube.
        luck_spread: how far its accounts of luck are off; where nobody has measured it, as those of GNU Backgammon.
        tells_rolls: of which turns it is worth asking for `LuckQuestion.rolls`.
    """

    knows_cube_limit: bool = False
    luck_spread: LuckSpread = LuckSpread(0.05, 0.02)
    tells_rolls: RollsTold = "none"


_NO_TRAITS: Final = Traits()


def traits_of(engine: object) -> Traits:
    """The traits of an engine; the usual ones if it defines none."""
    told: Traits = getattr(engine, "traits", _NO_TRAITS)
    return told


def quicker_of(engine: Engine) -> Engine:
    """The same engine at the level ``quick``, by its ``quicker`` if it has one; else the engine itself."""
    quicker: Engine = getattr(engine, "quicker", engine)
    return quicker


def forget_match(engine: Engine) -> None:
    """Let an engine forget what it has computed for other matches, by its method ``forget()`` if it has one."""
    getattr(engine, "forget", lambda: None)()
