"""The rules that make findings, and the settings that say which of them are reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools._lazy import lazily

if TYPE_CHECKING:
    from bgtools.checks.checking import check, worst
    from bgtools.checks.registry import RULES, known_codes
    from bgtools.checks.rule import Rule
    from bgtools.checks.settings import (
        Policy,
        Settings,
        SettingsError,
        effect_of,
        near,
        parse_settings,
        resolve_settings,
    )
    from bgtools.checks.settings_files import forget_settings, settings_for

__all__ = [
    "RULES",
    "Policy",
    "Rule",
    "Settings",
    "SettingsError",
    "check",
    "effect_of",
    "forget_settings",
    "known_codes",
    "near",
    "parse_settings",
    "resolve_settings",
    "settings_for",
    "worst",
]

lazily(
    __name__,
    {
        "checking": ("check", "worst"),
        "registry": ("RULES", "known_codes"),
        "rule": ("Rule",),
        "settings": (
            "Policy",
            "Settings",
            "SettingsError",
            "effect_of",
            "near",
            "parse_settings",
            "resolve_settings",
        ),
        "settings_files": ("forget_settings", "settings_for"),
    },
)
