"""The commands by name. The module of each, and all that it needs, is imported when the command is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from enum import EnumType
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final, get_args

import typer
import typer.core
from typer.core import TyperCommand, TyperGroup

from bgtools._disk import exists
from bgtools.cli import _common

_GROUPS: Final = {
    "Look at a match": ("report", "show", "explain", "met"),
    "Check and mend a record": ("new", "check", "rule", "convert", "diff", "merge", "same", "formats"),
    "Many matches": ("blunders", "quiz", "ratings", "table", "library"),
    "For programs": ("lsp", "mcp", "benchmark", "cache"),
}
"""The commands in the order and under the heads of ``bgtools --help``."""
_NAMES: Final = tuple(name for names in _GROUPS.values() for name in names)
_OTHER_WORDS: Final = {
    "fix": "check --fix FILE", "repair": "check --fix FILE", "mend": "check --fix FILE",
    "validate": "check FILE", "lint": "check FILE", "verify": "check FILE", "judge": "check FILE",
    "analyse": "report FILE", "analyze": "report FILE", "analysis": "report FILE", "luck": "report FILE",
    "pr": "report FILE", "html": "report FILE", "pips": "report FILE --engine none", "page": "report FILE",
    "view": "show FILE --game 1 --row 1", "draw": "show XGID", "board": "show XGID", "display": "show XGID",
    "evaluate": "show XGID --engine sage", "eval": "show XGID --engine sage", "hint": "show XGID --engine sage",
    "stats": "report FILE, or bgtools ratings FOLDER for many", "statistics": "report FILE, or bgtools ratings FOLDER",
    "export": "convert FILE OUT, or bgtools table", "import": "library add FOLDER", "add": "library add FOLDER",
    "players": "library players", "search": "library find", "find": "library find", "sql": "library sql",
    "train": "quiz FOLDER", "practice": "quiz FOLDER", "errors": "blunders FOLDER", "mistakes": "blunders FOLDER",
    "compare": "diff A B", "create": "new NAME NAME", "init": "new NAME NAME", "start": "new NAME NAME",
    "glossary": "explain", "help": "--help", "version": "--version", "list": "check FOLDER --summary",
    "serve": "lsp, for editors, or bgtools mcp, for assistants", "rate": "ratings FOLDER",
}  # fmt: skip
"""What people type for a command, and the command that is meant."""

MARKUP: Final = "markdown"
"""How help texts are read: paragraphs flow, and brackets are brackets."""


class _PlainHelp:
    """A command whose help shows ranges and flags as a reader would write them."""

    def get_params(self, context: Any) -> list[Any]:
        parameters: list[Any] = super().get_params(context)  # type: ignore[misc]
        for each in parameters:
            _show_plain_range(each)
            _show_no_type(each)
        return parameters


class Commands(_PlainHelp, TyperGroup):
    """All commands; the module ``bgtools.cli.NAME`` holds the function ``NAME_command``."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "commands": _LazyCommands("bgtools.cli", _NAMES, _GROUPS)})

    def resolve_command(self, context: Any, arguments: list[str]) -> Any:
        """The command that is asked for. Where a record is in its place, its user is told what can be done."""
        name = arguments[0] if arguments else ""
        if name not in self.commands and not name.startswith("-") and exists(name):
            from bgtools._shell import shell_path

            shown = shell_path(name)
            _common.fail(
                f"{name}: say what to do with it; bgtools report {shown} tells luck and errors, "
                f"bgtools check {shown} judges it by the rules"
            )
        if name not in self.commands and (right := _OTHER_WORDS.get(name.casefold())):
            _common.fail(f"there is no command {name}; it is: bgtools {right}")
        return super().resolve_command(context, arguments)

    def invoke(self, context: Any) -> Any:
        """Run a command. What typer would end with the status of findings is said here."""
        try:
            return super().invoke(context)
        except (OSError, EOFError) as error:
            raise typer.Exit(_common.report_crash(error)) from None


class _Command(_PlainHelp, TyperCommand):
    """One command."""


class _LazyCommands(MutableMapping[str, Any]):
    """A command for each name, made of the module in a package when somebody asks for it."""

    def __init__(
        self, package: str, names: tuple[str, ...], groups: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    ) -> None:
        self._package, self._names, self._groups = package, names, groups
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name in self._names and name not in self._made:
            self._made[name] = command = _command(name, import_module(f"{self._package}.{name}"))
            command.rich_help_panel = next((head for head, names in self._groups.items() if name in names), None)
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
    commands = _LazyCommands(module.__name__, names)

    class Group(_PlainHelp, TyperGroup):
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


class _Conversion:
    """How the values of a parameter are made from text: as typer does it, but without pydantic.

    Importing pydantic takes longer than checking a match. Typer makes one of these for every parameter.
    """

    def __init__(self, descriptor: Any) -> None:
        self._kind, self._choices = descriptor.annotation, descriptor.choices
        self._bounds = descriptor.parameter_info

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """A value of the parameter's type, or a list of them.

        Raises:
            typer.BadParameter: the text is not such a value.
        """
        try:
            if value is None or isinstance(value, list | tuple):
                several = [self._convert(each, get_args(self._kind)[0]) for each in value or ()]
                return several if value or param.multiple or param.nargs == -1 else None
            return self._convert(value, self._kind)
        except ValueError as error:
            raise typer.BadParameter(str(error), ctx=ctx, param=param) from None

    def _convert(self, value: Any, kind: Any) -> Any:
        """One value; a ValueError says why it is not of this kind."""
        if self._choices is not None:
            if value not in map(str, self._choices):
                listed = ", ".join(f"'{each}'" for each in self._choices)
                raise ValueError(f"{value!r} is not one of {listed}.")
            return kind(value) if isinstance(kind, EnumType) else value
        if kind in (int, float):
            return self._number(value, kind)
        return value if kind is bool else kind(value)

    def _number(self, value: Any, kind: type[int | float]) -> int | float:
        try:
            number = kind(value)
        except ValueError:
            raise ValueError(f"{value!r} is not a {'whole number' if kind is int else 'number'}") from None
        least, most = self._bounds.min, self._bounds.max
        if least is not None and not number >= least:  # so that NaN is refused as well
            raise ValueError(f"{value} is too small; it must be {least} or more")
        if most is not None and not number <= most:
            raise ValueError(f"{value} is too large; it must be {most} or less")
        return number


# Typers before 0.27 have no such function, and import no pydantic.
vars(typer.core)["build_runtime_param"] = _Conversion
