"""Names of files that every system takes."""

from __future__ import annotations

import re

_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]|^\.|[. ]+$')
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)


def safe_name(stem: str) -> str:
    """A file name that every system takes: nothing in it is a path, a device or a control character."""
    stem = _UNSAFE.sub("_", stem)[:120] or "match"
    return f"_{stem}" if _RESERVED.fullmatch(stem) else stem
