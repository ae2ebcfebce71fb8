"""What holds for every test. Its place puts this folder on the import path, so that all can use `support`."""

from __future__ import annotations

from hypothesis import settings

# The same examples in every run: a test that fails today failed yesterday.
settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")
