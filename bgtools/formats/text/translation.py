"""From the rows and headings of books, letters and forums to match text, with the prose between them.

The order of turns decides whose cell it is where nothing in the line says so; the rules decide whether a line without
a number is a play, or only mentions one.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from bgtools.board.movement import find_play
from bgtools.board.notation import ascends, mirrored_hop
from bgtools.board.perspective import Player, other
from bgtools.findings import codes
from bgtools.findings.finding import quoted
from bgtools.formats.content import FormatError
from bgtools.formats.limits import LONGEST_LINE
from bgtools.formats.mat.cells import (
    CubeCell,
    ResignCell,
    ResultCell,
    RollCell,
    Unreadable,
    parse_cell,
    parse_line,
    plain_cell,
)
from bgtools.formats.mat.prose import is_prose, is_rule
from bgtools.formats.shared.spelling import points_word
from bgtools.formats.text import shows_sequence
from bgtools.formats.text.damaged import is_damage, read_damaged_row
from bgtools.formats.text.patchwork import Patchwork
from bgtools.formats.text.rows import TextCell, TextRow, begins_with_roll, has_roll, read_hops, read_label, read_row
from bgtools.formats.text.running import (
    RollInProse,
    count_captions,
    count_told,
    pick_play,
    read_caption,
    read_prose,
)
from bgtools.formats.text.sentences import (
    COLOURS,
    NAME,
    read_coloured,
    read_game,
    read_length,
    read_names,
    read_playing,
    read_result,
    read_score,
)
from bgtools.formats.text.shorthand import LONGEST_SEQUENCE, read_sequence, read_tokens
from bgtools.formats.text.tables import (
    is_ruler,
    read_filled,
    read_roles,
    read_table_head,
    read_table_row,
    read_table_scores,
)
from bgtools.formats.text.undressing import LINE
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Resign, Take, checker_play
from bgtools.record.state import GameState
from bgtools.rules.cube import MatchState
from bgtools.rules.options import Ruleset
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.board.play import PlayText
    from bgtools.findings.finding import Code
    from bgtools.formats.text.shorthand import SequenceStep, SequenceToken
    from bgtools.formats.text.tables import Role
    from bgtools.record.record import Entry

_LEFT_WIDTH: Final = 34
_VERBS: Final = r"(?:rolls|rolled|throws|threw|plays|played|with|has|had)"
_BEFORE_ROLL: Final = re.compile(
    rf"\W{{0,40}}(?:\(?#?\d{{1,3}}[.):]{{1,3}}[ \t]{{0,8}})?(?P<side>{NAME}?)[ \t:,(>\])*_=-]{{0,5}}"
    rf"(?:{_VERBS}[ \t:]{{1,4}})?"
    r"(?=[(\[]?[1-6][-,\u2013]?[1-6]\b[)\]]?[ \t]*(?:[:=>\u2013-]|[ \t](?:bar|b|\d{1,2})[/-]))"
)
_VERB: Final = re.compile(rf"[ \t>\])*_=-]*[:,]?[ \t]*(?:{_VERBS}(?:[ \t]+an?)?(?=[ \t:])[ \t:]*)?")
_OWN_ROW: Final = re.compile(
    r"(?![^|]*(?:\d\*?(?:\(\d\))?,[ ]?(?:bar|\d+)/|\.[ ]\.))[ \t]*\d+\)[ \t]"
    r"[^|]*?(?:\b[0-6]{2}:|\b(?:[Dd]oubles?|[Tt]akes?|[Dd]rops?)\b)[^|]*$"
)
_LABELLED: Final = re.compile(
    r"[ \t|]*\d{1,3}[.:][ \t|]*(?:[.][ \t]*){0,3}[ \t|]*(?:[1-6][-,]?[1-6][ \t]*:|double|take|pass|drop)", re.IGNORECASE
)
_WORDS_BEHIND: Final = (".", "!", "?", ",", ";", "(", "-", "\u2013", "\u2014")
"""What may begin a remark close behind a cube action or a play."""
_ROW_SHAPE: Final = re.compile(
    r"^\s*\d{1,3}\s*[.):]|(?<!\S)(?=\S{0,3}\d)[^\s:]{1,4}:(?=\s|$)|\w\s?[/\\]+\s?\w|\d[~=_]\d"
)
"""The number of a row, dice, and hops, each perhaps with a slip."""
_BREAK: Final = re.compile(r"[\r\n\t]")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")
_REMARK: Final = re.compile(r"[ \t]*(?:;|#(?![ \t]*\d))")
_ODD: Final = re.compile(r"[;#>`~]|.*(?:[<>&\[\]*_=]|(?i:\bwins\b|\bwon\b|\bscore\b))")
"""What a mail, a page or a forum may add to a text, and words of results."""
_HEADINGS: Final = ("length_line", "game_line", "score_line", "tag_line")
_LONGEST_SIDE: Final = 80
_BEFORE_SIDE: Final = "(<[*_ \t"
_PARAGRAPH: Final = re.compile(r"(?:[^\r\n]*\S[^\r\n]*(?:\r\n|\n|\r|$))+")
_SENTENCE: Final = re.compile(r"\S(?:[^.!?]|[.!?](?!\s))*[.!?]*")
_PRONOUNS: Final = frozenset({"", "he", "she", "they", "it", "who", "and", "then", "i", "you", "now"})
_FEW_ROWS: Final = 2
_MOST_ROLLS: Final = 5
"""A word is a player's name where it stands before one of so many rolls at least."""


