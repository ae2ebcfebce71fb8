"""An answer of a tool: plain values, which programs read too, and pictures."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any, Final

from mcp_types import CallToolResult, ImageContent, TextContent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST: Final = 20
"""The longest list in an answer."""


def some(items: Sequence[object], count: int | None = None) -> dict[str, Any]:
    """The first of some items, and whether there are more.

    Args:
        items: what is listed; at most `MOST` of them are.
        count: how many there are in all, where ``items`` are not all of them.
    """
    count = len(items) if count is None else count
    shown = list(items[:MOST])
    found: dict[str, Any] = {"items": shown, "count": count, "is_cut": count > len(shown)}
    if count > len(shown):
        found["note"] = f"the first {len(shown)} of {count}"
    return found


def answer(data: Mapping[str, object], pictures: Sequence[bytes] = ()) -> CallToolResult:
    """What a tool gives: values as JSON, and PNG pictures."""
    plain = dict(data)
    text = json.dumps(plain, ensure_ascii=False, indent=1, default=str)
    plain = json.loads(text)  # no tuple, no key that is no text
    images = [
        ImageContent(type="image", data=base64.b64encode(each).decode(), mime_type="image/png") for each in pictures
    ]
    return CallToolResult(content=[TextContent(type="text", text=text), *images], structured_content=plain)
