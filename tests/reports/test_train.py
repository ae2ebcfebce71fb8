"""The page to train with: it asks, tells what an answer is worth, and repeats by the published rule."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from random import Random
from time import time
from typing import TYPE_CHECKING, Any

import pytest

from bgtools import read
from bgtools.analysis.blunders import NEAR, DecisionFilter, blunders_of, can_be_asked, question_key, worst_of
from bgtools.analysis.match_analysis import analyse
from bgtools.analysis.repetition import Progress, Review, card_after, grade_of
from bgtools.board.board import BAR
from bgtools.board.generation import legal_plays
from bgtools.board.hopping import hops_of
from bgtools.board.movement import resolve
from bgtools.board.notation import read_play
from bgtools.board.violation import Reason, Violation
from bgtools.engines.protocol import ROLLS
from bgtools.met.finding import default
from bgtools.positions.notations import decode_id
from bgtools.reports.sheets.writing import sheet_bytes
from browsers import data_of, in_a_browser, quiet_page
from program import SOUND, bgtools
from support import read_text, spread
from varied_engine import Varied

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.analysis.blunders import Blunder
    from bgtools.board.board import Board, Dice

ROOT = Path(__file__).parents[2]


@cache
def blunders() -> tuple[Blunder, ...]:
    match = read(ROOT / "samples" / "seven-point.mat")
    analysis = analyse(match, Varied(0.1, 0.2))
    found = blunders_of(analysis, "matches/seven-point.mat", 1, DecisionFilter(), "2026-03-01")
    plays = worst_of((each for each in found if each.row.kind == "checker play"), 8)
    cubes = worst_of((each for each in found if each.row.kind != "checker play"), 6)
    return tuple(replace(each, date=f"2026-0{1 + number % 3}-11") for number, each in enumerate([*plays, *cubes]))


@pytest.fixture
def address(tmp_path: Path) -> str:
    file = tmp_path / "train #1.html"
    file.write_bytes(sheet_bytes(blunders(), ".html", met=default()))
    return file.as_uri()


@pytest.fixture
def opened(browser: Any, address: str) -> Iterator[Any]:
    """The page, which may ask for nothing and complain of nothing."""
    with quiet_page(browser, address, 1280) as shown:
        shown.evaluate("() => document.querySelectorAll('#figures details').forEach((each) => { each.open = true; })")
        yield shown


def asked(shown: Any) -> Blunder:
    """What the page asks."""
    key = shown.locator("#train").get_attribute("data-key")
    return next(each for each in blunders() if question_key(each.row) == key)


@in_a_browser
def test_answers_are_judged_and_all_alternatives_are_shown(opened: Any) -> None:
    kinds = set()
    for _ in range(len(blunders())):
        blunder = asked(opened)
        row = blunder.row
        kinds.add(row.kind)
        assert not opened.locator("#why").is_visible()
        if row.kind == "checker play":
            opened.fill("#train input", "6/1 27/3")
            opened.keyboard.press("Enter")
            assert "It costs nothing" in opened.locator("#verdict").inner_text()
            assert not opened.locator("#why").is_visible()
            wrong = row.choices[-1]
            opened.fill("#train input", wrong.choice)
            opened.keyboard.press("Enter")
            if wrong.loss >= NEAR:
                assert result(opened).startswith(f"Wrong {wrong.choice} loses {wrong.loss:.3f}, ")
                assert row.choices[0].choice not in opened.locator("#right").inner_text()
                assert not opened.locator("#alternatives").is_visible()
                opened.locator("#show-answer").click()
            assert opened.locator("#alternatives .play").all_text_contents() == [each.choice for each in row.choices]
            assert f"{wrong.choice} loses {wrong.loss:.3f}; best {row.choices[0].choice}" in result(opened)
        else:
            answers = "take or pass" if row.kind in ("take", "pass") else "double or no double"
            assert opened.locator("#try").get_attribute("placeholder") == answers
            right = row.best
            opened.locator("#actions button", has_text=right).first.click()
            assert result(opened).startswith("Right")
            assert opened.locator("#alternatives tbody tr").count() == len(row.choices)
        if row.sentence:
            assert opened.locator("#reason").inner_text().replace("\u2212", "-").lower() == f"{row.sentence}.".lower()
        opened.locator("#next").click()
    assert len(kinds) >= 3
    assert f"0 new, {len(blunders())} later" in opened.locator("#standing").inner_text()
    rows = opened.locator("#themes tbody tr").all_inner_texts()
    assert sum(int(text.split("\t")[2]) for text in rows) == sum(len(each.row.themes) for each in blunders())


@in_a_browser
def test_what_was_only_shown_is_not_answered(opened: Any) -> None:
    themes = asked(opened).row.themes
    opened.locator("#show-answer").click()
    assert result(opened).startswith("Shown: best ")
    counts = [text.split("\t") for text in opened.locator("#themes tbody tr").all_inner_texts()]
    assert themes
    assert {each[2] for each in counts} == {"0"}
    assert opened.locator("#score").inner_text() == "Nothing has been answered yet."
    assert f"{len(blunders()) - 1} new, 1 later" in opened.locator("#standing").inner_text()


def result(shown: Any) -> str:
    text: str = shown.locator("#result").inner_text()
    return text


@in_a_browser
def test_a_dragged_play_is_an_answer_and_can_be_taken_back(opened: Any) -> None:
    while asked(opened).row.kind != "checker play":
        opened.locator("#next").click()
    row = asked(opened).row
    play = row.choices[0]
    hops = [(hop.start, hop.end) for hop in hops_of(play.choice, decode_id(row.xgid).board, row.dice)]
    name = {25: "bar", 0: "off"}
    start, end = hops[0]
    opened.drag_and_drop(f'[data-point="{name.get(start, start)}"]', f'[data-point="{name.get(end, end)}"]')
    opened.locator("#undo").click()
    assert opened.locator("#try").input_value() == ""
    for start, end in hops:
        opened.drag_and_drop(f'[data-point="{name.get(start, start)}"]', f'[data-point="{name.get(end, end)}"]')
    opened.locator("#give").click()
    assert result(opened).startswith(f"Right {play.choice}")


@in_a_browser
def test_progress_is_kept_saved_and_loaded_by_page_and_terminal(opened: Any, tmp_path: Path) -> None:
    first = asked(opened)
    opened.locator("#show-answer").click()
    opened.locator("#next").click()
    assert asked(opened) != first
    opened.reload()
    assert "1 later" in opened.locator("#standing").inner_text()
    with opened.expect_download() as begun:
        opened.locator("#save").click()
    progress = Progress.read(Path(begun.value.path()).read_bytes())
    assert [review.grade for review in progress.reviews[question_key(first.row)]] == [1]
    assert progress.reviews[question_key(first.row)][0].loss is None
    other = asked(opened)
    progress.add(question_key(other.row), [Review(1_700_000_000, 3, 0.0)])
    file = tmp_path / "answers.json"
    file.write_text(progress.text())
    opened.locator("#file").set_input_files(str(file))
    opened.wait_for_function("() => document.getElementById('live').textContent.includes('added')")
    assert "1 due" in opened.locator("#standing").inner_text()
    # What has been answered, as a file says, leaves the board.
    progress.add(question_key(asked(opened).row), [Review(int(time()), 3, 0.0)])
    gone = asked(opened)
    file.write_text(progress.text())
    opened.locator("#file").set_input_files(str(file))
    opened.wait_for_function("() => document.getElementById('loaded').textContent.includes('1 answer added')")
    assert asked(opened) != gone
    wrong = tmp_path / "wrong.json"
    wrong.write_text("[1]")
    opened.locator("#file").set_input_files(str(wrong))
    opened.wait_for_function("() => document.getElementById('live').textContent.includes('keeps no progress')")
    # What is due already when the page is made comes first.
    made = sheet_bytes(blunders(), ".html", progress=progress)
    assert json.loads(made.partition(b'id="bgtools-data">')[2].partition(b"</script>")[0])["reviews"]


@in_a_browser
def test_the_errors_over_months_are_a_map(opened: Any) -> None:
    heads = opened.locator("#months th[scope=col]").all_inner_texts()
    assert heads == ["theme", "2026-01", "2026-02", "2026-03"]
    cells = [text for text in opened.locator("#months td").all_inner_texts() if text.strip()]
    assert sum(map(int, cells)) >= len(blunders())


@in_a_browser
def test_the_page_repeats_by_the_rule_of_the_package(opened: Any, address: str) -> None:
    chance = Random(5)
    script = Path(ROOT / "bgtools" / "reports" / "page" / "train.js").read_text(encoding="utf-8")
    head = "const data = JSON.parse(document.getElementById('bgtools-data').textContent);"
    part = head + script.partition("// --- questions")[0]
    compared = 0
    for _ in range(300):
        when, reviews = 1_700_000_000, []
        for _ in range(chance.randint(1, 9)):
            reviews.append((when, chance.choice((1, 2, 3, 4)), None))
            when += int(86400 * chance.choice((0.01, 0.4, 1, 3, 10, 45, 200)) * (1 + chance.random()))
        state = opened.evaluate(f"(list) => {{ {part} return stateOf(list); }}", reviews)
        card = card_after(Review(*each) for each in reviews)
        assert card.stability == pytest.approx(state["stability"], rel=1e-9)
        assert card.difficulty == pytest.approx(state["difficulty"], rel=1e-9)
        assert card.due.timestamp() == state["due"]
        compared += len(reviews)
    assert compared > 1000


@in_a_browser
def test_the_plays_of_the_page_are_those_of_the_rules(opened: Any) -> None:
    script = Path(ROOT / "bgtools" / "reports" / "page" / "rules.js").read_text(encoding="utf-8")
    chance = Random(11)
    asked_of = [(board, chance.choice(ROLLS)) for board in spread(3, 2500)]
    found = opened.evaluate(
        f"(list) => {{ {script} return list.map(([m, t, dice]) => [...R.plays({{m, t}}, dice).values()].map((one) => "
        "[one.board.m.join(), one.board.t.join(), R.write({m, t}, one.hops)])); }",
        [[list(board.mine), list(board.theirs), list(dice)] for board, dice in asked_of],
    )
    plays = 0
    for (board, dice), each in zip(asked_of, found, strict=True):
        expected = {(play.result.mine, play.result.theirs) for play in legal_plays(board, dice)}
        boards = {tuple(tuple(map(int, side.split(","))) for side in (mine, theirs)) for mine, theirs, _ in each}
        assert boards == expected, (board, dice)
        plays += len(expected)
    assert plays > 20_000


def refused_plays(seed: int, count: int) -> Iterator[tuple[Board, Dice, str]]:
    """Plays that nobody may make: legal ones with a point changed, a part left out or doubled, and made-up ones."""
    rng = Random(seed)
    boards = [board for board in spread(seed, count) if not board.is_over]
    while True:
        board = rng.choice(boards)
        high, low = sorted((rng.randint(1, 6), rng.randint(1, 6)), reverse=True)
        parts = str(rng.choice(legal_plays(board, (high, low)))).replace("*", "").split()
        way = rng.randrange(5)
        if way == 0 or not parts or "Cannot" in parts[0]:
            start = rng.choice([point for point in range(1, 26) if board.mine[point]] or [6])
            parts = [
                f"{_point(start)}/{_point(max(start - rng.choice((high, low, high + low, rng.randint(1, 12))), 0))}"
                for _ in range(rng.randint(1, 3))
            ]
        elif way == 1:
            parts = rng.sample(parts, len(parts) - 1) or parts
        elif way == 2:
            parts.append(rng.choice(parts))
        else:
            at = rng.randrange(len(parts))
            points = [*parts[at].partition("(")[0].split("/")]
            place = rng.randrange(len(points))
            points[place] = _point(rng.randint(0, 25))
            parts[at] = "/".join(points)
        yield board, (high, low), " ".join(parts)


def _point(number: int) -> str:
    return {25: "bar", 0: "off"}.get(number, str(number))


def why_not(board: Board, dice: Dice, text: str) -> str | None:
    """What the page has to say of a play, by the referee's reason; None where the play is legal, or no play."""
    hops = read_play(text).hops
    found = resolve(board, dice, hops)
    if not isinstance(found, Violation) or not hops:
        return None
    roll = f"{dice[0]}{dice[1]}"
    if not legal_plays(board, dice)[0].hops:
        return f"No number of {roll} can be played."
    start, end = found.start, found.end
    stands = board.mine[start] if start is not None and start <= BAR else 0
    where = "the bar" if start == BAR else start
    match found.reason:
        case Reason.NO_CHECKER:
            return f"Only {stands} on {where}." if stands else f"No checker on {where}."
        case Reason.BLOCKED:
            return f"The {end} point is held by {found.blockers} opposing checkers."
        case Reason.BAR_FIRST:
            return "A checker on the bar has to enter first."
        case Reason.BACKWARDS:
            return f"{_point(start or 0)}/{_point(end or 0)} moves backwards."
        case Reason.NOT_HOME:
            return "Checkers are borne off only when all are at home."
        case Reason.HIGHER_CHECKER:
            return f"The {found.die} bears off no checker from {start}: one stands on {found.point}."
        case Reason.WRONG_DIE:
            pips = (start or 0) - (end or 0)
            if pips in dice:
                return f"The {pips} of {roll} is played once."
            return f"{pips} {'pip does' if pips == 1 else 'pips do'} not fit {roll}."
        case Reason.TOO_MANY_HOPS:
            return f"That is one move more than {roll} gives."
        case Reason.DIE_UNPLAYED:
            return "More of the roll can be played, and has to be."
        case _:
            return "The higher number has to be played."


