"""Rows as people write them at the table: the dice, and where the checkers end.

``31: 5    43: 20 10`` is 8/5 6/5, then 24/20 13/10. End points alone leave one legal play in 97 of 100 turns. Of the
others, what follows decides; where it does not, the likeliest is read and a finding says so. Dances may be left out.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.board import BAR, OFF, START
from bgtools.board.generation import can_move, legal_plays
from bgtools.board.movement import find_play
from bgtools.board.notation import read_play
from bgtools.board.perspective import other, view
from bgtools.board.play import Hop, Play
from bgtools.decoder.inference import PossibleBoards
from bgtools.decoder.plausibility import worth
from bgtools.findings import codes
from bgtools.findings.finding import quoted
from bgtools.formats.content import FormatError
from bgtools.formats.mat import REMARK_LINES
from bgtools.formats.mat.layout import width
from bgtools.formats.text.patchwork import Patchwork
from bgtools.formats.text.rows import LEFT_GAP, read_label, read_row
from bgtools.formats.text.sentences import read_game
from bgtools.formats.text.shorthand import LONGEST_SEQUENCE, ROLLS, ways_of
from bgtools.formats.text.undressing import LINE
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bgtools.board.board import Board, Dice
    from bgtools.board.perspective import Player
    from bgtools.findings.finding import Code

    _Costs = list[tuple[Play, float]]
    """Plays, each with its cost."""
    _Plays = Callable[[Board], _Costs]

_POINT: Final = r"(?:bar|off|out|2[0-5]|1\d|\d|b|o)"
_END: Final = rf"(?:{_POINT}/)*{_POINT}[*x]?(?:\(\d\)|x\d)?(?![\w/:*-])"
_ENDS: Final = rf"{_END}(?:(?:,[ ]?|[ ]){_END}){{0,7}}"
_DANCE: Final = r"(?:-{1,3}|\u2014|fan|dance[sd]?|no[ ]move|can(?:no|')t[ ]move|cannot[ ]move)(?!\w)"
_DANCED: Final = re.compile(_DANCE, re.IGNORECASE)
_CELL: Final = re.compile(
    rf"(?<![\w/*:.-])(?P<one>[1-6])[-,]?(?P<two>[1-6])[ \t]*:(?!\d)[ \t]*(?P<played>{_ENDS}|{_DANCE})?", re.IGNORECASE
)
_BARE: Final = re.compile(
    rf"(?P<one>[1-6])[-,]?(?P<two>[1-6])[ ](?P<played>{_ENDS}|{_DANCE})(?=[ ]{{2}}|[ ]*[\t|]|[ ]*$)", re.I
)
_NUMBER: Final = re.compile(r"[ |]*(?P<number>\d{1,3})(?=\t|[ ]*\||[ ]{2,})")
"""The number of a row that a tab, a bar or blanks part from its cells."""
_BETWEEN: Final = re.compile(r"[ \t|]*")
_NAME: Final = re.compile(r"[ \t|]*(?P<name>[^\W\d_][\w.' -]{0,30}?)[ ]?[:,|\t]?[ \t]{0,2}$")
_TOKEN: Final = re.compile(
    rf"(?P<way>(?:{_POINT}/)*)(?P<end>{_POINT})(?P<hit>[*x]?)(?:\((?P<count>\d)\)|x(?P<times>\d))?", re.I
)
_FEW: Final = 3
_TWO: Final = 2
_WORTH: Final = 0.00005
"""What a better-looking play gains, as far as nothing else tells."""
_OTHER_COUNT, _UNMARKED, _AMISS, _FALSE_STAR, _HINDERED = 2.0, 2.0, 2.5, 5.5, 3.5
"""What it costs that other counts are written, a hit has no star where others have, an end point is not written or not
there, a star stands where nothing is hit, and that a play is illegal which ends as it is written."""
_LATE: Final = 8
_MOST_SLIPS: Final = 8
"""So many turns after a slip at most, something shows it; and in so many slips of a game that is looked for."""
_MOST_ROLLS: Final = 20_000
"""So many rolls of a text are sought; each takes some milliseconds."""
_DOUBT: Final = 1.0


class _WrittenEnds(NamedTuple):
    """Where checkers end, as it is written: each point with how many checkers, and the points with a hit."""

    counts: tuple[tuple[int, int], ...]
    hits: frozenset[int]
    hops: str
    """The whole play, where every checker has its way; "" otherwise."""


class _EndCell(NamedTuple):
    """A roll: its stretch of the text, the end points if any, the player if the line tells, and where that begins."""

    start: int
    end: int
    dice: Dice
    ends: _WrittenEnds | None
    player: Player | None
    at: int


class _EndStep(NamedTuple):
    """What a cell stands for: its player, the play with its rivals, and whether its end points fit a legal play."""

    player: Player
    play: Play | None = None
    rivals: tuple[Play, ...] = ()
    is_legal: bool = True
    dances: tuple[Dice, ...] = ()
    """The rolls with which the other player may have danced before, if that is what has to be put in."""


def _cells(line: str) -> list[tuple[re.Match[str], int | None, int]]:
    """The cells of a line, each with the number of its row and where what is behind the number begins."""
    if not any(map(str.isdigit, line)) or REMARK_LINES.match(line):
        return []
    number, begin = read_label(line)
    if number is None and (label := _NUMBER.match(line)):
        number, begin = int(label["number"]), label.end("number")
    found = [*_CELL.finditer(line, begin)]
    if not found:
        at = _BETWEEN.match(line, begin).end()  # type: ignore[union-attr]
        while (cell := _BARE.match(line, at)) is not None:
            found.append(cell)
            at = _BETWEEN.match(line, cell.end()).end()  # type: ignore[union-attr]
        if line[at:].strip():
            found = []
    return [(cell, number, begin) for cell in found[:_TWO]]


@lru_cache(maxsize=4096)
def _read_ends(words: str) -> _WrittenEnds | None:
    counts: Counter[int] = Counter()
    hits: set[int] = set()
    whole = True
    for token in _TOKEN.finditer(words):
        name = token["end"].casefold()
        end = OFF if name in ("o", "off", "out") else BAR if name in ("b", "bar") else int(name)
        counts[end] += int(token["count"] or token["times"] or 1)
        whole = whole and bool(token["way"])
        if token["hit"]:
            hits.add(end)
    return _WrittenEnds(tuple(sorted(counts.items())), frozenset(hits), words if whole else "") if counts else None


class EndPoints:
    """Reads a text with end points, and writes it with whole plays.

    Attributes:
        made: the text with plays in place of end points.
        doubts: what stays open, and where no play fits: a code, a stretch of the older text, and why.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.made = Patchwork()
        self.doubts: list[tuple[Code, Span, str]] = []
        self._names: dict[str, Player] = {}

    def run(self) -> Patchwork:
        """Read the whole text.

        Raises:
            FormatError: there are more rolls than are sought, or more in a game than any game has.
        """
        games: list[list[_EndCell]] = [[]]
        last: int | None = None
        for found in LINE.finditer(self.text):
            cells = _cells(found[1])
            number = cells[0][1] if cells else None
            if games[-1] and (read_game(found[1]) or (number == 1 and last is not None and last > 1)):
                games.append([])
                self._names.clear()
            last = number if number is not None else last
            games[-1] += self._of_line(found[1], found.start(), cells)
        if (count := sum(map(len, games))) > _MOST_ROLLS:
            raise FormatError(
                f"{count:,} rolls with end points are more than {_MOST_ROLLS:,}: cut the text into several"
            )
        at = 0
        counts = [self._counts(game) for game in games]
        for game, (counted, is_marked) in zip(games, counts, strict=True):
            for cell, step in zip(game, self._read(game, counted=counted, is_marked=is_marked), strict=True):
                at = self._write(cell, step, at)
        self.made.copy(self.text[at:], at)
        return self.made

    def _of_line(self, line: str, at: int, cells: list[tuple[re.Match[str], int | None, int]]) -> Iterator[_EndCell]:
        for index, (cell, number, begin) in enumerate(cells):
            player: Player | None = None
            before = line[begin : cell.start()]
            named = _NAME.fullmatch(before) if index == 0 and not read_row(before).cells else None
            if len(cells) > 1:
                player = 1 if index else 0
            elif named is not None:
                player = self._names.setdefault(named["name"].casefold(), 1 if self._names else 0)
            elif number is not None and _is_right(before):
                player = 1
            elif number is not None and line[cell.end() :].strip(" \t|"):
                player = 0
            ends = None if _DANCED.fullmatch(cell["played"] or "") else _read_ends(cell["played"] or "")
            dice = int(cell["one"]), int(cell["two"])
            end = cell.end() if cell["played"] else cell.start() + len(cell[0].rstrip())
            yield _EndCell(at + cell.start(), at + end, dice, ends, player, at)

    @staticmethod
    def _counts(cells: Sequence[_EndCell]) -> tuple[frozenset[bool], bool]:
        """Whether a game counts the checkers that end at a point, of doubles (True) and other rolls; and marks hits."""
        written = [(cell.dice[0] == cell.dice[1], cell.ends) for cell in cells if cell.ends is not None]
        counted = {is_double for is_double, ends in written if any(count > 1 for _, count in ends.counts)}
        return frozenset(counted), any(ends.hits for _, ends in written)

    # --- what the end points mean -----------------------------------------------------------

    def _read(self, cells: Sequence[_EndCell], *, counted: frozenset[bool], is_marked: bool) -> list[_EndStep]:
        """What the cells of a game stand for.

        Raises:
            FormatError: there are more of them than any game has.
        """
        if len(cells) > LONGEST_SEQUENCE:
            raise FormatError(f"{len(cells):,} rolls are no game; the longest have a few hundred")
        course = _EndCourse()
        turn: Player = next((cell.player for cell in cells[:1] if cell.player is not None), 0)
        steps: list[_EndStep] = []
        for at, cell in enumerate(cells):
            fitting = partial(_fitting, cell.dice, cell.ends, (cell.dice[0] == cell.dice[1]) in counted, is_marked)
            near = partial(_near, cell.dice, cell.ends)
            player = turn if cell.player is None else cell.player
            if at and player != turn:
                course.take(_EndTurn(at, turn, _dances, _dances))
            is_taken = course.take(_EndTurn(at, player, fitting, near))
            if not is_taken and at and cell.player is None and course.take(_EndTurn(at, turn, _dances, _dances)):
                # A dance may have been left out. The board is the same after it.
                is_taken = course.take(_EndTurn(at, other(player), fitting, near))
                player = other(player) if is_taken else player
                course.boards.go_back(len(course.turns) - (not is_taken))
                del course.turns[course.boards.turns :]
            if not is_taken and not (cell.ends is None and at == len(cells) - 1):
                course.take_amiss(_EndTurn(at, player, fitting, near))
            steps.append(_EndStep(player))
            turn = other(player)
        return course.with_plays(steps)

    # --- writing ----------------------------------------------------------------------------

    def _write(self, cell: _EndCell, step: _EndStep, at: int) -> int:
        """Write the text up to the end of a cell, with its play. Returns where the text goes on."""
        made, text = self.made, self.text
        words = f"{cell.dice[0]}{cell.dice[1]}:"
        shown = quoted(text[cell.start : cell.end])
        if step.dances:
            at = self._write_dance(cell, step, at)
        made.copy(text[at : cell.start], at)
        if step.play is None:
            return cell.start  # the last roll, whose play is not written
        play = str(step.play) if step.play.hops else "Cannot Move"
        made.stand_for(f"{words} {play}", cell.start, cell.end)
        if not step.is_legal:
            why = f"{shown} is where no legal play of {words[:2]} ends; {play} is read"
            self.doubts.append((codes.UNREADABLE_CELL, Span(cell.start, cell.end), why))
        elif step.rivals:
            rivals = " or ".join(map(str, step.rivals[:_FEW]))
            why = f"{shown} leaves it open: {play} is read, and {rivals} would do as well"
            self.doubts.append((codes.UNKNOWN_PLAY, Span(cell.start, cell.end), why))
        blanks = len(text[cell.end :]) - len(text[cell.end :].lstrip(" "))
        longer = len(words) + 1 + len(play) - (cell.end - cell.start)
        is_last = text[cell.end + blanks : cell.end + blanks + 1] in ("", "\r", "\n")
        return cell.end + (0 if is_last else max(min(blanks - 3, longer), 0))

    def _write_dance(self, cell: _EndCell, step: _EndStep, at: int) -> int:
        """Put in the dance that nobody has written: in the empty cell, or on a line. Returns where the text goes on."""
        made, text = self.made, self.text
        words = f"{step.dances[0][0]}{step.dances[0][1]}: Cannot Move"
        why = f"the dance before this is not written; {words[:2]} stands in for its roll"
        self.doubts.append((codes.UNKNOWN_PLAY, Span(cell.start, cell.end), why))
        line = next(each for each in LINE.finditer(text, at))
        if step.player == 0 and not line[1].strip() and line.end() <= cell.at:
            made.write(f"   {words}", max(at - 1, 0))  # the right cell beside the last roll
            return at
        following = (
            line if at == 0 else next((each for each in LINE.finditer(text, line.end()) if each[1].strip()), line)
        )
        number, begin = read_label(following[1])
        to = following.start() + (begin if number is not None else 0)
        if to > cell.start:
            following, number, to = line, None, cell.start
        made.copy(text[at:to], at)
        is_empty = number is not None and _is_right(_BETWEEN.match(following[1], begin)[0])  # type: ignore[index]
        made.write(f" {words}   " if is_empty else f"{words}\n" if number is None else f" {words}\n{number}. ", to)
        return to


