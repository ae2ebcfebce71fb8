"""The page of a report: what it holds, and what a reader of it sees in a browser."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import jsonschema
import pytest

from bgtools import read
from bgtools.analysis.breakdowns import PARTS
from bgtools.analysis.comparison import compare
from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.score_grid import at_scores
from bgtools.board.board import OFF
from bgtools.board.generation import legal_plays
from bgtools.board.hopping import hops_of
from bgtools.board.notation import read_play
from bgtools.checks.checking import check
from bgtools.drawing.board import Viewpoint, board_picture, geometry
from bgtools.drawing.shapes import Disc, Polygon, TextLine
from bgtools.engines.protocol import ROLLS, CheckerAnswer, CheckerQuestion, LuckAnswer, Traits
from bgtools.met.finding import default
from bgtools.positions.notations import decode_id
from bgtools.record.record import Comment, Tag
from bgtools.replayer.match import replay
from bgtools.reports.curves import chance_curve
from bgtools.reports.decision_text import cube_verdict, worst
from bgtools.reports.page.writing import page_of
from bgtools.reports.score_grids import page_grid
from browsers import data_of, in_a_browser, quiet_page
from chance_rows import analysed
from fixed_engine import FixedEngine
from marionette import FIREFOX, Firefox
from program import SOUND, bgtools
from support import read_text
from varied_engine import Varied

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.engines.protocol import LuckQuestion, Progress, Refused
    from bgtools.record.record import Match


ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "page.schema.json").read_text(encoding="utf-8"))
SAMPLES = sorted(path for path in (ROOT / "samples").iterdir() if path.suffix in (".mat", ".sgf", ".xg", ".json"))


def page(match: Match, *, engine: bool = False) -> str:
    games = replay(match)
    engine_of = Varied(0.1, 0.2) if engine else None
    analysis = analyse(match, engine_of, games=games, parts=PARTS | {"plays"}, rolls=True)
    return page_of(analysis, match, check(match, games)).decode()


def steps_of(data: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Every step of a page with its game, in order."""
    return [(game, step) for game in data["games"] for step in game["steps"]]


def errors_in(data: dict[str, Any]) -> list[tuple[int, str]]:
    """Game and entry of every error, in the order of the match."""
    by_game = {game["game"]: game["steps"] for game in data["games"]}
    return [(game, by_game[game][step]["entry"]) for game, step, _ in sorted(data["errors"])]


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


def test_strength_and_luck_are_a_line_each_with_the_interval() -> None:
    made = page(read(ROOT / "samples" / "seven-point.mat"), engine=True)
    lead = re.search(r'<div class="lead" id="lead">(.*?)</div>', made, re.DOTALL)
    assert lead is not None
    text = unescape(re.sub(r"<[^>]*>", "", lead[1].replace("</p>", "\n")))
    data = data_of(made)
    for name, each in zip(data["players"], data["strength"], strict=True):
        assert f"{name} {each['text']}" in text
        pr, between = re.fullmatch(r"PR ([\d.]+), .* \(([\d.]+ to [\d.]+)\)", each["text"]).groups()  # type: ignore[union-attr]
        ratings, interval = ([*row] for row in data["totals"][:3] if row[0].startswith(("XG PR", "  95%")))
        assert pr == f"{each['pr']:.2f}"
        assert pr in " ".join(ratings)
        assert between in interval
    assert "gnubg error rate" not in text


def test_players_of_one_name_are_told_apart() -> None:
    made = page(read_text(SOUND.replace("Bob", "Ann")), engine=True)
    assert data_of(made)["players"] == ["Ann (player 1)", "Ann (player 2)"]


def test_every_hop_of_a_play_is_there() -> None:
    """The hops lead from the board before a play to the one after it, whichever way it is written."""
    match = read(ROOT / "samples" / "seven-point.mat")
    data = data_of(page(match))
    by_place = {
        (game.index + 1, str(number)): turn
        for game in replay(match)
        for number, turn in enumerate(game.turns, 1)
        if turn.play is not None
    }
    compared = 0
    for game, step in steps_of(data):
        played = by_place.get((game["game"], step["entry"]))
        if played is None:
            continue
        assert played.play is not None
        compared += 1
        mine = list(played.before.mine)
        for start, end in step["hops"]:
            mine[start] -= 1
            mine[end] += 1
            assert mine[start] >= 0
        assert tuple(mine) == played.play.result.mine
        # A checker that is borne off may have gone there by one die as well as by two.
        assert len(step["hops"]) == len(played.play.hops) or step["hops"][-1][1] == OFF
        assert read_play(step["played"]).kind in ("moves", "dance", "nothing")
    assert compared > 200


