"""Taking off what mails, pages and forums put around a text: quote marks, tags, entities, fences.

The text that is left keeps its lines and columns, and knows where each character came from.
"""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Final

from bgtools.formats.mat.alike import in_ascii
from bgtools.formats.text.patchwork import Layers, Patchwork
from bgtools.formats.text.rows import has_roll

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_QUOTED: Final = re.compile(r"[ \t]*(?:>[ \t]?)+(?=[ \t]*\S|[ \t]*$)")
_FENCE: Final = re.compile(r"[ \t]*(?:`{3,}|~{3,})[^`~\r\n]*")
_FORUM_TAG: Final = re.compile(
    r"\[/?(?:code|pre|quote|tt|font|size|color|colour|b|i|u|s|list|center|left|right|spoiler)(?:[= ][^\[\]\r\n]*)?\]",
    re.IGNORECASE,
)
_EMPHASIS: Final = re.compile(r"(\*\*|__)(?=\S)([^*_\r\n]+?\*?)\1")
LINE: Final = re.compile(r"([^\r\n]*)(\r\n|\n|\r|$)")
"""A line, and its end."""
_SOFT: Final = re.compile(r"=[ \t]*(?:\r\n|\n|\r)|(?:=[0-9A-Fa-f]{2})+")
_IS_SOFT: Final = re.compile(r"^content-transfer-encoding:\s*quoted-printable", re.IGNORECASE | re.MULTILINE)
_PAGE: Final = re.compile(r"\s*<(?:!doctype|\?xml|!--|[a-z][a-z0-9]*[\s/>])", re.IGNORECASE)
_TAGGED: Final = re.compile(r"<(?:pre|table|tr|td|br|p|div)\b[^<>]*>", re.IGNORECASE)
_HEAD: Final = 1 << 16
_MARK: Final = re.compile(r"[\ufeff\u200b\u200c\u200d\u2060]+")


def is_page(text: str) -> bool:
    """Whether a text is a page: it begins with a tag, or one of those that pages use for layout is in its head."""
    return _PAGE.match(text) is not None or _TAGGED.search(text, 0, _HEAD) is not None


def undressed(text: str) -> Layers:
    """What is left of a text when one layer after the other is taken off."""
    left = Layers(text)
    for layer in _layers(text):
        left.add(layer(left.text))
    return left


def _layers(text: str) -> Iterator[Callable[[str], Patchwork]]:
    if _IS_SOFT.search(text, 0, _HEAD):
        yield _without_soft_breaks
    if is_page(text):
        yield _without_tags
    yield _without_marks
    if not text.isascii():
        yield _in_ascii


# --- layers ---------------------------------------------------------------------------------


def _without_soft_breaks(text: str) -> Patchwork:
    """A mail whose lines end in ``=`` and whose signs are numbers, as ``=3D``."""
    made, at = Patchwork(), 0
    for found in _SOFT.finditer(text):
        made.copy(text[at : found.start()], at)
        if found[0][1:3].strip():
            octets = bytes(int(each, 16) for each in found[0].split("=")[1:])
            try:
                made.write(octets.decode(), found.start())
            except UnicodeDecodeError:
                made.write(octets.decode("cp1252", "replace"), found.start())
        at = found.end()
    made.copy(text[at:], at)
    return made


def _without_marks(text: str) -> Patchwork:
    """Without quote marks of mails, fences, tags of forums, and marks that nobody sees."""
    made = Patchwork()
    for found in LINE.finditer(text):
        at, line = found.start(), found[1]
        quote = _QUOTED.match(line)
        begin = quote.end() if quote else 0
        if _FENCE.fullmatch(line, begin):
            begin = len(line)
        cuts = [(each.start(), each.end()) for pattern in (_FORUM_TAG, _MARK) for each in pattern.finditer(line, begin)]
        for each in _EMPHASIS.finditer(line, begin):
            cuts += [(each.start(), each.start(2)), (each.end(2), each.end())]
        for start, end in sorted(cuts):
            if start >= begin:
                made.copy(line[begin:start], at + begin)
                begin = end
        made.copy(line[begin:], at + begin)
        made.copy(found[2], found.end(1))
    return made


def _in_ascii(text: str) -> Patchwork:
    """Rows with digits and signs of ASCII, and other lines as they are."""
    made = Patchwork()
    for found in LINE.finditer(text):
        plain = in_ascii(found[1])
        made.copy((plain if has_roll(plain) else found[1]) + found[2], found.start())
    return made


def _without_tags(text: str) -> Patchwork:
    reader = _PageReader(text)
    reader.feed(text)
    reader.close()
    return reader.made


_BREAKS: Final = frozenset({"br", "li", "div", "dt", "dd", "hr", "pre", "textarea", "table"})
_PARAGRAPHS: Final = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "tr", "caption"})
_UNSEEN: Final = frozenset({"script", "style", "head", "title", "noscript", "svg", "template"})
_PLAIN: Final = frozenset({"pre", "textarea", "xmp", "listing"})
_CELLS: Final = frozenset({"td", "th"})


class _PageReader(HTMLParser):
    """Writes what a reader of the page sees. A row of a table becomes a line with bars between its cells."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.made = Patchwork()
        self.rows = 0
        self.plain = 0
        self.unseen = ""
        self.at_line_start = True
        self._lines = [0]
        at = -1
        while (at := text.find("\n", at + 1)) >= 0:
            self._lines.append(at + 1)

    @property
    def at(self) -> int:
        """Where in the page the tag or text begins."""
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def _write(self, words: str) -> None:
        self.made.write(words, self.at)
        self.at_line_start = words.endswith("\n")

    def _break(self, count: int) -> None:
        if self.rows:
            self._write(" ")
        elif not self.at_line_start or count > 1:
            self._write("\n" * count)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        if self.unseen:
            return
        if tag in _UNSEEN:
            self.unseen = tag
        elif tag == "tr":
            self._break(1)
            self.rows += 1
            self._write("|")
        elif tag == "br" and not self.rows:
            self._write("\n")
        elif tag in _PARAGRAPHS or tag in _BREAKS:
            self._break(1 + (tag in _PARAGRAPHS))
        if tag in _PLAIN:
            self.plain += 1

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        if self.unseen:
            if tag == self.unseen:
                self.unseen = ""
            return
        if tag == "tr" and self.rows:
            self.rows -= 1
            self._break(1)
        elif tag in _CELLS and self.rows:
            self._write(" | ")
        elif tag in _PARAGRAPHS or tag in _BREAKS:
            self._break(1 + (tag in _PARAGRAPHS))
        if tag in _PLAIN and self.plain:
            self.plain -= 1

    def handle_data(self, data: str) -> None:
        """Copy text. Outside of preformatted text a line end is a blank."""
        if self.unseen:
            return
        at = self.at
        if self.plain and not self.rows:
            self.made.copy(data, at)
            self.at_line_start = data.endswith("\n")
            return
        for found in re.finditer(r"[ \t\r\n]+|[^ \t\r\n]+", data):
            if not found[0].isspace():
                self.made.copy(found[0], at + found.start())
                self.at_line_start = False
            elif not self.at_line_start:
                blanks = " " if "\n" in found[0] or "\r" in found[0] else found[0]
                self.made.write(blanks, at + found.start())

    def _sign(self, written: str) -> None:
        if not self.unseen:
            self._write(html.unescape(written))

    def handle_entityref(self, name: str) -> None:
        """Write the sign that an entity stands for."""
        self._sign(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Write the sign that a number stands for."""
        self._sign(f"&#{name};")
