"""Repairing: what is changed, what is left as it is, and what is refused."""

from __future__ import annotations

import gzip
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from bench_repair import is_same
from bgtools.checks.checking import check
from bgtools.checks.settings import parse_settings, resolve_settings
from bgtools.conversion.conversion import convert, parse_target
from bgtools.decoder import interpretation
from bgtools.decoder.game import Effort
from bgtools.findings.finding import Fix
from bgtools.formats import reading
from bgtools.formats.reading import read_source
from bgtools.repair.repairing import repair
from bgtools.repair.states import Repair, RepairRefused, edited, rewritten
from bgtools.source import Span, decode, encode
from same_match import differences
from slips import Library, Slip, kind_named, planted
from slips.core import sources, varied_sources
from support import CORPUS, check_and_offer, mat, needs_corpus, row

SAMPLES = Path(__file__).parents[2] / "samples"

FIVE = (SAMPLES / "five-slips.mat").read_bytes()
SOUND = sorted(path for path in SAMPLES.glob("*.mat") if path.name != "five-slips.mat")


@cache
def five(*, unsafe: bool = False) -> Repair:
    """The sample with five slips, repaired once for all tests."""
    return repair(FIVE, "m.mat", unsafe=unsafe)


def errors(data: bytes) -> list[str]:
    return [each.code.id for match in read_source(data, "m.mat") for each in check(match)]


def test_five_slips_are_put_right_and_nothing_else_is_touched() -> None:
    done = five()
    assert errors(done.after) == []
    assert sorted(change.finding.code.id for change in done.changes) == ["BG202", "BG203", "BG210", "BG307", "BG402"]
    before, after = FIVE.decode().splitlines(), done.after.decode().splitlines()
    assert len(before) == len(after)
    places = {change.location.line for change in done.changes if change.location}
    assert {number for number, pair in enumerate(zip(before, after, strict=True), 1) if len({*pair}) > 1} == places


@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.name)
def test_a_sound_record_comes_back_byte_for_byte(path: Path) -> None:
    data = path.read_bytes()
    done = repair(data, path.name, unsafe=True)
    assert done.after == data
    assert done.changes == ()


@pytest.mark.quick(one_in=12)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_encoding_and_line_ends_stay(encoding: str, line_end: str) -> None:
    text = FIVE.decode().replace("Greta Holm", "Grëta Holm").replace("\r\n", line_end)
    done = repair(text.encode(encoding), "m.mat")
    right = five().after.decode().replace("Greta Holm", "Grëta Holm").replace("\r\n", line_end)
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
    once = five(unsafe=True).after
    assert repair(once, "m.mat", unsafe=True).after == once


def test_only_what_is_selected_is_put_right() -> None:
    policy = resolve_settings(parse_settings(select=["BG402"]))
    done = repair(FIVE, "m.mat", policy=policy)
    assert [change.finding.code.id for change in done.changes] == ["BG402"]
    assert [each.code.id for some in done.findings for each in some] == []


def test_an_unsafe_fix_is_only_made_when_asked_for() -> None:
    kind = kind_named("blocked point")
    for slip in planted(kind, "misread", Library(3), each=8):
        offered = [each.fix for each in check_and_offer(read_source(slip.text.encode(), "m.mat")[0]) if each.fix]
        if offered and all(fix.applicability == "unsafe" for fix in offered):
            done = repair(slip.text.encode(), "m.mat")
            assert done.after.decode() == slip.text
            assert done.left == len(offered)
            return
    pytest.skip("every slip of this seed proves its fix")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["blocked point", "no checker there", "wrong points: cube", "die left unplayed"])
def test_what_safe_fixes_give_back_is_what_was_there(name: str) -> None:
    for slip in planted(kind_named(name), "misread", Library(4), each=3):
        done = repair(slip.text.encode(), "m.mat")
        if done.changes and slip.sound:
            one, two = (read_source(each, "m.mat")[0] for each in (done.after, slip.sound.encode()))
            assert not differences(one, two), slip.note


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("name", ["length wrong", "money for a match", "die left unplayed"])
def test_what_the_rest_of_the_record_and_common_use_tell_is_put_right(name: str) -> None:
    for slip in planted(kind_named(name), "misread", Library(71), each=3):
        done = repair(slip.text.encode(), "m.mat", unsafe=True)
        assert is_same(done.after.decode(), slip.sound), slip.note


