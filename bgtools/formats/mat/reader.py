"""Reading match text: from lines to matches.

Nothing in a file is skipped in silence: every character that is not blank belongs to an entry, a
header, a comment, a layout mark or a finding.
"""

from __future__ import annotations

import re
from dataclasses import replace
from textwrap import dedent
from typing import TYPE_CHECKING, Final

from bgtools.board.board import Board
from bgtools.board.perspective import other
from bgtools.findings import codes
from bgtools.findings.finding import Finding, Fix, quoted
from bgtools.formats import limits
from bgtools.formats.mat.alike import in_ascii, lettered, score_in_ascii, score_in_digits
from bgtools.formats.mat.assembly import Assembly
from bgtools.formats.mat.cells import ResultCell, ScoreText, Unreadable, parse_line
from bgtools.formats.mat.draft import MatGame, MatMatch
from bgtools.formats.mat.headings import FreeHeading, likely_names, read_heading
from bgtools.formats.mat.layout import (
    Columns,
    Pair,
    Row,
    begins_with_cell,
    columns_of,
    label_of,
    plain_rows,
    rows_of_line,
)
from bgtools.formats.mat.names import mend_names, players_of, strangers
from bgtools.formats.mat.prose import is_prose, is_rule
from bgtools.formats.shared.behind import keep_behind
from bgtools.formats.shared.tags import rules_of_tags
from bgtools.positions.position import read_letters
from bgtools.record.builder import several_matches
from bgtools.record.producers import session_of
from bgtools.record.record import Comment, Match, Tag
from bgtools.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.formats.content import Content

_LINE = re.compile(r"[^\r\n]+")
_NEXT_LINE = re.compile(r"[^\r\n]*\S[^\r\n]*")
_GAME = re.compile(r"\s*game\s", re.IGNORECASE)
_TOO_LONG = re.compile(r"\d{10,}")
_LENGTH = re.compile(r"\s*(\d+\s+point|match of|money|unlimited)", re.IGNORECASE)
_SCORE = re.compile(r".*:\s*\d+\s+.*:\s*\d+\s*$|\s*:\s*\d+\s+\S.*:\s*\d+\s*$")
_MOST_NAMES = 8
_SCORE_END = re.compile(r":\s*\d+$")


def read_content(content: Content) -> tuple[Match, ...]:
    """Read a file of match text."""
    return read(content.source)


def read(source: Source) -> tuple[Match, ...]:
    """Read match text of any dialect. There is at least one match; it is empty when the text holds no game.

    No content raises: findings of each match report what cannot be read in it.
    """
    return MatReader(source).matches()


