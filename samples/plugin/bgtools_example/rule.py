"""A rule: a player who rolls three doubles in a row is rare enough to look at the record again."""

from __future__ import annotations

from collections.abc import Iterator

from bgtools.extend import CheckerPlay, Code, Finding, GameReplay, Match, Rule, Severity

EX001 = Code("EX001", "third-double", Severity.HINT, "A player rolls three doubles in a row.", home="bgtools_example")


def third_double(match: Match, game: GameReplay) -> Iterator[Finding]:
    """The third double in a row."""
    running = [0, 0]
    for turn in game.turns:
        entry = turn.entry
        if isinstance(entry, CheckerPlay) and entry.dice is not None:
            one, two = entry.dice
            running[entry.player] = running[entry.player] + 1 if one == two else 0
            if running[entry.player] == 3:
                yield Finding(
                    EX001,
                    entry.span,
                    f"{match.players[entry.player]} rolls a third double in a row",
                    ("one in 216 rolls is one",),
                    game=game.game.number,
                    turn=turn.number,
                    entry=turn.index + 1,
                    player=entry.player,
                )


THIRD_DOUBLE = Rule(codes=(EX001,), in_game=third_double)
