"""``bgtools show``: a board from a record or an ID, and the same in every other notation."""

from __future__ import annotations

import re
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from bgtools.cli import _common, _completion, _terminal
from bgtools.cli._pictures import MOST, Pictures, theme_of
from bgtools.drawing import Seat
from bgtools.reports import said_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.analysis import DecisionRow, Evaluation
    from bgtools.board import Board
    from bgtools.engines import CubeAction, Engine, LevelName
    from bgtools.positions import IdError, Position
    from bgtools.record import Annotation, Match
    from bgtools.replayer import GameReplay, Turn


def show_command(
    whats: Annotated[
        list[str], typer.Argument(help="A record, or a position in any notation; several with -o.", metavar="FILE|ID…")
    ],
    game: Annotated[
        int | None, typer.Option("--game", "-g", min=1, help="Number of the game; the first one unless told.")
    ] = None,
    turn: Annotated[
        int | None,
        typer.Option(
            "--turn", "-t", min=1, help="Number of the turn in the game: a roll, with the cube actions before it."
        ),
    ] = None,
    entry: Annotated[
        int | None,
        typer.Option("--entry", "-e", min=1, help="Number of the entry: rolls and cube actions counted one by one."),
    ] = None,
    line: Annotated[
        str | None,
        typer.Option(
            "--line",
            "-l",
            help="What stands in this line of the file, as bgtools check counts them; of two the first, unless the "
            "column is told.",
            metavar="LINE[:COLUMN]",
            show_default=False,
        ),
    ] = None,
    match_number: Annotated[int, typer.Option("--match", min=1, help="Which match, where a file holds several.")] = 1,
    layout: Annotated[
        Literal["text", "json", "svg"], typer.Option("--format", help="How to print it; svg is a picture.")
    ] = "text",
    board: Annotated[
        Literal["own", "gnubg", "xg", "fibs"], typer.Option("--board", help="Whose way to draw the board.")
    ] = "own",
    engine: Annotated[
        str | None,
        typer.Option(
            help="Value the position with an engine as well: sage, sage:rollout, gnubg, gnubg:PLIES or ubgi:CMD.",
            show_default=False,
            autocompletion=_completion.engines,
        ),
    ] = None,
    level: Annotated[
        Literal["quick", "standard", "deep"], typer.Option(help="How deep the engine looks.")
    ] = "standard",
    met: Annotated[
        str | None,
        typer.Option(
            help="The engine's match equity table: a name or a file.",
            metavar="NAME|FILE",
            show_default=False,
            autocompletion=_completion.mets,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write pictures into this file instead: .svg, .png or .pdf.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    play: Annotated[
        str,
        typer.Option(help='Draw the arrows of this play as the one made: "13/7 8/5".', show_default=False),
    ] = "",
    best: Annotated[str, typer.Option(help="Draw the arrows of this play as the best.", show_default=False)] = "",
    theme: Annotated[
        str,
        typer.Option(help="Colours of a picture: light, dark, print, contrast, or a TOML file.", metavar="NAME|FILE"),
    ] = "light",
    size: Annotated[
        int | None,
        typer.Option(min=50, max=MOST, help="Width of a picture in pixels, of a PDF in points.", show_default=False),
    ] = None,
    flip: Annotated[bool, typer.Option("--flip", help="Draw the other player below.")] = False,
    home: Annotated[
        Literal["right", "left"], typer.Option(help="Where the player below bears off in a picture.")
    ] = "right",
    caption: Annotated[str, typer.Option(help="A line below a picture.", show_default=False)] = "",
    force: Annotated[bool, typer.Option("--force", help="Write over files that are there.")] = False,
    ids: Annotated[bool, typer.Option("--ids", help="Print the position in every notation as well.")] = False,
) -> None:
    """Draw a board: of a turn in a record, or of an ID; on the terminal or as a picture.

    "bgtools show match.mat --game 2 --turn 9" draws the board before the ninth roll of the second
    game, with the analysis that the record holds of it, and names the cube actions before that roll;
    "--entry" shows one of those; "--line 38" what stands in that line of the file;
    "bgtools show XGID=…" and "bgtools show
    4HPwATDgc/ABMA:cAkAAAAAAAAA" that of an ID: an XGID, a GNU ID, an OGID, a FIBS board, a Snowie
    position, 26 numbers. A file may also hold an ID or a drawn board. With --engine it is valued: every
    play of its roll, the best first, or what to do with the cube; of a turn in a record also what the decision cost
    and why, and its themes. With -o it is a picture: a full arrow for each checker of the play that was made, a dashed
    one for the best play, as far as the record, the engine or --play and --best tell them.
    """
    judge = _valuing(engine, level, met)
    pictures = None
    if output is not None or layout == "svg":
        pictures = Pictures(output, theme_of(theme), Seat(flip, home), size, play, best, caption, force)
    elif len(whats) > 1:
        _common.complain(f"{whats[1]}: several boards at once need a file with -o, such as -o boards.pdf")
        raise typer.Exit(2)
    how = _How(layout, board, judge, pictures, ids)
    for what in whats:
        _show(what, _Asked(game, turn, entry, line, match_number), how)
    if pictures is not None:
        pictures.write()


class _How(NamedTuple):
    """How a board is shown: printed in a layout, with an engine's values, or drawn as a picture."""

    layout: str
    board: str
    judge: _Judge | None
    pictures: Pictures | None
    ids: bool


class _Asked(NamedTuple):
    """What of a record is asked for, as the options say it."""

    game: int | None
    turn: int | None
    entry: int | None
    line: str | None
    match_number: int


def _show(what: str, asked: _Asked, how: _How) -> None:
    """Show one record or position."""
    game, turn, entry, line, match_number = asked
    if what == "-" or _is_there(what):
        matches = _common.or_complain(what, lambda: _read(what))
        if matches is None:
            raise typer.Exit(2)
        if not isinstance(matches, tuple):
            _tell(matches, how)
            return
        if match_number > len(matches):
            held = "1 match" if len(matches) == 1 else f"{len(matches)} matches"
            _common.complain(f"{what}: it holds {held}")
            raise typer.Exit(2)
        if sum(each is not None for each in (turn, entry, line)) > 1 or (game is not None and line is not None):
            both = "--turn and --entry both say" if line is None else "--line and --game, --turn or --entry say"
            _common.complain(f"{both} what to show; give one of them")
            raise typer.Exit(2)
        wanted = _Wanted(game, turn, entry, None if line is None else _place(line))
        _show_turn(matches[match_number - 1], wanted, how)
        return
    from bgtools.positions import IdError, decode_id

    try:
        situation = decode_id(_unlabelled(what))
    except IdError as error:
        _common.complain(f"{what}: {_reason(what, error)}")
        raise typer.Exit(2) from None
    _tell(situation, how)


class _Wanted(NamedTuple):
    """What of a record is to be shown; ``line`` is a line with a column, or with None for the first entry in it."""

    game: int | None
    turn: int | None
    entry: int | None
    line: tuple[int, int | None] | None


def _place(text: str) -> tuple[int, int | None]:
    said = re.fullmatch(r"0*([1-9]\d{0,8})(?::0*([1-9]\d{0,8}))?", text.strip(), re.ASCII)
    if said is None:
        _common.complain(f"--line takes a line of the file, or line and column, as in 38 or 38:10; not {text!r}")
        raise typer.Exit(2)
    return int(said[1]), int(said[2]) if said[2] else None


def _valuing(engine: str | None, level: LevelName, met: str | None) -> _Judge | None:
    """What values a position, if that is asked for."""
    if engine is None:
        return None
    return _Judge(engine, level, met)


_Judged = tuple[tuple["DecisionRow", ...], "Board | CubeAction | None"]


@dataclass(frozen=True)
class _Judge:
    """Values positions by an engine; where it cannot, a message and the end."""

    name: str
    level: LevelName
    met: str | None

    def value(self, position: Position, made: Board | CubeAction | None = None) -> Evaluation:
        """What a position is worth."""
        from bgtools.analysis import evaluate

        with _or_end():
            return evaluate(position, self._engine, made=made)

    def judge(self, match: Match, games: Sequence[GameReplay], turn: Turn) -> _Judged:
        """What the decisions of an entry cost, and why; and what was done in the last."""
        from bgtools.analysis import judge_entry

        game = next(game for game in games if any(each is turn for each in game.turns))
        with _or_end():
            return judge_entry(match, self._engine, game, turn.index, games=games)

    @cached_property
    def _engine(self) -> Engine:
        from bgtools.analysis import start

        # What a turn asks twice, for its list and for its loss, is searched once.
        engine = start(self.name, self.level, self.met, store=_common.store())
        if engine is None:
            raise ValueError("only an engine can value a position: name one, such as sage or gnubg:2")
        return engine


@contextmanager
def _or_end() -> Iterator[None]:
    """Print why something cannot be valued, and end."""
    from bgtools.engines import EngineUnavailable
    from bgtools.met import MetError

    try:
        yield
    except (ValueError, EngineUnavailable, MetError) as error:
        _common.complain(str(error))
        raise typer.Exit(2) from None


def _read(path: str) -> tuple[Match, ...] | Position:
    """The matches in a file, or the position, where it holds nothing else."""
    from bgtools.formats import FormatError, load, read_source
    from bgtools.positions import IdError, decode_id
    from bgtools.source import decode

    data, name = load(path)
    try:
        return read_source(data, name)
    except FormatError:
        with suppress(IdError):
            return decode_id(decode(data[:_LONGEST_POSITION], name).text)
        raise


_LONGEST_POSITION = 10_000
"""Bytes of a file that may hold a position and nothing else."""


def _tell(
    situation: Position,
    how: _How,
    said: Sequence[str] = (),
    judged: _Judged = ((), None),
    plays: tuple[str, str] = ("", ""),
    **more: object,
) -> None:
    """Show a position, what is ``said`` of it, its value and what was ``judged``; ``more`` belongs into JSON.

    ``plays`` are the one that was made and the best one by the record.
    """
    from bgtools.reports import evaluation_data, evaluation_lines, lesson_data, lesson_lines

    rows, made = judged
    valued = None if how.judge is None else how.judge.value(situation, made)
    if how.pictures is not None:
        played, best = plays
        if valued is not None and valued.plays:
            best = str(valued.plays[0].play)
        how.pictures.add(situation, played, best)
    elif how.layout == "json":
        if valued is not None:
            more |= {"evaluation": evaluation_data(valued)}
        if rows:
            more |= {"decisions": lesson_data(rows)}
        _print_json(situation, **more)
    else:
        _print_board(situation, how.board)
        for line in (*said, *(() if valued is None else evaluation_lines(valued)), *lesson_lines(rows)):
            _terminal.say(line)
        _print_ids(situation, every=how.ids)


def _is_there(what: str) -> bool:
    """Whether a path leads to something to read: a file, one in an archive, a pipe, or a folder, which is refused."""
    path = Path(what)
    try:
        return what != "" and (path.exists() or any(each.is_file() for each in path.parents))
    except OSError:  # no file has a name of that length
        return False


def _reason(what: str, error: IdError) -> str:
    """Why a text is no position, in the words of the notation that it resembles."""
    from bgtools.positions import NOTATIONS, notation_of

    notation = notation_of(_unlabelled(what))
    if notation.name == "xgid":
        return str(error)
    # Nearly any text resembles a GNU ID; one that is far from it was meant as something else.
    if notation.name == "gnubg" and not _LIKE_A_GNU_ID.fullmatch(what):
        known = ", ".join(each.name for each in NOTATIONS)
        return f"there is no such file, nor is it a position in a notation that bgtools reads: {known}"
    return f"there is no such file, and as an ID: {error}"


_LIKE_A_GNU_ID = re.compile(r"[A-Za-z0-9+/]{12,16}(:.*)?|.*\bID\b.*|[^:]*:[A-Za-z0-9+/]{10,14}")


def _unlabelled(text: str) -> str:
    """An ID without the word that `_print` puts before one that does not name itself."""
    return next((text.removeprefix(each) for each in _LABELS.values() if text.startswith(each)), text)


def _show_turn(
    match: Match,
    wanted: _Wanted,
    how: _How,
) -> None:
    from bgtools.formats import encode
    from bgtools.record import SetBoard
    from bgtools.replayer import replay
    from bgtools.reports import recorded_lines, situation_of

    replays = replay(match)
    beside: list[str] = []
    if wanted.line is None:
        game, entry = _chosen(replays, wanted.game, wanted.turn, wanted.entry)
    else:
        game, entry, beside = _in_line(match, replays, *wanted.line)
    at = game.turns[entry - 1]
    decided = at
    if isinstance(at.entry, SetBoard) and entry < len(game.turns):
        # The decision to show is the next entry.
        decided = game.turns[entry]
    situation = situation_of(match, game, entry - 1)
    said = said_of(match, at)
    annotation = at.entry.annotation or decided.entry.annotation
    same = [each for each in game.turns if each.number == at.number and each is not at]
    lines = [said, *(f"  in the same turn, entry {each.index + 1}: {said_of(match, each)}" for each in same)]
    lines += beside
    lines += recorded_lines(annotation) if annotation is not None else ()
    facts = {"game": game.game.number, "turn": at.number, "entry_number": entry, "entry": said}
    judged: _Judged = ((), None) if how.judge is None else how.judge.judge(match, replays, decided)
    plays = (_played(decided), _best(annotation))
    _tell(situation, how, lines, judged, plays, **facts, analysis=encode(annotation))


def _played(turn: Turn) -> str:
    """The play of an entry; empty for another one."""
    from bgtools.record import CheckerPlay

    if not isinstance(turn.entry, CheckerPlay):
        return ""
    return str(turn.entry.text) if turn.play is None else str(turn.play)


def _best(annotation: Annotation | None) -> str:
    """The best play by the record's analysis; empty where it names none."""
    if annotation is None or annotation.plays is None or not annotation.plays.candidates:
        return ""
    return " ".join(map(str, annotation.plays.candidates[0].hops))


def _chosen(
    replays: Sequence[GameReplay], number: int | None, turn: int | None, entry: int | None
) -> tuple[GameReplay, int]:
    """The game that is asked for and the number of the entry in it; where there is none, a message and the end."""
    if not replays:
        _common.complain("no game was found in the record")
        raise typer.Exit(2)
    game = replays[0] if number is None else next((each for each in replays if each.game.number == number), None)
    if game is None:
        numbers = [each.game.number for each in replays]
        _common.complain(f"the record has no game {number}; it has {_ranges(numbers)}")
        raise typer.Exit(2)
    return game, _entry_of(game, turn, entry)


def _entry_of(game: GameReplay, turn: int | None, entry: int | None) -> int:
    """The number of the entry that is asked for, by itself or by its turn; the first unless told."""
    which = "the game" if game.game.number is None else f"game {game.game.number}"
    if turn is not None:
        # The roll is what a turn is about; where the game ended before it, the last cube action is.
        entry = max((each.index + 1 for each in game.turns if each.number == turn), default=None)
        if entry is None:
            last = game.turns[-1].number if game.turns else 0
            _common.complain(f"{which} has {last} turns")
            raise typer.Exit(2)
    entry = entry or 1
    if entry > len(game.turns):
        _common.complain(f"{which} has {len(game.turns)} entries, rolls and cube actions counted one by one")
        raise typer.Exit(2)
    return entry


def _in_line(
    match: Match, replays: Sequence[GameReplay], line: int, column: int | None
) -> tuple[GameReplay, int, list[str]]:
    """The game and number of the entry in a line of the file, and what else stands there, a line each."""
    from bgtools.record import NOWHERE

    source = match.source
    there = [] if source is None else [
        (source.place(turn.entry.span.start), game, turn)
        for game in replays
        for turn in game.turns
        if turn.entry.span != NOWHERE
    ]  # fmt: skip
    found = [each for each in there if each[0].line == line]
    if not found:
        lines = sorted({each[0].line for each in there}, key=lambda each: (abs(each - line), each))
        nearest = f"; the nearest that does is line {lines[0]}" if lines else ""
        _common.complain(f"line {line} holds no roll and no cube action{nearest}")
        raise typer.Exit(2)
    # A column is in the entry that begins last before it.
    before = [each for each in found if column is not None and each[0].column <= column]
    chosen = before[-1] if before else found[0]
    beside = [
        f"  in the same line, column {place.column}: {said_of(match, turn)}"
        for place, _, turn in found
        if turn is not chosen[2]
    ]
    _, game, turn = chosen
    return game, turn.index + 1, beside


def _ranges(numbers: list[int | None]) -> str:
    known = [number for number in numbers if number is not None]
    if not known:
        return "games without numbers"
    return f"game {known[0]}" if len(known) == 1 else f"games {known[0]} to {known[-1]}"


def _print_board(situation: Position, board: str) -> None:
    from bgtools.positions import PICTURE_STYLES, IdError, encode_picture

    style = next((each for each in PICTURE_STYLES if each == board), None)
    if style is None:
        picture = situation.text(_terminal.width())
    else:
        try:
            picture = encode_picture(situation, style)
        except IdError as error:
            _common.complain(str(error))
            raise typer.Exit(2) from None
    _terminal.say(picture)


def _print_ids(situation: Position, *, every: bool) -> None:
    """Print the position as eXtreme Gammon and GNU Backgammon write it, or in every notation."""
    ids = _ids(situation)
    if not every:
        ids = {name: ids[name] for name in ("xgid", "gnubg")}
    for name in ("xgid", "gnubg", *(name for name in ids if name not in ("xgid", "gnubg"))):
        if (text := ids[name]) is None:
            continue
        if name == "gnubg":
            position, _, match = text.partition(":")
            _terminal.say(f"Position ID: {position}   Match ID: {match}")
        else:
            _terminal.say(_LABELS.get(name, "") + text)


_LABELS = {"ogid": "OGID=", "snowie": "Snowie ", "list": "list "}
"""What stands before an ID that does not name itself."""


def _ids(situation: Position) -> dict[str, str | None]:
    """The position in every notation; None for a notation that cannot express it."""
    from bgtools.positions import NOTATIONS, IdError

    found: dict[str, str | None] = {}
    for notation in NOTATIONS:
        try:
            found[notation.name] = notation.encode(situation)
        except IdError:
            found[notation.name] = None
    return found


def _print_json(situation: Position, **more: object) -> None:
    from bgtools.positions import to_signed

    ids = _ids(situation)
    gnubg_position_id, _, gnubg_match_id = (ids.pop("gnubg") or "").partition(":")
    state = situation.state
    data = {
        "xgid": ids.pop("xgid"),
        "gnubg_position_id": gnubg_position_id or None,
        "gnubg_match_id": gnubg_match_id or None,
        **{name.replace("-", "_"): text for name, text in ids.items() if name != "list"},
        "board": list(to_signed(situation.board)),
        "pips": list(situation.board.pips),
        "dice": situation.dice and list(situation.dice),
        "match_length": state.length,
        "score": list(state.score),
        "crawford": state.crawford,
        "cube": {"value": state.cube.value, "owner": state.cube.owner},
        "offer": situation.offer or None,
        "resigned": situation.resigned,
        "names": list(situation.names) if any(situation.names) else None,
        **more,
    }
    _terminal.say(_terminal.as_json(data))
