"""Logs of playing servers: how each is recognised by its content, and what it carries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.formats.carries import EVERYTHING, NONE, Carries, Feature
from bgtools.formats.content import Sign
from bgtools.formats.format import Format

if TYPE_CHECKING:
    from bgtools.formats.content import Content

_NO_ANALYSIS = EVERYTHING - {
    Feature.PLAY_ANALYSIS,
    Feature.CUBE_ANALYSIS,
    Feature.TAKE_CHANCES,
    Feature.MANY_PLAYS,
    Feature.LEVELS,
    Feature.PROGRAMS,
    Feature.LUCK,
    Feature.MARKS,
    Feature.CLOCKS,
    Feature.EXTRAS,
    Feature.SET_BOARD,
}
"""The features that records of servers may hold; most hold fewer."""
_LOG = _NO_ANALYSIS - {
    Feature.RATINGS,
    Feature.MATCH_COMMENTS,
    Feature.RESIGNATION_LEVELS,
    Feature.START,
    Feature.SEVERAL_MATCHES,
}
"""The features that logs of GamesGrid and TrueMoneyGames may hold."""

_SGG_SIGNS = (
    Sign(re.compile(r"^[^\n]*\S\s+vs\.\s+\S", re.MULTILINE), "vs."),
    Sign(re.compile(r"^Game +\d+\. *\d+\*?-\d+", re.MULTILINE | re.IGNORECASE), "game "),
    Sign(re.compile(r"^\d+\t\t?(\d\d:| -|double|resign)", re.MULTILINE | re.IGNORECASE), "\t"),
)


def sgg(content: Content) -> float:
    """GamesGrid: "Ann vs. Bob", "Game 1. 0-0/5", a number, a tab and a roll."""
    return content.share(_SGG_SIGNS)


SGG: Final = Format(
    name="sgg",
    title="GamesGrid log",
    extensions=(".sgg",),
    sniff=sgg,
    reader="bgtools.formats.servers.sgg:read",
    writer="bgtools.formats.servers.sgg_writer:write",
    carries=Carries(
        features=_LOG,
        tags=re.compile("eventdate|player [12] elo"),
        rules=re.compile("crawford|jacoby|beavers|automatic_doubles|variant"),
        variants=re.compile("backgammon|nackgammon|hypergammon"),
    ),
)

_TMG_SIGNS = (
    Sign(re.compile(r"^player1:[ \t]*\d+[ \t]+\S", re.MULTILINE | re.IGNORECASE), "player1:"),
    Sign(re.compile(r"^Game +\d+: *\d+-\d+", re.MULTILINE | re.IGNORECASE), "game "),
    Sign(re.compile(r"^[ \t]*-?\d+ \d+ (\d\d:|settlement|automatic)", re.MULTILINE | re.IGNORECASE)),
)


def tmg(content: Content) -> float:
    """TrueMoneyGames: "Player1: 10001 Ann", "Game 1: 0-0", two numbers and a roll."""
    return content.share(_TMG_SIGNS)


TMG: Final = Format(
    name="tmg",
    title="TrueMoneyGames log",
    extensions=(".tmg",),
    sniff=tmg,
    reader="bgtools.formats.servers.tmg:read",
    writer="bgtools.formats.servers.tmg_writer:write",
    carries=Carries(
        features=_LOG - {Feature.COMMENTS},
        tags=re.compile("match id|eventdate|eventtime"),
        rules=re.compile("crawford|jacoby|beavers|automatic_doubles|cube_limit|variant"),
        variants=re.compile("backgammon|nackgammon"),
    ),
)

_OLDMOVES_SIGNS = (
    Sign(re.compile(r"\bscore is \d+-\d+", re.MULTILINE | re.IGNORECASE), "score is "),
    Sign(re.compile(r"\S\s+is +[XO] +- +\S.*\s+is +[XO]\b"), "is "),
    Sign(re.compile(r"^[XO]: ", re.MULTILINE), ": "),
)


def oldmoves(content: Content) -> float:
    """FIBS oldmoves: the score in words, a line that says who is X and who is O, and lines that begin with X or O."""
    return content.share(_OLDMOVES_SIGNS)


OLDMOVES: Final = Format(
    name="oldmoves",
    title="FIBS oldmoves",
    extensions=(".fibs", ".txt"),
    sniff=oldmoves,
    reader="bgtools.formats.servers.oldmoves:read",
    writer="bgtools.formats.servers.oldmoves_writer:write",
    carries=Carries(
        features=_NO_ANALYSIS
        - {
            Feature.RATINGS,
            Feature.TAGS,
            Feature.RULES,
            Feature.COMMENTS,
            Feature.MATCH_COMMENTS,
            Feature.AUTOMATIC_DOUBLES,
            Feature.CUBE_CLAIMS,
            Feature.RESIGNATION_LEVELS,
            Feature.START,
            Feature.GAME_NUMBERS,
        },
        tags=NONE,
        rules=NONE,
    ),
)


_PARTY = Sign(re.compile(r"^game_\d+_gameplay *=", re.MULTILINE | re.IGNORECASE), "_gameplay")


def party(content: Content) -> float:
    """PartyGammon: a key that holds the play of a game."""
    return float(content.shows(_PARTY))


PARTY: Final = Format(
    name="party",
    title="PartyGammon record",
    extensions=(".gam",),
    sniff=party,
    reader="bgtools.formats.servers.party:read",
    carries=Carries(features=frozenset()),
)

_BGROOM = Sign(re.compile(r"^game +\d+ - \S+ \([X0O]\) vs\. \S+ \([X0O]\)", re.MULTILINE | re.IGNORECASE), ") vs. ")


def bgroom(content: Content) -> float:
    """BackGammonRoom: a heading that says who is X and who is 0."""
    return float(content.shows(_BGROOM))


BGROOM: Final = Format(
    name="bgroom",
    title="BackGammonRoom record",
    extensions=(".bgf", ".txt"),
    sniff=bgroom,
    reader="bgtools.formats.servers.bgroom:read",
    carries=Carries(features=frozenset()),
)

_FIBS = Sign(re.compile(r"\bboard:[^:\s]+:[^:\s]+(?::-?\d{1,9}){50}"), "board:")


def fibs(content: Content) -> float:
    """A session on FIBS: a line with two names and 50 numbers."""
    return float(content.shows(_FIBS))


FIBS: Final = Format(
    name="fibs",
    title="FIBS session",
    extensions=(".txt", ".log"),
    sniff=fibs,
    reader="bgtools.formats.servers.fibs:read",
    carries=Carries(features=frozenset()),
)


def bgammon(content: Content) -> float:
    """A replay of bgammon.org, which begins with "bgammon-replay"."""
    return 1.0 if content.data.startswith(b"bgammon-replay ") else 0.0


BGAMMON: Final = Format(
    name="bgammon",
    title="bgammon.org replay",
    extensions=(".match",),
    sniff=bgammon,
    reader="bgtools.formats.servers.bgammon:read",
    carries=Carries(features=frozenset()),
)

LOGS: Final = (SGG, TMG, OLDMOVES)
GAMES: Final = (PARTY, BGROOM, FIBS, BGAMMON)
"""Records that servers give their players. bgtools reads them, but does not write them."""
