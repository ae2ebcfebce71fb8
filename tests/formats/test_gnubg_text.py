"""GNU Backgammon's analysis text: every construct, the texts that it has written, and their twins."""

from __future__ import annotations

import csv
import os
import random
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from bgtools.checks.checking import check
from bgtools.conversion.conversion import convert, parse_target
from bgtools.findings import codes
from bgtools.findings.finding import Severity
from bgtools.formats.content import Content, FormatError
from bgtools.formats.printed.gnubg import read
from bgtools.formats.printed.gnubg_lines import PARSER
from bgtools.formats.reading import read_all, read_source, recognise
from bgtools.formats.shared.grammar import make_parser
from bgtools.record.record import CheckerPlay, Double, Drop, Match, Resign, Take
from bgtools.replayer.match import replay
from bgtools.rules.cube import Cube, MatchState
from gnubg_export import PROGRAM
from printed_texts import GNUBG_TEXT, NAMES, SECOND, block
from support import CORPUS


def of(text: str) -> Match:
    (match,) = read(Content(text.encode(), "game.txt"))
    return match


def test_the_grammar_has_no_conflict() -> None:
    pytest.importorskip("interegular", reason="a strict build needs interegular")
    assert make_parser("gnubg_text", PARSER.starts, strict=True).parse("to play 31", start="decision").data == "to_play"


def test_the_sample_is_recognised_and_sound() -> None:
    assert recognise(Content(GNUBG_TEXT.encode(), "x.txt")).name == "gnubg-text"
    match = of(GNUBG_TEXT)
    assert match.findings == ()
    assert not check(match)
    assert (match.players, match.length, match.games[0].score) == (NAMES, 3, (0, 0))
    assert [(tag.key, tag.value) for tag in match.tags] == [
        ("EventDate", "2023.09.28"), ("Event", "Club night"), ("Site", "Oslo"),
    ]  # fmt: skip
    assert [comment.text for comment in match.games[0].comments] == ["windy"]
    (game,) = replay(match)
    assert (game.winner, game.points, game.ending) == (1, 1, "drop")


def test_plays_and_cube_actions_are_the_players_own() -> None:
    entries = of(GNUBG_TEXT).games[0].entries
    assert [(type(entry), entry.player) for entry in entries] == [
        (CheckerPlay, 1), (CheckerPlay, 0), (Double, 1), (Drop, 0),
    ]  # fmt: skip
    first = entries[0]
    assert isinstance(first, CheckerPlay)
    assert (first.dice, str(first.text)) == ((3, 1), "8/5 6/5")
    start = first.text_at + first.text.hops[1].start
    assert GNUBG_TEXT[start : start + 3] == "6/5"


def test_plays_are_annotated() -> None:
    first, second = (entry.annotation for entry in of(GNUBG_TEXT).games[0].entries[:2])
    assert first is not None
    assert second is not None
    assert first.program == "GNU Backgammon 1.07.001"
    assert first.luck == 0.064
    assert first.plays is not None
    assert (first.plays.chosen, first.plays.error) == (0, None)
    assert first.plays.candidates[0].evaluation.probabilities == (0.551, 0.173, 0.013, 0.124, 0.005)
    assert [each.evaluation.equity for each in first.plays.candidates] == [0.159, -0.01]
    assert first.cube is None
    assert second.plays is not None
    assert (second.plays.chosen, second.plays.error) == (1, -0.057)
    assert [each.level.name for each in second.plays.candidates] == ["2-ply", "0-ply"]
    assert (second.mark, second.luck_mark, second.luck) == ("doubtful", "good", 0.439)
    assert second.cube is not None
    assert second.cube.no_double.equity == -0.19
    assert second.cube.no_double.cubeless == -0.161
    assert (second.cube.double_take.equity, second.cube.double_drop) == (-0.742, 1.0)


def test_an_answer_is_seen_by_the_player_who_doubled() -> None:
    double, drop = (entry.annotation for entry in of(GNUBG_TEXT).games[0].entries[2:])
    assert double is not None
    assert drop is not None
    assert (double.mark, drop.mark) == ("bad", "very bad")
    assert double.cube is not None
    assert drop.cube is not None
    assert (double.cube.error, drop.cube.answer_error) == (-0.12, -0.9)
    for each in (double.cube, drop.cube):
        assert each.no_double.probabilities == (0.55, 0.17, 0.01, 0.12, 0.005)
        assert (each.no_double.equity, each.double_take.equity, each.double_drop) == (0.22, 0.1, 1.0)


