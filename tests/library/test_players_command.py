"""The commands about players as people use them, and the page."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from dataclasses import replace
from html import unescape
from importlib.util import find_spec
from shutil import which
from typing import TYPE_CHECKING, Any

import analysed
import pytest
from analysed import PLAYED, Made, multiplied, put_judged
from records import put

from bgtools.drawing.shapes import Disc
from bgtools.library.library import Library
from bgtools.reports.careers.text import career_picture, meetings_table, trend_picture, versus_lines, versus_picture
from bgtools.site.alone import career_page, versus_page
from program import bgtools as run

if TYPE_CHECKING:
    from pathlib import Path

small = analysed.small
many = analysed.many

CHROMIUM = which("chromium") or which("chromium-browser") or which("google-chrome")
NASTY = '<script>alert("1")</script> & Söhne'


def ask(library: Library, *arguments: str) -> tuple[int, str, str]:
    done = run("library", *arguments, environment={"BGTOOLS_LIBRARY": library.location, "COLUMNS": "200"})
    return done.returncode, done.stdout, done.stderr


# --- lists and figures --------------------------------------------------------------------------


def test_players_are_listed_in_every_form(many: Library) -> None:
    code, out, err = ask(many, "players", "--limit", "3")
    assert (code, err) == (0, "and 7 more; --limit 0 lists all\n")
    lines = out.splitlines()
    assert lines[0].split()[:4] == ["player", "matches", "won", "lost"]
    assert lines[1].startswith("Zed ")
    assert len(lines) == 4
    summaries = many.players_table()
    text = ask(many, "players", "--format", "csv", "--limit", "0")[1]
    assert "\n\n" not in text
    rows = [*csv.DictReader(io.StringIO(text))]
    told = json.loads(ask(many, "players", "--format", "json", "--limit", "0")[1])
    assert told["left_out"] == 0
    for summary, row, data in zip(summaries, rows, told["players"], strict=True):
        assert row["name"] == data["name"] == summary.name
        assert int(row["matches"]) == data["matches"] == summary.matches
        assert float(row["pr"]) == pytest.approx(summary.pr.value, abs=1e-4)
        assert float(row["pr_high"]) == pytest.approx(data["pr"]["high"], abs=1e-4)
    assert ask(many, "players", "--sort", "name", "--min-matches", "60")[1].splitlines()[1].split() == lines[1].split()


@pytest.mark.thorough
def test_a_player_is_told_with_all_that_the_library_knows(many: Library) -> None:
    code, out, err = ask(many, "player", "zed", "--top", "2", "--most", "3")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    career = many.player("Zed", most=3, top=2)
    assert lines[0].startswith("Zed: 60 matches (")
    assert (
        lines[1]
        == f"PR {career.summary.pr.text(2)} over {career.summary.pr.counted:,} decisions of 60 analysed matches"
    )
    assert any(line.startswith("weakness: phase opening, PR ") for line in lines)
    assert not any(line.startswith("strength") for line in lines)
    assert sum(line.strip().startswith("bgtools show ") for line in lines) == 2
    assert f"corrected for {len(career.standings)} sorts (Holm)" in out
    told = json.loads(ask(many, "player", "Zed", "--format", "json", "--most", "3", "--top", "2")[1])
    assert told["summary"]["pr"]["value"] == pytest.approx(career.summary.pr.value)
    assert len(told["shares"]) == len(career.shares)
    assert next(each["value"] for each in told["standings"] if each["verdict"]) == "opening"
    assert [each["xgid"] for each in told["worst"]] == [each.row.xgid for each in career.worst]


@pytest.mark.quick(one_in=2)
@pytest.mark.parametrize("called", [1, 7])
def test_the_worst_decisions_lead_to_the_record(tmp_path: Path, called: int) -> None:
    """Also where a record begins with its seventh game."""
    match = PLAYED[0]
    match = replace(match, games=tuple(replace(game, number=called + at) for at, game in enumerate(match.games)))
    library = Library(tmp_path / "library")
    library.add([put_judged(tmp_path / "a.sgf", match)])
    assert f"a.sgf, game {called}, row " in ask(library, "player", "Ann", "--top", "1")[1]
    told = json.loads(ask(library, "player", "Ann", "--format", "json", "--top", "3")[1])
    assert len(told["worst"]) == 3
    for each in told["worst"]:
        program, *arguments = shlex.split(each["command"])
        assert program == "bgtools"
        assert f"--game {called} " in each["command"]
        shown = run(*arguments, "--format", "json")
        assert shown.returncode == 0, shown.stderr
        assert json.loads(shown.stdout)["xgid"].split(":")[0] == each["xgid"].split(":")[0]


def test_two_players_are_told(many: Library) -> None:
    code, out, err = ask(many, "versus", "Zed", "opponent 3", "--most", "2")
    versus = many.versus("Zed", "Opponent 3")
    assert code == 0
    assert out.splitlines()[0] == (
        f"Zed and Opponent 3: {versus.matches} matches, {versus.won[0]} won by Zed, {versus.won[1]} by Opponent 3"
    )
    assert len(out.split("\n\n")[1].splitlines()) == 3
    assert err == f"and {versus.matches - 2} earlier; --most 0 lists all\n"
    assert json.loads(ask(many, "versus", "Zed", "Opponent 3", "--format", "json")[1])["matches"] == versus.matches
    assert ask(many, "versus", "Zed", "Zed") == (2, "", "bgtools: 'Zed' and 'Zed' are one player, 'Zed'\n")


def test_who_played_better_is_told_where_the_matches_tell(small: Library, tmp_path: Path) -> None:
    for number, (worse, said) in enumerate(((1.0, "do not tell who plays better"), (6.0, "Ben played better"))):
        matches = [Made(("Abe", "Ben")[::way], worse=(worse, 1.0)[::way]) for way in (1, -1) * 8]  # type: ignore[arg-type]
        library = multiplied(small, tmp_path / str(number), matches)
        assert said in ask(library, "versus", "Abe", "Ben")[1]


@pytest.mark.thorough
def test_a_course_is_told(many: Library, small: Library) -> None:
    code, out, _ = ask(many, "trend", "Zed")
    trend = many.trend("Zed")
    assert code == 0
    assert len(out.splitlines()) == 1 + len(trend.points) + 2
    assert out.splitlines()[-1] == trend.sentence
    told = json.loads(ask(many, "trend", "Zed", "--rolling", "20", "--format", "json")[1])
    assert {each["matches"] for each in told["points"]} == {20}
    assert ask(small, "trend", "Cara")[1].splitlines()[-1] == "1 analysed match tells no day and is left out"


def test_without_analyses_no_sentence_speaks_of_them(tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    library.add(put(tmp_path / "in", 1, 2))
    lines = ask(library, "player", "Cara")[1].splitlines()
    assert lines[0].startswith("Cara: 2 matches (")
    assert lines[1] == "No analysed decision of theirs counts for a rating."
    assert not any(word in line for line in lines[1:] for word in ("PR", "field", "Judged"))
    assert ask(library, "trend", "Cara")[1] == "No analysed match tells its day.\n"
    page = career_page(library.player("Cara"), library.trend("Cara")).decode()
    body = page[page.index("<main") : page.index("</main>")]
    assert "<svg" not in body
    assert "PR" not in body
    assert "<code>bgtools library analyse</code>" in body
    for picture in (trend_picture(library.trend("Cara")), career_picture(library.player("Cara"))):
        assert "No analysed" in picture.description


# --- names --------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_names_are_said_suggested_and_taken_back(small: Library, tmp_path: Path) -> None:
    matches = [Made(("J. Smith", "Ann")), Made(("John Smith", "Ann")), Made(("Player 1", "Ann"))]
    library = multiplied(small, tmp_path / "library", matches)
    suggested = ask(library, "alias", "--suggest")[1].splitlines()
    assert len(suggested) == 1
    assert suggested[0].startswith("bgtools library alias 'J. Smith' 'John Smith'  # 1 and 1 matches: ")
    assert ask(library, "alias", "--list") == (0, "no name goes by another one\n", "")
    command = shlex.split(suggested[0].partition("  #")[0])[2:]
    assert ask(library, *command) == (0, "J. Smith goes by John Smith\n", "")
    assert ask(library, "alias", "--list")[1] == "J. Smith goes by John Smith\n"
    assert ask(library, "alias", "--suggest")[1] == "no two names look like one person's\n"
    assert ask(library, "player", "J. Smith")[1].splitlines()[1] == "in records also J. Smith"
    names = [line.split("  ")[0] for line in ask(library, "players")[1].splitlines()[1:]]
    assert names == ["Ann", "John Smith"]
    assert ask(library, "players", "--everybody")[1].count("Player 1") == 1
    assert ask(library, "alias", "--remove", "John Smith")[1] == "J. Smith no longer goes by John Smith\n"
    for arguments, said in (
        ((), "give names, names with --remove or --me, --from, --list, or --suggest"),
        (("--list", "Ann"), "give names"),
        (("Player 1", "Ann"), "'Player 1' is nobody's name"),
        (("--remove", "Ann"), "'Ann' is not an alias"),
    ):
        code, out, err = ask(library, "alias", *arguments)
        assert (code, out) == (2, "")
        assert said in err


def test_mistakes_are_told_in_a_line(many: Library, tmp_path: Path) -> None:
    there = tmp_path / "there.html"
    there.write_text("mine")
    for arguments, said in (
        (("player", "Zedd"), "no player is named Zedd; did you mean Zed?"),
        (("player", "Zed", "-o", str(there)), "exists; --force writes over it"),
        (("player", "Zed", "-o", "page.doc"), "the name of the file ends with one of .html, .svg, .png, .pdf"),
        (("trend", "Zed", "-o", "course.html"), "the name of the file ends with one of .svg, .png, .pdf"),
        (("trend", "Zed", "--rolling", "0"), "must be 1 or more"),
        (("versus", "Zed", "Nobody here"), "no player is named Nobody here"),
        (("players", "--library", str(tmp_path / "none")), "is not a library yet"),
    ):
        code, out, err = ask(many, *arguments)
        assert (code, out) == (2, ""), err
        assert said in " ".join(err.split())
    assert there.read_text() == "mine"


# --- the page and pictures ------------------------------------------------------------------------


@pytest.fixture
def nasty(small: Library, tmp_path: Path) -> Library:
    rest = [Made(("Ann", f"Ben {at}"), f"2024-{1 + at % 12:02}-01", f"Cup <{at}>") for at in range(20)]
    own = [Made((NASTY, f"Ben {at}"), f"2024-{1 + at % 12:02}-02", "A & B", (6.0, 1.0)) for at in range(20)]
    return multiplied(small, tmp_path / "nasty", [*rest, *own])


@pytest.fixture
def page(nasty: Library) -> str:
    return career_page(nasty.player(NASTY), nasty.trend(NASTY)).decode()


def test_a_page_is_one_file_that_runs_its_own_script_and_loads_nothing(page: str) -> None:
    assert page.count("<script>") == 1
    assert "default-src &#x27;none&#x27;; script-src &#x27;sha256-" in page
    assert not re.findall(r"(?:src|href)=\"(?!#)|url\(|@import", page)
    assert "&lt;script&gt;alert" in page
    titles = re.findall(r"<h2>(.*?)</h2>", page)
    assert titles[:5] == ["PR", "Matches", "Course", "Beside the field", "Their worst 10 decisions"]
    assert page.count("data-b=") == 10


@pytest.mark.thorough
def test_a_page_and_pictures_are_written(many: Library, tmp_path: Path) -> None:
    for command, ending, first in (
        ("player", ".html", b"<!doctype html>"), ("versus", ".pdf", b"%PDF"), ("trend", ".png", b"\x89PNG"),
    ):  # fmt: skip
        path = tmp_path / f"{command}{ending}"
        names = ("Zed", "Opponent 1") if command == "versus" else ("Zed",)
        assert ask(many, command, *names, "-o", str(path)) == (0, f"written to {path}\n", "")
        assert path.read_bytes().startswith(first)
    path.write_text("old")
    assert ask(many, "trend", "Zed", "-o", str(path), "--force")[0] == 0
    assert path.read_bytes().startswith(b"\x89PNG")


def test_a_page_of_two_players_tells_what_the_command_tells(nasty: Library) -> None:
    versus = nasty.versus(NASTY, "Ben 3")
    page = versus_page(versus).decode()
    body = page[page.index("<main") : page.index("</main>")]
    title, *lines = versus_lines(versus)
    shown = [unescape(each) for each in re.findall(r"<p(?: class=\"lede\")?>(.*?)</p>", body)]
    assert shown[: 1 + len(lines)] == [title.partition(": ")[2], *lines]
    assert unescape(re.findall(r"<h1>(.*?)</h1>", body)[0]) == f"{NASTY} and Ben 3"
    cells = [
        unescape(each)
        for each in re.findall(r"<t[hd](?! scope=\"col\")[^>]*>([^<]*)</t[hd]>", body.partition(">Matches<")[2])
    ]
    assert cells == [cell for row in meetings_table(versus)[1] for cell in row]
    discs = [each for each in versus_picture(versus).shapes if isinstance(each, Disc)]
    better = min((0, 1), key=lambda at: versus.pr[at].value or 0.0)
    assert discs[better].x < discs[1 - better].x


@pytest.mark.thorough
def test_a_picture_has_a_disc_a_point_and_says_the_same_in_words(many: Library) -> None:
    for window in (None, 10, 1):
        trend = many.trend("Zed", window=window)
        picture = trend_picture(trend)
        discs = [shape for shape in picture.shapes if isinstance(shape, Disc)]
        assert len(discs) == len(trend.points)
        assert [each.fill == "on_frame" for each in discs] == [each.pr.low is not None for each in trend.points]
        # The lower a rating, the lower its disc.
        heights = [each.y for each in discs]
        values = [each.pr.value or 0.0 for each in trend.points]
        assert sorted(range(len(values)), key=lambda at: (-values[at], at)) == sorted(
            range(len(values)), key=lambda at: (heights[at], at)
        )
        assert all(0 < each.y < picture.height and 0 < each.x < picture.width for each in discs)
        assert trend.sentence in picture.description


@pytest.mark.needs(CHROMIUM and find_spec("playwright") is not None, "Chromium")
def test_a_page_is_readable_everywhere(page: str, tmp_path: Path) -> None:
    """On a phone, in the dark, in print, and for those who do not see it."""
    from playwright.sync_api import sync_playwright

    file = tmp_path / "page.html"
    file.write_text(page, encoding="utf-8")
    with sync_playwright() as started:
        running = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for scheme, width in (("light", 1200), ("dark", 360)):
            context = running.new_context(viewport={"width": width, "height": 800})
            shown: Any = context.new_page()
            shown.emulate_media(color_scheme=scheme)
            said: list[str] = []
            shown.on("console", lambda message, heard=said: heard.append(message.text))
            shown.goto(file.as_uri())
            assert shown.evaluate("() => document.documentElement.scrollWidth") <= width
            assert _violations(shown) == []
            shown.emulate_media(media="print")
            assert shown.locator("main.site").is_visible()
            assert shown.locator(".shots li").count() == 10
            assert said == []
            context.close()
        running.close()


def _violations(shown: Any) -> list[Any]:
    if find_spec("axe_playwright_python") is None:
        return []
    from axe_playwright_python.sync_playwright import Axe

    return [
        (each["id"], [node["target"] for node in each["nodes"]][:3]) for each in Axe().run(shown).response["violations"]
    ]
