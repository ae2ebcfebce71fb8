"""What installs an extra, for the way in which bgtools was installed here."""

from __future__ import annotations

import re
import sys
from importlib import metadata
from importlib.util import find_spec
from itertools import pairwise
from pathlib import PurePath
from typing import Final

from bgtools._shell import shell_word

_NAME: Final = "bgtools-backgammon"


def is_importable(module: str) -> bool:
    """Whether a module can be imported."""
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # what it lies in is missing, or it is kept from being imported
        return False


def install_hint(extra: str) -> str:
    """A sentence with the command that installs an extra.

    What pipx and uv have installed they alone may change, and pip is often not there at all. Both take the packages of
    the extra by their names, wherever bgtools itself came from.
    """
    return f"{_command(extra, sys.prefix)} installs it"


def _command(extra: str, prefix: str) -> str:
    places = PurePath(prefix).parts
    packages = " ".join(map(shell_word, _packages(extra)))
    if packages and "pipx" in places and "venvs" in places:
        return f"pipx inject {_NAME} {packages}"
    if packages and any(pair == ("uv", "tools") for pair in pairwise(places)):
        return f"uv pip install --python {shell_word(prefix)} {packages}"
    return f"python -m pip install {shell_word(f'{_NAME}[{extra}]')}"


def _packages(extra: str) -> list[str]:
    """The packages of an extra as pip takes them; none where bgtools runs from its sources."""
    try:
        required = metadata.requires(_NAME) or []
    except metadata.PackageNotFoundError:
        return []
    found: list[str] = []
    for each in required:
        package, _, marker = each.partition(";")
        if not re.search(rf"extra\s*==\s*['\"]{re.escape(extra)}['\"]", marker):
            continue
        nested = re.match(rf"{_NAME}\[([\w,]+)\]", package.strip())
        found += [one for name in nested[1].split(",") for one in _packages(name)] if nested else [package.strip()]
    return found
