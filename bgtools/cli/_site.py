"""``bgtools report`` of a folder: a website of its records, and of what has changed in them since."""

from __future__ import annotations

import json
import os
import time
import zlib
from array import array
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from bgtools._disk import exists, read_regular, status, why
from bgtools.cli import _common, _terminal
from bgtools.cli._engine_options import RolloutOptions
from bgtools.cli._files import FileWork, FromFile, collect, ensure_one
from bgtools.cli._progress import counting
from bgtools.cli._reporting import ReportOptions, ReportRefused, analyse_record, holds_positions, write_tables
from bgtools.findings.finding import printable
from bgtools.reports.findings import few

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bgtools.analysis.pooling import PooledRating
    from bgtools.comparison.copies import CopyReport
    from bgtools.engines.cache import Store
    from bgtools.formats.searching import FileCandidate
    from bgtools.record.record import Match
    from bgtools.site.building import HeldPage
    from bgtools.site.collection import Director, PublishedMatches, SiteEvent, SiteMatch
    from bgtools.site.document import MatchDocument
    from bgtools.site.hiding import Shown

Events = Literal["folder", "tag"]
"""What an event is: a folder, or what the records call so."""

_DOCUMENTS: Final = "documents-1.sqlite"
_MEGABYTES: Final = 2000
"""The most that kept documents may take: some ten thousand matches."""
_PAUSE: Final = 5.0
"""Seconds between two looks at a folder that is watched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteOptions:
    """How a folder is published.

    Attributes:
        report: how its matches are analysed.
        title: of the site; empty for the name of the folder.
        events: what an event is; None for a folder where two or more hold records, else what the records call so.
        names: how names are shown.
        is_listed: whether search engines may list it.
        tables: whether tables and pictures of each match are written too.
        player: whose page is the front page; empty for the overview.
    """

    report: ReportOptions
    title: str = ""
    events: Events | None = None
    names: Shown = "full"
    is_listed: bool = True
    tables: bool = False
    player: str = ""


class KeptDocument(NamedTuple):
    """The document of a match with its key, and what is kept of its page where nothing keeps that."""

    key: str
    document: MatchDocument
    page: HeldPage | None


@dataclass(frozen=True, slots=True)
class DocumentsOfFile(FileWork[FromFile[KeptDocument]]):
    """Making the documents of the matches of a file, in a form that other processes can do.

    Attributes:
        options: how matches are reported.
        base: the folder that is published.
        asked: a digest of the conventions.
        hidden: what stands for names that are hidden.
        tables: the folder for the tables of each match; None for none.
        carries_pages: whether what is made holds the pages too, as where another machine's cache has them.
    """

    options: ReportOptions
    base: Path
    asked: str
    hidden: Mapping[str, str]
    tables: Path | None
    carries_pages: bool = False
    outcome = FromFile

    def of_file(self, path: str) -> FromFile[KeptDocument]:
        """The documents of one file: those that are kept, or new ones."""
        from bgtools.checks.settings import resolve_settings
        from bgtools.checks.settings_files import settings_for
        from bgtools.formats.reading import load
        from bgtools.repair.verdicts import verdict_on
        from bgtools.site.building import HeldPage, digest_of
        from bgtools.site.document import document_of
        from bgtools.site.hiding import without_names

        data, name = load(path)
        below = _below(path, self.base)
        settings = settings_for(path)
        key = digest_of(data, below, self.asked, repr(settings))
        store = document_store() if self.options.keep else None
        kept = None if self.options.force else _kept(store, key)
        if kept is not None and not (self.tables and self._lacks_tables(below, len(kept))):
            return FromFile(path, tuple(map(_with_page, kept)) if self.carries_pages else kept)
        policy = resolve_settings(settings)
        _, verdicts, matches, found = verdict_on(data, name, policy)
        made: list[KeptDocument] = []
        problems: list[str] = []
        failed = 0
        for at, match in enumerate(matches):
            number = at + 1 if len(matches) > 1 else 0
            is_record = match.games and verdicts[at].verdict != "not a record"
            if not is_record or holds_positions(match):
                lacks = "it holds positions and no play" if is_record else "it holds no turn and no result"
                problems.append(f"match {number}: {lacks}" if number else lacks)
                continue
            before = len(problems)
            try:
                shown = without_names(match, self.hidden) if self.hidden else match
                analysed = analyse_record(shown, self.options, problems.append)
                document, page = document_of(
                    shown,
                    analysed.first,
                    analysed.comparison,
                    verdicts[at],
                    found[at],
                    policy,
                    below,
                    number,
                    self.hidden,
                )
                if self.tables is not None:
                    write_tables(shown, analysed, found[at], self.tables / self._named(below, number))
                made.append(KeptDocument(f"{key}-{at}", document, HeldPage.of(page)))
            except ReportRefused as error:
                problems.append(str(error))
            failed += len(problems) > before
        if store is not None and not failed:
            store.put([(f"{key}#".encode(), json.dumps([each.key for each in made]).encode())])
            for each in made:
                store.put([(f"{each.key}d".encode(), _packed(each.document)), *_held(each)])
            if not store.fault and not self.carries_pages:
                made = [each._replace(page=None) for each in made]
        return FromFile(path, tuple(made), "; ".join(problems), without=failed)

    def _named(self, below: str, number: int) -> str:
        """The folder of the tables of a match, below that of all tables."""
        from bgtools.reports.folder import folder_name

        stem = below.replace(".", "-") + (f"-{number}" if number else "")
        return "/".join([*stem.split("/")[:-1], folder_name(f"{stem.split('/')[-1]}.x")])

    def _lacks_tables(self, below: str, count: int) -> bool:
        assert self.tables is not None
        numbers = range(1, count + 1) if count > 1 else (0,)
        return not all(exists(self.tables / self._named(below, number)) for number in numbers)


def document_store() -> Store:
    """Where documents are kept: a file beside that of the answers of engines, opened once a process."""
    from bgtools._cache import folder

    return _opened(folder() / _DOCUMENTS, os.getpid())


@cache
def _opened(path: Path, _process: int) -> Store:
    from bgtools.engines.cache import Store

    return Store(path, megabytes=_MEGABYTES)


def _packed(document: object) -> bytes:
    return zlib.compress(
        json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    )


def _unpacked(content: bytes) -> Any:
    return json.loads(zlib.decompress(content).decode("utf-8", "surrogatepass"))


def _held(kept: KeptDocument) -> list[tuple[bytes, bytes]]:
    """What is kept of a page, under its keys."""
    assert kept.page is not None
    return [(f"{kept.key}p".encode(), _packed(kept.page.parts)), (f"{kept.key}b".encode(), kept.page.data)]


def _kept(store: Store | None, key: str) -> tuple[KeptDocument, ...] | None:
    """The documents of a file that are kept; None where one is missing."""
    if store is None:
        return None
    index = store.get([f"{key}#".encode()])
    try:
        keys = json.loads(index[f"{key}#".encode()])
        found = store.get([f"{each}d".encode() for each in keys])
        return tuple(KeptDocument(each, _unpacked(found[f"{each}d".encode()]), None) for each in keys)
    except (KeyError, ValueError, zlib.error):
        return None


def _with_page(kept: KeptDocument) -> KeptDocument:
    """A document with its page, as far as that is kept."""
    from bgtools.site.building import HeldPage

    parts, data = (f"{kept.key}{part}".encode() for part in "pb")
    found = document_store().get([parts, data])
    if parts not in found or data not in found:
        return kept
    return kept._replace(page=HeldPage(_unpacked(found[parts]), found[data]))


def _below(path: str, base: Path) -> str:
    """The path of a record below the folder that is published, with slashes."""
    return Path(path).absolute().relative_to(base).as_posix()


# --- a folder -------------------------------------------------------------------------------


def publish(
    folder: str, output: Path, options: SiteOptions, jobs: int | None, dask: str | None, *, force: bool, watches: bool
) -> int:
    """Publish a folder, and again whenever something changes in it if it is watched; the exit status."""
    ensure_one(jobs, dask)
    if not watches:
        return _publish(folder, output, options, jobs, dask, force=force)
    before: dict[str, tuple[int, int]] = {}
    done: dict[str, tuple[int, int]] | None = None
    try:
        while True:
            now = _looks(folder, output)
            # What is still being written is left alone: it has to look the same twice.
            if now and (now == before != done or done is None):
                _publish(folder, output, options, jobs, dask, force=force)
                done = now
            before = now
            time.sleep(_PAUSE)
    except KeyboardInterrupt:
        return _common.INTERRUPTED


def _records(folder: str, output: Path) -> Iterator[FileCandidate]:
    """The records in a folder; what lies in the site is none."""
    from bgtools.formats.searching import candidates

    inside = output.absolute()
    return (each for each in candidates([folder]) if not Path(each.path).absolute().is_relative_to(inside))


def _looks(folder: str, output: Path) -> dict[str, tuple[int, int]]:
    """Each record with its size and time."""
    found: dict[str, tuple[int, int]] = {}
    for each in _records(folder, output):
        if not each.is_empty and (about := status(each.path)) is not None:
            found[each.path] = (about.st_size, about.st_mtime_ns)
    return found


class _SideFiles(NamedTuple):
    """What people say beside the records of a folder: who is who, and of events; with a digest of the files."""

    people: dict[str, str]
    directors: dict[str, Director]
    digest: str


def _side_files(base: Path, looks: Mapping[str, tuple[int, int]]) -> _SideFiles:
    from bgtools.site.building import digest_of
    from bgtools.site.director import EVENT_FILE, NAMES_FILE, SiteFileError, read_director, read_names

    folders = sorted(
        {parent for path in looks for parent in Path(path).absolute().parents if parent.is_relative_to(base)}
    )
    contents: list[bytes | str] = []
    try:
        people = read_names(base / NAMES_FILE) if exists(base / NAMES_FILE) else {}
        directors = {
            "" if each == base else each.relative_to(base).as_posix(): read_director(each / EVENT_FILE)
            for each in folders
            if exists(each / EVENT_FILE)
        }
        for path in (base / NAMES_FILE, *(each / EVENT_FILE for each in folders)):
            contents += [str(path), read_regular(path, 1 << 20)] if exists(path) else []
    except SiteFileError as error:
        _common.fail(printable(str(error)))
    except OSError as error:
        _common.fail(f"{base}: cannot be read: {why(error)}")
    return _SideFiles(people, directors, digest_of(*contents))


def _publish(
    folder: str, output: Path, options: SiteOptions, jobs: int | None, dask: str | None, *, force: bool
) -> int:
    from bgtools.reports.folder import ForeignFolder
    from bgtools.site.building import SiteState, SiteWriter, build_site, digest_of, ensure_site, is_up_to_date

    base = Path(folder).absolute()
    try:
        ensure_site(output, force=force)
    except ForeignFolder as error:
        _common.fail(str(error))
    looks = _looks(folder, output)
    beside = _side_files(base, looks)
    asked = _asked(base, options)
    state = SiteState.of(output)
    whole = digest_of(
        asked, beside.digest, options.title, repr((options.events, options.is_listed, options.tables, options.player))
    )
    records = {digest_of(_below(path, base)): look for path, look in looks.items()}
    if not force and looks and is_up_to_date(output, state, whole, records):
        _terminal.say(
            f"{printable(str(output))} is up to date: {few(len(looks), 'record')}, nothing has changed", err=True
        )
        return 0 if state.is_clean else 1
    hidden = _hidden(folder, output, options, beside.people, jobs)
    searches = any(each.searches for each in options.report.specs)
    report = replace(options.report, threads=None if dask is None else 1, shows_progress=False)
    tables = output.absolute() / "tables" if options.tables else None
    conventions = digest_of(asked, repr(sorted(hidden.items())))
    work = DocumentsOfFile(report, base, conventions, hidden, tables, dask is not None, is_slow=True)
    unread: list[tuple[str, str]] = []

    def note(done: FromFile[KeptDocument]) -> None:
        if done.problem:
            unread.append((_below(done.path, base), done.problem))

    # An engine works on all cores by itself.
    kept, problems, failed = collect(
        [folder], work, 1 if searches else jobs, "the matches so far are kept", dask, note, [*_records(folder, output)]
    )
    if not kept:
        _common.fail(f"{printable(folder)}: no match was found in it")
    with suppress(ImportError):  # so many ratings are resampled that NumPy is worth being loaded
        import numpy as np  # noqa: F401
    ratings = KeptRatings(document_store() if report.keep else None)
    collection = _collection(kept, base, options, beside, hidden, unread, ratings)
    front = _front(collection, options.player)
    writer = SiteWriter(output, state, rewrites=force)
    with (
        _common.exit_if_unwritable(output),
        _common.exit_if_interrupted("the same command goes on"),
        counting("page") as show,
    ):
        writer.begin()
        twice = _copies(collection, base, hidden)
        keys = {id(each.document): each for each in kept}
        held = {match.slug: keys[id(match.document)] for match in collection.matches}
        pages = build_site(
            collection,
            writer,
            twice,
            partial(_page, held, work, base),
            {slug: each.key for slug, each in held.items()},
            is_listed=options.is_listed,
            shows_files=not hidden,
            front=front,
        )
        total = len(collection.matches) + len(collection.players) + len(collection.events) + 1
        for number, _ in enumerate(pages, 1):
            show(number, total)
        ratings.keep()
        clean = not problems and len(collection.sound) == len(collection.matches)
        # What an engine has failed at is tried again the next time.
        writer.finish("" if failed else whole, {name: [*look] for name, look in records.items()}, is_clean=clean)
    _tell(collection, output, writer.written, hidden, options)
    return 0 if clean else 1


def events_of(folder: str, jobs: int | None) -> list[SiteEvent]:
    """The events of a folder as its site has them, without an engine."""
    from bgtools.engines.registry import parse_specs

    report = ReportOptions(
        parse_specs("none"), "standard", None, 0.0, "xg", None, RolloutOptions(), keep=True, force=False, page=None,
        shows_progress=False,
    )  # fmt: skip
    base, output = Path(folder).absolute(), Path(folder) / ".bgtools"
    options = SiteOptions(report=report)
    beside = _side_files(base, _looks(folder, output))
    work = DocumentsOfFile(report, base, _asked(base, options), {}, None)
    kept, _, _ = collect([folder], work, jobs, "nothing was written", chosen=[*_records(folder, output)])
    if not kept:
        _common.fail(f"{printable(folder)}: no match was found in it")
    return [*_collection(kept, base, options, beside, {}, ()).events.values()]


def _asked(base: Path, options: SiteOptions) -> str:
    """A digest of the conventions of documents."""
    from bgtools.checks.settings_files import settings_for
    from bgtools.site.building import VERSION, digest_of

    report = options.report
    met = report.met.digest if report.met is not None else ""
    asked = (
        [*map(str, report.specs)], report.level, met, report.disagree, report.thresholds, report.luck,
        report.confirming, report.scores, options.names, settings_for(base / "record"),
    )  # fmt: skip
    return digest_of(VERSION, repr(asked))


def _hidden(
    folder: str, output: Path, options: SiteOptions, people: Mapping[str, str], jobs: int | None
) -> dict[str, str]:
    """What stands for the names of all records, where they are hidden."""
    from bgtools.site.hiding import hidden_names

    if options.names == "full":
        return {}
    chosen = [*_records(folder, output)]
    found, _, _ = collect([folder], _NamesOfFile(), jobs, "nothing was written", chosen=chosen)
    return hidden_names({name for names in found for name in names if name}, people, options.names)


@dataclass(frozen=True, slots=True)
class _NamesOfFile(FileWork[FromFile[tuple[str, str]]]):
    """Reading who plays in the matches of a file; what cannot be read is told later."""

    outcome = FromFile

    def of_file(self, path: str) -> FromFile[tuple[str, str]]:
        from bgtools.formats.content import FormatError
        from bgtools.formats.reading import read_all

        try:
            return FromFile(path, tuple(each.players for each in read_all(path)))
        except (FormatError, OSError):
            return FromFile(path)


def _collection(
    kept: Sequence[KeptDocument], base: Path, options: SiteOptions, beside: _SideFiles, hidden: Mapping[str, str],
    unread: Sequence[tuple[str, str]], rate: KeptRatings | None = None,
) -> PublishedMatches:  # fmt: skip
    from bgtools.site.collection import PublishedMatches
    from bgtools.site.hiding import without_words

    directors = beside.directors
    if hidden:
        directors = {folder: _without(each, hidden) for folder, each in directors.items()}
    return PublishedMatches(
        [each.document for each in kept],
        options.title or base.name,
        people={} if hidden else beside.people,
        by_folder=None if options.events is None else options.events == "folder",
        directors=directors,
        unread=[(file, without_words(problem, hidden)) for file, problem in unread],
        hides_names=bool(hidden) or not options.is_listed,
        say=partial(without_words, hidden=hidden),
        rate=rate,
    )


def _without(director: Director, hidden: Mapping[str, str]) -> Director:
    """The word of a director with names hidden."""
    from bgtools.site.hiding import without_words

    known = {**hidden, **{spelling: hidden.get(person, person) for spelling, person in director.names.items()}}

    def shown(name: str) -> str:
        return known.get(name, without_words(name, hidden))

    forfeits = tuple(
        replace(each, players=(shown(each.players[0]), shown(each.players[1]))) for each in director.forfeits
    )
    return replace(director, names={shown(one): shown(two) for one, two in director.names.items()}, forfeits=forfeits)


class KeptRatings:
    """Ratings that are kept between runs: resampling takes long, and few players change."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._new: list[tuple[bytes, bytes]] = []

    def __call__(self, losses: Sequence[float]) -> PooledRating:
        """The rating of decisions that add these losses."""
        from bgtools.analysis.pooling import PooledRating
        from bgtools.analysis.statistics import FEW_DECISIONS, Sums
        from bgtools.site.building import digest_of

        if self._store is None or len(losses) < FEW_DECISIONS:
            return PooledRating.of(Sums.of(losses), len(losses))
        key = f"{digest_of(array('d', losses).tobytes())}r".encode()
        kept = self._store.get([key])
        if key in kept:
            return PooledRating(*json.loads(kept[key]))
        found = PooledRating.of(Sums.of(losses), len(losses))
        self._new.append((key, json.dumps([found.value, found.low, found.high, found.counted]).encode()))
        return found

    def keep(self) -> None:
        """Keep what is new."""
        if self._store is not None:
            self._store.put(self._new)


