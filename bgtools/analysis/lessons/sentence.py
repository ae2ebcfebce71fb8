"""Why a decision was an error, in one line: what it gains and gives up against the best one.

What a choice gains and gives up against the best one: clauses, each with the two numbers that it stands for.

A sentence begins with what costs the equity; what speaks for the play follows after "although".

A clause is true by itself: it compares one figure of the play that was made with the same figure of the best play, or
says what an engine holds of both. docs/themes.md lists the figures in the order in which they are told.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.analysis.errors import AS_GOOD, NOTHING, RESIGNATIONS
from bgtools.analysis.lessons.boards import (
    ADVANCED,
    ANCHORS,
    TIMING,
    behind,
    borne_off,
    dances,
    finishes,
    held,
    hits,
    outside,
    prime,
    shots,
    spare_pips,
)
from bgtools.analysis.phases import gammon_value_of
from bgtools.bearoff.one_sided import is_home, mean_rolls
from bgtools.board import words
from bgtools.board.board import BAR
from bgtools.findings.quantities import CHANCE, CHANCE_APART, EQUITY, LOST, MEAN
from bgtools.rules.cube import Cube

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bgtools.analysis.lessons.scene import DecisionBoards
    from bgtools.analysis.rows import ChoiceRow, DecisionRow
    from bgtools.board.board import Board
    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState


class Clause(NamedTuple):
    """A part of a sentence.

    Attributes:
        name: what is compared.
        made, best: the figure of what was done, and of the best; equal where the clause is about one thing alone.
        text: the words.
    """

    name: str
    made: float
    best: float
    text: str


LEAST: Final = 0.5
"""Percentage points from which a difference of chances is told."""
LEAST_BACKGAMMONS: Final = 2
"""The same of backgammons: where they count fully, fewer cost less than an error."""
LEAST_TIMING: Final = 4
LEAST_PRIME: Final = 4
LEAST_LEAD: Final = 8
"""Pips to spare, points in a row, and pips of the other player: a clause about less is left out."""
LEAST_ROLLS: Final = 0.01
LEAST_STACK: Final = 5
ZONE: Final = 12
"""The zone: the points up to this one."""


# --- chances --------------------------------------------------------------------------------


def chance_clauses(scene: DecisionBoards) -> tuple[Clause, ...]:
    """How the chances of winning, gammons and backgammons differ, in percentage points; none where nothing is given up.

    Gammons and backgammons that decide nothing at the score are left out.
    """
    valued = [choice for choice in scene.row.choices if choice.win is not None]
    made = next((choice for choice in valued if choice.made), None)
    best = next((choice for choice in valued if choice.rank == 1), None)
    if made is None or best is None:
        return ()
    found = (_chance(name, made, best) for name in _that_count(scene.row))
    told = tuple(
        clause
        for clause in found
        if abs(clause.made - clause.best) >= (LEAST_BACKGAMMONS if clause.name in _BACKGAMMONS else LEAST)
    )
    return told if any(is_given_up(clause) for clause in told) else ()


def _that_count(row: DecisionRow) -> list[str]:
    """The chances that decide something at the score."""
    return ["win", *(name for name, counts in gammons_that_count(row).items() if counts)]


_BACKGAMMONS: Final = ("win_backgammon", "lose_backgammon")


def is_given_up(clause: Clause) -> bool:
    """Whether a difference of chances is to the worse."""
    return (clause.made > clause.best) == (verb_of(clause.name) == "loses")


def _chance(name: str, made: ChoiceRow, best: ChoiceRow) -> Clause:
    own, other = (100 * getattr(each, name) for each in (made, best))
    more = "more" if own > other else "less"
    what = "games" if name == "win" else "backgammons" if name in _BACKGAMMONS else "gammons"
    much = CHANCE_APART.with_unit(abs(own - other) / 100)
    return Clause(name, own, other, f"{verb_of(name)} {what} {much} {more} often")


def verb_of(name: str) -> str:
    """The verb for a chance: ``wins`` or ``loses``."""
    return "wins" if name.startswith("win") else "loses"


def gammons_that_count(row: DecisionRow) -> dict[str, bool]:
    """Whether a gammon is worth more than a single game to the player who decides, and to the other one.

    A backgammon counts where it is worth more than a gammon.
    """
    if gammon_value_of(row.score, row.length, row.cube, row.cube_owner, crawford=row.crawford) == "double match point":
        return dict.fromkeys(("win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"), False)
    own, other = (row.length - points for points in row.score)
    money = not row.length
    return {
        "win_gammon": money or own > row.cube,
        "win_backgammon": money or own > 2 * row.cube,
        "lose_gammon": money or other > row.cube,
        "lose_backgammon": money or other > 2 * row.cube,
    }


# --- boards ---------------------------------------------------------------------------------


def board_clauses(scene: DecisionBoards) -> Iterator[Clause]:
    """How the boards after the play made and after the best one differ, the most telling first."""
    before, made, best = scene.board, scene.made, scene.best
    if before is None or made is None or best is None:
        return
    for tell in _TELLERS:
        yield from tell(before, made, best)


def _hits(before: Board, made: Board, best: Board) -> Iterator[Clause]:
    places, others = hits(before, made), hits(before, best)
    own, other = len(places), len(others)
    if own != other:
        if own and other:
            text = f"hits {words.checkers(own)} instead of {other}"
        else:
            text = "hits where the best play does not" if own else "does not hit"
        yield Clause("hits", own, other, text)
    elif places != others:
        here, there = (_listed(map(words.point, sorted(each))) for each in (places - others, others - places))
        yield Clause("hit on", own, other, f"hits on {here} instead of {there}")


def _shots(before: Board, made: Board, best: Board) -> Iterator[Clause]:
    own, other = shots(made.flipped()), shots(best.flipped())
    if own.rolls != other.rolls:
        left = words.times(own.rolls, "shot") if own.rolls else "no shot"
        yield Clause("shots", own.rolls, other.rolls, f"leaves {left} instead of {other.rolls or 'none'}")
    elif len(own.blots) != len(other.blots):
        text = f"leaves {words.times(len(own.blots), 'blot')} that can be hit instead of {len(other.blots)}"
        yield Clause("exposed", len(own.blots), len(other.blots), text)


def _dances(before: Board, made: Board, best: Board) -> Iterator[Clause]:
    if made.theirs[BAR] and best.theirs[BAR]:
        own, other = dances(made.flipped()), dances(best.flipped())
        if own != other:
            rolls = words.times(own, "roll") if own else "no roll"
            text = f"leaves the other player dancing with {rolls} instead of {other or 'none'}"
            yield Clause("dances", own, other, text)


def _points(before: Board, made: Board, best: Board) -> Iterator[Clause]:
    """Points that one of the two plays makes or breaks and the other does not; in a race nobody needs any."""
    if not (made.is_contact or best.is_contact):
        return
    held_before, own, other = held(before.mine), held(made.mine), held(best.mine)
    gained, missed = sorted(own - other - held_before), sorted(other - own - held_before)
    yield from _exchanged("makes", "does not make", gained, missed)
    lost, kept = sorted((other - own) & held_before), sorted((own - other) & held_before)
    yield from _exchanged("breaks", "keeps", lost, kept)


def _exchanged(does: str, does_not: str, own: list[int], other: list[int]) -> Iterator[Clause]:
    """What the play made does with some points, and the best play with others."""
    if own:
        text = f"{does} {_named(own)}" + (f" instead of {_named(other)}" if other else "")
    elif other:
        text = f"{does_not} {_named(other)}"
    else:
        return
    yield Clause("made" if does == "makes" else "broken", len(own), len(other), text)


def _named(points: list[int]) -> str:
    return _listed(f"{words.point(point)}{' anchor' if point in ADVANCED else ''}" for point in points)


def _listed(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _prime(before: Board, made: Board, best: Board) -> Iterator[Clause]:
    own, other = prime(made.mine, made.theirs).length, prime(best.mine, best.theirs).length
    if own != other and max(own, other) >= LEAST_PRIME:
        row = words.times(own, "point") if own else "no point"
        yield Clause("prime", own, other, f"blocks with {row} in a row instead of {other or 'none'}")


def _behind(before: Board, made: Board, best: Board) -> Iterator[Clause]:
    own, other = behind(made.mine), behind(best.mine)
    if own != other and made.is_contact:
        left = words.checkers(own) if own else "no checker"
        yield Clause("behind", own, other, f"leaves {left} behind instead of {other or 'none'}")


def _off(before: Board, made: Board, best: Board) -> Iterator[Clause]:
    own, other = borne_off(before.mine, made.mine), borne_off(before.mine, best.mine)
    if own != other:
        taken = words.checkers(own) if own else "no checker"
        yield Clause("off", own, other, f"bears off {taken} instead of {other or 'none'}")


def _race(before: Board, made: Board, best: Board) -> Iterator[Clause]:
    """What only a race tells: the chance of being off at once, rolls to bear off, checkers that have far to go."""
    if made.is_contact or best.is_contact:
        return
    own, other = finishes(made.mine), finishes(best.mine)
    if own != other:
        text = f"is off with the next roll {words.times(own, 'time')} in 36 instead of {other or 'never'}"
        if not own:
            text = f"is never off with the next roll instead of {words.times(other, 'time')} in 36"
        yield Clause("finishes", own, other, text)
    elif is_home(made.mine) and is_home(best.mine):
        rolls, least = mean_rolls(made.mine), mean_rolls(best.mine)
        if rolls is not None and least is not None and abs(rolls - least) >= LEAST_ROLLS:
            text = f"needs {MEAN.text(rolls)} rolls on average to bear off instead of {MEAN.text(least)}"
            yield Clause("rolls", rolls, least, text)
    if (left := behind(made.mine)) != (least_left := behind(best.mine)):
        far = words.checkers(left) if left else "no checker"
        text = f"leaves {far} in the other player's home board instead of {least_left or 'none'}"
        yield Clause("behind", left, least_left, text)
    if (left := outside(made.mine)) != (least_left := outside(best.mine)):
        outer = words.checkers(left) if left else "no checker"
        text = f"leaves {outer} outside the home board instead of {least_left or 'none'}"
        yield Clause("outside", left, least_left, text)


def _timing(before: Board, made: Board, best: Board) -> Iterator[Clause]:
    own, other = spare_pips(made.mine), spare_pips(best.mine)
    if all(map(_waits, (made, best))) and min(own, other) <= TIMING and abs(own - other) >= LEAST_TIMING:
        yield Clause("timing", own, other, f"leaves {own} pips to spare before the board breaks instead of {other}")


def _waits(board: Board) -> bool:
    return bool(held(board.mine, ANCHORS)) or prime(board.theirs, board.mine).length >= LEAST_PRIME


def _lead(before: Board, made: Board, best: Board) -> Iterator[Clause]:
    """What hits cost the other player in the race."""
    own, other = made.pips[1], best.pips[1]
    if abs(own - other) >= LEAST_LEAD:
        yield Clause("race", own, other, f"leaves the other player {own} pips to go instead of {other}")


def _stack(before: Board, made: Board, best: Board) -> Iterator[Clause]:
    """How many checkers stand idle on one point."""
    own, other = (max(each.mine[1:BAR]) for each in (made, best))
    if made.is_contact and own != other and max(own, other) >= LEAST_STACK:
        yield Clause("stack", own, other, f"stacks {own} checkers on one point instead of {other}")


def _zone(before: Board, made: Board, best: Board) -> Iterator[Clause]:
    """How many checkers are near enough to make points in front of the other player's."""
    own, other = (sum(each.mine[1 : ZONE + 1]) for each in (made, best))
    if made.is_contact and own != other and any(before.theirs[BAR - ZONE :]):
        yield Clause("zone", own, other, f"has {words.checkers(own)} in the zone instead of {other}")


