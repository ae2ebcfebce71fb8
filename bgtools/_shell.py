"""Words of commands that are printed for people to type, quoted for the shell that they use."""

from __future__ import annotations

import os
import re
import shlex
from functools import cache
from typing import Final

_PLAIN: Final = re.compile(r"[\w+:./\\=-]+", re.ASCII)
"""What neither shell of Windows takes for anything but itself."""
_POWERSHELLS: Final = ("powershell", "pwsh")
_WINDOWS_SHELLS: Final = ("cmd", *_POWERSHELLS)


def shell_word(word: str) -> str:
    """A word of a command, such as an ID."""
    shell = _shell()
    if shell not in _WINDOWS_SHELLS:
        return shlex.quote(word)
    if _PLAIN.fullmatch(word):
        return word
    if shell in _POWERSHELLS:
        return "'" + word.replace("'", "''") + "'"
    return '"' + word.replace('"', '""') + '"'


def shell_path(path: str) -> str:
    """The path of a file or folder, which no command takes for an option."""
    return shell_word(f"./{path}" if path.startswith("-") and path != "-" else path)


@cache
def _shell() -> str:
    """The name of the shell that has started the program, on Windows; elsewhere "", as all of them quote alike."""
    if os.name != "nt":
        return ""
    try:
        import shellingham

        name: str = shellingham.detect_shell()[0]
    except Exception:  # it is not known, or cannot be found out
        return "cmd"
    return name
