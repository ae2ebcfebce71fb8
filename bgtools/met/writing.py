"""Writing match equity tables as GNU Backgammon and eXtreme Gammon read them, with their notice."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.met.table import MatchEquityTable


def as_xml(met: MatchEquityTable) -> str:
    """A table as an XML file for GNU Backgammon, which takes none in another format."""
    # Two hyphens would end the comment.
    notice = re.sub(r"-(?=-)", "- ", _NOT_IN_XML.sub("\ufffd", met.notice))
    head = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">',
        *([f"<!--\n\n{notice}\n\n-->"] if notice else []),
        "<met>",
        "<info>",
        f"<name>{escape(_on_a_line(met.title or met.name))}</name>",
        f"<description>{escape(_on_a_line(met.description))}</description>",
        f"<length>{met.size}</length>",
        "</info>",
        '<pre-crawford-table type="explicit">',
    ]
    tail = ['<post-crawford-table type="explicit" player="both">', _row(met.post_crawford), "</post-crawford-table>"]
    rows = [_row(row) for row in met.pre_crawford]
    return "\n".join([*head, *rows, "</pre-crawford-table>", *tail, "</met>", ""])


def _row(chances: Sequence[float]) -> str:
    return "<row>" + "".join(f"<me>{_digits(chance)}</me>" for chance in chances) + "</row>"


def as_met(met: MatchEquityTable) -> str:
    """A table as a ``.met`` file for eXtreme Gammon."""
    notice = [f"; {line}".rstrip() for line in met.notice.splitlines()]
    lines = [
        "[Current]",
        f"Name={_on_a_line(met.title or met.name)}",
        "Version=1.0",
        f"Description={_on_a_line(met.description)}",
        *(["", *notice] if notice else []),
        "",
        "[PostCrawford]",
        f"Size={len(met.post_crawford)}",
        "Data=" + " ".join(map(_digits, met.post_crawford)),
        "",
        "[PreCrawford]",
        f"Size={met.size}",
        *(f"{at:>2}=" + " ".join(map(_digits, row)) for at, row in enumerate(met.pre_crawford, 1)),
    ]
    return "\n".join([*lines, ""])


_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML file may hold, not even as a number (XML 1.0, 2.2)."""


def _on_a_line(text: str) -> str:
    """A text on one line, with U+FFFD instead of characters that cannot be written."""
    return " ".join(_NOT_IN_XML.sub("\ufffd", text).split())


def _digits(chance: float) -> str:
    """A number with the fewest digits that are read back as the same number, but at least five decimals."""
    whole, _, digits = f"{Decimal(repr(chance)):f}".partition(".")
    return f"{whole}.{digits:<05}"
