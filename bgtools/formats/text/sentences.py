"""What sentences above and below the rows of a game say: who plays, to how many points, at what score, and who won."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from bgtools.formats.mat.headings import AGAINST, POINTS, read_heading

COLOURS: Final = frozenset({"white", "black", "red", "blue", "green", "brown", "yellow", "w", "b", "x", "o", "r"})
"""Words that stand for a player, in small letters."""

_COLOUR: Final = r"(?:White|Black|Red|Blue|Green|Brown|Yellow|W|B|R|X|O)"
NAME: Final = r"[^\W\d_][\w.'\u2019-]*(?:[ ][^\W\d_][\w.'\u2019-]*){0,3}"
"""One to four words that may be a name."""
_NUMBERS: Final = {
    word: number
    for number, words in enumerate(
        ("zero love nil", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
    )
    for word in words.split()
}
_DIGITS: Final = rf"(\d{{1,3}}|{'|'.join(_NUMBERS)})"
_TO: Final = r"[ ]?(?:[-\u2013\u2014\u2212:]|(?<=[ ])to(?=[ ]))[ ]?"
_SCORE_WORDS: Final = rf"{_DIGITS}{_TO}{_DIGITS}\b(?![/.:]?\d)"
_ANY: Final = re.IGNORECASE

_COLOURED: Final = re.compile(
    rf"[ \t|]*(\S[^\t|()]*?)[ \t]*\(({_COLOUR})\)(?:[ \t|]*|[ \t]+(?:vs?\.?|versus|against|-|\u2013)[ \t]+)"
    rf"(\S[^\t|()]*?)[ \t]*\(({_COLOUR})\)[ \t|.]*",
    _ANY,
)
_PLAYING: Final = re.compile(rf"({NAME})[ ](?:is[ ]playing|plays|is|has)[ ]({_COLOUR})\.?", _ANY)
_VERSUS: Final = re.compile(rf"[ \t]*({NAME})[ ]{AGAINST}[ ]({NAME})[ ]*(?:[,(]|$)")
_GAME: Final = re.compile(
    rf"[ \t#*=-]*(?:game|partie|partida|partita|spiel|jogo|jeu)[ \t#:]*(?:no\.?[ \t]*)?{_DIGITS}\b(?P<rest>[^\r\n]*)",
    _ANY,
)
_LEADS: Final = re.compile(
    rf"(?P<name>{NAME})[ ](?P<verb>(?:is[ ])?(?:lead(?:s|ing)|ahead|up|trail(?:s|ing)|behind|down))[ ,:]*"
    rf"(?:by[ ])?{_SCORE_WORDS}",
    _ANY,
)
_BOTH: Final = re.compile(
    rf"(?P<name>{NAME})(?:[ ]?[-\u2013:][ ]?|(?P<bare>[ ])){_DIGITS},[ ]{{1,4}}({NAME})[ ]?[-\u2013: ][ ]?{_DIGITS}\b",
    _ANY,
)
"""Ann - 1, Bob - 0, or behind the number of a game Ann 1, Bob 0."""
_SCORE: Final = re.compile(rf"\bscore(?:[ ]is|[ ]was)?[ :]*\(?{_SCORE_WORDS}", _ANY)
_BARE_SCORE: Final = re.compile(rf"[ (,:.-]*{_SCORE_WORDS}[ ).]*", _ANY)
_LENGTH: Final = re.compile(
    rf"\b{_DIGITS}[ -]{POINTS}(?!\w)(?:[ -](?:match|game))?|match[ ](?:to|of)[ ]{_DIGITS}\b", _ANY
)
_RESULT: Final = re.compile(
    rf"(?P<name>{NAME})[ \t]*(?::[ \t]*)?(?P<verb>(?P<won>wins|won|gewinnt|gewann|gagne|gana|vince|ganha)"
    r"|loses|lost|verliert|perd|pierde|perde|resigns|resigned)"
    r"(?:[ \t]+(?P<level>(?:a[ \t]+|the[ \t]+)?(?:(?:single|double|triple)[ \t]+)?(?:backgammon|gammon|game|match)))?"
    rf"(?:[ \t,(]+(?:and[ \t]+)?(?:(?:with|for|scores?|gets?)[ \t]+)?{_DIGITS}[ \t]*{POINTS})?"
    r"(?P<match>[ \t,]*(?:and[ \t]+(?:with[ \t]+it[ \t]+)?)?(?:the[ \t]+|wins[ \t]+the[ \t]+)?match)?[ \t]*[.!)]*",
    _ANY,
)
_LEVELS: Final = {"backgammon": 3, "triple": 3, "gammon": 2, "double": 2, "single": 1, "game": 1}
_MOST_WORDS: Final = 3


def number_of_word(text: str) -> int:
    """The number that digits or a word such as ``two`` stand for."""
    word = text.casefold()
    return int(word) if word.isdigit() else _NUMBERS[word]


class Coloured(NamedTuple):
    """Two names, each with a colour."""

    names: tuple[str, str]
    colours: tuple[str, str]


def read_coloured(line: str) -> Coloured | None:
    """The names of a heading such as ``Ann (Black)      Bob (White)``."""
    found = _COLOURED.fullmatch(line)
    return None if found is None else Coloured((found[1].strip(), found[3].strip()), (found[2], found[4]))


def read_names(line: str) -> tuple[str, str] | None:
    """The names in a sentence such as ``Ann against Bob, 5 points``."""
    if (found := _VERSUS.match(line)) is not None:
        return found[1], found[2]
    free = read_heading(line, above_rows=False)
    if free is None or free.names is None:
        return None
    names = free.names[0].name, free.names[1].name
    plain = all(len(each.split()) <= _MOST_WORDS and (each[:1].isupper() or " " not in each) for each in names)
    return names if plain else None


def read_playing(line: str) -> tuple[str, str] | None:
    """The name and the colour in a sentence such as ``Ann is playing Red.``"""
    found = _PLAYING.fullmatch(line.strip())
    return None if found is None else (found[1], found[2])


def read_length(line: str) -> int | None:
    """How many points a match goes to, by a sentence such as ``a 5-point match``."""
    found = _LENGTH.search(line)
    return None if found is None else number_of_word(found[1] or found[2])


class GameHeading(NamedTuple):
    """The heading of a game: its number, and what stands behind."""

    number: int
    rest: str


def read_game(line: str) -> GameHeading | None:
    """The heading ``Game 2`` or ``Game two. Ann leads 1-0``; None where more than a few words follow."""
    found = _GAME.fullmatch(line)
    if found is None:
        return None
    rest = found["rest"].strip(" .:\t")
    plain = not rest or read_score(rest, heading=True) is not None or len(rest.split()) <= _MOST_WORDS
    return GameHeading(number_of_word(found[1]), rest) if plain else None


class ScoreWords(NamedTuple):
    """A score in words: the name before it, if any, and the points of that player, or of the first, and the other."""

    name: str
    points: tuple[int, int]


def read_score(line: str, *, heading: bool = False) -> ScoreWords | None:
    """The score in a sentence; ``heading`` where the line is what stands behind ``Game 2``."""
    if found := _LEADS.search(line):
        points = number_of_word(found[3]), number_of_word(found[4])
        trails = found["verb"].casefold().endswith(("trails", "trailing", "behind", "down"))
        ordered = min(points), max(points)
        return ScoreWords(found["name"], ordered if trails else ordered[::-1])
    if (found := _BOTH.search(line)) and (heading or found["bare"] is None):
        return ScoreWords(found["name"], (number_of_word(found[3]), number_of_word(found[5])))
    found = _SCORE.search(line) or (_BARE_SCORE.match(line) if heading else None)
    return None if found is None else ScoreWords("", (number_of_word(found[1]), number_of_word(found[2])))


class ResultWords(NamedTuple):
    """A result in words.

    Attributes:
        name: who wins, or where ``won`` is False who loses or resigns.
        won: whether that player wins.
        resigned: whether the word is one of giving up, with no more behind it.
        level: 1 for a game, 2 for a gammon, 3 for a backgammon; None where it is not said.
        points: the points; None where they are not said.
        match: whether the match is won.
    """

    name: str
    won: bool
    resigned: bool
    level: int | None
    points: int | None
    match: bool


def read_result(line: str) -> ResultWords | None:
    """The result in a line such as ``White wins a gammon and the match.``"""
    found = _RESULT.fullmatch(line.strip(" \t|*"))
    if found is None:
        return None
    verb, words = found["verb"].casefold(), (found["level"] or "").casefold()
    is_match = bool(found["match"]) or words.endswith("match")
    level = next((count for word, count in _LEVELS.items() if word in words), None)
    points = number_of_word(found[5]) if found[5] else None
    won, resigned = found["won"] is not None, verb.startswith("resign") and level is None and points is None
    return ResultWords(found["name"], won, resigned, level, points, is_match)
