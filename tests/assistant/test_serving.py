"""The server as a process: calls that are cancelled, clients that go away, signals, and what is left running."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pytest

import bgtools

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples"
LONG = ("what_did_i_do_wrong", {"path": ".", "level": "deep"})
"""A call that takes minutes."""
SHORT = ("what_does_it_mean", {"code": "BG204"})

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("mcp") is None, reason="mcp is not installed"),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are listed by /proc"),
]
needs_engine = pytest.mark.skipif(importlib.util.find_spec("bgsage") is None, reason="bgsage is not installed")


class Client:
    """What an assistant's program sends and gets, line by line."""

    def __init__(self, *arguments: str, program: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            [*program, "mcp", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        self.number = 0
        greeting = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        assert self.answer(self.request("initialize", greeting))["serverInfo"]["name"] == "bgtools"
        self.send(method="notifications/initialized")

    def pipe(self, stream: IO[str] | None) -> IO[str]:
        assert stream is not None
        return stream

    def send(self, **message: Any) -> None:
        stream = self.pipe(self.process.stdin)
        stream.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        stream.flush()

    def request(self, method: str, given: dict[str, Any]) -> int:
        self.number += 1
        self.send(id=self.number, method=method, params=given)
        return self.number

    def call(self, tool: str, arguments: dict[str, Any]) -> int:
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def cancel(self, number: int) -> None:
        self.send(method="notifications/cancelled", params={"requestId": number, "reason": "enough"})

    def answer(self, number: int) -> dict[str, Any]:
        for line in self.pipe(self.process.stdout):
            message = json.loads(line)
            if message.get("id") == number:
                found: dict[str, Any] = message["result"]
                return found
        raise AssertionError("the server has ended")

    def children(self) -> set[int]:
        """What the server has started, and what that has started."""
        parents = {}
        for each in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                fields = each.read_text().rpartition(")")[2].split()
                if fields[0] != "Z":
                    parents[int(each.parent.name)] = int(fields[1])
        found = {self.process.pid}
        while more := {child for child, parent in parents.items() if parent in found} - found:
            found |= more
        return found - {self.process.pid}


def are_gone(processes: set[int]) -> bool:
    """Whether processes have ended, within ten seconds."""
    for _ in range(200):
        left = set()
        for each in processes:
            with suppress(OSError):
                if Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
                    left.add(each)
        if not left:
            return True
        time.sleep(0.05)
    return False


@contextmanager
def client(*arguments: str, program: Sequence[str] = (sys.executable, "-m", "bgtools")) -> Iterator[Client]:
    made = Client(*arguments, program=program)
    try:
        yield made
    finally:
        made.process.kill()
        if made.process.stdin is not None and made.process.stdin.closed:
            made.process.stdin = None
        made.process.communicate()


def busy(server: Client) -> set[int]:
    """Let a server work on something long; what it has started by then."""
    server.answer(server.call(*SHORT))
    server.call(*LONG)
    time.sleep(1)
    found = server.children()
    assert found
    return found


def test_over_pipes_it_answers_as_the_library_does() -> None:
    with client(str(SAMPLES)) as server:
        tools = server.answer(server.request("tools/list", {}))["tools"]
        found = server.answer(server.call("is_it_sound", {"path": "five-slips.mat"}))["structuredContent"]
    assert len(tools) >= 8
    expected = [each.code.id for each in bgtools.check(SAMPLES / "five-slips.mat")]
    assert [each["code"] for each in found["findings"]["items"]] == expected


@pytest.mark.quick(one_in=3)
@needs_engine
@pytest.mark.parametrize("tool", ["what_did_i_do_wrong", "how_lucky", "repair"])
def test_a_cancelled_call_makes_nobody_wait(tool: str, tmp_path: Path) -> None:
    record = tmp_path / "many.mat"
    # A record that is hard to repair, and one that is long to analyse.
    name = "five-slips.mat" if tool == "repair" else "seven-point.mat"
    record.write_bytes((SAMPLES / name).read_bytes())
    arguments: dict[str, Any] = {"path": "many.mat"} | ({} if tool == "repair" else {"level": "deep"})
    with client(str(tmp_path), "--write") as server:
        server.answer(server.call(*SHORT))
        long = server.call(tool, arguments)
        waiting = server.call(*SHORT)
        time.sleep(0.3)
        server.cancel(long)
        server.cancel(waiting)
        began = time.monotonic()
        assert not server.answer(server.call(*SHORT)).get("isError")
        assert time.monotonic() - began < 30  # seconds even on a busy machine; the call itself takes minutes
    assert sorted(each.name for each in tmp_path.iterdir()) == ["many.mat"]


@pytest.mark.thorough
@needs_engine
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_ends_a_busy_server_and_all_that_it_has_started(number: signal.Signals) -> None:
    with client(str(SAMPLES)) as server:
        children = busy(server)
        server.process.send_signal(number)
        code = server.process.wait(30)
        assert code == (-number if number == signal.SIGKILL else 128 + number)
        assert are_gone(children)


@pytest.mark.thorough
@needs_engine
def test_a_client_that_goes_away_ends_a_busy_server() -> None:
    with client(str(SAMPLES)) as server:
        children = busy(server)
        server.pipe(server.process.stdin).close()
        assert server.process.wait(30) == 0
        assert are_gone(children)


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGTERM, None])
def test_an_idle_server_ends_too(number: signal.Signals | None) -> None:
    with client(str(SAMPLES)) as server:
        server.answer(server.call(*SHORT))
        children = server.children()
        if number is None:
            server.pipe(server.process.stdin).close()
        else:
            server.process.send_signal(number)
        assert server.process.wait(30) == (0 if number is None else 128 + number)
        assert are_gone(children)