class _Piece(NamedTuple):
    """A cell with its player and the number of its row, or with ``cell`` None a line."""

    cell: TextCell | None
    player: Player
    number: int | None
    line: str
    at: int
    kind: Literal["copied", "prose", "written"] = "copied"
    column: int | None = None
    """The column of a cell where a name tells it; None where the order of turns does."""


@dataclass(slots=True)
class _TextGame:
    """A game while it is read.

    Attributes:
        pieces: its lines and cells.
        opened: whether a heading begins it.
        heading: which of the pieces is that heading.
        has_score_line: whether one of the pieces is a score line of match text.
        score: the points before it, of the player named first.
        left: the player whose cells stand on the left; None where nothing shows it.
        state: the game on the board; player 0 is whoever acts first, unless a name tells.
        turn: who is to roll; None before the first roll.
        last_number: the number of the last row.
        numbered, bare: how many rows have a number, and how many have none.
        pending: which of the pieces is a roll whose play has not come.
    """

    pieces: list[_Piece]
    state: GameState
    opened: bool = False
    heading: int | None = None
    has_score_line: bool = False
    score: tuple[int, int] | None = None
    left: Player | None = None
    turn: Player | None = None
    last_number: int = 0
    numbered: int = 0
    bare: int = 0
    pending: int | None = None

    @property
    def has_cells(self) -> bool:
        """Whether a cell is in it."""
        return bool(self.numbered or self.bare)

    @property
    def winner(self) -> Player | None:
        """Who has won it, by the order of turns: a roll that is not played gives it up."""
        if self.state.over is not None:
            return self.state.over.winner
        return None if self.pending is None else other(self.pieces[self.pending].player)


def _new_game() -> _TextGame:
    return _TextGame([], GameState(MatchState(rules=Ruleset(crawford=False))))


def _lines(text: str) -> Iterator[str]:
    for found in LINE.finditer(text):
        if len(found[1]) <= LONGEST_LINE:
            yield found[1]


RowKind = Literal["own", "none", "foreign", "list", "sentences", "shorthand"]
"""What the rows of a text are: those of match text; none that are known; others; captions of a list of positions;
sentences; or tokens."""


def kind_of_rows(text: str) -> RowKind:
    """What most rows of a text are."""
    own = foreign = rolls = 0
    for line in _lines(text):
        rolled = has_roll(line.replace("|", " "))
        rolls += rolled
        if _OWN_ROW.match(line):
            own += 1
        elif _LABELLED.match(line) or _BEFORE_ROLL.match(line) or (rolled and ("|" in line or begins_with_roll(line))):
            foreign += 1
    if own and own >= foreign:
        return "own"
    told = count_told(_BREAK.sub(" ", text))
    if foreign and rolls and told <= foreign:
        return "foreign"
    if shows_sequence(text):
        return "shorthand"
    is_list = count_captions(_lines(text)) >= _FEW_ROWS
    if not is_list and told < _FEW_ROWS:
        return "foreign" if foreign else "none"
    return "list" if is_list else "sentences" if told > max(foreign, rolls) or not rolls else "foreign"


