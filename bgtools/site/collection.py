"""What the documents of all matches of a folder say together: players, events, copies, moments."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from bgtools.analysis.careers import FieldSums, standings
from bgtools.analysis.events import Event, Form, Result, event_of
from bgtools.analysis.pooling import PooledRating
from bgtools.analysis.statistics import FEW_DECISIONS, FEW_GROUPS, Sums
from bgtools.comparison.fingerprint import Fingerprint
from bgtools.comparison.grouping import Recorded, group
from bgtools.library.aliases import alike, is_nobody, words_of
from bgtools.site.document import KINDS, PHASES, SCORES, THEME_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bgtools.analysis.careers import CareerDimension, FieldComparison
    from bgtools.site.document import ErrorCard, MatchDocument

LEAST_MATCHES: Final = 3
LEAST_DECISIONS: Final = 300
"""Who has fewer of either has no rank."""

VERDICTS: Final = ("reject", "likely fixable", "fixable", "incomplete", "reconstructed")
"""The verdicts on what needs a look, in the order in which they are shown."""

_POINTS: Final = 1000
_LONGEST: Final = 60
_WHOLE: Final = ("accept", "reconstructed")


def has_rank(matches: int, pr: PooledRating) -> bool:
    """Whether there is enough of a player for a rank."""
    return matches >= LEAST_MATCHES and pr.counted >= LEAST_DECISIONS and pr.low is not None


def slug_of(text: str) -> str:
    """A text as part of an address: small ASCII letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", text.translate(_LETTERS)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:_LONGEST].strip("-")


_LETTERS: Final = str.maketrans({"ø": "o", "Ø": "O", "ß": "ss", "æ": "ae", "ł": "l", "Ł": "L", "đ": "d", "ð": "d"})


def short_digest(text: str) -> str:
    """Four letters that tell texts apart."""
    return blake2b(text.encode("utf-8", "surrogateescape"), digest_size=2).hexdigest()


def slugs_of(names: Iterable[str]) -> dict[str, str]:
    """An address for each name; names that would have the same one get letters of their own."""
    found = {name: slug_of(name) for name in names}
    counts = Counter(found.values())
    return {
        name: f"{slug}-{short_digest(name)}".strip("-") if counts[slug] > 1 or not slug else slug
        for name, slug in found.items()
    }


@dataclass(frozen=True, slots=True)
class Director:
    """What the director of an event says in ``event.toml``; it goes before what the records say.

    Attributes:
        title: of the event; empty where it is not given.
        form: how it is played; None where it is not given.
        rounds: the round of a record, by the name of its file.
        names: who is who, by the name in a record.
        forfeits: what was not played.
    """

    title: str = ""
    form: Form | None = None
    rounds: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    forfeits: tuple[Result, ...] = ()


@dataclass(frozen=True, slots=True)
class SiteMatch:
    """A match of the site.

    Attributes:
        document: what is kept of it.
        slug: its address.
        who: the players by the names that they go by.
        events: the keys of its events: that of its record first, then those of its copies.
        copies: the documents of other records of the same match.
    """

    document: MatchDocument
    slug: str
    who: tuple[str, str]
    events: tuple[str, ...]
    copies: tuple[MatchDocument, ...] = ()

    @property
    def event(self) -> str:
        """The key of the event of its record."""
        return self.events[0]

    @property
    def is_sound(self) -> bool:
        """Whether the record can be taken as it is."""
        return self.document["verdict"] in _WHOLE

    @property
    def order(self) -> tuple[str, str]:
        """By day; who has none comes first."""
        return self.document["date"], self.slug

    def pr(self, side: int) -> float | None:
        """The rating of a player in this match; None below 30 counted decisions."""
        value, _, _, counted = self.document["pr"][side]
        return value if (counted or 0) >= FEW_DECISIONS else None


