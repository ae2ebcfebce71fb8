"""What is said when the system refuses something: the true reason, of the right file, and nothing left behind."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bgtools import _disk
from bgtools.formats.searching import candidates, trouble
from program import SOUND, bgtools

SLIPS = Path(__file__).parents[2] / "samples" / "five-slips.mat"
ROOT = Path(__file__).parents[2]

_POWERS = "-dac_override,-dac_read_search,-fowner"
WITHOUT = [] if os.name == "nt" or os.geteuid() else ["setpriv", "--bounding-set", _POWERS, "--inh-caps", _POWERS]
"""What starts a program without the power of root to read and write everything."""

bound = pytest.mark.skipif(
    os.name == "nt" or (bool(WITHOUT) and shutil.which("setpriv") is None),
    reason="nobody is refused anything here",
)


def refused(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command that may do no more than the modes of files allow."""
    command = [*WITHOUT, sys.executable, "-m", "bgtools", *arguments]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, timeout=100,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture
def here(tmp_path: Path) -> Path:
    shutil.copy(SLIPS, tmp_path / "slips.mat")
    (tmp_path / "locked" / "in").mkdir(parents=True)
    shutil.copy(SLIPS, tmp_path / "locked" / "in" / "a.mat")
    return tmp_path


COMMANDS: dict[str, tuple[str, ...]] = {
    "check": ("check", "{}"),
    "fix": ("check", "--fix", "{}"),
    "table": ("table", "games", "{}", "--engine", "none"),
    "convert": ("convert", "{}", "out/", "--to", "json"),
    "report": ("report", "{}", "--engine", "none"),
    "show": ("show", "{}", "--row", "1"),
    "diff": ("diff", "{}", "slips.mat"),
    "merge": ("merge", "{}", "slips.mat"),
    "same": ("same", "{}"),
    "blunders": ("blunders", "{}", "--engine", "file"),
    "benchmark": ("benchmark", "{}"),
    "settings": ("check", "slips.mat", "--settings", "{}"),
    "theme": ("show", "slips.mat", "--row", "1", "-o", "a.svg", "--theme", "{}"),
    "library": ("library", "add", "{}", "--library", "library"),
}


@pytest.mark.quick(one_in=5)
@bound
@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_in_a_folder_that_is_locked_is_kept_from_us(command: str, here: Path) -> None:
    (here / "locked").chmod(0)
    name = "locked/in/a.mat"
    try:
        done = refused(*(each.format(name) for each in COMMANDS[command]), folder=here)
    finally:
        (here / "locked").chmod(0o700)
    said = " ".join(done.stderr.replace("│", " ").split())
    assert done.returncode in (1, 2)
    assert f"{name}: " in said
    assert "ermission denied" in said
    assert "bgtools.toml" not in said
    assert "no such file" not in said.casefold()


@pytest.mark.quick(one_in=12)
@bound
@pytest.mark.parametrize("command", ["check", "fix", "table", "convert", "same", "blunders", "benchmark", "library"])
@pytest.mark.parametrize("mode", [0, 0o600, 0o100])
def test_a_folder_that_is_locked_is_named_itself(command: str, mode: int, here: Path) -> None:
    (here / "locked").chmod(mode)
    try:
        done = refused(*(each.format("locked") for each in COMMANDS[command]), folder=here)
    finally:
        (here / "locked").chmod(0o700)
    assert done.returncode in (1, 2)
    assert "bgtools: locked" in done.stderr
    assert "ermission denied" in done.stderr
    assert "bgtools.toml" not in done.stderr


@bound
def test_a_settings_file_that_is_locked_is_still_an_error(here: Path) -> None:
    (here / "bgtools.toml").write_text('ignore = ["all"]\n')
    (here / "bgtools.toml").chmod(0)
    done = refused("check", "slips.mat", folder=here)
    assert done.returncode == 2
    assert "bgtools.toml: cannot be read: Permission denied" in done.stderr


