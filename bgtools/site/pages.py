"""The pages of a site: the front page, players, matches, events, what needs a look, errors."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final

from bgtools._version import __version__
from bgtools.analysis.events import PLAYED_BY_ROUND
from bgtools.analysis.statistics import FEW_DECISIONS, FEW_GROUPS
from bgtools.findings.quantities import LOST, PR
from bgtools.reports.findings import few
from bgtools.site.collection import results_of
from bgtools.site.document import KINDS, PHASES, THEME_NAMES
from bgtools.site.pieces import (
    ABOUT_VERDICTS,
    ASKS,
    BLUNDER,
    DONE,
    CoursePoint,
    SiteLinks,
    apart_sentence,
    board,
    card,
    cards,
    case_article,
    cell,
    course_chart,
    crosstable,
    errors_address,
    figure,
    head,
    luck_chart,
    match_address,
    matches_table,
    players_table,
    quiet,
    rating_cells,
    rows_of,
    share_table,
    shots_of,
    signed,
    table,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bgtools.comparison.copies import CopyReport
    from bgtools.site.collection import PublishedMatches, SiteEvent, SiteMatch, SitePlayer

    Copies = Mapping[str, Sequence[CopyReport]]

_SHOWN_PLAYERS: Final = 9
_SHOWN_EVENTS: Final = 4
_SHOWN_MATCHES: Final = 8
_SHOWN_ERRORS: Final = 4
_MOST_POINTS: Final = 60
_MOST_RIVALS: Final = 10
SHARD: Final = 30_000
"""Errors of a file of the page of errors; the worst are in the first."""


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page of a site: its title, and the HTML in its main part."""

    title: str
    body: str


NAVIGATION: Final = (
    ("index.html", "Overview"), ("players.html", "Players"), ("matches.html", "Matches"),
    ("attention.html", "Attention"), ("errors.html", "Errors"), ("train.html", "Train"),
)  # fmt: skip
"""The pages that every page links to."""


def top_of(collection: PublishedMatches, up: str, here: str = "", crumbs: str = "") -> str:
    """What is above every page: the title of the site and the links to its pages."""
    links = "".join(
        f'<a href="{up}{address}"{" aria-current=page" if address == here else ""}>{name}</a>'
        for address, name in NAVIGATION
    )
    return (
        f'<nav class="bar" aria-label="Site"><a href="{up}index.html">{escape(collection.title)}</a>'
        f"<span>{links}</span>{crumbs}</nav>"
    )


def main_of(page: SitePage, foot: str, top: str = "") -> str:
    """A page: a link past what is above it, that, its main part and its last line."""
    skip = f'<a class="skip" href="#main">To the content</a>{top}'
    return f'{skip}<main class="site" id="main" tabindex="-1">{page.body}<footer>{foot}</footer></main>'


def foot_of(matches: Iterable[SiteMatch]) -> str:
    """The last line of a page: whose figures these matches have, and what they mean."""
    engines = sorted({each.document["engine"] for each in matches if each.document["engine"]})
    by = (
        f"PR as eXtreme Gammon counts it, by {'; '.join(engines)}, with its 95% interval; lower is better, and fewer "
        "than 30 counted decisions have none. Luck in matches: what the dice gave, in match winning chance."
    )
    return f"{escape(by) if engines else 'No engine has valued the decisions.'} Made by bgtools {__version__}."


# --- the front page -------------------------------------------------------------------------


