"""Boards as pictures: one description, drawn as SVG, as PNG and PDF, and with letters for the terminal."""
