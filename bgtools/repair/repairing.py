"""Repairing a record: by edits of its text where the fixes have places there, else by rewriting it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.repair.search import EFFORT, RepairSearch
from bgtools.repair.states import Repair, RepairRefused, check_file, select_findings

if TYPE_CHECKING:
    from bgtools.checks.settings import Policy
    from bgtools.repair.states import FileState


def repair(
    data: bytes,
    name: str,
    *,
    unsafe: bool = False,
    policy: Policy | None = None,
    effort: int = EFFORT,
) -> Repair:
    """Put a record right by the fixes that its findings offer.

    A text is changed at the places of its fixes and nowhere else: its encoding, line ends and dialect stay. A record
    in another format is rewritten by the writer of that format. Each round is replayed, and taken back where the
    record got no better by it.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        unsafe: whether fixes are made that the record does not prove. Of several readings the one is taken after which
            the record is best; where two are as good, none.
        policy: which findings are to be fixed, and by which rules the record is judged.
        effort: how many nodes a search for what the records mean may open, over all of them.

    Raises:
        FormatError: this is not a record.
        Refused: it cannot be changed where it stands: it lies packed in another file, its format has no writer or no
            place for all that it holds.
    """
    return repaired(check_file(data, name, policy), name, unsafe=unsafe, policy=policy, effort=effort)


def repaired(
    first: FileState, name: str, *, unsafe: bool = False, policy: Policy | None = None, effort: int = EFFORT
) -> Repair:
    """As `repair`, for a file that has been judged.

    Raises:
        Refused: it cannot be changed where it stands.
    """
    data = first.data
    if any(match.source is None or match.source.data != data for match in first.matches):
        if any(finding.fix for some in first.found for finding in some):
            raise RepairRefused("the record lies in an archive; unpack that first")
        return Repair(data, data, first.matches, select_findings(first, policy))
    search = RepairSearch(first, name, policy, unsafe=unsafe, effort=effort)
    search.run()
    return search.result()
