"""Report folders: names, replacing one's own, refusing others', nothing half written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bgtools.engines.protocol import Stamp
from bgtools.reports.folder import ForeignFolder, ensure_not_poorer, folder_name, report_folder


def write(target: Path, *names: str, force: bool = False) -> None:
    with report_folder(target, force=force) as folder:
        for name in names:
            (folder / name).write_text(name)
        (folder / "report.json").write_text(json.dumps({"files": ["report.json", *names]}))


@pytest.mark.parametrize(
    ("record", "folder"),
    [
        ("match.mat", "match-report"),
        ("dir/Ann - Bob 7pt.txt", "Ann-Bob-7pt-report"),
        ("../..", "match-report"),
        ("-", "stdin-report"),
        ("a/b\x1b[31m.mat", "b-31m-report"),
        ("con.mat", "match-con-report"),
        ("7 ポイントマッチ.txt", "7-ポイントマッチ-report"),
        ("x" * 300 + ".mat", "x" * 100 + "-report"),
    ],
)
def test_names_are_safe(record: str, folder: str) -> None:
    assert folder_name(record) == folder


def test_files_of_an_earlier_report_that_are_no_longer_written_go(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write(target, "a.csv", "b.png")
    write(target, "a.csv")
    assert sorted(path.name for path in target.iterdir()) == ["a.csv", "report.json"]


def test_a_failure_leaves_the_earlier_report_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write(target, "a.csv")

    class Stopped(Exception):
        pass

    def fail() -> None:
        with report_folder(target) as folder:
            (folder / "a.csv").write_text("new")
            raise Stopped

    with pytest.raises(Stopped):
        fail()
    assert (target / "a.csv").read_text() == "a.csv"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_what_is_not_ours_is_refused_and_named(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write(target, "a.csv")
    (target / "notes.txt").write_text("keep")
    with pytest.raises(ForeignFolder, match=r"notes\.txt"):
        write(target, "a.csv")
    write(target, "b.csv", force=True)
    assert sorted(path.name for path in target.iterdir()) == ["b.csv", "notes.txt", "report.json"]


def test_an_index_that_names_paths_elsewhere_claims_nothing(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.mkdir()
    victim = tmp_path / "victim.txt"
    victim.write_text("safe")
    (target / "report.json").write_text(json.dumps({"files": ["report.json", "../victim.txt"]}))
    write(target, "a.csv")
    assert victim.read_text() == "safe"


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_text("")
    with pytest.raises(ForeignFolder, match="not a folder"):
        write(target, "a.csv")


def test_a_report_with_rollouts_or_more_decisions_is_kept(tmp_path: Path) -> None:
    by = Stamp("sage", "2", "standard", "")
    conventions = {"engine": "sage", "level": "standard", "rollouts": "sage, batches of 36 games"}
    errors = {"errors": {"not_analysed": 1}}
    index = tmp_path / "report.json"
    index.write_text(json.dumps({"conventions": conventions, "players": [errors, errors]}))
    ensure_not_poorer(tmp_path, {"sage": by}, rollouts=True, not_analysed=2)
    with pytest.raises(ForeignFolder, match="holds rollouts of the errors"):
        ensure_not_poorer(tmp_path, {"sage": by}, rollouts=False)
    with pytest.raises(ForeignFolder, match="an analysis of 3 decisions that this one lacks"):
        ensure_not_poorer(tmp_path, {"sage": by}, rollouts=True, not_analysed=5)
    for text in ("", "[]", "{}", '{"conventions": 3}', '{"conventions": {"engine": "x"}, "engines": [3]}'):
        index.write_text(text)
        ensure_not_poorer(tmp_path, {}, rollouts=False)
