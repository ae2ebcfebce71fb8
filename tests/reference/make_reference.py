"""Make ``decisions.json`` beside this file: decisions rolled out by two programs, to measure engines by.

``python tests/reference/make_reference.py [FILE]`` adds what the file lacks, with bgsage and GNU Backgammon installed.
It takes about an hour; broken off, it goes on where it was. ``--again NUMBER`` rolls that decision of the file out anew
and prints both: equal versions of the programs give equal values, on one thread.

The decisions come from matches that invented players of `make_samples` play, half of them money sessions by the Jacoby
rule, half at match scores. Of each match those are taken, at random, in which the second best play, or the other cube
action, is near the best by a look at ``quick``: elsewhere nobody errs. Races that end in a table are left out. Which
decisions are near, and which plays are listed, depends on the levels of `sage` as they were when the file was made.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bgtools.analysis.turns import open_match
from bgtools.bearoff.endings import is_ending
from bgtools.engines.gnubg.session import doubled, find_program, rolled
from bgtools.engines.protocol import CheckerAnswer, CheckerQuestion, CubeAnswer, CubeQuestion
from bgtools.engines.rollouts import RolloutQuestion
from bgtools.engines.sage.engine import SageEngine, release
from bgtools.engines.sage.rollout import GAMES, SageRoller, mean, standard_error
from bgtools.met.finding import default
from bgtools.positions.position import Position
from bgtools.replayer.match import replay
from bgtools.rules.options import Ruleset
from make_samples import STRONG, WEAK, Engine, People
from selfplay import play_match

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.board.board import Board
    from bgtools.rules.cube import MatchState

FILE: Final = Path(__file__).with_name("decisions.json")
LENGTHS: Final = (0, 3, 0, 5, 0, 7, 0, 9, 0, 11)
"""Of the matches, one after the other; 0 for a money session."""
PLAYS: Final = 64
CUBES: Final = 44
"""How many decisions of each kind."""
OF_ONE_MATCH: Final = (4, 3)
"""How many of a match at most: plays, and cubes."""
SECOND: Final = 0.06
"""How near the second best play has to be (EMG)."""
LISTED: Final = 0.10
MOST_LISTED: Final = 4
"""How near a play has to be to be rolled out, and how many are at most."""
CLOSE: Final = 0.10
"""How near the two actions of a cube decision have to be (EMG)."""
BATCHES: Final = 10
"""Of bgsage's rollouts, 36 games each."""
TRIALS: Final = 216
"""Games of GNU Backgammon's rollouts."""
SETTINGS: Final = f"""
set threads 1
set automatic game off
set confirm new off
set analysis chequerplay evaluation plies 0
set analysis cubedecision evaluation plies 0
set analysis movefilter 1 0 0 16 0.5
set rollout trials {TRIALS}
set rollout cubeful on
set rollout varredn on
set rollout quasirandom on
set rollout seed 47
set rollout chequerplay plies 0
set rollout cubedecision plies 0
set rollout truncation enable on
set rollout truncation plies 11
set rollout bearofftruncation exact on
"""
ABOUT: Final = {
    "sage": f"rollouts, {BATCHES * GAMES} games of 7 half-moves, as the engine sage:rollout makes them",
    "gnubg": f"rollouts, {TRIALS} games of 11 half-moves, 0-ply plays and cube, cubeful, variance reduced, seed 47",
}


def candidates() -> Iterator[CheckerQuestion | CubeQuestion]:
    """Close decisions, match by match."""
    engine, judge = Engine(), SageEngine("quick", threads=1)
    for number in range(1000):
        rng = random.Random(4700 + number)
        length = LENGTHS[number % len(LENGTHS)]
        rules = Ruleset() if length else Ruleset(crawford=False, jacoby=True, beavers=0, automatic_doubles=0)
        people = People(engine, rng, (STRONG, WEAK))
        match = play_match(people, rng, length, rules=rules, games=4)
        _, decisions = open_match(replay(match), ("Ann", "Bob"), "gnubg30")
        asked = [each.question for each in decisions if each.question is not None]
        plays = [each for each in asked if isinstance(each, CheckerQuestion) and not is_ending(each.position)]
        cubes = [each for each in asked if isinstance(each, CubeQuestion) and not is_ending(each.position)]
        close = [each for each, answer in zip(plays, judge.checker(plays), strict=True) if is_close_play(answer)]
        near = [each for each, answer in zip(cubes, judge.cube(cubes), strict=True) if is_close_cube(answer)]
        yield from rng.sample(close, min(OF_ONE_MATCH[0], len(close)))
        yield from rng.sample(near, min(OF_ONE_MATCH[1], len(near)))


