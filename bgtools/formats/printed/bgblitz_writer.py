"""Writing BGBlitz's text of a position, in each of its languages. `bgtools.formats.printed.bgblitz` reads it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, repeat
from typing import TYPE_CHECKING, Final

from bgtools.formats.content import FormatError
from bgtools.formats.printed.extras import ACTION, CUBEFUL, DEVIATION, WINNING
from bgtools.positions.draw import encode_bgblitz_board
from bgtools.positions.gnubg import encode_match_id, encode_position_id
from bgtools.positions.position import IdError, Position
from bgtools.positions.xgid import encode_xgid
from bgtools.record.annotation import Annotation
from bgtools.record.record import CheckerPlay, Double, SetBoard, is_position
from bgtools.replayer.match import replay
from bgtools.replayer.valued import cube_in, plays_in
from bgtools.rules.cube import Cube, MatchState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgtools.record.annotation import Candidate, CubeAnalysis, PlayAnalysis, Probabilities
    from bgtools.record.record import Match


@dataclass(frozen=True, slots=True)
class _Language:
    """The words of one language, as BGBlitz of 2025 writes them.

    Attributes:
        plays: the heading above the plays of a roll.
        chances: the heading above the table of chances.
        equity, cubeless: the words before and after the name of the player whose equity follows.
        deviation: the words before the standard deviation of the equity.
        cubeful: the words before the chance to win the match, with the blanks that follow them.
        right: the words before the right cube action.
        no_double, take, drop: the cube actions in their table; ``no_double`` also is in the right cube action.
        double, redouble: the other actions of the player on roll, in the right cube action.
        accept, reject: the answers of the other player, in the right cube action.
    """

    plays: str
    chances: str
    equity: str
    cubeless: str
    deviation: str
    cubeful: str
    right: str
    no_double: str
    take: str
    drop: str
    double: str
    redouble: str
    accept: str
    reject: str


_LANGUAGES: Final = {
    "en": _Language(
        plays="Evaluation", chances="Wins  G+BG  BG", equity="Equity", cubeless="cubeless",
        deviation="Std.Dev.", cubeful="Equity (cubeful)    ", right="Cube Action",
        no_double="No Double", take="Double / Take", drop="Double / Pass",
        double="Double", redouble="Redouble", accept="Take", reject="Reject",
    ),
    "de": _Language(
        plays="Bewertung", chances="Siege G+BG  BG", equity="Erwartungswert", cubeless="ohne Doppler",
        deviation="Std.Abw.", cubeful="Auszahlungserw. (mit Doppler)   ",
        right="Würfelaktion", no_double="Kein Doppel", take="Doppeln / Annehmen", drop="Doppeln / Ablehnen",
        double="Doppeln", redouble="Redoppel", accept="Annehmen", reject="Ablehnen",
    ),
    "fr": _Language(
        plays="Évaluation", chances="Gagne  G+BG  BG", equity="Equité", cubeless="sans videau",
        deviation="Dév. St.", cubeful="Équité (avec videau)     ", right="Videau",
        no_double="Pas de double", take="Double / Prendre", drop="Double / Refuser",
        double="Doubler", redouble="Double", accept="Prendre", reject="Rejeter",
    ),
    "ja": _Language(
        plays=" 評価", chances="勝ち  ギャモン以上  バックギャモン", equity="期待値 (エクイティ)",
        cubeless="キューブなし", deviation="標準偏差", cubeful="エクイティ (キューブ有り)       ",
        right="キューブアクション", no_double="ダブルせず", take="ダブル / 受ける",
        drop="ダブル / 降りる", double="ダブルする", redouble="リダブル", accept="受ける", reject="降りる",
    ),
}  # fmt: skip


def write(matches: tuple[Match, ...], dialect: str = "en") -> bytes:
    """The text of a position and its analysis.

    Args:
        matches: one match that is a position.
        dialect: the language: ``en``, ``de``, ``fr`` or ``ja``.

    Raises:
        FormatError: the match is more than a position, or no XGID can state the position.
    """
    if len(matches) != 1:
        raise FormatError(f"a position text of BGBlitz holds one position, not {len(matches)}")
    situation, note = _decision(matches[0])
    try:
        lines = list(_text(situation, note, _LANGUAGES[dialect or "en"]))
    except IdError as error:
        raise FormatError(f"a position text of BGBlitz cannot tell this position: {error}") from error
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def _decision(match: Match) -> tuple[Position, Annotation]:
    """The position as the player on roll sees it, and the analysis of their decision."""
    if len(match.games) != 1 or not is_position(match.games[0]) or len(match.games[0].entries) > 2:
        raise FormatError("a position text of BGBlitz holds one position with somebody on roll, not a match")
    board, *rest = match.games[0].entries
    assert isinstance(board, SetBoard)
    entry = rest[0] if rest else board
    roll = entry if isinstance(entry, CheckerPlay) else None
    if entry.player != board.player or (roll is not None and roll.dice is None):
        raise FormatError("a position text of BGBlitz cannot hold a roll without dice, or for a double out of turn")
    if rest and board.annotation is not None:
        raise FormatError("a position text of BGBlitz tells one decision, and here two are spoken of")
    if board.cube.bit_count() != 1:
        raise FormatError(f"a position text of BGBlitz cannot hold a cube on {board.cube}")
    game = replay(match)[0]
    cube = Cube.of(board.cube, board.owner, 0)
    state = MatchState(match.length or 0, game.score, cube, game.crawford, match.rules)
    upper = board.player == 1
    names = [" ".join(name.split()) for name in match.players]
    seen = Position(
        board=board.position.flipped() if upper else board.position,
        state=state.flipped() if upper else state,
        dice=roll.dice if roll is not None else None,
        offer="double" if isinstance(entry, Double) else "",
        upper=upper,
        names=(names[board.player], names[1 - board.player]),
    )
    return seen, entry.annotation or Annotation()


def says_plays(plays: PlayAnalysis, state: MatchState) -> bool:
    """Whether the analysis of a roll can be written: every play needs an equity in points."""
    told = plays_in(plays, "emg", state)
    return told is not None and all(each.evaluation.equity is not None for each in told.candidates)


def says_cube(cube: CubeAnalysis, state: MatchState) -> bool:
    """Whether the analysis of a cube decision can be written: both doubling and not need an equity in points."""
    told = cube_in(cube, "emg", state)
    return told is not None and None not in (told.no_double.equity, told.double_take.equity)


def _text(situation: Position, note: Annotation, words: _Language) -> Iterator[str]:
    state, names = situation.state, situation.names
    lower, upper = names[::-1] if situation.upper else names
    mine, theirs = state.score[::-1] if situation.upper else state.score
    yield from (line.rstrip() for line in encode_bgblitz_board(situation, (lower, upper)))
    yield ""
    match_id = encode_match_id(state, situation.dice, offered=situation.offered, upper=situation.upper)
    yield f" Position-ID: {encode_position_id(situation.board)}    Match-ID: {match_id}"
    dice = situation.dice
    ordered = None if dice is None else (max(dice), min(dice))
    yield " " + encode_xgid(
        situation.board, state, ordered, offer=situation.offer, upper=situation.upper
    )  # fmt: skip
    yield ""
    played = f"{state.length} point match" if state.length else "money game"
    yield f" {upper} - {theirs} {lower} - {mine} in a {played}."
    yield f" {names[0]} to move" + (f" {min(dice)}-{max(dice)}" if dice else ".")
    yield ""
    own = dict(note.extras)
    plays = plays_in(note.plays, "emg", state) if note.plays is not None else None
    if plays is not None and plays.candidates and situation.dice is not None and says_plays(plays, state):
        yield from _plays(plays.candidates, own, words)
    cube = cube_in(note.cube, "emg", state) if note.cube is not None else None
    if cube is not None and says_cube(cube, state):
        yield from _cube(cube, own, situation, words)


def _plays(candidates: tuple[Candidate, ...], own: dict[str, str], words: _Language) -> Iterator[str]:
    """The lines of the plays. The chances to win the match are known only where a text of BGBlitz was read."""
    told = zip(candidates, chain(own.get(WINNING, "").split(), repeat("-")), strict=False)
    plays = [(each, f"{chance:>8} mwp /" if chance != "-" else "") for each, chance in told]
    yield f"{words.plays}  (EMG)"
    yield " =========="
    best = plays[0][0].evaluation.equity or 0.0
    for number, (each, chance) in enumerate(plays, start=1):
        equity = each.evaluation.equity or 0.0
        lost = f"({_difference(equity, best)})" if number > 1 else ""
        # A dance has no hops.
        play = ", ".join(map(str, each.hops)) or "-"
        yield f"{number:3}.{chance:14} {equity:7.3f}  {lost:8}  {play} "
        if each.evaluation.probabilities is not None:
            yield f"       {_figures(each.evaluation.probabilities)} "
        yield ""
    yield ""


def _figures(probabilities: Probabilities) -> str:
    win, gammon, backgammon, lost_gammon, lost_backgammon = probabilities
    sides = ((win, gammon, backgammon), (1 - win, lost_gammon, lost_backgammon))
    return "  -  ".join("  ".join(f"{chance:.3f}" for chance in side) for side in sides)


def _cube(cube: CubeAnalysis, own: dict[str, str], situation: Position, words: _Language) -> Iterator[str]:
    if cube.no_double.probabilities is not None:
        yield from _chances(cube.no_double.probabilities, situation, words)
    if cube.no_double.cubeless is not None:
        deviation = f"  {words.deviation}: {own[DEVIATION]}" if DEVIATION in own else ""
        yield f" {words.equity} {situation.names[0]} ({words.cubeless}): {cube.no_double.cubeless:.3f}{deviation}"
    if CUBEFUL in own:
        yield f" {words.cubeful}:  {own[CUBEFUL]}"
    yield ""
    yield from _actions(cube, own, situation, words)


def _chances(probabilities: Probabilities, situation: Position, words: _Language) -> Iterator[str]:
    """A row for each player with their chances to win, to win a gammon and to win a backgammon, in per cent."""
    yield f"{'':14}{words.chances}"
    win, gammon, backgammon, lost_gammon, lost_backgammon = probabilities
    rows = [
        (situation.names[1], (1 - win, lost_gammon, lost_backgammon)),
        (situation.names[0], (win, gammon, backgammon)),
    ]
    for name, chances in reversed(rows) if situation.upper else rows:
        wins, gammons, backgammons = (f"{100 * chance:.1f}" for chance in chances)
        yield f" {name:<12} {wins:<6}{gammons:<6}{backgammons:<4}"


def _actions(cube: CubeAnalysis, own: dict[str, str], situation: Position, words: _Language) -> Iterator[str]:
    """The lines of the right cube action, and of the equity of each action."""
    stay, take = cube.no_double.equity or 0.0, cube.double_take.equity or 0.0
    drop = 1.0 if cube.double_drop is None else cube.double_drop
    stays, takes = stay >= min(take, drop), take < drop
    double = words.no_double if stays else words.redouble if situation.state.cube.value > 1 else words.double
    right = f"{double} / {words.accept if takes else words.reject}"
    title = f"{words.right}:"
    yield f" {title:22}:  {right:<19}  EMG"
    worth = {words.no_double: stay, words.take: take, words.drop: drop}
    winning = dict(zip(worth, (own.get(f"{ACTION}{name}", "") for name in ("no-double", "take", "pass")), strict=True))
    best = words.no_double if stays else words.take if takes else words.drop
    # The right action comes first, then the others, in BGBlitz's order.
    order = [*worth][::-1] if best == words.drop else sorted(worth, key=lambda each: each != best)
    for action in order:
        if action != words.drop or cube.double_drop is not None:
            chance = _chance(*winning[action].split())
            yield f" {action:22}:{chance:23}{worth[action]:6.3f}   ({_difference(worth[action], worth[best])})"
    yield ""


def _chance(chance: str = "", difference: str = "", *_: str) -> str:
    """The chance to win the match after a cube action, if it is known; else ""."""
    return f"{chance:>7}   ({difference:>6})" if difference else ""


def _difference(value: float, best: float) -> str:
    return f"{round(value - best, 3) + 0.0:6.3f}"  # no -0.000