_TELLERS: Final[tuple[Callable[[Board, Board, Board], Iterator[Clause]], ...]] = (
    _hits, _shots, _dances, _off, _points, _prime, _behind, _race, _timing, _lead, _stack, _zone,
)  # fmt: skip


_MORE_COSTS: Final = frozenset({"shots", "exposed", "behind", "rolls", "outside", "stack"})
"""Of these more is worse than less; of the others less is."""


def costs(clause: Clause) -> bool:
    """Whether a clause about the board speaks against the play that was made, and not for it."""
    if clause.name == "made":
        return clause.best > 0
    if clause.name == "broken":
        return clause.made > 0
    if clause.name == "hit on":
        return True
    return (clause.made > clause.best) == (clause.name in _MORE_COSTS)


MOST: Final = 3
"""How many clauses about the board a sentence has against the play."""
MOST_VIRTUES: Final = 2
"""How many it has for the play."""
MUCH: Final = 0.2
"""Shots that differ by less, as a share of the larger number, are told last."""


def sentence_of(scene: DecisionBoards, needed: float | None = None) -> str:
    """What a decision gives up against the best one, then what it gains, in one line; empty where nothing was lost.

    Args:
        scene: the decision.
        needed: what `take_needed` says of it; None to leave that out.
    """
    row = scene.row
    if row.loss is None or row.loss <= NOTHING:
        return ""
    if scene.is_play:
        return _play(scene)
    if row.kind in RESIGNATIONS:
        done = "resigning" if row.kind == "resign" else "accepting"
        return f"{done} is worth {EQUITY.text(row.equity)}, playing on {EQUITY.text(row.best_equity)}"
    return "; ".join(filter(None, _cube(scene, needed)))


