"""The fixes of a file: what it was meant to say, as edits, each with the finding that it puts right.

There is one plan for a file. What shows a fix and what makes it ask the same plan: `Finding.fix` in every report and in
the editor, and `bgtools.repair.repairing.repair`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import replace
from functools import cached_property
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools.conversion.conversion import Target, convert
from bgtools.decoder.entries import entry_words
from bgtools.decoder.memory import Memory
from bgtools.findings.finding import Finding, Fix
from bgtools.formats.content import FormatError
from bgtools.formats.reading import find_format, read_source
from bgtools.formats.rendering import render, stretches
from bgtools.record.alignment import align
from bgtools.record.record import RECONSTRUCTED
from bgtools.repair.meaning import Meaning, asks_for_meaning, understand
from bgtools.repair.states import (
    FileState,
    RepairRefused,
    check_file,
    check_with_cost,
    edited,
    read_completed,
    rewritten,
    total_cost,
)
from bgtools.replayer.match import replay
from bgtools.source import Span, decode

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from bgtools.checks.settings import Policy
    from bgtools.findings.finding import Applicability
    from bgtools.formats.format import Format
    from bgtools.record.record import Game, Match
    from bgtools.repair.states import Change, Cost
    from bgtools.replayer.turn import GameReplay
    from bgtools.source import Source

_TRIED_ALONE: Final = 12
_TOLD: Final = 3
"""So many equally likely readings are told."""
_FEW: Final = 4
_REMEMBERED: Final = 3
"""So many files are kept as they would be after some fixes."""
_Key = tuple[str, Span, str]


class _GameEdit(NamedTuple):
    """An edit of a file.

    Attributes:
        match, game: of which record and game, -1 for the header.
        fix: the edit.
        safe: whether it is proved.
        entry: where the file is no text, of which entry of the game, from 1.
        finding: whose fix it is, where that is known.
    """

    match: int
    game: int
    fix: Fix
    safe: bool
    entry: int | None = None
    finding: Finding | None = None


class FilePlan:
    """The fixes of a file, found when the first is asked for.

    Attributes:
        state: the file; the findings in it ask this plan for their fixes.
        name: what to call it.
        policy: by which rules it is judged.
    """

    def __init__(
        self,
        state: FileState,
        name: str,
        policy: Policy | None = None,
        memory: Memory | None = None,
    ) -> None:
        """Nothing is looked for yet; `memory` holds the games that were replayed when the file was checked."""
        self._memory = Memory() if memory is None else memory
        found = tuple(tuple(replace(each, plan=self) for each in some) for some in state.found)
        self.state = replace(state, found=found)
        self.name, self.policy = name, policy
        self.refused = ""
        self._games: dict[_Key, set[tuple[int, int]]] = {}
        self._files: dict[object, FileState] = {}
        self._costs: dict[object, Cost | None] = {}

    def games_of(self, changes: Iterable[Change]) -> set[tuple[int, int]]:
        """Which games of which records some changes are of."""
        return {game for each in changes for game in self._games.get(_key(each.finding), ())}

    def fix_of(self, finding: Finding) -> Fix | None:
        """The edit that puts a finding right; None where there is none."""
        return self.fixes.get(_key(finding))

    @cached_property
    def replays(self) -> tuple[tuple[GameReplay, ...], ...]:
        """The games of each record, replayed; those that the check has replayed are not replayed again."""
        return tuple(replay(each, self._memory) for each in self.state.matches)

    @cached_property
    def meanings(self) -> tuple[Meaning, ...]:
        """What each record was meant to say."""
        pairs = zip(self.state.matches, self.state.found, strict=True)
        return tuple(understand(match, found, self._memory) for match, found in pairs)

    @property
    def cut_short(self) -> tuple[int, int] | None:
        """From which match and game on, from 1, not all was tried; None where all was that was asked for."""
        if "meanings" not in self.__dict__:
            return None
        for at, meaning in enumerate(self.meanings, 1):
            if (game := meaning.short_at) is not None:
                return at, meaning.match.games[game].number or game + 1
        return None

    @cached_property
    def fixes(self) -> dict[_Key, Fix]:
        """The fix of each finding that has one."""
        if not any(each.remedy is not None or asks_for_meaning(each) for some in self.state.found for each in some):
            return {}
        if not self.is_text and not self._format.writer:
            self.refused = _only_read(self._format)
            return {}
        edits = self._edits()
        made: dict[_Key, Fix] = {}
        for number, found in enumerate(self.state.found):
            of_match = [each for each in edits if each.match == number]
            made |= self._attributed(self.state.matches[number], found, of_match)
        if made and self._is_packed:
            self.refused = "the record lies in an archive; unpack that first"
            return {}
        return self._with_ties(made)

    @property
    def _source(self) -> Source:
        source = self.state.matches[0].source
        assert source is not None
        return source

    @property
    def _format(self) -> Format:
        return find_format(self._source.format or "mat")

    @cached_property
    def is_text(self) -> bool:
        """Whether the file is a text in which entries have places, so that an edit of it is an edit of the record."""
        entries = (entry for match in self.state.matches for game in match.games for entry in game.entries)
        return self.state.is_text and next((entry.span.end > 0 for entry in entries), True)

    @cached_property
    def _first_costs(self) -> tuple[Cost, ...]:
        return self.state.costs or tuple(check_with_cost(each, self._memory).cost for each in self.state.matches)

    @property
    def _is_packed(self) -> bool:
        return any(each.source is None or each.source.data != self.state.data for each in self.state.matches)

    # --- edits ------------------------------------------------------------------------------

    def _edits(self) -> list[_GameEdit]:
        """The edits after which the file says what was meant: those that are proved, then those that are likeliest."""
        safe = self._kept(self._between([each.safe for each in self.meanings], safe=True), ())
        known = {(each.match, each.fix) for each in safe}
        likely = self._between([each.likely for each in self.meanings], safe=False)
        more = [each for each in likely if (each.match, each.fix) not in known]
        # What is likeliest may include what is proved: then that is not proved alone.
        safe = [each for each in safe if not any(_touch(each.fix, one.fix) for one in more)]
        return [*safe, *self._kept(more, safe)]

    def _between(self, rights: Sequence[Match], *, safe: bool) -> list[_GameEdit]:
        """The edits of the file after which its records say something else, and those of what its reader corrected."""
        state = self.state
        made = [
            _GameEdit(number, game, fix, safe, entry)
            for number, (match, right) in enumerate(zip(state.matches, rights, strict=True))
            if match is not right
            for game, entry, fix in self._of_record(match, right)
        ]
        if not self.is_text:
            return made
        # Edits of a text do not overlap, so only the last one that begins before the end of another can touch it.
        spans = sorted(each.fix.span for each in made)
        for number, (match, found) in enumerate(zip(state.matches, state.found, strict=True)):
            starts = _game_starts(match)
            for each in found:
                fix = each.remedy
                if not isinstance(fix, Fix) or (safe and fix.applicability != "safe"):
                    continue
                at = bisect_right(spans, fix.span.end, key=lambda span: span.start)
                if not at or spans[at - 1].end < fix.span.start:
                    spans.insert(at, fix.span)
                    game = _game_at(starts, fix.span)
                    own = Fix(fix.span, fix.text, words=fix.words)
                    made.append(_GameEdit(number, game, own, fix.applicability == "safe", finding=each))
        return made

    def _of_record(self, match: Match, right: Match) -> Iterator[tuple[int, int | None, Fix]]:
        """The edits of one record, each with the index of its game and the number of its entry."""
        if not self.is_text:
            yield from _in_words(match, right)
            return
        edits = render(match, right)
        if edits is None:
            edits = self._by_writer(match, right)
        if edits is None:
            # What cannot be written is left as it stands; the other games are not.
            for at, (one, two) in enumerate(zip_longest(match.games, right.games)):
                if one is not two and None not in (one, two):
                    games = (*match.games[:at], two, *match.games[at + 1 :])
                    for fix in render(match, replace(match, games=games)) or ():
                        yield at, None, fix
            return
        starts = _game_starts(match)
        for fix in edits:
            yield _game_at(starts, fix.span), None, fix

    def _by_writer(self, match: Match, right: Match) -> tuple[Fix, ...] | None:
        """The edits between a text and what the writer of its format makes of a record; None where it cannot."""
        if len(self.state.matches) > 1:
            return None
        try:
            text = decode(written(self.state, (right,)), "").text
        except RepairRefused as error:
            self.refused = str(error)
            return None
        return tuple(_line_edits(self.state.text, text))

    def _kept(self, edits: list[_GameEdit], before: Sequence[_GameEdit]) -> list[_GameEdit]:
        """The edits that make the file better when they are made besides others; game by game where all do not."""
        if not edits:
            return []
        cost = self._cost(before) if before else total_cost(self._first_costs)
        if cost is None:
            return []
        after = self._cost([*before, *edits])
        if after is not None and after < cost:
            return edits
        games = list(dict.fromkeys((each.match, each.game) for each in edits))
        kept: list[_GameEdit] = []
        for game in games[:_TRIED_ALONE] if len(games) > 1 else ():
            some = [each for each in edits if (each.match, each.game) == game]
            after = self._cost([*before, *kept, *some])
            if after is not None and after < cost:
                kept, cost = [*kept, *some], after
        return kept

    def _cost(self, edits: Sequence[_GameEdit]) -> Cost | None:
        """How bad the file is after some edits, and None where it is no record then or nothing can be written."""
        key = frozenset((each.match, each.game, each.fix) for each in edits)
        if key not in self._costs:
            self._costs[key] = self._cost_of(edits)
        return self._costs[key]

    def _cost_of(self, edits: Sequence[_GameEdit]) -> Cost | None:
        """The same, worked out: only the records are checked again that edits change."""
        fixes, games = {each.fix for each in edits}, {(each.match, each.game) for each in edits}
        changed, unsafe = {each.match for each in edits}, not all(each.safe for each in edits)
        try:
            if len(changed) < len(self.state.matches):
                data, format_name = self._bytes(fixes, games, unsafe=unsafe), self._source.format or None
                matches = read_completed(data, self.name, self.policy, format_name)
                if len(matches) == len(self.state.matches):
                    return total_cost(
                        check_with_cost(match, self._memory).cost if at in changed else cost
                        for at, (match, cost) in enumerate(zip(matches, self._first_costs, strict=True))
                    )
            return self.after(fixes, games, unsafe=unsafe).cost
        except (FormatError, ValueError):
            return None

    def after(
        self, fixes: Collection[Fix], games: Collection[tuple[int, int]] = (), *, unsafe: bool = True
    ) -> FileState:
        """The file after some fixes.

        Args:
            fixes: the edits of its text.
            games: for a file that is no text, which games of which records are put right.
            unsafe: whether those are put right by what is likeliest.

        Raises:
            FormatError: it is no record then.
            RepairRefused: it would have to be rewritten, and cannot be.
            ValueError: edits overlap.
        """
        key: object = (frozenset(games), unsafe) if not self.is_text else frozenset(fixes)
        if key in self._files:
            return self._files[key]
        data = self._bytes(fixes, games, unsafe=unsafe)
        if len(self._files) >= _REMEMBERED:
            del self._files[next(iter(self._files))]
        self._files[key] = check_file(data, self.name, self.policy, self._source.format or None, self._memory)
        return self._files[key]

    def _bytes(self, fixes: Collection[Fix], games: Collection[tuple[int, int]], *, unsafe: bool) -> bytes:
        """The bytes of the file after some fixes, as `after` takes them."""
        if self.is_text:
            return rewritten(self.state.data, self.state.text, fixes)
        numbers = range(len(self.state.matches))
        try:
            return written(self.state, tuple(self._of_games(each, set(games), unsafe=unsafe) for each in numbers))
        except RepairRefused as error:
            self.refused = str(error)
            raise

    def _of_games(self, number: int, games: set[tuple[int, int]], *, unsafe: bool) -> Match:
        """A record with some of its games put right."""
        meaning = self.meanings[number]
        right = meaning.likely if unsafe else meaning.safe
        if len(right.games) != len(meaning.match.games):
            return right if any(match == number for match, _ in games) else meaning.match
        base = right if (number, -1) in games else meaning.match
        pairs = zip(meaning.match.games, right.games, strict=True)
        return replace(base, games=tuple(two if (number, at) in games else one for at, (one, two) in enumerate(pairs)))

    @cached_property
    def _moved(self) -> tuple[frozenset[int], ...]:
        """Of each record the games in which entries come, go, move or get remarks: their edits belong together."""
        return tuple(
            frozenset(
                at
                for at, (one, two) in enumerate(zip_longest(each.match.games, each.likely.games))
                if one is not two
                and (one is None or two is None or one.comments != two.comments or _order(one) != _order(two))
            )
            for each in self.meanings
        )

    # --- findings ---------------------------------------------------------------------------

    def _attributed(self, match: Match, found: Sequence[Finding], edits: Sequence[_GameEdit]) -> dict[_Key, Fix]:
        """Each edit with the finding that it puts right; the edits of one finding as one."""
        shared: dict[_Key, list[_GameEdit]] = defaultdict(list)
        leading: dict[int, Finding | None] = {}
        for edit in edits:
            finding = edit.finding or _nearest(match, found, edit)
            if edit.finding is None and edit.game in self._moved[edit.match]:
                finding = leading.setdefault(edit.game, finding)
            if finding is not None:
                shared[_key(finding)].append(edit)
                self._games.setdefault(_key(finding), set()).add((edit.match, edit.game))
        if not self.is_text:
            return {key: _told_together(some) for key, some in shared.items()}
        fixes = {key: _joined(self.state.text, some) for key, some in shared.items()}
        for key, some in shared.items():
            if some[0].game in self._moved[some[0].match] and len(some[0].fix.text.splitlines()) > 1:
                fixes[key] = replace(fixes[key], words=self._words_of(some[0].match, some[0].game))
        # Edits that lie between those of another finding go with them.
        order = sorted(fixes, key=lambda key: fixes[key].span)
        for one, two in pairwise(order):
            if one in fixes and two in fixes and fixes[one].span.end > fixes[two].span.start:
                shared[two] += shared[one]
                del fixes[one]
                fixes[two] = _joined(self.state.text, shared[two])
        return fixes

    def _words_of(self, number: int, game: int) -> str:
        """What is changed in a game in which entries come, go or change places; "" where that is too long to tell."""
        meaning = self.meanings[number]
        if len(meaning.likely.games) != len(meaning.match.games):
            return ""
        told = [*_game_in_words(meaning.match.games[game], meaning.likely.games[game], meaning.match.players)]
        return "; ".join(fix.words for _, fix in told) if len(told) <= _FEW else ""

    def _with_ties(self, made: dict[_Key, Fix]) -> dict[_Key, Fix]:
        """The fixes, and of games with equally likely readings all of these; they are offered and not made."""
        if not self.is_text:
            return made
        text = self.state.text
        for number, (meaning, found) in enumerate(zip(self.meanings, self.state.found, strict=True)):
            base = {fix for _, _, fix in self._of_record(meaning.match, meaning.likely)} if meaning.tied else set()
            for rights in meaning.tied:
                options = []
                for right in rights[:_TOLD]:
                    edits = [
                        _GameEdit(number, game, fix, safe=False)
                        for game, _, fix in self._of_record(meaning.match, right)
                    ]
                    edits = [each for each in edits if each.fix not in base]
                    if edits:
                        words = _differing_words(right, next(each for each in rights if each is not right))
                        options.append((edits, replace(_joined(text, edits), words=words)))
                if len({(fix.span, fix.text) for _, fix in options}) < 2:
                    continue
                free = [each for each in found if _key(each) not in made]
                finding = _nearest(meaning.match, free, options[0][0][0])
                if finding is not None and not any(_touch(fix, each) for _, fix in options for each in made.values()):
                    first, *others = dict.fromkeys(fix for _, fix in options)
                    made[_key(finding)] = replace(first, alternatives=tuple(others))
        return made


def plan_fixes(data: bytes, name: str, policy: Policy | None = None) -> FilePlan:
    """Read and check a file, with a plan of its fixes.

    Raises:
        FormatError: it is not a record.
    """
    memory = Memory()
    return FilePlan(check_file(data, name, policy, memory=memory), name, policy, memory)


def offer_fixes(
    matches: tuple[Match, ...], found: Sequence[tuple[Finding, ...]], data: bytes, policy: Policy | None = None
) -> tuple[tuple[Finding, ...], ...]:
    """The findings of a file with a plan of its fixes, where it has any.

    Args:
        matches: all matches in the file.
        found: what is found in each.
        data: the bytes of the file.
        policy: by which rules they were judged.
    """
    if not any(found):
        return tuple(found)
    source = matches[0].source
    return FilePlan(FileState(data, matches, tuple(found)), "" if source is None else source.name, policy).state.found


def offer_fixes_of(match: Match, found: tuple[Finding, ...], policy: Policy | None = None) -> tuple[Finding, ...]:
    """The findings of one match with the fixes of the file that it was read from; as they are where there is none."""
    source = match.source
    if source is None or not source.data or not found:
        return found
    try:
        matches = read_source(source.data, source.name, source.format or None)
    except FormatError:
        return found
    if len(matches) == 1:
        return offer_fixes((match,), (found,), source.data, policy)[0]
    plan = plan_fixes(source.data, source.name, policy)
    return tuple(replace(each, plan=plan) for each in found)


def written(state: FileState, matches: tuple[Match, ...]) -> bytes:
    """The file rewritten.

    Raises:
        RepairRefused: its format is only read, or cannot hold all that the record holds.
    """
    source = state.matches[0].source
    assert source is not None
    chosen = find_format(source.format)
    if not chosen.writer:
        raise RepairRefused(_only_read(chosen))
    try:
        done = convert(matches, Target(chosen), strict=True)
    except FormatError as error:
        raise RepairRefused(f"it cannot be written as {chosen.title} again: {error}") from None
    if done.changed:
        raise RepairRefused(f"written as {chosen.title} again it would change: {done.changed}")
    if done.refused:
        raise RepairRefused(f"written as {chosen.title} again it would lose something: {done.losses[0].message}")
    return done.data


def _only_read(chosen: Format) -> str:
    """Why a file of a format without a writer cannot be rewritten."""
    return f"{chosen.title} is only read, not written; convert the record first"


def _key(finding: Finding) -> _Key:
    return finding.code.id, finding.span, finding.message


def _order(game: Game) -> list[Span]:
    """The places of the entries of a game, in their order."""
    return [each.span for each in game.entries]


def _touch(one: Fix, two: Fix) -> bool:
    """Whether two edits overlap or meet, so that they cannot be made one without the other."""
    return one.span.start <= two.span.end and two.span.start <= one.span.end


def _game_starts(match: Match) -> list[int]:
    """Where each game of a text begins."""
    return [
        min(
            game.heading.start if game.heading.end else game.score_span.start,
            *(each.span.start for each in game.entries[:1]),
        )
        if game.entries
        else game.heading.start
        for game in match.games
    ]


def _game_at(starts: Sequence[int], span: Span) -> int:
    """The index of the game in which a place lies, by where the games begin; -1 above the first."""
    return max((at for at, start in enumerate(starts) if start <= span.start), default=-1)


def _nearest(match: Match, found: Sequence[Finding], edit: _GameEdit) -> Finding | None:
    """The finding that an edit puts right: in its game, at its place, an error before others."""
    number = match.games[edit.game].number if 0 <= edit.game < len(match.games) else None

    def distance(finding: Finding) -> tuple[int, bool, int]:
        gap = max(finding.span.start - edit.fix.span.end, edit.fix.span.start - finding.span.end, 0)
        if edit.fix.words:
            gap = abs((finding.entry or 0) - (edit.entry or 0))
        elsewhere, asks = finding.game != number, asks_for_meaning(finding)
        touches = not gap and not elsewhere
        # A hint that only happens to stand in the same game has nothing to do with it.
        return 0 if touches and asks else 1 if touches or asks else 2, elsewhere, gap

    return min(found, key=distance, default=None)


def _applicability(edits: Iterable[_GameEdit]) -> Applicability:
    return "safe" if all(each.safe for each in edits) else "unsafe"


def _joined(text: str, edits: Sequence[_GameEdit]) -> Fix:
    """Several edits of a text as one."""
    fixes = sorted({each.fix for each in edits}, key=lambda fix: fix.span)
    span = Span(fixes[0].span.start, max(fix.span.end for fix in fixes))
    others = [fix for fix in fixes if RECONSTRUCTED not in fix.text]
    words = fixes[0].words if len(fixes) == 1 else ""
    if len(others) == 1 < len(fixes):
        stands = text[slice(*others[0].span)]
        words = others[0].words or f'write "{others[0].text}" in place of "{stands}", with a remark that says so'
    inside = [replace(fix, span=Span(fix.span.start - span.start, fix.span.end - span.start)) for fix in fixes]
    return Fix(span, edited(text[slice(*span)], inside), _applicability(edits), words=words)


def _told_together(edits: Sequence[_GameEdit]) -> Fix:
    """Several changes of a record that is no text as one fix."""
    words = "; ".join(each.fix.words for each in edits[:_FEW])
    more = f"; and {len(edits) - _FEW} more" if len(edits) > _FEW else ""
    return replace(edits[0].fix, words=words + more, applicability=_applicability(edits))


def _line_edits(old: str, new: str) -> Iterator[Fix]:
    """The edits that turn one text into another, line by line."""
    one, two = old.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [0]
    for line in one:
        starts.append(starts[-1] + len(line))
    for kind, start, end, first, last in align(one, two):
        if kind != "equal":
            yield Fix(Span(starts[start], starts[end]), "".join(two[first:last]))


# --- in words -------------------------------------------------------------------------------


def _in_words(match: Match, right: Match) -> Iterator[tuple[int, int | None, Fix]]:
    """The changes of a record that is no text, in words: each with the game and the entry that it is about."""
    if match.length != right.length or match.rules != right.rules:
        said = "" if match.length == right.length else f"state a match to {right.length} points; "
        rules = "" if match.rules == right.rules else f"state the rules {right.rules}"
        yield -1, None, Fix(match.length_span, "", words=(said + rules).removesuffix("; "))
    if len(match.games) != len(right.games):
        yield -1, None, Fix(match.length_span, "", words=f"keep {len(right.games)} of {len(match.games)} games")
        return
    for at, (one, two) in enumerate(zip(match.games, right.games, strict=True)):
        for entry, fix in _game_in_words(one, two, match.players):
            yield at, entry, fix


def _game_in_words(one: Game, two: Game, players: tuple[str, str]) -> Iterator[tuple[int | None, Fix]]:
    for start, end, first, last in stretches(one.entries, two.entries):
        olds, news = one.entries[max(start, 0) : end], two.entries[max(first, 0) : last]
        for number, (old, new) in enumerate(zip_longest(olds, news), max(start, 0) + 1):
            if (
                old is not None
                and new is not None
                and entry_words(old) == entry_words(new)
                and old.player == new.player
            ):
                continue
            place = old or (olds[-1] if olds else None)
            span = place.span if place is not None else one.heading
            said = "" if new is None else entry_words(new)
            if new is None:
                words = f'delete "{entry_words(old)}"'
            elif old is None:
                words = f'insert "{said}"'
            elif entry_words(old) == said:
                words = f'give "{said}" to the other player'
            else:
                words = f'write "{said}" in place of "{entry_words(old)}"'
            yield number, Fix(span, said, words=words)
    for old_result, new_result in zip_longest(one.results, two.results):
        if old_result is None or new_result is None or (old_result.player, old_result.points) != (
            new_result.player, new_result.points,
        ):  # fmt: skip
            span = old_result.span if old_result is not None else one.heading
            if new_result is None:
                words = "delete a result"
            else:
                name = players[new_result.player] or f"player {new_result.player + 1}"
                points = f"{new_result.points} point{'s' * (new_result.points != 1)}"
                words = f"state that {name} {'wins' if new_result.won else 'loses'} {points}"
            yield None, Fix(span, "", words=words)
    if one.score != two.score and two.score is not None:
        yield (
            None,
            Fix(
                one.score_span, f"{two.score[0]}-{two.score[1]}", words=f"state the score {two.score[0]}-{two.score[1]}"
            ),
        )
    if one.left != two.left:
        yield None, Fix(one.score_span, "", words="exchange the names")
    if one.number != two.number:
        yield None, Fix(one.heading, f"{two.number}", words=f"number the game {two.number}")


def _differing_words(right: Match, other: Match) -> str:
    """What one reading says that an equally likely one does not, in a few words."""
    told = [
        fix.words
        for one, two in zip(other.games, right.games, strict=False)
        if one is not two
        for _, fix in _game_in_words(one, two, right.players)
    ]
    return "; ".join(dict.fromkeys(each.partition(" in place of ")[0] for each in told[:_FEW]))
