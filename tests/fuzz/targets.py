"""What is fuzzed. Another reader is another line in `TARGETS`."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from annotated import candidate, cube, noted, plays
from bgtools.formats.content import Content, FormatError
from bgtools.formats.mat.writer import write
from bgtools.formats.reading import find_format, read_source
from bgtools.formats.registry import our_formats
from bgtools.formats.xg.archive import COMMENTS, RECORDS, Titles, open_archive, pack_archive
from bgtools.met.finding import default
from bgtools.met.writing import as_met, as_xml
from fuzz.properties import examine, examine_id, examine_rules, examine_settings, examine_table
from fuzz.smiles import smile
from printed_texts import BGBLITZ_CUBE, BGBLITZ_PLAYS, GNUBG_TEXT, SESSION, XG_CUBE, XG_PLAYS, fibs_line
from selfplay import random_match
from support import CORPUS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bgtools.record.record import Match

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
FILES = 60
"""How many files of a folder of the corpus are taken: more of a kind teach nothing new."""


@dataclass(frozen=True, slots=True)
class Target:
    """A reader, and where its seeds come from.

    Attributes:
        name: what the command line calls it.
        read: reads bytes under a name; raises `FormatError` only.
        endings: of the samples that are its seeds.
        folders: of the corpus, with more of them.
        written: whether matches made here are written in its format to be seeds.
        covered: whether every character of what is read has to belong to something.
        judged: whether what is read is also replayed, checked and shown, which takes most of the time.
        converted: whether what is read is also written in another format.
        largest: bytes of an input. What takes long in a long file has tests of its own.
        own: makes its seeds, where no sample is one.
        work: what is done with an input that is not a record.
    """

    name: str
    read: Callable[[bytes, str], tuple[Match, ...]]
    endings: tuple[str, ...]
    folders: tuple[str, ...] = ()
    written: bool = False
    judged: bool = True
    covered: bool = True
    converted: bool = False
    largest: int = 1 << 12
    own: Callable[[], Iterator[bytes]] | None = None
    work: Callable[[bytes], str] | None = None

    def examine(self, data: bytes) -> str:
        """See that all that must hold of a file does; what became of it, in a word."""
        if self.work is not None:
            return self.work(data)
        return examine(self.read, data, judged=self.judged, covered=self.covered, converted=self.converted)

    def seeds(self, *, ours: bool = False) -> Iterator[bytes]:
        """The samples of its format, the files of the corpus, and matches made here; match text where there is none.

        With ``ours`` none of the corpus.
        """
        found = list(self._own_seeds(ours=ours))
        yield from found or made()

    def _own_seeds(self, *, ours: bool) -> Iterator[bytes]:
        if self.own is not None:
            yield from self.own()
            return
        for path in sorted(SAMPLES.iterdir()):
            if path.name.endswith(self.endings):
                yield path.read_bytes()
        if ".mat" in self.endings:
            yield from made()
        if self.written:
            for matches in made_matches():
                with suppress(FormatError):
                    yield find_format(self.name).write(matches)
            for match in (*analysed(), *_positions()):
                with suppress(FormatError):
                    yield find_format(self.name).write((match,))
        yield from (text.encode() for text in _PRINTED.get(self.name, ()))
        for folder in () if ours else self.folders:
            small = [path for path in sorted((CORPUS / folder).glob("*")) if path.stat().st_size <= 4 * self.largest]
            for path in random.Random(folder).sample(small, min(len(small), FILES)):
                yield path.read_bytes()


@cache
def made(count: int = 8) -> tuple[bytes, ...]:
    """Small matches of random plays, with all that a record can hold."""
    rng = random.Random(1)
    return tuple(
        write(
            random_match(seed, rng.choice((0, 1, 3, 5)), games=2, set_positions=bool(seed % 2), doubling=0.1)
        ).encode()
        for seed in range(count)
    )


@cache
def made_matches() -> tuple[tuple[Match, ...], ...]:
    """The same, read."""
    return tuple(read_source(data, "made") for data in made())


def _past_the_sniffer(name: str) -> Callable[[bytes, str], tuple[Match, ...]]:
    """A format's reader by itself: whatever is no such format is read all the same."""
    chosen = find_format(name)
    return lambda data, called: chosen.read(Content(data, called))


