"""Every command and every example on the site's pages runs, in a folder with the samples."""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "site" / "pages"
NAMES = sorted(path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*.md"))
pytestmark = pytest.mark.skipif(importlib.util.find_spec("bgsage") is None, reason="bgsage is not installed")


def blocks(page: str, language: str) -> list[str]:
    text = (PAGES / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_each_of_the_six_readers_has_a_tutorial_with_something_to_run() -> None:
    readers = ("player", "director", "transcriber", "coach", "programmer", "data-scientist")
    for reader in readers:
        page = f"tutorials/{reader}.md"
        assert page in NAMES
        assert len("".join(blocks(page, "sh") + blocks(page, "python")).splitlines()) >= 3


@pytest.mark.thorough
@pytest.mark.parametrize("page", [name for name in NAMES if blocks(name, "sh") or blocks(name, "python")])
def test_what_a_page_tells_to_type_works(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    program = tmp_path / "bin" / "bgtools"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bgtools "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    environment = {
        **os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    ran = 0
    for line in "".join(blocks(page, "sh")).splitlines():
        done = subprocess.run(
            ["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == (1 if line.endswith("# exits with 1") else 0), f"{line}\n{done.stdout}{done.stderr}"
        ran += 1
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks(page, "python")), {}, page, None, 0)
    told: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append)
    assert not told, "".join(told)
    assert ran + len(test.examples) > 0
