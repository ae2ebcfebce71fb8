"""Converting records: losses are reported, and what was written is read again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from bgtools._disk import is_device_name, save
from bgtools.conversion.facts import FactChange, differences, is_sound, unseen, without_rows
from bgtools.findings import codes
from bgtools.findings.finding import Finding
from bgtools.formats.content import Content, FormatError, TooMuch
from bgtools.formats.reading import find_format, matches_of, read_source, recognise
from bgtools.formats.registry import formats
from bgtools.formats.shared.leftover import completion
from bgtools.record.record import AutomaticDouble, Beaver, Double, SetBoard
from bgtools.replayer.match import replay
from bgtools.source import Span, decode

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from os import PathLike

    from bgtools.formats.format import Format
    from bgtools.record.record import Match


_OWN: Final = "json"
"""The format that holds everything of a record, its rows too."""
_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]|^\.|[. ]+$')


def safe_name(stem: str) -> str:
    """A file name that every system takes: nothing in it is a path, a device or a control character."""
    stem = _UNSAFE.sub("_", stem)[:120] or "match"
    return f"_{stem}" if is_device_name(stem) else stem


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
        # Several formats end in .txt. Most people mean match text by it, and it stands first.
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
        losses: what the target cannot hold (BG5xx).
        refused: whether nothing was made because of losses that were not accepted.
        changed: the first thing that the target gives back differently; "" when there is none.
        verified: whether the bytes were read again and gave the same but for the losses.
        faulty: whether a match that was verified breaks a rule, or can be read in several ways.
    """

    data: bytes
    losses: tuple[Finding, ...]
    refused: bool = False
    changed: str = ""
    verified: bool = False
    faulty: bool = False

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
        allow: codes or names of losses that are accepted: they are not reported, and never refused.
        verify: whether what was written is read again and compared, turn by turn. Without that no loss is known.
            ``strict`` does it all the same.

    Matches that were read from a file of the same format, and not changed since, give that file byte for byte, unless
    a dialect is asked for. A match that was changed since keeps the dialect it was read in.

    Raises:
        FormatError: the target has no way to write these matches, or there is nothing to write.
    """
    chosen = target.format
    if not target.dialect:
        if kept := _as_it_stands(matches, chosen):
            return Converted(kept, ())
        target = Target(chosen, dialect_of(matches, chosen))
    _refuse(matches, chosen)
    if chosen.name != _OWN:
        matches = tuple(map(without_rows, matches))
    return _written(matches, target, _Accepted(frozenset(allow)), strict=strict, verify=verify)


class _Accepted(frozenset[str]):
    """The codes and names of losses that are accepted."""

    def without(self, losses: Iterable[Finding]) -> tuple[Finding, ...]:
        """The losses that nobody has accepted."""
        return tuple(loss for loss in losses if loss.code.id not in self and loss.code.name not in self)


def _written(
    matches: tuple[Match, ...], target: Target, accepted: _Accepted, *, strict: bool, verify: bool
) -> Converted:
    chosen = target.format
    if not chosen.reader:
        data, found = chosen.write(matches, target.dialect), accepted.without([_not_known(chosen)])
        return Converted(b"", found, refused=True) if strict and found else Converted(data, found)
    if not (verify or strict):
        return Converted(_rewritten(matches, chosen)[0] or chosen.write(matches, target.dialect), ())
    data, again = _rewritten(matches, chosen)
    if not data:
        data = chosen.write(matches, target.dialect)
        again = _lost(matches, data, chosen)
    found = accepted.without(again.losses)
    if again.changed:
        return Converted(b"", found, changed=again.changed)
    if strict and found:
        return Converted(b"", found, refused=True)
    return Converted(data, found, verified=True, faulty=again.faulty)


class _ReadBack(NamedTuple):
    """What matches lost that were written and read again, what makes them others, and whether they are at fault."""

    losses: Sequence[Finding] = ()
    changed: str = ""
    faulty: bool = False


def _not_known(chosen: Format) -> Finding:
    message = f"{chosen.title} is written, but not read, so that it is not known what it leaves out"
    return Finding(codes.LOSS_NOT_KNOWN, Span(0, 0), message)


def _rewritten(matches: tuple[Match, ...], chosen: Format) -> tuple[bytes, _ReadBack]:
    """The bytes of matches with the parts of their file that bgtools never reads, and what they lose all the same.

    b"" where they come from another format, or would be read back differently.
    """
    try:
        data = chosen.rewrite(matches)
        if data:
            again = _lost(matches, data, chosen, keeps_unread=True)
            if not again.changed:
                return data, again
    except FormatError:
        pass
    return b"", _ReadBack()


def _as_it_stands(matches: tuple[Match, ...], chosen: Format) -> bytes:
    """The bytes of the file that some matches were read from; b"" where its format or its matches are others.

    This keeps what only the program that wrote the file understands, such as its layout of lines.
    """
    source = matches[0].source if matches else None
    if source is None or source.format != chosen.name or any(match.source is not source for match in matches):
        return b""
    return source.data if read_source(source.data, source.name, chosen.name) == matches else b""


def dialect_of(matches: tuple[Match, ...], chosen: Format) -> str:
    """The dialect in which most lines of the matches come out as they stand.

    "" where the matches come from another format, or the format has but one dialect.

    Args:
        matches: what was read.
        chosen: the format.
    """
    sources = {match.source for match in matches if match.source is not None and match.source.format == chosen.name}
    lines = {line for source in sources for line in source.text.splitlines(keepends=True)}
    if len(chosen.dialects) < 2 or not lines:
        return ""

    def kept(dialect: str) -> int:
        try:
            text = decode(chosen.write(matches, dialect), "").text
        except FormatError:
            return 0
        return sum(line in lines for line in text.splitlines(keepends=True))

    return max(chosen.dialects, key=kept)


def _refuse(matches: tuple[Match, ...], chosen: Format) -> None:
    """Refuse what a format cannot say in any way."""
    for match in matches:
        for what, number in _numbers(match) if chosen.name != _OWN else ():
            if number is not None and not 0 <= number <= _LARGEST:
                how = "below 0" if number < 0 else "of more than nine digits"
                raise FormatError(f"{chosen.title} cannot hold {what} {how}")
        if not match.games and chosen.name != _OWN:
            raise FormatError("the record holds no game, so that there is nothing to convert")
    if len(matches) > 1 and not chosen.holds_several:
        raise FormatError(f"{chosen.title} holds one match, and there are {len(matches)}; give a folder to write to")


_LARGEST: Final = 999_999_999
"""No reader but that of JSON takes a number that is larger, and none but that one a number below 0."""


def _numbers(match: Match) -> Iterator[tuple[str, int | None]]:
    """The numbers that a record states, each with what it is."""
    yield "a match length", match.length
    for option in ("beavers", "automatic_doubles", "cube_limit"):
        yield f"a number of the option {option}", getattr(match.rules, option)
    for game in match.games:
        yield "the number of a game", game.number
        yield from (("a score", points) for points in game.score or ())
        yield "a cube", game.start_cube
        yield from (("a result", claim.points) for claim in game.results)
        for entry in game.entries:
            if isinstance(entry, Double | Beaver | AutomaticDouble):
                yield "a cube", entry.value
            elif isinstance(entry, SetBoard):
                yield "a cube", entry.cube


def _lost(matches: tuple[Match, ...], data: bytes, chosen: Format, *, keeps_unread: bool = False) -> _ReadBack:
    """What of some matches does not come back when the output is read.

    Args:
        matches: what was written.
        data: the output.
        chosen: its format.
        keeps_unread: whether the output holds the parts of a file that no reader reads.

    Raises:
        FormatError: a damaged record would become another match, or the output is larger than bgtools reads.
    """
    with completion(carried_out=True) as completed:
        found, changed = _read_again(data, chosen)
    if changed:
        return _ReadBack(changed=changed)
    if len(found) != len(matches):
        return _ReadBack(changed=f"the file: {len(matches)} matches became {len(found)}")
    told: list[Finding] = []
    faulty = False
    for match, again in zip(matches, found, strict=True):
        # A format that has to state the variation states that of the games, where a record states another or none.
        if again.rules.start not in (match.rules.start, *(game.rules.start for game in replay(match))):
            raise FormatError(f"{chosen.title} has no {match.rules.variant.capitalize()}")
        for change in differences(match, again, keeps_unread=keeps_unread):
            if change.code is None:
                return _ReadBack(told, _refused(match, change, chosen))
            told.append(change.finding(chosen.title, replay(match)))
        faulty = faulty or not is_sound(match)
    if completed.met:
        with completion(carried_out=False):
            seen, _ = _read_again(data, chosen)
        for match, again, by_others in zip(matches, found, seen, strict=True):
            told += (each.finding(chosen.title, replay(match)) for each in unseen(match, again, by_others))
    return _ReadBack(told, faulty=faulty)


def _read_again(data: bytes, chosen: Format) -> tuple[tuple[Match, ...], str]:
    """The matches in an output, and why it cannot be read, or "".

    Raises:
        FormatError: it is larger than bgtools reads.
    """
    try:
        written = Content(data, f"what was written{chosen.extensions[0]}")
        found = recognise(written).read(written)  # as whoever opens it will
    except TooMuch as error:
        raise FormatError(f"{chosen.title} of all this could not be read again: {error}") from None
    except FormatError as error:
        return (), f"it cannot be read again: {error}"
    return found if chosen.name == _OWN else tuple(map(without_rows, found)), ""


def _refused(match: Match, change: FactChange, chosen: Format) -> str:
    """What makes an output another match.

    Raises:
        FormatError: the match is damaged, so that the format is no match for it.
    """
    if chosen.name != _OWN and not is_sound(match):
        where = change.where.partition(", ")[0]
        raise FormatError(
            f"{chosen.title} has no way to say what this damaged record says: {where} would be read otherwise"
        )
    return f"{change.where}: {change.how}"


def refused_finding(error: FormatError) -> Finding:
    """The finding (BG515) that a format cannot say this."""
    return Finding(codes.NOT_SAYABLE, Span(0, 0), f"nothing was written: {error}")


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
    """As `convert`, but raises where nothing was written.

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
    """Write a match, several matches, or those in another file, to a file, whole or not at all.

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
        verify: whether what was written is read again and compared. Without that no loss is known.
        force: whether a file that is there may be written over.

    Returns:
        What the format cannot hold (BG5xx).

    Raises:
        FormatError: the format cannot say this, a loss is not accepted, or what was written reads differently.
        FileExistsError: there is a file already.
        OSError: it cannot be written.
    """
    target = target_of_name(str(path)) if to is None else parse_target(to)
    done = made(matches_of(match), target, strict=strict, allow=allow, verify=verify)
    save(done.data, Path(path), force=force)
    return done.losses
