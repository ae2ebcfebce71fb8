"""Converting: what is lost is told, what was written is read again, and files are written whole or not at all."""

from __future__ import annotations

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from test_match_json import FULL

import bgtools
from bgtools._disk import save
from bgtools.board.board import START
from bgtools.board.play import HopText, PlayText
from bgtools.conversion.conversion import Target, convert, parse_target, safe_name, target_of_name
from bgtools.conversion.probes import WORDS
from bgtools.findings import codes
from bgtools.formats.content import FormatError
from bgtools.formats.format import Format
from bgtools.formats.reading import read_all, read_source
from bgtools.formats.registry import our_formats
from bgtools.record.annotation import Annotation, Candidate, Evaluation, Level, PlayAnalysis
from bgtools.record.record import Beaver, CheckerPlay, Comment, Double, Game, Match, Resign, ResultClaim, SetBoard, Tag
from bgtools.rules.options import VARIANTS, Ruleset
from program import bgtools as program
from selfplay import random_match
from support import mat, read_text, row

FULL_BUT_FOR_THE_BOARD = replace(FULL, games=(replace(FULL.games[0], entries=FULL.games[0].entries[:1]),))
ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "samples").glob("*.mat"))
TEXT = mat(
    row(1, "", "31: 8/5 6/5"), row(2, "52: 13/8 24/22", "64: 24/14"), "      Wins 1 point", length=1
)  # fmt: skip


def written(match: Match, to: str) -> str:
    done = convert((match,), parse_target(to))
    assert not done.changed
    return done.data.decode("utf-8-sig")


@pytest.mark.parametrize("target", [each.name for each in our_formats() if each.writer and each.holds_matches])
def test_a_play_whose_roll_is_not_recorded_is_played_as_written_in_every_format(target: str) -> None:
    (match,) = read_all(ROOT / "samples" / "one-point.mat")
    game = match.games[0]
    entries = list(game.entries)
    play = entries[6]
    assert isinstance(play, CheckerPlay)
    entries[6] = replace(play, dice=None)
    match = replace(match, games=(replace(game, entries=tuple(entries)),))
    (found,) = bgtools.check(match)
    assert found.code is codes.UNKNOWN_PLAY
    assert "with which roll Sam Okoro played 21/15 18/13 is not recorded" in found.message
    assert "it stood" in found.hint
    done = convert((match,), parse_target(target))
    assert not done.changed
    assert codes.PLAY_LOST not in {loss.code for loss in done.losses}


_BY_NUMBER = ("backgammon", "nackgammon", "hypergammon", "longgammon")
OF_VARIANTS = {
    "mat": tuple(VARIANTS), "text": tuple(VARIANTS), "sgf": tuple(VARIANTS), "json": tuple(VARIANTS),
    "xg": _BY_NUMBER, "ogxm": _BY_NUMBER,
    "sgg": ("backgammon", "nackgammon", "hypergammon"), "tmg": ("backgammon", "nackgammon"),
}  # fmt: skip
"""The variants that a format can state; those that are not here know only backgammon."""


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("target", [each.name for each in our_formats() if each.writer and each.holds_matches])
def test_every_variant_goes_through_every_format_or_is_refused_by_name(target: str, variant: str) -> None:
    title = f"{variant[:-1]} ({variant[-1]})" if variant[-1].isdigit() else variant
    matches = (read_text(f'; [Variation "{title}"]\n' + mat("  1) 31: 24/20           42: 24/18")),)
    assert matches[0].rules.variant == variant
    chosen = parse_target(target).format
    if variant not in OF_VARIANTS.get(target, ("backgammon",)):
        with pytest.raises(FormatError, match=f"(?i) has no {variant}$"):
            convert(matches, Target(chosen))
        return
    done = convert(matches, Target(chosen))
    assert done.changed == ""
    assert read_source(done.data, "x", target)[0].rules.variant == variant


@pytest.mark.parametrize("target", ["xg", "ogxm"])
def test_a_variation_that_the_record_does_not_state_is_that_of_its_games_and_told(target: str) -> None:
    rules = Ruleset(crawford=True, variant="hypergammon", jacoby=False)
    silent = read_source(convert((random_match(0, 3, rules=rules),), parse_target("gam"), verify=False).data, "x.gam")
    done = convert(silent, parse_target(target))
    assert [each.message.split(" cannot ")[1] for each in done.losses] == [
        "hold games of Hypergammon in a match of backgammon"
    ]
    (match,) = read_source(done.data, f"x.{target}")
    assert (match.rules.variant, bgtools.check(match)) == ("hypergammon", ())


