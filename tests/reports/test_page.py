"""The page of a report: what it holds, and what a reader of it sees in a browser."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from html import unescape
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import jsonschema
import pytest

from bgtools import read
from bgtools.analysis.comparison import compare
from bgtools.analysis.match_analysis import analyse
from bgtools.board.board import OFF
from bgtools.board.notation import read_play
from bgtools.checks.checking import check
from bgtools.drawing.board import Viewpoint, board_picture
from bgtools.drawing.shapes import Disc, TextLine
from bgtools.engines.protocol import ROLLS, LuckAnswer, Traits
from bgtools.positions.notations import decode_id
from bgtools.record.record import Comment, Tag
from bgtools.replayer.match import replay
from bgtools.reports.curves import chances_course
from bgtools.reports.page.writing import page_of
from chance_rows import analysed
from fixed_engine import FixedEngine
from marionette import FIREFOX, Firefox
from program import SOUND, bgtools
from support import read_text
from varied_engine import Varied

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.analysis.totals import Analysis
    from bgtools.engines.protocol import LuckQuestion, Progress, Refused
    from bgtools.record.record import Match


ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "page.schema.json").read_text(encoding="utf-8"))
SAMPLES = sorted(path for path in (ROOT / "samples").iterdir() if path.suffix in (".mat", ".sgf", ".xg", ".json"))
CHROMIUM = which("chromium") or which("chromium-browser") or which("google-chrome")

in_a_browser = pytest.mark.skipif(
    CHROMIUM is None or find_spec("playwright") is None, reason="no Chromium, or no Playwright to drive it"
)


def page(match: Match, *, engine: bool = False) -> str:
    games = replay(match)
    analysis = analyse(match, Varied(0.1, 0.2) if engine else None, games=games, rolls=True)
    return page_of(analysis, match, check(match, games))


def data_of(text: str) -> Any:
    found = re.search(r'<script type="application/json" id="bgtools-data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


# --- what it holds --------------------------------------------------------------------------

NASTY = SOUND.replace("Ann", '<script>alert("1")</script>').replace("Bob", "<!-- \u2028 ال𝔅ob 日本")


@pytest.mark.parametrize("engine", [False, True])
@pytest.mark.parametrize("text", [SOUND, NASTY, SOUND.replace("8/5 6/5", "8/4 6/5"), SOUND.replace("8/5 6/5", "????")])
def test_the_data_follows_its_schema(text: str, engine: bool) -> None:
    jsonschema.validate(data_of(page(read_text(text), engine=engine)), SCHEMA)


def test_a_name_is_text_and_nothing_else() -> None:
    made = page(read_text(NASTY), engine=True)
    assert "<script>alert" not in made
    assert data_of(made)["players"][0] == '<script>alert("1")</script>'
    assert "&lt;script&gt;alert" in made
    # The data cannot end its element, nor hide the rest of the page.
    assert made.count("</script>") == 2
    assert "<!--" not in made


def test_nothing_in_a_page_leads_elsewhere() -> None:
    made = page(read(ROOT / "samples" / "seven-point.mat"), engine=True)
    assert not re.findall(r'(?:src|href)="(?!#)', made)
    assert "@import" not in made
    assert not re.findall(r"url\(", made)
    policy = unescape(re.findall(r'Content-Security-Policy" content="([^"]*)"', made)[0])
    assert policy.startswith("default-src 'none'; script-src 'sha256-")


def test_what_is_shown_at_once_has_its_intervals() -> None:
    made = page(read(ROOT / "samples" / "seven-point.mat"), engine=True)
    shown = re.search(r'aria-label="Strength and luck">(.*?)</table>', made, re.DOTALL)
    assert shown is not None
    titles = re.findall(r'scope="row">([^<]*)<', shown[1])
    assert [above for above, title in pairwise(titles) if title == "95% interval"] == ["XG PR", "luck, EMG"]
    assert "gnubg error rate, mEMG" not in titles


def test_players_of_one_name_are_told_apart() -> None:
    made = page(read_text(SOUND.replace("Bob", "Ann")), engine=True)
    assert data_of(made)["players"] == ["Ann (player 1)", "Ann (player 2)"]
    assert re.search(r"turn \d+: Ann \(player [12]\) \d\d", made)


def test_every_hop_of_a_play_is_told() -> None:
    """The hops lead from the board before a play to the one after it, whichever way it is written."""
    match = read(ROOT / "samples" / "seven-point.mat")
    data = data_of(page(match))
    by_place = {
        (game.index + 1, turn.number): turn for game in replay(match) for turn in game.turns if turn.play is not None
    }
    assert len(by_place) > 200
    for game in data["games"]:
        for turn in game["turns"]:
            played = by_place.get((game["game"], turn["turn"]))
            if played is None:
                continue
            assert played.play is not None
            assert played.entry is not None
            mine = list(played.before.mine)
            for start, end in turn["hops"]:
                mine[start] -= 1
                mine[end] += 1
                assert mine[start] >= 0
            assert tuple(mine) == played.play.result.mine
            # A checker that is borne off may have gone there by one die as well as by two.
            assert len(turn["hops"]) == len(played.play.hops) or turn["hops"][-1][1] == OFF
            assert read_play(turn["played"]).kind in ("moves", "dance", "nothing")


def rolls_of(turn: dict[str, Any]) -> dict[str, float]:
    """The rolls that could have come, each with its luck in EMG."""
    names = [f"{high}{low}" for high, low in ROLLS if high != low or len(turn["rolls"]) == 21]
    return {name: luck / 1000 for name, luck in zip(names, turn["rolls"], strict=True)}


def test_every_roll_that_could_have_come_stands_with_its_luck() -> None:
    turns = [turn for game in data_of(sample())["games"] for turn in game["turns"]]
    rolled = [turn for turn in turns if turn["dice"]]
    assert len(rolled) > 200
    for turn in rolled:
        rolls = rolls_of(turn)
        assert rolls[turn["dice"]] == turn["luck"] == 0
        assert len(rolls) == (15 if turn["turn"] == 1 else 21)
        assert ("66" in rolls) == (turn["turn"] > 1)
        # The engine values a roll by its pips; the others keep their distance from the roll that came.
        came = sum(map(int, turn["dice"]))
        assert rolls["65"] == (11 - came) / 10
    assert [turn["rolls"] for turn in turns if not turn["dice"]] == [[]] * (len(turns) - len(rolled))
    assert not any(turn["rolls"] for game in data_of(page(read_text(SOUND)))["games"] for turn in game["turns"])


class Telling(Varied):
    """Tells of the rolls only where that tells something; every roll of ten pips or more is lucky."""

    traits = Traits(tells_rolls="telling")

    def luck(
        self, questions: Sequence[LuckQuestion], progress: Progress | None = None
    ) -> tuple[LuckAnswer | Refused, ...]:
        answers = super().luck(questions, progress)
        return tuple(
            replace(answer, equity=answer.mean + 0.3 * (sum(question.dice) >= 10))
            for question, answer in zip(questions, answers, strict=True)
            if isinstance(answer, LuckAnswer)
        )


def test_an_engine_that_tells_some_rolls_tells_those_of_errors_and_of_much_luck() -> None:
    match = read(ROOT / "samples" / "seven-point.mat")
    found = analyse(match, Telling(0.1, 0.2), rolls=True)
    rolled = {(row.game, row.entry): row for row in found.turns if row.luck is not None}
    lucky = {place for place, row in rolled.items() if abs(row.luck or 0) >= 0.3}
    wrong = {place for place, row in rolled.items() if row.error}
    assert lucky - wrong
    assert wrong - lucky
    assert set(found.rolls) == lucky | wrong
    assert len(found.rolls) < len(rolled)
    data = data_of(page_of(found, match))
    jsonschema.validate(data, SCHEMA)
    assert sum(bool(turn["rolls"]) for game in data["games"] for turn in game["turns"]) == len(found.rolls)
    said = "what each of the 21 rolls was worth is told only where"
    assert [note for note in data["notes"] if said in note]
    assert said not in " ".join(data_of(sample())["notes"])
    assert not analyse(match, Telling(0.1, 0.2)).rolls


def test_the_page_and_the_picture_tell_one_course_of_the_chances() -> None:
    found = analysed()
    course = chances_course(found)
    assert course is not None
    turns = [turn for game in data_of(page_of(found))["games"] for turn in game["turns"]]
    at = [number for number, row in enumerate(found.turns, 1) if (row.game, row.turn) != next_turn(found, number)]
    assert [turn["chance"] for turn in turns] == pytest.approx([course.values[number] for number in at], abs=1e-5)
    assert len({turn["chance"] for turn in turns}) > 200


def next_turn(found: Analysis, number: int) -> tuple[int, int] | None:
    """The game and turn of the row behind some rows."""
    return (found.turns[number].game, found.turns[number].turn) if number < len(found.turns) else None


def test_a_page_is_written_with_every_report_and_can_be_left_out(tmp_path: Path) -> None:
    record = tmp_path / "m.mat"
    record.write_text(SOUND)
    done = bgtools("report", str(record), "--engine", "none", "-o", str(tmp_path / "with"))
    assert done.returncode == 0, done.stderr
    assert data_of((tmp_path / "with" / "report.html").read_text(encoding="utf-8"))["file"] == "m.mat"
    assert "report.html" in json.loads((tmp_path / "with" / "report.json").read_text(encoding="utf-8"))["files"]
    bgtools("report", str(record), "--engine", "none", "--no-page", "-o", str(tmp_path / "without"))
    assert not (tmp_path / "without" / "report.html").exists()
    refused = bgtools("report", str(record), "--engine", "none", "--no-page", "--open")
    assert refused.returncode == 2
    assert "no page to open" in refused.stderr


# --- in a browser ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        running = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@cache
def sample() -> str:
    return page(read(ROOT / "samples" / "seven-point.mat"), engine=True)


@pytest.fixture
def address(tmp_path: Path) -> str:
    """Where the page of the sample stands."""
    file = tmp_path / "a page #1.html"
    file.write_text(sample(), encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def opened(browser: Any, address: str) -> Iterator[Any]:
    """The page of the sample, which may ask for nothing and complain of nothing."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    shown = context.new_page()
    said: list[str] = []
    shown.on("console", lambda message: said.append(message.text))
    shown.on("pageerror", lambda error: said.append(str(error)))
    shown.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
    shown.goto(address)
    yield shown
    context.close()
    assert said == []


