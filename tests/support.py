"""What the tests share: boards and plays in a few characters, random positions, the corpus."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgtools.board.board import BAR, OFF, START, Board, checkers
from bgtools.board.generation import legal_plays
from bgtools.board.hopping import numbers
from bgtools.board.play import HopText, Play
from bgtools.checks.checking import check
from bgtools.conversion.facts import differences
from bgtools.formats.content import FormatError
from bgtools.formats.reading import about_file, read_source
from bgtools.repair.planning import offer_fixes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.board.board import Checkers, Dice
    from bgtools.board.play import Hop
    from bgtools.findings.finding import Code, Finding
    from bgtools.record.record import Match

CORPUS = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus"
NO_CORPUS = "the corpus of recorded matches is not at ../shared/corpus"
needs_corpus = pytest.mark.needs((CORPUS / "mat").is_dir(), "the corpus")

in_shares = pytest.mark.parametrize(
    "share", [pytest.param(slice(number, None, 8), id=str(number)) for number in range(8)]
)
"""For what takes hours as a whole: an eighth a test, of every sort as much, so that one of them ends soon."""


def some_or_all(step: int) -> pytest.MarkDecorator:
    """A test that takes every ``step``-th of its trials in the quick suite, and all in the thorough one."""
    return pytest.mark.parametrize("step", [step, pytest.param(1, marks=pytest.mark.thorough)], ids=["some", "all"])


ROLLS: tuple[Dice, ...] = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 rolls."""


def board(mine: dict[int, int], theirs: dict[int, int] | None = None) -> Board:
    """A position from ``{point: count}`` a side, each in its owner's numbering; the rest is off.

    Without ``theirs`` the other side has three checkers on its 1-point, out of everybody's way.
    """
    return Board(checkers(mine), checkers({1: 3} if theirs is None else theirs))


def written(text: str) -> tuple[HopText, ...]:
    """The groups of a play, read without the grammar so that the rules are tested by themselves."""
    groups = []
    for group in re.finditer(r"\S+", text):
        body, _, count = group[0].rstrip(")").partition("(")
        parts = body.split("/")
        names = {"bar": BAR, "off": OFF}
        points = tuple(names.get(part.rstrip("*"), -1) for part in parts)
        points = tuple(int(part.rstrip("*")) if point < 0 else point for part, point in zip(parts, points, strict=True))
        stars = tuple(part.endswith("*") for part in parts[1:])
        groups.append(HopText(points, stars, int(count or 1), group.start(), group.end()))
    return tuple(groups)


def plays(position: Board, dice: Dice) -> set[str]:
    """Every legal play in its usual notation; a dance is the empty text."""
    return {str(play) for play in legal_plays(position, dice)}


def results(position: Board, dice: Dice) -> set[Board]:
    """The boards that the legal plays of a roll leave."""
    return {play.result for play in legal_plays(position, dice)}


def after(position: Board, dice: Dice, text: str) -> Board:
    """The board that a written play leaves, found by moving the checkers without the rules' code."""
    mine, theirs = list(position.mine), list(position.theirs)
    for group in written(text):
        for _ in range(group.count):
            for start, end in zip(group.points, group.points[1:], strict=False):
                mine[start] -= 1
                mine[end] += 1
                if OFF < end < BAR and theirs[BAR - end] == 1:
                    theirs[BAR - end] = 0
                    theirs[BAR] += 1
    return Board(tuple(mine), tuple(theirs))


# --- random positions -----------------------------------------------------------------------


def walk(rng: random.Random, turns: int = 200) -> Iterator[Board]:
    """Positions of one random legal game, each seen by the player on roll."""
    position = START
    for _ in range(turns):
        yield position
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        position = rng.choice(legal_plays(position, dice)).result.flipped()
        if position.is_over:
            return


def scatter(rng: random.Random) -> Board:
    """A legal position that no game need have reached: crowds on the bar, primes, bear-offs, blots."""
    mine, theirs = _side(rng), _side(rng)
    for point in range(1, BAR):
        if mine[point] and theirs[BAR - point]:
            loser, at = (mine, point) if rng.random() < 0.5 else (theirs, BAR - point)
            loser[rng.choice((OFF, BAR)) if rng.random() < 0.3 else OFF] += loser[at]
            loser[at] = 0
    for side in (mine, theirs):
        if not any(side[1:]):
            side[OFF] -= 1
            side[BAR] += 1
    return Board(tuple(mine), tuple(theirs))


def _side(rng: random.Random) -> list[int]:
    side = [0] * 26
    kind = rng.choice(("anywhere", "anywhere", "home", "prime", "bar"))
    left = rng.choice((15, 15, rng.randint(1, 15)))
    side[OFF] = 15 - left
    if kind == "bar":
        on_bar = rng.randint(1, min(4, left))
        side[BAR] += on_bar
        left -= on_bar
    if kind == "prime":
        first = rng.randint(1, 19)
        for point in range(first, first + rng.randint(3, 6)):
            if left >= 2:
                side[point] += 2
                left -= 2
    top = 6 if kind == "home" else 24
    for _ in range(left):
        side[rng.randint(1, top)] += 1
    return side


