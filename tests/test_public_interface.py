"""The names that `import bgtools` gives: what they take, how they show themselves, and that their page holds."""

from __future__ import annotations

import doctest
import importlib.util
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import bgtools

ROOT = Path(__file__).parents[1]
SEVEN, SLIPS, MONEY = (str(ROOT / "samples" / f"{name}.mat") for name in ("seven-point", "five-slips", "money"))
NAMES = [name for name in bgtools.__all__ if name != "__version__"]
ENGINE = importlib.util.find_spec("bgsage") is not None


# --- the names ------------------------------------------------------------------------------


def test_every_public_name_is_there_and_stays_what_it_is() -> None:
    first = {name: getattr(bgtools, name) for name in bgtools.__all__}
    match = bgtools.read(ROOT / "samples" / "one-point.mat")
    bgtools.check(match)
    bgtools.analyse(match, engine=None)
    assert {name: getattr(bgtools, name) for name in bgtools.__all__} == first


def test_dir_gives_the_public_names_and_nothing_else() -> None:
    assert dir(bgtools) == sorted(bgtools.__all__)
    code = "import bgtools; bgtools.read; assert dir(bgtools) == sorted(bgtools.__all__); bgtools.nonsense"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip().endswith("AttributeError: module 'bgtools' has no attribute 'nonsense'")


def test_the_name_replay_is_the_function_whatever_has_been_imported() -> None:
    code = "import bgtools.replayer, bgtools.cli, bgtools as b; print(type(b.replay).__name__, type(b.check).__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["function", "function"]


def test_importing_it_loads_neither_parser_nor_tables() -> None:
    heavy = {"lark", "pandas", "matplotlib", "typer"}
    code = f"import sys, bgtools; bgtools.analyse; print({heavy} & set(sys.modules) or '')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_reading_checking_and_playing_need_nothing_compiled() -> None:
    """As in Pyodide, where bgsage cannot be installed and pandas is a large download."""
    code = """
import sys
for name in ("bgsage", "bgbot_cpp", "gnubg", "pandas", "matplotlib", "numpy", "typer", "rich"):
    sys.modules[name] = None
import bgtools
position = bgtools.Position.from_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10").play("8/5 6/5")
assert bgtools.Position.from_id(position.gnubg_id).board == position.board
print(len(bgtools.check(sys.argv[1])), len(bgtools.replay(sys.argv[1])), len(position.draw()) > 999)
print(len(bgtools.convert(sys.argv[1], to="sgf").data) > 999)
"""
    done = subprocess.run([sys.executable, "-c", code, SEVEN], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "8", "True", "True"]


# --- every name is described, and its examples hold ------------------------------------------


def _members(name: str) -> list[tuple[str, Any]]:
    """A name with all that it offers: the methods and properties of a class that are no inheritance."""
    thing = getattr(bgtools, name)
    if not inspect.isclass(thing) or issubclass(thing, Exception):
        return [(name, thing)]
    own = [(f"{name}.{key}", value) for key, value in vars(thing).items() if not key.startswith("_")]
    return [(name, thing), *((key, value) for key, value in own if callable(value) or isinstance(value, property))]


@pytest.mark.parametrize("name", NAMES)
def test_every_name_says_what_it_is(name: str) -> None:
    for full, thing in _members(name):
        assert (inspect.getdoc(thing) or "").strip(), f"{full} has no docstring"


@pytest.mark.parametrize("name", NAMES)
def test_every_name_has_an_example_that_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in ("Blunder", "Choice", "Evaluation", "evaluate") and not ENGINE:
        pytest.skip("bgsage is not installed")
    monkeypatch.chdir(ROOT)
    tests = doctest.DocTestFinder().find(getattr(bgtools, name), name, globs={"bgtools": bgtools})
    assert sum(len(test.examples) for test in tests)
    told: list[str] = []
    for test in tests:
        doctest.DocTestRunner().run(test, out=told.append)
    assert not told, "".join(told)