def index_page(collection: PublishedMatches, links: SiteLinks, twice: Copies) -> SitePage:
    """The front page: what there is, who played how well, the newest matches, what needs a look, moments."""
    matches, ranked = collection.matches, collection.ranked
    years = sorted({each.document["date"][:4] for each in matches if each.document["date"]})
    span = "" if not years else f", {years[0]}" if len(years) == 1 else f", {years[0]} to {years[-1]}"
    decisions = sum(each.document["pr"][side][3] or 0 for each in matches for side in (0, 1))
    judged = f"; {decisions:,} decisions count" if decisions else ""
    unsound = len(matches) - len(collection.sound)
    look = "all are sound."
    if unsound:
        verb = "needs" if unsound == 1 else "need"
        needs = links.page("attention.html", f'<b class="bad">{unsound} {verb} a look</b>')
        sound = f"{len(collection.sound)} {'is' if len(collection.sound) == 1 else 'are'} sound"
        look = f"{sound}, {needs}."
    lead = (
        f'<div><h1 class="seen">{escape(collection.title)}</h1><p class="lede">'
        f"<b>{few(len(matches), 'match', 'matches')}</b> of {few(len(collection.players), 'player')} in "
        f"{few(len(collection.documents), 'record')}{span}{judged}; {look}</p></div>"
    )
    events = "".join(
        links.page(
            f"event/{each.slug}.html",
            f"<b>{escape(each.title)}</b><span>{few(len(each.matches), 'match', 'matches')}, "
            f"{few(len(each.event.players), 'player')}{_span(each.matches)}</span>",
            "card",
        )
        for each in [*collection.events.values()][:_SHOWN_EVENTS]
    )
    if len(collection.events) > _SHOWN_EVENTS:
        events += links.page(
            "matches.html", f"<b>all {len(collection.events)} events</b><span>with all matches</span>", "card"
        )
    everybody = [*collection.players.values()]
    rated = [each for each in everybody if each.pr.value is not None]
    shown = ranked or rated or sorted(everybody, key=lambda each: (-len(each.matches), each.name))
    people = card(
        "Players",
        players_table(rows_of(collection, shown[:_SHOWN_PLAYERS]), links)
        + quiet(f"{escape(apart_sentence(collection))} PR: lower is better. Luck: matches that the dice gave."),
        aside=links.page("players.html", f"all {few(len(collection.players), 'player')}"),
    )
    newest = card(
        "Matches",
        matches_table(matches[:_SHOWN_MATCHES], links),
        aside=links.page("matches.html", f"all {few(len(matches), 'match', 'matches')}"),
    )
    look_at = card(
        "What needs attention",
        _to_do(collection, links, twice),
        aside=links.page("attention.html", "all of it"),
        classes="first",
    )
    moments = _moments(collection, links)
    body = (
        f'{lead}<div class="events">{events}</div><div class="c7 stack">{people}{newest}</div>'
        f'<div class="c5 stack">{look_at}{moments}</div>'
    )
    return SitePage(collection.title, body)


def _span(matches: Sequence[SiteMatch]) -> str:
    """From which month to which some matches were played, after a dot; nothing where no record tells."""
    months = sorted({each.document["date"][:7] for each in matches if each.document["date"]})
    if not months:
        return ""
    return f" · {months[0]}" if len(months) == 1 else f" · {months[0]} to {months[-1]}"


def _to_do(collection: PublishedMatches, links: SiteLinks, twice: Copies) -> str:
    """What needs a look, a line a sort."""
    rows = [
        (len(some), verdict, ABOUT_VERDICTS[verdict], verdict.replace(" ", "-"))
        for verdict, some in collection.attention.items()
    ]
    if collection.unread:
        rows.append((len(collection.unread), "left out", "cannot be read, or hold no match", "left-out"))
    if twice:
        differ = sum(any(each.differences for each in found) for found in twice.values())
        rows.append(
            (
                len(twice),
                "recorded twice",
                f"{len(twice) - differ} identical, {differ} differ; each counts once",
                "twice",
            )
        )
    if collection.proposals:
        rows.append((len(collection.proposals), "names that may be one person", "names.toml joins them", "names"))
    dates = sum(each.document["date_from"] == "file name" for each in collection.matches)
    none = sum(not each.document["date"] for each in collection.matches)
    if dates or none:
        about = "; ".join(
            filter(
                None,
                (f"{dates} marked ≈" if dates else "", f"{none} {'has' if none == 1 else 'have'} none" if none else ""),
            )
        )
        rows.append((dates + none, "dates not in the record", about, "dates"))
    if not rows:
        return "<p>Nothing: every record is sound, dated and there once.</p>"
    listed = "".join(
        f'<li><b class="k">{count}</b><span>{links.page(f"attention.html#{name}", f"<b>{what}</b>")} '
        f'<span class="q">{escape(about)}</span></span></li>'
        for count, what, about, name in rows
    )
    return f'<ul class="todo">{listed}</ul>'


