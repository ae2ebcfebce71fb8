"""The hooks for pre-commit, run by pre-commit itself, and the action for GitHub, run by bash."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bgtools.formats.reading import AMBIGUOUS
from bgtools.formats.registry import formats
from program import SOUND, WRONG_DIE

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[2]
SLIPS = ROOT / "samples" / "five-slips.mat"
yaml = pytest.importorskip("yaml", reason="pre-commit, which brings YAML along, is not installed")


def hooks() -> dict[str, dict[str, Any]]:
    listed = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    return {hook["id"]: hook for hook in listed}


def action() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    return found


# --- pre-commit -----------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with our hooks, as they stand in this one but for the environment that pre-commit would build."""
    pytest.importorskip("pre_commit", reason="pre-commit is not installed")
    if shutil.which("git") is None:
        pytest.skip("Git is not installed")
    folder = tmp_path / "records"
    folder.mkdir()
    local = [
        hook | {"language": "system", "entry": hook["entry"].replace("bgtools", f"{sys.executable} -m bgtools", 1)}
        for hook in hooks().values()
    ]
    config = {"repos": [{"repo": "local", "hooks": local}]}
    (folder / ".pre-commit-config.yaml").write_text(json.dumps(config), encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder


def run_hook(repository: Path, hook: str, **environment: str) -> subprocess.CompletedProcess[str]:
    subprocess.run(["git", "add", "-A"], cwd=repository, check=True)
    return subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", hook, "--all-files", "--verbose", "--color", "never"],
        cwd=repository,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
             "PRE_COMMIT_HOME": str(repository.parent / "home"), **environment},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip


def test_the_check_fails_on_errors_and_looks_at_records_only(repository: Path) -> None:
    (repository / "sound one.mat").write_text(SOUND)
    (repository / "notes.txt").write_text("nothing to see")
    done = run_hook(repository, "bgtools-check")
    assert done.returncode == 0, done.stdout
    assert "no findings in 1 file" in done.stdout
    (repository / "WRONG.MAT").write_text(WRONG_DIE)
    done = run_hook(repository, "bgtools-check")
    assert done.returncode == 1
    assert "WRONG.MAT:6:37: error BG205" in done.stdout
    assert "in 2 files" in done.stdout


@pytest.mark.thorough
def test_the_fix_changes_the_record_and_passes_the_second_time(repository: Path) -> None:
    record = Path(shutil.copy(SLIPS, repository / "five.mat"))
    done = run_hook(repository, "bgtools-fix")
    assert done.returncode == 1
    assert "files were modified by this hook" in done.stdout
    assert "5 fixes made in 1 file" in done.stdout
    changed = record.read_bytes()
    assert changed != SLIPS.read_bytes()
    assert run_hook(repository, "bgtools-fix").returncode == 0
    assert run_hook(repository, "bgtools-check").returncode == 0
    assert record.read_bytes() == changed


@pytest.mark.thorough
def test_a_name_is_no_option_and_settings_are_those_of_the_base(repository: Path) -> None:
    (repository / "sound.mat").write_text(SOUND)
    subprocess.run(["git", "add", "-A"], cwd=repository, check=True)
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *who, "commit", "-qm", "base"], cwd=repository, check=True)
    (repository / "--ignore=all.mat").write_text(WRONG_DIE)
    (repository / "bgtools.toml").write_text('ignore = ["all"]\n')
    assert "off: every code" in run_hook(repository, "bgtools-check").stdout
    done = run_hook(repository, "bgtools-check", PRE_COMMIT_FROM_REF="HEAD")
    assert done.returncode == 1
    assert "--ignore=all.mat:6:37: error BG205" in done.stdout


def test_the_hooks_are_as_pre_commit_wants_them() -> None:
    load_manifest = pytest.importorskip("pre_commit.clientlib").load_manifest
    assert [hook["id"] for hook in load_manifest(str(ROOT / ".pre-commit-hooks.yaml"))] == [
        "bgtools-check",
        "bgtools-fix",
    ]


