"""The law of analyses: what a record says of its decisions comes to the same in every format that holds it.

PR, luck and the loss of every decision by ``--engine file``, the seats and what `check` finds are those of the record
before a conversion, or the difference is told where it is.
"""

from __future__ import annotations

import json
import random
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from analyses import FORMATS, apart, figures
from annotated import CHANCES, RECORD, STYLES, Style, analysed, candidate, cube, noted, plays
from bgtools.checks.checking import check
from bgtools.conversion.conversion import Target, convert
from bgtools.findings import codes
from bgtools.formats.content import Content, FormatError
from bgtools.formats.reading import find_format, read_all, read_source
from bgtools.formats.registry import our_formats
from bgtools.formats.sgf.writer import write as write_sgf
from bgtools.formats.shared.leftover import completed, leftover
from bgtools.record.annotation import Annotation, PlayAnalysis
from bgtools.record.record import CheckerPlay, Double, Drop, Resign, Take
from bgtools.replayer.match import replay
from gnubg_judge import needs_gnubg
from gnubg_sgf import saved
from only_read import as_bgf, as_gva
from printed_texts import XG_PLAYS
from selfplay import random_match
from slips import KINDS, Kind, plant_all
from support import CORPUS, course_apart, in_shares, needs_corpus, read_text, some_or_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyses import Figures
    from bgtools.formats.format import Format
    from bgtools.record.annotation import Unit
    from bgtools.record.record import Match

FOLDERS = ("xg", "xgp", "sgf", "gnubg-analysis-txt", "xg-position-txt", "bgblitz-position-txt")
every_style = pytest.mark.parametrize("style", STYLES, ids=lambda each: f"{each.program[:8]} {each.levels[0].name}")


def converted(match: Match, before: Figures, target: Format) -> tuple[Match | None, Figures, list[str]]:
    """A match in another format, its figures, and what has changed without a word."""
    try:
        done = convert((match,), Target(target))
    except FormatError:  # it says that it cannot say this
        return None, before, []
    if done.changed:
        return None, before, [f"{target.name}: {done.changed}"]
    (back,) = target.read(Content(done.data, f"x{target.extensions[0]}"))
    after = figures(back)
    return back, after, [f"{target.name}: {each}" for each in apart(before, after, done.losses)]


def broken(match: Match, seconds: int) -> Iterator[str]:
    """What changes without a word in every format, and from there in the next ``seconds`` of them."""
    before = figures(match)
    for number, first in enumerate(FORMATS):
        back, after, wrong = converted(match, before, first)
        yield from wrong
        for step in range(1, seconds + 1 if back is not None else 1):
            second = FORMATS[(number + step) % len(FORMATS)]
            yield from (f"{first.name}, {each}" for each in converted(back, after, second)[2])  # type: ignore[arg-type]


@pytest.mark.quick(one_in=10)
@every_style
def test_every_analysis_comes_to_the_same_in_every_pair_of_formats(style: Style) -> None:
    match = random_match(2, 3)
    match = replace(match, games=match.games[: 1 + (style is STYLES[0])])
    assert list(broken(analysed(match, 2, style), 1)) == []


@pytest.mark.quick(one_in=4)
@every_style
def test_an_analysis_of_money_play_comes_to_the_same(style: Style) -> None:
    match = random_match(3, 0)
    match = replace(match, games=match.games[:1])
    assert list(broken(analysed(match, 3, style), 0)) == []


READ = {"bgf": as_bgf, "gva": as_gva}
"""Formats that are only read."""


def from_elsewhere(name: str, match: Match) -> Match:
    """A match as it is read from a format that is not written."""
    return find_format(name).read(Content(READ[name](match), f"x.{name}"))[0]


@pytest.mark.thorough
@every_style
@pytest.mark.parametrize("name", READ)
def test_an_analysis_from_a_format_that_is_only_read_comes_to_the_same(name: str, style: Style) -> None:
    for seed, length in ((4, 3), (5, 0)):
        match = from_elsewhere(name, analysed(random_match(seed, length, games=1), seed, style))
        assert figures(match).losses
        assert list(broken(replace(match, games=match.games[:1]), 1)) == []


def slips(each: int, kinds: Sequence[Kind] = KINDS) -> list[Match]:
    return [read_source(slip.text.encode(), slip.kind)[0] for _, _, made in plant_all(3, each, kinds) for slip in made]


@some_or_all(12)
def test_an_analysis_of_a_record_with_a_slip_comes_to_the_same(step: int) -> None:
    for number, match in enumerate(slips(1, KINDS[4 :: 15 * step])):
        short = replace(match, games=match.games[:1])
        # What a slip was another format may tell in other words.
        assert [each for each in broken(analysed(short, number), 0) if not each.endswith("gone, new: []")] == []


