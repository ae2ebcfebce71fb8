"""The report as Markdown, for a forum."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from bgtools import read
from bgtools.analysis.comparison import compare
from bgtools.analysis.match_analysis import analyse
from bgtools.checks.checking import check
from bgtools.replayer.match import replay
from bgtools.reports.markdown import markdown_of
from bgtools.reports.match_report import write_report
from fixed_engine import FixedEngine
from program import SOUND, bgtools
from support import read_text
from varied_engine import Varied

if TYPE_CHECKING:
    from bgtools.analysis.totals import Analysis
    from bgtools.record.record import Match

ROOT = Path(__file__).parents[2]
NASTY = "[x](y)|`a`*b* <i> & ~z~ _u_ $1$"


def analysed(match: Match) -> Analysis:
    return analyse(match, Varied(0.1, 0.2))


def rendered(text: str) -> str:
    return str(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text))


def test_the_report_tells_the_ratings_the_games_and_the_worst_decisions(tmp_path: Path) -> None:
    match = read(ROOT / "samples" / "seven-point.mat")
    analysis = analysed(match)
    files = write_report(analysis, check(match, replay(match)), match.source, tmp_path / "r", match=match, page="md")
    text = (tmp_path / "r" / "report.md").read_text(encoding="utf-8")
    assert "report.html" not in files
    assert text.startswith("# Nora Lindholm - Peter Marsh ")
    for picture in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text):
        assert picture in files
        assert (tmp_path / "r" / picture).read_bytes().startswith(b"\x89PNG")
    assert {"error-1.png", "error-5.png", "luck.png", "errors.png", "pips.png"} <= set(files)
    worst = json.loads((tmp_path / "r" / "report.json").read_text(encoding="utf-8"))["errors"][:5]
    assert re.findall(r"`(XGID=[^`]+)`", text) == [each["xgid"] for each in worst]
    page = rendered(text)
    assert page.count("<table>") == 2 + 5
    assert page.count("<h3>") == 5
    rows = [row.count("<td") for row in re.findall("<tr>(.*?)</tr>", page, re.DOTALL) if "<td" in row]
    assert set(rows) == {3, 7}


@pytest.mark.parametrize("name", [NASTY, "<script>alert(1)</script>", "\\", "#", "日本 ا", "\x1b[31m\n\n# x"])
def test_a_name_shows_as_it_is(name: str) -> None:
    match = read_text(SOUND)
    analysis = analysed(match)
    totals = replace(analysis.match, players=(name, "Bob"))
    rows = tuple(replace(row, name=name) for row in analysis.decisions)
    page = rendered(markdown_of(replace(analysis, match=totals, decisions=rows)))
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in name)
    escaped = shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert f"<h1>{escaped} - Bob " in page
    assert f">{escaped}</th>" in page
    assert page.count("<h1>") == 1
    assert "<script" not in page
    assert "<a " not in page


def test_what_several_engines_say_stands_below_each_other() -> None:
    match = read(ROOT / "samples" / "one-point.mat")
    analyses = [analysed(match), analyse(match, FixedEngine())]
    made = markdown_of(analyses[0], match, (), compare(("sage", "a|b"), analyses, 0.02))
    assert re.findall("^## .*", made, re.MULTILINE)[:2] == [
        "## Strength and luck by sage",
        r"## Strength and luck by a\|b",
    ]
    page = rendered(made)
    assert "XG PR a|b</th>" in page
    assert page.count("<p>sage: fixed 1.0, level quick") == page.count("<p>a|b: fixed 1.0, level quick") == 1
    (games,) = re.findall(r"<h2>Games</h2>\s*<table>(.*?)</table>", page, re.DOTALL)
    rows = [row.count("<t") for row in re.findall(r"<tr>(.*?)</tr>", games, re.DOTALL)]
    assert set(rows) == {7}


def test_what_a_record_cannot_say_is_left_out() -> None:
    for text in (SOUND, SOUND.replace("8/5 6/5", "????"), SOUND.replace(" 3 point match", " 0 point match")):
        match = read_text(text)
        made = markdown_of(analyse(match), match, check(match, replay(match)))
        assert "Strength" not in made
        assert "![" not in made
        assert "## Games" in made
    nothing = read_text('; [Event "- 1. a list"]\n' + SOUND.lstrip("\n"))
    assert "<li>" not in rendered(markdown_of(analyse(nothing), nothing))


def test_the_command_writes_it_in_the_place_of_the_page(tmp_path: Path) -> None:
    record, folder = tmp_path / "m.mat", tmp_path / "r"
    record.write_text(SOUND)
    bgtools("report", str(record), "--engine", "none", "-o", str(folder))
    done = bgtools("report", str(record), "--engine", "none", "--format", "md", "-o", str(folder))
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith("report.md")
    assert (folder / "report.md").exists()
    assert not (folder / "report.html").exists()
    bgtools("report", str(record), "--engine", "none", "--format", "md", "--no-page", "-o", str(folder))
    assert not (folder / "report.md").exists()