def spread(seed: int, count: int) -> Iterator[Board]:
    """``count`` seeded positions: half from random games, half scattered."""
    rng = random.Random(seed)
    made = 0
    while made < count:
        for position in walk(rng):
            yield position
            yield scatter(rng)
            made += 2
            if made >= count:
                return


def spellings(play: Play, rng: random.Random) -> list[str]:
    """The same play, written in different ways that all mean one board."""
    single = [f"{hop.start}/{hop.end}" for hop in play.hops]
    starred = [f"{hop.start}/{hop.end}{'*' if hop.hit else ''}" for hop in play.hops]
    shuffled = list(starred)
    rng.shuffle(shuffled)
    chains: list[list[Hop]] = []
    for hop in play.hops:
        chain = next((chain for chain in chains if chain[-1].end == hop.start), None)
        if chain is None:
            chains.append([hop])
        else:
            chain.append(hop)
    chained = [
        str(chain[0].start) + "".join(f"/{hop.end}{'*' if hop.hit else ''}" for hop in chain) for chain in chains
    ]
    return [
        " ".join(single),
        " ".join(starred),
        " ".join(shuffled),
        " ".join(f"{hop.start}/{hop.end}*" for hop in play.hops),
        " ".join(chained),
        str(play),
        str(play).replace("bar", "25").replace("off", "0"),
    ]


def random_groups(rng: random.Random, position: Board, dice: Dice) -> tuple[HopText, ...]:
    """A play that somebody might write for a roll, more often illegal than not."""
    points = [point for point in range(1, 26) if position.mine[point]]
    groups = []
    for number in numbers(dice)[: rng.randint(1, 4)]:
        start = rng.choice(points)
        distance = number if rng.random() < 0.9 else rng.choice((*dice, sum(dice), rng.randint(-1, 7)))
        end = max(start - distance, OFF)
        groups.append(HopText((start, min(end, 24)), (False,)))
        points.append(max(min(end, 24), 1))
    return tuple(groups)


# --- records --------------------------------------------------------------------------------


def mat(*lines: str, length: int = 7, names: tuple[str, str] = ("Ann", "Bob"), score: str = "0 0") -> str:
    """Match text with one game: a usual head, then ``lines`` as its rows."""
    left, right = score.split()
    head = f" {length} point match\n\n Game 1\n {f'{names[0]} : {left}':<30} {names[1]} : {right}\n"
    return head + "".join(f"{line}\n" for line in lines)


def row(number: int, left: str = "", right: str = "") -> str:
    """One row in the usual columns."""
    return f"{number:>3}) {left:<28} {right}".rstrip()


def rows(*cells: tuple[str, str]) -> list[str]:
    """Numbered rows of a left and a right cell."""
    return [row(number, *pair) for number, pair in enumerate(cells, 1)]


def read_text(text: str | bytes) -> Match:
    """The first match of a text."""
    return read_source(text if isinstance(text, bytes) else text.encode(), "test.mat")[0]


def found(text: str | bytes) -> list[Finding]:
    """Everything found in a text, matches one after the other; that it cannot be read is a finding too."""
    try:
        matches = read_source(text if isinstance(text, bytes) else text.encode(), "test.mat")
    except FormatError as error:
        matches = (about_file("test.mat", str(error)),)
    return [finding for match in matches for finding in check_and_offer(match)]


def check_and_offer(match: Match) -> tuple[Finding, ...]:
    """Everything found in a record, with the fixes that ``bgtools check`` would offer."""
    return offer_fixes_of(match, check(match))


def ids(findings: Sequence[Finding]) -> list[str]:
    """The codes of findings, in order."""
    return [finding.code.id for finding in findings]


def the_only(text: str, code: Code) -> Finding:
    """The one finding of a text; anything else fails."""
    findings = found(text)
    assert [finding.code for finding in findings] == [code], [(f.code.id, f.message) for f in findings]
    return findings[0]


def excerpt(match_text: str, finding: Finding) -> tuple[int, str]:
    """The line, counted from 1, and the words that a finding points at."""
    start, end = finding.span
    return match_text.count("\n", 0, start) + 1, match_text[start:end]


def side(points: dict[int, int]) -> Checkers:
    """One side's checkers."""
    return checkers(points)


def hops(play: Play) -> tuple[tuple[int, int], ...]:
    """The hops of a play as pairs of points."""
    return tuple((hop.start, hop.end) for hop in play.hops)


_COURSE = re.compile(r"players|the games|game \d+, (entry \d+|number|score|start|resigned|result)")


def course_apart(one: Iterable[Match], two: Iterable[Match]) -> list[str]:
    """Where two records of matches differ in who plays what: not in what is noted of it, nor in who counts how."""
    pairs = list(zip(one, two, strict=True))
    assert pairs
    found = (change for pair in pairs for change in differences(*pair))
    return [f"{change.where}: {change.how}" for change in found if _COURSE.fullmatch(change.where)]
