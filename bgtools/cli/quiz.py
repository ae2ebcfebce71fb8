"""``bgtools quiz``: the worst decisions of many records, asked on the terminal."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from bgtools._disk import make_folders, read_regular, save, why
from bgtools.cli import _common, _terminal
from bgtools.cli._decision_options import (
    CubeOption,
    FilesArgument,
    JobsOption,
    LeastOption,
    OrderOption,
    PhasesOption,
    PlayersOption,
    ThemesOption,
    TopOption,
    select_decisions,
    wanted_of,
)
from bgtools.cli._engine_options import EngineOption, KeepOption, LevelOption, MetOption, RolloutOptions, find_met
from bgtools.cli.table import Options, one_engine
from bgtools.findings.finding import printable

if TYPE_CHECKING:
    from bgtools.analysis.blunders import Blunder, QuizAnswer


def quiz_command(
    files: FilesArgument,
    players: PlayersOption = None,
    top: TopOption = 20,
    min_loss: LeastOption = 0.02,
    themes: ThemesOption = None,
    phases: PhasesOption = None,
    cube: CubeOption = None,
    order: OrderOption = "loss",
    engine: EngineOption = "sage",
    level: LevelOption = "standard",
    met: MetOption = None,
    keep: KeepOption = True,
    jobs: JobsOption = None,
    progress: Annotated[
        Path | None,
        typer.Option(
            help="File that keeps what has been answered; by default one in your data folder.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Ask what has been answered already as well.")] = False,
) -> None:
    """Ask the worst decisions of many records, one after the other.

    "bgtools quiz matches/ --player Ann" shows a board and takes a play in any spelling, or double, no double, take or
    pass; then says what it loses, and why what was played was an error. The score is 500 times the mean loss of your
    answers, beside that of the plays that were made. An empty line shows what can be answered, q ends; the next run
    goes on where this one ended. Exit status: 0 done, 1 done but some file could not be read, 2 there is nothing to
    ask.
    """
    spec = one_engine(engine)
    wanted = wanted_of(players, min_loss, themes, phases, cube, confirmed=False)
    options = Options(spec, level, find_met(met, (spec,)), "xg", None, keep, RolloutOptions())
    kept = _Progress.read(progress or _usual_place())
    found = select_decisions(files, wanted, options, jobs, top, order, "nothing was asked")
    done = _ask_all(found.worst, kept, again=again)
    raise typer.Exit(1 if found.problems and not done else done)


def ask_all(blunders: list[Blunder]) -> int:
    """Ask some decisions, keeping the answers in the usual place; the exit status."""
    return _ask_all(blunders, _Progress.read(_usual_place()), again=False)


def _ask_all(blunders: list[Blunder], kept: _Progress, *, again: bool) -> int:
    from bgtools.analysis.blunders import can_be_asked

    questions = [blunder for blunder in blunders if can_be_asked(blunder)]
    if not questions:
        _common.print_error(
            "nothing of it can be asked: the choices are not known, or it is neither a play nor a cube action"
        )
        return 2
    left = [blunder for blunder in questions if again or _key(blunder) not in kept.answered]
    if not left:
        _terminal.say("all of it has been answered; --again asks it once more")
        _tell_score(questions, kept)
        return 0
    for number, blunder in enumerate(left, 1):
        answer = _ask(blunder, f"{number} of {len(left)}")
        if answer is None:
            break
        kept.answered[_key(blunder)] = answer.loss
        kept.write()
        _tell(blunder, answer)
    _tell_score(questions, kept)
    return 0


def _key(blunder: Blunder) -> str:
    """What a question is known by between two runs."""
    return f"{blunder.row.xgid} {blunder.row.kind}"


_LARGEST: Final = 1 << 24
"""The most bytes of a file of answers."""


def _usual_place() -> Path:
    told = os.environ.get("BGTOOLS_DATA")
    if told:
        return Path(told) / "quiz.json"
    from platformdirs import user_data_path

    return user_data_path("bgtools", appauthor=False) / "quiz.json"


@dataclass(slots=True)
class _Progress:
    """What has been answered: for each question the loss of the last answer."""

    path: Path
    answered: dict[str, float] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> _Progress:
        """The answers in a file. A file that holds something else ends the command, and is not written over."""
        try:
            data: Any = json.loads(read_regular(path, _LARGEST))
            answered = {str(key): float(loss) for key, loss in data["answered"].items()}
        except FileNotFoundError:
            return cls(path)
        except OSError as error:
            _common.print_error(f"{path}: cannot be read: {why(error)}")
            raise typer.Exit(2) from None
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            _common.print_error(f"{path} keeps no answers of a quiz; name another file with --progress")
            raise typer.Exit(2) from None
        return cls(path, answered)

    def write(self) -> None:
        """Keep the answers; where that cannot be, say so and go on."""
        text = json.dumps({"made_by": "bgtools", "answered": self.answered}, indent=1)
        try:
            make_folders(self.path.parent)
            save((text + "\n").encode(), self.path, force=True)
        except OSError as error:
            _common.print_error(f"{self.path}: cannot be written: {why(error)}; the answers are not kept")


def _ask(blunder: Blunder, which: str) -> QuizAnswer | None:
    """Ask until there is an answer; None where nobody wants to go on."""
    from bgtools.analysis.blunders import judge_answer
    from bgtools.reports.sheets.writing import board_of_blunder, question_of

    _terminal.say()
    for line in board_of_blunder(blunder, _terminal.width()):
        _terminal.say(line)
    _terminal.say(f"{which}. {question_of(blunder)}")
    while True:
        _terminal.prompt("> ")
        try:
            text = sys.stdin.readline()
        except OSError as error:  # as where the command was started without it
            _common.print_error(f"standard input: cannot be read: {why(error)}")
            raise typer.Exit(2) from None
        except (KeyboardInterrupt, UnicodeDecodeError):
            text = ""
        if not text or text.strip().casefold() in ("q", "quit"):
            _terminal.say()
            return None
        if text.strip().casefold() in ("", "?", "h", "help"):
            plays = blunder.row.kind == "checker play"
            _terminal.say("a play such as 13/7 8/5; q ends" if plays else "double, no double, take or pass; q ends")
            continue
        try:
            return judge_answer(blunder, text.strip())
        except ValueError as error:
            _terminal.say(printable(str(error)))


def _tell(blunder: Blunder, answer: QuizAnswer) -> None:
    """Say what an answer loses, and what the choice that was made lost and why."""
    from bgtools.analysis.errors import LEAST_SHOWN
    from bgtools.reports.sheets.writing import reason_of

    row = blunder.row
    if answer.loss < LEAST_SHOWN and not answer.at_least:
        _terminal.say_wrapped(f"right: {printable(answer.choice)}")
    else:
        least = "at least " if answer.at_least else ""
        _terminal.say_wrapped(f"{printable(answer.choice)} loses {least}{answer.loss:.3f}; best {printable(row.best)}")
    _terminal.say_wrapped(f"{printable(row.name)} chose {printable(row.played)}, which lost {blunder.loss:.3f}")
    if reason := reason_of(blunder):
        _terminal.say_wrapped(f"  {printable(reason)}", "  ")


def _tell_score(questions: list[Blunder], kept: _Progress) -> None:
    from bgtools.analysis.blunders import performance_rating

    done = [blunder for blunder in questions if _key(blunder) in kept.answered]
    if not done:
        return
    yours = performance_rating(kept.answered[_key(blunder)] for blunder in done)
    theirs = performance_rating(blunder.loss for blunder in done)
    count = "1 answer" if len(done) == 1 else f"{len(done)} answers"
    _terminal.say(f"{count}: 500 times the mean loss is {yours:.1f}; of what was played there {theirs:.1f}")
