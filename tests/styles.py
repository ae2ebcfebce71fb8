"""One match in forty styles, as people write matches; and how much of it comes back.

    python tests/styles.py [--seed N] [--matches N] [--style NAME] [--list]

tells for each style how many entries are read, how many characters vanish untold, and how many planted illegal plays
are hidden.
"""

from __future__ import annotations

import argparse
import html
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import bgtools
from bgtools.board.board import BAR
from bgtools.board.movement import find_play
from bgtools.board.notation import read_play
from bgtools.formats.content import FormatError
from bgtools.formats.mat.writer import write
from bgtools.formats.reading import read_source
from bgtools.record.record import AutomaticDouble, Beaver, CheckerPlay, Double, Drop, Match, Resign, Take, places_of
from bgtools.replayer.match import replay
from dressed import courses, paired
from selfplay import random_match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bgtools.replayer.turn import Turn


def _words(*words: str) -> tuple[str, ...]:
    return words


ENGLISH: Final = _words(
    "doubles", "takes", "passes", "resigns", "cannot move", "Game", "{0} vs. {1}, {2} points", "{0} wins {1} point{2}"
)  # fmt: skip
LANGUAGES: Final = {
    "German": _words(
        "verdoppelt", "nimmt an", "passt", "gibt auf", "kein Zug", "Partie",
        "{0} gegen {1}, {2} Punkte", "{0} gewinnt {1} Punkt{3}",
    ),
    "French": _words(
        "double", "prend", "passe", "abandonne", "pas de coup", "Partie",
        "{0} contre {1}, {2} points", "{0} gagne {1} point{2}",
    ),
    "Spanish": _words(
        "dobla", "acepta", "rechaza", "abandona", "sin jugada", "Partida",
        "{0} contra {1}, {2} puntos", "{0} gana {1} punto{2}",
    ),
    "Italian": _words(
        "raddoppia", "accetta", "passa", "abbandona", "nessuna mossa", "Partita",
        "{0} contro {1}, {2} punti", "{0} vince {1} punt{4}",
    ),
    "Portuguese": _words(
        "dobra", "aceita", "passa", "desiste", "sem jogada", "Partida",
        "{0} contra {1}, {2} pontos", "{0} ganha {1} ponto{2}",
    ),
}  # fmt: skip
"""The words of a language: double, take, pass, resign, dance, a game, the heading and the result."""


@dataclass
class Teller:
    """Writes the cells of a match in the words of a language."""

    match: Match
    words: Sequence[str] = ENGLISH
    commas: bool = True
    colon: str = ":"
    dash: str = ""
    slash: str = "/"
    wrong: tuple[Turn, str] | None = None
    """A turn that is written with another play than was made."""

    def play(self, turn: Turn) -> str:
        """What was played."""
        assert turn.play is not None
        words = str(turn.play) or self.words[4]
        if self.wrong is not None and turn.entry is self.wrong[0].entry:
            words = self.wrong[1]
        return (
            words.replace(" ", ", ").replace("/", self.slash)
            if self.commas and turn.play.hops
            else words.replace("/", self.slash)
            if turn.play.hops
            else words
        )

    def dice(self, turn: Turn) -> str:
        """The dice."""
        assert isinstance(turn.entry, CheckerPlay)
        assert turn.entry.dice is not None
        return f"{turn.entry.dice[0]}{self.dash}{turn.entry.dice[1]}"

    def cell(self, turn: Turn) -> str:
        """The cell of an entry."""
        if isinstance(turn.entry, CheckerPlay):
            return f"{self.dice(turn)}{self.colon} {self.play(turn)}"
        return {
            Double: self.words[0],
            Take: self.words[1],
            Drop: self.words[2],
            Resign: self.words[3],
            Beaver: "beavers",
            AutomaticDouble: "automatic double",
        }[type(turn.entry)]

    def heading(self) -> str:
        """Who plays, and to how many points."""
        return self.words[6].format(*self.match.players, self.match.length)

    def result(self, winner: str, points: int) -> str:
        """Who has won how much."""
        more = points > 1
        return self.words[7].format(winner, points, "s" * more, "e" * more, "i" if more else "o")


def _told(
    to: Teller,
    game_lines: Callable[[Sequence[Turn]], Iterable[str]],
    head: Iterable[str] = (),
    score: str = "",
    is_result: bool = True,
) -> str:
    lines = [to.heading(), "", *head]
    one, two = to.match.players
    for number, game in enumerate(replay(to.match), 1):
        lines.append(f"{to.words[5]} {number}{score.format(one, two, *game.score)}")
        lines += game_lines(game.turns)
        if is_result and game.winner is not None and game.points and not isinstance(game.turns[-1].entry, Drop):
            lines.append(to.result(to.match.players[game.winner], game.points))
        lines.append("")
    return "\n".join(lines) + "\n"


