"""What a shell is told when it asks how a command line may go on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import shellingham
import typer

import program
from bgtools.cli import _completion
from bgtools.engines.registry import ENGINES
from bgtools.formats.registry import formats

BGTOOLS = str(Path(sys.executable).with_name("bgtools"))
WRITTEN = {each.name for each in formats() if each.writer}
READ = {each.name for each in formats() if each.reader}


def completed(line: str, shell: str = "bash") -> set[str]:
    """What may stand at the end of a line, as a shell asks: an environment that names the line, and no arguments."""
    words = line.split(" ")
    asked = {
        "_BGTOOLS_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    done = program.bgtools(environment=asked)
    assert done.returncode == 0, done.stderr
    if shell == "zsh":
        return {
            each.split('"')[1].partition(":")[0] for each in done.stdout.splitlines() if '":"' in each or '"' in each
        }
    return {each.split("\t")[0] for each in done.stdout.splitlines()}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("bgtools conv", {"convert"}),
        ("bgtools convert --from ", READ),
        ("bgtools convert --to mat:x", {"mat:xg", "mat:xg-text"}),
        ("bgtools rule BG20", {f"BG20{number}" for number in range(1, 10)}),
        ("bgtools rule bar-", {"bar-first"}),
        ("bgtools check --ignore BG203,bar-", {"BG203,bar-first"}),
        (
            "bgtools check --severity bar-first=",
            {f"bar-first={level}" for level in ("error", "warning", "hint", "off")},
        ),
        ("bgtools check --profile ", {"strict", "tournament", "lenient"}),
        ("bgtools report --engine ", {kind.name for kind in ENGINES}),
        ("bgtools report --engine sage,g", {"sage,gnubg"}),
        ("bgtools report --level ", {"quick", "standard", "deep"}),
        ("bgtools met Kaz", {"Kazaross-XG2"}),
        ("bgtools table players --columns snowie_er_l", {"snowie_er_loss", "snowie_er_label", "snowie_er_low"}),
        ("bgtools formats sg", {"sgf", "sgg"}),
    ],
)
def test_what_may_follow_is_told(line: str, expected: set[str]) -> None:
    assert completed(line) == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_is_answered(shell: str) -> None:
    assert completed("bgtools convert --to og", shell) == {each for each in WRITTEN if each.startswith("og")}
    assert {"check", "lsp", "same"} <= completed("bgtools ", shell)


@pytest.mark.parametrize(
    ("shell", "sign"),
    [("bash", "complete -o default -F"), ("zsh", "#compdef bgtools"), ("fish", "complete --command bgtools")],
)
def test_the_script_of_the_shell_that_runs_is_printed(
    shell: str, sign: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shellingham, "detect_shell", lambda: (shell, f"/bin/{shell}"))
    with pytest.raises(typer.Exit):
        _completion.show_script(True)
    said = capsys.readouterr().out
    assert sign in said
    assert "_BGTOOLS_COMPLETE" in said


def test_a_shell_that_cannot_be_asked_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shellingham, "detect_shell", lambda: ("nu", "/bin/nu"))
    with pytest.raises(typer.Exit) as end:
        _completion.install_script(True)
    assert end.value.exit_code == 2
    assert "the shell nu cannot be asked to complete; those that can are bash, zsh, fish" in capsys.readouterr().err


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("bash") is None or not Path(BGTOOLS).exists(), reason="bash or the command is missing")
def test_bash_completes_with_what_is_installed(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "PATH": f"{Path(BGTOOLS).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["bash", "--norc", "-c", f"'{BGTOOLS}' --install-completion; true"],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    assert done.stdout.startswith("bash completion installed in "), done.stderr
    assert str(tmp_path) in (tmp_path / ".bashrc").read_text()
    assert answered("bgtools convert --to snow", environment) == ["snowie"]
    # Bash parts words at colons and equals signs, and puts in place what stands after the last of them.
    assert answered("bgtools convert --to mat:x", environment) == ["xg", "xg-text"]
    assert answered("bgtools convert --to mat:", environment) == [
        "gnubg", "jellyfish", "xg", "xg-text", "galaxy", "studio"
    ]  # fmt: skip
    assert answered("bgtools convert  --to=mat:st", environment) == ["studio"]
    assert answered("bgtools check --severity bar-first=w", environment) == ["warning"]
    unbroken = "COMP_WORDBREAKS=${COMP_WORDBREAKS//:}; "
    assert answered("bgtools convert --to mat:x", environment, unbroken) == ["mat:xg", "mat:xg-text"]


def answered(line: str, environment: dict[str, str], before: str = "") -> list[str]:
    """What bash would put in place of the last word of a line, parted into words as bash does it."""
    signs = "=" if before else ":="
    words = [word for word in re.split(rf"([{signs}])|[ ]+", line) if word]
    words += [""] * line.endswith(" ")
    told = " ".join(f"'{word}'" for word in words)
    asked = (
        f"{before}source ~/.bashrc; COMP_WORDS=({told}); COMP_CWORD={len(words) - 1}; COMP_LINE='{line}'; "
        f'COMP_POINT={len(line)}; _bgtools_completion bgtools; printf "%s\\n" "${{COMPREPLY[@]}}"'
    )
    done = subprocess.run(["bash", "--norc", "-c", asked], capture_output=True, text=True, env=environment, check=True)
    assert done.stderr == ""
    return done.stdout.split()
