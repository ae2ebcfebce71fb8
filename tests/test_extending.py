"""The page on plug-ins shows the code of the sample."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r'^(`{3,})\w+ title="(\S+)"\n(.*?)^\1$', PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_a_block_of_code_stands_in_the_file_that_it_names(number: int) -> None:
    _, name, code = BLOCKS[number]
    assert code in (ROOT / name).read_text(encoding="utf-8"), f"{name} says something else"


def test_every_module_of_the_sample_is_shown() -> None:
    shown = {name for _, name, _ in BLOCKS}
    modules = [
        path for path in (ROOT / "samples" / "plugin" / "bgtools_example").rglob("*.*") if path.stem != "__init__"
    ]
    assert shown == {path.relative_to(ROOT).as_posix() for path in [*modules, ROOT / "samples/plugin/pyproject.toml"]}