def where(shown: Any) -> tuple[int, int]:
    data = shown.evaluate("() => ({...document.querySelector('main').dataset})")
    return int(data["game"]), int(data["turn"])


_DRAWN = """() => ({
  discs: [...document.querySelectorAll("#board circle")].filter((each) => each.getAttribute("r") === "19")
    .map((each) => [each.getAttribute("cx"), each.getAttribute("cy"), each.getAttribute("fill")].join(" ")).sort(),
  words: [...document.querySelectorAll("#board text")].map((each) =>
    [Math.round(each.getAttribute("x")), Math.round(each.getAttribute("y")), each.textContent].join(" ")).sort(),
  told: document.querySelector("#board desc").textContent,
  place: document.querySelector("main").dataset.game + " " + document.querySelector("main").dataset.turn,
})"""
"""What is on the board that the page draws."""


def expected(turn: dict[str, Any], names: list[str], *, flipped: bool = False) -> dict[str, Any]:
    """The same by the drawing of boards that is not the page's."""
    position = decode_id(turn["ids"][0])
    player = turn["player"]
    picture = board_picture(
        position.board,
        position.state,
        dice=position.dice,
        names=(names[player], names[1 - player]),
        offered=turn["offered"],
        seat=Viewpoint(flipped=(player == 1) != flipped, dark=player == 1),
    )
    discs = [each for each in picture.shapes if isinstance(each, Disc) and each.radius == 19]
    words = [each for each in picture.shapes if isinstance(each, TextLine)]
    return {
        "discs": sorted(f"{each.x:g} {each.y:g} var(--board-{each.fill})" for each in discs),
        "words": sorted(f"{int(each.x + 0.5)} {int(each.y + 0.5)} {each.text}" for each in words),
        "told": picture.description,
    }


