"""The engine ``gnubg``: GNU Backgammon as it is installed, run as a program.

It counts plies from 0, where bgsage and eXtreme Gammon count from 1. A ``checker`` answer is what its own analysis
of a match gives: every play at 0-ply, the plays that pass its move filter deeper, and the play that was made as deep as
the best. Luck, forced plays and dances are valued at 0-ply at every level.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from bgtools.board.board import START
from bgtools.board.generation import legal_plays
from bgtools.engines.gnubg import PLIES, session as sgf
from bgtools.engines.gnubg.session import Session, find_program
from bgtools.engines.protocol import Candidate, CheckerAnswer, CubeAnswer, LuckAnswer, Refused, Stamp
from bgtools.engines.sage.frame import cube_refusal, luck_refusal, refusal
from bgtools.met.finding import default

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bgtools.board.board import Board, Dice
    from bgtools.board.play import Play
    from bgtools.engines.protocol import CheckerQuestion, CubeQuestion, LevelName, LuckQuestion, Probabilities, Progress
    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState

_FILTERED: Final = range(1, 5)
"""Depths that have a move filter of their own; deeper searches use the last."""

TIMEOUT: Final = 300.0
"""Seconds that GNU Backgammon may take over a batch."""


@dataclass(frozen=True, slots=True)
class MoveFilter:
    """Which plays are valued deeper: the best, and at most so many more within so much EMG of it.

    Attributes:
        most, width: after 0-ply.
        deep_most, deep_width: after 2-ply, where it looks 3 plies deep or more.
    """

    most: int
    width: float
    deep_most: int
    deep_width: float

    def commands(self) -> Iterator[str]:
        """The commands that set it for every depth."""
        for plies in _FILTERED:
            yield f"set analysis movefilter {plies} 0 0 {self.most} {self.width}"
        for plies in _FILTERED[2:]:
            yield f"set analysis movefilter {plies} 2 0 {self.deep_most} {self.deep_width}"


NORMAL: Final = MoveFilter(8, 0.16, 2, 0.04)
LARGE: Final = MoveFilter(16, 0.32, 4, 0.08)
"""GNU Backgammon's own filters of these names."""


@dataclass(frozen=True, slots=True)
class GnubgRecipe:
    """How deep a level looks, and at how many plays."""

    plies: int
    filter: MoveFilter


RECIPES: Final[Mapping[LevelName, GnubgRecipe]] = MappingProxyType(
    {"quick": GnubgRecipe(0, NORMAL), "standard": GnubgRecipe(2, NORMAL), "deep": GnubgRecipe(2, LARGE)}
)
"""In GNU Backgammon's words: expert, world class, supremo. Supremo is its own default."""

_BATCH: Final = (512, 256, 48, 12, 4, 1, 1, 1)
"""Questions in one batch, by plies: enough for all threads, few enough for an answer every few seconds."""

_DANCES: Final = 10_000
"""Dances whose values are kept."""

_ROLLS: Final[tuple[Dice, ...]] = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))

_What = Literal["moves", "cube", "luck"]
_Roll = tuple["Board", "MatchState", "Dice"]
_Value = tuple[float, "Probabilities"]


class _Compared(NamedTuple):
    """A roll that another is compared with; the sign is -1 where it is the other player's."""

    position: Board
    state: MatchState
    dice: Dice
    sign: int

    @property
    def key(self) -> _Roll:
        return self.position, self.state, self.dice