def _play(scene: DecisionBoards) -> str:
    """What costs the equity first. A virtue of the wrong play is not its cause, and is told as what it is."""
    chances, board = chance_clauses(scene), sorted(board_clauses(scene), key=_is_minor)
    against = [_joined([clause for clause in chances if is_given_up(clause)])]
    against += [clause.text for clause in board if costs(clause)][:MOST]
    gains = [clause for clause in chances if not is_given_up(clause)]
    virtues = [_joined(gains)] if gains else []
    virtues += [clause.text for clause in board if not costs(clause)][:MOST_VIRTUES]
    text = "; ".join(filter(None, against)) or f"gives up {LOST.text(scene.row.loss)} against {scene.row.best}"
    return f"{text}; although it {_listed(virtues)}" if virtues else text


def _is_minor(clause: Clause) -> bool:
    """Whether a clause comes after the others: a little more or fewer shots, and what holds of many plays."""
    if clause.name in ("stack", "zone"):
        return True
    return clause.name == "shots" and abs(clause.made - clause.best) < MUCH * max(clause.made, clause.best)


def _joined(clauses: list[Clause]) -> str:
    """Clauses with one verb for those that stand together: ``wins games 3.6 points less often and gammons …``."""
    groups = [
        f"{verb} " + " and ".join(clause.text.removeprefix(f"{verb} ") for clause in same)
        for verb, same in groupby(clauses, key=lambda clause: verb_of(clause.name))
    ]
    return ", ".join(groups)


