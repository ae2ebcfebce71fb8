"""``bgtools lsp``: the language server that editors start."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from bgtools._extras import install_hint, is_importable
from bgtools.cli import _common


def lsp_command(
    _stdio: Annotated[
        bool, typer.Option("--stdio", help="Speak over standard input and output, as it does without this too.")
    ] = False,
) -> None:
    """Answer an editor while a record is typed: findings, fixes, boards, legal plays.

    An editor that speaks the Language Server Protocol starts this by itself, once it is told the command "bgtools lsp".
    What it shows is what "bgtools check" finds, by the same settings, at once after every change: fixes as quick
    fixes, the board and its pips under the pointer, the legal plays of a roll, the games as an outline, and formatting
    into the dialect of the record. It needs pygls: pip install "bgtools-backgammon[lsp]".
    """
    if not is_importable("pygls"):
        _common.fail(f"this needs pygls; {install_hint('lsp')}")
    from bgtools.cli import _terminal
    from bgtools.editor.server import serve

    if sys.stdin.isatty():
        _common.print_error("this waits for an editor that speaks the Language Server Protocol; Ctrl-C ends it")
    if not serve(sys.stdin.buffer, _terminal.data_stream()):
        raise typer.Exit(1)
