"""Rare formats use the names that a plug-in has, those of `bgtools.extend`, save where they build on another format."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path
from typing import Final

import pytest

import bgtools.extend
import bgtools.formats.rare as rare

HOUSE: Final = Path(rare.__file__).parent
BUILT_ON: Final = {
    "gam": ("bgtools.formats.mat.",),
    "snowie": ("bgtools.formats.mat.",),
}
"""The formats that read or write match text as a part of their own. OGXM shares its plies and notes with BGBlitz."""
MODULES: Final = sorted(path.stem for path in HOUSE.glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("name", MODULES)
def test_a_rare_format_imports_what_a_plug_in_may(name: str) -> None:
    tree = ast.parse((HOUSE / f"{name}.py").read_text(encoding="utf-8"))
    compared = 0
    private = []
    for node in ast.walk(tree):
        assert not (isinstance(node, ast.Import) and any(each.name.startswith("bgtools") for each in node.names))
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("bgtools"):
            continue
        for each in node.names:
            compared += 1
            home = f"{node.module}.{each.name}"
            if not home.startswith(("bgtools.formats.rare", *BUILT_ON.get(name, ()))) and (
                getattr(bgtools.extend, each.name, None) is not of_module(node.module or "", each.name)
            ):
                private.append(home)
    assert not private
    assert compared > 5


def of_module(module: str, name: str) -> object:
    """A name of a module, which may be a module itself."""
    found = getattr(importlib.import_module(module), name, None)
    return found if found is not None else importlib.import_module(f"{module}.{name}")