class MatReader:
    """Reads the lines of match text; formats with the same rows extend it."""

    states_length = True
    """Whether the format states the length of a match."""

    def __init__(self, source: Source) -> None:
        # A text of several files put together has a byte-order mark where each of them begins.
        self.source = replace(source, has_rows=True, text=source.text.replace("\ufeff", " "))
        self.drafts = [MatMatch(source=self.source)]
        self.pending: list[Tag | Comment | Span] = []  # what stood between a game and the next heading
        self.wants_score = False
        self.room = limits.most_pieces()

    def matches(self) -> tuple[Match, ...]:
        """Every match of the text."""
        text, at = self.source.text, 0
        while True:
            # A row counts for as many pieces as it has cells: two at most.
            rows, at = plain_rows(text, at, self.room // 2, self._end_of_rows(at))
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
            if len(self.draft.games) > limits.MOST_GAMES:
                beyond = self.draft.games.pop()
                self._report(limits.games_left_out(Span(beyond.heading.start, len(text.rstrip())), limits.MOST_GAMES))
                break
        self._attach_remarks(same_game=True)
        if self._is_only_prose():
            for draft in self.drafts:
                for game in draft.games:
                    draft.marks += [game.heading, *game.marks, *(each.span for each in game.comments)]
                draft.marks += [finding.span for finding in draft.findings]
                draft.games.clear()
                draft.findings.clear()
        for draft in self.drafts:
            self._finish(draft)
        if len(self.drafts) > 1:
            second = self.drafts[1]
            begin = second.length_span if second.length_span.end else second.games[0].heading
            second.findings.append(several_matches(len(self.drafts), begin))
        if not any(draft.games for draft in self.drafts):
            begin = Span(0, min(len(text), 1))
            self.drafts[0].report(
                codes.NO_GAME, begin, "no game was found: no row of a game, and no line with names and points"
            )
        return tuple(draft.build() for draft in self.drafts)

    def _end_of_rows(self, at: int) -> int:
        """Where a line may follow that is no row, whatever it looks like."""
        return len(self.source.text)

    def _is_only_prose(self) -> bool:
        """Whether the text has sentences and headings, but no row and no names: it speaks of games, and holds none."""
        games = [game for draft in self.drafts for game in draft.games]
        remarks = any(game.comments for game in games) or any(draft.comments for draft in self.drafts)
        return bool(games) and remarks and not any(game.rows or game.names or game.set_position for game in games)

    # --- lines ------------------------------------------------------------------------------

    @property
    def draft(self) -> MatMatch:
        """The match that is being read."""
        return self.drafts[-1]

    @property
    def game(self) -> MatGame | None:
        """The game that is being read."""
        return self.draft.games[-1] if self.draft.games else None

    @staticmethod
    def written(line: str, offset: int) -> Span:
        """The stretch of a line without the blanks around it."""
        return Span(offset + len(line) - len(line.lstrip()), offset + len(line.rstrip()))

    def _line(self, line: str, offset: int) -> None:
        fits = len(line) <= limits.LONGEST_LINE
        if fits and not line.isascii():
            line = self._as_digits(line, self._in_ascii(line), offset)
        if fits and label_of(line) is not None:
            self._row_line(line, offset)
            return
        span = self.written(line, offset)
        if line[span.start - offset] in ";#" and not (self.wants_score and _is_score(line[: limits.LONGEST_LINE])):
            self._comment(line, span)
        elif not fits:
            most = f"no row or heading has more than {limits.LONGEST_LINE:,}"
            self._strange(span, f"a line of {len(line):,} characters is left out; {most}")
        elif _GAME.match(line) and (number := parse_line(line, "game_line")) is not None:
            self._heading(number, span)
        elif _LENGTH.match(line) and (length := parse_line(line, "length_line")) is not None:
            self._length(length, span)
        elif _is_score(line) and (names := parse_line(line, "score_line")) is not None:
            self._score(names, span)
        elif self.game is not None and begins_with_cell(line):
            self._row_line(line, offset)
        elif self.wants_score and (digits := score_in_digits(line)) and (names := parse_line(digits, "score_line")):
            self._as_digits(line, digits, offset)
            self._score(names, span)
        elif (fewer := _TOO_LONG.sub("1", line)) != line and (_LENGTH.match(fewer) or _is_score(fewer)):
            self._strange(span, f"no number of a record has more than nine digits: {quoted(line)}")
        elif (free := self._free_heading(line, span)) is not None:
            self._read_free(free, span)
        elif is_rule(line):
            self.draft.mark(span)
        elif self._awaits_names() and self._is_above_rows(span.end) and not _is_sentence(line):
            self._unread_names(line, span)
        elif is_prose(line):
            self._prose(span)
        else:
            self._strange(span, f"this line is neither a row, a heading, a comment nor a result: {quoted(line)}")

    # --- headings in other words ------------------------------------------------------------

    def _free_heading(self, line: str, span: Span) -> FreeHeading | None:
        """What a line says in other words than match text; None where it stands among rows, or is not plain."""
        is_next = self._is_above_rows(span.end, first=True)
        if not is_next and self.game is not None and self.game.rows:
            return None
        free = read_heading(line, above_rows=self._is_above_rows(span.end))
        if free is None:
            return None
        if not (is_next or self._awaits_names()):
            free = free._replace(names=None)
        if any(game.rows for game in self.draft.games) or self.draft.length not in (None, free.length):
            # A length is stated once, above all games.
            free = free._replace(length=None)
        return free if free.words else None

    def _awaits_names(self) -> bool:
        """Whether no row of the game at hand has come yet, and no players are named for it."""
        game = self.game
        return self.draft.headed is None if game is None else game.names is None and not game.rows

    def _is_above_rows(self, at: int, *, first: bool = False) -> bool:
        """Whether the next line is a row or the heading of a game; or with ``first`` a row of the number 1."""
        found = _NEXT_LINE.search(self.source.text, at)
        line = found[0][: limits.LONGEST_LINE] if found else ""
        if first:
            return bool((label := label_of(line)) and label[1] == "1")
        return label_of(line) is not None or _GAME.match(line) is not None

    def _read_free(self, free: FreeHeading, span: Span) -> None:
        if free.length is not None and self.draft.length is None:
            self.draft.length, self.draft.length_span = free.length, span
        if free.names is not None and self.game is None and not self._is_above_rows(span.end, first=True):
            self.draft.headed = free, span
            return
        is_known = free.names is None or free.names[0].points is not None
        is_known = is_known or not any(game.rows for game in self.draft.games)
        heading = [] if free.names is None or self.wants_score else ["", f" Game {1 + len(self.draft.games)}"]
        text = "\n".join([*free.length_lines, *heading, *free.score_lines]).lstrip("\n")
        if free.names is not None:
            self._score(free.names, span)
        self._report(_heading_finding(free, span, Fix(span, text) if is_known else None))

    def _headed(self, draft: MatMatch, free: FreeHeading, span: Span) -> Finding:
        """The finding of a heading above all games; its fix writes the names below the heading of the first."""
        game = draft.games[0] if draft.games else None
        if game is None or game.names is not None:
            return _heading_finding(free, span, None)
        between = self.source.text[span.end : game.heading.end]
        head = ["", *free.score_lines] if game.heading.end > game.heading.start else [" Game 1", *free.score_lines, ""]
        text = "".join(free.length_lines) + between + "\n".join(head)
        return _heading_finding(free, span, Fix(Span(span.start, game.heading.end), text.lstrip("\r\n")))

    def _unread_names(self, line: str, span: Span) -> None:
        names = likely_names(line)
        self._report(
            Finding(
                codes.UNUSUAL_HEADING, span,
                f"this line names the players of a game in no way that is known: {quoted(line)}",
                hint=f'names and points are written as in " {names[0]} : 0        {names[1]} : 0"',
            )
        )  # fmt: skip

    # --- rows and remarks -------------------------------------------------------------------

    def _as_digits(self, line: str, plain: str, offset: int) -> str:
        """The line in plain signs; a finding reports where it has others."""
        if plain != line:
            self._report(lettered(line, plain, offset, None if self.game is None else self.game.number))
        return plain

    def _strange(self, span: Span, message: str) -> None:
        self._report(Finding(codes.UNREADABLE_LINE, span, message, hint="begin a remark with a semicolon"))

    def _in_ascii(self, line: str) -> str:
        """A row, a heading or a length in ASCII; a score line with its points in ASCII; any other line unchanged."""
        plain = in_ascii(line)
        if plain == line.replace("\u3000", " "):
            return line  # wide blanks are blanks
        if plain.lstrip()[:1] in ("", ";", "#") or "illegal play" in plain.casefold():  # it may quote names
            return line
        if label_of(plain) or (self.game is not None and begins_with_cell(plain)):
            return plain
        if any(parse_line(plain, start) is not None for start in ("game_line", "length_line")):
            return plain
        return score_in_ascii(line)

    def _report(self, finding: Finding) -> None:
        self.draft.findings.append(finding)

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

    def _prose(self, span: Span) -> None:
        """Keep a line of prose as a remark. A line close below another goes on with the same paragraph."""
        before = self.pending[-1] if self.pending else None
        if isinstance(before, Span) and len(self.source.text[before.end : span.start].strip(" \t").splitlines()) == 1:
            self.pending[-1] = Span(before.start, span.end)
        else:
            self.pending.append(span)

    def _attach_remarks(self, *, same_game: bool) -> None:
        """Give the tags and comments read since the last row to the current match, and comments to its current game."""
        game = self.game if same_game else None
        for item in map(self._remark, self.pending):
            if isinstance(item, Tag):
                self.draft.tags.append(item)
            elif game is not None:
                game.comments.append(item)
            else:
                self.draft.comments.append(item)
        self.pending.clear()

    def _remark(self, item: Tag | Comment | Span) -> Tag | Comment:
        """A paragraph of prose as a remark; a tag or a remark as it is."""
        if not isinstance(item, Span):
            return item
        # The blanks before the first line belong to it, so that a drawn board keeps its columns.
        text = self.source.text
        begin = max(text.rfind("\n", 0, item.start), text.rfind("\r", 0, item.start)) + 1
        lines = dedent(text[begin : item.end]).splitlines()
        return Comment(text="\n".join([line.rstrip() for line in lines]), span=item)

    def _new_match(self) -> None:
        if self.draft.games:
            self.drafts.append(MatMatch(source=self.source))
        self._attach_remarks(same_game=False)

    def _passed_over(self, span: Span, why: str) -> None:
        self._report(Finding(codes.CONTRADICTED_RULES, span, f"{why}, so this one is skipped"))

    def _length(self, length: int, span: Span) -> None:
        if self.draft.length is not None and not self.draft.games:
            self._passed_over(self.draft.length_span, "another match length follows")
        if self.draft.games or self.draft.length is not None:
            self._new_match()
        else:
            self._attach_remarks(same_game=False)
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
            self._attach_remarks(same_game=True)
        self.draft.games.append(MatGame(match=self.draft, number=number, heading=span))
        self.wants_score = True

    def _score(self, names: tuple[ScoreText, ScoreText], span: Span) -> None:
        self._attach_remarks(same_game=self.wants_score)
        if not self.wants_score or self.game is None:
            self.draft.games.append(MatGame(match=self.draft, heading=span))
        self.wants_score = False
        game = self.game
        assert game is not None
        game.names, game.score_span = names, span
        earlier = next((draft.names for draft in self.draft.games if draft.names), None)
        if earlier and not {name.name for name in earlier} & {name.name for name in names}:
            # Two other players: another match begins, whatever the heading says.
            self.draft.games.pop()
            game.match = MatMatch(source=self.source, length=self.draft.length, games=[game])
            self.drafts.append(game.match)

    def _row_line(self, line: str, offset: int) -> None:
        asides: list[Span] = []
        rows = rows_of_line(line, offset, asides)
        if (_only_mentions(rows) or (asides and rows[0].label is None)) and is_prose(line):
            self._prose(self.written(line, offset))
            return
        self.room += 1  # the line was counted; only its cells count
        self._rows(rows)
        for span in asides:
            keep_behind(self.draft.games[-1], self.source.text[slice(*span)], span)

    def _rows(self, rows: list[Row | Pair]) -> None:
        if self.pending:
            self._attach_remarks(same_game=True)
        games = self.draft.games
        if not games:
            games.append(MatGame(match=self.draft, heading=Span(rows[0].start, rows[0].start)))
        self.wants_score = False
        self.room -= sum(2 if isinstance(row, Pair) else len(row.cells) for row in rows)
        for row in rows:
            if row.number == 1 and _is_ended(games[-1].rows):
                games.append(MatGame(match=self.draft, heading=Span(row.start, row.start)))
            games[-1].rows.append(row)

    # --- matches ----------------------------------------------------------------------------

    def _finish(self, draft: MatMatch) -> None:
        """Give a match its players, its rules, and the entries of its games."""
        tags = {tag.key.casefold(): tag.value for tag in draft.tags}
        draft.findings += mend_names(draft, self.source)
        named = players_of(draft) or (draft.headed and draft.headed[0].names)
        if named:
            draft.players, draft.ratings = (named[0].name, named[1].name), (named[0].rating, named[1].rating)
        else:
            draft.players = (tags.get("player 1", ""), tags.get("player 2", ""))
        if draft.headed is not None:
            draft.findings.append(self._headed(draft, *draft.headed))
        draft.findings += strangers(draft, draft.players, self.source)
        if draft.length is None and draft.games and self.states_length:
            draft.report(
                codes.NO_LENGTH,
                draft.games[0].heading,
                "no match length is stated, so the games are judged as a money session",
                hint='state it before the first game, as in "7 point match"',
            )
        if producer := session_of(tags.get("site", ""), draft.length, len(draft.games)):
            message = f"a {draft.length}-point match of {producer.name} is a money game"
            draft.length = 0
            draft.report(codes.MONEY_SENTINEL, draft.length_span, message)
        draft.rules = rules_of_tags(tags, money=not draft.length)
        columns = [columns_of(game.rows) for game in draft.games]
        if any(each.right is None for each in columns):
            common = columns_of(row for game in draft.games for row in game.rows)
            columns = [each if each.right is not None else common for each in columns]
        total = sum(draft.rules.start.mine)
        for number, (game, own) in enumerate(zip(draft.games, columns, strict=True)):
            _finish_game(game, own, total, is_named=draft.headed is not None and not number)


def _finish_game(game: MatGame, columns: Columns, total: int, *, is_named: bool) -> None:
    """Give a game its score, its start and its entries.

    Args:
        game: the game.
        columns: where its cells stand.
        total: how many checkers each side has.
        is_named: whether a heading in other words above the rows names the players.
    """
    if game.names:
        first, second = game.names
        if first.name != second.name and game.match.players == (second.name, first.name):
            game.left = 1
        if first.points is not None and second.points is not None:
            game.score = (first.points, second.points) if game.left == 0 else (second.points, first.points)
    elif not is_named:
        message = "the game has no line with both names and scores"
        if game.number is None and game is not game.match.games[0]:
            message = "a game begins here, and its heading is missing"
        hint = 'as in " Ann : 0        Bob : 0"'
        game.report(codes.NO_SCORE_LINE, game.heading, message, hint=hint)
    game.marks += [row.label for row in game.rows if row.label]
    Assembly(game, columns).run()
    if game.set_position:
        board, exponent, span = game.set_position
        start = _set_position(board, total)
        if start is None:
            message = f"the set position has a side with more than {total} checkers"
            game.match.report(codes.BAD_SET_POSITION, span, message)
        elif game.left == 1:
            start = start.flipped()
        owner = None if exponent == 0 else game.left if exponent > 0 else other(game.left)
        game.begin(start, 2 ** min(abs(exponent), 30), owner, known=start is not None)
        game.mark(span)


def _is_ended(rows: Sequence[Row | Pair]) -> bool:
    """Whether a result stands in the last rows of a game: a first row after it begins another one."""
    last = [row for row in rows[-_LAST_ROWS:] if isinstance(row, Row)]
    return any(isinstance(cell.says, ResultCell) for row in last for cell in row.cells)


_LAST_ROWS: Final = 3


def _only_mentions(rows: Sequence[Row | Pair]) -> bool:
    """Whether a line is a row by its beginning alone: no cell is in it, or an unnumbered one that cannot be read."""
    (row, *more) = rows
    if more or isinstance(row, Pair):
        return False
    return not row.cells or (row.label is None and any(isinstance(cell.says, Unreadable) for cell in row.cells))


def _is_sentence(line: str) -> bool:
    """Whether a line ends as a sentence does, or has more words than two names."""
    return line.rstrip()[-1:] in ".!?:\u2026" or len(line.split()) > _MOST_NAMES


def _heading_finding(free: FreeHeading, span: Span, remedy: Fix | None) -> Finding:
    return Finding(codes.UNUSUAL_HEADING, span, f"this line is read as {free.words}", hint=free.hint, remedy=remedy)


def _is_score(line: str) -> bool:
    # The end is tested first: in a long line, the whole pattern tries every colon with every other.
    return _SCORE_END.search(line.rstrip()) is not None and _SCORE.match(line) is not None


def _set_position(board: str, total: int) -> Board | None:
    """The board of a ``Set Pos`` line, seen by the left player, whose checkers are capitals; None if it cannot be."""
    mine, theirs = read_letters(board)
    for side in (mine, theirs):
        side[0] = total - sum(side[1:]) - side[0]
        if side[0] < 0:
            return None
    return Board(tuple(mine), tuple(theirs))
