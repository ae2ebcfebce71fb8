"""Evaluations, findings, games and turns as HTML: in a notebook, and the table of games on a page."""

from __future__ import annotations

from functools import singledispatch
from html import escape

from bgtools.analysis.evaluation import Evaluation
from bgtools.analysis.score_grid import ScoreGrid
from bgtools.drawing.shapes import LIGHT
from bgtools.drawing.svg import svg
from bgtools.findings.finding import Finding, printable
from bgtools.findings.quantities import CHANCE, EQUITY, LOSS
from bgtools.positions.position import picture_of
from bgtools.record.record import CheckerPlay, Game, Match
from bgtools.replayer.match import replay
from bgtools.replayer.turn import GameReplay, GameReplays, Turn
from bgtools.reports.document import DataTable, html_of as html_of_blocks, html_table
from bgtools.reports.score_grids import grid_blocks

_MOST = 10
"""Choices in the table of an evaluation."""


@singledispatch
def html_of(value: object) -> str:
    """A value as HTML, by its class."""
    return f"<p>{escape(printable(repr(value)))}</p>"


@html_of.register
def _turn(turn: Turn) -> str:
    """The board before an entry with the arrows of its play, and below it what the entry is."""
    board = svg(picture_of(turn.position, played=turn.play.hops if turn.play is not None else ()))
    is_roll = isinstance(turn.entry, CheckerPlay) and turn.entry.dice
    said = _written(turn) if is_roll else repr(turn).strip("<>")
    wrong = "<p>It is against the rules; bgtools.check says why.</p>" if turn.violations else ""
    return f"<figure>{board}<figcaption>{escape(printable(said))}</figcaption>{wrong}</figure>"


@html_of.register
def _evaluation(evaluation: Evaluation) -> str:
    """The board with the best play drawn, and a table of the choices."""
    best = evaluation.plays[0].play if evaluation.plays else None
    heads, rows = ("", "choice", "equity", "loss", "win", "gammon"), []
    for number, choice in enumerate(evaluation.choices[:_MOST], 1):
        percent = ["" if each is None else CHANCE.text(each) for each in (choice.win, choice.win_gammon)]
        rows.append(
            (f"{number}", printable(choice.action), EQUITY.text(choice.equity), LOSS.text(choice.loss), *percent)
        )
    left_out = len(evaluation.choices) - _MOST
    stamp = evaluation.stamp
    by = " ".join(filter(None, (stamp.engine, stamp.version, stamp.level, stamp.met)))
    notes = [f"Best: {evaluation.best_action}. {by}."] + [f"{left_out} more choices."] * (left_out > 0)
    notes += [evaluation.note] * bool(evaluation.note)
    board = svg(picture_of(evaluation.position, best=best.hops if best is not None else ()))
    table = html_table(DataTable("Choices", heads, rows, text_at=(0, 1)))
    return f"{board}{table}{''.join(f'<p>{escape(note)}</p>' for note in notes)}"


@html_of.register
def _grid(grid: ScoreGrid) -> str:
    """The picture of the grid, and in words which verdict holds where."""
    return html_of_blocks(grid_blocks(grid), LIGHT)


@html_of.register
def _finding(finding: Finding) -> str:
    """What is wrong, the line of the record that says it, and what proves it."""
    lines = ""
    if finding.source is not None and finding.location is not None:
        text = finding.source.text
        start = text.rfind("\n", 0, finding.span.start) + 1
        end = text.find("\n", finding.span.end)
        end = len(text) if end < 0 else end
        before, marked, after = (
            escape(printable(text[a:b]))
            for a, b in ((start, finding.span.start), (finding.span.start, finding.span.end), (finding.span.end, end))
        )
        lines = f"<pre>{before}<mark>{marked}</mark>{after}</pre>"
    facts = "".join(f"<li>{escape(printable(each))}</li>" for each in (*finding.facts, finding.hint) if each)
    return f"<p><b>{escape(str(finding))}</b></p>{lines}" + (f"<ul>{facts}</ul>" if facts else "")


@html_of.register
def _game(game: Game) -> str:
    """The entries of a game as the record writes them, a row per entry."""
    rows = []
    for number, entry in enumerate(game.entries, 1):
        said = str(entry.text) if isinstance(entry, CheckerPlay) else type(entry).__name__.lower()
        if isinstance(entry, CheckerPlay) and entry.dice:
            said = f"{entry.dice[0]}{entry.dice[1]}: {said}"
        rows.append((str(number), str(getattr(entry, "player", "")), printable(said)))
    return html_table(DataTable("Entries", ("entry", "player", "says"), rows, text_at=(2,)))


@html_of.register
def _match(match: Match) -> str:
    """A row per game: its number, the score before it, who won how many points, and how it ended."""
    names = [name or f"player {number}" for number, name in enumerate(match.players, 1)]
    length = f"{match.length} point{'' if match.length == 1 else 's'}" if match.length else "money"
    rows = [tuple(map(printable, _cells(game, names))) for game in replay(match)]
    table = DataTable("Games", ("game", "score", "winner", "points", "ending"), rows, text_at=(0, 1, 2, 4))
    return f"<p>{escape(printable(f'{names[0]} - {names[1]}, {length}'))}</p>{html_table(table)}"


@html_of.register
def _replays(games: GameReplays) -> str:
    """Replayed games, each folded to a line with its board at the end below it."""
    return "".join(map(_replay, games))


@html_of.register
def _replay(game: GameReplay) -> str:
    """A replayed game: a line that says how it ended, and below it, when it is opened, its turns and its last board."""
    number, score, winner, points, ending = _cells(game, ["player 0", "player 1"])
    won = f", {winner} wins {points}" if winner else ""
    rows = [
        (str(game.row_of(turn)), str(turn.player), printable(_written(turn)), *map(str, turn.before.pips),
         str(turn.state.cube.value), "" if not turn.violations else "against the rules")
        for turn in game.turns
    ]  # fmt: skip
    heads = ("row", "player", "roll and play", "pips", "opponent's pips", "cube", "")
    table = html_table(DataTable("Turns", heads, rows, text_at=(2, 6)))
    board = svg(picture_of(game.turns[-1].position)) if game.turns else ""
    title = escape(printable(f"Game {number} at {score}: {ending}{won}, {len(game.turns)} entries"))
    return f"<details><summary>{title}</summary>{board}{table}</details>"


def _written(turn: Turn) -> str:
    entry = turn.entry
    if isinstance(entry, CheckerPlay) and entry.dice:
        return f"{entry.dice[0]}{entry.dice[1]}: {turn.play if turn.play is not None else entry.text}"
    return type(entry).__name__


def _cells(game: GameReplay, names: list[str]) -> tuple[str, ...]:
    number = game.index + 1 if game.game.number is None else game.game.number
    crawford = " Crawford" if game.crawford else ""
    winner = "" if game.winner is None else names[game.winner]
    points = "" if game.points is None else str(game.points)
    return str(number), f"{game.score[0]}-{game.score[1]}{crawford}", winner, points, game.ending
