"""A match that has several records has the best of each: what one lacks, another one tells."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from analysed import judged
from records import made

import bgtools
from bgtools.comparison.entries import swap_players
from bgtools.comparison.fingerprint import Fingerprint, seats_of
from bgtools.library.library import Library
from bgtools.record.record import Tag

if TYPE_CHECKING:
    from pathlib import Path

    from bgtools.record.record import Match


def written(path: Path, match: Match, to: str) -> Path:
    path.write_bytes(bgtools.convert(match, to=to, verify=False).data)
    return path


def plain(match: Match, players: tuple[str, str], **tags: str) -> Match:
    """A match without what the header says besides names."""
    return replace(match, players=players, tags=tuple(Tag(key=key, value=value) for key, value in tags.items()))


ANALYSED = judged(3, ("Ann", "Bob"), length=5, date="2024-03-01", event="Open")


def broken_off(match: Match, games: int, entries: int) -> Match:
    """The beginning of a match: so many games, and so many entries of one more."""
    last = match.games[games]
    cut = replace(last, entries=last.entries[:entries], results=())
    return replace(match, games=(*match.games[:games], cut))


@pytest.fixture(scope="module", params=[False, True], ids=["as it is", "turned"])
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A match of which one record is analysed and breaks off, and another one is whole and says nothing of players.

    The first game is missing in the analysed one, so its numbers are others.
    """
    folder = tmp_path_factory.mktemp("best")
    whole = plain(made(3, 5), ("Player 1", "Player 2"))
    if request.param:
        whole = swap_players(whole)
    part = broken_off(ANALYSED, len(ANALYSED.games) - 1, 6)
    part = replace(part, games=part.games[1:])
    library = Library(folder / "library")
    library.add([written(folder / "whole.mat", whole, "mat"), written(folder / "part.sgf", part, "sgf")])
    assert library.count == 1
    assert library.sql("SELECT complete, analysed FROM matches").fetchall() == [(True, False)]
    return library


def test_names_event_and_day_are_those_of_the_record_that_tells_them(library: Library) -> None:
    ((left, right, event, day),) = library.sql("SELECT player0, player1, event, date FROM matches").fetchall()
    turned_round = library.sql("SELECT turned FROM stored.groups WHERE record <> match").fetchall() == [(True,)]
    assert (left, right) == (("Bob", "Ann") if turned_round else ("Ann", "Bob"))
    assert (event, str(day)) == ("Open", "2024-03-01")
    assert {each.name for each in library.players_table()} == {"Ann", "Bob"}
    assert sorted(library.sql("SELECT person, opponent_person FROM totals").fetchall()) == [
        ("Ann", "Bob"), ("Bob", "Ann"),
    ]  # fmt: skip
    assert {name for (name,) in library.sql("SELECT DISTINCT name FROM decisions").fetchall()} == {"Ann", "Bob"}
    # The records themselves say what they said.
    assert sorted(library.sql("SELECT least(player0, player1) FROM records").fetchall()) == [("Ann",), ("Player 1",)]


def test_decisions_stand_where_the_record_that_stands_for_the_match_has_them(library: Library) -> None:
    told = library.sql(
        "SELECT d.kind, d.dice, d.xgid, d.name, d.loss, xgid_of(p), p.dice, p.action, "
        "CASE p.player WHEN 0 THEN m.player0 ELSE m.player1 END, d.player = p.player "
        "FROM decisions d JOIN positions p ON p.record = d.record AND p.game = d.game AND p.entry = d.entry "
        "JOIN matches m ON m.record = d.record WHERE d.kind IN ('checker play', 'double', 'no double')"
    ).fetchall()
    assert library.sql(
        "SELECT count(*) FILTER (kind IN ('checker play', 'double', 'no double')), count(*) - count(entry) "
        "FROM decisions"
    ).fetchall() == [(len(told), 0)]
    assert len(told) > 20
    for kind, dice, xgid, name, _, position, roll, action, player, same_seat in told:
        assert xgid.split(":")[0] == position.split(":")[0]
        assert name == player
        assert same_seat
        if kind == "checker play":
            assert dice == roll
        assert action == ("double" if kind == "double" else "roll")


def test_choices_have_the_numbers_of_their_decisions(library: Library) -> None:
    apart = (
        "SELECT count(*), count(d.kind), count(*) FILTER (c.turn <> d.turn OR c.player <> d.player) "
        "FROM choices c LEFT JOIN decisions d USING (record, game, entry, kind)"
    )
    ((choices, placed, wrong),) = library.sql(apart).fetchall()
    assert choices == placed > 20
    assert wrong == 0


def test_the_game_that_only_the_whole_record_has_is_counted(library: Library) -> None:
    answers = library.sql(
        "SELECT d.kind, t.action, d.player = t.player FROM decisions d JOIN turns t USING (record, game, entry) "
        "WHERE kind IN ('resign', 'accept')"
    ).fetchall()
    assert sorted(answers) == [("accept", "resign", False), ("resign", "resign", True)]
    first, last = library.sql("SELECT min(game), max(game) FROM decisions WHERE loss IS NOT NULL").fetchall()[0]
    assert first == 2
    assert library.sql("SELECT max(game) FROM games").fetchall() == [(last,)]


def test_a_search_finds_what_another_record_of_the_match_analyses(library: Library) -> None:
    found = library.find(loss=(0.02, None), per="position", by="loss", limit=None)
    assert found.judged == len(found.hits) > 3
    for hit in found.hits:
        assert hit.decision is not None
        assert hit.loss is not None
        assert hit.loss >= 0.02
        assert hit.decision.best
        assert hit.decision.choices
        assert set(hit.position.names) == {"Ann", "Bob"}
        assert hit.decision.name == hit.position.names[0]
        assert hit.path.endswith("whole.mat")
    worst = library.sql("SELECT max(loss) FROM stored.decisions WHERE kind NOT IN ('take', 'pass')").fetchall()[0][0]
    assert found.hits[0].loss == worst


def test_a_player_is_told_with_his_name(library: Library) -> None:
    career = library.player("Ann")
    assert career.summary.analysed == 1
    assert {each.row.name for each in career.worst} == {"Ann"}
    assert {name for each in career.worst for name in each.names} == {"Ann", "Bob"}


def test_choices_belong_to_their_decisions(library: Library) -> None:
    assert library.sql(
        "SELECT count(*) > 20, count(*) = count(d.record) FROM choices c "
        "LEFT JOIN decisions d USING (record, game, entry, kind)"
    ).fetchall() == [(True, True)]


@pytest.mark.parametrize("seed", range(4))
def test_who_sits_where_is_told_by_the_rolls(seed: int) -> None:
    match = made(seed)
    other = swap_players(match)
    prints = Fingerprint.of(match), Fingerprint.of(other)
    assert prints[0].is_turned(seats_of(match), prints[1], seats_of(other))
    assert not prints[0].is_turned(seats_of(match), prints[0], seats_of(match))
    assert len(seats_of(match)) == len(prints[0])
