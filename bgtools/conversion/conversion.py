"""Converting records: what is lost is told first, and what was written is read again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bgtools.conversion.essence import difference
from bgtools.conversion.features import losses
from bgtools.conversion.files import save
from bgtools.findings import Finding, codes
from bgtools.formats import Content, Feature, Format, FormatError, find_format, formats, matches_of
from bgtools.rules import Ruleset
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Collection
    from os import PathLike

    from bgtools.record import Match


@dataclass(frozen=True, slots=True)
class Target:
    """A format to write, in one of its dialects; "" for the usual one."""

    format: Format
    dialect: str = ""

    def __str__(self) -> str:
        return f"{self.format.name}:{self.dialect}" if self.dialect else self.format.name


def parse_target(text: str) -> Target:
    """Read ``mat`` or ``mat:xg-text``.

    Raises:
        FormatError: there is no such format or dialect, or it is only read.
    """
    name, _, dialect = text.partition(":")
    chosen = find_format(name)
    if not chosen.writer:
        raise FormatError(f"{chosen.title} ({name}) is only read, not written")
    if dialect and dialect not in chosen.dialects:
        told = f"it has {', '.join(chosen.dialects)}" if chosen.dialects else "it has none"
        raise FormatError(f"{name} has no dialect {dialect!r}; {told}")
    return Target(chosen, dialect)


def target_of_name(name: str) -> Target:
    """The format that a file name asks for by its ending.

    Raises:
        FormatError: no format that can be written has this ending.
    """
    ending = Content(b"", name).ending
    for each in formats():
        # Several formats end in .txt; match text, which most people mean by it, stands first.
        if each.writer and ending in each.extensions:
            return Target(each)
    raise FormatError(f"the ending of {name!r} tells no format that is written; say which with --to")


@dataclass(frozen=True, slots=True)
class Converted:
    """What a conversion gives.

    >>> done = bgtools.convert("samples/money.mat", to="sgg")
    >>> [loss.code.name for loss in done.losses], len(done.data) > 1000
    (['header-lost', 'header-lost', 'comment-lost', 'comment-lost'], True)

    Attributes:
        data: the bytes of the file; b"" where it is refused or came out wrong.
        losses: what the target has no place for (BG5xx).
        refused: whether nothing was made because of losses that were not accepted.
        changed: what the target gives back otherwise than it was to be; "" when nothing.
    """

    data: bytes
    losses: tuple[Finding, ...]
    refused: bool = False
    changed: str = ""

    def __repr__(self) -> str:
        return f"<Converted {len(self.data)} bytes, {len(self.losses)} losses{', changed' if self.changed else ''}>"


def convert(
    matches: tuple[Match, ...],
    target: Target,
    *,
    strict: bool = False,
    allow: Collection[str] = (),
    verify: bool = True,
) -> Converted:
    """Write some matches in another format, and read them back to see that they are the same.

    Args:
        matches: what to write.
        target: the format and its dialect.
        strict: whether a loss is reason enough to write nothing.
        allow: codes or names of losses that are accepted: they are neither told nor refused.
        verify: whether what was written is read again and compared, turn by turn.

    Raises:
        FormatError: the target cannot say this in any way, or there is nothing to say.
    """
    chosen = target.format
    _refuse(matches, chosen)
    lost = (loss for match in matches for loss in losses(match, chosen.title, chosen.carries))
    found = tuple(loss for loss in lost if loss.code.id not in allow and loss.code.name not in allow)
    if strict and found:
        return Converted(b"", found, refused=True)
    data = chosen.write(matches, target.dialect)
    changed = _changed(matches, data, chosen) if verify and chosen.reader else ""
    return Converted(data if not changed else b"", found, changed=changed)


def _refuse(matches: tuple[Match, ...], chosen: Format) -> None:
    """Refuse what a format cannot say in any way."""
    for match in matches:
        if not match.games and chosen.name != "json":
            raise FormatError("the record holds no game, so that there is nothing to convert")
        if match.rules.start != Ruleset().start and not chosen.carries.rule("variant"):
            raise FormatError(f"{chosen.title} has no {match.rules.variant.capitalize()}")
    if len(matches) > 1 and Feature.SEVERAL_MATCHES not in chosen.carries:
        raise FormatError(f"{chosen.title} holds one match, and there are {len(matches)}; give a folder to write to")


def _changed(matches: tuple[Match, ...], data: bytes, chosen: Format) -> str:
    try:
        found = chosen.read(Content(data, "what was written"))
    except FormatError as error:
        return f"it cannot be read again: {error}"
    return difference(matches, found, chosen.carries)


def changed_finding(changed: str) -> Finding:
    """The finding (BG599) that a conversion came out wrong."""
    return Finding(codes.CHANGED, Span(0, 0), f"the output was not kept, for it is not the same match: {changed}")


def made(
    matches: tuple[Match, ...],
    target: Target,
    *,
    strict: bool = False,
    allow: Collection[str] = (),
    verify: bool = True,
) -> Converted:
    """As `convert`, for callers who have nobody to ask.

    Raises:
        FormatError: the target cannot say this, a loss is not accepted, or what was made reads differently.
    """
    done = convert(matches, target, strict=strict, allow=allow, verify=verify)
    if done.refused:
        raise FormatError(f"{done.losses[0].message}, and {len(done.losses) - 1} more losses")
    if done.changed:
        raise FormatError(changed_finding(done.changed).message)
    return done


def write(
    match: Match | tuple[Match, ...] | str | PathLike[str],
    path: str | PathLike[str],
    to: str | None = None,
    *,
    strict: bool = False,
    allow: Collection[str] = (),
    verify: bool = True,
    force: bool = False,
) -> tuple[Finding, ...]:
    """Write a match, several, or those in another file, to a file, whole or not at all.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     losses = bgtools.write("samples/money.mat", f"{folder}/money.sgf")
    ...     print(bgtools.read(f"{folder}/money.sgf").players, losses)
    ('Carla Benetti', 'Hugo Falk') ()

    Args:
        match: what to write: a match, some of them, or the path of a file.
        path: the file to write.
        to: the format and its dialect, such as ``mat:xg-text``; None to go by the ending of ``path``.
        strict: whether a loss is reason enough to write nothing.
        allow: codes or names of losses that are accepted.
        verify: whether what was written is read again and compared.
        force: whether a file that is there may be written over.

    Returns:
        What the format has no place for (BG5xx).

    Raises:
        FormatError: the format cannot say this, a loss is not accepted, or what was written reads differently.
        FileExistsError: there is a file already.
        OSError: it cannot be written.
    """
    target = target_of_name(str(path)) if to is None else parse_target(to)
    done = made(matches_of(match), target, strict=strict, allow=allow, verify=verify)
    save(done.data, Path(path), force=force)
    return done.losses
