"""The functions of `bgtools` that take a record or the path of one."""

from __future__ import annotations

import os
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bgtools.checks.account import account_of
from bgtools.checks.checking import check as check_match
from bgtools.checks.settings import parse_settings, resolve_settings
from bgtools.comparison.comparing import compare
from bgtools.comparison.grouping import Recorded, group
from bgtools.comparison.merged import NotOneMatch
from bgtools.comparison.merging import merge as merge_records
from bgtools.conversion.conversion import made, parse_target
from bgtools.formats.reading import match_of, matches_of
from bgtools.record.record import Match
from bgtools.replayer.match import replay as replay_match

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    import pandas as pd

    from bgtools.analysis.blunders import Blunder
    from bgtools.analysis.match_analysis import Progress
    from bgtools.analysis.totals import Analysis
    from bgtools.checks.account import MatchAccount
    from bgtools.checks.settings import Policy
    from bgtools.comparison.difference import Difference
    from bgtools.comparison.merged import Merged
    from bgtools.conversion.conversion import Converted
    from bgtools.engines.protocol import LevelName
    from bgtools.findings.finding import Finding
    from bgtools.repair.states import Repair
    from bgtools.replayer.turn import GameReplay
    from bgtools.reports.table_kinds import TableName


def check(
    match: Match | str | PathLike[str], *, profile: str | None = None, rules: str | None = None
) -> tuple[Finding, ...]:
    """Everything that is wrong with a record, in the order of the file.

    >>> for finding in bgtools.check("samples/five-slips.mat")[3:5]:
    ...     print(finding)
    samples/five-slips.mat:55:7: error BG402 Greta Holm wins 2 points here, not 1 (game 2) [wrong-points]
    samples/five-slips.mat:66:6: error BG210 Greta Holm leaves a 2 unplayed (game 3, row 8) [die-left-unplayed]

    Args:
        match: the record, or the path of a file that holds one; of several, the first.
        profile: how much each finding matters: ``strict``, ``tournament`` or ``lenient``. No settings file is read.
        rules: rules of the game that complete those of the record, such as ``no-crawford,beavers=2``.

    Raises:
        OSError: the file cannot be read.
        FormatError: its content is in no known format.
        ValueError: no such profile or rule.
    """
    policy = _policy(profile, rules)
    match = policy.complete(match_of(match))
    found = check_match(match)
    if found:
        from bgtools.repair.planning import offer_fixes_of  # a sound record needs none of it

        found = offer_fixes_of(match, found, policy)
    return tuple(replace(finding, source=match.source) for finding in policy.apply(found))


def account(match: Match | str | PathLike[str]) -> MatchAccount:
    """What is known of a match, and how: stated by the record, derived from it, contradicted by it, or unknown.

    >>> found = bgtools.account("samples/five-slips.mat")
    >>> found.is_whole, found["length"]
    (True, KnownFact(name='length', value='3 points', standing='stated', source='line 10'))

    Args:
        match: the record, or the path of a file that holds one; of several, the first.

    Raises:
        OSError: the file cannot be read.
        FormatError: its content is in no known format.
    """
    return account_of(match_of(match))


def _policy(profile: str | None, rules: str | None) -> Policy:
    return resolve_settings(parse_settings(profile=profile, rules=rules))


def fix(
    match: Match | str | PathLike[str], *, unsafe: bool = False, profile: str | None = None, rules: str | None = None
) -> Repair:
    """Put a record right by the fixes that its findings offer. No file is touched: ``after`` has the new bytes.

    >>> done = bgtools.fix("samples/five-slips.mat")
    >>> done
    <Repair: 5 fixes made, 0 findings left>

    Args:
        match: the path of a file, or a match that was read from one; all matches in the file are fixed.
        unsafe: whether fixes are made as well that the record does not prove.
        profile, rules: as for `check`.

    Raises:
        OSError: the file cannot be read.
        FormatError: its content is in no known format.
        ValueError: no such profile or rule; or the record cannot be changed: it lies in an archive, has no file, or
            its format has no writer.
    """
    from bgtools.formats.reading import load
    from bgtools.repair.repairing import repair
    from bgtools.repair.states import RepairRefused

    policy = _policy(profile, rules)
    if not isinstance(match, Match):
        data, name = load(match)
    elif match.source is None:
        raise RepairRefused(
            "this match was read from no file, so there is nothing to put right; bgtools.write makes one"
        )
    else:
        data, name = match.source.data, match.source.name
    return repair(data, name, unsafe=unsafe, policy=policy)


