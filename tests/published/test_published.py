"""A folder of records as a site: every link leads somewhere, nothing is made twice, no hidden name is left."""

from __future__ import annotations

import base64
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgtools.analysis.events import Result
from bgtools.site.hiding import hidden_names, without_words
from club import NAMES, heap, put, round_robin
from program import ROOT, SOUND, WRONG_DIE, bgtools

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def publish(folder: Path, output: Path, *more: str) -> tuple[int, str]:
    """Publish a folder by the analyses in its records; the exit status and what is said."""
    kept = {"BGTOOLS_CACHE": str(output.parent / "kept")}
    done = bgtools("report", str(folder), "-o", str(output), "--engine", "file", *more, environment=kept)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of a site with their content."""
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two events of analysed records, one of them at odds with the rules, one twice."""
    rng = random.Random(7)
    folder = tmp_path_factory.mktemp("season") / "season"
    put(folder / "Spring", round_robin(4, rng), event="Spring", has_analysis=True)
    put(folder / "Autumn", heap(2, rng), has_analysis=True, first=40)
    (folder / "Autumn" / "bad.mat").write_text(WRONG_DIE)
    shutil.copy(folder / "Spring" / "003.sgf", folder / "Autumn" / "again.sgf")
    (folder / "Autumn" / "broken.sgf").write_bytes(b"(;GM[6")
    return folder


@pytest.fixture(scope="module")
def site(season: Path) -> Path:
    output = season.parent / "site"
    status, said = publish(season, output)
    assert status == 1
    assert "broken.sgf" in said
    assert f"open {output / 'index.html'}" in said
    return output


def links(site: Path) -> Iterator[tuple[Path, str]]:
    """Every link of every page, and the page that it is on."""
    for page in site.rglob("*.html"):
        for found in re.findall(r'(?:href|src)="([^"]*)"', page.read_text(encoding="utf-8")):
            yield page, found


def test_every_link_leads_to_a_file_and_to_a_place_on_it(site: Path) -> None:
    count = 0
    for page, link in links(site):
        address, _, at = link.partition("#")
        goal = page if not address else (page.parent / address).resolve()
        assert goal.is_file(), (page, link)
        assert "//" not in link
        if at and not address.endswith("errors.html") and not re.match(r"g\d+e", at):
            assert f'id="{at}"' in goal.read_text(encoding="utf-8"), (page, link)
        count += 1
    assert count > 200


def test_the_pages_say_what_is_there(site: Path) -> None:
    index = (site / "index.html").read_text(encoding="utf-8")
    assert "<b>9 matches</b>" in index
    assert all(f'aria-label="{part}"' in index for part in ("Players", "Matches", "What needs attention", "Moments"))
    spring = (site / "event" / "spring.html").read_text(encoding="utf-8")
    assert "each of 6 pairings was played once" in spring
    assert spring.count('class="self"') == 4
    attention = (site / "attention.html").read_text(encoding="utf-8")
    assert 'class="v identical"' in attention
    assert "broken.sgf" in attention
    assert "bgtools check Autumn/bad.mat" in attention
    assert len([*(site / "match").iterdir()]) == 9


