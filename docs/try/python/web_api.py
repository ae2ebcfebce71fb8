"""What the page asks of bgtools. Every function takes plain values and gives JSON, or bytes with JSON.

A record is written into the memory of the page under its own name, so that findings name it as on a command line. What
goes wrong is a `Refused` with the sentence of the program.
"""

from __future__ import annotations

import json
import os
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bgtools._version import __version__
from bgtools.findings.finding import printable
from bgtools.formats.reading import load, read_source
from bgtools.formats.registry import formats
from bgtools.formats.searching import trouble

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bgtools.checks.settings import Policy
    from bgtools.engines.protocol import LuckConvention
    from bgtools.findings.finding import Finding
    from bgtools.record.record import Match
    from bgtools.repair.states import FileState

DESK = Path("/desk")
NOT_HERE = {
    "gnubg": "GNU Backgammon is a program of its own, which a page cannot start",
    "ubgi": "a page cannot start other programs",
    "rollout": "rollouts are not in this build: they take hours, and many processors",
}


class Refused(Exception):
    """Something that cannot be done; the message is for people."""


class _PageMachine:
    """The machine of the page as `bgtools.engines.sage.wasm.Machine`: bytes are copied as they are."""

    def __init__(self, machine: Any) -> None:
        self.room, self.call, self._machine = machine.room, machine.call, machine

    def write(self, address: int, data: bytes) -> None:
        from pyodide.ffi import to_js

        self._machine.write(address, to_js(data))

    def read(self, address: int, length: int) -> bytes:
        found: bytes = self._machine.read(address, length).to_bytes()
        return found


def begin(machine: Any, weights: Any, contents: str) -> None:
    """Put the engine of the page where bgtools looks for it.

    Args:
        machine: runs its module.
        weights, contents: ``sage.bin`` and ``sage.json``.
    """
    from bgtools.bearoff.kernel import use_kernel
    from bgtools.engines.sage.wasm import WasmKernel, install, open_module

    stated: Mapping[str, Any] = json.loads(contents)
    sage = open_module(_PageMachine(machine), stated, weights.to_bytes())
    install(sage, stated["version"])
    use_kernel(lambda: WasmKernel(sage))


def about() -> str:
    """The version, and the formats that can be written."""
    known = [(each.name, each.title, list(each.extensions)) for each in formats() if each.writer and each.holds_matches]
    return json.dumps({"version": __version__, "formats": known})


def check(data: Any, name: str) -> str:
    """The findings of all matches in a record: each as ``bgtools check --format json`` prints it."""
    from bgtools.engines.recorded import holds_analysis
    from bgtools.reports.findings_data import as_data

    content, inner = _loaded(data, name)
    try:
        state, found = _checked(content, inner)
    except Exception as error:
        raise Refused(f"{printable(name)}: {trouble(error)}") from None
    records = [
        {"players": match.players, "length": match.length, "games": len(match.games), "analysed": holds_analysis(match)}
        for match in state.matches
    ]
    return json.dumps({"findings": [as_data(*each) for each in found], "records": records})


def fix(data: Any, name: str, unsafe: bool, only: Any) -> tuple[bytes, str]:
    """A record put right: its bytes, and the changes with the findings that are left.

    Args:
        data: the bytes of the record.
        name: its name.
        unsafe: whether fixes are made as well that the record does not prove.
        only: the number of the finding whose fix alone is made, as `check` counts them; None for all.
    """
    from bgtools.repair.repairing import repair
    from bgtools.repair.states import RepairRefused, rewritten
    from bgtools.reports.findings_data import as_data, change_data

    content, inner = _loaded(data, name)
    try:
        if only is None:
            done = repair(content, inner, unsafe=bool(unsafe), policy=_policy())
            pairs = zip(done.matches, done.findings, strict=True)
            left = [as_data(each, match) for match, some in pairs for each in some]
            return done.after, json.dumps({"changes": [change_data(each) for each in done.changes], "left": left})
        state, found = _checked(content, inner)
        finding, match = found[int(only)]
        if finding.fix is None or match.source is None:
            raise Refused("this finding offers no fix")
        if not state.is_text:
            raise Refused("this record is not a text: its fixes are made all at once")
        after = rewritten(content, match.source.text, (finding.fix,))
    except (RepairRefused, ValueError) as error:
        raise Refused(f"{printable(inner)}: {error}") from None
    return after, json.dumps({"changes": [as_data(finding, match) | {"fixed": True}]})


def convert(data: Any, name: str, to: str) -> tuple[bytes, str]:
    """A record in another format, and what is lost by that."""
    from bgtools.conversion.conversion import made, parse_target
    from bgtools.formats.content import FormatError

    content, inner = _loaded(data, name)
    try:
        target = parse_target(to)
        done = made(read_source(content, inner), target)
    except (FormatError, ValueError) as error:
        raise Refused(f"{printable(name)}: {error}") from None
    losses = [_plain(each) for each in done.losses]
    return done.data, json.dumps({"losses": losses, "ending": target.format.extensions[0]})


def _plain(finding: Finding) -> dict[str, Any]:
    return {"code": finding.code.id, "name": finding.code.name, "severity": str(finding.severity),
            "message": finding.message}  # fmt: skip


