"""One fact, one statement: what texts, pages and files print is the column of a row, to the digits printed."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from bgtools import read, replay
from bgtools.analysis.match_analysis import analyse
from bgtools.findings.quantities import CHANCE, CHANCE_LUCK, EQUITY, LOSS, LOST, LUCK, PR, Quantity
from bgtools.reports import breakdown_tables, summary
from bgtools.reports.decision_text import errors_lines
from bgtools.reports.markdown import markdown_of
from bgtools.reports.match_report import report_data
from bgtools.reports.page.data import page_data
from chance_rows import ROOT
from varied_engine import Varied

if TYPE_CHECKING:
    from bgtools.analysis.totals import Analysis


@cache
def analysed(name: str) -> Analysis:
    return analyse(read(ROOT / "samples" / name), Varied(0.1, 0.2))


RECORDS = ("seven-point.mat", "money.mat")


class Facts:
    """What is printed, held against what it is printed of; a test that has compared too little fails."""

    def __init__(self) -> None:
        self.compared: Counter[str] = Counter()

    def text(self, what: str, text: str, quantity: Quantity, value: float | None) -> None:
        """A figure as it is printed: its value to the last digit that stands there."""
        self.compared[what] += 1
        known = re.fullmatch(r"([+-]?[\d.]+)%?", text.replace("\u2212", "-"))
        if value is None or not known:
            assert (value, text) in ((None, ""), (None, "-")), what
            return
        scale = 100 if quantity.form in ("share", "points", "signed points") else 1
        digits = len(known[1].partition(".")[2])
        told = -float(known[1]) if quantity.form == "lost" else float(known[1])
        assert told == pytest.approx(scale * value, abs=0.5001 * 10**-digits), what

    def same(self, what: str, one: object, two: object) -> None:
        """Two statements that have to be equal."""
        self.compared[what] += 1
        assert one == two, what


@pytest.mark.parametrize("name", RECORDS)
def test_a_page_prints_the_columns_of_its_rows(name: str) -> None:
    found, facts = analysed(name), Facts()
    data = page_data(found)
    turns = {(row.game, row.entry): row for row in found.turns}
    decisions = {(row.game, row.entry, row.kind): row for row in found.decisions}
    for game in data["games"]:
        for step in game["steps"]:
            turn = turns[game["game"], int(step["entry"].rstrip("ac"))]
            facts.same("row", step["row"], turn.row)
            if step["action"] == "roll":
                facts.text("luck", step["texts"]["luck"], LUCK, turn.luck)
                facts.text("luck as a chance", step["texts"]["luck_mwc"], CHANCE_LUCK, turn.luck_mwc)
                facts.same("mark", step["mark"], turn.mark)
            for player, text in enumerate(step["texts"]["chances"]):
                assert turn.chance_after is not None
                own = turn.chance_after if player == turn.player else 1 - turn.chance_after
                facts.text("chance after", text, CHANCE, own)
            for one in step["decisions"]:
                _compare_decision(facts, one, decisions[game["game"], turn.entry, one["kind"]])
    assert facts.compared["equity"] > 500
    assert facts.compared["luck"] > 80
    if found.match.length:
        assert facts.compared["chance after"] > 400
        assert facts.compared["chance of the play made"] > 200


def _compare_decision(facts: Facts, one: dict[str, Any], row: Any) -> None:
    if one["texts"]["loss"]:
        facts.text("loss", one["texts"]["loss"], LOSS, row.loss)
    for shown, choice in zip(one["choices"], row.choices, strict=True):
        facts.text("equity", shown["texts"]["equity"], EQUITY, choice.equity)
        facts.text("chance", shown["texts"]["chance"], CHANCE, choice.chance)
        if shown["texts"]["loss"]:
            facts.text("loss of a choice", shown["texts"]["loss"], LOSS, choice.loss)
        if shown["made"] and row.kind == "checker play" and row.chance is not None:
            facts.text("chance of the play made", shown["texts"]["chance"], CHANCE, row.chance)


@pytest.mark.parametrize("name", RECORDS)
def test_every_text_of_a_match_has_the_same_totals(name: str) -> None:
    found, facts = analysed(name), Facts()
    rows = {title.strip(): cells for title, cells in summary.totals_rows(found)}
    page = page_data(found)
    facts.same(
        "totals", page["totals"], [[title, *map(str.strip, cells)] for title, cells in summary.totals_rows(found)]
    )
    section = markdown_of(found).partition("## Strength and luck")[2].partition("## ")[0]
    lines = [_cells(line) for line in section.splitlines() if line.startswith("|")][2:]
    for line, (title, cells) in zip(lines, summary.totals_rows(found), strict=True):
        facts.same(f"Markdown: {title}", line[1:], [" ".join(cell.split()) for cell in cells])
    told = report_data(found, (), None)
    ratings = rows.get("XG PR, BMAB PR") or rows["XG PR"]
    for player in (0, 1):
        facts.text("PR", ratings[player].split()[0], PR, told["players"][player]["ratings"]["xg_pr"]["value"])
        own = [row for row in found.turns if row.player == player and row.luck is not None and row.in_game]
        jokers = f"{sum(row.mark == 'joker' for row in own)}, {sum(row.mark == 'anti-joker' for row in own)}"
        facts.same("jokers", rows["jokers, anti-jokers"][player], jokers)
        lost = sum(row.loss or 0 for row in found.decisions if row.player == player and row.kind == "checker play")
        facts.text("EMG lost", rows["checker play, EMG lost"][player], LOST, lost)
        facts.same("PR", page["strength"][player]["text"].partition(",")[0], f"PR {ratings[player].split()[0]}")
    if page["favoured"]:
        who, much, unit = page["luck"]
        net = found.players[0].luck_adjusted_result
        assert net is not None
        assert page["favoured"] in summary.sentence(found)
        assert (who, unit) == (int(net.net_luck < 0), net.unit)
        shown = re.search(r"by ([\d.]+) points", page["favoured"])
        assert shown is not None
        assert float(shown[1]) == pytest.approx(much * (100 if unit == "mwc" else 1), abs=0.0501)
    for dimension, value, both in breakdown_tables.breakdown_rows(found):
        cells = next(each for each in page["breakdown"] if each[:2] == [dimension, value])[2:]
        for row, shown_cells in zip(both, cells, strict=True):
            if row is not None:
                facts.text("break-down", shown_cells[1], LOST, row.loss)
    assert len([what for what in facts.compared if what.startswith("Markdown")]) > 10
    assert facts.compared["break-down"] > 10


def _cells(line: str) -> list[str]:
    """The cells of a line of a Markdown table, without the signs that keep them from being read as Markdown."""
    return [" ".join(re.sub(r"\\([^\w\s])", r"\1", cell).split()) for cell in line.strip("|").split(" | ")]


@pytest.mark.parametrize("name", RECORDS)
def test_a_decision_stands_in_one_row_everywhere(name: str) -> None:
    match, found = read(ROOT / "samples" / name), analysed(name)
    rows = {(game.index + 1, turn.index + 1): game.rows[turn.index] for game in replay(match) for turn in game.turns}
    assert {(row.game, row.entry): row.row for row in found.turns} == rows
    assert match.source is not None
    lines = match.source.text.splitlines()
    for (game, entry), number in rows.items():
        place = match.source.location(match.games[game - 1].entries[entry - 1].span.start)
        assert lines[place.line - 1].partition(")")[0].strip() == str(number)
    worst = [line for line in errors_lines(found) if line.startswith("  game ")]
    assert worst
    places = {(found.games[row.game - 1].number or row.game, row.row) for row in found.decisions if row.error}
    for line in worst:
        said = re.match(r"  game (\d+), row (\d+)[,:]", line)
        assert said is not None
        assert (int(said[1]), int(said[2])) in places
