"""A session with the installed GNU Backgammon: its questions as games of SGF, and its answers read back.

The installed GNU Backgammon: where it is, and a session with it that is kept open.

The program is run, never imported. Questions go to it in a file of games of SGF, one decision each. It analyses them
as it analyses any match, on all its threads, and a script in its own Python writes what it found to a second file,
because its SGF would round to five digits.

Questions as games of SGF for GNU Backgammon, and its answers read back.

Every question is a game that begins with a set position and holds one decision of White, who is on roll. No text of a
record gets into these games, only numbers.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools._shell import find_on_path
from bgtools.board.board import BAR, OFF, Board
from bgtools.engines.program import Program
from bgtools.engines.protocol import EngineUnavailable, Probabilities, TableRefused
from bgtools.met.writing import as_xml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bgtools.board.board import Dice
    from bgtools.board.play import Play
    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState


_LETTERS: Final = ("zabcdefghijklmnopqrstuvwxy", "zxwvutsrqponmlkjihgfedcbay")
"""The letters of White's and of Black's own points 0 (off) to 25 (the bar)."""

_OWNER: Final = {"centre": "c", "mine": "w", "theirs": "b"}
_NUMBER: Final = {"centre": -1, "mine": 1, "theirs": 0}


class ValuedPlay(NamedTuple):
    """A play as GNU Backgammon values it: the board after it, EMG, cubeless chances, plies."""

    result: Board
    equity: float
    probabilities: Probabilities
    plies: int


def rolled(board: Board, state: MatchState, dice: Dice, play: Play | None = None) -> str:
    """A game in which a roll is played; without the play where only the roll matters."""
    steps = "".join(_LETTERS[0][hop.start] + _LETTERS[0][hop.end] for hop in play.hops) if play is not None else ""
    return _game(board, state, f";W[{dice[0]}{dice[1]}{steps}]")


def doubled(board: Board, state: MatchState) -> str:
    """A game in which the player on roll doubles, and the other drops."""
    return _game(board, state, ";W[double]\n;B[drop]")


def _game(board: Board, state: MatchState, action: str) -> str:
    score = f"[length:{state.length}][game:0][ws:{state.score[0]}][bs:{state.score[1]}]"
    return (
        f"(;FF[4]GM[6]AP[bgtools]MI{score}PW[white]PB[black]{_rules(state)}\n;PL[W]{_board(board)}\n"
        f";CV[{state.cube.value}]\n;CP[{_OWNER[state.cube.owner]}]\n{action})\n"
    )


def _rules(state: MatchState) -> str:
    if state.is_money:
        return "RU[Jacoby]" if state.rules.jacoby else ""
    return "RU[Crawford:CrawfordGame]" if state.crawford else "RU[Crawford]"


def _board(board: Board) -> str:
    told = "AE[a:y]"
    for name, letters, side in (("AW", _LETTERS[0], board.mine), ("AB", _LETTERS[1], board.theirs)):
        stones = "".join(f"[{letters[point]}]" * side[point] for point in range(1, BAR + 1))
        told += f"{name}{stones}" if stones else ""
    return told


def numbers(board: Board, state: MatchState) -> tuple[Any, ...]:
    """A position and all that its value depends on, as the script of `session` unpacks it."""
    sides = (board.theirs[1:], board.mine[1:])
    return (
        sides,
        state.cube.value,
        _NUMBER[state.cube.owner],
        state.length,
        state.score[::-1],
        int(state.crawford),
        int(state.is_money and bool(state.rules.jacoby)),
        beavers(state),
    )


def beavers(state: MatchState) -> int:
    """How many beavers GNU Backgammon is to reckon with."""
    return int(state.rules.beavers or 0) if state.is_money else 0


# --- answers --------------------------------------------------------------------------------


def probabilities(found: Sequence[float]) -> Probabilities:
    """The five outputs, which GNU Backgammon gives in our order."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = map(float, found)
    return Probabilities(win, gammon, backgammon, lost_gammon, lost_backgammon)


def plays(board: Board, answer: Mapping[str, Any]) -> list[ValuedPlay]:
    """The plays of an answer, the best first.

    Raises:
        KeyError, TypeError, ValueError, IndexError: it is not of the expected form.
    """
    found = [
        ValuedPlay(_after(board, hops), float(equity), probabilities(chances), int(plies))
        for hops, equity, chances, plies in answer["moves"]
    ]
    # Equal values by the board, so that the order is always the same.
    return sorted(found, key=lambda play: (-play.plies, -play.equity, play.result.mine, play.result.theirs))


def _after(board: Board, hops: Sequence[Sequence[int]]) -> Board:
    mine, theirs = list(board.mine), list(board.theirs)
    for start, end in hops:
        end = max(end, OFF)
        mine[start] -= 1
        mine[end] += 1
        if end != OFF and theirs[BAR - end] == 1:
            theirs[BAR - end] = 0
            theirs[BAR] += 1
    return Board(tuple(mine), tuple(theirs))