@needs_corpus
@pytest.mark.parametrize("folder", ["xg", "sgf"])
def test_a_real_analysis_comes_to_the_same(folder: str) -> None:
    path = min((CORPUS / folder).glob("*_2025-11-08-2305.*"))
    (match,) = read_all(path)
    games = sorted(random.Random(12).sample(range(len(match.games)), 1))
    first = match.games[games[0]]
    assert list(broken(replace(match, games=(replace(first, number=1),)), 2)) == []


@pytest.mark.thorough
@pytest.mark.timeout(3600)
@needs_corpus
@in_shares
def test_all_real_analyses_come_to_the_same_in_every_pair_of_formats(share: slice) -> None:
    paths = [path for folder in FOLDERS for path in sorted((CORPUS / folder).glob("*"))]
    wrong = []
    for path in paths[share]:
        try:
            matches = read_all(path)
        except FormatError:
            continue
        wrong += [f"{path.name}: {each}" for match in matches for each in broken(match, len(FORMATS) - 1)]
    assert wrong == []


@pytest.mark.thorough
@pytest.mark.timeout(3600)
@in_shares
def test_hundreds_of_made_up_analyses_come_to_the_same_in_every_pair_of_formats(share: slice) -> None:
    wrong = []
    for number, match in list(enumerate(slips(2)))[share]:
        found = broken(analysed(match, number), 1)
        wrong += [f"slip {number}: {each}" for each in found if not each.endswith("gone, new: []")]
    for seed in range(150)[share]:
        match = analysed(random_match(seed, (0, 1, 3, 5, 7, 27)[seed % 6]), seed)
        for each in (match, *(from_elsewhere(name, match) for name in READ)):
            wrong += [f"match {seed}: {each}" for each in broken(each, 1)]
    assert wrong == []


# --- GNU Backgammon ---------------------------------------------------------------------------


def without_analysis(match: Match) -> Match:
    """The record less what is said of its decisions."""
    games = (
        replace(game, entries=tuple(replace(entry, annotation=None) for entry in game.entries)) for game in match.games
    )
    return replace(match, games=tuple(games))


def with_levels_of_results(match: Match) -> Match:
    """The record as GNU Backgammon can write it: where it leaves the level of a resignation out.

    By the Jacoby rule a gammon that is given up counts as a game while the cube was not turned.
    """
    games = list(match.games)
    for played in replay(match):
        if played.rules.jacoby and played.cube == 1:
            entries = (replace(each, level=1) if isinstance(each, Resign) else each for each in played.game.entries)
            games[played.index] = replace(played.game, entries=tuple(entries))
    return replace(match, games=tuple(games))


def changed_by_gnubg(matches: Sequence[Match]) -> list[str]:
    """What GNU Backgammon makes another match of when it loads and saves it, and would not without an analysis."""
    told = saved([write_sgf((each,)) for match in matches for each in (match, without_analysis(match))])
    found = []
    for match, data, plain in zip(matches, told[::2], told[1::2], strict=True):
        assert data
        assert plain
        name = match.source.name if match.source else str(match.players)
        back, expected = read_source(data, "x.sgf"), read_source(plain, "x.sgf")
        if change := course_apart(expected, back):
            found.append(f"{name}: {change}")
        elif not check(match) and (change := course_apart((with_levels_of_results(match),), back)):
            found.append(f"{name}, and as well without an analysis: {change}")
    return found


@needs_gnubg
def test_gnubg_loads_and_saves_an_analysed_match_as_it_was_played() -> None:
    matches = [analysed(random_match(7 + seed, (0, 3, 1)[seed % 3]), seed) for seed in range(len(STYLES))]
    matches = [replace(match, games=match.games[:3]) for match in matches]
    matches += [analysed(match, number) for number, match in enumerate(slips(1)[::12])]
    assert changed_by_gnubg(matches) == []


@needs_gnubg
@needs_corpus
def test_gnubg_loads_and_saves_a_real_analysis_as_it_was_played() -> None:
    assert changed_by_gnubg(read_all(min((CORPUS / "xg").glob("*_2025-11-08-2305.xg")))) == []


@pytest.mark.thorough
@needs_gnubg
@in_shares
def test_gnubg_loads_and_saves_every_analysis_as_it_was_played(share: slice) -> None:
    matches = [analysed(random_match(seed, (0, 3, 1, 7, 25)[seed % 5]), seed) for seed in range(100)[share]]
    matches += [analysed(match, number) for number, match in list(enumerate(slips(2)))[share]]
    for path in [path for folder in ("xg", "sgf") for path in sorted((CORPUS / folder).glob("*"))][share]:
        with suppress(FormatError):
            matches += read_all(path)
    assert [each for at in range(0, len(matches), 20) for each in changed_by_gnubg(matches[at : at + 20])] == []