@in_a_browser
def test_a_walk_through_the_match_shows_every_board(opened: Any) -> None:
    data = data_of(sample())
    turns = [(game["game"], turn) for game in data["games"] for turn in game["turns"]]
    for number, (game, turn) in enumerate(turns):
        seen = opened.evaluate(_DRAWN)
        assert seen.pop("place") == f"{game} {turn['turn']}"
        assert seen == expected(turn, data["players"])
        if number + 1 < len(turns):
            opened.keyboard.press("ArrowRight")
    assert opened.locator("#forward").is_disabled()
    opened.keyboard.press("f")
    seen = opened.evaluate(_DRAWN)
    del seen["place"]
    assert seen == expected(turns[-1][1], data["players"], flipped=True)
    opened.keyboard.press("ArrowLeft")
    assert where(opened) == (turns[-2][0], turns[-2][1]["turn"])


@in_a_browser
def test_keys_go_from_game_to_game_and_from_error_to_error(opened: Any) -> None:
    data = data_of(sample())
    errors = sorted({(game, data["games"][game - 1]["turns"][turn]["turn"]) for game, turn, _ in data["errors"]})
    errors = [place for place in errors if place > (1, 1)]
    assert len(errors) > 5
    for place in errors[:6]:
        opened.keyboard.press("n")
        assert where(opened) == place
    opened.keyboard.press("p")
    assert where(opened) == errors[4]
    opened.keyboard.press("Home")
    opened.keyboard.press("ArrowDown")
    assert where(opened) == (2, 1)
    opened.keyboard.press("End")
    opened.keyboard.press("ArrowUp")
    assert where(opened) == (len(data["games"]) - 1, 1)
    opened.keyboard.press("b")
    worst = data["classes"][-1]
    blunders = sorted(
        (game, data["games"][game - 1]["turns"][turn]["turn"])
        for game, turn, number in data["errors"]
        if data["games"][game - 1]["turns"][turn]["decisions"][number]["error"] == worst
    )
    assert opened.locator("#errors tbody tr").count() == len(blunders)
    opened.keyboard.press("Home")
    opened.keyboard.press("n")
    assert where(opened) == next(place for place in blunders if place > (1, 1))
    opened.keyboard.press("?")
    assert opened.locator("#help").is_visible()
    opened.locator("#help button").click()
    assert not opened.locator("#help").is_visible()


