"""Comparison: the differences of two records, which records are of one match, and merging several into one."""
