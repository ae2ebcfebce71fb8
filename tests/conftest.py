"""What holds for every test. Its place puts this folder on the import path, so that all can use `support`."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import signal
import tempfile
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

import ogxm_judge
import shares
from browsers import CHROMIUM

if TYPE_CHECKING:
    from collections.abc import Iterator

# What is collected stays: a search for what does not would take a third of the time, and later a tenth.
gc.disable()
gc.set_threshold(100_000, 20, 20)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


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


# No test writes OGXM that the codec of its makers does not take.
ogxm_judge.watch()

SECONDS, THOROUGH_SECONDS = 120, 600
"""How long a test may take before it is ended with its stacks; `pytest.mark.timeout` gives one more."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--within", type=float, metavar="SECONDS", help="begin no test after that time (tests/shares.py)")
    parser.addoption(
        "--grace", type=float, default=240, metavar="SECONDS", help="and so much later leave what still runs (240)"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tell quick tests from thorough ones, and give every test its time."""
    shares.mark_thorough(items)
    if config.getoption("within"):
        items[:] = shares.in_turn(items)
    for item in items:
        if item.get_closest_marker("timeout") is None:
            seconds = THOROUGH_SECONDS if item.get_closest_marker("thorough") else SECONDS
            item.add_marker(pytest.mark.timeout(seconds))


_BEGAN = time.monotonic()


def _left_to_another_run(*_: object) -> None:
    pytest.skip("no time is left in this run")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave to another run what would begin too late, or has a long limit of its own for which too little is left."""
    if within := item.config.getoption("within"):
        left = within - (time.monotonic() - _BEGAN)
        limit = item.get_closest_marker("timeout")
        if left < 0 or (limit is not None and left < limit.args[0] > THOROUGH_SECONDS):
            _left_to_another_run()


@pytest.hookimpl(tryfirst=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> bool | None:
    """Leave to another run what outlasts a run of little time; it does not hang."""
    if not (within := item.config.getoption("within")):
        return None
    left = within + item.config.getoption("grace") - (time.monotonic() - _BEGAN)
    if settings.timeout < left:
        return None

    def cancel() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)

    item.cancel_timeout = cancel  # type: ignore[attr-defined] # the name by which pytest-timeout finds it
    signal.signal(signal.SIGALRM, _left_to_another_run)
    signal.setitimer(signal.ITIMER_REAL, max(left, 1))
    return True


_LEFT_OUT: Counter[str] = Counter()
"""How many tests `pytest -m` leaves out, by what they need that is not here; of a worker, or of all of this run."""


def pytest_deselected(items: list[pytest.Item]) -> None:
    missing = [mark.args[1] for item in items for mark in item.iter_markers("needs") if not mark.args[0]]
    _LEFT_OUT.update(missing, **{"": len(items)})


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left out"] = dict(_LEFT_OUT)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    _LEFT_OUT.clear()  # each worker has left out the same
    _LEFT_OUT.update(getattr(node, "workeroutput", {}).get("left out", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say in one line what was not run, and why."""
    told = []
    if left := _LEFT_OUT.pop("", 0):
        told.append(f"{left:,} thorough tests left out: python -m pytest -m thorough")
        told += [f"{count} of these could not run here for want of {what}" for what, count in _LEFT_OUT.most_common()]
    skipped = terminalreporter.stats.get("skipped", ())
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    told += [f"{count} skipped: {reason}" for reason, count in reasons.most_common()]
    if config.getoption("within"):
        told.append(f"in the order of commit {shares.number()}; {shares.VARIABLE} names another one")
    if told:
        terminalreporter.write_line("; ".join(told))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """The whole suite takes all cores; for files that are named, workers would start longer than the tests run."""
    return 0 if config.args_source is pytest.Config.ArgsSource.ARGS else (os.cpu_count() or 1)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, without a screen."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        running = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()
