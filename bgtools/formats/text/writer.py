"""Writing a match as books and letters print it: rows of two columns, and between them the remarks as prose.

A row is cut in two where a remark follows its left cell. A remark that a reader would take for a row or a heading is
written behind semicolons.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bgtools.formats.mat.dialects import Dialect
from bgtools.formats.mat.writer import MatWriter, RowBuffer, comment_lines, result_words
from bgtools.formats.text.sentences import ResultWords, read_result
from bgtools.formats.text.translation import is_plain_prose
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, Take

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.perspective import Player
    from bgtools.record.record import Comment, Game, Match, ResultClaim
    from bgtools.replayer.turn import Turn

_ANNOTATED: Final = Dialect(name="annotated", bar="bar", off="off", merge=True, dance="no move", width=30, names=38)
_EMPTY: Final = ". . ."
_BLANK_LINES: Final = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")


def write(matches: tuple[Match, ...], _dialect: str = "") -> bytes:
    """The bytes of a file that holds some matches."""
    return "\n".join("\n".join([*_AnnotatedWriter(match, _ANNOTATED).lines(), ""]) for match in matches).encode()


class _AnnotatedWriter(MatWriter):
    def _start(self, record: Game) -> Iterator[str]:
        yield from super()._start(record)
        yield ""

    def _buffer(self, record: Game) -> RowBuffer:
        return _Rows(self.dialect, names=self.match.players)

    def _cell(self, turn: Turn) -> str:
        cell = super()._cell(turn)
        if isinstance(turn.entry, CheckerPlay):
            dice, play = cell[:3], cell[3:].strip()
            hops = play if turn.play is not None and not turn.play.hops else play.replace(" ", ", ")
            return f"{dice[0]}-{dice[1:]} {hops}".rstrip()
        match turn.entry:
            case Double():
                return cell.strip().replace("Doubles =>", "Double to")
            case Beaver():
                return cell.split("=>", maxsplit=1)[0].strip().removesuffix("s")
            case Take() | Drop():
                return "Take" if isinstance(turn.entry, Take) else "Pass"
            case _:
                return cell.strip().replace("=>", "to")


@dataclass(slots=True)
class _Rows(RowBuffer):
    """The rows of a game, with prose between them."""

    names: tuple[str, str] = ("", "")
    is_cut: bool = False
    """Whether the row that fills is the second half of one that a remark has cut."""

    def remark(self, comment: Comment) -> None:
        is_cut = self.left is not None and self.right is None
        self._end_row()
        self.is_cut = is_cut
        paragraphs = [each for each in _BLANK_LINES.split(comment.text) if each.strip()]
        lines = [line.rstrip() for each in paragraphs for line in ("", *each.strip().splitlines())]
        if not all(map(is_plain_prose, filter(None, lines))):
            lines = ["", *comment_lines(comment)]
        if self.done and not self.done[-1]:
            lines = lines[1:]
        self.done += [*lines, ""]

    def result(self, player: Player, claim: ResultClaim) -> None:
        name = " ".join(self.names[player].split())
        self._end_row()
        if claim.won and claim.points is not None and self.names[0].casefold() != self.names[1].casefold():
            sentence = f"{name} wins {self.dialect.points(claim.points)}{' and the match' * claim.match}."
            if read_result(sentence) == ResultWords(name, True, False, None, claim.points, claim.match):
                self.done += ["", sentence]
                return
        self.done.append(f"{' ' * (self.dialect.width + 7 if player else 6)}{result_words(claim, self.dialect)}")

    def _end_row(self) -> None:
        if self.left is None and self.right is None:
            return
        if self.is_cut and self.left is None:
            self.number -= 1
        left = self.left if self.left is not None else _EMPTY
        self.done.append(f"{self.number:3d}. {left:<{self.dialect.width}} {self.right or ''}".rstrip())
        self.left = self.right = None
        self.is_cut = self.can_take_result = False
