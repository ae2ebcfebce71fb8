"""Commands: those that are printed for people, quoted for the shell that they use, and where programs are found."""

from __future__ import annotations

import os
import re
import shlex
import shutil
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


def find_on_path(name: str, *more: str) -> str | None:
    """Where a program is: in the folders of the path and then in some more; None where it is in none of them.

    The present folder, in which Windows would look first, and other relative ones are left out: a record and a program
    that has the name of another may come together.
    """
    for folder in (*os.environ.get("PATH", os.defpath).split(os.pathsep), *more):
        if os.path.isabs(folder) and (found := shutil.which(os.path.join(folder, name))):  # noqa: PTH117, PTH118
            return found
    return None
