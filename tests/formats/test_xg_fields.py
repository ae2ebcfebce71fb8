"""Every field of eXtreme Gammon's records is read or kept, or it repeats what another field says."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

from bgtools.conversion.conversion import Target, convert
from bgtools.findings import codes
from bgtools.formats.content import Content
from bgtools.formats.reading import find_format
from bgtools.formats.xg import layout
from bgtools.formats.xg.archive import Titles, open_archive, pack_archive
from bgtools.formats.xg.encode import YES
from bgtools.formats.xg.kept import KEPT
from bgtools.formats.xg.layout import NO_ANALYSIS, RecordKind
from bgtools.formats.xg.reader import read
from bgtools.formats.xg.writer import write
from bgtools.record.annotation import Annotation
from bgtools.record.record import CheckerPlay, Double, Match, Resign, Take
from xg_files import ANALYSED, CUBE_NOTE, DTYPES, game, match_of, play, ranked, read_back, tampered

if TYPE_CHECKING:
    from collections.abc import Iterator

MATCH: Final = match_of(
    game(
        play(0, (3, 1), "8/5 6/5"),
        replace(play(1, (6, 4), "24/14"), annotation=ranked("24/14", "24/18 13/9")),
        Double(player=0, annotation=CUBE_NOTE),
        Take(player=1),
        play(0, (5, 2), "13/8 13/11"),
        Resign(player=1, level=1),
        points=2,
    ),
    tags=ANALYSED.tags,
)
_SITUATION: Final = ("board", "score", "cube", "cube_owner", "jacoby", "crawford", "met")
DERIVED: Final = MappingProxyType(
    {
        # The kind, the magic number and the version tell how to read the rest. The older texts repeat the newer ones.
        # Jacoby, beavers and automatic doubles are for money. A number of a comment says nothing without a comment.
        RecordKind.MATCH: (
            "kind", "magic", "version", "ansi_player1", "ansi_player2", "ansi_event", "ansi_location", "ansi_round",
            "jacoby", "beaver", "automatic", "automatic_most", "comment_before", "comment_after",
        ),
        RecordKind.GAME: ("kind", "crawford", "comment_before", "comment_after"),
        # Advice, choice and the level of the error follow from the figures. Rollouts are told to be unread as a whole.
        RecordKind.CUBE: (
            "kind", "beaver", "raccoon", *(f"analysis/{name}" for name in _SITUATION), "analysis/beaver",
            "analysis/advice", "analysis/choice3", "dice", "rollout", "choice", "level", "level_asked", "comment",
            "rollout_done", "automatic",
        ),
        # The equity before the roll is that of the best play less the luck.
        RecordKind.MOVE: (
            "kind", "count", *(f"analysis/{name}" for name in _SITUATION), "analysis/dice", "analysis/level",
            "analysis/choice0", "analysis/choice3", "choice", "equity_before", "rollouts", "luck_level", "invalid",
            "comment", "edited", "rollouts_done", "automatic",
        ),
        RecordKind.GAME_END: ("kind", "score", "crawford"),
        RecordKind.MATCH_END: ("kind", "score", "winner"),
    }
)  # fmt: skip
"""The fields that say nothing new, by kind of record."""


def _fields(layout: np.dtype[Any], inside: str = "") -> Iterator[str]:
    assert layout.names is not None
    for name in layout.names:
        field = layout[name]
        if field.names and inside == "" and name != "clock":
            yield from _fields(field, f"{name}/")
        else:
            yield f"{inside}{name}"


FIELDS: Final = [(kind, name) for kind, each in zip(RecordKind, DTYPES, strict=True) for name in _fields(each)]


def _change(record: Any, name: str) -> None:
    """Give a field another value, one that it may have."""
    *outer, field = name.split("/")
    for each in outer:
        record = record[each]
    kind = record.dtype[field]
    if kind.names:
        record[field] = tuple(range(1, 1 + len(kind.names)))
        return
    values = np.array([record[field]]).reshape(-1)
    if values.dtype.names:
        values["level"][0] += 3
    elif values.dtype.kind == "f":
        values[0] = 0.375 if values[0] != 0.375 else 0.5
    elif values.dtype == np.uint8:
        values[0] = not values[0]
    else:
        values[0] = values[0] + 1 if values[0] > 1 else 3
    record[field] = values.reshape(kind.shape) if kind.shape else values[0]


def _with_field_changed(kind: RecordKind, name: str) -> Match:
    def change(records: list[Any]) -> None:
        of_kind = [each for each in records if each["kind"] == kind]
        # The record with an analysis, where there is one: without it the figures mean nothing.
        valued = (each for each in of_kind if kind == RecordKind.CUBE and each["double"] == YES)
        _change(next(valued, of_kind[kind == RecordKind.MOVE]), name)

    return _bare(tampered(MATCH, change))


def _bare(match: Match) -> Match:
    return replace(match, source=None)


def test_every_field_is_read_or_says_nothing_new() -> None:
    plain = _bare(tampered(MATCH, lambda _: None))
    fields = [(kind, name) for kind, name in FIELDS if name not in ("kind", "magic")]
    assert len(fields) > 100
    same = [(kind.name, name) for kind, name in fields if _with_field_changed(kind, name) == plain]
    assert same == [(kind.name, name) for kind, name in fields if name in DERIVED[kind]]


KEPT_FIELDS: Final = [(kind, name) for kind, (_, names) in KEPT.items() for name in names]


@pytest.mark.parametrize(("kind", "name"), KEPT_FIELDS, ids=[f"{kind.name}-{name}" for kind, name in KEPT_FIELDS])
def test_a_kept_field_comes_back_and_is_told_to_be_lost_elsewhere(kind: RecordKind, name: str) -> None:
    changed = _with_field_changed(kind, name)
    back = _bare(read_back(changed))
    assert back.extras == changed.extras
    assert back.games[0].extras == changed.games[0].extras
    assert _notes(back) == _notes(changed)
    lost = convert((changed,), Target(find_format("mat"))).losses
    assert codes.EXTRA_LOST in {each.code for each in lost}
    # What matches keep stays in the file of its own format, and no extra of a strange form spoils it.
    strange = replace(changed, extras=tuple(replace(each, value=f"{each.value} x") for each in changed.extras))
    assert read_back(strange).players == changed.players


def _notes(match: Match) -> list[Any]:
    return [entry.annotation and (entry.annotation.extras, entry.annotation.clock) for entry in match.games[0].entries]


def test_the_clocks_of_a_cube_record_are_those_of_its_roll_or_double() -> None:
    entries = MATCH.games[0].entries
    timed = {
        0: Annotation(clock=(600.0, 590.0)), 2: replace(CUBE_NOTE, clock=(580.0, 571.0)),
    }  # fmt: skip
    made = tuple(replace(entry, annotation=timed.get(at, entry.annotation)) for at, entry in enumerate(entries))
    match = replace(MATCH, games=(replace(MATCH.games[0], entries=made),))
    back = read_back(match)
    assert [entry.annotation and entry.annotation.clock for entry in back.games[0].entries] == [
        (600.0, 590.0), None, (580.0, 571.0), None, None, None,
    ]  # fmt: skip
    assert not convert((match,), Target(find_format("xg"))).losses


def test_a_clock_that_no_record_can_hold_is_told_to_be_lost() -> None:
    entries = MATCH.games[0].entries
    taken = replace(entries[3], annotation=Annotation(clock=(600.0, 590.0)))
    match = replace(MATCH, games=(replace(MATCH.games[0], entries=(*entries[:3], taken, *entries[4:])),))
    assert any("clocks" in each.message for each in convert((match,), Target(find_format("xg"))).losses)


def test_the_comment_in_the_header_of_the_file_is_a_comment_of_the_match() -> None:
    data = pack_archive(open_archive(write((MATCH,))), Titles(comments="Seen in the club"))
    (match,) = read(Content(data, "made.xg"))
    assert [comment.text for comment in match.comments] == ["Seen in the club"]
    (back,) = read(Content(write((match,)), "made.xg"))
    assert [comment.text for comment in back.comments] == ["Seen in the club"]


def test_a_game_in_progress_that_has_a_result_is_told() -> None:
    def change(records: list[Any]) -> None:
        records[1]["in_progress"] = 1

    match = tampered(MATCH, change)
    assert [(tag.key, tag.value) for tag in match.games[0].extras] == [("xg:in-progress", "1")]
    assert [(tag.key, tag.value) for tag in read_back(match).games[0].extras] == [("xg:in-progress", "1")]


def test_a_kind_of_game_that_is_not_known_is_told() -> None:
    def change(records: list[Any]) -> None:
        records[0]["variation"] = 9

    (finding,) = [each for each in tampered(MATCH, change).findings if each.code is codes.UNREADABLE_LINE]
    assert finding.message == "there is no variation 9 of backgammon; it is read as backgammon"


def test_figures_that_mean_nothing_make_no_extras() -> None:
    def change(records: list[Any]) -> None:
        for record in records:
            for name in KEPT.get(RecordKind(int(record["kind"])), ("", ()))[1]:
                if record.dtype[name].kind == "f":
                    record[name] = NO_ANALYSIS

    match = tampered(MATCH, change)
    assert not [tag for tag in match.extras if "end" in tag.key]
    assert not match.games[0].extras
    plays = [entry for entry in match.games[0].entries if isinstance(entry, CheckerPlay)]
    assert plays
    assert not any(entry.annotation and entry.annotation.extras for entry in plays)


def test_fields_are_all_there() -> None:
    assert len(FIELDS) > 150
    assert layout.RECORD_SIZE == 2560