def test_the_page_about_the_names_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("make_api", ROOT / "docs" / "make_api.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert text == module.page(), "run python docs/make_api.py"
    assert sorted(re.findall("^### `(.*)`$", text, re.MULTILINE)) == sorted(NAMES)


# --- a path wherever a match is taken ---------------------------------------------------------


@pytest.mark.quick(one_in=2)
@pytest.mark.parametrize("path", [SEVEN, Path(SEVEN)], ids=["str", "Path"])
def test_a_path_is_as_good_as_a_match(path: str | Path, tmp_path: Path) -> None:
    match = bgtools.read(path)
    assert bgtools.check(path) == bgtools.check(match)
    assert [game.turns for game in bgtools.replay(path)] == [game.turns for game in bgtools.replay(match)]
    assert bgtools.convert(path, to="sgf").data == bgtools.convert(match, to="sgf").data
    assert bgtools.analyse(path, engine=None).turns.equals(bgtools.analyse(match, engine=None).turns)
    bgtools.write(path, tmp_path / "one.sgf")
    bgtools.write(match, str(tmp_path / "two.sgf"))
    assert (tmp_path / "one.sgf").read_bytes() == (tmp_path / "two.sgf").read_bytes()


@pytest.mark.parametrize("name", ["check", "replay", "analyse"])
def test_what_is_neither_match_nor_path_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match="a match or the path of a file, not int"):
        getattr(bgtools, name)(7)


@pytest.mark.parametrize("name", ["check", "replay", "analyse"])
def test_a_path_that_leads_nowhere_is_an_error_of_the_file(name: str) -> None:
    with pytest.raises(FileNotFoundError):
        getattr(bgtools, name)("no/such.mat")


def test_all_matches_of_a_file_are_converted(tmp_path: Path) -> None:
    both = tmp_path / "both.json"
    assert not bgtools.write((bgtools.read(SEVEN), bgtools.read(MONEY)), both)
    assert [match.length for match in bgtools.read_all(both)] == [7, 0]
    assert bgtools.convert(both, to="json").data == both.read_bytes()
    with pytest.raises(bgtools.FormatError, match="holds one match, and there are 2"):
        bgtools.convert(both, to="xg")


def test_a_conversion_is_bytes_and_losses_and_refuses_what_is_not_accepted() -> None:
    done = bgtools.convert(SLIPS, to="sgg")
    assert done.data
    assert {loss.code.id[:3] for loss in done.losses} == {"BG5"}
    with pytest.raises(bgtools.FormatError):
        bgtools.convert(SLIPS, to="sgg", strict=True)
    assert not bgtools.convert(SLIPS, to="sgg", strict=True, allow=[loss.code.id for loss in done.losses]).losses
    with pytest.raises(bgtools.FormatError, match="no format 'klingon'"):
        bgtools.convert(SLIPS, to="klingon")


# --- how things show themselves ---------------------------------------------------------------


@pytest.mark.parametrize("path", [SEVEN, SLIPS, MONEY])
def test_what_is_large_tells_itself_in_one_line(path: str) -> None:
    match = bgtools.read(path)
    games = bgtools.replay(match)
    shown: list[object] = [match, match.source, *match.games, *games, *(turn for game in games for turn in game.turns)]
    shown += [turn.before for game in games for turn in game.turns]
    shown += [turn.position for game in games for turn in game.turns]
    for each in shown:
        assert "\n" not in repr(each)
        assert len(repr(each)) < 200, repr(each)


def test_a_match_tells_its_players_length_games_and_file() -> None:
    told = repr(bgtools.read(SEVEN))
    for part in ("Nora Lindholm", "Peter Marsh", "7 points", "8 games", "seven-point.mat"):
        assert part in told
    assert "money" in repr(bgtools.read(MONEY))


def test_a_long_name_does_not_make_a_long_line() -> None:
    match = bgtools.Match(players=("A" * 5000, "\x1b[31m\n"), length=None, games=())
    assert len(repr(match)) < 100
    assert repr(match).isprintable()


def test_a_match_is_a_table_of_its_games_in_a_notebook() -> None:
    table = bgtools.read(SEVEN)._repr_html_()
    rows = re.findall("<tr>(.*?)</tr>", table)
    assert len(rows) == 1 + 8
    assert re.findall("<t[dh][^>]*>(.*?)</t[dh]>", rows[1]) == ["1", "0-0", "Peter Marsh", "2", "drop"]
    assert re.findall("<t[dh][^>]*>(.*?)</t[dh]>", rows[8]) == ["8", "6-6", "Peter Marsh", "1", "borne off"]


def test_names_cannot_write_into_a_page(tmp_path: Path) -> None:
    text = Path(SEVEN).read_text(encoding="utf-8").replace("Nora Lindholm", "<script>N</script>")
    (tmp_path / "bad.mat").write_text(text, encoding="utf-8")
    match = bgtools.read(tmp_path / "bad.mat")
    assert "<script>" in match.players[0]
    assert "<script>" not in match._repr_html_()
    position = bgtools.Position(names=("<script>", "<b>"))
    assert "<script>" not in position._repr_html_()
    assert position._repr_html_().startswith("<svg")


