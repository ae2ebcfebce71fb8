"""Positions as short texts: ``encode_x`` writes one notation, ``decode_x`` reads it, and `decode_id` reads any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.positions.boards import (
        decode_list,
        decode_set_pos,
        decode_simple,
        encode_list,
        encode_set_pos,
        encode_simple,
    )
    from bgtools.positions.draw import PICTURE_STYLES, PictureStyle, encode_bgblitz_board, encode_picture
    from bgtools.positions.fibs import FIBS_NUMBERS, FIBS_UNLIMITED, decode_fibs, encode_fibs, fibs_places
    from bgtools.positions.gnubg import (
        decode_gnu_id,
        decode_match_id,
        decode_position_id,
        encode_gnu_id,
        encode_match_id,
        encode_position_id,
    )
    from bgtools.positions.notations import (
        NOTATIONS,
        Notation,
        convert_positions,
        decode_id,
        encode_id,
        find_notation,
        notation_of,
    )
    from bgtools.positions.ogid import decode_ogid, encode_ogid
    from bgtools.positions.pictures import Letter, decode_picture, find_picture
    from bgtools.positions.position import (
        CHECKERS,
        IdError,
        Offer,
        Position,
        complete,
        from_signed,
        read_letters,
        signed_board,
        to_letters,
        to_signed,
    )
    from bgtools.positions.snowie import decode_snowie, decode_snowie_dump, encode_snowie
    from bgtools.positions.xgid import decode_xgid, encode_xgid

__all__ = [
    "CHECKERS",
    "FIBS_NUMBERS",
    "FIBS_UNLIMITED",
    "NOTATIONS",
    "PICTURE_STYLES",
    "IdError",
    "Letter",
    "Notation",
    "Offer",
    "PictureStyle",
    "Position",
    "complete",
    "convert_positions",
    "decode_fibs",
    "decode_gnu_id",
    "decode_id",
    "decode_list",
    "decode_match_id",
    "decode_ogid",
    "decode_picture",
    "decode_position_id",
    "decode_set_pos",
    "decode_simple",
    "decode_snowie",
    "decode_snowie_dump",
    "decode_xgid",
    "encode_bgblitz_board",
    "encode_fibs",
    "encode_gnu_id",
    "encode_id",
    "encode_list",
    "encode_match_id",
    "encode_ogid",
    "encode_picture",
    "encode_position_id",
    "encode_set_pos",
    "encode_simple",
    "encode_snowie",
    "encode_xgid",
    "fibs_places",
    "find_notation",
    "find_picture",
    "from_signed",
    "notation_of",
    "read_letters",
    "signed_board",
    "to_letters",
    "to_signed",
]

lazily(
    __name__,
    {
        "boards": ("decode_list", "decode_set_pos", "decode_simple", "encode_list", "encode_set_pos", "encode_simple"),
        "draw": ("PICTURE_STYLES", "PictureStyle", "encode_bgblitz_board", "encode_picture"),
        "fibs": ("FIBS_NUMBERS", "FIBS_UNLIMITED", "decode_fibs", "encode_fibs", "fibs_places"),
        "gnubg": (
            "decode_gnu_id",
            "decode_match_id",
            "decode_position_id",
            "encode_gnu_id",
            "encode_match_id",
            "encode_position_id",
        ),
        "notations": (
            "NOTATIONS",
            "Notation",
            "convert_positions",
            "decode_id",
            "encode_id",
            "find_notation",
            "notation_of",
        ),
        "ogid": ("decode_ogid", "encode_ogid"),
        "pictures": ("Letter", "decode_picture", "find_picture"),
        "position": (
            "CHECKERS",
            "IdError",
            "Offer",
            "Position",
            "complete",
            "from_signed",
            "read_letters",
            "signed_board",
            "to_letters",
            "to_signed",
        ),
        "snowie": ("decode_snowie", "decode_snowie_dump", "encode_snowie"),
        "xgid": ("decode_xgid", "encode_xgid"),
    },
)