VARIABLE: Final = "BGTOOLS_GNUBG"
"""The environment variable that names the program."""

_NAMES: Final = ("gnubg", "gnubg-cli")
"""On Windows the program for the command line has a name of its own."""

_PLACES: Final = (
    "/usr/games",
    "/usr/local/games",
    "/usr/local/bin",
    "/opt/homebrew/bin",
    "/opt/local/bin",
    "/Applications/gnubg.app/Contents/MacOS",
    r"C:\Program Files\gnubg",
    r"C:\Program Files (x86)\gnubg",
)
"""Where Debian, an installation by hand, Homebrew, MacPorts and the installers for macOS and Windows put it."""

_START_LIMIT: Final = 60.0
"""Seconds that it may take to start."""

_SETTINGS: Final = (
    "set display off",
    "set confirm new off",
    "set confirm save off",
    "set output matchequity off",
    *(f"set analysis {what} evaluation cubeful on" for what in ("chequerplay", "cubedecision")),
    *(f"set analysis {what} evaluation prune on" for what in ("chequerplay", "cubedecision")),
    *(f"set analysis {what} evaluation noise 0" for what in ("chequerplay", "cubedecision")),
    "set analysis luckanalysis plies 0",
)
"""Settings that every version gets, instead of its own defaults and the user's."""

_SAME: Final = 1e-6
"""Chances in two tables that differ by less are the same: GNU Backgammon reads them in single precision."""

_VERSION: Final = re.compile(r"GNU Backgammon (\d\S*)")

# GNU Backgammon runs this in its own Python, 2 or 3 by its age. The actions of a game come after the nodes that set
# the position, and the first of them is the decision.
_SCRIPT: Final = """\
import json

with open("questions.json") as file:
    asked = json.load(file)
games = []
if asked["games"]:
    match = gnubg.match(1, 0, 0, 0)
    usual = match["match-info"]["default-eval-context"]["plies"]
    for game in match["games"]:
        found = [record for record in game["game"] if record["action"] in ("move", "double")]
        analysis = found[0].get("analysis", {}) if found else {}
        games.append({
            "moves": [
                [move["move"], move["score"], move["probs"], move.get("evalcontext", {}).get("plies", usual)]
                for move in analysis.get("moves", ())[: asked["moves"]]
            ],
            "luck": analysis.get("luck-value"),
            "cube": [analysis.get("nd-cubeful-eq"), analysis.get("dt-cubeful-eq")],
            "probs": analysis.get("probs"),
        })
values = []
for sides, cube, owner, length, score, crawford, jacoby, beavers in asked["positions"]:
    board = tuple(tuple(side) for side in sides)
    info = gnubg.cubeinfo(cube, owner, 1, length, tuple(score), crawford, 0)
    info["jacoby"] = jacoby
    info["beavers"] = beavers
    context = gnubg.evalcontext(1, 0, 1, 0, 0.0)
    values.append([gnubg.cfevaluate(board, info, context)[0], gnubg.evaluate(board, info, context)[:5]])
table = gnubg.met(asked["table"]) if asked["table"] else None
with open("answers.json", "w") as file:
    file.write(json.dumps({"games": games, "values": values, "table": table}))
"""


def find_program(program: str | None = None) -> str:
    """Where GNU Backgammon is: as told, by the environment variable, on the path, or in a usual place.

    Raises:
        EngineUnavailable: it is not found.
    """
    told = program or os.environ.get(VARIABLE)
    if told:
        found = shutil.which(told)
        if found is None:
            raise EngineUnavailable(f"the engine gnubg is to be {told}, but no such program can be run")
        return str(Path(found).absolute())
    for more in ((), _PLACES):
        for name in _NAMES:
            found = find_on_path(name, *more)
            if found is not None:
                return found
    raise EngineUnavailable(
        "the engine gnubg needs the program GNU Backgammon, which is neither on the path nor in the usual places; "
        f"install it (Debian: gnubg), or let {VARIABLE} name it"
    )


