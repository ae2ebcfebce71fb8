"""Signatures in OGXM: what they prove, what is told of a changed record, and when they are kept."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from bgtools.board.generation import legal_plays
from bgtools.board.play import HopText, moves
from bgtools.cli import app
from bgtools.conversion.conversion import convert, parse_target
from bgtools.findings import codes
from bgtools.formats.content import Content
from bgtools.formats.ogxm import signatures
from bgtools.formats.ogxm.reader import OgxmReader, read
from bgtools.formats.ogxm.signatures import SigningKey, known_keys, parse_keys
from bgtools.formats.ogxm.writer import write
from bgtools.formats.reading import read_source
from bgtools.record.annotation import Annotation, CubeAnalysis, Evaluation
from bgtools.record.record import CheckerPlay, Comment, Tag
from bgtools.replayer.match import replay
from selfplay import random_match

if TYPE_CHECKING:
    from pathlib import Path

    from bgtools.record.record import Match

ogxm = pytest.importorskip("ogxm", reason="there is no wheel of the codec of OGXM here")
ed25519 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519")

SECRET = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC: bytes = SECRET.public_key().public_bytes_raw()
KEY = SigningKey("HedgeHog", PUBLIC)


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def signed(data: bytes, *, with_key: bool = True, covers: list[str] | None = None, clock: bool = False) -> bytes:
    """The file, signed by its makers' codec: the match, and each of its analyses."""
    document: dict[str, Any] = ogxm.binary_to_json(data)
    if clock:
        document["clock_info"] = {"reserve_ms": 60000, "delay_ms": 12000, "increment_ms": 0, "start_timestamp": 0}
        for at, ply in enumerate(ply for game in document["games"] for ply in game["plies"]):
            ply["timestamp_ms"] = 1000 * at
    empty = {"algorithm": "ed25519", "key_id": "hh-2026", "signature": text(bytes(64))}
    if with_key:
        empty["public_key"] = text(PUBLIC)
    document["match_signatures"] = [{**empty, "signed_at": 1700000000000, **({"covers": covers} if covers else {})}]
    blocks = ogxm.signature.analysis_blocks(document)
    for block in blocks:
        block["signature"] = {**empty}
    document["match_signatures"][0]["signature"] = text(SECRET.sign(ogxm.signature.match_payload(document, 0)))
    for number, block in enumerate(blocks):
        block["signature"]["signature"] = text(SECRET.sign(ogxm.signature.analysis_payload(document, number)))
    made: bytes = ogxm.json_to_binary(document)
    return made


def with_analysis(match: Match) -> Match:
    figures = Evaluation(equity=0.1)
    note = Annotation(program="gnubg", cube=CubeAnalysis(no_double=figures, double_take=figures))
    first = match.games[0]
    entries = (*first.entries[:2], replace(first.entries[2], annotation=note), *first.entries[3:])
    return replace(match, games=(replace(first, entries=entries), *match.games[1:]))


def found(data: bytes) -> list[tuple[str, str]]:
    return [(each.code.id, each.message) for each in read(Content(data, "x"))[0].findings]


def otherwise(match: Match, game: int, count: int) -> tuple[Match, list[int | None]]:
    """The match with the last plays of a game made otherwise, so that they are legal, and their rows."""
    played = replay(match)[game]
    entries, rows = list(played.game.entries), list[int | None]()
    for turn in reversed(played.turns):
        if not isinstance(turn.entry, CheckerPlay) or turn.play is None or turn.entry.dice is None:
            continue
        play = next((one for one in legal_plays(turn.before, turn.entry.dice) if one.result != turn.play.result), None)
        if play is not None:
            hops = tuple(HopText((hop.start, hop.end), (False,)) for hop in play.hops)
            entries[turn.index] = replace(turn.entry, text=moves(hops))
            rows.append(played.row_of(turn))
            break
    assert len(rows) == count
    games = list(match.games)
    games[game] = replace(games[game], entries=tuple(entries))
    return replace(match, games=tuple(games)), rows


