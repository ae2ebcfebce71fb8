"""What holds for every test. Its place puts this folder on the import path, so that all can use `support`."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile

import pytest
from hypothesis import settings

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


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """The whole suite takes all cores; for files that are named, workers would start longer than the tests run."""
    return 0 if config.args_source is pytest.Config.ArgsSource.ARGS else None
