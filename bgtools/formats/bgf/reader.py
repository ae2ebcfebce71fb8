"""Reading matches of BGBlitz, ``.bgf``: a line of JSON, then the match as Smile or JSON, which is usually packed."""

from __future__ import annotations

import re
import zlib
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from bgtools.board.board import BAR, OFF
from bgtools.board.perspective import other
from bgtools.formats.bgf import smile
from bgtools.formats.bgf.notes import PlayFigures, chances_of, cube_analysis, level_of, play_analysis
from bgtools.formats.bgf.plies import (
    ActionCode,
    OgxmGameDraft,
    OgxmMatchDraft,
    PlyDraft,
    Steps,
    action_of,
    finish,
    steps_of,
    turned_back,
)
from bgtools.formats.content import FormatError
from bgtools.formats.limits import MOST_GAMES, largest_file
from bgtools.formats.shared.json_values import figure, items, load, member, objects, text, unread, whole
from bgtools.record.annotation import Annotation, Level
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.board.perspective import Player
    from bgtools.formats.bgf.plies import Counts
    from bgtools.formats.content import Content
    from bgtools.record.annotation import CubeAnalysis, Probabilities
    from bgtools.record.record import Match

PROGRAM: Final = "BGBlitz"
_GZIP: Final = b"\x1f\x8b"
_ZLIB: Final = re.compile(rb"\x78[\x01\x5e\x9c\xda]")
_GREEN: Final = -1
"""BGBlitz's number for player 1, Green."""
_NOT_SAID: Final = -900.0
"""BGBlitz writes figures of at most this for "not known"."""
_CHANCES: Final = ("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon")
_EQUITIES: Final = ("eqNoDouble", "eqDoubleTake", "eqDoublePass")
_DERIVED: Final = (
    "isCrawford", "pr", "checkerError", "cubeError", "matchEquity", "stateOther", "emg", "eqCubeFul", "luckPlain",
    "luckWeighted", "moves.player", "moves.from", "moves.to",
)  # fmt: skip
"""What only repeats others, or states the same figure in another unit. The reader asks every move but the answer to an
offer for its player and its hops: the offer has said both."""
_POINTS: Final = 24
_HOPS: Final = 4
_MOST_CHECKERS: Final = 15
_USUAL_BOARD: Final = (-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2)
"""The start as player 1 counts their points."""
_DATES: Final = ("%b %d, %Y", "%Y.%m.%d", "%Y-%m-%d", "%d.%m.%Y")


def read(content: Content) -> tuple[Match, ...]:
    """Read a file: one match.

    Raises:
        FormatError: the match in it cannot be unpacked or decoded.
    """
    line, _, data = content.data.partition(b"\n")
    load(line.decode("utf-8", "replace"), "the first line of this file of BGBlitz")
    data = _unpacked(data)
    document = (
        smile.decode(data)
        if data.startswith(smile.MAGIC)
        else load(data.decode("utf-8", "replace"), "what this file of BGBlitz holds")
    )
    if not isinstance(document, dict) or not isinstance(document.get("games"), list):
        raise FormatError("this file of BGBlitz holds no match: it has no list of games")
    return (finish(_match(document), content.name),)


def _unpacked(data: bytes) -> bytes:
    if not data.startswith(_GZIP) and not _ZLIB.match(data):
        return data
    stream = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
    most = largest_file()  # a long match that is fully analysed has two million bytes
    try:
        found = stream.decompress(data, most + 1)
    except zlib.error as error:
        raise FormatError(f"this file of BGBlitz is damaged: {error}") from None
    if len(found) > most:
        raise FormatError(f"more than {most >> 20} MB come out of this file of BGBlitz")
    if not stream.eof:
        raise FormatError("this file of BGBlitz is cut off")
    return found


# --- the match ------------------------------------------------------------------------------


