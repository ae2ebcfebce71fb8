"""Writing match text: what is written reads back as the same match, here and in GNU Backgammon."""

from __future__ import annotations

import copy
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgtools.board.board import Board, checkers
from bgtools.board.play import HopText, PlayText
from bgtools.checks.checking import check
from bgtools.findings.finding import Severity
from bgtools.formats.content import FormatError
from bgtools.formats.mat.dialects import DIALECTS, JELLYFISH, XG_TEXT, Dialect
from bgtools.formats.mat.reader import read
from bgtools.formats.mat.writer import write
from bgtools.record.record import (
    Beaver,
    CheckerPlay,
    Comment,
    Double,
    Drop,
    Entry,
    Game,
    Match,
    Resign,
    ResultClaim,
    Tag,
    Take,
)
from bgtools.replayer.match import replay
from bgtools.rules.options import VARIANTS, Ruleset
from bgtools.source import Source, decode
from same_match import differences
from selfplay import random_match

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpus" / "mat"
SAMPLES = sorted((ROOT / "samples").glob("*.mat"))
needs_corpus = pytest.mark.needs(CORPUS.is_dir(), "the corpus")

_GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
needs_gnubg = pytest.mark.needs(_GNUBG, "GNU Backgammon")


def again(match: Match, dialect: Dialect = JELLYFISH) -> Match:
    """The match as it reads when it has been written."""
    (back,) = read(Source("written", write(match, dialect)))
    return back


def rows(
    *entries: Entry, results: tuple[ResultClaim, ...] = (), dialect: Dialect = JELLYFISH, **options: object
) -> list[str]:
    """The rows of a game with these entries."""
    game = Game(number=1, score=(0, 0), entries=entries, results=results)
    match = replace(Match(players=("Ann", "Bob"), length=7, games=(game,)), **options)  # type: ignore[arg-type]
    text = write(match, dialect).replace("\r\n", "\n")
    assert differences(match, again(match, dialect)) == []
    lines = text.splitlines()
    return lines[lines.index(" Game 1") + 2 :]


def play(player: int, dice: str, *hops: str, kind: str = "moves") -> CheckerPlay:
    groups = []
    for hop in hops:
        points = [point.rstrip("*") for point in hop.split("/")]
        stars = [point.endswith("*") for point in hop.split("/")]
        groups.append(HopText(tuple({"bar": 25, "off": 0}.get(at) or int(at) for at in points), tuple(stars[1:])))
    text = PlayText(kind, tuple(groups))  # type: ignore[arg-type]
    return CheckerPlay(player=player, dice=(int(dice[0]), int(dice[1])), text=text)  # type: ignore[arg-type]


# --- the layout -----------------------------------------------------------------------------


def test_a_match_is_laid_out_in_two_columns() -> None:
    game = Game(
        number=1,
        score=(0, 0),
        entries=(
            play(1, "31", "8/5", "6/5"),
            play(0, "42", "8/4", "6/4"),
            Double(player=1, value=2),
            Take(player=0),
            play(1, "65", "24/13"),
            Double(player=0, value=4),
            Drop(player=1),
        ),
        results=(ResultClaim(player=0, points=2),),
    )
    match = Match(players=("Ann", "Bob"), length=7, games=(game,), tags=(Tag(key="Event", value="Club night"),))
    assert write(match).splitlines() == [
        '; [Event "Club night"]',
        "",
        " 7 point match",
        "",
        " Game 1",
        " Ann : 0                        Bob : 0",
        "  1)                             31: 8/5 6/5",
        "  2) 42: 8/4 6/4                  Doubles => 2",
        "  3)  Takes                      65: 24/18 18/13",
        "  4)  Doubles => 4                Drops",
        "      Wins 2 points",
    ]


def test_words_for_the_ends_and_joined_hops_are_a_matter_of_dialect() -> None:
    text = write(random_match(3, 5), XG_TEXT)
    assert "Cannot Move" in text or "Bar/" in text
    assert "\r\n" in text
    assert again(random_match(3, 5), XG_TEXT).players == ("Ann", "Bob")


def test_a_result_for_the_right_player_takes_the_cell_beside_a_drop() -> None:
    entries = (play(1, "31", "8/5", "6/5"), play(0, "21", "13/11", "6/5"), Double(player=1, value=2), Drop(player=0))
    lines = rows(*entries, results=(ResultClaim(player=1, points=1),))
    assert lines[-1] == "  3)  Drops                       Wins 1 point"


