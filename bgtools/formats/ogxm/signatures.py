"""The signatures that an OGXM file carries, and what they prove.

A signature of a match covers its head and its games; one of an analysis covers that analysis and the match it is of.
Both are Ed25519, over the bytes as they are stored (sections 8.1 and 8.6 of the specification; the bytes here are those
that the codec of OGXM's makers gives). Who may sign is for the user to say: keys come from a file or the settings.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools._extras import install_hint
from bgtools.findings import codes
from bgtools.findings.finding import Finding
from bgtools.formats.ogxm import layout
from bgtools.formats.ogxm.codec import Cursor
from bgtools.record.record import SIGNATURE
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bgtools.findings.finding import Code
    from bgtools.record.record import Match, Tag

MATCH, ANALYSIS = "match", "analysis"
"""What is signed."""
_PREFIXES: Final = {MATCH: b"OGXM-MTCH-SIG-v2", ANALYSIS: b"OGXM-ANAL-SIG-v2"}
NAMES: Final = {MATCH: "the match", ANALYSIS: "an analysis"}
"""What a finding calls what is signed; its message begins with that."""
_TEXT: Final = re.compile(rf"({MATCH}|{ANALYSIS}) ((?:[0-9a-f]{{2}})+) ((?:[0-9a-f]{{2}})+)")
_ED25519: Final = 1
_KEY_BYTES: Final = 32
_CLOCK: Final = 1
"""The bit of `covers` for the clock."""


class SigningKey(NamedTuple):
    """A public key that the user knows: whose it is, and its 32 bytes."""

    name: str
    data: bytes


_KNOWN: Final[ContextVar[tuple[SigningKey, ...]]] = ContextVar("known", default=())


@contextmanager
def known_keys(keys: Iterable[SigningKey]) -> Iterator[None]:
    """What is read meanwhile is verified by these keys as well."""
    token = _KNOWN.set((*_KNOWN.get(), *keys))
    try:
        yield
    finally:
        _KNOWN.reset(token)


def parse_keys(text: str) -> tuple[SigningKey, ...]:
    """The keys in a text: one a line, a name and then 32 bytes in base64 or hex; or as JSON, in objects with
    ``public_key`` and ``key_id``, as publishers list them.

    Raises:
        ValueError: a line holds no key; the message says which.
    """
    if text.lstrip()[:1] in ("{", "["):
        return tuple(_keys_in(json.loads(text)))
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if line:
            name, _, key = line.rpartition(" ")
            data = _key(key)
            if data is None:
                raise ValueError(f"line {number} holds no key: a name, then 32 bytes in base64 or hex")
            found.append(SigningKey(name.strip(), data))
    return tuple(found)


def _keys_in(value: Any) -> Iterator[SigningKey]:
    if isinstance(value, list):
        for each in value:
            yield from _keys_in(each)
    elif isinstance(value, dict):
        data = _key(value.get("public_key"))
        if data is not None:
            yield SigningKey(str(value.get("key_id") or value.get("name") or ""), data)
        for each in value.values():
            yield from _keys_in(each)


def _key(text: Any) -> bytes | None:
    if not isinstance(text, str):
        return None
    try:
        data = bytes.fromhex(text) if len(text) == 2 * _KEY_BYTES else base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if len(data) == _KEY_BYTES else None


# --- in a file ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature, with the bytes that it has to cover.

    Attributes:
        of: what is signed, `MATCH` or `ANALYSIS`.
        record: its record in the file.
        payload: the bytes that it is a signature of, as the file has them now.
    """

    of: str
    record: bytes
    payload: bytes

    @property
    def fields(self) -> dict[str, Any]:
        """What the record says."""
        return layout.SIGNATURE.read(Cursor(self.record))

    def as_text(self) -> str:
        """The text that an extra of a record holds: what is signed, the bytes it covers, and its record, in hex."""
        return f"{self.of} {self.payload.hex()} {self.record.hex()}"


