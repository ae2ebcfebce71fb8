"""Every line of SECURITY.md that promises something names a test that is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


@cache
def functions(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_test_that_is_named_is_there() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)
    assert len(named) > 40
    assert [(path, name) for path, name in named if name not in functions(path)] == []


def test_every_promise_names_a_test() -> None:
    """What has none says what bgtools does *not* keep from you."""
    lines = re.split(r"^\* ", PAGE, flags=re.MULTILINE)[1:]
    bare = [line.split("\n\n")[0] for line in lines if "`tests/" not in line]
    assert len(lines) > 35
    warnings = (
        "can* lie",
        "with all that you may do",
        "can make up equities",
        "instructions",
        "How it is secured",
        "Call `bgtools`",
    )
    assert [line for line in bare if not any(words in line for words in warnings)] == []


def test_paths_in_it_are_there() -> None:
    for path in re.findall(r"\]\(([\w./]+)\)", PAGE):
        assert (ROOT / path).exists(), path
