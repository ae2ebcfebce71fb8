"""Tools for an assistant, by the Model Context Protocol: each answers a question that a player has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.assistant.folders import Folders, NotAllowed
    from bgtools.assistant.serving import serve, server

__all__ = ["Folders", "NotAllowed", "serve", "server"]

lazily(__name__, {"folders": ("Folders", "NotAllowed"), "serving": ("serve", "server")})