def test_words_of_other_actions() -> None:
    match = of(GNUBG_TEXT.replace("* Ann Smith rejects", "* Ann Smith accepts"))
    assert isinstance(match.games[0].entries[3], Take)
    match = of(GNUBG_TEXT.replace("* Ann Smith moves 24/14", "* Ann Smith cannot move"))
    play = match.games[0].entries[1]
    assert isinstance(play, CheckerPlay)
    assert play.text.kind == "dance"
    match = of(GNUBG_TEXT.replace("* Ann Smith moves 24/14", "* Ann Smith resigns"))
    assert isinstance(match.games[0].entries[1], Resign)


def test_an_old_text_tells_a_double_by_its_answer_alone_and_from_the_doublers_side() -> None:
    without = re.sub(r"(?s)Move number 3:.*?(?=Move number 4:)", "", GNUBG_TEXT)
    fourth = without[without.index("Move number 4") :]
    turned = fourth.replace("pass        -1.000", "pass        +1.000").replace("-0.220", "+0.220")
    match = of(without.replace(fourth, turned))
    entries = match.games[0].entries
    assert [type(entry) for entry in entries[2:]] == [Double, Drop]
    note = entries[3].annotation
    assert note is not None
    assert note.cube is not None
    assert (note.cube.no_double.equity, note.cube.double_drop) == (0.22, 1.0)


def test_a_session_and_the_crawford_game() -> None:
    money = of(GNUBG_TEXT.replace("(match to 3 points)", "(money session, with Jacoby rule)"))
    assert (money.length, money.rules.jacoby) == (0, True)
    assert of(GNUBG_TEXT.replace("(match to 3 points)", "(match to 3 points), Crawford game")).length == 3


def test_a_game_that_begins_elsewhere_says_so() -> None:
    position = SECOND
    state = MatchState(3, cube=Cube(2, "mine"))
    text = GNUBG_TEXT[: GNUBG_TEXT.index("Move number 1")] + block(
        1, "Bob to play 21", position, "* Bob moves 13/10", dice=(2, 1), state=state
    )
    game = of(text).games[0]
    assert (game.start, game.start_cube, game.start_owner) == (position.flipped(), 2, 1)


def test_a_line_that_it_does_not_write_is_told_and_so_is_another_board() -> None:
    match = of(GNUBG_TEXT.replace("Cubeful equities:", "Coffee break", 1))
    assert [each.code for each in match.findings] == [codes.UNREADABLE_LINE]
    match = of(
        GNUBG_TEXT.replace(
            " | X           O    |   | O              X |", " | X           O    |   | O            X   |", 1
        )
    )
    assert [each.code for each in match.findings] == [codes.BAD_SET_POSITION]
    assert "drawn otherwise" in match.findings[0].message


def test_every_character_belongs_to_something() -> None:
    for text in (GNUBG_TEXT, GNUBG_TEXT.replace("Cubeful equities:", "Coffee break")):
        match = of(text)
        game = match.games[0]
        spans = [
            *match.marks, game.score_span, *(tag.span for tag in match.tags), *(each.span for each in game.comments),
            *(entry.span for entry in game.entries), *(claim.span for claim in game.results),
            *(each.span for each in match.findings),
        ]  # fmt: skip
        covered = {at for span in spans for at in range(*span)}
        assert "".join(char for at, char in enumerate(text) if at not in covered).strip() == ""


def test_what_is_no_such_text_is_refused() -> None:
    with pytest.raises(FormatError, match="no line"):
        of("Move number 1:  Bob to play 31\n")


def test_cut_or_stained_it_never_fails() -> None:
    rng = random.Random(71)
    for _ in range(150):
        text = GNUBG_TEXT[: rng.randrange(len(GNUBG_TEXT))] if rng.random() < 0.5 else GNUBG_TEXT
        for _ in range(rng.randint(0, 4)):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice("\0 |*:%-9é\n") + text[at + rng.randint(0, 3) :]
        try:
            match = of(text)
        except FormatError:
            continue
        check(match)


@pytest.mark.parametrize("target", ["mat", "json"])
def test_it_converts(target: str) -> None:
    done = convert((of(GNUBG_TEXT),), parse_target(target))
    assert done.changed == ""
    assert done.data


# --- what the program has written -----------------------------------------------------------

_ANALYSES = CORPUS / "gnubg-analysis-txt"
needs_analyses = pytest.mark.needs(_ANALYSES.is_dir(), "the corpus")
_FILES = sorted(_ANALYSES.iterdir()) if _ANALYSES.is_dir() else []
_TWIN_GAME = re.compile(r"_(\d{3})\.txt$")


@cache
def analysed(path: Path) -> Match:
    (match,) = read_all(path)
    return match


@needs_analyses
def test_every_text_is_read_whole_and_has_no_error() -> None:
    plays = 0
    for path in _FILES:
        match = analysed(path)
        assert match.findings == (), path.name
        assert [each for each in check(match) if each.severity is Severity.ERROR] == [], path.name
        plays += len(match.games[0].entries)
    assert (len(_FILES), plays) == (80, 3_593)


