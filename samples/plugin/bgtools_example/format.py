"""A format: a match as a list of lines, such as ``1 31 8/5 6/5``, ``2 double`` and ``1 wins 2``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bgtools.extend import (
    CheckerPlay,
    Content,
    Double,
    Drop,
    Entry,
    Finding,
    Format,
    FormatError,
    Game,
    Match,
    Player,
    Resign,
    ResultClaim,
    Span,
    Take,
    codes,
    format_play,
    read_play,
    replay,
)

HEADING = re.compile(r"lines (\d+) (.*) - (.*)")
GAME = re.compile(r"game (\d+)-(\d+)")
ENTRY = re.compile(r"([12]) (?:(double|take|drop)|wins (\d+)|([1-6])([1-6])(?: (.+))?)")
WORDS: dict[str, type[Double | Take | Drop]] = {"double": Double, "take": Take, "drop": Drop}


def sniff(content: Content) -> float:
    """How much a file looks like this format: its first line tells."""
    return 1.0 if HEADING.match(content.head_lines) else 0.0


@dataclass
class Draft:
    """A game while it is read."""

    score: tuple[int, int]
    entries: list[Entry] = field(default_factory=list)
    results: list[ResultClaim] = field(default_factory=list)


def read(content: Content) -> tuple[Match, ...]:
    """The match in a file. Nothing in it raises: a line that says nothing becomes a finding."""
    source, games, strange = content.source, list[Draft](), list[Finding]()
    heading = HEADING.match(source.text)
    if heading is None:
        raise FormatError('this begins with no line such as "lines 7 Ann - Bob"')
    for span in source.lines[1:]:
        line = source.text[slice(*span)]
        if score := GAME.fullmatch(line):
            games.append(Draft((int(score[1]), int(score[2]))))
        elif (said := ENTRY.fullmatch(line)) and games:
            player, word, points, one, two, play = said.groups()
            who: Player = 0 if player == "1" else 1
            place = Span(span.start + 2, span.end)  # an entry begins with its roll or word
            if points:
                games[-1].results.append(ResultClaim(player=who, points=int(points), span=place))
            elif word:
                games[-1].entries.append(WORDS[word](player=who, span=place))
            else:
                at = span.start + (said.start(6) if play else len(line))
                text = read_play(play or "")
                roll = (int(one), int(two))
                games[-1].entries.append(CheckerPlay(player=who, dice=roll, text=text, text_at=at, span=place))
        elif line:
            strange.append(Finding(codes.UNREADABLE_LINE, span, f'"{line}" says nothing in this format'))
    return (
        Match(
            players=(heading[2], heading[3]),
            length=int(heading[1]),
            games=tuple(
                Game(number=number, score=game.score, entries=tuple(game.entries), results=tuple(game.results))
                for number, game in enumerate(games, 1)
            ),
            findings=tuple(strange),
            source=source,
        ),
    )


def write(matches: tuple[Match, ...], dialect: str) -> bytes:
    """The bytes of a file that holds a match; the replay knows the board, the score and who has won."""
    (match,) = matches  # more are never given to a format that does not hold several
    lines = [f"lines {match.length or 0} {match.players[0]} - {match.players[1]}"]
    for game in replay(match):
        lines.append(f"game {game.score[0]}-{game.score[1]}")
        for turn in game.turns:
            who = turn.entry.player + 1
            match turn.entry:
                case CheckerPlay(dice=(one, two), text=text):
                    play = format_play(turn.play) if turn.play else str(text)
                    lines.append(f"{who} {one}{two} {play}".rstrip())
                case Double() | Take() | Drop():
                    lines.append(f"{who} {type(turn.entry).__name__.lower()}")
                case Resign():
                    pass  # the result says enough
                case other:
                    raise FormatError(f"this format has no word for a {type(other).__name__}")
        if game.winner is not None:
            lines.append(f"{game.winner + 1} wins {game.points}")
    return "\n".join([*lines, ""]).encode()


EXAMPLE = Format(
    name="example",
    title="example lines",
    extensions=(".lines",),
    sniff=sniff,
    reader=read,
    writer=write,
    leaves_out=frozenset({"start", "comments"}),
)
