"""The grammars: their terminals and rules, patterns made of them, and the parsers that Lark makes of them.

Importing Lark takes 30 ms, and making the parser of a grammar as long again. So the user's cache keeps what Lark made
of a grammar: with it, patterns of terminals, and values of rules that are sequences of terminals, need no Lark. The
cache is JSON, which unlike a pickle cannot run code.
"""

from __future__ import annotations

import json
import re
import zlib
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from bgtools import _cache
from bgtools._disk import is_file, make_folders, read_regular

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lark import Lark

_PACKAGE = Path(__file__).resolve().parents[2]
# A wheel carries the grammars inside the package; in a source tree they stand beside it.
_FOLDERS = (_PACKAGE / "grammars", _PACKAGE.parent / "grammars")
_IMPORT = re.compile(r"^%import \.(\w+)", re.MULTILINE)
_LAYOUT: Final = 1
_LARGEST: Final = 1 << 24
"""The version of the form in which a grammar is cached."""


@cache
def folder() -> Path:
    """The folder that holds the ``.lark`` files.

    Raises:
        FileNotFoundError: the installation lacks them.
    """
    for path in _FOLDERS:
        if is_file(path / "shared.lark"):
            return path
    raise FileNotFoundError(f"the grammars of bgtools are missing: looked in {' and '.join(map(str, _FOLDERS))}")


class Word(str):
    """A terminal in a text, like Lark's ``Token``: ``type`` is the terminal's name, the positions are offsets."""

    __slots__ = ("end_pos", "start_pos", "type")

    type: str
    start_pos: int
    end_pos: int


class _Alternative(NamedTuple):
    """One alternative of a rule: a sequence of symbols."""

    meaning: str
    """The name of the method that makes its value; "" where the value is that of its only symbol."""
    symbols: list[tuple[str, bool]]
    """The names of terminals and rules, each with whether that method is given its value."""


