"""The rule command: pages by code and by name, all of them, and what is not a code."""

from __future__ import annotations

import json

import pytest

from bgtools.findings import codes
from program import bgtools


@pytest.mark.parametrize("name", ["BG204", "bg204", "bar-first"])
def test_a_page_is_found_by_its_code_and_by_its_name(name: str) -> None:
    done = bgtools("rule", name)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "BG204 bar-first (error)"
    assert "Why it matters" in lines
    assert "  R08 Checkers on the bar enter first; who cannot enter loses the rest of the roll." in lines


def test_all_prints_every_page() -> None:
    done = bgtools("rule", "--all")
    assert done.returncode == 0
    assert all(f"{code.id} {code.name} (" in done.stdout for code in codes.ALL)


def test_pages_come_as_json() -> None:
    done = bgtools("rule", "BG204", "no-hit", "--format", "json")
    pages = json.loads(done.stdout)
    assert [page["code"] for page in pages] == ["BG204", "BG220"]
    assert set(pages[0]) == {"code", "name", "severity", "finds", "why", "example", "do", "rules"}
    assert len(json.loads(bgtools("rule", "--all", "--format", "json").stdout)) == len(codes.ALL)


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("bar-frist", "; did you mean BG204 (bar-first)?"),
        ("BG24", "; did you mean BG2"),
        ("BG3", "; there are BG301 to BG3"),
        ("qqqq", '"qqqq"\n'),
        ("\x1b[31m", "[31m"),
    ],
)
def test_what_is_no_code_is_named_with_what_is_like_it(name: str, advice: str) -> None:
    done = bgtools("rule", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bgtools: there is no code ")
    assert advice in done.stderr
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize("arguments", [(), ("--all", "BG204")])
def test_it_wants_either_codes_or_all(arguments: tuple[str, ...]) -> None:
    done = bgtools("rule", *arguments)
    assert done.returncode == 2
    assert "BG204" in done.stderr
