"""Files of eXtreme Gammon made for tests, and records of theirs put out of order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bgtools.board.play import HopText, PlayText
from bgtools.formats.content import Content
from bgtools.formats.xg import layout
from bgtools.formats.xg.archive import COMMENTS, RECORDS, Titles, open_archive, pack_archive
from bgtools.formats.xg.reader import read
from bgtools.formats.xg.writer import write, write_position
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis
from bgtools.record.record import CheckerPlay, Comment, Double, Drop, Entry, Game, Match, ResultClaim, Take
from bgtools.rules.options import Ruleset
from support import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgtools.board.board import Dice
    from bgtools.board.perspective import Player
    from bgtools.formats.shared.binary import BinaryField, RecordType


def dtype_of(kind: RecordType) -> np.dtype[np.void]:
    """The fields of a record as NumPy has them, for looking at many records at once."""
    names = [*kind.fields]
    formats = [_format_of(field) for field in kind.fields.values()]
    offsets = [field.offset for field in kind.fields.values()]
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": kind.size})


def _format_of(field: BinaryField) -> Any:
    if not isinstance(field.item, str):
        return (dtype_of(field.item), field.shape)
    return f"V{field.size}" if field.item == "s" else (f"<{field.item}", field.shape)


DTYPES = tuple(map(dtype_of, layout.RECORDS.values()))


def play(player: Player, dice: Dice, text: str, **more: Any) -> CheckerPlay:
    """A roll and what was played with it; "" for a dance, "?" for a play that is not known."""
    told = PlayText("unknown") if text == "?" else PlayText("moves", written(text)) if text else PlayText("dance")
    return CheckerPlay(player=player, dice=dice, text=told, **more)


def game(*entries: Entry, winner: Player | None = 0, points: int = 1, **more: Any) -> Game:
    """The first game of a match."""
    results = () if winner is None else (ResultClaim(player=winner, points=points),)
    return Game(**{"number": 1, "score": (0, 0), "entries": entries, "results": results, **more})


def match_of(*games: Game, length: int = 7, **more: Any) -> Match:
    rules = Ruleset(crawford=bool(length), jacoby=False, beavers=0 if length else 2)
    return Match(**{"players": ("Ann", "Bjørn"), "length": length, "games": games, "rules": rules, **more})


def evaluation(equity: float, win: float = 0.5, cubeless: float | None = None) -> Evaluation:
    return Evaluation(probabilities=(win, 0.25, 0.125, 0.0625, 0.03125), equity=equity, cubeless=cubeless)


CUBE_NOTE = Annotation(
    program="eXtreme Gammon",
    cube=CubeAnalysis(
        no_double=evaluation(0.5, 0.625, 0.25),
        double_take=evaluation(0.75, 0.625, 0.25),
        double_drop=1.0,
        level=Level(name="XG Roller++", code="1002/1002"),
        error=-0.25,
        answer_error=-0.125,
    ),
)


def ranked(*plays: str, error: float = 0.0, luck: float = 0.125) -> Annotation:
    """An analysis that ranks some plays, each a quarter of a point below the one before; the first was played."""
    level = Level(name="3-ply", code="2/1002")
    candidates = tuple(
        Candidate(hops=_single(written(text)), evaluation=evaluation(-0.25 * rank), level=level)
        for rank, text in enumerate(plays)
    )
    return Annotation(
        program="eXtreme Gammon",
        plays=PlayAnalysis(candidates=candidates, chosen=0, error=error, counted=len(plays) > 1),
        luck=luck,
    )


def _single(hops: tuple[HopText, ...]) -> tuple[HopText, ...]:
    return tuple(replace(hop, start=start, end=end) for hop, (start, end) in zip(hops, _columns(hops), strict=True))


def _columns(hops: tuple[HopText, ...]) -> list[tuple[int, int]]:
    found, at = [], 0
    for hop in hops:
        found.append((at, at + len(str(hop))))
        at = found[-1][1] + 1
    return found


ANALYSED = match_of(
    game(
        play(0, (3, 1), "8/5 6/5", annotation=ranked("8/5 6/5", "13/10 24/23", "24/23 23/20")),
        play(1, (6, 6), "24/18 24/18 13/7 13/7", annotation=ranked("24/18 24/18 13/7 13/7", error=-0.0625)),
        Double(player=0, annotation=CUBE_NOTE),
        Take(player=1),
        play(0, (5, 2), "13/8 24/22"),
        Double(player=1),
        Drop(player=0),
        winner=1,
        points=2,
        comments=(Comment(text="A sound start — “quiet”.", at=1), Comment(text="Too soon?\nYes.", at=3)),
    )
)


def read_back(match: Match, *, position: bool = False) -> Match:
    """What is read of what is written."""
    data = (write_position if position else write)((match,))
    (found,) = read(Content(data, "made.xgp" if position else "made.xg"))
    return found


def tampered(match: Match, change: Callable[[list[Any]], None], *, comments: bytes | None = None) -> Match:
    """What is read of a file whose records have been changed after they were written.

    Args:
        match: what to write.
        change: gets the records, one row of its own type each, and changes them or their list.
        comments: what to put in place of the file's comments.
    """
    files = open_archive(write((match,)))
    stream = files[RECORDS]
    starts = range(0, len(stream), layout.RECORD_SIZE)
    records = [
        np.frombuffer(bytearray(stream[at : at + layout.RECORD_SIZE]), DTYPES[stream[at + 8]])[0] for at in starts
    ]
    change(records)
    files[RECORDS] = b"".join(record.tobytes() for record in records)
    if comments is not None:
        files[COMMENTS] = comments
    (found,) = read(Content(pack_archive(files, Titles()), "tampered.xg"))
    return found
