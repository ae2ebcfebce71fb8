"""What bgtools writes about records is no record; nor is a page full of positions, unless it is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from program import SOUND, bgtools

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "<html><body>{}</body></html>"
POSITIONS = [
    f"XGID={board}:0:0:1:31:0:0:0:7:10" for board in ("-b----E-C---eE---c-e----B-", "-b----E-C---eD-A-c-e----B-")
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a record, its report, its lessons and a page of somebody else."""
    (tmp_path / "m.mat").write_text(SOUND, encoding="utf-8")
    assert (
        bgtools("report", str(tmp_path / "m.mat"), "--engine", "none", "-o", str(tmp_path / "m-report")).returncode == 0
    )
    (tmp_path / "other.html").write_text(PAGE.format("<p>".join(POSITIONS)), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [("table", "games", "{}"), ("check", "{}"), ("convert", "{}", "{}/out", "--to", "json")],
    ids=lambda each: each[0],
)
def test_they_are_passed_over_with_a_sentence(folder: Path, command: tuple[str, ...]) -> None:
    done = bgtools(*(each.format(folder) for each in command))
    text = done.stdout + done.stderr
    assert "not records" in text
    for name in ("report.html", "report.json", "other.html"):
        assert name in text
    assert not list((folder / "out").glob("report*"))


def test_a_named_report_says_what_it_is(folder: Path) -> None:
    done = bgtools("check", str(folder / "m-report" / "report.html"))
    assert done.returncode == 2
    assert "bgtools wrote this page" in done.stderr


def test_a_page_of_positions_is_read_when_it_is_named(folder: Path) -> None:
    done = bgtools("table", "games", str(folder / "other.html"))
    assert done.returncode == 0
    assert "2 rows" in done.stderr