@dataclass(frozen=True, slots=True)
class Share:
    """The decisions of a player of one sort.

    Attributes:
        value: which sort.
        pr: their rating.
        share: the part of all that the player lost; None below 30 decisions.
    """

    value: str
    pr: PooledRating
    share: float | None


@dataclass(frozen=True, slots=True)
class SitePlayer:
    """A player of the site.

    Attributes:
        name, slug: what they are called, and their address.
        matches: theirs, with the side on which they sat, in the order of days.
        pr: over all of them.
        won, lost: how many matches.
        luck: match winning chance that the dice gave, summed; None where it is not known.
    """

    name: str
    slug: str
    matches: tuple[tuple[SiteMatch, int], ...]
    pr: PooledRating
    won: int
    lost: int
    luck: float | None

    @property
    def is_ranked(self) -> bool:
        """Whether there is enough for a rank."""
        return has_rank(len(self.matches), self.pr)


@dataclass(frozen=True, slots=True)
class SiteEvent:
    """An event of the site: its title, address, matches and what they say."""

    key: str
    title: str
    slug: str
    matches: tuple[SiteMatch, ...]
    event: Event


def results_of(own: Sequence[tuple[SiteMatch, int]]) -> tuple[int, int, float | None]:
    """How many matches a player won and lost, each with their side, and their luck; None where it is not known."""
    won = sum(match.document["winner"] == side for match, side in own)
    lost = sum(match.document["winner"] == 1 - side for match, side in own)
    luck = [match.document["luck"][side] for match, side in own if match.document["unit"] == "mwc"]
    known = [each for each in luck if each is not None]
    return won, lost, sum(known) if known else None