def is_close_play(answer: object) -> bool:
    return (
        isinstance(answer, CheckerAnswer)
        and len(answer.candidates) > 1
        and 1e-4 < answer.by_worth[0].equity - answer.by_worth[1].equity < SECOND
    )


def is_close_cube(answer: object) -> bool:
    if not isinstance(answer, CubeAnswer):
        return False
    doubling = abs(answer.no_double - answer.double)
    return doubling < CLOSE or (answer.should_double and abs(answer.double_take - 1) < CLOSE)


def missing(known: Iterable[Any]) -> Iterator[CheckerQuestion | CubeQuestion]:
    """Decisions that the reference lacks."""
    left = Counter({(kind, money): many // 2 for kind, many in (("plays", PLAYS), ("cube", CUBES))
                    for money in (True, False)})  # fmt: skip
    found = set()
    for row in known:
        left["plays" if "plays" in row else "cube", Position.from_id(row["id"]).state.is_money] -= 1
        found.add(row["id"])
    for question in candidates() if +left else ():
        key = "plays" if isinstance(question, CheckerQuestion) else "cube", question.state.is_money
        if left[key] > 0 and id_of(question) not in found:
            found.add(id_of(question))
            left[key] -= 1
            yield question
        if not +left:
            return


def id_of(question: CheckerQuestion | CubeQuestion) -> str:
    dice = question.dice if isinstance(question, CheckerQuestion) else None
    return Position(question.position, question.state, dice).xgid


# --- rolling out ----------------------------------------------------------------------------


def by_sage(roller: SageRoller, question: CheckerQuestion | CubeQuestion, boards: tuple[Board, ...]) -> list[Any]:
    """Equity and standard error by bgsage, of each board, or of no double and double and take."""
    asked = [RolloutQuestion(question.position, question.state, boards, batch) for batch in range(BATCHES)]
    return [(mean(column), standard_error(column)) for column in zip(*roller.roll(asked), strict=True)]


SCRIPT: Final = """
import json
with open("choices.json") as file:
    choices = json.load(file)
gnubg.command("analyse rollout " + choices)
with open("found.json", "w") as file:
    json.dump(gnubg.match(analysis=1)["games"][0]["game"][3]["analysis"], file)
"""
LISTING: Final = SCRIPT.replace('gnubg.command("analyse rollout " + choices)', "pass")


def by_gnubg(question: CheckerQuestion | CubeQuestion, boards: tuple[Board, ...]) -> list[Any]:
    """The same by GNU Backgammon."""
    position, state = question.position, question.state
    if isinstance(question, CubeQuestion):
        found = run_gnubg(doubled(position, state), "cube")
        return [in_emg(state, found[f"{key}-cubeful-eq"], found[f"{key}-cubeful-eq-std"]) for key in ("nd", "dt")]
    at = Position(position, state, question.dice)
    play = next(play for play in at.legal_plays() if play.result == boards[0])
    game = rolled(position, state, question.dice, play)

    def results(moves: Sequence[Any]) -> list[Board]:
        return [at.play(" ".join(map(text_of_hop, each["move"]))).board.flipped() for each in moves]

    order = results(run_gnubg(game, None)["moves"])
    moves = run_gnubg(game, "move " + " ".join(str(order.index(board) + 1) for board in boards))["moves"]
    by_board = dict(zip(results(moves), moves, strict=True))
    return [in_emg(state, by_board[board]["cubeful-eq"], by_board[board]["cubeful-eq-std"]) for board in boards]