def test_a_page_may_use_the_files_of_its_site_and_nothing_else(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in text
        assert not re.search(r"<script>|<style| style=| on\w+=", text.partition("<body>")[2]), page


def test_only_what_has_changed_is_written(season: Path, site: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(season, own / "season")
    publish(own / "season", own / "site")
    before = files_of(own / "site")
    assert before == files_of(site)
    status, said = publish(own / "season", own / "site")
    assert (status, "nothing has changed" in said) == (1, True)
    (own / "site" / "mine.txt").write_text("mine")
    put(own / "season" / "Spring", [Result((NAMES[0], NAMES[1]), 0)], event="Spring", has_analysis=True, first=90)
    publish(own / "season", own / "site")
    after = files_of(own / "site")
    assert after.pop("mine.txt") == b"mine"
    changed = {name for name in after if before.get(name) != after[name]} - {".bgtools/state.json"}
    assert 5 < len(changed) <= 12, sorted(changed)
    (own / "season" / "Spring" / "090.sgf").unlink()
    (own / "site" / "index.html").unlink()
    publish(own / "season", own / "site")
    assert files_of(own / "site") == before | {"mine.txt": b"mine"}


def test_a_folder_with_other_files_is_refused(season: Path, tmp_path: Path) -> None:
    output = tmp_path / "holiday"
    output.mkdir()
    (output / "photo.png").write_bytes(b"png")
    status, said = publish(season, output)
    assert status == 2
    assert "holds what no site has put there: photo.png" in said
    assert [each.name for each in output.iterdir()] == ["photo.png"]


@pytest.mark.parametrize("how", ["initials", pytest.param("given", marks=pytest.mark.thorough)])
def test_no_hidden_name_is_left_anywhere(season: Path, tmp_path: Path, how: str) -> None:
    own = tmp_path / "own"
    shutil.copytree(season, own / "season")
    again = bgtools("convert", str(own / "season" / "Spring" / "001.sgf"), "-", "--to", "mat").stdout
    (own / "season" / "Autumn" / "copy.mat").write_text(re.sub(r"Wins 1 point", "Wins 2 points", again, count=1))
    (own / "season" / f"{NAMES[2]}.sgf").write_bytes(b"(;GM[6")
    (own / "season" / "Spring").rename(own / "season" / f"{NAMES[0]} Memorial")
    _, said = publish(own / "season", own / "site", "--names", how, "--unlisted", "--title", f"For {NAMES[1]}")
    assert "names replaced by" in said
    names = [*NAMES, *(name.split()[1] for name in NAMES)] + (
        [name.split()[0] for name in NAMES] if how == "initials" else []
    )
    looked = 0
    for name, content in files_of(own / "site").items():
        text = f"{name}\n{content.decode('utf-8')}".casefold()
        held = re.search(r'id="bgtools-data">([^<]*)<', content.decode("utf-8"))
        if held:
            text += zlib.decompress(base64.b64decode(held[1])).decode("utf-8").casefold()
        found = [each for each in names if re.search(rf"(?<!\w){re.escape(each.casefold())}(?!\w)", text)]
        assert found == [], name
        looked += 1
    assert looked > 20
    assert 'class="v differ"' in (own / "site" / "attention.html").read_text(encoding="utf-8")
    assert "noindex" in (own / "site" / "index.html").read_text(encoding="utf-8")
    assert (own / "site" / "robots.txt").is_file()


def test_initials_tell_people_apart() -> None:
    names = ["Ann Lee", "A. Lee", "Al Low", "nori", "Player 1", "gnubg"]
    hidden = hidden_names(names, {"A. Lee": "Ann Lee"}, "initials")
    assert hidden == {"Ann Lee": "A. L. 2", "A. Lee": "A. L. 2", "Al Low": "A. L.", "nori": "N."}
    assert without_words("Ann Lee beats NORI, ignoring Lee", hidden) == "A. L. 2 beats N., ignoring L."


def test_names_are_joined_by_names_toml_alone(season: Path, tmp_path: Path) -> None:
    own = tmp_path / "season"
    shutil.copytree(season, own)
    (own / "names.toml").write_text(f'"Cara Vole" = ["{NAMES[0]}"]\n')
    publish(own, tmp_path / "site")
    page = (tmp_path / "site" / "players.html").read_text(encoding="utf-8")
    assert "Cara Vole" in page
    assert NAMES[0] not in page
    proposed = (tmp_path / "site" / "attention.html").read_text(encoding="utf-8")
    assert "Names that may be one person" not in proposed


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("names.toml", '"Ann" = "A."', "write a list of spellings"),
        ("names.toml", '"Ann" = ["B"]\n"Cleo" = ["B"]', "is given to Ann and to Cleo"),
        ("names.toml", '"Ann" = ["Player 1"]', "is nobody's name"),
        ("names.toml", "Ann", "cannot be read"),
        ("event.toml", 'form = "swiss"', "form is one of round robin, knock-out, Swiss"),
        ("event.toml", "colour = 1", "colour is not known"),
        ("event.toml", '[[forfeits]]\nwinner = "Ann"', "has a winner and a loser"),
    ],
)
def test_a_file_that_cannot_be_followed_is_told(tmp_path: Path, file: str, text: str, reason: str) -> None:
    put(tmp_path / "club", heap(1, random.Random(1)))
    (tmp_path / "club" / file).write_text(text)
    status, said = publish(tmp_path / "club", tmp_path / "site")
    assert status == 2
    assert reason in said
    assert not (tmp_path / "site").exists()


def test_the_word_of_a_director_is_on_the_page_and_in_the_tables(tmp_path: Path) -> None:
    put(tmp_path / "club", round_robin(4, random.Random(3))[:-1])
    (tmp_path / "club" / "event.toml").write_text(
        f'title = "Club cup"\nform = "league"\n[[forfeits]]\nwinner = "{NAMES[2]}"\nloser = "{NAMES[3]}"\n'
    )
    publish(tmp_path / "club", tmp_path / "site")
    page = (tmp_path / "site" / "event" / "club-cup.html").read_text(encoding="utf-8")
    assert "A league, as event.toml says" in page
    assert "1 match not played, by event.toml" in page
    done = bgtools("table", "standings", str(tmp_path / "club"), "--format", "json")
    rows = json.loads(done.stdout)["rows"]
    assert {row["event"] for row in rows} == {"Club cup"}
    assert sum(row["matches_won"] for row in rows) == 6
    assert sum(row["forfeits"] for row in rows) == 2
    done = bgtools("table", "pairings", str(tmp_path / "club"), "--columns", "name,is_missing")
    assert done.stdout.count("False") == 6