MATCH = with_analysis(random_match(4, 5))


# --- what they prove ------------------------------------------------------------------------


@pytest.mark.parametrize("match", [MATCH, with_analysis(random_match(9, 0)), random_match(2, 3)])
@pytest.mark.parametrize("clock", [False, True])
def test_we_sign_the_bytes_that_the_codec_signs(match: Match, clock: bool) -> None:
    data = signed(write((match,)), covers=["clck"] if clock else None, clock=clock)
    document = ogxm.binary_to_json(data)
    found = list(OgxmReader(data).signatures())
    blocks = len(ogxm.signature.analysis_blocks(document))
    theirs = [ogxm.signature.analysis_payload(document, number) for number in range(blocks)]
    assert [each.payload for each in found] == [*theirs, ogxm.signature.match_payload(document, 0)]
    assert ogxm.verify_match(data)
    with known_keys([KEY]):
        assert {code for code, _ in globals()["found"](data)} == {codes.SIGNED.id}


def test_who_has_signed() -> None:
    data, bare = signed(write((MATCH,))), signed(write((MATCH,)), with_key=False)
    assert found(data)[-1] == (
        "BG014",
        "the match is unchanged since it was signed by hh-2026, a key that is not known",
    )
    assert found(bare)[-1] == ("BG014", "the match is signed by hh-2026, a key that is not known; nothing is verified")
    with known_keys([SigningKey("Other", bytes(32)), KEY]):
        for each in (data, bare):
            assert found(each) == [
                ("BG012", f"{what} is signed by HedgeHog, unchanged") for what in ("an analysis", "the match")
            ]


def test_without_the_package_nothing_is_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signatures, "is_verifying", lambda: False)
    code, message = found(signed(write((MATCH,))))[-1]
    assert code == "BG014"
    assert "not verified: " in message
    assert "signatures" in message or "cryptography" in message


def changed(data: bytes, match: Match) -> bytes:
    """The file of another match with the signatures of this one."""
    document = ogxm.binary_to_json(write((match,)))
    document["match_signatures"] = ogxm.binary_to_json(data)["match_signatures"]
    made: bytes = ogxm.json_to_binary(document)
    return made


def test_what_has_changed_is_told_where_the_original_is_at_hand(tmp_path: Path) -> None:
    match = random_match(4, 5)
    original = signed(write((match,)))
    other, rows = otherwise(match, 1, 1)
    other, more = otherwise(other, 2, 1)
    spoiled = changed(original, other)
    assert not ogxm.verify_match(spoiled)
    (tmp_path / "original.ogxm").write_bytes(original)
    (tmp_path / "spoiled.ogxm").write_bytes(spoiled)
    (tmp_path / "keys").write_text(f"# ours\nHedge Hog {PUBLIC.hex()}\n")
    arguments = ["check", str(tmp_path / "spoiled.ogxm"), "--format", "concise", "--keys", str(tmp_path / "keys")]
    plain = CliRunner().invoke(app, arguments)
    assert (plain.exit_code, "the match has changed since it was signed by Hedge Hog [" in plain.output) == (1, True)
    told = CliRunner().invoke(app, [*arguments, "--original", str(tmp_path / "original.ogxm")])
    assert f"by Hedge Hog: game 2, row {rows[0]}; game 3, row {more[0]} [" in told.output
    wrong = CliRunner().invoke(app, [*arguments, "--original", str(tmp_path / "spoiled.ogxm")])
    assert "no record that was given as the original is the one that was signed" in wrong.output
    shown = CliRunner().invoke(app, ["show", *arguments[1:2], "--original", str(tmp_path / "original.ogxm")])
    assert f"a key that is not known: game 2, row {rows[0]}; game 3, row {more[0]}\n" in shown.output


