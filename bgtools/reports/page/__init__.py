"""The page of a report: one file to look at a match in a browser, without a network."""

from __future__ import annotations

from bgtools.reports.page.data import PAGE_VERSION, page_data
from bgtools.reports.page.writing import PAGE, page_of

__all__ = ["PAGE", "PAGE_VERSION", "page_data", "page_of"]