# --- one by one -------------------------------------------------------------------------------


def back_from(match: Match, target: str) -> Match:
    """A match that has gone through a format, which has a place for all of it."""
    chosen = next(each for each in FORMATS if each.name == target)
    done = convert((match,), Target(chosen))
    assert (done.changed, done.losses) == ("", ())
    return chosen.read(Content(done.data, f"x{chosen.extensions[0]}"))[0]


@pytest.mark.parametrize("target", ["sgf", "ogxm", "json"])
def test_all_that_is_said_of_a_decision_comes_back(target: str) -> None:
    ranked = PlayAnalysis(
        candidates=(
            candidate("24/18 13/9", 0.53, "XG Roller++", "mwc", "1002/1002"), candidate("24/14", None, "3-ply"),
        ),
        chosen=0, error=-0.01, counted=False,
    )  # fmt: skip
    second = Annotation(program="Other 2.0", cube=cube(0.25, 0.5).cube, luck=0.5, mark="good")
    notes = {
        2: Annotation(program="Some Program", plays=ranked, luck=-0.25, mark="bad", others=(second,)),
        4: replace(cube(0.4, 0.6), others=(cube(0.41, 0.62, 0.9),)),
    }
    match = noted(notes)
    found = back_from(match, target)
    for number, note in notes.items():
        entry = found.games[0].entries[number]
        assert entry.annotation is not None
        assert bare(entry.annotation) == bare(note)


def bare(note: Annotation) -> object:
    """An annotation as its JSON, with plays hop by hop in one spelling and without their places."""
    from bgtools.formats.shared.encoding import encode

    return json.loads(json.dumps(encode(note)).replace('"24/14"', '"24/18", "18/14"'))


def test_what_extreme_gammon_has_no_place_for_is_told_once_a_match() -> None:
    notes = {
        number: replace(
            plays(candidate(play, 0.53, "truncated", "mwc"), candidate(other, 0.52, "truncated", "mwc"), error=-0.01),
            others=(cube(0.1, 0.2),),
        )
        for number, play, other in ((2, "24/18 13/9", "24/14"), (6, "13/8 9/8", "24/23 13/8"))
    }
    done = convert((noted(notes),), Target(FORMATS[0]))
    told = [(each.code.id, each.message.split(" cannot hold ", 1)[1].partition(";")[0]) for each in done.losses]
    assert told == [
        ("BG502", "a second analysis of one decision"),
        ("BG502", "a second analysis of one decision"),
        ("BG502", "GNU Backgammon 1.07 as the maker of an analysis"),
        ("BG502", "an analysis at the level “truncated”"),
        ("BG514", "match winning chances"),
    ]
    assert done.changed == ""


def of_any_size(figure: float, unit: Unit) -> Iterator[Match]:
    """Matches, and a position, of which one figure of an analysis is another one."""
    of_cube = cube(0.25, 0.5)
    assert of_cube.cube is not None
    stay, take = (replace(each, unit=unit) for each in (of_cube.cube.no_double, of_cube.cube.double_take))
    for changed in (
        {"no_double": replace(stay, equity=figure)}, {"double_take": replace(take, cubeless=figure)},
        {"double_drop": figure}, {"error": -abs(figure)},
    ):  # fmt: skip
        told = replace(of_cube.cube, no_double=stay, double_take=take)
        yield noted({4: replace(of_cube, cube=replace(told, **changed))})
    other = candidate("24/14", 0.1, unit=unit)
    yield noted({2: plays(candidate("24/18 13/9", figure, unit=unit), other)})
    yield noted({2: plays(candidate("24/18 13/9", 0.2, unit=unit), other, error=-abs(figure), luck=0.1)})
    yield noted({2: Annotation(luck=figure)})
    (match,) = read_source(XG_PLAYS.encode(), "x.txt")
    position, roll = match.games[0].entries
    note = replace(plays(candidate("24/14", figure, unit=unit)), luck=figure)
    yield replace(match, games=(replace(match.games[0], entries=(position, replace(roll, annotation=note))),))


@pytest.mark.quick(one_in=3)
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("unit", ["emg", "mwc"])
@pytest.mark.parametrize("figure", [-1000.0, 1e39, -1e308])
def test_a_figure_of_any_size_is_kept_or_told(figure: float, unit: Unit) -> None:
    for match in of_any_size(figure, unit):
        for target in (each for each in our_formats() if each.writer):
            with suppress(FormatError):
                done = convert((replace(match, source=None),), Target(target))
                assert done.changed == "", target.name