@in_a_browser
def test_the_state_stands_in_the_link(opened: Any) -> None:
    opened.goto(opened.url.partition("#")[0] + "#g2t9;flip;player=1")
    assert where(opened) == (2, 9)
    data = data_of(sample())
    rows = opened.locator("#errors tbody tr")
    own = [data["games"][game - 1]["turns"][turn]["decisions"][number] for game, turn, number in data["errors"]]
    assert rows.count() == sum(each["player"] == 1 for each in own)
    losses = [float(rows.nth(number).get_attribute("data-loss")) for number in range(rows.count())]
    assert losses == sorted(losses, reverse=True)
    opened.keyboard.press("f")
    assert opened.url.endswith("#g2t9;player=1")
    rows.nth(3).locator("a").click()
    assert where(opened) == tuple(int(rows.nth(3).get_attribute(f"data-{name}")) for name in ("game", "turn"))
    assert opened.evaluate("() => location.hash").endswith(";player=1")


@in_a_browser
def test_a_click_on_a_play_shows_its_board(opened: Any) -> None:
    data = data_of(sample())
    turn = data["games"][0]["turns"][2]
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("ArrowRight")
    (play,) = (each for each in turn["decisions"] if each["kind"] == "checker play")
    buttons = opened.locator("#alternatives button")
    assert [text.strip() for text in buttons.all_text_contents()] == [each["choice"] for each in play["choices"]]
    board = decode_id(turn["ids"][0])
    for number, choice in enumerate(play["choices"][:3]):
        buttons.nth(number).click()
        after = board.play(choice["choice"]).board.flipped()
        picture = board_picture(after, names=(data["players"][turn["player"]], data["players"][1 - turn["player"]]))
        assert opened.evaluate(_DRAWN)["told"] == picture.description
    opened.locator("#alternatives button[aria-pressed=true]").click()
    assert opened.evaluate(_DRAWN)["told"] == expected(turn, data["players"])["told"]


def mark_of(luck: float) -> str:
    return "\u2191" if luck >= 0.3 else "\u2193" if luck <= -0.3 else ""