def _moments(collection: PublishedMatches, links: SiteLinks) -> str:
    """The costliest play, the luckiest roll, the greatest comeback and the best match; of sound records."""
    shots = []
    play = next(((match, each) for match, each in collection.errors if each["dice"]), None)
    if play is not None:
        shots.append(f"<h3>Costliest play</h3>{shots_of([play], links, has_reason=False)}")
    if collection.luckiest is not None:
        match, (gained, player, drawn) = collection.luckiest
        name = match.who[player]
        shown = board(drawn, match.who, f"{name} rolls {drawn['dice']}")
        text = (
            f"<p><b>{escape(name)}</b> rolls <b>{drawn['dice']}</b></p>{shown}"
            f'<p class="lucky">● {signed(100 * gained)}% match winning chance</p>'
            f'<p class="q">against {escape(match.who[1 - player])}, {match.document["date"] or "no date"}</p>'
        )
        shots.append(f"<h3>Luckiest roll</h3>{cards([links.page(match_address(match, drawn), text, 'shot')])}")
    lines = []
    if collection.comeback is not None:
        match, (chance, game, entry) = collection.comeback
        winner = match.document["winner"] or 0
        shown = "under 0.1" if chance < 0.001 else f"{100 * chance:.1f}"
        address = match_address(match, {"game": game, "entry": entry})
        text = links.page(address, f"{escape(match.who[winner])} won from {shown}%")
        lines.append(f'<b>Comeback:</b> {text} <span class="q">against {escape(match.who[1 - winner])}</span>')
    if collection.best_played is not None:
        match, side = collection.best_played
        text = links.page(match_address(match), f"{escape(match.who[side])}, PR {PR.text(match.pr(side), 1)}")
        lines.append(
            f'<b>Best played:</b> {text} <span class="q">in {match.document["pr"][side][3]} counted decisions</span>'
        )
    if not shots and not lines:
        return ""
    body = f'<div class="moments">{"".join(f"<div>{each}</div>" for each in shots)}</div>'
    body += f'<ul class="plain">{"".join(f"<li>{each}</li>" for each in lines)}</ul>'
    return card("Moments", body, aside=links.page("errors.html", f"all {few(len(collection.errors), 'error')}"))


# --- lists ----------------------------------------------------------------------------------


def players_page(collection: PublishedMatches, links: SiteLinks) -> SitePage:
    """All players by rating, and how to read that."""
    lead = quiet(
        f"{escape(apart_sentence(collection))} Those with fewer stand below, in grey and without a rank: their "
        "intervals are too wide to compare."
    )
    how = (
        "<p>The dot is the PR, the band its 95% interval: of such bands 19 in 20 hold what the player would have over "
        "very many games.</p><p>Two players whose bands overlap may be equally strong. Luck says how many matches the "
        "dice gave: <b>+1.0</b> is one match more than with even dice.</p>"
    )
    everybody = players_table(rows_of(collection, [*collection.players.values()]), links)
    body = card("All players", lead + everybody, wide=8, classes="wide")
    body += card("How to read this", how, wide=4, classes="wide")
    return SitePage(f"Players – {collection.title}", f"<h1>Players</h1>{body}")


def matches_page(collection: PublishedMatches, links: SiteLinks) -> SitePage:
    """All matches, the newest first, with a filter."""
    search = (
        '<p class="search"><label class="seen" for="q">Filter</label><input id="q" data-filter="all-matches" '
        'placeholder="Name, year or verdict"> <span id="shown" class="q n" aria-live="polite"></span></p>'
    )
    listed = f'<div id="all-matches">{matches_table(collection.matches, links, "All matches")}</div>'
    rows = [
        f'<tr><th scope="row">{links.page(f"event/{each.slug}.html", escape(each.title))}</th>'
        f"{cell(str(len(each.matches)), 'r')}{cell(str(len(each.event.players)), 'r')}"
        f"{cell(_span(each.matches).removeprefix(' · '))}{cell(escape(each.event.form), 'opt')}</tr>"
        for each in collection.events.values()
    ]
    heads = [head("event"), head("matches", "r"), head("players", "r"), head("from and to"), head("form", "opt")]
    events = card("Events", table("Events", heads, rows)) if len(rows) > 1 else ""
    return SitePage(f"Matches – {collection.title}", f"<h1>Matches</h1>{events}{card('All matches', search + listed)}")


