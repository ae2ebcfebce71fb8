"""Chromium, for tests of pages."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from shutil import which
from typing import Any

import pytest

CHROMIUM = which("chromium") or which("chromium-browser") or which("google-chrome")

in_a_browser = pytest.mark.skipif(
    CHROMIUM is None or find_spec("playwright") is None, reason="no Chromium, or no Playwright to drive it"
)


def data_of(text: str) -> Any:
    """The data that a page carries."""
    found = re.search(r'<script type="application/json" id="bgtools-data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])
