"""Where tables are found, and what they are called."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bgtools.met import finding
from bgtools.met.finding import DEFAULT, default, find, installed
from bgtools.met.reading import MetError, read_table
from bgtools.met.table import MatchEquityTable
from bgtools.met.writing import as_met, as_xml

if TYPE_CHECKING:
    from pathlib import Path

SMALL = MatchEquityTable(
    "small", ((0.5, 0.7), (0.3, 0.5)), (0.5, 0.48), "Small & <odd>", "Two points -- no more", "Copyright (C) Nobody\n--"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(finding, "gnubg_folders", lambda: iter([tmp_path / "absent", tmp_path]))
    return tmp_path


def test_the_default_needs_no_folder(folder: Path) -> None:
    assert find("kazaross-XG2") is default()
    assert default().name == DEFAULT


def test_a_table_in_gnubgs_folder_is_found_by_its_name(folder: Path) -> None:
    (folder / "g11.xml").write_text(as_xml(SMALL), encoding="utf-8")
    (folder / "catalog.xml").write_text("<catalog/>", encoding="utf-8")
    assert list(installed()) == ["g11"]
    met = find("G11")
    assert (met.name, met.title) == ("g11", "Small & <odd>")
    with pytest.raises(MetError, match=r"no match equity table 'g12'; there are: Kazaross-XG2, g11, and files"):
        find("g12")


def test_a_table_from_a_file_is_called_as_the_file_is(folder: Path) -> None:
    # A table that somebody changed must not pass for the one that everybody knows.
    path = folder / "Kazaross-XG2.xml"
    path.write_text(as_xml(SMALL), encoding="utf-8")
    assert find(str(path)).name == "Kazaross-XG2.xml"
    assert list(installed()) == []


def test_the_default_is_known_wherever_it_comes_from(folder: Path) -> None:
    path = folder / "from XG.met"
    path.write_text(as_met(default()), encoding="utf-8")
    assert find(str(path)) is default()


def test_what_is_wrong_with_a_file_is_told_with_its_name(folder: Path) -> None:
    with pytest.raises(MetError, match=r"none\.xml: cannot be read: "):
        find(str(folder / "none.xml"))
    (folder / "broken.met").write_text("[Current]\n", encoding="utf-8")
    with pytest.raises(MetError, match=r"broken\.met: the table before or after the Crawford game is missing"):
        find(str(folder / "broken.met"))
    with pytest.raises(MetError, match="cannot be read"):
        find(f"{folder}/")


def test_a_table_comes_back_from_both_formats_with_its_notice() -> None:
    for met in (default(), SMALL):
        for written in (as_xml(met), as_met(met)):
            back = read_table(written.encode(), met.name)
            assert (back.pre_crawford, back.post_crawford) == (met.pre_crawford, met.post_crawford)
            assert (back.title, back.description) == (met.title, met.description)
            assert back.digest == met.digest
            # Two hyphens end a comment in XML.
            assert back.notice.replace("- -", "--") == met.notice


def test_hyphens_in_a_notice_do_not_end_the_comment_that_it_stands_in() -> None:
    met = replace(default(), notice="--- mine ----")
    assert read_table(as_xml(met).encode(), "mine").notice == "- - - mine - - - -"


@pytest.mark.parametrize("text", ["a\x01b", "a\x0bb\ud800", "a\n[PreCrawford]\nSize=2", "<&>]]>"])
def test_a_table_comes_back_whatever_stands_in_its_texts(text: str) -> None:
    """No XML file may hold a control character, and no name goes over two lines of a .met file."""
    table = replace(default(), name=text, title=text, description=text, notice=text)
    for written in (as_xml(table), as_met(table)):
        again = read_table(written.encode("utf-8", "replace"), "x")
        assert again.pre_crawford == table.pre_crawford
        assert "\n" not in again.title + again.description