def text_of_hop(hop: Sequence[int]) -> str:
    names = {25: "bar", 0: "off"}
    return "/".join(names.get(point, str(point)) for point in hop)


def in_emg(state: MatchState, equity: float, error: float) -> tuple[float, float]:
    """Points for money, match winning chance in a match, as EMG."""
    if state.is_money:
        return equity, error
    lose, win = default().anchors(state)
    return default().emg(state, equity), error * 2 / (win - lose)


def run_gnubg(game: str, choices: str | None) -> Any:
    """What GNU Backgammon finds of the decision of a game; it rolls out what ``choices`` name."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "game.sgf").write_text(game)
        (folder / "choices.json").write_text(json.dumps(choices))
        (folder / "script.py").write_text(LISTING if choices is None else SCRIPT)
        # The game begins with a set board, a set cube and its owner; the decision is the fourth entry.
        steps = "load match game.sgf\nanalyse match\nfirst game\nnext\nnext\nnext\nload python script.py\n"
        subprocess.run(
            [find_program(), "-t", "-q", "-r"],
            input=SETTINGS + steps,
            cwd=folder,
            text=True,
            capture_output=True,
            check=True,
        )
        return json.loads((folder / "found.json").read_text())


# --- the file -------------------------------------------------------------------------------


def make(file: Path) -> None:
    """Roll out what the file does not hold yet."""
    rows = json.loads(file.read_text())["decisions"] if file.exists() else []
    roller, judge = SageRoller(1), SageEngine("standard", threads=1)
    for question in missing(list(rows)):
        rows.append({"id": id_of(question)} | row_of(question, roller, judge))
        print(f"{len(rows)} of {PLAYS + CUBES}", flush=True)
        about = ABOUT | {"versions": {"sage": release(), "gnubg": gnubg_version()}}
        lines = ",\n".join(map(json.dumps, rows))
        file.write_text(f'{{"about": {json.dumps(about)}, "decisions": [\n{lines}\n]}}\n')


def roll_again(file: Path, number: int) -> None:
    """Print a decision of the file, and what comes out if it is rolled out anew."""
    row = json.loads(file.read_text())["decisions"][number - 1]
    position = Position.from_id(row["id"])
    question: CheckerQuestion | CubeQuestion = CubeQuestion(position.board, position.state)
    boards: tuple[Board, ...] = ()
    if position.dice is not None:
        question = CheckerQuestion(position.board, position.dice, position.state)
        boards = tuple(position.play(each["play"]).board.flipped() for each in row["plays"])
    print(json.dumps(row))
    for pair in zip(by_sage(SageRoller(1), question, boards), by_gnubg(question, boards), strict=True):
        print(rounded(pair))


def row_of(question: CheckerQuestion | CubeQuestion, roller: SageRoller, judge: SageEngine) -> dict[str, Any]:
    if isinstance(question, CubeQuestion):
        values = zip(by_sage(roller, question, ()), by_gnubg(question, ()), strict=True)
        return {"cube": dict(zip(("no_double", "double_take"), map(rounded, values), strict=True))}
    (answer,) = judge.checker([question])
    assert isinstance(answer, CheckerAnswer)
    best = answer.best.equity
    listed = [each.play for each in answer.by_worth if best - each.equity < LISTED or each is answer.by_worth[1]]
    listed = listed[:MOST_LISTED]
    boards = tuple(play.result for play in listed)
    values = zip(by_sage(roller, question, boards), by_gnubg(question, boards), strict=True)
    return {"plays": [{"play": str(play), "values": rounded(each)} for play, each in zip(listed, values, strict=True)]}


def rounded(pairs: Sequence[Sequence[float]]) -> list[list[float]]:
    return [[round(value, 4) for value in pair] for pair in pairs]


def gnubg_version() -> str:
    said = subprocess.run([find_program(), "--version"], capture_output=True, text=True, check=True).stdout
    return said.split()[2] if said.startswith("GNU") else said.split()[0]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--again"]:
        roll_again(FILE, int(sys.argv[2]))
    else:
        make(Path(sys.argv[1]) if len(sys.argv) > 1 else FILE)
