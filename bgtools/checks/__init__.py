"""The rules that make findings, and the settings that say which of them are reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.checks.checking import check, worst
    from bgtools.checks.settings import (
        Policy,
        Settings,
        SettingsError,
        near,
        parse_settings,
        resolve_settings,
        settings_for,
    )

__all__ = [
    "Policy",
    "Settings",
    "SettingsError",
    "check",
    "near",
    "parse_settings",
    "resolve_settings",
    "settings_for",
    "worst",
]

__getattr__ = lazily(
    __name__,
    {
        "checking": (
            "check",
            "worst",
        ),
        "settings": (
            "Policy",
            "Settings",
            "SettingsError",
            "near",
            "parse_settings",
            "resolve_settings",
            "settings_for",
        ),
    },
)