def test_every_decision_is_a_step_with_its_cube_as_it_was_then() -> None:
    match = read(ROOT / "samples" / "seven-point.mat")
    analysis = replace(analyse(match, Varied(0.1, 0.2)), conventions=analysed().conventions)
    data = data_of(page_of(analysis, match).decode())
    entries = {
        (game.index + 1, str(number)): turn for game in replay(match) for number, turn in enumerate(game.turns, 1)
    }
    steps = steps_of(data)
    assert {(game["game"], step["entry"]) for game, step in steps if step["entry"].isdigit()} == set(entries)
    kinds = Counter(step["action"] for _, step in steps)
    assert kinds["double"] == kinds["take"] + kinds["drop"] == 7
    assert kinds["no double"] > 50
    for game, step in steps:
        position = decode_id(step["ids"][0])
        turn = entries[game["game"], step["entry"].rstrip("ac")]
        assert [position.state.cube.value, position.state.cube.owner] == step["cube"]
        if step["action"] in ("take", "drop"):
            assert step["offered"] == 2 * turn.position.state.cube.value == 2 * step["cube"][0]
            assert position.offer == "double"
            assert step["on_roll"] == 1 - step["player"]
        elif step["action"] == "double":
            assert step["offered"] == 2 * step["cube"][0]
        else:
            assert step["offered"] == 0
        assert bool(step["dice"]) == (step["action"] == "roll")
        for one in step["decisions"]:
            if one["kind"] in ("double", "take", "pass"):
                assert one["verdict"]
                assert [name for name, *_ in one["cube"]["facts"]][:2] == [
                    "take point, no gammons",
                    "cash point, no gammons",
                ]
                window = one["cube"]["window"]
                assert window is None or 0 < window["dead"] <= window["live"] < 1
                state = position.state
                if one["player"] != step["on_roll"]:
                    state = state.flipped()
                met = default()
                for choice in one["choices"]:
                    worth = one["mwc"][0] + one["mwc"][1] * choice["equity"]
                    assert worth == pytest.approx(met.mwc(state, choice["equity"]), abs=2e-6)


@pytest.mark.parametrize(
    ("worth", "verdict"),
    [
        ((0.5, 0.8, 1.0), "Double, take: no double loses 0.300, pass loses 0.200"),
        ((0.9, 1.2, 1.0), "Double, pass: no double loses 0.100, take loses 0.200"),
        ((0.5, 0.3, 1.0), "No double, take: double loses 0.200, pass loses 0.700"),
        ((1.1, 1.4, 1.0), "Too good to double, pass: double loses 0.100, take loses 0.400"),
        ((0.5, 0.5, 0.5), "Double, take"),
    ],
)
def test_the_verdict_on_the_cube(worth: tuple[float, float, float], verdict: str) -> None:
    row = next(row for row in analysed().decisions if row.kind == "double")
    names = ("No double", "Double, take", "Double, pass")
    choices = tuple(
        replace(row.choices[0], choice=name, equity=equity) for name, equity in zip(names, worth, strict=True)
    )
    assert cube_verdict(replace(row, choices=choices)) == verdict


def rolls_of(turn: dict[str, Any]) -> dict[str, float]:
    """The rolls that could have come, each with its luck in EMG."""
    names = [f"{high}{low}" for high, low in ROLLS if high != low or len(turn["rolls"]) == 21]
    return {
        name: float(luck.split()[0].replace("\u2212", "-")) for name, luck in zip(names, turn["rolls"], strict=True)
    }


@pytest.mark.thorough
def test_every_roll_that_could_have_come_stands_with_its_luck() -> None:
    turns = [step for _, step in steps_of(data_of(sample()))]
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
    assert not any(step["rolls"] for _, step in steps_of(data_of(page(read_text(SOUND)))))


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


@pytest.mark.thorough
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
    data = data_of(page_of(found, match).decode())
    jsonschema.validate(data, SCHEMA)
    assert sum(bool(step["rolls"]) for _, step in steps_of(data)) == len(found.rolls)
    said = "what each of the 21 rolls was worth is told only where"
    assert [note for note in data["notes"] if said in note]
    assert said not in " ".join(data_of(sample())["notes"])
    assert not analyse(match, Telling(0.1, 0.2)).rolls


def test_the_page_and_the_picture_tell_one_course_of_the_chances() -> None:
    found = analysed()
    course = chance_curve(found)
    assert course is not None
    chances = [step["chance"] for _, step in steps_of(data_of(page_of(found).decode())) if step["entry"].isdigit()]
    assert chances == pytest.approx(list(course.values[1:]), abs=1e-5)
    assert len(set(chances)) > 200


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


@pytest.mark.thorough
def test_a_report_about_one_player_shows_their_errors(tmp_path: Path) -> None:
    sample = str(ROOT / "samples" / "five-slips.mat")
    names = read(sample).players
    done = bgtools(
        "report", sample, "--level", "quick", "--player", names[1].split()[0].upper(), "-o", str(tmp_path / "r")
    )
    assert done.returncode in (0, 1), done.stderr
    assert data_of((tmp_path / "r" / "report.html").read_text(encoding="utf-8"))["player"] == 1
    shown = [line for line in done.stdout.splitlines() if line.strip().startswith("game ") and ", row " in line]
    assert shown
    heads = re.findall(r"^(.*), (?:\d+ worst of )?\d+ errors?:$", done.stdout, re.MULTILINE)
    assert heads == [names[1]]
    refused = bgtools("report", sample, "--engine", "none", "--player", "nobody", "-o", str(tmp_path / "n"))
    assert refused.returncode == 2
    assert f"no player is named nobody; there are: {names[0]}, {names[1]}" in refused.stderr


def test_the_script_and_the_style_weigh_little() -> None:
    text = re.sub(r'<script type="application/json".*?</script>', "", sample(), flags=re.DOTALL)
    parts = re.findall(r"<(?:script|style)>(.*?)</(?:script|style)>", text, re.DOTALL)
    assert len(parts) == 2
    assert sum(len(part.encode()) for part in parts) <= 100_000


# --- in a browser ---------------------------------------------------------------------------


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
    with quiet_page(browser, address, 1200) as shown:
        yield shown


def where(shown: Any) -> tuple[int, str]:
    """Game and entry of the step that is shown."""
    data = shown.evaluate("() => ({...document.querySelector('main').dataset})")
    return int(data["game"]), data["entry"]


