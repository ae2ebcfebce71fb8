"""Reading the JSON of OGXM matches, which GammonView saves as ``.gva``."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from bgtools.formats.bgf.notes import (
    PlayFigures,
    chances_of,
    cube_analysis,
    date_tags,
    joined,
    level_of,
    named,
    play_analysis,
)
from bgtools.formats.bgf.plies import ROLLS, ActionCode, Counts, OgxmGameDraft, OgxmMatchDraft, PlyDraft, Steps, finish
from bgtools.formats.content import FormatError
from bgtools.formats.limits import MOST_GAMES
from bgtools.formats.ogxm import layout
from bgtools.formats.ogxm.remarks import restate
from bgtools.formats.shared.json_values import figure, items, load, member, objects, text, unread, whole
from bgtools.formats.shared.tags import BEAVERS_ON
from bgtools.record.annotation import Annotation
from bgtools.rules.options import Ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.formats.content import Content
    from bgtools.record.annotation import CubeAnalysis, Probabilities
    from bgtools.record.record import Match

_PLACES: Final = 26
_MOST_CHECKERS: Final = 127
_CHANCES: Final = ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")
_EQUITIES: Final = ("no_double_equity", "double_take_equity", "double_pass_equity")
_DERIVED: Final = (
    "source", "white_score", "black_score", "result", "games.game_index", "games.first_to_move", "games.is_crawford",
    "games.is_lastgame", "plies.d1", "plies.d2", "ogid_before", "ogid_after", "analysis_info.analysis_id",
    "analyses_info.analysis_id", "analysis_index", "best_equity", "played_equity", "eval.equity", "analysis.eval",
    "analyses.eval", "decision", "action",
)  # fmt: skip
"""What only repeats the plays, the scores and the figures of the best play, or says how the file was made."""
_NOBODY: Final = 255
_TEXTS: Final = (("Event", "event"), ("Round", "stage"), ("Site", "site"), ("Match ID", "match_ref"))


def read(content: Content) -> tuple[Match, ...]:
    """Read a file: one match.

    Raises:
        FormatError: it is not valid JSON, or holds no match.
    """
    document = load(content.source.text, "this file")
    if not isinstance(document.get("games"), list) or "match_length" not in document:
        raise FormatError("this JSON holds no OGXM match: it has no match_length, or no list of games")
    return (finish(_match(document), content.name),)


def _match(document: dict[str, Any]) -> OgxmMatchDraft:
    length = whole(document["match_length"], least=0, most=9999)
    money = not length
    faults = []
    number = whole(document.get("variant"), least=0)
    if number >= len(layout.VARIANTS):
        faults.append(f"the variant {number} is not known; the match is judged by the rules of backgammon")
        number = 0
    draft = OgxmMatchDraft(
        where="match",
        players=(text(document, "player_white"), text(document, "player_black")),
        length=length,
        rules=Ruleset(
            crawford=document.get("crawford") is True and not money,
            jacoby=document.get("jacoby") is True and money,
            beavers=max(BEAVERS_ON * (document.get("raccoon") is True), int(document.get("beaver") is True)) * money,
            automatic_doubles=int(document.get("auto_doubles") is True) * money,
            cube_limit=whole(document.get("cube_limit"), least=1) or None,
            variant=layout.VARIANTS[number],
        ),
        tags=list(_tags(document)),
        faults=faults,
    )
    draft.remarks += _remarks(document)
    blocks = [member(document, "analysis_info")]
    if isinstance(document.get("analyses_info"), list):
        blocks = list(objects(document, "analyses_info"))
    # One game more than are kept is read, so that a finding reports the games left out.
    for at, game in enumerate(islice(objects(document, "games"), MOST_GAMES + 1)):
        draft.games.append(_game(game, f"games[{at}]", blocks))
    start = [whole(points, least=0) for points in items(document, "score_start")]
    if draft.games and len(start) == 2 and any(start):
        draft.games[0].score = (start[0], start[1])
    draft.unread = unread(document, _DERIVED)
    return draft


def _tags(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for key, name in _TEXTS:
        if value := text(document, name):
            yield key, value
    yield from date_tags(whole(document.get("timestamp"), least=0, most=1 << 40) * 1000, whole_days=False)
    for number, name in enumerate(("white_profile", "black_profile"), 1):
        rating = figure(member(document, name).get("rating"))
        if rating is not None:
            yield f"Player {number} Elo", f"{rating:.2f}"


def _remarks(holder: dict[str, Any]) -> Iterator[str]:
    plain = (each for each in objects(holder, "annotations") if not text(each, "key"))
    return (found for each in plain if (found := text(each, "value")))


def _board(value: Any) -> Counts | None:
    if not isinstance(value, list) or len(value) != _PLACES:
        return None
    return tuple(whole(count, least=-_MOST_CHECKERS, most=_MOST_CHECKERS) for count in value)


def _steps(holder: dict[str, Any], name: str) -> Steps:
    return tuple((whole(step.get("from"), -1), whole(step.get("pips"))) for step in objects(holder, name))


def _game(game: dict[str, Any], where: str, blocks: list[dict[str, Any]]) -> OgxmGameDraft:
    winner = whole(game.get("winner"), _NOBODY)
    draft = OgxmGameDraft(
        where=where,
        winner=winner,
        points=whole(game.get("points_won"), least=0),
        cube=whole(game.get("initial_cube_value"), 1),
        owner=whole(game.get("initial_cube_owner"), 2),
        automatic=whole(game.get("auto_doubles"), least=0),
    )
    draft.remarks += _remarks(game)
    plies = list(objects(game, "plies"))
    draft.board = _board(game.get("initial_board"))
    if draft.board is not None and plies and plies[0].get("set_position") == game.get("initial_board"):
        plies[0]["action_id"] = ActionCode.NOTHING  # the first ply sets the same board again
    draft.plies = [_ply(ply, f"{where}.plies[{at}]", blocks) for at, ply in enumerate(plies)]
    return draft


def _ply(ply: dict[str, Any], where: str, blocks: list[dict[str, Any]]) -> PlyDraft:
    draft = PlyDraft(
        action=whole(ply.get("action_id"), ActionCode.NOTHING, least=0),
        player=0 if whole(ply.get("color")) == 1 else 1,
        where=where,
        level=whole(ply.get("resign_value")) or None,
        cube=whole(ply.get("cube_value")) or None,
        owner=whole(ply.get("cube_owner"), 2),
    )
    if draft.action < len(ROLLS):
        draft.steps = _steps(ply, "moves")
    elif draft.action == ActionCode.SET_POSITION:
        draft.board = _board(ply.get("set_position"))
        dice = whole(ply.get("d1")), whole(ply.get("d2"))
        draft.dice = dice if min(dice) > 0 and max(dice) <= 9 else None
    draft.remarks += _remarks(ply)
    keyed = {text(each, "key"): text(each, "value") for each in objects(ply, "annotations")}
    restate(draft, keyed.get)
    several = list(objects(ply, "analyses")) or [member(ply, "analysis")]
    for analysis in several:
        at = whole(analysis.get("analysis_index"), least=0)
        note = _note(analysis, draft, blocks[at] if at < len(blocks) else {})
        if note is not None:
            draft.note = joined(draft.note, note)
    return draft


def _chances(holder: dict[str, Any], name: str = "eval") -> Probabilities | None:
    figures = member(holder, name)
    return chances_of([figure(figures.get(key)) or 0.0 for key in _CHANCES])


def _note(analysis: dict[str, Any], ply: PlyDraft, block: dict[str, Any]) -> Annotation | None:
    if not analysis:
        return None
    base = text(block, "eval_level")
    depth = whole(analysis.get("ply")) or whole(block.get("ply"))
    valued = [
        PlayFigures(
            _steps(each, "move"), figure(each.get("equity")), _chances(each),
            level_of(text(each, "eval_level") or base, depth), figure(each.get("cubeless_equity")),
            each.get("is_played") is True,
        )
        for each in objects(analysis, "alternatives")
    ]  # fmt: skip
    plays = play_analysis(valued, ply.player, "emg", figure(analysis.get("equity_loss")))
    cube = next(
        (
            found
            for each in (analysis, member(analysis, "missed_double"), member(analysis, "cube_decision"))
            if (found := _cube(each, ply, base, depth)) is not None
        ),
        None,
    )
    luck = figure(analysis.get("luck")) if ply.action < len(ROLLS) else None
    if plays is None and cube is None and luck is None:
        return None
    return Annotation(program=named(block), plays=plays, cube=cube, luck=luck)


def _cube(found: dict[str, Any], ply: PlyDraft, base: str, depth: int) -> CubeAnalysis | None:
    equities = [figure(found.get(name)) for name in _EQUITIES]
    if equities[0] is None or equities[1] is None:
        return None
    return cube_analysis(
        equities, _chances(found), "emg", level_of(text(found, "eval_level") or base, depth),
        figure(found.get("equity_loss")), answers=ply.action in (ActionCode.TAKE, ActionCode.DROP, ActionCode.BEAVER),
    )  # fmt: skip