def _numbered(form: str, empty: str = "...") -> Callable[[Teller], Callable[[Sequence[Turn]], Iterable[str]]]:
    """Rows with a number: ``form`` takes number, left and right cell."""

    def lines(to: Teller) -> Callable[[Sequence[Turn]], Iterable[str]]:
        return lambda turns: [
            form.format(number, to.cell(left) if left else empty, to.cell(right) if right else "").rstrip()
            for number, (left, right) in enumerate(paired(turns), 1)
        ]

    return lines


def _each(form: str) -> Callable[[Teller], Callable[[Sequence[Turn]], Iterable[str]]]:
    """A line an entry: ``form`` takes its number, the player, the cell, and a time."""

    def lines(to: Teller) -> Callable[[Sequence[Turn]], Iterable[str]]:
        return lambda turns: [
            form.format(at, to.match.players[turn.player], to.cell(turn), f"{20 + at // 60}:{at % 60:02}")
            for at, turn in enumerate(turns, 1)
        ]

    return lines


def _columns(between: str, head: str) -> Callable[[Teller, random.Random], str]:
    """A sheet with columns: turn, player, dice, play, notes."""

    def text(to: Teller, rng: random.Random) -> str:
        def lines(turns: Sequence[Turn]) -> Iterable[str]:
            for at, turn in enumerate(turns, 1):
                name, note = to.match.players[turn.player], rng.choice(("", "", "5-2: 13/8 was possible", "good"))
                if isinstance(turn.entry, CheckerPlay):
                    yield between.join((str(at), name, to.dice(turn), to.play(turn), note))
                else:
                    yield between.join((str(at), name, "", to.cell(turn), note))

        return _told(to, lines, [head] if head else [], is_result=False)

    return text


def _sentence(to: Teller, turn: Turn) -> str:
    name = to.match.players[turn.player]
    if isinstance(turn.entry, CheckerPlay):
        return (
            f"{name} rolled {to.dice(turn)} and played {to.play(turn)}."
            if turn.play and turn.play.hops
            else f"{name} rolled {to.dice(turn)} and could not move."
        )
    words = {Double: "doubled", Take: "took", Drop: "passed", Resign: "resigned"}
    return f"{name} {words[type(turn.entry)]}."


def _prose(to: Teller, rng: random.Random) -> str:
    def lines(turns: Sequence[Turn]) -> Iterable[str]:
        some: list[str] = []
        for turn in turns:
            some.append(_sentence(to, turn))
            if rng.random() < 0.3:
                yield " ".join(some)
                some = []
                if rng.random() < 0.2:
                    yield rng.choice(
                        ("5-2: 13/8 was possible as well.", "1) the prime is strong", "A nice game so far.")
                    )
        yield " ".join(some)

    return _told(to, lines)


def _side_by_side(to: Teller, rng: random.Random) -> str:
    games = [
        [f"{to.words[5]} {number}", *_numbered("{0}. {1:<28}{2}")(to)(game.turns)] + (
            [to.result(to.match.players[game.winner], game.points)]
            if game.winner is not None and game.points and not isinstance(game.turns[-1].entry, Drop) else []
        )
        for number, game in enumerate(replay(to.match), 1)
    ]  # fmt: skip
    lines = [to.heading(), ""]
    for at in range(0, len(games), 2):
        one, two = games[at], games[at + 1] if at + 1 < len(games) else []
        for row in range(max(len(one), len(two))):
            left = one[row] if row < len(one) else ""
            right = two[row] if row < len(two) else ""
            lines.append(f"{left:<68}{right}".rstrip())
        lines.append("")
    return "\n".join(lines) + "\n"


def _broken(to: Teller, rng: random.Random) -> str:
    text = _told(to, _numbered("{0}. {1:<28} {2}")(to))
    lines = []
    for line in text.split("\n"):
        cut = [at for at, char in enumerate(line) if char == " " and at > 8 and line[at - 1] == ","]
        if cut and rng.random() < 0.2:
            at = rng.choice(cut)
            lines += [line[:at], line[at + 1 :]]
        else:
            lines.append(line)
    return "\n".join(lines)


def _scanned(to: Teller, rng: random.Random) -> str:
    looks = {"1": "l", "0": "O", "5": "S", "8": "B"}
    text = _told(to, _numbered("{0}. {1:<28} {2}")(to))
    rows = text.split("\n")
    for at, line in enumerate(rows):
        if "/" in line and rng.random() < 0.3:
            begin = line.index(" ") + 1
            places = [n for n in range(begin, len(line)) if line[n] in looks]
            if places:
                n = rng.choice(places)
                rows[at] = line[:n] + looks[line[n]] + line[n + 1 :]
    return "\n".join(rows)


