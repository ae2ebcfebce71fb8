"""Write man pages of all commands, from what --help prints: `python docs/make_man.py FOLDER`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from bgtools._version import __version__
from bgtools.cli import app

if TYPE_CHECKING:
    from collections.abc import Iterator


def commands() -> Iterator[tuple[str, Any]]:
    """Every command by its whole name, ``bgtools library find``, a group before its commands."""
    stack = [("bgtools", typer.main.get_command(app))]
    while stack:
        name, command = stack.pop()
        yield name, command
        below = getattr(command, "commands", {})
        stack += [(f"{name} {each}", below[each]) for each in sorted(below, reverse=True)]


def options(command: Any) -> Iterator[tuple[str, str]]:
    """Every argument and option of a command as it is typed, with its help."""
    for each in command.params:
        if getattr(each, "hidden", False):
            continue
        if each.param_type_name == "argument":
            yield each.metavar or each.name.upper(), each.help or ""
            continue
        kind = getattr(each, "type_descriptor", None) or each.type
        choices = getattr(kind, "choices", None)
        value = "" if each.is_flag else f" {each.metavar or ('|'.join(map(str, choices)) if choices else 'VALUE')}"
        yield ", ".join([*each.opts, *each.secondary_opts]) + value, each.help or ""
    yield "-h, --help", "Print this help and exit."


def page(name: str, command: Any) -> str:
    """The man page of a command."""
    title = name.replace(" ", "-").upper()
    text = (command.help or "").strip()
    first, _, rest = text.partition("\n\n")
    below = getattr(command, "commands", {})
    lines = [f'.TH {title} 1 "" "bgtools {__version__}"', ".SH NAME"]
    lines += [f"{name.replace(' ', '-')} \\- {_plain(first).rstrip('.')}", ".SH SYNOPSIS"]
    arguments = " ".join(
        each.metavar or each.name.upper() for each in command.params if each.param_type_name == "argument"
    )
    lines += [f".B {name}", _plain(f"[OPTIONS] {'COMMAND' if below else arguments}".strip())]
    if rest:
        lines += [".SH DESCRIPTION", *(part for each in rest.split("\n\n") for part in (".PP", _plain(each)))]
    lines += [".SH OPTIONS"]
    for typed, told in options(command):
        lines += [".TP", f".B {_plain(typed)}", _plain(told)]
    if below:
        lines += [".SH COMMANDS"]
        for each in sorted(below):
            lines += [".TP", f".B {each}", _plain((below[each].help or "").strip().partition("\n\n")[0])]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """A text as troff takes it: in one line, no backslash or hyphen or leading dot that means something."""
    text = re.sub(r"\s+", " ", text).strip().replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text[:1] in ("." + "'") else text


def write(folder: Path) -> list[Path]:
    """Write every page; the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, command in commands():
        path = folder / f"{name.replace(' ', '-')}.1"
        path.write_text(page(name, command), encoding="utf-8")
        written.append(path)
    return written


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python docs/make_man.py FOLDER")
    print(f"{len(write(Path(sys.argv[1])))} pages")
