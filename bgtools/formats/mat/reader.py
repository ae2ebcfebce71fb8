"""Reading match text: from lines to matches.

Nothing in a file is skipped in silence: every character that is not blank belongs to an entry, a
header, a comment, a layout mark or a finding.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING

from bgtools.board import Board, Player, PlayText, other
from bgtools.findings import Code, Finding, Fix, Severity, codes
from bgtools.formats import limits
from bgtools.formats.mat import cells
from bgtools.formats.mat.alike import in_digits, score_in_digits
from bgtools.formats.mat.cells import ScoreText, dice_pattern, parse_line
from bgtools.formats.mat.galaxy import is_galaxy_money
from bgtools.formats.mat.layout import (
    Columns,
    Place,
    RawCell,
    Row,
    begins_with_cell,
    columns_of,
    label_of,
    made,
    plain_rows,
    rows_of_line,
)
from bgtools.formats.shared.listing import fit
from bgtools.formats.shared.tags import rules_of_tags
from bgtools.positions import read_letters
from bgtools.record import (
    NOWHERE,
    AutomaticDouble,
    Beaver,
    Comment,
    Double,
    Drop,
    Entry,
    Game,
    Match,
    Resign,
    ResultClaim,
    Tag,
    Take,
    checker_play,
)
from bgtools.source import Source, Span

if TYPE_CHECKING:
    from bgtools.formats.content import Content

_LINE = re.compile(r"[^\r\n]+")
_GAME = re.compile(r"\s*game\s", re.IGNORECASE)
_LENGTH = re.compile(r"\s*(\d+\s+point|match of|money|unlimited)", re.IGNORECASE)
_SCORE = re.compile(r".*:\s*\d+\s+.*:\s*\d+\s*$|\s*:\s*\d+\s+\S.*:\s*\d+\s*$")
_SCORE_END = re.compile(r":\s*\d+$")


@dataclass(slots=True)
class GameDraft:
    """A game while its lines are collected."""

    number: int | None
    heading: Span
    names: tuple[ScoreText, ScoreText] | None = None
    score_span: Span = NOWHERE
    set_position: tuple[str, int, Span] | None = None
    rows: list[Row] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)


@dataclass(slots=True)
class _MatchDraft:
    length: int | None = None
    length_span: Span = NOWHERE
    tags: list[Tag] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    games: list[GameDraft] = field(default_factory=list)


def read_content(content: Content) -> tuple[Match, ...]:
    """Read a file of match text."""
    return read(content.source)


def read(source: Source) -> tuple[Match, ...]:
    """Read match text of any dialect; at least one match, empty when the text holds no game.

    Never raises on content: what cannot be read is in the findings of the match it stands in.
    """
    return Reader(source).matches()


class Reader:
    """Reads the lines of match text; formats with the same rows extend it."""

    def __init__(self, source: Source) -> None:
        # Files that were put one after the other have byte-order marks within.
        self.source = replace(source, has_rows=True, text=source.text.replace("\ufeff", " "))
        self.drafts: list[_MatchDraft] = [_MatchDraft()]
        self.pending: list[Tag | Comment] = []  # what stood between a game and the next heading
        self.findings: dict[int, list[Finding]] = {}
        self.wants_score = False
        self.room = limits.most_pieces()

    def matches(self) -> tuple[Match, ...]:
        """Every match of the text."""
        text, at = self.source.text, 0
        while True:
            # A row takes the room of its cells, two at most.
            rows, at = plain_rows(text, at, self.room // 2)
            if rows:
                self._rows(rows)
            found = _LINE.search(text, at)
            if found is None:
                break
            line, start = found[0], found.start()
            at = found.end()
            if line.isspace():
                continue
            self.room -= 1
            if self.room < 0:
                self._report(
                    Finding(
                        codes.UNREADABLE_LINE,
                        Span(start, len(text.rstrip())),
                        f"a text of more than {limits.most_pieces():,} cells and other lines: what follows is not read",
                        hint=f"cut the file into several, or set {limits.VARIABLE}",
                    )
                )
                break
            self._line(line, start)
        self._settle(same_game=True)
        finished = [self._finish(index, draft) for index, draft in enumerate(self.drafts)]
        if len(finished) > 1:
            first = self.drafts[1]
            place = first.length_span if first.length_span.end else first.games[0].heading
            note = Finding(codes.SEVERAL_MATCHES, place, f"the file holds {len(finished)} matches; another begins here")
            finished[1] = replace(finished[1], findings=(*finished[1].findings, note))
        if not any(match.games for match in finished):
            begin = Span(0, min(len(text), 1))
            note = Finding(codes.NO_GAME, begin, "no game was found: no heading, no score line and no rows")
            finished[0] = replace(finished[0], findings=(*finished[0].findings, note))
        return tuple(finished)

    # --- lines ------------------------------------------------------------------------------

    @property
    def draft(self) -> _MatchDraft:
        """The match that is being read."""
        return self.drafts[-1]

    @property
    def game(self) -> GameDraft | None:
        """The game that is being read."""
        return self.draft.games[-1] if self.draft.games else None

    def _line(self, line: str, offset: int) -> None:
        if len(line) <= limits.LONGEST_LINE and label_of(line) is not None:
            self._row_line(line, offset)
            return
        blanks = len(line) - len(line.lstrip())
        span = Span(offset + blanks, offset + len(line.rstrip()))
        if line[blanks] in ";#" and not (self.wants_score and _is_score(line[: limits.LONGEST_LINE])):
            self._comment(line, span)
        elif len(line) > limits.LONGEST_LINE:
            self._report(
                Finding(
                    codes.UNREADABLE_LINE,
                    span,
                    f"a line of {len(line):,} characters is left out; no row or heading has more than "
                    f"{limits.LONGEST_LINE:,}",
                    hint="begin a remark with a semicolon",
                )
            )
        elif _GAME.match(line) and (number := parse_line(line, "game_line")) is not None:
            self._heading(number, span)
        elif _LENGTH.match(line) and (length := parse_line(line, "length_line")) is not None:
            self._length(length, span)
        elif _is_score(line) and (names := parse_line(line, "score_line")) is not None:
            self._score(names, span)
        elif self.game is not None and begins_with_cell(line):
            self._row_line(line, offset)
        elif self.wants_score and (digits := score_in_digits(line)) and (names := parse_line(digits, "score_line")):
            self._report(lettered(line, digits, offset, None if self.game is None else self.game.number))
            self._score(names, span)
        else:
            self._report(
                Finding(
                    codes.UNREADABLE_LINE,
                    span,
                    f"this line is neither a row, a heading, a comment nor a result: {_shown(line)}",
                    hint="begin a remark with a semicolon",
                )
            )

    def _report(self, finding: Finding) -> None:
        self.findings.setdefault(len(self.drafts) - 1, []).append(finding)

    def _comment(self, line: str, span: Span) -> None:
        text = line.strip()
        if len(text) > limits.LONGEST_LINE:
            self.pending.append(Comment(text=text[1:].strip(), span=span))
            return
        if "[" in text and (tag := parse_line(text, "tag_line")) is not None:
            key, value = tag
            self.pending.append(Tag(key=key, value=value, span=span))
            return
        if (found := parse_line(text, "set_position_line")) is not None and self.game is not None:
            board, cube = found
            if self.game.set_position is not None:
                self._passed_over(self.game.set_position[2], "another position is set for the same game")
            self.game.set_position = (board, cube, span)
            return
        self.pending.append(Comment(text=text[1:].strip(), span=span))

    def _settle(self, *, same_game: bool) -> None:
        """Give the headers read since the last row to the game they stand in, or to the match that begins."""
        game = self.game if same_game else None
        for item in self.pending:
            if isinstance(item, Tag):
                self.draft.tags.append(item)
            elif game is not None:
                game.comments.append(item)
            else:
                self.draft.comments.append(item)
        self.pending.clear()

    def _new_match(self) -> None:
        if self.draft.games:
            self.drafts.append(_MatchDraft())
        self._settle(same_game=False)

    def _passed_over(self, span: Span, why: str) -> None:
        self._report(Finding(codes.CONTRADICTED_RULES, span, f"{why}, so this one is passed over"))

    def _length(self, length: int, span: Span) -> None:
        if self.draft.length is not None and not self.draft.games:
            self._passed_over(self.draft.length_span, "another match length follows")
        if self.draft.games or self.draft.length is not None:
            self._new_match()
        else:
            self._settle(same_game=False)
        self.draft.length, self.draft.length_span = length, span

    def _heading(self, number: int, span: Span) -> None:
        game = self.game
        if (
            game is not None
            and number == 1
            and game.number is not None
            and any(isinstance(x, Tag) for x in self.pending)
        ):
            self._new_match()
        else:
            self._settle(same_game=True)
        self.draft.games.append(GameDraft(number, span))
        self.wants_score = True

    def _score(self, names: tuple[ScoreText, ScoreText], span: Span) -> None:
        self._settle(same_game=self.wants_score)
        if not self.wants_score or self.game is None:
            self.draft.games.append(GameDraft(None, span))
        self.wants_score = False
        game = self.game
        assert game is not None
        game.names, game.score_span = names, span
        earlier = next((draft.names for draft in self.draft.games if draft.names), None)
        if earlier and not {name.name for name in earlier} & {name.name for name in names}:
            # Two other players: another match begins, whatever the heading says.
            self.draft.games.pop()
            self.drafts.append(_MatchDraft(length=self.draft.length, games=[game]))

    def _row_line(self, line: str, offset: int) -> None:
        self.room += 1  # its cells count, not the row
        self._rows(rows_of_line(line, offset))

    def _rows(self, rows: list[Row]) -> None:
        if self.pending:
            self._settle(same_game=True)
        games = self.draft.games
        if not games:
            games.append(GameDraft(None, Span(rows[0].start, rows[0].start)))
        self.wants_score = False
        self.room -= sum(len(row.cells) for row in rows)
        games[-1].rows += rows

    # --- matches ----------------------------------------------------------------------------

    def _finish(self, index: int, draft: _MatchDraft) -> Match:
        findings = self.findings.setdefault(index, [])
        tags = {tag.key.casefold(): tag.value for tag in draft.tags}
        self._mend_names(draft, findings)
        named = next((game.names for game in draft.games if game.names), None)
        if named:
            players, ratings = (named[0].name, named[1].name), (named[0].rating, named[1].rating)
        else:
            players, ratings = (tags.get("player 1", ""), tags.get("player 2", "")), ("", "")
        self._strangers(draft, players, findings)
        length = draft.length
        if length is None and draft.games:
            findings.append(
                Finding(
                    codes.NO_LENGTH,
                    draft.games[0].heading,
                    "no match length is stated, so the games are judged as a money session",
                    hint='state it before the first game, as in "7 point match"',
                )
            )
        if is_galaxy_money(length, tags.get("site", ""), len(draft.games)):
            length = 0
            findings.append(
                Finding(
                    codes.MONEY_SENTINEL, draft.length_span, "a 16-point match of Backgammon Galaxy is a money game"
                )
            )
        columns = [columns_of(game.rows) for game in draft.games]
        if any(each.right is None for each in columns):
            common = columns_of(row for game in draft.games for row in game.rows)
            columns = [each if each.right is not None else common for each in columns]
        rules = rules_of_tags(tags, money=not length)
        total = sum(rules.start.mine)
        games = tuple(
            self._finish_game(game, players, own, findings, total)
            for game, own in zip(draft.games, columns, strict=True)
        )
        return Match(
            players=players,
            length=length,
            games=games,
            tags=tuple(draft.tags),
            rules=rules,
            ratings=ratings,
            comments=tuple(draft.comments),
            findings=tuple(findings),
            source=self.source,
            length_span=draft.length_span,
        )

    def _mend_names(self, draft: _MatchDraft, findings: list[Finding]) -> None:
        """Read a name that stands on one score line only as the one that it is a misprint of, and say so."""
        counts = Counter(each.name for game in draft.games for each in game.names or ())
        if len(counts) <= _PLAYERS:
            return
        usual = [name for name, count in counts.most_common(_PLAYERS) if count > 1]
        for game, side in product(draft.games, (0, 1)):
            if game.names is not None:
                each, mate = game.names[side], game.names[1 - side]
                meant = _meant(each.name, [name for name in usual if name != mate.name])
                if counts[each.name] == 1 and mate.name in usual and len(meant) == 1:
                    findings.append(self._misspelt(game, each.name, meant[0]))
                    mended = each._replace(name=meant[0])
                    game.names = (mended, mate) if side == 0 else (mate, mended)

    def _strangers(self, draft: _MatchDraft, players: tuple[str, str], findings: list[Finding]) -> None:
        """Say where a score line names somebody who does not play the match."""
        usual = {name.casefold() for name in players}
        for game in draft.games:
            others = [each.name for each in game.names or () if each.name.casefold() not in usual]
            if others and all(players):
                message = f"{' and '.join(others)} on this score line {'are' if len(others) == 2 else 'is'} neither "
                hint = "the game is counted as one of the match; another match begins with its length"
                findings.append(
                    Finding(
                        codes.WRONG_NAME, game.score_span, f"{message}{players[0]} nor {players[1]}", hint=hint,
                        game=game.number, judged=Severity.WARNING,
                    )
                )  # fmt: skip

    def _misspelt(self, game: GameDraft, name: str, meant: str) -> Finding:
        """The finding of a name that is misspelt on the score line of a game."""
        at = self.source.text[slice(*game.score_span)].find(name)
        span = Span(game.score_span.start + at, game.score_span.start + at + len(name)) if at >= 0 else game.score_span
        message = f"{name} is {meant} on the other score lines"
        fix = Fix(span, meant) if at >= 0 else None
        return Finding(codes.WRONG_NAME, span, message, hint="it is read so", game=game.number, fix=fix)

    def _finish_game(
        self,
        draft: GameDraft,
        players: tuple[str, str],
        columns: Columns,
        findings: list[Finding],
        total: int,
    ) -> Game:
        left: Player = 0
        score: tuple[int, int] | None = None
        if draft.names:
            first, second = draft.names
            if first.name != second.name and players in ((second.name, first.name),):
                left = 1
            if first.points is not None and second.points is not None:
                score = (first.points, second.points) if left == 0 else (second.points, first.points)
        else:
            findings.append(
                Finding(
                    codes.NO_SCORE_LINE,
                    draft.heading,
                    "the game has no line with both names and scores",
                    game=draft.number,
                )
            )
        assembly = _Assembly(draft, left, columns, findings)
        assembly.run()
        start = start_cube = owner = None
        start_known = True
        if draft.set_position:
            board, exponent, span = draft.set_position
            start = _set_position(board, total)
            start_known = start is not None
            if start is None:
                findings.append(
                    Finding(
                        codes.BAD_SET_POSITION, span, f"the set position has a side with more than {total} checkers"
                    )
                )
            elif left == 1:
                start = start.flipped()
            start_cube = 2 ** min(abs(exponent), 30)
            owner = None if exponent == 0 else left if exponent > 0 else other(left)
        marks = [row.label for row in draft.rows if row.label] + assembly.left_out
        if draft.set_position:
            marks.append(draft.set_position[2])
        return Game(
            number=draft.number,
            score=score,
            entries=tuple(assembly.entries),
            results=tuple(assembly.results),
            left=left,
            start=start,
            start_known=start_known,
            start_cube=start_cube or 1,
            start_owner=owner,
            comments=tuple(draft.comments),
            heading=draft.heading,
            score_span=draft.score_span,
            marks=tuple(marks),
        )


_PLAYERS = 2
_SLIP = 2
"""So many letters may differ, at one place, between a name and its misprint."""


def _meant(name: str, names: list[str]) -> list[str]:
    """Those among names that a name may be a misprint of."""
    return [each for each in names if _is_like(name, each)]


def _is_like(one: str, two: str) -> bool:
    """Whether two names differ at one place by a letter or two, and agree in more than they differ in."""
    shorter = min(len(one), len(two))
    ahead = next((at for at in range(shorter) if one[at] != two[at]), shorter)
    behind = next((at for at in range(shorter - ahead) if one[-1 - at] != two[-1 - at]), shorter - ahead)
    return max(len(one), len(two)) - ahead - behind <= min(_SLIP, ahead + behind)


def lettered(text: str, digits: str, start: int, game: int | None) -> Finding:
    """Tell that letters stand for digits.

    Args:
        text: what stands in the record.
        digits: the same with digits, as long.
        start: where it begins.
        game: the number of the game.
    """
    wrong = [at for at, (one, two) in enumerate(zip(text, digits, strict=True)) if one != two]
    span = Span(start + wrong[0], start + wrong[-1] + 1)
    stands, right = text[wrong[0] : wrong[-1] + 1], digits[wrong[0] : wrong[-1] + 1]
    signs = "a letter stands for a digit" if len(wrong) == 1 else "letters stand for digits"
    told = f"{signs}: {_shown(stands)} is read as {right}"
    return Finding(codes.UNREADABLE_CELL, span, told, game=game, fix=Fix(span, right, "safe"))


def _is_score(line: str) -> bool:
    # The end first: without it the whole pattern tries every colon of a long line against every other.
    return _SCORE_END.search(line.rstrip()) is not None and _SCORE.match(line) is not None


def _shown(text: str, width: int = 40) -> str:
    """A stretch of the file fit to be quoted in a message: no control characters, no great length."""
    return f'"{fit(text.strip(), width)}"'


def _set_position(board: str, total: int) -> Board | None:
    """The board of a ``Set Pos`` line: capitals are the left player's, who is player on roll here."""
    mine, theirs = read_letters(board)
    for side in (mine, theirs):
        side[0] = total - sum(side[1:]) - side[0]
        if side[0] < 0:
            return None
    return Board(tuple(mine), tuple(theirs))


