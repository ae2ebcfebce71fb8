"""Every pattern of the library, on texts that make careless ones try the same again and again."""

from __future__ import annotations

import importlib
import pkgutil
import random
import re
import time
from typing import TYPE_CHECKING, Final

import bgtools
from bgtools.formats.content import Sign
from support import some_or_all

if TYPE_CHECKING:
    from collections.abc import Iterator

LENGTH: Final = 1000
SECONDS: Final = 0.3
"""Going over such a text once takes a millisecond; over all of it for each of its characters, some ten."""
PIECES: Final = (" ", "\t", "\n", "0", "1", "a", "X", "-", ":", ",", ";", "/", "(", "[", "{", "\\", '"', "=", "*", "é")


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for module in pkgutil.walk_packages(bgtools.__path__, "bgtools."):
        if module.name != "bgtools.__main__":
            try:
                found = vars(importlib.import_module(module.name))
            except ImportError:  # an engine that is not installed
                continue
            for name, value in found.items():
                for each in within(value):
                    yield f"{module.name}.{name}", each


def within(value: object) -> Iterator[re.Pattern[str]]:
    """A pattern, or those of a sign of some format, or of several signs."""
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, Sign):
        yield value.pattern
    elif isinstance(value, tuple):
        for each in value:
            yield from within(each)


def texts(pattern: re.Pattern[str]) -> Iterator[str]:
    """One thing again and again, or two in turn, behind each beginning of what the pattern itself spells."""
    rng = random.Random(pattern.pattern)
    words = re.findall(r"[A-Za-z]+", re.sub(r"\\.|\?P?[<!=:]\w*>?", " ", pattern.pattern)) or [""]
    starts = ["", "1 ", *(f"{word}{sep}" for word in words[:3] for sep in ("", ": "))]
    for start in starts:
        for piece in (*PIECES, *rng.sample([one + two for one in PIECES for two in PIECES], 12)):
            yield start + piece * (LENGTH // len(piece)) + "\x01"


@some_or_all(60)
def test_a_pattern_takes_a_time_in_proportion_to_the_text(step: int) -> None:
    found = {(each.pattern, each.flags): (name, each) for name, each in patterns()}
    assert len(found) > 300
    slow = []
    for name, pattern in found.values():
        for text in [*texts(pattern)][len(name) % step :: step]:
            began = time.process_time()
            pattern.search(text)
            pattern.fullmatch(text)
            if time.process_time() - began >= SECONDS:
                slow.append(f"{name}: {text[:20]!r}")
                break
    assert slow == []