def test_names_that_stand_exchanged_before_a_level_score_and_on_are_all_put_right() -> None:
    ann = (row(1, "", "31: 8/5 6/5"), row(2, " Doubles => 2", " Drops"), "      Wins 1 point", "")
    bob = (
        row(1, "31: 8/5 6/5", "42: 8/4 6/4"), row(2, " Doubles => 2", " Takes"),
        row(3, "64: 24/14", " Doubles => 4"), row(4, " Drops", " Wins 2 points"), "",
    )  # fmt: skip
    names = [" Ann : 1                        Bob : 0", " Ann : 2                        Bob : 0",
             " Ann : 2                        Bob : 2"]  # fmt: skip
    right = mat(*ann, " Game 2", names[0], *ann, " Game 3", names[1], *bob, " Game 4", names[2], *ann)
    slip = right
    for line in names[1:]:
        ann_has, bob_has = re.findall(r"\d", line)
        slip = slip.replace(line, f" Bob : {ann_has}                        Ann : {bob_has}")
    (wrong,) = check_and_offer(read_source(slip.encode(), "m.mat")[0])
    assert (wrong.code.id, wrong.hint) == ("BG010", "so do those on the score lines that follow")
    assert is_same(repair(slip.encode(), "m.mat", unsafe=True).after.decode(), right)


def test_two_rows_or_the_cells_of_a_column_in_each_others_place_are_both_told_where_both_fit() -> None:
    slips = planted(kind_named("rows exchanged"), "misread", Library(71), each=2)
    undecided = 0
    for slip in slips:
        done = repair(slip.text.encode(), "m.mat", unsafe=True)
        assert not done.changes or is_same(done.after.decode(), slip.sound), slip.note
        for finding in done.undecided:
            assert finding.fix is not None
            rights = (edited(slip.text, [fix]) for fix in (finding.fix, *finding.fix.alternatives))
            assert sum(is_same(right, slip.sound) for right in rights) == 1
            assert finding.fix.applicability == "unsafe"
        undecided += len(done.undecided)
    assert undecided


def test_a_double_and_its_answer_written_a_second_time_are_taken_out_whatever_follows() -> None:
    once = row(2, " Doubles => 2", " Takes")
    right = mat(row(1, "31: 8/5 6/5", "42: 8/4 6/4"), once, row(3, "64: 24/14", "52: 13/11 13/8"))
    slip = right.replace(once, f"{once}\n{row(3, ' Doubles => 2', ' Takes')}").replace("  3) 64", "  4) 64")
    (wrong,) = (each for each in check_and_offer(read_source(slip.encode(), "m.mat")[0]) if each.severity >= 3)
    assert wrong.hint == "the double and its answer before it are written a second time"
    assert repair(slip.encode(), "m.mat").after == slip.encode()
    assert is_same(repair(slip.encode(), "m.mat", unsafe=True).after.decode(), right)


def test_a_double_moves_to_the_other_column_in_a_game_without_a_roll_there() -> None:
    right = mat(
        row(1, "31: 8/5 6/5", "42: 8/4 6/4"), row(2, "64: 24/14", " Doubles => 2"), row(3, " Drops", " Wins 1 point"),
        "", " Game 2", " Ann : 0                        Bob : 1",
        row(1, "43: 13/9 8/5", " Doubles => 2"), row(2, " Drops", " Wins 1 point"),
    )  # fmt: skip
    rows = row(1, "43: 13/9 8/5", ""), row(2, " Doubles => 2", ""), row(3, " Drops", " Wins 1 point")
    slip = right[: right.index(row(1, "43:"))] + "\n".join((*rows, ""))
    assert slip != right
    done = repair(slip.encode(), "m.mat", unsafe=True)
    assert is_same(done.after.decode(), right)


