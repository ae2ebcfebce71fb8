"""The keys of the extras that hold what a text of BGBlitz says and the record has no field for."""

from __future__ import annotations

from typing import Final

WINNING: Final = "bgblitz:mwp"
"""The extra that holds the chances to win the match after each play, in their order."""
ACTION: Final = "bgblitz:mwp-"
"""What an extra begins with that holds the same after a cube action, with the difference to the best one."""
DEVIATION: Final = "bgblitz:deviation"
CUBEFUL: Final = "bgblitz:cubeful"
