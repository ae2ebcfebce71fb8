"""The layouts of ``bgtools check``: how a finding is printed, and what stands around all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bgtools.reports import findings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bgtools.findings import Finding
    from bgtools.record import Match


Layout = Literal["full", "concise", "json", "sarif", "github"]
"""How findings are printed."""


def render(layout: Layout, finding: Finding, match: Match, paint: Callable[[str, str], str]) -> str:
    """One finding."""
    assert match.source is not None
    match layout:
        case "full":
            return findings.full(finding, match.source, paint) + "\n"
        case "concise":
            return findings.concise(finding, match.source)
    from bgtools.reports import findings_data

    if layout == "json":
        return findings_data.as_json(finding, match)
    return findings_data.as_sarif(finding, match) if layout == "sarif" else findings_data.as_github(finding, match)


@dataclass(slots=True)
class Printer:
    """Prints findings one after the other, so that no more than one file's are held."""

    layout: Layout
    write: Callable[[str], object]
    printed: int = 0

    def open(self) -> None:
        """Print what stands before all findings."""
        if self.layout == "json":
            self.write("[")
        elif self.layout == "sarif":
            from bgtools.reports import sarif_opening

            self.write(sarif_opening())

    def add(self, rendered: Sequence[str]) -> None:
        """Print findings."""
        if not rendered:
            return
        if self.layout in ("json", "sarif"):
            before = ",\n" if self.printed else "\n"
            self.write(before + ",\n".join(rendered))
        else:
            self.write("\n".join(rendered) + "\n")
        self.printed += len(rendered)

    def close(self, problems: Sequence[tuple[str, str]]) -> None:
        """Print what stands behind all findings; ``problems`` are the files that could not be read, with reasons."""
        end = "\n" if self.printed else ""
        if self.layout == "json":
            self.write(f"{end}]\n")
        elif self.layout == "sarif":
            from bgtools.reports import sarif_closing

            self.write(f"{end}{sarif_closing(problems)}\n")
