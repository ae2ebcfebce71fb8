"""Firefox, driven through its own Marionette protocol: JSON over a socket of this machine.

Playwright drives Firefox as Debian has it through WebDriver BiDi, and asks for commands that its releases with long
support do not know (``emulation.setMediaFeaturesOverride``), so that it cannot open a page there.
"""

from __future__ import annotations

import base64
import json
import os
import socket
import subprocess
import time
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

FIREFOX = which("firefox-esr") or which("firefox")

_PATIENCE = 60.0
"""Seconds until Firefox must have started."""
_ARROWS = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}


class Firefox:
    """A window of Firefox without a screen.

    Args:
        width, height: of the window, in pixels; it is at least 500 wide.
        dark: whether the screen is dark.
    """

    def __init__(self, width: int = 1200, height: int = 900, *, dark: bool = False) -> None:
        assert FIREFOX is not None
        self._folder = TemporaryDirectory(ignore_cleanup_errors=True)
        profile = Path(self._folder.name)
        # With port 0 the system picks one, and Firefox writes it down.
        settings = {
            "marionette.port": 0,
            "browser.shell.checkDefaultBrowser": False,
            "app.update.enabled": False,
            "ui.systemUsesDarkTheme": int(dark),
        }
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in settings.items()]
        (profile / "user.js").write_text("".join(lines))
        self._program = subprocess.Popen(
            [FIREFOX, "--marionette", "--headless", "--no-remote", "--profile", str(profile)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "MOZ_HEADLESS_WIDTH": str(width), "MOZ_HEADLESS_HEIGHT": str(height)},
        )
        self._number = 0
        try:
            self._socket = socket.create_connection(("127.0.0.1", self._port(profile)), timeout=_PATIENCE)
            self._answers = self._lines()
            next(self._answers)
            self("WebDriver:NewSession")
            self("WebDriver:SetWindowRect", width=width, height=height)
        except BaseException:
            self.close()
            raise

    def _port(self, profile: Path) -> int:
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end and self._program.poll() is None:
            told = profile / "MarionetteActivePort"
            if told.exists() and (text := told.read_text().strip()):
                return int(text)
            time.sleep(0.05)
        raise TimeoutError("Firefox does not start")

    def _lines(self) -> Iterator[Any]:
        """What Firefox says: messages, each behind its length and a colon."""
        data = b""
        while True:
            length, found, rest = data.partition(b":")
            if found and len(rest) >= int(length):
                data = rest[int(length) :]
                yield json.loads(rest[: int(length)])
                continue
            more = self._socket.recv(1 << 20)
            if not more:
                return
            data += more

    def __call__(self, command: str, **given: Any) -> Any:
        """Do something, and wait until it is done."""
        self._number += 1
        message = json.dumps([0, self._number, command, given]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, number, error, result = next(self._answers)
        assert number == self._number
        if error:
            raise AssertionError(f"{command}: {error['message']}")
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def open(self, address: str) -> None:
        """Go to a page."""
        self("WebDriver:Navigate", url=address)

    def evaluate(self, function: str) -> Any:
        """What a function of JavaScript, without arguments, gives in the page."""
        return self("WebDriver:ExecuteScript", script=f"return ({function})()", args=[])

    def press(self, *keys: str) -> None:
        """Press and let go keys, one after the other."""
        actions = [{"type": way, "value": _ARROWS.get(key, key)} for key in keys for way in ("keyDown", "keyUp")]
        self("WebDriver:PerformActions", actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def drag(self, *points: tuple[float, float]) -> None:
        """Press the mouse at the first of these points of the window, and let it go at the last."""
        ways = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 30} for x, y in points]
        press, release = ({"type": f"pointer{way}", "button": 0} for way in ("Down", "Up"))
        mouse = {"type": "pointer", "id": "mouse", "actions": [ways[0], press, *ways[1:], release]}
        self("WebDriver:PerformActions", actions=[mouse])

    def picture(self) -> bytes:
        """The window as PNG."""
        return base64.b64decode(self("WebDriver:TakeScreenshot", full=False))

    def close(self) -> None:
        """End Firefox."""
        self._program.terminate()
        try:
            self._program.wait(20)
        except subprocess.TimeoutExpired:
            self._program.kill()
            self._program.wait()
        if hasattr(self, "_socket"):
            self._socket.close()
        self._folder.cleanup()
