"""BGBlitz's text of a position as it is written: in its languages, read again, and what it cannot hold."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from test_position_texts import of
from test_snowie import position_match

from bgtools.board.board import START, Board, checkers
from bgtools.board.notation import read_play
from bgtools.board.play import PlayText
from bgtools.conversion.conversion import convert, parse_target
from bgtools.formats.content import Content, FormatError
from bgtools.formats.printed.bgblitz import read
from bgtools.formats.reading import find_format, read_all, recognise
from bgtools.positions.gnubg import decode_gnu_id
from bgtools.positions.position import Position
from bgtools.record.annotation import Annotation, Candidate, CubeAnalysis, Evaluation, Level, PlayAnalysis
from bgtools.record.record import CheckerPlay, Double, Entry, Match, SetBoard
from bgtools.replayer.match import replay
from bgtools.rules.cube import Cube, MatchState
from bgtools.rules.options import Ruleset
from printed_texts import BGBLITZ_CUBE, BGBLITZ_PLAYS, xg
from support import CORPUS, board, needs_corpus, spread

if TYPE_CHECKING:
    from bgtools.board.perspective import Player

LANGUAGES = find_format("bgblitz").dialects
POSITION = board({24: 1, 13: 5, 8: 2, 6: 6, 25: 1}, {24: 2, 13: 5, 8: 3, 6: 5})
CUBE = CubeAnalysis(
    no_double=Evaluation(probabilities=(0.659, 0.153, 0.003, 0.093, 0.002), equity=0.685, cubeless=0.377),
    double_take=Evaluation(equity=0.76),
    double_drop=1.0,
)


def candidate(text: str, equity: float | None, **more: object) -> Candidate:
    hops = tuple(replace(hop, start=0, end=0) for hop in read_play(text).hops)
    chances = (0.254, 0.1, 0.01, 0.338, 0.004)
    return Candidate(hops=hops, evaluation=Evaluation(probabilities=chances, equity=equity), **more)  # type: ignore[arg-type]


def position(*more: Entry, length: int = 7, score: tuple[int, int] = (2, 4), **changes: object) -> Match:
    first = SetBoard(player=0, position=POSITION, cube=1, owner=None)
    match = position_match(POSITION, length=length)
    game = replace(match.games[0], score=score, entries=(replace(first, **changes), *more))  # type: ignore[arg-type]
    return replace(match, games=(game,))


def roll(*candidates: Candidate, cube: CubeAnalysis | None = None) -> CheckerPlay:
    note = Annotation(plays=PlayAnalysis(candidates=candidates), cube=cube)
    return CheckerPlay(player=0, dice=(6, 1), text=PlayText("unknown"), annotation=note)


def written(match: Match, language: str = "en") -> str:
    done = convert((match,), parse_target(f"bgblitz:{language}"))
    assert done.changed == ""
    return done.data.decode()


GERMAN = """\
 +13-14-15-16-17-18------19-20-21-22-23-24-+   O: Bob  167
 | X           O    | X | O              X |
 | X           O    |   | O                | +--+
 | X           O    |   | O                | | 2|
 | X                |   | O                | +--+
 | X                |   | O                |
v|                  |BAR|                  |
 | O                |   | 2                |
 | O                |   | X                |
 | O                |   | X                |
 | O           X    |   | X              O |
 | O           X    |   | X              O |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+   X: Ann  166

 Position-ID: 4HPwATDgZ/ABUA    Match-ID: QQnnAEAAEAAE
 XGID=-b----F-B---eE---c-e----AA:1:-1:1:61:2:4:0:7:10

 Bob - 4 Ann - 2 in a 7 point match.
 Ann to move 1-6

Bewertung  (EMG)
 ==========
  1.                -0.492            bar/24, 24/18 
       0.254  0.100  0.010  -  0.746  0.338  0.004 

  2.                -0.545  (-0.053)  bar/24, 13/7 
       0.254  0.100  0.010  -  0.746  0.338  0.004 


"""  # noqa: W291


def test_a_position_with_its_plays_is_written_as_the_program_does() -> None:
    plays = (candidate("bar/24 24/18", -0.492), candidate("bar/24 13/7", -0.545))
    assert written(position(roll(*plays), cube=2, owner=1), "de") == GERMAN


FRENCH = """\
 Ann to move.

              Gagne  G+BG  BG
 Bob          34.1  9.3   0.2 
 Ann          65.9  15.3  0.3 
 Equité Ann (sans videau): 0.377

 Videau:               :  Doubler / Prendre    EMG
 Double / Prendre      :                        0.760   ( 0.000)
 Pas de double         :                        0.685   (-0.075)
 Double / Refuser      :                        1.000   ( 0.240)

