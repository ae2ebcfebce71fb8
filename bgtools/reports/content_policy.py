"""What a page without a script may do: show what stands in it. It runs, loads and sends nothing."""

from __future__ import annotations

from typing import Final

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
POLICY_TAG: Final = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
