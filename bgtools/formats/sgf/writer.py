"""Writing SGF of backgammon, as GNU Backgammon reads it: each game is a game tree.

Legal plays come from the replay, each hop as a pair of letters; illegal ones are copied from the record.
Where SGF has no word for something, the writer uses the nearest word, and adds a property of bgtools' own
(``XB``). Other programs can read such a file, and bgtools loses nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools._version import __version__
from bgtools.board.board import BAR
from bgtools.formats.sgf import words
from bgtools.formats.sgf.analysis import form
from bgtools.formats.sgf.notes import clock_properties
from bgtools.formats.sgf.tree import brackets, escape
from bgtools.formats.shared.leftover import leftover
from bgtools.formats.shared.spelling import numbered
from bgtools.record.producers import rating_of
from bgtools.record.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Double,
    Drop,
    Resign,
    SetBoard,
    Take,
    places_of_comments,
)
from bgtools.replayer.valued import with_every_play
from bgtools.rules.options import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bgtools.board.board import Board
    from bgtools.board.perspective import Player
    from bgtools.record.annotation import Annotation, Mark
    from bgtools.record.record import Entry, Game, Match, Tag
    from bgtools.replayer.turn import GameReplay, Turn

_GNUBG_VARIANTS: Final = frozenset({"backgammon", "nackgammon", "hypergammon"})
_OWNER: Final = {0: "w", 1: "b", None: "c"}
_TAG_LINE: Final = re.compile(r"(; )?\[")
_MARKS: Final[Mapping[Mark, tuple[int, str]]] = {
    "bad": (0, "[1]"),
    "very bad": (0, "[2]"),
    "doubtful": (1, "[]"),
    "interesting": (2, "[]"),
    "good": (3, "[1]"),
    "very good": (3, "[2]"),
}


def write(matches: tuple[Match, ...], dialect: str = "") -> bytes:
    """The bytes of a file of SGF."""
    return "".join(game for match in matches for game in _SgfWriter(match).games()).encode("utf-8", "replace")


class _SgfWriter:
    def __init__(self, match: Match) -> None:
        self.match = match
        self.money = match.is_money

    def games(self) -> Iterator[str]:
        for number, game in numbered(self.match):
            nodes = [self._first(game, number), *_SgfGameWriter(game, self.match, money=self.money).nodes()]
            yield "(" + "\n".join(nodes) + ")\n"

    def _first(self, game: GameReplay, number: int) -> str:
        match, record = self.match, game.game
        score = game.score
        info = f"[length:{match.length or 0}][game:{number - 1}][ws:{score[0]}][bs:{score[1]}]"
        parts = [f";FF[4]GM[6]CA[UTF-8]AP[bgtools:{__version__}]MI{info}"]
        parts += (f"{name}[{_simple(value)}]" for name, value in zip(("PW", "PB"), match.players, strict=True))
        if game.index == 0:
            parts += self._about()
        rules = _rules(game, match)
        if rules:
            parts.append(f"RU[{_simple(rules)}]")
        turned = _automatic_doubles(record, match)
        if turned:
            parts.append(f"CV[{1 << turned}]")
        result = _result(game)
        if result:
            told = _told_result(game, result)
            parts.append(f"RE[{told}]" + (f"{words.OWN}[{told} is {result}]" if told != result else ""))
        if program := _program(record):
            parts.append(f"{words.PROGRAM}[{escape(program)}]")
        parts += (
            f"{tag.key[4:]}{brackets(tag.value)}" for tag in record.extras if _is_own(tag) and tag.key != "sgf:RU"
        )
        remarks = _remarks(record, 0)
        if remarks:
            parts.append(f"C[{escape(remarks)}]")
        return "".join(parts)

    def _about(self) -> Iterator[str]:
        """The properties of the match, which only the first game has."""
        match = self.match
        ratings = [rating or rating_of(match, number) for number, rating in enumerate(match.ratings, start=1)]
        yield from (f"{name}[{_simple(rating)}]" for name, rating in zip(("WR", "BR"), ratings, strict=True) if rating)
        told, notes = self._tags()
        yield from (f"{name}[{_simple(told[name])}]" for name in ("DT", "EV", "RO", "PC", "AN") if name in told)
        for comment in match.comments:
            lines = comment.text.splitlines() or [""]
            first = lines[0].lstrip()
            first = f" {first}" if _TAG_LINE.match(first) else first
            notes += [first, *(f"  {line}" for line in lines[1:])]
        if notes:
            end = "" if notes[-1] else "\n"
            yield f"GC[{escape(chr(10).join(notes))}{end}]"

    def _tags(self) -> tuple[dict[str, str], list[str]]:
        """The values of properties that stand for tags, by name, and lines for all other tags."""
        names = {tag: name for name, tag in words.TAGS.items()}
        told: dict[str, str] = {}
        lines = []
        for tag in self.match.tags:
            name = names.get(tag.key)
            value = _simple_text(tag.value)
            if name is not None and name not in told and not (name == "DT" and words.tag_of_date(value) != value):
                told[name] = words.date_of_tag(value) if name == "DT" else value
            else:
                lines.append(f'[{_one_line(tag.key)} "{_one_line(tag.value)}"]')
        return told, lines


def _rules(game: GameReplay, match: Match) -> str:
    """The value of RU for a game."""
    return words.write_rules(match.rules, money=match.is_money, crawford_game=game.crawford, more=_more_rules(match))


def _more_rules(match: Match) -> tuple[str, ...]:
    """The words of RU that `Ruleset` does not know."""
    found = next((tag.value for tag in match.games[0].extras if tag.key == "sgf:RU"), "")
    return tuple(filter(None, found.split(":")))


def _is_own(tag: Tag) -> bool:
    return tag.key.startswith("sgf:")


def _result(game: GameReplay) -> str:
    """The value of RE: the winner, the points, and whether the loser resigned; "" where nobody has won."""
    claim, points = game.claim, game.points
    if claim is not None and claim.points is not None:
        points = claim.points
    winner = game.winner if claim is None or not claim.column_speaks else claim.player
    if winner is None or points is None:
        return ""
    resigned = any(isinstance(entry, Resign) for entry in game.game.entries)
    return f"{words.COLOURS[winner]}+{points}{'R' if resigned else ''}"


def _told_result(game: GameReplay, result: str) -> str:
    """The value of RE from which GNU Backgammon understands a result.

    It believes a game over only by the board, a drop or an ``R``, and divides the points of an ``R`` by the cube. Where
    the record has the points that the match still needed, that would be too few.
    """
    if not result or game.ending != "resigned":
        return result
    points = int(result[2:].rstrip("R"))
    return f"{result[:2]}{points if game.is_odd else points + -points % game.cube}R"


def _automatic_doubles(record: Game, match: Match) -> int:
    """How many automatic doubles the game begins with."""
    if record.start is not None and not _starts_short(record, match):
        return 0
    count = 0
    for entry in record.entries:
        if not isinstance(entry, AutomaticDouble) or entry.annotation is not None:
            break
        count += 1
    return min(count, 30)


def _starts_short(record: Game, match: Match) -> bool:
    """Whether the set position is the start that a word of RU stands for."""
    told = (record.start, record.start_cube, record.start_owner)
    return told == (words.short_start(_more_rules(match)), 1, None)


def _remarks(record: Game, at: int) -> str:
    places = zip(places_of_comments(record), record.comments, strict=True)
    return "\n".join(comment.text for place, comment in places if place == at)


class _SgfGameWriter:
    """Writes the nodes of a game, except the first."""

    def __init__(self, game: GameReplay, match: Match, *, money: bool) -> None:
        self.game = game
        self.record = game.game
        self.match = match
        self.rules = match.rules
        self.money = money
        self.remarks: dict[int, list[str]] = {}
        for at, comment in zip(places_of_comments(self.record), self.record.comments, strict=True):
            self.remarks.setdefault(at, []).append(comment.text)

    def nodes(self) -> Iterator[str]:
        """The nodes, each as a string."""
        yield from self._start()
        turned = _automatic_doubles(self.record, self.match)
        turns = {turn.index: turn for turn in self.game.turns}
        entries = self.record.entries
        for index, entry in enumerate(entries):
            remark = self._remark(index + 1)
            if index < turned or (index == len(entries) - 1 and not remark and self._goes_without_saying(entry)):
                yield from (f";{remark}",) if remark else ()
                continue
            turn = turns.get(index)
            # A replay may read other entries than the record's.
            turn = turn if turn is not None and turn.entry == entry else None
            following = entries[index + 1] if index + 1 < len(entries) else None
            first, *rest = self._entry(entry, turn, entries[index - 1] if index else None, following)
            note = "" if entry.annotation is None else "".join(self._notes(entry.annotation, entry.player, turn))
            yield f";{first}{note}{remark}"
            yield from (f";{each}" for each in rest)

    def _remark(self, at: int) -> str:
        texts = self.remarks.get(at)
        return f"C[{escape(chr(10).join(texts))}]" if texts else ""

    # --- positions --------------------------------------------------------------------------

    def _start(self) -> Iterator[str]:
        record, rules = self.record, self.rules
        entries = record.entries
        first = entries[0] if entries else None
        if not record.start_known:
            # The record sets an impossible position, and so this sets one.
            yield f";AE[a:y]AW[a]AB[a]{words.OWN}[start]"
        elif record.start is not None and not _starts_short(record, self.match):
            usual = (record.start, record.start_cube, record.start_owner) == (rules.start, 1, None)
            told = usual or first is None or isinstance(first, SetBoard)
            own = f"{words.OWN}[start]" if told else ""
            player = first.player if first is not None else None
            yield from _set_up(record.start, record.start_cube, record.start_owner, player, own)
        elif record.start is None and rules.variant not in _GNUBG_VARIANTS:
            yield f";{_board(VARIANTS[rules.variant])}{words.OWN}[implied]"

    # --- entries ----------------------------------------------------------------------------

    def _goes_without_saying(self, entry: Entry) -> bool:
        """Whether an entry, the last of the game, is a resignation that the result of the game fully states."""
        if not isinstance(entry, Resign) or entry.match or entry.annotation is not None:
            return False
        result = _result(self.game)
        if not result.endswith("R") or result[0] != words.COLOURS[1 - entry.player]:
            return False
        points = int(result[2:-1])
        level = points // self.game.cube if points % self.game.cube == 0 else None
        is_only = not any(isinstance(each, Resign) for each in self.record.entries[:-1])
        return is_only and entry.level in (None, level)

    def _entry(self, entry: Entry, turn: Turn | None, before: Entry | None, following: Entry | None) -> Iterator[str]:
        """The properties of an entry, then those of the nodes that belong to it."""
        colour = words.COLOURS[entry.player]
        match entry:
            case CheckerPlay():
                yield from self._play(entry, turn, following)
            case Double():
                yield f"{colour}[double]{_own_double(entry, turn, before)}"
            case Beaver():
                yield f"{colour}[double]{_own_beaver(entry, before)}"
                if isinstance(following, CheckerPlay | Double):
                    # Few records write the take of a beaver, but GNU Backgammon needs one.
                    yield f"{words.COLOURS[1 - entry.player]}[take]{words.OWN}[implied]"
            case AutomaticDouble(value=value):
                cube = turn.state.cube.value if turn is not None else 1
                yield f"CV[{value or 2 * cube}]{words.OWN}[automatic]"
            case Take():
                yield f"{colour}[take]"
            case Drop():
                yield f"{colour}[drop]"
            case Resign(level=level, match=whole):
                told = f"{colour} resigns{' the match' if whole else ''}{f' {level}' if level else ''}"
                yield f"{words.OWN}[{told}]"
            case SetBoard():
                own = f"{words.OWN}[set]"
                nodes = _set_up(entry.position, entry.cube, entry.owner, entry.player, own, cube_told=True)
                yield from (node[1:] for node in nodes)

    def _play(self, entry: CheckerPlay, turn: Turn | None, following: Entry | None) -> Iterator[str]:
        colour, text = words.COLOURS[entry.player], entry.text
        dump = str(text) if text.kind == "moves" and entry.dice is None else text.dump
        own = f"{words.OWN}[{text.kind}{':' + escape(dump) if dump else ''}]"
        if entry.dice is None:
            yield f"PL[{colour}]{own}"
            return
        moved = _moved(entry, turn)
        roll = f"{entry.dice[0]}{entry.dice[1]}"
        if moved is not None:
            steps, is_plain = moved
            yield f"{colour}[{roll}{words.letters(steps, entry.player)}]{'' if is_plain else own}"
            return
        # At the end of a game, dice alone mean that the roll was not played; elsewhere, that its play is not known.
        usual = "nothing" if self._is_last_roll(entry) else "unknown"
        alone = not isinstance(following, CheckerPlay) or following.player != entry.player
        yield f"PL[{colour}]DI[{roll}]{'' if text.kind == usual and alone else own}"
        if text.kind == "illegal" and turn is not None and turn.after != turn.before:
            after = turn.after if turn.player == 0 else turn.after.flipped()
            yield f"{_board(after)}{words.OWN}[implied]"

    def _is_last_roll(self, entry: CheckerPlay) -> bool:
        last = next((each for each in reversed(self.record.entries) if isinstance(each, CheckerPlay | Double)), None)
        return last is entry

    # --- annotations ------------------------------------------------------------------------

    def _notes(self, note: Annotation, player: Player, turn: Turn | None) -> Iterator[str]:
        """The properties of an annotation: those of GNU Backgammon, and our own for what they leave out."""
        if note.plays is not None and turn is not None:
            note = replace(note, plays=with_every_play(note.plays, turn))
        made = form(note, turn)
        yield f"{made.cube}{made.plays}"
        if made.plays and all(key != "sgf:MR" for key, _ in note.extras):
            yield "MR[]"
        yield made.luck
        yield _marks(note, player)
        told = made.annotation(player, money=self.money, program=_program(self.record))
        told = replace(told, mark=note.mark, cube_mark=note.cube_mark, luck_mark=note.luck_mark, clock=note.clock)
        if rest := leftover(note, told, str(made)):
            yield f"{words.NOTES}[{escape(rest)}]"
        extras = (*clock_properties(note.clock, player), *note.extras)
        yield from (f"{key[4:]}{brackets(value)}" for key, value in extras if key.startswith("sgf:"))


def _own_double(entry: Double, turn: Turn | None, before: Entry | None) -> str:
    """bgtools' own property for a double that SGF alone would misstate; else ""."""
    cube = turn.state.cube.value if turn is not None else 0
    if entry.value is not None and entry.value != 2 * cube:
        return f"{words.OWN}[=> {entry.value}]"
    return f"{words.OWN}[double]" if isinstance(before, Double) and before.player != entry.player else ""


