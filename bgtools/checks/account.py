"""What is known of a match, and how: stated by its record, derived from it, contradicted by it, or unknown.

There is one account of a match. Verdicts, the library and reports ask it whether a record is whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from bgtools.checks import _words as words
from bgtools.checks.checking import check
from bgtools.findings import codes
from bgtools.findings.finding import Severity
from bgtools.record.points import plus
from bgtools.record.producers import proved_score
from bgtools.record.record import is_position, reconstructions
from bgtools.replayer.match import final_of, replay

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.board.perspective import Player
    from bgtools.findings.finding import Code, Finding
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay
    from bgtools.source import Span

Standing = Literal["stated", "derived", "contradicted", "unknown"]
"""How a fact is known: the record says it; it follows from what the record says; parts of the record deny it; nothing
tells."""

Presence = Literal[
    "present", "missing before", "missing between", "missing after", "broken off", "foreign", "repeated",
    "after the match",
]  # fmt: skip
"""What a record has of a game: all of it; nothing, where it came before the others, between them or after them; its
beginning; one that is out of place or of another match; a second copy; a game after the end of the match."""


class KnownFact(NamedTuple):
    """One thing about a match.

    Attributes:
        name: what it is: ``players``, ``length`` and so on.
        value: what is known of it, in words; "" where nothing is.
        standing: how it is known.
        source: where it stands, or from what it follows; "" where nothing tells.
    """

    name: str
    value: str
    standing: Standing
    source: str = ""


class KnownGame(NamedTuple):
    """A game of a match, whether the record has it or not.

    Attributes:
        number: its number; None where nobody knows it.
        index: its place in the record, from 0; None where it is missing.
        presence: what the record has of it.
        result: how its result is known.
    """

    number: int | None
    index: int | None  # type: ignore[assignment]
    presence: Presence
    result: Standing


@dataclass(frozen=True, slots=True)
class MatchAccount:
    """What is known of a match.

    >>> account = bgtools.account("samples/seven-point.mat")
    >>> account.is_whole, account.score, account.winner, account["length"].standing
    (True, (6, 7), 1, 'stated')

    Attributes:
        facts: ten facts: players, event, length, rules, start, games, results, score, winner, and what a repair put in.
        games: the games, missing ones among them, in their order.
        lacks: what keeps the record from being one whole match, in sentences; empty where nothing does.
        score: the points of both players at the end of the record.
        winner: who won the match; None where nobody has, and for money.
        is_record: whether it holds a turn or a result; False for a heading alone.
        gaps: the places in the record, from 0, of the games before which others are missing.
        seams: the places of the games that follow the one before neither by number nor by score.
    """

    facts: tuple[KnownFact, ...]
    games: tuple[KnownGame, ...]
    lacks: tuple[str, ...]
    score: tuple[int, int]
    winner: Player | None
    is_record: bool
    gaps: frozenset[int] = frozenset()
    seams: frozenset[int] = frozenset()

    def __getitem__(self, name: str) -> KnownFact:
        """A fact by its name.

        Raises:
            KeyError: there is none of that name.
        """
        for each in self.facts:
            if each.name == name:
                return each
        raise KeyError(name)

    @property
    def is_whole(self) -> bool:
        """Whether the record holds every game from the start of the match to its end."""
        return self.is_record and not self.lacks

    @property
    def is_contradicted(self) -> bool:
        """Whether parts of the record deny each other in what is known of the match."""
        return any(each.standing == "contradicted" for each in self.facts)


_ABOUT: Final[dict[str, frozenset[Code]]] = {
    "players": frozenset({codes.WRONG_NAME}),
    "length": frozenset({codes.WRONG_LENGTH}),
    "rules": frozenset({codes.WRONG_VARIATION, codes.CONTRADICTED_RULES}),
    "games": frozenset({codes.GAME_MISSING, codes.GAME_REPEATED, codes.AFTER_MATCH, codes.SWAPPED}),
    "results": frozenset({codes.WRONG_POINTS, codes.WRONG_WINNER, codes.ODD_POINTS, codes.FALSE_MATCH_END}),
    "score": frozenset({codes.SCORE_LINE}),
}
"""The findings that say that parts of a record deny each other, by the fact that is denied."""
_OF_GAPS: Final = frozenset({codes.GAME_MISSING, codes.SCORE_LINE})
"""The findings that tell of a missing game, where one is missing."""
_RULES: Final = ("Crawford", "Jacoby", "Beaver", "Beavers", "AutomaticDoubles", "CubeLimit", "Variation", "Rules")
_STARTS: Final = ("Start", "StartScore", "Starting Score", "Handicap")
"""Tags that state the score at which a match began."""


def account_of(
    match: Match, games: Sequence[GameReplay] | None = None, found: Iterable[Finding] | None = None
) -> MatchAccount:
    """What is known of a match.

    Args:
        match: the record.
        games: its games, replayed, where that is done already.
        found: its findings, where it is checked already; those that are left out or only hints contradict nothing.
    """
    games = replay(match) if games is None else games
    return _Account(match, games, check(match, tuple(games)) if found is None else found).account()


def is_of_gap(finding: Finding, match: Match, gaps: Iterable[int]) -> bool:
    """Whether a finding only tells that games are missing; `gaps` are the indexes of the games after those."""
    return finding.code in _OF_GAPS and any(match.games[at].number == finding.game for at in gaps)


class _Account:
    """The account while it is drawn up."""

    def __init__(self, match: Match, games: Sequence[GameReplay], found: Iterable[Finding]) -> None:
        self.match, self.games = match, games
        self.found = [each for each in found if each.severity >= Severity.WARNING]
        entries = [entry for game in match.games for entry in game.entries]
        self.is_position = bool(entries) and all(map(is_position, match.games))
        self.is_record = bool(entries) or any(game.results for game in match.games)
        self.gaps = {} if self.is_position else dict(self._gaps())
        self.seams = frozenset(two.index for one, two in pairwise(games) if _is_seam(one, two))
        self.score, self.winner = final_of(games, match.length)
        last = games[-1] if games else None
        self.is_decided = last is not None and (last.winner if not match.length else self.winner) is not None
        self.end = last.claim if last is not None and last.claim is not None and last.claim.match else None

    def account(self) -> MatchAccount:
        """The whole account."""
        lacks = () if self.is_position else tuple(self._lacks())
        known = tuple(self._known_games())
        return MatchAccount(
            tuple(self._facts(known)), known, lacks, self.score, self.winner, self.is_record,
            frozenset(self.gaps), self.seams,
        )  # fmt: skip

    # --- facts ------------------------------------------------------------------------------

    def _facts(self, known: Sequence[KnownGame]) -> Iterator[KnownFact]:
        match, has_games = self.match, bool(self.games) and not self.is_position
        yield self._fact("players", " - ".join(filter(None, match.players)))
        yield self._fact("event", ", ".join(filter(None, map(match.tag, ("Event", "Round", "EventDate")))))
        if match.length is not None:
            value = words.times(match.length, "point") if match.length else "money"
            yield self._fact("length", value, self._line(match.length_span))
        else:
            yield self._fact("length", self._reached(), "the last result", "derived" if self.end else "unknown")
        tags = [self._line(tag.span) for key in _RULES if (tag := match.find_tag(key)) is not None]
        parts = str(match.rules).split(",")
        value = ", ".join(each for each in parts if not each.startswith("no-") and not each.endswith(("=0", "=none")))
        source = ", ".join(filter(None, tags)) if tags else "the usual rules"
        yield self._fact("rules", value, source, "stated" if tags else "derived")
        yield self._start()
        count, gone = len(self.games), sum(each.presence in ("missing before", "missing between") for each in known)
        value = (
            f"{count}{f', {gone} missing' if gone else ''}{', then more' if has_games and not self.is_decided else ''}"
        )
        yield self._fact("games", value if count else "")
        stands = [_result_of(game) for game in self.games] if has_games else []
        value = ", ".join(f"{stands.count(each)} {each}" for each in ("stated", "derived", "unknown") if each in stands)
        are_stated = stands.count("stated") == len(stands)
        yield self._fact(
            "results", value, "", "stated" if stands and are_stated else "derived" if stands else "unknown"
        )
        yield self._final_score() if has_games else KnownFact("score", "", "unknown")
        if self.winner is None:
            yield KnownFact("winner", "", "unknown")
        else:
            source = "the score" if self.end is None else self._line(self.end.span)
            standing: Standing = "derived" if self.end is None else "stated"
            yield self._fact("winner", words.name(match, self.winner), source, standing)
        yield self._fact("reconstructed", "; ".join(reconstructions(match)))

    def _fact(self, name: str, value: str, source: str = "", standing: Standing = "stated") -> KnownFact:
        """A fact; contradicted where a finding says so, unknown where it has no value."""
        for each in self.found:
            if each.code in _ABOUT.get(name, ()) and not is_of_gap(each, self.match, self.gaps):
                return KnownFact(name, value, "contradicted", each.message)
        return KnownFact(name, value, standing, source) if value else KnownFact(name, "", "unknown")

    def _line(self, span: Span) -> str:
        """The line of a place; "" where the file has none."""
        source = self.match.source
        return f"line {source.location(span.start).line}" if source is not None and span.end else ""

    def _reached(self) -> str:
        """The points with which the last result says that the match was won; "" where it does not."""
        return "" if self.end is None else words.times(max(self.score), "point")

    def _start(self) -> KnownFact:
        first = self.match.games[0] if self.match.games else None
        if first is None:
            return KnownFact("start", "", "unknown")
        if first.start is not None or self.is_position:
            return KnownFact("start", "a set position", "stated", self._line(first.heading))
        if first.score is not None:
            return KnownFact("start", _dashed(first.score), "stated", self._line(first.score_span))
        return KnownFact("start", "0-0", "derived", "a match begins so")

    def _final_score(self) -> KnownFact:
        """The final score, capped at the length where the header proves it."""
        proof, ends = proved_score(self.match), _dashed(self.score)
        if proof is None:
            return self._fact("score", ends, "the results", "derived")
        if proof == tuple(min(points, self.match.length or points) for points in self.score):
            return self._fact("score", ends, "the header")
        if not self.is_decided:
            return self._fact("score", _dashed(proof), f"the header; the games end at {ends}")
        return KnownFact("score", ends, "contradicted", f"the header says {_dashed(proof)}")

    # --- what is missing --------------------------------------------------------------------

    def _gaps(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """The games before which others are missing: how many at the least, and how many if it is known, else 0."""
        for at, game in enumerate(self.games):
            record = game.game
            if at == 0:
                number = record.number or 1
                begins = record.score not in (None, (0, 0)) and record.start is None
                in_order = not game.is_moved and game.exchanged not in ("games", "numbers")
                if (number > 1 or begins) and in_order and not any(map(self.match.tag, _STARTS)):
                    yield at, (max(number - 1, 1), number - 1)
                continue
            before = self.match.games[at - 1].number
            skipped = 0 if record.number is None or before is None else record.number - before - 1
            won = game.missing
            if skipped > 0 and not game.is_moved and (won is None or (any(won) and min(won) >= 0)):
                yield at, (skipped, skipped)
            elif skipped <= 0 and self._counts_more(at):
                yield at, (1, 0)

    def _counts_more(self, at: int) -> bool:
        """Whether a score line counts points that no game gives, and what follows agrees with it."""
        game, line = self.games[at], self.games[at].game.score
        if line is None or game.added_up is None or line == game.added_up or game.score != line:
            return False
        if min(line[0] - game.added_up[0], line[1] - game.added_up[1]) < 0 or game.exchanged or game.is_copy:
            return False
        following = self.match.games[at + 1].score if at + 1 < len(self.games) else None
        if following is not None:
            return game.score_after == following
        ends = game.claim is not None and game.claim.match
        summed = plus(game.added_up, game.winner, game.points)
        return ends and max(game.score_after) >= (self.match.length or 0) > max(summed)

    def _lacks(self) -> Iterator[str]:
        """What keeps the record from being one whole match, in sentences."""
        if not self.is_record:
            yield "it holds no turn and no result"
            return
        for at, (_, count) in self.gaps.items():
            yield self._gap(at, count)
        for at in sorted(self.seams - self.gaps.keys()):
            yield f"{self._name(at)} follows neither by number nor by score: it is out of place, or of another match"
        length = self.match.length
        if length is None:
            told = f"; the last result tells {self._reached()}" if self.end else ""
            yield f"the record does not say to how many points the match was played{told}"
        for at, record in enumerate(self.match.games[1:], 1):
            if record.number is None and record.score is None and self.match.games[0].score is not None:
                yield f"the heading of {self._name(at)} is missing"
        for at, game in enumerate(self.games[:-1]):
            if _result_of(game) == "unknown":
                yield f"{self._name(at)} breaks off, and nothing tells its result"
        if not self.is_decided:
            yield f"ends at {_dashed(self.score)}{f' of {length}' if length else ''}, in {self._name(-1)}"

    def _gap(self, at: int, count: int) -> str:
        """Which games are missing before another one."""
        begins = f": the record begins at {_dashed(self.games[0].score)}" if at == 0 else ""
        last = (self.match.games[at].number or 1) - 1
        if not count:
            return f"a game is missing before {self._name(at)}" if at else f"its beginning is missing{begins}"
        return words.missing(last - count + 1, last) + begins

    def _name(self, at: int) -> str:
        number = self.match.games[at].number
        return f"game {at % len(self.games) + 1 if number is None else number}"

    def _known_games(self) -> Iterator[KnownGame]:
        for at, game in enumerate(self.games):
            number = game.game.number
            least, count = self.gaps.get(at, (0, 0))
            for each in range(least):
                lost = (number or 0) - count + each if count else None
                yield KnownGame(lost, None, "missing between" if at else "missing before", "unknown")
            presence: Presence = (
                "repeated" if game.is_copy
                else "after the match" if game.games_too_many
                else "broken off" if game.winner is None and not self.is_position
                else "foreign" if at in self.seams and not least
                else "present"
            )  # fmt: skip
            yield KnownGame(number, at, presence, _result_of(game))
        if self.match.length and self.games and not (self.is_decided or self.is_position or game.winner is None):
            yield KnownGame(None if number is None else number + 1, None, "missing after", "unknown")


def _is_seam(one: GameReplay, two: GameReplay) -> bool:
    """Whether a game follows the one before it neither by number nor by score: one of them is from elsewhere."""
    before, number = one.game.number, two.game.number
    if before is None or number is None or number == before + 1 or two.exchanged or two.is_moved or two.is_copy:
        return False
    return two.game.score not in (None, one.score_after, one.stated_after)


def _result_of(game: GameReplay) -> Standing:
    """How the result of a game is known."""
    if game.winner is None:
        return "unknown"
    return "derived" if game.claim is None or game.by_score or game.claim.player != game.winner else "stated"


def _dashed(score: tuple[int, int]) -> str:
    return f"{score[0]}-{score[1]}"