def test_keys_stand_in_the_settings(tmp_path: Path) -> None:
    for name, key in (("sound", text(PUBLIC)), ("unsound", "none")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "a.ogxm").write_bytes(signed(write((MATCH,))))
        (folder / "bgtools.toml").write_text(f'keys = ["HedgeHog {key}"]\n')
    for command in (["check", "--format", "concise"], ["show"]):
        told = CliRunner().invoke(app, [*command, str(tmp_path / "sound" / "a.ogxm")])
        assert "signed by HedgeHog, unchanged" in told.output
        assert command == ["show"] or f"keys: HedgeHog {text(PUBLIC)}" in told.output
        told = CliRunner().invoke(app, [*command, str(tmp_path / "unsound" / "a.ogxm")])
        assert (told.exit_code, "keys: line 1 holds no key" in told.output) == (2, True)


def test_keys_in_every_form() -> None:
    listed = {"keys": [{"key_id": "a", "public_key": text(PUBLIC), "purpose": "match"}, {"public_key": "no"}]}
    assert parse_keys(json.dumps(listed)) == (SigningKey("a", PUBLIC),)
    assert parse_keys(f"\n# x\nHedge Hog {PUBLIC.hex()} # y\n{text(PUBLIC)}") == (
        SigningKey("Hedge Hog", PUBLIC), SigningKey("", PUBLIC)
    )  # fmt: skip
    for wrong in ("a b", "a " + PUBLIC.hex()[:-2], "{"):
        with pytest.raises(ValueError, match=r"holds no key|line 1"):
            parse_keys(wrong)


def test_a_damaged_signature_is_told() -> None:
    data = bytearray(signed(write((random_match(2, 3),))))
    at = data.rindex(b"MSIG")
    data[at + 9] = 0x70
    from test_ogxm import sealed

    assert any("a signature is damaged" in message for _, message in found(sealed(bytes(data))))


# --- when they are kept ---------------------------------------------------------------------


def test_a_signature_is_kept_where_the_signed_bytes_are() -> None:
    data = signed(write((MATCH,)))
    (match,) = read_source(data, "x.ogxm")
    assert write((match,)) == data
    remarked = replace(match, comments=(*match.comments, Comment(text="new")))
    done = convert((remarked,), parse_target("ogxm"))
    assert done.losses == ()
    assert ogxm.verify_match(done.data)
    assert ogxm.verify_analysis(done.data)


def test_the_bytes_of_others_are_kept_for_their_signature() -> None:
    """A file of others says the same as ours in other bytes: here a field of the head that no record has."""
    document = ogxm.binary_to_json(write((MATCH,)))
    document["source"] = "transcribed"
    data = signed(ogxm.json_to_binary(document))
    assert write((read_source(data, "x.ogxm")[0],)) != write((MATCH,))
    (match,) = read_source(data, "x.ogxm")
    done = convert((replace(match, comments=(Comment(text="new"),)),), parse_target("ogxm"))
    assert ogxm.verify_match(done.data)
    assert ogxm.verify_analysis(done.data)


def test_it_is_told_that_a_signature_goes() -> None:
    (match,) = read_source(signed(write((MATCH,))), "x.ogxm")
    other, _ = otherwise(match, 1, 1)
    for changed, target in ((other, "ogxm"), (replace(match, players=("Zoe", "Bob")), "ogxm"), (match, "mat")):
        done = convert((changed,), parse_target(target))
        assert done.changed == ""
        told = [each.message for each in done.losses if each.code is codes.EXTRA_LOST]
        assert any("cannot hold the signature, which is of the bytes that were read" in each for each in told)
    assert "BG012" not in str(found(convert((other,), parse_target("ogxm")).data))
    assert not convert((match,), parse_target("json")).losses


def test_a_signature_that_no_reader_has_kept_is_none() -> None:
    """JSON of bgtools may have been written by hand."""
    (match,) = read_source(signed(write((MATCH,))), "x.ogxm")
    for text_ in ("", "match", "match zz 00", "other 00 00", "match 00 00 00", "match 0 0"):
        odd = replace(match, extras=(Tag(key="ogxm:signature", value=text_),))
        assert not convert((odd,), parse_target("ogxm")).changed