@pytest.mark.thorough
@pytest.mark.needs(shutil.which("gnubg", path=f"{os.environ.get('PATH')}:/usr/games"), "GNU Backgammon")
def test_a_program_that_a_tool_has_started_ends_with_its_call() -> None:
    with client(str(SAMPLES)) as server:
        long = server.call("how_lucky", {"path": "seven-point.mat", "engine": "gnubg", "level": "deep"})
        for _ in range(200):
            children = server.children()
            names = [name for each in children if (name := _name(each))]
            if any("gnubg" in name for name in names):
                break
            time.sleep(0.1)
        else:
            raise AssertionError(names)
        server.cancel(long)
        assert are_gone({each for each in children if "gnubg" in _name(each)})
        assert not server.answer(server.call(*SHORT)).get("isError")


def _name(process: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{process}/comm").read_text().strip()
    return ""


@pytest.mark.thorough
def test_a_pipe_among_the_records_makes_nobody_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mat")
    (tmp_path / "a.mat").write_bytes((SAMPLES / "one-point.mat").read_bytes())
    with client(str(tmp_path)) as server:
        for tool in ("is_it_sound", "repair", "how_lucky", "show_turn"):
            answer = server.answer(server.call(tool, {"path": "pipe.mat"}))
            assert answer["isError"]
            assert "not a regular file" in answer["content"][0]["text"]
        listed = server.answer(server.call("which_records", {}))["structuredContent"]["records"]["items"]
        assert [each["path"] for each in listed] == ["a.mat"]


@pytest.mark.thorough
def test_a_worker_that_is_killed_is_told_and_replaced() -> None:
    with client(str(SAMPLES)) as server:
        server.answer(server.call(*SHORT))
        for each in server.children():
            os.kill(each, signal.SIGKILL)
        again = [server.answer(server.call(*SHORT)) for _ in range(2)]
        assert not again[-1].get("isError")


def test_a_folder_that_was_exchanged_is_told(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for each in (inside, outside):
        each.mkdir()
        (each / "a.mat").write_bytes((SAMPLES / "one-point.mat").read_bytes())
    with client(str(inside)) as server:
        inside.rename(tmp_path / "moved")
        inside.symlink_to(outside)
        answer = server.answer(server.call("is_it_sound", {"path": "a.mat"}))
        assert answer["isError"]
        assert "no longer there" in answer["content"][0]["text"]


def test_a_server_started_among_records_imports_nothing_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("multiprocessing", "pickle", "signal", "json"):
        (tmp_path / f"{name}.py").write_text("open('pwned', 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    with client(str(tmp_path), program=[str(Path(sys.executable).with_name("bgtools"))]) as server:
        assert not server.answer(server.call(*SHORT)).get("isError")
    assert not (tmp_path / "pwned").exists()
