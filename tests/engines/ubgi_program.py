"""A program that speaks UBGI, well or badly: ``ubgi_program.py MANNER``. Its plays are the last ones in the alphabet.

Manners: the drafts ``0.01``, ``0.1``, ``0.2``; what programs may do (``ids``, ``no-xgid``, ``no-context``,
``cubeless``); and what they may not (``garbage``, ``illegal``, ``empty``, ``hang-at-go``, ``die-at-go``, ``sorry``).
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from bgtools.board.generation import legal_plays
from bgtools.positions.gnubg import decode_position_id, encode_position_id
from bgtools.positions.xgid import decode_xgid
from bgtools.rules.cube import MatchState

if TYPE_CHECKING:
    from bgtools.board.board import Board

MANNER = sys.argv[1]
DRAFT = MANNER if MANNER in ("0.01", "0.2") else "0.2" if MANNER == "no-xgid" else "0.1"


def say(*lines: str) -> None:
    for line in lines:
        print(line, flush=True)


def best(position: Board, dice: tuple[int, int]) -> None:
    play = max(legal_plays(position, dice), key=str)
    text = " ".join(f"{hop.start}/{hop.end}" for hop in play.hops).replace("/0", "/off").replace("25/", "bar/")
    if MANNER == "illegal":
        text = "24/1 13/2"
    if MANNER == "ids":
        say("info role chequer pv something", f"bestmoveid {encode_position_id(play.result.flipped())}")
    elif MANNER == "garbage":
        say("\x1b[2J!?\x00", "bestmove \x1b[31mperhaps")
    elif MANNER == "empty":
        say("bestmove")
    elif DRAFT == "0.01":
        say(text)
    else:
        say(f"bestmove {text}")


def main() -> None:
    position = None
    dice = None
    state = MatchState()
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "ubgi":
            name = "a\x1b[31m\x1b]0;pwned\x07\x9b2Jb\u202e" if MANNER == "escapes" else "Last Play"
            say(f"id name {name}", "id author nobody", "id version 7" if MANNER != "escapes" else "id version \x1b[8m")
            if MANNER == "sorry":
                say("sorry")
            elif DRAFT == "0.01":
                say("readyok")
            else:
                say(
                    *(["proto 0.2"] if DRAFT == "0.2" else ["option name Deterministic type check default false"]),
                    "ubgiok",
                )
        elif word == "isready":
            say("readyok")
        elif word == "position":
            kind, _, text = rest.partition(" ")
            if kind == "xgid" and MANNER == "no-xgid":
                say("error unsupported position xgid")
            elif kind == "xgid":
                found = decode_xgid(text)
                position, state = found.board, found.state
            else:
                position = decode_position_id(text)
        elif word == "dice":
            high, low = rest.split()
            dice = int(high), int(low)
        elif word == "setcube" and MANNER == "no-context":
            say("error unsupported_feature setcube")
        elif word == "go":
            assert position is not None
            if MANNER == "hang-at-go":
                time.sleep(60)
            if MANNER == "die-at-go":
                print("no more", flush=True)
                os._exit(9)
            if "cube" in rest and MANNER == "cubeless":
                say("error unsupported_feature role_cube")
            elif "cube" in rest:
                say(f"bestcube {'double' if state.length else 'nodouble'}")
            else:
                assert dice is not None
                best(position, dice)
        elif word.startswith("XGID="):
            found = decode_xgid(line.strip())
            if found.dice is None:
                say("double" if found.state.length else "roll")
            else:
                best(found.board, found.dice)


main()