@in_a_browser
def test_the_rolls_are_a_grid_with_jokers_marked(opened: Any) -> None:
    opened.keyboard.press("ArrowRight")
    turn = data_of(sample())["games"][0]["turns"][1]
    opened.locator("#rolls summary").click()
    rows = opened.locator("#rolls tr")
    assert [rows.nth(number).locator("td").count() for number in range(rows.count())] == [6, 5, 4, 3, 2, 1]
    cells = {}
    for text in opened.locator("#rolls td").all_inner_texts():
        roll, *mark, value = text.replace("\u2212", "-").split()
        cells[roll] = "".join(mark), value
    assert cells == {roll: (mark_of(luck), f"{luck:+.2f}") for roll, luck in rolls_of(turn).items()}
    assert {mark for mark, _ in cells.values()} == {"", "\u2191", "\u2193"}
    assert opened.locator("#rolls td.shown b").inner_text().startswith(turn["dice"])


@in_a_browser
def test_a_name_from_right_to_left_turns_nothing_beside_it(browser: Any, tmp_path: Path) -> None:
    name = "\u0645\u062d\u0645\u062f"
    match = read_text(SOUND.replace("Bob", name).replace("Ann", "\u202eevil"))
    file = tmp_path / "page.html"
    file.write_text(page_of(analyse(match, Varied(0.1, 0.2)), match, check(match)), encoding="utf-8")
    shown = browser.new_page()
    shown.goto(file.as_uri())
    (heading,) = shown.locator("h1").all_inner_texts()
    score = re.findall(r"\d+-\d+", heading)[0]
    for where, first, then in (
        ("h1", name, score),
        ("h1", score, "-point"),
        ("#moves li", name, "52"),
        ("#moves li", "52", "13/"),
    ):
        found = shown.evaluate(_PLACES, [where, name, first, then])
        assert found is not None, where
        assert found[0] < found[1], (where, first, then)
    assert "\u202e" not in shown.content().partition('<script type="application/json"')[0]
    assert data_of(file.read_text(encoding="utf-8"))["players"] == ["\ufffdevil", name]
    shown.close()


_PLACES = """([where, name, first, then]) => {
  for (const each of document.querySelectorAll(where)) {
    if (!each.textContent.includes(name) || !each.textContent.includes(then)) continue;
    const left = (what) => {
      const walk = document.createTreeWalker(each, NodeFilter.SHOW_TEXT), range = document.createRange();
      for (let one = walk.nextNode(); one; one = walk.nextNode()) {
        const at = one.data.indexOf(what);
        if (at < 0) continue;
        range.setStart(one, at);
        range.setEnd(one, at + what.length);
        return range.getBoundingClientRect().left;
      }
    };
    return [left(first), left(then)];
  }
  return null;
}"""


@in_a_browser
@pytest.mark.parametrize("width", [320, 390])
def test_no_long_word_makes_a_phone_scroll_sideways(browser: Any, tmp_path: Path, width: int) -> None:
    match = read_text(SOUND.replace("Ann", "A" * 60).replace("Bob", "Bob_" * 20))
    file = tmp_path / "page.html"
    tagged = replace(match, tags=(Tag(key="Event", value="x" * 120),), comments=(Comment(text="y" * 120),))
    file.write_text(page_of(analyse(tagged, Varied(0.1, 0.2)), tagged, check(tagged), file="z" * 90), encoding="utf-8")
    shown = browser.new_page(viewport={"width": width, "height": 740})
    shown.goto(file.as_uri())
    assert shown.evaluate("() => document.documentElement.scrollWidth") <= width
    shown.close()


@in_a_browser
def test_a_phone_needs_no_scrolling_sideways_and_print_shows_the_worst(opened: Any) -> None:
    opened.set_viewport_size({"width": 360, "height": 740})
    assert opened.evaluate("() => document.documentElement.scrollWidth") <= 360
    opened.emulate_media(media="print")
    assert opened.locator("#worst").is_visible()
    assert not opened.locator("main").is_visible()


@in_a_browser
@pytest.mark.skipif(find_spec("axe_playwright_python") is None, reason="axe is not installed")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened: Any, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    opened.emulate_media(color_scheme=scheme)
    opened.keyboard.press("n")
    opened.locator("#rolls summary").click()
    found = Axe().run(opened).response["violations"]
    assert [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found] == []


