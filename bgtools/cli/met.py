"""``bgtools met``: what scores are worth, by a match equity table."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from bgtools.cli import _common, _completion, _terminal
from bgtools.findings.quantities import CHANCE, CHANCE_APART, GAMMON
from bgtools.reports.values import csv_text, values_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bgtools.met.table import MatchEquityTable
    from bgtools.rules.cube import MatchState


Layout = Literal["text", "json", "csv", "xml", "met"]
"""How a table is printed."""


When = Literal["crawford", "after"]
"""Which game a score with a player one away is meant to be."""


def met_command(
    table: Annotated[
        str | None,
        typer.Argument(
            help="Kazaross-XG2, a table that comes with GNU Backgammon, or a file (.xml, .met).",
            metavar="[NAME|FILE]",
            autocompletion=_completion.mets,
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", help="One score: points that the player and the other need.", metavar="OWN,OTHER"),
    ] = None,
    cube: Annotated[
        int | None, typer.Option("--cube", min=1, help="What the cube shows, with --at; by default 1.")
    ] = None,
    game: Annotated[
        When | None,
        typer.Option(
            "--game", help="Which game it is at one away, with --at: the Crawford game, as by default, or one after it."
        ),
    ] = None,
    layout: Annotated[
        Layout, typer.Option("--format", help="How to print it; xml and met are files for gnubg and XG.")
    ] = "text",
    everything: Annotated[bool, typer.Option("--list", help="List the tables that are known by name.")] = False,
) -> None:
    """Print a match equity table, or what one score is worth.

    Rows are the points that the player still needs, columns those of the other; figures are their
    chances to win the match, in percent as text and from 0 to 1 as data. With --at: the chances
    after every way the game can end, what a gammon is worth, and the take points. Exit status: 0 done,
    2 there is no such table or score.
    """
    from bgtools.met.finding import DEFAULT, find
    from bgtools.met.reading import MetError
    from bgtools.met.writing import as_met, as_xml

    if everything:
        if table is not None or at is not None:
            _common.fail("--list goes without a table and a score")
        _list(layout)
        return
    if at is None and (cube is not None or game is not None):
        _common.fail(f"{'--game' if cube is None else '--cube'} goes with a score, as in --at 1,5")
    try:
        met = find(table or DEFAULT)
    except MetError as error:
        _common.fail(str(error))
    if at is None:
        printed = {
            "text": _text,
            "json": lambda met: _terminal.as_json(values_of(met, _FIELDS)),
            "csv": _csv,
            "xml": as_xml,
            "met": as_met,
        }[layout](met)
    elif layout in ("xml", "met"):
        _common.fail(f"--format {layout} is for a whole table, not for one score")
    else:
        facts = _score(met, at, cube or 1, game or "crawford")
        if layout == "text":
            printed = _facts_text(facts)
        elif layout == "json":
            printed = json.dumps(facts, indent=2)
        else:
            printed = _as_csv([facts])
    (_terminal.say if layout == "text" else _terminal.put_data)(printed.rstrip("\n"))


def _list(layout: Layout) -> None:
    from bgtools.met.finding import DEFAULT, installed

    rows = [{"name": DEFAULT, "file": ""}]
    rows += [{"name": name, "file": str(path)} for name, path in installed().items()]
    if layout == "json":
        _terminal.say(json.dumps(rows, indent=2))
    elif layout == "csv":
        _terminal.put_data(_as_csv(rows).rstrip("\n"))
    elif layout == "text":
        for row in rows:
            _terminal.say(f"{row['name']:<20} {row['file'] or 'comes with bgtools'}")
    else:
        _common.fail(f"--format {layout} is for a table, not for a list of them")


# --- a whole table --------------------------------------------------------------------------


def _text(met: MatchEquityTable) -> str:
    """The table in percent, as many columns as there is room for; then the row after the Crawford game."""
    shown, width = met.size, _terminal.width()
    if width is not None:
        shown = min(shown, max((width - 5) // 6, 1))
    columns = range(1, shown + 1)
    lines = _terminal.wrapped(f"{met.name}: {met.title}" if met.title else met.name)
    lines += _terminal.wrapped(met.description)
    lines += ["", *_terminal.wrapped("Chances to win the match, in percent, of a player so many points away (rows)")]
    lines += [*_terminal.wrapped("against one so many away (columns); at 1 away, in the Crawford game"), ""]
    lines.append("     " + "".join(f"{other:>6}" for other in columns))
    lines += [_row(own, (met.equity((own, other)) for other in columns)) for own in range(1, met.size + 1)]
    after = met.post_crawford
    lines += [
        "",
        *_terminal.wrapped("After the Crawford game, of a player so many points away against one who is 1 away"),
        "",
    ]
    lines.append("     " + "".join(f"{own:>6}" for own in columns))
    lines.append(_row(1, after[:shown], label=""))
    if shown < met.size:
        told = f"up to {shown} of {met.size} away fit here; a wider terminal, or --format csv, has them all"
        lines += ["", *_terminal.wrapped(told)]
    notice = [each for line in met.notice.splitlines() for each in _terminal.wrapped(line) or [""]]
    return "\n".join([*lines, "", *notice])


_FIELDS: Final = "name title description notice digest size pre_crawford post_crawford"


def _row(own: int, chances: Iterable[float], label: str | None = None) -> str:
    return f"{own if label is None else label:>4} " + "".join(f"{CHANCE_APART.text(chance):>6}" for chance in chances)


def _csv(met: MatchEquityTable) -> str:
    """A row per score, with the notice before it as remarks (`pandas.read_csv(…, comment="#")` skips them)."""
    away = range(1, met.size + 1)
    after = range(2, len(met.post_crawford) + 1)
    scores: list[tuple[tuple[int, int], When]] = [((own, other), "crawford") for own in away for other in away]
    scores += [((own, 1), "after") for own in after]
    scores += [((1, other), "after") for other in after]
    heads = ("table", "game", "own_away", "other_away", "mwc")
    rows = [
        (met.name, _which(score, game), *score, met.equity(score, post_crawford=game == "after"))
        for score, game in scores
    ]
    remarks = "".join(f"# {line}".rstrip() + "\n" for line in met.notice.splitlines())
    return remarks + csv_text([heads, *rows])


def _which(away: tuple[int, int], game: When) -> str:
    """Which game a score is of, where it can be two: if just one player is one point away. Else ""."""
    return game if away.count(1) == 1 else ""


def _as_csv(rows: Sequence[Mapping[str, object]]) -> str:
    return csv_text([list(rows[0]), *(row.values() for row in rows)])


# --- one score ------------------------------------------------------------------------------


def _score(met: MatchEquityTable, at: str, cube: int, game: When) -> dict[str, Any]:
    from bgtools.met.finding import gammon_values, take_points

    said = re.fullmatch(r"\s*([1-9]\d?)\s*,\s*([1-9]\d?)\s*", at, re.ASCII)
    if said is None:
        _common.fail(f"--at takes the points that both need, as in 5,3; not {at!r}")
    own, other = int(said[1]), int(said[2])
    if cube & (cube - 1):
        _common.fail(f"--cube takes a power of two, not {cube}")
    state = _state((own, other), cube, game)
    try:
        chance = met.before(state)
        ends = met.outcomes(state)
        values = gammon_values(met, state)
        points = take_points(met, state)
    except ValueError as error:
        _common.fail(f"{met.name}: {error}")
    return {
        "table": met.name, "own_away": own, "other_away": other, "game": _which(state.away, game), "cube": cube,
        "mwc": chance,
        **ends._asdict(),
        "gammon_value": values[0], "other_gammon_value": values[1],
        "take_point_dead_cube": points.dead if points else None,
        "take_point_live_cube": points.live if points else None,
    }  # fmt: skip


def _state(away: tuple[int, int], cube: int, game: When) -> MatchState:
    """A match at this score, with the cube where the other player may turn it: a take point is about their double."""
    from bgtools.rules.cube import Cube, MatchState

    length = max(away)
    return MatchState(
        length,
        (length - away[0], length - away[1]),
        Cube(cube, "centre" if cube == 1 else "theirs"),
        crawford=_which(away, game) == "crawford",
    )


def _facts_text(facts: Mapping[str, Any]) -> str:
    which = {"crawford": ", the Crawford game", "after": ", after the Crawford game", "": ""}[facts["game"]]
    own, other = facts["own_away"], facts["other_away"]
    title = f"{own} away, {other} away{which}, cube at {facts['cube']}, by {facts['table']}"
    lines = [*_terminal.wrapped(title), ""]
    names = {
        "mwc": "chance to win the match before the game",
        "win": "after winning a single game",
        "win_gammon": "after winning a gammon",
        "win_backgammon": "after winning a backgammon",
        "lose": "after losing a single game",
        "lose_gammon": "after losing a gammon",
        "lose_backgammon": "after losing a backgammon",
    }
    for name, text in names.items():
        lines += _figure(text, CHANCE.text(facts[name], 3))
    lines += ["", *_figure("a gammon is worth to the player (wins)", GAMMON.text(facts["gammon_value"], 4))]
    lines += _figure("a gammon is worth to the other (wins)", GAMMON.text(facts["other_gammon_value"], 4))
    if facts["take_point_dead_cube"] is None:
        why = "the Crawford game" if facts["game"] == "crawford" else "the cube as it stands is all the other needs"
        lines += ["", *_terminal.wrapped(f"The player is not doubled: {why}.")]
    else:
        lines += ["", *_figure("take point, dead cube, no gammons", CHANCE.text(facts["take_point_dead_cube"], 3))]
        lines += _figure("take point, live cube, no gammons", CHANCE.text(facts["take_point_live_cube"], 3))
    return "\n".join(lines)


def _figure(text: str, figure: str) -> list[str]:
    """A figure after its title, or below it where the terminal has no room for both."""
    line, width = f"{text:<42} {figure:>8}", _terminal.width()
    return [line] if width is None or len(line) <= width else [*_terminal.wrapped(text), f"    {figure}"]