def signature_of(of: str, record: bytes, parts: Sequence[bytes], analysis: Sequence[bytes], clock: bytes) -> Signature:
    """The signature in a section.

    Args:
        of: what is signed.
        record: the content of the section.
        parts: the contents of the head and the games of the match.
        analysis: those of the head and the decisions of the analysis, for one of an analysis.
        clock: that of the clock; empty where there is none.

    Raises:
        FormatError: it is damaged.
    """
    payload = _PREFIXES[of] + match_digest(parts)
    covers = layout.SIGNATURE.read(Cursor(record)).get("covers", 0)
    if of == ANALYSIS:
        payload += hashlib.sha256(b"".join(analysis)).digest()
    elif covers & _CLOCK:
        payload += hashlib.sha256(clock).digest()
    return Signature(of, record, payload)


def match_digest(parts: Iterable[bytes]) -> bytes:
    """The digest of a match: SHA-256 over its head and its games, each behind its length."""
    made = hashlib.sha256()
    for part in parts:
        made.update(len(part).to_bytes(4, "little"))
        made.update(part)
    return made.digest()


def signatures_in(extras: Iterable[Tag]) -> Iterator[Signature]:
    """The signatures among the extras of a record. One that no reader has put there, as in JSON by hand, is none."""
    for tag in extras:
        found = _TEXT.fullmatch(tag.value) if tag.key == SIGNATURE else None
        if found is not None:
            yield Signature(found[1], bytes.fromhex(found[3]), bytes.fromhex(found[2]))


# --- what they prove ------------------------------------------------------------------------


def signature_findings(signatures: Iterable[Signature]) -> Iterator[Finding]:
    """What each signature proves, with the keys that are known (`known_keys`)."""
    known = _KNOWN.get()
    for each in signatures:
        code, message = _proved(each, known)
        yield Finding(code, Span(0, 0), message)


def _proved(signature: Signature, known: Sequence[SigningKey]) -> tuple[Code, str]:
    fields = signature.fields
    stated = fields.get("public_key", b"")
    mine = [key for key in known if not stated or key.data == stated]
    what = NAMES[signature.of]
    owner = fields.get("key_id") or (f"key {stated.hex()[:16]}" if stated else "somebody")
    if mine and stated:
        owner = mine[0].name or owner
    unknown = "" if mine else ", a key that is not known"
    if fields["algorithm"] != _ED25519:
        return codes.UNKNOWN_SIGNER, f"{what} is signed by {owner} in a way that is not known; nothing is verified"
    if not mine and not stated:
        return codes.UNKNOWN_SIGNER, f"{what} is signed by {owner}{unknown}; nothing is verified"
    if not is_verifying():
        return codes.UNKNOWN_SIGNER, f"{what} is signed by {owner}{unknown}; not verified: {install_hint('signatures')}"
    for key in mine or (SigningKey("", stated),):
        if is_valid(signature, signature.payload, key):
            if mine:
                return codes.SIGNED, f"{what} is signed by {key.name or owner}, unchanged"
            return codes.UNKNOWN_SIGNER, f"{what} is unchanged since it was signed by {owner}{unknown}"
    return codes.CHANGED_SINCE_SIGNED, f"{what} has changed since it was signed by {owner}{unknown}"


def is_verifying() -> bool:
    """Whether the package is installed that verifies."""
    try:
        import cryptography  # noqa: F401
    except ImportError:
        return False
    return True


def is_valid(signature: Signature, payload: bytes, key: SigningKey) -> bool:
    """Whether a signature is one of these bytes, by this key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(key.data).verify(signature.fields["signature"], payload)
    except (InvalidSignature, ValueError):
        return False
    return True


def has_signed(match: Match, original: Match) -> bool:
    """Whether a signature of a match, which has changed since, is one of this original of it."""
    payloads = {each.payload for each in signatures_in(original.extras) if each.of == MATCH}
    return any(
        is_valid(each, payload, key)
        for each in signatures_in(match.extras)
        if each.of == MATCH
        for payload in payloads
        for key in (SigningKey("", each.fields.get("public_key", b"")), *_KNOWN.get())
    )
