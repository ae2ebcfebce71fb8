"""Records that somebody made up to fool the reader: nothing is skipped in silence, nothing said that is not so."""

from __future__ import annotations

import json

import pytest

from bgtools.checks.checking import check
from bgtools.findings import codes
from bgtools.formats.content import FormatError
from bgtools.formats.json.match import write
from bgtools.formats.reading import read_source
from bgtools.source import decode, encode
from support import found, mat

ROWS = "  1) 31: 8/5 6/5                 42: 8/4 6/4\n"


def game(number: int, left: str = "Ann", right: str = "Bob", points: int = 0, end: str = "      Wins 1 point\n") -> str:
    return f" Game {number}\n {left} : {points}                        {right} : 0\n{ROWS}{end}\n"


def test_a_third_player_on_a_score_line_is_named() -> None:
    (finding,) = found(" 3 point match\n\n" + game(1) + game(2, right="Cid", points=1) + game(3, points=2))
    assert finding.code is codes.WRONG_NAME
    assert finding.message == "Cid on this score line is neither Ann nor Bob"


def test_a_name_that_is_another_on_many_score_lines_is_one_finding_with_one_fix() -> None:
    text = " 15 point match\n\n" + "".join(game(n + 1, right="Bob" if n < 3 else "Robert", points=n) for n in range(6))
    (finding,) = found(text)
    assert finding.message == "Robert on 3 score lines is neither Ann nor Bob"
    assert [text[slice(*related.span)] for related in finding.related] == ["Robert", "Robert"]
    fix = finding.fix
    assert fix is not None
    assert fix.words == "write Bob in place of Robert on 3 score lines"
    start, end = fix.span
    assert found(text[:start] + fix.text + text[end:]) == []


def test_who_is_on_most_score_lines_plays_the_match() -> None:
    text = " 15 point match\n\n" + "".join(game(n + 1, right="Bob" if n else "Robert", points=n) for n in range(6))
    (finding,) = found(text)
    assert finding.message == "Robert on this score line is neither Ann nor Bob"
    assert finding.fix is not None
    assert finding.fix.text == "Bob"


def test_two_results_of_one_game_that_name_two_winners_are_an_error() -> None:
    both = "      Wins 3 points and the match\n                                  Wins 3 points and the match\n"
    (finding,) = found(" 3 point match\n\n" + game(1, end=both))
    assert finding.code is codes.WRONG_WINNER
    assert finding.message == "a second result gives the game to Bob"


def test_a_drop_whose_result_speaks_for_it_is_not_changed_unseen() -> None:
    played = (
        "  2)  Doubles => 2                Drops\n  3) 52: 13/8 13/11               61: 13/7 8/7\n"
        "  4) 63: 13/7 13/10              41: 24/23 13/9\n"
    )
    findings = found(" 3 point match\n\n" + game(1, end=f"{played}      Wins 1 point\n") + game(2, points=1))
    (answer,) = (each for each in findings if each.code is codes.WRONG_ANSWER)
    assert answer.fix is None or answer.fix.applicability == "unsafe"


def test_byte_order_marks_between_files_that_were_put_together_are_blanks() -> None:
    text = " 3 point match\n\n" + game(1) + "\ufeff" + game(2, points=1).replace("8/5 6/5", "8/5 \ufeff6/5")
    assert found(text) == []


def test_lines_of_two_encodings_are_read_each_in_its_own_and_written_so() -> None:
    data = b'; [Event "Caf\xe9"]\n' + mat(ROWS).replace("Ann", "Bj\u00f8rn").encode()
    source = decode(data, "x")
    assert 'Caf\u00e9"]' in source.text
    assert "Bj\u00f8rn" in source.text
    assert encode(source.text, data) == data
    changed = source.text.replace("8/5", "8/4")
    assert encode(changed, data) == data.replace(b"8/5", b"8/4")


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        (("length",), -3, "below 0"),
        (("games", 0, "score"), [0, -1], "below 0"),
        (("games", 0, "entries", 0, "annotation"), {"luck": float("nan")}, "NaN is not a number"),
        (("games", 0, "entries", 0, "annotation"), {"luck": 10**400}, "is not a number"),
    ],
)
def test_json_with_numbers_that_cannot_be_is_refused(place: tuple[str | int, ...], value: object, reason: str) -> None:
    document = json.loads(write(read_source(mat(ROWS).encode(), "x.mat")))
    holder = document["matches"][0]
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = value
    with pytest.raises(FormatError, match=reason):
        read_source(json.dumps(document).encode(), "x.json")


SGF = "(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[Ann]PB[Bob];W[31hefe])"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("length:3", "length:-1", '"-1" is not a length of a match'),
        ("length:3", "length:99999999999999", '"99999999999999" is not a length of a match'),
        ("ws:0", "ws:many", '"many" is not a number of points'),
        (";W", ";CV[65535]CP[c];W", "no cube shows 65535"),
    ],
)
def test_numbers_in_sgf_that_cannot_be_are_told(old: str, new: str, told: str) -> None:
    (match,) = read_source(SGF.replace(old, new).encode(), "x.sgf")
    assert any(finding.message.startswith(told) for finding in check(match))
