"""Match text: names on score lines that are misspelt, or belong to somebody who does not play the match."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, Final

from bgtools.findings import codes
from bgtools.findings.finding import Finding, Fix, Severity
from bgtools.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.formats.mat.draft import MatGameDraft, MatMatchDraft

_PLAYERS: Final = 2
_SLIP: Final = 2
"""At most so many letters, all at one place, differ between a name and its misprint."""


def mend_names(draft: MatMatchDraft, source: Source) -> Iterator[Finding]:
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


def strangers(draft: MatMatchDraft, players: tuple[str, str]) -> Iterator[Finding]:
    """A finding for each score line that names somebody who does not play the match."""
    usual = {name.casefold() for name in players}
    for game in draft.games:
        others = [each.name for each in game.names or () if each.name.casefold() not in usual]
        if others and all(players):
            message = f"{' and '.join(others)} on this score line {'are' if len(others) == 2 else 'is'} neither "
            hint = "the game is counted as one of the match; another match begins with its length"
            yield Finding(
                codes.WRONG_NAME, game.score_span, f"{message}{players[0]} nor {players[1]}", hint=hint,
                game=game.number, set_severity=Severity.WARNING,
            )  # fmt: skip


def _misspelt(game: MatGameDraft, name: str, right_name: str, source: Source) -> Finding:
    """The finding of a name that is misspelt on the score line of a game."""
    at = source.text[slice(*game.score_span)].find(name)
    span = Span(game.score_span.start + at, game.score_span.start + at + len(name)) if at >= 0 else game.score_span
    message = f"{name} is {right_name} on the other score lines"
    fix = Fix(span, right_name) if at >= 0 else None
    return Finding(codes.WRONG_NAME, span, message, hint="it is read so", game=game.number, remedy=fix)


def _is_like(one: str, two: str) -> bool:
    """Whether two names differ at one place by a letter or two, and share at least as many letters as differ."""
    shorter = min(len(one), len(two))
    ahead = next((at for at in range(shorter) if one[at] != two[at]), shorter)
    behind = next((at for at in range(shorter - ahead) if one[-1 - at] != two[-1 - at]), shorter - ahead)
    return max(len(one), len(two)) - ahead - behind <= min(_SLIP, ahead + behind)
