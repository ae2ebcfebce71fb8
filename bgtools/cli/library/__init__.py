"""``bgtools library``: thousands of matches at once. Each command is a module, as in `bgtools.cli`."""

from __future__ import annotations

from typing import Final

COMMANDS: Final = (
    "add", "alias", "analyse", "check", "confirm", "dice", "export", "find", "info", "open", "openings", "player",
    "players", "remove", "sql", "trend", "versus", "watch",
)  # fmt: skip
"""The commands, each of which is the function ``NAME_command`` of a module here."""

HELP: Final = (
    "Keep thousands of matches in a folder, and ask them anything.\n\n"
    "A library is a folder of Parquet files: the one that --library names, else BGTOOLS_LIBRARY, else one among the "
    'user\'s data. "bgtools library info" lists its tables.'
)
