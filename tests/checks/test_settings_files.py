"""Which settings file holds for a record, whose word counts, and that whoever checks is told."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from bgtools.checks.settings import Settings, effect_of, parse_settings
from bgtools.checks.settings_files import forget_settings, settings_for
from program import SOUND, WRONG_DIE, bgtools

ROOT = Path(__file__).parents[2]
LAYOUTS = ("json", "sarif", "github", "gitlab", "junit")
posix = pytest.mark.skipif(sys.platform == "win32", reason="pipes, owners and modes as Unix has them")


@pytest.fixture(autouse=True)
def anew() -> None:
    forget_settings()


@pytest.fixture
def silenced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a wrong record and settings beside it that switch off every code; it is the present one."""
    (tmp_path / "wrong.mat").write_text(WRONG_DIE)
    (tmp_path / "bgtools.toml").write_text('ignore = ["all"]\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- which file -------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", [".git", "home"])
def test_the_search_ends_at_the_root_of_a_repository_and_at_home(
    mark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "top" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "bgtools.toml").write_text('profile = "lenient"\n')
    assert settings_for(inner / "a.mat").profile == "lenient"
    forget_settings()
    if mark == ".git":
        (tmp_path / "top" / ".git").write_text("gitdir: elsewhere\n")
    else:
        monkeypatch.setenv("HOME", str(tmp_path / "top"))
        monkeypatch.setenv("USERPROFILE", str(tmp_path / "top"))
    assert settings_for(inner / "a.mat") == Settings()
    forget_settings()
    (tmp_path / "top" / "bgtools.toml").write_text('profile = "strict"\n')
    assert settings_for(inner / "a.mat").profile == "strict"


@posix
@pytest.mark.parametrize("name", ["bgtools.toml", "pyproject.toml"])
def test_settings_are_read_from_regular_files_of_sensible_size_only(name: str, silenced: Path) -> None:
    (silenced / "bgtools.toml").unlink()
    os.mkfifo(silenced / name)
    done = bgtools("check", "wrong.mat")
    assert done.returncode == 2
    assert f"{name}: cannot be read: it is not a regular file" in done.stderr
    (silenced / name).unlink()
    (silenced / name).write_text("# bgtools" + "#" * (1 << 20))
    assert f"{name}: cannot be read: it is larger than 1 MB" in bgtools("check", "wrong.mat").stderr


@posix
def test_a_pipe_above_a_record_keeps_nobody_waiting(silenced: Path) -> None:
    (silenced / "bgtools.toml").unlink()
    os.mkfifo(silenced / "pyproject.toml")
    (silenced / "deep").mkdir()
    (silenced / "deep" / "a.mat").write_text(SOUND)
    assert bgtools("check", "deep").returncode == 2


@posix
@pytest.mark.parametrize(
    ("of_file", "of_record", "mode", "holds"),
    [
        (1000, 1000, 0o644, True),
        (1000, 1000, 0o666, True),
        (1000, 1001, 0o644, False),
        (0, 1001, 0o644, True),
        (0, 1001, 0o664, False),
        (0, 1001, 0o646, False),
    ],
)
def test_what_others_may_write_holds_for_their_own_records_only(
    of_file: int, of_record: int, mode: int, holds: bool, silenced: Path
) -> None:
    if os.geteuid():
        pytest.skip("only root gives files away")
    os.chown("bgtools.toml", of_file, of_file)
    os.chown("wrong.mat", of_record, of_record)
    (silenced / "bgtools.toml").chmod(mode)
    done = bgtools("check", "wrong.mat")
    assert done.returncode == (0 if holds else 1)
    passed_over = f"settings passed over: {silenced}/bgtools.toml: others may write it, and the record is not theirs"
    assert (passed_over in done.stderr) != holds


@posix
def test_a_link_of_a_stranger_to_a_file_of_ones_own_is_not_followed(silenced: Path) -> None:
    if os.geteuid():
        pytest.skip("only root gives files away")
    (silenced / "bgtools.toml").rename(silenced / "mine.toml")
    (silenced / "bgtools.toml").symlink_to("mine.toml")
    assert bgtools("check", "wrong.mat").returncode == 0
    os.chown("bgtools.toml", 1000, 1000, follow_symlinks=False)
    assert bgtools("check", "wrong.mat").returncode == 1


# --- what is told -----------------------------------------------------------------------------


@pytest.mark.parametrize("options", [(), ("--profile", "strict"), ("--fix",), ("--summary",), ("--statistics",)])
def test_the_summary_names_the_file_and_what_it_switches_off(options: tuple[str, ...], silenced: Path) -> None:
    done = bgtools("check", *options, "wrong.mat")
    assert done.returncode == 0
    assert "settings for 1 file: bgtools.toml: off: every code\n" in done.stderr


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_format_for_programs_names_it(layout: str, silenced: Path) -> None:
    done = bgtools("check", "--format", layout, "wrong.mat")
    assert done.returncode == 0
    assert "these settings held for 1 file; off: every code" in done.stdout
    assert "BG011" in done.stdout
    assert "bgtools.toml" in done.stdout
    if layout == "json":
        schema = json.loads((ROOT / "docs" / "findings.schema.json").read_text(encoding="utf-8"))
        jsonschema.validate(json.loads(done.stdout), schema)
    bare = bgtools("check", "--format", layout, "--settings", "none", "wrong.mat")
    assert bare.returncode == 1
    assert "these settings held" not in bare.stdout + bare.stderr


def test_verdicts_and_counts_name_it(silenced: Path) -> None:
    table = bgtools("check", "--summary", "--format", "csv", "wrong.mat").stdout
    (row,) = csv.DictReader(io.StringIO(table))
    assert (row["verdict"], row["settings"]) == ("incomplete", "bgtools.toml: off: every code")
    (counted,) = json.loads(bgtools("check", "--statistics", "--format", "json", "wrong.mat").stdout)
    assert (counted["code"], counted["files"], counted["settings"]) == ("BG011", 1, "bgtools.toml: off: every code")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, ()),
        ({"ignore": ["BG205", "bar-first"]}, ("off: BG204, BG205",)),
        ({"severity": ["BG205=hint"]}, ("milder: BG205",)),
        ({"rules": "no-crawford"}, ("rules: no-crawford",)),
        ({"profile": "strict", "fail_on": "warning"}, ()),
    ],
)
def test_what_settings_take_away_is_said(given: dict[str, object], said: tuple[str, ...]) -> None:
    assert effect_of(Settings(), parse_settings(**given)) == said  # type: ignore[arg-type]


