"""Rules of a grammar that need no parser mean the same with one."""

from __future__ import annotations

from functools import cache

from hypothesis import given, strategies as st

from bgtools.formats.printed import gnubg_lines
from bgtools.formats.shared.lines import LineParser, Stop

LINES = {
    "equity": ("+0.086 (-0.050)", "-0.123", "52.10% ( -3.02%)"),
    "figures": ("0.514 0.162 0.007 - 0.486 0.129 0.007",),
    "cubeless": ("cubeless equity -0.082 (Money: -0.063)", "cubeless MWC 49.20%"),
    "choice": ("No double           -0.090", "Double, pass        +1.000  (+1.090)", "Redouble, take 61.20% (+1.00%)"),
    "alert": ("lucky roll! ( +0.439)", "missed double"),
    "rolled": ("53 (+0.439):", "53:"),
}


@cache
def by_lark() -> LineParser:
    return LineParser("gnubg_text", gnubg_lines.STARTS, gnubg_lines._GnubgLinesBuilder)


def test_every_sort_of_line_is_read_without_a_parser() -> None:
    assert set(LINES) == gnubg_lines.PARSER.simple
    for kind, texts in LINES.items():
        for text in texts:
            said = gnubg_lines.PARSER.parse(text, kind)
            assert not isinstance(said, Stop)
            assert said == by_lark().parse(text, kind)


@st.composite
def ruined(draw: st.DrawFn) -> tuple[str, str]:
    """A line with some characters gone, changed or added."""
    kind = draw(st.sampled_from(sorted(LINES)))
    text = draw(st.sampled_from(LINES[kind]))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        text = (
            text[:at]
            + draw(st.sampled_from("0123456789.-+%() :!adp,\t\u00a0")) * draw(st.integers(0, 1))
            + text[at + draw(st.integers(0, 1)) :]
        )
    return kind, text


@given(ruined())
def test_a_ruined_line_is_read_or_refused_as_by_the_parser(line: tuple[str, str]) -> None:
    kind, text = line
    assert gnubg_lines.PARSER.parse(text, kind) == by_lark().parse(text, kind)
