"""A patch in JSON for the parts of an annotation that a format cannot store.

It lists the changes that turn the annotation as the format stores it into the one that was written. Only bgtools reads
it. It holds while the stored form is unchanged: if a program has analysed again, that form counts.
"""

from __future__ import annotations

import json
import zlib
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from math import isclose
from typing import TYPE_CHECKING, Any, Final

from bgtools.formats.content import FormatError
from bgtools.formats.shared.encoding import decode, encode
from bgtools.formats.shared.json_values import parse
from bgtools.record.annotation import Annotation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SAME: Final = 6e-5
"""Two figures that differ by less count as the same figure, rounded in two ways."""
_DIGITS: Final = 9
_GONE: Final = object()


@dataclass(slots=True)
class Completion:
    """What becomes of texts by `leftover` while some records are read.

    Attributes:
        carried_out: whether they complete annotations; if not, these are as other programs see them.
        met: whether there were any.
    """

    carried_out: bool = True
    met: bool = False


_COMPLETION: Final[ContextVar[Completion | None]] = ContextVar("completion", default=None)


@contextmanager
def completion(*, carried_out: bool) -> Iterator[Completion]:
    """What is read meanwhile completes annotations, or does not."""
    found = Completion(carried_out)
    token = _COMPLETION.set(found)
    try:
        yield found
    finally:
        _COMPLETION.reset(token)


def leftover(note: Annotation, reduced: Annotation | None, form: str | bytes) -> str:
    """The parts of an annotation that a form leaves out; "" where it leaves out none.

    Args:
        note: the annotation to write. Its extras are not kept, because only their own format understands them.
        reduced: the annotation that is read from the form; None where none is.
        form: the form as it is written.
    """
    wanted, given = encode(replace(note, extras=())), encode(replace(reduced or Annotation(), extras=()))
    change = _change(given, wanted)
    if change is _GONE:
        return ""
    return json.dumps({"of": _mark(form), "note": change}, ensure_ascii=False, separators=(",", ":"))


def completed(reduced: Annotation | None, text: str, form: str | bytes) -> Annotation | None:
    """The annotation that was written; ``reduced`` where the text belongs to another form, or is damaged.

    Args:
        reduced: the annotation that is read from the form; None where none is.
        text: the text by `leftover`.
        form: the form in the file.
    """
    if watched := _COMPLETION.get():
        watched.met = True
        if not watched.carried_out:
            return reduced
    given = reduced or Annotation()
    try:
        change = parse(text)
        if not isinstance(change, dict) or change.get("of") != _mark(form):
            return reduced
        wanted = _changed(encode(replace(given, extras=())), change.get("note"))
        json.dumps(wanted, allow_nan=False)
        found: Annotation = decode(Annotation, wanted, "note")
    except (ValueError, LookupError, TypeError, RecursionError, FormatError):
        return reduced
    return replace(found, extras=given.extras)


def _mark(form: str | bytes) -> str:
    return f"{zlib.crc32(form.encode() if isinstance(form, str) else form):08x}"


def _change(given: Any, target: Any) -> Any:
    """The change from one value to another: members of an object, or numbered ones of a list; None removes a member."""
    if isinstance(given, dict) and isinstance(target, dict):
        gone = {name: None for name in given if name not in target}
        return gone | _changes({name: (given.get(name, _GONE), value) for name, value in target.items()}) or _GONE
    if isinstance(given, list) and isinstance(target, list) and _are_alike(given, target):
        pairs = zip(given, target, strict=True)
        return _changes({str(at): pair for at, pair in enumerate(pairs)}) or _GONE
    return _GONE if _is_same(given, target) else _rounded(target)


def _is_same(given: Any, target: Any) -> bool:
    if _is_figure(given) and _is_figure(target):
        return isclose(given, target, abs_tol=_SAME)
    return type(given) is type(target) and bool(given == target)


def _changes(pairs: Mapping[str, tuple[Any, Any]]) -> dict[str, Any]:
    found = {name: _change(given, wanted) for name, (given, wanted) in pairs.items()}
    return {name: change for name, change in found.items() if change is not _GONE}


def _are_alike(given: list[Any], target: list[Any]) -> bool:
    """Whether two lists differ only in figures: both hold figures, or the same plays."""
    if len(given) != len(target):
        return False
    pairs = list(zip(given, target, strict=True))
    if all(_is_figure(one) and _is_figure(two) for one, two in pairs):
        return True
    return all(
        isinstance(one, dict) and isinstance(two, dict) and one.get("hops") == two.get("hops") for one, two in pairs
    )


def _is_figure(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return round(value, _DIGITS) if isinstance(value, float) else value


def _changed(given: Any, change: Any) -> Any:
    if not isinstance(change, dict):
        return change
    if isinstance(given, list):
        found = list(given)
        for at, each in change.items():
            found[int(at)] = _changed(found[int(at)], each)
        return found
    members = dict(given) if isinstance(given, dict) else {}
    for name, each in change.items():
        if each is None:
            members.pop(name, None)
        else:
            members[name] = _changed(members.get(name), each)
    return members
