"""Settings: which findings are reported, how much each matters, and which of them make a check fail.

They come in layers: the command line, then a settings file (`bgtools.checks.settings_files`), then the profile. The
first layer that says anything about a code decides.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from bgtools.checks.registry import known_codes
from bgtools.findings import codes
from bgtools.findings.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bgtools.findings.finding import Code, Finding
    from bgtools.record.record import Match

PROFILES: Final = ("strict", "tournament", "lenient")
"""``tournament``: every code as its page says. ``strict``: warnings are errors, as for a record that is to be
published or learnt from. ``lenient``: what only concerns layout, or what the record claims beside the plays, is a
hint; errors are left for what cannot have happened on the board."""
DEFAULT_PROFILE: Final = "tournament"

LEVELS: Final[dict[str, Severity | None]] = {
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "hint": Severity.HINT,
    "off": None,
}

KEYS: Final = ("profile", "select", "ignore", "severity", "fail-on", "rules", "me", "keys")
"""What a settings file may hold."""

CLAIMS: Final = frozenset(
    {codes.WRONG_CUBE.id, codes.SCORE_LINE.id, codes.WRONG_POINTS.id, codes.WRONG_WINNER.id, codes.FALSE_STAR.id}
)
"""What a record states beside its plays, which leaves the board as it is. The profile ``lenient`` only hints at it."""


class SettingsError(ValueError):
    """A setting that cannot be followed: an unknown code, key or value. The message says what to write."""


@dataclass(frozen=True, slots=True)
class Settings:
    """One layer of settings; None and empty where it says nothing.

    Attributes:
        profile: one of `PROFILES`.
        select: prefixes of codes; where given, all others are left out.
        ignore: prefixes of codes to leave out. The longer prefix wins over `select`.
        severity: prefixes of codes with how much they matter, None for not at all; the longest wins.
        fail_on: the least severity that makes a check fail.
        rules: rules of the game that complete those of a record, as `bgtools.rules.options.parse_rules` reads them.
        me: names of the user, whose errors reports show; empty where it is not said.
        keys: keys that have signed records, each a name and the key.
        file: the settings file that they stand in; "" for others.
        passed_over: settings files that were not read on the way to it, each with the reason.
    """

    profile: str | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, Severity | None], ...] = ()
    fail_on: Severity | None = None
    rules: str = ""
    me: tuple[str, ...] = field(default=(), compare=False)
    keys: tuple[str, ...] = ()
    file: str = field(default="", compare=False)
    passed_over: tuple[str, ...] = field(default=(), compare=False)

    def picks(self, code: Code) -> bool | None:
        """Whether this layer wants a code; None where it leaves that to the next one."""
        chosen = _longest(self.select or (), code)
        left_out = _longest(self.ignore, code)
        if chosen > left_out:
            return True
        return False if left_out or self.select is not None else None

    def level(self, code: Code) -> tuple[Severity | None] | None:
        """How much a code matters by this layer, in a tuple; None where it says nothing."""
        best = _longest([prefix for prefix, _ in self.severity], code)
        if not best:
            return None
        # Of two that are equally long the later one counts, as on every command line.
        return [(level,) for prefix, level in self.severity if len(prefix) + 1 == best and code.id.startswith(prefix)][
            -1
        ]


def _longest(prefixes: Iterable[str], code: Code) -> int:
    """One more than the length of the longest prefix of a code, for "" is a prefix of all; 0 where there is none."""
    return max((len(prefix) + 1 for prefix in prefixes if code.id.startswith(prefix)), default=0)


@dataclass(frozen=True, slots=True)
class Policy:
    """All layers of settings taken together.

    Attributes:
        severities: how much each code matters, by its id; None for those left out.
        fail_on: the least severity that makes a check fail.
        rules: rules of the game that complete those of a record, the later ones counting more.
    """

    severities: Mapping[str, Severity | None]
    fail_on: Severity = Severity.ERROR
    rules: str = ""

    def complete(self, match: Match) -> Match:
        """The match with its rules completed."""
        if not self.rules:
            return match
        from bgtools.rules.options import parse_rules

        return replace(match, rules=parse_rules(self.rules, match.rules))

    def apply(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings that are wanted, each with its severity, in the same order."""
        judged = []
        for finding in findings:
            severity = self.severities.get(finding.code.id, finding.code.severity)
            if severity is not None:
                judged.append(finding if severity is finding.severity else replace(finding, set_severity=severity))
        return tuple(judged)

    def fails(self, findings: Iterable[Finding]) -> bool:
        """Whether any finding makes the check fail."""
        return any(finding.severity >= self.fail_on for finding in findings)


@lru_cache(maxsize=256)
def resolve_settings(*layers: Settings) -> Policy:
    """The policy that layers of settings make, of which the first counts most."""
    profile = next((layer.profile for layer in layers if layer.profile), DEFAULT_PROFILE)
    fail_on = next((layer.fail_on for layer in layers if layer.fail_on), Severity.ERROR)
    severities: dict[str, Severity | None] = {}
    for code in known_codes().values():
        picked = next((wanted for layer in layers if (wanted := layer.picks(code)) is not None), True)
        stated = next((told for layer in layers if (told := layer.level(code)) is not None), None)
        level = stated[0] if stated is not None else _by_profile(profile, code)
        severities[code.id] = level if picked else None
    # Read from left to right, so that the command line has the last word.
    rules = ",".join(layer.rules for layer in reversed(layers) if layer.rules)
    return Policy(severities, fail_on, rules)


