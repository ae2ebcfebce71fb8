"""``bgtools library find``: positions by an ID, by what is like it, or by structure."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args

import typer

from bgtools.analysis.errors import LEAST_SHOWN
from bgtools.analysis.lessons.themes import THEMES
from bgtools.analysis.rows import Phase
from bgtools.cli import _common, _terminal
from bgtools.cli._decision_options import ReasonOption, themes_for
from bgtools.cli._engine_options import LevelOption
from bgtools.cli.library._common import (
    ForceOption,
    LibraryOption,
    away_of,
    dice_of,
    named,
    opened,
    range_of,
    refuse,
    written,
)
from bgtools.findings.finding import printable
from bgtools.findings.quantities import CHANCE, EQUITY, LOST
from bgtools.reports.decision_text import rollout_text
from bgtools.reports.findings import few
from bgtools.reports.sheets.writing import SHEET_ENDINGS
from bgtools.reports.values import values_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.analysis.evaluation import Evaluation
    from bgtools.engines.protocol import LevelName
    from bgtools.library.answers import Played
    from bgtools.library.library import Library
    from bgtools.library.results import Hit, SearchResult
    from bgtools.library.search import Search
    from bgtools.positions.position import Position

Layout = Literal["text", "boards", "json", "csv", "ids"]
_PHASES = tuple(each for each in get_args(Phase) if each)


def _range(text: str) -> Any:
    return typer.Option(help=text, metavar="A..B", show_default=False)


def _points(text: str) -> Any:
    return typer.Option(help=text, metavar="N", min=1, max=24, show_default=False)


def find_command(
    position: Annotated[
        str | None, typer.Argument(help="A position in any notation; - reads it from standard input.", metavar="ID")
    ] = None,
    library: LibraryOption = None,
    board: Annotated[bool, typer.Option("--board", help="The same board at any score and cube.")] = False,
    similar: Annotated[
        bool,
        typer.Option(
            "--similar",
            help="Positions like it, the most alike first, one per match: by points, blots, primes, race, cube and "
            "score; with its dice where it has some.",
        ),
    ] = False,
    within: Annotated[
        float | None,
        typer.Option(
            min=0, help="Of similar positions, how unlike at most; 1 is about a home point.", show_default=False
        ),
    ] = None,
    mirrored: Annotated[
        bool, typer.Option("--mirrored", help="Also with the other player on roll; such are told apart.")
    ] = False,
    player: Annotated[str, typer.Option("--player", "-p", help="Who is on roll.", metavar="NAME")] = "",
    opponent: Annotated[str, typer.Option(help="Whom they play.", metavar="NAME")] = "",
    on_bar: Annotated[
        list[str] | None, typer.Option(help="Who has a checker on the bar.", metavar="own|opponent", show_default=False)
    ] = None,
    prime: Annotated[str | None, _range("Points in a row that the player holds; a number is the least.")] = None,
    opponent_prime: Annotated[str | None, _range("Likewise for the opponent.")] = None,
    lead: Annotated[str | None, _range("Pips ahead before the roll, below 0 behind: 20..40, 20.., ..-30.")] = None,
    pips: Annotated[str | None, _range("The player's pip count.")] = None,
    opponent_pips: Annotated[str | None, _range("The opponent's pip count.")] = None,
    off: Annotated[str | None, _range("Checkers that the player has borne off.")] = None,
    opponent_off: Annotated[str | None, _range("Likewise for the opponent.")] = None,
    back: Annotated[str | None, _range("The player's checkers on the bar and in the opponent's home board.")] = None,
    point: Annotated[list[int] | None, _points("A point that the player holds; may be given more than once.")] = None,
    opponent_point: Annotated[
        list[int] | None, _points("A point that the opponent holds, counted from the player's side.")
    ] = None,
    blot: Annotated[list[int] | None, _points("A point where the player has a blot.")] = None,
    opponent_blot: Annotated[
        list[int] | None, _points("A point where the opponent has a blot, counted from the player's side.")
    ] = None,
    phase: Annotated[
        list[str] | None,
        typer.Option(help="Part of the game; of several one has to fit.", metavar="PHASE", show_default=False),
    ] = None,
    theme: Annotated[
        list[str] | None,
        typer.Option(
            help="What the decision is about, where it was analysed; of several one has to fit.",
            metavar="THEME",
            show_default=False,
        ),
    ] = None,
    reason: ReasonOption = None,
    cube: Annotated[
        Literal["centred", "own", "opponent's"] | None, typer.Option(help="Where the cube lies.", show_default=False)
    ] = None,
    cube_value: Annotated[int | None, typer.Option(help="What it shows.", min=1, show_default=False)] = None,
    score: Annotated[
        str | None,
        typer.Option(
            help="2-away,4-away: what the player and the opponent lack; dmp, money.",
            metavar="SCORE",
            show_default=False,
        ),
    ] = None,
    crawford: Annotated[
        bool | None, typer.Option("--crawford/--no-crawford", help="The Crawford game, or not.", show_default=False)
    ] = None,
    dice: Annotated[str | None, typer.Option(help="The roll, such as 64.", metavar="DICE", show_default=False)] = None,
    action: Annotated[
        Literal["roll", "double"] | None, typer.Option(help="Whether the player rolled or doubled.", show_default=False)
    ] = None,
    played: Annotated[
        str,
        typer.Option(
            help='The play, in any spelling, by which checkers it moves: "13/7 8/7". A star says that it hits there.',
            metavar="PLAY",
            show_default=False,
        ),
    ] = "",
    loss: Annotated[
        str | None, _range("What the decision lost, in EMG, where it was analysed: .05.. for .05 and more.")
    ] = None,
    where: Annotated[
        str,
        typer.Option(
            help='A condition of SQL on p (a row of positions) and m (one of matches): "m.length = 7 AND lead(p) > 9".',
            metavar="SQL",
            show_default=False,
        ),
    ] = "",
    per: Annotated[
        Literal["position", "game", "match"], typer.Option(help="List every position, one per game, or one per match.")
    ] = "game",
    by: Annotated[
        Literal["record", "loss"],
        typer.Option(help="List them as the records stand, or the costliest first, where analysed."),
    ] = "record",
    limit: Annotated[int, typer.Option(help="How many to list; 0 for all.", min=0)] = 20,
    layout: Annotated[
        Layout, typer.Option("--format", help="How to print them: lines, boards, JSON, CSV, or XGIDs.")
    ] = "text",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help=f"Write those that are listed as a sheet instead, by its ending: {', '.join(SHEET_ENDINGS)}.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option("--engine", help="Value the position itself beside it.", metavar="ENGINE", show_default=False),
    ] = None,
    level: LevelOption = "standard",
    quiz: Annotated[bool, typer.Option("--quiz", help="Ask those that are listed, where they were analysed.")] = False,
    force: ForceOption = False,
) -> None:
    """Find positions in a library, and how they were played.

    "bgtools library find XGID=…" finds a position again: its board, and score, cube and dice as far as the ID tells
    them; it says how it was played, how often, and what that lost where it was analysed. "bgtools library find
    --prime 5 --on-bar opponent --lead 20.. --cube centred" finds by structure; both can be joined. Everything is seen
    by the player on roll. --similar finds positions like it, and says how they were played, by what plays do ("make the
    5-point") and by play: how often, by you (see "library alias --me") and by all, and what it lost. A range is 20..40,
    20.. or ..40; a number alone is that number. Each hit is listed with the command that shows it in its record.
    Exit status: 0 found, 1 nothing like it, 2 it could not be asked.
    """
    refuse(output, SHEET_ENDINGS, force=force, what="a sheet")
    from bgtools.library.search import Search

    search = Search(
        position=sys.stdin.read() if position == "-" else position,
        how=_how(board=board, similar=similar),
        mirrored=mirrored,
        within=within,
        player=player,
        opponent=opponent,
        on_bar=named(on_bar, ("own", "opponent"), "--on-bar"),
        prime=range_of(prime, "--prime", least=True),
        opponent_prime=range_of(opponent_prime, "--opponent-prime", least=True),
        lead=range_of(lead, "--lead"),
        pips=range_of(pips, "--pips"),
        opponent_pips=range_of(opponent_pips, "--opponent-pips"),
        off=range_of(off, "--off"),
        opponent_off=range_of(opponent_off, "--opponent-off"),
        back=range_of(back, "--back"),
        points=tuple(point or ()),
        opponent_points=tuple(opponent_point or ()),
        blots=tuple(blot or ()),
        opponent_blots=tuple(opponent_blot or ()),
        phases=named(phase, _PHASES, "--phase"),
        themes=named(themes_for(reason, theme), [each.name for each in THEMES], "--theme"),
        cube=cube,
        cube_value=cube_value,
        away=away_of(score),
        crawford=crawford,
        dice=dice_of(dice),
        action=action or "",
        played=played,
        loss=range_of(loss, "--loss"),
        where=where,
        per=per,
        by=by,
    )
    with opened(library) as kept:
        found = kept.find(search, limit=limit or None)
        if output is not None:
            _write(found, output, force=force)
        elif quiz:
            from bgtools.cli.quiz import ask_all

            raise typer.Exit(ask_all([hit.blunder for hit in found.hits]) if found.hits else 1)
        else:
            value = None if engine is None or found.position is None else _value(found.position, engine, level)
            _print(found, search, layout, value)
            if not found.hits and (search.loss is not None or search.themes or search.by == "loss"):
                _tell_analysed(kept)
    raise typer.Exit(0 if found.hits else 1)


def _how(*, board: bool, similar: bool) -> Literal["exact", "board", "similar"]:
    """How near to a position others have to be."""
    if board and similar:
        raise typer.BadParameter("the same board, or similar ones", param_hint="--board and --similar")
    return "board" if board else "similar" if similar else "exact"


def _tell_analysed(kept: Library) -> None:
    """Say how much of a library can be asked for what decisions lost."""
    analysed = kept.sql("SELECT count(DISTINCT match) FROM analyses").fetchall()[0][0]
    _terminal.say(f"{analysed:,} of {kept.count:,} matches are analysed; others have no loss and no theme", err=True)


def _write(found: SearchResult, output: Path, *, force: bool) -> None:
    from bgtools.met.finding import default
    from bgtools.reports.sheets.writing import sheet_bytes

    if not found.hits:
        _terminal.say("nothing was found, and nothing written")
        return
    blunders = [hit.blunder for hit in found.hits]
    sheet = sheet_bytes(blunders, output.suffix.lower(), met=default(), beside=output.parent)
    written(sheet, output, force=force, about=f": {len(found.hits)} of {few(found.positions, 'position')}")


# --- printing -------------------------------------------------------------------------------


def _value(position: Position, engine: str, level: LevelName) -> Evaluation:
    """What an engine says of the position itself."""
    from bgtools.analysis.evaluation import evaluate
    from bgtools.engines.protocol import EngineUnavailable

    try:
        return evaluate(position, engine, level=level)
    except (ValueError, EngineUnavailable) as error:
        _common.fail(str(error))


def _value_lines(value: Evaluation) -> Iterator[str]:
    """What an engine says of the position, in a few lines."""
    yield f"{' '.join(filter(None, (value.stamp.engine, value.stamp.version, value.stamp.level)))}: {value.best_action}"
    for each in value.choices[:_CHOICES]:
        yield f"  {EQUITY.text(each.equity)}  {each.action}" + (f"  loses {LOST.text(each.loss)}" if each.loss else "")
    if value.note:
        yield f"  {value.note}"


_CHOICES: Final = 5


def _print(found: SearchResult, search: Search, layout: Layout, value: Evaluation | None) -> None:
    if layout == "json":
        _terminal.say(_terminal.as_json(_data(found, value)))
    elif layout == "csv":
        from bgtools.cli.library._output import print_rows

        rows = [_row(hit) for hit in found.hits]
        if rows:
            print_rows([*rows[0]], [[*row.values()] for row in rows], "csv")
    elif layout == "ids":
        for hit in found.hits:
            _terminal.say(hit.xgid)
    else:
        for line in _lines(found, search, value, boards=layout == "boards"):
            _terminal.say(line)


def _lines(found: SearchResult, search: Search, value: Evaluation | None, *, boards: bool) -> Iterator[str]:
    yield _summary(found, search)
    me = any(each.by_me for each in found.plays)
    if found.plays and search.how == "similar":
        yield ""
        yield f"How the nearest {few(found.alike, 'one')} were played, one per game:"
        yield from map(printable, _plays(found.answer.kinds, me=me))
    if found.plays:
        yield ""
        yield from map(printable, _plays(found.plays, me=me))
    if value is not None:
        yield ""
        yield from _value_lines(value)
    for number, hit in enumerate(found.hits):
        if boards or not number:
            yield ""
        if boards:
            yield from hit.position.text(_terminal.width()).splitlines()
        yield printable(_hit_line(hit))
        yield f"  {printable(hit.show)}"


def _summary(found: SearchResult, search: Search) -> str:
    if search.how == "similar":
        if not found.hits:
            return "no position is as near"
        near, far = found.hits[0].distance, found.hits[-1].distance
        return (
            f"the most alike of {few(found.matches, 'match', 'matches')}; unlike by {near} to {far} (1: a home point)"
        )
    if not found.positions:
        return "no position is like that"
    text = f"{few(found.positions, 'position')} in {few(found.matches, 'match', 'matches')}"
    if search.mirrored:
        text += f", {found.mirrored:,} of them with the other player on roll"
    if found.loss is not None:
        text += f"; lost on average {LOST.text(found.loss)}"
    if len(found.hits) < found.positions:
        each = {"position": "", "game": ", one per game", "match": ", one per match"}[search.per]
        text += f"; {len(found.hits):,} listed{each}"
    return text


def _plays(plays: Sequence[Played], *, me: bool) -> Iterator[str]:
    """How a position was played, in columns."""
    width = max(len(each.played) for each in plays)
    times = max(len(f"{each.times:,}") for each in plays)
    known = any(each.loss is not None for each in plays)
    before = None
    for each in plays:
        roll = each.dice or ("cube" if each.played in _CUBE else "")
        shown = roll if roll != before else ""
        before = roll
        line = f"{shown:<4}  {each.played:<{width}}  {each.times:>{times},}  {CHANCE.text(each.share):>6}"
        if me:
            line += f"  by me {each.by_me:>{times},}"
        if each.loss is not None:
            line += f"  loses {LOST.text(each.loss)}"
            if each.interval is not None:
                line += f" ({LOST.text(each.interval[0])} to {LOST.text(each.interval[1])})"
            line += f", best {each.best:,} of {each.judged:,}" if each.judged < each.times else f", best {each.best:,}"
        elif known:
            line += "  not analysed"
        yield line


_CUBE: Final = ("Double", "No double", "Take", "Pass", "Beaver")


def _hit_line(hit: Hit) -> str:
    """A hit in a line."""
    position = hit.position
    roll = "" if position.dice is None else f", {position.dice[0]}{position.dice[1]}"
    state = position.state
    score = "money" if state.is_money else f"{state.score[0]}-{state.score[1]} to {state.length}"
    text = f"{' against '.join(position.names)}, {score}{roll}: {hit.played}"
    if hit.verdict is not None and hit.loss is not None:
        kind = hit.verdict.key.kind
        about = f"{kind} " if kind != "checker play" and hit.action == "roll" else ""
        text += (
            f", {about}lost {LOST.text(hit.loss)} (best {hit.verdict.best})"
            if hit.loss >= LEAST_SHOWN
            else ", lost nothing"
        )
        text += rollout_text(hit.verdict)
    if hit.distance:
        text += f"; unlike by {hit.distance}"
    if hit.mirrored:
        text += "; the other player on roll"
    return text


def _data(found: SearchResult, value: Evaluation | None) -> dict[str, Any]:
    counts = values_of(found, "positions matches mirrored judged loss alike")
    data = {
        "position": None if found.position is None else found.position.id("xgid"),
        **counts,
        "plays": [_played(each) for each in found.answer.plays],
        "kinds": [_played(each) for each in found.answer.kinds],
        "hits": [_row(hit) for hit in found.hits],
    }
    if value is not None:
        choices = [{"play": each.action, "equity": each.equity, "loss": each.loss} for each in value.choices]
        data["engine"] = {**asdict(value.stamp), "best": value.best_action, "plays": choices}
    return data


def _played(each: Played) -> dict[str, Any]:
    return {"play": each.played, **values_of(each, "kind dice times by_me share judged best loss interval")}


def _row(hit: Hit) -> dict[str, Any]:
    row, (player, opponent) = hit.decision, hit.position.names
    return {
        "path": hit.path,
        "match": hit.number,
        **values_of(hit, "game turn row entry"),
        "player": player,
        "opponent": opponent,
        **values_of(hit, "xgid action played phase distance mirrored"),
        "kind": None if row is None else row.kind,
        "best": None if row is None else row.best,
        "loss": hit.loss,
        **values_of(row or hit.blunder.row, "verdict rollout_loss rollout_error"),
        "themes": None if row is None else ", ".join(row.themes),
        "record": str(hit.record),
        "show": hit.show,
    }
