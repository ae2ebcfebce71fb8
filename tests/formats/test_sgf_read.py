"""Reading SGF of backgammon: what every property means, and what a file may have wrong."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bgtools.board.board import START, Board, checkers
from bgtools.board.play import PlayText
from bgtools.checks.checking import check
from bgtools.conversion.conversion import convert, parse_target
from bgtools.findings import codes
from bgtools.formats.content import FormatError
from bgtools.formats.reading import read_source
from bgtools.record.record import (
    AutomaticDouble,
    Beaver,
    CheckerPlay,
    Comment,
    Double,
    Drop,
    Entry,
    Match,
    Resign,
    SetBoard,
    Tag,
    Take,
)
from bgtools.replayer.match import replay

HEAD = ";FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Bob]"
MONEY = HEAD.replace("length:5", "length:0")


def read(text: str) -> Match:
    (match,) = read_source(text.encode(), "x.sgf")
    return match


def game(*nodes: str, head: str = HEAD + "RU[Crawford]", more: str = "") -> Match:
    return read(f"({head}{more}\n" + "\n".join(f";{node}" for node in nodes) + ")\n")


def entries(*nodes: str, head: str = HEAD + "RU[Crawford]", more: str = "") -> tuple[Entry, ...]:
    return game(*nodes, head=head, more=more).games[0].entries


def told(*found: Entry) -> list[str]:
    return [
        f"{entry.player} {entry.text}" if isinstance(entry, CheckerPlay) else type(entry).__name__ for entry in found
    ]


# --- the match ------------------------------------------------------------------------------


def test_the_first_node_tells_about_the_match() -> None:
    match = game(
        "W[31hefe]",
        more="WR[1700]BR[1823/400]DT[2025-11-08]EV[A [cup\\]]RO[2]PC[Here]AN[Me]RE[B+2]"
        'GC[[ClockType "None"\\]\na remark\n]',
    )
    assert match.players == ("Ann", "Bob")
    assert match.length == 5
    assert match.ratings == ("1700", "1823/400")
    assert {tag.key: tag.value for tag in match.tags} == {
        "EventDate": "2025.11.08", "Event": "A [cup]", "Round": "2", "Site": "Here", "Transcriber": "Me",
        "ClockType": "None",
    }  # fmt: skip
    assert [comment.text for comment in match.comments] == ["a remark"]
    assert match.rules.crawford


def test_every_tree_is_a_game_of_the_match() -> None:
    second = HEAD.replace("[game:0][ws:0][bs:0]", "[bs:2][ws:1][game:1]")
    match = read(f"({HEAD};W[31hefe])\n({second};B[31stqt])")
    assert [(each.number, each.score) for each in match.games] == [(1, (0, 0)), (2, (1, 2))]


def test_games_counted_from_one_are_recognised() -> None:
    head = HEAD.replace("game:0", "game:1").replace("GNU Backgammon:1.07.001", "other")
    assert read(f"({head};W[31hefe])").games[0].number == 1
    assert read(f"({HEAD.replace('game:0', 'game:1')};W[31hefe])").games[0].number == 2


def test_other_players_begin_another_match() -> None:
    found = read_source(f"({HEAD};W[31hefe])({HEAD.replace('Bob', 'Cyd')};W[31hefe])".encode(), "x.sgf")
    assert [match.players for match in found] == [("Ann", "Bob"), ("Ann", "Cyd")]
    assert [note.code for note in found[1].findings] == [codes.SEVERAL_MATCHES]


@pytest.mark.parametrize(
    ("head", "words", "expected"),
    [
        (HEAD, "Crawford", {"crawford": True, "jacoby": False, "beavers": 0}),
        (HEAD, "NoCube", {"crawford": False, "cube_limit": 1}),
        (HEAD, "Crawford:CrawfordGame:Nackgammon", {"crawford": True, "variant": "nackgammon"}),
        (HEAD, "Hypergammon3", {"variant": "hypergammon"}),
        (MONEY, "Jacoby", {"jacoby": True, "crawford": False, "beavers": None}),
        (MONEY, "", {"jacoby": False}),
        (MONEY.replace("GNU Backgammon", "other"), "", {"jacoby": None}),
        (MONEY, "Jacoby:beavers=2:automatic-doubles=3:cube-limit=64", {"beavers": 2, "automatic_doubles": 3}),
    ],
)
def test_rules_stand_in_ru(head: str, words: str, expected: dict[str, object]) -> None:
    rules = game("W[31hefe]", head=head, more=f"RU[{words}]").rules
    assert {name: getattr(rules, name) for name in expected} == expected


def test_hypergammon_with_fewer_checkers_is_a_set_position() -> None:
    match = game("W[31xuut]", head=HEAD + "RU[Hypergammon1]")
    one = checkers({24: 1}, total=1)
    assert match.games[0].start == Board(one, one)
    assert [note.code for note in check(match)] == [codes.UNFINISHED_GAME]


def test_another_game_is_told_apart() -> None:
    with pytest.raises(FormatError, match=r"SGF of Go \(GM\[1\]\)"):
        read("(;FF[4]GM[1]SZ[19];B[pd];W[dp])")
    with pytest.raises(FormatError, match="SGF of Othello"):
        read("(;GM[2])")


def test_the_character_set_is_the_one_that_ca_names() -> None:
    text = f"({HEAD.replace('UTF-8', 'ISO-8859-2').replace('Bob', 'Łoś')};W[31hefe])"
    (match,) = read_source(text.encode("iso-8859-2"), "x.sgf")
    assert match.players[1] == "Łoś"
    (match,) = read_source(f"({HEAD.replace('Bob', 'Zoë')};W[31hefe])".encode("cp1252"), "x.sgf")
    assert match.players[1] == "Zoë"


# --- entries --------------------------------------------------------------------------------


def test_points_are_letters_seen_by_white() -> None:
    found = entries("W[31hefe]", "B[61yghn]", "W[66]", "B[11uzvzaabb]", "W[66fzezdzcz]", "B[21lnab]")
    assert told(*found) == [
        "0 8/5 6/5", "1 bar/18 17/11", "0 Cannot Move", "1 4/off 3/off 24/24 23/23", "0 6/off 5/off 4/off 3/off",
        "1 13/11 24/23",
    ]  # fmt: skip
    assert isinstance(found[0], CheckerPlay)
    assert found[0].dice == (3, 1)


def test_spans_point_at_the_move_and_its_hops() -> None:
    match = game("W[31hefe]A[0]")
    (entry,) = match.games[0].entries
    assert match.source is not None
    assert isinstance(entry, CheckerPlay)
    text = match.source.text
    assert text[slice(*entry.span)] == "W[31hefe]"
    assert [text[entry.text_at + hop.start : entry.text_at + hop.end] for hop in entry.text.hops] == ["he", "fe"]


def test_cube_actions_and_beavers() -> None:
    found = entries(
        "W[31hefe]", "B[double]", "W[double]", "B[double]", "W[take]", "B[31qtst]", "W[double]", "B[drop]", head=MONEY
    )
    kinds = [type(entry) for entry in found if not isinstance(entry, CheckerPlay)]
    assert kinds == [Double, Beaver, Beaver, Take, Double, Drop]
    assert [entry.raccoon for entry in found if isinstance(entry, Beaver)] == [False, True]


def test_the_cube_of_the_first_node_is_turned_by_automatic_doubles() -> None:
    match = game("W[31hefe]", head=MONEY, more="CV[4]")
    assert [entry.value for entry in match.games[0].entries if isinstance(entry, AutomaticDouble)] == [2, 4]
    assert match.rules.automatic_doubles == 2
    assert replay(match)[0].cube == 4


@pytest.mark.parametrize(
    ("result", "winner", "points", "level"),
    [("W+1", 0, 1, None), ("B+4R", 1, 4, 2), ("B+3R", 1, 3, None), ("W+2Resign", 0, 2, 1), ("B+R", 1, None, None)],
)
def test_the_result_may_be_a_resignation(result: str, winner: int, points: int | None, level: int | None) -> None:
    match = game("W[31hefe]", "B[double]", "W[take]", "B[31qtst]", more=f"RE[{result}]")
    (claim,) = match.games[0].results
    assert (claim.player, claim.points) == (winner, points)
    last = match.games[0].entries[-1]
    if result[-1] in "Rn":
        assert (type(last), last.player) == (Resign, 1 - winner)
        assert isinstance(last, Resign)
        assert last.level == level
    else:
        assert isinstance(last, CheckerPlay)


def test_a_game_may_have_no_result() -> None:
    assert game("W[31hefe]").games[0].results == ()
    assert game("W[31hefe]", more="RE[Void]").games[0].results == ()


def test_dice_alone_are_a_roll_that_nobody_played() -> None:
    assert told(*entries("W[31hefe]", "PL[B]DI[52]")) == ["0 8/5 6/5", "1 "]
    assert told(*entries("PL[W]DI[52]", "B[31stqt]")) == ["0 ????", "1 6/5 8/5"]
    assert told(*entries("PL[W]DI[31]", "W[31hefe]", "B[66]", "W[21]")) == ["0 8/5 6/5", "1 Cannot Move", "0 "]


def test_luck_told_with_the_dice_alone_belongs_to_the_play() -> None:
    (entry,) = entries("PL[W]DI[31]LU[0.25]", "W[31hefe]BM[1]")
    assert entry.annotation is not None
    assert (entry.annotation.luck, entry.annotation.mark) == (0.25, "bad")


# --- set positions --------------------------------------------------------------------------


def test_a_position_may_be_set_at_the_start() -> None:
    match = game("PL[W]AE[a:y]AW[a][a][b]AB[x][y]", "CV[2]", "CP[b]", "W[21azbz]")
    first = match.games[0]
    assert first.start == Board(checkers({1: 2, 2: 1}), checkers({1: 1, 25: 1}))
    assert (first.start_cube, first.start_owner) == (2, 1)
    assert told(*first.entries) == ["0 1/off 2/off"]


def test_a_position_may_be_set_later_and_keeps_what_is_not_named() -> None:
    found = entries("W[31hefe]", "PL[B]CV[4]", "CO[w]", "B[31qtst]", "AE[e]AW[f][f]", "W[66]")
    kinds = [entry for entry in found if isinstance(entry, SetBoard)]
    assert [(each.player, each.cube, each.owner) for each in kinds] == [(1, 4, 0), (0, 4, 0)]
    assert kinds[0].position.theirs == START.theirs
    assert kinds[0].position.mine[5] == 2
    assert kinds[1].position.mine == checkers({24: 2, 13: 5, 8: 2, 6: 6})


def test_a_position_alone_tells_who_is_on_roll() -> None:
    (entry,) = entries("PL[B]AE[a:y]AW[a]AB[x]")
    assert isinstance(entry, SetBoard)
    assert entry.player == 1


def test_a_position_that_cannot_be_is_a_finding() -> None:
    match = game("AE[a:y]AW[a]AB[a]", "W[21]")
    assert [note.code for note in match.findings] == [codes.BAD_SET_POSITION]
    assert not match.games[0].start_known


# --- remarks and analysis -------------------------------------------------------------------

PLAY = "hefe E ver 3 0.550000 0.170000 0.010000 0.120000 0.005000 0.163000 2C 0 1 0.000000 1"
CUBE = (
    "E ver 3 2C 1 0.000000 1 0.500000 0.130000 0.004000 0.135000 0.005000 -0.006000 0.499000 "
    "0.500000 0.130000 0.004000 0.135000 0.005000 -0.006000 0.477000"
)


def test_remarks_stand_behind_their_entry() -> None:
    match = game("W[31hefe]C[good\n\\\nplay]", "B[66]", "C[at the end]", more="C[before]")
    assert [(each.text, each.at) for each in match.games[0].comments] == [
        ("before", 0), ("good\nplay", 1), ("at the end", 2),
    ]  # fmt: skip


def test_marks_luck_and_analysis_belong_to_the_entry() -> None:
    (entry,) = entries(f"W[31hefe]DA[{CUBE}]A[0][{PLAY}]MR[]LU[-0.12345]GB[2]BM[1]DC[]XX[a][b]")
    note = entry.annotation
    assert note is not None
    assert note.program == "GNU Backgammon 1.07.001"
    assert (note.mark, note.cube_mark, note.luck_mark, note.luck) == ("bad", "doubtful", "very bad", -0.12345)
    assert note.extras == (("sgf:XX", "[a][b]"),)
    assert note.plays is not None
    (candidate,) = note.plays.candidates
    assert note.plays.chosen == 0
    assert str(PlayText("moves", candidate.hops)) == "8/5 6/5"
    assert candidate.evaluation.probabilities == (0.55, 0.17, 0.01, 0.12, 0.005)
    assert (candidate.evaluation.equity, candidate.evaluation.unit) == (0.163, "emg")
    assert candidate.level.name == "2-ply"


def test_the_cube_is_in_match_winning_chances_in_a_match_only() -> None:
    (entry,) = entries(f"W[31hefe]DA[{CUBE}]")
    assert entry.annotation is not None
    cube = entry.annotation.cube
    assert cube is not None
    assert (cube.no_double.equity, cube.no_double.unit, cube.no_double.cubeless) == (0.499, "mwc", None)
    (entry,) = entries(f"W[31hefe]DA[{CUBE}]", head=MONEY)
    assert entry.annotation is not None
    cube = entry.annotation.cube
    assert cube is not None
    assert (cube.double_take.equity, cube.double_take.unit, cube.double_take.cubeless) == (0.477, "emg", -0.006)


def test_luck_is_seen_by_the_player() -> None:
    found = entries("W[31hefe]GW[1]", "B[66]GW[2]", "W[66]GB[1]")
    assert [entry.annotation and entry.annotation.luck_mark for entry in found] == ["good", "very bad", "bad"]


def test_analysis_that_is_not_understood_is_kept_as_it_stands() -> None:
    (entry,) = entries("W[31hefe]A[0][hefe Q ver 9 1 2]DA[E ver 3 2C x]LU[lots]BM[7]")
    assert entry.annotation is not None
    assert dict(entry.annotation.extras) == {
        "sgf:A": "[0][hefe Q ver 9 1 2]", "sgf:DA": "E ver 3 2C x", "sgf:LU": "lots", "sgf:BM": "7",
    }  # fmt: skip


def test_what_gnubg_has_not_analysed_is_nothing() -> None:
    (entry,) = entries("W[31hefe]MR[]LU[-inf]")
    assert entry.annotation is None


def test_unknown_properties_of_the_game_are_kept() -> None:
    match = game("W[31hefe]", more="GS[M:1 2][C:-inf]US[me]")
    assert [(tag.key, tag.value) for tag in match.games[0].extras] == [("sgf:GS", "[M:1 2][C:-inf]"), ("sgf:US", "me")]


# --- faults ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("node", "code", "text"),
    [
        ("B[31abcd(e]", codes.UNREADABLE_CELL, "1 abcd(e"),
        ("B[foo]", codes.UNREADABLE_CELL, None),
        ("B[]", codes.STRAY_TEXT, None),
        ("PL[B]DI[x]", codes.STRAY_TEXT, None),
    ],
)
def test_a_node_that_says_nothing_is_a_finding_at_its_place(node: str, code: object, text: str | None) -> None:
    match = game("W[31hefe]", node, "W[66]")
    assert [note.code for note in match.findings] == [code]
    assert told(*match.games[0].entries) == ["0 8/5 6/5", *([text] if text else []), "0 "]


def test_variations_are_left_out_and_told() -> None:
    match = read(f"({HEAD}RU[Crawford];W[31hefe](;B[66];W[66])(;B[55]))")
    assert told(*match.games[0].entries) == ["0 8/5 6/5", "1 Cannot Move", "0 "]
    (note,) = match.findings
    assert match.source is not None
    assert (note.code, match.source.text[slice(*note.span)]) == (codes.STRAY_TEXT, "(;B[55])")


def test_a_file_may_begin_with_anything_but_text() -> None:
    match = read(f"\n(\n{HEAD}\n;W[31hefe]\n)\n")
    assert told(*match.games[0].entries) == ["0 8/5 6/5"]
    assert match.findings == ()


def test_everything_that_is_not_blank_belongs_to_something() -> None:
    match = read(f"x ({HEAD}GC[a];W[31hefe]C[b]XX[c] y;AE[a]AW[b];B[66]) z")
    assert match.source is not None
    (found,) = match.games
    spans = [*found.marks, *(note.span for note in match.findings)]
    for at, char in enumerate(match.source.text):
        assert char.isspace() or any(start <= at < end for start, end in spans), match.source.text[at:]


FULL = (
    f"({MONEY}RU[Jacoby]CV[2]RE[B+8R]GS[M:1][D:-inf]WR[1]DT[2025-11-08]GC[[A \"b\"\\]\n]C[x]\n"
    f";W[31hefe]DA[{CUBE}]A[0][{PLAY}]MR[]LU[0.1]GW[1]C[y]\n;B[double]BM[1]\n;W[double]\n;B[take]\n;B[61yghn]\n"
    ";PL[W]AE[a:y]AW[a][b]AB[x]\n;CV[4]\n;CP[w]\n;W[21azbz](;B[66])(;B[55])\n;PL[B]DI[21])\n"
)  # fmt: skip


def survives(data: bytes) -> None:
    try:
        found = read_source(data, "x.sgf")
    except FormatError:
        return
    for match in found:
        assert match.source is not None
        check(match)


def test_a_file_cut_off_anywhere_is_read() -> None:
    data = FULL.encode()
    for end in range(0, len(data), 3):
        survives(data[:end])


@pytest.mark.parametrize("times", [30, pytest.param(250, marks=pytest.mark.thorough)])
def test_a_file_with_any_byte_changed_is_read(times: int) -> None:
    rng = random.Random(times)
    data = FULL.encode()
    for _ in range(times):
        changed = bytearray(data)
        for _ in range(rng.randint(1, 3)):
            changed[rng.randrange(len(changed))] = rng.choice(b"[]()\\;:0129BWayzADE\xff\x00\n-")
        survives(bytes(changed))


def test_notes_and_tags_may_share_the_comment_on_the_match() -> None:
    match = game("W[31hefe]", more='GC[one\n  goes on\n [no "tag"\\]\n[Video "x \\] y"\\]\n]')
    assert match.comments == tuple(
        Comment(text=text, span=match.comments[0].span) for text in ("one\ngoes on", '[no "tag"]')
    )
    assert [(tag.key, tag.value) for tag in match.tags if isinstance(tag, Tag)] == [("Video", "x ] y")]


def test_a_copyright_is_a_tag_and_not_the_owner_of_the_cube() -> None:
    head = "(;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Bob]CP[2020 Bob's Club]"
    (match,) = read_source(f"{head};W[31hefe];B[42tx])".encode(), "x.sgf")
    assert [(tag.key, tag.value) for tag in match.tags] == [("Copyright", "2020 Bob's Club")]
    assert (match.games[0].start, match.extras, match.findings) == (None, (), ())
    (back,) = read_source(convert((replace(match, source=None),), parse_target("sgf")).data, "x.sgf")
    assert [(tag.key, tag.value) for tag in back.tags] == [("Copyright", "2020 Bob's Club")]
    # The owner of the cube, in any of its spellings.
    for owner, player in (("b", 1), ("White", 0), ("c", None)):
        (match,) = read_source(f"{head.partition('CP')[0]}CV[2]CP[{owner}];W[31hefe];B[42tx])".encode(), "x.sgf")
        assert (match.tags, match.games[0].start_owner) == ((), player)