def _own_beaver(entry: Beaver, before: Entry | None) -> str:
    """bgtools' own property for a beaver that SGF's double in answer to a double would misstate; else ""."""
    is_answer = isinstance(before, Double | Beaver) and before.player != entry.player
    answers_beaver = isinstance(before, Beaver) and not before.raccoon
    if is_answer and entry.raccoon == answers_beaver:
        return ""
    return f"{words.OWN}[{'raccoon' if entry.raccoon else 'beaver'}]"


def _moved(entry: CheckerPlay, turn: Turn | None) -> tuple[tuple[tuple[int, int], ...], bool] | None:
    """The steps of a play, and whether they need no property of our own; None for a roll without a play."""
    text = entry.text
    if turn is not None and turn.play is not None:
        steps = tuple((hop.start, hop.end) for hop in turn.play.hops)
        return steps, text.kind == "moves" or not steps
    if text.kind == "moves":
        written = tuple(leg for hop in text.hops for leg in hop.legs)
        return written, bool(written)
    return ((), False) if text.kind == "dance" else None


def _marks(note: Annotation, player: Player) -> str:
    found = ""
    if note.luck_mark is not None:
        kind, value = _MARKS[note.luck_mark]
        found += f"{'GW' if (kind >= 2) == (player == 0) else 'GB'}{value if value != '[]' else '[1]'}"
    for mark, names in ((note.mark, words.MARKS), (note.cube_mark, words.CUBE_MARKS)):
        if mark is not None:
            kind, value = _MARKS[mark]
            found += f"{tuple(names)[kind]}{value}"
    return found


