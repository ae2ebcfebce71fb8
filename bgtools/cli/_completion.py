"""Completing the command line in a shell: the values of options, and the script by which the shell asks for them.

Each function imports what it needs when the shell asks, so a command that only runs pays nothing for it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, get_args

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bgtools.findings.finding import Code

VARIABLE: Final = "_BGTOOLS_COMPLETE"
"""The environment variable by which a shell asks what it may write."""

Choices = list[tuple[str, str]]
"""What may be written, each with a word of help."""


_BASH: Final = """
%(complete_func)s() {
    local IFS=$'\\n' words=() rest=$COMP_LINE word i breaks=""
    # Bash parts words at colons and equals signs too; what stands without a blank between is one word.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((i)) && [[ $rest != [[:space:]]* && -n $word ]]; then
            words[${#words[@]}-1]+=$word
        else
            words+=("$word")
        fi
        rest=${rest#"${rest%%%%[![:space:]]*}"}
        rest=${rest#"$word"}
    done
    COMPREPLY=( $( env COMP_WORDS="${words[*]}" COMP_CWORD=$((${#words[@]} - 1)) \\
        %(autocomplete_var)s=complete_bash $1 ) )
    # It puts in place only what stands after the last of those signs.
    [[ $COMP_WORDBREAKS == *:* ]] && breaks+=:
    [[ $COMP_WORDBREAKS == *=* ]] && breaks+==
    if [[ -n $breaks ]]; then
        word=${words[${#words[@]}-1]}
        [[ $word == --*=* ]] && word=${word#*=}
        COMPREPLY=( "${COMPREPLY[@]#"${word%%"${word##*[$breaks]}"}"}" )
    fi
    return 0
}

complete -o default -F %(complete_func)s %(prog_name)s
"""
"""Typer's own script for bash takes what stands behind a colon, as in ``mat:x``, for a word of its own."""


def begin() -> None:
    """Get ready to answer a shell."""
    from typer._completion_classes import completion_init

    completion_init()


def show_script(is_asked: bool) -> None:
    """Print the script for the shell that runs, and end."""
    if is_asked:
        from typer._completion_shared import _completion_scripts, get_completion_script

        from bgtools.cli import _terminal

        _completion_scripts["bash"] = _BASH
        _terminal.say(get_completion_script(prog_name="bgtools", complete_var=VARIABLE, shell=_shell()))
        raise typer.Exit


def install_script(is_asked: bool) -> None:
    """Put that script where the shell finds it, and end."""
    if is_asked:
        from typer._completion_shared import _completion_scripts, install

        from bgtools.cli import _common, _terminal

        shell = _shell()
        _completion_scripts["bash"] = _BASH
        try:
            _, path = install(shell=shell, prog_name="bgtools", complete_var=VARIABLE)
        except OSError as error:
            _common.fail(f"the completion for {shell} cannot be installed: {error}")
        _terminal.say(f"{shell} completion installed in {path}; it works in the next {shell} that is started")
        raise typer.Exit


def _shell() -> str:
    """The shell that runs. Where it is none that can be asked, a message and the end."""
    import shellingham
    from typer._completion_shared import Shells

    from bgtools.cli import _common

    try:
        name: str = shellingham.detect_shell()[0]
    except (shellingham.ShellDetectionFailure, OSError):
        name = os.path.basename(os.environ.get("SHELL", ""))  # noqa: PTH119 - a path is a class to import
    if name not in {*Shells}:
        known = ", ".join(each.value for each in Shells)
        _common.fail(f"the shell {name or 'that runs'} cannot be asked to complete; those that can are {known}")
    return name


# --- what can stand for an option -----------------------------------------------------------


def formats(incomplete: str) -> Choices:
    """Formats that are read."""
    from bgtools.formats.registry import formats as known

    return _begun(((each.name, each.title) for each in known() if each.reader), incomplete)


def all_formats(incomplete: str) -> Choices:
    """Formats that are read or written."""
    from bgtools.formats.registry import formats as known

    return _begun(((each.name, each.title) for each in known()), incomplete)


def targets(incomplete: str) -> Choices:
    """Formats that are written, and their dialects."""
    from bgtools.formats.registry import formats as known

    written = [each for each in known() if each.writer]
    names = [(each.name, each.title) for each in written]
    names += [(f"{each.name}:{dialect}", each.title) for each in written for dialect in each.dialects]
    return _begun(names, incomplete)


def rules(incomplete: str) -> Choices:
    """Codes of findings, and their names."""
    return _codes(incomplete)


def selectors(incomplete: str) -> Choices:
    """Codes with commas between them."""
    return _listed(incomplete, _codes)


def code_severities(incomplete: str) -> Choices:
    """Codes, each with how much it matters: ``BG203=warning``."""
    from bgtools.findings.finding import Severity

    code, equals, level = incomplete.rpartition(",")[2].partition("=")
    if not equals:
        return _listed(incomplete, lambda begun: [(f"{name}=", said) for name, said in _codes(begun)])
    before = incomplete.removesuffix(level)
    return [
        (before + each, f"how much {code} matters") for each in (*map(str, Severity), "off") if each.startswith(level)
    ]


def losses(incomplete: str) -> Choices:
    """Codes of what a conversion may lose."""
    return _codes(incomplete, "BG5")


def engines(incomplete: str) -> Choices:
    """Engines, with commas between them."""
    from bgtools.engines.registry import all_engines

    known = [(kind.name, kind.title) for kind in all_engines().values()]
    return _listed(incomplete, lambda begun: _begun(known, begun))


def mets(incomplete: str) -> Choices:
    """Match equity tables that are known by name."""
    from bgtools.met.finding import DEFAULT, installed

    return _begun(((name, "match equity table") for name in (DEFAULT, *installed())), incomplete)


def columns(ctx: typer.Context, incomplete: str) -> Choices:
    """Columns of the table that is asked for, with commas between them; those of every rating among them."""
    from bgtools.reports.table_kinds import AnyTableName, about_table

    # Before an option without its value the arguments are not given their names yet.
    names: tuple[AnyTableName, ...] = get_args(AnyTableName)
    named = [about_table(name)[1] for name in names if name in (ctx.params.get("kind"), *ctx.args)]
    known = [(column.name, column.meaning) for some in named for column in some]
    return _listed(incomplete, lambda begun: _begun(known, begun))


def _codes(incomplete: str, family: str = "") -> Choices:
    """Codes that begin so, or the names of such where it is not a code that is begun."""
    from bgtools.checks.registry import known_codes

    known: Iterable[Code] = [each for each in known_codes().values() if each.id.startswith(family)]
    if found := _begun(((each.id, each.name) for each in known), incomplete):
        return found
    return _begun(((each.name, each.id) for each in known), incomplete)


def _begun(choices: Iterable[tuple[str, str]], incomplete: str) -> Choices:
    return list(dict.fromkeys(each for each in choices if each[0].startswith(incomplete)))


def _listed(incomplete: str, choices: Callable[[str], Choices]) -> Choices:
    """What may stand after the last comma of a list, with all that is before it."""
    before, comma, begun = incomplete.rpartition(",")
    return [(f"{before}{comma}{name}", said) for name, said in choices(begun)]
