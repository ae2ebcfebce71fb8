"""Logs of playing servers: how each is recognised by its content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bgtools.formats.content import Sign
from bgtools.formats.format import Format
from bgtools.rules.options import OPTIONS

if TYPE_CHECKING:
    from bgtools.formats.content import Content

_EVERYTHING: Final = frozenset({"length", "start", "comments", *OPTIONS})

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
    leaves_out=frozenset({"start", "holland", "quadruple", "winner_starts", "cube_limit"}),
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
    writer="bgtools.formats.servers.tmg:write",
    leaves_out=frozenset({"start", "comments", "holland", "quadruple", "winner_starts"}),
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
    leaves_out=frozenset({"start", "comments", *OPTIONS}),
    holds_several=True,
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
    leaves_out=_EVERYTHING,
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
    leaves_out=_EVERYTHING,
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
    leaves_out=_EVERYTHING,
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
    leaves_out=_EVERYTHING,
)

LOGS: Final = (SGG, TMG, OLDMOVES)
GAMES: Final = (PARTY, BGROOM, FIBS, BGAMMON)
"""Records that servers give their players. bgtools reads them, but does not write them."""