@pytest.mark.parametrize("maker", ["eXtreme Gammon", "BGBlitz", "GNU Backgammon 1.07.001", "Some Bot"])
@pytest.mark.parametrize("target", [each for each in our_formats() if each.writer], ids=lambda each: each.name)
def test_who_made_an_analysis_comes_back_or_is_told_as_lost(target: Format, maker: str) -> None:
    chances = (0.52, 0.13, 0.01, 0.125, 0.005)
    hops = (HopText((8, 5), (False,)), HopText((6, 5), (False,)))
    best = Candidate(
        hops=hops, evaluation=Evaluation(probabilities=chances, equity=0.159, cubeless=0.132), level=Level(name="2-ply")
    )
    note = Annotation(program=maker, plays=PlayAnalysis(candidates=(best,), chosen=0))
    board = SetBoard(player=0, position=START)
    made = PlayText("moves", hops) if target.holds_matches else PlayText("unknown")
    play = CheckerPlay(player=0, dice=(3, 1), text=made, annotation=note)
    entries = (play,) if target.holds_matches else (board, play)
    game = Game(number=1, score=(0, 0), entries=entries)
    done = convert((Match(players=("Ann", "Bob"), length=7, games=(game,)),), parse_target(target.name))
    assert not done.changed
    told = any("as the maker of an analysis" in loss.message for loss in done.losses)
    (back,) = read_source(done.data, f"x{target.extensions[0]}")
    notes = [entry.annotation for entry in back.games[0].entries]
    makers = {note.program for note in notes if note is not None and note.plays is not None}
    assert makers == set() or told == (makers != {maker})


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("target", [each.name for each in our_formats() if each.writer and each.holds_matches])
def test_a_sample_survives_every_format(path: Path, target: str) -> None:
    done = convert(read_all(path), parse_target(target))
    assert done.changed == ""
    assert done.data


def test_match_text_tells_what_it_has_no_place_for() -> None:
    found = convert((FULL_BUT_FOR_THE_BOARD,), parse_target("mat")).losses
    assert {each.code for each in found} == {codes.ANALYSIS_LOST, codes.EXTRA_LOST}
    assert {each.game for each in found if each.code is codes.ANALYSIS_LOST} == {4}


def test_what_no_writer_can_say_is_refused() -> None:
    with pytest.raises(FormatError, match="set in the middle of a game"):
        convert((FULL,), parse_target("mat"))


def test_json_loses_nothing() -> None:
    done = convert((FULL,), parse_target("json"))
    assert (done.losses, done.changed) == ((), "")


def test_text_that_cannot_be_read_is_lost_everywhere_and_told() -> None:
    match = read_text(TEXT.replace("  2) ", "  {c0ffee}\n  2) "))
    (loss,) = convert((match,), parse_target("json")).losses
    assert loss.code is codes.TEXT_LOST
    assert match.source is not None
    assert (
        match.source.location(loss.span.start).line
        == TEXT.splitlines().index(row(2, "52: 13/8 24/22", "64: 24/14")) + 1
    )


def test_strict_refuses_and_allow_accepts() -> None:
    game = replace(FULL.games[0], entries=FULL.games[0].entries[:1])
    plain = replace(FULL, games=(game,), extras=())
    refused = convert((plain,), parse_target("mat"), strict=True)
    assert refused.refused
    assert refused.data == b""
    accepted = convert((plain,), parse_target("mat"), strict=True, allow={"analysis-lost", "BG512"}, verify=False)
    assert not accepted.refused
    assert accepted.losses == ()


def test_output_that_reads_differently_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    match = read_text(TEXT)
    target = parse_target("mat:gnubg")
    other = read_text(TEXT.replace("64: 24/14", "64: 24/20"))

    def wrong(self: Format, matches: tuple[Match, ...], dialect: str = "") -> bytes:
        from bgtools.formats.mat.writer import write_content

        return write_content((other,))

    monkeypatch.setattr(Format, "write", wrong)
    done = convert((match,), target)
    assert done.data == b""
    assert done.changed.startswith("game 1, entry 3: ")
    assert len(done.changed) < 200  # only where the two part, not the whole turn
    assert convert((match,), target, verify=False).data


def test_targets_are_told_by_name_dialect_and_ending() -> None:
    assert str(parse_target("mat:xg-text")) == "mat:xg-text"
    assert target_of_name("a/b.MAT").format.name == "mat"
    assert target_of_name("b.txt").format.name == "mat"
    assert target_of_name("b.xgp").format.name == "xgp"
    for text, said in [
        ("nothing", "no format 'nothing'"),
        ("mat:klingon", "it has gnubg, "),
        ("json:x", "it has none"),
    ]:
        with pytest.raises(FormatError, match=said):
            parse_target(text)
    with pytest.raises(FormatError, match="say which with --to"):
        target_of_name("match")


