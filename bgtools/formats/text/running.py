"""Games told in sentences, and lists of positions: whose roll it is, and which play in a sentence was made.

`White threw 31 and took her 5-point, 8/5, 6/5. Black, with 64, could have run 24/14; he chose 24/18, 13/9.`

Plays that were not made stand in the same sentences. A play counts where no word such as "could" or "better" is before
it in its clause; of several, one that the rules allow. Where none counts, the roll stands without a play.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.formats.text.rows import read_row
from bgtools.formats.text.sentences import NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_DICE: Final = r"(?P<one>[1-6])[-,]?(?P<two>[1-6])(?![\d/*])"
_ROLLED: Final = re.compile(
    rf"(?P<who>{NAME}?),?[ ](?:then[ ]|now[ ]|next[ ])?(?:rolls|rolled|throws|threw|with|had|has|got|gets)[ ]"
    rf"(?:an?[ ])?{_DICE}"
)
_CUBED: Final = re.compile(
    rf"(?P<who>{NAME}?)[ ](?:then[ ]|now[ ])?"
    r"(?P<word>(?:re)?double[ds]|takes|took|accepted|pass(?:es|ed)|drop(?:s|ped)|resign(?:s|ed))\b"
    r"(?!\s{1,4}(?:her|his|the|their|its|a|an|on|in|off|out|over|to|by|through)\b(?!\s{1,4}(?:cube|doubl)))"
)
_POINT: Final = r"(?:2[0-5]|1?[0-9])"
_WAY: Final = rf"(?:bar|b|{_POINT})/(?:bar|off|{_POINT})(?:\*?/(?:off|{_POINT})){{0,3}}\*?(?:\([2-4]\))?"
_HOPS: Final = re.compile(rf"(?<![\d/]){_WAY}(?:(?:,? and |, ?| ){_WAY}){{0,3}}")
_UNMADE: Final = re.compile(
    r"\b(?:could|should|would|might|better|best|instead|rather|prefer(?:s|red)?|alternatives?|compare[ds]?|wanted|not"
    r"|correct|right|than|or|if)\b",
    re.IGNORECASE,
)
_ACTIONS: Final = (
    ("doubl", "Doubles"), ("resign", "Resigns"), ("drop", "Drops"), ("pass", "Drops"), ("", "Takes"),
)  # fmt: skip
_DANCED: Final = re.compile(r"\b(?:(?:could|can)(?:not|n't| not) (?:move|enter)|danced|dances|fanned|fans|no move)\b")
_CLAUSE: Final = re.compile(r"[.;:!?]|,? but | so ")
_CAPTION: Final = re.compile(
    rf"[ \t|]*(?:position[ ]\d+:[ ]*)?(?P<who>{NAME})[ ]to[ ](?:play|move)[ ]?:?[ ]?{_DICE}", re.IGNORECASE
)


class RollInProse(NamedTuple):
    """A roll or a cube action in a sentence.

    Attributes:
        who: the name, colour or pronoun before it, in small letters; the last word of several.
        text: the cell in the words of match text, for a roll without its play.
        plays: the plays that are named behind it as if they were made, in the words of match text.
        start, end: its stretch of the paragraph, up to the end of the last of these plays.
    """

    who: str
    text: str
    plays: tuple[str, ...]
    start: int
    end: int


def count_captions(lines: Iterator[str]) -> int:
    """How many lines say who is to play which roll, as the captions of a list of positions do."""
    return sum(_CAPTION.match(line) is not None for line in lines)


def read_caption(line: str) -> tuple[str, str] | None:
    """Who is to play which roll, by a caption such as ``Red to play 31``: a name in small letters, and a cell."""
    found = _CAPTION.match(line)
    return None if found is None else (found["who"].casefold(), f"{found['one']}{found['two']}: ????")


def count_told(text: str) -> int:
    """How many rolls a text tells in sentences, with plays behind them."""
    return sum(_HOPS.search(text, rolled.end(), rolled.end() + 200) is not None for rolled in _ROLLED.finditer(text))


def read_prose(text: str) -> Iterator[RollInProse]:
    """The rolls and cube actions that a paragraph tells, in their order."""
    events = sorted([*_ROLLED.finditer(text), *_CUBED.finditer(text)], key=lambda each: each.start())
    for number, event in enumerate(events):
        last = events[number + 1].start() if number + 1 < len(events) else len(text)
        who = (event["who"].split() or [""])[-1].casefold()
        if "word" in event.groupdict():
            if not _UNMADE.search(_clause(text, event.start("word"))):
                word = event["word"].casefold()
                cell = next(cell for letters, cell in _ACTIONS if letters in word)
                yield RollInProse(who, cell, (), event.start(), event.end())
            continue
        plays: list[str] = []
        end = event.end()
        for hops in _HOPS.finditer(text, event.end(), last):
            if not _UNMADE.search(_clause(text, hops.start(), event.end())):
                row = read_row(f"{event['one']}{event['two']}: {hops[0].replace(' and ', ' ')}")
                plays += [cell.text for cell in row.cells[:1]]
                end = hops.end()
        played = "????"
        if not plays and (danced := _DANCED.search(text, event.end(), last)):
            played, end = "Cannot Move", danced.end()
        yield RollInProse(who, f"{event['one']}{event['two']}: {played}", tuple(plays), event.start(), end)


def _clause(text: str, at: int, begin: int = 0) -> str:
    """What stands in the clause before a place, from ``begin`` on."""
    part = text[max(begin, at - 200) : at]
    ends = [each.end() for each in _CLAUSE.finditer(part)]
    return part[ends[-1] :] if ends else part


def pick_play(plays: tuple[str, ...], allowed: Callable[[str], bool]) -> str:
    """The play that was made: the last of those that a sentence names, of the legal ones if any is; "" for none."""
    return next((play for play in reversed(plays) if allowed(play)), plays[-1] if plays else "")
