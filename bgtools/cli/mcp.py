"""``bgtools mcp``: tools for an assistant."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from bgtools._disk import is_file, is_folder, may_exist, why
from bgtools._extras import install_hint, is_importable
from bgtools.cli import _common


def mcp_command(
    folders: Annotated[
        list[str] | None,
        typer.Argument(help="Folders whose records may be read; this one by default.", metavar="FOLDER…"),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Let tools write new records there. Nothing is replaced or deleted.")
    ] = False,
    library: Annotated[
        str | None, typer.Option("--library", help="A library that may be asked.", metavar="FOLDER", show_default=False)
    ] = None,
) -> None:
    """Give an assistant tools to read, judge and analyse records.

    An assistant that speaks the Model Context Protocol starts this by itself, once it is told the command
    "bgtools mcp FOLDER". It can then ask what a player would ask: is this record sound, what did Ann do wrong, how
    lucky was she, what is best here. Only files below the folders are read, and nothing is written without --write.
    It needs the extra mcp: pip install "bgtools-backgammon[mcp]".
    """
    if not is_importable("mcp.server.mcpserver"):
        _common.fail(f"this needs the MCP SDK, version 2 or newer; {install_hint('mcp')}")
    roots = folders or ["."]
    for each in roots:
        if not is_folder(each) and (is_file(each) or not may_exist(each)):
            _common.fail(f"{each}: there is no such folder")
    from bgtools.assistant.folders import Folders
    from bgtools.assistant.serving import serve

    try:
        held = Folders(roots, write=write)
    except OSError as error:
        _common.fail(f"{error.filename}: this folder cannot be read: {why(error)}")
    if sys.stdin.isatty():
        _common.print_error("this waits for an assistant that speaks the Model Context Protocol; Ctrl-C ends it")
    serve(held, library)