def diff(a: Match | str | PathLike[str], b: Match | str | PathLike[str]) -> tuple[Difference, ...]:
    """What two records of one match say differently, in any two formats; nothing where they say the same.

    >>> bgtools.diff("samples/seven-point.mat", "samples/seven-point.mat")
    ()

    Args:
        a, b: the records, or the paths of files that hold them; of several in a file, the first.

    Raises:
        OSError: a file cannot be read.
        FormatError: its content is in no known format.
        ValueError: the records are of different matches (`bgtools.comparison.merged.NotOneMatch`).
    """
    done = compare(match_of(a), match_of(b))
    if not done.is_one_match:
        names = " and ".join(" - ".join(each.players) for each in (done.a, done.b))
        raise NotOneMatch(f"these are records of different matches: {names}", (1,))
    return done.differences


def same(*paths: str | PathLike[str] | Iterable[str | PathLike[str]]) -> tuple[tuple[str, ...], ...]:
    """The records that are of one match, whatever their names and formats: a group of paths a match, two or more.

    >>> bgtools.same("samples/seven-point.mat", "samples/money.mat", "samples/seven-point.mat")
    (('samples/seven-point.mat', 'samples/seven-point.mat'),)

    Args:
        paths: files, and folders that are searched for records; a list of them as well. What is not a record in a
            folder is skipped.

    Raises:
        OSError: a file cannot be read.
        FormatError: a file that is named is not a record.
    """
    found = (
        Recorded.of(match, path, number) for path, matches in _read(paths) for number, match in enumerate(matches, 1)
    )
    groups = (tuple(each.file for each in records) for records in group(found))
    return tuple(files for files in groups if len(files) > 1)


