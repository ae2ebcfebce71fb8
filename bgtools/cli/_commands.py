"""The commands by name. The module of each, and all that it needs, is imported when the command is asked for."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, MutableMapping
from enum import EnumType
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from bgtools._disk import exists
from bgtools.cli import _common

_NAMES: Final = (
    "benchmark",
    "blunders",
    "cache",
    "check",
    "convert",
    "diff",
    "formats",
    "library",
    "lsp",
    "mcp",
    "merge",
    "met",
    "quiz",
    "ratings",
    "report",
    "rule",
    "same",
    "show",
    "table",
)

MARKUP: Final = "markdown"
"""How help texts are read: paragraphs flow, and brackets are brackets."""


class _TakesPlainValues:
    """A command whose parameters take defaults and plain texts without typer's conversion."""

    def get_params(self, context: Any) -> list[Any]:
        parameters: list[Any] = super().get_params(context)  # type: ignore[misc]
        for each in parameters:
            _take_plain_values(each)
            _show_plain_range(each)
            _show_no_type(each)
        return parameters


class Commands(_TakesPlainValues, TyperGroup):
    """All commands; the module ``bgtools.cli.NAME`` holds the function ``NAME_command``."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "commands": _Loading("bgtools.cli", _NAMES)})

    def resolve_command(self, context: Any, arguments: list[str]) -> Any:
        """The command that is asked for. Where a record stands in its place, its user is told what can be done."""
        name = arguments[0] if arguments else ""
        if name not in self.commands and not name.startswith("-") and exists(name):
            shown = shlex.quote(name)
            _common.complain(
                f"{name}: say what to do with it; bgtools report {shown} tells luck and errors, "
                f"bgtools check {shown} judges it by the rules"
            )
            raise typer.Exit(2)
        return super().resolve_command(context, arguments)

    def invoke(self, context: Any) -> Any:
        """Run a command. What typer would end with the status of findings is said here."""
        try:
            return super().invoke(context)
        except (OSError, EOFError) as error:
            raise typer.Exit(_common.last_word(error)) from None


class _Command(_TakesPlainValues, TyperCommand):
    """One command."""


class _Loading(MutableMapping[str, Any]):
    """A command for each name, made of the module in a package when somebody asks for it."""

    def __init__(self, package: str, names: tuple[str, ...]) -> None:
        self._package, self._names = package, names
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name in self._names and name not in self._made:
            self._made[name] = _command(name, import_module(f"{self._package}.{name}"))
        return self._made[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        del self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _command(name: str, module: Any) -> Any:
    """The command of a module: its function ``NAME_command``, or a command for each module of a package.

    A package names its modules in ``COMMANDS``, and says in ``HELP`` what they are for.
    """
    names: tuple[str, ...] | None = getattr(module, "COMMANDS", None)
    single = typer.Typer(add_completion=False, rich_markup_mode=MARKUP)
    if names is None:
        single.command(name, cls=_Command)(getattr(module, f"{name}_command"))
        return typer.main.get_command(single)
    commands = _Loading(module.__name__, names)

    class Group(_TakesPlainValues, TyperGroup):
        def __init__(self, **options: Any) -> None:
            super().__init__(**{**options, "commands": commands})

    single.callback(cls=Group, help=module.HELP, no_args_is_help=True)(lambda: None)
    group = typer.main.get_command(single)
    group.name = name
    return group


def _show_plain_range(parameter: Any) -> None:
    """Let the help of an option call a number ``N``, not ``<int range> [x>=1]``."""
    if getattr(parameter, "min", None) is not None:
        parameter.metavar = parameter.metavar or "N"
        parameter._get_number_range_help_str = lambda: None


def _show_no_type(parameter: Any) -> None:
    """Let the help of a flag show no ``<bool>``, and that of an argument no ``<list[str]>``: both are as they look."""
    if getattr(parameter, "is_flag", False) or parameter.param_type_name == "argument":
        parameter.display_type_rich = lambda ctx: None


_BOUND: Final = re.compile(r"Input should be (greater|less) than or equal to (\S+)")


def _in_words(message: str, value: object) -> str:
    """A message of pydantic about a value, in words for somebody who does not know pydantic."""
    if bound := _BOUND.match(message):
        return (
            f"{value} is too {'small' if bound[1] == 'greater' else 'large'}; it must be {bound[2]} or "
            f"{'more' if bound[1] == 'greater' else 'less'}"
        )
    if message.startswith("Input should be a valid "):
        kind = "whole number" if "integer" in message else "number"
        return f"{value!r} is no {kind}"
    return message.removeprefix("Value error, ")


def _take_plain_values(parameter: Any) -> None:
    """Let a parameter take a default or a plain text without asking typer to convert it.

    From version 0.27 on typer has pydantic check those too, and importing pydantic takes longer than checking a match.
    Typer still converts, or refuses, everything else.
    """
    described = getattr(parameter, "type_descriptor", None)
    if described is None or "process_value" in vars(parameter):  # an older typer, or this has been done
        return
    kind, convert = described.annotation, parameter.process_value

    def process_value(context: Any, value: Any) -> Any:
        if value is parameter.default and not parameter.required:
            plain = value
        elif type(value) is str and (kind is str or (isinstance(kind, EnumType) and value in [*kind])):
            plain = kind(value)
        elif type(value) is str and kind is Path and (os.access(value, os.R_OK) or not os.path.lexists(value)):
            plain = Path(value)
        elif value and kind == list[str] and all(type(each) is str for each in value):
            plain = list(value)
        else:
            try:
                return convert(context, value)
            except typer.BadParameter as error:
                error.message = _in_words(error.message, value)
                raise
        return plain if parameter.callback is None else parameter.callback(context, parameter, plain)

    parameter.process_value = process_value