def attention_sections(
    collection: PublishedMatches,
    links: SiteLinks,
    twice: Copies,
    *,
    shows_files: bool = True,
    event: str | None = None,
) -> str:
    """What needs a look, by verdict, and what is recorded twice; of one event, or of all."""
    text = ""
    for verdict, found in collection.attention.items():
        some = [(each, match) for each, match in found if event is None or event in match.events]
        if some:
            cases = "".join(case_article(each, match, links, shows_file=shows_files) for each, match in some)
            title = f"{verdict[:1].upper()}{verdict[1:]}: {len(some)}"
            about = f'<small class="q">{ABOUT_VERDICTS[verdict]}</small>'
            text += card(title, cases, aside=about, name=verdict.replace(" ", "-"))
    copies = [each for each in collection.matches if each.slug in twice and (event is None or event in each.events)]
    if copies:
        cases = "".join(_copies(each, twice[each.slug], links, shows_files=shows_files) for each in copies)
        text += card(
            f"Recorded twice: {len(copies)}",
            cases,
            name="twice",
            aside='<small class="q">one of each group counts</small>',
        )
    return text


def _copies(match: SiteMatch, found: Sequence[CopyReport], links: SiteLinks, *, shows_files: bool) -> str:
    """The records of one match: whether they agree, who has won in each, and where they differ."""
    differ = any(each.differences for each in found)
    lines = []
    for document, report in zip(match.copies, found, strict=True):
        name = document["file"] if shows_files else "another record"
        own, other = (_winner_of(each) for each in (match.document, document))
        won = f"; it says that {other} won, the counted record that {own} did" if own != other else ""
        some = "".join(f"<li>{escape(text)}</li>" for text in report.differences[:5])
        more = f"<li>and {len(report.differences) - 5} more</li>" if len(report.differences) > 5 else ""
        lines.append(f"<li><code>{escape(name)}</code>: {escape(report.sentence + won)}<ul>{some}{more}</ul></li>")
    mark = '<span class="v differ">they differ</span>' if differ else '<span class="v identical">identical</span>'
    title = links.page(match_address(match), " – ".join(map(escape, match.who)))
    counts = f"<p class='q'>The site counts <code>{escape(match.document['file'])}</code>.</p>" if shows_files else ""
    listed = "".join(lines)
    return (
        f'<article class="twice"><h3>{mark} {title} in {1 + len(found)} records</h3>{counts}<ul>{listed}</ul></article>'
    )


def _winner_of(document: Mapping[str, Any]) -> str:
    """Who won a match by a record, in words."""
    return "nobody" if document["winner"] is None else str(document["players"][document["winner"]])


def attention_page(
    collection: PublishedMatches,
    links: SiteLinks,
    twice: Copies,
    *,
    shows_files: bool = True,
) -> SitePage:
    """What needs a look: records by verdict, records twice, names, dates."""
    text = attention_sections(collection, links, twice, shows_files=shows_files)
    if collection.unread:
        unread = "".join(
            f"<li>{f'<code>{escape(file)}</code>: ' if shows_files else ''}{escape(why)}</li>"
            for file, why in collection.unread
        )
        text += card(f"Left out: {len(collection.unread)}", f"<ul>{unread}</ul>", name="left-out")
    if collection.proposals:
        rows = [
            f"<tr><td>{links.player(one)}</td><td>{links.player(two)}</td><td>{escape(reason)}</td></tr>"
            for one, two, reason in collection.proposals
        ]
        note = quiet('Nothing is joined before names.toml says so: <code>"The name" = ["another spelling"]</code>.')
        heads = [head("one name"), head("another"), head("why they may be one person")]
        text += card(
            "Names that may be one person", note + table("Names", heads, rows), wide=8, name="names", classes="wide"
        )
    dates = Counter(each.document["date_from"] if each.document["date"] else "" for each in collection.matches)
    said = f"{few(dates['header'], 'record')} {_verb(dates['header'], 'say')} when the match was played."
    if dates["file name"]:
        said += f" {dates['file name']} {_verb(dates['file name'], 'tell')} it in the name of the file alone (≈)."
    without = [each for each in collection.matches if not each.document["date"]]
    listed = ""
    if without and shows_files:
        files = "".join(f"<li><code>{escape(each.document['file'])}</code></li>" for each in without[:20])
        listed = f"<p>{len(without)} {_verb(len(without), 'tell')} nothing:</p><ul>{files}</ul>"
    elif without:
        listed = f"<p>{len(without)} {_verb(len(without), 'tell')} nothing.</p>"
    text += card("Dates", f"<p>{said}</p>{listed}", wide=4, name="dates", classes="wide")
    lead = quiet("Nothing is changed in the records. A proposal is the likeliest reading; it is yours to decide.")
    return SitePage(f"Needs a look – {collection.title}", f"<div><h1>What needs a look</h1>{lead}</div>{text}")