def _is_right(before: str) -> bool:
    """Whether what is between the number of a row and its only cell shows an empty left cell."""
    return width(before) > LEFT_GAP or before.count("|") > 1 or before.count("\t") > 1


class _EndTurn(NamedTuple):
    """A turn that is followed: its cell, its player, the plays that end as it is written, and all others."""

    at: int
    player: Player
    fitting: _Plays
    near: _Plays

    def either(self, board: Board) -> _Costs:
        """The plays on a board that may have been made if something is written amiss, each with its cost."""
        fitting = dict(self.fitting(board))
        return [(play, fitting.get(play, cost)) for play, cost in self.near(board)]


class _EndCourse:
    """The turns of a game, and the boards that it may have reached."""

    def __init__(self) -> None:
        self.boards = PossibleBoards(START)
        self.turns: list[_EndTurn] = []
        self.slips = 0

    def take(self, turn: _EndTurn) -> bool:
        """Follow a turn as it is written; False where that fits no board."""
        is_taken = self.boards.follow(turn.player, turn.fitting)
        self.turns += [turn] * is_taken
        return is_taken

    def take_amiss(self, turn: _EndTurn) -> None:
        """Follow a turn that fits no board: it is written amiss, or one before it is."""
        self.turns.append(turn)
        self.slips += 1
        begin = max(len(self.turns) - (_LATE if self.slips <= _MOST_SLIPS else 1), 0)
        self.boards.go_back(begin)
        for each in self.turns[begin:]:
            self.boards.follow(each.player, each.either)

    def with_plays(self, steps: list[_EndStep]) -> list[_EndStep]:
        """The steps with the plays that fit best, and their rivals."""
        board = START  # seen by player 0
        for number, (turn, found) in enumerate(zip(self.turns, self.boards.likeliest(), strict=True)):
            step, play = steps[turn.at], found.plays[0]
            own = view(board, turn.player)
            if turn.fitting is _dances:
                steps[turn.at] = step._replace(dances=tuple(dice for dice in ROLLS if not can_move(own, dice)))
                continue
            fitting = dict(turn.fitting(own))
            rivals = found.near(_DOUBT)[1:]
            if number < self.boards.given_up and not rivals:
                # What follows would have decided, had all boards been followed.
                least = min(fitting.values(), default=0.0)
                rivals = tuple(each for each, cost in fitting.items() if cost < least + _DOUBT)
            others = tuple(each for each in rivals if each in fitting and str(each) != str(play))
            steps[turn.at] = step._replace(play=play, rivals=others, is_legal=play in fitting or play.result == own)
            board = view(play.result, turn.player)
        return steps