"""  # noqa: W291


def test_a_position_with_its_cube_is_written_as_the_program_does() -> None:
    assert written(position(annotation=Annotation(cube=CUBE)), "fr").endswith(FRENCH)


@pytest.mark.parametrize(
    ("stay", "take", "said", "first"),
    [
        (0.5, 0.2, "No Double / Take", "No Double"),
        (0.5, 0.8, "Redouble / Take", "Double / Take"),
        (0.9, 1.2, "Redouble / Reject", "Double / Pass"),
        (1.1, 1.2, "No Double / Reject", "No Double"),
    ],
)
def test_the_right_cube_action_comes_first(stay: float, take: float, said: str, first: str) -> None:
    analysis = CubeAnalysis(no_double=Evaluation(equity=stay), double_take=Evaluation(equity=take), double_drop=1.0)
    text = written(position(cube=2, owner=0, annotation=Annotation(cube=analysis)))
    told = text.split("Cube Action:")[1].splitlines()
    assert told[0].split("EMG")[0].strip(" :") == said
    assert told[1].split(":")[0].strip() == first
    assert told[1].endswith("( 0.000)")


@pytest.mark.parametrize("language", LANGUAGES)
def test_random_positions_come_back(language: str) -> None:
    for index, each in enumerate(spread(LANGUAGES.index(language), 40)):
        player: Player = 1 if index % 2 else 0
        owner: Player | None = (None, 0, 1)[index % 3]
        cube = 2 << index % 6 if owner is not None else 1
        dice = (3, 1) if index % 4 == 0 else None
        match = position_match(each, player, dice, length=index % 5, cube=cube, owner=owner)
        if index % 4 == 1:
            entries = (*match.games[0].entries, Double(player=player, value=2 * cube))
            match = replace(match, games=(replace(match.games[0], entries=entries),))
        if index % 5 == 0:
            rules = Ruleset(crawford=False, jacoby=index % 2 == 0, beavers=index % 3 % 2, cube_limit=64)
            match = replace(match, rules=rules)
        text = written(match, language)
        assert recognise(Content(text.encode(), "x")).name == "bgblitz"
        # The drawn board says the same, or it would be reported.
        (found,) = read(Content(text.encode(), "x"))
        assert found.findings == ()
        first = found.games[0].entries[0]
        assert isinstance(first, SetBoard)
        assert (first.player, first.position, first.cube, first.owner) == (player, each, cube, owner)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_analysis_comes_back_in_every_language(language: str) -> None:
    dance = replace(candidate("bar/24 24/18", -1.25), hops=())
    for match in (
        position(annotation=Annotation(cube=CUBE)),
        position(Double(player=0, value=2, annotation=Annotation(cube=replace(CUBE, double_drop=None)))),
        position(roll(candidate("bar/24 8/2", 0.1), candidate("bar/24 13/7(1)", -0.9), cube=CUBE)),
        position(roll(dance)),
        of(BGBLITZ_CUBE),
        of(BGBLITZ_PLAYS),
    ):
        assert written(match, language)
    found = of(written(position(annotation=Annotation(cube=CUBE)), language)).games[0].entries[0].annotation
    assert found is not None
    assert found.cube == CUBE


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_program_alone_tells_is_kept_by_its_own_text_and_told_of_by_others(language: str) -> None:
    for text, figures in (
        (BGBLITZ_PLAYS, ["0.124 mwp /  -0.492", "0.111 mwp /  -0.545  (-0.053)"]),
        (BGBLITZ_PLAYS.replace("0.124 mwp /", " " * 11), ["  1.                -0.492", "0.111 mwp /  -0.545"]),
        (BGBLITZ_PLAYS.replace("13/7, 8/7", "13/x, 8/7"), ["  1.   0.111 mwp /  -0.545"]),
        (BGBLITZ_CUBE, [": 0.114\n", ":  0.535\n", ":  0.526   (-0.010)      0.685   (-0.075)"]),
    ):
        again = written(of(text), language)
        assert all(each in again for each in figures), again
        assert of(again).games[0].entries[-1].annotation == of(text).games[0].entries[-1].annotation
        lost = convert((of(text),), parse_target("sgf")).losses
        assert any("bgblitz:mwp" in each.message for each in lost)


@pytest.mark.parametrize("names", [("Ann", "Ann"), ("", ""), ("", "Bob"), ("Bob 7", "34.1 9.3"), ("赤", "緑")])
@pytest.mark.parametrize("player", [0, 1])
def test_who_is_to_move_is_told_whatever_the_names(names: tuple[str, str], player: Player) -> None:
    match = position(annotation=Annotation(cube=CUBE), player=player, cube=2, owner=player)
    text = written(replace(match, players=names))
    (found,) = read(Content(text.encode(), "x"))
    assert (found.players, found.games[0].entries[0].player) == (names, player)
    assert found.findings == ()


@pytest.mark.parametrize("crawford", [True, False])
def test_the_crawford_game_is_told_from_those_after_it(crawford: bool) -> None:
    match = replace(position(score=(6, 3)), rules=Ruleset(crawford=crawford))
    done = convert((match,), parse_target("bgblitz"), strict=True)
    assert (done.refused, done.changed) == (False, "")
    (found,) = read(Content(done.data, "x"))
    assert (replay(found)[0].crawford, found.rules.crawford) == (crawford, crawford)


@pytest.mark.parametrize("target", ["bgblitz", "sgf"])
def test_chances_below_the_last_digit_count_as_none(target: str) -> None:
    for chances in ((4e-7, 0.0, 0.0, 0.0, 0.0), None):
        play = replace(candidate("bar/24 8/2", -1.0), evaluation=Evaluation(probabilities=chances, equity=-1.0))
        assert convert((position(roll(play)),), parse_target(target)).changed == ""


def test_what_has_no_place_is_told() -> None:
    deep = Level(name="3-ply", code="3-ply")
    doubled = replace(CUBE, double_take=Evaluation(equity=0.76, probabilities=(0.6, 0.1, 0.0, 0.1, 0.0)), level=deep)
    winning = replace(candidate("bar/24 13/7", 0.4), evaluation=Evaluation(equity=0.4, unit="mwc"))
    match = position(roll(candidate("bar/24 24/18", 0.1, level=deep), winning, cube=doubled))
    found = convert((match,), parse_target("bgblitz"))
    assert found.changed == ""
    assert sorted(
        (each.code.name, each.message.split(" cannot hold ")[1].partition(";")[0]) for each in found.losses
    ) == [
        ("analysis-lost", "an analysis at the level “3-ply”"),
        ("analysis-lost", "the chances after a double"),
        ("analysis-restated", "match winning chances"),
    ]


@pytest.mark.parametrize(
    ("rules", "length", "said"),
    [
        (Ruleset(crawford=False), 7, "crawford off"),
        (Ruleset(crawford=False), 1, "crawford off"),
        (Ruleset(crawford=False, beavers=2), 0, "beavers 2"),
        (Ruleset(cube_limit=1024), 7, "cube limit 1024"),
        (Ruleset(crawford=False, quadruple=True), 0, "quadruple on"),
    ],
)
def test_rules_that_an_xgid_does_not_tell_are_told(rules: Ruleset, length: int, said: str) -> None:
    done = convert((replace(position(length=length, score=(0, 0)), rules=rules),), parse_target("bgblitz"))
    assert [each.message for each in done.losses] == [f"BGBlitz position text cannot hold the rule “{said}”"]
    assert done.changed == ""


def test_what_is_no_position_is_refused() -> None:
    play = CheckerPlay(player=0, dice=(6, 1), text=PlayText("moves", read_play("bar/24 24/18").hops))
    nobody = CheckerPlay(player=0, dice=None, text=PlayText("unknown"))
    for match, reason in (
        (position(play), "one position"),
        (position(Double(player=0), roll()), "one position"),
        (position(nobody), "without dice"),
        (position(Double(player=1)), "out of turn"),
        (position(roll(), annotation=Annotation(cube=CUBE)), "one decision"),
        (position(cube=3, owner=0), "cube on 3"),
        (position(length=40000), "cannot hold this length"),
        (position(position=Board(checkers({6: 3}, total=3), checkers({6: 3}, total=3))), "fifteen checkers"),
    ):
        with pytest.raises(FormatError, match=reason):
            convert((match,), parse_target("bgblitz"))
    with pytest.raises(FormatError, match="holds one match"):
        convert((position(), position()), parse_target("bgblitz"))


def test_positions_of_other_programs_are_written() -> None:
    situation = Position(START, MatchState(5, (1, 3), Cube()), (3, 1), names=("Ann", "Bob"))
    text = written(of(xg(situation)))
    assert " Ann to move 1-3" in text


# --- what the program has written -----------------------------------------------------------

_FILES = sorted((CORPUS / "bgblitz-position-txt").glob("*.txt"))
_CODES = {"EN": "en", "DE": "de", "FR": "fr", "JP": "ja"}


@pytest.mark.needs(_FILES, "the corpus")
def test_what_the_program_has_written_is_written_again_letter_by_letter() -> None:
    for path in _FILES:
        given = path.read_text(encoding="utf-8")
        done = convert(read_all(path), parse_target(f"bgblitz:{_CODES[path.stem[-2:]]}"), strict=True)
        assert (done.changed, done.refused) == ("", False), path.name
        found = done.data.decode()
        ids = r"Position-ID: (\S+)    Match-ID: (\S+)"
        (told,), (again,) = re.findall(ids, given), re.findall(ids, found)
        one, two = decode_gnu_id(":".join(told)), decode_gnu_id(":".join(again))
        # The program has the lower die first.
        assert replace(one, dice=sorted(one.dice or ())) == replace(two, dice=sorted(two.dice or ()))  # type: ignore[arg-type]
        rows = [re.sub(ids, "", text).splitlines() for text in (given, found)]
        assert rows[0] == rows[1], path.name


@needs_corpus
def test_positions_of_extreme_gammon_come_back() -> None:
    seen = 0
    for folder in ("xgp", "xg-position-txt"):
        for path in sorted((CORPUS / folder).iterdir()):
            for match in read_all(path):
                try:
                    done = convert((match,), parse_target("bgblitz"))
                except FormatError:
                    continue
                assert done.changed == "", path.name
                seen += 1
    assert seen > 20
