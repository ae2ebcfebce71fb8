"""Events from records: the form is said where it follows, and never where it was not there."""

from __future__ import annotations

import random
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from bgtools.analysis.events import Result, event_of
from club import NAMES, heap, knock_out, of_one_player, round_robin, shuffled, swiss

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("made", "form", "said"),
    [
        (lambda rng: round_robin(6, rng), "round robin", "each of 15 pairings was played once"),
        (lambda rng: round_robin(3, rng) * 2, "round robin", "each of 3 pairings was played twice"),
        (lambda rng: round_robin(6, rng)[1:], "round robin", f"Missing: {NAMES[0]} and {NAMES[1]}."),
        (lambda rng: [*round_robin(7, rng), Result((NAMES[0], NAMES[1]), 0)], "round robin", "More than the others: "),
        (lambda rng: knock_out(8, rng), "knock-out", "everybody but"),
        (lambda rng: knock_out(13, rng), "knock-out", "in 4 rounds"),
        (lambda rng: swiss(12, 5, rng), "Swiss", "A Swiss of 5 rounds"),
        (lambda rng: of_one_player(14, rng), "one player's", f"one of {NAMES[0]}'s"),
        (lambda rng: heap(15, rng), "", "No form follows"),
        (lambda rng: round_robin(3, rng)[:2], "", "No form follows"),
    ],
)  # fmt: skip
def test_a_form_is_said_with_what_supports_it(
    made: Callable[[random.Random], list[Result]], form: str, said: str
) -> None:
    event = event_of(made(random.Random(3)))
    assert event.form == form
    assert said in event.sentence


def test_of_shuffled_matches_no_form_is_said_that_was_not_there() -> None:
    rng = random.Random(75)
    claimed = []
    for number in range(400):
        made = (round_robin(5 + number % 5, rng), knock_out(8 + number % 9, rng), swiss(8 + 2 * (number % 4), 5, rng))
        event = event_of(shuffled(made[number % 3], rng))
        pairs = {each.pair for each in event.results}
        # Everybody may have met everybody by chance: then it is true.
        if event.form and len(pairs) != len([*combinations(event.players, 2)]):
            claimed.append(event.sentence)
    assert claimed == []


def test_the_word_of_a_director_goes_before_the_pairings() -> None:
    results = heap(9, random.Random(1))
    event = event_of(results, "league")
    assert (event.form, event.is_stated) == ("league", True)
    assert "as event.toml says" in event.sentence
    assert any(each.is_missing for each in event.pairings)


def test_standings_are_what_was_played_and_ties_are_ties() -> None:
    results = round_robin(6, random.Random(2))
    standings = event_of(results).standings
    won = {name: sum(each.players[each.winner or 0] == name for each in results) for name in NAMES[:6]}
    assert {each.name: each.matches_won for each in standings} == won
    assert [each.rank for each in standings] == [
        1 + sum(other > each.matches_won for other in won.values()) for each in standings
    ]
    assert all(each.matches_won + each.matches_lost == each.matches == 5 for each in standings)
    assert all(each.rank is None for each in event_of(heap(12, random.Random(5))).standings)


def test_a_missing_and_a_double_pairing_are_named_only_where_the_form_is_certain() -> None:
    results = round_robin(7, random.Random(4))
    pairings = event_of([*results[1:], results[5]]).pairings
    assert [each.name for each in pairings if each.is_missing] == [results[0].pair]
    assert [each.name for each in pairings if each.is_double] == [results[5].pair]
    assert not any(each.is_missing or each.is_double for each in event_of(heap(12, random.Random(6))).pairings)


def test_a_title_that_is_challenged_is_told_as_a_number() -> None:
    rng, holder, results = random.Random(8), NAMES[0], []
    for day in range(1, 15):
        other = rng.choice([name for name in NAMES if name != holder])
        winner = rng.randrange(2)
        results.append(Result((holder, other), winner, date=f"2026-01-{day:02}"))
        holder = (holder, other)[winner]
    event = event_of(results)
    assert event.form == ""
    assert (
        "plays in the next one in 13 of 13: like a title that is challenged, which the records do not state"
        in event.sentence
    )
