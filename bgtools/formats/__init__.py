"""Formats: the list of them, recognising the format of a file, reading and writing."""
