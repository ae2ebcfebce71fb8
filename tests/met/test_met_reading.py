"""Reading tables: both formats, every way a file can be wrong, and what other programs make of the same files."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgtools.met.finding import default
from bgtools.met.reading import MetError, read_table
from gnubg_export import PROGRAM
from support import CORPUS

if TYPE_CHECKING:
    from bgtools.met.table import MatchEquityTable

GNUBG_TABLES = Path("/usr/share/gnubg/met")
XG_TABLES = CORPUS / "reference"

XML = """<?xml version = "1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<!--

     Made up, 1999.  Copy it as you like.

     $Id: three.xml $

 -->
<met>
  <info><name>Three &amp; no more</name><description>A  small
    one</description><length>3</length></info>
  <pre-crawford-table type="explicit">
    <row><me>0.5</me><me>0.7</me><me>0.75</me></row>
    <row><me>0.3</me><me>0.5</me><me>0.6</me></row>
    <row><me>0.25</me><me>0.4</me><me> 0.5 </me></row>
  </pre-crawford-table>
  <!-- not the notice -->
  <post-crawford-table type="explicit" player="both">
    <row><me>0.5</me><me>0.49</me><me>0.3</me></row>
  </post-crawford-table>
</met>
"""
MET = """\
[Current]
Name=Three & no more
Version=1.0
Description=A small one
Copyright=\N{COPYRIGHT SIGN} 1999 nobody

;  Copy it as you like.

[PostCrawford]
Size=3
Data=0.5 0.49 0.3

[PreCrawford]
Size=3\N{SPACE}
 1=0.5 0.7 0.75
 2=0.3 0.5 0.6
 3=0.25 0.4 0.5