def is_board_seen(shown: Any) -> bool:
    """Whether the whole board is in the window, and nothing lies over its middle."""
    seen: bool = shown.evaluate(
        """() => {
          const board = document.getElementById("board"), box = board.getBoundingClientRect();
          const over = document.elementFromPoint(box.left + box.width / 3, box.top + box.height / 2);
          return box.height > 150 && box.top >= -1 && box.bottom <= innerHeight + 1 && board.contains(over);
        }"""
    )
    return seen


_DRAWN = """() => ({
  discs: [...document.querySelectorAll("#board circle")].filter((each) => each.getAttribute("r") === "20.5")
    .map((each) => [each.getAttribute("cx"), each.getAttribute("cy"), each.getAttribute("fill")].join(" ")).sort(),
  words: [...document.querySelectorAll("#board text")].map((each) =>
    [Math.round(each.getAttribute("x")), Math.round(each.getAttribute("y")), each.textContent].join(" ")).sort(),
  told: document.querySelector("#board desc").textContent,
  place: document.querySelector("main").dataset.game + " " + document.querySelector("main").dataset.entry,
  heads: [...document.querySelectorAll("#board .arrow polygon")].map((each) => each.getAttribute("points")).sort(),
})"""
"""What is on the board that the page draws."""


def expected(data: dict[str, Any], game: dict[str, Any], step: dict[str, Any], *, flipped: bool = False) -> Any:
    """The same by the drawing of boards that is not the page's."""
    position = decode_id(step["ids"][0])
    answers = step["player"] != step["on_roll"]
    if answers:
        position = position.flipped()
    player, names = step["player"], data["players"]
    plays = [one for one in step["decisions"] if one["kind"] == "checker play"]
    arrows: dict[str, Any] = {}
    if step["action"] == "roll":
        played = hops_of(step["played"], position.board, step["dice"])
        best = plays[0]["choices"][0] if plays and plays[0]["choices"] else None
        if best and plays[0]["error"] and not best["made"]:
            arrows = {"played": played, "best": hops_of(best["choice"], position.board, step["dice"])}
        else:
            right = bool(plays) and plays[0]["loss"] is not None and plays[0]["loss"] < 0.0005
            arrows = {"best" if right else "played": played}
    picture = board_picture(
        position.board,
        position.state,
        dice=position.dice if step["action"] == "roll" else None,
        names=(names[player], names[1 - player]),
        offered=bool(step["offered"]) and not answers,
        answering=bool(step["offered"]) and answers,
        seat=Viewpoint(flipped=flipped, dark=player == 1),
        **arrows,
    )
    left, top, width, height = geometry()["view"]
    discs = [each for each in picture.shapes if isinstance(each, Disc) and each.radius == 20.5]
    words = [each for each in picture.shapes if isinstance(each, TextLine) and top < each.y < top + height]
    heads = [each for each in picture.shapes if isinstance(each, Polygon) and each.rim == "halo"]
    assert left == 0
    assert width == picture.width
    return {
        "discs": sorted(f"{each.x:g} {each.y:g} var(--board-{each.fill})" for each in discs),
        "words": sorted(f"{int(each.x + 0.5)} {int(each.y + 0.5)} {each.text}" for each in words),
        "told": picture.description,
        "place": f"{game['game']} {step['entry']}",
        "heads": sorted(" ".join(f"{round_half_up(x)},{round_half_up(y)}" for x, y in each.points) for each in heads),
    }


def round_half_up(value: float) -> str:
    """A number with one decimal, as JavaScript rounds it."""
    return f"{math.floor(10 * value + 0.5) / 10:g}"


@in_a_browser
def test_a_walk_through_the_match_shows_every_board(opened: Any) -> None:
    data = data_of(sample())
    steps = steps_of(data)
    opened.keyboard.press("Home")
    for number, (game, step) in enumerate(steps):
        assert opened.evaluate(_DRAWN) == expected(data, game, step), (game["game"], step["entry"])
        if number + 1 < len(steps):
            opened.keyboard.press("ArrowRight")
    assert opened.locator("#forward").is_disabled()
    opened.keyboard.press("f")
    assert opened.evaluate(_DRAWN) == expected(data, *steps[-1], flipped=True)
    opened.keyboard.press("ArrowLeft")
    assert where(opened) == (steps[-2][0]["game"], steps[-2][1]["entry"])


@in_a_browser
def test_a_blunder_says_what_is_right_at_every_score(browser: Any, tmp_path: Path) -> None:
    match = read(ROOT / "samples" / "seven-point.mat")
    analysis = analyse(match, Varied(0.1, 0.2))
    row = worst(analysis.decisions)[0]
    grid = at_scores(decode_id(row.xgid), 4, level="quick", made=row.played)
    shown_grid = page_grid(grid)
    file = tmp_path / "page.html"
    file.write_bytes(page_of(replace(analysis, grids=((row, grid),)), match))
    for width in (1440, 390):
        with quiet_page(browser, file.as_uri(), width) as shown:
            details = shown.locator("#alternatives details", has_text="At every score")
            details.locator("summary").click()
            cells = details.locator("td[class]").all_text_contents()
            assert cells == [cell[0] for _, *cells in shown_grid["rows"] for cell in cells if cell]
            words = [text.replace("\u2212", "-") for text in details.locator("p").all_text_contents()]
            assert words == shown_grid["words"]
            assert shown.evaluate("() => document.documentElement.scrollWidth") <= width
            # Beside an engine the grid of any decision is made when somebody looks.
            shown.evaluate(
                "grid => { globalThis.bgtools = { grid: async (id, made) => ({ ...grid, words: [made] }) }; }",
                shown_grid,
            )
            shown.keyboard.press("Home")
            other = shown.locator("#alternatives details", has_text="At every score")
            other.locator("summary").click()
            other.locator("p").wait_for()
            assert other.locator("p").all_text_contents() == [
                data_of(file.read_text("utf-8"))["games"][0]["steps"][0]["played"]
            ]


