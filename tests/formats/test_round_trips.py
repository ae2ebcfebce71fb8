"""The law of conversion: what a format carries comes back from it, whatever the record and wherever it came from.

A match is written in every format and read again (`bgtools.conversion.conversion.convert` compares turn
by turn), then from there into others. What the format cannot hold is left out of the
comparison, and told before.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest
from test_match_json import FULL
from test_snowie import position_match

from bgtools.board.generation import legal_plays
from bgtools.board.play import HopText
from bgtools.conversion.conversion import Converted, Target, convert
from bgtools.formats.content import Content, FormatError
from bgtools.formats.reading import read_all, read_source, recognise
from bgtools.formats.registry import our_formats
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis
from bgtools.record.record import Double, is_position
from bgtools.rules.options import Ruleset
from selfplay import random_match
from slips import KINDS, Kind, header, planted
from slips.trials import library
from support import CORPUS, in_shares, needs_corpus, some_or_all, spread

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bgtools.board.perspective import Player
    from bgtools.formats.format import Format
    from bgtools.record.record import Match

WRITTEN = [each for each in our_formats() if each.writer and each.holds_matches]
POSITIONS = [
    each for each in our_formats() if each.name in ("sgf", "xg", "xgp", "ogxm", "snowie", "pos", "bgblitz", "json")
]
OF_POSITIONS = WRITTEN + [each for each in POSITIONS if not each.holds_matches]
TARGETS = [Target(each) for each in WRITTEN]
DIALECTS = [Target(each, dialect) for each in WRITTEN for dialect in each.dialects]
every_target = pytest.mark.parametrize("target", TARGETS, ids=str)


def sound(count: int) -> Iterator[Match]:
    """Matches without a fault: lengths, money, rules, variants and set positions by turns."""
    rng = random.Random(4)
    for seed in range(count):
        length = rng.choice((0, 0, 1, 3, 5, 7, 11, 17, 25))
        rules = None
        if seed % 7 == 0:
            variant = rng.choice(("nackgammon", "hypergammon", "longgammon"))
            rules = Ruleset(crawford=bool(length), variant=variant, jacoby=False if length else None)
        yield random_match(seed, length, rules=rules, set_positions=rules is None and seed % 3 == 0)


@cache
def made(count: int) -> tuple[Match, ...]:
    """So many of them, made once; formats take turns with those of the quick suite."""
    return tuple(sound(count))


OF_KINDS = tuple(kind for kind in KINDS if kind.plant.__module__ != header.__name__)
"""Kinds of slip but those of the header.

