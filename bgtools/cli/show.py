"""``bgtools show``: a board from a record or an ID, and the same in every other notation."""

from __future__ import annotations

import re
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from bgtools._disk import is_file, may_exist, save
from bgtools.cli import _common, _completion, _terminal
from bgtools.cli._grids import GridRequest, require_grid, say_grid
from bgtools.cli._pictures import MOST, Pictures, theme_of
from bgtools.cli._position_lists import (
    chosen_entry,
    entry_in_line,
    print_board,
    print_ids,
    print_json,
    unlabelled,
    why_no_position,
)
from bgtools.cli._signing import KeysOption, OriginalOption, keys_in_files, knowing, originals, with_changes_told
from bgtools.drawing.board import Viewpoint
from bgtools.findings import codes
from bgtools.findings.finding import printable
from bgtools.reports.decision_text import entry_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.analysis.evaluation import Evaluation
    from bgtools.analysis.rows import DecisionRow
    from bgtools.analysis.score_grid import ScoreGrid
    from bgtools.board.board import Board
    from bgtools.engines.protocol import Engine, LevelName
    from bgtools.formats.ogxm.signatures import SigningKey
    from bgtools.positions.position import Position
    from bgtools.record.annotation import Annotation
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay, Turn


def show_command(
    whats: Annotated[
        list[str], typer.Argument(help="A record, or a position in any notation; several with -o.", metavar="FILE|ID…")
    ],
    game: Annotated[
        int | None, typer.Option("--game", "-g", min=1, help="Number of the game; the first one by default.")
    ] = None,
    row: Annotated[
        str | None,
        typer.Option(
            "--row",
            "-t",
            help="The row of the game, as the file and all reports number it; of its two cells the first, unless the "
            "column is told.",
            metavar="ROW[:COLUMN]",
            show_default=False,
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
            help="What is in this line of the file, as bgtools check counts them; of two the first, unless the "
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
        typer.Option(
            help='Say whether this play is legal, and if not, why: "13/7 8/5". A picture gets its arrows.',
            show_default=False,
        ),
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
    scores: Annotated[
        bool, typer.Option("--scores", help="What is right at every score, and for money; -o draws it as a picture.")
    ] = False,
    to: Annotated[
        int | None,
        typer.Option(help="How many points away the scores go; 7 by default.", metavar="POINTS", show_default=False),
    ] = None,
    cubes: Annotated[
        bool, typer.Option("--cubes", help="What is right with the cube at every place; -o draws it as a picture.")
    ] = False,
    edit: Annotated[
        bool, typer.Option("--edit", help="Write a page to set the position up by hand; -o names it, else edit.html.")
    ] = False,
    keys: KeysOption = None,
    original: OriginalOption = None,
) -> None:
    """Draw a board: of a turn in a record, or of an ID; on the terminal or as a picture.

    "bgtools show match.mat --game 2 --row 9" draws the board of the ninth row of the second
    game, with the analysis that the record holds of it, and names what else stands in that row;
    "--row 9:2" shows its right cell; "--line 38" what is in that line of the file;
    "bgtools show XGID=…" and "bgtools show
    4HPwATDgc/ABMA:cAkAAAAAAAAA" that of an ID: an XGID, a GNU ID, an OGID, a FIBS board, a Snowie
    position, 26 numbers. A file may also hold an ID or a drawn board. With --engine it is valued: every
    play of its roll, the best first, or what to do with the cube; of a turn in a record also what the decision cost
    and why, and its themes. With --play it is said whether that play is legal, and if not, why, and which
    plays are; the exit status is 1 then. With -o it is a picture: a full arrow for each checker of the play that was
    made, a dashed one for the best play, as far as the record, the engine or --play and --best tell them.
    With --scores a grid says what is right at every score, with --cubes with the cube at every place: "bgtools show
    match.mat -g 2 -t 9 --scores". With --edit a page is written on which checkers, cube, score and roll can be changed,
    and which gives the XGID of what comes of it.
    Of a record that is signed it is said by whom, and whether it has changed since; see "bgtools check --help".
    """
    grid = require_grid(scores=scores, cubes=cubes, to=to)
    if engine is None and grid is not None:
        engine = "sage"
    judge = None if engine is None else _Judge(engine, level, met)
    pictures = None
    page = _page_to_edit(output, whats, force=force) if edit else None
    if page is not None:
        output = None
    elif output is not None or layout == "svg":
        pictures = Pictures(output, theme_of(theme), Viewpoint(flip, home), size, play, best, caption, force)
    elif len(whats) > 1:
        _common.fail(f"{whats[1]}: several boards at once need a file with -o, such as -o boards.pdf")
    signing = _Signing(keys_in_files(keys or ()), originals(original or ()))
    how = _Output(layout, board, judge, pictures, ids, play, signing, grid, page)
    legal = [_show(what, _Request(game, row, entry, line, match_number), how) for what in whats]
    if pictures is not None:
        pictures.write()
    elif not all(legal):
        raise typer.Exit(1)


class _Output(NamedTuple):
    """How a board is shown: printed in a layout, with an engine's values, drawn as a picture, or put on a page."""

    layout: str
    board: str
    judge: _Judge | None
    pictures: Pictures | None
    ids: bool
    play: str
    signing: _Signing
    grid: GridRequest | None = None
    page: Path | None = None


def _page_to_edit(output: Path | None, whats: Sequence[str], *, force: bool) -> Path:
    """The file of the page on which a position is edited; ends the command where it cannot be written."""
    page = output or Path("edit.html")
    if page.suffix.lower() not in (".html", ".htm"):
        _common.fail(f"{page}: a page to edit a position is an .html file")
    if len(whats) > 1:
        _common.fail(f"{whats[1]}: a page edits one position")
    _common.exit_if_exists(page, force=force)
    return page


class _Signing(NamedTuple):
    """The keys that have signed records, and matches as they were when they were signed."""

    keys: tuple[SigningKey, ...]
    originals: tuple[Match, ...]


class _Request(NamedTuple):
    """What of a record is asked for, as the options say it."""

    game: int | None
    row: str | None
    entry: int | None
    line: str | None
    match_number: int


def _show(what: str, asked: _Request, how: _Output) -> bool:
    """Show one record or position; whether the play that was asked for is legal there, if one was."""
    game, row, entry, line, match_number = asked
    if what == "-" or _is_there(what):
        matches = _common.read_or_report(what, lambda: _read(what, how.signing.keys))
        if matches is None:
            raise typer.Exit(2)
        if not isinstance(matches, tuple):
            return _tell(matches, how)
        if match_number > len(matches):
            held = "1 match" if len(matches) == 1 else f"{len(matches)} matches"
            _common.fail(f"{what}: it holds {held}")
        if sum(each is not None for each in (row, entry, line)) > 1 or (game is not None and line is not None):
            both = "--row and --entry both say" if line is None else "--line and --game, --row or --entry say"
            _common.fail(f"{both} what to show; give one of them")
        wanted = _EntryChoice(game, _parse_place("row", row), entry, _parse_place("line", line))
        return _show_turn(matches[match_number - 1], wanted, how)
    from bgtools.positions.notations import decode_id
    from bgtools.positions.position import IdError

    try:
        situation = decode_id(unlabelled(what))
    except IdError as error:
        _common.fail(f"{what}: {why_no_position(what, error)}")
    return _tell(situation, how)


class _EntryChoice(NamedTuple):
    """What of a record is to be shown; row and line each with a column, or with None for the first entry in it."""

    game: int | None
    row: tuple[int, int | None] | None
    entry: int | None
    line: tuple[int, int | None] | None


def _parse_place(what: str, text: str | None) -> tuple[int, int | None] | None:
    if text is None:
        return None
    said = re.fullmatch(r"0*([1-9]\d{0,8})(?::0*([1-9]\d{0,8}))?", text.strip(), re.ASCII)
    if said is None:
        _common.fail(f"--{what} takes a {what}, or {what} and column, as in 38 or 38:2; not {text!r}")
    return int(said[1]), int(said[2]) if said[2] else None


_Judged = tuple[tuple["DecisionRow", ...], "Board | None"]


@dataclass(frozen=True)
class _Judge:
    """Values positions by an engine; ends the command with a message where the engine cannot."""

    name: str
    level: LevelName
    met: str | None

    def value(self, position: Position, made: Board | None = None) -> Evaluation:
        """What a position is worth."""
        from bgtools.analysis.evaluation import evaluate

        with _or_end():
            return evaluate(position, self._engine, made=made)

    def grids(self, request: GridRequest | None, situation: Position, rows: Sequence[DecisionRow]) -> list[ScoreGrid]:
        """The grids of a position: of the cube before a roll where an error was made with it, then of what is shown."""
        if request is None:
            return []
        missed = [row for row in rows if row.kind == "no double" and row.error]
        asked = [(replace(situation, dice=None), "No double")] * bool(missed and situation.dice)
        last = rows[-1] if rows else None
        asked.append((situation, last.played if last is not None and last.legal else ""))
        with _or_end():
            return [request.of(position, self._engine, made) for position, made in asked]

    def judge(self, match: Match, games: Sequence[GameReplay], turn: Turn) -> _Judged:
        """What the decisions of an entry cost, and why; and what was done in the last."""
        from bgtools.analysis.match_analysis import judge_entry

        game = next(game for game in games if any(each is turn for each in game.turns))
        with _or_end():
            return judge_entry(match, self._engine, game, turn.index, games=games)

    @cached_property
    def _engine(self) -> Engine:
        from bgtools.analysis.evaluation import start

        # The list of plays and the loss need the same search; with the store the engine does it once.
        engine = start(self.name, self.level, self.met, store=_common.store())
        if engine is None:
            raise ValueError("only an engine can value a position: name one, such as sage or gnubg:2")
        return engine


@contextmanager
def _or_end() -> Iterator[None]:
    """Print why something cannot be valued, and end."""
    from bgtools.engines.protocol import EngineUnavailable
    from bgtools.met.reading import MetError

    try:
        yield
    except (ValueError, EngineUnavailable, MetError) as error:
        _common.fail(str(error))


def _read(path: str, keys: Sequence[SigningKey]) -> tuple[Match, ...] | Position:
    """The matches in a file, or the position, where it holds nothing else."""
    from bgtools.checks.settings import SettingsError
    from bgtools.checks.settings_files import settings_for
    from bgtools.formats.content import FormatError
    from bgtools.formats.reading import load, read_source
    from bgtools.positions.notations import decode_id
    from bgtools.positions.position import IdError
    from bgtools.source import decode

    data, name = load(path)
    try:
        with knowing(keys, settings_for(path)):
            return read_source(data, name)
    except SettingsError as error:
        _common.fail(str(error))
    except FormatError:
        with suppress(IdError):
            return decode_id(decode(data[:_LONGEST_POSITION], name).text)
        raise


_LONGEST_POSITION = 10_000
"""Bytes of a file that may hold a position and nothing else."""


def _tell(
    situation: Position,
    how: _Output,
    lines: Sequence[str] = (),
    analysed: _Judged = ((), None),
    plays: tuple[str, str] = ("", ""),
    **more: object,
) -> bool:
    """Show a position, what is ``lines`` of it, its value and what was ``analysed``; ``more`` belongs into JSON.

    ``plays`` are the one that was made and the best one by the record.

    Returns:
        Whether the play that was asked for is legal; True where none was.
    """
    from bgtools.reports.decision_text import evaluation_data, evaluation_lines, lesson_data, lesson_lines

    if how.page is not None:
        from bgtools.reports.page.writing import editor_page

        with _common.exit_if_unwritable(how.page):
            save(editor_page(situation), how.page, force=True)
        _terminal.say(f"written to {printable(str(how.page))}")
        return True
    rows, made = analysed
    why, legal = ("", []) if not how.play or how.pictures is not None else _legality(situation, how.play)
    valued = None if how.judge is None else how.judge.value(situation, made)
    grids = [] if how.judge is None else how.judge.grids(how.grid, situation, rows)
    if how.pictures is not None:
        played, best = plays
        if valued is not None and valued.plays:
            best = str(valued.plays[0].play)
        if grids:
            from bgtools.reports.score_grids import grid_picture

            how.pictures.add_drawn(map(grid_picture, grids))
        else:
            how.pictures.add(situation, played, best)
    elif how.layout == "json":
        if valued is not None:
            more |= {"evaluation": evaluation_data(valued)}
        if rows:
            more |= {"decisions": lesson_data(rows)}
        if grids:
            from bgtools.reports.score_grids import grid_data

            more |= {"grids": list(map(grid_data, grids))}
        if how.play:
            more |= {"play": {"play": how.play, "legal": not why, "reason": why, "plays": legal}}
        print_json(situation, **more)
    else:
        print_board(situation, how.board)
        if how.play:
            lines = [*lines, why or f"{printable(how.play)} is legal", *([f"legal: {', '.join(legal)}"] if why else [])]
        for line in (*lines, *(() if valued is None else evaluation_lines(valued)), *lesson_lines(rows)):
            _terminal.say_wrapped(line, "    ")
        for grid in grids:
            say_grid(grid)
        print_ids(situation, every=how.ids)
    return not why


def _legality(position: Position, play: str) -> tuple[str, list[str]]:
    """Why a play is not legal, "" for a legal one; and the legal plays, where the dice are known."""
    try:
        position.play(play)
    except ValueError as error:
        why = str(error)
    else:
        return "", []
    try:
        plays = [str(each) or "Cannot Move" for each in position.legal_plays()]
    except ValueError:
        plays = []
    return f"{printable(play)} is not {'complete' if ' unplayed' in why else 'legal'}: {why}", plays


def _is_there(what: str) -> bool:
    """Whether a path leads to something to read: a file, one in an archive, a pipe, or a folder, which is refused."""
    return what != "" and (may_exist(what) or any(map(is_file, Path(what).parents)))


def _show_turn(match: Match, choice: _EntryChoice, how: _Output) -> bool:
    from bgtools.formats.shared.encoding import encode
    from bgtools.record.record import SetBoard, places_of_comments
    from bgtools.replayer.match import replay
    from bgtools.reports.decision_text import position_before, recorded_lines

    replays = replay(match)
    beside: list[str] = []
    if choice.line is None:
        game, entry = chosen_entry(match, replays, choice.game, choice.row, choice.entry)
    else:
        game, entry, beside = entry_in_line(match, replays, *choice.line)
    at = game.turns[entry - 1]
    decided = at
    if isinstance(at.entry, SetBoard) and entry < len(game.turns):
        # The decision in a position that is set is the next entry.
        decided = game.turns[entry]
    situation = position_before(match, game, entry - 1)
    said = entry_text(match, at)
    annotation = at.entry.annotation or decided.entry.annotation
    row = game.row_of(at)
    same = [each for each in game.turns_in(row) if each is not at]
    in_row = [f"  in the same row, entry {each.index + 1}: {entry_text(match, each)}" for each in same]
    lines = [said, *(beside or in_row)]
    ends = {each.index + 1 for each in (at, *same)}
    remarks = [
        each.text
        for each, place in zip(game.game.comments, places_of_comments(game.game), strict=True)
        if place in ends
    ]
    lines += [f"remark: {' '.join(each.split())}" for each in remarks]
    lines += recorded_lines(annotation) if annotation is not None else ()
    signatures = [
        found.message
        for found in with_changes_told(match, match.findings, how.signing.originals)
        if found.code in codes.SIGNATURES
    ]
    lines += signatures
    facts = {"game": game.game.number, "turn": at.number, "row": row, "entry_number": entry, "entry": said}
    judged: _Judged = ((), None) if how.judge is None else how.judge.judge(match, replays, decided)
    plays = (_played(decided), _best(annotation))
    return _tell(
        situation,
        how,
        lines,
        judged,
        plays,
        **facts,
        analysis=encode(annotation),
        remarks=remarks,
        signatures=signatures,
    )


def _played(turn: Turn) -> str:
    """The play of an entry; empty for another one."""
    from bgtools.record.record import CheckerPlay

    if not isinstance(turn.entry, CheckerPlay):
        return ""
    return str(turn.entry.text) if turn.play is None else str(turn.play)


def _best(annotation: Annotation | None) -> str:
    """The best play by the record's analysis; empty where it names none."""
    if annotation is None or annotation.plays is None or not annotation.plays.candidates:
        return ""
    return " ".join(map(str, annotation.plays.candidates[0].hops))
