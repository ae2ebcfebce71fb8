"""The keys of extras for those figures in a text of BGBlitz that a record has no field for."""

from __future__ import annotations

from typing import Final

WINNING: Final = "bgblitz:mwp"
"""The key of the chances to win the match after each play, in the order of the plays."""
ACTION: Final = "bgblitz:mwp-"
"""The beginning of the keys of the chances after a cube action, each with its difference to the best action."""
DEVIATION: Final = "bgblitz:deviation"
CUBEFUL: Final = "bgblitz:cubeful"
