"""Merging the headers of several records: all that stands outside the games."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bgtools.comparison.deciding import StatedOption
from bgtools.comparison.entries import location_in
from bgtools.comparison.facts import states
from bgtools.comparison.merged import Fact, Statement
from bgtools.formats.shared.tags import restates
from bgtools.record.record import NOWHERE, Comment, Match, Tag
from bgtools.replayer.match import replay_plainly
from bgtools.rules.options import OPTIONS, Ruleset, has_meaning

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from bgtools.comparison.deciding import Why
    from bgtools.source import Span


class MergedHeader:
    """The header of several records, put together."""

    def __init__(self, matches: Sequence[Match], prefer: int | None) -> None:
        """Put headers together.

        Args:
            matches: the records, with their players in one order.
            prefer: the record that decides where nothing else does.
        """
        self.matches = matches
        self.prefer = prefer
        self.facts: list[Fact] = []
        self.match = self._made()

    @cached_property
    def _longest(self) -> Match:
        return max(self.matches, key=lambda match: sum(len(game.entries) for game in match.games))

    def _made(self) -> Match:
        players = tuple(self._name(player) for player in (0, 1))
        ratings = tuple(
            self._taken(f"the rating of {name or f'player {player + 1}'}", lambda match: match.ratings[player], "", str)  # noqa: B023
            for player, name in enumerate(players)
        )
        length = self._length()
        rules = self._rules(length)
        match = Match(players=players, length=length, games=(), rules=rules, ratings=ratings)  # type: ignore[arg-type]
        return replace(match, tags=self._tags(match), comments=self._comments(), extras=self._extras())

    # --- one thing --------------------------------------------------------------------------

    def _taken(
        self,
        what: str,
        says: Callable[[Match], Any],
        nothing: Any,
        words: Callable[[Any], str],
        *,
        key: Callable[[Any], Hashable] = lambda value: value,
        span: Callable[[Match], Span] = lambda _: NOWHERE,
        faults: Callable[[Any], int] | None = None,
    ) -> Any:
        """The value that is taken of something in the header that each record may state.

        Args:
            what: its name in words.
            says: the value in a record; ``nothing`` where the record states none.
            nothing: the value that stands for nothing stated.
            words: a value in words.
            key: the part of a value that is the same however it is spelled.
            span: where a record states it.
            faults: how much in the records is against the rules with a value.
        """
        stated: dict[Hashable, list[int]] = {}
        values: dict[Hashable, Any] = {}
        for which, match in enumerate(self.matches):
            value = says(match)
            if value != nothing:
                stated.setdefault(key(value), []).append(which)
                values.setdefault(key(value), value)
        if not stated:
            return nothing
        options = sorted(
            (StatedOption(tuple(records), len(records), values[each]) for each, records in stated.items()),
            key=lambda option: (-option.votes, option.records),
        )
        chosen, why = self._chosen(options, faults)
        told = [
            Statement(
                words(option.says),
                option.records,
                tuple(location_in(self.matches[each], span(self.matches[each])) for each in option.records),
            )
            for option in options
        ]
        taken = told.pop(chosen)
        self.facts.append(Fact("header", what, why, taken, tuple(told)))
        return options[chosen].says

    def _chosen(self, options: Sequence[StatedOption], faults: Callable[[Any], int] | None) -> tuple[int, Why]:
        if len(options) == 1:
            return 0, "all" if len(options[0].records) > 1 else "only"
        if faults is not None:
            wrong = [faults(option.says) for option in options]
            if wrong.count(min(wrong)) == 1:
                return wrong.index(min(wrong)), "rules"
        if options[0].votes > options[1].votes:
            return 0, "most"
        preferred = next((number for number, option in enumerate(options) if self.prefer in option.records), None)
        return (0, "undecided") if preferred is None else (preferred, "preferred")

    # --- the parts --------------------------------------------------------------------------

    def _name(self, player: int) -> str:
        name: str = self._taken(
            f"the name of player {player + 1}",
            lambda match: " ".join(match.players[player].split()),
            "",
            str,
            key=str.casefold,
        )
        return name

    def _length(self) -> int | None:
        if all(match.length is None for match in self.matches):
            return None
        found: int | None = self._taken(
            "the length of the match",
            lambda match: (match.length or 0) if states(match, "length") else None,
            None,
            lambda length: f"{length} points" if length else "money",
            span=lambda match: match.length_span,
            faults=lambda length: self._faults(replace(self._longest, length=length)) + self._misfit(length),
        )
        return found if found is not None else self.matches[0].length

    def _misfit(self, length: int) -> int:
        """0 where a match of this length ends where the longest record does, 2 where it ends before, else 1."""
        games = replay_plainly(replace(self._longest, length=length))
        if not length or not games or max(games[-1].score_after) < length:
            return 1
        return 0 if max(games[-1].score) < length else 2

    def _rules(self, length: int | None) -> Ruleset:
        first = next((match.rules for match in self.matches if match.is_money == (not length)), self.matches[0].rules)
        chosen: dict[str, Any] = {}
        for option in OPTIONS:
            if not has_meaning(option, money=not length):
                continue

            def says(match: Match, option: str = option) -> Any:
                applies = match.is_money == (not length) and states(match, option)
                return getattr(match.rules, option) if applies else None

            def faults(value: Any, option: str = option) -> int:
                ruled = replace(self._longest.rules, **{option: value})
                return self._faults(replace(self._longest, length=length, rules=ruled))

            usual = getattr(first, option)
            values = {says(match) for match in self.matches} - {None}
            if not values or values == {getattr(Ruleset(), option)}:
                chosen[option] = next(iter(values), usual)
                continue  # nobody needs to be told of the usual value
            chosen[option] = self._taken(f"the rule {option.replace('_', ' ')}", says, None, _value, faults=faults)
        return replace(first, **chosen, fixed=False)

    def _faults(self, match: Match) -> int:
        """How many entries and results of a match are against its rules."""
        games = replay_plainly(match)
        wrong = sum(not turn.is_legal for game in games if not game.is_sound for turn in game.turns)
        odd = sum(
            game.claim is not None
            and None not in (game.claim.points, game.earned)
            and game.claim.points != game.earned
            and not game.claim.match
            for game in games
        )
        return wrong + odd

    def _tags(self, match: Match) -> tuple[Tag, ...]:
        keys: dict[str, str] = {}
        for each in self.matches:
            for tag in each.tags:
                if not restates(tag, each):
                    keys.setdefault(tag.key.casefold(), tag.key)
        found: dict[str, Tag] = {}
        for each in self.matches:
            same = (each.rules, each.length, each.players) == (match.rules, match.length, match.players)
            for tag in each.tags:
                key = tag.key.casefold()
                if key in found:
                    continue
                if key in keys:
                    found[key] = Tag(key=keys[key], value=self._tag(keys[key]))
                elif same and restates(tag, match):
                    found[key] = Tag(key=tag.key, value=tag.value)
        return tuple(found.values())

    def _tag(self, key: str) -> str:
        def own(match: Match) -> Tag | None:
            return next(
                (tag for tag in match.tags if tag.key.casefold() == key.casefold() and not restates(tag, match)), None
            )

        value: str = self._taken(
            f"the header {key}",
            lambda match: tag.value if (tag := own(match)) is not None else "",
            "",
            str,
            key=lambda text: " ".join(text.split()).casefold(),
            span=lambda match: tag.span if (tag := own(match)) is not None else NOWHERE,
        )
        return value

    def _comments(self) -> tuple[Comment, ...]:
        """The remarks outside the games, each once."""
        stated = [[" ".join(comment.text.split()) for comment in match.comments] for match in self.matches]
        found: dict[str, list[tuple[int, Comment]]] = {}
        # A format with one field for remarks holds several of them joined; here they are parted again.
        for which in sorted(range(len(stated)), key=lambda each: -len(stated[each])):
            for text, comment in zip(stated[which], self.matches[which].comments, strict=True):
                parts = next((each for each in stated if text not in each and " ".join(each) == text), [text])
                for part in parts:
                    found.setdefault(part, []).append((which, comment))
        for text, told in found.items():
            records = tuple(sorted({which for which, _ in told}))
            spans = [next(comment.span for which, comment in told if which == each) for each in records]
            places = tuple(location_in(self.matches[which], span) for which, span in zip(records, spans, strict=True))
            self.facts.append(
                Fact("comment", "a comment on the match", _why(records), Statement(text, records, places))
            )
        return tuple(replace(told[0][1], span=NOWHERE, at=None) for told in found.values())

    def _extras(self) -> tuple[Tag, ...]:
        return first_extras(match.extras for match in self.matches)


def first_extras(some: Iterable[Sequence[Tag]]) -> tuple[Tag, ...]:
    """The extras of several records, which only their own formats understand: each key from the first that has it."""
    found: list[Tag] = []
    for extras in some:
        known = {tag.key for tag in found}
        found += [replace(tag, span=NOWHERE) for tag in extras if tag.key not in known]
    return tuple(found)


def _why(records: Sequence[int]) -> Why:
    return "all" if len(records) > 1 else "only"


def _value(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
