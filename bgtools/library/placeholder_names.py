"""Names that are nobody's: those that programs give to players who have none, and those of programs."""

from __future__ import annotations

import re
from typing import Final

_NUMBERED: Final = re.compile(
    r"(player|spieler|joueur|jugador|jogador|giocatore|speler|spiller|spelare|pelaaja|gracz|hráč|játékos|игрок|oyuncu|"
    r"プレーヤー|プレイヤー|选手|玩家|guest|user)[ _#-]*[0-9]*"
)
_SIDES: Final = (
    "red green blue white black brown yellow rot grün blau weiß weiss schwarz rouge vert bleu blanc noir rojo verde "
    "azul blanco negro rosso bianco nero 赤 緑 青 白 黒 红 绿 蓝 x o me you human opponent computer bot cpu robot "
    "anonymous anon unknown unnamed nobody none name noname null nil n/a na tbd"
)
"""Colours and letters by which programs call the two sides, and words that say that nobody is named."""
_PROGRAM: Final = re.compile(
    r"(gnu ?bg|gnu ?backgammon|gnu ?bot|extreme ?gammon|xg|bg ?blitz|snowie|jelly ?fish|bg ?sage|wild ?bg|"
    r"open ?gammon ?bot|gammon ?bot|td[ -]?gammon|mloner|palamedes)(?![a-z]).*"
)


def is_program(name: str) -> bool:
    """Whether a name is that of a program, with whatever it says of a version or a level."""
    return _PROGRAM.fullmatch(name.strip().casefold()) is not None


def is_nobody(name: str) -> bool:
    """Whether a name does not say who played: an empty one, ``Player 1``, a colour, or the name of a program."""
    bare = name.strip().casefold()
    is_bare = not any(character.isalnum() for character in bare)
    return is_bare or bare in _SIDES.split() or _NUMBERED.fullmatch(bare) is not None or is_program(name)
