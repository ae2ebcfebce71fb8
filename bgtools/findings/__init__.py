"""Findings: what is wrong with a record, where, and what would be right; the kinds of them and their manual."""

from __future__ import annotations

from bgtools.findings import codes
from bgtools.findings.codes import ALL, BY_ID, LOSSES
from bgtools.findings.finding import Applicability, Code, Finding, Fix, Related, Severity, printable, with_article

__all__ = [
    "ALL",
    "BY_ID",
    "LOSSES",
    "Applicability",
    "Code",
    "Finding",
    "Fix",
    "Related",
    "Severity",
    "codes",
    "printable",
    "with_article",
]
