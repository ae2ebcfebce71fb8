"""What is known of a match is stated, derived, contradicted or unknown, and verdicts follow from it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import bgtools as library
from bench_parts import outcome
from bgtools.checks.account import account_of
from bgtools.checks.settings import resolve_settings
from bgtools.formats.reading import read_source
from bgtools.record.producers import proved_score, rating_of
from bgtools.repair.verdicts import FileVerdict, verdict_on
from parts import KINDS, Part, games_of, parts
from program import bgtools
from support import needs_corpus, some_or_all

ROOT = Path(__file__).parents[2]
CORPUS = ROOT.parent / "shared" / "corpus"
SEVEN = (ROOT / "samples" / "seven-point.mat").read_text()
NAMES = ("players", "event", "length", "rules", "start", "games", "results", "score", "winner", "reconstructed")


def _verdict(text: str) -> FileVerdict:
    return verdict_on(text.encode(), "x.mat", resolve_settings())[0]


def _without(*gone: int) -> str:
    head, games = games_of(SEVEN)
    return head + "".join(game for at, game in enumerate(games, 1) if at not in gone)


def test_ten_facts_are_known_of_a_sound_match() -> None:
    account = library.account(ROOT / "samples" / "seven-point.mat")
    assert tuple(each.name for each in account.facts) == NAMES
    assert Counter(each.standing for each in account.facts) == {"stated": 7, "derived": 2, "unknown": 1}
    assert (account.is_whole, account.score, account.winner, account.lacks) == (True, (6, 7), 1, ())
    with pytest.raises(KeyError):
        account["weather"]


@pytest.mark.parametrize(
    ("gone", "lacks"),
    [
        ((1,), "game 1 is missing: the record begins at 0-2"),
        ((1, 2), "games 1 to 2 are missing: the record begins at "),
        ((4,), "game 4 is missing"),
        ((3, 4, 5), "games 3 to 5 are missing"),
        ((8,), "ends at 6-6 of 7, in game 7"),
        ((2, 8), "game 2 is missing"),
    ],
)
def test_a_missing_game_is_told_first_and_is_never_accepted(gone: tuple[int, ...], lacks: str) -> None:
    found = _verdict(_without(*gone))
    assert (found.verdict, found.besides) == ("incomplete", "")
    assert found.wrong.startswith(lacks)
    games = account_of(read_source(_without(*gone).encode(), "x.mat")[0]).games
    assert [each.number for each in games] == list(range(1, 9))
    presence = {1: "missing before", 8: "missing after"}
    first = {2: "missing before"} if 1 in gone else {}
    for each in games:
        wanted = {**presence, **first}.get(each.number or 0, "missing between") if each.number in gone else "present"
        assert each.presence == wanted, each


def test_a_part_with_a_slip_is_incomplete_and_fixable() -> None:
    head, games = games_of((ROOT / "samples" / "five-slips.mat").read_text())
    found = _verdict(head + "".join(games[:1]))
    assert (found.verdict, found.besides, found.fixes > 0) == ("incomplete", "fixable", True)
    assert found.wrong.startswith("ends at ")
    assert "no checker" in found.wrong


def test_a_start_or_a_length_that_nobody_states_is_not_accepted() -> None:
    late = SEVEN.replace(" Nora Lindholm : 0", " Nora Lindholm : 3", 1)
    assert late != SEVEN
    found = _verdict('; [StartScore "3-0"]\n' + _without(1).replace("Game 2", "Game 1", 1))
    assert "beginning" not in found.wrong
    assert _verdict(_without(1).replace("Game 2", "Game 1", 1)).wrong.startswith("its beginning is missing")
    assert _verdict(SEVEN.replace(" 7 point match\n", "")).wrong.startswith(
        "the record does not say to how many points"
    )


def test_a_lost_heading_is_told_and_nothing_is_touched() -> None:
    head, games = games_of(SEVEN)
    text = head + games[0] + "".join(games[1].splitlines(keepends=True)[2:]) + "".join(games[2:])
    (match,) = read_source(text.encode(), "x.mat")
    assert len(match.games) == len(games)
    assert _verdict(text).wrong == "the heading of game 2 is missing"
    assert [each.message for each in library.check(match)] == ["a game begins here, and its heading is missing"]


def test_a_head_alone_is_not_a_record(tmp_path: Path) -> None:
    head = tmp_path / "head.mat"
    head.write_text(" 7 point match\n\n Game 1\n Ann : 0     Bob : 0\n")
    names = tmp_path / "names.mat"
    names.write_text("Ann vs. Bob\n")
    done = bgtools("check", "--summary", "--format", "json", str(head), str(names))
    assert [each["verdict"] for each in json.loads(done.stdout)] == ["not a record"] * 2


@some_or_all(4)
def test_no_part_is_accepted_and_no_fix_touches_what_is_right(step: int) -> None:
    tried = [*parts(31, 4 * len(KINDS) // step)]
    kinds = set()
    for part in tried:
        if part.kind == "halves of two games":
            continue  # the rest of another game may fit, and then nothing is wrong that anybody could see
        found = outcome(part)
        kinds.add(part.kind)
        assert found.before != "accept", part.kind
        # One other number on a single score line, and a result that fits, is a misprint to everybody.
        fits = part.kind.startswith("foreign") and len(found.changed) == 1
        assert found.after != "accept" or found.is_told or fits, part.kind
        assert len(found.changed) <= 1, (part.kind, found.changed)
    assert len(kinds) == len(KINDS) - 1


def test_fixes_leave_score_lines_that_agree() -> None:
    text = _without(3).replace("Game 4", "Game 3").replace("Game 5", "Game 4")
    found = outcome(Part("renumbered", text))
    assert (found.before, found.after, found.changed) == ("incomplete", "incomplete", ())


GALAXY = """; [Site "BackgammonGalaxy"]
; [Player 1 "{}"]
; [Player 2 "{}"]
; [Player 1 Elo "{},00/0"]
; [Player 2 Elo "{},00/0"]
; [CubeLimit "1024"]

