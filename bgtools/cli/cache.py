"""``bgtools cache``: what engines' answers are kept in."""

from __future__ import annotations

from typing import Annotated

import typer

from bgtools._disk import status, why
from bgtools.cli import _common, _terminal
from bgtools.findings.quantities import AMOUNT


def cache_command(
    clear: Annotated[bool, typer.Option("--clear", help="Forget all answers, and the tables beside them.")] = False,
) -> None:
    """Show, or clear, the file in which engines' answers are kept between runs.

    It lies in the user's folder for such files, or where BGTOOLS_CACHE says, and never takes more
    than 256 MB: answers longest unused go first. Tables of bear-offs lie beside it, 10 MB; they are
    recomputed where they are missing. So do the documents of matches that were published, 2,000 MB at
    most. Exit status: 0 done, 2 it cannot be used.
    """
    from bgtools.bearoff.disk_cache import cached_files
    from bgtools.cli._site import document_store
    from bgtools.engines.cache import Store

    kept = Store()
    if clear:
        kept.clear()
        try:
            for table in cached_files():
                table.unlink(missing_ok=True)
        except OSError as error:
            _common.fail(f"the tables of bear-offs cannot be removed: {why(error)}")
    usage = kept.usage()
    if kept.fault:
        _common.fail(f"the cache cannot be used: {kept.fault}")
    answers = "1 answer" if usage.answers == 1 else f"{usage.answers:,} answers"
    _terminal.say(f"{usage.path}: {answers}, {AMOUNT.text(usage.size / 1e6)} MB")
    documents = document_store()
    if clear:
        documents.clear()
    held = documents.usage()
    if held.answers:
        _terminal.say(f"{held.path}: documents of published matches, {AMOUNT.text(held.size / 1e6)} MB")
    for table in cached_files():
        if (about := status(table)) is not None:
            _terminal.say(f"{table}: a table of bear-offs, {AMOUNT.text(about.st_size / 1e6)} MB")