def test_a_result_for_the_right_player_stands_below_a_last_roll() -> None:
    lines = rows(play(0, "31", "8/5", "6/5"), results=(ResultClaim(player=1, points=2, match=False),))
    assert lines[-1].strip() == "Wins 2 points"
    assert len(lines) == 2


def test_two_turns_running_stand_in_two_rows() -> None:
    lines = rows(play(0, "31", "8/5", "6/5"), play(0, "42", "8/4", "6/4"), play(1, "31", "8/5", "6/5"))
    assert [line[:8] for line in lines] == ["  1) 31:", "  2) 42:"]


def test_a_long_left_cell_keeps_a_blank_before_the_right_one() -> None:
    long = play(0, "55", "13/8", "13/8", "8/3", "8/3", "24/19", "24/19")
    lines = rows(play(1, "31", "8/5", "6/5"), long, play(1, "42", "8/4", "6/4"))
    assert "24/19 24/19 42: 8/4" in lines[1]


# --- what must not be lost ------------------------------------------------------------------


def test_joined_hops_are_taken_apart_where_the_dialect_wants_single_ones() -> None:
    assert rows(play(0, "65", "24/13"))[0] == "  1) 65: 24/18 18/13"


def test_an_illegal_play_is_written_as_it_stood() -> None:
    assert rows(play(0, "31", "8/5", "6/4"), play(1, "31", "8/5", "6/5"))[0].startswith("  1) 31: 8/5 6/4 ")


def test_a_star_where_nothing_was_hit_stays() -> None:
    assert rows(play(0, "31", "8/5*", "6/5"))[0] == "  1) 31: 8/5* 6/5"


def test_a_dance_that_was_none_keeps_its_words() -> None:
    assert rows(play(0, "31", kind="dance"), play(1, "31", "8/5", "6/5"))[0].startswith("  1) 31: Cannot Move ")


@pytest.mark.parametrize("text", [PlayText("unknown"), PlayText("nothing"), PlayText("unreadable", dump="3/x")])
def test_a_roll_without_a_known_play_keeps_its_place(text: PlayText) -> None:
    entry = CheckerPlay(player=0, dice=(3, 1), text=text)
    game = Game(number=1, score=(0, 0), entries=(entry, play(1, "42", "8/4", "6/4")))
    back = again(Match(players=("Ann", "Bob"), length=7, games=(game,))).games[0]
    assert [type(entry) for entry in back.entries] == [CheckerPlay, CheckerPlay]
    assert isinstance(back.entries[0], CheckerPlay)
    assert back.entries[0].text == text


def test_a_resignation_after_the_roll_keeps_the_roll() -> None:
    lines = rows(play(0, "31", kind="nothing"), Resign(player=0), results=(ResultClaim(player=1, points=2),))
    assert lines[0] == "  1) 31:"


def test_beavers_and_raccoons_keep_their_words() -> None:
    entries = (play(1, "31", "8/5", "6/5"), Double(player=0, value=2), Beaver(player=1, value=4))
    lines = rows(
        *entries,
        length=0,
        rules=Ruleset(crawford=False, jacoby=None, beavers=2, automatic_doubles=None),
        tags=(Tag(key="Beaver", value="On"),),
    )
    assert any("Beavers => 4" in line for line in lines)
    text = write(
        Match(
            players=("Ann", "Bob"),
            length=0,
            games=(Game(number=1, score=None, entries=(*entries, Beaver(player=0, value=8, raccoon=True))),),
        )
    )
    assert "Raccoons => 8" in text


@pytest.mark.parametrize("owner", [None, 0, 1])
def test_a_set_position_keeps_board_and_cube(owner: int | None) -> None:
    start = Board(checkers({25: 1, 6: 3, 1: 2}), checkers({25: 2, 12: 1, 4: 4}))
    game = Game(
        number=1,
        score=(3, 4),
        entries=(play(0, "61", "bar/18"),),
        start=start,
        start_cube=4 if owner is not None else 1,
        start_owner=owner,  # type: ignore[arg-type]
    )
    back = again(Match(players=("Ann", "Bob"), length=7, games=(game,))).games[0]
    assert (back.start, back.start_cube, back.start_owner) == (game.start, game.start_cube, game.start_owner)