# --- the cube -------------------------------------------------------------------------------


def _cube(scene: DecisionBoards, needed: float | None) -> list[str]:
    row, named = scene.row, scene.choices
    if row.kind in ("no double", "double"):
        wait = named.get("No double")
        return [_doubling(scene), _position(scene, wait), _take_of_the_other(wait, needed)]
    take, drop = named.get("Take"), named.get("Pass")
    usual = row.kind in ("take", "pass") and {row.played, row.best} == {"Take", "Pass"}
    if usual and take is not None and drop is not None:
        return [_answering(take.equity, drop.equity), _position(scene, take), _taking(take, needed)]
    return [_compared(row), _position(scene, take)]


_DOING: Final = {"Take": "taking", "Pass": "passing", "Beaver": "a beaver", "Raccoon": "a raccoon"}


def _compared(row: DecisionRow) -> str:
    """What was done and what is best, with what each is worth."""
    made, best = (_DOING.get(choice, choice.lower()) for choice in (row.played, row.best))
    return f"{made} is worth {EQUITY.text(row.equity)}, {best} {EQUITY.text(row.best_equity)}"


def _doubling(scene: DecisionBoards) -> str:
    """Where the position lies in the doubling window, and by how much."""
    named, row = scene.choices, scene.row
    wait, drop = named.get("No double"), named.get("Double, pass")
    take = named.get("Double, take", named.get("Double, beaver"))
    if wait is None or take is None or drop is None:
        return _compared(row)
    word = "redoubling" if row.cube_owner == "mine" else "doubling"
    answer = "beaver" if take.choice == "Double, beaver" else "take"
    right = _right(answer, abs(take.equity - drop.equity))
    if row.kind == "no double" and take.equity < drop.equity:
        gain = take.equity - wait.equity
        return f"in the doubling window: {word} gains {LOST.text(gain)} over waiting; {right}"
    if row.kind == "no double":
        cash, waiting = EQUITY.text(drop.equity), EQUITY.text(wait.equity)
        return f"the other player should pass: that is worth {cash}, waiting {waiting}"
    if take.equity < drop.equity:
        gain = wait.equity - take.equity
        where = "behind" if take.equity < 0 and wait.win is not None and wait.win < 0.5 else "too early"
        return f"{where}: waiting gains {LOST.text(gain)} over {word}; {right}"
    return f"too good: playing on is worth {EQUITY.text(wait.equity)}, the pass {EQUITY.text(drop.equity)}"


def _right(answer: str, by: float) -> str:
    return f"the {answer} is as good as a pass" if by < AS_GOOD else f"the {answer} is right by {LOST.text(by)}"


def _answering(take: float, drop: float) -> str:
    """What the two answers to a double are worth to the player who gives them."""
    which = "more" if drop > take else "less"
    apart = LOST.text(abs(take - drop))
    return f"taking is worth {EQUITY.text(take)}, passing {EQUITY.text(drop)}: {apart} {which} for the pass"


