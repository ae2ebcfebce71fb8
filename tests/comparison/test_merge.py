"""Several records of one match made one: at each place what the record goes on with, or what most say."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench_merge import apart, copies_of
from bgtools.comparison.entries import swap_players
from bgtools.comparison.merged import NotOneMatch
from bgtools.comparison.merging import merge
from bgtools.conversion.conversion import Target, convert
from bgtools.decoder.entries import entry_words
from bgtools.formats.mat.writer import write
from bgtools.formats.reading import find_format, read, read_source
from bgtools.formats.registry import formats
from bgtools.record.annotation import Annotation, Mark
from bgtools.record.record import CheckerPlay, Comment
from slips import kind_named

if TYPE_CHECKING:
    from bgtools.comparison.merged import Fact, Merged
    from bgtools.record.record import Entry, Game, Match

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
POSITIONS = frozenset({"xgp", "pos", "bgblitz"})
MATCHES = [each.name for each in formats() if each.reader and each.writer and each.name not in POSITIONS]


@cache
def sample(name: str = "seven-point.mat") -> Match:
    return read(SAMPLES / name)


def text(match: Match | None = None) -> str:
    return write(match or sample())


def reread(data: str, name: str = "x.mat") -> Match:
    return read_source(data.encode(), name)[0]


def slipped(*changes: tuple[str, str], name: str = "x.mat") -> Match:
    """The sample with some texts changed, each where it stands first."""
    data = text()
    for old, new in changes:
        assert old in data
        data = data.replace(old, new, 1)
    return reread(data, name)


def is_sample(done: Merged) -> bool:
    return not apart(done.match, text())


def with_game(match: Match, number: int, **changes: object) -> Match:
    games = list(match.games)
    games[number] = replace(games[number], **changes)  # type: ignore[arg-type]
    return replace(match, games=tuple(games))


# --- what is taken ----------------------------------------------------------------------------


def test_copies_that_agree_give_the_record_back() -> None:
    done = merge([sample(), sample()])
    assert is_sample(done)
    assert done.conflicts == done.decided == ()
    assert {fact.why for fact in done.facts} == {"all"}


def test_what_the_record_goes_on_with_is_taken_even_against_most() -> None:
    wrong = ("52: 13/8 24/22", "52: 13/8 13/11")
    done = merge([slipped(wrong), slipped(wrong), sample()])
    assert is_sample(done)
    (fact,) = done.decided
    assert (fact.why, fact.taken.records, fact.taken.says) == ("rules", (2,), "52: 13/8 24/22")
    assert [(each.records, each.says) for each in fact.others] == [((0, 1), "52: 13/8 13/11")]
    assert fact.before is not None


def closing() -> tuple[Match, Match]:
    """Two records that end with other plays of one roll, both legal."""
    ends = "\n  1) 31: 8/5 6/5                {}\n"
    head = " 5 point match\n\n Game 1\n Ann : 0                        Bob : 0"
    rows = "".join((ends.format("42: 8/4 6/4"), "  2) 53: 8/3 6/3                {}\n"))
    one, two = (head + rows.format(play) for play in ("61: 13/7 8/7", "61: 24/18 8/7"))
    return reread(one, "one.mat"), reread(two, "two.mat")


def test_two_legal_plays_after_which_nothing_comes_are_undecided_with_both_boards() -> None:
    one, two = closing()
    done = merge([one, two])
    (fact,) = done.conflicts
    assert [fact.taken.says, *(each.says for each in fact.others)] == ["61: 13/7 8/7", "61: 24/18 8/7"]
    boards = [fact.taken.after, *(each.after for each in fact.others)]
    assert None not in boards
    assert boards[0] != boards[1]


@pytest.mark.parametrize("prefer", [0, 1])
def test_the_preferred_record_decides_what_is_undecided_and_nothing_else(prefer: int) -> None:
    one, two = closing()
    wrong = reread(write(one).replace("42: 8/4 6/4", "42: 8/4 6/3"), "wrong.mat")
    done = merge([wrong, two], prefer=prefer)
    assert done.conflicts == ()
    played = [str(entry.text) for entry in done.match.games[0].entries if isinstance(entry, CheckerPlay)]
    assert played[1] == "8/4 6/4"
    assert played[3] == ("13/7 8/7", "24/18 8/7")[prefer]
    assert [fact.why for fact in done.decided] == ["rules", "preferred"]


def test_a_third_record_decides_what_two_leave_open() -> None:
    one, two = closing()
    done = merge([one, two, two])
    (fact,) = done.decided
    assert (fact.why, fact.taken.records) == ("most", (1, 2))


def test_names_are_told_apart_by_letters_not_by_case_or_blanks() -> None:
    done = merge([sample(), replace(sample(), players=("NORA  Lindholm", "Peter Marsh"))])
    assert done.conflicts == ()
    done = merge([sample(), replace(sample(), players=("Nora L.", "Peter Marsh"))])
    assert [fact.what for fact in done.conflicts] == ["the name of player 1"]


def test_the_length_that_the_record_ends_with_is_taken() -> None:
    done = merge([slipped((" 7 point match", " 9 point match")), sample()])
    assert done.match.length == 7
    assert [fact.why for fact in done.decided] == ["rules"]


# --- what lacks something -----------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("which", [0, 1])
def test_a_record_that_breaks_off_is_completed(share: float, which: int) -> None:
    broken = reread(text()[: int(len(text()) * share)])
    both = [sample(), sample()]
    both[which] = broken
    assert is_sample(merge(both))


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("number", range(8))
def test_a_record_that_lacks_a_game_is_completed(number: int) -> None:
    games = sample().games
    lacking = replace(sample(), games=(*games[:number], *games[number + 1 :]))
    for both in ([lacking, sample()], [sample(), lacking]):
        assert is_sample(merge(both))


def test_a_record_that_lacks_rows_is_completed() -> None:
    lines = text().split("\n")
    rows = [at for at, line in enumerate(lines) if line[3:4] == ")"]
    rng = random.Random(5)
    for _ in range(4):
        gone = set(rng.sample(rows, 3))
        lacking = reread("\n".join(line for at, line in enumerate(lines) if at not in gone))
        assert is_sample(merge([lacking, sample()]))


def test_single_games_and_a_record_that_lacks_them_make_the_whole() -> None:
    games = sample().games
    without = replace(sample(), games=(*games[:2], *games[3:]))
    single = replace(sample(), games=games[1:4])
    assert is_sample(merge([without, single]))


def test_a_game_that_stands_twice_is_left_out() -> None:
    games = sample().games
    twice = replace(sample(), games=(*games[:4], games[3], *games[4:]))
    done = merge([twice, sample()])
    assert is_sample(done)
    assert [(fact.what, fact.taken.says) for fact in done.decided] == [("no game", "")]


def test_a_game_behind_the_end_of_a_broken_record_stays_whatever_its_score_line_says() -> None:
    broken = replace(sample(), games=sample().games[:3])
    wrong = with_game(sample(), 3, score=(6, 6))
    for both in ([broken, wrong], [wrong, broken]):
        assert len(merge(both).match.games) == len(sample().games)


def test_the_last_game_that_stands_twice_is_left_out() -> None:
    for match in (sample(), sample("money.mat")):
        done = merge([replace(match, games=(*match.games, match.games[-1])), match])
        assert len(done.match.games) == len(match.games)


def test_a_game_behind_the_end_of_the_match_is_left_out() -> None:
    games = sample().games
    after = replace(games[0], score=(7, 6), number=9)
    assert is_sample(merge([replace(sample(), games=(*games, after)), sample()]))


# --- another order, another format ------------------------------------------------------------


def test_the_players_stand_as_in_the_first_record() -> None:
    done = merge([sample(), swap_players(sample())])
    assert done.exchanged == (False, True)
    assert is_sample(done)
    done = merge([swap_players(sample()), sample()])
    assert done.match.players == ("Peter Marsh", "Nora Lindholm")
    assert is_sample(replace(done, match=swap_players(done.match)))


@pytest.mark.quick(one_in=4)
@pytest.mark.parametrize("name", MATCHES)
def test_a_record_of_any_format_puts_a_slip_right(name: str) -> None:
    chosen = find_format(name)
    there = chosen.read
    data = convert((sample(),), Target(chosen)).data
    other = read_source(data, f"x{chosen.extensions[0]}")[0]
    assert there is not None
    done = merge([slipped(("52: 13/8 24/22", "52: 13/8 13/11"), (" 7) 44:", " 7) 43:")), other])
    again = merge([sample(), done.match])
    assert [fact for fact in (*again.decided, *again.conflicts) if fact.kind != "header"] == []
    assert [fact.why for fact in done.decided if fact.kind == "play"] == ["rules", "rules"]


# --- what stands around ---------------------------------------------------------------------------


def noted(mark: Mark, program: str = "") -> Annotation:
    return Annotation(mark=mark, program=program)


def test_comments_and_analysis_come_from_whoever_has_them() -> None:
    game = sample().games[0]
    entries = list(game.entries)
    entries[3] = replace(entries[3], annotation=noted("bad"))
    one = with_game(sample(), 0, entries=tuple(entries))
    two = with_game(sample(), 0, comments=(Comment(text="a slow play", at=5),))
    done = merge([one, two]).match.games[0]
    assert [(comment.text, comment.at) for comment in done.comments] == [("a slow play", 5)]
    assert [at for at, entry in enumerate(done.entries) if entry.annotation is not None] == [3]


def test_a_comment_that_two_records_have_stands_once() -> None:
    some = [with_game(sample(), 0, comments=(Comment(text=said, at=at),)) for said, at in (("slow", 5), ("slow ", 6))]
    done = merge(some)
    assert len(done.match.games[0].comments) == 1
    assert [fact.taken.records for fact in done.facts if fact.what == "a comment"] == [(0, 1)]


def test_a_comment_on_the_match_stands_once_though_a_format_has_one_field_for_several() -> None:
    joined = Comment(text=" ".join(comment.text for comment in sample().comments))
    done = merge([replace(sample(), comments=(joined,)), sample()])
    assert [comment.text for comment in done.match.comments] == [comment.text for comment in sample().comments]


def test_an_analysis_of_another_board_is_left_out() -> None:
    wrong = slipped(("52: 13/8 24/22", "52: 13/8 13/11"))
    entries = list(wrong.games[0].entries)
    entries[2] = replace(entries[2], annotation=noted("bad"))
    entries[3] = replace(entries[3], annotation=noted("good"))
    done = merge([with_game(wrong, 0, entries=tuple(entries)), sample(), sample()])
    assert done.left_out == 2
    assert all(entry.annotation is None for entry in done.match.games[0].entries)


# --- the proof --------------------------------------------------------------------------------


def said_by(match: Match, game: Game, fact: Fact) -> bool:
    """Whether a record says a fact: some entry of the game of this record does."""
    del match
    return any(entry_words(entry) == fact.taken.says for entry in game.entries)


def test_every_entry_of_the_result_is_a_fact_and_its_sources_say_so() -> None:
    records = [
        slipped(("52: 13/8 24/22", "52: 13/8 13/11"), name="a.mat"),
        slipped((" 7) 44:", " 7) 43:"), name="b.mat"),
        swap_players(slipped(("Wins 2 points", "Wins 4 points"), name="c.mat")),
    ]
    done = merge(records)
    assert is_sample(done)
    entries: dict[tuple[int, int], Entry] = {
        (number, at): entry
        for number, game in enumerate(done.match.games, 1)
        for at, entry in enumerate(game.entries, 1)
    }
    told = {(fact.game or 0, fact.entry): fact for fact in done.facts if fact.kind in ("play", "cube") and fact.entry}
    assert told.keys() == entries.keys()
    for key, fact in told.items():
        assert fact.taken.records
        for which, place in zip(fact.taken.records, fact.taken.locations, strict=True):
            source = records[which].source
            assert source is not None
            assert place is not None
            entry = entries[key]
            line = source.text.split("\n")[place.line - 1][place.column - 1 :]
            if isinstance(entry, CheckerPlay) and entry.dice is not None:
                assert line.startswith(f"{entry.dice[0]}{entry.dice[1]}:"), (fact, line)


# --- refusals -------------------------------------------------------------------------------------


def test_records_of_other_matches_are_refused_by_name() -> None:
    with pytest.raises(NotOneMatch, match=r"money\.mat \(Carla Benetti - Hugo Falk\)") as refused:
        merge([sample(), sample("money.mat"), slipped(("52:", "51:"))])
    assert refused.value.strangers == (1,)


def test_one_record_is_too_few() -> None:
    with pytest.raises(ValueError, match="two records or more"):
        merge([sample()])
    with pytest.raises(ValueError, match="no record 2"):
        merge([sample(), sample()], prefer=2)


# --- slips ----------------------------------------------------------------------------------------

KINDS = (
    "blocked point", "turn missing", "wrong winner", "digit changed", "rows exchanged", "columns swapped from here",
)  # fmt: skip


@cache
def copies() -> list[tuple[list[str], str, list[str]]]:
    return list(copies_of([kind_named(name) for name in KINDS], 5, 3, 1, 3, limit=3))


@pytest.mark.quick(one_in=2)
@pytest.mark.parametrize("count", [2, 3])
def test_copies_with_other_slips_give_the_original(count: int) -> None:
    assert len(copies()) > 1
    for texts, sound, notes in copies():
        done = merge([reread(each, f"{number}.mat") for number, each in enumerate(texts[:count])])
        assert apart(done.match, sound) == [], notes
        assert done.conflicts == (), notes
