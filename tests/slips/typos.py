"""Slips of the pen: one sign of a cell wrong, a play of another turn, another legal play, a letter for a number."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.board.board import OFF
from bgtools.board.generation import legal_plays
from bgtools.board.perspective import mirrored
from bgtools.board.play import HopText, PlayText
from bgtools.decoder.plausibility import edit_distance
from bgtools.record.record import CheckerPlay
from selfplay import text_of
from slips.core import Bench, Slip, is_illegal
from slips.plays import dice_of, hops_of
from slips.sheet import Page, roll_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bgtools.board.board import Dice
    from bgtools.replayer.turn import Turn

_ENOUGH = 4
"""So many rolls must follow a play that is legal, for it to be told from the true one."""


# --- legal, but not what was played ---------------------------------------------------------


def _other_play(
    bench: Bench, dice_for: Callable[[Dice], list[Dice]], *, most: int | None = None, least: int = _ENOUGH
) -> Iterator[Slip]:
    """Another legal play is written, which the rest of the game contradicts."""
    for game, turn in bench.turns():
        rest = bench.entries(game)[turn.index + 1 :]
        if not hops_of(turn) or sum(isinstance(entry, CheckerPlay) for entry in rest) < least:
            continue
        plays = [
            (dice, play)
            for dice in dice_for(dice_of(turn))
            if not (turn.roll == 0 and dice[0] == dice[1])
            for play in legal_plays(turn.before, dice)
            if play.hops and play.result != turn.after
        ]
        bench.rng.shuffle(plays)
        for dice, play in plays:
            text = roll_text(dice, text_of(play).hops).replace("*", "")
            if most is not None and edit_distance(text, roll_text(dice_of(turn), hops_of(turn))) > most:
                continue
            board = play.result if turn.player == 0 else play.result.flipped()
            if not bench.replays(board, rest):
                yield bench.rewrite(game, turn.index, text)
                break


def other_legal_play(bench: Bench) -> Iterator[Slip]:
    """Another legal play of the same roll is written."""
    yield from _other_play(bench, lambda dice: [dice])


def like_legal_play(bench: Bench) -> Iterator[Slip]:
    """A sign or two wrong, and the play is legal all the same."""
    yield from _other_play(bench, lambda dice: [dice], most=2)


def late_legal_play(bench: Bench) -> Iterator[Slip]:
    """Another legal play near the end of a game."""
    yield from _other_play(bench, lambda dice: [dice], least=1)


def other_roll_and_play(bench: Bench) -> Iterator[Slip]:
    """A die is misread, and a play that fits it is written."""

    def like(dice: Dice) -> list[Dice]:
        return [(die, dice[1]) for die in range(1, 7) if die != dice[0]]

    yield from _other_play(bench, like, most=3)


# --- one sign -------------------------------------------------------------------------------


def _hops(text: str) -> tuple[HopText, ...] | None:
    """The hops of a text, one a word; None where it has others."""
    hops: list[HopText] = []
    for word in text.split():
        found = re.fullmatch(r"(\d{1,2})/(\d{1,2})", word)
        if found is None or int(found[1]) > 25 or int(found[2]) > 25:
            return None
        hops.append(HopText((int(found[1]), int(found[2])), (False,)))
    return tuple(hops)


def _mistyped(bench: Bench, changes: Callable[[str], Sequence[str]]) -> Iterator[Slip]:
    """A play whose text was changed so that it is not legal any more."""
    for game, turn in bench.turns():
        if not hops_of(turn):
            continue
        roll, _, play = roll_text(dice_of(turn), hops_of(turn)).partition(": ")
        found = [text for text in changes(play) if text != play and (hops := _hops(text)) and _is_wrong(turn, hops)]
        if found:
            yield bench.rewrite(game, turn.index, f"{roll}: {bench.rng.choice(found)}")


def _is_wrong(turn: Turn, hops: tuple[HopText, ...]) -> bool:
    return is_illegal(turn, dice_of(turn), hops)


def digit_changed(bench: Bench) -> Iterator[Slip]:
    """One digit of a play is another one."""
    yield from _mistyped(
        bench,
        lambda text: [
            text[:at] + digit + text[at + 1 :]
            for at, char in enumerate(text)
            if char.isdigit()
            for digit in "0123456789"
            if digit != char
        ],
    )


def digit_left_out(bench: Bench) -> Iterator[Slip]:
    """One digit of a play is missing."""
    yield from _mistyped(
        bench, lambda text: [text[:at] + text[at + 1 :] for at, char in enumerate(text) if char.isdigit()]
    )


def neighbours_exchanged(bench: Bench) -> Iterator[Slip]:
    """Two signs of a play stand in each other's place."""
    yield from _mistyped(
        bench, lambda text: [text[:at] + text[at + 1] + text[at] + text[at + 2 :] for at in range(len(text) - 1)]
    )


