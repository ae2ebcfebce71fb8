"""Verdicts: whether a record can be taken as it is, and what is wrong with it if not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, get_args

from bgtools.findings.finding import Severity
from bgtools.formats.reading import load
from bgtools.record.record import SetBoard
from bgtools.repair.planning import plan_fixes
from bgtools.repair.remarks import is_reconstructed, put_in
from bgtools.repair.repairing import repaired
from bgtools.repair.states import RepairRefused
from bgtools.replayer.match import replay

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.checks.settings import Policy
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match
    from bgtools.repair.planning import FilePlan
    from bgtools.replayer.turn import GameReplay

Verdict = Literal["accept", "reconstructed", "incomplete", "fixable", "likely fixable", "reject", "unreadable"]
"""The verdicts, the worse ones later.

``accept`` where the check does not fail; ``reconstructed`` where it does not and a remark says that a repair put in
something that the record did not say; ``incomplete`` where it does not and the match ends before it is decided;
``fixable`` where it would not fail after the fixes that the record itself proves; ``likely fixable`` where it would not
after the likeliest ones as well; else ``reject``. ``unreadable`` where the file cannot be read.
"""

_ORDER: Final[tuple[Verdict, ...]] = get_args(Verdict)
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
        is_complete: whether the record goes to the end of the match; of a money session, to that of its last game.
        errors, warnings, hints: how many findings there are of each severity.
        wrong: what is wrong, in a line: the first finding that makes the check fail, or where the record ends.
        repaired: what a repair has put in, by its remarks.
    """

    verdict: Verdict
    players: str
    event: str
    score: str
    points: tuple[int, int]
    is_complete: bool
    errors: int
    warnings: int
    hints: int
    wrong: str = ""
    repaired: str = ""


@dataclass(frozen=True, slots=True)
class FileVerdict:
    """The verdict on a file.

    Attributes:
        file: its path.
        verdict: the worst of its matches.
        matches: how many are in it.
        players, event, score, wrong, repaired: of its matches, as `MatchVerdict` has them.
        errors, warnings, hints: how many findings there are of each severity.
        fixes: how many fixes ``--fix`` would make; for ``likely fixable`` with ``--unsafe-fixes``.
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
    failing = [policy.fails(some) for some in found]
    verdicts: list[Verdict] = [
        "reject" if fails else "incomplete" if is_incomplete(match, games) else "reconstructed"
        if is_reconstructed(match) else "accept"
        for match, games, fails in zip(matches, plan.replays, failing, strict=True)
    ]  # fmt: skip
    fixes, reason = 0, ""
    if any(failing):
        fixes, reason = _tried(plan, policy, verdicts)
    of_matches = tuple(
        _of_match(match, games, some, verdict, policy)
        for match, games, some, verdict in zip(matches, plan.replays, found, verdicts, strict=True)
    )
    whole = FileVerdict(
        file=name,
        verdict=max(verdicts, key=_ORDER.index, default="accept"),
        matches=len(of_matches),
        players=_joined(each.players for each in of_matches),
        event=_joined(each.event for each in of_matches),
        score=_joined(each.score for each in of_matches),
        errors=sum(each.errors for each in of_matches),
        warnings=sum(each.warnings for each in of_matches),
        hints=sum(each.hints for each in of_matches),
        fixes=fixes,
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
            for at, some in enumerate(done.findings):
                if verdicts[at] == "reject" and not policy.fails(some):
                    verdicts[at] = better  # type: ignore[call-overload]
        if not unsafe or better in verdicts:
            fixes = len(done.changes)
        if "reject" not in verdicts:
            break
    return fixes, ""


def _of_match(
    match: Match, games: Sequence[GameReplay], found: Sequence[Finding], verdict: Verdict, policy: Policy
) -> MatchVerdict:
    points = games[-1].score_after if games else (0, 0)
    score = f"{points[0]}-{points[1]} of {match.length}" if match.length else f"{points[0]}-{points[1]}"
    levels = [each.severity for each in found]
    bad = [each for each in found if policy.fails([each])]
    wrong = ""
    if bad:
        source = bad[0].source or match.source
        line = "" if source is None or not bad[0].span.end else f"line {source.location(bad[0].span.start).line}: "
        wrong = f"{line}{bad[0].message}" + (f"; {len(bad) - 1} more" if len(bad) > 1 else "")
    elif verdict == "incomplete":
        wrong = f"ends at {score}, in game {len(match.games)}"
    names = " - ".join(name or f"player {at}" for at, name in enumerate(match.players, 1))
    event = ", ".join(filter(None, (match.tag("Event"), match.tag("Round"))))
    return MatchVerdict(
        verdict=verdict,
        players=names,
        event=event,
        score=score,
        points=points,
        is_complete=not is_incomplete(match, games),
        errors=levels.count(Severity.ERROR),
        warnings=levels.count(Severity.WARNING),
        hints=levels.count(Severity.HINT),
        wrong=wrong,
        repaired="; ".join(put_in(match)),
    )


def _joined(texts: Iterable[str]) -> str:
    """The different texts of the matches of a file in one, as far as there is room."""
    some = list(dict.fromkeys(filter(None, texts)))
    more = f"; {len(some) - _MOST_PLAYERS} more" if len(some) > _MOST_PLAYERS else ""
    return "; ".join(some[:_MOST_PLAYERS]) + more


def is_incomplete(match: Match, games: Sequence[GameReplay]) -> bool:
    """Whether the record of a match ends before it is decided; of a money session, before its last game is.

    A record of positions alone, or without any game, is none of a match.

    Args:
        match: the record.
        games: its games, replayed.
    """
    if not games or all(isinstance(entry, SetBoard) for game in match.games for entry in game.entries):
        return bool(games) and not any(game.entries for game in match.games)
    if match.length:
        return max(games[-1].score_after) < match.length
    return games[-1].winner is None


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
    verdict: Verdict = "reject" if policy.fails(some) else "incomplete" if is_incomplete(match, games) else "accept"
    return _of_match(match, games, some, verdict, policy)