def _bbcode(to: Teller, rng: random.Random) -> str:
    return (
        f"[b]{to.heading()}[/b]\n[code]\n"
        + _told(to, _numbered("{0}. {1:<28} {2}")(to)).split("\n", 2)[2]
        + "[/code]\n"
    )


def _mail(to: Teller, rng: random.Random) -> str:
    body = "".join(f"> {line}\n" for line in _told(to, _numbered("{0}. {1:<28} {2}")(to)).splitlines())
    return f"From: nora@example.org\nSubject: our match\n\nHi,\n\n{body}\nBest, Nora\n"


def _table(notes: bool, scored: bool = False) -> Callable[[Teller, random.Random], str]:
    def text(to: Teller, rng: random.Random) -> str:
        one, two = to.match.players
        head = f"| # | {one} | {two} |" + " Notes |" * notes
        ruler = "|---|---|---|" + "---|" * notes

        def lines(turns: Sequence[Turn]) -> Iterable[str]:
            yield from ("", head, ruler)
            for number, (left, right) in enumerate(paired(turns), 1):
                cells = f"| {number} | {to.cell(left) if left else ''} | {to.cell(right) if right else ''} |"
                note = rng.choice(("", "5-2: 13/8 was possible as well.", "Double sixes next would win.", "plain note"))
                yield cells + f" {note} |" * notes
            yield ""

        return _told(to, lines, score=". {0} {2}, {1} {3}" if scored else "")

    return text


def _page(to: Teller, rng: random.Random) -> str:
    one, two = to.match.players

    def lines(turns: Sequence[Turn]) -> Iterable[str]:
        yield f"<table><tr><th>#</th><th>{one}</th><th>{two}</th></tr>"
        for number, (left, right) in enumerate(paired(turns), 1):
            cells = (str(number), to.cell(left) if left else "", to.cell(right) if right else "")
            yield f"<tr>{''.join(f'<td>{each}</td>' for each in cells)}</tr>"
        yield "</table>"

    text = _told(to, lines)
    made = [
        line if line.startswith("<") else f"<p>{html.escape(line)}</p>" if line else "" for line in text.split("\n")
    ]
    return "<html><body>" + "\n".join(made) + "</body></html>\n"


def _simple(
    lines: Callable[[Teller], Callable[[Sequence[Turn]], Iterable[str]]], **changes: object
) -> Callable[[Teller, random.Random], str]:
    score = str(changes.pop("score", ""))

    def text(to: Teller, rng: random.Random) -> str:
        for name, value in changes.items():
            setattr(to, name, value)
        return _told(to, lines(to), score=score)

    return text


_ROWS: Final = "{0}. {1:<28} {2}"
STYLES: Final[dict[str, Callable[[Teller, random.Random], str]]] = {
    "numbered moves": _simple(_numbered(_ROWS)),
    "numbered, hyphens in dice": _simple(_numbered(_ROWS), dash="-"),
    "numbered, no commas": _simple(_numbered("{0}) {1:<28} {2}"), commas=False),
    "numbered, one blank": _simple(_numbered("{0}. {1} {2}"), commas=False),
    "numbered, bars": _simple(_numbered("{0}. {1} | {2}")),
    "numbered, dashes in plays": _simple(_numbered(_ROWS), slash="-", dash="-"),
    "turns with #": _simple(_numbered("#{0} {1:<28} {2}")),
    "turn and colon": _simple(_numbered("{0}: {1:<28} {2}")),
    "scores in headings": _simple(_numbered(_ROWS), score=". {0} {2}, {1} {3}"),
    "scores in brackets": _simple(_numbered(_ROWS), score=" ({2}-{3})"),
    "scores with dashes": _simple(_numbered(_ROWS), score=" - {2}:{3}"),
    "names before colons": _simple(_each("{1}: {2}")),
    "names and dice in brackets": _simple(_each("{1} {2}")),
    "names in stars": _simple(_each("**{1}**: {2}")),
    "chat, time before name": _simple(_each("{3} {1}: {2}")),
    "chat, time in brackets": _simple(_each("[{3}] {1}: {2}")),
    "chat, name in angles": _simple(_each("[{3}] <{1}> {2}")),
    "chat, time and dash": _simple(_each("{3} - {1}: {2}")),
    "chat, number and name": _simple(_each("{0}. {1}: {2}")),
    "list items": _simple(_each("- {1}: {2}")),
    "tabs": _simple(_numbered("{0}\t{1}\t{2}", empty="")),
    "tabs, names above": lambda to, rng: _told(
        to, _numbered("{0}\t{1}\t{2}", empty="")(to), ["\t".join(("", *to.match.players))]
    ),
    "sheet with tabs": _columns("\t", "Turn\tPlayer\tDice\tPlay\tNotes"),
    "sheet with semicolons": _columns(";", "Turn;Player;Dice;Play;Notes"),
    "sheet with bars": _columns(" | ", "Turn | Player | Dice | Play | Notes"),
    "table": _table(notes=False),
    "table with notes": _table(notes=True),
    "table with scores": _table(notes=False, scored=True),
    "page with tables": _page,
    "forum code": _bbcode,
    "mail": _mail,
    "German": _simple(_numbered(_ROWS), words=LANGUAGES["German"]),
    "French": _simple(_numbered(_ROWS), words=LANGUAGES["French"]),
    "Spanish": _simple(_numbered(_ROWS), words=LANGUAGES["Spanish"]),
    "Italian": _simple(_numbered(_ROWS), words=LANGUAGES["Italian"]),
    "Portuguese": _simple(_numbered(_ROWS), words=LANGUAGES["Portuguese"]),
    "two games side by side": _side_by_side,
    "broken lines": _broken,
    "scanned": _scanned,
    "sentences": _prose,
}
"""Forty styles."""


