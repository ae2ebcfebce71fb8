"""What the pages of a site are made of, each piece once: boards, tables of players and matches, charts, cases."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote_plus

from bgtools._shell import shell_path
from bgtools.analysis.statistics import FEW_DECISIONS
from bgtools.drawing.board import geometry
from bgtools.findings.finding import printable
from bgtools.findings.quantities import LOST, PR
from bgtools.reports.findings import few

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bgtools.analysis.pooling import PooledRating
    from bgtools.site.collection import PublishedMatches, Share, SiteMatch, SitePlayer
    from bgtools.site.document import Case, MatchDocument

WORST_PR: Final = 20
"""Ratings are drawn from 0 to this; a worse one is a hollow dot at the end."""

ABOUT_VERDICTS: Final = {
    "reject": "against the rules as written, and no reading mends it",
    "likely fixable": "a likely reading, for you to decide",
    "fixable": "bgtools check --fix puts it right",
    "incomplete": "a part of the match is missing",
    "reconstructed": "a repair has put something in",
    "not a record": "no turn and no result",
    "unreadable": "the file cannot be read",
}

ASKS: Final = {
    "no double": "roll or double?", "double": "double?", "take": "take or pass?", "pass": "take or pass?",
    "resign": "resign?", "accept": "accept or play on?", "beaver": "beaver?", "raccoon": "raccoon?",
}  # fmt: skip
DONE: Final = {"Double": "Doubled", "Take": "Took", "Pass": "Passed", "No double": "Rolled"}
BLUNDER: Final = 0.08


@dataclass(frozen=True, slots=True)
class SiteLinks:
    """What the pages of a site link to; a page that stands by itself links to nothing.

    Attributes:
        up: what a link to the folder of the site begins with; None for a page that stands by itself.
        players, events: addresses by name and by key.
    """

    up: str | None
    players: Mapping[str, str]
    events: Mapping[str, str]

    def page(self, address: str, inner: str, classes: str = "") -> str:
        """Some HTML as a link to a page, or by itself."""
        if self.up is None:
            return f'<span class="{classes}">{inner}</span>' if classes else inner
        named = f' class="{classes}"' if classes else ""
        return f'<a{named} href="{escape(self.up + address)}">{inner}</a>'

    def player(self, name: str) -> str:
        """A name as a link to the page of its player."""
        slug = self.players.get(name)
        return self.page(f"player/{slug}.html", escape(name)) if slug else escape(name)

    def event(self, key: str, inner: str) -> str:
        """Some HTML as a link to an event."""
        return self.page(f"event/{self.events[key]}.html", inner) if key in self.events else inner


ALONE: Final = SiteLinks(None, {}, {})
"""The links of a page that stands by itself: none."""


def errors_address(**filters: str) -> str:
    """The address of the page of errors with some filters."""
    return "errors.html#" + "&".join(f"{key}={quote_plus(value)}" for key, value in filters.items())


def signed(value: float, digits: int = 1) -> str:
    """A number with its sign, a true minus among them."""
    shown = f"{abs(value):.{digits}f}"
    return f"±{shown}" if not float(shown) else f"{'+' if value > 0 else '−'}{shown}"


def with_minus(text: str) -> str:
    """A text with true minus signs before its figures."""
    return _HYPHEN.sub("−", text)


_HYPHEN: Final = re.compile(r"(?<!\w)-(?=[\d.])")


def card(title: str, body: str, *, wide: int = 12, aside: str = "", name: str = "", classes: str = "") -> str:
    """A part of a page below its heading; ``wide`` is how many of twelve columns it takes."""
    beside = f" {aside}" if aside else ""
    ident = f' id="{name}"' if name else ""
    return (
        f'<section class="card c{wide} {classes}"{ident} aria-label="{escape(title)}">'
        f"<h2>{escape(title)}{beside}</h2>{body}</section>"
    )


def figure(title: str, shown: str, about: str) -> str:
    """One of the numbers at the head of a page; ``about`` is HTML."""
    return f'<section class="card c3 kpi"><h2>{title}</h2><p class="big">{shown}</p><p class="q">{about}</p></section>'


def quiet(text: str, name: str = "") -> str:
    """A sentence that few need; ``text`` is HTML."""
    return f'<p class="q small"{f" id={name!r}" if name else ""}>{text}</p>' if text else ""


def table(name: str, heads: Iterable[str], rows: Iterable[str], *, sorts: bool = False) -> str:
    """A table of finished cells that scrolls by itself where it is too wide."""
    mark = " data-sort" if sorts else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="Table: {escape(name)}">'
        f'<table class="n"{mark}><thead><tr>{"".join(heads)}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )


def head(text: str, classes: str = "", *, sorts: bool = False, is_sorted: bool = False) -> str:
    """The head of a column; ``sorts`` makes it a button."""
    named = f' class="{classes}"' if classes else ""
    if not text:
        return f"<td{named}></td>"
    shown = f'<button type="button">{escape(text)}</button>' if sorts else escape(text)
    return f'<th scope="col"{named}{" aria-sort=ascending" if is_sorted else ""}>{shown}</th>'


def cell(inner: str, classes: str = "", value: float | None = None) -> str:
    """A cell; ``value`` is what it is sorted by."""
    named = f' class="{classes}"' if classes else ""
    return f"<td{named}{'' if value is None else f' data-v={value:.6g}'}>{inner}</td>"


# --- boards ---------------------------------------------------------------------------------

_VIEW: Final = " ".join(map(str, geometry()["view"]))


def board(drawn: Mapping[str, Any], names: Sequence[str], title: str, *, best: str = "") -> str:
    """A board that a script draws when it comes into view."""
    held = {
        "b": drawn["board"], "a": drawn["answer"], "on": drawn["on"], "c": drawn["cube"], "o": drawn["offered"],
        "d": drawn["dice"], "p": drawn["hops"], "r": best, "x": drawn["crawford"], "names": list(names), "t": title,
    }  # fmt: skip
    data = escape(json.dumps(held, ensure_ascii=False, separators=(",", ":")))
    return f'<svg class="bd" viewBox="{_VIEW}" role="img" aria-label="{escape(title)}" data-b="{data}"></svg>'


def away_text(away: Sequence[int]) -> str:
    """A score in points to go, the player's first."""
    return f"{away[0]} away, {away[1]} away" if any(away) else "money"


