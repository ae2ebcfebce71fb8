"""The table of formats in the documents is made from the formats themselves."""

from __future__ import annotations

import importlib.util
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_table_of_formats_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("make_formats", DOCS / "make_formats.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (DOCS / "formats.md").read_text(encoding="utf-8") == module.page(), "run python docs/make_formats.py"