@in_a_browser
@pytest.mark.parametrize("link", ["#%E0%A4%A", "#g1t2;flip;theme=%E0%A4%A", "#g1t2;theme=nothing;player=7", "#g99t1"])
def test_a_link_that_is_damaged_or_names_nothing_opens_the_page_all_the_same(
    browser: Any, address: str, link: str
) -> None:
    shown = browser.new_page()
    said: list[str] = []
    shown.on("pageerror", lambda error: said.append(str(error)))
    shown.goto(address + link)
    assert where(shown) == (1, 2 if "g1t2" in link else 1)
    count = len(data_of(sample())["errors"])
    assert shown.locator("#errors caption").inner_text() == f"{count} of {count} errors"
    picked = shown.locator("#filters option:checked").all_inner_texts()
    assert set(picked) == {"all"}
    assert said == []
    shown.close()


@in_a_browser
def test_a_button_that_leads_no_further_keeps_the_focus(opened: Any) -> None:
    opened.locator("#forward").focus()
    opened.keyboard.press("End")
    assert opened.evaluate("() => document.activeElement.id") == "forward"
    opened.keyboard.press("Enter")
    data = data_of(sample())
    assert where(opened) == (len(data["games"]), data["games"][-1]["turns"][-1]["turn"])


_COPIED = """async () => {
  const [each] = await navigator.clipboard.read();
  return [...new Uint8Array(await (await each.getType("image/png")).arrayBuffer())];
}"""


@in_a_browser
def test_a_picture_is_copied_or_where_that_cannot_be_saved(browser: Any, address: str) -> None:
    for allowed in (["clipboard-read", "clipboard-write"], []):
        context = browser.new_context(permissions=allowed)
        shown = context.new_page()
        shown.goto(address)
        if not allowed:
            shown.evaluate("() => { navigator.clipboard.write = () => Promise.reject(); }")
            with shown.expect_download() as begun:
                shown.get_by_text("Copy picture").click()
            assert begun.value.suggested_filename == "g1t1.png"
            picture = Path(begun.value.path()).read_bytes()
        else:
            shown.get_by_text("Copy picture").click()
            shown.get_by_text("Copied", exact=True).first.wait_for()
            picture = bytes(shown.evaluate(_COPIED))
        assert picture.startswith(b"\x89PNG")
        assert len(picture) > 5000
        context.close()


@in_a_browser
def test_a_saved_picture_stands_by_itself(opened: Any) -> None:
    with opened.expect_download() as begun:
        opened.get_by_text("Save picture").click()
    text = Path(begun.value.path()).read_text(encoding="utf-8")
    assert "var(" not in text
    ElementTree.fromstring(text)


HUNDRED = "\n 0 point match\n" + "".join(
    SOUND.partition("match\n")[2].replace("Game 1", f"Game {number}").replace("Ann : 0", f"Ann : {number - 1}")
    for number in range(1, 101)
)

RULINGS = {
    "a money session of a hundred games": HUNDRED,
    "nothing that is legal": re.sub(r"(\d\d): \S+ \S+", r"\1: 24/1 1/24", SOUND),
    "an illegal play": SOUND.replace("8/5 6/5", "8/4 6/5"),
    "an unknown play": SOUND.replace("8/5 6/5", "????"),
    "a money session": SOUND.replace(" 3 point match", " 0 point match"),
    "nothing played": "\n 3 point match\n\n Game 1\n Ann : 0                        Bob : 0\n",
    "names in any script": NASTY,
}


@in_a_browser
@pytest.mark.parametrize("text", RULINGS.values(), ids=RULINGS)
def test_every_record_gives_a_page_that_can_be_walked(browser: Any, tmp_path: Path, text: str) -> None:
    file = tmp_path / "page.html"
    file.write_text(page(read_text(text)), encoding="utf-8")
    shown = browser.new_page()
    said: list[str] = []
    shown.on("console", lambda message: said.append(message.text))
    shown.on("pageerror", lambda error: said.append(str(error)))
    shown.goto(file.as_uri())
    games = [game for game in data_of(file.read_text(encoding="utf-8"))["games"] if game["turns"]]
    turns = [turn for game in games for turn in game["turns"]]
    # A long session is walked game by game.
    for _ in turns[1:] if len(turns) < 50 else []:
        shown.keyboard.press("ArrowRight")
    for _ in games[1:] if len(turns) >= 50 else []:
        shown.keyboard.press("ArrowDown")
    shown.keyboard.press("End")
    if turns:
        assert where(shown) == (games[-1]["game"], turns[-1]["turn"])
        assert all(not turn["legal"] for turn in turns if "24/1" in turn["played"])
    shown.close()
    assert said == []


