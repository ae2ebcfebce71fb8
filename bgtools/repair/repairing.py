"""Repairing a record: by edits of its text where it is one, else by rewriting it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bgtools.formats.content import FormatError
from bgtools.repair.planning import FilePlan, plan_fixes
from bgtools.repair.states import Change, Repair, RepairRefused, select_findings

if TYPE_CHECKING:
    from bgtools.checks.settings import Policy


def repair(
    data: bytes,
    name: str,
    *,
    unsafe: bool = False,
    policy: Policy | None = None,
) -> Repair:
    """Put a record right by the fixes of its findings.

    A text is changed at the places of its fixes and nowhere else: its encoding, line ends and dialect stay. A record
    in another format is rewritten by the writer of that format.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        unsafe: whether fixes are made that the record does not prove: the likeliest reading; where two are as likely,
            none.
        policy: which findings are to be fixed, and by which rules the record is judged.

    Raises:
        FormatError: this is not a record.
        RepairRefused: it cannot be changed where it stands: it lies packed in another file, its format has no writer
            or no place for all that it holds.
    """
    return repaired(plan_fixes(data, name, policy), unsafe=unsafe)


def repaired(plan: FilePlan, *, unsafe: bool = False) -> Repair:
    """As `repair`, for a file that has been checked.

    Raises:
        RepairRefused: it cannot be changed where it stands.
    """
    first, policy = plan.state, plan.policy
    chosen = select_findings(first, policy)
    changes, undecided = [], []
    for match, some in zip(first.matches, chosen, strict=True):
        for finding in some:
            fix = finding.fix
            if fix is None or (fix.applicability != "safe" and not unsafe):
                continue
            if fix.alternatives:
                undecided.append(replace(finding, source=match.source))
            else:
                place = match.source.location(fix.span.start) if match.source is not None and plan.is_text else None
                changes.append(Change(replace(finding, source=match.source), match, fix, place))
    if plan.refused and not changes:
        raise RepairRefused(plan.refused)
    last = first
    if changes:
        try:
            last = plan.after({each.fix for each in changes}, plan.games_of(changes), unsafe=unsafe)
            last = FilePlan(last, plan.name, policy).state
        except (FormatError, ValueError) as error:
            raise RepairRefused(str(error)) from None
        if last.cost >= first.cost:  # what is selected makes nothing better without what is not
            changes, last = [], first
    return Repair(
        first.data,
        last.data,
        last.matches,
        select_findings(last, policy),
        tuple(changes),
        tuple(undecided),
        plan.cut_short,
    )
