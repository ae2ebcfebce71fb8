"""The engine ``ubgi:COMMAND``: any program that speaks UBGI, the Universal Backgammon Interface.

UBGI is lines of text over standard input and output, after chess's UCI. Three drafts of it are spoken:

* 0.01, by its author Ø. Schønning-Johansen (github.com/oysteijo/Universal-Backgammon-Interface): ``ubgi`` is answered
  with ``id …`` and ``readyok``, an XGID with the best action, and what cannot be done with ``sorry``.
* 0.1 and 0.2 of bgci (github.com/bungogood/bgci, docs/ubgi-v0.1-spec.md and docs/ubgi-v0.2-spec.md), which wildbg and
  forks of GNU Backgammon speak: ``ubgi`` is answered with ``ubgiok``, ``isready`` with ``readyok``, and
  ``position …``, ``dice …``, ``go …`` with ``bestmove``, ``bestmoveid`` or ``bestcube``; 0.2 says ``proto 0.2``.

In none of them does an engine give equities, only its choice. So every answer is a `Refused` that says so, with the
choice as `Refused.best`. A choice that is not legal is reported as such.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from bgtools.board.generation import legal_plays
from bgtools.board.movement import resolve
from bgtools.board.notation import read_play
from bgtools.board.play import Play
from bgtools.engines.program import Program
from bgtools.engines.protocol import EngineUnavailable, Refused, Stamp
from bgtools.engines.sage.frame import cube_refusal, refusal
from bgtools.met.finding import default
from bgtools.positions.gnubg import decode_position_id, encode_position_id
from bgtools.positions.position import IdError
from bgtools.positions.xgid import encode_xgid

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.board.board import Board, Dice
    from bgtools.engines.protocol import CheckerQuestion, CubeQuestion, LuckQuestion, Progress
    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState

TIMEOUT: Final = 60.0
"""Seconds that a program may take over a question."""

_START_LIMIT: Final = 20.0
"""Seconds that it may take to start and to answer the greeting."""

_NOTHING_MORE: Final = "UBGI tells what the program would do, and no equities"
_ANSWERS: Final = ("bestmove", "bestmoveid", "bestcube", "bestturn", "error", "sorry")

_Draft = Literal["0.01", "0.1", "0.2"]
_Role = Literal["chequer", "cube"]


class UbgiEngine:
    """A program that speaks UBGI, as an `Engine`.

    The program is started at once and kept running. Its own settings say how deep it looks. When it fails it is
    stopped, and started again for the next batch.

    Args:
        command: the program with its arguments, as one would type it or as a sequence. No shell sees it.
        threads: how many it may use, where it can be told; None for its own number.
        timeout: seconds that it may take over a question.
        met: the match equity table for figures of the match; the program uses its own for its choices.

    Raises:
        EngineUnavailable: it cannot be started, or does not speak UBGI.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        threads: int | None = None,
        timeout: float = TIMEOUT,
        met: MatchEquityTable | None = None,
    ) -> None:
        try:
            words = shlex.split(command, posix=os.name == "posix") if isinstance(command, str) else list(command)
        except ValueError as error:
            raise EngineUnavailable(f"the command of the engine ubgi cannot be read: {error}: {command}") from None
        if not words:
            raise EngineUnavailable("the engine ubgi needs a command: ubgi:COMMAND")
        self._command, self._timeout, self._threads = words, timeout, threads
        self.met = met or default()
        self._running: Program | None = None
        self._draft: _Draft = "0.01"
        self._takes_xgid = True
        self._about: dict[str, str] = {}
        self._program()
        self._name = self._about.get("name") or Path(words[0]).name
        # UBGI does not tell the match equity table.
        self.stamp = Stamp(f"ubgi:{self._name}", self._about.get("version", "unknown"), "as it is set up", "")

    @property
    def draft(self) -> str:
        """Which draft of UBGI the program speaks: 0.01, 0.1 or 0.2."""
        return self._draft

    @property
    def pid(self) -> int | None:
        """The number of the program's process; None when it does not run."""
        return self._running.pid if self._running is not None and self._running.is_running else None

    def close(self) -> None:
        """End the program. It is started again when it is needed."""
        if self._running is not None:
            self._running.close()
            self._running = None

    # --- questions --------------------------------------------------------------------------

    def checker(self, questions: Sequence[CheckerQuestion], progress: Progress | None = None) -> tuple[Refused, ...]:
        """The best play of every question, without equities."""
        answers: dict[CheckerQuestion, Refused] = {}
        asked = dict.fromkeys(questions)
        for question in asked:
            answers[question] = self._play(question)
            if progress is not None:
                progress(len(answers), len(asked))
        return tuple(answers[question] for question in questions)

    def cube(self, questions: Sequence[CubeQuestion], progress: Progress | None = None) -> tuple[Refused, ...]:
        """Whether to double, without equities."""
        answers: dict[CubeQuestion, Refused] = {}
        asked = dict.fromkeys(questions)
        for question in asked:
            answers[question] = self._double(question)
            if progress is not None:
                progress(len(answers), len(asked))
        return tuple(answers[question] for question in questions)

    def luck(self, questions: Sequence[LuckQuestion], progress: Progress | None = None) -> tuple[Refused, ...]:
        """No luck: it would need equities."""
        return (Refused(_NOTHING_MORE),) * len(questions)

    def _play(self, question: CheckerQuestion) -> Refused:
        position, state, dice = question.position, question.state, question.dice
        reason = refusal(position, state, dice, table=self.met.size)
        if reason is not None:
            return Refused(reason)
        plays = legal_plays(position, dice)
        if len(plays) == 1:
            return Refused(_NOTHING_MORE, str(plays[0]) or "Cannot Move")
        kind, text = self._ask("chequer", position, state, dice)
        if kind == "refused":
            return Refused(text)
        play = _named(kind, text, position, dice, plays)
        if play is None:
            return Refused(f"{self._name} answers {text or kind}, which is not a legal play")
        return Refused(_NOTHING_MORE, str(play))

    def _double(self, question: CubeQuestion) -> Refused:
        reason = cube_refusal(question, table=self.met.size)
        if reason is not None:
            return Refused(reason)
        kind, text = self._ask("cube", question.position, question.state)
        if kind == "refused":
            return Refused(text)
        doubles = {"double": True, "nodouble": False, "roll": False}.get(text)
        if doubles is None:
            return Refused(f"{self._name} answers {text}, which is not a cube action")
        return Refused(_NOTHING_MORE, "Double" if doubles else "No double")

    # --- the protocol -----------------------------------------------------------------------

    def _program(self) -> Program:
        """The program, started and greeted if it does not run."""
        if self._running is None or not self._running.is_running:
            self.close()
            self._running = program = Program("the engine ubgi", self._command, timeout=self._timeout)
            self._greet(program)
        return self._running

    def _greet(self, program: Program) -> None:
        limit = min(self._timeout, _START_LIMIT)
        program.send("ubgi")
        lines = program.wait(lambda line: line.strip() in ("ubgiok", "readyok", "sorry"), timeout=limit)
        last = lines[-1].strip()
        if last == "sorry":
            raise program.garbage("it says that it could not start properly (sorry)")
        told = [line.split(None, 2) for line in lines]
        self._about = {words[1]: words[2].strip() for words in told if len(words) == 3 and words[0] == "id"}
        if last == "readyok":
            self._draft = "0.01"
            return
        self._draft = "0.2" if any(words[:1] == ["proto"] for words in told) else "0.1"
        # The drafts do not prescribe options, so only those that the program lists are set.
        options = [("option name Deterministic ", "setoption name Deterministic value true")]
        if self._threads is not None:
            options.append(("option name Threads ", f"setoption name Threads value {self._threads}"))
            options.append(("key engine.threads ", f"set engine.threads {self._threads}"))
        program.send(*(told for listed, told in options if any(line.startswith(listed) for line in lines)))
        self._sync(program, limit)

    def _ask(self, role: _Role, board: Board, state: MatchState, dice: Dice | None = None) -> tuple[str, str]:
        """The kind of its answer and the rest of the line; ``refused`` and the reason where it gives none."""
        program = self._program()
        if self._draft == "0.01":
            program.send(encode_xgid(board, state, dice))
            answer = program.wait(lambda line: not line.startswith(("info ", "id ")))[-1].strip()
            kind = "sorry" if answer == "sorry" else "bestmove" if role == "chequer" else "bestcube"
        else:
            reason = self._set_up(program, board, state, dice)
            if reason is not None:
                return "refused", reason
            program.send(f"go role {role}" if self._draft == "0.1" else f"go {role}")
            line = program.wait(lambda line: line.split(" ", 1)[0].strip() in _ANSWERS)[-1].strip()
            kind, _, answer = line.partition(" ")
        if kind in ("error", "sorry"):
            return "refused", f"{self._name} cannot tell: {_plain(kind if kind == answer else f'{kind} {answer}')}"
        return kind, _plain(answer)

    def _set_up(self, program: Program, position: Board, state: MatchState, dice: Dice | None) -> str | None:
        """Send all that the decision depends on. Gives the reason where that is not possible."""
        rolled = [] if dice is None else [f"dice {dice[0]} {dice[1]}"]
        board = f"position gnubgid {encode_position_id(position)}"
        if self._draft == "0.1":
            errors = self._sync(program, None, "newgame", *_context(state), board, *rolled)
        else:
            errors = []
            if self._takes_xgid:
                errors = self._sync(
                    program, None, "newgame", f"position xgid {encode_xgid(position, state, dice)}", *rolled
                )
                self._takes_xgid = not any(error.startswith("error unsupported") for error in errors)
            if not self._takes_xgid:
                if not state.is_money or state.cube.owner != "centre" or state.cube.value != 1:
                    return f"{self._name} can be told neither score nor cube"
                errors = self._sync(program, None, "newgame", board, *rolled)
        return f"{self._name} does not take the question: {_plain(errors[0])}" if errors else None

    def _sync(self, program: Program, timeout: float | None, *lines: str) -> list[str]:
        """Send commands that have no answer, and wait until they are done. Gives what went wrong."""
        program.send(*lines, "isready")
        said = program.wait(lambda line: line.strip() == "readyok", timeout=timeout)
        return [line.strip() for line in said if line.startswith("error")]