_FOLDERS = {
    "mat": ("mat",),
    "sgf": ("sgf",),
    "xg": ("xg",),
    "xgp": ("xgp",),
    "fibs": ("fibs-session", "fibs-board"),
    "bgblitz": ("bgblitz-position-txt",),
    "gnubg-text": ("gnubg-analysis-txt",),
    "xg-text": ("xg-position-txt",),
}
"""Where the corpus has records of a format."""
_LARGEST = {"xg": 1 << 18, "xgp": 1 << 18, "ogxm": 1 << 16, "sgf": 1 << 16, "json": 1 << 16}
"""Formats whose usual files are longer than match text."""


def analysed() -> Iterator[Match]:
    """Matches with analyses made up for them, of plays, cubes and luck."""
    yield noted({0: plays(candidate("8/5 6/5", 0.1), candidate("24/20", 0.05, "3-ply"), error=0.0, luck=0.02)})
    yield noted({4: cube(0.4, 0.6, 1.0), 5: cube(0.4, 0.6, 1.0), 6: plays(candidate("13/8 9/8", None, "XG Roller+"))})
    yield noted({2: plays(candidate("24/18 13/9", 0.52, "rollout", "mwc"), program="eXtreme Gammon 2.10")})


_PRINTED = {
    "fibs": (SESSION, fibs_line(dice="3:1:0:0") + "\n" + fibs_line(turn=-1)),
    "bgblitz": (BGBLITZ_PLAYS, BGBLITZ_CUBE),
    "gnubg-text": (GNUBG_TEXT,),
    "xg-text": (XG_PLAYS, XG_CUBE),
}
"""Texts that programs print, as tests have them."""


def _positions() -> Iterator[Match]:
    """Positions with the analysis of a play, or of the cube."""
    for name in ("xg-text", "bgblitz"):
        for text in _PRINTED[name]:
            yield from find_format(name).read(Content(text.encode(), "x.txt"))


# --- what lies in a container: a change of the container itself only breaks its checksum -------


def _packed_as_xg(data: bytes, name: str) -> tuple[Match, ...]:
    records, _, comments = data.partition(_PART)
    return find_format("xg").read(Content(pack_archive({RECORDS: records, COMMENTS: comments}, Titles()), name))


_PART = b"\0--comments--\0"


def _xg_records() -> Iterator[bytes]:
    for data in Target("xg", read_source, (), written=True).seeds(ours=True):
        files = open_archive(data)
        yield files[RECORDS] + _PART + files.get(COMMENTS, b"")


def _packed_as_bgf(data: bytes, name: str) -> tuple[Match, ...]:
    return find_format("bgf").read(Content(b"{}\n" + data, name))


def _smiles() -> Iterator[bytes]:
    game = {
        "initial": {"points": list(range(24)), "cube": 1, "cubeOwner": 0}, "scoreGreen": 0, "scoreRed": 1,
        "wonPoints": 2, "wasResignation": True,
        "moves": [
            {"player": -1, "green": 3, "red": 1, "from": [8, 6, -1, -1], "to": [5, 5, -1, -1],
             "equity": {"cubeDecision": {"eqNoDouble": 0.25, "hasDoubled": None}}},
            {"player": 1, "from": [-1], "equity": {"cubeDecision": {"hasDoubled": True, "hasAccepted": True}}},
        ],
    }  # fmt: skip
    document = {"matchlen": 7, "nameGreen": "Ann", "nameRed": "Bob", "games": [game, game], "finalGreen": 2}
    yield smile(document)
    yield json.dumps(document).encode()


