"""What holds for every test. Its place puts this folder on the import path, so that all can use `support`."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

import shares
from browsers import CHROMIUM

if TYPE_CHECKING:
    from collections.abc import Iterator

# No test may read or fill the cache of whoever runs it.
os.environ["BGTOOLS_CACHE"] = tempfile.mkdtemp(prefix="bgtools-tests-")
atexit.register(shutil.rmtree, os.environ["BGTOOLS_CACHE"], ignore_errors=True)

# The same examples in every run: a test that fails today failed yesterday.
settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")

# A shell lets what it runs in the background ignore Ctrl-C, and nohup the end of the terminal; so would the programs
# that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


SECONDS, DEEP_SECONDS = 120, 600
"""How long a test may take before it is ended with its stacks; `pytest.mark.timeout` gives one more."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to the deep tests what is not in the share of this run, and give every test its time."""
    cases: Counter[str] = Counter()
    for item in items:
        if (mark := item.get_closest_marker("share")) is not None:
            test, _, name = item.nodeid.partition("[")
            cases[test] += 1
            # By its name, a case is chosen in all tests that have it; by its number, each share has as many cases.
            if not shares.is_chosen(name if mark.kwargs.get("by_name") else cases[test], *mark.args):
                item.add_marker("deep")
        if item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(DEEP_SECONDS if item.get_closest_marker("deep") else SECONDS))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"share {shares.number()} of the random trials; {shares.VARIABLE} names another one")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """The whole suite takes all cores, and a worker more, for some wait for the programs that they start.

    For files that are named, workers would start longer than the tests run.
    """
    return 0 if config.args_source is pytest.Config.ArgsSource.ARGS else (os.cpu_count() or 1) + 1


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, without a screen."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        running = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()
