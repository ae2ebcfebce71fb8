"""The page in which bgtools runs: what it finds is what the command line finds, and it asks nobody."""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
import shutil
import subprocess
import sys
import time
import zipfile
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browsers import in_a_browser
from marionette import FIREFOX, Firefox
from support import CORPUS
from wasm_engine import ROOT, TOLERANCE
from wasm_page import StaticHost, built_page, hosted, needs_page

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.timeout(600)
SAMPLES = ROOT / "samples"
LONG = 90_000


def corpus_files(each: int) -> list[Path]:
    """A few files of every kind in the corpus that are not large."""
    found: list[Path] = []
    for kind in sorted(path for path in CORPUS.glob("*") if path.is_dir() and path.name != "reference"):
        small = sorted(path for path in kind.iterdir() if path.is_file() and path.stat().st_size < 200_000)
        found += small[:: max(len(small) // each, 1)][:each]
    return found


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page, in a subfolder."""
    folder = tmp_path_factory.mktemp("host")
    shutil.copytree(built_page(), folder / "some" / "try")
    with hosted(folder) as running:
        yield f"{running.address}some/try/"


@contextmanager
def opened(running: Any, address: str, *, quiet: bool = True, **settings: Any) -> Iterator[Any]:
    """The page, ready; it may ask no other host, and complain of nothing."""
    context = running.new_context(**{"viewport": {"width": 1200, "height": 900}, "accept_downloads": True, **settings})
    page = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(address)
    page.evaluate("bgtools.ready")
    yield page
    home = re.match(r"https?://[^/]+/", address)
    assert home is not None
    foreign = [each for each in asked if not each.startswith((home[0], "data:", "blob:"))]
    context.close()
    assert foreign == []
    assert said == [] or not quiet


def call(page: Any, expression: str, data: bytes = b"", name: str = "") -> Any:
    """What a call gives: ``{"found": …}``, bytes in Base64, or ``{"error": …}``."""
    return page.evaluate(
        """async ([expression, text, name]) => {
          const data = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
          const coded = (found) => (found && found.data instanceof Uint8Array
            ? { ...found, data: btoa(Array.from(found.data, (each) => String.fromCharCode(each)).join("")) } : found);
          const calls = {
            check: () => bgtools.check(data, name), fix: () => bgtools.fix(data, name),
            sgf: () => bgtools.convert(data, name, "sgf"), json: () => bgtools.convert(data, name, "json"),
            quick: () => bgtools.report(data, name), file: () => bgtools.report(data, name, { engine: "file" }),
            third: () => bgtools.report(data, name, { match: 3 }),
            none: () => bgtools.report(data, name, { engine: "none" }), value: () => bgtools.evaluate(name),
            rollout: () => bgtools.report(data, name, { engine: "sage:rollout" }),
            gnubg: () => bgtools.evaluate(name, { engine: "gnubg:2" }),
          };
          try { return { found: coded(await calls[expression]()) }; } catch (error) { return { error: error.message }; }
        }""",
        [expression, base64.b64encode(data).decode(), name],
    )


def until(page: Any, condition: str) -> None:
    """Wait until something holds in the page, whose policy lets Playwright itself evaluate nothing there."""
    end = time.monotonic() + LONG / 1000
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(50)


def typed(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "bgtools", *arguments], cwd=folder, capture_output=True, check=False, timeout=300
    )


_RATES = ("/error_rate", "/xg_pr", "/value", "/low", "/high")


def near(one: Any, two: Any, where: str = "") -> list[str]:
    """Where two reports differ by more than 1e-4; a rate, which is 500 times a mean loss, by .002."""
    if isinstance(one, dict) and isinstance(two, dict):
        if one.keys() != two.keys():
            return [f"{where}: {sorted(one.keys() ^ two.keys())}"]
        return [each for key in one for each in near(one[key], two[key], f"{where}/{key}")]
    if isinstance(one, list) and isinstance(two, list):
        if len(one) != len(two):
            return [f"{where}: {len(one)}, {len(two)}"]
        return [each for at in range(len(one)) for each in near(one[at], two[at], f"{where}/{at}")]
    if isinstance(one, float) or isinstance(two, float):
        same = one == pytest.approx(two, abs=2e-3 if where.endswith(_RATES) else 1e-4, rel=1e-4)
        return [] if same else [f"{where}: {one}, {two}"]
    return [] if one == two else [f"{where}: {one}, {two}"]


@needs_page
@in_a_browser
def test_findings_and_conversions_are_those_of_the_command_line(browser: Any, host: str, tmp_path: Path) -> None:
    files = [*sorted(SAMPLES.glob("*.mat")), *corpus_files(2)]
    compared = {"findings": 0, "conversions": 0, "refused": 0}
    with opened(browser, host) as page:
        for number, path in enumerate(files):
            name = f"r{number}{path.suffix}"
            folder = tmp_path / str(number)
            folder.mkdir()
            (folder / name).write_bytes(path.read_bytes())
            done = typed(folder, "check", name, "--format", "json")
            found = call(page, "check", path.read_bytes(), name)
            if done.returncode == 2:
                assert "error" in found, (path, found)
                assert found["error"].split(": ", 1)[1] in done.stderr.decode(), path
                compared["refused"] += 1
                continue
            expected = json.loads(done.stdout)
            assert found.get("found") == expected, path
            compared["findings"] += 1
            for to in ("sgf", "json"):
                out = folder / f"out.{to}"
                done = typed(folder, "convert", name, out.name)
                made = call(page, to, path.read_bytes(), name)
                if not out.is_file():
                    assert "error" in made, (path, to, done.stderr, made.get("found", {}).get("losses"))
                    continue
                assert base64.b64decode(made["found"]["data"]) == out.read_bytes(), (path, to)
                compared["conversions"] += 1
    assert compared["findings"] >= 4, compared
    assert compared["conversions"] >= 8, compared


@needs_page
@in_a_browser
@pytest.mark.skipif(TOLERANCE > 1e-4, reason="the wheel for this processor has other values")
def test_reports_are_those_of_the_command_line(browser: Any, host: str, tmp_path: Path) -> None:
    pytest.importorskip("bgsage", reason="bgsage is not installed")
    with opened(browser, host) as page:
        for name, engine in (("seven-point.mat", "quick"), ("money.mat", "none")):
            data = (SAMPLES / name).read_bytes()
            (tmp_path / name).write_bytes(data)
            more = ("--level", "quick") if engine == "quick" else ("--engine", engine)
            assert typed(tmp_path, "report", name, "-o", engine, *more).returncode == 0
            expected = json.loads((tmp_path / engine / "report.json").read_text(encoding="utf-8")) | {"files": []}
            made = call(page, engine, data, name)
            assert "found" in made, made
            found = made["found"]
            assert near(found, expected) == [], (name, engine)
            for one, two in zip(found["players"], expected["players"], strict=True):
                for rating, figures in (two["ratings"] or {}).items():
                    value = one["ratings"][rating]["value"]
                    assert (value is None) == (figures["value"] is None)
                    assert value is None or f"{value:.2f}" == f"{figures['value']:.2f}"


@needs_page
@in_a_browser
def test_what_cannot_be_done_is_a_sentence(browser: Any, host: str) -> None:
    with opened(browser, host) as page:
        for expression, data, name, words in (
            ("check", b"", "empty.mat", "empty.mat"),
            ("check", bytes(range(256)) * 40, "noise.xg", "noise.xg"),
            ("check", b"PK\x03\x04" + bytes(100), "broken.zip", "broken.zip"),
            ("quick", b"hello", "hello.txt", "hello.txt"),
            ("rollout", (SAMPLES / "money.mat").read_bytes(), "money.mat", "not in this build"),
            ("gnubg", b"", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "not in this build"),
            ("value", b"", "XGID=what is this", "XGID"),
            ("file", (SAMPLES / "money.mat").read_bytes(), "money.mat", "analysis"),
        ):
            found = call(page, expression, data, name)
            assert words in found.get("error", ""), (expression, name, found)
            assert "fault of bgtools" not in found["error"], found
            assert "Traceback" not in found["error"], found
        assert (
            call(page, "value", b"", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")["found"]["best"]
            == "8/5 6/5"
        )
        cube = call(page, "value", b"", "XGID=-----CCCCC---c---cccc-----:0:0:1:00:0:0:0:7:10")["found"]["cube"]
        assert cube["no_double"] < cube["double_take"] < cube["double_pass"]


@needs_page
@in_a_browser
def test_a_hostile_record_is_text(browser: Any, host: str) -> None:
    text = (SAMPLES / "five-slips.mat").read_text(encoding="utf-8")
    bad = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    text = text.replace("Greta Holm", bad)
    with opened(browser, host) as page:
        title = page.title()
        page.set_input_files("#record", {"name": f"{bad[:20]}.mat", "mimeType": "text/plain", "buffer": text.encode()})
        page.wait_for_selector("#findings li")
        page.wait_for_selector("#work", state="hidden")
        assert "<img" in page.inner_text("#findings")
        page.select_option("#engine", "none")
        page.click("#start")
        page.wait_for_selector("#board", timeout=LONG)
        assert page.locator("#shown img, #shown script:not([type]), #findings img").count() == 0
        assert page.title() == title


def idle(page: Any) -> None:
    page.wait_for_selector("#work", state="hidden", timeout=LONG)


@needs_page
@in_a_browser
def test_a_record_is_repaired_converted_analysed_and_sent_as_a_link(browser: Any, host: str) -> None:
    with opened(browser, host) as page:
        page.click('[data-sample="five-slips.mat"]')
        page.wait_for_selector("#findings li")
        idle(page)
        before = page.locator("#findings li").count()
        page.click("#findings li:nth-child(2) button")
        until(page, f"document.querySelectorAll('#findings li').length < {before}")
        idle(page)
        page.click("#fix")
        until(page, "document.querySelectorAll('#findings li').length === 0")
        idle(page)
        with page.expect_download() as saved:
            page.click("#save")
        assert saved.value.suggested_filename == "five-slips.mat"
        repaired = Path(saved.value.path()).read_bytes()
        assert call(page, "check", repaired, "a.mat")["found"] == []
        page.select_option("#to", "sgf")
        with page.expect_download() as made:
            page.click("#convert button")
        assert made.value.suggested_filename == "five-slips.sgf"
        page.click("#start")
        page.wait_for_selector("#board", timeout=LONG)
        idle(page)
        assert page.locator("main, [role=main]").count() == 1
        while not page.is_visible("#try"):
            page.click("#forward")
        xgid = page.get_attribute("main", "data-xgid")
        plays = call(page, "value", b"", xgid)["found"]["plays"]
        page.fill("#try", plays[-1]["play"])
        page.keyboard.press("Enter")
        until(page, "!isNaN(document.querySelector('main').dataset.tried)")
        tried = float(page.get_attribute("main", "data-tried"))
        assert tried == pytest.approx(plays[-1]["equity"], abs=1e-4)
        page.keyboard.press("Escape")
        page.click("#link")
        until(page, "location.hash.startsWith('#m=')")
        link = page.evaluate("location.href")
        # Another report takes the place of the first, and the keys work once.
        page.select_option("#engine", "none")
        page.click("#start")
        until(page, "document.querySelector('#state').textContent === 'Analysed.'")
        idle(page)
    with opened(browser, link) as page:
        page.wait_for_selector("#record-card", timeout=LONG)
        assert "3 points, 3 games" in page.inner_text("#verdict-line")
    with opened(browser, f"{host}#m=x:damaged") as page:
        page.wait_for_selector("#trouble", timeout=LONG)
        assert "damaged" in page.inner_text("#trouble")


@needs_page
@in_a_browser
def test_a_position_is_set_up_pasted_and_valued(browser: Any, host: str) -> None:
    with opened(browser, host) as page:
        assert page.is_visible("#hello")
        assert page.locator("#editor svg circle").count() > 30
        written = "#editor input[readonly]"
        page.drag_and_drop('#editor [data-point="8"]', '#editor [data-point="5"]')
        page.drag_and_drop('#editor [data-point="6"]', '#editor [data-point="5"]')
        page.locator("#editor").get_by_label("Roll", exact=True).fill("61")
        xgid = page.input_value(written)
        page.locator("#editor button", has_text="Value it").click()
        page.wait_for_selector("#value", timeout=LONG)
        expected = call(page, "value", b"", xgid)["found"]
        assert page.inner_text("#value-title") == expected["best"]
        # Any notation, and a board drawn with letters, is put up.
        start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:"
        for text in ("4HPwATDgc/ABMA:cAkAAAAAAAAA", "11ccccchhhjjjjj:66666888dddddoo:N0N::W:R:0:0:0:0"):
            page.get_by_label("ID or picture").fill(text)
            page.keyboard.press("Enter")
            until(page, f"document.querySelector('{written}').value.startsWith('{start}')")
            page.drag_and_drop('#editor [data-point="8"]', '#editor [data-point="5"]')
        page.get_by_label("ID or picture").fill("no position")
        page.keyboard.press("Enter")
        until(page, "document.querySelector('#editor [role=status]').textContent !== ''")


@needs_page
@in_a_browser
def test_the_analysis_of_a_record_comes_first_and_nothing_is_lost_by_cancelling(browser: Any, host: str) -> None:
    with opened(browser, host) as page:
        page.click('[data-sample="five-slips.mat"]')
        page.wait_for_selector("#findings li")
        idle(page)
        assert page.input_value("#engine") == "sage"
        assert page.is_disabled('#engine [value="file"]')
        page.select_option("#engine", "none")
        page.click("#start")
        page.wait_for_selector("#board", timeout=LONG)
        idle(page)
        assert "The record has 5 findings, 5 errors among them; see Findings" in page.inner_text("#lead")
        page.select_option("#engine", "sage")
        page.click("#start")
        page.wait_for_selector("#work", state="visible")
        page.click("#cancel")
        until(page, "document.querySelector('#state').textContent === 'Ready.'")
        # The record, its findings and the report that was made are still there, and go on.
        assert page.locator("#findings li").count() == 5
        assert page.is_visible("#board")
        page.click("#fix")
        until(page, "document.querySelectorAll('#findings li').length === 0")


@needs_page
@in_a_browser
def test_a_file_with_an_analysis_is_shown_by_it(browser: Any, host: str) -> None:
    files = sorted((CORPUS / "xg").glob("*charlot*.xg"))
    if not files:
        pytest.skip("the corpus is not there")
    with opened(browser, host) as page:
        page.set_input_files("#record", str(files[0]))
        page.wait_for_selector("#more", timeout=LONG)
        idle(page)
        assert page.input_value("#engine") == "file"
        page.click("#start")
        page.wait_for_selector("#board", timeout=LONG)
        idle(page)
        assert "eXtreme Gammon" in page.locator("#panel-record").text_content()


@needs_page
@in_a_browser
def test_the_page_answers_while_it_works_and_can_be_cancelled(browser: Any, host: str) -> None:
    text = (SAMPLES / "five-slips.mat").read_text(encoding="utf-8").replace("13/8", "13/2")
    data = (text * (15_900_000 // len(text.encode()))).encode()
    with opened(browser, host) as page:
        page.set_input_files("#record", {"name": "wrong.mat", "mimeType": "text/plain", "buffer": data})
        page.wait_for_selector("#work", state="visible")
        slowest = 0.0
        for _ in range(10):
            start = time.perf_counter()
            assert page.evaluate("1 + 1") == 2
            slowest = max(slowest, time.perf_counter() - start)
            time.sleep(0.1)
        assert slowest < 2
        page.click("#cancel")
        until(page, "document.querySelector('#state').textContent === 'Ready.'")
        assert call(page, "check", (SAMPLES / "money.mat").read_bytes(), "money.mat")["found"] == []
        error = page.evaluate(
            """async () => {
              const data = new Uint8Array(await (await fetch("samples/seven-point.mat")).arrayBuffer());
              const asked = bgtools.report(data, "a.mat", { progress: () => bgtools.cancel() });
              return asked.then(() => "", (error) => error.message);
            }"""
        )
        assert error == "cancelled"


@needs_page
@in_a_browser
def test_it_works_without_a_network_and_never_mixes_builds(browser: Any, tmp_path: Path) -> None:
    shutil.copytree(built_page(), tmp_path / "try")
    context = browser.new_context()
    with hosted(tmp_path) as running:
        address = f"{running.address}try/"
        page = context.new_page()
        page.goto(address)
        page.evaluate("navigator.serviceWorker.ready")
        page.evaluate("bgtools.ready")
        # A new build that is not whole does not take its place.
        (tmp_path / "try" / "web_api.py").write_text("broken", encoding="utf-8")
        service = (tmp_path / "try" / "service.js").read_text(encoding="utf-8")
        (tmp_path / "try" / "service.js").write_text(service + "\n// another\n", encoding="utf-8")
        page.evaluate("navigator.serviceWorker.ready.then((found) => found.update().catch(() => {}))")
        page.wait_for_timeout(1500)
        page.reload()
        page.evaluate("bgtools.ready")
    page = context.new_page()
    page.goto(address)
    page.evaluate("bgtools.ready")
    found = call(page, "check", (SAMPLES / "five-slips.mat").read_bytes(), "a.mat")["found"]
    assert len(found) == 5
    context.close()


@needs_page
@in_a_browser
@pytest.mark.skipif(find_spec("axe_playwright_python") is None, reason="axe is not installed")
def test_axe_finds_nothing_and_a_phone_has_room(browser: Any, host: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for settings in ({"color_scheme": "dark"}, {"viewport": {"width": 390, "height": 800}, "has_touch": True}):
        with opened(browser, host, quiet=False, bypass_csp=True, **settings) as page:

            def clean(what: str) -> None:
                found = Axe().run(page).response["violations"]
                assert [(what, each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found] == []
                wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                assert wide <= 0, what

            clean("begin")
            page.click('[data-sample="five-slips.mat"]')
            page.wait_for_selector("#findings li")
            idle(page)
            clean("findings")
            small = page.evaluate(
                """[...document.querySelectorAll("button, select, input")].filter((each) =>
                  each.offsetParent && each.getBoundingClientRect().height < 44).map((each) => each.id)"""
            )
            assert small == [] or "viewport" not in settings
            page.fill("#position", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
            page.click("#paste button")
            page.wait_for_selector("#value", timeout=LONG)
            idle(page)
            clean("value")
            page.select_option("#engine", "none")
            page.click("#start")
            page.wait_for_selector("#board", timeout=LONG)
            idle(page)
            clean("report")


@needs_page
@pytest.mark.needs(FIREFOX, "Firefox")
def test_firefox_runs_it_too(host: str, tmp_path: Path) -> None:
    files = [*sorted(SAMPLES.glob("*.mat")), *corpus_files(1)]
    firefox = Firefox()
    compared = 0
    try:
        firefox.open(host)
        firefox.evaluate("() => bgtools.ready.then(() => true)")
        for number, path in enumerate(files):
            name = f"r{number}{path.suffix}"
            (tmp_path / name).write_bytes(path.read_bytes())
            done = typed(tmp_path, "check", name, "--format", "json")
            text = base64.b64encode(path.read_bytes()).decode()
            found = firefox.evaluate(
                f"""() => {{
                  const data = Uint8Array.from(atob("{text}"), (each) => each.charCodeAt(0));
                  return bgtools.check(data, "{name}").then((found) => JSON.stringify(found), (error) => error.message);
                }}"""
            )
            if done.returncode == 2:
                assert found.split(": ", 1)[1] in done.stderr.decode(), path
                continue
            assert json.loads(found) == json.loads(done.stdout), path
            compared += 1
        pr, best = firefox.evaluate(
            """async () => {
              const data = new Uint8Array(await (await fetch("samples/five-slips.mat")).arrayBuffer());
              const report = await bgtools.report(data, "five-slips.mat");
              const { plays } = await bgtools.evaluate("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10");
              return [report.players[0].ratings.xg_pr.value, plays[0].play];
            }"""
        )
    finally:
        firefox.close()
    assert compared >= 4
    assert 0 < pr < 50
    assert best == "8/5 6/5"


@needs_page
@in_a_browser
def test_an_archive_is_looked_into(browser: Any, host: str, tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("five-slips.mat", "money.mat"):
            archive.write(SAMPLES / name, f"matches/{name}")
        archive.writestr("read me.txt", "two matches")
    (tmp_path / "two.zip").write_bytes(packed.getvalue())
    alone = gzip.compress((SAMPLES / "five-slips.mat").read_bytes())
    with opened(browser, host) as page:
        found = call(page, "check", packed.getvalue(), "two.zip")["found"]
        assert found == json.loads(typed(tmp_path, "check", "two.zip", "--format", "json").stdout)
        assert call(page, "third", packed.getvalue(), "two.zip")["error"].endswith(
            "there are 2 matches in it, and no match 3"
        )
        page.set_input_files("#record", tmp_path / "two.zip")
        page.wait_for_selector("#findings li")
        idle(page)
        page.select_option("#which", "2")
        page.select_option("#engine", "none")
        page.click("#start")
        page.wait_for_selector("#board", timeout=LONG)
        assert "Carla Benetti" in page.inner_text("#shown h1")
        assert len(call(page, "check", alone, "one.mat.gz")["found"]) == 5
        assert call(page, "none", alone, "one.mat.gz")["found"]["match"]["players"] == ["Greta Holm", "Ivan Petrov"]


@needs_page
def test_the_page_says_what_it_is_made_of() -> None:
    text = (built_page() / "index.html").read_text(encoding="utf-8")
    for words in ("bgsage 2.0", "MPL-2.0", "Pyodide", "Rollouts", "not in this build"):
        assert words in text
    assert not re.search(r"https?://(?!www\.w3\.org)", text)


def test_the_host_of_these_tests_is_this_machine() -> None:
    assert StaticHost.daemon_threads