def _dances(board: Board) -> _Costs:
    """The dance of a player, where a roll allows none but that."""
    return [(Play((), board), 0.0)] if any(not can_move(board, dice) for dice in ROLLS) else []


def _counts_of(board: Board, play: Play) -> list[dict[int, int]]:
    """How many checkers end at each point, as people count them.

    Where more checkers stand than before; where every checker ends its way; both with the points of hits on the way;
    and where every number is played to.
    """
    net = Counter({at: more for at in range(BAR) if (more := play.result.mine[at] - board.mine[at]) > 0})
    ways = Counter(way.end for way in ways_of(sorted(play.hops, key=lambda hop: -hop.start)))
    hits = Counter(hop.end for hop in play.hops if hop.hit)
    return [net, ways, net | hits, ways | hits, Counter(hop.end for hop in play.hops)]


@lru_cache(maxsize=4096)
def _fitting(dice: Dice, ends: _WrittenEnds | None, is_counted: bool, is_marked: bool, board: Board) -> _Costs:
    """The plays on a board that end as it is written, each with its cost."""
    plays = legal_plays(board, dice)
    if ends is None:
        return [(play, 0.0) for play in plays if not play.hops]
    if ends.hops:
        whole = find_play(board, dice, read_play(ends.hops.replace(",", " ")).hops)
        return [] if whole is None else [(whole, 0.0)]
    wanted, found = dict(ends.counts), []
    for play in plays:
        hits = {hop.end for hop in play.hops if hop.hit}
        *usual, every = _counts_of(board, play)
        fitting = [each for each in usual if each.keys() == wanted.keys()]
        is_odd = not fitting and every.keys() == wanted.keys()
        if (fitting or is_odd) and ends.hits <= hits:
            cost = _OTHER_COUNT * (is_odd or (is_counted and wanted not in fitting))
            cost += _UNMARKED * (is_marked and bool((hits & wanted.keys()) - ends.hits))
            found.append((play, cost - _WORTH * worth(play.result)))
    return found