@pytest.mark.parametrize("variant", ["nackgammon", "hypergammon", "hypergammon1", "hypergammon2", "longgammon"])
def test_a_variant_is_told_by_its_tag(variant: str) -> None:
    match = Match(players=("Ann", "Bob"), length=3, games=(Game(number=1, score=(0, 0), entries=()),))
    match = replace(match, rules=Ruleset(variant=variant))
    assert again(match).rules.start == VARIANTS[variant]


@pytest.mark.parametrize(
    ("length", "rules"),
    [
        (7, Ruleset(crawford=False)),
        (7, Ruleset(cube_limit=64)),
        (0, Ruleset(crawford=False, jacoby=True, beavers=1)),
        (0, Ruleset(crawford=False, jacoby=False, beavers=2, automatic_doubles=3)),
        (7, Ruleset(holland=True, quadruple=True, winner_starts=True)),
    ],
)
def test_options_that_no_tag_tells_get_one(length: int, rules: Ruleset) -> None:
    match = Match(players=("Ann", "Bob"), length=length, games=(), rules=rules)
    assert again(match).rules == rules
    # Written again they are not told twice.
    assert write(again(match)) == write(match)


def test_comments_stay_where_they_stood() -> None:
    text = (
        '; [Event "E"]\n; above\n\n 1 point match\n\n Game 1\n Ann : 0                        Bob : 0\n'
        "; before\n  1) 31: 8/5 6/5\n; between\n  2)                             42: 8/4 6/4\n; after\n"
    )
    (match,) = read(Source("x", text))
    lines = [line for line in write(match).splitlines() if line]
    assert [line[:4] for line in lines[5:]] == ["; be", "  1)", "; be", "  2)", "; af"]
    assert differences(match, again(match)) == []


@pytest.mark.parametrize("name", ["", "Jürgen & Zoë", "a : b", "x  y", "名人", "Game 1", "7 point match", "Wins"])
def test_names_survive(name: str) -> None:
    match = Match(players=(name, "Bob"), length=1, games=(Game(number=1, score=(0, 0), entries=()),))
    assert again(match).players == (" ".join(name.split()), "Bob")


@pytest.mark.parametrize("name", ["; x", "#1", "1) 31:", "a : 3 b", "two\nlines"])
def test_a_name_that_would_be_taken_for_something_else_is_altered(name: str) -> None:
    match = Match(players=(name, "Bob"), length=1, games=(Game(number=1, score=(0, 0), entries=()),))
    back = again(match)
    assert back.players[1] == "Bob"
    assert not back.findings


def test_a_rating_stays_behind_its_name() -> None:
    match = Match(players=("Ann", "Bob"), length=1, games=(Game(number=1, score=(0, 0), entries=()),))
    assert again(replace(match, ratings=("1620", ""))).ratings == ("1620", "")


def test_the_writer_leaves_its_input_alone() -> None:
    match = replace(random_match(5, 3), comments=(Comment(text="one"), Comment(text="two")))
    before = copy.deepcopy(match)
    write(match)
    assert match == before


def test_multi_line_comments_and_values_cannot_break_the_layout() -> None:
    match = replace(
        random_match(6, 1), comments=(Comment(text="one\n two\n\nGame 9"),), tags=(Tag(key="Event", value="a\nb"),)
    )
    back = again(match)
    assert [comment.text for comment in back.comments] == ["one", "two", "", "Game 9"]
    assert back.tag("Event") == "a b"


# --- over whole files -----------------------------------------------------------------------


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_samples_read_back(path: Path) -> None:
    for match in read(decode(path.read_bytes(), path.name)):
        assert differences(match, again(match)) == []
        assert write(again(match)) == write(match)


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("part", range(4))
def test_generated_matches_are_clean_and_read_back(part: int) -> None:
    for seed in range(part, 200, 4):
        match = random_match(seed, (0, 1, 3, 5, 7)[seed % 5], set_positions=seed % 2 == 0)
        assert check(match) == ()
        dialect = DIALECTS[seed % len(DIALECTS)]
        back = again(match, dialect)
        assert differences(match, back) == []
        assert check(back) == ()


def corpus_matches(step: int = 1) -> Iterator[tuple[str, Match]]:
    """The matches of every ``step``-th file."""
    for path in sorted(CORPUS.iterdir())[::step]:
        yield from ((path.name, match) for match in read(decode(path.read_bytes(), path.name)))


