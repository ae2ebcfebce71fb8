"""Match text: from the rows of a game to its entries and results, in the order in which they happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bgtools.board.movement import find_play
from bgtools.board.perspective import Player, other
from bgtools.board.play import PlayText
from bgtools.findings import codes
from bgtools.findings.finding import quoted
from bgtools.formats.mat import cells
from bgtools.formats.mat.alike import in_digits, lettered, misspelt, word_at
from bgtools.formats.mat.cells import DICE
from bgtools.formats.mat.layout import ColumnGuess, Columns, Pair, RawCell, Row, made
from bgtools.formats.shared.behind import is_said, keep_behind
from bgtools.record.record import Beaver, Double, ResultClaim, Take, checker_play
from bgtools.source import Span

if TYPE_CHECKING:
    from bgtools.formats.mat.draft import MatGame


_NOTHING_ROLLED: Final = (0, 0)
"""The dice that a record writes where a player left without rolling."""


class Assembly:
    """Turns the rows of one game into entries and results."""

    def __init__(self, game: MatGame, columns: Columns) -> None:
        self.game = game
        self.sides = (game.left, other(game.left))
        self.columns = columns
        self.entries = game.entries

    def run(self) -> None:
        """Read all rows. A row that was read is let go, for it takes as much memory as what it says."""
        expected = 1
        half: int | None = None  # the number of a row whose right cell has not come yet
        rows = self.game.rows
        rows.reverse()
        while rows:
            row = rows.pop()
            number, label, stray = row.number, row.label, row.stray
            if stray is not None:
                self.game.report(codes.STRAY_TEXT, stray, "this is not a roll, cube action or result; it is left out")
            if number is not None:
                is_cut = number == half and len(row.cells) == 1 and self.columns.guess(row).right
                if number != expected and row.cells and not _is_renumbered_result(row) and not is_cut:
                    assert label is not None
                    told = f"row {number} stands where row {expected} would follow"
                    self.game.report(codes.ROW_NUMBERS, label, told)
                expected = number + 1
                half = number if len(row.cells) == 1 and not is_cut else None
            elif label is not None:
                expected += 1
            if isinstance(row, Pair) and self.columns.is_nearer_left(row.left_column):
                self._pair(row)
            else:
                self._row(row)

    def _pair(self, row: Pair) -> None:
        """The two cells of a row, each in its column."""
        _, number, _, _, left, left_at, left_says, left_column, right, right_at, right_says, right_column = row
        one, two = self.sides
        for player, text, at, says, column in (
            (one, left, left_at, left_says, left_column),
            (two, right, right_at, right_says, right_column),
        ):
            if isinstance(says, cells.RollCell):
                dice, played, conceded = says
                if not conceded and dice != _NOTHING_ROLLED:
                    # Nearly all cells are such rolls.
                    span = made(Span, (at, at + len(text)))
                    self.entries.append(checker_play(player, dice, played, span, number))
                    continue
            self._cell(RawCell(text, at, says, column), player, row)

    def _row(self, row: Row | Pair) -> None:
        """The cells of a row. A lone cell is in the column of its place; of several, the first is usually the left."""
        if not row.cells:
            return
        acts = [not isinstance(cell.says, cells.ResultCell | cells.ResignCell) for cell in row.cells]
        place = self.columns.guess(row)
        lone = len(row.cells) == 1 or (acts[0] and sum(acts) == 1)
        first = int(place.right) if lone or (place.right and place.sure and acts[0]) else 0
        # Results stand anywhere. Where nothing keeps the columns apart, the place of a result does not name a player.
        speaks = place.right or self.columns.kept
        if lone and acts[0]:
            first = self._column_of(row, place)
        says = row.cells[0].says
        following = [each for each in self.game.rows[-1:] if each.cells and _is_result(each.cells[0].says)]
        is_lost = isinstance(says, cells.ResultCell) and not says.won
        is_answered = any(self.columns.guess(each).right != place.right for each in following)
        if lone and row.label is None and is_lost and self.entries and not is_answered:
            # Backgammon Galaxy breaks the line before the resignation of the player who has just rolled.
            first = self.sides.index(self.entries[-1].player)
        for index, cell in enumerate(row.cells):
            if index >= 2 or (acts[index] and index + first >= 2):
                told = "a row holds a left and a right cell; this is one more"
                self.game.report(codes.EXTRA_CELL, cell.span, told)
            at = (index + first) % 2 if acts[index] else min(index + first, 1) if index < 2 else index % 2
            self._cell(cell, self.sides[at], row, speaks=speaks)

    def _column_of(self, row: Row | Pair, guess: ColumnGuess) -> int:
        """The column of a roll or cube action that stands alone, by its place or else by the order of turns."""
        turn = None if guess.sure else self._turn_of(row)
        if guess.sure or turn == guess.right:
            return int(guess.right)
        at = int(guess.right) if turn is None else turn
        name = ("left", "right")[at]
        why = "as it stands" if turn is None else "whose turn it is"
        self.game.report(
            codes.UNSURE_COLUMN,
            row.cells[0].span,
            f"nothing shows in which column this stands; it is read as the {name} player's, {why}",
            self.sides[at],
        )
        return at

    def _turn_of(self, row: Row | Pair) -> int | None:
        """The column of the player who is to act, by the entry before a row, or the row below the first."""
        last = self.entries[-1] if self.entries else None
        says = row.cells[0].says
        answers = isinstance(says, cells.CubeCell) and says.action not in ("double", "automatic")
        if last is None:
            following = self.game.rows[-1:]
            begins = not answers and any(isinstance(each, Pair) for each in following)
            return 1 if begins and isinstance(following[0].cells[0].says, cells.RollCell) else None
        if answers != isinstance(last, Double) and not isinstance(last, Beaver):
            return None
        return self.sides.index(other(last.player))

    def _cell(self, raw: RawCell, player: Player, row: Row | Pair, *, speaks: bool = True) -> None:
        match raw.says:
            case cells.RollCell() as cell:
                self._roll(cell, raw, player, row)
            case cells.CubeCell("double", value):
                self.game.add(Double(value=value, player=player, row=row.number, span=raw.span))
            case cells.CubeCell("beaver" | "raccoon" as action, value):
                self.game.beaver(player, raw.span, value, raccoon=action == "raccoon", row=row.number)
            case cells.CubeCell("automatic", value):
                self.game.automatic(player, raw.span, value, row=row.number)
            case cells.CubeCell("take"):
                self.game.add(Take(player=player, row=row.number, span=raw.span))
            case cells.CubeCell("drop"):
                self.game.drop(player, raw.span, row=row.number)
            case cells.ResignCell(match):
                self.game.resign(player, raw.span, match=match, row=row.number)
            case cells.ResultCell(won, points, match):
                # A row has two columns; a further cell shows nothing about them.
                alone = not any(isinstance(each.says, cells.RollCell) for each in row.cells[:3] if each is not raw)
                self.game.results.append(
                    ResultClaim(
                        player=player,
                        won=won,
                        points=points,
                        match=match,
                        column_speaks=alone and speaks,
                        row=row.number,
                        span=raw.span,
                    )
                )
            case cells.Unreadable() as trouble:
                self._unreadable(trouble, raw, player, row)

    def _roll(self, cell: cells.RollCell, raw: RawCell, player: Player, row: Row | Pair) -> None:
        dice, text, conceded = cell
        rolled = dice != _NOTHING_ROLLED or text.kind == "moves"
        if rolled:
            span = made(Span, (raw.start, raw.start + len(raw.text)))
            self.entries.append(checker_play(player, dice, text, span, row.number))
        if conceded or not rolled:
            self.game.resign(player, raw.span, row=row.number)

    def _unreadable(self, trouble: cells.Unreadable, raw: RawCell, player: Player, row: Row | Pair) -> None:
        digits = in_digits(raw.text)
        says = cells.parse_cell(digits)
        if digits != raw.text and not isinstance(says, cells.Unreadable):
            self.game.match.add_finding(lettered(raw.text, digits, raw.span.start, self.game.number))
            self._cell(RawCell(digits, raw.start, says, raw.column), player, row)
            return
        if (right := word_at(raw.text, 0)) is not None:
            word = raw.text.split(maxsplit=1)[0]
            says = cells.parse_cell(right + raw.text[len(word) :])
            if not isinstance(says, cells.Unreadable):
                self.game.match.add_finding(misspelt(word, right, raw.span.start, self.game.number))
                self._cell(raw._replace(says=says), player, row)
                return
        if self._is_played(raw, player, row):
            return
        at = raw.span.start + trouble.at
        found = f"{quoted(trouble.found)} is not" if trouble.found else "the cell ends where there should be"
        expected = " or ".join(trouble.expected[:3]) or "anything known here"
        span = Span(at, max(at + len(trouble.found), at + 1)) if trouble.found else Span(max(at - 1, 0), at)
        self.game.report(codes.UNREADABLE_CELL, span, f"{found} {expected}", player)
        if DICE.match(raw.text) is None:
            self.game.mark(raw.span)
        else:
            # The roll keeps its place in the order of turns; its play is not known.
            dice, text = (int(raw.text[0]), int(raw.text[1])), PlayText("unreadable", dump=raw.text[3:].strip())
            self.entries.append(checker_play(player, dice, text, raw.span, row.number))

    def _is_played(self, raw: RawCell, player: Player, row: Row | Pair) -> bool:
        """Whether a cell begins with a play that the rules allow, and nothing behind it can be a part of a play."""
        says, rest = cells.beginning(raw.text) or (None, "")
        if not isinstance(says, cells.RollCell) or not is_said(rest, complete=True):
            return False
        if find_play(self.game.state.board(player), says.dice, says.text.hops) is None:
            return False
        begin = raw.text[: len(raw.text) - len(rest)].rstrip()
        self._roll(says, raw._replace(text=begin), player, row)
        span = Span(raw.span.end - len(rest.lstrip()), raw.span.end)
        keep_behind(self.game, rest.lstrip(), span)
        self.game.comments.sort(key=lambda each: each.span)
        return True


def _is_renumbered_result(row: Row | Pair) -> bool:
    """Whether the row's number need not fit: Backgammon Studio gives the row of a result any number."""
    return all(_is_result(cell.says) for cell in row.cells)


def _is_result(says: cells.Cell | cells.Unreadable) -> bool:
    return isinstance(says, cells.ResultCell | cells.ResignCell)
