"""Make the matches in ``samples/`` again, byte for byte: ``python tests/make_samples.py [--check] [DIR]``.

Two invented players of different strength play each match. The engine bgsage values every legal
play and every cube action at its 1-ply level; a player sees those values through a noise of their
own, so they err now and then, as people do. Dice and noise come from one seed a match.

The same bytes come out on every machine: the noise is drawn in an order that does not depend on the
values, ties are broken by it, and values are rounded to what single precision tells for certain.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bgtools.board.board import BAR
from bgtools.formats.mat.writer import write
from bgtools.record.record import Comment, Tag
from bgtools.rules.options import Ruleset
from selfplay import Answer, Table, play_match

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.board import Board, Dice
    from bgtools.board.perspective import Player
    from bgtools.board.play import Play
    from bgtools.record.record import Match
    from bgtools.rules.cube import MatchState
    from bgtools.rules.worth import Level

ENGINE_VERSION: Final = "2.0.20260907"
"""The bgsage whose values made the samples; another one may choose other plays."""

SAMPLES: Final = Path(__file__).resolve().parent.parent / "samples"


@dataclass(frozen=True, slots=True)
class Skill:
    """How well somebody sees.

    Attributes:
        noise: half width of what blurs the value of each play (EMG).
        cube_noise: the same for cube decisions.
        lapse: how often they look badly, with four times the noise.
    """

    noise: float
    cube_noise: float
    lapse: float


STRONG: Final = Skill(noise=0.05, cube_noise=0.08, lapse=0.03)
WEAK: Final = Skill(noise=0.10, cube_noise=0.15, lapse=0.08)


class Engine:
    """The 1-ply values of bgsage."""

    def __init__(self) -> None:
        import bgbot_cpp
        from bgsage import weights

        model = weights.default_weights()
        self._cpp: Any = bgbot_cpp
        self._network: Any = bgbot_cpp.create_strategy(
            model.strategy_type, model.weight_paths_list, model.hidden_sizes_list
        )
        owners = bgbot_cpp.CubeOwner
        self._owners = {"centre": owners.CENTERED, "mine": owners.PLAYER, "theirs": owners.OPPONENT}

    def plays(self, results: Sequence[Board], state: MatchState) -> list[float]:
        """Values of boards after a play, for the player who moved."""
        owner = self._owners[state.cube.owner]
        rest = () if state.is_money else (state.cube.value, *state.away, state.crawford)
        items = [(_board(result), owner, *rest) for result in results]
        answers = self._cpp.batch_evaluate_post_move(items, self._network, 1, jacoby=state.rules.jacoby)
        return [round(float(answer["cubeful_equity"]), 5) for answer in answers]

    def cube(self, position: Board, state: MatchState) -> tuple[float, float]:
        """Values of no double and of double and take, for the player on roll."""
        rest = () if state.is_money else (*state.away, state.crawford)
        item = (_board(position), state.cube.value, self._owners[state.cube.owner], *rest)
        (answer,) = self._cpp.batch_evaluate_positions(
            [item], self._network, 1, jacoby=bool(state.rules.jacoby), beaver=bool(state.rules.beavers)
        )
        return round(float(answer["equity_nd"]), 5), round(float(answer["equity_dt"]), 5)


def _board(position: Board) -> tuple[int, ...]:
    """bgsage's board: the mover's checkers positive, the opponent's negative, both bars counted up."""
    mine, theirs = position.mine, position.theirs
    return (theirs[BAR], *(mine[point] - theirs[BAR - point] for point in range(1, BAR)), mine[BAR])