@in_a_browser
def test_the_page_refuses_with_the_reason_of_the_referee(opened: Any) -> None:
    script = Path(ROOT / "bgtools" / "reports" / "page" / "rules.js").read_text(encoding="utf-8")
    wanted: list[tuple[Board, Dice, str, str]] = []
    for board, dice, text in refused_plays(76, 2500):
        reason = why_not(board, dice, text)
        # Nobody starts from off or lands on the bar: that is no move at all.
        if reason is not None and not re.search(r"(?:^| )off|/bar", text):
            wanted.append((board, dice, text, reason))
        if len(wanted) == 5000:
            break
    found = opened.evaluate(
        f"(list) => {{ {script} return list.map(([m, t, dice, text]) => R.read({{m, t}}, dice, text).why); }}",
        [[list(board.mine), list(board.theirs), list(dice), text] for board, dice, text, _ in wanted],
    )
    wrong = [(*each, said) for each, said in zip(wanted, found, strict=True) if said != each[3]]
    assert wrong == []
    kinds = Counter(re.sub(r"\d+", "N", reason) for *_, reason in wanted)
    assert len(kinds) >= 12, kinds


@in_a_browser
@pytest.mark.skipif(find_spec("axe_playwright_python") is None, reason="axe is not installed")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened: Any, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    opened.emulate_media(color_scheme=scheme)
    for action in ("", "#show-answer", "#next"):
        if action:
            opened.locator(action).click()
        found = Axe().run(opened).response["violations"]
        assert [(action, each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found] == []
    opened.set_viewport_size({"width": 320, "height": 700})
    assert opened.evaluate("() => document.documentElement.scrollWidth") <= 320


def test_grades_follow_the_loss() -> None:
    assert [grade_of(loss) for loss in (0.0, 0.0004, 0.0006, 0.0199, 0.02, 1.0)] == [3, 3, 2, 2, 1, 1]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"made_by": "bgtools"}', '{"made_by": "x", "reviews": {}}',
                                  '{"made_by": "bgtools", "reviews": {"a": [[1, 9, 0]]}}', "[" * 100_000])  # fmt: skip
