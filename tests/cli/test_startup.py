"""What a command imports: most of what it takes to start."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = str(Path(__file__).parents[2] / "samples" / "seven-point.mat")

IMPORTED = """
import json, sys, typer
before = {*sys.modules}
from bgtools.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
json.dump([*{*sys.modules} - before], sys.stderr)
"""


def imported(*arguments: str) -> set[str]:
    """The modules that a command imports, beside those that typer does."""
    done = subprocess.run([sys.executable, "-c", IMPORTED, *arguments], capture_output=True, text=True, check=True)
    names = json.loads(done.stderr[done.stderr.rindex("[") :])
    return {*names, *(name.partition(".")[0] for name in names)}


@pytest.mark.parametrize("arguments", [("--version",), ("check", SAMPLE)], ids=["version", "check"])
def test_a_command_imports_only_what_it_uses(arguments: tuple[str, ...]) -> None:
    unused = {
        "PIL", "asyncio", "bgsage", "bgtools.analysis", "bgtools.conversion", "bgtools.engines", "bgtools.met",
        "concurrent", "csv", "email", "http",
        "matplotlib", "multiprocessing", "numpy", "pandas", "platformdirs", "pydantic", "rich", "sqlite3",
    }  # fmt: skip
    assert imported(*arguments) & unused == set()


def test_the_version_is_printed_before_anything_else_is_imported() -> None:
    ours = {name for name in imported("--version") if name.startswith("bgtools.")}
    assert ours == {
        "bgtools._disk",
        "bgtools._signals",
        "bgtools._version",
        "bgtools.cli",
        *(f"bgtools.cli._{name}" for name in ("commands", "common", "terminal")),
    }


def test_one_command_does_not_import_another() -> None:
    assert not imported("check", SAMPLE) & {"bgtools.cli.report", "bgtools.cli.table", "bgtools.cli.convert"}


def test_a_value_is_taken_as_typer_would(tmp_path: Path) -> None:
    """What typer converts or refuses is left to it: a wrong choice, a number out of range, a path that is there."""
    for arguments, said in (
        (("check", "--format", "loud", SAMPLE), "'loud' is not one of"),
        (("check", "-j", "0", SAMPLE), "-j"),
        (("check",), "Missing argument 'PATH'"),
        (("report", SAMPLE, "-o"), "-o"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "bgtools", *arguments], capture_output=True, text=True, check=False, cwd=tmp_path
        )
        assert done.returncode == 2, arguments
        assert said in done.stderr, arguments
    assert not [*tmp_path.iterdir()]
