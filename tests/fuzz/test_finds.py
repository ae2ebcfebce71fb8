"""What the fuzzer has found: records ruined from the samples of this project, and what nobody had thought of."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz.targets import BY_NAME

FINDS = sorted((Path(__file__).parent / "finds").glob("*.input"))


@pytest.mark.quick(one_in=8)
@pytest.mark.parametrize("path", FINDS, ids=lambda path: path.stem)
def test_what_has_been_found_once_is_not_found_again(path: Path) -> None:
    """The name of the file begins with the target that it was found by."""
    target = max((name for name in BY_NAME if path.stem.startswith(f"{name}-")), key=len)
    BY_NAME[target].examine(path.read_bytes())