def error_card(
    error: Mapping[str, Any],
    who: Sequence[str],
    address: str,
    where: str,
    links: SiteLinks,
    *,
    is_named: bool = True,
    has_reason: bool = True,
) -> str:
    """An error as a board, with what was done and what would have been right.

    Args:
        error: an `ErrorCard`.
        who: both players.
        address: the page of its match.
        where: against whom and when.
        links: of the page.
        is_named: whether it says whose it is.
        has_reason: whether it says why it was an error.
    """
    name = who[error["player"]]
    asked = f"to play <b>{error['dice']}</b>" if error["dice"] else ASKS.get(error["kind"], f"{error['kind']}?")
    sentence = with_minus(error["sentence"][:1].upper() + error["sentence"][1:]) if has_reason else ""
    reason = f'<p class="q">{escape(sentence)}</p>' if sentence else ""
    size = "blunder" if error["loss"] >= BLUNDER else "error"
    text = (
        f"<p>{f'<b>{escape(name)}</b> ' if is_named else ''}{asked} <span class=q>{away_text(error['away'])}</span></p>"
        f"{board(error, who, f'{name}: ' + error['kind'], best=error['best'] if error['dice'] else '')}"
        f'<p><span class="play">{escape(DONE.get(error["played"], error["played"]) or "no play")}</span> '
        f'<span class="tag {size}">−{LOST.text(error["loss"])}</span> best '
        f'<b class="good">{escape(error["best"])}</b></p>'
        f'{reason}<p class="q">{escape(where)}</p>'
    )
    return links.page(address, text, "shot")


def cards(shots: Iterable[str]) -> str:
    """Cards beside each other where there is room."""
    return f'<ul class="shots">{"".join(f"<li>{each}</li>" for each in shots)}</ul>'


def match_address(match: SiteMatch, at: Mapping[str, Any] | None = None) -> str:
    """The page of a match, at a decision where one is given."""
    return f"match/{match.slug}.html" + (f"#g{at['game']}e{at['entry']}" if at else "")


def shots_of(found: Iterable[tuple[SiteMatch, Mapping[str, Any]]], links: SiteLinks, **more: bool) -> str:
    """Errors of matches as cards; ``more`` is what `error_card` takes besides."""
    return cards(
        error_card(
            error, match.who, match_address(match, error),
            f"against {match.who[1 - error['player']]}, {match.document['date'] or 'no date'}", links,
            **more,
        )
        for match, error in found
    )  # fmt: skip