def test_a_last_play_that_cannot_be_is_the_only_one_of_its_roll() -> None:
    right = five().after
    ruined = right.replace(b" 27) 51: 1/0 1/0", b" 27) 51: 9/4 9/8")
    assert ruined != right
    assert repair(ruined, "m.mat", unsafe=True).after == right


# --- other formats ----------------------------------------------------------------------------


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("to", ["json", "xg", "ogxm", "gam"])
def test_a_record_that_is_no_plain_text_is_put_right_too(to: str) -> None:
    allow = ("BG501", "BG502", "BG503", "BG504", "BG505", "BG506", "BG507", "BG508", "BG509", "BG510", "BG511")
    data = convert(read_source(FIVE, "m.mat"), parse_target(to), allow=allow).data
    done = repair(data, f"m.{to}", unsafe=True)
    left = {each.code.id for some in done.findings for each in some if each.severity >= 3}
    assert left == set()
    assert len(done.changes) >= 4


_LOSSES = tuple(f"BG5{number:02}" for number in range(1, 12))


def changed_lines(one: bytes, two: bytes) -> list[tuple[str, str]]:
    """The lines that are not the same, of files with as many lines."""
    before, after = one.decode().splitlines(), two.decode().splitlines()
    return [pair for pair in zip(before, after, strict=True) if len({*pair}) > 1]


def test_a_play_of_sgf_is_put_right_in_its_brackets_and_nothing_else_moves() -> None:
    data = convert(read_source(five().after, "m.mat"), parse_target("sgf"), allow=_LOSSES).data
    # As another program might have laid it out; nothing of that may change.
    strange = data.replace(b"GM[6]", b"GM [6]\r\n ZZ[kept]").replace(b";W[32mjmk]", b"\t; W [32mjnl ]C[a \\] ; W]")
    assert strange.count(b"nl ]") == 1
    done = repair(strange, "m.sgf")
    assert done.after == strange.replace(b"[32mjnl ]", b"[32mjmk]")
    assert [(change.finding.code.id, change.fix.text) for change in done.changes] == [("BG202", "32mjmk")]
    assert errors_of(done) == set()


@pytest.mark.quick(one_in=5)
@pytest.mark.parametrize(
    ("slip", "right"),
    [
        (b"A[0][mjmk E 1][mknk E 2]", b"A[0][mjmk E 1][mknk E 2]"),  # it says already which play was meant
        (b"LU[0.1]A [1][mknk E 2][mkmj E 1]GW[1]", b"LU[0.1]A [1][mknk E 2][mkmj E 1]GW[1]"),
        (b"LU[0.1]A [0][mknk E 2][mkmj E 1]GW[1]", b"LU[0.1]A [1][mknk E 2][mkmj E 1]GW[1]"),
        (b"LU[0.1]A[0][mknk E 2]GW[1]", b"LU[0.1]GW[1]"),  # of what was not played
        (b"C[A\\[0\\]]", b"C[A\\[0\\]]"),
    ],
)
def test_the_number_of_the_play_in_the_analysis_beside_it_goes_with_a_play_of_sgf(slip: bytes, right: bytes) -> None:
    data = convert(read_source(five().after, "m.mat"), parse_target("sgf"), allow=_LOSSES).data
    done = repair(data.replace(b";W[32mjmk]", b";W[32mjnl]" + slip), "m.sgf")
    assert done.after == data.replace(b";W[32mjmk]", b";W[32mjmk]" + right)


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize(
    ("right", "wrong"), [(b"RE[W+2]", b"RE[W+1]"), (b"[ws:2][bs:1]", b"[ws:1][bs:1]"), (b"B[take]", b"B[drop]")]
)
def test_results_scores_and_answers_of_sgf_are_put_right_at_their_places(right: bytes, wrong: bytes) -> None:
    data = convert(read_source(five().after, "m.mat"), parse_target("sgf"), allow=_LOSSES).data
    data = data.replace(b"GM[6]", b"GM [6] ZZ[kept]", 1)
    assert data.count(right) >= 1
    slip = data.replace(right, wrong, 1)
    done = repair(slip, "m.sgf", unsafe=True)
    assert done.changes
    assert done.after == data


