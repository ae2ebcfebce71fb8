"""Match text: the edits after which a text says another match, each at its place.

Rows that hold the same cells keep their columns, and only the cells that say something else are rewritten. Where
cells come, go or change their column, the rows from there on are filled again, as far as they differ.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.board.perspective import mirrored
from bgtools.board.play import Hop
from bgtools.decoder.entries import is_fixed
from bgtools.findings.finding import Fix
from bgtools.formats.mat.dialects import cube_cell, cube_word, dialect_of
from bgtools.formats.rendering import new_remarks
from bgtools.formats.shared.tags import missing_tags
from bgtools.record.record import CheckerPlay, ResultClaim
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.board.play import PlayText
    from bgtools.record.record import Comment, Entry, Game, Match
    from bgtools.source import Source

_LABEL: Final = re.compile(r"[^\S\r\n]*(\d{1,9})\)")
_ROLL: Final = re.compile(r"\d\d(?:\s*:)?")
_GAP: Final = re.compile(r"[^\S\r\n]{2,}(?=\S)")
_POINTS: Final = re.compile(r"(\d+)( +points?\b)?", re.IGNORECASE)
_SCORES: Final = re.compile(r"(\S.*?)(\s*:\s*)(\d+)(\s\s+)(\S.*?)(\s*:\s*)(\d+)")
_INDENT, _WIDTH = 1, 28
"""How far in from a column of rolls other cells begin, and how wide the left column is, where no row shows it."""

Cell = "CheckerPlay | Double | Beaver | Take | Drop | ResultClaim"


class _Unable(Exception):
    """A text holds something that no edit would leave as it is."""


def render(match: Match, right: Match) -> tuple[Fix, ...] | None:
    """The edits of a text of one match after which it says another one.

    Args:
        match: the record as it was read.
        right: what it should say. What stays of its games, entries and results has kept its place in the text, what is
            changed has the place of what stood there, and what is new has none.

    Returns:
        The edits, none of which overlaps another; None where rows that have to be rewritten hold something else.
    """
    assert match.source is not None
    sheet = _RenderedText(match, match.source)
    try:
        edits = [*sheet.header(right), *sheet.games(right)]
    except _Unable:
        return None
    return tuple(sorted(edits, key=lambda fix: fix.span))


class _WrittenCell(NamedTuple):
    """A cell that is to be written: its column, its text, how far in it begins, and the cell that stands there.

    The remarks on it stand in lines of their own above its row.
    """

    column: int
    text: str
    indent: int
    stands: Entry | ResultClaim | None
    remarks: Sequence[Comment] = ()


class _RenderedText:
    """A text, and how it writes what it says."""

    def __init__(self, match: Match, source: Source) -> None:
        self.match, self.source, self.text = match, source, source.text
        self.end = source.line_end
        self.fixed = is_fixed(match)
        self.dialect = dialect_of(match)

    def replacement(self, cell: Entry | ResultClaim) -> str:
        """What stands instead of something."""
        return self.text[slice(*cell.span)]

    def line(self, offset: int) -> int:
        """The index of the line of an offset."""
        return self.source.location(offset).line - 1

    def at(self, cell: Entry | ResultClaim) -> int:
        """In which place of its line something begins, from 0."""
        return self.source.location(cell.span.start).column - 1

    def lines(self, first: int, last: int) -> list[str]:
        """The texts of some lines, without their ends."""
        return [self.text[slice(*self.source.lines[at])] for at in range(first, last)]

    # --- the header -----------------------------------------------------------------------------

    def header(self, right: Match) -> Iterator[Fix]:
        """The edits of the match length and of the tags that state rules."""
        if right.length != self.match.length:
            found = re.search(r"\d+", self.text[slice(*self.match.length_span)])
            if found is None:
                raise _Unable
            start = self.match.length_span.start
            yield Fix(Span(start + found.start(), start + found.end()), str(right.length))
        if right.rules != self.match.rules:
            for tag in missing_tags(replace(right, tags=self.match.tags)):
                yield self._tag(tag.key, tag.value)

    def _tag(self, key: str, value: str) -> Fix:
        """A tag with another value, or in a line of its own above the match length."""
        stands = self.match.find_tag(key)
        if stands is not None:
            inside = self.text[slice(*stands.span)].rfind(stands.value) if stands.value else -1
            if inside < 0:
                raise _Unable
            start = stands.span.start + inside
            return Fix(Span(start, start + len(stands.value)), value)
        line = self.source.lines[self.line(self.match.length_span.start)]
        if not re.match(r"\s*\d+ point match", self.text[slice(*line)]):
            raise _Unable
        return Fix(Span(line.start, line.start), f'; [{key} "{value}"]{self.end}')

    # --- games ----------------------------------------------------------------------------------

    def games(self, right: Match) -> Iterator[Fix]:
        """The edits of the games, of which some may be gone or stand in another order."""
        places = {_heading_spans(game): at for at, game in enumerate(self.match.games)}
        order = [places[_heading_spans(game)] for game in right.games if _heading_spans(game) in places]
        if len(order) < len(right.games) or len(places) < len(self.match.games):
            raise _Unable
        edits = {at: [*self._game(at, game)] for at, game in zip(order, right.games, strict=True)}
        if order == [*range(len(self.match.games))]:
            for some in edits.values():
                yield from some
            return
        blocks = self._blocks()
        stand = [self.text[slice(*block)] for block in blocks]
        made = [self._edited(blocks[at], edits[at]).rstrip() for at in order]
        tails = [text[len(text.rstrip()) :] for text in stand]
        first = next(
            (at for at, (one, two) in enumerate(zip(order, range(len(blocks)), strict=False)) if one != two), len(order)
        )
        for at in order[:first]:
            yield from edits[at]
        last = blocks[-1].start + len(stand[-1].rstrip())
        start = blocks[first].start
        if first == len(order):  # only the last games are gone
            start = blocks[first - 1].start + len(stand[first - 1].rstrip())
        between = tails[0]
        yield narrowed(self.text, Span(start, last), between.join(made[first:]))

    def _blocks(self) -> list[Span]:
        """The text of each game, from the line of its heading on."""
        starts = []
        for game in self.match.games:
            place = game.heading if game.heading.end else game.score_span
            if place.end <= place.start:
                raise _Unable
            starts.append(self.source.lines[self.line(place.start)].start)
        last = self.match.games[-1]
        end = max([each.span.end for each in (*last.entries, *last.results)], default=last.score_span.end)
        if sorted(starts) != starts:
            raise _Unable
        return [*map(Span, starts, starts[1:]), Span(starts[-1], end)]

    def _edited(self, block: Span, edits: Iterable[Fix]) -> str:
        text, at = "", block.start
        for fix in sorted(edits, key=lambda fix: fix.span):
            text += self.text[at : fix.span.start] + fix.text
            at = fix.span.end
        return text + self.text[at : block.end]

    def _game(self, index: int, right: Game) -> Iterator[Fix]:
        game = self.match.games[index]
        if right.number != game.number and right.number is not None:
            found = re.search(r"\d+", self.text[slice(*game.heading)])
            if found is None:
                raise _Unable
            start = game.heading.start
            yield Fix(Span(start + found.start(), start + found.end()), str(right.number))
        if (right.score, right.left) != (game.score, game.left):
            yield self._score(game, right)
        if any(getattr(right, each) != getattr(game, each) for each in ("entries", "results", "left", "comments")):
            yield from _GameTable(self, game, right).edits()

    def _score(self, game: Game, right: Game) -> Fix:
        span = game.score_span
        found = _SCORES.fullmatch(self.text[slice(*span)])
        if found is None or right.score is None:
            raise _Unable
        one, colon, first, _, two, other_colon, second = found.groups()
        width = len("".join(found.groups()[:4]))
        if right.left != game.left:
            one, two = two, one
        if right.score != game.score or right.left != game.left:
            first, second = str(right.score[right.left]), str(right.score[1 - right.left])
        left = f"{one}{colon}{first}"
        return narrowed(self.text, span, left.ljust(max(width, len(left) + 2)) + f"{two}{other_colon}{second}")

    # --- words ----------------------------------------------------------------------------------

    def play(self, text: PlayText, player: int) -> str:
        """A play as this text would write it."""
        flip = self.fixed and player == 1
        hops = [
            Hop(mirrored(start), mirrored(end), end in group.hits) if flip else Hop(start, end, end in group.hits)
            for group in text.hops
            for start, end in group.legs
        ]
        return self.dialect.play(hops, "fixed" if flip else "words")

    def _play_or_dance(self, play: CheckerPlay) -> str:
        text = self.play(play.text, play.player) if play.text.hops else self.dialect.dance
        return f" {text}" if text else ""

    def new(self, entry: Entry) -> str:
        """The text of a cell that does not stand yet."""
        if isinstance(entry, CheckerPlay):
            assert entry.dice is not None
            return f"{entry.dice[0]}{entry.dice[1]}:{self._play_or_dance(entry)}"
        word = cube_word(entry)
        if word is None:
            raise _Unable
        alike = (each for game in self.match.games for each in game.entries if cube_word(each) == word)
        stands = next((self.replacement(each).split()[0] for each in alike), word)
        return cube_cell(entry, getattr(entry, "value", None), stands)

    def changed(self, stands: Entry, right: Entry) -> str:
        """The text of a cell that is to say something else."""
        said = self.replacement(stands)
        if isinstance(stands, CheckerPlay) and isinstance(right, CheckerPlay):
            return self._other_play(said, stands, right)
        if type(stands) is type(right) and (value := getattr(right, "value", None)) is not None:
            return re.sub(r"\d+", str(value), said, count=1) if re.search(r"\d", said) else f"{said} => {value}"
        new = self.new(right)
        if said[:1].isalpha() and new[:1].isalpha():
            if said.isupper():
                return new.upper()
            if said.islower():
                return new.lower()
        return new

    def _other_play(self, text: str, stands: CheckerPlay, right: CheckerPlay) -> str:
        roll = _ROLL.match(text)
        if roll is None or right.dice is None:
            return self.new(right)
        digits = "".join(map(str, right.dice))
        if right.text == stands.text:
            return digits + text[2:]
        at = stands.text_at - stands.span.start
        hops = [(hop.points, hop.count) for hop in stands.text.hops]
        if right.dice == stands.dice and hops == [(hop.points, hop.count) for hop in right.text.hops]:
            pairs = zip(reversed(stands.text.hops), reversed(right.text.hops), strict=True)
            for hop, one in pairs:  # only stars differ
                if one.stars != hop.stars:
                    said = self.play(replace(right.text, hops=(one,)), right.player)
                    text = text[: at + hop.start] + said + text[at + hop.end :]
            return text
        if right.dice == stands.dice and (place := _one_hop(stands.text, right.text)) is not None:
            index, other = place
            group = stands.text.hops[index]
            said = self.play(replace(right.text, hops=(right.text.hops[other],)), right.player)
            return text[: at + group.start] + said + text[at + group.end :]
        return f"{digits}{roll[0][2:]}{self._play_or_dance(right)}"

    def claim(self, stands: ResultClaim, right: ResultClaim) -> str:
        """The text of a result that is to state other points."""
        said = self.replacement(stands)
        if right.points == stands.points:
            return said
        found = _POINTS.search(said)
        if found is None or right.points is None:
            raise _Unable
        word = re.sub(r"(?i)s$", "", found[2] or "")
        plural = "s" if word and right.points != 1 and self.dialect.plural else ""
        return f"{said[: found.start()]}{right.points}{word}{plural}{said[found.end() :]}"


class _GameTable:
    """The rows of a game."""

    def __init__(self, sheet: _RenderedText, game: Game, right: Game) -> None:
        self.sheet, self.game, self.right = sheet, game, right
        self.columns, self.remarks = self._columns(), new_remarks(game, right)
        self.claims = {claim.span: claim for claim in right.results if claim.span.end > claim.span.start}
        self.written: set[Span] = set()
        self.cells: dict[int, list[Entry | ResultClaim]] = defaultdict(list)
        seen = set()
        for each in sorted((*game.entries, *game.results), key=lambda each: each.span):
            if each.span.end <= each.span.start:
                raise _Unable
            if each.span not in seen:
                seen.add(each.span)
                self.cells[sheet.line(each.span.start)].append(each)

    def _columns(self) -> list[int]:
        """Where the rolls of each column begin, from 0."""
        found: list[int] = []
        for games in ((self.game,), self.sheet.match.games):
            count: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
            for game in games:
                for entry in game.entries:
                    if isinstance(entry, CheckerPlay) and entry.span.end:
                        count[entry.player != game.left][self.sheet.at(entry)] += 1
            if not found:
                found = [max(each, key=each.__getitem__, default=0) for each in count]
            found = [now or max(each, key=each.__getitem__, default=0) for now, each in zip(found, count, strict=True)]
        left = found[0] or max(found[1] - _WIDTH, 5)
        return [left, found[1] or left + _WIDTH]

    def edits(self) -> Iterator[Fix]:
        """The edits of these rows, the result below them included."""
        if not self.cells:
            raise _Unable
        first, last = min(self.cells), max(self.cells)
        # A result that stands nowhere belongs after the last row.
        made = [*self._lines(first, last)]
        yield from self._stretches(first, last, made)

    def _stretches(self, first: int, last: int, made: list[str]) -> Iterator[Fix]:
        stand = self.sheet.lines(first, last + 1)
        while made and stand and made[0] == stand[0]:
            del made[0], stand[0]
            first += 1
        while made and stand and made[-1] == stand[-1]:
            del made[-1], stand[-1]
            last -= 1
        lines = self.sheet.source.lines
        if len(made) == len(stand):
            for at, (one, two) in enumerate(zip(stand, made, strict=True)):
                if one != two:
                    yield narrowed(self.sheet.text, lines[first + at], two)
        elif not stand:
            yield Fix(Span(lines[last].end, lines[last].end), "".join(f"{self.sheet.end}{line}" for line in made))
        elif made:
            yield narrowed(self.sheet.text, Span(lines[first].start, lines[last].end), self.sheet.end.join(made))
        else:
            yield Fix(Span(lines[first - 1].end, lines[last].end), "")

    # --- rows -----------------------------------------------------------------------------------

    def _lines(self, first: int, last: int) -> Iterator[str]:
        """The lines of the game as they should stand."""
        stands = {each.span: each for each in self.game.entries}
        moved = False
        number: int | None = None
        row: list[_WrittenCell] = []
        at = first
        entries = [*self._written(stands)]
        place = 0
        while place < len(entries):
            # Whole lines stay whole, as long as nothing before them has moved within its row.
            kept = self._kept(at, entries, place) if at <= last else None
            if kept:
                for line in range(at, kept[0]):
                    if self._has_entries(line):
                        moved = True
                        self._is_alone(line)
                    yield from self._other(line)
                cells, place, at = entries[place : kept[1]], kept[1], kept[0] + 1
                text = self._whole(kept[0], cells)
                if moved:
                    text = _renumbered(text, self._number([], number, first))
                found = _LABEL.match(text)
                number = int(found[1]) if found else number
                yield from _remarks(cells)
                yield text
                continue
            moved = True
            row = [entries[place]]
            place += 1
            if (
                place < len(entries)
                and row[0].column == 0
                and entries[place].column == 1
                and (
                    (row[0].stands is None and self._has_empty_cell(entries[place]))
                    or self._kept(self._line_of(entries[place]), entries, place) is None
                )
            ):
                row.append(entries[place])
                place += 1
            old = [self._line_of(cell) for cell in row if cell.stands is not None]
            for line in old:
                self._is_alone(line)
            until = max([at - 1, *old])
            for line in range(at, until + 1):
                if self._has_entries(line):
                    self._is_alone(line)
                else:
                    yield from self._other(line)
            at = max(at, until + 1)
            number = self._number(old, number, first)
            yield from _remarks(row)
            yield self._row(number, row)
        for line in range(at, last + 1):
            if self._has_entries(line):
                self._is_alone(line)
            yield from self._other(line)
        yield from (f"; {each.text}" for each in self.remarks.get(len(self.right.entries), ()))
        for claim in self.right.results:
            if claim.span in self.written:
                continue
            margin = " " * (self.columns[claim.player != self.right.left] + _INDENT)
            if claim.span.end > claim.span.start:
                yield margin + self.sheet.claim(self._stands(claim), claim)
            else:
                yield f"{margin}Wins {self.sheet.dialect.points(claim.points or 0)}"

    def _stands(self, claim: ResultClaim) -> ResultClaim:
        return next(each for each in self.game.results if each.span == claim.span)

    def _stays(self, stands: ResultClaim) -> bool:
        """Whether a result stays in its column; one that moves is written below the rows."""
        right = self.claims.get(stands.span)
        if right is None:
            return False
        return not stands.column_speaks or (right.player != self.right.left) == (stands.player != self.game.left)

    def _written(self, stands: dict[Span, Entry]) -> Iterator[_WrittenCell]:
        seen: set[Span] = set()
        for number, entry in enumerate(self.right.entries):
            remarks = self.remarks.get(number, ())
            column = int(entry.player != self.right.left)
            old = stands.get(entry.span) if entry.span.end > entry.span.start else None
            if old is None:
                yield _WrittenCell(
                    column, self.sheet.new(entry), 0 if isinstance(entry, CheckerPlay) else _INDENT, None, remarks
                )
                continue
            if old.span in seen:
                continue
            seen.add(old.span)
            first = next(each for each in self.game.entries if each.span == old.span)
            if type(first) is not type(entry) and first is not old:
                raise _Unable
            old = first
            text = self.sheet.replacement(old) if _says_same(old, entry) else self.sheet.changed(old, entry)
            indent = self.sheet.at(old) - self.columns[old.player != self.game.left]
            yield _WrittenCell(column, text, max(indent, 0), old, remarks)

    def _line_of(self, cell: _WrittenCell) -> int:
        return -1 if cell.stands is None else self.sheet.line(cell.stands.span.start)

    def _kept(self, at: int, entries: Sequence[_WrittenCell], index: int) -> tuple[int, int] | None:
        """The line, and behind which cell it ends, where the next cells are all of a line, in their columns."""
        line = self._line_of(entries[index])
        if line < max(at, 0):
            return None
        inside = [each for each in self.cells[line] if not isinstance(each, ResultClaim)]
        cells = entries[index : index + len(inside)]
        if [cell.stands for cell in cells] != inside:
            return None
        if any(cell.column != (each.player != self.game.left) for cell, each in zip(cells, inside, strict=True)):
            return None
        after = entries[index + 1 : index + 2]
        if len(self.cells[line]) == 1 and cells[0].column == 0 and after and after[0].column and not after[0].stands:
            return None  # what nobody wrote belongs in the empty cell beside it
        return line, index + len(inside)

    def _has_empty_cell(self, cell: _WrittenCell) -> bool:
        """Whether a cell of the right column stands alone in its line, so that there is room beside it."""
        return cell.stands is not None and len(self.cells[self._line_of(cell)]) == 1 and cell.column == 1

    def _whole(self, line: int, cells: Sequence[_WrittenCell]) -> str:
        """A line with the same cells, of which some say something else."""
        text, start = self.sheet.lines(line, line + 1)[0], self.sheet.source.lines[line].start
        edits = [(cell.stands.span, cell.text) for cell in cells if cell.stands is not None]
        for each in self.cells.get(line, ()):
            if isinstance(each, ResultClaim):
                stays = self._stays(each)
                if stays:
                    self.written.add(each.span)
                edits.append((each.span, self.sheet.claim(each, self.claims[each.span]) if stays else ""))
        for span, said in sorted(edits, reverse=True):
            if said != self.sheet.text[slice(*span)]:
                text = _put(text, span.start - start, span.end - start, said)
        return text

    def _has_entries(self, line: int) -> bool:
        return any(not isinstance(each, ResultClaim) for each in self.cells.get(line, ()))

    def _other(self, line: int) -> Iterator[str]:
        """A line that holds no entry, as it stands, but for a result on it."""
        if self._has_entries(line):
            return
        claims = [each for each in self.cells.get(line, ()) if isinstance(each, ResultClaim)]
        if all(self._stays(each) for each in claims):
            yield self._whole(line, ())

    def _is_alone(self, line: int) -> None:
        """Nothing but its label and its cells may stand in a row that is rewritten."""
        text, start = self.sheet.lines(line, line + 1)[0], self.sheet.source.lines[line].start
        for each in sorted(self.cells[line], key=lambda each: each.span, reverse=True):
            text = text[: each.span.start - start] + text[each.span.end - start :]
        if _LABEL.sub("", text).strip(" \t:"):
            raise _Unable

    def _number(self, old: Sequence[int], before: int | None, first: int) -> int | None:
        if before is not None:
            return before + 1
        found = _LABEL.match(self.sheet.lines(*((old[0], old[0] + 1) if old else (first, first + 1)))[0])
        return int(found[1]) if found else None

    def _row(self, number: int | None, row: Sequence[_WrittenCell]) -> str:
        label = _LABEL.match(self.sheet.lines(min(self.cells), min(self.cells) + 1)[0])
        width = len(label[0]) if label else 0
        text = "" if number is None else f"{number})".rjust(width)
        for cell in row:
            text = f"{text} ".ljust(self.columns[cell.column] + cell.indent) + cell.text
        return text


def _remarks(cells: Iterable[_WrittenCell]) -> Iterator[str]:
    """The lines of the remarks on some cells."""
    return (f"; {each.text}" for cell in cells for each in cell.remarks)


def _heading_spans(game: Game) -> tuple[Span, Span, Span]:
    return game.heading, game.score_span, game.entries[0].span if game.entries and not game.heading.end else Span(0, 0)


def _says_same(one: Entry, two: Entry) -> bool:
    return replace(one, annotation=None, player=0, row=None) == replace(two, annotation=None, player=0, row=None)


def _one_hop(stands: PlayText, right: PlayText) -> tuple[int, int] | None:
    """Which hop of a play differs from those of another one, and which of those belongs there; None for more."""
    if len(stands.hops) != len(right.hops) or any(len(hop.points) != 2 or hop.count != 1 for hop in stands.hops):
        return None
    left = [hop.points for hop in right.hops]
    wrong = []
    for index, hop in enumerate(stands.hops):
        if hop.points in left:
            left.remove(hop.points)
        else:
            wrong.append(index)
    if len(wrong) != 1:
        return None
    return wrong[0], next(at for at, hop in enumerate(right.hops) if hop.points == left[0])


def _put(line: str, start: int, end: int, text: str) -> str:
    """A line with other words in a place; the blanks before the next cell take up the difference."""
    longer = len(text) - (end - start)
    gap = _GAP.search(line, end) if longer else None
    if gap is None:
        return (line[:start] + text + line[end:]).rstrip() if not text else line[:start] + text + line[end:]
    blanks = " " * max(2, gap.end() - gap.start() - longer)
    return line[:start] + text + line[end : gap.start()] + blanks + line[gap.end() :]


def _renumbered(line: str, number: int | None) -> str:
    found = _LABEL.match(line)
    if found is None or number is None or int(found[1]) == number:
        return line
    return f"{number})".rjust(len(found[0])) + line[found.end() :]


def narrowed(text: str, span: Span, words: str) -> Fix:
    """The edit that writes something in a place, without the words at both ends that stand there already."""
    stands = text[slice(*span)]
    most = min(len(stands), len(words))
    same = next((at for at in range(most) if stands[at] != words[at]), most)
    while same and not (stands[same - 1].isspace() and words[same - 1].isspace()):
        same -= 1
    tail = next((at for at in range(most - same) if stands[-1 - at] != words[-1 - at]), most - same)
    if stands.split() == words.split():
        tail = 0  # an edit that only moves words names all that it moves
    while tail and not (stands[len(stands) - tail].isspace() and words[len(words) - tail].isspace()):
        tail -= 1
    return Fix(Span(span.start + same, span.end - tail), words[same : len(words) - tail])