@pytest.mark.quick(one_in=4)
@bound
@pytest.mark.parametrize("backup", [(), ("--backup",)])
@pytest.mark.parametrize("what", ["slips.mat", "."])
def test_a_record_that_may_not_be_written_is_not_fixed_and_no_fix_is_promised(
    backup: tuple[str, ...], what: str, here: Path
) -> None:
    shutil.rmtree(here / "locked")
    target = here / what
    mode = target.stat().st_mode
    target.chmod(mode & ~0o222)
    try:
        done = refused("check", "--fix", *backup, "-q", "slips.mat", folder=here)
    finally:
        target.chmod(mode)
    assert done.returncode == 2
    assert "0 fixes made in 0 files; 1 file not fixed\n" in done.stderr
    assert "--unsafe-fixes" not in done.stderr
    assert [each.name for each in here.iterdir()] == ["slips.mat"]
    assert (here / "slips.mat").read_bytes() == SLIPS.read_bytes()


def test_a_backup_of_what_could_not_be_written_is_removed(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bgtools.checks.settings import parse_settings, resolve_settings
    from bgtools.cli import _fixing

    calls: list[Path] = []

    def save(data: bytes, path: Path, **options: object) -> None:
        calls.append(path)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        _disk.save(data, path, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(_fixing, "save", save)
    target = here / "slips.mat"
    _, _, result = _fixing.fix(str(target), _fixing.FixOptions(backup=True), resolve_settings(parse_settings()), "full")
    assert result.refused == "it cannot be written: No space left on device"
    assert [each.name for each in calls] == ["slips.mat.bak", "slips.mat"]
    assert not (here / "slips.mat.bak").exists()
    assert target.read_bytes() == SLIPS.read_bytes()


LOOPS: dict[str, tuple[str, ...]] = {
    "report": ("report", "slips.mat", "--engine", "none", "-o", "loop"),
    "report below": ("report", "slips.mat", "--engine", "none", "-o", "loop/x"),
    "convert": ("convert", "slips.mat", "loop", "--to", "json"),
    "convert over": ("convert", "slips.mat", "loop", "--to", "json", "--force"),
    "convert below": ("convert", "slips.mat", "loop/x.json"),
    "table": ("table", "games", "slips.mat", "--engine", "none", "-o", "loop/t.csv"),
    "picture": ("show", "slips.mat", "--row", "1", "-o", "loop/a.svg"),
    "library": ("library", "add", "slips.mat", "--library", "loop"),
    "check": ("check", "loop"),
    "show": ("show", "loop"),
    "settings": ("check", "slips.mat", "--settings", "loop"),
}


@pytest.mark.quick(one_in=4)
@pytest.mark.skipif(os.name == "nt", reason="this system says it in another way")
@pytest.mark.parametrize("command", LOOPS)
def test_a_link_to_itself_is_called_that(command: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "loop").symlink_to("loop")
    monkeypatch.chdir(here)
    done = bgtools(*LOOPS[command])
    assert done.returncode == 2
    assert os.strerror(40) in done.stderr
    assert (here / "loop").is_symlink()
    assert sorted(each.name for each in here.iterdir()) == ["locked", "loop", "slips.mat"]


@pytest.mark.parametrize("command", ["check", "fix", "table", "convert", "same", "blunders", "benchmark", "library"])
@pytest.mark.parametrize("name", ["empty", "d.mat"])
def test_a_folder_without_records_is_not_passed_as_sound(
    command: str, name: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / name).mkdir()
    (here / name / ".hidden.mat").write_text(SOUND)
    monkeypatch.chdir(here)
    done = bgtools(*(each.format(name) for each in COMMANDS[command]))
    assert done.returncode == 2
    assert f"bgtools: {name}: this folder holds no file whose name ends as that of a record" in done.stderr


def test_a_folder_is_a_folder_where_the_system_says_permission_denied(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Windows does when a folder is opened."""

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    (here / "empty").mkdir()
    (candidate,) = candidates([str(here / "empty")])
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(IsADirectoryError) as found:
        _disk.opened(candidate.path)
    assert trouble(found.value).startswith("this folder holds no file")
    with pytest.raises(PermissionError):
        _disk.opened(here / "slips.mat")