class GnubgEngine:
    """GNU Backgammon as an `Engine`.

    The program is started at once and kept open. When it fails it is stopped, and started again for the next batch.

    Args:
        level: ``quick``, ``standard`` or ``deep``; see `RECIPES`.
        plies: how deep to look, 0 to 7, with the large filter, which is GNU Backgammon's own default; None for the
            depth and the filter of the level.
        threads: how many to use, None for one a processor. Answers do not depend on it.
        cache: how many positions it may remember, None for its own number. Answers do not depend on it.
        timeout: seconds that it may take over one batch of questions.
        program: where it is; None to look for it, see `find_program`.
        met: the match equity table to play by; None for Kazaross-XG2, which is its own default too.

    Raises:
        EngineUnavailable: it is not there, or cannot be used.
        ValueError: an impossible number of plies, threads or remembered positions.
    """

    def __init__(
        self,
        level: LevelName = "standard",
        *,
        plies: int | None = None,
        threads: int | None = None,
        cache: int | None = None,
        timeout: float = TIMEOUT,
        program: str | None = None,
        met: MatchEquityTable | None = None,
    ) -> None:
        recipe = RECIPES[level]
        if plies is not None and plies not in PLIES:
            raise ValueError(f"gnubg looks {PLIES[0]} to {PLIES[-1]} plies deep, not {plies}")
        if threads is not None and threads < 1:
            raise ValueError(f"{threads} threads")
        if cache is not None and cache < 0:
            raise ValueError(f"a cache of {cache} positions")
        self._recipe = recipe if plies is None else GnubgRecipe(plies, LARGE)
        self._path = find_program(program)
        self._threads, self._cache, self._timeout = threads or os.cpu_count() or 1, cache, timeout
        self.met = met or default()
        self._dances: dict[tuple[Board, MatchState], _Value] = {}
        self._running: Session | None = None
        named = level if plies is None else f"{plies}-ply"
        self.stamp = Stamp("gnubg", self._session().version, named, self.met.name)

    @property
    def fingerprint(self) -> str:
        """See `Reproducible.fingerprint`; it changes with the program, the table, plies and move filters."""
        return f"{self.stamp} {self.met.digest} {self._recipe}"

    @cached_property
    def quicker(self) -> GnubgEngine:
        """See `quicker_of`; another process of the program."""
        if self._recipe == RECIPES["quick"]:
            return self
        return GnubgEngine(
            "quick", threads=self._threads, cache=self._cache, timeout=self._timeout, program=self._path, met=self.met
        )

    @property
    def pid(self) -> int | None:
        """The number of the program's process; None when it does not run."""
        return self._running.pid if self._running is not None and self._running.is_running else None

    def close(self) -> None:
        """End the program. It is started again when it is needed."""
        quicker = self.__dict__.get("quicker", self)
        if quicker is not self:
            quicker.close()
        if self._running is not None:
            self._running.close()
            self._running = None

    # --- checker plays ----------------------------------------------------------------------

    def checker(
        self, questions: Sequence[CheckerQuestion], progress: Progress | None = None
    ) -> tuple[CheckerAnswer | Refused, ...]:
        """Value every legal play of every question."""
        answers: dict[CheckerQuestion, CheckerAnswer | Refused] = {}
        open_: dict[CheckerQuestion, tuple[Play, ...]] = {}
        danced: dict[CheckerQuestion, Play] = {}
        for question in dict.fromkeys(questions):
            reason = refusal(question.position, question.state, question.dice, table=self.met.size)
            plays = () if reason is not None else legal_plays(question.position, question.dice)
            if reason is not None:
                answers[question] = Refused(reason)
            elif plays[0].hops:
                open_[question] = plays
            else:
                danced[question] = plays[0]
        games = [
            (sgf.rolled(asked.position, asked.state, asked.dice, _made(plays, asked.played)), asked.state)
            for asked, plays in open_.items()
        ]
        found = self._analyse(games, "moves", self._recipe.plies, progress)
        for (question, plays), each in zip(open_.items(), found, strict=True):
            answers[question] = self._checker_answer(question, plays, each)
        values = self._after_dances([(asked.position, asked.state) for asked in danced])
        for (question, play), (equity, chances) in zip(danced.items(), values, strict=True):
            made = 0 if question.played == play.result else None
            answers[question] = CheckerAnswer((Candidate(play, equity, chances, "0-ply", 0),), made, self.stamp)
        return tuple(answers[question] for question in questions)

    def _checker_answer(
        self, question: CheckerQuestion, plays: Sequence[Play], found: Mapping[str, Any]
    ) -> CheckerAnswer:
        valued = self._plays(question.position, plays, found)
        of_result = {play.result: play for play in plays}
        candidates = tuple(
            Candidate(of_result[each.result], each.equity, each.probabilities, f"{each.plies}-ply", each.plies)
            for each in valued
        )
        made = next((at for at, each in enumerate(valued) if each.result == question.played), None)
        return CheckerAnswer(candidates, made, self.stamp)

    def _plays(self, board: Board, plays: Sequence[Play], found: Mapping[str, Any]) -> list[sgf.ValuedPlay]:
        """The plays of an answer, which have to be the legal ones."""
        try:
            valued = sgf.plays(board, found)
        except (KeyError, TypeError, ValueError, IndexError):
            raise self._session().garbage("its plays cannot be read") from None
        if {each.result for each in valued} != {play.result for play in plays}:
            raise self._session().garbage(f"of {len(plays)} legal plays it values {len(valued)}")
        return valued

    # --- cube -------------------------------------------------------------------------------

    def cube(
        self, questions: Sequence[CubeQuestion], progress: Progress | None = None
    ) -> tuple[CubeAnswer | Refused, ...]:
        """Value the cube decisions."""
        answers: dict[CubeQuestion, CubeAnswer | Refused] = {}
        open_: list[CubeQuestion] = []
        for question in dict.fromkeys(questions):
            reason = cube_refusal(question, table=self.met.size)
            if reason is not None:
                answers[question] = Refused(reason)
            else:
                open_.append(question)
        found = self._cubes([(asked.position, asked.state) for asked in open_], self._recipe.plies, progress)
        answers.update(zip(open_, found, strict=True))
        return tuple(answers[question] for question in questions)

    def _cubes(
        self, asked: Sequence[tuple[Board, MatchState]], plies: int, progress: Progress | None = None
    ) -> list[CubeAnswer]:
        games = [(sgf.doubled(position, state), state) for position, state in asked]
        found = self._analyse(games, "cube", plies, progress)
        return [self._cube_answer(state, plies, each) for (_, state), each in zip(asked, found, strict=True)]

    def _cube_answer(self, state: MatchState, plies: int, found: Mapping[str, Any]) -> CubeAnswer:
        try:
            no_double, take = map(float, found["cube"])
            chances = sgf.probabilities(found["probs"])
        except (KeyError, TypeError, ValueError):
            raise self._session().garbage("its cube decision cannot be read") from None
        beaver = False
        if state.is_money:
            # GNU Backgammon gives the equity of a take even where a beaver is better.
            beaver = bool(sgf.beavers(state)) and take < 0
        else:
            # GNU Backgammon's match winning chances assume the Crawford rule, whatever the record says.
            usual = replace(state, rules=replace(state.rules, crawford=True))
            no_double, take = self.met.emg(usual, no_double), self.met.emg(usual, take)
        return CubeAnswer(no_double, 2 * take if beaver else take, 1.0, chances, f"{plies}-ply", self.stamp, beaver)

    # --- luck -------------------------------------------------------------------------------

    def luck(
        self, questions: Sequence[LuckQuestion], progress: Progress | None = None
    ) -> tuple[LuckAnswer | Refused, ...]:
        """Value rolls by the best play of each of the 21, all at 0-ply."""
        answers: dict[LuckQuestion, LuckAnswer | Refused] = {}
        own: list[LuckQuestion] = []
        others: list[LuckQuestion] = []
        for question in dict.fromkeys(questions):
            reason = luck_refusal(question, table=self.met.size)
            if reason is not None:
                answers[question] = Refused(reason)
            else:
                (own if _is_its_own(question) else others).append(question)
        rolled = self._rolled([(asked.position, asked.state, asked.dice) for asked in own], "luck", progress)
        for question, (equity, luck) in zip(own, rolled, strict=True):
            answers[question] = self._luck_answer(question, equity, equity - luck)
        wanted = list(dict.fromkeys(roll.key for question in others for roll in _compared(question)))
        equities = [equity for equity, _ in self._rolled(wanted, "moves")]
        known = dict(zip(wanted, equities, strict=True))
        for question in others:
            equity = known[question.position, question.state, _sorted(question.dice)]
            answers[question] = self._luck_answer(question, equity, self._mean(question, known))
        return tuple(answers[question] for question in questions)

    def _mean(self, question: LuckQuestion, known: Mapping[_Roll, float]) -> float:
        """What a roll is compared with by the conventions that GNU Backgammon does not know."""
        state = question.state
        if question.opening and question.convention == "match-equity":
            return 0.0 if state.is_money else self.met.emg(state, self.met.before(state))
        total = weight = 0.0
        for roll in _compared(question):
            count = 1 if roll.dice[0] == roll.dice[1] else 2
            total += roll.sign * count * known[roll.key]
            weight += count
        return total / weight

    def _luck_answer(self, question: LuckQuestion, equity: float, mean: float) -> LuckAnswer:
        mwc: float | None = None
        if not question.state.is_money:
            lose, win = self.met.anchors(question.state)
            mwc = (equity - mean) * (win - lose) / 2
        return LuckAnswer(equity, mean, mwc, "0-ply", self.stamp)

    def _rolled(
        self, rolls: Sequence[_Roll], what: _What, progress: Progress | None = None
    ) -> list[tuple[float, float]]:
        """Equity of the best play of each roll, and the luck of the roll; 0 where ``what`` is not ``luck``."""
        games = [(sgf.rolled(position, state, dice), state) for position, state, dice in rolls]
        found = self._analyse(games, what, 0, progress, best=True)
        danced = [roll[:2] for roll, each in zip(rolls, found, strict=True) if not each["moves"]]
        values = iter(self._after_dances(danced))
        try:
            return [
                (
                    float(each["moves"][0][1]) if each["moves"] else next(values)[0],
                    float(each["luck"]) if what == "luck" else 0.0,
                )
                for each in found
            ]
        except (TypeError, ValueError, IndexError):
            raise self._session().garbage("the luck of a roll cannot be read") from None

    # --- asking -----------------------------------------------------------------------------

    def _session(self) -> Session:
        """The program, started if it does not run."""
        if self._running is None or not self._running.is_running:
            self.close()
            self._running = Session(
                self._path, threads=self._threads, cache=self._cache, timeout=self._timeout, met=self.met
            )
        return self._running

    def _analyse(
        self,
        games: Sequence[tuple[str, MatchState]],
        what: _What,
        plies: int,
        progress: Progress | None = None,
        *,
        best: bool = False,
    ) -> list[dict[str, Any]]:
        """What GNU Backgammon finds in games, each given with its state; with ``best`` only the best plays."""
        settings = [
            *(f"set analysis {name} evaluation plies {plies}" for name in ("chequerplay", "cubedecision")),
            *self._recipe.filter.commands(),
            # The luck of a roll is asked for together with its best play.
            *(f"set analysis {name} {'on' if name in (what, _ALONG.get(what)) else 'off'}" for name in _ANALYSES),
        ]
        found: dict[int, dict[str, Any]] = {}
        # A game of SGF does not say how many beavers are allowed, and gnubg takes some money sessions for matches:
        # each kind of game goes in batches of its own.
        kinds = [(state.is_money, sgf.beavers(state)) for _, state in games]
        for kind in sorted(set(kinds)):
            money, beavers = kind
            indexes = [at for at, one in enumerate(kinds) if one == kind]
            for start in range(0, len(indexes), _BATCH[plies]):
                part = indexes[start : start + _BATCH[plies]]
                answers = self._session().analyse(
                    [games[at][0] for at in part], [*settings, f"set beavers {beavers}"], money=money, best=best
                )
                found.update(zip(part, answers, strict=True))
                if progress is not None:
                    progress(len(found), len(games))
        return [found[at] for at in range(len(games))]

    def _after_dances(self, danced: Sequence[tuple[Board, MatchState]]) -> list[_Value]:
        """What positions are worth to a player who cannot move, at 0-ply.

        No analysis of GNU Backgammon's gives this value. It follows from the other player's next cube decision. Where
        they have no access to the cube, the position is valued by itself, which takes longer.
        """
        asked = [(position.flipped(), state.flipped()) for position, state in danced]
        new = [key for key in dict.fromkeys(asked) if key not in self._dances]
        if len(self._dances) > _DANCES:
            self._dances.clear()
            new = list(dict.fromkeys(asked))
        cubes = [key for key in new if key[1].cube.owner != "theirs"]
        for key, answer in zip(cubes, self._cubes(cubes, 0), strict=True):
            assert answer.probabilities is not None
            equity = answer.best if key[1].may_double else answer.no_double
            self._dances[key] = (equity, answer.probabilities)
        for money in (False, True):
            alone = [key for key in new if key[1].cube.owner == "theirs" and key[1].is_money == money]
            values = self._session().values([sgf.numbers(*key) for key in alone], money=money) if alone else []
            try:
                found = [(float(equity), sgf.probabilities(chances)) for equity, chances in values]
            except (TypeError, ValueError):
                raise self._session().garbage("its values cannot be read") from None
            self._dances.update(zip(alone, found, strict=True))
        return [(-self._dances[key][0], self._dances[key][1].flipped()) for key in asked]