def reads_back(matches: Iterable[tuple[str, Match]], dialect: Dialect) -> None:
    for name, match in matches:
        back = again(match, dialect)
        assert differences(match, back) == [], name
        assert not back.findings or match.length is None or not match.games, name


@pytest.mark.quick(one_in=2)
@needs_corpus
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_corpus_reads_back(dialect: Dialect) -> None:
    # More files in GNU Backgammon's layout than in the other spellings.
    reads_back(corpus_matches(4 if dialect is JELLYFISH else 12), dialect)


@pytest.mark.thorough
@needs_corpus
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_every_file_of_the_corpus_reads_back(dialect: Dialect) -> None:
    reads_back(corpus_matches(), dialect)


# --- GNU Backgammon as judge ----------------------------------------------------------------


def through_gnubg(matches: list[Match], folder: Path) -> list[Match]:
    """The matches as GNU Backgammon exports them after it has imported what we write."""
    assert _GNUBG is not None
    commands = []
    for number, match in enumerate(matches):
        (folder / f"{number}.mat").write_text(write(match), encoding="utf-8")
        commands += [f"import mat {folder}/{number}.mat", f"export match mat {folder}/{number}.out.mat"]
    done = subprocess.run(
        [_GNUBG, "-t", "-q"], input="\n".join(commands) + "\n", capture_output=True, encoding="latin-1", check=False
    )
    assert done.returncode == 0, done.stderr[-500:]
    return [read(decode((folder / f"{number}.out.mat").read_bytes(), str(number)))[0] for number in range(len(matches))]


def boards(match: Match) -> list[tuple[int, Board]]:
    """Who rolls on which board, roll by roll."""
    return [
        (turn.player, turn.before)
        for game in replay(match)
        for turn in game.turns
        if isinstance(turn.entry, CheckerPlay)
    ]


def results(match: Match) -> list[tuple[int | None, tuple[int, int]]]:
    return [(game.winner, game.score) for game in replay(match)]


@needs_gnubg
def test_gnubg_imports_generated_matches(tmp_path: Path) -> None:
    matches = [random_match(1000 + seed, (0, 1, 3, 5)[seed % 4]) for seed in range(40)]
    for match, exported in zip(matches, through_gnubg(matches, tmp_path), strict=True):
        assert boards(exported) == boards(match), match.tag("Event")
        if match.length:
            assert results(exported) == results(match), match.tag("Event")


@needs_gnubg
@pytest.mark.parametrize(
    "path", [path for path in SAMPLES if path.name != "five-slips.mat"], ids=lambda path: path.name
)
def test_gnubg_imports_the_samples(path: Path, tmp_path: Path) -> None:
    matches = list(read(decode(path.read_bytes(), path.name)))
    for match, exported in zip(matches, through_gnubg(matches, tmp_path), strict=True):
        assert boards(exported) == boards(match)
        assert results(exported) == results(match)


def imported_by_gnubg(matches: Iterable[tuple[str, Match]], folder: Path) -> None:
    # It goes its own way after anything that cannot be, drops what follows a match's end, and cannot
    # export a position that was set: such records say nothing about the layout.
    sound = [
        (name, match)
        for name, match in matches
        if not any(turn.violations for game in replay(match) for turn in game.turns)
        and not any(found.severity >= Severity.ERROR for found in check(match))
        and all(game.start is None for game in match.games)
    ]
    exports = through_gnubg([match for _, match in sound], folder)
    for (name, match), exported in zip(sound, exports, strict=True):
        assert boards(exported) == boards(match), name


@needs_gnubg
@needs_corpus
def test_gnubg_imports_a_share_of_the_corpus(tmp_path: Path) -> None:
    imported_by_gnubg(corpus_matches(9), tmp_path)


@pytest.mark.thorough
@needs_gnubg
@needs_corpus
def test_gnubg_imports_the_corpus(tmp_path: Path) -> None:
    imported_by_gnubg(corpus_matches(3), tmp_path)


def test_a_match_that_would_be_read_as_a_money_game_is_refused() -> None:
    match = Match(players=("Ann", "Bob"), length=16, games=(Game(number=1, score=(0, 0), entries=()),))
    with pytest.raises(FormatError, match="is a money game"):
        write(replace(match, tags=(Tag(key="Site", value="BackgammonGalaxy"),)))
    assert "16 point match" in write(match)