class StyleCount(NamedTuple):
    """What came back of a text: entries of how many, characters that vanish, and illegal plays that are hidden."""

    read: int
    of: int
    lost: int
    hidden: int


def made_match(seed: int) -> Match:
    """A sound match of players with plain names in which every roll is played."""
    text = write(random_match(seed, 5, games=3)).replace("Ann", "Nora").replace("Bob", "Peter")
    (match,) = read_source(text.encode(), "made.mat")
    turns = [turn for game in replay(match) for turn in game.turns]
    if any(isinstance(turn.entry, CheckerPlay) and turn.play is None for turn in turns):
        return made_match(seed + 10_000)
    return match


def with_illegal_play(match: Match, rng: random.Random) -> Teller:
    """A teller who writes a play of the match with an end that its dice do not reach."""
    turns = [turn for game in replay(match) for turn in game.turns[2:-2] if turn.play and len(turn.play.hops) == 2]
    rng.shuffle(turns)
    for turn in turns:
        assert turn.play is not None
        assert turn.before is not None
        assert isinstance(turn.entry, CheckerPlay)
        first = turn.play.hops[0]
        start = "bar" if first.start == BAR else str(first.start)
        for end in range(1, first.start):
            words = f"{start}/{end}"
            if turn.entry.dice and find_play(turn.before, turn.entry.dice, read_play(words).hops) is None:
                return Teller(match, wrong=(turn, words))
    raise ValueError("no turn of this match can be written wrong")


def vanished(matches: Sequence[Match], text: str) -> str:
    """The letters and digits of a text that belong to nothing in the matches."""
    covered = bytearray(len(text))
    for match in matches:
        for start, end in places_of(match):
            covered[start:end] = b"\1" * (end - start)
    return "".join(char for char, is_kept in zip(text, covered, strict=True) if not is_kept and char.isalnum())


def count(match: Match, text: str) -> StyleCount:
    """How much of a match comes back from a text."""
    wanted = courses(match)
    of = sum(map(len, wanted))
    try:
        matches = read_source(text.encode(), "x.html" if text.startswith("<") else "x.txt")
    except FormatError:
        return StyleCount(0, of, 0, 0)
    found = [game for each in matches for game in courses(each)]
    swapped = [game for each in matches for game in courses(each, swapped=True)]
    read = 0
    for one, two, turned in zip(wanted, found, swapped, strict=False):
        read += max(sum(map(_same, one, each)) for each in (two, turned))
    return StyleCount(read, of, len(vanished(matches, text)) if "<" not in text[:1] else 0, 0)


def _same(one: object, two: object) -> bool:
    return one == two


def main() -> None:
    """Tell how much of every style comes back."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--matches", type=int, default=5)
    parser.add_argument("--style")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    whole = StyleCount(0, 0, 0, 0)
    for name, style in STYLES.items():
        if options.style and options.style != name:
            continue
        total = StyleCount(0, 0, 0, 0)
        for number in range(options.matches):
            seed = options.seed * 1000 + number
            match = made_match(seed)
            text = style(Teller(match), random.Random(seed))
            found = count(match, text)
            total = StyleCount(*map(sum, zip(total, found, strict=True)))
            if options.list:
                print(text)
                for each in read_source(text.encode(), "x.txt"):
                    print(*map(str, bgtools.check(each)), sep="\n")
        print(f"{total.read / total.of:7.1%}  {total.lost:5}  {name}")
        whole = StyleCount(*map(sum, zip(whole, total, strict=True)))
    print(f"{whole.read / whole.of:7.2%}  {whole.lost:5}  all")


if __name__ == "__main__":
    main()
