"""Keys and originals for the signatures of records, as the command line and the settings give them."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from bgtools._disk import opened, why
from bgtools.checks.settings import SettingsError
from bgtools.cli import _common
from bgtools.formats.limits import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.checks.settings import Settings
    from bgtools.findings.finding import Finding
    from bgtools.formats.ogxm.signatures import SigningKey
    from bgtools.record.record import Match

KeysOption = Annotated[
    list[str] | None,
    typer.Option(
        "--keys",
        help="Know the keys in this file, which have signed records: a name and a key a line.",
        metavar="FILE",
        show_default=False,
    ),
]
OriginalOption = Annotated[
    list[str] | None,
    typer.Option(
        "--original",
        help="The record that was signed; what has changed since is told.",
        metavar="FILE",
        show_default=False,
    ),
]


def keys_in_files(paths: Iterable[str]) -> tuple[SigningKey, ...]:
    """The keys in files that the user has named; ends the command where one of them cannot be read."""
    found: list[SigningKey] = []
    for path in paths:
        from bgtools.formats.ogxm.signatures import parse_keys  # few records are signed

        try:
            with opened(path) as stream:
                found += parse_keys(read_bytes(stream).decode("utf-8"))
        except OSError as error:
            _common.fail(f"{path}: cannot be read: {why(error)}")
        except ValueError as error:
            _common.fail(f"{path}: {error}")
    return tuple(found)


@contextmanager
def knowing(keys: Sequence[SigningKey], settings: Settings) -> Iterator[None]:
    """Records that are read meanwhile are verified by these keys, and those of the settings.

    Raises:
        SettingsError: one of the keys in the settings is none.
    """
    if not keys and not settings.keys:
        yield
        return
    from bgtools.formats.ogxm.signatures import known_keys, parse_keys

    try:
        stated = parse_keys("\n".join(settings.keys))
    except ValueError as error:
        raise SettingsError(f"keys: {error}") from None
    with known_keys((*keys, *stated)):
        yield


def with_changes_told(match: Match, findings: Iterable[Finding], originals: Sequence[Match]) -> tuple[Finding, ...]:
    """The findings of a match; one that it has changed since it was signed says what has, where that is at hand."""
    if not originals:
        return tuple(findings)
    from bgtools.comparison.since_signed import with_changes

    return with_changes(match, findings, originals)


def originals(paths: Iterable[str]) -> tuple[Match, ...]:
    """The matches in files that the user has named; ends the command where one of them cannot be read."""
    from bgtools.formats.reading import read_all

    found: list[Match] = []
    for path in paths:
        matches = _common.read_or_report(path, partial(read_all, path))
        if matches is None:
            raise typer.Exit(2)
        found += matches
    return tuple(found)
