"""Chromium, for tests of pages."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from importlib.util import find_spec
from shutil import which
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

CHROMIUM = which("chromium") or which("chromium-browser") or which("google-chrome")

in_a_browser = pytest.mark.needs(CHROMIUM and find_spec("playwright") is not None, "Chromium")


def data_of(text: str) -> Any:
    """The data that a page carries."""
    found = re.search(r'<script type="application/json" id="bgtools-data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


@contextmanager
def quiet_page(browser: Any, address: str, width: int) -> Iterator[Any]:
    """A page in a window, which may ask for nothing and complain of nothing."""
    context = browser.new_context(viewport={"width": width, "height": 900})
    shown = context.new_page()
    said: list[str] = []
    shown.on("console", lambda message: said.append(message.text))
    shown.on("pageerror", lambda error: said.append(str(error)))
    shown.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
    shown.goto(address)
    yield shown
    context.close()
    assert said == []
