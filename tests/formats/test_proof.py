"""What reading a conversion back has to see, and what it need not go through."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgtools.board.movement import resolve
from bgtools.conversion.conversion import convert, parse_target
from bgtools.conversion.facts import differences
from bgtools.formats.content import Content
from bgtools.formats.mat.writer import write
from bgtools.formats.reading import find_format, read_source
from bgtools.record.annotation import Annotation
from bgtools.record.record import CheckerPlay, Double, Game, Match
from bgtools.replayer.match import replay
from selfplay import random_match

JSON = find_format("json")


def _told_again(match: Match) -> Match:
    (again,) = JSON.read(Content(JSON.write((match,)), "again"))
    return again


def _match(seed: int = 3) -> Match:
    (match,) = read_source(write(random_match(seed, 5, games=3)).encode(), "made")
    return match


def _with_entry(match: Match, game: int, at: int, **changes: object) -> Match:
    entries = list(match.games[game].entries)
    entries[at] = replace(entries[at], **changes)  # type: ignore[arg-type]
    games = list(match.games)
    games[game] = replace(games[game], entries=tuple(entries))
    return replace(match, games=tuple(games))


def _other_plays(game: Game, index: int, match: Match) -> list[tuple[int, CheckerPlay]]:
    """Entries of a game, with another legal play of the same roll each."""
    found = []
    for turn in replay(match)[index].turns:
        entry = turn.entry
        if isinstance(entry, CheckerPlay) and turn.play is not None and entry.dice is not None:
            for other in replay(match)[index].turns:
                text = getattr(other.entry, "text", None)
                if text is not None and text.hops and text != entry.text:
                    play = resolve(turn.before, entry.dice, text.hops)
                    if getattr(play, "result", turn.play.result) != turn.play.result:
                        found.append((turn.index, replace(entry, text=text)))
                        break
    assert len(game.entries) >= len(found)
    return found


@pytest.mark.parametrize("seed", [3, 4])
def test_any_other_play_of_a_sound_game_is_seen(seed: int) -> None:
    match = _match(seed)
    assert list(differences(match, _told_again(match))) == []
    others = [
        (index, at, entry)
        for index, game in enumerate(match.games)
        for at, entry in _other_plays(game, index, match)[:4]
    ]
    assert others
    for index, at, entry in others:
        changed = _with_entry(match, index, at, text=entry.text)
        place = next(differences(match, _told_again(changed))).where
        assert place.startswith(f"game {index + 1}, "), (index, at)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"number": 9}, "game 2, number"),
        ({"results": ()}, "game 2, resigned"),
        ({"comments": ()}, "game 2, comments"),
    ],
)
def test_anything_else_of_a_sound_game_is_seen(changes: dict[str, object], place: str) -> None:
    text = write(_match()).replace(" Game 2\n", " Game 2\n; a remark\n")
    (match,) = read_source(text.encode(), "made")
    games = list(match.games)
    games[1] = replace(games[1], **changes)  # type: ignore[arg-type]
    found = [each.where for each in differences(match, replace(_told_again(match), games=tuple(games)))]
    assert place in found


def test_turns_of_sound_games_are_made_neither_for_losses_nor_for_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of four megabytes has two hundred thousand of them."""
    match = _match()
    assert all(game.is_sound for game in replay(match))
    made: list[object] = []
    monkeypatch.setattr("bgtools.replayer.game._all_turns", lambda *asked: made.append(asked))
    done = convert((match,), parse_target("json"))
    assert done.verified
    assert not made


def test_a_mark_on_a_double_that_only_one_record_has_is_seen() -> None:
    match = next(
        each for each in map(_match, range(40)) if any(isinstance(entry, Double) for entry in each.games[0].entries)
    )
    at = next(at for at, entry in enumerate(match.games[0].entries) if isinstance(entry, Double))

    changed = _with_entry(match, 0, at, annotation=Annotation(mark="bad"))
    assert next(differences(changed, match)).where.startswith("game 1, entry")
