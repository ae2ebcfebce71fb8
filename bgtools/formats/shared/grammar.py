"""The grammars: their files, the parsers that Lark makes of them, and their terminals as regular expressions.

To import Lark takes 30 ms, and to make the parser of a grammar as long again. So match text, which most records are,
takes the terminals of its grammar as patterns, and asks Lark only why a text cannot be read.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bgtools._disk import is_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lark import Lark

_PACKAGE: Final = Path(__file__).resolve().parents[2]
# A wheel carries the grammars inside the package; in a source tree they are beside it.
_FOLDERS: Final = (_PACKAGE / "grammars", _PACKAGE.parent / "grammars")
_DEFINITION: Final = re.compile(r"^([A-Z_]+)(?:\.\d+)?: *(.+)$", re.MULTILINE)
_IMPORT: Final = re.compile(r"^%import \.(\w+)", re.MULTILINE)
_PART: Final = re.compile(r'/((?:\\.|[^/\\])+)/(i?)|"([^"]*)"(i?)|([A-Z_]+)|\s+')


@cache
def file_of(name: str) -> Path:
    """The file of the grammar ``grammars/<name>.lark``.

    Raises:
        FileNotFoundError: the installation lacks it.
    """
    for folder in _FOLDERS:
        if is_file(folder / f"{name}.lark"):
            return folder / f"{name}.lark"
    raise FileNotFoundError(f"the grammars of bgtools are missing: looked in {' and '.join(map(str, _FOLDERS))}")


def make_parser(name: str, starts: Sequence[str], **options: Any) -> Lark:
    """Lark's LALR parser of a grammar.

    Args:
        name: the name of the grammar.
        starts: the rules that a text may be parsed with.
        options: further options for Lark, such as ``transformer``.
    """
    from lark import Lark

    return Lark.open(str(file_of(name)), parser="lalr", start=list(starts), maybe_placeholders=True, **options)


@cache
def terminals(name: str) -> dict[str, str]:
    """The terminals of a grammar and of those that it imports, by name: regular expressions without groups."""
    text = file_of(name).read_text(encoding="utf-8")
    definitions = dict(_DEFINITION.findall(text))
    found = {"DIGIT": "[0-9]"}
    for other in _IMPORT.findall(text):
        found |= terminals(other)

    def pattern_of(part: re.Match[str]) -> str:
        regex, any_case, literal, literal_any_case, terminal = part.groups()
        if terminal:
            if terminal in definitions:
                found[terminal] = f"(?:{_PART.sub(pattern_of, definitions.pop(terminal))})"
            return found[terminal]
        pattern = regex or re.escape(literal or "")
        return f"(?{'i' if any_case or literal_any_case else ''}:{pattern})" if pattern else ""

    while definitions:
        _PART.sub(pattern_of, next(iter(definitions)))
    return found
