"""A report that is killed or interrupted at any step of replacing an earlier one."""

from __future__ import annotations

import json
import os
import signal
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bgtools._disk import save
from bgtools.reports.folder import ForeignFolder, change_text, folder_state, report_folder

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system starts processes otherwise")

STEPS = {
    "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.chmod", "open", "os.scandir", "shutil.rmtree",
    "tempfile.mkdtemp", "tempfile.mkstemp", "fcntl.flock",
}  # fmt: skip
"""What changes a folder, or reads one, as Python tells those who audit it."""
OLD = ("a.csv", "b.csv", "report.json")
NEW = ("b.csv", "c.csv", "report.json")


def write(target: Path, names: tuple[str, ...], text: str, *, force: bool = False) -> None:
    with report_folder(target, force=force) as folder:
        for name in names[:-1]:
            (folder / name).write_text(text)
        (folder / "report.json").write_text(json.dumps({"files": names, "text": text}))


def contents(target: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in target.iterdir()} if target.exists() else {}


def stopped_at(step: int, work: Callable[[], object], stop: Callable[[], object]) -> bool:
    """Do something in a process of its own that ``stop`` ends before its step of this number; False if it has fewer."""
    child = os.fork()
    if not child:
        count = 0

        def audit(event: str, _args: tuple[Any, ...]) -> None:
            nonlocal count
            count += event in STEPS
            if count == step and event in STEPS:
                count += 1
                stop()

        sys.addaudithook(audit)
        try:
            work()
        except KeyboardInterrupt:
            os._exit(130)
        except BaseException:
            os._exit(1)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 130, -signal.SIGKILL), code
    return code != 0


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt() -> None:
    raise KeyboardInterrupt


@pytest.mark.thorough
@pytest.mark.parametrize("stop", [kill, interrupt])
@pytest.mark.parametrize("kind", ["a report", "beside a stranger's file", "in the folder where we are"])
def test_whatever_step_a_report_ends_at_the_folder_is_whole_or_the_next_one_makes_it_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, stop: Callable[[], object]
) -> None:
    step = 0
    while True:
        step += 1
        target = tmp_path / str(step) / "out"
        target.mkdir(parents=True)
        monkeypatch.chdir(target if "where we are" in kind else tmp_path)
        write(target, OLD, "old")
        old = contents(target)
        force = "stranger" in kind
        if force:
            (target / "notes.txt").write_text("keep")
            old["notes.txt"] = "keep"
        ended_early = stopped_at(step, partial(write, target, NEW, "new", force=force), stop)
        found = contents(target)
        assert found.get("notes.txt", "") == old.get("notes.txt", "")
        if kind == "a report":
            # Whole, or put aside whole: never a part.
            if found:
                assert set(found) in (set(OLD), set(NEW)), step
            assert len({json.loads(text)["text"] if text[:1] == "{" else text for text in found.values()}) <= 1, step
            if stop is interrupt:
                assert found, step
        monkeypatch.chdir(tmp_path)
        write(target, NEW, "next", force=force)
        assert set(contents(target)) == {*NEW, *(["notes.txt"] if force else [])}, step
        assert contents(target)["c.csv"] == "next"
        assert [path.name for path in target.parent.iterdir()] == ["out"], step  # nothing is left behind
        if not ended_early:
            assert step > 10
            return


def test_what_was_put_aside_comes_back_when_another_report_is_written_beside_it(tmp_path: Path) -> None:
    draft = tmp_path / ".out.bgtools-abcd1234"
    (draft / "old" / "out").mkdir(parents=True)
    (draft / "old" / "out" / "report.json").write_text(json.dumps({"files": ["report.json"]}))
    write(tmp_path / "other", NEW, "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", "out"]
    assert set(contents(tmp_path / "out")) == {"report.json"}


def test_a_draft_that_a_program_still_holds_is_left_alone(tmp_path: Path) -> None:
    with report_folder(tmp_path / "one") as folder:
        (folder / "report.json").write_text(json.dumps({"files": ["report.json"]}))
        write(tmp_path / "two", NEW, "new")
        save(b"three", tmp_path / "three")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "three", "two"]


def test_what_others_call_alike_is_left_alone(tmp_path: Path) -> None:
    for name in (".out.bgtools-notes", ".out.abcd1234", "out.bgtools-abcd1234"):
        (tmp_path / name).write_text("mine")
    write(tmp_path / "out", NEW, "new")
    assert len(list(tmp_path.iterdir())) == 4


def test_a_link_to_a_report_stays_a_link(tmp_path: Path) -> None:
    write(tmp_path / "real", OLD, "old")
    (tmp_path / "link").symlink_to("real")
    write(tmp_path / "link", NEW, "new")
    assert (tmp_path / "link").is_symlink()
    assert set(contents(tmp_path / "real")) == set(NEW)


def test_a_folder_keeps_who_may_read_it(tmp_path: Path) -> None:
    write(tmp_path / "out", OLD, "old")
    (tmp_path / "out").chmod(0o700)
    write(tmp_path / "out", NEW, "new")
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o700


def test_what_has_become_of_a_folder_is_told_as_it_is(tmp_path: Path) -> None:
    target = tmp_path / "out"
    before = folder_state(target)
    assert change_text(target, before) == "is as it was"
    write(target, OLD, "old")
    assert change_text(target, before) == "is replaced"
    before = folder_state(target)
    (target / "notes.txt").write_text("keep")
    with pytest.raises(ForeignFolder):
        write(target, NEW, "new")
    assert change_text(target, before) == "is as it was"
    write(target, OLD, "new", force=True)
    assert change_text(target, before) == "is replaced"


@pytest.mark.thorough
@pytest.mark.parametrize("force", [False, True])
def test_whatever_step_writing_a_file_ends_at_it_is_whole_and_nothing_stays_beside_it(
    tmp_path: Path, *, force: bool
) -> None:
    step = 0
    while True:
        step += 1
        folder = tmp_path / str(step)
        folder.mkdir()
        path = folder / "match.mat"
        if force:
            path.write_bytes(b"old")
        ended_early = stopped_at(step, partial(save, b"new", path, force=force), kill)
        assert (path.read_bytes() if path.exists() else b"") in ((b"old", b"new") if force else (b"", b"new"))
        save(b"next", folder / "other.mat")
        assert {each.name for each in folder.iterdir()} <= {"match.mat", "other.mat"}
        if not ended_early:
            assert step > 4
            return