CUBE_SLIPS = (
    "double in the Crawford game", "take without offer", "offer without answer", "wrong cube value",
    "beaver in a match", "beaver by the doubler", "drop for take", "take for drop", "take and drop", "answer twice",
    "answer in the wrong column", "answer after the roll", "drop left out", "double left out",
    "double in the wrong column", "value of any double",
)  # fmt: skip


def strange_sgf(text: str) -> bytes:
    """Match text as SGF, laid out as no writer of ours would; nothing of that may change."""
    data = convert(read_source(text.encode(), "m.mat"), parse_target("sgf"), allow=_LOSSES).data
    # Whether a result has the letter of a resignation depends on the cube action that is fixed.
    data = re.sub(rb"(RE\[\w\+\d+)R\]XB\[.*?\]", rb"\1]", data)
    return data.replace(b"[length", b" [length").replace(b"]\n;", b"]\r\n\t;")


@pytest.mark.quick(one_in=16)
@pytest.mark.parametrize("name", CUBE_SLIPS)
def test_cube_actions_of_sgf_are_put_right_at_their_places(name: str) -> None:
    for slip in planted(kind_named(name), "misread", Library(5), each=2):
        data, right = strange_sgf(slip.text), strange_sgf(slip.sound)
        done = repair(data, "m.sgf", unsafe=True)
        assert re.sub(rb"XB\[=> \d+\]|C\[reconstructed: [^\]]*\]|\s+(?=\))", b"", done.after) == right, slip.note


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(3))
def test_a_beaver_of_sgf_is_put_right_with_the_take_that_other_programs_need_behind_it(part: int) -> None:
    slips = planted(kind_named("beaver for take"), "misread", Library(5), each=16)
    # Without the values of the cube nothing tells which of several takes was a beaver.
    some = [slip for slip in slips if slip.note.startswith("Beavers") and slip.text.count("Takes") == 1]
    for slip in some[part::3]:
        right = strange_sgf(slip.sound)
        assert right.count(b"[take]XB[implied]") > strange_sgf(slip.text).count(b"[take]XB[implied]")
        assert repair(strange_sgf(slip.text), "m.sgf", unsafe=True).after == right
    assert some


def test_what_is_said_of_a_double_stays_where_its_value_is_put_right() -> None:
    data = convert(read_source(five().after, "m.mat"), parse_target("sgf"), allow=_LOSSES).data
    note = b"DA[E ver 3 2C 1 0.000000 0.5 0.2 0.0 0.1 0.0 0.1 0.1]C[XB [=> 8\\]; too large]"
    assert data.count(b"[double]") > 0
    slip = data.replace(b"[double]", b"[double]" + note + b"XB[=> 8]DO[1]", 1)
    done = repair(slip, "m.sgf", unsafe=True)
    assert done.after == slip.replace(b"XB[=> 8]DO", b"DO")


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("to", ["oldmoves", "sgg", "tmg"])
def test_plays_of_other_texts_are_put_right_in_their_words(to: str) -> None:
    slips = convert(read_source(FIVE, "m.mat"), parse_target(to), allow=_LOSSES).data
    sound = convert(read_source(five(unsafe=True).after, "m.mat"), parse_target(to), allow=_LOSSES).data
    plays = [(one, two) for one, two in changed_lines(slips, sound) if "oubl" not in one and "wins" not in one]
    assert len(plays) == 3
    data, right = slips.decode(), slips.decode()
    for one, two in plays:
        right = right.replace(one, two, 1)
    for two, one in changed_lines(sound, slips):
        if (one, two) not in plays:
            data, right = data.replace(one, two, 1), right.replace(one, two, 1)
    # A remark that no writer would write there shows that the file is not rewritten.
    for each in (data, right):
        assert each.count("\n\n") or each.count("\n")
    done = repair(data.replace("\n", "  \n", 1).encode(), f"m.{to}", unsafe=True)
    assert done.after.decode() == right.replace("\n", "  \n", 1)


