"""Names that other packages import to say what their formats hold. They are ignored, and go with the next release."""

from __future__ import annotations

import warnings


class Carries:
    """Ignored, and gone with the next release: what a format holds shows when what it has written is read again."""

    def __init__(self, **_ignored: object) -> None:
        warnings.warn("Carries and Feature are ignored, and will go: leave them out", DeprecationWarning, stacklevel=2)


class _AnyName(type):
    def __getattr__(cls, name: str) -> str:
        return name


class Feature(metaclass=_AnyName):
    """Ignored, as `Carries`."""
