"""The manual: a page for every code, examples that are what they say, and a document that is up to date."""

from __future__ import annotations

import importlib.util
import re
from importlib.resources import files
from pathlib import Path

from bgtools.findings import codes
from bgtools.findings.finding import Code
from bgtools.findings.manual import (
    NO_PAGE,
    as_data,
    as_markdown,
    as_text,
    page,
)
from bgtools.findings.manual.rules import RULES
from support import found, ids

DOCS = Path(__file__).parents[2] / "docs"
HEAD = " 3 point match\n\n Game 1\n Ann : 0                          Bob : 0\n"


def test_every_code_has_a_whole_page() -> None:
    for code in codes.ALL:
        explained = page(code)
        assert explained != NO_PAGE, f"write the page of {code.id} in bgtools/findings/pages/"
        assert all((code.page, explained.why, explained.example, explained.do)), code.id
        assert not any(line != line.rstrip() for line in explained.example.splitlines()), code.id
        assert set(code.rule) <= RULES.keys(), code.id


def test_the_example_of_a_page_is_one_of_it_and_of_nothing_else() -> None:
    for code in codes.CHECKED:
        example = page(code).example
        whole = "match" in example.splitlines()[0] or "Game" in example
        assert ids(found((example if whole else HEAD + example) + "\n")) == [code.id]


def test_pages_fit_on_a_terminal() -> None:
    for code in codes.ALL:
        shown = as_text(code)
        example = [row.strip() for row in page(code).example.splitlines()]
        wide = [line for line in shown.splitlines() if len(line) > 100 and line.strip() not in example]
        assert wide == [], code.id
        assert shown.startswith(f"{code.id} {code.name} ({code.severity})\n")
        assert all(part in shown for part in ("Why it matters\n", "Example\n", "What to do\n")), code.id


def test_a_rule_of_the_game_is_told_with_its_words() -> None:
    assert "  R08 Checkers on the bar enter first" in as_text(codes.BAR_FIRST)
    assert "- R08: Checkers on the bar enter first" in as_markdown(codes.BAR_FIRST)
    assert as_data(codes.BAR_FIRST)["rules"] == [{"id": "R08", "text": RULES["R08"]}]


def test_a_code_without_a_page_can_still_be_shown() -> None:
    bare = Code("BG999", "bare", codes.E, "What it finds.")
    assert as_text(bare) == "BG999 bare (error)\n\nWhat it finds."
    assert as_markdown(bare) == "## BG999 `bare`\n\n*Error.* What it finds."


def test_every_page_belongs_to_a_code() -> None:
    pages = list(files("bgtools.findings").joinpath("pages").iterdir())
    assert len(pages) == len(codes.ALL)
    assert {Path(each.name).stem for each in pages} == codes.BY_ID.keys()


def test_ids_and_names_are_unique_and_well_formed() -> None:
    assert len({code.id for code in codes.ALL}) == len(codes.ALL) == len({code.name for code in codes.ALL})
    assert all(re.fullmatch(r"BG\d{3}", code.id) and re.fullmatch(r"[a-z]+(-[a-z]+)*", code.name) for code in codes.ALL)


def test_the_document_of_findings_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("make_findings", DOCS / "make_findings.py")
    assert spec is not None
    assert spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    made: str = maker.text()
    assert (DOCS / "findings.md").read_text(encoding="utf-8") == made, "run python docs/make_findings.py"
