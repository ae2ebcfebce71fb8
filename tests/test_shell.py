"""Commands that are printed for people are read by the shell that they use as they are meant."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bgtools import _shell

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = [
    "a.mat", "my match.mat", "Ann's.mat", "a&b.mat", "50%.mat", "$HOME.mat", "`x`.mat", "a;b.mat", "(1).mat", "é.mat",
    "-x.mat", "-", "a^b.mat", "!x!.mat", "~.mat", "#1.mat", "a,b.mat", "{x}.mat", "@a.mat", "%PATH%.mat", "a=b.mat",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10",
]  # fmt: skip


@pytest.fixture(params=["", "cmd", "powershell", "pwsh", "bash"])
def shell(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    name: str = request.param
    monkeypatch.setattr(_shell, "_shell", lambda: name)
    return name  # type: ignore[return-value]


def words_of(line: str, shell: str) -> list[str]:
    """The words of a command as a shell passes them on, by its rules."""
    if shell not in ("cmd", "powershell", "pwsh"):
        return shlex.split(line)
    mark = '"' if shell == "cmd" else "'"
    found, word, inside, at = [], "", False, 0
    while at < len(line):
        char = line[at]
        if char == mark and inside and line[at + 1 : at + 2] == mark:
            word += mark
            at += 1
        elif char == mark:
            inside = not inside
        elif char == " " and not inside:
            found.append(word)
            word = ""
        else:
            assert inside or char not in "&|<>^()%!;`$#{}@,'" + '"', f"{shell} takes {char} for something else"
            word += char
        at += 1
    assert not inside
    return [*found, word]


@pytest.mark.parametrize("name", NAMES)
def test_a_path_is_one_word_and_never_an_option(name: str, shell: str) -> None:
    expected = f"./{name}" if name.startswith("-") and name != "-" else name
    assert words_of(f"bgtools check {_shell.shell_path(name)}", shell) == ["bgtools", "check", expected]
    assert words_of(_shell.shell_word(name), shell) == [name]


@pytest.mark.skipif(os.name == "nt" or shutil.which("sh") is None, reason="there is no such shell")
@pytest.mark.parametrize("name", NAMES)
def test_a_shell_reads_it_so(name: str) -> None:
    show = f"{shlex.quote(sys.executable)} -c 'import sys; print(sys.argv[1:])' {_shell.shell_word(name)}"
    done = subprocess.run(["sh", "-c", show], capture_output=True, text=True, check=True, encoding="utf-8")
    assert done.stdout == f"{[name]}\n"


def test_the_shell_is_looked_for_on_windows_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = _shell._shell.__wrapped__
    assert looked() == ("" if os.name != "nt" else looked())
    monkeypatch.setattr(os, "name", "nt")
    monkeypatch.setitem(sys.modules, "shellingham", None)
    assert looked() == "cmd"


@pytest.mark.skipif(os.name == "nt", reason="programs are made otherwise there")
def test_a_program_is_found_in_absolute_folders_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("here", "there", "more"):
        (tmp_path / folder).mkdir()
        program = tmp_path / folder / "gnubg"
        program.write_text("")
        program.chmod(0o755)
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", "../here", str(tmp_path / "there")]))
    assert _shell.find_on_path("gnubg") == str(tmp_path / "there" / "gnubg")
    monkeypatch.setenv("PATH", os.pathsep.join(["", "."]))
    assert _shell.find_on_path("gnubg") is None
    assert _shell.find_on_path("gnubg", str(tmp_path / "more")) == str(tmp_path / "more" / "gnubg")
