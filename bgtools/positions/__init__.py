"""Positions as short texts: ``encode_x`` writes one notation, ``decode_x`` reads it, and `decode_id` reads any."""