def test_hooks_look_at_every_ending_that_only_records_have() -> None:
    known = {ending for each in formats() for ending in each.extensions}
    for hook in hooks().values():
        seen = re.compile(hook["files"])
        assert {ending for ending in known if seen.search(f"a{ending}")} == known - set(AMBIGUOUS)
        assert seen.search("a/B.MAT")
        assert not seen.search("a.mats")


# --- the action -----------------------------------------------------------------------------


def checked(folder: Path, base: str = "", **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the step that checks, with these inputs, as GitHub would, for a pull request into the branch ``base``."""
    given = {name: each["default"] for name, each in action()["inputs"].items()} | inputs
    step = next(step for step in action()["runs"]["steps"] if "bgtools check" in step.get("run", ""))
    programs = folder.parent / "programs"
    programs.mkdir(exist_ok=True)
    program = programs / "bgtools"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bgtools "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    environment: Mapping[str, str] = {
        **os.environ,
        **{name: given[value[len("${{ inputs.") : -len(" }}")]] for name, value in step["env"].items()},
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "GITHUB_BASE_REF": base,
    }
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def records(tmp_path: Path) -> Path:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    folder = tmp_path / "records"
    (folder / "the finals").mkdir(parents=True)
    (folder / "sound.mat").write_text(SOUND)
    (folder / "the finals" / "wrong.mat").write_text(WRONG_DIE)
    return folder


def test_the_action_marks_findings_and_writes_sarif(records: Path) -> None:
    done = checked(records, sarif="out.sarif")
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=./the finals/wrong.mat,line=6,")
    log = json.loads((records / "out.sarif").read_text())
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["BG205"]


@pytest.mark.thorough
def test_paths_of_the_action_stand_on_lines_and_may_have_blanks(records: Path) -> None:
    assert checked(records, paths="sound.mat\n").returncode == 0
    assert not (records / "out.sarif").exists()
    assert checked(records, paths="\nsound.mat\nthe finals\n").returncode == 1
    done = checked(records, paths="the finals", arguments="--severity BG205=off  --quiet")
    assert (done.returncode, done.stdout) == (0, "")
    assert checked(records, paths="nowhere").returncode == 2


@pytest.mark.thorough
def test_a_pull_request_cannot_bring_settings_to_the_action(records: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("Git is not installed")
    clone = records.parent / "clone"
    for command in (
        ("init", "-q", "-b", "main"),
        ("add", "-A"),
        ("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "base"),
        ("clone", "-q", "--depth=1", records.as_uri(), str(clone)),
        ("-C", str(clone), "checkout", "-q", "--detach"),
        ("-C", str(clone), "update-ref", "-d", "refs/remotes/origin/main"),
    ):
        subprocess.run(["git", *command], cwd=records, check=True)
    (clone / "bgtools.toml").write_text('ignore = ["all"]\n')
    silent = checked(clone)
    assert (silent.returncode, "off: every code" in silent.stdout) == (0, True)
    assert checked(clone, base="main").returncode == 1
    assert checked(clone, base="main", arguments="--settings bgtools.toml").returncode == 0


def test_what_the_action_uses_is_declared() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    said = action()
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(said["inputs"])
    assert said["runs"]["using"] == "composite"
    for step in said["runs"]["steps"]:
        assert ("uses" in step) != ("run" in step)
        # What users give reaches a script as a variable, never as a part of it.
        assert "${{" not in step.get("run", "")
        assert "run" not in step or step["shell"] == "bash"


def test_the_action_imports_nothing_from_the_checkout(tmp_path: Path) -> None:
    """A pull request may hold a pip.py, or a module that pip imports."""
    for name in ("pip", "json", "bgtools"):
        (tmp_path / f"{name}.py").write_text("open('pwned', 'w').close()\n")
    install = next(step["run"] for step in action()["runs"]["steps"] if " pip " in step.get("run", ""))
    assert install.startswith("python -I -m pip ")
    command = install.replace("python", sys.executable, 1).replace('"$BGTOOLS_SOURCE"', "--help")
    subprocess.run(shlex.split(command), cwd=tmp_path, check=True, capture_output=True)
    program = str(Path(sys.executable).with_name("bgtools"))
    subprocess.run([program, "--version"], cwd=tmp_path, check=True, capture_output=True)
    assert not (tmp_path / "pwned").exists()