def test_what_extreme_gammon_would_read_as_no_figure_is_told() -> None:
    for match in of_any_size(-1000.0, "emg"):
        done = convert((match,), Target(FORMATS[0]))
        assert codes.ANALYSIS_LOST in [loss.code for loss in done.losses]


def test_the_play_that_was_made_and_the_best_stay_among_thirty_two() -> None:
    first = [candidate("24/23 24/21", 0.1 - number / 1000) for number in range(40)]
    made, best = candidate("8/5 6/5", -0.5), candidate("13/10 6/5", 0.9)
    match = noted({0: plays(*first, made, best)})
    done = convert((match,), Target(FORMATS[0]))
    assert codes.ANALYSIS_LOST in [each.code for each in done.losses]
    (found,) = FORMATS[0].read(Content(done.data, "x.xg"))
    note = found.games[0].entries[0].annotation
    assert note is not None
    assert note.plays is not None
    assert len(note.plays.candidates) == 32
    assert [round(each.evaluation.equity or 0, 6) for each in note.plays.candidates[-2:]] == [-0.5, 0.9]
    assert note.plays.chosen == 30


def test_a_roll_that_was_given_up_is_no_dance_in_extreme_gammon() -> None:
    text = RECORD.replace("21: 13/11 6/5", "21:\n      Wins 2 points")
    match = read_text(text)
    entries = [entry for entry in match.games[0].entries if isinstance(entry, CheckerPlay)]
    assert entries[-1].text.kind == "nothing"
    before = figures(match)
    back, after, wrong = converted(match, before, FORMATS[0])
    assert back is not None
    assert (wrong, after.findings) == ([], before.findings)


# --- what only bgtools reads ------------------------------------------------------------------

NOTE = plays(candidate("8/5 6/5", 0.2), candidate("24/21 6/5", 0.05), error=-0.125, luck=0.5)
TOLD = plays(candidate("8/5 6/5", 0.2, "1-ply"), candidate("24/21 6/5", 0.05), luck=0.5)


def test_what_a_form_leaves_out_completes_it() -> None:
    text = leftover(NOTE, TOLD, "form")
    assert json.loads(text)["note"] == {"plays": {"candidates": {"0": {"level": {"name": "2-ply"}}}, "error": -0.125}}
    found = completed(TOLD, text, "form")
    assert found is not None
    assert found.plays is not None
    assert (found.plays.error, found.plays.candidates[0].level.name) == (-0.125, "2-ply")
    assert leftover(NOTE, NOTE, "form") == ""
    whole = completed(None, leftover(NOTE, None, "form"), "form")
    assert whole is not None
    assert leftover(whole, NOTE, "") == ""


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", '{"of":1}', '{"of":"0"}', '{"of":"MARK","note":[]}', '{"of":"MARK","note":{"luck":"x"}}',
        '{"of":"MARK","note":{"luck":NaN}}', '{"of":"MARK","note":{"luck":1e999}}',
        '{"of":"MARK","note":{"plays":{"candidates":{"9":{}}}}}',
        '{"of":"MARK","note":{"plays":{"candidates":{"x":1}}}}',
        '{"of":"MARK","note":' + '{"others":[' * 2000 + "]}" * 2000 + "}",
    ],
)  # fmt: skip
def test_what_is_damaged_or_about_another_form_is_passed_over(text: str) -> None:
    mark = json.loads(leftover(NOTE, TOLD, "form"))["of"]
    assert completed(TOLD, text.replace("MARK", mark), "form") == TOLD
    assert completed(TOLD, leftover(NOTE, TOLD, "form"), "another form") == TOLD


def test_the_chances_of_a_take_are_those_of_the_position_before_other_programs_only() -> None:
    found = back_from(noted({2: cube(0.1, -0.2)}), "sgf").games[0].entries[2].annotation
    assert found is not None
    assert found.cube is not None
    assert found.cube.double_take.probabilities == pytest.approx(CHANCES, abs=1e-6)


@pytest.mark.parametrize("answer", ["Takes", "Drops"])
def test_what_is_said_of_an_answer_to_no_double_stays_with_it(answer: str) -> None:
    text = RECORD.replace(" Doubles => 2               Takes", f"                           {answer}")
    match = noted({4: cube(0.25, 0.5)}, text)
    assert not isinstance(match.games[0].entries[3], Double)
    for target in FORMATS:
        if target.name == "ogxm":
            with pytest.raises(FormatError, match="an answer to no double: game 1, row 3"):
                convert((match,), Target(target))
            continue
        done = convert((match,), Target(target))
        (back,) = target.read(Content(done.data, f"x{target.extensions[0]}"))
        note = next(entry.annotation for entry in back.games[0].entries if isinstance(entry, Take | Drop))
        assert done.changed == ""
        assert note is not None or codes.ANALYSIS_LOST in [each.code for each in done.losses], target.name