def _sides_of(text: str) -> dict[str, str]:
    """The names and colours that stand before rolls, in small letters, with their spelling: two or none."""
    found: Counter[str] = Counter()
    spelling: dict[str, str] = {}
    rolls = 0
    for line in _lines(text):
        rolls += has_roll(line)
        if (side := _BEFORE_ROLL.match(line)) and (name := side["side"].strip()):
            found[name.casefold()] += 1
            spelling.setdefault(name.casefold(), name)
    best = [
        each
        for each, count in found.most_common()
        if each in COLOURS or (count >= _FEW_ROWS and count * _MOST_ROLLS >= rolls)
    ]
    return {each: spelling[each] for each in best[:2]} if len(best) > 1 else {}


def is_plain_prose(line: str) -> bool:
    """Whether no reader could take a line for a row, a heading, a result or something that a mail or a page adds."""
    text = line.strip()
    if not text or _ODD.match(text) or "|" in text or has_roll(text) or read_hops(text):
        return False
    number, at = read_label(text)
    if number is not None or read_row(text, at).cells or any(parse_line(text, kind) is not None for kind in _HEADINGS):
        return False
    found = read_game(text) or read_coloured(text) or read_result(text)
    return found is None and isinstance(parse_cell(text), Unreadable) and is_prose(text)


