"""The embedded engine: bgsage."""
