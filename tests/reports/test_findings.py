"""Findings as text: carets under the right columns, nothing raw, long rows cut."""

from __future__ import annotations

from bgtools.findings import codes
from bgtools.findings.finding import Finding, Related, Severity, printable
from bgtools.reports.findings import concise, excerpt, full, summary
from bgtools.source import Source, Span


def test_the_caret_stands_under_the_span() -> None:
    source = Source("x.mat", "first\n  1) 31: 8/5 6/5\nlast")
    row, caret = excerpt(source, Span(13, 16))
    assert row == "  1) 31: 8/5 6/5"
    assert caret == "       ^^^"
    assert row[caret.index("^") :].startswith(": 8")


def test_the_caret_reckons_with_wide_characters() -> None:
    source = Source("x.mat", " 菊池 : 0   Bob : 0")
    _, caret = excerpt(source, Span(10, 13))
    assert caret == " " * 12 + "^^^"


def test_a_long_row_is_cut_around_the_span() -> None:
    source = Source("x.mat", "x" * 5000 + "BAD" + "y" * 5000)
    row, caret = excerpt(source, Span(5000, 5003))
    assert len(row) < 200
    at = caret.index("^")
    assert row[at : at + 3] == "BAD"


def test_control_characters_are_not_printed() -> None:
    assert printable("a\x1b[0m\tb\x00") == "a\N{REPLACEMENT CHARACTER}[0m b\N{REPLACEMENT CHARACTER}"


def test_facts_hint_and_related_places_stand_below() -> None:
    source = Source("x.mat", "one\ntwo\nthree")
    finding = Finding(
        codes.BLOCKED, Span(4, 7), "no way", ("a fact",), "a hint", (Related(Span(8, 13), "follows"),), game=2
    )
    text = full(finding, source)
    assert text.splitlines() == [
        "x.mat:2:1: error BG203 no way (game 2)",
        "  |",
        "2 | two",
        "  | ^^^",
        "  = a fact",
        "  = hint: a hint",
        "  = line 3: follows",
    ]
    assert concise(finding, source) == "x.mat:2:1: error BG203 no way (game 2) [blocked-point]"


def test_the_summary_counts_by_severity() -> None:
    assert summary({}, 1) == "no findings in 1 file"
    assert summary({Severity.HINT: 1, Severity.ERROR: 2}, 3) == "2 errors, 1 hint in 3 files"
