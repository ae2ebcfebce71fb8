"""What a producer of records writes, and what that proves: a profile each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from bgtools.record.record import Match


class Producer(NamedTuple):
    """Who writes records, how that is told, and what its lines prove.

    Attributes:
        name: who it is.
        sites: words of the tag ``Site`` in its records, in small letters.
        scores: whether the tags ``Player N Elo`` hold the final score, capped at the length of the match.
        session: the length of a match that is a single money game in truth; 0 for none.
    """

    name: str
    sites: tuple[str, ...] = ()
    scores: bool = False
    session: int = 0


PRODUCERS: Final = (
    Producer("Backgammon Galaxy", ("galaxy",), scores=True, session=16),
    Producer("Backgammon Studio", ("backgammon studio", "backgammon heroes")),
    Producer("OpenGammon", ("opengammon",)),
)
"""The producers of which real records are known and whose tag ``Site`` names them."""
_SCORE: Final = re.compile(r"\s*(\d+)(?:[.,]0+)?(?:/.*)?")


def producer_named(site: str) -> Producer | None:
    """Who wrote a record, by its tag ``Site``; None where that names nobody who is known."""
    folded = site.strip().casefold()
    return next((each for each in PRODUCERS if any(word in folded for word in each.sites)), None) if folded else None


def session_of(site: str, length: int | None, games: int) -> Producer | None:
    """Who writes a single money game as a match of this length; None where such a match is one."""
    producer = producer_named(site)
    return producer if producer is not None and games == 1 and length == producer.session != 0 else None


def _states_score(match: Match) -> bool:
    """Whether the tags of ratings hold the final score."""
    producer = producer_named(match.tag("Site") or "")
    return producer is not None and producer.scores


def proved_score(match: Match) -> tuple[int, int] | None:
    """The final score by player that the header of a record proves, capped at the length; None where it proves none."""
    if not match.length or not _states_score(match):
        return None
    found = [_SCORE.fullmatch(match.tag(f"Player {number} Elo") or "") for number in (1, 2)]
    if found[0] is None or found[1] is None:
        return None
    score = int(found[0][1]), int(found[1][1])
    return score[::-1] if match.tag("Player 1") == match.players[1] != match.players[0] else score


def rating_of(match: Match, number: int) -> str:
    """The rating of player 1 or 2 that a tag of a record states; "" where it states none."""
    return "" if _states_score(match) else match.tag(f"Player {number} Elo") or ""


def is_of_gnubg(match: Match) -> bool:
    """Whether GNU Backgammon wrote a record: it names itself, or leaves blanks at the ends of rolls in match text.

    The results of its money games leave out automatic doubles and the Jacoby rule; its score lines count both.
    """
    return names_gnubg(match) or (match.source is not None and _BLANK_END.search(match.source.text) is not None)


def names_gnubg(match: Match) -> bool:
    """Whether a record is SGF that names GNU Backgammon as its program."""
    return match.source is not None and "AP[GNU Backgammon" in match.source.text[:_HEAD]


_HEAD: Final = 1000
_BLANK_END: Final = re.compile(r"^ *\d+\).*\d\d: \d+/\d+\*?[^\r\n]* $", re.MULTILINE)


def names_in_header(match: Match) -> tuple[str, str]:
    """What the header calls the left and the right player, where it calls them otherwise than the record: real names
    beside nicks, as Backgammon Studio writes them; "" where it does not."""
    first, second = match.players
    told = (match.tag("Player 1") or "").strip(), (match.tag("Player 2") or "").strip()
    if first != second and (told[0] == second or told[1] == first):
        told = told[::-1]
    left, right = (
        "" if real.casefold() == name.casefold() else real for real, name in zip(told, match.players, strict=True)
    )
    return left, right