def _front(collection: PublishedMatches, player: str) -> str:
    """The name of the player whose page is the front page; ends where there is no such player."""
    from bgtools.analysis.names import UnknownName, find_name

    if not player:
        return ""
    try:
        return find_name(player, [*collection.players])
    except UnknownName as error:
        _common.fail(printable(str(error)))


def _copies(collection: PublishedMatches, base: Path, hidden: Mapping[str, str]) -> dict[str, tuple[CopyReport, ...]]:
    """Whether the records of one match agree, for each match that several hold."""
    from bgtools.formats.reading import read_all
    from bgtools.site.building import copies_of
    from bgtools.site.hiding import without_names

    def read(document: MatchDocument) -> Match:
        match = read_all(str(base / document["file"]))[max(document["number"] - 1, 0)]
        return without_names(match, hidden) if hidden else match

    return copies_of(collection, read)


def _page(held: Mapping[str, KeptDocument], work: DocumentsOfFile, base: Path, match: SiteMatch) -> HeldPage:
    """What is kept of the page of a match; made once more where it is kept no longer."""
    kept = held[match.slug]
    if kept.page is None:
        kept = _with_page(kept)
    if kept.page is not None:
        return kept.page
    path = str(base / match.document["file"])
    again = replace(work, options=replace(work.options, keep=False)).of_file(path).found
    page = next(each.page for each in again if each.key == kept.key)
    assert page is not None
    return page


def _tell(
    collection: PublishedMatches, output: Path, written: int, hidden: Mapping[str, str], options: SiteOptions
) -> None:
    """What was made, and what to open."""
    matches = few(len(collection.matches), "match", "matches")
    players, records = few(len(collection.players), "player"), few(len(collection.documents), "record")
    unsound = len(collection.matches) - len(collection.sound)
    look = f"; {unsound} {'needs' if unsound == 1 else 'need'} a look" if unsound else ""
    _terminal.say_wrapped(f"{matches} of {players} in {records}{look}; {few(written, 'file')} written")
    if hidden:
        how = "initials" if options.names == "initials" else "given names"
        left = "remarks, most of the headers and the names of files are left out"
        _terminal.say_wrapped(f"{few(len(set(hidden.values())), 'name')} replaced by {how}; {left}")
    if not options.is_listed:
        _terminal.say_wrapped(
            "search engines are asked not to list it (robots.txt, noindex); who has the address can still read it"
        )
    _terminal.say(f"open {printable(str(output / 'index.html'))}")