def test_what_the_command_line_has_switched_off_is_not_laid_to_the_file() -> None:
    assert effect_of(parse_settings(ignore=["BG2"]), parse_settings(ignore=["BG205"])) == ()


# --- another file, none, or those of a commit ---------------------------------------------------


def test_a_file_can_be_named(silenced: Path) -> None:
    (silenced / "mine.toml").write_text('severity = { BG205 = "warning" }\n')
    done = bgtools("check", "--settings", "mine.toml", "wrong.mat")
    assert (done.returncode, "settings for 1 file: mine.toml: milder: BG205" in done.stderr) == (0, True)
    for name, said in (("nowhere.toml", "there is no such file"), (".", "it is not a regular file")):
        done = bgtools("check", "--settings", name, "wrong.mat")
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr


@pytest.fixture
def repository(silenced: Path) -> Path:
    """A repository whose first commit holds mild settings, and whose next one silences everything."""
    if shutil.which("git") is None:
        pytest.skip("Git is not installed")
    (silenced / "sub").mkdir()
    (silenced / "wrong.mat").rename(silenced / "sub" / "wrong.mat")
    (silenced / "bgtools.toml").write_text('severity = { BG205 = "warning" }\n')
    git("init", "-q", "-b", "main")
    commit("base")
    (silenced / "sub" / "bgtools.toml").write_text('ignore = ["all"]\n')
    commit("change")
    return silenced


def git(*arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], check=True, capture_output=True)


def commit(name: str) -> None:
    git("add", "-A")
    git("commit", "-q", "-m", name)
    git("tag", name)


