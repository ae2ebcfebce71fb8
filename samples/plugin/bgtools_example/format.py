"""A format: a match as a list of lines, such as ``1 31 8/5 6/5``, ``2 double`` and ``1 wins 2``."""

from __future__ import annotations

import re

from bgtools.extend import (
    CheckerPlay,
    Content,
    Double,
    Drop,
    Format,
    FormatError,
    Match,
    MatchBuilder,
    Player,
    Resign,
    Span,
    Take,
    format_play,
    read_play,
    replay,
)

HEADING = re.compile(r"lines (\d+) (.*) - (.*)")
GAME = re.compile(r"game (\d+)-(\d+)")
ENTRY = re.compile(r"([12]) (?:(double|take|drop)|wins (\d+)|([1-6])([1-6])(?: (.+))?)")


def sniff(content: Content) -> float:
    """How much a file looks like this format: its first line tells."""
    return 1.0 if HEADING.match(content.head_lines) else 0.0


def read(content: Content) -> tuple[Match, ...]:
    """The match in a file. Nothing in it raises: a line that says nothing becomes a finding."""
    source = content.source
    heading = HEADING.match(source.text)
    if heading is None:
        raise FormatError('this begins with no line such as "lines 7 Ann - Bob"')
    to = MatchBuilder(source=source, players=(heading[2], heading[3]), length=int(heading[1]))
    for span in source.lines[1:]:
        line = source.text[slice(*span)]
        if score := GAME.fullmatch(line):
            to.game(len(to.games) + 1, (int(score[1]), int(score[2])), span)
        elif to.games and (found := ENTRY.fullmatch(line)):
            player: Player = 0 if found[1] == "1" else 1
            own = Span(span.start + 2, span.end)  # an entry begins with its roll or word
            game = to.games[-1]
            if found[3]:
                game.result(player, int(found[3]), own)
            elif found[2]:
                {"double": game.double, "take": game.take, "drop": game.drop}[found[2]](player, own)
            else:
                game.roll(player, (int(found[4]), int(found[5])), own)
                if found[6]:
                    game.play(player, read_play(found[6]), Span(span.start + found.start(6), span.end))
        elif line:
            to.unreadable(line, span, "line of this format")
    return (to.build(),)


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
