"""Positions as short texts. ``encode_x`` writes, ``decode_x`` reads; `decode_id` reads any of them.

Every frame but ours ends here: a `Situation` is seen by the player on roll, whatever a notation does.
"""

from bgtools.ids.boards import (
    decode_list,
    decode_set_pos,
    decode_simple,
    encode_list,
    encode_set_pos,
    encode_simple,
)
from bgtools.ids.drawing import PICTURE_STYLES, PictureStyle, encode_picture
from bgtools.ids.fibs import decode_fibs, encode_fibs
from bgtools.ids.gnubg import (
    decode_gnu_id,
    decode_match_id,
    decode_position_id,
    encode_gnu_id,
    encode_match_id,
    encode_position_id,
)
from bgtools.ids.notations import (
    NOTATIONS,
    ConvertedLine,
    Notation,
    convert_positions,
    decode_id,
    encode_id,
    find_notation,
    notation_of,
)
from bgtools.ids.ogid import decode_ogid, encode_ogid
from bgtools.ids.pictures import decode_picture
from bgtools.ids.situation import (
    CHECKERS,
    IdError,
    Offer,
    Situation,
    complete,
    from_signed,
    read_letters,
    to_letters,
    to_signed,
)
from bgtools.ids.snowie import decode_snowie, decode_snowie_dump, encode_snowie
from bgtools.ids.xgid import decode_xgid, encode_xgid

__all__ = [
    "CHECKERS",
    "NOTATIONS",
    "PICTURE_STYLES",
    "ConvertedLine",
    "IdError",
    "Notation",
    "Offer",
    "PictureStyle",
    "Situation",
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
    "find_notation",
    "from_signed",
    "notation_of",
    "read_letters",
    "to_letters",
    "to_signed",
]
