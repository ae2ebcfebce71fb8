"""Match text: names on score lines that are misspelt, or belong to somebody who does not play the match."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from bgtools.findings import codes
from bgtools.findings.finding import Finding, Fix, Related
from bgtools.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgtools.formats.mat.cells import ScoreText
    from bgtools.formats.mat.draft import MatGame, MatMatch

_PLAYERS: Final = 2
_SLIP: Final = 2
"""At most so many letters, all at one place, differ between a name and its misprint."""


def mend_names(draft: MatMatch, source: Source) -> Iterator[Finding]:
    """Put right the names that are misprints, and report each: a misprint is on one score line only."""
    counts = Counter(each.name for game in draft.games for each in game.names or ())
    if len(counts) <= _PLAYERS:
        return
    usual = [name for name, count in counts.most_common(_PLAYERS) if count > 1]
    for game, side in product(draft.games, (0, 1)):
        if game.names is None:
            continue
        each, mate = game.names[side], game.names[1 - side]
        meant = [name for name in usual if name != mate.name and _is_like(each.name, name)]
        if counts[each.name] == 1 and mate.name in usual and len(meant) == 1:
            yield _misspelt(game, each.name, meant[0], source)
            mended = each._replace(name=meant[0])
            game.names = (mended, mate) if side == 0 else (mate, mended)


def players_of(draft: MatMatch) -> tuple[ScoreText, ScoreText] | None:
    """Who plays a match: the pair on most score lines, the earliest where several are as often; None without any."""
    pairs: dict[frozenset[str], list[tuple[ScoreText, ScoreText]]] = {}
    for game in draft.games:
        if game.names:
            pairs.setdefault(frozenset(each.name for each in game.names), []).append(game.names)
    return max(pairs.values(), key=len)[0] if pairs else None


def strangers(draft: MatMatch, players: tuple[str, str], source: Source) -> Iterator[Finding]:
    """A finding for each name on score lines that is not one of a player; all lines with it belong to the finding."""
    if not all(players):
        return
    usual = {name.casefold() for name in players}
    lines: dict[tuple[str, str], list[MatGame]] = {}
    for game in draft.games:
        one, two = game.names or (None, None)
        if one is None or two is None:
            continue
        for each, mate in ((one, two), (two, one)):
            if each.name.casefold() not in usual:
                instead = next((name for name in players if name.casefold() != mate.name.casefold()), "")
                right = instead if mate.name.casefold() in usual else ""
                lines.setdefault((each.name, right), []).append(game)
    for (name, right), games in lines.items():
        yield _stranger(name, right, games, players, source)


def _stranger(name: str, right: str, games: Sequence[MatGame], players: tuple[str, str], source: Source) -> Finding:
    """The finding of a name that is on some score lines in place of a player's."""
    spans = [_span_of(game, name, source) for game in games]
    where = "this score line" if len(games) == 1 else f"{len(games)} score lines"
    remedy = None
    if right and all(source.text[slice(*span)] == name for span in spans):
        whole = Span(spans[0].start, spans[-1].end)
        parts = [source.text[one.end : two.start] for one, two in pairwise(spans)]
        text = "".join(f"{right}{part}" for part in [*parts, ""])
        many = f" on {where}" if len(games) > 1 else ""
        remedy = Fix(whole, text, words=f"write {right} in place of {name}{many}" if many else "")
    return Finding(
        codes.WRONG_NAME, spans[0], f"{name} on {where} is neither {players[0]} nor {players[1]}",
        hint="the game is counted as one of the match; another match begins with its length"
        if len(games) == 1
        else "the games are counted as ones of the match; another match begins with its length",
        related=tuple(Related(span, f"{name} again") for span in spans[1:]),
        game=games[0].number, remedy=remedy,
    )  # fmt: skip


def _span_of(game: MatGame, name: str, source: Source) -> Span:
    """Where a name stands on the score line of a game; the whole line where it is written otherwise."""
    at = source.text[slice(*game.score_span)].find(name)
    return Span(game.score_span.start + at, game.score_span.start + at + len(name)) if at >= 0 else game.score_span


def _misspelt(game: MatGame, name: str, right_name: str, source: Source) -> Finding:
    """The finding of a name that is misspelt on the score line of a game."""
    span = _span_of(game, name, source)
    message = f"{name} is {right_name} on the other score lines"
    fix = Fix(span, right_name) if source.text[slice(*span)] == name else None
    return Finding(codes.WRONG_NAME, span, message, hint="it is read so", game=game.number, remedy=fix)


def _is_like(one: str, two: str) -> bool:
    """Whether two names differ at one place by a letter or two, and share at least as many letters as differ."""
    shorter = min(len(one), len(two))
    ahead = next((at for at in range(shorter) if one[at] != two[at]), shorter)
    behind = next((at for at in range(shorter - ahead) if one[-1 - at] != two[-1 - at]), shorter - ahead)
    return max(len(one), len(two)) - ahead - behind <= min(_SLIP, ahead + behind)