def _context(state: MatchState) -> Iterator[str]:
    """Score and cube in draft 0.1, whose p0 is the player on roll; the Crawford rule is on in the Crawford game."""
    if state.is_money:
        yield f"newsession type money jacoby {'on' if state.rules.jacoby else 'off'}"
    else:
        yield f"newsession type match length {state.length} crawford {'on' if state.crawford else 'off'}"
        yield f"setscore {state.score[0]} {state.score[1]}"
    owner = {"centre": "center", "mine": "p0", "theirs": "p1"}[state.cube.owner]
    yield f"setcube value {state.cube.value} owner {owner}"
    yield "setturn p0"


def _named(kind: str, text: str, position: Board, dice: Dice, plays: Sequence[Play]) -> Play | None:
    """The legal play that an answer names; None when there is none."""
    if kind == "bestmoveid":
        try:
            board = decode_position_id(text)
        except IdError:
            return None
        # The answer is the board after the play. The drafts do not say which player sees it, so both views are tried.
        for seen in (board.flipped(), board):
            found = next((play for play in plays if play.result == seen), None)
            if found is not None:
                return found
        return None
    if kind != "bestmove":
        return None
    read = read_play(text)
    play = resolve(position, dice, read.hops) if read.kind == "moves" else None
    return play if isinstance(play, Play) else None


def _plain(text: str) -> str:
    """Text of another program, fit for a report."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)[:100]
