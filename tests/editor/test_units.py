"""Places in a text as editors count them, in any script."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from bgtools.editor.document import Units
from bgtools.source import Source, Span

if TYPE_CHECKING:
    from bgtools.editor.document import Encoding

TEXT = "Ωmega : 0   \N{SNOWMAN}\r\n \N{GRINNING FACE}\N{CJK UNIFIED IDEOGRAPH-56F2}: 8/5\rlast\n"


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 1 + 4 + 3), ("utf-16", 1 + 2 + 1), ("utf-32", 1 + 1 + 1)])
def test_columns_are_counted_in_the_units_of_the_encoding(encoding: Encoding, column: int) -> None:
    at = TEXT.index(": 8/5")
    units = Units(Source("x", TEXT), encoding)
    assert units.position(at) == (1, column)
    assert units.offset((1, column)) == at


@given(
    st.text(st.sampled_from("ab \r\n\x0b\x85\N{LINE SEPARATOR}é囲😀"), max_size=40),
    st.sampled_from(["utf-8", "utf-16", "utf-32"]),
)
def test_every_offset_comes_back(text: str, encoding: Encoding) -> None:
    """Only the three ends of lines that the protocol knows end one; a form feed or a line separator does not."""
    units = Units(Source("x", text), encoding)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n" or offset == 0:
            assert units.offset(units.position(offset)) == offset


def test_a_place_behind_the_end_of_a_line_or_of_the_text_is_that_end() -> None:
    units = Units(Source("x", TEXT))
    assert units.offset((0, 99)) == TEXT.index("\r\n")
    assert units.offset((99, 0)) == len(TEXT)
    assert units.position(999) == units.position(len(TEXT))


def test_a_place_within_a_letter_is_before_it() -> None:
    units = Units(Source("x", TEXT))
    assert units.offset((1, 2)) == TEXT.index("\N{GRINNING FACE}")


def test_a_mark_of_byte_order_counts_in_the_first_line_only() -> None:
    units = Units(Source("x", "ab\ncd"), lead=1)
    assert units.range(Span(0, 4)) == ((0, 1), (1, 1))
    assert units.offset((0, 1)) == 0
    assert units.offset((1, 1)) == 4