def hop_left_out(bench: Bench) -> Iterator[Slip]:
    """One hop of a play is missing."""

    def without(text: str) -> list[str]:
        words = text.split()
        return [" ".join(words[:at] + words[at + 1 :]) for at in range(len(words))] if len(words) > 1 else []

    yield from _mistyped(bench, without)


def hop_twice(bench: Bench) -> Iterator[Slip]:
    """One hop stands twice, in place of the other."""

    def twice(text: str) -> list[str]:
        words = text.split()
        return [f"{word} {word}" for word in words] if len(words) == 2 else []

    yield from _mistyped(bench, twice)


def other_numbering(bench: Bench) -> Iterator[Slip]:
    """A play is written in the numbering of the other player."""

    def from_there(text: str) -> list[str]:
        hops = _hops(text) or ()
        return [" ".join(f"{mirrored(hop.points[0])}/{mirrored(hop.points[1])}" for hop in hops)]

    yield from _mistyped(bench, from_there)


def play_of_another_turn(bench: Bench) -> Iterator[Slip]:
    """The play of one of the turns around it stands behind the roll."""
    for game, turn in bench.turns():
        around = [
            entry
            for entry in bench.entries(game)[max(0, turn.index - 4) : turn.index + 5]
            if isinstance(entry, CheckerPlay) and entry.text.hops and entry is not turn.entry
        ]
        texts = [tuple(HopText(hop.points, (False,)) for hop in entry.text.hops) for entry in around]
        texts = [hops for hops in texts if hops != hops_of(turn) and is_illegal(turn, dice_of(turn), hops)]
        if hops_of(turn) and texts:
            yield bench.rewrite(game, turn.index, roll_text(dice_of(turn), bench.rng.choice(texts)))


def _copied(bench: Bench, others: Callable[[int, Turn], list[Turn]]) -> Iterator[Slip]:
    """Roll and play of another cell are written, which the rest of the game contradicts."""
    for game, turn in bench.turns():
        rest = bench.entries(game)[turn.index + 1 :]
        board = turn.before if turn.player == 0 else turn.before.flipped()
        for each in others(game, turn):
            dice, hops = dice_of(each), hops_of(each)
            if not hops or not hops_of(turn) or (dice, hops) == (dice_of(turn), hops_of(turn)):
                continue
            entry = CheckerPlay(player=turn.player, dice=dice, text=PlayText("moves", hops))
            if not bench.replays(board, (entry, *rest)):
                yield bench.rewrite(game, turn.index, roll_text(dice, hops))


def cell_of_another_game(bench: Bench) -> Iterator[Slip]:
    """The cell of the same turn of another game is written."""

    def others(game: int, turn: Turn) -> list[Turn]:
        return [each for at, each in bench.turns() if at != game and each.roll == turn.roll]

    yield from _copied(bench, others)


def cell_of_the_row_above(bench: Bench) -> Iterator[Slip]:
    """The cell above is written a second time, in place of what belongs there."""

    def others(game: int, turn: Turn) -> list[Turn]:
        return [each for at, each in bench.turns() if at == game and each.roll == turn.roll - 2]

    yield from _copied(bench, others)