class Session:
    """A running GNU Backgammon.

    Args:
        program: where it is.
        threads: how many it may use.
        cache: how many positions it may remember; None for its own number.
        timeout: seconds that it may take over one batch.
        met: the match equity table to play by.

    Raises:
        EngineUnavailable: it does not start, or is not a GNU Backgammon that can be used.
        TableRefused: it cannot play by the table.
    """

    def __init__(self, program: str, *, threads: int, cache: int | None, timeout: float, met: MatchEquityTable) -> None:
        self._folder = TemporaryDirectory(prefix="bgtools-gnubg-", ignore_cleanup_errors=True)
        self._path = Path(self._folder.name)
        self._marks = 0
        self._money: bool | None = None
        (self._path / "answer.py").write_text(_SCRIPT, encoding="ascii")
        (self._path / "table.xml").write_text(as_xml(met), encoding="utf-8")
        (self._path / "preferences").mkdir()
        # Settings for our Python would mislead the Python inside GNU Backgammon.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        environment |= {"LC_ALL": "C", "LANGUAGE": "C"}
        command = [program, "-t", "-q", "-r", "-s", str(self._path / "preferences")]
        self._program = Program("gnubg", command, timeout=timeout, folder=self._path, environment=environment)
        options = [f"set threads {threads}"]
        if cache is not None:
            options.append(f"set cache {cache}")
        said = self._run([*_SETTINGS, *options, "set matchequitytable table.xml"], min(timeout, _START_LIMIT))
        version = next((found[1] for line in said if (found := _VERSION.search(line))), None)
        if version is None:
            raise self._program.garbage("it does not say that it is GNU Backgammon")
        self.version = version
        self._check_table(met)

    @property
    def is_running(self) -> bool:
        """Whether it can be asked."""
        return self._program.is_running

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._program.pid

    def analyse(
        self, games: Sequence[str], settings: Sequence[str] = (), *, money: bool, best: bool = False
    ) -> list[dict[str, Any]]:
        """Let it analyse games.

        Args:
            games: games of SGF.
            settings: commands to give before.
            money: whether all games are of money sessions; otherwise all are of matches.
            best: whether only the best play is wanted.

        Returns:
            For each game what `_SCRIPT` makes of it.

        Raises:
            EngineUnavailable: it ends, hangs, or answers what makes no sense.
        """
        (self._path / "questions.sgf").write_text("".join(games), encoding="ascii")
        commands = [*self._forgetting(money), *settings, "load match questions.sgf", "analyse match"]
        answers = self._answers(commands, "games", games=len(games), moves=1 if best else None)
        if len(answers) != len(games):
            raise self.garbage(f"it was asked {len(games)} questions and answers {len(answers)}")
        return answers

    def values(self, positions: Sequence[Sequence[Any]], *, money: bool) -> list[Any]:
        """Let it value positions at 0-ply, for the player on roll: cubeful equity (EMG), and the five outputs.

        Args:
            positions: what `_SCRIPT` unpacks.
            money: as `analyse`.

        Raises:
            EngineUnavailable: as `analyse`.
        """
        answers = self._answers(self._forgetting(money), "values", positions=positions)
        if len(answers) != len(positions):
            raise self.garbage(f"it was asked for {len(positions)} values and gives {len(answers)}")
        return answers

    def _forgetting(self, money: bool) -> list[str]:
        """The command that clears its memory between money sessions and matches.

        It remembers money games and matches at 1 away each under one key.
        """
        before, self._money = self._money, money
        return [] if before in (None, money) else ["clear cache"]

    def _check_table(self, met: MatchEquityTable) -> None:
        """Make sure that it uses the table: it ignores a file that it cannot use, without a word."""
        rows, post = self._answers([], "table", table=met.size)[:2]
        told = [value for row in rows for value in row] + post[: met.size - 1]
        wanted = [value for row in met.pre_crawford for value in row] + list(met.post_crawford)[: met.size - 1]
        if any(abs(one - two) > _SAME for one, two in zip(told, wanted, strict=True)):
            self.close()
            raise TableRefused(f"gnubg {self.version} does not take the match equity table {met.name}")

    def _answers(
        self,
        commands: Sequence[str],
        key: str,
        *,
        games: int = 0,
        moves: int | None = None,
        positions: Sequence[Sequence[Any]] = (),
        table: int = 0,
    ) -> list[Any]:
        path = self._path / "answers.json"
        path.unlink(missing_ok=True)
        asked = {"games": games, "moves": moves, "positions": positions, "table": table}
        (self._path / "questions.json").write_text(json.dumps(asked), encoding="ascii")
        said = self._run([*commands, "load python answer.py"])
        try:
            found: list[Any] = json.loads(path.read_bytes())[key]
        except FileNotFoundError:
            if any("Python" in line and "support" in line for line in said):
                self.close()
                raise EngineUnavailable(
                    "this gnubg has been built without Python, by which bgtools asks it; Debian's has it"
                ) from None
            raise self.garbage(" / ".join(line.strip() for line in said if line.strip())[-200:]) from None
        except (ValueError, KeyError, TypeError):
            raise self.garbage("its answer is not what its script writes") from None
        return found

    def garbage(self, what: str) -> EngineUnavailable:
        """The error for an answer that makes no sense; the program is stopped."""
        return self._program.garbage(what)

    def _run(self, commands: Sequence[str], timeout: float | None = None) -> list[str]:
        """What it prints while it carries out commands."""
        self._marks += 1
        # The mark is not a command: gnubg quotes it back once it is done with the commands before it.
        mark = f"bgtools-mark-{self._marks}"
        self._program.send(*commands, mark)
        return self._program.wait(lambda line: mark in line, timeout=timeout)

    def close(self) -> None:
        """End it, and remove the files that it was given."""
        self._program.close()
        self._folder.cleanup()
