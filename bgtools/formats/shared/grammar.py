"""Loading the grammars: from the installed package, or from the source tree beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark, Transformer

_PACKAGE = Path(__file__).resolve().parents[2]
# A wheel carries the grammars inside the package; in a source tree they stand beside it.
_FOLDERS = (_PACKAGE / "grammars", _PACKAGE.parent / "grammars")


@cache
def folder() -> Path:
    """The folder that holds the ``.lark`` files.

    Raises:
        FileNotFoundError: the installation lacks them.
    """
    for path in _FOLDERS:
        if (path / "shared.lark").is_file():
            return path
    raise FileNotFoundError(f"the grammars of bgtools are missing: looked in {' and '.join(map(str, _FOLDERS))}")


def load(name: str, start: tuple[str, ...], transformer: Transformer[Any, Any] | None = None, **options: Any) -> Lark:
    """Build the LALR parser of ``grammars/<name>.lark``; the transformer runs while parsing."""
    from lark import Lark

    return Lark.open(
        str(folder() / f"{name}.lark"),
        parser="lalr",
        start=list(start),
        transformer=transformer,
        maybe_placeholders=True,
        **options,
    )
