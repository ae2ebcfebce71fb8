"""What people say beside the records: ``names.toml`` joins names, ``event.toml`` is the word of a director."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, Final, get_args

from bgtools._disk import read_regular
from bgtools.analysis.events import Form, Result
from bgtools.library.aliases import is_nobody
from bgtools.site.collection import Director

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NAMES_FILE: Final = "names.toml"
EVENT_FILE: Final = "event.toml"
_LARGEST: Final = 1 << 20


class SiteFileError(ValueError):
    """``names.toml`` or ``event.toml`` cannot be followed. The message begins with the file and says what to write."""


def _table(path: Path) -> dict[str, Any]:
    """The content of a file of settings.

    Raises:
        SiteFileError: it is no TOML.
    """
    try:
        return tomllib.loads(read_regular(path, _LARGEST).decode("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SiteFileError(f"{path}: cannot be read: {error}") from None


def read_names(path: Path) -> dict[str, str]:
    """By which name each spelling goes, from a file of lines such as ``"Ann Lee" = ["A. Lee", "Lee, Ann"]``.

    Raises:
        SiteFileError: the file cannot be followed.
    """
    return _spellings(_table(path), path)


def _spellings(content: Mapping[str, Any], path: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for person, spellings in content.items():
        if not isinstance(spellings, list) or not all(isinstance(each, str) for each in spellings):
            raise SiteFileError(f'{path}: {person}: write a list of spellings, such as "Ann Lee" = ["A. Lee"]')
        for each in spellings:
            if is_nobody(each):
                raise SiteFileError(f"{path}: {each!r} is nobody's name: many share it, or it is a program's")
            if found.setdefault(each, person) != person:
                raise SiteFileError(f"{path}: {each!r} is given to {found[each]} and to {person}")
    chained = next((person for person in found.values() if person in found and found[person] != person), None)
    if chained is not None:
        raise SiteFileError(f"{path}: {chained!r} is a spelling of {found[chained]}, and has spellings of its own")
    return found


def read_director(path: Path) -> Director:
    """What a director says of an event.

    Raises:
        SiteFileError: the file cannot be followed.
    """
    content = _table(path)
    unknown = sorted(set(content) - {"title", "form", "rounds", "names", "forfeits"})
    if unknown:
        raise SiteFileError(f"{path}: {unknown[0]} is not known; title, form, rounds, names and forfeits are")
    form = content.get("form")
    forms = [each for each in get_args(Form) if each]
    if form is not None and form not in forms:
        raise SiteFileError(f"{path}: form is one of {', '.join(forms)}")
    rounds = content.get("rounds", {})
    if not isinstance(rounds, dict):
        raise SiteFileError(f'{path}: write rounds as a table, such as "ann-bob.mat" = 1 below [rounds]')
    names = content.get("names", {})
    if not isinstance(names, dict):
        raise SiteFileError(f'{path}: write names as a table, such as "Ann Lee" = ["A. Lee"] below [names]')
    forfeits = content.get("forfeits", [])
    is_list = isinstance(forfeits, list) and all(isinstance(each, dict) for each in forfeits)
    if not is_list or any({"winner", "loser"} - set(each) for each in forfeits):
        raise SiteFileError(f"{path}: a forfeit has a winner and a loser below [[forfeits]], and may have a round")
    return Director(
        str(content.get("title", "")),
        form,
        {str(file): str(number) for file, number in rounds.items()},
        _spellings(names, path),
        tuple(
            Result(
                (str(each["winner"]), str(each["loser"])), 0, round=str(each.get("round", "")), is_forfeit=True
            )
            for each in forfeits
        ),
    )  # fmt: skip