"""


def _read(text: str) -> MatchEquityTable:
    return read_table(text.encode(), "three")


def _refusal(text: str | bytes) -> str:
    with pytest.raises(MetError) as caught:
        read_table(text if isinstance(text, bytes) else text.encode(), "three")
    return str(caught.value)


def test_both_formats_say_the_same() -> None:
    xml, met = _read(XML), _read(MET)
    assert xml.pre_crawford == met.pre_crawford == ((0.5, 0.7, 0.75), (0.3, 0.5, 0.6), (0.25, 0.4, 0.5))
    assert xml.post_crawford == met.post_crawford == (0.5, 0.49, 0.3)
    assert (xml.name, xml.title, xml.description) == ("three", "Three & no more", "A small one")
    assert (met.name, met.title, met.description) == ("three", "Three & no more", "A small one")


def test_the_notice_of_a_file_is_kept() -> None:
    assert _read(XML).notice == "Made up, 1999.  Copy it as you like."
    assert _read(MET).notice == "Copyright \N{COPYRIGHT SIGN} 1999 nobody\nCopy it as you like."


def test_what_windows_writes_is_read_as_windows_has_it() -> None:
    written = MET.replace("\n", "\r\n").encode("cp1252")
    assert b"\xa9" in written
    assert read_table(written, "three") == _read(MET)
    assert read_table(b"\xef\xbb\xbf" + MET.encode(), "three") == _read(MET)
    assert read_table(b"\xef\xbb\xbf" + XML.encode(), "three") == _read(XML)


def test_the_last_score_after_the_crawford_game_may_be_missing() -> None:
    met = _read(XML.replace("<me>0.3</me></row>\n  </post", "</row>\n  </post"))
    assert met.post_crawford == (0.5, 0.49)
    assert met.agrees_with(_read(XML))


def test_a_slip_of_the_printed_table_is_decided_by_the_leaders_number() -> None:
    met = _read(XML.replace("<me>0.4</me>", "<me>0.402</me>"))
    assert met.equity((2, 3)) == 0.6
    assert met.equity((3, 2)) == 0.4


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "<me>0.7</me>",
            "<me>0.9</me>",
            "at 1 away, 2 away add up to 1.200: bgtools takes tables that hold for either",
        ),
        ("<me>0.7</me>", "<me>1.7</me>", "1.7 at 1 away is not a chance from 0 to 1"),
        ("<me>0.7</me>", "<me>nan</me>", "nan at 1 away is not a chance from 0 to 1"),
        ("<me>0.7</me>", "<me>many</me>", "'many' at 1 away is not a number"),
        ("<me>0.7</me>", "<me></me>", "'' at 1 away is not a number"),
        ("<me>0.7</me>", "", "2 numbers at 1 away in a table for 3 points"),
        ("<row><me>0.3</me><me>0.5</me><me>0.6</me></row>", "", "2 rows in a table for 3 points"),
        ("<me>0.49</me><me>0.3</me>", "", "1 numbers after the Crawford game in a table for 3 points"),
        ("<length>3", "<length>three", "its length is to be a number of points, not 'three'"),
        ("<length>3", "<length>65", "a table for 65 points; the largest that is read is for 64"),
        ("post-crawford-table", "after", "the table before or after the Crawford game is missing"),
        ('pre-crawford-table type="explicit"', 'pre-crawford-table type="guess"', "a table of the kind 'guess'"),
        ("<met>", "<html>", "broken XML: mismatched tag"),
        ("<me>0.49</me><me>0.3", "<me>0.3</me><me>0.49", "who is 3 away stands better there than who is 2 away"),
        ("<me>0.49</me><me>0.3", "<me>0</me><me>0", "no chance after the Crawford game"),
        ("&amp;", "&nothing;", "declares entities of its own"),
    ],
)
def test_an_xml_file_with_a_hole_in_it_is_no_table(old: str, new: str, reason: str) -> None:
    assert old in XML
    assert reason in _refusal(XML.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (" 2=", " 4=", "its row for 2 away is missing"),
        (" 2=", " 1=", "1 is given twice, the second time in line 16"),
        ("[PreCrawford]", "[Crawford]", "no [PreCrawford] or [PostCrawford]"),
        ("0.75", "0.75 0.8", "4 numbers at 1 away in a table for 3 points"),
        ("Size=3 ", "Size=", "its length is to be a number of points, not ''"),
        ("Size=3 ", "Size=0", "it states no size"),
        ("Size=3 ", "Size=99999999", "the largest that is read is for 64"),
        ("Data=", "Other=", "0 numbers after the Crawford game"),
    ],
)
def test_a_met_file_with_a_hole_in_it_is_no_table(old: str, new: str, reason: str) -> None:
    assert old in MET
    assert reason in _refusal(MET.replace(old, new))


@pytest.mark.parametrize("data", [b"", b"\0" * 40, b"GIF89a", b" 7 point match\n\n Game 1\n", "1=½".encode("utf-16")])
def test_anything_else_is_told_to_be_no_table(data: bytes) -> None:
    reason = _refusal(data)
    assert "no match equity table as GNU Backgammon (XML) or eXtreme Gammon" in reason or "[PreCrawford]" in reason


def test_a_file_can_neither_fill_the_memory_nor_reach_another_file(tmp_path: Path) -> None:
    laughs = '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">'
    for declared in (laughs, f'<!ENTITY c SYSTEM "file://{tmp_path}/secret">', '<!ENTITY % c "x">'):
        text = XML.replace('"met.dtd">', f'"met.dtd" [{declared}]>').replace("A  small", "&c;")
        assert "declares entities of its own" in _refusal(text)
    assert "elements within elements without end" in _refusal("<met>" * 100_000)
    assert "larger than 1 MB" in _refusal(XML + " " * (1 << 20))
    assert "broken XML" in _refusal('<?xml version="1.0" encoding="no-such"?><met/>')


def test_a_table_for_players_of_unequal_strength_is_refused() -> None:
    one = '<post-crawford-table type="explicit" player="1"><row><me>0.4</me><me>0.4</me><me>0.2</me></row>'
    text = XML.replace('player="both"', 'player="0"').replace("</met>", one + "</post-crawford-table></met>")
    assert "for players of unequal strength" in _refusal(text)


# --- formulas -------------------------------------------------------------------------------

ZADEH = """<met><info><name>Zadeh</name><description/><length>{}</length></info>
<pre-crawford-table type="zadeh"><parameters>
<parameter name="gammon-rate-leader">0.25</parameter><parameter name="gammon-rate-trailer">0.15</parameter>
<parameter name="delta">0.08</parameter><parameter name="delta-bar">0.06</parameter>
</parameters></pre-crawford-table>
<post-crawford-table type="zadeh" player="both"><parameters>
<parameter name="gammon-rate-trailer">0.25</parameter><parameter name="free-drop-2-away">0.015</parameter>
<parameter name="free-drop-4-away">0.004</parameter>
</parameters></post-crawford-table></met>"""


def test_zadehs_formula_by_hand() -> None:
    met = _read(ZADEH.format(-1))
    assert met.size == 64
    # After the Crawford game the trailer doubles at once: half the games, a quarter of them gammons.
    assert met.post_crawford[0] == 0.5
    assert met.post_crawford[1] == pytest.approx(0.5 - 0.015)
    assert met.post_crawford[2] == pytest.approx(0.5 * (0.25 + 0.75 * 0.5))
    # In the Crawford game they win half the games, and a gammon suffices 2 away.
    assert met.equity((2, 1)) == pytest.approx(0.5 * (0.25 + 0.75 * 0.5))
    # 2 away, 2 away: the first double is also the last, so both may win all or nothing from the start.
    assert met.equity((2, 2)) == 0.5


def test_a_table_in_which_a_point_is_a_loss_is_no_table() -> None:
    worse = XML.replace("<me>0.75</me>", "<me>0.69</me>").replace("<me>0.25</me>", "<me>0.31</me>")
    assert "who is 3 away stands better there than who is 2 away" in _refusal(worse)
    # What is won and what is lost at 2 away, 2 away leads to the same chance.
    flat = XML.replace("<me>0.7</me>", "<me>0.5</me>").replace("<me>0.3</me><me>0.5", "<me>0.5</me><me>0.5")
    assert "at 2 away there is a game that is not worth winning" in _refusal(flat)


@pytest.mark.parametrize("old", ["0.25", "0.15", "0.08", "0.06", "0.015", "0.004"])
@pytest.mark.parametrize("new", ["0", "0.5", "1"])
def test_parameters_that_make_no_table_are_told_and_not_followed(old: str, new: str) -> None:
    try:
        met = _read(ZADEH.format(-1).replace(old, new))
    except MetError:
        return
    assert all(0 <= value <= 1 for row in (*met.pre_crawford, met.post_crawford) for value in row)


def test_the_calculator_mec_is_named_and_not_guessed_at() -> None:
    assert "mec26" in _refusal(ZADEH.format(-1).replace('"zadeh"', '"mec"'))


# --- other programs' files, and what they make of them ----------------------------------------

TABLES = {
    "Kazaross-XG2": "Kazaross XG2.met",
    "Rockwell-Kazaross": "Rockwell-Kazaross.met",
    "g11": "GnuBG-11-point.met",
    "jacobs": "Jacobs-Trice.met",
    "woolsey": "Woolsey.met",
}


@pytest.mark.needs(GNUBG_TABLES.is_dir(), "GNU Backgammon")
@pytest.mark.needs(XG_TABLES.is_dir(), "the corpus")
@pytest.mark.parametrize("name", TABLES)
def test_one_table_as_both_programs_keep_it_is_one_table(name: str) -> None:
    theirs = read_table((GNUBG_TABLES / f"{name}.xml").read_bytes(), name)
    (path,) = XG_TABLES.glob(f"*__{TABLES[name]}")
    assert read_table(path.read_bytes(), name).agrees_with(theirs)
    assert theirs.agrees_with(default()) == (name == "Kazaross-XG2")


def _gnubg_shows(path: Path, size: int) -> list[list[float]]:
    """The rows of a table as GNU Backgammon prints them: before the Crawford game, after it for both players."""
    assert PROGRAM is not None
    commands = f'set matchequitytable "{path}"\nshow matchequitytable {size}\n'
    shown = subprocess.run(
        [PROGRAM, "-t", "-q", "-r"], input=commands, capture_output=True, text=True, timeout=60, check=False
    )
    lines = (line.split() for line in shown.stdout.splitlines())
    return [
        [float(cell) for cell in cells[1:]]
        for cells in lines
        if cells and cells[0].endswith("-away") and not cells[-1].endswith("-away")
    ]


@pytest.mark.needs(PROGRAM and GNUBG_TABLES.is_dir(), "GNU Backgammon")
@pytest.mark.parametrize("name", [*TABLES, "mec26", "snowie", "zadeh"])
def test_gnubg_has_the_same_numbers(name: str, tmp_path: Path) -> None:
    path = GNUBG_TABLES / f"{name}.xml"
    if name == "zadeh":
        # gnubg 1.07 works the table out and then, as the file gives it no length, extrapolates over all of it.
        path = tmp_path / "zadeh.xml"
        path.write_text(ZADEH.format(64), encoding="utf-8")
    met = read_table(path.read_bytes(), name)
    rows = _gnubg_shows(path, met.size)
    assert len(rows) == met.size + 2
    for own, row in enumerate(rows[: met.size], 1):
        assert row == pytest.approx([100 * met.equity((own, other)) for other in range(1, met.size + 1)], abs=6e-5)
    # The last score after the Crawford game gnubg extrapolates, whatever the file says.
    after = [100 * value for value in met.post_crawford[: met.size - 1]]
    for row in rows[met.size :]:
        assert row[: met.size - 1] == pytest.approx(after, abs=6e-5)
