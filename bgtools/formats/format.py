"""`Format`: what the rest of bgtools knows of a format."""

from __future__ import annotations

from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final

from bgtools.formats.content import FormatError
from bgtools.rules.options import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.formats.content import Content
    from bgtools.record.record import Match


EVERYTHING: Final = frozenset({"length", "start", "comments", *OPTIONS})
"""All that `Format.leaves_out` can name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format that records come in.

    Attributes:
        name: what the command line calls it.
        title: what people call it.
        extensions: usual endings of file names, with the dot; the first is the one that is written.
        sniff: how much content looks like this format, from 0 (not at all) to 1 (certain).
        reader: gives the matches in a `Content`, at least one, and raises nothing but `FormatError`.
            It is a function, or ``module:function``, which is imported when it is first used: a parser takes longer to
            import than a small match to check. "" where the format is only written.
        writer: gives the bytes of some matches in a dialect: a function, or ``module:function``. "" where the format
            is only read.
        rewriter: writes changed matches into the file that they were read from, and keeps the parts that no reader
            reads; b"" where those do not fit the changed matches. It is a function, or ``module:function``; "" for
            none.
        dialects: names of the spellings it can be written in, the usual one first.
        leaves_out: what a record in it says nothing of: ``length``, ``start``, ``comments``, and the options of a
            `Ruleset` by name. Where two records are compared, that is no difference.
        holds_several: whether a file can hold several matches.
        is_text: whether people can read it.
        holds_matches: whether a file can hold a whole match; False where it holds one position.
        maker: the package that adds the format, for messages; "" for the formats of bgtools itself.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    sniff: Callable[[Content], float]
    reader: str | Callable[[Content], tuple[Match, ...]] = ""
    writer: str | Callable[[tuple[Match, ...], str], bytes] = ""
    rewriter: str | Callable[[tuple[Match, ...]], bytes] = ""
    dialects: tuple[str, ...] = ()
    is_text: bool = True
    holds_matches: bool = True
    leaves_out: frozenset[str] = frozenset()
    holds_several: bool = False
    carries: object = None
    """Ignored; it goes with the next release."""
    maker: str = ""

    def read(self, content: Content) -> tuple[Match, ...]:
        """The matches in a file of this format.

        Raises:
            FormatError: it is not in this format after all.
        """
        if not self.maker:
            found: tuple[Match, ...] = _load(self.reader)(content)
            return found
        from bgtools.record.record import Match

        found = self._by_maker(self.reader, content)
        if not isinstance(found, tuple) or not found or not all(isinstance(each, Match) for each in found):
            raise FormatError(self._fault("its reader gives no tuple of matches"))
        return found

    def write(self, matches: tuple[Match, ...], dialect: str = "") -> bytes:
        """The bytes of a file that holds some matches.

        Raises:
            FormatError: they hold something that this format cannot hold and cannot leave out.
        """
        dialect = dialect or (self.dialects[0] if self.dialects else "")
        if not self.maker:
            data: bytes = _load(self.writer)(matches, dialect)
            return data
        data = self._by_maker(self.writer, matches, dialect)
        if not isinstance(data, bytes):
            raise FormatError(self._fault("its writer gives no bytes"))
        return data

    def rewrite(self, matches: tuple[Match, ...]) -> bytes:
        """The bytes of some matches, with the parts of their file that no reader reads; b"" where that cannot be done.

        Raises:
            FormatError: they hold something that this format cannot hold and cannot leave out.
        """
        if not self.rewriter or self.maker:
            return b""
        data: bytes = _load(self.rewriter)(matches)
        return data

    def _by_maker(self, function: str | Callable[..., Any], *given: object) -> Any:
        """What a function of another package gives. Where it fails, a `FormatError` names the package."""
        try:
            return _load(function)(*given)
        except FormatError:
            raise
        except Exception as error:
            raise FormatError(self._fault(f"{type(error).__name__}: {error}")) from error

    def _fault(self, what: str) -> str:
        return f"{self.maker} fails: {what}"


def _load(name: str | Callable[..., Any]) -> Callable[..., Any]:
    return resolve_name(name) if isinstance(name, str) else name