def report(
    data: Any, name: str, number: int, engine: str, level: str, progress: Callable[[str, int, int], None] | None
) -> str:
    """The report of a match, as ``report.json`` holds it, and its page; of several the one with a number, from 1."""
    from bgtools.analysis.breakdowns import PARTS
    from bgtools.analysis.evaluation import start
    from bgtools.analysis.match_analysis import analyse, common_luck
    from bgtools.checks.checking import check as checked
    from bgtools.engines.protocol import EngineUnavailable
    from bgtools.replayer.match import replay
    from bgtools.reports.match_report import report_data
    from bgtools.reports.page.writing import page_of

    match = _match(data, name, number)
    games = replay(match)
    _refuse_engine(engine)
    try:
        started = start(engine, level, match=match, games=games)  # type: ignore[arg-type]
    except (EngineUnavailable, ValueError) as error:
        raise Refused(str(error)) from None
    luck: LuckConvention | None = common_luck((started,))
    luck = None if luck == "recorded" else luck
    parts = PARTS | {"plays"}
    found = analyse(match, started, progress=progress, luck=luck, games=games, parts=parts, rolls=True)
    findings = checked(match, games)
    shown = page_of(found, match, findings, file=name)
    return json.dumps({"report": report_data(found, findings, match.source), "page": shown.decode()})


def evaluate(text: str, engine: str, level: str) -> str:
    """What a position is worth: every play where it has dice, else the cube."""
    from bgtools.analysis.evaluation import evaluate as evaluated
    from bgtools.engines.protocol import EngineUnavailable
    from bgtools.positions.position import IdError, Position
    from bgtools.reports.page.data import choice_texts

    _refuse_engine(engine)
    try:
        position = Position.from_id(text)
        found = evaluated(position, engine, level=level)  # type: ignore[arg-type]
    except (IdError, ValueError, EngineUnavailable) as error:
        raise Refused(str(error)) from None
    told: dict[str, Any] = {
        "xgid": position.xgid, "best": found.best_action, "note": found.note, "engine": found.stamp.engine,
        "version": found.stamp.version, "level": found.stamp.level,
    }  # fmt: skip
    chances = ("win", "gammon", "backgammon", "lost_gammon", "lost_backgammon")
    choices = []
    for each in found.choices:
        known = [None] * len(chances) if each.probabilities is None else astuple(each.probabilities)
        choices.append(
            {"action": each.action, "play": None if each.play is None else str(each.play), "equity": each.equity,
             "loss": each.loss, "depth": each.depth, **dict(zip(chances, known, strict=True)),
             "texts": choice_texts(each.equity, each.loss, None, known)}
        )  # fmt: skip
    if position.dice is not None and not position.offer:
        told["plays"] = choices
    else:
        told["choices"] = choices
        if found.cube is not None:
            told["cube"] = {"no_double": found.cube.no_double, "double_take": found.cube.double_take,
                            "double_pass": found.cube.double_pass, "action": found.best_action}  # fmt: skip
    return json.dumps(told)


def read(text: str) -> str:
    """The XGID of a position in any notation, or drawn with letters."""
    from bgtools.positions.position import IdError, Position

    try:
        return json.dumps(Position.from_id(text).xgid)
    except IdError as error:
        raise Refused(str(error)) from None


def grid(text: str, made: str) -> str:
    """What is right in a position at every score, as a page shows it; ``made`` is what was done there, or empty."""
    from bgtools.analysis.score_grid import at_scores
    from bgtools.engines.protocol import EngineUnavailable
    from bgtools.reports.score_grids import page_grid

    try:
        return json.dumps(page_grid(at_scores(text, level="quick", made=made)))
    except (ValueError, EngineUnavailable) as error:
        raise Refused(str(error)) from None


def _refuse_engine(engine: str) -> None:
    first, _, more = engine.partition(":")
    for word in (first, more):
        if word in NOT_HERE:
            raise Refused(f"{engine} is not in this build: {NOT_HERE[word]}")


# --- records ----------------------------------------------------------------------------------


def _loaded(data: Any, name: str) -> tuple[bytes, str]:
    """The bytes of a record, unpacked, and its name; it lies alone where the program finds it."""
    DESK.mkdir(exist_ok=True)
    os.chdir(DESK)
    for each in DESK.iterdir():
        each.unlink()
    path = Path(name.replace("\\", "/").rpartition("/")[2].strip("\0") or "record")  # it names nothing elsewhere
    path.write_bytes(data.to_py())
    try:
        return load(path)
    except Exception as error:
        raise Refused(f"{printable(name)}: {trouble(error)}") from None


def _policy() -> Policy:
    from bgtools.checks.settings import Settings, resolve_settings

    return resolve_settings(Settings())


def _checked(content: bytes, name: str) -> tuple[FileState, list[tuple[Finding, Match]]]:
    """A file, and its findings with the fixes that they offer, each with its match."""
    from bgtools.repair.planning import plan_fixes

    policy = _policy()
    state = plan_fixes(content, name, policy).state
    pairs = zip(state.matches, state.found, strict=True)
    return state, [(each, match) for match, some in pairs for each in policy.apply(some)]


def _match(data: Any, name: str, number: int) -> Match:
    content, inner = _loaded(data, name)
    try:
        matches = read_source(content, inner)
    except Exception as error:
        raise Refused(f"{printable(name)}: {trouble(error)}") from None
    if not 1 <= number <= len(matches):
        many = f"are {len(matches)} matches" if len(matches) > 1 else "is one match"
        raise Refused(f"{printable(name)}: there {many} in it, and no match {number}")
    match = matches[number - 1]
    if not any(game.entries for game in match.games):
        raise Refused(f"{printable(name)}: no game was found in it")
    return match
