"""Boards as pictures: one description, drawn as SVG, as PNG and PDF, and with letters for the terminal."""

from __future__ import annotations

from bgtools.drawing.board import Home, Seat, board_picture, field, geometry
from bgtools.drawing.shapes import Box, Disc, Picture, Polygon, Shape, Stroke, Words
from bgtools.drawing.svg import Svg, draw_board, elements, svg
from bgtools.drawing.text import draw
from bgtools.drawing.themes import LIGHT, THEMES, ColourName, Theme, ThemeError, theme_from

__all__ = [
    "LIGHT",
    "THEMES",
    "Box",
    "ColourName",
    "Disc",
    "Home",
    "Picture",
    "Polygon",
    "Seat",
    "Shape",
    "Stroke",
    "Svg",
    "Theme",
    "ThemeError",
    "Words",
    "board_picture",
    "draw",
    "draw_board",
    "elements",
    "field",
    "geometry",
    "svg",
    "theme_from",
]
