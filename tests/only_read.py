"""Matches in the formats of analyses that are only read: BGBlitz's ``.bgf`` and GammonView's ``.gva``."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

from bgtools.board.board import BAR
from bgtools.formats.bgf.plies import ROLLS, ActionCode
from bgtools.record.record import Beaver, CheckerPlay, Double, Drop, Resign, Take
from bgtools.replayer.match import replay
from fuzz.smiles import smile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgtools.board.perspective import Player
    from bgtools.board.play import HopText
    from bgtools.record.annotation import Annotation, CubeAnalysis, Evaluation
    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay, Turn

Document = dict[str, Any]

BGF_HEAD = b'{"version":"0.00011825","compression":"gzip","encoding":"smile"}\n'
BGF_START = [2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 0, 0]
_NOBODY = 255
_ACTIONS = {Double: ActionCode.DOUBLE, Take: ActionCode.TAKE, Drop: ActionCode.DROP, Resign: ActionCode.RESIGN_GAME}


def as_bgf(match: Match) -> bytes:
    """A match as BGBlitz saves it."""
    return BGF_HEAD + gzip.compress(smile(bgf_document(match)), mtime=0)


def bgf_document(match: Match) -> Document:
    """What BGBlitz says of a match and its analysis."""
    replays = replay(match)
    games = [
        {
            "scoreGreen": game.score[0], "scoreRed": game.score[1], "wonPoints": game.points or 0,
            "wasResignation": any(isinstance(turn.entry, Resign) for turn in game.turns),
            "isCrawford": game.crawford, "initial": {"points": BGF_START, "cube": 1, "cubeOwner": 0},
            "moves": _bgf_moves(game),
        }
        for game in replays
    ]  # fmt: skip
    final = replays[-1].score_after
    return {
        "matchlen": match.length or 0, "nameGreen": match.players[0], "nameRed": match.players[1],
        "finalGreen": final[0], "finalRed": final[1], "date": "Nov 2, 2025", "useCrawford": match.rules.crawford,
        "games": games,
    }  # fmt: skip


def _bgf_moves(game: GameReplay) -> list[Document]:
    moves: list[Document] = []
    for turn in game.turns:
        entry, player = turn.entry, -1 if turn.player == 0 else 1
        if isinstance(entry, Double):
            offer = _bgf_note(turn) | {"player": player, **_bgf_hops([])}
            offer.setdefault("equity", {}).setdefault("cubeDecision", {})["hasDoubled"] = True
            moves.append(offer)
        elif isinstance(entry, Take | Drop):
            moves[-1]["equity"]["cubeDecision"]["hasAccepted"] = isinstance(entry, Take)
            moves.append({"player": player, **_bgf_hops([]), "equity": {"cubeDecision": {}}})
        elif isinstance(entry, CheckerPlay) and turn.play is not None:
            assert entry.dice is not None
            move = _bgf_note(turn) | {"player": player, "red": entry.dice[0], "green": entry.dice[1]}
            if turn.play.hops:
                move |= _bgf_hops([(hop.start, hop.end) for hop in turn.play.hops])
            else:
                move |= _bgf_hops([entry.dice]) | {"dancingEquity": {"emg": "0.1"}}
            moves.append(move)
    return moves


def _bgf_hops(hops: Sequence[tuple[int, int]]) -> Document:
    filled = [*hops, *[(-1, -1)] * 4][:4]
    return {"from": [start for start, _ in filled], "to": [end for _, end in filled]}


def _bgf_note(turn: Turn) -> Document:
    note = turn.entry.annotation
    if note is None:
        return {}
    told: Document = {}
    if note.cube is not None:
        told |= {"equity": _bgf_cube(note.cube), "ply": _plies(note.cube.level.name)}
    if note.luck is not None:
        mode = "Money" if turn.state.is_money else "Match"
        told["luck"] = {"luckPlain": note.luck, "luckWeighted": note.luck, "mode": mode}
    if note.plays is not None:
        told["moveAnalysis"] = [
            {
                "move": _bgf_hops([leg for hop in each.hops for leg in hop.legs]), "eq": _bgf_equity(each.evaluation),
                "played": at == note.plays.chosen, "ply": _plies(each.level.name),
            }
            for at, each in enumerate(note.plays.candidates)
        ]  # fmt: skip
    return told


def _bgf_cube(cube: CubeAnalysis) -> Document:
    return {
        **_bgf_equity(cube.no_double),
        "cubeDecision": {
            "stateOnMove": "NO_DOUBLE", "eqNoDouble": cube.no_double.equity, "eqDoubleTake": cube.double_take.equity,
            "eqDoublePass": -1000.0 if cube.double_drop is None else cube.double_drop,
        },
    }  # fmt: skip


def _bgf_equity(evaluation: Evaluation) -> Document:
    names = ("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon")
    chances = zip(names, evaluation.probabilities or (-1000.0,) * 5, strict=True)
    return {"emg": None if evaluation.equity is None else str(evaluation.equity), **dict(chances)}


def _plies(level: str) -> int:
    return int(level[0]) if level[:1].isdigit() else 0


# --- GammonView -----------------------------------------------------------------------------------


def as_gva(match: Match) -> bytes:
    """A match as GammonView saves it."""
    return json.dumps(gva_document(match)).encode()


def gva_document(match: Match) -> Document:
    """What GammonView says of a match and its analysis."""
    programs = [
        entry.annotation.program for game in match.games for entry in game.entries if entry.annotation is not None
    ]
    games = [
        {
            "winner": _NOBODY if game.winner is None else game.winner, "points_won": game.points or 0,
            "plies": [ply for turn in game.turns if (ply := _gva_ply(turn))],
        }
        for game in replay(match)
    ]  # fmt: skip
    return {
        "match_length": match.length or 0, "player_white": match.players[0], "player_black": match.players[1],
        "crawford": match.rules.crawford, "jacoby": bool(match.rules.jacoby), "beaver": bool(match.rules.beavers),
        "analysis_info": {"model_name": next(iter(programs), "")}, "games": games,
    }  # fmt: skip


def _gva_ply(turn: Turn) -> Document:
    entry, player = turn.entry, turn.player
    ply: Document = {"color": 1 - player}
    if isinstance(entry, CheckerPlay) and entry.dice is not None and (turn.play is not None or not turn.violations):
        one, two = sorted(entry.dice)
        hops = () if turn.play is None else turn.play.hops
        ply |= {"action_id": ROLLS.index((one, two)), "d1": one, "d2": two}
        ply["moves"] = _gva_steps([(hop.start, hop.end) for hop in hops], player)
    elif isinstance(entry, Beaver):
        ply["action_id"] = ActionCode.RACCOON if entry.raccoon else ActionCode.BEAVER
    elif type(entry) in _ACTIONS:
        ply["action_id"] = _ACTIONS[type(entry)]
        if isinstance(entry, Resign):
            ply["resign_value"] = entry.level or 0
    else:
        return {}
    if entry.annotation is not None:
        ply["analysis"] = _gva_note(entry.annotation, player, is_roll=isinstance(entry, CheckerPlay))
    return ply


def _gva_steps(hops: Sequence[tuple[int, int]], player: Player) -> list[Document]:
    return [{"from": BAR - start if player == 0 else start, "pips": start - end} for start, end in hops]


def _gva_note(note: Annotation, player: Player, *, is_roll: bool) -> Document:
    told: Document = {}
    if note.luck is not None:
        told["luck"] = note.luck
    if note.cube is not None:
        cube = _gva_cube(note.cube)
        told |= {"cube_decision": cube} if is_roll else cube
    if note.plays is not None:
        told["alternatives"] = [
            {
                "move": _gva_steps(_legs(each.hops), player), "equity": each.evaluation.equity,
                "cubeless_equity": each.evaluation.cubeless, "eval_level": each.level.name,
                "is_played": at == note.plays.chosen, "eval": _gva_chances(each.evaluation),
            }
            for at, each in enumerate(note.plays.candidates)
        ]  # fmt: skip
        if note.plays.error is not None:
            told["equity_loss"] = -note.plays.error
    return told


def _gva_cube(cube: CubeAnalysis) -> Document:
    loss = cube.error if cube.answer_error is None else cube.answer_error
    return {
        "no_double_equity": cube.no_double.equity, "double_take_equity": cube.double_take.equity,
        "double_pass_equity": cube.double_drop, "eval": _gva_chances(cube.no_double), "eval_level": cube.level.name,
        **({} if loss is None else {"equity_loss": -loss}),
    }  # fmt: skip


def _gva_chances(evaluation: Evaluation) -> Document:
    names = ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")
    return dict(zip(names, evaluation.probabilities or (0.0,) * 5, strict=True))


def _legs(hops: Sequence[HopText]) -> list[tuple[int, int]]:
    return [(start, end) for hop in hops for start, end in hop.legs]