_ANALYSES: Final[tuple[_What, ...]] = ("moves", "cube", "luck")
_ALONG: Final[Mapping[str, str]] = MappingProxyType({"luck": "moves"})


def _made(plays: Iterable[Play], result: Board | None) -> Play:
    """The play that leaves a board; any play where none does."""
    found = list(plays)
    return next((play for play in found if play.result == result), found[0])


def _sorted(dice: Dice) -> Dice:
    return max(dice), min(dice)


def _is_its_own(question: LuckQuestion) -> bool:
    """Whether a question asks for luck as GNU Backgammon itself tells it, which knows an opening roll by the board."""
    looks_opening = question.position == START and question.dice[0] != question.dice[1]
    return looks_opening == question.opening and (not question.opening or question.convention == "gnubg30")


def _compared(question: LuckQuestion) -> list[_Compared]:
    """The rolls whose best plays a question needs, its own among them."""
    position, state = question.position, question.state
    if question.opening and question.convention == "match-equity":
        return [_Compared(position, state, _sorted(question.dice), 1)]
    mixed = question.opening and question.convention != "naive36"
    dice = [roll for roll in _ROLLS if not mixed or roll[0] != roll[1]]
    rolls = [_Compared(position, state, roll, 1) for roll in dice]
    if question.opening and question.convention == "gnubg30":
        rolls += [_Compared(position.flipped(), state.flipped(), roll, -1) for roll in dice]
    return rolls