3 point match

 Game 1
 anna : 0                        bert : 0
  1) 42: 8/4 6/4                 51: 13/8 24/23
  2) 31: 8/5 6/5                 63: 24/15
  3) 51: 13/8 6/5              66:
 Losses 3 point

      Wins 3 point and the match
"""


def test_the_ratings_of_galaxy_are_the_final_score() -> None:
    (match,) = read_source(GALAXY.format("anna", "bert", 3, 0).encode(), "x.txt")
    assert not library.check(match)
    account = account_of(match)
    assert (account["score"].standing, account["score"].source, account.winner) == ("stated", "the header", 0)
    (turned,) = read_source(GALAXY.format("bert", "anna", 0, 3).encode(), "x.txt")
    assert proved_score(turned) == (3, 0)
    (denied,) = read_source(GALAXY.format("anna", "bert", 0, 3).encode(), "x.txt")
    assert account_of(denied)["score"].standing == "contradicted"
    assert _verdict(GALAXY.format("anna", "bert", 0, 3)).verdict != "accept"
    assert rating_of(match, 1) == ""
    for name in ("xg", "sgf"):
        (back,) = read_source(library.convert(match, name).data, f"x.{name}")
        assert "3.00" not in (back.tag("Player 1 Elo") or "") + back.ratings[0]


@needs_corpus
def test_the_header_of_real_files_proves_their_score() -> None:
    compared = 0
    for path in sorted((CORPUS / "mat").iterdir()):
        for match in library.read_all(path):
            if proved_score(match) is not None:
                compared += 1
                assert account_of(match)["score"].standing == "stated", path.name
    assert compared > 50


def test_what_is_known_is_printed_and_written_as_json() -> None:
    path = str(ROOT / "samples" / "five-slips.mat")
    lines = bgtools("check", "--account", path).stdout.splitlines()
    assert [line.split()[0] for line in lines[1:11]] == list(NAMES)
    (known,) = json.loads(bgtools("check", "--account", "--format", "json", path).stdout)
    assert [each["name"] for each in known["facts"]] == list(NAMES)
    assert known["is_whole"] is True
    assert bgtools("check", "--account", "--summary", path).returncode == 2
