"""What is fuzzed. Another reader is another line in `TARGETS`."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bgtools.formats import FORMATS, Content, FormatError, find_format, read_source
from bgtools.formats.mat.writer import write
from selfplay import random_match
from support import CORPUS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bgtools.record import Match

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
LARGEST_SEED = 1 << 14
"""Bytes of the largest file that is taken as a seed: what a fuzzer finds, it finds in small files."""
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
    """

    name: str
    read: Callable[[bytes, str], tuple[Match, ...]]
    endings: tuple[str, ...]
    folders: tuple[str, ...] = ()
    written: bool = False
    judged: bool = True
    covered: bool = True

    def seeds(self) -> Iterator[bytes]:
        """The samples of its format, the files of the corpus, and matches made here; match text where there is none."""
        found = list(self._own_seeds())
        yield from found or made()

    def _own_seeds(self) -> Iterator[bytes]:
        for path in sorted(SAMPLES.iterdir()):
            if path.name.endswith(self.endings):
                yield path.read_bytes()
        if ".mat" in self.endings:
            yield from made()
        if self.written:
            for data in made():
                with suppress(FormatError):
                    yield find_format(self.name).write(read_source(data, "made"))
        for folder in self.folders:
            small = [path for path in sorted((CORPUS / folder).glob("*")) if path.stat().st_size <= LARGEST_SEED]
            for path in random.Random(folder).sample(small, min(len(small), FILES)):
                yield path.read_bytes()


def made(count: int = 8) -> Iterator[bytes]:
    """Small matches of random plays, with all that a record can hold."""
    rng = random.Random(1)
    for seed in range(count):
        match = random_match(seed, rng.choice((0, 1, 3, 5)), games=2, set_positions=bool(seed % 2), doubling=0.1)
        yield write(match).encode()


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

TARGETS = (
    Target("any", read_source, (".mat", ".txt"), ("mat", "other-text", "gnubg-analysis-txt"), covered=False),
    *(
        Target(
            each.name,
            _past_the_sniffer(each.name),
            (),
            _FOLDERS.get(each.name, ()),
            written=each.writer != "",
            judged=False,
            covered=each.name == "mat",
        )
        for each in FORMATS
        if each.reader and ((each.writer and each.holds_matches) or each.name in _FOLDERS)
    ),
)
BY_NAME = {target.name: target for target in TARGETS}
