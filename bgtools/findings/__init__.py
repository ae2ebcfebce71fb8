"""Findings: what is wrong with a record, where, and what would be right; the kinds of them and their manual."""