class Grammar:
    """The grammar ``grammars/<name>.lark``.

    Args:
        name: the name of the file.
        starts: the rules that a text may be parsed with.
        options: options for Lark: ``postlex``, and any whose value JSON can hold.
    """

    def __init__(self, name: str, starts: tuple[str, ...], **options: Any) -> None:
        self.name = name
        self.starts = starts
        self.options = options
        self._patterns: dict[tuple[str, ...], re.Pattern[str]] = {}
        self._words: dict[str, re.Pattern[str]] = {}

    # --- what it says -----------------------------------------------------------------------

    def terminal(self, name: str) -> str:
        """A terminal as a regular expression without named groups."""
        return str(self._made["terminals"][name])

    def pattern(self, *names: str) -> re.Pattern[str]:
        """A pattern of terminals in a row, each a group with its name. Those named with a ``?`` may be missing."""
        found = self._patterns.get(names)
        if found is None:
            parts = ((name.rstrip("?"), "?" * name.endswith("?")) for name in names)
            found = re.compile("".join(f"(?P<{name}>{self.terminal(name)}){may}" for name, may in parts))
            self._patterns[names] = found
        return found

    def first(self, rule: str) -> list[str]:
        """The terminals that a text of a rule can begin with."""
        found: dict[str, None] = {}
        seen = [rule]
        for origin in seen:
            for _, symbols in self._rules[origin]:
                name = symbols[0][0]
                if name not in self._rules:
                    found[name] = None
                elif name not in seen:
                    seen.append(name)
        return list(found)

    def first_pattern(self, rule: str) -> str:
        """A regular expression of the terminals that a text of a rule can begin with. It matches only whole words."""
        return rf"(?:{'|'.join(map(self.terminal, self.first(rule)))})(?:(?<!\w)|(?!\w))"

    def value(self, text: str, start: str, meanings: object) -> Any:
        """The value that the parser would make of a text; None if the text does not fit, or the rule repeats anything.

        A rule without repetition is a few sequences of terminals, and needs no parser.

        Args:
            text: the text.
            start: the rule.
            meanings: an object with a method for every rule, which is given the values of the rule's symbols.
        """
        found = self._blanks.match(text)
        for value, end in self._readings(start, text, found.end() if found else 0, meanings):
            if end == len(text):
                return value
        return None

    def _readings(self, rule: str, text: str, at: int, meanings: object) -> Iterator[tuple[object, int]]:
        """The values that a rule may have at a place, each with its end, behind the blanks that follow it."""
        if not rule.startswith("__"):  # such names are Lark's for the rules of repetitions
            for meaning, symbols in self._rules[rule]:
                for values, end in self._sequences(symbols, text, at, meanings):
                    yield getattr(meanings, meaning)(values) if meaning else values[0], end

    def _sequences(
        self, symbols: Sequence[tuple[str, bool]], text: str, at: int, meanings: object
    ) -> Iterator[tuple[list[object], int]]:
        values: list[object] = []
        rules, words = self._rules, self._words
        for index, (name, is_kept) in enumerate(symbols):
            if name in rules:
                for value, behind in self._readings(name, text, at, meanings):
                    for rest, end in self._sequences(symbols[index + 1 :], text, behind, meanings):
                        yield [*values, value, *rest], end
                return
            found = (words.get(name) or self._word_pattern(name)).match(text, at)
            if found is None:
                return
            if is_kept:
                word = Word(found["word"])
                word.type, word.start_pos, word.end_pos = name, at, found.end("word")
                values.append(word)
            at = found.end()
        yield values, at

    def _word_pattern(self, name: str) -> re.Pattern[str]:
        """A pattern of a terminal with the blanks after it."""
        found = self._words[name] = re.compile(f"(?P<word>{self.terminal(name)}){self._ignored}")
        return found

    @cached_property
    def _ignored(self) -> str:
        """A regular expression of the text between terminals that the grammar ignores."""
        return f"(?:{'|'.join(map(self.terminal, self._made['ignored']))})*"

    @cached_property
    def _blanks(self) -> re.Pattern[str]:
        return re.compile(self._ignored)

    # --- the parser -------------------------------------------------------------------------

    def parser(self, meanings: object = None) -> Lark:
        """The LALR parser.

        Args:
            meanings: an object with a method for every rule, which is given the values of the rule's symbols while the
                parser runs. A missing optional symbol in square brackets is None. Without ``meanings`` the parser
                makes a tree.
        """
        import lark

        if self._made["lark"] != lark.__version__:
            self._made = self._make()
        table = json.loads(self._made["table"], object_hook=_with_numbers)
        # Lark's own stand-alone parsers load their tables the same way.
        parser: Lark = lark.Lark._load_from_dict(  # type: ignore[no-untyped-call]
            **table, transformer=meanings, postlex=self.options.get("postlex")
        )
        return parser

    # --- what is kept -----------------------------------------------------------------------

    @cached_property
    def _rules(self) -> dict[str, list[_Alternative]]:
        return {origin: [_Alternative(*rule) for rule in rules] for origin, rules in self._made["rules"].items()}

    @cached_property
    def _made(self) -> dict[str, Any]:
        """What Lark made of the grammar, from the cache, or made now."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            made: dict[str, Any] = json.loads(read_regular(self._path, _LARGEST))
            if made["source"] == self._source:
                return made
        return self._make()

    @cached_property
    def _source(self) -> str:
        """Everything that the parser depends on: layout, starts, options and texts."""
        options = {name: option for name, option in self.options.items() if name != "postlex"}
        return json.dumps([_LAYOUT, self.starts, options, *_texts(self.name)])

    @property
    def _path(self) -> Path:
        return _cache.folder() / "grammars" / f"{self.name}-{zlib.crc32(self._source.encode()):08x}.json"

    def _make(self) -> dict[str, Any]:
        from lark import Lark, __version__
        from lark.grammar import Rule
        from lark.lexer import TerminalDef

        file = str(folder() / f"{self.name}.lark")
        parser = Lark.open(file, parser="lalr", start=list(self.starts), maybe_placeholders=True, **self.options)
        # The parser drops terminals that are only parts of others, so the grammar is compiled with all of them.
        terminals, _, ignored = parser.grammar.compile(list(self.starts), "*")
        rules: dict[str, list[_Alternative]] = {}
        for rule in parser.rules:
            symbols = [(symbol.name, not getattr(symbol, "filter_out", False)) for symbol in rule.expansion]
            meaning = "" if rule.options.expand1 and len(symbols) == 1 else rule.alias or rule.origin.name
            rules.setdefault(rule.origin.name, []).append(_Alternative(meaning, symbols))
        data, memo = parser.memo_serialize([TerminalDef, Rule])
        data["options"] = {name: option for name, option in data["options"].items() if name != "postlex"}
        made = {
            "source": self._source,
            "terminals": {each.name: each.pattern.to_regexp() for each in terminals},
            "rules": rules,
            "ignored": ignored,
            "lark": __version__,
            # JSON inside JSON: it is decoded only when there is something to parse.
            "table": json.dumps({"data": data, "memo": memo}),
        }
        kept = json.dumps(made)
        _keep(self._path, kept)
        return cast("dict[str, Any]", json.loads(kept))


def _texts(name: str) -> Iterator[str]:
    """The texts of a grammar and of the grammars that it imports terminals from."""
    text = (folder() / f"{name}.lark").read_text(encoding="utf-8")
    yield text
    for other in dict.fromkeys(_IMPORT.findall(text)):
        yield from _texts(other)


def _with_numbers(item: dict[str, Any]) -> dict[Any, Any]:
    """An object of JSON with numbers for those keys that are numbers in Lark's table: in JSON every key is text."""
    return {int(key) if key.isdecimal() else key: value for key, value in item.items()}


def _keep(path: Path, text: str) -> None:
    """Write a cache file, which other processes may read or write at the same time. An `OSError` is ignored."""
    from bgtools._atomic import end, temporary_file

    with suppress(OSError):
        make_folders(path.parent)
        with temporary_file(path) as (stream, draft):
            stream.write(text.encode())
            end(stream)
            draft.replace(path)
