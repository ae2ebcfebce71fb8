"""Write the page about what `import bgtools` gives: `python docs/make_api.py`."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import re
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import bgtools

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TARGET = Path(__file__).with_name("api.md")

GROUPS = {
    "Records": ("read", "read_all", "check", "account", "fix", "replay", "write", "convert", "diff", "same", "merge"),
    "Values": ("analyse", "evaluate", "report", "blunders", "table"),
    "Positions": ("Position", "Board", "Play"),
    "What a record says": ("Match", "Game"),
    "What it means": ("GameReplay", "Turn", "Finding", "Severity"),
    "What the functions give": (
        "MatchAccount",
        "Converted",
        "Repair",
        "Difference",
        "Merged",
        "AnalysedMatch",
        "Blunder",
        "Evaluation",
        "Choice",
    ),
    "Many matches": ("Library",),
    "Errors": ("FormatError", "IdError", "EngineUnavailable", "LibraryError"),
}
"""Every public name, in the order in which somebody meets them."""

INTRODUCTION = """\
# The library

Made by `python docs/make_api.py` from the code; the tests run every example, in the folder of this project and after
`import bgtools`. Importing it loads nothing; every name brings what it needs when it is first used.

## What may change

What is on this page is public, and nothing else: the names of `bgtools`, their parameters, and the attributes and
methods listed here. Versions follow [Semantic Versioning](https://semver.org/spec/v2.0.0.html). From 1.0 on a public
name is taken away or changes its meaning in a major release only, after at least one minor release in which using it
gives a `DeprecationWarning` that says what to write instead. Before 1.0 a minor release may do so, and the changelog
says it.

Any minor release may bring new names, optional parameters (given by name), attributes and findings, other words in
messages, `repr` and `_repr_html_`, and other figures of an engine. Codes of findings never change their meaning
([findings.md](findings.md)). Tables, JSON and schemas carry versions of their own ([tables.md](tables.md)).

Everything below `bgtools.` (such as `bgtools.formats`) is private, whether it has an underscore or not. It can be
imported and may be another tomorrow, save what [extending.md](extending.md) names. Where an annotation here names
another type, its attributes can be read, and functions that take it take what the public names give.

`bgtools.__version__` is the version.
"""


def page() -> str:
    """The page, made from the docstrings, signatures and fields of the names."""
    grouped = {name for names in GROUPS.values() for name in names} | {"__version__"}
    if grouped != set(bgtools.__all__):
        raise SystemExit(f"GROUPS and bgtools.__all__ differ: {grouped ^ set(bgtools.__all__)}")
    parts = [INTRODUCTION]
    for title, names in GROUPS.items():
        parts.append(f"## {title}\n")
        parts += [line for name in names for line in _entry(name, getattr(bgtools, name))]
    return "\n".join(parts)


def _entry(name: str, thing: Any) -> Iterator[str]:
    yield f"### `{name}`\n"
    if not inspect.isclass(thing):
        yield f"```python\n{_signature(name, thing)}\n```\n"
        yield _text(thing)
        return
    types = dict(_fields(thing))
    text = _text(thing, types)
    yield text
    if issubclass(thing, Exception):
        base = next(base for base in thing.__mro__ if base.__module__ == "builtins")
        yield f"It is {'an' if base is Exception else 'a'} `{base.__name__}`.\n"
        return
    if rest := [told for each, told in types.items() if f"`{told}`" not in text]:
        yield "\n".join(f"- `{told}`" for told in rest) + "\n"
    for key, value in vars(thing).items():
        if key.startswith("_") or not inspect.getdoc(value):
            continue
        if isinstance(value, property) or type(value).__name__ == "cached_property":
            getter = value.fget if isinstance(value, property) else value.func
            yield f"**`{name}.{key}`**: `{inspect.signature(getter).return_annotation}`\n\n{_text(value)}"
        elif inspect.isfunction(value) or isinstance(value, classmethod):
            function = value.__func__ if isinstance(value, classmethod) else value
            yield f"**`{_signature(f'{name}.{key}', function, 500)}`**\n\n{_text(function)}"


def _fields(thing: Any) -> Iterator[tuple[str, str]]:
    """The attributes of a class by their names, each with its type, or the value of a member of an enumeration."""
    if issubclass(thing, enum.Enum):
        yield from ((each.name, f"{each.name} = {each.value}") for each in thing)
    elif dataclasses.is_dataclass(thing):
        yield from ((each.name, f"{each.name}: {each.type}") for each in dataclasses.fields(thing))
    else:
        for name in getattr(thing, "_fields", ()):
            found = inspect.get_annotations(thing)[name]
            yield name, f"{name}: {getattr(found, '__forward_arg__', found)}"


def _signature(name: str, function: Any, width: int = 100) -> str:
    """A call with its parameters and types, one per line where they are many."""
    signature = inspect.signature(function)
    parts: list[str] = []
    for each in signature.parameters.values():
        if each.name in ("self", "cls"):
            continue
        if each.kind is each.KEYWORD_ONLY and not any(part.startswith("*") for part in parts):
            parts.append("*")
        stars = {each.VAR_KEYWORD: "**", each.VAR_POSITIONAL: "*"}.get(each.kind, "")
        default = "" if each.default is each.empty else f" = {each.default!r}"
        parts.append(f"{stars}{each.name}: {each.annotation}{default}")
    line = f"{name}({', '.join(parts)}) -> {signature.return_annotation}"
    if len(line) <= width:
        return line
    inner = "".join(f"    {part},\n" for part in parts)
    return f"{name}(\n{inner}) -> {signature.return_annotation}"


_SECTIONS = ("Args", "Attributes", "Raises", "Returns")


def _text(thing: Any, types: Mapping[str, str] = MappingProxyType({})) -> str:
    """A docstring as Markdown: examples in a box, sections as lists, attributes with their types."""
    lines = (inspect.getdoc(thing) or "").splitlines()
    out: list[str] = []
    section = example = False
    for line in lines:
        if line.lstrip().startswith(">>>") and not example:
            out.append("```pycon")
            example = True
        if example:
            if line.strip():
                out.append(line)
                continue
            out.append("```")
            example = False
        if line.rstrip(":") in _SECTIONS and line.endswith(":"):
            section = True
            out += [f"{line.rstrip(':')}:", ""]
        elif section and line.startswith("    "):
            entry = re.match(r"    (\S[^:]*): (.*)", line)
            if entry and not line.startswith("     "):
                names = ", ".join(f"`{types.get(each, each)}`" for each in entry[1].split(", "))
                out.append(f"- {names}: {_marks(entry[2])}")
            elif line.startswith("     "):
                out.append(f"  {_marks(line.strip())}")
            else:
                out.append(_marks(line.strip()))
        else:
            section = section and not line.strip()
            out.append(_marks(line))
    if example:
        out.append("```")
    return "\n".join(out).rstrip() + "\n"


def _marks(text: str) -> str:
    return re.sub(r"``(.+?)``", r"`\1`", text)


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