# --- ratings --------------------------------------------------------------------------------


def whisker(rating: PooledRating) -> str:
    """A rating as a dot on a line from 0 to 20, with its interval as a band."""
    if rating.value is None:
        return ""

    def across(value: float) -> str:
        return f"{2 + 96 * min(value, WORST_PR) / WORST_PR:.1f}%"

    band = ""
    if rating.low is not None and rating.high is not None:
        band = f'<line class="band" x1="{across(rating.low)}" x2="{across(rating.high)}" y1="8" y2="8"/>'
    beyond = ' class="beyond"' if rating.value > WORST_PR else ""
    return f'<svg class="rng" aria-hidden="true">{band}<circle{beyond} cx="{across(rating.value)}" cy="8" r="4"/></svg>'


def interval_text(rating: PooledRating) -> str:
    """The interval of a rating; why there is none."""
    if rating.low is None or rating.high is None:
        return "too few" if rating.counted < FEW_DECISIONS else ""
    return f"{PR.text(rating.low, 1)}–{PR.text(rating.high, 1)}"


def rating_cells(rating: PooledRating, *, has_interval: bool = False) -> str:
    """The cells of a rating: the value, the picture and, if asked for, the interval."""
    is_known = rating.value is not None and rating.counted >= FEW_DECISIONS
    shown = f"<b>{PR.text(rating.value, 1)}</b>" if is_known else "–"
    text = cell(shown, "r", rating.value if is_known else None)
    text += cell(whisker(rating) if is_known else '<small class="q">too few</small>' if rating.counted else "", "pr")
    return text + (cell(interval_text(rating) if is_known else "", "r opt opt2 q") if has_interval else "")


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player in a table of players.

    Attributes:
        name: of the player.
        pr: the rating.
        rank: by rating; None for who has too few matches or decisions to have one.
        results: won and lost, or how many matches.
        luck: what the dice gave, as text, and the number it is sorted by.
    """

    name: str
    pr: PooledRating
    rank: int | None
    results: str
    luck: tuple[str, float | None]


def rows_of(collection: PublishedMatches, players: Sequence[SitePlayer]) -> list[PlayerRow]:
    """Players of a site as rows."""
    ranks = {each.name: rank for rank, each in enumerate(collection.ranked, 1)}
    return [
        PlayerRow(
            each.name, each.pr, ranks.get(each.name), f"{each.won}–{each.lost}",
            ("" if each.luck is None else signed(each.luck), each.luck),
        )
        for each in players
    ]  # fmt: skip


def players_table(players: Sequence[PlayerRow], links: SiteLinks, results: str = "won–lost", luck: str = "luck") -> str:
    """Who played how well: rank, rating with its interval, won and lost, and luck."""
    rows = [
        f"<tr{' class=few' if each.rank is None else ''}>{cell(str(each.rank or ''), 'r')}"
        f'<th scope="row">{links.player(each.name)}</th>{rating_cells(each.pr, has_interval=True)}'
        f"{cell(each.results, 'r')}{cell(each.luck[0], 'r opt', each.luck[1])}"
        f"{cell(f'{each.pr.counted:,}', 'r opt opt2', each.pr.counted)}</tr>"
        for each in players
    ]
    is_sorted = all(each.rank is not None for each in players)
    heads = [
        head(""), head("player", sorts=True), head("PR", "r", sorts=True, is_sorted=is_sorted), head("0 to 20, 95%"),
        head("", "r opt opt2"), head(results, "r", sorts=True), head(luck, "r opt", sorts=True),
        head("decisions", "r opt opt2", sorts=True),
    ]  # fmt: skip
    return table("Players by PR", heads, rows, sorts=True)


def apart_sentence(collection: PublishedMatches) -> str:
    """How many players can be compared, and of how many the best is apart: their intervals do not meet."""
    ranked = collection.ranked
    if not ranked:
        return "Nobody has 3 matches and 300 counted decisions, so nobody has a rank."
    count = few(len(ranked), "player")
    text = f"{count} {'has' if len(ranked) == 1 else 'have'} 3 matches and 300 counted decisions or more."
    if len(collection.engines) > 1:
        return f"{text} {len(collection.engines)} engines or levels valued them, so the ratings are not compared."
    if len(ranked) > 1:
        best, others = ranked[0], ranked[1:]
        apart = sum((each.pr.low or 0.0) > (best.pr.high or 0.0) for each in others)
        if apart == len(others):
            text += f" {best.name} is apart from all others: no other interval meets {best.name}'s."
        elif apart:
            text += f" {best.name} is apart from {apart} of the other {len(others)}; the other intervals meet."
        else:
            text += f" The interval of {best.name} meets those of all others, so these records do not tell who is best."
    return text


def share_table(title: str, shares: Sequence[Share], *, wide: int, most: int = 9, aside: str = "") -> str:
    """The decisions of a player by one thing: how many, their rating, and their part of all losses."""
    if not shares:
        return ""
    rows = []
    for each in shares[:most]:
        part = ""
        if each.share is not None:
            part = f'<svg class="share" aria-hidden="true"><rect width="{100 * each.share:.0f}%" height="8"/></svg>'
        shown = "" if each.share is None else f"{100 * each.share:.0f}%"
        rows.append(
            f'<tr><th scope="row">{escape(each.value)}</th>{cell(f"{each.pr.counted:,}", "r")}{rating_cells(each.pr)}'
            f"{cell(part, 'sh opt')}{cell(shown, 'r opt')}</tr>"
        )
    heads = [
        head(""), head("decisions", "r"), head("PR", "r"), head("0 to 20, 95%"), head("of all lost", "opt"),
        head("", "opt"),
    ]  # fmt: skip
    left = f"and {len(shares) - most} more" if len(shares) > most else ""
    body = table(title, heads, rows) + quiet(left)
    return card(title, body, wide=wide, aside=f"<small class=q>{aside}</small>" if aside else "", classes="wide")


# --- matches --------------------------------------------------------------------------------


def date_text(document: MatchDocument) -> str:
    """The day of a match; ≈ where only the name of the file tells it."""
    shown = escape(document["date"]) or "no date"
    return (
        f'{shown}<abbr title="from the name of the file"> ≈</abbr>' if document["date_from"] == "file name" else shown
    )


def verdict_chip(verdict: str) -> str:
    """A verdict as a mark."""
    return f'<span class="v {verdict.replace(" ", "-")}">{escape(verdict)}</span>'


def matches_table(matches: Sequence[SiteMatch], links: SiteLinks, name: str = "Matches") -> str:
    """Matches with their day, result and ratings."""
    rows = []
    for each in matches:
        names = [links.player(who) for who in each.who]
        if each.document["winner"] is not None:
            names[each.document["winner"]] = f"<b>{names[each.document['winner']]}</b>"
        score = f'<b class="n score">{each.document["score"][0]}–{each.document["score"][1]}</b>'
        result = f"{names[0]} {links.page(match_address(each), score)} {names[1]}"
        chip = "" if each.document["verdict"] == "accept" else f" {verdict_chip(each.document['verdict'])}"
        ratings = " · ".join("–" if each.pr(side) is None else PR.text(each.pr(side), 1) for side in (0, 1))
        rows.append(
            f"<tr>{cell(date_text(each.document), 'date')}"
            f"{cell(result + chip, 'w noted' if chip else 'w')}"
            f"{cell(str(each.document['length'] or 'money'), 'r opt')}"
            f"{cell(ratings, 'r date' if each.is_sound else 'r date q')}</tr>"
        )
    return table(name, [head("date"), head("match"), head("to", "r opt"), head("PR", "r")], rows)


# --- charts ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CoursePoint:
    """A match, or a stretch of some, in the course of a rating.

    Attributes:
        label: its day.
        pr: the rating in it.
        so_far: the rating over all up to it; None where only the stretch is known.
        won: whether it was won; None where that is not told.
        address: of its page; empty for none.
        about: against whom it was, with the result.
    """

    label: str
    pr: PooledRating
    so_far: PooledRating | None = None
    won: bool | None = None
    address: str = ""
    about: str = ""


_WIDE, _HIGH, _LEFT, _BELOW, _TOP = 760, 236, 34, 26, 24


def course_chart(points: Sequence[CoursePoint], links: SiteLinks) -> str:
    """The course of a rating: a dot a match with its interval, better above, and all so far as a band."""
    known = [each for each in points if each.pr.value is not None]
    if len(known) < 3:
        return quiet("Three matches of 30 counted decisions or more draw a course.")

    def across(at: int) -> float:
        return _LEFT + (_WIDE - _LEFT - 12) * (at + 0.5) / len(known)

    def down(value: float | None) -> float:
        return 8 + (_HIGH - _BELOW - 8) * min(value or 0.0, _TOP) / _TOP

    shapes = [
        f'<line class="g" x1="{_LEFT}" x2="{_WIDE}" y1="{down(mark):.0f}" y2="{down(mark):.0f}"/>'
        f'<text x="{_LEFT - 6}" y="{down(mark) + 4:.0f}" text-anchor="end">{mark}</text>'
        for mark in range(0, _TOP, 5)
    ]
    so_far = [
        (at, each.so_far) for at, each in enumerate(known) if each.so_far is not None and each.so_far.low is not None
    ]
    edges = [(at, each.high) for at, each in so_far] + [(at, each.low) for at, each in so_far[::-1]]
    if so_far:
        around = " ".join(f"{across(at):.1f},{down(value):.1f}" for at, value in edges)
        line = " ".join(f"{across(at):.1f},{down(each.value):.1f}" for at, each in so_far)
        shapes.append(f'<polygon class="b" points="{around}"/><polyline class="l" points="{line}"/>')
    shapes += [
        f'<line class="wh" x1="{across(at):.1f}" x2="{across(at):.1f}" y1="{down(each.pr.low):.1f}" '
        f'y2="{down(each.pr.high):.1f}"/>'
        for at, each in enumerate(known)
        if each.pr.low is not None
    ]
    last = -100.0
    for at, each in enumerate(known):
        won = "" if each.won is None else ", won" if each.won else ", not won"
        said = escape(f"{each.label or 'no date'}{each.about}: PR {PR.text(each.pr.value, 1)}{won}")
        mark = ' class="won"' if each.won else ""
        dot = f'<circle cx="{across(at):.1f}" cy="{down(each.pr.value):.1f}" r="5"{mark}/>'
        if each.address and links.up is not None:
            address = escape(links.up + each.address)
            dot = f'<a href="{address}" aria-label="{said}"><title>{said}</title>{dot}</a>'
        shapes.append(dot)
        if each.label and across(at) - last > 70:
            last = across(at)
            shapes.append(f'<text x="{last:.0f}" y="{_HIGH - 6}" text-anchor="middle">{escape(each.label[:7])}</text>')
    about = "PR by match, better above"
    return f'<svg class="plot" viewBox="0 0 {_WIDE} {_HIGH}" role="group" aria-label="{about}">{"".join(shapes)}</svg>'


def luck_chart(results: Sequence[tuple[int, float]]) -> str:
    """Matches won, and what they would be with even dice; ``results`` are 1 or 0 for won, and the luck."""
    won, even = [0.0], [0.0]
    for one, luck in results:
        won.append(won[-1] + one)
        even.append(even[-1] + min(max(one - luck, 0.0), 1.0))
    wide, high, top = 400, 170, max(won[-1], even[-1], 1.0)

    def course(values: Sequence[float]) -> str:
        return " ".join(
            f"{8 + (wide - 84) * at / len(results):.1f},{down(value):.1f}" for at, value in enumerate(values)
        )

    def down(value: float) -> float:
        return 10 + (high - 34) * (1 - value / top)

    apart = 13 if abs(down(won[-1]) - down(even[-1])) < 13 else 0
    return (
        f"<p>Won <b>{won[-1]:.0f}</b> of {len(results)}; with even dice about <b>{even[-1]:.1f}</b>.</p>"
        f'<svg class="plot" viewBox="0 0 {wide} {high}" role="img" aria-label="Matches won, and with even dice">'
        f'<line class="g" x1="8" x2="{wide}" y1="{down(0):.0f}" y2="{down(0):.0f}"/>'
        f'<polyline class="l" points="{course(even)}"/><polyline class="l ink" points="{course(won)}"/>'
        f'<text x="{wide - 70}" y="{down(won[-1]) + 4:.0f}">won {won[-1]:.0f}</text>'
        f'<text x="{wide - 70}" y="{down(even[-1]) + 4 + apart:.0f}">even {even[-1]:.1f}</text></svg>'
    )


# --- results of an event --------------------------------------------------------------------


def crosstable(players: Sequence[str], matches: Sequence[SiteMatch], links: SiteLinks) -> str:
    """Who won against whom."""
    met: defaultdict[tuple[str, str], list[tuple[SiteMatch, int]]] = defaultdict(list)
    for match in matches:
        for side in (0, 1):
            met[match.who[side], match.who[1 - side]].append((match, side))

    def of_pair(one: str, two: str) -> str:
        if one == two:
            return '<td class="self"></td>'
        some = met[one, two]
        if not some:
            return "<td></td>"
        won = sum(match.document["winner"] == side for match, side in some)
        lost = sum(match.document["winner"] == 1 - side for match, side in some)
        text = f"{won}:{lost}" if len(some) > 1 else "1" if won else "0" if lost else "·"
        mark = "" if all(match.is_sound for match, _ in some) else "<sup>!</sup>"
        inner = f'<span class="seen">{escape(one)} against {escape(two)}: </span>{text}{mark}'
        sort = "won" if won > lost else "lost" if lost > won else "even"
        return cell(links.page(match_address(some[-1][0]), inner), sort)

    heads = "".join(f'<th scope="col" title="{escape(name)}">{at}</th>' for at, name in enumerate(players, 1))
    rows = "".join(
        f'<tr><th scope="row">{at}. {escape(one)}</th>{"".join(of_pair(one, two) for two in players)}</tr>'
        for at, one in enumerate(players, 1)
    )
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Table: Crosstable"><table class="cross n">'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


# --- what needs a look ----------------------------------------------------------------------


def case_article(document: MatchDocument, match: SiteMatch | None, links: SiteLinks, *, shows_file: bool) -> str:
    """A record that needs a look: each finding with its board, what is written and proposed, and the command."""
    names = " – ".join(map(escape, match.who if match else document["players"]))
    title = links.page(match_address(match), names) if match else names
    found = document["cases"]
    drawn = next((each["card"] for each in found if each["card"]), None)
    shown = '<p class="q">Not about a board.</p>'
    if drawn is not None:
        who = match.who if match else document["players"]
        roll = f" has {drawn['dice']}" if drawn["dice"] else ""
        best = "; a full arrow is what is written, a dashed one what is proposed" if drawn["best"] else ""
        shown = board(drawn, who, "The board as the record has it", best=drawn["best"])
        shown += quiet(f"{escape(who[drawn['on']])}{roll}{best or '; the board as the record has it'}")
    said = "".join(map(_case, found)) or f"<p>{escape(document['wrong'][:1].upper() + document['wrong'][1:])}</p>"
    missing = document["wrong"].partition("; ")[0]
    if found and document["verdict"] == "incomplete" and all(each["message"] != missing for each in found):
        said = f"<p><b>{escape(missing[:1].upper() + missing[1:])}.</b></p>{said}"
    command = ""
    if shows_file:
        number = f" (match {document['number']})" if document["number"] else ""
        asks = "--diff --unsafe-fixes" if any(each["proposed"] for each in found) else "--summary"
        text = f"bgtools check {printable(shell_path(document['file']))} {asks}{number}"
        command = f'<pre tabindex="0">{escape(text)}</pre>'
    return (
        f'<article class="case"><div>{shown}</div><div><h3>{verdict_chip(document["verdict"])} {title} '
        f'<span class="q">{date_text(document)}</span></h3>{said}{command}</div></article>'
    )


def _case(found: Case) -> str:
    rows = [("written", f"<del>{escape(found['written'])}</del>")] if found["written"] else []
    if found["others"]:
        some = " or ".join(f"<ins>{escape(each)}</ins>" for each in (found["proposed"], *found["others"]))
        rows = [("proposed", f'{some} <span class="q">equally likely: ask the players</span>')]
    elif found["proposed"]:
        rows.append(("proposed", f"<ins>{escape(found['proposed'])}</ins>"))
    else:
        rows.append(("proposed", "nothing; the record stays as it is"))
    listed = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows)
    message = found["message"][:1].upper() + found["message"][1:]
    facts = f'<p class="q">{escape(found["facts"])}.</p>' if found["facts"] else ""
    where = " · ".join(filter(None, (found["where"], found["code"])))
    return (
        f'<p><b>{escape(message)}.</b> <span class="q">{escape(where)}</span></p>{facts}<dl class="read">{listed}</dl>'
    )