@needs_analyses
def test_every_figure_is_the_one_of_the_text() -> None:
    seen = 0
    for path in _FILES[::5]:
        match = analysed(path)
        assert match.source is not None
        text = match.source.text
        notes = [entry.annotation for entry in match.games[0].entries if entry.annotation]
        candidates = [each for note in notes if note.plays for each in note.plays.candidates]
        equities = [float(each) for each in re.findall(r"Eq\.: +([-+]\d+\.\d+)", text)]
        assert [each.evaluation.equity for each in candidates] == equities, path.name
        chosen = [note.plays for note in notes if note.plays]
        assert len([each for each in chosen if each.chosen is not None]) == len(
            re.findall(r"(?m)^\* +(\d+\.|\?\?) .*Eq\.:", text)
        )
        lucks = [note.luck for note in notes if note.luck is not None]
        assert lucks == [float(each) for each in re.findall(r"(?m)^Rolled \d\d \( *([-+]\d+\.\d+)\):", text)]
        cubes = [note.cube for note in notes if note.cube]
        takes = [float(each) for each in re.findall(r"ouble, take +([-+]\d+\.\d+)", text)]
        assert [abs(each.double_take.equity or 0) for each in cubes] == [abs(each) for each in takes]
        for turn in replay(match)[0].turns:
            note = turn.entry.annotation
            if note and note.plays and note.plays.chosen is not None and isinstance(turn.entry, CheckerPlay):
                written = note.plays.candidates[note.plays.chosen].hops
                assert [hop.points for hop in written] == [hop.points for hop in turn.entry.text.hops]
        seen += len(equities)
    assert seen > 2_000


@needs_analyses
def test_they_replay_as_the_raw_texts_of_the_same_matches() -> None:
    twins = 0
    with (CORPUS / "MANIFEST.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["path"].startswith("gnubg-analysis-txt/")]
    raw = cache(lambda name: replay(read_all(CORPUS / "mat" / name)[0]))
    for row in rows:
        name = Path(row["path"]).name
        twin = re.search(r"twin-of:([^\t]*?\.txt)", row["flags"])
        if not twin:
            continue
        number = int(found[1]) if (found := _TWIN_GAME.search(name)) else 1
        theirs = [turn for turn in raw(twin[1])[number - 1].turns if not isinstance(turn.entry, Resign)]
        ours = replay(analysed(_ANALYSES / name))[0].turns
        assert [type(turn.entry) for turn in ours] == [type(turn.entry) for turn in theirs], name
        # Which of the two is player 0 is each format's own affair.
        assert [turn.after for turn in ours] == [turn.after for turn in theirs], name
        assert len({(one.player == two.player) for one, two in zip(ours, theirs, strict=True)}) == 1
        twins += 1
    assert twins == 74


@pytest.mark.needs(PROGRAM, "GNU Backgammon")
def test_what_it_plays_analyses_and_exports_both_ways_is_one_match(tmp_path: Path) -> None:
    assert PROGRAM is not None
    commands = [
        "set threads 1", "set display off", "set confirm new off", "set seed 8", "set rng mersenne",
        "set automatic game on", "set automatic roll on", "set automatic bearoff on", "set automatic move on",
        *(f"set player {player} {what}" for player in (0, 1)
          for what in ("gnubg", "chequer evaluation plies 0", "cube evaluation plies 0")),
        "set analysis chequerplay evaluation plies 0", "set analysis cubedecision evaluation plies 0",
        "new match 3", "analyse match", f'export match text "{tmp_path}/m.txt"', f'export match mat "{tmp_path}/m.mat"',
    ]  # fmt: skip
    subprocess.run(
        [PROGRAM, "-t", "-q"], input="\n".join([*commands, ""]).encode(), capture_output=True, check=False, timeout=60,
        env={**os.environ, "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    raw = replay(read_all(tmp_path / "m.mat")[0])
    files = [tmp_path / "m.txt", *sorted(tmp_path.glob("m_*.txt"))]
    assert len(files) == len(raw)
    for file, game in zip(files, raw, strict=True):
        (match,) = read_all(file)
        assert match.findings == ()
        (ours,) = replay(match)
        theirs = [turn for turn in game.turns if not isinstance(turn.entry, Resign)]
        assert [turn.after for turn in ours.turns] == [turn.after for turn in theirs]
        assert (ours.winner, ours.points) == (game.winner, game.points)
        assert all(entry.annotation for entry in match.games[0].entries if isinstance(entry, CheckerPlay))


def test_bytes_are_enough() -> None:
    assert read_source(GNUBG_TEXT.encode(), "<stdin>")[0].players == NAMES