def _program(record: Game) -> str:
    """The program that made the analysis of a game; of several, one. Our own properties name the others."""
    programs = {entry.annotation.program for entry in record.entries if entry.annotation is not None}
    return _simple_text(min(programs - {""}, default=""))


def _set_up(
    board: Board,
    cube: int,
    owner: Player | None,
    player: Player | None,
    own: str,
    *,
    cube_told: bool = False,
) -> Iterator[str]:
    """The nodes that set a position seen by player 0, and the cube, as GNU Backgammon writes them."""
    on_roll = "" if player is None else f"PL[{words.COLOURS[player]}]"
    yield f";{on_roll}{_board(board)}{own}"
    if cube_told or cube != 1 or owner is not None:
        yield f";CV[{cube}]"
        yield f";CP[{_OWNER[owner]}]"


def _board(board: Board) -> str:
    sides: tuple[tuple[str, Player, tuple[int, ...]], ...] = (("AW", 0, board.mine), ("AB", 1, board.theirs))
    told = "AE[a:y]"
    for name, player, side in sides:
        stones = "".join(f"[{words.letter(point, player)}]" * side[point] for point in range(1, BAR + 1))
        told += f"{name}{stones}" if stones else ""
    return told


def _simple(text: str) -> str:
    return escape(_simple_text(text))


def _simple_text(text: str) -> str:
    return " ".join(text.split())


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())
