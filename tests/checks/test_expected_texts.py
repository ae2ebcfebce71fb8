"""Every code has a bad record, in which it alone is found, a good neighbour, and the text that is printed."""

from __future__ import annotations

from accept import DATA, printed

from bgtools.findings import codes
from support import found, ids


def test_the_bad_record_gives_the_code_once_and_nothing_else() -> None:
    given = {code.id: ids(found((DATA / f"{code.id}.bad.mat").read_bytes())) for code in codes.CHECKED}
    assert {code: some for code, some in given.items() if some != [code]} == {}


def test_the_good_neighbour_gives_nothing() -> None:
    given = {code.id: ids(found((DATA / f"{code.id}.good.mat").read_bytes())) for code in codes.CHECKED}
    assert {code: some for code, some in given.items() if some} == {}


def test_the_finding_is_printed_as_expected() -> None:
    for code in codes.CHECKED:
        expected = (DATA / f"{code.id}.txt").read_text(encoding="utf-8")
        assert printed(DATA / f"{code.id}.bad.mat") == expected, "if it is better now: python tests/checks/accept.py"


def test_there_are_no_records_of_codes_that_do_not_exist() -> None:
    assert {path.name.partition(".")[0] for path in DATA.iterdir()} == {code.id for code in codes.CHECKED}