def test_players_are_rated_as_ratings_rates_them(season: Path, site: Path) -> None:
    done = bgtools(
        "ratings", str(season / "Spring"), str(season / "Autumn" / "040.sgf"), "--engine", "file", "--format", "json"
    )
    rated = {each["name"]: each["ratings"]["xg_pr"] for each in json.loads(done.stdout)["players"]}
    own = season.parent / "rated"
    shutil.copytree(season / "Spring", own / "Spring")
    shutil.copy(season / "Autumn" / "040.sgf", own / "040.sgf")
    publish(own, season.parent / "rated-site")
    page = (season.parent / "rated-site" / "players.html").read_text(encoding="utf-8")
    compared = 0
    for name, value in re.findall(r'<th scope="row"><a [^>]*>([^<]*)</a></th><td class="r" data-v="?([\d.]+)', page):
        assert abs(float(value) - rated[name]["value"]) < 0.01
        compared += 1
    assert compared >= 2
    assert 'class="few"' in page or "class=few" in page


def test_hostile_names_and_titles_are_text(tmp_path: Path) -> None:
    evil = "</script><script>alert(1)</script>\"'&"
    text = SOUND.replace("Ann : 0 ", f"{evil[:24]} : 0 ").replace(
        " 3 point match", '; [Event "<b>Cup</b>"]\n\n 3 point match'
    )
    (tmp_path / "club").mkdir()
    (tmp_path / "club" / "one.mat").write_text(text)
    (tmp_path / "club" / "event.toml").write_text("title = '<img src=x onerror=alert(1)>'\n")
    publish(tmp_path / "club", tmp_path / "site", "--title", evil)
    pages = [each.read_text(encoding="utf-8") for each in (tmp_path / "site").rglob("*.html")]
    assert len(pages) >= 9
    for page in pages:
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "<b>Cup" not in page


def test_no_picture_is_drawn_where_no_tables_are_asked_for(season: Path, tmp_path: Path) -> None:
    program = (
        "import sys; from bgtools.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([each for each in ('matplotlib', 'pandas') if each in sys.modules])"
    )
    environment = {**os.environ, "PYTHONPATH": ROOT, "BGTOOLS_CACHE": str(tmp_path / "kept")}
    arguments = ["report", str(season / "Autumn"), "-o", str(tmp_path / "site"), "--engine", "file"]
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


@pytest.mark.thorough
def test_a_folder_that_is_watched_is_followed(tmp_path: Path) -> None:
    put(tmp_path / "club", heap(1, random.Random(1)))
    environment = {**os.environ, "PYTHONPATH": ROOT, "BGTOOLS_CACHE": str(tmp_path / "kept")}
    arguments = ["report", str(tmp_path / "club"), "-o", str(tmp_path / "site"), "--engine", "none", "--watch"]
    running = subprocess.Popen(
        [sys.executable, "-m", "bgtools", *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        _wait_for(lambda: (tmp_path / "site" / "index.html").is_file())
        _wait_for(lambda: (tmp_path / "site" / ".bgtools" / "state.json").is_file())
        put(tmp_path / "club", heap(1, random.Random(2)), first=7)
        _wait_for(lambda: "2 matches" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8"))
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 130
    finally:
        running.kill()
        running.communicate()


def _wait_for(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_same_says_where_records_differ(season: Path, tmp_path: Path) -> None:
    first = season / "Spring" / "000.sgf"
    shutil.copy(first, tmp_path / "again.sgf")
    text = bgtools("convert", str(first), "-", "--to", "mat").stdout
    (tmp_path / "slip.mat").write_text(
        re.sub(r"Wins (\d) point", lambda found: f"Wins {int(found[1]) + 1} point", text, count=1)
    )
    done = bgtools("same", str(first), str(tmp_path))
    lines = done.stdout.splitlines()
    assert lines[2].endswith(": identical")
    assert "difference" in lines[3]
    assert lines[4].startswith("    ")


def test_documents_are_kept_beside_answers_and_forgotten_with_them(season: Path, tmp_path: Path) -> None:
    publish(season, tmp_path / "site")
    kept = {"BGTOOLS_CACHE": str(tmp_path / "kept")}
    assert "documents of published matches" in bgtools("cache", environment=kept).stdout
    assert "documents of published matches" not in bgtools("cache", "--clear", environment=kept).stdout