@in_a_browser
def test_the_page_opens_at_the_worst_error_with_the_board_in_the_window(opened: Any) -> None:
    data = data_of(sample())
    game, step, _ = data["errors"][0]
    assert where(opened) == (game, data["games"][game - 1]["steps"][step]["entry"])
    for width, height in ((1440, 900), (1280, 800), (1024, 768), (390, 844), (320, 700)):
        opened.set_viewport_size({"width": width, "height": height})
        opened.reload()
        assert is_board_seen(opened), width
        assert opened.evaluate("() => scrollY") == 0
        for name in ("strip", "why"):
            top = opened.evaluate(f"() => document.getElementById('{name}').getBoundingClientRect().top")
            assert 0 <= top < height, (name, width)


@in_a_browser
@pytest.mark.parametrize("width", [1440, 1024, 390, 320])
def test_every_way_ends_at_a_visible_board(opened: Any, width: int) -> None:
    opened.set_viewport_size({"width": width, "height": 760})
    before = where(opened)
    ends = []

    def see(name: str) -> None:
        opened.wait_for_timeout(30)
        assert is_board_seen(opened), name
        ends.append(where(opened))

    def scrolled() -> None:
        opened.evaluate("() => scrollTo({top: document.body.scrollHeight, behavior: 'instant'})")

    for key in ("n", "p", "ArrowRight", "g", "G", "End", "Home", "n"):
        opened.keyboard.press(key)
        see(key)
    scrolled()
    opened.locator("#errors tbody tr").nth(5).locator("td").nth(2).click()
    see("row")
    assert opened.evaluate("() => document.activeElement.id") == "main"
    opened.locator("#errors tbody tr").nth(7).locator("a").focus()
    opened.keyboard.press("Enter")
    see("link")
    opened.go_back()
    see("back")
    assert ends[-1] == ends[-3]
    opened.locator("#tab-charts").click()
    box = opened.locator("#charts svg").first
    box.scroll_into_view_if_needed()
    box.click()
    see("chart")
    opened.locator("#tab-games").click()
    opened.locator("#games a").nth(2).click()
    see("game")
    opened.locator("#list a").nth(40).click()
    see("move")
    opened.locator("#strip").click(position={"x": width * 0.7, "y": 50})
    see("strip")
    opened.goto(opened.url.partition("#")[0] + "#g2t9")
    see("link of a turn")
    assert len({before, *ends}) > 8


@in_a_browser
def test_keys_go_from_game_to_game_and_from_error_to_error(opened: Any) -> None:
    data = data_of(sample())
    errors = errors_in(data)
    opened.keyboard.press("Home")
    errors = errors[1:] if errors[0] == where(opened) else errors
    assert len(errors) > 5
    for place in errors[:6]:
        opened.keyboard.press("n")
        assert where(opened) == place
    opened.keyboard.press("p")
    assert where(opened) == errors[4]
    opened.keyboard.press("Home")
    opened.keyboard.press("ArrowDown")
    assert where(opened) == (2, data["games"][1]["steps"][0]["entry"])
    opened.keyboard.press("End")
    opened.keyboard.press("ArrowUp")
    assert where(opened) == (len(data["games"]) - 1, data["games"][-2]["steps"][0]["entry"])
    opened.keyboard.press("b")
    worst = data["classes"][-1]
    blunders = sorted(
        (game, step) for game, step, number in data["errors"]
        if data["games"][game - 1]["steps"][step]["decisions"][number]["error"] == worst
    )  # fmt: skip
    assert opened.locator("#errors tbody tr").count() == len(blunders)
    opened.keyboard.press("Home")
    opened.keyboard.press("n")
    first = next(place for place in blunders if place > (1, 0))
    assert where(opened) == (first[0], data["games"][first[0] - 1]["steps"][first[1]]["entry"])
    opened.keyboard.press("?")
    assert opened.locator("#help").is_visible()
    opened.locator("#help button").click()
    assert not opened.locator("#help").is_visible()


@in_a_browser
def test_the_state_is_in_the_link(opened: Any) -> None:
    opened.goto(opened.url.partition("#")[0] + "#g2t9;flip;player=1")
    data = data_of(sample())
    assert where(opened) == (2, next(s["entry"] for s in data["games"][1]["steps"] if s["turn"] == 9 and s["dice"]))
    rows = opened.locator("#errors tbody tr")
    own = [data["games"][game - 1]["steps"][step]["decisions"][number] for game, step, number in data["errors"]]
    assert rows.count() == sum(each["player"] == 1 for each in own)
    losses = [float(rows.nth(number).get_attribute("data-loss")) for number in range(rows.count())]
    assert losses == sorted(losses, reverse=True)
    for _ in range(3):
        opened.keyboard.press("f")
    assert opened.url.endswith(f"#g2e{where(opened)[1]};player=1")
    rows.nth(3).locator("a").click()
    assert where(opened) == (int(rows.nth(3).get_attribute("data-game")), rows.nth(3).get_attribute("data-entry"))
    assert opened.evaluate("() => location.hash").endswith(";player=1")


@in_a_browser
def test_the_moves_that_are_drawn_later_leave_the_current_move_in_sight(opened: Any) -> None:
    address = opened.url.partition("#")[0]
    for game in data_of(sample())["games"]:
        for step in game["steps"][::9]:
            opened.goto("about:blank")
            opened.goto(f"{address}#g{game['game']}e{step['entry']}")
            opened.wait_for_function(
                """() => {
                  const sections = [...document.querySelectorAll("#list section")];
                  const view = document.getElementById("list").getBoundingClientRect();
                  const move = document.querySelector("#list [aria-current]").getBoundingClientRect();
                  const inside = move.top > view.top + 20 && move.bottom < view.bottom;
                  return inside && sections.every((each) => each.firstChild);
                }""",
                timeout=10_000,
            )