def test_a_finding_prints_as_the_command_does() -> None:
    command = [sys.executable, "-m", "bgtools", "check", "--format", "concise", SLIPS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert [str(finding) for finding in bgtools.check(SLIPS)] == done.stdout.splitlines()


def test_a_finding_without_its_text_tells_no_place() -> None:
    found = bgtools.check(bgtools.read(SLIPS))[0]
    assert found.location is not None
    bare = bgtools.Finding(found.code, found.span, found.message)
    assert bare.location is None
    assert str(found).endswith(f": {bare}".replace(" [", f" ({found.game_and_row}) ["))
    assert str(bare).startswith(f"error {found.code.id} ")


def test_printing_a_position_or_board_draws_it() -> None:
    position = bgtools.Position(dice=(3, 1))
    assert len(str(position).splitlines()) == len(str(position.board).splitlines()) == 13
    assert "rolled 31" in str(position)
    assert "cube" in str(position)
    assert "cube" not in str(position.board)


# --- what the commands do, as functions ---------------------------------------------------------


def test_profile_and_rules_are_those_of_the_command(tmp_path: Path) -> None:
    record = tmp_path / "two.mat"
    record.write_text(Path(SLIPS).read_text(encoding="utf-8").replace("  3)", "  4)", 1), encoding="utf-8")
    compared = 0
    for profile in ("strict", "tournament", "lenient"):
        command = [sys.executable, "-m", "bgtools", "check", "--settings", "none", "--format", "concise"]
        done = subprocess.run(
            [*command, "--profile", profile, str(record)], capture_output=True, text=True, check=False
        )
        found = [str(each) for each in bgtools.check(record, profile=profile)]
        assert found == done.stdout.splitlines()
        compared += len(found)
    assert compared > 10
    assert bgtools.check(record, rules="no-crawford") != ()
    for wrong in ({"profile": "mild"}, {"rules": "beavers=lots"}):
        with pytest.raises(ValueError, match=r"mild|lots"):
            bgtools.check(record, **wrong)


def test_fix_touches_no_file_and_says_what_is_left() -> None:
    before = Path(SLIPS).read_bytes()
    done = bgtools.fix(SLIPS)
    assert Path(SLIPS).read_bytes() == before == done.before
    assert len(done.changes) == 5
    assert bgtools.fix(bgtools.read(SLIPS)).after == done.after
    assert all(not bgtools.check(match) for match in done.matches)
    with pytest.raises(ValueError, match="no file"):
        bgtools.fix(bgtools.Match(players=("A", "B"), length=3, games=()))


def test_diff_tells_slips_and_refuses_strangers() -> None:
    mended = bgtools.fix(SLIPS).matches[0]
    assert [each.kind for each in bgtools.diff(SLIPS, mended)].count("play") == 3
    with pytest.raises(ValueError, match="different matches"):
        bgtools.diff(SLIPS, SEVEN)


def test_same_finds_copies_in_a_folder_in_any_format(tmp_path: Path) -> None:
    bgtools.write(SEVEN, tmp_path / "a.sgf")
    bgtools.write(SEVEN, tmp_path / "b.mat")
    bgtools.write(MONEY, tmp_path / "c.mat")
    (tmp_path / "notes.txt").write_text("no record", encoding="utf-8")
    assert bgtools.same(tmp_path) == ((str(tmp_path / "a.sgf"), str(tmp_path / "b.mat")),)


def test_a_report_is_what_its_file_says(tmp_path: Path) -> None:
    data = bgtools.report(SEVEN, tmp_path / "out", engine=None)
    assert json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8")) == data
    assert (tmp_path / "out" / "report.html").is_file()
    assert {**bgtools.report(SEVEN, engine=None), "files": data["files"]} == data


def test_a_table_has_the_rows_of_every_record() -> None:
    both = bgtools.table("turns", SEVEN, MONEY)
    one = bgtools.analyse(SEVEN, engine=None).turns
    assert list(both[both["file"] == SEVEN]["played"]) == list(one["played"])
    assert set(both["file"]) == {SEVEN, MONEY}
    with pytest.raises(ValueError, match="no table"):
        bgtools.table("nonsense", SEVEN)  # type: ignore[arg-type]


@pytest.mark.skipif(not ENGINE, reason="bgsage is not installed")
def test_blunders_are_the_worst_of_one_player() -> None:
    one = str(ROOT / "samples" / "one-point.mat")
    found = bgtools.blunders(one, player="sam okoro", level="quick", min_loss=0.01, top=3)
    assert found
    assert {each.row.name for each in found} == {"Sam Okoro"}
    assert [each.loss for each in found] == sorted((each.loss for each in found), reverse=True)


def test_a_missing_file_is_one_exception() -> None:
    with pytest.raises(FileNotFoundError) as raised:
        bgtools.read("no/such.mat")
    assert raised.value.__context__ is None


def test_turns_findings_and_games_show_themselves_in_a_notebook() -> None:
    turns = [turn for game in bgtools.replay(SLIPS) for turn in game.turns]
    assert turns
    assert all(turn._repr_html_().count("<svg") == 1 for turn in turns)
    wrong = [turn for turn in turns if turn.violations]
    assert wrong
    assert all("against the rules" in turn._repr_html_() for turn in wrong)
    found = bgtools.check(SLIPS)[0]
    assert "<mark>14/12</mark>" in found._repr_html_()
    assert found.code.id in found._repr_html_()
    game = bgtools.read(SLIPS).games[0]
    assert game._repr_html_().count("<tr>") == 1 + len(game.entries)


@pytest.mark.skipif(not ENGINE, reason="bgsage is not installed")
def test_an_evaluation_is_a_board_and_a_table_in_a_notebook() -> None:
    shown = bgtools.evaluate(bgtools.Position(dice=(3, 1)), level="quick")._repr_html_()
    assert "<svg" in shown
    assert "8/5 6/5" in shown


def test_plots_are_pictures_and_say_what_is_missing() -> None:
    plot = bgtools.analyse(SEVEN, engine=None).plot
    assert plot.pips()._repr_png_().startswith(b"\x89PNG")
    for each in (plot.luck, plot.errors):
        with pytest.raises(ValueError, match="no engine"):
            each()


# --- turns ------------------------------------------------------------------------------------


def test_a_turn_gives_the_position_that_was_decided_about() -> None:
    game = bgtools.replay(SEVEN)[0]
    double, drop = game.turns[-2:]
    assert double.position == bgtools.Position(double.before, double.state)
    assert drop.position.offer == "double"
    assert drop.position.board == double.before
    assert drop.position.state == double.state
    roll = game.turns[4]
    assert roll.position.dice is not None
    assert roll.play is not None
    assert roll.position.play(roll.play).board == game.turns[5].before
    assert roll._repr_svg_() == roll.position._repr_svg_()


def test_a_beaver_is_answered_by_the_doubler(tmp_path: Path) -> None:
    record = tmp_path / "beaver.mat"
    record.write_text(
        " 0 point match\n\n Game 1\n Ann : 0                Bob : 0\n"
        "  1) 31: 8/5 6/5          52: 13/8 24/22\n  2)  Doubles => 2        Beavers => 4\n  3)  Takes\n",
        encoding="utf-8",
    )
    double, beaver, take = bgtools.replay(record)[0].turns[2:5]
    assert (double.offer, beaver.offer, take.offer) == ("", "double", "beaver")
    assert beaver.position.board == double.before == take.position.board
    assert [turn.position.offer for turn in (double, beaver, take)] == ["", "double", "beaver"]


# --- types ------------------------------------------------------------------------------------


def test_types_are_seen_through_the_lazy_names() -> None:
    """mypy reads this function; every annotation would be wrong if a name had lost its type."""
    match: bgtools.Match = bgtools.read(SEVEN)
    findings: tuple[bgtools.Finding, ...] = bgtools.check(Path(SEVEN))
    games: tuple[bgtools.GameReplay, ...] = bgtools.replay(match)
    turn: bgtools.Turn = games[0].turns[0]
    position: bgtools.Position = turn.position
    plays: tuple[bgtools.Play, ...] = position.legal_plays()
    board: bgtools.Board = plays[0].result
    done: bgtools.Converted = bgtools.convert(match, to="mat")
    losses: tuple[bgtools.Finding, ...] = done.losses
    assert (len(findings), len(losses), sum(board.mine)) == (0, 0, 15)


def test_paths_may_come_one_by_one_or_in_a_list() -> None:
    paths: list[str | Path] = [str(ROOT / "samples" / "seven-point.mat"), ROOT / "samples" / "money.mat"]
    assert len(bgtools.table("games", paths)) == len(bgtools.table("games", *paths)) == 12
    assert bgtools.same([*paths, *paths]) == bgtools.same(*paths, *paths) != ()
    assert bgtools.merge(paths[:1] * 2).match == bgtools.merge(*paths[:1] * 2).match


def test_what_people_guess_first_is_there() -> None:
    turn = bgtools.replay(ROOT / "samples" / "seven-point.mat")[0].turns[0]
    assert turn.dice == (6, 3)
    assert len(turn.position.legal_plays()) > 10
    assert turn.position.xgid == turn.position.xgid() == turn.position.id()  # type: ignore[operator]
