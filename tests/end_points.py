"""Matches as people write them at the table: dice, and where the checkers end.

    python tests/end_points.py [--seed N] [--matches N] [--slips SHARE]

writes matches of the corpus so, reads them, and tells how many turns and games come back, and how many were guessed in
silence.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

import bgtools
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read_source
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Match, Resign, Take
from bgtools.replayer.match import replay
from support import CORPUS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.play import Play
    from bgtools.replayer.turn import GameReplay, Turn

LAYOUTS: Final = ("match text", "rows", "tabs", "lines")
COUNTS: Final = ("again", "in brackets", "doubles", "none")
"""How people write several checkers that end at one point: the point again, a count in brackets, either for doubles
only, or no count."""
_WORDS: Final = {
    Double: "Double", Take: "Take", Drop: "Pass", Resign: "Resigns", Beaver: "Beaver", AutomaticDouble: "Automatic"
}  # fmt: skip


class Hand(NamedTuple):
    """How somebody writes: how checkers are counted, hits marked, dances written, dice turned round."""

    layout: str
    counts: str
    hits: str
    dances: bool
    mixes: bool
    danced: str = ""


def hand(rng: random.Random) -> Hand:
    """Somebody's way to write."""
    return Hand(
        rng.choice(LAYOUTS), rng.choice(COUNTS), rng.choice(["", "*", "x"]), rng.random() < 0.5, rng.random() < 0.3
    )


def ends(play: Play, how: Hand) -> str:
    """Where the checkers of a play end."""
    found: Counter[int] = Counter()
    hits = {hop.end for hop in play.hops if hop.hit}
    for hop in sorted(play.hops, key=lambda each: -each.start):
        if found[hop.start] > 0 and hop.start not in hits:
            found[hop.start] -= 1
        found[hop.end] += 1
    words = []
    for point, count in sorted((+found).items(), reverse=True):
        name = "off" if not point else str(point)
        star = how.hits if point in hits else ""
        is_double = len({hop.start - hop.end for hop in play.hops if hop.end}) < 2 and len(play.hops) > 2
        if how.counts == "none" or (how.counts == "doubles" and not is_double):
            words += [name + star]
        else:
            words += [name + star] * count if how.counts == "again" else [name + star + f"({count})" * (count > 1)]
    return " ".join(words)


def _cell(turn: Turn, how: Hand, rng: random.Random, slips: float) -> str:
    entry = turn.entry
    if not isinstance(entry, CheckerPlay):
        return _WORDS[type(entry)]
    assert entry.dice is not None
    dice = entry.dice if not how.mixes or rng.random() < 0.5 else entry.dice[::-1]
    roll = f"{dice[0]}{dice[1]}:"
    if turn.play is None or not turn.play.hops:
        return f"{roll} {how.danced}".rstrip()
    words = ends(turn.play, how).split()
    if rng.random() < slips:
        at = rng.randrange(len(words))
        words[at] = str(rng.randint(1, 24))
    return " ".join([roll, *words])


class Written(NamedTuple):
    """A text, and which turns of it have a slip."""

    text: str
    how: Hand


def written(match: Match, how: Hand, rng: random.Random, slips: float = 0.0) -> Written:
    """A match as somebody writes it at the table."""
    lines = (
        [f" {match.length} point match", ""]
        if how.layout == "match text"
        else [f"{match.players[0]} vs {match.players[1]}, {match.length} points", ""]
    )
    for number, game in enumerate(replay(match), 1):
        one, two = match.players
        score = game.score
        if how.layout == "match text":
            lines += [f" Game {number}", f" {one} : {score[0]}".ljust(36) + f"{two} : {score[1]}"]
        else:
            lines += [f"Game {number}" + f". {score[0]}-{score[1]}" * (number > 1)]
        lines += [*_rows(match, game, how, rng, slips), ""]
    return Written("\n".join(lines) + "\n", how)


def _rows(match: Match, game: GameReplay, how: Hand, rng: random.Random, slips: float) -> Iterator[str]:
    cells = [
        (turn.player, _cell(turn, how, rng, slips))
        for turn in game.turns
        if how.dances or not isinstance(turn.entry, CheckerPlay) or turn.play is None or turn.play.hops
    ]
    if how.layout == "lines":
        for player, words in cells:
            yield f"{match.players[player]}: {words}"
        return
    number, left = 0, ""
    has_left = False
    between = "\t" if how.layout == "tabs" else ""
    label = "{}\t" if between else "{:3d}) " if how.layout == "match text" else "{}. "
    for player, words in [*cells, (0, "")]:
        if player == 0:
            if has_left and left:
                yield f"{label.format(number)}{left}"
            number += 1
            left, has_left = words, True
            continue
        if not has_left:
            number += 1
            left = ""
        yield f"{label.format(number)}{left}{between or ' ' * max(30 - len(left), 3)}{words}"
        left, has_left = "", False


class Count(NamedTuple):
    """What came back: turns and games, of how many; and turns that were read otherwise without a word."""

    turns: int
    of_turns: int
    games: int
    of_games: int
    silent: int


def compare(match: Match, text: str) -> Count:
    """How much of a match comes back."""
    try:
        found = read_source(text.encode(), "hand.txt")
    except FormatError:
        found = (Match(players=("", ""), length=None, games=()),)
    again = replay(found[0]) if len(found) == 1 else ()
    told = {each.span for each in found[0].findings}
    turns = of_turns = games = silent = 0
    wanted = replay(match)
    for at, game in enumerate(wanted):
        rolls = [turn for turn in game.turns if isinstance(turn.entry, CheckerPlay) and turn.play and turn.play.hops]
        of_turns += len(rolls)
        back = again[at] if at < len(again) else None
        read = (
            []
            if back is None
            else [turn for turn in back.turns if isinstance(turn.entry, CheckerPlay) and turn.play and turn.play.hops]
        )
        same = 0
        for one, two in zip(rolls, read, strict=False):
            right = one.player == two.player and str(one.play) == str(two.play)
            same += right
            silent += not right and not any(span.start < two.entry.span.end + 200 for span in told)
        turns += same
        games += same == len(rolls) == len(read)
    return Count(turns, of_turns, games, len(wanted), silent)


def sound_matches(rng: random.Random, count: int) -> Iterator[Match]:
    """Sound matches of the corpus with the usual start."""
    paths = sorted((CORPUS / "mat").iterdir())
    rng.shuffle(paths)
    for path in paths:
        matches = bgtools.read_all(path)
        names = matches[0].players
        plain = all(game.start is None for game in matches[0].games) and all(each and each.isalnum() for each in names)
        if len(matches) == 1 and matches[0].length and plain and not bgtools.check(matches[0]):
            yield matches[0]
            count -= 1
            if not count:
                return


def main() -> None:
    """Tell how much comes back."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--slips", type=float, default=0.0)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--counts", choices=COUNTS)
    parser.add_argument("--layout", choices=LAYOUTS)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    total = Count(0, 0, 0, 0, 0)
    for match in sound_matches(rng, options.matches):
        how = hand(rng)
        how = how._replace(counts=options.counts or how.counts, layout=options.layout or how.layout)
        made = written(match, how, rng, options.slips)
        found = compare(match, made.text)
        total = Count(*map(sum, zip(total, found, strict=True)))
        if options.list and found.games < found.of_games:
            print(match.source.name if match.source else "", made.how, found)
    print(
        f"turns {total.turns} of {total.of_turns} ({total.turns / total.of_turns:.2%}), games {total.games} of "
        f"{total.of_games} ({total.games / total.of_games:.1%}), otherwise in silence {total.silent}"
    )


if __name__ == "__main__":
    main()