def test_a_file_that_keeps_no_answers_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="it keeps no answers"):
        Progress.read(text)
    file = tmp_path / "answers.json"
    file.write_text(text)
    record = tmp_path / "m.mat"
    record.write_text(SOUND)
    done = bgtools("blunders", str(record), "--level", "quick", "--progress", str(file), "-o", str(tmp_path / "t.html"))
    assert done.returncode == 2
    assert "keeps no answers" in done.stderr
    assert file.read_text() == text


def test_a_page_of_hostile_names_holds_them_as_text() -> None:
    match = read_text(SOUND.replace("Ann", "</script><script>alert(1)</script>").replace("Bob", "<b>\u2028"))
    analysis = analyse(match, Varied(0.1, 0.2))
    made = sheet_bytes(blunders_of(analysis, "<i>.mat", 1, DecisionFilter()), ".html").decode()
    assert made.count("</script>") == 2
    assert "<script>alert" not in made
    assert data_of(made)["questions"]


def test_the_reports_that_are_there_are_linked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    some = [replace(each, file="seven-point.mat") for each in blunders() if can_be_asked(each.row)]
    (tmp_path / "seven-point-report").mkdir()
    (tmp_path / "seven-point-report" / "report.html").write_text("x")
    questions = data_of(sheet_bytes(some, ".html", beside=tmp_path / "pages").decode())["questions"]
    for each, blunder in zip(questions, some, strict=True):
        assert each["report"] == f"../seven-point-report/report.html#g{blunder.row.game}e{blunder.row.entry}"
        assert decode_id(each["ids"][0]).board == decode_id(blunder.row.xgid).board
