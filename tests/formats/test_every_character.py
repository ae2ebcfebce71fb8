"""Nothing in a text is skipped in silence: every character belongs to something that the record keeps."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import test_bgammon
import test_gam
import test_oldmoves
import test_party_bgroom
import test_sgg
import test_snowie
import test_tmg

import printed_texts
from bgtools.conversion.conversion import Target, convert
from bgtools.formats.content import FormatError
from bgtools.formats.reading import find_format, read_all, read_source
from bgtools.record.record import places_of

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
TEXTS = {
    "bgammon": test_bgammon.TEXT,
    "fibs": printed_texts.SESSION,
    "gam": test_gam.TEXT,
    "oldmoves": test_oldmoves.TEXT,
    "party": test_party_bgroom.PARTY,
    "bgroom": test_party_bgroom.BGROOM,
    "sgg": test_sgg.TEXT,
    "snowie": test_snowie.LINE,
    "tmg": test_tmg.TEXT,
    "mat": (SAMPLES / "seven-point.mat").read_text(encoding="utf-8"),
    "sgf": convert(read_all(SAMPLES / "money.mat"), Target(find_format("sgf"))).data.decode(),
    "gnubg-text": printed_texts.GNUBG_TEXT,
    "bgblitz": printed_texts.BGBLITZ_PLAYS,
    "xg-text": printed_texts.XG_PLAYS,
}
STRANGE = ("§", "§ ", " §§ ", "zz", "(q)", " 9 ", "[w]", ";", "\n§\n", "\t-\t")
"""What slips into a text."""


def missed(text: str, name: str) -> list[str]:
    """The characters of a text, blanks aside, that belong to nothing."""
    covered = [False] * len(text)
    for match in read_source(text.encode(), "x", name):
        for start, end in places_of(match):
            covered[start:end] = [True] * (end - start)
    return [char for char, is_kept in zip(text, covered, strict=True) if not is_kept and not char.isspace()]


@pytest.mark.parametrize("name", TEXTS)
def test_every_character_belongs_to_something(name: str) -> None:
    assert missed(TEXTS[name].replace("8", "8 §", 1), name) == []


@pytest.mark.parametrize("name", TEXTS)
def test_whatever_slips_into_a_text_belongs_to_something(name: str) -> None:
    text, rng = TEXTS[name], random.Random(name)
    read = 0
    for _ in range(60):
        at = rng.randrange(len(text))
        damaged = f"{text[:at]}{rng.choice(STRANGE)}{text[at:]}"
        try:
            assert missed(damaged, name) == [], damaged[max(at - 20, 0) : at + 20]
        except FormatError:
            continue
        read += 1
    assert read > 3
