"""Every match text of the corpus is read whole, and what is found in it is the file's own fault."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgtools.board.generation import legal_plays
from bgtools.board.hopping import are_dice
from bgtools.board.movement import explain, forced, resolve
from bgtools.board.play import Play
from bgtools.checks.checking import check
from bgtools.findings.finding import Severity
from bgtools.formats.reading import read_all
from bgtools.record.record import CheckerPlay, Match
from bgtools.replayer.match import replay
from support import CORPUS, needs_corpus

if TYPE_CHECKING:
    from bgtools.replayer.turn import GameReplay

pytestmark = needs_corpus

_FILES = sorted(path.name for path in (CORPUS / "mat").iterdir()) if (CORPUS / "mat").is_dir() else []
_KNOWN = tomllib.loads((Path(__file__).parent / "known_faults.toml").read_text(encoding="utf-8"))["files"]
_ROLL = re.compile(r"(?<![^\s)])([0-9])([0-9]):")


@cache
def matches(name: str) -> tuple[Match, ...]:
    return read_all(CORPUS / "mat" / name)


@cache
def replays(name: str) -> tuple[tuple[GameReplay, ...], ...]:
    return tuple(replay(match) for match in matches(name))


def test_the_corpus_is_whole() -> None:
    assert len(_FILES) == 536


@pytest.mark.parametrize("name", _FILES)
def test_every_character_that_is_not_blank_belongs_to_something(name: str) -> None:
    found = matches(name)
    source = found[0].source
    assert source is not None
    covered = bytearray(len(source.text))

    def cover(span: tuple[int, int], what: str) -> None:
        start, end = span
        assert 0 <= start <= end <= len(source.text), what
        # A span over several lines would prove nothing about any of them.
        assert "\n" not in source.text[start:end], what
        covered[start:end] = b"\1" * (end - start)

    for match in found:
        cover(match.length_span, "length")
        for mark in match.marks:
            cover(mark, "mark")
        for tag in match.tags:
            cover(tag.span, str(tag))
        for comment in match.comments:
            cover(comment.span, str(comment))
        for finding in match.findings:
            cover(finding.span, str(finding))
        for game in match.games:
            cover(game.heading, "heading")
            cover(game.score_span, "score line")
            for mark in game.marks:
                cover(mark, "mark")
            for entry in game.entries:
                cover(entry.span, str(entry))
            for result in game.results:
                cover(result.span, str(result))
            for comment in game.comments:
                cover(comment.span, str(comment))
    skipped = [at for at, char in enumerate(source.text) if not char.isspace() and not covered[at]]
    assert [(source.location(at), source.text[at]) for at in skipped] == []


@pytest.mark.parametrize("name", _FILES)
def test_every_roll_is_read_once(name: str) -> None:
    """The dice cells of a file, counted by a regular expression that knows nothing of columns."""
    text = (CORPUS / "mat" / name).read_bytes().decode("latin-1")
    rows = [line for line in re.split(r"\r?\n", text) if not line.lstrip(" \xef\xbb\xbf").startswith((";", "#"))]
    written = [dice.group(1, 2) for line in rows for dice in _ROLL.finditer(line)]
    # 00 stands where nothing was rolled.
    written = [dice for dice in written if dice != ("0", "0")]
    read = [
        (str(entry.dice[0]), str(entry.dice[1]))
        for match in matches(name)
        for game in match.games
        for entry in game.entries
        if isinstance(entry, CheckerPlay) and entry.dice is not None
    ]
    assert read == written


@pytest.mark.parametrize("name", _FILES)
def test_an_error_is_found_only_where_the_file_is_at_fault(name: str) -> None:
    errors = Counter(
        finding.code.id
        for match, games in zip(matches(name), replays(name), strict=True)
        for finding in check(match, games)
        if finding.severity is Severity.ERROR
    )
    assert errors == Counter(_KNOWN.get(name, {}).get("codes", []))


def disagreements(name: str, *, every: int) -> tuple[int, list[str]]:
    """Plays of a file, each so many'th of them, that `explain` judges otherwise than full generation does."""
    plays = [
        turn
        for games in replays(name)
        for game in games
        for turn in game.turns
        if isinstance(turn.entry, CheckerPlay) and turn.entry.text.kind in ("moves", "nothing", "dance")
    ]
    compared, wrong = 0, []
    for turn in plays[len(name) % every :: every]:
        entry = turn.entry
        assert isinstance(entry, CheckerPlay)
        dice, hops = entry.dice, entry.text.hops
        if dice is None or not are_dice(dice):
            continue
        compared += 1
        legal = {play.result for play in legal_plays(turn.before, dice)}
        written = forced(turn.before, hops)
        if explain(turn.before, dice, hops) is not None:
            agree = written not in legal
        else:
            play = resolve(turn.before, dice, hops)
            agree = isinstance(play, Play) and play.result in legal
            if all(len(hop.points) == 2 and hop.points[0] - hop.points[1] in dice for hop in hops):
                agree = agree and written in legal
        if not agree:
            wrong.append(f"game {turn.index}: {dice} {entry.text}")
    return compared, wrong


@pytest.mark.quick(one_in=3)
@pytest.mark.parametrize("name", _FILES)
def test_what_is_said_of_a_play_agrees_with_all_legal_plays(name: str) -> None:
    assert disagreements(name, every=8)[1] == []


@pytest.mark.thorough
def test_what_is_said_of_every_play_agrees_with_all_legal_plays() -> None:
    found = [disagreements(name, every=1) for name in _FILES]
    print(f"{sum(compared for compared, _ in found):,} plays compared")
    assert [wrong for _, wrong in found if wrong] == []
    assert sum(compared for compared, _ in found) > 90_000


def test_every_known_fault_says_why_and_names_a_file() -> None:
    for name, fault in _KNOWN.items():
        assert name in _FILES
        assert fault["codes"]
        assert len(fault["why"]) > 30


def test_few_plays_in_a_great_many_cannot_be() -> None:
    """A reader that mistakes columns makes whole games illegal; the corpus holds a few single slips."""
    plays = illegal = 0
    for name in _FILES:
        if name.startswith("halheinrich__"):
            continue  # written to show a layout; the plays in them need not be possible
        for games in replays(name):
            for game in games:
                for turn in game.turns:
                    plays += isinstance(turn.entry, CheckerPlay)
                    illegal += isinstance(turn.entry, CheckerPlay) and bool(turn.reading)
    print(f"{plays:,} rolls, {illegal} that cannot have been played as written")
    assert plays > 90_000
    assert illegal < 60
