"""``bgtools quiz``: the worst decisions of many records, asked on the terminal."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bgtools._disk import why
from bgtools.analysis.repetition import Review, grade_of, in_order
from bgtools.cli import _common, _terminal
from bgtools.cli._answers import read_progress, usual_answers, write_progress
from bgtools.cli._decision_options import (
    CubeOption,
    LeastOption,
    OrderOption,
    PhasesOption,
    PlayersOption,
    ReasonOption,
    ThemesOption,
    TopOption,
    select_decisions,
    themes_for,
    wanted_of,
)
from bgtools.cli._engine_options import EngineOption, KeepOption, LevelOption, MetOption, RolloutOptions, find_met
from bgtools.cli._files import FilesArgument, JobsOption
from bgtools.cli.table import Options, one_engine
from bgtools.findings.finding import printable
from bgtools.findings.quantities import LOST

if TYPE_CHECKING:
    from bgtools.analysis.blunders import Blunder, QuizAnswer
    from bgtools.analysis.repetition import Progress


def quiz_command(
    files: FilesArgument,
    players: PlayersOption = None,
    top: TopOption = 20,
    min_loss: LeastOption = 0.02,
    themes: ThemesOption = None,
    reason: ReasonOption = None,
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
    again: Annotated[bool, typer.Option("--again", help="Ask what is not due yet as well.")] = False,
) -> None:
    """Ask the worst decisions of many records, one after the other.

    "bgtools quiz matches/ --player Ann" shows a board and takes a play in any spelling, or double, no double, take or
    pass; then shows all alternatives, and why what was played was an error. What is answered comes again after days or
    months (FSRS), what was wrong first; the page to train with, which blunders makes, takes the same file of answers.
    At the end it is told what your answers lose, beside what was lost in the matches. An empty line shows what can be
    answered, q ends. Exit status: 0 done, 1 done but some file could not be read, 2 there is nothing to
    ask.
    """
    spec = one_engine(engine)
    wanted = wanted_of(players, min_loss, themes_for(reason, themes), phases, cube, confirmed=False)
    options = Options(spec, level, find_met(met, (spec,)), "xg", None, keep, RolloutOptions())
    path = progress or usual_answers()
    kept = read_progress(path, may_be_missing=True)
    found = select_decisions(files, wanted, options, jobs, top, order, "nothing was asked")
    done = _ask_all(found.worst, kept, path, again=again)
    raise typer.Exit(1 if found.problems and not done else done)


def ask_all(blunders: list[Blunder]) -> int:
    """Ask some decisions, keeping the answers in the usual place; the exit status."""
    path = usual_answers()
    return _ask_all(blunders, read_progress(path, may_be_missing=True), path, again=False)


def _ask_all(blunders: list[Blunder], kept: Progress, path: Path, *, again: bool) -> int:
    from bgtools.analysis.blunders import can_be_asked, question_key

    questions = [blunder for blunder in blunders if can_be_asked(blunder.row)]
    if not questions:
        _common.print_error(
            "nothing of it can be asked: the choices are not known, or it is neither a play nor a cube action"
        )
        return 2
    now = time()
    keys = [question_key(blunder.row) for blunder in questions]
    dues = [kept.due(key) for key in keys]
    left = [at for at in in_order(dues, now) if again or (dues[at] or 0) <= now]
    if not left:
        first = datetime.fromtimestamp(min(due or 0 for due in dues), UTC)
        _terminal.say(f"nothing is due before {first:%Y-%m-%d}; --again asks all the same")
        _tell_score(questions, kept)
        return 0
    for number, at in enumerate(left, 1):
        answer = _ask(questions[at], f"{number} of {len(left)}", is_first=number == 1)
        if answer is None:
            break
        kept.add(keys[at], [Review(int(time()), grade_of(answer.loss), round(answer.loss, 5))])
        write_progress(kept, path)
        _tell(questions[at], answer)
    _tell_score(questions, kept)
    return 0


def _ask(blunder: Blunder, which: str, *, is_first: bool) -> QuizAnswer | None:
    """Ask until there is an answer; None where nobody wants to go on."""
    from bgtools.analysis.blunders import judge_answer
    from bgtools.reports.sheets.writing import board_of_blunder, question_of

    _terminal.say()
    for line in board_of_blunder(blunder, _terminal.width()):
        _terminal.say(line)
    question = question_of(blunder, to_you=True)
    _terminal.say_wrapped(printable(f"{which}. {question[:1].upper()}{question[1:]}"))
    if is_first:
        _terminal.say("(Enter alone says what can be answered; q ends)")
    while True:
        _terminal.prompt("> ")
        try:
            text = sys.stdin.readline()
        except OSError as error:  # as where the command was started without it
            _common.fail(f"standard input: cannot be read: {why(error)}")
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
            _terminal.say_wrapped(printable(_to_you(str(error))))


def _tell(blunder: Blunder, answer: QuizAnswer) -> None:
    """Say what an answer loses, all alternatives, and what the choice that was made lost and why, with the board."""
    from bgtools.analysis.errors import AS_GOOD, LEAST_SHOWN
    from bgtools.reports.decision_text import alternatives_table, cube_verdict
    from bgtools.reports.sheets.writing import board_of_blunder, reason_of

    row = blunder.row
    for line in board_of_blunder(blunder, _terminal.width()):
        _terminal.say(line)
    # Take or pass needs no verdict of its own: one is best, and the other is not.
    verdict = cube_verdict(row) if len(row.choices) > len(("take", "pass")) else ""
    if answer.loss < LEAST_SHOWN and not answer.at_least:
        told = f"Right: {answer.choice}."
    elif answer.loss < AS_GOOD and not answer.at_least:
        told = f"As good as {row.best}: your {answer.choice} loses {LOST.text(answer.loss)}."
    else:
        least = "at least " if answer.at_least else ""
        # What is right with the cube is told below, with what all else loses.
        told = f"Your {answer.choice} loses {least}{LOST.text(answer.loss)}" + (
            "." if verdict else f"; best is {row.best}."
        )
    _terminal.say_wrapped(printable(told))
    if verdict:
        _terminal.say_wrapped(printable(f"{verdict}."))
    reason = reason_of(blunder)
    lost = f"{row.name} chose {row.played}, which lost {LOST.text(blunder.loss)}"
    if answer.choice.casefold() == row.played.casefold():
        lost = f"{row.name} chose it too"
    _terminal.say_wrapped(printable(f"{lost}: {row.sentence}." if reason else f"{lost}."), "  ")
    _terminal.console().print(alternatives_table(row))


_TO_YOU: Final = (
    ("the player on roll plays ", "you play "),
    ("the player on roll has ", "you have "),
    ("the player on roll still has ", "you still have "),
    ("the player on roll's ", "your "),
    ("the player on roll", "you"),
)
"""How a refused answer is told to whoever gave it."""


def _to_you(text: str) -> str:
    for said, instead in _TO_YOU:
        text = text.replace(said, instead)
    return text


def _tell_score(questions: list[Blunder], kept: Progress) -> None:
    from bgtools.analysis.blunders import question_key, share_lost

    last = [(kept.last(question_key(blunder.row)), blunder) for blunder in questions]
    done = [(review.loss, blunder.loss) for review, blunder in last if review is not None and review.loss is not None]
    if not done:
        return
    yours, theirs = (sum(each) / len(done) for each in zip(*done, strict=True))
    answers = "your answer loses" if len(done) == 1 else f"your last {len(done)} answers lose"
    share, figures = share_lost(yours, theirs), f"{LOST.text(yours)} instead of {LOST.text(theirs)}"
    _terminal.say(f"{answers} {share} was lost in the matches: {figures} each on average")
