"""Logs of playing servers."""
