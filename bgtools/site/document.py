"""The document of a match: all that the pages of a site show of it, as plain values that are kept between runs.

It is made once for a record and the conventions of its analysis. What stands on several pages, such as the rating of
a player, is added up from the documents of all matches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypedDict, cast, get_args

from bgtools.analysis.blunders import Blunder, can_be_asked
from bgtools.analysis.lessons.themes import THEMES
from bgtools.analysis.match_analysis import player_names
from bgtools.analysis.pooling import factor_of
from bgtools.analysis.rows import DecisionKind, Phase
from bgtools.comparison.fingerprint import Fingerprint
from bgtools.findings.finding import printable
from bgtools.library.recording import date_of
from bgtools.record.record import CheckerPlay
from bgtools.repair.repairing import repaired
from bgtools.repair.states import RepairRefused
from bgtools.reports.curves import met_of
from bgtools.reports.findings import in_words
from bgtools.reports.page.data import page_data, question_data
from bgtools.reports.table_kinds import origin
from bgtools.site.hiding import without_names_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bgtools.analysis.comparison import EngineComparison
    from bgtools.analysis.rows import DecisionRow
    from bgtools.analysis.totals import Analysis
    from bgtools.checks.settings import Policy
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match
    from bgtools.repair.verdicts import MatchVerdict

DOCUMENT_VERSION: Final = 2
"""Version of the layout of a document; what is kept of another version is made again."""

PHASES: Final[tuple[str, ...]] = get_args(Phase)
KINDS: Final[tuple[str, ...]] = get_args(DecisionKind)
THEME_NAMES: Final = tuple(each.name for each in THEMES)
SCORES: Final = ("money", "double match point", "Crawford", "post-Crawford", "ahead", "behind", "level")

_POINTS: Final = 1000
"""Losses are kept in thousandths of a point of PR."""
_ASKED: Final = 12
"""So many of the worst errors of a match are kept as questions to train with."""


class ErrorCard(TypedDict):
    """An error as a board with what was done and what would have been right; ``docs/publish.md`` lists the fields."""

    game: int
    entry: str
    player: int
    kind: str
    board: str
    answer: bool
    on: int
    cube: list[Any]
    offered: int
    dice: str
    hops: list[list[int]]
    played: str
    best: str
    loss: float
    phase: str
    themes: list[str]
    away: list[int]
    crawford: bool
    sentence: str


class Case(TypedDict):
    """A finding that makes a check fail: what is written, what is proposed, and the board."""

    code: str
    message: str
    where: str
    facts: str
    written: str
    proposed: str
    others: list[str]
    card: dict[str, Any] | None


class MatchDocument(TypedDict):
    """What the pages show of a match.

    ``counted`` has a row for each decision that XG's rating counts: the player, what the decision adds to the rating's
    sum in thousandths, and the indices of its phase, kind and score with those of its themes.
    """

    file: str
    number: int
    players: list[str]
    length: int
    score: list[int]
    winner: int | None
    event: str
    round: str
    date: str
    date_from: str
    verdict: str
    wrong: str
    engine: str
    pr: list[list[float | None]]
    luck: list[float | None]
    unit: str
    counted: list[list[Any]]
    openings: list[list[Any]]
    errors: list[ErrorCard]
    questions: list[dict[str, Any]]
    lucky: list[Any]
    comeback: list[Any]
    cases: list[Case]
    fingerprint: str


def document_of(
    match: Match,
    analysis: Analysis,
    comparison: EngineComparison | None,
    verdict: MatchVerdict,
    found: Sequence[Finding],
    policy: Policy,
    file: str,
    number: int,
    hidden: Mapping[str, str] | None = None,
) -> tuple[MatchDocument, dict[str, Any]]:
    """The document of a match, and the data of its page.

    Args:
        match: the record.
        analysis: its figures.
        comparison: what several engines find; None of one.
        verdict: on the record.
        found: what `bgtools.repair.verdicts.verdict_on` found in it.
        policy: which findings make a check fail.
        file: the path of the record below the folder.
        number: which match of the file it is, from 1; 0 where it is the only one.
        hidden: what stands for names that are hidden; ``match`` and ``analysis`` hold none of them.
    """
    called = "" if hidden else file.rpartition("/")[2]
    page = page_data(analysis, match, found, comparison, file=called)
    stands = origin(file, number, analysis, match)
    date, date_from = date_of(match, file, "")
    ratings = [(total.ratings or {}).get("xg_pr") for total in analysis.players]
    results = [total.luck_adjusted_result for total in analysis.players]
    document = MatchDocument(
        file=file,
        number=number,
        players=[printable(name) for name in player_names(match)],
        length=analysis.match.length,
        score=list(verdict.points),
        winner=verdict.winner,
        event=printable(stands.event),
        round=printable(match.tag("Round") or ""),
        date=date,
        date_from=date_from,
        verdict=verdict.verdict,
        wrong=printable(verdict.wrong),
        engine=stands.engine,
        pr=[[each.value, each.low, each.high, each.counted] if each else [None, None, None, 0] for each in ratings],
        luck=[each.net_luck if each else None for each in results],
        unit=next((each.unit for each in results if each), ""),
        counted=list(_counted(analysis)),
        openings=[*_openings(analysis)],
        errors=[_error(page, *at) for at in page["errors"]],
        questions=[*_questions(analysis, called, number, date)],
        lucky=_luckiest(page),
        comeback=_comeback(page, verdict.winner),
        cases=[_case(each, match, page, found) for each in found if policy.fails([each])],
        fingerprint=Fingerprint.of(match).text,
    )
    if hidden:
        document["wrong"] = without_names_in(document["wrong"], hidden)
        document["cases"] = without_names_in(document["cases"], hidden)
        page["findings"] = without_names_in(page["findings"], hidden)
    return document, page


def _counted(analysis: Analysis) -> Iterator[list[Any]]:
    for total in analysis.players:
        rating = (total.ratings or {}).get("xg_pr")
        if rating is None or rating.value is None:
            continue
        factor = factor_of(rating)
        for row in analysis.decisions:
            if row.player == total.player and row.counted_by["xg"].counted:
                themes = [THEME_NAMES.index(each) for each in row.themes if each in THEME_NAMES]
                at = [PHASES.index(row.phase), KINDS.index(row.kind), SCORES.index(_sort_of_score(row))]
                yield [total.player, round(factor * (row.loss or 0.0) * _POINTS), *at, *themes]


def _sort_of_score(row: DecisionRow) -> str:
    """How the match stood for the player, one of `SCORES`."""
    own, others = (row.length - points for points in row.score)
    if not row.length:
        return "money"
    if own == others == 1:
        return "double match point"
    if row.crawford or min(own, others) == 1:
        return "Crawford" if row.crawford else "post-Crawford"
    return "level" if own == others else "ahead" if own < others else "behind"


def _openings(analysis: Analysis) -> Iterator[list[Any]]:
    """The first play of each game: by whom, the roll, the play and what it lost."""
    for row in analysis.decisions:
        if row.kind == "checker play" and row.turn == 1 and row.loss is not None:
            yield [row.player, row.dice, row.played, round(row.loss, 5)]


def _questions(analysis: Analysis, file: str, number: int, date: str) -> Iterator[dict[str, Any]]:
    """The worst errors as questions, each with its game and entry for a link."""
    names, met = analysis.match.players, met_of(analysis)
    rows = sorted((row for row in analysis.decisions if row.error and row.loss), key=lambda row: -(row.loss or 0.0))
    plays = analysis.plays
    asked = (
        Blunder(file, number or 1, names, row, row.game, date, plays=plays.get((row.game, row.entry))) for row in rows
    )
    for blunder in [each for each in asked if can_be_asked(each.row)][:_ASKED]:
        question = question_data(blunder, met)
        yield {**question, "where": question["where"].removeprefix(", ")}


# --- boards ---------------------------------------------------------------------------------


def _drawn(step: Mapping[str, Any], game: Mapping[str, Any], length: int, player: int) -> dict[str, Any]:
    """The board of a step of a page, as a script of the site draws it."""
    answer = step["player"] != step["on_roll"] and step["action"] in ("take", "drop", "beaver", "raccoon", "accept")
    owner = step["cube"][1]
    if answer:
        owner = {"mine": "theirs", "theirs": "mine"}.get(owner, owner)
    away = [length - game["score"][each] for each in (player, 1 - player)] if length else [0, 0]
    return {
        "game": game["game"], "entry": step["entry"], "player": player, "board": step["board"], "answer": answer,
        "on": player if answer else step["on_roll"], "cube": [step["cube"][0], owner], "offered": step["offered"],
        "dice": step["dice"], "hops": step["hops"], "away": away, "crawford": bool(game["crawford"]),
    }  # fmt: skip


def _error(page: Mapping[str, Any], game: int, step: int, decision: int) -> ErrorCard:
    """An error of a page."""
    held = next(each for each in page["games"] if each["game"] == game)
    stands = held["steps"][step]
    row = stands["decisions"][decision]
    return _card(stands, held, page["length"], row)


def _card(step: Mapping[str, Any], game: Mapping[str, Any], length: int, row: Mapping[str, Any]) -> ErrorCard:
    """A decision of a step as a card."""
    is_play = row["kind"] == "checker play"
    drawn = _drawn(step, game, length, row["player"])
    if not is_play:
        drawn |= {"dice": "", "hops": []}
    drawn["offered"] = 0 if is_play else drawn["offered"]
    names = ("kind", "played", "best", "loss", "phase", "themes", "sentence")
    return cast("ErrorCard", {**drawn, **{name: row[name] for name in names}})


def card_of(blunder: Blunder) -> ErrorCard:
    """A decision of any record as a card."""
    question = question_data(blunder, None)
    game = {"game": question["game"], "score": question["score"], "crawford": question["crawford"]}
    return _card(question, game, question["length"], question["decisions"][0])


def _luckiest(page: Mapping[str, Any]) -> list[Any]:
    """The roll that gave most: match winning chance, the player, and the board; nothing where no luck is known."""
    best: tuple[float, Any, Any] | None = None
    for game in page["games"]:
        for step in game["steps"]:
            if step["luck_mwc"] is not None and (best is None or step["luck_mwc"] > best[0]):
                best = step["luck_mwc"], step, game
    if best is None:
        return []
    return [best[0], best[1]["player"], _drawn(best[1], best[2], page["length"], best[1]["player"])]


def _comeback(page: Mapping[str, Any], winner: int | None) -> list[Any]:
    """The least chance that the winner of a match had, by the value of the play: chance, game and entry."""
    found: list[Any] = []
    for game in page["games"] if winner is not None else ():
        for step in game["steps"]:
            if step["chance"] is not None:
                chance = step["chance"] if winner == 0 else 1 - step["chance"]
                if not found or chance < found[0]:
                    found = [round(chance, 4), game["game"], step["entry"]]
    return found


# --- what needs a look ----------------------------------------------------------------------


def _case(finding: Finding, match: Match, page: Mapping[str, Any], found: Sequence[Finding]) -> Case:
    source = finding.source or match.source
    fix = finding.fix
    places = [] if source is None or not finding.span.end else [f"line {source.location(finding.span.start).line}"]
    places += [f"{name} {getattr(finding, name)}" for name in ("game", "turn") if getattr(finding, name) is not None]
    written = proposed = ""
    others: list[str] = []
    if fix is not None and source is not None:
        written = " ".join(source.text[slice(*fix.span)].split())
        proposed = " ".join(fix.text.split())
        if fix.words or max(len(written), len(proposed)) > _LONGEST or not proposed:
            written, proposed = "", in_words(fix, source)
        others = [in_words(each, source) for each in fix.alternatives]
    return Case(
        code=finding.code.id,
        message=printable(finding.message),
        where=", ".join(places),
        facts=printable("; ".join(finding.facts)),
        written=printable(written),
        proposed=printable(proposed),
        others=[printable(each) for each in others],
        card=_board_of(finding, page, found),
    )


_LONGEST: Final = 130


def _board_of(finding: Finding, page: Mapping[str, Any], found: Sequence[Finding]) -> dict[str, Any] | None:
    """The board of a finding with what was played, and what the repaired record has there; None without a board."""
    for game in page["games"]:
        if (game["number"] or game["game"]) != finding.game:
            continue
        for step in game["steps"]:
            if step["entry"] == str(finding.entry):
                player = step["player"]
                right = _repaired_play(finding, found) if step["action"] == "roll" else ""
                return {**_drawn(step, game, page["length"], player), "best": right, "played": step["played"]}
    return None


def _repaired_play(finding: Finding, found: Sequence[Finding]) -> str:
    """The play that stands in place of a finding once all likely fixes are made; "" where there is none."""
    plan: Any = finding.plan
    if plan is None or finding.fix is None or finding.fix.alternatives or finding.entry is None:
        return ""
    try:
        done = repaired(plan, unsafe=True)
    except RepairRefused:
        return ""
    at = next((n for n, some in enumerate(plan.state.found) if finding in some), 0)
    before, after = plan.state.matches[at], done.matches[at] if at < len(done.matches) else None
    for number, game in enumerate(before.games):
        if game.number == finding.game and after is not None and number < len(after.games):
            old, new = (each.entries for each in (game, after.games[number]))
            entry = new[finding.entry - 1] if len(old) == len(new) and finding.entry <= len(new) else None
            return str(entry.text) if isinstance(entry, CheckerPlay) and entry.dice else ""
    return ""
