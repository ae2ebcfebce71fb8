"""Engines: programs that value positions, behind one batch-first protocol."""