class Translation:
    """Reads a text line by line, and writes match text.

    Args:
        text: the text.
        kind: what its rows are.

    Attributes:
        made: the match text.
        prose: where in it a line of prose begins.
    """

    def __init__(self, text: str, kind: RowKind) -> None:
        self.text = text
        self.kind = kind
        self.made = Patchwork()
        self.prose: set[int] = set()
        self.names: tuple[str, str] | None = None
        self.length: int | None = None
        self.length_at = 0
        self.has_length_line = False
        self.sides = _sides_of(text)
        self.players: dict[str, Player] = {}
        self.playing: list[tuple[str, str]] = []  # names with their colours
        self.roles: dict[int, Role] = {}  # what the columns of a table hold, as its head says
        self.named: set[str] = set()  # the words that a heading makes names of players
        self.games: list[_TextGame] = []
        self.game = _new_game()
        self.steps: dict[int, SequenceStep] = {}  # what each token of a sequence stands for, by its place
        self.doubts: list[tuple[Code, Span, str]] = []

    def run(self) -> Patchwork:
        """Translate the whole text."""
        if self.kind == "sentences":
            self._tell()
        elif self.kind == "shorthand":
            self._read_sequences()
        for found in LINE.finditer(self.text):
            line, at = found[1], found.start()
            if not line.strip() or len(line) > LONGEST_LINE:
                self._keep(line, at)
            else:
                self._line(line, at)
        self._end_game()
        self._set_columns()
        number = 0
        for game in self.games:
            number += game.has_cells or game.opened
            self._write_game(game, number)
        return self.made

    def _line(self, line: str, at: int) -> None:
        if self.kind == "shorthand" and (found := read_tokens(line)) is not None:
            self._add_tokens(found.tokens, line, at)
            return
        if self.kind == "list" and (caption := read_caption(line)) is not None:
            who, words = caption
            start, end = len(line) - len(line.lstrip()), len(line.rstrip())
            cell = TextCell(start, end, words)
            self._add(_Piece(cell, self._teller(who, cell), None, line, at))
            self.game.bare += 1
            return
        if _REMARK.match(line):
            self._keep(line, at)
        elif not (self._table(line, at) or self._heading(line, at) or self._row(line, at) or self._result(line, at)):
            if self._is_damage(line):
                span = Span(at + len(line) - len(line.lstrip()), at + len(line.rstrip()))
                why = f"this line has the shape of a row, and cannot be read: {quoted(line)}"
                self.doubts.append((codes.UNREADABLE_LINE, span, why))
                return
            self._keep(line, at, "prose")

    def _is_damage(self, line: str) -> bool:
        """Whether a line among rows is one that cannot be read, and no sentence."""
        if not self.game.has_cells or is_prose(line) or is_rule(line):
            return False
        return len(_ROW_SHAPE.findall(line)) > 1

    def _keep(self, line: str, at: int, kind: Literal["copied", "prose", "written"] = "copied") -> None:
        self.game.pieces.append(_Piece(None, 0, None, line, at, kind))

    def _end_game(self) -> None:
        self.games.append(self.game)
        self.game = _new_game()

    # --- headings ---------------------------------------------------------------------------

    def _heading(self, line: str, at: int) -> bool:
        """Whether a line is a heading. A sentence that says as much above the rows is prose besides."""
        game = self.game
        if parse_line(line, "length_line") is not None:
            self.has_length_line = True
            self._keep(line, at)
        elif (names := parse_line(line, "score_line")) is not None:
            if game.has_cells:
                self._end_game()
            one, two = names
            self._learn((one.name, two.name))
            self.game.score = one.points or 0, two.points or 0
            self.game.has_score_line = True
            self._keep(line, at)
        elif heading := read_game(line):
            if game.has_cells or game.opened:
                self._end_game()
            self.game.heading = len(self.game.pieces)
            self.game.opened = True
            self._keep(f" Game {heading.number}", at, "written")
            if heading.rest and not self._learn_score(heading.rest, heading=True):
                self._keep(line, at, "prose")
        elif coloured := read_coloured(line):
            self._learn(coloured.names, coloured.colours)
        else:
            if not game.has_cells and not self._cells_of(line)[0].cells:
                self._learn_facts(line, at)
            return False
        return True

    def _learn_facts(self, line: str, at: int) -> None:
        """Take from a sentence above the rows who plays, to how many points, and at what score."""
        if self.length is None and (length := read_length(line)) is not None:
            self.length, self.length_at = length, at
        if self.names is None and not self.games and (names := read_names(line)) is not None:
            self._learn(names)
        if (playing := read_playing(line)) is not None:
            self.playing.append(playing)
            if len(self.playing) > 1:
                (one, colour), (two, other_colour) = self.playing[-2:]
                self._learn((one, two), (colour, other_colour))
        self._learn_score(line)

    def _learn_score(self, line: str, *, heading: bool = False) -> bool:
        score = read_score(line, heading=heading)
        if score is None:
            return False
        words = score.name.casefold().split()
        leader = next((self.players[each] for each in (score.name.casefold(), *words[-1:]) if each in self.players), 0)
        self.game.score = score.points if leader == 0 else score.points[::-1]
        return True

    def _learn(self, names: tuple[str, str], colours: tuple[str, str] = ("", "")) -> None:
        self.names = names
        players: tuple[Player, Player] = (0, 1)
        for player, name, colour in zip(players, names, colours, strict=True):
            words = name.split()
            for each in (name, *words[:1], *words[-1:], colour, colour[:1]):
                if each:
                    self.players[each.casefold()] = player
                    self.named.add(each.casefold())

    # --- sequences of tokens ------------------------------------------------------------------

    def _read_sequences(self) -> None:
        """Find out what the tokens stand for, a game at a time: the letters alone do not say it."""
        tokens: list[tuple[SequenceToken, int]] = []
        first: Player = 0

        def end() -> None:
            if len(tokens) > LONGEST_SEQUENCE:
                raise FormatError(f"{len(tokens):,} steps are no game; the longest have a few hundred")
            for (token, at), step in zip(tokens, read_sequence([each for each, _ in tokens], first), strict=True):
                self.steps[at + token.start] = step
            tokens.clear()

        for line in LINE.finditer(self.text):
            if (found := read_tokens(line[1])) is not None and line[1].strip():
                first = first if tokens else 1 if found.is_top else 0
                tokens += [(token, line.start()) for token in found.tokens]
            elif read_game(line[1]):
                end()
        end()

    def _add_tokens(self, tokens: Sequence[SequenceToken], line: str, at: int) -> None:
        for token in tokens:
            step = self.steps[at + token.start]
            for number, words in enumerate(step.cells):
                player = other(step.player) if number else step.player
                self._add(_Piece(TextCell(token.start, token.end, words), player, None, line, at))
                self.game.bare += 1
            if step.doubt:
                span = Span(at + token.start, at + token.end)
                self.doubts.append(
                    (codes.UNKNOWN_PLAY, span, f"{quoted(line[token.start : token.end])} leaves it open: {step.doubt}")
                )

    # --- sentences ----------------------------------------------------------------------------

    def _tell(self) -> None:
        """Read a game that is told in sentences. Each sentence is a remark below the turns that it tells."""
        for paragraph in _PARAGRAPH.finditer(self.text):
            begin = paragraph.start()
            for line in LINE.finditer(paragraph[0]):
                at = paragraph.start() + line.start()
                if line[1].strip() and self._is_between(line[1]):
                    self._tell_part(begin, at)
                    if not (self._heading(line[1], at) or self._result(line[1], at)):
                        self._keep(line[1], at, "prose")
                    begin = paragraph.start() + line.end()
            self._tell_part(begin, paragraph.end())
            self._keep("", paragraph.start())
        self.text = ""

    def _is_between(self, line: str) -> bool:
        """Whether a line is a heading or a result, and no part of what is told."""
        found = read_result(line)
        is_heading = any(parse_line(line, kind) is not None for kind in ("length_line", "score_line"))
        return (
            is_heading or read_game(line) is not None or (found is not None and found.name.casefold() in self.players)
        )

    def _tell_part(self, begin: int, end: int) -> None:
        for sentence in _SENTENCE.finditer(self.text, begin, end):
            if not self.game.has_cells:
                self._learn_facts(sentence[0], sentence.start())
            for event in read_prose(_BREAK.sub(" ", sentence[0])):
                self._add_event(event, sentence.start())
            for line in LINE.finditer(sentence[0]):
                if line[1].strip():
                    self._keep(line[1], sentence.start() + line.start(), "prose")

    def _add_event(self, event: RollInProse, at: int) -> None:
        cell = TextCell(event.start, event.end, event.text)
        if cell.dice is None and not self._may_act(cell):
            return
        player = self._teller(event.who, cell)
        board = self.game.state.board(player)

        def is_allowed(words: str) -> bool:
            named = cell._replace(text=words)
            assert named.dice is not None
            assert named.play is not None
            return find_play(board, named.dice, named.play.hops) is not None

        if play := pick_play(event.plays, is_allowed):
            cell = cell._replace(text=play)
        self._add(_Piece(cell, player, None, "", at))
        self.game.bare += 1

    def _teller(self, who: str, cell: TextCell) -> Player:
        """The player with a name or colour; by the order of turns for a pronoun."""
        expected = self._expected(cell)
        if who in _PRONOUNS:
            return expected
        self.sides.setdefault(who, who.capitalize())
        return self._player_called(who, expected)

    def _player_called(self, name: str, expected: Player) -> Player:
        """The player with a name or colour. A new one is whoever is expected, unless another one has taken that."""
        if name not in self.players:
            taken = {self.players[each] for each in self.sides if each in self.players}
            self.players[name] = expected if expected not in taken else other(expected)
        return self.players[name]

    # --- rows -------------------------------------------------------------------------------

    def _row(self, line: str, at: int) -> bool:
        """Whether a line is a row of the game, or the play of the roll above it."""
        row, side, begin = self._cells_of(line)
        damaged = self._damaged_row(line, begin, row, side)
        if damaged is not None or (row.cells and self._is_row(row, side, line)):
            self._add_row(damaged or row, side, line, at)
            return True
        hops = "" if self.game.pending is None else read_hops(line)
        return bool(hops) and self._add_play(hops)

    def _cells_of(self, line: str) -> tuple[TextRow, str, int]:
        """The cells of a line, the name or colour before them, and where what is behind number and name begins."""
        number, at = read_label(line)
        row = read_row(line, at, number)
        side, end = ("", at) if row.cells else self._side(line, at)
        if not side:
            return row, "", at
        begin = end
        if number is None:
            number, end = read_label(line, end)
        verb = _VERB.match(line, end)
        row = read_row(line, verb.end() if verb else end, number, is_named=True)
        following = len(line) - len(line[row.rest :].lstrip(",;. \t"))
        if len(row.cells) == 1 and (after := self._side(line, following))[0]:
            two = read_row(line, _VERB.match(line, after[1]).end(), number, is_named=True)  # type: ignore[union-attr]
            row = row._replace(cells=(*row.cells, *two.cells[:1]), rest=two.rest, asides=(*row.asides, *two.asides))
        if not row.cells and begin < end:
            return row._replace(number=None), side, begin  # one die and a colon are no number of a row
        return row, side, verb.end() if verb else end

    def _damaged_row(self, line: str, at: int, row: TextRow, side: str) -> TextRow | None:
        """The row in which a cell cannot be read; None for any other line.

        Args:
            line: the line.
            at: where what is behind number and name begins.
            row: what can be read of it.
            side: the name or colour before the cells.
        """
        game = self.game
        is_next = row.number in (game.last_number, game.last_number + 1) and (game.has_cells or game.opened)
        is_bare = row.number is None and not game.numbered and game.bare >= _FEW_ROWS and ":" in line
        if not (is_next or is_bare or side) or (row.cells and not is_damage(line[row.rest :])):
            return None
        return read_damaged_row(line, at, row.number, empty=row.empty)

    def _side(self, line: str, at: int) -> tuple[str, int]:
        """The name or colour at a place of a line, and where it ends; "" where there is none."""
        part = line[at : at + _LONGEST_SIDE]
        begin = at + len(part) - len(part.lstrip(_BEFORE_SIDE))
        rest = part.lstrip(_BEFORE_SIDE).casefold()
        for side in sorted({*self.sides, *self.players}, key=len, reverse=True):
            if rest.startswith(side) and not rest[len(side) : len(side) + 1].isalnum():
                end = begin + len(side)
                return side, end + (line[end : end + 1] == ")")
        return "", at

    def _is_row(self, row: TextRow, side: str, line: str) -> bool:
        """Whether a line with cells is a row of the game, and does not only mention a play."""
        rest, first, game = line[row.rest :].strip(" \t|"), row.cells[0], self.game
        if row.number is None and not side and not rest and row.asides and _LETTERS.search(line, row.cells[-1].end):
            rest = line[row.cells[-1].end :].strip(" \t|")  # a play that somebody mentions
        if first.dice is None:
            if rest and not rest.startswith(_WORDS_BEHIND):
                return False
            if side or row.number is not None:
                return row.number is not None or self._may_act(first)
            return len(row.cells) > 1 or (not rest and self._may_act(first))
        if not (is_prose(rest) or rest.startswith(_WORDS_BEHIND)):
            rest = ""  # a damaged cell does not make the line a sentence
        is_played = first.play is not None and first.play.kind in ("moves", "dance", "unknown")
        if row.number is not None:
            goes_on = row.number in (game.last_number, game.last_number + 1) or not game.has_cells
            return not rest or (goes_on and is_played)
        if side:
            return not rest or (is_played and self._can_be_played(first))
        if rest or (game.numbered > game.bare and len(row.cells) == 1 and not self._can_be_played(first)):
            return False
        if game.numbered >= _FEW_ROWS and not game.bare:
            return is_played and len(row.cells) > 1 and self._can_be_played(first)
        return is_played or (game.has_cells and game.state.offer is None)

    def _may_act(self, cell: TextCell) -> bool:
        """Whether a cube action makes sense now."""
        if cell.cube == "double":
            return self.game.has_cells and self.game.state.offer is None
        return self.game.state.offer is not None or isinstance(cell.says, ResignCell)

    def _can_be_played(self, cell: TextCell) -> bool:
        """Whether a roll can be played so by the player whose turn it is, in the numbering of either player."""
        state, play = self.game.state, cell.play
        if play is None or cell.dice is None or play.kind != "moves":
            return play is not None
        board = state.board(self._expected(cell))
        mirrored = [mirrored_hop(hop) for hop in play.hops]
        return any(find_play(board, cell.dice, hops) is not None for hops in (play.hops, mirrored))

    def _add_row(self, row: TextRow, side: str, line: str, at: int) -> None:
        if row.number == 1 and self.game.last_number > _FEW_ROWS and self.game.state.over is not None:
            self._end_game()
        game = self.game
        for index, cell in enumerate(row.cells):
            self._add(_Piece(cell, self._player(row, index, side, cell), row.number, line, at))
        if row.number is None:
            game.bare += 1
        else:
            game.numbered += 1
            game.last_number = row.number
        for start, end in row.asides:
            self._keep(line[start:end], at + start, "prose")
        rest = line[row.rest :]
        if words := rest.strip(" \t|,;:"):
            self._keep(words, at + row.rest + rest.index(words), "prose")

    def _player(self, row: TextRow, index: int, side: str, cell: TextCell) -> Player:
        """Whose cell it is: by the name before it, its column, or the order of turns."""
        game, expected = self.game, self._expected(cell)
        if index == 1:
            return other(game.pieces[-1].player)
        if side:
            return self._player_called(side, expected)
        if row.empty:
            game.left = other(expected) if game.left is None else game.left
            return other(game.left)
        if len(row.cells) > 1:
            game.left = expected if game.left is None else game.left
            return game.left
        if isinstance(cell.says, ResignCell) or (cell.cube in ("take", "drop") and game.state.offer is None):
            return self._by_column(row, expected)
        return expected

    def _by_column(self, row: TextRow, expected: Player) -> Player:
        """Whose cell it is where it stands alone, out of turn: who has just rolled, or the left player in a new row."""
        game = self.game
        if game.pending is not None:
            return game.pieces[game.pending].player
        is_new = row.number is not None and row.number > game.last_number
        return game.left if is_new and game.left is not None else expected

    def _expected(self, cell: TextCell) -> Player:
        """Who acts next, by the order of turns."""
        game = self.game
        if game.state.offer is not None:
            return other(game.state.offer.by) if cell.dice is None else game.state.offer.by
        return 0 if game.turn is None else game.turn

    def _add(self, piece: _Piece) -> None:
        """Add a cell to the game, and carry out what it says."""
        game, player, cell = self.game, piece.player, piece.cell
        assert cell is not None
        game.pieces.append(piece)
        game.pending = None
        entry: Entry | None = None
        match cell.says:
            case RollCell(dice, text):
                entry = _play(player, dice, text)
                if text.kind in ("nothing", "unknown"):
                    game.pending = len(game.pieces) - 1
                game.turn = other(player)
            case CubeCell("double"):
                entry = Double(player=player)
            case CubeCell("beaver" | "raccoon"):
                entry = Beaver(player=player)
            case CubeCell("automatic"):
                entry = AutomaticDouble(player=player)
            case CubeCell("take"):
                entry = Take(player=player)
                game.turn = other(player)
            case CubeCell("drop"):
                entry = Drop(player=player)
            case ResignCell():
                entry = Resign(player=player)
            case Unreadable():
                game.turn = other(player)
        if entry is not None:
            game.state.follow(entry)

    def _add_play(self, hops: str) -> bool:
        """Give the roll above its play, which is on a line of its own; False where the rules do not allow it."""
        game = self.game
        assert game.pending is not None
        piece = game.pieces[game.pending]
        assert piece.cell is not None
        cell = piece.cell._replace(text=f"{piece.cell.text[:3]} {hops}")
        if cell.play is None or cell.dice is None:
            return False
        if find_play(game.state.board(piece.player), cell.dice, cell.play.hops) is None:
            return False
        game.pieces[game.pending] = piece._replace(cell=cell)
        game.pending = None
        game.state.follow(_play(piece.player, cell.dice, cell.play))
        return True

    def _table(self, line: str, at: int) -> bool:
        """Whether a line is part of a table of rows."""
        if "|" not in line:
            return False
        if is_ruler(line):
            return True
        if self._table_heading(line, at):
            return True
        if roles := read_roles(line):
            self.roles = roles
        found = None if roles else read_table_row(line, {*self.sides, *self.players}, self.roles)
        if found is not None:
            self._add_row(found.row, found.side, line, at)
            for words, place in found.remarks:
                if not self._bare_result(words, at + place):
                    self._keep(words, at + place, "prose")
            return True
        head = None if self.game.has_cells or self.names is not None else read_table_head(line)
        if head is None:
            return bool(roles)
        self._learn(head.names)
        self.game.score = self.game.score or head.points
        return True

    def _table_heading(self, line: str, at: int) -> bool:
        """Whether a row of a table is the heading of a game, its score line, or its result."""
        filled = [(text, at + place) for text, place in read_filled(line)]
        if len(filled) == 1:
            text, place = filled[0]
            return (read_game(text) is not None and self._heading(text, place)) or self._bare_result(text, place)
        scores = read_table_scores(line)
        if scores is None:
            return False
        if self.game.has_cells:
            self._end_game()
        self._learn(scores.names)
        self.game.score = scores.points
        return True

    def _bare_result(self, words: str, at: int) -> bool:
        """Whether a cell of a table says how many points a game was worth; whose they are, the game tells."""
        if not isinstance(plain_cell(words), ResultCell) or not self.game.has_cells:
            return False
        winner = self.game.winner
        player = self.game.pieces[-1].player if winner is None else winner
        self.game.pieces.append(_Piece(TextCell(0, len(words), words), player, None, words, at))
        return True

    def _result(self, line: str, at: int) -> bool:
        """Whether a line says who won the game."""
        if isinstance(plain_cell(line.strip()), ResultCell):
            self._keep(line, at)
            return True
        found, game = read_result(line), self.game
        name = found.name.casefold() if found else ""
        if found is None or not (game.has_cells or game.opened) or name not in self.players:
            return False
        player = self.players[name]
        start, end = len(line) - len(line.lstrip()), len(line.rstrip())
        if found.resigned:
            self._add(_Piece(TextCell(start, end, "Resigns"), player, None, line, at))
            return True
        winner = player if found.won else other(player)
        is_named = name in self.named
        if is_named and game.left is None and game.winner is not None:
            # The name of the winner tells who stands on the left.
            game.left = game.winner if winner == 0 else other(game.winner)
        points = found.points or (found.level and found.level * game.state.cube)
        text = f"Wins {points_word(points)}" if points else "Wins"
        cell = TextCell(start, end, text + " and the match" * found.match)
        game.pieces.append(_Piece(cell, winner, None, line, at, column=winner if is_named else None))
        return True

    # --- writing ----------------------------------------------------------------------------

    def _set_columns(self) -> None:
        """Find the left player of the games that do not show it: by who won, and whose points the next score counts."""
        for game, following in pairwise(self.games):
            if game.left is None and game.winner is not None and game.score and following.score:
                gains = [after > before for before, after in zip(game.score, following.score, strict=True)]
                if gains.count(True) == 1:
                    game.left = game.winner if gains[0] else other(game.winner)
        if self.sides and not self.sides.keys() & self.named:
            # A colour stands for the same player in every game.
            known: Player = next((game.left for game in self.games if game.left is not None), 0)
            for game in self.games:
                game.left = known

    def _write_game(self, game: _TextGame, number: int) -> None:
        """Write a game as match text."""
        made, pieces, left = self.made, game.pieces, game.left or 0
        if game.has_cells or game.opened:
            first = next((index for index, piece in enumerate(pieces) if piece.cell), len(pieces))
            at = pieces[first].at if first < len(pieces) else max(len(self.text) - 1, 0)
            if number == 1 and self.length and not self.has_length_line:
                made.write(f" {self.length} point match\n\n", self.length_at)
            if not game.has_score_line:
                head = first if game.heading is None else game.heading + 1
                self._write_pieces(pieces[:head], left)
                pieces = pieces[head:]
                if game.heading is None:
                    made.write(f" Game {number}\n", at)
                if (score := game.score or ((0, 0) if number == 1 else None)) is not None:
                    one, two = self._names(left)
                    made.write(f" {one} : {score[0]}".ljust(_LEFT_WIDTH + 4) + f" {two} : {score[1]}\n", at)
        self._write_pieces(pieces, left)

    def _names(self, left: Player) -> tuple[str, str]:
        """The names of the left and of the right player."""
        if self.names is not None:
            return self.names
        found = {player: self.sides.get(side, side) for side, player in reversed(self.players.items())}
        return found.get(left, ""), found.get(other(left), "")

    def _write_pieces(self, pieces: Sequence[_Piece], left: Player) -> None:
        made, row, rest = self.made, 0, [*reversed(pieces)]
        while rest:
            piece = rest.pop()
            if piece.cell is None:
                self._write_line(piece)
                continue
            column = piece.column if piece.column is not None else int(piece.player != left)
            is_result = piece.cell.text.startswith("Wins")
            if is_result:
                made.write(" " * (_LEFT_WIDTH + 7 if column else 6), piece.at)
            else:
                row = row + 1 if piece.number is None else piece.number
                made.write(f"{row:3d}) {' ' * (_LEFT_WIDTH + 1) * column}", piece.at)
            self._write_cell(piece)
            if not is_result and column == 0 and rest and _is_beside(piece, rest[-1]):
                made.write(" " * max(_LEFT_WIDTH + 1 - len(piece.cell.text), 3), piece.at + piece.cell.end - 1)
                piece = rest.pop()
                self._write_cell(piece)
            assert piece.cell is not None
            made.write("\n", piece.at + piece.cell.end - 1)

    def _write_line(self, piece: _Piece) -> None:
        if piece.kind == "prose":
            self.prose.add(self.made.length)
        if piece.kind == "written":
            self.made.write(piece.line, piece.at)
        else:
            self.made.copy(piece.line, piece.at)
        self.made.write("\n", piece.at + max(len(piece.line) - 1, 0))

    def _write_cell(self, piece: _Piece) -> None:
        assert piece.cell is not None
        self.made.stand_for(piece.cell.text, piece.at + piece.cell.start, piece.at + piece.cell.end)


def _is_beside(piece: _Piece, following: _Piece) -> bool:
    """Whether a cell stands to the right of another one, in the same line."""
    if following.cell is None or following.at != piece.at or following.player == piece.player:
        return False
    return not following.cell.text.startswith("Wins")


def _play(player: Player, dice: tuple[int, int], text: PlayText) -> CheckerPlay:
    """A play in the numbering of its player, for the board."""
    if text.hops and all(map(ascends, text.hops)):
        text = replace(text, hops=tuple(map(mirrored_hop, text.hops)))
    return checker_play(player, dice, text, Span(0, 0), None)
