"""An editor that speaks the Language Server Protocol with a server over pipes, and nothing of pygls."""

from __future__ import annotations

import itertools
import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

WAIT = 60.0
"""Seconds after which a server that says nothing is taken for dead, on a busy machine too."""


class Editor:
    """A server that was started, and what is said to it and by it."""

    def __init__(self, options: dict[str, Any] | None = None, capabilities: dict[str, Any] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bgtools", "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._numbers = itertools.count(1)
        self._answers: dict[int, queue.Queue[dict[str, Any]]] = {}
        self._told: queue.Queue[dict[str, Any]] = queue.Queue()
        self.messages: list[str] = []
        self.judged: list[int | None] = []
        self.edits: queue.Queue[dict[str, Any]] = queue.Queue()
        self._version = 0
        threading.Thread(target=self._read, daemon=True).start()
        asked = {"processId": None, "rootUri": None, "capabilities": capabilities or {}}
        self.server = self.ask("initialize", asked | ({} if options is None else {"initializationOptions": options}))
        self.tell("initialized", {})

    # --- the wire ---------------------------------------------------------------------------

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            length = 0
            while line.strip():
                name, _, value = line.decode("ascii").partition(":")
                length = int(value) if name.lower() == "content-length" else length
                line = stream.readline()
            said = json.loads(stream.read(length))
            if "method" not in said:
                self._answers[said["id"]].put(said)
            elif said["method"] == "textDocument/publishDiagnostics":
                self._told.put(said["params"])
            elif said["method"] == "window/showMessage":
                self.messages.append(said["params"]["message"])
            elif said["method"] == "workspace/applyEdit":
                self.edits.put(said["params"]["edit"])
                self._send({"id": said["id"], "result": {"applied": True}})

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def tell(self, method: str, params: Any) -> None:
        """Say something that has no answer."""
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        """What the server answers."""
        number = next(self._numbers)
        self._answers[number] = queue.Queue()
        self._send({"id": number, "method": method, "params": params})
        said = self._answers[number].get(timeout=WAIT)
        assert "error" not in said, said
        return said["result"]

    # --- an editor --------------------------------------------------------------------------

    def open(self, path: Path | str, text: str) -> str:
        """Show a text; its name."""
        uri = path.as_uri() if isinstance(path, Path) else path
        self._version += 1
        item = {"uri": uri, "languageId": "backgammon", "version": self._version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})
        return uri

    def change(self, uri: str, text: str) -> int:
        """Have another text in place of that which was shown; its version."""
        self._version += 1
        self.tell(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": self._version}, "contentChanges": [{"text": text}]},
        )
        return self._version

    def findings(self, version: int | None = None) -> list[dict[str, Any]]:
        """What the server first finds in the text that was shown last, or in that of a version."""
        while True:
            told = self._told.get(timeout=WAIT)
            self.judged.append(told.get("version"))
            if told.get("version") == (version or self._version):
                found: list[dict[str, Any]] = told["diagnostics"]
                return found

    def hide(self, uri: str) -> list[dict[str, Any]]:
        """Close a text; what is told of it then."""
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        while (told := self._told.get(timeout=WAIT))["uri"] != uri or told.get("version") is not None:
            pass
        left: list[dict[str, Any]] = told["diagnostics"]
        return left

    def at(self, uri: str, what: str, line: int, column: int, **more: Any) -> Any:
        """The answer to a question about a place."""
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
        return self.ask(f"textDocument/{what}", place | more)

    def actions(self, uri: str, first: int, last: int, only: list[str] | None = None) -> list[dict[str, Any]]:
        """The actions that are offered for some lines."""
        context: dict[str, Any] = {"diagnostics": []} | ({"only": only} if only else {})
        lines = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
        found: list[dict[str, Any]] = self.ask(
            "textDocument/codeAction", {"textDocument": {"uri": uri}, "range": lines, "context": context}
        )
        return found

    def close(self) -> int:
        """Say goodbye; the exit status of the server."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait(WAIT)


def edited(text: str, edits: list[dict[str, Any]]) -> str:
    """A text after the edits that a server asks for, whose columns count in pairs of bytes."""
    lines = text.splitlines(keepends=True)
    starts = list(itertools.accumulate((len(line) for line in lines), initial=0))

    def offset(place: dict[str, int]) -> int:
        if place["line"] >= len(lines):
            return len(text)
        units = lines[place["line"]].encode("utf-16-le")[: 2 * place["character"]]
        return starts[place["line"]] + len(units.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda each: offset(each["range"]["start"]), reverse=True):
        start, end = (offset(edit["range"][side]) for side in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text