def _is_renumbered_result(row: Row) -> bool:
    """Whether the row's number need not fit: Backgammon Studio gives the row of a result any number."""
    return all(isinstance(cell.says, cells.ResultCell | cells.ResignCell) for cell in row.cells)


class _Assembly:
    """Turns the rows of one game into entries and results, in the order in which they happened."""

    def __init__(self, draft: GameDraft, left: Player, columns: Columns, findings: list[Finding]) -> None:
        self.draft = draft
        self.sides = (left, other(left))
        self.findings = findings
        self.columns = columns
        self.entries: list[Entry] = []
        self.results: list[ResultClaim] = []
        self.left_out: list[Span] = []  # cells of which nothing could be read

    def run(self) -> None:
        expected = 1
        for row in self.draft.rows:
            _, number, label, row_cells, _, stray = row
            if stray is not None:
                self._report(codes.STRAY_TEXT, stray, "this is no roll, cube action or result; it is left out")
            if number is not None:
                if number != expected and row_cells and not _is_renumbered_result(row):
                    assert label is not None
                    told = f"row {number} stands where row {expected} would follow"
                    self._report(codes.ROW_NUMBERS, label, told)
                expected = number + 1
            elif label is not None:
                expected += 1
            if self.columns.is_usual(row):
                self._cell(row_cells[0], self.sides[0], row)
                self._cell(row_cells[1], self.sides[1], row)
            else:
                self._row(row)

    def _row(self, row: Row) -> None:
        """The cells of a row: the first where it stands, unless others show that it is the left one."""
        if not row.cells:
            return
        acts = [not isinstance(cell.says, cells.ResultCell | cells.ResignCell) for cell in row.cells]
        place = self.columns.place(row)
        lone = len(row.cells) == 1 or (acts[0] and sum(acts) == 1)
        first = int(place.right) if lone or (place.right and place.sure and acts[0]) else 0
        # Results stand anywhere; where nothing keeps the columns apart, they say nothing of the player.
        speaks = place.right or self.columns.kept
        if lone and acts[0]:
            first = self._settled(row, place)
        for index, cell in enumerate(row.cells):
            if index >= 2 or (acts[index] and index + first >= 2):
                told = "a row holds a left and a right cell; this is one more"
                self._report(codes.EXTRA_CELL, cell.span, told)
            at = (index + first) % 2 if acts[index] else min(index + first, 1) if index < 2 else index % 2
            self._cell(cell, self.sides[at], row, speaks=speaks)

    def _settled(self, row: Row, place: Place) -> int:
        """In which column a roll or a cube action is that stands alone: told by the order of turns where need be."""
        turn = None if place.sure else self._turn_of(row)
        if place.sure or turn == place.right:
            return int(place.right)
        at = int(place.right) if turn is None else turn
        name = ("left", "right")[at]
        why = "as it stands" if turn is None else "whose turn it is"
        self._report(
            codes.UNSURE_COLUMN,
            row.cells[0].span,
            f"nothing shows in which column this stands; it is read as the {name} player's, {why}",
            self.sides[at],
        )
        return at

    def _turn_of(self, row: Row) -> int | None:
        """The column of the player who is to act, by the entry before a row, or the row below the first."""
        last = self.entries[-1] if self.entries else None
        says = row.cells[0].says
        answers = isinstance(says, cells.CubeCell) and says.action not in ("double", "automatic")
        if last is None:
            following = self.draft.rows[self.draft.rows.index(row) + 1 :][:1]
            begins = not answers and any(each.shows_columns() for each in following)
            return 1 if begins and isinstance(following[0].cells[0].says, cells.RollCell) else None
        if answers != isinstance(last, Double) and not isinstance(last, Beaver):
            return None
        return self.sides.index(other(last.player))

    def _report(self, code: Code, span: Span, message: str, player: Player | None = None) -> None:
        self.findings.append(Finding(code, span, message, game=self.draft.number, player=player))

    def _cell(self, raw: RawCell, player: Player, row: Row, *, speaks: bool = True) -> None:
        match raw.says:
            case cells.RollCell() as cell:
                self._roll(cell, raw, player, row)
            case cells.CubeCell("double", value):
                self.entries.append(Double(value=value, player=player, row=row.number, span=raw.span))
            case cells.CubeCell("beaver" | "raccoon" as action, value):
                self.entries.append(
                    Beaver(value=value, raccoon=action == "raccoon", player=player, row=row.number, span=raw.span)
                )
            case cells.CubeCell("automatic", value):
                self.entries.append(AutomaticDouble(value=value, player=player, row=row.number, span=raw.span))
            case cells.CubeCell("take"):
                self.entries.append(Take(player=player, row=row.number, span=raw.span))
            case cells.CubeCell("drop"):
                self.entries.append(Drop(player=player, row=row.number, span=raw.span))
            case cells.ResignCell(match):
                self.entries.append(Resign(match=match, player=player, row=row.number, span=raw.span))
            case cells.ResultCell(won, points, match):
                # A row has two columns; a third cell tells nothing of them.
                alone = not any(isinstance(each.says, cells.RollCell) for each in row.cells[:3] if each is not raw)
                self.results.append(
                    ResultClaim(
                        player=player,
                        won=won,
                        points=points,
                        match=match,
                        column_speaks=alone and speaks,
                        row=row.number,
                        span=raw.span,
                    )
                )
            case cells.Unreadable() as trouble:
                self._unreadable(trouble, raw, player, row)

    def _roll(self, cell: cells.RollCell, raw: RawCell, player: Player, row: Row) -> None:
        dice, text, conceded = cell
        rolled = dice != (0, 0) or text.kind == "moves"
        if rolled:
            span = made(Span, (raw.start, raw.start + len(raw.text)))
            self.entries.append(checker_play(player, dice, text, span, row.number))
        # 00 is written where nothing was rolled: somebody left.
        if conceded or not rolled:
            self.entries.append(Resign(player=player, row=row.number, span=raw.span))

    def _unreadable(self, trouble: cells.Unreadable, raw: RawCell, player: Player, row: Row) -> None:
        digits = in_digits(raw.text)
        says = cells.parse_cell(digits)
        if digits != raw.text and not isinstance(says, cells.Unreadable):
            self.findings.append(lettered(raw.text, digits, raw.span.start, self.draft.number))
            self._cell(RawCell(digits, raw.start, says, raw.column), player, row)
            return
        at = raw.span.start + trouble.at
        found = f"{_shown(trouble.found)} is not" if trouble.found else "the cell ends where there should be"
        expected = " or ".join(trouble.expected[:3]) or "anything known here"
        span = Span(at, max(at + len(trouble.found), at + 1)) if trouble.found else Span(max(at - 1, 0), at)
        self._report(codes.UNREADABLE_CELL, span, f"{found} {expected}", player)
        if dice_pattern().match(raw.text) is None:
            self.left_out.append(raw.span)
        else:
            # The roll keeps its place in the order of turns; what was played is not known.
            dice, text = (int(raw.text[0]), int(raw.text[1])), PlayText("unreadable", dump=raw.text[3:].strip())
            self.entries.append(checker_play(player, dice, text, raw.span, row.number))
