"""The layouts of ``bgtools check``: how a finding is printed, and what stands around all of them."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bgtools.findings.finding import printable
from bgtools.reports import findings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match


Layout = Literal["full", "concise", "json", "csv", "sarif", "github", "gitlab", "junit"]
"""How findings are printed."""


def render(layout: Layout, finding: Finding, match: Match, paint: Callable[[str, str], str], see: str = "") -> str:
    """One finding; ``see`` is the command that draws its board, if there is one."""
    assert match.source is not None
    match layout:
        case "full":
            return findings.full(finding, match.source, paint, see) + "\n"
        case "concise":
            return findings.concise(finding, match.source)
    from bgtools.reports import findings_data

    if layout == "json":
        return findings_data.as_json(finding, match)
    if layout == "gitlab":
        return findings_data.as_gitlab(finding, match)
    return findings_data.as_sarif(finding, match) if layout == "sarif" else findings_data.as_github(finding, match)


def board_of(path: str, matches: Sequence[Match], number: int, finding: Finding) -> str:
    """The command that draws the board of a finding; "" where none would.

    Args:
        path: the file, as the user named it.
        matches: all that are in it.
        number: the index of the match that the finding is in.
        finding: what is found.
    """
    # The board can be drawn if the file can be read again and only one game has the number.
    if path == "-" or not finding.game or not finding.turn or printable(path) != path:
        return ""
    if [game.number for game in matches[number].games].count(finding.game) != 1:
        return ""
    which = f" --match {number + 1}" if len(matches) > 1 else ""
    file = f"./{path}" if path.startswith("-") else path
    return f"bgtools show {shlex.quote(file)}{which} -g {finding.game} -t {finding.turn}"


@dataclass(slots=True)
class Printer:
    """Prints findings one after the other, so that no more than one file's are held."""

    layout: Layout
    write: Callable[[str], object]
    printed: int = 0

    def open(self, heading: str = "") -> None:
        """Print what stands before all findings; ``heading`` is the first line of a table, with its line end."""
        self.write(heading)
        if self.layout in ("json", "gitlab"):
            self.write("[")
        elif self.layout == "junit":
            from bgtools.reports import findings_data

            self.write(findings_data.JUNIT_OPENING)
        elif self.layout == "sarif":
            from bgtools.reports.findings_data import sarif_opening

            self.write(sarif_opening())

    def add(self, rendered: Sequence[str]) -> None:
        """Print findings."""
        if not rendered:
            return
        if self.layout in ("json", "sarif", "gitlab"):
            before = ",\n" if self.printed else "\n"
            self.write(before + ",\n".join(rendered))
        else:
            self.write("\n".join(rendered) + "\n")
        self.printed += len(rendered)

    def close(self, problems: Sequence[tuple[str, str]]) -> None:
        """Print what stands behind all findings; ``problems`` are the files that could not be read, with reasons."""
        end = "\n" if self.printed else ""
        if self.layout in ("json", "gitlab"):
            self.write(f"{end}]\n")
        elif self.layout == "junit":
            from bgtools.reports import findings_data

            self.write(findings_data.JUNIT_CLOSING)
        elif self.layout == "sarif":
            from bgtools.reports.findings_data import sarif_closing

            self.write(f"{end}{sarif_closing(problems)}\n")