@lru_cache(maxsize=256)
def effect_of(*layers: Settings) -> tuple[str, ...]:
    """What the last of some layers switches off or makes milder beyond the others, in words; empty for nothing."""
    old, new = resolve_settings(*layers[:-1]), resolve_settings(*layers)
    off = [code for code, level in new.severities.items() if level is None and old.severities[code] is not None]
    milder = [
        code
        for code, level in new.severities.items()
        if level is not None and (before := old.severities[code]) is not None and level < before
    ]
    told = []
    if off:
        told.append(f"off: {', '.join(off) if any(new.severities.values()) else 'every code'}")
    if milder:
        told.append(f"milder: {', '.join(milder)}")
    if layers[-1].rules:
        told.append(f"rules: {layers[-1].rules}")
    if layers[-1].keys:
        told.append(f"keys: {', '.join(layers[-1].keys)}")
    return tuple(told)


def _by_profile(profile: str, code: Code) -> Severity:
    if profile == "strict" and code.severity is Severity.WARNING:
        return Severity.ERROR
    if profile == "lenient" and (code.severity is Severity.WARNING or code.id in CLAIMS):
        return Severity.HINT
    return code.severity


# --- reading what users write ---------------------------------------------------------------


def parse_settings(
    *,
    profile: str | None = None,
    select: Sequence[str] | None = None,
    ignore: Sequence[str] = (),
    severity: Sequence[str] = (),
    fail_on: str | None = None,
    rules: str | None = None,
) -> Settings:
    """Settings from what is on a command line.

    Args:
        profile: one of `PROFILES`.
        select: codes, prefixes of codes or names, several with commas between them.
        ignore: likewise.
        severity: ``CODE=LEVEL``, likewise.
        fail_on: a level other than ``off``.
        rules: rules of the game with commas between them.

    Raises:
        SettingsError: something in it is unknown.
    """
    levels = []
    for item in _items(severity):
        what, equals, level = item.partition("=")
        if not equals:
            raise SettingsError(f'"{item}" is not a severity; write CODE=LEVEL, as in BG220=off')
        levels.append((prefix_of(what), LEVELS[_choice(level.strip(), tuple(LEVELS), "severity")]))
    if rules:
        from bgtools.rules.options import Ruleset, parse_rules

        try:
            parse_rules(rules, Ruleset())
        except ValueError as error:
            raise SettingsError(str(error)) from None
    return Settings(
        profile=_choice(profile, PROFILES, "profile") if profile is not None else None,
        select=tuple(prefix_of(item) for item in _items(select)) if select else None,
        ignore=tuple(prefix_of(item) for item in _items(ignore)),
        severity=tuple(levels),
        fail_on=LEVELS[_choice(fail_on, tuple(LEVELS)[:-1], "severity")] if fail_on is not None else None,
        rules=rules or "",
    )


def from_table(table: Mapping[str, object]) -> Settings:
    """Settings from a table of a settings file.

    Raises:
        SettingsError: a key or value in it is unknown.
    """
    for key in table:
        _choice(key, KEYS, "key")
    levels = table.get("severity", {})
    if not isinstance(levels, dict):
        raise SettingsError('severity must be a table, as in severity = { BG220 = "off" }')
    found = parse_settings(
        profile=_text(table, "profile"),
        select=_texts(table, "select") or None,
        ignore=_texts(table, "ignore"),
        severity=[f"{what}={level}" for what, level in levels.items()],
        fail_on=_text(table, "fail-on"),
        rules=",".join(_texts(table, "rules")),
    )
    return replace(found, me=tuple(_texts(table, "me")), keys=tuple(_texts(table, "keys")))


def prefix_of(selector: str) -> str:
    """The prefix of codes that a code, a prefix (``BG2``), a name or ``all`` stands for; "" for all of them.

    Raises:
        SettingsError: there is no such code.
    """
    wanted = selector.strip()
    upper, lower = wanted.upper(), wanted.lower()
    if lower == "all":
        return ""
    if len(upper) > 1 and any(code.startswith(upper) for code in known_codes()):
        return upper
    for code in known_codes().values():
        if code.name == lower:
            return code.id
    raise SettingsError(f'there is no code "{wanted}"{near(wanted)}')


def near(name: str) -> str:
    """``; did you mean …?`` with the codes most like it by number or name; empty when none is like it."""
    known = {name: code for code in known_codes().values() for name in (code.id, code.name)}
    lower = name.strip().lower()
    alike = [code for code in known_codes().values() if len(lower) > 2 and lower in code.name]
    alike += [known[name] for name in difflib.get_close_matches(name.upper(), known, 3, 0.75)]
    alike += [known[name] for name in difflib.get_close_matches(lower, known, 3, 0.6)]
    found = list(dict.fromkeys(alike))[:3]
    return f"; did you mean {' or '.join(f'{code.id} ({code.name})' for code in found)}?" if found else ""


def _items(texts: Iterable[str] | None) -> list[str]:
    return [item.strip() for text in texts or () for item in text.split(",") if item.strip()]


def _choice(word: str, choices: Sequence[str], what: str) -> str:
    if word.lower() in choices:
        return word.lower()
    alike = difflib.get_close_matches(word.lower(), choices, 1)
    advice = f'did you mean "{alike[0]}"?' if alike else f"known are {', '.join(choices)}"
    raise SettingsError(f'there is no {what} "{word}"; {advice}')


def _text(table: Mapping[str, object], key: str) -> str | None:
    value = table.get(key)
    if value is None or isinstance(value, str):
        return value
    raise SettingsError(f'{key} must be a text, as in {key} = "error"')


def _texts(table: Mapping[str, object], key: str) -> list[str]:
    value = table.get(key, [])
    if isinstance(value, str):
        return [value]
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return value
    example = {"rules": "crawford", "me": "Ann Lee"}.get(key, "BG2")
    raise SettingsError(f'{key} must be a list, as in {key} = ["{example}"]')
