"""Rows of match text rewritten, with their turns in another order or in other columns."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from bgtools.findings.finding import Fix
from bgtools.record.record import CheckerPlay
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.board.perspective import Player
    from bgtools.record.record import Entry, Match
    from bgtools.replayer.turn import GameReplay
    from bgtools.source import Source

_LABEL: Final = re.compile(r"[^\S\r\n]*(\d+)\)")


@dataclass(frozen=True, slots=True)
class CellText:
    """What is to stand in a cell: whose turn, its text, and how far in from the column of their rolls it begins."""

    player: Player
    text: str
    indent: int = 0


class GameRows:
    """The rows of a game of match text."""

    def __init__(self, source: Source, game: GameReplay, match: Match) -> None:
        """Measure where the columns of a game begin, or those of the match where the game has too few rolls."""
        self.source = source
        self.entries = game.game.entries
        self.results = game.game.results
        self.columns = self._columns(self.entries)
        if not all(self.columns):
            self.columns = self._columns(chain.from_iterable(each.entries for each in match.games))

    def _columns(self, entries: Iterable[Entry]) -> list[int]:
        """Where most rolls of each player begin; 0 where there is none."""
        found: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
        for entry in entries:
            if isinstance(entry, CheckerPlay):
                found[entry.player][self._column(entry)] += 1
        return [max(each, key=each.__getitem__, default=0) for each in found]

    def cell(self, player: Player, entry: Entry, stands: Player) -> CellText:
        """An entry as the cell of a player; ``stands`` is whose column it is in now."""
        return CellText(player, self.source.text[slice(*entry.span)], self._column(entry) - self.columns[stands])

    def result(self, winner: Player | None) -> CellText | None:
        """The result as a cell, where it is in the last row beside an entry; in the column of the winner."""
        if len(self.results) != 1 or not self.entries or winner is None:
            return None
        claim = self.results[0]
        if self._line(claim.span.start) != self._line(self.entries[-1].span.start):
            return None
        player = winner if claim.column_speaks else claim.player
        return CellText(player, self.source.text[slice(*claim.span)], 1)

    def whole(self, first: int, last: int) -> tuple[int, int]:
        """The numbers of the first and the last entry of the rows in which two entries stand."""
        rows = [entry.row for entry in self.entries]
        while first and rows[first - 1] == rows[first] and rows[first] is not None:
            first -= 1
        while last + 1 < len(rows) and rows[last + 1] == rows[last] and rows[last] is not None:
            last += 1
        return first, last

    def again(self, first: int, last: int, cells: Sequence[CellText]) -> Fix | None:
        """The rows of these entries written with other cells; None where they hold anything else, or are not rows."""
        places = [entry.span for entry in self.entries[first : last + 1]]
        if not all(self.columns) or any(span.end <= span.start for span in places):
            return None
        numbers = range(self._line(min(places).start), self._line(max(places).start) + 1)
        labels = [_LABEL.match(self.source.line_text(number)) for number in numbers]
        if not all(labels) or not self._are_alone(numbers, first, last):
            return None
        texts = [label[0] for label in labels if label]
        rows = _rows(cells)
        while len(texts) < len(rows):
            number = re.search(r"\d+", texts[-1])
            assert number
            texts.append(f"{int(number[0]) + 1}".rjust(len(texts[-1]) - 1) + ")")
        lines = self.source.lines[numbers[0] - 1 : numbers[-1]]
        end = "\r\n" if "\r\n" in self.source.text else "\n"
        made = end.join(self._row(label, row) for label, row in zip(texts, rows, strict=False))
        stands = self.source.text[lines[0].start : lines[-1].end]
        kept = next((at for at, (one, two) in enumerate(zip(made, stands, strict=False)) if one != two), 0)
        kept -= len(made[:kept].split(" ")[-1])  # a word is replaced as a whole
        return _without_tail(Fix(Span(lines[0].start + kept, lines[-1].end), made[kept:]), stands[kept:])

    def _are_alone(self, numbers: range, first: int, last: int) -> bool:
        """Whether some lines hold these entries and nothing else, except perhaps the result."""
        inside = [entry for entry in self.entries if self._line(entry.span.start) in numbers]
        if inside != list(self.entries[first : last + 1]):
            return False
        start, end = self.source.lines[numbers[0] - 1].start, self.source.lines[numbers[-1] - 1].end
        results = [claim.span for claim in self.results if self._line(claim.span.start) in numbers]
        for span in sorted((*(entry.span for entry in inside), *results), reverse=True):
            end, text = span.start, self.source.text[span.end : end]
            if _LABEL.sub("", text).strip():
                return False
        return not _LABEL.sub("", self.source.text[start:end]).strip()

    def _row(self, label: str, row: list[CellText | None]) -> str:
        text = label
        for player, cell in enumerate(row):
            if cell is not None:
                text = f"{text} ".ljust(self.columns[player] - 1 + cell.indent) + cell.text
        return text

    def _line(self, offset: int) -> int:
        return self.source.location(offset).line

    def _column(self, entry: Entry) -> int:
        return self.source.location(entry.span.start).column


def _without_tail(fix: Fix, stands: str) -> Fix:
    """A fix without the words at its end that stand there already."""
    most = min(len(stands), len(fix.text))
    same = next((at for at in range(most) if stands[-1 - at] != fix.text[-1 - at]), most)
    same = len(stands) - max(stands.find(" ", len(stands) - same), 0) if same else 0
    # A fix that only moves words stays whole.
    if not 0 < same < most or fix.text.split() == stands.split():
        return fix
    return Fix(Span(fix.span.start, fix.span.end - same), fix.text[: len(fix.text) - same])


def _rows(cells: Sequence[CellText]) -> list[list[CellText | None]]:
    """Cells put into rows, each of a left and a right cell."""
    rows: list[list[CellText | None]] = []
    for cell in cells:
        if not rows or rows[-1][1] is not None or rows[-1][cell.player] is not None:
            rows.append([None, None])
        rows[-1][cell.player] = cell
    return rows
