"""What GNU Backgammon prints of a match, read into figures by the names of its rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gnubg_judge import run_gnubg

if TYPE_CHECKING:
    from pathlib import Path

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_SECTIONS = ("Chequerplay statistics", "Luck statistics", "Cube statistics", "Overall statistics")
_TITLE = 41
_COLUMN = 24
"""A row has a title of 41 characters and a column of 24 for each player."""


class Statistics:
    """Both players' figures of ``show statistics match``; player 0 is the record's.

    Attributes:
        names: of the players, in the order of the columns.
        cells: what is in the two columns, by section and title of the row.
    """

    def __init__(self, text: str) -> None:
        self.names = ("", "")
        self.cells: dict[tuple[str, str], tuple[str, str]] = {}
        section = ""
        for line in text.splitlines():
            if line.strip() in _SECTIONS:
                section = line.strip()
                continue
            title, rest = line[:_TITLE].strip(), line[_TITLE:]
            columns = rest[:_COLUMN].strip(), rest[_COLUMN:].strip()
            if title == "Player":
                self.names = columns
            elif title and columns[1]:
                self.cells[section, title] = columns

    def text(self, section: str, title: str, player: int) -> str:
        """What is in a cell."""
        return self.cells[f"{section} statistics", title][player]

    def numbers(self, section: str, title: str, player: int) -> list[float]:
        """All numbers of a cell: for an error its count, EMG and match winning chance in per cent."""
        return [float(each) for each in _NUMBER.findall(self.text(section, title, player))]


def judged_by_gnubg(folder: Path, record: bytes, *, how: str = "import mat") -> tuple[bytes, Statistics]:
    """Let GNU Backgammon analyse a match without looking ahead; its ``.sgf``, and the statistics that it prints."""
    (folder / "given").write_bytes(record)
    said = run_gnubg(
        folder,
        "set threads 1",
        f"{how} given",
        "set analysis chequerplay evaluation plies 0",
        "set analysis cubedecision evaluation plies 0",
        "analyse match",
        "save match judged.sgf",
        "show statistics match",
    )
    return (folder / "judged.sgf").read_bytes(), Statistics(said)
