"""Objects that another package seems to offer under an entry point of ours."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints
from typing import TYPE_CHECKING

from bgtools import plugins

if TYPE_CHECKING:
    import pytest

    from bgtools.plugins import Kind


def offer(monkeypatch: pytest.MonkeyPatch, kind: Kind, **things: object) -> None:
    """Let them be found as if a package were installed; one that is an exception is raised by its import."""

    def load(point: EntryPoint) -> object:
        thing = things[point.name]
        if isinstance(thing, Exception):
            raise thing
        return thing

    points = EntryPoints(EntryPoint(name, f"{name}:it", f"bgtools.{kind}") for name in things)
    monkeypatch.setattr(plugins, "_entry_points", lambda: points)
    monkeypatch.setattr(EntryPoint, "load", load)
