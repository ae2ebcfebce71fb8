"""``bgtools explain``: what a word of a report or a finding means."""

from __future__ import annotations

from typing import Annotated

import typer

from bgtools.cli import _common, _terminal


def explain_command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            help="Words of a report, such as EMG or joker, columns such as chance_after, or codes such as BG204.",
            metavar="TERM",
        ),
    ] = None,
) -> None:
    """Explain a word that reports print, a column of a table, or a finding.

    "bgtools explain CP" says what CP is; without a word, all are explained. Exit status: 0 done, 2 there is no such
    word.
    """
    from bgtools.checks.registry import known_codes
    from bgtools.cli.rule import rule_command
    from bgtools.reports.terms import all_terms, find_column, find_term, near_terms

    whole = " ".join(words or ())
    asked = [whole] if find_term(whole) else words or [each.names[0] for each in all_terms()]
    codes = {name for code in known_codes().values() for name in (code.id.casefold(), code.name)}
    for word in asked:
        if (term := find_term(word)) is not None:
            others = f" ({', '.join(term.names[1:])})" if term.names[1:] else ""
            _terminal.say_wrapped(f"{term.names[0]}{others}: {term.meaning}", "  ")
        elif word.casefold() in codes:
            rule_command([word])
        elif told := find_column(word):
            _terminal.say_wrapped(told, "  ")
        else:
            near = near_terms(word)
            hint = f"; did you mean {' or '.join(near)}?" if near else "; bgtools explain lists all"
            _common.fail(f"there is no word {word!r}{hint}")