@in_a_browser
def test_the_tab_key_reaches_everything_and_shows_where_it_is(opened: Any) -> None:
    """Whatever can be pressed is reached by Tab, has a frame while it has the focus, and can be left again."""
    wanting = """() => {
      const all = [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")];
      const seen = (each) => each.tabIndex >= 0 && each.checkVisibility({ visibilityProperty: true });
      window.left = new Set(all.filter(seen));
      return left.size;
    }"""
    reached = """() => {
      const each = document.activeElement;
      left.delete(each);
      return [each === document.body || getComputedStyle(each).outlineStyle !== "none", each.outerHTML.slice(0, 80)];
    }"""
    assert opened.locator("#list section h3").last.inner_text()
    opened.evaluate("() => { document.activeElement.blur(); getSelection().removeAllRanges(); }")
    count = opened.evaluate(wanting)
    assert count > 200
    for _ in range(count + 20):
        opened.keyboard.press("Tab")
        framed, text = opened.evaluate(reached)
        assert framed, text
    assert opened.evaluate("() => [...left].map((each) => each.outerHTML.slice(0, 80))") == []


@in_a_browser
def test_the_board_is_walked_and_a_play_tried_without_a_mouse(opened: Any) -> None:
    focus = "() => document.activeElement.id || document.activeElement.className"
    opened.keyboard.press("?")
    assert opened.locator("#help").is_visible()
    opened.keyboard.press("Escape")
    assert not opened.locator("#help").is_visible()
    opened.keyboard.press("n")
    assert opened.evaluate(focus) == "main"
    while opened.locator("#whatif").is_hidden():
        opened.keyboard.press("n")
    best = opened.locator(".choice .play").first.inner_text()
    opened.keyboard.press("t")
    opened.keyboard.type(best)
    opened.keyboard.press("Enter")
    assert "is the best play" in opened.locator("#live").inner_text()
    opened.keyboard.press("Escape")
    assert opened.evaluate(focus) == "main"
    place = where(opened)
    opened.locator(".choice").nth(1).focus()
    opened.keyboard.press("Enter")
    assert opened.locator(".choice").nth(1).get_attribute("aria-pressed") == "true"
    assert opened.evaluate(focus) == "choice n"
    opened.keyboard.press("Escape")
    opened.locator("[role=tab][aria-selected=true]").focus()
    names = set()
    for _ in range(opened.locator("[role=tab]").count()):
        opened.keyboard.press("ArrowRight")
        name = opened.evaluate(focus)
        names.add(name)
        assert opened.locator(f"#{name.replace('tab-', 'panel-')}").is_visible()
    assert len(names) == opened.locator("[role=tab]").count()
    assert where(opened) == place


@in_a_browser
def test_a_click_on_a_play_shows_its_board(opened: Any) -> None:
    data = data_of(sample())
    step = next(step for step in data["games"][0]["steps"] if step["turn"] == 3 and step["action"] == "roll")
    opened.goto(opened.url.partition("#")[0] + f"#g1e{step['entry']}")
    (play,) = (each for each in step["decisions"] if each["kind"] == "checker play")
    buttons = opened.locator("#alternatives .choice")
    assert opened.locator("#alternatives .play").all_text_contents() == [each["choice"] for each in play["choices"]]
    board = decode_id(step["ids"][0])
    names = (data["players"][step["player"]], data["players"][1 - step["player"]])
    for number, choice in enumerate(play["choices"][:3]):
        buttons.nth(number).click()
        after = board.play(choice["choice"]).board.flipped()
        assert opened.evaluate(_DRAWN)["told"] == board_picture(after, names=names).description
    opened.locator("#alternatives button[aria-pressed=true]").click()
    assert opened.evaluate(_DRAWN)["told"] == expected(data, data["games"][0], step)["told"]


@in_a_browser
def test_a_play_is_tried_by_typing_and_by_dragging(opened: Any) -> None:
    data = data_of(sample())
    game, step = next(
        (game, step)
        for game, step in steps_of(data)
        if step["action"] == "roll" and len(step["decisions"][-1]["choices"]) > 2
    )  # fmt: skip
    opened.goto(opened.url.partition("#")[0] + f"#g{game['game']}e{step['entry']}")
    play = next(one for one in step["decisions"] if one["kind"] == "checker play")
    position = decode_id(step["ids"][0])
    assert position.dice is not None
    valued = {choice["choice"] for choice in play["choices"]}
    for choice in play["choices"]:
        opened.fill("#try", choice["choice"])
        opened.keyboard.press("Enter")
        assert float(opened.locator("main").get_attribute("data-tried")) == pytest.approx(choice["equity"], abs=1e-6)
        after = position.play(choice["choice"]).board.flipped()
        names = (data["players"][step["player"]], data["players"][1 - step["player"]])
        assert opened.evaluate(_DRAWN)["told"] == board_picture(after, names=names).description
    other = next(play for play in legal_plays(position.board, position.dice) if str(play) not in valued)
    opened.fill("#try", str(other))
    opened.keyboard.press("Enter")
    assert float(opened.locator("main").get_attribute("data-tried")) < play["choices"][0]["equity"]
    assert f"{other}: \u2248 " in opened.locator("#live").inner_text()
    for text, reason in (
        ("24/1", f"23 pips do not fit {step['dice']}"),
        ("hello", "is no move"),
    ):
        opened.fill("#try", text)
        opened.keyboard.press("Enter")
        assert re.search(reason, opened.locator("#live").inner_text()), text
        assert opened.locator("#try").input_value() == text
    opened.keyboard.press("Escape")
    assert opened.locator("main").get_attribute("data-tried") is None
    # The first hop of the best play, dragged.
    ((start, end), *_) = (
        (hop.start, hop.end) for hop in hops_of(play["choices"][0]["choice"], position.board, step["dice"])
    )
    name = {25: "bar", 0: "off"}
    opened.drag_and_drop(f'[data-point="{name.get(start, start)}"]', f'[data-point="{name.get(end, end)}"]')
    mine = list(position.board.mine)
    mine[start] -= 1
    mine[end] += 1
    seen = opened.evaluate(_DRAWN)["told"].partition(";")[0]
    assert (f"{mine[end]} on {end}" if end else f"{mine[end]} off") in seen
    assert opened.locator("#done").is_visible()