@needs_corpus
def test_a_play_of_a_text_that_is_only_read_is_put_right_too() -> None:
    path = next(iter(sorted((CORPUS / "gnubg-analysis-txt").glob("*bglib*36415064*"))))
    data = path.read_bytes()
    places = re.finditer(rb"moves \d+/\d+ 1\d/1?", data)
    slips = [data[: each.end()] + b"1" + data[each.end() + 1 :] for each in places]
    slips = slips[:4]
    done = [repair(each, path.name, unsafe=True) for each in slips]
    assert len(slips) == 4
    assert sum(each.after == data for each in done) > len(slips) / 2
    assert all(each.changes for each in done if each.after == data)


def errors_of(done: Repair) -> set[str]:
    return {each.code.id for some in done.findings for each in some if each.severity >= 3}


def test_a_packed_record_is_refused() -> None:
    with pytest.raises(RepairRefused, match="unpack"):
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


@pytest.mark.quick(one_in=2)
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
    usual = reading._likely_formats

    def counted(*given: Any) -> Any:
        asked.append(given)
        return usual(*given)

    monkeypatch.setattr(reading, "_likely_formats", counted)
    assert len(repair(FIVE, "m.mat").changes) == 5
    assert len(asked) == 1


def test_the_search_is_counted_and_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = kind_named("columns swapped")
    slip = next(iter(planted(kind, "misread", Library(4, limit=6), each=1)))
    for nodes, is_cut in ((0, True), (100, False)):
        monkeypatch.setattr(interpretation, "effort_of", lambda _, left=nodes: Effort(left))
        done = repair(slip.text.encode(), "m.mat", unsafe=True)
        assert (done.cut_short is not None) is is_cut
        assert bool(done.changes) is not is_cut


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize(
    "name",
    ["columns swapped from here", "opening double", "backwards hop", "value of any double"],
)
def test_most_slips_of_a_kind_come_back(name: str) -> None:
    done = repaired_slips(name, 101, unsafe=True)
    restored = sum(is_same(after, slip.sound) for slip, after in done)
    assert restored >= 0.7 * len(done) > 0


def test_names_in_each_others_place_do_not_prove_that_a_result_is_wrong() -> None:
    for slip, after in repaired_slips("names swapped from here", 101, unsafe=False):
        assert after == slip.text or is_same(after, slip.sound), slip.note


def repaired_slips(name: str, seed: int, *, unsafe: bool) -> list[tuple[Slip, str]]:
    """Slips of a kind, and the texts after a repair."""
    kind = kind_named(name)
    library = Library(seed, 40, varied_sources if kind.varied else sources)
    return [
        (slip, repair(slip.text.encode(), "m.mat", unsafe=unsafe).after.decode())
        for slip in planted(kind, "misread", library, seed=seed, each=2)
        if slip.sound
    ]


def test_a_result_and_the_last_score_line_are_both_named_where_nothing_tells_which_is_wrong() -> None:
    rows = "  1) 31: 8/5 6/5                 42: 8/4 6/4\n      Wins {} point{}\n\n"
    text = " 7 point match\n\n Game 1\n Ann : 0                        Bob : 0\n" + rows.format(1, "")
    text += " Game 2\n Ann : 2                        Bob : 0\n" + rows.format(1, "")
    done = repair(text.encode(), "m.mat", unsafe=True)
    assert done.after.decode() == text
    (open_finding,) = done.undecided
    assert open_finding.fix is not None
    assert {each.text.split()[-1] for each in (open_finding.fix, *open_finding.fix.alternatives)} == {"1", "points"}
    # A third game that counts two points tells it.
    told = text + " Game 3\n Ann : 3                        Bob : 0\n" + rows.format(1, "")
    done = repair(told.encode(), "m.mat", unsafe=True)
    assert done.after.decode() == told.replace("Wins 1 point", "Wins 2 points\n; reconstructed: the result", 1)