def _packed_as_ogxm(data: bytes, name: str) -> tuple[Match, ...]:
    """With the length in its head put right, and the checksum left out."""
    at = data.rfind(b"CSUM")
    data = data if at < 0 else data[:at] + data[-4:]
    return find_format("ogxm").read(Content(data[:12] + len(data).to_bytes(4, "little") + data[16:], name))


def _ogxm() -> Iterator[bytes]:
    yield from Target("ogxm", read_source, (), written=True).seeds(ours=True)


# --- what is not a record --------------------------------------------------------------------------


def _tables() -> Iterator[bytes]:
    for text in (as_xml(default()), as_met(default())):
        yield text.encode()
    head = b"<met><info><name>z</name><length>-1</length></info>"
    for pre, post in ((b"zadeh", b"zadeh"), (b"explicit", b"explicit")):
        yield (
            head
            + b'<pre-crawford-table type="%b"><parameters><parameter name="gammon-rate-leader">0.25' % pre
            + (
                b"</parameter></parameters><row><me>0.5</me></row></pre-crawford-table>"
                b'<post-crawford-table player="both" type="%b"><row><me>0.5</me></row></post-crawford-table></met>'
                % post
            )
        )


def _settings() -> Iterator[bytes]:
    yield (
        b'profile = "strict"\nselect = ["BG2", "all"]\nignore = ["BG220", "false-star"]\nfail-on = "hint"\n'
        b'rules = ["jacoby", "beavers=2", "nackgammon", "no-crawford"]\n[severity]\nBG220 = "off"\nBG4 = "error"\n'
    )
    yield b'rules = "cube-limit=64,holland"\nprofile = "lenient"\nseverity = { BG2 = "warning", all = "hint" }\n'


def _rules() -> Iterator[bytes]:
    yield b"no-crawford,jacoby,beavers=2,holland,cube-limit=64,nackgammon,automatic-doubles=1"
    yield b"crawford,no-jacoby,cube-limit=none,no-cube-limit,hypergammon"


def _ids() -> Iterator[bytes]:
    from bgtools.positions.notations import NOTATIONS
    from bgtools.positions.position import IdError, Position

    start = Position(made_matches()[0][0].rules.start)
    for notation in NOTATIONS:
        with suppress(IdError):
            yield notation.encode(start).encode()
    yield b"XGID=-b----E-C---eE---c-e----B-:1:-1:1:63:4:3:0:7:10"


def _unread(_data: bytes, _name: str) -> tuple[Match, ...]:
    raise AssertionError("this is not a record")


TARGETS = (
    Target("any", read_source, (".mat", ".txt"), ("mat", "other-text", "gnubg-analysis-txt"), covered=False),
    Target("any-converted", read_source, (".mat",), ("mat",), covered=False, judged=False, converted=True),
    Target("xg-records", _packed_as_xg, (), covered=False, converted=True, largest=1 << 18, own=_xg_records),
    Target("bgf-smile", _packed_as_bgf, (), covered=False, converted=True, own=_smiles),
    Target("ogxm-body", _packed_as_ogxm, (), covered=False, converted=True, largest=1 << 16, own=_ogxm),
    Target("met", _unread, (), own=_tables, largest=1 << 16, work=examine_table),
    Target("settings", _unread, (), own=_settings, work=examine_settings),
    Target("rules", _unread, (), own=_rules, largest=1 << 10, work=examine_rules),
    Target("id", _unread, (), own=_ids, largest=1 << 10, work=examine_id),
    *(
        Target(
            each.name,
            _past_the_sniffer(each.name),
            (),
            _FOLDERS.get(each.name, ()),
            written=each.writer != "",
            judged=False,
            covered=each.name == "mat",
            converted=True,
            largest=_LARGEST.get(each.name, 1 << 12),
        )
        for each in our_formats()
        if each.reader and ((each.writer and each.holds_matches) or each.name in _FOLDERS)
    ),
)
BY_NAME = {target.name: target for target in TARGETS}
