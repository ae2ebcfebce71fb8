"""Reading a record that cannot be: which legal match it most likely means, and how sure that is."""

from __future__ import annotations

from bgtools.decoder.interpretation import SURE, Correction, Effort, Interpretation, decode

__all__ = ["SURE", "Correction", "Effort", "Interpretation", "decode"]