def cell_of_the_row_below(bench: Bench) -> Iterator[Slip]:
    """The cell below is written here as well, in place of what belongs there."""

    def others(game: int, turn: Turn) -> list[Turn]:
        return [each for at, each in bench.turns() if at == game and each.roll == turn.roll + 2]

    yield from _copied(bench, others)


def word_misspelt(bench: Bench) -> Iterator[Slip]:
    """Two letters of a cube action or a result stand in each other's place, or one is left out."""
    page = bench.sheet.page(bench.dialect)
    places = list(page.places)
    bench.rng.shuffle(places)
    for place in places:
        begin, end = page.places[place]
        word = re.match(r" *(Doubles|Takes|Drops|Wins)", page.text[begin:end])
        if word is None:
            continue
        at = begin + word.start(1) + bench.rng.randrange(1, len(word[1]) - 1)
        two = page.text[at : at + 2]
        wrong = bench.rng.choice((two[0], two[::-1]))
        changed = replace(page, text=page.text[:at] + wrong + page.text[at + 2 :])
        game = bench.source.match.games[place[0]]
        written = game.entries if place[1] == "cell" else game.results
        if wrong != two and written[place[2]].player == bench.side:
            yield bench.printed(changed, place, note=f"{word[1]} with {wrong} for {two}")


def bear_off_unwritten(bench: Bench) -> Iterator[Slip]:
    """Nothing stands behind a roll with which checkers were borne off."""
    for game, turn in bench.turns():
        rest = bench.entries(game)[turn.index + 1 :]
        dice = dice_of(turn)
        several = len(legal_plays(turn.before, dice)) > 1
        if several and rest and any(hop.points[1] == OFF for hop in hops_of(turn)):
            yield bench.rewrite(game, turn.index, roll_text(dice, ()))


# --- a letter for a number ------------------------------------------------------------------

ALIKE: Final = {"0": "OoQ", "1": "lI|", "2": "Zz", "5": "Ss", "6": "b", "8": "B", "9": "g"}
"""Letters that scanners and people write for digits."""


def _lettered(bench: Bench, page: Page, place: tuple[int, str, int], pattern: str, note: str) -> Iterator[Slip]:
    begin, end = page.places[place]
    text = page.text[begin:end]
    found = re.search(pattern, text)
    assert found is not None
    ways = [at for at in range(*found.span()) if text[at] in ALIKE]
    if not ways:
        return
    at = begin + bench.rng.choice(ways)
    letter = bench.rng.choice(ALIKE[page.text[at]])
    changed = replace(page, text=page.text[:at] + letter + page.text[at + 1 :])
    yield bench.printed(changed, place, note=f"{note}: {text} with {letter}")


def letter_in_a_play(bench: Bench) -> Iterator[Slip]:
    """A letter stands for a digit of a point."""
    page = bench.sheet.page(bench.dialect)
    for game, turn in bench.turns():
        if any(char.isdigit() for char in page.text[slice(*page.places[game, "cell", turn.index])][3:]):
            yield from _lettered(bench, page, (game, "cell", turn.index), r"(?<=:).*", "a play")


def letter_in_a_roll(bench: Bench) -> Iterator[Slip]:
    """A letter stands for a die."""
    page = bench.sheet.page(bench.dialect)
    for game, turn in bench.turns():
        if hops_of(turn):
            yield from _lettered(bench, page, (game, "cell", turn.index), r"^\d\d", "a roll")


def letter_in_a_result(bench: Bench) -> Iterator[Slip]:
    """A letter stands for a digit of the points."""
    page = bench.sheet.page(bench.dialect)
    places = [place for place in page.places if place[1] == "result"]
    bench.rng.shuffle(places)
    for place in places:
        if bench.source.match.games[place[0]].results[place[2]].player == bench.side:
            yield from _lettered(bench, page, place, r"\d+", "a result")


def letter_in_a_score(bench: Bench) -> Iterator[Slip]:
    """A letter stands for a digit of the score."""
    page = bench.sheet.page(bench.dialect)
    places = [place for place in page.places if place[1] == "score"]
    bench.rng.shuffle(places)
    for place in places:
        yield from _lettered(bench, page, place, r": \d+" if bench.side == 0 else r": \d+$", "a score")