def test_a_file_is_never_written_over_unless_asked(tmp_path: Path) -> None:
    path = tmp_path / "x.mat"
    save(b"1", path)
    with pytest.raises(FileExistsError):
        save(b"2", path)
    assert path.read_bytes() == b"1"
    save(b"3", path, force=True)
    assert path.read_bytes() == b"3"
    assert [each.name for each in tmp_path.iterdir()] == ["x.mat"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without devices and pipes that have names")
def test_a_link_stays_and_what_is_no_file_is_written_into(tmp_path: Path) -> None:
    target, link, device, pipe = (tmp_path / name for name in ("target", "link", "device", "pipe"))
    link.symlink_to(target)
    save(b"1", link)
    with pytest.raises(FileExistsError):
        save(b"2", link)
    save(b"3", link, force=True)
    assert (link.is_symlink(), target.read_bytes()) == (True, b"3")
    device.symlink_to("/dev/null")
    for force in (False, True):
        save(b"4", device, force=force)
        assert device.is_char_device()
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        read = pool.submit(pipe.read_bytes)
        save(b"5", pipe)
        assert read.result() == b"5"
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("stem", "safe"),
    [("a/b", "a_b"), ("..", "__"), ("con", "_con"), ("x\x1b[31m", "x_[31m"), ("", "match"), ("a" * 300, "a" * 120)],
)
def test_names_are_made_safe(stem: str, safe: str) -> None:
    assert safe_name(stem) == safe


def test_a_match_is_written_by_the_ending_of_the_file_and_read_again(tmp_path: Path) -> None:
    match = read_text(TEXT)
    assert bgtools.write(match, tmp_path / "x.json") == ()
    assert bgtools.read(tmp_path / "x.json").players == match.players
    with pytest.raises(FileExistsError):
        bgtools.write(match, tmp_path / "x.json")
    losses = bgtools.write((FULL_BUT_FOR_THE_BOARD,), tmp_path / "x.mat")
    assert {each.code for each in losses} == {codes.ANALYSIS_LOST, codes.EXTRA_LOST}
    with pytest.raises(FormatError, match="cannot hold"):
        bgtools.write(FULL_BUT_FOR_THE_BOARD, tmp_path / "y.txt", "mat:studio", strict=True)
    assert not (tmp_path / "y.txt").exists()


# --- the command ----------------------------------------------------------------------------


