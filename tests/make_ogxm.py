"""Make the samples in tests/data/ogxm: `python tests/make_ogxm.py`.

They are what the codec of OGXM's makers writes of the documents here, not what bgtools does, so that reading them is
judged by somebody else's bytes.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any, Final

import ogxm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FOLDER: Final = Path(__file__).with_name("data") / "ogxm"
SECRET: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
PUBLIC: Final = SECRET.public_key().public_bytes_raw()

_DICE: Final = [(low, high) for low in range(1, 7) for high in range(low, 7)]


def _roll(color: int, dice: tuple[int, int], *steps: tuple[int, int], **more: Any) -> dict[str, Any]:
    """A roll; ``color`` 1 is White, and steps are points as White's opponent counts them, and pips."""
    low, high = sorted(dice)
    moves = [{"from": start, "pips": pips} for start, pips in steps]
    return {"action_id": _DICE.index((low, high)), "color": color, "d1": low, "d2": high, "moves": moves, **more}


def _act(color: int, action: int, **more: Any) -> dict[str, Any]:
    return {"action_id": action, "color": color, **more}


_OPENING: Final = (_roll(1, (3, 1), (17, 3), (19, 1)), _roll(0, (6, 4), (24, 6), (18, 4)))


def documents() -> dict[str, dict[str, Any]]:
    """The documents, by the names of their files without the ending."""
    alternatives = [
        {"move": [{"from": 17, "pips": 3}, {"from": 19, "pips": 1}], "equity": 0.55, "is_played": True},
        {"move": [{"from": 1, "pips": 3}, {"from": 1, "pips": 1}], "equity": 0.51},
    ]
    analysed = {
        "alternatives": alternatives,
        "missed_double": {"no_double_equity": 0.55, "double_take_equity": 0.52, "double_pass_equity": 0.6,
                          "correct_action": "no_double"},
    }  # fmt: skip
    match = {
        "match_length": 3, "player_white": "Ann", "player_black": "Böb", "crawford": True, "event": "Open",
        "event_year": 2026, "city": "Oslo", "stage": "Final", "started_at": 1767225600000, "variant": "backgammon",
        "annotations": [
            {"scope": "match", "key": "x-other", "value": "of another program"},
            {"scope": "match", "value": "a fine match"},
            {"scope": "game", "ref": 0, "value": "first game"},
            {"scope": "ply", "ref": 4, "value": "why?", "author": "Cy", "lang": "en"},
        ],
        "games": [
            {
                "winner": 0, "points_won": 2,
                "plies": [
                    {**_OPENING[0], "analysis": analysed}, _OPENING[1], _act(1, 21), _act(0, 22),
                    _roll(1, (5, 2), (12, 5), (12, 2)),
                    _act(0, 27, resign_value="single"),
                ],
            },
            {"winner": 1, "points_won": 1, "plies": [_roll(0, (2, 1), (13, 2), (6, 1)), _act(1, 29)]},
        ],
        "analysis_info": {"analysis_id": "11111111-2222-8333-8444-555555555555", "model_name": "gnubg 1.08"},
    }  # fmt: skip
    money = {
        "match_length": 0, "player_white": "Ann", "player_black": "Bob", "jacoby": True, "beavers": True,
        "raccoons": True, "ogxm": {"major": 2, "minor": 2}, "auto_doubles": True, "variant": "backgammon",
        "games": [
            {
                "winner": 0, "points_won": 8,
                "plies": [*_OPENING, _act(1, 21), _act(0, 32), _act(1, 33), _act(0, 27, resign_value="single")],
            },
            {"winner": 255, "auto_doubles": 1, "plies": list(_OPENING)},
            {
                "winner": 255,
                "plies": [
                    *_OPENING, _act(1, 31, set_position=[0, -2, *[0] * 22, 3, 0]),
                    _act(1, 36, cube_value=2, cube_owner="white"),
                ],
            },
        ],
    }  # fmt: skip
    clock = {**match, "clock_info": {"reserve_ms": 180000, "delay_ms": 12000, "increment_ms": 0, "start_timestamp": 0}}
    games: list[dict[str, Any]] = match["games"]  # type: ignore[assignment]
    clock["games"] = [
        {
            **game,
            "plies": [{**ply, "timestamp_ms": 10000 * at + 1000 * number} for number, ply in enumerate(game["plies"])],
        }
        for at, game in enumerate(games)
    ]
    made = {"match": match, "money": money, "clock": clock}
    return {name: {**document, "checksum": "crc32"} for name, document in made.items()}


def _signed(document: dict[str, Any]) -> bytes:
    first = ogxm.binary_to_json(ogxm.json_to_binary(document))
    empty = {"algorithm": "ed25519", "key_id": "test-2026", "signature": base64.b64encode(bytes(64)).decode()}
    first["match_signatures"] = [{**empty, "public_key": base64.b64encode(PUBLIC).decode()}]
    payload = ogxm.signature.match_payload(first, 0)
    first["match_signatures"][0]["signature"] = base64.b64encode(SECRET.sign(payload)).decode()
    made: bytes = ogxm.json_to_binary(first)
    return made


def files() -> dict[str, bytes]:
    """The samples, by their names."""
    made = {f"{name}.ogxm": ogxm.json_to_binary(document) for name, document in documents().items()}
    made["signed.ogxm"] = _signed(documents()["match"])
    whole = [made["match.ogxm"], made["money.ogxm"], made["signed.ogxm"]]
    damaged = bytearray(made["clock.ogxm"])
    damaged[100] ^= 8
    made["damaged.ogxms"] = b"".join([whole[0], bytes(damaged), *whole[1:], whole[0][:70]])
    return made


if __name__ == "__main__":
    for each, data in files().items():
        (FOLDER / each).write_bytes(data)