@in_a_browser
def test_every_legal_play_has_a_value(opened: Any) -> None:
    """All plays of some rolls, doubles and rolls from the bar among them, are worth what the engine says of them."""
    rolls = [(game, step) for game, step in steps_of(data_of(sample())) if step["action"] == "roll"]
    doubles = [each for each in rolls if each[1]["dice"][0] == each[1]["dice"][1]]
    compared, engine = 0, Varied(0.1, 0.2)
    for game, step in [*rolls[2::60], doubles[2], *[each for each in rolls if ord(each[1]["board"][25]) > 97][:2]]:
        position = decode_id(step["ids"][0])
        assert position.dice is not None
        (answer,) = engine.checker([CheckerQuestion(position.board, position.dice, position.state)])
        assert isinstance(answer, CheckerAnswer)
        opened.goto(opened.url.partition("#")[0] + f"#g{game['game']}e{step['entry']}")
        for each in [one for one in answer.candidates if one.play.hops]:
            opened.fill("#try", str(each.play))
            opened.keyboard.press("Enter")
            tried = opened.locator("main").get_attribute("data-tried")
            assert float(tried) == pytest.approx(min(each.equity, answer.best.equity), abs=6e-4), (step, each)
            compared += 1
    assert compared > 100


def mark_of(luck: float) -> str:
    return "●" if luck >= 0.3 else "○" if luck <= -0.3 else ""


@in_a_browser
def test_the_rolls_are_a_grid_with_jokers_marked(opened: Any) -> None:
    step = next(step for step in data_of(sample())["games"][0]["steps"] if step["turn"] == 2 and step["dice"])
    opened.goto(opened.url.partition("#")[0] + f"#g1e{step['entry']}")
    opened.locator("#rolls summary").click()
    rows = opened.locator("#rolls tr")
    assert [rows.nth(number).locator("td").count() for number in range(rows.count())] == [6, 5, 4, 3, 2, 1]
    cells = {}
    for text in opened.locator("#rolls td").all_inner_texts():
        roll, value, *mark = text.replace("\u2212", "-").split()
        cells[roll] = "".join(mark), value
    assert cells == {roll: (mark_of(luck), f"{luck:+.3f}") for roll, luck in rolls_of(step).items()}
    assert {mark for mark, _ in cells.values()} == {"", "●", "○"}
    assert opened.locator("#rolls td.on b").inner_text().startswith(step["dice"])


@in_a_browser
def test_a_name_from_right_to_left_turns_nothing_beside_it(browser: Any, tmp_path: Path) -> None:
    name = "\u0645\u062d\u0645\u062f"
    match = read_text(SOUND.replace("Bob", name).replace("Ann", "\u202eevil"))
    file = tmp_path / "page.html"
    file.write_bytes(page_of(analyse(match, Varied(0.1, 0.2)), match, check(match)))
    shown = browser.new_page()
    shown.goto(file.as_uri())
    # The heading, the line of the player below, and the heads of the moves; a sheet of print has the first once more.
    for where, first, then in (
        ("h1", "evil", name), (".seat", name, "pips"),
    ):  # fmt: skip
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
    file.write_bytes(page_of(analyse(tagged, Varied(0.1, 0.2)), tagged, check(tagged), file="z" * 90))
    shown = browser.new_page(viewport={"width": width, "height": 740})
    shown.goto(file.as_uri())
    assert shown.evaluate("() => document.documentElement.scrollWidth") <= width
    shown.close()


@in_a_browser
@pytest.mark.parametrize("width", [390, 320])
def test_a_phone_keeps_the_board_and_reaches_every_button(opened: Any, width: int) -> None:
    opened.set_viewport_size({"width": width, "height": 740})
    assert opened.evaluate("() => document.documentElement.scrollWidth") <= width
    for button in opened.locator(".nav button:visible, [role=tab]").all():
        assert button.bounding_box()["height"] >= 44
    size = opened.evaluate(
        "() => document.querySelector('#board').getBoundingClientRect().width / 656 *"
        " Math.min(...[...document.querySelectorAll('#board text')]"
        ".map((each) => parseFloat(getComputedStyle(each).fontSize)))"
    )
    assert size >= 9
    rows = opened.evaluate("() => [...document.querySelectorAll('#errors tbody tr')].map((each) => each.offsetHeight)")
    assert len(rows) > 20
    assert max(rows) <= 62
    opened.evaluate("() => scrollTo({top: 900, behavior: 'instant'})")
    assert is_board_seen(opened)


