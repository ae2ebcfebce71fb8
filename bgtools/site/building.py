"""Building a site: documents are made where records have changed, pages are written where they have.

The folder of a site holds ``.bgtools/state.json``: what was made from which records, and which pages there are. Only
pages that stand in it are ever replaced or removed; whatever else lies in the folder is left alone.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bgtools._disk import atomic_writer, exists, is_folder, make_folders, names_in, read_regular, status
from bgtools._version import __version__
from bgtools.comparison.copies import compare_copies
from bgtools.drawing.board import geometry
from bgtools.reports.careers.text import standing_lines
from bgtools.reports.folder import ForeignFolder
from bgtools.reports.page.writing import (
    SiteFrame,
    filled_page,
    framed_parts,
    held_data,
    packed,
    page_parts,
    whole_page,
)
from bgtools.reports.sheets.writing import training_data
from bgtools.site.assets import assets
from bgtools.site.document import DOCUMENT_VERSION
from bgtools.site.pages import (
    SitePage,
    attention_page,
    error_shards,
    errors_page,
    event_page,
    foot_of,
    index_page,
    main_of,
    matches_page,
    player_page,
    players_page,
    top_of,
)
from bgtools.site.pieces import SiteLinks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bgtools.comparison.copies import CopyReport
    from bgtools.site.collection import PublishedMatches, SiteMatch
    from bgtools.site.document import MatchDocument

STATE: Final = ".bgtools/state.json"
"""What a folder of a site was made from."""

_LARGEST: Final = 1 << 26
_TRAINED: Final = 200
"""So many of the costliest errors of all sound records are asked on the page to train with."""


@dataclass(frozen=True, slots=True)
class HeldPage:
    """What is kept of the page of a match: its HTML by the names in page.html, and its data as `packed` makes them."""

    parts: dict[str, str]
    data: bytes

    @classmethod
    def of(cls, page: dict[str, Any]) -> HeldPage:
        """What is kept of a page; ``page`` is what `bgtools.reports.page.data.page_data` gives."""
        return cls(page_parts(page), packed({**page, "drawing": geometry()}))


@dataclass(slots=True)
class SiteState:
    """What a site was made from.

    Attributes:
        options: a digest of all that is asked for.
        records: of each file its size, its time and the keys of its documents.
        pages: a digest of each file of the site.
        inputs: of pages that take long, a digest of what they were made from.
        is_clean: whether all records could be read and are sound.
    """

    options: str = ""
    records: dict[str, list[Any]] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    inputs: dict[str, str] = field(default_factory=dict)
    is_clean: bool = False

    @classmethod
    def of(cls, folder: Path) -> SiteState:
        """The state of a folder; an empty one where none is there or it cannot be read."""
        try:
            content = json.loads(read_regular(folder / STATE, _LARGEST))
            found = cls(*(content[name] for name in ("options", "records", "pages", "inputs", "is_clean")))
            is_whole = content["version"] == VERSION and all(
                isinstance(each, dict) for each in (found.records, found.pages, found.inputs)
            )
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return cls()
        return found if is_whole else cls(pages=found.pages)

    def written(self) -> bytes:
        """The same as the content of the file; equal for an equal site."""
        content = {"version": VERSION, **asdict(self)}
        return (json.dumps(content, ensure_ascii=True, indent=1, sort_keys=True) + "\n").encode()


VERSION: Final = f"{__version__}/{DOCUMENT_VERSION}"


def digest_of(*contents: bytes | str) -> str:
    """A digest of some contents, in order."""
    made = blake2b(digest_size=12)
    for each in contents:
        data = each.encode("utf-8", "surrogatepass") if isinstance(each, str) else each
        made.update(len(data).to_bytes(8, "big"))
        made.update(data)
    return made.hexdigest()


def ensure_site(folder: Path, *, force: bool = False) -> None:
    """Check that a site may be written into a folder.

    Raises:
        ForeignFolder: it is a file, or holds what no site has put there.
    """
    if not exists(folder):
        return
    if not is_folder(folder):
        raise ForeignFolder(f"{folder} is a file, not a folder")
    strangers = [] if exists(folder / STATE) else sorted(names_in(folder))
    if strangers and not force:
        raise ForeignFolder(
            f"{folder} holds what no site has put there: {', '.join(strangers[:3])}; choose another folder with -o, or "
            "use --force, which leaves it there"
        )


def is_up_to_date(folder: Path, state: SiteState, options: str, records: Mapping[str, Sequence[int]]) -> bool:
    """Whether a site need not be made again: nothing that was asked for, no record and no page has changed.

    Args:
        folder: of the site.
        state: of that folder.
        options: a digest of all that is asked for.
        records: of each file its size and time.
    """
    return (
        state.options == options
        and {file: each[:2] for file, each in state.records.items()}
        == {file: [*each] for file, each in records.items()}
        and all(status(folder / page) is not None for page in state.pages)
    )


class SiteWriter:
    """Writes the files of a site that have changed, and removes those that nothing stands for any more."""

    def __init__(self, folder: Path, state: SiteState, *, rewrites: bool = False) -> None:
        """Nothing is written yet; ``rewrites`` makes every file again, whatever the state says."""
        self.folder, self._before, self._rewrites = folder, state, rewrites
        self.after = SiteState()
        self.written = 0

    def begin(self) -> None:
        """Mark the folder as a site that is not done, so that a run that is stopped can go on."""
        self._write(STATE, replace(self._before, options="").written())

    def _write(self, name: str, content: bytes) -> None:
        path = self.folder / name
        make_folders(path.parent)
        with atomic_writer(path, force=True) as stream:
            stream.write(content)

    def holds(self, page: str, made_from: str) -> bool:
        """Whether a page is there that was made from the same; it stays."""
        if self._rewrites or self._before.inputs.get(page) != made_from or status(self.folder / page) is None:
            return False
        self.after.inputs[page], self.after.pages[page] = made_from, self._before.pages[page]
        return True

    def put(self, page: str, content: bytes, made_from: str = "") -> None:
        """Write a file, unless it is there with the same content."""
        found = digest_of(content)
        self.after.pages[page] = found
        if made_from:
            self.after.inputs[page] = made_from
        if self._rewrites or self._before.pages.get(page) != found or status(self.folder / page) is None:
            self._write(page, content)
            self.written += 1

    def finish(self, options: str, records: dict[str, list[Any]], *, is_clean: bool) -> None:
        """Remove the pages that nothing stands for, and write the state."""
        for page in sorted(set(self._before.pages) - set(self.after.pages)):
            if ".." not in Path(page).parts and not Path(page).is_absolute():
                (self.folder / page).unlink(missing_ok=True)
        self.after.options, self.after.records, self.after.is_clean = options, records, is_clean
        self._write(STATE, self.after.written())


def copies_of(collection: PublishedMatches, read: Callable[[MatchDocument], Any]) -> dict[str, tuple[CopyReport, ...]]:
    """Of each match that several records hold, whether they agree; ``read`` gives the match of a document."""
    return {
        each.slug: compare_copies([read(document) for document in (each.document, *each.copies)])
        for each in collection.matches
        if each.copies
    }


def build_site(
    collection: PublishedMatches,
    writer: SiteWriter,
    twice: Mapping[str, Sequence[CopyReport]],
    page_of: Callable[[SiteMatch], HeldPage],
    keys: Mapping[str, str],
    *,
    is_listed: bool = True,
    shows_files: bool = True,
    front: str = "",
) -> Iterator[str]:
    """Write the pages of a site; gives the name of each before it is made.

    Args:
        collection: the matches.
        writer: writes them.
        twice: what `copies_of` found.
        page_of: what is kept of the page of a match.
        keys: the key of the document of each match, by its slug.
        is_listed: whether search engines may list the site.
        shows_files: whether names of files are shown.
        front: the player whose page is the front page; empty for the overview.
    """
    players = {each.name: each.slug for each in collection.players.values()}
    events = {each.key: each.slug for each in collection.events.values()}
    parts = assets()
    shared = digest_of(collection.title, str(is_listed), *map(repr, sorted(parts.items())))

    def put(address: str, page: SitePage, about: Iterable[SiteMatch] = collection.matches, made_from: str = "") -> None:
        foot = foot_of(about)
        up = "../" * address.count("/")
        frame = SiteFrame(up, top_of(collection, up, address), "site.js", is_listed)
        text = whole_page(page.title, main_of(page, foot, frame.top), frame=frame)
        writer.put(address, text.encode("utf-8", "replace"), made_from)

    here, below = (SiteLinks(up, players, events) for up in ("", "../"))
    for name, text in parts.items():
        writer.put(name, text.encode())
    for match in collection.matches:
        address = f"match/{match.slug}.html"
        made_from = digest_of(shared, keys[match.slug], *match.who, *(events[key] for key in match.events))
        if not writer.holds(address, made_from):
            yield address
            writer.put(address, _match_page(collection, match, below, page_of(match), is_listed=is_listed), made_from)
    for player in collection.players.values():
        address = f"player/{player.slug}.html"
        own = [f"{keys[match.slug]}{match.slug}{side}{match.who}" for match, side in player.matches]
        made_from = digest_of(
            shared, player.name, *own, *(players[name] for match, _ in player.matches for name in match.who)
        )
        if not writer.holds(address, made_from):
            yield address
            put(address, player_page(collection, player, below), [match for match, _ in player.matches], made_from)
    for event in collection.events.values():
        yield f"event/{event.slug}.html"
        page = event_page(collection, event, below, twice, shows_files=shows_files)
        put(f"event/{event.slug}.html", page, event.matches)
    yield "index.html"
    put(
        "index.html",
        index_page(collection, here, twice) if not front else player_page(collection, collection.players[front], here),
    )
    put("players.html", players_page(collection, here))
    put("matches.html", matches_page(collection, here))
    put("attention.html", attention_page(collection, here, twice, shows_files=shows_files))
    put("errors.html", errors_page(collection))
    for number, shard in enumerate(error_shards(collection)):
        text = f"globalThis.bgtoolsErrors({json.dumps(shard, ensure_ascii=False, separators=(',', ':'))});\n"
        writer.put(f"data/errors-{number}.js", text.encode("utf-8", "replace"))
    lines = {players[name]: [*standing_lines(found)] for name, found in collection.beside_the_field().items()}
    writer.put("data/field.js", f"globalThis.bgtoolsField({json.dumps(lines, ensure_ascii=False)});\n".encode())
    frame = SiteFrame("", top_of(collection, "", "train.html"), "site.js", is_listed)
    writer.put("train.html", _train_page(collection, frame))
    if not is_listed:
        writer.put("robots.txt", b"User-agent: *\nDisallow: /\n")


def _match_page(
    collection: PublishedMatches, match: SiteMatch, links: SiteLinks, held: HeldPage, *, is_listed: bool
) -> bytes:
    """The page of a match, with links to its players and its event."""
    people = [links.player(name) for name in match.who]
    crumbs = " · ".join([*people, *(links.event(key, escape(collection.events[key].title)) for key in match.events)])
    top = top_of(collection, "../", "", f'<p class="small crumbs">{crumbs}</p>')
    frame = SiteFrame("../", top, "site.js", is_listed)
    return framed_parts("page.html", held_data(held.data), (), held.parts, frame)


def _train_page(collection: PublishedMatches, frame: SiteFrame) -> bytes:
    """The page to train with: the costliest errors of all sound records."""
    found = sorted(
        ((match, each) for match in collection.sound for each in match.document["questions"]),
        key=lambda each: -each[1]["loss"],
    )[:_TRAINED]
    questions = [
        {**each, "report": f"match/{match.slug}.html#{each['link']}", "command": "", "names": list(match.who)}
        for match, each in found
    ]
    title = f"Train: {len(questions)} {'decision' if len(questions) == 1 else 'decisions'}"
    return filled_page("train.html", training_data(questions, {}), (), {"title": title, "others": ""}, frame)
