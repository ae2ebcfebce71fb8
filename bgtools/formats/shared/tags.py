"""Tags such as ``[Crawford "On"]``: the options that they state, and the tags that state options."""

from __future__ import annotations

import re
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from bgtools.record.builder import number_of
from bgtools.record.record import AutomaticDouble, Beaver, Tag
from bgtools.rules.options import Ruleset, variant_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bgtools.record.record import Match
    from bgtools.replayer.turn import GameReplay

ON_OFF: Final = MappingProxyType({"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False})
"""The values of a tag that switch an option on or off."""
BEAVERS_ON: Final = 2
"""The value of ``[Beaver "On"]``: beavers, and raccoons that answer them."""
_OPTIONS: Final = MappingProxyType(
    {
        "Variation": "variant",
        "Crawford": "crawford",
        "Jacoby": "jacoby",
        "Beaver": "beavers",
        "AutomaticDoubles": "automatic_doubles",
        "Holland": "holland",
        "Quadruple": "quadruple",
        "WinnerStarts": "winner_starts",
    }
)
"""The tag of each option of a `Ruleset`."""
_SPELLED: Final = MappingProxyType({f"hypergammon{count}": f"HyperGammon ({count})" for count in (1, 2)})
"""GNU Backgammon's names of variants, where they are more than ours with a capital letter."""


OPTION_TAGS: Final = frozenset(key.casefold() for key in (*_OPTIONS, "CubeLimit"))
"""The keys, in small letters, of tags that state only options of the match."""


DAY: Final = re.compile(r"(\d{4})\.(\d\d)\.(\d\d)")
"""The value of a date, as the tag EventDate has it."""


def rules_of_tags(tags: Mapping[str, str], *, money: bool) -> Ruleset:
    """The options that a header states. An option that it does not state has its usual value, or None for unknown.

    Args:
        tags: the values of the tags by their keys in small letters.
        money: whether there is no match length.
    """

    def flag(key: str) -> bool | None:
        return ON_OFF.get(tags.get(key, "").strip().casefold())

    def number(key: str, on: int) -> int | None:
        value = tags.get(key, "").strip()
        if (said := number_of(value)) is not None:
            return said
        return None if flag(key) is None else on if flag(key) else 0

    crawford = flag("crawford")
    limit = number("cubelimit", 0)
    return Ruleset(
        crawford=not money if crawford is None else crawford and not money,
        jacoby=flag("jacoby") if money else False,
        beavers=number("beaver", BEAVERS_ON) if money else 0,
        automatic_doubles=number("automaticdoubles", 1) if money else 0,
        holland=bool(flag("holland")),
        quadruple=bool(flag("quadruple")),
        winner_starts=bool(flag("winnerstarts")),
        cube_limit=limit or None,
        variant=variant_of(tags.get("variation", "")) or "backgammon",
    )


_NAMES: Final = frozenset({"player 1", "player 2"})


def restates(tag: Tag, match: Match) -> bool:
    """Whether a tag is empty, or only repeats an option or the name of a player."""
    if not tag.value.strip():
        return True
    key = tag.key.casefold()
    return key in OPTION_TAGS or (key in _NAMES and tag.value.strip() in match.players)


def missing_tags(match: Match) -> Iterator[Tag]:
    """Tags for those options of the match that its own tags do not state."""
    tags = {tag.key.casefold(): tag.value for tag in match.tags}
    read = rules_of_tags(tags, money=match.is_money)
    for key, option in _OPTIONS.items():
        wanted = getattr(match.rules, option)
        if wanted is None or getattr(read, option) == wanted:
            continue
        value = ("On" if wanted else "Off") if isinstance(wanted, bool) or not wanted else str(wanted).capitalize()
        value = _SPELLED.get(str(wanted), value)
        yield Tag(key=key, value=value)
    if read.cube_limit != match.rules.cube_limit:
        yield Tag(key="CubeLimit", value=str(match.rules.cube_limit or 0))


def settled_rules(match: Match, replays: Sequence[GameReplay]) -> Ruleset:
    """The options, with none left open, for formats that must state them all.

    An option that the record leaves open is taken from the entries and results, or else has its usual value. The
    variation is that of the games, which a record of many a format cannot state.
    """
    rules = replace(match.rules, variant=replays[0].rules.variant) if replays else match.rules
    changes: dict[str, Any] = {}
    entries = [[turn.entry for turn in game.turns] for game in replays]
    if rules.jacoby is None:
        # A gammon that counted, although nobody had doubled, shows that the Jacoby rule was off.
        counted = any((game.level or 1) > 1 and game.cube == 1 and (game.points or 0) > 1 for game in replays)
        changes["jacoby"] = match.is_money and not counted
    if rules.beavers is None:
        changes["beavers"] = BEAVERS_ON if any(isinstance(each, Beaver) for game in entries for each in game) else 0
    if rules.automatic_doubles is None:
        turned = (sum(isinstance(each, AutomaticDouble) for each in game) for game in entries)
        changes["automatic_doubles"] = max(turned, default=0)
    return replace(rules, **changes)