def _verb(count: int, verb: str) -> str:
    """A verb that fits a number."""
    return f"{verb}s" if count == 1 else verb


# --- a player -------------------------------------------------------------------------------


def player_page(collection: PublishedMatches, player: SitePlayer, links: SiteLinks) -> SitePage:
    """A player: the numbers, the course, rivals, the costliest decisions, and what they are about."""
    own = player.matches
    errors = collection.errors_by_player.get(player.name, [])
    claim = (
        "" if player.is_ranked else quiet("Fewer than 3 matches or 300 counted decisions: a glimpse, not a strength.")
    )
    if not collection.engines:
        claim = quiet("No engine has valued these decisions. <code>bgtools report FOLDER --engine sage</code> does.")
    known = player.pr.value is not None and player.pr.counted
    interval = (
        f"95% interval {PR.text(player.pr.low, 1)} to {PR.text(player.pr.high, 1)}, "
        if player.pr.low is not None
        else "too few for an interval, "
        if known
        else ""
    )
    dates = [match.document["date"] for match, _ in own if match.document["date"]]
    span = (
        f", {dates[0]} to {dates[-1]}" if len(dates) > 1 and dates[0] != dates[-1] else f", {dates[0]}" if dates else ""
    )
    blunders = sum(each["loss"] >= BLUNDER for _, each in errors)
    all_errors = links.page(errors_address(player=player.name), f"all {len(errors)}")
    figures = (
        figure("PR", PR.text(player.pr.value, 1) if known else "–", f"{interval}{few(player.pr.counted, 'decision')}")
        + figure("Matches", f"{player.won} – {player.lost}", f"{few(len(own), 'match', 'matches')}{span}")
        + figure("Luck", "–" if player.luck is None else signed(player.luck), _luck_text(player.luck))
        + figure("To learn from", str(len(errors)), f"errors, {blunders} of them blunders")
    )
    body = f"<div><h1>{escape(player.name)}</h1>{claim}</div>{figures}"
    body += card("Course", course_chart(_course(collection, player), links) + _COURSE_NOTE, wide=7, classes="wide")
    body += card("Rivals", _rivals(collection, player, links), wide=5, classes="wide")
    if errors:
        body += card("Costliest decisions", shots_of(errors[:_SHOWN_ERRORS], links, is_named=False), aside=all_errors)
    shares = collection.shares(player) if known else {}
    if shares:
        body += share_table("By kind and phase", shares["Kind and phase"], wide=6)
        body += share_table("By theme", shares["Theme"], wide=6, aside="a decision may have several")
        body += share_table("By score", shares["Score"], wide=4)
    body += _openings(player)
    results = [
        (int(match.document["winner"] == side), match.document["luck"][side] or 0.0)
        for match, side in own
        if match.document["winner"] is not None
        and match.document["unit"] == "mwc"
        and match.document["luck"][side] is not None
    ]
    if len(results) > 2:
        body += card("Luck", luck_chart(results), wide=4, classes="wide")
    if known and len(own) >= FEW_GROUPS and links.up is not None:
        # What the others did changes with every match: it stands in a file of its own, and this page stays.
        held = f'<div id="beside" data-player="{player.slug}" data-from="{links.up}data/field.js"></div>'
        body += card("Beside everybody else here", held, classes="wide")
    body += card("Matches", matches_table([match for match, _ in reversed(own)][:50], links))
    return SitePage(f"{player.name} – {collection.title}", body)