def run(*arguments: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return program(*map(str, arguments), stdin=stdin.encode())


def test_the_command_converts_a_file_and_back(tmp_path: Path) -> None:
    done = run("convert", SAMPLES[0], tmp_path / "x.json")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith(f"{tmp_path / 'x.json'}: read back, and the same: ")
    assert run("convert", tmp_path / "x.json", tmp_path / "x.mat").returncode == 0
    assert read_all(tmp_path / "x.mat")[0].players == read_all(SAMPLES[0])[0].players


def test_the_command_fills_a_folder_and_keeps_names_apart(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.mat").write_text(TEXT)
    done = run("convert", tmp_path / "a/m.mat", tmp_path / "b/m.mat", tmp_path / "out", "--to", "json")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["m-2.json", "m.json"]


def test_the_command_works_in_a_pipe() -> None:
    done = run("convert", "-", "-", "--to", "mat:xg-text", stdin=TEXT)
    assert done.returncode == 0
    assert "31: 8/5 6/5" in done.stdout


def test_the_command_says_what_is_lost_and_strict_writes_nothing(tmp_path: Path) -> None:
    from bgtools.formats.json.match import write

    source = tmp_path / "x.json"
    match = Match(players=("A", "B"), length=1, games=read_text(TEXT).games, extras=(Tag(key="xg:x", value="1"),))
    source.write_bytes(write((replace(match, comments=(Comment(text="hello"),)),)))
    done = run("convert", source, tmp_path / "x.mat", "--strict")
    assert done.returncode == 1
    assert "BG512" in done.stderr
    assert not (tmp_path / "x.mat").exists()
    done = run("convert", source, tmp_path / "x.mat", "--strict", "--allow", "BG512")
    assert done.returncode == 0
    assert done.stderr.startswith(f"{tmp_path / 'x.mat'}: read back, and the same but for what this format cannot hold")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["x.mat"], "give the records, and last the file"),
        (["x.mat", "y.mat"], "No such file"),
        (["x.mat", "y"], "say which with --to"),
        (["x.mat", "y.mat", "-", "--to", "mat"], "not into a pipe"),
        (["x.mat", "y.mat", "--allow", "BG101"], "there is no such loss"),
        (["x.mat", "y.mat", "--allow", "BG599"], "there is no such loss"),
        (["x.mat", "y.mat", "z.sgf"], "z.sgf is the name of a file, and several records need a folder"),
        (["x.mat", "y.mat", "z.sgf", "--to", "sgf"], "z.sgf is the name of a file"),
        (["x.mat", "", "--to", "sgf"], "give the records, and last the file"),
        (["--positions", "--to", "list", "--strict"], "only --to and --force"),
        (["x.mat", "-"], "say with --to"),
    ],
)
def test_the_command_complains_like_a_person(arguments: list[str], said: str) -> None:
    done = run("convert", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_several_records_do_not_go_into_a_file(tmp_path: Path) -> None:
    (tmp_path / "there.sgf").write_text("mine")
    sample = Path("samples/one-point.mat").resolve()
    done = run("convert", sample, sample, tmp_path / "there.sgf", "--to", "sgf")
    assert done.returncode == 2
    assert (
        done.stderr == f"bgtools: {tmp_path / 'there.sgf'} is the name of a file, and several records need a folder\n"
    )
    assert (tmp_path / "there.sgf").read_text() == "mine"


def test_formats_are_listed_for_people_and_programs() -> None:
    done = run("formats", "--format", "json")
    assert [each["name"] for each in json.loads(done.stdout)] == [each.name for each in our_formats()]
    assert "match text" in run("formats").stdout
    told = run("formats", "sgg").stdout
    assert told.startswith("sgg: GamesGrid log (read, write)\n")
    assert "carries: " in told
    assert "options: crawford, jacoby, beavers, automatic_doubles, variant\n" in told
    listed = {each["name"]: each for each in json.loads(done.stdout)}
    assert listed["pos"]["options"] == ["jacoby", "beavers"]
    assert listed["oldmoves"]["options"] == []
    assert (sorted(listed["json"]["carries"]), listed["json"]["lacks"]) == (sorted(WORDS), [])
    # What a format that is only read holds nobody can try.
    assert (listed["party"]["carries"], listed["party"]["lacks"], listed["party"]["options"]) == (None, None, None)
    assert run("formats", "klingon").returncode == 2


def test_targets_print_as_they_are_given() -> None:
    assert str(Target(our_formats()[0])) == "mat"


def test_a_tag_that_states_a_rule_may_become_the_rule_alone() -> None:
    match = replace(read_text(TEXT), rules=replace(read_text(TEXT).rules, crawford=False))
    assert "Crawford" in written(match, "mat")


def test_a_double_without_a_value_is_written_with_that_of_the_cube() -> None:
    entries = (
        *read_text(TEXT).games[0].entries[:1], Double(player=0), Beaver(player=1), Beaver(player=0, raccoon=True),
    )  # fmt: skip
    match = read_text(TEXT)
    match = replace(match, games=(replace(match.games[0], entries=entries),))
    text = written(match, "mat")
    assert "Doubles => 2" in text
    assert "Beavers => 4" in text
    assert "Raccoons => 8" in text


def test_the_stated_result_may_tell_the_level_of_a_resignation() -> None:
    match = read_text(TEXT)
    game = replace(match.games[0], entries=(*match.games[0].entries[:1], Resign(player=0, level=2)))
    told = replace(match, games=(replace(game, results=(ResultClaim(player=1, points=2),)),))
    done = convert((told,), parse_target("mat"))
    assert (done.losses, done.changed) == ((), "")
    untold = replace(match, games=(replace(game, results=(ResultClaim(player=1, points=1),)),))
    assert [loss.code for loss in convert((untold,), parse_target("mat")).losses] == [codes.RESIGNATION_LOST]


def test_a_refusal_quotes_a_file_without_what_acts_on_a_terminal() -> None:
    assert str(FormatError("no such part: \x1b[31m\t\u202e")) == "no such part: \\x1b[31m\\t\\u202e"


NAMES = (
    ("\tAnn ", "Bob  "), ("  ", "x"), ("", ""), ("Ann", "Ann"), ("Ann Lee", "ann_lee"), ("a:b", "Bob"),
    ("Ann : 0", "Bob"), ("Game 1", "1)"), ("(;GM[6]", "Bob"), ("x;y", '[Site "a"]'), ("31: 8/5", "Bob"),
    ("5 point match", "Takes"),
)  # fmt: skip


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("players", NAMES, ids=repr)
def test_a_name_of_any_form_comes_back_as_a_user_opens_the_file_or_is_told(players: tuple[str, str]) -> None:
    written, refused = 0, []
    for length in (0, 5):
        match = replace(random_match(3, length, games=2), players=players, source=None)
        for target in our_formats():
            if not target.writer or not target.holds_matches:
                continue
            try:
                done = convert((match,), Target(target))
            except FormatError as error:
                refused.append(str(error))
                continue
            assert done.changed == "", target.name
            written += 1
            (back,) = read_source(done.data, f"x{target.extensions[0]}")
            changed = [name for name, other in zip(players, back.players, strict=True) if name.split() != other.split()]
            assert len(changed) == sum(loss.code is codes.NAME_CHANGED for loss in done.losses), target.name
    assert written > 10
    assert all("cannot hold players called" in each for each in refused)
