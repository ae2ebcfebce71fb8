"""Boards as pictures: SVG for pages and notebooks, letters for the terminal."""

from __future__ import annotations

from bgtools.drawing.svg import Svg, draw_board
from bgtools.drawing.text import draw

__all__ = [
    "Svg",
    "draw",
    "draw_board",
]