@in_a_browser
def test_what_several_engines_say_stands_side_by_side(browser: Any, tmp_path: Path) -> None:
    match = read(ROOT / "samples" / "seven-point.mat")
    games = replay(match)
    analyses = [analyse(match, engine, games=games) for engine in (Varied(0.1, 0.2), FixedEngine(0.3, 0.1))]
    comparison = compare(("varied", "even <b>"), analyses, 0.02)
    file = tmp_path / "page.html"
    file.write_text(page_of(analyses[0], match, (), comparison), encoding="utf-8")
    data = data_of(file.read_text(encoding="utf-8"))
    jsonschema.validate(data, SCHEMA)
    assert data["engines"] == ["varied", "even <b>"]
    shown = browser.new_page()
    shown.goto(file.as_uri())
    for number, name in enumerate(data["engines"]):
        of_both = [told for told in data["compared"][number]["totals"] if told[0] == "errors, blunders"]
        region = shown.get_by_role("region", name=f"Strength and luck by {name}", exact=True)
        assert region.get_by_role("row", name="errors, blunders").all_inner_texts() == ["\t".join(of_both[0])]
        assert f"{name}: {data['compared'][number]['sentence']}" in shown.locator("header").inner_text()
        assert f"{name}: {data['compared'][number]['conventions']}" in shown.locator("#beside").inner_text()
    assert data["compared"][0]["totals"] != data["compared"][1]["totals"]
    judged = {(row.game, row.entry, row.kind): row for row in analyses[1].decisions if row.kind != "unplayed roll"}
    told = [each for game in data["games"] for turn in game["turns"] for each in turn["decisions"]]
    assert len(told) == len(judged)
    for each, row in zip(told, judged.values(), strict=True):
        assert each["others"] == [["even <b>", row.best, None if row.loss is None else round(row.loss, 5) + 0.0]]
    for turn in data["games"][0]["turns"][:6]:
        said = shown.locator("#details").inner_text()
        for decision in turn["decisions"]:
            ((name, best, loss),) = decision["others"]
            if decision["kind"] == "checker play":
                assert f"{name}: best {best}, lost {loss:.3f}" in said
        shown.keyboard.press("ArrowRight")
    shown.close()


# --- in Firefox -----------------------------------------------------------------------------


@pytest.mark.skipif(FIREFOX is None, reason="no Firefox")
def test_firefox_shows_the_same(tmp_path: Path) -> None:
    file = tmp_path / "a page #1.html"
    file.write_text(sample(), encoding="utf-8")
    data = data_of(sample())
    turns = [(game["game"], turn) for game in data["games"] for turn in game["turns"]]
    firefox = Firefox()
    try:
        firefox.open(file.as_uri())
        for number, (game, turn) in enumerate(turns[:30]):
            seen = firefox.evaluate(_DRAWN)
            assert seen.pop("place") == f"{game} {turn['turn']}"
            assert seen == expected(turn, data["players"]), number
            firefox.press("ArrowRight")
        firefox.press("ArrowDown", "f")
        assert firefox.evaluate("() => location.hash") == f"#g{turns[30][0] + 1}t1;flip"
        firefox.open(file.as_uri() + "#g2t9;flip;player=1")
        place = firefox.evaluate("() => [document.querySelector('main').dataset.game, main.dataset.turn]")
        assert place == ["2", "9"]
        own = [data["games"][game - 1]["turns"][turn]["decisions"][number] for game, turn, number in data["errors"]]
        rows = firefox.evaluate("() => document.querySelectorAll('#errors tbody tr').length")
        assert rows == sum(each["player"] == 1 for each in own)
        assert firefox.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
        assert firefox.picture().startswith(b"\x89PNG")
    finally:
        firefox.close()
