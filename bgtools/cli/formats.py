"""``bgtools formats``: what is read and written, and what each written format has a place for."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bgtools.cli import _completion

if TYPE_CHECKING:
    from bgtools.formats.format import Format


def formats_command(
    name: Annotated[
        str | None,
        typer.Argument(help="One format, told in full.", metavar="[FORMAT]", autocompletion=_completion.all_formats),
    ] = None,
    layout: Annotated[Literal["text", "json"], typer.Option("--format", help="How to print it.")] = "text",
) -> None:
    """List the formats: their names, endings and dialects, and whether they are read or written."""
    from bgtools.cli import _common, _terminal
    from bgtools.formats.content import FormatError
    from bgtools.formats.reading import find_format
    from bgtools.formats.registry import formats

    try:
        chosen = tuple(formats()) if name is None else (find_format(name),)
    except FormatError as error:
        _common.fail(str(error))
    if layout == "json":
        _terminal.say(json.dumps([_as_data(each) for each in chosen], indent=2))
    elif name is None:
        for each in chosen:
            _terminal.say_wrapped(
                f"{each.name:<11} {_does(each):<11} {each.title} ({', '.join(each.extensions)})", "    "
            )
            if each.dialects:
                _terminal.say_wrapped(f"{'':<23} dialects: {', '.join(each.dialects)}", "    ")
    else:
        data = _as_data(chosen[0])
        _terminal.say(f"{data['name']}: {data['title']} ({_does(chosen[0])})")
        for key in ("extensions", "dialects", "carries", "lacks", "options"):
            held = data[key]
            if isinstance(held, list) and held:
                _terminal.say_wrapped(f"{key}: {', '.join(held)}", "    ")


def _does(each: Format) -> str:
    return "read, write" if each.reader and each.writer else "read" if each.reader else "write"


def _as_data(each: Format) -> dict[str, object]:
    from bgtools.conversion.probes import WORDS, held, held_options

    # What a format holds shows when small records are written in it and read again.
    found = held(each) if each.reader and each.writer else None
    return {
        "name": each.name,
        "title": each.title,
        "extensions": list(each.extensions),
        "reads": bool(each.reader),
        "writes": bool(each.writer),
        "dialects": list(each.dialects),
        "text": each.is_text,
        "carries": None if found is None else sorted(found),
        "lacks": None if found is None else sorted(set(WORDS) - set(found)),
        "options": None if found is None else list(held_options(each)),
    }