_COURSE_NOTE: Final = quiet(
    "A dot is a match, or a stretch of some, filled if won, with its interval; better is above. The line is the PR of "
    "all matches so far, the band its 95% interval."
)


def _luck_text(luck: float | None) -> str:
    if luck is None:
        return "not known"
    return f"matches that the dice {'gave' if luck >= 0 else 'took'}"


def _course(collection: PublishedMatches, player: SitePlayer) -> list[CoursePoint]:
    """The course of a rating: a point a match, or a stretch of them where they are many."""
    own = [each for each in player.matches if each[0].pr(each[1]) is not None]
    length = -(-len(own) // _MOST_POINTS) or 1
    points = []
    for at in range(0, len(own), length):
        some = own[at : at + length]
        match, side = some[-1]
        so_far = collection.rating(own[: at + length])
        score = match.document["score"]
        one = length == 1
        points.append(
            CoursePoint(
                match.document["date"],
                collection.rating(some),
                so_far,
                match.document["winner"] == side if one and match.document["winner"] is not None else None,
                match_address(match) if one else "",
                f" against {match.who[1 - side]}, {score[side]}–{score[1 - side]}" if one else f", {length} matches",
            )
        )
    return points


def _rivals(collection: PublishedMatches, player: SitePlayer, links: SiteLinks) -> str:
    """Against whom, with what result and how well both played."""
    met: defaultdict[str, list[tuple[SiteMatch, int]]] = defaultdict(list)
    for match, side in player.matches:
        met[match.who[1 - side]].append((match, side))
    rows = []
    for name, some in sorted(met.items(), key=lambda each: (-len(each[1]), each[0]))[:_MOST_RIVALS]:
        won, lost, luck = results_of(some)
        ratings = [
            collection.rating(some), collection.rating([(match, 1 - side) for match, side in some]),
        ]  # fmt: skip
        shown = "".join(cell(PR.text(each.value, 1) if each.counted >= FEW_DECISIONS else "–", "r") for each in ratings)
        rows.append(
            f'<tr><th scope="row">{links.player(name)}</th>{cell(f"{won}–{lost}", "r")}{shown}'
            f"{cell('' if luck is None else signed(luck), 'r')}</tr>"
        )
    more = quiet(f"and {len(met) - _MOST_RIVALS} more") if len(met) > _MOST_RIVALS else ""
    heads = [head(""), head("won–lost", "r"), head("own PR", "r"), head("theirs", "r"), head("luck", "r")]
    return table("Rivals", heads, rows) + more


def _openings(player: SitePlayer) -> str:
    """The first plays of games by roll, the costliest first."""
    by: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    for match, side in player.matches:
        for who, roll, played, lost in match.document["openings"]:
            if who == side:
                by[roll].append((played, lost))
    rows = []
    for roll, some in sorted(by.items(), key=lambda each: (-sum(lost for _, lost in each[1]), each[0]))[:8]:
        lost = sum(loss for _, loss in some) / len(some)
        plays = ", ".join(
            f"{escape(play)}{f' ×{count}' if count > 1 else ''}"
            for play, count in Counter(play for play, _ in some).most_common(3)
        )
        shown = "–" if lost < 0.0005 else f"−{LOST.text(lost)}"
        rows.append(f'<tr><th scope="row">{roll}</th>{cell(plays)}{cell(str(len(some)), "r")}{cell(shown, "r")}</tr>')
    if not rows:
        return ""
    heads = [head("roll"), head("played"), head("times", "r"), head("each lost", "r")]
    return card(
        "Openings",
        table("Openings", heads, rows),
        wide=4,
        aside='<small class="q">the costliest first</small>',
        classes="wide",
    )


# --- an event -------------------------------------------------------------------------------


def event_page(
    collection: PublishedMatches,
    held: SiteEvent,
    links: SiteLinks,
    twice: Copies,
    *,
    shows_files: bool = True,
) -> SitePage:
    """An event: its form, results, crosstable, matches, the costliest decisions, and what needs a look."""
    event = held.event
    sound = sum(each.is_sound for each in held.matches)
    records = len(held.matches) + sum(len(each.copies) for each in held.matches)
    look = "" if sound == len(held.matches) else f', <b class="bad">{len(held.matches) - sound} need a look</b>'
    lead = (
        f"<div><h1>{escape(held.title)}</h1><p><b>{few(len(held.matches), 'match', 'matches')}</b> of "
        f"{few(len(event.players), 'player')}{_span(held.matches)}, in {few(records, 'record')}; "
        f"{sound} sound{look}.</p>"
        f'<p class="q" id="form">{escape(event.sentence)}{_forfeits(held)}</p></div>'
    )
    is_table = event.form != "one player's" and len(event.players) > 2
    wide = 5 if is_table else 7
    text = card("Results", _results(collection, held, links), wide=wide, classes="wide")
    if is_table:
        about = '<small class="q">1 won, 0 lost, 2:1 of several; ! a record that needs a look</small>'
        text += card("Crosstable", crosstable(event.players, held.matches, links), wide=7, aside=about, classes="wide")
    rounds = {each.round for each in event.results if each.round}
    named = quiet(f"Rounds as written: {escape('; '.join(sorted(rounds)))}") if rounds else ""
    text += card("Matches", matches_table(held.matches, links) + named, wide=6 if is_table else 5, classes="wide")
    errors = [(match, each) for match, each in collection.errors if held.key in match.events][:_SHOWN_ERRORS]
    if errors:
        aside = links.page(errors_address(event=held.slug), "all of this event")
        text += card(
            "Costliest decisions", shots_of(errors, links), wide=6 if is_table else 12, aside=aside, classes="wide"
        )
    text += attention_sections(collection, links, twice, shows_files=shows_files, event=held.key)
    return SitePage(f"{held.title} – {collection.title}", lead + text)


def _forfeits(held: SiteEvent) -> str:
    count = sum(each.is_forfeit for each in held.event.results)
    return f" {few(count, 'match', 'matches')} not played, by event.toml." if count else ""


def _results(collection: PublishedMatches, held: SiteEvent, links: SiteLinks) -> str:
    """The players of an event by matches won."""
    event = held.event
    rows = []
    for each in event.standings:
        own = [(match, match.who.index(each.name)) for match in held.matches if each.name in match.who]
        mark = "<sup>!</sup>" if each.unsound else ""
        balance = each.points - each.points_against
        rows.append(
            f'<tr>{cell(str(each.rank or ""), "r q")}<th scope="row">{links.player(each.name)}</th>'
            f"{cell(f'{each.matches_won}–{each.matches_lost}{mark}', 'r')}{cell(signed(balance, 0), 'r opt')}"
            f"{rating_cells(collection.rating(own))}</tr>"
        )
    heads = [
        head(""),
        head("player"),
        head("won–lost", "r"),
        head("points", "r opt"),
        head("PR", "r"),
        head("0 to 20, 95%"),
    ]
    note = (
        "Ranked by matches won; players with as many share a rank, for the records state no tie-break."
        if event.form in PLAYED_BY_ROUND
        else "In the order of matches won, which is no ranking of an event."
    )
    return table("Results", heads, rows) + quiet(note)


# --- errors ---------------------------------------------------------------------------------

FIELDS: Final = (
    "match", "player", "game", "entry", "kind", "board", "answer", "on", "cube", "offered", "dice", "hops", "played",
    "best", "loss", "phase", "themes", "away", "crawford", "sentence",
)  # fmt: skip
"""The columns of a row of the errors of a site."""

STRUCTURES: Final = (
    "on the bar", "opponent on the bar", "own prime of 4+", "prime of 4+ against", "own board of 4+",
    "board of 4+ against", "an anchor", "opponent's anchor", "10+ pips ahead", "10+ pips behind",
)  # fmt: skip
"""What a position may have; errors.js tells it from the board."""


def error_shards(collection: PublishedMatches) -> list[dict[str, Any]]:
    """The errors of all records, the worst first, in parts; the first part has the matches beside them."""
    matches = [each for each in collection.matches if each.document["errors"]]
    at = {each.slug: number for number, each in enumerate(matches)}
    found = sorted(
        ((match, each) for match in matches for each in match.document["errors"]), key=lambda each: -each[1]["loss"]
    )
    rows = []
    for match, each in found:
        own: dict[str, Any] = {
            **each, "match": at[match.slug], "kind": KINDS.index(each["kind"]),
            "phase": PHASES.index(each["phase"]), "loss": round(1000 * each["loss"]),
            "themes": [THEME_NAMES.index(theme) for theme in each["themes"] if theme in THEME_NAMES],
            "answer": int(each["answer"]), "crawford": int(each["crawford"]),
        }  # fmt: skip
        rows.append([own[name] for name in FIELDS])
    about = {
        "fields": FIELDS, "kinds": KINDS, "phases": PHASES, "themes": THEME_NAMES, "asks": ASKS, "done": DONE,
        "count": len(rows),
        "shards": max(1, -(-len(rows) // SHARD)),
        "matches": [
            {
                "slug": each.slug, "names": each.who, "date": each.document["date"],
                "events": [collection.events[key].slug for key in each.events], "ok": int(each.is_sound),
            }
            for each in matches
        ],
    }  # fmt: skip
    first, *others = [rows[start : start + SHARD] for start in range(0, max(len(rows), 1), SHARD)]
    return [{**about, "rows": first}, *({"rows": some} for some in others)]


def errors_page(collection: PublishedMatches) -> SitePage:
    """All errors, with filters that are the address."""
    found = [each for match in collection.matches for each in match.document["errors"]]
    people = sorted(
        {match.who[each["player"]] for match in collection.matches for each in match.document["errors"]},
        key=str.casefold,
    )
    themes = [name for name, _ in Counter(theme for each in found for theme in each["themes"]).most_common()]
    phases = sorted({each["phase"] for each in found if each["phase"]})
    events = [(each.slug, each.title) for each in collection.events.values()]
    kinds = [
        ("play", "checker plays"),
        ("cube", "cube actions"),
        ("no double", "missed doubles"),
        ("double", "doubles"),
        ("take", "takes"),
        ("pass", "passes"),
    ]
    scores = [("dmp", "double match point"), ("ahead", "ahead"), ("level", "level"), ("behind", "behind")]
    sizes = [("0.02", "error, .020 or more"), ("0.08", "blunder, .080 or more"), ("0.2", ".200 or more")]
    selects = "".join(
        (
            _select("player", "Player", _same(people)), _select("kind", "Kind", kinds),
            _select("theme", "Theme", _same(themes)), _select("phase", "Phase", _same(phases)),
            _select("has", "Position", _same(STRUCTURES)), _select("score", "Score", scores),
            _select("loss", "Loss", sizes),
            '<label>Roll<input name="dice" placeholder="61" inputmode="numeric" maxlength="2"></label>',
            _select("event", "Event", events),
            _select("sort", "Order", [("new", "newest first")], "costliest first"),
            _select("records", "Records", [("all", "all, faulty ones too")], "sound ones"),
        )
    )  # fmt: skip
    body = (
        '<h1>Errors</h1><aside class="c3 fl rel"><form class="card" id="find" aria-label="Which errors">'
        '<details class="find" id="filters"><summary id="count" aria-live="polite">Which errors</summary>'
        f'<div>{selects}<button type="reset">Show all</button></div></details></form></aside>'
        '<section class="c9 fr" aria-label="Found"><ul class="shots" id="found"></ul>'
        '<p><button type="button" id="more">Show more</button></p></section>'
    )
    return SitePage(f"Errors – {collection.title}", body)


def _same(values: Iterable[str]) -> list[tuple[str, str]]:
    return [(each, each) for each in values]


def _select(name: str, label: str, values: Sequence[tuple[str, str]], otherwise: str = "any") -> str:
    options = "".join(f'<option value="{escape(value)}">{escape(text)}</option>' for value, text in values)
    return f'<label>{label}<select name="{name}"><option value="">{otherwise}</option>{options}</select></label>'