class PublishedMatches:
    """The matches of a folder.

    Args:
        documents: of all records, in the order of their files.
        title: of the site.
        people: by which name a name of a record goes.
        by_folder: whether an event is a folder; None for: where two or more folders hold records.
        directors: what directors say, by the folder of the event.
        unread: files that could not be read, with the reason.
        rate: gives the rating of losses; by default it is worked out.
        hides_names: whether addresses hold no names.
        say: how a title is shown.
    """

    def __init__(
        self,
        documents: Sequence[MatchDocument],
        title: str,
        *,
        people: Mapping[str, str] | None = None,
        by_folder: bool | None = None,
        directors: Mapping[str, Director] | None = None,
        unread: Sequence[tuple[str, str]] = (),
        rate: Callable[[Sequence[float]], PooledRating] | None = None,
        hides_names: bool = False,
        say: Callable[[str], str] = str,
    ) -> None:
        self.title, self.unread, self.hides_names, self._say = say(title), tuple(unread), hides_names, say
        self.documents = tuple(documents)
        self._people, self._directors = dict(people or {}), dict(directors or {})
        self._rate = rate or (lambda losses: PooledRating.of(Sums.of(losses), len(losses)))
        folders = {each["file"].rpartition("/")[0] for each in documents}
        self._by_folder = len(folders) > 1 if by_folder is None else by_folder
        self._has_events = any(each["event"] for each in documents)
        self.matches = tuple(sorted(self._matches(), key=lambda each: each.order, reverse=True))
        self.sound = tuple(each for each in self.matches if each.is_sound)

    def _matches(self) -> Iterator[SiteMatch]:
        records = [
            Recorded(str(at), 1, Fingerprint(each["fingerprint"]), players=(each["players"][0], each["players"][1]))
            for at, each in enumerate(self.documents)
        ]
        for some in group(records):
            first, *others = sorted((self.documents[int(each.file)] for each in some), key=_standing)
            events = dict.fromkeys(map(self._event_of, (first, *others)))
            yield SiteMatch(first, self._slug(first), self._who(first), tuple(events), tuple(others))

    def _slug(self, document: MatchDocument) -> str:
        names = [] if self.hides_names else [slug_of(name)[:20] for name in document["players"]]
        own = short_digest(f"{document['file']}#{document['number']}")
        return "-".join(filter(None, (document["date"] if _is_day(document["date"]) else "", *names, own)))

    def _who(self, document: MatchDocument) -> tuple[str, str]:
        known = self._people | dict(self._directed(document)[1].names)
        first, second = (known.get(name, name) for name in document["players"])
        return first, second

    def _directed(self, document: MatchDocument) -> tuple[str, Director]:
        """The nearest folder above a record in which a director says something, and what."""
        folder = document["file"].rpartition("/")[0]
        while folder and folder not in self._directors:
            folder = folder.rpartition("/")[0]
        return folder, self._directors.get(folder, Director())

    def _event_of(self, document: MatchDocument) -> str:
        folder, _ = self._directed(document)
        if folder in self._directors:
            return f"{folder}/"
        if self._by_folder:
            return f"{document['file'].rpartition('/')[0]}/"
        return re.sub(r"\s*#\s*\d+", "", " ".join(document["event"].split())).casefold() if self._has_events else "/"

    # --- players ------------------------------------------------------------------------------

    @cached_property
    def players(self) -> dict[str, SitePlayer]:
        """Everybody by name, those with a rank first and the best of them first."""
        sides: defaultdict[str, list[tuple[SiteMatch, int]]] = defaultdict(list)
        for match in reversed(self.matches):
            for side, name in enumerate(match.who):
                sides[name].append((match, side))
        slugs = {name: short_digest(name) + short_digest(name[::-1]) for name in sides} if self.hides_names else {}
        slugs = slugs or slugs_of(sides)
        found = [self._player(name, slugs[name], tuple(own)) for name, own in sides.items()]
        order = sorted(
            found,
            key=lambda each: (
                not each.is_ranked,
                (each.pr.value or 0.0) if each.is_ranked else -each.pr.counted,
                each.name,
            ),
        )
        return {each.name: each for each in order}

    def _player(self, name: str, slug: str, own: tuple[tuple[SiteMatch, int], ...]) -> SitePlayer:
        return SitePlayer(name, slug, own, self.rating(own), *results_of(own))

    def rating(
        self, own: Iterable[tuple[SiteMatch, int]], has: Callable[[Sequence[int]], bool] = lambda _: True
    ) -> PooledRating:
        """The rating of a player in some matches, over the decisions of a sort."""
        rows = ((row, side) for match, side in own for row in match.document["counted"])
        return self._rate([row[1] / _POINTS for row, side in rows if row[0] == side and has(row)])

    @property
    def ranked(self) -> list[SitePlayer]:
        """The players with a rank, the best first."""
        return [each for each in self.players.values() if each.is_ranked]

    @cached_property
    def engines(self) -> tuple[tuple[str, int], ...]:
        """What valued the decisions, and in how many matches."""
        return tuple(Counter(each.document["engine"] for each in self.matches if each.document["engine"]).most_common())

    def shares(self, player: SitePlayer) -> dict[str, list[Share]]:
        """The decisions of a player by kind and phase, theme and score, those that cost most first."""
        sorts: dict[str, defaultdict[str, list[float]]] = {
            name: defaultdict(list) for name in ("Kind and phase", "Theme", "Score")
        }
        whole = 0.0
        for match, side in player.matches:
            for row in match.document["counted"]:
                if row[0] != side:
                    continue
                lost = row[1] / _POINTS
                whole += lost
                kind = KINDS[row[3]]
                is_play = kind == "checker play"
                sorts["Kind and phase"][PHASES[row[2]] if is_play else _CUBE.get(kind, kind)].append(lost)
                sorts["Score"][SCORES[row[4]]].append(lost)
                for theme in row[5:]:
                    sorts["Theme"][THEME_NAMES[theme]].append(lost)
        found = {}
        for name, values in sorts.items():
            rows = [
                Share(
                    value or "other",
                    self._rate(losses),
                    sum(losses) / whole if whole and len(losses) >= FEW_DECISIONS else None,
                )
                for value, losses in values.items()
                if len(losses) >= FEW_DECISIONS
            ]
            found[name] = sorted(rows, key=lambda each: (-(each.share or 0.0), each.value))
        return found

    def beside_the_field(self) -> dict[str, tuple[FieldComparison, ...]]:
        """Whoever has `FEW_GROUPS` matches beside everybody else, by name: phases, kinds of decisions and themes.

        Nobody is compared where several engines or levels valued the decisions.
        """
        if len(self.engines) != 1:
            return {}
        units: defaultdict[tuple[CareerDimension, str], list[tuple[str, int, float]]] = defaultdict(list)
        for match in self.matches:
            sums: defaultdict[tuple[int, CareerDimension, str], list[float]] = defaultdict(lambda: [0, 0.0])
            for player, lost, phase, kind, _, *themes in match.document["counted"]:
                sorts: list[tuple[CareerDimension, str]] = [("phase", PHASES[phase]), ("decision", KINDS[kind])]
                for sort in (*sorts, *(("theme", THEME_NAMES[theme]) for theme in themes)):
                    found = sums[player, *sort]
                    found[0] += 1
                    found[1] += lost / _POINTS
            for (player, dimension, value), (count, lost) in sums.items():
                units[dimension, value].append((match.who[player], int(count), lost))
        names = [each.name for each in self.players.values() if len(each.matches) >= FEW_GROUPS]
        sums_of: dict[str, list[FieldSums]] = {name: [] for name in names}
        for (dimension, value), rows in units.items():
            every, lost = sum(count for _, count, _ in rows), sum(one for _, _, one in rows)
            figures = [(name, count, one, one - count * lost / every) for name, count, one in rows]
            squares, cubes = (sum(figure**power for *_, figure in figures) for power in (2, 3))
            for name in names:
                own = [each for each in figures if each[0] == name]
                sums_of[name].append(
                    FieldSums(
                        dimension, value, sum(each[1] for each in own), every, sum(each[2] for each in own), lost,
                        len(own), len(rows), sum(each[3] for each in own), squares, cubes,
                    )
                )  # fmt: skip
        compared = {name: standings(sums, self.players[name].pr.counted) for name, sums in sums_of.items()}
        return {name: found for name, found in compared.items() if found}

    # --- events -------------------------------------------------------------------------------

    @cached_property
    def events(self) -> dict[str, SiteEvent]:
        """The events by their keys, those with the most matches first."""
        found: defaultdict[str, list[SiteMatch]] = defaultdict(list)
        for match in reversed(self.matches):
            for key in match.events:
                found[key].append(match)
        titles = {key: self._title(key, some) for key, some in found.items()}
        by_title = slugs_of(titles.values())
        events = []
        for key, some in found.items():
            slug = by_title[titles[key]]
            if Counter(titles.values())[titles[key]] > 1:
                slug = f"{by_title[titles[key]]}-{short_digest(key)}"
            events.append(SiteEvent(key, titles[key], slug, tuple(some), self._says(key, titles[key], some)))
        return {each.key: each for each in sorted(events, key=lambda each: (-len(each.matches), each.title))}

    def _title(self, key: str, some: Sequence[SiteMatch]) -> str:
        if key.endswith("/"):
            said = self._directors.get(key[:-1], Director()).title
            return self._say(said or key[:-1]) if said or key[:-1] else self.title
        written = Counter(re.sub(r"\s*#\s*\d+", "", " ".join(each.document["event"].split())) for each in some)
        return self._say(written.most_common(1)[0][0] or "Without an event")

    def _says(self, key: str, title: str, some: Sequence[SiteMatch]) -> Event:
        director = self._directors.get(key[:-1], Director()) if key.endswith("/") else Director()
        results = [
            Result(
                each.who,
                each.document["winner"],
                (each.document["score"][0], each.document["score"][1]),
                each.document["date"],
                director.rounds.get(each.document["file"].rpartition("/")[2], each.document["round"]),
                each.document["length"],
                each.is_sound,
            )
            for each in some
        ]
        names = " ".join([title, *{each.document["event"] for each in some}])
        return event_of([*results, *director.forfeits], director.form, names)

    # --- moments and what needs a look --------------------------------------------------------

    @cached_property
    def errors(self) -> list[tuple[SiteMatch, ErrorCard]]:
        """All errors of sound records, the costliest first."""
        found = [(match, card) for match in self.sound for card in match.document["errors"]]
        return sorted(found, key=lambda each: -each[1]["loss"])

    @cached_property
    def errors_by_player(self) -> dict[str, list[tuple[SiteMatch, ErrorCard]]]:
        """The same errors by whose they are."""
        found: defaultdict[str, list[tuple[SiteMatch, ErrorCard]]] = defaultdict(list)
        for match, card in self.errors:
            found[match.who[card["player"]]].append((match, card))
        return found

    @property
    def luckiest(self) -> tuple[SiteMatch, list[Any]] | None:
        """The match with the roll that gave most, and that roll."""
        some = [(each, each.document["lucky"]) for each in self.sound if each.document["lucky"]]
        return max(some, key=lambda each: float(each[1][0]), default=None)

    @property
    def comeback(self) -> tuple[SiteMatch, list[Any]] | None:
        """The match that its winner was furthest from winning."""
        some = [(each, each.document["comeback"]) for each in self.sound if each.document["comeback"]]
        return min(some, key=lambda each: float(each[1][0]), default=None)

    @property
    def best_played(self) -> tuple[SiteMatch, int] | None:
        """The match and side with the best rating over 30 counted decisions or more, where one engine valued all."""
        if len(self.engines) > 1:
            return None
        some = [(each, side) for each in self.sound for side in (0, 1) if each.pr(side) is not None]
        return min(some, key=lambda each: each[0].pr(each[1]) or 0.0, default=None)

    @cached_property
    def attention(self) -> dict[str, list[tuple[MatchDocument, SiteMatch]]]:
        """The records that need a look, by their verdict."""
        found: dict[str, list[tuple[MatchDocument, SiteMatch]]] = {each: [] for each in VERDICTS}
        for match in self.matches:
            for document in (match.document, *match.copies):
                if document["verdict"] in found:
                    found[document["verdict"]].append((document, match))
        return {verdict: some for verdict, some in found.items() if some}

    @cached_property
    def proposals(self) -> list[tuple[str, str, str]]:
        """Names that may be one person's, each pair with the reason. Who has met the other is not proposed."""
        names = [name for name in self.players if not is_nobody(name)]
        met = {frozenset(each.who) for each in self.matches}
        found = {frozenset((one, two)): reason for one, two, _, reason in alike(names)}
        words = {name: set(words_of(name)) for name in names}
        for one, two in combinations(names, 2):
            if words[one] and words[two] and (words[one] < words[two] or words[two] < words[one]):
                found.setdefault(frozenset((one, two)), "one name is contained in the other")
        pairs = [(*sorted(pair), reason) for pair, reason in found.items() if pair not in met and len(pair) > 1]
        return sorted((one, two, reason) for one, two, reason in pairs)


_CUBE: Final = {
    "no double": "cube: not doubling", "double": "cube: doubling", "take": "cube: taking", "pass": "cube: passing",
}  # fmt: skip


def _standing(document: MatchDocument) -> tuple[Any, ...]:
    """Which of several records of a match stands for it: the soundest, with figures, the longest."""
    soundness = _SOUNDEST.index(document["verdict"]) if document["verdict"] in _SOUNDEST else len(_SOUNDEST)
    return soundness, not document["engine"], -len(document["fingerprint"]), document["file"], document["number"]


_SOUNDEST: Final = ("accept", "reconstructed", "fixable", "likely fixable", "reject", "incomplete")


def _is_day(date: str) -> bool:
    return re.fullmatch(r"\d{4}-\d\d-\d\d", date) is not None