Where the variation, the names or the length are wrong the whole record is, and formats need not tell it alike.
"""


@cache
def faulty(kind: Kind, each: int) -> tuple[Match, ...]:
    """Matches with one slip each, of a kind."""
    source = library(3, is_varied=kind.varied)
    slips = (slip for flavour in kind.flavours for slip in planted(kind, flavour, source, seed=3, each=each))
    return tuple(read_source(slip.text.encode(), slip.kind)[0] for slip in slips)


def slips(kinds: Iterable[Kind], each: int) -> Iterator[Match]:
    """So many matches of each of some kinds of slip."""
    return (match for kind in kinds for match in faulty(kind, each))


def positions(count: int) -> Iterator[Match]:
    """Positions with somebody on roll: before the roll, doubled or rolled, with an analysis of that or without."""
    cube = CubeAnalysis(
        no_double=Evaluation(probabilities=(0.659, 0.153, 0.003, 0.093, 0.002), equity=0.685, cubeless=0.377),
        double_take=Evaluation(equity=0.76), double_drop=1.0,
    )  # fmt: skip
    for index, position in enumerate(spread(11, count)):
        player: Player = 1 if index % 2 else 0
        owner: Player | None = (None, 0, 1)[index % 3]
        dice = (1 + index % 6, 1 + index // 6 % 6) if index % 4 < 2 else None
        value = 2 << index % 5 if owner is not None else 1
        match = position_match(position, player, dice, length=index % 7, cube=value, owner=owner)
        entries = match.games[0].entries
        if dice is None and index % 4 == 2:
            entries += (Double(player=player, value=2 * value),)
        last, note = entries[-1], None
        if dice is not None and index % 8 > 1:
            plays = legal_plays(position if player == 0 else position.flipped(), dice)[: 1 + index % 5]
            hops = (tuple(HopText(hop[:2], (hop.hit,)) for hop in play.hops) for play in plays)
            chances = (0.4, 0.125, 0.25 / (1 + index), 0.1, 0.01)
            figures = (Evaluation(probabilities=chances, equity=0.5 - rank / 8) for rank in range(len(plays)))
            level = Level(name="2-ply")
            pairs = zip(hops, figures, strict=True)
            note = Annotation(
                plays=PlayAnalysis(
                    candidates=tuple(Candidate(hops=each, evaluation=value, level=level) for each, value in pairs)
                )
            )
        elif dice is None and index % 8 > 3:
            note = Annotation(cube=cube)
        entries = (*entries[:-1], replace(last, annotation=note))
        yield replace(match, games=(replace(match.games[0], entries=entries),))


def anew(match: Match) -> Match:
    """The match without its file, whose bytes would be kept by the same format, so that it is written indeed."""
    return match if match.source is None else replace(match, source=replace(match.source, data=b"", format=""))


def broken(matches: Iterator[Match] | tuple[Match, ...], target: Target) -> list[str]:
    """What does not come back."""
    found = []
    for match in matches:
        try:
            done = convert((anew(match),), target)
        except FormatError as error:  # it says that it cannot say this: that is told, not lost
            if "damaged record" in str(error):
                found.append(f"{match.source.name if match.source else match.players}: {error}")
            continue
        if done.changed:
            found.append(f"{match.source.name if match.source else match.players}: {done.changed}")
    return found


@some_or_all(8)
@every_target
def test_sound_matches_come_back(target: Target, step: int) -> None:
    assert broken(made(15)[TARGETS.index(target) % step :: step], target) == []


@some_or_all(9)
@pytest.mark.parametrize("target", DIALECTS, ids=str)
def test_every_dialect_gives_the_match_back(target: Target, step: int) -> None:
    turn = DIALECTS.index(target)
    assert broken(made(9)[turn % step :: step], target) == []
    assert broken(slips(OF_KINDS[turn % step**2 :: step**2], 1), target) == []


CANNOT_SAY = {
    "sgf": {"beaver for take"}, "xg": {"answer after the roll"}, "sgg": {"answer twice"},
    "text": {"turn doubled"},
}  # fmt: skip
"""Slips that a format cannot say: it refuses to write the record, with a message, and nothing is lost."""


@some_or_all(40)
@every_target
def test_records_with_slips_come_back(target: Target, step: int) -> None:
    lost = broken(slips(OF_KINDS[TARGETS.index(target) % step :: step], 1), target)
    known = CANNOT_SAY.get(target.format.name, set())
    assert [each for each in lost if "has no way to say" not in each or each.partition(":")[0] not in known] == []


@some_or_all(4)
@every_target
def test_writing_leaves_nothing_out_that_it_does_not_tell(target: Target, step: int) -> None:
    # What a format carries in full is written in full: a sound match is refused for its start alone.
    for match in made(12)[TARGETS.index(target) % step :: step]:
        usual = match.rules.start == Ruleset().start and all(game.start is None for game in match.games)
        with nullcontext() if usual else suppress(FormatError):
            assert convert((match,), target, verify=False).data


@pytest.mark.quick(one_in=24)
@pytest.mark.parametrize("second", WRITTEN, ids=lambda each: each.name)
@pytest.mark.parametrize("first", WRITTEN, ids=lambda each: each.name)
def test_what_came_from_one_format_survives_every_other(first: Format, second: Format) -> None:
    for match in made(6):
        done = Converted(b"", ())
        with suppress(FormatError):
            done = convert((match,), Target(first), verify=False)
        if done.data:
            assert broken(first.read(Content(done.data, "first")), Target(second)) == []


@pytest.mark.quick(one_in=8)
@pytest.mark.parametrize("first", POSITIONS, ids=lambda each: each.name)
def test_a_position_survives_every_format_and_every_two(first: Format) -> None:
    kept = 0
    for match in positions(48):
        try:
            done = convert((match,), Target(first))
        except FormatError:
            continue
        assert done.changed == ""
        kept += 1
        for second in POSITIONS:
            assert broken(first.read(Content(done.data, "first")), Target(second)) == []
    assert kept >= 36  # a position of Jellyfish cannot hold a double


@pytest.mark.parametrize("target", WRITTEN, ids=lambda each: each.name)
def test_the_fullest_record_either_comes_back_or_is_refused(target: Format) -> None:
    assert broken((FULL,), Target(target)) == []


FOLDERS = (
    "mat", "sgf", "xg", "xgp", "gnubg-analysis-txt", "fibs-session", "xg-position-txt", "bgblitz-position-txt",
)  # fmt: skip


def corpus(step: int, first: int = 0) -> Iterator[Match]:
    """Every ``step``-th real record of every format, from the ``first`` on, and one at least."""
    for folder in FOLDERS:
        paths = sorted((CORPUS / folder).glob("*"))
        for path in paths[first % min(step, len(paths)) :: step] if paths else ():
            try:
                yield from read_all(path)
            except FormatError:
                continue


@needs_corpus
@every_target
def test_real_records_come_back(target: Target) -> None:
    assert broken(corpus(100, TARGETS.index(target)), target) == []


class Law:
    """Holds records to the law, and counts.

    Args:
        share: the formats that records are first written in, of all that are written.

    Attributes:
        kept: how many records came back from a format, and from a second one after that.
        refused: how often a format said that it cannot say a record, by the reason without its numbers and names.
        broken: what did not come back.
    """

    def __init__(self, share: slice) -> None:
        self.share = share
        self.kept: Counter[tuple[str, ...]] = Counter()
        self.refused: Counter[tuple[str, str]] = Counter()
        self.broken: list[str] = []
        self.turn = 0

    def hold(self, match: Match, share: int) -> None:
        """Write a record in every format, and what is read again in ``share`` others, which take turns.

        A position goes into every other one.
        """
        is_rest = len(match.games) == 1 and is_position(match.games[0])
        formats = OF_POSITIONS if is_rest else WRITTEN
        for first in formats[self.share]:
            if (data := self._write(match, first)) is not None:
                written = Content(data, f"x{first.extensions[0]}")
                (found,) = recognise(written).read(written)  # as whoever opens it will
                at = self.turn * share
                for second in formats if is_rest else [formats[(at + step) % len(formats)] for step in range(share)]:
                    self._write(found, first, second)
        self.turn += 1

    def _write(self, match: Match, *way: Format) -> bytes | None:
        names = tuple(each.name for each in way)
        try:
            done = convert((anew(match),), Target(way[-1]))
        except FormatError as error:
            self.refused[names[-1], re.sub(r"'.*'|[\d.]+", "…", str(error))] += 1
            return None
        if done.changed:
            self.broken.append(f"{match.source.name if match.source else match.players}, {names}: {done.changed}")
            return None
        self.kept[names] += 1
        return done.data

    def fewest(self) -> int:
        """How many records came back through that pair of formats of matches which has fewest."""
        return min(self.kept[one.name, two.name] for one in WRITTEN[self.share] for two in WRITTEN)


@pytest.mark.thorough
@pytest.mark.timeout(3600)
@needs_corpus
@in_shares
def test_real_records_survive_every_format_and_every_two(share: slice) -> None:
    law = Law(share)
    for match in corpus(1):
        law.hold(match, share=2)
    assert law.broken == []
    assert law.fewest() >= 100


@pytest.mark.thorough
@pytest.mark.timeout(3600)
@in_shares
def test_a_thousand_matches_survive_every_format_and_every_two(share: slice) -> None:
    law = Law(share)
    for match in sound(1000):
        law.hold(match, share=1)
    for match in slips(OF_KINDS, 2):
        law.hold(match, share=1)
    assert law.broken == []
    assert law.fewest() >= 50


@pytest.mark.thorough
@in_shares
def test_a_thousand_positions_survive_every_format_and_every_two(share: slice) -> None:
    law = Law(share)
    for match in positions(1000):
        law.hold(match, share=1)
    assert law.broken == []
    firsts = [each for each in OF_POSITIONS[share] if each in POSITIONS]
    assert min((law.kept[one.name, two.name] for one in firsts for two in POSITIONS), default=500) >= 500
