"""Repairing: what is changed, what is left as it is, and what is refused."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgtools.checks import check, parse_settings, resolve_settings
from bgtools.conversion import convert, parse_target
from bgtools.findings import Fix
from bgtools.formats import read_source, reading
from bgtools.repair import Refused, repair
from bgtools.repair.edits import apart, edited, rewritten
from bgtools.source import Span, decode, encode
from same_match import differences
from slips import Library, kind_named, planted

SAMPLES = Path(__file__).parents[2] / "samples"

FIVE = (SAMPLES / "five-slips.mat").read_bytes()
SOUND = sorted(path for path in SAMPLES.glob("*.mat") if path.name != "five-slips.mat")


def errors(data: bytes) -> list[str]:
    return [each.code.id for match in read_source(data, "m.mat") for each in check(match)]


def test_five_slips_are_put_right_and_nothing_else_is_touched() -> None:
    done = repair(FIVE, "five-slips.mat")
    assert errors(done.after) == []
    assert sorted(change.finding.code.id for change in done.changes) == ["BG202", "BG203", "BG210", "BG307", "BG402"]
    before, after = FIVE.decode().splitlines(), done.after.decode().splitlines()
    assert len(before) == len(after)
    places = {change.place.line for change in done.changes if change.place}
    assert {number for number, pair in enumerate(zip(before, after, strict=True), 1) if len({*pair}) > 1} == places


@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.name)
def test_a_sound_record_comes_back_byte_for_byte(path: Path) -> None:
    data = path.read_bytes()
    done = repair(data, path.name, unsafe=True)
    assert done.after == data
    assert done.changes == ()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_encoding_and_line_ends_stay(encoding: str, line_end: str) -> None:
    text = FIVE.decode().replace("Greta Holm", "Grëta Holm").replace("\r\n", line_end)
    done = repair(text.encode(encoding), "m.mat")
    right = repair(FIVE, "m.mat").after.decode().replace("Greta Holm", "Grëta Holm").replace("\r\n", line_end)
    assert done.after == right.encode(encoding)


@given(st.text(max_size=40), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_what_is_decoded_is_encoded_again(text: str, encoding: str) -> None:
    data = text.encode(encoding, "replace")
    assert encode(decode(data, "").text, like=data) == data


@given(st.binary(max_size=40))
def test_no_byte_is_lost_in_windows_1252(data: bytes) -> None:
    if decode(data, "").encoding == "cp1252" and not data.startswith(b"\xef\xbb\xbf"):
        assert encode(decode(data, "").text, like=data) == data


def test_repaired_again_nothing_changes() -> None:
    once = repair(FIVE, "m.mat", unsafe=True).after
    assert repair(once, "m.mat", unsafe=True).after == once


def test_only_what_is_selected_is_put_right() -> None:
    policy = resolve_settings(parse_settings(select=["BG402"]))
    done = repair(FIVE, "m.mat", policy=policy)
    assert [change.finding.code.id for change in done.changes] == ["BG402"]
    assert [each.code.id for some in done.findings for each in some] == []


def test_an_unsafe_fix_is_only_made_when_asked_for() -> None:
    kind = kind_named("blocked point")
    for slip in planted(kind, "misread", Library(3), each=8):
        offered = [each.fix for each in check(read_source(slip.text.encode(), "m.mat")[0]) if each.fix]
        if offered and all(fix.applicability == "unsafe" for fix in offered):
            done = repair(slip.text.encode(), "m.mat")
            assert done.after.decode() == slip.text
            assert done.left == len(offered)
            return
    pytest.skip("every slip of this seed proves its fix")


@pytest.mark.parametrize("name", ["blocked point", "no checker there", "wrong points: cube", "die left unplayed"])
def test_what_safe_fixes_give_back_is_what_was_there(name: str) -> None:
    for slip in planted(kind_named(name), "misread", Library(4), each=3):
        done = repair(slip.text.encode(), "m.mat")
        if done.changes and slip.sound:
            one, two = (read_source(each, "m.mat")[0] for each in (done.after, slip.sound.encode()))
            assert not differences(one, two), slip.note


def test_a_last_play_that_cannot_be_is_not_made_up() -> None:
    ruined = repair(FIVE, "m.mat").after.decode().replace(" 27) 51: 1/0 1/0", " 27) 51: 9/4 9/8")
    done = repair(ruined.encode(), "m.mat", unsafe=True)
    assert done.after.decode() == ruined
    assert any(each.code.id == "BG202" for some in done.findings for each in some)


# --- other formats ----------------------------------------------------------------------------


@pytest.mark.parametrize("to", ["json", "xg", "ogxm", "gam"])
def test_a_record_that_is_no_plain_text_is_put_right_too(to: str) -> None:
    allow = ("BG501", "BG502", "BG503", "BG504", "BG505", "BG506", "BG507", "BG508", "BG509", "BG510", "BG511")
    data = convert(read_source(FIVE, "m.mat"), parse_target(to), allow=allow).data
    done = repair(data, f"m.{to}", unsafe=True)
    left = {each.code.id for some in done.findings for each in some if each.severity >= 3}
    assert left == set()
    assert len(done.changes) >= 4


def test_a_packed_record_is_refused() -> None:
    with pytest.raises(Refused, match="unpack"):
        repair(gzip.compress(FIVE), "m.mat.gz")


def test_a_packed_record_without_a_fix_is_no_trouble() -> None:
    data = gzip.compress(SOUND[0].read_bytes())
    assert repair(data, "m.mat.gz").after == data


# --- edits --------------------------------------------------------------------------------------


def test_edits_are_made_together() -> None:
    edits = [Fix(Span(4, 5), "E"), Fix(Span(0, 1), "AA"), Fix(Span(2, 2), "+")]
    assert edited("abcdef", edits) == "AAb+cdEf"


def test_edits_that_overlap_are_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        edited("abcdef", [Fix(Span(0, 3), ""), Fix(Span(2, 4), "")])


def test_of_two_that_touch_the_first_is_made() -> None:
    assert apart([Fix(Span(2, 4), "x"), Fix(Span(4, 5), "y"), Fix(Span(6, 7), "z")]) == [
        Fix(Span(2, 4), "x"),
        Fix(Span(6, 7), "z"),
    ]


def test_a_letter_that_has_no_place_is_refused() -> None:
    with pytest.raises(ValueError, match="encode"):
        rewritten("é".encode("cp1252"), "é", [Fix(Span(0, 1), "☺")])


def test_random_edits_keep_what_is_beside_them() -> None:
    rng = random.Random(8)
    for _ in range(200):
        text = "".join(rng.choice("abc \r\n") for _ in range(30))
        at = sorted(rng.sample(range(30), 4))
        edits = [Fix(Span(at[0], at[1]), "1"), Fix(Span(at[2], at[3]), "22")]
        made = edited(text, edits)
        assert made == text[: at[0]] + "1" + text[at[1] : at[2]] + "22" + text[at[3] :]


@pytest.mark.parametrize("name", ["columns swapped", "rest in the other columns"])
def test_what_only_stands_in_another_place_is_put_back_though_nothing_counts_what_it_explains(name: str) -> None:
    restored = 0
    for slip in planted(kind_named(name), "misread", Library(4, limit=6), each=2):
        done = repair(slip.text.encode(), "m.mat", unsafe=True)
        one, two = (read_source(each, "m.mat")[0] for each in (done.after, slip.sound.encode()))
        restored += not differences(one, two)
    assert restored == 2


def test_the_format_of_a_file_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []
    usual = reading.recognise

    def counted(*given: Any) -> Any:
        asked.append(given)
        return usual(*given)

    monkeypatch.setattr(reading, "recognise", counted)
    assert len(repair(FIVE, "m.mat").changes) == 5
    assert len(asked) == 1