def report(
    match: Match | str | PathLike[str],
    folder: str | PathLike[str] | None = None,
    *,
    engine: str | None = "sage",
    level: LevelName = "standard",
    force: bool = False,
    keep: bool = True,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The report of a match as plain values, as ``report.json`` holds them; with a folder also its page and tables.

    >>> found = bgtools.report("samples/seven-point.mat", engine=None)
    >>> found["match"]["players"], len(found["games"])
    (['Nora Lindholm', 'Peter Marsh'], 8)

    Args:
        match: the record, or the path of a file that holds one; of several, the first.
        folder: where to write it; None to write nothing.
        engine: what values the positions, as for `analyse`.
        level: how deep it looks.
        force: write into a folder that holds other files as well.
        keep: whether answers of the engine are kept, and taken from what the commands have kept.
        progress: told the stage, how much of it is done, and of how much.

    Raises:
        OSError: the file cannot be read, or the folder not be written.
        FormatError: its content is in no known format.
        EngineUnavailable: the engine cannot run here; the message says why.
        ValueError: no such engine or level; or the folder holds what no report has put there.
    """
    import json

    from bgtools.reports.match_report import report_data, write_report
    from bgtools.reports.notebook import analyse as analysed

    match = match_of(match)
    analysis = analysed(match, engine, level=level, keep=keep, progress=progress, rolls=folder is not None).analysis
    findings = check_match(match)
    files: tuple[str, ...] = ()
    if folder is not None:
        files = write_report(analysis, findings, match.source, Path(folder), force=force, match=match)
    # The same plain values as in the file: a list where a tuple was, a text for every key.
    made: dict[str, Any] = json.loads(json.dumps(report_data(analysis, findings, match.source, files)))
    return made


def blunders(
    *paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    player: str | None = None,
    top: int | None = 20,
    min_loss: float = 0.02,
    engine: str = "sage",
    level: LevelName = "standard",
    keep: bool = True,
    progress: Progress | None = None,
) -> tuple[Blunder, ...]:
    """The worst decisions of one or many records, the costliest first; of the same board and roll only one.

    >>> bgtools.blunders("samples/seven-point.mat", engine="file")
    ()

    Args:
        paths: files, and folders that are searched for records; a list of them as well.
        player: only this player's: a name in any case, or a part that one player has.
        top: how many at most; None for all.
        min_loss: the least loss in EMG, 0 or more.
        engine: what values the positions; ``file`` for the analysis that the records hold (one without has none).
        level: how deep it looks.
        keep, progress: as for `report`; progress is told how many files are done.

    Raises:
        OSError: a file cannot be read.
        FormatError: a file that is named is not a record.
        EngineUnavailable: the engine cannot run here; the message says why.
        ValueError: no such engine or level; or nobody, or more than one, is meant by ``player``.
    """
    read = _read(paths, progress)
    return blunders_in(read, player=player, top=top, min_loss=min_loss, engine=engine, level=level, keep=keep)


def blunders_in(
    records: Iterable[tuple[str, tuple[Match, ...]]],
    *,
    player: str | None = None,
    top: int | None = 20,
    min_loss: float = 0.02,
    engine: str = "sage",
    level: LevelName = "standard",
    keep: bool = True,
) -> tuple[Blunder, ...]:
    """As `blunders`, of records that have been read: each with what to call it, and its matches."""
    from collections import Counter

    from bgtools.analysis.blunders import DecisionFilter, blunders_of, of_players, worst_of

    given = (player,) if player is not None else ()
    names: Counter[str] = Counter()
    found: list[Blunder] = []
    for path, number, _, analysis in _analysed(records, engine, level, keep):
        names.update(analysis.match.players)
        found += blunders_of(analysis, path, number, DecisionFilter(given, min_loss))
    return tuple(worst_of(of_players(found, given, [name for name, _ in names.most_common()]), top))


def table(
    kind: TableName,
    *paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    engine: str | None = None,
    level: LevelName = "standard",
    keep: bool = True,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """The rows of one or many records as a frame, with the columns that ``bgtools table`` writes.

    >>> games = bgtools.table("games", "samples/seven-point.mat", "samples/money.mat")
    >>> games.groupby("file").size().to_dict()
    {'samples/money.mat': 4, 'samples/seven-point.mat': 8}

    Args:
        kind: ``decisions``, ``turns``, ``games``, ``players``, ``choices``, ``breakdown``, ``races``, ``dice``
            or ``matches``.
        paths: files, and folders that are searched for records; a list of them as well.
        engine: what values the positions, as for `analyse`; None leaves luck, errors and ratings empty.
        level: how deep it looks.
        keep, progress: as for `report`; progress is told how many files are done.

    Raises:
        OSError: a file cannot be read.
        FormatError: a file that is named is not a record.
        EngineUnavailable: the engine cannot run here; the message says why.
        ValueError: no such table, engine or level.
    """
    from bgtools.reports.table_kinds import TABLES, origin
    from bgtools.reports.tables import frame_of

    if kind not in TABLES:
        raise ValueError(f"no table is called {kind!r}; there are: {', '.join(TABLES)}")
    analyses = _analysed(_read(paths, progress), engine, level, keep)
    return frame_of(kind, ((each, origin(path, number, each, match), match) for path, number, match, each in analyses))


def _flat(given: Iterable[Any]) -> Iterator[Any]:
    """What was given one by one or in lists, one by one."""
    for each in given:
        if isinstance(each, str | PathLike | Match):
            yield each
        else:
            yield from each


def _read(
    paths: Iterable[str | PathLike[str] | Iterable[str | PathLike[str]]], progress: Progress | None = None
) -> Iterator[tuple[str, tuple[Match, ...]]]:
    """Every record with its path; what a folder holds beside records is skipped."""
    from bgtools.formats.content import FormatError
    from bgtools.formats.reading import read_all
    from bgtools.formats.searching import candidates, is_no_record, require_record

    found = list(candidates([os.fspath(path) for path in _flat(paths)]))
    for number, candidate in enumerate(found):
        if progress is not None:
            progress("files", number, len(found))
        try:
            require_record(candidate)
            yield candidate.path, read_all(candidate.path)
        except FormatError as error:
            if not is_no_record(candidate, error):
                raise
        except IsADirectoryError:
            if not candidate.is_empty:
                raise
    if progress is not None:
        progress("files", len(found), len(found))


def _analysed(
    records: Iterable[tuple[str, tuple[Match, ...]]], engine: str | None, level: LevelName, keep: bool
) -> Iterator[tuple[str, int, Match, Analysis]]:
    """Every match of every record with its path, its number in the file, and its analysis."""
    from bgtools.analysis.evaluation import kept_answers, start
    from bgtools.analysis.match_analysis import analyse
    from bgtools.engines.protocol import EngineUnavailable
    from bgtools.engines.registry import parse_specs

    of_record = parse_specs(engine or "none")[0].kind.needs_record
    started = None if of_record else start(engine, level, **kept_answers(engine, keep=keep))
    for path, matches in records:
        for number, match in enumerate(matches, 1):
            games = replay_match(match)
            if of_record:
                try:
                    started = start(engine, level, match=match, games=games)
                except EngineUnavailable:  # this record holds no analysis
                    started = None
            yield path, number, match, analyse(match, started, games=games)


def replay(match: Match | str | PathLike[str]) -> tuple[GameReplay, ...]:
    """The games of a record turn by turn, each turn with its board; never raises on what a record holds.

    They come as a tuple, which a notebook shows game by game.

    >>> games = bgtools.replay("samples/seven-point.mat")
    >>> games[0].ending, games[0].winner, games[0].points
    ('drop', 1, 2)
    >>> games[0].turns[1].position
    Position.from_id('XGID=----a-EaC---eE---c-e----B-:0:0:1:52:0:0:0:7:10')

    Args:
        match: the record, or the path of a file that holds one; of several, the first.

    Raises:
        OSError: the file cannot be read.
        FormatError: its content is in no known format.
    """
    from bgtools.replayer.turn import GameReplays

    return GameReplays(replay_match(match_of(match)))


def convert(
    match: Match | tuple[Match, ...] | str | PathLike[str],
    to: str,
    *,
    strict: bool = False,
    allow: Collection[str] = (),
    verify: bool = True,
) -> Converted:
    """Convert a match, several matches, or those in a file, to another format.

    >>> done = bgtools.convert("samples/seven-point.mat", to="sgf")
    >>> done.data[:10], done.losses
    (b'(;FF[4]GM[', ())

    Args:
        match: what to convert: a match, some of them, or the path of a file.
        to: the format and perhaps its dialect, such as ``xg`` or ``mat:xg-text``; ``bgtools formats`` lists them.
        strict: whether a loss is reason enough to refuse.
        allow: codes or names of losses that are accepted: they are not reported, and never refused.
        verify: whether what was made is read again and compared, turn by turn. Without that no loss is known.

    Raises:
        FormatError: there is no such format, it has no way to write this, a loss is not accepted, or what was made
            reads differently.
        OSError: the file cannot be read.
    """
    return made(matches_of(match), parse_target(to), strict=strict, allow=allow, verify=verify)


def merge(
    *records: Match | str | PathLike[str] | Iterable[Match | str | PathLike[str]], prefer: int | None = None
) -> Merged:
    """Merge several records of one match into one, with the source of every fact.

    >>> done = bgtools.merge("samples/seven-point.mat", "samples/seven-point.mat")
    >>> done, done.match.players
    (<Merged 2 records: 295 facts, 0 undecided>, ('Nora Lindholm', 'Peter Marsh'))

    At each place the rules decide: what the rest of the record can go on with is taken. Where they do not, most records
    decide.

    Args:
        records: two or more, in any formats: matches, or the paths of files, a list of them as well; of several in a
            file, the first.
        prefer: the number, from 0, of the record that decides where neither the rules nor most records do; None leaves
            such facts undecided.

    Raises:
        OSError: a file cannot be read.
        FormatError: its content is in no known format.
        ValueError: fewer than two records, records of different matches (`bgtools.comparison.merged.NotOneMatch`), or
            no such record to prefer.
    """
    return merge_records(tuple(map(match_of, _flat(records))), prefer=prefer)