@lru_cache(maxsize=4096)
def _near(dice: Dice, ends: _WrittenEnds | None, board: Board) -> _Costs:
    """The plays on a board, each with what it costs that it ends elsewhere than it is written."""
    wanted, stars = (set(), frozenset()) if ends is None else ({point for point, _ in ends.counts}, ends.hits)
    found = []
    for play in legal_plays(board, dice):
        amiss = len(_counts_of(board, play)[0].keys() ^ wanted)
        is_false = not amiss and not stars <= {hop.end for hop in play.hops if hop.hit}
        found.append((play, _AMISS * amiss + _FALSE_STAR * is_false - _WORTH * worth(play.result)))
    as_written = None if ends is None else _unhindered(dice, ends, board)
    return found if as_written is None else [*found, (as_written, _HINDERED)]


def _unhindered(dice: Dice, ends: _WrittenEnds, board: Board) -> Play | None:
    """The play of two checkers that ends as it is written, if no point were held by the other player; None for others.

    The referee says what is wrong with it, and goes on from the board before it.
    """
    points = [point for point, count in ends.counts for _ in range(count)]
    if len(points) != _TWO or dice[0] == dice[1]:
        return None
    for one, two in (dice, dice[::-1]):
        starts = (points[1] + one, points[0] + two)
        if all(start <= BAR and board.mine[start] for start in starts):
            return Play((Hop(starts[0], points[1]), Hop(starts[1], points[0])), board)
    return None
