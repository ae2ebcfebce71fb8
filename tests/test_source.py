"""The text of a record: its encoding, its lines and places in it."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from bgtools.source import Location, Source, Span, decode


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    source = decode("\N{ZERO WIDTH NO-BREAK SPACE}Jürgen".encode(), "a.mat")
    assert (source.text, source.encoding) == ("Jürgen", "utf-8-sig")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_a_record_in_utf_16_is_told_by_its_mark(codec: str) -> None:
    source = decode("\N{ZERO WIDTH NO-BREAK SPACE}7 point match".encode(codec), "a.mat")
    assert (source.text, source.encoding) == ("7 point match", "utf-16")


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"Ren\xc3\xa9e", "Renée", "utf-8"),
        (b"Ren\xe9e", "Renée", "cp1252"),
        (b"Zo\xe9", "Zoé", "cp1252"),
        (b"B\xf8 \x93a\x94", "Bø “a”", "cp1252"),
    ],
)
def test_what_is_no_utf_8_is_windows_1252(data: bytes, text: str, encoding: str) -> None:
    source = decode(data, "a.mat")
    assert (source.text, source.encoding) == (text, encoding)


def test_a_byte_that_windows_1252_leaves_open_is_kept() -> None:
    assert decode(b"\xff\x81\x8d", "a.mat").text == "\xff\x81\x8d".replace("\xff", "ÿ")


def test_a_broken_utf_8_text_behind_a_mark_is_read_as_windows_1252() -> None:
    source = decode(b"\xef\xbb\xbfJ\xfcrgen", "a.mat")
    assert (source.text, source.encoding) == ("Jürgen", "cp1252")


@given(st.binary(max_size=80))
def test_every_byte_string_decodes(data: bytes) -> None:
    source = decode(data, "a.mat")
    marks = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
    assert bool(source.text) is (data not in (b"", *marks))


def test_lines_end_in_any_of_three_ways() -> None:
    source = Source("a.mat", "one\r\ntwo\nthree\rfour")
    assert [source.text[start:end] for start, end in source.lines] == ["one", "two", "three", "four"]
    assert source.line_text(3) == "three"


def test_a_place_is_line_and_column_from_one() -> None:
    source = Source("a.mat", "one\r\ntwo\n")
    assert source.location(0) == Location(1, 1)
    assert source.location(5) == Location(2, 1)
    assert source.location(7) == Location(2, 3)
    assert source.location(9) == Location(3, 1)
    assert source.lines[2] == Span(9, 9)


@given(st.text(alphabet="ab \r\n", max_size=40))
def test_every_character_but_a_line_end_stands_in_its_line(text: str) -> None:
    source = Source("a.mat", text)
    assert "".join(text[start:end] for start, end in source.lines) == text.replace("\r", "").replace("\n", "")
    for offset, char in enumerate(text):
        if char not in "\r\n":
            line, column = source.location(offset)
            assert source.line_text(line)[column - 1] == char


@given(st.text(alphabet="ab \t\n\r\f\x85\u2028", max_size=60))
def test_a_line_is_found_by_its_number(text: str) -> None:
    source = Source("x", text)
    lines = [source.text[start:end] for start, end in source.lines]
    assert [source.line_text(number) for number in range(1, len(lines) + 1)] == lines


def test_every_byte_has_a_character_of_its_own_in_windows_1252() -> None:
    text = decode(bytes(range(256)), "x").text
    assert len(set(text)) == 256
    assert (text[0x80], text[0x81], text[0xFF]) == ("\N{EURO SIGN}", "\x81", "\N{LATIN SMALL LETTER Y WITH DIAERESIS}")
