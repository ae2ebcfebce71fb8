"""Converting records: losses are reported, and what was written is read again."""