@in_a_browser
def test_print_is_the_annotated_match_with_the_blunders(opened: Any) -> None:
    opened.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    opened.emulate_media(media="print")
    data = data_of(sample())
    assert opened.locator("#sheet").is_visible()
    assert not opened.locator("main").is_visible()
    worst = [data["games"][game - 1]["steps"][step]["decisions"][number] for game, step, number in data["errors"]]
    count = sum(each["error"] == data["classes"][-1] for each in worst)
    assert count > 5
    assert opened.locator("#sheet figure").count() == count
    assert opened.locator("#sheet section").count() == len(data["games"])
    assert opened.locator("#sheet thead h1").inner_text() == " ".join(data["heading"].split())


@in_a_browser
@pytest.mark.skipif(find_spec("axe_playwright_python") is None, reason="axe is not installed")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened: Any, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    opened.emulate_media(color_scheme=scheme)
    opened.goto(opened.url.partition("#")[0] + "#g1t2")
    opened.locator("#rolls summary").click()
    states = [
        None,
        "#tab-games",
        "#tab-breakdown",
        "#tab-charts",
        "#tab-all",
        "#tab-record",
        "#whatif button",
        ".choice",
    ]
    for state in states:
        if state is not None:
            opened.locator(state).first.click()
        found = Axe().run(opened).response["violations"]
        assert [(state, each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found] == []


@in_a_browser
@pytest.mark.parametrize("link", ["#%E0%A4%A", "#g1t2;flip;theme=%E0%A4%A", "#g1t2;theme=nothing;player=7", "#g99t1"])
def test_a_link_that_is_damaged_or_names_nothing_opens_the_page_all_the_same(
    browser: Any, address: str, link: str
) -> None:
    shown = browser.new_page()
    said: list[str] = []
    shown.on("pageerror", lambda error: said.append(str(error)))
    shown.goto(address + link)
    data = data_of(sample())
    game, step, _ = data["errors"][0]
    at_worst = game, data["games"][game - 1]["steps"][step]["entry"]
    second = next(step["entry"] for step in data["games"][0]["steps"] if step["turn"] == 2 and step["dice"])
    assert where(shown) == ((1, second) if "g1t2" in link else at_worst)
    count = len(data_of(sample())["errors"])
    assert shown.locator("#errors caption").inner_text() == f"{count} of {count} errors"
    picked = shown.locator("#filters select").evaluate_all("(list) => list.map((each) => each.value)")
    assert set(picked) == {""}
    assert said == []
    shown.close()


@in_a_browser
def test_a_button_that_leads_no_further_keeps_the_focus(opened: Any) -> None:
    opened.locator("#forward").focus()
    opened.keyboard.press("End")
    assert opened.evaluate("() => document.activeElement.id") == "forward"
    opened.keyboard.press("Enter")
    data = data_of(sample())
    assert where(opened) == (len(data["games"]), data["games"][-1]["steps"][-1]["entry"])


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
            game, entry = where(shown)
            assert begun.value.suggested_filename == f"g{game}e{entry}.png"
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
    steps = steps_of(data_of(file.read_text(encoding="utf-8")))
    shown.keyboard.press("Home")
    # A long session is walked game by game.
    for _ in steps[1:]:
        shown.keyboard.press("ArrowRight" if len(steps) < 50 else "ArrowDown")
    shown.keyboard.press("End")
    if steps:
        assert where(shown) == (steps[-1][0]["game"], steps[-1][1]["entry"])
        assert all(not step["legal"] for _, step in steps if "24/1" in step["played"])
        assert is_board_seen(shown)
    else:
        assert shown.locator(".lead").inner_text() == "The record holds no moves."
        buttons = [each.inner_text() for each in shown.locator("button:visible, [tabindex='0']:visible").all()]
        assert buttons[-1] == "Record"
        for tab in shown.locator("[role=tab]:visible").all():
            tab.click()
            assert tab.get_attribute("aria-selected") == "true"
        assert "Download the data" in [each.inner_text() for each in shown.locator("button:visible").all()]
    shown.close()
    assert said == []


@in_a_browser
def test_what_several_engines_say_stands_side_by_side(browser: Any, tmp_path: Path) -> None:
    match = read(ROOT / "samples" / "seven-point.mat")
    games = replay(match)
    analyses = [analyse(match, engine, games=games) for engine in (Varied(0.1, 0.2), FixedEngine(0.3, 0.1))]
    comparison = compare(("varied", "even <b>"), analyses, 0.02)
    file = tmp_path / "page.html"
    file.write_bytes(page_of(analyses[0], match, (), comparison))
    data = data_of(file.read_text(encoding="utf-8"))
    jsonschema.validate(data, SCHEMA)
    assert data["engines"] == ["varied", "even <b>"]
    shown = browser.new_page()
    shown.goto(file.as_uri())
    shown.locator("#tab-all").click()
    for number, name in enumerate(data["engines"]):
        of_both = [row for row in data["compared"][number]["totals"] if row[0] == "errors, of these blunders"]
        region = shown.get_by_role("region", name=f"Strength and luck by {name}", exact=True)
        assert region.get_by_role("row", name="errors, of these blunders").all_inner_texts() == ["\t".join(of_both[0])]
        assert f"{name}: {data['compared'][number]['sentence']}" in shown.locator("#panel-all").inner_text()
    shown.locator("#tab-record").click()
    for each in data["compared"]:
        assert f"{each['engine']}: {each['conventions']}" in shown.locator("#panel-record").inner_text()
    assert data["compared"][0]["totals"] != data["compared"][1]["totals"]
    judged = {(row.game, row.entry, row.kind): row for row in analyses[1].decisions if row.kind != "unplayed roll"}
    compared = 0
    for game, step in steps_of(data):
        for each in step["decisions"]:
            row = judged[game["game"], int(step["entry"].rstrip("ac")), each["kind"]]
            lost = "" if row.loss is None else f", lost {row.loss:.3f}"
            assert each["others"] == [f"even <b>: best {row.best or 'not known'}{lost}"]
            compared += 1
    assert compared == len(judged)
    shown.locator("main").focus()
    shown.keyboard.press("Home")
    for step in data["games"][0]["steps"][:6]:
        text = shown.locator("#why").inner_text()
        for decision in step["decisions"]:
            if decision["kind"] == "checker play":
                assert decision["others"][0] in text
        shown.keyboard.press("ArrowRight")
    shown.close()


KINDS = {
    **{name: text for name, text in RULINGS.items() if text is not HUNDRED},
    "25 points": SOUND.replace(" 3 point match", " 25 point match"),
    "names from right to left": SOUND.replace("Ann", "\u0645\u062d\u0645\u062f").replace("Bob", "\u05de\u05e9\u05d4"),
    "analysed": SOUND,
    "compared": SOUND,
}


@in_a_browser
@pytest.mark.skipif(find_spec("axe_playwright_python") is None, reason="axe is not installed")
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_in_any_kind_of_match(browser: Any, tmp_path: Path, kind: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    match = read_text(KINDS[kind])
    games = replay(match)
    by_kind: dict[str, list[FixedEngine]] = {
        "analysed": [Varied(0.1, 0.2)], "compared": [Varied(0.1, 0.2), FixedEngine(0.3, 0.1)],
    }  # fmt: skip
    engines = by_kind.get(kind, [])
    analyses = [analyse(match, engine, games=games) for engine in engines] or [analyse(match, None, games=games)]
    comparison = compare(("varied", "even"), analyses, 0.02) if len(analyses) > 1 else None
    file = tmp_path / "page.html"
    file.write_bytes(page_of(analyses[0], match, check(match, games), comparison))
    screens: list[tuple[int, int, dict[str, str]]] = [
        (1440, 900, {}), (720, 450, {"color_scheme": "dark"}), (390, 844, {"forced_colors": "active"}), (320, 700, {}),
    ]  # fmt: skip
    for width, height, looks in screens:
        context = browser.new_context(viewport={"width": width, "height": height}, **looks)
        shown = context.new_page()
        shown.goto(file.as_uri())
        found = Axe().run(shown).response["violations"]
        assert [(width, each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found] == []
        assert shown.evaluate("() => document.documentElement.scrollWidth") <= width
        context.close()


# --- in Firefox -----------------------------------------------------------------------------


@pytest.mark.needs(FIREFOX, "Firefox")
def test_firefox_shows_the_same(address: str) -> None:
    data = data_of(sample())
    steps = steps_of(data)
    firefox = Firefox()
    try:
        firefox.open(address + "#g1e1")
        for game, step in steps[:60]:
            assert firefox.evaluate(_DRAWN) == expected(data, game, step), step["entry"]
            firefox.press("ArrowRight")
        firefox.press("ArrowDown", "f")
        assert firefox.evaluate("() => location.hash") == f"#g{steps[60][0]['game'] + 1}e1;flip"
        firefox.open(address + "#g2t9;flip;player=1")
        entry = next(step["entry"] for step in data["games"][1]["steps"] if step["turn"] == 9 and step["dice"])
        place = firefox.evaluate("() => [document.querySelector('main').dataset.game, main.dataset.entry]")
        assert place == ["2", entry]
        own = [data["games"][game - 1]["steps"][step]["decisions"][number] for game, step, number in data["errors"]]
        rows = firefox.evaluate("() => document.querySelectorAll('#errors tbody tr').length")
        assert rows == sum(each["player"] == 1 for each in own)
        assert firefox.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
        assert firefox.picture().startswith(b"\x89PNG")
    finally:
        firefox.close()


@pytest.mark.needs(FIREFOX, "Firefox")
@pytest.mark.parametrize(("width", "dark"), [(1440, False), (500, True)])
def test_firefox_tries_a_play(address: str, width: int, dark: bool) -> None:
    game, step = next(each for each in steps_of(data_of(sample())) if each[1]["action"] == "roll")
    choices = step["decisions"][-1]["choices"]
    position = decode_id(step["ids"][0])
    (first, *_) = hops_of(choices[0]["choice"], position.board, step["dice"])
    firefox = Firefox(width, dark=dark)
    try:
        firefox.open(f"{address}#g{game['game']}e{step['entry']}")
        assert firefox.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches") is dark
        for text in (choices[0]["choice"], choices[-1]["choice"]):
            firefox.press("t", *text, "\ue007")
            tried = firefox.evaluate("() => [document.querySelector('main').dataset.tried, tried.hidden]")
            assert float(tried[0]) == pytest.approx(next(each["equity"] for each in choices if each["choice"] == text))
            assert tried[1] is False
            firefox.press("\ue00c")
        assert firefox.evaluate("() => [document.activeElement.id, tried.hidden]") == ["main", True]
        middle = """() => Object.fromEntries([...document.querySelectorAll("#board [data-point]")].map((each) => {
          const box = each.getBoundingClientRect();
          return [each.dataset.point, [box.left + box.width / 2, box.top + box.height / 2]];
        }))"""
        points = firefox.evaluate(middle)
        (x, y), end = points[str(first.start)], points[str(first.end)]
        firefox.drag((x, y), ((x + end[0]) / 2, (y + end[1]) / 2), tuple(end))
        seen = firefox.evaluate("() => document.getElementById('try').value")
        assert seen.replace("*", "") == f"{first.start}/{first.end}"
        assert firefox.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    finally:
        firefox.close()
