"""Verdicts: whether a record can be taken as it is, and what is wrong with it if not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, get_args

from bgtools.checks.account import account_of, is_of_gap
from bgtools.findings.finding import Severity
from bgtools.formats.reading import load
from bgtools.record.record import reconstructions
from bgtools.repair.planning import plan_fixes
from bgtools.repair.repairing import repaired
from bgtools.repair.states import RepairRefused
from bgtools.replayer.match import replay

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.board.perspective import Player
    from bgtools.checks.account import MatchAccount
    from bgtools.checks.settings import Policy
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match
    from bgtools.repair.planning import FilePlan

Verdict = Literal[
    "accept", "reconstructed", "incomplete", "fixable", "likely fixable", "reject", "not a record", "unreadable"
]
"""The verdicts, the worse ones later.

``accept`` where the record holds every game from the start of the match to its end, nothing in it denies another thing,
and the check does not fail; ``reconstructed`` where a remark says besides that a repair put something in or supposed
it; ``incomplete`` where a part of the match is missing (`bgtools.checks.account`), whatever else is wrong;
``fixable`` where the check would not fail after the fixes that the record itself proves; ``likely fixable`` where it
would not after the likeliest ones as well; else ``reject``. ``not a record`` where it holds no turn and no result, and
``unreadable`` where the file cannot be read.
"""

_ORDER: Final[tuple[Verdict, ...]] = get_args(Verdict)
_BESIDES: Final = ("", "fixable", "likely fixable", "reject")
_MOST_PLAYERS: Final = 3


@dataclass(frozen=True, slots=True)
class MatchVerdict:
    """The verdict on a match.

    Attributes:
        verdict: see `Verdict`.
        players: who plays, ``Ann - Bob``.
        event: the tournament, and the round, as far as the header says.
        score: how it stands at the end, ``7-5 of 7``; ``3-1`` for money.
        points: the same as numbers, of both players.
        winner: who won the match; None where nobody has, and for money.
        is_complete: whether the record holds every game from the start of the match to its end.
        errors, warnings, hints: how many findings there are of each severity.
        besides: what an incomplete record is besides: ``fixable``, ``likely fixable``, ``reject`` or "".
        wrong: what is wrong, in a line: what is missing, and the first finding that makes the check fail.
        repaired: what a repair has put in, by its remarks.
    """

    verdict: Verdict
    players: str
    event: str
    score: str
    points: tuple[int, int]
    winner: Player | None
    is_complete: bool
    errors: int
    warnings: int
    hints: int
    besides: str = ""
    wrong: str = ""
    repaired: str = ""


@dataclass(frozen=True, slots=True)
class FileVerdict:
    """The verdict on a file.

    Attributes:
        file: its path.
        verdict: the worst of its matches.
        matches: how many are in it.
        players, event, score, besides, wrong, repaired: of its matches, as `MatchVerdict` has them.
        errors, warnings, hints: how many findings there are of each severity.
        fixes: how many fixes ``--fix`` would make; where they are the likeliest ones, with ``--unsafe-fixes``.
        reason: why it could not be read, or why it could not be fixed; "" otherwise.
        settings: the settings file that held for it, and what that switches off; "" where there is none.
    """

    file: str
    verdict: Verdict
    matches: int = 0
    players: str = ""
    event: str = ""
    score: str = ""
    errors: int = 0
    warnings: int = 0
    hints: int = 0
    fixes: int = 0
    besides: str = ""
    wrong: str = ""
    repaired: str = ""
    reason: str = ""
    settings: str = ""


def verdict_on(
    data: bytes, name: str, policy: Policy
) -> tuple[FileVerdict, tuple[MatchVerdict, ...], tuple[Match, ...], tuple[tuple[Finding, ...], ...]]:
    """The verdict on a file and on each match in it, with the matches and the findings in each.

    Raises:
        FormatError: it is not a record.
    """
    plan = plan_fixes(data, name, policy)
    matches, found = plan.state.matches, tuple(map(policy.apply, plan.state.found))
    accounts = [account_of(*each) for each in zip(matches, plan.replays, found, strict=True)]
    failing = [_fails(*each, policy) for each in zip(matches, accounts, found, strict=True)]
    verdicts: list[Verdict] = [
        "reject" if fails else "reconstructed" if reconstructions(match) else "accept"
        for match, fails in zip(matches, failing, strict=True)
    ]
    fixes, reason = 0, ""
    if any(failing):
        fixes, reason = _tried(plan, policy, verdicts)
    of_matches = tuple(
        _of_match(match, account, some, verdict, policy)
        for match, account, some, verdict in zip(matches, accounts, found, verdicts, strict=True)
    )
    whole = FileVerdict(
        file=name,
        verdict=max((each.verdict for each in of_matches), key=_ORDER.index, default="accept"),
        matches=len(of_matches),
        players=_joined(each.players for each in of_matches),
        event=_joined(each.event for each in of_matches),
        score=_joined(each.score for each in of_matches),
        errors=sum(each.errors for each in of_matches),
        warnings=sum(each.warnings for each in of_matches),
        hints=sum(each.hints for each in of_matches),
        fixes=fixes,
        besides=max((each.besides for each in of_matches), key=_BESIDES.index, default=""),
        wrong=_joined(each.wrong for each in of_matches),
        repaired=_joined(each.repaired for each in of_matches),
        reason=reason,
    )
    return whole, of_matches, matches, found


def _tried(plan: FilePlan, policy: Policy, verdicts: list[Verdict]) -> tuple[int, str]:
    """Better verdicts on the matches that fail, where fixes help; how many, and why there are none."""
    fixes = 0
    for unsafe, better in ((False, "fixable"), (True, "likely fixable")):
        try:
            done = repaired(plan, unsafe=unsafe)
        except RepairRefused as error:
            return 0, f"not to be fixed where it is: {error}"
        if len(done.findings) == len(verdicts):
            for at, (match, some) in enumerate(zip(done.matches, done.findings, strict=True)):
                if verdicts[at] == "reject" and not _fails(match, account_of(match, None, some), some, policy):
                    verdicts[at] = better  # type: ignore[call-overload]
        if not unsafe or better in verdicts:
            fixes = len(done.changes)
        if "reject" not in verdicts:
            break
    return fixes, ""


def _fails(match: Match, account: MatchAccount, found: Iterable[Finding], policy: Policy) -> bool:
    """Whether a record fails, apart from what is missing: by a finding, or by parts of it that deny each other."""
    return account.is_contradicted or policy.fails(each for each in found if not is_of_gap(each, match, account.gaps))


def _of_match(
    match: Match, account: MatchAccount, found: Sequence[Finding], otherwise: Verdict, policy: Policy
) -> MatchVerdict:
    points = account.score
    score = f"{points[0]}-{points[1]} of {match.length}" if match.length else f"{points[0]}-{points[1]}"
    levels = [each.severity for each in found]
    bad = [each for each in found if policy.fails([each]) and not is_of_gap(each, match, account.gaps)]
    wrong = [*account.lacks]
    if bad:
        source = bad[0].source or match.source
        line = "" if source is None or not bad[0].span.end else f"line {source.location(bad[0].span.start).line}: "
        wrong.append(f"{line}{bad[0].message}" + (f"; {len(bad) - 1} more" if len(bad) > 1 else ""))
    elif account.is_contradicted:
        wrong += [each.source for each in account.facts if each.standing == "contradicted"][:1]
    verdict = otherwise if not account.lacks else "incomplete" if account.is_record else "not a record"
    names = " - ".join(name or f"player {at}" for at, name in enumerate(match.players, 1))
    event = ", ".join(filter(None, (match.tag("Event"), match.tag("Round"))))
    return MatchVerdict(
        verdict=verdict,
        players=names,
        event=event,
        score=score,
        points=points,
        winner=account.winner,
        is_complete=account.is_whole,
        errors=levels.count(Severity.ERROR),
        warnings=levels.count(Severity.WARNING),
        hints=levels.count(Severity.HINT),
        besides=otherwise if verdict == "incomplete" and otherwise in _BESIDES else "",
        wrong="; ".join(wrong),
        repaired="; ".join(reconstructions(match)),
    )


def _joined(texts: Iterable[str]) -> str:
    """The different texts of the matches of a file in one, as far as there is room."""
    some = list(dict.fromkeys(filter(None, texts)))
    more = f"; {len(some) - _MOST_PLAYERS} more" if len(some) > _MOST_PLAYERS else ""
    return "; ".join(some[:_MOST_PLAYERS]) + more


@lru_cache(maxsize=1)
def _verdicts(path: str, content: bytes) -> tuple[MatchVerdict, ...]:
    """The verdicts on all matches of a file; ``content`` is what was read from it, unpacked."""
    from bgtools.checks.settings import SettingsError, resolve_settings
    from bgtools.checks.settings_files import settings_for

    try:
        policy = resolve_settings(settings_for(path))
    except SettingsError:
        policy = resolve_settings()
    try:
        data, name = load(path)
    except OSError:  # standard input
        data, name = content, path
    return verdict_on(data, name, policy)[1]


def verdict_of_match(match: Match, path: str, number: int) -> MatchVerdict:
    """The verdict on a match, by the settings that hold for its file.

    Args:
        match: the match.
        path: its file.
        number: which match of the file it is, from 1.

    Raises:
        FormatError: the file is not a record.
    """
    source = match.source
    if source is not None and source.data:
        found = _verdicts(path, source.data)
        if number <= len(found):
            return found[number - 1]
    from bgtools.checks.checking import check
    from bgtools.checks.settings import resolve_settings

    policy = resolve_settings()
    games = replay(match)
    some = policy.apply(check(match, games))
    account = account_of(match, games, some)
    fails = _fails(match, account, some, policy)
    return _of_match(match, account, some, "reject" if fails else "accept", policy)
