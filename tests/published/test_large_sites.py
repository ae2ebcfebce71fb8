"""Two thousand matches: nothing is made twice, the errors are found at once; and a run that is killed goes on."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, cast

import pytest

from bgtools.cli._site import document_store
from bgtools.site.building import HeldPage, SiteState, SiteWriter, build_site, is_up_to_date
from bgtools.site.collection import PublishedMatches
from browsers import CHROMIUM, in_a_browser, quiet_page
from club import heap, put
from program import ROOT, bgtools

if TYPE_CHECKING:
    from pathlib import Path

    from bgtools.site.document import MatchDocument

MATCHES = 2000
_IS_LOADED = "() => !document.querySelector('#count').textContent.includes('so far')"


def documents(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[MatchDocument]:
    """Documents of many matches, each like one of some that were made from records, with dice of its own."""
    from bgtools.cli._site import _unpacked

    monkeypatch.setenv("BGTOOLS_CACHE", str(folder / "cache"))
    put(folder / "in", heap(6, random.Random(9)), has_analysis=True)
    bgtools("report", str(folder / "in"), "-o", str(folder / "small"), "--engine", "file")
    store = document_store()
    assert store._connection is not None
    rows = store._connection.execute("SELECT key, answer FROM answers").fetchall()
    some = [_unpacked(answer) for key, answer in rows if key.endswith(b"d")]
    store.close()
    rng, found = random.Random(1), []
    for number in range(MATCHES):
        one = dict(some[number % len(some)])
        rolls = "".join(rng.choice("ABCDEFGHIJKLMNOPQRSTU") + rng.choice("0123456789") for _ in range(60))
        errors = one["errors"] * (35 // max(len(one["errors"]), 1) + 1)
        one |= {
            "players": rng.sample([f"Nadia Number{each}" for each in range(300)], 2),
            "file": f"{number}.mat", "date": f"20{10 + number % 15}-0{1 + number % 9}-11", "fingerprint": f"{rolls}.",
            "event": f"Cup {number % 30}", "errors": errors[:35],
        }  # fmt: skip
        found.append(cast("MatchDocument", one))
    return found


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_one_more_of_two_thousand_matches_changes_few_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = documents(tmp_path, monkeypatch)

    def build(count: int) -> int:
        collection = PublishedMatches(some[:count], "Large", rate=rate)
        writer = SiteWriter(tmp_path / "site", SiteState.of(tmp_path / "site"))
        keys = {each.slug: each.document["file"] for each in collection.matches}
        held = HeldPage(dict.fromkeys(("title", "names", "lead", "hide", "empty", "tabs", "panels", "sheet"), ""), b"x")
        for _ in build_site(collection, writer, {}, lambda _: held, keys):
            pass
        writer.finish("asked", {each["file"]: [1, 2] for each in some[:count]}, is_clean=True)
        return writer.written

    def rate(losses: Any) -> Any:
        from bgtools.analysis.pooling import PooledRating

        return PooledRating(sum(losses) / len(losses) if losses else None, None, None, len(losses))

    assert build(MATCHES - 1) > MATCHES
    assert build(MATCHES - 1) == 0
    assert 5 < build(MATCHES) <= 12
    begun = time.monotonic()
    looks = {each["file"]: (1, 2) for each in some}
    assert is_up_to_date(tmp_path / "site", SiteState.of(tmp_path / "site"), "asked", looks)
    assert time.monotonic() - begun < 2


@in_a_browser
def test_seventy_thousand_errors_are_filtered_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from playwright.sync_api import sync_playwright

    from bgtools.analysis.pooling import PooledRating

    collection = PublishedMatches(
        documents(tmp_path, monkeypatch), "Large", rate=lambda losses: PooledRating(None, None, None, len(losses))
    )
    writer = SiteWriter(tmp_path / "site", SiteState())
    keys = {each.slug: each.document["file"] for each in collection.matches}
    held = HeldPage(dict.fromkeys(("title", "names", "lead", "hide", "empty", "tabs", "panels", "sheet"), ""), b"x")
    for _ in build_site(collection, writer, {}, lambda _: held, keys):
        pass
    with sync_playwright() as started:
        running = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        begun = time.monotonic()
        with quiet_page(running, (tmp_path / "site" / "errors.html").as_uri(), 1440) as shown:
            shown.wait_for_selector("#found li")
            ready = time.monotonic() - begun
            shown.wait_for_function(
                "() => !document.querySelector('#count').textContent.includes('so far')", timeout=30000
            )
            took = shown.evaluate(
                """() => { const field = document.querySelector("select[name=kind]"), begun = performance.now();
                field.value = "cube"; field.dispatchEvent(new Event("input", { bubbles: true }));
                return performance.now() - begun; }"""
            )
        running.close()
    assert ready < 5
    assert took < 500


@pytest.mark.thorough
def test_a_run_that_is_killed_goes_on_and_ends_the_same(tmp_path: Path) -> None:
    put(tmp_path / "in", heap(12, random.Random(3)), has_analysis=True)
    plain = bgtools(
        "report", str(tmp_path / "in"), "-o", str(tmp_path / "whole"), "--engine", "file",
        environment={"BGTOOLS_CACHE": str(tmp_path / "one")},
    )  # fmt: skip
    assert plain.returncode in (0, 1)
    rng = random.Random(4)
    environment = {**os.environ, "PYTHONPATH": ROOT, "BGTOOLS_CACHE": str(tmp_path / "other")}
    arguments = ["report", str(tmp_path / "in"), "-o", str(tmp_path / "killed"), "--engine", "file"]
    ended = amid = 0
    for number in range(24):
        running = subprocess.Popen(
            [sys.executable, "-m", "bgtools", *arguments], env=environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        if number == 12:
            shutil.rmtree(tmp_path / "killed", ignore_errors=True)
        pages = tmp_path / "killed" / "match"
        end = time.monotonic() + (rng.uniform(0.5, 4) if number < 12 else 60)
        # The first runs are killed at any moment, the others while they write pages.
        while time.monotonic() < end and running.poll() is None:
            if number >= 12 and pages.exists() and len([*pages.iterdir()]) >= number - 11:
                amid += 1
                break
            time.sleep(0.005)
        ended += running.poll() is not None
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    assert ended < 20
    assert amid >= 1
    bgtools(*arguments, environment={"BGTOOLS_CACHE": str(tmp_path / "other")})
    found = [
        {each.relative_to(top).as_posix(): each.read_bytes() for each in top.rglob("*") if each.is_file()}
        for top in (tmp_path / "whole", tmp_path / "killed")
    ]
    assert found[0].keys() == found[1].keys()
    assert found[0] == found[1]
    assert len(found[0]) > 20