@dataclass(slots=True)
class People:
    """Two players who see the engine's values through their own noise."""

    engine: Engine
    rng: random.Random
    skills: tuple[Skill, Skill]
    offered: tuple[float, float] = field(default=(0.0, 0.0), init=False)

    def _noise(self, width: float) -> float:
        # Sums of random numbers only: a bell-like curve without functions that differ by platform.
        return (self.rng.random() + self.rng.random() + self.rng.random() - 1.5) / 1.5 * width

    def double(self, table: Table, player: Player) -> bool:
        state = table.state(player)
        noise = self._noise(self.skills[player].cube_noise)
        if state.is_cube_dead:
            return False
        self.offered = self.engine.cube(table.view(player), state)
        stay, taken = self.offered
        return min(taken, 1.0) - stay + noise > 0

    def answer(self, table: Table, player: Player) -> Answer:
        # The values belong to the doubler: dropping costs one cube, taking what a take is worth to them.
        return "take" if self.offered[1] + self._noise(self.skills[player].cube_noise) < 1.0 else "drop"

    def play(self, table: Table, player: Player, dice: Dice, plays: Sequence[Play]) -> Play:
        skill = self.skills[player]
        width = skill.noise * (4 if self.rng.random() < skill.lapse else 1)
        ordered = sorted(plays, key=lambda play: (play.result.mine, play.result.theirs))
        noises = [self._noise(width) for _ in ordered]
        if len(ordered) == 1:
            return ordered[0]
        values = self.engine.plays([play.result for play in ordered], table.state(player))
        # Whoever can end the game does so, however little it matters to the value.
        over = [play for play in ordered if play.result.is_over]
        if over:
            return over[0]
        return ordered[max(range(len(ordered)), key=lambda at: values[at] + noises[at])]

    def resign(self, table: Table, player: Player) -> Level | None:
        return None


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one sample is made.

    Attributes:
        file: its name.
        seed: of dice and noise.
        length: points to win; 0 for money.
        players: invented names.
        skills: how well they play.
        title: what it is, for the header.
        rules: the options it is played under.
        games: how many games a money session has.
        slips: stretches of the clean text, each with what a careless scribe makes of it.
    """

    file: str
    seed: int
    length: int
    players: tuple[str, str]
    skills: tuple[Skill, Skill]
    title: str
    rules: Ruleset = field(default_factory=Ruleset)
    games: int = 0
    slips: tuple[tuple[str, str], ...] = ()


RECIPES: Final = (
    Recipe("seven-point.mat", 1430, 7, ("Nora Lindholm", "Peter Marsh"), (STRONG, WEAK), "7-point match"),
    Recipe(
        "money.mat", 3, 0, ("Carla Benetti", "Hugo Falk"), (WEAK, STRONG), "Money session",
        rules=Ruleset(crawford=False, jacoby=True, automatic_doubles=None), games=4,
    ),
    Recipe("one-point.mat", 13, 1, ("Sam Okoro", "Ines Vidal"), (STRONG, WEAK), "1-point match"),
    Recipe(
        "five-slips.mat", 23, 3, ("Greta Holm", "Ivan Petrov"), (WEAK, STRONG), "3-point match",
        slips=(
            # The eye slips one point: there is no checker on the 14-point.
            ("  2) 32: 13/10 13/11             54: 13/8", "  2) 32: 13/10 14/12             54: 13/8"),
            # The first double of a game is to 2.
            ("Doubles => 2\n 11)  Drops", "Doubles => 4\n 11)  Drops"),
            # 20/14 heard as 10/4, where the other player holds the point.
            (" 11) 61: 20/14 11/10*            62:", " 11) 61: 10/4 11/10*             62:"),
            # A game won with the cube at 2.
            (" 27) 51: 1/0 1/0\n      Wins 2 points", " 27) 51: 1/0 1/0\n      Wins 1 point"),
            # The second half of the play is not written down.
            ("  8) 52: 13/8 8/6                43: 8/4 8/5", "  8) 52: 13/8                    43: 8/4 8/5"),
        ),
    ),
)  # fmt: skip

MADE_BY: Final = (
    "Nobody played this: it is self-play of the engine bgsage at 1-ply, dice and errors drawn from seed {seed},",
    "made by tests/make_samples.py.",
)
SLIPPED: Final = "Five slips of the pen were planted in it afterwards, for bgtools check to find."


def make(recipe: Recipe, engine: Engine) -> Match:
    """Play the match of a recipe, without its slips."""
    rng = random.Random(recipe.seed)
    tags = [
        Tag(key="Site", value="bgtools samples"),
        Tag(key="Event", value=recipe.title),
        Tag(key="Player 1", value=recipe.players[0]),
        Tag(key="Player 2", value=recipe.players[1]),
    ]
    if recipe.rules.jacoby:
        tags.append(Tag(key="Jacoby", value="On"))
    remarks = (*MADE_BY, SLIPPED) if recipe.slips else MADE_BY
    return play_match(
        People(engine, rng, recipe.skills),
        rng,
        recipe.length,
        players=recipe.players,
        games=recipe.games,
        rules=recipe.rules,
        tags=tuple(tags),
        comments=tuple(Comment(text=line.format(seed=recipe.seed)) for line in remarks),
    )


def text(recipe: Recipe, engine: Engine) -> str:
    """The sample as it is written to its file."""
    written = write(make(recipe, engine))
    for clean, slip in recipe.slips:
        if written.count(clean) != 1:
            raise ValueError(f"{recipe.file}: {clean!r} is there {written.count(clean)} times, once is wanted")
        written = written.replace(clean, slip)
    return written


def unavailable() -> str:
    """Why the samples cannot be made here; empty when they can."""
    try:
        installed = version("bgsage")
    except PackageNotFoundError:
        return "bgsage is not installed"
    if installed != ENGINE_VERSION:
        return f"bgsage {installed} is installed, the samples were made with {ENGINE_VERSION}"
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the samples, or compare them; 0 when all is well, 1 when a file differs, 2 when they cannot be made."""
    parser = argparse.ArgumentParser(description="Make the sample matches again.")
    parser.add_argument("folder", nargs="?", type=Path, default=SAMPLES, help="where to write (default: samples/)")
    parser.add_argument("--check", action="store_true", help="compare with what is there, write nothing")
    options = parser.parse_args(arguments)
    if reason := unavailable():
        print(reason, file=sys.stderr)
        return 2
    if not options.check:
        options.folder.mkdir(parents=True, exist_ok=True)
    engine = Engine()
    different = 0
    for recipe in RECIPES:
        data = text(recipe, engine).encode()
        path: Path = options.folder / recipe.file
        if options.check:
            same = path.is_file() and path.read_bytes() == data
            different += not same
            print(f"{path}: {'the same' if same else 'differs'}")
        else:
            path.write_bytes(data)
            print(f"{path}: {len(data)} bytes")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