def _match(document: dict[str, Any]) -> OgxmMatchDraft:
    length = whole(document.get("matchlen"), least=0, most=9999)
    money = not length
    draft = OgxmMatchDraft(
        where="match",
        players=(text(document, "nameGreen"), text(document, "nameRed")),
        length=length,
        rules=Ruleset(
            crawford=document.get("useCrawford", True) is not False and not money,
            jacoby=document.get("useJacoby") is True and money,
            beavers=(None if "useBeaver" not in document else int(document["useBeaver"] is True)) if money else 0,
            automatic_doubles=None if money else 0,
            cube_limit=1 if document.get("useCube") is False else None,
        ),
        tags=list(_tags(document)),
    )
    # One game more than are kept is read, so that a finding reports the games left out.
    games = list(islice(objects(document, "games"), MOST_GAMES + 1))
    for at, game in enumerate(games):
        draft.games.append(_BgfGameReader(draft, game, f"games[{at}]").draft)
        after = games[at + 1] if at + 1 < len(games) else None
        _result(draft.games[-1], game, document, after)
    draft.unread = unread(document, _DERIVED)
    return draft


def _tags(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for key, name in (("Event", "event"), ("Site", "site"), ("Round", "round"), ("Transcriber", "transcriber")):
        if value := text(document, name).strip():
            yield key, value
    if day := text(document, "date").strip():
        yield "EventDate", _date(day)


def _date(day: str) -> str:
    for form in _DATES:
        try:
            return f"{datetime.strptime(day, form):%Y.%m.%d}"
        except ValueError:
            continue
    return day


def _score(holder: dict[str, Any], names: tuple[str, str]) -> tuple[int, int]:
    one, two = (whole(holder.get(name), least=0) for name in names)
    return one, two


def _result(draft: OgxmGameDraft, game: dict[str, Any], document: dict[str, Any], after: dict[str, Any] | None) -> None:
    """Set the winner and the points of a game by the score after it: the file names no winner."""
    final = ("finalGreen", "finalRed")
    following = _score(after, ("scoreGreen", "scoreRed")) if after is not None else _score(document, final)
    before = draft.score or (0, 0)
    gained = (following[0] - before[0], following[1] - before[1])
    winner: Player | None = 0 if gained[0] > 0 else 1 if gained[1] > 0 else None
    if winner is None:
        return
    draft.winner, draft.points = winner, whole(game.get("wonPoints"), least=0) or gained[winner]
    if game.get("wasResignation") is True:
        draft.plies.append(PlyDraft(action=ActionCode.RESIGN_GAME, player=other(winner), where=draft.where))


# --- games ----------------------------------------------------------------------------------


class _BgfGameReader:
    def __init__(self, match: OgxmMatchDraft, game: dict[str, Any], where: str) -> None:
        self.match = match
        start = member(game, "initial")
        owner = whole(start.get("cubeOwner"))
        self.draft = OgxmGameDraft(
            where=where,
            score=_score(game, ("scoreGreen", "scoreRed")),
            board=_board(items(start, "points")),
            cube=whole(start.get("cube"), 1, least=1),
            owner=None if not owner else 0 if owner == _GREEN else 1,
        )
        moves = list(objects(game, "moves"))
        at = 0
        while at < len(moves):
            at += self._move(moves[at], f"{where}.moves[{at}]")

    def _move(self, move: dict[str, Any], where: str) -> int:
        """Read one entry of the list of moves. Returns how many entries it took: a double and its answer are two."""
        player: Player = 0 if whole(move.get("player")) == _GREEN else 1
        first = whole((items(move, "from") or [-1])[0], -1)
        cube = member(member(move, "equity"), "cubeDecision")
        if first == -1:
            if cube.get("hasDoubled") is None:
                return 1  # the entry after the last move is empty
            self._double(move, cube, player, where)
            return 2
        ply = PlyDraft(action=ActionCode.NOTHING, player=player, where=where)
        dice = whole(move.get("red")), whole(move.get("green"))
        if member(move, "dancingEquity"):
            dice = first, whole((items(move, "to") or [0])[0])
        else:
            ply.steps = _steps(move, player)
        try:
            ply.action = action_of(dice)
        except ValueError:
            self.match.faults.append(f"{where}: {dice[0]} and {dice[1]} are not a roll; the record is left out")
            return 1
        ply.note = self._note(move, ply)
        self.draft.plies.append(ply)
        return 1

    def _double(self, move: dict[str, Any], cube: dict[str, Any], player: Player, where: str) -> None:
        note = self._cube(move)
        offer = PlyDraft(action=ActionCode.DOUBLE, player=player, where=where)
        if note is not None:
            offer.note = Annotation(program=PROGRAM, cube=note)
        self.draft.plies.append(offer)
        taken = cube.get("hasAccepted")
        if taken is not None:
            answer = ActionCode.TAKE if taken is True else ActionCode.DROP
            self.draft.plies.append(PlyDraft(action=answer, player=other(player), where=where))

    # --- analyses ---------------------------------------------------------------------------

    def _note(self, move: dict[str, Any], ply: PlyDraft) -> Annotation | None:
        valued = []
        for each in objects(move, "moveAnalysis"):
            found = member(each, "eq")
            has_points = found.get("hasEMG", True) is not False
            equity = _figure_or_none(found.get("emg") if has_points else member(found, "cubeDecision").get("eqCubeFul"))
            steps = _steps(member(each, "move"), ply.player)
            valued.append(PlayFigures(steps, equity, _chances(found), _level(each), None, each.get("played") is True))
        played = next((each.equity for each in valued if each.is_played), None)
        best = valued[0].equity if valued else None
        loss = None if played is None or best is None else max(best - played, 0.0)
        plays = play_analysis(valued, ply.player, "emg", loss)
        luck = member(move, "luck")
        rolled = _figure_or_none(luck.get("luckPlain" if luck.get("mode") == "Money" else "luckWeighted"))
        cube = self._cube(move)
        if plays is None and cube is None and rolled is None:
            return None
        return Annotation(program=PROGRAM, plays=plays, cube=cube, luck=rolled)

    def _cube(self, move: dict[str, Any]) -> CubeAnalysis | None:
        found = member(move, "equity")
        cube = member(found, "cubeDecision")
        equities, chances = [_figure_or_none(cube.get(name)) for name in _EQUITIES], _chances(found)
        if text(cube, "stateOnMove") == "" or equities[0] is None or equities[1] is None:
            return None
        return cube_analysis(equities, chances, "mwc" if self.match.length else "emg", _level(move))


def _figure_or_none(value: Any) -> float | None:
    found = figure(value)
    return None if found is None or found <= _NOT_SAID else found


def _level(holder: dict[str, Any]) -> Level:
    return level_of(None, whole(holder.get("ply"), least=0))


def _chances(found: dict[str, Any]) -> Probabilities | None:
    figures = [_figure_or_none(found.get(name)) for name in _CHANCES]
    return None if figures[0] is None else chances_of([each or 0.0 for each in figures])


def _steps(holder: dict[str, Any], player: Player) -> Steps:
    """The steps of a play. The file lists where hops start and end, in the mover's numbering; -1 ends the list."""
    hops = []
    for start, end in zip(items(holder, "from")[:_HOPS], items(holder, "to")[:_HOPS], strict=False):
        first, last = whole(start, -1), max(whole(end), OFF)
        if not OFF < first <= BAR:
            break
        hops.append((first, last))
    return steps_of(hops, player)


def _board(points: list[Any]) -> Counts | None:
    """The board that a game begins from; None for the usual one.

    The file lists the points in player 2's numbering, with player 1's checkers above 0; the two bars follow, without a
    sign.
    """
    counts = [whole(count, least=-_MOST_CHECKERS, most=_MOST_CHECKERS) for count in points[: _POINTS + 2]]
    if len(counts) < _POINTS:
        return None
    bars = [abs(count) for count in counts[_POINTS:]] + [0, 0]
    own = [0, *reversed(counts[:_POINTS])]
    if tuple(own[1:]) == _USUAL_BOARD and not any(bars):
        return None
    return turned_back([-bars[1], *own[1:], bars[0]], 0)
