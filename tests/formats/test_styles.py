"""One match in forty styles: what is read, what vanishes, and which illegal plays are hidden."""

from __future__ import annotations

import random

import pytest

import bgtools
from bgtools.findings.finding import Severity
from bgtools.formats.reading import read_source
from styles import STYLES, Teller, count, made_match, with_illegal_play


@pytest.mark.quick(one_in=8)
@pytest.mark.parametrize("style", STYLES)
def test_every_style_comes_whole(style: str) -> None:
    for seed in (1, 2):
        match = made_match(seed)
        found = count(match, STYLES[style](Teller(match), random.Random(seed)))
        assert found.of > 20
        assert found.read >= 0.98 * found.of
        assert not found.lost


@pytest.mark.quick(one_in=8)
@pytest.mark.parametrize("style", [each for each in STYLES if each != "scanned"])
def test_no_style_hides_an_illegal_play(style: str) -> None:
    match = made_match(3)
    teller = with_illegal_play(match, random.Random(style))
    text = STYLES[style](teller, random.Random(3))
    found = read_source(text.encode(), "x.html" if text.startswith("<") else "x.txt")
    errors = [each for one in found for each in bgtools.check(one) if each.severity is Severity.ERROR]
    assert errors, text


def test_forty_styles() -> None:
    assert len(STYLES) == 40