def _position(scene: DecisionBoards, choice: ChoiceRow | None) -> str:
    """Chances of winning, and of the gammons that count, of the player who decides."""
    if choice is None or choice.win is None:
        return ""
    text = f"wins {CHANCE.text(choice.win)} of games"
    count = gammons_that_count(scene.row)
    if count["win_gammon"] and choice.win_gammon is not None and 100 * choice.win_gammon >= 1:
        text += f", {CHANCE.text(choice.win_gammon)} with a gammon"
    if count["lose_gammon"] and choice.lose_gammon is not None and 100 * choice.lose_gammon >= 1:
        text += f", and loses {CHANCE.text(choice.lose_gammon)} with a gammon"
    return text


_CUBE_LIFE: Final = 0.68
"""How much of the worth of a live cube counts: Rick Janowski, "Take-Points in Money Games", Hoosier Backgammon Club
Newsletter 1993; GNU Backgammon takes .68 for contact."""


def take_point(
    state: MatchState, take: float, chances: tuple[float, float, float], met: MatchEquityTable | None
) -> float | None:
    """The chance of winning from which a double is taken, with these gammons, at this score and cube.

    Where the engine's equity would be that of a pass if the player won more games or fewer, gammons in proportion: by
    the slope of Janowski's formula, E = 2 (p (W + L + x / 2) - L), with the worth W of a win and L of a loss.

    Args:
        state: score and cube before the double, seen by the player who is doubled.
        take: their equity after a take, EMG.
        chances: their chances of winning, of winning a gammon and of losing one, 0 to 1.
        met: the match equity table; None in a match gives None.

    Returns:
        The chance; None where it is not between 0 and 1, or cannot be told.
    """
    win, won, lost = chances
    if not 0 < win < 1:
        return None
    won, lost = won / win, lost / (1 - win)
    if state.is_money:
        slope = 2 * (2 + won + lost + _CUBE_LIFE / 2)
    else:
        if met is None or not met.covers(state.away) or state.away[1] <= state.cube.value:
            return None
        # Who loses the match with the doubled cube redoubles at once.
        height = 4 if state.away[1] <= 2 * state.cube.value else 2
        taken = replace(state, cube=Cube(height * state.cube.value, "mine"))
        worth, (low, high) = met.outcomes(taken), met.anchors(state)
        gained = worth.win + won * (worth.win_gammon - worth.win)
        given = worth.lose + lost * (worth.lose_gammon - worth.lose)
        life = 0.0 if height > 2 or taken.is_cube_dead else _CUBE_LIFE / 2
        slope = 2 * (gained - given) / (high - low) * (2 + won + lost + life) / (2 + won + lost)
    needed = win - (take + 1) / slope
    return needed if 0 < needed < 1 else None


def take_needed(scene: DecisionBoards, met: MatchEquityTable | None) -> float | None:
    """The chance from which the player who is doubled, or might be, takes; None for a play or where it is not known."""
    named, kind = scene.choices, scene.row.kind
    if kind in ("take", "pass"):
        take, known, answers = named.get("Take"), named.get("Take"), True
    elif kind in ("no double", "double"):
        take, known, answers = named.get("Double, take"), named.get("No double"), False
    else:
        return None
    if take is None or known is None or known.win is None or known.win_gammon is None or known.lose_gammon is None:
        return None
    if answers:
        return take_point(scene.state, take.equity, (known.win, known.win_gammon, known.lose_gammon), met)
    return take_point(scene.state.flipped(), -take.equity, (1 - known.win, known.lose_gammon, known.win_gammon), met)


def _taking(take: ChoiceRow, needed: float | None) -> str:
    """The take point of the player who answers a double, and by how much it is missed."""
    if needed is None or take.win is None:
        return ""
    spare = take.win - needed
    apart = f"{CHANCE_APART.with_unit(abs(spare))} {'to spare' if spare > 0 else 'short'}"
    return f"a take needs about {CHANCE.text(needed)} {_WITH_ALL}: {apart}"


_WITH_ALL: Final = "with these gammons, score and cube"


def _take_of_the_other(wait: ChoiceRow | None, needed: float | None) -> str:
    """The take point of the other player, where somebody doubles or might."""
    if needed is None or wait is None or wait.win is None:
        return ""
    return (
        f"the other player wins {CHANCE.text(1 - wait.win)} and needs about {CHANCE.text(needed)} to take {_WITH_ALL}"
    )
