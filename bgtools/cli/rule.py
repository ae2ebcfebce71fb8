"""``bgtools rule``: what a finding means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bgtools.cli import _common, _completion, _terminal

if TYPE_CHECKING:
    from bgtools.findings.finding import Code


Layout = Literal["text", "json"]
"""How pages are printed."""


def rule_command(
    rules: Annotated[
        list[str] | None,
        typer.Argument(
            help="Codes or names of findings, such as BG204 or bar-first.",
            metavar="CODE",
            autocompletion=_completion.rules,
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every page.")] = False,
    layout: Annotated[Layout, typer.Option("--format", help="How to print them.")] = "text",
) -> None:
    """Explain a finding of "bgtools check".

    Prints the manual page of a code: what it finds, why it matters, an example, what to do and the
    rules of the game after it. Exit status: 0 done, 2 there is no such code.
    """
    from bgtools.checks.registry import known_codes
    from bgtools.findings.manual import as_data, as_text

    if bool(rules) == everything:
        _common.fail("give a code such as BG204 or a name such as bar-first, or --all for every page")
    found = tuple(known_codes().values()) if everything else _find(rules or [])
    if layout == "json":
        import json

        _terminal.say(json.dumps([as_data(code) for code in found], indent=2))
    else:
        width = min(_terminal.width() or 100, 100)
        _terminal.say("\n\n\n".join(as_text(code, width) for code in found))


def _find(names: list[str]) -> tuple[Code, ...]:
    from bgtools.checks.registry import known_codes
    from bgtools.checks.settings import near

    known = {name: code for code in known_codes().values() for name in (code.id.lower(), code.name)}
    unknown = [name for name in names if name.strip().lower() not in known]
    for name in unknown:
        family = [code for code in known_codes() if code.startswith(name.strip().upper())]
        advice = f"; there are {family[0]} to {family[-1]}" if len(family) > 1 else near(name)
        _common.print_error(f'there is no code "{name}"{advice}')
    if unknown:
        raise typer.Exit(2)
    return tuple(known[name.strip().lower()] for name in names)