def with_git(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return bgtools("check", *arguments, environment={"PATH": os.environ["PATH"], **environment})


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_settings_can_be_those_of_a_commit(jobs: str, repository: Path) -> None:
    assert bgtools("check", "sub").returncode == 0
    done = with_git("--settings", "git:base", "--fail-on", "warning", "-j", jobs, "sub")
    assert done.returncode == 1
    assert "settings for 1 file: git:base:bgtools.toml: milder: BG205\n" in done.stderr
    assert "off: every code" in with_git("--settings", "git:change", "sub").stderr


@pytest.mark.parametrize(
    ("variable", "value"),
    [("PRE_COMMIT_FROM_REF", "base"), ("GITHUB_BASE_REF", "main"), ("CI_MERGE_REQUEST_DIFF_BASE_SHA", "base")],
)
def test_the_base_of_a_change_is_what_the_service_says(variable: str, value: str, repository: Path) -> None:
    git("update-ref", "refs/remotes/origin/main", "base")
    assert "off: every code" in with_git("--settings", "base", "sub").stderr
    done = with_git("--settings", "base", "sub", **{variable: value})
    assert "milder: BG205" in done.stderr
    assert "off:" not in done.stderr


def test_a_commit_that_is_not_there_and_odd_files_in_one_are_told(repository: Path) -> None:
    for where in ("git:nowhere", "git:--all"):
        done = with_git("--settings", where, "sub")
        assert done.returncode == 2
        assert "has no such commit; fetch it, or name a settings file" in done.stderr
    (repository / "bgtools.toml").unlink()
    (repository / "bgtools.toml").symlink_to("sub/bgtools.toml")
    (repository / "sub" / "bgtools.toml").unlink()
    commit("link")
    assert "it is not a regular file" in with_git("--settings", "git:link", "sub").stderr


def test_what_git_refuses_is_told_in_its_words(repository: Path) -> None:
    (repository / ".git" / "config").write_text("[core\n")
    done = with_git("--settings", "git:base", "sub")
    assert done.returncode == 2
    assert "not checked: Git gives no settings: fatal: bad config line 1 in file .git/config" in done.stderr


def test_without_git_or_a_repository_a_sentence_tells(silenced: Path) -> None:
    assert "the record is in no repository" in with_git("--settings", "git:base", "wrong.mat").stderr
    (silenced / ".git").mkdir()
    done = bgtools("check", "--settings", "git:base", "wrong.mat")
    assert done.returncode == 2
    assert "Git cannot be asked for settings" in done.stderr


def test_a_worktree_a_submodule_and_a_shallow_clone_have_their_commits(
    repository: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    git("worktree", "add", "-q", "--detach", str(elsewhere / "tree"), "change")
    git("clone", "-q", "--depth", "1", f"file://{repository}", str(elsewhere / "shallow"))
    git("init", "-q", str(elsewhere / "outer"))
    git(
        "-C",
        str(elsewhere / "outer"),
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        str(repository),
        "in",
    )
    for folder in ("tree", "outer/in"):
        monkeypatch.chdir(elsewhere / folder)
        assert "milder: BG205" in with_git("--settings", "git:base", "sub").stderr, folder
    monkeypatch.chdir(elsewhere / "shallow")
    done = with_git("--settings", "git:base", "sub")
    assert done.returncode == 2
    assert "has no such commit; fetch it, or name a settings file" in done.stderr
    done = with_git("--settings", "base", "sub", GITHUB_BASE_REF="release")
    assert done.returncode == 2
    assert "git:origin/release: " in done.stderr


def test_the_variables_of_a_hook_do_not_name_another_repository(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    git("init", "-q", str(other))
    done = with_git("--settings", "git:base", "sub", GIT_DIR=str(other / ".git"), GIT_INDEX_FILE=str(other / "index"))
    assert "milder: BG205" in done.stderr


@pytest.mark.parametrize(
    "url", ["ssh://host/path", "host:path", "https://localhost:1/x", "file:///nowhere", "ext::touch pwned"]
)
def test_a_repository_that_lacks_something_starts_no_program(url: str, repository: Path) -> None:
    """Git would fetch it as the repository says, which may have come from a stranger, configuration and all."""
    blob = subprocess.run(
        ["git", "rev-parse", "base:bgtools.toml"], capture_output=True, text=True, check=True
    ).stdout.strip()
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    settings = {
        "core.repositoryformatversion": "1", "extensions.partialClone": "origin", "remote.origin.promisor": "true",
        "remote.origin.url": url, "core.sshCommand": "touch pwned;", "core.gitProxy": "touch pwned;",
        "remote.origin.uploadpack": "touch pwned;", "credential.helper": "!touch pwned;",
        "core.fsmonitor": "touch pwned;", "core.pager": "touch pwned;", "protocol.ssh.allow": "always",
        "protocol.ext.allow": "always", "protocol.file.allow": "always", "protocol.allow": "always",
    }  # fmt: skip
    for name, value in settings.items():
        git("config", name, value)
    done = with_git("--settings", "git:base", "sub")
    assert done.returncode == 2
    assert "not checked: " in done.stderr
    assert not list(repository.rglob("pwned"))


@pytest.mark.skipif(os.name == "nt", reason="programs are made otherwise there")
def test_git_is_not_taken_from_the_folder_of_the_records(repository: Path) -> None:
    fake = repository / "git"
    fake.write_text("#!/bin/sh\ntouch pwned\n")
    fake.chmod(0o755)
    done = bgtools("check", "--settings", "git:base", "sub", environment={"PATH": f".{os.pathsep}{os.environ['PATH']}"})
    assert "milder: BG205" in done.stderr
    assert not (repository / "pwned").exists()
