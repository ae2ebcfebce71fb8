"""Formats of which no real file is known, or few: they stand on the names that plug-ins import, and on no other."""
