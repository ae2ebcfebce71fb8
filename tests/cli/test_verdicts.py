"""``bgtools check --summary``: a verdict per file; and the reports for GitLab and JUnit."""

from __future__ import annotations

import csv
import gzip
import html
import io
import json
import re
import shutil
from dataclasses import fields
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

import bgtools as library
from bgtools.repair.verdicts import FileVerdict
from program import SOUND, WRONG_DIE, bgtools

ROOT = Path(__file__).parents[2]


def _whole(text: str) -> str:
    """The record as one that is complete: of a money session."""
    return text.replace("3 point match", "Money session")


WHOLE = _whole(SOUND)
SLIPS = Path(__file__).parents[2] / "samples" / "five-slips.mat"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(SLIPS, tmp_path / "five.mat")
    (tmp_path / "packed.mat.gz").write_bytes(gzip.compress(SLIPS.read_bytes()))
    (tmp_path / "=sound.mat").write_text(WHOLE)
    (tmp_path / "wrong.mat").write_text(_whole(WRONG_DIE))
    (tmp_path / "junk <&>.mat").write_text("nothing\n")
    (tmp_path / "notes.txt").write_text("nothing\n")
    return tmp_path


def test_every_file_has_a_verdict_also_a_clean_one(folder: Path) -> None:
    done = bgtools("check", "--summary", str(folder))
    assert done.returncode == 2
    lines = done.stdout.splitlines()
    assert f"accept          {folder}/=sound.mat" in lines
    assert f"fixable         {folder}/five.mat: 5 errors; 5 safe fixes leave nothing that fails" in lines
    nothing = "1 fix leaves nothing that fails, with --unsafe-fixes"
    assert f"likely fixable  {folder}/wrong.mat: 1 error; {nothing}" in lines
    assert any(line.startswith(f"unreadable      {folder}/junk <&>.mat: this is not match text") for line in lines)
    told = "1 to accept, 1 fixable, 1 likely fixable, 0 to reject, 1 unreadable"
    assert done.stderr == f"{told}; 1 file skipped that is not a record: {folder}/notes.txt\n"


@pytest.mark.thorough
def test_verdicts_are_the_same_in_every_layout(folder: Path) -> None:
    paths = [str(path) for path in sorted(folder.glob("*.mat*"))]
    objects = json.loads(bgtools("check", "--summary", "--format", "json", *paths).stdout)
    rows = list(csv.DictReader(io.StringIO(bgtools("check", "--summary", "--format", "csv", *paths).stdout)))
    assert [{key: str(value) for key, value in each.items()} for each in objects] == rows
    by_name = {Path(each["file"]).name: each for each in objects}
    assert by_name["five.mat"] | {"file": ""} == {
        "file": "", "verdict": "fixable", "matches": 1, "errors": 5, "warnings": 0, "hints": 0, "fixes": 5,
        "besides": "", "reason": "", "settings": "", "players": "Greta Holm - Ivan Petrov", "event": "3-point match",
        "score": "3-1 of 3", "repaired": "",
        "wrong": "line 15: Greta Holm has no checker on the 14-point for 14/12; 4 more",
    }  # fmt: skip
    assert by_name["packed.mat.gz"]["verdict"] == "reject"
    assert by_name["packed.mat.gz"]["reason"] == (
        "not to be fixed where it is: the record lies in an archive; unpack that first"
    )


def test_what_is_fixable_passes_after_the_fix_and_what_is_rejected_does_not(folder: Path) -> None:
    for name in ("five.mat", "wrong.mat"):
        before = (folder / name).read_bytes()
        (verdict,) = json.loads(bgtools("check", "--summary", "--format", "json", str(folder / name)).stdout)
        assert (folder / name).read_bytes() == before
        fixed = bgtools("check", "--fix", str(folder / name))
        assert fixed.returncode == (0 if verdict["verdict"] == "fixable" else 1)
        if verdict["verdict"] == "likely fixable":
            fixed = bgtools("check", "--fix", "--unsafe-fixes", str(folder / name))
            assert fixed.returncode == 0
        assert fixed.stderr.startswith(f"{verdict['fixes']} fix")


