"""The page of a report: one file to look at a match in a browser, without a network."""

from __future__ import annotations

from bgtools.reports.page.data import PAGE_VERSION, page_data
from bgtools.reports.page.writing import BY_STYLE, PAGE, page_of, page_style

__all__ = ["BY_STYLE", "PAGE", "PAGE_VERSION", "page_data", "page_of", "page_style"]
