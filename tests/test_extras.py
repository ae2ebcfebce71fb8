"""Without what an extra installs, everything else works, and a command says what to install."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXTRAS = (
    "distributed", "duckdb", "fsspec", "genanki", "lsprotocol", "mcp", "mcp_types", "pyarrow", "pygls", "xlsxwriter",
)  # fmt: skip
WITHOUT = f"import sys; sys.modules.update(dict.fromkeys({EXTRAS!r}));"
NEEDED = {
    "bgtools.assistant.serving", "bgtools.assistant.tools", "bgtools.assistant.working",
    "bgtools.editor.server", "bgtools.library.readonly_files",
}  # fmt: skip
"""Modules that stand on an extra, and are imported only where it is there."""

IMPORTED = """
import importlib, pkgutil, bgtools
for module in pkgutil.walk_packages(bgtools.__path__, "bgtools."):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except ImportError:
            print(module.name)
"""


def without_extras(code: str, *arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT + code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


def test_every_other_module_is_imported_without_an_extra() -> None:
    done = without_extras(IMPORTED)
    assert not done.returncode, done.stderr
    assert {*done.stdout.split()} == NEEDED


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("library", "add", "nothing", "--library", "new"), "[library]"),
        (("library", "info", "--library", "new"), "[library]"),
        (("mcp", "."), "[mcp]"),
        (("lsp",), "[lsp]"),
    ],
    ids=lambda each: each if isinstance(each, str) else each[0],
)
def test_a_command_names_the_extra_that_it_needs(arguments: tuple[str, ...], named: str, tmp_path: Path) -> None:
    done = without_extras("from bgtools.cli import main; main()", *arguments, folder=tmp_path)
    assert done.returncode == 2, done.stderr
    assert named in done.stderr
    assert "fault of bgtools" not in done.stderr