def test_settings_decide_what_is_accepted(folder: Path) -> None:
    wrong = str(folder / "wrong.mat")
    assert bgtools("check", "--summary", wrong, "--ignore", "BG205").stdout == f"accept          {wrong}\n"
    done = bgtools("check", "--summary", "--quiet", "--severity", "BG205=warning", wrong)
    assert (done.returncode, done.stdout) == (0, "")
    done = bgtools("check", "--summary", "--fail-on", "warning", "--severity", "BG205=warning", wrong)
    assert done.returncode == 1
    assert done.stdout.startswith(f"likely fixable  {wrong}: 1 warning; 1 fix")
    done = bgtools("check", "--summary", "-", stdin=WHOLE.encode())
    assert (done.returncode, done.stdout) == (0, "accept          <stdin>\n")


def _cuts() -> list[tuple[str, str]]:
    """Records that end before their match is decided: at the end of every game but the last, and within each game."""
    text = (ROOT / "samples" / "seven-point.mat").read_text()
    heads = [found.start() for found in re.finditer(r"^ ?Game \d+$", text, re.MULTILINE)]
    ends = [*heads[1:], len(text)]
    inside = [text.rindex("\n", 0, (start + end) // 2) + 1 for start, end in zip(heads, ends, strict=True)]
    return [(f"at {end}", text[:end]) for end in sorted([*heads[1:], *inside])]


@pytest.mark.parametrize("profile", ["tournament", "lenient"])
def test_a_match_that_ends_before_it_is_decided_is_incomplete(tmp_path: Path, profile: str) -> None:
    for number, (_, text) in enumerate(_cuts()):
        (tmp_path / f"cut{number:02}.mat").write_text(text)
    shutil.copy(ROOT / "samples" / "seven-point.mat", tmp_path / "whole.mat")
    shutil.copy(ROOT / "samples" / "money.mat", tmp_path / "money.mat")
    done = bgtools("check", "--summary", "--profile", profile, "--format", "json", str(tmp_path))
    verdicts = {Path(each["file"]).name: each for each in json.loads(done.stdout)}
    assert len(verdicts) == len(_cuts()) + 2 > 15
    assert {name for name, each in verdicts.items() if each["verdict"] != "incomplete"} == {"whole.mat", "money.mat"}
    assert all(each["wrong"].startswith("ends at ") for name, each in verdicts.items() if name.startswith("cut"))


def test_a_list_to_publish_holds_every_file_in_every_form(folder: Path, tmp_path: Path) -> None:
    (folder / "empty.mat").write_text("")
    (folder / "empty.txt").write_text("")
    first_game = SLIPS.read_bytes().partition(b" Game 2")[0]  # which takes a third of the time
    (folder / "five.mat").write_bytes(first_game)
    (folder / "packed.mat.gz").write_bytes(gzip.compress(first_game))
    names = {"=sound.mat", "five.mat", "wrong.mat", "junk <&>.mat", "packed.mat.gz", "empty.mat", "empty.txt"}
    for ending in ("html", "md", "csv", "json"):
        target = tmp_path / "out" / f"verdicts.{ending}"
        target.parent.mkdir(exist_ok=True)
        done = bgtools("check", "--summary", "-q", "-o", str(target), *(str(folder / name) for name in sorted(names)))
        assert f"written to {target}: 7 files" in done.stderr
        text = target.read_text(encoding="utf-8")
        plain = html.unescape(text.replace("\\", ""))
        assert all(name in plain for name in names), ending
        assert "Greta Holm - Ivan Petrov" in plain
        assert "likely fixable" in plain
        again = bgtools("check", "--summary", "-o", str(target), str(folder / "five.mat"))
        assert (again.returncode, "--force" in again.stderr) == (2, True)
    listed = bgtools("check", "--summary", str(folder)).stdout
    assert f"unreadable      {folder}/empty.mat: the file is empty" in listed
    assert f"unreadable      {folder}/empty.txt: the file is empty" in listed
    for options, why in (((), "goes with --summary"), (("--summary",), "ends with one of")):
        done = bgtools("check", *options, "-o", str(tmp_path / "x.pdf"), str(folder / "five.mat"))
        assert (done.returncode, why in done.stderr) == (2, True)


@pytest.mark.thorough
def test_the_table_of_matches_has_the_verdicts_of_the_list(folder: Path) -> None:
    paths = [str(path) for path in sorted(folder.glob("*.mat*")) if "junk" not in path.name]
    verdicts = json.loads(bgtools("check", "--summary", "--format", "json", *paths).stdout)
    done = bgtools("table", "matches", *paths)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [(row["file"], row["verdict"], row["wrong"]) for row in rows] == [
        (each["file"], each["verdict"], each["wrong"]) for each in verdicts
    ]
    assert [row["complete"] for row in rows] == ["True"] * len(rows)
    assert "engine" not in done.stderr
    frame = library.table("matches", *paths)
    assert list(frame["verdict"]) == [row["verdict"] for row in rows]
    assert frame["complete"].all()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--summary", "--statistics"), "does not go with --statistics"),
        (("--summary", "--fix"), "does not go with --fix and --diff"),
        (("--summary", "--format", "sarif"), "cannot be printed as sarif"),
        (("--format", "csv"), "goes with --summary"),
        (("--statistics", "--format", "junit"), "cannot be printed as junit"),
        (("--fix", "--format", "gitlab"), "cannot hold fixes"),
    ],
)
def test_options_that_do_not_go_together_are_refused(folder: Path, options: tuple[str, ...], why: str) -> None:
    before = (folder / "five.mat").read_bytes()
    done = bgtools("check", str(folder / "five.mat"), *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert why in done.stderr
    assert (folder / "five.mat").read_bytes() == before


def test_junit_has_a_test_for_every_file(folder: Path) -> None:
    root = ElementTree.fromstring(bgtools("check", "--format", "junit", str(folder)).stdout.encode())
    tests = {Path(each.attrib["name"]).name: each for each in root.iter("testcase")}
    assert set(tests) == {"=sound.mat", "five.mat", "wrong.mat", "junk <&>.mat"}
    assert [each.tag for each in tests["=sound.mat"]] == []
    (failure,) = tests["five.mat"]
    assert (failure.tag, failure.attrib["message"]) == ("failure", "5 errors")
    assert len((failure.text or "").splitlines()) == 5
    (error,) = tests["junk <&>.mat"]
    assert error.tag == "error"
    suites = [{key: int(each.attrib[key]) for key in ("tests", "failures", "errors")} for each in root]
    assert [sum(each[key] for each in suites) for key in ("tests", "failures", "errors")] == [4, 2, 1]


def test_junit_keeps_findings_that_do_not_fail_and_is_xml_whatever_the_record_says(tmp_path: Path) -> None:
    record = tmp_path / 'a"\x01&ü.mat'
    record.write_text(WRONG_DIE.replace("Bob", "<B\x1b]&>"))
    text = bgtools("check", "--format", "junit", "--severity", "BG205=hint", str(record)).stdout
    assert text.isascii()
    (case,) = ElementTree.fromstring(text).iter("testcase")
    assert case.attrib["name"].endswith('a"\N{REPLACEMENT CHARACTER}&ü.mat')
    assert [each.tag for each in case] == ["system-out"]
    assert "BG205 <B" in (case[0].text or "")


def test_gitlab_gets_an_object_a_finding_with_a_fingerprint_of_its_own(folder: Path) -> None:
    done = bgtools("check", "--format", "gitlab", str(folder / "five.mat"), str(folder / "wrong.mat"))
    found = json.loads(done.stdout)
    assert len(found) == len({each["fingerprint"] for each in found}) == 6
    assert {each["severity"] for each in found} == {"major"}
    assert found[0]["location"] == {"path": f"{folder}/five.mat", "lines": {"begin": 15, "end": 15}}
    assert found[0]["check_name"] == "BG202 no-checker-there"
    assert json.loads(bgtools("check", "--format", "gitlab", str(folder / "=sound.mat")).stdout) == []


def test_verdicts_as_json_follow_their_schema(folder: Path) -> None:
    schema = json.loads((ROOT / "docs" / "verdicts.schema.json").read_text(encoding="utf-8"))
    (folder / "nonsense.mat").write_text("hello")
    done = bgtools("check", "--summary", "--format", "json", str(folder))
    found = json.loads(done.stdout)
    jsonschema.validate(found, schema)
    assert {each["verdict"] for each in found} >= {"accept", "unreadable"}
    names = {each.name for each in fields(FileVerdict)}
    assert {*schema["items"]["properties"]} == {*schema["items"]["required"]} == names
